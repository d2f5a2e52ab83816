//! All structures of small universes against a brute-force minimum over all permutations.
//!
//! The brute force shares nothing with the library but the form of a term under a permutation.

use std::collections::HashMap;

use canon::{Canon, Node, form};

use crate::support::permutations;

fn form_of(roots: &[Vec<Node>], images: &[u32]) -> Vec<Node> {
    let mut out = Vec::new();
    for root in roots {
        form(root, images, &mut out);
    }
    out
}

/// Two structures have one canonical form exactly when they have one orbit, and automorphisms are counted.
fn check(
    universe: impl Iterator<Item = Vec<Vec<Node>>>,
    classes: &[Vec<u32>],
    count: usize,
) -> usize {
    let all = permutations(classes, count);
    let mut canon = Canon::new();
    let mut least_of: HashMap<Vec<Node>, Vec<Node>> = HashMap::new();
    let mut orbits = HashMap::new();
    for roots in universe {
        let slices: Vec<&[Node]> = roots.iter().map(Vec::as_slice).collect();
        let labelling = canon.label(&slices, classes, &vec![0; count]);
        assert!(all.contains(&labelling.images), "{:?}", labelling.images);
        let canonical = form_of(&roots, &labelling.images);
        let forms: Vec<Vec<Node>> = all.iter().map(|images| form_of(&roots, images)).collect();
        let least = forms.iter().min().cloned().unwrap_or_default();
        let own = form_of(&roots, &(0..count as u32).collect::<Vec<u32>>());
        let stays = forms.iter().filter(|form| **form == own).count();
        assert_eq!(labelling.automorphisms, Some(stays as u128), "{roots:?}");
        let known = least_of
            .entry(canonical.clone())
            .or_insert_with(|| least.clone());
        assert_eq!(*known, least, "two orbits have one form: {roots:?}");
        let known = orbits.entry(least).or_insert_with(|| canonical.clone());
        assert_eq!(*known, canonical, "one orbit has two forms: {roots:?}");
    }
    orbits.len()
}

/// A relation between points `0..a` and `b..b + c`, from a mask.
fn relation(mask: u64, a: u32, b: u32, c: u32) -> Vec<Node> {
    let pairs: Vec<(u32, u32)> = (0..a)
        .flat_map(|x| (b..b + c).map(move |y| (x, y)))
        .enumerate()
        .filter(|(bit, _)| mask >> bit & 1 == 1)
        .map(|(_, pair)| pair)
        .collect();
    let mut term = vec![Node::Set(pairs.len() as u32)];
    for (x, y) in pairs {
        term.extend([Node::Tuple(2), Node::Point(x), Node::Point(y)]);
    }
    term
}

/// A set of points, from a mask.
fn set(mask: u64, count: u32) -> Vec<Node> {
    let members: Vec<u32> = (0..count).filter(|bit| mask >> bit & 1 == 1).collect();
    let mut term = vec![Node::Set(members.len() as u32)];
    term.extend(members.into_iter().map(Node::Point));
    term
}

#[test]
fn all_directed_graphs_with_up_to_four_points() {
    // OEIS A000595: relations on n unlabelled points.
    for (points, graphs) in [(1, 2), (2, 10), (3, 104), (4, 3044)] {
        let class: Vec<u32> = (0..points).collect();
        let universe =
            (0..1u64 << (points * points)).map(|mask| vec![relation(mask, points, 0, points)]);
        assert_eq!(check(universe, &[class], points as usize), graphs);
    }
}

#[test]
fn all_sets_of_sets_of_three_points() {
    let universe = (0..256u64).map(|mask| {
        let members: Vec<u64> = (0..8).filter(|bit| mask >> bit & 1 == 1).collect();
        let mut term = vec![Node::Set(members.len() as u32)];
        for member in members {
            term.extend(set(member, 3));
        }
        vec![term]
    });
    assert_eq!(check(universe, &[vec![0, 1, 2]], 3), 80);
}

#[test]
fn two_kinds_of_points_and_a_set_beside_a_relation() {
    let classes = [vec![0, 1, 2], vec![3, 4, 5]];
    let universe = (0..512u64).flat_map(|mask| {
        [0u64, 1, 3, 7].map(|chosen| vec![relation(mask, 3, 3, 3), set(chosen, 3)])
    });
    check(universe, &classes, 6);
}

#[test]
fn points_outside_the_classes_stay_where_they_are() {
    let universe = (0..512u64).map(|mask| vec![relation(mask, 3, 0, 3)]);
    check(universe, &[vec![1, 2]], 3);
}

#[test]
fn regular_structures_are_decided_by_trying() {
    // Two triangles and one hexagon look alike to colours.
    let edges = |list: &[(u32, u32)]| {
        let mut term = vec![Node::Set(list.len() as u32 * 2)];
        for (a, b) in list {
            term.extend([Node::Tuple(2), Node::Point(*a), Node::Point(*b)]);
            term.extend([Node::Tuple(2), Node::Point(*b), Node::Point(*a)]);
        }
        vec![term]
    };
    let triangles = edges(&[(0, 1), (1, 2), (2, 0), (3, 4), (4, 5), (5, 3)]);
    let hexagon = edges(&[(0, 1), (1, 2), (2, 3), (3, 4), (4, 5), (5, 0)]);
    let other = edges(&[(0, 2), (2, 4), (4, 1), (1, 3), (3, 5), (5, 0)]);
    let class = vec![(0..6).collect::<Vec<u32>>()];
    assert_eq!(check([triangles, hexagon, other].into_iter(), &class, 6), 2);
}

#[test]
fn a_large_set_of_twins_needs_no_search() {
    let count = 60;
    let class = vec![(0..count).collect::<Vec<u32>>()];
    let half = set((1 << 30) - 1, 30);
    let labelling = Canon::new().label(&[&half], &class, &vec![0; count as usize]);
    let first: Vec<u32> = labelling.images[..30].to_vec();
    assert!(first.iter().all(|image| *image >= 30) || first.iter().all(|image| *image < 30));
    assert_eq!(
        labelling.automorphisms, None,
        "30! * 30! is more than 2^128"
    );
}
