//! Checks formulas, one after the other, in the context of a file.

use std::path::Path;

use base::render::{self, Entry};
use base::{Diagnostic, Diagnostics};
use serde::Serialize;
use subject::{CheckedFormula, FormulaKind, Text};

use crate::codes;
use crate::lint::Lint;
use crate::open::Workbench;

/// A file whose names formulas may use.
pub struct Expressions {
    lint: Lint,
    context: Box<dyn Text>,
}

/// A formula and what was found about it.
#[derive(Debug)]
pub struct Formula {
    text: String,
    checked: CheckedFormula,
}

/// A [`Formula`] as programs read it.
#[derive(Debug, Serialize)]
pub struct Answer<'a> {
    line: u64,
    text: &'a str,
    exit: u8,
    sort: Option<&'static str>,
    r#type: Option<&'a str>,
    diagnostics: Vec<Entry<'a>>,
}

impl Expressions {
    /// Reads the file; formulas are checked only in a file without errors, whose lint is returned otherwise.
    pub fn open(bench: &Workbench, path: &Path) -> Result<Expressions, Box<Lint>> {
        match bench.read(path) {
            (lint, Some(context)) if !lint.diagnostics.has_errors() => {
                Ok(Expressions { lint, context })
            }
            (lint, _) => Err(Box::new(lint)),
        }
    }

    /// Parses and types one formula.
    pub fn check(&mut self, formula: &[u8]) -> Formula {
        let text = String::from_utf8_lossy(formula).into_owned();
        let checked = if text.as_bytes() == formula {
            self.context.check_formula(&text, &mut self.lint.sources)
        } else {
            let mut diagnostics = Diagnostics::new();
            diagnostics.push(Diagnostic::global(
                &codes::FORMULA_NOT_TEXT,
                codes::FORMULA_NOT_TEXT.title,
            ));
            CheckedFormula {
                diagnostics,
                kind: None,
                type_text: None,
            }
        };
        Formula { text, checked }
    }

    /// The form for programs; `line` is the number of the line that the formula came from.
    pub fn answer<'a>(&'a self, line: u64, formula: &'a Formula) -> Answer<'a> {
        let checked = &formula.checked;
        Answer {
            line,
            text: &formula.text,
            exit: checked.diagnostics.exit(),
            sort: checked.kind.map(|kind| match kind {
                FormulaKind::Expression => "expression",
                FormulaKind::Predicate => "predicate",
            }),
            r#type: checked.type_text.as_deref(),
            diagnostics: checked
                .diagnostics
                .iter()
                .map(|diagnostic| render::json(diagnostic, &self.lint.sources))
                .collect(),
        }
    }
}
