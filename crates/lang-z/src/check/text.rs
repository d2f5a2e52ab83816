//! Declarations: what they bring into scope, and what their characteristic tuple is.

use base::{Diagnostic, Name};
use lang_math::TypeId;

use super::{Checker, types};
use crate::codes;
use crate::lex::token::split_strokes;
use crate::tree::{Decl, TermId, TermKind, Text};

/// A part of a characteristic tuple.
#[derive(Clone, Debug)]
pub enum Part {
    /// A variable.
    Variable(Name),
    /// A binding with these components: label, and the variable with its value.
    Binding(Vec<(Name, Name)>),
}

/// What a text declares.
#[derive(Clone, Debug, Default)]
pub struct Scope {
    /// The variables with their types, in order of first declaration.
    pub variables: Vec<(Name, TypeId)>,
    /// The characteristic tuple.
    pub parts: Vec<Part>,
    /// The types of its parts.
    pub part_types: Vec<TypeId>,
}

impl Checker {
    /// Checks the declarations of a text; nothing is in scope yet.
    pub(super) fn declarations(&mut self, text: &Text) -> Scope {
        let mut scope = Scope::default();
        for decl in &text.decls {
            match decl {
                Decl::Vars(names, set) => {
                    let ty = self.element(*set);
                    for name in names {
                        self.bring(&mut scope, name.name, ty, *set, name.span);
                        scope.parts.push(Part::Variable(name.name));
                        scope.part_types.push(ty);
                    }
                }
                Decl::Define(name, value) => {
                    let ty = self.expr(*value);
                    self.bring(&mut scope, name.name, ty, *value, name.span);
                    scope.parts.push(Part::Variable(name.name));
                    scope.part_types.push(ty);
                }
                Decl::Include(schema) => self.include(*schema, &mut scope),
            }
        }
        scope
    }

    fn include(&mut self, schema: TermId, scope: &mut Scope) {
        let Some(components) = self.schema(schema) else {
            return;
        };
        let span = self.span(schema);
        let strokes = self.strokes_of(schema);
        let mut labels = Vec::new();
        let mut fields = Vec::new();
        for (name, ty) in components {
            self.bring(scope, name, ty, schema, span);
            let label = match name.as_str().strip_suffix(strokes.as_str()) {
                Some(base) => Name::new(base),
                None => name,
            };
            labels.push((label, name));
            fields.push((label, ty));
        }
        scope.parts.push(Part::Binding(labels));
        scope.part_types.push(self.out.types.record(fields));
    }

    /// The strokes with which a schema is included: its binding has undecorated labels.
    pub(super) fn strokes_of(&self, schema: TermId) -> Name {
        super::schema::strokes_of(&self.out, schema)
    }

    fn bring(&mut self, scope: &mut Scope, name: Name, ty: TypeId, from: TermId, span: base::Span) {
        let known = scope.variables.iter().find(|(known, _)| *known == name);
        let Some((_, earlier)) = known.copied() else {
            scope.variables.push((name, ty));
            return;
        };
        if self.out.types.unify(earlier, ty, span).is_err() {
            let place = if self.span(from).contains(span) {
                self.span(from)
            } else {
                span
            };
            let message = format!("`{name}` is declared with two different types");
            self.mismatch(place, message, ("first", earlier), ("now", ty));
        }
    }

    /// Checks a text, with its variables in scope for its predicate and for `body`.
    pub(super) fn text<T>(
        &mut self,
        text: &Text,
        body: impl FnOnce(&mut Checker, &Scope) -> T,
    ) -> (Scope, T) {
        self.bare_names(text);
        let scope = self.declarations(text);
        self.scopes.push(scope.variables.iter().copied().collect());
        if let Some(predicate) = text.predicate {
            self.predicate(predicate);
        }
        let result = body(self, &scope);
        self.scopes.pop();
        (scope, result)
    }

    /// `∀ i ⦁ P`: a name that is declared nowhere lacks its set, rather than its schema.
    fn bare_names(&mut self, text: &Text) {
        for decl in &text.decls {
            let Decl::Include(term) = decl else { continue };
            let TermKind::Ref(name, _) = self.out.tree.terms[*term].kind else {
                continue;
            };
            if self.lookup(name).is_none() && !self.is_schema_name(name) {
                let span = self.span(*term);
                let message = format!("`:` and the set of `{name}` expected");
                self.report(Diagnostic::error(&codes::UNEXPECTED, span, message));
            }
        }
    }

    /// Whether a name is a schema with strokes, or `Δ` or `Ξ` of one.
    fn is_schema_name(&self, name: Name) -> bool {
        let text = name.as_str();
        let base = text.strip_prefix(['Δ', 'Ξ']).unwrap_or(text);
        let (plain, _) = split_strokes(base);
        let known = |text: &str| self.out.global(Name::new(text)).is_some();
        known(base) || known(plain) || text != base
    }

    /// Checks the predicate of a text whose declarations were checked.
    pub(super) fn predicate_of(&mut self, scope: Scope, text: &Text) -> Scope {
        self.scopes.push(scope.variables.iter().copied().collect());
        if let Some(predicate) = text.predicate {
            self.predicate(predicate);
        }
        self.scopes.pop();
        scope
    }

    /// The type of a characteristic tuple.
    pub(super) fn characteristic(&mut self, scope: &Scope, term: TermId) -> TypeId {
        if scope.part_types.is_empty() {
            let span = self.span(term);
            let message = "nothing is declared here";
            self.report(Diagnostic::error(&codes::TYPE, span, message));
            return self.out.types.error();
        }
        types::tuple(&mut self.out.types, &scope.part_types)
    }
}
