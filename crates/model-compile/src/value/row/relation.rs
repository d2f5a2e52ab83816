//! Relations that are no functions as rows: a bit for each place of a box around the pairs.
//!
//! Invariant: a relation is such a row when some left side has several right sides and the smallest box around its pairs has no
//! more places than a row has bits. A function never is one, so that each value keeps its one form.

use super::{Held, Kinds, ROOM, Row, Shape, V, place, width_of};

/// Marks the width of a row that is a relation; the rest of it is the number of columns.
pub(super) const RELATION: u8 = 1 << 7;
/// The most columns.
const WIDEST: i64 = (RELATION - 1) as i64;

/// A box: the least left and right sides, and how many right sides there are from there on.
#[derive(Clone, Copy)]
struct Plot {
    low: i64,
    right: i64,
    columns: u32,
}

/// The least and greatest left side, and the same of right sides.
type Ends = [i64; 4];

impl Row {
    /// Whether it is a relation that is no function.
    #[inline]
    pub(crate) fn is_relation(&self) -> bool {
        self.shape.width & RELATION != 0
    }

    /// The row of pairs in order; `None` when no two have the same left side, or there is no room for them.
    pub(super) fn relation(kinds: Kinds, elements: &[V]) -> Option<Row> {
        let (mut ends, mut before, mut is_function): (Option<Ends>, _, _) = (None, None, true);
        for element in elements {
            let V::Duo(others, [left, right]) = element else {
                return None;
            };
            if *others != kinds {
                return None;
            }
            let own = [*left, *left, *right, *right];
            ends = Some(ends.map_or(own, |ends| around(ends, own)));
            is_function &= before.replace(*left) != Some(*left);
        }
        if is_function {
            return None;
        }
        let plot = Plot::of(ends?)?;
        let mut bits = 0;
        for element in elements {
            if let V::Duo(_, [left, right]) = element {
                bits |= plot.bit(*left, *right);
            }
        }
        plot.row(kinds, bits)
    }

    /// The places of a relation.
    fn plot(&self) -> Plot {
        Plot {
            low: self.low(),
            right: i64::from(self.shape.right),
            columns: u32::from(self.shape.width & !RELATION),
        }
    }

    /// The pair at a bit of a relation.
    #[inline]
    pub(super) fn pair_at(&self, bit: u32) -> (i64, i64) {
        let plot = self.plot();
        (
            plot.low + i64::from(bit / plot.columns),
            plot.right + i64::from(bit % plot.columns),
        )
    }

    /// Whether a relation has a pair.
    pub(super) fn relates(&self, left: i64, right: i64) -> bool {
        let plot = self.plot();
        let bit = plot.bit_within(left, right);
        bit.is_some_and(|bit| self.bits & bit != 0)
    }

    /// What it relates a value to, in order.
    pub(crate) fn images(&self, x: &V) -> Vec<V> {
        let (Some(kinds), Some(x)) = (self.pair_kinds(), x.number()) else {
            return Vec::new();
        };
        let pairs = self.numbers().filter(|(left, _)| *left == x);
        pairs.map(|(_, right)| kinds.component(1, right)).collect()
    }

    fn ends(&self) -> Ends {
        if self.is_relation() {
            let plot = self.plot();
            let last = ROOM - 1 - self.bits.leading_zeros();
            let high = plot.low + i64::from(last / plot.columns);
            return [
                plot.low,
                high,
                plot.right,
                plot.right + i64::from(plot.columns) - 1,
            ];
        }
        let numbers = self.numbers();
        let empty = [i64::MAX, i64::MIN, i64::MAX, i64::MIN];
        numbers.fold(empty, |ends, (left, right)| {
            around(ends, [left, left, right, right])
        })
    }

    /// The pairs that two relations, functions or not, have together, in common, or that only the first has; `None` when there is
    /// no room for them here.
    pub(crate) fn related(self, other: Row, combine: impl FnOnce(u128, u128) -> u128) -> Option<V> {
        let (Held::Function(kinds), Held::Function(others)) = (self.shape.holds, other.shape.holds)
        else {
            return None;
        };
        if kinds != others {
            return None;
        }
        let plot = Plot::of(around(self.ends(), other.ends()))?;
        let bits = combine(plot.bits_of(self), plot.bits_of(other));
        Some(plot.value(kinds, bits))
    }
}

/// The ends of what two boxes hold.
fn around(a: Ends, b: Ends) -> Ends {
    [
        a[0].min(b[0]),
        a[1].max(b[1]),
        a[2].min(b[2]),
        a[3].max(b[3]),
    ]
}

impl Plot {
    /// The box; `None` when it has more places than there are bits.
    fn of([low, high, least, most]: Ends) -> Option<Plot> {
        let rows = high.checked_sub(low)?.checked_add(1)?;
        let columns = most.checked_sub(least)?.checked_add(1)?;
        let fits = columns <= WIDEST && rows.checked_mul(columns)? <= i64::from(ROOM);
        fits.then_some(Plot {
            low,
            right: least,
            columns: columns as u32,
        })
    }

    /// The bit of a pair in the box.
    #[inline]
    fn bit(&self, left: i64, right: i64) -> u128 {
        1 << ((left - self.low) as u32 * self.columns + (right - self.right) as u32)
    }

    /// The bit of any pair; `None` when it is outside of all boxes of this width.
    fn bit_within(&self, left: i64, right: i64) -> Option<u128> {
        let column = right.checked_sub(self.right)?;
        let row = left.checked_sub(self.low)?;
        let is_inside =
            (0..i64::from(self.columns)).contains(&column) && (0..i64::from(ROOM)).contains(&row);
        if !is_inside {
            return None;
        }
        let shift = row as u32 * self.columns + column as u32;
        (shift < ROOM).then(|| 1 << shift)
    }

    /// The bits of a relation or function that is in the box.
    fn bits_of(&self, row: Row) -> u128 {
        let own = row.plot();
        if row.is_relation() && (own.right, own.columns) == (self.right, self.columns) {
            return row.bits << ((own.low - self.low) as u32 * self.columns);
        }
        let numbers = row.numbers();
        numbers.fold(0, |bits, (left, right)| bits | self.bit(left, right))
    }

    /// The relation of some places of the box, in its one form.
    fn value(self, kinds: Kinds, bits: u128) -> V {
        if bits == 0 {
            return V::of_row(None);
        }
        let row = (1u128 << self.columns) - 1;
        let (mut used, mut several, mut rest) = (0, 0, bits);
        while rest != 0 {
            let images = rest & row;
            used |= images;
            several |= images & images.wrapping_sub(1);
            rest = rest.unbounded_shr(self.columns);
        }
        let found = match several {
            0 => self.function(kinds, bits),
            _ => self.narrowed(used, bits, kinds),
        };
        found.map_or_else(
            || {
                let pairs = self.pairs(bits);
                V::Set(pairs.map(|pair| V::Duo(kinds, pair.into())).collect())
            },
            Row::value,
        )
    }

    /// The pairs of some places, in order.
    fn pairs(self, bits: u128) -> impl Iterator<Item = (i64, i64)> {
        crate::value::bits(bits).map(move |bit| {
            let (row, column) = (bit as u32 / self.columns, bit as u32 % self.columns);
            (self.low + i64::from(row), self.right + i64::from(column))
        })
    }

    fn function(self, kinds: Kinds, bits: u128) -> Option<Row> {
        let ends = |(most, first): (i64, Option<i64>), (left, right): (i64, i64)| {
            (most.max(right), first.or(Some(left)))
        };
        let (most, first) = self.pairs(bits).fold((0, None), ends);
        let (low, width) = (first?, width_of(most as u64 + 1));
        let mut fields = 0;
        for (left, right) in self.pairs(bits) {
            let right = u128::try_from(right).ok()?;
            fields |= (right + 1) << place(low, left, width)?;
        }
        Row::new(low, width, Held::Function(kinds), fields)
    }

    /// The relation in the smallest box around it; `used` has the columns with pairs.
    fn narrowed(mut self, used: u128, mut bits: u128, kinds: Kinds) -> Option<Row> {
        let skipped = bits.trailing_zeros() / self.columns;
        bits >>= skipped * self.columns;
        self.low += i64::from(skipped);
        let first = used.trailing_zeros();
        let columns = ROOM - used.leading_zeros() - first;
        if columns < self.columns {
            let (mut packed, mut at, row) = (0, 0, (1u128 << columns) - 1);
            while bits != 0 {
                packed |= (bits >> first & row) << at;
                bits = bits.unbounded_shr(self.columns);
                at += columns;
            }
            bits = packed;
        }
        let plot = Plot {
            right: self.right + i64::from(first),
            columns,
            ..self
        };
        plot.row(kinds, bits)
    }

    /// The row of a box that is the smallest around its pairs.
    fn row(self, kinds: Kinds, bits: u128) -> Option<Row> {
        let shape = Shape {
            low: i16::try_from(self.low).ok()?,
            width: RELATION | self.columns as u8,
            right: i8::try_from(self.right).ok()?,
            holds: Held::Function(kinds),
        };
        Some(Row { shape, bits })
    }
}
