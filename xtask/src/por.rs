//! Holds partial order reduction to the corpus: the same verdicts as without it, and no more states than ProB's.
//!
//! *Counts*: models for which ProB's ample sets were counted while only deadlocks were looked for; states and set-ups of
//! ours must not be more. *Verdicts*: models that are explored soon without reduction; deadlocks and invariants must be
//! found with every method exactly when there are any.
//! Invariant: a run that a limit ended is no agreement, and no disagreement about a verdict either.

use serde_json::Value;

use crate::sweep::{Over, Tally, cell, is_limited};
use crate::table::{Record, read_csv};

/// What to compare.
#[derive(Debug)]
pub struct Plan<'p> {
    /// The models, and what runs them.
    pub over: Over<'p>,
    /// Of every so many models one is tried with both precisions and both orders.
    pub sample: usize,
    /// Which part of the models, of how many.
    pub part: (usize, usize),
}

/// The methods that are compared.
const METHODS: [&str; 3] = ["ample", "stubborn", "deletion"];

/// Compares counts: for each method how often states and set-ups are not more than ProB's.
///
/// # Errors
/// The tables cannot be read.
pub fn counts(plan: &Plan<'_>) -> std::io::Result<Vec<(&'static str, Tally)>> {
    let facts = read_csv(&plan.over.shared.join("oracle/facts.csv"))?;
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
            let report = plan.over.check(path, &options);
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
            let Some(full) = plan.over.check(path, &plain) else {
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
                let Some(reduced) = plan.over.check(path, &options) else {
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
    let all = plan.over.check(path, &options);
    all.is_some_and(|all| {
        let findings = all["findings"].as_array();
        findings.is_some_and(|list| list.iter().any(|found| found["kind"] == first(reduced)))
    })
}

/// The grade A models of the corpus that belong to the part.
fn models(plan: &Plan<'_>) -> std::io::Result<Vec<Record>> {
    let (part, parts) = plan.part;
    let rows = plan.over.grade_a()?.into_iter().enumerate();
    let rows = rows.filter(|(at, _)| at % parts == part);
    Ok(rows.map(|(_, row)| row).collect())
}
