//! When machine code is made, and for what: after some thousand states, for the instances that were tried most.
//!
//! Making code costs about as much as running it some thousand times, so how much is made grows with what a worker tried.
//! Workers share what is made; which of them makes it does not matter, since code and machine give the same answers.

use std::sync::{Mutex, OnceLock, TryLockError};
use std::thread::ScopedJoinHandle;

use native::{Entry, Needs, Unit, Writer};

use super::code::NodeId;
use super::compile::Instance;
use super::generate::{self, COUNTERS, FRAMES, FUEL, LARGEST, Setting, Stepping};
use super::slots::Slots;
use super::system::Rules;

/// A worker that saw so many states looks for the first time at what is worth being made.
const FIRST: u64 = 2_000;
/// An instance is worth being made once it was tried so often for each operation of its code: making an operation takes as long as a
/// few tries by the machine, so no more is spent on making than was spent on what it spares.
const TRIES: u64 = 2;

/// When machine code is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub enum Making {
    /// After many states, for what is tried often.
    #[default]
    Hot,
    /// Of everything before the first step.
    AtOnce,
    /// Not at all.
    Never,
}

/// The machine code of a program.
#[derive(Debug, Default)]
pub(super) struct Hot {
    when: Making,
    steps: Box<[OnceLock<Entry>]>,
    /// Takes the slots of a state apart.
    unpack: OnceLock<Entry>,
    /// Of labels, then of assumptions.
    conditions: Box<[OnceLock<Entry>]>,
    making: Mutex<Made>,
}

/// What was made so far.
#[derive(Debug, Default)]
struct Made {
    unit: Option<Unit>,
    /// Whether there is no code for this processor.
    is_in_vain: bool,
    /// Of steps, then of conditions: what is known of their code.
    known: Vec<Known>,
}

/// What is known of the code of an instance or condition.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Known {
    /// It has at least so many operations.
    AtLeast(u64),
    /// It is there, or cannot be.
    Settled,
}

/// What a worker saw.
#[derive(Debug)]
pub(super) struct Heat {
    states: u64,
    next: u64,
    /// How often each instance was tried.
    pub tries: Vec<u32>,
    /// What code computes with besides words.
    numbers: Vec<i64>,
}

impl Heat {
    /// Of a worker that saw nothing.
    pub fn new(instances: usize, counters: u32, when: Making) -> Heat {
        Heat {
            states: 0,
            next: match when {
                Making::Hot => FIRST,
                Making::AtOnce => 1,
                Making::Never => u64::MAX,
            },
            tries: vec![0; instances],
            numbers: vec![0; (COUNTERS + counters) as usize],
        }
    }

    /// Whether it is time to look at what is hot.
    #[inline]
    pub fn note_state(&mut self) -> bool {
        self.states += 1;
        self.states == self.next
    }

    /// Runs code over the words of a machine with its counters.
    #[inline]
    pub fn run(&mut self, entry: &Entry, words: &mut [u32], counters: &[i64]) -> i64 {
        self.numbers[0] = FUEL;
        let first = COUNTERS as usize;
        let count = counters.len().min(self.numbers.len() - first);
        self.numbers[first..first + count].copy_from_slice(&counters[..count]);
        entry.call(words, &mut self.numbers)
    }
}

impl Hot {
    /// For so many instances and conditions; nothing is made yet.
    pub fn new(instances: usize, conditions: usize, when: Making) -> Hot {
        let empty = |count: usize| (0..count).map(|_| OnceLock::new()).collect();
        Hot {
            when,
            steps: empty(instances),
            unpack: OnceLock::new(),
            conditions: empty(conditions),
            making: Mutex::default(),
        }
    }

    /// When code is made.
    pub fn when(&self) -> Making {
        self.when
    }

    /// The code of an instance.
    #[inline]
    pub fn step(&self, instance: usize) -> Option<&Entry> {
        self.steps[instance].get()
    }

    /// The code that takes slots apart.
    #[inline]
    pub fn unpack(&self) -> Option<&Entry> {
        self.unpack.get()
    }

    /// The code of a label or assumption.
    #[inline]
    pub fn condition(&self, at: usize) -> Option<&Entry> {
        self.conditions[at].get()
    }

    /// Makes code of what a worker found hot. A thread of its own does it, so that the megabytes that making takes lie apart from
    /// what stays, and are given back with it; where there is no thread to be had nothing is made.
    pub fn make(&self, rules: &Rules, heat: &mut Heat) {
        heat.next = heat.states * 2;
        let heat = &*heat;
        // Making runs through as much of the program as the search itself: one after the other, not both at once.
        pages::hand_back();
        std::thread::scope(|scope| {
            let maker = std::thread::Builder::new().name("code".to_owned());
            let making = maker.spawn_scoped(scope, || self.make_here(rules, heat));
            if let Ok(Err(panic)) = making.map(ScopedJoinHandle::join) {
                std::panic::resume_unwind(panic);
            }
        });
        pages::hand_back();
    }

    fn make_here(&self, rules: &Rules, heat: &Heat) {
        let mut making = match self.making.try_lock() {
            Ok(making) => making,
            Err(TryLockError::Poisoned(poisoned)) => poisoned.into_inner(),
            // Another worker is at it.
            Err(TryLockError::WouldBlock) => return,
        };
        let is_first = making.unit.is_none() && !making.is_in_vain;
        if is_first {
            making.unit = Unit::new();
            making.is_in_vain = making.unit.is_none();
            making.known = vec![Known::AtLeast(1); self.steps.len() + self.conditions.len()];
        }
        let Some(unit) = making.unit.clone() else {
            return;
        };
        let setting = Setting {
            code: &rules.code,
            words: rules.layout.words,
            slots: &rules.slots,
            loop_limit: rules.program.semantics.loop_limit,
            assertions: rules.program.semantics.assertions_stop,
            most: LARGEST,
        };
        let mut places: Vec<&OnceLock<Entry>> = Vec::new();
        if is_first {
            let written = write(&unit, generate::needs(setting, 0), |writer| {
                generate::unpack(setting, writer)
            });
            places.extend(written.is_kept.then_some(&self.unpack));
        }
        let conditions = rules.labels.iter().chain(&rules.assumptions);
        for (at, (_, instances)) in conditions.enumerate() {
            let known = &mut making.known[self.steps.len() + at];
            let is_kept = self.attempt(heat.states, setting, known, |setting| {
                write_condition(setting, &unit, instances)
            });
            places.extend(is_kept.then(|| &self.conditions[at]));
        }
        for (at, instance) in rules.instances.iter().enumerate() {
            let known = &mut making.known[at];
            let is_kept = self.attempt(heat.tries[at].into(), setting, known, |setting| {
                write_step(setting, &unit, instance)
            });
            places.extend(is_kept.then(|| &self.steps[at]));
        }
        for (place, entry) in places.into_iter().zip(unit.finish()) {
            // It was empty, since nothing is made twice.
            let _ = place.set(entry);
        }
    }

    /// Writes what was tried so often, if its code is not too large for that; whether there is code now.
    fn attempt(
        &self,
        tries: u64,
        setting: Setting<'_>,
        known: &mut Known,
        write: impl FnOnce(Setting<'_>) -> Written,
    ) -> bool {
        let most = match self.when {
            Making::AtOnce => LARGEST,
            _ => LARGEST.min(tries / TRIES),
        };
        match known {
            Known::AtLeast(size) if *size <= most => {}
            _ => return false,
        }
        let written = write(Setting { most, ..setting });
        *known = match written.size > most && most < LARGEST {
            true => Known::AtLeast(written.size),
            false => Known::Settled,
        };
        written.is_kept
    }
}

/// Whether the code of an instance packs a slot: multisets are put in order behind it, tables are asked for numbers.
#[inline]
pub(super) fn packs(slots: &Slots, instance: &Instance, slot: u32) -> bool {
    instance.bags.is_empty() && !slots.is_in_table(slot as usize)
}

/// The same for all slots that it may change.
#[inline]
pub(super) fn packs_all(instance: &Instance) -> bool {
    instance.bags.is_empty() && !instance.is_wide
}

/// What became of an attempt to write code.
#[derive(Default)]
struct Written {
    is_kept: bool,
    /// How many operations it took.
    size: u64,
}

/// Writes the code of an instance.
fn write_step(setting: Setting<'_>, unit: &Unit, instance: &Instance) -> Written {
    if instance.frame > FRAMES {
        return Written::default();
    }
    let mut packed = instance.stores.clone();
    packed.retain(|slot| packs(setting.slots, instance, *slot));
    let stepping = Stepping {
        packs: &packed,
        guard: instance.guard,
        body: instance.body,
        frame: instance.frame,
        counters: instance.counters,
        is_bound: !instance.prelude.is_empty(),
    };
    let needs = generate::needs(setting, instance.counters);
    write(unit, needs, |writer| {
        generate::step(setting, stepping, writer)
    })
}

/// Writes the code of a condition.
fn write_condition(setting: Setting<'_>, unit: &Unit, instances: &[Instance]) -> Written {
    let is_simple = |one: &Instance| one.prelude.is_empty() && one.frame <= FRAMES;
    if !instances.iter().all(is_simple) {
        return Written::default();
    }
    let conditions: Vec<NodeId> = instances.iter().filter_map(|one| one.guard).collect();
    let counters = instances.iter().map(|one| one.counters).max().unwrap_or(0);
    write(unit, generate::needs(setting, counters), |writer| {
        generate::conditions(setting, counters, &conditions, writer)
    })
}

fn write(unit: &Unit, needs: Needs, body: impl FnOnce(&mut Writer<'_>) -> bool) -> Written {
    let mut size = 0;
    let is_kept = unit.define(needs, |writer| {
        let is_good = body(writer);
        size = writer.size() as u64;
        is_good
    });
    Written { is_kept, size }
}
