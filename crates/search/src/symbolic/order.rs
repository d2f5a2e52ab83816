//! Chooses the order of slots in diagrams from who reads and writes what: `--reorder`.
//!
//! Diagrams are small when slots that depend on each other are close. Each technique gives an order, its reverse is
//! tried too, neighbours are exchanged where that helps, and the weighted event span says which is best.

mod anneal;
mod cost;
mod cuthill_mckee;
mod force;
mod graph;
mod sloan;

use pins::Shape;

pub use cost::weighted_span;
pub use graph::touched;

/// How slots are ordered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Reorder {
    /// Whichever of the others costs least.
    #[default]
    Best,
    /// As the system has them.
    None,
    /// Few groups open at any place.
    Sloan,
    /// Groups in a narrow band.
    CuthillMckee,
    /// Slots of one group pulled together.
    Force,
    /// Slots exchanged at random, less and less where that costs.
    Anneal,
}

/// The slot of each level.
pub fn order(shape: &Shape, reorder: Reorder) -> Vec<usize> {
    let groups = graph::touched(shape);
    let declared: Vec<usize> = (0..shape.slots.len()).collect();
    let graph = || graph::Graph::new(shape);
    let better = |mut order: Vec<usize>| {
        let mut reversed = order.clone();
        reversed.reverse();
        if cost::weighted_span(&groups, &reversed) < cost::weighted_span(&groups, &order) {
            order = reversed;
        }
        cost::improve(&groups, &mut order);
        order
    };
    match reorder {
        Reorder::None => declared,
        Reorder::Sloan => better(sloan::order(&graph())),
        Reorder::CuthillMckee => better(cuthill_mckee::order(&graph())),
        Reorder::Force => better(force::order(&groups, declared)),
        Reorder::Anneal => {
            let start = order(shape, Reorder::Best);
            better(anneal::order(&groups, start))
        }
        Reorder::Best => {
            let sloan = sloan::order(&graph());
            let tried = [
                declared.clone(),
                better(force::order(&groups, sloan.clone())),
                better(sloan),
                better(cuthill_mckee::order(&graph())),
                better(force::order(&groups, declared)),
            ];
            let costs = tried.map(|order| (cost::weighted_span(&groups, &order), order));
            let best = costs.into_iter().min_by(|a, b| a.0.total_cmp(&b.0));
            best.map(|(_, order)| order).unwrap_or_default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Philosophers whose neighbours lie far apart.
    fn scattered(n: usize) -> Shape {
        let mut shape = pins::toy::philosophers(n).shape;
        let place = |slot: usize| slot * 7 % n;
        for group in &mut shape.groups {
            for set in [
                &mut group.reads,
                &mut group.may_write,
                &mut group.must_write,
            ] {
                let mut moved = pins::SlotSet::new();
                set.iter().for_each(|slot| moved.insert(place(slot)));
                *set = moved;
            }
        }
        shape
    }

    #[test]
    fn every_order_is_a_permutation_and_better_than_a_bad_one() {
        let shape = scattered(30);
        let groups = touched(&shape);
        let declared = cost::weighted_span(&groups, &order(&shape, Reorder::None));
        for reorder in [
            Reorder::Best,
            Reorder::Sloan,
            Reorder::CuthillMckee,
            Reorder::Force,
            Reorder::Anneal,
        ] {
            let order = order(&shape, reorder);
            let mut sorted = order.clone();
            sorted.sort_unstable();
            assert_eq!(sorted, (0..30).collect::<Vec<_>>(), "{reorder:?}");
            let cost = cost::weighted_span(&groups, &order);
            assert!(cost < declared * 0.7, "{reorder:?}: {cost} of {declared}");
        }
    }

    #[test]
    fn an_empty_system_has_an_empty_order() {
        for reorder in [Reorder::Best, Reorder::Sloan, Reorder::CuthillMckee] {
            assert!(order(&Shape::default(), reorder).is_empty());
        }
    }
}
