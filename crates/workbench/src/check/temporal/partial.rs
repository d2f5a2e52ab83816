//! Formulas on states with partitions of the elements, where only some events tell elements apart.
//!
//! Papers: [Sistla, Godefroid 2004] (guarded annotated quotients: steps are those of all permutations, and who may take one is
//! looked at where it matters), on the states of [Wahl 2007].
//! Technique: every path of the model is one of these states, step by step and with the same atoms: a step of a permuted state is
//! taken from every permutation that matters to its event. So a linear formula that holds on all of their paths holds. A path of
//! theirs that refutes one need not be a path of the model, since a state may have been left out for one with a coarser partition;
//! then the formula is checked with the elements that events name fixed, where representatives stand for their orbits
//! exactly (decision 0250).
//! Preserves: verdicts. Invariant: what is not known to be the same in all permutations of a state is not asked of it.

use std::time::Instant;

use base::Diagnostic;
use pins::GroupId;
use reduce::symmetry::{Adaptive, Deadlocks};
use subject::symmetry::Breaks;
use subject::{EventId, Form, Ground};

use super::atoms::Asks;
use super::lower::Lowered;
use super::{Formulas, Searched, Smaller, reduced};
use crate::check::facts::Facts;
use crate::check::run::Run;
use crate::check::{Ended, Hooks};
use crate::codes;
use crate::report::counted;

/// What was found; else why it has to be found in another way.
type Found = Result<Facts, String>;

impl Formulas {
    /// Checks the formulas where only partitions tell elements apart.
    pub(super) fn check_partial(
        &self,
        run: &Run<'_>,
        start: Instant,
        hooks: &Hooks<'_>,
        mut facts: Facts,
    ) -> Result<Found, Ended> {
        let Some(partial) = run.subject.partial_symmetry(&self.atoms.questions) else {
            let why = "--symmetry adaptive: the language does not tell what events name";
            return Err(Diagnostic::global(&codes::MISFIT_OPTION, why).into());
        };
        let events = match &partial.breaks {
            Breaks::Elements { events, .. } => events,
            Breaks::Nothing => return Ok(Err("no event names others".to_owned())),
            Breaks::Steps { .. } => {
                return Ok(Err("processes have no partitions under formulas".to_owned()));
            }
        };
        if !partial.known.is_useful() {
            let why = "the formulas and what is no event tell all elements apart";
            return Ok(Err(why.to_owned()));
        }
        if self.follow_steps(run.options) {
            return Ok(Err("fairness follows steps of orbits".to_owned()));
        }
        if let Some(why) = reduced::obstacle(run, self, &partial.known) {
            return Ok(Err(why));
        }
        let form = Form {
            symmetry: Some(&partial.known),
            ..Formulas::form(run)
        };
        let ground = run.ground(&form)?;
        let system = ground.system();
        let adaptive = Adaptive::new(system, events, Deadlocks::Watched);
        let Some(adaptive) = adaptive else {
            return Ok(Err("there are too many partitions".to_owned()));
        };
        if let Some(why) = self.varies(&*ground, &adaptive) {
            return Ok(Err(why));
        }
        if Formulas::are_alone(run.options) {
            let told = &mut facts.symmetry;
            let alike = partial.known.sets.iter();
            told.sorts = alike
                .filter(|set| set.interchangeable > 0)
                .map(|set| (set.name.clone(), set.interchangeable))
                .collect();
            told.because = Some(format!(
                "states with {} of the elements, refined where an event names some",
                counted(adaptive.partitions(), "partition")
            ));
        }
        let searched: Searched<'_> = (&*ground, Some(&adaptive), Smaller::Partitions);
        let answered = self.search(run, searched, start, hooks, facts)?;
        Ok(match answered {
            _ if adaptive.hidden().is_some() => Err("a value may hide elements".to_owned()),
            Some(_) if adaptive.dies_in_part() => {
                Err("only some permutations of a state are deadlocks".to_owned())
            }
            Some(facts) => Ok(facts),
            None => Err("not all formulas hold on states with partitions".to_owned()),
        })
    }

    /// What may differ between the permutations of a state with a partition.
    fn varies(&self, ground: &dyn Ground, adaptive: &Adaptive<'_>) -> Option<String> {
        let mut formulas = self.formulas.iter();
        if formulas.any(|known| matches!(known.lowered, Ok(Lowered::Ctl(_)))) {
            return Some("branching formulas ask which paths there are".to_owned());
        }
        let groups = (0..ground.system().shape().groups.len()).map(GroupId::new);
        let telling: Vec<EventId> = groups
            .filter(|group| adaptive.tells_apart(*group))
            .map(|group| ground.event(group))
            .collect();
        let tells = |event: EventId| telling.contains(&event);
        self.atoms.atoms.iter().find_map(|atom| {
            let varies = match &atom.asks {
                Asks::Enabled(wanted) => tells(wanted.event),
                Asks::Count(all, _) => all.iter().any(|wanted| tells(wanted.event)),
                // The arguments of a step are those of a permuted state.
                Asks::Taken(wanted) => !wanted.arguments.is_empty() && tells(wanted.event),
                Asks::Sink | Asks::CanMove(_) | Asks::Moves(_) => true,
                // A deadlock of some permutations only is met on the way.
                _ => false,
            };
            let text = &atom.text;
            varies.then(|| format!("{text} may differ between elements that are alike elsewhere"))
        })
    }
}
