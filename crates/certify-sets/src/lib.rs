//! The meaning of set theory for the check of certificates: states are values of constants and variables, evaluated by the
//! reference evaluator.
//!
//! Invariant: depends on the reference evaluator and on none of the engines, reductions or the compiled evaluator.
//! Trusted: `model::sorts`, which tells from the text which elements are interchangeable.

mod mentions;

use certify::{Definedness, Evaluator, Part, Rejected, Semantics};
use model::{ExprId, Model, Value, VarId, sorts};
use model_interp::{Interp, Options, State, Stop, Wd};

use crate::mentions::Mentions;

/// How long one question may take: about a minute of work.
const BUDGET: u64 = 100_000_000;

/// A model of set theory.
pub struct Sets<'m> {
    model: &'m Model,
    labels: &'m [ExprId],
}

impl<'m> Sets<'m> {
    /// A model, with the predicates that claims speak of.
    pub fn new(model: &'m Model, labels: &'m [ExprId]) -> Sets<'m> {
        Sets { model, labels }
    }
}

impl Semantics for Sets<'_> {
    type Value = Value;

    fn text(&self) -> String {
        model::text::model(self.model)
    }

    fn components(&self) -> usize {
        self.model.variables.len()
    }

    fn labels(&self) -> usize {
        self.labels.len()
    }

    fn actions(&self) -> usize {
        self.model.actions.len()
    }

    fn mentions(&self, part: Part) -> Vec<usize> {
        let mut mentions = Mentions::default();
        match part {
            Part::Label(label) => mentions.exprs.push(self.labels[label as usize]),
            Part::Action(action) => {
                let action = &self.model.actions[action];
                mentions.exprs.extend(&action.guard);
                mentions.stmts.push(action.body);
            }
        }
        mentions.of(self.model)
    }

    fn read(&self, component: usize, text: &str) -> Option<Value> {
        let ty = self.model.variables[VarId::new(component)].ty;
        Value::read(&self.model.tys, ty, text)
    }

    fn classes(&self) -> Vec<Vec<u32>> {
        let sorts = sorts::analyse(self.model, None);
        sorts.into_iter().map(|sort| sort.classes).collect()
    }

    fn permute(&self, value: &Value, permutation: &[Vec<u32>]) -> Value {
        let permute = |value: &Value| self.permute(value, permutation);
        match value {
            Value::Bool(_) | Value::Int(_) | Value::Real(_) | Value::Str(_) => value.clone(),
            Value::Element(sort, element) => {
                let images = permutation.get(sort.index());
                let image = images.and_then(|images| images.get(*element as usize));
                Value::Element(*sort, image.copied().unwrap_or(*element))
            }
            Value::Pair(pair) => Value::pair(permute(&pair.0), permute(&pair.1)),
            Value::Set(elements) => Value::set(elements.iter().map(permute).collect()),
            Value::Record(fields) => {
                let fields = fields.iter();
                Value::Record(
                    fields
                        .map(|(name, value)| (*name, permute(value)))
                        .collect(),
                )
            }
            Value::Free(free, constructor, argument) => {
                let argument = argument.as_ref().map(|value| permute(value).into());
                Value::Free(*free, *constructor, argument)
            }
        }
    }

    fn evaluator(&self, wd: Definedness) -> Box<dyn Evaluator<Value> + '_> {
        let options = Options {
            wd: match wd {
                Definedness::Default => Wd::Default,
                Definedness::Strict => Wd::Strict,
            },
            budget: BUDGET,
        };
        Box::new(Reference {
            labels: self.labels,
            interp: Interp::new(self.model, options),
        })
    }
}

struct Reference<'m> {
    labels: &'m [ExprId],
    interp: Interp<'m>,
}

impl Reference<'_> {
    /// Nothing was cut on the way: what was not looked at could be anything.
    fn saw_all(&mut self) -> Result<(), Rejected> {
        match self.interp.take_notes().cuts.into_iter().next() {
            Some((_, why)) => Err(Rejected::NoAnswer(why, None)),
            None => Ok(()),
        }
    }

    fn label(&mut self, label: u32, state: &State) -> Result<(), Rejected> {
        let truth = self.interp.holds(self.labels[label as usize], state);
        match truth.map_err(no_answer)? {
            true => self.saw_all(),
            false => Err(Rejected::False(label, None)),
        }
    }
}

impl Evaluator<Value> for Reference<'_> {
    fn starts(
        &mut self,
        setup_labels: &[u32],
        emit: &mut dyn FnMut(&[Value]) -> Result<(), Rejected>,
    ) -> Result<(), Rejected> {
        for setup in self.interp.setups(usize::MAX).map_err(no_answer)? {
            for label in setup_labels {
                self.label(*label, &setup)?;
            }
            let found = self.interp.initial_states(&setup, usize::MAX);
            let (states, stop) = found.map_err(no_answer)?;
            if let Some(stop) = stop {
                return Err(no_answer(stop));
            }
            for state in &states {
                emit(&plain(state)?)?;
            }
        }
        self.saw_all()
    }

    fn steps(
        &mut self,
        action: usize,
        state: &[Value],
        emit: &mut dyn FnMut(&[Value]) -> Result<(), Rejected>,
    ) -> Result<(), Rejected> {
        let state = State::new(state.iter().cloned().map(Some).collect());
        let found = self.interp.transitions(action, &state);
        let (steps, stop) = found.map_err(no_answer)?;
        if let Some(stop) = stop {
            return Err(no_answer(stop));
        }
        for step in &steps {
            emit(&plain(&step.target)?)?;
        }
        self.saw_all()
    }

    fn holds(&mut self, label: u32, state: &[Value]) -> Result<(), Rejected> {
        let state = State::new(state.iter().cloned().map(Some).collect());
        self.label(label, &state)
    }
}

fn no_answer(stop: Stop) -> Rejected {
    Rejected::NoAnswer(stop.reason, None)
}

/// The values of a state, which has one for everything.
fn plain(state: &State) -> Result<Vec<Value>, Rejected> {
    let values: Option<Vec<Value>> = state.values().iter().cloned().collect();
    let why = "a constant or variable is an infinite set, or has no value";
    values.ok_or_else(|| Rejected::NoAnswer(why.to_owned(), None))
}
