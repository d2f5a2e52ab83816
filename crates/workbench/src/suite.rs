//! Test cases: short paths that together make every event happen, or show what every guard forbids.
//!
//! Technique: the states are explored breadth-first as far as a limit allows and kept with what happens in them; each
//! thing to cover gets a path of least length to it, and from there to the nearest state in which a test may end. A path
//! is left out where others, longer ones first, cover all that it does.
//! Differs from ProB's `-mcm_tests`: conjuncts of guards are covered too, by a path to a state in which a conjunct alone keeps
//! its event from happening (what MC/DC asks of a conjunction).
//! Invariant: every path was walked through by the judge. "Cannot be covered" is said only when all states were looked at.

mod graph;

use std::fmt::Write as _;
use std::path::Path;

use base::Diagnostic;
use pins::Halt;
use serde::Serialize;
use subject::{EventId, Setting};
use verdict::{Shown, ShownStep, escaped};

use self::graph::Graph;
use crate::codes;
use crate::lint::Lint;
use crate::open::Workbench;
use crate::report::counted;
use crate::runnable::Runnable;

/// What test cases are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Cover {
    /// Every event happens.
    Events,
    /// Besides, every conjunct of a guard is once the only false one.
    Guards,
}

/// Which test cases are wanted.
#[derive(Clone, Debug)]
pub struct SuiteWanted {
    /// What they cover.
    pub cover: Cover,
    /// Only these events; all when there are none.
    pub only: Vec<String>,
    /// The predicate of states in which a test may end.
    pub end: Option<String>,
    /// The most states that are looked at.
    pub max_states: usize,
    /// The longest path to what is covered, in events.
    pub max_depth: usize,
}

/// A test case.
#[derive(Clone, Debug, Serialize)]
pub struct Case {
    /// What it covers.
    pub covers: Vec<String>,
    /// The steps.
    pub path: Vec<ShownStep>,
}

/// The test cases of a model.
#[derive(Clone, Debug, Serialize)]
pub struct Suite {
    /// The model.
    pub model: String,
    /// The states that were looked at.
    pub states: usize,
    /// Whether these are all.
    pub complete: bool,
    /// The test cases.
    pub cases: Vec<Case>,
    /// What no test case covers.
    pub uncovered: Vec<String>,
}

/// Test cases of the model in a file.
///
/// # Errors
/// What is wrong with the file or with what is wanted.
pub fn suite(
    bench: &Workbench,
    (file, setting): (&Path, &Setting),
    wanted: &SuiteWanted,
    halt: &Halt,
) -> Result<Suite, Box<Lint>> {
    let mut runnable = Runnable::open(bench, file, setting)?;
    runnable.heed(halt.clone());
    match made(&mut runnable, wanted) {
        Ok(suite) => Ok(suite),
        Err(message) => {
            let mut lint = runnable.into_lint();
            let error = Diagnostic::global(&codes::MISFIT_OPTION, message);
            lint.diagnostics.push(error);
            Err(Box::new(lint))
        }
    }
}

fn made(runnable: &mut Runnable, wanted: &SuiteWanted) -> Result<Suite, String> {
    let end = match &wanted.end {
        None => None,
        Some(text) => {
            let formula = runnable.formula(text)?;
            if !formula.is_predicate {
                return Err(format!("{text} is an expression; a predicate is needed"));
            }
            Some(formula)
        }
    };
    let events = chosen(runnable, &wanted.only)?;
    let graph = Graph::explore(runnable.view(), wanted);
    let ends = graph.ends(runnable.view(), end);
    let mut goals = graph.events(runnable.view(), &events);
    if wanted.cover == Cover::Guards {
        goals.extend(graph.guards(runnable, &events));
    }
    Ok(graph.suite(runnable.view(), goals, &ends))
}

/// The events that are to be covered.
fn chosen(runnable: &Runnable, only: &[String]) -> Result<Vec<EventId>, String> {
    let description = runnable.description();
    if only.is_empty() {
        return Ok(description.event_ids().collect());
    }
    let known = |name: &String| {
        let event = description.event_named(name);
        let word = runnable.view().subject.words().event;
        event.ok_or_else(|| format!("there is no {word} {name}"))
    };
    only.iter().map(known).collect()
}

impl Suite {
    /// The exit code: 20 when something is not covered and not every state was looked at.
    pub fn exit(&self) -> u8 {
        match self.complete || self.uncovered.is_empty() {
            true => 0,
            false => 20,
        }
    }

    /// For people: each test case with what it covers, then what none does.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for (number, case) in self.cases.iter().enumerate() {
            let _ = writeln!(text, "test {}: {}", number + 1, case.covers.join(", "));
            let path = Shown {
                steps: case.path.clone(),
                loop_start: None,
            };
            text.push_str(&path.text("  "));
        }
        let states = counted(self.states as u64, "state");
        let all = if self.complete { "all" } else { "not all" };
        let cases = counted(self.cases.len() as u64, "test");
        let _ = writeln!(
            text,
            "{}: {cases}; {states} looked at, {all} there are",
            self.model
        );
        let never = match self.complete {
            true => "cannot be covered",
            false => "not covered",
        };
        for uncovered in &self.uncovered {
            let _ = writeln!(text, "{never}: {uncovered}");
        }
        text
    }

    /// In the form that ProB writes with `-mcm_tests` and `-cbc_tests`.
    pub fn xml(&self) -> String {
        let mut text = String::from("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n");
        text.push_str("<extended_test_suite>\n");
        for (number, case) in self.cases.iter().enumerate() {
            let targets = escaped(&case.covers.join(", "));
            let number = number + 1;
            let _ = writeln!(text, " <test_case id=\"{number}\" targets=\"{targets}\">");
            let path = Shown {
                steps: case.path.clone(),
                loop_start: None,
            };
            for (at, step) in case.path.iter().enumerate() {
                let (open, close) = match (step.is_setup, step.is_beginning) {
                    (true, _) => ("<setup_constants>".to_owned(), "</setup_constants>"),
                    (_, true) => ("<initialisation>".to_owned(), "</initialisation>"),
                    _ => (
                        format!("<step id=\"{at}\" name=\"{}\">", escaped(&step.event)),
                        "</step>",
                    ),
                };
                let _ = writeln!(text, "  {open}");
                for (tag, pairs) in [
                    ("value", &step.args),
                    ("result", &step.results),
                    ("modified", &path.changes(at)),
                ] {
                    for (name, value) in &pairs.0 {
                        let (name, value) = (escaped(name), escaped(value));
                        let _ = writeln!(text, "   <{tag} name=\"{name}\">{value}</{tag}>");
                    }
                }
                let _ = writeln!(text, "  {close}");
            }
            text.push_str(" </test_case>\n");
        }
        text.push_str("</extended_test_suite>\n");
        text
    }
}
