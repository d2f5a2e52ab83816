//! Gives the texts inside a formula a meaning in the model: parsed, typed and lowered by the model's own language.
//!
//! A text with names of its own (a quantified name, a parameter, a value before a step) becomes the body of a universal
//! quantifier, so that the language's own checker gives the names types; the body is then taken out again.
//! Invariant: places in what was lowered, and in what was found wrong, point into the formula.

use base::{Diagnostic, Diagnostics, FileId, Name, Sources, Span};
use lang_formula::{Text, codes};
use lang_math::Op;
use model::{ExprId, Kind, LocalId, Model, Notation, Ty, TyId};

use crate::loaded::{Loaded, Wanted};

/// A name that a text may use besides those of the model, with a predicate that gives it its type.
#[derive(Clone, Debug)]
pub(super) struct Bound {
    pub(super) name: String,
    pub(super) typing: String,
}

/// A lowered text over some names.
#[derive(Clone, Debug)]
pub(super) struct Template {
    pub(super) expr: ExprId,
    pub(super) names: Vec<LocalId>,
}

/// The model and its language.
pub(super) struct Host<'a> {
    pub(super) checked: &'a mut Loaded,
    pub(super) wanted: Wanted<'a>,
    pub(super) model: &'a mut Model,
    pub(super) sources: &'a mut Sources,
}

/// What a text must be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sort {
    Predicate,
    Expression,
}

impl Host<'_> {
    /// Lowers a predicate.
    pub(super) fn predicate(
        &mut self,
        text: &Text,
        bound: &[Bound],
    ) -> Result<Template, Diagnostics> {
        self.lower(text, bound, Sort::Predicate, "", "")
    }

    /// Lowers an expression.
    pub(super) fn expression(
        &mut self,
        text: &Text,
        bound: &[Bound],
    ) -> Result<Template, Diagnostics> {
        self.lower(text, bound, Sort::Expression, "", "")
    }

    /// Lowers `name = text` for the first of the names.
    pub(super) fn equation(
        &mut self,
        text: &Text,
        bound: &[Bound],
    ) -> Result<Template, Diagnostics> {
        let name = bound.first().map_or("", |first| first.name.as_str());
        let before = format!("{name} = (");
        self.lower(text, bound, Sort::Predicate, &before, ")")
    }

    fn lower(
        &mut self,
        text: &Text,
        bound: &[Bound],
        sort: Sort,
        before: &str,
        after: &str,
    ) -> Result<Template, Diagnostics> {
        let (prefix, suffix) = match (bound.is_empty(), sort) {
            (true, _) => (before.to_owned(), after.to_owned()),
            (false, Sort::Predicate) => (
                format!("{} => ({before}", self.quantifier(bound)),
                format!("\n{after}))"),
            ),
            (false, Sort::Expression) => (
                format!("{} => (({before}", self.quantifier(bound)),
                // The value is taken from the left side.
                format!("\n{after}) = ({}\n)))", text.text),
            ),
        };
        let whole = format!("{prefix}{}{suffix}", text.text);
        let first_file = self.sources.count();
        let first_expr = self.model.exprs.len();
        let first_local = self.model.locals.len();
        let map = Map {
            first_file,
            start: prefix.len() as u32,
            text: text.span,
        };
        let lowered = self
            .checked
            .formula(&self.wanted, self.model, &whole, self.sources)
            .map_err(|wrong| map.diagnostics(&wrong))?;
        for index in first_expr..self.model.exprs.len() {
            let expr = &mut self.model.exprs[ExprId::new(index)];
            expr.span = map.span(expr.span);
        }
        for index in first_local..self.model.locals.len() {
            let local = &mut self.model.locals[LocalId::new(index)];
            local.span = map.span(local.span);
        }
        let misfit = |wanted: &str| {
            let message = format!("{wanted} is needed here");
            one(Diagnostic::error(&codes::MISFIT, text.span, message))
        };
        if bound.is_empty() {
            return match (sort, lowered.is_predicate) {
                (Sort::Predicate, true) | (Sort::Expression, false) => Ok(Template {
                    expr: lowered.expr,
                    names: Vec::new(),
                }),
                (Sort::Predicate, false) => Err(misfit("a predicate")),
                (Sort::Expression, true) => Err(misfit("an expression")),
            };
        }
        self.inside(lowered.expr, sort)
            .ok_or_else(|| misfit("another form"))
    }

    /// What stands behind the implication of the quantifier that was put around a text.
    fn inside(&self, whole: ExprId, sort: Sort) -> Option<Template> {
        let Kind::Bind {
            names, predicate, ..
        } = &self.model.exprs[whole].kind
        else {
            return None;
        };
        let Kind::Op(Op::Implies, args) = &self.model.exprs[*predicate].kind else {
            return None;
        };
        let body = *args.get(1)?;
        let expr = match (sort, &self.model.exprs[body].kind) {
            (Sort::Predicate, _) => body,
            (Sort::Expression, Kind::Op(Op::Equal, sides)) => *sides.first()?,
            _ => return None,
        };
        Some(Template {
            expr,
            names: names.clone(),
        })
    }

    /// `!(x,y).((x:S) & (y:T)`
    fn quantifier(&self, bound: &[Bound]) -> String {
        let names: Vec<&str> = bound.iter().map(|bound| bound.name.as_str()).collect();
        let typing: Vec<String> = bound
            .iter()
            .map(|bound| format!("({}\n)", bound.typing))
            .collect();
        let names = match self.model.tys.notation {
            Notation::B => format!("({})", names.join(",")),
            Notation::EventB => names.join(","),
        };
        format!("!{names}.({}", typing.join(" & "))
    }

    /// `name : type` in the language of the model.
    pub(super) fn typing(&self, name: &str, ty: TyId) -> String {
        format!("{name} : {}", self.ty(ty))
    }

    fn ty(&self, ty: TyId) -> String {
        let tys = &self.model.tys;
        if tys.notation == Notation::B {
            return tys.show(ty);
        }
        match &tys[ty] {
            Ty::Int => "INT".to_owned(),
            Ty::Pow(element) => format!("POW({})", self.ty(*element)),
            Ty::Prod(left, right) => format!("({} ** {})", self.ty(*left), self.ty(*right)),
            _ => tys.show(ty),
        }
    }

    /// A name that no text of the model and none of these uses.
    pub(super) fn fresh(&self, stem: &str, texts: &[&str]) -> String {
        let is_free = |name: &String| {
            let known = Name::new(name);
            !self.model.variables.iter().any(|(_, v)| v.name == known)
                && !texts.iter().any(|text| text.contains(name.as_str()))
        };
        let numbered = (0_u32..).map(|number| format!("{stem}_{number}"));
        let mut candidates = std::iter::once(stem.to_owned()).chain(numbered);
        candidates.find(is_free).unwrap_or_else(|| stem.to_owned())
    }
}

/// From places in a text that was put together to places in the formula.
struct Map {
    first_file: usize,
    start: u32,
    text: Span,
}

impl Map {
    fn is_ours(&self, file: FileId) -> bool {
        file.index() >= self.first_file
    }

    fn span(&self, span: Span) -> Span {
        if !self.is_ours(span.file) {
            return span;
        }
        let length = self.text.end - self.text.start;
        let is_inside = span.start >= self.start && span.start <= self.start + length;
        if !is_inside {
            return self.text;
        }
        let start = self.text.start + (span.start - self.start);
        let end = self.text.start + span.end.saturating_sub(self.start);
        Span::new(
            self.text.file,
            start,
            end.clamp(start, self.text.end.max(start)),
        )
    }

    fn diagnostics(&self, wrong: &Diagnostics) -> Diagnostics {
        let mut mapped = Diagnostics::new();
        for diagnostic in wrong {
            let mut diagnostic = diagnostic.clone();
            for label in diagnostic
                .primary
                .iter_mut()
                .chain(&mut diagnostic.secondary)
            {
                label.span = self.span(label.span);
            }
            mapped.push(diagnostic);
        }
        mapped
    }
}

/// A list of one.
pub(super) fn one(diagnostic: Diagnostic) -> Diagnostics {
    let mut diagnostics = Diagnostics::new();
    diagnostics.push(diagnostic);
    diagnostics
}
