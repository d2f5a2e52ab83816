//! Sizes of sets that are given by their parts: `partition(S, {a}, P)` with `P /= {}` needs two elements at least.
//!
//! A part is a list of constants, or a constant that is a set: partitioned itself, of a known size, not empty, or
//! nothing is known of it.
//! Invariant: parts are followed to a bounded depth, so partitions that go round in circles end.

use std::hash::Hash;

use base::Name;
use lang_math::{ExprId, ExprKind, Exprs, Op};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Facts, Names, strip};

/// Partitions, and what is known of constants that are parts.
#[derive(Debug)]
pub(super) struct Parts<C> {
    wholes: Vec<(Name, Vec<Part<C>>)>,
    nested: FxHashMap<C, Vec<Part<C>>>,
    /// The sizes of constants that are sets.
    pub(super) sizes: FxHashMap<C, i64>,
    not_empty: FxHashSet<C>,
}

impl<C> Default for Parts<C> {
    fn default() -> Parts<C> {
        Parts {
            wholes: Vec::new(),
            nested: FxHashMap::default(),
            sizes: FxHashMap::default(),
            not_empty: FxHashSet::default(),
        }
    }
}

#[derive(Clone, Debug)]
enum Part<C> {
    One(C),
    Set(C),
    Unknown,
}

/// What is known of a part.
struct Known<C> {
    at_least: i64,
    is_exact: bool,
    /// Its elements, where all of them are constants.
    names: Option<Vec<C>>,
}

/// Parts of parts of parts are followed so far.
const DEPTH: u32 = 16;

impl<C: Copy + Eq + Hash + Ord> Parts<C> {
    fn known(&self, parts: &[Part<C>], depth: u32) -> Known<C> {
        let mut sum = Known {
            at_least: 0,
            is_exact: true,
            names: Some(Vec::new()),
        };
        for part in parts {
            let known = self.part(part, depth);
            sum.at_least = sum.at_least.saturating_add(known.at_least);
            sum.is_exact &= known.is_exact;
            sum.names = match (sum.names, known.names) {
                (Some(mut names), Some(more)) => {
                    names.extend(more);
                    Some(names)
                }
                _ => None,
            };
        }
        sum
    }

    fn part(&self, part: &Part<C>, depth: u32) -> Known<C> {
        match part {
            Part::One(constant) => Known {
                at_least: 1,
                is_exact: true,
                names: Some(vec![*constant]),
            },
            Part::Set(set) => {
                if let Some(parts) = self.nested.get(set)
                    && depth > 0
                {
                    return self.known(parts, depth - 1);
                }
                let size = self.sizes.get(set).copied();
                let least = i64::from(self.not_empty.contains(set));
                Known {
                    at_least: size.unwrap_or(least).max(0),
                    is_exact: size.is_some(),
                    names: None,
                }
            }
            Part::Unknown => Known {
                at_least: 0,
                is_exact: false,
                names: None,
            },
        }
    }
}

impl<C: Copy + Eq + Hash + Ord> Facts<C> {
    /// `partition(whole, parts…)`
    pub(super) fn partition(&mut self, names: &dyn Names<C>, whole: ExprId, parts: &[ExprId]) {
        let parts = parts
            .iter()
            .map(|part| {
                let part = strip(names.exprs(), *part);
                match names.constants_of_extension(part).as_deref() {
                    Some([one]) => Part::One(*one),
                    _ => names.constant(part).map_or(Part::Unknown, Part::Set),
                }
            })
            .collect();
        if let Some(set) = names.carrier(whole) {
            self.parts.wholes.push((set, parts));
        } else if let Some(constant) = names.constant(whole) {
            self.parts.nested.insert(constant, parts);
        }
    }

    /// `P /= {}`
    pub(super) fn not_empty(&mut self, names: &dyn Names<C>, left: ExprId, right: ExprId) {
        for (set, other) in [(left, right), (right, left)] {
            if is_empty_set(names.exprs(), other)
                && let Some(constant) = names.constant(set)
            {
                self.parts.not_empty.insert(constant);
                self.has_elements(constant);
            }
        }
    }

    /// What the partitions say about the sizes of sets.
    pub(super) fn add_up_parts(&mut self) {
        for (set, parts) in std::mem::take(&mut self.parts.wholes) {
            let known = self.parts.known(&parts, DEPTH);
            let facts = self.sets.entry(set).or_default();
            facts.at_least = facts.at_least.max(known.at_least);
            match known.names {
                Some(names) => {
                    facts.listed = Some(names.clone());
                    self.all_differ(&names);
                }
                None if known.is_exact && facts.exact.is_none() && known.at_least > 0 => {
                    facts.exact = Some(known.at_least);
                }
                None => {}
            }
        }
    }
}

pub(super) fn is_empty_set(exprs: &Exprs, id: ExprId) -> bool {
    match exprs.kind(strip(exprs, id)) {
        ExprKind::Op(Op::EmptySet, _) => true,
        ExprKind::Op(Op::OfType, args) => base::deep::recurse(|| is_empty_set(exprs, args[0])),
        _ => false,
    }
}
