//! Values: a number, or one for each worker.

use std::any::Any;
use std::cmp::Ordering;

use subject::{Content, Tree, Value};

/// A value of the language.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Amount {
    /// A number.
    Number(i64),
    /// A number for each worker.
    Each(Vec<i64>),
}

impl Amount {
    /// What is inside a value of this language.
    pub(crate) fn of(value: &Value) -> &Amount {
        value
            .content()
            .expect("a value goes back to the subject that made it")
    }

    /// The numbers in it.
    pub(crate) fn numbers(&self) -> Vec<i64> {
        match self {
            Amount::Number(number) => vec![*number],
            Amount::Each(numbers) => numbers.clone(),
        }
    }

    /// Reads what was written, or the tree of a file.
    pub(crate) fn read(tree: &Tree) -> Option<Amount> {
        let number = |text: &str| text.trim().parse::<i64>().ok();
        match tree {
            Tree::Int(text) => number(text).map(Amount::Number),
            Tree::Written(text) | Tree::Text(text) => match text.trim().strip_prefix('[') {
                None => number(text).map(Amount::Number),
                Some(list) => {
                    let list = list.strip_suffix(']')?.split(',');
                    list.map(number).collect::<Option<_>>().map(Amount::Each)
                }
            },
            Tree::List(parts) => {
                let parts = parts.iter().map(|part| match Amount::read(part)? {
                    Amount::Number(number) => Some(number),
                    Amount::Each(_) => None,
                });
                parts.collect::<Option<_>>().map(Amount::Each)
            }
            _ => None,
        }
    }
}

impl Content for Amount {
    fn text(&self) -> String {
        match self {
            Amount::Number(number) => number.to_string(),
            Amount::Each(numbers) => format!("{numbers:?}"),
        }
    }

    fn tree(&self) -> Tree {
        let int = |number: &i64| Tree::Int(number.to_string());
        match self {
            Amount::Number(number) => int(number),
            Amount::Each(numbers) => Tree::List(numbers.iter().map(int).collect()),
        }
    }

    fn order(&self, other: &dyn Content) -> Ordering {
        match other.as_any().downcast_ref::<Amount>() {
            Some(other) => self.cmp(other),
            None => self.text().cmp(&other.text()),
        }
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
