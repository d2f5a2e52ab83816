//! The options that fix what a model is: sizes, preferences, the meaning of the undefined, the part of the file, and what
//! only some languages have. Every command that opens a model takes them.
//!
//! Invariant: whether an option has a meaning for the language of the file is the language's to say.

use std::path::PathBuf;

use base::Name;
use subject::setting::{Obligations, Part, Processes, Reading};
use subject::{Language, Scopes, Setting, Wd};
use workbench::Workbench;

use super::check::words;
use crate::languages::LANGUAGES;

base::choices! {
    /// `--unless`
    Unless {
        /// The escape of the outermost statement wins.
        Outer = "outer",
        /// The escape of the innermost statement wins.
        Inner = "inner",
    } default Outer;
}

/// What is fixed before a file is read.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "The file")]
pub(crate) struct ReadingArgs {
    /// The language of the file, when its extension does not tell.
    #[arg(long, value_name = "LANGUAGE", value_parser = language)]
    language: Option<&'static dyn Language>,

    /// Promela: define a macro before the file is read.
    #[arg(short = 'D', value_name = "NAME[=VALUE]")]
    define: Vec<String>,

    /// Promela: forget a macro before the file is read.
    #[arg(short = 'U', value_name = "NAME")]
    undefine: Vec<String>,

    /// Promela: a folder to look for included files in.
    #[arg(short = 'I', value_name = "DIR")]
    include: Vec<PathBuf>,
}

/// What fixes a model.
#[derive(Debug, clap::Args)]
#[command(next_help_heading = "The model")]
pub(crate) struct ModelArgs {
    #[command(flatten)]
    reading: ReadingArgs,

    /// The number of elements of a deferred set or set parameter.
    #[arg(long, value_name = "SET=N", value_parser = card)]
    card: Vec<(String, usize)>,

    /// A preference: MAXINT, MININT, DEFAULT_SETSIZE.
    #[arg(long, value_name = "NAME=VALUE", value_parser = pref)]
    pref: Vec<(String, String)>,

    /// What undefined expressions mean: in guards false (default), always a fault (strict), or no
    /// transition (lenient).
    #[arg(long, default_value = "default", value_parser = words::<Wd>(Wd::WORDS))]
    wd: Wd,

    /// The component, of a project or package with several.
    #[arg(long, value_name = "NAME")]
    machine: Option<String>,

    /// The level of refinement: 0 is the most abstract machine.
    #[arg(long, value_name = "N")]
    level: Option<u32>,

    /// Leave out the abstract levels.
    #[arg(long)]
    concrete_only: bool,

    /// Z: the schema that is the state.
    #[arg(long, value_name = "SCHEMA")]
    state: Option<String>,

    /// Z: the schema that is the initialisation.
    #[arg(long, value_name = "SCHEMA")]
    init: Option<String>,

    /// Z: a schema that is an operation; all that look like one when none is given.
    #[arg(long, value_name = "SCHEMA")]
    operation: Vec<String>,

    /// Promela: a send to a full channel loses the message instead of blocking.
    #[arg(long)]
    lossy: bool,

    /// Promela: which escape of nested unless statements wins.
    #[arg(long, default_value = "outer", value_parser = words::<Unless>(Unless::WORDS))]
    unless: Unless,

    /// Promela: a valid end state also needs empty channels.
    #[arg(long)]
    end_empty: bool,

    /// Promela: merge statements, reset dead variables and leave out write-only ones, as SPIN does by default.
    #[arg(long)]
    spin_counts: bool,

    /// Promela: hold processes to xr and xs: whoever else sends to or receives from the channel faults. With --por they are made use of.
    #[arg(long)]
    promises: bool,

    /// Promela: what is interchangeable: pid for all processes of one text, or a variable that runs through processes in an order
    /// that does not matter.
    #[arg(long, value_name = "NAME")]
    scalarset: Vec<String>,
}

impl ModelArgs {
    /// What the command line fixes about the model.
    pub(crate) fn setting(&self) -> Setting {
        Setting {
            scopes: scopes(&self.card, &self.pref),
            wd: self.wd,
            part: Part {
                machine: self.machine.clone(),
                level: self.level,
                concrete_only: self.concrete_only,
                state: self.state.clone(),
                init: self.init.clone(),
                operations: self.operation.clone(),
            },
            obligations: Obligations::default(),
            scalarsets: self.scalarset.clone(),
            processes: Processes {
                lossy: self.lossy,
                inner_unless: self.unless == Unless::Inner,
                end_empty: self.end_empty,
                spin_counts: self.spin_counts,
                promises: self.promises,
            },
        }
    }

    /// What reads the file.
    pub(crate) fn bench(&self) -> Workbench {
        self.reading.bench()
    }
}

impl ReadingArgs {
    /// What reads the file.
    pub(crate) fn bench(&self) -> Workbench {
        let define = |text: &String| match text.split_once('=') {
            Some((name, value)) => (name.to_owned(), Some(value.to_owned())),
            None => (text.clone(), None),
        };
        Workbench {
            language: self.language,
            reading: Reading {
                defines: self.define.iter().map(define).collect(),
                undefines: self.undefine.clone(),
                folders: self.include.clone(),
            },
            ..Workbench::new(LANGUAGES)
        }
    }
}

/// A language by its id.
fn language(id: &str) -> Result<&'static dyn Language, String> {
    LANGUAGES.by_id(id).ok_or_else(|| {
        let known: Vec<&str> = LANGUAGES
            .read
            .iter()
            .map(|language| language.id())
            .collect();
        format!("the languages are {}", known.join(", "))
    })
}

/// Sizes and preferences.
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

/// `NAME=VALUE`
pub(crate) fn pref(text: &str) -> Result<(String, String), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => {
            Ok((name.trim().to_owned(), value.trim().to_owned()))
        }
        _ => Err("it is not of the form NAME=VALUE".to_owned()),
    }
}

/// `SET=N`
pub(crate) fn card(text: &str) -> Result<(String, usize), String> {
    let (name, value) = pref(text)?;
    match value.parse() {
        Ok(0) => Err("a set has at least one element".to_owned()),
        Ok(number) => Ok((name, number)),
        Err(_) => Err(format!("\"{value}\" is not a number of elements")),
    }
}

#[cfg(test)]
mod tests {
    use super::card;

    #[test]
    fn cards_are_positive() {
        assert_eq!(card("PID=3"), Ok(("PID".to_owned(), 3)));
        assert!(card("PID=0").is_err());
        assert!(card("PID").is_err());
    }
}
