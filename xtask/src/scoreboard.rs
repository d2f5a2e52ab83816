//! Holds the checker to the models whose state spaces it has once reproduced exactly.
//!
//! The comparison itself is a script of the shared folder: it explores every model of a table of facts and
//! counts those where states and transitions are those of ProB. `tests/scoreboard.csv` remembers how many.
//! Invariant: a count in that file is never lowered by this program.

use std::fmt;
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// The language of the facts that are compared.
const LANGUAGE: &str = "classical B";

/// What to compare.
#[derive(Debug)]
pub struct Plan<'p> {
    /// The shared folder.
    pub shared: &'p Path,
    /// The product.
    pub binary: &'p Path,
    /// The kind of facts: `yes`, `clamped` or `static`.
    pub kind: &'p str,
    /// Only models whose path contains this.
    pub paths: Option<&'p str>,
    /// How long one model may take.
    pub seconds: u32,
    /// How many models run at a time.
    pub jobs: u32,
}

/// How many facts were reproduced exactly.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Score {
    /// Reproduced exactly.
    pub exact: u32,
    /// All.
    pub of: u32,
}

impl fmt::Display for Score {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let share = 100.0 * f64::from(self.exact) / f64::from(self.of.max(1));
        write!(f, "{} of {} ({share:.1} %)", self.exact, self.of)
    }
}

impl Score {
    /// Whether a smaller share was reproduced than before.
    pub fn is_below(self, before: Score) -> bool {
        u64::from(self.exact) * u64::from(before.of) < u64::from(before.exact) * u64::from(self.of)
    }
}

/// Runs the comparison and prints what it prints.
///
/// # Errors
/// The script could not be run, or did not end with a score.
pub fn run(plan: &Plan<'_>) -> Result<Score, String> {
    let mut command = Command::new("python3");
    command
        .arg(plan.shared.join("oracle/scoreboard.py"))
        .args(["--language", LANGUAGE, "--use", plan.kind])
        .args(["--seconds", &plan.seconds.to_string()])
        .args(["--jobs", &plan.jobs.to_string()]);
    if let Some(paths) = plan.paths {
        command.args(["--paths", paths]);
    }
    let mut child = command
        .arg("--")
        .arg(plan.binary)
        .stdout(Stdio::piped())
        .spawn()
        .map_err(|error| format!("cannot run python3: {error}"))?;
    let mut score = None;
    if let Some(output) = child.stdout.take() {
        for line in BufReader::new(output).lines().map_while(Result::ok) {
            println!("{line}");
            score = score_of(&line).or(score);
        }
    }
    child
        .wait()
        .map_err(|error| format!("cannot run python3: {error}"))?;
    score.ok_or_else(|| "the script printed no score".to_owned())
}

/// `agreed 3 of 4 (75.0 %)`
fn score_of(line: &str) -> Option<Score> {
    let mut words = line.strip_prefix("agreed ")?.split(' ');
    let exact = words.next()?.parse().ok()?;
    let of = words.nth(1)?.parse().ok()?;
    Some(Score { exact, of })
}

/// Where scores are remembered.
pub fn file() -> PathBuf {
    crate::places::root().join("tests/scoreboard.csv")
}

/// The score that is remembered for a kind of facts.
pub fn known(text: &str, kind: &str) -> Option<Score> {
    text.lines().find_map(|line| {
        let mut cells = line.split(',');
        if cells.next()? != kind {
            return None;
        }
        Some(Score {
            exact: cells.next()?.parse().ok()?,
            of: cells.next()?.parse().ok()?,
        })
    })
}

/// The text with a score raised or added; unchanged when it is not higher.
pub fn raised(text: &str, kind: &str, score: Score) -> String {
    if known(text, kind).is_some_and(|before| !before.is_below(score)) {
        return text.to_owned();
    }
    let row = format!("{kind},{},{}", score.exact, score.of);
    let mut rows: Vec<&str> = text
        .lines()
        .filter(|line| line.split(',').next() != Some(kind))
        .collect();
    rows.push(&row);
    rows.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    const TEXT: &str = "use,exact,facts\nyes,3,4\nclamped,1,2\n";

    #[test]
    fn the_last_line_of_the_script_is_a_score() {
        let score = score_of("agreed 3 of 4 (75.0 %)");
        assert_eq!(score, Some(Score { exact: 3, of: 4 }));
        assert_eq!(score_of("exact 3, wrong 1"), None);
    }

    #[test]
    fn a_score_is_only_raised() {
        let lower = Score { exact: 2, of: 4 };
        assert!(known(TEXT, "yes").is_some_and(|before| lower.is_below(before)));
        assert_eq!(raised(TEXT, "yes", lower), TEXT);
        let higher = raised(TEXT, "yes", Score { exact: 4, of: 4 });
        assert_eq!(known(&higher, "yes"), Some(Score { exact: 4, of: 4 }));
        assert_eq!(known(&higher, "clamped"), Some(Score { exact: 1, of: 2 }));
        let added = raised(TEXT, "static", Score { exact: 1, of: 9 });
        assert_eq!(known(&added, "static"), Some(Score { exact: 1, of: 9 }));
    }
}
