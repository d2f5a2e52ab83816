//! Reads Prolog terms: atoms, numbers, compounds, lists, variables, comments.
//!
//! Only what exporters write: no operators, no strings. Nesting is bounded, so that hostile input ends in an
//! error and not in an overflow.
//! Invariant: atoms are interned; a term is a tree that owns its parts.

use base::{Name, deep};

/// A term.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Term {
    /// `atom`, `'Atom'`
    Atom(Name),
    /// Digits with an optional sign.
    Number(String),
    /// `f(a, b)`
    Compound(Name, Vec<Term>),
    /// `[a, b]`
    List(Vec<Term>),
    /// `_x`, `X`
    Variable,
}

/// Why a text is no term, and where.
#[derive(Debug)]
pub(super) struct Broken {
    /// What is wrong.
    pub(super) message: String,
    /// At which byte.
    pub(super) at: usize,
}

/// Reads one term that starts at `at`; gives the place behind it as well.
pub(super) fn read(text: &str, at: usize) -> Result<(Term, usize), Broken> {
    let mut reader = Reader {
        text,
        at,
        nesting: 0,
    };
    let term = reader.term()?;
    Ok((term, reader.at))
}

/// How deep terms may be nested: a conjunction in binary form is nested as often as it has conjuncts.
const MAX_NESTING: usize = 5_000;

struct Reader<'t> {
    text: &'t str,
    at: usize,
    nesting: usize,
}

impl Reader<'_> {
    fn broken<T>(&self, message: impl Into<String>) -> Result<T, Broken> {
        Err(Broken {
            message: message.into(),
            at: self.at.min(self.text.len()),
        })
    }

    fn rest(&self) -> &str {
        self.text.get(self.at..).unwrap_or("")
    }

    fn blank(&mut self) {
        loop {
            let rest = self.rest();
            let trimmed = rest.trim_start();
            let mut at = self.at + rest.len() - trimmed.len();
            if trimmed.starts_with('%') {
                at += trimmed.find('\n').unwrap_or(trimmed.len());
            } else if let Some(comment) = trimmed.strip_prefix("/*") {
                at += comment
                    .find("*/")
                    .map_or(trimmed.len(), |length| length + 4);
            } else {
                self.at = at;
                return;
            }
            self.at = at;
        }
    }

    fn next(&mut self) -> Option<char> {
        self.blank();
        self.rest().chars().next()
    }

    fn term(&mut self) -> Result<Term, Broken> {
        self.nesting += 1;
        if self.nesting > MAX_NESTING {
            return self.broken("a term is nested too deeply");
        }
        let term = deep::recurse(|| self.term_here());
        self.nesting -= 1;
        term
    }

    fn term_here(&mut self) -> Result<Term, Broken> {
        match self.next() {
            None => self.broken("the text ends inside a term"),
            Some('[') => {
                self.at += 1;
                if self.next() == Some(']') {
                    self.at += 1;
                    return Ok(Term::List(Vec::new()));
                }
                Ok(Term::List(self.arguments(']')?))
            }
            Some('\'') => {
                let atom = self.quoted()?;
                self.compound(atom)
            }
            Some(c) if c.is_ascii_digit() => Ok(Term::Number(self.digits())),
            Some('-') => {
                self.at += 1;
                match self.rest().chars().next() {
                    Some(c) if c.is_ascii_digit() => {
                        Ok(Term::Number(format!("-{}", self.digits())))
                    }
                    _ => self.broken("`-` stands before no number"),
                }
            }
            Some('_') => {
                self.word();
                Ok(Term::Variable)
            }
            Some(c) if c.is_uppercase() => {
                self.word();
                Ok(Term::Variable)
            }
            Some(c) if c.is_alphabetic() => {
                let atom = Name::new(&self.word());
                self.compound(atom)
            }
            Some(c) if "+*/\\^<>=~:.?@#&$".contains(c) => {
                let rest = self.rest();
                let end = rest
                    .find(|c| !"+-*/\\^<>=~:.?@#&$".contains(c))
                    .unwrap_or(rest.len());
                let atom = Name::new(&rest[..end]);
                self.at += end;
                self.compound(atom)
            }
            Some(c) => self.broken(format!("`{c}` starts no term")),
        }
    }

    /// An atom, or what it is applied to: the bracket follows at once.
    fn compound(&mut self, atom: Name) -> Result<Term, Broken> {
        if !self.rest().starts_with('(') {
            return Ok(Term::Atom(atom));
        }
        self.at += 1;
        Ok(Term::Compound(atom, self.arguments(')')?))
    }

    fn arguments(&mut self, close: char) -> Result<Vec<Term>, Broken> {
        let mut terms = Vec::new();
        loop {
            terms.push(self.term()?);
            match self.next() {
                Some(',') => self.at += 1,
                Some(c) if c == close => {
                    self.at += 1;
                    return Ok(terms);
                }
                Some(c) => return self.broken(format!("`,` or `{close}` is needed, not `{c}`")),
                None => return self.broken(format!("`{close}` is missing")),
            }
        }
    }

    fn word(&mut self) -> String {
        let rest = self.rest();
        let end = rest
            .find(|c: char| !(c.is_alphanumeric() || c == '_'))
            .unwrap_or(rest.len());
        let word = rest[..end].to_owned();
        self.at += end;
        word
    }

    fn digits(&mut self) -> String {
        let rest = self.rest();
        let end = rest
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(rest.len());
        let digits = rest[..end].to_owned();
        self.at += end;
        digits
    }

    /// `'…'`, with `''` and the escapes of Prolog.
    fn quoted(&mut self) -> Result<Name, Broken> {
        self.at += 1;
        let mut atom = String::new();
        let mut chars = self.rest().char_indices().peekable();
        let mut escaped = false;
        while let Some((offset, c)) = chars.next() {
            if escaped {
                escaped = false;
                match c {
                    'n' => atom.push('\n'),
                    't' => atom.push('\t'),
                    'r' => atom.push('\r'),
                    '\n' => {}
                    'x' | '0'..='9' => {
                        let radix = if c == 'x' { 16 } else { 8 };
                        let mut code = c.to_digit(10).unwrap_or(0);
                        while let Some((_, digit)) =
                            chars.next_if(|(_, digit)| digit.is_digit(radix))
                        {
                            code = code
                                .wrapping_mul(radix)
                                .wrapping_add(digit.to_digit(radix).unwrap_or(0));
                        }
                        chars.next_if(|(_, c)| *c == '\\');
                        atom.push(char::from_u32(code).unwrap_or('\u{fffd}'));
                    }
                    other => atom.push(other),
                }
            } else if c == '\\' {
                escaped = true;
            } else if c == '\'' {
                if chars.next_if(|(_, next)| *next == '\'').is_some() {
                    atom.push('\'');
                } else {
                    self.at += offset + 1;
                    return Ok(Name::new(&atom));
                }
            } else {
                atom.push(c);
            }
        }
        self.broken("a quoted atom is not closed")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reads(text: &str) -> Option<Term> {
        read(text, 0).ok().map(|(term, _)| term)
    }

    fn atom(text: &str) -> Term {
        Term::Atom(Name::new(text))
    }

    #[test]
    fn atoms_numbers_lists_and_compounds_are_read() {
        assert_eq!(reads("abc"), Some(atom("abc")));
        assert_eq!(reads(r"'it\'s'"), Some(atom("it's")));
        assert_eq!(reads("'it''s'"), Some(atom("it's")));
        assert_eq!(reads("-12"), Some(Term::Number("-12".to_owned())));
        assert_eq!(reads("[]"), Some(Term::List(Vec::new())));
        assert_eq!(
            reads("f( [a , /* b */ 'C'], X) % end"),
            Some(Term::Compound(
                Name::new("f"),
                vec![Term::List(vec![atom("a"), atom("C")]), Term::Variable]
            ))
        );
    }

    #[test]
    fn broken_terms_are_errors_with_a_place() {
        for (text, at) in [("f(a", 3), ("'abc", 1), ("[a,]", 3), ("", 0), ("f(a b)", 4)] {
            let broken = read(text, 0).err();
            assert_eq!(broken.map(|broken| broken.at), Some(at), "{text}");
        }
    }

    #[test]
    fn hostile_nesting_is_an_error() {
        assert!(read(&"f(".repeat(100_000), 0).is_err());
        assert!(read(&"[".repeat(100_000), 0).is_err());
    }
}
