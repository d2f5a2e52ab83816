//! The remembered answers of one group.
//!
//! Invariant: `places` and `entries` agree; an entry is complete.

use rustc_hash::FxHashMap;
use std::time::Instant;

use crate::shape::{Group, GroupId};
use crate::system::{Fault, FaultKind, Flow, Notes, Step, Worker};

/// Answers by the values of the slots that are read.
pub struct Table {
    reads: Vec<usize>,
    writes: Vec<usize>,
    /// Positions in `writes` of slots that need not be written and are not read: a step may leave them alone.
    optional: Vec<usize>,
    places: FxHashMap<Box<[u32]>, u32>,
    entries: Vec<Entry>,
    key: Vec<u32>,
    target: Vec<u32>,
    /// Whether it is used now.
    pub is_on: bool,
    /// Whether it may be used at all.
    pub is_cacheable: bool,
    /// About what it occupies.
    pub bytes: usize,
    /// What happened since the last decision.
    pub tally: Tally,
}

/// Counts and time for decisions.
#[derive(Clone, Copy, Debug, Default)]
pub struct Tally {
    /// Questions.
    pub calls: u64,
    /// Questions answered from memory.
    pub hits: u64,
    /// Nanoseconds spent on the others, asking the system.
    pub nanoseconds: u64,
}

struct Entry {
    /// For each step: the length of the label, the label, a mask of untouched writes, the written values.
    words: Box<[u32]>,
    fault: Option<Box<Fault>>,
    notes: Option<Box<Notes>>,
    /// Whether steps that differ here may be one step in some state.
    may_coincide: bool,
    is_used: bool,
}

/// What became of a question.
pub enum Learnt {
    /// It has an entry now.
    Entry(u32),
    /// It must be asked of the system.
    Nothing,
    /// There is no answer.
    Halted(Fault),
}

fn is_halted(fault: &Option<Fault>) -> bool {
    fault
        .as_ref()
        .is_some_and(|fault| fault.kind == FaultKind::Halted)
}

/// A mark for slots that are not read. If it comes through, the question is asked again with the other one: a
/// value that is written is then told from a slot that is untouched.
const MARKS: [u32; 2] = [0xffff_fff1, 0xa5c3_9e71];
/// What an entry costs beside its words: map slot, boxes, allocator.
const OVERHEAD: usize = 120;

impl Table {
    /// An empty table.
    pub fn new(group: &Group, slots: usize) -> Table {
        let below = |set: &crate::shape::SlotSet| -> Vec<usize> {
            set.iter().filter(|slot| *slot < slots).collect()
        };
        let (reads, writes) = (below(&group.reads), below(&group.may_write));
        let optional = (0..writes.len()).filter(|at| {
            !group.must_write.contains(writes[*at]) && !group.reads.contains(writes[*at])
        });
        Table {
            optional: optional.collect(),
            reads,
            writes,
            places: FxHashMap::default(),
            entries: Vec::new(),
            key: Vec::new(),
            target: Vec::new(),
            is_on: false,
            is_cacheable: group.is_pure,
            bytes: 0,
            tally: Tally::default(),
        }
    }

    /// How many entries there are.
    pub fn learnt(&self) -> usize {
        self.entries.len()
    }

    /// How many slots are read.
    pub fn key_len(&self) -> usize {
        self.reads.len()
    }

    /// The entry for a state.
    pub fn find(&mut self, state: &[u32]) -> Option<u32> {
        self.tally.calls += 1;
        self.key.clear();
        self.key.extend(self.reads.iter().map(|slot| state[*slot]));
        let entry = *self.places.get(self.key.as_slice())?;
        self.tally.hits += 1;
        Some(entry)
    }

    /// Asks the system and remembers the complete answer, unless it is larger than `most` bytes or breaks a law.
    /// The key is the one looked for last.
    pub fn learn(
        &mut self,
        state: &[u32],
        group: GroupId,
        worker: &mut dyn Worker,
        most: usize,
    ) -> Learnt {
        let start = Instant::now();
        let first = self.ask(state, group, worker, MARKS[0]);
        self.tally.nanoseconds += start.elapsed().as_nanos() as u64;
        let notes = worker.take_notes();
        let mut raw = first;
        if raw.has_mark && !is_halted(&raw.fault) {
            let second = self.ask(state, group, worker, MARKS[1]);
            worker.take_notes();
            if is_halted(&second.fault) {
                raw.fault = second.fault;
            } else if !raw.merge(&second, &self.writes, &self.optional) {
                self.is_cacheable = false;
                self.is_on = false;
                return Learnt::Nothing;
            }
        }
        if let Some(fault) = raw.fault.take_if(|fault| fault.kind == FaultKind::Halted) {
            return Learnt::Halted(fault);
        }
        let (words, may_coincide) = raw.entry(&self.writes);
        let size = (words.len() + self.key.len()) * 4 + OVERHEAD;
        if size > most {
            return Learnt::Nothing;
        }
        self.bytes += size;
        let id = self.entries.len() as u32;
        self.entries.push(Entry {
            words: words.into(),
            fault: raw.fault.map(Box::new),
            notes: (!notes.is_empty()).then(|| Box::new(notes)),
            may_coincide,
            is_used: true,
        });
        self.places.insert(self.key.as_slice().into(), id);
        Learnt::Entry(id)
    }

    fn ask(&mut self, state: &[u32], group: GroupId, worker: &mut dyn Worker, mark: u32) -> Raw {
        let mut marked = state.to_vec();
        for at in &self.optional {
            marked[self.writes[*at]] = mark;
        }
        let mut raw = Raw::default();
        let (writes, optional) = (&self.writes, &self.optional);
        let answer = worker.successors(&marked, group, &mut |step| {
            let values: Vec<u32> = writes.iter().map(|slot| step.target[*slot]).collect();
            raw.has_mark |= optional.iter().any(|at| values[*at] == mark);
            raw.steps.push((step.label.to_vec(), values, Vec::new()));
            Flow::Continue
        });
        raw.fault = answer.err();
        raw
    }

    /// Gives the remembered answer.
    pub fn replay(
        &mut self,
        entry: u32,
        state: &[u32],
        notes: &mut Notes,
        emit: &mut dyn FnMut(Step<'_>) -> Flow,
    ) -> Result<(), Fault> {
        let entry = &mut self.entries[entry as usize];
        entry.is_used = true;
        if let Some(more) = &entry.notes {
            notes.merge((**more).clone());
        }
        let target = &mut self.target;
        target.clear();
        target.extend_from_slice(state);
        let mut given: Vec<(Vec<u32>, Vec<u32>)> = Vec::new();
        let mut words = &entry.words[..];
        let masks = self.writes.len().div_ceil(32);
        while let Some((len, rest)) = words.split_first() {
            let (label, rest) = rest.split_at(*len as usize);
            let (mask, rest) = rest.split_at(masks);
            let (values, rest) = rest.split_at(self.writes.len());
            words = rest;
            for (at, slot) in self.writes.iter().enumerate() {
                let is_untouched = mask[at / 32] >> (at % 32) & 1 == 1;
                target[*slot] = if is_untouched {
                    state[*slot]
                } else {
                    values[at]
                };
            }
            if entry.may_coincide {
                let step = (label.to_vec(), target.clone());
                if given.contains(&step) {
                    continue;
                }
                given.push(step);
            }
            if emit(Step { label, target }) == Flow::Stop {
                return Ok(());
            }
        }
        match &entry.fault {
            Some(fault) => Err((**fault).clone()),
            None => Ok(()),
        }
    }

    /// Forgets whole entries that were not used since the last time, or all if all were.
    pub fn forget_unused(&mut self) {
        let used = self.entries.iter().filter(|entry| entry.is_used).count();
        if used == self.entries.len() {
            self.clear();
            return;
        }
        let mut kept = Vec::with_capacity(used);
        let mut new_places = vec![None; self.entries.len()];
        for (at, mut entry) in std::mem::take(&mut self.entries).into_iter().enumerate() {
            if std::mem::take(&mut entry.is_used) {
                new_places[at] = Some(kept.len() as u32);
                kept.push(entry);
            }
        }
        self.entries = kept;
        self.places
            .retain(|_, place| match new_places[*place as usize] {
                Some(new) => {
                    *place = new;
                    true
                }
                None => false,
            });
        let words: usize = self.entries.iter().map(|entry| entry.words.len()).sum();
        self.bytes =
            (words + self.entries.len() * self.reads.len()) * 4 + self.entries.len() * OVERHEAD;
    }

    /// Forgets everything.
    pub fn clear(&mut self) {
        self.places = FxHashMap::default();
        self.entries = Vec::new();
        self.bytes = 0;
    }
}

/// An answer before it is packed: label, values of the writes, which of them are untouched.
#[derive(Default)]
struct Raw {
    steps: Vec<(Vec<u32>, Vec<u32>, Vec<bool>)>,
    fault: Option<Fault>,
    has_mark: bool,
}

impl Raw {
    /// Finds untouched slots by comparing with the answer to the other mark; `false` if they do not fit.
    fn merge(&mut self, other: &Raw, writes: &[usize], optional: &[usize]) -> bool {
        if self.steps.len() != other.steps.len() || self.fault != other.fault {
            return false;
        }
        for ((label, values, untouched), (other_label, other_values, _)) in
            self.steps.iter_mut().zip(&other.steps)
        {
            *untouched = vec![false; writes.len()];
            for at in optional {
                untouched[*at] = (values[*at], other_values[*at]) == (MARKS[0], MARKS[1]);
            }
            let fits = |at: usize| values[at] == other_values[at] || untouched[at];
            if label != other_label || !(0..writes.len()).all(fits) {
                return false;
            }
        }
        true
    }

    fn entry(&self, writes: &[usize]) -> (Vec<u32>, bool) {
        let mut words = Vec::new();
        let mut masks: FxHashMap<&[u32], &[bool]> = FxHashMap::default();
        let mut may_coincide = false;
        for (label, values, untouched) in &self.steps {
            words.push(label.len() as u32);
            words.extend_from_slice(label);
            let mut mask = vec![0u32; writes.len().div_ceil(32)];
            for (at, _) in untouched.iter().enumerate().filter(|(_, is)| **is) {
                mask[at / 32] |= 1 << (at % 32);
            }
            words.extend(mask);
            words.extend_from_slice(values);
            let known = masks.entry(label).or_insert(untouched);
            may_coincide |= known != untouched;
        }
        (words, may_coincide)
    }
}
