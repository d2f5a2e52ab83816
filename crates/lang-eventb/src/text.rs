//! Event-B as plain text: the notation of Camille and CamilleX, and the upper-case variant of command-line tools.
//!
//! ```text
//! machine M refines A sees C
//! variables x y
//! invariants @inv1 x ∈ ℕ
//! events
//!   event step extends step any p where @grd1 p < x then @act1 y ≔ p end
//! end
//! ```
//! Keywords are written in lower or in upper case; labels start with `@`, may end with `:`, and may be missing.
//! Several components may stand in one file. What they refer to is looked for in the file, then beside it.
//! Differs from Camille: clauses may come in any order.

mod beside;
mod events;
mod scanner;

use std::path::Path;

use base::{Diagnostic, Diagnostics, FileId, Name, Sources, Span};
use lang_math::Binding;

use crate::codes;
use crate::math::parse::{self, Place};
use crate::syntax::{Context, Labelled, Machine, Project, Reference};
use beside::{beside, missing};
use scanner::{Item, Scanner};

/// Words that structure a component.
pub const KEYWORDS: &[&str] = &[
    "machine",
    "context",
    "refines",
    "sees",
    "extends",
    "sets",
    "constants",
    "axioms",
    "theorems",
    "variables",
    "invariants",
    "variant",
    "variants",
    "events",
    "event",
    "any",
    "where",
    "when",
    "with",
    "then",
    "begin",
    "end",
    "theorem",
    "ordinary",
    "convergent",
    "anticipated",
    "status",
    "initialisation",
];

/// Clauses of CamilleX that need other components to be composed.
const COMPOSITION: &[&str] = &["includes", "synchronises", "synchronizes"];

/// The keyword that a word is.
fn keyword(word: &str) -> Option<&'static str> {
    let is_case = |word: &str| {
        word.chars().all(|c| c.is_ascii_lowercase()) || word.chars().all(|c| c.is_ascii_uppercase())
    };
    let lower = word.to_ascii_lowercase();
    let mut known = KEYWORDS.iter().chain(COMPOSITION);
    let found = known.find(|keyword| **keyword == lower)?;
    // `INITIALISATION` is a name as well as a way to start an event.
    (is_case(word) && *found != "initialisation").then_some(*found)
}

/// Whether a text, after blanks, starts like a component.
pub fn is_text(text: &str) -> bool {
    let mut scanner = Scanner { text, at: 0 };
    matches!(
        scanner.item(),
        Some(Item::Keyword("machine" | "context", _))
    )
}

/// Reads the components of a file, and those that they refer to from the files beside it; tells the last
/// component of the file.
pub fn read(
    path: &Path,
    text: String,
    project: &mut Project,
    sources: &mut Sources,
    diagnostics: &mut Diagnostics,
) -> Option<String> {
    let own = components(path, text, project, sources, diagnostics);
    let mut done: Vec<Name> = Vec::new();
    while let Some((name, is_machine)) = missing(project, &done) {
        done.push(name);
        beside(path, name, is_machine, project, sources, diagnostics);
    }
    own
}

/// Reads the components of one file; tells the last one.
fn components(
    path: &Path,
    text: String,
    project: &mut Project,
    sources: &mut Sources,
    diagnostics: &mut Diagnostics,
) -> Option<String> {
    let file = sources.add(path, text.clone());
    let mut reader = Reader {
        scanner: Scanner { text: &text, at: 0 },
        next: None,
        file,
        text: &text,
        project,
        diagnostics,
        last: None,
        behind: 0,
    };
    reader.next = reader.scanner.item();
    reader.file();
    reader.last
}

struct Reader<'a, 't> {
    scanner: Scanner<'t>,
    next: Option<Item<'t>>,
    file: FileId,
    text: &'t str,
    project: &'a mut Project,
    diagnostics: &'a mut Diagnostics,
    last: Option<String>,
    /// Behind the last item that was read.
    behind: usize,
}

impl<'t> Reader<'_, 't> {
    fn advance(&mut self) -> Option<Item<'t>> {
        let item = self.next.take();
        self.behind = item.map_or(self.behind, |item| item.end());
        self.next = self.scanner.item();
        item
    }

    fn at(&self) -> usize {
        self.next.map_or(self.text.len(), |item| item.at())
    }

    fn span(&self, at: usize, length: usize) -> Span {
        Span::new(self.file, at as u32, (at + length) as u32)
    }

    fn error(&mut self, message: impl Into<String>) {
        let span = self.span(self.at(), 0);
        self.diagnostics
            .push(Diagnostic::error(&codes::SYNTAX, span, message));
    }

    fn keyword(&self) -> Option<&'static str> {
        match self.next {
            Some(Item::Keyword(keyword, _)) => Some(keyword),
            _ => None,
        }
    }

    /// From a place to what was read last.
    fn since(&self, at: usize) -> Span {
        self.span(at, self.behind.saturating_sub(at))
    }

    /// A name of a component or an event.
    fn name(&mut self) -> Option<Reference> {
        match self.next {
            Some(Item::Other(name, at))
                if name.starts_with(|c: char| c.is_alphanumeric() || c == '_') =>
            {
                self.advance();
                Some(Reference {
                    name: Name::new(name),
                    span: self.span(at, name.len()),
                })
            }
            _ => {
                self.error("a name is needed here");
                None
            }
        }
    }

    /// Names up to the next keyword or label; commas do not matter.
    fn names(&mut self) -> Vec<Reference> {
        let mut names = Vec::new();
        while let Some(Item::Other(word, _)) = self.next {
            if word == "," {
                self.advance();
                continue;
            }
            match self.name() {
                Some(name) => names.push(name),
                None => {
                    self.advance();
                }
            }
        }
        names
    }

    fn bindings(&mut self) -> Vec<Binding> {
        self.names()
            .into_iter()
            .map(|reference| Binding {
                name: reference.name,
                span: reference.span,
            })
            .collect()
    }

    fn file(&mut self) {
        while let Some(item) = self.next {
            match item {
                Item::Keyword("context", at) => {
                    self.advance();
                    self.context(at);
                }
                Item::Keyword("machine", at) => {
                    self.advance();
                    self.machine(at);
                }
                _ => {
                    self.error("`context` or `machine` is needed here");
                    return;
                }
            }
        }
    }

    /// The formulas of a clause: each with an optional `theorem` and label.
    fn formulas(&mut self, all_theorems: bool) -> Vec<Labelled> {
        let mut found = Vec::new();
        loop {
            let mut is_theorem = all_theorems;
            if self.keyword() == Some("theorem") {
                is_theorem = true;
                self.advance();
            }
            let Some((label, label_span)) = self.label() else {
                return found;
            };
            let (start, end) = self.formula_text();
            let mut at = start;
            // Formulas without labels follow each other.
            while at < end {
                let place = self.place(at, end);
                let exprs = &mut self.project.exprs;
                let parsed = match label.as_str() {
                    "" => parse::formula_before(place, exprs, self.diagnostics),
                    _ => (parse::formula(place, exprs, self.diagnostics), end),
                };
                found.push(Labelled {
                    label,
                    label_span,
                    formula: parsed.0,
                    is_theorem,
                    span: Span::new(self.file, at as u32, parsed.1 as u32),
                });
                at = parsed.1;
            }
        }
    }

    /// The label before a formula or an action, empty where it has none; `None` where neither follows.
    fn label(&mut self) -> Option<(Name, Span)> {
        match self.next {
            Some(Item::Label(label, at)) => {
                self.advance();
                Some((Name::new(label), self.span(at + 1, label.len())))
            }
            Some(Item::Other(_, at)) => Some((Name::new(""), self.span(at, 0))),
            _ => None,
        }
    }

    fn place(&self, start: usize, end: usize) -> Place<'t> {
        Place {
            file: self.file,
            text: self.text,
            start,
            end,
        }
    }

    /// The text of a formula: to the next label or keyword, without blanks at its end.
    fn formula_text(&mut self) -> (usize, usize) {
        let start = self.at();
        while let Some(Item::Other(..)) = self.next {
            self.advance();
        }
        let raw = &self.text[start..self.at().max(start)];
        let mut end = start + raw.len();
        // A comment before the next label is no part of the formula; the lexer skips those inside.
        let mut cut = raw.trim_end();
        while let Some(line) = cut.rfind("//")
            && !cut[line..].contains('\n')
        {
            cut = cut[..line].trim_end();
            end = start + cut.len();
        }
        end = end.min(start + cut.len());
        (start, end)
    }

    fn context(&mut self, at: usize) {
        let Some(name) = self.name() else { return };
        let mut context = Context::new(name.name, name.span);
        self.clauses(&format!("context `{}`", name.name), |reader, clause| {
            match clause {
                "extends" => context.extends.extend(reader.past().names()),
                "sets" => context.sets.extend(reader.past().bindings()),
                "constants" => context.constants.extend(reader.past().bindings()),
                "axioms" => context.axioms.extend(reader.past().formulas(false)),
                "theorems" => context.axioms.extend(reader.past().formulas(true)),
                _ => return false,
            }
            true
        });
        context.whole = self.since(at);
        self.last = Some(name.name.to_string());
        if self.project.context(context.name).is_none() {
            self.project.contexts.push(context);
        }
    }

    /// The clauses of `owner` up to its end; `read` says whether it has such a clause, and reads it.
    fn clauses(&mut self, owner: &str, mut read: impl FnMut(&mut Self, &str) -> bool) {
        loop {
            match self.keyword() {
                Some("end") => {
                    self.advance();
                    return;
                }
                Some(clause) if read(self, clause) => {}
                Some(clause) if COMPOSITION.contains(&clause) => {
                    let span = self.span(self.at(), clause.len());
                    let message = format!("`{clause}`: the inclusion of machines cannot be read");
                    self.diagnostics
                        .push(Diagnostic::error(&codes::COMPOSITION, span, message));
                    return self.skip();
                }
                _ => {
                    self.error(format!("{owner} has no such clause"));
                    return self.skip();
                }
            }
        }
    }

    /// Behind the keyword.
    fn past(&mut self) -> &mut Self {
        self.advance();
        self
    }

    /// Skips to the next component.
    fn skip(&mut self) {
        while self.next.is_some() && !matches!(self.keyword(), Some("machine" | "context")) {
            self.advance();
        }
    }

    fn machine(&mut self, at: usize) {
        let Some(name) = self.name() else { return };
        let mut machine = Machine::new(name.name, name.span);
        self.clauses(&format!("machine `{}`", name.name), |reader, clause| {
            match clause {
                "refines" => machine.refines = reader.past().names().into_iter().next(),
                "sees" => machine.sees.extend(reader.past().names()),
                "variables" => machine.variables.extend(reader.past().bindings()),
                "invariants" => machine.invariants.extend(reader.past().formulas(false)),
                "theorems" => machine.invariants.extend(reader.past().formulas(true)),
                "variant" | "variants" => machine.variants.extend(reader.past().formulas(false)),
                "events" => {
                    reader.advance();
                }
                "event" | "ordinary" | "convergent" | "anticipated" => {
                    machine.events.extend(reader.event());
                }
                _ => return false,
            }
            true
        });
        machine.whole = self.since(at);
        self.last = Some(name.name.to_string());
        if self.project.machine(machine.name).is_none() {
            self.project.machines.push(machine);
        }
    }
}
