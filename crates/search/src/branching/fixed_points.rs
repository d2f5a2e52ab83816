//! The states where each part of a formula holds.
//!
//! Invariant: both readings of an atom without a value are monotone, so that the truth lies between them.

use std::rc::Rc;

use super::formula::Ctl;
use crate::liveness::space::{Edge, Space, Trouble};
use crate::liveness::watch::Stopped;

/// The edges backwards.
pub(super) struct Graph {
    /// For each state where its predecessors begin; one more at the end.
    first: Vec<u32>,
    sources: Vec<u32>,
}

impl Graph {
    pub(super) fn new(space: &Space<'_>) -> Graph {
        let count = space.len();
        let mut first = vec![0u32; count + 1];
        let edges = |state: usize| space.edges(state as u32).iter();
        for edge in (0..count).flat_map(edges) {
            first[edge.target as usize + 1] += 1;
        }
        for at in 0..count {
            first[at + 1] += first[at];
        }
        let mut next = first.clone();
        let mut sources = vec![0; first[count] as usize];
        for state in 0..count {
            for edge in edges(state) {
                let place = &mut next[edge.target as usize];
                sources[*place as usize] = state as u32;
                *place += 1;
            }
        }
        Graph { first, sources }
    }

    pub(super) fn bytes(&self) -> u64 {
        (self.first.len() + self.sources.len()) as u64 * 4
    }

    fn sources(&self, state: u32) -> &[u32] {
        let (from, to) = (self.first[state as usize], self.first[state as usize + 1]);
        &self.sources[from as usize..to as usize]
    }
}

/// A set of states.
#[derive(Clone, Debug)]
pub(super) struct States(Vec<u64>);

impl States {
    fn none(count: usize) -> States {
        States(vec![0; count.div_ceil(64)])
    }

    pub(super) fn has(&self, state: u32) -> bool {
        self.0[state as usize / 64] >> (state % 64) & 1 == 1
    }

    fn add(&mut self, state: u32) -> bool {
        let word = &mut self.0[state as usize / 64];
        let is_new = *word >> (state % 64) & 1 == 0;
        *word |= 1 << (state % 64);
        is_new
    }

    fn remove(&mut self, state: u32) {
        self.0[state as usize / 64] &= !(1 << (state % 64));
    }

    fn combine(&mut self, other: &States, with: impl Fn(u64, u64) -> u64) {
        for (mine, other) in self.0.iter_mut().zip(&other.0) {
            *mine = with(*mine, *other);
        }
    }
}

/// For each part of a formula the states where it holds, read both ways.
pub(super) struct Sets {
    must: Vec<Rc<States>>,
    may: Vec<Rc<States>>,
}

impl Sets {
    pub(super) fn new(space: &Space<'_>, graph: &Graph, formula: &Ctl) -> Result<Sets, Stopped> {
        let mut work = Work {
            space,
            graph,
            is_lenient: false,
            has_undefined: false,
            sets: vec![None; formula.size()],
        };
        work.part(formula, 0)?;
        let (must, has_undefined) = (work.finished(), work.has_undefined);
        if !has_undefined {
            let may = must.clone();
            return Ok(Sets { must, may });
        }
        // Below a negation the readings change places: each is computed with the other one's parts.
        let strict = std::mem::replace(&mut work.sets, vec![None; formula.size()]);
        work.is_lenient = true;
        work.part(formula, 0)?;
        let lenient = work.finished();
        let strict: Vec<Rc<States>> = strict.into_iter().flatten().collect();
        let mut sets = Sets {
            must: strict,
            may: lenient,
        };
        sets.turn(formula, 0, false);
        Ok(sets)
    }

    /// Below an odd number of negations the strict run read atoms leniently.
    fn turn(&mut self, formula: &Ctl, at: usize, is_turned: bool) {
        if is_turned {
            let (must, may) = (&mut self.must[at], &mut self.may[at]);
            std::mem::swap(must, may);
        }
        let is_turned = is_turned != matches!(formula, Ctl::Not(_));
        for (number, part) in formula.numbered_parts(at) {
            self.turn(part, number, is_turned);
        }
    }

    /// Whether a part holds in a state whatever atoms without a value are.
    pub(super) fn must_hold(&self, part: usize, state: u32) -> bool {
        self.must[part].has(state)
    }

    /// Whether a part holds in a state for some truth of atoms without a value.
    pub(super) fn may_hold(&self, part: usize, state: u32) -> bool {
        self.may[part].has(state)
    }

    /// The nearest atom without a value that the formula has.
    pub(super) fn undefined(&self, space: &Space<'_>, formula: &Ctl, from: u32) -> Trouble {
        let (mut in_states, mut in_steps) = (Vec::new(), Vec::new());
        atoms(formula, &mut in_states, &mut in_steps);
        let mut is_seen = vec![false; space.len()];
        let mut order = vec![from];
        is_seen[from as usize] = true;
        let mut at = 0;
        while at < order.len() {
            let state = order[at];
            at += 1;
            let letter = space.stepper.state_letters.get(space.letter(state));
            if let Some(atom) = in_states.iter().find(|atom| is_undefined(letter, **atom)) {
                return Trouble::Atom(state, None, *atom);
            }
            for edge in space.edges(state) {
                let letter = space.stepper.step_letters.get(edge.letter);
                if let Some(atom) = in_steps.iter().find(|atom| is_undefined(letter, **atom)) {
                    return Trouble::Atom(state, Some(*edge), *atom);
                }
                if !std::mem::replace(&mut is_seen[edge.target as usize], true) {
                    order.push(edge.target);
                }
            }
        }
        unreachable!("readings differ only where an atom has no value")
    }
}

fn atoms(formula: &Ctl, in_states: &mut Vec<u32>, in_steps: &mut Vec<u32>) {
    match formula {
        Ctl::Atom(atom) => in_states.push(*atom),
        Ctl::ExistsNext(Some(atom), _) => in_steps.push(*atom),
        _ => {}
    }
    for part in formula.parts() {
        atoms(part, in_states, in_steps);
    }
}

fn is_undefined(letter: &[u64], atom: u32) -> bool {
    letter[letter.len() / 2 + atom as usize / 64] >> (atom % 64) & 1 == 1
}

fn holds(letter: &[u64], atom: u32) -> bool {
    letter[atom as usize / 64] >> (atom % 64) & 1 == 1
}

/// Whether a step satisfies what `EX [step]` asks for.
pub(super) fn step_counts(space: &Space<'_>, edge: &Edge, atom: Option<u32>) -> bool {
    let letter = space.stepper.step_letters.get(edge.letter);
    atom.is_none_or(|atom| holds(letter, atom))
}

/// One reading of all parts.
struct Work<'w, 's> {
    space: &'w Space<'s>,
    graph: &'w Graph,
    /// Whether an atom without a value counts as true.
    is_lenient: bool,
    has_undefined: bool,
    sets: Vec<Option<Rc<States>>>,
}

impl Work<'_, '_> {
    fn finished(&self) -> Vec<Rc<States>> {
        self.sets.iter().flatten().cloned().collect()
    }

    fn part(&mut self, formula: &Ctl, at: usize) -> Result<Rc<States>, Stopped> {
        self.space.watch.go_on()?;
        let count = self.space.len();
        let is_not = matches!(formula, Ctl::Not(_));
        self.is_lenient ^= is_not;
        let parts = formula.numbered_parts(at).into_iter();
        let parts = parts.map(|(number, part)| self.part(part, number));
        let parts = parts.collect::<Result<Vec<_>, _>>()?;
        self.is_lenient ^= is_not;
        let mut all = States::none(count);
        match formula {
            Ctl::False => {}
            Ctl::True => (0..count as u32).for_each(|state| _ = all.add(state)),
            Ctl::Atom(atom) => {
                for state in 0..count as u32 {
                    let letter = self
                        .space
                        .stepper
                        .state_letters
                        .get(self.space.letter(state));
                    if self.value(letter, *atom) {
                        all.add(state);
                    }
                }
            }
            Ctl::Not(_) => {
                (0..count as u32).for_each(|state| _ = all.add(state));
                all.combine(&parts[0], |all, part| all & !part);
            }
            Ctl::And(_) => {
                (0..count as u32).for_each(|state| _ = all.add(state));
                parts
                    .iter()
                    .for_each(|part| all.combine(part, |a, b| a & b));
            }
            Ctl::Or(_) => parts
                .iter()
                .for_each(|part| all.combine(part, |a, b| a | b)),
            Ctl::ExistsNext(step, _) => {
                for state in 0..count as u32 {
                    for edge in self.space.edges(state) {
                        let letter = self.space.stepper.step_letters.get(edge.letter);
                        let counts = step.is_none_or(|atom| self.value(letter, atom));
                        if counts && parts[0].has(edge.target) {
                            all.add(state);
                            break;
                        }
                    }
                }
            }
            Ctl::ExistsUntil(..) => self.until(&parts[0], &parts[1], &mut all)?,
            Ctl::ExistsGlobally(_) => {
                all = (*parts[0]).clone();
                self.globally(&mut all)?;
            }
        }
        let all = Rc::new(all);
        self.sets[at] = Some(all.clone());
        Ok(all)
    }

    fn value(&mut self, letter: &[u64], atom: u32) -> bool {
        let is_undefined = is_undefined(letter, atom);
        self.has_undefined |= is_undefined;
        holds(letter, atom) || (is_undefined && self.is_lenient)
    }

    /// Backwards from the second, through the first.
    fn until(&self, first: &States, second: &States, all: &mut States) -> Result<(), Stopped> {
        let states = 0..self.space.len() as u32;
        let mut todo: Vec<u32> = states.filter(|state| second.has(*state)).collect();
        todo.iter().for_each(|state| _ = all.add(*state));
        while let Some(state) = todo.pop() {
            for source in self.graph.sources(state) {
                if first.has(*source) && all.add(*source) {
                    todo.push(*source);
                }
            }
        }
        self.space.watch.go_on()
    }

    /// Removes states that have successors, but none left in the set.
    fn globally(&self, all: &mut States) -> Result<(), Stopped> {
        let count = self.space.len() as u32;
        let mut left: Vec<u32> = vec![0; count as usize];
        let mut todo: Vec<u32> = Vec::new();
        for state in (0..count).filter(|state| all.has(*state)) {
            let edges = self.space.edges(state);
            let inside = edges.iter().filter(|edge| all.has(edge.target));
            left[state as usize] = inside.count() as u32;
            if left[state as usize] == 0 && !self.space.is_end(state) {
                todo.push(state);
            }
        }
        todo.iter().for_each(|state| all.remove(*state));
        while let Some(state) = todo.pop() {
            for source in self.graph.sources(state) {
                if !all.has(*source) {
                    continue;
                }
                left[*source as usize] -= 1;
                if left[*source as usize] == 0 {
                    all.remove(*source);
                    todo.push(*source);
                }
            }
        }
        self.space.watch.go_on()
    }
}
