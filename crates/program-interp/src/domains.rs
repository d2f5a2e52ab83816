//! The values a bound name ranges over.

use program::{Domain, Reason};

use crate::run::{Run, Stop, fault};

impl Run<'_> {
    /// The values of a domain, in order.
    pub fn domain(&mut self, domain: Domain) -> Result<Vec<i64>, Stop> {
        match domain {
            Domain::Type(ty) => {
                let ranges = self.program.types.ranges(ty).unwrap_or_default();
                Ok(ranges
                    .into_iter()
                    .flat_map(|(low, high)| low..=high)
                    .collect())
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
                let mut values = Vec::new();
                let mut value = low;
                while if by > 0 { value <= high } else { value >= high } {
                    if values.len() as u64 >= self.program.semantics.loop_limit {
                        return fault(Reason::EndlessLoop, span);
                    }
                    values.push(value);
                    match value.checked_add(by) {
                        Some(next) => value = next,
                        None => break,
                    }
                }
                Ok(values)
            }
            Domain::Elements(multiset) => {
                let target = self.resolve(multiset)?;
                let places = self.places_of(&target);
                Ok(places.into_iter().map(|at| at as i64).collect())
            }
        }
    }
}
