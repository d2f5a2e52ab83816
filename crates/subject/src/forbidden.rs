//! What no run of a model may do: automata over questions, for claims that stand in a text and for marks on its places.

use base::Span;
use buchi::Automaton;

use crate::judge::Moment;
use crate::question::QuestionId;

/// Which runs are forbidden.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Forbids {
    /// Those that a claim of the text accepts, by its position in [`crate::Subject::claims`].
    Claim(usize),
    /// Those that pass accepting places for ever.
    Acceptance,
    /// Those that from some point on pass no place that is marked as progress.
    NonProgress,
}

/// What no run may do.
#[derive(Clone, Debug)]
pub struct Forbidden {
    /// Its name in the text.
    pub name: Option<String>,
    /// What it is, for people.
    pub text: String,
    /// Where it stands.
    pub span: Option<Span>,
    /// Accepts what must not happen. Its atoms are positions of `questions`.
    pub automaton: Automaton,
    /// What its atoms ask.
    pub questions: Vec<QuestionId>,
}

/// A path that a judge is asked about.
#[derive(Clone, Copy, Debug)]
pub struct Walked<'a> {
    /// Its states.
    pub states: &'a [Moment],
    /// How it goes on after the last of them.
    pub then: Then,
}

/// How a path goes on after its last state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Then {
    /// At the state with this position.
    Again(usize),
    /// Not at all.
    Ends,
    /// However it likes.
    Anyhow,
}
