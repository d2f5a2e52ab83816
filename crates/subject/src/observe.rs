//! What the reference evaluator sees of guards and branches while it looks at states: for coverage.

use base::Span;

use crate::display::Executed;
use crate::value::Value;

/// A conjunct of a guard, and in how many states it was seen how.
#[derive(Clone, Debug, Default)]
pub struct SeenConjunct {
    /// Its text.
    pub text: String,
    /// It holds for some arguments, together with those before it.
    pub seen_true: u64,
    /// For some arguments those before it hold, and it does not.
    pub seen_false: u64,
    /// For some arguments all others hold, and it does not.
    pub decides: u64,
    /// Whether it only says which values a parameter may have.
    pub is_typing: bool,
}

/// A condition inside a body, and how often it was seen how.
#[derive(Clone, Debug)]
pub struct SeenBranch {
    /// Where it stands.
    pub span: Span,
    /// Its text.
    pub text: String,
    /// How often it was true.
    pub seen_true: u64,
    /// How often it was false.
    pub seen_false: u64,
}

/// What was seen.
#[derive(Clone, Debug, Default)]
pub struct Seen {
    /// For each event the conjuncts of its guard.
    pub guards: Vec<Vec<SeenConjunct>>,
    /// For each event in how many states its guard holds for arguments that no choice of its body fits.
    pub cut: Vec<u64>,
    /// The conditions inside bodies.
    pub branches: Vec<SeenBranch>,
    /// Conjuncts of guards whose truth is not known somewhere: the event, the conjunct and why.
    pub unknown: Vec<String>,
    /// The statements, where they are steps of their own.
    pub statements: Vec<Executed>,
}

/// Looks at states.
pub trait Observer {
    /// Looks at what may follow a set-up: the values of its components; none before anything has a value.
    fn look_at_start(&mut self, setup: Option<&[Option<Value>]>);

    /// Looks at a state: the values of its components.
    fn look_at(&mut self, state: &[Option<Value>]);

    /// What was seen so far.
    fn seen(&self) -> Seen;
}
