//! How mistakes are worded: names, types and expressions as the text has them.

use base::{Code, Diagnostic, Name, Span, near};

use super::{Checked, Checker, Form, SymbolId, SymbolKind, TypeId};
use crate::codes::{scope, typing};
use crate::syntax::{ExprId, Ident};

/// Longer texts are cut in messages.
const SHOWN: usize = 40;

/// What a name is looked up as.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Sought {
    Type,
    Name,
    Function,
}

impl Checker<'_> {
    pub(super) fn error(&mut self, code: &'static Code, span: Span, message: String) {
        self.push(Diagnostic::error(code, span, message));
    }

    pub(super) fn push(&mut self, diagnostic: Diagnostic) {
        self.out.diagnostics.push(diagnostic);
    }

    pub(super) fn span(&self, expr: ExprId) -> Span {
        self.tree.exprs[expr].span
    }

    /// The text of an expression, cut if it is long.
    pub(super) fn show(&self, expr: ExprId) -> String {
        let span = self.span(expr);
        let text = self
            .text
            .get(span.start as usize..span.end as usize)
            .unwrap_or("");
        let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
        if line.chars().count() <= SHOWN {
            return line;
        }
        line.chars().take(SHOWN - 1).chain(['…']).collect()
    }

    /// A type as the text would write it.
    pub(super) fn describe(&self, ty: TypeId) -> String {
        self.out.describe(ty)
    }

    /// A value of type `found` stands where `wanted` is needed.
    pub(super) fn mismatch(&mut self, expr: ExprId, found: TypeId, wanted: TypeId, what: &str) {
        let (shown, found_text, wanted_text) =
            (self.show(expr), self.describe(found), self.describe(wanted));
        let span = self.span(expr);
        let scalarset = [found, wanted]
            .into_iter()
            .find(|ty| matches!(self.form(*ty), Form::Scalarset(_)));
        let integer = [found, wanted].into_iter().any(|ty| self.is_integer(ty));
        let diagnostic = match scalarset {
            Some(ty) if integer => {
                let name = self.describe(ty);
                let message =
                    format!("{what} {wanted_text}, and \"{shown}\" is of type {found_text}");
                Diagnostic::error(&typing::SCALARSET, span, message).note(format!(
                    "the elements of the scalarset {name} are interchangeable and have no numbers"
                ))
            }
            _ => {
                let message =
                    format!("{what} {wanted_text}, and \"{shown}\" is of type {found_text}");
                Diagnostic::error(&typing::MISMATCH, span, message)
            }
        };
        self.push(diagnostic);
    }

    /// An operator needs integers and gets something else.
    pub(super) fn needs_integer(&mut self, expr: ExprId, found: TypeId, operator: &str) {
        let (shown, name) = (self.show(expr), self.describe(found));
        let span = self.span(expr);
        let diagnostic = if matches!(self.form(found), Form::Scalarset(_)) {
            let message =
                format!("\"{operator}\" cannot be used on \"{shown}\" of the scalarset {name}");
            Diagnostic::error(&typing::SCALARSET, span, message).note(
                "elements of a scalarset are interchangeable: they have no order and no numbers",
            )
        } else {
            let message =
                format!("\"{operator}\" needs integers, and \"{shown}\" is of type {name}");
            Diagnostic::error(&typing::NEEDS_INTEGER, span, message)
        };
        self.push(diagnostic);
    }

    /// The symbol of a name, or a report that there is none.
    pub(super) fn lookup(&mut self, ident: Ident, sought: Sought) -> Option<SymbolId> {
        if let Some(symbol) = self.find(ident.name) {
            return Some(symbol);
        }
        let is_type = sought == Sought::Type;
        let (code, what) = match sought {
            Sought::Type => (&scope::UNKNOWN_TYPE, "type"),
            Sought::Name => (&scope::UNKNOWN_NAME, "name"),
            Sought::Function => (&scope::UNKNOWN_NAME, "function"),
        };
        let message = format!("unknown {what} \"{}\"", ident.name);
        let mut diagnostic = Diagnostic::error(code, ident.span, message);
        let wanted = |kind: &SymbolKind| is_type == matches!(kind, SymbolKind::Type);
        let mut names: Vec<&str> = Vec::new();
        for scope in &self.scopes {
            let fitting = scope
                .iter()
                .filter(|(_, symbol)| wanted(&self.out.symbols[**symbol].kind));
            names.extend(fitting.map(|(name, _)| name.as_str()));
        }
        names.push(if is_type { "boolean" } else { "true" });
        let outer = self.declared_elsewhere(ident.name);
        if let Some(near) = near::nearest(ident.name.as_str(), names) {
            diagnostic = diagnostic.help(format!("did you mean {near}?")).fix(near);
        } else if let Some(place) = outer {
            diagnostic = diagnostic.also(place, "known only inside the block that declares it");
        }
        self.push(diagnostic);
        None
    }

    pub(super) fn find(&self, name: Name) -> Option<SymbolId> {
        self.scopes
            .iter()
            .rev()
            .find_map(|scope| scope.get(&name).copied())
    }

    /// Where a name was declared in a block that is closed now.
    fn declared_elsewhere(&self, name: Name) -> Option<Span> {
        let mut symbols = self.out.symbols.iter();
        symbols
            .find(|(_, symbol)| symbol.name == name)
            .map(|(_, symbol)| symbol.span)
    }
}

impl Checked {
    /// A type as the text would write it.
    pub fn describe(&self, ty: TypeId) -> String {
        let found = &self.types[ty];
        if let Some(name) = found.name {
            return name.to_string();
        }
        match &found.form {
            Form::Unknown => "unknown".to_string(),
            Form::Integer => "integer".to_string(),
            Form::Boolean => "boolean".to_string(),
            Form::Range(low, high) => format!("{low}..{high}"),
            Form::Enum(members) => {
                let shown: Vec<&str> = members.iter().take(4).map(|name| name.as_str()).collect();
                let more = if members.len() > 4 { ", …" } else { "" };
                format!("enum {{{}{more}}}", shown.join(", "))
            }
            Form::Scalarset(size) => format!("scalarset({size})"),
            Form::Union(members) => {
                let shown: Vec<String> = members
                    .iter()
                    .map(|member| self.describe(*member))
                    .collect();
                format!("union {{{}}}", shown.join(", "))
            }
            Form::Array(index, element) => {
                format!(
                    "array [{}] of {}",
                    self.describe(*index),
                    self.describe(*element)
                )
            }
            Form::Record(_) => "record".to_string(),
            Form::Multiset(size, element) => {
                format!("multiset [{size}] of {}", self.describe(*element))
            }
            Form::Element(multiset) => format!("element of {}", self.describe(*multiset)),
        }
    }
}
