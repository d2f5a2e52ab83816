//! Tally: a small language of our own, to show what a language must bring and that nothing else needs to know it.
//!
//! ```text
//! tally Depot
//! workers 3
//! shared free = 2
//! own held = 0
//! event take when free > 0 and held = 0 do free := free - 1, held := 1
//! event give when held = 1 do free := free + 1, held := 0
//! event hand when held = 1 and held' = 0 do held := 0, held' := 1   // two workers meet
//! invariant free + sum held = 2
//! ```
//! Counters run from 0 to 15; leaving that range is a fault. Workers are interchangeable unless a formula names one
//! (`held.2`).

mod apart;
mod judge;
mod linear;
mod model;
mod quick;
mod read;
mod subject;
mod system;
mod value;

use std::path::Path;

use ::subject::setting::Reading;
use ::subject::{
    CheckedFormula, FormulaKind, Language, Read, Setting, Style, Subject, Text, first_word,
};
use base::{Class, Code, Diagnostic, Diagnostics, FileId, Sources};

use crate::model::Model;
use crate::read::{Formula, Place};
use crate::subject::Tallies;

/// The language.
#[derive(Debug)]
pub struct Tally;

static UNREADABLE: Code = Code {
    id: "T0003",
    class: Class::Usage,
    title: "a file cannot be read",
    explain: "The file is missing, or is no text.",
};

impl Language for Tally {
    fn id(&self) -> &'static str {
        "tally"
    }

    fn name(&self) -> &'static str {
        "Tally"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["tally"]
    }

    fn recognises(&self, beginning: &str) -> bool {
        first_word(beginning) == "tally"
    }

    fn codes(&self) -> Vec<&'static Code> {
        vec![
            &read::SYNTAX,
            &read::MISFIT,
            &UNREADABLE,
            &subject::QUESTION,
        ]
    }

    fn read(&self, path: &Path, _reading: &Reading, sources: &mut Sources) -> Read {
        let (text, mut error) = match std::fs::read_to_string(path) {
            Ok(text) => (text, None),
            Err(error) => (String::new(), Some(error)),
        };
        let file = sources.add(path, text);
        let place = Place {
            file,
            text: sources.text(file),
            start: 0,
        };
        let (model, mut diagnostics) = read::read(&place);
        if let Some(error) = error.take() {
            diagnostics = Diagnostics::new();
            diagnostics.push(Diagnostic::global(&UNREADABLE, error.to_string()));
        }
        Read {
            diagnostics,
            components: Vec::new(),
            text: Box::new(Checked { model, file }),
        }
    }

    fn misfits(&self, setting: &Setting, reading: &Reading) -> Vec<String> {
        let plain = Setting {
            wd: setting.wd,
            obligations: setting.obligations,
            ..Setting::default()
        };
        let is_plain =
            *setting == plain && reading.defines.is_empty() && reading.folders.is_empty();
        let why =
            "a tally has no sets, parts, processes or definitions to choose from the command line";
        (!is_plain).then(|| why.to_owned()).into_iter().collect()
    }
}

/// A text that was read.
#[derive(Clone, Debug)]
pub(crate) struct Checked {
    pub(crate) model: Model,
    file: FileId,
}

impl Text for Checked {
    fn open(self: Box<Self>, _setting: &Setting) -> Result<Box<dyn Subject>, Diagnostics> {
        Ok(Box::new(Tallies::new(*self)))
    }

    fn print(&self, _style: Style) -> Option<String> {
        Some(self.model.show())
    }

    fn check_formula(&mut self, text: &str, sources: &mut Sources) -> CheckedFormula {
        let file = sources.add("<expression>", text.to_owned());
        match read::formula(
            &Place {
                file,
                text,
                start: 0,
            },
            &self.model,
            &[],
        ) {
            Err(diagnostics) => CheckedFormula {
                diagnostics,
                kind: None,
                type_text: None,
            },
            Ok(formula) => {
                let kind = match formula {
                    Formula::Predicate(_) => FormulaKind::Predicate,
                    Formula::Expression(_) => FormulaKind::Expression,
                };
                let type_text = (kind == FormulaKind::Expression).then(|| "number".to_owned());
                CheckedFormula {
                    diagnostics: Diagnostics::new(),
                    kind: Some(kind),
                    type_text,
                }
            }
        }
    }

    fn file(&self) -> Option<FileId> {
        Some(self.file)
    }
}
