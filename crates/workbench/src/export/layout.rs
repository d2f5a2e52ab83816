//! Where the nodes of a drawing lie: layers from top to bottom, few crossings, short edges.
//!
//! Paper: [Sugiyama, Tagawa, Toda 1981]: layers,
//! then order by barycentres, then places. Differs: a layer is the distance from the first node, so an edge never
//! leads down by more than one layer and no dummy nodes are needed; edges that lead up are drawn as arcs.

use std::collections::VecDeque;

/// The space between neighbours.
const GAP: f64 = 34.0;
/// The space between layers.
const LAYER_GAP: f64 = 72.0;
/// How often orders and places are improved; more changes little.
const SWEEPS: usize = 12;

/// A place for every node: its centre.
pub(super) struct Layout {
    pub(super) centres: Vec<(f64, f64)>,
    pub(super) width: f64,
    pub(super) height: f64,
}

/// Places nodes of these sizes.
pub(super) fn place(sizes: &[(f64, f64)], edges: &[(usize, usize)]) -> Layout {
    let layer_of = layers(sizes.len(), edges);
    let count = layer_of.iter().max().map_or(0, |last| last + 1);
    let mut layers: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (node, layer) in layer_of.iter().enumerate() {
        layers[*layer].push(node);
    }
    let neighbours = neighbours(sizes.len(), edges);
    order(&mut layers, &neighbours, &layer_of);
    let mut x = vec![0.0; sizes.len()];
    for layer in &layers {
        let total: f64 = layer.iter().map(|node| sizes[*node].0 + GAP).sum();
        let mut left = -total / 2.0;
        for node in layer {
            x[*node] = left + (sizes[*node].0 + GAP) / 2.0;
            left += sizes[*node].0 + GAP;
        }
    }
    for _ in 0..SWEEPS {
        for layer in &layers {
            relax(layer, sizes, &neighbours, &mut x);
        }
    }
    let left = (0..sizes.len()).map(|node| x[node] - sizes[node].0 / 2.0);
    let left = left.fold(f64::INFINITY, f64::min);
    let right = (0..sizes.len()).map(|node| x[node] + sizes[node].0 / 2.0);
    let right = right.fold(f64::NEG_INFINITY, f64::max);
    let mut y = GAP;
    let mut centres = vec![(0.0, 0.0); sizes.len()];
    for layer in &layers {
        let height = layer.iter().map(|node| sizes[*node].1).fold(0.0, f64::max);
        for node in layer {
            centres[*node] = (x[*node] - left + GAP, y + height / 2.0);
        }
        y += height + LAYER_GAP;
    }
    Layout {
        centres,
        width: if sizes.is_empty() { 0.0 } else { right - left } + 2.0 * GAP,
        height: y,
    }
}

/// The distance of each node from the first one; nodes that it does not reach start anew.
fn layers(count: usize, edges: &[(usize, usize)]) -> Vec<usize> {
    let mut next = vec![Vec::new(); count];
    let mut targets = vec![false; count];
    for (from, to) in edges {
        next[*from].push(*to);
        targets[*to] |= from != to;
    }
    let mut layer = vec![usize::MAX; count];
    let mut queue = VecDeque::new();
    let beginnings = (0..count).filter(|node| !targets[*node]);
    let beginnings: Vec<usize> = beginnings.chain(0..count).collect();
    for start in beginnings {
        if layer[start] != usize::MAX {
            continue;
        }
        layer[start] = 0;
        queue.push_back(start);
        while let Some(node) = queue.pop_front() {
            for to in &next[node] {
                if layer[*to] == usize::MAX {
                    layer[*to] = layer[node] + 1;
                    queue.push_back(*to);
                }
            }
        }
    }
    layer
}

fn neighbours(count: usize, edges: &[(usize, usize)]) -> Vec<Vec<usize>> {
    let mut neighbours = vec![Vec::new(); count];
    for (from, to) in edges {
        if from != to {
            neighbours[*from].push(*to);
            neighbours[*to].push(*from);
        }
    }
    neighbours
}

/// Sorts each layer by the mean position of neighbours in the layer before, then in the one after, in turn.
fn order(layers: &mut [Vec<usize>], neighbours: &[Vec<usize>], layer_of: &[usize]) {
    let mut position = vec![0.0; neighbours.len()];
    let number = |layer: &[usize], position: &mut Vec<f64>| {
        for (at, node) in layer.iter().enumerate() {
            position[*node] = at as f64;
        }
    };
    layers.iter().for_each(|layer| number(layer, &mut position));
    for sweep in 0..SWEEPS {
        let down = sweep % 2 == 0;
        for step in 0..layers.len() {
            let at = if down { step } else { layers.len() - 1 - step };
            let other = if down {
                at.checked_sub(1)
            } else {
                Some(at + 1)
            };
            let Some(other) = other.filter(|other| *other < layers.len()) else {
                continue;
            };
            let mean = |node: usize| {
                let near = neighbours[node]
                    .iter()
                    .filter(|near| layer_of[**near] == other);
                let (sum, count) = near.fold((0.0, 0.0), |(sum, count), near| {
                    (sum + position[*near], count + 1.0)
                });
                if count > 0.0 {
                    sum / count
                } else {
                    position[node]
                }
            };
            let mut keyed: Vec<(f64, usize)> =
                layers[at].iter().map(|node| (mean(*node), *node)).collect();
            keyed.sort_by(|a, b| a.0.total_cmp(&b.0));
            layers[at] = keyed.into_iter().map(|(_, node)| node).collect();
            number(&layers[at], &mut position);
        }
    }
}

/// Moves the nodes of a layer towards their neighbours, keeping order and gaps: the mean of the places that a
/// pass from the left and one from the right give has both.
fn relax(layer: &[usize], sizes: &[(f64, f64)], neighbours: &[Vec<usize>], x: &mut [f64]) {
    let wanted: Vec<f64> = layer
        .iter()
        .map(|node| match neighbours[*node].len() {
            0 => x[*node],
            count => neighbours[*node].iter().map(|near| x[*near]).sum::<f64>() / count as f64,
        })
        .collect();
    let apart = |at: usize| (sizes[layer[at]].0 + sizes[layer[at + 1]].0) / 2.0 + GAP;
    let mut from_left = wanted.clone();
    for at in 1..layer.len() {
        from_left[at] = from_left[at].max(from_left[at - 1] + apart(at - 1));
    }
    let mut from_right = wanted;
    for at in (1..layer.len()).rev() {
        from_right[at - 1] = from_right[at - 1].min(from_right[at] - apart(at - 1));
    }
    for (at, node) in layer.iter().enumerate() {
        x[*node] = (from_left[at] + from_right[at]) / 2.0;
    }
}

#[cfg(test)]
mod tests {
    use super::{GAP, place};

    #[test]
    fn nodes_of_a_layer_never_overlap() {
        let sizes: Vec<(f64, f64)> = (0..40)
            .map(|i| (20.0 + f64::from(i % 7) * 9.0, 30.0))
            .collect();
        let edges: Vec<(usize, usize)> = (1..40)
            .map(|i| (i / 3, i))
            .chain([(39, 0), (5, 5), (7, 20)])
            .collect();
        let layout = place(&sizes, &edges);
        for (i, a) in layout.centres.iter().enumerate() {
            assert!(a.0 - sizes[i].0 / 2.0 >= GAP - 1e-6 && a.0 + sizes[i].0 / 2.0 <= layout.width);
            for (j, b) in layout.centres.iter().enumerate().skip(i + 1) {
                let apart = (sizes[i].0 + sizes[j].0) / 2.0;
                assert!(a.1 != b.1 || (a.0 - b.0).abs() >= apart, "{i} and {j}");
            }
        }
    }

    #[test]
    fn an_empty_graph_has_a_place() {
        assert!(place(&[], &[]).centres.is_empty());
    }
}
