//! Expressions that a person typed, over the variables, constants and functions of the program.

use base::{Diagnostic, Diagnostics, Sources};
use lang_murphi::check::{self, Form};
use lang_murphi::{parse, syntax};
use pins::{Fault, Halt, Notes};
use program::{ExprId, State};
use program_interp::Machine;
use subject::codes::NOT_EXECUTABLE;
use subject::{Asking, CheckedFormula, FormulaKind, Ground, Question, QuestionId, Wanted};

use super::RuleSet;
use super::ground::Compiled;
use super::language::Loaded;
use crate::judging;

/// A question.
pub(crate) struct Asked {
    /// As it was written.
    pub(crate) text: String,
    /// As it was read.
    pub(crate) read: syntax::ExprId,
    /// As it is evaluated.
    pub(crate) expr: ExprId,
    pub(crate) kind: FormulaKind,
}

/// Reads and checks an expression in the context of a program.
pub(crate) fn check(
    loaded: &mut Loaded,
    text: &str,
    sources: &mut Sources,
) -> (CheckedFormula, syntax::ExprId) {
    let file = sources.add("<formula>", text.to_owned());
    let (expr, mut diagnostics) = parse::expression(file, text, &mut loaded.tree);
    let mut formula = CheckedFormula {
        diagnostics: Diagnostics::new(),
        kind: None,
        type_text: None,
    };
    let checked = std::mem::take(&mut loaded.checked);
    let (checked, found) = check::expression(text, &loaded.tree, checked, expr);
    loaded.checked = checked;
    if !diagnostics.has_errors() {
        diagnostics.extend(found);
    }
    if !diagnostics.has_errors() {
        let is_truth = *loaded.checked.form_of(expr) == Form::Boolean;
        formula.kind = Some(if is_truth {
            FormulaKind::Predicate
        } else {
            FormulaKind::Expression
        });
        formula.type_text = (!is_truth).then(|| "value".to_owned());
    }
    formula.diagnostics = diagnostics;
    (formula, expr)
}

/// Asks a question.
pub(crate) fn ask(
    subject: &mut RuleSet,
    question: &Question<'_>,
    sources: &mut Sources,
) -> Result<QuestionId, Diagnostics> {
    let refuse = |message: &str| {
        let mut diagnostics = Diagnostics::new();
        diagnostics.push(Diagnostic::global(&NOT_EXECUTABLE, message));
        diagnostics
    };
    if matches!(question.wanted, Wanted::Equal(_) | Wanted::BeforeAfter)
        || !question.scope.is_empty()
    {
        return Err(refuse(
            "questions about rules are about one state and have no names of their own",
        ));
    }
    let (formula, read) = check(&mut subject.loaded, question.text, sources);
    let Some(kind) = formula.kind else {
        return Err(formula.diagnostics);
    };
    if question.wanted == Wanted::Predicate && kind != FormulaKind::Predicate {
        return Err(refuse(&format!("\"{}\" is no condition", question.text)));
    }
    subject.asked.push(Asked {
        text: question.text.to_owned(),
        read,
        expr: ExprId::new(0),
        kind,
    });
    subject.refresh();
    Ok(QuestionId::new(subject.asked.len() - 1))
}

/// Answers with the reference evaluator about states of a ground.
pub(crate) struct Asker<'a> {
    subject: &'a RuleSet,
    ground: &'a dyn Ground,
    machine: Machine<'a>,
    questions: Vec<QuestionId>,
    state: Option<State>,
    words: Vec<program::Value>,
}

impl<'a> Asker<'a> {
    pub(crate) fn new(
        subject: &'a RuleSet,
        ground: &'a dyn Ground,
        questions: &[QuestionId],
    ) -> Asker<'a> {
        Asker {
            subject,
            ground,
            machine: Machine::new(&subject.program),
            questions: questions.to_vec(),
            state: None,
            words: Vec::new(),
        }
    }

    fn ask(&self, question: usize) -> Result<program::Value, Fault> {
        let asked = &self.subject.asked[self.questions[question].index()];
        let nowhere = Fault {
            kind: pins::FaultKind::Unsupported,
            span: None,
            message: "no state is looked at".to_owned(),
        };
        let state = self.state.as_ref().ok_or(nowhere)?;
        self.machine
            .value(state, asked.expr)
            .map_err(|fault| judging::fault(&fault))
    }
}

impl Asking for Asker<'_> {
    fn look_at(&mut self, state: &[u32]) {
        let compiled = self.ground.as_any().downcast_ref::<Compiled>();
        self.state = compiled.map(|compiled| compiled.rules.decode(state));
    }

    fn holds(&mut self, question: usize, _words: &[u32]) -> Result<bool, Fault> {
        Ok(self.ask(question)? == program::Value::Int(1))
    }

    fn holds_since(&mut self, question: usize, _before: &[u32]) -> Result<bool, Fault> {
        self.holds(question, &[])
    }

    fn word(&mut self, question: usize) -> Result<u32, Fault> {
        let value = self.ask(question)?;
        let known = self.words.iter().position(|known| *known == value);
        Ok(known.unwrap_or_else(|| {
            self.words.push(value);
            self.words.len() - 1
        }) as u32)
    }

    fn take_notes(&mut self) -> Notes {
        Notes::default()
    }

    fn heed(&mut self, _halt: Halt) {}
}
