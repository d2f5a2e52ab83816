//! Compares the parser with the answers of an independent tool, where these are at hand.
//!
//! The tables and the models lie beside the project, not in it; without them the comparison is skipped
//! with a message.

use std::path::{Path, PathBuf};

use base::{Class, Diagnostics, Severity, Sources};
use lang_math::Exprs;

/// The folder of tables and models, if it is there.
fn shared() -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    if path.is_dir() {
        return Some(path);
    }
    eprintln!("skipped: {} is not there", path.display());
    None
}

fn has_syntax_error(diagnostics: &Diagnostics) -> bool {
    diagnostics
        .iter()
        .any(|d| d.severity == Severity::Error && d.code.class == Class::Syntax)
}

#[test]
fn components_are_accepted_as_by_the_oracle() {
    let Some(shared) = shared() else { return };
    let Ok(table) = std::fs::read_to_string(shared.join("oracle/parse.csv")) else {
        eprintln!("skipped: no table of components");
        return;
    };
    let (mut good, mut accepted, mut bad, mut refused) = (0, 0, 0, 0);
    for row in table.lines().skip(1) {
        let mut cells = row.rsplitn(3, ',');
        let (_, Some(outcome), Some(path)) = (cells.next(), cells.next(), cells.next()) else {
            continue;
        };
        let path = shared.join("corpus/sets").join(path.trim_matches('"'));
        let Ok(bytes) = std::fs::read(&path) else {
            continue;
        };
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let file = Sources::new().add(&path, text.clone());
        let error = has_syntax_error(&lang_b::parse::component(file, &text).diagnostics);
        match outcome {
            "ok" => {
                good += 1;
                accepted += usize::from(!error);
            }
            "syntax_error" => {
                bad += 1;
                refused += usize::from(error);
            }
            _ => {}
        }
    }
    eprintln!("accepted {accepted} of {good}, refused {refused} of {bad}");
    assert!(accepted * 1000 >= good * 995);
    // The rest depends on definitions of other files and on what definitions stand for: the checker's.
    assert!(refused * 100 >= bad * 90);
}

#[test]
fn formulas_are_accepted_as_by_the_oracle() {
    let Some(shared) = shared() else { return };
    let Ok(table) = std::fs::read_to_string(shared.join("oracle/expressions.tsv")) else {
        eprintln!("skipped: no table of formulas");
        return;
    };
    for row in table.lines().skip(1) {
        let cells: Vec<&str> = row.split('\t').collect();
        let [_, kind, text, ..] = cells[..] else {
            continue;
        };
        let file = Sources::new().add("formula", text.to_string());
        let (_, diagnostics) = lang_b::parse::formula(file, text, &mut Exprs::new());
        assert_eq!(diagnostics.has_errors(), kind == "syntax_error", "{row}");
    }
}
