//! Operator templates of the standard: `function 30 leftassoc (_ ∪ _)`.
//!
//! They are read before anything else, because a text may use an operator before it declares it.

use base::{Diagnostic, Diagnostics, Name};
use rustc_hash::FxHashMap;

use super::{Failed, Parsed, Parser, placed};
use crate::codes;
use crate::lex::{Document, Key, Tok, Token};
use crate::ops::{Assoc, Infix, Ops, Prefix};
use crate::tree::{Fix, Ident, Paragraph, ParagraphKind, Template};

/// Adds the operators that templates of the document declare.
pub(crate) fn declare_templates(document: &Document, ops: &mut Ops) {
    for chunk in &document.chunks {
        for (at, token) in chunk.body.iter().enumerate() {
            let Tok::Key(category @ (Key::Function | Key::Relation | Key::Generic)) = token.tok
            else {
                continue;
            };
            let words = &chunk.body[at + 1..];
            declare(category, words, ops);
        }
    }
}

fn declare(category: Key, tokens: &[Token], ops: &mut Ops) {
    let mut level = None;
    let mut right = false;
    let mut rest = tokens;
    loop {
        match rest.first().map(|t| &t.tok) {
            Some(Tok::Number(number)) => level = number.to_string().parse::<u16>().ok(),
            Some(Tok::Key(Key::RightAssoc)) => right = true,
            Some(Tok::Key(Key::LeftAssoc)) => {}
            _ => break,
        }
        rest = &rest[1..];
    }
    let kinds: Vec<&Tok> = rest.iter().take(5).map(|t| &t.tok).collect();
    let place = Tok::Key(Key::Underscore);
    let open = Tok::Key(Key::LParen);
    let close = Tok::Key(Key::RParen);
    match kinds.as_slice() {
        [a, b, Tok::Word(word), c, d]
            if **a == open && **b == place && **c == place && **d == close =>
        {
            let infix = match category {
                Key::Relation => Infix::Relation,
                Key::Generic => Infix::Generic(level.map_or(crate::ops::ARROW, |l| l.clamp(1, 7))),
                _ => Infix::Function(
                    level.unwrap_or(30).max(9),
                    if right { Assoc::Right } else { Assoc::Left },
                ),
            };
            // The toolkit's own operators keep the levels of the dialect.
            if ops.infix(*word).is_none() {
                ops.add_infix(*word, infix);
            }
        }
        [a, Tok::Word(word), b, c, ..] if **a == open && **b == place && **c == close => {
            let prefix = match category {
                Key::Relation => Prefix::Relation,
                Key::Generic => Prefix::Generic,
                _ => Prefix::Function,
            };
            if ops.prefix(*word).is_none() && placed(*word, Fix::Prefix) != *word {
                ops.add_prefix(*word, prefix);
            }
        }
        [a, b, Tok::Word(word), c, ..] if **a == open && **b == place && **c == close => {
            ops.add_postfix(*word);
        }
        _ => {}
    }
}

impl Parser<'_> {
    /// A template; its operator is known already.
    pub(super) fn template(&mut self) -> Parsed<Template> {
        let Tok::Key(category) = *self.peek() else {
            return Err(self.unexpected("a template"));
        };
        self.advance();
        let (mut level, mut right) = (None, false);
        loop {
            match self.peek() {
                Tok::Number(number) => level = number.to_string().parse().ok(),
                Tok::Key(Key::RightAssoc) => right = true,
                Tok::Key(Key::LeftAssoc) => {}
                _ => break,
            }
            self.advance();
        }
        let open = self.span();
        let bracketed = self.eat(Key::LParen);
        let name = self.template_name()?;
        if bracketed {
            self.close(Key::RParen, "`)`", open)?;
        }
        Ok(Template {
            category,
            level,
            right,
            name,
        })
    }

    fn template_name(&mut self) -> Parsed<Ident> {
        let start = self.span();
        let before = self.eat(Key::Underscore);
        let word = match *self.peek() {
            Tok::Word(word) => word,
            _ => return Err(self.unsupported_template()),
        };
        if has_stroke(word.as_str()) {
            let span = self.span();
            let message = format!("the operator `{word}` is decorated");
            let problem = Diagnostic::error(&codes::UNEXPECTED, span, message);
            let help = "a template declares the plain word; its decorations are operators then";
            self.diagnostics.push(problem.help(help));
            return Err(Failed);
        }
        self.advance();
        let after = self.eat(Key::Underscore);
        let fix = match (before, after) {
            (true, true) => Fix::Infix,
            (true, false) => Fix::Postfix,
            (false, _) => Fix::Prefix,
        };
        if !matches!(self.peek(), Tok::Key(Key::RParen) | Tok::Newline | Tok::End) {
            return Err(self.unsupported_template());
        }
        Ok(Ident {
            name: placed(word, fix),
            span: start.to(self.last_span()),
        })
    }

    fn unsupported_template(&mut self) -> Failed {
        let span = self.span();
        let diagnostics: &mut Diagnostics = self.diagnostics;
        diagnostics.push(
            Diagnostic::error(
                &codes::TEMPLATE,
                span,
                "operators of several words or with lists of operands cannot be read",
            )
            .help("an operator has one word, before, between or after its operands"),
        );
        Failed
    }
}

/// Whether a word ends with a decoration: a stroke, or a number below the line.
fn has_stroke(word: &str) -> bool {
    let number = word
        .strip_suffix('↖')
        .map(|rest| rest.trim_end_matches(|c: char| c.is_ascii_digit()));
    word.ends_with(['?', '!', '\'', '′']) || number.is_some_and(|rest| rest.ends_with('↘'))
}

/// Reports templates that declare an operator again, and differently.
pub(crate) fn check_templates(paragraphs: &[Paragraph], diagnostics: &mut Diagnostics) {
    let mut known: FxHashMap<Name, (Key, Option<u16>, bool)> = FxHashMap::default();
    for paragraph in paragraphs {
        let ParagraphKind::Template(template) = &paragraph.kind else {
            continue;
        };
        let (name, says) = (
            template.name,
            (template.category, template.level, template.right),
        );
        if *known.entry(name.name).or_insert(says) != says {
            let message = format!("the operator `{}` has another template", name.name);
            diagnostics.push(Diagnostic::error(&codes::REDECLARED, name.span, message));
        }
    }
}
