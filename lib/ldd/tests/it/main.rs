//! Diagrams against sets and relations that are written out.

mod relations;
mod sets;
