//! A shorter path to the same finding, when the engine did not look for the shortest one.
//!
//! Technique: delta debugging (Zeller, Hildebrandt, "Simplifying and isolating failure-inducing input", 2002): ever
//! smaller runs of events are left out as long as the rest can still happen and ends in the same finding.
//! Invariant: what is shown was replayed on the reference evaluator, as every path is.

use pins::{LabelId, LabelKind, Truth};
use subject::{Claim, Happening, Predicate, Trace};
use verdict::{Shown, ShownStep, replay};

use super::evidence::last_changed;
use crate::replay::{Said, trace as trace_of, walk};
use crate::report::{Finding, FindingKind};
use crate::runnable::{Move, Place, View};

/// Longer paths are left alone.
const MAX_STEPS: usize = 400;
/// So many shorter paths are tried.
const MAX_TRIES: usize = 2_000;

/// Shortens the path of a finding, if that is possible and as far as it is before `is_over`.
pub(super) fn shorten(view: View<'_>, finding: &mut Finding, is_over: &dyn Fn() -> bool) {
    if let Some((steps, why, last_changed, trace)) = shorter(view, finding, is_over) {
        finding.found_in = Some(finding.path.len());
        finding.path = steps;
        finding.why = why;
        finding.last_changed = last_changed;
        if let Some((known, _)) = &mut finding.evidence {
            *known = trace;
        }
    }
}

/// The steps of a shorter path, and what is to be said about its end.
type Shorter = (Vec<ShownStep>, Vec<String>, Option<String>, Trace);

fn shorter(view: View<'_>, finding: &Finding, is_over: &dyn Fn() -> bool) -> Option<Shorter> {
    let is_kind = matches!(
        finding.kind,
        FindingKind::Invariant | FindingKind::Assertion | FindingKind::Deadlock
    );
    let is_long = finding.path.len() > MAX_STEPS;
    if !is_kind || finding.loop_start.is_some() || is_long || is_over() {
        return None;
    }
    let (trace, claim) = finding.evidence.as_ref()?;
    let claim = *claim;
    let mut steps: Vec<Said> = trace
        .steps
        .iter()
        .map(|step| Said::of_step(view.description(), step))
        .collect();
    let mut happened = trace.steps.iter();
    let first = happened.position(|step| matches!(step.happening, Happening::Event(_)))?;
    let mut best: Option<Vec<Move>> = None;
    let mut size = (steps.len() - first).div_ceil(2);
    let mut tries = 0;
    let goes_on = |tries: usize| tries < MAX_TRIES && !is_over();
    while size > 0 && goes_on(tries) {
        let mut at = first;
        while at < steps.len() && goes_on(tries) {
            let end = (at + size).min(steps.len());
            let rest: Vec<Said> = steps[..at].iter().chain(&steps[end..]).cloned().collect();
            tries += 1;
            match walk(view, &rest, &|place| holds(view, claim, place)) {
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
    let trace = trace_of(view, &moves);
    let evidence = replay(view.subject, &trace, claim, view.wd).ok()?;
    let shown = Shown::new(&trace, view.subject);
    let last_changed = last_changed(view.subject, claim, &shown);
    evidence
        .doubt
        .is_none()
        .then_some((shown.steps, evidence.why, last_changed, trace))
}

fn holds(view: View<'_>, claim: Claim, place: &Place) -> bool {
    let Place::State(vector) = place else {
        return false;
    };
    match claim {
        Claim::False(Predicate::Label(label)) => {
            view.ground.system().worker().label(vector, label) == Truth::False
        }
        Claim::Deadlock => {
            let found = view.moves(place);
            let labels = view.description().labels.iter().enumerate();
            let mut ends = labels.filter(|(_, label)| label.kind == LabelKind::End);
            let mut worker = view.ground.system().worker();
            let may_end = ends.any(|(at, _)| worker.label(vector, LabelId::new(at)) == Truth::True);
            found.is_stuck() && !may_end
        }
        _ => false,
    }
}
