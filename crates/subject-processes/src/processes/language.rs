//! Promela as a language: how its files are recognised, read and printed.

use std::path::Path;
use std::sync::Arc;

use base::{Class, Code, Diagnostic, Diagnostics, FileId, Name, Sources};
use lang_promela::check::{self, Checked};
use lang_promela::preprocess::{self, Definition};
use lang_promela::{codes, parse, print};
use subject::editor::{Lexicon, Names};
use subject::setting::{Part, Reading, Scopes};
use subject::{
    CheckedFormula, FormulaKind, Language, Read, Setting, Style, Subject, TemporalDefinition, Text,
    first_word,
};

use super::lines::Lines;
use super::{Processes, editor, formulas, questions};

/// Promela, the language of SPIN.
#[derive(Debug)]
pub struct Promela;

/// The file cannot be read.
static UNREADABLE: Code = Code {
    id: "P0001",
    class: Class::Usage,
    title: "file that cannot be read",
    explain: "The file is missing, too large, or may not be read.",
};

impl Language for Promela {
    fn id(&self) -> &'static str {
        "promela"
    }

    fn name(&self) -> &'static str {
        "Promela"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["pml", "prom", "promela", "prm", "pm", "p", "pr", "spin"]
    }

    fn recognises(&self, beginning: &str) -> bool {
        let words = [
            "proctype",
            "active",
            "mtype",
            "chan",
            "inline",
            "typedef",
            "byte",
            "bit",
            "bool",
            "short",
            "int",
            "init",
            "D_proctype",
            "hidden",
            "local",
            "show",
            "unsigned",
            "pid",
            "never",
            "ltl",
        ];
        // No other language begins with a line for the preprocessor.
        let line = beginning.strip_prefix('#').map(str::trim_start);
        let directives = ["define", "include", "if", "ifdef", "ifndef", "undef"];
        words.contains(&first_word(beginning))
            || line.is_some_and(|line| directives.contains(&first_word(line)))
    }

    fn reports_unreadable(&self) -> bool {
        true
    }

    fn codes(&self) -> Vec<&'static Code> {
        codes::all().chain([&UNREADABLE]).collect()
    }

    fn read(&self, path: &Path, reading: &Reading, sources: &mut Sources) -> Read {
        let defines = reading.defines.iter().map(|(name, value)| {
            Definition::Define(
                name.clone(),
                value.clone().unwrap_or_else(|| "1".to_owned()),
            )
        });
        let undefines = reading
            .undefines
            .iter()
            .map(|name| Definition::Undefine(name.clone()));
        let options = preprocess::Options {
            macros: defines.chain(undefines).collect(),
            folders: reading.folders.clone(),
        };
        let files = sources.files().clone();
        let text = preprocess::run(path, &options, &files, sources).unwrap_or_else(|problem| {
            let file = sources.add(path, String::new());
            let mut text = preprocess::text_of(file, &options, &files, sources);
            let message = format!("cannot read \"{}\": {problem}", path.display());
            text.incomplete = true;
            text.diagnostics
                .push(Diagnostic::global(&UNREADABLE, message));
            text
        });
        let file = text.file;
        let mut checked = check::run(parse::program(text));
        let stem = path
            .file_stem()
            .and_then(|stem| stem.to_str())
            .unwrap_or("model");
        Read {
            diagnostics: std::mem::take(&mut checked.diagnostics),
            components: Vec::new(),
            text: Box::new(Loaded {
                checked,
                name: Name::new(stem),
                file,
                lines: Arc::new(Lines::new(sources)),
            }),
        }
    }

    fn sheet(&self) -> &'static str {
        include_str!("../sheets/promela.md")
    }

    fn lexicon(&self) -> Lexicon {
        editor::lexicon()
    }

    fn misfits(&self, setting: &Setting, _reading: &Reading) -> Vec<String> {
        let asked = [
            (
                setting.scopes != Scopes::default(),
                "--card and --pref are about sets",
            ),
            (
                setting.part != Part::default(),
                "--machine, --level, --state, --init and --operation name parts of other languages",
            ),
        ];
        let asked = asked.into_iter().filter(|(given, _)| *given);
        asked.map(|(_, why)| why.to_owned()).collect()
    }
}

/// A program that was read.
pub(crate) struct Loaded {
    pub(crate) checked: Checked,
    pub(crate) name: Name,
    file: FileId,
    pub(crate) lines: Arc<Lines>,
}

impl Text for Loaded {
    fn open(self: Box<Self>, setting: &Setting) -> Result<Box<dyn Subject>, Diagnostics> {
        Ok(Box::new(Processes::open(*self, setting)))
    }

    fn print(&self, _style: Style) -> Option<String> {
        Some(print::program(&self.checked.program))
    }

    fn check_formula(&mut self, text: &str, sources: &mut Sources) -> CheckedFormula {
        let file = sources.add("<formula>", text.to_owned());
        let files = sources.files().clone();
        match check::ask(&mut self.checked, file, &files, sources) {
            Ok(id) => {
                let kind = questions::kind_of(&self.checked.program, id);
                CheckedFormula {
                    diagnostics: Diagnostics::new(),
                    kind: Some(kind),
                    type_text: (kind == FormulaKind::Expression).then(|| "int".to_owned()),
                }
            }
            Err(diagnostics) => CheckedFormula {
                diagnostics,
                kind: None,
                type_text: None,
            },
        }
    }

    fn temporal_definitions(&self) -> Vec<TemporalDefinition> {
        formulas::definitions(&self.checked.program)
    }

    fn temporal_formula(
        &mut self,
        text: &str,
        sources: &mut Sources,
    ) -> Option<Result<String, Diagnostics>> {
        let file = sources.add("<--ltl>", text.to_owned());
        let files = sources.files().clone();
        let formula = check::ask(&mut self.checked, file, &files, sources);
        Some(formula.map(|id| formulas::text(&self.checked.program, id)))
    }

    fn file(&self) -> Option<FileId> {
        Some(self.file)
    }

    fn names(&self) -> Names {
        editor::names(&self.checked)
    }
}
