//! Makes certificates of runs that held: writes their files and finds the numbers that prove temporal formulas.
//!
//! Invariant: nobody believes what is made here (`crates/certify`); a mistake has a certificate rejected.

mod ranks;
mod writer;

pub use ranks::{prove, text};
pub use writer::{Writer, with_header};
