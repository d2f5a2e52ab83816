//! Predicates as `bool` closures.
//!
//! Membership never builds its right side: masks are tested bit by bit, spaces of functions by looking at
//! the relation, infinite sets by their form.

use lang_math::{Binder, Op};
use model::{ExprId, Kind};

use super::integers::Form;
use super::invariant::keeping;
use super::{Compiler, IntCode, Mask, f, fixed};
use crate::cx::{Cx, F, R};
use crate::guarded::Guarded;
use crate::pointwise::undecided;
use crate::rep::Rep;
use crate::symbolic::{Space, SymKind, sym};
use crate::trap::{Cause, Trap};
use crate::value::{Held, V};

impl Compiler<'_> {
    /// The code of a predicate.
    pub(crate) fn predicate(&self, expr: ExprId) -> F<bool> {
        let mut code = self.level(|| self.predicate_of(expr));
        if let Kind::Op(op, sides) = &self.model.exprs[expr].kind
            && op.compares_values()
            && self.compares_rules(sides)
        {
            code = self.deciding(expr, code);
        }
        self.recalled_predicate(expr, code)
    }

    /// The operands of a chain of one associative operator, in order.
    pub(crate) fn chain(&self, op: Op, expr: ExprId) -> Vec<ExprId> {
        let mut parts = Vec::new();
        let mut todo = vec![expr];
        while let Some(next) = todo.pop() {
            match &self.model.exprs[next].kind {
                Kind::Op(found, args) if *found == op => todo.extend(args.iter().rev()),
                _ => parts.push(next),
            }
        }
        parts
    }

    /// Whether two expressions have the same text, as far as they are made of operators and names.
    pub(crate) fn same(&self, a: ExprId, b: ExprId) -> bool {
        base::deep::recurse(
            || match (&self.model.exprs[a].kind, &self.model.exprs[b].kind) {
                (Kind::Int(x), Kind::Int(y)) => x == y,
                (Kind::Str(x), Kind::Str(y)) => x == y,
                (Kind::Element(s, x), Kind::Element(t, y)) => s == t && x == y,
                (Kind::Carrier(x), Kind::Carrier(y)) => x == y,
                (Kind::FreeSet(x), Kind::FreeSet(y)) => x == y,
                (Kind::Constructor(s, x), Kind::Constructor(t, y)) => s == t && x == y,
                (Kind::Var(x), Kind::Var(y)) => x == y,
                (Kind::Local(x), Kind::Local(y)) => x == y,
                (Kind::Op(x, xs), Kind::Op(y, ys)) => {
                    x == y
                        && xs.len() == ys.len()
                        && xs.iter().zip(ys).all(|(x, y)| self.same(*x, *y))
                }
                (Kind::Apply(f, x), Kind::Apply(g, y)) => self.same(*f, *g) && self.same(*x, *y),
                (Kind::Field(x, f), Kind::Field(y, g)) => f == g && self.same(*x, *y),
                _ => false,
            },
        )
    }

    fn predicate_of(&self, expr: ExprId) -> F<bool> {
        use Op::*;
        let place = expr.index() as u32;
        match &self.model.exprs[expr].kind {
            Kind::Op(op, args) => match (*op, args.as_slice()) {
                (Truth, _) => fixed(true),
                (Falsity, _) => fixed(false),
                (And, _) => self.conjunction(&self.chain(And, expr)),
                (Or, _) => {
                    let parts: Vec<F<bool>> = self
                        .chain(Or, expr)
                        .iter()
                        .map(|part| self.predicate(*part))
                        .collect();
                    if let [a, b] = parts.as_slice() {
                        let (a, b) = (a.clone(), b.clone());
                        return f(move |cx| match a(cx) {
                            Ok(true) => Ok(true),
                            Ok(false) => b(cx),
                            Err(trap) => cx.unless_decided(trap, std::slice::from_ref(&b), true),
                        });
                    }
                    f(move |cx| {
                        for (i, part) in parts.iter().enumerate() {
                            match part(cx) {
                                Ok(true) => return Ok(true),
                                Ok(false) => {}
                                Err(trap) => return cx.unless_decided(trap, &parts[i + 1..], true),
                            }
                        }
                        Ok(false)
                    })
                }
                (Implies, [a, b]) => {
                    let (a, b) = (self.predicate(*a), self.predicate(*b));
                    f(move |cx| match a(cx) {
                        Ok(true) => b(cx),
                        Ok(false) => Ok(true),
                        Err(trap) => cx.unless_decided(trap, std::slice::from_ref(&b), true),
                    })
                }
                (Equivalent, [a, b]) => {
                    let (a, b) = (self.predicate(*a), self.predicate(*b));
                    f(move |cx| {
                        let a = a(cx)?;
                        Ok(a == b(cx)?)
                    })
                }
                (Not, [a]) => negate(self.predicate(*a)),
                (Equal, [a, b]) => self.equality(*a, *b),
                (NotEqual, [a, b]) => negate(self.equality(*a, *b)),
                (Member, [a, b]) => self.membership(*a, *b, place),
                (NotMember, [a, b]) => negate(self.membership(*a, *b, place)),
                (Subset, [a, b]) => self.inclusion(*a, *b, false),
                (NotSubset, [a, b]) => negate(self.inclusion(*a, *b, false)),
                (StrictSubset, [a, b]) => self.inclusion(*a, *b, true),
                (NotStrictSubset, [a, b]) => negate(self.inclusion(*a, *b, true)),
                (Less | LessEqual | Greater | GreaterEqual, [a, b]) => self.comparison(*op, *a, *b),
                (Finite, [a]) => {
                    let set = self.lazy(*a);
                    f(move |cx| {
                        let set = set(cx)?;
                        let infinite = cx.is_endless(&set).map_err(|trap| trap.at(place))?;
                        Ok(!infinite)
                    })
                }
                (Partition, args) => self.partition(args),
                _ => f(move |_| Err(Cause::External.trap().at(place))),
            },
            Kind::Bind {
                binder: Binder::Forall,
                names,
                predicate,
                ..
            } => self.forall(expr, names, *predicate),
            Kind::Bind {
                binder: Binder::Exists,
                names,
                predicate,
                ..
            } => self.exists(expr, names, *predicate),
            Kind::If(condition, yes, no) => {
                let condition = self.predicate(*condition);
                let (yes, no) = (self.predicate(*yes), self.predicate(*no));
                f(move |cx| if condition(cx)? { yes(cx) } else { no(cx) })
            }
            Kind::Let(local, value, body) => {
                let local = local.index();
                let (value, body) = (self.value(*value), self.predicate(*body));
                f(move |cx| {
                    cx.frame[local] = value(cx)?;
                    body(cx)
                })
            }
            Kind::External(..) => {
                let value = self.general(expr);
                f(move |cx| Ok(value(cx)?.word() != 0))
            }
            _ => {
                // A boolean expression where a predicate stands.
                let value = self.general(expr);
                f(move |cx| Ok(value(cx)?.word() != 0))
            }
        }
    }

    /// A predicate or its negation.
    pub(crate) fn signed(&self, expr: ExprId, negated: bool) -> F<bool> {
        let predicate = self.predicate(expr);
        if negated {
            negate(predicate)
        } else {
            predicate
        }
    }

    /// Conjuncts one after the other.
    pub(crate) fn conjunction(&self, conjuncts: &[ExprId]) -> F<bool> {
        let parts: Vec<F<bool>> = conjuncts.iter().map(|part| self.predicate(*part)).collect();
        match parts.as_slice() {
            [a] => a.clone(),
            _ => f(move |cx| {
                for (i, part) in parts.iter().enumerate() {
                    match part(cx) {
                        Ok(true) => {}
                        Ok(false) => return Ok(false),
                        Err(trap) if cx.pruning && trap.is_undefined() => {
                            // A later conjunct that is false refutes them all.
                            for later in &parts[i + 1..] {
                                if later(cx) == Ok(false) {
                                    return Ok(false);
                                }
                            }
                            return Err(trap);
                        }
                        Err(trap) => return cx.unless_decided(trap, &parts[i + 1..], false),
                    }
                }
                Ok(true)
            }),
        }
    }

    fn equality(&self, a: ExprId, b: ExprId) -> F<bool> {
        match self.rep(a) {
            Rep::Word => {
                for (literal, other) in [(b, a), (a, b)] {
                    let Some(code) = self.literal_word(literal) else {
                        continue;
                    };
                    if let Kind::Var(var) = &self.model.exprs[other].kind
                        && self.program.reps[self.ty(other)].is_direct()
                    {
                        let slot = var.index();
                        return f(move |cx| Ok(u64::from(cx.state[slot]) == code));
                    }
                    let other = self.word(other);
                    return f(move |cx| Ok(other(cx)? == code));
                }
                let (a, b) = (self.word(a), self.word(b));
                f(move |cx| {
                    let a = a(cx)?;
                    Ok(a == b(cx)?)
                })
            }
            Rep::Wide => {
                let (a, b) = (self.wide(a), self.wide(b));
                f(move |cx| {
                    let a = a(cx)?;
                    Ok(a == b(cx)?)
                })
            }
            Rep::Int => compare(Op::Equal, &self.int(a), &self.int(b)),
            Rep::Tree => {
                let place = a.index() as u32;
                let (a, b) = (self.value(a), self.value(b));
                f(move |cx| {
                    let a = a(cx)?;
                    let b = b(cx)?;
                    cx.equal(&a, &b).map_err(|trap| trap.at(place))
                })
            }
        }
    }

    fn comparison(&self, op: Op, a: ExprId, b: ExprId) -> F<bool> {
        if self.rep(a) == Rep::Int {
            return compare(op, &self.int(a), &self.int(b));
        }
        let (a, b) = (self.value(a), self.value(b));
        f(move |cx| {
            let a = a(cx)?.real();
            let b = b(cx)?.real();
            Ok(match op {
                Op::Less => a < b,
                Op::LessEqual => a <= b,
                Op::Greater => a > b,
                _ => a >= b,
            })
        })
    }

    /// `x : S`.
    pub(crate) fn membership(&self, element: ExprId, set: ExprId, place: u32) -> F<bool> {
        use Op::*;
        let fast = match &self.model.exprs[set].kind {
            Kind::Op(op, args) => match (*op, args.as_slice()) {
                (Interval, [low, high]) => {
                    Some(self.between(self.int(element), self.int(*low), self.int(*high)))
                }
                (Naturals, _) => Some(compare(
                    GreaterEqual,
                    &self.int(element),
                    &IntCode::literal(0),
                )),
                (Naturals1, _) => Some(compare(
                    GreaterEqual,
                    &self.int(element),
                    &IntCode::literal(1),
                )),
                (Int, _) => Some(self.between_literals(element, self.model.min_int)),
                (Nat, _) => Some(self.between_literals(element, 0)),
                (Nat1, _) => Some(self.between_literals(element, 1)),
                (Integers | Strings | Reals | Floats | Booleans, _) => Some(self.only(element)),
                (Union | Intersection | SetMinus, [a, b])
                    if self.rep(set) == Rep::Tree
                        && self.facts.of(element).total
                        && self.facts.of(set).total =>
                {
                    let (a, b) = (
                        self.membership(element, *a, place),
                        self.membership(element, *b, place),
                    );
                    Some(match op {
                        Union => f(move |cx| {
                            let inside = a(cx);
                            cx.or(inside, |cx| b(cx))
                        }),
                        Intersection => f(move |cx| {
                            let inside = a(cx);
                            cx.and(inside, |cx| b(cx))
                        }),
                        _ => f(move |cx| {
                            let inside = a(cx);
                            cx.and(inside, |cx| Ok(!b(cx)?))
                        }),
                    })
                }
                (PowerSet | FiniteSubsets, [of])
                    if matches!(self.rep(element), Rep::Word | Rep::Wide) =>
                {
                    Some(self.inclusion(element, *of, false))
                }
                (arrow, [from, to]) if arrow.is_arrow() => match self.rep(element) {
                    Rep::Word => self.space_test::<u64>(*op, element, *from, *to),
                    Rep::Wide => self.space_test::<u128>(*op, element, *from, *to),
                    _ => None,
                },
                _ => None,
            },
            Kind::Carrier(_) | Kind::FreeSet(_) => Some(self.only(element)),
            _ => None,
        };
        if let Some(fast) = fast.or_else(|| self.in_union(element, set, place)) {
            return fast;
        }
        match self.rep(set) {
            Rep::Word => self.bit_test::<u64>(element, set),
            Rep::Wide => self.bit_test::<u128>(element, set),
            _ => {
                let code = self.value(element);
                let (element, tested) = (code.clone(), self.tested(set));
                let general = f(move |cx| {
                    let element = element(cx)?;
                    let set = tested(cx)?;
                    cx.member(&element, &set).map_err(|trap| trap.at(place))
                });
                self.row_membership(&code, (set, place), general)
            }
        }
    }

    /// `x : UNION(y).(P|E)` where the union has no end: some `y` has an `E` with `x` in it.
    fn in_union(&self, element: ExprId, set: ExprId, place: u32) -> Option<F<bool>> {
        let Kind::Bind {
            binder: Binder::Union,
            names,
            predicate,
            ..
        } = &self.model.exprs[set].kind
        else {
            return None;
        };
        if self.rep(set) != Rep::Tree || !self.binder_plan(set, names, *predicate).unbounded {
            return None;
        }
        let origins = self.origins(set, Op::Member)?;
        let element = self.value(element);
        Some(f(move |cx| {
            let element = element(cx)?;
            origins.exist(cx, &element).map_err(|trap| trap.at(place))
        }))
    }

    /// A set that is only tested for membership: a comprehension that cannot fault is not built.
    pub(super) fn tested(&self, set: ExprId) -> F<V> {
        if let Kind::Bind {
            binder: Binder::Comprehension,
            ..
        } = &self.model.exprs[set].kind
            && self.facts.of(set).total
        {
            return self.closure(set);
        }
        // Of the second side of a space of functions only the values of the function are asked.
        if let Kind::Op(op, sides) = &self.model.exprs[set].kind
            && let (op, [from, to]) = (*op, sides.as_slice())
            && op.is_arrow()
            && !Space::of(op).surjective
            && self.rep(set) == Rep::Tree
        {
            let ty = self.ty(set);
            let (from, to) = (self.lazy(*from), self.tested(*to));
            return f(move |cx| {
                let from = from(cx)?;
                let to = to(cx)?;
                Ok(sym(ty, SymKind::Space { op, from, to }))
            });
        }
        self.lazy(set)
    }

    fn bit_test<M: Mask>(&self, element: ExprId, set: ExprId) -> F<bool> {
        let (element, set) = (self.word(element), M::code(self, set));
        f(move |cx| {
            let element = element(cx)?;
            Ok(set(cx)?.test(element))
        })
    }

    /// Evaluates an expression whose value is surely in the set.
    fn only(&self, element: ExprId) -> F<bool> {
        if self.facts.of(element).total {
            return fixed(true);
        }
        let element = self.value(element);
        f(move |cx| {
            element(cx)?;
            Ok(true)
        })
    }

    fn between_literals(&self, element: ExprId, low: i64) -> F<bool> {
        self.between(
            self.int(element),
            IntCode::literal(low),
            IntCode::literal(self.model.max_int),
        )
    }

    fn between(&self, x: IntCode, low: IntCode, high: IntCode) -> F<bool> {
        let (slow_x, slow_low, slow_high) = (x.slow.clone(), low.slow.clone(), high.slow.clone());
        let exact = f(move |cx| {
            let x = slow_x(cx)?;
            let low = slow_low(cx)?;
            let high = slow_high(cx)?;
            Ok(x.cmp_number(&low).is_ge() && x.cmp_number(&high).is_le())
        });
        let fast: F<bool> = match (low.form, high.form) {
            (Form::Literal(low), Form::Literal(high)) => {
                f(move |cx| Ok((low..=high).contains(&(x.fast)(cx)?)))
            }
            _ => f(move |cx| {
                let x = (x.fast)(cx)?;
                let low = (low.fast)(cx)?;
                let high = (high.fast)(cx)?;
                Ok(low <= x && x <= high)
            }),
        };
        exactly(fast, exact)
    }

    fn space_test<M: Mask>(
        &self,
        op: Op,
        relation: ExprId,
        from: ExprId,
        to: ExprId,
    ) -> Option<F<bool>> {
        let m = self.matrix(self.ty(relation))?;
        let space = Space::of(op);
        let relation = M::code(self, relation);
        let (from, to) = (self.word(from), self.word(to));
        Some(f(move |cx| {
            let relation = relation(cx)?;
            let from = from(cx)?;
            let to = to(cx)?;
            Ok(m.in_space(space, relation, from, to))
        }))
    }

    pub(crate) fn inclusion(&self, a: ExprId, b: ExprId, strict: bool) -> F<bool> {
        match self.rep(a) {
            Rep::Word => self.mask_inclusion::<u64>(a, b, strict),
            Rep::Wide => self.mask_inclusion::<u128>(a, b, strict),
            _ => {
                let ty = self.ty(a);
                let place = a.index() as u32;
                let (code, of) = (self.lazy(a), b);
                let (a, b) = (code.clone(), self.lazy(b));
                let general = f(move |cx| {
                    let a = a(cx)?;
                    let b = b(cx)?;
                    let holds = cx.subset(ty, &a, &b);
                    let holds = cx.and(holds, |cx| Ok(!strict || !cx.equal(&a, &b)?));
                    holds.map_err(|trap| trap.at(place))
                });
                match self.program.reps[ty].held {
                    Some(Held::Integers) if !strict => {
                        self.row_inclusion(&code, of, place, general)
                    }
                    _ => general,
                }
            }
        }
    }

    fn mask_inclusion<M: Mask>(&self, a: ExprId, b: ExprId, strict: bool) -> F<bool> {
        let (a, b) = (M::code(self, a), M::code(self, b));
        f(move |cx| {
            let a = a(cx)?;
            let b = b(cx)?;
            Ok(a & !b == M::ZERO && (!strict || a != b))
        })
    }

    fn partition(&self, args: &[ExprId]) -> F<bool> {
        let Some((whole, parts)) = args.split_first() else {
            return fixed(true);
        };
        let ty = self.ty(*whole);
        let whole = self.value(*whole);
        let parts: Vec<F<V>> = parts.iter().map(|part| self.value(*part)).collect();
        f(move |cx| {
            let whole = whole(cx)?;
            let mut values = Vec::with_capacity(parts.len());
            for part in &parts {
                values.push(part(cx)?);
            }
            let mut union = cx.reps().empty(ty);
            let mut apart = Ok(true);
            for value in &values {
                let common = cx.algebra(Op::Intersection, ty, &union, value)?;
                apart = cx.and(apart, |cx| cx.is_empty_set(&common));
                union = cx.algebra(Op::Union, ty, &union, value)?;
            }
            cx.and(apart, |cx| cx.equal(&union, &whole))
        })
    }

    fn exists(&self, expr: ExprId, names: &[model::LocalId], predicate: ExprId) -> F<bool> {
        let kept = self.keep(names, &[predicate]);
        let plan = self.binder_plan(expr, names, predicate);
        let kept = self.kept(kept);
        let (total, unbounded) = (plan.total, plan.unbounded);
        let code = f(move |cx| {
            let mut found = false;
            let unsure = plan
                .run_pruning(cx, &mut |cx| {
                    found = true;
                    if total || cx.pruning {
                        Err(Trap::Stop)
                    } else {
                        Ok(())
                    }
                })
                .or_else(|trap| stopped(trap, found))?;
            if unsure && !found {
                return Err(undecided());
            }
            Ok(found)
        });
        let code = keeping(kept, code);
        match unbounded {
            true => self.deciding(expr, self.looking_near(names, predicate, true, code)),
            false => code,
        }
    }

    fn forall(&self, expr: ExprId, names: &[model::LocalId], predicate: ExprId) -> F<bool> {
        let mut conjuncts = Vec::new();
        let mut body = predicate;
        while let Kind::Op(Op::Implies, sides) = &self.model.exprs[body].kind {
            conjuncts.extend(self.chain(Op::And, sides[0]));
            body = sides[1];
        }
        let kept = self.keep(names, &[predicate]);
        let plan = self.plan_of(expr, names, &conjuncts);
        let has_value = self.has_value_after(body, &conjuncts);
        if plan.unbounded && (has_value || self.body_bounds(expr, names, &conjuncts, body)) {
            // Where it is false, the body may bound the names.
            let refuting = self.refuting(expr, names, &conjuncts, body);
            let refuting = keeping(self.kept(kept), refuting);
            let near = self.looking_near(names, predicate, false, refuting);
            return self.deciding(expr, near);
        }
        let total = plan.total && has_value;
        let unbounded = plan.unbounded;
        let body = self.predicate(body);
        let kept = self.kept(kept);
        let code = f(move |cx| {
            let mut holds = true;
            let unsure = plan
                .run_pruning(cx, &mut |cx| {
                    match body(cx) {
                        Ok(true) => return Ok(()),
                        Ok(false) => holds = false,
                        Err(trap) if cx.pruning && trap.is_undefined() => {
                            cx.unsure = true;
                            return Ok(());
                        }
                        Err(trap) if trap.is_unknown() => {
                            cx.doubt(trap);
                            return Ok(());
                        }
                        Err(trap) => return Err(trap),
                    }
                    if total || cx.pruning {
                        Err(Trap::Stop)
                    } else {
                        Ok(())
                    }
                })
                .or_else(|trap| stopped(trap, !holds))?;
            if unsure && holds {
                return Err(undecided());
            }
            Ok(holds)
        });
        let code = keeping(kept, code);
        match unbounded {
            true => self.deciding(expr, self.looking_near(names, predicate, false, code)),
            false => code,
        }
    }
}

impl Compiler<'_> {
    /// Whether a formula has a value wherever these are true.
    fn has_value_after(&self, formula: ExprId, conjuncts: &[ExprId]) -> bool {
        let mut known = Guarded::new(self);
        for conjunct in conjuncts {
            known.assume(*conjunct, false);
        }
        known.has_value(formula)
    }

    /// Whether the names have bounds where a body is false, by parts of it that always have a value and stand before all
    /// others: elsewhere the body is true, whatever comes after them.
    fn body_bounds(
        &self,
        expr: ExprId,
        names: &[model::LocalId],
        conjuncts: &[ExprId],
        body: ExprId,
    ) -> bool {
        let is_total = |conjunct: &ExprId| self.facts.of(*conjunct).total;
        if !conjuncts.iter().all(is_total) {
            return false;
        }
        let mut signed: Vec<(ExprId, bool)> = conjuncts.iter().map(|c| (*c, false)).collect();
        let before = signed.len();
        let refuted = self.split_signed(&[(body, true)]);
        signed.extend(refuted.into_iter().take_while(|(part, _)| is_total(part)));
        signed.len() > before && !self.plan_of_signed(expr, names, &signed).unbounded
    }

    /// A universal quantifier by a search for a counterexample; the body has a value for all that the conjuncts leave.
    fn refuting(
        &self,
        expr: ExprId,
        names: &[model::LocalId],
        conjuncts: &[ExprId],
        body: ExprId,
    ) -> F<bool> {
        let mut signed: Vec<(ExprId, bool)> = conjuncts
            .iter()
            .map(|conjunct| (*conjunct, false))
            .collect();
        signed.push((body, true));
        let plan = self.plan_of_signed(expr, names, &signed);
        let total = plan.total;
        f(move |cx| {
            let mut holds = true;
            let unsure = plan
                .run_pruning(cx, &mut |cx| {
                    holds = false;
                    if total || cx.pruning {
                        Err(Trap::Stop)
                    } else {
                        Ok(())
                    }
                })
                .or_else(|trap| stopped(trap, !holds))?;
            if unsure && holds {
                return Err(undecided());
            }
            Ok(holds)
        })
    }
}

/// A search that was ended on purpose, or that has its answer whatever it did not look at, is a success.
fn stopped(trap: Trap, is_decided: bool) -> R<bool> {
    match trap {
        Trap::Stop => Ok(false),
        trap if is_decided && trap.is_unknown() => Ok(false),
        trap => Err(trap),
    }
}

fn negate(predicate: F<bool>) -> F<bool> {
    f(move |cx| Ok(!predicate(cx)?))
}

/// The fast test, or the exact one where a word was too small.
fn exactly(fast: F<bool>, exact: F<bool>) -> F<bool> {
    f(move |cx| match fast(cx) {
        Err(Trap::Overflow) => exact(cx),
        result => result,
    })
}

/// Compares integers.
pub(crate) fn compare(op: Op, a: &IntCode, b: &IntCode) -> F<bool> {
    let (x, y) = (a.slow.clone(), b.slow.clone());
    let exact = move |cx: &mut Cx<'_>| {
        let x = x(cx)?;
        let y = y(cx)?;
        let order = x.cmp_number(&y);
        Ok(match op {
            Op::Less => order.is_lt(),
            Op::LessEqual => order.is_le(),
            Op::Greater => order.is_gt(),
            Op::GreaterEqual => order.is_ge(),
            _ => order.is_eq(),
        })
    };
    match op {
        Op::Less => with(a, b, exact, |x, y| x < y),
        Op::LessEqual => with(a, b, exact, |x, y| x <= y),
        Op::Greater => with(a, b, exact, |x, y| x > y),
        Op::GreaterEqual => with(a, b, exact, |x, y| x >= y),
        _ => with(a, b, exact, |x, y| x == y),
    }
}

fn with(
    a: &IntCode,
    b: &IntCode,
    exact: impl Fn(&mut Cx<'_>) -> R<bool> + Send + Sync + 'static,
    test: impl Fn(i64, i64) -> bool + Send + Sync + 'static,
) -> F<bool> {
    if let (Form::Slot(slot), Form::Literal(value)) = (a.form, b.form) {
        return f(move |cx| match cx.int(slot) {
            Ok(x) => Ok(test(x, value)),
            Err(Trap::Overflow) => exact(cx),
            Err(trap) => Err(trap),
        });
    }
    let (a, b) = (a.fast.clone(), b.fast.clone());
    f(move |cx| {
        let x = match a(cx) {
            Ok(x) => x,
            Err(Trap::Overflow) => return exact(cx),
            Err(trap) => return Err(trap),
        };
        match b(cx) {
            Ok(y) => Ok(test(x, y)),
            Err(Trap::Overflow) => exact(cx),
            Err(trap) => Err(trap),
        }
    })
}
