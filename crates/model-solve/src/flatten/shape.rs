//! What an unknown can be: variables for it, from a set it is in or from its type.

use lang_math::Op;
use model::{ExprId, Kind, Ty, TyId, Value};

use super::evaluate::record;
use super::member::arrow;
use super::{Flatten, Giveup, MOST_ELEMENTS, Res};
use crate::flat::{FAR, Lin, Lit, Problem, Rel, WIDE};
use crate::sym::{Sym, elements, parts, small};

impl Flatten<'_> {
    /// A new value in a set. Whether it is in the set is settled by the conjunct that says so; what is made here may
    /// allow more.
    pub(crate) fn in_set(&mut self, set: ExprId) -> Res<Sym> {
        self.tick(1)?;
        use Op::*;
        let ty = self.element_ty(self.ty(set));
        match self.kind(set) {
            Kind::Carrier(_) => return self.of_type(ty),
            Kind::Struct(fields) => {
                let mut parts = Vec::new();
                for (name, of) in fields {
                    parts.push((*name, self.in_set(*of)?));
                }
                return Ok(record(parts));
            }
            Kind::Op(op, args) => match (op, args.as_slice()) {
                (Int, _) => return Ok(self.integer(self.model.min_int, self.model.max_int)),
                (Nat, _) => return Ok(self.integer(0, self.model.max_int)),
                (Nat1, _) => return Ok(self.integer(1, self.model.max_int)),
                (Interval, [a, b]) => {
                    let (low, high) = self.noting(|this| {
                        let low = this.eval(*a)?;
                        let high = this.eval(*b)?;
                        Ok((this.lin(&low)?, this.lin(&high)?))
                    })?;
                    let (lo, _) = self.problem.bounds(&low);
                    let (_, hi) = self.problem.bounds(&high);
                    if lo < -FAR || hi > FAR {
                        return Err(Giveup::TooLarge);
                    }
                    return Ok(self.integer(lo, hi));
                }
                (PowerSet | PowerSet1 | FiniteSubsets | FiniteSubsets1, [of]) => {
                    return self.subset_of(*of);
                }
                (Cartesian, [a, b]) => {
                    let left = self.in_set(*a)?;
                    let right = self.in_set(*b)?;
                    return Ok(Sym::pair(left, right));
                }
                (Intersection, [a, b]) => {
                    return match self.in_set(*a) {
                        Ok(sym) => Ok(sym),
                        Err(_) => self.in_set(*b),
                    };
                }
                (SetMinus, [a, _]) => return self.in_set(*a),
                (Permutations, [of]) => {
                    let set = self.noting(|this| this.eval(*of))?;
                    let Sym::Known(set) = set else {
                        return Err(Giveup::Unknown(*of));
                    };
                    let size = elements(&set).len() as i64;
                    let mut entries = Vec::new();
                    for place in 1..=size {
                        let value = self.in_value(&set)?;
                        entries.push((Value::int(place), Lit::True, value));
                    }
                    return Ok(self.function(entries));
                }
                (InjectiveSequences | InjectiveSequences1, [of]) => {
                    let set = self.noting(|this| this.eval(*of))?;
                    let longest = self.as_set(&set)?.len() as i64;
                    let mut entries = Vec::new();
                    for place in 1..=longest {
                        let present = self.problem.bool();
                        let value = self.in_set(*of)?;
                        self.idle(present, &value)?;
                        entries.push((Value::int(place), present, value));
                    }
                    return Ok(self.function(entries));
                }
                (arrow, [a, b]) if arrow.is_arrow() => return self.in_arrow_shape(*arrow, *a, *b),
                (Naturals, _) if self.makes_wide => return Ok(self.endless(0)),
                (Naturals1, _) if self.makes_wide => return Ok(self.endless(1)),
                (Integers | Naturals | Naturals1 | Strings | Reals | Floats, _) => {
                    return self.of_type(ty);
                }
                _ => {}
            },
            _ => {}
        }
        let set = self.noting(|this| this.eval(set))?;
        match &set {
            Sym::Known(value) => self.in_value(value),
            _ => {
                let possible: Vec<Value> = self
                    .as_set(&set)?
                    .iter()
                    .map(|(value, _)| value.clone())
                    .collect();
                self.in_value(&Value::Set(possible.into()))
            }
        }
    }

    /// A new integer.
    pub(crate) fn integer(&mut self, lo: i64, hi: i64) -> Sym {
        if lo == hi {
            return Sym::Known(Value::int(lo));
        }
        Sym::Int(Lin::var(self.problem.var(lo, hi)))
    }

    /// A new integer without an upper bound.
    fn endless(&mut self, lo: i64) -> Sym {
        self.problem.wide = true;
        Sym::Int(Lin::var(self.problem.var(lo, WIDE)))
    }

    /// A new value among the elements of a known set.
    fn in_value(&mut self, set: &Value) -> Res<Sym> {
        let values = elements(set);
        match values {
            [] => {
                self.problem.failed = true;
                return Ok(Sym::Known(Value::int(0)));
            }
            [only] => return Ok(Sym::Known(only.clone())),
            _ => {}
        }
        if values.len() > MOST_ELEMENTS {
            return Err(Giveup::TooLarge);
        }
        match &values[0] {
            Value::Int(_) => {
                let numbers: Option<Vec<i64>> = values.iter().map(small).collect();
                let numbers = numbers.ok_or(Giveup::TooLarge)?;
                let (lo, hi) = (numbers[0], numbers[numbers.len() - 1]);
                if hi - lo > 8 * numbers.len() as i64 + 64 {
                    // Far apart: a choice of places, and the number that stands there.
                    let at = self.problem.var(0, numbers.len() as i64 - 1);
                    let choice = Sym::Choice(values.into(), at);
                    return Ok(Sym::Int(self.lin(&choice)?));
                }
                let x = self.problem.var(lo, hi);
                let mut at = 0;
                for value in lo..=hi {
                    if numbers[at] == value {
                        at += 1;
                    } else {
                        self.problem.post(Lit::Ne(x, value));
                    }
                }
                Ok(Sym::Int(Lin::var(x)))
            }
            Value::Bool(_) => Ok(Sym::Bool(self.problem.bool())),
            Value::Pair(_) => {
                let mut lefts = Vec::new();
                let mut rights = Vec::new();
                for value in values {
                    let (a, b) = parts(value).ok_or(Giveup::TooLarge)?;
                    lefts.push(a.clone());
                    rights.push(b.clone());
                }
                let left = self.in_value(&Value::set(lefts))?;
                let right = self.in_value(&Value::set(rights))?;
                let pair = Sym::pair(left, right);
                self.table(&pair, values)?;
                Ok(pair)
            }
            _ => {
                let x = self.problem.var(0, values.len() as i64 - 1);
                Ok(Sym::Choice(values.into(), x))
            }
        }
    }

    /// A pair is one of these, unless they are all the pairs of their components.
    fn table(&mut self, pair: &Sym, values: &[Value]) -> Res<()> {
        let Sym::Pair(sides) = pair else {
            return Ok(());
        };
        let lefts = self.possible(&sides.0)?;
        let rights = self.possible(&sides.1)?;
        if lefts.len() * rights.len() == values.len() {
            return Ok(());
        }
        let mut cases = Vec::new();
        for value in values {
            cases.push(self.is(pair, value)?);
        }
        self.problem.clause(cases);
        // Each component needs a partner.
        for (side, other, first) in [(&sides.0, &sides.1, true), (&sides.1, &sides.0, false)] {
            for value in self.possible(side)? {
                let mut clause = vec![!self.is(side, &value)?];
                for pair in values {
                    let (a, b) = parts(pair).ok_or(Giveup::TooLarge)?;
                    let (here, there) = if first { (a, b) } else { (b, a) };
                    if *here == value {
                        clause.push(self.is(other, there)?);
                    }
                }
                self.problem.clause(clause);
            }
        }
        Ok(())
    }

    /// A new subset of a set.
    pub(crate) fn subset_of(&mut self, of: ExprId) -> Res<Sym> {
        if !self.has_end(of) {
            return Err(Giveup::Unknown(of));
        }
        let set = self.noting(|this| this.upper(of))?;
        let mut members = Vec::new();
        for value in set {
            members.push((value, self.problem.bool()));
        }
        self.tick(members.len())?;
        Ok(Sym::set(members))
    }

    /// A new set of integers between two.
    pub(crate) fn subset_between(&mut self, lo: i64, hi: i64) -> Res<Sym> {
        if hi - lo >= MOST_ELEMENTS as i64 {
            return Err(Giveup::TooLarge);
        }
        self.tick((hi - lo + 1).max(0) as usize)?;
        let members = (lo..=hi).map(|value| (Value::int(value), self.problem.bool()));
        Ok(Sym::set(members.collect()))
    }

    /// The values that may be in a set.
    fn upper(&mut self, set: ExprId) -> Res<Vec<Value>> {
        if let Kind::Op(Op::Cartesian, args) = self.kind(set) {
            let lefts = self.upper(args[0])?;
            let rights = self.upper(args[1])?;
            self.tick(lefts.len() * rights.len())?;
            let mut pairs = Vec::new();
            for a in &lefts {
                for b in &rights {
                    pairs.push(Value::pair(a.clone(), b.clone()));
                }
            }
            return Ok(pairs);
        }
        let set = self.eval(set)?;
        let set = self.as_set(&set)?;
        if set.len() > MOST_ELEMENTS {
            return Err(Giveup::TooLarge);
        }
        Ok(set.iter().map(|(value, _)| value.clone()).collect())
    }

    /// Whether the elements of a set can be listed, as far as its form tells.
    fn has_end(&mut self, set: ExprId) -> bool {
        match self.kind(set) {
            Kind::FreeSet(_) => false,
            Kind::Op(op, args) => match op {
                Op::Integers
                | Op::Naturals
                | Op::Naturals1
                | Op::Strings
                | Op::Reals
                | Op::Floats
                | Op::Sequences
                | Op::Sequences1
                | Op::Successor
                | Op::Predecessor => false,
                Op::Cartesian | Op::Union => args.iter().all(|arg| self.has_end(*arg)),
                Op::PowerSet | Op::PowerSet1 | Op::FiniteSubsets | Op::FiniteSubsets1 => {
                    self.small_power(args[0])
                }
                op if op.is_arrow() => self.small_space(args[0], args[1]),
                _ => true,
            },
            _ => true,
        }
    }

    fn small_power(&mut self, set: ExprId) -> bool {
        self.has_end(set)
            && self
                .with_defs(|this| this.upper(set))
                .is_ok_and(|(values, _)| values.len() <= 12)
    }

    /// Whether the functions or relations between two sets are few.
    fn small_space(&mut self, from: ExprId, to: ExprId) -> bool {
        if !self.has_end(from) || !self.has_end(to) {
            return false;
        }
        let mut size = |set: ExprId| {
            let values = self.with_defs(|this| this.upper(set));
            values.map_or(usize::MAX, |(values, _)| values.len())
        };
        let (from, to) = (size(from), size(to));
        from.saturating_mul(to) <= 12
    }

    fn in_arrow_shape(&mut self, op: Op, from: ExprId, to: ExprId) -> Res<Sym> {
        let Some(shape) = arrow(op) else {
            return Err(Giveup::Unknown(from));
        };
        if !self.has_end(from) {
            return Err(Giveup::Unknown(from));
        }
        if !shape.functional {
            if !self.has_end(to) {
                return Err(Giveup::Unknown(to));
            }
            let lefts = self.noting(|this| this.upper(from))?;
            let rights = self.noting(|this| this.upper(to))?;
            self.tick(lefts.len() * rights.len())?;
            let mut members = Vec::new();
            for a in &lefts {
                for b in &rights {
                    let lit = self.problem.bool();
                    members.push((Value::pair(a.clone(), b.clone()), lit));
                }
            }
            return Ok(Sym::set(members));
        }
        let (domain, _) = self.with_defs(|this| this.eval(from))?;
        let domain = self.as_set(&domain)?;
        if domain.len() > MOST_ELEMENTS {
            return Err(Giveup::TooLarge);
        }
        let mut entries = Vec::new();
        for (argument, lit) in domain.iter() {
            let present = match (shape.total, *lit) {
                (true, lit) => lit,
                (false, _) => self.problem.bool(),
            };
            let value = self.in_range(to)?;
            if present != Lit::True {
                self.idle(present, &value)?;
            }
            entries.push((argument.clone(), present, value));
        }
        Ok(Sym::Function(entries.into()))
    }

    /// A new value in the range of a function. One that is not known here stands as a number of its own: what it is does not
    /// matter to whoever finds that there can be none, and nobody else finds its value.
    fn in_range(&mut self, to: ExprId) -> Res<Sym> {
        match self.in_set(to) {
            Err(Giveup::Unknown(_) | Giveup::Endless(_)) if self.makes_wide => {
                self.problem.opaque = true;
                Ok(self.endless(-WIDE))
            }
            value => value,
        }
    }

    /// Where it does not count, a value is the least one: so that it makes no solution come twice.
    fn idle(&mut self, present: Lit, value: &Sym) -> Res<()> {
        match value {
            Sym::Known(_) => {}
            Sym::Int(lin) => {
                let (lo, hi) = self.problem.bounds(lin);
                let least = Problem::least(lo, hi);
                let least = lin.plus(-1, &Lin::number(least)).ok_or(Giveup::TooLarge)?;
                self.problem.imply(!present, &least, Rel::Eq);
            }
            Sym::Bool(lit) => self.problem.clause([present, !*lit]),
            Sym::Choice(_, x) => {
                let lo = self.problem.domains[*x as usize].lo;
                self.problem.clause([present, Lit::Le(*x, lo)]);
            }
            // A table may exclude the two least components together.
            Sym::Pair(_) => self.repeats = true,
            Sym::Record(fields) => {
                for (_, field) in fields.iter() {
                    self.idle(present, field)?;
                }
            }
            Sym::Set(set) => {
                for (_, lit) in set.iter() {
                    self.problem.clause([present, !*lit]);
                }
            }
            Sym::Function(entries) => {
                for (_, lit, value) in entries.iter() {
                    match lit {
                        Lit::True => self.idle(present, value)?,
                        lit => self.problem.clause([present, !*lit]),
                    }
                }
            }
            Sym::Bag(_) => return Err(Giveup::TooLarge),
        }
        Ok(())
    }

    /// A new value of a type with an end.
    pub(crate) fn of_type(&mut self, ty: TyId) -> Res<Sym> {
        match &self.model.tys[ty] {
            Ty::Bool => Ok(Sym::Bool(self.problem.bool())),
            Ty::Sort(_) => {
                let values = self.all_of_type(ty).ok_or(Giveup::TooLarge)?;
                self.in_value(&Value::Set(values.into()))
            }
            Ty::Prod(left, right) => {
                let (left, right) = (*left, *right);
                let left = self.of_type(left)?;
                let right = self.of_type(right)?;
                Ok(Sym::pair(left, right))
            }
            Ty::Record(fields) => {
                let mut parts = Vec::new();
                for (name, ty) in fields.clone() {
                    parts.push((name, self.of_type(ty)?));
                }
                Ok(record(parts))
            }
            Ty::Pow(element) => {
                let values = self.all_of_type(*element).ok_or(Giveup::TooLarge)?;
                self.tick(values.len())?;
                let members = values
                    .into_iter()
                    .map(|value| (value, self.problem.bool()))
                    .collect();
                Ok(Sym::set(members))
            }
            Ty::Int if self.makes_wide => Ok(self.endless(-WIDE)),
            Ty::Int | Ty::Real | Ty::Str | Ty::Free(_) => {
                Err(Giveup::Endless(self.model.tys.show(ty)))
            }
        }
    }
}
