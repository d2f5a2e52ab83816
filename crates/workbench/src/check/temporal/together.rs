//! Checks safety formulas with many processes: each is a system whose states must never be bad, explored as any other.
//!
//! The first process says which formula comes next; the others have read the same formulas. Whatever is no safety formula is
//! refused by its name before anything runs.
//! Invariant: what was found is replayed and judged as what one process finds.

use std::sync::Arc;
use std::time::Instant;

use base::{Diagnostic, Diagnostics};
use search::explicit;
use search::liveness::{self, Atoms as Engine, Safety};

use super::conclude::{Judging, Told};
use super::lower::{Linear, Lowered};
use super::watch::Watch;
use super::{Formulas, Prepared};
use crate::check::facts::Facts;
use crate::check::run::{self, Run};
use crate::check::together::Next;
use crate::check::{Ended, Hooks};
use crate::choice::{Por, Symmetry};
use crate::codes;
use crate::plan::Options;
use crate::report::Checked;

impl Prepared {
    /// The formula, if many processes can check it.
    fn safety(&self) -> Option<&Linear> {
        match &self.lowered {
            Ok(Lowered::Ltl(linear)) if buchi::is_safety(&linear.formula) => Some(linear),
            _ => None,
        }
    }
}

impl Formulas {
    /// Refuses what many processes cannot check.
    pub(in crate::check) fn fit_many(&self, options: &Options) -> Result<(), Ended> {
        let mut refused = Diagnostics::new();
        let mut refuse = |why: String| {
            let message = format!("the distributed engine has no {why}");
            refused.push(Diagnostic::global(&codes::MISFIT_OPTION, message));
        };
        for prepared in &self.formulas {
            if prepared.lowered.is_ok() && prepared.safety().is_none() {
                let heading = prepared.told().heading();
                refuse(format!(
                    "cycle check: {heading} is no safety formula: {}",
                    prepared.text
                ));
            }
        }
        let reduces = !matches!(options.symmetry, Symmetry::Auto | Symmetry::Off)
            || !matches!(options.por, Por::Auto | Por::Off);
        if reduces {
            refuse("reduction for formulas: leave out --symmetry and --por".to_owned());
        }
        match refused.has_errors() {
            true => Err(refused.into()),
            false => Ok(()),
        }
    }

    /// Checks one formula after the other, by all processes.
    pub(super) fn check_together(
        &self,
        run: &Run<'_>,
        start: Instant,
        hooks: &Hooks<'_>,
        mut facts: Facts,
    ) -> Result<Facts, Ended> {
        facts.checked.push(Checked::Formulas(self.formulas.len()));
        let ground = run.ground(&Formulas::form(run))?;
        let judging = Judging {
            run,
            atoms: &self.atoms,
            premise: None,
            unreduced: None,
            unwinds: false,
            smaller: None,
            evidence: run.evidence(&*ground, &[]),
        };
        for (index, prepared) in self.formulas.iter().enumerate() {
            let mut told = prepared.told();
            match &prepared.lowered {
                Err(why) => prepared.unread(why, &mut told, &mut facts),
                Ok(lowered) => {
                    Next::Formula(index as u64).tell(run)?;
                    let (outcome, notes) = self.explore_one(run, index, start, hooks)?;
                    told.safety = true;
                    told.automaton_states = Some(outcome.effort.automaton_states);
                    told.product_states = Some(outcome.effort.product_states);
                    let answer = (outcome.verdict, &notes);
                    if judging.conclude(lowered, answer, &mut told, &mut facts)? == Told::Elsewhere
                    {
                        return Err(Ended::Bug("a path was looked for elsewhere".to_owned()));
                    }
                }
            }
            facts.formulas.push(told);
        }
        Ok(facts)
    }

    /// Explores the states of one formula, together with the other processes; of those only the first comes back.
    pub(in crate::check) fn explore_one(
        &self,
        run: &Run<'_>,
        index: usize,
        start: Instant,
        hooks: &Hooks<'_>,
    ) -> Result<(liveness::Outcome, pins::Notes), Ended> {
        let no_formula = || Ended::Bug("a formula that is not there is wanted".to_owned());
        let prepared = self.formulas.get(index).ok_or_else(no_formula)?;
        let linear = prepared.safety().ok_or_else(no_formula)?;
        let ground = run.ground(&Formulas::form(run))?;
        let answering = || -> Box<dyn Engine + '_> {
            let asking = run.subject.asking(&*ground, &self.atoms.questions);
            let seen = Arc::default();
            Box::new(Watch::new(&self.atoms.atoms, (asking, &*ground), &[], seen))
        };
        let safety = match Safety::new(ground.system(), &linear.formula, &answering) {
            Ok(safety) => safety,
            Err(_) if run.is_helper() => return Err(Ended::Helped),
            Err(why) => {
                let verdict = liveness::Verdict::TooLarge(why);
                let effort = liveness::Effort::default();
                return Ok((
                    liveness::Outcome { verdict, effort },
                    pins::Notes::default(),
                ));
            }
        };
        let config = self.config(run.options, start);
        let search = explicit::Config {
            store: config.store,
            limits: config.limits,
            checks: explicit::Checks {
                invariants: vec![safety.label()],
                stop_after: 1,
                ..explicit::Checks::default()
            },
            fingerprint: [run.fingerprint(), prepared.text.clone().into_bytes()].concat(),
            ..explicit::Config::default()
        };
        let (outcome, _) =
            run.explore_together(&safety, &search, None, &run::Watch(hooks), None)?;
        let notes = outcome.notes.clone();
        Ok((safety.conclude(outcome), notes))
    }
}
