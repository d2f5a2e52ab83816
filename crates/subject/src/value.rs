//! Values as those above the engines see them: made by the subject, opaque to everybody else.

use std::any::Any;
use std::cmp::Ordering;
use std::fmt::{self, Debug};
use std::sync::Arc;

/// What is inside a value; each language has its own.
pub trait Content: Any + Debug + Send + Sync {
    /// The value in the canonical notation, which can be read back.
    fn text(&self) -> String;

    /// The value in the notation of the language.
    fn told(&self) -> String {
        self.text()
    }

    /// The value as data, for files and pages.
    fn tree(&self) -> Tree;

    /// Its parts with what is written behind a name to mean them (`[2]`, `.owner`); none where it is shown as a whole.
    fn parts(&self) -> Vec<(String, Value)> {
        Vec::new()
    }

    /// How it compares with another value of the same subject; equal values are equal.
    fn order(&self, other: &dyn Content) -> Ordering;

    /// Itself, for its subject.
    fn as_any(&self) -> &dyn Any;
}

/// A value that a subject made.
#[derive(Clone)]
pub struct Value(Arc<dyn Content>);

impl Value {
    /// A value with this content.
    pub fn new(content: impl Content) -> Value {
        Value(Arc::new(content))
    }

    /// The content, for the subject that made it; `None` for a value of somebody else.
    pub fn content<T: Content>(&self) -> Option<&T> {
        self.0.as_any().downcast_ref()
    }

    /// The value in the canonical notation.
    pub fn text(&self) -> String {
        self.0.text()
    }

    /// The value in the notation of the language.
    pub fn told(&self) -> String {
        self.0.told()
    }

    /// The value as data.
    pub fn tree(&self) -> Tree {
        self.0.tree()
    }

    /// Its parts with what is written behind a name to mean them; none where it is shown as a whole.
    pub fn parts(&self) -> Vec<(String, Value)> {
        self.0.parts()
    }
}

impl Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text())
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Value) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Value {}

impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Value) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Value {
    fn cmp(&self, other: &Value) -> Ordering {
        self.0.order(&*other.0)
    }
}

/// A value as data that every language understands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Tree {
    /// A truth value.
    Bool(bool),
    /// An integer of any size, in decimal digits.
    Int(String),
    /// A text.
    Text(String),
    /// A name: an element of a set, a constant of an enumeration.
    Name(String),
    /// A pair.
    Pair(Box<(Tree, Tree)>),
    /// A set.
    Set(Vec<Tree>),
    /// A list: an array, the contents of a channel.
    List(Vec<Tree>),
    /// Named fields.
    Record(Vec<(String, Tree)>),
    /// A value of a free type: constructor and argument.
    Tagged(String, Option<Box<Tree>>),
    /// Written in the notation of the language, where no other form fits.
    Written(String),
}

/// A type as data, for files of other tools.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum TypeTree {
    /// Truth values.
    Bool,
    /// Integers.
    Int,
    /// Real numbers.
    Real,
    /// Texts.
    Text,
    /// The elements of a set of this name.
    Named(String),
    /// The values of a free type of this name.
    Free(String),
    /// Pairs.
    Pair(Box<(TypeTree, TypeTree)>),
    /// Sets.
    Set(Box<TypeTree>),
    /// Lists: arrays, contents of channels.
    List(Box<TypeTree>),
    /// Records.
    Record(Vec<(String, TypeTree)>),
    /// Written in the notation of the language, where no other form fits.
    Written(String),
}
