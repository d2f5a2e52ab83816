//! The text of a formal paragraph in LaTeX as tokens.

mod scripts;

use scripts::one_below;

use base::{FileId, Name, Span};
use num_bigint::BigInt;

use crate::lex::Dialect;
use crate::lex::symbols::{self, GREEK, Role};
use crate::lex::token::{Key, Tok, Token};
use crate::ops::Ops;

/// Commands that are only layout.
const LAYOUT: &str = "quad qquad M O znewpage noindent displaystyle left right rm it sf bf tt mathrm mathit mathsf mathbf mathtt mbox hbox textit textsf textbf textrm texttt mathop mathbin mathrel big Big bigl bigr Bigl Bigr zbig zBig limits nolimits smallskip medskip bigskip hfill small footnotesize par zproof null allowbreak nobreak strut hline indent ensuremath sl em emph protect";
/// Commands that are layout together with their argument.
const LAYOUT_WITH_ARGUMENT: &str =
    "hspace vspace label hspace* vspace* footnote index zlabel kern znote ref";
/// Commands that separate lines.
const BREAKS: &str = "also Also ALSO zbreak ZBREAK newline cr";

/// The tokens of a formal text that stands at `offset` in its file.
pub(in crate::lex) fn tokens(
    text: &str,
    file: FileId,
    offset: usize,
    dialect: Dialect,
    ops: &Ops,
) -> Vec<Token> {
    let mut lexer = Lexer {
        text,
        file,
        offset,
        dialect,
        ops,
        at: 0,
        out: Vec::new(),
    };
    while lexer.at < text.len() {
        lexer.next();
    }
    lexer.out
}

struct Lexer<'a> {
    text: &'a str,
    file: FileId,
    offset: usize,
    dialect: Dialect,
    ops: &'a Ops,
    at: usize,
    out: Vec<Token>,
}

impl Lexer<'_> {
    fn push(&mut self, tok: Tok, start: usize) {
        let span = Span::new(
            self.file,
            (self.offset + start) as u32,
            (self.offset + self.at) as u32,
        );
        self.out.push(Token { tok, span });
    }

    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn next(&mut self) {
        let start = self.at;
        let rest = self.rest();
        let Some(c) = rest.chars().next() else { return };
        match c {
            '%' => self.at += rest.find('\n').unwrap_or(rest.len()),
            // Columns in fuzz; in the standard it joins free types.
            '&' if self.dialect == Dialect::Iso => {
                self.at += 1;
                self.push(Tok::Key(Key::Amp), start);
            }
            c if c.is_whitespace() || matches!(c, '~' | '&' | '{' | '}' | '$') => {
                self.at += c.len_utf8();
            }
            '\\' => self.command(start),
            '0'..='9' => {
                let length = rest
                    .find(|c: char| !c.is_ascii_digit())
                    .unwrap_or(rest.len());
                let number = rest[..length].parse::<BigInt>().unwrap_or_default();
                self.at += length;
                self.push(Tok::Number(number), start);
            }
            '\'' | '?' | '!' => {
                self.at += 1;
                self.stroke(Name::new(&c.to_string()), start);
            }
            '^' => self.superscript(start),
            '_' => self.subscript(start),
            '"' => self.quoted(start),
            c if c.is_alphabetic() => {
                let mut word = String::new();
                self.word_rest(&mut word);
                self.finish_word(word, start);
            }
            _ => self.symbol(start),
        }
    }

    /// Letters, digits and escaped underscores.
    fn word_rest(&mut self, word: &mut String) {
        loop {
            let rest = self.rest();
            if rest.starts_with("\\_") {
                word.push('_');
                self.at += 2;
                continue;
            }
            match rest.chars().next() {
                Some(c) if c.is_alphanumeric() => {
                    word.push(c);
                    self.at += c.len_utf8();
                }
                Some('_') if rest[1..].starts_with(|c: char| c.is_alphabetic()) => {
                    word.push('_');
                    self.at += 1;
                }
                _ => return,
            }
        }
    }

    fn finish_word(&mut self, mut word: String, start: usize) {
        self.strokes(&mut word);
        let tok = match word.as_str() {
            "true" => Tok::Key(Key::True),
            "false" => Tok::Key(Key::False),
            _ => Tok::Word(Name::new(&word)),
        };
        self.push(tok, start);
    }

    /// `"name"`
    fn quoted(&mut self, start: usize) {
        let inside = &self.rest()[1..];
        match inside.find('"') {
            Some(end) if !inside[..end].contains('\n') => {
                let word = inside[..end].to_owned();
                self.at += end + 2;
                self.finish_word(word, start);
            }
            _ => {
                self.at += 1;
                self.push(Tok::Bad(Name::new("\"")), start);
            }
        }
    }

    fn symbol(&mut self, start: usize) {
        for symbol in [
            "::=", "==", "..", ":", ";", ",", ".", "/", "(", ")", "[", "]", "|", "@", "=", "<",
            ">", "+", "-", "*",
        ] {
            if self.rest().starts_with(symbol) {
                self.at += symbol.len();
                self.known(symbol, start);
                return;
            }
        }
        let c = self.rest().chars().next().unwrap_or(' ');
        self.at += c.len_utf8();
        let text = c.to_string();
        match symbols::by_unicode(&text) {
            Some(symbol) => self.role(symbol.unicode, symbol.role, start),
            // A symbol of the text's own, such as an operator it declares.
            None if !c.is_ascii() => self.finish_word(text, start),
            None => self.push(Tok::Bad(Name::new(&text)), start),
        }
    }

    fn known(&mut self, latex: &str, start: usize) {
        let found = symbols::by_latex(latex).or_else(|| symbols::by_unicode(latex));
        match found {
            Some(symbol) => self.role(symbol.unicode, symbol.role, start),
            None => self.push(Tok::Bad(Name::new(latex)), start),
        }
    }

    fn role(&mut self, unicode: &str, role: Role, start: usize) {
        match role {
            Role::Key(key) => self.push(Tok::Key(key), start),
            Role::Word => {
                let mut word = unicode.to_owned();
                if !matches!(unicode, "*" | "+" | "-" | "<" | ">") {
                    self.strokes(&mut word);
                }
                self.push(Tok::Word(Name::new(&word)), start);
            }
        }
    }

    fn command(&mut self, start: usize) {
        let rest = self.rest();
        let letters = rest[1..]
            .find(|c: char| !c.is_ascii_alphabetic())
            .unwrap_or(rest.len() - 1);
        if letters == 0 {
            return self.control_symbol(start);
        }
        let name = rest[1..=letters].to_owned();
        self.at += 1 + letters;
        let name = name.as_str();
        if listed(BREAKS, name) {
            return self.push(Tok::Newline, start);
        }
        if self.ops.ignored.contains(&Name::new(name)) {
            return;
        }
        if name == "inrel" || name == "underline" {
            return self.in_relation(start);
        }
        let full = format!("\\{name}");
        if let Some(meaning) = self.ops.commands.get(&Name::new(&full)) {
            let mut word = meaning.as_str().to_owned();
            self.strokes(&mut word);
            return self.push(Tok::Word(Name::new(&word)), start);
        }
        // `\t1` indents.
        if name == "t" || name == "M" {
            let digits = self.rest().find(|c: char| !c.is_ascii_digit());
            self.at += digits.unwrap_or(self.rest().len());
            return;
        }
        if let Some(one) = symbols::by_latex(&format!("{full}_1"))
            && let Some(length) = one_below(self.rest())
        {
            self.at += length;
            return self.role(one.unicode, one.role, start);
        }
        if full == "\\vdash" && self.rest().starts_with('?') {
            self.at += 1;
        }
        if let Some((_, letter)) = GREEK.iter().find(|(command, _)| *command == full) {
            return self.greek(letter, start);
        }
        if let Some(symbol) = symbols::by_latex(&full) {
            return self.role(symbol.unicode, symbol.role, start);
        }
        if listed(LAYOUT_WITH_ARGUMENT, name) {
            if let Some((_, _, next)) = argument(self.text, self.at) {
                self.at = next;
            }
            return;
        }
        if listed(LAYOUT, name) {
            return;
        }
        let mut word = full.clone();
        self.strokes(&mut word);
        self.push(Tok::Word(Name::new(&word)), start);
    }

    fn control_symbol(&mut self, start: usize) {
        let rest = self.rest();
        let c = rest[1..].chars().next().unwrap_or(' ');
        match c {
            '\\' => {
                self.at += 2;
                let after = self.rest();
                if let Some(inside) = after.strip_prefix('[')
                    && let Some(end) = inside.find(']')
                    && ["pt", "ex", "em", "mm", "cm", "in"]
                        .iter()
                        .any(|u| inside[..end].ends_with(u))
                {
                    self.at += end + 2;
                }
                self.push(Tok::Newline, start);
            }
            ',' | ':' | ';' | '!' | ' ' | '/' | '>' | '=' | '-' | '\n' | '\t' | '@' => {
                self.at = (self.at + 2).min(self.text.len())
            }
            '_' if rest[2..].starts_with(|c: char| c.is_alphanumeric())
                && matches!(
                    self.out.last().map(|t| &t.tok),
                    Some(Tok::Key(Key::Underscore))
                ) =>
            {
                self.at += 2;
                self.push(Tok::Key(Key::Underscore), start);
            }
            _ => {
                self.at += 1 + c.len_utf8().min(rest.len() - 1);
                let text = format!("\\{c}");
                self.known(&text, start);
            }
        }
    }

    fn in_relation(&mut self, start: usize) {
        if let Some((from, to, next)) = argument(self.text, self.at) {
            let inner = tokens(
                &self.text[from..to],
                self.file,
                self.offset + from,
                self.dialect,
                self.ops,
            );
            if let [
                Token {
                    tok: Tok::Word(name),
                    ..
                },
            ] = inner.as_slice()
            {
                self.at = next;
                return self.push(Tok::InRel(*name), start);
            }
        }
        self.push(Tok::Bad(Name::new("\\inrel")), start);
    }

    /// A Greek letter begins a name: `\Delta S` is one.
    fn greek(&mut self, letter: &str, start: usize) {
        let mut word = letter.to_owned();
        let rest = self.rest();
        let blank = rest.len() - rest.trim_start_matches([' ', '~', '\n', '\t', '{']).len();
        let after = &rest[blank..];
        let capital = letter.chars().all(char::is_uppercase);
        if capital && after.starts_with(|c: char| c.is_alphabetic()) {
            self.at += blank;
            self.word_rest(&mut word);
        } else if capital
            && let Some((command, second)) = GREEK.iter().find(|(command, _)| {
                after
                    .strip_prefix(command)
                    .is_some_and(|rest| !rest.starts_with(|c: char| c.is_ascii_alphabetic()))
            })
        {
            self.at += blank + command.len();
            word.push_str(second);
            let rest = self.rest();
            let blank = rest.len() - rest.trim_start_matches([' ', '~']).len();
            if rest[blank..].starts_with(|c: char| c.is_alphabetic()) {
                self.at += blank;
                self.word_rest(&mut word);
            }
        }
        self.finish_word(word, start);
    }
}

/// Whether a list of words has this one.
fn listed(list: &str, word: &str) -> bool {
    list.split(' ').any(|known| known == word)
}

/// Where the group ends that begins here.
pub(super) fn group_end(text: &str) -> usize {
    let mut depth = 0_usize;
    let mut escaped = false;
    for (at, c) in text.char_indices() {
        match c {
            _ if escaped => escaped = false,
            '\\' => escaped = true,
            '{' => depth += 1,
            '}' => {
                depth -= 1;
                if depth == 0 {
                    return at + 1;
                }
            }
            _ => {}
        }
    }
    text.len()
}

/// The argument in braces that begins here: its inside, and what comes after it.
pub(super) fn argument(text: &str, from: usize) -> Option<(usize, usize, usize)> {
    let rest = &text[from..];
    let open = rest.find(|c: char| !c.is_whitespace())?;
    if !rest[open..].starts_with('{') {
        return None;
    }
    let length = group_end(&rest[open..]);
    let start = from + open + 1;
    let next = from + open + length;
    // A group that is never closed ends where the text does.
    let end = match text[..next].ends_with('}') {
        true => (next - 1).max(start),
        false => next.max(start),
    };
    Some((start, end, next))
}
