//! Names that compare and hash as one machine word.
//!
//! Every distinct text is stored once for the life of the process, so a [`Name`] is `Copy`, equality is a
//! pointer comparison, and the text is at hand wherever a name is. The table grows with the distinct names
//! of the input only. Invariant: the order of names is the order of their texts, never of their addresses,
//! so output does not depend on what was read before.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{LazyLock, Mutex};

use rustc_hash::FxHashSet;

/// An interned text: an identifier, a label, the text of a literal.
#[derive(Clone, Copy)]
pub struct Name(&'static str);

static TABLE: LazyLock<Mutex<FxHashSet<&'static str>>> = LazyLock::new(Mutex::default);

impl Name {
    /// The name with this text.
    pub fn new(text: &str) -> Name {
        let mut table = TABLE
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(known) = table.get(text) {
            return Name(known);
        }
        let text: &'static str = Box::leak(text.into());
        table.insert(text);
        Name(text)
    }

    /// The text.
    pub fn as_str(self) -> &'static str {
        self.0
    }
}

impl PartialEq for Name {
    fn eq(&self, other: &Name) -> bool {
        std::ptr::eq(self.0, other.0)
    }
}
impl Eq for Name {}
impl Hash for Name {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.as_ptr().hash(state);
    }
}
impl PartialOrd for Name {
    fn partial_cmp(&self, other: &Name) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Name {
    fn cmp(&self, other: &Name) -> Ordering {
        self.0.cmp(other.0)
    }
}
impl fmt::Debug for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}
impl fmt::Display for Name {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.0)
    }
}
impl From<&str> for Name {
    fn from(text: &str) -> Name {
        Name::new(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn equal_texts_are_equal_names() {
        let text = String::from("active");
        assert_eq!(Name::new("active"), Name::new(&text));
        assert_ne!(Name::new("active"), Name::new("Active"));
        assert_eq!(Name::new(""), Name::new(""));
    }

    #[test]
    fn names_sort_by_text() {
        let mut names = [Name::new("zz"), Name::new("aa"), Name::new("mm")];
        names.sort();
        assert_eq!(names.map(Name::as_str), ["aa", "mm", "zz"]);
    }
}
