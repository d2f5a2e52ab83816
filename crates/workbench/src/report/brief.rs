//! The report for a reader with little room, such as an assistant: what was found, folded, and the verdict.
//!
//! Invariant: whatever limits the verdict (what is open, warnings, what was not checked) is in it; what was folded is counted.

use std::fmt::Write as _;

use verdict::Shown;

use super::{Finding, Report, checked, counted, text};

/// So many findings are told.
const MAX_FINDINGS: usize = 5;
/// Longer lines of a path are cut.
const MAX_LINE: usize = 200;

/// The text, with paths of at most so many steps.
pub(super) fn write(report: &Report, most_steps: usize) -> String {
    let mut brief = String::new();
    for (at, finding) in report.findings.iter().enumerate().take(MAX_FINDINGS) {
        write_finding(&mut brief, at, finding, most_steps);
    }
    if let Some(more) = report.findings.len().checked_sub(MAX_FINDINGS + 1) {
        let more = counted(more as u64 + 1, "more finding");
        let _ = writeln!(brief, "… {more}");
    }
    if let Some(goal) = &report.goal {
        let word = match goal.reached {
            Some(true) => "reached",
            Some(false) => "not reachable",
            None => "not reached so far",
        };
        let _ = writeln!(brief, "goal {word}: {}", goal.predicate);
        let path = Shown {
            steps: goal.path.clone(),
            loop_start: None,
        };
        write_path(&mut brief, &path, most_steps);
    }
    text::write_formulas(&mut brief, report);
    let _ = writeln!(brief, "{}", text::figures_line(report));
    if !report.checked.is_empty() {
        let _ = writeln!(brief, "  checked: {}", checked::listed(&report.checked));
    }
    if !report.scopes.is_empty() {
        let _ = writeln!(brief, "  scopes: {}", report.scopes.join(", "));
    }
    if !report.uncovered.is_empty() {
        let _ = writeln!(brief, "  did not happen: {}", report.uncovered.join(", "));
    }
    text::write_symmetry(&mut brief, report);
    text::write_por(&mut brief, report);
    text::write_induction(&mut brief, report);
    text::write_remarks(&mut brief, report);
    let _ = writeln!(brief, "verdict: {}", text::verdict_line(report));
    brief
}

fn write_finding(brief: &mut String, at: usize, finding: &Finding, most_steps: usize) {
    let _ = writeln!(brief, "finding {}: {}", at + 1, finding.message);
    if let Some(place) = &finding.place {
        let _ = writeln!(brief, "  at {place}");
    }
    write_path(brief, &finding.shown(), most_steps);
    for line in &finding.why {
        let _ = writeln!(brief, "  {line}");
    }
    text::write_along(brief, finding);
    if let Some(changed) = &finding.last_changed {
        let _ = writeln!(brief, "  last changed: {changed}");
    }
}

/// A path: each step with what it changes; of a long one the beginning and the end, where the reason is.
fn write_path(brief: &mut String, path: &Shown, most: usize) {
    let count = path.steps.len();
    let head = if count > most { most / 3 } else { count };
    let tail = count.saturating_sub(most - head.min(most));
    for (at, step) in path.steps.iter().enumerate() {
        if at >= head && at < tail {
            if at == head {
                let folded = counted((tail - head) as u64, "step");
                let _ = writeln!(brief, "  … {folded} folded");
            }
            continue;
        }
        let changes = path.changes(at).list();
        let mut line = format!("  {}. {}", at + 1, step.label());
        if !changes.is_empty() {
            let _ = write!(line, "  {changes}");
        }
        if let Some((end, _)) = line.char_indices().nth(MAX_LINE) {
            line.truncate(end);
            line.push('…');
        }
        let _ = writeln!(brief, "{line}");
    }
    if let Some(start) = path.loop_start {
        let _ = writeln!(brief, "  and again from step {}", start + 1);
    }
}

#[cfg(test)]
mod tests {
    use verdict::{Pairs, Shown, ShownStep};

    fn path(count: usize) -> Shown {
        let step = |at: usize| ShownStep {
            event: format!("e{at}"),
            args: Pairs::default(),
            results: Pairs::default(),
            state: Pairs(vec![("x".to_owned(), at.to_string())]),
            parts: Pairs::default(),
            is_beginning: false,
            is_setup: false,
            atomic: false,
            has_numbers: false,
        };
        Shown {
            steps: (0..count).map(step).collect(),
            loop_start: None,
        }
    }

    #[test]
    fn a_long_path_is_folded_in_the_middle_and_says_so() {
        let mut text = String::new();
        super::write_path(&mut text, &path(20), 6);
        let lines: Vec<&str> = text.lines().map(str::trim).collect();
        assert_eq!(lines.len(), 7, "{text}");
        assert!(lines[1].starts_with("2. e1"), "{text}");
        assert_eq!(lines[2], "… 14 steps folded");
        assert!(lines[6].starts_with("20. e19"), "{text}");
        let mut text = String::new();
        super::write_path(&mut text, &path(6), 6);
        assert_eq!(text.lines().count(), 6, "{text}");
    }
}
