//! Rows that are a slot of the state themselves, so that no table has to hold them.
//!
//! Invariant: the slot of a row and the number of a value differ in the first bit, and no slot is the mark that stands for a value
//! elsewhere; equal rows have equal slots and no others do.

use super::{Held, ROOM, Row, Shape, TOPS};

/// A slot that is a row has this bit; numbers of values do not.
const IN_SLOT: u32 = 1 << 31;
/// Bits of a slot for the fields of a function or record; five more tell their width and one where they begin.
const PAYLOAD: u32 = 25;
const BEGINS_AT_ONE: u32 = 1 << 30;
/// The bits of fields.
const FIELDS: u32 = (1 << PAYLOAD) - 1;

/// Whether a slot that may be a row is one.
#[inline]
pub(crate) fn is_row(slot: u32) -> bool {
    slot & IN_SLOT != 0 && slot != u32::MAX
}

/// Where the field of a left side begins in a slot that is a function, and how wide it is.
#[inline]
fn field_of(slot: u32, left: i64) -> Option<(u32, u32)> {
    let width = slot >> PAYLOAD & 31;
    let at = left.checked_sub(i64::from(slot & BEGINS_AT_ONE != 0))?;
    if !is_row(slot) || !(0..i64::from(PAYLOAD)).contains(&at) {
        return None;
    }
    let shift = at as u32 * width;
    (width > 0 && shift + width <= PAYLOAD).then_some((shift, width))
}

/// What a function that is a slot gives a left side.
#[inline]
pub(crate) fn image_in_slot(slot: u32, left: i64) -> Option<i64> {
    let (shift, width) = field_of(slot, left)?;
    let field = slot >> shift & ((1 << width) - 1);
    (field != 0).then(|| i64::from(field) - 1)
}

/// A function that is a slot with another image for a left side that has one; `None` where fields get wider or narrower.
#[inline]
pub(crate) fn slot_with(slot: u32, left: i64, right: i64) -> Option<u32> {
    let (shift, width) = field_of(slot, left)?;
    let mask = (1 << width) - 1;
    let field = u32::try_from(right).ok()?.checked_add(1)?;
    if slot >> shift & mask == 0 || field > mask {
        return None;
    }
    let fields = slot & FIELDS & !(mask << shift) | field << shift;
    let is_narrow = u128::from(fields) & TOPS[width as usize] != 0;
    is_narrow.then_some(slot & !FIELDS | fields)
}

/// Field `at` of a record that is a slot.
#[inline]
pub(crate) fn field_in_slot(slot: u32, at: usize) -> u64 {
    let width = slot >> PAYLOAD & 31;
    let shift = at as u32 * width;
    match shift < PAYLOAD {
        true => u64::from((slot & FIELDS) >> shift) & ((1 << width) - 1),
        false => 0,
    }
}

/// A record that is a slot with another value in a field; `None` where fields get wider or narrower.
#[inline]
pub(crate) fn slot_with_field(slot: u32, at: usize, value: i64) -> Option<u32> {
    let width = slot >> PAYLOAD & 31;
    let (shift, mask) = (at as u32 * width, (1 << width) - 1);
    let field = u32::try_from(value).ok().filter(|field| *field <= mask)?;
    if !is_row(slot) || shift + width > PAYLOAD {
        return None;
    }
    let fields = slot & FIELDS & !(mask << shift) | field << shift;
    let is_narrow = width == 1 || u128::from(fields) & TOPS[width as usize] != 0;
    is_narrow.then_some(slot & !FIELDS | fields)
}

impl Row {
    /// The row as a slot; `None` when it is too large.
    #[inline]
    pub(crate) fn slot(&self) -> Option<u32> {
        if self.is_relation() {
            return None;
        }
        let base = u32::from(self.low() >= 1);
        let shift = u32::try_from(self.low() - i64::from(base)).ok()? * self.width();
        let len = ROOM - self.bits.leading_zeros() + shift;
        match self.shape.holds {
            Held::Integers => {
                let len = len + base;
                // All bits together would mean something else.
                (len < 31).then(|| IN_SLOT | (self.bits as u32) << (shift + base))
            }
            _ => (len <= PAYLOAD).then(|| {
                let begins = if base == 1 { BEGINS_AT_ONE } else { 0 };
                IN_SLOT | begins | self.width() << PAYLOAD | (self.bits as u32) << shift
            }),
        }
    }

    /// The row of a slot.
    #[inline]
    pub(crate) fn of_slot(holds: Held, slot: u32) -> Option<Row> {
        if !is_row(slot) {
            return None;
        }
        if holds == Held::Integers {
            return Row::integers(0, u128::from(slot & !IN_SLOT));
        }
        let width = slot >> PAYLOAD & 31;
        let bits = slot & FIELDS;
        let (low, skipped) = match holds {
            Held::Function(_) if width > 0 => {
                let skipped = bits.trailing_zeros() / width;
                (u32::from(slot & BEGINS_AT_ONE != 0) + skipped, skipped)
            }
            _ => (0, 0),
        };
        Some(Row {
            shape: Shape {
                low: low as i16,
                right: 0,
                width: width as u8,
                holds,
            },
            bits: u128::from(bits >> (skipped * width)),
        })
    }
}
