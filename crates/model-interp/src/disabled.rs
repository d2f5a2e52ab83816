//! Why an action cannot happen: the conjunct of its guard that is false, or that no value satisfies.
//!
//! Conjuncts whose names all have a value come first, each for itself; then the others are added one by one until
//! nothing satisfies them together.

use base::Name;
use model::{Target, Value};

use crate::env::State;
use crate::explain::Explanation;
use crate::search::Item;
use crate::total::conjuncts;
use crate::{Flow, Interp};

/// What keeps an action from happening.
#[derive(Clone, Debug)]
pub struct Obstacle {
    /// The conjunct, or its smallest false part.
    pub part: Explanation,
    /// Parameters for which no value was given: none satisfies the conjunct together with those before it.
    pub no_value_of: Vec<Name>,
}

impl Interp<'_> {
    /// What keeps an action with these arguments (`None`: any) from happening. Nothing when its guard can be
    /// satisfied: then no branch of its body can happen.
    pub fn obstacles(
        &mut self,
        action: usize,
        arguments: &[Option<Value>],
        state: &State,
    ) -> Vec<Obstacle> {
        self.begin();
        let model = self.model;
        let action = &model.actions[action];
        let mut env = self.action_env(action, state);
        let mut unknown = Vec::new();
        for (at, name) in action.parameters.iter().enumerate() {
            match arguments.get(at).cloned().flatten() {
                Some(value) => env = env.bind_local(*name, Some(value.into())),
                None => unknown.push(*name),
            }
        }
        let targets: Vec<Target> = unknown.iter().map(|name| Target::Local(*name)).collect();
        let guard: Vec<_> = action
            .guard
            .iter()
            .flat_map(|guard| conjuncts(model, *guard))
            .collect();
        let mut found = Vec::new();
        for conjunct in &guard {
            let mentions = self.mentions(*conjunct);
            if targets.iter().any(|target| mentions.contains(target)) {
                continue;
            }
            if !matches!(self.test(*conjunct, &env), Ok(true)) {
                let parts = self.parts(*conjunct, &env);
                found.extend(parts.into_iter().map(|part| Obstacle {
                    part,
                    no_value_of: Vec::new(),
                }));
            }
        }
        if !found.is_empty() || targets.is_empty() {
            return found;
        }
        let plan = self.guard_plan();
        for (at, conjunct) in guard.iter().enumerate() {
            let items = guard[..=at].iter().map(|one| Item::Holds(*one)).collect();
            let mut satisfied = false;
            let searched = self.search(&targets, items, &env, plan, &mut |_, _| {
                satisfied = true;
                Ok(Flow::Stop)
            });
            if !satisfied && searched.is_ok() {
                let mentions = self.mentions(*conjunct);
                let names = unknown.iter();
                let names = names.filter(|name| mentions.contains(&Target::Local(**name)));
                return vec![Obstacle {
                    part: self.open_part(*conjunct, &env),
                    no_value_of: names.map(|name| model.locals[*name].name).collect(),
                }];
            }
        }
        found
    }
}
