//! Where reading goes on after an error, so that one slip hides no other and causes no echo.
//!
//! Predicates go on at the next conjunct, substitutions after the statement that failed, operations and
//! definitions at the next one, everything at the next clause. Counting brackets and blocks from where the
//! error happened keeps the skipped part whole.

use base::{Diagnostic, Span};
use lang_math::{Binder, ExprId, ExprKind, Op};
use smallvec::smallvec;

use super::{NO_COMPOSITION, Parser, Read};
use crate::codes::syntax as code;
use crate::lex::{Tok, Word};
use crate::syntax::{SubstId, SubstKind};

/// What was open at some point: to go back to after an error.
#[derive(Clone, Copy)]
pub(super) struct Mark {
    nesting: usize,
    blocks: usize,
    loops: usize,
}

impl Parser<'_> {
    pub(super) fn mark(&self) -> Mark {
        Mark {
            nesting: self.nesting,
            blocks: self.blocks.len(),
            loops: self.loops,
        }
    }

    /// Forgets what was opened after `mark`; returns how many brackets and how many blocks.
    pub(super) fn reset(&mut self, mark: Mark) -> (usize, usize) {
        let blocks = self.blocks.len().saturating_sub(mark.blocks);
        let brackets = self
            .nesting
            .saturating_sub(mark.nesting)
            .saturating_sub(blocks);
        self.nesting = mark.nesting;
        self.blocks.truncate(mark.blocks);
        self.loops = mark.loops;
        (brackets, blocks)
    }

    /// Reads a word that opens a block.
    pub(super) fn open_block(&mut self, word: Word) -> Read<Span> {
        self.enter()?;
        let span = self.advance();
        self.blocks.push((word, span));
        Ok(span)
    }

    /// Reads the `END` of the innermost block.
    pub(super) fn close_block(&mut self, expected: &str) -> Read<()> {
        if self.at_word(Word::End) {
            let opens_line = self.opens_line(self.pos);
            let end = self.advance();
            self.nesting -= 1;
            if let Some((word, opened)) = self.blocks.pop().filter(|_| opens_line) {
                self.closed = Some((word, opened, end));
            }
            return Ok(());
        }
        let Some((word, opened)) = self.blocks.last().copied() else {
            return Err(self.unexpected(expected));
        };
        let missing = self.at(Tok::Eof)
            || self.at_clause()
            || self.at_operation(0)
            || (self.at(Tok::Semicolon) && self.at_operation(1));
        let diagnostic = if missing {
            Diagnostic::error(
                &code::MISSING_END,
                self.span(),
                format!(
                    "found {}, expected END of {}",
                    self.describe(self.token_at(0)),
                    word.text()
                ),
            )
            .also(opened, "opened here")
            .help(format!("close this {} with END", word.text()))
        } else {
            self.unexpected_diagnostic(expected)
                .also(opened, format!("in this {}", word.text()))
        };
        Err(self.error(diagnostic))
    }

    /// Whether the next token opens a clause.
    pub(super) fn at_clause(&self) -> bool {
        match self.tok() {
            Tok::Word(Word::Invariant | Word::Variant) => self.loops == 0,
            Tok::Word(word) => word.opens_clause(),
            _ => false,
        }
    }

    /// Whether a clause could end here: another clause, END, or the end of the text.
    pub(super) fn at_clause_end(&self) -> bool {
        self.at_clause() || matches!(self.tok(), Tok::Eof | Tok::Word(Word::End))
    }

    /// Whether the header of an operation starts `ahead` tokens on: `r <-- name(p) = PRE …`.
    ///
    /// `x = 1` is rather a slip for `x := 1`, so the body must start like a substitution.
    pub(super) fn at_operation(&self, ahead: usize) -> bool {
        if !self.in_operations {
            return false;
        }
        let mut at = ahead;
        let name = |at: &mut usize| {
            while matches!(self.tok_at(*at), Tok::Ident | Tok::Quoted)
                && self.tok_at(*at + 1) == Tok::Dot
            {
                *at += 2;
            }
            let found = matches!(self.tok_at(*at), Tok::Ident | Tok::Quoted);
            *at += usize::from(found);
            found
        };
        let names = |at: &mut usize| {
            while name(at) {
                if self.tok_at(*at) != Tok::Comma {
                    return true;
                }
                *at += 1;
            }
            false
        };
        if !names(&mut at) {
            return false;
        }
        if self.tok_at(at) == Tok::Results {
            at += 1;
            if !name(&mut at) {
                return false;
            }
        }
        if self.tok_at(at) == Tok::LeftParen {
            at += 1;
            if !names(&mut at) || self.tok_at(at) != Tok::RightParen {
                return false;
            }
            at += 1;
        }
        if self.tok_at(at) != Tok::Op(Op::Equal) {
            return false;
        }
        match self.tok_at(at + 1) {
            Tok::Word(word) => word.opens_block() || word == Word::Skip,
            Tok::Ident | Tok::Quoted => {
                matches!(
                    self.tok_at(at + 2),
                    Tok::Assign | Tok::BecomesElement | Tok::Results
                )
            }
            _ => false,
        }
    }

    /// Reads a predicate of a clause or block; after an error goes on at the next conjunct.
    pub(super) fn conjuncts(&mut self) -> ExprId {
        let mut found: Option<ExprId> = None;
        loop {
            let mut missing_and = false;
            let mark = self.mark();
            let start = self.span();
            let read = self.predicate(NO_COMPOSITION).and_then(|id| {
                if self.at_formula_end() {
                    return Ok(id);
                }
                if self.starts_conjunct() {
                    let diagnostic = self
                        .unexpected_diagnostic("\"&\" or the end of the predicate")
                        .help("join the predicates of two lines by \"&\"");
                    self.complain(diagnostic);
                    missing_and = true;
                    return Ok(id);
                }
                Err(self.unexpected_after_formula(id, "an operator or the end of the predicate"))
            });
            let (id, failed) = match read {
                Ok(id) => (id, false),
                Err(_) => {
                    self.skip_conjunct(mark);
                    let span = start.to(self.last_span());
                    (self.tree.exprs.push(ExprKind::Error, span), true)
                }
            };
            let joined = match found {
                Some(left) => {
                    let span = self.tree.exprs.span(left).to(self.tree.exprs.span(id));
                    self.node(ExprKind::Op(Op::And, smallvec![left, id]), span)
                }
                None => id,
            };
            if !missing_and && (!failed || !self.eat(Tok::Op(Op::And))) {
                return joined;
            }
            found = Some(joined);
        }
    }

    /// Whether the next token opens a line and could open a predicate.
    fn starts_conjunct(&self) -> bool {
        let operand = match self.tok() {
            Tok::Ident | Tok::Quoted => !matches!(
                self.tok_at(1),
                Tok::Assign | Tok::BecomesElement | Tok::Results | Tok::Comma | Tok::DefinedAs
            ),
            Tok::Binder(Binder::Forall | Binder::Exists) => true,
            Tok::Op(Op::Not) => true,
            _ => false,
        };
        operand && self.opens_line(self.pos)
    }

    /// Whether no token stands before this one on its line.
    pub(super) fn opens_line(&self, index: usize) -> bool {
        let before = index.checked_sub(1).map_or(0, |at| self.tokens[at].end);
        let gap = before as usize..self.tokens[index].start as usize;
        index == 0 || self.text[gap].contains(['\n', '\r'])
    }

    /// Whether a formula outside brackets may end here.
    fn at_formula_end(&self) -> bool {
        matches!(self.tok(), Tok::Eof | Tok::Word(_) | Tok::Semicolon)
            || self.misspelt_word(0).is_some()
            || self.misspelt_clause(0).is_some()
    }

    /// Goes on to the next `&` outside brackets, or to what ends the predicate.
    fn skip_conjunct(&mut self, mark: Mark) {
        self.skip_to_conjunct(mark);
        self.last_error = Some(self.pos);
    }

    fn skip_to_conjunct(&mut self, mark: Mark) {
        let (mut brackets, mut blocks) = self.reset(mark);
        loop {
            match self.tok() {
                Tok::Eof => return,
                Tok::Op(Op::And) if brackets == 0 && blocks == 0 => return,
                Tok::Semicolon | Tok::Parallel if brackets == 0 && blocks == 0 => return,
                Tok::Word(word) if word.opens_block() => {
                    // A block that opens here is part of the formula only if it can be.
                    if !matches!(word, Word::If | Word::Let) {
                        return;
                    }
                    blocks += 1;
                }
                Tok::Word(Word::End) if blocks > 0 => blocks -= 1,
                Tok::Word(_) if blocks == 0 || self.at_clause() => return,
                Tok::Ident if self.misspelt_clause(0).is_some() => return,
                Tok::LeftParen | Tok::LeftBrace | Tok::LeftBracket => brackets += 1,
                Tok::RightParen | Tok::RightBrace | Tok::RightBracket => {
                    brackets = brackets.saturating_sub(1);
                }
                _ => {}
            }
            self.advance();
        }
    }

    /// Leaves the statement that failed: to the `;`, `||` or keyword that follows it.
    pub(super) fn skip_statement(&mut self, mark: Mark, start: Span) -> SubstId {
        let (_, mut blocks) = self.reset(mark);
        let mut brackets = 0_usize;
        loop {
            match self.tok() {
                Tok::Eof => break,
                Tok::Semicolon if self.at_operation(1) => break,
                Tok::Semicolon | Tok::Parallel if brackets == 0 && blocks == 0 => break,
                Tok::Word(word) if word.opens_block() => blocks += 1,
                Tok::Word(Word::End) if blocks > 0 => blocks -= 1,
                Tok::Word(Word::End | Word::Else | Word::Elsif | Word::When | Word::Or)
                    if blocks == 0 =>
                {
                    break;
                }
                Tok::Word(Word::Invariant | Word::Variant) if self.loops > 0 && blocks == 0 => {
                    break;
                }
                Tok::Word(_) if self.at_clause() && !(blocks > 0 && self.at_loop_word()) => break,
                Tok::Ident if self.misspelt_clause(0).is_some() => break,
                Tok::LeftParen | Tok::LeftBrace | Tok::LeftBracket => brackets += 1,
                Tok::RightParen | Tok::RightBrace | Tok::RightBracket => {
                    brackets = brackets.saturating_sub(1);
                }
                _ => {}
            }
            self.advance();
        }
        self.last_error = Some(self.pos);
        let span = start.to(self.last_span());
        self.tree.subst(SubstKind::Error, span)
    }

    fn at_loop_word(&self) -> bool {
        matches!(self.tok(), Tok::Word(Word::Invariant | Word::Variant))
    }

    /// Goes on to the next clause, or to the end of the component.
    pub(super) fn skip_clause(&mut self) {
        self.names_lost = true;
        self.reset(Mark {
            nesting: 0,
            blocks: 0,
            loops: 0,
        });
        let mut blocks = 0_usize;
        loop {
            match self.tok() {
                Tok::Eof => break,
                Tok::Word(Word::End) if blocks == 0 => break,
                Tok::Word(Word::End) => blocks -= 1,
                Tok::Word(word) if word.opens_block() => blocks += 1,
                Tok::Word(_) if self.at_clause() && !(blocks > 0 && self.at_loop_word()) => break,
                Tok::Ident if self.misspelt_clause(0).is_some() => break,
                _ => {}
            }
            self.advance();
        }
        self.last_error = Some(self.pos);
    }
}
