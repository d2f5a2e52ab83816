//! Rows that are a slot of the state themselves, so that no table has to hold them.
//!
//! Invariant: the slot of a row and the number of a value differ in the first bit, and no slot is the mark that stands for a value
//! elsewhere; equal rows have equal slots and no others do.

use super::{Held, ROOM, Row, Shape};

/// A slot that is a row has this bit; numbers of values do not.
const IN_SLOT: u32 = 1 << 31;
/// Bits of a slot for the fields of a function or record; five more tell their width and one where they begin.
const PAYLOAD: u32 = 25;
const BEGINS_AT_ONE: u32 = 1 << 30;

impl Row {
    /// The row as a slot; `None` when it is too large.
    #[inline]
    pub(crate) fn slot(&self) -> Option<u32> {
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
        if slot & IN_SLOT == 0 || slot == u32::MAX {
            return None;
        }
        if holds == Held::Integers {
            return Row::integers(0, u128::from(slot & !IN_SLOT));
        }
        let width = slot >> PAYLOAD & 31;
        let bits = slot & ((1 << PAYLOAD) - 1);
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
                width: width as u8,
                holds,
            },
            bits: u128::from(bits >> (skipped * width)),
        })
    }
}
