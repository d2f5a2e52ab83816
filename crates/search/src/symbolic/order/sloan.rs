//! Orders slots so that few groups are open at any place.
//!
//! Paper: [Sloan 1989], with its weights: a vertex is taken early when it is far from the other end and when
//! taking it makes few others active. It is what the paper on ProB and LTSmin used for its largest model.

use super::graph::Graph;

/// How far the end counts, and how much a wide front counts.
const WEIGHTS: (isize, isize) = (1, 2);

#[derive(Clone, Copy, PartialEq, Eq)]
enum Status {
    Inactive,
    Preactive,
    Active,
    Placed,
}

/// The slots in the order found.
pub fn order(graph: &Graph) -> Vec<usize> {
    let mut status = vec![Status::Inactive; graph.neighbours.len()];
    let mut order = Vec::new();
    for slot in 0..graph.slots {
        if status[slot] == Status::Inactive {
            let (start, end) = graph.far_apart(slot);
            component(graph, start, end, &mut status, &mut order);
        }
    }
    graph.slots_of(&order)
}

fn component(
    graph: &Graph,
    start: usize,
    end: usize,
    status: &mut [Status],
    order: &mut Vec<usize>,
) {
    let distances = graph.distances(end);
    let mut priority: Vec<isize> = (0..status.len())
        .map(|vertex| {
            let distance = distances[vertex].unwrap_or(0) as isize;
            let degree = graph.neighbours[vertex].len() as isize;
            WEIGHTS.0 * distance - WEIGHTS.1 * (degree + 1)
        })
        .collect();
    status[start] = Status::Preactive;
    let mut front = vec![start];
    while !front.is_empty() {
        // The first of the best, so that the order does not depend on anything but the graph.
        let best = (0..front.len()).max_by_key(|at| {
            let vertex = front[*at];
            (priority[vertex], std::cmp::Reverse(vertex))
        });
        let vertex = front.swap_remove(best.unwrap_or(0));
        let mut raise = |vertex: usize, status: &mut [Status], front: &mut Vec<usize>| {
            priority[vertex] += WEIGHTS.1;
            if status[vertex] == Status::Inactive {
                status[vertex] = Status::Preactive;
                front.push(vertex);
            }
        };
        if status[vertex] == Status::Preactive {
            for neighbour in &graph.neighbours[vertex] {
                raise(*neighbour, status, &mut front);
            }
        }
        status[vertex] = Status::Placed;
        order.push(vertex);
        for neighbour in &graph.neighbours[vertex] {
            if status[*neighbour] == Status::Preactive {
                status[*neighbour] = Status::Active;
                raise(*neighbour, status, &mut front);
                for further in &graph.neighbours[*neighbour] {
                    if status[*further] != Status::Placed {
                        raise(*further, status, &mut front);
                    }
                }
            }
        }
    }
}
