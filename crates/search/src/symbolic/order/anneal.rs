//! Orders slots by exchanging two at random, and keeps what costs less; what costs more with a chance that falls.
//!
//! Paper: [Kirkpatrick, Gelatt, Vecchi 1983], simulated annealing, with the weighted event span as energy.
//! Invariant: the same groups and start give the same order: chance is a fixed sequence.
//! Invariant: the answer costs no more than the start.

use super::cost;

/// Exchanges times the size of the matrix, at most.
const MOST_WORK: usize = 40_000_000;
/// Exchanges for each slot and temperature.
const TRIES: usize = 16;
/// The first temperature, as a share of the cost, and what is left of it from one to the next.
const TEMPERATURE: (f64, f64) = (0.02, 0.92);
/// How many temperatures there are.
const STEPS: usize = 60;

/// Improves an order.
pub fn order(groups: &[Vec<usize>], start: Vec<usize>) -> Vec<usize> {
    let slots = start.len();
    if slots < 3 {
        return start;
    }
    let size: usize = groups.iter().map(Vec::len).sum::<usize>() + slots;
    let mut left = MOST_WORK / size;
    let mut chance = Chance(0x9e37_79b9_7f4a_7c15);
    let mut cost = cost::weighted_span(groups, &start);
    let (mut best, mut least) = (start.clone(), cost);
    let mut order = start;
    let mut temperature = cost * TEMPERATURE.0;
    for _ in 0..STEPS {
        for _ in 0..TRIES * slots {
            if left == 0 {
                return best;
            }
            left -= 1;
            let (from, to) = (chance.below(slots), chance.below(slots));
            // Half of the moves take a slot out and put it in elsewhere.
            let rotates = chance.below(2) == 0;
            shift(&mut order, from, to, rotates);
            let new = cost::weighted_span(groups, &order);
            let accepts = new <= cost || chance.unit() < ((cost - new) / temperature).exp();
            if !accepts {
                shift(&mut order, to, from, rotates);
                continue;
            }
            cost = new;
            if cost < least {
                least = cost;
                best.clone_from(&order);
            }
        }
        temperature *= TEMPERATURE.1;
    }
    best
}

/// Exchanges two slots, or moves one to the place of the other.
fn shift(order: &mut [usize], from: usize, to: usize, rotates: bool) {
    match (rotates, from < to) {
        (false, _) => order.swap(from, to),
        (true, true) => order[from..=to].rotate_left(1),
        (true, false) => order[to..=from].rotate_right(1),
    }
}

/// A sequence that looks random: xorshift.
struct Chance(u64);

impl Chance {
    fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }

    fn below(&mut self, bound: usize) -> usize {
        (self.next() >> 11) as usize % bound
    }

    fn unit(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_ladder_in_disorder_is_put_in_order() {
        // Each group touches two neighbours of a line of slots that were shuffled.
        let place = |at: usize| at * 7 % 15;
        let groups: Vec<Vec<usize>> = (0..14).map(|at| vec![place(at), place(at + 1)]).collect();
        let start: Vec<usize> = (0..15).collect();
        let before = cost::weighted_span(&groups, &start);
        let found = order(&groups, start.clone());
        assert!(cost::weighted_span(&groups, &found) < before / 2.0);
        assert_eq!(found, order(&groups, start), "the same again");
    }

    #[test]
    fn a_move_and_its_opposite_change_nothing() {
        for rotates in [false, true] {
            for (from, to) in [(0, 4), (3, 1), (2, 2)] {
                let mut order = vec![5, 6, 7, 8, 9];
                shift(&mut order, from, to, rotates);
                shift(&mut order, to, from, rotates);
                assert_eq!(order, [5, 6, 7, 8, 9]);
            }
        }
    }
}
