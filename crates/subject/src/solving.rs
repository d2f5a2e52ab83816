//! Solutions of predicates, where a language has them.

use base::{Diagnostics, Sources};
use pins::{Fault, Flow, Halt, Notes};

use crate::ground::Ground;
use crate::judge::Moment;
use crate::setting::Solver;
use crate::value::Value;

/// A predicate whose free names are the unknowns.
#[derive(Clone, Copy, Debug)]
pub struct Unsolved<'a> {
    /// The predicate.
    pub predicate: &'a str,
    /// Which back end solves it.
    pub solver: Solver,
    /// Only the best solutions count, if this says what they are best at.
    pub aim: Option<Aim<'a>>,
}

/// What solutions should be best at.
#[derive(Clone, Copy, Debug)]
pub struct Aim<'a> {
    /// An integer expression over the unknowns.
    pub expression: &'a str,
    /// Which of its values is best.
    pub goal: Goal,
    /// Whether all solutions with that value are wanted, and not only one.
    pub wants_all: bool,
}

/// Which value is best.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// The least one.
    Least,
    /// The greatest one.
    Greatest,
}

/// How a search for solutions ended.
pub struct Ended {
    /// Why it is not complete, if it is not.
    pub result: Result<(), Fault>,
    /// What was noticed.
    pub notes: Notes,
    /// With an aim: the best value, where there is a solution.
    pub best: Option<Best>,
}

/// The best value that was found.
#[derive(Clone, Debug)]
pub struct Best {
    /// The value of the expression.
    pub value: Value,
    /// Whether nothing is better.
    pub is_proven: bool,
}

impl Ended {
    /// No best value.
    pub fn without((result, notes): (Result<(), Fault>, Notes)) -> Ended {
        Ended {
            result,
            notes,
            best: None,
        }
    }
}

/// Where a predicate is solved.
#[derive(Clone, Copy)]
pub enum Position<'a> {
    /// In a state of a ground.
    State(&'a dyn Ground, &'a [u32]),
    /// Where a judge is.
    Moment(&'a Moment),
}

/// Solutions, as they are found; `None` for a set that cannot be listed.
pub type Give<'a> = &'a mut dyn FnMut(&[Option<Value>]) -> Flow;

/// Finds solutions.
pub trait Solving {
    /// The names of a predicate that mean nothing in the model, in the order of the text.
    fn unknowns(&mut self, predicate: &str, sources: &mut Sources) -> Vec<String>;

    /// For each unknown, in their order, the rule by which the predicate defines it, where it has the form `s = {x|x>5}`.
    fn rules(&mut self, _predicate: &str, _sources: &mut Sources) -> Vec<Option<String>> {
        Vec::new()
    }

    /// Gives the values of the unknowns for which the predicate holds there; with an aim, when the best are known.
    fn solutions(
        &mut self,
        unsolved: Unsolved<'_>,
        at: Position<'_>,
        sources: &mut Sources,
        halt: &Halt,
        give: Give<'_>,
    ) -> Result<Ended, Diagnostics>;
}
