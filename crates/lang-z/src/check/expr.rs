//! Types in expressions.

use base::{Diagnostic, Name, Span, deep, near};
use lang_math::{Type, TypeId};
use rustc_hash::FxHashMap;

use super::{Checker, GlobalId, GlobalKind, Meaning, types};
use crate::codes;
use crate::lex::Dialect;
use crate::lex::token::pop_stroke;
use crate::tree::{Ident, TermId, TermKind};

impl Checker {
    /// The type of an expression.
    pub(super) fn expr(&mut self, term: TermId) -> TypeId {
        let ty = deep::recurse(|| self.expr_here(term));
        self.set_type(term, ty)
    }

    /// The type of the elements of an expression that must be a set.
    pub(super) fn element(&mut self, term: TermId) -> TypeId {
        let ty = self.expr(term);
        let span = self.span(term);
        let element = self.out.types.fresh();
        let set = self.out.types.pow(element);
        if self.out.types.unify(ty, set, span).is_err() {
            let shown = types::show(&self.out.types, ty);
            let message = "a set was expected here";
            let problem = Diagnostic::error(&codes::NOT_A_SET, span, message)
                .note(format!("this has type {shown}"));
            self.report(problem);
            return self.out.types.error();
        }
        element
    }

    /// A name in scope.
    pub(super) fn lookup(&mut self, name: Name) -> Option<TypeId> {
        for scope in self.scopes.iter().rev() {
            if let Some(ty) = scope.get(&name) {
                return Some(*ty);
            }
        }
        let global = self.out.global(name)?;
        Some(self.type_of_global(global))
    }

    // Long: one arm for each kind of term.
    fn expr_here(&mut self, term: TermId) -> TypeId {
        let span = self.span(term);
        match self.out.tree.terms[term].kind.clone() {
            TermKind::Error => self.out.types.error(),
            TermKind::Number(_) => self.out.types.int(),
            TermKind::Ref(name, sets) => self.named(term, name, &sets, span),
            TermKind::Tuple(parts) => {
                let parts: Vec<TypeId> = parts.iter().map(|part| self.expr(*part)).collect();
                types::tuple(&mut self.out.types, &parts)
            }
            TermKind::SetOf(items) => {
                let element = self.same(&items, span, "{}", "set");
                self.out.types.pow(element)
            }
            TermKind::Sequence(items) => {
                let element = self.same(&items, span, "⟨⟩", "sequence");
                self.out.types.sequence(element)
            }
            TermKind::Bag(items) => {
                let element = self.same(&items, span, "⟦⟧", "bag");
                let int = self.out.types.int();
                self.out.types.relation(element, int)
            }
            TermKind::Comprehension(text, value) => {
                let (_, ty) = self.text(&text, |checker, scope| match value {
                    Some(value) => checker.expr(value),
                    None => checker.characteristic(scope, term),
                });
                self.out.types.pow(ty)
            }
            TermKind::Lambda(text, value) => {
                let (_, (left, right)) = self.text(&text, |checker, scope| {
                    (checker.characteristic(scope, term), checker.expr(value))
                });
                self.out.types.relation(left, right)
            }
            TermKind::Mu(text, value) => {
                let (_, ty) = self.text(&text, |checker, scope| match value {
                    Some(value) => checker.expr(value),
                    None => checker.characteristic(scope, term),
                });
                ty
            }
            TermKind::Let(pairs, body) => self.definitions(&pairs, |checker| checker.expr(body)),
            TermKind::If(condition, yes, no) => {
                self.predicate(condition);
                let (a, b) = (self.expr(yes), self.expr(no));
                if self.out.types.unify(a, b, span).is_err() {
                    let message = "the two branches have different types".to_owned();
                    self.mismatch(span, message, ("then", a), ("else", b));
                }
                a
            }
            TermKind::Power(set) => {
                let element = self.element(set);
                let set = self.out.types.pow(element);
                self.out.types.pow(set)
            }
            TermKind::Cross(sets) => {
                let parts: Vec<TypeId> = sets.iter().map(|set| self.element(*set)).collect();
                let tuple = types::tuple(&mut self.out.types, &parts);
                self.out.types.pow(tuple)
            }
            TermKind::Apply(function, argument) => {
                let function = self.expr(function);
                let argument_type = self.expr(argument);
                self.apply(function, argument_type, span, "the function")
            }
            TermKind::Operator(name, _, args) => {
                let function = self.named(term, name.name, &[], name.span);
                let parts: Vec<TypeId> = args.iter().map(|arg| self.expr(*arg)).collect();
                let argument = types::tuple(&mut self.out.types, &parts);
                let word = format!("`{}`", name.name.as_str().replace('_', ""));
                self.apply(function, argument, span, &word)
            }
            TermKind::Image(relation, set) => self.image(relation, set, span),
            TermKind::Iterate(relation, count) => self.iterate(relation, count, span),
            TermKind::Binding(pairs) => {
                let fields = pairs
                    .iter()
                    .map(|(name, value)| (name.name, self.expr(*value)));
                let fields = fields.collect();
                self.out.types.record(fields)
            }
            TermKind::Select(value, name) => self.select(value, name),
            TermKind::Part(value, index, place) => self.part(value, index, place),
            TermKind::Theta(schema, strokes) => self.theta(schema, strokes, span),
            // A predicate in this place was reported by `sort`.
            TermKind::True
            | TermKind::False
            | TermKind::Equal(..)
            | TermKind::Member(..)
            | TermKind::Relation(..)
            | TermKind::Chain(_) => self.out.types.error(),
            _ => self.schema_type(term),
        }
    }

    /// The one type of several items.
    fn same(&mut self, items: &[TermId], span: Span, name: &str, what: &str) -> TypeId {
        let element = self.out.types.fresh();
        if items.is_empty() {
            self.pending.push((element, span, Name::new(name)));
        }
        for item in items {
            let ty = self.expr(*item);
            let place = self.span(*item);
            if self.out.types.unify(element, ty, place).is_err() {
                let message = format!("the members of this {what} have different types");
                self.mismatch(place, message, ("before", element), ("this one", ty));
            }
        }
        element
    }

    pub(super) fn definitions<T>(
        &mut self,
        pairs: &[(Ident, TermId)],
        body: impl FnOnce(&mut Checker) -> T,
    ) -> T {
        let mut scope = FxHashMap::default();
        for (name, value) in pairs {
            let ty = self.expr(*value);
            scope.insert(name.name, ty);
        }
        self.scopes.push(scope);
        let result = body(self);
        self.scopes.pop();
        result
    }

    fn apply(&mut self, function: TypeId, argument: TypeId, span: Span, what: &str) -> TypeId {
        let (from, to) = (self.out.types.fresh(), self.out.types.fresh());
        let relation = self.out.types.relation(from, to);
        if self.out.types.unify(function, relation, span).is_err() {
            if !matches!(self.out.types.get(function), Type::Error) {
                let shown = types::show(&self.out.types, function);
                let message = "this cannot be applied: it is no set of pairs";
                let problem = Diagnostic::error(&codes::NOT_A_FUNCTION, span, message)
                    .note(format!("it has type {shown}"));
                self.report(problem);
            }
            return self.out.types.error();
        }
        if self.out.types.unify(from, argument, span).is_err() {
            let message = format!("the argument of {what} has the wrong type");
            self.mismatch(span, message, ("expected", from), ("found", argument));
        }
        to
    }

    fn image(&mut self, relation: TermId, set: TermId, span: Span) -> TypeId {
        let (relation, set) = (self.expr(relation), self.expr(set));
        let (from, to) = (self.out.types.fresh(), self.out.types.fresh());
        let wanted = self.out.types.relation(from, to);
        if self.out.types.unify(relation, wanted, span).is_err() {
            let message = "an image needs a relation".to_owned();
            self.mismatch(span, message, ("expected", wanted), ("found", relation));
            return self.out.types.error();
        }
        let domain = self.out.types.pow(from);
        if self.out.types.unify(domain, set, span).is_err() {
            let message = "the set does not fit the relation".to_owned();
            self.mismatch(span, message, ("expected", domain), ("found", set));
        }
        self.out.types.pow(to)
    }

    fn iterate(&mut self, relation: TermId, count: TermId, span: Span) -> TypeId {
        let (relation, count) = (self.expr(relation), self.expr(count));
        let element = self.out.types.fresh();
        let wanted = self.out.types.relation(element, element);
        if self.out.types.unify(relation, wanted, span).is_err() {
            let message = "only a relation from a type to itself can be iterated".to_owned();
            self.mismatch(span, message, ("expected", wanted), ("found", relation));
        }
        let int = self.out.types.int();
        if self.out.types.unify(count, int, span).is_err() {
            let message = "the number of iterations is no number".to_owned();
            self.mismatch(span, message, ("expected", int), ("found", count));
        }
        relation
    }

    fn select(&mut self, value: TermId, name: Ident) -> TypeId {
        let ty = self.expr(value);
        match self.out.types.get(ty).clone() {
            Type::Record(fields) if !types::is_tuple(&fields) => {
                if let Some((_, ty)) = fields.iter().find(|(field, _)| *field == name.name) {
                    return *ty;
                }
                let known = fields.iter().map(|(field, _)| field.as_str());
                let near = near::nearest(name.name.as_str(), known).map(str::to_owned);
                let message = format!("there is no component `{}`", name.name);
                let mut problem = Diagnostic::error(&codes::NO_COMPONENT, name.span, message);
                if let Some(near) = near {
                    problem = problem.help(format!("there is `{near}`"));
                }
                self.report(problem);
            }
            Type::Error => {}
            _ => {
                let shown = types::show(&self.out.types, ty);
                let message = format!("this is no binding, so it has no component `{}`", name.name);
                let problem = Diagnostic::error(&codes::NOT_A_BINDING, name.span, message)
                    .note(format!("it has type {shown}"));
                self.report(problem);
            }
        }
        self.out.types.error()
    }

    fn part(&mut self, value: TermId, index: u32, place: Span) -> TypeId {
        let ty = self.expr(value);
        if let Some(parts) = types::parts(&self.out.types, ty) {
            if let Some(part) = (index as usize).checked_sub(1).and_then(|i| parts.get(i)) {
                return *part;
            }
        } else if matches!(self.out.types.get(ty), Type::Error) {
            return ty;
        }
        let shown = types::show(&self.out.types, ty);
        let message = format!("there is no part {index}");
        let problem = Diagnostic::error(&codes::NOT_A_BINDING, place, message)
            .note(format!("this has type {shown}"));
        self.report(problem);
        self.out.types.error()
    }

    fn theta(&mut self, schema: TermId, strokes: Name, span: Span) -> TypeId {
        let Some(components) = self.schema(schema) else {
            return self.out.types.error();
        };
        let mut fields = Vec::new();
        for (name, ty) in components {
            let taken = Name::new(&format!("{name}{strokes}"));
            match self.lookup(taken) {
                Some(found) => {
                    if self.out.types.unify(found, ty, span).is_err() {
                        let message = format!("`{taken}` has another type in this schema");
                        self.mismatch(span, message, ("here", found), ("in the schema", ty));
                    }
                }
                None => {
                    let message = format!("`{taken}` is not in scope here");
                    let problem = Diagnostic::error(&codes::UNDECLARED, span, message)
                        .help("a binding takes its components from the names around it");
                    self.report(problem);
                }
            }
            fields.push((name, ty));
        }
        self.out.types.record(fields)
    }

    /// The type of a name, instantiated; says in `meanings` what it stands for.
    pub(super) fn named(
        &mut self,
        term: TermId,
        name: Name,
        sets: &[TermId],
        span: Span,
    ) -> TypeId {
        if sets.is_empty() {
            for scope in self.scopes.iter().rev() {
                if let Some(ty) = scope.get(&name) {
                    let ty = *ty;
                    self.out.meanings.insert(term, Meaning::Local);
                    return ty;
                }
            }
        }
        if let Some(id) = self.out.global(name) {
            let (ty, parameters) = self.instance(id, sets, span);
            self.out
                .meanings
                .insert(term, Meaning::Global(id, parameters));
            return ty;
        }
        if let Some(ty) = self.derived(term, name, sets, span) {
            return ty;
        }
        for set in sets {
            self.expr(*set);
        }
        if let Some(free) = &mut self.free {
            free.push(Ident { name, span });
            let ty = self.out.types.fresh();
            if let Some(outermost) = self.scopes.first_mut() {
                outermost.insert(name, ty);
            }
            return ty;
        }
        self.undeclared(name, span);
        self.out.types.error()
    }

    /// `S'`, `ΔS`, `ΞS` of a schema `S`.
    fn derived(&mut self, term: TermId, name: Name, sets: &[TermId], span: Span) -> Option<TypeId> {
        let text = name.as_str();
        let delta = text.strip_prefix('Δ').map(|rest| (rest, false));
        let xi = text.strip_prefix('Ξ').map(|rest| (rest, true));
        if let Some((rest, is_xi)) = delta.or(xi)
            && let Some(id) = self.out.global(Name::new(rest))
        {
            let (ty, parameters) = self.instance(id, sets, span);
            let Some(mut components) = self.out.components(ty) else {
                return Some(self.not_a_schema(span, rest, ty));
            };
            let primed: Vec<_> = components
                .iter()
                .map(|(name, ty)| (Name::new(&format!("{name}'")), *ty))
                .collect();
            components.extend(primed);
            let meaning = match is_xi {
                true => Meaning::Xi(id, parameters),
                false => Meaning::Delta(id, parameters),
            };
            self.out.meanings.insert(term, meaning);
            let record = self.out.types.record(components);
            return Some(self.out.types.pow(record));
        }
        let mut base = text;
        while let Some((shorter, _)) = pop_stroke(base) {
            base = shorter;
            let Some(id) = self.out.global(Name::new(base)) else {
                continue;
            };
            let (ty, parameters) = self.instance(id, sets, span);
            let Some(components) = self.out.components(ty) else {
                continue;
            };
            let strokes = &text[base.len()..];
            let decorated = components
                .into_iter()
                .map(|(name, ty)| (Name::new(&format!("{name}{strokes}")), ty))
                .collect();
            let meaning = Meaning::Decorated(id, parameters, Name::new(strokes));
            self.out.meanings.insert(term, meaning);
            let record = self.out.types.record(decorated);
            return Some(self.out.types.pow(record));
        }
        None
    }

    /// The type of a global with its parameters replaced, and what they became.
    fn instance(&mut self, id: GlobalId, sets: &[TermId], span: Span) -> (TypeId, Vec<TypeId>) {
        let ty = self.type_of_global(id);
        let global = &self.out.globals[id];
        let (name, own, kind) = (global.name, global.parameters.clone(), global.kind);
        let actual: Vec<TypeId> = sets.iter().map(|set| self.element(*set)).collect();
        let strict = matches!(kind, GlobalKind::Schema(_)) && self.out.dialect == Dialect::Fuzz;
        if own.is_empty() && actual.is_empty() {
            return (ty, Vec::new());
        }
        if actual.len() != own.len() && (!actual.is_empty() || strict) {
            let message = match own.len() {
                0 => format!("`{name}` has no parameters"),
                n => format!(
                    "`{name}` needs {n} parameter{}, not {}",
                    plural(n),
                    actual.len()
                ),
            };
            self.report(Diagnostic::error(&codes::PARAMETERS, span, message));
            return (self.out.types.error(), Vec::new());
        }
        let parameters: Vec<TypeId> = match actual.is_empty() {
            true => own.iter().map(|_| self.out.types.fresh()).collect(),
            false => actual,
        };
        if sets.is_empty() {
            for parameter in &parameters {
                self.pending.push((*parameter, span, name));
            }
        }
        let pairs: Vec<(Name, TypeId)> = own.into_iter().zip(parameters.iter().copied()).collect();
        let ty = self.out.types.substitute(ty, &|given| {
            let found = pairs.iter().find(|(own, _)| *own == given);
            found.map(|(_, ty)| *ty)
        });
        (ty, parameters)
    }

    fn undeclared(&mut self, name: Name, span: Span) {
        // Nobody would see what is looked for below.
        if self.out.diagnostics.is_full() {
            self.out.diagnostics.drop_error();
            return;
        }
        let shown = name.as_str().replace('_', "");
        let shown = if name.as_str().starts_with('_') || name.as_str().ends_with('_') {
            shown
        } else {
            name.as_str().to_owned()
        };
        let locals = self.scopes.iter().flat_map(|scope| scope.keys());
        let known = locals
            .chain(self.out.names.keys())
            .map(|name| name.as_str());
        let near = near::nearest(name.as_str(), known).map(str::to_owned);
        let message = format!("`{shown}` is not declared");
        let mut problem = Diagnostic::error(&codes::UNDECLARED, span, message);
        if let Some(base) = name.as_str().strip_suffix('\'')
            && self.lookup(Name::new(base)).is_some()
        {
            problem = problem.help(format!(
                "`{base}` is: include the schema of `{base}` primed, or with Δ"
            ));
        } else if let Some(near) = near {
            problem = problem.help(format!("`{near}` is"));
        }
        self.report(problem);
    }

    pub(super) fn not_a_schema(&mut self, span: Span, name: &str, ty: TypeId) -> TypeId {
        if !matches!(self.out.types.get(ty), Type::Error) {
            let shown = types::show(&self.out.types, ty);
            let message = match name.is_empty() {
                true => "this is not a schema".to_owned(),
                false => format!("`{name}` is not a schema"),
            };
            let problem = Diagnostic::error(&codes::NOT_A_SCHEMA, span, message)
                .note(format!("it has type {shown}"));
            self.report(problem);
        }
        self.out.types.error()
    }
}

fn plural(count: usize) -> &'static str {
    if count == 1 { "" } else { "s" }
}
