//! Evaluates formulas, one after the other, in the first initialised state of a file.
//!
//! Answers are those of `eval --batch` (`docs/meaning.md`, Values): a value in canonical notation, TRUE or FALSE, or `!` with the
//! kind and reason of what prevented one. Definedness is strict here, whatever a check would tolerate. Unless one evaluator
//! is asked for, the fast one answers and the judge gives a second opinion.
//! Invariant: an answer is one line; a value found by an enumeration that had to be cut is no answer.
//! Invariant: two opinions that contradict each other are a bug of ours, never an answer.

mod answer;

use std::path::Path;
use std::sync::Arc;

use base::{Diagnostic, Diagnostics};
use pins::{Fault, Flow, Halt, System};
use subject::{
    Evaluator, Form, FormulaKind, Ground, Judge, Knowledge, Moment, Question, QuestionId,
    Recognised, Setting, Solver, Subject, Wanted, Wd,
};

pub use answer::{Answer, Lack};

use crate::codes;
use crate::lint::Lint;
use crate::open::{Opened, Workbench};
use crate::runnable::{truth_text, whole};
use crate::solve::Task;

/// How many steps the judge may take for one formula: about a minute of work.
const BUDGET: u64 = 100_000_000;
/// How many steps it may take for a second opinion: about a second of work.
const OPINION_BUDGET: u64 = 2_000_000;
/// So often a formula is asked again before two evaluators are said to disagree: some choose at random.
const REPEATS: usize = 20;

/// A model and a state in which formulas are evaluated.
pub struct Session {
    pub(crate) lint: Lint,
    pub(crate) subject: Box<dyn Subject>,
    pub(crate) place: Place,
    wd: Wd,
    warning: Option<String>,
    /// Whether the judge is asked as well.
    has_second_opinion: bool,
    halt: Halt,
}

/// The state in which formulas are evaluated, and by whom.
pub(crate) enum Place {
    Reference(Moment),
    Compiled(Arc<dyn Ground>, Vec<u32>),
}

impl Session {
    /// Reads a file and initialises it; without one, formulas stand for themselves. A file with errors is
    /// returned as its lint. Without an evaluator, both are asked.
    pub fn open(
        bench: &Workbench,
        path: Option<&Path>,
        setting: &Setting,
        evaluator: Option<Evaluator>,
        halt: &Halt,
    ) -> Result<Session, Box<Lint>> {
        let opened = match path {
            Some(path) => bench.open(path, setting)?,
            None => nothing(bench, setting)?,
        };
        let Opened { mut lint, subject } = opened;
        let (place, warning) = match evaluator.unwrap_or(Evaluator::Compiled) {
            Evaluator::Reference => {
                let mut judge = subject.judge(setting.wd, BUDGET);
                judge.heed(halt);
                let (moment, warning) = first_moment(&mut *judge);
                (Place::Reference(moment), warning)
            }
            Evaluator::Compiled => match whole(&*subject, &form(setting.wd)) {
                Ok(ground) => {
                    let (state, warning) = first_state(ground.system(), halt);
                    (Place::Compiled(ground, state), warning)
                }
                Err(diagnostics) => {
                    lint.diagnostics.extend(diagnostics);
                    return Err(Box::new(lint));
                }
            },
        };
        Ok(Session {
            lint,
            subject,
            place,
            wd: setting.wd,
            warning,
            has_second_opinion: evaluator.is_none(),
            halt: halt.clone(),
        })
    }

    /// From now on, evaluations end without an answer once `halt` is set.
    pub fn heed(&mut self, halt: Halt) {
        self.halt = halt;
    }

    /// The names of a predicate that mean nothing in the file.
    pub(crate) fn unknowns(&mut self, predicate: &str) -> Vec<String> {
        match self.subject.solving() {
            Some(solving) => solving.unknowns(predicate, &mut self.lint.sources),
            None => Vec::new(),
        }
    }

    /// The file with what is wrong with a formula.
    pub(crate) fn refused(self, diagnostics: &Diagnostics) -> Lint {
        let mut lint = self.lint;
        lint.diagnostics = Diagnostics::new();
        lint.diagnostics.extend(diagnostics.iter().cloned());
        lint
    }

    /// The answer at a prompt: a predicate with free names is solved for them.
    pub fn reply(&mut self, formula: &str) -> Answer {
        if self.unknowns(formula).is_empty() {
            return self.told(formula);
        }
        let mut first = None;
        let task = Task {
            predicate: formula,
            solver: Solver::Auto,
            most: 1,
            aim: None,
        };
        let halt = self.halt.clone();
        let solved = self.solve(&task, &halt, &mut |solution| {
            first = Some(solution.told());
            true
        });
        match (solved, first) {
            // Not a predicate, or not one that can be solved: the usual answer says what is wrong.
            (Err(_), _) => self.told(formula),
            (Ok(_), Some(solution)) => Answer::Value(format!("TRUE: {solution}")),
            (Ok(solved), None) => match (solved.undefined, solved.is_complete) {
                (Some(reason), _) => Answer::None(Lack::Undefined, reason),
                (None, true) => Answer::Value("FALSE: no solution".to_owned()),
                (None, false) => {
                    let reason = solved.open_because.into_iter().next();
                    let reason = reason.unwrap_or_else(|| "no solution was found".to_owned());
                    Answer::None(Lack::Open, reason)
                }
            },
        }
    }

    /// What is wrong with the state, when the file could not be initialised.
    pub fn warning(&self) -> Option<&str> {
        self.warning.as_deref()
    }

    /// The answer to one formula, in the canonical notation.
    pub fn answer(&mut self, formula: &str) -> Answer {
        match self.ask(formula) {
            Ok(question) => self.found(question),
            Err(refusal) => refusal,
        }
    }

    /// The answer to one formula, and whether that is a predicate or an expression where it can be read.
    pub fn answer_by_kind(&mut self, formula: &str) -> (Option<FormulaKind>, Answer) {
        match self.ask(formula) {
            Ok(question) => (Some(self.subject.kind(question)), self.found(question)),
            Err(refusal) => (None, refusal),
        }
    }

    /// The answer for people: sequences as such, and a set without end by its rule.
    pub fn told(&mut self, formula: &str) -> Answer {
        match self.ask(formula) {
            Ok(question) => match self.found(question) {
                open if open.lack() == Some(Lack::Open) && self.subject.is_rule(question) => {
                    Answer::Value(self.subject.wording(question))
                }
                answer => answer.for_people(),
            },
            Err(refusal) => refusal,
        }
    }

    /// The question that a formula is; an error is the answer to it.
    fn ask(&mut self, formula: &str) -> Result<QuestionId, Answer> {
        let question = Question {
            text: formula,
            span: None,
            wanted: Wanted::Formula,
            scope: &[],
        };
        let asked = self.subject.ask(&question, &mut self.lint.sources);
        asked.map_err(|diagnostics| Answer::refused(&diagnostics, &self.lint.sources))
    }

    fn found(&self, question: QuestionId) -> Answer {
        match &self.place {
            Place::Reference(moment) => {
                let mut judge = self.subject.judge(self.wd, BUDGET);
                judge.heed(&self.halt);
                judged(&mut *judge, question, moment)
            }
            Place::Compiled(ground, state) => {
                let first = self.compiled(question, &**ground, state);
                match self.has_second_opinion && !self.halt.is_set() {
                    true => self.seconded(first, question, &**ground, state),
                    false => first,
                }
            }
        }
    }

    /// The answer of the fast evaluator.
    fn compiled(&self, question: QuestionId, ground: &dyn Ground, state: &[u32]) -> Answer {
        let subject = &self.subject;
        match subject.value_at(question, ground, state, &self.halt) {
            Knowledge::Truth(truth) => Answer::Value(truth_text(truth).to_owned()),
            Knowledge::Value(value) => Answer::Value(value.text()),
            Knowledge::Unknown(cut) => Answer::None(Lack::Open, cut),
            Knowledge::Undefined(fault) => Answer::faulted(fault),
        }
    }

    /// An answer after the judge gave its own: what one of them does not know is what the other says.
    ///
    /// # Panics
    /// When they contradict each other, which is a bug of ours.
    fn seconded(
        &self,
        first: Answer,
        question: QuestionId,
        ground: &dyn Ground,
        state: &[u32],
    ) -> Answer {
        let mut judge = self.subject.judge(self.wd, OPINION_BUDGET);
        judge.heed(&self.halt);
        let values = ground.values(state);
        let reads = self.subject.reads(question);
        // The judge cannot be told what a variable holds that is a set without end.
        if reads.iter().any(|read| values[read.index()].is_none()) {
            return first;
        }
        let moment = judge.at(&values);
        let second = judged(&mut *judge, question, &moment);
        let is_undefined = |answer: &Answer| answer.lack() == Some(Lack::Undefined);
        match (first.is_known(), second.is_known()) {
            (true, false) => first,
            // The judge says more precisely what it did not know.
            (false, _) => second,
            (true, true) if is_undefined(&first) && is_undefined(&second) => second,
            // What one of them met has no value, and the other did not look there.
            (true, true) if is_undefined(&second) && judge.may_overlook() => second,
            (true, true) if is_undefined(&first) && judge.may_overlook() => first,
            (true, true) => {
                let mut again = (0..REPEATS).map(|_| self.compiled(question, ground, state));
                let mut is_random = || again.any(|other| other != first);
                assert!(
                    first == second || self.halt.is_set() || is_random(),
                    "the reference evaluator disagrees with the compiled one: {} is {first}, by reference {second}",
                    self.subject.wording(question)
                );
                first
            }
        }
    }
}

/// The answer of a judge.
fn judged(judge: &mut dyn Judge, question: QuestionId, moment: &Moment) -> Answer {
    match judge.value(question, moment) {
        Ok(value) => Answer::Value(value.text()),
        Err(fault) => Answer::faulted(fault),
    }
}

/// The whole model, as undefined expressions mean.
fn form(wd: Wd) -> Form<'static> {
    Form {
        wd,
        ..Form::default()
    }
}

/// A context in which formulas stand for themselves.
fn nothing(bench: &Workbench, setting: &Setting) -> Result<Opened, Box<Lint>> {
    let mut lint = Lint::new(bench, Path::new("<nothing>"));
    for language in bench.languages.read {
        if let Some(read) = language.nothing(&mut lint.sources) {
            lint.language = Some(Recognised::Read(*language));
            lint.diagnostics = read.diagnostics;
            return bench.open_text(lint, read.text, setting);
        }
    }
    let message = "formulas need a file: no language gives them a meaning without one";
    let error = Diagnostic::global(&codes::MISFIT_OPTION, message);
    lint.diagnostics.push(error);
    Err(Box::new(lint))
}

/// The first initialised state of a system; what could be valued when there is none.
fn first_state(system: &dyn System, halt: &Halt) -> (Vec<u32>, Option<String>) {
    let mut worker = system.worker();
    worker.heed(halt.clone());
    let mut setup = None;
    let found = worker.setups(&mut |vector| {
        setup = Some(vector.to_vec());
        Flow::Stop
    });
    let Some(setup) = setup else {
        let slots = system.shape().slots.len();
        return (vec![0; slots], Some(no_setup(found.err())));
    };
    let mut state = None;
    let found = worker.initial(&setup, &mut |vector| {
        state = Some(vector.to_vec());
        Flow::Stop
    });
    match state {
        Some(state) => (state, None),
        None => (setup, Some(no_start(found.err()))),
    }
}

/// The first initialised state for a judge; what could be valued when there is none.
fn first_moment(judge: &mut dyn Judge) -> (Moment, Option<String>) {
    let found = judge.setups(1);
    let setup = match found {
        Ok(mut setups) if !setups.is_empty() => setups.swap_remove(0),
        found => return (judge.beginning(), Some(no_setup(found.err()))),
    };
    match judge.initial(&setup, 1) {
        Ok(mut initial) if !initial.is_empty() => (initial.swap_remove(0), None),
        found => (setup, Some(no_start(found.err()))),
    }
}

/// Why the constants have no values.
fn no_setup(fault: Option<Fault>) -> String {
    match fault {
        Some(fault) => format!("the constants have no values: {}", fault.message),
        None => "no values of the constants satisfy the properties".to_owned(),
    }
}

/// Why there is no initial state.
fn no_start(fault: Option<Fault>) -> String {
    match fault {
        Some(fault) => format!("the initialisation fails: {}", fault.message),
        None => "the initialisation has no outcome".to_owned(),
    }
}
