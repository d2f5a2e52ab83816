//! Asks the system and the atoms about one state, and gives equal letters equal numbers.
//!
//! Invariant: each state is asked about once, each of its steps once.
//! Invariant: where a step faults the other steps of the state are known, or the whole state has no answer.

use pins::{Fault, FaultKind, Flow, GroupId, Halt, Notes, Shape, System, Worker};
use rustc_hash::{FxHashMap, FxHashSet};

use super::atoms::{Atoms, Letter, Steps, Successors};
use super::watch::{Stopped, Watch};
use crate::explicit::leave_open;

/// One worker with its atoms.
pub(crate) struct Stepper<'a> {
    shape: &'a Shape,
    worker: Box<dyn Worker + 'a>,
    atoms: Box<dyn Atoms + 'a>,
    /// Gives the steps that atoms about states hear of, when the worker leaves some out, and where they are put.
    whole: Option<(Box<dyn Worker + 'a>, Steps)>,
    /// For each group a number of its name: groups of one event share it.
    names: Vec<u32>,
    /// Whether another group has the same name: their steps may coincide.
    is_twin: Vec<bool>,
    coinciding: FxHashSet<Box<[u32]>>,
    labels: Option<FxHashMap<Box<[u32]>, u32>>,
    /// Letters of states, and of steps.
    pub(crate) state_letters: Letters,
    pub(crate) step_letters: Letters,
    /// The steps out of the last state.
    pub(super) steps: Steps,
    /// Its letter, and those of its steps.
    pub(crate) state_letter: u32,
    pub(crate) letters_of_steps: Vec<u32>,
    /// The atoms about steps, as a set.
    pub(crate) step_atoms: Vec<u64>,
    /// Groups with a step out of that state that faulted.
    pub(crate) missing: Vec<(GroupId, Fault)>,
    /// Whether the worker gives the other steps then.
    goes_past_faults: bool,
    /// Atoms of that state, or of a step of that number, without a value.
    pub(crate) undefined: Vec<(Option<usize>, u32, Fault)>,
    /// How often a budget did not suffice, and the first time.
    pub(crate) budget: (u64, Option<Fault>),
}

/// Why a state has no answer.
pub(crate) enum Unanswered {
    Stopped,
    Fault(GroupId, Fault),
}

impl From<Stopped> for Unanswered {
    fn from(_: Stopped) -> Unanswered {
        Unanswered::Stopped
    }
}

impl<'a> Stepper<'a> {
    pub(crate) fn new(
        system: &'a dyn System,
        whole: Option<&'a dyn System>,
        mut atoms: Box<dyn Atoms + 'a>,
        wants_labels: bool,
        watch: &Watch<'_>,
    ) -> Stepper<'a> {
        let shape = system.shape();
        let mut worker = system.worker();
        worker.heed(watch.signal.halt.clone());
        // Fairness of every label has to know all labels that are possible.
        let goes_past_faults = worker.go_past_faults() && !wants_labels;
        atoms.heed(watch.signal.halt.clone());
        let whole = whole.map(|whole| {
            let mut worker = whole.worker();
            worker.heed(watch.signal.halt.clone());
            worker.go_past_faults();
            (worker, Steps::new(shape.slots.len()))
        });
        let mut numbers = FxHashMap::default();
        let mut names = Vec::new();
        let mut counts: Vec<u32> = Vec::new();
        for group in &shape.groups {
            let next = numbers.len() as u32;
            let number = *numbers.entry(group.name).or_insert(next);
            counts.resize(numbers.len(), 0);
            counts[number as usize] += 1;
            names.push(number);
        }
        let words = (atoms.count() as usize).div_ceil(64).max(1);
        let mut step_atoms = vec![0; words];
        for atom in (0..atoms.count()).filter(|atom| atoms.is_of_steps(*atom)) {
            step_atoms[atom as usize / 64] |= 1 << (atom % 64);
        }
        Stepper {
            shape,
            worker,
            atoms,
            whole,
            is_twin: names
                .iter()
                .map(|name| !shape.is_told_by_group && counts[*name as usize] > 1)
                .collect(),
            names,
            coinciding: FxHashSet::default(),
            labels: wants_labels.then(FxHashMap::default),
            state_letters: Letters::new(words),
            step_letters: Letters::new(words),
            steps: Steps::new(shape.slots.len()),
            state_letter: 0,
            letters_of_steps: Vec::new(),
            step_atoms,
            missing: Vec::new(),
            goes_past_faults,
            undefined: Vec::new(),
            budget: (0, None),
        }
    }

    /// The worker itself, for set-ups and initial states.
    pub(crate) fn worker(&mut self) -> &mut dyn Worker {
        &mut *self.worker
    }

    /// From now on long evaluations look at `halt`.
    pub(crate) fn heed(&mut self, halt: Halt) {
        self.worker.heed(halt.clone());
        self.atoms.heed(halt);
    }

    /// What the system noticed since the last time.
    pub(crate) fn notes(&mut self) -> Notes {
        self.worker.take_notes()
    }

    /// How many labels of steps there are so far.
    pub(crate) fn labels(&self) -> usize {
        self.labels.as_ref().map_or(0, FxHashMap::len)
    }

    /// The numbers of labels: the number of the event's name, then the words.
    pub(crate) fn label_numbers(&self) -> FxHashMap<Box<[u32]>, u32> {
        self.labels.clone().unwrap_or_default()
    }

    /// The number of a group's name.
    pub(crate) fn name_of_group(&self, group: GroupId) -> u32 {
        self.names[group.index()]
    }

    /// The same for all groups.
    pub(crate) fn names_of_groups(&self) -> &[u32] {
        &self.names
    }

    /// The first group with a name.
    pub(crate) fn group_of_name(&self, name: u32) -> GroupId {
        let at = self.names.iter().position(|other| *other == name);
        GroupId::new(at.unwrap_or(0))
    }

    /// Finds the steps out of a state and what holds there.
    pub(crate) fn ask(&mut self, state: &[u32], watch: &Watch<'_>) -> Result<(), Unanswered> {
        self.find_steps(state, watch)?;
        self.find_all_steps(state)?;
        self.undefined.clear();
        let mut faults = Vec::new();
        self.state_letters.clear();
        let successors = Successors {
            steps: self.whole.as_ref().map_or(&self.steps, |(_, steps)| steps),
            missing: &self.missing,
        };
        self.atoms.state(
            state,
            &successors,
            &mut self.state_letters.writer(&mut faults),
        );
        self.state_letter = self.state_letters.number(0);
        self.undefined
            .extend(faults.drain(..).map(|(atom, fault)| (None, atom, fault)));
        self.letters_of_steps.clear();
        for at in 0..self.steps.groups.len() {
            let step = self.steps.get(at);
            self.step_letters.clear();
            self.atoms
                .step(state, step, &mut self.step_letters.writer(&mut faults));
            let label = match &mut self.labels {
                None => 0,
                Some(labels) => {
                    let name = self.names[step.group.index()];
                    let label: Box<[u32]> = [&[name], step.label].concat().into();
                    let next = labels.len() as u32;
                    *labels.entry(label).or_insert(next)
                }
            };
            self.letters_of_steps.push(self.step_letters.number(label));
            let faults = faults.drain(..);
            self.undefined
                .extend(faults.map(|(atom, fault)| (Some(at), atom, fault)));
        }
        if self
            .undefined
            .iter()
            .any(|(_, _, fault)| fault.kind == FaultKind::Halted)
        {
            return Err(Unanswered::Stopped);
        }
        Ok(())
    }

    fn find_steps(&mut self, state: &[u32], watch: &Watch<'_>) -> Result<(), Unanswered> {
        self.steps.clear();
        self.missing.clear();
        self.coinciding.clear();
        let (mut is_stopped, mut found) = (Ok(()), None);
        let (steps, coinciding, budget) = (&mut self.steps, &mut self.coinciding, &mut self.budget);
        let (names, is_twin) = (&self.names, &self.is_twin);
        let (missing, goes_past_faults) = (&mut self.missing, self.goes_past_faults);
        self.worker.all_successors(
            state,
            &mut |group, step| {
                if steps.groups.len() % 256 == 255 {
                    is_stopped = watch.go_on();
                    if is_stopped.is_err() {
                        return Flow::Stop;
                    }
                }
                if is_twin[group.index()] {
                    let head = [names[group.index()], step.label.len() as u32];
                    let step = [&head, step.label, step.target].concat();
                    if !coinciding.insert(step.into()) {
                        return Flow::Continue;
                    }
                }
                steps.push(group, step);
                Flow::Continue
            },
            &mut |group, fault| match fault.kind {
                FaultKind::Halted => found = Some(Unanswered::Stopped),
                kind if kind.leaves_open() => {
                    leave_open(budget, fault.clone());
                    missing.push((group, fault));
                }
                _ if goes_past_faults && is_passable(&fault) => missing.push((group, fault)),
                _ => {
                    if found.is_none() {
                        found = Some(Unanswered::Fault(group, fault));
                    }
                }
            },
        );
        is_stopped?;
        found.map_or(Ok(()), Err)
    }

    /// Finds the steps of the whole system. Its faults are those of the worker.
    fn find_all_steps(&mut self, state: &[u32]) -> Result<(), Unanswered> {
        let Some((worker, steps)) = &mut self.whole else {
            return Ok(());
        };
        steps.clear();
        let mut is_halted = false;
        worker.all_successors(
            state,
            &mut |group, step| {
                steps.push(group, step);
                Flow::Continue
            },
            &mut |_, fault| is_halted |= fault.kind == FaultKind::Halted,
        );
        match is_halted {
            true => Err(Unanswered::Stopped),
            false => Ok(()),
        }
    }

    /// How many slots a state has.
    pub(crate) fn slots(&self) -> usize {
        self.shape.slots.len()
    }
}

/// Whether a fault is one of the model, not of the evaluator.
fn is_passable(fault: &Fault) -> bool {
    matches!(
        fault.kind,
        FaultKind::Undefined | FaultKind::Violated | FaultKind::Refinement
    )
}

/// Different letters with numbers: what holds, what has no value, and the label of a step.
pub(crate) struct Letters {
    words: usize,
    numbers: FxHashMap<Box<[u64]>, u32>,
    all: Vec<u64>,
    scratch: Vec<u64>,
}

impl Letters {
    fn new(words: usize) -> Letters {
        Letters {
            words,
            numbers: FxHashMap::default(),
            all: Vec::new(),
            scratch: vec![0; 2 * words + 1],
        }
    }

    fn clear(&mut self) {
        self.scratch.fill(0);
    }

    fn writer<'w>(&'w mut self, faults: &'w mut Vec<(u32, Fault)>) -> Letter<'w> {
        let (holds, undefined) = self.scratch.split_at_mut(self.words);
        Letter {
            holds,
            undefined: &mut undefined[..self.words],
            faults,
        }
    }

    /// The number of the letter that was written.
    fn number(&mut self, label: u32) -> u32 {
        let width = 2 * self.words + 1;
        self.scratch[width - 1] = u64::from(label);
        // An atom without a value does not hold.
        for word in 0..self.words {
            self.scratch[word] &= !self.scratch[self.words + word];
        }
        if let Some(known) = self.numbers.get(self.scratch.as_slice()) {
            return *known;
        }
        let number = (self.all.len() / width) as u32;
        self.all.extend_from_slice(&self.scratch);
        self.numbers.insert(self.scratch.as_slice().into(), number);
        number
    }

    /// What holds, word by word, then what has no value.
    #[inline]
    pub(crate) fn get(&self, letter: u32) -> &[u64] {
        let width = 2 * self.words + 1;
        &self.all[letter as usize * width..][..2 * self.words]
    }

    /// The label of a step.
    #[inline]
    pub(crate) fn label(&self, letter: u32) -> u32 {
        let width = 2 * self.words + 1;
        self.all[letter as usize * width + width - 1] as u32
    }

    /// Words of a set of atoms.
    pub(crate) fn words(&self) -> usize {
        self.words
    }

    /// The bytes they take.
    pub(crate) fn bytes(&self) -> usize {
        self.all.len() * 24
    }
}
