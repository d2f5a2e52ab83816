//! Sets whose elements are sets that are not listed: equal elements are made the same value before an operator looks at them.
//!
//! A rule may have several forms (`STRING` and `STRING /\ STRING`), but sorted lists, masks and look-ups take values for equal
//! only when they are the same data. So operands with rules in them are rewritten: of rules that are equal the first stands
//! for all. Where nobody knows whether two are equal, the result of the operator is unknown.
//! Invariant: what has no rule in it costs one look at one element.

use model::{Ty, TyId};

use crate::cx::{Cx, R};
use crate::rep::Rep;
use crate::value::V;

/// Sets that were met, with their types; equal ones once.
type Known = Vec<(TyId, V)>;

impl Cx<'_> {
    /// Whether a rule stands somewhere in a value.
    pub(crate) fn has_symbolic(&self, value: &V) -> bool {
        match value {
            V::Sym(_) => true,
            V::Pair(pair) => self.has_symbolic(&pair.0) || self.has_symbolic(&pair.1),
            V::Rec(fields) => fields.iter().any(|field| self.has_symbolic(field)),
            V::Set(elements) => {
                elements.last().is_some_and(may_hold)
                    && elements.iter().any(|element| self.has_symbolic(element))
            }
            V::Free(_, Some(argument)) => self.has_symbolic(argument),
            _ => false,
        }
    }

    /// Whether a rule is an element of a listed set, or a part of one.
    pub(crate) fn holds_rules(&self, set: &V) -> bool {
        matches!(set, V::Set(_)) && self.has_symbolic(set)
    }

    /// The set of elements that were collected one by one.
    pub(crate) fn collected(&mut self, ty: TyId, elements: Vec<V>) -> R<V> {
        let holds = elements.last().is_some_and(may_hold);
        if elements.len() > 1 && holds && elements.iter().any(|element| self.has_symbolic(element))
        {
            let types = vec![self.reps().element(ty); elements.len()];
            let elements = self.alike(&types, &elements, true)?;
            return Ok(self.reps().set(ty, elements));
        }
        Ok(self.reps().set(ty, elements))
    }

    /// The values with equal rules made the same; each has a type. `is_element` says that they are to be elements of one set.
    pub(crate) fn alike(&mut self, types: &[TyId], values: &[V], is_element: bool) -> R<Vec<V>> {
        let mut known = Known::new();
        let mut same = Vec::with_capacity(values.len());
        for (ty, value) in types.iter().zip(values) {
            same.push(match value {
                // A rule by itself is asked as such.
                V::Sym(_) if !is_element => value.clone(),
                _ => self.made_alike(*ty, value, is_element, &mut known)?,
            });
        }
        Ok(same)
    }

    fn made_alike(&mut self, ty: TyId, value: &V, is_part: bool, known: &mut Known) -> R<V> {
        let reps = self.reps();
        let info = &reps[ty];
        if info.rep != Rep::Tree {
            return Ok(value.clone());
        }
        match (&info.ty, value) {
            (Ty::Pow(element), V::Set(elements)) => {
                let element = *element;
                let mut same = Vec::with_capacity(elements.len());
                for part in elements.iter() {
                    same.push(self.made_alike(element, part, true, known)?);
                }
                let set = reps.set(ty, same);
                if is_part {
                    self.first_equal(ty, set, known)
                } else {
                    Ok(set)
                }
            }
            (Ty::Pow(_), V::Sym(_)) => self.first_equal(ty, value.clone(), known),
            (Ty::Prod(..), V::Pair(pair)) => {
                let (left, right) = reps.parts(ty);
                let a = self.made_alike(left, &pair.0, true, known)?;
                let b = self.made_alike(right, &pair.1, true, known)?;
                Ok(reps.join(ty, a, b))
            }
            (Ty::Record(fields), V::Rec(parts)) => {
                let mut same = Vec::with_capacity(parts.len());
                for ((_, field), part) in fields.clone().iter().zip(parts.iter()) {
                    same.push(self.made_alike(*field, part, true, known)?);
                }
                Ok(V::Rec(same.into()))
            }
            (Ty::Free(free), V::Free(constructor, Some(argument))) => {
                match reps.argument(*free, *constructor) {
                    Some(inner) => {
                        let argument = self.made_alike(inner, argument, true, known)?;
                        Ok(V::Free(*constructor, Some(argument.into())))
                    }
                    None => Ok(value.clone()),
                }
            }
            _ => Ok(value.clone()),
        }
    }

    /// The first set of this type that is equal.
    fn first_equal(&mut self, ty: TyId, set: V, known: &mut Known) -> R<V> {
        if known.iter().any(|(of, other)| *of == ty && *other == set) {
            return Ok(set);
        }
        for (_, other) in known.iter().filter(|(of, _)| *of == ty) {
            if self.equal(other, &set)? {
                return Ok(other.clone());
            }
        }
        known.push((ty, set.clone()));
        Ok(set)
    }
}

/// Whether values of the type of this one may have sets in them that are not listed.
fn may_hold(value: &V) -> bool {
    match value {
        V::Set(_) | V::Sym(_) | V::Free(..) => true,
        V::Pair(pair) => may_hold(&pair.0) || may_hold(&pair.1),
        V::Rec(fields) => fields.iter().any(may_hold),
        _ => false,
    }
}
