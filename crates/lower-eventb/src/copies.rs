//! Carrier sets that are infinite because an axiom says so: `make ∈ ℤ × ℤ ⤖ Plane`.
//!
//! Elements of a carrier set have no names, so any set with a bijection to the other side will do, and the other side itself
//! is one: `Plane` is `ℤ × ℤ`, and `make` maps each pair to itself. Every other choice differs by renaming elements.
//! Invariant: the other side is all of an infinite type, so that whatever has the type is in the set.

use base::{Name, Span};
use lang_eventb::check::{DeclId, DeclKind};
use lang_math::{ExprKind, Op, Type, TypeId};
use model::ty::Ty;
use model::{ExprId, Kind};
use rustc_hash::FxHashMap;
use smallvec::smallvec;

use super::{Lower, Ref};

/// The carrier sets that stand for other types.
#[derive(Default)]
pub(super) struct Copies {
    /// The type that a set stands for.
    pub types: FxHashMap<Name, TypeId>,
    /// The axioms that say so, with the constant that is the bijection.
    axioms: FxHashMap<lang_math::ExprId, DeclId>,
}

impl Lower<'_> {
    /// Finds them; `is_finite` names sets whose size is given.
    pub(super) fn find_copies(&mut self, is_finite: impl Fn(Name) -> bool) {
        let project = &self.checked.project;
        let mut candidates = Vec::new();
        for context in self.contexts() {
            let axioms = project.contexts[*context].axioms.iter();
            for axiom in axioms.filter(|axiom| !axiom.is_theorem) {
                candidates.extend(project.exprs.conjuncts(axiom.formula));
            }
        }
        // One set may stand for a type over another one.
        loop {
            let before = self.copies.types.len();
            for axiom in &candidates {
                self.find_copy(*axiom, &is_finite);
            }
            if self.copies.types.len() == before {
                return;
            }
        }
    }

    fn find_copy(&mut self, axiom: lang_math::ExprId, is_finite: &impl Fn(Name) -> bool) {
        let exprs = &self.checked.project.exprs;
        let ExprKind::Op(Op::Member, args) = exprs.kind(axiom) else {
            return;
        };
        let ExprKind::Op(Op::TotalBijections, sides) = exprs.kind(args[1]) else {
            return;
        };
        let Some(constant) = self.declared(args[0], DeclKind::Constant) else {
            return;
        };
        for (set, other) in [(sides[0], sides[1]), (sides[1], sides[0])] {
            let Some(set) = self.declared(set, DeclKind::Set) else {
                continue;
            };
            let name = self.world.decls[set].name;
            let Some(ty) = self.world.types_of[other.index()] else {
                continue;
            };
            let Type::Pow(element) = *self.world.types.get(ty) else {
                continue;
            };
            let is_new = !self.copies.types.contains_key(&name) && !is_finite(name);
            if is_new && self.is_whole(other) && self.is_infinite(element, name) {
                self.copies.types.insert(name, element);
                self.copies.axioms.insert(axiom, constant);
                return;
            }
        }
    }

    fn declared(&self, id: lang_math::ExprId, kind: DeclKind) -> Option<DeclId> {
        let decl = self.world.meanings[id.index()]?;
        (self.world.decls[decl].kind == kind).then_some(decl)
    }

    /// Whether an expression is all of a type.
    fn is_whole(&self, id: lang_math::ExprId) -> bool {
        match self.checked.project.exprs.kind(id) {
            ExprKind::Op(Op::Integers | Op::Booleans, _) => true,
            ExprKind::Op(Op::Cartesian | Op::PowerSet, args) => args
                .iter()
                .all(|arg| base::deep::recurse(|| self.is_whole(*arg))),
            ExprKind::Name(_) => self.declared(id, DeclKind::Set).is_some(),
            _ => false,
        }
    }

    /// Whether a type is infinite without a set in it.
    fn is_infinite(&self, ty: TypeId, set: Name) -> bool {
        let mut pending = vec![ty];
        let mut infinite = false;
        while let Some(ty) = pending.pop() {
            match self.world.types.get(ty) {
                Type::Int => infinite = true,
                Type::Bool => {}
                Type::Pow(element) => pending.push(*element),
                Type::Prod(left, right) => pending.extend([*left, *right]),
                Type::Given(name) if *name == set => return false,
                Type::Given(name) => pending.extend(self.copies.types.get(name)),
                _ => return false,
            }
        }
        infinite
    }

    /// Says what a set stands for.
    pub(super) fn copy(&mut self, decl: DeclId, element: TypeId) {
        let declared = &self.world.decls[decl];
        let Some(ty) = self.ty(element) else {
            self.unsupported(declared.span, format!("the set `{}`", declared.name));
            return;
        };
        self.refs.insert(decl, Ref::Whole(ty));
        let shown = self.model.tys.show(ty);
        let scope = format!("{} = {shown} (a bijection)", declared.name);
        self.model.scopes.push(scope);
    }

    /// The axiom by which a set is a copy, as what it says then: that the bijection maps everything to itself.
    pub(super) fn copy_axiom(&mut self, axiom: lang_math::ExprId, span: Span) -> Option<ExprId> {
        let constant = *self.copies.axioms.get(&axiom)?;
        let Some(Ref::Var(constant)) = self.refs.get(&constant).copied() else {
            return None;
        };
        let ty = self.model.variables[constant].ty;
        let Ty::Pow(pair) = self.model.tys[ty] else {
            return None;
        };
        let Ty::Prod(element, _) = self.model.tys[pair] else {
            return None;
        };
        let whole = self.carrier(element, span)?;
        let identity = self.push(Kind::Op(Op::Identity, smallvec![whole]), Some(ty), span);
        let constant = self.push(Kind::Var(constant), Some(ty), span);
        Some(self.push(
            Kind::Op(Op::Equal, smallvec![constant, identity]),
            None,
            span,
        ))
    }
}
