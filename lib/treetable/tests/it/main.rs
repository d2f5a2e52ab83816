//! Stores, held against the standard library's maps.

mod growth;
mod steps;
mod stores;
mod waiting;

use treetable::Terms;

const PLENTY: usize = 1 << 30;

/// For several threads.
fn within(budget: usize) -> Terms {
    Terms {
        budget,
        ..Terms::default()
    }
}
