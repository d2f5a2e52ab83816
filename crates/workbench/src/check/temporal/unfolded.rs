//! Paths of representatives as paths of the unreduced model, in values.
//!
//! Invariant: whoever shows such a path replays it on the reference evaluator.

use pins::{Event as Happened, PathStep};
use reduce::symmetry::Annotated;
use search::liveness::{self, End as Ends, Mark, Unwound};
use subject::Trace;

use super::conclude::{Judging, Path};
use super::judge::End;
use crate::check::Ended;

/// More steps are not tried to close a loop of representatives.
const MOST_UNFOLDED: usize = 100_000;

/// What shows that a formula is false.
pub(super) enum Found {
    /// A path of what was searched.
    Searched(liveness::Evidence),
    /// A fair cycle of the unreduced model.
    Unwound(Unwound),
}

impl Found {
    /// Which parts of a branching formula hold along the path.
    pub(super) fn marks(&self) -> &[Mark] {
        match self {
            Found::Searched(found) => &found.marks,
            Found::Unwound(_) => &[],
        }
    }
}

impl Judging<'_> {
    /// The path of the unreduced model, in values; a loop ends with the step that closes it.
    pub(super) fn path(&self, found: Found) -> Result<Path, Ended> {
        let found = match found {
            Found::Searched(found) => found,
            Found::Unwound(found) => {
                let (steps, end) = self.unwound(found)?;
                return Ok(self.told(&steps, end));
            }
        };
        let (steps, end) = match (found.end, found.closing) {
            (Ends::Lasso { start }, Some(closing)) => self.lasso(found.path, start, closing)?,
            (Ends::Lasso { .. }, None) => {
                return Err(Ended::Bug(
                    "a loop without the step that closes it".to_owned(),
                ));
            }
            (Ends::Deadlock, _) => (self.unfolded(found.path)?, End::Deadlock),
            (Ends::BadPrefix, _) => (self.unfolded(found.path)?, End::Prefix),
        };
        Ok(self.told(&steps, end))
    }

    fn told(&self, steps: &[PathStep], end: End) -> Path {
        let loop_start = match end {
            End::Lasso(start) => Some(start + 1),
            _ => None,
        };
        let steps = steps.iter().map(|step| self.evidence.step(step)).collect();
        Path {
            trace: Trace { steps, loop_start },
            end,
        }
    }

    /// A cycle of the unreduced model, behind the way to it: the way ends in a permutation of its first state, so all its steps are
    /// permuted.
    fn unwound(&self, found: Unwound) -> Result<(Vec<PathStep>, End), Ended> {
        let lost = || Ended::Bug("the way to a fair cycle cannot be unfolded".to_owned());
        let annotated = self.smaller.and_then(Annotated::new).ok_or_else(lost)?;
        let first = found.path.last().map(|step| step.state.clone());
        let mut steps = self.unfolded(found.path)?;
        let start = steps.len() - 1;
        let names = annotated
            .names(&first.ok_or_else(lost)?, &steps[start].state)
            .ok_or_else(lost)?;
        steps.extend(found.round.into_iter().map(|step| {
            let (event, words) = match step.event {
                Happened::Group(group) => {
                    let (group, words) = annotated.permute_label(group, &step.words, &names);
                    (Happened::Group(group), words)
                }
                event => (event, step.words),
            };
            PathStep {
                event,
                words,
                state: annotated.permute_state(&step.state, &names),
            }
        }));
        Ok((steps, End::Lasso(start)))
    }

    pub(super) fn unfolded(&self, path: Vec<PathStep>) -> Result<Vec<PathStep>, Ended> {
        match self.smaller {
            None => Ok(path),
            Some(smaller) => reduce::symmetry::unfold(smaller, &path)
                .ok_or_else(|| Ended::Bug("the path to a finding cannot be unfolded".to_owned())),
        }
    }

    /// A loop with the step that closes it. A loop of representatives closes in the unreduced model after some rounds:
    /// when the names of elements have come back.
    fn lasso(
        &self,
        mut path: Vec<PathStep>,
        start: usize,
        closing: PathStep,
    ) -> Result<(Vec<PathStep>, End), Ended> {
        path.push(closing);
        if self.smaller.is_none() {
            return Ok((path, End::Lasso(start)));
        }
        let round = path[start + 1..].to_vec();
        let mut rounds = 1;
        loop {
            let mut entries: Vec<usize> = Vec::new();
            let real = self.unfolded(path.clone())?;
            for round_index in 0..=rounds {
                let entry = start + round_index * round.len();
                let same = entries
                    .iter()
                    .find(|e| real[**e].state == real[entry].state);
                if let Some(same) = same {
                    return Ok((real[..=entry].to_vec(), End::Lasso(*same)));
                }
                entries.push(entry);
            }
            if path.len() > MOST_UNFOLDED {
                let what = "a loop of representatives does not close in the unreduced model";
                return Err(Ended::Bug(what.to_owned()));
            }
            for _ in 0..rounds {
                path.extend(round.iter().cloned());
            }
            rounds *= 2;
        }
    }
}
