//! Inlines: their text is put in the place of each call, with the arguments in the place of the parameters; and the
//! embedded C that is refused.
//!
//! Differs from SPIN: what a reader is shown is the tree of the block; the order of reading is the same.
//! Invariant: inlines do not call themselves, and the tokens they make are counted, so reading ends.

use std::rc::Rc;

use base::{Diagnostic, Name, Span, deep};

use super::{Inline, Parser, Read};
use crate::codes::syntax as code;
use crate::lex::{Punct, Tok, Token, Word};
use crate::syntax::{self, Binding, ExprId, StmtKind};
use base::counted;

/// How many tokens inlines may make.
const MAX_MADE: usize = 2_000_000;

impl Parser {
    /// `inline f(a, b) { … }`: the body is kept as tokens.
    pub(super) fn inline_definition(&mut self) -> Read<()> {
        let begin = self.advance();
        let name = self.name("the name of an inline")?;
        let open = self.open(Punct::LeftParen)?;
        let mut parameters = Vec::new();
        while !self.at(Punct::RightParen) {
            if !parameters.is_empty() {
                self.expect(Punct::Comma)?;
            }
            parameters.push(self.name("the name of a parameter")?);
        }
        self.close(Punct::RightParen, open)?;
        let start = self.pos;
        if !self.at(Punct::LeftBrace) {
            return Err(self.unexpected("\"{\""));
        }
        self.skip_braces()?;
        let body = Rc::from(&self.tokens[start..self.pos]);
        if let Some(first) = self.inlines.get(&name.name) {
            let also = first.name.span;
            let message = format!("the inline \"{}\" is defined twice", name.name);
            let diagnostic = Diagnostic::error(&code::DUPLICATE_INLINE, name.span, message);
            self.complain(diagnostic.also(also, "first defined here"));
        }
        let end = self.tokens[self.pos - 1].span;
        self.tree.inlines.push(syntax::Inline {
            name,
            parameters: parameters.clone(),
            span: begin.to(end),
        });
        let inline = Inline {
            name,
            parameters: parameters.iter().map(|one| one.name).collect(),
            body,
        };
        self.inlines.insert(name.name, Rc::new(inline));
        Ok(())
    }

    /// Skips a balanced `{ … }`.
    fn skip_braces(&mut self) -> Read<()> {
        let open = self.span();
        let mut depth = 0usize;
        loop {
            match self.token().tok {
                Tok::Punct(Punct::LeftBrace) => depth += 1,
                Tok::Punct(Punct::RightBrace) => depth -= 1,
                Tok::Eof => {
                    let diagnostic =
                        Diagnostic::error(&code::UNCLOSED, open, "\"{\" is never closed");
                    return Err(self.error(diagnostic));
                }
                _ => {}
            }
            self.pos += 1;
            if depth == 0 {
                return Ok(());
            }
        }
    }

    /// A call; `target` takes the value that is returned.
    pub(super) fn call(&mut self, target: Option<ExprId>) -> Read<StmtKind> {
        let call = self.name("an inline")?;
        let inline = self.inlines[&call.name].clone();
        let arguments = self.call_arguments()?;
        if arguments.len() != inline.parameters.len() {
            let message = format!(
                "the inline \"{}\" has {} and is given {}",
                call.name,
                counted(inline.parameters.len(), "parameter"),
                arguments.len()
            );
            let diagnostic = Diagnostic::error(&code::WRONG_INLINE_CALL, call.span, message);
            self.complain(diagnostic.also(inline.name.span, "defined here"));
            return Ok(StmtKind::Error);
        }
        if self.calls.iter().any(|(name, _)| *name == call.name) {
            let message = format!("the inline \"{}\" calls itself", call.name);
            let diagnostic = Diagnostic::error(&code::RECURSIVE_INLINE, call.span, message);
            self.complain(diagnostic.also(inline.name.span, "defined here"));
            return Ok(StmtKind::Error);
        }
        let tokens = substituted(&inline, &arguments, self.tokens[self.tokens.len() - 1]);
        self.made += tokens.len();
        if self.made > MAX_MADE {
            let message = format!("inlines make more than {MAX_MADE} tokens");
            return Err(self.give_up(Diagnostic::error(&code::TOO_DEEP, call.span, message)));
        }
        self.calls.push((call.name, target));
        let kind = self.within(tokens, call);
        self.calls.pop();
        kind
    }

    /// Reads the block that a call stands for.
    fn within(&mut self, tokens: Vec<Token>, call: Binding) -> Read<StmtKind> {
        let reported = self.diagnostics.iter().count();
        let outer = std::mem::replace(&mut self.tokens, tokens.into());
        let place = (
            self.pos,
            self.separated.take(),
            self.last_error.take(),
            self.parentheses,
        );
        self.pos = 0;
        self.parentheses = 0;
        let body = deep::recurse(|| self.block());
        self.tokens = outer;
        (self.pos, self.separated, self.last_error, self.parentheses) = place;
        if self.stopped {
            self.pos = self.tokens.len() - 1;
        }
        for diagnostic in self.diagnostics.iter_mut().skip(reported) {
            let text = format!("in this call of \"{}\"", call.name);
            diagnostic.secondary.push(base::Label {
                span: call.span,
                text,
            });
        }
        match body {
            Ok(body) => Ok(StmtKind::Block {
                body,
                call: Some(call),
            }),
            Err(fail) if self.stopped => Err(fail),
            Err(_) => Ok(StmtKind::Error),
        }
    }

    /// The arguments of a call as tokens.
    fn call_arguments(&mut self) -> Read<Vec<Vec<Token>>> {
        let open = self.span();
        if !self.at(Punct::LeftParen) {
            return Err(self.unexpected("\"(\""));
        }
        let mut arguments: Vec<Vec<Token>> = Vec::new();
        let mut current = Vec::new();
        let mut depth = 0usize;
        loop {
            let token = self.token();
            match token.tok {
                Tok::Eof => {
                    let diagnostic =
                        Diagnostic::error(&code::UNCLOSED, open, "\"(\" is never closed");
                    return Err(self.error(diagnostic));
                }
                Tok::Punct(Punct::LeftParen | Punct::LeftBracket) => depth += 1,
                Tok::Punct(Punct::RightParen | Punct::RightBracket) => depth -= 1,
                _ => {}
            }
            self.pos += 1;
            match token.tok {
                Tok::Punct(Punct::LeftParen) if depth == 1 => continue,
                Tok::Punct(_) if depth == 0 => break,
                Tok::Punct(Punct::Comma) if depth == 1 => {
                    arguments.push(std::mem::take(&mut current))
                }
                _ => current.push(Token {
                    first: false,
                    ..token
                }),
            }
        }
        if !current.is_empty() || !arguments.is_empty() {
            arguments.push(current);
        }
        Ok(arguments)
    }

    /// `return e` in an inline.
    pub(super) fn return_value(&mut self, start: Span) -> Read<StmtKind> {
        self.advance();
        let target = self.calls.last().and_then(|(_, target)| *target);
        let value = self.full_expression()?;
        match target {
            Some(target) => Ok(StmtKind::Assign(target, value)),
            None => {
                let message = "return needs an inline that is called as x = f(…)";
                self.complain(Diagnostic::error(&code::RETURN, start, message));
                Ok(StmtKind::Error)
            }
        }
    }

    /// Reads embedded C as far as it must be skipped, and refuses it.
    pub(super) fn embedded_c(&mut self) -> Read<()> {
        let token = self.token();
        self.advance();
        let message = format!("embedded C ({}) is not supported", token.text);
        self.complain(Diagnostic::error(&code::EMBEDDED_C, token.span, message));
        if matches!(token.tok, Tok::Word(Word::CState | Word::CTrack)) {
            while self.token().tok == Tok::Str {
                self.pos += 1;
            }
            return Ok(());
        }
        if self.at(Punct::LeftBracket) {
            while !matches!(self.token().tok, Tok::Eof | Tok::Punct(Punct::LeftBrace)) {
                self.pos += 1;
            }
        }
        if !self.token().is(Punct::LeftBrace) {
            return Err(self.unexpected("\"{\""));
        }
        self.skip_braces()
    }
}

/// The body of an inline with its arguments put in, and an end.
fn substituted(inline: &Inline, arguments: &[Vec<Token>], end: Token) -> Vec<Token> {
    let mut tokens = Vec::with_capacity(inline.body.len() + 1);
    for token in inline.body.iter() {
        let parameter = |name: Name| inline.parameters.iter().position(|known| *known == name);
        match parameter(token.text).filter(|_| token.tok == Tok::Ident) {
            Some(index) => {
                for (i, argument) in arguments[index].iter().enumerate() {
                    let (first, glued) = if i == 0 {
                        (token.first, token.glued)
                    } else {
                        (false, argument.glued)
                    };
                    tokens.push(Token {
                        first,
                        glued,
                        ..*argument
                    });
                }
            }
            None => tokens.push(*token),
        }
    }
    tokens[0].first = false;
    tokens.push(Token {
        tok: Tok::Eof,
        first: false,
        ..end
    });
    tokens
}
