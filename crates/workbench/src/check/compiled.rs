//! The compiled evaluator as a system whose numbers can be read back.

use std::time::{Duration, Instant};

use base::{Diagnostic, Diagnostics};
use model::{ExprId, Model, Value, VarId};
use model_compile::{Compiled, Options, Unsupported};
use pins::GroupId;

use super::decode::Decode;
use crate::choice::{Solver, Wd};
use crate::codes;

/// A compiled model.
pub(super) struct Program<'m> {
    model: &'m Model,
    /// The system.
    pub(super) system: Compiled,
}

/// Compiles a model; its labels are those of `labels::all`, in that order.
pub(super) fn compile<'m>(
    model: &'m Model,
    goal: Option<ExprId>,
    wanted: &crate::plan::Options,
) -> Result<Program<'m>, Diagnostics> {
    let options = Options {
        wd: match wanted.wd {
            Wd::Default => model_compile::Wd::Default,
            Wd::Strict => model_compile::Wd::Strict,
            Wd::Lenient => model_compile::Wd::Lenient,
        },
        goal,
        solver: match wanted.solver {
            Solver::Auto => model_compile::Solver::Auto,
            Solver::Propagate => model_compile::Solver::Propagate,
            Solver::Sat => model_compile::Solver::Sat,
        },
        deadline: wanted
            .max_time
            .and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
            .and_then(|time| Instant::now().checked_add(time)),
        ..Options::default()
    };
    match model_compile::compile(model, &options) {
        Ok(system) => Ok(Program { model, system }),
        Err(unsupported) => {
            let mut diagnostics = Diagnostics::new();
            diagnostics.extend(unsupported.iter().map(diagnostic));
            Err(diagnostics)
        }
    }
}

fn diagnostic(unsupported: &Unsupported) -> Diagnostic {
    let code = &codes::NOT_EXECUTABLE;
    match unsupported.span {
        Some(span) => Diagnostic::error(code, span, &unsupported.what),
        None => Diagnostic::global(code, &unsupported.what),
    }
}

impl Decode for Program<'_> {
    fn values(&self, vector: &[u32]) -> Vec<Option<Value>> {
        let variables = (0..self.model.variables.len()).map(VarId::new);
        variables
            .map(|variable| self.system.value(vector, variable))
            .collect()
    }

    fn constants(&self, vector: &[u32]) -> Vec<Option<Value>> {
        let variables = self.model.variables.iter();
        variables
            .map(|(id, variable)| {
                // The slots of variables hold nothing yet.
                let known = variable.is_constant.then_some(id);
                known.and_then(|id| self.system.value(vector, id))
            })
            .collect()
    }

    fn action(&self, group: GroupId) -> usize {
        group.index()
    }

    fn words(&self, group: GroupId, words: &[u32]) -> (Vec<Option<Value>>, Vec<Option<Value>>) {
        self.system.arguments(group, words)
    }

    fn variable(&self, slot: usize) -> usize {
        slot
    }
}
