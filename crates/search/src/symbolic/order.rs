//! Chooses the order of slots in diagrams from who reads and writes what.

use pins::Shape;

/// How slots are ordered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Reorder {
    /// As the system has them.
    #[default]
    None,
}

/// The slot of each level.
pub fn order(shape: &Shape, reorder: Reorder) -> Vec<usize> {
    match reorder {
        Reorder::None => (0..shape.slots.len()).collect(),
    }
}
