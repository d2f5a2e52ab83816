//! What every stage shares: source files, spans, diagnostics as data, names, typed ids.
//!
//! Invariant: this crate knows no language and prints nothing; renderers return strings.

mod choice;
mod codes;
pub mod deep;
pub mod diagnostic;
pub mod files;
pub mod ids;
pub mod name;
pub mod near;
mod random;
pub mod render;
pub mod source;

pub use codes::counted;
pub use diagnostic::{Class, Code, Diagnostic, Diagnostics, Label, Severity};
pub use files::Files;
pub use ids::{Arena, Id};
pub use name::Name;
pub use random::Random;
pub use source::{FileId, Sources, Span};
