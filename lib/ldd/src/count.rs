//! Exact sizes: machine numbers as long as they suffice, big ones after that.

use num_bigint::BigUint;
use rustc_hash::{FxHashMap, FxHashSet};

use crate::{Node, Store};

/// A number of vectors.
pub type Count = BigUint;

impl Store<'_> {
    /// How many vectors a set has.
    pub fn count(&self, set: Node) -> Count {
        let mut small = FxHashMap::default();
        match self.count_small(set, &mut small) {
            Some(count) => Count::from(count),
            None => self.count_big(set, &mut FxHashMap::default()),
        }
    }

    /// How many nodes a set has.
    pub fn size(&self, set: Node) -> u64 {
        let mut seen = FxHashSet::default();
        let mut stack = vec![set];
        while let Some(node) = stack.pop() {
            if !node.is_leaf() && seen.insert(node) {
                stack.push(self.down(node));
                stack.push(self.right(node));
            }
        }
        seen.len() as u64
    }

    fn count_small(&self, list: Node, known: &mut FxHashMap<Node, u128>) -> Option<u128> {
        if list.is_leaf() {
            return Some(u128::from(list == Node::UNIT));
        }
        if let Some(count) = known.get(&list) {
            return Some(*count);
        }
        // Siblings that were not counted yet, from the right: lists share their ends.
        let mut fresh = Vec::new();
        let (mut at, mut sum) = (list, 0u128);
        while !at.is_leaf() {
            if let Some(count) = known.get(&at) {
                sum = *count;
                break;
            }
            fresh.push(at);
            at = self.right(at);
        }
        for node in fresh.into_iter().rev() {
            sum = sum.checked_add(self.count_small(self.down(node), known)?)?;
            known.insert(node, sum);
        }
        Some(sum)
    }

    fn count_big(&self, list: Node, known: &mut FxHashMap<Node, Count>) -> Count {
        if list.is_leaf() {
            return Count::from(u32::from(list == Node::UNIT));
        }
        if let Some(count) = known.get(&list) {
            return count.clone();
        }
        let mut sum = Count::default();
        for (_, down) in self.siblings(list) {
            sum += self.count_big(down, known);
        }
        known.insert(list, sum.clone());
        sum
    }
}
