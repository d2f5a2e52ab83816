//! The values a bound name ranges over, one after the other: a loop may go through more of them than memory holds.

use program::{Domain, Reason};

use crate::run::{Run, Stop, fault};

/// Values in order.
pub(crate) enum Values {
    /// Of ranges.
    Ranges(std::vec::IntoIter<(i64, i64)>, Option<(i64, i64)>),
    /// The next one, the last one, and the step.
    Count(Option<i64>, i64, i64),
    /// Places of a multiset.
    Places(std::vec::IntoIter<usize>),
}

impl Iterator for Values {
    type Item = i64;

    fn next(&mut self) -> Option<i64> {
        match self {
            Values::Ranges(ranges, now) => {
                let (low, high) = now.take().or_else(|| ranges.next())?;
                *now = (low < high).then(|| (low + 1, high));
                Some(low)
            }
            Values::Count(next, last, by) => {
                let value = next.filter(|value| match *by > 0 {
                    true => value <= last,
                    false => value >= last,
                })?;
                *next = value.checked_add(*by);
                Some(value)
            }
            Values::Places(places) => places.next().map(|place| place as i64),
        }
    }
}

impl Run<'_> {
    /// The values of a domain, in order.
    pub fn domain(&mut self, domain: Domain) -> Result<Values, Stop> {
        match domain {
            Domain::Type(ty) => {
                let ranges = self.program.types.ranges(ty).unwrap_or_default();
                Ok(Values::Ranges(ranges.into_iter(), None))
            }
            Domain::Count { from, to, by } => {
                let (low, high) = (self.int(from)?, self.int(to)?);
                let (by, span) = match by {
                    Some(by) => (self.int(by)?, self.program.exprs[by].span),
                    None => (1, self.program.exprs[from].span),
                };
                if by == 0 {
                    return fault(Reason::StepZero, span);
                }
                Ok(Values::Count(Some(low), high, by))
            }
            Domain::Elements(multiset) => {
                let target = self.resolve(multiset)?;
                Ok(Values::Places(self.places_of(&target).into_iter()))
            }
        }
    }
}
