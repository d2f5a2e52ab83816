//! Tells the engine which atoms hold in a state and in a step, and remembers what never changed.
//!
//! Invariant: every question is answered by the fast evaluator in the words of the system, so representatives under
//! symmetry are asked like any other state.
//! Invariant: what depends on a step that faulted has no value, unless the other steps decide.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use buchi::Ltl;
use pins::{Fault, GroupId, Halt};
use search::liveness::{Atoms as Engine, Letter, Successor, Successors};
use subject::{Asking, EventId, Ground};

use super::atoms::{Asks, Atom, Few, Match};

/// What was seen of atoms and premises.
#[derive(Clone, Debug, Default)]
pub(super) struct Seen {
    /// For each atom whether it was seen true, and seen false.
    pub(super) atoms: Vec<(bool, bool)>,
    /// For each premise whether it was seen true.
    pub(super) premises: Vec<bool>,
}

/// Answers for one engine.
pub(super) struct Watch<'a> {
    pub(super) atoms: &'a [Atom],
    pub(super) asking: Box<dyn Asking + 'a>,
    ground: &'a dyn Ground,
    /// How many slots the ground knows; states may say more.
    width: usize,
    /// For each group of the system its event.
    events: Vec<EventId>,
    /// Premises of implications: boolean combinations of atoms.
    pub(super) premises: &'a [Ltl],
    pub(super) seen: Arc<Mutex<Seen>>,
    /// What this engine told of it: what is known is not told again.
    told: Seen,
    /// The numbers of the atoms of states, and of those of steps.
    of_states: Vec<usize>,
    of_steps: Vec<usize>,
    /// The atoms of the state that was looked at last.
    state_letter: Vec<u64>,
    letter: Vec<u64>,
}

impl<'a> Watch<'a> {
    pub(super) fn new(
        atoms: &'a [Atom],
        (asking, ground): (Box<dyn Asking + 'a>, &'a dyn Ground),
        premises: &'a [Ltl],
        seen: Arc<Mutex<Seen>>,
    ) -> Watch<'a> {
        let told = Seen {
            atoms: vec![(false, false); atoms.len()],
            premises: vec![false; premises.len()],
        };
        locked(&seen).clone_from(&told);
        let (of_steps, of_states) = (0..atoms.len()).partition(|atom| atoms[*atom].is_step());
        let words = atoms.len().div_ceil(64);
        let groups = (0..ground.system().shape().groups.len()).map(GroupId::new);
        Watch {
            atoms,
            asking,
            ground,
            width: ground.system().shape().slots.len(),
            events: groups.map(|group| ground.event(group)).collect(),
            premises,
            seen,
            told,
            of_states,
            of_steps,
            state_letter: vec![0; words],
            letter: vec![0; words],
        }
    }

    /// Whether a step that is looked at from its source matches.
    fn matches(&mut self, wanted: &Match, step: Successor<'_>) -> Result<bool, Fault> {
        if self.events[step.group.index()] != wanted.event {
            return Ok(false);
        }
        for (position, question) in &wanted.arguments {
            let word = step.label.get(*position).copied().unwrap_or(0);
            if !self.asking.holds(*question, &[word])? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn enabled(&mut self, wanted: &Match, successors: &Successors<'_>) -> Result<bool, Fault> {
        for step in successors.iter() {
            if self.matches(wanted, step)? {
                return Ok(true);
            }
        }
        let groups = self.events.iter().enumerate();
        let mut groups = groups.filter(|(_, event)| **event == wanted.event);
        match groups.find_map(|(group, _)| successors.missing(Some(GroupId::new(group)))) {
            None => Ok(false),
            Some(fault) => Err(fault.clone()),
        }
    }

    /// Whether an actor takes part in a step.
    fn moves(&self, actor: usize, step: Successor<'_>) -> bool {
        let mut found = false;
        let mut each = |who: usize| found |= who == actor;
        self.ground.each_actor(step.group, step.label, &mut each);
        found
    }

    /// Whether an actor can take part in a step.
    fn can_move(&self, actor: usize, successors: &Successors<'_>) -> Result<bool, Fault> {
        match successors.iter().any(|step| self.moves(actor, step)) {
            true => Ok(true),
            false => unless_missing(true, successors).map(|_| false),
        }
    }

    /// How many of these are possible; those that depend on a step that faulted may be, and have a fault.
    fn count(
        &mut self,
        all: &[Match],
        few: Few,
        successors: &Successors<'_>,
    ) -> Result<bool, Fault> {
        let (mut least, mut most, mut unknown) = (0, 0, None);
        for wanted in all {
            let answer = self.enabled(wanted, successors);
            least += usize::from(matches!(answer, Ok(true)));
            most += usize::from(!matches!(answer, Ok(false)));
            unknown = unknown.or(answer.err());
        }
        match (few.admits(least, most), unknown) {
            (Some(truth), _) => Ok(truth),
            (None, Some(fault)) => Err(fault),
            (None, None) => unreachable!("a number decides"),
        }
    }

    fn of_state(
        &mut self,
        asks: &Asks,
        state: &[u32],
        successors: &Successors<'_>,
    ) -> Result<bool, Fault> {
        match asks {
            Asks::Holds(question) => self.asking.holds(*question, &[]),
            Asks::Enabled(wanted) => self.enabled(wanted, successors),
            Asks::Deadlock => unless_missing(successors.is_empty(), successors),
            Asks::Sink => {
                let stays = successors.iter().all(|step| step.target == state);
                unless_missing(stays, successors)
            }
            Asks::Count(all, few) => self.count(all, *few, successors),
            Asks::CanMove(actor) => self.can_move(*actor, successors),
            Asks::Taken(_) | Asks::Change(..) | Asks::BeforeAfter(..) | Asks::Moves(_) => {
                unreachable!("an atom of steps is not asked of a state")
            }
        }
    }

    fn of_step(&mut self, asks: &Asks, state: &[u32], step: Successor<'_>) -> Result<bool, Fault> {
        match asks {
            Asks::Taken(wanted) => {
                self.asking.look_at(state);
                self.matches(wanted, step)
            }
            Asks::Change(value, compare, _) => {
                self.asking.look_at(state);
                let before = self.asking.word(*value);
                self.asking.look_at(&step.target[..self.width]);
                before.and_then(|before| self.asking.holds(*compare, &[before]))
            }
            Asks::Moves(actor) => Ok(self.moves(*actor, step)),
            Asks::BeforeAfter(question, _) => {
                self.asking.look_at(&step.target[..self.width]);
                self.asking.holds_since(*question, state)
            }
            _ => unreachable!("an atom of states is not asked of a step"),
        }
    }

    /// Whether a premise holds in the letter, which has no undefined atoms then.
    fn premises(&mut self) {
        for (index, premise) in self.premises.iter().enumerate() {
            if !self.told.premises[index] && boolean(premise, &self.letter) {
                self.told.premises[index] = true;
                locked(&self.seen).premises[index] = true;
            }
        }
    }

    fn record(&mut self, atom: usize, answer: &Result<bool, Fault>) {
        let told = &mut self.told.atoms[atom];
        let before = *told;
        match answer {
            Ok(true) => told.0 = true,
            Ok(false) => told.1 = true,
            Err(_) => *told = (true, true),
        }
        if *told != before {
            let seen = &mut locked(&self.seen).atoms[atom];
            *seen = (seen.0 || told.0, seen.1 || told.1);
        }
    }

    /// Files what an atom is in the letter that is being made.
    fn tell(&mut self, atom: usize, answer: Result<bool, Fault>, letter: &mut Letter<'_>) {
        self.record(atom, &answer);
        match answer {
            Ok(true) => {
                letter.set(atom as u32);
                self.letter[atom / 64] |= 1 << (atom % 64);
            }
            Ok(false) => {}
            Err(fault) => letter.undefined(atom as u32, fault),
        }
    }
}

impl Engine for Watch<'_> {
    fn count(&self) -> u32 {
        self.atoms.len() as u32
    }

    fn is_of_steps(&self, atom: u32) -> bool {
        self.atoms[atom as usize].is_step()
    }

    fn heed(&mut self, halt: Halt) {
        self.asking.heed(halt);
    }

    fn state(&mut self, state: &[u32], successors: &Successors<'_>, letter: &mut Letter<'_>) {
        let state = &state[..self.width];
        self.asking.look_at(state);
        self.letter.fill(0);
        let atoms = self.atoms;
        for at in 0..self.of_states.len() {
            let atom = self.of_states[at];
            let answer = self.of_state(&atoms[atom].asks, state, successors);
            self.tell(atom, answer, letter);
        }
        self.state_letter.copy_from_slice(&self.letter);
        self.premises();
    }

    fn step(&mut self, state: &[u32], step: Successor<'_>, letter: &mut Letter<'_>) {
        if self.of_steps.is_empty() {
            return;
        }
        let state = &state[..self.width];
        self.letter.copy_from_slice(&self.state_letter);
        let atoms = self.atoms;
        for at in 0..self.of_steps.len() {
            let atom = self.of_steps[at];
            let answer = self.of_step(&atoms[atom].asks, state, step);
            self.tell(atom, answer, letter);
        }
        self.premises();
    }
}

/// What was seen; a worker that panicked leaves what it saw.
pub(super) fn locked(seen: &Mutex<Seen>) -> MutexGuard<'_, Seen> {
    seen.lock().unwrap_or_else(PoisonError::into_inner)
}

/// What holds as long as there is no further step.
fn unless_missing(so_far: bool, successors: &Successors<'_>) -> Result<bool, Fault> {
    match successors.missing(None).filter(|_| so_far) {
        None => Ok(so_far),
        Some(fault) => Err(fault.clone()),
    }
}

/// The truth of a boolean combination of atoms; anything else counts as true.
fn boolean(formula: &Ltl, letter: &[u64]) -> bool {
    match formula {
        Ltl::False => false,
        Ltl::Atom(atom) => letter[*atom as usize / 64] >> (atom % 64) & 1 == 1,
        Ltl::Not(inner) => !boolean(inner, letter),
        Ltl::And(all) => all.iter().all(|part| boolean(part, letter)),
        Ltl::Or(all) => all.iter().any(|part| boolean(part, letter)),
        _ => true,
    }
}
