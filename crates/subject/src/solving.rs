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

    /// Gives the values of the unknowns for which the predicate holds there.
    fn solutions(
        &mut self,
        unsolved: Unsolved<'_>,
        at: Position<'_>,
        sources: &mut Sources,
        halt: &Halt,
        give: Give<'_>,
    ) -> Result<(Result<(), Fault>, Notes), Diagnostics>;
}
