//! Finds, among all ways to exchange points of a structure, one that depends only on the structure: the canonical
//! form, by which two structures are equal exactly when a permutation maps one to the other.
//!
//! Technique: individualisation and refinement [McKay 1981]. Points are coloured by where they stand and beside
//! what (`refine.rs`) until nothing changes; points whose exchange changes nothing are twins and need no order;
//! what is left is tried point by point (`search.rs`), skipping what a found automorphism shows to be alike.
//! The exchanges that are cheap to find (`bundles.rs`) tell which changes to a structure are alike; what hangs together
//! in one term (`links.rs`) is found without a search.
//! What changes nothing is found on the way (`automorphisms.rs`).
//! A structure is a list of terms (`form.rs`): atoms, points, ordered tuples and unordered sets, nested at will.
//! Invariant: nothing depends on the numbers of points: permuting a structure first changes only `images`, by the
//! same permutation, up to automorphisms.
//! Invariant: colours are hashes, but a collision costs time, never correctness: twins and leaves are compared
//! term by term.

mod automorphisms;
mod bundles;
mod form;
mod links;
mod refine;
mod search;

pub use bundles::{Exchanges, Place};
pub use form::{Node, end_of, form, form_words, write_words};
pub use links::{Links, join, leader};
pub use refine::mix;
pub use search::{Blank, Canon, Labelling};
