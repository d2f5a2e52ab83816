//! Comprehensions, lambdas, sums and unions over planned enumerations; closures where there is no end.

use lang_math::{Binder, Op};
use model::{ExprId, Kind, LocalId, TyId};

use super::invariant::keeping;
use super::{Compiler, f};
use crate::cx::F;
use crate::ops::OpTy;
use crate::plan::{Plan, Unknown};
use crate::planner::{Manner, Undefined};
use crate::symbolic::{Closure, ClosureCode, SymKind, sym};
use crate::trap::{Cause, Trap};
use crate::value::V;

impl Compiler<'_> {
    /// The plan of a binder's predicate.
    pub(crate) fn binder_plan(&self, expr: ExprId, names: &[LocalId], predicate: ExprId) -> Plan {
        self.plan_of(expr, names, &self.chain(Op::And, predicate))
    }

    /// The plan of conjuncts over the names of a binder.
    pub(crate) fn plan_of(&self, expr: ExprId, names: &[LocalId], conjuncts: &[ExprId]) -> Plan {
        let signed: Vec<(ExprId, bool)> = conjuncts
            .iter()
            .map(|conjunct| (*conjunct, false))
            .collect();
        self.plan_of_signed(expr, names, &signed)
    }

    /// [`Compiler::plan_of`], of conjuncts some of which are negated.
    pub(crate) fn plan_of_signed(
        &self,
        expr: ExprId,
        names: &[LocalId],
        conjuncts: &[(ExprId, bool)],
    ) -> Plan {
        let unknowns: Vec<Unknown> = names.iter().map(|name| Unknown::Local(*name)).collect();
        self.plan_signed(
            &unknowns,
            &[],
            conjuncts,
            Manner {
                undefined: Undefined::Fault,
                chooses: false,
                relaxed: false,
                place: expr.index() as u32,
            },
        )
    }

    /// A comprehension, lambda, sum, product, union or intersection.
    pub(crate) fn binder(&self, expr: ExprId) -> F<V> {
        let Kind::Bind {
            binder,
            names,
            predicate,
            value,
            symbolic,
        } = &self.model.exprs[expr].kind
        else {
            return f(|_| Err(Cause::External.trap()));
        };
        let reps = &self.program.reps;
        let ty = self.ty(expr);
        let place = expr.index() as u32;
        let formulas: Vec<ExprId> = [*predicate].into_iter().chain(*value).collect();
        let kept = self.keep(names, &formulas);
        let plan = self.binder_plan(expr, names, *predicate);
        let names = names.clone();
        let may_be_endless = plan.may_be_endless
            && !reps[ty].finite
            && matches!(
                binder,
                Binder::Comprehension | Binder::Lambda | Binder::Image
            );
        let listed = match (binder, value) {
            (Binder::Comprehension | Binder::Lambda | Binder::Image, _)
                if *symbolic || plan.unbounded =>
            {
                self.kept(kept);
                return self.closure(expr);
            }
            (Binder::Comprehension, _) | (Binder::Image | Binder::Lambda, None) => {
                let tuple = reps.element(ty);
                f(move |cx| {
                    let mut elements = Vec::new();
                    plan.run(cx, &mut |cx| {
                        elements.push(cx.tuple(&names, tuple));
                        cx.check_size(elements.len())
                    })?;
                    cx.collected(ty, elements)
                })
            }
            (Binder::Image, Some(value)) => {
                let value = self.value(*value);
                f(move |cx| {
                    let mut elements = Vec::new();
                    plan.run(cx, &mut |cx| {
                        elements.push(value(cx)?);
                        cx.check_size(elements.len())
                    })?;
                    cx.collected(ty, elements)
                })
            }
            (Binder::Lambda, Some(value)) => {
                let value = self.value(*value);
                let pair = reps.element(ty);
                let (tuple, _) = reps.parts(pair);
                f(move |cx| {
                    let mut elements = Vec::new();
                    plan.run(cx, &mut |cx| {
                        let argument = cx.tuple(&names, tuple);
                        let value = value(cx)?;
                        elements.push(cx.reps().join(pair, argument, value));
                        cx.check_size(elements.len())
                    })?;
                    cx.collected(ty, elements)
                })
            }
            (Binder::Sum | Binder::Product, Some(value)) => {
                let sum = *binder == Binder::Sum;
                let op = if sum { Op::Add } else { Op::Times };
                let types = OpTy {
                    args: [ty, ty].into_iter().collect(),
                    result: ty,
                };
                let start = match reps[ty].ty {
                    model::Ty::Real => crate::ops::real(if sum { 0.0 } else { 1.0 }),
                    _ => V::Int(i64::from(!sum)),
                };
                let value = self.value(*value);
                f(move |cx| {
                    let mut total = start.clone();
                    plan.run(cx, &mut |cx| {
                        let value = value(cx)?;
                        total = cx.op(op, &types, &[total.clone(), value])?;
                        Ok(())
                    })?;
                    Ok(total)
                })
            }
            (Binder::Union, Some(value)) => {
                let value = self.value(*value);
                f(move |cx| {
                    let mut parts: Vec<(V, u32)> = Vec::new();
                    plan.run(cx, &mut |cx| {
                        let mut joined = (value(cx)?, 0);
                        // Two of one height are joined at once: a union of many small sets is not copied for each of them.
                        while let Some((last, height)) = parts.pop_if(|last| last.1 == joined.1) {
                            joined = (cx.algebra(Op::Union, ty, &last, &joined.0)?, height + 1);
                        }
                        parts.push(joined);
                        Ok(())
                    })?;
                    let Some((mut union, _)) = parts.pop() else {
                        return Ok(cx.reps().empty(ty));
                    };
                    while let Some((part, _)) = parts.pop() {
                        union = cx.algebra(Op::Union, ty, &part, &union)?;
                    }
                    Ok(union)
                })
            }
            (Binder::Inter, Some(value)) => {
                let value = self.value(*value);
                f(move |cx| {
                    let mut result = None;
                    plan.run(cx, &mut |cx| {
                        let value = value(cx)?;
                        result = Some(match &result {
                            None => value,
                            Some(result) => cx.algebra(Op::Intersection, ty, result, &value)?,
                        });
                        Ok(())
                    })?;
                    result.ok_or_else(|| Cause::EmptyIntersection.trap().at(place))
                })
            }
            _ => f(move |_| Err(Cause::External.trap().at(place))),
        };
        let listed = keeping(self.kept(kept), listed);
        if !may_be_endless {
            return listed;
        }
        // A set that the text takes for finite may be infinite when it is met: then this one is a rule too.
        let rule = self.closure_of(expr, true);
        f(move |cx| {
            let before = cx.uncut.replace(place);
            let result = listed(cx);
            cx.uncut = before;
            match result {
                Err(Trap::Endless) => rule(cx),
                result => result,
            }
        })
    }

    /// A comprehension or lambda that is not listed.
    pub(crate) fn closure(&self, expr: ExprId) -> F<V> {
        self.closure_of(expr, false)
    }

    /// [`Compiler::closure`], of one that is known to have no end.
    fn closure_of(&self, expr: ExprId, endless: bool) -> F<V> {
        if let Some(known) = self.closures.borrow().get(&(expr, endless)) {
            return known.clone();
        }
        let code = self.without_kept(|| self.new_closure(expr, endless));
        self.closures
            .borrow_mut()
            .insert((expr, endless), code.clone());
        code
    }

    fn new_closure(&self, expr: ExprId, endless: bool) -> F<V> {
        let Kind::Bind {
            binder,
            names,
            predicate,
            value,
            ..
        } = &self.model.exprs[expr].kind
        else {
            return self.value(expr);
        };
        let reps = &self.program.reps;
        let ty = self.ty(expr);
        let tuple = match binder {
            Binder::Comprehension => reps.element(ty),
            Binder::Lambda => reps.sides(ty).0,
            _ => self.tuple_ty(names),
        };
        let fact = self.facts.of(expr);
        let slots: Vec<usize> = fact
            .vars
            .iter()
            .filter(|var| !self.model.variables[**var].is_constant)
            .map(|var| var.index())
            .collect();
        let locals = fact.locals.clone();
        let images = match (binder, names.as_slice()) {
            (Binder::Comprehension, [_, .., last]) => {
                Some(self.binder_plan(expr, &[*last], *predicate))
            }
            _ => None,
        };
        let mut plan = self.binder_plan(expr, names, *predicate);
        plan.unbounded |= endless;
        let origins = match plan.unbounded {
            true => self.origins(expr, Op::Equal),
            false => None,
        };
        let tuples = match plan.unbounded {
            true => self.tuples_of(expr),
            false => None,
        };
        let code = Closure(std::sync::Arc::new(ClosureCode {
            id: expr.index() as u32,
            binder: *binder,
            names: names.clone(),
            tuple,
            predicate: self.predicate(*predicate),
            value: value.map(|value| self.value(value)),
            is_constant: value.is_some_and(|value| {
                let read = &self.facts.of(value).locals;
                !names.iter().any(|name| read.contains(name))
            }),
            plan,
            images,
            origins: origins.map(std::sync::Arc::new),
            tuples,
            ranges: self.ranges(names, *predicate, tuple),
            locals: locals.clone(),
            slots: slots.clone(),
            inner: fact.inner.clone(),
        }));
        f(move |cx| {
            let mut env = Vec::with_capacity(locals.len() + slots.len());
            for local in &locals {
                env.push(cx.frame[local.index()].clone());
            }
            for slot in &slots {
                env.push(cx.slot(*slot));
            }
            Ok(sym(ty, SymKind::Closure(code.clone(), env.into())))
        })
    }

    /// `S * T` when a predicate is `x : S & y : T`, whatever the order.
    fn ranges(&self, names: &[LocalId], predicate: ExprId, tuple: TyId) -> Option<F<V>> {
        let mut sets: Vec<Option<ExprId>> = vec![None; names.len()];
        for conjunct in self.chain(Op::And, predicate) {
            let Kind::Op(Op::Member, args) = &self.model.exprs[conjunct].kind else {
                return None;
            };
            let Kind::Local(local) = self.model.exprs[args[0]].kind else {
                return None;
            };
            let position = names.iter().position(|name| *name == local)?;
            let free = &self.facts.of(args[1]).locals;
            if names.iter().any(|name| free.contains(name)) {
                return None;
            }
            if sets[position].replace(args[1]).is_some() {
                return None;
            }
        }
        let mut ty = tuple;
        let mut types = Vec::new();
        for _ in 1..names.len() {
            types.push(self.program.reps.find(&model::Ty::Pow(ty))?);
            ty = self.program.reps.parts(ty).0;
        }
        let mut sets = sets.into_iter();
        let mut product = self.lazy(sets.next()??);
        for set in sets {
            let (left, right) = (product, self.lazy(set?));
            let ty = types.pop()?;
            product = f(move |cx| {
                let left = left(cx)?;
                let right = right(cx)?;
                Ok(sym(ty, SymKind::Product(left, right)))
            });
        }
        Some(product)
    }

    /// The type of the tuple of names, when the model has it; the first name's otherwise.
    fn tuple_ty(&self, names: &[LocalId]) -> TyId {
        let mut tuple = None;
        for name in names {
            let ty = self.model.locals[*name].ty;
            tuple = match tuple {
                None => Some(ty),
                Some(left) => self
                    .model
                    .tys
                    .find(&model::Ty::Prod(left, ty))
                    .or(Some(left)),
            };
        }
        tuple.unwrap_or_else(|| TyId::new(0))
    }
}

impl crate::cx::Cx<'_> {
    fn check_size(&self, size: usize) -> crate::cx::R<()> {
        if size > self.program.max_set {
            return Err(Cause::TooLarge.trap());
        }
        Ok(())
    }
}
