//! Evidence for `holds`: certificates, and who checks them.

use std::sync::atomic::AtomicBool;

use certify::{Accepted, Certificate, Definedness, Guide, Manner, Rejected, Semantics};
use certify_temporal::{Formula, Graph, Logic};

use crate::describe::{ComponentId, EventId};
use crate::ground::Ground;
use crate::question::QuestionId;

/// Checks certificates of a model. The check depends on the reference evaluator alone (`crates/certify`).
pub trait Certifying {
    /// For each set of elements the class of each of them: elements of one class are interchangeable.
    fn classes(&self) -> Vec<Vec<u32>>;

    /// Whether states can be permuted by the check, so that representatives are certified.
    fn permutes(&self) -> bool {
        true
    }

    /// The components of a state of a ground as a certificate has them, where these are not the components that people see.
    fn components(&self, _ground: &dyn Ground, _state: &[u32]) -> Option<Vec<String>> {
        None
    }

    /// Why there may be other initial states than those that a check looks at.
    fn bounds(&self, _wd: Definedness) -> Vec<String> {
        Vec::new()
    }

    /// Checks a certificate. The ground only says which permutation leads to a state of the certificate, and is not
    /// believed.
    fn certify(
        &self,
        certificate: Claimed<'_>,
        ground: &dyn Ground,
        course: &Course<'_>,
    ) -> Result<Accepted, Rejected>;

    /// Checks a certificate but for its formulas, and gives the steps that these are about.
    fn explore(
        &self,
        certificate: Claimed<'_>,
        ground: &dyn Ground,
        course: &Course<'_>,
    ) -> Result<Graph, Rejected>;
}

/// Checks a certificate by who knows what it claims; each refuses what it does not check.
pub fn certify<S: Semantics>(
    semantics: &S,
    claimed: Claimed<'_>,
    manner: &Manner<'_, S::Value>,
) -> Result<Accepted, Rejected> {
    let given = (claimed.text, claimed.certificate);
    let header = &claimed.certificate.header;
    let formulas = &claimed.temporal.formulas;
    match (&header.diagram, formulas.is_empty()) {
        (Some(_), _) => certify_diagrams::certify(semantics, given, manner),
        (None, false) => certify_temporal::certify(semantics, given, formulas, manner),
        (None, true) => certify::certify(semantics, given, manner),
    }
}

/// Checks a certificate but for its formulas, and gives the steps that these are about.
pub fn explore<S: Semantics>(
    semantics: &S,
    claimed: Claimed<'_>,
    manner: &Manner<'_, S::Value>,
) -> Result<Graph, Rejected> {
    let given = (claimed.text, claimed.certificate);
    let formulas = &claimed.temporal.formulas;
    let explored = certify_temporal::explore(semantics, given, formulas, manner);
    explored.map(|(_, graph)| graph)
}

/// A certificate with what it is to be checked against.
#[derive(Clone, Copy)]
pub struct Claimed<'a> {
    /// The normal form of the model, before anything was asked of it.
    pub text: &'a str,
    /// The certificate.
    pub certificate: &'a Certificate,
    /// The temporal formulas that it claims.
    pub temporal: &'a Temporal,
}

/// Temporal formulas for the check of a certificate.
#[derive(Clone, Debug, Default)]
pub struct Temporal {
    /// The formulas. A label of their atoms beyond those of the model is one of `states`, a mark one of `steps`.
    pub formulas: Vec<Formula>,
    /// What is asked of states.
    pub states: Vec<QuestionId>,
    /// What is asked of steps.
    pub steps: Vec<StepQuestion>,
}

impl Temporal {
    /// Whether fairness of everything that has a name is supposed.
    pub fn names(&self) -> bool {
        self.formulas.iter().any(|formula| match &formula.logic {
            Logic::Linear(_, premises) => {
                let mut premises = premises.iter();
                premises.any(|fairness| fairness.every_weak || fairness.every_strong)
            }
            Logic::Branching(_) => false,
        })
    }
}

/// What is asked of a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StepQuestion {
    /// Whether it is one of an event whose arguments, by their positions, satisfy predicates.
    Taken(EventId, Vec<(usize, QuestionId)>),
    /// Compares the value of the first before it with the state after it, by the second.
    Change(QuestionId, QuestionId),
    /// A predicate of the state after it and of these components before it.
    BeforeAfter(QuestionId, Vec<ComponentId>),
    /// Whether an actor takes part in it.
    Moves(usize),
}

/// How a check of a certificate goes on.
#[derive(Clone, Copy)]
pub struct Course<'a> {
    /// So many threads check.
    pub threads: usize,
    /// So many states were checked before.
    pub from: u64,
    /// Set when nobody waits for the answer.
    pub stop: &'a AtomicBool,
    /// Told from time to time how many states were checked.
    pub progress: &'a (dyn Fn(u64) + Sync),
}

impl<'a> Course<'a> {
    /// The manner of a check that is guided so.
    pub fn guided<S>(
        &self,
        guide: &'a (dyn Fn() -> Option<Box<dyn Guide<S> + 'a>> + Sync),
    ) -> Manner<'a, S> {
        Manner {
            threads: self.threads,
            from: self.from,
            stop: self.stop,
            progress: self.progress,
            guide,
        }
    }
}
