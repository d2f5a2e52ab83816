//! Holds symmetry reduction to the corpus: all exact methods find the same orbits, and orbits add up to the plain space.
//!
//! *Orbits*: `exact`, `canonical` and, while there are few permutations, `flood` count the same states, set-ups and
//! transitions; `markers` never more states, and the same when they say that they are precise. *Sums*: the sizes of the
//! orbits add up to the states and set-ups of a run without reduction. *Beside*: where ProB counted other orbits, which is
//! listed, because flooding and the sums are the judges.
//! Invariant: a run that a limit ended takes part in no comparison.

use serde_json::Value;

use crate::sweep::{Over, Tally, cell, is_limited};
use crate::table::read_csv;

/// What to compare.
#[derive(Debug)]
pub struct Plan {
    /// The models, and what runs them.
    pub over: Over,
    /// The models that ProB counted only, not all of grade A.
    pub is_short: bool,
}

/// What was found.
#[derive(Debug, Default)]
pub struct Found {
    /// Models with interchangeable elements that exact methods explored completely.
    pub reduced: usize,
    /// Methods against each other.
    pub orbits: Tally,
    /// Sums of orbit sizes against plain counts.
    pub sums: Tally,
    /// Counts of ProB's that are not the number of orbits.
    pub beside: Vec<String>,
}

/// Flooding takes part up to so many permutations.
const FEW: u128 = 5_040;

/// Compares all methods on all models.
///
/// # Errors
/// The tables cannot be read.
pub fn compare(plan: &Plan) -> std::io::Result<Found> {
    let mut found = Found::default();
    let counted = read_csv(&plan.over.shared.join("oracle/prob_counts.csv"))?;
    let mut paths: Vec<String> = counted
        .iter()
        .map(|row| cell(row, "path").to_owned())
        .collect();
    if !plan.is_short {
        let all = plan.over.grade_a()?;
        paths.extend(all.iter().map(|row| cell(row, "path").to_owned()));
    }
    paths.sort();
    paths.dedup();
    paths.retain(|path| plan.over.is_meant(path));
    let ask = |_, path: &String| {
        let row = counted.iter().find(|row| cell(row, "path") == path);
        let by_prob = row.map(|row| (cell(row, "hash_nodes"), cell(row, "nauty_nodes")));
        model(plan, path, by_prob)
    };
    plan.over.each(&paths, ask, |_, other| {
        found.reduced += other.reduced;
        found.orbits.merge(other.orbits);
        found.sums.merge(other.sums);
        found.beside.extend(other.beside);
    });
    Ok(found)
}

fn model(plan: &Plan, path: &str, by_prob: Option<(&str, &str)>) -> Found {
    let mut found = Found::default();
    let Some(exact) = run(plan, path, "exact") else {
        return found;
    };
    let sorts = &exact["reductions"]["symmetry"]["sorts"];
    let sizes = sorts.as_object().into_iter().flatten();
    let sizes: Vec<u128> = sizes.filter_map(|(_, size)| number(size)).collect();
    if sizes.is_empty() {
        return found;
    }
    found.reduced += 1;
    let counts = |report: &Value| {
        ["states", "setups", "transitions"].map(|key| number(&report["statistics"][key]))
    };
    let orbits = counts(&exact);
    let permutations = sizes.iter().try_fold(1u128, |product, size| {
        (1..=*size).try_fold(product, u128::checked_mul)
    });
    let mut methods = vec!["canonical", "markers"];
    if permutations.is_some_and(|count| count <= FEW) {
        methods.push("flood");
    }
    for method in methods {
        let Some(other) = run(plan, path, method) else {
            continue;
        };
        let others = counts(&other);
        let may_be_fewer = other["reductions"]["symmetry"]["precise"] == false;
        let agrees = match may_be_fewer {
            true => others[0] <= orbits[0] && others[1] <= orbits[1],
            false => others == orbits,
        };
        found.orbits.add(agrees, || {
            format!("{path}: {method} {others:?}, exact {orbits:?}")
        });
    }
    let told = &exact["reductions"]["symmetry"];
    let is_ended = told["states"].is_null() && !told["states_at_least"].is_null();
    if !is_ended && let Some(plain) = run(plan, path, "off") {
        let sums = [&told["states"], &told["setups"]].map(|sum| number(sum).unwrap_or(0));
        let whole = counts(&plain).map(|count| count.unwrap_or(0));
        let agrees = sums == whole[..2];
        found.sums.add(agrees, || {
            format!("{path}: orbits of {sums:?} states and set-ups, plain {whole:?}")
        });
    }
    let nodes = number(&exact["statistics"]["nodes"]);
    if let Some((hash, nauty)) = by_prob {
        let differs = |count: &str| !count.is_empty() && count.parse().ok() != nodes;
        if differs(hash) || differs(nauty) {
            let nodes = nodes.unwrap_or(0);
            let line = format!("{path}: {nodes} nodes; ProB: hash {hash}, nauty {nauty}");
            found.beside.push(line);
        }
    }
    found
}

/// The report of a complete run with this method.
fn run(plan: &Plan, path: &str, method: &str) -> Option<Value> {
    let checks = ["--no-invariant", "--no-deadlock", "--no-assertions"];
    let ways = ["--wd", "lenient", "--por", "off", "--symmetry", method];
    let report = plan.over.explicit(path, &[&checks[..], &ways].concat())?;
    let is_whole = !is_limited(&report)
        && report["verdict"] != "error"
        && report["findings"].as_array().is_some_and(Vec::is_empty);
    is_whole.then_some(report)
}

/// A count, which is a text when it is large.
fn number(value: &Value) -> Option<u128> {
    match value {
        Value::String(text) => text.parse().ok(),
        value => value.as_u64().map(u128::from),
    }
}
