//! Replays a path step by step with the judge of the subject, then the claim about its last state.
//!
//! The set-up must satisfy the properties, the initialisation must lead to the first state, every step must be
//! one of its event with these arguments and results, and in the last state the claim must be true.
//! Invariant: a difference is a [`Mismatch`], which is a bug of ours and never a result. Only where the
//! judge gives up (its budget is counted, not timed) is a claim shown with a doubt.

use pins::{Fault, FaultKind, LabelId, LabelKind};
use subject::{Claim, Happening, Judge, Moment, Predicate, Step, Subject, Trace, Value, Wd};

/// How many steps the reference evaluator may take for one question: some seconds of work.
const BUDGET: u64 = 10_000_000;
/// The same for "there is no set-up": all candidates would have to be looked at, which is what the solver avoids.
const BRIEF: u64 = 300_000;

/// A claim that was confirmed.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Evidence {
    /// Why it is so, line by line.
    pub why: Vec<String>,
    /// What the reference evaluator could not decide, if anything.
    pub doubt: Option<String>,
}

/// The two evaluators differ: this is a bug of ours.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Mismatch(pub String);

/// Replays a path and confirms a claim about its last state.
pub fn replay(
    subject: &dyn Subject,
    trace: &Trace,
    claim: Claim,
    wd: Wd,
) -> Result<Evidence, Mismatch> {
    let budget = match claim {
        Claim::NoSetup => BRIEF,
        _ => BUDGET,
    };
    // A step is one whatever other outcomes do.
    let lenient = match wd {
        Wd::Default => Wd::Lenient,
        wd => wd,
    };
    let mut replay = Replay {
        subject,
        judge: subject.judge(wd, budget),
        steps: subject.judge(lenient, budget),
        evidence: Evidence::default(),
    };
    let last = replay.path(trace)?;
    let here = trace.steps.last().map_or(&[][..], |step| &step.after);
    replay.claim(claim, &last, here)?;
    Ok(replay.evidence)
}

struct Replay<'s> {
    subject: &'s dyn Subject,
    judge: Box<dyn Judge + 's>,
    steps: Box<dyn Judge + 's>,
    evidence: Evidence,
}

impl Replay<'_> {
    /// Walks the path and returns its last moment.
    fn path(&mut self, trace: &Trace) -> Result<Moment, Mismatch> {
        let mut moment = self.judge.beginning();
        for (number, step) in trace.steps.iter().enumerate() {
            let mut next = self.judge.after(&moment, step);
            let name = step.happening.name(self.subject.description());
            let judge = match step.happening {
                Happening::Setup | Happening::Initialisation => &mut self.judge,
                Happening::Event(_) => &mut self.steps,
            };
            if let Err(fault) = judge.check(&moment, step, &mut next) {
                let what = format!("step {} ({name}): {}", number + 1, fault.message);
                match fault.kind {
                    FaultKind::Undefined => self.overlooked(&what)?,
                    kind if kind.leaves_open() => self.doubt(what),
                    _ => self.differs(&what)?,
                }
            }
            moment = next;
        }
        Ok(moment)
    }

    /// Confirms a claim about a moment with these components.
    fn claim(&mut self, claim: Claim, at: &Moment, here: &[Option<Value>]) -> Result<(), Mismatch> {
        match claim {
            Claim::False(predicate) => match self.judge.truth(predicate, at) {
                Ok(false) => {
                    self.explain(predicate, at);
                    Ok(())
                }
                Ok(true) => self.differs("the predicate is true"),
                Err(fault) => self.stopped(fault, false),
            },
            Claim::True(predicate) => match self.judge.truth(predicate, at) {
                Ok(true) => Ok(()),
                Ok(false) => self.differs("the predicate is false"),
                Err(fault) => self.stopped(fault, false),
            },
            Claim::Undefined(predicate) => match self.judge.truth(predicate, at) {
                Ok(_) => self.overlooked("the predicate has a truth value"),
                Err(fault) => {
                    self.explain(predicate, at);
                    self.stopped(fault, true)
                }
            },
            Claim::Deadlock => {
                self.deadlock(at, None)?;
                self.must_go_on(at)
            }
            Claim::Stops => self.deadlock(at, None),
            Claim::Stutters => self.deadlock(at, Some(here)),
            Claim::Reached => Ok(()),
            Claim::FaultInEvent(event) => {
                let (_, fault) = self.judge.steps(event, at);
                self.fault(fault)?;
                let lines = self.judge.dependences(event, at);
                self.evidence.why.extend(lines);
                Ok(())
            }
            Claim::FaultInInitialisation => {
                let fault = self.judge.initial(at, usize::MAX).err();
                self.fault(fault)
            }
            Claim::FaultInSetup => match self.judge.setups(usize::MAX) {
                // Another property is false: whether the fault or that one is met first depends on the order
                // in which constants are looked for.
                Ok(found) if found.is_empty() => {
                    self.doubt("no values of the constants satisfy the properties".to_owned());
                    Ok(())
                }
                answer => self.fault(answer.err()),
            },
            Claim::NoSetup => {
                let answer = self.judge.setups(1);
                self.nothing("there is a set-up", answer.map(|found| found.len()))
            }
            Claim::NoInitialState => {
                let answer = self.judge.initial(at, 1);
                self.nothing("there is an initial state", answer.map(|found| found.len()))
            }
        }
    }

    /// Nothing can happen; with components, nothing that leads to others.
    fn deadlock(&mut self, at: &Moment, here: Option<&[Option<Value>]>) -> Result<(), Mismatch> {
        for event in self.subject.description().event_ids() {
            let answer = match self.judge.steps(event, at) {
                // An outcome that is none of the refined machine is no step, and no reason to doubt.
                (found, Some(fault)) if fault.kind != FaultKind::Refinement && found.is_empty() => {
                    Err(fault)
                }
                (found, _) => {
                    let leads_back = |step: &&Step| here.is_some_and(|here| step.after == here);
                    Ok(found.iter().filter(|step| !leads_back(step)).count())
                }
            };
            let name = self.subject.description().event(event).name;
            self.nothing(&format!("{name} can happen"), answer)?;
        }
        Ok(())
    }

    /// Where a model may end there is no deadlock.
    fn must_go_on(&mut self, at: &Moment) -> Result<(), Mismatch> {
        let labels = self.subject.description().labels.iter().enumerate();
        let ends = labels.filter(|(_, label)| label.kind == LabelKind::End);
        for (number, _) in ends {
            let predicate = Predicate::Label(LabelId::new(number));
            if let Ok(true) = self.judge.truth(predicate, at) {
                self.differs("the model may end here")?;
            }
        }
        Ok(())
    }

    fn nothing(&mut self, otherwise: &str, answer: Result<usize, Fault>) -> Result<(), Mismatch> {
        match answer {
            Ok(0) => Ok(()),
            Ok(_) => self.differs(otherwise),
            Err(fault) => self.stopped(fault, false),
        }
    }

    fn fault(&mut self, fault: Option<Fault>) -> Result<(), Mismatch> {
        match fault {
            None => self.overlooked("everything has a value"),
            Some(fault) => self.stopped(fault, true),
        }
    }

    /// The judge has no answer: expected of a fault, a doubt where it gave up.
    fn stopped(&mut self, fault: Fault, expected: bool) -> Result<(), Mismatch> {
        match fault.kind {
            FaultKind::Budget | FaultKind::Cut => {
                self.doubt(fault.message);
                Ok(())
            }
            FaultKind::Undefined
            | FaultKind::Violated
            | FaultKind::Assertion
            | FaultKind::Observed
            | FaultKind::Refinement
                if expected =>
            {
                if self.evidence.why.is_empty() {
                    self.evidence.why.push(format!("because {}", fault.message));
                }
                Ok(())
            }
            FaultKind::Undefined => self.overlooked(&format!("the last state: {}", fault.message)),
            _ => self.differs(&format!("the last state: {}", fault.message)),
        }
    }

    /// One evaluator has a value where the other has none: a doubt where either may overlook that.
    fn overlooked(&mut self, what: &str) -> Result<(), Mismatch> {
        if !self.judge.may_overlook() {
            return self.differs(what);
        }
        self.doubt(format!(
            "{what}, where a set by a rule over infinitely many values may be undefined"
        ));
        Ok(())
    }

    fn doubt(&mut self, what: String) {
        self.evidence.doubt.get_or_insert(what);
    }

    fn differs(&self, what: &str) -> Result<(), Mismatch> {
        Err(Mismatch(format!(
            "the reference evaluator disagrees with the compiled one: {what}"
        )))
    }

    fn explain(&mut self, predicate: Predicate, at: &Moment) {
        self.evidence.why = self.judge.explain(predicate, at);
    }
}
