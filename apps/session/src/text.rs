//! What an editor in a page asks about a text: what is wrong with it, what its words are, what can be written. The same as a language
//! server tells, by `workbench::edit`.
//!
//! Places are counted in units of UTF-16 from the beginning of the text, as pages count them.

use serde_json::{Value, json};
use subject::editor::DefinitionKind;
use workbench::edit::{Edited, ProposalKind, WordKind};

use crate::act::{Desk, linted};
use crate::want::Model;

/// Kinds of words that are told; one that is only a name has none.
const KINDS: &[&str] = &[
    "keyword",
    "number",
    "text",
    "comment",
    "operator",
    "set",
    "element",
    "constant",
    "variable",
    "event",
    "local",
    "definition",
    "property",
    "component",
];

impl Desk {
    fn edited(&self, file: &str) -> Result<Edited, String> {
        let (path, bench) = self.at(file, &Model::default())?;
        Ok(Edited::read(&bench, &path))
    }

    /// The text laid out as its language prints it.
    pub(crate) fn format(&self, file: &str) -> Result<Value, String> {
        let edited = self.edited(file)?;
        match edited.formatted() {
            Some(text) => Ok(json!({ "text": text })),
            None => Ok(linted(&edited.lint)),
        }
    }

    /// What is wrong with a text, and its words: beginning, end and number of the kind, one after the other.
    pub(crate) fn words(&self, file: &str) -> Result<Value, String> {
        let edited = self.edited(file)?;
        let mut units = Units::new(edited.text());
        let mut words: Vec<u32> = Vec::new();
        for (word, name) in edited.colours() {
            if let Some(kind) = kind(word.kind, name) {
                let number = KINDS.iter().position(|known| *known == kind);
                let ends = (units.of(word.start), units.of(word.end));
                words.extend([ends.0, ends.1, number.unwrap_or_default() as u32]);
            }
        }
        let mut answer = linted(&edited.lint);
        answer["words"] = json!(words);
        answer["kinds"] = json!(KINDS);
        Ok(answer)
    }

    /// What is known of the name at a place.
    pub(crate) fn about(&self, file: &str, at: u32) -> Result<Value, String> {
        let edited = self.edited(file)?;
        let Some((span, definition)) = edited.name_at(byte_of(edited.text(), at)) else {
            return Ok(Value::Null);
        };
        let (about, written) = edited.about(definition);
        let mut units = Units::new(edited.text());
        let (from, to) = (units.of(span.start), units.of(span.end));
        Ok(json!({ "from": from, "to": to, "about": about, "written": written }))
    }

    /// What can be written at a place.
    pub(crate) fn complete(&self, file: &str, at: u32) -> Result<Value, String> {
        let edited = self.edited(file)?;
        let proposals = edited.proposals(byte_of(edited.text(), at)).into_iter();
        let told = proposals.map(|one| {
            let kind = match one.kind {
                ProposalKind::Keyword => "keyword",
                ProposalKind::Operator => "operator",
                ProposalKind::Name(kind) => name_kind(kind),
            };
            json!({ "text": one.text, "detail": one.detail, "kind": kind, "also": one.also })
        });
        Ok(told.collect())
    }
}

/// The kind of a word; `None` for a name that means nothing.
fn kind(word: WordKind, name: Option<DefinitionKind>) -> Option<&'static str> {
    match word {
        WordKind::Keyword => Some("keyword"),
        WordKind::Number => Some("number"),
        WordKind::Text => Some("text"),
        WordKind::Comment => Some("comment"),
        WordKind::Operator => Some("operator"),
        WordKind::Name => name.map(name_kind),
    }
}

fn name_kind(kind: DefinitionKind) -> &'static str {
    match kind {
        DefinitionKind::Set => "set",
        DefinitionKind::Element => "element",
        DefinitionKind::Constant => "constant",
        DefinitionKind::Variable | DefinitionKind::Field => "variable",
        DefinitionKind::Event => "event",
        DefinitionKind::Parameter | DefinitionKind::Local => "local",
        DefinitionKind::Macro => "definition",
        DefinitionKind::Property | DefinitionKind::Linear | DefinitionKind::Branching => "property",
        DefinitionKind::Component => "component",
    }
}

/// Counts units of UTF-16 up to growing offsets in bytes.
struct Units<'a> {
    text: &'a str,
    at: usize,
    units: u32,
}

impl<'a> Units<'a> {
    fn new(text: &'a str) -> Units<'a> {
        let (at, units) = (0, 0);
        Units { text, at, units }
    }

    fn of(&mut self, offset: u32) -> u32 {
        let to = self.text.floor_char_boundary(offset as usize);
        if to < self.at {
            (self.at, self.units) = (0, 0);
        }
        self.units += self.text[self.at..to].encode_utf16().count() as u32;
        self.at = to;
        self.units
    }
}

/// The offset in bytes of a place; past the end is the end.
fn byte_of(text: &str, at: u32) -> u32 {
    let mut units = 0;
    let mut before = text.char_indices().skip_while(|(_, c)| {
        units += c.len_utf16() as u32;
        units <= at
    });
    before.next().map_or(text.len(), |(byte, _)| byte) as u32
}

#[cfg(test)]
mod tests {
    use super::{Units, byte_of};

    #[test]
    fn places_of_pages_are_offsets_and_back() {
        let text = "a𝔹b ∈ c";
        let mut units = Units::new(text);
        for (byte, unit) in [(0, 0), (1, 1), (5, 3), (6, 4), (7, 5), (10, 6), (12, 8)] {
            assert_eq!(units.of(byte), unit, "{byte}");
            assert_eq!(byte_of(text, unit), byte, "{unit}");
        }
        assert_eq!(units.of(1), 1, "and back again");
        assert_eq!((byte_of(text, 2), byte_of(text, 99)), (1, 12));
    }
}
