//! What a cut leaves of infinite sets (`docs/meaning.md`), and which free types are infinite.
//!
//! Invariant: what is left is a subset of the set, and finite.

use std::sync::Arc;

use lang_math::Op;
use model::{FreeId, Int, Model, Ty, TyId, Value};

use crate::Interp;
use crate::number;
use crate::set::{Rule, V};
use crate::stop::Run;

/// How deep values of a recursive free type are nested when they must be enumerated.
const FREE_DEPTH: u32 = 2;

impl Interp<'_> {
    /// Whether a free type has finitely many values.
    pub(crate) fn free_is_finite(&self, free: FreeId, seen: &mut Vec<FreeId>) -> bool {
        if seen.contains(&free) {
            return false;
        }
        seen.push(free);
        let finite = self.model.tys.free[free]
            .constructors
            .iter()
            .all(|(_, ty)| ty.is_none_or(|ty| self.type_is_finite(ty, seen)));
        seen.pop();
        finite
    }

    fn type_is_finite(&self, ty: TyId, seen: &mut Vec<FreeId>) -> bool {
        match &self.model.tys[ty] {
            Ty::Bool | Ty::Sort(_) => true,
            Ty::Int | Ty::Real | Ty::Str => false,
            Ty::Free(free) => self.free_is_finite(*free, seen),
            Ty::Pow(of) => self.type_is_finite(*of, seen),
            Ty::Prod(left, right) => {
                self.type_is_finite(*left, seen) && self.type_is_finite(*right, seen)
            }
            Ty::Record(fields) => fields.iter().all(|(_, ty)| self.type_is_finite(*ty, seen)),
        }
    }

    /// The values of a free type with constructors nested up to a depth, infinite parts cut.
    pub(crate) fn free_values(&mut self, free: FreeId, depth: u32) -> Run<Vec<Value>> {
        let mut found = Vec::new();
        let constructors = self.model.tys.free[free].constructors.clone();
        for (index, (_, ty)) in (0u32..).zip(constructors) {
            match ty {
                None => found.push(Value::Free(free, index, None)),
                Some(_) if depth == 0 || self.model.tys.is_unlisted(free, index) => {}
                Some(ty) => {
                    let arguments = self.limited_type(ty, depth - 1)?;
                    for argument in self.elements(&arguments)?.iter() {
                        found.push(Value::Free(free, index, Some(Arc::new(argument.clone()))));
                    }
                }
            }
        }
        Ok(found)
    }

    fn limited_type(&mut self, ty: TyId, depth: u32) -> Run<V> {
        let model = self.model;
        Ok(match &model.tys[ty] {
            Ty::Free(free) => Value::set(self.free_values(*free, depth)?).into(),
            Ty::Pow(of) => V::made(Op::PowerSet, [self.limited_type(*of, depth)?]),
            Ty::Prod(left, right) => V::made(
                Op::Cartesian,
                [
                    self.limited_type(*left, depth)?,
                    self.limited_type(*right, depth)?,
                ],
            ),
            Ty::Record(fields) => {
                let mut limited = Vec::new();
                for (name, ty) in fields {
                    limited.push((*name, self.limited_type(*ty, depth)?));
                }
                V::rule(Rule::Struct(limited))
            }
            _ => {
                let all = self.type_set(ty);
                self.limit(&all)?
            }
        })
    }

    /// What a cut leaves of an infinite set (`docs/meaning.md`: integers without a bound, sequences, strings).
    pub(crate) fn limit(&mut self, set: &V) -> Run<V> {
        let V::Rule(rule) = set else {
            return Ok(set.clone());
        };
        let (min, max) = (
            Int::Small(self.model.min_int),
            Int::Small(self.model.max_int),
        );
        Ok(match &**rule {
            Rule::Integers => V::interval(min, max),
            Rule::From(low) => V::interval(low.clone(), max.max(low.clone())),
            Rule::Strings => self.some_strings(),
            Rule::Reals => Value::set([-1.0, 0.0, 1.0].map(Value::Real).to_vec()).into(),
            Rule::Free(free) if !self.free_is_finite(*free, &mut Vec::new()) => {
                Value::set(self.free_values(*free, FREE_DEPTH)?).into()
            }
            Rule::Shift(_) => V::made(Op::DomainRestriction, [V::interval(min, max), set.clone()]),
            Rule::Struct(fields) => {
                let mut limited = Vec::new();
                for (name, set) in fields {
                    limited.push((*name, self.limit(set)?));
                }
                V::rule(Rule::Struct(limited))
            }
            Rule::Made(op @ (Op::Sequences | Op::Sequences1), operands) => {
                let of = self.limit(&operands[0])?;
                let length = number::index(&max).unwrap_or(0);
                V::rule(Rule::Short(*op, of, length))
            }
            Rule::Made(
                op @ (Op::DomainRestriction | Op::SetMinus | Op::Intersection),
                operands,
            ) => {
                let mut limited = operands.clone();
                limited[0] = self.limit(&limited[0])?;
                V::made(*op, limited)
            }
            Rule::Made(op, operands) => {
                let mut limited = Vec::new();
                for operand in operands {
                    limited.push(self.limit(operand)?);
                }
                V::made(*op, limited)
            }
            Rule::Constructor(free, constructor) => {
                let (free, constructor) = (*free, *constructor);
                let ty = self.model.tys.free[free].constructors[constructor as usize].1;
                let mut pairs = Vec::new();
                if let Some(ty) = ty {
                    let arguments = self.limited_type(ty, FREE_DEPTH)?;
                    for argument in self.elements(&arguments)?.iter() {
                        let built =
                            Value::Free(free, constructor, Some(Arc::new(argument.clone())));
                        pairs.push(Value::pair(argument.clone(), built));
                    }
                }
                Value::set(pairs).into()
            }
            _ => set.clone(),
        })
    }

    /// The literals of the model and two further strings.
    fn some_strings(&self) -> V {
        let mut strings: Vec<Value> = self
            .model
            .strings
            .iter()
            .map(|name| Value::Str(name.as_str().into()))
            .collect();
        let wanted = strings.len() + 2;
        for i in 1.. {
            if strings.len() == wanted {
                break;
            }
            let fresh = Value::Str(format!("STR{i}").into());
            if !strings.contains(&fresh) {
                strings.push(fresh);
            }
        }
        Value::set(strings).into()
    }
}

/// The elements of all carrier sets, in order.
pub(crate) fn carriers(model: &Model) -> Vec<V> {
    let sets = model.tys.sorts.iter().map(|(id, sort)| {
        let count = u32::try_from(sort.elements.len()).unwrap_or(u32::MAX);
        V::Plain(Value::Set(
            (0..count).map(|i| Value::Element(id, i)).collect(),
        ))
    });
    sets.collect()
}
