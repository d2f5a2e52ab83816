//! The report in the lines that ProB prints: scripts that look for them keep working (`--style prob`).
//!
//! Differs: nothing is printed before the run is over, so no success line stands above a failure; a run that is
//! open never prints a line of success.

use std::fmt::Write as _;

use subject::Happening;

use super::{Finding, FindingKind, Report, Verdict};

/// The lines.
pub(super) fn write(report: &Report) -> String {
    let mut text = String::new();
    let statistics = &report.statistics;
    if no_initial_state(report) {
        text.push_str(
            "! An error occurred (source: initialisation_fails) !\n! INITIALISATION FAILS\n",
        );
        tally(&mut text, Trouble::Error("initialisation_fails"), report);
        return text;
    }
    if report.uncovered.is_empty() && report.verdict != Verdict::Open {
        text.push_str("ALL OPERATIONS COVERED\n");
    }
    if report.verdict == Verdict::Holds {
        text.push_str("% Model checking finished, all open states visited\n");
    }
    formulas(&mut text, report);
    let milliseconds = (statistics.wall_s * 1000.0).round() as u64;
    let _ = writeln!(
        text,
        "Model checking time: {milliseconds} ms ({milliseconds} ms walltime)"
    );
    // The artificial root is a node there, but no state that is analysed.
    let _ = writeln!(text, "States analysed: {}", expanded(report));
    if let Some(edges) = &statistics.edges {
        let _ = writeln!(text, "Transitions fired: {edges}");
    }
    let reached = report
        .goal
        .as_ref()
        .filter(|goal| goal.reached == Some(true));
    let found = match (report.findings.first(), reached) {
        (Some(finding), _) => Some((kind(finding), &finding.path)),
        (None, Some(goal)) => Some(("goal_found", &goal.path)),
        (None, None) => None,
    };
    match (&found, report.verdict) {
        (Some((kind, path)), _) => counterexample(&mut text, kind, path),
        (None, Verdict::Open) => text
            .push_str("No counter example found. However, not all transitions were computed !\n"),
        (None, _) => text.push_str("No counter example found. ALL states visited.\n"),
    }
    if !report.uncovered.is_empty() {
        let _ = writeln!(
            text,
            "UNCOVERED_OPERATIONS ({}): {}",
            report.uncovered.len(),
            report.uncovered.join(",")
        );
    }
    match (&found, report.verdict) {
        (Some((kind, _)), _) => {
            let _ = writeln!(
                text,
                "Found \"{kind}\" error in state id {}",
                expanded(report)
            );
            tally(&mut text, Trouble::Error(kind), report);
        }
        (None, Verdict::Open) => tally(&mut text, Trouble::Incomplete, report),
        (None, _) => {}
    }
    text
}

/// Whether nothing was found but that there is no state to begin with.
fn no_initial_state(report: &Report) -> bool {
    matches!(report.findings.first(), Some(finding) if finding.kind == FindingKind::Setup)
}

/// The nodes without the root.
fn expanded(report: &Report) -> String {
    let statistics = &report.statistics;
    match statistics.nodes.to_string().parse::<u128>() {
        Ok(nodes) => nodes.saturating_sub(1).to_string(),
        Err(_) => statistics.nodes.to_string(),
    }
}

/// What ProB counts at the end of a run.
enum Trouble {
    /// An error, by its name.
    Error(&'static str),
    /// States are left: a warning.
    Incomplete,
}

/// What went wrong, last.
fn tally(text: &mut String, trouble: Trouble, report: &Report) {
    let warnings = report.warnings.len();
    let (kind, errors, warnings) = match trouble {
        Trouble::Error(kind) => (kind, report.findings.len().max(1), warnings),
        Trouble::Incomplete => ("model_check_incomplete", 0, warnings + 1),
    };
    let _ = writeln!(
        text,
        "! *** error occurred ***\n! {kind}\n! Total Errors: {errors}, Warnings:{warnings}"
    );
}

/// The line of `-coverage`: how many states of which sort there are, and how often each operation happened.
pub(super) fn coverage(report: &Report, deadlocked: usize, broken: usize) -> String {
    let statistics = &report.statistics;
    let total = &statistics.nodes;
    let is_cut = report.verdict == Verdict::Open;
    let mut covered: Vec<(String, String)> = report
        .operations
        .iter()
        .filter(|operation| operation.happens)
        .map(|operation| {
            let count = operation.transitions.as_ref().map(ToString::to_string);
            (operation.name.clone(), count.unwrap_or_default())
        })
        .collect();
    if statistics.setups > 0 {
        covered.push((Happening::SETUP.to_owned(), statistics.setups.to_string()));
    }
    let count = |count: &super::Count| count.to_string().parse::<u128>().unwrap_or(0);
    let (edges, transitions) = (
        statistics.edges.as_ref().map_or(0, count),
        statistics.transitions.as_ref().map_or(0, count),
    );
    let begun = edges.saturating_sub(transitions + u128::from(statistics.setups));
    covered.push((Happening::INITIALISATION.to_owned(), begun.to_string()));
    covered.sort();
    let live = count(total).saturating_sub(deadlocked as u128);
    let cut = if is_cut {
        "explored_but_not_all_transitions_computed:1,"
    } else {
        ""
    };
    let mut text = format!(
        "Coverage:\n[STATES ({total}),deadlocked:{deadlocked},invariant_violated:{broken},invariant_not_checked:0,\
         open:{},{cut}live:{live},total:{total},TOTAL_TRANSITIONS,{edges},COVERED_OPERATIONS ({})",
        u8::from(is_cut),
        covered.len()
    );
    for (name, count) in covered {
        let _ = write!(text, ",{name}:{count}");
    }
    let _ = write!(text, ",UNCOVERED_OPERATIONS ({})", report.uncovered.len());
    for name in &report.uncovered {
        let _ = write!(text, ",{name}");
    }
    text.push_str("]\n");
    text
}

/// What ProB says of formulas.
fn formulas(text: &mut String, report: &Report) {
    for formula in &report.formulas {
        let logic = formula.logic.word().to_uppercase();
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
        FindingKind::Ltl
        | FindingKind::Ctl
        | FindingKind::Never
        | FindingKind::Acceptance
        | FindingKind::NonProgress => "ltl_violation",
        FindingKind::Trace => "assertion_violation",
        FindingKind::Cover => "goal_not_found",
    }
}

fn counterexample(text: &mut String, kind: &str, path: &[verdict::ShownStep]) {
    let _ = writeln!(
        text,
        "*** COUNTER EXAMPLE FOUND ***\n\n{kind}\n*** TRACE (length={}):",
        path.len()
    );
    let mut before: &[(String, String)] = &[];
    for (number, step) in path.iter().enumerate() {
        let arguments: Vec<String> = step.args.0.iter().map(|(_, value)| value.clone()).collect();
        let shown = match arguments.is_empty() {
            false => arguments,
            // Without arguments the values that are new tell which step it was.
            true => step
                .state
                .0
                .iter()
                .filter(|pair| !before.contains(pair))
                .map(|(name, value)| format!("{name}={value}"))
                .collect(),
        };
        before = &step.state.0;
        let _ = match shown.is_empty() {
            true => writeln!(text, " {}: {}", number + 1, step.event),
            false => writeln!(text, " {}: {}({})", number + 1, step.event, shown.join(",")),
        };
    }
}
