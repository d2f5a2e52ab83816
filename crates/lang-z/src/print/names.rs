//! Names, with their strokes and places.

use base::Name;

use super::{Markup, Printer};
use crate::lex::symbols::{self, GREEK};
use crate::lex::token::split_strokes;
use crate::tree::Fix;

/// The word of an operator name, and how it stands to its operands.
pub(super) fn operator(name: Name) -> Option<(Name, Fix)> {
    let text = name.as_str();
    if text.len() < 2 {
        return None;
    }
    let before = text.strip_prefix('_');
    match (before, text.strip_suffix('_')) {
        (Some(rest), Some(_)) => {
            let word = rest.strip_suffix('_')?;
            (!word.is_empty()).then(|| (Name::new(word), Fix::Infix))
        }
        (Some(word), None) => Some((Name::new(word), Fix::Postfix)),
        (None, Some(word)) => Some((Name::new(word), Fix::Prefix)),
        (None, None) => None,
    }
}

impl Printer<'_> {
    /// A name as it is declared or referred to.
    pub(super) fn name(&mut self, name: Name) {
        match operator(name) {
            Some((word, fix)) => {
                let (before, after) = match fix {
                    Fix::Infix => (true, true),
                    Fix::Prefix => (false, true),
                    Fix::Postfix => (true, false),
                };
                if before {
                    self.sign("_");
                    self.put(" ");
                }
                self.word(word);
                if after {
                    self.put(" ");
                    self.sign("_");
                }
            }
            None => self.word(name),
        }
    }

    /// A word with its strokes.
    pub(super) fn word(&mut self, name: Name) {
        let text = name.as_str();
        if let Some(symbol) = symbols::by_unicode(text) {
            let spelling = match self.markup {
                Markup::Unicode => with_subscripts(symbol.unicode),
                Markup::Latex => symbol.latex.to_owned(),
            };
            return self.put(&spelling);
        }
        let (base, strokes) = split_strokes(text);
        match self.markup {
            Markup::Unicode => {
                self.put(base.trim_start_matches('\\'));
                let strokes = with_subscripts(strokes).replace('\'', "′");
                self.put(&strokes);
            }
            Markup::Latex => {
                let base = match symbols::by_unicode(base) {
                    Some(symbol) => symbol.latex.to_owned(),
                    None => latex_word(base),
                };
                self.put(&base);
                let mut rest = strokes;
                while let Some(c) = rest.chars().next() {
                    if c != '_' {
                        self.out.push(c);
                        rest = &rest[1..];
                        continue;
                    }
                    let digits = rest[1..].find(|c: char| !c.is_ascii_digit());
                    let end = digits.map_or(rest.len(), |n| n + 1);
                    self.put(&format!("_{{{}}}", &rest[1..end]));
                    rest = &rest[end..];
                }
            }
        }
    }
}

/// `_1` as `↘1↖`.
fn with_subscripts(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('_') {
        out.push_str(&rest[..at]);
        let after = &rest[at + 1..];
        let end = after
            .find(|c: char| !c.is_ascii_digit())
            .unwrap_or(after.len());
        if end == 0 {
            out.push('_');
        } else {
            out.push_str(&format!("↘{}↖", &after[..end]));
        }
        rest = &after[end..];
    }
    out.push_str(rest);
    out
}

/// A word in LaTeX: Greek letters are commands, underscores are escaped.
fn latex_word(base: &str) -> String {
    let mut out = String::new();
    for c in base.chars() {
        let greek = GREEK.iter().find(|(_, letter)| letter.chars().eq([c]));
        match greek {
            Some((command, _)) => {
                out.push_str(command);
                out.push(' ');
            }
            None if c == '_' => out.push_str("\\_"),
            None => out.push(c),
        }
    }
    out.trim_end().to_owned()
}
