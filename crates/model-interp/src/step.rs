//! Set-ups, initial states and steps: enumerated, or checked when they are given.
//!
//! Checking never enumerates what is given: arguments and constants are bound, choices that end in a target
//! take their value from the state to be reached; only if that fails are all outcomes looked at.

use base::Name;
use model::{Target, Value, VarId};

use crate::env::{Env, State};
use crate::run::{Writes, after};
use crate::search::{Item, Plan, Undefined};
use crate::set::V;
use crate::stop::{Run, Stop};
use crate::total::conjuncts;
use crate::{Flow, Interp, Wd};

/// A transition of an action.
#[derive(Clone, Debug)]
pub struct Transition {
    /// The values of the parameters.
    pub arguments: Vec<Value>,
    /// The values of the results; `None` for one that the body does not assign.
    pub results: Vec<Option<Value>>,
    /// The state after it.
    pub target: State,
}

impl Interp<'_> {
    /// From now on, what has no value is not known instead of undefined: a state was met whose infinite sets are not known.
    pub fn hide(&mut self) {
        self.hides = true;
    }

    /// The solutions of the constants, at most `limit`; variables have no value in them.
    pub fn setups(&mut self, limit: usize) -> Result<Vec<State>, Stop> {
        self.setups_from(&State::empty(self.model), limit)
    }

    /// The solutions of the constants that agree with the given ones.
    pub fn setups_from(&mut self, known: &State, limit: usize) -> Result<Vec<State>, Stop> {
        self.begin();
        let found = match (self.solve_constants(known, limit), &self.unknown) {
            // One that may satisfy the properties was passed over.
            (Ok(found), Some(stop)) if found.is_empty() => Err(stop.clone()),
            (found, _) => found,
        };
        found.inspect_err(|stop| {
            self.gave_up(stop.clone());
        })
    }

    fn solve_constants(&mut self, known: &State, limit: usize) -> Run<Vec<State>> {
        let model = self.model;
        let env = Env::of(known);
        let unknown: Vec<Target> = model
            .variables
            .iter()
            .filter(|(id, variable)| variable.is_constant && env.var(*id).is_none())
            .map(|(id, _)| Target::Var(id))
            .collect();
        let items = model
            .properties
            .iter()
            .flat_map(|property| conjuncts(model, property.predicate))
            .map(Item::Holds)
            .collect();
        let plan = Plan {
            undefined: match self.options.wd {
                Wd::Lenient => Undefined::Dropped,
                Wd::Default | Wd::Strict => Undefined::Fault,
            },
            ..Plan::PROPERTIES
        };
        let mut found: Vec<State> = Vec::new();
        if limit == 0 {
            return Ok(found);
        }
        let flow = self.search(&unknown, items, &env, plan, &mut |interp, env| {
            let mut vars = env.vars().to_vec();
            for value in vars.iter_mut().flatten() {
                *value = interp.stored(value.clone())?;
            }
            found.push(State::from_vars(&vars));
            Ok(if found.len() >= limit {
                Flow::Stop
            } else {
                Flow::Continue
            })
        })?;
        if flow == Flow::Continue {
            found.sort_by(|a, b| a.values().cmp(b.values()));
        }
        Ok(found)
    }

    /// The initial states of a set-up, at most `limit`, without repetition.
    pub fn initial(&mut self, setup: &State, limit: usize) -> Result<Vec<State>, Stop> {
        let (found, stop) = self.initial_states(setup, limit)?;
        stop.filter(|stop| !stop.is_open()).map_or(Ok(found), Err)
    }

    /// Like [`Interp::initial`]; a start that is none of the refined machine, or one that is unknown, is told beside
    /// the others.
    pub fn initial_states(
        &mut self,
        setup: &State,
        limit: usize,
    ) -> Result<(Vec<State>, Option<Stop>), Stop> {
        self.begin();
        let env = Env::of(setup);
        let mut found = Vec::new();
        let outcomes = self.outcomes(self.model.initialisation, &env);
        for writes in self.tolerated(outcomes)? {
            found.push(State::from_vars(after(&env, &writes).vars()));
        }
        found.sort_by(|a, b| a.values().cmp(b.values()));
        found.dedup_by(|a, b| a.same(b));
        found.truncate(limit);
        Ok((found, self.unrefined.take().or(self.unknown.take())))
    }

    /// The transitions of an action from a state, sorted, without repetition.
    pub fn successors(&mut self, action: usize, state: &State) -> Result<Vec<Transition>, Stop> {
        let (found, stop) = self.transitions(action, state)?;
        stop.filter(|stop| !stop.is_open()).map_or(Ok(found), Err)
    }

    /// Like [`Interp::successors`]; a step that is none of the refined machine, or one that is unknown, is told beside
    /// the others.
    pub fn transitions(
        &mut self,
        action: usize,
        state: &State,
    ) -> Result<(Vec<Transition>, Option<Stop>), Stop> {
        self.begin();
        self.lenient = self.options.wd == Wd::Lenient;
        let model = self.model;
        let action = &model.actions[action];
        let span = action.span;
        let unknown: Vec<Target> = action
            .parameters
            .iter()
            .map(|name| Target::Local(*name))
            .collect();
        let items = action
            .guard
            .iter()
            .flat_map(|guard| conjuncts(model, *guard))
            .map(Item::Holds)
            .collect();
        let mut found = Vec::new();
        let plan = self.guard_plan();
        let env = self.action_env(action, state);
        self.search(&unknown, items, &env, plan, &mut |interp, env| {
            let mut arguments = Vec::new();
            for name in &action.parameters {
                let Some(value) = env.local(*name).cloned() else {
                    continue;
                };
                match interp.force(&value) {
                    Ok(value) => arguments.push(value),
                    Err(stop) if stop.is_open() => {
                        interp.incomplete(stop.at(span));
                        return Ok(Flow::Continue);
                    }
                    Err(stop) => return Err(stop),
                }
            }
            let given = || -> Vec<(Name, String)> {
                let shown = arguments.iter().map(|value| value.told(&model.tys));
                let names = action.parameters.iter();
                names
                    .map(|name| model.locals[*name].name)
                    .zip(shown)
                    .collect()
            };
            let had_one = interp.unrefined.is_some();
            let outcomes = interp.outcomes(action.body, env);
            let outcomes = outcomes.map_err(|stop| stop.depending_on(given()));
            let outcomes = interp.tolerated(outcomes)?;
            if !had_one && let Some(stop) = interp.unrefined.take() {
                interp.unrefined = Some(stop.depending_on(given()));
            }
            for writes in outcomes {
                let made = interp.transition(action, &arguments, env, &writes);
                match made {
                    Ok(transition) => found.push(transition),
                    Err(stop) if interp.lenient && stop.is_fault() => interp.notes.dropped(stop),
                    // A step with a result that cannot be listed is not told.
                    Err(stop) if stop.is_open() => interp.incomplete(stop.at(span)),
                    Err(stop) => return Err(stop),
                }
            }
            Ok(Flow::Continue)
        })?;
        found.sort_by(|a: &Transition, b| {
            (&a.arguments, &a.results, a.target.values()).cmp(&(
                &b.arguments,
                &b.results,
                b.target.values(),
            ))
        });
        found.dedup_by(|a, b| {
            a.arguments == b.arguments && a.results == b.results && a.target.same(&b.target)
        });
        Ok((found, self.unrefined.take().or(self.unknown.take())))
    }

    fn transition(
        &mut self,
        action: &model::Action,
        arguments: &[Value],
        env: &Env,
        writes: &Writes,
    ) -> Run<Transition> {
        let end = after(env, writes);
        let mut results = Vec::new();
        for name in &action.results {
            results.push(match end.local(*name).cloned() {
                Some(value) => Some(self.force(&value)?),
                None => None,
            });
        }
        Ok(Transition {
            arguments: arguments.to_vec(),
            results,
            target: State::from_vars(end.vars()),
        })
    }

    /// The environment of an action: results have no value yet.
    pub(crate) fn action_env(&self, action: &model::Action, state: &State) -> Env {
        let mut env = Env::of(state);
        for name in &action.results {
            env = env.bind_local(*name, None);
        }
        env
    }

    /// Whether constants with these values satisfy the properties; constants without a value are looked for.
    pub fn check_setup(&mut self, setup: &State) -> Result<(), String> {
        self.begin();
        let complete = self.model.variables.iter().all(|(id, variable)| {
            !variable.is_constant || setup[id].is_some() || setup.is_symbolic(id)
        });
        if !complete {
            return match self.solve_constants(setup, 1) {
                Ok(found) if found.is_empty() => Err(match self.unknown.take() {
                    Some(stop) => self.gave_up(stop),
                    None => "no such constants satisfy the properties".into(),
                }),
                Ok(_) => Ok(()),
                Err(stop) => Err(self.gave_up(stop)),
            };
        }
        let env = Env::of(setup);
        for property in &self.model.properties {
            match self.test(property.predicate, &env) {
                Ok(true) => {}
                Ok(false) => return Err("a property is false".to_owned()),
                Err(stop) => return Err(self.gave_up(stop)),
            }
        }
        Ok(())
    }

    /// Whether the initialisation can lead to a state: that state, with the rules of its infinite sets.
    pub fn check_initial(&mut self, setup: &State, state: &State) -> Result<State, String> {
        self.begin();
        let env = Env::of(setup);
        let initialisation = self.model.initialisation;
        self.reaches(&env, state, &[], &[], &mut |interp, env| {
            interp.outcomes(initialisation, env)
        })
    }

    /// Whether a step of an action with these arguments and results leads from one state to another: the other one,
    /// with the rules of its infinite sets.
    pub fn check_step(
        &mut self,
        action: usize,
        arguments: &[Value],
        results: &[Value],
        from: &State,
        to: &State,
    ) -> Result<State, String> {
        let results: Vec<Option<Value>> = results.iter().cloned().map(Some).collect();
        self.check_step_with(action, arguments, &results, from, to)
    }

    /// [`Interp::check_step`] of an action that need not assign all its results.
    pub fn check_step_with(
        &mut self,
        action: usize,
        arguments: &[Value],
        results: &[Option<Value>],
        from: &State,
        to: &State,
    ) -> Result<State, String> {
        self.begin();
        let model = self.model;
        let Some(action) = model.actions.get(action) else {
            return Err("there is no such action".to_owned());
        };
        if arguments.len() != action.parameters.len() || results.len() != action.results.len() {
            return Err("the step has the wrong number of arguments or results".to_owned());
        }
        let mut env = self.action_env(action, from);
        for (name, value) in action.parameters.iter().zip(arguments) {
            env = env.bind_local(*name, Some(value.clone().into()));
        }
        for guard in &action.guard {
            match self.test(*guard, &env) {
                Ok(true) => {}
                Ok(false) => return Err("a guard is false".to_owned()),
                Err(stop) => return Err(format!("a guard is undefined: {}", self.gave_up(stop))),
            }
        }
        self.lenient = self.options.wd == Wd::Lenient;
        let reached = self.reaches(&env, to, &action.results, results, &mut |interp, env| {
            interp.outcomes(action.body, env)
        });
        self.lenient = false;
        reached
    }

    /// Whether some outcome ends in a state with these results: first along the way the goal points to, then
    /// any way.
    fn reaches(
        &mut self,
        env: &Env,
        to: &State,
        names: &[model::LocalId],
        results: &[Option<Value>],
        outcomes: &mut dyn FnMut(&mut Self, &Env) -> Run<Vec<Writes>>,
    ) -> Result<State, String> {
        self.goal = self.goal_of(to);
        for (name, value) in names.iter().zip(results) {
            let value = value
                .clone()
                .map(|value| (Target::Local(*name), value.into()));
            self.goal.extend(value);
        }
        let mut last = "no outcome of the body is the given state".to_owned();
        self.unknown = None;
        for guided in [true, false] {
            if !guided {
                self.goal.clear();
            }
            match outcomes(self, env) {
                Ok(found) => {
                    let mut made: Option<State> = None;
                    for writes in found {
                        let end = after(env, &writes);
                        let same_results = names.iter().zip(results).all(|(name, value)| {
                            match (end.local(*name), value) {
                                (Some(V::Plain(known)), Some(value)) => known == value,
                                (None, None) => true,
                                _ => false,
                            }
                        });
                        let end = State::from_vars(end.vars());
                        if !same_results || !end.agrees(to) {
                            continue;
                        }
                        if made.as_ref().is_some_and(|known| !known.same_rules(&end)) {
                            self.goal.clear();
                            self.hides = true;
                            let several = "a variable may be one of several infinite sets";
                            return Err(self.gave_up(Stop::open(several.to_owned())));
                        }
                        made = Some(end);
                        if to.is_whole() {
                            break;
                        }
                    }
                    if let Some(made) = made {
                        self.goal.clear();
                        return Ok(made);
                    }
                }
                Err(stop) => last = self.gave_up(stop),
            }
        }
        if let Some(stop) = self.unknown.take() {
            last = self.gave_up(stop);
        }
        Err(last)
    }

    fn goal_of(&self, to: &State) -> Vec<(Target, V)> {
        let values = to.values().iter().enumerate();
        values
            .filter_map(|(i, value)| {
                let value = value.clone()?;
                Some((Target::Var(VarId::new(i)), value.into()))
            })
            .collect()
    }
}

impl State {
    /// Whether two states are equal; infinite sets count as equal only when they are one and the same.
    pub(crate) fn same(&self, other: &State) -> bool {
        self.values() == other.values() && self.same_rules(other)
    }

    /// Whether two states are equal where both have plain data.
    fn agrees(&self, other: &State) -> bool {
        self.values()
            .iter()
            .zip(other.values())
            .enumerate()
            .all(|(i, (a, b))| match (a, b) {
                (Some(a), Some(b)) => a == b,
                (None, None) => true,
                _ => self.is_symbolic(VarId::new(i)) || other.is_symbolic(VarId::new(i)),
            })
    }
}
