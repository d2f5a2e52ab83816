//! What travels on one edge, from a worker to another: states as differences, interned values once.
//!
//! A batch is a list of groups, one for each parent: the number of the parent, its difference to the parent before, then for
//! each child its difference to the parent. Most children differ in one slot: two or three bytes. A number of an interned
//! value is sent as it is; its first use on this edge brings the value along, and the receiver keeps what the sender's
//! numbers mean here. So a value is decoded once, and a state costs a look into a table for each slot that changed.
//! Invariant: reading takes any bytes; what is no batch is an error.

use pins::System;

/// Bytes that a batch has about.
pub const BATCH: usize = 1 << 15;

/// A child that differs in more than one slot, or in one beyond the short ones.
const MANY: u8 = 255;
/// The end of a group.
const END: u8 = 0;

/// How a word of a slot with numbers is meant; the other bits are the word or number.
const PLAIN: u64 = 0;
const KNOWN: u64 = 1;
const FIRST: u64 = 2;

/// What every slot holds before the first state of a batch: no number of a value, so it means the same at both ends.
const NOTHING: u32 = u32::MAX;

/// The sending end.
pub struct Edge {
    /// Whether both ends know the same numbers.
    is_near: bool,
    bytes: Vec<u8>,
    parent: Option<u32>,
    base: Vec<u32>,
    /// Where a parent differs from the one before.
    moved: Vec<u64>,
    /// For each slot which numbers were sent.
    sent: Vec<Vec<u64>>,
    scratch: Vec<u8>,
    /// Children so far.
    pub states: u64,
    /// Values so far.
    pub values: u64,
    /// Bytes so far.
    pub total: u64,
    /// Why something could not be written.
    pub problem: Option<String>,
}

/// A parent whose children follow.
#[derive(Clone, Copy, Debug)]
pub struct Parent<'p> {
    /// Its number at the sender.
    pub number: u32,
    /// Whether all labels are known to be as wanted in it.
    pub is_clean: bool,
    /// The state.
    pub vector: &'p [u32],
}

impl Edge {
    /// Nothing was sent; `is_near` when both ends know the same numbers.
    pub fn new(slots: usize, is_near: bool) -> Edge {
        Edge {
            is_near,
            bytes: Vec::new(),
            parent: None,
            base: vec![NOTHING; slots],
            moved: vec![0; slots.div_ceil(64).max(1)],
            sent: vec![Vec::new(); slots],
            scratch: Vec::new(),
            states: 0,
            values: 0,
            total: 0,
            problem: None,
        }
    }

    /// Adds a child; `asks` when an answer is wanted whether it is one of the next level.
    pub fn add(
        &mut self,
        system: &dyn System,
        numbered_from: &[Option<u32>],
        parent: Parent<'_>,
        (child, changed): (&[u32], &[u64]),
        asks: Option<bool>,
    ) {
        if self.parent != Some(parent.number) {
            self.begin(system, numbered_from, parent);
        }
        self.difference(system, numbered_from, child, changed);
        if let Some(asks) = asks {
            self.bytes.push(u8::from(asks));
        }
        self.states += 1;
    }

    /// Adds a state as it is, without children.
    pub fn add_alone(
        &mut self,
        system: &dyn System,
        numbered_from: &[Option<u32>],
        state: Parent<'_>,
    ) {
        self.begin(system, numbered_from, state);
    }

    fn begin(&mut self, system: &dyn System, numbered_from: &[Option<u32>], parent: Parent<'_>) {
        if self.parent.is_some() {
            self.bytes.push(END);
        }
        let before = i64::from(self.parent.unwrap_or(0));
        let step = i64::from(parent.number) - before;
        let step = (step << 1 ^ step >> 63) as u64;
        put(&mut self.bytes, step << 1 | u64::from(parent.is_clean));
        self.parent = Some(parent.number);
        let mut base = std::mem::take(&mut self.base);
        let mut moved = std::mem::take(&mut self.moved);
        if !crate::explicit::differences(&base, parent.vector, &mut moved) {
            self.bytes.push(END);
        } else {
            self.difference(system, numbered_from, parent.vector, &moved);
        }
        base.copy_from_slice(parent.vector);
        (self.base, self.moved) = (base, moved);
    }

    fn difference(
        &mut self,
        system: &dyn System,
        numbered_from: &[Option<u32>],
        vector: &[u32],
        changed: &[u64],
    ) {
        let count: u32 = changed.iter().map(|word| word.count_ones()).sum();
        let first = changed.iter().position(|word| *word != 0).unwrap_or(0);
        let slot = first * 64 + changed[first].trailing_zeros() as usize;
        if count == 1 && slot < usize::from(MANY) - 1 {
            self.bytes.push(slot as u8 + 1);
            self.word(system, numbered_from, slot, vector[slot]);
            return;
        }
        self.bytes.push(MANY);
        put(&mut self.bytes, u64::from(count));
        let mut last = 0;
        for (at, word) in changed.iter().enumerate() {
            let mut bits = *word;
            while bits != 0 {
                let slot = at * 64 + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                put(&mut self.bytes, (slot - last) as u64);
                last = slot;
                self.word(system, numbered_from, slot, vector[slot]);
            }
        }
    }

    fn word(&mut self, system: &dyn System, numbered_from: &[Option<u32>], slot: usize, word: u32) {
        let from = match numbered_from[slot] {
            Some(from) if !self.is_near => from,
            _ => return put(&mut self.bytes, u64::from(word)),
        };
        if word < from {
            return put(&mut self.bytes, u64::from(word) << 2 | PLAIN);
        }
        let number = word - from;
        let (at, bit) = (number as usize / 64, 1 << (number % 64));
        let sent = &mut self.sent[slot];
        if sent.len() <= at {
            sent.resize(at + 1, 0);
        }
        if sent[at] & bit != 0 {
            return put(&mut self.bytes, u64::from(number) << 2 | KNOWN);
        }
        sent[at] |= bit;
        self.values += 1;
        put(&mut self.bytes, u64::from(number) << 2 | FIRST);
        self.scratch.clear();
        if let Err(problem) = system.write_value(slot, word, &mut self.scratch) {
            self.problem.get_or_insert(problem);
        }
        put(&mut self.bytes, self.scratch.len() as u64);
        self.bytes.extend_from_slice(&self.scratch);
    }

    /// Whether there is a batch worth sending.
    pub fn is_full(&self) -> bool {
        self.bytes.len() >= BATCH
    }

    /// The batch, if there is anything in it, appended to `out`; the next one begins anew.
    pub fn take(&mut self, out: &mut Vec<u8>) -> bool {
        if self.bytes.is_empty() {
            return false;
        }
        out.append(&mut self.bytes);
        self.total += out.len() as u64;
        self.parent = None;
        self.base.fill(NOTHING);
        true
    }

    /// Bytes in use.
    pub fn held(&self) -> u64 {
        let sent: usize = self.sent.iter().map(Vec::len).sum();
        (self.bytes.len() + sent * 8) as u64
    }
}

/// The receiving end.
pub struct Inlet {
    is_near: bool,
    /// For each slot what the sender's numbers are here; [`UNKNOWN`] for those that did not come yet.
    known: Vec<Vec<u32>>,
    /// The parent, after [`Batch::next_parent`].
    pub base: Vec<u32>,
    /// Where it differs from the parent before.
    pub moved: Vec<u64>,
    /// The child, after [`Batch::next_child`].
    pub child: Vec<u32>,
    /// Where it differs from the parent.
    pub changed: Vec<u64>,
}

const UNKNOWN: u32 = u32::MAX;

/// A batch that is being read.
pub struct Batch<'b> {
    bytes: &'b [u8],
    parent: u32,
    /// Whether children say if an answer is wanted.
    has_questions: bool,
}

impl Inlet {
    /// Nothing was received.
    pub fn new(slots: usize, is_near: bool) -> Inlet {
        let words = slots.div_ceil(64).max(1);
        Inlet {
            is_near,
            known: vec![Vec::new(); slots],
            base: vec![0; slots],
            moved: vec![0; words],
            child: vec![0; slots],
            changed: vec![0; words],
        }
    }

    /// Bytes in use.
    pub fn held(&self) -> u64 {
        let known: usize = self.known.iter().map(Vec::len).sum();
        known as u64 * 4
    }
}

impl<'b> Batch<'b> {
    /// Begins to read a batch.
    pub fn new(bytes: &'b [u8], has_questions: bool, inlet: &mut Inlet) -> Batch<'b> {
        inlet.base.fill(NOTHING);
        inlet.child.fill(NOTHING);
        Batch {
            bytes,
            parent: 0,
            has_questions,
        }
    }

    /// The next parent: its number, and whether it is clean. `None` at the end.
    pub fn next_parent(
        &mut self,
        inlet: &mut Inlet,
        system: &dyn System,
        numbered_from: &[Option<u32>],
    ) -> Result<Option<(u32, bool)>, String> {
        if self.bytes.is_empty() {
            return Ok(None);
        }
        let head = get(&mut self.bytes)?;
        let step = head >> 1;
        let step = (step >> 1) as i64 ^ -((step & 1) as i64);
        let parent = i64::from(self.parent).checked_add(step);
        let parent = parent.and_then(|parent| u32::try_from(parent).ok());
        self.parent = parent.ok_or_else(damaged)?;
        inlet.moved.fill(0);
        let mut base = std::mem::take(&mut inlet.base);
        let mut moved = std::mem::take(&mut inlet.moved);
        let read = self.difference(inlet, system, numbered_from, (&mut base, &mut moved));
        (inlet.base, inlet.moved) = (base, moved);
        read?;
        inlet.child.copy_from_slice(&inlet.base);
        inlet.changed.fill(0);
        Ok(Some((self.parent, head & 1 == 1)))
    }

    /// The next child of the parent, and whether it wants an answer; `None` at the end of the group.
    pub fn next_child(
        &mut self,
        inlet: &mut Inlet,
        system: &dyn System,
        numbered_from: &[Option<u32>],
    ) -> Result<Option<bool>, String> {
        let mut child = std::mem::take(&mut inlet.child);
        let mut changed = std::mem::take(&mut inlet.changed);
        for (at, word) in changed.iter_mut().enumerate() {
            while *word != 0 {
                let slot = at * 64 + word.trailing_zeros() as usize;
                *word &= *word - 1;
                child[slot] = inlet.base[slot];
            }
        }
        let is_over = self.bytes.is_empty();
        let read = match is_over {
            true => Ok(false),
            false => self.difference(inlet, system, numbered_from, (&mut child, &mut changed)),
        };
        (inlet.child, inlet.changed) = (child, changed);
        if !read? {
            return Ok(None);
        }
        if !self.has_questions {
            return Ok(Some(false));
        }
        let (asks, rest) = self.bytes.split_first().ok_or_else(damaged)?;
        self.bytes = rest;
        Ok(Some(*asks != 0))
    }

    /// Applies a difference; whether there is one.
    fn difference(
        &mut self,
        inlet: &mut Inlet,
        system: &dyn System,
        numbered_from: &[Option<u32>],
        (vector, changed): (&mut [u32], &mut [u64]),
    ) -> Result<bool, String> {
        let (head, rest) = self.bytes.split_first().ok_or_else(damaged)?;
        self.bytes = rest;
        let mut set = |batch: &mut Batch<'b>, slot: usize| -> Result<(), String> {
            if slot >= vector.len() {
                return Err(damaged());
            }
            vector[slot] = batch.word(inlet, system, numbered_from, slot)?;
            changed[slot / 64] |= 1 << (slot % 64);
            Ok(())
        };
        match *head {
            END => return Ok(false),
            MANY => {
                let count = get(&mut self.bytes)?;
                let mut slot = 0;
                for _ in 0..count {
                    let step = usize::try_from(get(&mut self.bytes)?).map_err(|_| damaged())?;
                    slot = step.checked_add(slot).ok_or_else(damaged)?;
                    set(self, slot)?;
                }
            }
            slot => set(self, usize::from(slot) - 1)?,
        }
        Ok(true)
    }

    fn word(
        &mut self,
        inlet: &mut Inlet,
        system: &dyn System,
        numbered_from: &[Option<u32>],
        slot: usize,
    ) -> Result<u32, String> {
        let value = get(&mut self.bytes)?;
        if inlet.is_near || numbered_from[slot].is_none() {
            return u32::try_from(value).map_err(|_| damaged());
        }
        let number = u32::try_from(value >> 2).map_err(|_| damaged())?;
        let known = &mut inlet.known[slot];
        match value & 3 {
            PLAIN => Ok(number),
            KNOWN => match known.get(number as usize) {
                Some(word) if *word != UNKNOWN => Ok(*word),
                _ => Err("a number came before its value".to_string()),
            },
            FIRST => {
                let len = usize::try_from(get(&mut self.bytes)?).map_err(|_| damaged())?;
                let (bytes, rest) = self.bytes.split_at_checked(len).ok_or_else(damaged)?;
                self.bytes = rest;
                let word = system.read_value(slot, bytes)?;
                // Numbers are given out one after the other, by a table that several workers may fill.
                if number as usize >= known.len() + (1 << 28) {
                    return Err(damaged());
                }
                if known.len() <= number as usize {
                    known.resize(number as usize + 1, UNKNOWN);
                }
                known[number as usize] = word;
                Ok(word)
            }
            _ => Err(damaged()),
        }
    }
}

/// Writes a number in as few bytes as it needs.
pub fn put(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Reads a number.
pub fn get(bytes: &mut &[u8]) -> Result<u64, String> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let (byte, rest) = bytes.split_first().ok_or_else(damaged)?;
        *bytes = rest;
        number |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Ok(number);
        }
    }
    Err(damaged())
}

fn damaged() -> String {
    "a batch of states is damaged".to_string()
}

/// A whole state as bytes that mean the same everywhere.
pub fn write_state(system: &dyn System, vector: &[u32], out: &mut Vec<u8>) -> Result<(), String> {
    let mut value = Vec::new();
    for (slot, word) in vector.iter().enumerate() {
        match system.numbered_from(slot) {
            Some(from) if *word >= from => {
                value.clear();
                system.write_value(slot, *word, &mut value)?;
                put(out, (value.len() as u64) << 1 | 1);
                out.extend_from_slice(&value);
            }
            _ => put(out, u64::from(*word) << 1),
        }
    }
    Ok(())
}

/// The state that [`write_state`] wrote.
pub fn read_state(system: &dyn System, bytes: &mut &[u8]) -> Result<Vec<u32>, String> {
    let slots = system.shape().slots.len();
    let word = |slot: usize| {
        let head = get(bytes)?;
        if head & 1 == 0 {
            return u32::try_from(head >> 1).map_err(|_| damaged());
        }
        let len = usize::try_from(head >> 1).map_err(|_| damaged())?;
        let (value, rest) = bytes.split_at_checked(len).ok_or_else(damaged)?;
        *bytes = rest;
        system.read_value(slot, value)
    };
    (0..slots).map(word).collect()
}
