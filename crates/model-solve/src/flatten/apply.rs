//! Application of functions that are not known, or to arguments that are not known.

use std::rc::Rc;

use lang_math::{Binder, Op};
use model::{ExprId, Kind, LocalId, Value};

use super::equality::split;
use super::{Flatten, Giveup, Res};
use crate::flat::{Lin, Lit, Rel};
use crate::sym::{Sym, elements, parts};

impl Flatten<'_> {
    pub(super) fn apply(&mut self, expr: ExprId, function: ExprId, argument: ExprId) -> Res<Sym> {
        match self.kind(function) {
            Kind::Op(op @ (Op::Projection1 | Op::Projection2), _) => {
                let pair = self.eval(argument)?;
                let (left, right) = split(&pair).ok_or(Giveup::Unknown(expr))?;
                return Ok(if *op == Op::Projection1 { left } else { right });
            }
            Kind::Op(op @ (Op::Prj1 | Op::Prj2), sets) => {
                let pair = self.eval(argument)?;
                let (left, right) = split(&pair).ok_or(Giveup::Unknown(expr))?;
                let a = self.member_of(&left, sets[0])?;
                let b = self.member_of(&right, sets[1])?;
                let def = self.problem.and([a, b]);
                self.defs.push(def);
                return Ok(if *op == Op::Prj1 { left } else { right });
            }
            Kind::Op(op @ (Op::Successor | Op::Predecessor), _) => {
                let number = self.eval(argument)?;
                let number = self.lin(&number)?;
                let one = if *op == Op::Successor { 1 } else { -1 };
                let next = number.plus(1, &Lin::number(one)).ok_or(Giveup::TooLarge)?;
                return Ok(Sym::int(next));
            }
            Kind::Bind {
                binder: Binder::Lambda,
                names,
                predicate,
                value: Some(value),
                ..
            } => {
                let argument = self.eval(argument)?;
                let (predicate, value) = (*predicate, *value);
                return self.bound_to_parts(expr, names, argument, |solver| {
                    solver.applied(predicate, value)
                });
            }
            _ => {}
        }
        let f = self.eval(function)?;
        let x = self.eval(argument)?;
        self.apply_to(expr, &f, &x)
    }

    /// Does something while the names of a binder stand for the parts of a value, nested to the left as tuples are. A value that
    /// has no such parts leaves `expr` unknown.
    pub(super) fn bound_to_parts<T>(
        &mut self,
        expr: ExprId,
        names: &[LocalId],
        value: Sym,
        task: impl FnOnce(&mut Self) -> Res<T>,
    ) -> Res<T> {
        let mut rest = value;
        let mut bound = Vec::new();
        for name in names.iter().skip(1).rev() {
            let (left, right) = split(&rest).ok_or(Giveup::Unknown(expr))?;
            bound.push((*name, right));
            rest = left;
        }
        bound.push((names[0], rest));
        let bound = bound.into_iter();
        let old: Vec<_> = bound
            .map(|(name, value)| (name, self.locals.insert(name, value)))
            .collect();
        let result = task(self);
        self.restore(old);
        result
    }

    /// Gives names back what they stood for.
    pub(super) fn restore(&mut self, old: Vec<(LocalId, Option<Sym>)>) {
        for (name, old) in old {
            match old {
                Some(old) => self.locals.insert(name, old),
                None => self.locals.remove(&name),
            };
        }
    }

    /// `(f ; %x.(P | E))` for a function `f`: the lambda, which need not have an end, is applied to the values of `f`.
    pub(super) fn compose_rule(
        &mut self,
        expr: ExprId,
        entries: &[(Value, Lit, Sym)],
        (names, predicate, body): (&[LocalId], ExprId, ExprId),
    ) -> Res<Sym> {
        let mut found = Vec::with_capacity(entries.len());
        for (argument, present, value) in entries {
            let ((inside, value), def) = self.with_defs(|this| {
                this.bound_to_parts(expr, names, value.clone(), |this| {
                    let test = this.predicate(predicate)?;
                    this.defs.push(test.def);
                    let value = this.guarded(test.truth, body)?;
                    Ok((test.truth, value))
                })
            })?;
            let def = self.problem.or([!*present, def]);
            self.defs.push(def);
            let lit = self.problem.and([*present, inside]);
            found.push((argument.clone(), lit, value));
        }
        Ok(self.function(found))
    }

    fn applied(&mut self, predicate: ExprId, value: ExprId) -> Res<Sym> {
        let test = self.predicate(predicate)?;
        self.defs.push(test.def);
        self.defs.push(test.truth);
        self.guarded(test.truth, value)
    }

    pub(super) fn apply_to(&mut self, expr: ExprId, f: &Sym, x: &Sym) -> Res<Sym> {
        if let (Sym::Known(f), Sym::Known(x)) = (f, x) {
            let pairs = elements(f);
            let from = pairs.partition_point(|pair| parts(pair).is_some_and(|p| p.0 < x));
            let mut images = pairs[from..]
                .iter()
                .filter_map(parts)
                .take_while(|pair| pair.0 == x);
            return match (images.next(), images.next()) {
                (Some((_, value)), None) => Ok(Sym::Known(value.clone())),
                _ => self.undefined(expr),
            };
        }
        if let (Sym::Function(entries), Sym::Known(x)) = (f, x) {
            return match entries.binary_search_by(|entry| entry.0.cmp(x)) {
                Ok(at) => {
                    self.defs.push(entries[at].1);
                    Ok(entries[at].2.clone())
                }
                Err(_) => self.undefined(expr),
            };
        }
        if let Sym::Function(entries) = f {
            let entries = entries.clone();
            return self.select_argument(expr, &entries, x);
        }
        if let Sym::Known(f) = f
            && let Some(entries) = functional(f)
        {
            return self.select_argument(expr, &entries, x);
        }
        self.apply_relation(expr, f, x)
    }

    fn undefined(&mut self, expr: ExprId) -> Res<Sym> {
        self.defs.push(Lit::False);
        let ty = self.ty(expr);
        self.any(ty).map(Sym::Known).ok_or(Giveup::Unknown(expr))
    }

    fn select_argument(
        &mut self,
        expr: ExprId,
        entries: &[(Value, Lit, Sym)],
        x: &Sym,
    ) -> Res<Sym> {
        let mut cases = Vec::new();
        for (argument, present, value) in entries {
            let here = self.is(x, argument)?;
            let here = self.problem.and([here, *present]);
            if here != Lit::False {
                cases.push((here, value.clone()));
            }
        }
        if cases.is_empty() {
            return self.undefined(expr);
        }
        let some: Vec<Lit> = cases.iter().map(|(lit, _)| *lit).collect();
        let def = self.some_case(x, entries, some)?;
        self.defs.push(def);
        self.merge_cases(cases)
    }

    /// Whether some entry is the one of `x`: certain when every value that `x` may have is an argument.
    fn some_case(&mut self, x: &Sym, entries: &[(Value, Lit, Sym)], some: Vec<Lit>) -> Res<Lit> {
        let total = entries.iter().all(|(_, lit, _)| *lit == Lit::True)
            && self
                .possible(x)?
                .iter()
                .all(|value| entries.binary_search_by(|entry| entry.0.cmp(value)).is_ok());
        if total {
            self.problem.clause(some);
            return Ok(Lit::True);
        }
        Ok(self.problem.or(some))
    }

    /// A relation that need not be a function: defined where there is exactly one value.
    fn apply_relation(&mut self, expr: ExprId, f: &Sym, x: &Sym) -> Res<Sym> {
        let mut cases: Vec<(Lit, Sym)> = Vec::new();
        for (lit, pair) in self.members(f)? {
            let (first, second) = split(&pair).ok_or(Giveup::Unknown(expr))?;
            let here = self.equal(&first, x)?;
            let here = self.problem.and([lit, here]);
            if here != Lit::False {
                cases.push((here, second));
            }
        }
        if cases.is_empty() {
            return self.undefined(expr);
        }
        let def = if cases.iter().all(|(_, second)| second.known().is_some()) {
            let found = cases
                .iter()
                .filter_map(|(lit, second)| Some((second.known()?.clone(), *lit)))
                .collect();
            let merged = self.merged(found);
            let lits: Vec<Lit> = merged.iter().map(|(_, lit)| *lit).collect();
            cases = merged
                .into_iter()
                .map(|(value, lit)| (lit, Sym::Known(value)))
                .collect();
            let count = self.total(&lits)?;
            let one = count.plus(-1, &Lin::number(1)).ok_or(Giveup::TooLarge)?;
            self.problem.compare(&one, Rel::Eq)
        } else {
            if cases.len() > 64 {
                return Err(Giveup::TooLarge);
            }
            let some: Vec<Lit> = cases.iter().map(|(lit, _)| *lit).collect();
            let mut all = vec![self.problem.or(some)];
            let mut first = Vec::new();
            let mut before: Vec<Lit> = Vec::new();
            for i in 0..cases.len() {
                for j in 0..i {
                    let same = self.equal(&cases[i].1, &cases[j].1)?;
                    all.push(self.problem.or([!cases[i].0, !cases[j].0, same]));
                }
                let mut now = vec![cases[i].0];
                now.extend(before.iter().map(|lit| !*lit));
                first.push((self.problem.and(now), cases[i].1.clone()));
                before.push(cases[i].0);
            }
            cases = first;
            self.problem.and(all)
        };
        self.defs.push(def);
        let mut guarded = Vec::new();
        for (lit, value) in cases {
            guarded.push((self.problem.and([lit, def]), value));
        }
        if guarded.iter().all(|(lit, _)| *lit == Lit::False) {
            return self.undefined(expr);
        }
        self.select(guarded)
    }
}

/// The entries of a known relation that is a function.
fn functional(f: &Value) -> Option<Rc<[(Value, Lit, Sym)]>> {
    let mut entries: Vec<(Value, Lit, Sym)> = Vec::new();
    for pair in elements(f) {
        let (first, second) = parts(pair)?;
        if entries.last().is_some_and(|last| last.0 == *first) {
            return None;
        }
        entries.push((first.clone(), Lit::True, Sym::Known(second.clone())));
    }
    Some(entries.into())
}
