//! Values as people write them: a function from `1..n` is a sequence, `[a,b]`.
//!
//! The canonical notation, which files, JSON and `eval --batch` keep, has one form for all sets of pairs. This is made from
//! that notation, so whatever shows a value can be read by people without knowing its type.
//! Invariant: what is not a set of pairs `(1|->…),(2|->…),…` in the canonical notation stays as it is, texts in quotes too.

use std::borrow::Cow;

/// How a set begins that may be a sequence.
const BEGINNING: &str = "{(1|->";

/// A text with its sequences written as sequences.
pub fn for_people(text: &str) -> Cow<'_, str> {
    match text.contains(BEGINNING) {
        true => Cow::Owned(rewritten(text)),
        false => Cow::Borrowed(text),
    }
}

fn rewritten(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(c) = rest.chars().next() {
        let taken = match c {
            '"' => quoted(rest),
            '{' => match sequence(rest) {
                Some((members, taken)) => {
                    let members: Vec<String> = members.into_iter().map(nested).collect();
                    out.push('[');
                    out.push_str(&members.join(","));
                    out.push(']');
                    rest = &rest[taken..];
                    continue;
                }
                None => 1,
            },
            c => c.len_utf8(),
        };
        out.push_str(&rest[..taken]);
        rest = &rest[taken..];
    }
    out
}

fn nested(member: &str) -> String {
    base::deep::recurse(|| rewritten(member))
}

/// The members of a sequence at the beginning of a text, and the length of its notation.
fn sequence(text: &str) -> Option<(Vec<&str>, usize)> {
    let mut members = Vec::new();
    let mut at = 1;
    loop {
        let begin = format!("({}|->", members.len() + 1);
        let member = text[at..].strip_prefix(begin.as_str())?;
        let length = closing(member)?;
        members.push(&member[..length]);
        at += begin.len() + length + 1;
        match text.as_bytes().get(at)? {
            b',' => at += 1,
            b'}' => return Some((members, at + 1)),
            _ => return None,
        }
    }
}

/// Where the bracket is that closes what was opened before a text.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0;
    let mut at = 0;
    while at < text.len() {
        match text.as_bytes()[at] {
            b'"' => {
                at += quoted(&text[at..]);
                continue;
            }
            b'(' | b'{' | b'[' => depth += 1,
            b')' | b'}' | b']' if depth == 0 => return Some(at),
            b')' | b'}' | b']' => depth -= 1,
            _ => {}
        }
        at += 1;
    }
    None
}

/// The length of a text in quotes.
fn quoted(text: &str) -> usize {
    let mut is_escaped = false;
    for (at, c) in text.char_indices().skip(1) {
        match c {
            _ if is_escaped => is_escaped = false,
            '\\' => is_escaped = true,
            '"' => return at + 1,
            _ => {}
        }
    }
    text.len()
}

#[cfg(test)]
mod tests {
    use super::for_people;

    #[test]
    fn functions_from_one_on_are_sequences() {
        for (canonical, people) in [
            ("{(1|->a),(2|->b)}", "[a,b]"),
            ("{(1|->{}),(2|->{(1|->7)})}", "[{},[7]]"),
            (
                "q = {(1|->(a|->2))}, r = {(1|->\"}\\\")\")}",
                "q = [(a|->2)], r = [\"}\\\")\"]",
            ),
            ("{((1|->a)|->{(1|->b)})}", "{((1|->a)|->[b])}"),
            ("rec(f:{(1|->2)})", "rec(f:[2])"),
        ] {
            assert_eq!(for_people(canonical), people);
        }
    }

    #[test]
    fn everything_else_stays() {
        for text in [
            "{}",
            "{(1|->a),(3|->b)}",
            "{(1|->a),(1|->b)}",
            "{(2|->a)}",
            "{(1|->a",
            "\"{(1|->a)}\"",
            "{(1 ↦ a)}",
            "∅",
        ] {
            assert_eq!(for_people(text), text);
        }
    }
}
