//! The compiled evaluator as a system whose numbers can be read back.

use std::sync::OnceLock;

use base::{Diagnostic, Diagnostics};
use model::{ExprId, Model, Value, VarId};
use model_compile::{Compiled, Options, Unsupported};
use pins::{Flow, GroupId, System as _};

use super::decode::{Decode, Numbered};
use crate::choice::{Solver, Wd};
use crate::codes;

/// A compiled model.
pub(crate) struct Program<'m> {
    model: &'m Model,
    /// The system.
    pub(crate) system: Compiled,
    /// The values of the constants, when they can have only these; found when they are asked for.
    only_setup: OnceLock<Option<Vec<Option<Value>>>>,
}

/// Compiles a model; its labels are those of `labels::all`, in that order.
pub(crate) fn compile(
    model: &Model,
    goal: Option<ExprId>,
    wd: Wd,
    solver: Solver,
) -> Result<Program<'_>, Diagnostics> {
    let system = system(model, goal, wd, solver)?;
    Ok(Program::new(model, system))
}

/// The same, with guards that can be asked one by one.
pub(crate) fn with_guards(
    model: &Model,
    goal: Option<ExprId>,
    wd: Wd,
    solver: Solver,
) -> Result<Program<'_>, Diagnostics> {
    let options = Options {
        guards: true,
        ..options(goal, wd, solver)
    };
    let system = translate(model, &options)?;
    Ok(Program::new(model, system))
}

/// The system alone.
pub(crate) fn system(
    model: &Model,
    goal: Option<ExprId>,
    wd: Wd,
    solver: Solver,
) -> Result<Compiled, Diagnostics> {
    translate(model, &options(goal, wd, solver))
}

/// How a model is compiled.
pub(crate) fn options(goal: Option<ExprId>, wd: Wd, solver: Solver) -> Options {
    Options {
        wd: match wd {
            Wd::Default => model_compile::Wd::Default,
            Wd::Strict => model_compile::Wd::Strict,
            Wd::Lenient => model_compile::Wd::Lenient,
        },
        goal,
        solver: back_end(solver),
        ..Options::default()
    }
}

/// Compiles a model; what cannot be compiled is a diagnostic.
pub(crate) fn translate(model: &Model, options: &Options) -> Result<Compiled, Diagnostics> {
    model_compile::compile(model, options).map_err(|unsupported| {
        let mut diagnostics = Diagnostics::new();
        diagnostics.extend(unsupported.iter().map(diagnostic));
        diagnostics
    })
}

/// The components of a state in the order of the model; `None` for one without plain value.
pub(crate) fn values(model: &Model, system: &Compiled, vector: &[u32]) -> Vec<Option<Value>> {
    let variables = (0..model.variables.len()).map(VarId::new);
    variables
        .map(|variable| system.value(vector, variable))
        .collect()
}

/// The components of a set-up: the slots of variables hold nothing yet.
pub(crate) fn constants(model: &Model, system: &Compiled, vector: &[u32]) -> Vec<Option<Value>> {
    let variables = model.variables.iter();
    variables
        .map(|(id, variable)| {
            let known = variable.is_constant.then_some(id);
            known.and_then(|id| system.value(vector, id))
        })
        .collect()
}

/// The back end of a word.
pub(crate) fn back_end(solver: Solver) -> model_compile::Solver {
    match solver {
        Solver::Auto => model_compile::Solver::Auto,
        Solver::Propagate => model_compile::Solver::Propagate,
        Solver::Sat => model_compile::Solver::Sat,
    }
}

fn diagnostic(unsupported: &Unsupported) -> Diagnostic {
    let code = &codes::NOT_EXECUTABLE;
    match unsupported.span {
        Some(span) => Diagnostic::error(code, span, &unsupported.what),
        None => Diagnostic::global(code, &unsupported.what),
    }
}

impl<'m> Program<'m> {
    fn new(model: &'m Model, system: Compiled) -> Program<'m> {
        Program {
            model,
            system,
            only_setup: OnceLock::new(),
        }
    }

    /// The values of the constants, when they can have only these.
    pub(super) fn only_setup(&self) -> Option<&[Option<Value>]> {
        let found = self.only_setup.get_or_init(|| self.find_only_setup());
        found.as_deref()
    }

    fn find_only_setup(&self) -> Option<Vec<Option<Value>>> {
        let mut found = Vec::new();
        let answer = self.system.worker().setups(&mut |setup| {
            found.push(setup.to_vec());
            if found.len() > 1 {
                return Flow::Stop;
            }
            Flow::Continue
        });
        match (answer, &found[..]) {
            (Ok(()), [only]) => {
                let mut values = self.constants(only);
                values.truncate(self.model.variables.len());
                Some(values)
            }
            _ => None,
        }
    }

    /// The system with what its numbers mean.
    pub(super) fn numbered(&self) -> Numbered<'_> {
        (&self.system, self)
    }
}

impl Decode for Program<'_> {
    fn values(&self, vector: &[u32]) -> Vec<Option<Value>> {
        values(self.model, &self.system, vector)
    }

    fn constants(&self, vector: &[u32]) -> Vec<Option<Value>> {
        constants(self.model, &self.system, vector)
    }

    fn action(&self, group: GroupId) -> usize {
        group.index()
    }

    fn words(&self, group: GroupId, words: &[u32]) -> (Vec<Option<Value>>, Vec<Option<Value>>) {
        self.system.arguments(group, words)
    }

    fn layers(&self) -> Vec<&'static str> {
        self.system.layers()
    }

    fn conflict(&self) -> Option<model_compile::Conflict> {
        self.system.conflict(self.model)
    }

    fn variable(&self, slot: usize) -> usize {
        slot
    }
}
