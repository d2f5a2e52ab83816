//! Runs the commands shown in the documents and compares what they answer.
//!
//! A fenced `console` block holds commands behind `$ burnside` or `$ cargo run --release --`, each followed
//! by what it prints (standard output, then standard error) and, unless it is 0, its exit code as
//! `[exit N]`. Commands run in the root of the repository. Times and memory in JSON reports are shown as 0, in texts they are left
//! out.
//! `BLESS=1` rewrites the answers.

use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let root = package.ancestors().nth(2);
    root.expect("the package lies two folders deep").to_owned()
}

#[test]
fn documents_show_what_the_program_answers() {
    let docs = std::fs::read_dir(root().join("docs")).expect("there are documents");
    let mut documents: Vec<PathBuf> = docs
        .flatten()
        .map(|entry| entry.path())
        .filter(|path| path.extension().is_some_and(|extension| extension == "md"))
        .chain([root().join("README.md")])
        .collect();
    documents.sort();
    let mut commands = 0;
    let mut outdated = Vec::new();
    for document in documents {
        let written = std::fs::read_to_string(&document).expect("a document is text");
        let actual = executed(&written, &mut commands);
        if actual == written {
            continue;
        }
        if std::env::var_os("BLESS").is_some() {
            std::fs::write(&document, actual).expect("a document can be written");
        } else {
            outdated.push(difference(&document, &written, &actual));
        }
    }
    assert!(commands > 0, "the documents show commands");
    assert!(
        outdated.is_empty(),
        "run with BLESS=1 to update\n{}",
        outdated.join("\n")
    );
}

/// The document with every answer replaced by the actual one.
fn executed(document: &str, commands: &mut usize) -> String {
    let mut text = String::new();
    let mut in_block = false;
    let mut in_answer = false;
    for line in document.lines() {
        if line.starts_with("```") {
            in_block = line == "```console";
            in_answer = false;
        }
        let command = line
            .strip_prefix("$ burnside")
            .or_else(|| line.strip_prefix("$ cargo run --release --"))
            .filter(|_| in_block);
        if in_block && line.starts_with("$ ") {
            in_answer = false;
        }
        if !in_answer {
            text.push_str(line);
            text.push('\n');
        }
        if let Some(arguments) = command {
            text.push_str(&answer(arguments));
            in_answer = true;
            *commands += 1;
        }
    }
    text
}

fn answer(arguments: &str) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_burnside"))
        .args(words(arguments))
        .current_dir(root())
        .output()
        .expect("the program can be started");
    let mut text = without_measurements(&String::from_utf8_lossy(&output.stdout));
    text.push_str(&String::from_utf8_lossy(&output.stderr));
    if !text.is_empty() && !text.ends_with('\n') {
        text.push('\n');
    }
    match output.status.code() {
        Some(0) => {}
        Some(code) => text.push_str(&format!("[exit {code}]\n")),
        None => text.push_str("[killed]\n"),
    }
    text
}

/// Replaces the numbers that differ from run to run, and leaves out the line that only runs of more than a second have.
fn without_measurements(text: &str) -> String {
    let lines = text.split_inclusive('\n');
    let mut text: String = lines.filter(|line| !line.contains(" states/s, ")).collect();
    for key in ["wall_s", "peak_memory_bytes", "store_bytes"] {
        let key = format!("\"{key}\":");
        let mut done = String::new();
        while let Some((before, after)) = text.split_once(&key) {
            let end = after
                .find(|c: char| !c.is_ascii_digit() && !".e-+".contains(c))
                .unwrap_or(after.len());
            done.push_str(&format!("{before}{key}0"));
            text = after[end..].to_owned();
        }
        done.push_str(&text);
        text = done;
    }
    text
}

/// Splits at blanks outside single quotes.
fn words(line: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (index, part) in line.split('\'').enumerate() {
        if index % 2 == 1 {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    words
}

fn difference(document: &Path, written: &str, actual: &str) -> String {
    let (line, pair) = (1..)
        .zip(
            written
                .lines()
                .map(Some)
                .chain([None])
                .zip(actual.lines().map(Some).chain([None])),
        )
        .find(|(_, (written, actual))| written != actual)
        .unwrap_or((0, (None, None)));
    format!(
        "{}:{line}\n  written: {}\n  actual:  {}",
        document.display(),
        pair.0.unwrap_or("(end)"),
        pair.1.unwrap_or("(end)")
    )
}
