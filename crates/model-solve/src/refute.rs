//! Shows that clauses have no solution, with a proof that somebody else can check.
//!
//! Papers: conflict-driven clause learning [Marques-Silva, Sakallah 1999] with watched literals and activities [Moskewicz et al. 2001];
//! every learned clause follows by unit propagation from those before it, so that their list is a proof [Goldberg, Novikov 2003].
//! Small on purpose: it answers questions about single steps, which are easy, and leaves what is hard to others. The SAT solver of
//! `sat` gives no proofs through its binding.
//! Invariant: the answer depends on nothing but the clauses, and work is counted.

#[cfg(test)]
mod tests;

use std::collections::BinaryHeap;

/// The most conflicts.
const CONFLICTS: u64 = 20_000;
/// The most clauses that are looked at.
const LOOKS: u64 = 50_000_000;
/// Conflicts between restarts, at first.
const RESTART: u64 = 100;

/// Finds a proof that clauses have no solution: the clauses that were learned, the empty one last; `None` when they have one, or
/// when that was not found out.
pub(crate) fn refute(clauses: &[Vec<i32>]) -> Option<Vec<Vec<i32>>> {
    let variables = clauses.iter().flatten().map(|lit| lit.unsigned_abs());
    let count = variables.max().unwrap_or(0) as usize + 1;
    let mut solver = Solver {
        clauses: Vec::new(),
        watched: vec![Vec::new(); 2 * count],
        values: vec![0; count],
        levels: vec![0; count],
        reasons: vec![NONE; count],
        phases: vec![false; count],
        activities: vec![0.0; count],
        seen: vec![false; count],
        heap: BinaryHeap::new(),
        trail: Vec::new(),
        bounds: Vec::new(),
        done: 0,
        step: 1.0,
        looks: 0,
    };
    for clause in clauses {
        let mut clause = clause.clone();
        clause.sort_unstable();
        clause.dedup();
        if is_tautology(&clause) {
            continue;
        }
        if !solver.add(clause) {
            return Some(vec![Vec::new()]);
        }
    }
    solver.heap = (1..count as u32).map(|var| (0, var)).collect();
    solver.run()
}

/// Whether a sorted clause has a literal and its negation.
fn is_tautology(clause: &[i32]) -> bool {
    let positive = clause.partition_point(|lit| *lit < 0);
    let negative = &clause[..positive];
    clause[positive..]
        .iter()
        .any(|lit| negative.binary_search(&-lit).is_ok())
}

/// No clause.
const NONE: u32 = u32::MAX;

struct Solver {
    clauses: Vec<Vec<i32>>,
    /// For each literal the clauses one of whose first two it is.
    watched: Vec<Vec<u32>>,
    /// 1 for true, -1 for false.
    values: Vec<i8>,
    levels: Vec<u32>,
    /// The clause that left no choice.
    reasons: Vec<u32>,
    /// The last values.
    phases: Vec<bool>,
    activities: Vec<f64>,
    seen: Vec<bool>,
    /// Variables by activity; a variable may stand here several times.
    heap: BinaryHeap<(u64, u32)>,
    trail: Vec<i32>,
    /// Where the levels begin in the trail.
    bounds: Vec<usize>,
    done: usize,
    /// What is added to activities.
    step: f64,
    looks: u64,
}

fn at(lit: i32) -> usize {
    2 * lit.unsigned_abs() as usize + usize::from(lit < 0)
}

fn var(lit: i32) -> usize {
    lit.unsigned_abs() as usize
}

impl Solver {
    fn value(&self, lit: i32) -> i8 {
        self.values[var(lit)] * lit.signum() as i8
    }

    /// Adds a clause before the search; whether nothing contradicts.
    fn add(&mut self, clause: Vec<i32>) -> bool {
        match clause[..] {
            [] => return false,
            [unit] if self.value(unit) < 0 => return false,
            [unit] if self.value(unit) > 0 => {}
            [unit] => self.assign(unit, NONE),
            [..] => _ = self.watch(clause),
        }
        true
    }

    fn watch(&mut self, clause: Vec<i32>) -> u32 {
        let number = self.clauses.len() as u32;
        self.watched[at(clause[0])].push(number);
        self.watched[at(clause[1])].push(number);
        self.clauses.push(clause);
        number
    }

    fn assign(&mut self, lit: i32, reason: u32) {
        self.values[var(lit)] = lit.signum() as i8;
        self.levels[var(lit)] = self.bounds.len() as u32;
        self.reasons[var(lit)] = reason;
        self.trail.push(lit);
    }

    /// Passes on what is assigned; the clause that is false, if there is one.
    fn propagate(&mut self) -> Option<u32> {
        while self.done < self.trail.len() {
            let falsified = -self.trail[self.done];
            self.done += 1;
            let watched = std::mem::take(&mut self.watched[at(falsified)]);
            for (seen, number) in watched.iter().enumerate() {
                self.looks += 1;
                let mut clause = std::mem::take(&mut self.clauses[*number as usize]);
                if clause[0] == falsified {
                    clause.swap(0, 1);
                }
                let first = clause[0];
                let mut others = 2..clause.len();
                let other = match self.value(first) {
                    1 => None,
                    _ => others.find(|other| self.value(clause[*other]) >= 0),
                };
                if let Some(other) = other {
                    clause.swap(1, other);
                    self.watched[at(clause[1])].push(*number);
                } else {
                    self.watched[at(falsified)].push(*number);
                }
                self.clauses[*number as usize] = clause;
                match (other, self.value(first)) {
                    (None, 0) => self.assign(first, *number),
                    (None, -1) => {
                        self.watched[at(falsified)].extend(&watched[seen + 1..]);
                        return Some(*number);
                    }
                    _ => {}
                }
            }
        }
        None
    }

    fn run(&mut self) -> Option<Vec<Vec<i32>>> {
        let mut proof = Vec::new();
        let (mut conflicts, mut restart, mut turn) = (0, RESTART, 1);
        loop {
            if let Some(conflict) = self.propagate() {
                if self.bounds.is_empty() {
                    proof.push(Vec::new());
                    return Some(proof);
                }
                conflicts += 1;
                let (clause, level) = self.analyse(conflict);
                proof.push(clause.clone());
                self.back(level);
                let first = clause[0];
                let reason = match clause.len() {
                    1 => NONE,
                    _ => self.watch(clause),
                };
                self.assign(first, reason);
                self.step /= 0.95;
                if self.step > 1e100 {
                    self.scale();
                }
            } else if conflicts >= CONFLICTS || self.looks >= LOOKS {
                return None;
            } else if conflicts >= restart {
                turn += 1;
                restart = conflicts + RESTART * luby(turn);
                self.back(0);
            } else {
                let next = self.choose()?;
                self.bounds.push(self.trail.len());
                self.assign(next, NONE);
            }
        }
    }

    /// A literal to decide; `None` when everything is.
    fn choose(&mut self) -> Option<i32> {
        while let Some((_, var)) = self.heap.pop() {
            if self.values[var as usize] == 0 {
                let var = var as i32;
                return Some(if self.phases[var as usize] { var } else { -var });
            }
        }
        None
    }

    /// The first clause with one literal of this level that follows from a conflict, that literal first; and the level
    /// to go back to.
    fn analyse(&mut self, conflict: u32) -> (Vec<i32>, usize) {
        let here = self.bounds.len() as u32;
        let mut learned = vec![0];
        let (mut open, mut place, mut clause) = (0, self.trail.len(), conflict);
        let mut pivot = 0;
        loop {
            for lit in self.clauses[clause as usize].clone() {
                if lit == pivot || self.seen[var(lit)] || self.levels[var(lit)] == 0 {
                    continue;
                }
                self.seen[var(lit)] = true;
                self.bump(var(lit));
                match self.levels[var(lit)] == here {
                    true => open += 1,
                    false => learned.push(lit),
                }
            }
            place = (0..place)
                .rev()
                .find(|at| self.seen[var(self.trail[*at])])
                .unwrap_or_default();
            pivot = self.trail[place];
            open -= 1;
            if open == 0 {
                break;
            }
            self.seen[var(pivot)] = false;
            clause = self.reasons[var(pivot)];
        }
        learned[0] = -pivot;
        let marked = learned.clone();
        // A literal whose reason is in the clause already is not needed.
        let is_needed = |lit: &i32| {
            let reason = self.reasons[var(*lit)];
            reason == NONE
                || self.clauses[reason as usize].iter().any(|other| {
                    other != &-*lit && !self.seen[var(*other)] && self.levels[var(*other)] > 0
                })
        };
        let rest: Vec<i32> = learned[1..].iter().copied().filter(is_needed).collect();
        marked.iter().for_each(|lit| self.seen[var(*lit)] = false);
        learned.truncate(1);
        learned.extend(rest);
        // The second literal is one of the level to go back to.
        let last = (1..learned.len()).max_by_key(|at| self.levels[var(learned[*at])]);
        let level = last.map_or(0, |last| {
            learned.swap(1, last);
            self.levels[var(learned[1])] as usize
        });
        (learned, level)
    }

    fn bump(&mut self, var: usize) {
        self.activities[var] += self.step;
        let key = self.activities[var].to_bits();
        self.heap.push((key, var as u32));
    }

    /// Makes all activities smaller.
    fn scale(&mut self) {
        self.step *= 1e-100;
        self.activities.iter_mut().for_each(|one| *one *= 1e-100);
        let activities = self.activities.iter().enumerate();
        let entries = activities.map(|(var, activity)| (activity.to_bits(), var as u32));
        self.heap = entries.skip(1).collect();
    }

    /// Takes back what was assigned above a level.
    fn back(&mut self, level: usize) {
        let Some(bound) = self.bounds.get(level).copied() else {
            return;
        };
        for lit in self.trail.drain(bound..) {
            let var = var(lit);
            self.values[var] = 0;
            self.phases[var] = lit > 0;
            self.heap.push((self.activities[var].to_bits(), var as u32));
        }
        self.bounds.truncate(level);
        self.done = bound;
    }
}

/// The sequence 1, 1, 2, 1, 1, 2, 4, … [Luby, Sinclair, Zuckerman 1993].
fn luby(turn: u64) -> u64 {
    let mut turn = turn;
    loop {
        let power = (turn + 1).next_power_of_two();
        if power == turn + 1 {
            return power / 2;
        }
        turn -= power / 2 - 1;
    }
}
