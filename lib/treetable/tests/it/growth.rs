//! Indexes that grow: nothing is lost, and as far as their terms allow.

use treetable::{Found, Kind, Store, Terms};

use crate::{PLENTY, within};

#[test]
fn an_index_built_by_several_threads_finds_every_state() {
    let (kind, terms) = (Kind::Tree, within(PLENTY));
    let store = Store::new(kind, 2, terms).expect("there is memory");
    let mut session = store.session();
    for number in 0..300_000u32 {
        assert_eq!(
            session.insert(&[number % 700, number / 700]),
            Found::New(number)
        );
    }
    for number in 0..300_000u32 {
        assert_eq!(
            session.insert(&[number % 700, number / 700]),
            Found::Seen(number)
        );
    }
}

#[test]
fn an_index_grows_before_it_is_full_as_far_as_its_terms_allow() {
    for kind in [Kind::Tree, Kind::Plain, Kind::Fingerprint, Kind::Bitstate] {
        for budget in [1 << 30, 1 << 16] {
            let terms = Terms {
                budget,
                most: usize::MAX,
                threads: 1,
            };
            let store = Store::new(kind, 2, terms).unwrap();
            let small = store.bytes();
            let mut session = store.session();
            session.expect(3_000);
            let grown = store.bytes();
            let is_exact = matches!(kind, Kind::Tree | Kind::Plain);
            assert_eq!(grown > small, is_exact, "{kind:?} {budget}");
            assert!(grown <= small.max(budget), "{kind:?} {budget}");
            session.expect(3_000);
            assert_eq!(store.bytes(), grown, "{kind:?} {budget}");
            for number in 0..3_000u32 {
                let found = session.insert(&[number, number / 7]);
                assert!(
                    found == Found::New(number) || !is_exact,
                    "{kind:?} {budget}"
                );
            }
        }
    }
}
