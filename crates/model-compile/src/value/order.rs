//! Equality, order and hash of values.
//!
//! Invariant: pairs compare by their components whatever their form, so that a list of pairs is sorted by its left sides.

use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::sync::Arc;

use super::V;

impl PartialEq for V {
    #[inline]
    fn eq(&self, other: &V) -> bool {
        match (self, other) {
            (V::Duo(kinds, a), V::Duo(others, b)) => a == b && kinds == others,
            (V::Trio(kinds, a), V::Trio(others, b)) => a == b && kinds == others,
            (V::Int(a), V::Int(b)) => a == b,
            (V::Word(a), V::Word(b)) => a == b,
            (V::Row(shape, a), V::Row(other, b)) => a == b && shape == other,
            _ => self.equals(other),
        }
    }
}

impl Eq for V {}

impl Hash for V {
    #[inline]
    fn hash<H: Hasher>(&self, state: &mut H) {
        match self {
            // What kinds of components it has follows from the type.
            V::Duo(_, [a, b]) => {
                state.write_u64(*a as u64);
                state.write_u64(*b as u64);
            }
            V::Trio(_, [a, b, c]) => {
                state.write_u64(u64::from(*a as u32) | u64::from(*b as u32) << 32);
                state.write_u64(u64::from(*c as u32));
            }
            V::Int(value) => state.write_u64(*value as u64),
            V::Word(word) => state.write_u64(*word),
            // Beside its bits, what tells rows of a type apart is small.
            V::Row(shape, [low, high]) => {
                state.write_u64(*low);
                state.write_u64(*high ^ shape.tag());
            }
            _ => self.hash_parts(state),
        }
    }
}

impl PartialOrd for V {
    fn partial_cmp(&self, other: &V) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// By kind, then by content; pairs by their components, whatever their form.
impl Ord for V {
    fn cmp(&self, other: &V) -> Ordering {
        match (self, other) {
            (V::Word(a), V::Word(b)) => a.cmp(b),
            (V::Int(a), V::Int(b)) => a.cmp(b),
            (V::Duo(kinds, a), V::Duo(others, b)) if kinds == others => a.cmp(b),
            (V::Trio(kinds, a), V::Trio(others, b)) if kinds == others => a.cmp(b),
            (V::Pair(a), V::Pair(b)) => match Arc::ptr_eq(a, b) {
                true => Ordering::Equal,
                false => a.cmp(b),
            },
            (V::Duo(..) | V::Trio(..) | V::Pair(_), V::Duo(..) | V::Trio(..) | V::Pair(_)) => {
                let left = self.with_left(|a| other.with_left(|b| a.cmp(b)));
                left.then_with(|| self.with_right(|a| other.with_right(|b| a.cmp(b))))
            }
            (V::Set(a), V::Set(b)) | (V::Rec(a), V::Rec(b)) => match Arc::ptr_eq(a, b) {
                true => Ordering::Equal,
                false => a.cmp(b),
            },
            (V::Row(..), V::Row(..) | V::Set(_) | V::Rec(_))
            | (V::Set(_) | V::Rec(_), V::Row(..)) => self.cmp_rows(other),
            (V::Wide(a), V::Wide(b)) => a.cmp(b),
            (V::Big(a), V::Big(b)) => a.cmp(b),
            (V::Real(a), V::Real(b)) => a.cmp(b),
            (V::Str(a), V::Str(b)) => a.cmp(b),
            (V::Free(a, x), V::Free(b, y)) => a.cmp(b).then_with(|| x.cmp(y)),
            (V::Sym(a), V::Sym(b)) => a.cmp(b),
            _ => self.rank().cmp(&other.rank()),
        }
    }
}

impl V {
    /// Equality of what is no number, code or pair in place.
    fn equals(&self, other: &V) -> bool {
        match (self, other) {
            (V::None, V::None) => true,
            (V::Wide(a), V::Wide(b)) => a == b,
            (V::Big(a), V::Big(b)) => a == b,
            (V::Real(a), V::Real(b)) => a == b,
            (V::Str(a), V::Str(b)) => a == b,
            (V::Pair(a), V::Pair(b)) => a == b,
            (V::Set(a), V::Set(b)) | (V::Rec(a), V::Rec(b)) => a == b,
            (V::Free(a, x), V::Free(b, y)) => a == b && x == y,
            (V::Sym(a), V::Sym(b)) => a == b,
            _ => false,
        }
    }

    fn hash_parts<H: Hasher>(&self, state: &mut H) {
        state.write_u8(self.rank());
        match self {
            V::None | V::Word(_) | V::Int(_) | V::Duo(..) | V::Trio(..) | V::Row(..) => {}
            V::Wide(mask) => mask.iter().for_each(|word| state.write_u64(*word)),
            V::Big(value) => value.hash(state),
            V::Real(value) => value.hash(state),
            V::Str(text) => text.hash(state),
            V::Pair(pair) => pair.hash(state),
            V::Set(parts) | V::Rec(parts) => parts.hash(state),
            V::Free(constructor, argument) => {
                constructor.hash(state);
                argument.hash(state);
            }
            V::Sym(sym) => sym.hash(state),
        }
    }

    /// Where its kind stands in the order.
    fn rank(&self) -> u8 {
        match self {
            V::None => 0,
            V::Word(_) => 1,
            V::Int(_) => 2,
            V::Wide(_) => 3,
            V::Big(_) => 4,
            V::Real(_) => 5,
            V::Str(_) => 6,
            V::Duo(..) | V::Trio(..) | V::Pair(_) => 7,
            V::Set(_) => 8,
            V::Row(shape, _) if !shape.is_record() => 8,
            V::Rec(_) | V::Row(..) => 9,
            V::Free(..) => 10,
            V::Sym(_) => 11,
        }
    }
}
