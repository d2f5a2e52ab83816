//! The upper waist: what anything above the engines may ask of an opened model, whatever its language.
//!
//! A [`Language`] reads a text; what it read is a [`Text`], which can be opened as a [`Subject`]. The subject describes
//! itself ([`Description`]), gives systems for engines to explore ([`Ground`]), answers questions that a person typed
//! ([`question`]), and judges paths with an evaluator that shares no code with the one that searched ([`Judge`]). What a
//! language may lack is a method with a default answer: whoever needs it says so.
//! Invariant: nothing above this crate knows a language, a type of a language or how its values are made.
//! Invariant: a value is made by the subject and only handed back to it; others show it, compare it, keep it.

mod claim;
pub mod codes;
pub mod constraints;
mod describe;
pub mod display;
pub mod editor;
pub mod evidence;
mod forbidden;
mod ground;
mod judge;
mod language;
pub mod observe;
pub mod paragraph;
pub mod question;
pub mod setting;
pub mod solving;
pub mod symmetry;
mod trace;
mod value;
mod words;

use std::sync::Arc;

use base::{Diagnostics, Name, Sources};

pub use claim::{Claim, Predicate};
pub use describe::{
    Component, ComponentId, Description, Event, EventId, Holder, Label, OwnFormulas, Parameter,
};
pub use forbidden::{Forbidden, Forbids, Then, Walked};
pub use ground::{Form, Ground, Influence, Kept, Parts, Refutation};
pub use judge::{Judge, Moment, Possible};
pub use language::{
    CheckedFormula, FormulaKind, Hierarchy, Known, Language, Languages, LinkKind, Read, Recognised,
    Style, TemporalDefinition, Text, first_word,
};
pub use pins::{InfluenceQuestion, Profile, ProfileStep};
pub use question::{Asking, Change, Knowledge, Question, QuestionId, ScopeName, Typing, Wanted};
pub use setting::{Evaluator, Scopes, Setting, Solver, Wd};
pub use trace::{Happening, Step, Trace};
pub use value::{Content, Tree, TypeTree, Value};
pub use words::Words;

/// A model that was opened: everything that commands ask of it.
pub trait Subject: Send + Sync {
    /// What it consists of.
    fn description(&self) -> &Description;

    /// What its language calls things.
    fn words(&self) -> Words {
        Words::default()
    }

    /// A system in the wanted form, with what its numbers mean; `None` when there is nothing to gain from the form
    /// (nothing can be taken apart).
    fn ground(&self, form: &Form<'_>) -> Result<Option<Arc<dyn Ground>>, Diagnostics>;

    /// Whether a run met more than its ground has room for: its answers are not whole, and grounds that are made after this
    /// call have more.
    fn make_room(&self) -> bool {
        false
    }

    /// What a run met and its ground had no room for, as bytes that other processes with the same model understand; empty
    /// when there was enough.
    fn lacks(&self) -> Vec<u8> {
        Vec::new()
    }

    /// Takes what another process lacks for what this one lacks too; an error says that it is nothing of this model's.
    fn also_lacks(&self, lacks: &[u8]) -> Result<(), String> {
        match lacks.is_empty() {
            true => Ok(()),
            false => Err("the model never needs more room".to_owned()),
        }
    }

    /// A judge: the reference evaluator. Its work is counted and ends at `budget` for each question.
    fn judge(&self, wd: Wd, budget: u64) -> Box<dyn Judge + '_>;

    /// What gave the variables their first values in this state, with its parameters, where the language names it.
    fn beginning(&self, _after: &[Option<Value>]) -> Option<(Name, Vec<(Name, Value)>)> {
        None
    }

    /// How a value is written for people, in the notation of the language; `None` stands for a component without a plain
    /// value.
    fn tell(&self, value: Option<&Value>) -> String {
        value.map_or_else(|| self.absent().to_owned(), Value::told)
    }

    /// What stands for a component that has no plain value.
    fn absent(&self) -> &'static str {
        "/* no value */"
    }

    /// A value in the notation that [`Content::text`] writes ([`Tree::Written`]), or as a tree of a file, whose texts may
    /// stand for names too.
    fn read_value(&self, holder: Holder, tree: &Tree) -> Option<Value>;

    /// How the type of a component, parameter or result is written.
    fn type_text(&self, holder: Holder) -> String;

    /// The same as data.
    fn type_tree(&self, holder: Holder) -> TypeTree {
        TypeTree::Written(self.type_text(holder))
    }

    /// Asks something; the answer is given by a judge, by [`Subject::value_at`] or by an [`Asking`].
    fn ask(
        &mut self,
        question: &Question<'_>,
        sources: &mut Sources,
    ) -> Result<QuestionId, Diagnostics>;

    /// A question in the notation of the model.
    fn wording(&self, question: QuestionId) -> String;

    /// Whether a question is a set by its rule (`{x|x>5}`): when its elements cannot be listed, its wording shows it.
    fn is_rule(&self, _question: QuestionId) -> bool {
        false
    }

    /// What a question is.
    fn kind(&self, question: QuestionId) -> FormulaKind;

    /// A question over a value before a step and the state after it: how the value of an expression changed.
    /// An error says what it lacks: `needs a number`.
    fn change(&mut self, expression: QuestionId, change: Change) -> Result<QuestionId, String> {
        let _ = (expression, change);
        Err("has no meaning in this language".to_owned())
    }

    /// The components whose values before a step a question asked with [`Wanted::BeforeAfter`] wants, in the order of its
    /// names.
    fn before(&self, question: QuestionId) -> Vec<ComponentId> {
        let _ = question;
        Vec::new()
    }

    /// The question with values for as many of its names, from this position on; `None` when a value cannot be put into it.
    fn bind(&mut self, question: QuestionId, from: usize, values: &[Value]) -> Option<QuestionId> {
        let _ = (question, from, values);
        None
    }

    /// The values of the only name of a predicate that could satisfy it in some state; an error says why they are not
    /// known.
    fn range(&mut self, predicate: QuestionId) -> Result<Vec<Value>, String> {
        let _ = predicate;
        Err("formulas of this language have no names of their own".to_owned())
    }

    /// The components that a question may read.
    fn reads(&self, question: QuestionId) -> Vec<ComponentId> {
        let _ = question;
        let ids = self.description().component_ids();
        ids.map(|(id, _)| id).collect()
    }

    /// The value of an expression or the truth of a predicate in a state of a ground, by the fast evaluator; unknown once
    /// `halt` is set.
    fn value_at(
        &self,
        question: QuestionId,
        ground: &dyn Ground,
        state: &[u32],
        halt: &pins::Halt,
    ) -> Knowledge;

    /// Somebody who asks questions about many states of a ground, by the fast evaluator.
    fn asking<'a>(
        &'a self,
        ground: &'a dyn Ground,
        questions: &[QuestionId],
    ) -> Box<dyn Asking + 'a>;

    /// What is known of interchangeable elements; these questions may tell some apart.
    fn symmetry(&self, questions: &[QuestionId]) -> symmetry::Symmetry;

    /// What is known of elements that only some events tell apart; `None` where the language cannot say.
    fn partial_symmetry(&self, _questions: &[QuestionId]) -> Option<symmetry::Partial> {
        None
    }

    /// Answers about the influence of events on each other beyond what reads and writes say.
    fn influence<'a>(&'a self, _ground: &'a dyn Ground) -> Option<Box<dyn Influence + 'a>> {
        None
    }

    /// Fewer set-ups that stand for all of them; `None` where the language has no such rules.
    fn statics(&self, _symmetry: &symmetry::Symmetry) -> Option<symmetry::Statics> {
        None
    }

    /// Solutions of predicates, where the language has them.
    fn solving(&mut self) -> Option<&mut dyn solving::Solving> {
        None
    }

    /// Answers about all states that satisfy the invariant, where the language has them.
    fn constraining(
        &self,
        _solver: Solver,
        _halt: pins::Halt,
    ) -> Option<Box<dyn constraints::Constraining + '_>> {
        None
    }

    /// What the reference evaluator sees of guards and branches, where the language has them.
    fn observer(&mut self, _wd: Wd, _budget: u64) -> Option<Box<dyn observe::Observer + '_>> {
        None
    }

    /// Certificates, where the language has them.
    fn certifying(&self) -> Option<&dyn evidence::Certifying> {
        None
    }

    /// The names of the claims that the text carries: automata that tell what no run may do.
    fn claims(&self) -> Vec<String> {
        Vec::new()
    }

    /// What no run may do; `None` where the language has no such notion.
    fn forbidden(&mut self, _forbids: Forbids) -> Option<Result<Forbidden, Diagnostics>> {
        None
    }

    /// Who takes part in a step, by the numbers that [`Ground::actors`] counts.
    fn actors(&self, _step: &Step) -> Vec<usize> {
        Vec::new()
    }

    /// The names and values of a state, where its components are not what people want to see.
    fn tell_state(&self, _values: &[Option<Value>]) -> Option<Vec<(String, String)>> {
        None
    }

    /// What happens in a step, one thing after the other; none where a step is one thing.
    fn parts(&self, _before: &[Option<Value>], _step: &Step) -> Vec<display::Part> {
        Vec::new()
    }

    /// Those who move by themselves in a state.
    fn actors_at(&self, _values: &[Option<Value>]) -> Vec<display::Actor> {
        Vec::new()
    }

    /// Who sends what to whom along a path.
    fn chart(&self, _trace: &Trace) -> Option<display::Chart> {
        None
    }

    /// A path in the lines that users of the language know.
    fn listing(&self, _trace: &Trace, _wanted: display::Listing) -> Option<String> {
        None
    }

    /// The graphs of the parts of the text.
    fn automata(&self) -> Vec<display::Automaton> {
        Vec::new()
    }

    /// The text that was opened.
    fn source(&mut self) -> &mut dyn Text;

    /// Why there is no set-up, line by line, when a reason was found.
    fn contradiction(&self, _ground: &dyn Ground, _sources: &Sources) -> Option<Vec<String>> {
        None
    }

    /// The model in a text form of its own, which says all that a run depends on.
    fn model_text(&self) -> String;
}
