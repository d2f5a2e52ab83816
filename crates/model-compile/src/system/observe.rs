//! Answers questions about states that are no part of the system: the atoms of temporal formulas.
//!
//! A question is a predicate or an expression over the state and over names whose values the caller gives as words: the
//! arguments of a transition, values before it.
//! Invariant: the words are those of the system's slots and labels, so that equal values are equal words.

use model::{ExprId, LocalId, Model, TyId};
use pins::{Fault, Halt, Notes};

use super::{Compiled, build};
use crate::Options;
use crate::code::Compiler;
use crate::cx::{Cx, F, Program};
use crate::value::V;

/// Something to ask of a state.
#[derive(Clone, Debug)]
pub struct Question {
    /// A predicate or an expression.
    pub expr: ExprId,
    /// Names in it that the caller gives values to.
    pub names: Vec<LocalId>,
}

/// Compiled questions.
pub struct Questions {
    program: Program,
    codes: Vec<(Code, Vec<(LocalId, TyId)>)>,
}

enum Code {
    Truth(F<bool>),
    Value(F<V>, TyId),
}

/// Asks questions; one for each thread.
pub struct Asking<'a> {
    questions: &'a Questions,
    cx: Cx<'a>,
}

impl Compiled {
    /// Compiles questions. `model` is the compiled one, possibly with formulas added since.
    pub fn questions(&self, model: &Model, questions: &[Question]) -> Questions {
        let options = Options {
            max_set: self.program.max_set,
            max_turns: self.program.max_turns,
            solver: self.program.solver,
            ..Options::default()
        };
        let program = build::program(model, &options);
        let compiler = Compiler::new(model, &program);
        let codes = questions
            .iter()
            .map(|question| {
                let code = match model.exprs[question.expr].ty {
                    None => Code::Truth(compiler.predicate(question.expr)),
                    Some(ty) => Code::Value(compiler.value(question.expr), ty),
                };
                let names = question.names.iter();
                let names = names.map(|name| (*name, model.locals[*name].ty));
                (code, names.collect())
            })
            .collect();
        drop(compiler);
        Questions { program, codes }
    }

    /// Somebody who asks.
    pub fn asking<'a>(&'a self, questions: &'a Questions) -> Asking<'a> {
        Asking {
            questions,
            cx: Cx::new(&questions.program, &self.table),
        }
    }
}

impl Asking<'_> {
    /// Makes a state the one that is asked about.
    pub fn look_at(&mut self, state: &[u32]) {
        self.cx.load_state(state);
    }

    /// The truth of a predicate in the state that is looked at, with a word for each of its names.
    ///
    /// # Errors
    /// The fault that leaves it without a truth value; a question for an expression is one.
    pub fn holds(&mut self, question: usize, words: &[u32]) -> Result<bool, Fault> {
        let (code, names) = &self.questions.codes[question];
        for ((name, ty), word) in names.iter().zip(words) {
            let value = self.cx.load(*ty, *word);
            self.cx.frame[name.index()] = value;
        }
        let answer = match code {
            Code::Truth(code) => code(&mut self.cx),
            Code::Value(code, _) => code(&mut self.cx).map(|_| false),
        };
        let answer = self.cx.go_on().and(answer);
        answer.map_err(|trap| self.cx.fault(trap))
    }

    /// The word of an expression in the state that is looked at.
    ///
    /// # Errors
    /// The fault that leaves it without a value.
    pub fn word(&mut self, question: usize) -> Result<u32, Fault> {
        let (code, _) = &self.questions.codes[question];
        let answer = match code {
            Code::Truth(code) => code(&mut self.cx).map(u32::from),
            Code::Value(code, ty) => {
                let value = code(&mut self.cx).and_then(|value| self.cx.canonical(value));
                value.map(|value| self.cx.store(*ty, value))
            }
        };
        let answer = self.cx.go_on().and(answer);
        answer.map_err(|trap| self.cx.fault(trap))
    }

    /// What happened so far that the report must tell; reset by the call.
    pub fn take_notes(&mut self) -> Notes {
        self.cx.take_notes()
    }

    /// From now on, looks at `halt` in the midst of long evaluations.
    pub fn heed(&mut self, halt: Halt) {
        self.cx.halt = halt;
    }
}
