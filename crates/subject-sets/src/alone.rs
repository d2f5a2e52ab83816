//! Something that only its owner touches, so that what holds it may be looked at from several threads.
//!
//! A checked text keeps types in cells; questions are asked with exclusive access, while a search only reads the model.

use std::sync::{Mutex, PoisonError};

/// A value that is reached through exclusive access only.
pub(crate) struct Alone<T>(Mutex<T>);

impl<T> Alone<T> {
    /// Keeps a value.
    pub(crate) fn new(value: T) -> Alone<T> {
        Alone(Mutex::new(value))
    }

    /// The value.
    pub(crate) fn get(&mut self) -> &mut T {
        self.0.get_mut().unwrap_or_else(PoisonError::into_inner)
    }
}
