//! Sending and receiving.

use base::Diagnostic;

use super::{Parser, Read};
use crate::codes::syntax as code;
use crate::lex::{Punct, Tok, Word};
use crate::syntax::{ExprId, ExprKind, Form, StmtKind};

impl Parser {
    /// `c!…`, the channel just read.
    pub(super) fn send(&mut self, channel: ExprId) -> Read<StmtKind> {
        let sorted = self.at(Punct::SortedSend);
        let operator = self.advance();
        if matches!(
            self.tok(),
            Tok::Punct(Punct::Semicolon | Punct::RightBrace | Punct::Options) | Tok::Eof
        ) {
            let message = "the message that is sent is missing";
            return Err(self.error(Diagnostic::error(&code::EMPTY, operator, message)));
        }
        let mut arguments = vec![self.expression()?];
        let nested = match self.at(Punct::LeftParen) {
            true => Some(self.open(Punct::LeftParen)?),
            false => None,
        };
        if nested.is_some() || self.eat(Punct::Comma) {
            arguments.push(self.expression()?);
            while self.eat(Punct::Comma) {
                arguments.push(self.expression()?);
            }
        }
        if let Some(open) = nested {
            self.close(Punct::RightParen, open)?;
        }
        Ok(StmtKind::Send {
            channel,
            arguments,
            sorted,
        })
    }

    /// `c?…`, the channel just read.
    pub(super) fn receive(&mut self, channel: ExprId) -> Read<StmtKind> {
        let random = self.at(Punct::RandomReceive);
        self.advance();
        let keep = self.eat(Punct::Less);
        let mut arguments = Vec::new();
        self.patterns(&mut arguments)?;
        if keep {
            self.expect(Punct::Greater)?;
        }
        Ok(StmtKind::Receive {
            channel,
            arguments,
            random,
            keep,
        })
    }

    /// What a message must look like: variables, constants, `eval(…)`, in one of the two notations.
    pub(super) fn patterns(&mut self, into: &mut Vec<ExprId>) -> Read<()> {
        if self.at(Punct::LeftParen) {
            let open = self.open(Punct::LeftParen)?;
            base::deep::recurse(|| self.patterns(into))?;
            self.close(Punct::RightParen, open)?;
            return Ok(());
        }
        loop {
            into.push(self.pattern()?);
            if self.at(Punct::LeftParen) {
                let open = self.open(Punct::LeftParen)?;
                base::deep::recurse(|| self.patterns(into))?;
                self.close(Punct::RightParen, open)?;
                return Ok(());
            }
            if !self.eat(Punct::Comma) {
                return Ok(());
            }
            if self.at(Punct::LeftParen) {
                return base::deep::recurse(|| self.patterns(into));
            }
        }
    }

    fn pattern(&mut self) -> Read<ExprId> {
        let start = self.span();
        match self.tok() {
            Tok::Word(Word::Eval) => {
                self.advance();
                let open = self.open(Punct::LeftParen)?;
                let value = self.expression()?;
                let span = start.to(self.close(Punct::RightParen, open)?);
                Ok(self.node(ExprKind::Eval(value), span))
            }
            Tok::Punct(Punct::Minus) => {
                self.advance();
                if self.tok() != Tok::Number {
                    return Err(self.unexpected("a number"));
                }
                let value = self.primary()?;
                let ExprKind::Constant(value, _) = self.tree.exprs[value].kind else {
                    return Ok(value);
                };
                let span = start.to(self.last_span());
                Ok(self.node(ExprKind::Constant(value.wrapping_neg(), Form::Number), span))
            }
            Tok::Number | Tok::Char | Tok::Word(Word::True | Word::False | Word::Skip) => {
                self.primary()
            }
            Tok::Ident if self.constants.contains(&self.token().text) => self.primary(),
            Tok::Ident => self.reference(),
            _ => Err(self.unexpected("a variable, a constant or eval(…)")),
        }
    }
}
