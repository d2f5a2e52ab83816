//! Expressions that a person typed, with the names and macros of the program.

use base::{Diagnostic, Diagnostics, Sources};
use lang_promela::check;
use lang_promela::codes::syntax::LTL_OUTSIDE;
use lang_promela::syntax::{Binary, Binding, ExprId, ExprKind, Formula, Program, Unary, Unit};
use pins::{Fault, Halt, LabelId, Notes, Truth, Worker};
use program::{ClaimBody, FormulaKind as Form, State};
use program_compile::processes::Question as Compiling;
use program_interp::Machine;
use subject::{Asking, FormulaKind, Ground, Question, QuestionId, Wanted};

use super::Processes;
use super::ground::Compiled;
use crate::judging;

/// A question.
#[derive(Clone)]
pub(crate) struct Asked {
    pub(crate) about: About,
    pub(crate) text: String,
    pub(crate) kind: FormulaKind,
}

/// What a question is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum About {
    /// The value of an expression.
    Value(program::ExprId),
    /// Whether a process is at an accepting place.
    Accepting,
    /// Whether a process is at a place that is marked as progress.
    Progress,
}

impl About {
    /// The same, for the compiled system.
    pub(crate) fn compiled(self) -> Compiling {
        match self {
            About::Value(expr) => Compiling::Expression(expr),
            About::Accepting => Compiling::Accepting,
            About::Progress => Compiling::Progress,
        }
    }

    /// The answer of the reference evaluator.
    pub(crate) fn judged(self, machine: &Machine<'_>, state: &State) -> Result<i64, Fault> {
        let is_marked = |mark: fn(&program::Marks) -> bool| {
            let mut living = state.processes.iter();
            i64::from(living.any(|process| {
                let graph = &machine.program().proctypes[process.proctype].graph;
                mark(&graph.locations[process.location].marks)
            }))
        };
        match self {
            About::Value(expr) => match machine.value(state, expr) {
                Ok(program::Value::Int(number)) => Ok(number),
                Ok(_) => Err(judging::none("the formula is no number")),
                Err(problem) => Err(judging::fault(&problem)),
            },
            About::Accepting => Ok(is_marked(|marks| marks.is_accepting)),
            About::Progress => Ok(is_marked(|marks| marks.is_progress)),
        }
    }
}

/// Adds a question to the program.
pub(crate) fn ask(
    processes: &mut Processes,
    question: &Question<'_>,
    sources: &mut Sources,
) -> Result<QuestionId, Diagnostics> {
    let file = sources.add("<formula>", question.text.to_owned());
    let checked = &mut processes.loaded.checked;
    let files = sources.files().clone();
    let id = check::ask(checked, file, &files, sources)?;
    let span = checked.program.exprs[id].span;
    let name = Binding {
        name: base::Name::new(&format!("<question {}>", processes.asked.len())),
        span,
    };
    checked.program.units.push(Unit::Ltl(Formula {
        name: Some(name),
        formula: id,
        span,
        whole: span,
    }));
    let kind = match question.wanted {
        Wanted::Predicate => FormulaKind::Predicate,
        Wanted::Expression => FormulaKind::Expression,
        _ => kind_of(&checked.program, id),
    };
    processes.refresh();
    let claims = &processes.program.claims;
    let found = claims.iter().rev().find(|claim| claim.name == name.name);
    let expr = found.and_then(|claim| match &claim.body {
        ClaimBody::Formula(formula) => match processes.program.formulas[*formula].kind {
            Form::Now(expr) => Some(expr),
            _ => None,
        },
        ClaimBody::Never(_) => None,
    });
    let Some(expr) = expr else {
        let mut diagnostics = Diagnostics::new();
        let message = "a temporal operator has no value in one state";
        diagnostics.push(Diagnostic::error(&LTL_OUTSIDE, span, message));
        return Err(diagnostics);
    };
    processes.asked.push(Asked {
        about: About::Value(expr),
        text: question.text.trim().to_owned(),
        kind,
    });
    Ok(QuestionId::new(processes.asked.len() - 1))
}

/// Whether an expression is a condition, by its outermost operator.
pub(crate) fn kind_of(program: &Program, id: ExprId) -> FormulaKind {
    let is_condition = match &program.exprs[id].kind {
        ExprKind::Unary(Unary::Not, _) => true,
        ExprKind::Binary(operator, ..) => !matches!(
            operator,
            Binary::Add
                | Binary::Subtract
                | Binary::Multiply
                | Binary::Divide
                | Binary::Remainder
                | Binary::BitAnd
                | Binary::BitOr
                | Binary::BitXor
                | Binary::ShiftLeft
                | Binary::ShiftRight
        ),
        ExprKind::RemoteLabel { .. } | ExprKind::Poll { .. } | ExprKind::NonProgress => true,
        _ => false,
    };
    match is_condition {
        true => FormulaKind::Predicate,
        false => FormulaKind::Expression,
    }
}

/// Asks questions about many states: conditions by labels of the compiled system, values by decoding.
pub(crate) struct Asker<'a> {
    machine: Machine<'a>,
    ground: Option<&'a Compiled>,
    worker: Option<Box<dyn Worker + 'a>>,
    questions: Vec<(About, Option<LabelId>)>,
    state: Vec<u32>,
}

impl<'a> Asker<'a> {
    pub(crate) fn new(
        processes: &'a Processes,
        ground: &'a dyn Ground,
        questions: &[QuestionId],
    ) -> Asker<'a> {
        let ground: Option<&Compiled> = ground.as_any().downcast_ref();
        let asked = questions.iter().map(|id| {
            let label = ground.and_then(|ground| ground.label_of(*id));
            (processes.asked[id.index()].about, label)
        });
        Asker {
            machine: Machine::new(&processes.program),
            worker: ground.map(|ground| ground.system().worker()),
            ground,
            questions: asked.collect(),
            state: Vec::new(),
        }
    }

    fn number(&self, question: usize) -> Result<i64, Fault> {
        let ground = self
            .ground
            .ok_or_else(|| judging::none("the state belongs to another system"))?;
        let state = ground.system.decode(&self.state);
        self.questions[question].0.judged(&self.machine, &state)
    }
}

impl Asking for Asker<'_> {
    fn look_at(&mut self, state: &[u32]) {
        self.state.clear();
        self.state.extend_from_slice(state);
    }

    fn holds(&mut self, question: usize, _words: &[u32]) -> Result<bool, Fault> {
        if let (Some(worker), (_, Some(label))) = (&mut self.worker, self.questions[question]) {
            return match worker.label(&self.state, label) {
                Truth::True => Ok(true),
                Truth::False => Ok(false),
                Truth::Undefined(fault) | Truth::Unknown(fault) => Err(fault),
            };
        }
        Ok(self.number(question)? != 0)
    }

    fn holds_since(&mut self, question: usize, _before: &[u32]) -> Result<bool, Fault> {
        self.holds(question, &[])
    }

    fn word(&mut self, question: usize) -> Result<u32, Fault> {
        Ok(self.number(question)? as u32)
    }

    fn take_notes(&mut self) -> Notes {
        Notes::default()
    }

    fn heed(&mut self, _halt: Halt) {}
}
