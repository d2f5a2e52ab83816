//! Asks questions about many states: the compiled evaluator, or for other grounds the reference one.

use model_compile::Question;
use pins::{Fault, FaultKind, Halt, Notes};
use subject::{Asking, Ground, Judge, Moment, QuestionId, Subject, Value};

use crate::{REFERENCE_BUDGET, Sets, program};

/// Somebody who asks questions about states of a ground.
pub(crate) fn asking<'a>(
    sets: &'a Sets,
    ground: &'a dyn Ground,
    questions: &[QuestionId],
) -> Box<dyn Asking + 'a> {
    let asked = || questions.iter().map(|id| sets.asked(*id));
    match program(ground).filter(|program| program.is_whole()) {
        Some(program) => {
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
        None => {
            let judge = sets.judge(sets.wd, REFERENCE_BUDGET);
            let moment = judge.beginning();
            Box::new(Judged {
                sets,
                ground,
                questions: questions.to_vec(),
                judge,
                moment,
                words: Vec::new(),
            })
        }
    }
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

/// The reference evaluator; its words are the numbers of values that it met.
struct Judged<'a> {
    sets: &'a Sets,
    ground: &'a dyn Ground,
    questions: Vec<QuestionId>,
    judge: Box<dyn Judge + 'a>,
    moment: Moment,
    words: Vec<Value>,
}

impl Asking for Judged<'_> {
    fn look_at(&mut self, state: &[u32]) {
        self.moment = self.judge.at(&self.ground.values(state));
    }

    fn holds(&mut self, question: usize, words: &[u32]) -> Result<bool, Fault> {
        let values = words
            .iter()
            .map(|word| self.words.get(*word as usize).cloned());
        match values.collect::<Option<Vec<Value>>>() {
            Some(values) => self
                .judge
                .truth_of(self.questions[question], &values, &self.moment),
            None => Err(unknown("a value that this evaluator did not meet")),
        }
    }

    fn holds_since(&mut self, question: usize, before: &[u32]) -> Result<bool, Fault> {
        let question = self.questions[question];
        let values = self.ground.values(before);
        let wanted = self.sets.asked(question).before.iter();
        let values = wanted.map(|id| values[id.index()].clone());
        match values.collect::<Option<Vec<Value>>>() {
            Some(values) => self.judge.truth_of(question, &values, &self.moment),
            None => Err(unknown("an infinite set before the step")),
        }
    }

    fn word(&mut self, question: usize) -> Result<u32, Fault> {
        let value = self.judge.value(self.questions[question], &self.moment)?;
        let known = self.words.iter().position(|known| *known == value);
        let word = known.unwrap_or_else(|| {
            self.words.push(value);
            self.words.len() - 1
        });
        Ok(word as u32)
    }

    fn take_notes(&mut self) -> Notes {
        Notes::default()
    }

    fn heed(&mut self, _halt: Halt) {
        // The budget of the reference evaluator bounds each question.
    }
}

fn unknown(what: &str) -> Fault {
    Fault {
        kind: FaultKind::Budget,
        span: None,
        message: format!("it depends on {what}"),
    }
}
