//! Cuts any text into words for colours, folding and completion, as its language's lexicon says.
//!
//! Differs from the lexers of the languages: it never fails, keeps comments, and knows nothing of grammar.
//! Invariant: words are in order, do not overlap, and begin and end at characters.

use std::collections::{BTreeMap, BTreeSet};

use subject::editor::Lexicon;

/// A word of a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word {
    /// Its first byte.
    pub start: u32,
    /// The byte after its last.
    pub end: u32,
    /// What it is.
    pub kind: WordKind,
}

/// What a word is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WordKind {
    /// A reserved word.
    Keyword,
    /// A name.
    Name,
    /// A number.
    Number,
    /// A text in quotation marks.
    Text,
    /// A comment.
    Comment,
    /// Anything else: an operator, a bracket.
    Operator,
}

/// The words of a text.
pub fn words(text: &str, lexicon: &Lexicon) -> Vec<Word> {
    let knife = Knife::new(lexicon);
    let mut words = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let rest = &text[at..];
        if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        }
        let (length, kind) = knife.word(rest, first);
        words.push(Word {
            start: at as u32,
            end: (at + length) as u32,
            kind,
        });
        at += length;
    }
    words
}

/// A lexicon in a form in which words are found quickly: a text is cut again after every change.
struct Knife<'l> {
    lexicon: &'l Lexicon,
    keywords: BTreeSet<&'static str>,
    /// Operators in ASCII by their first byte, the longest first.
    operators: BTreeMap<u8, Vec<&'static str>>,
    /// Whether a word may begin with a backslash.
    has_commands: bool,
}

impl Knife<'_> {
    fn new(lexicon: &Lexicon) -> Knife<'_> {
        let mut operators: BTreeMap<u8, Vec<&'static str>> = BTreeMap::new();
        for operator in &lexicon.operators {
            let text = operator.ascii;
            if let Some(first) = text.bytes().next() {
                operators.entry(first).or_default().push(text);
            }
        }
        for same in operators.values_mut() {
            same.sort_by_key(|text| std::cmp::Reverse(text.len()));
        }
        let is_command = |word: &&str| word.starts_with('\\');
        Knife {
            lexicon,
            keywords: lexicon.keywords.iter().copied().collect(),
            operators,
            has_commands: lexicon.keywords.iter().any(is_command),
        }
    }

    /// How long the first word of a text is, and what it is.
    fn word(&self, rest: &str, first: char) -> (usize, WordKind) {
        let lexicon = self.lexicon;
        if let Some(length) = comment(rest, lexicon) {
            return (length, WordKind::Comment);
        }
        if first == '"' {
            return (quoted(rest), WordKind::Text);
        }
        let is_inner = |c: char| c.is_alphanumeric() || c == '_';
        // A command of LaTeX is one word.
        let begins = usize::from(first == '\\');
        let letters = rest[begins..].find(|c: char| !is_inner(c));
        let letters = letters.unwrap_or(rest.len() - begins);
        let is_command = begins == 1 && letters > 0 && self.has_commands;
        if first.is_ascii_digit() {
            return (letters.max(1), WordKind::Number);
        }
        if first.is_alphabetic() || first == '_' || is_command {
            let mut length = begins + letters;
            let whole = &rest[..length];
            if self.keywords.contains(whole) {
                return (length, WordKind::Keyword);
            }
            if is_command && self.is_operator(whole) {
                return (length, WordKind::Operator);
            }
            let marks = rest[length..].find(|c: char| !lexicon.in_names.contains(c));
            length += marks.unwrap_or(rest.len() - length);
            return (length, WordKind::Name);
        }
        let known = self.beginning(rest).find(|text| rest.starts_with(**text));
        let length = known.map_or(first.len_utf8(), |text| text.len());
        (length, WordKind::Operator)
    }

    /// The operators that begin with the same byte.
    fn beginning(&self, text: &str) -> impl Iterator<Item = &&'static str> {
        let first = text.bytes().next();
        let same = first.and_then(|first| self.operators.get(&first));
        same.into_iter().flatten()
    }

    fn is_operator(&self, word: &str) -> bool {
        self.beginning(word).any(|text| *text == word)
    }
}

/// How long the comment at the beginning of a text is.
fn comment(rest: &str, lexicon: &Lexicon) -> Option<usize> {
    for (begin, end) in lexicon.block_comments {
        if let Some(inside) = rest.strip_prefix(begin) {
            let length = inside.find(end).map(|at| begin.len() + at + end.len());
            return Some(length.unwrap_or(rest.len()));
        }
    }
    let is_line = lexicon
        .line_comments
        .iter()
        .any(|begin| rest.starts_with(begin));
    is_line.then(|| rest.find('\n').unwrap_or(rest.len()))
}

/// How long the text in quotation marks at the beginning of a text is; it ends with its line at the latest.
fn quoted(rest: &str) -> usize {
    let mut escaped = false;
    for (at, c) in rest.char_indices().skip(1) {
        match c {
            '\n' => return at,
            '"' if !escaped => return at + 1,
            _ => escaped = c == '\\' && !escaped,
        }
    }
    rest.len()
}

#[cfg(test)]
mod tests {
    use subject::editor::{Lexicon, Operator};

    use super::{WordKind, words};

    fn lexicon() -> Lexicon {
        Lexicon {
            keywords: vec!["IF", "\\power"],
            operators: vec![
                Operator {
                    ascii: "<=>",
                    unicode: "⇔",
                },
                Operator {
                    ascii: "<=",
                    unicode: "≤",
                },
            ],
            line_comments: &["//"],
            block_comments: &[("/*", "*/")],
            in_names: "'?",
            blocks: &[],
        }
    }

    #[test]
    fn texts_are_cut_into_words() {
        let text = "IF x' <=> é12 /* ∀\n*/ \"a\\\"b\" // end\n7 \\power \"open\n≤";
        let found: Vec<(&str, WordKind)> = words(text, &lexicon())
            .iter()
            .map(|word| (&text[word.start as usize..word.end as usize], word.kind))
            .collect();
        assert_eq!(
            found,
            [
                ("IF", WordKind::Keyword),
                ("x'", WordKind::Name),
                ("<=>", WordKind::Operator),
                ("é12", WordKind::Name),
                ("/* ∀\n*/", WordKind::Comment),
                ("\"a\\\"b\"", WordKind::Text),
                ("// end", WordKind::Comment),
                ("7", WordKind::Number),
                ("\\power", WordKind::Keyword),
                ("\"open", WordKind::Text),
                ("≤", WordKind::Operator),
            ]
        );
    }

    #[test]
    fn any_text_is_cut_without_end() {
        for text in ["", "\\", "/*", "\"", "∀∃", "a\u{0}b", "''"] {
            let found = words(text, &lexicon());
            assert!(
                found.windows(2).all(|pair| pair[0].end <= pair[1].start),
                "{text}"
            );
            assert!(
                found
                    .iter()
                    .all(|word| text.is_char_boundary(word.end as usize)),
                "{text}"
            );
        }
    }
}
