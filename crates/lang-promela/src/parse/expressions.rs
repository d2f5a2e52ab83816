//! Expressions: one ladder of priorities, as in SPIN's grammar.

use base::{Diagnostic, Span, deep};

use super::{Parser, Read};
use crate::codes::syntax as code;
use crate::lex::{Punct, Tok, Word};
use crate::syntax::{Binary, ChannelQuestion, ExprId, ExprKind, Form, Part, Unary};

/// The value of a character in quotes, escapes resolved as in SPIN.
pub(crate) fn character(text: &str) -> i32 {
    let mut chars = text.trim_start_matches('\'').chars();
    let value = match chars.next() {
        Some('\\') => match chars.next() {
            Some('n') => '\n',
            Some('r') => '\r',
            Some('t') => '\t',
            Some('f') => '\x0c',
            Some(other) => other,
            None => '\0',
        },
        Some(c) => c,
        None => '\0',
    };
    value as i32
}

impl Parser {
    /// Reads an expression that may ask whether channels are full or empty.
    pub(super) fn full_expression(&mut self) -> Read<ExprId> {
        deep::recurse(|| self.binary(0))
    }

    /// Reads an expression.
    pub(super) fn expression(&mut self) -> Read<ExprId> {
        let id = self.full_expression()?;
        self.no_probe(id);
        Ok(id)
    }

    /// Goes on with an expression whose first operand has been read.
    pub(super) fn continue_expression(&mut self, left: ExprId) -> Read<ExprId> {
        self.operators(left, 0)
    }

    fn binary(&mut self, least: u8) -> Read<ExprId> {
        let left = self.unary()?;
        self.operators(left, least)
    }

    fn operators(&mut self, mut left: ExprId, least: u8) -> Read<ExprId> {
        while let Some((operator, length)) =
            self.operator().filter(|found| found.0.level() >= least)
        {
            for _ in 0..length {
                self.advance();
            }
            let right = deep::recurse(|| self.binary(operator.level() + 1))?;
            if !matches!(operator, Binary::And | Binary::Or) && !self.in_formula {
                self.no_probe(left);
                self.no_probe(right);
            }
            let span = self.tree.exprs[left].span.to(self.last_span());
            left = self.node(ExprKind::Binary(operator, left, right), span);
        }
        Ok(left)
    }

    /// The binary operator that comes next, and how many tokens it is.
    fn operator(&self) -> Option<(Binary, usize)> {
        if self.in_formula
            && let Some(found) = self.temporal_operator()
        {
            return Some(found);
        }
        let Tok::Punct(punct) = self.tok() else {
            return None;
        };
        let operator = match punct {
            Punct::Plus => Binary::Add,
            Punct::Minus => Binary::Subtract,
            Punct::Times => Binary::Multiply,
            Punct::Divide => Binary::Divide,
            Punct::Remainder => Binary::Remainder,
            Punct::BitAnd => Binary::BitAnd,
            Punct::BitXor => Binary::BitXor,
            Punct::BitOr => Binary::BitOr,
            Punct::ShiftLeft => Binary::ShiftLeft,
            Punct::ShiftRight => Binary::ShiftRight,
            Punct::Less => Binary::Less,
            Punct::LessEqual => Binary::LessEqual,
            Punct::Greater => Binary::Greater,
            Punct::GreaterEqual => Binary::GreaterEqual,
            Punct::Equal => Binary::Equal,
            Punct::NotEqual => Binary::NotEqual,
            Punct::And => Binary::And,
            Punct::Or => Binary::Or,
            _ => return None,
        };
        Some((operator, 1))
    }

    fn unary(&mut self) -> Read<ExprId> {
        let start = self.span();
        let Some((operator, length)) = self.prefix() else {
            return self.primary();
        };
        for _ in 0..length {
            self.advance();
        }
        let operand = deep::recurse(|| self.unary())?;
        if !self.in_formula {
            self.no_probe(operand);
        }
        let span = start.to(self.last_span());
        Ok(self.node(ExprKind::Unary(operator, operand), span))
    }

    fn prefix(&self) -> Option<(Unary, usize)> {
        if self.in_formula
            && let Some(found) = self.temporal_prefix()
        {
            return Some(found);
        }
        match self.tok() {
            Tok::Punct(Punct::Minus) => Some((Unary::Minus, 1)),
            Tok::Punct(Punct::Complement) => Some((Unary::Complement, 1)),
            Tok::Punct(Punct::Send) => Some((Unary::Not, 1)),
            _ => None,
        }
    }

    /// Reports full, empty, nfull and nempty where SPIN allows none.
    fn no_probe(&mut self, id: ExprId) {
        if !self.probes.contains(&id) {
            return;
        }
        let span = self.tree.exprs[id].span;
        let message = "full, empty, nfull and nempty can only be joined by \"&&\" and \"||\"";
        let diagnostic = Diagnostic::error(&code::PROBE, span, message);
        self.complain(
            diagnostic.help("use nfull(c) for !full(c), nempty(c) for !empty(c), or len(c)"),
        );
    }

    /// Reads an operand.
    pub(super) fn primary(&mut self) -> Read<ExprId> {
        let token = self.token();
        match self.tok() {
            Tok::Number => self.number(),
            Tok::Char => {
                self.advance();
                let value = character(token.text.as_str());
                Ok(self.node(ExprKind::Constant(value, Form::Character), token.span))
            }
            Tok::Ident => self.named_operand(),
            Tok::Punct(Punct::LeftParen) => self.parenthesised(),
            Tok::Word(word) => self.worded_operand(word),
            Tok::Punct(punct @ (Punct::Increment | Punct::Decrement)) => {
                let message = format!(
                    "\"{}\" stands after the variable, in a statement of its own",
                    punct.text()
                );
                Err(self.error(Diagnostic::error(&code::NOT_PROMELA, token.span, message)))
            }
            Tok::Punct(Punct::Assign) if token.glued && self.pos > 0 => {
                let before = self.tokens[self.pos - 1];
                let message = format!("there is no \"{}=\"", before.text);
                let diagnostic =
                    Diagnostic::error(&code::NOT_PROMELA, before.span.to(token.span), message);
                Err(self.error(diagnostic.help(format!("write x = x {} …", before.text))))
            }
            _ => Err(self.unexpected("an expression")),
        }
    }

    fn number(&mut self) -> Read<ExprId> {
        let token = self.token();
        self.advance();
        let next = self.token();
        let message = match next.tok {
            Tok::Ident if next.glued => Some("numbers are decimal and names begin with a letter"),
            Tok::Punct(Punct::Dot) if next.glued && self.tok_at(1) == Tok::Number => {
                Some("numbers have no fraction")
            }
            _ => None,
        };
        if let Some(message) = message {
            let span = token.span.to(next.span);
            return Err(self.error(Diagnostic::error(&code::NOT_PROMELA, span, message)));
        }
        let value = token.text.as_str().parse::<i64>().unwrap_or(i64::MAX) as i32;
        Ok(self.node(ExprKind::Constant(value, Form::Number), token.span))
    }

    fn parenthesised(&mut self) -> Read<ExprId> {
        let open = self.open(Punct::LeftParen)?;
        let inner = self.full_expression()?;
        if !self.at(Punct::Arrow) {
            if self.at(Punct::Assign) {
                let message = "an assignment is a statement, not an expression; equality is \"==\"";
                let diagnostic = Diagnostic::error(&code::NOT_PROMELA, self.span(), message);
                return Err(self.error(diagnostic));
            }
            self.close(Punct::RightParen, open)?;
            return Ok(inner);
        }
        self.no_probe(inner);
        self.advance();
        let yes = self.expression()?;
        self.expect(Punct::Colon)?;
        let no = self.expression()?;
        let span = open.to(self.close(Punct::RightParen, open)?);
        Ok(self.node(ExprKind::Conditional(inner, yes, no), span))
    }

    fn worded_operand(&mut self, word: Word) -> Read<ExprId> {
        use Word::*;
        let start = self.span();
        let constant = |form| (i32::from(form != Form::False), form);
        let question = match word {
            True | False | Skip => {
                self.advance();
                let (value, form) = constant(match word {
                    True => Form::True,
                    False => Form::False,
                    _ => Form::Skip,
                });
                return Ok(self.node(ExprKind::Constant(value, form), start));
            }
            Timeout | Np => {
                self.advance();
                let kind = if word == Timeout {
                    ExprKind::Timeout
                } else {
                    ExprKind::NonProgress
                };
                return Ok(self.node(kind, start));
            }
            Run => return self.run(),
            Enabled | PcValue | GetPriority => {
                self.advance();
                let open = self.open(Punct::LeftParen)?;
                let process = self.expression()?;
                let span = start.to(self.close(Punct::RightParen, open)?);
                let kind = match word {
                    Enabled => ExprKind::Enabled(process),
                    PcValue => ExprKind::PcValue(process),
                    _ => ExprKind::GetPriority(process),
                };
                return Ok(self.node(kind, span));
            }
            CExpr | CCode => {
                self.embedded_c()?;
                return Ok(self.node(ExprKind::Error, start));
            }
            Len => ChannelQuestion::Len,
            Empty => ChannelQuestion::Empty,
            Nempty => ChannelQuestion::NotEmpty,
            Full => ChannelQuestion::Full,
            Nfull => ChannelQuestion::NotFull,
            _ => return Err(self.unexpected("an expression")),
        };
        self.advance();
        let open = self.open(Punct::LeftParen)?;
        let channel = self.reference()?;
        let span = start.to(self.close(Punct::RightParen, open)?);
        Ok(self.node(ExprKind::Channel(question, channel), span))
    }

    fn run(&mut self) -> Read<ExprId> {
        let start = self.advance();
        let name = self.name("the name of a proctype")?;
        if !self.at(Punct::LeftParen) {
            let message = format!("the arguments of \"run {}\" are missing", name.name);
            let diagnostic = Diagnostic::error(&code::UNEXPECTED, name.span, message);
            return Err(self.error(diagnostic.help(format!("write run {}()", name.name))));
        }
        let open = self.open(Punct::LeftParen)?;
        let mut arguments = Vec::new();
        while !self.at(Punct::RightParen) {
            if !arguments.is_empty() {
                self.expect(Punct::Comma)?;
            }
            arguments.push(self.expression()?);
        }
        self.close(Punct::RightParen, open)?;
        let priority = self.priority()?;
        let span = start.to(self.last_span());
        let kind = ExprKind::Run {
            name,
            arguments,
            priority,
        };
        Ok(self.node(kind, span))
    }

    /// An operand that begins with a name.
    fn named_operand(&mut self) -> Read<ExprId> {
        let token = self.token();
        if self.constants.contains(&token.text) {
            let binding = self.name("a name")?;
            return Ok(self.node(ExprKind::Mtype(binding), binding.span));
        }
        if self.announced.contains(&token.text)
            && let Some(remote) = self.remote()?
        {
            return Ok(remote);
        }
        if self.inlines.contains_key(&token.text) && self.tok_at(1) == Tok::Punct(Punct::LeftParen)
        {
            let message = format!(
                "the inline \"{}\" cannot stand inside an expression",
                token.text
            );
            let diagnostic = Diagnostic::error(&code::INLINE_AS_VALUE, token.span, message);
            return Err(self.error(diagnostic.help("call it as a statement, or as x = f(…)")));
        }
        let reference = self.reference()?;
        if self.at(Punct::LeftParen) && self.in_formula {
            return Err(self.no_operator(token.span));
        }
        self.after_reference(reference)
    }

    /// `P@L`, `P[p]@L`, `P:x`, `P[p]:x`.
    fn remote(&mut self) -> Read<Option<ExprId>> {
        let token = self.token();
        let indexed = self.tok_at(1) == Tok::Punct(Punct::LeftBracket);
        let variable = self.tok_at(1) == Tok::Punct(Punct::Colon)
            && self.tok_at(2) == Tok::Ident
            && (self.proctypes.contains(&token.text) || self.in_formula);
        if !indexed && !variable && self.tok_at(1) != Tok::Punct(Punct::At) {
            return Ok(None);
        }
        let process = self.name("a proctype")?;
        let pid = match indexed {
            true => {
                let open = self.open(Punct::LeftBracket)?;
                let pid = self.expression()?;
                self.close(Punct::RightBracket, open)?;
                Some(pid)
            }
            false => None,
        };
        let kind = if self.eat(Punct::At) {
            let label = self.name("a label")?;
            ExprKind::RemoteLabel {
                process,
                pid,
                label,
            }
        } else if self.eat(Punct::Colon) {
            let variable = self.part()?;
            ExprKind::RemoteVariable {
                process,
                pid,
                variable,
            }
        } else {
            return Err(self.unexpected("\"@\" and a label, or \":\" and a variable"));
        };
        let span = process.span.to(self.last_span());
        Ok(Some(self.node(kind, span)))
    }

    /// Reads a variable with indices and fields.
    pub(super) fn reference(&mut self) -> Read<ExprId> {
        let start = self.span();
        if self.tok() == Tok::Ident && self.constants.contains(&self.token().text) {
            let message = format!(
                "\"{}\" is a symbolic name, not a variable",
                self.token().text
            );
            let diagnostic = Diagnostic::error(&code::CONFUSED_NAME, start, message);
            return Err(self.error(diagnostic));
        }
        let mut parts = vec![self.part()?];
        while self.at(Punct::Dot) {
            self.advance();
            parts.push(self.part()?);
        }
        let span = start.to(self.last_span());
        Ok(self.node(ExprKind::Variable(parts), span))
    }

    fn part(&mut self) -> Read<Part> {
        let name = self.name("a variable")?;
        let index = match self.at(Punct::LeftBracket) && !(self.in_formula && self.at_always()) {
            true => {
                let open = self.open(Punct::LeftBracket)?;
                let index = self.expression()?;
                self.close(Punct::RightBracket, open)?;
                Some(index)
            }
            false => None,
        };
        Ok(Part { name, index })
    }

    /// `c?[…]` and `c??[…]` after the channel.
    pub(super) fn after_reference(&mut self, reference: ExprId) -> Read<ExprId> {
        let random = match self.tok() {
            Tok::Punct(Punct::Receive) => false,
            Tok::Punct(Punct::RandomReceive) => true,
            _ => return Ok(reference),
        };
        let span: Span = self.span();
        if self.tok_at(1) != Tok::Punct(Punct::LeftBracket) {
            let message = "\"?\" receives from a channel and is no operator";
            let diagnostic = Diagnostic::error(&code::NOT_PROMELA, span, message);
            return Err(self.error(
                diagnostic.help("write (c -> a : b) to choose, c?[…] to ask for a message"),
            ));
        }
        self.advance();
        let open = self.open(Punct::LeftBracket)?;
        let mut arguments = Vec::new();
        self.patterns(&mut arguments)?;
        self.close(Punct::RightBracket, open)?;
        let span = self.tree.exprs[reference].span.to(self.last_span());
        let kind = ExprKind::Poll {
            channel: reference,
            arguments,
            random,
        };
        Ok(self.node(kind, span))
    }
}
