//! Membership and inclusion: by the form of the set where it has one, so that sets without end need not be listed.

use lang_math::{Binder, Op};
use model::{ExprId, Kind, Value};

use super::equality::split;
use super::{Flatten, Giveup, Res};
use crate::flat::{Lin, Lit, Rel};
use crate::sym::{Sym, elements, small};

/// What an arrow asks for.
pub(super) struct Arrow {
    pub total: bool,
    pub functional: bool,
    pub injective: bool,
    pub surjective: bool,
}

/// What an arrow asks for.
pub(super) fn arrow(op: Op) -> Option<Arrow> {
    use Op::*;
    let (total, functional, injective, surjective) = match op {
        Relations => (false, false, false, false),
        TotalRelations => (true, false, false, false),
        SurjectiveRelations => (false, false, false, true),
        TotalSurjectiveRelations => (true, false, false, true),
        PartialFunctions => (false, true, false, false),
        TotalFunctions => (true, true, false, false),
        PartialInjections => (false, true, true, false),
        TotalInjections => (true, true, true, false),
        PartialSurjections => (false, true, false, true),
        TotalSurjections => (true, true, false, true),
        PartialBijections => (false, true, true, true),
        TotalBijections => (true, true, true, true),
        _ => return None,
    };
    Some(Arrow {
        total,
        functional,
        injective,
        surjective,
    })
}

impl Flatten<'_> {
    /// Whether a value is in a set given by an expression.
    pub(super) fn member_of(&mut self, x: &Sym, set: ExprId) -> Res<Lit> {
        self.tick(1)?;
        use Op::*;
        match self.kind(set) {
            Kind::Carrier(_) => return Ok(Lit::True),
            Kind::Op(op, args) => match (op, args.as_slice()) {
                (Integers | Booleans | Strings | Reals, _) => return Ok(Lit::True),
                (Naturals, _) => return self.at_least(x, 0),
                (Naturals1, _) => return self.at_least(x, 1),
                (Int, _) => return self.between(x, self.model.min_int, self.model.max_int),
                (Nat, _) => return self.between(x, 0, self.model.max_int),
                (Nat1, _) => return self.between(x, 1, self.model.max_int),
                (Interval, [a, b]) => {
                    let low = self.eval(*a)?;
                    let high = self.eval(*b)?;
                    let (low, high, x) = (self.lin(&low)?, self.lin(&high)?, self.lin(x)?);
                    let above = low.plus(-1, &x).ok_or(Giveup::TooLarge)?;
                    let below = x.plus(-1, &high).ok_or(Giveup::TooLarge)?;
                    let above = self.problem.compare(&above, Rel::Le);
                    let below = self.problem.compare(&below, Rel::Le);
                    return Ok(self.problem.and([above, below]));
                }
                (PowerSet | FiniteSubsets, [of]) => return self.included(x, *of),
                (PowerSet1 | FiniteSubsets1, [of]) => {
                    let inside = self.included(x, *of)?;
                    let some = self.some(x)?;
                    return Ok(self.problem.and([inside, some]));
                }
                (Cartesian, [a, b]) => {
                    let (left, right) = split(x).ok_or(Giveup::Unknown(set))?;
                    let left = self.member_of(&left, *a)?;
                    let right = self.member_of(&right, *b)?;
                    return Ok(self.problem.and([left, right]));
                }
                (Union, [a, b]) => {
                    let left = self.member_of(x, *a)?;
                    let right = self.member_of(x, *b)?;
                    return Ok(self.problem.or([left, right]));
                }
                (Intersection, [a, b]) => {
                    let left = self.member_of(x, *a)?;
                    let right = self.member_of(x, *b)?;
                    return Ok(self.problem.and([left, right]));
                }
                (SetMinus, [a, b]) => {
                    let left = self.member_of(x, *a)?;
                    let right = self.member_of(x, *b)?;
                    return Ok(self.problem.and([left, !right]));
                }
                (Identity, [of]) => {
                    let (left, right) = split(x).ok_or(Giveup::Unknown(set))?;
                    let same = self.equal(&left, &right)?;
                    let inside = self.member_of(&left, *of)?;
                    return Ok(self.problem.and([same, inside]));
                }
                (SetExtension, members) => {
                    let mut cases = Vec::new();
                    for member in members {
                        let member = self.eval(*member)?;
                        cases.push(self.equal(x, &member)?);
                    }
                    return Ok(self.problem.or(cases));
                }
                (EmptySet, _) => return Ok(Lit::False),
                (Permutations, [of]) => return self.permutation(x, *of),
                (arrow, [a, b]) if arrow.is_arrow() => return self.in_arrow(x, *arrow, *a, *b),
                _ => {}
            },
            Kind::Struct(fields) => {
                let mut all = Vec::new();
                for (name, of) in fields {
                    let part = match x {
                        Sym::Record(parts) => parts
                            .iter()
                            .find(|part| part.0 == *name)
                            .map(|part| part.1.clone()),
                        Sym::Known(Value::Record(parts)) => parts
                            .iter()
                            .find(|part| part.0 == *name)
                            .map(|part| Sym::Known(part.1.clone())),
                        _ => None,
                    };
                    all.push(self.member_of(&part.ok_or(Giveup::Unknown(set))?, *of)?);
                }
                return Ok(self.problem.and(all));
            }
            Kind::Bind {
                binder: Binder::Comprehension,
                names,
                predicate,
                ..
            } if !self.is_ground(set) => {
                let predicate = *predicate;
                let test = self
                    .bound_to_parts(set, names, x.clone(), |solver| solver.predicate(predicate))?;
                // Other candidates may be undefined; only what is total is decided for one of them.
                if test.def != Lit::True {
                    return Err(Giveup::Unknown(set));
                }
                return Ok(test.truth);
            }
            _ => {}
        }
        let set = self.eval(set)?;
        self.member_in(x, &set)
    }

    fn at_least(&mut self, x: &Sym, bound: i64) -> Res<Lit> {
        let x = self.lin(x)?;
        let below = Lin::number(bound).plus(-1, &x).ok_or(Giveup::TooLarge)?;
        Ok(self.problem.compare(&below, Rel::Le))
    }

    fn between(&mut self, x: &Sym, low: i64, high: i64) -> Res<Lit> {
        let above = self.at_least(x, low)?;
        let x = self.lin(x)?;
        let below = x.plus(-1, &Lin::number(high)).ok_or(Giveup::TooLarge)?;
        let below = self.problem.compare(&below, Rel::Le);
        Ok(self.problem.and([above, below]))
    }

    /// Whether a set has an element.
    pub(super) fn some(&mut self, set: &Sym) -> Res<Lit> {
        let lits: Vec<Lit> = match set {
            Sym::Known(value) => return Ok((!elements(value).is_empty()).into()),
            Sym::Choice(..) => self.as_set(set)?.iter().map(|(_, lit)| *lit).collect(),
            _ => self.members(set)?.into_iter().map(|(lit, _)| lit).collect(),
        };
        Ok(self.problem.or(lits))
    }

    /// Whether a value is in a set that was evaluated.
    pub(super) fn member_in(&mut self, x: &Sym, set: &Sym) -> Res<Lit> {
        match (x, set) {
            (Sym::Known(x), Sym::Known(set)) => Ok(elements(set).binary_search(x).is_ok().into()),
            (Sym::Known(x), Sym::Set(set)) => {
                Ok(match set.binary_search_by(|entry| entry.0.cmp(x)) {
                    Ok(at) => self.problem.norm(set[at].1),
                    Err(_) => Lit::False,
                })
            }
            (_, Sym::Function(entries)) => {
                let (first, second) = split(x).ok_or(Giveup::TooLarge)?;
                if let Sym::Known(first) = &first {
                    return match entries.binary_search_by(|entry| entry.0.cmp(first)) {
                        Err(_) => Ok(Lit::False),
                        Ok(at) => {
                            let (_, present, value) = entries[at].clone();
                            let same = self.equal(&value, &second)?;
                            Ok(self.problem.and([present, same]))
                        }
                    };
                }
                let mut cases = Vec::new();
                for (argument, present, value) in entries.iter() {
                    let here = self.is(&first, argument)?;
                    let here = self.problem.and([here, *present]);
                    if here != Lit::False {
                        let same = self.equal(value, &second)?;
                        cases.push(self.problem.and([here, same]));
                    }
                }
                Ok(self.problem.or(cases))
            }
            (Sym::Int(lin), Sym::Known(set)) => {
                let values = elements(set);
                if let (Some(low), Some(high)) = (
                    values.first().and_then(small),
                    values.last().and_then(small),
                ) && high - low + 1 == values.len() as i64
                {
                    return self.between(&Sym::Int(lin.clone()), low, high);
                }
                self.member_by_cases(x, &Sym::Known(set.clone()))
            }
            _ => self.member_by_cases(x, set),
        }
    }

    fn member_by_cases(&mut self, x: &Sym, set: &Sym) -> Res<Lit> {
        let mut cases = Vec::new();
        for (lit, member) in self.members(set)? {
            let same = self.equal(x, &member)?;
            cases.push(self.problem.and([lit, same]));
        }
        Ok(self.problem.or(cases))
    }

    /// Whether every element is in the set of an expression.
    pub(super) fn included(&mut self, x: &Sym, of: ExprId) -> Res<Lit> {
        let mut all = Vec::new();
        for (lit, member) in self.members(x)? {
            if lit == Lit::False {
                continue;
            }
            let inside = self.member_of(&member, of)?;
            all.push(self.problem.or([!lit, inside]));
        }
        Ok(self.problem.and(all))
    }

    fn permutation(&mut self, x: &Sym, of: ExprId) -> Res<Lit> {
        let set = self.eval(of)?;
        let Sym::Known(set) = &set else {
            return Err(Giveup::Unknown(of));
        };
        let size = elements(set).len() as i64;
        let places: Vec<Value> = (1..=size).map(Value::int).collect();
        let places = Sym::Known(Value::Set(places.into()));
        let shape = Arrow {
            total: true,
            functional: true,
            injective: true,
            surjective: true,
        };
        let set = Sym::Known(set.clone());
        let mut inside = Vec::new();
        for (lit, pair) in self.members(x)? {
            let (a, b) = split(&pair).ok_or(Giveup::Unknown(of))?;
            let left = self.member_in(&a, &places)?;
            let right = self.member_in(&b, &set)?;
            let both = self.problem.and([left, right]);
            inside.push(self.problem.or([!lit, both]));
        }
        let rest = self.arrow_conditions(x, &shape, &places, &set, of)?;
        inside.push(rest);
        Ok(self.problem.and(inside))
    }

    fn in_arrow(&mut self, f: &Sym, op: Op, from: ExprId, to: ExprId) -> Res<Lit> {
        let Some(shape) = arrow(op) else {
            return Err(Giveup::Unknown(from));
        };
        let mut all = Vec::new();
        for (lit, pair) in self.members(f)? {
            if lit == Lit::False {
                continue;
            }
            let (a, b) = split(&pair).ok_or(Giveup::Unknown(from))?;
            let left = self.member_of(&a, from)?;
            let right = self.member_of(&b, to)?;
            let both = self.problem.and([left, right]);
            all.push(self.problem.or([!lit, both]));
        }
        let empty = Sym::Known(Value::Set([].into()));
        let domain = if shape.total {
            self.eval(from)?
        } else {
            empty.clone()
        };
        let range = if shape.surjective {
            self.eval(to)?
        } else {
            empty
        };
        all.push(self.arrow_conditions(f, &shape, &domain, &range, from)?);
        Ok(self.problem.and(all))
    }

    /// Totality, uniqueness and onto-ness of a relation between two sets.
    pub(super) fn arrow_conditions(
        &mut self,
        f: &Sym,
        shape: &Arrow,
        from: &Sym,
        to: &Sym,
        place: ExprId,
    ) -> Res<Lit> {
        let pairs: Vec<(Lit, Sym, Sym)> = self
            .members(f)?
            .into_iter()
            .map(|(lit, pair)| {
                let (a, b) = split(&pair).ok_or(Giveup::Unknown(place))?;
                Ok((lit, a, b))
            })
            .collect::<Res<_>>()?;
        let mut all = Vec::new();
        if shape.total {
            let domain = self.domain_of(place, f)?;
            for (lit, member) in self.members(from)? {
                let inside = self.member_in(&member, &domain)?;
                all.push(self.problem.or([!lit, inside]));
            }
        }
        if shape.functional && !matches!(f, Sym::Function(_)) {
            all.push(self.unique(&pairs, |pair| (&pair.1, &pair.2))?);
        }
        if shape.injective {
            all.push(self.unique(&pairs, |pair| (&pair.2, &pair.1))?);
        }
        if shape.surjective {
            for (lit, member) in self.members(to)? {
                let mut cases = Vec::new();
                for (present, _, value) in &pairs {
                    let same = self.equal(value, &member)?;
                    cases.push(self.problem.and([*present, same]));
                }
                let hit = self.problem.or(cases);
                all.push(self.problem.or([!lit, hit]));
            }
        }
        Ok(self.problem.and(all))
    }

    /// Two pairs with the same first side have the same second side.
    fn unique(
        &mut self,
        pairs: &[(Lit, Sym, Sym)],
        sides: impl Fn(&(Lit, Sym, Sym)) -> (&Sym, &Sym),
    ) -> Res<Lit> {
        let mut all = Vec::new();
        self.tick(pairs.len() * pairs.len() / 2)?;
        // Known keys meet only their equals; sorting would save work but keys may be unknown.
        for i in 0..pairs.len() {
            for j in 0..i {
                let (key, value) = sides(&pairs[i]);
                let (other, image) = sides(&pairs[j]);
                if let (Sym::Known(a), Sym::Known(b)) = (key, other)
                    && a != b
                {
                    continue;
                }
                let (key, value, other, image) =
                    (key.clone(), value.clone(), other.clone(), image.clone());
                let different = !self.equal(&key, &other)?;
                if different == Lit::True {
                    continue;
                }
                let same = self.equal(&value, &image)?;
                all.push(self.problem.or([!pairs[i].0, !pairs[j].0, different, same]));
            }
        }
        Ok(self.problem.and(all))
    }
}
