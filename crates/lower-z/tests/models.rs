//! Runs every specification below `tests/z` and compares with what its directives expect.
//!
//! A directive stands behind `%@` at the start of a line: `exit`, `error: CODE at LINE` (the first error), `card: SET=N`,
//! `states`, `setups`, `transitions` (of the whole state space). A specification that is explored must also read back
//! after printing.

mod support;

use std::fs;
use std::path::{Path, PathBuf};

use base::{Name, Severity, Sources};
use lang_z::print::{Markup, same, specification};
use model::scope::Scopes;
use model_compile::{Options, compile};

fn files(folder: &Path, found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder").flatten() {
        let path = entry.path();
        match path.is_dir() {
            true => files(&path, found),
            false => found.push(path),
        }
    }
    found.sort();
}

/// The directives of a text: words with their values.
fn directives(text: &str) -> Vec<(String, String)> {
    let mut found = Vec::new();
    for line in text.lines().filter_map(|line| line.strip_prefix("%@ ")) {
        if let Some(rest) = line.strip_prefix("error: ") {
            found.push(("error".to_owned(), rest.to_owned()));
            continue;
        }
        let words: Vec<&str> = line.split_whitespace().collect();
        for pair in words.chunks(2) {
            let [word, value] = pair else {
                panic!("a directive is a word and a value: {line}");
            };
            found.push((word.trim_end_matches(':').to_owned(), (*value).to_owned()));
        }
    }
    found
}

fn run(path: &Path) -> Result<(), String> {
    let text = fs::read_to_string(path).map_err(|error| error.to_string())?;
    let directives = directives(&text);
    let mut sources = Sources::new();
    let checked = lang_z::check_file(path, &mut sources);
    let first = checked
        .diagnostics
        .iter()
        .find(|d| d.severity == Severity::Error);
    let error = first.map(|d| {
        let line = d.primary.as_ref().map_or(0, |label| {
            sources.position(label.span.file, label.span.start).line
        });
        (d.code.class.exit(), format!("{} at {line}", d.code.id))
    });
    let mut scopes = Scopes::default();
    let mut wanted = Vec::new();
    let mut exit = 0;
    for (word, value) in &directives {
        match word.as_str() {
            "exit" => exit = value.parse::<u8>().map_err(|error| error.to_string())?,
            "error" => {
                let found = error.as_ref().map(|(_, text)| text);
                if found != Some(value) {
                    return Err(format!("the first error is {found:?}, expected {value}"));
                }
            }
            "card" => {
                let (name, size) = value.split_once('=').ok_or("SET=N")?;
                let size = size.parse().map_err(|_| "a size")?;
                scopes.cards.insert(Name::new(name), size);
            }
            "states" | "setups" | "transitions" => wanted.push((word.as_str(), value.as_str())),
            _ => return Err(format!("{word} is no directive")),
        }
    }
    let found = error.map_or(0, |(exit, _)| exit);
    if found != exit {
        return Err(format!("exit {found}, expected {exit}"));
    }
    if wanted.is_empty() {
        return if directives.is_empty() {
            Err("no directive".to_owned())
        } else {
            Ok(())
        };
    }
    for markup in [Markup::Latex, Markup::Unicode] {
        let printed = specification(&checked, markup);
        let file = sources.add(path, printed.clone());
        let again = lang_z::check_text(file, &mut sources);
        if again.diagnostics.has_errors() || !same(&checked, &again) {
            return Err(format!("does not read back: {printed}"));
        }
    }
    let model = lower_z::lower(&checked, &lower_z::Options::default(), &scopes)
        .map_err(|problems| format!("{problems:?}"))?;
    let system = compile(&model, &Options::default()).map_err(|_| "it does not compile")?;
    let (_, [states, setups, transitions, _]) = support::explore(&system)?;
    for (word, value) in wanted {
        let found = match word {
            "states" => states,
            "setups" => setups,
            _ => transitions,
        };
        if found.to_string() != value {
            return Err(format!("{found} {word}, expected {value}"));
        }
    }
    Ok(())
}

#[test]
fn specifications_do_what_they_expect() {
    let mut paths = Vec::new();
    files(
        &Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/z"),
        &mut paths,
    );
    assert!(!paths.is_empty());
    let wrong: Vec<String> = paths
        .iter()
        .filter_map(|path| {
            run(path)
                .err()
                .map(|why| format!("{}: {why}", path.display()))
        })
        .collect();
    assert!(wrong.is_empty(), "{wrong:#?}");
}
