//! Explores sets of representatives: symmetry in the symbolic engine, and what the report says of it.

use std::time::Instant;

use base::Diagnostic;
use num_traits::ToPrimitive;
use search::symbolic;
use subject::{Form, Parts};

use super::facts::Facts;
use super::labels::Asked;
use super::run::Run;
use super::sets::Way;
use super::symmetry::{self, Action, Decided};
use super::{Ended, Hooks};
use crate::report::SymmetryReduction;

/// What sorting columns came to.
pub(super) enum Sorted {
    /// To an end.
    Done(Box<Facts>),
    /// To a value that cannot be permuted, and nothing was found before.
    Hidden(Diagnostic),
}

impl Run<'_> {
    /// Explores representatives of symmetric states, or refuses.
    pub(super) fn search_columns(
        &self,
        labels: &[Asked],
        started: Instant,
        hooks: &Hooks<'_>,
        facts: Facts,
    ) -> Result<Facts, Ended> {
        match self.sort_columns(labels, started, hooks, facts)? {
            Sorted::Done(facts) => Ok(*facts),
            Sorted::Hidden(why) => Err(why.into()),
        }
    }

    /// Explores representatives of symmetric states. Elements have columns only where they have slots of their own.
    pub(super) fn sort_columns(
        &self,
        labels: &[Asked],
        started: Instant,
        hooks: &Hooks<'_>,
        mut facts: Facts,
    ) -> Result<Sorted, Ended> {
        let decided = symmetry::decide(self, &mut facts)?;
        let Way { ground, parts } = self.columns(&decided)?;
        let config = symbolic::Config {
            symmetry: match decided.action {
                Action::Columns(kind) => Some(kind),
                _ => None,
            },
            ..self.symbolic_config(labels)
        };
        let explore = |config| self.explore_sets(&*ground, config, None, started, hooks);
        let mut outcome = explore(config.clone())?;
        // Chaining, which was our choice, finds what is wrong, but not always what is least deep.
        if self.options.order.is_none() && !outcome.common.findings.is_empty() {
            let order = symbolic::Order::Bfs;
            let again = explore(symbolic::Config { order, ..config })?;
            if !again.common.findings.is_empty() {
                outcome = again;
            }
        }
        let symmetry = outcome.statistics.symmetry.as_ref();
        if let Some(slot) = symmetry.and_then(|symmetry| symmetry.hidden)
            && outcome.common.findings.is_empty()
        {
            return Ok(Sorted::Hidden(self.hides_elements(&*ground, slot)));
        }
        if decided.permuted().is_some() {
            tell(&outcome, &mut facts.symmetry);
            if let Some(because) = self.plan.symmetry.because {
                facts.symmetry.because = Some(because.to_owned());
            }
        }
        self.tell_parts(parts, ground.split(), &mut facts.choices);
        let facts = self.conclude_sets(&outcome, (&*ground, labels), facts)?;
        Ok(Sorted::Done(Box::new(facts)))
    }

    /// The model with slots that can be permuted: in parts where elements have no slots of their own.
    pub(super) fn columns(&self, decided: &Decided) -> Result<Way, Ended> {
        let form = Form {
            symmetry: decided.permuted(),
            ..self.form()
        };
        Ok(match self.take_apart(&form, Parts::Everything)? {
            Some(ground) => Way {
                ground,
                parts: Parts::Everything,
            },
            None => Way {
                parts: Parts::Whole,
                ground: self.ground(&Form {
                    guards: true,
                    ..form
                })?,
            },
        })
    }
}

/// Adds what representatives in diagrams stand for.
fn tell(outcome: &symbolic::Outcome, told: &mut SymmetryReduction) {
    let Some(found) = &outcome.statistics.symmetry else {
        told.sorts.clear();
        told.precise = None;
        told.because = Some(
            "nothing is exchanged: the slots of this model cannot be permuted in whole sets of states"
                .to_owned(),
        );
        return;
    };
    told.precise = Some(found.is_precise);
    told.because = Some(
        match found.is_precise {
            true => "one representative for each orbit",
            false => "one or several representatives for each orbit",
        }
        .to_owned(),
    );
    let states = found.states.as_ref().and_then(ToPrimitive::to_u128);
    match outcome.statistics.is_exhausted {
        true => told.states = states,
        false => told.states_at_least = states,
    }
}
