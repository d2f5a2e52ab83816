//! Holds partial order reduction to the corpus: the same verdicts as without it, and no more states than ProB's.
//!
//! *Counts*: models for which ProB's ample sets were counted while only deadlocks were looked for; states and set-ups of
//! ours must not be more. *Verdicts*: models that are explored soon without reduction; deadlocks and invariants must be
//! found with every method exactly when there are any.
//! Invariant: a run that a limit ended is no agreement.

use serde_json::Value;

use crate::sweep::{Over, Tally, cell, is_limited};
use crate::table::{Record, read_csv};

/// What to compare.
#[derive(Debug)]
pub struct Plan {
    /// The models, and what runs them.
    pub over: Over,
    /// Of every so many models one is tried with both precisions and both orders.
    pub sample: usize,
}

/// The methods that are compared.
const METHODS: [&str; 3] = ["ample", "stubborn", "deletion"];

/// Compares counts: for each method how often states and set-ups are not more than ProB's.
///
/// # Errors
/// The tables cannot be read.
pub fn counts(plan: &Plan) -> std::io::Result<Vec<(&'static str, Tally)>> {
    let facts = read_csv(&plan.over.shared.join("oracle/facts.csv"))?;
    let usable: std::collections::HashSet<&str> = facts
        .iter()
        .filter(|row| cell(row, "use") == "yes")
        .map(|row| cell(row, "path"))
        .collect();
    let mut rows = plan.over.grade_a()?;
    rows.retain(|row| {
        let is_counted = wanted(row).is_some() && cell(row, "caution").is_empty();
        is_counted && usable.contains(cell(row, "path"))
    });
    let mut tallies = METHODS.map(|method| (method, Tally::default()));
    let ask = |_, row: &Record| METHODS.map(|method| count(plan, row, method));
    plan.over.each(&rows, ask, |_, found| {
        for ((_, tally), found) in tallies.iter_mut().zip(found) {
            tally.merge(found);
        }
    });
    Ok(tallies.into())
}

/// How many states ProB's ample sets visit.
fn wanted(row: &Record) -> Option<u64> {
    let first = cell(row, "por_deadlock").split('/').next()?;
    first.parse().ok()
}

/// Compares the count of one model by one method.
fn count(plan: &Plan, row: &Record, method: &str) -> Tally {
    let path = cell(row, "path");
    let options = ["--no-invariant", "--symmetry", "off", "--por", method];
    let report = plan.over.explicit(path, &options);
    let report = report.filter(|report| !is_limited(report));
    let count = report.map(|report| {
        let count = |key: &str| report["statistics"][key].as_u64();
        count("states").unwrap_or(u64::MAX) + count("setups").unwrap_or(0)
    });
    let mut tally = Tally {
        states: count.unwrap_or(0),
        models: (1, 0),
        ..Tally::default()
    };
    let wanted = wanted(row).unwrap_or(0);
    let agrees = count.is_some_and(|count| count <= wanted);
    tally.add(agrees, || format!("{path}: {count:?}, ProB {wanted}"));
    tally
}

/// Compares verdicts: for each way how often the same kinds of findings exist as without reduction.
///
/// # Errors
/// The tables cannot be read.
pub fn verdicts(plan: &Plan) -> std::io::Result<Tally> {
    let mut tally = Tally::default();
    let rows = plan.over.grade_a()?;
    let ask = |at: usize, row: &Record| {
        let is_sample = at.is_multiple_of(plan.sample);
        verdict(plan, cell(row, "path"), is_sample)
    };
    plan.over.each(&rows, ask, |_, found| tally.merge(found));
    Ok(tally)
}

/// What is checked: deadlocks alone, and all but deadlocks.
const CHECKS: [&[&str]; 2] = [&["--no-invariant", "--no-assertions"], &["--no-deadlock"]];

/// How much longer a reduced run may take than one without reduction.
const PATIENCE: f64 = 20.0;

/// Compares the verdicts on one model.
fn verdict(plan: &Plan, path: &str, is_sample: bool) -> Tally {
    let mut tally = Tally::default();
    let precisions: [&[&str]; 2] = [&[], &["--dependence", "syntactic"]];
    let orders: [&[&str]; 2] = [&[], &["--search", "dfs"]];
    let variants = if is_sample { 2 } else { 1 };
    for checks in CHECKS {
        let plain = [checks, &["--symmetry", "off", "--por", "off"]].concat();
        let full = plan.over.explicit(path, &plain);
        let Some(full) = full.filter(|full| !is_limited(full) && full["verdict"] != "error") else {
            continue;
        };
        tally.models = (1, usize::from(is_sample));
        for method in METHODS {
            for precision in &precisions[..variants] {
                for order in &orders[..variants] {
                    let way = [checks, &["--por", method], precision, order].concat();
                    let options = [&way[..], &["--symmetry", "off"]].concat();
                    let seconds = plan.over.seconds * PATIENCE;
                    let reduced = plan.over.explicit_within(seconds, path, &options);
                    let reduced = reduced.filter(|reduced| !is_limited(reduced));
                    let agrees = reduced
                        .as_ref()
                        .is_some_and(|reduced| is_same(plan, path, &plain, (&full, reduced)));
                    tally.add(agrees, || {
                        let reduced = reduced.map_or(Value::Null, |r| r["verdict"].clone());
                        let (way, full) = (way.join(" "), &full["verdict"]);
                        format!("{path} {way}: {reduced}, without reduction {full}")
                    });
                }
            }
        }
    }
    tally
}

/// Whether both found something or nothing; and what the reduced one found is there.
fn is_same(plan: &Plan, path: &str, plain: &[&str], (full, reduced): (&Value, &Value)) -> bool {
    if full["verdict"] != reduced["verdict"] {
        return false;
    }
    let first = |report: &Value| report["findings"][0]["kind"].clone();
    if first(full) == first(reduced) {
        return true;
    }
    let options = [plain, &["--all-findings", "1000"]].concat();
    let all = plan.over.explicit(path, &options);
    all.is_some_and(|all| {
        let findings = all["findings"].as_array();
        findings.is_some_and(|list| list.iter().any(|found| found["kind"] == first(reduced)))
    })
}
