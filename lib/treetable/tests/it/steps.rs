//! Successors of states, in numbers of all sizes: what comes back is what was inserted, at any time.

use std::collections::HashMap;

use treetable::{Found, Store, Terms};

use crate::stores::{EXACT, Random};

/// A number that is small, has a flag, is near the end, or is anything.
fn number(random: &mut Random, kind: u64) -> u32 {
    let value = random.next();
    let small = (value >> 8) as u32 % 5;
    match kind {
        0 => small,
        1 => small | 1 << 31,
        2 => u32::MAX - small,
        3 => small << 24 | small,
        _ => (value >> 20) as u32,
    }
}

#[test]
fn successors_come_back_as_they_were() {
    for kind in EXACT {
        for slots in 1..14usize {
            for seed in 1..9 {
                let store = Store::new(kind, slots, Terms::default()).expect("there is memory");
                let mut session = store.session();
                let mut random = Random(seed * 31 + slots as u64);
                let kinds: Vec<u64> = (0..slots).map(|_| random.next() >> 9).collect();
                let mut known: HashMap<Vec<u32>, u32> = HashMap::new();
                let mut states: Vec<Vec<u32>> = Vec::new();
                let first: Vec<u32> = kinds.iter().map(|of| number(&mut random, of % 6)).collect();
                let mut vector = first;
                assert_eq!(session.insert(&vector), Found::New(0));
                known.insert(vector.clone(), 0);
                states.push(vector.clone());
                for at in 0..60u32 {
                    let Some(state) = states.get(at as usize).cloned() else {
                        break;
                    };
                    session.load(at, &mut vector);
                    assert_eq!(vector, state, "{slots} {seed} state {at}");
                    for _ in 0..6 {
                        let mut next = state.clone();
                        let mut changed = 0u64;
                        for _ in 0..1 + random.next() as usize % 3 {
                            let slot = (random.next() >> 7) as usize % slots;
                            next[slot] = number(&mut random, kinds[slot] % 6);
                            changed |= 1 << slot;
                        }
                        let found = session.insert_successor(&next, &[changed]);
                        match known.get(&next) {
                            Some(id) => assert_eq!(found, Found::Seen(*id)),
                            None => {
                                let id = states.len() as u32;
                                assert_eq!(found, Found::New(id), "{slots} {seed}");
                                known.insert(next.clone(), id);
                                states.push(next);
                            }
                        }
                    }
                }
                for (at, state) in states.iter().enumerate() {
                    session.load(at as u32, &mut vector);
                    assert_eq!(vector, *state, "{slots} {seed} {at} at the end");
                }
            }
        }
    }
}
