//! Questions that a person typed: parsed as themselves, in a scope of typed names, answered by either evaluator.

use base::{Id, Span};
use pins::{Fault, Halt, Notes};

use crate::describe::Holder;
use crate::value::Value;

/// Names a question of a subject.
pub type QuestionId = Id<QuestionMark>;

/// The type behind [`QuestionId`].
#[derive(Debug)]
pub enum QuestionMark {}

/// What a text must be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wanted {
    /// A predicate.
    Predicate,
    /// An expression.
    Expression,
    /// Either.
    Formula,
    /// An expression of what this holds; the question is whether its first name, which the caller gives a value, equals
    /// it.
    Equal(Holder),
    /// A predicate of the state after a step, which marks values before it (`x$0`); its first names are those.
    BeforeAfter,
}

/// How the value of an expression changes in a step.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    /// Not at all.
    Unchanged,
    /// Somehow.
    Changed,
    /// To a larger number.
    Increasing,
    /// To a smaller number.
    Decreasing,
}

/// A name that a text may use besides those of the model.
#[derive(Clone, Debug)]
pub struct ScopeName {
    /// The name.
    pub name: String,
    /// What gives it its type.
    pub typing: Typing,
}

/// What gives a name its type.
#[derive(Clone, Debug)]
pub enum Typing {
    /// It holds what this holds.
    Like(Holder),
    /// A predicate about it, with its place.
    By(String, Span),
    /// The text that uses it.
    Inferred,
}

/// A text and how it is to be read.
#[derive(Clone, Debug)]
pub struct Question<'a> {
    /// The text.
    pub text: &'a str,
    /// Where it stands; `None` for a text of its own, such as one from the command line.
    pub span: Option<Span>,
    /// What it must be.
    pub wanted: Wanted,
    /// The names that it may use besides those of the model, outermost first.
    pub scope: &'a [ScopeName],
}

/// What is known of a formula in a state.
#[derive(Clone, Debug)]
pub enum Knowledge {
    /// Its truth.
    Truth(bool),
    /// Its value.
    Value(Value),
    /// It depends on what was not looked at: what was cut.
    Unknown(String),
    /// It has no value: why.
    Undefined(Fault),
}

/// Asks questions about states of one ground, by the fast evaluator; one for each thread.
pub trait Asking: Send {
    /// Makes a state the one that is asked about.
    fn look_at(&mut self, state: &[u32]);

    /// The truth of a predicate, by its position, with a word for each of its names.
    fn holds(&mut self, question: usize, words: &[u32]) -> Result<bool, Fault>;

    /// The truth of a question asked with [`Wanted::BeforeAfter`]: the state that is looked at is the one after a step from
    /// this one.
    fn holds_since(&mut self, question: usize, before: &[u32]) -> Result<bool, Fault>;

    /// The word of an expression: equal values are equal words.
    fn word(&mut self, question: usize) -> Result<u32, Fault>;

    /// What happened so far that the report must tell; reset by the call.
    fn take_notes(&mut self) -> Notes;

    /// From now on, looks at `halt` in the midst of long evaluations.
    fn heed(&mut self, halt: Halt);
}
