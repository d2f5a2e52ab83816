//! Prints a component in normalised notation: clauses in one order, one indentation, fewest parentheses.
//!
//! Law: reading what was printed gives the same component ([`Component::same`]), for every tree that the
//! parser can build. B has no brackets for substitutions but `BEGIN … END`, which is a node of its own:
//! only a tree that no text has (a sequence straight inside `||`) gets a block it did not have before.

mod clause;
mod subst;

use lang_math::print::layout::Layout;
use lang_math::print::{Place, spelling};
use lang_math::{Binding, ExprId};

pub use lang_math::print::Style;

use crate::syntax::{Clause, Component, ComponentKind, FilePragmaKind, SubstId, Tree};

/// A component as text, with a line end at the end.
pub fn component(component: &Component, style: &Style) -> String {
    let clauses = component.clauses_in_order();
    with_clauses(component, clauses.into_iter(), style)
}

/// The same with its clauses in the order in which they were written.
pub fn in_place(component: &Component, style: &Style) -> String {
    with_clauses(component, component.clauses.iter(), style)
}

fn with_clauses<'c>(
    component: &Component,
    clauses: impl Iterator<Item = &'c Clause>,
    style: &Style,
) -> String {
    let mut printer = Printer::new(&component.tree, *style);
    for pragma in &component.pragmas {
        match pragma.kind {
            FilePragmaKind::Package(name) => printer.text(&format!("/*@package {name}*/")),
            FilePragmaKind::ImportPackage(name) => {
                printer.text(&format!("/*@import-package {name}*/"));
            }
            FilePragmaKind::Generated => printer.text("/*@generated*/"),
        }
        printer.out.line();
    }
    let has_header = component.kind != ComponentKind::DefinitionFile;
    if has_header {
        printer.text(component.kind.keyword());
        printer.text(" ");
        printer.text(&spelling::name(component.name.as_str()));
        printer.parameters(&component.parameters);
        printer.out.line();
    }
    for clause in clauses {
        printer.clause(&clause.body);
    }
    if has_header {
        printer.text("END");
        printer.out.line();
    }
    printer.out.finish()
}

/// A substitution as text.
pub fn subst(tree: &Tree, id: SubstId, style: &Style) -> String {
    let mut printer = Printer::new(tree, *style);
    printer.subst(id);
    printer.out.finish()
}

struct Printer<'a> {
    tree: &'a Tree,
    style: Style,
    out: Layout,
}

impl<'a> Printer<'a> {
    fn new(tree: &'a Tree, style: Style) -> Printer<'a> {
        Printer {
            tree,
            style,
            out: Layout::new(),
        }
    }

    fn formula(&mut self, id: ExprId, place: Place) {
        lang_math::print::write(&self.tree.exprs, id, place, &self.style, &mut self.out);
    }

    fn formulas(&mut self, ids: &[ExprId], place: Place) {
        self.list(ids, |printer, id| printer.formula(*id, place));
    }

    /// `a, b, c`, filling lines.
    fn list<T>(&mut self, items: &[T], mut print: impl FnMut(&mut Self, &T)) {
        self.out.open();
        for (i, item) in items.iter().enumerate() {
            if i > 0 {
                self.text(",");
                self.out.fill();
            }
            print(self, item);
        }
        self.out.close();
    }

    fn names(&mut self, names: &[Binding]) {
        self.list(names, |printer, binding| {
            printer.text(&spelling::name(binding.name.as_str()));
        });
    }

    /// `(a, b)`, or nothing.
    fn parameters(&mut self, parameters: &[Binding]) {
        if !parameters.is_empty() {
            self.text("(");
            self.names(parameters);
            self.text(")");
        }
    }

    /// `(E, F)`, or nothing.
    fn arguments(&mut self, arguments: &[ExprId]) {
        if !arguments.is_empty() {
            self.text("(");
            self.formulas(arguments, Place::Expression);
            self.text(")");
        }
    }

    fn symbol(&mut self, ascii: &str, unicode: &str) {
        self.text(if self.style.unicode { unicode } else { ascii });
    }

    fn text(&mut self, text: &str) {
        self.out.text(text);
    }
}
