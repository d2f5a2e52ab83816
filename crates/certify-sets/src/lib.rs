//! The meaning of set theory for the check of certificates: states are values of constants and variables, evaluated by the
//! reference evaluator.
//!
//! Invariant: depends on the reference evaluator and on none of the engines, reductions or the compiled evaluator.
//! Trusted: `model::sorts`, which tells from the text which elements are interchangeable.

mod mentions;

use certify::{Definedness, Emit, Evaluator, Part, Rejected, Semantics, Told};
use model::{ExprId, LocalId, Model, Value, VarId, sorts};
use model_interp::{Interp, Options, State, Stop, Transition, Wd};

use crate::mentions::Mentions;

/// How long one question may take: about a minute of work.
const BUDGET: u64 = 100_000_000;

/// A model of set theory.
pub struct Sets<'m> {
    model: &'m Model,
    labels: &'m [ExprId],
    asked: Asked,
}

/// What formulas ask.
#[derive(Clone, Debug, Default)]
pub struct Asked {
    /// Predicates of states.
    pub states: Vec<ExprId>,
    /// Atoms about steps.
    pub steps: Vec<StepAtom>,
    /// Whether steps are asked for their names: the action with its arguments and results.
    pub names: bool,
}

/// What a formula asks of a step.
#[derive(Clone, Debug)]
pub enum StepAtom {
    /// It is one of an action whose arguments, by their positions, satisfy predicates over a name.
    Taken(usize, Vec<(usize, ExprId, LocalId)>),
    /// A predicate of the state after it; the names stand for values of these expressions before it.
    After(ExprId, Vec<(LocalId, Before)>),
}

/// A value before a step.
#[derive(Clone, Copy, Debug)]
pub enum Before {
    /// Of an expression.
    Value(ExprId),
    /// Of a variable.
    Variable(VarId),
}

impl<'m> Sets<'m> {
    /// A model, with the predicates that claims speak of, and what formulas ask.
    pub fn new(model: &'m Model, labels: &'m [ExprId], asked: Asked) -> Sets<'m> {
        Sets {
            model,
            labels,
            asked,
        }
    }

    /// The predicate of a label.
    fn label(&self, label: u32) -> ExprId {
        let label = label as usize;
        let own = self.labels.get(label);
        own.copied()
            .unwrap_or_else(|| self.asked.states[label - self.labels.len()])
    }
}

impl Semantics for Sets<'_> {
    type Value = Value;

    fn fits(&self, components: usize) -> bool {
        components == self.model.variables.len()
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
            Part::Label(label) => mentions.exprs.push(self.label(label)),
            Part::Action(at) => {
                let action = &self.model.actions[at];
                mentions.exprs.extend(&action.guard);
                mentions.stmts.push(action.body);
                for atom in &self.asked.steps {
                    match atom {
                        StepAtom::Taken(of, arguments) if *of == at => {
                            mentions
                                .exprs
                                .extend(arguments.iter().map(|(_, is, _)| *is));
                        }
                        StepAtom::Taken(..) => {}
                        StepAtom::After(is, before) => {
                            mentions.exprs.push(*is);
                            for (_, before) in before {
                                match before {
                                    Before::Value(value) => mentions.exprs.push(*value),
                                    Before::Variable(variable) => {
                                        mentions.variables.push(variable.index());
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
        mentions.of(self.model)
    }

    fn read(&self, component: usize, text: &str) -> Option<Value> {
        let ty = self.model.variables[VarId::new(component)].ty;
        Value::read(&self.model.tys, ty, text)
    }

    fn classes(&self) -> Vec<Vec<u32>> {
        let classes = |goal: Option<ExprId>| -> Vec<Vec<u32>> {
            let sorts = sorts::analyse(self.model, goal);
            sorts.into_iter().map(|sort| sort.classes).collect()
        };
        let mut all = classes(None);
        let mut asked = self.asked.states.clone();
        // Where a step leads is exchanged with something: before and after cannot be compared, nor names of steps.
        let mut is_lost = self.asked.names;
        for atom in &self.asked.steps {
            match atom {
                StepAtom::Taken(_, arguments) => {
                    asked.extend(arguments.iter().map(|(_, is, _)| *is))
                }
                StepAtom::After(..) => is_lost = true,
            }
        }
        if is_lost {
            let size = |classes: &Vec<u32>| 0..classes.len() as u32;
            return all.iter().map(|classes| size(classes).collect()).collect();
        }
        for goal in asked {
            for (all, finer) in all.iter_mut().zip(classes(Some(goal))) {
                let pairs: Vec<(u32, u32)> = all.iter().copied().zip(finer).collect();
                let first = |pair: &(u32, u32)| pairs.iter().position(|other| other == pair);
                *all = pairs
                    .iter()
                    .filter_map(|pair| Some(first(pair)? as u32))
                    .collect();
            }
        }
        all
    }

    fn permute(&self, _component: usize, value: &Value, permutation: &[Vec<u32>]) -> Value {
        exchanged(value, permutation)
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
            sets: self,
            interp: Interp::new(self.model, options),
        })
    }
}

struct Reference<'m> {
    sets: &'m Sets<'m>,
    interp: Interp<'m>,
}

impl Reference<'_> {
    /// What was cut on the way.
    fn cuts(&mut self) -> Vec<String> {
        let cuts = self.interp.take_notes().cuts.into_iter();
        cuts.map(|(_, why)| why).collect()
    }

    /// Nothing was cut on the way: what was not looked at could be anything.
    fn saw_all(&mut self) -> Result<(), Rejected> {
        match self.cuts().into_iter().next() {
            Some(why) => Err(Rejected::NoAnswer(why, None)),
            None => Ok(()),
        }
    }

    fn label(&mut self, label: u32, state: &State) -> Result<bool, Rejected> {
        let truth = self.interp.holds(self.sets.label(label), state);
        let truth = truth.map_err(no_answer)?;
        self.saw_all().map(|()| truth)
    }

    /// Whether a predicate over names holds.
    fn holds_where(
        &mut self,
        is: ExprId,
        state: &State,
        names: &[(LocalId, Value)],
    ) -> Result<bool, Rejected> {
        let answer = self.interp.eval_where(is, state, names);
        Ok(answer.map_err(no_answer)? == Value::Bool(true))
    }

    /// What formulas ask of a step.
    fn told(&mut self, action: usize, state: &State, step: &Transition) -> Result<Told, Rejected> {
        let sets = self.sets;
        let name = || format!("{action} {:?} {:?}", step.arguments, step.results).into();
        let mut marks = 0;
        for (at, atom) in sets.asked.steps.iter().enumerate() {
            let mut holds = true;
            match atom {
                StepAtom::Taken(of, arguments) => {
                    holds = *of == action;
                    for (position, is, name) in arguments.iter().filter(|_| *of == action) {
                        let argument = (*name, step.arguments[*position].clone());
                        holds &= self.holds_where(*is, state, &[argument])?;
                    }
                }
                StepAtom::After(is, before) => {
                    let mut names = Vec::new();
                    for (name, before) in before {
                        let value = match before {
                            Before::Value(value) => {
                                self.interp.eval(*value, state).map_err(no_answer)?
                            }
                            Before::Variable(variable) => plain(state)?[variable.index()].clone(),
                        };
                        names.push((*name, value));
                    }
                    holds &= self.holds_where(*is, &step.target, &names)?;
                }
            }
            marks |= u64::from(holds) << at;
        }
        Ok(Told {
            marks,
            name: sets.asked.names.then(name),
        })
    }
}

impl Evaluator<Value> for Reference<'_> {
    fn starts(
        &mut self,
        setup_labels: &[u32],
        emit: &mut dyn FnMut(&[Value]) -> Result<(), Rejected>,
    ) -> Result<Vec<String>, Rejected> {
        let setups = self.interp.setups(usize::MAX).map_err(no_answer)?;
        let mut cuts = self.cuts();
        for setup in setups {
            for label in setup_labels {
                if !self.label(*label, &setup)? {
                    return Err(Rejected::False(*label, None));
                }
            }
            let found = self.interp.initial_states(&setup, usize::MAX);
            let (states, stop) = found.map_err(no_answer)?;
            if let Some(stop) = stop {
                return Err(no_answer(stop));
            }
            cuts.extend(self.cuts());
            for state in &states {
                emit(&plain(state)?)?;
            }
        }
        cuts.sort_unstable();
        cuts.dedup();
        Ok(cuts)
    }

    fn steps(
        &mut self,
        action: usize,
        state: &[Value],
        emit: Emit<'_, Value>,
    ) -> Result<(), Rejected> {
        let state = State::new(state.iter().cloned().map(Some).collect());
        let found = self.interp.transitions(action, &state);
        let (steps, stop) = found.map_err(no_answer)?;
        if let Some(stop) = stop {
            return Err(no_answer(stop));
        }
        for step in &steps {
            let told = self.told(action, &state, step)?;
            emit(&plain(&step.target)?, told)?;
        }
        self.saw_all()
    }

    fn holds(&mut self, label: u32, state: &[Value]) -> Result<bool, Rejected> {
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

/// A value with elements exchanged: for each set the image of each of its elements.
fn exchanged(value: &Value, permutation: &[Vec<u32>]) -> Value {
    let permute = |value: &Value| exchanged(value, permutation);
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
