//! What a subject consists of: components of a state, events, labels, and remarks for the report.

use base::{Id, Name, Span};
use pins::{LabelId, LabelKind};

use crate::paragraph::Paragraph;

/// Names a component of a state.
pub type ComponentId = Id<Component>;
/// Names an event.
pub type EventId = Id<Event>;

/// A component of a state: a constant, a variable, a part of a process.
#[derive(Clone, Debug)]
pub struct Component {
    /// Its name.
    pub name: Name,
    /// Whether it never changes after the set-up.
    pub is_constant: bool,
    /// Where it is declared.
    pub span: Option<Span>,
}

/// A parameter or result of an event.
#[derive(Clone, Debug)]
pub struct Parameter {
    /// Its name.
    pub name: Name,
}

/// Something that can happen.
#[derive(Clone, Debug)]
pub struct Event {
    /// Its name.
    pub name: Name,
    /// Its parameters.
    pub parameters: Vec<Parameter>,
    /// Its results.
    pub results: Vec<Parameter>,
    /// Where it is declared.
    pub span: Option<Span>,
}

/// A predicate that is asked of states.
#[derive(Clone, Debug)]
pub struct Label {
    /// What it is about.
    pub kind: LabelKind,
    /// Its label in the text, if it has one.
    pub label: Option<Name>,
    /// Its text.
    pub text: String,
    /// Where it stands.
    pub span: Option<Span>,
    /// Whether it is about constants only, and asked once for each set-up.
    pub is_static: bool,
    /// The components it reads.
    pub reads: Vec<ComponentId>,
}

/// Longer names of predicates are cut.
const MAX_NAME: usize = 120;

impl Label {
    /// Its name in reports: the label, or the beginning of the text.
    pub fn name(&self) -> String {
        if let Some(label) = self.label {
            return label.to_string();
        }
        match self.text.char_indices().nth(MAX_NAME) {
            Some((end, _)) => format!("{}…", &self.text[..end]),
            None => self.text.clone(),
        }
    }
}

/// Something that holds a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Holder {
    /// A component of the state.
    Component(ComponentId),
    /// A parameter of an event, by its position.
    Parameter(EventId, usize),
    /// A result of an event, by its position.
    Result(EventId, usize),
}

/// What becomes of the temporal formulas of a text that nobody asked for.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum OwnFormulas {
    /// They are left to the user.
    #[default]
    Left,
    /// They are checked within bounds; one that is not decided is told as not checked.
    Tried,
    /// They are part of what the text claims: one that is not decided leaves the verdict open.
    Claimed,
}

/// What a subject consists of.
#[derive(Clone, Debug, Default)]
pub struct Description {
    /// The name of the model.
    pub name: String,
    /// The components of a state, constants first.
    pub components: Vec<Component>,
    /// The events.
    pub events: Vec<Event>,
    /// What steps check themselves, besides labels: their assertions, the order of their messages.
    pub watched: Vec<&'static str>,
    /// The labels: invariant conjuncts, then assertions; their numbers are those of every ground as a whole. A goal
    /// comes after them.
    pub labels: Vec<Label>,
    /// Whether there is a set-up step.
    pub has_setup: bool,
    /// Whether a state all of whose events lead back to it is a deadlock, unless the user says otherwise.
    pub stutters: bool,
    /// Whether the temporal formulas of the text are checked where nobody asks for them.
    pub own_formulas: OwnFormulas,
    /// Whether a run that checks temporal formulas checks nothing else, unless the user says otherwise.
    pub formulas_alone: bool,
    /// The names of what gives the variables their first values, where the language has such.
    pub beginnings: Vec<Name>,
    /// How steps are merged, where the language has that.
    pub merging: Option<&'static str>,
    /// What was chosen for each set and preference.
    pub scopes: Vec<String>,
    /// Components that are shown part by part ([`crate::Subject::actors_at`]) rather than as a whole.
    pub told_apart: Vec<ComponentId>,
    /// Remarks for the report.
    pub warnings: Vec<String>,
    /// What the model asks for and a check of its labels does not cover.
    pub not_checked: Vec<String>,
    /// The definition that is the goal of the model; nobody looks for it unasked.
    pub goal: Option<Name>,
    /// The paragraphs of the text, where the language has such.
    pub paragraphs: Vec<Paragraph>,
    /// The paragraph whose components the variables are.
    pub state: Option<Name>,
    /// The sets whose sizes `--card` may give.
    pub sets: Vec<(Name, Vec<Name>)>,
}

impl Description {
    /// A component.
    pub fn component(&self, id: ComponentId) -> &Component {
        &self.components[id.index()]
    }

    /// An event.
    pub fn event(&self, id: EventId) -> &Event {
        &self.events[id.index()]
    }

    /// A label; `None` for the goal.
    pub fn label(&self, id: LabelId) -> Option<&Label> {
        self.labels.get(id.index())
    }

    /// The event of this name.
    pub fn event_named(&self, name: &str) -> Option<EventId> {
        let at = self.events.iter().position(|e| e.name.as_str() == name)?;
        Some(EventId::new(at))
    }

    /// The component of this name.
    pub fn component_named(&self, name: &str) -> Option<ComponentId> {
        let mut components = self.components.iter();
        let at = components.position(|known| known.name.as_str() == name)?;
        Some(ComponentId::new(at))
    }

    /// The names of the constants, or of what is none.
    pub fn component_names(&self, is_constant: bool) -> impl Iterator<Item = &'static str> {
        let components = self.components.iter();
        let components = components.filter(move |known| known.is_constant == is_constant);
        components.map(|known| known.name.as_str())
    }

    /// The components with their ids.
    pub fn component_ids(&self) -> impl Iterator<Item = (ComponentId, &Component)> {
        let components = self.components.iter().enumerate();
        components.map(|(at, known)| (ComponentId::new(at), known))
    }

    /// The events by their ids.
    pub fn event_ids(&self) -> impl Iterator<Item = EventId> + use<> {
        (0..self.events.len()).map(EventId::new)
    }
}
