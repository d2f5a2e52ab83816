//! Rows of elements, fields and bits: which values are rows, and the one form of each.

use smallvec::SmallVec;

use super::{Held, Kinds, ROOM, Row, Shape, TOPS, V, mask, place, width_of};

impl Row {
    /// The row of elements in order; `None` when they are none of a row.
    pub(crate) fn of(elements: &[V]) -> Option<Row> {
        match elements.first()? {
            V::Int(low) => Row::of_integers(*low, elements),
            V::Duo(kinds, [low, _]) => Row::of_pairs(*kinds, *low, elements),
            _ => None,
        }
    }

    fn of_integers(low: i64, elements: &[V]) -> Option<Row> {
        let mut bits = 0u128;
        for element in elements {
            let V::Int(value) = element else {
                return None;
            };
            bits |= 1 << place(low, *value, 1)?;
        }
        Row::new(low, 1, Held::Integers, bits)
    }

    fn of_pairs(kinds: Kinds, low: i64, elements: &[V]) -> Option<Row> {
        let mut most = 0;
        let mut before = None;
        for element in elements {
            let V::Duo(others, [left, right]) = element else {
                return None;
            };
            // Negative images are too large as well.
            let is_large = *right as u64 >= u64::from(u32::MAX);
            if *others != kinds || before == Some(*left) || is_large {
                return Row::relation(kinds, elements);
            }
            before = Some(*left);
            most |= right + 1;
        }
        let width = width_of(most as u64);
        place(low, before?, width)?;
        let mut bits = 0;
        for element in elements {
            if let V::Duo(_, [left, right]) = element {
                bits |= ((right + 1) as u128) << place(low, *left, width)?;
            }
        }
        Row::new(low, width, Held::Function(kinds), bits)
    }

    /// The row of a record of numbers; `None` when they are too many.
    pub(crate) fn of_numbers(fields: &[u32]) -> Option<Row> {
        let most = fields.iter().fold(0, |most, field| most | field);
        let width = width_of(u64::from(most));
        if fields.len() as u32 * width > ROOM {
            return None;
        }
        let fields = fields.iter().rev();
        let bits = fields.fold(0, |bits, field| bits << width | u128::from(*field));
        Row::new(0, width, Held::Record, bits)
    }

    /// The row of a record; `None` when a field is none of a row.
    pub(crate) fn of_fields(fields: &[V]) -> Option<Row> {
        let part = |field: &V| match field {
            V::Int(value) => u32::try_from(*value).ok(),
            V::Word(code) => u32::try_from(*code).ok(),
            _ => None,
        };
        let numbers: Option<SmallVec<[u32; 8]>> = fields.iter().map(part).collect();
        Row::of_numbers(&numbers?)
    }

    pub(super) fn new(low: i64, width: u32, holds: Held, bits: u128) -> Option<Row> {
        let shape = Shape {
            low: i16::try_from(low).ok()?,
            width: width as u8,
            right: 0,
            holds,
        };
        Some(Row { shape, bits })
    }

    /// A function of fields that may be wider than need be and begin with none; `None` when it is empty.
    pub(super) fn function(kinds: Kinds, low: i64, width: u32, mut bits: u128) -> Option<Row> {
        if bits == 0 {
            return None;
        }
        let skipped = bits.trailing_zeros() / width;
        bits >>= skipped * width;
        let low = low + i64::from(skipped);
        if bits & TOPS[width as usize] != 0 {
            return Row::new(low, width, Held::Function(kinds), bits);
        }
        let mut most = 0;
        let mut rest = bits;
        while rest != 0 {
            most |= rest as u64 & mask(width);
            rest >>= width;
        }
        let narrow = width_of(most);
        let (mut packed, mut at) = (0, 0);
        while bits != 0 {
            packed |= u128::from(bits as u64 & mask(width)) << at;
            bits >>= width;
            at += narrow;
        }
        Row::new(low, narrow, Held::Function(kinds), packed)
    }

    /// A set of integers whose bits may begin with none; `None` when it is empty.
    pub(crate) fn integers(low: i64, bits: u128) -> Option<Row> {
        if bits == 0 {
            return None;
        }
        let skipped = bits.trailing_zeros();
        Row::new(low + i64::from(skipped), 1, Held::Integers, bits >> skipped)
    }
}
