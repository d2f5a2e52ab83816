//! Equality, possible values, and choices between values that are not known.

use std::rc::Rc;

use model::Value;

use super::{Flatten, Giveup, MOST_ELEMENTS, Res, records, with_field};
use crate::flat::{Lin, Lit, Rel};
use crate::sym::{Sym, elements, parts, small};

/// The most values of a scalar that are considered one by one.
const MOST_VALUES: u64 = 50_000;

impl Flatten<'_> {
    /// Whether two values are equal.
    pub(super) fn equal(&mut self, a: &Sym, b: &Sym) -> Res<Lit> {
        self.tick(1)?;
        match (a, b) {
            (Sym::Known(a), Sym::Known(b)) => Ok((a == b).into()),
            (Sym::Known(value), other) | (other, Sym::Known(value)) => self.is(other, value),
            (Sym::Int(a), Sym::Int(b)) => {
                let difference = a.plus(-1, b).ok_or(Giveup::TooLarge)?;
                Ok(self.problem.compare(&difference, Rel::Eq))
            }
            (Sym::Bool(a), Sym::Bool(b)) => Ok(self.problem.iff(*a, *b)),
            (Sym::Pair(a), Sym::Pair(b)) => {
                let left = self.equal(&a.0, &b.0)?;
                let right = self.equal(&a.1, &b.1)?;
                Ok(self.problem.and([left, right]))
            }
            (Sym::Record(a), Sym::Record(b)) => {
                let mut all = Vec::new();
                for ((_, a), (_, b)) in a.iter().zip(b.iter()) {
                    all.push(self.equal(a, b)?);
                }
                Ok(self.problem.and(all))
            }
            (Sym::Choice(values, x), Sym::Choice(others, y)) => {
                if values == others {
                    let difference = Lin::var(*x)
                        .plus(-1, &Lin::var(*y))
                        .ok_or(Giveup::TooLarge)?;
                    return Ok(self.problem.compare(&difference, Rel::Eq));
                }
                self.by_values(a, b)
            }
            (Sym::Choice(values, _), other) | (other, Sym::Choice(values, _))
                if !matches!(values.first(), Some(Value::Set(_))) =>
            {
                let choice = if matches!(a, Sym::Choice(..)) { a } else { b };
                self.by_values(choice, other)
            }
            (Sym::Function(f), Sym::Function(g))
                if f.len() == g.len() && f.iter().zip(g.iter()).all(|(a, b)| a.0 == b.0) =>
            {
                let mut all = Vec::new();
                for ((_, p, a), (_, q, b)) in f.iter().zip(g.iter()) {
                    let same = self.problem.iff(*p, *q);
                    let equal = self.equal(a, b)?;
                    let equal = self.problem.or([!*p, equal]);
                    all.extend([same, equal]);
                }
                Ok(self.problem.and(all))
            }
            _ => {
                let a = self.as_set(a)?;
                let b = self.as_set(b)?;
                let mut all = Vec::new();
                let (mut i, mut j) = (0, 0);
                while i < a.len() || j < b.len() {
                    let order = match (a.get(i), b.get(j)) {
                        (Some(x), Some(y)) => x.0.cmp(&y.0),
                        (Some(_), None) => std::cmp::Ordering::Less,
                        _ => std::cmp::Ordering::Greater,
                    };
                    match order {
                        std::cmp::Ordering::Less => {
                            all.push(!a[i].1);
                            i += 1;
                        }
                        std::cmp::Ordering::Greater => {
                            all.push(!b[j].1);
                            j += 1;
                        }
                        std::cmp::Ordering::Equal => {
                            all.push(self.problem.iff(a[i].1, b[j].1));
                            i += 1;
                            j += 1;
                        }
                    }
                }
                Ok(self.problem.and(all))
            }
        }
    }

    fn by_values(&mut self, a: &Sym, b: &Sym) -> Res<Lit> {
        let mut cases = Vec::new();
        for value in self.possible(a)? {
            let left = self.is(a, &value)?;
            let right = self.is(b, &value)?;
            cases.push(self.problem.and([left, right]));
        }
        Ok(self.problem.or(cases))
    }

    /// Whether a value is this one.
    pub(super) fn is(&mut self, sym: &Sym, value: &Value) -> Res<Lit> {
        self.tick(1)?;
        match (sym, value) {
            (Sym::Known(known), _) => Ok((known == value).into()),
            (Sym::Int(lin), value) => match small(value) {
                // A number so large, or what a number stands for.
                None if self.problem.wide => Err(Giveup::TooLarge),
                None => Ok(Lit::False),
                Some(number) => {
                    let difference = lin.plus(-1, &Lin::number(number)).ok_or(Giveup::TooLarge)?;
                    Ok(self.problem.compare(&difference, Rel::Eq))
                }
            },
            (Sym::Bool(lit), Value::Bool(value)) => Ok(if *value { *lit } else { !*lit }),
            (Sym::Choice(values, x), _) => match values.binary_search(value) {
                Ok(at) => Ok(self.problem.norm(Lit::Eq(*x, at as i64))),
                Err(_) => Ok(Lit::False),
            },
            (Sym::Pair(pair), Value::Pair(values)) => {
                let left = self.is(&pair.0, &values.0)?;
                if left == Lit::False {
                    return Ok(Lit::False);
                }
                let right = self.is(&pair.1, &values.1)?;
                Ok(self.problem.and([left, right]))
            }
            (Sym::Record(fields), Value::Record(values)) => {
                let mut all = Vec::new();
                for ((_, field), (_, value)) in fields.iter().zip(values.iter()) {
                    all.push(self.is(field, value)?);
                }
                Ok(self.problem.and(all))
            }
            (Sym::Function(entries), Value::Set(pairs)) => self.function_is(entries, pairs),
            (Sym::Set(_) | Sym::Bag(_), Value::Set(values)) => {
                let set = self.as_set(sym)?;
                let mut all = Vec::new();
                for value in values.iter() {
                    match set.binary_search_by(|entry| entry.0.cmp(value)) {
                        Ok(at) => all.push(set[at].1),
                        Err(_) => return Ok(Lit::False),
                    }
                }
                for (element, lit) in set.iter() {
                    if values.binary_search(element).is_err() {
                        all.push(!*lit);
                    }
                }
                Ok(self.problem.and(all))
            }
            // Values of different types are never compared.
            _ => Ok(Lit::False),
        }
    }

    fn function_is(&mut self, entries: &[(Value, Lit, Sym)], pairs: &[Value]) -> Res<Lit> {
        let mut all = Vec::new();
        let mut at = 0;
        for (argument, present, value) in entries {
            let Some((first, second)) = pairs.get(at).and_then(parts) else {
                all.push(!*present);
                continue;
            };
            match first.cmp(argument) {
                std::cmp::Ordering::Less => return Ok(Lit::False),
                std::cmp::Ordering::Greater => all.push(!*present),
                std::cmp::Ordering::Equal => {
                    all.push(*present);
                    all.push(self.is(value, second)?);
                    at += 1;
                }
            }
            if all.last() == Some(&Lit::False) {
                return Ok(Lit::False);
            }
        }
        if at < pairs.len() {
            return Ok(Lit::False);
        }
        Ok(self.problem.and(all))
    }

    /// The values that a scalar may have, sorted.
    pub(super) fn possible(&mut self, sym: &Sym) -> Res<Vec<Value>> {
        let values = match sym {
            Sym::Known(value) => vec![value.clone()],
            Sym::Int(lin) => {
                if let [(c, x)] = lin.terms.as_slice() {
                    let domain = &self.problem.domains[*x as usize];
                    if (domain.hi - domain.lo) as u64 > MOST_VALUES {
                        return Err(Giveup::TooLarge);
                    }
                    let mut values: Vec<i64> =
                        domain.values().map(|value| c * value + lin.k).collect();
                    if *c < 0 {
                        values.reverse();
                    }
                    values.into_iter().map(Value::int).collect()
                } else {
                    let (lo, hi) = self.problem.bounds(lin);
                    if (hi - lo) as u64 > MOST_VALUES {
                        return Err(Giveup::TooLarge);
                    }
                    (lo..=hi).map(Value::int).collect()
                }
            }
            Sym::Bool(_) => vec![Value::Bool(false), Value::Bool(true)],
            Sym::Choice(values, x) => {
                let domain = &self.problem.domains[*x as usize];
                domain
                    .values()
                    .map(|at| values[at as usize].clone())
                    .collect()
            }
            Sym::Pair(pair) => {
                let lefts = self.possible(&pair.0)?;
                let rights = self.possible(&pair.1)?;
                self.tick(lefts.len() * rights.len())?;
                let mut all = Vec::with_capacity(lefts.len() * rights.len());
                for a in &lefts {
                    for b in &rights {
                        all.push(Value::pair(a.clone(), b.clone()));
                    }
                }
                all
            }
            Sym::Record(fields) => {
                let mut all = vec![Vec::new()];
                for (name, field) in fields.iter() {
                    let values = self.possible(field)?;
                    self.tick(all.len() * values.len())?;
                    all = with_field(&all, *name, &values);
                }
                records(all)
            }
            Sym::Set(_) | Sym::Function(_) | Sym::Bag(_) => {
                let set = self.as_set(sym)?;
                if set.len() > 12 {
                    return Err(Giveup::TooLarge);
                }
                let elements: Vec<Value> = set.iter().map(|(value, _)| value.clone()).collect();
                let known: Vec<Value> = set
                    .iter()
                    .filter(|(_, lit)| *lit == Lit::True)
                    .map(|(value, _)| value.clone())
                    .collect();
                let mut all = super::subsets(&elements);
                all.retain(|set| {
                    known
                        .iter()
                        .all(|value| crate::sym::elements(set).binary_search(value).is_ok())
                });
                all
            }
        };
        self.tick(values.len())?;
        Ok(values)
    }

    /// A set by its known possible elements.
    pub(super) fn as_set(&mut self, sym: &Sym) -> Res<Rc<[(Value, Lit)]>> {
        match sym {
            Sym::Set(set) => Ok(set.clone()),
            Sym::Known(value) => {
                let elements = elements(value);
                self.tick(elements.len())?;
                Ok(elements
                    .iter()
                    .map(|value| (value.clone(), Lit::True))
                    .collect())
            }
            Sym::Function(entries) => {
                let mut set = Vec::new();
                for (argument, present, value) in entries.iter() {
                    for possible in self.possible(value)? {
                        let is = self.is(value, &possible)?;
                        let lit = self.problem.and([*present, is]);
                        if lit != Lit::False {
                            set.push((Value::pair(argument.clone(), possible), lit));
                        }
                    }
                    self.tick(set.len() / 64)?;
                }
                Ok(set.into())
            }
            Sym::Bag(members) => {
                let mut found: Vec<(Value, Lit)> = Vec::new();
                for (lit, member) in members.iter() {
                    for possible in self.possible(member)? {
                        let is = self.is(member, &possible)?;
                        found.push((possible, self.problem.and([*lit, is])));
                    }
                }
                Ok(self.merged(found).into())
            }
            Sym::Choice(values, x) => {
                let mut found: Vec<(Value, Lit)> = Vec::new();
                for (at, value) in values.iter().enumerate() {
                    let lit = self.problem.norm(Lit::Eq(*x, at as i64));
                    if lit != Lit::False {
                        for element in elements(value) {
                            found.push((element.clone(), lit));
                        }
                    }
                }
                Ok(self.merged(found).into())
            }
            _ => Err(Giveup::TooLarge),
        }
    }

    /// Sorted elements, each with one literal.
    pub(super) fn merged(&mut self, mut found: Vec<(Value, Lit)>) -> Vec<(Value, Lit)> {
        found.sort();
        let mut merged: Vec<(Value, Vec<Lit>)> = Vec::new();
        for (value, lit) in found {
            if lit == Lit::False {
                continue;
            }
            match merged.last_mut() {
                Some((last, lits)) if *last == value => lits.push(lit),
                _ => merged.push((value, vec![lit])),
            }
        }
        merged
            .into_iter()
            .map(|(value, lits)| (value, self.problem.or(lits)))
            .filter(|(_, lit)| *lit != Lit::False)
            .collect()
    }

    /// The members of a set, each with its literal, known or not.
    pub(super) fn members(&mut self, sym: &Sym) -> Res<Vec<(Lit, Sym)>> {
        Ok(match sym {
            Sym::Bag(members) => members.to_vec(),
            Sym::Function(entries) => entries
                .iter()
                .map(|(argument, present, value)| {
                    (
                        *present,
                        Sym::pair(Sym::Known(argument.clone()), value.clone()),
                    )
                })
                .collect(),
            _ => {
                let set = self.as_set(sym)?;
                if set.len() > MOST_ELEMENTS {
                    return Err(Giveup::TooLarge);
                }
                set.iter()
                    .map(|(value, lit)| (*lit, Sym::Known(value.clone())))
                    .collect()
            }
        })
    }

    /// The sum that an integer is.
    pub(super) fn lin(&mut self, sym: &Sym) -> Res<Lin> {
        match sym {
            Sym::Int(lin) => Ok(lin.clone()),
            Sym::Known(value) => small(value).map(Lin::number).ok_or(Giveup::TooLarge),
            Sym::Choice(..) => {
                let mut cases = Vec::new();
                for value in self.possible(sym)? {
                    cases.push((self.is(sym, &value)?, Sym::Known(value)));
                }
                match self.select_int(cases, Lit::True)? {
                    Sym::Int(lin) => Ok(lin),
                    _ => Err(Giveup::TooLarge),
                }
            }
            _ => Err(Giveup::TooLarge),
        }
    }
}

/// What cases of a value are told apart by.
pub(super) enum Shape {
    Int,
    Bool,
    Pair,
    Set,
    Scalar,
}

pub(super) fn shape_of(sym: &Sym) -> Shape {
    match sym {
        Sym::Int(_) | Sym::Known(Value::Int(_)) => Shape::Int,
        Sym::Bool(_) | Sym::Known(Value::Bool(_)) => Shape::Bool,
        Sym::Pair(_) | Sym::Known(Value::Pair(_)) => Shape::Pair,
        Sym::Set(_) | Sym::Function(_) | Sym::Bag(_) | Sym::Known(Value::Set(_)) => Shape::Set,
        Sym::Choice(values, _) => match values.first() {
            Some(Value::Set(_)) => Shape::Set,
            Some(Value::Int(_)) => Shape::Int,
            Some(Value::Pair(_)) => Shape::Pair,
            _ => Shape::Scalar,
        },
        _ => Shape::Scalar,
    }
}

/// The components of a pair.
pub(super) fn split(sym: &Sym) -> Option<(Sym, Sym)> {
    match sym {
        Sym::Pair(pair) => Some((pair.0.clone(), pair.1.clone())),
        Sym::Known(Value::Pair(pair)) => {
            Some((Sym::Known(pair.0.clone()), Sym::Known(pair.1.clone())))
        }
        _ => None,
    }
}
