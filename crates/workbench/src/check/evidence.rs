//! From what the engine found to what is shown: decode, replay, explain, save.

use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use base::{Sources, Span};
use pins::{Event as Happened, PathStep};
use search::explicit::{self, FindingKind as Kind};
use subject::{Claim, ComponentId, Ground, Happening, Predicate, Step, Subject, Trace, Wd};
use verdict::format::{Format, Heading};
use verdict::{Shown, replay};

use super::labels::Asked;
use crate::report::{Finding, FindingKind, Report};

/// What is needed to turn a finding of the engine into evidence.
pub(super) struct Evidence<'a> {
    /// The model.
    pub(super) subject: &'a dyn Subject,
    /// The texts that spans point into.
    pub(super) sources: &'a Sources,
    /// The labels, in the order of the system.
    pub(super) labels: &'a [Asked],
    /// What numbers mean.
    pub(super) ground: &'a dyn Ground,
    /// What an undefined expression means.
    pub(super) wd: Wd,
    /// Whether a state all of whose steps lead back to it is a deadlock.
    pub(super) stuttering: bool,
}

/// A finding that was replayed.
pub(super) struct Replayed {
    /// What is shown.
    pub(super) finding: Finding,
    /// What the reference evaluator could not decide.
    pub(super) doubt: Option<String>,
}

/// What is said about a finding.
struct Said {
    kind: FindingKind,
    claim: Claim,
    name: Option<String>,
    message: String,
    span: Option<Span>,
}

impl Evidence<'_> {
    /// Replays a finding; an error is a bug of ours.
    pub(super) fn finding(&self, found: &explicit::Finding) -> Result<Replayed, String> {
        let steps = found.path.iter().map(|step| self.step(step));
        let trace = Trace {
            steps: steps.collect(),
            loop_start: None,
        };
        let said = self.say(found)?;
        let shown = Shown::new(&trace, self.subject);
        let evidence = replay(self.subject, &trace, said.claim, self.wd).map_err(|mismatch| {
            let place = said.span.map(|span| self.sources.place(span));
            let place = place.map(|place| format!(" at {place}"));
            format!(
                "{}\n  the finding was \"{}\"{}, at the end of\n{}",
                mismatch.0,
                said.message,
                place.unwrap_or_default(),
                shown.text("    ")
            )
        })?;
        // A fault has said its reason already.
        let mut why = evidence.why;
        why.retain(|line| {
            let reason = line.strip_prefix("because ").unwrap_or(line);
            !said.message.ends_with(reason)
        });
        if said.claim == Claim::NoSetup
            && let Some(lines) = self.subject.contradiction(self.ground, self.sources)
        {
            // Values explain a single conjunct; several explain each other.
            if lines.len() > 2 {
                why.clear();
            }
            why.extend(lines);
        }
        let last_changed = last_changed(self.subject, said.claim, &shown);
        let finding = Finding {
            kind: said.kind,
            name: said.name,
            message: said.message,
            why,
            place: said.span.map(|span| self.sources.place(span)),
            path: shown.steps,
            loop_start: shown.loop_start,
            along: Vec::new(),
            last_changed,
            found_in: None,
            evidence: Some((trace, said.claim)),
            label: match said.claim {
                Claim::False(Predicate::Label(label)) => Some(label),
                _ => None,
            },
            chart: None,
        };
        Ok(Replayed {
            finding,
            doubt: evidence.doubt,
        })
    }

    /// A step of the engine in values.
    pub(super) fn step(&self, step: &PathStep) -> Step {
        let (happening, (arguments, results)) = match step.event {
            Happened::Setup => (Happening::Setup, Default::default()),
            Happened::Initialisation => (Happening::Initialisation, Default::default()),
            Happened::Group(group) => (
                Happening::Event(self.ground.event(group)),
                self.ground.words(group, &step.words),
            ),
        };
        let after = match happening {
            Happening::Setup => self.ground.constants(&step.state),
            _ => self.ground.values(&step.state),
        };
        Step {
            happening,
            arguments,
            results,
            after,
        }
    }

    /// Puts a finding into words.
    fn say(&self, found: &explicit::Finding) -> Result<Said, String> {
        let asked = found.label.and_then(|label| self.labels.get(label.index()));
        let said = match (found.kind, asked) {
            (Kind::Invariant, Some(asked)) => self.falsified(FindingKind::Invariant, asked),
            (Kind::Assertion, Some(asked)) => self.falsified(FindingKind::Assertion, asked),
            (Kind::Goal, Some(asked)) => Said {
                kind: FindingKind::Goal,
                claim: Claim::True(asked.predicate),
                name: Some(asked.name.clone()),
                message: format!("the goal is reached: {}", asked.text),
                span: None,
            },
            (Kind::Deadlock, _) => Said {
                kind: FindingKind::Deadlock,
                claim: match self.stuttering {
                    true => Claim::Stutters,
                    false => Claim::Deadlock,
                },
                name: None,
                message: match self.stuttering {
                    true => "deadlock: nothing leads to another state".to_owned(),
                    false => format!("deadlock: no {} can happen", self.subject.words().event),
                },
                span: None,
            },
            (Kind::Setup, _) => self.no_start(found),
            (Kind::Fault, asked) | (Kind::Assertion, asked @ None) => self.faulted(found, asked),
            (kind, None) => return Err(format!("a finding {kind:?} names no label")),
        };
        Ok(said)
    }

    fn falsified(&self, kind: FindingKind, asked: &Asked) -> Said {
        let word = kind.word();
        let text = &asked.text;
        Said {
            kind,
            claim: Claim::False(asked.predicate),
            name: Some(asked.name.clone()),
            message: match &asked.label {
                Some(label) => format!("{word} {label} is false: {text}"),
                None => format!("{word} is false: {text}"),
            },
            span: asked.span,
        }
    }

    fn no_start(&self, found: &explicit::Finding) -> Said {
        let (claim, message) = match found.event {
            Some(Happened::Setup) => (
                Claim::NoSetup,
                "no values of the constants satisfy the properties",
            ),
            _ => (
                Claim::NoInitialState,
                "the initialisation leads to no state",
            ),
        };
        Said {
            kind: FindingKind::Setup,
            claim,
            name: None,
            message: message.to_owned(),
            span: None,
        }
    }

    fn faulted(&self, found: &explicit::Finding, asked: Option<&Asked>) -> Said {
        let (claim, what, name) = match (found.event, asked) {
            (Some(Happened::Group(group)), _) => {
                let event = self.ground.event(group);
                let name = self.subject.description().event(event).name.to_string();
                (
                    Claim::FaultInEvent(event),
                    format!("{} {name}", self.subject.words().event),
                    Some(name),
                )
            }
            (Some(Happened::Initialisation), None) => (
                Claim::FaultInInitialisation,
                "the initialisation".to_owned(),
                None,
            ),
            (_, Some(asked)) => (
                Claim::Undefined(asked.predicate),
                asked.text.clone(),
                Some(asked.name.clone()),
            ),
            (_, None) => (Claim::FaultInSetup, "the properties".to_owned(), None),
        };
        let fault = found.fault.as_ref();
        let reason = fault.map_or("it has no value", |fault| fault.message.as_str());
        let (kind, message) = match fault.map(|fault| fault.kind) {
            Some(pins::FaultKind::Refinement) => (
                FindingKind::Refinement,
                format!("refinement is broken in {what}: {reason}"),
            ),
            Some(pins::FaultKind::Assertion) => (
                FindingKind::Assertion,
                format!("assertion in {what}: {reason}"),
            ),
            Some(pins::FaultKind::Observed) => (
                FindingKind::Trace,
                format!("trace violated in {what}: {reason}"),
            ),
            _ => (FindingKind::Fault, format!("fault in {what}: {reason}")),
        };
        Said {
            kind,
            claim,
            name,
            message,
            span: fault.and_then(|fault| fault.span),
        }
    }
}

/// Which event changed each variable of a false predicate last: `level by fill (step 7)`.
pub(super) fn last_changed(subject: &dyn Subject, claim: Claim, path: &Shown) -> Option<String> {
    let Claim::False(predicate) = claim else {
        return None;
    };
    let reads: Vec<ComponentId> = match predicate {
        Predicate::Label(label) => subject.description().label(label)?.reads.clone(),
        Predicate::Question(question) => subject.reads(question),
    };
    let components = reads.iter().map(|id| subject.description().component(*id));
    let changed: Vec<String> = components
        .filter(|component| !component.is_constant)
        .filter_map(|component| {
            let name = component.name.as_str();
            let mut steps = (0..path.steps.len()).rev();
            let step = steps.find(|step| path.changes(*step).get(name).is_some())?;
            let event = &path.steps[step].event;
            Some(format!("{name} by {event} (step {})", path.number(step)))
        })
        .collect();
    (!changed.is_empty()).then(|| changed.join(", "))
}

/// Saves the path of the first finding, or to the goal. Where there is none that is told, unless it was wanted `if_any`.
pub(super) fn save(
    (path, if_any): (&Path, bool),
    format: Format,
    subject: &dyn Subject,
    report: &mut Report,
) {
    let goal = report.goal.as_ref().filter(|goal| !goal.path.is_empty());
    let (shown, kind, name, message, why) = match (report.findings.first(), goal) {
        (Some(finding), _) => (
            finding.shown(),
            finding.kind.word(),
            finding.name.clone(),
            finding.message.clone(),
            finding.why.clone(),
        ),
        (None, Some(goal)) => (
            Shown {
                steps: goal.path.clone(),
                loop_start: None,
            },
            "goal",
            None,
            format!("goal reached: {}", goal.predicate),
            Vec::new(),
        ),
        (None, None) if if_any => return,
        (None, None) => {
            let file = path.display();
            report
                .warnings
                .push(format!("there is no path to save to \"{file}\""));
            return;
        }
    };
    let now = SystemTime::now().duration_since(UNIX_EPOCH);
    let heading = Heading {
        file: &report.model.file.clone(),
        kind,
        name: name.as_deref(),
        message: &message,
        why: &why,
        saved_at: now.map_or(0, |now| now.as_secs()),
    };
    let evidence = report.findings.first();
    let evidence = evidence.and_then(|finding| finding.evidence.as_ref());
    let trace = evidence.map(|(trace, _)| trace);
    let written = match format.write((&shown, trace), subject, &heading) {
        Ok(text) => std::fs::write(path, text).map_err(|error| error.to_string()),
        Err(why) => Err(why.to_owned()),
    };
    if let Err(why) = written {
        let file = path.display();
        report
            .warnings
            .push(format!("cannot write \"{file}\": {why}"));
    }
}
