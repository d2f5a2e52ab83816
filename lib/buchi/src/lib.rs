//! Linear temporal logic with past over words that may end, and automata that accept the same words.
//!
//! A word is a sequence of letters, infinite or finite; a letter is a set of atoms. `X φ` is false at the last
//! position of a finite word. [`translate`] gives a transition-based generalised Büchi [`Automaton`] whose states
//! also say under which letters a word may end there; [`holds_on`] judges a single word by the definition and
//! shares no code with the translation.
//! Invariant: knows nothing of models, engines or files.
//! Invariant: nothing is degeneralised: one set of edges for each until that can be put off.

mod automaton;
mod formula;
mod hoa;
mod normal;
mod reduce;
mod safety;
mod stutter;
mod tableau;
mod word;

pub use automaton::{Automaton, Cube, Edge, State};
pub use formula::Ltl;
pub use reduce::components;
pub use safety::is_safety;
pub use stutter::{Counts, Kind, ignores_silence};
pub use tableau::{Bounds, TooLarge, translate, translate_while};
pub use word::{Word, holds_on, values_on};
