//! The compiled evaluator as a ground: the model as a whole, or with its sets and functions in parts.

use std::any::Any;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use base::{Diagnostic, Diagnostics};
use model::sorts::SortSymmetry;
use model::{Assertion, Conjunct, ExprId, Model, Tys, Value as Inner, VarId};
use model_compile::split::{self, Splitting};
use model_compile::{Compiled, Options, Setups, Unsupported};
use pins::{Flow, GroupId, LabelId, System};
use subject::codes::NOT_EXECUTABLE;
use subject::{ComponentId, EventId, Form, Ground, Parts, Profile, Solver, Value, Wd};

use crate::questions::Kept;
use crate::statics::Pins;
use crate::value::{unwrap_all, wrap_all};

/// A compiled model.
pub(crate) struct Program {
    /// The model that the components are those of.
    pub(crate) model: Arc<Model>,
    tys: Arc<Tys>,
    /// The system.
    pub(crate) system: Compiled,
    /// How the model was taken apart, if it was.
    splitting: Option<Splitting>,
    /// The values of the constants, when they can have only these; found when they are asked for.
    only_setup: OnceLock<Option<Vec<Option<Inner>>>>,
    /// What was compiled for questions about its states.
    pub(crate) questions: Kept<model_compile::Questions>,
}

/// The goal as an expression of the model.
pub(crate) type Goal = Option<ExprId>;

/// Compiles a model in a form; `None` when it wants parts and there is nothing to gain.
pub(crate) fn compile(
    (model, known): (&Arc<Model>, &Known),
    (labels, goal): (&[ExprId], Goal),
    form: &Form<'_>,
) -> Result<Option<Program>, Diagnostics> {
    let labelled = (!labels.is_empty()).then(|| Arc::new(with_labels(model, labels)));
    let model = labelled.as_ref().unwrap_or(model);
    let pinned = form
        .statics
        .and_then(|statics| statics.found.downcast_ref::<Pins>())
        .and_then(|pins| pins.pinned(model));
    let pinned = pinned.map(Arc::new);
    let base = pinned.as_ref().unwrap_or(model);
    // Where values are pinned there are fewer set-ups.
    let known = match pinned {
        Some(_) => Setups::default(),
        None => known.by(form.wd),
    };
    let whole_options = Options {
        guards: form.guards,
        profile: form.profile,
        ..options(goal, form.wd, form.solver)
    };
    let tys = Arc::new(model.tys.clone());
    let program = |system: Compiled, splitting: Option<Splitting>| Program {
        model: model.clone(),
        tys: tys.clone(),
        system,
        splitting,
        only_setup: OnceLock::new(),
        questions: Kept::default(),
    };
    let sorts = form
        .symmetry
        .and_then(|symmetry| symmetry.found::<Vec<SortSymmetry>>());
    if form.parts == Parts::Whole {
        let mut system = translate(base, &whole_options)?;
        system.share_setups(&known);
        if let Some(sorts) = sorts {
            system = system.with_symmetry(model, sorts);
        }
        return Ok(Some(program(system, None)));
    }
    let mut whole = program(translate(base, &whole_options)?, None);
    whole.system.share_setups(&known);
    let choice = split::Options {
        everything: form.parts == Parts::Everything,
        constants: whole.only_setup().unwrap_or_default(),
        lift_choices: !form.counts,
    };
    let Some(splitting) = split::split(model, goal, &choice) else {
        return Ok(None);
    };
    let options = Options {
        guards: form.guards,
        ..options(splitting.goal, form.wd, form.solver)
    };
    let mut system = translate(&splitting.model, &options)?;
    system.share_setups(&known);
    if let Some(sorts) = sorts {
        system = system.with_symmetry_in_parts(&splitting, sorts);
    }
    Ok(Some(program(system, Some(splitting))))
}

/// What is known of the constants: with other manners of definedness there may be other set-ups.
#[derive(Default)]
pub(crate) struct Known(Mutex<Vec<(Wd, Setups)>>);

impl Known {
    fn by(&self, wd: Wd) -> Setups {
        let mut all = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, known)) = all.iter().find(|(manner, _)| *manner == wd) {
            return known.clone();
        }
        let fresh = Setups::default();
        all.push((wd, fresh.clone()));
        fresh
    }
}

/// The model with further predicates as assertions.
fn with_labels(model: &Model, labels: &[ExprId]) -> Model {
    let mut model = model.clone();
    for predicate in labels {
        let conjunct = Conjunct {
            predicate: *predicate,
            label: None,
            span: model.exprs[*predicate].span,
        };
        model.assertions.push(Assertion {
            conjunct,
            is_static: false,
        });
    }
    model
}

/// How a model is compiled.
fn options(goal: Goal, wd: Wd, solver: Solver) -> Options {
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

/// The back end of a word.
pub(crate) fn back_end(solver: Solver) -> model_compile::Solver {
    match solver {
        Solver::Auto => model_compile::Solver::Auto,
        Solver::Propagate => model_compile::Solver::Propagate,
        Solver::Sat => model_compile::Solver::Sat,
    }
}

/// Compiles a model; what cannot be compiled is a diagnostic.
fn translate(model: &Model, options: &Options) -> Result<Compiled, Diagnostics> {
    model_compile::compile(model, options).map_err(|unsupported| {
        let mut diagnostics = Diagnostics::new();
        diagnostics.extend(unsupported.iter().map(diagnostic));
        diagnostics
    })
}

fn diagnostic(unsupported: &Unsupported) -> Diagnostic {
    match unsupported.span {
        Some(span) => Diagnostic::error(&NOT_EXECUTABLE, span, &unsupported.what),
        None => Diagnostic::global(&NOT_EXECUTABLE, &unsupported.what),
    }
}

impl Program {
    /// Whether each component has one slot.
    pub(crate) fn is_whole(&self) -> bool {
        self.splitting.is_none()
    }

    /// The model that the system was compiled from.
    pub(crate) fn compiled_model(&self) -> &Model {
        match &self.splitting {
            Some(splitting) => &splitting.model,
            None => &self.model,
        }
    }

    /// The values of the constants, when they can have only these.
    fn only_setup(&self) -> Option<&[Option<Inner>]> {
        let found = self.only_setup.get_or_init(|| self.find_only_setup());
        found.as_deref()
    }

    fn find_only_setup(&self) -> Option<Vec<Option<Inner>>> {
        let mut found = Vec::new();
        let answer = self.system.worker().setups(&mut |setup| {
            found.push(setup.to_vec());
            if found.len() > 1 {
                return Flow::Stop;
            }
            Flow::Continue
        });
        match (answer, &found[..]) {
            (Ok(()), [only]) => Some(self.inner_constants(only)),
            _ => None,
        }
    }

    fn inner_value(&self, vector: &[u32], variable: VarId) -> Option<Inner> {
        match &self.splitting {
            None => self.system.value(vector, variable),
            Some(splitting) => splitting.value(variable, |part| self.system.value(vector, part)),
        }
    }

    /// The components of a state.
    pub(crate) fn inner_values(&self, vector: &[u32]) -> Vec<Option<Inner>> {
        let variables = (0..self.model.variables.len()).map(VarId::new);
        variables
            .map(|variable| self.inner_value(vector, variable))
            .collect()
    }

    /// The components of a set-up: the slots of variables hold nothing yet.
    pub(crate) fn inner_constants(&self, vector: &[u32]) -> Vec<Option<Inner>> {
        let variables = self.model.variables.iter();
        variables
            .map(|(id, variable)| {
                let known = variable.is_constant.then_some(id);
                known.and_then(|id| self.inner_value(vector, id))
            })
            .collect()
    }
}

impl Ground for Program {
    fn system(&self) -> &dyn System {
        &self.system
    }

    fn values(&self, state: &[u32]) -> Vec<Option<Value>> {
        wrap_all(&self.tys, self.inner_values(state))
    }

    fn constants(&self, setup: &[u32]) -> Vec<Option<Value>> {
        wrap_all(&self.tys, self.inner_constants(setup))
    }

    fn setup(&self, components: &[Option<Value>]) -> Option<Vec<u32>> {
        match self.is_whole() {
            true => self.system.encode_setup(&unwrap_all(components)),
            false => None,
        }
    }

    fn state(&self, components: &[Option<Value>]) -> Option<Vec<u32>> {
        let values: Option<Vec<Inner>> = unwrap_all(components).into_iter().collect();
        match self.is_whole() {
            true => values.map(|values| self.system.encode(&values)),
            false => None,
        }
    }

    fn event(&self, group: GroupId) -> EventId {
        EventId::new(match &self.splitting {
            Some(splitting) => splitting.actions[group.index()],
            None => group.index(),
        })
    }

    fn words(&self, group: GroupId, words: &[u32]) -> (Vec<Option<Value>>, Vec<Option<Value>>) {
        let (arguments, results) = self.system.arguments(group, words);
        (wrap_all(&self.tys, arguments), wrap_all(&self.tys, results))
    }

    fn profile(&self, group: GroupId) -> Option<Profile> {
        self.system.profile(group, self.compiled_model())
    }

    fn component(&self, slot: usize) -> ComponentId {
        ComponentId::new(match &self.splitting {
            Some(splitting) => splitting.variable(VarId::new(slot)).index(),
            None => slot,
        })
    }

    fn label(&self, label: LabelId) -> LabelId {
        match &self.splitting {
            Some(splitting) => LabelId::new(splitting.labels[label.index()]),
            None => label,
        }
    }

    fn split(&self) -> usize {
        self.splitting.as_ref().map_or(0, Splitting::count)
    }

    fn blocked(&self) -> Vec<u64> {
        self.system.blocked()
    }

    fn solvers(&self) -> Vec<&'static str> {
        match &self.splitting {
            Some(_) => Vec::new(),
            None => self.system.layers(),
        }
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
