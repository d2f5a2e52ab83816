//! When machine code is made, and for what: after some thousand states, for the instances that were tried most.
//!
//! Making code costs about as much as running it some thousand times, so how much is made grows with what a worker tried.
//! Workers share what is made; which of them makes it does not matter, since code and machine give the same answers.

use std::sync::{Mutex, OnceLock, TryLockError};

use native::{Entry, Needs, Unit, Writer};

use super::code::NodeId;
use super::compile::Instance;
use super::generate::{self, COUNTERS, FRAMES, FUEL, Setting, Stepping};
use super::slots::Slots;
use super::system::Rules;

/// A worker that saw so many states looks for the first time at what is worth being made.
const FIRST: u64 = 2_000;
/// One operation may be made for so many tries: making one takes about as long as two tries by the machine, so no more is
/// spent on making than was spent on what it spares.
const TRIES: u64 = 2;
/// An instance is hot when it was tried in one of so many states.
const SELDOM: u64 = 200;

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
    /// How many operations were made.
    made: u64,
    /// Of steps, then of conditions: whether it was tried, with whatever outcome.
    seen: Vec<bool>,
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

    /// Makes code of what a worker found hot.
    pub fn make(&self, rules: &Rules, heat: &mut Heat) {
        heat.next = heat.states * 2;
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
            making.seen = vec![false; self.steps.len() + self.conditions.len()];
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
        };
        let room = match self.when {
            Making::AtOnce => u64::MAX,
            _ => {
                heat.tries
                    .iter()
                    .map(|tries| u64::from(*tries))
                    .sum::<u64>()
                    / TRIES
            }
        };
        let mut places: Vec<&OnceLock<Entry>> = Vec::new();
        if is_first {
            let written = write(&unit, generate::needs(setting, 0), |writer| {
                generate::unpack(setting, writer)
            });
            making.made += written.size;
            places.extend(written.is_kept.then_some(&self.unpack));
        }
        let conditions = rules.labels.iter().chain(&rules.assumptions);
        for (at, (_, instances)) in conditions.enumerate() {
            let number = self.steps.len() + at;
            if making.made >= room || std::mem::replace(&mut making.seen[number], true) {
                continue;
            }
            let written = write_condition(setting, &unit, instances);
            making.made += written.size;
            places.extend(written.is_kept.then(|| &self.conditions[at]));
        }
        let mut hottest: Vec<usize> = (0..self.steps.len()).collect();
        let is_hot = |at: &usize| u64::from(heat.tries[*at]).saturating_mul(SELDOM) >= heat.states;
        hottest.retain(|at| self.when == Making::AtOnce || is_hot(at));
        hottest.sort_by_key(|at| std::cmp::Reverse(heat.tries[*at]));
        for at in hottest {
            if making.made >= room {
                break;
            }
            if std::mem::replace(&mut making.seen[at], true) {
                continue;
            }
            let written = write_step(setting, &unit, &rules.instances[at]);
            making.made += written.size;
            places.extend(written.is_kept.then(|| &self.steps[at]));
        }
        for (place, entry) in places.into_iter().zip(unit.finish()) {
            // It was empty, since it was not seen before.
            let _ = place.set(entry);
        }
    }
}

/// Whether the code of an instance packs a slot: multisets are put in order behind it, tables are asked for numbers.
#[inline]
pub(super) fn packs(slots: &Slots, instance: &Instance, slot: u32) -> bool {
    instance.bags.is_empty() && !slots.is_in_table(slot as usize)
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
