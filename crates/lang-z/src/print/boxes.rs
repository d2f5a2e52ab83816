//! Paragraphs one by one, taken apart into what stands in the edge, above and below the line of a box.

use super::{Markup, Printer};
use crate::check::Checked;
use crate::tree::{Ident, Paragraph, ParagraphKind, TermKind, Text};

/// A paragraph in Unicode, taken apart.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Set {
    /// A schema box: its name with parameters, its declarations, what is said of them.
    Schema(String, Vec<String>, Vec<String>),
    /// A definition of constants: its parameters, its declarations, what is said of them.
    Axiom(String, Vec<String>, Vec<String>),
    /// Anything else is a line.
    Line(String),
}

/// The paragraphs of a specification, but for its section headers and the toolkit.
pub fn boxes(checked: &Checked) -> Vec<Set> {
    let mut printer = Printer::new(&checked.tree.terms, &checked.ops, Markup::Unicode);
    let own = checked.tree.paragraphs[checked.toolkit..].iter();
    let own = own.filter(|paragraph| !matches!(paragraph.kind, ParagraphKind::Section(..)));
    own.map(|paragraph| printer.set(paragraph)).collect()
}

impl Printer<'_> {
    fn set(&mut self, paragraph: &Paragraph) -> Set {
        let terms = self.terms;
        match &paragraph.kind {
            ParagraphKind::Axiom(parameters, text) => {
                let head = self.written(|printer| printer.parameters(parameters));
                let (declared, said) = self.halves(text);
                Set::Axiom(head, declared, said)
            }
            ParagraphKind::Schema {
                name,
                parameters,
                body,
                boxed: true,
            } => match &terms[*body].kind {
                TermKind::Schema(text) => {
                    let head = self.titled(*name, parameters);
                    let (declared, said) = self.halves(text);
                    Set::Schema(head, declared, said)
                }
                _ => Set::Line(self.written(|printer| printer.unboxed(&paragraph.kind))),
            },
            kind => Set::Line(self.written(|printer| printer.unboxed(kind))),
        }
    }

    fn titled(&mut self, name: Ident, parameters: &[Ident]) -> String {
        self.written(|printer| {
            printer.name(name.name);
            printer.parameters(parameters);
        })
    }

    /// What somebody writes, alone.
    fn written(&mut self, write: impl FnOnce(&mut Self)) -> String {
        write(self);
        std::mem::take(&mut self.out)
    }

    fn halves(&mut self, text: &Text) -> (Vec<String>, Vec<String>) {
        let decls = text.decls.iter();
        let declared = decls.map(|decl| self.written(|printer| printer.decl(decl)));
        let declared = declared.collect();
        let said = text.predicate.map(|said| self.lines(said));
        let said = said.unwrap_or_default().into_iter();
        let said = said.map(|line| self.written(|printer| printer.term(line, 0)));
        (declared, said.collect())
    }
}
