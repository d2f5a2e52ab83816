//! Runs the step of a refined machine that belongs to a step of its refinement.
//!
//! Rules: decision 0081. Every outcome of the refined operation that satisfies the conditions is one; none of them is a
//! fault that names the condition which the best outcome came to.
//! Invariant: what was cut, or dropped because of a fault, is no missing outcome: then there is no fault either.

use model::{Obligation, Simulation};

use crate::Wd;
use crate::code::Compiler;
use crate::cx::{Cx, F, K, R};
use crate::stmt::{Code, followed};
use crate::trap::{Cause, Trap};

/// A compiled simulation.
pub(crate) struct Simulate {
    body: Code,
    conditions: Vec<(F<bool>, Trap)>,
    /// Without any outcome of the body.
    stuck: Trap,
    then: Code,
}

impl Compiler<'_> {
    pub(crate) fn simulation(&self, step: &Simulation, wd: Wd) -> Simulate {
        let trap =
            |owed, place: model::ExprId| Cause::Refinement(owed).trap().at(place.index() as u32);
        let conditions = step.conditions.iter();
        Simulate {
            body: self.statement(step.body, wd),
            conditions: conditions
                .map(|(part, owed)| (self.predicate(*part), trap(*owed, *part)))
                .collect(),
            stuck: trap(Obligation::Step, step.place),
            then: self.statement(step.then, wd),
        }
    }
}

impl Simulate {
    pub(crate) fn run(&self, cx: &mut Cx<'_>, wd: Wd, k: K<'_>) -> R<()> {
        let outer = cx.passed.take();
        let dropped = cx.notes.dropped_faults;
        // How many conditions the best outcome satisfies, and whether it is enough, as far as is known.
        let mut best: Option<usize> = None;
        let mut is_decided = true;
        let result = followed(&self.body, cx, wd, k, &mut |cx, k| {
            let Some(count) = self.satisfied(cx, wd)? else {
                is_decided = false;
                return Ok(());
            };
            best = best.max(Some(count));
            if count < self.conditions.len() {
                return Ok(());
            }
            self.then.run(cx, wd, k)
        });
        let inner = cx.passed.take();
        cx.passed = outer.or(inner);
        result?;
        let is_known = is_decided
            && !inner.is_some_and(Trap::is_unknown)
            && cx.notes.dropped_faults == dropped;
        match best {
            Some(count) if count == self.conditions.len() => Ok(()),
            _ if !is_known => Ok(()),
            Some(count) => Err(self.conditions[count].1),
            None => Err(self.stuck),
        }
    }

    /// How many conditions hold before the first one that does not; `None` when that is not known.
    fn satisfied(&self, cx: &mut Cx<'_>, wd: Wd) -> R<Option<usize>> {
        for (count, (condition, _)) in self.conditions.iter().enumerate() {
            match condition(cx) {
                Ok(true) => {}
                Ok(false) => return Ok(Some(count)),
                Err(trap) if trap.is_undefined() && wd != Wd::Strict => {
                    cx.note_undefined(trap);
                    return Ok(Some(count));
                }
                Err(trap) if trap.is_unknown() => {
                    cx.incomplete(trap);
                    return Ok(None);
                }
                Err(trap) => return Err(trap),
            }
        }
        Ok(Some(self.conditions.len()))
    }
}
