//! Sizes of deferred sets that follow from functions between them: `f : S >->> 1..4` needs four elements.
//!
//! A bijection makes two sets equally large; the target of an injection has as many elements as its source at
//! least, and so has the source of a surjection; `card(S) >= card(A)+card(B)` says it directly. Where nothing else is known of a set that such a size depends on,
//! it takes its default first, so that the sets of pairs and records built over it follow.
//! Invariant: a size that is given, or that properties say, is never changed here.

use std::hash::Hash;

use base::Name;
use lang_math::{ExprId, ExprKind, Op};
use rustc_hash::FxHashMap;

use super::{Facts, Names, strip};
use crate::scope::MAX_SET_SIZE;

/// The number of elements of a set.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Count {
    Known(i64),
    Of(Name),
    Sum(Box<Count>, Box<Count>),
    Product(Box<Count>, Box<Count>),
    Power(Box<Count>),
}

/// How the sizes of two sets compare.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Compared {
    Equal,
    /// The left one has as many elements as the right one at least.
    AtLeast,
}

/// What a function says about two sets.
#[derive(Clone, Debug)]
pub(super) struct Mapping {
    compared: Compared,
    left: Count,
    right: Count,
}

impl Count {
    fn value(&self, known: &FxHashMap<Name, i64>) -> Option<i64> {
        let value = match self {
            Count::Known(value) => *value,
            Count::Of(set) => *known.get(set)?,
            Count::Sum(left, right) => left.value(known)?.checked_add(right.value(known)?)?,
            Count::Product(left, right) => left.value(known)?.checked_mul(right.value(known)?)?,
            Count::Power(set) => {
                let exponent = u32::try_from(set.value(known)?).ok()?;
                2i64.checked_pow(exponent)?
            }
        };
        (value <= MAX_SET_SIZE as i64).then_some(value)
    }

    /// The sets it depends on.
    fn sets(&self, found: &mut Vec<Name>) {
        match self {
            Count::Known(_) => {}
            Count::Of(set) => found.push(*set),
            Count::Sum(left, right) | Count::Product(left, right) => {
                left.sets(found);
                right.sets(found);
            }
            Count::Power(set) => set.sets(found),
        }
    }
}

impl<C: Copy + Eq + Hash + Ord> Facts<C> {
    /// `f : space`
    pub(super) fn mapping(&mut self, names: &dyn Names<C>, space: ExprId) {
        let exprs = names.exprs();
        let ExprKind::Op(op, args) = exprs.kind(strip(exprs, space)) else {
            return;
        };
        let (compared, flipped) = match op {
            Op::TotalBijections => (Compared::Equal, false),
            Op::TotalSurjections | Op::PartialSurjections | Op::PartialBijections => {
                (Compared::AtLeast, false)
            }
            Op::TotalInjections => (Compared::AtLeast, true),
            _ => return,
        };
        let (left, right) = match flipped {
            true => (args[1], args[0]),
            false => (args[0], args[1]),
        };
        self.compare(names, compared, left, right);
    }

    /// `card(left) = card(right)`
    pub(super) fn as_many(&mut self, names: &dyn Names<C>, left: ExprId, right: ExprId) {
        self.compare(names, Compared::Equal, left, right);
    }

    /// `card(set) >= number`, or the other way round, where the number is made of sizes of sets.
    pub(super) fn compare_sizes(
        &mut self,
        names: &dyn Names<C>,
        op: Op,
        set: ExprId,
        number: ExprId,
    ) {
        let (Some(set), Some(number)) = (self.count(names, set), self.number(names, number)) else {
            return;
        };
        let (left, right) = match op {
            Op::GreaterEqual => (set, number),
            Op::LessEqual => (number, set),
            _ => return,
        };
        self.mappings.push(Mapping {
            compared: Compared::AtLeast,
            left,
            right,
        });
    }

    /// A number that is made of sizes of sets.
    fn number(&self, names: &dyn Names<C>, id: ExprId) -> Option<Count> {
        let exprs = names.exprs();
        let id = strip(exprs, id);
        if let Some(value) = self.integer(names, id) {
            return Some(Count::Known(value));
        }
        let ExprKind::Op(op, args) = exprs.kind(id) else {
            return None;
        };
        let deeper = |id: ExprId| base::deep::recurse(|| self.number(names, id)).map(Box::new);
        match op {
            Op::Card => self.count(names, args[0]),
            Op::Add => Some(Count::Sum(deeper(args[0])?, deeper(args[1])?)),
            Op::Times => Some(Count::Product(deeper(args[0])?, deeper(args[1])?)),
            _ => None,
        }
    }

    fn compare(&mut self, names: &dyn Names<C>, compared: Compared, left: ExprId, right: ExprId) {
        if let Some(left) = self.count(names, left)
            && let Some(right) = self.count(names, right)
        {
            self.mappings.push(Mapping {
                compared,
                left,
                right,
            });
        }
    }

    fn count(&self, names: &dyn Names<C>, id: ExprId) -> Option<Count> {
        let exprs = names.exprs();
        let id = strip(exprs, id);
        if let Some(set) = names.carrier(id) {
            return Some(Count::Of(set));
        }
        if let Some(elements) = names.enumerated(id) {
            return Some(Count::Known(elements));
        }
        let ExprKind::Op(op, args) = exprs.kind(id) else {
            return None;
        };
        let deeper = |id: ExprId| base::deep::recurse(|| self.count(names, id));
        match op {
            Op::Booleans => Some(Count::Known(2)),
            Op::Interval => {
                let first = self.integer(names, args[0])?;
                match (self.integer(names, args[1]), exprs.kind(args[1])) {
                    (Some(last), _) => {
                        let size = last.checked_sub(first)?.checked_add(1)?;
                        Some(Count::Known(size.max(0)))
                    }
                    (None, ExprKind::Op(Op::Card, set)) if first == 1 => deeper(set[0]),
                    _ => None,
                }
            }
            Op::Cartesian | Op::Times => Some(Count::Product(
                Box::new(deeper(args[0])?),
                Box::new(deeper(args[1])?),
            )),
            Op::PowerSet => Some(Count::Power(Box::new(deeper(args[0])?))),
            _ => None,
        }
    }

    /// The sets that functions say something about.
    pub fn mapped_sets(&self) -> Vec<Name> {
        let mut sets = Vec::new();
        for mapping in &self.mappings {
            mapping.left.sets(&mut sets);
            mapping.right.sets(&mut sets);
        }
        sets.sort();
        sets.dedup();
        sets
    }

    /// Adds what follows from the functions between sets, given sizes that the user fixed.
    pub fn settle(&mut self, fixed: &FxHashMap<Name, usize>, default: usize) {
        let mut known: FxHashMap<Name, i64> = fixed
            .iter()
            .map(|(name, size)| (*name, *size as i64))
            .collect();
        for (name, facts) in &self.sets {
            if let Some(exact) = facts.exact {
                known.entry(*name).or_insert(exact);
            }
        }
        let mappings = std::mem::take(&mut self.mappings);
        loop {
            let mut changed = false;
            for mapping in &mappings {
                let (left, right) = (mapping.left.value(&known), mapping.right.value(&known));
                match (mapping.compared, &mapping.left, left, &mapping.right, right) {
                    (Compared::Equal, Count::Of(set), None, _, Some(size))
                    | (Compared::Equal, _, Some(size), Count::Of(set), None)
                        if size > 0 =>
                    {
                        self.sets.entry(*set).or_default().exact = Some(size);
                        known.insert(*set, size);
                        changed = true;
                    }
                    (Compared::AtLeast, Count::Of(set), None, _, Some(size)) => {
                        let facts = self.sets.entry(*set).or_default();
                        changed |= facts.at_least < size;
                        facts.at_least = facts.at_least.max(size);
                    }
                    (Compared::AtLeast, _, Some(size), Count::Of(set), None) if size > 0 => {
                        let facts = self.sets.entry(*set).or_default();
                        changed |= facts.at_most.is_none_or(|known| known > size);
                        facts.at_most = Some(facts.at_most.map_or(size, |known| known.min(size)));
                    }
                    _ => {}
                }
            }
            if changed {
                continue;
            }
            let Some(set) = next_to_fix(&mappings, &known) else {
                break;
            };
            let size = self.size(set, None, default).size;
            known.insert(set, size as i64);
        }
        self.mappings = mappings;
    }
}

/// A set that sizes depend on and that has none yet: one whose own size no function says, if there is one.
fn next_to_fix(mappings: &[Mapping], known: &FxHashMap<Name, i64>) -> Option<Name> {
    let mut open = Vec::new();
    for mapping in mappings {
        mapping.left.sets(&mut open);
        mapping.right.sets(&mut open);
    }
    open.retain(|set| !known.contains_key(set));
    let is_said = |set: &Name| {
        let of = Count::Of(*set);
        mappings
            .iter()
            .any(|mapping| mapping.left == of || mapping.right == of)
    };
    open.iter()
        .find(|set| !is_said(set))
        .or(open.first())
        .copied()
}
