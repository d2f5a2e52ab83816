//! Sizes of sets that hold others which have nothing in common: `A <: S & B <: S & A /\ B = {}` with neither of them empty
//! needs two elements at least.
//!
//! Technique: a greedy choice of sets that are pairwise disjoint, those with few known subsets first.
//! Invariant: only what the properties say by name is used, so every size that they allow is left.

use std::hash::Hash;

use base::Name;
use lang_math::{ExprId, ExprKind, Op};
use rustc_hash::{FxHashMap, FxHashSet};

use super::parts::is_empty_set;
use super::{Facts, Names, strip};

/// A deferred set, or a constant that is a set.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Node<C> {
    Carrier(Name),
    Constant(C),
}

/// What is said of inclusion, of common elements and of emptiness.
#[derive(Debug)]
pub(super) struct Disjoint<C> {
    /// Each set with those that it is part of.
    above: FxHashMap<C, Vec<Node<C>>>,
    apart: FxHashSet<(C, C)>,
    not_empty: Vec<C>,
}

impl<C> Default for Disjoint<C> {
    fn default() -> Disjoint<C> {
        Disjoint {
            above: FxHashMap::default(),
            apart: FxHashSet::default(),
            not_empty: Vec::new(),
        }
    }
}

impl<C: Copy + Eq + Hash + Ord> Disjoint<C> {
    /// The sets that hold one, itself first.
    fn holders(&self, set: C) -> Vec<Node<C>> {
        let mut found = vec![Node::Constant(set)];
        let mut at = 0;
        while at < found.len() {
            if let Node::Constant(part) = found[at] {
                for holder in self.above.get(&part).into_iter().flatten() {
                    if !found.contains(holder) {
                        found.push(*holder);
                    }
                }
            }
            at += 1;
        }
        found
    }

    fn are_apart(&self, a: &[Node<C>], b: &[Node<C>]) -> bool {
        a.iter().any(|a| {
            b.iter().any(|b| match (*a, *b) {
                (Node::Constant(a), Node::Constant(b)) => {
                    self.apart.contains(&(a.min(b), a.max(b)))
                }
                _ => false,
            })
        })
    }
}

impl<C: Copy + Eq + Hash + Ord> Facts<C> {
    fn node(names: &dyn Names<C>, id: ExprId) -> Option<Node<C>> {
        let carrier = names.carrier(id).map(Node::Carrier);
        carrier.or_else(|| names.constant(id).map(Node::Constant))
    }

    /// `part <: whole`
    pub(super) fn holds(&mut self, names: &dyn Names<C>, part: ExprId, whole: ExprId) {
        let exprs = names.exprs();
        let (part, whole) = (strip(exprs, part), strip(exprs, whole));
        match exprs.kind(part) {
            ExprKind::Op(Op::Union, args) => {
                for part in args.iter().copied() {
                    base::deep::recurse(|| self.holds(names, part, whole));
                }
            }
            _ => {
                if let (Some(part), Some(whole)) = (names.constant(part), Facts::node(names, whole))
                {
                    self.disjoint.above.entry(part).or_default().push(whole);
                }
            }
        }
    }

    /// `left = right`, of sets.
    pub(super) fn same_sets(&mut self, names: &dyn Names<C>, left: ExprId, right: ExprId) {
        let exprs = names.exprs();
        for (a, b) in [(left, right), (right, left)] {
            let a = strip(exprs, a);
            if let ExprKind::Op(Op::Union, _) = exprs.kind(a) {
                self.holds(names, a, b);
            }
            if let ExprKind::Op(Op::Intersection, args) = exprs.kind(a)
                && is_empty_set(exprs, b)
                && let (Some(a), Some(b)) = (names.constant(args[0]), names.constant(args[1]))
            {
                self.disjoint.apart.insert((a.min(b), a.max(b)));
            }
        }
    }

    /// `P /= {}`
    pub(super) fn has_elements(&mut self, set: C) {
        self.disjoint.not_empty.push(set);
    }

    /// What sets without common elements say about the sizes of those that hold them.
    pub(super) fn add_up_disjoint(&mut self) {
        let disjoint = std::mem::take(&mut self.disjoint);
        let mut sets: Vec<(C, Vec<Node<C>>)> = Vec::new();
        for set in &disjoint.not_empty {
            if !sets.iter().any(|(known, _)| known == set) {
                sets.push((*set, disjoint.holders(*set)));
            }
        }
        let inside = |set: C| {
            let node = Node::Constant(set);
            sets.iter()
                .filter(|(_, holders)| holders.contains(&node))
                .count()
        };
        let mut order: Vec<usize> = (0..sets.len()).collect();
        order.sort_by_key(|at| inside(sets[*at].0));
        let mut wholes: Vec<Name> = Vec::new();
        for (_, holders) in &sets {
            for holder in holders {
                if let Node::Carrier(name) = holder
                    && !wholes.contains(name)
                {
                    wholes.push(*name);
                }
            }
        }
        for whole in wholes {
            let mut chosen: Vec<usize> = Vec::new();
            for at in &order {
                let (_, holders) = &sets[*at];
                let fits = |other: &usize| disjoint.are_apart(holders, &sets[*other].1);
                if holders.contains(&Node::Carrier(whole)) && chosen.iter().all(fits) {
                    chosen.push(*at);
                }
            }
            let facts = self.sets.entry(whole).or_default();
            facts.at_least = facts.at_least.max(chosen.len() as i64);
        }
    }
}
