//! How many states the representatives stand for, without looking at one: orbits by the runs of equal columns.
//!
//! In a sorted state equal columns are neighbours. An orbit of `n` columns with runs of lengths `m1, m2, …` has
//! `n! / (m1! m2! …)` states. A set is split by whether each column equals the next one; parts with the same runs are united
//! again, so there are no more parts than partitions of `n`.

use ldd::{Count, Node};
use rustc_hash::FxHashMap;

use super::run::{Run, Stopped};

/// Runs of equal columns that are over, ascending, and the length of the current one.
type Runs = (Vec<u32>, u32);

impl Run<'_> {
    /// The sum of the orbits' sizes over a set of representatives.
    pub(super) fn weight(&mut self, set: Node) -> Result<Count, Stopped> {
        let moving = self.permutable(set, &[])?;
        let resting = self.attempt(&[set, moving], |run| run.store.minus(set, moving))?;
        let mut total = self.store.count(resting);
        let sizes: Vec<usize> = self.orbits.as_ref().map_or(Vec::new(), |orbits| {
            let families = orbits.neighbours.families().iter();
            families.map(Vec::len).collect()
        });
        let mut parts: Vec<(Count, Node)> = vec![(Count::from(1u32), moving)];
        for (family, size) in sizes.into_iter().enumerate() {
            let mut next: FxHashMap<Count, Node> = FxHashMap::default();
            while let Some((weight, part)) = parts.pop() {
                let mut keep: Vec<Node> = parts.iter().map(|(_, part)| *part).collect();
                keep.extend(next.values());
                let split = self.by_runs(family, size, part, &keep)?;
                keep.extend(split.iter().map(|(_, part)| *part));
                for (ways, part) in split {
                    let mut keep = keep.clone();
                    keep.extend(next.values());
                    let known = next.entry(&weight * ways).or_insert(Node::EMPTY);
                    let before = *known;
                    *known = self.attempt(&keep, |run| run.store.union(before, part))?;
                }
            }
            parts = next.into_iter().collect();
        }
        for (weight, part) in parts {
            total += weight * self.store.count(part);
        }
        Ok(total)
    }

    /// Parts of a set by the number of ways to order their columns.
    fn by_runs(
        &mut self,
        family: usize,
        exchanges: usize,
        set: Node,
        keep: &[Node],
    ) -> Result<Vec<(Count, Node)>, Stopped> {
        let mut parts: FxHashMap<Runs, Node> = FxHashMap::default();
        parts.insert((Vec::new(), 1), set);
        for at in 0..exchanges {
            let mut next: FxHashMap<Runs, Node> = FxHashMap::default();
            for ((runs, current), part) in parts.clone() {
                let mut keep = keep.to_vec();
                keep.extend(parts.values());
                keep.extend(next.values());
                let equal = self.unchanged((family, at), part, &keep)?;
                keep.push(equal);
                let other = self.attempt(&keep, |run| run.store.minus(part, equal))?;
                keep.push(other);
                let mut over = runs.clone();
                over.push(current);
                over.sort_unstable();
                for (key, part) in [((runs, current + 1), equal), ((over, 1), other)] {
                    if part.is_empty() {
                        continue;
                    }
                    let before = next.get(&key).copied().unwrap_or(Node::EMPTY);
                    let both = self.attempt(&keep, |run| run.store.union(before, part))?;
                    keep.push(both);
                    next.insert(key, both);
                }
            }
            parts = next;
        }
        let columns = exchanges as u32 + 1;
        let ways = |(runs, current): &Runs| {
            let ordered = runs.iter().chain(std::iter::once(current));
            ordered.fold(factorial(columns), |ways, run| ways / factorial(*run))
        };
        Ok(parts
            .iter()
            .map(|(runs, part)| (ways(runs), *part))
            .collect())
    }
}

fn factorial(n: u32) -> Count {
    (1..=n).fold(Count::from(1u32), |product, factor| product * factor)
}
