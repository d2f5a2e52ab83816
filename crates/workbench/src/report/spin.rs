//! The report in the lines that SPIN's verifiers print: scripts that look for them keep working.
//!
//! Differs: states are counted without partial order reduction unless it was asked for, depths are those of breadth-first search,
//! and what nobody counted (atomic steps, hash conflicts) is not printed.

use std::fmt::Write as _;

use super::{Finding, FindingKind, Report, Verdict};
use crate::choice::{Por, Topic};

/// What a command line of SPIN says about a run, where a report cannot tell.
#[derive(Clone, Debug, Default)]
pub struct SpinRun {
    /// Claims that the file has and nobody asked about.
    pub claims_left: bool,
    /// Assertions were switched off.
    pub no_assertions: bool,
    /// Invalid end states were switched off.
    pub no_ends: bool,
    /// The search ends with so many errors.
    pub most_errors: usize,
    /// The file with the path of an error.
    pub trail: String,
}

impl SpinRun {
    /// Whether a search saw everything.
    pub fn is_complete(&self, report: &Report) -> bool {
        report.verdict != Verdict::Open && report.findings.len() < self.most_errors
    }
}

/// The lines, with those about places that nobody came to.
pub(super) fn write(report: &Report, run: &SpinRun, unreached: &str) -> String {
    let mut text = String::new();
    let formula = report.formulas.first();
    if let Some(formula) = formula.filter(|formula| formula.logic == FindingKind::Ltl) {
        let name = formula.name.as_deref().unwrap_or("formula");
        let _ = writeln!(text, "pan: ltl formula {name}");
    }
    for (at, finding) in report.findings.iter().enumerate() {
        let depth = finding.path.len().saturating_sub(1);
        let kind = kind(finding);
        let _ = writeln!(text, "pan:{}: {kind} (at depth {depth})", at + 1);
        if at == 0 {
            let _ = writeln!(text, "pan: wrote {}", run.trail);
        }
    }
    let version = report.version;
    let _ = writeln!(text, "\n(burnside {version}, lines of Spin Version 6.5.2)");
    if !run.is_complete(report) {
        let _ = writeln!(text, "Warning: Search not completed");
    }
    if report.reductions.por.method != Por::Off {
        let _ = writeln!(text, "\t+ Partial Order Reduction");
    }
    what(&mut text, report, run);
    counts(&mut text, report);
    if !unreached.is_empty() {
        let _ = write!(text, "\n{unreached}");
    }
    time(&mut text, report);
    for line in &report.warnings {
        let _ = writeln!(text, "warning: {line}");
    }
    for line in &report.open_because {
        let _ = writeln!(text, "pan: not complete: {line}");
    }
    text
}

/// What was looked for.
fn what(text: &mut String, report: &Report, run: &SpinRun) {
    let formula = report.formulas.first();
    let logic = formula.map(|formula| formula.logic);
    let is_np = logic == Some(FindingKind::NonProgress);
    let is_claim = logic.is_some_and(|logic| logic != FindingKind::Acceptance);
    let claim = match formula {
        _ if is_np => "+ (:np_:)".to_owned(),
        Some(formula) if is_claim => {
            format!("+ ({})", formula.name.as_deref().unwrap_or("formula"))
        }
        _ if run.claims_left => "- (not selected)".to_owned(),
        _ => "- (none specified)".to_owned(),
    };
    let is_fair = report
        .choices
        .iter()
        .any(|choice| choice.option == Topic::Fair);
    let fair = if is_fair { "enabled" } else { "disabled" };
    let cycles = match formula {
        _ if is_np => format!("non-progress cycles \t+ (fairness {fair})"),
        Some(_) => format!("acceptance   cycles \t+ (fairness {fair})"),
        None => "cycle checks       \t- (disabled by -DSAFETY)".to_owned(),
    };
    let assertions = match () {
        () if run.no_assertions => "- (disabled by -A flag)",
        () if is_claim => "+ (if within scope of claim)",
        () => "+",
    };
    let ends = match () {
        () if run.no_ends => "- (disabled by -E flag)",
        () if is_claim => "- (disabled by never claim)",
        () => "+",
    };
    let _ = writeln!(text, "\nFull statespace search for:");
    let _ = writeln!(text, "\tnever claim         \t{claim}");
    let _ = writeln!(text, "\tassertion violations\t{assertions}");
    let _ = writeln!(text, "\t{cycles}");
    let _ = writeln!(text, "\tinvalid end states\t{ends}");
}

/// The states that were stored, those of the claim with them.
fn stored(report: &Report) -> u64 {
    let mut formulas = report.formulas.iter();
    let product = formulas.find_map(|known| known.product_states);
    product.unwrap_or_else(|| report.statistics.states.saturating())
}

/// How much there was.
fn counts(text: &mut String, report: &Report) {
    let statistics = &report.statistics;
    let states = stored(report);
    let edges = statistics.edges.as_ref().map(super::Count::saturating);
    let edges = edges.unwrap_or(states).max(states);
    let _ = writeln!(
        text,
        "\nState-vector {} byte, depth reached {}, errors: {}",
        report.vector_bytes,
        statistics.depth,
        report.findings.len()
    );
    let _ = writeln!(text, "{states:9} states, stored");
    let _ = writeln!(text, "{:9} states, matched", edges - states);
    let _ = writeln!(text, "{edges:9} transitions (= stored+matched)");
    let megabytes = statistics.peak_memory_bytes as f64 / 1_048_576.0;
    let _ = writeln!(text, "\nStats on memory usage (in Megabytes):");
    let _ = writeln!(text, "{megabytes:9.3}\ttotal actual memory usage");
}

/// How long it took.
fn time(text: &mut String, report: &Report) {
    let statistics = &report.statistics;
    let states = stored(report);
    let seconds = statistics.wall_s;
    let _ = writeln!(text, "\npan: elapsed time {seconds:.2} seconds");
    if seconds > 0.0 {
        let rate = states as f64 / seconds;
        let _ = writeln!(text, "pan: rate {rate:9.0} states/second");
    }
}

/// What SPIN calls a finding.
fn kind(finding: &Finding) -> String {
    let cycle = finding.loop_start.is_some();
    match finding.kind {
        FindingKind::Deadlock => "invalid end state".to_owned(),
        FindingKind::Assertion => {
            let quoted = finding.message.split('"').nth(1).unwrap_or_default();
            format!("assertion violated ({quoted})")
        }
        FindingKind::Trace => "event_trace error (no matching event)".to_owned(),
        FindingKind::NonProgress => "non-progress cycle".to_owned(),
        FindingKind::Acceptance => "acceptance cycle".to_owned(),
        FindingKind::Ltl | FindingKind::Never if cycle => "acceptance cycle".to_owned(),
        FindingKind::Ltl | FindingKind::Never => "end state in claim reached".to_owned(),
        _ => finding.message.clone(),
    }
}
