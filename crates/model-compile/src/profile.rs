//! Counts what the guards of operations do at run time, step by step, for `analyse --plan`.
//!
//! Technique: a plan that is watched has a test after each of its steps that always holds and counts how often it was
//! reached. Other plans are as they were, so nothing is paid for it elsewhere. Plans inside of formulas are not watched: what
//! they cost is part of the step that asks them.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use model::{ExprId, Model};
use pins::{Profile, ProfileStep};

use crate::code::f;
use crate::plan::{Step, Unknown};

/// A step as it was planned.
#[derive(Clone, Debug)]
pub(crate) struct Planned {
    /// The unknowns that it gives values to; none for a test.
    pub binds: Vec<Unknown>,
    /// The conjuncts that hold after it.
    pub conjuncts: Vec<ExprId>,
}

/// A plan that is watched.
#[derive(Debug, Default)]
pub(crate) struct Watched {
    steps: Vec<Planned>,
    begun: AtomicU64,
    passed: Vec<AtomicU64>,
}

impl Watched {
    /// The steps of a plan with what counts between them.
    pub(crate) fn weave(planned: Vec<Planned>, steps: Vec<Step>) -> (Arc<Watched>, Vec<Step>) {
        let watched = Arc::new(Watched {
            passed: planned.iter().map(|_| AtomicU64::new(0)).collect(),
            steps: planned,
            begun: AtomicU64::new(0),
        });
        let begun = watched.clone();
        let mut woven = vec![Step::Test(f(move |_| {
            begun.begun.fetch_add(1, Relaxed);
            Ok(true)
        }))];
        for (number, step) in steps.into_iter().enumerate() {
            let passing = watched.clone();
            woven.push(step);
            woven.push(Step::Test(f(move |_| {
                passing.passed[number].fetch_add(1, Relaxed);
                Ok(true)
            })));
        }
        (watched, woven)
    }

    /// What it has counted.
    pub(crate) fn profile(&self, model: &Model) -> Profile {
        let name = |unknown: &Unknown| match unknown {
            Unknown::Local(local) => model.locals[*local].name.to_string(),
            Unknown::Slot(slot) => model.variables[model::VarId::new(*slot)].name.to_string(),
        };
        let steps = self.steps.iter().zip(&self.passed);
        Profile {
            asked: self.begun.load(Relaxed),
            steps: steps
                .map(|(step, passed)| ProfileStep {
                    binds: step.binds.iter().map(name).collect(),
                    conditions: step
                        .conjuncts
                        .iter()
                        .map(|expr| model::text::formula(model, *expr))
                        .collect(),
                    passed: passed.load(Relaxed),
                })
                .collect(),
        }
    }
}
