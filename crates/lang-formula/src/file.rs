//! Files of named formulas: `[Name] formula`, one after the other.
//!
//! A section begins with `[` in the first column of a line and ends where the next one begins; a line that begins with
//! `#` in the first column is a comment unless it is a quantifier (`#x.`). What stands before the first section is a
//! formula without a name.

use crate::syntax::Place;
use base::FileId;

/// A formula of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Section {
    /// Its name.
    pub name: Option<String>,
    /// Its text, comment lines blanked.
    pub text: String,
    /// The byte where it begins.
    pub start: u32,
}

impl Section {
    /// Where the text stands in a file.
    pub fn place(&self, file: FileId) -> Place {
        Place {
            file,
            start: self.start,
        }
    }
}

/// The sections of a file, in order; empty ones without a name are left out.
pub fn sections(text: &str) -> Vec<Section> {
    let mut found: Vec<Section> = Vec::new();
    let mut current = Section {
        name: None,
        text: String::new(),
        start: 0,
    };
    let mut at = 0;
    for line in text.split_inclusive('\n') {
        let header = line
            .strip_prefix('[')
            .and_then(|rest| rest.find(']').map(|end| (&rest[..end], end + 2)));
        if let Some((name, length)) = header {
            found.push(std::mem::replace(
                &mut current,
                Section {
                    name: Some(name.trim().to_owned()),
                    text: line[length..].to_owned(),
                    start: (at + length) as u32,
                },
            ));
        } else if line.starts_with('#') && !is_quantifier(line) {
            // Blanks of the same length keep the places of what follows.
            current.text.extend(line.bytes().map(|byte| match byte {
                b'\n' => '\n',
                _ => ' ',
            }));
        } else {
            current.text.push_str(line);
        }
        at += line.len();
    }
    found.push(current);
    found.retain(|section| section.name.is_some() || !section.text.trim().is_empty());
    found
}

/// `#x.`
fn is_quantifier(line: &str) -> bool {
    let rest = line[1..].trim_start_matches(|c: char| c.is_ascii_alphanumeric() || c == '_');
    rest.len() < line.len() - 1 && rest.starts_with('.')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sections_have_names_texts_and_places() {
        let text = "# all of them\n[first] G {x>0}\n   & F [a]\n# between\n[second]\n#x.({x:S} & F{x=1})\n";
        let found = sections(text);
        assert_eq!(found.len(), 2);
        assert_eq!(found[0].name.as_deref(), Some("first"));
        assert_eq!(found[0].text.trim_end(), " G {x>0}\n   & F [a]");
        let start = found[0].start as usize;
        assert!(text[start..].starts_with(" G {x>0}"));
        assert_eq!(found[1].text.trim(), "#x.({x:S} & F{x=1})");
    }

    #[test]
    fn a_file_without_sections_is_one_formula() {
        let found = sections("G {x>0}\n\n");
        assert_eq!(found.len(), 1);
        assert_eq!(found[0].name, None);
        assert!(sections("\n# nothing\n").is_empty());
    }
}
