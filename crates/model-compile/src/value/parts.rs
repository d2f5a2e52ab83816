//! Values by their types: components of pairs and records, elements of sets, and the form in which evaluators exchange them.
//!
//! Invariant: what is put together from the parts of a value is that value.

use std::sync::Arc;

use base::Name;
use model::{Int, Ty, TyId, Value};

use super::{Elements, Kinds, Real, Row, V, bits};
use crate::rep::{Rep, Reps};

impl Reps {
    /// The pair of two values.
    pub(crate) fn join(&self, pair: TyId, left: V, right: V) -> V {
        let info = &self[pair];
        match (info.rep, &left, &right) {
            (Rep::Word, V::Word(left), V::Word(right)) => V::Word(left * info.right + right),
            _ => V::pair(left, right),
        }
    }

    /// The components of a pair.
    pub(crate) fn split(&self, pair: TyId, value: &V) -> (V, V) {
        match value {
            V::Word(code) => {
                let right = self[pair].right.max(1);
                (V::Word(code / right), V::Word(code % right))
            }
            _ => value.components().unwrap_or((V::None, V::None)),
        }
    }

    /// The left component of a pair.
    pub(crate) fn left(&self, pair: TyId, value: &V) -> V {
        match value {
            V::Word(code) => V::Word(code / self[pair].right.max(1)),
            _ => value.with_left(V::clone),
        }
    }

    /// Whether a pair comes before those with left component `x`.
    pub(crate) fn is_left_below(&self, pair: TyId, value: &V, x: &V) -> bool {
        match (value, x) {
            (V::Duo(Kinds([false, _]), [left, _]), V::Int(x)) => left < x,
            (V::Trio(_, [a, b, _]), V::Duo(_, x)) => [i64::from(*a), i64::from(*b)] < *x,
            (V::Word(code), V::Word(x)) => *code < x * self[pair].right.max(1),
            (V::Word(_), _) => self.left(pair, value) < *x,
            _ => value.with_left(|left| left < x),
        }
    }

    /// Whether a pair has this left component.
    #[inline]
    pub(crate) fn has_left(&self, pair: TyId, value: &V, x: &V) -> bool {
        match (value, x) {
            (V::Duo(Kinds([false, _]), [left, _]), V::Int(x)) => left == x,
            (V::Duo(_, [left, _]), V::Word(x)) => *left as u64 == *x,
            (V::Trio(_, [a, b, _]), V::Duo(_, x)) => [i64::from(*a), i64::from(*b)] == *x,
            (V::Pair(pair), V::Int(x)) => matches!(&pair.0, V::Int(left) if left == x),
            (V::Pair(pair), V::Word(x)) => matches!(&pair.0, V::Word(left) if left == x),
            (V::Word(code), V::Word(x)) => {
                let right = self[pair].right.max(1);
                code.wrapping_sub(x * right) < right
            }
            (V::Word(_), _) => self.left(pair, value) == *x,
            _ => value.with_left(|left| left == x),
        }
    }

    /// Whether a pair has this right component.
    pub(crate) fn has_right(&self, pair: TyId, value: &V, y: &V) -> bool {
        match value {
            V::Word(_) => self.right(pair, value) == *y,
            _ => value.with_right(|right| right == y),
        }
    }

    /// The right component of a pair.
    pub(crate) fn right(&self, pair: TyId, value: &V) -> V {
        match value {
            V::Word(code) => V::Word(code % self[pair].right.max(1)),
            _ => value.with_right(V::clone),
        }
    }

    /// A record from its fields in order.
    pub(crate) fn record(&self, ty: TyId, fields: Vec<V>) -> V {
        if self[ty].rep != Rep::Word {
            return match Row::of_fields(&fields) {
                Some(row) => row.value(),
                None => V::Rec(fields.into()),
            };
        }
        let types = self.fields(ty);
        let code = fields
            .iter()
            .zip(types)
            .fold(0, |code, (value, (_, field))| {
                code * self[*field].size as u64 + value.word()
            });
        V::Word(code)
    }

    /// The fields of a record in order.
    pub(crate) fn record_fields(&self, ty: TyId, value: &V) -> Vec<V> {
        match value {
            V::Rec(fields) => fields.to_vec(),
            V::Row(..) => (0..self.fields(ty).len())
                .map(|at| self.field(ty, value, at))
                .collect(),
            V::Word(code) => {
                let mut code = *code;
                let mut fields = vec![V::None; self.fields(ty).len()];
                for (i, (_, field)) in self.fields(ty).iter().enumerate().rev() {
                    let size = (self[*field].size as u64).max(1);
                    fields[i] = V::Word(code % size);
                    code /= size;
                }
                fields
            }
            _ => Vec::new(),
        }
    }

    /// One field of a record.
    pub(crate) fn field(&self, ty: TyId, value: &V, at: usize) -> V {
        match value {
            V::Rec(fields) => fields[at].clone(),
            V::Row(shape, bits) => {
                let number = Row::from_parts(*shape, *bits).field(at);
                match self[self.fields(ty)[at].1].rep {
                    Rep::Int => V::Int(number as i64),
                    _ => V::Word(number),
                }
            }
            _ => self.record_fields(ty, value)[at].clone(),
        }
    }

    /// The position of a field.
    pub(crate) fn field_index(&self, ty: TyId, name: Name) -> usize {
        self.fields(ty)
            .iter()
            .position(|(field, _)| *field == name)
            .unwrap_or(0)
    }

    /// The set of these elements, in any order, duplicates allowed.
    pub(crate) fn set(&self, ty: TyId, mut elements: Vec<V>) -> V {
        match self[ty].rep {
            Rep::Word => V::Word(elements.iter().fold(0, |mask, e| mask | 1 << e.word())),
            Rep::Wide => V::of_wide(elements.iter().fold(0, |mask, e| mask | 1 << e.word())),
            _ => {
                if !elements.is_sorted_by(|a, b| a < b) {
                    elements.sort_unstable();
                    elements.dedup();
                }
                V::listed(elements)
            }
        }
    }

    /// The empty set of a type.
    pub(crate) fn empty(&self, ty: TyId) -> V {
        self.set(ty, Vec::new())
    }

    /// Whether a set is the listed empty set.
    pub(crate) fn is_empty(&self, set: &V) -> bool {
        match set {
            V::Word(mask) => *mask == 0,
            V::Wide(mask) => *mask == [0, 0],
            V::Set(elements) => elements.is_empty(),
            _ => false,
        }
    }

    /// The elements of a listed set; `None` for a symbolic one.
    pub(crate) fn listed(&self, set: &V) -> Option<Elements> {
        match set {
            V::Word(mask) => Some(Elements::Own(
                bits(u128::from(*mask)).map(V::Word).collect(),
            )),
            V::Wide(_) => Some(Elements::Own(bits(set.wide()).map(V::Word).collect())),
            V::Set(elements) => Some(Elements::Shared(elements.clone())),
            V::Row(shape, bits) => {
                let row = Row::from_parts(*shape, *bits);
                Some(Elements::Own(row.elements().collect()))
            }
            _ => None,
        }
    }

    /// The value in the form that evaluators exchange; `None` when a symbolic set is in it.
    pub(crate) fn to_value(&self, ty: TyId, value: &V) -> Option<Value> {
        let info = &self[ty];
        Some(match (&info.ty, value) {
            (_, V::None | V::Sym(_)) => return None,
            (Ty::Bool, value) => Value::Bool(value.word() != 0),
            (Ty::Sort(sort), value) => Value::Element(*sort, value.word() as u32),
            (Ty::Int, V::Int(value)) => Value::int(*value),
            (Ty::Int, value) => Value::Int(Int::new(value.to_big())),
            (Ty::Real, value) => Value::Real(value.real()),
            (Ty::Str, V::Str(text)) => Value::Str(text.clone()),
            (Ty::Str, _) => return None,
            (Ty::Prod(left, right), value) => {
                let (a, b) = self.split(ty, value);
                Value::pair(self.to_value(*left, &a)?, self.to_value(*right, &b)?)
            }
            (Ty::Record(types), value) => {
                let fields = self.record_fields(ty, value);
                let fields: Option<Vec<(Name, Value)>> = types
                    .iter()
                    .zip(&fields)
                    .map(|((name, ty), value)| Some((*name, self.to_value(*ty, value)?)))
                    .collect();
                Value::Record(fields?.into())
            }
            (Ty::Pow(element), value) => {
                let elements = self.listed(value)?;
                let elements: Option<Vec<Value>> = elements
                    .iter()
                    .map(|e| self.to_value(*element, e))
                    .collect();
                Value::set(elements?)
            }
            (Ty::Free(free), V::Free(constructor, argument)) => {
                let argument = match argument {
                    None => None,
                    Some(argument) => {
                        let ty = self.argument(*free, *constructor)?;
                        Some(Arc::new(self.to_value(ty, argument)?))
                    }
                };
                Value::Free(*free, *constructor, argument)
            }
            (Ty::Free(_), _) => return None,
        })
    }

    /// The inner form of a value.
    pub(crate) fn of_value(&self, ty: TyId, value: &Value) -> V {
        match (&self[ty].ty, value) {
            (_, Value::Bool(value)) => V::bool(*value),
            (_, Value::Int(Int::Small(value))) => V::Int(*value),
            (_, Value::Int(Int::Big(value))) => V::Big(value.clone()),
            (_, Value::Real(value)) => V::Real(Real(*value)),
            (_, Value::Str(text)) => V::Str(text.clone()),
            (_, Value::Element(_, index)) => V::Word(u64::from(*index)),
            (Ty::Prod(left, right), Value::Pair(pair)) => self.join(
                ty,
                self.of_value(*left, &pair.0),
                self.of_value(*right, &pair.1),
            ),
            (Ty::Pow(element), Value::Set(elements)) => self.set(
                ty,
                elements
                    .iter()
                    .map(|e| self.of_value(*element, e))
                    .collect(),
            ),
            (Ty::Record(types), Value::Record(fields)) => {
                let fields = types
                    .iter()
                    .zip(fields.iter())
                    .map(|((_, ty), (_, value))| self.of_value(*ty, value))
                    .collect();
                self.record(ty, fields)
            }
            (Ty::Free(free), Value::Free(_, constructor, argument)) => {
                let argument = argument.as_ref().and_then(|argument| {
                    let ty = self.argument(*free, *constructor)?;
                    Some(Arc::new(self.of_value(ty, argument)))
                });
                V::Free(*constructor, argument)
            }
            _ => V::None,
        }
    }
}
