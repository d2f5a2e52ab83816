//! Checks branching formulas on sets of states, for the symbolic engine.
//!
//! The predicates of a formula become assertions of a copy of the model, so that the compiler, and the rewriting that
//! gives sets and functions several slots, treat them like any other predicate; the engine knows them as labels.
//! Invariant: an atom that sets cannot answer is refused by name before anything is explored.

use std::time::{Duration, Instant};

use base::{Diagnostic, Diagnostics};
use model::{Assertion, Conjunct, Model};
use pins::{GroupId, LabelId, System};
use search::branching::Ctl;
use search::symbolic::{self, SetAtom};

use super::Formulas;
use super::atoms::{Asks, Atom, Match};
use super::conclude::Judging;
use super::lower::Lowered;
use crate::check::decode::Decode;
use crate::check::evidence::Evidence;
use crate::check::in_parts::InParts;
use crate::check::run::{Run, Watch};
use crate::check::{Ended, Hooks, compiled};
use crate::codes;
use crate::report::{Report, counted};

impl Formulas {
    /// Checks all formulas and puts the answers into the report.
    pub(super) fn check_on_sets(
        &self,
        run: &Run<'_>,
        start: Instant,
        hooks: &Hooks<'_>,
        report: &mut Report,
    ) -> Result<(), Ended> {
        let (model, labels) = self.with_labels(run.model)?;
        let whole = compiled::compile(&model, None, run.options.wd, run.options.solver)?;
        let parts = run.take_apart((&model, None), &whole, run.extent())?;
        let count = parts.as_ref().map_or(0, InParts::count);
        run.tell_parts(run.extent(), count, report);
        let (system, decode) = parts.as_ref().map_or(whole.numbered(), InParts::numbered);
        self.search_sets(run, (system, decode, &labels), start, hooks, report)
    }

    /// The model with the predicates of atoms as assertions, and for each atom which one it is.
    fn with_labels(&self, model: &Model) -> Result<(Model, Vec<Option<usize>>), Ended> {
        let mut model = model.clone();
        let mut labels = Vec::new();
        let mut refused = Diagnostics::new();
        for atom in &self.atoms.atoms {
            let mut label = None;
            match &atom.asks {
                Asks::Holds(question) if self.atoms.questions[*question].names.is_empty() => {
                    label = Some(model.invariants.len() + model.assertions.len());
                    model.assertions.push(Assertion {
                        conjunct: Conjunct {
                            predicate: self.atoms.questions[*question].expr,
                            label: None,
                            span: atom.span,
                        },
                        is_static: false,
                    });
                }
                Asks::Deadlock => {}
                Asks::Enabled(wanted) | Asks::Taken(wanted) if wanted.arguments.is_empty() => {}
                _ => refused.push(Diagnostic::error(
                    &codes::MISFIT_OPTION,
                    atom.span,
                    format!(
                        "the symbolic engine has no answer to {}: it knows predicates, deadlock, and operations without arguments",
                        atom.text
                    ),
                )),
            }
            labels.push(label);
        }
        if refused.has_errors() {
            return Err(refused.into());
        }
        Ok((model, labels))
    }

    fn search_sets(
        &self,
        run: &Run<'_>,
        (system, decode, labels): (&dyn System, &dyn Decode, &[Option<usize>]),
        start: Instant,
        hooks: &Hooks<'_>,
        report: &mut Report,
    ) -> Result<(), Ended> {
        let mut config = run.symbolic_config(&[]);
        config.limits.max_time = run
            .options
            .max_time
            .map(|seconds| Duration::from_secs_f64(seconds).saturating_sub(start.elapsed()));
        report
            .checked
            .push(counted(self.formulas.len() as u64, "temporal formula"));
        let atoms = self.atoms.atoms.iter().zip(labels);
        let atoms: Vec<SetAtom> = atoms
            .map(|(atom, label)| on_sets(atom, *label, system, decode))
            .collect();
        let mut checked = Vec::new();
        for prepared in &self.formulas {
            if let Ok((formula, lowered @ Lowered::Ctl(branching))) = &prepared.lowered {
                checked.push((prepared, formula, lowered, branching.clone()));
            }
        }
        let formulas: Vec<Ctl> = checked
            .iter()
            .map(|(.., branching)| branching.clone())
            .collect();
        let (outcome, answers) =
            symbolic::check_branching(system, &config, &formulas, &atoms, &Watch(hooks))
                .map_err(|refused| run.refuse(&refused))?;
        run.unsupported(&outcome.common)?;
        let judging = Judging {
            run,
            atoms: &self.atoms,
            smaller: None,
            evidence: Evidence {
                model: run.model,
                sources: run.sources,
                labels: &[],
                decode,
                wd: run.definedness(),
            },
        };
        for ((prepared, formula, lowered, _), answer) in checked.into_iter().zip(answers) {
            let mut told = prepared.told();
            let verdict = (answer.verdict, &outcome.common.notes);
            judging.conclude(formula, lowered, verdict, &mut told, report)?;
            report.formulas.push(told);
        }
        run.tell_notes(&outcome.common.notes, report);
        if Formulas::are_alone(run.options) {
            run.count(&outcome.common, report);
            run.count_actions(&outcome.common, decode, report);
            run.count_values(&outcome.common, decode, report);
            run.count_sets(&outcome.statistics, &outcome.common, decode, report);
        }
        Ok(())
    }
}

/// What an atom is on sets of states.
fn on_sets(atom: &Atom, label: Option<usize>, system: &dyn System, decode: &dyn Decode) -> SetAtom {
    let groups = |wanted: &Match| -> Vec<GroupId> {
        let all = (0..system.shape().groups.len()).map(GroupId::new);
        all.filter(|group| decode.action(*group) == wanted.action)
            .collect()
    };
    match (&atom.asks, label) {
        (Asks::Enabled(wanted), _) => SetAtom::Enabled(groups(wanted)),
        (Asks::Taken(wanted), _) => SetAtom::Taken(groups(wanted)),
        (_, Some(label)) => {
            // A conjunction may have become several labels.
            let all = 0..system.shape().labels.len();
            let own = all.filter(|at| decode.label(*at) == label);
            SetAtom::Labels(own.map(LabelId::new).collect())
        }
        _ => SetAtom::Deadlock,
    }
}
