//! Sets of vectors that do not fit into memory: sorted runs in files, merged and looked up in order.
//!
//! A [`Heap`] takes vectors in any order and holds each once; full, it becomes a [`Run`], a file of ascending vectors.
//! Runs are read from the beginning ([`Reader`]), merged ([`Merge`]), or asked about ascending vectors ([`Cursor`]), which
//! reads only the blocks where these can lie. A [`Filter`] in memory tells of most vectors that no run has them.
//!
//! Technique: a vector is written as what it does not share with the one before it; every so many vectors a block begins
//! that can be read by itself, and the first vector of each block stays in memory.
//! Invariant: the vectors of a run are ascending and distinct; each carries a tag, which the order does not look at.
//! Invariant: knows nothing of models and engines; trouble with files is an error, never a panic.

mod filter;
mod folder;
mod heap;
mod merge;
mod run;

pub use filter::Filter;
pub use folder::Folder;
pub use heap::Heap;
pub use merge::{Known, Merge};
pub use run::{Cursor, Reader, Run, Writer};
