//! Answers about many states of one system, as fast as the search makes them.

use pins::{Fault, Halt, Notes};
use subject::{Asking, Ground};

use crate::linear::{Compiled, Linear};
use crate::system::Net;

pub(crate) enum Ready {
    Predicate(Compiled),
    Expression(Linear),
}

/// Asks questions about many states; the word of a number is the number.
pub(crate) struct Quick {
    pub(crate) questions: Vec<Ready>,
    pub(crate) state: Vec<u32>,
}

impl Asking for Quick {
    fn look_at(&mut self, state: &[u32]) {
        self.state.clear();
        self.state.extend_from_slice(state);
    }

    fn holds(&mut self, question: usize, words: &[u32]) -> Result<bool, Fault> {
        match &self.questions[question] {
            Ready::Predicate(predicate) => Ok(predicate.holds(&self.state, words)),
            Ready::Expression(_) => unreachable!("an expression is asked for its word"),
        }
    }

    fn holds_since(&mut self, question: usize, _before: &[u32]) -> Result<bool, Fault> {
        self.holds(question, &[])
    }

    fn word(&mut self, question: usize) -> Result<u32, Fault> {
        match &self.questions[question] {
            Ready::Expression(sum) => Ok(sum.value(&self.state, &[]) as u32),
            Ready::Predicate(_) => unreachable!("a predicate is asked for its truth"),
        }
    }

    fn take_notes(&mut self) -> Notes {
        Notes::default()
    }

    fn heed(&mut self, _halt: Halt) {}
}

/// The ground that somebody hands back.
pub(crate) fn net(ground: &dyn Ground) -> &Net {
    let net = ground.as_any().downcast_ref();
    net.expect("a ground goes back to the subject that made it")
}
