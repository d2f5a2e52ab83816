//! Asks questions about many states, by the compiled evaluator.

use model_compile::Question;
use pins::{Fault, Halt, Notes};
use subject::{Asking, Ground, QuestionId};

use crate::{Sets, program};

/// Somebody who asks questions about states of a ground.
///
/// # Panics
/// If the ground is not the compiled model with one slot for each component: nobody asks questions of others.
pub(crate) fn asking<'a>(
    sets: &'a Sets,
    ground: &'a dyn Ground,
    questions: &[QuestionId],
) -> Box<dyn Asking + 'a> {
    let asked = || questions.iter().map(|id| sets.asked(*id));
    let program = program(ground).filter(|program| program.is_whole());
    let program = program.expect("questions are about states of the compiled model as a whole");
    let plain = asked().map(|asked| Question {
        expr: asked.expr,
        names: asked.names.clone(),
    });
    let plain: Vec<Question> = plain.collect();
    let compiled = program.system.questions(&sets.model, &plain);
    let before = asked().map(|asked| asked.before.iter().map(|id| id.index()).collect());
    Box::new(Compiled {
        asking: program.system.asking(program.questions.keep(compiled)),
        before: before.collect(),
    })
}

/// The compiled evaluator.
struct Compiled<'a> {
    asking: model_compile::Asking<'a>,
    /// For each question the slots whose values before a step it wants.
    before: Vec<Vec<usize>>,
}

impl Asking for Compiled<'_> {
    fn look_at(&mut self, state: &[u32]) {
        self.asking.look_at(state);
    }

    fn holds(&mut self, question: usize, words: &[u32]) -> Result<bool, Fault> {
        self.asking.holds(question, words)
    }

    fn holds_since(&mut self, question: usize, before: &[u32]) -> Result<bool, Fault> {
        let words = self.before[question].iter().map(|slot| before[*slot]);
        let words: Vec<u32> = words.collect();
        self.asking.holds(question, &words)
    }

    fn word(&mut self, question: usize) -> Result<u32, Fault> {
        self.asking.word(question)
    }

    fn take_notes(&mut self) -> Notes {
        self.asking.take_notes()
    }

    fn heed(&mut self, halt: Halt) {
        self.asking.heed(halt);
    }
}
