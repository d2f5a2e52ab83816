//! Statements: from an environment to all outcomes, each a list of writes.
//!
//! Meaning: `model::stmt`. No outcome means that the branch is not enabled; a fault is a stop.
//! Invariant: every write of an outcome was evaluated in the environment before the statement (for a sequence:
//! in the one that the earlier parts left).

use base::Name;
use model::{ExprId, Int, Kind, LocalId, Stmt, StmtId, Target, Why};

use crate::binder::locals;
use crate::env::Env;
use crate::search::{Cut, Item, Plan, Undefined};
use crate::set::{Rule, V};
use crate::stop::{Run, Stop, StopKind};
use crate::total::conjuncts;
use crate::{Flow, Interp, Wd, number};

/// What an outcome changes.
pub(crate) type Writes = Vec<(Target, V)>;

/// Finite sets up to this size are stored as plain data; larger ones stay rules.
const STORED: f64 = 1e6;

/// How many outcomes of one statement are kept at once.
const MAX_OUTCOMES: usize = 1_000_000;

/// How many values of names a fault shows.
const MOST_VALUES: usize = 8;

/// How many operators a stored infinite set is made of: a loop that adds one each turn must end.
const MAX_NESTED: usize = 200;

impl Interp<'_> {
    /// All outcomes of a statement.
    pub(crate) fn outcomes(&mut self, id: StmtId, env: &Env) -> Run<Vec<Writes>> {
        base::deep::recurse(|| {
            self.tick()?;
            self.outcomes_of(id, env)
        })
    }

    fn outcomes_of(&mut self, id: StmtId, env: &Env) -> Run<Vec<Writes>> {
        let model = self.model;
        match &model.stmts[id] {
            Stmt::Skip => Ok(vec![Vec::new()]),
            Stmt::Assign(assignments) => {
                let mut writes = Vec::with_capacity(assignments.len());
                for (target, expr) in assignments {
                    let value = self.value(*expr, env);
                    let value = value.map_err(|stop| self.noting(stop, *expr, env))?;
                    writes.push((*target, self.stored(value)?));
                }
                Ok(vec![writes])
            }
            Stmt::Any {
                names,
                predicate,
                body,
            } => self.chosen(names, *predicate, *body, env),
            Stmt::Let(name, value, body) => {
                let value = self.value(*value, env)?;
                self.outcomes(*body, &env.bind_local(*name, Some(value)))
            }
            Stmt::Var(names, body) => {
                let mut inner = env.clone();
                for name in names {
                    inner = inner.bind_local(*name, None);
                }
                let mut found = self.outcomes(*body, &inner)?;
                for writes in &mut found {
                    writes.retain(|(target, _)| {
                        !names.iter().any(|name| *target == Target::Local(*name))
                    });
                }
                Ok(found)
            }
            Stmt::Select(branches, otherwise) => self.select(branches, *otherwise, env),
            Stmt::If(branches, otherwise) => {
                for (condition, body) in branches {
                    let truth = self.condition(*condition, env);
                    if truth.map_err(|stop| self.noting(stop, *condition, env))? {
                        return self.outcomes(*body, env);
                    }
                }
                self.outcomes(*otherwise, env)
            }
            Stmt::Choice(branches) => {
                let mut found = Vec::new();
                for branch in branches {
                    let outcomes = self.outcomes(*branch, env);
                    found.extend(self.tolerated(outcomes)?);
                }
                Ok(found)
            }
            Stmt::Sequence(parts) => self.sequence(parts, env),
            Stmt::Parallel(parts) => self.parallel(parts, env),
            Stmt::Assert(condition, why, body) => self.asserted(*condition, *why, *body, env),
            Stmt::Simulate(step) => self.simulated(step, env),
            Stmt::While {
                condition,
                body,
                invariant,
                variant,
                span,
            } => self
                .repeat(*condition, *body, *invariant, *variant, env)
                .map_err(|stop| stop.at(*span)),
            Stmt::External(name, arguments) => {
                let mut values = Vec::with_capacity(arguments.len());
                for argument in arguments {
                    values.push(self.value(*argument, env)?);
                }
                self.host_call(*name, values, None)?;
                Ok(vec![Vec::new()])
            }
        }
    }

    fn asserted(
        &mut self,
        condition: ExprId,
        why: Why,
        body: StmtId,
        env: &Env,
    ) -> Run<Vec<Writes>> {
        let truth = self.test(condition, env);
        if !truth.map_err(|stop| self.noting(stop, condition, env))? {
            let stop = match why {
                Why::Precondition(name) => {
                    Stop::violated(format!("the precondition of {name} is false"))
                }
                Why::Assert => Stop::violated("the ASSERT is false"),
                Why::Refinement(owed) => Stop::new(StopKind::Refinement, owed.sentence()),
            };
            let stop = stop.at(self.model.exprs[condition].span);
            return Err(self.noting(stop, condition, env));
        }
        self.outcomes(body, env)
    }

    fn parallel(&mut self, parts: &[StmtId], env: &Env) -> Run<Vec<Writes>> {
        let mut found = vec![Writes::new()];
        for part in parts {
            let outcomes = self.outcomes(*part, env)?;
            let mut next = Vec::new();
            for writes in &found {
                for more in &outcomes {
                    self.tick()?;
                    bounded(next.len())?;
                    next.push(then(writes, more.clone()));
                }
            }
            found = next;
        }
        Ok(found)
    }

    fn sequence(&mut self, parts: &[StmtId], env: &Env) -> Run<Vec<Writes>> {
        let mut found = vec![Writes::new()];
        for part in parts {
            let mut next = Vec::new();
            for writes in found {
                let outcomes = self.outcomes(*part, &after(env, &writes));
                for more in self.tolerated(outcomes)? {
                    self.tick()?;
                    bounded(next.len())?;
                    next.push(then(&writes, more));
                }
            }
            found = next;
        }
        Ok(found)
    }

    fn chosen(
        &mut self,
        names: &[LocalId],
        predicate: ExprId,
        body: StmtId,
        env: &Env,
    ) -> Run<Vec<Writes>> {
        let (env, names) = self.guided(names, body, env);
        let items = conjuncts(self.model, predicate)
            .into_iter()
            .map(Item::Holds)
            .collect();
        let mut found = Vec::new();
        self.search(
            &locals(&names),
            items,
            &env,
            self.guard_plan(),
            &mut |interp, env| {
                let outcomes = interp.outcomes(body, env);
                found.extend(interp.tolerated(outcomes)?);
                bounded(found.len())?;
                Ok(Flow::Continue)
            },
        )?;
        Ok(found)
    }

    fn select(
        &mut self,
        branches: &[(ExprId, StmtId)],
        otherwise: Option<StmtId>,
        env: &Env,
    ) -> Run<Vec<Writes>> {
        let mut found = Vec::new();
        let mut decided = false;
        for (guard, body) in branches {
            match self.condition(*guard, env) {
                Ok(true) => {
                    decided = true;
                    let outcomes = self.outcomes(*body, env);
                    found.extend(self.tolerated(outcomes)?);
                }
                Ok(false) => {}
                Err(stop) if stop.is_undefined() && self.options.wd != Wd::Strict => {
                    // Neither its own branch nor ELSE.
                    decided = true;
                    self.notes.undefined_guard(stop);
                }
                Err(stop) if stop.is_open() => {
                    decided = true;
                    self.incomplete(stop);
                }
                Err(stop) => return Err(stop),
            }
        }
        match otherwise {
            Some(otherwise) if !decided => self.outcomes(otherwise, env),
            _ => Ok(found),
        }
    }

    fn repeat(
        &mut self,
        condition: ExprId,
        body: StmtId,
        invariant: ExprId,
        variant: ExprId,
        env: &Env,
    ) -> Run<Vec<Writes>> {
        let mut found = Vec::new();
        let mut pending = vec![Writes::new()];
        while let Some(writes) = pending.pop() {
            let turn = self.turn([condition, invariant, variant], body, env, &writes);
            match turn {
                Ok(None) => found.push(writes),
                Ok(Some(next)) => pending.extend(next),
                Err(stop) if self.lenient && stop.is_fault() => self.notes.dropped(stop),
                Err(stop) => return Err(stop),
            }
        }
        Ok(found)
    }

    /// One turn of a loop; `None` at its end.
    fn turn(
        &mut self,
        [condition, invariant, variant]: [ExprId; 3],
        body: StmtId,
        env: &Env,
        writes: &Writes,
    ) -> Run<Option<Vec<Writes>>> {
        self.tick()?;
        let before = after(env, writes);
        if !self.test(invariant, &before)? {
            let span = self.model.exprs[invariant].span;
            let stop = Stop::violated("the invariant of the loop is false").at(span);
            return Err(self.noting(stop, invariant, &before));
        }
        if !self.test(condition, &before)? {
            return Ok(None);
        }
        let span = self.model.exprs[variant].span;
        let bound = self.value(variant, &before)?;
        let bound = self.integer(&bound)?;
        if bound < Int::Small(0) {
            let text = format!("the variant of the loop is {}", number::text(&bound));
            return Err(Stop::violated(text).at(span));
        }
        let mut next = Vec::new();
        for more in self.outcomes(body, &before)? {
            let writes = then(writes, more);
            let left = self.value(variant, &after(env, &writes))?;
            let left = self.integer(&left)?;
            if left >= bound {
                let text = format!(
                    "the variant of the loop does not decrease: {}, then {}",
                    number::text(&bound),
                    number::text(&left)
                );
                return Err(Stop::violated(text).at(span));
            }
            next.push(writes);
        }
        Ok(Some(next))
    }

    /// A fault with the values of the names in the formula that it is about.
    pub(crate) fn noting(&self, stop: Stop, formula: ExprId, env: &Env) -> Stop {
        if !(stop.is_fault() || stop.kind == StopKind::Refinement) || !stop.values.is_empty() {
            return stop;
        }
        let mut values: Vec<(Name, String)> = Vec::new();
        self.model.walk(formula, &mut |expr| {
            let held = match expr.kind {
                Kind::Var(var) => env.var(var).map(|v| (self.model.variables[var].name, v)),
                Kind::Local(local) => env.local(local).map(|v| (self.model.locals[local].name, v)),
                _ => None,
            };
            if let Some((name, value)) = held
                && values.len() < MOST_VALUES
            {
                let value = (name, self.show(value));
                if !values.contains(&value) {
                    values.push(value);
                }
            }
        });
        stop.depending_on(values)
    }

    /// How guards, parameters and choices are searched.
    pub(crate) fn guard_plan(&self) -> Plan {
        let strict = self.options.wd == Wd::Strict;
        Plan {
            free: !strict,
            undefined: if strict {
                Undefined::Fault
            } else {
                Undefined::Guard
            },
            cut: Cut::Noted,
        }
    }

    /// The outcomes of a branch; none when it has a fault and faults only drop branches. A step that is none
    /// of the refined machine is dropped always, and remembered; so is what is unknown.
    pub(crate) fn tolerated(&mut self, outcomes: Run<Vec<Writes>>) -> Run<Vec<Writes>> {
        match outcomes {
            Err(stop) if self.lenient && stop.is_fault() => {
                self.notes.dropped(stop);
                Ok(Vec::new())
            }
            Err(stop) if stop.kind == StopKind::Refinement => {
                self.unrefined.get_or_insert(stop);
                Ok(Vec::new())
            }
            Err(stop) if stop.is_open() => {
                self.incomplete(stop);
                Ok(Vec::new())
            }
            outcomes => outcomes,
        }
    }

    /// A value as it is kept in a state: plain data if that is possible.
    pub(crate) fn stored(&mut self, value: V) -> Run<V> {
        if matches!(value, V::Plain(_)) {
            return Ok(value);
        }
        if is_nested(&value, MAX_NESTED) {
            let text = format!("an infinite set made by more than {MAX_NESTED} operators");
            return Err(Stop::new(StopKind::Budget, text));
        }
        if self.is_finite(&value)? == Some(true) && self.hint(&value) <= STORED {
            match self.force(&value) {
                Err(stop) if stop.kind == crate::StopKind::Open => Ok(value),
                forced => forced.map(V::Plain),
            }
        } else {
            Ok(value)
        }
    }

    /// With a goal, the names of a choice that only pass their value on to a target get it from the goal.
    fn guided(&self, names: &[LocalId], body: StmtId, env: &Env) -> (Env, Vec<LocalId>) {
        let mut env = env.clone();
        let mut open = Vec::new();
        for name in names {
            let goal = self
                .passed_on(*name, body)
                .and_then(|target| self.goal.iter().find(|(known, _)| *known == target));
            match goal {
                Some((_, value)) => env = env.bind_local(*name, Some(value.clone())),
                None => open.push(*name),
            }
        }
        (env, open)
    }

    /// The target that a statement assigns a local to.
    fn passed_on(&self, name: LocalId, body: StmtId) -> Option<Target> {
        if self.goal.is_empty() {
            return None;
        }
        match &self.model.stmts[body] {
            Stmt::Assign(assignments) => assignments.iter().find_map(|(target, value)| {
                matches!(self.model.exprs[*value].kind, Kind::Local(local) if local == name)
                    .then_some(*target)
            }),
            Stmt::Any { body, .. }
            | Stmt::Let(_, _, body)
            | Stmt::Var(_, body)
            | Stmt::Assert(_, _, body) => self.passed_on(name, *body),
            Stmt::Sequence(parts) | Stmt::Parallel(parts) => {
                parts.iter().find_map(|part| self.passed_on(name, *part))
            }
            Stmt::Simulate(step) => {
                let mut parts = [step.body, step.then].into_iter();
                parts.find_map(|part| self.passed_on(name, part))
            }
            _ => None,
        }
    }
}

/// Ends what has too many outcomes to keep.
fn bounded(outcomes: usize) -> Run<()> {
    if outcomes > MAX_OUTCOMES {
        let text = format!("a statement has more than {MAX_OUTCOMES} outcomes");
        return Err(Stop::new(StopKind::Budget, text));
    }
    Ok(())
}

/// Whether a rule is made of rules that are nested deeper than this.
fn is_nested(value: &V, depth: usize) -> bool {
    match value {
        V::Rule(rule) => match &**rule {
            _ if depth == 0 => true,
            Rule::Made(_, operands) => operands.iter().any(|part| is_nested(part, depth - 1)),
            Rule::Listed(elements) => elements.iter().any(|part| is_nested(part, depth - 1)),
            Rule::Struct(fields) => fields.iter().any(|(_, part)| is_nested(part, depth - 1)),
            _ => false,
        },
        V::Pair(pair) => is_nested(&pair.0, depth) || is_nested(&pair.1, depth),
        _ => false,
    }
}

/// The environment after some writes.
pub(crate) fn after(env: &Env, writes: &Writes) -> Env {
    let mut env = env.clone();
    for (target, value) in writes {
        env = env.assign(*target, value.clone());
    }
    env
}

/// Writes followed by further ones.
pub(crate) fn then(first: &Writes, more: Writes) -> Writes {
    let mut all: Writes = first
        .iter()
        .filter(|(target, _)| !more.iter().any(|(written, _)| written == target))
        .cloned()
        .collect();
    all.extend(more);
    all
}
