//! What travels on one edge, from a worker to another: states as differences, interned values once.
//!
//! A batch is a list of states, each with the number of its parent at the sender and its difference to the state before it in
//! the batch: states that are found one after the other have much in common. Where labels are checked, the slots in which a state
//! differs from its parent follow: those that read none of them are as they were. A word that is no number is sent as the bits in which it differs from
//! the word before, since several variables may share it. A number of an interned value is sent as it
//! is; its first use on this edge brings the value along, as a difference to the one before it, and the receiver keeps what the sender's numbers mean here. So a value
//! is decoded once, and a state costs a look into a table for each slot that changed.
//! Invariant: reading takes any bytes; what is no batch is an error.

use pins::{Numbers, System};

use super::bytes::{damaged, get, put};
use super::likeness;
use crate::explicit::slots::{differences, for_each_slot};

/// Bytes that a batch has about.
pub const BATCH: usize = 1 << 15;

/// States of so few slots tell by one bit for each slot where they differ: in one or two bytes.
const SHORT: usize = 14;
/// Of more slots: more than one differs, or one beyond the first ones.
const MANY: u8 = 255;
/// None differs.
const NONE: u8 = 0;

/// How a word of a slot with numbers is meant; the other bits are the word or number.
const PLAIN: u64 = 0;
const KNOWN: u64 = 1;
const FIRST: u64 = 2;

/// What every slot holds before the first state of a batch: no number of a value, so it means the same at both ends.
const NOTHING: u32 = u32::MAX;

/// What words mean in this process.
#[derive(Clone, Copy)]
pub struct Words<'w> {
    /// Whose words.
    pub system: &'w dyn System,
    /// For each slot which of its words are numbers.
    pub numbers: &'w [Option<Numbers>],
}

/// The sending end.
pub struct Edge {
    /// Whether both ends know the same numbers.
    is_near: bool,
    /// Whether the receiver wants to know where states differ from their parents.
    tells_changes: bool,
    bytes: Vec<u8>,
    parent: u32,
    base: Vec<u32>,
    /// Where a state differs from the one before.
    moved: Vec<u64>,
    /// For each slot which numbers were sent, and the value that was sent last.
    sent: Vec<Vec<u64>>,
    last: Vec<Vec<u8>>,
    scratch: Vec<u8>,
    /// States so far.
    pub states: u64,
    /// Values so far.
    pub values: u64,
    /// Bytes so far.
    pub total: u64,
    /// Of those the ones of values.
    pub value_bytes: u64,
    /// Why something could not be written.
    pub problem: Option<String>,
}

/// Where a state comes from, as its receiver learns it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Source {
    /// The number of its parent at the sender.
    pub number: u32,
    /// Whether all labels are known to be as wanted in the parent.
    pub is_clean: bool,
    /// Whether an answer is wanted if it is one of the next level.
    pub asks: bool,
}

impl Edge {
    /// Nothing was sent; `is_near` when both ends know the same numbers, `tells_changes` when labels are checked there.
    pub fn new(slots: usize, is_near: bool, tells_changes: bool) -> Edge {
        Edge {
            is_near,
            tells_changes,
            bytes: Vec::new(),
            parent: 0,
            base: vec![NOTHING; slots],
            moved: vec![0; slots.div_ceil(64).max(1)],
            sent: vec![Vec::new(); slots],
            last: vec![Vec::new(); slots],
            scratch: Vec::new(),
            states: 0,
            values: 0,
            total: 0,
            value_bytes: 0,
            problem: None,
        }
    }

    /// Adds a state; `changed` are the slots in which it differs from its parent.
    pub fn add(&mut self, words: Words<'_>, source: Source, vector: &[u32], changed: &[u64]) {
        let is_clean = source.is_clean && self.tells_changes;
        let step = i64::from(source.number) - i64::from(self.parent);
        let step = (step << 1 ^ step >> 63) as u64;
        let head = step << 2 | u64::from(is_clean) << 1 | u64::from(source.asks);
        put(&mut self.bytes, head);
        self.parent = source.number;
        let mut moved = std::mem::take(&mut self.moved);
        differences(&self.base, vector, &mut moved);
        put_slots(&mut self.bytes, vector.len(), &moved);
        for_each_slot(&moved, |slot| self.word(words, slot, vector[slot]));
        self.moved = moved;
        self.base.copy_from_slice(vector);
        if is_clean {
            put_slots(&mut self.bytes, vector.len(), changed);
        }
        self.states += 1;
    }

    #[inline]
    fn word(&mut self, words: Words<'_>, slot: usize, word: u32) {
        let numbers = match words.numbers[slot] {
            Some(numbers) if !self.is_near => numbers,
            Some(_) => return put(&mut self.bytes, u64::from(word)),
            None => return put_bits(&mut self.bytes, word ^ self.base[slot]),
        };
        let Some(number) = numbers.of(word) else {
            return put(&mut self.bytes, u64::from(word) << 2 | PLAIN);
        };
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
        let before = self.bytes.len();
        put(&mut self.bytes, u64::from(number) << 2 | FIRST);
        self.scratch.clear();
        if let Err(problem) = words.system.write_value(slot, word, &mut self.scratch) {
            self.problem.get_or_insert(problem);
        }
        likeness::write(&self.last[slot], &self.scratch, &mut self.bytes);
        std::mem::swap(&mut self.last[slot], &mut self.scratch);
        self.value_bytes += (self.bytes.len() - before) as u64;
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
        self.parent = 0;
        self.base.fill(NOTHING);
        true
    }

    /// Bytes in use.
    pub fn held(&self) -> u64 {
        let sent: usize = self.sent.iter().map(Vec::len).sum();
        (self.bytes.len() + sent * 8) as u64
    }
}

/// Writes the bits in which a word differs: those that lie side by side in few bytes, wherever they are.
#[inline]
fn put_bits(out: &mut Vec<u8>, bits: u32) {
    let skipped = bits.trailing_zeros().min(24) / 8;
    put(
        out,
        u64::from(bits >> (8 * skipped)) << 2 | u64::from(skipped),
    );
}

/// Reads the bits in which a word differs.
#[inline]
fn get_bits(bytes: &mut &[u8]) -> Result<u32, String> {
    let value = get(bytes)?;
    let bits = u32::try_from(value >> 2).map_err(|_| damaged())?;
    Ok(bits << (8 * (value & 3)))
}

/// Writes which slots are meant.
#[inline]
fn put_slots(out: &mut Vec<u8>, slots: usize, set: &[u64]) {
    if slots <= SHORT {
        put(out, set[0]);
        return;
    }
    let count: u32 = set.iter().map(|word| word.count_ones()).sum();
    if count == 0 {
        out.push(NONE);
        return;
    }
    let first = set.iter().position(|word| *word != 0).unwrap_or(0);
    let slot = first * 64 + set[first].trailing_zeros() as usize;
    if count == 1 && slot < usize::from(MANY) - 1 {
        out.push(slot as u8 + 1);
        return;
    }
    out.push(MANY);
    put(out, u64::from(count));
    let mut last = 0;
    for_each_slot(set, |slot| {
        put(out, (slot - last) as u64);
        last = slot;
    });
}

/// Reads which slots are meant.
#[inline]
fn get_slots(bytes: &mut &[u8], slots: usize, set: &mut [u64]) -> Result<(), String> {
    set.fill(0);
    if slots <= SHORT {
        set[0] = get(bytes)?;
        return match set[0] >> slots {
            0 => Ok(()),
            _ => Err(damaged()),
        };
    }
    let (head, rest) = bytes.split_first().ok_or_else(damaged)?;
    *bytes = rest;
    let mut add = |slot: usize| match slot < slots {
        true => {
            set[slot / 64] |= 1 << (slot % 64);
            Ok(())
        }
        false => Err(damaged()),
    };
    match *head {
        NONE => {}
        MANY => {
            let mut slot = 0;
            for _ in 0..get(bytes)? {
                let step = usize::try_from(get(bytes)?).map_err(|_| damaged())?;
                slot = step.checked_add(slot).ok_or_else(damaged)?;
                add(slot)?;
            }
        }
        slot => add(usize::from(slot) - 1)?,
    }
    Ok(())
}

/// The receiving end.
pub struct Inlet {
    is_near: bool,
    /// For each slot what the sender's numbers are here; [`UNKNOWN`] for those that did not come yet.
    known: Vec<Vec<u32>>,
    /// For each slot the value that came last.
    last: Vec<Vec<u8>>,
    /// The state, after [`Batch::next`].
    pub state: Vec<u32>,
    /// Where it may differ from the state before, in this batch or elsewhere.
    pub moved: Vec<u64>,
    /// Where it differs from its parent, if that is clean.
    pub changed: Vec<u64>,
}

const UNKNOWN: u32 = u32::MAX;

/// A batch that is being read.
pub struct Batch<'b> {
    bytes: &'b [u8],
    parent: u32,
    is_first: bool,
}

impl Inlet {
    /// Nothing was received.
    pub fn new(slots: usize, is_near: bool) -> Inlet {
        let words = slots.div_ceil(64).max(1);
        Inlet {
            is_near,
            known: vec![Vec::new(); slots],
            last: vec![Vec::new(); slots],
            state: vec![0; slots],
            moved: vec![0; words],
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
    pub fn new(bytes: &'b [u8], inlet: &mut Inlet) -> Batch<'b> {
        inlet.state.fill(NOTHING);
        Batch {
            bytes,
            parent: 0,
            is_first: true,
        }
    }

    /// The next state, into the inlet, and where it comes from. `None` at the end.
    #[inline]
    pub fn next(&mut self, inlet: &mut Inlet, words: Words<'_>) -> Result<Option<Source>, String> {
        if self.bytes.is_empty() {
            return Ok(None);
        }
        let head = get(&mut self.bytes)?;
        let step = head >> 2;
        let step = (step >> 1) as i64 ^ -((step & 1) as i64);
        let parent = i64::from(self.parent).checked_add(step);
        let parent = parent.and_then(|parent| u32::try_from(parent).ok());
        self.parent = parent.ok_or_else(damaged)?;
        let slots = inlet.state.len();
        get_slots(&mut self.bytes, slots, &mut inlet.moved)?;
        for at in 0..inlet.moved.len() {
            let mut bits = inlet.moved[at];
            while bits != 0 {
                let slot = at * 64 + bits.trailing_zeros() as usize;
                bits &= bits - 1;
                inlet.state[slot] = self.word(inlet, words, slot)?;
            }
        }
        if std::mem::take(&mut self.is_first) {
            // Nothing is known of what was looked at before the batch.
            all_slots(&mut inlet.moved, slots);
        }
        let is_clean = head & 2 != 0;
        if is_clean {
            get_slots(&mut self.bytes, slots, &mut inlet.changed)?;
        }
        Ok(Some(Source {
            number: self.parent,
            is_clean,
            asks: head & 1 != 0,
        }))
    }

    #[inline]
    fn word(&mut self, inlet: &mut Inlet, words: Words<'_>, slot: usize) -> Result<u32, String> {
        if words.numbers[slot].is_none() {
            return Ok(inlet.state[slot] ^ get_bits(&mut self.bytes)?);
        }
        let value = get(&mut self.bytes)?;
        if inlet.is_near {
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
                let last = &mut inlet.last[slot];
                likeness::read(last, &mut self.bytes)?;
                let word = words.system.read_value(slot, last)?;
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

/// The bits of all slots that there are.
pub fn all_slots(set: &mut [u64], slots: usize) {
    for (at, word) in set.iter_mut().enumerate() {
        *word = match slots.saturating_sub(at * 64) {
            0 => 0,
            left if left < 64 => (1 << left) - 1,
            _ => u64::MAX,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// States of `slots` slots that differ a little from one to the next, with the slots in which each differs from its parent.
    fn states(slots: usize) -> Vec<(Source, Vec<u32>, Vec<u64>)> {
        let mut vector = vec![7u32; slots];
        let mut list = Vec::new();
        for at in 0..300u32 {
            for step in 0..at % 4 {
                let slot = (at as usize * 31 + step as usize * 67) % slots;
                vector[slot] = vector[slot].wrapping_mul(2_654_435_761).wrapping_add(at);
            }
            let mut changed = vec![0; slots.div_ceil(64)];
            changed[at as usize % slots / 64] |= 1 << (at as usize % slots % 64);
            let source = Source {
                number: at * 5 % 89,
                is_clean: at % 3 != 0,
                asks: at % 7 == 0,
            };
            list.push((source, vector.clone(), changed));
        }
        list
    }

    #[test]
    fn what_is_sent_arrives() {
        for slots in [1, 3, 8, 14, 15, 64, 65, 300] {
            let system = pins::toy::toy(1, vec![0], Vec::new(), Box::new(|_, _, _, _| Ok(())));
            let words = Words {
                system: &system,
                numbers: &vec![None; slots],
            };
            let mut edge = Edge::new(slots, false, true);
            let all = states(slots);
            for (source, vector, changed) in &all {
                edge.add(words, *source, vector, changed);
            }
            let mut bytes = Vec::new();
            assert!(edge.take(&mut bytes));
            let mut inlet = Inlet::new(slots, false);
            let mut batch = Batch::new(&bytes, &mut inlet);
            for (source, vector, changed) in &all {
                assert_eq!(batch.next(&mut inlet, words), Ok(Some(*source)));
                assert_eq!(&inlet.state, vector);
                assert!(!source.is_clean || &inlet.changed == changed);
            }
            assert_eq!(batch.next(&mut inlet, words), Ok(None));
            for at in 0..bytes.len() {
                let mut hurt = bytes.clone();
                hurt[at] ^= 1 << (at % 8);
                let mut batch = Batch::new(&hurt[..bytes.len() - at % 2], &mut inlet);
                while let Ok(Some(_)) = batch.next(&mut inlet, words) {}
            }
        }
    }

    #[test]
    fn bits_that_differ_take_few_bytes() {
        for shift in 0..32 {
            for bits in [0u32, 1, 0x1f, 0xff, 0x8001, 0xdead_beef, u32::MAX] {
                let bits = bits << shift;
                let mut bytes = Vec::new();
                put_bits(&mut bytes, bits);
                if bits.is_power_of_two() {
                    assert!(bytes.len() <= 2, "{bits:x}");
                }
                bytes.push(7);
                let mut rest = &bytes[..];
                assert_eq!(get_bits(&mut rest), Ok(bits));
                assert_eq!(rest, [7]);
            }
        }
        assert!(get_bits(&mut &[0xff, 0xff, 0xff, 0xff, 0xff, 0x01][..]).is_err());
    }
}
