//! The options that fix what a model is: sizes, preferences, the meaning of the undefined.

use base::Name;
use workbench::Scopes;
use workbench::choice::Wd;

use super::check::words;
use super::eval::{card, pref};

/// Sizes, preferences and definedness.
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
    pub(crate) wd: Wd,
}

impl ModelArgs {
    /// What the command line fixes.
    pub(crate) fn scopes(&self) -> Scopes {
        let cards = self.card.iter();
        let preferences = self.pref.iter();
        Scopes {
            cards: cards.map(|(set, size)| (Name::new(set), *size)).collect(),
            preferences: preferences
                .map(|(name, value)| (Name::new(name), value.clone()))
                .collect(),
        }
    }
}
