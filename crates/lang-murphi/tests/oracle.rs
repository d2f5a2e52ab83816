//! Programs by others that must be read, programs that must be refused at a given line, and texts that read back.
//!
//! Skipped, visibly, where the shared material is absent.

use std::fs;
use std::path::{Path, PathBuf};

use base::{Diagnostics, FileId, Sources};
use lang_murphi::syntax::Tree;
use lang_murphi::{check, parse, print};

/// Reads and, if that went well, checks a text.
fn read(path: &Path, text: &str) -> (Sources, FileId, Tree, Diagnostics) {
    let mut sources = Sources::new();
    let file = sources.add(path, text.to_string());
    let parsed = parse::program(file, text);
    let mut diagnostics = parsed.diagnostics;
    if !diagnostics.has_errors() {
        diagnostics.extend(check::program(text, &parsed.tree).diagnostics);
    }
    (sources, file, parsed.tree, diagnostics)
}

fn shared(folder: &str) -> Option<PathBuf> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("../../../shared")
        .join(folder);
    if path.exists() {
        return Some(path);
    }
    eprintln!("skipped: {} is absent", path.display());
    None
}

/// The lines of a table without quotation marks, by its header.
fn rows(path: &Path) -> Vec<Vec<String>> {
    let text = fs::read_to_string(path).expect("the table is there");
    let line = |line: &str| {
        let mut cells = vec![String::new()];
        let mut quoted = false;
        for c in line.chars() {
            match c {
                '"' => quoted = !quoted,
                ',' if !quoted => cells.push(String::new()),
                c => cells.last_mut().expect("never empty").push(c),
            }
        }
        cells
    };
    text.lines().skip(1).map(line).collect()
}

fn text_of(path: &Path) -> String {
    String::from_utf8_lossy(&fs::read(path).expect("the file is there")).into_owned()
}

#[test]
fn refused_programs_are_refused_at_their_line() {
    let Some(folder) = shared("oracle/murphi") else {
        return;
    };
    let (mut wrong, mut total) = (Vec::new(), 0);
    for row in rows(&folder.join("bad.csv")) {
        total += 1;
        let path = folder.join("bad").join(format!("{}.m", row[0]));
        let text = text_of(&path);
        let (sources, file, _, diagnostics) = read(&path, &text);
        let errors: Vec<_> = diagnostics
            .iter()
            .filter(|d| d.severity == base::Severity::Error)
            .collect();
        let line = errors
            .first()
            .and_then(|d| d.primary.as_ref())
            .map(|label| sources.position(file, label.span.start).line);
        let exit = diagnostics.exit();
        let (first, last) = (
            row[3].parse::<u32>().expect("a line"),
            row[4].parse::<u32>().expect("a line"),
        );
        if exit.to_string() != row[2]
            || !line.is_some_and(|line| first <= line && line <= last)
            || errors.len() != 1
        {
            let told: Vec<&str> = errors.iter().map(|d| d.message.as_str()).collect();
            wrong.push(format!(
                "{} ({}): exit {exit}, line {line:?} wanted {first}..{last}: {told:?}",
                row[0], row[5]
            ));
        }
    }
    assert!(
        wrong.len() * 50 <= total,
        "{} of {total}:\n{}",
        wrong.len(),
        wrong.join("\n")
    );
}

#[test]
fn accepted_programs_are_accepted_and_read_back() {
    let Some(folder) = shared("oracle/murphi") else {
        return;
    };
    for row in rows(&folder.join("programs.csv")) {
        let path = folder.join("programs").join(format!("{}.m", row[0]));
        accepted(&path);
    }
}

#[test]
fn models_in_use_are_accepted_and_read_back() {
    let (Some(corpus), Some(oracle)) = (shared("corpus"), shared("oracle")) else {
        return;
    };
    for row in rows(&oracle.join("facts_murphi.csv")) {
        let path = corpus.join(&row[0]);
        match row[7].as_str() {
            "refused" | "unsupported" => {
                let text = text_of(&path);
                let (_, _, _, diagnostics) = read(&path, &text);
                let exits: &[u8] = if row[7] == "refused" {
                    &[150, 151]
                } else {
                    &[152]
                };
                assert!(
                    exits.contains(&diagnostics.exit()),
                    "{}: {diagnostics:?}",
                    row[0]
                );
            }
            _ if row[1] == "yes" || !row[7].is_empty() => accepted(&path),
            _ => {}
        }
    }
}

/// A program without errors whose text, printed, reads back as the same tree.
fn accepted(path: &Path) {
    let text = text_of(path);
    let (sources, file, tree, diagnostics) = read(path, &text);
    let told: Vec<String> = diagnostics
        .iter()
        .filter(|d| d.severity == base::Severity::Error)
        .map(|d| {
            let line = d
                .primary
                .as_ref()
                .map(|label| sources.position(file, label.span.start).line);
            format!("line {line:?}: {}", d.message)
        })
        .collect();
    assert!(told.is_empty(), "{}: {told:?}", path.display());
    let printed = print::program(&tree);
    let (_, _, again, diagnostics) = read(path, &printed);
    assert!(
        !diagnostics.has_errors(),
        "{}: {diagnostics:?}\n{printed}",
        path.display()
    );
    assert_eq!(shape(&again), shape(&tree), "{}", path.display());
    assert_eq!(print::program(&again), printed);
}

/// A tree without its places.
fn shape(tree: &Tree) -> String {
    let text = format!("{:?}", tree);
    let mut out = String::new();
    let mut rest = text.as_str();
    while let Some(at) = rest.find("Span {") {
        out.push_str(&rest[..at]);
        let end = rest[at..].find('}').map_or(rest.len(), |end| at + end + 1);
        rest = &rest[end..];
    }
    out.push_str(rest);
    out
}
