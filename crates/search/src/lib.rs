//! Engines that explore a transition system and say what they found and what that proves.
//!
//! Invariant: an engine sees only [`pins`], `base` and `lib`: it knows no language and no model.
//! Invariant: an engine reads no options, environment or globals; its configuration is passed in.

pub mod branching;
pub mod distributed;
pub mod explicit;
pub mod liveness;
pub mod symbolic;
