//! Compares the front end with the answers of other tools on a corpus of models by others.
//!
//! Each comparison is a list of [`Agreement`]s with the floor that the project holds itself to; the tests
//! fail below a floor, `cargo xtask corpus …` prints the numbers and the disagreements.

use std::io;
use std::path::Path;

use base::Sources;

use crate::lint::{self, Answer};
use crate::places;
use crate::table;

pub mod time;

/// How far we agree on one kind of row.
#[derive(Debug)]
pub struct Agreement {
    /// What the rows have in common.
    pub kind: String,
    /// The least acceptable percentage.
    pub floor: f64,
    /// How many rows there are.
    pub total: usize,
    /// The rows we judge otherwise, with our first diagnostic.
    pub disagreements: Vec<String>,
}

impl Agreement {
    fn new(kind: impl Into<String>, floor: f64) -> Agreement {
        Agreement {
            kind: kind.into(),
            floor,
            total: 0,
            disagreements: Vec::new(),
        }
    }

    fn count(&mut self, agrees: bool, describe: impl FnOnce() -> String) {
        self.total += 1;
        if !agrees {
            self.disagreements.push(describe());
        }
    }

    /// The share of rows on which we agree; no rows are full agreement.
    pub fn percent(&self) -> f64 {
        if self.total == 0 {
            return 100.0;
        }
        100.0 * (self.total - self.disagreements.len()) as f64 / self.total as f64
    }

    /// Whether the floor is reached.
    pub fn holds(&self) -> bool {
        self.percent() >= self.floor
    }
}

impl std::fmt::Display for Agreement {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            f,
            "{:28} {:6.2} %  of {:5}  (floor {} %){}",
            self.kind,
            self.percent(),
            self.total,
            self.floor,
            if self.holds() { "" } else { "  BELOW" }
        )
    }
}

/// A comparison: needs the folder of shared test data.
pub type Comparison = fn(&Path) -> io::Result<Vec<Agreement>>;

/// Every comparison with the name it has on the command line.
pub const COMPARISONS: &[(&str, Comparison)] = &[
    ("parse", parse),
    ("expressions", expressions),
    ("types", types),
    ("grade-a", grade_a),
];

/// Does ProB's parser accept the file?
pub fn parse(shared: &Path) -> io::Result<Vec<Agreement>> {
    let mut accepted = Agreement::new("ok: not 150", 99.5);
    let mut refused = Agreement::new("syntax_error: 150", 95.0);
    for row in table::read_csv(&shared.join("oracle/parse.csv"))? {
        let path = &row["path"];
        let lint = || lint::file(&shared.join("corpus/sets").join(path));
        match row["outcome"].as_str() {
            "ok" => {
                let answer = lint();
                let agrees = answer.exit != 150 && answer.exit != lint::INTERNAL;
                accepted.count(agrees, || describe(path, &answer));
            }
            "syntax_error" => {
                let answer = lint();
                refused.count(answer.exit == 150, || {
                    format!("{} (ProB: {})", describe(path, &answer), row["position"])
                });
            }
            _ => {}
        }
    }
    Ok(vec![accepted, refused])
}

/// Does ProB's type checker accept the file?
pub fn types(shared: &Path) -> io::Result<Vec<Agreement>> {
    let mut kinds = [
        (Agreement::new("ok: 0", 99.0), "ok", 0),
        (Agreement::new("type_error: 151", 90.0), "type_error", 151),
        (
            Agreement::new("reference_error: 151", 90.0),
            "reference_error",
            151,
        ),
    ];
    for row in table::read_csv(&shared.join("oracle/types.csv"))? {
        let path = &row["path"];
        for (agreement, outcome, exit) in &mut kinds {
            if row["outcome"] == *outcome {
                let answer = lint::file(&shared.join("corpus/sets").join(path));
                agreement.count(answer.exit == *exit, || {
                    let theirs = row.get("message").map_or("", String::as_str);
                    format!("{} (ProB: {theirs})", describe(path, &answer))
                });
            }
        }
    }
    Ok(kinds.into_iter().map(|(agreement, ..)| agreement).collect())
}

/// Are the well-behaved models of the corpus accepted, as far as all their machines are there?
pub fn grade_a(shared: &Path) -> io::Result<Vec<Agreement>> {
    let mut accepted = Agreement::new("classical B, grade A: 0", 99.5);
    for row in table::read_csv(&shared.join("corpus/sets.csv"))? {
        if row["language"] != "classical B" || row["grade"] != "A" {
            continue;
        }
        let path = &row["path"];
        let answer = lint::file(&shared.join("corpus/sets").join(path));
        if !answer.has(MACHINE_NOT_FOUND) {
            accepted.count(answer.exit == 0, || describe(path, &answer));
        }
    }
    Ok(vec![accepted])
}

/// A model that refers to a machine that nobody has says nothing about the front end.
const MACHINE_NOT_FOUND: &str = "B0210";

/// Are formulas accepted and refused as ProB does, in the context of one machine?
pub fn expressions(shared: &Path) -> io::Result<Vec<Agreement>> {
    let mut kinds = [
        (Agreement::new("expression: 0", 100.0), 0),
        (Agreement::new("predicate: 0", 100.0), 0),
        (Agreement::new("undefined: 0", 100.0), 0),
        (Agreement::new("type_error: 151", 99.0), 151),
        (Agreement::new("syntax_error: 150", 99.0), 150),
    ];
    let mut sources = Sources::new();
    let context = shared.join("oracle/context.mch");
    let mut checked = lang_b::check::check_file(&context, &mut sources);
    for row in table::read_tsv(&shared.join("oracle/expressions.tsv"))? {
        let text = &row["text"];
        for (agreement, exit) in &mut kinds {
            if !agreement.kind.starts_with(&format!("{}:", row["kind"])) {
                continue;
            }
            let answer = lint::caught(|| {
                let formula = checked.check_formula(text, &mut sources);
                lint::answer(&formula.diagnostics, &sources)
            })
            .unwrap_or_else(lint::panicked);
            agreement.count(answer.exit == *exit, || {
                format!("{} {}", row["id"], describe(text, &answer))
            });
        }
    }
    Ok(kinds.into_iter().map(|(agreement, _)| agreement).collect())
}

fn describe(what: &str, answer: &Answer) -> String {
    format!("{what}\n    {} {}", answer.exit, answer.first)
}

/// Runs a comparison; `None`, with a word to the user, when there is nothing to compare with.
pub fn run(comparison: Comparison) -> Option<io::Result<Vec<Agreement>>> {
    places::shared().map(|shared| comparison(&shared))
}
