//! Constraint-based checking: questions about all states that satisfy the invariant, about paths of named events, and
//! induction, each with an answer of its own.
//!
//! Papers: as in `model-compile/src/constraints.rs`.
//! Invariant: an example is shown only after it was walked through by the evaluator of checks and confirmed by the judge.

use std::path::Path;

use base::Diagnostic;
use pins::{Halt, LabelKind, Truth};
use serde::Serialize;
use subject::constraints::{Constraining, Example, Finding, Inquiry};
use subject::{
    EventId, Form, Judge, Moment, Predicate, Setting, Solver, Step, Subject, Trace, Value,
};
use verdict::{Pairs, Shown, ShownStep};

use crate::codes;
use crate::lint::Lint;
use crate::open::{Opened, Workbench};
use crate::report::Verdict;
use crate::runnable::{Move, Place, View};

/// What is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Asked {
    /// Whether events keep the invariant: all, or one.
    Invariant(Option<String>),
    /// Whether there is a state that satisfies the invariant and in which nothing can happen.
    Deadlock,
    /// Whether assertions follow from the invariant.
    Assertions,
    /// Whether these events can happen one after the other.
    Sequence(Vec<String>),
    /// Whether the invariant holds by induction with at most so many steps.
    Induction(usize),
    /// Test cases: whether each event can happen within so many steps.
    Tests(usize),
}

/// A question with its answer.
#[derive(Clone, Debug, Serialize)]
pub struct Answered {
    /// The question as a claim.
    pub claim: String,
    /// Whether it holds.
    pub verdict: Verdict,
    /// Why that is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub because: Option<String>,
    /// A path that shows it, or that it does not hold.
    pub path: Vec<ShownStep>,
    /// The conjunct of the invariant that the path refutes, by its number among the labels.
    #[serde(skip)]
    pub(crate) label: Option<usize>,
    /// The exit code that belongs to it.
    #[serde(skip)]
    exit: u8,
}

/// All answers.
#[derive(Clone, Debug, Serialize)]
pub struct Answers {
    /// The model.
    pub model: String,
    /// The questions with their answers.
    pub answers: Vec<Answered>,
}

/// The budget of the judge for one question.
const BUDGET: u64 = 2_000_000;

/// So many places are kept while an example is walked through.
const MOST_PLACES: usize = 10_000;

impl Answers {
    /// The code of the first claim that is wrong; 20 when one is open.
    pub fn exit(&self) -> u8 {
        let wrong = self.answers.iter().find(|a| a.verdict == Verdict::Violated);
        let is_open = self.answers.iter().any(|a| a.verdict == Verdict::Open);
        match wrong {
            Some(wrong) => wrong.exit,
            None if is_open => 20,
            None => 0,
        }
    }

    /// For people: each claim, what is said of it, and the path.
    pub fn text(&self) -> String {
        let mut text = String::new();
        for answered in &self.answers {
            let why = answered.because.as_ref();
            let why = why.map_or(String::new(), |why| format!(" ({why})"));
            text += &format!("{}: {}{why}\n", answered.verdict.word(), answered.claim);
            let shown = Shown {
                steps: answered.path.clone(),
                loop_start: None,
            };
            text += &shown.text("  ");
        }
        text
    }
}

/// Asks questions about the model in a file.
///
/// # Errors
/// What is wrong with the file or a question.
pub fn constrain(
    bench: &Workbench,
    (file, setting): (&Path, &Setting),
    asked: &[Asked],
    (solver, halt): (Solver, &Halt),
) -> Result<Answers, Box<Lint>> {
    let Opened { mut lint, subject } = bench.open(file, setting)?;
    let subject = &*subject;
    match answers(subject, setting, asked, (solver, halt)) {
        Ok(answers) => Ok(Answers {
            model: subject.description().name.clone(),
            answers,
        }),
        Err(message) => {
            lint.diagnostics
                .push(Diagnostic::global(&codes::MISFIT_OPTION, message));
            Err(Box::new(lint))
        }
    }
}

/// The answers to questions about an opened model.
///
/// # Errors
/// A name that the model does not have, or a language without such questions.
pub(crate) fn answers(
    subject: &dyn Subject,
    setting: &Setting,
    asked: &[Asked],
    (solver, halt): (Solver, &Halt),
) -> Result<Vec<Answered>, String> {
    let lacking = || "the language has no questions about states by constraints".to_owned();
    let mut constraining = subject
        .constraining(solver, halt.clone())
        .ok_or_else(lacking)?;
    let form = Form {
        wd: setting.wd,
        ..Form::default()
    };
    let ground = subject.ground(&form).ok().flatten().ok_or_else(lacking)?;
    let mut session = Session {
        view: View::new(subject, &*ground, setting.wd),
        constraining: &mut *constraining,
        halt,
    };
    let mut found = Vec::new();
    for asked in asked {
        session.answer(asked, &mut found)?;
    }
    Ok(found)
}

/// A model that is asked about.
struct Session<'a> {
    view: View<'a>,
    constraining: &'a mut (dyn Constraining + 'a),
    halt: &'a Halt,
}

impl Session<'_> {
    fn event(&self, name: &str) -> Result<EventId, String> {
        let description = self.view.description();
        description.event_named(name).ok_or_else(|| {
            let known = description.events.iter().map(|event| event.name.as_str());
            let near = base::near::nearest(name, known);
            let near = near.map_or(String::new(), |near| format!("; did you mean {near}?"));
            format!(
                "there is no {} {name}{near}",
                self.view.subject.words().event
            )
        })
    }

    fn answer(&mut self, asked: &Asked, found: &mut Vec<Answered>) -> Result<(), String> {
        let description = self.view.description();
        match asked {
            Asked::Invariant(only) => {
                let events: Vec<EventId> = match only {
                    Some(name) => vec![self.event(name)?],
                    None => description.event_ids().collect(),
                };
                for event in events {
                    let name = description.event(event).name;
                    let claim = format!("{name} keeps the invariant");
                    found.push(self.refuted(claim, &Inquiry::Breaks(event), 12));
                }
            }
            Asked::Deadlock => {
                let claim = "wherever the invariant holds something can happen".to_owned();
                found.push(self.refuted(claim, &Inquiry::Deadlock, 11));
            }
            Asked::Assertions => {
                let labels = description.labels.iter();
                let assertions = labels.filter(|label| label.kind == LabelKind::Assertion);
                for (number, label) in assertions.enumerate() {
                    let claim = format!("the invariant implies {}", label.text);
                    found.push(self.refuted(claim, &Inquiry::Refutes(number), 12));
                }
            }
            Asked::Sequence(names) => {
                let events: Result<Vec<EventId>, String> =
                    names.iter().map(|name| self.event(name)).collect();
                let claim = format!("{} can happen one after the other", names.join(", "));
                found.push(self.shown(claim, &Inquiry::Path(events?)));
            }
            Asked::Induction(most) => found.push(self.induction(*most)),
            Asked::Tests(most) => self.tests(*most, found),
        }
        Ok(())
    }

    /// A shortest path that ends with each event, by longer and longer sequences of events of which each beginning can
    /// happen.
    fn tests(&mut self, most: usize, found: &mut Vec<Answered>) {
        let description = self.view.description();
        let events: Vec<EventId> = description.event_ids().collect();
        let mut answers: Vec<Option<Answered>> = vec![None; events.len()];
        let mut unknown = None;
        let mut feasible: Vec<Vec<EventId>> = vec![Vec::new()];
        for _ in 0..most {
            let mut longer = Vec::new();
            for sequence in &feasible {
                // What is not covered yet comes first.
                let (open, known): (Vec<usize>, Vec<usize>) =
                    (0..events.len()).partition(|at| answers[*at].is_none());
                for at in open.into_iter().chain(known) {
                    if answers.iter().all(Option::is_some) || self.halt.is_set() {
                        break;
                    }
                    let mut next = sequence.clone();
                    next.push(events[at]);
                    let claim = format!("{} can happen", description.event(events[at]).name);
                    let answered = self.shown(claim, &Inquiry::Path(next.clone()));
                    match answered.verdict {
                        Verdict::Holds => {
                            answers[at].get_or_insert(answered);
                            longer.push(next);
                        }
                        Verdict::Violated => {}
                        _ => unknown = unknown.or(answered.because),
                    }
                }
            }
            feasible = longer;
        }
        if self.halt.is_set() {
            unknown = unknown.or(Some("it was interrupted".to_owned()));
        }
        for (at, answer) in answers.into_iter().enumerate() {
            let name = description.event(events[at]).name;
            found.push(answer.unwrap_or_else(|| Answered {
                claim: format!("{name} can happen within {most} steps"),
                verdict: match unknown {
                    Some(_) => Verdict::Open,
                    None => Verdict::Violated,
                },
                because: unknown.clone(),
                path: Vec::new(),
                label: None,
                exit: 12,
            }));
        }
    }

    /// A claim that an example refutes.
    fn refuted(&mut self, claim: String, inquiry: &Inquiry, exit: u8) -> Answered {
        let mut label = None;
        let (verdict, because, path) = match self.constraining.ask(inquiry) {
            Finding::No => (Verdict::Holds, None, Vec::new()),
            Finding::Open(why) => (Verdict::Open, Some(why), Vec::new()),
            Finding::Yes(example) => {
                label = example.label;
                match self.walked(inquiry, example) {
                    Ok(path) => (Verdict::Violated, None, path),
                    Err(why) => (Verdict::Open, Some(why), Vec::new()),
                }
            }
        };
        Answered {
            claim,
            verdict,
            because,
            path,
            label,
            exit,
        }
    }

    /// A claim that an example shows.
    fn shown(&mut self, claim: String, inquiry: &Inquiry) -> Answered {
        let answered = self.refuted(claim, inquiry, 12);
        Answered {
            verdict: match answered.verdict {
                Verdict::Violated => Verdict::Holds,
                Verdict::Holds => Verdict::Violated,
                other => other,
            },
            ..answered
        }
    }

    /// Whether the invariant holds: bounded search from the beginning, and steps of induction, with longer and longer paths.
    fn induction(&mut self, most: usize) -> Answered {
        let claim = "the invariant holds".to_owned();
        let mut open = None;
        for depth in 0..=most {
            let base = self.refuted(claim.clone(), &Inquiry::Base(depth), 12);
            match base.verdict {
                Verdict::Violated => return base,
                Verdict::Holds => {}
                _ => return base,
            }
            let step = self.refuted(claim.clone(), &Inquiry::Step(depth + 1), 12);
            match step.verdict {
                Verdict::Holds => return step,
                Verdict::Violated => open = Some(step.path),
                _ => return step,
            }
            if self.halt.is_set() {
                break;
            }
        }
        Answered {
            claim,
            verdict: Verdict::Open,
            because: Some(format!(
                "no proof by induction over paths of up to {} steps: the path below starts in a state that may not be reachable",
                most + 1
            )),
            path: open.unwrap_or_default(),
            label: None,
            exit: 20,
        }
    }

    /// The path of an example, walked through and confirmed.
    fn walked(&self, inquiry: &Inquiry, mut example: Example) -> Result<Vec<ShownStep>, String> {
        let lost = || "an example was found but not confirmed".to_owned();
        let view = self.view;
        if let Inquiry::Refutes(number) = inquiry {
            let labels = view.description().labels.iter();
            let is_invariant = |label: &&subject::Label| label.kind == LabelKind::Invariant;
            example.label = Some(labels.filter(is_invariant).count() + number);
        }
        let example = &example;
        let mut courses = self.beginnings(example).ok_or_else(lost)?;
        for (event, arguments) in &example.steps {
            let mut next = Vec::new();
            for course in courses {
                let Some(Place::State(vector)) = course.last().map(|taken| &taken.to) else {
                    return Err(lost());
                };
                for taken in view.moves_of(*event, vector).moves {
                    if taken.arguments == *arguments && next.len() < MOST_PLACES {
                        let mut longer = course.clone();
                        longer.push(taken);
                        next.push(longer);
                    }
                }
            }
            courses = next;
        }
        let is_end = |course: &Vec<Move>| match (example.label, course.last().map(|m| &m.to)) {
            (Some(label), Some(Place::State(vector))) => {
                view.judge(vector)[label].truth == Truth::False
            }
            (None, Some(place)) if *inquiry == Inquiry::Deadlock => view.moves(place).is_stuck(),
            _ => true,
        };
        let course = courses.into_iter().find(is_end).ok_or_else(lost)?;
        self.confirmed(example, &course)
            .map_err(|why| format!("{}: {why}", lost()))?;
        Ok(self.show(example, &course))
    }

    /// Where an example can begin: a place in the midst, or the initial states of its set-up.
    fn beginnings(&self, example: &Example) -> Option<Vec<Vec<Move>>> {
        let (view, ground) = (self.view, self.view.ground);
        let to = |happening, to| Move {
            happening,
            arguments: Vec::new(),
            results: Vec::new(),
            to,
        };
        if !example.is_start {
            let vector = ground.state(&example.before)?;
            let place = Place::State(vector.into());
            return Some(vec![vec![to(subject::Happening::Initialisation, place)]]);
        }
        let setup = Place::Setup(ground.setup(&example.before)?.into());
        let moves = view.moves(&setup).moves.into_iter();
        let begun = moves.map(|taken| match view.description().has_setup {
            true => vec![to(subject::Happening::Setup, setup.clone()), taken],
            false => vec![taken],
        });
        Some(begun.take(MOST_PLACES).collect())
    }

    /// What the judge says of a course.
    fn confirmed(&self, example: &Example, course: &[Move]) -> Result<(), String> {
        let view = self.view;
        let mut judge = view.subject.judge(view.wd, BUDGET);
        let mut moment = judge.beginning();
        for (number, taken) in course.iter().enumerate() {
            let step: Step = view.step(taken);
            if number == 0 && !example.is_start {
                moment = judge.at(&step.after);
                self.satisfies(&mut *judge, &moment)?;
                continue;
            }
            let mut after = judge.after(&moment, &step);
            judge
                .check(&moment, &step, &mut after)
                .map_err(|fault| fault.message)?;
            moment = after;
        }
        let Some(label) = example.label else {
            return Ok(());
        };
        let label = Predicate::Label(pins::LabelId::new(label));
        match judge.truth(label, &moment) {
            Ok(false) => Ok(()),
            Ok(true) => Err("the invariant holds there".to_owned()),
            Err(fault) => Err(fault.message),
        }
    }

    /// Whether the judge finds the invariant true.
    fn satisfies(&self, judge: &mut dyn Judge, at: &Moment) -> Result<(), String> {
        if !judge.is_makeable(at).map_err(|fault| fault.message)? {
            return Err("no state is made so".to_owned());
        }
        let labels = self.view.description().labels.iter().enumerate();
        for (number, _) in labels.filter(|(_, label)| label.kind == LabelKind::Invariant) {
            let label = Predicate::Label(pins::LabelId::new(number));
            match judge.truth(label, at) {
                Ok(true) => {}
                Ok(false) => return Err("the invariant is false before".to_owned()),
                Err(fault) => return Err(fault.message),
            }
        }
        Ok(())
    }

    fn show(&self, example: &Example, course: &[Move]) -> Vec<ShownStep> {
        let (view, subject) = (self.view, self.view.subject);
        let trace = Trace {
            steps: course.iter().map(|taken| view.step(taken)).collect(),
            loop_start: None,
        };
        let mut shown = Shown::new(&trace, subject).steps;
        if let (false, Some(first)) = (example.is_start, shown.first_mut()) {
            let components = view.description().components.iter();
            let tell = |value: &Option<Value>| subject.tell(value.as_ref());
            let pairs = components.zip(&example.before);
            first.event = "any state".to_owned();
            first.state = Pairs(pairs.map(|(c, v)| (c.name.to_string(), tell(v))).collect());
        }
        shown
    }
}
