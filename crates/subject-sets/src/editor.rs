//! What editors ask of texts in set theory.

mod b;
mod eventb;
mod z;

use base::{Name, Span};
use lang_math::Op;
use subject::editor::{Definition, DefinitionKind, Lexicon, Names, Operator};

use crate::loaded::Loaded;

impl Loaded {
    /// What the text declares and uses.
    pub(crate) fn names(&self) -> Names {
        match self {
            Loaded::B(checked) => b::names(checked),
            Loaded::EventB(checked) => eventb::names(checked),
            Loaded::Z(checked, file) => z::names(checked, *file),
        }
    }
}

pub(crate) use b::lexicon as lexicon_of_b;
pub(crate) use eventb::lexicon as lexicon_of_eventb;
pub(crate) use z::lexicon as lexicon_of_z;

/// The operators of the table that are symbols, and those that are words.
fn operators() -> (Vec<Operator>, Vec<&'static str>) {
    let mut symbols = Vec::new();
    let mut words = Vec::new();
    for op in Op::ALL {
        let (ascii, unicode) = (op.ascii(), op.unicode());
        match ascii.chars().next() {
            None => {}
            Some(first) if first.is_ascii_alphabetic() => words.push(ascii),
            Some(_) => symbols.push(Operator { ascii, unicode }),
        }
    }
    symbols.sort_by_key(|operator| operator.ascii);
    symbols.dedup();
    words.sort_unstable();
    words.dedup();
    (symbols, words)
}

/// A lexicon with the operators of the table.
fn with_operators(mut lexicon: Lexicon) -> Lexicon {
    let (symbols, words) = operators();
    lexicon.operators = symbols;
    lexicon.keywords.extend(words);
    lexicon
}

/// A declaration by itself.
fn plain(name: Name, kind: DefinitionKind, span: Span) -> Definition {
    Definition {
        name,
        kind,
        span,
        whole: span,
        scope: None,
        type_text: None,
        is_typed: true,
    }
}
