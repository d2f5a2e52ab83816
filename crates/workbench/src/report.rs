//! What a check found, as data: the JSON report (schema 1), from which every other rendering is made.
//!
//! Invariant: the verdict is computed last, from everything that happened ([`Report::conclude`]): `holds` needs
//! an exhaustive run without a finding, and anything that leaves a doubt is a line of `open_because`.
//! Invariant: one thread, same input and options: the report is the same but for times and memory.

mod brief;
mod checked;
mod count;
mod finding;
mod html;
mod induction;
mod por;
mod prob;
mod reductions;
mod spin;
mod statistics;
mod text;
mod trust;

pub use checked::Checked;
pub use count::Count;
pub use finding::{Along, Finding, FindingKind};
pub use html::{Extras, Sample};
pub use induction::{Induction, Inductive, Proofs};
use pins::LabelId;
pub use por::{Densities, PorReduction};
pub use reductions::{Reductions, SymmetryReduction};
use search::distributed::Part;
use serde::{Serialize, Serializer};
pub use spin::SpinRun;
pub use statistics::{OperationCount, Statistics, Symbolic, VariableCount};
use subject::Words;
use verdict::ShownStep;

use crate::choice::{Por, Symmetry, Topic};

/// How a run ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Verdict {
    /// Everything that was asked was checked exhaustively, and nothing was found.
    Holds,
    /// Something was found, with a path that was replayed.
    Violated,
    /// Nothing was found, and something was not looked at.
    Open,
    /// The model could not be checked.
    Error,
}

impl Verdict {
    /// The word in reports.
    pub fn word(self) -> &'static str {
        match self {
            Verdict::Holds => "holds",
            Verdict::Violated => "violated",
            Verdict::Open => "open",
            Verdict::Error => "error",
        }
    }
}

/// What became of a temporal formula.
#[derive(Clone, Debug, Serialize)]
pub struct FormulaReport {
    /// What a path that it forbids is told as: its logic, or the kind of claim.
    pub logic: FindingKind,
    /// Its name in a file or in the model.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Its text.
    pub formula: String,
    /// What became of it; `error` when it could not be read.
    pub verdict: Verdict,
    /// Why it is open, or what is wrong with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub because: Option<String>,
    /// Why the answer may say less than it seems.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
    /// Whether it was searched breadth-first for a shortest bad prefix.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub safety: bool,
    /// States of its automaton.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub automaton_states: Option<u64>,
    /// Pairs of a state and a state of the automaton that were visited.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub product_states: Option<u64>,
}

impl FormulaReport {
    /// `ltl live` or `ltl`
    pub fn heading(&self) -> String {
        match &self.name {
            Some(name) => format!("{} {name}", self.logic.word()),
            None => self.logic.word().to_owned(),
        }
    }
}

/// A conjunct of the invariant or an assertion, for the page.
#[derive(Clone, Debug)]
pub struct ConjunctReport {
    /// `invariant` or `assertion`.
    pub kind: &'static str,
    /// Its label in the text.
    pub label: Option<String>,
    /// Its text.
    pub text: String,
    /// What became of it.
    pub state: ConjunctState,
}

/// What became of a conjunct.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ConjunctState {
    /// It holds in every state.
    Holds,
    /// It is false in some state.
    Violated,
    /// It was not seen to be false.
    Open,
    /// Nobody asked.
    NotChecked,
}

/// What became of the goal.
#[derive(Clone, Debug, Serialize)]
pub struct Goal {
    /// The predicate.
    pub predicate: String,
    /// Whether a state satisfies it; `null` when that is open.
    pub reached: Option<bool>,
    /// How it is reached.
    pub path: Vec<ShownStep>,
}

/// Which model.
#[derive(Clone, Debug, Serialize)]
pub struct ModelInfo {
    /// The path as given.
    pub file: String,
    /// The language.
    pub language: Option<&'static str>,
    /// The name of the main component.
    pub name: Option<String>,
}

/// What was chosen for an option.
#[derive(Clone, Debug, Serialize)]
pub struct Choice {
    /// What it is about.
    #[serde(serialize_with = "topic_word")]
    pub option: Topic,
    /// What was chosen.
    pub chosen: String,
    /// Why, when the program chose.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub because: Option<&'static str>,
}

/// The whole report.
#[derive(Clone, Debug, Serialize)]
pub struct Report {
    /// Always `burnside`.
    pub tool: &'static str,
    /// The version of the program.
    pub version: &'static str,
    /// The version of this form.
    pub schema: u32,
    /// Which model.
    pub model: ModelInfo,
    /// How the run ended.
    pub verdict: Verdict,
    /// What was found, first things first.
    pub findings: Vec<Finding>,
    /// What became of the goal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub goal: Option<Goal>,
    /// What became of each temporal formula.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub formulas: Vec<FormulaReport>,
    /// Why nothing found does not mean that nothing is there.
    pub open_because: Vec<String>,
    /// What was checked.
    pub checked: Vec<Checked>,
    /// What the model asks for and this run did not check.
    pub not_checked: Vec<String>,
    /// What a reader should know.
    pub warnings: Vec<String>,
    /// What was done to look at fewer states.
    pub reductions: Reductions,
    /// What was chosen for every other option.
    pub choices: Vec<Choice>,
    /// Sizes and bounds that were chosen.
    pub scopes: Vec<String>,
    /// How much there was.
    pub statistics: Statistics,
    /// How often each operation happened.
    pub operations: Vec<OperationCount>,
    /// Operations that never happened.
    pub uncovered: Vec<String>,
    /// How many values each variable took.
    pub variables: Vec<VariableCount>,
    /// The certificate that was written.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub certificate: Option<String>,
    /// The formulas that it proves.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub certified: Vec<String>,
    /// What each worker of a distributed run did.
    #[serde(skip_serializing_if = "Vec::is_empty", serialize_with = "workers")]
    pub workers: Vec<Part>,
    /// The conjuncts of the invariant and the assertions, by the numbers of their labels.
    #[serde(skip)]
    pub conjuncts: Vec<ConjunctReport>,
    /// What the language of the model calls things.
    #[serde(skip)]
    pub words: Words,
    /// The bytes of a state before it is stored.
    #[serde(skip)]
    pub vector_bytes: u64,
    /// What to look at.
    pub hints: Vec<String>,
    /// What is wrong with the model or the options, in the form of `lint`.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub diagnostics: Vec<serde_json::Value>,
    /// The exit code; `conclude` computes it.
    pub exit: u8,
}

impl Report {
    /// A report about a file that nothing is known of yet.
    pub fn new(file: String, language: Option<&'static str>) -> Report {
        Report {
            tool: "burnside",
            version: env!("CARGO_PKG_VERSION"),
            schema: 1,
            model: ModelInfo {
                file,
                language,
                name: None,
            },
            verdict: Verdict::Error,
            findings: Vec::new(),
            goal: None,
            formulas: Vec::new(),
            open_because: Vec::new(),
            checked: Vec::new(),
            not_checked: Vec::new(),
            warnings: Vec::new(),
            reductions: Reductions {
                symmetry: SymmetryReduction {
                    method: Symmetry::Off,
                    ..SymmetryReduction::default()
                },
                por: PorReduction {
                    method: Por::Off,
                    ..PorReduction::default()
                },
                merging: None,
                induction: None,
            },
            choices: Vec::new(),
            scopes: Vec::new(),
            statistics: Statistics::default(),
            operations: Vec::new(),
            uncovered: Vec::new(),
            variables: Vec::new(),
            certificate: None,
            certified: Vec::new(),
            workers: Vec::new(),
            conjuncts: Vec::new(),
            words: Words::default(),
            vector_bytes: 0,
            hints: Vec::new(),
            diagnostics: Vec::new(),
            exit: 0,
        }
    }

    /// Computes verdict and exit code from everything else. `error` is the exit code of what kept the model
    /// from being checked.
    pub fn conclude(&mut self, error: Option<u8>) {
        let reached = self
            .goal
            .as_ref()
            .is_some_and(|goal| goal.reached == Some(true));
        (self.verdict, self.exit) = match (error, self.findings.first()) {
            (Some(exit), _) => (Verdict::Error, exit),
            (None, Some(finding)) => (Verdict::Violated, finding.kind.exit()),
            (None, None) if reached || self.open_because.is_empty() => (Verdict::Holds, 0),
            (None, None) => (Verdict::Open, 20),
        };
        let is_whole = self.verdict == Verdict::Holds && self.open_because.is_empty() && !reached;
        let violated: Vec<LabelId> = self.findings.iter().filter_map(|f| f.label).collect();
        for (at, conjunct) in self.conjuncts.iter_mut().enumerate() {
            let is_false = violated.contains(&LabelId::new(at));
            conjunct.state = match conjunct.state {
                ConjunctState::NotChecked => ConjunctState::NotChecked,
                _ if is_false => ConjunctState::Violated,
                _ if is_whole => ConjunctState::Holds,
                _ => ConjunctState::Open,
            };
        }
    }

    /// The report as a page.
    pub fn html(&self, extras: &Extras) -> String {
        html::write(self, extras)
    }

    /// The report for people.
    pub fn text(&self, quiet: bool) -> String {
        text::write(self, quiet)
    }

    /// The report for a reader with little room: paths are folded to so many steps, and nothing that limits the verdict is left
    /// out.
    pub fn brief(&self, most_steps: usize) -> String {
        brief::write(self, most_steps)
    }

    /// The report in the lines that SPIN's verifiers print.
    pub fn spin_style(&self, run: &SpinRun, unreached: &str) -> String {
        spin::write(self, run, unreached)
    }

    /// The lines that ProB prints, for scripts that look for them.
    pub fn prob_style(&self) -> String {
        prob::write(self)
    }

    /// The lines of ProB's `-coverage`, with the states that have no step and those that break the invariant.
    pub fn prob_coverage(&self, deadlocked: usize, broken: usize) -> String {
        prob::coverage(self, deadlocked, broken)
    }
}

/// Numbers that a reader of JSON may not hold exactly become texts.
fn count<S: Serializer>(value: &u64, serializer: S) -> Result<S::Ok, S::Error> {
    if *value > 1 << 53 {
        serializer.serialize_str(&value.to_string())
    } else {
        serializer.serialize_u64(*value)
    }
}

/// What workers did, with the words of the report.
fn workers<S: Serializer>(parts: &[Part], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(parts.iter().map(|part| {
        serde_json::json!({
            "process": part.process,
            "states": part.states,
            "transitions": part.transitions,
            "peak_bytes": part.peak_bytes,
            "crossing": part.traffic.crossing,
            "sent": part.traffic.sent,
            "sent_bytes": part.traffic.bytes,
            "sent_values": part.traffic.values,
            "sent_value_bytes": part.traffic.value_bytes,
        })
    }))
}

fn topic_word<S: Serializer>(topic: &Topic, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(topic.word())
}

/// `1 state`, `1,234 states`.
pub(crate) fn counted(number: impl ToString, thing: &str) -> String {
    let number = number.to_string();
    let plural = match thing {
        _ if number == "1" => thing.to_owned(),
        "undefined branch" => "undefined branches".to_owned(),
        thing => format!("{thing}s"),
    };
    format!("{} {plural}", grouped(number))
}

/// A number with its digits in groups of three.
pub(crate) fn grouped(number: impl ToString) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report() -> Report {
        Report::new("m.mch".to_owned(), Some("b"))
    }

    fn finding(kind: FindingKind) -> Finding {
        Finding {
            name: None,
            ..Finding::without_path(kind, String::new(), String::new())
        }
    }

    #[test]
    fn nothing_found_holds_only_without_a_doubt() {
        let mut report = report();
        report.conclude(None);
        assert_eq!((report.verdict, report.exit), (Verdict::Holds, 0));
        report.open_because.push("a limit".to_owned());
        report.conclude(None);
        assert_eq!((report.verdict, report.exit), (Verdict::Open, 20));
    }

    #[test]
    fn the_first_finding_decides_the_exit_code() {
        for (kind, exit) in [
            (FindingKind::Setup, 10),
            (FindingKind::Deadlock, 11),
            (FindingKind::Invariant, 12),
            (FindingKind::Assertion, 12),
            (FindingKind::Goal, 12),
            (FindingKind::Fault, 75),
            (FindingKind::Refinement, 12),
        ] {
            let mut report = report();
            report.findings = vec![finding(kind), finding(FindingKind::Setup)];
            report.open_because.push("a limit".to_owned());
            report.conclude(None);
            assert_eq!((report.verdict, report.exit), (Verdict::Violated, exit));
        }
    }

    #[test]
    fn a_goal_that_was_reached_holds_whatever_was_left_out() {
        let mut report = report();
        report.open_because.push("a limit".to_owned());
        report.goal = Some(Goal {
            predicate: "x = 1".to_owned(),
            reached: Some(true),
            path: Vec::new(),
        });
        report.conclude(None);
        assert_eq!((report.verdict, report.exit), (Verdict::Holds, 0));
    }

    #[test]
    fn counts_beyond_the_reach_of_readers_are_texts() {
        let statistics = Statistics {
            states: Count::from((1 << 53) + 1),
            ..Statistics::default()
        };
        let json = serde_json::to_value(statistics).unwrap_or_default();
        assert_eq!(json["states"], "9007199254740993");
        assert_eq!(json["setups"], 0);
    }

    #[test]
    fn numbers_are_grouped() {
        assert_eq!(grouped(7u64), "7");
        assert_eq!(grouped(1_234_567u64), "1,234,567");
        assert_eq!(counted(1u64, "state"), "1 state");
    }
}
