//! The kinds of diagnostics that arise before a front end is chosen, and the list of all there are.
//!
//! Ids are never reused.

use base::{Class, Code};
use subject::Languages;

pub use subject::codes::{MISFIT_OPTION, NOT_EXECUTABLE, SCALARSET};

/// A file cannot be read.
pub static UNREADABLE: Code = Code {
    id: "W0001",
    class: Class::Usage,
    title: "a file cannot be read",
    explain: "\
The file does not exist, is a directory, or may not be read by you. Nothing was checked.

Check the spelling of the path; a relative path counts from the current directory.",
};

/// The language of a file is not known.
pub static UNKNOWN_LANGUAGE: Code = Code {
    id: "W0002",
    class: Class::Usage,
    title: "the language of a file is not known",
    explain: "\
The language is chosen by the extension of the file, and if that is not known by the beginning of the text.
Neither tells anything about this file.

Rename it, or say what it is with --language; a name that is none lists the languages.",
};

/// The language of a file is known but not supported.
pub static UNSUPPORTED_LANGUAGE: Code = Code {
    id: "W0003",
    class: Class::Unsupported,
    title: "the language of a file is not supported yet",
    explain: "\
The file holds a model in a language that this version recognises but does not read. Nothing was checked,
and nothing is wrong with the file.

`--language x` lists the languages that are read.",
};

/// A formula is not UTF-8.
pub static FORMULA_NOT_TEXT: Code = Code {
    id: "W0004",
    class: Class::Syntax,
    title: "a formula is not UTF-8 text",
    explain: "\
A line of the file given to `lint --expressions` holds bytes that are not UTF-8, so it cannot be a formula.
The answer shows them as the replacement character.

Save the file as UTF-8.",
};

/// An option asks for a part that does not exist.
pub static MISSING_PART: Code = Code {
    id: "W0101",
    class: Class::Unsupported,
    title: "an option asks for a part that this version does not have",
    explain: "\
The option is understood, but the engine, reduction, logic or output format it asks for is not part of this
version. Nothing was checked: an option is honoured or refused, never ignored.

Leave the option out, or give it the value auto or off where it has one.",
};

/// A goal is not a predicate.
pub static GOAL_NOT_PREDICATE: Code = Code {
    id: "W0103",
    class: Class::Type,
    title: "a goal is not a predicate",
    explain: "\
--goal takes a predicate over the constants and variables of the machine, or the name of a definition that is
one (a model that carries its goal as GOAL == P is checked with --goal GOAL). What was given is an expression.",
};

/// A checkpoint cannot be used.
pub static CHECKPOINT: Code = Code {
    id: "W0105",
    class: Class::Usage,
    title: "a checkpoint cannot be written or read",
    explain: "\
The file given to --checkpoint cannot be written, or the file given to --resume cannot be used: it is not a
checkpoint, it is damaged, or it was written for another model, other options or by another version.

A resumed run must give the same answer as one that was never stopped, so a checkpoint that does not fit
exactly is refused.",
};

/// A file cannot be written.
pub static UNWRITABLE: Code = Code {
    id: "W0106",
    class: Class::Usage,
    title: "a file cannot be written",
    explain: "\
A file that an option asks for cannot be written: its folder does not exist, or you may not write there.",
};

/// A file with a path cannot be used.
pub static TRACE: Code = Code {
    id: "W0120",
    class: Class::Usage,
    title: "a file with a path cannot be read",
    explain: "\
The file given to `replay`, or to the commands `load` and `append` of `animate`, is no path that this version
reads. It reads what --trace-out writes: .json (also a whole report), .itf.json and .prob2trace; a page (.md) is for
people only.

A path that can be read but does not fit the model is no error of this kind: `replay` says at which step it
stops fitting, and exits with 1.",
};

/// The codes of this table.
static ALL: &[&Code] = &[
    &UNREADABLE,
    &UNKNOWN_LANGUAGE,
    &UNSUPPORTED_LANGUAGE,
    &FORMULA_NOT_TEXT,
    &MISSING_PART,
    &MISFIT_OPTION,
    &GOAL_NOT_PREDICATE,
    &NOT_EXECUTABLE,
    &CHECKPOINT,
    &UNWRITABLE,
    &TRACE,
    &SCALARSET,
];

/// Every code that this version can report, of all languages; what languages share is told once.
pub fn all(languages: &Languages) -> Vec<&'static Code> {
    let mut all: Vec<&'static Code> = Vec::new();
    let languages = languages.read.iter();
    let codes = languages
        .flat_map(|language| language.codes())
        .chain(lang_formula::codes::all())
        .chain(ALL.iter().copied());
    for code in codes {
        if !all.iter().any(|known| std::ptr::eq(*known, code)) {
            all.push(code);
        }
    }
    all
}
