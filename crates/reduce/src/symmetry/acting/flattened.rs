//! The first state that looks the same when nothing names a process: fast, and far too coarse.
//!
//! Paper: [Bošnački, Donaldson, Leuschel, Massart 2007], section 4: every value that names a process becomes 0, then the
//! vector is sorted as TopSPIN does (`local.rs`).
//! Preserves: what is found is there. Different orbits are taken for one, so nothing is proved.
//! Invariant: the first state with a key stands for it, so the answers depend on the order of the questions.

use std::sync::{Mutex, MutexGuard, PoisonError};

use rustc_hash::FxHashMap;

use super::local::Local;
use super::strategy::Represent;
use super::{Acting, NONE};

/// States by their keys.
type States = FxHashMap<Box<[u32]>, Box<[u32]>>;

/// The states that stand for keys so far; shared by all workers.
#[derive(Default)]
pub(in crate::symmetry) struct Kept {
    states: Mutex<States>,
}

impl Kept {
    fn states(&self) -> MutexGuard<'_, States> {
        self.states.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Puts the first state with a key into `out`; that is the one that is asked about if there was none.
    pub(super) fn first(&self, key: &[u32], vector: &[u32], out: &mut Vec<u32>) {
        let mut states = self.states();
        match states.get(key) {
            Some(state) => {
                out.clear();
                out.extend_from_slice(state);
            }
            None => {
                states.insert(key.into(), vector.into());
                vector.clone_into(out);
            }
        }
    }

    /// Everything that is kept, for a checkpoint.
    pub(in crate::symmetry) fn save(&self) -> Vec<u8> {
        let states = self.states();
        let mut saved = Vec::new();
        for (key, state) in states.iter() {
            saved.extend((key.len() as u32).to_le_bytes());
            let words = key.iter().chain(state.iter());
            words.for_each(|word| saved.extend(word.to_le_bytes()));
        }
        saved
    }

    /// Keeps what was saved.
    pub(in crate::symmetry) fn restore(&self, saved: &[u8]) -> Result<(), String> {
        let (words, rest) = saved.as_chunks::<4>();
        let words: Vec<u32> = words.iter().map(|word| u32::from_le_bytes(*word)).collect();
        let mut left = &words[..];
        let mut states = self.states();
        states.clear();
        while let Some((length, more)) = left.split_first() {
            let length = *length as usize;
            let (Some(key), Some(state)) = (more.get(..length), more.get(length..2 * length))
            else {
                return Err("the states that stand for others are cut short".to_owned());
            };
            states.insert(key.into(), state.into());
            left = &more[2 * length..];
        }
        match rest {
            [] => Ok(()),
            _ => Err("the states that stand for others are cut short".to_owned()),
        }
    }

    /// Bytes in use, nearly.
    pub(in crate::symmetry) fn bytes(&self) -> u64 {
        let states = self.states();
        let each = states.iter().next();
        let each = each.map_or(0, |(key, state)| (key.len() + state.len()) * 4 + 48);
        (states.len() * each) as u64
    }
}

/// Forgets what names processes.
pub(super) struct Flattened<'a> {
    acting: &'a Acting<'a>,
    local: Local<'a>,
    kept: &'a Kept,
    key: Vec<u32>,
}

impl<'a> Flattened<'a> {
    pub(super) fn new(acting: &'a Acting<'a>, kept: &'a Kept) -> Flattened<'a> {
        Flattened {
            acting,
            local: Local::new(acting),
            kept,
            key: Vec::new(),
        }
    }
}

impl Represent for Flattened<'_> {
    fn represent(&mut self, vector: &[u32], out: &mut Vec<u32>) {
        let acting = self.acting;
        vector.clone_into(&mut self.key);
        for spot in &acting.spots {
            let bits = spot.field.get(vector);
            let is_control = acting.families[spot.family as usize].is_control;
            if !is_control && acting.held(spot, vector, bits) != NONE {
                spot.field.put(&mut self.key, 0);
            }
        }
        self.local.climb(&mut self.key, true);
        self.kept.first(&self.key, vector, out);
    }
}
