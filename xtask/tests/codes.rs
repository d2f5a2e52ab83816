//! Holds the table of diagnostics against the test models: no code is without a model that shows it.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use xtask::{expect, places};

/// Codes that no model of reasonable size can show, with what tests them instead.
const ELSEWHERE: &[(&str, &str)] = &[
    ("B0120", "deep nesting: bad_input.rs of the command line"),
    (
        "B0201",
        "a file that is not there: bad_input.rs of the command line",
    ),
    (
        "B0202",
        "a file of many megabytes: bad_input.rs of the command line",
    ),
    (
        "B0204",
        "a file without a line, and so without directives: bad_input.rs of the command line",
    ),
    ("B0220", "thousands of files: load/tests.rs"),
];

#[test]
fn every_code_is_shown_by_a_model() {
    let models = places::files_below(&places::root().join("tests"), places::B_EXTENSIONS);
    let shown: BTreeSet<String> = models.iter().flat_map(|path| codes_of(path)).collect();
    let known: BTreeSet<&str> = lang_b::codes::all().map(|code| code.id).collect();
    let wrong: Vec<&str> = known
        .iter()
        .copied()
        .filter(|id| {
            let elsewhere = ELSEWHERE.iter().any(|(listed, _)| listed == id);
            shown.contains(*id) == elsewhere
        })
        .collect();
    assert!(
        wrong.is_empty(),
        "each needs either a model below tests/ or a line in the list of exceptions: {wrong:?}"
    );
    for id in ELSEWHERE
        .iter()
        .map(|(id, _)| *id)
        .chain(shown.iter().map(String::as_str))
    {
        assert!(known.contains(id), "{id} is no code");
    }
}

/// The codes that the directives of a model expect.
fn codes_of(path: &Path) -> Vec<String> {
    let text = fs::read(path).expect("a model can be read");
    match expect::read(&String::from_utf8_lossy(&text)) {
        Ok(Some(expected)) => expected
            .findings
            .into_iter()
            .map(|finding| finding.code)
            .collect(),
        _ => Vec::new(),
    }
}
