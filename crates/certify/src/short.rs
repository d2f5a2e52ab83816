//! Asks an evaluator once for each short vector: the values of what an action or a label mentions.
//!
//! Technique: the answer of a formula depends on the components that it mentions (Trusted, as a part of what evaluating means).
//! So states that agree on these have the same steps of an action, but for the components that it does not mention, which
//! stay as they are.
//! Invariant: that a step leaves alone what its action does not mention is checked whenever somebody is asked.

use std::collections::HashMap;
use std::sync::Arc;

use crate::{Definedness, Evaluator, Part, Rejected, Semantics, Told};

/// So many short vectors of an action or a label are remembered; what there is more is asked again.
const MOST_KNOWN: usize = 1 << 18;

/// What steps make of the components that their action mentions, and what formulas ask of them.
type Targets<V> = Arc<[(Box<[V]>, Told)]>;

/// Somebody who is asked about short vectors.
pub struct Short<'s, S: Semantics> {
    evaluator: Box<dyn Evaluator<S::Value> + 's>,
    actions: Vec<Known<Targets<S::Value>>>,
    labels: HashMap<u32, Known<bool>>,
    semantics: &'s S,
}

/// What is known of an action or a label.
struct Known<T> {
    /// The components that it mentions.
    mentions: Vec<usize>,
    answers: HashMap<Box<[u32]>, T>,
}

impl<T: Clone> Known<T> {
    fn new(semantics: &impl Semantics, part: Part) -> Known<T> {
        Known {
            mentions: semantics.mentions(part),
            answers: HashMap::new(),
        }
    }

    /// What is known of the short vector of a state, or what the answer is.
    fn get(
        &mut self,
        numbers: &[u32],
        ask: impl FnOnce(&[usize]) -> Result<T, Rejected>,
    ) -> Result<T, Rejected> {
        let key: Box<[u32]> = self.mentions.iter().map(|at| numbers[*at]).collect();
        if let Some(known) = self.answers.get(&key) {
            return Ok(known.clone());
        }
        let answer = ask(&self.mentions)?;
        if self.answers.len() < MOST_KNOWN && key.len() < numbers.len() {
            self.answers.insert(key, answer.clone());
        }
        Ok(answer)
    }
}

impl<'s, S: Semantics> Short<'s, S> {
    /// Somebody who knows nothing yet.
    pub fn new(semantics: &'s S, wd: Definedness) -> Short<'s, S> {
        let actions = 0..semantics.actions();
        Short {
            evaluator: semantics.evaluator(wd),
            actions: actions
                .map(|action| Known::new(semantics, Part::Action(action)))
                .collect(),
            labels: HashMap::new(),
            semantics,
        }
    }

    /// The components that an action mentions.
    pub fn mentions(&self, action: usize) -> &[usize] {
        &self.actions[action].mentions
    }

    /// What steps of an action make of the components that it mentions; `numbers` are those of the values of the state.
    pub fn steps(
        &mut self,
        action: usize,
        numbers: &[u32],
        state: &[S::Value],
    ) -> Result<Targets<S::Value>, Rejected> {
        let evaluator = &mut *self.evaluator;
        self.actions[action].get(numbers, |mentions| {
            asked(evaluator, action, mentions, state)
        })
    }

    /// Asks again, whatever is known.
    pub fn steps_again(
        &mut self,
        action: usize,
        state: &[S::Value],
    ) -> Result<Targets<S::Value>, Rejected> {
        let mentions = &self.actions[action].mentions;
        asked(&mut *self.evaluator, action, mentions, state)
    }

    /// Whether a label holds.
    pub fn holds(
        &mut self,
        label: u32,
        numbers: &[u32],
        state: &[S::Value],
    ) -> Result<bool, Rejected> {
        let known = self.labels.entry(label);
        let known = known.or_insert_with(|| Known::new(self.semantics, Part::Label(label)));
        known.get(numbers, |_| self.evaluator.holds(label, state))
    }
}

/// The steps of an action as the evaluator tells them.
fn asked<V: Clone + Ord>(
    evaluator: &mut dyn Evaluator<V>,
    action: usize,
    mentions: &[usize],
    state: &[V],
) -> Result<Targets<V>, Rejected> {
    let mut targets = Vec::new();
    evaluator.steps(action, state, &mut |target, told| {
        let is_as_it_was = |at: usize| target[at] == state[at] || mentions.contains(&at);
        if target.len() != state.len() || !(0..state.len()).all(is_as_it_was) {
            let why = "a step changes what its action does not mention";
            return Err(Rejected::NoAnswer(why.to_owned(), None));
        }
        let values = mentions.iter().map(|at| target[*at].clone());
        targets.push((values.collect(), told));
        Ok(())
    })?;
    Ok(targets.into())
}
