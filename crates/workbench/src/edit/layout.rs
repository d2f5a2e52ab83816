//! Formatting that loses nothing: the text as its language prints it, with the comments put back where they stood.
//!
//! Printers know trees, and trees hold neither comments nor macros. So what was printed counts only if it has the words of the text, brackets
//! and the case of keywords aside; each comment follows the word that it stood behind or precedes the line of the one that it stood
//! before. Otherwise (macros that were replaced, text around the paragraphs of Z) only blanks are mended.
//! Invariant: the result has the words and the comments of the text, whatever was printed.

use subject::editor::Lexicon;

use super::words::{Word, WordKind, words};

/// The text laid out; `printed` is what its language makes of it, in one style or another.
pub(super) fn laid_out<'t>(
    text: &'t str,
    mut printed: impl Iterator<Item = &'t str>,
    lexicon: &'t Lexicon,
) -> String {
    let old = Cut::new(text, lexicon);
    let with_comments = printed.find_map(|printed| {
        // Comments at the end begin a line of their own.
        let printed = format!("{}\n", printed.trim_end());
        let new = Cut::new(&printed, lexicon);
        let result = (old.plain() == new.plain()).then(|| commented(&old, &new))?;
        let result = tidy(&result);
        // A comment may end what was meant to follow it: then it does not count.
        let cut = Cut::new(&result, lexicon);
        (cut.plain() == old.plain() && cut.comments() == old.comments()).then_some(result)
    });
    with_comments.unwrap_or_else(|| tidy(text))
}

/// A text and its words.
struct Cut<'t> {
    text: &'t str,
    /// Words that count: no comments, no round brackets.
    words: Vec<Word>,
    /// Comments, and how many words that count stand before each.
    notes: Vec<(Word, usize)>,
    lexicon: &'t Lexicon,
}

impl<'t> Cut<'t> {
    fn new(text: &'t str, lexicon: &'t Lexicon) -> Cut<'t> {
        let mut cut = Cut {
            text,
            words: Vec::new(),
            notes: Vec::new(),
            lexicon,
        };
        for word in words(text, lexicon) {
            match (word.kind, cut.shown(word)) {
                (WordKind::Comment, _) => cut.notes.push((word, cut.words.len())),
                (_, "(" | ")") => {}
                _ => cut.words.push(word),
            }
        }
        cut
    }

    fn shown(&self, word: Word) -> &'t str {
        &self.text[word.start as usize..word.end as usize]
    }

    /// What must stay as it is.
    fn plain(&self) -> Vec<String> {
        let words = self.words.iter();
        let keywords = &self.lexicon.keywords;
        let words = words.map(|word| {
            let shown = self.shown(*word);
            let lower = shown.to_ascii_lowercase();
            match word.kind == WordKind::Keyword || keywords.contains(&lower.as_str()) {
                true => lower,
                false => shown.to_owned(),
            }
        });
        words.collect()
    }

    /// The comments, without the blanks that a printer may have changed; in any order.
    fn comments(&self) -> Vec<String> {
        let notes = self.notes.iter();
        let mut all: Vec<String> = notes.map(|(word, _)| squeezed(self.shown(*word))).collect();
        all.sort_unstable();
        all
    }

    /// The line of a place: where it begins, and where it ends.
    fn line(&self, at: usize) -> (usize, usize) {
        let begin = self.text[..at].rfind('\n').map_or(0, |end| end + 1);
        let end = self.text[at..].find('\n').map(|end| at + end);
        (begin, end.unwrap_or(self.text.len()))
    }

    fn is_first_on_line(&self, word: Word) -> bool {
        let start = word.start as usize;
        self.text[self.line(start).0..start].trim().is_empty()
    }

    fn is_to_line_end(&self, word: Word) -> bool {
        let shown = self.shown(word);
        let mut begins = self.lexicon.line_comments.iter();
        begins.any(|begin| shown.starts_with(begin))
    }
}

fn squeezed(text: &str) -> String {
    text.split_whitespace().collect()
}

/// The printed text with the comments of the old one.
fn commented(old: &Cut<'_>, new: &Cut<'_>) -> String {
    // Some comments have a meaning, and are printed.
    let mut printed = new.comments();
    let mut pieces: Vec<(usize, String)> = Vec::new();
    for (note, before) in &old.notes {
        let shown = old.shown(*note);
        if let Some(at) = printed.iter().position(|one| *one == squeezed(shown)) {
            printed.remove(at);
            continue;
        }
        pieces.push(placed(old, new, (*note, *before)));
    }
    // Comments at one place stay in their order.
    pieces.sort_by_key(|(at, _)| *at);
    let mut text = String::new();
    let mut done = 0;
    for (at, piece) in pieces {
        text.push_str(&new.text[done..at]);
        text.push_str(&piece);
        done = at;
    }
    text.push_str(&new.text[done..]);
    text
}

/// Where a comment goes in the printed text, and what is written there.
fn placed(old: &Cut<'_>, new: &Cut<'_>, (note, before): (Word, usize)) -> (usize, String) {
    let shown = old.shown(note).trim_end();
    let last = before.checked_sub(1).map(|at| new.words[at]);
    if let Some(last) = last.filter(|_| !old.is_first_on_line(note)) {
        let end = last.end as usize;
        let rest = &new.text[end..new.line(end).1];
        let is_last = new.words.get(before).is_none_or(|next| {
            let next = next.start as usize;
            next >= end + rest.len()
        });
        match (old.is_to_line_end(note), is_last) {
            (false, false) => return (end, format!(" {shown}")),
            (_, true) => return (end + rest.len(), format!(" {shown}")),
            (true, false) => {}
        }
    }
    // Above the line of the next word.
    let Some(next) = new.words.get(before) else {
        return (new.text.len(), format!("{shown}\n"));
    };
    let (begin, _) = new.line(next.start as usize);
    let line = &new.text[begin..];
    let indent = &line[..line.len() - line.trim_start().len()];
    let is_apart = old.text[..note.start as usize]
        .trim_end_matches([' ', '\t'])
        .ends_with("\n\n");
    let blank = if is_apart && begin > 0 { "\n" } else { "" };
    (begin, format!("{blank}{indent}{shown}\n"))
}

/// No blanks at the ends of lines, no two empty lines, one line end at the end.
fn tidy(text: &str) -> String {
    let mut tidied = String::new();
    let mut empty = true;
    for line in text.lines().map(str::trim_end) {
        if line.is_empty() && empty {
            continue;
        }
        empty = line.is_empty();
        tidied.push_str(line);
        tidied.push('\n');
    }
    tidied.truncate(tidied.trim_end().len());
    if !tidied.is_empty() {
        tidied.push('\n');
    }
    tidied
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lexicon() -> Lexicon {
        Lexicon {
            keywords: vec!["begin", "END"],
            line_comments: &["//"],
            block_comments: &[("/*", "*/")],
            ..Lexicon::default()
        }
    }

    fn laid(text: &str, printed: &[&str]) -> String {
        laid_out(text, printed.iter().copied(), &lexicon())
    }

    #[test]
    fn comments_stay_with_their_words() {
        let text = "/* head */ begin a // of a\n\n  // above b\n  (b /* of b */ + c) // of c\nend\n// last";
        let printed = "begin\n  a\n  b + c\nEND";
        let expected = "/* head */\nbegin\n  a // of a\n\n  // above b\n  b /* of b */ + c // of c\nEND\n// last\n";
        assert_eq!(laid(text, &[printed]), expected);
    }

    #[test]
    fn a_line_comment_never_swallows_words() {
        let text = "begin a // of a\n b end";
        assert_eq!(laid(text, &["begin a b END"]), "// of a\nbegin a b END\n");
    }

    #[test]
    fn what_was_printed_with_other_words_does_not_count() {
        let text = "begin  \n\n\n  a  // x \nend\n\n";
        for printed in [&[][..], &["begin 3 END"], &["begin a a END", "begin END"]] {
            assert_eq!(laid(text, printed), "begin\n\n  a  // x\nend\n");
        }
    }

    #[test]
    fn a_comment_that_is_printed_stays_once() {
        let text = "begin /*@ label x */ a end";
        let printed = "begin\n  /*@label x*/ a\nEND";
        assert_eq!(laid(text, &["", printed]), "begin\n  /*@label x*/ a\nEND\n");
    }
}
