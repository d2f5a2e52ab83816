//! Explores counters of local states, explicitly or in diagrams, and says in the report what was counted.
//!
//! Invariant: the path of a finding is unfolded to the unreduced model before anybody sees it.
//! Invariant: what keeps elements from being counted is named where it stands in the text.

use base::{Diagnostic, Diagnostics};
use pins::Path;
use reduce::counters::{Counters, FIRST_ROOM, Hindrance, MOST_ROOM, Why};
use search::{explicit, symbolic};
use subject::{Form, Ground, Parts};

use super::facts::Facts;
use super::labels::Asked;
use super::run::{Run, Watch, in_system, name_labels};
use super::symmetry::{self, Decided};
use super::{Ended, Hooks, counting};
use crate::codes;
use crate::report::{SymmetryReduction, counted};

/// What either engine found.
struct Counted {
    common: explicit::Outcome,
    on_sets: Option<symbolic::Statistics>,
}

impl Run<'_> {
    /// Explores how many elements are in each local state.
    pub(super) fn search_counters(
        &self,
        labels: &[Asked],
        hooks: &Hooks<'_>,
        mut facts: Facts,
    ) -> Result<Facts, Ended> {
        let decided = symmetry::decide(self, &mut facts)?;
        let form = Form {
            symmetry: decided.permuted(),
            ..self.form()
        };
        let (parts, ground) = match self.take_apart(&form, Parts::Everything)? {
            Some(ground) => (Parts::Everything, ground),
            None => (
                Parts::Whole,
                self.ground(&Form {
                    guards: true,
                    ..form
                })?,
            ),
        };
        let ground = &*ground;
        if decided.permuted().is_none() {
            let outcome = self.explore_as_asked(ground, ground.system(), labels, hooks)?;
            return self.conclude_counted(outcome, (ground, labels), facts);
        }
        let mut room = FIRST_ROOM;
        loop {
            let counters = Counters::new(ground.system(), room)
                .map_err(|hindered| self.not_counted(ground, &hindered))?;
            let mut outcome = self.explore_as_asked(ground, &counters, labels, hooks)?;
            if let Some(slot) = counters.hidden()
                && outcome.common.findings.is_empty()
            {
                return Err(self.hides_elements(ground, slot).into());
            }
            if counters.is_outgrown() && room < MOST_ROOM {
                room *= 2;
                continue;
            }
            for finding in &mut outcome.common.findings {
                let path: Option<Path> = counters.unfold(&finding.path);
                finding.path = path.ok_or_else(|| {
                    let kind = finding.kind;
                    Ended::Bug(format!("the path to a finding {kind:?} cannot be unfolded"))
                })?;
            }
            outcome.common.statistics.slot_values.clear();
            self.tell_counters(ground, &counters, &outcome.common, &mut facts.symmetry);
            self.tell_parts(parts, ground.split(), &mut facts.choices);
            facts.vector_bytes = 4 * counters.local_states() as u64;
            let mut facts = self.conclude_counted(outcome, (ground, labels), facts)?;
            // Counters say nothing about values of variables.
            facts.variables.clear();
            return Ok(facts);
        }
    }

    /// Explores a system with the engine of the plan.
    fn explore_as_asked(
        &self,
        ground: &dyn Ground,
        system: &dyn pins::System,
        labels: &[Asked],
        hooks: &Hooks<'_>,
    ) -> Result<Counted, Ended> {
        let refuse = |refused: explicit::Refused| self.refuse(&refused);
        let outcome = match self.plan.is_symbolic() {
            true => {
                let mut config = self.symbolic_config(labels);
                config.checks = in_system(&config.checks, ground);
                let outcome = symbolic::explore(system, &config, &Watch(hooks)).map_err(refuse)?;
                Counted {
                    common: outcome.common,
                    on_sets: Some(outcome.statistics),
                }
            }
            false => {
                let mut config = self.config(labels, &Decided::off());
                config.checks = in_system(&config.checks, ground);
                Counted {
                    common: explicit::explore(system, &config, &Watch(hooks)).map_err(refuse)?,
                    on_sets: None,
                }
            }
        };
        self.unsupported(&outcome.common)?;
        Ok(outcome)
    }

    fn conclude_counted(
        &self,
        mut outcome: Counted,
        (ground, labels): (&dyn Ground, &[Asked]),
        mut facts: Facts,
    ) -> Result<Facts, Ended> {
        facts.statistics = counting::statistics(&outcome.common);
        name_labels(ground, &mut outcome.common);
        let Counted { common, on_sets } = &outcome;
        let off = Decided::off();
        self.conclude(common, on_sets.as_ref(), (ground, labels, &off), &mut facts)?;
        Ok(facts)
    }

    /// Says what was counted, what was not, and what the vectors stand for.
    fn tell_counters(
        &self,
        ground: &dyn Ground,
        counters: &Counters<'_>,
        outcome: &explicit::Outcome,
        told: &mut SymmetryReduction,
    ) {
        let is_whole = counters.hindered().is_empty();
        told.precise = Some(is_whole && !counters.finds_several());
        let mut because = format!(
            "{} in {}",
            counted(counters.elements(), "element"),
            counted(counters.local_states(), "local state")
        );
        for hindrance in counters.hindered() {
            because += &format!(
                "; others are not counted: {}",
                self.hindrance(ground, hindrance)
            );
        }
        told.because = Some(because);
        if outcome.is_complete && !counters.finds_several() {
            told.states = counters.stands_for();
        }
    }

    /// What keeps elements from being counted, in words.
    fn hindrance(&self, ground: &dyn Ground, hindrance: &Hindrance) -> String {
        let component = self.component_of(ground, hindrance);
        let name = &component.name;
        match hindrance.why {
            Why::Holds => format!("what {name} says of an element may be another one"),
            Why::Pair => format!("{name} says something of two elements at once"),
            Why::Constant => format!("the constant {name} says something of elements"),
        }
    }

    fn component_of(&self, ground: &dyn Ground, hindrance: &Hindrance) -> &subject::Component {
        let component = ground.component(hindrance.slot);
        &self.subject.description().components[component.index()]
    }

    /// Refuses with what stands in the way.
    fn not_counted(&self, ground: &dyn Ground, hindered: &[Hindrance]) -> Ended {
        let mut all = Diagnostics::new();
        let option = "--symmetry counters";
        for hindrance in hindered {
            let message = format!("{option}: {}", self.hindrance(ground, hindrance));
            let help = "--symmetry exact has no such condition";
            all.push(match self.component_of(ground, hindrance).span {
                Some(span) => Diagnostic::error(&codes::MISFIT_OPTION, span, message).help(help),
                None => Diagnostic::global(&codes::MISFIT_OPTION, message).help(help),
            });
        }
        if hindered.is_empty() {
            let message = format!("{option}: the slots of this model cannot be permuted");
            all.push(Diagnostic::global(&codes::MISFIT_OPTION, message));
        }
        all.into()
    }
}
