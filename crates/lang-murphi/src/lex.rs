//! Text to tokens: keywords in any case, names as written, comments and blanks left out.
//!
//! Invariant: the last token is [`Tok::End`]; every character of the text is in a token, a comment, a blank or a
//! diagnostic.

use base::{Diagnostic, Diagnostics, FileId, Span};

use crate::codes::{support, syntax as code};

/// A token with its place in bytes.
#[derive(Clone, Copy, Debug)]
pub struct Token {
    /// Which.
    pub tok: Tok,
    /// The first byte.
    pub start: u32,
    /// The byte after the last.
    pub end: u32,
}

/// The kinds of tokens.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tok {
    /// The end of the text.
    End,
    /// A name.
    Name,
    /// A number.
    Number,
    /// A number with a point.
    Real,
    /// A string, quotation marks included.
    Text,
    /// A keyword.
    Word(Word),
    /// An operator or bracket, in ASCII.
    Symbol(&'static str),
    /// Something that is no token; reported.
    Bad,
}

macro_rules! words {
    ($($word:ident $text:literal)*) => {
        /// The keywords; `endif`, `endrule` and the like are all [`Word::End`].
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        #[allow(missing_docs)]
        pub enum Word { $($word),* }

        impl Word {
            /// The keyword in small letters.
            pub fn text(self) -> &'static str {
                match self { $(Word::$word => $text),* }
            }
            /// Every keyword.
            pub const ALL: &'static [Word] = &[$(Word::$word),*];
        }
    };
}

words! {
    Alias "alias" Array "array" Assert "assert" Assume "assume" Begin "begin" By "by" Case "case" Choose "choose"
    Clear "clear" Const "const" Cover "cover" Do "do" Else "else" Elsif "elsif" End "end" Enum "enum" Error "error"
    Exists "exists" Externfun "externfun" Externproc "externproc" For "for" Forall "forall" Function "function"
    If "if" Invariant "invariant" IsMember "ismember" IsUndefined "isundefined" Liveness "liveness" Multiset "multiset"
    MultisetAdd "multisetadd" MultisetCount "multisetcount" MultisetRemove "multisetremove"
    MultisetRemovePred "multisetremovepred" Of "of" Pctl "pctl" Procedure "procedure" Put "put" Real "real" Record "record"
    Return "return" Rule "rule" Ruleset "ruleset" Scalarset "scalarset" Startstate "startstate" Switch "switch"
    Then "then" To "to" Type "type" Undefine "undefine" Undefined "undefined" Union "union" Var "var" While "while"
}

/// Spellings that close a block like `end`.
const ENDS: &[&str] = &[
    "endalias",
    "endchoose",
    "endexists",
    "endfor",
    "endforall",
    "endfunction",
    "endif",
    "endprocedure",
    "endrecord",
    "endrule",
    "endruleset",
    "endstartstate",
    "endswitch",
    "endwhile",
];

/// ASCII symbols, longest first where one begins another.
const SYMBOLS: &[&str] = &[
    "==>", ":=", "..", "->", "==", "!=", "<=", ">=", "<<", ">>", "&&", "||", ":", ";", ",", ".",
    "=", "<", ">", "+", "-", "*", "/", "%", "&", "|", "!", "~", "^", "?", "(", ")", "[", "]", "{",
    "}",
];

/// Unicode spellings of symbols.
const UNICODE: &[(char, &str)] = &[
    ('≔', ":="),
    ('×', "*"),
    ('÷', "/"),
    ('−', "-"),
    ('≠', "!="),
    ('≤', "<="),
    ('≥', ">="),
    ('∧', "&"),
    ('∨', "|"),
    ('¬', "!"),
    ('→', "->"),
    ('⇒', "==>"),
    ('⟹', "==>"),
];

/// Quotation marks: what may open a string.
const QUOTES: &[char] = &['"', '“', '”'];

/// The tokens of a text.
pub fn tokens(file: FileId, text: &str, diagnostics: &mut Diagnostics) -> Vec<Token> {
    let mut lexer = Lexer {
        file,
        text,
        pos: 0,
        diagnostics,
        tokens: Vec::new(),
    };
    while lexer.skip_blanks() {
        lexer.token();
    }
    lexer.push(Tok::End, text.len());
    lexer.tokens
}

/// The keyword a text spells, whatever its case.
pub fn word(text: &str) -> Option<Word> {
    // The longest keyword has 18 letters; longer names are spared the comparison.
    if text.len() > 18 {
        return None;
    }
    let small = text.to_ascii_lowercase();
    if ENDS.contains(&small.as_str()) {
        return Some(Word::End);
    }
    Word::ALL.iter().copied().find(|word| word.text() == small)
}

struct Lexer<'t> {
    file: FileId,
    text: &'t str,
    pos: usize,
    diagnostics: &'t mut Diagnostics,
    tokens: Vec<Token>,
}

impl Lexer<'_> {
    fn rest(&self) -> &str {
        &self.text[self.pos..]
    }

    fn span(&self, start: usize, end: usize) -> Span {
        Span::new(self.file, start as u32, end as u32)
    }

    fn push(&mut self, tok: Tok, end: usize) {
        self.tokens.push(Token {
            tok,
            start: self.pos as u32,
            end: end as u32,
        });
        self.pos = end;
    }

    /// Moves to the next token; `false` at the end of the text.
    fn skip_blanks(&mut self) -> bool {
        loop {
            let rest = self.rest();
            let Some(first) = rest.chars().next() else {
                return false;
            };
            if first.is_whitespace() || first == '\u{feff}' {
                self.pos += first.len_utf8();
            } else if rest.starts_with("--") {
                self.pos += rest.find('\n').unwrap_or(rest.len());
            } else if let Some(comment) = rest.strip_prefix("/*") {
                match comment.find("*/") {
                    Some(length) => self.pos += length + 4,
                    None => {
                        let span = self.span(self.pos, self.pos + 2);
                        let message = "comment without end";
                        self.diagnostics.push(Diagnostic::error(
                            &code::UNTERMINATED_COMMENT,
                            span,
                            message,
                        ));
                        self.pos = self.text.len();
                    }
                }
            } else {
                return true;
            }
        }
    }

    fn token(&mut self) {
        let rest = self.rest();
        let Some(first) = rest.chars().next() else {
            return;
        };
        if first.is_alphabetic() || first == '_' {
            let length = rest
                .find(|c: char| !(c.is_alphanumeric() || c == '_'))
                .unwrap_or(rest.len());
            let tok = word(&rest[..length]).map_or(Tok::Name, Tok::Word);
            self.push(tok, self.pos + length);
        } else if first.is_ascii_digit() {
            self.number();
        } else if QUOTES.contains(&first) {
            self.string(first);
        } else if let Some(symbol) = SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol)) {
            self.push(Tok::Symbol(symbol), self.pos + symbol.len());
        } else if let Some((_, symbol)) = UNICODE.iter().find(|(c, _)| *c == first) {
            self.push(Tok::Symbol(symbol), self.pos + first.len_utf8());
        } else if first == '∀' || first == '∃' {
            let word = if first == '∀' {
                Word::Forall
            } else {
                Word::Exists
            };
            self.push(Tok::Word(word), self.pos + first.len_utf8());
        } else {
            self.bad(first);
        }
    }

    fn bad(&mut self, first: char) {
        let end = self.pos + first.len_utf8();
        let span = self.span(self.pos, end);
        let diagnostic = if first == char::REPLACEMENT_CHARACTER {
            Diagnostic::error(&code::INVALID_UTF8, span, "bytes that are no UTF-8")
        } else {
            Diagnostic::error(
                &code::BAD_CHARACTER,
                span,
                format!("\"{first}\" begins nothing in Murphi"),
            )
        };
        self.diagnostics.push(diagnostic);
        self.push(Tok::Bad, end);
    }

    fn number(&mut self) {
        let rest = self.rest();
        if rest.starts_with("0x") || rest.starts_with("0X") {
            let length = rest[2..]
                .find(|c: char| !c.is_ascii_hexdigit())
                .unwrap_or(rest.len() - 2);
            self.push(Tok::Number, self.pos + 2 + length);
            return;
        }
        let digits = |text: &str| {
            text.find(|c: char| !c.is_ascii_digit())
                .unwrap_or(text.len())
        };
        let length = digits(rest);
        let after = &rest[length..];
        if after.starts_with('.') && after[1..].starts_with(|c: char| c.is_ascii_digit()) {
            let end = self.pos + length + 1 + digits(&after[1..]);
            let span = self.span(self.pos, end);
            let message = format!(
                "real numbers are not supported: {}",
                &self.text[self.pos..end]
            );
            self.diagnostics
                .push(Diagnostic::error(&support::REAL, span, message).help("scale to integers"));
            self.push(Tok::Real, end);
        } else {
            self.push(Tok::Number, self.pos + length);
        }
    }

    fn string(&mut self, quote: char) {
        let rest = self.rest();
        let mut escaped = false;
        for (at, c) in rest.char_indices().skip(1) {
            let closes = if quote == '"' {
                c == '"'
            } else {
                QUOTES[1..].contains(&c)
            };
            if c == '\n' {
                break;
            } else if closes && !escaped {
                self.push(Tok::Text, self.pos + at + c.len_utf8());
                return;
            }
            escaped = c == '\\' && !escaped;
        }
        let end = self.pos + rest.find('\n').unwrap_or(rest.len());
        let span = self.span(self.pos, self.pos + quote.len_utf8());
        self.diagnostics.push(Diagnostic::error(
            &code::UNTERMINATED_STRING,
            span,
            "string without end",
        ));
        self.push(Tok::Text, end);
    }
}
