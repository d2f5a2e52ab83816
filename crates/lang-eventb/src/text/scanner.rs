//! Cuts a text into the parts of its structure: keywords, labels and other words.

use super::keyword;

/// A part of the structure.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Item<'t> {
    /// A keyword, in lower case, with its place.
    Keyword(&'static str, usize),
    /// `@label`, without a final colon.
    Label(&'t str, usize),
    /// Any other word or symbol.
    Other(&'t str, usize),
}

impl Item<'_> {
    pub(super) fn at(&self) -> usize {
        match self {
            Item::Keyword(_, at) | Item::Label(_, at) | Item::Other(_, at) => *at,
        }
    }

    /// Where it ends.
    pub(super) fn end(&self) -> usize {
        match self {
            Item::Keyword(word, at) => at + word.len(),
            Item::Label(word, at) => at + 1 + word.len(),
            Item::Other(word, at) => at + word.len(),
        }
    }
}

#[derive(Clone)]
pub(super) struct Scanner<'t> {
    pub(super) text: &'t str,
    pub(super) at: usize,
}

impl<'t> Scanner<'t> {
    pub(super) fn blank(&mut self) {
        loop {
            let rest = &self.text[self.at..];
            let trimmed = rest.trim_start_matches(|c: char| c.is_whitespace() || c == '\u{feff}');
            self.at += rest.len() - trimmed.len();
            if trimmed.starts_with("//") {
                self.at += trimmed.find('\n').unwrap_or(trimmed.len());
            } else if let Some(body) = trimmed.strip_prefix("/*") {
                self.at += body.find("*/").map_or(trimmed.len(), |at| at + 4);
            } else {
                return;
            }
        }
    }

    pub(super) fn item(&mut self) -> Option<Item<'t>> {
        self.blank();
        let at = self.at;
        let rest = &self.text[at..];
        let first = rest.chars().next()?;
        if let Some(label) = rest.strip_prefix('@') {
            let end = label
                .find(|c: char| c.is_whitespace())
                .unwrap_or(label.len());
            self.at += 1 + end;
            return Some(Item::Label(label[..end].trim_end_matches(':'), at));
        }
        let is_word = |c: char| c.is_alphanumeric() || c == '_';
        if is_word(first) {
            let mut end = rest.find(|c: char| !is_word(c)).unwrap_or(rest.len());
            // Names of components and events may hold these.
            while rest[end..].starts_with(['-', '.'])
                && rest[end + 1..].chars().next().is_some_and(is_word)
                && !rest[end..].starts_with("..")
            {
                let tail = &rest[end + 1..];
                end += 1 + tail.find(|c: char| !is_word(c)).unwrap_or(tail.len());
            }
            self.at += end;
            let word = &rest[..end];
            return Some(match keyword(word) {
                Some(keyword) => Item::Keyword(keyword, at),
                None => Item::Other(word, at),
            });
        }
        self.at += first.len_utf8();
        Some(Item::Other(&rest[..first.len_utf8()], at))
    }
}
