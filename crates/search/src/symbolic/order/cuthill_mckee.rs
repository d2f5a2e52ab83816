//! Orders slots so that those of one group lie in a narrow band.
//!
//! Paper: [Cuthill, McKee 1969], reversed as [George 1971] found better: breadth-first from a vertex at the rim,
//! neighbours by ascending degree.

use super::graph::Graph;

/// The slots in the order found.
pub fn order(graph: &Graph) -> Vec<usize> {
    let mut is_placed = vec![false; graph.neighbours.len()];
    let mut order = Vec::new();
    for slot in 0..graph.slots {
        if is_placed[slot] {
            continue;
        }
        let (start, _) = graph.far_apart(slot);
        let mut at = order.len();
        is_placed[start] = true;
        order.push(start);
        while at < order.len() {
            let neighbours = graph.neighbours[order[at]].iter().copied();
            let mut fresh: Vec<usize> = neighbours.filter(|v| !is_placed[*v]).collect();
            fresh.sort_by_key(|v| (graph.neighbours[*v].len(), *v));
            for vertex in fresh {
                is_placed[vertex] = true;
                order.push(vertex);
            }
            at += 1;
        }
    }
    order.reverse();
    graph.slots_of(&order)
}
