//! The definition files and machines that ProB users expect to find beside their models, built in.
//!
//! A machine includes `"LibraryStrings.def"`; when no such file is on the search path, [`definition_file`]
//! has one. The files declare external functions in the notation any model may use
//! (`EXTERNAL_FUNCTION_X == T`), so the checker needs no knowledge of them; [`external`] tells later stages
//! what a declaration cannot say: whether a function prints, guesses, looks at the outside world, or tells
//! elements of a set apart.
//! Invariant: the files are the only place where externals are listed; the table is read from them.
//! Invariant: no name is declared by two files, because a model may include any selection of them.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

mod entries;
#[cfg(test)]
mod tests;

/// The text of a built-in definition file, found when no file of that name is on the search path.
///
/// Only the last component of a path counts. A name that differs in letter case alone is found too, because
/// models written on file systems that ignore case spell `LibrarySTRINGS.def` and `Choose.def`.
pub fn definition_file(path: &str) -> Option<&'static str> {
    find(DEFINITION_FILES, path)
}

/// The text of a built-in machine (`LibraryStrings` or `LibraryStrings.mch`), found as definition files are.
pub fn machine_file(path: &str) -> Option<&'static str> {
    find(MACHINE_FILES, path.strip_suffix(".mch").unwrap_or(path))
}

/// The names of the built-in definition files, sorted.
pub fn names() -> impl Iterator<Item = &'static str> {
    DEFINITION_FILES.iter().map(|(name, _)| *name)
}

/// What is known of an external function, predicate or substitution of this name, wherever it is declared.
pub fn external(name: &str) -> Option<&'static External> {
    EXTERNALS.get(name)
}

/// An external function, predicate or substitution that the tool knows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct External {
    /// The name a model calls it by.
    pub name: &'static str,
    /// How it is called.
    pub kind: Kind,
    /// The number of arguments.
    pub arity: usize,
    /// Whether models also declare it with further arguments.
    pub variadic: bool,
    /// What its value depends on and what else it does.
    pub purity: Purity,
    /// Whether its value tells elements of a set apart: by their order, their names or their positions.
    ///
    /// Such a function is not preserved when elements are exchanged. Printing alone does not count: the value
    /// is the same whatever is printed.
    pub order_breaking: bool,
    /// The type it is declared with, as written.
    pub declared: &'static str,
    /// What it does, in one sentence.
    pub meaning: &'static str,
    /// The definition file that declares it.
    pub file: &'static str,
}

/// How an external is called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// In expressions.
    Function,
    /// In predicates.
    Predicate,
    /// As a substitution.
    Substitution,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 3] = [Kind::Function, Kind::Predicate, Kind::Substitution];

    /// What the name of a declaration of this kind begins with.
    pub fn prefix(self) -> &'static str {
        match self {
            Kind::Function => "EXTERNAL_FUNCTION_",
            Kind::Predicate => "EXTERNAL_PREDICATE_",
            Kind::Substitution => "EXTERNAL_SUBSTITUTION_",
        }
    }

    /// The kind and the declared name, for a definition called `EXTERNAL_FUNCTION_X` and the like.
    pub fn of_declaration(definition: &str) -> Option<(Kind, &str)> {
        Kind::ALL.into_iter().find_map(|kind| {
            let name = definition.strip_prefix(kind.prefix())?;
            (!name.is_empty()).then_some((kind, name))
        })
    }
}

/// What the value of an external depends on, and what else it does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Purity {
    /// The value depends on the arguments only; nothing else happens.
    Pure,
    /// The value depends on the arguments only; something is printed, reported or written.
    Output,
    /// The value is drawn at random.
    Random,
    /// The value depends on files, the clock, the command line, or the run of the tool; or it changes them.
    Outside,
}

static EXTERNALS: LazyLock<FxHashMap<&'static str, External>> = LazyLock::new(|| {
    let mut externals = FxHashMap::default();
    for (file, text) in DEFINITION_FILES {
        for entry in entries::read(text) {
            if let Some(declaration) = &entry.declaration {
                let known = External {
                    name: entry.name,
                    kind: declaration.kind,
                    arity: entry.parameters.len(),
                    variadic: entry.tagged("variadic"),
                    purity: entry.purity(),
                    order_breaking: entry.tagged("order"),
                    declared: declaration.declared,
                    meaning: entry.meaning,
                    file,
                };
                externals.insert(entry.name, known);
            }
        }
    }
    externals
});

/// The entry of `files` with the last component of `path` as name; exact spelling wins.
fn find(files: &'static [(&str, &str)], path: &str) -> Option<&'static str> {
    let wanted = path.rsplit(['/', '\\']).next()?;
    files
        .iter()
        .find(|(name, _)| *name == wanted)
        .or_else(|| {
            files
                .iter()
                .find(|(name, _)| name.eq_ignore_ascii_case(wanted))
        })
        .map(|(_, text)| *text)
}

macro_rules! embedded {
    ($extension:literal: $($name:literal)*) => {
        &[$((
            concat!($name, $extension),
            include_str!(concat!("../stdlib/", $name, $extension)),
        )),*]
    };
}

const DEFINITION_FILES: &[(&str, &str)] = embedded!(".def":
    "CHOOSE" "LibraryBits" "LibraryCSV" "LibraryFiles" "LibraryHash" "LibraryIO" "LibraryJSON"
    "LibraryMath" "LibraryMeta" "LibraryProB" "LibraryRandom" "LibraryReals" "LibraryRegex" "LibrarySVG"
    "LibraryStrings" "LibraryXML" "LibraryZMQ_RPC" "SCCS" "SORT");

const MACHINE_FILES: &[(&str, &str)] = &[
    ("LibraryFiles", include_str!("../stdlib/LibraryFiles.mch")),
    ("LibraryMath", include_str!("../stdlib/LibraryMath.mch")),
    (
        "LibraryStrings",
        include_str!("../stdlib/LibraryStrings.mch"),
    ),
];
