//! The value of the expression of an `#if`, as C computes it.
//!
//! Differs: numbers are 64 bits and wrap; a name that is no macro is 0, as in C.

use base::{Diagnostic, Span, deep};

use super::Reader;
use crate::codes::preprocess as code;
use crate::lex::{Punct, Tok, Token};

impl Reader<'_> {
    /// Whether the condition of an `#if` holds; what is no expression is reported and does not hold.
    pub(super) fn condition(&mut self, tokens: &[Token], place: Span) -> bool {
        let tokens = self.decide_defined(tokens);
        let tokens = self.expand(&tokens);
        let mut evaluator = Evaluator {
            tokens: &tokens,
            at: 0,
            depth: 0,
        };
        let value = evaluator.choice();
        match value {
            Ok(value) if evaluator.at == tokens.len() => value != 0,
            found => {
                let what = found.err().unwrap_or("an operator is missing");
                let span = tokens.get(evaluator.at).map_or(place, |token| token.span);
                let message = format!("the condition cannot be decided: {what}");
                self.report(Diagnostic::error(&code::CONDITION, span, message));
                false
            }
        }
    }

    /// Puts numbers in the place of `defined NAME` and `defined(NAME)`, before macros are replaced.
    fn decide_defined(&self, tokens: &[Token]) -> Vec<Token> {
        let mut out = Vec::with_capacity(tokens.len());
        let mut at = 0;
        while let Some(token) = tokens.get(at) {
            let is_defined = token.tok == Tok::Ident && token.text.as_str() == "defined";
            let parenthesised = tokens
                .get(at + 1)
                .is_some_and(|next| next.is(Punct::LeftParen));
            let name = tokens.get(at + 1 + usize::from(parenthesised));
            match name {
                Some(name) if is_defined && name.tok == Tok::Ident => {
                    let known = self.macros.contains_key(&name.text);
                    let text = if known { "1" } else { "0" };
                    out.push(Token {
                        tok: Tok::Number,
                        text: text.into(),
                        ..*token
                    });
                    let close = at + 2 + usize::from(parenthesised);
                    at = close + usize::from(parenthesised && close < tokens.len());
                }
                _ => {
                    out.push(*token);
                    at += 1;
                }
            }
        }
        out
    }
}

/// A value, or what keeps it from having one.
type Valued = Result<i64, &'static str>;

struct Evaluator<'t> {
    tokens: &'t [Token],
    at: usize,
    depth: usize,
}

impl Evaluator<'_> {
    fn punct(&self) -> Option<Punct> {
        match self.tokens.get(self.at)?.tok {
            Tok::Punct(punct) => Some(punct),
            _ => None,
        }
    }

    fn eat(&mut self, punct: Punct) -> bool {
        let found = self.punct() == Some(punct);
        self.at += usize::from(found);
        found
    }

    /// `c ? a : b`, and everything that binds tighter.
    fn choice(&mut self) -> Valued {
        self.depth += 1;
        if self.depth > deep::MAX_NESTING {
            return Err("it is nested too deeply");
        }
        let value = deep::recurse(|| {
            let condition = self.binary(0)?;
            if !self.eat(Punct::Receive) {
                return Ok(condition);
            }
            let yes = self.choice()?;
            if !self.eat(Punct::Colon) {
                return Err("\":\" is missing");
            }
            let no = self.choice()?;
            Ok(if condition != 0 { yes } else { no })
        });
        self.depth -= 1;
        value
    }

    fn binary(&mut self, least: u8) -> Valued {
        let mut left = self.unary()?;
        while let Some((punct, level)) = self
            .punct()
            .and_then(level)
            .filter(|found| found.1 >= least)
        {
            self.at += 1;
            let right = deep::recurse(|| self.binary(level + 1))?;
            left = apply(punct, left, right)?;
        }
        Ok(left)
    }

    fn unary(&mut self) -> Valued {
        let mut signs = Vec::new();
        while let Some(punct) = self.punct().filter(|punct| {
            use Punct::*;
            matches!(punct, Send | SortedSend | Minus | Plus | Complement)
        }) {
            signs.push(punct);
            self.at += 1;
        }
        let mut value = self.primary()?;
        for sign in signs.into_iter().rev() {
            value = match sign {
                Punct::Send => i64::from(value == 0),
                Punct::SortedSend => i64::from(value != 0),
                Punct::Minus => value.wrapping_neg(),
                Punct::Complement => !value,
                _ => value,
            };
        }
        Ok(value)
    }

    fn primary(&mut self) -> Valued {
        if self.eat(Punct::LeftParen) {
            let value = self.choice()?;
            return match self.eat(Punct::RightParen) {
                true => Ok(value),
                false => Err("\")\" is missing"),
            };
        }
        let Some(token) = self.tokens.get(self.at) else {
            return Err("something is missing");
        };
        self.at += 1;
        match token.tok {
            Tok::Ident => Ok(0),
            Tok::Number => self.number(*token),
            Tok::Char => Ok(i64::from(crate::parse::character(token.text.as_str()))),
            _ => {
                self.at -= 1;
                Err("this is no number and no name")
            }
        }
    }

    /// A number of C: decimal, octal or hexadecimal, with suffixes.
    fn number(&mut self, token: Token) -> Valued {
        let mut text = token.text.as_str().to_owned();
        if let Some(tail) = self.tokens.get(self.at)
            && tail.glued
            && tail.tok == Tok::Ident
        {
            text.push_str(tail.text.as_str());
            self.at += 1;
        }
        let text = text.to_ascii_lowercase();
        let digits = text.trim_end_matches(['u', 'l']);
        let value = match digits.strip_prefix("0x") {
            Some(hexadecimal) => i64::from_str_radix(hexadecimal, 16),
            None if digits.len() > 1 && digits.starts_with('0') => i64::from_str_radix(digits, 8),
            None => digits.parse(),
        };
        value.map_err(|_| "this is no number")
    }
}

/// How tightly an operator binds.
fn level(punct: Punct) -> Option<(Punct, u8)> {
    use Punct::*;
    let level = match punct {
        Or => 1,
        And => 2,
        BitOr => 3,
        BitXor => 4,
        BitAnd => 5,
        Equal | NotEqual => 6,
        Less | Greater | LessEqual | GreaterEqual => 7,
        ShiftLeft | ShiftRight => 8,
        Plus | Minus => 9,
        Times | Divide | Remainder => 10,
        _ => return None,
    };
    Some((punct, level))
}

fn apply(punct: Punct, a: i64, b: i64) -> Valued {
    use Punct::*;
    Ok(match punct {
        Or => i64::from(a != 0 || b != 0),
        And => i64::from(a != 0 && b != 0),
        BitOr => a | b,
        BitXor => a ^ b,
        BitAnd => a & b,
        Equal => i64::from(a == b),
        NotEqual => i64::from(a != b),
        Less => i64::from(a < b),
        Greater => i64::from(a > b),
        LessEqual => i64::from(a <= b),
        GreaterEqual => i64::from(a >= b),
        ShiftLeft => a.wrapping_shl(b as u32),
        ShiftRight => a.wrapping_shr(b as u32),
        Plus => a.wrapping_add(b),
        Minus => a.wrapping_sub(b),
        Times => a.wrapping_mul(b),
        Divide if b != 0 => a.wrapping_div(b),
        Remainder if b != 0 => a.wrapping_rem(b),
        _ => return Err("it divides by zero"),
    })
}
