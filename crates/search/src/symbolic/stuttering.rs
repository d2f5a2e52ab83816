//! Finds the states that every step leads back to.
//!
//! A step that writes what it reads leads away, or not, in all states with its short vector; the diagrams tell these apart
//! (`Sets::moving`). A step that writes without reading leads back only to states that hold the written values already. These
//! steps are asked for again, and only where no other step leads away.
//! Invariant: what is left was confirmed by the system, which knows steps to states that it leaves out.

use ldd::{Node, Role};

use super::run::{Run, Stopped};

/// Between two looks at the watcher.
const BATCH: usize = 256;

impl Run<'_> {
    /// The states of `dead`, which no step that writes what it reads leaves, that no step leaves at all. `kept` is a set
    /// that must survive.
    pub(super) fn stuttering(&mut self, mut dead: Node, kept: Node) -> Result<Node, Stopped> {
        for at in 0..self.learner.groups.len() {
            if dead.is_empty() {
                return Ok(dead);
            }
            dead = self.without_blind_steps(at, dead, kept)?;
        }
        self.confirmed(dead, kept)
    }

    /// The states of `dead` that no step of a group leaves by what it writes without reading.
    fn without_blind_steps(
        &mut self,
        at: usize,
        mut dead: Node,
        kept: Node,
    ) -> Result<Node, Stopped> {
        if !self.learner.groups[at].writes_blindly() {
            return Ok(dead);
        }
        let pattern = self.learner.groups[at].reads_whole;
        let enabled = self.learner.state().learned[at].known.enabled;
        let short = self.attempt(&[dead, kept], |run| {
            let states = run.store.matching(dead, enabled, pattern)?;
            run.store.project(states, pattern)
        })?;
        for (count, short) in self.store.vectors(short).into_iter().enumerate() {
            if count % BATCH == 0 {
                self.store.poll().map_err(|_| Stopped)?;
            }
            let (steps, _) = self
                .learner
                .state()
                .answer(&self.learner.groups[at], &short);
            for step in steps {
                let written = self.learner.groups[at].blind_writes(&step);
                if !written.is_empty() {
                    dead = self.left(dead, kept, (at, &short), &written)?;
                }
            }
        }
        Ok(dead)
    }

    /// The states of `dead` without those with this short vector of a group that hold other values than are written.
    fn left(
        &mut self,
        dead: Node,
        kept: Node,
        (at, short): (usize, &[u32]),
        written: &[(usize, u32)],
    ) -> Result<Node, Stopped> {
        let value = |slot: usize| written.iter().find(|(of, _)| *of == slot);
        let roles: Vec<Role> = self
            .order
            .iter()
            .map(|slot| value(*slot).map_or(Role::Skip, |_| Role::Read))
            .collect();
        let values: Vec<u32> = self
            .order
            .iter()
            .filter_map(|slot| value(*slot).map(|(_, value)| *value))
            .collect();
        let (reads, writes) = (
            self.learner.groups[at].reads_whole,
            self.store.pattern(&roles),
        );
        self.attempt(&[dead, kept], |run| {
            let store = &run.store;
            let states = store.matching(dead, store.single(short)?, reads)?;
            let still = store.matching(states, store.single(&values)?, writes)?;
            store.minus(dead, store.minus(states, still)?)
        })
    }

    /// The states that the system says stutter.
    fn confirmed(&mut self, dead: Node, kept: Node) -> Result<Node, Stopped> {
        let mut found = Vec::new();
        for (count, vector) in self.store.vectors(dead).into_iter().enumerate() {
            if count % BATCH == 0 {
                self.store.poll().map_err(|_| Stopped)?;
            }
            let state = self.to_slots(&vector);
            if self.learner.state().worker.stutters(&state) {
                found.push(vector);
            }
        }
        self.attempt(&[dead, kept], |run| {
            run.store.from_vectors(&mut found.clone())
        })
    }
}
