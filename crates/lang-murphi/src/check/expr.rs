//! Types and constant values of expressions.

use base::{Diagnostic, Span, deep, near};

use super::report::Sought;
use super::{Checker, Form, SymbolKind, TypeId, types::predefined};
use crate::codes::{scope, typing};
use crate::syntax::{Binder, ExprId, ExprKind, Ident, Over};

impl Checker<'_> {
    /// The type of an expression; mistakes are reported.
    pub(super) fn infer(&mut self, id: ExprId) -> TypeId {
        let ty = deep::recurse(|| self.infer_inner(id));
        self.out.expr_types[id.index()] = Some(ty);
        ty
    }

    /// The type of an expression whose value goes where `wanted` is needed; `undefined` may go anywhere.
    pub(super) fn infer_for(&mut self, id: ExprId, wanted: TypeId) -> TypeId {
        if self.tree.exprs[id].kind != ExprKind::Undefined {
            return self.infer(id);
        }
        self.out.expr_types[id.index()] = Some(wanted);
        wanted
    }

    fn infer_inner(&mut self, id: ExprId) -> TypeId {
        let tree = self.tree;
        let expr = &tree.exprs[id];
        match &expr.kind {
            ExprKind::Error => self.unknown,
            ExprKind::Number(value) => self.known(id, self.integer, Some(*value)),
            ExprKind::Undefined => {
                let diagnostic =
                    Diagnostic::error(&typing::UNDEFINED_VALUE, expr.span, "undefined is no value");
                self.push(diagnostic.help("ask with isundefined(…), set with x := undefined"));
                self.unknown
            }
            ExprKind::Name(name) => self.name(
                id,
                Ident {
                    name: *name,
                    span: expr.span,
                },
            ),
            ExprKind::Field(record, field) => self.field(*record, *field),
            ExprKind::Index(array, index) => self.index(*array, *index),
            ExprKind::Call(ident, arguments) => self.call_value(id, *ident, arguments),
            ExprKind::Unary(op, operand) => self.unary(id, *op, *operand),
            ExprKind::Binary(op, left, right) => self.binary(id, *op, *left, *right),
            ExprKind::Conditional(condition, yes, no) => {
                self.conditional(id, *condition, *yes, *no)
            }
            ExprKind::Quantified(_, binder, body) => {
                self.scopes.push(Default::default());
                self.binder(binder, false);
                self.condition(*body, "the body of a quantifier");
                self.scopes.pop();
                self.boolean
            }
            ExprKind::IsUndefined(place) => {
                self.is_undefined(*place);
                self.boolean
            }
            ExprKind::IsMember(value, ty) => {
                let found = self.infer(*value);
                let wanted = self.resolve(*ty);
                if !self.fits(found, wanted) {
                    self.mismatch(*value, found, wanted, "ismember asks for");
                }
                self.boolean
            }
            ExprKind::MultisetCount(ident, place, body) => {
                self.scopes.push(Default::default());
                self.element_of(*ident, *place);
                self.condition(*body, "the condition of multisetcount");
                self.scopes.pop();
                self.integer
            }
        }
    }

    pub(super) fn known(&mut self, id: ExprId, ty: TypeId, value: Option<i64>) -> TypeId {
        self.out.constants[id.index()] = value;
        ty
    }

    fn name(&mut self, id: ExprId, ident: Ident) -> TypeId {
        match predefined(ident.name) {
            Some("true") => return self.known(id, self.boolean, Some(1)),
            Some("false") => return self.known(id, self.boolean, Some(0)),
            Some(_) => return self.no_value(ident),
            None => {}
        }
        let Some(symbol) = self.lookup(ident, Sought::Name) else {
            return self.unknown;
        };
        self.out.uses[id.index()] = Some(symbol);
        let found = &self.out.symbols[symbol];
        let ty = found.ty;
        match found.kind {
            SymbolKind::Type => self.no_value(ident),
            SymbolKind::Constant(value) => self.known(id, ty, Some(value)),
            SymbolKind::Alias(value) => {
                let constant = self.out.constants[value.index()];
                self.known(id, ty, constant)
            }
            SymbolKind::Routine(_) => {
                let message = format!("\"{}\" is called with parentheses", ident.name);
                let diagnostic = Diagnostic::error(&typing::ARGUMENTS, ident.span, message);
                self.push(diagnostic.help(format!("write {}()", ident.name)));
                self.unknown
            }
            _ => ty,
        }
    }

    fn no_value(&mut self, ident: Ident) -> TypeId {
        let message = format!("\"{}\" is a type and has no value", ident.name);
        self.error(&scope::NOT_A_VALUE, ident.span, message);
        self.unknown
    }

    fn field(&mut self, record: ExprId, field: Ident) -> TypeId {
        let ty = self.infer(record);
        match self.form(ty) {
            Form::Unknown => self.unknown,
            Form::Record(fields) => {
                if let Some((_, ty)) = fields.iter().find(|(name, _)| *name == field.name) {
                    return *ty;
                }
                let names: Vec<&'static str> =
                    fields.iter().map(|(name, _)| name.as_str()).collect();
                let message = format!("{} has no field \"{}\"", self.describe(ty), field.name);
                let mut diagnostic = Diagnostic::error(&scope::UNKNOWN_FIELD, field.span, message);
                diagnostic = match near::nearest(field.name.as_str(), names.iter().copied()) {
                    Some(near) => diagnostic.help(format!("did you mean {near}?")).fix(near),
                    None => diagnostic.help(format!("its fields are {}", names.join(", "))),
                };
                self.push(diagnostic);
                self.unknown
            }
            _ => {
                let message = format!(
                    "\"{}\" is of type {} and has no fields",
                    self.show(record),
                    self.describe(ty)
                );
                self.error(&typing::NOT_A_RECORD, field.span, message);
                self.unknown
            }
        }
    }

    fn index(&mut self, array: ExprId, index: ExprId) -> TypeId {
        let ty = self.infer(array);
        let found = self.infer(index);
        match self.form(ty).clone() {
            Form::Unknown => self.unknown,
            Form::Array(wanted, element) => {
                if !self.fits(wanted, found) {
                    self.mismatch(index, found, wanted, "the index is of type");
                }
                element
            }
            Form::Multiset(_, element) => {
                if !matches!(self.form(found), Form::Element(_) | Form::Unknown) {
                    let message =
                        format!("\"{}\" names no element of a multiset", self.show(index));
                    let diagnostic =
                        Diagnostic::error(&typing::NO_MULTISET, self.span(index), message);
                    self.push(
                        diagnostic.help(
                            "elements are named by choose, multisetcount or multisetremovepred",
                        ),
                    );
                }
                element
            }
            _ => {
                let message = format!(
                    "\"{}\" is of type {} and has no elements",
                    self.show(array),
                    self.describe(ty)
                );
                self.error(&typing::NOT_AN_ARRAY, self.span(array), message);
                self.unknown
            }
        }
    }

    fn call_value(&mut self, id: ExprId, ident: Ident, arguments: &[ExprId]) -> TypeId {
        let Some(routine) = self.call(id, ident, arguments) else {
            return self.unknown;
        };
        match self.out.routines[routine].result {
            Some(ty) => ty,
            None => {
                let message = format!("\"{}\" is a procedure and has no result", ident.name);
                self.error(&typing::NO_RESULT, ident.span, message);
                self.unknown
            }
        }
    }

    /// Checks a call; the routine, if there is one.
    pub(super) fn call(&mut self, id: ExprId, ident: Ident, arguments: &[ExprId]) -> Option<usize> {
        let symbol = self.lookup(ident, Sought::Function);
        let Some(symbol) = symbol else {
            for argument in arguments {
                self.infer(*argument);
            }
            return None;
        };
        self.out.uses[id.index()] = Some(symbol);
        let SymbolKind::Routine(routine) = self.out.symbols[symbol].kind else {
            let message = format!("\"{}\" is no function or procedure", ident.name);
            self.error(&scope::NOT_A_ROUTINE, ident.span, message);
            return None;
        };
        let info = self.out.routines[routine].clone();
        if info.parameters.len() != arguments.len() {
            let (wanted, given) = (info.parameters.len(), arguments.len());
            let message = format!(
                "\"{}\" has {wanted} parameters and is called with {given}",
                ident.name
            );
            let place = self.out.symbols[symbol].span;
            self.push(
                Diagnostic::error(&typing::ARGUMENTS, ident.span, message)
                    .also(place, "declared here"),
            );
        }
        for (argument, parameter) in arguments.iter().zip(&info.parameters) {
            if parameter.is_var {
                self.var_argument(*argument, parameter.ty);
                if info.writes_references {
                    self.note_write(*argument);
                }
            } else {
                let found = self.infer_for(*argument, parameter.ty);
                if !self.fits(parameter.ty, found) {
                    self.mismatch(*argument, found, parameter.ty, "the parameter is of type");
                }
            }
        }
        for argument in arguments.iter().skip(info.parameters.len()) {
            self.infer(*argument);
        }
        if info.writes_globals {
            self.global_write(ident.span);
        }
        Some(routine)
    }

    fn var_argument(&mut self, argument: ExprId, wanted: TypeId) {
        let found = self.infer(argument);
        if *self.form(found) == Form::Unknown {
            return;
        }
        if !self.out.is_designator(self.tree, argument) {
            let message = format!(
                "\"{}\" is no variable and cannot be passed to a var parameter",
                self.show(argument)
            );
            self.error(&typing::VAR_ARGUMENT, self.span(argument), message);
        } else if !self.writable(argument, "passed to a var parameter") {
        } else if !self.same(found, wanted) {
            let (found, wanted) = (self.describe(found), self.describe(wanted));
            let shown = self.show(argument);
            let message = format!(
                "the var parameter is of type {wanted}, and \"{shown}\" is of type {found}"
            );
            self.error(&typing::VAR_ARGUMENT, self.span(argument), message);
        }
    }

    fn conditional(&mut self, id: ExprId, condition: ExprId, yes: ExprId, no: ExprId) -> TypeId {
        self.condition(condition, "the condition of \"? :\"");
        let (first, second) = (self.infer(yes), self.infer(no));
        if !self.fits(first, second) {
            self.mismatch(no, second, first, "the other value is of type");
        }
        let value = self.out.constants[condition.index()]
            .and_then(|value| self.out.constants[if value != 0 { yes } else { no }.index()]);
        let ty = match (self.form(first), self.form(second)) {
            (Form::Unknown, _) => second,
            (_, Form::Unknown) => first,
            _ if self.is_integer(first) && first != second => self.integer,
            (_, Form::Union(_)) => second,
            _ => first,
        };
        self.known(id, ty, value)
    }

    /// An expression that must be true or false.
    pub(super) fn condition(&mut self, expr: ExprId, what: &str) {
        let ty = self.infer(expr);
        self.boolean_of(expr, ty, what);
    }

    pub(super) fn boolean_of(&mut self, expr: ExprId, ty: TypeId, what: &str) {
        if matches!(self.form(ty), Form::Boolean | Form::Unknown) {
            return;
        }
        let message = format!(
            "{what} is a boolean, and \"{}\" is of type {}",
            self.show(expr),
            self.describe(ty)
        );
        let mut diagnostic = Diagnostic::error(&typing::NEEDS_BOOLEAN, self.span(expr), message);
        if self.is_integer(ty) {
            diagnostic = diagnostic.help(format!("compare it: {} != 0", self.show(expr)));
        }
        self.push(diagnostic);
    }

    fn is_undefined(&mut self, place: ExprId) {
        let ty = self.infer(place);
        if *self.form(ty) == Form::Unknown {
            return;
        }
        if !self.out.is_designator(self.tree, place) {
            let message = format!(
                "\"{}\" is no variable and always has a value",
                self.show(place)
            );
            self.error(&typing::NOT_A_DESIGNATOR, self.span(place), message);
        } else if !self.is_simple(ty) {
            let message = format!(
                "isundefined asks for a simple value, and \"{}\" is of type {}",
                self.show(place),
                self.describe(ty)
            );
            self.error(&typing::NOT_SIMPLE, self.span(place), message);
        }
    }

    /// Declares the variable of a loop, quantifier or ruleset. `constant`: its values must be known before the run.
    pub(super) fn binder(&mut self, binder: &Binder, constant: bool) -> TypeId {
        let ty = match &binder.over {
            Over::Type(ty) => {
                let found = self.resolve(*ty);
                let span = self.tree.types[*ty].span;
                self.simple(found, span, "what a variable goes through");
                found
            }
            Over::Range(from, to, by) => {
                let mut bounds = Vec::new();
                for bound in [Some(*from), Some(*to), *by].into_iter().flatten() {
                    if constant {
                        bounds.push(self.constant(bound));
                    } else {
                        self.integer_operand(bound, "to");
                    }
                }
                match bounds[..] {
                    [Some(from), Some(to), ..] => {
                        self.new_type(Form::Range(from.min(to), from.max(to)))
                    }
                    _ => self.integer,
                }
            }
        };
        self.declare(binder.ident, ty, SymbolKind::Bound);
        ty
    }

    /// Declares the name of an element of the multiset at `place`.
    pub(super) fn element_of(&mut self, ident: Ident, place: ExprId) {
        let ty = self.multiset(place);
        let element = if *self.form(ty) == Form::Unknown {
            self.unknown
        } else {
            self.new_type(Form::Element(ty))
        };
        self.declare(ident, element, SymbolKind::Element);
    }

    /// A multiset; the unknown type when it is none, which is reported.
    pub(super) fn multiset(&mut self, place: ExprId) -> TypeId {
        let ty = self.infer(place);
        match self.form(ty) {
            Form::Unknown => ty,
            Form::Multiset(..) if self.out.is_designator(self.tree, place) => ty,
            _ => {
                let message = format!(
                    "\"{}\" is of type {} and no multiset",
                    self.show(place),
                    self.describe(ty)
                );
                self.error(&typing::NO_MULTISET, self.span(place), message);
                self.unknown
            }
        }
    }

    /// Something writes to a variable of the state.
    pub(super) fn global_write(&mut self, span: Span) {
        if let super::Within::Routine(routine) = self.within {
            self.out.routines[routine].writes_globals = true;
        }
        if let Some(what) = self.pure {
            let message = format!("{what} cannot change the state");
            self.error(&typing::SIDE_EFFECT, span, message);
        }
    }
}
