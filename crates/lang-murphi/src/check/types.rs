//! What type expressions mean, and which types fit each other.

use base::{Diagnostic, Name, Span, deep};
use rustc_hash::FxHashMap;

use super::report::Sought;
use super::{Checker, Form, Symbol, SymbolKind, Type, TypeId};
use crate::codes::{scope, support, typing};
use crate::syntax::{ExprId, Ident, TypeExprId, TypeKind};

/// Simple values a state may have: far beyond any model, small enough for memory.
const MOST_CELLS: u64 = 1 << 20;

/// Values a variable may have: one word of 32 bits holds them, one value for undefined, and one is kept free.
const MOST_VALUES: i128 = (1 << 32) - 2;

/// Names that cannot be declared; they are known in any case of letters.
pub(super) fn predefined(name: Name) -> Option<&'static str> {
    ["boolean", "true", "false"]
        .into_iter()
        .find(|known| name.as_str().eq_ignore_ascii_case(known))
}

impl Checker<'_> {
    pub(super) fn new_type(&mut self, form: Form) -> TypeId {
        self.out.types.push(Type { name: None, form })
    }

    /// Declares a name in the innermost block.
    pub(super) fn declare(
        &mut self,
        ident: Ident,
        ty: TypeId,
        kind: SymbolKind,
    ) -> super::SymbolId {
        let Ident { name, span } = ident;
        let symbol = self.out.symbols.push(Symbol {
            name,
            span,
            ty,
            kind,
        });
        self.out.declared.insert(span, symbol);
        if let Some(known) = predefined(name) {
            let message = format!("\"{known}\" is predefined and cannot be declared");
            self.error(&scope::RESERVED_TYPE, span, message);
        }
        let block = self
            .scopes
            .last_mut()
            .expect("the outermost block is always open");
        if let Some(before) = block.insert(name, symbol) {
            let place = self.out.symbols[before].span;
            let message = format!("\"{name}\" is declared twice");
            self.push(
                Diagnostic::error(&scope::DUPLICATE, span, message)
                    .also(place, "declared here before"),
            );
        }
        symbol
    }

    /// The type that a type expression means.
    pub(super) fn resolve(&mut self, id: TypeExprId) -> TypeId {
        let ty = deep::recurse(|| self.resolve_inner(id));
        self.out.type_exprs[id.index()] = Some(ty);
        ty
    }

    fn resolve_inner(&mut self, id: TypeExprId) -> TypeId {
        let tree = self.tree;
        let expr = &tree.types[id];
        match &expr.kind {
            TypeKind::Error => self.unknown,
            TypeKind::Name(name) => self.named(Ident {
                name: *name,
                span: expr.span,
            }),
            TypeKind::Range(low, high) => self.range(*low, *high, expr.span),
            TypeKind::Enum(members) => self.enumeration(members),
            TypeKind::Scalarset(size) => match self.size(*size, "scalarset") {
                Some(size) => self.new_type(Form::Scalarset(size)),
                None => self.unknown,
            },
            TypeKind::Union(members) => self.union(members),
            TypeKind::Record(fields) => self.record(fields),
            TypeKind::Array(index, element) => {
                let index_type = self.resolve(*index);
                let element = self.resolve(*element);
                if !self.simple(index_type, tree.types[*index].span, "the index of an array") {
                    return self.unknown;
                }
                self.sized(Form::Array(index_type, element), expr.span)
            }
            TypeKind::Multiset(size, element) => {
                let size = self.size(*size, "multiset");
                let element = self.resolve(*element);
                match size {
                    Some(size) => self.sized(Form::Multiset(size, element), expr.span),
                    None => self.unknown,
                }
            }
        }
    }

    fn named(&mut self, ident: Ident) -> TypeId {
        if predefined(ident.name) == Some("boolean") {
            return self.boolean;
        }
        let Some(symbol) = self.lookup(ident, Sought::Type) else {
            return self.unknown;
        };
        let found = &self.out.symbols[symbol];
        if found.kind == SymbolKind::Type {
            return found.ty;
        }
        let is_number = matches!(found.kind, SymbolKind::Constant(_)) && self.is_integer(found.ty);
        let message = format!("\"{}\" is no type", ident.name);
        let mut diagnostic = Diagnostic::error(&scope::NOT_A_TYPE, ident.span, message);
        if is_number {
            diagnostic = diagnostic.help(format!("a range is written 0..{}", ident.name));
        }
        self.push(diagnostic);
        self.unknown
    }

    fn range(&mut self, low: ExprId, high: ExprId, span: Span) -> TypeId {
        let (from, to) = (self.constant(low), self.constant(high));
        let (Some(from), Some(to)) = (from, to) else {
            return self.unknown;
        };
        if from > to {
            let message = format!("the range {from}..{to} has no values");
            self.error(&typing::EMPTY_RANGE, span, message);
            return self.unknown;
        }
        self.new_type(Form::Range(from, to))
    }

    /// The value of an integer expression that must be constant; `None` was reported.
    pub(super) fn constant(&mut self, expr: ExprId) -> Option<i64> {
        let ty = self.infer(expr);
        if !self.is_integer(ty) {
            if *self.form(ty) != Form::Unknown {
                let message = format!(
                    "\"{}\" is of type {}, and an integer is needed",
                    self.show(expr),
                    self.describe(ty)
                );
                self.error(&typing::NEEDS_INTEGER, self.span(expr), message);
            }
            return None;
        }
        let value = self.out.constants[expr.index()];
        if value.is_none() {
            let message = format!(
                "\"{}\" is not known before the program runs",
                self.show(expr)
            );
            self.error(&typing::NOT_CONSTANT, self.span(expr), message);
        }
        value
    }

    fn size(&mut self, expr: ExprId, what: &str) -> Option<u32> {
        let value = self.constant(expr)?;
        if value < 1 {
            let message = format!("a {what} of size {value} has no elements");
            self.error(&typing::EMPTY_RANGE, self.span(expr), message);
            return None;
        }
        if value as u64 > MOST_CELLS {
            let message = format!("a {what} of {value} elements is too large");
            self.error(&support::TOO_MANY_CELLS, self.span(expr), message);
            return None;
        }
        Some(value as u32)
    }

    fn enumeration(&mut self, members: &[Ident]) -> TypeId {
        let names = members.iter().map(|member| member.name).collect();
        let ty = self.new_type(Form::Enum(names));
        for (at, member) in members.iter().enumerate() {
            self.declare(*member, ty, SymbolKind::Constant(at as i64));
        }
        ty
    }

    fn union(&mut self, members: &[TypeExprId]) -> TypeId {
        let mut parts: Vec<TypeId> = Vec::new();
        for member in members {
            let ty = self.resolve(*member);
            let found = match self.form(ty) {
                Form::Enum(_) | Form::Scalarset(_) => vec![ty],
                Form::Union(inner) => inner.clone(),
                Form::Unknown => return self.unknown,
                _ => {
                    let message = format!("{} cannot be a member of a union", self.describe(ty));
                    let diagnostic = Diagnostic::error(
                        &typing::INDEX_TYPE,
                        self.tree.types[*member].span,
                        message,
                    );
                    self.push(diagnostic.note("members are enumerations, scalarsets and unions"));
                    return self.unknown;
                }
            };
            for part in found {
                if !parts.contains(&part) {
                    parts.push(part);
                }
            }
        }
        self.new_type(Form::Union(parts))
    }

    fn record(&mut self, fields: &[(Vec<Ident>, TypeExprId)]) -> TypeId {
        let mut known: FxHashMap<Name, Span> = FxHashMap::default();
        let mut parts = Vec::new();
        for (idents, ty) in fields {
            let ty = self.resolve(*ty);
            for ident in idents {
                if let Some(place) = known.insert(ident.name, ident.span) {
                    let message = format!("the field \"{}\" is declared twice", ident.name);
                    let diagnostic = Diagnostic::error(&scope::DUPLICATE, ident.span, message);
                    self.push(diagnostic.also(place, "declared here before"));
                    continue;
                }
                parts.push((ident.name, ty));
            }
        }
        let span = fields
            .first()
            .and_then(|(idents, _)| idents.first())
            .map(|ident| ident.span);
        match span {
            Some(span) => self.sized(Form::Record(parts), span),
            None => self.new_type(Form::Record(parts)),
        }
    }

    /// A type with parts, unless it is too large.
    fn sized(&mut self, form: Form, span: Span) -> TypeId {
        let ty = self.new_type(form);
        let cells = self.cells_of(ty);
        if cells <= MOST_CELLS {
            return ty;
        }
        let message = format!(
            "a value of this type has {cells} parts, and at most {MOST_CELLS} are supported"
        );
        self.error(&support::TOO_MANY_CELLS, span, message);
        self.unknown
    }

    /// How many simple values a type has; the inner types are small enough already.
    pub(super) fn cells_of(&self, ty: TypeId) -> u64 {
        deep::recurse(|| match self.form(ty) {
            Form::Array(index, element) => {
                let count = u64::try_from(self.values(*index)).unwrap_or(u64::MAX);
                count.saturating_mul(self.cells_of(*element))
            }
            Form::Record(fields) => fields.iter().fold(0, |sum: u64, (_, ty)| {
                sum.saturating_add(self.cells_of(*ty))
            }),
            Form::Multiset(size, element) => {
                u64::from(*size).saturating_mul(self.cells_of(*element).saturating_add(1))
            }
            _ => 1,
        })
    }

    /// How many values a simple type has; 1 for anything else.
    pub(super) fn values(&self, ty: TypeId) -> i128 {
        match self.form(ty) {
            Form::Boolean => 2,
            Form::Range(low, high) => i128::from(*high) - i128::from(*low) + 1,
            Form::Enum(members) => members.len() as i128,
            Form::Scalarset(size) => i128::from(*size),
            Form::Union(members) => members.iter().map(|member| self.values(*member)).sum(),
            _ => 1,
        }
    }

    /// A variable is declared: its values must fit a state.
    pub(super) fn variable(&mut self, ident: Ident, ty: TypeId, kind: SymbolKind) {
        self.declare(ident, ty, kind);
        if kind == SymbolKind::Global {
            self.cells = self.cells.saturating_add(self.cells_of(ty));
            if self.cells > MOST_CELLS {
                let message = format!(
                    "with \"{}\" a state has more than {MOST_CELLS} simple values",
                    ident.name
                );
                self.error(&support::TOO_MANY_CELLS, ident.span, message);
                self.cells = 0;
            }
        }
        if let Some(wide) = self.widest(ty) {
            let message = format!(
                "\"{}\" holds values of {}, which has too many",
                ident.name,
                self.describe(wide)
            );
            self.error(&support::WIDE_RANGE, ident.span, message);
        }
    }

    /// A range in a type that does not fit one word.
    fn widest(&self, ty: TypeId) -> Option<TypeId> {
        deep::recurse(|| match self.form(ty) {
            Form::Range(..) => (self.values(ty) > MOST_VALUES).then_some(ty),
            Form::Array(_, element) | Form::Multiset(_, element) => self.widest(*element),
            Form::Record(fields) => fields.iter().find_map(|(_, ty)| self.widest(*ty)),
            _ => None,
        })
    }

    /// Reports a type that is not simple.
    pub(super) fn simple(&mut self, ty: TypeId, span: Span, what: &str) -> bool {
        let fits = self.is_simple(ty) && !matches!(self.form(ty), Form::Element(_));
        if !fits {
            let message = format!("{} cannot be {what}", self.describe(ty));
            self.error(&typing::INDEX_TYPE, span, message);
        }
        fits
    }

    pub(super) fn is_integer(&self, ty: TypeId) -> bool {
        matches!(self.form(ty), Form::Integer | Form::Range(..))
    }

    pub(super) fn is_simple(&self, ty: TypeId) -> bool {
        !matches!(
            self.form(ty),
            Form::Array(..) | Form::Record(_) | Form::Multiset(..)
        )
    }

    /// Whether two types are one: by name, by structure where there are parts, by bounds for ranges.
    pub(super) fn same(&self, left: TypeId, right: TypeId) -> bool {
        if left == right {
            return true;
        }
        deep::recurse(|| match (self.form(left), self.form(right)) {
            (Form::Unknown, _) | (_, Form::Unknown) => true,
            (Form::Range(..), Form::Range(..)) => self.form(left) == self.form(right),
            (Form::Array(i, e), Form::Array(j, f)) => self.same(*i, *j) && self.same(*e, *f),
            (Form::Multiset(m, e), Form::Multiset(n, f)) => m == n && self.same(*e, *f),
            (Form::Record(some), Form::Record(others)) => {
                let pairs = some.iter().zip(others);
                some.len() == others.len()
                    && pairs
                        .into_iter()
                        .all(|(a, b)| a.0 == b.0 && self.same(a.1, b.1))
            }
            (Form::Union(some), Form::Union(others)) => {
                some.len() == others.len() && some.iter().all(|member| others.contains(member))
            }
            _ => false,
        })
    }

    /// Whether a value of type `source` can be stored in, passed to or compared with `target`; whether it is one of its
    /// values may be known at run time only.
    pub(super) fn fits(&self, target: TypeId, source: TypeId) -> bool {
        if self.same(target, source) || self.is_integer(target) && self.is_integer(source) {
            return true;
        }
        match (self.form(target), self.form(source)) {
            (Form::Union(some), Form::Union(others)) => {
                some.iter().any(|member| others.contains(member))
            }
            (Form::Union(members), _) => members.contains(&source),
            (_, Form::Union(members)) => members.contains(&target),
            (Form::Element(some), Form::Element(other)) => self.same(*some, *other),
            _ => false,
        }
    }
}
