//! The kinds of diagnostics that arise before a front end is chosen, and the list of all there are.
//!
//! Ids are never reused.

use base::{Class, Code};

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
The language is chosen by the extension of the file:

    classical B   .mch .ref .imp .sys .mod .def

A file with another extension is taken for classical B if its first word, after comments, is MACHINE,
MODEL, SYSTEM, REFINEMENT, IMPLEMENTATION or DEFINITIONS. This file has neither: rename it.",
};

/// The language of a file is known but not supported.
pub static UNSUPPORTED_LANGUAGE: Code = Code {
    id: "W0003",
    class: Class::Unsupported,
    title: "the language of a file is not supported yet",
    explain: "\
The file holds a model in a language that this version recognises but does not read. Nothing was checked,
and nothing is wrong with the file.

This version reads classical B: .mch .ref .imp .sys .mod .def.",
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

/// The codes of this table.
static ALL: &[&Code] = &[
    &UNREADABLE,
    &UNKNOWN_LANGUAGE,
    &UNSUPPORTED_LANGUAGE,
    &FORMULA_NOT_TEXT,
];

/// Every code that this version can report, of all front ends.
pub fn all() -> impl Iterator<Item = &'static Code> {
    lang_b::codes::all().chain(ALL.iter().copied())
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    #[test]
    fn every_code_has_its_own_id_and_an_explanation() {
        let mut ids = BTreeSet::new();
        for code in super::all() {
            assert!(ids.insert(code.id), "{} is used twice", code.id);
            assert!(
                !code.title.is_empty() && !code.explain.is_empty(),
                "{}",
                code.id
            );
        }
    }
}
