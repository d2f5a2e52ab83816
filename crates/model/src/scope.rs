//! The sizes and bounds that a model does not fix itself.

use base::Name;
use rustc_hash::FxHashMap;

/// What the user fixed on the command line; it comes before what the model says.
#[derive(Clone, Debug, Default)]
pub struct Scopes {
    /// `--card SET=N`
    pub cards: FxHashMap<Name, usize>,
    /// `--pref NAME=VALUE`
    pub preferences: FxHashMap<Name, String>,
}
