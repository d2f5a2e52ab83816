//! The Unicode markup of ISO 13568.
//!
//! A paragraph begins with a box character (`─`, `┌`, `╷`, doubled by `═` when generic) and ends with `└`; a line
//! that holds only `|` divides a box. Subscripts and superscripts stand between arrows: `↘1↖`, `↗+↖`.

use base::{Diagnostic, Diagnostics, FileId, Name, Span};
use num_bigint::BigInt;

use super::symbols::{self, Role};
use super::token::{Key, Tok, Token};
use super::{Chunk, Frame, finish};
use crate::codes;

/// Splits a text into its formal paragraphs.
pub(super) fn chunks(text: &str, file: FileId, diagnostics: &mut Diagnostics) -> Vec<Chunk> {
    let mut chunks = Vec::new();
    let mut open: Option<(usize, char, usize)> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let trimmed = line.trim_start();
        let indent = line.len() - trimmed.len();
        let first = trimmed.chars().next().unwrap_or(' ');
        if first == '└' {
            if let Some((begin, kind, inside)) = open.take() {
                chunks.push(chunk(text, file, kind, (begin, inside, start)));
            }
            continue;
        }
        if matches!(first, '─' | '┌' | '╷' | '╒' | '╤') {
            if let Some((begin, kind, inside)) = open.take() {
                let span = Span::new(file, begin as u32, (begin + kind.len_utf8()) as u32);
                let problem =
                    Diagnostic::error(&codes::UNCLOSED, span, "this paragraph is never closed")
                        .help("close it with `└`");
                diagnostics.push(problem);
                chunks.push(chunk(text, file, kind, (begin, inside, start)));
            }
            open = Some((start + indent, first, start + indent + first.len_utf8()));
        }
    }
    if let Some((begin, kind, inside)) = open {
        let span = Span::new(file, begin as u32, (begin + kind.len_utf8()) as u32);
        let problem = Diagnostic::error(&codes::UNCLOSED, span, "this paragraph is never closed")
            .help("close it with `└`");
        diagnostics.push(problem);
        chunks.push(chunk(text, file, kind, (begin, inside, text.len())));
    }
    chunks
}

fn chunk(
    text: &str,
    file: FileId,
    kind: char,
    (begin, inside, stop): (usize, usize, usize),
) -> Chunk {
    let span = Span::new(file, begin as u32, stop as u32);
    let mut from = inside;
    let rest = &text[from..stop];
    let generic = rest.starts_with('═');
    if generic {
        from += '═'.len_utf8();
    }
    let mut frame = match kind {
        '┌' | '╒' => Frame::Schema,
        '╷' | '╤' if generic || kind == '╤' => Frame::Generic,
        '╷' => Frame::Axiom,
        _ => Frame::Zed,
    };
    let mut header = Vec::new();
    if frame == Frame::Schema || frame == Frame::Generic {
        let line = text[from..stop].split('\n').next().unwrap_or("");
        header = tokens(line, file, from);
        from += line.len();
    }
    let mut body = tokens(&text[from..stop], file, from);
    if frame == Frame::Zed && matches!(body.first().map(|t| &t.tok), Some(Tok::Key(Key::Section))) {
        frame = Frame::Section;
    }
    if frame != Frame::Zed && frame != Frame::Section {
        let mut divided = false;
        for index in 0..body.len() {
            let alone = |tok: Option<&Token>| tok.is_none_or(|t| t.tok == Tok::Newline);
            let is_bar = body[index].tok == Tok::Key(Key::Bar);
            let before = index.checked_sub(1).and_then(|i| body.get(i));
            if is_bar && !divided && alone(before) && alone(body.get(index + 1)) {
                body[index].tok = Tok::Key(Key::Where);
                divided = true;
            }
        }
    }
    finish(&mut header, file, from);
    finish(&mut body, file, stop);
    Chunk {
        frame,
        header,
        body,
        span,
    }
}

/// The tokens of a formal text that stands at `offset` in its file.
pub(super) fn tokens(text: &str, file: FileId, offset: usize) -> Vec<Token> {
    let mut lexer = Lexer::new(text, file, offset);
    while lexer.at < text.len() {
        lexer.next();
    }
    lexer.out
}

/// Reads names, numbers, strokes and symbols; the e-mail markup shares it but for its symbols.
pub(super) struct Lexer<'a> {
    text: &'a str,
    file: FileId,
    offset: usize,
    /// Where reading goes on.
    pub at: usize,
    /// What was read.
    pub out: Vec<Token>,
}

/// Symbols of several characters, longest first.
const LONG: &[&str] = &["::=", "⊢?", ",,", "==", "..", "⁀/"];

impl<'a> Lexer<'a> {
    pub(super) fn new(text: &'a str, file: FileId, offset: usize) -> Lexer<'a> {
        Lexer {
            text,
            file,
            offset,
            at: 0,
            out: Vec::new(),
        }
    }

    pub(super) fn push(&mut self, tok: Tok, start: usize) {
        let span = Span::new(
            self.file,
            (self.offset + start) as u32,
            (self.offset + self.at) as u32,
        );
        self.out.push(Token { tok, span });
    }

    pub(super) fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    /// Reads one token, or what stands between tokens.
    pub(super) fn next(&mut self) {
        let start = self.at;
        let Some(c) = self.rest().chars().next() else {
            return;
        };
        match c {
            '\n' | '\u{2028}' => {
                self.at += c.len_utf8();
                self.push(Tok::Newline, start);
            }
            c if c.is_whitespace() => self.at += c.len_utf8(),
            '0'..='9' => {
                let rest = self.rest();
                let length = rest
                    .find(|c: char| !c.is_ascii_digit())
                    .unwrap_or(rest.len());
                let number = rest[..length].parse::<BigInt>().unwrap_or_default();
                self.at += length;
                self.push(Tok::Number(number), start);
            }
            '\'' | '′' | '?' | '!' => {
                self.at += c.len_utf8();
                let stroke = if c == '′' { '\'' } else { c };
                self.push(Tok::Stroke(Name::new(&stroke.to_string())), start);
            }
            '↘' => {
                let mut stroke = String::new();
                if self.subscript(&mut stroke) {
                    self.push(Tok::Stroke(Name::new(&stroke)), start);
                } else {
                    self.at += c.len_utf8();
                    self.push(Tok::Bad(Name::new("↘")), start);
                }
            }
            '↗' => self.superscript(start, ("↗", "↖")),
            c if is_letter(c) => self.word(String::new(), start),
            _ => self.symbol(start),
        }
    }

    /// `↘1↖`, in e-mail `\v1^\`, as `_1`.
    fn subscript(&mut self, word: &mut String) -> bool {
        let arrows = [("↘", "↖"), ("\\v", "^\\")];
        let found = arrows.iter().find_map(|(open, close)| {
            let inside = self.rest().strip_prefix(open)?;
            let end = inside.find(close)?;
            Some((inside, end, open.len() + end + close.len()))
        });
        let Some((inside, end, length)) = found else {
            return false;
        };
        let text = inside[..end].trim();
        if text.is_empty() || !text.chars().all(char::is_alphanumeric) {
            return false;
        }
        word.push('_');
        word.push_str(text);
        self.at += length;
        true
    }

    /// What stands raised between two arrows.
    pub(super) fn superscript(&mut self, start: usize, (open, close): (&str, &str)) {
        let inside = &self.rest()[open.len()..];
        let end = inside.find(close);
        let postfix = match end.map(|end| inside[..end].trim()) {
            Some("+") => Some("⁺"),
            Some("*" | "∗") => Some("⋆"),
            Some("∼" | "~") => Some("∼"),
            _ => None,
        };
        match (postfix, end) {
            (Some(postfix), Some(end)) => {
                self.at += open.len() + end + close.len();
                self.push(Tok::Word(Name::new(postfix)), start);
            }
            _ => {
                self.at += open.len();
                self.push(Tok::Key(Key::BSup), start);
            }
        }
    }

    fn strokes(&mut self, word: &mut String) {
        loop {
            match self.rest().chars().next() {
                Some(c @ ('\'' | '′' | '?' | '!')) => {
                    word.push(if c == '′' { '\'' } else { c });
                    self.at += c.len_utf8();
                }
                Some('↘' | '\\') if self.subscript(word) => {}
                _ => return,
            }
        }
    }

    /// A name, with the letters of it that were read already.
    pub(super) fn word(&mut self, mut word: String, start: usize) {
        while let Some(c) = self.rest().chars().next() {
            if is_letter(c) || c.is_alphanumeric() || (c == '_' && !word.is_empty()) {
                word.push(c);
                self.at += c.len_utf8();
            } else {
                break;
            }
        }
        self.finish(word, start);
    }

    /// A name or a symbol, with the strokes behind it.
    pub(super) fn finish(&mut self, mut word: String, start: usize) {
        let bare = word.clone();
        let before = self.at;
        self.strokes(&mut word);
        if let Some(symbol) = symbols::by_unicode(&word) {
            return self.role(symbol.role, symbol.unicode, start);
        }
        if let Some(symbol) = symbols::by_unicode(&bare)
            && let Role::Key(key) = symbol.role
        {
            self.at = before;
            return self.push(Tok::Key(key), start);
        }
        self.push(Tok::Word(Name::new(&word)), start);
    }

    pub(super) fn role(&mut self, role: Role, unicode: &str, start: usize) {
        match role {
            Role::Key(key) => self.push(Tok::Key(key), start),
            Role::Word => self.push(Tok::Word(Name::new(unicode)), start),
        }
    }

    fn symbol(&mut self, start: usize) {
        for long in LONG {
            if self.rest().starts_with(long) {
                self.at += long.len();
                if let Some(symbol) = symbols::by_unicode(long) {
                    return self.role(symbol.role, symbol.unicode, start);
                }
            }
        }
        let Some(c) = self.rest().chars().next() else {
            return;
        };
        self.at += c.len_utf8();
        let text = c.to_string();
        match symbols::by_unicode(&text) {
            Some(symbol) if symbol.role == Role::Word || symbol.unicode == "∃" => {
                self.finish(symbol.unicode.to_owned(), start);
            }
            Some(symbol) => self.role(symbol.role, symbol.unicode, start),
            // A symbol of the text's own, such as an operator it declares.
            None if !c.is_ascii() => self.finish(text, start),
            None => self.push(Tok::Bad(Name::new(&text)), start),
        }
    }
}

fn is_letter(c: char) -> bool {
    c.is_alphabetic() && !matches!(c, 'λ' | 'μ' | 'θ' | 'ℙ' | 'ª' | 'º')
}
