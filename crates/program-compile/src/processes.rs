//! Processes, channels and wrap-around arithmetic.
//!
//! Code is made for each process number and kind of process by itself: its variables stand at known slots, `_pid` is a
//! constant, and a group (process number, edge) reads and writes exactly the slots it mentions. `engine.rs` dispatches on
//! the control slots, as `switch(pc)` does in generated code.
//! Invariant: a state holds no number that depends on the order of a search; two states are equal if their vectors are.

mod access;
mod action;
mod acts;
mod channels;
mod claimed;
mod code;
mod decode;
mod engine;
mod expressions;
mod fixed;
mod followed;
mod groups;
mod handshake;
mod labels;
mod layout;
mod living;
mod moved;
mod numbers;
mod observer;
mod packing;
mod pairs;
mod places;
mod promises;
mod remote;
mod size;
mod statements;
mod system;
mod tables;

pub use labels::Question;
pub use packing::Packing;
pub use size::{Outgrown, Room};
pub use system::{Asking, Options, System, Unsupported};
