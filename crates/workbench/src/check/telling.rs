//! What is told of a model before it is searched, and what is wrong with it.

use base::{Severity, render};
use pins::LabelKind;
use subject::Subject;

use super::labels;
use crate::choice::Engine;
use crate::lint::Lint;
use crate::plan::Options;
use crate::report::{Checked, ConjunctReport, ConjunctState, Report};

/// Puts the warnings of the front end into the report.
pub(super) fn tell_warnings(lint: &Lint, report: &mut Report) {
    for diagnostic in &lint.diagnostics {
        let place = diagnostic.primary.as_ref().map(|label| label.span);
        let place = place.map(|span| lint.sources.place(span));
        let place = place.map(|place| format!("{place}: ")).unwrap_or_default();
        report
            .warnings
            .push(format!("{place}{}", diagnostic.message));
    }
}

/// Puts what the model says about itself into the report.
pub(super) fn tell_model(subject: &dyn Subject, options: &Options, report: &mut Report) {
    let model = subject.description();
    let has = |kind| model.labels.iter().any(|label| label.kind == kind);
    report.reductions.merging = model.merging;
    report.scopes.extend(model.scopes.iter().cloned());
    report.warnings.extend(model.warnings.iter().cloned());
    let asked = options.goal.as_deref().map(str::trim);
    let goal = model.goal.filter(|goal| asked != Some(goal.as_str()));
    let goal = goal.map(|goal| format!("{goal} (use --goal {goal})"));
    let not_checked = model.not_checked.iter().cloned();
    report
        .not_checked
        .extend(goal.into_iter().chain(not_checked));
    let only = options.only.is_some();
    for (is_checked, what) in [
        (
            options.invariant && has(LabelKind::Invariant),
            Checked::Invariant,
        ),
        (
            options.deadlock && !only && !model.events.is_empty(),
            Checked::Deadlock,
        ),
        (
            options.setting.obligations.assertions && has(LabelKind::Assertion),
            Checked::Assertions,
        ),
    ] {
        if is_checked {
            report.checked.push(what);
        }
    }
    let watched = model.watched.iter().copied().map(Checked::Watched);
    report.checked.extend(watched.chain([Checked::Definedness]));
    if options.engine == Engine::Bmc {
        report.checked = vec![Checked::Invariant];
    } else if let Some(only) = &options.only {
        report.checked = vec![Checked::Only(only.clone()), Checked::Definedness];
    }
    if options.deadlock && !only && model.events.is_empty() {
        let what = format!("deadlock: the model has no {}", subject.words().events);
        report.not_checked.push(what);
    }
    report.conjuncts = labels::all(subject, None)
        .iter()
        .filter_map(|asked| {
            let (kind, is_wanted) = match asked.kind {
                LabelKind::Assertion => ("assertion", options.setting.obligations.assertions),
                LabelKind::Invariant => ("invariant", options.invariant),
                // They say something about all states together, or about ends.
                LabelKind::Cover | LabelKind::End | LabelKind::Goal => return None,
            };
            let only = options.only.as_ref();
            let is_meant = only.is_none_or(|only| asked.is_named(only));
            Some(ConjunctReport {
                kind,
                label: asked.label.clone(),
                text: asked.text.clone(),
                state: match is_wanted && is_meant {
                    true => ConjunctState::Open,
                    false => ConjunctState::NotChecked,
                },
            })
        })
        .collect();
}

/// Errors in the form of `lint`.
pub(super) fn errors(lint: &Lint, bug: Option<&str>) -> Vec<serde_json::Value> {
    let errors = lint
        .diagnostics
        .iter()
        .filter(|diagnostic| diagnostic.severity == Severity::Error)
        .filter_map(|diagnostic| {
            serde_json::to_value(render::json(diagnostic, &lint.sources)).ok()
        });
    let bug = bug.map(|message| {
        serde_json::json!({
            "code": null,
            "severity": "error",
            "message": format!("internal error: this is a bug in burnside: {message}"),
        })
    });
    errors.chain(bug).collect()
}
