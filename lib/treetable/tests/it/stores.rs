//! Claims about all stores, held against the standard library's maps.

use std::collections::{HashMap, HashSet};
use std::sync::Mutex;

use treetable::{Found, Kind, Session, Store, Terms};

use crate::{PLENTY, within};

pub const EXACT: [Kind; 2] = [Kind::Tree, Kind::Plain];
const ALL: [Kind; 4] = [Kind::Tree, Kind::Plain, Kind::Fingerprint, Kind::Bitstate];

fn store(kind: Kind, slots: usize) -> Store {
    Store::new(kind, slots, within(PLENTY)).expect("there is memory")
}

/// Vectors of `slots` slots below `values`, in counting order.
fn universe(slots: usize, values: u32) -> Vec<Vec<u32>> {
    let mut all = vec![vec![]];
    for _ in 0..slots {
        all = all
            .into_iter()
            .flat_map(|vector: Vec<u32>| {
                (0..values).map(move |value| [vector.as_slice(), &[value]].concat())
            })
            .collect();
    }
    all
}

/// A cheap generator with a fixed seed: tests repeat themselves.
pub struct Random(pub u64);

impl Random {
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0.wrapping_mul(0x2545_f491_4f6c_dd1d)
    }
}

pub fn loaded(session: &mut Session<'_>, state: u32, slots: usize) -> Vec<u32> {
    let mut vector = vec![7; slots];
    session.load(state, &mut vector);
    vector
}

/// Vectors that wait for each other get the numbers that they would get one by one.
#[test]
fn what_is_staged_together_is_inserted_in_order() {
    let mut random = Random(31);
    for kind in EXACT {
        for (slots, values) in [(1, 40), (3, 7), (5, 4), (12, 2)] {
            let terms = Terms {
                threads: 1,
                ..Terms::default()
            };
            let store = Store::new(kind, slots, terms).expect("there is memory");
            let mut session = store.session();
            let mut known: HashMap<Vec<u32>, u32> = HashMap::new();
            let all = vec![u64::MAX; slots.div_ceil(64)];
            for _ in 0..200 {
                let count = random.next() % 70;
                let vector = |random: &mut Random| -> Vec<u32> {
                    (0..slots).map(|_| random.next() as u32 % values).collect()
                };
                let staged: Vec<_> = (0..count).map(|_| vector(&mut random)).collect();
                for vector in &staged {
                    assert!(session.stage_successor(vector, &all));
                }
                let mut found = Vec::new();
                session.insert_staged(|at, answer| found.push((at, answer)));
                let wanted = staged.iter().enumerate().map(|(at, vector)| {
                    let next = known.len() as u32;
                    let number = *known.entry(vector.clone()).or_insert(next);
                    match number == next {
                        true => (at, Found::New(number)),
                        false => (at, Found::Seen(number)),
                    }
                });
                let wanted: Vec<_> = wanted.collect();
                assert_eq!(found, wanted, "{kind:?} {slots}");
            }
        }
    }
}

#[test]
fn every_vector_of_a_small_universe_gets_the_next_number_once() {
    for kind in EXACT {
        for (slots, values) in [
            (0, 3),
            (1, 9),
            (2, 9),
            (3, 6),
            (4, 5),
            (5, 4),
            (6, 3),
            (7, 3),
            (9, 2),
        ] {
            let store = store(kind, slots);
            let mut session = store.session();
            let universe = universe(slots, values);
            for (number, vector) in universe.iter().enumerate() {
                assert_eq!(
                    session.insert(vector),
                    Found::New(number as u32),
                    "{kind:?}"
                );
            }
            for (number, vector) in universe.iter().enumerate() {
                assert_eq!(
                    session.insert(vector),
                    Found::Seen(number as u32),
                    "{kind:?}"
                );
                assert_eq!(&loaded(&mut session, number as u32, slots), vector);
            }
            assert_eq!(store.len(), universe.len());
        }
    }
}

#[test]
fn a_successor_is_found_as_if_it_were_inserted_whole() {
    for kind in EXACT {
        for slots in [1, 2, 3, 5, 6, 7, 8] {
            let (by_difference, whole) = (store(kind, slots), store(kind, slots));
            let mut session = by_difference.session();
            let mut other = whole.session();
            let universe = universe(slots, if slots > 5 { 2 } else { 3 });
            assert_eq!(session.insert(&universe[0]), other.insert(&universe[0]));
            for (from, to) in (0..universe.len()).map(|i| (i, (i * 31 + 7) % universe.len())) {
                let state = match session.insert(&universe[from]) {
                    Found::New(state) | Found::Seen(state) => state,
                    found => panic!("{found:?}"),
                };
                other.insert(&universe[from]);
                let base = loaded(&mut session, state, slots);
                // Several successors of one base, the base itself among them.
                for target in [&universe[to], &base, &universe[from / 2], &universe[to]] {
                    let mut changed = vec![0u64; slots.div_ceil(64)];
                    for slot in (0..slots).filter(|slot| base[*slot] != target[*slot]) {
                        changed[slot / 64] |= 1 << (slot % 64);
                    }
                    assert_eq!(
                        session.insert_successor(target, &changed),
                        other.insert(target)
                    );
                }
            }
        }
    }
}

#[test]
fn long_vectors_are_kept_whole() {
    for kind in EXACT {
        let slots = 200;
        let store = store(kind, slots);
        let mut session = store.session();
        let mut random = Random(42);
        let mut known: HashMap<Vec<u32>, u32> = HashMap::new();
        let mut vector = vec![0; slots];
        let mut base = 0;
        for _ in 0..20_000 {
            let mut changed = vec![0u64; slots.div_ceil(64)];
            for _ in 0..random.next() % 4 {
                let slot = random.next() as usize % slots;
                let value = (random.next() % 3) as u32;
                if vector[slot] != value {
                    vector[slot] = value;
                    changed[slot / 64] |= 1 << (slot % 64);
                }
            }
            let found = if known.is_empty() {
                session.insert(&vector)
            } else {
                assert_eq!(loaded(&mut session, base, slots).len(), slots);
                // A slot that changed twice may be back where it was: bits must be exact.
                let before = loaded(&mut session, base, slots);
                for slot in 0..slots {
                    if before[slot] == vector[slot] {
                        changed[slot / 64] &= !(1 << (slot % 64));
                    }
                }
                session.insert_successor(&vector, &changed)
            };
            let next = known.len() as u32;
            base = *known.entry(vector.clone()).or_insert(next);
            let expected = if base == next {
                Found::New(base)
            } else {
                Found::Seen(base)
            };
            assert_eq!(found, expected);
        }
        for (vector, state) in &known {
            assert_eq!(&loaded(&mut session, *state, slots), vector);
        }
    }
}

#[test]
fn lossy_stores_never_call_a_seen_state_new() {
    for kind in [Kind::Fingerprint, Kind::Bitstate] {
        let store = store(kind, 4);
        let mut session = store.session();
        let universe = universe(4, 11);
        let new = universe
            .iter()
            .filter(|vector| matches!(session.insert(vector), Found::New(_)))
            .count();
        assert_eq!(new, store.len());
        // With 64 bits of hash, or a gigabyte of bits, 14641 states do not collide.
        assert_eq!(new, universe.len());
        for vector in &universe {
            assert_eq!(session.insert(vector), Found::SeenSomewhere);
        }
    }
}

#[test]
fn threads_that_insert_the_same_states_agree_on_their_numbers() {
    for kind in ALL {
        let store = store(kind, 3);
        let numbers: Mutex<Vec<HashMap<Vec<u32>, u32>>> = Mutex::default();
        std::thread::scope(|scope| {
            for thread in 0..4u64 {
                let (store, numbers) = (&store, &numbers);
                scope.spawn(move || {
                    let mut random = Random(thread + 1);
                    let mut mine = HashMap::new();
                    let mut session = store.session();
                    for _ in 0..60_000 {
                        let word = random.next();
                        let vector = [
                            word as u32 % 37,
                            (word >> 32) as u32 % 31,
                            (word >> 50) as u32 % 29,
                        ];
                        session.breathe();
                        match session.insert(&vector) {
                            Found::New(state) => {
                                assert!(
                                    mine.insert(vector.to_vec(), state)
                                        .is_none_or(|old| old == state)
                                );
                            }
                            Found::Seen(state) => {
                                let known = *mine.entry(vector.to_vec()).or_insert(state);
                                assert_eq!(known, state);
                            }
                            Found::SeenSomewhere => {}
                            Found::Full => panic!("there is room"),
                        }
                    }
                    drop(session);
                    numbers.lock().expect("no panic").push(mine);
                });
            }
        });
        let mut all: HashMap<Vec<u32>, u32> = HashMap::new();
        for mine in numbers.into_inner().expect("no panic") {
            for (vector, state) in mine {
                assert_eq!(*all.entry(vector).or_insert(state), state);
            }
        }
        assert_eq!(all.len(), store.len(), "{kind:?}");
        let used: HashSet<u32> = all.values().copied().collect();
        assert_eq!(used.len(), store.len(), "{kind:?}: numbers are dense");
        assert!(used.iter().all(|state| (*state as usize) < store.len()));
    }
}

#[test]
fn a_full_store_says_so_and_keeps_what_it_has() {
    for kind in [Kind::Tree, Kind::Plain, Kind::Fingerprint] {
        let budget = 200_000;
        let store = Store::new(kind, 4, within(budget)).expect("there is memory");
        let mut session = store.session();
        let mut kept = 0;
        let full = (0..100_000).any(|i| match session.insert(&[i, i / 7, i % 5, 3]) {
            Found::Full => true,
            _ => {
                kept += 1;
                false
            }
        });
        assert!(full, "{kind:?}");
        assert!(kept > 3_000, "{kind:?} kept {kept}");
        assert!(store.bytes() <= budget, "{kind:?} uses {}", store.bytes());
        for i in 0..kept {
            let found = session.insert(&[i, i / 7, i % 5, 3]);
            assert!(
                matches!(found, Found::Seen(_) | Found::SeenSomewhere),
                "{kind:?}"
            );
        }
    }
}

#[test]
fn a_restored_store_goes_on_where_it_was_saved() {
    for kind in ALL {
        let original = Store::new(kind, 3, within(1 << 20)).expect("there is memory");
        let universe = universe(3, 17);
        let (first, rest) = universe.split_at(3000);
        for vector in first {
            original.session().insert(vector);
        }
        let mut saved = Vec::new();
        original.save(&mut saved).expect("memory takes everything");
        let restored = Store::restore(kind, 3, &[], within(1 << 20), &mut saved.as_slice())
            .expect("what was saved is read");
        assert_eq!(restored.len(), original.len());
        let (mut one, mut other) = (original.session(), restored.session());
        for vector in first.iter().chain(rest) {
            assert_eq!(one.insert(vector), other.insert(vector));
        }
        let cut = &saved[..saved.len() - 3];
        assert!(Store::restore(kind, 3, &[], within(1 << 20), &mut &*cut).is_err());
    }
}

#[test]
fn squeezed_vectors_are_told_apart_and_come_back() {
    let bits = [2, 31, 30];
    let vectors: Vec<Vec<u32>> = universe(3, 4)
        .into_iter()
        .map(|vector| vec![vector[0], vector[1] << 29, vector[2] << 28])
        .collect();
    let squeezed = Store::of_bits(Kind::Plain, 3, &bits, within(PLENTY)).expect("there is memory");
    let (plain, mut session) = (store(Kind::Plain, 3), squeezed.session());
    for (number, vector) in vectors.iter().enumerate() {
        assert_eq!(session.insert(vector), Found::New(number as u32));
        plain.session().insert(vector);
    }
    for (number, vector) in vectors.iter().enumerate() {
        assert_eq!(session.insert(vector), Found::Seen(number as u32));
        let mut back = vec![0; 3];
        session.load(number as u32, &mut back);
        assert_eq!(back, *vector);
    }
    drop(session);
    assert_eq!(plain.bytes() - squeezed.bytes(), 8 * vectors.len());
    let mut saved = Vec::new();
    squeezed.save(&mut saved).expect("memory takes everything");
    let restored = Store::restore(Kind::Plain, 3, &bits, within(PLENTY), &mut &*saved);
    let restored = restored.expect("what was saved is read");
    for (number, vector) in vectors.iter().enumerate() {
        assert_eq!(
            restored.session().insert(vector),
            Found::Seen(number as u32)
        );
    }
}

#[test]
fn a_tree_store_takes_few_bytes_for_states_that_share_halves() {
    let store = store(Kind::Tree, 8);
    let mut session = store.session();
    for i in 0..1_000_000u32 {
        let digits: Vec<u32> = (0..8).map(|d| i >> (3 * d) & 7).collect();
        assert!(matches!(session.insert(&digits), Found::New(_)));
    }
    let per_state = store.bytes() as f64 / 1e6;
    assert!(per_state < 24.0, "{per_state}");
}

#[test]
fn a_store_for_one_thread_gives_the_same_answers() {
    for kind in EXACT {
        let alone = Terms {
            threads: 1,
            ..within(PLENTY)
        };
        let (shared, alone) = (store(kind, 3), Store::new(kind, 3, alone));
        let alone = alone.expect("there is memory");
        let (mut one, mut other) = (shared.session(), alone.session());
        for vector in universe(3, 40).iter().chain(&universe(3, 41)) {
            assert_eq!(one.insert(vector), other.insert(vector), "{kind:?}");
        }
    }
}

#[test]
fn a_store_takes_exactly_as_many_states_as_its_terms_say() {
    for kind in ALL {
        let terms = Terms {
            most: 1000,
            threads: 1,
            ..within(PLENTY)
        };
        let store = Store::new(kind, 2, terms).expect("there is memory");
        let mut session = store.session();
        let mut refused = Vec::new();
        for number in 0..2000 {
            if session.insert(&[number, 7]) == Found::Full {
                refused.push(number);
            }
        }
        assert!(store.is_complete(), "{kind:?}");
        assert_eq!(store.len(), 1000, "{kind:?}");
        assert!(refused.iter().all(|number| *number >= 1000), "{kind:?}");
        // What is known is still found.
        assert_ne!(session.insert(&[3, 7]), Found::Full, "{kind:?}");
    }
}

#[test]
fn numbers_taken_in_blocks_are_dense_again_once_the_gaps_are_closed() {
    for kind in EXACT {
        let store = store(kind, 3);
        let numbers: Mutex<HashMap<Vec<u32>, u32>> = Mutex::default();
        for round in 0..3u32 {
            std::thread::scope(|scope| {
                for thread in 0..3u64 {
                    let (store, numbers) = (&store, &numbers);
                    scope.spawn(move || {
                        let mut session = store.session();
                        session.take_blocks(true);
                        let mut random = Random(thread + 1);
                        // Enough for the store to grow while others hold blocks.
                        for _ in 0..4000 {
                            session.breathe();
                            let value = random.next();
                            let vector = vec![round, value as u32 % 40, (value >> 32) as u32 % 50];
                            let (Found::New(id) | Found::Seen(id)) = session.insert(&vector) else {
                                panic!("there is room");
                            };
                            let mut numbers = numbers.lock().expect("nobody panics");
                            assert_eq!(*numbers.entry(vector).or_insert(id), id);
                        }
                    });
                }
            });
            let moves: HashMap<u32, u32> = store.close_gaps().into_iter().collect();
            let mut numbers = numbers.lock().expect("nobody panics");
            for number in numbers.values_mut() {
                *number = *moves.get(number).unwrap_or(number);
            }
            let dense: HashSet<u32> = numbers.values().copied().collect();
            assert_eq!(dense, (0..store.len() as u32).collect());
            assert_eq!(numbers.len(), store.len());
            let mut session = store.session();
            for (vector, number) in &*numbers {
                assert_eq!(session.insert(vector), Found::Seen(*number));
                assert_eq!(loaded(&mut session, *number, 3), *vector);
            }
        }
    }
}
