//! Stores as bytes: what a saved search keeps of its states.

use std::io::{self, Read, Write};
use std::sync::RwLock;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::{Acquire, Relaxed};

use super::{Inside, Kind, Store, Terms, Whole, read};
use crate::bitstate::Bits;
use crate::fingerprint::Fingerprints;
use crate::memory::Memory;
use crate::records::Records;
use crate::tree::Tree;

impl Store {
    /// Writes all states. No session may be open.
    pub fn save(&self, out: &mut dyn Write) -> io::Result<()> {
        match &self.inside {
            Inside::Tree(tree, _) => {
                save_records(tree.inner(), out)?;
                save_records(tree.root(), out)
            }
            Inside::Plain(whole, _) => save_records(&whole.records, out),
            Inside::Fingerprint(set, len) => {
                put(out, u64::from(len.load(Acquire)))?;
                let set = read(set);
                put(out, set.iter().count() as u64)?;
                set.iter().try_for_each(|hash| put(out, hash))
            }
            Inside::Bitstate(bits, len) => {
                put(out, u64::from(len.load(Acquire)))?;
                put(out, bits.words().len() as u64)?;
                let mut words = bits.words().iter();
                words.try_for_each(|word| put(out, word.load(Relaxed)))
            }
        }
    }

    /// Reads what [`Store::save`] wrote, of a store of as many slots and bits.
    pub fn restore(
        kind: Kind,
        slots: usize,
        bits: &[u8],
        terms: Terms,
        input: &mut dyn Read,
    ) -> io::Result<Store> {
        let no_memory = || io::Error::from(io::ErrorKind::OutOfMemory);
        let inside = match kind {
            Kind::Tree => {
                let tree = Tree::new(slots, terms.threads, terms.most);
                restore_records(tree.inner(), input)?;
                restore_records(tree.root(), input)?;
                let indexes = tree.indexes().ok_or_else(no_memory)?;
                Inside::Tree(Box::new(tree), RwLock::new(indexes))
            }
            Kind::Plain => {
                let whole = Whole::new(slots, bits, terms);
                restore_records(&whole.records, input)?;
                let index = whole.records.index().ok_or_else(no_memory)?;
                Inside::Plain(Box::new(whole), RwLock::new(index))
            }
            Kind::Fingerprint => {
                let len = take(input)? as u32;
                let count = take(input)?;
                let hashes: Vec<u64> = (0..count).map(|_| take(input)).collect::<Result<_, _>>()?;
                let mut set = Fingerprints::new().ok_or_else(no_memory)?;
                if !set.restore(&hashes) {
                    return Err(no_memory());
                }
                Inside::Fingerprint(RwLock::new(set), AtomicU32::new(len))
            }
            Kind::Bitstate => {
                let len = take(input)? as u32;
                let count = take(input)? as usize;
                let bits = Bits::new(count.saturating_mul(8)).ok_or_else(no_memory)?;
                for word in bits.words() {
                    word.store(take(input)?, Relaxed);
                }
                Inside::Bitstate(bits, AtomicU32::new(len))
            }
        };
        Ok(Store::of(slots, terms, inside))
    }
}

fn save_records(records: &Records<impl Memory>, out: &mut dyn Write) -> io::Result<()> {
    put(out, records.len() as u64)?;
    for id in 0..records.len() {
        for at in 0..records.width() {
            put(out, records.word(id as u32, at))?;
        }
    }
    Ok(())
}

fn restore_records(records: &Records<impl Memory>, input: &mut dyn Read) -> io::Result<()> {
    let mut record = vec![0; records.width()];
    for _ in 0..take(input)? {
        for word in &mut record {
            *word = take(input)?;
        }
        if !records.restore(&record) {
            return Err(io::Error::from(io::ErrorKind::OutOfMemory));
        }
    }
    Ok(())
}

fn put(out: &mut dyn Write, word: u64) -> io::Result<()> {
    out.write_all(&word.to_le_bytes())
}

pub(super) fn take(input: &mut dyn Read) -> io::Result<u64> {
    let mut bytes = [0; 8];
    input.read_exact(&mut bytes)?;
    Ok(u64::from_le_bytes(bytes))
}
