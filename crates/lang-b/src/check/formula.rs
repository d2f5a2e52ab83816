//! Infers the types of expressions and predicates.
//!
//! Operators are typed by their scheme in the operator table; what remains here is binding, application,
//! records, and the operator `*`, whose meaning depends on types that may become known only later. Such
//! questions wait in a list that is asked again until nothing changes.

use base::{Diagnostic, Name, Span, deep};
use lang_math::scheme::{Instance, Term, scheme};
use lang_math::types::VarClass;
use lang_math::{Binder, Binding, ExprId, ExprKind, Field, Op, Sort, TemplatePart, Type, TypeId};
use rustc_hash::FxHashMap;

use super::machine::Checker;
use super::pending::Pending;
use super::report::Because;
use super::scope::{DeclId, DeclKind, Region, Via};
use crate::codes::{scope as names, typing as codes};
use crate::expand::ExternalKind;

impl<'a> Checker<'a> {
    pub(super) fn kind(&self, id: ExprId) -> &'a ExprKind {
        self.component.tree.exprs.kind(id)
    }

    pub(super) fn span(&self, id: ExprId) -> Span {
        self.component.tree.exprs.span(id)
    }

    pub(super) fn type_of(&self, id: ExprId) -> TypeId {
        self.types[id.index()].unwrap_or(self.world.types.error())
    }

    /// Infers the type of an expression.
    pub(super) fn infer(&mut self, id: ExprId) -> TypeId {
        let ty = deep::recurse(|| self.infer_here(id));
        self.types[id.index()] = Some(ty);
        ty
    }

    pub(super) fn infer_here(&mut self, id: ExprId) -> TypeId {
        let error = self.world.types.error();
        match *self.kind(id) {
            ExprKind::Error => error,
            ExprKind::Int(_) => self.world.types.int(),
            ExprKind::Real(_) => self.world.types.real(),
            ExprKind::Str(_) => self.world.types.string(),
            ExprKind::Template(ref parts) => {
                for part in parts {
                    if let TemplatePart::Value(value, _) = part {
                        self.infer(*value);
                    }
                }
                self.world.types.string()
            }
            ExprKind::Name(name) => self.name(id, name),
            ExprKind::Before(name) => self.value_before(id, name),
            ExprKind::Op(op, ref args) => match self.operator(id, op, args) {
                Some(ty) => ty,
                None => {
                    self.wrong_sort(id, Sort::Expression);
                    error
                }
            },
            ExprKind::Apply(function, ref args) => self.apply(id, function, args),
            ExprKind::External(name, ref args) => self.external_value(id, name, args),
            ExprKind::Bind {
                binder,
                ref names,
                predicate,
                value,
                ..
            } => self.binder(id, binder, names, predicate, value),
            ExprKind::Record(ref fields) => {
                let fields = self.fields(id, fields, |checker, value| checker.infer(value));
                self.world.types.record(fields)
            }
            ExprKind::Struct(ref fields) => self.set_of_records(id, fields),
            ExprKind::Field(record, field) => {
                self.infer(record);
                let result = self.world.types.fresh();
                self.ask(Pending::Field {
                    at: id,
                    record,
                    field,
                    result,
                });
                result
            }
            ExprKind::If {
                ref branches,
                otherwise,
            } => self.conditional(branches, otherwise),
            ExprKind::Let {
                ref names,
                equations,
                body,
            } => {
                self.let_equations(id, names, equations, true);
                let ty = self.infer(body);
                self.release(names);
                ty
            }
            ExprKind::Described(inner, _) => self.infer(inner),
            ExprKind::Labelled(..) | ExprKind::After { .. } => {
                self.predicate(id);
                self.wrong_sort(id, Sort::Expression);
                error
            }
        }
    }

    fn conditional(&mut self, branches: &[(ExprId, ExprId)], otherwise: ExprId) -> TypeId {
        let mut first: Option<ExprId> = None;
        let results = branches
            .iter()
            .map(|(_, result)| *result)
            .chain([otherwise]);
        for (condition, _) in branches {
            self.predicate(*condition);
        }
        let ty = self.world.types.fresh();
        for result in results {
            let found = self.infer(result);
            let because = first.map(|first| Because::Type(self.span(first), self.type_of(first)));
            self.fit(result, found, ty, because);
            first = first.or(Some(result));
        }
        ty
    }

    fn set_of_records(&mut self, id: ExprId, fields: &[Field]) -> TypeId {
        let fields = self.fields(id, fields, |checker, value| {
            let element = checker.world.types.fresh();
            let set = checker.world.types.pow(element);
            let found = checker.infer(value);
            checker.fit(value, found, set, None);
            element
        });
        let record = self.world.types.record(fields);
        self.world.types.pow(record)
    }

    fn external_value(&mut self, id: ExprId, name: Name, args: &[ExprId]) -> TypeId {
        let is_predicate = self.is_external(name, ExternalKind::Predicate);
        match self.external(id, name, args) {
            Some(ty) => ty,
            None => {
                if is_predicate {
                    self.wrong_sort(id, Sort::Expression);
                }
                self.world.types.error()
            }
        }
    }

    /// `name$0`, where it has a meaning.
    fn value_before(&mut self, id: ExprId, name: Name) -> TypeId {
        if self.before == 0 && self.region != Region::Query {
            let misplaced = Diagnostic::error(
                &names::BEFORE_MISPLACED,
                self.span(id),
                format!("`{name}$0` has no meaning here"),
            )
            .help(format!(
                "`{name}$0` belongs into `{name} : (P)` or a loop invariant"
            ));
            self.report(id, misplaced);
        }
        self.name(id, name)
    }

    /// The declaration of a name that may be used here.
    pub(super) fn lookup(&self, name: Name) -> Option<DeclId> {
        self.scope
            .local(name)
            .or_else(|| self.scope.globals.get(&name).map(|global| global.decl))
    }

    pub(super) fn name(&mut self, id: ExprId, name: Name) -> TypeId {
        let error = self.world.types.error();
        if let Some(decl) = self.scope.local(name) {
            self.meanings[id.index()] = Some(decl);
            return self.world.decls[decl].ty;
        }
        let Some(global) = self.scope.globals.get(&name).copied() else {
            if self.region == Region::Query
                && let Some(ty) = self.scope.unnamed_element(name, self.world)
            {
                return ty;
            }
            if self.operations.contains_key(&name)
                && self.preferences.operation_calls_in_expressions
            {
                return self.call_in_expression(id, name, &[]);
            }
            self.unknown_name(id, name);
            return error;
        };
        let decl = &self.world.decls[global.decl];
        let (kind, ty) = (decl.kind, decl.ty);
        if matches!(self.world.types.get(ty), Type::Error) {
            // Its declaration was reported.
        } else if !self.region.sees(kind, global.via) {
            self.hidden_name(id, name, global.decl, global.via);
            return error;
        } else if self.region == Region::Invariant
            && matches!(kind, DeclKind::Variable(_))
            && global.via == Via::Link(crate::syntax::Link::Sees)
        {
            let warning = Diagnostic::warning(
                &names::SEEN_ASSIGNED,
                self.span(id),
                format!("seen variable `{name}` is used in the INVARIANT"),
            )
            .help("SEES allows this in operations only: USES or INCLUDES would fit");
            self.report(id, warning);
        }
        self.meanings[id.index()] = Some(global.decl);
        ty
    }

    /// Types an operator with its operands; `None` for predicates.
    pub(super) fn operator(&mut self, id: ExprId, op: Op, args: &[ExprId]) -> Option<TypeId> {
        if op == Op::Times {
            let result = self.world.types.fresh();
            for arg in args {
                self.infer(*arg);
            }
            self.ask(Pending::Times {
                at: id,
                left: args[0],
                right: args[1],
                result,
            });
            return Some(result);
        }
        let scheme = scheme(op);
        let mut instance = Instance::default();
        self.around.push(id);
        let mut fits = true;
        for (i, arg) in args.iter().enumerate() {
            let formal = if scheme.variadic { 0 } else { i };
            let Some(formal) = scheme.arguments.get(formal) else {
                break;
            };
            if *formal == Term::Predicate {
                self.predicate(*arg);
                continue;
            }
            let found = self.infer(*arg);
            if instance.take(formal, found, &self.world.types) {
                continue;
            }
            let expected = instance.instantiate(formal, &mut self.world.types)?;
            let before = if scheme.variadic {
                0
            } else {
                i.saturating_sub(1)
            };
            let because = (i > 0).then(|| Because::Operand(args[before]));
            fits &= self.fit(*arg, found, expected, because);
        }
        self.around.pop();
        let result = scheme.result.as_ref()?;
        if scheme.variadic && !fits {
            // The elements differ: no expectation on the whole can be trusted.
            return Some(self.world.types.error());
        }
        instance.instantiate(result, &mut self.world.types)
    }

    pub(super) fn apply(&mut self, id: ExprId, function: ExprId, args: &[ExprId]) -> TypeId {
        if let ExprKind::Name(name) = *self.kind(function)
            && self.lookup(name).is_none()
            && self.operations.contains_key(&name)
            && self.preferences.operation_calls_in_expressions
        {
            return self.call_in_expression(id, name, args);
        }
        let function_type = self.infer(function);
        let (domain, range) = (self.world.types.fresh(), self.world.types.fresh());
        let relation = self.world.types.relation(domain, range);
        let span = self.span(function);
        if self
            .world
            .types
            .unify(function_type, relation, span)
            .is_err()
        {
            for arg in args {
                self.infer(*arg);
            }
            if self.diagnostics.is_full() {
                self.diagnostics.drop_error();
                return self.world.types.error();
            }
            let shown = self.world.types.show(function_type);
            let error = Diagnostic::error(
                &codes::NOT_A_FUNCTION,
                span,
                format!("type mismatch: this has type {shown}, which is not a function"),
            )
            .help("`f(x)` applies a function f : S +-> T");
            self.report(function, error);
            return self.world.types.error();
        }
        self.fit_tuple(args, domain, Some((span, function_type)));
        range
    }

    /// Makes `args`, taken as a left-nested tuple, fit `expected`, argument by argument where possible.
    pub(super) fn fit_tuple(
        &mut self,
        args: &[ExprId],
        expected: TypeId,
        function: Option<(Span, TypeId)>,
    ) {
        let Some((last, init)) = args.split_last() else {
            return;
        };
        if init.is_empty() {
            let found = self.infer(*last);
            let because = function.map(|(span, ty)| Because::Type(span, ty));
            self.fit(*last, found, expected, because);
            return;
        }
        let (left, right) = (self.world.types.fresh(), self.world.types.fresh());
        let pair = self.world.types.prod(left, right);
        let span = self.span(*last);
        if self.world.types.unify(expected, pair, span).is_err() {
            for arg in args {
                self.infer(*arg);
            }
            let error = Diagnostic::error(
                &codes::MISMATCH,
                span,
                format!(
                    "type mismatch: {} arguments are given where one of type {} is expected",
                    args.len(),
                    self.world.types.show(expected)
                ),
            );
            let error = match function {
                Some((span, ty)) => error.also(span, self.has_type(ty)),
                None => error,
            };
            self.report(*last, error);
            return;
        }
        deep::recurse(|| self.fit_tuple(init, left, function));
        let found = self.infer(*last);
        let because = function.map(|(span, ty)| Because::Type(span, ty));
        self.fit(*last, found, right, because);
    }

    pub(super) fn binder(
        &mut self,
        id: ExprId,
        binder: Binder,
        names: &[Binding],
        predicate: ExprId,
        value: Option<ExprId>,
    ) -> TypeId {
        if matches!(binder, Binder::Forall | Binder::Exists) {
            self.predicate(id);
            self.wrong_sort(id, Sort::Expression);
            return self.world.types.error();
        }
        let bound = self.bind(names, DeclKind::Bound);
        self.predicate(predicate);
        let value_type = value.map(|value| (value, self.infer(value)));
        self.release(names);
        let mut tuple = None;
        for decl in &bound {
            let ty = self.world.decls[*decl].ty;
            tuple = Some(match tuple {
                None => ty,
                Some(left) => self.world.types.prod(left, ty),
            });
        }
        let tuple = tuple.unwrap_or(self.world.types.error());
        self.binders.insert(id, bound);
        match (binder, value_type) {
            (Binder::Lambda, Some((_, ty))) => self.world.types.relation(tuple, ty),
            (Binder::Image, Some((_, ty))) => self.world.types.pow(ty),
            (Binder::Sum | Binder::Product, Some((value, ty))) => {
                let number = self.world.types.fresh_of(VarClass::Number);
                self.fit(value, ty, number, None);
                ty
            }
            (Binder::Union | Binder::Inter, Some((value, ty))) => {
                let set = self.world.types.fresh_of(VarClass::Set);
                self.fit(value, ty, set, None);
                ty
            }
            _ => self.world.types.pow(tuple),
        }
    }

    pub(super) fn fields(
        &mut self,
        id: ExprId,
        fields: &[Field],
        mut type_of: impl FnMut(&mut Self, ExprId) -> TypeId,
    ) -> Vec<(Name, TypeId)> {
        let mut seen: FxHashMap<Name, Span> = FxHashMap::default();
        let mut found = Vec::with_capacity(fields.len());
        for field in fields {
            let ty = type_of(self, field.value);
            let first = *seen.entry(field.name).or_insert(field.span);
            if first == field.span {
                found.push((field.name, ty));
            } else {
                let error = Diagnostic::error(
                    &codes::DUPLICATE_FIELD,
                    field.span,
                    format!("field `{}` occurs twice", field.name),
                )
                .also(first, "first here");
                self.report(id, error);
            }
        }
        found
    }
}
