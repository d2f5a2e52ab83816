//! Vectors that wait to be inserted together: those that may wait are inserted for sure.

use std::collections::HashSet;
use std::sync::atomic::AtomicU32;
use std::sync::atomic::Ordering::Relaxed;

use treetable::{Found, Session, Store, Terms};

use crate::stores::{EXACT, Random, loaded};

#[test]
fn what_waits_has_numbers_whatever_other_threads_insert() {
    for kind in EXACT {
        let terms = Terms {
            most: 9_000,
            ..Terms::default()
        };
        let store = Store::new(kind, 3, terms).expect("there is memory");
        let refused = AtomicU32::new(0);
        std::thread::scope(|scope| {
            for thread in 0..2u64 {
                let (store, refused) = (&store, &refused);
                scope.spawn(move || {
                    let mut session = store.session();
                    session.take_blocks(true);
                    let (mut random, mut waiting) = (Random(thread + 1), 0);
                    for _ in 0..20_000 {
                        if session.is_awaited() {
                            assert!(all_have_numbers(&mut session, waiting));
                            waiting = 0;
                            session.release();
                        }
                        let value = random.next();
                        let vector = [
                            value as u32 % 30,
                            (value >> 32) as u32 % 30,
                            (value >> 16) as u32 % 30,
                        ];
                        if !session.stage_successor(&vector, &[0b111]) {
                            // Nothing is lost of what waits; after it there is room beside it.
                            assert!(all_have_numbers(&mut session, waiting));
                            let is_staged = session.stage_successor(&vector, &[0b111]);
                            assert!(is_staged || store.is_complete());
                            waiting = 0;
                        }
                        if session.staged() < 24 && session.can_wait() {
                            waiting = session.staged();
                        } else {
                            let is_whole = all_have_numbers(&mut session, waiting);
                            refused.fetch_add(u32::from(!is_whole), Relaxed);
                            waiting = 0;
                        }
                    }
                    assert!(all_have_numbers(&mut session, waiting));
                });
            }
        });
        assert!(store.is_complete());
        assert!(refused.into_inner() > 0, "the store is too small for all");
        store.close_gaps();
        let (mut session, mut seen) = (store.session(), HashSet::new());
        for number in 0..store.len() as u32 {
            assert!(seen.insert(loaded(&mut session, number, 3)), "{number}");
        }
    }
}

/// Inserts what is staged, of which the first have room for sure; whether all had.
fn all_have_numbers(session: &mut Session<'_>, waiting: usize) -> bool {
    let mut is_whole = true;
    session.insert_staged(|at, found| {
        let is_full = found == Found::Full;
        assert!(!is_full || at >= waiting, "{at} of {waiting} had no room");
        is_whole &= !is_full;
    });
    is_whole
}
