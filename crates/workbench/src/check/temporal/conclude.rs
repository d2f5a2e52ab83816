//! From the answer of the engine to what is told of a formula: unfold, replay, judge, explain.

use pins::{Event as Happened, PathStep};
use reduce::symmetry::Quotient;
use search::explicit::{self, FindingKind as Kind};
use search::liveness::{self, Fairness};
use subject::{Claim, Happening, Trace};
use verdict::{Mismatch, Shown, replay};

use super::atoms::Atoms;
use super::forbidden::Barred;
use super::judge::{self, End};
use super::lower::{Linear, Lowered};
use super::unfolded::Found;
use super::{branching, explain, fair};
use crate::check::Ended;
use crate::check::evidence::Evidence;
use crate::check::facts::Facts;
use crate::check::run::Run;
use crate::report::{Finding, FindingKind, FormulaReport, Verdict};

/// Where an answer is found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Told {
    /// Among the facts.
    Here,
    /// The formula is false, and its path is one of the unreduced model.
    Elsewhere,
}

/// What is needed to judge an answer.
pub(super) struct Judging<'a> {
    pub(super) run: &'a Run<'a>,
    pub(super) atoms: &'a Atoms,
    /// What is assumed of all paths, of what is searched.
    pub(super) premise: Option<&'a Fairness>,
    /// The same of the unreduced model, with its atoms, if it is not known by them.
    pub(super) unreduced: Option<(Atoms, Option<Fairness>)>,
    /// Whether a fair cycle of representatives is shown as one of the unreduced model, however long it is.
    pub(super) unwinds: bool,
    pub(super) smaller: Option<&'a Quotient<'a>>,
    pub(super) evidence: Evidence<'a>,
}

/// A path in values, with its end.
pub(super) struct Path {
    pub(super) trace: Trace,
    pub(super) end: End,
}

impl Path {
    /// What is said about its last state.
    fn claim(&self) -> Claim {
        match self.end {
            End::Deadlock => Claim::Stops,
            End::Lasso(_) | End::Prefix => Claim::Reached,
        }
    }

    /// How it refutes what is false.
    fn how(&self) -> &'static str {
        match self.end {
            End::Lasso(_) => "on a path that goes round a loop for ever",
            End::Deadlock => "on a path that ends in a deadlock",
            End::Prefix => "whatever follows",
        }
    }

    /// What assumptions about paths say of it.
    fn fairly(&self, fairness: &[Fairness]) -> Option<String> {
        let said = match self.end {
            End::Prefix => "every beginning of a path has a fair continuation",
            End::Lasso(_) | End::Deadlock => "the path is fair",
        };
        (!fairness.is_empty()).then(|| said.to_owned())
    }
}

impl Judging<'_> {
    /// Adds an answer to the facts.
    pub(super) fn conclude(
        &self,
        lowered: &Lowered,
        (verdict, notes): (liveness::Verdict, &pins::Notes),
        told: &mut FormulaReport,
        facts: &mut Facts,
    ) -> Result<Told, Ended> {
        match verdict {
            liveness::Verdict::Holds(_) => told.verdict = Verdict::Holds,
            liveness::Verdict::Violated(found) => {
                self.violated(lowered, Found::Searched(found), told, facts)?;
            }
            liveness::Verdict::Somewhere(Some(found)) if self.unwinds || found.is_short() => {
                if super::Formulas::are_alone(self.run.options) {
                    let why = "a fair cycle of representatives was found, and unwound to one of the model";
                    facts.symmetry.because = Some(why.to_owned());
                }
                self.violated(lowered, Found::Unwound(*found), told, facts)?;
            }
            liveness::Verdict::Fault {
                fault,
                atom,
                event,
                path,
            } => {
                told.verdict = Verdict::Error;
                told.because = Some(fault.message.clone());
                let finding = match atom {
                    Some(atom) => self.undefined(atom, &fault, &path, facts)?,
                    None => self.fault(event, fault, path)?,
                };
                if !facts
                    .findings
                    .iter()
                    .any(|known| known.message == finding.message)
                {
                    facts.findings.push(finding);
                }
            }
            liveness::Verdict::NoInitialState(event) => {
                told.verdict = Verdict::Error;
                told.because = Some("there is no initial state".to_owned());
                if facts.findings.is_empty() {
                    let finding = explicit::Finding {
                        kind: Kind::Setup,
                        label: None,
                        event: Some(event),
                        fault: None,
                        state: None,
                        depth: 0,
                        path: Vec::new(),
                    };
                    let shown = self.evidence.finding(&finding).map_err(Ended::Bug)?;
                    facts.findings.push(shown.finding);
                }
            }
            liveness::Verdict::Open(why) => {
                told.verdict = Verdict::Open;
                let why: Vec<String> = why.iter().map(|o| self.run.reason(o, notes)).collect();
                told.because = Some(why.join("; "));
                for line in why {
                    if !facts.open_because.contains(&line) {
                        facts.open_because.push(line);
                    }
                }
            }
            liveness::Verdict::Somewhere(_) => return Ok(Told::Elsewhere),
            liveness::Verdict::TooLarge(why) | liveness::Verdict::Refused(why) => {
                told.verdict = Verdict::Open;
                facts
                    .open_because
                    .push(format!("{}: {why}", told.heading()));
                told.because = Some(why);
            }
        }
        Ok(Told::Here)
    }

    /// Adds a path that refutes a formula.
    fn violated(
        &self,
        lowered: &Lowered,
        found: Found,
        told: &mut FormulaReport,
        facts: &mut Facts,
    ) -> Result<(), Ended> {
        told.verdict = Verdict::Violated;
        let finding = match lowered {
            Lowered::Ltl(linear) => self.linear(linear, found, told, facts)?,
            Lowered::Ctl(branching) => self.branching(branching, found, told, facts)?,
            Lowered::Automaton(barred) => self.barred(barred, found, told, facts)?,
        };
        facts.findings.push(finding);
        Ok(())
    }

    /// What paths of the unreduced model are judged by: atoms, and what is assumed.
    fn assumed(&self) -> (&Atoms, Option<&Fairness>) {
        match &self.unreduced {
            Some((atoms, premise)) => (atoms, premise.as_ref()),
            None => (self.atoms, self.premise),
        }
    }

    /// Tells of a fault that formulas were checked in spite of, unless one was told before.
    pub(super) fn passed_fault(
        &self,
        space: &mut liveness::Space<'_>,
        facts: &mut Facts,
    ) -> Result<(), Ended> {
        let mut findings = facts.findings.iter();
        if findings.any(|finding| finding.kind == FindingKind::Fault) {
            return Ok(());
        }
        if let Some(liveness::Verdict::Fault {
            fault, event, path, ..
        }) = space.passed_fault()
        {
            facts.findings.push(self.fault(event, fault, path)?);
        }
        Ok(())
    }

    /// A fault of the model on the way.
    fn fault(
        &self,
        event: Option<Happened>,
        fault: pins::Fault,
        path: Vec<PathStep>,
    ) -> Result<Finding, Ended> {
        if fault.kind == pins::FaultKind::Unsupported {
            let code = &crate::codes::NOT_EXECUTABLE;
            let unsupported = match fault.span {
                Some(span) => base::Diagnostic::error(code, span, &fault.message),
                None => base::Diagnostic::global(code, &fault.message),
            };
            return Err(unsupported.into());
        }
        let path = self.unfolded(path)?;
        let finding = explicit::Finding {
            kind: Kind::Fault,
            label: None,
            event,
            fault: Some(fault),
            state: None,
            depth: path.len() as u32,
            path,
        };
        let shown = self.evidence.finding(&finding).map_err(Ended::Bug)?;
        Ok(shown.finding)
    }

    /// An atom has no truth value.
    fn undefined(
        &self,
        atom: u32,
        fault: &pins::Fault,
        path: &[PathStep],
        facts: &mut Facts,
    ) -> Result<Finding, Ended> {
        let atom = &self.atoms.atoms[atom as usize];
        let path = self.unfolded(path.to_vec())?;
        let steps = path.iter().map(|step| self.evidence.step(step)).collect();
        let trace = Trace {
            steps,
            loop_start: None,
        };
        let confirmed = replay(self.run.subject, &trace, Claim::Reached, self.evidence.wd);
        let confirmed = confirmed.map_err(|mismatch| Ended::Bug(mismatch.0))?;
        self.doubt(confirmed.doubt, facts);
        let shown = Shown::new(&trace, self.run.subject);
        let span = fault.span.unwrap_or(atom.span);
        Ok(Finding {
            kind: FindingKind::Fault,
            name: Some(atom.text.clone()),
            message: format!("fault in the atom {}: {}", atom.text, fault.message),
            why: Vec::new(),
            place: Some(self.run.sources.place(span)),
            path: shown.steps,
            loop_start: None,
            along: Vec::new(),
            last_changed: None,
            found_in: None,
            evidence: Some((trace, Claim::Reached)),
            label: None,
            chart: None,
        })
    }

    fn doubt(&self, doubt: Option<String>, facts: &mut Facts) {
        if let Some(doubt) = doubt {
            facts.warnings.push(format!(
                "the reference evaluator did not confirm this finding: {doubt}"
            ));
        }
    }

    /// A path that was found, walked again by the reference evaluator: what holds along it, and what that evaluator could not
    /// confirm.
    fn judged(
        &self,
        found: Found,
        told: &FormulaReport,
        needs_labels: bool,
    ) -> Result<(Path, judge::Judged, Option<String>), Ended> {
        let path = self.path(found)?;
        let confirmed = self.replayed(&path);
        let confirmed = confirmed.map_err(|mismatch| self.bug(&mismatch.0, &path, told))?;
        let (subject, wd) = (self.run.subject, self.evidence.wd);
        let walked = (&path.trace, path.end);
        let judged = judge::judge(subject, self.assumed().0, walked, wd, needs_labels);
        let doubt = confirmed.doubt.or_else(|| judged.doubt.clone());
        Ok((path, judged, doubt))
    }

    /// A path that refutes a formula of linear time.
    fn linear(
        &self,
        linear: &Linear,
        found: Found,
        told: &FormulaReport,
        facts: &mut Facts,
    ) -> Result<Finding, Ended> {
        let fairness = fair::with(self.assumed().1, &linear.fairness);
        let needs_labels = fairness
            .iter()
            .any(|fairness| fairness.weak_labels || fairness.strong_labels);
        let (path, judged, doubt) = self.judged(found, told, needs_labels)?;
        let bug = |what: &str| self.bug(what, &path, told);
        if doubt.is_none() && !judged.refutes(&linear.formula) {
            return Err(bug("the formula is not false on the path that was found"));
        }
        if doubt.is_none() && !judged.is_fair(&fairness) {
            return Err(bug("the path that was found is not fair"));
        }
        self.doubt(doubt, facts);
        let events = path.trace.steps.iter();
        let first = events
            .take_while(|step| step.happening == Happening::Setup)
            .count();
        let explained = explain::explain(linear, &judged, first);
        let how = path.how();
        let mut why = explained.why;
        why.extend(path.fairly(&fairness));
        Ok(Finding {
            kind: FindingKind::Ltl,
            name: told.name.clone(),
            message: format!("{} is false {how}: {}", told.heading(), told.formula),
            why,
            place: None,
            along: explained.along,
            ..self.shown(&path)
        })
    }

    /// A path that must not be.
    fn barred(
        &self,
        barred: &Barred,
        found: Found,
        told: &FormulaReport,
        facts: &mut Facts,
    ) -> Result<Finding, Ended> {
        let (path, judged, mut doubt) = self.judged(found, told, false)?;
        let bug = |what: &str| self.bug(what, &path, told);
        let (subject, wd) = (self.run.subject, self.evidence.wd);
        match judge::is_forbidden(subject, barred.forbids, (&path.trace, path.end), wd) {
            Ok(true) => {}
            Err(fault) if fault.kind.leaves_open() => {
                doubt.get_or_insert(fault.message);
            }
            Ok(false) => return Err(bug("the path that was found is not forbidden")),
            Err(fault) => return Err(bug(&fault.message)),
        }
        let fairness = fair::with(self.assumed().1, &[]);
        if doubt.is_none() && !judged.is_fair(&fairness) {
            return Err(bug("the path that was found is not fair"));
        }
        self.doubt(doubt, facts);
        Ok(Finding {
            kind: barred.kind,
            name: told.name.clone(),
            message: format!("{} is false {}", told.formula, path.how()),
            why: path.fairly(&fairness).into_iter().collect(),
            ..self.shown(&path)
        })
    }

    /// A path that refutes a formula of branching time, as far as one path can.
    fn branching(
        &self,
        formula: &search::branching::Ctl,
        found: Found,
        told: &FormulaReport,
        facts: &mut Facts,
    ) -> Result<Finding, Ended> {
        let marks = found.marks().to_vec();
        let (path, judged, doubt) = self.judged(found, told, false)?;
        let bug = |what: &str| self.bug(what, &path, told);
        let events = path.trace.steps.iter();
        let first = events
            .take_while(|step| step.happening == Happening::Setup)
            .count();
        let mut why = Vec::new();
        for mark in &marks {
            let Some(part) = branching::part(formula, mark.part) else {
                continue;
            };
            let name = |atom: u32| self.atoms.atoms[atom as usize].text.clone();
            let text = branching::show(part, &name);
            let word = if mark.holds { "true" } else { "false" };
            let step = mark.step + 1;
            let rest = match mark.is_explained {
                true => "",
                false => "; no single path shows why",
            };
            why.push(format!("{text} is {word} after step {step}{rest}"));
            // What the reference evaluator can say by itself must agree.
            let position = mark.step.checked_sub(first);
            let letter = position.and_then(|position| judged.letters.get(position));
            if let Some(letter) = letter
                && let Some(truth) = branching::boolean(part, letter)
                && truth != mark.holds
                && doubt.is_none()
            {
                return Err(bug(&format!(
                    "{text} is {truth} for the reference evaluator"
                )));
            }
        }
        self.doubt(doubt, facts);
        Ok(Finding {
            kind: FindingKind::Ctl,
            name: told.name.clone(),
            message: format!("{} is false: {}", told.heading(), told.formula),
            why,
            ..self.shown(&path)
        })
    }

    /// The path as a finding that says nothing yet.
    fn shown(&self, path: &Path) -> Finding {
        let shown = Shown::new(&path.trace, self.run.subject);
        Finding {
            kind: FindingKind::Ltl,
            name: None,
            message: String::new(),
            why: Vec::new(),
            place: None,
            path: shown.steps,
            loop_start: shown.loop_start,
            along: Vec::new(),
            last_changed: None,
            found_in: None,
            evidence: Some((path.trace.clone(), path.claim())),
            label: None,
            chart: None,
        }
    }

    /// The path again, step by step on the reference evaluator.
    fn replayed(&self, path: &Path) -> Result<verdict::Evidence, Mismatch> {
        let subject = self.run.subject;
        replay(subject, &path.trace, path.claim(), self.evidence.wd)
    }

    /// Something that must not happen, on a path.
    fn bug(&self, what: &str, path: &Path, told: &FormulaReport) -> Ended {
        let shown = Shown::new(&path.trace, self.run.subject).text("    ");
        Ended::Bug(format!(
            "{what}\n  for {} {}\n{shown}",
            told.logic.word(),
            told.formula
        ))
    }
}
