//! A formula from outside a model: where it stands, and the names that it may use besides those of the model.
//!
//! Invariant: a formula is read where it stands and as itself; no text is put around it, so brackets and comments that do
//! not end are errors at their place.

use base::{FileId, Name, Span};

/// Where a formula stands in a file.
#[derive(Clone, Copy, Debug)]
pub struct Place<'t> {
    /// The file.
    pub file: FileId,
    /// Its text.
    pub text: &'t str,
    /// Where the formula starts, in bytes.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
}

impl<'t> Place<'t> {
    /// A whole text.
    pub fn whole(file: FileId, text: &'t str) -> Place<'t> {
        Place {
            file,
            text,
            start: 0,
            end: text.len(),
        }
    }

    /// The same as a range of bytes.
    pub fn span(&self) -> Span {
        Span::new(self.file, self.start as u32, self.end as u32)
    }
}

/// What gives a name its type; `P` is a predicate, read or not.
#[derive(Clone, Copy, Debug)]
pub enum Typing<P, T> {
    /// This type.
    Is(T),
    /// A predicate about it, and about the names before it.
    By(P),
    /// The formula itself.
    Inferred,
}

impl<P, T> Typing<P, T> {
    /// The same with another predicate.
    pub fn read<Q>(self, read: impl FnOnce(P) -> Q) -> Typing<Q, T> {
        match self {
            Typing::Is(ty) => Typing::Is(ty),
            Typing::By(predicate) => Typing::By(read(predicate)),
            Typing::Inferred => Typing::Inferred,
        }
    }
}

/// A name that a formula may use besides those of the model.
#[derive(Clone, Copy, Debug)]
pub struct QueryName<'t, T> {
    /// The name.
    pub name: Name,
    /// Where it is introduced, for messages.
    pub span: Span,
    /// What gives it its type.
    pub typing: Typing<Place<'t>, T>,
}

/// A formula from outside; `T` names types, those of a checker or those of a model.
#[derive(Clone, Debug)]
pub struct Query<'t, T> {
    /// The formula.
    pub place: Place<'t>,
    /// Names that lie over those of the model, outermost first.
    pub names: Vec<QueryName<'t, T>>,
    /// The type that an expression must have.
    pub expected: Option<T>,
    /// Whether `x$0` is the value of `x` before a step.
    pub is_before_after: bool,
}

impl<'t, T: Copy> Query<'t, T> {
    /// A formula that stands for itself.
    pub fn plain(place: Place<'t>) -> Query<'t, T> {
        Query {
            place,
            names: Vec::new(),
            expected: None,
            is_before_after: false,
        }
    }

    /// The same with other types; `None` when one of them has no counterpart.
    pub fn with_types<U>(&self, mut to: impl FnMut(T) -> Option<U>) -> Option<Query<'t, U>> {
        let mut names = Vec::with_capacity(self.names.len());
        for name in &self.names {
            names.push(QueryName {
                name: name.name,
                span: name.span,
                typing: match name.typing {
                    Typing::Is(ty) => Typing::Is(to(ty)?),
                    Typing::By(place) => Typing::By(place),
                    Typing::Inferred => Typing::Inferred,
                },
            });
        }
        let expected = match self.expected {
            Some(ty) => Some(to(ty)?),
            None => None,
        };
        Some(Query {
            place: self.place,
            names,
            expected,
            is_before_after: self.is_before_after,
        })
    }
}
