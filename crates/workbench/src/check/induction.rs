//! Conjuncts that no step breaks: proved by induction, and not evaluated where that shows that they hold.
//!
//! Papers: as in `model-compile/src/influence/inductive.rs`. All conjuncts that are checked are supposed together. A step from
//! a state in which all of them hold keeps those that are proved, so these are only asked of initial states, and after
//! states in which something is not as wanted.
//! Where all are proved and nothing else is asked, the initial states decide.
//! Invariant: verdicts and findings are those of a search without it, and so are counts where it searches at all; what is not
//! answered is not proved.

use pins::LabelId;
use search::explicit::{Checks, Config, Open, Outcome};
use subject::{Ground, Wd};

use super::Ended;
use super::certificate::unwritable;
use super::facts::Facts;
use super::labels::Asked;
use super::run::Run;
use crate::proofs;
use crate::report::{Induction, Inductive, Proofs};

/// What was proved.
pub(super) struct Induced(Induction);

impl Run<'_> {
    /// Proves conjuncts, if that is wanted, and tells the search what it need not ask, or where it may end.
    pub(super) fn induce(
        &self,
        (ground, labels): (&dyn Ground, &[Asked]),
        config: &mut Config,
        facts: &mut Facts,
    ) -> Result<Option<Induced>, Ended> {
        if !self.options.induction {
            return Ok(None);
        }
        let Some((kept, told)) = self.proved((ground, labels), &config.checks)? else {
            let why = "nothing was proved by induction: the language has no questions to a solver";
            facts.warnings.push(why.to_owned());
            return Ok(None);
        };
        config.checks.kept = kept;
        if told.decides {
            config.limits.max_depth = Some(0);
        }
        Ok(Some(Induced(told)))
    }

    /// Asks which labels steps keep; `None` where the language has no such questions.
    fn proved(
        &self,
        (ground, labels): (&dyn Ground, &[Asked]),
        checks: &Checks,
    ) -> Result<Option<(Vec<LabelId>, Induction)>, Ended> {
        let Some(mut influence) = self.subject.influence(ground) else {
            return Ok(None);
        };
        if self.options.proofs.is_some() {
            influence.prove();
        }
        let shape = ground.system().shape();
        let asked = checks.invariants.iter().chain(&checks.assertions);
        let asked: Vec<LabelId> = asked.copied().collect();
        let supposed: Vec<usize> = asked.iter().map(|label| label.index()).collect();
        let is_pure = |groups: &[usize]| groups.iter().all(|at| shape.groups[*at].is_pure);
        let writers = supposed.iter().map(|label| proofs::writers(shape, *label));
        let writers: Vec<Vec<usize>> = writers.collect();
        let rows = supposed.iter().copied().zip(writers.iter().cloned());
        let rows: Vec<(usize, Vec<usize>)> = rows.filter(|(_, row)| is_pure(row)).collect();
        let broken = influence.first_to_break(&supposed, &rows);
        let proofs_of = influence.kept();
        let event = |group: usize| shape.groups[group].name.to_string();
        let name = |label: LabelId| labels[ground.label(label).index()].name.clone();
        let mut kept = Vec::new();
        let mut conjuncts = Vec::new();
        for (label, writers) in asked.iter().zip(&writers) {
            let row = rows.iter().position(|(row, _)| *row == label.index());
            let first = match row {
                Some(row) => broken[row],
                None => writers
                    .iter()
                    .copied()
                    .find(|at| !shape.groups[*at].is_pure),
            };
            let is_proved = first.is_none();
            if is_proved {
                kept.push(*label);
            }
            let untouched = (0..shape.groups.len()).filter(|at| !writers.contains(at));
            conjuncts.push(Inductive {
                name: name(*label),
                is_proved,
                untouched_by: untouched.filter(|_| is_proved).map(event).collect(),
                kept_by: match is_proved {
                    true => writers.iter().map(|at| event(*at)).collect(),
                    false => Vec::new(),
                },
                proofs: Proofs::of(label.index(), &proofs_of).filter(|_| is_proved),
                perhaps_broken_by: first.map(event),
            });
        }
        if let Some(folder) = &self.options.proofs {
            let proved = kept.iter().map(|label| (label.index(), name(*label)));
            let proved: Vec<(usize, String)> = proved.collect();
            let about = (self.text, shape);
            proofs::write(folder, about, &supposed, &proved, &proofs_of)
                .map_err(|error| unwritable(folder, &error))?;
        }
        let may_fault =
            (0..shape.groups.len()).any(|at| !shape.groups[at].is_pure || influence.may_fault(at));
        let (asked, unanswered) = influence.asked();
        let told = Induction {
            decides: self.needs_nothing_else(checks)
                && !may_fault
                && conjuncts.iter().all(|conjunct| conjunct.is_proved),
            asked,
            unanswered,
            conjuncts,
        };
        Ok(Some((kept, told)))
    }

    /// Whether conjuncts in every state are all that is asked.
    fn needs_nothing_else(&self, checks: &Checks) -> bool {
        let options = self.options;
        let wants_states = options.certificate.is_some()
            || options.dot.is_some()
            || options.checkpoint.is_some()
            || options.resume.is_some();
        !wants_states
            && !checks.deadlock
            && checks.goal.is_none()
            && checks.covers.is_empty()
            && options.setting.wd != Wd::Lenient
    }
}

impl Induced {
    /// A search that ended after the initial states saw all that there is to see.
    pub(super) fn complete(&self, outcome: &mut Outcome) {
        if self.0.decides && outcome.findings.is_empty() && outcome.open == [Open::MaxDepth] {
            outcome.open.clear();
            outcome.is_complete = true;
        }
    }

    /// Puts what was proved into the facts.
    pub(super) fn tell(self, facts: &mut Facts) {
        if self.0.decides {
            // Nobody looked at steps.
            facts.operations.clear();
            facts.uncovered.clear();
            facts.variables.clear();
            facts.hints.clear();
        }
        facts.induction = Some(self.0);
    }
}
