//! The workbench as a process of its own: requests and answers are lines of JSON.
//!
//! Servers (`mcp`, `serve`, the lenses of `lsp`) do not run models themselves. They start `burnside session` ([`Child`]) and ask it; a model
//! that panics, eats memory or never ends takes its session with it and nothing else (decision 0120).
//! Invariant: a session answers one request after the other, each exactly once.
//! Invariant: a session reads files below its folder only, and writes none.

mod act;
pub mod address;
mod child;
pub mod lean;
mod patience;
mod request;
mod serve;
mod text;
mod want;

pub use child::{Child, Failure, Limits};
pub use request::{Reply, Request, Sent};
pub use serve::serve;
pub use want::{Choices, Model, Tests};
