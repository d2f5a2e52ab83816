//! Who meets whom: slots and groups as the two sides of one graph.
//!
//! Slots of one group are two edges apart, so orders that keep neighbours together keep groups narrow. A graph
//! with the groups as vertices stays small where one with an edge for each pair of slots would not.

use pins::Shape;

/// Vertices are the slots, then the groups.
pub struct Graph {
    /// How many of the vertices are slots.
    pub slots: usize,
    /// Neighbours, ascending.
    pub neighbours: Vec<Vec<usize>>,
}

impl Graph {
    /// The graph of a system: a group is next to the slots it touches.
    pub fn new(shape: &Shape) -> Graph {
        let slots = shape.slots.len();
        let mut neighbours = vec![Vec::new(); slots + shape.groups.len()];
        for (at, touched) in touched(shape).iter().enumerate() {
            for slot in touched {
                neighbours[*slot].push(slots + at);
                neighbours[slots + at].push(*slot);
            }
        }
        Graph { slots, neighbours }
    }

    /// Distances from a vertex; `None` for what cannot be reached.
    pub fn distances(&self, from: usize) -> Vec<Option<usize>> {
        let mut distances = vec![None; self.neighbours.len()];
        distances[from] = Some(0);
        let mut layer = vec![from];
        for distance in 1.. {
            let mut next = Vec::new();
            for vertex in layer {
                for neighbour in &self.neighbours[vertex] {
                    if distances[*neighbour].is_none() {
                        distances[*neighbour] = Some(distance);
                        next.push(*neighbour);
                    }
                }
            }
            if next.is_empty() {
                break;
            }
            layer = next;
        }
        distances
    }

    /// A vertex with hardly anything beyond it, and one that is far away from it (George and Liu).
    pub fn far_apart(&self, from: usize) -> (usize, usize) {
        let (mut start, mut end, mut width) = (from, from, 0);
        loop {
            let distances = self.distances(start);
            let reached = distances.iter().flatten();
            let eccentricity = reached.max().copied().unwrap_or(0);
            if eccentricity <= width && start != from {
                return (start, end);
            }
            width = eccentricity;
            let last = (0..distances.len()).filter(|v| distances[*v] == Some(eccentricity));
            end = last
                .min_by_key(|v| self.neighbours[*v].len())
                .unwrap_or(start);
            if end == start {
                return (start, end);
            }
            (start, end) = (end, start);
        }
    }

    /// The slots of an order of vertices.
    pub fn slots_of(&self, order: &[usize]) -> Vec<usize> {
        order.iter().copied().filter(|v| *v < self.slots).collect()
    }
}

/// The slots that each group reads or writes.
pub fn touched(shape: &Shape) -> Vec<Vec<usize>> {
    let groups = shape.groups.iter();
    groups
        .map(|group| {
            let mut slots = group.reads.clone();
            slots.union_with(&group.may_write);
            slots.iter().collect()
        })
        .collect()
}
