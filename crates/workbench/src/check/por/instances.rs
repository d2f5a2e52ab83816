//! Looks for the finest parts of a model between which a partial order reduction finds independence.
//!
//! A set or function is one slot of a state, so operations that touch different elements of it depend on each other. In
//! parts they do not, but states become longer and there are more groups to choose from. A trial tells what pays.

use std::sync::Arc;

use pins::Shape;
use subject::{Form, Ground, Parts};

use super::super::labels::Asked;
use super::super::run::{Run, Watch, in_system};
use super::super::symmetry::{Action, Decided as Symmetry};
use super::super::{Ended, Hooks};
use super::{Decided, Prepared, Tried};

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
pub(in super::super) struct Analysed {
    /// The model in parts, or as it is.
    pub(in super::super) ground: Arc<dyn Ground>,
    /// The analysis of whichever it is.
    pub(in super::super) prepared: Prepared,
    /// What a trial showed; `None` when there was no need of one.
    pub(super) tried: Option<Tried>,
}

impl Run<'_> {
    /// The model with its sets and functions in parts, and with instances of operations that touch only some of them,
    /// where a trial shows that more steps can be left out than between whole operations; with the analysis of whichever
    /// is better. Under symmetry the model stays as it is.
    pub(in super::super) fn analyse(
        &self,
        whole: Arc<dyn Ground>,
        labels: &[Asked],
        symmetry: &Symmetry,
        por: Decided,
        hooks: &Hooks<'_>,
    ) -> Result<Analysed, Ended> {
        let config = self.config(labels, &Symmetry::off());
        let prepare = |ground: &dyn Ground| {
            let checks = in_system(&config.checks, ground);
            Prepared::new(self.subject, ground, &checks, por, self.options)
        };
        let trial = |prepared: &Prepared, ground: &dyn Ground| {
            let visibility = &prepared.related.visibility;
            prepared.trial(ground, visibility, &config, &Watch(hooks))
        };
        let mut prepared = prepare(&*whole);
        if !matches!(symmetry.action, Action::Off) {
            return Ok(Analysed {
                ground: whole,
                prepared: prepared.of_permuted(),
                tried: None,
            });
        }
        let tried = trial(&prepared, &*whole);
        let shape = whole.system().shape();
        let tried = prepared.try_searched(shape, tried, |prepared| trial(prepared, &*whole));
        let (mut most, mut slots) = (tried.per_state(), whole.system().shape().slots.len());
        let mut best = Analysed {
            ground: whole,
            prepared,
            tried: Some(tried),
        };
        for parts in [Parts::Worth, Parts::Everything] {
            let form = Form {
                guards: true,
                parts,
                counts: true,
                ..self.form()
            };
            let Some(ground) = self.subject.ground(&form)? else {
                continue;
            };
            let shape = ground.system().shape();
            if shape.slots.len() == slots || !is_handy(shape) {
                continue;
            }
            slots = shape.slots.len();
            let prepared = prepare(&*ground);
            let tried = trial(&prepared, &*ground);
            if is_worth_it(tried.per_state(), most) {
                most = tried.per_state();
                best = Analysed {
                    ground,
                    prepared,
                    tried: Some(tried),
                };
            }
        }
        Ok(best)
    }
}
