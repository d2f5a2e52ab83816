//! Expressions that a person typed, with the names and macros of the program.

use base::{Diagnostic, Diagnostics, Sources};
use lang_promela::check;
use lang_promela::codes::syntax::LTL_OUTSIDE;
use lang_promela::syntax::{Binary, Binding, ExprId, ExprKind, Formula, Program, Unary, Unit};
use pins::{Fault, Halt, Notes};
use program::{ClaimBody, FormulaKind as Form, State};
use program_interp::Machine;
use subject::{Asking, FormulaKind, Ground, Question, QuestionId, Wanted};

use super::Processes;
use super::ground::Compiled;
use super::judge;

/// A question.
pub(crate) struct Asked {
    pub(crate) expr: program::ExprId,
    pub(crate) text: String,
    pub(crate) kind: FormulaKind,
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
        expr,
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

/// Asks questions about many states, by decoding them.
pub(crate) struct Asker<'a> {
    machine: Machine<'a>,
    ground: Option<&'a Compiled>,
    questions: Vec<program::ExprId>,
    state: Option<State>,
}

impl<'a> Asker<'a> {
    pub(crate) fn new(
        processes: &'a Processes,
        ground: &'a dyn Ground,
        questions: &[QuestionId],
    ) -> Asker<'a> {
        Asker {
            machine: Machine::new(&processes.program),
            ground: ground.as_any().downcast_ref(),
            questions: questions
                .iter()
                .map(|id| processes.asked[id.index()].expr)
                .collect(),
            state: None,
        }
    }

    fn number(&self, question: usize) -> Result<i64, Fault> {
        let state = self
            .state
            .as_ref()
            .unwrap_or_else(|| unreachable!("a state is looked at before it is asked about"));
        match self.machine.value(state, self.questions[question]) {
            Ok(program::Value::Int(number)) => Ok(number),
            Ok(_) => Ok(0),
            Err(problem) => Err(judge::fault(&problem)),
        }
    }
}

impl Asking for Asker<'_> {
    fn look_at(&mut self, state: &[u32]) {
        self.state = self.ground.map(|ground| ground.system.decode(state));
    }

    fn holds(&mut self, question: usize, _words: &[u32]) -> Result<bool, Fault> {
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
