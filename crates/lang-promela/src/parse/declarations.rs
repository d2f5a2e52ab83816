//! Declarations of variables, parameters and fields.

use base::Diagnostic;

use super::{Parser, Read};
use crate::codes::syntax as code;
use crate::lex::{Punct, Tok, Word};
use crate::syntax::{Declaration, Initialiser, Type, VarId, Variable, Visibility};

impl Parser {
    /// Whether a declaration begins here.
    pub(super) fn at_declaration(&self) -> bool {
        use Word::*;
        match self.tok() {
            Tok::Word(
                Hidden | Show | Local | Bit | Bool | Byte | Pid | Short | Int | Unsigned | Mtype
                | Chan,
            ) => true,
            Tok::Ident => self.structures.contains(&self.token().text),
            _ => false,
        }
    }

    /// Reads a declaration.
    pub(super) fn declaration(&mut self) -> Read<Declaration> {
        let start = self.span();
        let visibility = match self.tok() {
            Tok::Word(Word::Hidden) => Some(Visibility::Hidden),
            Tok::Word(Word::Show) => Some(Visibility::Show),
            Tok::Word(Word::Local) => Some(Visibility::Local),
            _ => None,
        };
        if visibility.is_some() {
            self.advance();
        }
        let ty = self.written_type()?;
        let mut vars = Vec::new();
        loop {
            vars.push(self.variable(ty, visibility)?);
            if !self.eat(Punct::Comma) {
                break;
            }
        }
        Ok(Declaration {
            visibility,
            ty,
            vars,
            span: start.to(self.last_span()),
        })
    }

    /// Reads a type.
    fn written_type(&mut self) -> Read<Type> {
        let token = self.token();
        let ty = match self.tok() {
            Tok::Word(Word::Bit) => Type::Bit,
            Tok::Word(Word::Bool) => Type::Bool,
            Tok::Word(Word::Byte) => Type::Byte,
            Tok::Word(Word::Pid) => Type::Pid,
            Tok::Word(Word::Short) => Type::Short,
            Tok::Word(Word::Int) => Type::Int,
            Tok::Word(Word::Unsigned) => Type::Unsigned,
            Tok::Word(Word::Chan) => Type::Chan,
            Tok::Word(Word::Mtype) => {
                self.advance();
                return Ok(Type::Mtype(match self.eat(Punct::Colon) {
                    true => Some(self.name("the name of a subset")?),
                    false => None,
                }));
            }
            Tok::Ident if self.structures.contains(&token.text) => {
                Type::Named(self.name("a type")?)
            }
            Tok::Ident => {
                let message = format!("\"{}\" is no type", token.text);
                let mut diagnostic = Diagnostic::error(&code::UNEXPECTED, token.span, message);
                let known = self.structures.iter().map(|name| name.as_str());
                let types = [
                    "bit", "bool", "byte", "short", "int", "unsigned", "chan", "mtype", "pid",
                ];
                if let Some(meant) = base::near::nearest(token.text.as_str(), known.chain(types)) {
                    diagnostic = diagnostic.help(format!("did you mean {meant}?")).fix(meant);
                }
                return Err(self.error(diagnostic));
            }
            _ => return Err(self.unexpected("a type")),
        };
        if !matches!(ty, Type::Named(_)) {
            self.advance();
        }
        Ok(ty)
    }

    fn variable(&mut self, ty: Type, visibility: Option<Visibility>) -> Read<VarId> {
        if self.tok() == Tok::Ident && self.constants.contains(&self.token().text) {
            let message = format!(
                "\"{}\" is a symbolic name of an mtype list already",
                self.token().text
            );
            let diagnostic = Diagnostic::error(&code::CONFUSED_NAME, self.span(), message);
            return Err(self.error(diagnostic));
        }
        let name = self.name("the name of a variable")?;
        let mut width = None;
        let mut size = None;
        if self.eat(Punct::Colon) {
            if self.tok() != Tok::Number {
                return Err(self.unexpected("a number of bits"));
            }
            width = Some(self.primary()?);
        } else if self.at(Punct::LeftBracket) {
            let open = self.open(Punct::LeftBracket)?;
            size = Some(self.expression()?);
            self.close(Punct::RightBracket, open)?;
            if self.at(Punct::LeftBracket) {
                let message = "an array has one dimension";
                let diagnostic = Diagnostic::error(&code::UNEXPECTED, self.span(), message);
                return Err(self.error(
                    diagnostic.help("make an array of a typedef that has an array as a field"),
                ));
            }
        }
        let init = match self.eat(Punct::Assign) {
            true => Some(self.initialiser()?),
            false => None,
        };
        Ok(self.tree.vars.push(Variable {
            name,
            ty,
            visibility,
            size,
            width,
            init,
        }))
    }

    fn initialiser(&mut self) -> Read<Initialiser> {
        if self.at(Punct::LeftBrace) {
            return self.list_initialiser();
        }
        if !self.at(Punct::LeftBracket) {
            return Ok(Initialiser::Value(self.expression()?));
        }
        let open = self.open(Punct::LeftBracket)?;
        let capacity = self.expression()?;
        self.close(Punct::RightBracket, open)?;
        if !self.eat_word(Word::Of) {
            return Err(self.unexpected("\"of\""));
        }
        let braces = self.open(Punct::LeftBrace)?;
        if self.at(Punct::RightBrace) {
            let message = "the messages of a channel need at least one field";
            let diagnostic = Diagnostic::error(&code::EMPTY, self.span(), message);
            return Err(self.error(diagnostic));
        }
        let mut fields = vec![self.written_type()?];
        while self.eat(Punct::Comma) {
            fields.push(self.written_type()?);
        }
        let span = open.to(self.close(Punct::RightBrace, braces)?);
        Ok(Initialiser::Channel {
            capacity,
            fields,
            span,
        })
    }
}
