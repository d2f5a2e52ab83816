//! Which language a file is written in: by its extension, else by how it begins.
//!
//! Languages that no front end reads yet are known by name, so that the answer can be "not supported yet"
//! instead of a page of syntax errors.

use std::path::Path;

/// A modelling language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Language {
    /// Classical B.
    B,
    /// The rules language on top of classical B.
    Rules,
    /// Event-B, as Rodin files or archives.
    EventB,
    /// Z, in LaTeX.
    Z,
    /// Promela.
    Promela,
    /// Murphi.
    Murphi,
    /// TLA+.
    Tla,
}

impl Language {
    /// The name in reports for programs.
    pub fn id(self) -> &'static str {
        match self {
            Language::B => "b",
            Language::Rules => "rules",
            Language::EventB => "eventb",
            Language::Z => "z",
            Language::Promela => "promela",
            Language::Murphi => "murphi",
            Language::Tla => "tla",
        }
    }

    /// The name in messages for people.
    pub fn name(self) -> &'static str {
        match self {
            Language::B => "classical B",
            Language::Rules => "the B rules language",
            Language::EventB => "Event-B",
            Language::Z => "Z",
            Language::Promela => "Promela",
            Language::Murphi => "Murphi",
            Language::Tla => "TLA+",
        }
    }

    /// The language that the extension of `path` stands for.
    pub fn by_extension(path: &Path) -> Option<Language> {
        let extension = path.extension()?.to_str()?.to_ascii_lowercase();
        match extension.as_str() {
            "mch" | "ref" | "imp" | "sys" | "mod" | "def" => Some(Language::B),
            "rmch" => Some(Language::Rules),
            "eventb" | "bum" | "buc" | "bcm" | "bcc" | "bumx" | "bucx" | "zip" => {
                Some(Language::EventB)
            }
            "tex" | "zed" => Some(Language::Z),
            "pml" | "prom" | "p" => Some(Language::Promela),
            "m" => Some(Language::Murphi),
            "tla" => Some(Language::Tla),
            _ => None,
        }
    }

    /// The language that a text with this beginning is written in.
    pub fn by_content(text: &str) -> Option<Language> {
        let text = after_comments(text);
        let word = text
            .split(|c: char| !(c.is_alphanumeric() || c == '_'))
            .next()
            .unwrap_or_default();
        match word {
            "MACHINE" | "MODEL" | "SYSTEM" | "REFINEMENT" | "IMPLEMENTATION" | "DEFINITIONS" => {
                Some(Language::B)
            }
            "RULES_MACHINE" => Some(Language::Rules),
            "package" if text.starts_with("package(load_event_b_project") => Some(Language::EventB),
            "context" | "machine" | "CONTEXT" => Some(Language::EventB),
            "proctype" | "active" | "mtype" | "chan" | "inline" => Some(Language::Promela),
            _ if text.starts_with("<?xml") && text.contains("org.eventb.") => {
                Some(Language::EventB)
            }
            _ if text.starts_with("\\documentclass") || text.starts_with("\\begin{z") => {
                Some(Language::Z)
            }
            _ if text.starts_with("----") && text.contains("MODULE") => Some(Language::Tla),
            _ => None,
        }
    }
}

/// `text` without the blanks and comments (`/* */`, `//`) it begins with.
fn after_comments(mut text: &str) -> &str {
    text = text.trim_start_matches('\u{feff}');
    loop {
        text = text.trim_start();
        let rest = if let Some(comment) = text.strip_prefix("/*") {
            comment.split_once("*/")
        } else if let Some(comment) = text.strip_prefix("//") {
            comment.split_once('\n')
        } else {
            return text;
        };
        text = rest.map_or("", |(_, rest)| rest);
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::Language;

    #[test]
    fn extensions_decide_in_any_letter_case() {
        let language = |path: &str| Language::by_extension(Path::new(path));
        assert_eq!(language("a/b.mch"), Some(Language::B));
        assert_eq!(language("B.REF"), Some(Language::B));
        assert_eq!(language("b.eventb"), Some(Language::EventB));
        assert_eq!(language("b.txt"), None);
        assert_eq!(language("mch"), None);
    }

    #[test]
    fn the_first_word_after_comments_decides() {
        let language = Language::by_content;
        assert_eq!(language("MACHINE M END"), Some(Language::B));
        assert_eq!(
            language("\u{feff}/* a machine */ // of ours\n\nREFINEMENT R"),
            Some(Language::B)
        );
        assert_eq!(language("MACHINERY"), None);
        assert_eq!(language("context C"), Some(Language::EventB));
        assert_eq!(language("---- MODULE Clock ----"), Some(Language::Tla));
        assert_eq!(language("/* never closed"), None);
        assert_eq!(language(""), None);
    }
}
