//! Paths that were left for another way: kept, listed, gone back to.
//!
//! A branch is a whole path; where it leaves the present one is found by comparing them, so going back and forth between branches needs no
//! tree. Invariant: a path that is a beginning of the present one, or of another branch, is no branch.

use super::{Animator, Reply, Tone, Visited, same};
use crate::report::counted;

/// So many branches are kept; the oldest go first.
const MAX_BRANCHES: usize = 50;

impl Animator {
    /// Cuts the path to so many places; what is cut off can be gone back to.
    pub(super) fn leave(&mut self, length: usize) {
        if length < self.history.len() {
            self.keep(self.history.clone());
            self.history.truncate(length);
        }
    }

    /// Keeps a path, unless another one has it.
    fn keep(&mut self, path: Vec<Visited>) {
        let is_known = |other: &Vec<Visited>| common(other, &path) == path.len();
        if self.branches.iter().any(is_known) {
            return;
        }
        // What this one goes on from needs no place of its own.
        self.branches
            .retain(|other| common(other, &path) < other.len());
        self.branches.push(path);
        if self.branches.len() > MAX_BRANCHES {
            self.branches.remove(0);
        }
    }

    /// Forgets branches that the present path has caught up with.
    pub(super) fn prune(&mut self) {
        let history = &self.history;
        self.branches
            .retain(|branch| common(branch, history) < branch.len());
    }

    /// For each branch the step where it leaves the present path, and the steps from there.
    pub(super) fn branch_steps(&self) -> Vec<(usize, Vec<String>)> {
        let branches = self.branches.iter();
        branches
            .map(|branch| {
                let from = common(branch, &self.history);
                // The first place has no step before it.
                let moves = branch[from.max(1)..].iter();
                let moves = moves.filter_map(|one| one.taken.as_ref());
                let steps = moves.map(|taken| self.scene().show(taken).label());
                (from - 1, steps.collect())
            })
            .collect()
    }

    pub(super) fn show_branches(&self) -> Reply {
        let mut reply = Reply::default();
        for (number, (from, steps)) in (1..).zip(self.branch_steps()) {
            let steps = steps.join(", ");
            reply.line(
                Tone::Plain,
                format!("  {number}  after step {from}: {steps}"),
            );
        }
        if reply.lines.is_empty() {
            reply.line(Tone::Plain, "no other way was gone");
        }
        reply
    }

    /// Goes to the end of a branch; the present path becomes one.
    pub(super) fn take_branch(&mut self, number: usize) -> Reply {
        let Some(at) = number.checked_sub(1).filter(|at| *at < self.branches.len()) else {
            let known = counted(self.branches.len() as u64, "branch");
            return self.fail(format!("there is no branch {number}; there are {known}"));
        };
        let branch = self.branches.remove(at);
        let last = branch.len() - 1;
        let left = std::mem::replace(&mut self.history, branch);
        if common(&left, &self.history) < left.len() {
            self.keep(left);
        }
        self.go(Some(last))
    }
}

/// How many places two paths have in common from the beginning; at least one.
fn common(one: &[Visited], other: &[Visited]) -> usize {
    let pairs = one.iter().zip(other);
    let alike = pairs.take_while(|(one, other)| {
        let is_same = match (&one.taken, &other.taken) {
            (Some(one), Some(other)) => same(one, other),
            (one, other) => one.is_none() && other.is_none(),
        };
        is_same && one.place == other.place
    });
    alike.count()
}
