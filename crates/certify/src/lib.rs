//! Checks the certificate of a run that held: a set of states that holds the initial ones, is closed under steps and
//! satisfies the claim everywhere. Such a set proves the claim, whoever made it.
//!
//! Paper: closed sets as certificates of unreachability, [Wimmer, von Mutius 2020]; differs: states of an explicit search,
//! and under symmetry the set holds one state of each orbit. Who says which permutation leads there is not trusted: it is
//! applied here, and a wrong one only leads to a state that is not in the set.
//! Invariant: knows no language ([`Semantics`] is what it asks of one), and neither this crate nor an implementation of
//! [`Semantics`] depends on engines, reductions or compiled evaluators (`xtask/tests/structure.rs` asks cargo, and holds
//! this crate to 800 lines). Diagrams and temporal formulas are checked by crates of their own; what a
//! certificate claims beyond single states is refused here.
//! Trusted: who reads the model's text and gives it a meaning (front end, lowering, reference evaluator), and the analysis of
//! the text that tells which elements it does not tell apart. Not trusted: whoever made the certificate.

mod closed;
mod file;
mod rejected;
mod short;
mod values;

use std::sync::Arc;

pub use closed::{Accepted, Guide, Manner, Seen, Step, Watch, certify, explore, starts};
pub use file::{
    Certificate, Claim, Claimed, Definedness, Header, Levels, MAGIC, Reader, fingerprint,
};
pub use rejected::Rejected;
pub use short::Short;
pub use values::Values;

/// What can be evaluated.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// An action, by its number.
    Action(usize),
    /// A label, by its number.
    Label(u32),
}

/// What a certificate is checked against.
pub trait Semantics: Sync {
    /// A value of a component.
    type Value: Clone + Ord + Send + Sync;

    /// Whether a state may have so many components.
    fn fits(&self, components: usize) -> bool;

    /// How many labels there are. Numbers from there on are what formulas ask of states.
    fn labels(&self) -> usize;

    /// How many actions there are.
    fn actions(&self) -> usize;

    /// The components that an action or a label mentions, ascending: nothing else matters to it, or is changed by it.
    fn mentions(&self, part: Part) -> Vec<usize>;

    /// A component's value in the canonical notation.
    fn read(&self, component: usize, text: &str) -> Option<Self::Value>;

    /// For each set of elements the class of each of them: elements of one class are interchangeable.
    fn classes(&self) -> Vec<Vec<u32>>;

    /// The value of a component with elements exchanged: for each set the image of each of its elements.
    fn permute(
        &self,
        component: usize,
        value: &Self::Value,
        permutation: &[Vec<u32>],
    ) -> Self::Value;

    /// Somebody who evaluates; every thread has one of its own.
    fn evaluator(&self, wd: Definedness) -> Box<dyn Evaluator<Self::Value> + '_>;
}

/// What formulas ask of a step.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Told {
    /// Bit `a` says whether the atom `a` holds.
    pub marks: u64,
    /// What is done, with arguments and results, where somebody asks.
    pub name: Option<Arc<str>>,
}

/// Takes the target of a step, and what formulas ask of the step.
pub type Emit<'a, V> = &'a mut (dyn FnMut(&[V], Told) -> Result<(), Rejected> + 'a);

/// Evaluates a model slowly and obviously. An error says why there is no certain answer.
pub trait Evaluator<V> {
    /// Every initial state, where the labels hold that are claimed of set-ups; gives why there may be others, where what
    /// is unbounded was looked at within bounds.
    fn starts(
        &mut self,
        setup_labels: &[u32],
        emit: &mut dyn FnMut(&[V]) -> Result<(), Rejected>,
    ) -> Result<Vec<String>, Rejected>;

    /// The target of every step of an action from a state.
    fn steps(&mut self, action: usize, state: &[V], emit: Emit<'_, V>) -> Result<(), Rejected>;

    /// Whether a label holds.
    fn holds(&mut self, label: u32, state: &[V]) -> Result<bool, Rejected>;
}
