//! Which variables can be split, and which parameters pick their parts.

use lang_math::Op;
use model::{Action, ExprId, Kind, LocalId, Model, Stmt, StmtId, Ty, Value, VarId};

use super::fold::{Known, all_values};

/// More parts than this make diagrams deeper than they make relations narrower.
pub(super) const MOST_KEYS: usize = 256;

/// The keys of a variable that can be split: whether it is a set, the keys, whether there may be others.
pub(super) struct Candidate {
    pub(super) is_set: bool,
    pub(super) keys: Vec<Value>,
    pub(super) has_rest: bool,
}

/// How a variable could be split.
pub(super) fn candidate(model: &Model, known: &Known<'_>, var: VarId) -> Option<Candidate> {
    let variable = &model.variables[var];
    if variable.is_constant {
        return None;
    }
    let Ty::Pow(element) = &model.tys[variable.ty] else {
        return None;
    };
    let (is_set, key_ty) = match &model.tys[*element] {
        Ty::Prod(left, _) => (false, *left),
        _ => (true, *element),
    };
    let (keys, has_rest) = match all_values(model, key_ty) {
        Some(all) => (all, false),
        None if matches!(model.tys[key_ty], Ty::Int) => (declared_keys(model, known, var)?, true),
        None => return None,
    };
    let fits = (2..=MOST_KEYS).contains(&keys.len());
    fits.then_some(Candidate {
        is_set,
        keys,
        has_rest,
    })
}

/// `v : a..b --> …`, `v <: a..b` in the invariant.
fn declared_keys(model: &Model, known: &Known<'_>, var: VarId) -> Option<Vec<Value>> {
    let is_it = |id: ExprId| matches!(&model.exprs[id].kind, Kind::Var(v) if *v == var);
    for conjunct in &model.invariants {
        let Kind::Op(op, args) = &model.exprs[conjunct.predicate].kind else {
            continue;
        };
        if args.len() < 2 || !is_it(args[0]) {
            continue;
        }
        let keys = match (op, &model.exprs[args[1]].kind) {
            (Op::Subset, _) => args[1],
            (Op::Member, Kind::Op(_, inner)) if !inner.is_empty() => inner[0],
            _ => continue,
        };
        if let Some(Value::Set(keys)) = known.value(model, keys)
            && keys.iter().all(|key| matches!(key, Value::Int(_)))
        {
            return Some(keys.to_vec());
        }
    }
    None
}

/// The locals of an action that stand in places where a part is picked.
pub(super) fn key_locals(model: &Model, action: &Action, candidates: &[bool]) -> Vec<LocalId> {
    let mut found = Vec::new();
    let is_candidate = |id: ExprId| {
        let mut is_candidate = false;
        model.walk(id, &mut |expr| {
            is_candidate |= matches!(&expr.kind, Kind::Var(var) if candidates[var.index()]);
        });
        is_candidate
    };
    let mut look = |root: ExprId| {
        model.walk(root, &mut |expr| {
            let keys: &[ExprId] = match &expr.kind {
                Kind::Apply(function, argument) if is_candidate(*function) => &[*argument],
                Kind::Op(Op::Member | Op::NotMember, args) if is_candidate(args[1]) => &[args[0]],
                Kind::Op(
                    Op::Union | Op::SetMinus | Op::Overwrite | Op::Image | Op::DomainSubtraction,
                    args,
                ) => args,
                _ => &[],
            };
            for key in keys {
                model.walk(*key, &mut |expr| {
                    if let Kind::Local(local) = &expr.kind
                        && !found.contains(local)
                    {
                        found.push(*local);
                    }
                });
            }
        });
    };
    action.guard.iter().for_each(|guard| look(*guard));
    for_each_expr(model, action.body, &mut look);
    found
}

/// All expressions of a statement.
pub(crate) fn for_each_expr(model: &Model, stmt: StmtId, look: &mut dyn FnMut(ExprId)) {
    match &model.stmts[stmt] {
        Stmt::Skip => {}
        Stmt::Assign(pairs) => pairs.iter().for_each(|(_, value)| look(*value)),
        Stmt::Any {
            predicate, body, ..
        } => {
            look(*predicate);
            for_each_expr(model, *body, look);
        }
        Stmt::Let(_, value, body) => {
            look(*value);
            for_each_expr(model, *body, look);
        }
        Stmt::Var(_, body) => for_each_expr(model, *body, look),
        Stmt::Select(branches, otherwise) => {
            for (guard, body) in branches {
                look(*guard);
                for_each_expr(model, *body, look);
            }
            otherwise
                .iter()
                .for_each(|body| for_each_expr(model, *body, look));
        }
        Stmt::If(branches, otherwise) => {
            for (guard, body) in branches {
                look(*guard);
                for_each_expr(model, *body, look);
            }
            for_each_expr(model, *otherwise, look);
        }
        Stmt::Choice(parts) | Stmt::Sequence(parts) | Stmt::Parallel(parts) => {
            parts
                .iter()
                .for_each(|part| for_each_expr(model, *part, look));
        }
        Stmt::Assert(condition, _, body) => {
            look(*condition);
            for_each_expr(model, *body, look);
        }
        Stmt::Simulate(step) => {
            for_each_expr(model, step.body, look);
            step.conditions.iter().for_each(|(part, _)| look(*part));
            for_each_expr(model, step.then, look);
        }
        Stmt::While {
            condition,
            body,
            invariant,
            variant,
            ..
        } => {
            [condition, invariant, variant]
                .iter()
                .for_each(|e| look(**e));
            for_each_expr(model, *body, look);
        }
        Stmt::External(_, args) => args.iter().for_each(|arg| look(*arg)),
    }
}

/// The values that a parameter can have, from its type or from a conjunct of the guard.
pub(super) fn domain(
    model: &Model,
    known: &Known<'_>,
    local: LocalId,
    guard: &[ExprId],
) -> Option<Vec<Value>> {
    if let Some(all) = all_values(model, model.locals[local].ty) {
        return Some(all);
    }
    let mut pending: Vec<ExprId> = guard.to_vec();
    while let Some(id) = pending.pop() {
        match &model.exprs[id].kind {
            Kind::Op(Op::And, args) => pending.extend(args.iter()),
            Kind::Op(Op::Member, args) if matches!(&model.exprs[args[0]].kind, Kind::Local(l) if *l == local) => {
                if let Some(Value::Set(values)) = known.value(model, args[1])
                    && values.iter().all(|value| matches!(value, Value::Int(_)))
                {
                    return Some(values.to_vec());
                }
            }
            _ => {}
        }
    }
    None
}
