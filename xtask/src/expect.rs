//! Reads what a test model expects of the tool, from directives in its comments.
//!
//! A directive stands on a line of its own behind `//@`, or inside a block that begins with `/*@`:
//!
//! ```text
//! //@ lint: ok                              exit 0 (warnings must be listed)
//! //@ exit: 151                             the exit code
//! //@ error: B0412 at 7:12                  one per error; `in other.mch` when it is in another file
//! //@ warning: B0601 at 3:5                 one per warning
//! //@ formula: dom(f) gives POW(INTEGER)    a type, `predicate`, or an exit code, in this machine
//! //@ print: roundtrip                      printing and parsing again gives the same tree
//! ```
//!
//! A model with `check` is checked, with every exact store, order and number of threads; `exit` is then the
//! exit code of the check:
//!
//! ```text
//! //@ check: invariant, deadlock, assertions    what is checked; the rest is switched off
//! //@ verdict: violated                     holds, violated or open
//! //@ finding: invariant inv2               kind and name of the first finding (the name may be left out)
//! //@ steps: 3                              operations on its path, or on the path to the goal, breadth-first
//! //@ states: 8  transitions: 24            of the whole state space, checks switched off; also setups, orbits,
//!                                         partitions (states of --symmetry adaptive)
//! //@ undefined: some                       whether guards were undefined: some or none
//! //@ card: PID=3                           options of the same names; also pref, wd, goal
//! //@ reached: yes                          whether the goal is reached: yes or no
//! //@ error_goal: yes                       the goal is an error
//! //@ reference: 20                         the exit code with the reference evaluator, where one evaluator leaves more open (20)
//! //@ deadlock: stuck                       what a deadlock is, where the language has several readings
//! //@ ltl: G {x < 3} gives holds            a formula of linear time, checked by itself; also ctl
//! //@ eval: x + 1 gives 2                   the value of a formula in the first state
//! //@ solve: y < 3 & y > x gives y = 1, y = 2     all solutions in the first state, in any order
//! ```
//!
//! Directives are data: a word that is not in this list fails the test.
//! Invariant: a model with a directive says what its exit code is, so no test is empty.

use std::fmt;

use base::Severity;

/// Figures of a state space.
const COUNTS: [&str; 5] = ["states", "transitions", "setups", "orbits", "partitions"];

/// What a model expects.
#[derive(Debug, Default, PartialEq)]
pub struct Expected {
    /// The exit code.
    pub exit: u8,
    /// Every diagnostic, in any order.
    pub findings: Vec<Finding>,
    /// Formulas in the context of the model.
    pub formulas: Vec<Formula>,
    /// Whether printing must not change the tree.
    pub roundtrip: bool,
    /// What a check finds, if the model is to be checked.
    pub check: Option<Check>,
}

/// What a check of the model finds.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Check {
    /// What is checked: `invariant`, `deadlock`, `assertions`.
    pub what: Vec<String>,
    /// How the run ends.
    pub verdict: Option<String>,
    /// Kind and name of the first finding.
    pub finding: Option<(String, Option<String>)>,
    /// Operations on the shortest path.
    pub steps: Option<usize>,
    /// Figures of the whole state space: `states`, `transitions`, `setups`, `orbits` of states.
    pub counts: Vec<(String, u64)>,
    /// Whether guards were undefined.
    pub undefined: Option<bool>,
    /// Options with their values: `card`, `pref`, `wd`, `goal`, `deadlock`.
    pub options: Vec<(String, String)>,
    /// Whether the goal is reached.
    pub reached: Option<bool>,
    /// Whether reaching the goal is an error.
    pub goal_is_error: bool,
    /// How a run with the reference evaluator ends, where one of the evaluators leaves open what the other decides.
    pub reference: Option<u8>,
    /// Questions with their answers: `ltl`, `ctl`, `eval`, `solve`.
    pub answers: Vec<Answer>,
}

/// A question about a model and its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Answer {
    /// What is asked: `ltl`, `ctl`, `eval` or `solve`.
    pub kind: String,
    /// The formula.
    pub formula: String,
    /// What it gives.
    pub gives: String,
}

/// A diagnostic, as far as a directive tells.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Finding {
    /// Error or warning.
    pub severity: Severity,
    /// The code.
    pub code: String,
    /// Line and column of the primary place.
    pub at: Option<(u32, u32)>,
    /// The file name, when it is not the model itself.
    pub file: Option<String>,
}

impl fmt::Display for Finding {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "//@ {}: {}", self.severity.word(), self.code)?;
        if let Some((line, column)) = self.at {
            write!(f, " at {line}:{column}")?;
        }
        if let Some(file) = &self.file {
            write!(f, " in {file}")?;
        }
        Ok(())
    }
}

/// A formula and what becomes of it.
#[derive(Debug, PartialEq)]
pub struct Formula {
    /// The text.
    pub text: String,
    /// What it gives.
    pub gives: Gives,
}

/// What becomes of a formula.
#[derive(Debug, PartialEq, Eq)]
pub enum Gives {
    /// It is an expression of this type.
    Type(String),
    /// It is a predicate.
    Predicate,
    /// It is refused with this exit code.
    Exit(u8),
}

/// Reads the directives of a model; `None` when it has none.
pub fn read(text: &str) -> Result<Option<Expected>, String> {
    let mut expected = Expected::default();
    let mut exit = None;
    let mut check: Option<Check> = None;
    let mut found = false;
    for (number, directive) in directives(text) {
        found = true;
        let fault = |why: &str| format!("line {number}: {why}: {directive}");
        let Some((word, value)) = directive.split_once(':') else {
            return Err(fault("a directive is a word, a colon and a value"));
        };
        let value = value.trim();
        match (word.trim(), value) {
            ("lint", "ok") => set_once(&mut exit, 0).map_err(fault)?,
            ("exit", code) => {
                let code = code.parse().map_err(|_| fault("not an exit code"))?;
                set_once(&mut exit, code).map_err(fault)?;
            }
            ("error", value) => expected
                .findings
                .push(finding(Severity::Error, value).ok_or_else(|| fault(FINDING))?),
            ("warning", value) => expected
                .findings
                .push(finding(Severity::Warning, value).ok_or_else(|| fault(FINDING))?),
            ("formula", value) => expected
                .formulas
                .push(formula(value).ok_or_else(|| fault("not `TEXT gives RESULT`"))?),
            ("print", "roundtrip") => expected.roundtrip = true,
            ("check", what) => {
                let what = what.split(',').map(|part| part.trim().to_owned());
                check.get_or_insert_default().what = what.collect();
            }
            (word, value) => {
                let known = check
                    .as_mut()
                    .is_some_and(|c| c.read(word, value).is_some());
                if !known {
                    return Err(fault(
                        "unknown directive, or one that needs `check` above it",
                    ));
                }
            }
        }
    }
    match exit {
        Some(exit) => Ok(Some(Expected {
            exit,
            check,
            ..expected
        })),
        None if found => Err("neither `lint: ok` nor `exit: …`".to_owned()),
        None => Ok(None),
    }
}

impl Check {
    /// Reads a directive about the check; `None` when it is none, or its value is wrong.
    fn read(&mut self, word: &str, value: &str) -> Option<()> {
        let yes = |value: &str| match value {
            "yes" | "some" => Some(true),
            "no" | "none" => Some(false),
            _ => None,
        };
        match word {
            "verdict" if ["holds", "violated", "open"].contains(&value) => {
                self.verdict = Some(value.to_owned());
            }
            "finding" => {
                let (kind, name) = match value.split_once(' ') {
                    Some((kind, name)) => (kind, Some(name.trim().to_owned())),
                    None => (value, None),
                };
                self.finding = Some((kind.to_owned(), name));
            }
            "steps" => self.steps = Some(value.parse().ok()?),
            figure if COUNTS.contains(&figure) => {
                // Several figures may stand in one line: `states: 8  transitions: 24`.
                let line = format!("{word}: {value}");
                let words: Vec<&str> = line.split_whitespace().collect();
                for pair in words.chunks(2) {
                    let [name, number] = pair else { return None };
                    let name = name.strip_suffix(':')?;
                    if !COUNTS.contains(&name) {
                        return None;
                    }
                    self.counts.push((name.to_owned(), number.parse().ok()?));
                }
            }
            "undefined" => self.undefined = Some(yes(value)?),
            "reached" => self.reached = Some(yes(value)?),
            "error_goal" => self.goal_is_error = yes(value)?,
            "reference" => self.reference = Some(value.parse().ok()?),
            "ltl" | "ctl" | "eval" | "solve" => {
                let (formula, gives) = value.rsplit_once(" gives ")?;
                self.answers.push(Answer {
                    kind: word.to_owned(),
                    formula: formula.trim().to_owned(),
                    gives: gives.trim().to_owned(),
                });
            }
            "card" | "pref" | "wd" | "goal" | "deadlock" => {
                self.options.push((word.to_owned(), value.to_owned()));
            }
            _ => return None,
        }
        Some(())
    }
}

const FINDING: &str = "not `CODE at LINE:COLUMN` or `CODE at LINE:COLUMN in FILE`";

fn set_once(cell: &mut Option<u8>, value: u8) -> Result<(), &'static str> {
    match cell.replace(value) {
        None => Ok(()),
        Some(_) => Err("a second exit code"),
    }
}

/// The directives with their line numbers.
///
/// `//@` always begins a directive. `/*@` also begins the pragmas of B, so there a directive is what has a
/// colon right behind its first word; ` *@` continues such a block.
fn directives(text: &str) -> impl Iterator<Item = (usize, &str)> {
    text.lines().enumerate().filter_map(|(index, line)| {
        let line = line.trim();
        let directive = if let Some(rest) = line.strip_prefix("//@") {
            rest.trim()
        } else {
            let rest = line
                .strip_prefix("/*@")
                .or_else(|| line.strip_prefix("*@"))?;
            let rest = rest.trim().trim_end_matches("*/").trim_end();
            let (word, _) = rest.split_once(':')?;
            if !word
                .bytes()
                .all(|byte| byte.is_ascii_lowercase() || byte == b'_')
            {
                return None;
            }
            rest
        };
        Some((index + 1, directive))
    })
}

fn finding(severity: Severity, value: &str) -> Option<Finding> {
    let (value, file) = match value.split_once(" in ") {
        Some((value, file)) => (value, Some(file.trim().to_owned())),
        None => (value, None),
    };
    let (code, at) = match value.split_once(" at ") {
        Some((code, at)) => {
            let (line, column) = at.trim().split_once(':')?;
            (code, Some((line.parse().ok()?, column.parse().ok()?)))
        }
        None => (value, None),
    };
    Some(Finding {
        severity,
        code: code.trim().to_owned(),
        at,
        file,
    })
}

fn formula(value: &str) -> Option<Formula> {
    let (text, gives) = value.rsplit_once(" gives ")?;
    let gives = match gives.trim() {
        "predicate" => Gives::Predicate,
        code if code.bytes().all(|byte| byte.is_ascii_digit()) => Gives::Exit(code.parse().ok()?),
        text => Gives::Type(text.to_owned()),
    };
    Some(Formula {
        text: text.trim().to_owned(),
        gives,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn directives_are_read_from_both_kinds_of_comment() {
        let text = "/*@ exit: 151\n *@ error: B0412 at 7:12 in Other.mch */\n\
                    //@ formula: {1} gives POW(INTEGER)\nMACHINE M /*@desc a: b */ END";
        let expected = read(text).unwrap().unwrap();
        assert_eq!(expected.exit, 151);
        assert_eq!(
            expected.findings[0].to_string(),
            "//@ error: B0412 at 7:12 in Other.mch"
        );
        assert_eq!(
            expected.formulas[0].gives,
            Gives::Type("POW(INTEGER)".to_owned())
        );
    }

    #[test]
    fn what_a_check_finds_is_read() {
        let text = "/*@ check: invariant, deadlock\n *@ exit: 12\n *@ finding: invariant inv2\n \
                    *@ states: 8  transitions: 24\n *@ goal: x = {y | y > 1} */\nMACHINE M END";
        let check = read(text).unwrap().unwrap().check.unwrap();
        assert_eq!(check.what, ["invariant", "deadlock"]);
        let name = Some("inv2".to_owned());
        assert_eq!(check.finding, Some(("invariant".to_owned(), name)));
        assert_eq!(
            check.counts,
            [("states".to_owned(), 8), ("transitions".to_owned(), 24)]
        );
        assert_eq!(check.options[0].1, "x = {y | y > 1}");
    }

    #[test]
    fn a_model_without_directives_expects_nothing() {
        assert_eq!(read("/*@ label x */ // @ no\nMACHINE M END"), Ok(None));
    }

    #[test]
    fn unknown_or_incomplete_directives_are_refused() {
        for text in [
            "//@ lint: okay",
            "//@ lint ok",
            "//@ exit: many",
            "//@ lint: ok\n//@ exit: 0",
            "//@ lint: ok\n//@ error: B1 at 7",
            "//@ print: roundtrip",
            "/*@ expect: ok */",
        ] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
