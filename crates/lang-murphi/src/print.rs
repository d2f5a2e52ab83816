//! A tree as normalised text that reads back as the same tree.
//!
//! Keywords in small letters, one declaration or statement a line, parentheses only where the binding of operators
//! needs them. Comments are not kept.
//! Invariant: `parse ∘ print` is the identity on trees without errors, but for places.

mod expr;
mod items;

pub use expr::operator;

use base::Name;

use crate::syntax::Tree;

/// The text of a program.
pub fn program(tree: &Tree) -> String {
    let mut printer = Printer {
        tree,
        out: String::new(),
        depth: 0,
    };
    printer.items();
    printer.out
}

/// The text of an expression.
pub fn expression(tree: &Tree, expr: crate::syntax::ExprId) -> String {
    let mut printer = Printer {
        tree,
        out: String::new(),
        depth: 0,
    };
    printer.expr(expr, 0);
    printer.out
}

/// The text of a variable of a ruleset, loop or quantifier with what it goes through.
pub fn binder(tree: &Tree, binder: &crate::syntax::Binder) -> String {
    let mut printer = Printer {
        tree,
        out: String::new(),
        depth: 0,
    };
    printer.binder(binder);
    printer.out
}

struct Printer<'t> {
    tree: &'t Tree,
    out: String,
    depth: usize,
}

impl Printer<'_> {
    fn put(&mut self, text: &str) {
        self.out.push_str(text);
    }

    fn name(&mut self, name: Name) {
        self.out.push_str(name.as_str());
    }

    fn line(&mut self) {
        self.out.push('\n');
        for _ in 0..self.depth {
            self.out.push_str("  ");
        }
    }
}
