//! The answer to a formula: a value, or why there is none.
//!
//! Its text is that of `eval --batch` (`docs/meaning.md`, Values): one line, with `!` and a word where there is no value.

use std::fmt;

use base::{Class, Diagnostics, Severity, Sources};
use pins::{Fault, FaultKind};
use verdict::for_people;

/// The answer to a formula.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Answer {
    /// A value in canonical notation, TRUE or FALSE.
    Value(String),
    /// There is none, for this reason.
    None(Lack, String),
}

/// What keeps a formula from having a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Lack {
    /// It cannot be read.
    Syntax,
    /// It has no type.
    Type,
    /// It has a construct that is not evaluated.
    Unsupported,
    /// It has no value.
    Undefined,
    /// It may have one: not everything was looked at.
    Open,
}

impl Lack {
    /// The word that stands for it.
    fn word(self) -> &'static str {
        match self {
            Lack::Syntax => "syntax",
            Lack::Type => "type",
            Lack::Unsupported => "unsupported",
            Lack::Undefined => "undefined",
            Lack::Open => "open",
        }
    }
}

impl Answer {
    /// The answer of an evaluator that has no value.
    pub(super) fn faulted(fault: Fault) -> Answer {
        let lack = match fault.kind {
            FaultKind::Undefined
            | FaultKind::Violated
            | FaultKind::Assertion
            | FaultKind::Observed
            | FaultKind::Refinement => Lack::Undefined,
            FaultKind::Budget | FaultKind::Cut | FaultKind::Halted => Lack::Open,
            FaultKind::Unsupported => Lack::Unsupported,
        };
        Answer::None(lack, fault.message)
    }

    /// The answer to what is no formula.
    pub(super) fn refused(diagnostics: &Diagnostics, sources: &Sources) -> Answer {
        let mut errors = diagnostics.iter();
        let Some(error) = errors.find(|found| found.severity == Severity::Error) else {
            let why = "the formula cannot be evaluated".to_owned();
            return Answer::None(Lack::Unsupported, why);
        };
        let lack = match error.code.class {
            Class::Syntax => Lack::Syntax,
            Class::Type => Lack::Type,
            Class::Unsupported | Class::Usage => Lack::Unsupported,
        };
        let place = error.primary.as_ref().map_or_else(String::new, |label| {
            let position = sources.position(label.span.file, label.span.start);
            format!(" at {}:{}", position.line, position.column)
        });
        Answer::None(lack, format!("{}{place}", error.message))
    }

    /// Why there is no value, if there is none.
    pub fn lack(&self) -> Option<Lack> {
        match self {
            Answer::Value(_) => None,
            Answer::None(lack, _) => Some(*lack),
        }
    }

    /// The same with sequences as such.
    pub(super) fn for_people(self) -> Answer {
        match self {
            Answer::Value(value) => Answer::Value(for_people(&value).into_owned()),
            none => none,
        }
    }

    /// Whether it says something about the formula and not about the evaluator.
    pub(super) fn is_known(&self) -> bool {
        !matches!(self.lack(), Some(Lack::Open | Lack::Unsupported))
    }
}

impl fmt::Display for Answer {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = match self {
            Answer::Value(value) => value,
            Answer::None(lack, why) => {
                write!(f, "!{} ", lack.word())?;
                why
            }
        };
        // One line, whatever it holds.
        f.write_str(&text.replace(['\n', '\r'], " "))
    }
}
