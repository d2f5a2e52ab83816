//! The fixed points: breadth-first, chaining, saturation.
//!
//! Papers: [Burch et al. 1992] breadth-first with a frontier; [Roig et al. 1995] chaining; [Ciardo, Marmorstein, Siminiceanu 2006]
//! saturation, which is an operation of `lib/ldd`.
//! Chaining applies each class of groups until it gives nothing new (or many times), those that begin deepest first, and to all states so far:
//! what is new in a round is often an irregular set with a larger diagram than all states have.
//! Saturation is best where groups touch few slots, and poor where many groups touch most of them: it has some patience,
//! counted in operations, and then chaining goes on from what it found. Nothing is asked twice.
//! Invariant: what is checked on a set of states was asked of every group for these states before.

use std::sync::atomic::Ordering::Relaxed;

use ldd::{Halt, Node, Progress};
use num_traits::ToPrimitive;

use super::config::Order;
use super::run::{Run, Stopped};
use crate::explicit::Open;

/// How often chaining applies one class before it looks at the others, and at what was found: a class may go on for ever.
const TURNS: usize = 64;
/// The patience of saturation that was asked for, in looks at the watcher: some seconds.
const LONG: u64 = 2000;

impl Run<'_> {
    /// Finds all states; whether it did.
    pub(super) fn search(&mut self) -> Result<bool, Stopped> {
        self.check_labels(self.initial, Some(0))?;
        if self.has_enough() {
            return Ok(false);
        }
        let rest = self.config.patience.rest.unwrap_or(0);
        self.watcher.patience.store(rest, Relaxed);
        match self.config.order {
            Order::Bfs => self.breadth_first(),
            // A local fixed point sees a part of each column, which cannot be sorted.
            Order::Saturation | Order::Auto if self.orbits.is_some() => self.chaining(self.initial),
            Order::Chaining => self.chaining(self.initial),
            // Without a slot there is nothing to descend into.
            Order::Saturation | Order::Auto if self.order.is_empty() => self.breadth_first(),
            Order::Saturation => self.saturation(LONG),
            Order::Auto => self.saturation(self.config.patience.saturation),
        }
    }

    fn breadth_first(&mut self) -> Result<bool, Stopped> {
        let mut frontier = self.initial;
        let mut depth = 0;
        while !frontier.is_empty() {
            if self
                .config
                .limits
                .max_depth
                .is_some_and(|most| depth >= most)
            {
                self.book.open.push(Open::MaxDepth);
                return Ok(false);
            }
            self.book.rounds += 1;
            let mut images = self.no_images();
            for class in 0..self.learner.classes.len() {
                let mut keep = images.all();
                keep.push(frontier);
                let relation = self.learn(class, frontier, &keep)?;
                let image = self.attempt(&keep, |run| {
                    let pattern = run.learner.classes[class].whole;
                    run.store.forward(frontier, relation, pattern)
                })?;
                self.add_image(&mut images, class, image, &[frontier])?;
            }
            let visited = self.visited;
            let next = self.representatives_of(images, visited, &[frontier])?;
            self.held = vec![next];
            self.check_deadlocks(frontier, Some(depth))?;
            self.check_faults(frontier, Some(depth))?;
            let new = self.attempt(&[next], |run| run.store.minus(next, run.visited))?;
            self.visited = self.attempt(&[new], |run| run.store.union(run.visited, new))?;
            frontier = new;
            depth += 1;
            if !frontier.is_empty() {
                self.levels.push(frontier);
            }
            self.check_labels(frontier, Some(depth))?;
            if self.has_enough() {
                return Ok(false);
            }
            self.look_at_states(depth, frontier)?;
        }
        Ok(true)
    }

    /// Chaining from all states so far, whose labels were checked.
    fn chaining(&mut self, start: Node) -> Result<bool, Stopped> {
        let mut frontier = start;
        while !frontier.is_empty() {
            self.book.rounds += 1;
            let mut reached = self.visited;
            for class in 0..self.learner.classes.len() {
                reached = self.exhaust(class, reached, frontier)?;
            }
            self.held = vec![reached, frontier];
            self.check_deadlocks(frontier, None)?;
            self.check_faults(reached, None)?;
            let new = self.attempt(&[reached], |run| run.store.minus(reached, run.visited))?;
            self.visited = reached;
            frontier = new;
            self.held = vec![frontier];
            self.check_labels(frontier, None)?;
            if self.has_enough() {
                return Ok(false);
            }
            self.look_at_states(self.book.rounds as u32, frontier)?;
            if self.config.patience.rest.is_some() && self.is_hopeless() {
                self.book.gave_up = !frontier.is_empty();
                return Ok(frontier.is_empty());
            }
        }
        Ok(true)
    }

    /// Whether diagrams with half as many nodes as states promise nothing. Of representatives there are few in the beginning.
    fn is_hopeless(&self) -> bool {
        if self.orbits.is_some() {
            return false;
        }
        let states = self.store.count(self.visited).to_u64();
        states.is_some_and(|states| self.store.size(self.visited) * 2 > states)
    }

    /// The states that one class alone leads to from a set, up to [`TURNS`] steps away, or one step where there are more states
    /// than allowed: the round goes to its end, so that what it found is checked.
    fn exhaust(&mut self, class: usize, set: Node, keep: Node) -> Result<Node, Stopped> {
        let mut reached = set;
        for _ in 0..TURNS {
            let relation = self.learn(class, reached, &[keep])?;
            let before = reached;
            let image = self.attempt(&[keep, reached], |run| {
                let pattern = run.learner.classes[class].whole;
                run.store.forward(reached, relation, pattern)
            })?;
            let new = match &self.orbits {
                Some(_) => {
                    let mut images = self.no_images();
                    self.add_image(&mut images, class, image, &[keep, reached])?;
                    self.representatives_of(images, before, &[keep, reached])?
                }
                None => image,
            };
            reached = self.attempt(&[keep, reached, new], |run| run.store.union(reached, new))?;
            if reached == before || self.is_too_large(reached) {
                break;
            }
        }
        Ok(reached)
    }

    /// Saturation for a while, then chaining from what it found.
    fn saturation(&mut self, patience: u64) -> Result<bool, Stopped> {
        let progress = Progress::default();
        self.watcher.patience.store(patience, Relaxed);
        self.learner.state().stops_at_fault = self.wanted() == 1 && !self.config.finds_all;
        self.book.rounds = 1;
        self.visited = loop {
            match self.store.saturate(self.initial, &self.learner, &progress) {
                Ok(all) => break all,
                Err(Halt::Full) => self.make_room(&progress.roots())?,
                Err(Halt::Stopped) => return Err(Stopped),
            }
        };
        let all = self.visited;
        let is_tired = self.watcher.is_tired();
        let rest = self.config.patience.rest.unwrap_or(0);
        self.watcher.patience.store(rest, Relaxed);
        if is_tired {
            self.watcher.rest();
            self.store.go_on();
            self.learner.state().stops_at_fault = false;
        }
        let new = self.attempt(&[], |run| run.store.minus(all, run.initial))?;
        self.check_labels(new, None)?;
        if is_tired {
            return match self.has_enough() {
                true => Ok(false),
                false => self.chaining(all),
            };
        }
        self.check_faults(all, None)?;
        if self.store.is_stopping() {
            return Ok(false);
        }
        self.check_deadlocks(all, None)?;
        Ok(true)
    }

    /// The relation of a class of groups, complete for a set.
    fn learn(&mut self, class: usize, set: Node, more: &[Node]) -> Result<Node, Stopped> {
        let mut keep = more.to_vec();
        keep.push(set);
        self.attempt(&keep, |run| {
            let short = run
                .store
                .project(set, run.learner.classes[class].reads_whole)?;
            run.learner.learn_short(run.store.alone(), class, short)
        })
    }

    /// Limits that are looked at between two rounds.
    fn look_at_states(&mut self, depth: u32, frontier: Node) -> Result<(), Stopped> {
        self.watcher.depth.store(depth, Relaxed);
        self.store.poll().map_err(|_| Stopped)?;
        if let Some(most) = self.config.limits.max_states {
            let states = self.states(self.visited);
            self.watcher.states.store(states, Relaxed);
            if states >= most && !frontier.is_empty() {
                return Err(self.watcher.stop_at_states());
            }
        }
        Ok(())
    }

    fn is_too_large(&self, set: Node) -> bool {
        let most = self.config.limits.max_states;
        most.is_some_and(|most| self.states(set) >= most)
    }

    fn states(&self, set: Node) -> u64 {
        self.store.count(set).to_u64().unwrap_or(u64::MAX)
    }
}
