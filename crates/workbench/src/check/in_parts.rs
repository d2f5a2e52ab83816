//! The compiled model with its sets and functions in parts, read back as the model it comes from.

use base::Diagnostics;
use model::{ExprId, Model, Value, VarId};
use model_compile::Compiled;
use model_compile::split::{self, Splitting};
use pins::GroupId;

use super::compiled;
use super::decode::{Decode, Numbered};
use crate::choice::{Solver, Wd};

/// A compiled model in parts.
pub(super) struct InParts<'m> {
    model: &'m Model,
    splitting: Splitting,
    /// The system.
    pub(super) system: Compiled,
}

/// How a model is taken apart.
#[derive(Clone, Copy, Debug)]
pub(super) struct Manner {
    /// Whatever can be.
    pub(super) everything: bool,
    /// Whether transitions will be counted: then no two instances may have the same one.
    pub(super) counts: bool,
    /// Whether guards can be asked one by one.
    pub(super) guards: bool,
    /// What an undefined expression means.
    pub(super) wd: Wd,
    /// How predicates are solved.
    pub(super) solver: Solver,
}

impl Manner {
    /// For partial order reduction: instances of operations whose guards can be asked.
    pub(super) fn instances(wd: Wd) -> Manner {
        Manner {
            everything: false,
            counts: true,
            guards: true,
            wd,
            solver: Solver::default(),
        }
    }
}

/// Compiles a model in parts; `None` when there is nothing to gain. `whole` is the model as one system.
pub(super) fn compile<'m>(
    model: &'m Model,
    whole: &compiled::Program<'m>,
    goal: Option<ExprId>,
    manner: Manner,
) -> Result<Option<InParts<'m>>, Diagnostics> {
    let Some(splitting) = split(model, whole, goal, manner) else {
        return Ok(None);
    };
    let options = model_compile::Options {
        guards: manner.guards,
        ..compiled::options(splitting.goal, manner.wd, manner.solver)
    };
    let system = compiled::translate(&splitting.model, &options)?;
    Ok(Some(InParts {
        model,
        splitting,
        system,
    }))
}

/// The model in parts, not yet compiled.
pub(super) fn split(
    model: &Model,
    whole: &compiled::Program<'_>,
    goal: Option<ExprId>,
    manner: Manner,
) -> Option<Splitting> {
    let options = split::Options {
        everything: manner.everything,
        constants: whole.only_setup().unwrap_or_default(),
        lift_choices: !manner.counts,
    };
    split::split(model, goal, &options)
}

impl InParts<'_> {
    /// The model that the system was compiled from.
    pub(super) fn model(&self) -> &Model {
        &self.splitting.model
    }

    /// The system with what its numbers mean.
    pub(super) fn numbered(&self) -> Numbered<'_> {
        (&self.system, self)
    }

    /// How many variables were taken apart.
    pub(super) fn count(&self) -> usize {
        self.splitting.count()
    }
}

impl Decode for InParts<'_> {
    fn values(&self, vector: &[u32]) -> Vec<Option<Value>> {
        let of = |part| self.system.value(vector, part);
        let variables = (0..self.model.variables.len()).map(VarId::new);
        variables
            .map(|variable| self.splitting.value(variable, of))
            .collect()
    }

    fn constants(&self, vector: &[u32]) -> Vec<Option<Value>> {
        let of = |part| self.system.value(vector, part);
        let variables = self.model.variables.iter();
        variables
            .map(|(id, variable)| {
                // The slots of variables hold nothing yet.
                let known = variable.is_constant.then_some(id);
                known.and_then(|id| self.splitting.value(id, of))
            })
            .collect()
    }

    fn action(&self, group: GroupId) -> usize {
        self.splitting.actions[group.index()]
    }

    fn words(&self, group: GroupId, words: &[u32]) -> (Vec<Option<Value>>, Vec<Option<Value>>) {
        self.system.arguments(group, words)
    }

    fn variable(&self, slot: usize) -> usize {
        self.splitting.variable(VarId::new(slot)).index()
    }

    fn label(&self, label: usize) -> usize {
        self.splitting.labels[label]
    }

    fn is_in_parts(&self) -> bool {
        true
    }
}
