//! Explores with what events that name elements leave of the symmetry, and says so in the report.
//!
//! Invariant: the path of a finding is unfolded to the unreduced model before anybody sees it.

use base::Diagnostic;
use reduce::symmetry::{Adaptive, Deadlocks, Subgroups};
use search::explicit::{self, Config};
use subject::Form;
use subject::symmetry::{Breaks, Partial};

use super::facts::Facts;
use super::labels::Asked;
use super::run::{Run, Watch, in_system, name_labels};
use super::symmetry::{Decided, refuse_claims};
use super::{Ended, Hooks, counting};
use crate::codes;
use crate::report::{SymmetryReduction, counted};

impl Run<'_> {
    /// Explores states with partitions of the elements; nothing where representatives of orbits are all that is needed, or
    /// partitions are too many for processes.
    pub(super) fn search_adaptive(
        &self,
        labels: &[Asked],
        hooks: &Hooks<'_>,
        mut facts: Facts,
    ) -> Result<Option<Facts>, Ended> {
        let goal: Vec<_> = self.goal.into_iter().collect();
        let Some(mut partial) = self.subject.partial_symmetry(&goal) else {
            let why = "--symmetry adaptive: the language does not tell what events name";
            return Err(Diagnostic::global(&codes::MISFIT_OPTION, why).into());
        };
        refuse_claims(&mut partial.known)?;
        if matches!(partial.breaks, Breaks::Nothing) {
            return Ok(None);
        }
        let off = Decided::off();
        let form = Form {
            symmetry: Some(&partial.known),
            ..self.form()
        };
        let ground = self.ground(&form)?;
        let system = ground.system();
        let mut config = Config {
            order: explicit::Order::Bfs,
            threads: 1,
            ..self.config(labels, &off)
        };
        config.checks = in_system(&config.checks, &*ground);
        let told = &mut facts.symmetry;
        let deadlocks = match config.checks.deadlock {
            true => Deadlocks::End,
            false => Deadlocks::Unseen,
        };
        let subgroups = match &partial.breaks {
            Breaks::Steps { .. } => Subgroups::new(system),
            Breaks::Elements { .. } | Breaks::Nothing => None,
        };
        let adaptive = match (&partial.breaks, &subgroups) {
            (Breaks::Elements { events, .. }, _) => Adaptive::new(system, events, deadlocks),
            (Breaks::Steps { .. }, Some(subgroups)) => {
                Adaptive::of_steps(system, subgroups, deadlocks)
            }
            (Breaks::Steps { .. }, None) | (Breaks::Nothing, _) => None,
        };
        let Some(adaptive) = adaptive else {
            if matches!(partial.breaks, Breaks::Steps { .. }) {
                return Ok(None);
            }
            told.because = Some("more than events tell all elements apart".to_owned());
            return self.search_plain(ground, labels, hooks, &facts).map(Some);
        };
        tell(&partial, adaptive.partitions(), told);
        let outcome = explicit::explore(&adaptive, &config, &Watch(hooks));
        let mut outcome = outcome.map_err(|refused| self.refuse(&refused))?;
        self.unsupported(&outcome)?;
        if let Some(slot) = adaptive.hidden()
            && outcome.findings.is_empty()
        {
            return Err(self.hides_elements(&*ground, slot).into());
        }
        for finding in &mut outcome.findings {
            let path = adaptive.unfold(&finding.path).ok_or_else(|| {
                let kind = finding.kind;
                Ended::Bug(format!("the path to a finding {kind:?} cannot be unfolded"))
            })?;
            finding.path = path;
        }
        if outcome.is_complete {
            count_once(adaptive.replaced(), &mut outcome, &mut facts);
        }
        let slots = system.shape().slots.len();
        outcome.statistics.slot_values.truncate(slots);
        facts.statistics = counting::statistics(&outcome);
        facts.vector_bytes = 4 * (slots as u64 + 1);
        name_labels(&*ground, &mut outcome);
        self.conclude(&outcome, None, (&*ground, labels, &off), &mut facts)?;
        Ok(Some(facts))
    }
}

/// Tells what is exchanged, and that it is by partitions.
fn tell(partial: &Partial, partitions: usize, told: &mut SymmetryReduction) {
    let sets = partial.known.sets.iter();
    let useful = sets.filter(|set| set.interchangeable > 0);
    told.sorts
        .extend(useful.map(|set| (set.name.clone(), set.interchangeable)));
    told.because = Some(format!(
        "states with {} of the {}, refined where an event names some",
        counted(partitions, "partition"),
        match partial.breaks {
            Breaks::Steps { .. } => "processes",
            _ => "elements",
        }
    ));
}

/// A state is counted once, under the coarsest partition that was found for it.
fn count_once(replaced: u64, outcome: &mut explicit::Outcome, facts: &mut Facts) {
    outcome.statistics.states -= replaced.min(outcome.statistics.states);
    if replaced > 0
        && let Some(because) = &mut facts.symmetry.because
    {
        let states = counted(replaced, "state");
        because.push_str(&format!(
            "; {states} explored before a coarser partition was found are counted with it"
        ));
    }
}
