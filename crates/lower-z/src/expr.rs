//! Lowers expressions.

use base::{Name, Span, deep};
use lang_math::{Binder, Op};
use lang_z::check::types as z;
use lang_z::tree::{Decl, TermId, TermKind};
use model::{ExprId, Kind, TyId};
use smallvec::{SmallVec, smallvec};

use super::Lower;
use super::redundant::key;

impl Lower<'_> {
    /// Lowers an expression; `None` after a diagnostic.
    pub(super) fn expr(&mut self, term: TermId) -> Option<ExprId> {
        let hoisted = self.hoisted.take();
        let result = deep::recurse(|| self.expr_here(term));
        self.hoisted = hoisted;
        result
    }

    pub(super) fn exprs(&mut self, terms: &[TermId]) -> Option<Vec<ExprId>> {
        terms.iter().map(|term| self.expr(*term)).collect()
    }

    pub(super) fn span(&self, term: TermId) -> Span {
        self.checked.tree.terms[term].span
    }

    /// The type of a term.
    pub(super) fn term_ty(&mut self, term: TermId) -> Option<TyId> {
        let ty = self.checked.ty(term)?;
        let lowered = self.ty(ty);
        if lowered.is_none() {
            let span = self.span(term);
            self.unsupported(span, "an expression of this type");
        }
        lowered
    }

    // Long: one arm for each kind of term.
    fn expr_here(&mut self, term: TermId) -> Option<ExprId> {
        let span = self.span(term);
        let ty = self.term_ty(term)?;
        let kind = match &self.checked.tree.terms[term].kind {
            TermKind::Number(number) => Kind::Int(number.clone()),
            TermKind::Ref(name, sets) => return self.name(term, *name, sets, ty),
            TermKind::Tuple(parts) => {
                let parts = self.exprs(parts)?;
                return self.tuple(&parts, span);
            }
            TermKind::SetOf(items) if items.is_empty() => Kind::Op(Op::EmptySet, smallvec![]),
            TermKind::SetOf(items) => Kind::Op(Op::SetExtension, self.exprs(items)?.into()),
            TermKind::Sequence(items) if items.is_empty() => {
                Kind::Op(Op::EmptySequence, smallvec![])
            }
            TermKind::Sequence(items) => Kind::Op(Op::SequenceExtension, self.exprs(items)?.into()),
            TermKind::Bag(items) => {
                let items = self.exprs(items)?;
                return self.bag(items, ty, span);
            }
            TermKind::Comprehension(text, value) => {
                return self.comprehension(text, *value, ty, span);
            }
            TermKind::Lambda(text, value) => return self.lambda(text, *value, ty, span),
            TermKind::Mu(text, value) => return self.described_value(text, *value, ty, span),
            TermKind::Let(pairs, body) => {
                return self.definitions(pairs, Some(ty), |lower| lower.expr(*body));
            }
            TermKind::If(condition, yes, no) => {
                let condition = self.predicate(*condition)?;
                Kind::If(condition, self.expr(*yes)?, self.expr(*no)?)
            }
            TermKind::Power(set) => Kind::Op(Op::PowerSet, smallvec![self.expr(*set)?]),
            TermKind::Cross(sets) => {
                let sets = self.exprs(sets)?;
                return self.product(&sets, span);
            }
            TermKind::Apply(function, argument) => {
                return self.apply(*function, *argument, ty, span);
            }
            TermKind::Operator(name, _, args) => {
                let args = self.exprs(args)?;
                return self.operator(term, name.name, args, ty);
            }
            TermKind::Image(relation, set) => Kind::Op(
                Op::Image,
                smallvec![self.expr(*relation)?, self.expr(*set)?],
            ),
            TermKind::Iterate(relation, count) => {
                let (relation, count) = (self.expr(*relation)?, self.expr(*count)?);
                return self.iterate(relation, count, ty, span);
            }
            TermKind::Binding(pairs) => {
                let mut fields = Vec::with_capacity(pairs.len());
                for (name, value) in pairs {
                    fields.push((name.name, self.expr(*value)?));
                }
                return self.record(fields, span);
            }
            TermKind::Select(value, name) => {
                let value = self.expr(*value)?;
                return Some(self.component(value, name.name, ty, span));
            }
            TermKind::Part(value, index, _) => {
                let tuple = self.checked.ty(*value)?;
                let count = z::parts(&self.checked.types, tuple)?.len();
                let value = self.expr(*value)?;
                return self.part(value, *index as usize, count, span);
            }
            TermKind::Theta(schema, strokes) => {
                let components = self.components(*schema)?;
                let mut fields = Vec::with_capacity(components.len());
                for (name, _) in components {
                    let taken = Name::new(&format!("{name}{strokes}"));
                    fields.push((name, self.value_of(taken, span)?));
                }
                return self.record(fields, span);
            }
            // A schema is the set of its bindings.
            _ => return self.bindings(term, ty),
        };
        Some(self.push(kind, Some(ty), span))
    }

    /// A record with its fields in order.
    pub(super) fn record(&mut self, mut fields: Vec<(Name, ExprId)>, span: Span) -> Option<ExprId> {
        fields.sort_by_key(|(name, _)| *name);
        let mut types = Vec::with_capacity(fields.len());
        for (name, value) in &fields {
            types.push((*name, self.ty_of(*value)?));
        }
        let ty = self.model.tys.intern(model::Ty::Record(types));
        Some(self.push(Kind::Record(fields), Some(ty), span))
    }

    /// An operator whose type is known.
    pub(super) fn op(
        &mut self,
        op: Op,
        args: SmallVec<[ExprId; 2]>,
        ty: TyId,
        span: Span,
    ) -> ExprId {
        self.push(Kind::Op(op, args), Some(ty), span)
    }

    /// A predicate by an operator.
    pub(super) fn test(&mut self, op: Op, args: SmallVec<[ExprId; 2]>, span: Span) -> ExprId {
        self.push(Kind::Op(op, args), None, span)
    }

    pub(super) fn pair(&mut self, left: ExprId, right: ExprId, span: Span) -> Option<ExprId> {
        let (first, second) = (self.ty_of(left)?, self.ty_of(right)?);
        let ty = self.pair_of(first, second);
        Some(self.op(Op::Maplet, smallvec![left, right], ty, span))
    }

    /// A tuple, nested to the left.
    pub(super) fn tuple(&mut self, parts: &[ExprId], span: Span) -> Option<ExprId> {
        let (first, rest) = parts.split_first()?;
        let mut tuple = *first;
        for part in rest {
            tuple = self.pair(tuple, *part, span)?;
        }
        Some(tuple)
    }

    /// Part `index` of a tuple of `count`.
    fn part(&mut self, tuple: ExprId, index: usize, count: usize, span: Span) -> Option<ExprId> {
        let mut value = tuple;
        for step in (1..count).rev() {
            let model::Ty::Prod(left, right) = self.model.tys[self.ty_of(value)?] else {
                return None;
            };
            if step + 1 == index {
                return Some(self.op(Op::Component2, smallvec![value], right, span));
            }
            value = self.op(Op::Component1, smallvec![value], left, span);
        }
        Some(value)
    }

    fn product(&mut self, sets: &[ExprId], span: Span) -> Option<ExprId> {
        let (first, rest) = sets.split_first()?;
        let mut product = *first;
        for set in rest {
            let (left, right) = (self.element_of(product)?, self.element_of(*set)?);
            let pair = self.pair_of(left, right);
            let ty = self.set_of(pair);
            product = self.op(Op::Cartesian, smallvec![product, *set], ty, span);
        }
        Some(product)
    }

    fn bag(&mut self, items: Vec<ExprId>, ty: TyId, span: Span) -> Option<ExprId> {
        let Some(first) = items.first() else {
            return Some(self.op(Op::EmptySet, smallvec![], ty, span));
        };
        let element = self.ty_of(*first)?;
        let int = self.model.tys.intern(model::Ty::Int);
        let pair = self.pair_of(int, element);
        let sequence_ty = self.set_of(pair);
        let sequence = self.op(Op::SequenceExtension, items.into(), sequence_ty, span);
        let global = self.checked.global(Name::new("items"))?;
        let items = self.instance_of(global, vec![element], span)?;
        Some(self.push(Kind::Apply(items, sequence), Some(ty), span))
    }

    /// `R↗n↖`: a negative number iterates the inverse.
    pub(super) fn iterate(
        &mut self,
        relation: ExprId,
        count: ExprId,
        ty: TyId,
        span: Span,
    ) -> Option<ExprId> {
        let int = self.ty_of(count)?;
        if let Kind::Int(number) = &self.model.exprs[count].kind
            && *number >= 0.into()
        {
            return Some(self.op(Op::Iterate, smallvec![relation, count], ty, span));
        }
        let name = Name::new("n");
        let times = self.local(name, int, span);
        let n = self.local_expr(times);
        let zero = self.push(Kind::Int(0.into()), Some(int), span);
        let forwards = self.op(Op::Iterate, smallvec![relation, n], ty, span);
        let minus = self.op(Op::Negate, smallvec![n], int, span);
        let inverse = self.op(Op::Inverse, smallvec![relation], ty, span);
        let backwards = self.op(Op::Iterate, smallvec![inverse, minus], ty, span);
        let positive = self.test(Op::GreaterEqual, smallvec![n, zero], span);
        let choice = self.push(Kind::If(positive, forwards, backwards), Some(ty), span);
        Some(self.push(Kind::Let(times, count, choice), Some(ty), span))
    }

    /// `let x == E ⦁ F`, of either sort.
    pub(super) fn definitions(
        &mut self,
        pairs: &[(lang_z::tree::Ident, TermId)],
        ty: Option<TyId>,
        body: impl FnOnce(&mut Self) -> Option<ExprId>,
    ) -> Option<ExprId> {
        let mut scope = super::Env::default();
        let mut locals = Vec::new();
        for (name, value) in pairs {
            let value = self.expr(*value)?;
            let value_ty = self.ty_of(value)?;
            let local = self.local(name.name, value_ty, name.span);
            let expr = self.local_expr(local);
            scope.insert(name.name, expr);
            locals.push((local, value));
        }
        self.scopes.push(scope);
        let body = body(self);
        self.scopes.pop();
        let mut result = body?;
        for (local, value) in locals.into_iter().rev() {
            let span = self.model.exprs[result].span;
            result = self.push(Kind::Let(local, value, result), ty, span);
        }
        Some(result)
    }

    /// `{D | P ⦁ E}`
    fn comprehension(
        &mut self,
        text: &lang_z::tree::Text,
        value: Option<TermId>,
        ty: TyId,
        span: Span,
    ) -> Option<ExprId> {
        // What is described by components only is kept whole: it is asked about more often than it is listed.
        let bound = match value {
            Some(_) => self.bind_apart(text)?,
            None => self.bind(text)?,
        };
        let value = match value {
            Some(value) => Some(self.within(&bound, |lower| lower.expr(value))?),
            None if bound.is_plain() => None,
            None => Some(self.characteristic(&bound, span)?),
        };
        let predicate = self.all(bound.conjuncts, span);
        let binder = match value {
            Some(_) => Binder::Image,
            None => Binder::Comprehension,
        };
        let kind = Kind::Bind {
            binder,
            names: bound.locals,
            predicate,
            value,
            symbolic: false,
        };
        Some(self.push(kind, Some(ty), span))
    }

    /// `μ D | P ⦁ E`. A name that an equation gives its value is a definition: whatever keeps the equation from being
    /// looked at leaves no value at all, so both are undefined together.
    fn described_value(
        &mut self,
        text: &lang_z::tree::Text,
        value: Option<TermId>,
        ty: TyId,
        span: Span,
    ) -> Option<ExprId> {
        let bound = self.bind_apart(text)?;
        // The value of a declaration without an expression is in the set that it declares.
        let described = match (value, text.decls.as_slice()) {
            (None, [Decl::Include(schema)]) => Some(*schema),
            (None, [Decl::Vars(names, set)]) if names.len() == 1 => Some(*set),
            _ => None,
        };
        let value = match value {
            Some(value) => self.within(&bound, |lower| lower.expr(value))?,
            None => self.characteristic(&bound, span)?,
        };
        let mut names = bound.locals;
        let mut conjuncts = bound.conjuncts;
        let mut definitions = Vec::new();
        while let Some((at, name, given)) = self.given_by_equation(&conjuncts, &names) {
            conjuncts.remove(at);
            names.retain(|other| *other != name);
            definitions.push((name, given));
        }
        let predicate = self.all(conjuncts, span);
        let set_ty = self.set_of(ty);
        let mu = |lower: &mut Self, set: ExprId| {
            let kind = Kind::External(Name::new("MU"), vec![set]);
            lower.push(kind, Some(ty), span)
        };
        let mut result = if names.is_empty() {
            let nothing = self.op(Op::EmptySet, smallvec![], set_ty, span);
            let undefined = mu(self, nothing);
            self.push(Kind::If(predicate, value, undefined), Some(ty), span)
        } else {
            let kind = Kind::Bind {
                binder: Binder::Image,
                names,
                predicate,
                value: Some(value),
                symbolic: false,
            };
            let set = self.push(kind, Some(set_ty), span);
            mu(self, set)
        };
        for (name, given) in definitions.into_iter().rev() {
            result = self.push(Kind::Let(name, given, result), Some(ty), span);
        }
        if let Some(set) = described {
            let set = self.expr(set)?;
            let set = key(&self.model, set);
            self.members.entry(result).or_default().push(set);
        }
        Some(result)
    }

    /// A conjunct that gives one of some names a value without the others.
    fn given_by_equation(
        &self,
        conjuncts: &[ExprId],
        names: &[model::LocalId],
    ) -> Option<(usize, model::LocalId, ExprId)> {
        conjuncts.iter().enumerate().find_map(|(at, conjunct)| {
            let Kind::Op(Op::Equal, args) = &self.model.exprs[*conjunct].kind else {
                return None;
            };
            [(args[0], args[1]), (args[1], args[0])]
                .into_iter()
                .find_map(|(name, value)| match self.model.exprs[name].kind {
                    Kind::Local(local)
                        if names.contains(&local) && !self.mentions(value, names) =>
                    {
                        Some((at, local, value))
                    }
                    _ => None,
                })
        })
    }

    fn lambda(
        &mut self,
        text: &lang_z::tree::Text,
        value: TermId,
        ty: TyId,
        span: Span,
    ) -> Option<ExprId> {
        let bound = self.bind(text)?;
        let value = self.within(&bound, |lower| lower.expr(value))?;
        let (binder, value) = match bound.is_plain() {
            true => (Binder::Lambda, value),
            false => {
                let tuple = self.characteristic(&bound, span)?;
                (Binder::Image, self.pair(tuple, value, span)?)
            }
        };
        let predicate = self.all(bound.conjuncts, span);
        let kind = Kind::Bind {
            binder,
            names: bound.locals,
            predicate,
            value: Some(value),
            symbolic: false,
        };
        Some(self.push(kind, Some(ty), span))
    }
}
