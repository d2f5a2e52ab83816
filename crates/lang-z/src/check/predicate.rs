//! Types in predicates.

use base::{Diagnostic, deep};
use lang_math::TypeId;

use super::Checker;
use crate::codes;
use crate::tree::{Fix, TermId, TermKind};

impl Checker {
    /// Checks a predicate.
    pub(super) fn predicate(&mut self, term: TermId) {
        deep::recurse(|| self.predicate_here(term));
    }

    fn predicate_here(&mut self, term: TermId) {
        let span = self.span(term);
        match self.out.tree.terms[term].kind.clone() {
            TermKind::True | TermKind::False | TermKind::Error => {}
            TermKind::Not(inner) => self.predicate(inner),
            TermKind::Connect(_, left, right) => {
                self.predicate(left);
                self.predicate(right);
            }
            TermKind::Chain(parts) => {
                for part in parts {
                    self.predicate(part);
                }
            }
            TermKind::Quantify(_, text, body) => {
                self.text(&text, |checker, _| checker.predicate(body));
            }
            TermKind::Let(pairs, body) => {
                self.definitions(&pairs, |checker| checker.predicate(body));
            }
            TermKind::If(condition, yes, no) => {
                self.predicate(condition);
                self.predicate(yes);
                self.predicate(no);
            }
            TermKind::Equal(left, right) => {
                let (a, b) = (self.typed(left), self.typed(right));
                if self.out.types.unify(a, b, span).is_err() {
                    let message = "the two sides of the equation have different types".to_owned();
                    self.mismatch(span, message, ("left", a), ("right", b));
                }
            }
            TermKind::Member(left, right) => {
                let (a, set) = (self.typed(left), self.element(right));
                if self.out.types.unify(a, set, span).is_err() {
                    let message = "an element of this type cannot be in this set".to_owned();
                    self.mismatch(span, message, ("element", a), ("elements of the set", set));
                }
            }
            TermKind::Relation(name, fix, args) => {
                let relation = self.named(term, name.name, &[], name.span);
                let types: Vec<TypeId> = args.iter().map(|arg| self.typed(*arg)).collect();
                let wanted = match (fix, types.as_slice()) {
                    (Fix::Infix, [a, b]) => self.out.types.prod(*a, *b),
                    (_, [a]) => *a,
                    _ => return,
                };
                let set = self.out.types.pow(wanted);
                if self.out.types.unify(relation, set, span).is_err() {
                    let word = name.name.as_str().replace('_', "");
                    let message = format!("the operands of `{word}` have the wrong types");
                    self.mismatch(span, message, ("relation", relation), ("operands", wanted));
                }
            }
            _ => self.schema_predicate(term),
        }
    }

    /// The type of an operand; a second visit of a shared one costs nothing.
    fn typed(&mut self, term: TermId) -> TypeId {
        match self.out.ty(term) {
            Some(ty) => ty,
            None => self.expr(term),
        }
    }

    /// A schema as a predicate: its components are names in scope.
    fn schema_predicate(&mut self, term: TermId) {
        let span = self.span(term);
        let Some(components) = self.schema(term) else {
            return;
        };
        for (name, ty) in components {
            let Some(found) = self.lookup(name) else {
                let message = format!("`{name}`, a component of this schema, is not in scope here");
                let problem = Diagnostic::error(&codes::UNDECLARED, span, message)
                    .help("a schema that stands for a predicate speaks of names that are declared around it");
                self.report(problem);
                continue;
            };
            if self.out.types.unify(found, ty, span).is_err() {
                let message = format!("`{name}` has another type in this schema");
                self.mismatch(span, message, ("here", found), ("in the schema", ty));
            }
        }
    }
}
