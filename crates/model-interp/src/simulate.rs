//! The step of a refined machine that belongs to a step of its refinement.
//!
//! Rules: decision 0081. Every outcome of the refined operation that satisfies the conditions is one; none of them is a
//! stop that names the condition which the best outcome came to.
//! Invariant: what was cut, or dropped because of a fault, is no missing outcome: then there is no stop either.

use model::{Obligation, Simulation};

use crate::env::Env;
use crate::run::{Writes, after, then};
use crate::stop::{Run, Stop, StopKind};
use crate::{Interp, Wd};

/// How many conditions an outcome satisfies, and where it ends.
type Nearest = (usize, Env);

impl Interp<'_> {
    pub(crate) fn simulated(&mut self, step: &Simulation, env: &Env) -> Run<Vec<Writes>> {
        let outer = self.unknown.take();
        let dropped = self.notes.dropped_faults;
        let tried = self.matching(step, env);
        let is_cut = self.unknown.is_some();
        self.unknown = outer.or(self.unknown.take());
        let (matching, nearest) = tried?;
        // A step that is looked for by its end may be another one than this.
        let is_open = is_cut || self.notes.dropped_faults != dropped || !self.goal.is_empty();
        if matching.is_empty() && !is_open {
            let ((place, owed), end) = match nearest {
                Some((count, end)) => (step.conditions[count], end),
                None => ((step.place, Obligation::Step), env.clone()),
            };
            let stop = Stop::new(StopKind::Refinement, owed.sentence());
            let stop = stop.at(self.model.exprs[place].span);
            return Err(self.noting(stop, place, &end));
        }
        let mut found = Vec::new();
        for writes in matching {
            let outcomes = self.outcomes(step.then, &after(env, &writes));
            for more in self.tolerated(outcomes)? {
                found.push(then(&writes, more));
            }
        }
        Ok(found)
    }

    /// The outcomes that satisfy the conditions; of the others how many conditions the best one satisfies, and its end.
    fn matching(&mut self, step: &Simulation, env: &Env) -> Run<(Vec<Writes>, Option<Nearest>)> {
        let mut matching = Vec::new();
        let mut nearest: Option<Nearest> = None;
        let outcomes = self.outcomes(step.body, env);
        for writes in self.tolerated(outcomes)? {
            let end = after(env, &writes);
            let mut count = 0;
            let is_known = loop {
                let Some((condition, _)) = step.conditions.get(count) else {
                    matching.push(writes);
                    break false;
                };
                match self.test(*condition, &end) {
                    Ok(true) => count += 1,
                    Ok(false) => break true,
                    Err(stop) if stop.is_undefined() && self.options.wd != Wd::Strict => {
                        self.notes.undefined_guard(stop);
                        break true;
                    }
                    Err(stop) if stop.is_open() => {
                        self.incomplete(stop);
                        break false;
                    }
                    Err(stop) => return Err(stop),
                }
            };
            let is_nearer = nearest.as_ref().is_none_or(|(known, _)| *known < count);
            if is_known && is_nearer {
                nearest = Some((count, end));
            }
        }
        Ok((matching, nearest))
    }
}
