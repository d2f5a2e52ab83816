//! Operators of the toolkit that the model has too.
//!
//! Every name here is also defined in the toolkit's text; tests compare the two on small values. What is not here is
//! evaluated by that text.

use base::{Name, Span};
use lang_math::Op;
use lang_z::tree::{TermId, TermKind};
use lang_z::{GlobalId, Meaning};
use model::{ExprId, Kind, Ty, TyId};
use smallvec::smallvec;

use super::Lower;

/// Infix and prefix functions.
const FUNCTIONS: &[(&str, Op)] = &[
    ("_∪_", Op::Union),
    ("_∩_", Op::Intersection),
    ("_∖_", Op::SetMinus),
    ("_↦_", Op::Maplet),
    ("_⨾_", Op::Composition),
    ("_◁_", Op::DomainRestriction),
    ("_⩤_", Op::DomainSubtraction),
    ("_▷_", Op::RangeRestriction),
    ("_⩥_", Op::RangeSubtraction),
    ("_⊕_", Op::Overwrite),
    ("_+_", Op::Add),
    ("_-_", Op::Minus),
    ("_*_", Op::Times),
    ("_div_", Op::FloorDivide),
    ("_mod_", Op::FloorModulo),
    ("_.._", Op::Interval),
    ("_⁀_", Op::Concat),
    ("-_", Op::Negate),
    ("negate_", Op::Negate),
    ("_∼", Op::Inverse),
    ("_⁺", Op::Closure1),
    ("_⋆", Op::Closure),
    ("⋃", Op::GeneralUnion),
    ("dom", Op::Domain),
    ("ran", Op::Range),
    ("first", Op::Component1),
    ("second", Op::Component2),
    ("#", Op::Card),
    ("min", Op::Min),
    ("max", Op::Max),
    ("rev", Op::Reverse),
    ("head", Op::First),
    ("last", Op::Last),
    ("tail", Op::Tail),
    ("front", Op::Front),
    ("⁀/", Op::Flatten),
];

const RELATIONS: &[(&str, Op)] = &[
    ("_≠_", Op::NotEqual),
    ("_∉_", Op::NotMember),
    ("_⊆_", Op::Subset),
    ("_⊂_", Op::StrictSubset),
    ("_<_", Op::Less),
    ("_≤_", Op::LessEqual),
    ("_>_", Op::Greater),
    ("_≥_", Op::GreaterEqual),
];

/// Sets made of sets.
const SETS: &[(&str, Op)] = &[
    ("_↔_", Op::Relations),
    ("_⇸_", Op::PartialFunctions),
    ("_→_", Op::TotalFunctions),
    ("_⤔_", Op::PartialInjections),
    ("_↣_", Op::TotalInjections),
    ("_⤀_", Op::PartialSurjections),
    ("_↠_", Op::TotalSurjections),
    ("_⤖_", Op::TotalBijections),
    ("ℙ_1_", Op::PowerSet1),
    ("𝔽_", Op::FiniteSubsets),
    ("𝔽_1_", Op::FiniteSubsets1),
    ("seq_", Op::Sequences),
    ("seq_1_", Op::Sequences1),
    ("iseq_", Op::InjectiveSequences),
    ("id_", Op::Identity),
];

fn op_in(table: &[(&str, Op)], name: Name) -> Option<Op> {
    let found = table.iter().find(|(known, _)| *known == name.as_str());
    found.map(|(_, op)| *op)
}

impl Lower<'_> {
    /// Whether a term names something of the toolkit.
    fn toolkit_name(&self, term: TermId) -> Option<GlobalId> {
        match self.checked.meanings.get(&term)? {
            Meaning::Global(id, _) if self.checked.globals[*id].toolkit => Some(*id),
            _ => None,
        }
    }

    /// `f a`
    pub(super) fn apply(
        &mut self,
        function: TermId,
        argument: TermId,
        ty: TyId,
        span: Span,
    ) -> Option<ExprId> {
        if let TermKind::Ref(name, sets) = &self.checked.tree.terms[function].kind
            && sets.is_empty()
            && self.toolkit_name(function).is_some()
            && (op_in(FUNCTIONS, *name).is_some() || name.as_str() == "⋂")
        {
            let argument = self.expr(argument)?;
            return self.function(*name, vec![argument], ty, span);
        }
        // `iter n R`
        if let TermKind::Apply(inner, count) = &self.checked.tree.terms[function].kind
            && self.is_named(*inner, Name::new("iter"))
            && self.toolkit_name(*inner).is_some()
        {
            let (count, relation) = (self.expr(*count)?, self.expr(argument)?);
            return self.iterate(relation, count, ty, span);
        }
        let (function, argument) = (self.expr(function)?, self.expr(argument)?);
        Some(self.push(Kind::Apply(function, argument), Some(ty), span))
    }

    /// An operator with its operands.
    pub(super) fn operator(
        &mut self,
        term: TermId,
        name: Name,
        args: Vec<ExprId>,
        ty: TyId,
    ) -> Option<ExprId> {
        let span = self.span(term);
        if self.toolkit_name(term).is_some()
            && let Some(value) = self.function(name, args.clone(), ty, span)
        {
            return Some(value);
        }
        let argument = self.tuple(&args, span)?;
        let from = self.ty_of(argument)?;
        let pair = self.pair_of(from, ty);
        let function_ty = self.set_of(pair);
        let function = self.name(term, name, &[], function_ty)?;
        Some(self.push(Kind::Apply(function, argument), Some(ty), span))
    }

    /// A function of the toolkit that the model has.
    fn function(&mut self, name: Name, args: Vec<ExprId>, ty: TyId, span: Span) -> Option<ExprId> {
        match name.as_str() {
            "⋂" => return self.general_intersection(args[0], ty, span),
            "_∘_" => {
                return Some(self.op(Op::Composition, smallvec![args[1], args[0]], ty, span));
            }
            _ => {}
        }
        let op = op_in(FUNCTIONS, name)?;
        let args = match (op, args.as_slice()) {
            // One pair instead of two operands: `(_ + _) p`.
            (_, [one]) if name.as_str().starts_with('_') && name.as_str().ends_with('_') => {
                let Ty::Prod(left, right) = self.model.tys[self.ty_of(*one)?] else {
                    return None;
                };
                let first = self.op(Op::Component1, smallvec![*one], left, span);
                let second = self.op(Op::Component2, smallvec![*one], right, span);
                smallvec![first, second]
            }
            _ => args.into(),
        };
        Some(self.op(op, args, ty, span))
    }

    /// `⋂`: of no sets, the whole type.
    fn general_intersection(&mut self, sets: ExprId, ty: TyId, span: Span) -> Option<ExprId> {
        let sets_ty = self.ty_of(sets)?;
        let local = self.local(Name::new("A"), sets_ty, span);
        let value = self.local_expr(local);
        let nothing = self.op(Op::EmptySet, smallvec![], sets_ty, span);
        let empty = self.test(Op::Equal, smallvec![value, nothing], span);
        let Ty::Pow(element) = self.model.tys[ty] else {
            return None;
        };
        let whole = self.carrier(element, span)?;
        let some = self.op(Op::GeneralIntersection, smallvec![value], ty, span);
        let choice = self.push(Kind::If(empty, whole, some), Some(ty), span);
        Some(self.push(Kind::Let(local, sets, choice), Some(ty), span))
    }

    /// A relation between its operands.
    pub(super) fn relation(
        &mut self,
        term: TermId,
        name: Name,
        args: Vec<ExprId>,
    ) -> Option<ExprId> {
        let span = self.span(term);
        if self.toolkit_name(term).is_some()
            && let Some(op) = op_in(RELATIONS, name)
        {
            return Some(self.test(op, args.into(), span));
        }
        let tuple = self.tuple(&args, span)?;
        let element = self.ty_of(tuple)?;
        let set_ty = self.set_of(element);
        let set = self.name(term, name, &[], set_ty)?;
        Some(self.test(Op::Member, smallvec![tuple, set], span))
    }

    /// A name of the toolkit as a value: a set made of sets, a constant, or a function that is not applied.
    pub(super) fn toolkit_value(
        &mut self,
        name: Name,
        sets: &[TermId],
        ty: TyId,
        span: Span,
    ) -> Option<ExprId> {
        match name.as_str() {
            "∅" => return Some(self.op(Op::EmptySet, smallvec![], ty, span)),
            "ℕ" => return Some(self.op(Op::Naturals, smallvec![], ty, span)),
            "ℕ_1" => return Some(self.op(Op::Naturals1, smallvec![], ty, span)),
            _ => {}
        }
        if !sets.is_empty() {
            if let Some(op) = op_in(SETS, name) {
                let sets = self.exprs(sets)?;
                return Some(self.op(op, sets.into(), ty, span));
            }
            return match name.as_str() {
                "_⇻_" | "_⤕_" => {
                    let sets = self.exprs(sets)?;
                    let op = match name.as_str() {
                        "_⇻_" => Op::PartialFunctions,
                        _ => Op::PartialInjections,
                    };
                    self.finite_functions(op, sets, ty, span)
                }
                "bag_" => {
                    let set = self.expr(*sets.first()?)?;
                    let int = self.model.tys.intern(Ty::Int);
                    let numbers_ty = self.set_of(int);
                    let numbers = self.op(Op::Naturals1, smallvec![], numbers_ty, span);
                    Some(self.op(Op::PartialFunctions, smallvec![set, numbers], ty, span))
                }
                _ => None,
            };
        }
        if op_in(FUNCTIONS, name).is_some() || matches!(name.as_str(), "⋂" | "_∘_") {
            let to = match self.model.tys[ty] {
                Ty::Pow(pair) => match self.model.tys[pair] {
                    Ty::Prod(_, to) => to,
                    _ => return None,
                },
                _ => return None,
            };
            return self.eta(ty, span, |lower, argument| {
                lower.function(name, vec![argument], to, span)
            });
        }
        if let Some(op) = op_in(RELATIONS, name) {
            return self.relation_set(op, ty, span);
        }
        None
    }

    /// Partial functions that are finite: all of them where their sources are.
    fn finite_functions(
        &mut self,
        op: Op,
        sets: Vec<ExprId>,
        ty: TyId,
        span: Span,
    ) -> Option<ExprId> {
        let (from, to) = (sets[0], sets[1]);
        let finite = self
            .element_of(from)
            .is_some_and(|ty| self.model.tys.size(ty, u128::MAX).is_some());
        let functions = self.op(op, sets.into(), ty, span);
        if finite {
            return Some(functions);
        }
        let (left, right) = (self.element_of(from)?, self.element_of(to)?);
        let pair = self.pair_of(left, right);
        let pairs_ty = self.set_of(pair);
        let pairs = self.op(Op::Cartesian, smallvec![from, to], pairs_ty, span);
        let sets = self.op(Op::FiniteSubsets, smallvec![pairs], ty, span);
        Some(self.op(Op::Intersection, smallvec![functions, sets], ty, span))
    }

    fn relation_set(&mut self, op: Op, ty: TyId, span: Span) -> Option<ExprId> {
        let Ty::Pow(pair) = self.model.tys[ty] else {
            return None;
        };
        let Ty::Prod(left, right) = self.model.tys[pair] else {
            return None;
        };
        let (a, b) = (
            self.local(Name::new("a"), left, span),
            self.local(Name::new("b"), right, span),
        );
        let (x, y) = (self.local_expr(a), self.local_expr(b));
        let (first, second) = (self.carrier(left, span)?, self.carrier(right, span)?);
        let conjuncts = vec![
            self.test(Op::Member, smallvec![x, first], span),
            self.test(Op::Member, smallvec![y, second], span),
            self.test(op, smallvec![x, y], span),
        ];
        let predicate = self.all(conjuncts, span);
        let kind = Kind::Bind {
            binder: lang_math::Binder::Comprehension,
            names: vec![a, b],
            predicate,
            value: None,
            symbolic: false,
        };
        Some(self.push(kind, Some(ty), span))
    }
}
