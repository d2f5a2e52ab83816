//! Checks branching formulas on sets of states, for the symbolic engine.
//!
//! The predicates of a formula become labels of the system, so that the language, and the rewriting that gives sets and
//! functions several slots, treat them like any other predicate.
//! Invariant: an atom that sets cannot answer is refused by name before anything is explored.

use std::time::{Duration, Instant};

use base::{Diagnostic, Diagnostics};
use pins::{GroupId, LabelId};
use search::branching::Ctl;
use search::symbolic::{self, SetAtom};
use subject::{Form, Ground, QuestionId};

use super::Formulas;
use super::atoms::{Asks, Atom, Match};
use super::conclude::Judging;
use super::lower::Lowered;
use crate::check::counting;
use crate::check::facts::Facts;
use crate::check::run::{Run, Watch};
use crate::check::{Ended, Hooks};
use crate::codes;
use crate::report::Checked;

/// The predicates of atoms as labels.
struct Labels {
    questions: Vec<QuestionId>,
    /// For each atom the label that it is.
    of_atoms: Vec<Option<LabelId>>,
}

impl Formulas {
    /// Checks all formulas and adds the answers to what other checks told.
    pub(super) fn check_on_sets(
        &self,
        run: &Run<'_>,
        start: Instant,
        hooks: &Hooks<'_>,
        mut facts: Facts,
    ) -> Result<Facts, Ended> {
        let labels = self.labels(run.subject.description().labels.len())?;
        let form = Form {
            labels: &labels.questions,
            ..Formulas::form(run)
        };
        let parts = run.take_apart(&form, run.parts())?;
        let ground = match parts {
            Some(parts) => parts,
            None => run.ground(&form)?,
        };
        run.tell_parts(run.parts(), ground.split(), &mut facts.choices);
        self.search_sets(run, (&*ground, &labels), start, hooks, facts)
    }

    /// The predicates of atoms, as labels behind those of the subject.
    fn labels(&self, own: usize) -> Result<Labels, Ended> {
        let mut labels = Labels {
            questions: Vec::new(),
            of_atoms: Vec::new(),
        };
        let mut refused = Diagnostics::new();
        for atom in &self.atoms.atoms {
            let mut label = None;
            match &atom.asks {
                Asks::Holds(question) => {
                    label = Some(LabelId::new(own + labels.questions.len()));
                    labels.questions.push(self.atoms.questions[*question]);
                }
                Asks::Deadlock => {}
                Asks::Enabled(wanted) | Asks::Taken(wanted) if wanted.arguments.is_empty() => {}
                _ => refused.push(Diagnostic::error(
                    &codes::MISFIT_OPTION,
                    atom.span,
                    format!(
                        "the symbolic engine has no answer to {}: it knows predicates, deadlock, and events without arguments",
                        atom.text
                    ),
                )),
            }
            labels.of_atoms.push(label);
        }
        if refused.has_errors() {
            return Err(refused.into());
        }
        Ok(labels)
    }

    fn search_sets(
        &self,
        run: &Run<'_>,
        (ground, labels): (&dyn Ground, &Labels),
        start: Instant,
        hooks: &Hooks<'_>,
        mut facts: Facts,
    ) -> Result<Facts, Ended> {
        let mut config = run.symbolic_config(&[]);
        config.limits.max_time = run
            .options
            .max_time
            .map(|seconds| Duration::from_secs_f64(seconds).saturating_sub(start.elapsed()));
        facts.checked.push(Checked::Formulas(self.formulas.len()));
        let atoms = self.atoms.atoms.iter().zip(&labels.of_atoms);
        let atoms: Vec<SetAtom> = atoms
            .map(|(atom, label)| on_sets(atom, *label, ground))
            .collect();
        let mut checked = Vec::new();
        for prepared in &self.formulas {
            if let Ok(lowered @ Lowered::Ctl(branching)) = &prepared.lowered {
                checked.push((prepared, lowered, branching.clone()));
            }
        }
        let formulas: Vec<Ctl> = checked
            .iter()
            .map(|(.., branching)| branching.clone())
            .collect();
        let (outcome, answers) =
            symbolic::check_branching(ground.system(), &config, &formulas, &atoms, &Watch(hooks))
                .map_err(|refused| run.refuse(&refused))?;
        run.unsupported(&outcome.common)?;
        let judging = Judging {
            run,
            atoms: &self.atoms,
            premise: None,
            unreduced: None,
            unwinds: false,
            smaller: None,
            evidence: run.evidence(ground, &[]),
        };
        for ((prepared, lowered, _), answer) in checked.into_iter().zip(answers) {
            let mut told = prepared.told();
            let verdict = (answer.verdict, &outcome.common.notes);
            judging.conclude(lowered, verdict, &mut told, &mut facts)?;
            facts.formulas.push(told);
        }
        facts.warnings.extend(run.noticed(&outcome.common.notes));
        if Formulas::are_alone(run.options) {
            let symbolic::Outcome {
                common, statistics, ..
            } = &outcome;
            facts.statistics = counting::statistics(common);
            counting::on_sets(statistics, common, &mut facts.statistics);
            facts.operations = counting::operations(run, common, ground);
            counting::operations_on_sets(statistics, ground, &mut facts.operations);
            facts.uncovered = counting::never(&facts.operations);
            facts.variables = counting::variables(run, common, ground);
        }
        Ok(facts)
    }
}

/// What an atom is on sets of states.
fn on_sets(atom: &Atom, label: Option<LabelId>, ground: &dyn Ground) -> SetAtom {
    let shape = ground.system().shape();
    let groups = |wanted: &Match| -> Vec<GroupId> {
        let all = (0..shape.groups.len()).map(GroupId::new);
        all.filter(|group| ground.event(*group) == wanted.event)
            .collect()
    };
    match (&atom.asks, label) {
        (Asks::Enabled(wanted), _) => SetAtom::Enabled(groups(wanted)),
        (Asks::Taken(wanted), _) => SetAtom::Taken(groups(wanted)),
        (_, Some(label)) => {
            // A conjunction may have become several labels.
            let all = (0..shape.labels.len()).map(LabelId::new);
            SetAtom::Labels(all.filter(|own| ground.label(*own) == label).collect())
        }
        _ => SetAtom::Deadlock,
    }
}
