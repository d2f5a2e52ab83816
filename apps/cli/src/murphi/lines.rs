//! A report in the lines that a verifier of CMurphi prints: the trace, the result, what was explored.
//!
//! Differs: a run that did not see everything says so and prints no line of success; a rule that fails is named in the message.

use std::fmt::Write as _;

use workbench::report::{Finding, FindingKind, Report};

/// What is printed besides the result.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Lines {
    /// The path to an error.
    pub(super) trace: Trace,
    /// How often each rule fired.
    pub(super) rules: bool,
}

/// How a path is printed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Trace {
    /// Not at all.
    #[default]
    None,
    /// What each rule changed, and the last state.
    Changes,
    /// Every state.
    States,
}

const RULE: &str = "==========================================================================";

impl Lines {
    /// The lines.
    pub(super) fn write(self, report: &Report) -> String {
        let mut text = String::new();
        let first = report.findings.first();
        if let Some(finding) = first
            && self.trace != Trace::None
        {
            self.path(&mut text, finding);
        }
        let (heading, lines) = match (first, report.open_because.as_slice()) {
            (Some(finding), _) => ("Result", vec![message(finding)]),
            (None, []) => ("Status", vec!["No error found.".to_owned()]),
            (None, why) => {
                let why = why.iter().map(|why| format!("Not finished: {why}."));
                ("Status", why.collect())
            }
        };
        let _ = writeln!(text, "{RULE}\n\n{heading}:\n");
        for line in lines {
            let _ = writeln!(text, "\t{line}");
        }
        let statistics = &report.statistics;
        let fired = statistics.transitions.clone().unwrap_or_default();
        let _ = writeln!(
            text,
            "\nState Space Explored:\n\n\t{} states, {fired} rules fired in {:.2}s.",
            statistics.states, statistics.wall_s
        );
        self.rules(&mut text, report);
        text
    }

    fn path(self, text: &mut String, finding: &Finding) {
        let _ = writeln!(
            text,
            "The following is the error trace for the error:\n\n\t{}\n",
            message(finding)
        );
        let shown = finding.shown();
        for (number, step) in shown.steps.iter().enumerate() {
            let kind = if step.is_beginning {
                "Startstate"
            } else {
                "Rule"
            };
            let arguments = step.args.0.iter();
            let arguments: String = arguments
                .map(|(name, value)| format!(", {name}:{value}"))
                .collect();
            let _ = writeln!(text, "{kind} {}{arguments} fired.", step.event);
            let is_whole = number == 0 || self.trace == Trace::States;
            let values = match is_whole {
                true => step.parts.clone(),
                false => shown.changed_parts(number),
            };
            state(text, &values.0);
        }
        if let Some(last) = shown.steps.last() {
            text.push_str("The last state of the trace (in full) is:\n");
            state(text, &last.parts.0);
        }
        text.push_str("End of the error trace.\n\n");
    }

    /// How often each rule fired, and which never did.
    fn rules(self, text: &mut String, report: &Report) {
        if self.rules {
            text.push_str("\nRules Information:\n\n");
            for rule in &report.operations {
                let count = rule.transitions.clone().unwrap_or_default();
                let _ = writeln!(text, "\tFired {count} times\t- Rule \"{}\"", rule.name);
            }
        } else if report.findings.is_empty() && report.open_because.is_empty() {
            for name in &report.uncovered {
                let _ = writeln!(text, "\nWarning: rule \"{name}\" was never fired.");
            }
        }
    }
}

fn state(text: &mut String, values: &[(String, String)]) {
    for (name, value) in values {
        let value = match value.as_str() {
            "undefined" => "Undefined",
            value => value,
        };
        let _ = writeln!(text, "{name}:{value}");
    }
    text.push_str("----------\n\n");
}

/// What a verifier says of an error.
fn message(finding: &Finding) -> String {
    let name = finding.name.as_deref().unwrap_or_default();
    match finding.kind {
        FindingKind::Invariant => format!("Invariant \"{name}\" failed."),
        FindingKind::Deadlock => "Deadlocked state found.".to_owned(),
        FindingKind::Assertion => format!("Assertion failed: {name}"),
        FindingKind::Setup => "No start state satisfies the assumptions.".to_owned(),
        FindingKind::Cover => format!("Cover \"{name}\" was never satisfied."),
        FindingKind::Ctl => format!("Liveness \"{name}\" failed."),
        _ => format!("Error: {}", finding.message),
    }
}
