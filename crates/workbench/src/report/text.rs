//! The report for people: findings with their paths first, figures next, the verdict last.
//!
//! Times and memory appear only for runs long enough that somebody asks (a second or more).

use std::fmt::Write as _;

use crate::choice::{Symmetry, Topic};

use super::{Finding, FindingKind, Report, Verdict, checked, counted, grouped};

/// Runs shorter than this show no time.
const SHORT_RUN_SECONDS: f64 = 1.0;
/// Of a longer path so many steps are shown at its beginning and at its end.
const SHOWN_STEPS: usize = 25;
/// Longer lists are cut, with a count of the rest; JSON has all.
const MAX_LIST: usize = 30;

/// The whole text; `quiet` leaves only findings and the verdict.
pub(super) fn write(report: &Report, quiet: bool) -> String {
    let mut text = String::new();
    for (at, finding) in report.findings.iter().enumerate() {
        let is_same = |other: &&Finding| other.message == finding.message;
        if report.findings[..at].iter().any(|other| is_same(&other)) {
            continue;
        }
        write_finding(&mut text, finding);
        let same = report.findings[at + 1..].iter().filter(is_same).count();
        if same > 0 {
            let paths = counted(same as u64, "other path");
            let _ = writeln!(text, "  the same at the end of {paths} (--json has them)");
        }
        text.push('\n');
    }
    write_goal(&mut text, report);
    write_formulas(&mut text, report);
    if !quiet {
        write_figures(&mut text, report);
        write_remarks(&mut text, report);
    }
    let _ = writeln!(text, "verdict: {}", verdict_line(report));
    text
}

fn write_finding(text: &mut String, finding: &Finding) {
    let _ = writeln!(text, "{}", finding.message);
    if let Some(place) = &finding.place {
        let _ = writeln!(text, "  at {place}");
    }
    text.push_str(&folded(&finding.shown()));
    if let Some(steps) = finding.found_in {
        let steps = counted(steps as u64, "step");
        let _ = writeln!(text, "  (found after {steps}; these are enough)");
    }
    if let Some(chart) = &finding.chart {
        for line in verdict::chart::text(chart).lines() {
            let _ = writeln!(text, "  {line}");
        }
    }
    for line in &finding.why {
        let _ = writeln!(text, "  {}", verdict::for_people(line));
    }
    write_along(text, finding);
    if let Some(changed) = &finding.last_changed {
        let _ = writeln!(text, "  last changed: {changed}");
    }
}

/// Where the parts of a temporal formula hold along the path.
pub(super) fn write_along(text: &mut String, finding: &Finding) {
    if finding.along.is_empty() {
        return;
    }
    let _ = writeln!(text, "  holds after step:");
    for along in &finding.along {
        let _ = writeln!(text, "    {}: {}", along.part, steps(&along.holds_after));
    }
}

/// `2-4, 7`, from 1.
pub(super) fn steps(all: &[usize]) -> String {
    let mut parts: Vec<(usize, usize)> = Vec::new();
    for step in all {
        match parts.last_mut() {
            Some((_, last)) if *last + 1 == *step => *last = *step,
            _ => parts.push((*step, *step)),
        }
    }
    let parts: Vec<String> = parts
        .iter()
        .map(|(first, last)| match last - first {
            0 => format!("{}", first + 1),
            _ => format!("{}-{}", first + 1, last + 1),
        })
        .collect();
    match parts.is_empty() {
        true => "none".to_owned(),
        false => parts.join(", "),
    }
}

/// One line for each temporal formula.
pub(super) fn write_formulas(text: &mut String, report: &Report) {
    for formula in &report.formulas {
        let word = formula.verdict.word();
        let _ = writeln!(text, "{} {word}: {}", formula.heading(), formula.formula);
        if let Some(because) = &formula.because {
            let _ = writeln!(text, "  {because}");
        }
        for warning in &formula.warnings {
            let _ = writeln!(text, "  warning: {warning}");
        }
    }
}

fn write_goal(text: &mut String, report: &Report) {
    let Some(goal) = &report.goal else { return };
    if report.verdict == Verdict::Error {
        return;
    }
    let _ = match goal.reached {
        Some(true) => writeln!(text, "goal reached: {}", goal.predicate),
        Some(false) => writeln!(text, "goal not reachable: {}", goal.predicate),
        None => writeln!(text, "goal not reached so far: {}", goal.predicate),
    };
    let path = verdict::Shown {
        steps: goal.path.clone(),
        loop_start: None,
    };
    let _ = writeln!(text, "{}", folded(&path));
}

/// A path; of a long one the beginning and the end.
fn folded(path: &verdict::Shown) -> String {
    let text = path.text("  ");
    let steps = path.steps.len();
    if steps <= 2 * SHOWN_STEPS + 10 {
        return text;
    }
    let width = steps.to_string().len();
    let mut kept = String::new();
    let mut step = 0;
    for line in text.lines() {
        if line.starts_with(&format!("  {:>width$}  ", step + 1)) {
            step += 1;
            if step == SHOWN_STEPS + 1 {
                let left = counted((steps - 2 * SHOWN_STEPS) as u64, "step");
                let _ = writeln!(
                    kept,
                    "  … {left} are left out; --json and --trace-out have all"
                );
            }
        }
        if step <= SHOWN_STEPS || step > steps - SHOWN_STEPS {
            let _ = writeln!(kept, "{line}");
        }
    }
    kept
}

/// `Lift: 12 states, 30 transitions, depth 4`
pub(super) fn figures_line(report: &Report) -> String {
    let statistics = &report.statistics;
    let name = report.model.name.as_deref().unwrap_or(&report.model.file);
    let mut figures = vec![counted(&statistics.states, "state")];
    if let Some(transitions) = &statistics.transitions {
        figures.push(counted(transitions, "transition"));
    }
    if statistics.setups > 0 {
        figures.push(counted(statistics.setups, "set-up"));
    }
    match &statistics.symbolic {
        None => figures.push(format!("depth {}", grouped(statistics.depth))),
        Some(symbolic) => figures.push(counted(symbolic.ldd_nodes, "diagram node")),
    }
    format!("{name}: {}", figures.join(", "))
}

fn write_figures(text: &mut String, report: &Report) {
    let statistics = &report.statistics;
    let _ = writeln!(text, "{}", figures_line(report));
    if statistics.wall_s >= SHORT_RUN_SECONDS {
        let rate = match statistics.symbolic {
            // States that nobody looked at one by one.
            Some(_) => String::new(),
            None => {
                let rate = statistics.states.approximate() / statistics.wall_s;
                format!(" {} states/s,", grouped(rate as u64))
            }
        };
        let _ = writeln!(
            text,
            "  {:.1} s,{rate} {:.0} MB",
            statistics.wall_s,
            statistics.peak_memory_bytes as f64 / 1e6
        );
    }
    let mut choices = report.choices.iter();
    if let Some(engine) = choices.find(|choice| choice.option == Topic::Engine) {
        let _ = writeln!(text, "  engine: {}", engine.chosen);
    }
    write_workers(text, report);
    write_symmetry(text, report);
    write_por(text, report);
    write_induction(text, report);
    if !report.checked.is_empty() {
        let _ = writeln!(text, "  checked: {}", checked::listed(&report.checked));
    }
    let scopes = report.scopes.iter().map(String::as_str).collect();
    write_list(text, "scopes", scopes);
    let operations: Vec<String> = report
        .operations
        .iter()
        .map(|operation| match &operation.transitions {
            Some(count) => format!("{} {}", operation.name, grouped(count)),
            None => operation.name.clone(),
        })
        .collect();
    write_list(
        text,
        report.words.listed,
        operations.iter().map(String::as_str).collect(),
    );
    let variables: Vec<String> = report
        .variables
        .iter()
        .map(|variable| {
            let sign = if variable.at_least { "≥" } else { "" };
            format!("{} {sign}{}", variable.name, grouped(variable.values))
        })
        .collect();
    write_list(
        text,
        "values",
        variables.iter().map(String::as_str).collect(),
    );
}

/// `workers: 2, with 48 % to 52 % of the states each; 3.1 bytes a transition sent and 0.2 of values`
fn write_workers(text: &mut String, report: &Report) {
    let workers = &report.workers;
    let states: u64 = workers.iter().map(|part| part.states).sum();
    let transitions: u64 = workers.iter().map(|part| part.transitions).sum();
    let bytes: u64 = workers.iter().map(|part| part.traffic.bytes).sum();
    let values: u64 = workers.iter().map(|part| part.traffic.value_bytes).sum();
    let shares = workers.iter().map(|part| part.states);
    let (Some(least), Some(most)) = (shares.clone().min(), shares.max()) else {
        return;
    };
    let share = |part: u64| part as f64 * 100.0 / states.max(1) as f64;
    let each = |bytes: u64| bytes as f64 / transitions.max(1) as f64;
    let beside = match values {
        0 => String::new(),
        _ => format!(" and {:.1} of values", each(values)),
    };
    let _ = writeln!(
        text,
        "  workers: {}, with {:.0} % to {:.0} % of the states each; {:.1} bytes a transition sent{beside}",
        workers.len(),
        share(least),
        share(most),
        each(bytes.saturating_sub(values))
    );
}

/// `symmetry: exact over PID (3): stands for 8 states`
pub(super) fn write_symmetry(text: &mut String, report: &Report) {
    let symmetry = &report.reductions.symmetry;
    if symmetry.method == Symmetry::Off || symmetry.sorts.is_empty() {
        return;
    }
    let sorts = symmetry.sorts.iter();
    let sorts: Vec<String> = sorts
        .map(|(name, size)| format!("{name} ({size})"))
        .collect();
    let mut line = format!("{} over {}", symmetry.method.word(), sorts.join(", "));
    if let Some(states) = symmetry.states {
        let _ = write!(line, ", standing for {} states", grouped(states));
    }
    if let Some(states) = symmetry.states_at_least {
        let _ = write!(line, ", standing for at least {} states", grouped(states));
    }
    let _ = writeln!(text, "  symmetry: {line}");
}

/// `induction: 3 of 4 conjuncts are kept by every step`
pub(super) fn write_induction(text: &mut String, report: &Report) {
    if let Some(induction) = &report.reductions.induction {
        let all = counted(induction.conjuncts.len() as u64, "conjunct");
        let proved = induction.proved();
        let proofs = induction.proofs().map_or(String::new(), |proofs| {
            let all = counted(proofs.questions as u64, "question");
            format!(", {} of {all} with a DRAT proof", proofs.drat)
        });
        let _ = writeln!(
            text,
            "  induction: {proved} of {all} kept by every step{proofs}"
        );
    }
}

/// `partial order: stubborn over 12 instances, 40 of 96 states reduced, 1.2 of 3.4 steps taken there`
pub(super) fn write_por(text: &mut String, report: &Report) {
    let por = &report.reductions.por;
    let Some(groups) = por.groups else {
        return;
    };
    let Some(reduced) = por.reduced_states else {
        let because = por.because.as_deref().unwrap_or_default();
        let _ = writeln!(text, "  partial order: {}: {because}", por.method.word());
        write_culprits(text, &por.culprits);
        return;
    };
    let mut line = format!(
        "{} over {}, {} of {} reduced",
        por.method.word(),
        counted(groups as u64, report.words.choice),
        grouped(reduced),
        counted(&report.statistics.states, "state"),
    );
    if let (Some(taken), Some(all)) = (por.average_size, por.average_enabled) {
        let _ = write!(line, ", {taken:.1} of {all:.1} steps taken there");
    }
    let _ = writeln!(text, "  partial order: {line}");
    write_culprits(text, &por.culprits);
}

fn write_culprits(text: &mut String, culprits: &[String]) {
    if !culprits.is_empty() {
        let _ = writeln!(text, "  kept in order by: {}", culprits.join(", "));
    }
}

fn write_list(text: &mut String, heading: &str, items: Vec<&str>) {
    if items.is_empty() {
        return;
    }
    let more = match items.len().checked_sub(MAX_LIST) {
        Some(more) if more > 0 => format!(", … ({more} more)"),
        _ => String::new(),
    };
    let shown: Vec<&str> = items.into_iter().take(MAX_LIST).collect();
    let _ = writeln!(text, "  {heading}: {}{more}", shown.join(", "));
}

pub(super) fn write_remarks(text: &mut String, report: &Report) {
    for (word, lines) in [
        ("warning", &report.warnings),
        ("not checked", &report.not_checked),
        ("hint", &report.hints),
    ] {
        for line in lines {
            let _ = writeln!(text, "{word}: {line}");
        }
    }
}

/// The last line, which scripts and eyes look for.
pub(super) fn verdict_line(report: &Report) -> String {
    let word = report.verdict.word();
    match report.verdict {
        Verdict::Holds if !report.not_checked.is_empty() => {
            let count = report.not_checked.len() as u64;
            format!("{word} ({} not checked)", counted(count, "thing"))
        }
        Verdict::Holds
            if report
                .reductions
                .induction
                .as_ref()
                .is_some_and(|i| i.decides) =>
        {
            format!("{word} (by induction)")
        }
        Verdict::Holds | Verdict::Error => word.to_owned(),
        Verdict::Open => format!("{word} ({})", report.open_because.join("; ")),
        Verdict::Violated => {
            let kinds: Vec<&str> = report
                .findings
                .iter()
                .map(|finding| match finding.kind {
                    FindingKind::Setup => "no set-up",
                    kind => kind.word(),
                })
                .collect();
            let more = report.findings.len() - 1;
            let first = kinds.first().copied().unwrap_or_default();
            match more {
                0 => format!("{word} ({first})"),
                more => format!(
                    "{word} ({first} and {})",
                    counted(more as u64, "more finding")
                ),
            }
        }
    }
}
