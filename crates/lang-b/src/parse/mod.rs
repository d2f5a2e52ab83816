//! Text to syntax tree: always a tree, and what is wrong with the text.
//!
//! One module per concept: `formula` and `binders` (predicates and expressions, one operator table), `sorts`
//! (which of the two a formula is), `substitution`, `clauses`, `definitions`, `header`, `structure` (which
//! clauses go together), `recovery` (where reading goes on after an error), `slips` (what was probably
//! meant).
//! Invariant: a function that returns `Err(Fail)` has reported why, and leaves `nesting` and `blocks` as
//! they were at the place of the error; the caller that recovers resets them.
//! Invariant: reading is linear in the length of the text. Only the body of a definition is read twice at
//! most, and definitions do not nest.

mod atom;
mod binders;
mod clauses;
mod cursor;
mod definitions;
mod formula;
mod header;
mod literals;
mod recovery;
mod slips;
mod sorts;
mod structure;
mod substitution;

#[cfg(test)]
mod tests;

use base::{Diagnostics, FileId, Span};
use lang_math::{ExprId, Exprs, Op, Place};
use rustc_hash::FxHashSet;

use crate::lex::{self, Token, Word};
use crate::syntax::{Component, Tree};

/// What the parser makes of a file: always a tree, and what is wrong with it.
#[derive(Debug)]
pub struct Parsed {
    /// The tree; parts that could not be read are `Error` nodes or missing.
    pub component: Component,
    /// What is wrong.
    pub diagnostics: Diagnostics,
    /// Whether declarations may have been lost, so that unknown names are no surprise.
    pub names_lost: bool,
}

/// Reads a machine, refinement, implementation or definition file.
pub fn component(file: FileId, text: &str) -> Parsed {
    let mut parser = Parser::new(Place::whole(file, text));
    let mut component = parser.component();
    component.tree = std::mem::take(&mut parser.tree);
    let mut diagnostics = parser.diagnostics;
    diagnostics.sort();
    Parsed {
        component,
        diagnostics,
        names_lost: parser.names_lost,
    }
}

/// Reads one expression or predicate (the whole text) into `exprs`.
pub fn formula(file: FileId, text: &str, exprs: &mut Exprs) -> (ExprId, Diagnostics) {
    formula_at(Place::whole(file, text), exprs)
}

/// Reads one expression or predicate, which stands in a longer text, into `exprs`.
pub fn formula_at(place: Place<'_>, exprs: &mut Exprs) -> (ExprId, Diagnostics) {
    let mut parser = Parser::new(place);
    parser.tree.exprs = std::mem::take(exprs);
    let id = parser.lone_formula(place.span());
    *exprs = std::mem::take(&mut parser.tree.exprs);
    let mut diagnostics = parser.diagnostics;
    diagnostics.sort();
    (id, diagnostics)
}

/// Reading stopped; the reason is in the diagnostics.
#[derive(Clone, Copy, Debug)]
struct Fail;

type Read<T> = Result<T, Fail>;

/// Above `;` and `||`, which are operators between brackets only.
const NO_COMPOSITION: u16 = 21;

/// Above descriptions: the one after `op = x := E` is the operation's, not the value's.
const NO_DESCRIPTION: u16 = 42;

/// Between brackets every operator is allowed.
const ANY_OPERATOR: u16 = 0;

struct Parser<'t> {
    file: FileId,
    text: &'t str,
    tokens: Vec<Token>,
    pos: usize,
    tree: Tree,
    diagnostics: Diagnostics,
    /// Brackets and blocks open now.
    nesting: usize,
    /// Blocks open now: the word that opened each, and where.
    blocks: Vec<(Word, Span)>,
    /// Loops open now: inside, `INVARIANT` and `VARIANT` open no clauses.
    loops: usize,
    /// Where the last error was reported: the next one at the same token is an echo.
    last_error: Option<usize>,
    /// Where the first error of this attempt was met.
    first_error: Option<usize>,
    /// Names and applications that stand for predicates: only definitions can.
    presumed: Vec<ExprId>,
    /// Reserved words that were reported as used for names: further uses are taken for names.
    misused: FxHashSet<Op>,
    /// Whether the body of a definition is being read: `==` may belong to the next one.
    defining: bool,
    /// The last block that was closed by an END that opens its line: the words of opening and END.
    closed: Option<(Word, Span, Span)>,
    /// Whether a `;` may be followed by the next operation.
    in_operations: bool,
    /// Whether declarations may have been skipped.
    names_lost: bool,
    /// Whether reading was given up: nothing more is reported.
    stopped: bool,
}

impl<'t> Parser<'t> {
    fn new(place: Place<'t>) -> Parser<'t> {
        let Place {
            file,
            text,
            start,
            end,
        } = place;
        let mut diagnostics = Diagnostics::new();
        let tokens = lex::tokens(file, text, start..end, &mut diagnostics);
        Parser {
            file,
            text,
            tokens,
            pos: 0,
            tree: Tree::default(),
            diagnostics,
            nesting: 0,
            blocks: Vec::new(),
            loops: 0,
            last_error: None,
            first_error: None,
            presumed: Vec::new(),
            misused: FxHashSet::default(),
            defining: false,
            closed: None,
            in_operations: false,
            names_lost: false,
            stopped: false,
        }
    }
}
