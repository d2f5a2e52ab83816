//! What comparisons over the corpus share: run the product, read its report, count agreements.
//!
//! Invariant: a run that a limit ended is told from a complete one; what that means for a comparison is its caller's.

use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::table::{Record, read_csv};

/// Which models are looked at, and with what.
#[derive(Debug)]
pub struct Over<'p> {
    /// The shared folder.
    pub shared: &'p Path,
    /// The product.
    pub binary: &'p Path,
    /// How long one run may take.
    pub seconds: f64,
    /// Only models whose path contains this.
    pub paths: Option<&'p str>,
}

impl Over<'_> {
    /// The rows of the models of grade A.
    ///
    /// # Errors
    /// The table cannot be read.
    pub fn grade_a(&self) -> std::io::Result<Vec<Record>> {
        let mut rows = read_csv(&self.shared.join("corpus/sets.csv"))?;
        rows.retain(|row| cell(row, "grade") == "A" && self.is_meant(cell(row, "path")));
        Ok(rows)
    }

    /// Whether the model of this path is looked at.
    pub fn is_meant(&self, path: &str) -> bool {
        self.paths.is_none_or(|part| path.contains(part))
    }

    /// The report of an explicit run; `None` when there is none.
    pub fn check(&self, path: &str, options: &[&str]) -> Option<Value> {
        let output = Command::new(self.binary)
            .arg("check")
            .arg(self.shared.join("corpus/sets").join(path))
            .args(["--json", "--engine", "explicit"])
            .args(["--max-time", &self.seconds.to_string()])
            .args(options)
            .stdin(Stdio::null())
            .stderr(Stdio::null())
            .output()
            .ok()?;
        serde_json::from_slice(&output.stdout).ok()
    }
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
