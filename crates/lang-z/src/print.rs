//! Writes a specification again, in LaTeX or in Unicode; what is written reads back to the same tree.
//!
//! Operands are bracketed whenever dialects could read them differently, so a text may be moved between dialects.

mod boxes;
mod names;
mod operator;
mod paragraphs;
mod term;

use base::Arena;

use crate::check::Checked;
use crate::lex::Dialect;
use crate::ops::Ops;
use crate::tree::{Term, TermId};

pub use boxes::{Set, boxes};

/// The notation that is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Markup {
    /// LaTeX, in the dialect of the specification.
    Latex,
    /// The Unicode markup of the standard.
    Unicode,
}

/// The whole specification.
pub fn specification(checked: &Checked, markup: Markup) -> String {
    let mut printer = Printer::new(&checked.tree.terms, &checked.ops, markup);
    printer.specification(checked);
    printer.out
}

/// One term.
pub fn term(checked: &Checked, term: TermId, markup: Markup) -> String {
    let mut printer = Printer::new(&checked.tree.terms, &checked.ops, markup);
    printer.term(term, 0);
    printer.out
}

/// Whether two specifications say the same: compared as they are written.
pub fn same(left: &Checked, right: &Checked) -> bool {
    let plain = |checked: &Checked| {
        let mut printer = Printer::new(&checked.tree.terms, &checked.ops, Markup::Unicode);
        printer.own_paragraphs(checked);
        printer.out
    };
    plain(left) == plain(right)
}

struct Printer<'a> {
    terms: &'a Arena<Term>,
    ops: &'a Ops,
    markup: Markup,
    out: String,
}

impl<'a> Printer<'a> {
    fn new(terms: &'a Arena<Term>, ops: &'a Ops, markup: Markup) -> Printer<'a> {
        Printer {
            terms,
            ops,
            markup,
            out: String::new(),
        }
    }

    fn put(&mut self, text: &str) {
        self.out.push_str(text);
    }

    /// A symbol by its Unicode spelling.
    fn sign(&mut self, unicode: &str) {
        let text = match self.markup {
            Markup::Unicode => unicode,
            Markup::Latex => crate::lex::symbols::by_unicode(unicode).map_or(unicode, |s| s.latex),
        };
        self.out.push_str(text);
    }

    /// The same between blanks.
    fn infix(&mut self, unicode: &str) {
        self.put(" ");
        self.sign(unicode);
        self.put(" ");
    }
}

/// Whether a dialect needs a section header to be recognised.
fn needs_header(dialect: Dialect, markup: Markup) -> bool {
    dialect.is_iso() && markup == Markup::Latex
}
