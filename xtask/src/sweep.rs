//! What comparisons over the corpus share: run the product on each model, read its report, count agreements.
//!
//! Invariants: a run that a limit ended is told from a complete one; what that means for a comparison is its caller's. What
//! is said of the models is said in their order, however many run at a time.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::table::{Record, read_csv};

/// Which models are looked at, and with what.
#[derive(Debug)]
pub struct Over {
    /// The shared folder.
    pub shared: PathBuf,
    /// The product.
    pub binary: PathBuf,
    /// How long one run may take.
    pub seconds: f64,
    /// Only models whose path contains this.
    pub paths: Option<String>,
    /// Of every so many models one.
    pub every: usize,
    /// How many models run at a time.
    pub jobs: usize,
}

/// How often a sweep says how far it is.
const PROGRESS: Duration = Duration::from_secs(60);

impl Over {
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
        self.paths.as_ref().is_none_or(|part| path.contains(part))
    }

    /// Asks about each model, several at a time, and hands the answers on in the order of the models.
    pub fn each<M: Sync, T: Send>(
        &self,
        models: &[M],
        ask: impl Fn(usize, &M) -> T + Sync,
        mut told: impl FnMut(&M, T) + Send,
    ) {
        let chosen: Vec<(usize, &M)> = models
            .iter()
            .enumerate()
            .step_by(self.every.max(1))
            .collect();
        let left = Mutex::new(chosen.iter().enumerate());
        let begun = Instant::now();
        let mut waiting: BTreeMap<usize, T> = BTreeMap::new();
        let mut next = 0;
        let mut said = begun;
        let tell = Mutex::new(|at: usize, answer: T| {
            waiting.insert(at, answer);
            while let Some(answer) = waiting.remove(&next) {
                told(chosen[next].1, answer);
                next += 1;
            }
            if said.elapsed() >= PROGRESS {
                said = Instant::now();
                let seconds = begun.elapsed().as_secs();
                eprintln!("{next} of {} models after {seconds} s", chosen.len());
            }
        });
        std::thread::scope(|scope| {
            for _ in 0..self.jobs.max(1) {
                scope.spawn(|| {
                    loop {
                        let taken = left.lock().expect("no thread panics").next();
                        let Some((at, (index, model))) = taken else {
                            break;
                        };
                        let answer = ask(*index, model);
                        (tell.lock().expect("no thread panics"))(at, answer);
                    }
                });
            }
        });
    }

    /// The report of an explicit run; `None` when there is none.
    pub fn explicit(&self, path: &str, options: &[&str]) -> Option<Value> {
        self.explicit_within(self.seconds, path, options)
    }

    /// The same with another limit on time.
    pub fn explicit_within(&self, seconds: f64, path: &str, options: &[&str]) -> Option<Value> {
        let options = [&["--engine", "explicit"], options].concat();
        self.check(seconds, Path::new(path), &options)
    }

    /// The report of a run on a model of the corpus; `None` when there is none.
    pub fn check(&self, seconds: f64, path: &Path, options: &[&str]) -> Option<Value> {
        let output = Command::new(&self.binary)
            .arg("check")
            .arg(self.shared.join("corpus/sets").join(path))
            .args(["--json", "--progress", "never", "--max-memory", "2G"])
            .args(["--max-time", &seconds.to_string()])
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

    /// Takes over what another tally counted.
    pub fn merge(&mut self, other: Tally) {
        self.agreed += other.agreed;
        self.of += other.of;
        self.states += other.states;
        self.models.0 += other.models.0;
        self.models.1 += other.models.1;
        self.others.extend(other.others);
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_come_in_the_order_of_the_models() {
        let over = Over {
            shared: PathBuf::new(),
            binary: PathBuf::new(),
            seconds: 1.0,
            paths: None,
            every: 2,
            jobs: 3,
        };
        let models: Vec<usize> = (0..100).collect();
        let mut told = Vec::new();
        let ask = |at: usize, model: &usize| (at, model * model);
        over.each(&models, ask, |model, answer| told.push((*model, answer)));
        let wanted: Vec<_> = (0..100).step_by(2).map(|n| (n, (n, n * n))).collect();
        assert_eq!(told, wanted);
    }
}
