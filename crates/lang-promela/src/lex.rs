//! Splits Promela text into tokens, for the preprocessor and, after it, for the parser.
//!
//! Comments and blanks leave no token, only the marks "first on its line" and "glued to the token before": SPIN puts
//! separators where lines end, and temporal formulas need to tell `[]` from `[ ]`.
//! Invariant: what cannot be read is a token too (`BadString`, …); whoever uses it reports it, so that text which the
//! preprocessor leaves out never does harm.

use base::{FileId, Name, Span};

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Tok {
    /// A word that is no keyword.
    Ident,
    /// A keyword.
    Word(Word),
    /// Decimal digits.
    Number,
    /// A character in quotes.
    Char,
    /// A string with its quotes.
    Str,
    /// An operator or bracket.
    Punct(Punct),
    /// A character that begins no token.
    BadChar,
    /// A quote without its partner on the line.
    BadString,
    /// A comment without end.
    BadComment,
    /// The end of the text.
    Eof,
}

/// Declares the words and their spellings.
macro_rules! spelled {
    ($(#[$doc:meta])* $kind:ident { $($name:ident $text:literal,)* }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        #[expect(missing_docs, reason = "each is the text it is declared with")]
        pub enum $kind { $($name,)* }

        impl $kind {
            /// All of them, in the order of their declaration.
            pub const ALL: &'static [$kind] = &[$($kind::$name,)*];

            /// How it is written.
            pub fn text(self) -> &'static str {
                match self { $($kind::$name => $text,)* }
            }
        }
    };
}

spelled! {
    /// The reserved words.
    Word {
        Active "active", Assert "assert", Atomic "atomic", Bit "bit", Bool "bool", Break "break", Byte "byte",
        CCode "c_code", CDecl "c_decl", CExpr "c_expr", CState "c_state", CTrack "c_track",
        DProctype "D_proctype", Do "do", Chan "chan", Else "else", Empty "empty", Enabled "enabled", Eval "eval",
        False "false", Fi "fi", For "for", Full "full", GetPriority "get_priority", Goto "goto", Hidden "hidden",
        If "if", Init "init", Inline "inline", Int "int", Len "len", Local "local", Ltl "ltl", Mtype "mtype",
        Nempty "nempty", Never "never", Nfull "nfull", Notrace "notrace", Np "np_", Od "od", Of "of",
        PcValue "pc_value", Pid "pid", Printf "printf", Printm "printm", Priority "priority",
        Proctype "proctype", Provided "provided", Return "return", Run "run", DStep "d_step", Select "select",
        SetPriority "set_priority", Short "short", Skip "skip", Timeout "timeout", Trace "trace", True "true",
        Show "show", Typedef "typedef", Unless "unless", Unsigned "unsigned", Xr "xr", Xs "xs",
    }
}

spelled! {
    /// Operators and brackets; a longer one stands before every one that begins it.
    Punct {
        Paste "##", Ellipsis "...", Arrow "->", Decrement "--", Increment "++", ShiftLeft "<<", ShiftRight ">>",
        LessEqual "<=", GreaterEqual ">=", Equal "==", NotEqual "!=", SortedSend "!!", RandomReceive "??",
        And "&&", Or "||", Options "::", DotDot "..",
        Hash "#", Less "<", Greater ">", Assign "=", Send "!", Receive "?", BitAnd "&", BitOr "|", BitXor "^",
        Complement "~", Plus "+", Minus "-", Times "*", Divide "/", Remainder "%", Dot ".", Comma ",",
        Semicolon ";", Colon ":", At "@", Backslash "\\",
        LeftParen "(", RightParen ")", LeftBracket "[", RightBracket "]", LeftBrace "{", RightBrace "}",
    }
}

impl Word {
    /// The word spelled by `text`.
    pub fn of(text: &str) -> Option<Word> {
        Word::ALL.iter().copied().find(|word| word.text() == text)
    }
}

/// A token and where it comes from.
#[derive(Clone, Copy, Debug)]
pub struct Token {
    /// Its kind.
    pub tok: Tok,
    /// Whether it is the first on its line.
    pub first: bool,
    /// Whether nothing stands between it and the token before.
    pub glued: bool,
    /// Whether the preprocessor must not replace it any more.
    pub painted: bool,
    /// Its text.
    pub text: Name,
    /// The place that a reader is pointed at: for a token that a macro made, the use of the macro.
    pub span: Span,
    /// Where its characters stand.
    pub origin: Span,
}

impl Token {
    /// Whether it is this operator or bracket.
    pub fn is(&self, punct: Punct) -> bool {
        self.tok == Tok::Punct(punct)
    }
}

/// The tokens of a whole text; the last one is `Eof`.
pub fn tokens(file: FileId, text: &str) -> Vec<Token> {
    let mut lexer = Lexer {
        file,
        text,
        at: 0,
        first: true,
        glued: false,
    };
    let mut tokens = Vec::with_capacity(text.len() / 4 + 1);
    loop {
        let token = lexer.next();
        tokens.push(token);
        if token.tok == Tok::Eof {
            return tokens;
        }
    }
}

struct Lexer<'t> {
    file: FileId,
    text: &'t str,
    at: usize,
    first: bool,
    glued: bool,
}

impl Lexer<'_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn next(&mut self) -> Token {
        let comment = self.skip_blanks();
        let start = self.at;
        let tok = match (comment, self.rest().chars().next()) {
            (Some(open), _) => {
                self.at = self.text.len();
                return self.token(Tok::BadComment, open, open + 2);
            }
            (None, None) => Tok::Eof,
            (None, Some(c)) => self.read(c),
        };
        self.token(tok, start, self.at)
    }

    fn token(&mut self, tok: Tok, start: usize, end: usize) -> Token {
        let span = Span::new(self.file, start as u32, end as u32);
        Token {
            tok,
            first: std::mem::take(&mut self.first),
            glued: std::mem::replace(&mut self.glued, true),
            painted: false,
            text: Name::new(&self.text[start..end]),
            span,
            origin: span,
        }
    }

    /// Passes blanks, comments and line ends that a backslash takes away; a comment without end gives its place.
    fn skip_blanks(&mut self) -> Option<usize> {
        loop {
            let rest = self.rest();
            let length = if rest.starts_with('\n') {
                self.first = true;
                1
            } else if rest.starts_with("\\\n") {
                2
            } else if rest.starts_with("\\\r\n") {
                3
            } else if rest.starts_with("*/") {
                // The end of a comment that was never opened: SPIN reads on as if it were not there.
                2
            } else if rest.starts_with("//") {
                line_comment(rest)
            } else if let Some(body) = rest.strip_prefix("/*") {
                match body.find("*/") {
                    Some(end) => end + 4,
                    None => return Some(self.at),
                }
            } else {
                match rest.chars().next() {
                    Some(c) if c.is_whitespace() || c == '\0' || c == '\u{feff}' => c.len_utf8(),
                    _ => return None,
                }
            };
            self.at += length;
            self.glued = false;
        }
    }

    fn read(&mut self, c: char) -> Tok {
        if c.is_ascii_alphabetic() || c == '_' {
            self.take_while(|c| c.is_ascii_alphanumeric() || c == '_');
            return Tok::Ident;
        }
        if c.is_ascii_digit() {
            self.take_while(|c| c.is_ascii_digit());
            return Tok::Number;
        }
        if c == '"' || c == '\'' {
            return self.quoted(c);
        }
        let rest = self.rest();
        let known = Punct::ALL
            .iter()
            .find(|punct| rest.starts_with(punct.text()));
        self.at += known.map_or(c.len_utf8(), |punct| punct.text().len());
        known.map_or(Tok::BadChar, |punct| Tok::Punct(*punct))
    }

    fn take_while(&mut self, fits: impl Fn(char) -> bool) {
        let rest = self.rest();
        self.at += rest.find(|c| !fits(c)).unwrap_or(rest.len());
    }

    /// Reads a string or a character; without its end it is the quote alone, so that the line goes on as text.
    fn quoted(&mut self, quote: char) -> Tok {
        let mut escaped = false;
        for (i, c) in self.rest().char_indices().skip(1) {
            match c {
                _ if escaped => escaped = false,
                '\\' => escaped = true,
                '\n' => break,
                _ if c == quote => {
                    self.at += i + 1;
                    return if quote == '"' { Tok::Str } else { Tok::Char };
                }
                _ => {}
            }
        }
        self.at += 1;
        Tok::BadString
    }
}

/// The length of a comment that runs to the end of its line, the line end left out.
fn line_comment(text: &str) -> usize {
    let mut length = 0;
    for line in text.split_inclusive('\n') {
        length += line.len();
        let content = line.trim_end_matches(['\n', '\r']);
        if !content.ends_with('\\') {
            return length - usize::from(line.ends_with('\n'));
        }
    }
    length
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<(Tok, &'static str, bool)> {
        let file = base::Sources::new().add("m.pml", text.to_owned());
        let mut all: Vec<_> = tokens(file, text)
            .into_iter()
            .map(|token| (token.tok, token.text.as_str(), token.first))
            .collect();
        all.pop();
        all
    }

    #[test]
    fn the_longest_operator_wins_and_lines_are_marked() {
        let texts: Vec<_> = read("x<<=1 // c\n y!!z...")
            .into_iter()
            .map(|(_, text, _)| text)
            .collect();
        assert_eq!(texts, ["x", "<<", "=", "1", "y", "!!", "z", "..."]);
        let firsts: Vec<_> = read("a b\\\nc\nd")
            .into_iter()
            .map(|(_, _, first)| first)
            .collect();
        assert_eq!(firsts, [true, false, false, true]);
    }

    #[test]
    fn what_has_no_end_is_a_token() {
        assert_eq!(read("/* x")[0].0, Tok::BadComment);
        assert_eq!(read("\"x\ny")[0].0, Tok::BadString);
        assert_eq!(read("$")[0].0, Tok::BadChar);
        assert_eq!(read("'a'")[0].0, Tok::Char);
    }
}
