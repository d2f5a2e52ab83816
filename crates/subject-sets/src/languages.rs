//! Classical B and Event-B as languages.

use std::path::Path;

use base::{Code, Diagnostics, FileId, Name, Sources};
use lang_b::check::{check_file, check_text};
use lang_b::preferences;
use subject::editor::{Lexicon, Names};
use subject::setting::{Processes, Reading};
use subject::{
    CheckedFormula, Hierarchy, Language, Read, Setting, Style, Subject, TemporalDefinition, Text,
};

use crate::Sets;
use crate::editor;
use crate::loaded::Loaded;

/// Classical B.
#[derive(Debug)]
pub struct ClassicalB;

/// Event-B: Rodin projects and archives, packages of ProB, and texts.
#[derive(Debug)]
pub struct EventB;

/// Z: LaTeX as fuzz reads it, LaTeX and Unicode of the standard.
#[derive(Debug)]
pub struct Z;

/// The context of formulas when no file is given.
const NOTHING: &str = "MACHINE Nothing END";

impl Language for ClassicalB {
    fn id(&self) -> &'static str {
        "b"
    }

    fn name(&self) -> &'static str {
        "classical B"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["mch", "ref", "imp", "sys", "mod", "def"]
    }

    fn recognises(&self, beginning: &str) -> bool {
        let words = [
            "MACHINE",
            "MODEL",
            "SYSTEM",
            "REFINEMENT",
            "IMPLEMENTATION",
            "DEFINITIONS",
        ];
        words.contains(&first_word(beginning))
    }

    fn reports_unreadable(&self) -> bool {
        true
    }

    fn codes(&self) -> Vec<&'static Code> {
        lang_b::codes::all().chain(model::codes::all()).collect()
    }

    fn read(&self, path: &Path, _reading: &Reading, sources: &mut Sources) -> Read {
        read_b(check_file(path, sources))
    }

    fn sheet(&self) -> &'static str {
        include_str!("sheets/b.md")
    }

    fn lexicon(&self) -> Lexicon {
        editor::lexicon_of_b()
    }

    fn misfits(&self, setting: &Setting, reading: &Reading) -> Vec<String> {
        misfits(setting, reading)
    }

    fn nothing(&self, sources: &mut Sources) -> Option<Read> {
        let path = Path::new("Nothing.mch");
        Some(read_b(check_text(path, NOTHING.to_owned(), sources)))
    }
}

fn read_b(mut checked: lang_b::check::Checked) -> Read {
    Read {
        diagnostics: std::mem::take(&mut checked.diagnostics),
        components: Vec::new(),
        text: Box::new(Loaded::B(Box::new(checked))),
    }
}

impl Language for EventB {
    fn id(&self) -> &'static str {
        "eventb"
    }

    fn name(&self) -> &'static str {
        "Event-B"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["eventb", "bum", "buc", "bcm", "bcc", "bumx", "bucx", "zip"]
    }

    fn recognises(&self, beginning: &str) -> bool {
        match first_word(beginning) {
            "package" => beginning.starts_with("package(load_event_b_project"),
            "context" | "machine" | "CONTEXT" => true,
            _ => beginning.starts_with("<?xml") && beginning.contains("org.eventb."),
        }
    }

    fn recognises_folder(&self, folder: &Path) -> bool {
        lang_eventb::archive::is_project(folder)
    }

    fn codes(&self) -> Vec<&'static Code> {
        lang_eventb::codes::all().collect()
    }

    fn read(&self, path: &Path, _reading: &Reading, sources: &mut Sources) -> Read {
        let mut checked = lang_eventb::open::open(path, sources);
        Read {
            diagnostics: std::mem::take(&mut checked.diagnostics),
            components: checked.contents(),
            text: Box::new(Loaded::EventB(Box::new(checked))),
        }
    }

    fn sheet(&self) -> &'static str {
        include_str!("sheets/eventb.md")
    }

    fn lexicon(&self) -> Lexicon {
        editor::lexicon_of_eventb()
    }

    fn misfits(&self, setting: &Setting, reading: &Reading) -> Vec<String> {
        misfits(setting, reading)
    }
}

impl Language for Z {
    fn id(&self) -> &'static str {
        "z"
    }

    fn name(&self) -> &'static str {
        "Z"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["tex", "zed", "zed8", "utf8", "zed16", "utf16"]
    }

    fn recognises(&self, beginning: &str) -> bool {
        let boxes = [
            "\\documentclass",
            "\\begin{z",
            "\\begin{schema}",
            "\\begin{axdef}",
            "─",
            "┌",
            "╷",
        ];
        boxes.iter().any(|start| beginning.starts_with(start))
    }

    fn reports_unreadable(&self) -> bool {
        true
    }

    fn codes(&self) -> Vec<&'static Code> {
        lang_z::codes::ALL.to_vec()
    }

    fn read(&self, path: &Path, _reading: &Reading, sources: &mut Sources) -> Read {
        let file = FileId::new(sources.count());
        let mut checked = lang_z::check_file(path, sources);
        Read {
            diagnostics: std::mem::take(&mut checked.diagnostics),
            components: Vec::new(),
            text: Box::new(Loaded::Z(Box::new(checked), file)),
        }
    }

    fn sheet(&self) -> &'static str {
        include_str!("sheets/z.md")
    }

    fn lexicon(&self) -> Lexicon {
        editor::lexicon_of_z()
    }

    fn misfits(&self, setting: &Setting, reading: &Reading) -> Vec<String> {
        let part = &setting.part;
        let has_levels = part.machine.is_some() || part.level.is_some() || part.concrete_only;
        let mut found = foreign(setting, reading);
        if has_levels {
            found.push("--machine, --level and --concrete-only are about machines of B".to_owned());
        }
        found
    }
}

fn first_word(text: &str) -> &str {
    let mut words = text.split(|c: char| !(c.is_alphanumeric() || c == '_'));
    words.next().unwrap_or_default()
}

/// What set theory in the notations of B has no meaning for.
fn misfits(setting: &Setting, reading: &Reading) -> Vec<String> {
    let part = &setting.part;
    let mut found = foreign(setting, reading);
    if part.state.is_some() || part.init.is_some() || !part.operations.is_empty() {
        found.insert(
            0,
            "--state, --init and --operation name schemas of Z".to_owned(),
        );
    }
    found
}

/// What set theory has no meaning for.
fn foreign(setting: &Setting, reading: &Reading) -> Vec<String> {
    let has_definitions =
        !reading.defines.is_empty() || !reading.undefines.is_empty() || !reading.folders.is_empty();
    let asked = [
        (has_definitions, "-D, -U and -I are for a preprocessor"),
        (
            setting.processes != Processes::default() || !setting.scalarsets.is_empty(),
            "--lossy, --unless, --end-empty, --spin-counts and --scalarset are about processes",
        ),
    ];
    let asked = asked.into_iter().filter(|(given, _)| *given);
    let mut found: Vec<String> = asked.map(|(_, why)| why.to_owned()).collect();
    found.extend(wrong_preferences(&setting.scopes.preferences));
    let cards = setting.scopes.cards.iter();
    let cards: Vec<(Name, String)> = cards.map(|(set, n)| (*set, n.to_string())).collect();
    found.extend(given_twice("--card", &cards));
    found
}

/// Names to which an option gives two values.
fn given_twice(option: &str, given: &[(Name, String)]) -> Vec<String> {
    let mut found = Vec::new();
    for (i, (name, value)) in given.iter().enumerate() {
        let other = given[..i].iter().find(|(known, _)| known == name);
        if let Some((_, other)) = other.filter(|(_, other)| other.trim() != value.trim()) {
            found.push(format!(
                "{option} {name}: it is given as {other} and as {value}"
            ));
        }
    }
    found
}

/// Preferences that nobody knows, and bounds that contradict each other.
fn wrong_preferences(given: &[(Name, String)]) -> Vec<String> {
    let mut found = Vec::new();
    for (name, _) in given {
        if preferences::preference(name.as_str()).is_none() {
            let near = preferences::nearest_preference(name.as_str());
            let near = near.map_or(String::new(), |near| format!("; did you mean {near}?"));
            found.push(format!("--pref {name}: there is no such preference{near}"));
        }
    }
    found.extend(given_twice("--pref", given));
    let bound = |wanted: &str| -> Option<i64> {
        let mut all = given.iter().rev();
        let (_, text) = all.find(|(name, _)| name.as_str() == wanted)?;
        text.trim().parse().ok()
    };
    if let (Some(least), Some(most)) = (bound("MININT"), bound("MAXINT"))
        && least > most
    {
        found.push(format!(
            "--pref: MININT is {least}, which is more than MAXINT, {most}"
        ));
    }
    found
}

impl Text for Loaded {
    fn open(self: Box<Self>, setting: &Setting) -> Result<Box<dyn Subject>, Diagnostics> {
        Ok(Box::new(Sets::open(*self, setting)?))
    }

    fn print(&self, style: Style) -> Option<String> {
        Loaded::print(self, style)
    }

    fn print_in_place(&self, file: FileId, style: Style) -> Option<String> {
        Loaded::print_in_place(self, file, style)
    }

    fn hierarchy(&self) -> Hierarchy {
        Loaded::hierarchy(self)
    }

    fn check_formula(&mut self, text: &str, sources: &mut Sources) -> CheckedFormula {
        Loaded::check_formula(self, text, sources)
    }

    fn temporal_definitions(&self) -> Vec<TemporalDefinition> {
        Loaded::temporal_definitions(self)
    }

    fn file(&self) -> Option<FileId> {
        Loaded::file(self)
    }

    fn names(&self) -> Names {
        Loaded::names(self)
    }
}
