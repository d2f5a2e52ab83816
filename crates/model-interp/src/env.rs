//! What names stand for: states as callers see them, environments as the evaluator extends them.
//!
//! Invariant: environments are persistent; a closure keeps the one it was made in.

use std::ops::Index;
use std::sync::Arc;

use model::{ExprId, LocalId, Model, Target, Value, VarId};

use crate::set::V;

/// A value for each constant and variable of a model, as far as they have one.
#[derive(Clone, Debug)]
pub struct State {
    values: Vec<Option<Value>>,
    /// Constants and variables that are infinite sets; their entry in `values` is `None`.
    rules: Vec<(VarId, V)>,
}

impl State {
    /// The state in which nothing has a value yet.
    pub fn empty(model: &Model) -> State {
        State::new(vec![None; model.variables.len()])
    }

    /// The state with these values, in the order of the model's variables.
    pub fn new(values: Vec<Option<Value>>) -> State {
        State {
            values,
            rules: Vec::new(),
        }
    }

    /// Gives a variable a value.
    pub fn set(&mut self, variable: VarId, value: Value) {
        self.rules.retain(|(known, _)| *known != variable);
        self.values[variable.index()] = Some(value);
    }

    /// The values in the order of the model's variables; `None` for what has none or is an infinite set.
    pub fn values(&self) -> &[Option<Value>] {
        &self.values
    }

    /// Whether a variable holds a set that is only known by a rule.
    pub fn is_symbolic(&self, variable: VarId) -> bool {
        self.rules.iter().any(|(known, _)| *known == variable)
    }

    /// Whether everything has a value or a rule.
    pub(crate) fn is_whole(&self) -> bool {
        let mut values = self.values.iter().enumerate();
        values.all(|(i, value)| value.is_some() || self.is_symbolic(VarId::new(i)))
    }

    /// Takes over infinite sets of another state, which a vector of values cannot hold.
    pub fn adopt_symbolic(&mut self, other: &State) {
        for (variable, rule) in &other.rules {
            if self.values[variable.index()].is_none() && !self.is_symbolic(*variable) {
                self.rules.push((*variable, rule.clone()));
            }
        }
    }

    pub(crate) fn from_vars(vars: &[Option<V>]) -> State {
        let mut state = State::new(vec![None; vars.len()]);
        for (i, value) in vars.iter().enumerate() {
            match value {
                Some(V::Plain(value)) => state.values[i] = Some(value.clone()),
                Some(rule) => state.rules.push((VarId::new(i), rule.clone())),
                None => {}
            }
        }
        state
    }

    pub(crate) fn to_vars(&self) -> Vec<Option<V>> {
        let mut vars: Vec<Option<V>> = self
            .values
            .iter()
            .map(|value| value.clone().map(V::Plain))
            .collect();
        for (variable, rule) in &self.rules {
            vars[variable.index()] = Some(rule.clone());
        }
        vars
    }

    /// Whether two states hold the very same infinite sets.
    pub(crate) fn same_rules(&self, other: &State) -> bool {
        self.rules.len() == other.rules.len()
            && self.rules.iter().zip(&other.rules).all(|(a, b)| {
                a.0 == b.0
                    && match (&a.1, &b.1) {
                        (V::Rule(x), V::Rule(y)) => Arc::ptr_eq(x, y),
                        _ => false,
                    }
            })
    }
}

impl Index<VarId> for State {
    type Output = Option<Value>;
    fn index(&self, variable: VarId) -> &Option<Value> {
        &self.values[variable.index()]
    }
}

/// What names stand for inside a formula.
#[derive(Clone, Debug)]
pub(crate) struct Env {
    locals: Option<Arc<Bound>>,
    vars: Arc<Vec<Option<V>>>,
    /// A constant that is being defined by an expression which mentions it.
    own: Option<(VarId, ExprId)>,
}

#[derive(Debug)]
struct Bound {
    local: LocalId,
    value: Option<V>,
    next: Option<Arc<Bound>>,
}

impl Env {
    pub(crate) fn new(vars: Vec<Option<V>>) -> Env {
        Env {
            locals: None,
            vars: Arc::new(vars),
            own: None,
        }
    }

    pub(crate) fn of(state: &State) -> Env {
        Env::new(state.to_vars())
    }

    pub(crate) fn vars(&self) -> &[Option<V>] {
        &self.vars
    }

    /// The value of a variable.
    pub(crate) fn var(&self, variable: VarId) -> Option<&V> {
        self.vars.get(variable.index())?.as_ref()
    }

    /// The value of a local.
    pub(crate) fn local(&self, local: LocalId) -> Option<&V> {
        let mut bound = self.locals.as_ref();
        while let Some(entry) = bound {
            if entry.local == local {
                return entry.value.as_ref();
            }
            bound = entry.next.as_ref();
        }
        None
    }

    pub(crate) fn get(&self, target: Target) -> Option<&V> {
        match target {
            Target::Var(variable) => self.var(variable),
            Target::Local(local) => self.local(local),
        }
    }

    pub(crate) fn bind_local(&self, local: LocalId, value: Option<V>) -> Env {
        Env {
            locals: Some(Arc::new(Bound {
                local,
                value,
                next: self.locals.clone(),
            })),
            ..self.clone()
        }
    }

    pub(crate) fn bind(&self, target: Target, value: V) -> Env {
        match target {
            Target::Local(local) => self.bind_local(local, Some(value)),
            Target::Var(variable) => {
                let mut vars = (*self.vars).clone();
                vars[variable.index()] = Some(value);
                Env {
                    vars: Arc::new(vars),
                    ..self.clone()
                }
            }
        }
    }

    /// The same after an assignment: a local that is there gets the value where it stands, so that loops do
    /// not make environments longer.
    pub(crate) fn assign(&self, target: Target, value: V) -> Env {
        match target {
            Target::Local(local) if self.has_local(local) => Env {
                locals: replace(self.locals.as_ref(), local, value),
                ..self.clone()
            },
            _ => self.bind(target, value),
        }
    }

    fn has_local(&self, local: LocalId) -> bool {
        let mut bound = self.locals.as_ref();
        while let Some(entry) = bound {
            if entry.local == local {
                return true;
            }
            bound = entry.next.as_ref();
        }
        false
    }

    /// The definition under way of a constant without a value.
    pub(crate) fn own(&self) -> Option<(VarId, ExprId)> {
        self.own
            .filter(|(variable, _)| self.var(*variable).is_none())
    }

    /// The same, while `variable` is being defined by `definition`.
    pub(crate) fn defining(&self, variable: VarId, definition: ExprId) -> Env {
        Env {
            own: Some((variable, definition)),
            ..self.clone()
        }
    }

    /// The same without locals.
    pub(crate) fn outermost(&self) -> Env {
        Env {
            locals: None,
            ..self.clone()
        }
    }
}

/// The list with the innermost entry of `local` changed.
fn replace(list: Option<&Arc<Bound>>, local: LocalId, value: V) -> Option<Arc<Bound>> {
    let mut before = Vec::new();
    let mut at = list;
    while let Some(entry) = at {
        if entry.local == local {
            break;
        }
        before.push(entry);
        at = entry.next.as_ref();
    }
    let mut changed = Some(Arc::new(Bound {
        local,
        value: Some(value),
        next: at.and_then(|entry| entry.next.clone()),
    }));
    for entry in before.into_iter().rev() {
        changed = Some(Arc::new(Bound {
            local: entry.local,
            value: entry.value.clone(),
            next: changed,
        }));
    }
    changed
}
