//! Tokens to syntax tree: always a tree, and what is wrong with the text.
//!
//! One module per concept: `cursor` (the place in the tokens, separators), `units`, `declarations`, `statements`, `channels`
//! (send and receive), `expressions`, `formulas` (temporal ones), `inline`, `recovery`.
//! SPIN reads a separator where a line ends after certain tokens, and after every `}`; `cursor` does the same, so both
//! tools see the same statements.
//! Invariant: a function that returns `Err(Fail)` has reported why. Reading is linear in the number of tokens after
//! inlines are put in, and that number is bounded.

mod channels;
mod cursor;
mod declarations;
mod expressions;
mod formulas;
mod inline;
mod recovery;
mod statements;
mod units;

#[cfg(test)]
pub(crate) mod tests;

use std::rc::Rc;

use base::{Diagnostics, Name, Span};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::lex::Token;
use crate::preprocess::{Macros, Preprocessed};
use crate::syntax::{ExprId, Program};

pub(crate) use expressions::character;

/// What the parser makes of a program.
#[derive(Debug)]
pub struct Parsed {
    /// The tree; parts that could not be read are `Error` nodes or missing.
    pub program: Program,
    /// What is wrong, the preprocessor's findings first.
    pub diagnostics: Diagnostics,
    /// Whether declarations may have been lost, so that unknown names are no surprise.
    pub names_lost: bool,
    /// Where the text ends.
    pub end: Span,
    /// The macros at its end.
    pub macros: Macros,
}

/// Reads a program.
pub fn program(text: Preprocessed) -> Parsed {
    let end = text
        .tokens
        .last()
        .map_or(Span::new(text.file, 0, 0), |token| token.span);
    let mut parser = Parser::new(text.tokens, text.diagnostics);
    parser.names_lost = text.incomplete;
    parser.units();
    Parsed {
        program: parser.tree,
        diagnostics: parser.diagnostics,
        names_lost: parser.names_lost,
        end,
        macros: text.macros,
    }
}

/// Reads one temporal formula (all of the tokens) with the names that `known` declares.
pub fn formula(text: Preprocessed, known: Program) -> (Program, ExprId, Diagnostics) {
    let mut parser = Parser::new(text.tokens, text.diagnostics);
    parser.learn(&known);
    parser.tree = known;
    let id = parser.lone_formula();
    (parser.tree, id, parser.diagnostics)
}

/// Reading stopped; the reason is in the diagnostics.
#[derive(Clone, Copy, Debug)]
struct Fail;

type Read<T> = Result<T, Fail>;

/// An inline: its text is put in the place of each call.
struct Inline {
    name: crate::syntax::Binding,
    parameters: Vec<Name>,
    body: Rc<[Token]>,
}

struct Parser {
    tokens: Rc<[Token]>,
    pos: usize,
    tree: Program,
    diagnostics: Diagnostics,
    /// Brackets and blocks open now.
    nesting: usize,
    /// Parentheses open now: inside, line ends separate nothing.
    parentheses: usize,
    /// Whether statements or fields are being read, where line ends separate.
    in_sequence: bool,
    /// Whether a temporal formula is being read.
    in_formula: bool,
    /// The token before which a separator that nobody wrote has been read.
    separated: Option<usize>,
    /// Where the last error was reported: the next one at the same token is an echo.
    last_error: Option<usize>,
    /// Names of structures, proctypes (finished ones), symbolic constants.
    structures: FxHashSet<Name>,
    proctypes: FxHashSet<Name>,
    constants: FxHashSet<Name>,
    /// All proctypes of the text, whether read already or not.
    announced: FxHashSet<Name>,
    inlines: FxHashMap<Name, Rc<Inline>>,
    /// The calls of inlines being read, with the variable that takes the value.
    calls: Vec<(Name, Option<ExprId>)>,
    /// Tokens made by inlines so far.
    made: usize,
    /// Expressions that ask whether a channel is full or empty, alone or joined.
    probes: FxHashSet<ExprId>,
    names_lost: bool,
    /// Whether reading was given up: nothing more is reported.
    stopped: bool,
}

impl Parser {
    fn new(tokens: Vec<Token>, diagnostics: Diagnostics) -> Parser {
        let announced = announced(&tokens);
        Parser {
            tokens: tokens.into(),
            pos: 0,
            tree: Program::default(),
            diagnostics,
            nesting: 0,
            parentheses: 0,
            in_sequence: false,
            in_formula: false,
            separated: None,
            last_error: None,
            structures: FxHashSet::default(),
            proctypes: FxHashSet::default(),
            constants: FxHashSet::default(),
            announced,
            inlines: FxHashMap::default(),
            calls: Vec::new(),
            made: 0,
            probes: FxHashSet::default(),
            names_lost: false,
            stopped: false,
        }
    }
}

/// The names that follow `proctype` anywhere.
fn announced(tokens: &[Token]) -> FxHashSet<Name> {
    use crate::lex::{Tok, Word};
    let mut names: FxHashSet<Name> = tokens
        .windows(2)
        .filter(|pair| matches!(pair[0].tok, Tok::Word(Word::Proctype | Word::DProctype)))
        .map(|pair| pair[1].text)
        .collect();
    names.insert(Name::new("init"));
    names
}
