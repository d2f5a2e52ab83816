//! Infers the types of formulas.
//!
//! Operators are typed by their schemes in `lang_math`; numbers are always integers here. What remains is binding,
//! application, generic constants, and theories.

use base::{Diagnostic, Diagnostics, Name, Span, deep};
use lang_math::query::Typing;
use lang_math::scheme::{Instance, Term, scheme};
use lang_math::{Binder, Binding, ExprId, ExprKind, Op, Sort, TypeId};
use rustc_hash::FxHashMap;

use super::components::Scope;
use super::{DeclId, DeclKind, World};
use crate::codes;
use crate::print::types as show;
use crate::syntax::Project;

/// Types formulas in one scope.
pub(super) struct Typer<'a> {
    pub(super) project: &'a Project,
    pub(super) world: &'a mut World,
    scope: &'a Scope,
    diagnostics: &'a mut Diagnostics,
    locals: FxHashMap<Name, Vec<DeclId>>,
    /// Whether variables of refined machines that are not kept are visible.
    pub(super) sees_hidden: bool,
    /// Whether `x'` is visible.
    pub(super) sees_primes: bool,
    /// Whether `x$0` is visible.
    pub(super) sees_before: bool,
    /// Whether the formula comes from outside: elements of sets have names `S1`, `S2`, …
    pub(super) is_query: bool,
}

impl<'a> Typer<'a> {
    pub(super) fn new(
        project: &'a Project,
        world: &'a mut World,
        scope: &'a Scope,
        diagnostics: &'a mut Diagnostics,
    ) -> Typer<'a> {
        Typer {
            project,
            world,
            scope,
            diagnostics,
            locals: FxHashMap::default(),
            sees_hidden: false,
            sees_primes: false,
            sees_before: false,
            is_query: false,
        }
    }

    pub(super) fn kind(&self, id: ExprId) -> &'a ExprKind {
        self.project.exprs.kind(id)
    }

    fn span(&self, id: ExprId) -> Span {
        self.project.exprs.span(id)
    }

    fn report(&mut self, error: Diagnostic) {
        if self.diagnostics.is_full() {
            self.diagnostics.drop_error();
        } else {
            self.diagnostics.push(error);
        }
    }

    /// Types a formula of either sort.
    pub(super) fn either(&mut self, id: ExprId) -> Sort {
        match self.project.exprs.sort(id) {
            Some(Sort::Predicate) => {
                self.predicate(id);
                Sort::Predicate
            }
            _ => {
                self.infer(id);
                Sort::Expression
            }
        }
    }

    /// Types a predicate.
    pub(super) fn predicate(&mut self, id: ExprId) {
        deep::recurse(|| self.predicate_here(id));
    }

    fn predicate_here(&mut self, id: ExprId) {
        match self.kind(id) {
            ExprKind::Error => {}
            ExprKind::Op(op, args) if op.sort() == Sort::Predicate => {
                self.operator(id, *op, args);
            }
            ExprKind::Bind {
                binder: Binder::Forall | Binder::Exists,
                names,
                predicate,
                ..
            } => {
                let bound = self.bind(names);
                self.predicate(*predicate);
                self.release(names);
                self.binders(id, bound);
            }
            ExprKind::Labelled(_, inner) | ExprKind::Described(inner, _) => self.predicate(*inner),
            ExprKind::External(name, args) => {
                if self.extended(id, *name, args).is_some() {
                    self.wrong_sort(id, Sort::Predicate);
                }
            }
            ExprKind::If {
                branches,
                otherwise,
            } => {
                for (condition, result) in branches {
                    self.predicate(*condition);
                    self.predicate(*result);
                }
                self.predicate(*otherwise);
            }
            _ => {
                self.infer(id);
                self.wrong_sort(id, Sort::Predicate);
            }
        }
    }

    fn wrong_sort(&mut self, id: ExprId, wanted: Sort) {
        let (found, help) = match wanted {
            Sort::Expression => (Sort::Predicate, "`bool(P)` turns a predicate into a value"),
            Sort::Predicate => (
                Sort::Expression,
                "`E = TRUE` turns a boolean value into a predicate",
            ),
        };
        let message = format!(
            "{} is needed here, but this is {}",
            wanted.with_article(),
            found.with_article()
        );
        let error = Diagnostic::error(&codes::WRONG_SORT, self.span(id), message).help(help);
        self.report(error);
    }

    /// An operator of a theory that is not known.
    pub(super) fn theory(&mut self, id: ExprId, name: Name) {
        let message = format!("operator `{name}` of a theory is not supported");
        let error = Diagnostic::error(&codes::THEORY, self.span(id), message);
        self.report(error);
    }

    /// Infers the type of an expression.
    pub(super) fn infer(&mut self, id: ExprId) -> TypeId {
        let ty = deep::recurse(|| self.infer_here(id));
        self.world.types_of[id.index()] = Some(ty);
        ty
    }

    fn infer_here(&mut self, id: ExprId) -> TypeId {
        let error = self.world.types.error();
        match self.kind(id) {
            ExprKind::Int(_) => self.world.types.int(),
            ExprKind::Name(name) => self.name(id, *name),
            ExprKind::Before(name) => {
                if !self.sees_before {
                    let message = format!("`{name}$0` has no meaning here");
                    let error = Diagnostic::error(&codes::UNKNOWN_NAME, self.span(id), message)
                        .help("`x$0` belongs into predicates about a step");
                    self.report(error);
                }
                self.name(id, *name)
            }
            ExprKind::Op(Op::Identity, args) if args.is_empty() => {
                let element = self.world.types.fresh();
                self.world.types.relation(element, element)
            }
            ExprKind::Op(op, args) => match self.operator(id, *op, args) {
                Some(ty) => ty,
                None => {
                    self.wrong_sort(id, Sort::Expression);
                    error
                }
            },
            ExprKind::Apply(function, args) => self.apply(*function, args),
            ExprKind::Bind {
                binder,
                names,
                predicate,
                value,
                ..
            } => self.binder(id, *binder, names, *predicate, *value),
            ExprKind::Labelled(_, inner) | ExprKind::Described(inner, _) => self.infer(*inner),
            ExprKind::External(name, args) => match self.extended(id, *name, args) {
                Some(ty) => ty,
                None => {
                    self.wrong_sort(id, Sort::Expression);
                    error
                }
            },
            ExprKind::If {
                branches,
                otherwise,
            } => {
                let ty = self.infer(*otherwise);
                for (condition, result) in branches {
                    self.predicate(*condition);
                    let found = self.infer(*result);
                    self.fit(*result, found, ty, id);
                }
                ty
            }
            _ => error,
        }
    }

    fn name(&mut self, id: ExprId, name: Name) -> TypeId {
        match self.lookup(name) {
            Some(decl) => {
                self.world.meanings[id.index()] = Some(decl);
                self.world.decls[decl].ty
            }
            None => {
                if self.is_query
                    && let Some(element) = self.scope.element(self.world, name)
                {
                    return element;
                }
                self.unknown(id, name);
                self.world.types.error()
            }
        }
    }

    fn lookup(&mut self, name: Name) -> Option<DeclId> {
        if let Some(decl) = self.locals.get(&name).and_then(|stack| stack.last()) {
            return Some(*decl);
        }
        if let Some(decl) = self.scope.names.get(&name) {
            return Some(*decl);
        }
        if self.project.type_names.contains(&name) {
            return Some(self.type_set(name));
        }
        if self.sees_primes
            && let Some(base) = name.as_str().strip_suffix('\'')
        {
            let base = Name::new(base);
            let names = self.scope.names.get(&base).copied();
            let hidden = self.scope.hidden.get(&base).copied();
            let variable = names
                .filter(|decl| self.world.decls[*decl].kind == DeclKind::Variable)
                .or(hidden.filter(|_| self.sees_hidden));
            return variable.map(|variable| self.world.after(variable));
        }
        let hidden = self.scope.hidden.get(&name).copied();
        hidden.filter(|_| self.sees_hidden)
    }

    /// The declaration of a type parameter of one use of a definition.
    fn type_set(&mut self, name: Name) -> DeclId {
        if let Some(known) = self.world.type_sets.get(&name) {
            return *known;
        }
        let element = self.world.types.fresh();
        let ty = self.world.types.pow(element);
        let span = self.project.exprs.span(ExprId::new(0));
        let decl = self.world.declare(name, DeclKind::Type, ty, span);
        self.world.type_sets.insert(name, decl);
        decl
    }

    fn unknown(&mut self, id: ExprId, name: Name) {
        let message = format!("`{name}` is not declared");
        let mut error = Diagnostic::error(&codes::UNKNOWN_NAME, self.span(id), message);
        if self.scope.hidden.contains_key(&name) {
            error =
                error.help("it is a variable of a refined machine that this machine does not keep");
        } else {
            let names = self.scope.names.keys().map(|name| name.as_str());
            if let Some(near) = base::near::nearest(name.as_str(), names) {
                error = error.help(format!("did you mean `{near}`?")).fix(near);
            }
        }
        self.report(error);
    }

    /// The type of the result of an operator; `None` for a predicate.
    fn operator(&mut self, id: ExprId, op: Op, args: &[ExprId]) -> Option<TypeId> {
        if op == Op::Times {
            let int = self.world.types.int();
            for arg in args {
                let found = self.infer(*arg);
                self.fit(*arg, found, int, id);
            }
            return Some(int);
        }
        let scheme = scheme(op);
        let mut instance = Instance::default();
        for (position, arg) in args.iter().enumerate() {
            let formal = if scheme.variadic { 0 } else { position };
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
            self.world.types.default_classes(expected);
            self.fit(*arg, found, expected, id);
        }
        let result = scheme.result.as_ref()?;
        let result = instance.instantiate(result, &mut self.world.types)?;
        self.world.types.default_classes(result);
        Some(result)
    }

    /// Makes a type fit what is expected at an operand of `around`.
    pub(super) fn fit(&mut self, at: ExprId, found: TypeId, expected: TypeId, around: ExprId) {
        let span = self.span(at);
        if self.world.types.unify(found, expected, span).is_err() {
            let types = &self.world.types;
            let message = format!(
                "this has type {}, but {} is needed here",
                show(types, found),
                show(types, expected)
            );
            let error = Diagnostic::error(&codes::TYPE_MISMATCH, span, message)
                .also(self.span(around), "in this formula");
            self.report(error);
            self.world.types.close(found);
            self.world.types.close(expected);
        }
    }

    fn apply(&mut self, function: ExprId, args: &[ExprId]) -> TypeId {
        let found = self.infer(function);
        let (domain, range) = (self.world.types.fresh(), self.world.types.fresh());
        let relation = self.world.types.relation(domain, range);
        let span = self.span(function);
        if self.world.types.unify(found, relation, span).is_err() {
            let shown = show(&self.world.types, found);
            let message = format!("this is applied like a function, but has type {shown}");
            self.report(Diagnostic::error(&codes::TYPE_MISMATCH, span, message));
            self.world.types.close(relation);
        }
        for arg in args {
            let found = self.infer(*arg);
            self.fit(*arg, found, domain, function);
        }
        range
    }

    fn bind(&mut self, names: &[Binding]) -> Vec<DeclId> {
        let mut bound = Vec::with_capacity(names.len());
        for binding in names {
            let ty = self.world.types.fresh();
            let decl = self
                .world
                .declare(binding.name, DeclKind::Bound, ty, binding.span);
            self.locals.entry(binding.name).or_default().push(decl);
            bound.push(decl);
        }
        bound
    }

    /// Declares the names that a formula from outside has of its own.
    pub(super) fn own_names(&mut self, names: &[(Binding, Typing<ExprId, TypeId>)]) -> Vec<DeclId> {
        let mut own = Vec::with_capacity(names.len());
        for (binding, typing) in names {
            let bound = self.bind(&[*binding]);
            match *typing {
                Typing::Is(expected) => {
                    for decl in &bound {
                        self.world.decls[*decl].ty = expected;
                    }
                }
                Typing::By(predicate) => self.predicate(predicate),
                Typing::Inferred => {}
            }
            own.extend(bound);
        }
        own
    }

    /// Makes an expression fit a type that somebody outside needs.
    pub(super) fn expect(&mut self, id: ExprId, expected: TypeId) {
        if let Some(found) = self.world.types_of[id.index()] {
            self.fit(id, found, expected, id);
        }
    }

    fn release(&mut self, names: &[Binding]) {
        for binding in names {
            if let Some(stack) = self.locals.get_mut(&binding.name) {
                stack.pop();
            }
        }
    }

    /// Remembers what a node binds.
    fn binders(&mut self, id: ExprId, bound: Vec<DeclId>) {
        self.world.binders.insert(id, bound);
    }

    fn binder(
        &mut self,
        id: ExprId,
        binder: Binder,
        names: &[Binding],
        predicate: ExprId,
        value: Option<ExprId>,
    ) -> TypeId {
        let bound = self.bind(names);
        self.predicate(predicate);
        let value_type = value.map(|value| self.infer(value));
        self.release(names);
        let mut tuple: Option<TypeId> = None;
        for decl in &bound {
            let ty = self.world.decls[*decl].ty;
            tuple = Some(match tuple {
                None => ty,
                Some(left) => self.world.types.prod(left, ty),
            });
        }
        self.binders(id, bound);
        let error = self.world.types.error();
        let (tuple, value_type) = (tuple.unwrap_or(error), value_type.unwrap_or(error));
        match binder {
            Binder::Comprehension => self.world.types.pow(tuple),
            Binder::Image => self.world.types.pow(value_type),
            Binder::Lambda => self.world.types.relation(tuple, value_type),
            Binder::Union | Binder::Inter => {
                let element = self.world.types.fresh();
                let set = self.world.types.pow(element);
                if let Some(value) = value {
                    self.fit(value, value_type, set, id);
                }
                set
            }
            Binder::Forall | Binder::Exists => {
                self.wrong_sort(id, Sort::Expression);
                error
            }
            Binder::Sum | Binder::Product => self.world.types.int(),
        }
    }

    /// A value for a variable.
    pub(super) fn assignable(&mut self, value: ExprId, found: TypeId, target: DeclId) {
        let expected = self.world.decls[target].ty;
        self.fit(value, found, expected, value);
    }

    /// A set of values for variables.
    pub(super) fn element_of(&mut self, set: ExprId, found: TypeId, targets: &[DeclId]) {
        let mut tuple: Option<TypeId> = None;
        for target in targets {
            let ty = self.world.decls[*target].ty;
            tuple = Some(match tuple {
                None => ty,
                Some(left) => self.world.types.prod(left, ty),
            });
        }
        if let Some(element) = tuple {
            let expected = self.world.types.pow(element);
            self.fit(set, found, expected, set);
        }
    }
}
