//! What a component of a state, or an argument of a step, holds.

use std::any::Any;
use std::cmp::Ordering;
use std::sync::Arc;

use program::{EdgeId, ProctypeId, State};
use subject::{Content, Tree, Value};

/// A number or a text; one component carries the whole state.
#[derive(Debug)]
pub(crate) struct Shown {
    text: String,
    number: Option<i64>,
    whole: Option<Arc<State>>,
    parts: Vec<PartOf>,
}

/// Who takes which edge, as a part of a step.
pub(crate) type PartOf = (usize, ProctypeId, EdgeId);

/// A number.
pub(crate) fn number(number: i64) -> Value {
    Value::new(Shown {
        text: number.to_string(),
        number: Some(number),
        whole: None,
        parts: Vec::new(),
    })
}

/// A text.
pub(crate) fn text(text: String) -> Value {
    Value::new(Shown {
        text,
        number: None,
        whole: None,
        parts: Vec::new(),
    })
}

/// A text that stands for a whole state.
pub(crate) fn whole(text: String, state: State) -> Value {
    Value::new(Shown {
        text,
        number: None,
        whole: Some(Arc::new(state)),
        parts: Vec::new(),
    })
}

/// A text that stands for the parts of a step.
pub(crate) fn statement(text: String, parts: &[PartOf]) -> Value {
    Value::new(Shown {
        text,
        number: None,
        whole: None,
        parts: parts.to_vec(),
    })
}

/// The parts of a step that some arguments carry.
pub(crate) fn parts_of(arguments: &[Option<Value>]) -> &[PartOf] {
    let shown = arguments
        .iter()
        .flatten()
        .filter_map(|value| value.content::<Shown>());
    let mut parts = shown.map(|shown| &shown.parts[..]);
    parts.find(|parts| !parts.is_empty()).unwrap_or_default()
}

/// The state that some components carry.
pub(crate) fn state_of(values: &[Option<Value>]) -> Option<&State> {
    let shown = values
        .iter()
        .flatten()
        .filter_map(|value| value.content::<Shown>());
    shown.filter_map(|shown| shown.whole.as_deref()).next()
}

/// A value from a file.
pub(crate) fn of_tree(tree: &Tree) -> Option<Value> {
    match tree {
        Tree::Int(digits) => digits.parse().ok().map(number),
        Tree::Bool(truth) => Some(number(i64::from(*truth))),
        Tree::Text(words) | Tree::Name(words) | Tree::Written(words) => {
            Some(words.parse().map_or_else(|_| text(words.clone()), number))
        }
        _ => None,
    }
}

impl Content for Shown {
    fn text(&self) -> String {
        self.text.clone()
    }

    fn tree(&self) -> Tree {
        match self.number {
            Some(number) => Tree::Int(number.to_string()),
            None => Tree::Written(self.text.clone()),
        }
    }

    fn order(&self, other: &dyn Content) -> Ordering {
        match other.as_any().downcast_ref::<Shown>() {
            Some(other) => (self.number, &self.text).cmp(&(other.number, &other.text)),
            None => self.text.cmp(&other.text()),
        }
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
