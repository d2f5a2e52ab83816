//! Tells predicates from expressions as far as that needs no types.
//!
//! A schema may stand for either, so `A ∧ B` is a predicate or a schema; but a number is never a predicate and an
//! equation never an operand. What is wrong by this alone is an error of the notation, not of types.

use base::{Diagnostic, Diagnostics, deep};

use crate::codes;
use crate::tree::{Decl, ParagraphKind, TermId, TermKind, Text, Tree};

/// What a place needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Want {
    /// A value.
    Expression,
    /// Something true or false.
    Predicate,
    /// A schema.
    Schema,
}

/// Checks the places of all terms of a specification, from a paragraph on.
pub(crate) fn check(tree: &Tree, from: usize, diagnostics: &mut Diagnostics) {
    for paragraph in &tree.paragraphs[from..] {
        let mut sorts = Sorts { tree, diagnostics };
        match &paragraph.kind {
            ParagraphKind::Section(..) | ParagraphKind::Given(_) | ParagraphKind::Template(_) => {}
            ParagraphKind::Free(types) => {
                let arguments = types
                    .iter()
                    .flat_map(|t| &t.branches)
                    .filter_map(|b| b.argument);
                arguments.for_each(|argument| sorts.visit(argument, Want::Expression));
            }
            ParagraphKind::Abbreviation(_, _, term) => sorts.visit(*term, Want::Expression),
            ParagraphKind::Schema { body, .. } => sorts.visit(*body, Want::Schema),
            ParagraphKind::Axiom(_, text) => sorts.text(text),
            ParagraphKind::Predicate(_, term) | ParagraphKind::Conjecture(_, term) => {
                sorts.visit(*term, Want::Predicate);
            }
        }
    }
}

/// Checks one formula; says whether it is an expression.
pub(crate) fn check_formula(tree: &Tree, term: TermId, diagnostics: &mut Diagnostics) -> bool {
    let expression = can_be_expression(tree, term) && !is_quantified(tree, term);
    let want = if expression {
        Want::Expression
    } else {
        Want::Predicate
    };
    Sorts { tree, diagnostics }.visit(term, want);
    expression
}

/// Whether a formula by itself is a predicate though a schema would fit: a quantification of schemas.
fn is_quantified(tree: &Tree, term: TermId) -> bool {
    deep::recurse(|| match &tree.terms[term].kind {
        TermKind::Quantify(..) => true,
        TermKind::Not(a) => is_quantified(tree, *a),
        TermKind::Connect(_, a, b) => is_quantified(tree, *a) || is_quantified(tree, *b),
        _ => false,
    })
}

/// Whether a term can be an expression.
pub(crate) fn can_be_expression(tree: &Tree, term: TermId) -> bool {
    let both = |a: TermId, b: TermId| {
        deep::recurse(|| can_be_expression(tree, a) && can_be_expression(tree, b))
    };
    match &tree.terms[term].kind {
        TermKind::True
        | TermKind::False
        | TermKind::Equal(..)
        | TermKind::Member(..)
        | TermKind::Relation(..)
        | TermKind::Chain(_) => false,
        TermKind::Not(a) => is_schema(tree, *a),
        TermKind::Quantify(_, _, a) => is_schema(tree, *a),
        TermKind::Let(_, a) => deep::recurse(|| can_be_expression(tree, *a)),
        TermKind::If(_, a, b) => both(*a, *b),
        TermKind::Connect(_, a, b) => is_schema(tree, *a) && is_schema(tree, *b),
        _ => true,
    }
}

/// Whether a term can be a schema.
fn is_schema(tree: &Tree, term: TermId) -> bool {
    deep::recurse(|| match &tree.terms[term].kind {
        TermKind::Error
        | TermKind::Ref(..)
        | TermKind::Schema(_)
        | TermKind::Decorate(..)
        | TermKind::Rename(..)
        | TermKind::Hide(..)
        | TermKind::Pre(_)
        | TermKind::SchemaOp(..)
        | TermKind::Select(..) => true,
        TermKind::Not(a) | TermKind::Quantify(_, _, a) | TermKind::Let(_, a) => is_schema(tree, *a),
        TermKind::Connect(_, a, b) | TermKind::If(_, a, b) => {
            is_schema(tree, *a) && is_schema(tree, *b)
        }
        _ => false,
    })
}

struct Sorts<'a> {
    tree: &'a Tree,
    diagnostics: &'a mut Diagnostics,
}

impl Sorts<'_> {
    fn wrong(&mut self, term: TermId, message: &str) {
        let span = self.tree.terms[term].span;
        self.diagnostics
            .push(Diagnostic::error(&codes::SORT, span, message));
    }

    fn text(&mut self, text: &Text) {
        for decl in &text.decls {
            match decl {
                Decl::Vars(_, set) | Decl::Define(_, set) => self.visit(*set, Want::Expression),
                Decl::Include(schema) => self.visit(*schema, Want::Schema),
            }
        }
        if let Some(predicate) = text.predicate {
            self.visit(predicate, Want::Predicate);
        }
    }

    fn visit(&mut self, term: TermId, want: Want) {
        deep::recurse(|| self.visit_here(term, want));
    }

    fn visit_here(&mut self, term: TermId, want: Want) {
        let tree = self.tree;
        let kind = &tree.terms[term].kind;
        let fits = match want {
            Want::Expression => can_be_expression(tree, term),
            Want::Schema => is_schema(tree, term),
            Want::Predicate => match kind {
                TermKind::Let(..)
                | TermKind::Not(_)
                | TermKind::Quantify(..)
                | TermKind::Connect(..)
                | TermKind::If(..) => true,
                _ => !can_be_expression(tree, term) || is_schema(tree, term),
            },
        };
        if !fits {
            let message = match want {
                Want::Expression => "a predicate stands where an expression belongs",
                Want::Schema => "a schema was expected here",
                Want::Predicate => "an expression stands where a predicate belongs",
            };
            return self.wrong(term, message);
        }
        match kind {
            TermKind::Not(a) => self.visit(*a, want),
            TermKind::Connect(_, a, b) => {
                self.visit(*a, want);
                self.visit(*b, want);
            }
            TermKind::Quantify(_, text, body) => {
                self.text(text);
                self.visit(*body, want);
            }
            TermKind::Let(pairs, body) => {
                pairs
                    .iter()
                    .for_each(|(_, value)| self.visit(*value, Want::Expression));
                self.visit(*body, want);
            }
            TermKind::If(condition, a, b) => {
                self.visit(*condition, Want::Predicate);
                self.visit(*a, want);
                self.visit(*b, want);
            }
            TermKind::Comprehension(text, value) | TermKind::Mu(text, value) => {
                self.text(text);
                value
                    .iter()
                    .for_each(|value| self.visit(*value, Want::Expression));
            }
            TermKind::Lambda(text, value) => {
                self.text(text);
                self.visit(*value, Want::Expression);
            }
            TermKind::Schema(text) => self.text(text),
            TermKind::Chain(parts) => parts
                .iter()
                .for_each(|part| self.visit(*part, Want::Predicate)),
            TermKind::Pre(a)
            | TermKind::Hide(a, _)
            | TermKind::Rename(a, _)
            | TermKind::Decorate(a, _) => {
                self.visit(*a, Want::Schema);
            }
            TermKind::SchemaOp(_, a, b) => {
                self.visit(*a, Want::Schema);
                self.visit(*b, Want::Schema);
            }
            TermKind::Theta(a, _) => self.visit(*a, Want::Schema),
            kind => kind.for_each_child(|child| self.visit(child, Want::Expression)),
        }
    }
}
