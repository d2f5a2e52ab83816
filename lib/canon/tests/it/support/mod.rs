//! All permutations, for whoever compares with brute force.

/// All permutations of the points `0..count` that stay inside classes.
pub fn permutations(classes: &[Vec<u32>], count: usize) -> Vec<Vec<u32>> {
    let mut all = vec![(0..count as u32).collect::<Vec<u32>>()];
    for class in classes {
        let mut orders = Vec::new();
        orderings(class, &mut Vec::new(), &mut orders);
        let mut next = Vec::new();
        for permutation in &all {
            for order in &orders {
                let mut images = permutation.clone();
                for (from, to) in class.iter().zip(order) {
                    images[*from as usize] = *to;
                }
                next.push(images);
            }
        }
        all = next;
    }
    all
}

fn orderings(rest: &[u32], so_far: &mut Vec<u32>, found: &mut Vec<Vec<u32>>) {
    if rest.is_empty() {
        found.push(so_far.clone());
    }
    for (at, point) in rest.iter().enumerate() {
        let others: Vec<u32> = [&rest[..at], &rest[at + 1..]].concat();
        so_far.push(*point);
        orderings(&others, so_far, found);
        so_far.pop();
    }
}
