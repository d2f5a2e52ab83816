//! Stores of visited states: insert a vector of 32-bit slots, learn whether it is new and which number it has.
//!
//! Four kinds ([`Kind`]): *tree* folds the vector pairwise through a table of pairs, so that states share what
//! they have in common; *plain* keeps whole vectors; *fingerprint* keeps 64 bits of hash; *bitstate* keeps a
//! few bits. The last two are lossy: two states may count as one.
//!
//! Invariant: numbers are dense and stable: the n-th new state has number n - 1 for ever.
//! Invariant: a store keeps to its budget; when it is used up the answer is [`Found::Full`], never an abort.
//! Invariant: knows nothing of models, engines or files.

mod bitstate;
mod column;
mod fingerprint;
mod hash;
mod memory;
mod pairs;
mod recent;
mod records;
mod rising;
mod squeeze;
mod store;
mod tree;

pub use column::{Column, Word};
pub use hash::hash_words;
pub use recent::Recent;
pub use rising::Rising;
pub use store::{Kind, Session, Store, Terms};

/// What became of a vector.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Found {
    /// It was not there; this is its number.
    New(u32),
    /// It was there under this number.
    Seen(u32),
    /// It was there; a lossy store does not know its number.
    SeenSomewhere,
    /// It may not be there, and there is no room within the budget.
    Full,
}
