//! Finds what a function gives a value to: membership in the range of a rule, and its inverse, without listing it.
//!
//! Technique: the value part of a comprehension equals a name that stands for the value; the planner solves that
//! equation together with the predicate like any other (linear forms, squares, patterns).
//! Invariant: only for comprehensions whose parts always have a value, so that nothing undefined is passed over.

use lang_math::Op;
use model::{Expr, ExprId, Kind, Local, LocalId, Model, TyId};

use super::{ClosureCode, SymKind};
use crate::code::Compiler;
use crate::cx::{Cx, R};
use crate::plan::Plan;
use crate::trap::Trap;
use crate::value::V;

/// How to find the valuations of names by a value.
pub(crate) struct Origins {
    /// What stands for the value.
    given: LocalId,
    plan: Plan,
}

impl Compiler<'_> {
    /// The valuations of the names of a binder for which its value part is (or, of a union, contains) a given value.
    pub(crate) fn origins(&self, binder: ExprId, how: Op) -> Option<Origins> {
        let Kind::Bind {
            names,
            predicate,
            value: Some(value),
            ..
        } = &self.model.exprs[binder].kind
        else {
            return None;
        };
        let is_total = |part: ExprId| self.facts.of(part).total && self.facts.of(part).pure;
        if self.is_nested.get() || !is_total(*predicate) || !is_total(*value) {
            return None;
        }
        let mut model: Model = (*self.shared()).clone();
        let ty = match how {
            Op::Member => self.program.reps.element(self.ty(*value)),
            _ => self.ty(*value),
        };
        let span = model.exprs[binder].span;
        let given = model.locals.push(Local {
            ty,
            span,
            ..model.locals[names[0]].clone()
        });
        let given_value = model.exprs.push(Expr {
            kind: Kind::Local(given),
            ty: Some(ty),
            span,
        });
        let sides = match how {
            Op::Member => [given_value, *value],
            _ => [*value, given_value],
        };
        let equation = model.exprs.push(Expr {
            kind: Kind::Op(how, sides.into()),
            ty: None,
            span,
        });
        let mut conjuncts = self.chain(Op::And, *predicate);
        conjuncts.push(equation);
        let mut inner = Compiler::new(&model, self.program);
        inner.assigned.clone_from(&self.assigned);
        inner.is_nested.set(true);
        // What both keep stands in places of its own.
        inner.memos.set(self.memos.get());
        let plan = inner.plan_of(binder, names, &conjuncts);
        self.memos.set(inner.memos.get());
        Some(Origins { given, plan })
    }
}

impl Origins {
    /// Gives each valuation with this value to `k`; the enumeration is one of its own.
    pub(crate) fn run(
        &self,
        cx: &mut Cx<'_>,
        value: &V,
        k: &mut dyn FnMut(&mut Cx<'_>) -> R<()>,
    ) -> R<()> {
        let at = self.given.index();
        if cx.frame.len() <= at {
            cx.frame.resize(at + 1, V::None);
        }
        let before = std::mem::replace(&mut cx.frame[at], value.clone());
        let result = self.plan.run(cx, k);
        cx.frame[at] = before;
        result
    }

    /// Whether there is a valuation with this value.
    pub(crate) fn exist(&self, cx: &mut Cx<'_>, value: &V) -> R<bool> {
        match self.run(cx, value, &mut |_| Err(Trap::Stop)) {
            Ok(()) => Ok(false),
            Err(Trap::Stop) => Ok(true),
            Err(trap) => Err(trap),
        }
    }
}

impl Cx<'_> {
    /// Whether a closure has this value somewhere, if that can be asked.
    pub(super) fn has_value(&mut self, code: &ClosureCode, env: &[V], x: &V) -> Option<R<bool>> {
        let origins = code.origins.as_ref()?;
        Some(self.in_closure_env(code, env, |cx| origins.exist(cx, x)))
    }

    /// Every argument to which a function of type `ty` gives this value, and perhaps others, sorted.
    pub(crate) fn arguments_for(&mut self, ty: TyId, function: &V, value: &V) -> R<Vec<V>> {
        if let Some(found) = self.origins_of(function, value)? {
            return Ok(found);
        }
        let mut found = match function {
            V::Sym(sym) => match &sym.kind {
                SymKind::Shift(by) => vec![V::big(value.to_big() - by)],
                SymKind::Identity(_) => vec![value.clone()],
                SymKind::Constructor(_, wanted) => match value {
                    V::Free(built, Some(argument)) if built == wanted => {
                        vec![(**argument).clone()]
                    }
                    _ => Vec::new(),
                },
                SymKind::Union(a, b) | SymKind::Override(a, b) => {
                    let mut found = self.arguments_for(ty, a, value)?;
                    found.extend(self.arguments_for(ty, b, value)?);
                    found
                }
                SymKind::Restrict { relation, .. } => self.arguments_for(ty, relation, value)?,
                _ => self.listed_arguments(ty, function, value)?,
            },
            _ => self.listed_arguments(ty, function, value)?,
        };
        found.sort_unstable();
        found.dedup();
        Ok(found)
    }

    fn listed_arguments(&mut self, ty: TyId, function: &V, value: &V) -> R<Vec<V>> {
        let reps = self.reps();
        let pair = reps.element(ty);
        let elements = self.elements(function)?;
        let fits = |one: &&V| {
            let right = reps.right(pair, one);
            // Whether sets that are not listed are equal is asked later.
            right == *value || matches!((&right, value), (V::Sym(_), _) | (_, V::Sym(_)))
        };
        let fitting = elements.iter().filter(fits);
        Ok(fitting.map(|one| reps.left(pair, one)).collect())
    }

    /// The arguments to which a function gives this value, sorted; `None` when that cannot be asked.
    pub(super) fn origins_of(&mut self, function: &V, x: &V) -> R<Option<Vec<V>>> {
        let V::Sym(sym) = function else {
            return Ok(None);
        };
        let SymKind::Closure(code, env) = &sym.kind else {
            return Ok(None);
        };
        let code = &*code.0;
        let Some(origins) = &code.origins else {
            return Ok(None);
        };
        let mut found = Vec::new();
        self.in_closure_env(code, env, |cx| {
            origins.run(cx, x, &mut |cx| {
                found.push(cx.tuple(&code.names, code.tuple));
                Ok(())
            })
        })?;
        found.sort_unstable();
        found.dedup();
        Ok(Some(found))
    }
}
