//! Measures what `check` chooses by itself beside what could be chosen by hand, on thirty models of all sizes.
//!
//! The models are a fixed sample of the shared survey: its finished rows in the order of their states, one of every few.
//! The best by hand is the least CPU time of the ways below that come to the same verdict.

use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

use super::peers::{median, number};
use crate::corpus::time::measure_within;
use crate::places;
use crate::table::read_csv;

/// So many models.
const MODELS: usize = 30;

/// What could be chosen by hand.
const WAYS: [(&str, &[&str]); 4] = [
    (
        "all states",
        &["--engine", "explicit", "--symmetry", "off", "--por", "off"],
    ),
    (
        "symmetry",
        &[
            "--engine",
            "explicit",
            "--symmetry",
            "exact",
            "--por",
            "off",
        ],
    ),
    (
        "partial order",
        &[
            "--engine",
            "explicit",
            "--symmetry",
            "off",
            "--por",
            "stubborn",
        ],
    ),
    ("diagrams", &["--engine", "symbolic"]),
];

/// A model with all ways to check it.
pub struct Row {
    name: String,
    states: u64,
    /// The verdict and CPU seconds by default.
    chosen: Option<(String, f64)>,
    /// The best way by hand.
    best: Option<(&'static str, f64)>,
}

impl Row {
    /// Whether the default came to a verdict where some way did.
    pub fn is_good(&self) -> bool {
        self.best.is_none() || self.ratio().is_some()
    }

    fn ratio(&self) -> Option<f64> {
        let (verdict, chosen) = self.chosen.as_ref()?;
        let (_, best) = self.best?;
        // Below that the clock of the system tells nothing.
        (verdict != "open").then(|| chosen.max(0.01) / best.max(0.01))
    }
}

/// Measures the models whose name contains `only`; a run that takes longer than `limit` has failed.
///
/// # Errors
/// The survey is not there.
pub fn run(binary: &Path, only: Option<&str>, limit: Duration) -> Result<Vec<Row>, String> {
    let shared = places::shared().ok_or("the shared folder is not there")?;
    let mut models = read_csv(&shared.join("bench/survey.csv")).map_err(|why| why.to_string())?;
    models.retain(|record| number(record, "states") > 0);
    models.sort_by_key(|record| number(record, "states"));
    let stride = models.len().div_ceil(MODELS).max(1);
    let mut rows = Vec::new();
    for record in models.iter().step_by(stride) {
        let path = shared.join("corpus/sets").join(&record["path"]);
        let name = super::peers::stem(&path);
        if only.is_some_and(|only| !name.contains(only)) {
            continue;
        }
        let chosen = check(binary, &path, &[], limit);
        let ways = WAYS.iter().filter_map(|(way, options)| {
            let (verdict, seconds) = check(binary, &path, options, limit)?;
            let is_same = chosen.as_ref().is_none_or(|(known, _)| *known == verdict);
            (verdict != "open" && is_same).then_some((*way, seconds))
        });
        let best = ways.min_by(|one, other| one.1.total_cmp(&other.1));
        let row = Row {
            name,
            states: number(record, "states"),
            chosen,
            best,
        };
        eprintln!("{}: {:.2}", row.name, row.ratio().unwrap_or(f64::NAN));
        rows.push(row);
    }
    Ok(rows)
}

/// The verdict and the CPU seconds of one run.
fn check(binary: &Path, path: &Path, options: &[&str], limit: Duration) -> Option<(String, f64)> {
    let mut command = Command::new(binary);
    command
        .arg("check")
        .arg(path)
        .args(["--json", "--progress", "never"])
        .args(options)
        .stdout(Stdio::piped());
    let (cost, output) = measure_within(&mut command, limit).ok()?;
    let report: serde_json::Value = serde_json::from_str(&output).ok()?;
    let verdict = report["verdict"].as_str()?.to_owned();
    Some((verdict, cost.cpu.as_secs_f64()))
}

/// The rows as a Markdown table.
pub fn text(rows: &[Row]) -> String {
    let mut out = String::from(
        "| model | states | by default, CPU s | best by hand | CPU s | ratio |\n|---|---|---|---|---|---|\n",
    );
    for row in rows {
        let chosen = row.chosen.as_ref();
        let chosen = chosen.map_or("not finished".to_owned(), |(_, cpu)| format!("{cpu:.2}"));
        let (way, best) = match row.best {
            Some((way, seconds)) => (way, format!("{seconds:.2}")),
            None => ("none", String::new()),
        };
        let ratio = row.ratio().map(|ratio| format!("{ratio:.2}"));
        let _ = writeln!(
            out,
            "| {} | {} | {chosen} | {way} | {best} | {} |",
            row.name,
            row.states,
            ratio.unwrap_or_default()
        );
    }
    let mut ratios: Vec<f64> = rows.iter().filter_map(Row::ratio).collect();
    let largest = ratios.iter().copied().fold(0.0, f64::max);
    if let Some(median) = median(&mut ratios) {
        let _ = writeln!(out, "\nMedian ratio {median:.2}, largest {largest:.2}.");
    }
    out
}
