//! The e-mail markup of ISO 13568: Z in ASCII, where it can be read in one way only.
//!
//! Unboxed paragraphs stand between the lines `%%Z` and `%%`. A schema stands in a box `+-- Name ---`, an axiomatic
//! definition in `+..`, a generic one in `+== [X] ===`; a box ends with a line of dashes, dots or equals signs, each of
//! its lines begins with `|`, and `|--` divides it. Symbols are drawn (`/\`, `-->`) or named behind `%`
//! (`%A`, `%x`), and every name of a LaTeX command is a name behind `%` too.
//! Differs: the standard leaves open where a run of drawn symbols is cut. Here it is cut into as few symbols as
//! possible; a run with two such cuts, like `<=>=`, is no token and is refused.

use base::{Diagnostic, Diagnostics, FileId, Name, Span};

use super::symbols::{self, Role};
use super::token::{Key, Tok, Token};
use super::unicode::Lexer;
use super::{Chunk, Frame, finish};
use crate::codes;

/// Spellings of symbols, each with its canonical one; those of one reserved character are as in Unicode.
const DRAWN: &[(&str, &str)] = &[
    ("/\\", "∧"),
    ("\\/", "∨"),
    ("=>", "⇒"),
    ("==>", "⇒"),
    ("<=>", "⇔"),
    ("-.", "¬"),
    ("@", "⦁"),
    ("|-", "⊢?"),
    ("|-?", "⊢?"),
    ("<<", "⟪"),
    (">>", "⟫"),
    ("<|", "⦉"),
    ("|>", "⦊"),
    ("(|", "⦇"),
    ("|)", "⦈"),
    ("==", "=="),
    ("::=", "::="),
    (",,", ",,"),
    ("/=", "≠"),
    ("(/)", "∅"),
    ("\\", "∖"),
    ("(-)", "⊖"),
    ("<->", "↔"),
    ("<-->", "↔"),
    ("|->", "↦"),
    ("|-->", "↦"),
    ("<:", "◁"),
    (":>", "▷"),
    ("<-:", "⩤"),
    (":->", "⩥"),
    ("~", "∼"),
    ("(+)", "⊕"),
    ("-|->", "⇸"),
    ("-->", "→"),
    ("--->", "→"),
    (">-|->", "⤔"),
    (">-->", "↣"),
    (">--->", "↣"),
    ("-|->>", "⤀"),
    ("-->>", "↠"),
    ("--->>", "↠"),
    (">-->>", "⤖"),
    ("-||->", "⇻"),
    (">-||->", "⤕"),
    ("<=", "≤"),
    (">=", "≥"),
    ("..", ".."),
    ("^", "⁀"),
    ("^/", "⁀/"),
    ("^\\", "↖"),
    ("/|", "↿"),
    ("|\\", "↾"),
];

/// Symbols behind a percent sign that are no names of LaTeX commands, longest first.
const NAMED: &[(&str, &str)] = &[
    ("(/)", "∅"),
    ("c_", "⊆"),
    ("uu", "⋃"),
    ("nn", "⋂"),
    ("/e", "∉"),
    (">>", "⨠"),
    ("|\\", "⨡"),
    ("A", "∀"),
    ("E", "∃"),
    ("F", "𝔽"),
    ("N", "ℕ"),
    ("P", "ℙ"),
    ("Z", "ℤ"),
    ("c", "⊂"),
    ("e", "∈"),
    ("n", "∩"),
    ("o", "∘"),
    ("u", "∪"),
    ("x", "×"),
    ("<", "⟨"),
    (">", "⟩"),
    ("\\", "⧹"),
    ("~", "∼"),
];

/// The longest spelling of [`DRAWN`].
const LONGEST: usize = 6;

/// How a symbol is spelled, for messages.
pub(crate) fn spelling(unicode: &'static str) -> &'static str {
    let drawn = DRAWN.iter().find(|(_, symbol)| *symbol == unicode);
    drawn.map_or(unicode, |(text, _)| text)
}

/// Whether a text has a line that opens a paragraph of this markup.
pub(super) fn is_used(text: &str) -> bool {
    text.lines()
        .any(|line| matches!(Line::of(line), Line::Open(..)))
}

/// What a line is for the structure of a document.
enum Line {
    /// Opens a paragraph; where its header begins and ends in the line.
    Open(Frame, usize, usize),
    /// `%%` closes unboxed paragraphs.
    Unboxed,
    /// Closes a box.
    Closed,
    /// `|--` divides a box.
    Divided,
    /// Anything else.
    Text,
}

impl Line {
    fn of(line: &str) -> Line {
        let trimmed = line.trim();
        let is_rule =
            |text: &str, by: &str| text.len() >= 2 && text.chars().all(|c| by.contains(c));
        if trimmed == "%%Z" {
            return Line::Open(Frame::Zed, line.len(), line.len());
        }
        if trimmed == "%%" {
            return Line::Unboxed;
        }
        if let Some(rule) = trimmed.strip_prefix('|')
            && is_rule(rule, "-")
        {
            return Line::Divided;
        }
        if let Some(rule) = trimmed.strip_prefix('-')
            && ["-", ".", "="].into_iter().any(|by| is_rule(rule, by))
        {
            return Line::Closed;
        }
        let start = line.len() - line.trim_start().len();
        let Some(rest) = trimmed.strip_prefix('+') else {
            return Line::Text;
        };
        if is_rule(rest, ".") {
            return Line::Open(Frame::Axiom, line.len(), line.len());
        }
        for (rule, frame) in [('-', Frame::Schema), ('=', Frame::Generic)] {
            let header = rest.trim_start_matches(rule);
            let before = rest.len() - header.len();
            let inside = header.trim_end_matches(['-', '=']).trim();
            // A drawing has no name between its dashes, and no dashes behind it.
            let begins = match frame {
                Frame::Schema => inside.starts_with(|c: char| c.is_alphabetic() || c == '%'),
                _ => inside.starts_with('['),
            };
            let ends = rest.ends_with("--") || rest.ends_with("==");
            if before >= 2 && begins && ends {
                let from = start + 1 + before;
                let to = from + header.trim_end_matches(['-', '=']).len();
                return Line::Open(frame, from, to);
            }
        }
        Line::Text
    }
}

/// A paragraph that is being read.
struct Open {
    chunk: Chunk,
    divided: bool,
}

/// Splits a text into its formal paragraphs.
pub(super) fn chunks(text: &str, file: FileId, diagnostics: &mut Diagnostics) -> Vec<Chunk> {
    let mut chunks = Vec::new();
    let mut open: Option<Open> = None;
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let start = at;
        at += line.len();
        let kind = Line::of(line);
        if let Line::Open(frame, from, to) = kind {
            chunks.extend(open.take().map(|open| unclosed(open, start, diagnostics)));
            let mut header = tokens(&line[from..to], file, start + from);
            finish(&mut header, file, start + to);
            let chunk = Chunk {
                frame,
                header,
                body: Vec::new(),
                span: Span::new(file, start as u32, (start + line.trim_end().len()) as u32),
            };
            open = Some(Open {
                chunk,
                divided: false,
            });
            continue;
        }
        let Some(current) = &mut open else { continue };
        let is_box = current.chunk.frame != Frame::Zed;
        if matches!(kind, Line::Closed if is_box) || matches!(kind, Line::Unboxed if !is_box) {
            chunks.extend(open.take().map(|open| closed(open, start)));
            continue;
        }
        let span = Span::new(file, start as u32, (start + line.trim_end().len()) as u32);
        let inside = if is_box {
            let trimmed = line.trim_start();
            if trimmed.is_empty() {
                continue;
            }
            let Some(inside) = trimmed.strip_prefix('|') else {
                let message = "this line of a box does not begin with `|`";
                let problem = Diagnostic::error(&codes::EMAIL, span, message)
                    .help("close the box with `---`, or write `|` before the line");
                diagnostics.push(problem);
                chunks.extend(open.take().map(|open| closed(open, start)));
                continue;
            };
            inside
        } else {
            line
        };
        if is_box && !current.divided && matches!(kind, Line::Divided) {
            current.divided = true;
            let tok = Tok::Key(Key::Where);
            current.chunk.body.push(Token { tok, span });
            continue;
        }
        let offset = at - inside.len();
        current.chunk.body.extend(tokens(inside, file, offset));
    }
    chunks.extend(open.map(|open| unclosed(open, text.len(), diagnostics)));
    chunks
}

fn closed(open: Open, end: usize) -> Chunk {
    let mut chunk = open.chunk;
    let file = chunk.span.file;
    let is_section = matches!(
        chunk.body.iter().find(|t| t.tok != Tok::Newline),
        Some(Token {
            tok: Tok::Key(Key::Section),
            ..
        })
    );
    if chunk.frame == Frame::Zed && is_section {
        chunk.frame = Frame::Section;
        chunk.body.retain(|token| token.tok != Tok::Newline);
    }
    finish(&mut chunk.body, file, end);
    chunk.span = Span::new(file, chunk.span.start, end as u32);
    chunk
}

fn unclosed(open: Open, end: usize, diagnostics: &mut Diagnostics) -> Chunk {
    let close = match open.chunk.frame {
        Frame::Zed => "%%",
        Frame::Axiom => "-..",
        Frame::Generic => "-==",
        _ => "---",
    };
    let span = open.chunk.span;
    let problem = Diagnostic::error(&codes::UNCLOSED, span, "this paragraph is never closed")
        .help(format!("close it with a line `{close}`"));
    diagnostics.push(problem);
    closed(open, end)
}

/// The tokens of a formal text that stands at `offset` in its file.
pub(super) fn tokens(text: &str, file: FileId, offset: usize) -> Vec<Token> {
    let mut lexer = Lexer::new(text, file, offset);
    while let Some(c) = lexer.rest().chars().next() {
        match c {
            '%' => percent(&mut lexer),
            '/' if lexer.rest().starts_with("/^") => {
                let start = lexer.at;
                lexer.superscript(start, ("/^", "^\\"));
            }
            c if c.is_ascii_punctuation() && !matches!(c, '\'' | '?' | '!' | '_') => {
                drawn(&mut lexer);
            }
            _ => lexer.next(),
        }
    }
    lexer.out
}

/// A symbol behind a percent sign.
fn percent(lexer: &mut Lexer<'_>) {
    let start = lexer.at;
    let rest = &lexer.rest()[1..];
    let letters = rest.find(|c: char| !c.is_ascii_alphabetic());
    let name = &rest[..letters.unwrap_or(rest.len())];
    if let Some((length, symbol)) = symbol(rest, name) {
        lexer.at += 1 + length;
        let one = format!("{symbol}_1");
        if lexer.rest().starts_with("_1") && symbols::by_unicode(&one).is_some() {
            lexer.at += 2;
            return lexer.finish(one, start);
        }
        return lexer.finish(symbol.to_owned(), start);
    }
    let greek = symbols::GREEK
        .iter()
        .filter(|(latex, _)| name.starts_with(&latex[1..]));
    if let Some((latex, letter)) = greek.max_by_key(|(latex, _)| latex.len()) {
        lexer.at += latex.len();
        // `%Delta S` is one name, as in LaTeX.
        let blank = lexer.rest().len() - lexer.rest().trim_start_matches([' ', '\t']).len();
        if lexer.rest()[blank..].starts_with(char::is_alphabetic) {
            lexer.at += blank;
        }
        return lexer.word((*letter).to_owned(), start);
    }
    lexer.at += 1 + name.len();
    let bad = Tok::Bad(Name::new(&format!("%{name}")));
    lexer.push(bad, start);
}

/// The symbol that the text behind a percent sign begins with, and its length; `name` are the letters there.
fn symbol(rest: &str, name: &str) -> Option<(usize, &'static str)> {
    let named = NAMED.iter().find(|(text, _)| {
        let is_word = text.starts_with(|c: char| c.is_ascii_alphabetic());
        rest.starts_with(text) && (!is_word || text.trim_end_matches('_') == name)
    });
    let symbol = || symbols::by_latex(&format!("\\{name}")).map(|symbol| symbol.unicode);
    named
        .map(|(text, symbol)| (text.len(), *symbol))
        .or_else(|| Some((name.len(), symbol()?)))
}

/// A run of symbols, cut into as few as possible.
fn drawn(lexer: &mut Lexer<'_>) {
    let start = lexer.at;
    let rest = lexer.rest();
    let is_drawn = |c: char| c.is_ascii_punctuation() && !matches!(c, '\'' | '?' | '!' | '_' | '%');
    let length = rest.find(|c| !is_drawn(c)).unwrap_or(rest.len());
    let run = &rest[..length];
    match cut(run) {
        Some(symbols) => {
            for (text, symbol) in symbols {
                let start = lexer.at;
                lexer.at += text;
                let role = symbols::by_unicode(symbol).map_or(Role::Word, |symbol| symbol.role);
                lexer.role(role, symbol, start);
            }
        }
        None => {
            let bad = Tok::Bad(Name::new(run));
            lexer.at += length;
            lexer.push(bad, start);
        }
    }
}

/// How the rest of a run can be cut.
#[derive(Clone, Copy)]
struct Cut {
    /// Into how few symbols.
    symbols: usize,
    /// In how many ways, two standing for more.
    ways: usize,
    /// The length and the symbol that one way begins with.
    first: (usize, &'static str),
}

/// The lengths and symbols of the only cut of a run into as few symbols as possible.
fn cut(run: &str) -> Option<Vec<(usize, &'static str)>> {
    let mut best: Vec<Option<Cut>> = vec![None; run.len() + 1];
    best[run.len()] = Some(Cut {
        symbols: 0,
        ways: 1,
        first: (0, ""),
    });
    for at in (0..run.len()).rev() {
        for length in 1..=LONGEST.min(run.len() - at) {
            let Some(symbol) = one(&run[at..at + length]) else {
                continue;
            };
            let Some(rest) = best[at + length] else {
                continue;
            };
            let found = Cut {
                symbols: rest.symbols + 1,
                ways: rest.ways,
                first: (length, symbol),
            };
            match &mut best[at] {
                Some(known) if known.symbols == found.symbols => {
                    known.ways = (known.ways + found.ways).min(2);
                }
                Some(known) if known.symbols < found.symbols => {}
                place => *place = Some(found),
            }
        }
    }
    if best[0]?.ways > 1 {
        return None;
    }
    let mut symbols = Vec::new();
    let mut at = 0;
    while let Some(Cut { first, .. }) = best[at]
        && first.0 > 0
    {
        symbols.push(first);
        at += first.0;
    }
    Some(symbols)
}

/// The symbol with exactly this spelling.
fn one(text: &str) -> Option<&'static str> {
    let drawn = DRAWN.iter().find(|(spelling, _)| *spelling == text);
    let drawn = drawn.map(|(_, symbol)| *symbol);
    let alone = || {
        (text.len() == 1)
            .then(|| symbols::by_unicode(text))
            .flatten()
    };
    drawn.or_else(|| alone().map(|symbol| symbol.unicode))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_spelling_is_of_a_symbol_and_short_enough() {
        for (text, symbol) in DRAWN.iter().chain(NAMED) {
            assert!(symbols::by_unicode(symbol).is_some(), "{text}");
        }
        assert!(DRAWN.iter().all(|(text, _)| text.len() <= LONGEST));
    }

    #[test]
    fn a_run_is_cut_in_one_way_or_not_at_all() {
        let cut = |run| cut(run).map(|found| found.iter().map(|(_, s)| *s).collect::<Vec<_>>());
        assert_eq!(cut(">-->"), Some(vec!["↣"]));
        assert_eq!(cut("}-->{"), Some(vec!["}", "→", "{"]));
        assert_eq!(cut(">=-"), Some(vec!["≥", "-"]));
        assert_eq!(cut("<=>="), None);
        assert_eq!(cut("$"), None);
    }
}
