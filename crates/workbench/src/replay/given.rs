//! Checks the constants that a path holds, instead of looking for all that the properties allow.
//!
//! Invariant: a set-up is taken only when the judge says that it is one; where it gives up, all are looked for.

use subject::{Happening, Step, Value};
use verdict::format::Wanted;

use super::walk::Walk;
use super::wanted::{Said, What};
use crate::runnable::{Move, Place};

impl Walk<'_> {
    /// The set-up whose constants a step says, none when the properties refuse it; `None` when the step leaves constants
    /// open or the judge gives up.
    pub(super) fn given_setup(&self, step: &Said) -> Option<Vec<Move>> {
        let view = self.view;
        if view.is_reduced || step.what != What::Known(Happening::Setup) {
            return None;
        }
        let description = view.description();
        let mut values: Vec<Option<Value>> = vec![None; description.components.len()];
        for (name, wanted) in &step.state {
            let at = description.component_named(name)?;
            match wanted {
                Wanted::Value(value) if description.components[at.index()].is_constant => {
                    values[at.index()] = Some(value.clone());
                }
                Wanted::Value(_) | Wanted::Text(_) => return None,
            }
        }
        let vector = view.ground.setup(&values)?;
        let given = Step {
            happening: Happening::Setup,
            arguments: Vec::new(),
            results: Vec::new(),
            after: values,
        };
        let mut judge = view.referee();
        let beginning = judge.beginning();
        let mut after = judge.after(&beginning, &given);
        match judge.check(&beginning, &given, &mut after) {
            Ok(()) => Some(vec![Move {
                happening: Happening::Setup,
                arguments: Vec::new(),
                results: Vec::new(),
                to: Place::Setup(vector.into()),
            }]),
            Err(fault) if fault.kind.leaves_open() => None,
            Err(_) => Some(Vec::new()),
        }
    }
}
