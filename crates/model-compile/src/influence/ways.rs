//! The ways in which an action can happen: for each a condition, and what is written then, by expressions over the state
//! before.
//!
//! Technique: symbolic execution of a statement without loops. What a later part of a sequence reads is replaced by what
//! the earlier parts wrote; branches multiply, up to a bound.

use lang_math::Op;
use model::{Action, Expr, ExprId, Kind, LocalId, Model, Stmt, StmtId, Target, VarId};

use super::Condition;
use super::substitute::{Map, Substitute};
use crate::facts::{Facts, merge};

/// A way of an action.
#[derive(Clone, Debug, Default)]
pub(crate) struct Way {
    /// Its parameters and choices.
    pub(crate) names: Vec<LocalId>,
    /// What must hold.
    pub(crate) conditions: Vec<ExprId>,
    /// What is written.
    pub(crate) writes: Vec<(VarId, ExprId)>,
    /// What locals hold that were assigned, results included.
    locals: Vec<(LocalId, ExprId)>,
    /// What the conditions read.
    reads: Vec<VarId>,
}

impl Way {
    /// Finds out what the conditions read.
    pub(crate) fn note_reads(&mut self, facts: &Facts<'_>) {
        for condition in &self.conditions {
            merge(&mut self.reads, &facts.of(*condition).vars);
        }
    }

    /// Its condition.
    pub(crate) fn condition(&self) -> Condition {
        Condition {
            names: self.names.clone(),
            conjuncts: self.conditions.clone(),
            reads: self.reads.clone(),
        }
    }

    /// Whether it writes one of these.
    pub(crate) fn writes_any(&self, vars: &[VarId]) -> bool {
        self.writes
            .iter()
            .any(|(var, _)| vars.binary_search(var).is_ok())
    }

    /// What it writes, sorted.
    pub(crate) fn written(&self) -> Vec<VarId> {
        let mut vars: Vec<VarId> = self.writes.iter().map(|(var, _)| *var).collect();
        vars.sort_unstable();
        vars
    }

    /// The value of a variable that it writes.
    pub(crate) fn value(&self, var: VarId) -> Option<ExprId> {
        let mut writes = self.writes.iter();
        writes
            .find(|(written, _)| *written == var)
            .map(|(_, value)| *value)
    }
}

/// The ways of an action, and its guard, twice with different names.
pub(crate) struct Draft {
    /// With the names of the model.
    pub(crate) acting: Option<Vec<Way>>,
    /// With names of its own.
    pub(crate) observed: Option<Vec<Way>>,
    /// The parameters, with names of its own.
    pub(crate) parameters: Vec<LocalId>,
    /// The guard, with names of its own.
    pub(crate) guard: Vec<ExprId>,
}

/// More ways than this are not looked at.
const MOST: usize = 24;

/// The ways of an action.
pub(crate) fn ways(model: &mut Model, action: &Action) -> Draft {
    let guard: Vec<ExprId> = action
        .guard
        .iter()
        .flat_map(|conjunct| super::chain(model, *conjunct))
        .collect();
    let start = Way {
        names: action.parameters.clone(),
        conditions: guard.clone(),
        ..Way::default()
    };
    let acting = run(model, action.body, vec![start]);
    let map = Map {
        is_renaming: true,
        ..Map::default()
    };
    let mut copy = Substitute::new(model, map);
    let parameters = action.parameters.iter().map(|p| copy.rename(*p)).collect();
    // Choices are bound before the conditions that mention them are copied.
    let observed = acting.as_ref().map(|ways| {
        ways.iter()
            .map(|way| Way {
                names: way.names.iter().map(|name| copy.rename(*name)).collect(),
                conditions: way.conditions.iter().map(|c| copy.expr(*c)).collect(),
                writes: way
                    .writes
                    .iter()
                    .map(|(var, value)| (*var, copy.expr(*value)))
                    .collect(),
                ..Way::default()
            })
            .collect()
    });
    let guard = guard.iter().map(|conjunct| copy.expr(*conjunct)).collect();
    Draft {
        acting,
        observed,
        parameters,
        guard,
    }
}

/// Goes on with a statement from each of the ways; `None` when it is not understood or branches too much.
pub(crate) fn run(model: &mut Model, stmt: StmtId, ways: Vec<Way>) -> Option<Vec<Way>> {
    if ways.len() > MOST {
        return None;
    }
    base::deep::recurse(|| step(model, stmt, ways))
}

fn step(model: &mut Model, stmt: StmtId, ways: Vec<Way>) -> Option<Vec<Way>> {
    match model.stmts[stmt].clone() {
        Stmt::Skip => Some(ways),
        Stmt::Assign(pairs) => {
            let mut next = ways;
            for way in &mut next {
                let values: Vec<ExprId> = pairs
                    .iter()
                    .map(|(_, value)| seen(model, way, *value))
                    .collect();
                for ((target, _), value) in pairs.iter().zip(values) {
                    match target {
                        Target::Var(var) => put(&mut way.writes, *var, value),
                        Target::Local(local) => put(&mut way.locals, *local, value),
                    }
                }
            }
            Some(next)
        }
        Stmt::Any {
            names,
            predicate,
            body,
        } => {
            let conjuncts = super::chain(model, predicate);
            let mut next = ways;
            for way in &mut next {
                way.names.extend(&names);
                for conjunct in &conjuncts {
                    let conjunct = seen(model, way, *conjunct);
                    way.conditions.push(conjunct);
                }
            }
            run(model, body, next)
        }
        Stmt::Let(local, value, body) => {
            let mut next = ways;
            for way in &mut next {
                let value = seen(model, way, value);
                put(&mut way.locals, local, value);
            }
            run(model, body, next)
        }
        Stmt::Var(_, body) => run(model, body, ways),
        Stmt::Select(branches, otherwise) => {
            let mut next = Vec::new();
            for (guard, body) in &branches {
                let mut inside = ways.clone();
                for way in &mut inside {
                    require(model, way, *guard);
                }
                next.extend(run(model, *body, inside)?);
            }
            if let Some(body) = otherwise {
                let mut inside = ways;
                for way in &mut inside {
                    branches
                        .iter()
                        .for_each(|(guard, _)| exclude(model, way, *guard));
                }
                next.extend(run(model, body, inside)?);
            }
            Some(next)
        }
        Stmt::If(branches, otherwise) => {
            let mut next = Vec::new();
            let mut rest = ways;
            for (condition, body) in &branches {
                let mut inside = rest.clone();
                for way in &mut inside {
                    require(model, way, *condition);
                }
                next.extend(run(model, *body, inside)?);
                rest.iter_mut()
                    .for_each(|way| exclude(model, way, *condition));
            }
            next.extend(run(model, otherwise, rest)?);
            Some(next)
        }
        Stmt::Choice(parts) => {
            let mut next = Vec::new();
            for part in parts {
                next.extend(run(model, part, ways.clone())?);
            }
            Some(next)
        }
        Stmt::Sequence(parts) => {
            let mut next = ways;
            for part in parts {
                next = run(model, part, next)?;
            }
            Some(next)
        }
        Stmt::Parallel(parts) => {
            let mut done = Vec::new();
            for way in ways {
                // Every part sees the state before all of them.
                let mut next = vec![way.clone()];
                for part in &parts {
                    let mut more = Vec::new();
                    for before in &next {
                        let alone = Way {
                            names: before.names.clone(),
                            conditions: before.conditions.clone(),
                            ..way.clone()
                        };
                        for after in run(model, *part, vec![alone])? {
                            let mut joined = Way {
                                names: after.names,
                                conditions: after.conditions,
                                ..before.clone()
                            };
                            // What the part left alone is as the others left it.
                            for (var, value) in after.writes {
                                if way.value(var) != Some(value) {
                                    put(&mut joined.writes, var, value);
                                }
                            }
                            for (local, value) in after.locals {
                                put(&mut joined.locals, local, value);
                            }
                            more.push(joined);
                        }
                    }
                    if more.len() > MOST {
                        return None;
                    }
                    next = more;
                }
                done.extend(next);
            }
            Some(done)
        }
        Stmt::Assert(condition, _, body) => {
            let mut next = ways;
            for way in &mut next {
                require(model, way, condition);
            }
            run(model, body, next)
        }
        Stmt::Simulate(step) => {
            let mut next = run(model, step.body, ways)?;
            for way in &mut next {
                for (condition, _) in &step.conditions {
                    require(model, way, *condition);
                }
            }
            run(model, step.then, next)
        }
        Stmt::While { .. } | Stmt::External(..) => None,
    }
}

/// An expression that is evaluated now, over the state before the action.
pub(crate) fn seen(model: &mut Model, way: &Way, expr: ExprId) -> ExprId {
    if way.writes.is_empty() && way.locals.is_empty() {
        return expr;
    }
    let map = Map {
        vars: way.writes.iter().copied().collect(),
        locals: way.locals.iter().copied().collect(),
        ..Map::default()
    };
    Substitute::new(model, map).expr(expr)
}

fn require(model: &mut Model, way: &mut Way, condition: ExprId) {
    for conjunct in super::chain(model, condition) {
        let conjunct = seen(model, way, conjunct);
        way.conditions.push(conjunct);
    }
}

fn exclude(model: &mut Model, way: &mut Way, condition: ExprId) {
    let condition = seen(model, way, condition);
    let span = model.exprs[condition].span;
    let negation = model.exprs.push(Expr {
        kind: Kind::Op(Op::Not, [condition].into_iter().collect()),
        ty: None,
        span,
    });
    way.conditions.push(negation);
}

fn put<K: PartialEq>(list: &mut Vec<(K, ExprId)>, key: K, value: ExprId) {
    match list.iter_mut().find(|(known, _)| *known == key) {
        Some((_, old)) => *old = value,
        None => list.push((key, value)),
    }
}
