//! The sizes and bounds that a model does not fix itself.
//!
//! Order of precedence (`docs/meaning.md`, Scopes): the command line, then definitions of the main machine
//! (`scope_S`, `SET_PREF_…`), then what the properties say, then the defaults of ProB.

use base::{Code, Diagnostic, Diagnostics, Name};
use rustc_hash::FxHashMap;

/// What the user fixed on the command line; it comes before what the model says.
#[derive(Clone, Debug, Default)]
pub struct Scopes {
    /// `--card SET=N`
    pub cards: FxHashMap<Name, usize>,
    /// `--pref NAME=VALUE`
    pub preferences: FxHashMap<Name, String>,
}

impl Scopes {
    /// The value of a preference that is an integer, or what is wrong with it.
    pub fn integer(&self, name: &str) -> Option<Result<i64, String>> {
        let text = self.preferences.get(&Name::new(name))?;
        let value = text.trim().parse();
        Some(value.map_err(|_| format!("{name} is {text}, which is not an integer")))
    }

    /// The value of a preference that is an integer. What is wrong with it is told with the code of the language.
    pub fn integer_or_told(
        &self,
        name: &str,
        code: &'static Code,
        diagnostics: &mut Diagnostics,
    ) -> Option<i64> {
        let value = self.integer(name)?;
        value
            .map_err(|message| diagnostics.push(Diagnostic::global(code, message)))
            .ok()
    }
}

/// `MAXINT` unless set.
pub const DEFAULT_MAX_INT: i64 = 3;
/// `MININT` unless set.
pub const DEFAULT_MIN_INT: i64 = -1;
/// The size of a deferred set unless set or derived.
pub const DEFAULT_SET_SIZE: usize = 2;
/// No carrier set is larger: its elements are numbered in memory.
pub const MAX_SET_SIZE: usize = 100_000;
