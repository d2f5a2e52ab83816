//! Partitions of the points: which may be exchanged in a state, and how one partition refines another.
//!
//! Invariant: cells are numbered in the order of their first points, so equal partitions are equal lists.

use pins::Permute;
use pins::symmetry::points;

use super::Telling;

/// Cells of points.
pub(super) struct Partition {
    /// The number of each point's cell.
    pub(super) cells: Vec<u32>,
    /// The points of each cell with more than one.
    pub(super) classes: Vec<Vec<u32>>,
}

impl Partition {
    pub(super) fn new(cells: Vec<u32>) -> Partition {
        let count = cells.iter().max().map_or(0, |most| most + 1) as usize;
        let mut classes: Vec<Vec<u32>> = vec![Vec::new(); count];
        for (point, cell) in cells.iter().enumerate() {
            classes[*cell as usize].push(point as u32);
        }
        classes.retain(|class| class.len() > 1);
        Partition { cells, classes }
    }
}

/// The cell of each point by the classes of its sort and by what is told apart.
pub(super) fn cells(permute: &dyn Permute, told: &Telling) -> Vec<u32> {
    let mut keys: Vec<(u32, u32, u32)> = Vec::with_capacity(points(permute.sorts()));
    for sort in permute.sorts() {
        let told = told.iter().find(|(name, _)| *name == sort.name);
        for (at, class) in sort.classes.iter().enumerate() {
            let own = told.and_then(|(_, classes)| classes.get(at));
            keys.push((sort.first, *class, own.copied().unwrap_or(0)));
        }
    }
    numbered(&keys)
}

/// Points are in one cell that both have in one cell.
pub(super) fn refined(a: &[u32], b: &[u32]) -> Vec<u32> {
    let both: Vec<(u32, u32)> = a.iter().copied().zip(b.iter().copied()).collect();
    numbered(&both)
}

/// Keys as numbers, in the order of their first occurrence.
fn numbered<K: PartialEq>(keys: &[K]) -> Vec<u32> {
    let mut seen: Vec<&K> = Vec::new();
    let numbers = keys.iter().map(|key| {
        let at = seen.iter().position(|known| *known == key);
        at.unwrap_or_else(|| {
            seen.push(key);
            seen.len() - 1
        }) as u32
    });
    numbers.collect()
}

/// Ways to send positions to positions that differ in which cell a position goes to.
pub(super) fn arrangements(cells: &[u32]) -> Vec<Vec<usize>> {
    fn extend(cells: &[u32], taken: &mut Vec<usize>, all: &mut Vec<Vec<usize>>) {
        if taken.len() == cells.len() {
            all.push(taken.clone());
            return;
        }
        let mut tried = Vec::new();
        for at in 0..cells.len() {
            if !taken.contains(&at) && !tried.contains(&cells[at]) {
                tried.push(cells[at]);
                taken.push(at);
                extend(cells, taken, all);
                taken.pop();
            }
        }
    }
    let mut all = Vec::new();
    extend(cells, &mut Vec::new(), &mut all);
    all
}
