//! What an order of slots is expected to cost.
//!
//! Paper: [Siminiceanu, Ciardo 2006], weighted event span: the levels between the first and the last that a group
//! touches, counted more the higher the group begins.

/// The weighted event span, between 0 and about 1: less is better.
pub fn weighted_span(groups: &[Vec<usize>], order: &[usize]) -> f64 {
    let levels = order.len();
    let mut level = vec![0; levels];
    for (at, slot) in order.iter().enumerate() {
        level[*slot] = at;
    }
    let mut sum = 0.0;
    for group in groups {
        let touched = group.iter().map(|slot| level[*slot]);
        if let (Some(first), Some(last)) = (touched.clone().min(), touched.max()) {
            let height = (levels - first) as f64;
            sum += 2.0 * height / levels as f64 * (last - first + 1) as f64;
        }
    }
    sum / (levels.max(1) * groups.len().max(1)) as f64
}

/// Exchanges neighbours as long as that lowers the cost, a few rounds at most.
pub fn improve(groups: &[Vec<usize>], order: &mut [usize]) {
    /// Each exchange costs a pass over all groups.
    const MOST_WORK: usize = 20_000_000;
    let size: usize = groups.iter().map(Vec::len).sum::<usize>() + order.len();
    let mut left = MOST_WORK / size.max(1);
    let mut cost = weighted_span(groups, order);
    for distance in [1, 2, 3] {
        let mut is_better = true;
        while is_better {
            is_better = false;
            for at in distance..order.len() {
                if left == 0 {
                    return;
                }
                left -= 1;
                order.swap(at - distance, at);
                let new = weighted_span(groups, order);
                if new < cost {
                    cost = new;
                    is_better = true;
                } else {
                    order.swap(at - distance, at);
                }
            }
        }
    }
}
