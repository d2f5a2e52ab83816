//! Rows against the lists of their elements, over small universes.

use super::*;

fn pair(left: i64, right: i64) -> V {
    V::pair(V::Int(left), V::Int(right))
}

/// All sets of some elements in order.
fn subsets(universe: &[V]) -> Vec<Vec<V>> {
    (0..1u32 << universe.len())
        .map(|bits| {
            let chosen = universe.iter().enumerate();
            let chosen = chosen.filter(|(at, _)| bits >> at & 1 == 1);
            chosen.map(|(_, element)| element.clone()).collect()
        })
        .collect()
}

fn integers() -> Vec<Vec<V>> {
    let universe = [-3, 0, 1, 2, 29, 30, 31, 127].map(V::Int);
    subsets(&universe)
}

fn relations() -> Vec<Vec<V>> {
    let universe = [
        pair(-1, 0),
        pair(0, 0),
        pair(0, 1),
        pair(1, -1),
        pair(1, 6),
        pair(2, 7),
        pair(3, 0),
        pair(40, 2),
        pair(41, 1 << 31),
    ];
    subsets(&universe)
}

fn is_function(pairs: &[V]) -> bool {
    pairs
        .windows(2)
        .all(|two| two[0].left_number() != two[1].left_number())
}

fn of(elements: &[V]) -> V {
    V::listed(elements.to_vec())
}

fn elements(value: &V) -> Vec<V> {
    match value {
        V::Set(elements) => elements.to_vec(),
        other => other.row().expect("a row").elements().collect(),
    }
}

#[test]
fn a_value_is_no_larger_than_before() {
    assert_eq!(size_of::<V>(), 24);
}

#[test]
fn rows_have_the_elements_they_were_made_of() {
    for list in integers().into_iter().chain(relations()) {
        let value = of(&list);
        assert_eq!(elements(&value), list);
        let Some(row) = value.row() else { continue };
        assert_eq!(row.len(), list.len());
        assert!(list.iter().all(|element| row.has(element)));
        assert!(matches!(list[0], V::Int(_)) || is_function(&list) != row.is_relation());
    }
    let small = [pair(1, 0), pair(2, 9), pair(5, 3)];
    assert!(of(&small).row().is_some());
}

#[test]
fn rows_compare_as_lists_do() {
    for all in [integers(), relations()] {
        for a in all.iter().step_by(3) {
            for b in &all {
                assert_eq!(of(a).cmp(&of(b)), a.cmp(b), "{a:?} {b:?}");
                assert_eq!(of(a) == of(b), a == b);
            }
        }
    }
    let mut records = Vec::new();
    for bits in 0..216 {
        records.push([bits / 36, bits / 6 % 6, bits % 6].map(|n| V::Int(n * n * 9 - 20)));
    }
    let record = |fields: &[V; 3]| match Row::of_fields(fields) {
        Some(row) => row.value(),
        None => V::Rec(fields.to_vec().into()),
    };
    for a in &records {
        for b in &records {
            assert_eq!(record(a).cmp(&record(b)), a.cmp(b), "{a:?} {b:?}");
        }
    }
}

#[test]
fn a_slot_is_one_row() {
    let mut slots = rustc_hash::FxHashMap::default();
    for list in relations().iter().chain(&integers()) {
        let Some(row) = of(list).row() else { continue };
        let Some(slot) = row.slot() else { continue };
        let held = row.shape.holds;
        assert_eq!(Row::of_slot(held, slot), Some(row));
        let other = slots.insert((held, slot), list.clone());
        assert_eq!(other, None, "{list:?}");
    }
    assert!(slots.len() > 30);
    for fields in [[0, 0, 0], [0, 0, 1], [255, 0, 3], [7, 7, 7]] {
        let row = Row::of_numbers(&fields).expect("it is small");
        let slot = row.slot().expect("it is small");
        assert_eq!(Row::of_slot(Held::Record, slot), Some(row));
        let back = [0, 1, 2].map(|at| row.field(at) as u32);
        assert_eq!(back, fields);
    }
}

#[test]
fn functions_change_as_lists_do() {
    let Some(kinds) = of(&[pair(0, 0)]).row().and_then(|row| row.kinds()) else {
        panic!("a pair is a function");
    };
    for list in relations() {
        let Some(row) = of(&list).row().filter(|row| !row.is_relation()) else {
            continue;
        };
        for (left, right) in [(-1, 3), (0, 0), (1, 900), (2, 7), (3, 1), (60, 0)] {
            let mut wanted = list.clone();
            wanted.retain(|pair| pair.left_number() != Some(left));
            wanted.push(pair(left, right));
            wanted.sort();
            let changed = row.with(kinds, left, right).map(Row::value);
            assert_eq!(changed, Row::of(&wanted).map(Row::value), "{wanted:?}");
            assert_eq!(
                row.image(left).map(|image| pair(left, image)),
                list.iter().find(|p| p.left_number() == Some(left)).cloned()
            );
        }
        let Ok(kept) = row.filtered(|left, right| Ok::<bool, ()>(left > 0 && right != 7)) else {
            panic!("nothing went wrong");
        };
        let mut wanted = list.clone();
        wanted.retain(|p| p.left_number() > Some(0) && p.with_right(|y| *y != V::Int(7)));
        assert_eq!(V::of_row(kept), of(&wanted));
    }
}

#[test]
fn sequences_lose_their_ends() {
    for items in [&[5][..], &[0, 0], &[3, 0, 1], &[0, 7, 0, 1, 2]] {
        let pairs: Vec<V> = (1..).zip(items).map(|(at, item)| pair(at, *item)).collect();
        let row = of(&pairs).row().expect("it is small");
        let kinds = row.kinds().expect("it is a function");
        assert_eq!(row.size(), Some(items.len()));
        let front = V::of_row(row.without_end(kinds, false));
        assert_eq!(front, of(&pairs[..items.len() - 1]));
        let rest: Vec<V> = (1..)
            .zip(&items[1..])
            .map(|(at, item)| pair(at, *item))
            .collect();
        assert_eq!(V::of_row(row.without_end(kinds, true)), of(&rest));
    }
    let gap = of(&[pair(1, 1), pair(3, 1)]).row().expect("it is small");
    assert_eq!(gap.size(), None);
}

#[test]
fn sets_are_combined_as_lists_are() {
    for a in integers() {
        for b in integers() {
            let (Some(x), Some(y)) = (of(&a).row(), of(&b).row()) else {
                continue;
            };
            let Ok(common) = x.combined(y, |x, y| x & y) else {
                continue;
            };
            let both: Vec<V> = a.iter().filter(|e| b.contains(e)).cloned().collect();
            assert_eq!(V::of_row(common), of(&both));
        }
    }
}

/// Pairs that fill a box, and some beside it.
fn boxed() -> Vec<Vec<V>> {
    let inside = (10..13).flat_map(|left| (-1..2).map(move |right| pair(left, right)));
    let beside = [pair(9, 60), pair(90, 0)];
    subsets(&inside.skip(1).chain(beside).collect::<Vec<V>>())
}

#[test]
fn relations_are_combined_as_lists_are() {
    let mut combined = 0;
    let all = boxed();
    for a in all.iter().step_by(5) {
        for b in all.iter().step_by(3) {
            let (mut a, mut b) = (a.clone(), b.clone());
            a.sort();
            b.sort();
            let (Some(x), Some(y)) = (of(&a).row(), of(&b).row()) else {
                continue;
            };
            let mut union = [a.clone(), b.clone()].concat();
            union.sort();
            union.dedup();
            let is_common = |e: &&V| b.contains(e);
            let common: Vec<V> = a.iter().filter(is_common).cloned().collect();
            let rest: Vec<V> = a.iter().filter(|e| !is_common(e)).cloned().collect();
            let Some(both) = x.related(y, |x, y| x | y) else {
                continue;
            };
            combined += 1;
            assert_eq!(both, of(&union), "{a:?} {b:?}");
            assert_eq!(x.related(y, |x, y| x & y), Some(of(&common)), "{a:?} {b:?}");
            assert_eq!(x.related(y, |x, y| x & !y), Some(of(&rest)), "{a:?} {b:?}");
            for row in [x, y].into_iter().filter(Row::is_relation) {
                for left in [9, 10, 12, 13, 90] {
                    let pairs = row.elements().filter(|p| p.left_number() == Some(left));
                    let rights: Vec<V> = pairs.map(|p| p.with_right(V::clone)).collect();
                    assert_eq!(row.images(&V::Int(left)), rights);
                }
            }
        }
    }
    assert!(combined > 3_000, "{combined}");
}
