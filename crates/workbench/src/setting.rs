//! What a command line fixes about a model, before anything is asked of it.
//!
//! Invariant: two commands with the same setting run the same model.

use model::scope::Scopes;

use crate::choice::Wd;
use crate::loaded::Wanted;

/// Sizes, preferences, the meaning of the undefined, and which part of the file is meant.
#[derive(Clone, Debug, Default)]
pub struct Setting {
    /// Sizes of sets, and preferences.
    pub scopes: Scopes,
    /// What undefined expressions mean.
    pub wd: Wd,
    /// The component of a file with several; `None` for the most concrete machine.
    pub machine: Option<String>,
    /// The level of refinement, 0 for the most abstract machine.
    pub level: Option<u32>,
    /// Without the machines it refines.
    pub concrete_only: bool,
}

impl Setting {
    /// The part of the file.
    pub(crate) fn wanted(&self) -> Wanted<'_> {
        Wanted {
            machine: self.machine.as_deref(),
            level: self.level,
            concrete_only: self.concrete_only,
            ..Wanted::default()
        }
    }
}
