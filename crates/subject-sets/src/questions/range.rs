//! The values that a quantified name ranges over: found once, before the search.
//!
//! `#x.({P} & f)` holds where some value satisfies P and f there, so x ranges over every value that could ever satisfy P:
//! those that satisfy the conjuncts of P about constants alone, for some set-up, or all values of a small type.
//! Invariant: a range that depends on the state and whose type is not small is refused, never cut.

use lang_math::{Binder, Op};
use model::{Expr, ExprId, Kind, LocalId, Model, Ty, TyId, Value as Inner};
use model_interp::{Interp, Options, State};
use smallvec::smallvec;
use subject::{QuestionId, Value};

use crate::Sets;
use crate::value::wrap;

/// More values make formulas that no automaton can be built for.
const MOST: usize = 200;
/// More set-ups are not looked at one by one.
const MOST_SETUPS: usize = 1_000;
/// What the reference evaluator may take for one question.
const BUDGET: u64 = 10_000_000;

/// The values of the only name of a predicate that could satisfy it; an error says why they are not known.
pub(crate) fn range(sets: &mut Sets, predicate: QuestionId) -> Result<Vec<Value>, String> {
    let asked = sets.asked(predicate).clone();
    let [name] = asked.names[..] else {
        return Err("a range is about one name".to_owned());
    };
    let found = values(sets.model_mut(), name, asked.expr)?;
    sets.refresh();
    Ok(found
        .into_iter()
        .map(|value| wrap(&sets.tys, value))
        .collect())
}

fn values(model: &mut Model, name: LocalId, predicate: ExprId) -> Result<Vec<Inner>, String> {
    let ty = model.locals[name].ty;
    let shown = model.locals[name].name;
    let constant = constant_conjuncts(model, predicate);
    if let Some(first) = constant.first() {
        let span = model.exprs[predicate].span;
        let mut whole = *first;
        for conjunct in &constant[1..] {
            whole = model.exprs.push(Expr {
                kind: Kind::Op(Op::And, smallvec![whole, *conjunct]),
                ty: None,
                span,
            });
        }
        let set = model.tys.intern(Ty::Pow(ty));
        let set = model.exprs.push(Expr {
            kind: Kind::Bind {
                binder: Binder::Comprehension,
                names: vec![name],
                predicate: whole,
                value: None,
                symbolic: false,
            },
            ty: Some(set),
            span,
        });
        match solved(model, set) {
            Ok(values) if values.len() <= MOST => return Ok(values),
            Ok(values) => {
                return Err(format!(
                    "`{shown}` ranges over {} values; at most {MOST} are taken",
                    values.len()
                ));
            }
            Err(why) => {
                return all(model, ty)
                    .ok_or_else(|| format!("the values of `{shown}` cannot be listed: {why}"));
            }
        }
    }
    all(model, ty).ok_or_else(|| {
        format!(
            "the range of `{shown}` depends on the state, and its type has too many values to list; add a conjunct \
             about constants, such as `{shown} : 1..3`"
        )
    })
}

/// The elements of a set in all set-ups.
fn solved(model: &Model, set: ExprId) -> Result<Vec<Inner>, String> {
    let options = Options {
        budget: BUDGET,
        ..Options::default()
    };
    let mut interp = Interp::new(model, options);
    let setups = match model.has_setup {
        true => interp.setups(MOST_SETUPS + 1).map_err(|stop| stop.reason)?,
        false => vec![State::empty(model)],
    };
    if setups.len() > MOST_SETUPS {
        return Err(format!("there are more than {MOST_SETUPS} set-ups"));
    }
    let mut found = Vec::new();
    for setup in &setups {
        match interp.eval(set, setup) {
            Ok(Inner::Set(elements)) => found.extend(elements.iter().cloned()),
            Ok(_) => return Err("it is no set".to_owned()),
            Err(stop) => return Err(stop.reason),
        }
    }
    if !interp.take_notes().cuts.is_empty() {
        return Err("there may be further set-ups".to_owned());
    }
    found.sort();
    found.dedup();
    Ok(found)
}

/// The conjuncts that do not depend on variables.
fn constant_conjuncts(model: &Model, predicate: ExprId) -> Vec<ExprId> {
    let mut found = Vec::new();
    let mut pending = vec![predicate];
    while let Some(id) = pending.pop() {
        if let Kind::Op(Op::And, args) = &model.exprs[id].kind {
            pending.extend(args.iter().rev());
            continue;
        }
        let mut is_constant = true;
        model.walk(id, &mut |expr| {
            if let Kind::Var(var) = expr.kind {
                is_constant &= model.variables[var].is_constant;
            }
        });
        if is_constant {
            found.push(id);
        }
    }
    found
}

/// All values of a small type.
fn all(model: &Model, ty: TyId) -> Option<Vec<Inner>> {
    let found: Vec<Inner> = match &model.tys[ty] {
        Ty::Bool => vec![Inner::Bool(false), Inner::Bool(true)],
        Ty::Sort(sort) => {
            let count = model.tys.sorts[*sort].elements.len() as u32;
            (0..count).map(|at| Inner::Element(*sort, at)).collect()
        }
        Ty::Prod(left, right) => {
            let (left, right) = (all(model, *left)?, all(model, *right)?);
            let pairs = left.iter().flat_map(|a| {
                let second = right.iter();
                second.map(|b| Inner::pair(a.clone(), b.clone()))
            });
            pairs.take(MOST + 1).collect()
        }
        _ => return None,
    };
    (found.len() <= MOST).then_some(found)
}
