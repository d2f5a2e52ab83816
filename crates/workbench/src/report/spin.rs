//! The report in the lines that SPIN's verifiers print: scripts that look for them keep working.
//!
//! Differs: states are counted without partial order reduction unless it was asked for, depths are those of breadth-first search,
//! and what nobody counted (atomic steps, hash conflicts) is not printed.

use std::fmt::Write as _;

use super::{Checked, Finding, FindingKind, Report, Verdict};
use crate::choice::{Por, Topic};

/// The lines.
pub(super) fn write(report: &Report) -> String {
    let mut text = String::new();
    for finding in &report.findings {
        let depth = finding.path.len().saturating_sub(1);
        let _ = writeln!(text, "pan:1: {} (at depth {depth})", kind(finding));
    }
    let version = report.version;
    let _ = writeln!(text, "\n(burnside {version}, lines of Spin Version 6.5.2)");
    if report.verdict == Verdict::Open || !report.findings.is_empty() {
        let _ = writeln!(text, "Warning: Search not completed");
    }
    if report.reductions.por.method != Por::Off {
        let _ = writeln!(text, "\t+ Partial Order Reduction");
    }
    what(&mut text, report);
    counts(&mut text, report);
    for line in &report.warnings {
        let _ = writeln!(text, "warning: {line}");
    }
    for line in &report.open_because {
        let _ = writeln!(text, "pan: not complete: {line}");
    }
    text
}

/// What was looked for.
fn what(text: &mut String, report: &Report) {
    let formula = report.formulas.first();
    let claim = match formula {
        Some(formula) if formula.logic == FindingKind::NonProgress => "+ (:np_:)".to_owned(),
        Some(formula) if formula.logic == FindingKind::Acceptance => {
            "- (none specified)".to_owned()
        }
        Some(formula) => format!("+ ({})", formula.name.as_deref().unwrap_or("formula")),
        None => "- (none specified)".to_owned(),
    };
    let is_fair = report
        .choices
        .iter()
        .any(|choice| choice.option == Topic::Fair);
    let fair = if is_fair { "enabled" } else { "disabled" };
    let cycles = match formula {
        Some(formula) if formula.logic == FindingKind::NonProgress => {
            format!("non-progress cycles \t+ (fairness {fair})")
        }
        Some(_) => format!("acceptance   cycles \t+ (fairness {fair})"),
        None => "cycle checks       \t- (disabled by -DSAFETY)".to_owned(),
    };
    let checks = |what: Checked| match report.checked.contains(&what) {
        true => "+",
        false => "-",
    };
    let _ = writeln!(text, "\nFull statespace search for:");
    let _ = writeln!(text, "\tnever claim         \t{claim}");
    let _ = writeln!(
        text,
        "\tassertion violations\t{}",
        checks(Checked::Assertions)
    );
    let _ = writeln!(text, "\t{cycles}");
    let _ = writeln!(text, "\tinvalid end states\t{}", checks(Checked::Deadlock));
}

/// How much there was.
fn counts(text: &mut String, report: &Report) {
    let statistics = &report.statistics;
    let product = report
        .formulas
        .iter()
        .find_map(|known| known.product_states);
    let states = product.unwrap_or_else(|| statistics.states.saturating());
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
            let quoted = finding.message.split('"').nth(1);
            format!("assertion violated {}", quoted.unwrap_or_default())
        }
        FindingKind::Trace => "event_trace error (no matching event)".to_owned(),
        FindingKind::NonProgress => "non-progress cycle".to_owned(),
        FindingKind::Acceptance => "acceptance cycle".to_owned(),
        FindingKind::Ltl | FindingKind::Never if cycle => "acceptance cycle".to_owned(),
        FindingKind::Ltl | FindingKind::Never => "end state in claim reached".to_owned(),
        _ => finding.message.clone(),
    }
}
