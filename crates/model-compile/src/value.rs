//! Values while they are computed: words where the type is coded, canonical trees otherwise.
//!
//! Invariant: equal values are equal data (hashing and interning rely on it); only symbolic sets may have
//! several forms, and comparing those goes through [`crate::symbolic`]. The order is an internal one: it
//! sorts set elements and is turned into the order of the notation when a value leaves the crate.

mod order;
mod row;

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use base::Name;
use model::{Int, Ty, TyId, Value};
use num_bigint::BigInt;
use num_traits::ToPrimitive as _;

pub(crate) use self::row::{
    Bits, Held, Row, Shape, field_in_slot, image_in_slot, is_row, slot_with, slot_with_field,
};
use crate::rep::{Rep, Reps};
use crate::symbolic::Sym;

/// A value. Its type is known from where it stands.
#[derive(Clone, Debug)]
pub(crate) enum V {
    /// No value yet.
    None,
    /// A code.
    Word(u64),
    /// A small integer.
    Int(i64),
    /// A set over up to 128 codes, low word first.
    Wide([u64; 2]),
    /// An integer that needs more than a word.
    Big(Arc<BigInt>),
    /// A real.
    Real(Real),
    /// A string.
    Str(Arc<str>),
    /// A pair of small integers or codes, in place: functions between numbers and elements are one piece of memory.
    Duo(Kinds, [i64; 2]),
    /// A pair of such a pair and a number or code, in place: boards and relations of three sides are one piece of memory too.
    Trio([bool; 3], [i32; 3]),
    /// Any other pair that is not coded.
    Pair(Arc<(V, V)>),
    /// A small function, set of integers or record, in place.
    Row(Shape, Bits),
    /// A finite set, sorted without duplicates, that is no row.
    Set(Arc<[V]>),
    /// The fields of a record that is no row, in the order of their names.
    Rec(Arc<[V]>),
    /// A value of a free type.
    Free(u32, Option<Arc<V>>),
    /// A set that is not listed.
    Sym(Arc<Sym>),
}

/// Which components of a pair in place are codes; the others are integers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Kinds([bool; 2]);

impl Kinds {
    /// As a number.
    pub(crate) fn code(self) -> u8 {
        u8::from(self.0[0]) | u8::from(self.0[1]) << 1
    }

    /// What [`Kinds::code`] gave.
    pub(crate) fn of_code(code: u8) -> Option<Kinds> {
        (code < 4).then_some(Kinds([code & 1 != 0, code & 2 != 0]))
    }

    /// Whether a component is a code.
    pub(crate) fn is_code(self, at: usize) -> bool {
        self.0[at]
    }

    pub(crate) fn component(self, at: usize, part: i64) -> V {
        match self.0[at] {
            true => V::Word(part as u64),
            false => V::Int(part),
        }
    }
}

/// A real that compares and hashes by its bits' order.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Real(pub f64);

impl PartialEq for Real {
    fn eq(&self, other: &Real) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}
impl Eq for Real {}
impl PartialOrd for Real {
    fn partial_cmp(&self, other: &Real) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Real {
    fn cmp(&self, other: &Real) -> Ordering {
        self.0.total_cmp(&other.0)
    }
}
impl Hash for Real {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.0.to_bits().hash(state);
    }
}

/// The elements of a finite set.
pub(crate) enum Elements {
    Shared(Arc<[V]>),
    Own(Vec<V>),
}

impl std::ops::Deref for Elements {
    type Target = [V];
    fn deref(&self) -> &[V] {
        match self {
            Elements::Shared(elements) => elements,
            Elements::Own(elements) => elements,
        }
    }
}

impl Elements {
    pub(crate) fn into_vec(self) -> Vec<V> {
        match self {
            Elements::Shared(elements) => elements.to_vec(),
            Elements::Own(elements) => elements,
        }
    }
}

impl V {
    /// A pair that is not coded.
    pub(crate) fn pair(left: V, right: V) -> V {
        let part = |component: &V| match component {
            V::Int(value) => Some((false, *value)),
            V::Word(code) => i64::try_from(*code).ok().map(|code| (true, code)),
            _ => None,
        };
        match (part(&left), part(&right)) {
            (Some((a, x)), Some((b, y))) => V::Duo(Kinds([a, b]), [x, y]),
            (None, Some((c, z))) if let Some(trio) = left.and_third(c, z) => trio,
            _ => V::Pair(Arc::new((left, right))),
        }
    }

    /// A pair in place and a third number, in place; `None` where one of them is too large.
    fn and_third(&self, is_code: bool, third: i64) -> Option<V> {
        let V::Duo(Kinds([a, b]), [x, y]) = self else {
            return None;
        };
        let [x, y, z] = [*x, *y, third].map(i32::try_from);
        Some(V::Trio([*a, *b, is_code], [x.ok()?, y.ok()?, z.ok()?]))
    }

    /// The pair on the left of three in place.
    fn first_two([a, b, _]: [bool; 3], [x, y, _]: [i32; 3]) -> V {
        V::Duo(Kinds([a, b]), [i64::from(x), i64::from(y)])
    }

    /// The number or code on the right of three in place.
    fn third(kinds: [bool; 3], parts: [i32; 3]) -> V {
        Kinds([false, kinds[2]]).component(1, i64::from(parts[2]))
    }

    /// The components of a pair that is not coded.
    pub(crate) fn components(&self) -> Option<(V, V)> {
        match self {
            V::Duo(kinds, [a, b]) => Some((kinds.component(0, *a), kinds.component(1, *b))),
            V::Trio(kinds, parts) => Some((V::first_two(*kinds, *parts), V::third(*kinds, *parts))),
            V::Pair(pair) => Some((pair.0.clone(), pair.1.clone())),
            _ => None,
        }
    }

    /// Looks at the left component of a pair that is not coded.
    pub(crate) fn with_left<T>(&self, look: impl FnOnce(&V) -> T) -> T {
        match self {
            V::Duo(kinds, [a, _]) => look(&kinds.component(0, *a)),
            V::Trio(kinds, parts) => look(&V::first_two(*kinds, *parts)),
            V::Pair(pair) => look(&pair.0),
            _ => look(&V::None),
        }
    }

    /// Looks at the right component of a pair that is not coded.
    pub(crate) fn with_right<T>(&self, look: impl FnOnce(&V) -> T) -> T {
        match self {
            V::Duo(kinds, [_, b]) => look(&kinds.component(1, *b)),
            V::Trio(kinds, parts) => look(&V::third(*kinds, *parts)),
            V::Pair(pair) => look(&pair.1),
            _ => look(&V::None),
        }
    }

    /// The left component of a pair that is not coded, when it is a small integer.
    #[inline]
    pub(crate) fn left_int(&self) -> Option<i64> {
        match self {
            V::Duo(Kinds([false, _]), [left, _]) => Some(*left),
            V::Pair(pair) => pair.0.small(),
            _ => None,
        }
    }

    pub(crate) fn word(&self) -> u64 {
        match self {
            V::Word(word) => *word,
            _ => 0,
        }
    }

    pub(crate) fn wide(&self) -> u128 {
        match self {
            V::Wide([low, high]) => u128::from(*low) | u128::from(*high) << 64,
            V::Word(word) => u128::from(*word),
            _ => 0,
        }
    }

    pub(crate) fn of_wide(mask: u128) -> V {
        V::Wide([mask as u64, (mask >> 64) as u64])
    }

    pub(crate) fn bool(value: bool) -> V {
        V::Word(u64::from(value))
    }

    pub(crate) fn big(value: BigInt) -> V {
        match value.to_i64() {
            Some(small) => V::Int(small),
            None => V::Big(Arc::new(value)),
        }
    }

    /// The integer as a big one.
    pub(crate) fn to_big(&self) -> BigInt {
        match self {
            V::Int(value) => BigInt::from(*value),
            V::Big(value) => (**value).clone(),
            _ => BigInt::default(),
        }
    }

    /// About the bytes of its parts.
    pub(crate) fn heap_bytes(&self) -> u64 {
        // Two counts of an `Arc`.
        const SHARED: u64 = 16;
        let all = |parts: &[V]| -> u64 {
            let inner: u64 = parts.iter().map(V::heap_bytes).sum();
            SHARED + size_of_val(parts) as u64 + inner
        };
        match self {
            V::None
            | V::Word(_)
            | V::Int(_)
            | V::Wide(_)
            | V::Real(_)
            | V::Duo(..)
            | V::Trio(..)
            | V::Row(..)
            | V::Free(_, None) => 0,
            V::Big(value) => 48 + value.bits() / 8,
            V::Str(text) => SHARED + text.len() as u64,
            V::Pair(pair) => {
                SHARED + size_of::<(V, V)>() as u64 + pair.0.heap_bytes() + pair.1.heap_bytes()
            }
            V::Set(parts) | V::Rec(parts) => all(parts),
            V::Free(_, Some(argument)) => all(std::slice::from_ref(argument)),
            V::Sym(_) => 200,
        }
    }

    /// The integer, when it is small.
    pub(crate) fn small(&self) -> Option<i64> {
        match self {
            V::Int(value) => Some(*value),
            _ => None,
        }
    }

    pub(crate) fn real(&self) -> f64 {
        match self {
            V::Real(value) => value.0,
            _ => 0.0,
        }
    }

    pub(crate) fn text(&self) -> &str {
        match self {
            V::Str(text) => text,
            _ => "",
        }
    }

    pub(crate) fn str(text: &str) -> V {
        V::Str(text.into())
    }

    /// Integers by size, not by form.
    pub(crate) fn cmp_number(&self, other: &V) -> Ordering {
        match (self, other) {
            (V::Int(a), V::Int(b)) => a.cmp(b),
            (V::Real(a), V::Real(b)) => a.cmp(b),
            _ => self.to_big().cmp(&other.to_big()),
        }
    }
}

/// The positions of the bits that are set.
pub(crate) fn bits(mut mask: u128) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        if mask == 0 {
            return None;
        }
        let bit = mask.trailing_zeros();
        mask &= mask - 1;
        Some(u64::from(bit))
    })
}

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
            (V::Word(code), V::Word(x)) => code / self[pair].right.max(1) < *x,
            (V::Word(_), _) => self.left(pair, value) < *x,
            _ => value.with_left(|left| left < x),
        }
    }

    /// Whether a pair has this left component.
    pub(crate) fn has_left(&self, pair: TyId, value: &V, x: &V) -> bool {
        match (value, x) {
            (V::Duo(Kinds([false, _]), [left, _]), V::Int(x)) => left == x,
            (V::Trio(_, [a, b, _]), V::Duo(_, x)) => [i64::from(*a), i64::from(*b)] == *x,
            (V::Word(code), V::Word(x)) => code / self[pair].right.max(1) == *x,
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
