//! A safety formula as a system whose states must never be bad: so whatever explores states can check it.
//!
//! A state is one of the model with one of the automaton of the negated formula in a further slot ([`super::product`], made
//! while states are found). It is bad where no continuation repairs the path that led to it. A path that ends where the
//! automaton accepts its end, and an atom that decides and has no value, are further words of that slot, reached by a step
//! that changes nothing else; nothing leads on from them.
//! Invariant: bad states are reached where [`super::bad_prefix`] finds a path, in at most one more step.

use base::Name;
use buchi::{Bounds, Ltl};
use pins::{
    Event, Fault, Flow, GroupId, Halt, Label, LabelId, LabelKind, Notes, Numbers, PathStep, Shape,
    Slot, SlotSet, Step, System, Truth, Worker,
};

use super::atoms::Atoms;
use super::outcome::{Effort, End, Evidence, Outcome, Verdict};
use super::product::Machine;
use super::stepper::{Stepper, Unanswered};
use super::watch::Watch;
use crate::explicit::{self, FindingKind, Limits, Open, Quiet};

/// Makes what answers for atoms, one for each worker.
pub type Answering<'a> = &'a (dyn Fn() -> Box<dyn Atoms + 'a> + Sync);

/// A system together with the automaton of a negated safety formula.
pub struct Safety<'a> {
    system: &'a dyn System,
    answering: Answering<'a>,
    machine: Machine,
    shape: Shape,
}

/// Nothing ends a worker but its halt.
static NO_LIMITS: Limits = Limits {
    max_states: None,
    max_setups: None,
    max_time: None,
    max_memory: None,
    max_depth: None,
};

impl<'a> Safety<'a> {
    /// Of a formula for which [`buchi::is_safety`] is true.
    ///
    /// # Errors
    /// When its automaton would be too large.
    pub fn new(
        system: &'a dyn System,
        formula: &Ltl,
        answering: Answering<'a>,
    ) -> Result<Safety<'a>, String> {
        let negation = Ltl::not(formula.clone());
        let automaton = buchi::translate(&negation, Bounds::default());
        let automaton = automaton.map_err(|large| large.to_string())?;
        let words = (answering().count() as usize).div_ceil(64).max(1);
        Ok(Safety {
            system,
            answering,
            machine: Machine::new(&automaton, words),
            shape: shape(system.shape()),
        })
    }

    /// The label that holds in states that are not bad.
    pub fn label(&self) -> LabelId {
        LabelId::new(self.shape.labels.len() - 1)
    }

    /// The slot of the automaton.
    fn slot(&self) -> usize {
        self.shape.slots.len() - 1
    }

    /// The word of a path that may end where it does.
    fn ended(&self) -> u32 {
        self.machine.states() as u32
    }

    fn is_bad(&self, word: u32) -> bool {
        word >= self.ended() || self.machine.is_universal[word as usize]
    }

    /// What a search for bad states found out about the formula.
    pub fn conclude(&self, outcome: explicit::Outcome) -> Outcome {
        let effort = Effort {
            automaton_states: self.machine.states() as u64,
            product_states: outcome.statistics.states,
            product_edges: outcome.statistics.transitions,
            is_safety: true,
            ..Effort::default()
        };
        let explicit::Outcome {
            findings,
            is_complete,
            mut open,
            ..
        } = outcome;
        let verdict = match findings.into_iter().next() {
            Some(finding) => self.found(finding),
            None if is_complete => Verdict::Holds(None),
            None => {
                if open.is_empty() {
                    open.push(Open::Interrupted);
                }
                Verdict::Open(open)
            }
        };
        Outcome { verdict, effort }
    }

    fn found(&self, finding: explicit::Finding) -> Verdict {
        let word = finding.path.last().map(|step| step.state[self.slot()]);
        let mut path: Vec<PathStep> = finding.path;
        for step in &mut path {
            step.state.truncate(self.slot());
        }
        match (finding.kind, word) {
            // No beginning of the model can go wrong: the automaton has no state for any of them.
            (FindingKind::Setup, _) if self.begins() => Verdict::Holds(None),
            (FindingKind::Setup, _) => {
                Verdict::NoInitialState(finding.event.unwrap_or(Event::Initialisation))
            }
            (FindingKind::Invariant, Some(word)) if word > self.ended() => {
                path.pop();
                self.undefined(word - self.ended() - 1, path)
            }
            (FindingKind::Invariant, Some(word)) => {
                let end = match word == self.ended() {
                    true => End::Deadlock,
                    false => End::BadPrefix,
                };
                if end == End::Deadlock {
                    // The last step is none of the model.
                    path.pop();
                }
                Verdict::Violated(Evidence {
                    path,
                    end,
                    closing: None,
                    marks: Vec::new(),
                })
            }
            _ => Verdict::Fault {
                fault: finding.fault.unwrap_or_else(Halt::fault),
                atom: None,
                event: finding.event,
                path,
            },
        }
    }

    /// Whether the model has an initial state.
    fn begins(&self) -> bool {
        let mut worker = self.system.worker();
        let mut setups: Vec<Vec<u32>> = Vec::new();
        // A fault would have been the finding.
        let _ = worker.setups(&mut |setup| {
            setups.push(setup.to_vec());
            Flow::Continue
        });
        let mut begins = false;
        for setup in &setups {
            let _ = worker.initial(setup, &mut |_| {
                begins = true;
                Flow::Stop
            });
            if begins {
                break;
            }
        }
        begins
    }

    /// An atom has no value at the end of a path, in its last state or in a step out of it.
    fn undefined(&self, atom: u32, mut path: Vec<PathStep>) -> Verdict {
        let mut walker = self.walker();
        let last = path
            .last()
            .map(|step| step.state.clone())
            .unwrap_or_default();
        // It was answered when the state was found.
        let _ = walker.stepper.ask(&last, &walker.watch);
        let undefined = std::mem::take(&mut walker.stepper.undefined);
        let found = undefined.into_iter().find(|(_, other, _)| *other == atom);
        let (step, fault) = found.map_or((None, Halt::fault()), |(step, _, fault)| (step, fault));
        if let Some(at) = step {
            let step = walker.stepper.steps.get(at);
            path.push(PathStep {
                event: Event::Group(step.group),
                words: step.label.to_vec(),
                state: step.target.to_vec(),
            });
        }
        Verdict::Fault {
            fault,
            atom: Some(atom),
            event: None,
            path,
        }
    }

    fn walker<'w>(&'w self) -> Walker<'w, 'a> {
        let watch = Watch::new(&NO_LIMITS, &Quiet);
        let atoms = (self.answering)();
        Walker {
            safety: self,
            stepper: Stepper::new(self.system, None, atoms, false, &watch),
            watch,
            target: Vec::new(),
        }
    }
}

/// The shape of the model with a slot for the automaton. Any step may read any slot, since atoms do.
fn shape(model: &Shape) -> Shape {
    let mut slots = model.slots.clone();
    slots.push(Slot {
        name: Name::new("the formula"),
        is_constant: false,
    });
    let mut all = SlotSet::new();
    (0..slots.len()).for_each(|slot| all.insert(slot));
    let mut own = SlotSet::new();
    own.insert(slots.len() - 1);
    let mut groups = model.groups.clone();
    for group in &mut groups {
        group.reads = all.clone();
        group.may_write.union_with(&own);
        group.must_write = SlotSet::new();
    }
    let mut labels = model.labels.clone();
    labels.push(Label {
        kind: LabelKind::Invariant,
        name: Name::new("the formula"),
        reads: own,
        span: None,
    });
    Shape {
        slots,
        groups,
        labels,
        is_told_by_group: model.is_told_by_group,
        has_setup: model.has_setup,
        faults_stay: model.faults_stay,
        ..Shape::default()
    }
}

impl System for Safety<'_> {
    pins::forward_system!(self.system: save, restore, bytes);

    fn shape(&self) -> &Shape {
        &self.shape
    }

    fn worker(&self) -> Box<dyn Worker + '_> {
        Box::new(self.walker())
    }

    fn numbers(&self, slot: usize) -> Option<Numbers> {
        match slot == self.slot() {
            true => None,
            false => self.system.numbers(slot),
        }
    }

    fn write_value(&self, slot: usize, word: u32, out: &mut Vec<u8>) -> Result<(), String> {
        self.system.write_value(slot, word, out)
    }

    fn read_value(&self, slot: usize, bytes: &[u8]) -> Result<u32, String> {
        self.system.read_value(slot, bytes)
    }
}

struct Walker<'w, 'a> {
    safety: &'w Safety<'a>,
    stepper: Stepper<'w>,
    watch: Watch<'static>,
    target: Vec<u32>,
}

impl Walker<'_, '_> {
    /// Where the automaton can go from a state; an error is an atom that decides and has no value. What is emitted before
    /// that counts all the same.
    fn walk(
        &mut self,
        word: u32,
        emit: &mut dyn FnMut(GroupId, Step<'_>) -> Flow,
    ) -> Result<(), u32> {
        let (machine, stepper) = (&self.safety.machine, &self.stepper);
        let state = stepper.state_letters.get(stepper.state_letter);
        for (at, letter) in stepper.letters_of_steps.iter().enumerate() {
            let letter = stepper.step_letters.get(*letter);
            let step = stepper.steps.get(at);
            let mut arc = 0;
            while let Some(taken) = machine.next_arc(word, state, letter, &mut arc)? {
                self.target.clear();
                self.target.extend_from_slice(step.target);
                self.target.push(taken.target);
                let step = Step {
                    target: &self.target,
                    label: step.label,
                };
                if emit(stepper.steps.get(at).group, step) == Flow::Stop {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// Whether the path may end here.
    fn ends(&self, word: u32) -> Result<bool, u32> {
        let stepper = &self.stepper;
        let is_end = stepper.letters_of_steps.is_empty() && stepper.missing.is_empty();
        let state = stepper.state_letters.get(stepper.state_letter);
        Ok(is_end && self.safety.machine.ends_on(word, state)?)
    }
}

impl Worker for Walker<'_, '_> {
    fn setups(&mut self, emit: &mut dyn FnMut(&[u32]) -> Flow) -> Result<(), Fault> {
        let target = &mut self.target;
        self.stepper.worker().setups(&mut |setup| {
            target.clear();
            target.extend_from_slice(setup);
            target.push(0);
            emit(target)
        })
    }

    fn initial(
        &mut self,
        setup: &[u32],
        emit: &mut dyn FnMut(&[u32]) -> Flow,
    ) -> Result<(), Fault> {
        let (target, machine) = (&mut self.target, &self.safety.machine);
        let slots = self.safety.slot();
        self.stepper
            .worker()
            .initial(&setup[..slots], &mut |state| {
                for word in &machine.initial {
                    target.clear();
                    target.extend_from_slice(state);
                    target.push(*word);
                    if emit(target) == Flow::Stop {
                        return Flow::Stop;
                    }
                }
                Flow::Continue
            })
    }

    fn successors(
        &mut self,
        state: &[u32],
        group: GroupId,
        emit: &mut dyn FnMut(Step<'_>) -> Flow,
    ) -> Result<(), Fault> {
        let mut first = Ok(());
        let mut chosen = |other: GroupId, step: Step<'_>| match other == group {
            true => emit(step),
            false => Flow::Continue,
        };
        self.all_successors(state, &mut chosen, &mut |faulty, fault| {
            if faulty == group && first.is_ok() {
                first = Err(fault);
            }
        });
        first
    }

    fn all_successors(
        &mut self,
        state: &[u32],
        emit: &mut dyn FnMut(GroupId, Step<'_>) -> Flow,
        fault: &mut dyn FnMut(GroupId, Fault),
    ) {
        let (safety, slot) = (self.safety, self.safety.slot());
        let word = state[slot];
        if safety.is_bad(word) {
            return;
        }
        match self.stepper.ask(&state[..slot], &self.watch) {
            Ok(()) => {}
            Err(Unanswered::Stopped) => return fault(GroupId::new(0), Halt::fault()),
            Err(Unanswered::Fault(group, why)) => return fault(group, why),
        }
        for (group, why) in &self.stepper.missing {
            fault(*group, why.clone());
        }
        let walked = self.walk(word, emit);
        let last = match walked.and_then(|()| self.ends(word)) {
            Ok(false) => return,
            Ok(true) => safety.ended(),
            Err(atom) => safety.ended() + 1 + atom,
        };
        self.target.clear();
        self.target.extend_from_slice(&state[..slot]);
        self.target.push(last);
        let step = Step {
            target: &self.target,
            label: &[],
        };
        emit(GroupId::new(0), step);
    }

    fn label(&mut self, state: &[u32], label: LabelId) -> Truth {
        match label == self.safety.label() {
            true => Truth::of(Ok(!self.safety.is_bad(state[self.safety.slot()]))),
            false => self
                .stepper
                .worker()
                .label(&state[..self.safety.slot()], label),
        }
    }

    fn take_notes(&mut self) -> Notes {
        self.stepper.notes()
    }

    fn heed(&mut self, halt: Halt) {
        self.stepper.heed(halt);
    }
}
