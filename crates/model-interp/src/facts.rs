//! What a conjunct says about the values of one name while others are still unknown.
//!
//! A fact is a set that contains every value the name can have if the conjunct is true, or a bound. Facts come
//! from membership, equality, inclusion, comparisons, partitions and patterns such as `x|->y : r`; a disjunction
//! gives the union of what its branches give, an existential what its solutions give.
//! Invariant: facts never exclude a solution. They need not be tight: every conjunct is tested afterwards.

mod order;

use lang_math::{Binder, Op};
use model::{ExprId, Int, Kind, Target};

use crate::env::Env;
use crate::search::{Cut, Item, Plan};
use crate::set::{Rule, V};
use crate::stop::{Run, StopKind};
use crate::total::conjuncts;
use crate::{Flow, Interp};

/// What is known about a name.
#[derive(Clone, Debug, Default)]
pub(crate) struct Facts {
    /// Its value is at least this.
    pub low: Option<Int>,
    /// Its value is at most this.
    pub high: Option<Int>,
    /// Its value has at most so many elements.
    pub length: Option<Int>,
    /// Its value is in each of these.
    pub sets: Vec<V>,
}

impl Facts {
    pub(crate) fn within(set: V) -> Facts {
        match &set {
            V::Rule(rule) => match &**rule {
                Rule::Interval(low, high) => Facts {
                    low: Some(low.clone()),
                    high: Some(high.clone()),
                    ..Facts::default()
                },
                Rule::From(low) => Facts::at_least(low.clone()),
                Rule::Integers => Facts::default(),
                _ => Facts {
                    sets: vec![set],
                    ..Facts::default()
                },
            },
            _ => Facts {
                sets: vec![set],
                ..Facts::default()
            },
        }
    }

    pub(crate) fn at_least(low: Int) -> Facts {
        Facts {
            low: Some(low),
            ..Facts::default()
        }
    }

    pub(crate) fn at_most(high: Int) -> Facts {
        Facts {
            high: Some(high),
            ..Facts::default()
        }
    }

    pub(crate) fn at_most_elements(length: Int) -> Facts {
        Facts {
            length: Some(length),
            ..Facts::default()
        }
    }

    /// Both are true.
    pub(crate) fn meet(mut self, other: Facts) -> Facts {
        self.low = match (self.low, other.low) {
            (Some(a), Some(b)) => Some(a.max(b)),
            (a, b) => a.or(b),
        };
        self.high = match (self.high, other.high) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        self.length = match (self.length, other.length) {
            (Some(a), Some(b)) => Some(a.min(b)),
            (a, b) => a.or(b),
        };
        self.sets.extend(other.sets);
        self
    }
}

impl Interp<'_> {
    /// What an item says about a name.
    pub(crate) fn facts(
        &mut self,
        target: Target,
        item: &Item,
        env: &Env,
        unknown: &[Target],
    ) -> Run<Facts> {
        if !self.mentions(item.expr()).contains(&target) {
            return Ok(Facts::default());
        }
        match item {
            Item::Holds(predicate) => self.facts_of(target, *predicate, true, env, unknown),
            Item::Fails(predicate) => self.facts_of(target, *predicate, false, env, unknown),
            Item::Is(term, value) => self.matched(target, *term, value, env, unknown),
        }
    }

    /// What a predicate says about a name if it is true (or, with `wanted` false, if it is false).
    pub(crate) fn facts_of(
        &mut self,
        target: Target,
        id: ExprId,
        wanted: bool,
        env: &Env,
        unknown: &[Target],
    ) -> Run<Facts> {
        if !self.mentions(id).contains(&target) {
            return Ok(Facts::default());
        }
        let model = self.model;
        match &model.exprs[id].kind {
            Kind::Op(..) => {
                base::deep::recurse(|| self.facts_of_op(target, id, wanted, env, unknown))
            }
            Kind::Bind {
                binder: Binder::Exists,
                names,
                predicate,
                ..
            } if wanted => {
                let mut inner: Vec<Target> =
                    names.iter().map(|name| Target::Local(*name)).collect();
                let mentions = self.mentions(id);
                inner.extend(unknown.iter().filter(|name| mentions.contains(name)));
                let mut found = Vec::new();
                let plan = Plan {
                    cut: Cut::Refused,
                    ..Plan::FORMULA
                };
                let items = conjuncts(model, *predicate)
                    .into_iter()
                    .map(Item::Holds)
                    .collect();
                let searched = self.search(&inner, items, env, plan, &mut |_, env| {
                    found.extend(env.get(target).cloned());
                    Ok(Flow::Continue)
                });
                match searched {
                    Ok(_) => Ok(Facts::within(self.listed(found)?)),
                    Err(stop) if stop.kind == StopKind::Budget => Err(stop),
                    Err(_) => Ok(Facts::default()),
                }
            }
            Kind::Let(name, value, body) if self.is_known(*value, unknown) => {
                let value = self.value(*value, env)?;
                let env = env.bind(Target::Local(*name), value);
                self.facts_of(target, *body, wanted, &env, unknown)
            }
            Kind::If(condition, then, otherwise) => {
                if self.is_known(*condition, unknown) {
                    let chosen = if self.test(*condition, env)? {
                        then
                    } else {
                        otherwise
                    };
                    return self.facts_of(target, *chosen, wanted, env, unknown);
                }
                self.either(
                    target,
                    &[(*then, wanted), (*otherwise, wanted)],
                    env,
                    unknown,
                )
            }
            _ => Ok(Facts::default()),
        }
    }

    // Long: one arm for each operator.
    fn facts_of_op(
        &mut self,
        target: Target,
        id: ExprId,
        wanted: bool,
        env: &Env,
        unknown: &[Target],
    ) -> Run<Facts> {
        let model = self.model;
        let Kind::Op(op, operands) = &model.exprs[id].kind else {
            return Ok(Facts::default());
        };
        match (*op, operands.as_slice(), wanted) {
            (Op::And, _, true) | (Op::Or, _, false) => {
                let mut facts = Facts::default();
                for operand in operands {
                    match self.facts_of(target, *operand, wanted, env, unknown) {
                        Ok(more) => facts = facts.meet(more),
                        Err(stop) if stop.is_undefined() => {}
                        Err(stop) => return Err(stop),
                    }
                }
                Ok(facts)
            }
            (Op::Or, _, true) | (Op::And, _, false) => {
                let branches: Vec<_> = operands.iter().map(|operand| (*operand, wanted)).collect();
                self.either(target, &branches, env, unknown)
            }
            (Op::Implies, [left, right], true) => {
                self.either(target, &[(*left, false), (*right, true)], env, unknown)
            }
            (Op::Implies, [left, right], false) => {
                let left = self.facts_of(target, *left, true, env, unknown)?;
                Ok(left.meet(self.facts_of(target, *right, false, env, unknown)?))
            }
            (Op::Not, [inner], _) => self.facts_of(target, *inner, !wanted, env, unknown),
            (Op::Equal, [left, right], true) | (Op::NotEqual, [left, right], false) => {
                self.equated(target, *left, *right, env, unknown)
            }
            (Op::Member, [element, set], true) | (Op::NotMember, [element, set], false) => {
                if !self.is_known(*set, unknown) {
                    return Ok(Facts::default());
                }
                let set = self.value(*set, env)?;
                self.contained(target, *element, &set, env, unknown)
            }
            (Op::Subset | Op::StrictSubset, [part, whole], true)
            | (Op::NotSubset | Op::NotStrictSubset, [part, whole], false) => {
                if self.is_name(*part, target) && self.is_known(*whole, unknown) {
                    let whole = self.value(*whole, env)?;
                    let whole = self.settle(whole)?;
                    return Ok(Facts::within(V::made(Op::PowerSet, [whole])));
                }
                Ok(Facts::default())
            }
            (Op::Less | Op::LessEqual | Op::Greater | Op::GreaterEqual, [left, right], _) => {
                let order = if wanted { *op } else { order::negated(*op) };
                self.compared(target, order, [*left, *right], env, unknown)
            }
            (Op::Partition, [whole, parts @ ..], true) => {
                if self.is_name(*whole, target) {
                    let mut all = V::empty();
                    for part in parts {
                        if !self.is_known(*part, unknown) {
                            return Ok(Facts::default());
                        }
                        let part = self.value(*part, env)?;
                        all = self.combine(Op::Union, all, part)?;
                    }
                    return Ok(Facts::within(self.listed(vec![all])?));
                }
                if self.is_known(*whole, unknown) {
                    for part in parts {
                        let whole = self.value(*whole, env)?;
                        let whole = self.settle(whole)?;
                        let part_facts = self.part_of(target, *part, &whole);
                        if let Some(facts) = part_facts {
                            return Ok(facts);
                        }
                    }
                }
                Ok(Facts::default())
            }
            _ => Ok(Facts::default()),
        }
    }

    /// What a term says about a name in it when the term is a subset of a known set.
    pub(crate) fn part_of(&mut self, target: Target, term: ExprId, whole: &V) -> Option<Facts> {
        let model = self.model;
        match &model.exprs[term].kind {
            _ if self.is_name(term, target) => {
                Some(Facts::within(V::made(Op::PowerSet, [whole.clone()])))
            }
            Kind::Op(Op::SetExtension, elements)
                if elements
                    .iter()
                    .any(|element| self.is_name(*element, target)) =>
            {
                Some(Facts::within(whole.clone()))
            }
            Kind::Op(Op::Union, sides) => sides
                .iter()
                .find_map(|side| self.part_of(target, *side, whole)),
            _ => None,
        }
    }

    /// What holds whichever branch is true.
    fn either(
        &mut self,
        target: Target,
        branches: &[(ExprId, bool)],
        env: &Env,
        unknown: &[Target],
    ) -> Run<Facts> {
        let mut joined: Option<Facts> = None;
        for (branch, wanted) in branches {
            // A branch that is decided adds nothing, or leaves nothing to say.
            if self.is_known(*branch, unknown) {
                match self.test(*branch, env) {
                    Ok(truth) if truth == *wanted => return Ok(Facts::default()),
                    Ok(_) => continue,
                    Err(stop) if stop.kind == StopKind::Budget => return Err(stop),
                    Err(_) => return Ok(Facts::default()),
                }
            }
            let facts = match self.facts_of(target, *branch, *wanted, env, unknown) {
                Ok(facts) => facts,
                Err(stop) if stop.is_undefined() => return Ok(Facts::default()),
                Err(stop) => return Err(stop),
            };
            joined = Some(match joined {
                None => facts,
                Some(known) => self.join(known, facts)?,
            });
        }
        Ok(joined.unwrap_or_default())
    }

    fn join(&mut self, a: Facts, b: Facts) -> Run<Facts> {
        let low = match (&a.low, &b.low) {
            (Some(x), Some(y)) => Some(x.min(y).clone()),
            _ => None,
        };
        let high = match (&a.high, &b.high) {
            (Some(x), Some(y)) => Some(x.max(y).clone()),
            _ => None,
        };
        let length = match (&a.length, &b.length) {
            (Some(x), Some(y)) => Some(x.max(y).clone()),
            _ => None,
        };
        let mut sets = Vec::new();
        if let (Some(x), Some(y)) = (self.smallest(a), self.smallest(b)) {
            sets.push(self.combine(Op::Union, x, y)?);
        }
        Ok(Facts {
            low,
            high,
            length,
            sets,
        })
    }

    pub(crate) fn smallest(&mut self, facts: Facts) -> Option<V> {
        let mut sets = facts.sets;
        if let (Some(low), Some(high)) = (facts.low, facts.high) {
            sets.push(V::interval(low, high));
        }
        let best = (0..sets.len()).min_by(|i, j| {
            let (a, b) = (self.hint(&sets[*i]), self.hint(&sets[*j]));
            a.total_cmp(&b)
        })?;
        Some(sets.swap_remove(best))
    }

    pub(crate) fn is_name(&self, id: ExprId, target: Target) -> bool {
        match self.model.exprs[id].kind {
            Kind::Var(variable) => target == Target::Var(variable),
            Kind::Local(local) => target == Target::Local(local),
            _ => false,
        }
    }

    /// `left = right`
    fn equated(
        &mut self,
        target: Target,
        left: ExprId,
        right: ExprId,
        env: &Env,
        unknown: &[Target],
    ) -> Run<Facts> {
        for (pattern, term) in [(left, right), (right, left)] {
            if !self.mentions(pattern).contains(&target) {
                continue;
            }
            if self.is_known(term, unknown) {
                let value = self.value(term, env)?;
                let value = self.settle(value)?;
                return self.matched(target, pattern, &value, env, unknown);
            }
            // A constant defined by a function that calls it.
            if let Target::Var(variable) = target
                && self.is_name(pattern, target)
            {
                let others: Vec<Target> = unknown
                    .iter()
                    .copied()
                    .filter(|name| *name != target)
                    .collect();
                if self.is_known(term, &others) && self.is_rule_text(term) {
                    let value = self.value(term, &env.defining(variable, term))?;
                    let value = self.settle_own(value)?;
                    return Ok(Facts::within(self.listed(vec![value])?));
                }
            }
        }
        Ok(Facts::default())
    }

    /// Whether a term is made of comprehensions, so that its value does not need the names in it.
    fn is_rule_text(&self, term: ExprId) -> bool {
        match &self.model.exprs[term].kind {
            Kind::Bind { binder, .. } => {
                matches!(
                    binder,
                    Binder::Lambda | Binder::Comprehension | Binder::Image
                )
            }
            Kind::Op(Op::Union | Op::Overwrite, sides) => {
                sides.iter().any(|side| self.is_rule_text(*side))
            }
            _ => false,
        }
    }

    /// A self-referring function as plain data if it is finite.
    fn settle_own(&mut self, value: V) -> Run<V> {
        let V::Rule(rule) = &value else {
            return Ok(value);
        };
        let Rule::Closure(closure) = &**rule else {
            return self.settle(value);
        };
        match self.closure_elements(closure, Cut::Refused) {
            Err(stop) if stop.kind == StopKind::Open => Ok(value),
            listed => listed,
        }
    }
}
