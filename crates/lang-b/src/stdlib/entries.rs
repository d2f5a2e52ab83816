//! Reads the layout in which the built-in definition files are written, so that each function is described
//! once: its meaning and its tags in a comment, its parameters and its type in definitions below it.
//!
//! ```text
//! // The elements of a set in ascending order. [order]
//! SORT(set) == {};
//! EXTERNAL_FUNCTION_SORT(T) == POW(T) --> seq(T);
//! ```
//! The tags are `output`, `random`, `outside` (see [`Purity`]), `order` and `variadic`.
//! Invariant: a definition is one line. That the parser reads the same definitions is a test.

use super::{Kind, Purity};

/// A definition of a built-in file, with what its comment says.
#[derive(Clone, Debug)]
pub(super) struct Entry {
    /// The defined name.
    pub name: &'static str,
    /// The names of its parameters.
    pub parameters: Vec<&'static str>,
    /// The comment above it, without tags.
    pub meaning: &'static str,
    /// The tags of that comment.
    pub tags: Vec<&'static str>,
    /// The declaration below it; missing for an ordinary definition.
    pub declaration: Option<Declaration>,
}

/// An `EXTERNAL_…` definition.
#[derive(Clone, Debug)]
pub(super) struct Declaration {
    /// What it declares.
    pub kind: Kind,
    /// The type, as written.
    pub declared: &'static str,
}

impl Entry {
    /// Whether the comment has this tag.
    pub(super) fn tagged(&self, tag: &str) -> bool {
        self.tags.contains(&tag)
    }

    /// What the tags say of side effects.
    pub(super) fn purity(&self) -> Purity {
        if self.tagged("outside") {
            Purity::Outside
        } else if self.tagged("random") {
            Purity::Random
        } else if self.tagged("output") {
            Purity::Output
        } else {
            Purity::Pure
        }
    }
}

/// The definitions of a built-in file, in the order of the text.
pub(super) fn read(text: &'static str) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    let mut comment = "";
    for line in text.lines() {
        if let Some(said) = line.strip_prefix("// ") {
            comment = said;
            continue;
        }
        let Some((head, body)) = line.split_once(" == ") else {
            continue;
        };
        let (name, parameters) = signature(head);
        match (Kind::of_declaration(name), entries.last_mut()) {
            (Some((kind, declared)), Some(entry)) if entry.name == declared => {
                entry.declaration = Some(Declaration {
                    kind,
                    declared: body.trim_end_matches(';'),
                });
            }
            _ => {
                let (meaning, tags) = split_tags(comment);
                entries.push(Entry {
                    name,
                    parameters,
                    meaning,
                    tags,
                    declaration: None,
                });
            }
        }
    }
    entries
}

/// `NAME(a, b)` as name and parameters.
fn signature(head: &'static str) -> (&'static str, Vec<&'static str>) {
    match head.split_once('(') {
        Some((name, parameters)) => (name, parameters.trim_end_matches(')').split(", ").collect()),
        None => (head, Vec::new()),
    }
}

/// `Meaning. [tag, tag]` as meaning and tags.
fn split_tags(comment: &'static str) -> (&'static str, Vec<&'static str>) {
    match comment.strip_suffix(']').and_then(|c| c.rsplit_once(" [")) {
        Some((meaning, tags)) => (meaning, tags.split(", ").collect()),
        None => (comment, Vec::new()),
    }
}
