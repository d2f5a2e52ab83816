//! A shorter path to the same finding, when the engine did not look for the shortest one.
//!
//! Technique: delta debugging (Zeller, Hildebrandt, "Simplifying and isolating failure-inducing input", 2002): ever
//! smaller runs of events are left out as long as the rest can still happen and ends in the same finding.
//! Invariant: what is shown was replayed on the reference evaluator, as every path is.

use std::path::Path;

use model::{ExprId, Value};
use verdict::format::{RecordedStep, Wanted};
use verdict::{Claim, Definedness, ShownStep, Trace, replay};

use super::evidence::last_changed;
use crate::Setting;
use crate::choice::Wd;
use crate::replay::{shown, walk};
use crate::report::{Finding, FindingKind};
use crate::runnable::{Move, Place, Runnable};

/// Longer paths are left alone.
const MAX_STEPS: usize = 400;
/// So many shorter paths are tried.
const MAX_TRIES: usize = 2_000;

/// Shortens the path of a finding, if that is possible and as far as it is before `is_over`; the model is opened again.
pub(super) fn shorten(
    path: &Path,
    setting: &Setting,
    finding: &mut Finding,
    is_over: &dyn Fn() -> bool,
) {
    if let Some((steps, why, last_changed)) = shorter(path, setting, finding, is_over) {
        finding.found_in = Some(finding.path.len());
        finding.path = steps;
        finding.why = why;
        finding.last_changed = last_changed;
    }
}

/// The steps of a shorter path, and what is to be said about its end.
type Shorter = (Vec<ShownStep>, Vec<String>, Option<String>);

fn shorter(
    path: &Path,
    setting: &Setting,
    finding: &Finding,
    is_over: &dyn Fn() -> bool,
) -> Option<Shorter> {
    let is_kind = matches!(
        finding.kind,
        FindingKind::Invariant | FindingKind::Assertion | FindingKind::Deadlock
    );
    let is_long = finding.path.len() > MAX_STEPS;
    if !is_kind || finding.loop_start.is_some() || is_long || is_over() {
        return None;
    }
    let runnable = Runnable::open(path, setting).ok()?;
    let claim = claim(&runnable, finding)?;
    let mut steps: Vec<RecordedStep> = finding
        .path
        .iter()
        .map(|step| recorded(&runnable, step))
        .collect();
    let first = steps.iter().position(|step| {
        !matches!(
            step.event.as_deref(),
            Some("SETUP_CONSTANTS" | "INITIALISATION")
        )
    })?;
    let mut best: Option<Vec<Move>> = None;
    let mut size = (steps.len() - first).div_ceil(2);
    let mut tries = 0;
    let goes_on = |tries: usize| tries < MAX_TRIES && !is_over();
    while size > 0 && goes_on(tries) {
        let mut at = first;
        while at < steps.len() && goes_on(tries) {
            let end = (at + size).min(steps.len());
            let rest: Vec<RecordedStep> =
                steps[..at].iter().chain(&steps[end..]).cloned().collect();
            tries += 1;
            match walk(&runnable, &rest, &|place| holds(&runnable, claim, place)) {
                Some(moves) => {
                    steps = rest;
                    best = Some(moves);
                }
                None => at = end,
            }
        }
        size /= 2;
    }
    let moves = best?;
    let trace = Trace {
        steps: moves.iter().map(|taken| runnable.step(taken)).collect(),
        loop_start: None,
    };
    let definedness = match setting.wd {
        Wd::Default => Definedness::Default,
        Wd::Strict => Definedness::Strict,
        Wd::Lenient => Definedness::Lenient,
    };
    let evidence = replay(runnable.model(), &trace, claim, definedness).ok()?;
    let shown = shown(&runnable, &moves);
    let last_changed = match claim {
        Claim::False(predicate) => last_changed(runnable.model(), predicate, &shown),
        _ => None,
    };
    evidence
        .doubt
        .is_none()
        .then_some((shown.steps, evidence.why, last_changed))
}

/// What is said about the last state.
fn claim(runnable: &Runnable, finding: &Finding) -> Option<Claim> {
    if finding.kind == FindingKind::Deadlock {
        return Some(Claim::Deadlock);
    }
    let judged = runnable.judged();
    let text_of = |text: &str| finding.message.ends_with(&format!(" is false: {text}"));
    let found = judged.iter().find(|(text, _)| text_of(text));
    found.map(|(_, predicate)| Claim::False(*predicate))
}

fn holds(runnable: &Runnable, claim: Claim, place: &Place) -> bool {
    let Place::State(vector) = place else {
        return false;
    };
    match claim {
        Claim::False(predicate) => is_false(runnable, vector, predicate),
        Claim::Deadlock => {
            let found = runnable.moves(place);
            found.moves.is_empty() && found.faults.is_empty()
        }
        _ => false,
    }
}

fn is_false(runnable: &Runnable, vector: &[u32], predicate: ExprId) -> bool {
    let judged = runnable.judge(vector);
    let found = judged.iter().find(|judged| judged.predicate == predicate);
    found.is_some_and(|judged| judged.truth == Some(false))
}

/// A step by its event and arguments; the beginning by its state too.
fn recorded(runnable: &Runnable, step: &ShownStep) -> RecordedStep {
    let model = runnable.model();
    let action = runnable
        .action(&step.event)
        .map(|action| &model.actions[action]);
    let value = |ty, text: &str| match Value::read(&model.tys, ty, text) {
        Some(value) => Wanted::Value(value),
        None => Wanted::Text(text.to_owned()),
    };
    let args = step
        .args
        .0
        .iter()
        .zip(action.map_or(&[][..], |action| &action.parameters));
    let is_start = action.is_none();
    let state = step.state.0.iter().filter(|_| is_start);
    RecordedStep {
        event: Some(step.event.clone()),
        args: args
            .map(|((name, text), local)| (name.clone(), value(model.locals[*local].ty, text)))
            .collect(),
        state: state
            .filter_map(|(name, text)| {
                let mut variables = model.variables.iter();
                let (_, variable) = variables.find(|(_, known)| known.name.as_str() == name)?;
                Some((name.clone(), value(variable.ty, text)))
            })
            .collect(),
        ..RecordedStep::default()
    }
}
