//! Types of the checker as types of the model, and the sets of all their values.

use base::{Name, Span, deep};
use lang_math::{Op, Type, TypeId};
use lang_z::check::types as z;
use model::{ExprId, Kind, Ty, TyId};
use smallvec::smallvec;

use super::Lower;

impl Lower<'_> {
    /// The type of the model for a type of the checker.
    pub(super) fn ty(&mut self, ty: TypeId) -> Option<TyId> {
        let lowered = match self.checked.types.get(ty).clone() {
            Type::Int => Ty::Int,
            Type::Given(name) => return self.given(name),
            Type::Pow(element) => Ty::Pow(deep::recurse(|| self.ty(element))?),
            Type::Prod(left, right) => {
                let left = deep::recurse(|| self.ty(left))?;
                Ty::Prod(left, deep::recurse(|| self.ty(right))?)
            }
            Type::Record(fields) if z::is_tuple(&fields) => {
                let mut parts = fields.into_iter().map(|(_, ty)| ty);
                let mut tuple = self.ty(parts.next()?)?;
                for part in parts {
                    let part = deep::recurse(|| self.ty(part))?;
                    tuple = self.model.tys.intern(Ty::Prod(tuple, part));
                }
                return Some(tuple);
            }
            Type::Record(fields) => {
                let mut lowered = Vec::with_capacity(fields.len());
                for (name, ty) in fields {
                    lowered.push((name, deep::recurse(|| self.ty(ty))?));
                }
                Ty::Record(lowered)
            }
            // Nothing depends on a type that nothing determines.
            Type::Var(_) => Ty::Int,
            Type::Bool | Type::Real | Type::Str | Type::Error => return None,
        };
        Some(self.model.tys.intern(lowered))
    }

    fn given(&mut self, name: Name) -> Option<TyId> {
        if let Some(ty) = self.parameters.get(&name) {
            return Some(*ty);
        }
        if let Some(sort) = self.sorts.get(&name) {
            let ty = Ty::Sort(*sort);
            return Some(self.model.tys.intern(ty));
        }
        let free = self.frees.get(&name)?.id;
        Some(self.model.tys.intern(Ty::Free(free)))
    }

    /// The type of sets of a type.
    pub(super) fn set_of(&mut self, element: TyId) -> TyId {
        self.model.tys.intern(Ty::Pow(element))
    }

    /// The type of pairs.
    pub(super) fn pair_of(&mut self, left: TyId, right: TyId) -> TyId {
        self.model.tys.intern(Ty::Prod(left, right))
    }

    /// The type of the elements of a set expression.
    pub(super) fn element_of(&self, set: ExprId) -> Option<TyId> {
        match self.model.tys[self.ty_of(set)?] {
            Ty::Pow(element) => Some(element),
            _ => None,
        }
    }

    /// The set of all values of a type.
    pub(super) fn carrier(&mut self, ty: TyId, span: Span) -> Option<ExprId> {
        let set = self.set_of(ty);
        let kind = match self.model.tys[ty].clone() {
            Ty::Int => Kind::Op(Op::Integers, smallvec![]),
            Ty::Sort(sort) => Kind::Carrier(sort),
            Ty::Free(free) => return self.free_set(free, span),
            Ty::Pow(element) => {
                let element = deep::recurse(|| self.carrier(element, span))?;
                Kind::Op(Op::PowerSet, smallvec![element])
            }
            Ty::Prod(left, right) => {
                let left = deep::recurse(|| self.carrier(left, span))?;
                let right = deep::recurse(|| self.carrier(right, span))?;
                Kind::Op(Op::Cartesian, smallvec![left, right])
            }
            Ty::Record(fields) => {
                let mut sets = Vec::with_capacity(fields.len());
                for (name, ty) in fields {
                    sets.push((name, deep::recurse(|| self.carrier(ty, span))?));
                }
                Kind::Struct(sets)
            }
            Ty::Bool | Ty::Real | Ty::Str => return None,
        };
        Some(self.push(kind, Some(set), span))
    }

    /// Whether the values of a type of the model are more than those of the type of Z.
    pub(super) fn is_restricted(&self, ty: TyId) -> bool {
        deep::recurse(|| match &self.model.tys[ty] {
            Ty::Free(free) => {
                let known = self.frees.values().find(|known| known.id == *free);
                known.is_some_and(|known| known.restricted && !known.recursive)
            }
            Ty::Pow(element) => self.is_restricted(*element),
            Ty::Prod(left, right) => self.is_restricted(*left) || self.is_restricted(*right),
            Ty::Record(fields) => fields.iter().any(|(_, ty)| self.is_restricted(*ty)),
            _ => false,
        })
    }
}
