//! Schemas as conjuncts over expressions for their components.
//!
//! Paper: the Z Reference Manual, 3.8. Connectives work on whole predicates, the constraints of declarations included;
//! hidden components range over their types.

use base::{Name, Span, deep};
use lang_math::{Binder, Op, TypeId};
use lang_z::Meaning;
use lang_z::check::schema::{is_after, matches_of};
use lang_z::tree::{Connective, Decl, Quantifier, SchemaOp, TermId, TermKind, Text};
use model::{ExprId, Kind, LocalId, TyId};
use smallvec::smallvec;

use super::predicate::connective_op;
use super::{Env, Lower};

type Components = Vec<(Name, TypeId)>;

impl Lower<'_> {
    /// The components of a schema expression.
    pub(super) fn components(&mut self, term: TermId) -> Option<Components> {
        let components = self
            .checked
            .ty(term)
            .and_then(|ty| self.checked.components(ty));
        if components.is_none() {
            let span = self.span(term);
            self.unsupported(span, "this schema");
        }
        components
    }

    pub(super) fn strokes_of(&self, schema: TermId) -> Name {
        self.checked.strokes_of(schema)
    }

    /// The conjuncts of a schema expression, with these expressions for its components.
    pub(super) fn holds(&mut self, term: TermId, env: &Env, out: &mut Vec<ExprId>) -> Option<()> {
        deep::recurse(|| self.holds_here(term, env, out))
    }

    fn holds_here(&mut self, term: TermId, env: &Env, out: &mut Vec<ExprId>) -> Option<()> {
        let span = self.span(term);
        match &self.checked.tree.terms[term].kind {
            TermKind::Schema(text) => self.text_holds(text, env, out),
            TermKind::Ref(..) => self.named_holds(term, env, out),
            TermKind::Connect(Connective::And, left, right) => {
                self.holds(*left, env, out)?;
                self.holds(*right, env, out)
            }
            TermKind::Connect(connective, left, right) => {
                let (left, right) = (self.closed(*left, env)?, self.closed(*right, env)?);
                let op = connective_op(*connective);
                out.push(self.test(op, smallvec![left, right], span));
                Some(())
            }
            TermKind::Not(inner) => {
                let inner = self.closed(*inner, env)?;
                out.push(self.test(Op::Not, smallvec![inner], span));
                Some(())
            }
            TermKind::Quantify(quantifier, text, body) => {
                self.quantified_schema(*quantifier, text, *body, env, span, out)
            }
            TermKind::Decorate(inner, stroke) => {
                let env = undecorated(env, stroke.as_str());
                self.holds(*inner, &env, out)
            }
            TermKind::Rename(inner, pairs) => {
                let mut inside = Env::default();
                for (name, _) in self.components(*inner)? {
                    let pair = pairs.iter().find(|(_, old)| old.name == name);
                    let outside = pair.map_or(name, |(new, _)| new.name);
                    inside.insert(name, *env.get(&outside)?);
                }
                self.holds(*inner, &inside, out)
            }
            TermKind::Hide(inner, names) => {
                let hidden: Vec<Name> = names.iter().map(|name| name.name).collect();
                self.hidden(*inner, &hidden, env, span, out)
            }
            TermKind::Pre(inner) => {
                let all = self.components(*inner)?;
                let hidden: Vec<Name> = all
                    .iter()
                    .map(|(name, _)| *name)
                    .filter(|n| is_after(*n))
                    .collect();
                self.hidden(*inner, &hidden, env, span, out)
            }
            TermKind::SchemaOp(op, left, right) => {
                self.combined(*op, (*left, *right), env, span, out)
            }
            TermKind::Let(pairs, body) => {
                let predicate = self.definitions(pairs, None, |lower| lower.closed(*body, env))?;
                out.push(predicate);
                Some(())
            }
            TermKind::If(condition, yes, no) => {
                let condition = self.predicate(*condition)?;
                let (yes, no) = (self.closed(*yes, env)?, self.closed(*no, env)?);
                out.push(self.push(Kind::If(condition, yes, no), None, span));
                Some(())
            }
            _ => {
                let set = self.expr(term)?;
                self.in_set(set, env, span, out)
            }
        }
    }

    /// A schema as one predicate, with quantifiers of its own.
    fn closed(&mut self, term: TermId, env: &Env) -> Option<ExprId> {
        let hoisted = self.hoisted.take();
        let mut conjuncts = Vec::new();
        let result = self.holds(term, env, &mut conjuncts);
        self.hoisted = hoisted;
        result?;
        let span = self.span(term);
        Some(self.all(conjuncts, span))
    }

    /// The binding of some expressions is in a set of bindings.
    fn in_set(&mut self, set: ExprId, env: &Env, span: Span, out: &mut Vec<ExprId>) -> Option<()> {
        let element = self.element_of(set)?;
        let model::Ty::Record(fields) = self.model.tys[element].clone() else {
            return None;
        };
        let mut values = Vec::with_capacity(fields.len());
        for (name, _) in fields {
            values.push((name, *env.get(&name)?));
        }
        let binding = self.record(values, span)?;
        out.push(self.test(Op::Member, smallvec![binding, set], span));
        Some(())
    }

    fn text_holds(&mut self, text: &Text, env: &Env, out: &mut Vec<ExprId>) -> Option<()> {
        for decl in &text.decls {
            match decl {
                Decl::Vars(names, set) => {
                    let mut values = Vec::with_capacity(names.len());
                    for name in names {
                        values.push((*env.get(&name.name)?, name.span));
                    }
                    self.are_in(&values, *set, out)?;
                }
                Decl::Define(name, value) => {
                    let value = self.expr(*value)?;
                    let component = *env.get(&name.name)?;
                    self.equation(component, value, name.span, out);
                }
                Decl::Include(schema) => self.holds(*schema, env, out)?,
            }
        }
        if let Some(predicate) = text.predicate {
            self.scopes.push(env.clone());
            let result = self.conjuncts(predicate, out);
            self.scopes.pop();
            result?;
        }
        Some(())
    }

    fn named_holds(&mut self, term: TermId, env: &Env, out: &mut Vec<ExprId>) -> Option<()> {
        let span = self.span(term);
        let TermKind::Ref(_, sets) = &self.checked.tree.terms[term].kind else {
            return None;
        };
        let meaning = self.checked.meanings.get(&term)?.clone();
        let (id, types) = match &meaning {
            Meaning::Local => {
                let set = self.expr(term)?;
                return self.in_set(set, env, span, out);
            }
            Meaning::Global(id, types)
            | Meaning::Decorated(id, types, _)
            | Meaning::Delta(id, types)
            | Meaning::Xi(id, types) => (*id, types.clone()),
        };
        let Some(body) = self.schema_body(id) else {
            let set = self.expr(term)?;
            return self.in_set(set, env, span, out);
        };
        let actual = self.actual(&types, sets)?;
        match meaning {
            Meaning::Decorated(_, _, strokes) => {
                let env = undecorated(env, strokes.as_str());
                self.instantiated(id, actual, span, |lower| lower.holds(body, &env, out))
            }
            Meaning::Delta(..) | Meaning::Xi(..) => {
                let primed = undecorated(env, "'");
                self.instantiated(id, actual, span, |lower| {
                    lower.holds(body, env, out)?;
                    lower.holds(body, &primed, out)?;
                    if matches!(meaning, Meaning::Xi(..)) {
                        for (name, _) in lower.components(body)? {
                            let (after, before) = (*primed.get(&name)?, *env.get(&name)?);
                            lower.equation(after, before, span, out);
                        }
                    }
                    Some(())
                })
            }
            _ => self.instantiated(id, actual, span, |lower| lower.holds(body, env, out)),
        }
    }

    // Seven arguments: the parts of a quantifier, and what every rule for schemas takes.
    fn quantified_schema(
        &mut self,
        quantifier: Quantifier,
        text: &Text,
        body: TermId,
        env: &Env,
        span: Span,
        out: &mut Vec<ExprId>,
    ) -> Option<()> {
        let bound = self.bind_apart(text)?;
        let mut inside = env.clone();
        inside.extend(&bound.env);
        if quantifier == Quantifier::Exists && self.hoisted.is_some() {
            out.extend(&bound.conjuncts);
            if let Some(hoisted) = &mut self.hoisted {
                hoisted.extend(&bound.locals);
            }
            return self.holds(body, &inside, out);
        }
        let body = self.closed(body, &inside)?;
        let predicate = self.quantified(quantifier, bound.locals, bound.conjuncts, body, span)?;
        out.push(predicate);
        Some(())
    }

    /// Fresh names for components, added to what stands for components.
    fn fresh(
        &mut self,
        components: &[(Name, TypeId)],
        env: &mut Env,
        span: Span,
    ) -> Option<(Vec<LocalId>, Vec<ExprId>)> {
        let mut locals = Vec::new();
        let mut conjuncts = Vec::new();
        for (name, ty) in components {
            let ty = self.ty(*ty)?;
            let value = self.unknown(*name, ty, span, &mut locals);
            if self.is_restricted(ty) {
                let set = self.carrier(ty, span)?;
                conjuncts.push(self.test(Op::Member, smallvec![value, set], span));
            }
            env.insert(*name, value);
        }
        Some((locals, conjuncts))
    }

    /// There are values of some locals: at the top of an operation they become its own locals.
    fn exist(
        &mut self,
        locals: Vec<LocalId>,
        mut conjuncts: Vec<ExprId>,
        span: Span,
        out: &mut Vec<ExprId>,
        body: impl FnOnce(&mut Self, &mut Vec<ExprId>) -> Option<()>,
    ) -> Option<()> {
        if let Some(hoisted) = &mut self.hoisted {
            hoisted.extend(locals);
            out.append(&mut conjuncts);
            return body(self, out);
        }
        body(self, &mut conjuncts)?;
        let predicate = self.all(conjuncts, span);
        if locals.is_empty() {
            out.push(predicate);
            return Some(());
        }
        let kind = Kind::Bind {
            binder: Binder::Exists,
            names: locals,
            predicate,
            value: None,
            symbolic: false,
        };
        out.push(self.push(kind, None, span));
        Some(())
    }

    fn hidden(
        &mut self,
        inner: TermId,
        names: &[Name],
        env: &Env,
        span: Span,
        out: &mut Vec<ExprId>,
    ) -> Option<()> {
        let mut hidden = self.components(inner)?;
        hidden.retain(|(name, _)| names.contains(name));
        let mut inside = env.clone();
        let (locals, conjuncts) = self.fresh(&hidden, &mut inside, span)?;
        self.exist(locals, conjuncts, span, out, |lower, out| {
            lower.holds(inner, &inside, out)
        })
    }

    fn combined(
        &mut self,
        op: SchemaOp,
        (left, right): (TermId, TermId),
        env: &Env,
        span: Span,
        out: &mut Vec<ExprId>,
    ) -> Option<()> {
        let (a, b) = (self.components(left)?, self.components(right)?);
        if op == SchemaOp::Project {
            let gone: Components = a
                .into_iter()
                .filter(|(name, _)| !b.iter().any(|(kept, _)| kept == name))
                .collect();
            let mut inside = env.clone();
            let (locals, conjuncts) = self.fresh(&gone, &mut inside, span)?;
            return self.exist(locals, conjuncts, span, out, |lower, out| {
                lower.holds(left, &inside, out)?;
                lower.holds(right, &inside, out)
            });
        }
        let matched = matches_of(op, &a, &b);
        let between: Components = a
            .iter()
            .filter(|(name, _)| matched.iter().any(|(from, _)| from == name))
            .copied()
            .collect();
        let mut first = env.clone();
        let (locals, conjuncts) = self.fresh(&between, &mut first, span)?;
        let mut second = env.clone();
        for (from, to) in matched {
            second.insert(to, *first.get(&from)?);
        }
        self.exist(locals, conjuncts, span, out, |lower, out| {
            lower.holds(left, &first, out)?;
            lower.holds(right, &second, out)
        })
    }

    /// The set of the bindings of a schema.
    pub(super) fn bindings(&mut self, term: TermId, ty: TyId) -> Option<ExprId> {
        let span = self.span(term);
        let model::Ty::Pow(element) = self.model.tys[ty] else {
            return None;
        };
        let binding = self.local(Name::new("b"), element, span);
        let value = self.local_expr(binding);
        let mut env = Env::default();
        let components = self.components(term)?;
        let mut fields = Vec::with_capacity(components.len());
        for (name, ty) in &components {
            let ty = self.ty(*ty)?;
            let field = self.push(Kind::Field(value, *name), Some(ty), span);
            env.insert(*name, field);
            fields.push((*name, ty, field));
        }
        let hoisted = self.hoisted.take();
        let mut conjuncts = Vec::new();
        let result = self.holds(term, &env, &mut conjuncts);
        self.hoisted = hoisted;
        result?;
        // What only says where a component comes from makes the set that is searched.
        let mut sets = Vec::with_capacity(fields.len());
        for (name, ty, field) in fields {
            let range = conjuncts.iter().position(|conjunct| {
                let Kind::Op(Op::Member, args) = &self.model.exprs[*conjunct].kind else {
                    return false;
                };
                args[0] == field && !self.mentions(args[1], &[binding])
            });
            let set = match range {
                Some(position) => {
                    let conjunct = conjuncts.remove(position);
                    let Kind::Op(_, args) = &self.model.exprs[conjunct].kind else {
                        return None;
                    };
                    args[1]
                }
                None => self.carrier(ty, span)?,
            };
            let set = self.restricted(binding, (name, ty), set, &mut conjuncts);
            sets.push((name, set));
        }
        let all = self.push(Kind::Struct(sets), Some(ty), span);
        if conjuncts.is_empty() {
            return Some(all);
        }
        let member = self.test(Op::Member, smallvec![value, all], span);
        conjuncts.insert(0, member);
        let predicate = self.all(conjuncts, span);
        let kind = Kind::Bind {
            binder: Binder::Comprehension,
            names: vec![binding],
            predicate,
            value: None,
            symbolic: false,
        };
        Some(self.push(kind, Some(ty), span))
    }

    /// Whether an expression mentions one of some locals.
    pub(super) fn mentions(&self, expr: ExprId, locals: &[LocalId]) -> bool {
        let mut found = false;
        self.model.walk(expr, &mut |expr| {
            found |= matches!(&expr.kind, Kind::Local(local) if locals.contains(local));
        });
        found
    }
}

/// What stands for the components of a schema that is used with strokes.
fn undecorated(env: &Env, strokes: &str) -> Env {
    env.iter()
        .filter_map(|(name, value)| {
            let base = name.as_str().strip_suffix(strokes)?;
            Some((Name::new(base), *value))
        })
        .collect()
}
