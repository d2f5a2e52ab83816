//! Engines and reductions on systems with known answers: all must agree.

mod alike;
#[path = "../../../../lib/buchi/tests/common/mod.rs"]
mod common;
mod counters;
mod distributed;
mod explicit;
mod liveness;
mod por;
mod resume;
mod symbolic;
mod symbolic_branching;
mod symbolic_symmetry;
mod teams;
