//! The order of rows, which is that of the lists of their parts.

use std::cmp::Ordering;

use super::{Held, ROOM, Row, V};

impl V {
    /// Compares two sets or records one of which is a row, as the lists of their parts do.
    pub(in crate::value) fn cmp_rows(&self, other: &V) -> Ordering {
        match (self.row(), other.row(), self, other) {
            (Some(a), Some(b), ..) => match a.shape.holds {
                Held::Record => a.cmp_records(&b),
                _ => a.numbers().cmp(b.numbers()),
            },
            (Some(a), None, _, V::Set(b)) => a.elements().cmp(b.iter().cloned()),
            (None, Some(b), V::Set(a), _) => a.iter().cloned().cmp(b.elements()),
            (Some(a), None, _, V::Rec(b)) => a.cmp_fields(b),
            (None, Some(b), V::Rec(a), _) => b.cmp_fields(a).reverse(),
            _ => Ordering::Equal,
        }
    }
}

impl Row {
    fn cmp_records(&self, other: &Row) -> Ordering {
        let (a, b) = (self.width(), other.width());
        let fields = ROOM / a.max(b);
        let pairs = (0..fields as usize).map(|at| (self.field(at), other.field(at)));
        pairs.fold(Ordering::Equal, |order, (x, y)| order.then(x.cmp(&y)))
    }

    /// Compares a record with one that is no row, which has a field that is none of a row.
    fn cmp_fields(&self, fields: &[V]) -> Ordering {
        let pairs = fields.iter().enumerate();
        pairs.fold(Ordering::Equal, |order, (at, field)| {
            order.then_with(|| {
                let own = self.field(at);
                match field {
                    V::Word(code) => own.cmp(code),
                    V::Int(value) => i64::try_from(own).unwrap_or(i64::MAX).cmp(value),
                    // Other integers follow small ones in the order of values.
                    _ => Ordering::Less,
                }
            })
        })
    }
}
