//! What `Canon::links` promises, on all structures of small universes: exchanges that it allows change nothing, and there
//! are no others.

use canon::{Blank, Canon, Links, Node, form};

use crate::support::permutations;

/// Gives how many terms were not tangled.
fn check(terms: impl Iterator<Item = Vec<Node>>, classes: &[Vec<u32>], count: usize) -> usize {
    let all = permutations(classes, count);
    let blank = Blank::new(classes, count);
    let mut canon = Canon::new();
    let mut untangled = 0;
    for term in terms {
        let mut colours = vec![0; count];
        canon.colour(&term, &blank, &mut colours);
        let links = canon.links(&term, classes, &colours);
        let leaders: Vec<u32> = match &links {
            Links::Tangled => continue,
            Links::None => (0..count as u32).collect(),
            Links::Groups(leaders) => leaders.to_vec(),
        };
        untangled += 1;
        let look = |images: &[u32]| {
            let mut out = Vec::new();
            form(&term, images, &mut out);
            out
        };
        let own = look(&(0..count as u32).collect::<Vec<u32>>());
        for images in &all {
            let keeps_colours = images
                .iter()
                .enumerate()
                .all(|(point, image)| colours[point] == colours[*image as usize]);
            let keeps_groups = (0..count).all(|a| {
                (0..count).all(|b| {
                    let after = |point: usize| leaders[images[point] as usize];
                    (leaders[a] == leaders[b]) == (after(a) == after(b))
                })
            });
            assert_eq!(
                look(images) == own,
                keeps_colours && keeps_groups,
                "{links:?} {images:?} {term:?}"
            );
        }
    }
    untangled
}

fn pairs(all: &[(u32, u32)], mask: u64) -> Vec<Node> {
    let mut term = vec![Node::Set(mask.count_ones())];
    for (at, (a, b)) in all.iter().enumerate() {
        if mask >> at & 1 == 1 {
            term.extend([Node::Tuple(2), Node::Point(*a), Node::Point(*b)]);
        }
    }
    term
}

#[test]
fn relations_between_two_classes() {
    let all: Vec<(u32, u32)> = (0..3).flat_map(|a| (3..6).map(move |b| (a, b))).collect();
    let classes = [vec![0, 1, 2], vec![3, 4, 5]];
    let untangled = check((0..512).map(|mask| pairs(&all, mask)), &classes, 6);
    // All 34 partial injections, and more.
    assert!(untangled >= 34, "{untangled}");
}

#[test]
fn relations_in_one_class_with_a_point_that_stays() {
    let all: Vec<(u32, u32)> = (0..4).flat_map(|a| (0..4).map(move |b| (a, b))).collect();
    let terms = (0..1 << 16).step_by(3).map(|mask| pairs(&all, mask));
    check(terms, &[vec![0, 1, 2]], 4);
}

#[test]
fn sets_of_sets_and_functions_to_sets() {
    let members = |mask: u64| {
        let mut term = vec![Node::Set(mask.count_ones())];
        term.extend((0..4).filter(|bit| mask >> bit & 1 == 1).map(Node::Point));
        term
    };
    let sets = (0u64..1 << 16).step_by(7).map(|mask| {
        let mut term = vec![Node::Set(mask.count_ones())];
        for part in (0..16).filter(|bit| mask >> bit & 1 == 1) {
            term.extend(members(part));
        }
        term
    });
    check(sets, &[vec![0, 1, 2, 3]], 4);
    let functions = (0u64..4096).map(|mask| {
        let mut term = vec![Node::Set(3)];
        for at in 0..3 {
            term.extend([Node::Tuple(2), Node::Atom(at / 2)]);
            term.extend(members(mask >> (at * 4) & 15));
        }
        term
    });
    check(functions, &[vec![0, 1, 2, 3]], 4);
}

#[test]
fn a_partial_injection_hangs_together_in_pairs() {
    let term = pairs(&[(0, 5), (1, 4), (2, 3)], 7);
    let classes = [vec![0, 1, 2], vec![3, 4, 5]];
    let mut colours = vec![0; 6];
    let mut canon = Canon::new();
    canon.colour(&term, &Blank::new(&classes, 6), &mut colours);
    let links = canon.links(&term, &classes, &colours);
    assert_eq!(links, Links::Groups([0, 1, 2, 2, 1, 0].into()));
}
