//! What a run checked: typed where another rendering of the report asks for it, words for readers everywhere else.

use std::fmt;

use serde::{Serialize, Serializer};

/// Something that was checked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Checked {
    /// The invariant.
    Invariant,
    /// That something can happen in every state.
    Deadlock,
    /// The assertions.
    Assertions,
    /// That everything that is evaluated has a value.
    Definedness,
    /// One conjunct or assertion of this name, and nothing else.
    Only(String),
    /// What the language watches during a run.
    Watched(&'static str),
    /// So many temporal formulas.
    Formulas(usize),
}

impl fmt::Display for Checked {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Checked::Invariant => f.write_str("invariant"),
            Checked::Deadlock => f.write_str("deadlock"),
            Checked::Assertions => f.write_str("assertions"),
            Checked::Definedness => f.write_str("definedness"),
            Checked::Only(name) => write!(f, "only {name}"),
            Checked::Watched(what) => f.write_str(what),
            Checked::Formulas(count) => {
                f.write_str(&super::counted(*count as u64, "temporal formula"))
            }
        }
    }
}

impl Serialize for Checked {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

/// All of them on one line.
pub(super) fn listed(all: &[Checked]) -> String {
    let all: Vec<String> = all.iter().map(Checked::to_string).collect();
    all.join(", ")
}
