//! Orders slots by pulling those of one group together.
//!
//! Paper: [Aloul, Markov, Sakallah 2003], FORCE: each group has a centre of gravity, each slot moves to the mean of
//! the centres of its groups, until that makes nothing better.

use super::cost;

/// Rounds after which nothing changes any more in practice; the paper has log n of them.
const ROUNDS: usize = 100;

/// Improves an order.
pub fn order(groups: &[Vec<usize>], start: Vec<usize>) -> Vec<usize> {
    let mut best = start;
    let mut best_cost = cost::weighted_span(groups, &best);
    let mut order = best.clone();
    for _ in 0..ROUNDS {
        let mut position = vec![0.0; order.len()];
        for (at, slot) in order.iter().enumerate() {
            position[*slot] = at as f64;
        }
        let mut pull = vec![(0.0, 0usize); order.len()];
        for group in groups.iter().filter(|group| !group.is_empty()) {
            let sum: f64 = group.iter().map(|slot| position[*slot]).sum();
            for slot in group {
                pull[*slot].0 += sum / group.len() as f64;
                pull[*slot].1 += 1;
            }
        }
        let aim = |slot: usize| match pull[slot] {
            (_, 0) => position[slot],
            (sum, count) => sum / count as f64,
        };
        order.sort_by(|a, b| aim(*a).total_cmp(&aim(*b)));
        let cost = cost::weighted_span(groups, &order);
        if cost >= best_cost {
            break;
        }
        best_cost = cost;
        best.clone_from(&order);
    }
    best
}
