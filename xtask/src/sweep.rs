//! What comparisons over the corpus share: run the product, read its report, count agreements.
//!
//! Invariant: a run that a limit ended is told from a complete one; what that means for a comparison is its caller's.

use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::table::Record;

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
    /// Counts a comparison; `line` tells of one that failed.
    pub fn add(&mut self, agrees: bool, line: impl FnOnce() -> String) {
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

/// A cell of a table; empty when there is none.
pub fn cell<'r>(row: &'r Record, column: &str) -> &'r str {
    row.get(column).map_or("", String::as_str)
}

/// Whether a limit ended the run.
pub fn is_limited(report: &Value) -> bool {
    let reasons = report["open_because"].as_array();
    reasons.is_some_and(|reasons| {
        reasons.iter().any(|reason| {
            let text = reason.as_str().unwrap_or_default();
            text.contains("limit on")
        })
    })
}

/// The report of an explicit run that may take so many seconds; `None` when there is none.
pub fn check(binary: &Path, file: &Path, seconds: f64, options: &[&str]) -> Option<Value> {
    let output = Command::new(binary)
        .arg("check")
        .arg(file)
        .args(["--json", "--engine", "explicit"])
        .args(["--max-time", &seconds.to_string()])
        .args(options)
        .stdin(Stdio::null())
        .stderr(Stdio::null())
        .output()
        .ok()?;
    serde_json::from_slice(&output.stdout).ok()
}
