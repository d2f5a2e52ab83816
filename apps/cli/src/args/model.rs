//! The options that fix what a model is: sizes, preferences, the meaning of the undefined, the part of the file.

use base::Name;
use workbench::choice::Wd;
use workbench::{Scopes, Setting};

use super::check::words;
use super::eval::{card, pref};

/// Sizes, preferences, definedness and part.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "Scopes")]
pub(crate) struct ModelArgs {
    /// The size of a deferred set.
    #[arg(long, value_name = "SET=N", value_parser = card)]
    card: Vec<(String, usize)>,

    /// A preference: MAXINT, MININT, DEFAULT_SETSIZE.
    #[arg(long, value_name = "NAME=VALUE", value_parser = pref)]
    pref: Vec<(String, String)>,

    /// What undefined expressions mean, as for check.
    #[arg(long, default_value = "default", value_parser = words::<Wd>(Wd::WORDS))]
    wd: Wd,

    /// The component to run, of a project or package with several.
    #[arg(long, value_name = "NAME")]
    machine: Option<String>,

    /// The level of refinement to run: 0 is the most abstract machine.
    #[arg(long, value_name = "N")]
    level: Option<u32>,

    /// Leave out the abstract levels.
    #[arg(long)]
    concrete_only: bool,
}

impl ModelArgs {
    /// What the command line fixes about the model.
    pub(crate) fn setting(&self) -> Setting {
        Setting {
            scopes: scopes(&self.card, &self.pref),
            wd: self.wd,
            machine: self.machine.clone(),
            level: self.level,
            concrete_only: self.concrete_only,
        }
    }
}

/// Sizes and preferences as the model takes them.
pub(crate) fn scopes(cards: &[(String, usize)], preferences: &[(String, String)]) -> Scopes {
    let cards = cards.iter();
    let preferences = preferences.iter();
    Scopes {
        cards: cards.map(|(set, size)| (Name::new(set), *size)).collect(),
        preferences: preferences
            .map(|(name, value)| (Name::new(name), value.clone()))
            .collect(),
    }
}
