//! Holds the symbolic engine to the explicit one on the models of the shared corpus.
//!
//! Both are asked twice: with all checks until the first finding, and, if there is one, on without looking for
//! deadlocks; the symbolic engine also with every set and function in parts. They must agree in the verdict, the least depth of a finding, the names of what is violated, and, where
//! they explore all there is, in the numbers of states and set-ups.
//! Invariant: a model that the explicit engine does not finish in time says nothing, and is counted as such.

use std::collections::BTreeSet;
use std::path::Path;

use serde_json::Value;

use crate::sweep::{Over, cell, is_limited};
use crate::table::Record;

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

/// An answer, and why it is open, which engines may say in different words.
struct Told {
    answer: Answer,
    because: String,
}

/// What a run checks, and the number of findings after which it ends.
const ROUNDS: [(&[&str], usize); 2] = [(&[], 1), (&["--no-deadlock"], 100)];

/// Compares model by model and prints where they differ.
///
/// # Errors
/// The table of models cannot be read.
pub fn run(over: &Over) -> std::io::Result<Tally> {
    let mut tally = Tally::default();
    let models = over.grade_a()?;
    let ask = |_, row: &Record| compare(over, cell(row, "path"));
    over.each(&models, ask, |row, compared| {
        let path = cell(row, "path");
        match compared {
            Compared::Agreed => tally.agreed += 1,
            Compared::Skipped => tally.skipped += 1,
            Compared::Slow => {
                tally.slow += 1;
                println!("slow     {path}");
            }
            Compared::Differ(answers) => {
                let [explicit, symbolic] = *answers;
                tally.differ += 1;
                println!("differs  {path}");
                for (engine, told) in [("explicit", explicit), ("symbolic", symbolic)] {
                    println!("  {engine} {:?} {}", told.answer, told.because);
                }
            }
        }
    });
    Ok(tally)
}

/// How the engines compare on one model.
enum Compared {
    Agreed,
    Differ(Box<[Told; 2]>),
    Skipped,
    Slow,
}

/// How much longer than the explicit engine the symbolic engine may take.
const PATIENCE: f64 = 5.0;

fn compare(over: &Over, path: &str) -> Compared {
    for (checks, most) in ROUNDS {
        let ask = |engine: &[&str], seconds: f64| {
            let most_text = most.to_string();
            let options = [engine, checks, &["--all-findings", &most_text]].concat();
            let report = over.check(seconds, Path::new(path), &options)?;
            Some(Told {
                answer: answer(&report, most)?,
                because: report["open_because"].to_string(),
            })
        };
        let engine = ["--engine", "explicit", "--symmetry", "off", "--por", "off"];
        let Some(explicit) = ask(&engine, over.seconds) else {
            return Compared::Skipped;
        };
        let engine = ["--engine", "symbolic", "--order", "bfs"];
        let Some(symbolic) = ask(&engine, over.seconds * PATIENCE) else {
            return Compared::Slow;
        };
        if explicit.answer != symbolic.answer {
            return Compared::Differ(Box::new([explicit, symbolic]));
        }
        // Everything in parts is a rewriting of the model, and may take too long.
        let engine = ["--engine", "symbolic", "--order", "bfs", "--split", "on"];
        if let Some(in_parts) = ask(&engine, over.seconds)
            && explicit.answer != in_parts.answer
        {
            return Compared::Differ(Box::new([explicit, in_parts]));
        }
        if explicit.answer.whole.is_some() {
            break;
        }
    }
    Compared::Agreed
}

/// What an engine says; `None` when it says nothing of the whole model.
fn answer(report: &Value, most: usize) -> Option<Answer> {
    let verdict = report["verdict"].as_str()?;
    if verdict == "error" || is_limited(report) {
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
