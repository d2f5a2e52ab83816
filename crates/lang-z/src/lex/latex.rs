//! Z in LaTeX: finds the formal environments of a document and reads what stands in them.
//!
//! Everything outside them is somebody's prose and is skipped, as are comments, but for the directives `%%…`.

use base::{Diagnostic, Diagnostics, FileId, Name, Span};
use num_bigint::BigInt;

use super::symbols::{self, GREEK, Role};
use super::token::{Key, Tok, Token};
use super::{Chunk, Dialect, Frame, finish};
use crate::codes;
use crate::ops::{Assoc, Infix, Ops, Prefix};

/// The environments that are formal.
const FRAMES: &[(&str, Frame)] = &[
    ("zsection", Frame::Section),
    ("zed", Frame::Zed),
    ("syntax", Frame::Zed),
    ("axdef", Frame::Axiom),
    ("gendef", Frame::Generic),
    ("schema", Frame::Schema),
    ("theorem", Frame::Theorem),
    ("consequence", Frame::Theorem),
    ("class", Frame::Theorem),
];

/// Environments whose text is never looked at.
const OPAQUE: &[&str] = &["verbatim", "verbatim*", "lstlisting", "comment", "Verbatim"];

/// Commands that are only layout.
const LAYOUT: &[&str] = &[
    "quad",
    "qquad",
    "M",
    "O",
    "znewpage",
    "noindent",
    "displaystyle",
    "left",
    "right",
    "rm",
    "it",
    "sf",
    "bf",
    "tt",
    "mathrm",
    "mathit",
    "mathsf",
    "mathbf",
    "mathtt",
    "mbox",
    "hbox",
    "textit",
    "textsf",
    "textbf",
    "textrm",
    "texttt",
    "mathop",
    "mathbin",
    "mathrel",
    "big",
    "Big",
    "bigl",
    "bigr",
    "Bigl",
    "Bigr",
    "zbig",
    "zBig",
    "limits",
    "nolimits",
    "smallskip",
    "medskip",
    "bigskip",
    "hfill",
    "small",
    "footnotesize",
    "par",
    "zproof",
    "null",
    "allowbreak",
    "nobreak",
    "strut",
    "hline",
    "indent",
    "ensuremath",
    "sl",
    "em",
    "emph",
    "protect",
];
/// Commands that are layout together with their argument.
const LAYOUT_WITH_ARGUMENT: &[&str] = &[
    "hspace", "vspace", "label", "hspace*", "vspace*", "footnote", "index", "zlabel", "kern",
    "znote", "ref",
];
/// Commands that separate lines.
const BREAKS: &[&str] = &["also", "Also", "ALSO", "zbreak", "ZBREAK", "newline", "cr"];

/// Splits a document into its formal paragraphs.
pub(super) fn chunks(
    text: &str,
    file: FileId,
    dialect: Dialect,
    ops: &mut Ops,
    diagnostics: &mut Diagnostics,
) -> Vec<Chunk> {
    directives(text, file, ops, diagnostics);
    let mut scan = Scan {
        text,
        file,
        dialect,
        ops,
        diagnostics,
        at: 0,
        unchecked: false,
        chunks: Vec::new(),
    };
    scan.document();
    scan.chunks
}

/// Reads the directives of a document: they hold for all of it.
fn directives(text: &str, file: FileId, ops: &mut Ops, diagnostics: &mut Diagnostics) {
    let mut offset = 0;
    for line in text.split_inclusive('\n') {
        let start = offset;
        offset += line.len();
        let Some(rest) = line.trim_start().strip_prefix("%%") else {
            continue;
        };
        let mut words = rest.split_whitespace();
        let Some(head) = words.next() else { continue };
        let words: Vec<&str> = words.collect();
        let span = Span::new(file, start as u32, (start + line.trim_end().len()) as u32);
        directive(head, &words, span, ops, diagnostics);
    }
}

fn directive(head: &str, words: &[&str], span: Span, ops: &mut Ops, diagnostics: &mut Diagnostics) {
    let names = |words: &[&str], ops: &Ops| -> Vec<Name> {
        words.iter().map(|word| command_name(word, ops)).collect()
    };
    match head {
        "inop" => {
            let level = words.last().and_then(|w| w.parse::<u16>().ok());
            let Some(level @ 1..=6) = level else {
                let message = "an infix operator needs a level from 1 to 6";
                let problem = Diagnostic::error(&codes::DIRECTIVE, span, message)
                    .help("write `%%inop \\op 4`");
                diagnostics.push(problem);
                return;
            };
            for name in names(&words[..words.len() - 1], ops) {
                ops.add_infix(name, Infix::Function(level * 10, Assoc::Left));
            }
        }
        "postop" => names(words, ops)
            .into_iter()
            .for_each(|n| ops.add_postfix(n)),
        "inrel" => {
            for name in names(words, ops) {
                ops.add_infix(name, Infix::Relation);
            }
        }
        "prerel" => {
            for name in names(words, ops) {
                ops.add_prefix(name, Prefix::Relation);
            }
        }
        "ingen" => {
            for name in names(words, ops) {
                ops.add_infix(name, Infix::Generic(crate::ops::ARROW));
            }
        }
        "pregen" => {
            for name in names(words, ops) {
                ops.add_prefix(name, Prefix::Generic);
            }
        }
        "ignore" => {
            for word in words {
                ops.ignored.insert(Name::new(word.trim_start_matches('\\')));
            }
        }
        "Zword" | "Zinword" | "Zpreword" | "Zpostword" | "Zchar" | "Zinchar" | "Zprechar"
        | "Zpostchar" => {
            let [command, meaning, ..] = words else {
                return;
            };
            let meaning = match meaning.strip_prefix("U+") {
                Some(hex) => u32::from_str_radix(hex, 16)
                    .ok()
                    .and_then(char::from_u32)
                    .map(String::from),
                None => Some(plain_word(meaning, ops)),
            };
            if let Some(meaning) = meaning {
                let command = Name::new(command);
                // What the toolkit spells already keeps its meaning.
                if symbols::by_latex(command.as_str()).is_none() {
                    ops.commands.insert(command, Name::new(&meaning));
                }
            }
        }
        _ => {}
    }
}

/// The text of `%%Zword \cmd text`, with the commands it uses.
fn plain_word(text: &str, ops: &Ops) -> String {
    let mut out = String::new();
    let mut rest = text.trim_matches(|c| c == '{' || c == '}');
    while let Some(at) = rest.find('\\') {
        out.push_str(&rest[..at]);
        let command: String = rest[at + 1..]
            .chars()
            .take_while(char::is_ascii_alphabetic)
            .collect();
        if command.is_empty() {
            out.push('_');
            rest = rest.get(at + 2..).unwrap_or("");
            continue;
        }
        out.push_str(command_name(&format!("\\{command}"), ops).as_str());
        rest = &rest[at + 1 + command.len()..];
    }
    out.push_str(rest);
    out
}

/// The canonical name of a LaTeX command or word.
fn command_name(text: &str, ops: &Ops) -> Name {
    if let Some(meaning) = ops.commands.get(&Name::new(text)) {
        return *meaning;
    }
    match symbols::by_latex(text) {
        Some(symbol) => Name::new(symbol.unicode),
        None => Name::new(&text.replace("\\_", "_")),
    }
}

struct Scan<'a> {
    text: &'a str,
    file: FileId,
    dialect: Dialect,
    ops: &'a Ops,
    diagnostics: &'a mut Diagnostics,
    at: usize,
    unchecked: bool,
    chunks: Vec<Chunk>,
}

impl Scan<'_> {
    fn document(&mut self) {
        while self.at < self.text.len() {
            let rest = &self.text[self.at..];
            if rest.starts_with("%%unchecked") {
                self.unchecked = true;
            }
            if rest.starts_with('%') {
                self.at += rest.find('\n').unwrap_or(rest.len());
            } else if rest.starts_with("\\%") || rest.starts_with("\\\\") {
                self.at += 2;
            } else if rest.starts_with("\\end{document}") {
                return;
            } else if let Some(name) = rest
                .strip_prefix("\\newcommand")
                .or_else(|| rest.strip_prefix("\\renewcommand"))
                .or_else(|| rest.strip_prefix("\\newenvironment"))
            {
                self.at = self.text.len() - name.len();
                self.skip_groups();
            } else if rest.starts_with("\\verb") && !rest.starts_with("\\verbatim") {
                self.skip_verb();
            } else if let Some(inside) = rest.strip_prefix("\\begin{") {
                let name = inside.split('}').next().unwrap_or("");
                let after = self.text.len() - inside.len() + name.len() + 1;
                if OPAQUE.contains(&name) {
                    let end = format!("\\end{{{name}}}");
                    let from = after.min(self.text.len());
                    self.at = match self.text[from..].find(&end) {
                        Some(found) => from + found + end.len(),
                        None => self.text.len(),
                    };
                } else if let Some((_, frame)) = FRAMES.iter().find(|(n, _)| *n == name) {
                    self.environment(*frame, &name.to_owned(), after);
                } else {
                    self.at = after.min(self.text.len());
                }
            } else {
                self.at += rest.chars().next().map_or(1, char::len_utf8);
            }
        }
    }

    /// Skips the arguments of a definition of a command.
    fn skip_groups(&mut self) {
        loop {
            let rest = &self.text[self.at..];
            let trimmed = rest.trim_start_matches([' ', '\t', '*']);
            self.at += rest.len() - trimmed.len();
            match trimmed.chars().next() {
                Some('{') => self.at += group_end(trimmed),
                Some('[') => self.at += trimmed.find(']').map_or(trimmed.len(), |n| n + 1),
                Some('\\') => {
                    let name = trimmed[1..].find(|c: char| !c.is_ascii_alphabetic());
                    self.at += 1 + name.unwrap_or(trimmed.len() - 1).max(1);
                    self.at = self.at.min(self.text.len());
                }
                _ => return,
            }
        }
    }

    fn skip_verb(&mut self) {
        let rest = &self.text[self.at + 5..];
        let rest = rest.strip_prefix('*').unwrap_or(rest);
        let Some(fence) = rest.chars().next() else {
            self.at = self.text.len();
            return;
        };
        let line = rest.split('\n').next().unwrap_or("");
        let inside = &line[fence.len_utf8().min(line.len())..];
        let start = self.text.len() - rest.len();
        self.at = match inside.find(fence) {
            Some(end) => start + fence.len_utf8() + end + fence.len_utf8(),
            None => start + line.len(),
        };
    }

    fn environment(&mut self, frame: Frame, name: &str, after: usize) {
        let begin = self.at;
        let end_mark = format!("\\end{{{name}}}");
        let (mut end, mut problem) = (None, None);
        let mut at = after.min(self.text.len());
        while at < self.text.len() {
            let rest = &self.text[at..];
            if rest.starts_with('%') {
                at += rest.find('\n').unwrap_or(rest.len());
            } else if rest.starts_with("\\%") || rest.starts_with("\\\\") {
                at += 2;
            } else if rest.starts_with(&end_mark) {
                end = Some(at);
                break;
            } else if let Some(inside) = rest.strip_prefix("\\begin{") {
                let inner = inside.split('}').next().unwrap_or("");
                if FRAMES.iter().any(|(n, _)| *n == inner) {
                    problem = Some((at, format!("`\\begin{{{inner}}}` inside a `{name}`")));
                    break;
                }
                at += 7;
            } else if rest.starts_with("\\end{document}") {
                break;
            } else {
                at += rest.chars().next().map_or(1, char::len_utf8);
            }
        }
        let skip = std::mem::take(&mut self.unchecked);
        let (stop, resume) = match end {
            Some(end) => (end, end + end_mark.len()),
            None => (at, at),
        };
        self.at = resume.max(after.min(self.text.len()));
        if skip || (frame == Frame::Theorem && name == "class") {
            return;
        }
        // A theorem of mathematics is prose; one of Z has a turnstile or a name in braces before its predicate.
        if frame == Frame::Theorem && !self.is_formal_theorem(after, stop) {
            return;
        }
        if end.is_none() {
            let (place, message) =
                problem.unwrap_or_else(|| (begin, format!("`\\begin{{{name}}}` is never closed")));
            let span = Span::new(self.file, place as u32, (place + 6) as u32);
            let problem = Diagnostic::error(&codes::UNCLOSED, span, message)
                .help(format!("close it with `{end_mark}`"));
            self.diagnostics.push(problem);
        }
        self.chunk(frame, begin, after.min(stop), stop);
    }

    fn is_formal_theorem(&self, after: usize, stop: usize) -> bool {
        let inside = self.text.get(after..stop).unwrap_or("");
        self.dialect == Dialect::Iso && inside.contains("\\vdash")
    }

    fn chunk(&mut self, frame: Frame, begin: usize, after: usize, stop: usize) {
        let span = Span::new(self.file, begin as u32, stop as u32);
        let mut from = after;
        let mut header = Vec::new();
        let inside = &self.text[..stop];
        if frame == Frame::Schema || frame == Frame::Theorem {
            if let Some((start, end, next)) = argument(inside, from) {
                header = tokens(
                    &inside[start..end],
                    self.file,
                    start,
                    self.dialect,
                    self.ops,
                );
                from = next;
            }
        }
        if matches!(
            frame,
            Frame::Schema | Frame::Generic | Frame::Axiom | Frame::Theorem
        ) {
            let rest = &inside[from..];
            let blank = rest.len() - rest.trim_start().len();
            if rest.trim_start().starts_with('[') && frame != Frame::Axiom {
                if let Some(close) = rest.find(']') {
                    let part = &rest[blank..=close];
                    header.extend(tokens(
                        part,
                        self.file,
                        from + blank,
                        self.dialect,
                        self.ops,
                    ));
                    from += close + 1;
                }
            }
        }
        let mut body = tokens(&inside[from..], self.file, from, self.dialect, self.ops);
        finish(&mut header, self.file, from);
        finish(&mut body, self.file, stop);
        self.chunks.push(Chunk {
            frame,
            header,
            body,
            span,
        });
    }
}

/// Where the group ends that begins here.
fn group_end(text: &str) -> usize {
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
fn argument(text: &str, from: usize) -> Option<(usize, usize, usize)> {
    let rest = &text[from..];
    let open = rest.find(|c: char| !c.is_whitespace())?;
    if !rest[open..].starts_with('{') {
        return None;
    }
    let length = group_end(&rest[open..]);
    let start = from + open + 1;
    let end = (from + open + length).saturating_sub(1).max(start);
    Some((start, end, from + open + length))
}

/// The tokens of a formal text that stands at `offset` in its file.
pub(super) fn tokens(
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

    /// Strokes and subscripts that hang on a word.
    fn strokes(&mut self, word: &mut String) {
        loop {
            let rest = self.rest();
            match rest.chars().next() {
                Some(c @ ('\'' | '?' | '!')) => {
                    word.push(c);
                    self.at += 1;
                }
                Some('_') => {
                    let (text, length) = script(&rest[1..]);
                    if text.is_empty() || !text.chars().all(char::is_alphanumeric) {
                        return;
                    }
                    word.push('_');
                    word.push_str(text);
                    self.at += 1 + length;
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

    fn stroke(&mut self, stroke: Name, start: usize) {
        // fuzz has no decoration of expressions: a stroke belongs to the word before it.
        if self.dialect == Dialect::Fuzz
            && let Some(Token {
                tok: Tok::Word(word),
                span,
            }) = self.out.last_mut()
        {
            *word = Name::new(&format!("{word}{stroke}"));
            span.end = (self.offset + self.at) as u32;
            return;
        }
        self.push(Tok::Stroke(stroke), start);
    }

    fn superscript(&mut self, start: usize) {
        let (text, length) = script(&self.text[self.at + 1..]);
        let text = text.trim();
        let postfix = match text {
            "\\sim" | "\\inv" | "{\\sim}" => Some("∼"),
            "+" | "\\plus" => Some("⁺"),
            "*" | "\\star" => Some("⋆"),
            _ => None,
        };
        if let Some(postfix) = postfix {
            self.at += 1 + length;
            self.push(Tok::Word(Name::new(postfix)), start);
            return;
        }
        let braced = self.rest()[1..].starts_with('{');
        self.at += 1;
        self.push(Tok::Key(Key::BSup), start);
        if text.is_empty() {
            return;
        }
        let inside = self.at + usize::from(braced);
        let closed = !braced || self.rest()[..length].ends_with('}');
        let end = if braced && closed {
            self.at + length - 1
        } else {
            self.at + length
        };
        let inner = tokens(
            &self.text[inside..end],
            self.file,
            self.offset + inside,
            self.dialect,
            self.ops,
        );
        self.out.extend(inner);
        self.at += length;
        if closed {
            let at = self.at;
            self.push(Tok::Key(Key::ESup), at);
        }
    }

    fn subscript(&mut self, start: usize) {
        let (text, length) = script(&self.text[self.at + 1..]);
        if text.chars().all(|c| c.is_ascii_digit()) && !text.is_empty() {
            let stroke = Name::new(&format!("_{text}"));
            self.at += 1 + length;
            self.stroke(stroke, start);
        } else {
            self.at += 1;
            self.push(Tok::Key(Key::Underscore), start);
        }
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
            "::=", "==", ":", ";", ",", ".", "/", "(", ")", "[", "]", "|", "@", "=", "<", ">", "+",
            "-", "*",
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
            None => self.push(Tok::Bad(Name::new(&text)), start),
        }
    }

    fn known(&mut self, latex: &str, start: usize) {
        match symbols::by_latex(latex) {
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
        if BREAKS.contains(&name) {
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
        if LAYOUT_WITH_ARGUMENT.contains(&name) {
            if let Some((_, _, next)) = argument(self.text, self.at) {
                self.at = next;
            }
            return;
        }
        if LAYOUT.contains(&name) {
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
            ',' | ':' | ';' | '!' | ' ' | '/' | '>' | '=' | '-' | '\n' | '\t' | '@' => self.at += 2,
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

/// The length of `_1` or `_{1}`.
fn one_below(rest: &str) -> Option<usize> {
    let after = rest.strip_prefix('_')?;
    let (text, length) = script(after);
    (text == "1").then_some(1 + length)
}

/// A subscript or superscript: a character, a command or a group; its text and length.
fn script(text: &str) -> (&str, usize) {
    match text.chars().next() {
        Some('{') => {
            let length = group_end(text);
            let end = if text[..length].ends_with('}') {
                length - 1
            } else {
                length
            };
            (text[1..end.max(1)].trim(), length)
        }
        Some('\\') => {
            let letters = text[1..]
                .find(|c: char| !c.is_ascii_alphabetic())
                .unwrap_or(text.len() - 1);
            let length = (1 + letters.max(1)).min(text.len());
            match text.is_char_boundary(length) {
                true => (&text[..length], length),
                false => ("", 0),
            }
        }
        Some(c) if !c.is_whitespace() => (&text[..c.len_utf8()], c.len_utf8()),
        _ => ("", 0),
    }
}
