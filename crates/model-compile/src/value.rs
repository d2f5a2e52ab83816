//! Values while they are computed: words where the type is coded, canonical trees otherwise.
//!
//! Invariant: equal values are equal data (hashing and interning rely on it); only symbolic sets may have
//! several forms, and comparing those goes through [`crate::symbolic`]. The order is an internal one: it
//! sorts set elements and is turned into the order of the notation when a value leaves the crate.

mod order;
mod parts;
mod row;

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use num_bigint::BigInt;
use num_traits::ToPrimitive as _;

pub(crate) use self::row::{
    Bits, Held, Row, Shape, field_in_slot, image_in_slot, is_row, slot_with, slot_with_field,
};
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

    /// The left component of a pair that is not coded, when it is a small integer or a code.
    #[inline]
    pub(crate) fn left_number(&self) -> Option<i64> {
        match self {
            V::Duo(_, [left, _]) => Some(*left),
            V::Pair(pair) => pair.0.number(),
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
