//! Every operation on sets, on every set of a small universe, against plain sets.

use std::collections::BTreeSet;

use ldd::{Node, Role, Store};

type Plain = BTreeSet<Vec<u32>>;

/// All sets of vectors of two values below three: 512 of them.
fn universe(store: &Store<'_>) -> Vec<(Plain, Node)> {
    let vectors: Vec<Vec<u32>> = (0..9).map(|i| vec![i / 3, i % 3]).collect();
    (0..1u32 << vectors.len())
        .map(|mask| {
            let chosen = (0..vectors.len()).filter(|i| mask >> i & 1 == 1);
            let plain: Plain = chosen.map(|i| vectors[i].clone()).collect();
            let mut list: Vec<Vec<u32>> = plain.iter().rev().cloned().collect();
            (plain, store.from_vectors(&mut list).unwrap())
        })
        .collect()
}

fn store() -> Store<'static> {
    Store::new(1 << 30, 1).unwrap()
}

#[test]
fn a_set_has_the_vectors_it_was_built_from_and_one_number() {
    let store = store();
    for (plain, node) in universe(&store) {
        let vectors: Plain = store.vectors(node).into_iter().collect();
        assert_eq!(vectors, plain);
        assert_eq!(store.count(node), plain.len().into());
        assert_eq!(store.first(node), plain.last().cloned());
        for i in 0..16 {
            let vector = vec![i / 4, i % 4];
            assert_eq!(store.contains(node, &vector), plain.contains(&vector));
        }
        let mut singles = Node::EMPTY;
        for vector in &plain {
            let single = store.single(vector).unwrap();
            singles = store.union(singles, single).unwrap();
        }
        assert_eq!(singles, node, "equal sets have equal numbers");
    }
}

#[test]
fn union_intersection_and_difference_are_those_of_plain_sets() {
    let mut store = store();
    let universe = universe(&store);
    let roots: Vec<Node> = universe.iter().map(|(_, node)| *node).collect();
    let number = |plain: &Plain| -> usize { plain.iter().map(|v| 1 << (v[0] * 3 + v[1])).sum() };
    for (a, a_node) in &universe {
        for (b, b_node) in &universe {
            let union: Plain = a | b;
            let both: Plain = a & b;
            let minus: Plain = a - b;
            assert_eq!(
                store.union(*a_node, *b_node).unwrap(),
                roots[number(&union)]
            );
            assert_eq!(
                store.intersect(*a_node, *b_node).unwrap(),
                roots[number(&both)]
            );
            assert_eq!(
                store.minus(*a_node, *b_node).unwrap(),
                roots[number(&minus)]
            );
        }
    }
    store.make_room(&roots).unwrap();
    assert_eq!(store.vectors(roots[511]).len(), 9, "roots survive");
}

#[test]
fn projection_and_matching_are_those_of_plain_sets() {
    let mut store = store();
    let universe = universe(&store);
    for read in [[true, false], [false, true], [true, true], [false, false]] {
        let roles = read.map(|read| if read { Role::Read } else { Role::Skip });
        let pattern = store.pattern(&roles);
        let short = |vector: &Vec<u32>| -> Vec<u32> {
            (0..2).filter(|i| read[*i]).map(|i| vector[i]).collect()
        };
        for (plain, node) in &universe {
            let projected: Plain = plain.iter().map(short).collect();
            let found = store.project(*node, pattern).unwrap();
            assert_eq!(
                store.vectors(found).into_iter().collect::<Plain>(),
                projected
            );
            for (other, other_node) in universe.iter().step_by(7) {
                let wanted: Plain = other.iter().map(short).collect();
                let wanted_node = store.project(*other_node, pattern).unwrap();
                let fitting = plain.iter().filter(|v| wanted.contains(&short(v)));
                let found = store.matching(*node, wanted_node, pattern).unwrap();
                let fitting: Plain = fitting.cloned().collect();
                assert_eq!(store.vectors(found).into_iter().collect::<Plain>(), fitting);
            }
        }
    }
}

#[test]
fn garbage_is_collected_and_the_budget_is_kept() {
    let budget = 20 << 20;
    let mut store = Store::new(budget, 1).unwrap();
    let mut sum = Node::EMPTY;
    let mut random = 1u64;
    let mut all = BTreeSet::new();
    for _ in 0..20_000 {
        let vector: Vec<u32> = (0..6)
            .map(|_| {
                random = random
                    .wrapping_mul(6364136223846793005)
                    .wrapping_add(1442695040888963407);
                (random >> 60) as u32
            })
            .collect();
        all.insert(vector.clone());
        sum = loop {
            match store
                .single(&vector)
                .and_then(|single| store.union(sum, single))
            {
                Ok(sum) => break sum,
                Err(_) => store.make_room(&[sum]).unwrap(),
            }
        };
    }
    assert_eq!(
        store.vectors(sum),
        all.into_iter().rev().collect::<Vec<_>>()
    );
    let statistics = store.statistics();
    assert!(statistics.collections > 0);
    assert!(statistics.peak_bytes <= budget as u64 + (1 << 20));
}

#[test]
fn a_budget_that_does_not_suffice_is_an_error_and_nothing_is_lost() {
    let mut store = Store::new(0, 1).unwrap();
    let (mut sum, mut random, mut all) = (Node::EMPTY, 1u64, BTreeSet::new());
    let full = loop {
        random = random
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        let vector = [40, 46, 52, 58].map(|shift| (random >> shift) as u32 & 63);
        match store
            .single(&vector)
            .and_then(|single| store.union(sum, single))
        {
            Ok(more) => {
                sum = more;
                all.insert(vector.to_vec());
            }
            Err(_) => {
                if let Err(full) = store.make_room(&[sum]) {
                    break full;
                }
            }
        }
    };
    assert_eq!(full, ldd::NoRoom);
    assert_eq!(
        store.vectors(sum),
        all.into_iter().rev().collect::<Vec<_>>()
    );
}

#[test]
fn counts_are_exact_beyond_machine_numbers() {
    let mut store = store();
    let mut set = Node::UNIT;
    let roles = vec![Role::Skip; 200];
    store.pattern(&roles);
    // 200 levels with 3 values each.
    for _ in 0..200 {
        let lists: Vec<Node> = (0..3)
            .map(|value| {
                let single = store.single(&[value]).unwrap();
                store.prefix(single, set).unwrap()
            })
            .collect();
        set = lists
            .iter()
            .fold(Node::EMPTY, |sum, list| store.union(sum, *list).unwrap());
    }
    assert_eq!(store.count(set), ldd::Count::from(3u32).pow(200));
    assert_eq!(store.size(set), 600);
}

#[test]
fn values_of_levels_are_listed_up_to_a_bound() {
    let store = store();
    let mut vectors = vec![vec![1, 5], vec![1, 7], vec![2, 5]];
    let set = store.from_vectors(&mut vectors).unwrap();
    assert_eq!(
        store.level_values(set, 9),
        [(vec![1, 2], true), (vec![5, 7], true)]
    );
    assert!(!store.level_values(set, 2)[0].1);
}

#[test]
fn a_new_greatest_value_costs_one_node_however_long_the_list() {
    let mut store = Store::new(1 << 30, 1).unwrap();
    let (mut sum, most) = (Node::EMPTY, 20_000);
    for value in 0..most {
        sum = loop {
            let single = store.single(&[value]);
            match single.and_then(|single| store.union(sum, single)) {
                Ok(sum) => break sum,
                Err(_) => store.make_room(&[sum]).unwrap(),
            }
        };
    }
    assert_eq!(store.size(sum), u64::from(most));
    let nodes = store.statistics().peak_nodes;
    assert!(nodes < 3 * u64::from(most), "{nodes}");
}
