//! The report in the lines that ProB prints: scripts that look for them keep working (`--style prob`).
//!
//! Differs: nothing is printed before the run is over, so no success line stands above a failure; a run that is
//! open never prints a line of success.

use std::fmt::Write as _;

use super::{Finding, FindingKind, Report, Verdict};

/// The lines.
pub(super) fn write(report: &Report) -> String {
    let mut text = String::new();
    let statistics = &report.statistics;
    if report.uncovered.is_empty() && report.verdict != Verdict::Open {
        text.push_str("ALL OPERATIONS COVERED\n");
    }
    if report.verdict == Verdict::Holds {
        text.push_str("% All open nodes visited\n");
    }
    formulas(&mut text, report);
    let milliseconds = (statistics.wall_s * 1000.0).round() as u64;
    let _ = writeln!(
        text,
        "Model Checking Time: {milliseconds} ms ({milliseconds} ms walltime)"
    );
    let _ = writeln!(text, "States analysed: {}", statistics.nodes);
    if let Some(edges) = &statistics.edges {
        let _ = writeln!(text, "Transitions fired: {edges}");
    }
    let reached = report
        .goal
        .as_ref()
        .filter(|goal| goal.reached == Some(true));
    match (report.findings.first(), reached, report.verdict) {
        (Some(finding), _, _) => counterexample(&mut text, kind(finding), &finding.path),
        (None, Some(goal), _) => counterexample(&mut text, "goal_found", &goal.path),
        (None, None, Verdict::Open) => text.push_str(
            "No counter example found. However, not all transitions were computed !\n\
             ! *** error occurred ***\n! model_check_incomplete\n",
        ),
        (None, None, _) => text.push_str("No counter example found. ALL states visited.\n"),
    }
    let uncovered: String = report
        .uncovered
        .iter()
        .map(|name| format!(",{name}"))
        .collect();
    let _ = writeln!(
        text,
        "[STATES ({}),UNCOVERED_OPERATIONS ({}){uncovered}]",
        statistics.nodes,
        report.uncovered.len()
    );
    text
}

/// What ProB says of formulas.
fn formulas(text: &mut String, report: &Report) {
    for formula in &report.formulas {
        let logic = formula.logic.to_uppercase();
        let _ = match formula.verdict {
            Verdict::Holds => writeln!(
                text,
                "{logic} Formula TRUE.\nNo counter example found for {}.",
                formula.formula
            ),
            Verdict::Violated => {
                writeln!(
                    text,
                    "Model checking formula {}\nFormula FALSE.",
                    formula.formula
                )
            }
            Verdict::Open | Verdict::Error => {
                let because = formula.because.as_deref().unwrap_or_default();
                writeln!(
                    text,
                    "{logic} Formula {}: {because}",
                    formula.verdict.word()
                )
            }
        };
    }
}

fn kind(finding: &Finding) -> &'static str {
    match finding.kind {
        FindingKind::Invariant => "invariant_violation",
        FindingKind::Deadlock => "deadlock",
        FindingKind::Assertion => "assertion_violation",
        FindingKind::Goal => "goal_found",
        FindingKind::Fault | FindingKind::Refinement => "state_error",
        FindingKind::Setup => "setup_constants_fails",
        FindingKind::Ltl | FindingKind::Ctl => "ltl_violation",
        FindingKind::Cover => "goal_not_found",
    }
}

fn counterexample(text: &mut String, kind: &str, path: &[verdict::ShownStep]) {
    let _ = writeln!(text, "*** COUNTER EXAMPLE FOUND ***\n{kind}\n*** TRACE:");
    for (number, step) in path.iter().enumerate() {
        // ProB shows the values that a set-up or an initialisation chose as if they were arguments.
        let values = match step.event.as_str() {
            "SETUP_CONSTANTS" | "INITIALISATION" => &step.state,
            _ => &step.args,
        };
        let values: Vec<&str> = values.0.iter().map(|(_, value)| value.as_str()).collect();
        let _ = match values.is_empty() {
            true => writeln!(text, " {}: {}:", number + 1, step.event),
            false => writeln!(
                text,
                " {}: {}({}):",
                number + 1,
                step.event,
                values.join(",")
            ),
        };
    }
    let _ = writeln!(text, "! *** error occurred ***\n! {kind}");
}
