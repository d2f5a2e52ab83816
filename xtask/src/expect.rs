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
//! Directives are data: a word that is not in this list fails the test.
//! Invariant: a model with a directive says what its exit code is, so no test is empty.

use std::fmt;

use base::Severity;

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
            _ => return Err(fault("unknown directive")),
        }
    }
    match exit {
        Some(exit) => Ok(Some(Expected { exit, ..expected })),
        None if found => Err("neither `lint: ok` nor `exit: …`".to_owned()),
        None => Ok(None),
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
            if !word.bytes().all(|byte| byte.is_ascii_lowercase()) {
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
