//! Formulas and sets of linear arithmetic: what an enumeration had to cut is decided by removing quantifiers.
//!
//! A formula about integers and tuples of integers, whose sets are comprehensions, lambdas, images, unions and the like, is
//! read into a template ([`Say`], [`Among`], [`Num`]) when it is compiled. When its evaluation ends unknown, the template
//! becomes a formula of Presburger arithmetic with the values of now ([`ground`]), and `presburger` decides it.
//! Invariant: definedness is decided first, by a formula of its own, left to right; what is not surely defined stays unknown.
//! Invariant: this turns an unknown into an answer and changes no other answer.

mod ground;
mod numbers;
mod reading;
mod values;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use lang_math::Op;
use model::{ExprId, Kind, LocalId};

use crate::code::{Compiler, f};
use crate::cx::{Cx, F};
use crate::value::V;
use reading::Reading;

/// A predicate.
pub(crate) enum Say {
    /// Without any name that is bound around it.
    Known(F<bool>),
    And(Vec<Say>),
    Or(Vec<Say>),
    Implies(Box<Say>, Box<Say>),
    Equivalent(Box<Say>, Box<Say>),
    Not(Box<Say>),
    /// `<`, `<=` or `=`
    Compare(Op, Num, Num),
    Member(Vec<Num>, Among),
    /// Inclusion of sets of so many components.
    Within(Among, Among, usize),
    /// A set of so many components is finite.
    Finite(Among, usize),
    /// A relation between two sets with so many components each has what this operator asks for.
    Space(Op, Box<[Among; 3]>, [usize; 2]),
    Quantified {
        all: bool,
        names: Vec<Bound>,
        body: Box<Say>,
    },
}

/// A bound name and its number of components.
pub(crate) type Bound = (LocalId, usize);

/// An integer.
pub(crate) enum Num {
    Known(F<V>),
    /// A component of a value that has several.
    Part(F<V>, usize),
    /// A component of a bound name.
    Name(LocalId, usize),
    Add(Box<Num>, Box<Num>),
    Minus(Box<Num>, Box<Num>),
    Negate(Box<Num>),
    Times(Box<Num>, Box<Num>),
    Divide(Box<Num>, Box<Num>),
    Modulo(Box<Num>, Box<Num>),
    /// The value of a function that has integers as values.
    Applied(Arc<Among>, Vec<Num>),
}

/// A set of tuples of integers.
pub(crate) enum Among {
    Known(F<V>),
    Listed(Vec<Vec<Num>>),
    Interval(Num, Num),
    /// `{names | body}`, or the values of a part for all such names.
    Built {
        names: Vec<Bound>,
        body: Box<Say>,
        /// The tuple that is an element; the names themselves when absent.
        value: Option<Vec<Num>>,
    },
    /// The union of sets, or their intersection.
    Gathered {
        union: bool,
        names: Vec<Bound>,
        body: Box<Say>,
        set: Box<Among>,
    },
    Algebra(Op, Box<[Among; 2]>),
    /// An operator on relations. So many components are bound anew, and so many of an element belong to its left side.
    Relation(Op, Vec<Among>, [usize; 2]),
}

/// So much work may a decision take, in atoms.
const WORK: u64 = 60_000;
/// A predicate that has cost so much is no longer asked.
const PATIENCE: u64 = 40 * WORK;
/// Work that gave an answer costs so many times less, and nothing up to this much.
const WORTH: u64 = 10;
const CHEAP: u64 = WORK / 16;

/// A predicate with what asking it has cost: [`WORK`] for each time that it was not decided, less where it was.
pub(crate) struct Decision {
    say: Say,
    cost: AtomicU64,
}

impl Compiler<'_> {
    /// The code of a predicate with a decision for when it ends unknown, where it is one of linear arithmetic.
    pub(crate) fn deciding(&self, predicate: ExprId, code: F<bool>) -> F<bool> {
        if self.is_reading.get() {
            return code;
        }
        let mut reading = Reading {
            compiler: self,
            bound: Vec::new(),
        };
        self.is_reading.set(true);
        // By its form only: by its value it is asked already.
        let say = reading.say_structure(predicate);
        self.is_reading.set(false);
        let Some(say) = say else {
            return code;
        };
        let decision = Decision {
            say,
            cost: AtomicU64::new(0),
        };
        f(move |cx| match code(cx) {
            Err(trap) if trap.is_unknown() && !cx.pruning && !cx.is_near => {
                cx.decided(&decision).ok_or(trap)
            }
            answer => answer,
        })
    }

    /// Whether a comparison of sets may be one of rules about integers.
    pub(crate) fn compares_rules(&self, sides: &[ExprId]) -> bool {
        let is_rule = |side: &ExprId| {
            let mut found = false;
            self.model.walk(*side, &mut |part| {
                found |= matches!(
                    part.kind,
                    Kind::Bind { .. } | Kind::Op(Op::Integers | Op::Naturals | Op::Naturals1, _)
                );
            });
            found
        };
        sides.iter().any(is_rule)
    }

    /// The tuples of a comprehension or lambda, for when a rule is looked at.
    pub(crate) fn tuples_of(&self, expr: ExprId) -> Option<Arc<Among>> {
        let mut reading = Reading {
            compiler: self,
            bound: Vec::new(),
        };
        reading.components(expr)?;
        let before = self.is_reading.replace(true);
        let tuples = reading.among_structure(expr);
        self.is_reading.set(before);
        tuples.map(Arc::new)
    }
}

impl Cx<'_> {
    /// The truth of a predicate that ended unknown.
    fn decided(&mut self, decision: &Decision) -> Option<bool> {
        if decision.cost.load(Ordering::Relaxed) > PATIENCE {
            return None;
        }
        self.is_near = true;
        let mut taken = 0;
        let truth = self.quietly(|cx| ground::truth(cx, &decision.say, WORK, &mut taken));
        self.is_near = false;
        self.charge(taken);
        let cost = match truth {
            None => WORK,
            Some(_) if taken > CHEAP => taken / WORTH,
            Some(_) => 0,
        };
        decision.cost.fetch_add(cost, Ordering::Relaxed);
        truth
    }
}
