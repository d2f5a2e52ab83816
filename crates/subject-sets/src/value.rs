//! Values of set theory as values of the upper waist.

use std::any::Any;
use std::cmp::Ordering;
use std::sync::Arc;

use model::{Tys, Value as Inner};
use subject::{Content, Tree, Value};

use crate::tree::to_tree;

/// A value with the names of the elements in it.
#[derive(Debug)]
struct Named {
    value: Inner,
    tys: Arc<Tys>,
}

/// A value for those above.
pub(crate) fn wrap(tys: &Arc<Tys>, value: Inner) -> Value {
    Value::new(Named {
        value,
        tys: tys.clone(),
    })
}

/// Values for those above; `None` stays.
pub(crate) fn wrap_all(tys: &Arc<Tys>, values: Vec<Option<Inner>>) -> Vec<Option<Value>> {
    let values = values.into_iter();
    values
        .map(|value| value.map(|value| wrap(tys, value)))
        .collect()
}

/// The value that was wrapped.
///
/// # Panics
/// For a value of another language, which is a bug of ours.
pub(crate) fn unwrap(value: &Value) -> Inner {
    let named = value.content::<Named>();
    named
        .expect("a value goes back to the subject that made it")
        .value
        .clone()
}

/// The values that were wrapped; `None` stays.
pub(crate) fn unwrap_all(values: &[Option<Value>]) -> Vec<Option<Inner>> {
    let values = values.iter();
    values.map(|value| value.as_ref().map(unwrap)).collect()
}

impl Content for Named {
    fn text(&self) -> String {
        self.value.show(&self.tys)
    }

    fn told(&self) -> String {
        self.value.told(&self.tys)
    }

    fn tree(&self) -> Tree {
        to_tree(&self.tys, &self.value)
    }

    fn order(&self, other: &dyn Content) -> Ordering {
        match other.as_any().downcast_ref::<Named>() {
            Some(other) => self.value.cmp(&other.value),
            None => self.text().cmp(&other.text()),
        }
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
