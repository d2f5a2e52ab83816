//! Systems for engines to explore, with what their numbers mean in the subject.

use std::any::Any;

use pins::{GroupId, InfluenceQuestion, LabelId, Profile, System};

use crate::describe::{ComponentId, EventId};
use crate::question::QuestionId;
use crate::setting::{Evaluator, Solver, Wd};
use crate::symmetry::{Statics, Symmetry};
use crate::value::Value;

/// How much of a model is taken apart: sets and functions get several slots, events become instances.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Parts {
    /// Nothing: one slot for each component.
    #[default]
    Whole,
    /// What the text says is worth it.
    Worth,
    /// Whatever can be.
    Everything,
}

/// The form of a system.
#[derive(Clone, Copy, Debug, Default)]
pub struct Form<'a> {
    /// Which evaluator answers.
    pub evaluator: Evaluator,
    /// What undefined expressions mean.
    pub wd: Wd,
    /// How predicates are solved.
    pub solver: Solver,
    /// Predicates that become labels too, after those of the subject.
    pub labels: &'a [QuestionId],
    /// A predicate to look for: the last label.
    pub goal: Option<QuestionId>,
    /// Whether guards can be asked one by one.
    pub guards: bool,
    /// Whether only states and steps matter: vectors may be as short as possible, and what is read and written inexact.
    pub packed: bool,
    /// The elements that states can be permuted by.
    pub symmetry: Option<&'a Symmetry>,
    /// Fewer set-ups, where values that stand for others can be fixed beforehand.
    pub statics: Option<&'a Statics>,
    /// How much is taken apart.
    pub parts: Parts,
    /// Of a system in parts: whether transitions will be counted, so that no two instances may have the same one.
    pub counts: bool,
    /// Whether it is counted what guards do ([`Ground::profile`]).
    pub profile: bool,
}

/// A system, and what its numbers mean.
pub trait Ground: Send + Sync {
    /// The system.
    fn system(&self) -> &dyn System;

    /// The components of a state in their order; `None` for one without plain value.
    fn values(&self, state: &[u32]) -> Vec<Option<Value>>;

    /// The components of a set-up: only constants have a value.
    fn constants(&self, setup: &[u32]) -> Vec<Option<Value>>;

    /// The set-up with these components, whether or not it is one of the model; `None` when constants are missing or the
    /// ground cannot make vectors of values.
    fn setup(&self, components: &[Option<Value>]) -> Option<Vec<u32>> {
        let _ = components;
        None
    }

    /// The state with these components, whether or not it can be reached; `None` when one is missing or the ground cannot
    /// make vectors of values.
    fn state(&self, components: &[Option<Value>]) -> Option<Vec<u32>> {
        let _ = components;
        None
    }

    /// The event that a group belongs to.
    fn event(&self, group: GroupId) -> EventId;

    /// Arguments and results of a step; `None` for a result that was not assigned.
    fn words(&self, group: GroupId, words: &[u32]) -> (Vec<Option<Value>>, Vec<Option<Value>>);

    /// How the guard of a group was answered so far; `None` where nobody counts that.
    fn profile(&self, group: GroupId) -> Option<Profile> {
        let _ = group;
        None
    }

    /// The component that a slot belongs to.
    fn component(&self, slot: usize) -> ComponentId;

    /// Whether no slot holds parts of several components; [`Ground::component`] names one of them.
    fn keeps_components_apart(&self) -> bool {
        true
    }

    /// The label of the subject that a label of the system belongs to.
    fn label(&self, label: LabelId) -> LabelId {
        label
    }

    /// Conditions that some state or step must meet, by the numbers that [`pins::Notes::covered`] has, with their names.
    fn covers(&self) -> Vec<(u32, String)> {
        Vec::new()
    }

    /// How many there may be who move by themselves, such as processes; 0 where the language has no such notion.
    fn actors(&self) -> usize {
        0
    }

    /// Who takes part in a step.
    fn each_actor(&self, _group: GroupId, _words: &[u32], _each: &mut dyn FnMut(usize)) {}

    /// How many components have several slots.
    fn split(&self) -> usize {
        0
    }

    /// For each group how often its guard held and nothing followed, so far; nothing where that is not counted.
    fn blocked(&self) -> Vec<u64> {
        Vec::new()
    }

    /// Who found values that were not simply enumerated.
    fn solvers(&self) -> Vec<&'static str> {
        Vec::new()
    }

    /// Itself, for its subject.
    fn as_any(&self) -> &dyn Any;
}

/// Why a group keeps a label.
#[derive(Clone, Debug)]
pub struct Kept {
    /// The label.
    pub label: usize,
    /// The group.
    pub group: usize,
    /// For each question the clauses that say it and the proof that they have no solution; `None` where there are no clauses.
    pub questions: Vec<Option<Refutation>>,
}

/// Clauses without a solution.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refutation {
    /// The clauses: the text of a DIMACS file.
    pub clauses: String,
    /// The proof: the text of a DRAT file.
    pub proof: String,
}

/// Says how events influence each other. What is not answered within its bounds, which count work, is "it may".
pub trait Influence {
    /// Whether each of these may be.
    fn may(&mut self, questions: &[InfluenceQuestion]) -> Vec<bool>;

    /// For each label and the groups that write what it reads: the first group that may lead from a state in which all of
    /// `supposed` hold to one in which the label does not, or has no value.
    fn first_to_break(
        &mut self,
        supposed: &[usize],
        rows: &[(usize, Vec<usize>)],
    ) -> Vec<Option<usize>>;

    /// Wants proofs that labels are kept from [`Influence::first_to_break`].
    fn prove(&mut self);

    /// The proofs so far.
    fn kept(&self) -> Vec<Kept>;

    /// Whether a step of the group may be a fault.
    fn may_fault(&self, group: usize) -> bool;

    /// How many questions were asked so far, and how many of them were not answered.
    fn asked(&self) -> (u64, u64);

    /// Bounds the work of one question to a part of the usual: one in so many.
    fn hurry(&mut self, part: u64);

    /// A text that says all that the answers depend on.
    fn key(&self) -> String;
}
