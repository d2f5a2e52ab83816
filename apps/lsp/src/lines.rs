//! Places in a text: offsets in bytes on our side, lines and UTF-16 units on the protocol's.

use serde_json::{Value, json};

/// The lines of a text.
pub(crate) struct Lines<'a> {
    text: &'a str,
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    pub(crate) fn new(text: &'a str) -> Lines<'a> {
        let breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n');
        let starts = [0].into_iter().chain(breaks.map(|(at, _)| at + 1));
        Lines {
            text,
            starts: starts.collect(),
        }
    }

    /// Line and UTF-16 units of an offset; past the end is the end.
    pub(crate) fn place(&self, offset: u32) -> (u32, u32) {
        let mut offset = (offset as usize).min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.starts.partition_point(|start| *start <= offset) - 1;
        let before = &self.text[self.starts[line]..offset];
        (line as u32, units(before))
    }

    /// The position of an offset.
    pub(crate) fn position(&self, offset: u32) -> Value {
        let (line, character) = self.place(offset);
        json!({ "line": line, "character": character })
    }

    /// The range of two offsets.
    pub(crate) fn range(&self, start: u32, end: u32) -> Value {
        json!({ "start": self.position(start), "end": self.position(end.max(start)) })
    }

    /// The offset of a position; past the end of a line is its end.
    pub(crate) fn offset(&self, position: &Value) -> u32 {
        let number = |name: &str| position[name].as_u64().unwrap_or(0) as usize;
        let (line, character) = (number("line"), number("character"));
        let Some(start) = self.starts.get(line).copied() else {
            return self.text.len() as u32;
        };
        let end = self
            .starts
            .get(line + 1)
            .map_or(self.text.len(), |next| next - 1);
        let line = &self.text[start..end];
        let line = line.strip_suffix('\r').unwrap_or(line);
        let mut left = character;
        for (at, c) in line.char_indices() {
            // A position inside a character is before it.
            if left < c.len_utf16() {
                return (start + at) as u32;
            }
            left -= c.len_utf16();
        }
        (start + line.len()) as u32
    }
}

/// How many UTF-16 units a text has.
pub(crate) fn units(text: &str) -> u32 {
    text.chars().map(|c| c.len_utf16() as u32).sum()
}

/// A text after a change of the protocol; one without a range is a whole text.
pub(crate) fn changed(text: &str, change: &Value) -> String {
    let new = change["text"].as_str().unwrap_or_default();
    let range = &change["range"];
    if range.is_null() {
        return new.to_owned();
    }
    let lines = Lines::new(text);
    let start = lines.offset(&range["start"]) as usize;
    let end = (lines.offset(&range["end"]) as usize).max(start);
    [&text[..start], new, &text[end..]].concat()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::{Lines, changed};

    #[test]
    fn positions_count_utf16_units() {
        let text = "a𝔹b\r\nx ∈ S\n";
        let lines = Lines::new(text);
        assert_eq!(lines.position(5), json!({ "line": 0, "character": 3 }));
        assert_eq!(lines.position(8), json!({ "line": 1, "character": 0 }));
        for offset in [0, 1, 5, 6, 8, 9, 10, 13, 15, 16] {
            assert_eq!(lines.offset(&lines.position(offset)), offset);
        }
        assert_eq!(lines.offset(&json!({ "line": 0, "character": 2 })), 1);
        assert_eq!(lines.offset(&json!({ "line": 0, "character": 99 })), 6);
        assert_eq!(lines.offset(&json!({ "line": 9, "character": 0 })), 16);
    }

    #[test]
    fn changes_replace_ranges() {
        let range =
            json!({ "start": { "line": 0, "character": 2 }, "end": { "line": 1, "character": 1 } });
        let change = json!({ "range": range, "text": "∀\n" });
        assert_eq!(changed("abc\ndef", &change), "ab∀\nef");
        assert_eq!(changed("abc", &json!({ "text": "x" })), "x");
    }
}
