//! Murphi as a language: how its files are recognised, read and printed.

use std::path::Path;

use base::{Class, Code, Diagnostic, Diagnostics, FileId, Name, Sources};
use lang_murphi::check::{self, Checked};
use lang_murphi::syntax::{Item, PropertyKind, Rule, Tree};
use lang_murphi::{codes, parse, print};
use subject::editor::{Lexicon, Names};
use subject::setting::{Part, Processes, Reading};
use subject::{
    CheckedFormula, Language, Read, Setting, Style, Subject, TemporalDefinition, Text, Wd,
    first_word,
};

use super::{RuleSet, editor, questions};

/// Murphi, as CMurphi and Rumur read it.
#[derive(Debug)]
pub struct Murphi;

/// The file cannot be read.
static UNREADABLE: Code = Code {
    id: "M0001",
    class: Class::Usage,
    title: "file that cannot be read",
    explain: "The file is missing or may not be read.",
};

impl Language for Murphi {
    fn id(&self) -> &'static str {
        "murphi"
    }

    fn name(&self) -> &'static str {
        "Murphi"
    }

    fn extensions(&self) -> &'static [&'static str] {
        &["m", "murphi"]
    }

    fn recognises(&self, beginning: &str) -> bool {
        let word = first_word(beginning).to_ascii_lowercase();
        [
            "const",
            "type",
            "var",
            "startstate",
            "ruleset",
            "rule",
            "--",
        ]
        .contains(&word.as_str())
    }

    fn reports_unreadable(&self) -> bool {
        true
    }

    fn codes(&self) -> Vec<&'static Code> {
        codes::all().chain([&UNREADABLE]).collect()
    }

    fn read(&self, path: &Path, _reading: &Reading, sources: &mut Sources) -> Read {
        let mut problem = None;
        let text = match sources.files().read(path) {
            Ok(bytes) => String::from_utf8_lossy(&bytes).into_owned(),
            Err(error) => {
                let message = format!("cannot read \"{}\": {error}", path.display());
                problem = Some(Diagnostic::global(&UNREADABLE, message));
                String::new()
            }
        };
        let file = sources.add(path, text.clone());
        let parsed = parse::program(file, &text);
        let mut diagnostics = Diagnostics::new();
        let mut checked = Checked::default();
        match problem {
            Some(problem) => diagnostics.push(problem),
            None => {
                diagnostics = parsed.diagnostics;
                // Names exist for texts with errors too; what the checker says of parts that are missing does not count.
                checked = check::program(&text, &parsed.tree);
                let found = std::mem::take(&mut checked.diagnostics);
                if !diagnostics.has_errors() {
                    diagnostics.extend(found);
                }
            }
        }
        let stem = path
            .file_stem()
            .and_then(|stem| stem.to_str())
            .unwrap_or("model");
        Read {
            diagnostics,
            components: Vec::new(),
            text: Box::new(Loaded {
                tree: parsed.tree,
                checked,
                name: Name::new(stem),
                file,
            }),
        }
    }

    fn sheet(&self) -> &'static str {
        include_str!("../sheets/murphi.md")
    }

    fn lexicon(&self) -> Lexicon {
        editor::lexicon()
    }

    fn misfits(&self, setting: &Setting, reading: &Reading) -> Vec<String> {
        let preferences = &setting.scopes.preferences;
        let is_count = |text: &str| text.parse::<u64>().is_ok_and(|count| count > 0);
        let odd = preferences
            .iter()
            .any(|(name, text)| name.as_str() != "LOOP" || !is_count(text));
        let has_definitions = !reading.defines.is_empty()
            || !reading.undefines.is_empty()
            || !reading.folders.is_empty();
        let asked = [
            (
                !setting.scopes.cards.is_empty(),
                "--card gives sizes of sets of other languages",
            ),
            (
                odd,
                "the only preference of Murphi is LOOP=N, the iterations of one while",
            ),
            (
                setting.wd == Wd::Lenient,
                "--wd lenient has no meaning for rules: default or strict",
            ),
            (
                setting.part != Part::default(),
                "--machine, --level and the like name parts of other languages",
            ),
            (has_definitions, "-D, -U and -I are for a preprocessor"),
            (
                setting.processes != Processes::default() || !setting.scalarsets.is_empty(),
                "--lossy, --unless, --end-empty, --spin-counts and --scalarset are about processes",
            ),
        ];
        asked
            .into_iter()
            .filter(|(given, _)| *given)
            .map(|(_, why)| why.to_owned())
            .collect()
    }
}

/// A program that was read.
pub(crate) struct Loaded {
    pub(crate) tree: Tree,
    pub(crate) checked: Checked,
    pub(crate) name: Name,
    file: FileId,
}

impl Text for Loaded {
    fn open(self: Box<Self>, setting: &Setting) -> Result<Box<dyn Subject>, Diagnostics> {
        Ok(Box::new(RuleSet::open(*self, setting)))
    }

    fn print(&self, _style: Style) -> Option<String> {
        Some(print::program(&self.tree))
    }

    fn check_formula(&mut self, text: &str, sources: &mut Sources) -> CheckedFormula {
        questions::check(self, text, sources).0
    }

    fn temporal_definitions(&self) -> Vec<TemporalDefinition> {
        let mut found = Vec::new();
        for item in &self.tree.items {
            if let Item::Rule(rule) = item {
                self.liveness(rule, &mut Vec::new(), &mut found);
            }
        }
        found
    }

    fn file(&self) -> Option<FileId> {
        Some(self.file)
    }

    fn names(&self) -> Names {
        editor::names(&self.tree, &self.checked)
    }
}

impl Loaded {
    /// The liveness properties of a rule as formulas; parameters around them are quantified inside.
    fn liveness(&self, rule: &Rule, around: &mut Vec<String>, found: &mut Vec<TemporalDefinition>) {
        match rule {
            Rule::Property(property) if property.kind == PropertyKind::Liveness => {
                let mut text = print::expression(&self.tree, property.expr);
                for binder in around.iter().rev() {
                    text = format!("forall {binder} do {text} end");
                }
                let name = property
                    .name
                    .map_or_else(|| Name::new(&text), |name| name.text);
                let text = Some(format!("AG EF {{{text}}}"));
                found.push(TemporalDefinition {
                    name,
                    is_branching: true,
                    text,
                    span: property.span,
                });
            }
            Rule::Ruleset(binders, rules) => {
                let before = around.len();
                around.extend(
                    binders
                        .iter()
                        .map(|binder| print::binder(&self.tree, binder)),
                );
                rules
                    .iter()
                    .for_each(|rule| self.liveness(rule, around, found));
                around.truncate(before);
            }
            Rule::Alias(_, rules) | Rule::Choose(_, _, rules) => {
                rules
                    .iter()
                    .for_each(|rule| self.liveness(rule, around, found));
            }
            _ => {}
        }
    }
}
