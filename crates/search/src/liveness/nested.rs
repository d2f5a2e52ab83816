//! The lean way to look for an accepted cycle: nested depth-first search, which keeps states and no edges.
//!
//! Technique: the outer search colours the states on its stack; after an accepting state is left, an inner search from
//! it looks for a state of that stack (Schwoon, Esparza 2005). Accepting sets, weak constraints included, are passed
//! one after the other by a level in the state (degeneralisation).
//! Differs from `emptiness.rs`: steps are computed again for the inner search, a violation has the path of the search
//! and not a shortest one, and strong fairness cannot be decided.
//! Invariant: no recursion; two bits a state beside the store.

use std::mem::size_of;

use treetable::{Found, Session, Store};

use super::fairness::Fairness;
use super::outcome::{Effort, End, Evidence, Verdict};
use super::product::Machine;
use super::space::Space;
use super::stepper::Unanswered;
use crate::explicit::Open;
use pins::{Event, PathStep};

/// How far the searches are with a state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Colour {
    /// Not seen.
    White,
    /// On the stack of the outer search.
    Cyan,
    /// The outer search is done with it.
    Blue,
    /// The inner search was there.
    Red,
}

/// A state on a stack.
struct Frame {
    at: u32,
    successors: Vec<u32>,
}

/// What both searches need.
struct Search<'n, 's> {
    space: &'n mut Space<'s>,
    machine: &'n Machine,
    fairness: &'n Fairness,
    store: &'n Store,
    session: Session<'n>,
    colours: Vec<Colour>,
    /// Accepting sets and weak constraints.
    levels: u32,
    vector: Vec<u32>,
    target: Vec<u32>,
    outer: Vec<Frame>,
    inner: Vec<Frame>,
    effort: &'n mut Effort,
}

/// The steps out of a product state.
enum Steps {
    /// To these, in order.
    To(Vec<u32>),
    /// None, and the word may end here.
    AcceptedEnd,
}

/// Between two accounts of memory.
const ACCOUNT: u64 = 256;

/// Searches from all initial states, for a premise without strong constraints and labels.
pub(crate) fn search(
    space: &mut Space<'_>,
    machine: &Machine,
    fairness: &Fairness,
    store: &Store,
    effort: &mut Effort,
) -> Result<Option<Evidence>, Verdict> {
    let slots = space.stepper.slots() + 1;
    let mut search = Search {
        levels: machine.all.count_ones() + fairness.weak.len() as u32,
        space,
        machine,
        fairness,
        store,
        session: store.session(),
        colours: Vec::new(),
        vector: vec![0; slots],
        target: vec![0; slots],
        outer: Vec::new(),
        inner: Vec::new(),
        effort,
    };
    let starts: Vec<u32> = search
        .space
        .initial
        .iter()
        .map(|(state, _)| *state)
        .collect();
    for state in starts {
        for q in &machine.initial {
            let mut vector = search.space.load(state);
            vector.push(q * (search.levels + 1));
            let start = search.insert(&vector)?;
            if search.colours[start as usize] == Colour::White
                && let Some(evidence) = search.outer(start)?
            {
                return Ok(Some(evidence));
            }
        }
    }
    Ok(None)
}

impl Search<'_, '_> {
    fn outer(&mut self, start: u32) -> Result<Option<Evidence>, Verdict> {
        let mut enter = Some(start);
        loop {
            if let Some(at) = enter.take() {
                self.colours[at as usize] = Colour::Cyan;
                self.effort.product_states += 1;
                self.outer.push(Frame {
                    at,
                    successors: Vec::new(),
                });
                match self.steps(at)? {
                    Steps::To(successors) => {
                        if let Some(frame) = self.outer.last_mut() {
                            frame.successors = successors;
                        }
                    }
                    Steps::AcceptedEnd => return Ok(Some(self.evidence(None))),
                }
            }
            let Some(frame) = self.outer.last_mut() else {
                return Ok(None);
            };
            let at = frame.at;
            if let Some(target) = frame.successors.pop() {
                self.effort.product_edges += 1;
                let colour = self.colours[target as usize];
                match colour {
                    Colour::White => enter = Some(target),
                    Colour::Cyan if self.is_accepting(at) || self.is_accepting(target) => {
                        return Ok(Some(self.evidence(Some(target))));
                    }
                    _ => {}
                }
                continue;
            }
            if self.is_accepting(at) {
                if let Some(target) = self.inner(at)? {
                    return Ok(Some(self.evidence(Some(target))));
                }
                self.colours[at as usize] = Colour::Red;
            } else {
                self.colours[at as usize] = Colour::Blue;
            }
            self.outer.pop();
        }
    }

    /// Looks for a state of the outer stack; the way there stays on the inner stack.
    fn inner(&mut self, seed: u32) -> Result<Option<u32>, Verdict> {
        let mut enter = Some(seed);
        loop {
            if let Some(at) = enter.take() {
                let Steps::To(successors) = self.steps(at)? else {
                    continue;
                };
                self.inner.push(Frame { at, successors });
            }
            let Some(frame) = self.inner.last_mut() else {
                return Ok(None);
            };
            let Some(target) = frame.successors.pop() else {
                self.inner.pop();
                continue;
            };
            self.effort.product_edges += 1;
            match self.colours[target as usize] {
                Colour::Cyan => return Ok(Some(target)),
                Colour::Blue => {
                    self.colours[target as usize] = Colour::Red;
                    enter = Some(target);
                }
                Colour::White | Colour::Red => {}
            }
        }
    }

    fn is_accepting(&mut self, at: u32) -> bool {
        self.session.load(at, &mut self.vector);
        let last = self.vector[self.vector.len() - 1];
        last % (self.levels + 1) == self.levels
    }

    fn insert(&mut self, vector: &[u32]) -> Result<u32, Verdict> {
        match self.session.insert(vector) {
            Found::New(id) => {
                self.colours.push(Colour::White);
                Ok(id)
            }
            Found::Seen(id) => Ok(id),
            Found::Full | Found::SeenSomewhere => {
                let reason = match self.store.is_complete() {
                    true => Open::MaxStates,
                    false => Open::MaxMemory,
                };
                let mut open = self.space.reasons();
                open.push(reason);
                Err(Verdict::Open(open))
            }
        }
    }

    /// The product states after one, last first, so that they are popped in order.
    fn steps(&mut self, at: u32) -> Result<Steps, Verdict> {
        self.go_on()?;
        self.session.load(at, &mut self.vector);
        let mut found = Vec::new();
        let slots = self.vector.len() - 1;
        let (automaton, level) = self.place(self.vector[slots]);
        self.ask(at)?;
        let count = self.space.stepper.letters_of_steps.len();
        if count == 0 {
            let letter = self.space.stepper.state_letter;
            let letter = self.space.stepper.state_letters.get(letter);
            let ends = self.machine.ends_on(automaton, letter);
            return match ends.map_err(|atom| self.no_value(at, None, atom))? {
                true => Ok(Steps::AcceptedEnd),
                false => Ok(Steps::To(Vec::new())),
            };
        }
        for number in 0..count {
            let mut arc = 0;
            while let Some(place) = self.next_place(at, number, (automaton, level), &mut arc)? {
                let target = self.space.stepper.steps.get(number).target;
                self.target[..slots].copy_from_slice(target);
                self.target[slots] = place;
                let target = std::mem::take(&mut self.target);
                let id = self.insert(&target);
                self.target = target;
                found.push(id?);
            }
        }
        found.reverse();
        Ok(Steps::To(found))
    }

    /// Where the automaton goes from a place with a step, from the edge numbered `arc` on.
    fn next_place(
        &mut self,
        at: u32,
        number: usize,
        (automaton, level): (u32, u32),
        arc: &mut u32,
    ) -> Result<Option<u32>, Verdict> {
        let stepper = &self.space.stepper;
        let state = stepper.state_letters.get(stepper.state_letter);
        let step = stepper.step_letters.get(stepper.letters_of_steps[number]);
        let next = self.machine.next_arc(automaton, state, step, arc);
        let mut sets = next.map(|arc| arc.map(|arc| (arc.target, arc.accepting)));
        let own = self.machine.all.count_ones() as usize;
        for (place, constraint) in self.fairness.weak.iter().enumerate() {
            if let Ok(Some((_, sets_of_arc))) = &mut sets {
                match constraint.rests(state, step) {
                    Ok(rests) => *sets_of_arc |= u64::from(rests) << (own + place),
                    Err(atom) => sets = Err(atom),
                }
            }
        }
        let Some((target, sets)) = sets.map_err(|atom| self.no_value(at, Some(number), atom))?
        else {
            return Ok(None);
        };
        // An accepting state begins the next round.
        let mut level = if level == self.levels { 0 } else { level };
        while level < self.levels && sets >> level & 1 == 1 {
            level += 1;
        }
        Ok(Some(target * (self.levels + 1) + level))
    }

    fn place(&self, word: u32) -> (u32, u32) {
        (word / (self.levels + 1), word % (self.levels + 1))
    }

    /// Asks the system about the state part of the vector that was loaded.
    fn ask(&mut self, at: u32) -> Result<(), Verdict> {
        let slots = self.vector.len() - 1;
        let answer = self
            .space
            .stepper
            .ask(&self.vector[..slots], self.space.watch);
        let answer = answer.and_then(|()| match self.space.stepper.missing.pop() {
            None => Ok(()),
            Some((group, fault)) => Err(Unanswered::Fault(group, fault)),
        });
        match answer {
            // A state without a known step may have one: whether paths end there is not known.
            Err(Unanswered::Fault(_, fault))
                if fault.kind.leaves_open() && self.space.stepper.steps.groups.is_empty() =>
            {
                Err(Verdict::Open(self.space.stopped()))
            }
            Err(Unanswered::Fault(_, fault)) if fault.kind.leaves_open() => Ok(()),
            Ok(()) => Ok(()),
            Err(Unanswered::Stopped) => Err(Verdict::Open(self.space.stopped())),
            Err(Unanswered::Fault(group, fault)) => Err(Verdict::Fault {
                fault,
                atom: None,
                event: Some(Event::Group(group)),
                path: self.path_to(at),
            }),
        }
    }

    fn go_on(&mut self) -> Result<(), Verdict> {
        let mut answer = self.space.watch.go_on();
        if answer.is_ok() && self.effort.product_states.is_multiple_of(ACCOUNT) {
            let frames = self.outer.iter().chain(&self.inner);
            let frames = frames.map(|frame| frame.successors.capacity() * 4 + size_of::<Frame>());
            let own = self.colours.capacity() + self.store.bytes();
            let bytes = if self.effort.product_states.is_multiple_of(ACCOUNT * 64) {
                frames.sum::<usize>()
            } else {
                self.outer.len() * size_of::<Frame>()
            };
            self.space.busy_bytes = (own + bytes) as u64;
            answer = self.space.account();
        }
        answer.map_err(|_| Verdict::Open(self.space.stopped()))
    }

    fn no_value(&mut self, at: u32, step: Option<usize>, atom: u32) -> Verdict {
        let is_it = |(place, which, _): &&(Option<usize>, u32, pins::Fault)| {
            *which == atom && (place.is_none() || *place == step)
        };
        let found = self.space.stepper.undefined.iter().find(is_it).cloned();
        let Some((place, _, fault)) = found else {
            return Verdict::Open(self.space.stopped());
        };
        if fault.kind.leaves_open() {
            let mut open = self.space.reasons();
            open.push(Open::Budget(1, fault));
            return Verdict::Open(open);
        }
        let step = place.map(|number| {
            let step = self.space.stepper.steps.get(number);
            PathStep {
                event: Event::Group(step.group),
                words: step.label.to_vec(),
                state: step.target.to_vec(),
            }
        });
        let mut path = self.path_to(at);
        path.extend(step);
        Verdict::Fault {
            fault,
            atom: Some(atom),
            event: None,
            path,
        }
    }

    /// The path of the searches to the state that they are at.
    fn path_to(&mut self, at: u32) -> Vec<PathStep> {
        let mut states: Vec<u32> = self.outer.iter().map(|frame| frame.at).collect();
        // The inner search begins where the outer one is.
        states.extend(self.inner.iter().skip(1).map(|frame| frame.at));
        if states.last() != Some(&at) {
            states.push(at);
        }
        self.path(&states)
    }

    fn evidence(&mut self, back_to: Option<u32>) -> Evidence {
        let mut states: Vec<u32> = self.outer.iter().map(|frame| frame.at).collect();
        states.extend(self.inner.iter().skip(1).map(|frame| frame.at));
        let Some(target) = back_to else {
            return Evidence {
                path: self.path(&states),
                end: End::Deadlock,
                closing: None,
                marks: Vec::new(),
            };
        };
        let start = states
            .iter()
            .position(|state| *state == target)
            .unwrap_or(0);
        let count = states.len();
        states.push(target);
        let mut path = self.path(&states);
        let closing = path.pop();
        Evidence {
            end: End::Lasso {
                start: path.len() - (count - start),
            },
            path,
            closing,
            marks: Vec::new(),
        }
    }

    /// The steps through product states.
    fn path(&mut self, states: &[u32]) -> Vec<PathStep> {
        let slots = self.vector.len() - 1;
        let load = |search: &mut Self, at: u32| {
            let mut vector = vec![0; slots + 1];
            search.session.load(at, &mut vector);
            vector
        };
        let first = load(self, states[0]);
        let initial = self.space.initial.clone();
        let beginning = initial
            .iter()
            .find(|(state, _)| self.space.load(*state) == first[..slots]);
        let mut path = beginning.map_or(Vec::new(), |(state, _)| self.space.beginning(*state));
        for pair in states.windows(2) {
            let (from, to) = (load(self, pair[0]), load(self, pair[1]));
            path.extend(self.step_between(pair[0], &from, &to));
        }
        path
    }

    /// The first step that leads from one product state to another.
    fn step_between(&mut self, at: u32, from: &[u32], to: &[u32]) -> Option<PathStep> {
        let slots = from.len() - 1;
        let place = self.place(from[slots]);
        self.space
            .stepper
            .ask(&from[..slots], self.space.watch)
            .ok()?;
        for number in 0..self.space.stepper.letters_of_steps.len() {
            if self.space.stepper.steps.get(number).target != &to[..slots] {
                continue;
            }
            let mut arc = 0;
            while let Ok(Some(next)) = self.next_place(at, number, place, &mut arc) {
                if next == to[slots] {
                    let step = self.space.stepper.steps.get(number);
                    return Some(PathStep {
                        event: Event::Group(step.group),
                        words: step.label.to_vec(),
                        state: step.target.to_vec(),
                    });
                }
            }
        }
        None
    }
}
