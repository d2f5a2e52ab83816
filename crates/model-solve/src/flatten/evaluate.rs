//! Expressions on values that are not known: numbers, pairs, records, conditionals; the rest is sent on.

use std::rc::Rc;

use lang_math::{Binder, Op};
use model::{ExprId, Kind, Value};

use super::equality::split;
use super::{Flatten, Giveup, Res};
use crate::flat::{Con, FAR, Lin, Lit};
use crate::sym::{Sym, small};

impl Flatten<'_> {
    /// The value of an expression.
    pub(super) fn eval(&mut self, expr: ExprId) -> Res<Sym> {
        self.tick(1)?;
        match self.kind(expr) {
            Kind::Int(value) => {
                return Ok(Sym::Known(Value::Int(model::Int::new(value.clone()))));
            }
            Kind::Element(sort, index) => return Ok(Sym::Known(Value::Element(*sort, *index))),
            Kind::Local(local) => {
                if let Some(sym) = self.locals.get(local) {
                    return Ok(sym.clone());
                }
            }
            Kind::Var(var) => {
                if let Some(sym) = self.vars.get(var) {
                    return Ok(sym.clone());
                }
            }
            _ => {}
        }
        if let Some(quick) = self.quick(expr)? {
            return Ok(quick);
        }
        if self.is_ground(expr)
            && let Some(value) = self.listed(expr)?
        {
            return Ok(value);
        }
        base::deep::recurse(|| self.eval_open(expr))
    }

    /// Arithmetic and pairs are computed here even when they are known: asking costs more.
    fn quick(&mut self, expr: ExprId) -> Res<Option<Sym>> {
        let Kind::Op(op, args) = self.kind(expr) else {
            return Ok(None);
        };
        match (op, args.as_slice()) {
            (Op::Add | Op::Minus, [a, b]) if self.is_int(expr) => {
                let a = self.eval(*a)?;
                let b = self.eval(*b)?;
                let (a, b) = (self.lin(&a)?, self.lin(&b)?);
                let factor = if *op == Op::Add { 1 } else { -1 };
                let sum = a.plus(factor, &b).ok_or(Giveup::TooLarge)?;
                Ok(Some(Sym::int(sum)))
            }
            (Op::Maplet, [a, b]) => {
                let a = self.eval(*a)?;
                let b = self.eval(*b)?;
                Ok(Some(Sym::pair(a, b)))
            }
            _ => Ok(None),
        }
    }

    fn is_int(&self, expr: ExprId) -> bool {
        self.model.exprs[expr]
            .ty
            .is_some_and(|ty| matches!(self.model.tys[ty], model::Ty::Int))
    }

    fn eval_open(&mut self, expr: ExprId) -> Res<Sym> {
        match self.kind(expr) {
            Kind::Op(op, args) => self.operator(expr, *op, args),
            Kind::Apply(function, argument) => self.apply(expr, *function, *argument),
            Kind::If(condition, yes, no) => {
                let test = self.predicate(*condition)?;
                self.defs.push(test.def);
                match test.truth {
                    Lit::True => return self.eval(*yes),
                    Lit::False => return self.eval(*no),
                    _ => {}
                }
                let yes = self.guarded(test.truth, *yes)?;
                let no = self.guarded(!test.truth, *no)?;
                self.select(vec![(test.truth, yes), (!test.truth, no)])
            }
            Kind::Let(name, value, body) => {
                let value = self.eval(*value)?;
                let old = self.locals.insert(*name, value);
                let result = self.eval(*body);
                self.restore(vec![(*name, old)]);
                result
            }
            Kind::Record(fields) => {
                let mut syms = Vec::new();
                for (name, value) in fields {
                    syms.push((*name, self.eval(*value)?));
                }
                Ok(record(syms))
            }
            Kind::Field(record, name) => {
                let record = self.eval(*record)?;
                self.field(expr, &record, *name)
            }
            Kind::Bind { binder, .. } => match binder {
                Binder::Sum | Binder::Product => self.aggregate(expr),
                Binder::Comprehension
                | Binder::Image
                | Binder::Lambda
                | Binder::Union
                | Binder::Inter => self.comprehension(expr),
                Binder::Forall | Binder::Exists => Err(Giveup::Unknown(expr)),
            },
            _ => Err(Giveup::Unknown(expr)),
        }
    }

    fn field(&mut self, expr: ExprId, record: &Sym, name: base::Name) -> Res<Sym> {
        match record {
            Sym::Record(fields) => fields
                .iter()
                .find(|field| field.0 == name)
                .map(|field| field.1.clone())
                .ok_or(Giveup::Unknown(expr)),
            Sym::Known(Value::Record(fields)) => fields
                .iter()
                .find(|field| field.0 == name)
                .map(|field| Sym::Known(field.1.clone()))
                .ok_or(Giveup::Unknown(expr)),
            Sym::Choice(..) => {
                let mut cases = Vec::new();
                for value in self.possible(record)? {
                    let is = self.is(record, &value)?;
                    let part = self.field(expr, &Sym::Known(value), name)?;
                    cases.push((is, part));
                }
                self.merge_cases(cases)
            }
            _ => Err(Giveup::Unknown(expr)),
        }
    }

    /// A choice between cases of which several may have the same value.
    pub(super) fn merge_cases(&mut self, cases: Vec<(Lit, Sym)>) -> Res<Sym> {
        if cases.iter().any(|(_, sym)| sym.known().is_none()) {
            return self.select(cases);
        }
        let mut found: Vec<(Value, Lit)> = Vec::new();
        for (lit, sym) in cases {
            if let Sym::Known(value) = sym {
                found.push((value, lit));
            }
        }
        let merged = self.merged(found);
        self.select(
            merged
                .into_iter()
                .map(|(value, lit)| (lit, Sym::Known(value)))
                .collect(),
        )
    }

    /// The value of an expression that counts only when `when` holds: so does its definedness.
    pub(super) fn guarded(&mut self, when: Lit, expr: ExprId) -> Res<Sym> {
        let outer = std::mem::take(&mut self.defs);
        let value = self.eval(expr);
        let inner = std::mem::replace(&mut self.defs, outer);
        let inner = self.problem.and(inner);
        if inner != Lit::True {
            let def = self.problem.or([!when, inner]);
            self.defs.push(def);
        }
        value
    }

    /// The conditions under which a formula evaluated by `body` is defined, beside its result.
    /// The same for what only proposes values; whether it may be undefined is noted.
    pub(super) fn noting<T>(&mut self, body: impl FnOnce(&mut Self) -> Res<T>) -> Res<T> {
        let (value, def) = self.with_defs(body)?;
        self.is_doubtful |= def != Lit::True;
        Ok(value)
    }

    pub(super) fn with_defs<T>(&mut self, body: impl FnOnce(&mut Self) -> Res<T>) -> Res<(T, Lit)> {
        let outer = std::mem::take(&mut self.defs);
        let value = body(self);
        let inner = std::mem::replace(&mut self.defs, outer);
        Ok((value?, self.problem.and(inner)))
    }

    fn operator(&mut self, expr: ExprId, op: Op, args: &[ExprId]) -> Res<Sym> {
        use Op::*;
        match (op, args) {
            (Times | Divide | Modulo | Power, [a, b]) if self.is_int(expr) => {
                let a = self.eval(*a)?;
                let b = self.eval(*b)?;
                let (a, b) = (self.lin(&a)?, self.lin(&b)?);
                self.arithmetic(expr, op, &a, &b)
            }
            (Negate, [a]) if self.is_int(expr) => {
                let a = self.eval(*a)?;
                let a = self.lin(&a)?;
                let negated = Lin::number(0).plus(-1, &a).ok_or(Giveup::TooLarge)?;
                Ok(Sym::int(negated))
            }
            (ToBool, [a]) => {
                let truth = self.predicate(*a)?;
                self.defs.push(truth.def);
                Ok(Sym::bool(truth.truth))
            }
            (Component1 | Component2, [a]) => {
                let pair = self.eval(*a)?;
                let (left, right) = split(&pair).ok_or(Giveup::Unknown(expr))?;
                Ok(if op == Component1 { left } else { right })
            }
            (OfType, [a, _]) => self.eval(*a),
            (SetExtension, members) => {
                let mut bag = Vec::new();
                for member in members {
                    bag.push((Lit::True, self.eval(*member)?));
                }
                Ok(self.bag(bag))
            }
            (SequenceExtension, members) => {
                let mut entries = Vec::new();
                for (i, member) in members.iter().enumerate() {
                    entries.push((Value::int(i as i64 + 1), Lit::True, self.eval(*member)?));
                }
                Ok(self.function(entries))
            }
            _ => self.set_operator(expr, op, args),
        }
    }

    /// The set of these members.
    pub(super) fn bag(&mut self, members: Vec<(Lit, Sym)>) -> Sym {
        if members.iter().all(|(_, member)| member.known().is_some()) {
            let found = members
                .into_iter()
                .filter_map(|(lit, member)| Some((member.known()?.clone(), lit)))
                .collect();
            return Sym::set(self.merged(found));
        }
        let members: Vec<(Lit, Sym)> = members
            .into_iter()
            .filter(|(lit, _)| self.problem.norm(*lit) != Lit::False)
            .collect();
        Sym::Bag(members.into())
    }

    /// The function with these entries, sorted by argument.
    pub(super) fn function(&mut self, entries: Vec<(Value, Lit, Sym)>) -> Sym {
        let known = entries
            .iter()
            .all(|(_, lit, value)| *lit == Lit::True && value.known().is_some());
        if known {
            let pairs = entries
                .into_iter()
                .filter_map(|(argument, _, value)| {
                    Some(Value::pair(argument, value.known()?.clone()))
                })
                .collect();
            return Sym::Known(Value::set(pairs));
        }
        let entries: Vec<(Value, Lit, Sym)> = entries
            .into_iter()
            .filter(|(_, lit, _)| self.problem.norm(*lit) != Lit::False)
            .collect();
        Sym::Function(entries.into())
    }

    fn arithmetic(&mut self, expr: ExprId, op: Op, a: &Lin, b: &Lin) -> Res<Sym> {
        if op == Op::Times
            && let Some((factor, lin)) = match (a.as_number(), b.as_number()) {
                (Some(factor), _) => Some((factor, b)),
                (None, Some(factor)) => Some((factor, a)),
                (None, None) => None,
            }
        {
            let product = Lin::number(0).plus(factor, lin).ok_or(Giveup::TooLarge)?;
            return Ok(Sym::int(product));
        }
        let (a_lo, a_hi) = self.problem.bounds(a);
        let (b_lo, b_hi) = self.problem.bounds(b);
        let x = self.as_var(a)?;
        let corners = |f: &dyn Fn(i128, i128) -> i128| {
            let mut all = Vec::new();
            for a in [a_lo, a_hi] {
                for b in [b_lo, b_hi] {
                    all.push(f(i128::from(a), i128::from(b)));
                }
            }
            let lo = all.iter().copied().min().unwrap_or(0);
            let hi = all.iter().copied().max().unwrap_or(0);
            self.problem.span(lo, hi)
        };
        match op {
            Op::Times => {
                let (lo, hi) = corners(&|a, b| a * b).ok_or(Giveup::TooLarge)?;
                let y = self.as_var(b)?;
                let lo = if x == y { lo.max(0) } else { lo };
                let z = self.problem.var(lo, hi);
                self.problem.constraints.push(Con::Times(z, x, y));
                Ok(Sym::Int(Lin::var(z)))
            }
            Op::Divide | Op::Modulo => {
                // Where it is undefined, the divisor is taken to be 1.
                let mut defs = Vec::new();
                if op == Op::Modulo {
                    let x_ok = self.problem.norm(Lit::Ge(x, 0));
                    defs.push(x_ok);
                }
                let y = self.as_var(b)?;
                let y_ok = if op == Op::Modulo {
                    Lit::Ge(y, 1)
                } else {
                    Lit::Ne(y, 0)
                };
                defs.push(self.problem.norm(y_ok));
                let def = self.problem.and(defs);
                if def == Lit::False {
                    self.defs.push(Lit::False);
                    return Ok(Sym::Known(Value::int(0)));
                }
                let (x, y) = if def == Lit::True {
                    (x, y)
                } else {
                    let one = Sym::Known(Value::int(1));
                    let y = self.select(vec![(def, Sym::Int(Lin::var(y))), (!def, one.clone())])?;
                    let x = self.select(vec![(def, Sym::Int(Lin::var(x))), (!def, one)])?;
                    let (y, x) = (self.lin(&y)?, self.lin(&x)?);
                    (self.as_var(&x)?, self.as_var(&y)?)
                };
                self.defs.push(def);
                let most = a_lo.abs().max(a_hi.abs()).max(1);
                let z = if op == Op::Divide {
                    self.problem.var(-most, most)
                } else {
                    self.problem.var(0, most.min(b_hi.max(1)))
                };
                let con = if op == Op::Divide {
                    Con::Divide(z, x, y)
                } else {
                    Con::Modulo(z, x, y)
                };
                self.problem.constraints.push(con);
                Ok(Sym::Int(Lin::var(z)))
            }
            Op::Power => {
                let Some(exponent) = b.as_number().filter(|e| (0..=40).contains(e)) else {
                    return self.power_by_cases(expr, a, b);
                };
                let mut result = Lin::number(1);
                for _ in 0..exponent {
                    let sym = self.arithmetic(expr, Op::Times, &result, a)?;
                    result = self.lin(&sym)?;
                }
                Ok(Sym::int(result))
            }
            _ => Err(Giveup::Unknown(expr)),
        }
    }

    /// `a ** b` with an unknown exponent: one case for each.
    fn power_by_cases(&mut self, expr: ExprId, a: &Lin, b: &Lin) -> Res<Sym> {
        let (lo, hi) = self.problem.bounds(b);
        if lo < 0 || hi > 40 || a.as_number().is_none() {
            return Err(Giveup::Unknown(expr));
        }
        let base = a.as_number().unwrap_or(0);
        let mut cases = Vec::new();
        for exponent in lo..=hi {
            let power = base
                .checked_pow(exponent as u32)
                .filter(|power| power.abs() <= FAR)
                .ok_or(Giveup::TooLarge)?;
            let when = self.is(&Sym::Int(b.clone()), &Value::int(exponent))?;
            cases.push((when, Sym::Known(Value::int(power))));
        }
        self.merge_cases(cases)
    }

    /// A variable equal to a sum.
    pub(super) fn as_var(&mut self, lin: &Lin) -> Res<crate::flat::Var> {
        if let ([(1, x)], 0) = (lin.terms.as_slice(), lin.k) {
            return Ok(*x);
        }
        let (lo, hi) = self.problem.bounds(lin);
        let ends = self.problem.span(i128::from(lo), i128::from(hi));
        let (lo, hi) = ends.ok_or(Giveup::TooLarge)?;
        let x = self.problem.var(lo, hi);
        let difference = lin.plus(-1, &Lin::var(x)).ok_or(Giveup::TooLarge)?;
        self.problem
            .imply(Lit::True, &difference, crate::flat::Rel::Eq);
        Ok(x)
    }

    /// The number that a value is known to be.
    pub(super) fn number(sym: &Sym) -> Option<i64> {
        match sym {
            Sym::Known(value) => small(value),
            Sym::Int(lin) => lin.as_number(),
            _ => None,
        }
    }
}

/// A record of these fields.
pub(super) fn record(fields: Vec<(base::Name, Sym)>) -> Sym {
    if fields.iter().all(|(_, value)| value.known().is_some()) {
        let fields: Vec<(base::Name, Value)> = fields
            .into_iter()
            .filter_map(|(name, value)| Some((name, value.known()?.clone())))
            .collect();
        return Sym::Known(Value::Record(fields.into()));
    }
    Sym::Record(Rc::from(fields))
}
