//! Paths to findings without links: predecessors are looked for level by level, backwards.
//!
//! A state of depth n has a predecessor of depth n - 1, and each level is known by the tags of its states. All findings
//! are followed at once, so each level is expanded again at most once, however many there are.

use std::io;

use pins::{Flow, PathStep};
use rustc_hash::{FxHashMap, FxHashSet};
use treetable::Found as InStore;

use super::OnDisk;
use crate::explicit::paths;

impl OnDisk<'_> {
    /// The path to each of these states of known depth.
    pub(super) fn ways(&self, ends: Vec<(Vec<u32>, u32)>) -> io::Result<Vec<Vec<PathStep>>> {
        let deepest = ends.iter().map(|(_, depth)| *depth).max().unwrap_or(0);
        // For each depth but the first, which state of the level before leads to a state.
        let mut before: Vec<FxHashMap<Vec<u32>, Vec<u32>>> =
            vec![FxHashMap::default(); deepest as usize + 1];
        for depth in (1..=deepest).rev() {
            let own = ends.iter().filter(|(_, at)| *at == depth);
            let mut wanted: FxHashSet<Vec<u32>> = own.map(|(state, _)| state.clone()).collect();
            if let Some(later) = before.get(depth as usize + 1) {
                wanted.extend(later.values().cloned());
            }
            before[depth as usize] = self.predecessors(wanted, depth - 1)?;
        }
        let ways = ends.into_iter().map(|(state, depth)| {
            let mut states = vec![state];
            for depth in (1..=depth).rev() {
                let state = states.last()?;
                states.push(before[depth as usize].get(state)?.clone());
            }
            states.reverse();
            Some(self.after_setup(states))
        });
        Ok(ways.map(Option::unwrap_or_default).collect())
    }

    /// For each of these states one of this depth that leads to it.
    fn predecessors(
        &self,
        mut wanted: FxHashSet<Vec<u32>>,
        depth: u32,
    ) -> io::Result<FxHashMap<Vec<u32>, Vec<u32>>> {
        let mut found = FxHashMap::default();
        let mut worker = self.run.system.worker();
        for run in &self.known {
            let mut reader = run.read()?;
            while !wanted.is_empty() && reader.advance()? {
                if reader.tag() != depth {
                    continue;
                }
                let state = reader.vector();
                let mut emit = |_, step: pins::Step<'_>| {
                    if let Some(target) = wanted.take(step.target) {
                        found.insert(target, state.to_vec());
                    }
                    Flow::Continue
                };
                worker.all_successors(state, &mut emit, &mut |_, _| {});
            }
        }
        Ok(found)
    }

    /// The path along these states, the set-up of the first included.
    fn after_setup(&self, states: Vec<Vec<u32>>) -> Vec<PathStep> {
        let run = self.run;
        // It is there: nothing is added.
        let InStore::Seen(first) = run.store.session().insert(&states[0]) else {
            return Vec::new();
        };
        match run.links.get(first) {
            Some((setup, _)) => paths::along(run, setup, states.into_iter()),
            None => Vec::new(),
        }
    }
}
