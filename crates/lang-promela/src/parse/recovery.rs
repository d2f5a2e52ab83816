//! Where reading goes on after an error: at the next statement, option or unit.

use super::Parser;
use crate::lex::{Punct, Tok, Word};

impl Parser {
    /// Skips the rest of a statement that could not be read: to a separator, or to what ends the sequence.
    pub(super) fn skip_statement(&mut self, nesting: usize) {
        self.nesting = nesting;
        self.parentheses = 0;
        let start = self.pos;
        let mut open = 0usize;
        loop {
            match self.tok() {
                Tok::Eof => return,
                Tok::Punct(Punct::Semicolon | Punct::Arrow | Punct::Options) if open == 0 => return,
                Tok::Word(Word::Fi | Word::Od) if open == 0 => return,
                Tok::Punct(Punct::RightBrace) if open == 0 => return,
                Tok::Word(
                    Word::Proctype | Word::DProctype | Word::Active | Word::Never | Word::Ltl,
                ) if self.token().first && self.pos > start => {
                    return;
                }
                Tok::Punct(Punct::LeftBrace) | Tok::Word(Word::If | Word::Do) => open += 1,
                Tok::Punct(Punct::RightBrace) | Tok::Word(Word::Fi | Word::Od) => open -= 1,
                _ => {}
            }
            self.advance();
        }
    }

    /// Skips to the next unit.
    pub(super) fn skip_unit(&mut self) {
        self.names_lost = true;
        self.nesting = 0;
        self.parentheses = 0;
        self.in_sequence = false;
        let mut open = 0usize;
        let mut moved = false;
        loop {
            use Word::*;
            match self.token().tok {
                Tok::Eof => return,
                Tok::Word(
                    Proctype | DProctype | Active | Init | Never | Ltl | Typedef | Inline | Trace
                    | Notrace,
                ) if moved && (open == 0 || self.token().first) => {
                    return;
                }
                Tok::Word(
                    Bit | Bool | Byte | Pid | Short | Int | Unsigned | Mtype | Chan | Hidden | Show,
                ) if moved && open == 0 && self.token().first => {
                    return;
                }
                Tok::Punct(Punct::Semicolon) if open == 0 => return,
                Tok::Punct(Punct::LeftBrace) => open += 1,
                Tok::Punct(Punct::RightBrace) => {
                    if open <= 1 {
                        self.advance();
                        return;
                    }
                    open -= 1;
                }
                _ => {}
            }
            self.advance();
            moved = true;
        }
    }
}
