//! What an engine asks of a model.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use base::Span;

use crate::action::Action;
use crate::shape::{GroupId, LabelId, Shape};
use crate::symmetry::Permute;

/// A transition system. Laws (each has a test of its number in `laws`):
///
/// 1. *Determinism*: the same question gets the same answers in the same order, from every worker.
/// 2. *Reads*: the answer to `successors` depends only on slots in the group's `reads`; to `label` only on
///    the label's `reads`. (A slot that is neither read nor written is copied.) The other slots may hold any
///    word, also one that stands for no value: wrappers put marks there.
/// 3. *Writes*: a successor differs from its source only in slots of the group's `may_write`.
/// 4. *Must-writes*: slots in `must_write` do not depend on their old value.
/// 5. *No repetition*: one call emits each (label, target) at most once.
/// 6. *Constants*: initial states have the constants of their set-up, and successors never change them.
/// 7. *Together*: `all_successors` gives what `successors` gives for each group, in group order.
/// 8. *Halting*: a worker that heeds a [`Halt`] which is set gives no further step, state or truth: its answers end
///    with a fault of kind [`FaultKind::Halted`].
/// 9. *Guards*: where `may_happen` is false, `successors` gives no step and no fault. If the shape has
///    `guard_reads`, the answer depends only on those slots of the group.
/// 10. *Enabling*: where a guard of the shape is false, its group gives no step and no fault, and the answer depends
///     only on the guard's `reads`. If the shape has `enabling`, whether a group gives a step or a fault depends only
///     on those `reads`, and it gives no fault that would be a finding unless it `may_fault`. A label in `always_true`
///     is never false.
/// 11. *Unknown*: a step, state or truth is given only where it is certain. Where something was not looked at, the answer
///     ends with a fault of kind [`FaultKind::Cut`] after everything that is certain, or is [`Truth::Unknown`], and the
///     notes name the cut.
/// 12. *Values travel*: for a word among the `numbers` of its slot, `read_value` of what `write_value` wrote gives the word back; two
///     words have the same bytes only if they are the same, and the bytes of a value are the same in every process
///     that opened the same model. Other words mean the same in every process. `read_value` takes any bytes.
/// 13. *Bits*: if the shape has `bits`, the words of a state fit in those of their slots.
pub trait System: Sync {
    /// The static picture.
    fn shape(&self) -> &Shape;

    /// A new worker with scratch space of its own; workers of one system may run in different threads.
    fn worker(&self) -> Box<dyn Worker + '_>;

    /// How many questions an exploration asks about each state: one for each group, unless it is seen at once which ones are
    /// meant. An estimate, for budgets of work.
    fn asked(&self) -> usize {
        self.shape().groups.len()
    }

    /// What the numbers in slots mean, as far as that grew during the run (a table of interned values), for a
    /// checkpoint that outlives the process.
    fn save(&self) -> Vec<u8> {
        Vec::new()
    }

    /// Takes back what `save` gave, before any question is asked; an error says why it does not fit.
    fn restore(&self, saved: &[u8]) -> Result<(), String> {
        if saved.is_empty() {
            Ok(())
        } else {
            Err("the system keeps no tables, but the checkpoint has some".to_string())
        }
    }

    /// The bytes of tables that grow during the run: they count against the memory limit.
    fn bytes(&self) -> u64 {
        0
    }

    /// Which words of a slot are numbers in a table of this process; `None` when none is. They mean nothing elsewhere, so
    /// values travel in their place.
    fn numbers(&self, _slot: usize) -> Option<Numbers> {
        None
    }

    /// Appends the value of a numbered word as bytes; an error says why it has none.
    fn write_value(&self, _slot: usize, _word: u32, _out: &mut Vec<u8>) -> Result<(), String> {
        Err("the slot has no numbered values".to_string())
    }

    /// The word of a value that `write_value` wrote, here or in another process; an error says why it is none.
    fn read_value(&self, _slot: usize, _bytes: &[u8]) -> Result<u32, String> {
        Err("the slot has no numbered values".to_string())
    }

    /// How states are permuted, when elements of some set are interchangeable.
    fn symmetry(&self) -> Option<&dyn Permute> {
        None
    }

    /// How states are permuted, when symmetries move whole slots.
    fn action(&self) -> Option<&Action> {
        None
    }
}

/// Answers questions about a [`System`], one at a time; it may move from thread to thread.
pub trait Worker: Send {
    /// The set-ups: vectors whose constant slots are filled (the others are 0). At most one vector when the shape
    /// has no set-up step: none where what the model assumes is false.
    fn setups(&mut self, emit: &mut dyn FnMut(&[u32]) -> Flow) -> Result<(), Fault>;

    /// The initial states of a set-up.
    fn initial(&mut self, setup: &[u32], emit: &mut dyn FnMut(&[u32]) -> Flow)
    -> Result<(), Fault>;

    /// The successors of a state for one group. A fault ends the enumeration; what was emitted before counts.
    fn successors(
        &mut self,
        state: &[u32],
        group: GroupId,
        emit: &mut dyn FnMut(Step<'_>) -> Flow,
    ) -> Result<(), Fault>;

    /// The successors of a state for all groups, in group order; a system with a dispatch index does better
    /// than asking one by one. A fault of one group does not keep the others from being asked: it goes to
    /// `fault`.
    fn all_successors(
        &mut self,
        state: &[u32],
        emit: &mut dyn FnMut(GroupId, Step<'_>) -> Flow,
        fault: &mut dyn FnMut(GroupId, Fault),
    );

    /// Whether a group may have a step or a fault in a state: its guard alone, which reads fewer slots.
    fn may_happen(&mut self, _state: &[u32], _group: GroupId) -> bool {
        true
    }

    /// Whether a guard of the shape, by its position there, may be true in a state.
    fn guard(&mut self, _state: &[u32], _guard: usize) -> bool {
        true
    }

    /// The truth of a label.
    fn label(&mut self, state: &[u32], label: LabelId) -> Truth;

    /// What happened so far that the report must tell; reset by the call.
    fn take_notes(&mut self) -> Notes;

    /// The last answer of `all_successors` is not made use of, and the question will be asked again: a worker that keeps
    /// count of the states it answered for does not count this one.
    fn give_up(&mut self) {}

    /// Whether no step leads from a state to another one. Asked only where every step that was given leads back; a system
    /// around another one, or one that gives steps to states that it leaves out, knows more than that.
    fn stutters(&mut self, _state: &[u32]) -> bool {
        true
    }

    /// From now on, looks at `halt` in the midst of long evaluations. A worker without long evaluations need not.
    fn heed(&mut self, _halt: Halt) {}

    /// From now on, a fault in one outcome of a group does not keep its other outcomes from being given: all of them
    /// come first, then the fault. The answer is whether this worker can do that.
    fn go_past_faults(&mut self) -> bool {
        false
    }
}

/// Tells workers that nobody waits for their answers any more. Once set it stays set.
#[derive(Clone, Debug, Default)]
pub struct Halt(Arc<AtomicBool>);

impl Halt {
    /// Asks for an end.
    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether somebody asked; cheap enough for the innermost loop.
    #[inline]
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// The flag itself, for an evaluator that does not know this crate.
    pub fn flag(&self) -> Arc<AtomicBool> {
        self.0.clone()
    }

    /// What an answer ends with when somebody did.
    pub fn fault() -> Fault {
        Fault {
            kind: FaultKind::Halted,
            span: None,
            message: "the evaluation was halted".to_string(),
        }
    }
}

/// Asks for one group after the other, as [`Worker::all_successors`] must when there is nothing better.
pub fn group_by_group(
    groups: usize,
    mut ask: impl FnMut(GroupId, &mut dyn FnMut(Step<'_>) -> Flow) -> Result<(), Fault>,
    emit: &mut dyn FnMut(GroupId, Step<'_>) -> Flow,
    fault: &mut dyn FnMut(GroupId, Fault),
) {
    for index in 0..groups {
        let group = GroupId::new(index);
        let mut flow = Flow::Continue;
        let answer = ask(group, &mut |step| {
            flow = emit(group, step);
            flow
        });
        if let Err(found) = answer {
            if found.kind == FaultKind::Halted {
                flow = Flow::Stop;
            }
            fault(group, found);
        }
        if flow == Flow::Stop {
            return;
        }
    }
}

/// A transition to `target`, with its arguments and results as slot values.
#[derive(Clone, Copy, Debug)]
pub struct Step<'a> {
    /// Arguments, then results; their meaning is the system's.
    pub label: &'a [u32],
    /// The state after it.
    pub target: &'a [u32],
}

/// Whether an enumeration goes on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Flow {
    /// More, please.
    Continue,
    /// Enough.
    Stop,
}

/// Words that are numbers in a table of one process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Numbers {
    /// The word of number 0.
    pub first: u32,
    /// The last word that is one.
    pub last: u32,
}

impl Numbers {
    /// Every word is a number.
    pub const ALL: Numbers = Numbers {
        first: 0,
        last: u32::MAX,
    };

    /// The number of a word, if it is one.
    #[inline]
    pub fn of(self, word: u32) -> Option<u32> {
        (self.first..=self.last)
            .contains(&word)
            .then(|| word - self.first)
    }
}

/// The truth of a predicate.
#[derive(Clone, Debug, PartialEq)]
pub enum Truth {
    /// It holds.
    True,
    /// It does not.
    False,
    /// It has no truth value.
    Undefined(Fault),
    /// It has one, or none, but which was not found out: the fault says what was not looked at.
    Unknown(Fault),
}

impl Truth {
    /// The truth by the answer of an evaluation.
    pub fn of(answer: Result<bool, Fault>) -> Truth {
        match answer {
            Ok(true) => Truth::True,
            Ok(false) => Truth::False,
            Err(fault) if fault.kind.leaves_open() => Truth::Unknown(fault),
            Err(fault) => Truth::Undefined(fault),
        }
    }
}

/// Something in the model has no value, or a condition that must hold does not.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// What kind.
    pub kind: FaultKind,
    /// Where.
    pub span: Option<Span>,
    /// What happened, in one sentence.
    pub message: String,
}

/// What kind of fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum FaultKind {
    /// An expression has no value: division by zero, application outside the domain, …
    Undefined,
    /// An ASSERT, a precondition of a called operation, a loop invariant or variant does not hold.
    Violated,
    /// An assertion in the text of a step does not hold: a finding of that kind and no fault.
    Assertion,
    /// A step that the model's own observer of events does not allow: told as such, and the step is given all the same.
    Observed,
    /// A step of a refinement is none of the machine it refines; the other steps are given all the same.
    Refinement,
    /// A budget of the evaluator was exceeded (a set too large to build, a loop too long): the run is open.
    Budget,
    /// An enumeration was cut, or a formula is unknown because one was: what was given counts, there may be more. The
    /// notes tell what was cut, and the run is open.
    Cut,
    /// The construct cannot be evaluated at all (an unknown host function).
    Unsupported,
    /// Somebody set the [`Halt`]: nothing follows from the answer.
    Halted,
}

impl FaultKind {
    /// Whether it says nothing about the model: the answer is not known.
    pub fn leaves_open(self) -> bool {
        matches!(self, FaultKind::Budget | FaultKind::Cut | FaultKind::Halted)
    }
}

/// What a worker noticed on the way.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Notes {
    /// How many guards, parameter or choice predicates were undefined and counted as false.
    pub undefined_guards: u64,
    /// The first of them.
    pub first_undefined: Option<Fault>,
    /// How many branches were dropped because of a fault (`--wd lenient`).
    pub dropped_faults: u64,
    /// The first of them.
    pub first_dropped: Option<Fault>,
    /// Conditions that were to be met in some state or step and were, by the system's own numbers.
    pub covered: Vec<u32>,
    /// Enumerations that had to be cut, and what is unknown because of it (one entry for each place).
    pub cuts: Vec<(Option<Span>, String)>,
    /// How far a search for values had come when it was halted: what was left, and values that fit so far.
    pub unsolved: Option<Unsolved>,
}

/// A search for values that was halted.
#[derive(Clone, Debug, PartialEq)]
pub struct Unsolved {
    /// The conjuncts that were not decided, by their places.
    pub left: Vec<Span>,
    /// The most values that fitted together, as text, in the order of the unknowns.
    pub best: Vec<(String, String)>,
}

impl Notes {
    /// Adds what happened later.
    pub fn merge(&mut self, later: Notes) {
        self.undefined_guards += later.undefined_guards;
        self.dropped_faults += later.dropped_faults;
        if self.first_undefined.is_none() {
            self.first_undefined = later.first_undefined;
        }
        if self.first_dropped.is_none() {
            self.first_dropped = later.first_dropped;
        }
        if self.unsolved.is_none() {
            self.unsolved = later.unsolved;
        }
        for met in later.covered {
            if !self.covered.contains(&met) {
                self.covered.push(met);
            }
        }
        for cut in later.cuts {
            if !self.cuts.contains(&cut) {
                self.cuts.push(cut);
            }
        }
    }

    /// Whether nothing happened.
    pub fn is_empty(&self) -> bool {
        self.undefined_guards == 0
            && self.dropped_faults == 0
            && self.cuts.is_empty()
            && self.unsolved.is_none()
    }
}
