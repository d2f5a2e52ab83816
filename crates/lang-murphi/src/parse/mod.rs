//! Text to syntax tree: always a tree, and what is wrong with the text.
//!
//! One module per concept: `cursor` (the place in the tokens and the plain errors), `expr`, `types` (declarations and
//! types), `stmt`, `rules`.
//! Invariant: a function that returns `Err(Fail)` has reported why; the caller that recovers skips to a place where
//! reading can go on, and nothing is reported twice for one mistake.
//! Invariant: reading is linear in the length of the text, but that a rule without guard is begun twice.

mod cursor;
mod expr;
mod rules;
mod stmt;
mod types;

use base::{Diagnostics, FileId, Span};

use crate::lex::{self, Token};
use crate::syntax::{ExprId, Tree};

/// What the parser makes of a text.
#[derive(Debug)]
pub struct Parsed {
    /// The tree; parts that could not be read are `Error` nodes or missing.
    pub tree: Tree,
    /// What is wrong.
    pub diagnostics: Diagnostics,
}

/// Reads a program.
pub fn program(file: FileId, text: &str) -> Parsed {
    let mut parser = Parser::new(file, text, Tree::default());
    parser.program();
    parser.finish()
}

/// Reads one expression (the whole text) into `tree`.
pub fn expression(file: FileId, text: &str, tree: &mut Tree) -> (ExprId, Diagnostics) {
    let mut parser = Parser::new(file, text, std::mem::take(tree));
    let id = parser.lone_expression();
    let parsed = parser.finish();
    *tree = parsed.tree;
    (id, parsed.diagnostics)
}

/// Reading stopped; the reason is in the diagnostics.
#[derive(Clone, Copy, Debug)]
struct Fail;

type Read<T> = Result<T, Fail>;

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
    blocks: Vec<(&'static str, Span)>,
    /// Where the last error was reported: the next one at the same token is an echo.
    last_error: Option<usize>,
    /// Errors are neither reported nor remembered: an attempt that may be taken back.
    trying: bool,
    /// Whether reading was given up: nothing more is reported.
    stopped: bool,
}

impl<'t> Parser<'t> {
    fn new(file: FileId, text: &'t str, tree: Tree) -> Parser<'t> {
        let mut diagnostics = Diagnostics::new();
        let tokens = lex::tokens(file, text, &mut diagnostics);
        Parser {
            file,
            text,
            tokens,
            pos: 0,
            tree,
            diagnostics,
            nesting: 0,
            blocks: Vec::new(),
            last_error: None,
            trying: false,
            stopped: false,
        }
    }

    fn finish(self) -> Parsed {
        let mut diagnostics = self.diagnostics;
        diagnostics.sort();
        Parsed {
            tree: self.tree,
            diagnostics,
        }
    }
}
