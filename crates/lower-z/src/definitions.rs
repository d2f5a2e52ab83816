//! Generic constants: the definition that a generic box gives of its name.
//!
//! Three forms are put in the place of the name: `f = E`; `∀ x : S ⦁ f x = E`, which is `λ x : S ⦁ E`; and
//! `∀ x : S; y : T ⦁ x R y ⇔ P`, which is the set of pairs with `P`. Any other predicate describes the one value that
//! satisfies it, if there is one.

use base::{Name, Span};
use lang_math::{Binder, Op};
use lang_z::tree::{Connective, Decl, Quantifier, TermId, TermKind, Text};
use model::{ExprId, Kind};
use smallvec::smallvec;

use super::{Env, Lower};

impl Lower<'_> {
    /// The value of a constant of a generic box; its parameters are in scope.
    pub(super) fn generic_constant(
        &mut self,
        name: Name,
        text: &Text,
        span: Span,
    ) -> Option<ExprId> {
        if let Some(predicate) = text.predicate {
            for conjunct in self.written_conjuncts(predicate) {
                if let Some(value) = self.definition(conjunct, name) {
                    return value;
                }
            }
        }
        self.described(name, text, span)
    }

    /// The conjuncts of a predicate as they were written.
    pub(super) fn written_conjuncts(&self, predicate: TermId) -> Vec<TermId> {
        let mut found = Vec::new();
        let mut pending = vec![predicate];
        while let Some(term) = pending.pop() {
            match &self.checked.tree.terms[term].kind {
                TermKind::Connect(Connective::And, left, right) => pending.extend([*right, *left]),
                _ => found.push(term),
            }
        }
        found
    }

    /// The value that a conjunct gives to a name, if it defines it.
    fn definition(&mut self, conjunct: TermId, name: Name) -> Option<Option<ExprId>> {
        match &self.checked.tree.terms[conjunct].kind {
            TermKind::Equal(left, right) if self.is_named(*left, name) => Some(self.expr(*right)),
            TermKind::Quantify(Quantifier::Forall, text, body) => {
                for part in self.written_conjuncts(*body) {
                    if let Some(found) = self.defined_at(name, text, part) {
                        return Some(found);
                    }
                }
                None
            }
            _ => None,
        }
    }

    /// `f x = E` or `x R y ⇔ P` for all values of some variables.
    fn defined_at(&mut self, name: Name, text: &Text, body: TermId) -> Option<Option<ExprId>> {
        let span = self.span(body);
        let (args, right, is_relation) = match &self.checked.tree.terms[body].kind {
            TermKind::Equal(left, right) => (self.arguments(*left, name)?, *right, false),
            TermKind::Connect(Connective::Iff, left, right) => {
                match &self.checked.tree.terms[*left].kind {
                    TermKind::Relation(known, _, args) if known.name == name => {
                        (args.clone(), *right, true)
                    }
                    _ => return None,
                }
            }
            _ => return None,
        };
        let names = self.variables(&args)?;
        let declared: Vec<Name> = text
            .decls
            .iter()
            .flat_map(|decl| match decl {
                Decl::Vars(names, _) => names.iter().map(|name| name.name).collect(),
                _ => Vec::new(),
            })
            .collect();
        let plain = text.decls.iter().all(|decl| matches!(decl, Decl::Vars(..)));
        let mut sorted = (names.clone(), declared.clone());
        sorted.0.sort();
        sorted.1.sort();
        if !plain || sorted.0 != sorted.1 {
            return None;
        }
        Some(self.graph(text, &names, right, is_relation, span))
    }

    fn graph(
        &mut self,
        text: &Text,
        names: &[Name],
        right: TermId,
        is_relation: bool,
        span: Span,
    ) -> Option<ExprId> {
        let mut bound = self.bind(text)?;
        let mut values = Vec::with_capacity(names.len());
        let mut locals = Vec::with_capacity(names.len());
        for name in names {
            let value = *bound.env.get(name)?;
            values.push(value);
            if let Kind::Local(local) = self.model.exprs[value].kind {
                locals.push(local);
            }
        }
        let tuple = self.tuple(&values, span)?;
        let (binder, value, element) = if is_relation {
            let holds = self.within(&bound, |lower| lower.predicate(right))?;
            bound.conjuncts.push(holds);
            (Binder::Comprehension, None, self.ty_of(tuple)?)
        } else {
            let value = self.within(&bound, |lower| lower.expr(right))?;
            let (from, to) = (self.ty_of(tuple)?, self.ty_of(value)?);
            (Binder::Lambda, Some(value), self.pair_of(from, to))
        };
        let ty = self.set_of(element);
        let predicate = self.all(bound.conjuncts, span);
        let kind = Kind::Bind {
            binder,
            names: locals,
            predicate,
            value,
            symbolic: false,
        };
        Some(self.push(kind, Some(ty), span))
    }

    /// The arguments to which a name is applied.
    fn arguments(&self, term: TermId, name: Name) -> Option<Vec<TermId>> {
        match &self.checked.tree.terms[term].kind {
            TermKind::Operator(known, _, args) if known.name == name => Some(args.clone()),
            TermKind::Apply(function, argument) if self.is_named(*function, name) => {
                match &self.checked.tree.terms[*argument].kind {
                    TermKind::Tuple(parts) => Some(parts.clone()),
                    _ => Some(vec![*argument]),
                }
            }
            _ => None,
        }
    }

    fn variables(&self, args: &[TermId]) -> Option<Vec<Name>> {
        let names = args
            .iter()
            .map(|arg| match &self.checked.tree.terms[*arg].kind {
                TermKind::Ref(name, sets) if sets.is_empty() => Some(*name),
                _ => None,
            });
        names.collect()
    }

    /// The only value that the box allows.
    fn described(&mut self, name: Name, text: &Text, span: Span) -> Option<ExprId> {
        let bound = self.bind(text)?;
        let value = *bound.env.get(&name)?;
        let ty = self.ty_of(value)?;
        let set_ty = self.set_of(ty);
        let predicate = self.all(bound.conjuncts, span);
        let kind = Kind::Bind {
            binder: Binder::Image,
            names: bound.locals,
            predicate,
            value: Some(value),
            symbolic: false,
        };
        let set = self.push(kind, Some(set_ty), span);
        Some(self.push(Kind::External(Name::new("MU"), vec![set]), Some(ty), span))
    }

    /// A function of the toolkit by itself, not applied: the function from its arguments.
    pub(super) fn eta(
        &mut self,
        ty: model::TyId,
        span: Span,
        body: impl FnOnce(&mut Self, ExprId) -> Option<ExprId>,
    ) -> Option<ExprId> {
        let model::Ty::Pow(element) = self.model.tys[ty] else {
            return None;
        };
        let (from, is_function) = match self.model.tys[element] {
            model::Ty::Prod(from, _) => (from, true),
            _ => (element, false),
        };
        let argument = self.local(Name::new("x"), from, span);
        let value = self.local_expr(argument);
        let set = self.carrier(from, span)?;
        let member = self.test(Op::Member, smallvec![value, set], span);
        self.scopes.push(Env::default());
        let result = body(self, value);
        self.scopes.pop();
        let result = result?;
        if !is_function {
            return None;
        }
        let kind = Kind::Bind {
            binder: Binder::Lambda,
            names: vec![argument],
            predicate: member,
            value: Some(result),
            symbolic: false,
        };
        Some(self.push(kind, Some(ty), span))
    }
}
