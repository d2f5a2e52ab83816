//! Why an evaluation ended early, in eight bytes, so that an undefined guard costs no allocation.
//!
//! A [`Trap`] names its cause and the expression where it arose; the sentence and the place are looked up
//! only when somebody reads them ([`crate::cx::Cx::fault`]).
//! Invariant: `Overflow` never leaves the integer code that raised it: its reader falls back to exact
//! arithmetic. `Endless` never leaves the comprehension whose source it is: that one is kept as a rule.

use model::Obligation;
use pins::FaultKind;

/// Why an evaluation has no value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Trap {
    /// A machine word is too small: the caller takes the exact path.
    Overflow,
    /// The receiver of an enumeration wants no more.
    Stop,
    /// A set turned out to have no end where it must not be cut ([`crate::cx::Cx::uncut`]).
    Endless,
    /// A fault; `at` is the number of the expression plus one, 0 while it is not known.
    Fault {
        /// What happened.
        cause: Cause,
        /// Where.
        at: u32,
    },
}

/// What happened.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cause {
    DivisionByZero,
    Modulo,
    Exponent,
    OutsideDomain,
    SeveralImages,
    EmptyExtremum,
    UnboundedExtremum,
    EmptyIntersection,
    NotSequence,
    EmptySequence,
    Cutting,
    InfiniteCard,
    InfinitePermutations,
    NotTree,
    NegativeIteration,
    Argument,
    Unassigned,
    Infinite,
    TooLarge,
    LoopTooLong,
    TooDeep,
    Undecided,
    Cut,
    Halted,
    External,
    Precondition,
    Assert,
    LoopInvariant,
    Variant,
    Refinement(Obligation),
}

impl Cause {
    /// The trap, at a place still unknown.
    pub(crate) fn trap(self) -> Trap {
        Trap::Fault { cause: self, at: 0 }
    }

    pub(crate) fn kind(self) -> FaultKind {
        use Cause::*;
        match self {
            Infinite | TooLarge | LoopTooLong | TooDeep | Undecided => FaultKind::Budget,
            Cut => FaultKind::Cut,
            Halted => FaultKind::Halted,
            External => FaultKind::Unsupported,
            Precondition | Assert | LoopInvariant | Variant => FaultKind::Violated,
            Refinement(_) => FaultKind::Refinement,
            _ => FaultKind::Undefined,
        }
    }

    pub(crate) fn sentence(self) -> &'static str {
        match self {
            Cause::DivisionByZero => "division by zero",
            Cause::Modulo => {
                "mod needs a natural number on its left and a positive one on its right"
            }
            Cause::Exponent => "the exponent is negative or too large",
            Cause::OutsideDomain => "the function is applied outside its domain",
            Cause::SeveralImages => "the relation has several values",
            Cause::EmptyExtremum => "the empty set has no minimum or maximum",
            Cause::UnboundedExtremum => "the set is not bounded",
            Cause::EmptyIntersection => "the intersection of no sets",
            Cause::NotSequence => "not a sequence",
            Cause::EmptySequence => "the sequence is empty",
            Cause::Cutting => "a sequence is cut outside its length",
            Cause::InfiniteCard => "the set is infinite and has no cardinality",
            Cause::InfinitePermutations => "the set is infinite and has no permutations",
            Cause::NotTree => "not a tree, or a branch that the tree does not have",
            Cause::NegativeIteration => "a relation is iterated a negative number of times",
            Cause::Argument => "an argument is outside what the function is defined for",
            Cause::Unassigned => "a local variable is read before it has a value",
            Cause::Infinite => "an infinite set cannot be listed",
            Cause::TooLarge => "a set is too large to be built",
            Cause::LoopTooLong => "a loop takes too many turns",
            Cause::TooDeep => "a function calls itself too deeply",
            Cause::Undecided => "whether two infinite sets are equal was not decided",
            Cause::Cut => "an enumeration was cut",
            Cause::Halted => "the evaluation was halted",
            Cause::External => "a function of the host that cannot be evaluated",
            Cause::Precondition => "the precondition of a called operation does not hold",
            Cause::Assert => "the condition of an ASSERT does not hold",
            Cause::LoopInvariant => "the invariant of a loop does not hold",
            Cause::Variant => "the variant of a loop is no natural number that decreases",
            Cause::Refinement(owed) => owed.sentence(),
        }
    }
}

impl Trap {
    /// The trap at a place, unless a narrower one is known.
    pub(crate) fn at(self, place: u32) -> Trap {
        match self {
            Trap::Fault { cause, at: 0 } => Trap::Fault {
                cause,
                at: place + 1,
            },
            other => other,
        }
    }

    /// Whether it says that something was not looked at, so that the answer is not known: other parts of a formula may
    /// decide it all the same.
    pub(crate) fn is_unknown(self) -> bool {
        matches!(
            self,
            Trap::Fault {
                cause: Cause::Cut | Cause::Infinite | Cause::Undecided,
                ..
            }
        )
    }

    /// Whether it ends everything, whatever other parts of a formula say.
    pub(crate) fn is_final(self) -> bool {
        !self.is_unknown() && !self.is_undefined()
    }

    /// Whether it says that an expression has no value.
    pub(crate) fn is_undefined(self) -> bool {
        matches!(self, Trap::Fault { cause, .. } if cause.kind() == FaultKind::Undefined)
    }
}
