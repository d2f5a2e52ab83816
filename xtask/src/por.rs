//! Holds partial order reduction to the corpus: the same verdicts as without it, and no more states than ProB's.
//!
//! *Counts*: models for which ProB's ample sets were counted while only deadlocks were looked for; states and set-ups of
//! ours must not be more. *Verdicts*: models that are explored soon without reduction; deadlocks and invariants must be
//! found with every method exactly when there are any.
//! Invariant: a run that a limit ended is no agreement, and no disagreement about a verdict either.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::table::{Record, read_csv};

/// What to compare.
#[derive(Debug)]
pub struct Plan<'p> {
    /// The shared folder.
    pub shared: &'p Path,
    /// The product.
    pub binary: &'p Path,
    /// How long one run may take.
    pub seconds: f64,
    /// Only models whose path contains this.
    pub paths: Option<&'p str>,
    /// Of every so many models one is tried with both precisions and both orders.
    pub sample: usize,
    /// Which part of the models, of how many.
    pub part: (usize, usize),
}

/// How many agreed, of how many, and what did not.
#[derive(Debug, Default)]
pub struct Tally {
    /// Agreements.
    pub agreed: usize,
    /// Comparisons.
    pub of: usize,
    /// States of the runs that ended, where they are counted.
    pub states: u64,
    /// Models, and of these those of the sample.
    pub models: (usize, usize),
    /// Lines about the others.
    pub others: Vec<String>,
}

impl Tally {
    fn add(&mut self, agrees: bool, line: impl FnOnce() -> String) {
        self.of += 1;
        if agrees {
            self.agreed += 1;
        } else {
            self.others.push(line());
        }
    }

    /// The share of agreements, in percent.
    pub fn percent(&self) -> f64 {
        100.0 * self.agreed as f64 / self.of.max(1) as f64
    }
}

/// The methods that are compared.
const METHODS: [&str; 3] = ["ample", "stubborn", "deletion"];

/// Compares counts: for each method how often states and set-ups are not more than ProB's.
///
/// # Errors
/// The tables cannot be read.
pub fn counts(plan: &Plan<'_>) -> std::io::Result<Vec<(&'static str, Tally)>> {
    let facts = read_csv(&plan.shared.join("oracle/facts.csv"))?;
    let usable: std::collections::HashSet<&str> = facts
        .iter()
        .filter(|row| cell(row, "use") == "yes")
        .map(|row| cell(row, "path"))
        .collect();
    let mut tallies: Vec<(&'static str, Tally)> =
        METHODS.map(|method| (method, Tally::default())).into();
    for row in models(plan)? {
        let path = cell(&row, "path");
        let wanted = cell(&row, "por_deadlock").split('/').next();
        let Some(wanted) = wanted.and_then(|count| count.parse::<u64>().ok()) else {
            continue;
        };
        if !usable.contains(path) || !cell(&row, "caution").is_empty() {
            continue;
        }
        for (method, tally) in &mut tallies {
            let options = ["--no-invariant", "--symmetry", "off", "--por", method];
            let report = check(plan, path, &options);
            let count = report.as_ref().map(|report| {
                let statistics = &report["statistics"];
                statistics["states"].as_u64().unwrap_or(u64::MAX)
                    + statistics["setups"].as_u64().unwrap_or(0)
            });
            let is_whole = report.as_ref().is_some_and(|report| !is_limited(report));
            let agrees = is_whole && count.is_some_and(|count| count <= wanted);
            tally.states += count.filter(|_| is_whole).unwrap_or(0);
            tally.models.0 += 1;
            tally.add(agrees, || format!("{path}: {count:?}, ProB {wanted}"));
        }
    }
    Ok(tallies)
}

/// Compares verdicts: for each way how often the same kinds of findings exist as without reduction.
///
/// # Errors
/// The tables cannot be read.
pub fn verdicts(plan: &Plan<'_>) -> std::io::Result<Tally> {
    let mut tally = Tally::default();
    for row in models(plan)? {
        let path = cell(&row, "path");
        let is_sample = tally.models.0.is_multiple_of(plan.sample);
        let mut is_explored = false;
        for checks in [
            &["--no-invariant", "--no-assertions"][..],
            &["--no-deadlock"],
        ] {
            let plain = [checks, &["--symmetry", "off", "--por", "off"]].concat();
            let Some(full) = check(plan, path, &plain) else {
                continue;
            };
            if is_limited(&full) || full["verdict"] == "error" {
                continue;
            }
            is_explored = true;
            let mut ways: Vec<Vec<&str>> = METHODS.map(|m| vec!["--por", m]).into();
            if is_sample {
                for method in METHODS {
                    for more in [
                        &["--dependence", "syntactic"][..],
                        &["--search", "dfs"],
                        &["--dependence", "syntactic", "--search", "dfs"],
                    ] {
                        ways.push([&["--por", method], more].concat());
                    }
                }
            }
            for way in ways {
                let options = [checks, &["--symmetry", "off"], &way].concat();
                let Some(reduced) = check(plan, path, &options) else {
                    continue;
                };
                if is_limited(&reduced) {
                    continue;
                }
                let agrees = is_same(plan, path, &plain, (&full, &reduced));
                let way = [checks, &way].concat().join(" ");
                tally.add(agrees, || {
                    let (full, reduced) = (&full["verdict"], &reduced["verdict"]);
                    format!("{path} {way}: {reduced}, without reduction {full}")
                });
            }
        }
        tally.models.0 += usize::from(is_explored);
        tally.models.1 += usize::from(is_explored && is_sample);
    }
    Ok(tally)
}

/// Whether both found something or nothing; and what the reduced one found is there.
fn is_same(plan: &Plan<'_>, path: &str, plain: &[&str], (full, reduced): (&Value, &Value)) -> bool {
    if full["verdict"] != reduced["verdict"] {
        return false;
    }
    let first = |report: &Value| report["findings"][0]["kind"].clone();
    if first(full) == first(reduced) {
        return true;
    }
    let options = [plain, &["--all-findings", "1000"]].concat();
    let all = check(plan, path, &options);
    all.is_some_and(|all| {
        let findings = all["findings"].as_array();
        findings.is_some_and(|list| list.iter().any(|found| found["kind"] == first(reduced)))
    })
}

/// The grade A models of the corpus.
fn models(plan: &Plan<'_>) -> std::io::Result<Vec<Record>> {
    let rows = read_csv(&plan.shared.join("corpus/sets.csv"))?;
    let is_meant = |row: &Record| {
        cell(row, "grade") == "A"
            && plan
                .paths
                .is_none_or(|part| cell(row, "path").contains(part))
    };
    let (part, parts) = plan.part;
    let rows = rows.into_iter().filter(is_meant).enumerate();
    let rows = rows.filter(|(at, _)| at % parts == part);
    Ok(rows.map(|(_, row)| row).collect())
}

fn cell<'r>(row: &'r Record, column: &str) -> &'r str {
    row.get(column).map_or("", String::as_str)
}

/// Whether a limit ended the run.
fn is_limited(report: &Value) -> bool {
    let reasons = report["open_because"].as_array();
    reasons.is_some_and(|reasons| {
        reasons.iter().any(|reason| {
            let text = reason.as_str().unwrap_or_default();
            text.contains("limit on")
        })
    })
}

/// The report of a run; `None` when there is none.
fn check(plan: &Plan<'_>, path: &str, options: &[&str]) -> Option<Value> {
    let file: PathBuf = plan.shared.join("corpus/sets").join(path);
    let output = Command::new(plan.binary)
        .arg("check")
        .arg(file)
        .args(["--json", "--engine", "explicit"])
        .args(["--max-time", &plan.seconds.to_string()])
        .args(options)
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .ok()?;
    serde_json::from_slice(&output.stdout).ok()
}
