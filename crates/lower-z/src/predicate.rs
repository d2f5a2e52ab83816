//! Lowers predicates.

use base::{Span, deep};
use lang_math::{Binder, Op};
use lang_z::tree::{Connective, Quantifier, TermId, TermKind};
use model::{ExprId, Kind};
use smallvec::smallvec;

use super::Lower;

impl Lower<'_> {
    /// Lowers a predicate; `None` after a diagnostic.
    pub(super) fn predicate(&mut self, term: TermId) -> Option<ExprId> {
        let hoisted = self.hoisted.take();
        let mut conjuncts = Vec::new();
        let result = self.conjuncts(term, &mut conjuncts);
        self.hoisted = hoisted;
        result?;
        let span = self.span(term);
        Some(self.all(conjuncts, span))
    }

    /// Lowers the conjuncts of a predicate.
    pub(super) fn conjuncts(&mut self, term: TermId, out: &mut Vec<ExprId>) -> Option<()> {
        deep::recurse(|| match &self.checked.tree.terms[term].kind {
            TermKind::True => Some(()),
            TermKind::Connect(Connective::And, left, right) => {
                self.conjuncts(*left, out)?;
                self.conjuncts(*right, out)
            }
            TermKind::Chain(parts) => {
                for part in parts {
                    self.conjuncts(*part, out)?;
                }
                Some(())
            }
            TermKind::Equal(left, right) => {
                let (left, right) = (self.expr(*left)?, self.expr(*right)?);
                let span = self.span(term);
                self.equation(left, right, span, out);
                Some(())
            }
            TermKind::Quantify(Quantifier::Exists, text, body) if self.hoisted.is_some() => {
                let bound = self.bind_apart(text)?;
                out.extend(&bound.conjuncts);
                if let Some(hoisted) = &mut self.hoisted {
                    hoisted.extend(&bound.locals);
                }
                self.within(&bound, |lower| lower.conjuncts(*body, out))
            }
            TermKind::Let(pairs, body) if self.hoisted.is_some() => {
                let mut scope = super::Env::default();
                for (name, value) in pairs {
                    let value = self.expr(*value)?;
                    let ty = self.ty_of(value)?;
                    let mut locals = Vec::new();
                    let local = self.unknown(name.name, ty, name.span, &mut locals);
                    self.hoisted.as_mut()?.extend(locals);
                    self.equation(local, value, name.span, out);
                    scope.insert(name.name, local);
                }
                self.scopes.push(scope);
                let result = self.conjuncts(*body, out);
                self.scopes.pop();
                result
            }
            TermKind::False
            | TermKind::Not(_)
            | TermKind::Connect(..)
            | TermKind::Quantify(..)
            | TermKind::Let(..)
            | TermKind::If(..)
            | TermKind::Member(..)
            | TermKind::Relation(..) => {
                let predicate = self.single(term)?;
                out.push(predicate);
                Some(())
            }
            // A schema: its components are names in scope.
            _ => {
                let components = self.components(term)?;
                let mut env = super::Env::default();
                let span = self.span(term);
                for (name, _) in components {
                    env.insert(name, self.value_of(name, span)?);
                }
                self.holds(term, &env, out)
            }
        })
    }

    /// An equation; of bindings, one for each component.
    pub(super) fn equation(
        &mut self,
        left: ExprId,
        right: ExprId,
        span: Span,
        out: &mut Vec<ExprId>,
    ) {
        if let (Kind::Record(a), Kind::Record(b)) =
            (&self.model.exprs[left].kind, &self.model.exprs[right].kind)
        {
            let pairs: Vec<(ExprId, ExprId)> =
                a.iter().zip(b).map(|((_, a), (_, b))| (*a, *b)).collect();
            for (a, b) in pairs {
                deep::recurse(|| self.equation(a, b, span, out));
            }
            return;
        }
        for (apart, whole) in [(left, right), (right, left)] {
            if self.equal_components(apart, whole, span, out) {
                return;
            }
        }
        if self.hoisted.is_some() {
            for (value, constructed) in [(left, right), (right, left)] {
                if self.taken_apart(value, constructed, span, out).is_some() {
                    return;
                }
            }
        }
        let equal = self.test(Op::Equal, smallvec![left, right], span);
        out.push(equal);
    }

    /// `v = C(x, y)` where `x` and `y` are to be found: they are the parts of `v`, which is made by `C`.
    fn taken_apart(
        &mut self,
        value: ExprId,
        constructed: ExprId,
        span: Span,
        out: &mut Vec<ExprId>,
    ) -> Option<()> {
        let Kind::Apply(function, argument) = self.model.exprs[constructed].kind else {
            return None;
        };
        let (constructor, domain) = match &self.model.exprs[function].kind {
            Kind::Constructor(..) => (function, None),
            Kind::Op(Op::DomainRestriction, args)
                if matches!(self.model.exprs[args[1]].kind, Kind::Constructor(..)) =>
            {
                (args[1], Some(args[0]))
            }
            _ => return None,
        };
        if self.has_local(value) || !self.has_local(argument) {
            return None;
        }
        let (whole, part) = (self.ty_of(value)?, self.ty_of(argument)?);
        let whole_set = self.set_of(whole);
        let range = self.op(Op::Range, smallvec![constructor], whole_set, span);
        out.push(self.test(Op::Member, smallvec![value, range], span));
        let pair = self.pair_of(whole, part);
        let inverse_ty = self.set_of(pair);
        let inverse = self.op(Op::Inverse, smallvec![constructor], inverse_ty, span);
        let parts = self.push(Kind::Apply(inverse, value), Some(part), span);
        self.same_parts(argument, parts, span, out);
        if let Some(domain) = domain {
            out.push(self.test(Op::Member, smallvec![argument, domain], span));
        }
        Some(())
    }

    /// The parts of a tuple are those of another.
    fn same_parts(&mut self, tuple: ExprId, other: ExprId, span: Span, out: &mut Vec<ExprId>) {
        if let Kind::Op(Op::Maplet, args) = &self.model.exprs[tuple].kind
            && let Some(ty) = self.ty_of(other)
            && let model::Ty::Prod(left, right) = self.model.tys[ty]
        {
            let (a, b) = (args[0], args[1]);
            let first = self.op(Op::Component1, smallvec![other], left, span);
            let second = self.op(Op::Component2, smallvec![other], right, span);
            deep::recurse(|| self.same_parts(a, first, span, out));
            deep::recurse(|| self.same_parts(b, second, span, out));
            return;
        }
        out.push(self.test(Op::Equal, smallvec![tuple, other], span));
    }

    fn single(&mut self, term: TermId) -> Option<ExprId> {
        let hoisted = self.hoisted.take();
        let result = self.single_here(term);
        self.hoisted = hoisted;
        result
    }

    fn single_here(&mut self, term: TermId) -> Option<ExprId> {
        let span = self.span(term);
        Some(match &self.checked.tree.terms[term].kind {
            TermKind::False => self.test(Op::Falsity, smallvec![], span),
            TermKind::Not(inner) => {
                let inner = self.predicate(*inner)?;
                self.test(Op::Not, smallvec![inner], span)
            }
            TermKind::Connect(connective, left, right) => {
                let (left, right) = (self.predicate(*left)?, self.predicate(*right)?);
                self.test(connective_op(*connective), smallvec![left, right], span)
            }
            TermKind::Quantify(quantifier, text, body) => {
                let bound = self.bind_apart(text)?;
                let body = self.within(&bound, |lower| lower.predicate(*body))?;
                self.quantified(*quantifier, bound.locals, bound.conjuncts, body, span)?
            }
            TermKind::Let(pairs, body) => {
                return self.definitions(pairs, None, |lower| lower.predicate(*body));
            }
            TermKind::If(condition, yes, no) => {
                let condition = self.predicate(*condition)?;
                let (yes, no) = (self.predicate(*yes)?, self.predicate(*no)?);
                self.push(Kind::If(condition, yes, no), None, span)
            }
            TermKind::Member(left, right) => {
                let (left, right) = (self.expr(*left)?, self.expr(*right)?);
                self.test(Op::Member, smallvec![left, right], span)
            }
            TermKind::Relation(name, _, args) => {
                let args = self.exprs(args)?;
                return self.relation(term, name.name, args);
            }
            _ => return self.predicate(term),
        })
    }

    /// A quantified predicate: the conjuncts of the declaration, and the body.
    pub(super) fn quantified(
        &mut self,
        quantifier: Quantifier,
        names: Vec<model::LocalId>,
        mut conjuncts: Vec<ExprId>,
        body: ExprId,
        span: Span,
    ) -> Option<ExprId> {
        if names.is_empty() {
            conjuncts.push(body);
            return Some(self.all(conjuncts, span));
        }
        let (binder, predicate) = match quantifier {
            Quantifier::Forall => {
                let range = self.all(conjuncts, span);
                (
                    Binder::Forall,
                    self.test(Op::Implies, smallvec![range, body], span),
                )
            }
            Quantifier::Exists | Quantifier::ExistsOne => {
                conjuncts.push(body);
                (Binder::Exists, self.all(conjuncts, span))
            }
        };
        if quantifier == Quantifier::ExistsOne {
            return self.exactly_one(names, predicate, span);
        }
        let kind = Kind::Bind {
            binder,
            names,
            predicate,
            value: None,
            symbolic: false,
        };
        Some(self.push(kind, None, span))
    }

    /// There is one solution and no other: the set of solutions has one element.
    fn exactly_one(
        &mut self,
        names: Vec<model::LocalId>,
        predicate: ExprId,
        span: Span,
    ) -> Option<ExprId> {
        let mut ty = self.model.locals[*names.first()?].ty;
        for name in &names[1..] {
            let next = self.model.locals[*name].ty;
            ty = self.pair_of(ty, next);
        }
        let set_ty = self.set_of(ty);
        let kind = Kind::Bind {
            binder: Binder::Comprehension,
            names,
            predicate,
            value: None,
            symbolic: false,
        };
        let set = self.push(kind, Some(set_ty), span);
        let int = self.model.tys.intern(model::Ty::Int);
        let size = self.op(Op::Card, smallvec![set], int, span);
        let one = self.push(Kind::Int(1.into()), Some(int), span);
        Some(self.test(Op::Equal, smallvec![size, one], span))
    }

    /// The conjunction of predicates.
    pub(super) fn all(&mut self, conjuncts: Vec<ExprId>, span: Span) -> ExprId {
        let mut conjuncts = conjuncts.into_iter();
        let Some(mut all) = conjuncts.next() else {
            return self.test(Op::Truth, smallvec![], span);
        };
        for conjunct in conjuncts {
            all = self.test(Op::And, smallvec![all, conjunct], span);
        }
        all
    }
}

/// The operator of a connective.
pub(super) fn connective_op(connective: Connective) -> Op {
    match connective {
        Connective::And => Op::And,
        Connective::Or => Op::Or,
        Connective::Implies => Op::Implies,
        Connective::Iff => Op::Equivalent,
    }
}
