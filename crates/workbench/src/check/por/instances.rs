//! Looks for the finest parts of a model between which a partial order reduction finds independence.
//!
//! A set or function is one slot of a state, so operations that touch different elements of it depend on each other. In
//! parts they do not, but states become longer and there are more groups to choose from. A trial tells what pays.

use model::Model;
use model_compile::Compiled;
use pins::{Shape, System};

use super::super::decode::Decode;
use super::super::in_parts::{self, InParts, Manner};
use super::super::labels::Asked;
use super::super::run::{Run, Watch, in_system};
use super::super::symmetry::{Action, Decided as Symmetry};
use super::super::{Ended, Hooks, compiled};
use super::{Decided, Prepared, Tried};
use crate::report::Report;

/// More slots and groups than this cost more than a reduction saves.
const MOST: (usize, usize) = (160, 400);

/// Whether a model in parts is small enough to be explored state by state.
fn is_handy(shape: &Shape) -> bool {
    shape.slots.len() <= MOST.0 && shape.groups.len() <= MOST.1
}

/// Whether parts leave out so many more steps of a state than what is known that they are worth their price.
fn is_worth_it(left_out: f64, known: f64) -> bool {
    left_out > known * 1.1 + 0.5
}

/// A model that is ready to be reduced.
pub(in super::super) struct Analysed<'p> {
    /// The model in parts; `None` for the model as it is.
    pub(super) parts: Option<InParts<'p>>,
    /// The analysis of whichever it is.
    pub(super) prepared: Prepared,
    /// What a trial showed; `None` when there was no need of one.
    pub(super) tried: Option<Tried>,
}

impl Analysed<'_> {
    /// The system that was analysed, when the model as it is is `whole`.
    pub(super) fn system<'s>(&'s self, whole: &'s compiled::Program<'_>) -> &'s Compiled {
        match &self.parts {
            Some(parts) => &parts.system,
            None => &whole.system,
        }
    }
}

impl Run<'_> {
    /// The model with its sets and functions in parts, and with instances of operations that touch only some of them,
    /// where a trial shows that more steps can be left out than between whole operations; with the analysis of whichever
    /// is better. Under symmetry the model stays as it is.
    pub(in super::super) fn analyse<'p>(
        &'p self,
        model: &'p Model,
        whole: &compiled::Program<'p>,
        labels: &[Asked<'_>],
        symmetry: &Symmetry,
        por: Decided,
        hooks: &Hooks<'_>,
    ) -> Result<Analysed<'p>, Ended> {
        let config = self.config(labels, &Symmetry::off());
        let names: Vec<String> = self
            .model
            .actions
            .iter()
            .map(|a| a.name.to_string())
            .collect();
        let prepare = |model: &Model, system: &Compiled, decode: &dyn Decode| {
            let checks = in_system(&config.checks, system, decode);
            Prepared::new(model, system, &names, &checks, por, self.options)
        };
        let trial = |prepared: &Prepared, system: &Compiled| {
            let visibility = &prepared.related.visibility;
            prepared.trial(system, visibility, &config, &Watch(hooks))
        };
        let prepared = prepare(model, &whole.system, whole);
        if symmetry.action != Action::Off {
            return Ok(Analysed {
                parts: None,
                prepared,
                tried: None,
            });
        }
        let tried = trial(&prepared, &whole.system);
        let mut best = Analysed {
            parts: None,
            prepared,
            tried: Some(tried),
        };
        let (mut most, mut slots) = (tried.per_state(), whole.system.shape().slots.len());
        for everything in [false, true] {
            let manner = Manner {
                everything,
                solver: self.options.solver,
                ..Manner::instances(self.options.wd)
            };
            let Some(parts) = in_parts::compile(self.model, whole, self.goal, manner)? else {
                continue;
            };
            let shape = parts.system.shape();
            if shape.slots.len() == slots || !is_handy(shape) {
                continue;
            }
            slots = shape.slots.len();
            let prepared = prepare(parts.model(), &parts.system, &parts);
            let tried = trial(&prepared, &parts.system);
            if is_worth_it(tried.per_state(), most) {
                most = tried.per_state();
                best = Analysed {
                    parts: Some(parts),
                    prepared,
                    tried: Some(tried),
                };
            }
        }
        Ok(best)
    }

    /// Explores fewer steps of what was analysed.
    pub(in super::super) fn search_fewer(
        &self,
        whole: &compiled::Program<'_>,
        analysed: Analysed<'_>,
        labels: &[Asked<'_>],
        symmetry: &Symmetry,
        hooks: &Hooks<'_>,
        report: &mut Report,
    ) -> Result<(), Ended> {
        let prepared = Some(analysed.prepared);
        let (system, decode): (_, &dyn Decode) = match &analysed.parts {
            Some(parts) => (&parts.system, parts),
            None => (&whole.system, whole),
        };
        self.search(system, decode, labels, symmetry, prepared, hooks, report)
    }
}
