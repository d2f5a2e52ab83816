//! Canonical forms against brute force.

mod independent;
mod links;
mod small_universes;
mod support;
