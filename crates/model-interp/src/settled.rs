//! How far a formula about one integer must be looked at: beyond some number its truth repeats.
//!
//! A term made of the name and known numbers by `+ - *`, powers, and `/` and `mod` by a known number is, far from zero, a
//! polynomial with a remainder that repeats. Two such terms compare in one way beyond every root of their difference; where
//! the difference is a constant with a remainder, the comparison repeats with the remainder.
//! Invariant: only how far to look follows from this; the truth is that of the formula for each number.

use lang_math::{Binder, Op};
use model::{ExprId, Kind, LocalId, Target, Value};
use num_bigint::BigInt;
use num_traits::{One as _, Signed, ToPrimitive as _, Zero as _};

use crate::Interp;
use crate::env::Env;
use crate::set::{Rule, V};

/// Higher powers of the name are not looked at.
const MAX_POWER: usize = 8;

/// `(poly(x) + remainder(x)) / over` for all x further from zero than `from`; the remainder repeats and is never larger than
/// `sway`.
struct Form {
    /// The factors of the powers of the name, from the lowest on; the last one is not zero.
    poly: Vec<BigInt>,
    over: BigInt,
    sway: BigInt,
    every: BigInt,
    from: BigInt,
}

/// Beyond `from` on either side everything repeats after `every` numbers.
pub(crate) struct Settled {
    pub from: BigInt,
    pub every: BigInt,
}

/// So many numbers are looked at.
const ALL: i64 = 20_000;

impl Settled {
    /// The last number to look at on either side, unless that is too far.
    pub(crate) fn end(&self) -> Option<i64> {
        let end = (&self.from + &self.every).to_i64()?;
        (end <= ALL / 2).then_some(end)
    }

    fn take(&mut self, other: (BigInt, BigInt)) {
        self.from = std::mem::take(&mut self.from).max(other.0);
        self.every = common(&self.every, &other.1);
    }
}

/// The name, and names that stand for terms about it.
struct About {
    name: LocalId,
    stands: Vec<(LocalId, ExprId)>,
}

impl About {
    fn targets(&self) -> Vec<Target> {
        let stands = self.stands.iter().map(|(stand, _)| *stand);
        std::iter::once(self.name)
            .chain(stands)
            .map(Target::Local)
            .collect()
    }
}

impl Interp<'_> {
    /// How far a formula about an integer must be looked at; nothing when it is not made of such terms.
    pub(crate) fn settled(&mut self, name: LocalId, formula: ExprId, env: &Env) -> Option<Settled> {
        let mut about = About {
            name,
            stands: Vec::new(),
        };
        let mut settled = Settled {
            from: BigInt::zero(),
            every: BigInt::one(),
        };
        self.settles(formula, &mut about, env, &mut settled)?;
        Some(settled)
    }

    fn settles(
        &mut self,
        formula: ExprId,
        about: &mut About,
        env: &Env,
        settled: &mut Settled,
    ) -> Option<()> {
        if self.is_known(formula, &about.targets()) {
            return Some(());
        }
        let model = self.model;
        let Kind::Op(op, sides) = &model.exprs[formula].kind else {
            return None;
        };
        match op {
            Op::And | Op::Or | Op::Not | Op::Implies | Op::Equivalent => {
                for side in sides {
                    base::deep::recurse(|| self.settles(*side, about, env, settled))?;
                }
            }
            Op::Less
            | Op::LessEqual
            | Op::Greater
            | Op::GreaterEqual
            | Op::Equal
            | Op::NotEqual => {
                let left = self.form(sides[0], about, env)?;
                let right = self.form(sides[1], about, env)?;
                settled.take(left.less(&right).ends());
            }
            Op::Member | Op::NotMember => {
                self.settles_in(sides[0], sides[1], about, env, settled)?;
            }
            _ => return None,
        }
        Some(())
    }

    /// The same for membership.
    fn settles_in(
        &mut self,
        element: ExprId,
        set: ExprId,
        about: &mut About,
        env: &Env,
        settled: &mut Settled,
    ) -> Option<()> {
        let model = self.model;
        match &model.exprs[set].kind {
            Kind::Op(Op::Interval, ends) => {
                let form = self.form(element, about, env)?;
                for end in ends {
                    settled.take(form.less(&self.form(*end, about, env)?).ends());
                }
                Some(())
            }
            Kind::Op(Op::Union | Op::Intersection | Op::SetMinus, sides) => {
                for side in sides {
                    self.settles_in(element, *side, about, env, settled)?;
                }
                Some(())
            }
            Kind::Bind {
                binder: Binder::Comprehension,
                names,
                predicate,
                value: None,
                ..
            } if names.len() == 1 => {
                // The element must be an integer for its name to stand for it.
                self.form(element, about, env)?;
                about.stands.push((names[0], element));
                let answer = self.settles(*predicate, about, env, settled);
                about.stands.pop();
                answer
            }
            _ if self.is_known(set, &about.targets()) => {
                let ends = match self.value(set, env).ok()? {
                    V::Rule(rule) => ends_of(&rule)?,
                    V::Plain(value) => {
                        let mut ends = vec![BigInt::zero(); 2];
                        widen(&value, &mut ends);
                        ends
                    }
                    _ => return None,
                };
                self.settles_among(element, &ends, about, env, settled)
            }
            _ => None,
        }
    }

    /// The integers of a tuple lie between two numbers, or the tuple is in no set of this kind.
    fn settles_among(
        &mut self,
        tuple: ExprId,
        ends: &[BigInt],
        about: &About,
        env: &Env,
        settled: &mut Settled,
    ) -> Option<()> {
        let model = self.model;
        if let Kind::Op(Op::Maplet, sides) = &model.exprs[tuple].kind {
            for side in sides {
                self.settles_among(*side, ends, about, env, settled)?;
            }
            return Some(());
        }
        if self.is_known(tuple, &about.targets()) {
            return Some(());
        }
        let form = self.form(tuple, about, env)?;
        for end in ends {
            settled.take(form.less(&Form::number(end.clone())).ends());
        }
        Some(())
    }

    /// A term of the name.
    fn form(&mut self, term: ExprId, about: &About, env: &Env) -> Option<Form> {
        if self.is_known(term, &about.targets()) {
            return match self.value(term, env).ok()? {
                V::Plain(Value::Int(number)) => Some(Form::number(number.to_big())),
                _ => None,
            };
        }
        let model = self.model;
        match &model.exprs[term].kind {
            Kind::Local(local) if *local == about.name => Some(Form {
                poly: vec![BigInt::zero(), BigInt::one()],
                ..Form::number(BigInt::zero())
            }),
            Kind::Local(local) => {
                let mut stands = about.stands.iter();
                let (_, stands_for) = stands.find(|(stand, _)| stand == local)?;
                self.form(*stands_for, about, env)
            }
            Kind::Op(op, sides) => {
                let first = base::deep::recurse(|| self.form(sides[0], about, env))?;
                if *op == Op::Negate {
                    return Some(Form::number(BigInt::zero()).less(&first));
                }
                let second = base::deep::recurse(|| self.form(*sides.get(1)?, about, env))?;
                first.combined(*op, &second)
            }
            _ => None,
        }
    }
}

impl Form {
    fn number(number: BigInt) -> Form {
        Form {
            poly: trimmed(vec![number]),
            over: BigInt::one(),
            sway: BigInt::zero(),
            every: BigInt::one(),
            from: BigInt::zero(),
        }
    }

    /// The number that it is, if it is one.
    fn as_number(&self) -> Option<BigInt> {
        let is_number = self.sway.is_zero() && self.poly.len() <= 1 && self.over.is_one();
        is_number.then(|| self.poly.first().cloned().unwrap_or_default())
    }

    fn combined(&self, op: Op, other: &Form) -> Option<Form> {
        match op {
            Op::Add => Some(self.less(&Form::number(BigInt::zero()).less(other))),
            Op::Minus => Some(self.less(other)),
            Op::Times => self.times(other),
            Op::Power => {
                let exponent = other.as_number()?.to_usize();
                let exponent = exponent.filter(|e| (1..=MAX_POWER).contains(e))?;
                let mut power = Form::number(BigInt::one());
                for _ in 0..exponent {
                    power = power.times(self)?;
                }
                Some(power)
            }
            Op::Divide => self.divided(&other.as_number()?),
            Op::Modulo => self.modulo(&other.as_number()?),
            _ => None,
        }
    }

    fn less(&self, other: &Form) -> Form {
        let length = self.poly.len().max(other.poly.len());
        let factor = |form: &Form, power: usize| form.poly.get(power).cloned().unwrap_or_default();
        let poly = (0..length)
            .map(|power| factor(self, power) * &other.over - factor(other, power) * &self.over);
        Form {
            poly: trimmed(poly.collect()),
            over: &self.over * &other.over,
            sway: &self.sway * other.over.abs() + &other.sway * self.over.abs(),
            every: common(&self.every, &other.every),
            from: (&self.from).max(&other.from).clone(),
        }
    }

    fn times(&self, other: &Form) -> Option<Form> {
        let is_even = self.sway.is_zero() && other.sway.is_zero();
        if !is_even && self.as_number().is_none() && other.as_number().is_none() {
            return None;
        }
        let length = self.poly.len() + other.poly.len();
        if length > MAX_POWER + 2 {
            return None;
        }
        let mut poly = vec![BigInt::zero(); length];
        for (i, a) in self.poly.iter().enumerate() {
            for (j, b) in other.poly.iter().enumerate() {
                poly[i + j] += a * b;
            }
        }
        let number = |form: &Form| form.as_number().unwrap_or_default().abs();
        Some(Form {
            poly: trimmed(poly),
            over: &self.over * &other.over,
            sway: &self.sway * number(other) + &other.sway * number(self),
            every: common(&self.every, &other.every),
            from: (&self.from).max(&other.from).clone(),
        })
    }

    fn divided(&self, by: &BigInt) -> Option<Form> {
        if by.is_zero() {
            return None;
        }
        Some(Form {
            poly: self.poly.clone(),
            over: &self.over * by,
            sway: &self.sway + (&self.over * by).abs(),
            every: &self.every * (&self.over * by).abs(),
            from: self.ends().0,
        })
    }

    fn modulo(&self, by: &BigInt) -> Option<Form> {
        if !by.is_positive() {
            return None;
        }
        Some(Form {
            sway: by.clone(),
            every: &self.every * (&self.over * by).abs(),
            from: self.ends().0,
            ..Form::number(BigInt::zero())
        })
    }

    /// Beyond which number the sign is always the same or repeats, and after how many numbers.
    fn ends(&self) -> (BigInt, BigInt) {
        match self.poly.as_slice() {
            [] | [_] => (self.from.clone(), self.every.clone()),
            [others @ .., first] => {
                // Cauchy: no root is larger than 1 + max |a_i / a_n|.
                let largest = others.iter().map(Signed::abs).max().unwrap_or_default();
                let root: BigInt = (largest + &self.sway) / first.abs() + 2;
                (root.max(self.from.clone()), BigInt::one())
            }
        }
    }
}

fn trimmed(mut poly: Vec<BigInt>) -> Vec<BigInt> {
    while poly.last().is_some_and(BigInt::is_zero) {
        poly.pop();
    }
    poly
}

/// The least common multiple of positive numbers.
fn common(a: &BigInt, b: &BigInt) -> BigInt {
    let (mut one, mut other) = (a.clone(), b.clone());
    while !other.is_zero() {
        (one, other) = (other.clone(), one % other);
    }
    a / one * b
}

/// The numbers where membership in a set of integers begins or ends.
fn ends_of(rule: &Rule) -> Option<Vec<BigInt>> {
    match rule {
        Rule::Integers => Some(vec![BigInt::zero()]),
        Rule::From(least) => Some(vec![least.to_big()]),
        Rule::Interval(low, high) => Some(vec![low.to_big(), high.to_big()]),
        _ => None,
    }
}

/// Makes room for the integers in a value between two ends.
fn widen(value: &Value, ends: &mut [BigInt]) {
    match value {
        Value::Int(number) => {
            let number = number.to_big();
            if number < ends[0] {
                ends[0] = number;
            } else if number > ends[1] {
                ends[1] = number;
            }
        }
        Value::Pair(pair) => {
            widen(&pair.0, ends);
            widen(&pair.1, ends);
        }
        Value::Set(elements) => elements.iter().for_each(|element| widen(element, ends)),
        Value::Record(fields) => fields.iter().for_each(|(_, field)| widen(field, ends)),
        Value::Free(_, _, Some(argument)) => widen(argument, ends),
        _ => {}
    }
}
