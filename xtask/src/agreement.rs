//! Holds the symbolic engine to the explicit one on the models of the shared corpus.
//!
//! Both are asked twice: with all checks until the first finding, and, if there is one, on without looking for
//! deadlocks. They must agree in the verdict, the least depth of a finding, the names of what is violated, and, where
//! they explore all there is, in the numbers of states and set-ups.
//! Invariant: a model that the explicit engine does not finish in time says nothing, and is counted as such.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::table;

/// What to compare.
#[derive(Debug)]
pub struct Plan<'p> {
    /// The shared folder.
    pub shared: &'p Path,
    /// The product.
    pub binary: &'p Path,
    /// Only models whose path contains this.
    pub paths: Option<&'p str>,
    /// Every so many-th model only.
    pub every: usize,
    /// How long the explicit engine may take; the symbolic engine may take five times as long.
    pub seconds: u32,
}

/// How many models there were.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Both engines say the same.
    pub agreed: usize,
    /// They do not.
    pub differ: usize,
    /// The explicit engine did not finish, or the model cannot be run.
    pub skipped: usize,
    /// The symbolic engine did not finish.
    pub slow: usize,
}

/// What one engine says of a model.
#[derive(Debug, PartialEq, Eq)]
struct Answer {
    verdict: String,
    depth: Option<usize>,
    /// States, set-ups and the names of what is violated, unless the run ended because it found enough.
    whole: Option<(String, String, BTreeSet<String>)>,
}

/// What a run checks, and the number of findings after which it ends.
const ROUNDS: [(&[&str], usize); 2] = [(&[], 1), (&["--no-deadlock"], 100)];

/// Compares model by model and prints where they differ.
///
/// # Errors
/// The table of models cannot be read.
pub fn run(plan: &Plan<'_>) -> std::io::Result<Tally> {
    let mut tally = Tally::default();
    let mut models: Vec<String> = Vec::new();
    for row in table::read_csv(&plan.shared.join("corpus/sets.csv"))? {
        let path = &row["path"];
        if row["grade"] == "A" && plan.paths.is_none_or(|text| path.contains(text)) {
            models.push(path.clone());
        }
    }
    for path in models.iter().step_by(plan.every.max(1)) {
        let file = plan.shared.join("corpus/sets").join(path);
        match compare(plan, &file) {
            Compared::Agreed => tally.agreed += 1,
            Compared::Skipped => tally.skipped += 1,
            Compared::Slow => {
                tally.slow += 1;
                println!("slow     {path}");
            }
            Compared::Differ(answers) => {
                let [explicit, symbolic] = *answers;
                tally.differ += 1;
                println!("differs  {path}\n  explicit {explicit:?}\n  symbolic {symbolic:?}");
            }
        }
    }
    Ok(tally)
}

/// How the engines compare on one model.
enum Compared {
    Agreed,
    Differ(Box<[Answer; 2]>),
    Skipped,
    Slow,
}

fn compare(plan: &Plan<'_>, file: &Path) -> Compared {
    for (checks, findings) in ROUNDS {
        let engine = ["--engine", "explicit", "--symmetry", "off", "--por", "off"];
        let options = [&engine[..], checks].concat();
        let Some(explicit) = ask(plan, file, &options, findings, plan.seconds) else {
            return Compared::Skipped;
        };
        let options = [&["--engine", "symbolic", "--order", "bfs"], checks].concat();
        let Some(symbolic) = ask(plan, file, &options, findings, plan.seconds * 5) else {
            return Compared::Slow;
        };
        if explicit != symbolic {
            return Compared::Differ(Box::new([explicit, symbolic]));
        }
        if explicit.whole.is_some() {
            break;
        }
    }
    Compared::Agreed
}

/// What an engine says; `None` when it says nothing of the whole model.
fn ask(
    plan: &Plan<'_>,
    file: &Path,
    options: &[&str],
    findings: usize,
    seconds: u32,
) -> Option<Answer> {
    let output = Command::new(plan.binary)
        .arg("check")
        .arg(file)
        .args(["--json", "--progress", "never"])
        .args(["--all-findings", &findings.to_string()])
        .args(["--max-time", &seconds.to_string()])
        .args(["--max-memory", "2G"])
        .args(options)
        .output()
        .ok()?;
    answer(&serde_json::from_slice(&output.stdout).ok()?, findings)
}

fn answer(report: &Value, most: usize) -> Option<Answer> {
    let verdict = report["verdict"].as_str()?;
    let open = report["open_because"].as_array()?;
    let is_cut_short = |why: &Value| {
        let why = why.as_str().unwrap_or_default();
        why.contains("limit") || why.contains("interrupted") || why.contains("budget")
    };
    if verdict == "error" || open.iter().any(is_cut_short) {
        return None;
    }
    let findings = report["findings"].as_array()?;
    let depths = findings
        .iter()
        .filter_map(|f| Some(f["path"].as_array()?.len()));
    let name = |finding: &Value| {
        let part = |key: &str| finding[key].as_str().unwrap_or_default().to_owned();
        format!("{} {}", part("kind"), part("name"))
    };
    let counted = |key: &str| report["statistics"][key].to_string();
    let whole = || {
        let violated = findings.iter().map(name).collect();
        (counted("states"), counted("setups"), violated)
    };
    Some(Answer {
        verdict: verdict.to_owned(),
        depth: depths.min(),
        whole: (findings.len() < most).then(whole),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_answer_is_what_both_engines_must_agree_in() {
        let report = serde_json::json!({
            "verdict": "violated", "open_because": [],
            "findings": [{"kind": "invariant", "name": "inv2", "path": [1, 2, 3]},
                         {"kind": "invariant", "name": "inv2", "path": [1, 2]}],
            "statistics": {"states": 7, "setups": 0}});
        let all = answer(&report, 9).expect("an answer");
        assert_eq!(all.depth, Some(2));
        assert_eq!(all.whole.map(|(_, _, violated)| violated.len()), Some(1));
        let stopped = answer(&report, 2).expect("an answer");
        assert_eq!(stopped.whole, None);
    }

    #[test]
    fn a_run_that_was_cut_short_says_nothing() {
        let report = serde_json::json!({
            "verdict": "open", "open_because": ["the limit on time was reached"],
            "findings": [], "statistics": {"states": 7, "setups": 0}});
        assert_eq!(answer(&report, 1), None);
    }
}
