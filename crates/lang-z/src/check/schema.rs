//! Types of schema expressions: which components each form has.
//!
//! Paper: the Z Reference Manual, 3.8; ISO 13568, 13.2.

use base::{Diagnostic, Name, Span, near};
use lang_math::TypeId;

use super::{Checked, Checker, Meaning};
use crate::codes;
use crate::tree::{Ident, SchemaOp, TermId, TermKind};

type Components = Vec<(Name, TypeId)>;

/// The strokes with which a schema is included.
pub(super) fn strokes_of(checked: &Checked, schema: TermId) -> Name {
    match &checked.tree.terms[schema].kind {
        TermKind::Decorate(inner, stroke) => {
            let inside = strokes_of(checked, *inner);
            Name::new(&format!("{inside}{stroke}"))
        }
        TermKind::Ref(..) => match checked.meanings.get(&schema) {
            Some(Meaning::Decorated(_, _, strokes)) => *strokes,
            _ => Name::new(""),
        },
        _ => Name::new(""),
    }
}

impl Checker {
    /// The type of a schema expression.
    pub(super) fn schema_type(&mut self, term: TermId) -> TypeId {
        match self.schema(term) {
            Some(components) => {
                let record = self.out.types.record(components);
                self.out.types.pow(record)
            }
            None => self.out.types.error(),
        }
    }

    /// The components of a schema expression; `None` after a report.
    pub(super) fn schema(&mut self, term: TermId) -> Option<Components> {
        let components = base::deep::recurse(|| self.schema_here(term))?;
        let record = self.out.types.record(components.clone());
        let ty = self.out.types.pow(record);
        self.set_type(term, ty);
        Some(components)
    }

    fn schema_here(&mut self, term: TermId) -> Option<Components> {
        let span = self.span(term);
        match self.out.tree.terms[term].kind.clone() {
            TermKind::Schema(text) => {
                let declared = self.declarations(&text);
                let scope = self.predicate_of(declared, &text);
                Some(sorted(scope.variables))
            }
            TermKind::Not(inner) => self.schema(inner),
            TermKind::Connect(_, left, right) => self.merged(left, right, span),
            TermKind::Quantify(_, text, body) => {
                let (scope, inner) = self.text(&text, |checker, _| checker.schema_outside(body));
                let mut inner = inner?;
                for (name, ty) in &scope.variables {
                    let found = inner.iter().find(|(known, _)| known == name).copied();
                    if let Some((_, known)) = found
                        && self.out.types.unify(known, *ty, span).is_err()
                    {
                        let message = format!("`{name}` has another type in the schema");
                        self.mismatch(span, message, ("quantified", *ty), ("in the schema", known));
                    }
                }
                inner.retain(|(name, _)| !scope.variables.iter().any(|(gone, _)| gone == name));
                Some(inner)
            }
            TermKind::Let(pairs, body) => self.definitions(&pairs, |checker| checker.schema(body)),
            TermKind::If(condition, yes, no) => {
                self.predicate(condition);
                self.merged(yes, no, span)
            }
            TermKind::Decorate(inner, stroke) => {
                let components = self.schema(inner)?;
                let decorated = components.into_iter();
                Some(sorted(
                    decorated
                        .map(|(name, ty)| (Name::new(&format!("{name}{stroke}")), ty))
                        .collect(),
                ))
            }
            TermKind::Rename(inner, pairs) => self.renamed(inner, &pairs),
            TermKind::Hide(inner, names) => {
                let mut components = self.schema(inner)?;
                for name in &names {
                    self.component(&components, *name);
                }
                components.retain(|(name, _)| !names.iter().any(|gone| gone.name == *name));
                Some(components)
            }
            TermKind::Pre(inner) => {
                let mut components = self.schema(inner)?;
                components.retain(|(name, _)| !is_after(*name));
                Some(components)
            }
            TermKind::SchemaOp(op, left, right) => self.combined(op, left, right, span),
            _ => {
                let ty = self.expr(term);
                match self.out.components(ty) {
                    Some(components) => Some(components),
                    None => {
                        self.not_a_schema(span, "", ty);
                        None
                    }
                }
            }
        }
    }

    /// The schema under a quantifier does not see the quantified names: they are its own components.
    fn schema_outside(&mut self, body: TermId) -> Option<Components> {
        let inner = self.scopes.pop();
        let components = self.schema(body);
        self.scopes.extend(inner);
        components
    }

    fn merged(&mut self, left: TermId, right: TermId, span: Span) -> Option<Components> {
        let (a, b) = (self.schema(left), self.schema(right));
        let (a, b) = (a?, b?);
        Some(self.merge(a, b, span))
    }

    fn merge(&mut self, mut all: Components, more: Components, span: Span) -> Components {
        for (name, ty) in more {
            match all.iter().find(|(known, _)| *known == name).copied() {
                None => all.push((name, ty)),
                Some((_, known)) => {
                    if self.out.types.unify(known, ty, span).is_err() {
                        let message = format!("`{name}` has different types in the two schemas");
                        self.mismatch(span, message, ("left", known), ("right", ty));
                    }
                }
            }
        }
        sorted(all)
    }

    fn component(&mut self, components: &Components, name: Ident) -> bool {
        if components.iter().any(|(known, _)| *known == name.name) {
            return true;
        }
        let known = components.iter().map(|(known, _)| known.as_str());
        let near = near::nearest(name.name.as_str(), known).map(str::to_owned);
        let message = format!("the schema has no component `{}`", name.name);
        let mut problem = Diagnostic::error(&codes::NO_COMPONENT, name.span, message);
        if let Some(near) = near {
            problem = problem.help(format!("it has `{near}`"));
        }
        self.report(problem);
        false
    }

    fn renamed(&mut self, inner: TermId, pairs: &[(Ident, Ident)]) -> Option<Components> {
        let components = self.schema(inner)?;
        for (_, old) in pairs {
            self.component(&components, *old);
        }
        let span = self.span(inner);
        let mut all = Components::new();
        for (name, ty) in components {
            let pair = pairs.iter().find(|(_, old)| old.name == name);
            let name = pair.map_or(name, |(new, _)| new.name);
            all = self.merge(all, vec![(name, ty)], span);
        }
        Some(all)
    }

    fn combined(
        &mut self,
        op: SchemaOp,
        left: TermId,
        right: TermId,
        span: Span,
    ) -> Option<Components> {
        let (a, b) = (self.schema(left), self.schema(right));
        let (mut a, mut b) = (a?, b?);
        match op {
            SchemaOp::Project => {
                self.merge(a, b.clone(), span);
                Some(b)
            }
            SchemaOp::Compose | SchemaOp::Pipe => {
                let matched = matches_of(op, &a, &b);
                for (from, to) in &matched {
                    let of = |all: &Components, name: Name| {
                        all.iter()
                            .find(|(known, _)| *known == name)
                            .map(|(_, ty)| *ty)
                    };
                    if let (Some(x), Some(y)) = (of(&a, *from), of(&b, *to))
                        && self.out.types.unify(x, y, span).is_err()
                    {
                        let message = format!("`{from}` and `{to}` have different types");
                        self.mismatch(span, message, ("left", x), ("right", y));
                    }
                }
                a.retain(|(name, _)| !matched.iter().any(|(from, _)| from == name));
                b.retain(|(name, _)| !matched.iter().any(|(_, to)| to == name));
                Some(self.merge(a, b, span))
            }
        }
    }
}

/// The components that a composition or piping matches: of the left and of the right schema.
pub fn matches_of(
    op: SchemaOp,
    left: &[(Name, TypeId)],
    right: &[(Name, TypeId)],
) -> Vec<(Name, Name)> {
    let (from, to) = match op {
        SchemaOp::Compose => ("'", ""),
        SchemaOp::Pipe => ("!", "?"),
        SchemaOp::Project => return Vec::new(),
    };
    let mut matched = Vec::new();
    for (name, _) in left {
        if let Some(base) = name.as_str().strip_suffix(from) {
            let wanted = Name::new(&format!("{base}{to}"));
            if right.iter().any(|(known, _)| *known == wanted) {
                matched.push((*name, wanted));
            }
        }
    }
    matched
}

/// Whether a component is a value after the operation or a result.
pub fn is_after(name: Name) -> bool {
    name.as_str().ends_with(['\'', '!'])
}

fn sorted(mut components: Components) -> Components {
    components.sort_by_key(|(name, _)| *name);
    components
}
