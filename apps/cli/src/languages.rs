//! The languages that the program reads, listed once; and those that it only knows by name.

use subject::{Known, Language, Languages, first_word};
use subject_processes::{Murphi, Promela};
use subject_sets::{ClassicalB, EventB, Z};
use workbench::Workbench;

/// The languages.
pub(crate) const LANGUAGES: Languages = Languages {
    read: READ,
    known: KNOWN,
};

/// The languages as the commands take them, for files in their usual form.
pub(crate) fn workbench() -> Workbench {
    Workbench::new(LANGUAGES)
}

const READ: &[&dyn Language] = &[&ClassicalB, &EventB, &Z, &Promela, &Murphi];

const KNOWN: &[Known] = &[
    Known {
        id: "rules",
        name: "the B rules language",
        extensions: &["rmch"],
        recognises: |text| first_word(text) == "RULES_MACHINE",
    },
    Known {
        id: "tla",
        name: "TLA+",
        extensions: &["tla"],
        recognises: |text| text.starts_with("----") && text.contains("MODULE"),
    },
];

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::LANGUAGES;

    #[test]
    fn files_are_recognised_by_their_extensions_and_by_how_they_begin() {
        let by_extension = |path: &str| LANGUAGES.by_extension(Path::new(path)).map(|one| one.id());
        assert_eq!(by_extension("a/b.mch"), Some("b"));
        assert_eq!(by_extension("B.REF"), Some("b"));
        assert_eq!(by_extension("b.eventb"), Some("eventb"));
        assert_eq!(by_extension("b.txt"), None);
        let by_content = |text: &str| LANGUAGES.by_content(text).map(|one| one.id());
        assert_eq!(by_content("MACHINE M END"), Some("b"));
        assert_eq!(by_content("/* ours */ REFINEMENT R"), Some("b"));
        assert_eq!(by_content("MACHINERY"), None);
        assert_eq!(by_content("context C"), Some("eventb"));
        assert_eq!(by_content("---- MODULE Clock ----"), Some("tla"));
    }
}
