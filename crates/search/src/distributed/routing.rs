//! Says which worker owns a state: by a hash of some of its values that is the same in every process.
//!
//! What counts is a list of [`Feature`]s, chosen so that most steps change none of them and states are spread all the same
//! (`locality.rs`): a step that changes none leads to a state of the same owner and need not travel. The hash of a state is
//! a sum of products, one for each feature, that is scrambled at the end: so a successor costs what changed. A number of an interned value is
//! hashed by the bytes of the value, once for each number.
//! Differs from the hashes of the store on purpose: states of one owner would crowd in a part of its table otherwise.

use std::io::{self, Read, Write};

use pins::{Numbers, System};

use crate::explicit::codec::{Code, code_by_field};

/// The bytes of an interned value are cut into so many pieces.
pub const PIECES: u32 = 8;
/// All pieces of a value.
pub const WHOLE: u32 = (1 << PIECES) - 1;

/// So many slots are looked at as fast as one that has to be found.
const DENSE: usize = 4;

/// Marks the hashes of values: no plain word has it.
const NUMBER: u64 = 1 << 63;

/// What counts of a slot.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Feature {
    /// Of which slot.
    pub slot: u32,
    /// Which bits of its words that are no numbers of values.
    pub mask: u32,
    /// Which pieces of the bytes of the values that its other words are numbers of.
    pub pieces: u32,
}

/// What decides who owns a state.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Owners {
    /// What counts.
    pub features: Vec<Feature>,
    /// Which of many ways to give hashes to workers.
    pub salt: u64,
}

code_by_field!(Feature: slot, mask, pieces);
code_by_field!(Owners: features, salt);

/// A feature with what is known of it.
struct Counted {
    slot: usize,
    mask: u32,
    /// Whether the words of the slot are numbers of values, or some of them.
    numbers: Option<Numbers>,
    pieces: u32,
    /// What the value is multiplied with.
    factor: u64,
    /// The hashes of numbers; 0 where that was not asked.
    hashes: Vec<u64>,
}

/// Finds owners.
pub struct Routing<'r> {
    system: &'r dyn System,
    /// For each slot which of its words are numbers.
    numbers: Vec<Option<Numbers>>,
    owners: Owners,
    /// The features of the owners, as they are counted.
    counted: Vec<Counted>,
    /// For each of them its slot, and the bits of which one has to change for the hash to change.
    watched: Vec<(usize, u32)>,
    /// The same bits for each slot; none where that would be more to look at than the features.
    masks: Vec<u32>,
    /// Of the first slots those that count, and where their features are.
    counting: u64,
    places: [u8; 64],
    /// For each slot the hashes of its numbers, as whole values.
    contents: Vec<Vec<u64>>,
    peers: u64,
    scratch: Vec<u8>,
    /// Why a value could not be hashed: the run cannot go on.
    pub problem: Option<String>,
}

impl<'r> Routing<'r> {
    /// For so many workers; everything counts.
    pub fn new(system: &'r dyn System, peers: usize) -> Routing<'r> {
        let slots = system.shape().slots.len();
        let mut routing = Routing {
            system,
            numbers: (0..slots).map(|slot| system.numbers(slot)).collect(),
            owners: Owners::default(),
            counted: Vec::new(),
            watched: Vec::new(),
            masks: Vec::new(),
            counting: 0,
            places: [0; 64],
            contents: vec![Vec::new(); slots],
            peers: peers as u64,
            scratch: Vec::new(),
            problem: None,
        };
        routing.count(Owners {
            features: all_features(slots),
            salt: 0,
        });
        routing
    }

    /// From now on this decides; an error when there are no such slots.
    pub fn heed(&mut self, owners: Owners) -> Result<(), String> {
        let mut is_free = vec![true; self.numbers.len()];
        for feature in &owners.features {
            match is_free.get_mut(feature.slot as usize) {
                Some(is_free) if *is_free => *is_free = false,
                Some(_) => return Err("a slot tells owners twice".to_string()),
                None => return Err("owners are told by slots that there are not".to_string()),
            }
        }
        self.count(owners);
        Ok(())
    }

    fn count(&mut self, owners: Owners) {
        let counted = |feature: &Feature| Counted {
            slot: feature.slot as usize,
            mask: feature.mask,
            numbers: self.numbers[feature.slot as usize],
            pieces: feature.pieces,
            factor: scramble(u64::from(feature.slot) + 1) | 1,
            hashes: Vec::new(),
        };
        self.counted = owners.features.iter().map(counted).collect();
        let watched = |counted: &Counted| match counted.numbers {
            // Another number is another value.
            Some(_) => (counted.slot, u32::MAX),
            None => (counted.slot, counted.mask),
        };
        self.watched = self.counted.iter().map(watched).collect();
        self.masks.clear();
        if self.numbers.len() <= DENSE * self.watched.len() {
            self.masks.resize(self.numbers.len(), 0);
            for (slot, mask) in &self.watched {
                self.masks[*slot] = *mask;
            }
        }
        self.counting = 0;
        for (at, counted) in self.counted.iter().enumerate() {
            // Whoever tells slots as bits of one word has no others.
            if let (Some(place), Ok(at)) = (self.places.get_mut(counted.slot), u8::try_from(at)) {
                *place = at;
                self.counting |= 1 << counted.slot;
            }
        }
        self.owners = owners;
    }

    /// What decides who owns a state.
    pub fn owners(&self) -> &Owners {
        &self.owners
    }

    /// How many workers there are.
    pub fn peers(&self) -> usize {
        self.peers as usize
    }

    /// For each slot which of its words are numbers.
    pub fn numbers(&self) -> &[Option<Numbers>] {
        &self.numbers
    }

    /// The hash of what counts in a state.
    pub fn cell(&mut self, vector: &[u32]) -> u64 {
        let mut cell: u64 = 0;
        for at in 0..self.counted.len() {
            let word = vector[self.counted[at].slot];
            cell = cell.wrapping_add(self.part(at, word));
        }
        cell
    }

    /// The hash of what counts in a state that follows from one whose hash is known. The slots that changed are told if they are
    /// known: then no others are looked at.
    #[inline]
    pub fn next_cell(
        &mut self,
        cell: u64,
        (from, to): (&[u32], &[u32]),
        changed: Option<&[u64]>,
    ) -> u64 {
        let mut cell = cell;
        let differs = |(slot, mask): (usize, u32)| (from[slot] ^ to[slot]) & mask;
        match changed {
            Some([changed]) => {
                let mut slots = changed & self.counting;
                while slots != 0 {
                    let at = usize::from(self.places[slots.trailing_zeros() as usize]);
                    slots &= slots - 1;
                    if differs(self.watched[at]) != 0 {
                        cell = self.moved(cell, at, (from, to));
                    }
                }
            }
            _ => {
                if !self.may_move(from, to) {
                    return cell;
                }
                for at in 0..self.watched.len() {
                    if differs(self.watched[at]) != 0 {
                        cell = self.moved(cell, at, (from, to));
                    }
                }
            }
        }
        cell
    }

    /// Whether something that counts differs. In most steps nothing does, which is found out without a branch for each feature.
    #[inline]
    fn may_move(&self, from: &[u32], to: &[u32]) -> bool {
        let differs = |(slot, mask): &(usize, u32)| (from[*slot] ^ to[*slot]) & mask;
        let any = match self.masks.is_empty() {
            true => (self.watched.iter()).fold(0, |any, watched| any | differs(watched)),
            false => {
                let words = from.iter().zip(to).zip(&self.masks);
                words.fold(0, |any, ((from, to), mask)| any | (from ^ to) & mask)
            }
        };
        any != 0
    }

    /// The hash after a feature has changed.
    #[inline]
    fn moved(&mut self, cell: u64, at: usize, (from, to): (&[u32], &[u32])) -> u64 {
        let counted = &self.counted[at];
        let (old, new) = (from[counted.slot], to[counted.slot]);
        let is_number = |word| counted.numbers.is_some_and(|all| all.of(word).is_some());
        if is_number(old) || is_number(new) {
            let (old, new) = (self.part(at, old), self.part(at, new));
            return cell.wrapping_sub(old).wrapping_add(new);
        }
        // Most words are plain.
        let [old, new] = [old, new].map(|word| u64::from(word & counted.mask));
        let step = new.wrapping_sub(old).wrapping_mul(counted.factor);
        cell.wrapping_add(step)
    }

    /// The worker that owns the states whose hash this is.
    #[inline]
    pub fn owner(&self, cell: u64) -> usize {
        self.salted_owner(cell, self.owners.salt)
    }

    /// The same for another way to give hashes to workers.
    #[inline]
    pub fn salted_owner(&self, cell: u64, salt: u64) -> usize {
        let spread = scramble(cell.wrapping_add(salt)) >> 32;
        ((spread * self.peers) >> 32) as usize
    }

    #[inline]
    fn part(&mut self, at: usize, word: u32) -> u64 {
        let counted = &self.counted[at];
        let factor = counted.factor;
        let value = match counted.numbers.and_then(|numbers| numbers.of(word)) {
            Some(number) => match counted.hashes.get(number as usize) {
                Some(hash) if *hash != 0 => *hash,
                _ => self.new_piece(at, word, number),
            },
            None => u64::from(word & counted.mask),
        };
        value.wrapping_mul(factor)
    }

    /// The hash of the pieces of the value that a number stands for.
    #[cold]
    fn new_piece(&mut self, at: usize, word: u32, number: u32) -> u64 {
        let Counted { slot, pieces, .. } = self.counted[at];
        let hash = self.hash_value(slot, word, pieces) | NUMBER;
        keep(&mut self.counted[at].hashes, number, hash)
    }

    fn hash_value(&mut self, slot: usize, word: u32, pieces: u32) -> u64 {
        self.scratch.clear();
        match self.system.write_value(slot, word, &mut self.scratch) {
            Ok(()) => hash_pieces(&self.scratch, pieces),
            Err(problem) => {
                self.problem.get_or_insert(problem);
                1
            }
        }
    }

    /// A hash of a whole state.
    pub fn key(&mut self, vector: &[u32]) -> u64 {
        let words = vector.iter().enumerate();
        words.fold(0, |key: u64, (slot, word)| {
            key.wrapping_add(placed(self.common(slot, *word), slot))
        })
    }

    /// What a word is to all processes: itself, or the hash of its value.
    pub fn common(&mut self, slot: usize, word: u32) -> u64 {
        match self.numbers[slot].and_then(|numbers| numbers.of(word)) {
            Some(number) => {
                let known = self.contents[slot].get(number as usize);
                let hash = match known {
                    Some(hash) if *hash != 0 => *hash,
                    _ => {
                        let hash = self.hash_value(slot, word, WHOLE);
                        keep(&mut self.contents[slot], number, hash)
                    }
                };
                hash | NUMBER
            }
            None => u64::from(word),
        }
    }

    /// Bytes in use.
    pub fn bytes(&self) -> u64 {
        let counted = self.counted.iter().map(|counted| &counted.hashes);
        let hashes: usize = self.contents.iter().chain(counted).map(Vec::len).sum();
        hashes as u64 * 8
    }
}

/// All of every slot.
fn all_features(slots: usize) -> Vec<Feature> {
    let whole = |slot| Feature {
        slot,
        mask: u32::MAX,
        pieces: WHOLE,
    };
    (0..slots as u32).map(whole).collect()
}

fn keep(known: &mut Vec<u64>, number: u32, hash: u64) -> u64 {
    if known.len() <= number as usize {
        known.resize(number as usize + 1, 0);
    }
    known[number as usize] = hash;
    hash
}

/// The hash of a value in a slot.
#[inline]
fn placed(value: u64, slot: usize) -> u64 {
    scramble(value.wrapping_add((slot as u64 + 1).wrapping_mul(0xd6e8_feb8_6659_fd93)))
}

/// The hash of some pieces of the bytes of a value. Never 0.
pub fn hash_pieces(bytes: &[u8], pieces: u32) -> u64 {
    let cut = |at: u32| bytes.len() * at as usize / PIECES as usize;
    let chosen = (0..PIECES).filter(|at| pieces & 1 << at != 0);
    let hash = chosen.fold(0, |hash: u64, at| {
        let piece = &bytes[cut(at)..cut(at + 1)];
        piece
            .chunks(8)
            .fold(mixed(hash, u64::from(at)), |hash, chunk| {
                let mut word = [0; 8];
                word[..chunk.len()].copy_from_slice(chunk);
                mixed(hash, u64::from_le_bytes(word))
            })
    });
    hash.max(1)
}

const FACTOR: u64 = 0x9e37_79b9_7f4a_7c15;
const STEP: u64 = 0x3c6e_f372_fe94_f82a;

/// The hash of all words of a state, for this process alone.
#[inline]
pub fn hash_words(vector: &[u32]) -> u64 {
    // Products that do not wait for each other; each pair has a factor of its own, which is odd.
    let (pairs, rest) = vector.as_chunks::<2>();
    let (mut hash, mut factor) = (0, FACTOR);
    for [low, high] in pairs {
        let pair = u64::from(*low) | u64::from(*high) << 32;
        hash = pair.wrapping_mul(factor).wrapping_add(hash);
        factor = factor.wrapping_add(STEP);
    }
    let last = rest.iter().map(|last| u64::from(*last));
    let hash = last.fold(hash, |hash, last| {
        last.wrapping_mul(factor).wrapping_add(hash)
    });
    mixed(hash ^ hash >> 32, 0)
}

#[inline]
fn mixed(hash: u64, word: u64) -> u64 {
    let hash = (hash ^ word).wrapping_mul(0xd6e8_feb8_6659_fd93);
    hash ^ hash >> 32
}

/// Spreads a word over all bits; another function than the one that indexes the store.
#[inline]
fn scramble(word: u64) -> u64 {
    let word = (word ^ word >> 32).wrapping_mul(0xd6e8_feb8_6659_fd93);
    let word = (word ^ word >> 32).wrapping_mul(0xcf1b_bcdc_b7a5_6463);
    word ^ word >> 32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_hash_of_a_successor_is_that_of_the_state() {
        for slots in [1, 3, 64, 65] {
            let vector = vec![0; slots];
            let system = pins::toy::toy(
                slots,
                vector.clone(),
                Vec::new(),
                Box::new(|_, _, _, _| Ok(())),
            );
            let mut routing = Routing::new(&system, 3);
            let some = (0..slots as u32).rev().step_by(2);
            let feature = |slot| Feature {
                slot,
                mask: 6,
                pieces: WHOLE,
            };
            let features: Vec<Feature> = some.map(feature).collect();
            let twice = [&features[..], &features[..1]].concat();
            for (features, is_sound) in [(features, true), (twice, false)] {
                let owners = Owners { features, salt: 0 };
                assert_eq!(routing.heed(owners).is_ok(), is_sound);
            }
            for step in 1..200u32 {
                let (mut to, mut changed) = (vector.clone(), vec![0u64; slots.div_ceil(64)]);
                for slot in [step as usize % slots, step as usize * 7 % slots] {
                    to[slot] = step;
                    changed[slot / 64] |= 1 << (slot % 64);
                }
                let from = routing.cell(&vector);
                let whole = routing.cell(&to);
                for changed in [None, Some(&changed[..])] {
                    assert_eq!(routing.next_cell(from, (&vector, &to), changed), whole);
                }
            }
        }
    }
}
