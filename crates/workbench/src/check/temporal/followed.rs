//! What is followed along the permutations of representatives: labels of steps, and the actors that take part in them.
//!
//! What they show to be false is shown by a path of the unreduced model.
//!
//! Invariant: actors are points of the action that moves them, by their numbers (`subject::Ground::each_actor`).

use std::time::Instant;

use pins::{GroupId, System};
use reduce::symmetry::{Annotated, AnnotatedStep, Quotient};
use search::liveness::Annotations;
use subject::Ground;

use super::{Formulas, Smaller};
use crate::check::facts::Facts;
use crate::check::run::Run;
use crate::check::{Ended, Hooks};
use crate::plan::Options;
use crate::report::Verdict;

/// So many states of a model are looked at for a short path in the place of a cycle that was unwound.
const FEW: u64 = 50_000;

/// Said where a formula is false and nobody can show why.
const LOST: &str = "a fair cycle of representatives was found, so a formula is false; a path of the model was not found within the limits";

/// The annotated steps of a quotient with what its ground knows of them.
pub(super) struct Followed<'a> {
    pub(super) annotated: Annotated<'a>,
    pub(super) ground: &'a dyn Ground,
}

impl Annotations for Followed<'_> {
    fn steps(&self, state: &[u32]) -> Vec<AnnotatedStep> {
        self.annotated.steps(state)
    }

    fn permute_label(&self, group: GroupId, label: &[u32], images: &[u32]) -> (GroupId, Vec<u32>) {
        self.annotated.permute_label(group, label, images)
    }

    fn actors(&self, group: GroupId, label: &[u32]) -> Vec<u32> {
        let mut actors = Vec::new();
        self.ground
            .each_actor(group, label, &mut |who| actors.push(who as u32));
        actors.sort_unstable();
        actors.dedup();
        actors
    }

    fn permute_actor(&self, actor: u32, images: &[u32]) -> u32 {
        images[actor as usize]
    }

    fn permute_state(&self, state: &[u32], images: &[u32]) -> Vec<u32> {
        self.annotated.permute_state(state, images)
    }
}

impl Formulas {
    /// Shows a path of the model for a fair cycle of representatives that is long when it is unwound: a shorter one where the model has
    /// few states, else that one.
    pub(super) fn show(
        &self,
        run: &Run<'_>,
        (ground, smaller): (&dyn Ground, &Quotient<'_>),
        start: Instant,
        hooks: &Hooks<'_>,
        facts: Facts,
    ) -> Result<Facts, Ended> {
        let tell = |mut facts: Facts| {
            if Formulas::are_alone(run.options) {
                let why = "a fair cycle of representatives was found; its path is one of the unreduced model";
                facts.symmetry.because = Some(why.to_owned());
            }
            facts
        };
        let has = |facts: &Facts, verdict: Verdict| {
            let mut all = facts.formulas.iter();
            all.any(|told| told.verdict == verdict)
        };
        let most = run.options.max_states.unwrap_or(FEW).min(FEW);
        let options = Options {
            max_states: Some(most),
            ..run.options.clone()
        };
        let few = Run {
            options: &options,
            ..*run
        };
        let found = self.search_all(&few, (ground, None), start, hooks, facts.clone())?;
        if !has(&found, Verdict::Open) {
            return Ok(tell(found));
        }
        let unwound = (
            ground,
            Some(smaller as &dyn System),
            Smaller::Unwound(smaller),
        );
        if let Some(found) = self.search(run, unwound, start, hooks, facts.clone())? {
            return Ok(found);
        }
        let found = self.search_all(run, (ground, None), start, hooks, facts)?;
        let mut found = tell(found);
        if has(&found, Verdict::Open) && !has(&found, Verdict::Violated) {
            found.warnings.push(LOST.to_owned());
        }
        Ok(found)
    }
}
