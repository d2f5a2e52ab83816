//! The law for texts by other people: what is known to be good B reads back after printing.

use std::path::{Path, PathBuf};

use base::Id;
use lang_b::parse;
use lang_b::print;
use lang_math::Exprs;
use lang_math::print::to_string;

use crate::STYLES;

/// The folder of test data next to the workspace.
fn shared() -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared");
    if path.join("oracle/parse.csv").is_file() {
        Some(path)
    } else {
        eprintln!("skipped: no test data in {}", path.display());
        None
    }
}

#[test]
fn good_expressions_read_back() {
    let Some(shared) = shared() else { return };
    let table = std::fs::read_to_string(shared.join("oracle/expressions.tsv")).unwrap_or_default();
    let (mut failures, mut count, mut unread) = (Vec::new(), 0, 0);
    for row in table.lines().skip(1) {
        let columns: Vec<&str> = row.split('\t').collect();
        let [_, kind, text, ..] = columns[..] else {
            continue;
        };
        if kind == "syntax_error" {
            continue;
        }
        let mut exprs = Exprs::new();
        let (id, diagnostics) = parse::formula(Id::new(0), text, &mut exprs);
        if diagnostics.has_errors() {
            unread += 1;
            continue;
        }
        count += 1;
        for style in STYLES {
            let printed = to_string(&exprs, id, &style);
            let mut read = Exprs::new();
            let (read_id, diagnostics) = parse::formula(Id::new(0), &printed, &mut read);
            if diagnostics.has_errors() || !exprs.same(id, &read, read_id) {
                failures.push(format!("{text}\n  printed: {printed}"));
            }
        }
    }
    eprintln!("{count} expressions printed and read back, {unread} not read in the first place");
    assert!(
        count > 100 * unread,
        "too few texts are read to test printing"
    );
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

#[test]
fn good_files_read_back() {
    let Some(shared) = shared() else { return };
    let table = std::fs::read_to_string(shared.join("oracle/parse.csv")).unwrap_or_default();
    let (mut failures, mut count, mut unread) = (Vec::new(), 0, 0);
    for row in table.lines().skip(1) {
        let Some((path, outcome)) = path_and_outcome(row) else {
            continue;
        };
        if outcome != "ok" {
            continue;
        }
        let Ok(bytes) = std::fs::read(shared.join("corpus/sets").join(path)) else {
            continue;
        };
        let text = String::from_utf8_lossy(&bytes);
        let parsed = parse::component(Id::new(0), &text);
        if parsed.diagnostics.has_errors() {
            unread += 1;
            continue;
        }
        count += 1;
        for style in STYLES {
            let printed = print::component(&parsed.component, &style);
            let read = parse::component(Id::new(0), &printed);
            if !parsed.component.same(&read.component) || read.diagnostics.has_errors() {
                let why = read.diagnostics.iter().next();
                failures.push(format!(
                    "{path} (unicode: {}): {:?}",
                    style.unicode,
                    why.map(|d| (
                        &d.message,
                        d.primary
                            .as_ref()
                            .map(|at| line_at(&printed, at.span.start as usize))
                    ))
                ));
            }
        }
    }
    eprintln!("{count} files printed and read back, {unread} not read in the first place");
    assert!(
        count > 100 * unread,
        "too few texts are read to test printing"
    );
    assert!(
        failures.is_empty(),
        "{} of {count}:\n{}",
        failures.len(),
        failures.join("\n")
    );
}

/// The first two columns of a row; a path may stand in quotes.
fn path_and_outcome(row: &str) -> Option<(&str, &str)> {
    let (path, rest) = match row.strip_prefix('"') {
        Some(quoted) => quoted.split_once("\",")?,
        None => row.split_once(',')?,
    };
    Some((path, rest.split(',').next()?))
}

fn line_at(text: &str, offset: usize) -> &str {
    let start = text[..offset].rfind('\n').map_or(0, |at| at + 1);
    let end = text[offset..]
        .find('\n')
        .map_or(text.len(), |at| offset + at);
    &text[start..end]
}
