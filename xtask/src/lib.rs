//! Judges the whole project against material that is too large or too random for a unit test.
//!
//! [`corpus`] compares with the answers of other tools, [`fuzz`] with the promise that no input makes the
//! front end panic or think for long, [`expect`] with what a model of ours says about itself, [`mod@bench`] with the speed of peers,
//! [`scoreboard`] with the state spaces that another checker found, [`por`] with its own verdicts without reduction,
//! [`agreement`] one engine with another, [`symmetry`] the ways to reduce by it, [`formulas`] checks what models say over time.
//! [`crowd`] lets many clients ask one server, [`network`] two processes check over a network that is slow or breaks, [`kills`] ends processes by force; [`dist`] builds what is given
//! away. The program `cargo xtask` prints what they find; the tests of this package hold them to floors.
//! Invariant: nothing here is linked into `burnside`.

pub mod agreement;
pub mod bench;
pub mod client;
pub mod corpus;
pub mod crowd;
pub mod dist;
pub mod expect;
pub mod formulas;
pub mod fuzz;
pub mod kills;
pub mod lint;
pub mod network;
pub mod places;
pub mod por;
pub mod scoreboard;
pub mod sweep;
pub mod symmetry;
pub mod table;
