//! Which event reads and writes which variable: the dependency matrix that reductions and engines work from.
//!
//! `r` reads, `w` may write, `W` always writes. As a table: a row for each event; as a graph: an edge from an event
//! to each variable it touches.

use super::graph::{Edge, Graph, Node, Role};
use crate::choice::ExportWhat;
use crate::runnable::View;

/// The matrix.
pub(super) fn graph(view: View<'_>) -> Graph {
    let shape = view.ground.system().shape();
    let mut slots: Vec<String> = Vec::new();
    let columns: Vec<usize> = shape
        .slots
        .iter()
        .map(|slot| {
            let name = slot.name.to_string();
            match slots.iter().position(|known| *known == name) {
                Some(at) => at,
                None => {
                    slots.push(name);
                    slots.len() - 1
                }
            }
        })
        .collect();
    let mut nodes = Vec::new();
    let mut edges = Vec::new();
    let first_slot = shape.groups.len();
    for (at, group) in shape.groups.iter().enumerate() {
        let mut cells = vec![String::new(); slots.len()];
        let mut is_written = vec![false; slots.len()];
        for (slot, column) in columns.iter().enumerate() {
            is_written[*column] |=
                group.may_write.contains(slot) || group.must_write.contains(slot);
            for (is_so, letter) in [
                (group.reads.contains(slot), 'r'),
                (
                    group.may_write.contains(slot) && !group.must_write.contains(slot),
                    'w',
                ),
                (group.must_write.contains(slot), 'W'),
            ] {
                if is_so && !cells[*column].contains(letter) {
                    cells[*column].push(letter);
                }
            }
        }
        for (column, cell) in cells
            .iter()
            .enumerate()
            .filter(|(_, cell)| !cell.is_empty())
        {
            edges.push(Edge {
                from: at,
                to: first_slot + column,
                event: cell.clone(),
                label: cell.clone(),
                is_weak: !is_written[column],
            });
        }
        nodes.push(Node {
            role: Role::Event,
            label: group.name.to_string(),
            values: slots.iter().cloned().zip(cells).collect(),
        });
    }
    nodes.extend(slots.iter().map(|name| Node {
        role: Role::Variable,
        label: name.clone(),
        values: Vec::new(),
    }));
    Graph {
        model: view.description().name.clone(),
        kind: ExportWhat::Matrix,
        nodes,
        edges,
        cut: None,
        columns: slots,
    }
}
