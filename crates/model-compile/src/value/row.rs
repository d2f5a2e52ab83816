//! Small functions, sets of integers and records in place: no pointer is followed, nothing is counted, and many are a slot
//! of the state themselves.
//!
//! A row is a list of fields of equal width, at most 128 bits together. Field `i` of a function belongs to the left side
//! `low + i` and holds its image plus one, or zero where there is none; bit `i` of a set says whether `low + i` is in; a record
//! has its fields one after the other. A relation that is no function is told in `relation.rs`.
//! Invariant: a value that can be a row is one, and it has one form: `low` is the least left side or element, and fields are as
//! narrow as the largest allows. So equal values are equal bits.
//! Invariant: rows compare with each other and with lists as the lists of their elements do.

mod making;
mod order;
mod relation;
mod slots;
#[cfg(test)]
mod tests;

use model::{Ty, TyId};

pub(crate) use self::slots::{field_in_slot, image_in_slot, is_row, slot_with, slot_with_field};

use super::{Kinds, V};
use crate::rep::{Rep, Reps};

/// What a row holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Held {
    /// A set of integers.
    Integers,
    /// A function whose left and right sides are small integers or codes.
    Function(Kinds),
    /// A record whose fields are small integers or codes.
    Record,
}

/// How the bits of a row are read.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Shape {
    low: i16,
    /// Of fields; for a relation that is no function the number of columns, marked.
    width: u8,
    /// The least right side of such a relation, zero for anything else.
    right: i8,
    holds: Held,
}

impl Shape {
    pub(super) fn is_record(&self) -> bool {
        self.holds == Held::Record
    }

    /// Where it begins and how wide fields are, as one number.
    pub(super) fn tag(&self) -> u64 {
        u64::from(self.low as u16) << 48
            | u64::from(self.width) << 40
            | u64::from(self.right as u8) << 32
    }
}

/// The bits of a row.
pub(crate) type Bits = [u64; 2];

/// A small function, set or record.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Row {
    shape: Shape,
    bits: u128,
}

/// Bits of all fields.
const ROOM: u32 = u128::BITS;
/// A field is at most so wide.
const WIDEST: u32 = 32;

/// The top bit of each field, by width: one of them is set in a row that is as narrow as can be.
static TOPS: [u128; WIDEST as usize + 1] = tops();

const fn tops() -> [u128; WIDEST as usize + 1] {
    let mut all = [0; WIDEST as usize + 1];
    let mut width = 1;
    while width <= WIDEST {
        let mut at = width;
        while at <= ROOM {
            all[width as usize] |= 1 << (at - 1);
            at += width;
        }
        width += 1;
    }
    all
}

impl Row {
    #[inline]
    pub(crate) fn from_parts(shape: Shape, bits: Bits) -> Row {
        Row {
            shape,
            bits: u128::from(bits[0]) | u128::from(bits[1]) << 64,
        }
    }

    #[inline]
    pub(crate) fn value(self) -> V {
        V::Row(self.shape, [self.bits as u64, (self.bits >> 64) as u64])
    }

    fn width(&self) -> u32 {
        u32::from(self.shape.width)
    }

    fn low(&self) -> i64 {
        i64::from(self.shape.low)
    }

    /// How wide the fields of a record are.
    pub(crate) fn record_width(&self) -> Option<u8> {
        (self.shape.holds == Held::Record).then_some(self.shape.width)
    }

    /// The record with such fields.
    pub(crate) fn record(width: u8, bits: Bits) -> Option<Row> {
        let holds = Held::Record;
        let shape = Shape {
            low: 0,
            width,
            right: 0,
            holds,
        };
        (1..=WIDEST)
            .contains(&u32::from(width))
            .then(|| Row::from_parts(shape, bits))
    }

    /// The kinds of both sides of a function.
    pub(crate) fn kinds(&self) -> Option<Kinds> {
        self.pair_kinds().filter(|_| !self.is_relation())
    }

    /// The kinds of both sides of a relation, be it a function or not.
    pub(crate) fn pair_kinds(&self) -> Option<Kinds> {
        match self.shape.holds {
            Held::Function(kinds) => Some(kinds),
            _ => None,
        }
    }

    /// The elements of a set of integers: the least one, and a bit for each from there on.
    pub(crate) fn integer_bits(&self) -> Option<(i64, u128)> {
        (self.shape.holds == Held::Integers).then_some((self.low(), self.bits))
    }

    /// How many elements.
    pub(crate) fn len(&self) -> usize {
        match self.shape.holds {
            Held::Integers => self.bits.count_ones() as usize,
            _ if self.is_relation() => self.bits.count_ones() as usize,
            _ => self.numbers().count(),
        }
    }

    /// Whether a set or function has an element.
    #[inline]
    pub(crate) fn has(&self, element: &V) -> bool {
        match (self.shape.holds, element) {
            (Held::Integers, V::Int(value)) => self.image(*value).is_some(),
            (Held::Function(kinds), V::Duo(others, [left, right])) => {
                kinds == *others
                    && match self.is_relation() {
                        true => self.relates(*left, *right),
                        false => self.image(*left) == Some(*right),
                    }
            }
            _ => false,
        }
    }

    /// What a function gives a left side.
    #[inline]
    pub(crate) fn image(&self, left: i64) -> Option<i64> {
        let width = self.width();
        let shift = place(self.low(), left, width)?;
        let field = (self.bits >> shift) as u64 & mask(width);
        (field != 0).then(|| field as i64 - 1)
    }

    /// What a function gives a value.
    #[inline]
    pub(crate) fn apply(&self, x: &V) -> Option<V> {
        let kinds = self.kinds()?;
        let image = self.image(x.number()?)?;
        Some(kinds.component(1, image))
    }

    /// The pairs of a relation as numbers, in order.
    pub(crate) fn numbers(self) -> impl Iterator<Item = (i64, i64)> {
        let (width, mut bits, mut left) = (self.width(), self.bits, self.low());
        let is_relation = self.is_relation();
        std::iter::from_fn(move || {
            if bits == 0 {
                return None;
            }
            if is_relation {
                let bit = bits.trailing_zeros();
                bits &= bits - 1;
                return Some(self.pair_at(bit));
            }
            let skipped = bits.trailing_zeros() / width;
            bits >>= skipped * width;
            left += i64::from(skipped);
            let found = (left, (bits as u64 & mask(width)) as i64 - 1);
            // A field may take all bits but not more than half of them at once.
            bits >>= width;
            left += 1;
            Some(found)
        })
    }

    /// The elements in order.
    pub(crate) fn elements(self) -> impl Iterator<Item = V> {
        let holds = self.shape.holds;
        self.numbers().map(move |(left, right)| match holds {
            Held::Function(kinds) => V::Duo(kinds, [left, right]),
            _ => V::Int(left),
        })
    }

    /// All numbers and codes in it.
    pub(crate) fn each_number(self, mut each: impl FnMut(i64)) {
        match self.shape.holds {
            Held::Integers => self.numbers().for_each(|(number, _)| each(number)),
            Held::Function(_) => self.numbers().for_each(|(left, right)| {
                each(left);
                each(right);
            }),
            Held::Record => {
                let fields = (ROOM / self.width()) as usize;
                (0..fields).for_each(|at| each(self.field(at) as i64));
            }
        }
    }

    /// Field `at` of a record.
    pub(crate) fn field(&self, at: usize) -> u64 {
        (self.bits >> (at as u32 * self.width())) as u64 & mask(self.width())
    }

    /// The function with another image for one left side; `None` when it is no row.
    #[inline]
    pub(crate) fn with(self, kinds: Kinds, left: i64, right: i64) -> Option<Row> {
        if self.is_relation() {
            return None;
        }
        let width = self.width();
        if (right as u64) < mask(width)
            && let Some(shift) = place(self.low(), left, width)
        {
            let bits =
                self.bits & !(u128::from(mask(width)) << shift) | ((right + 1) as u128) << shift;
            if bits & TOPS[width as usize] != 0 {
                return Some(Row { bits, ..self });
            }
            return Row::function(kinds, self.low(), width, bits);
        }
        self.with_wider(kinds, left, right)
    }

    /// The same where it needs wider fields or begins earlier.
    fn with_wider(self, kinds: Kinds, left: i64, right: i64) -> Option<Row> {
        if right as u64 >= u64::from(u32::MAX) {
            return None;
        }
        let others = self.numbers().filter(|(other, _)| *other != left);
        let width = width_of(others.fold(right as u64 + 1, |most, (_, image)| {
            most | (image as u64 + 1)
        }));
        let low = self.low().min(left);
        let mut bits = ((right + 1) as u128) << place(low, left, width)?;
        for (other, image) in self.numbers().filter(|(other, _)| *other != left) {
            bits |= ((image + 1) as u128) << place(low, other, width)?;
        }
        Row::function(kinds, low, width, bits)
    }

    /// The pairs of a function, or the elements of a set, that are `wanted`; `None` when there are none. Not asked of other relations.
    pub(crate) fn filtered<E>(
        self,
        mut wanted: impl FnMut(i64, i64) -> Result<bool, E>,
    ) -> Result<Option<Row>, E> {
        let (width, mut kept) = (self.width(), 0);
        for (left, right) in self.numbers() {
            if wanted(left, right)? {
                let shift = (left - self.low()) as u32 * width;
                kept |= self.bits & u128::from(mask(width)) << shift;
            }
        }
        Ok(match self.shape.holds {
            Held::Function(kinds) => Row::function(kinds, self.low(), width, kept),
            _ => Row::integers(self.low(), kept),
        })
    }

    /// The left sides of a function: the least one, and a bit for each from there on.
    pub(crate) fn left_bits(self) -> (i64, u128) {
        let numbers = self.numbers();
        let bits = numbers.fold(0, |bits, (left, _)| bits | 1 << (left - self.low()));
        (self.low(), bits)
    }

    /// The right sides, as bits from zero on; `None` when they are too large for that.
    pub(crate) fn right_bits(self) -> Option<u128> {
        let mut numbers = self.numbers();
        numbers.try_fold(0, |bits, (_, right)| {
            Some(bits | 1u128.checked_shl(u32::try_from(right).ok()?)?)
        })
    }

    /// How many items a sequence has; `None` when it is none.
    pub(crate) fn size(&self) -> Option<usize> {
        if self.is_relation() {
            return None;
        }
        let last = (ROOM - self.bits.leading_zeros()).div_ceil(self.width()) as usize;
        (self.low() == 1 && self.len() == last).then_some(last)
    }

    /// A sequence without its first or last item; `None` when it had one item.
    pub(crate) fn without_end(self, kinds: Kinds, is_first: bool) -> Option<Row> {
        let (width, bits) = (self.width(), self.bits);
        let bits = match (is_first, self.size()) {
            (true, _) if width < ROOM => bits >> width,
            (false, Some(size)) if size > 1 => bits & ((1 << ((size as u32 - 1) * width)) - 1),
            _ => 0,
        };
        Row::function(kinds, 1, width, bits)
    }

    /// The elements that two sets have together, in common, or that only the first has: `Err` when they lie too far
    /// apart, `Ok(None)` when there are none.
    pub(crate) fn combined(
        self,
        other: Row,
        combine: impl FnOnce(u128, u128) -> u128,
    ) -> Result<Option<Row>, TooFar> {
        let ((a, x), (b, y)) = self
            .integer_bits()
            .zip(other.integer_bits())
            .ok_or(TooFar)?;
        let low = a.min(b);
        let lift = |from: i64, bits: u128| {
            let by = u32::try_from(from - low).map_err(|_| TooFar)?;
            match by <= bits.leading_zeros() && by < ROOM {
                true => Ok(bits << by),
                false => Err(TooFar),
            }
        };
        Ok(Row::integers(low, combine(lift(a, x)?, lift(b, y)?)))
    }
}

/// Two sets lie too far apart to be one row.
#[derive(Debug)]
pub(crate) struct TooFar;

#[inline]
fn mask(width: u32) -> u64 {
    (1 << width) - 1
}

/// Bits for a number.
fn width_of(number: u64) -> u32 {
    (u64::BITS - number.leading_zeros()).max(1)
}

/// Where the field of a left side begins; `None` when there is no room for it.
#[inline]
fn place(low: i64, left: i64, width: u32) -> Option<u32> {
    let at = left.checked_sub(low)?;
    if !(0..i64::from(ROOM)).contains(&at) {
        return None;
    }
    let shift = at as u32 * width;
    (shift + width <= ROOM).then_some(shift)
}

impl V {
    /// A set that is no mask, of elements in order without duplicates.
    pub(crate) fn listed(elements: Vec<V>) -> V {
        match Row::of(&elements) {
            Some(row) => row.value(),
            None => V::Set(elements.into()),
        }
    }

    /// The row, if it is one.
    #[inline]
    pub(crate) fn row(&self) -> Option<Row> {
        match self {
            V::Row(shape, bits) => Some(Row::from_parts(*shape, *bits)),
            _ => None,
        }
    }

    /// The number of a small integer or a code.
    #[inline]
    pub(crate) fn number(&self) -> Option<i64> {
        match self {
            V::Int(value) => Some(*value),
            V::Word(code) => i64::try_from(*code).ok(),
            _ => None,
        }
    }

    /// A row, or nothing left of one.
    pub(crate) fn of_row(row: Option<Row>) -> V {
        row.map_or_else(|| V::Set([].into()), Row::value)
    }
}

impl Reps {
    /// What rows of a type hold.
    pub(crate) fn held_by(&self, ty: TyId) -> Option<Held> {
        if self[ty].rep != Rep::Tree {
            return None;
        }
        let is_code = |ty: TyId| match self[ty].rep {
            Rep::Word => Some(true),
            Rep::Int => Some(false),
            Rep::Wide | Rep::Tree => None,
        };
        match &self[ty].ty {
            Ty::Pow(element) => match &self[*element].ty {
                Ty::Int => Some(Held::Integers),
                Ty::Prod(left, right) if self[*element].rep != Rep::Word => {
                    Some(Held::Function(Kinds([is_code(*left)?, is_code(*right)?])))
                }
                _ => None,
            },
            Ty::Record(_) => Some(Held::Record),
            _ => None,
        }
    }
}
