//! What a system of processes is made with, and what it cannot be made of.

use base::{Name, Span};
use pins::LabelKind;

use crate::processes::labels::Question;
use crate::processes::packing::Packing;
use crate::processes::pairs::Handing;

/// A construct that has no code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Unsupported {
    /// What.
    pub what: &'static str,
    /// Where.
    pub span: Span,
}

impl Unsupported {
    pub(crate) fn new(what: &'static str, span: Span) -> Unsupported {
        Unsupported { what, span }
    }
}

/// What else is asked about states.
#[derive(Clone, Debug, Default)]
pub struct Options {
    /// Labels of the shape, in order.
    pub labels: Vec<Asking>,
    /// Whether code is made for the arguments that processes had in a trial; states are then not to be permuted.
    pub keeps_arguments: bool,
}

/// How a system is made.
#[derive(Clone, Debug)]
pub(super) struct Terms {
    pub(super) options: Options,
    pub(super) packing: Packing,
    pub(super) handing: Handing,
}

/// A label to be made.
#[derive(Clone, Copy, Debug)]
pub struct Asking {
    /// Its name.
    pub name: Name,
    /// What it is about.
    pub kind: LabelKind,
    /// What it asks.
    pub question: Question,
    /// Where it stands.
    pub span: Option<Span>,
}
