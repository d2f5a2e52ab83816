//! Binds unknowns to the parts of a value: components of a tuple, fields of a record, pieces of a sequence.
//!
//! Invariant: a sequence is taken apart in every way in which its parts fit, each once.

use model::TyId;

use super::{Part, Pattern, Plan};
use crate::cx::{Cx, K, R};
use crate::value::V;

impl Plan {
    /// Binds the parts of a sequence to its pieces in every possible way; `known` are the pieces that known
    /// parts must be.
    #[expect(
        clippy::too_many_arguments,
        reason = "a recursion over parts and values"
    )]
    pub(super) fn split(
        &self,
        cx: &mut Cx<'_>,
        i: usize,
        ty: TyId,
        parts: &[Part],
        values: &[V],
        known: &[Vec<V>],
        k: K<'_>,
    ) -> R<()> {
        let Some((first, rest)) = parts.split_first() else {
            return if values.is_empty() {
                self.go_on(cx, i, k)
            } else {
                Ok(())
            };
        };
        match first {
            Part::Known(_) => match known.split_first() {
                Some((piece, known)) => match values.strip_prefix(piece.as_slice()) {
                    Some(values) => self.split(cx, i, ty, rest, values, known, k),
                    None => Ok(()),
                },
                None => Ok(()),
            },
            Part::Element(pattern) => {
                let Some((value, values)) = values.split_first() else {
                    return Ok(());
                };
                match pattern.matches(cx, value) {
                    Ok(true) => self.split(cx, i, ty, rest, values, known, k),
                    Ok(false) => Ok(()),
                    Err(trap) => self.undefined(cx, trap),
                }
            }
            Part::Open(unknown) => {
                let shortest = if rest.is_empty() { values.len() } else { 0 };
                for length in shortest..=values.len() {
                    let (piece, values) = values.split_at(length);
                    let piece = cx.sequence(ty, piece.to_vec());
                    unknown.bind(cx, piece);
                    self.split(cx, i, ty, rest, values, known, k)?;
                }
                Ok(())
            }
        }
    }
}

impl Cx<'_> {
    /// The values of a sequence, and of those of its parts that are known.
    pub(super) fn pieces(
        &mut self,
        whole: &V,
        ty: TyId,
        parts: &[Part],
    ) -> R<(Vec<V>, Vec<Vec<V>>)> {
        let values = self.items(ty, whole)?;
        let mut known = Vec::new();
        for part in parts {
            if let Part::Known(code) = part {
                let piece = code(self)?;
                known.push(self.items(ty, &piece)?);
            }
        }
        Ok((values, known))
    }

    /// Binds the one open part of a sequence, if there is one; whether the parts fit.
    fn fit(&mut self, ty: TyId, parts: &[Part], values: &[V], known: &[Vec<V>]) -> R<bool> {
        let fixed: usize = known.iter().map(Vec::len).sum::<usize>()
            + parts
                .iter()
                .filter(|part| matches!(part, Part::Element(_)))
                .count();
        let open = parts.iter().any(|part| matches!(part, Part::Open(_)));
        if values.len() < fixed || !open && values.len() > fixed {
            return Ok(false);
        }
        let rest = values.len() - fixed;
        let mut known = known.iter();
        let mut values = values;
        for part in parts {
            match part {
                Part::Known(_) => {
                    let piece = known.next().map(Vec::as_slice).unwrap_or_default();
                    match values.strip_prefix(piece) {
                        Some(after) => values = after,
                        None => return Ok(false),
                    }
                }
                Part::Element(pattern) => {
                    let Some((first, after)) = values.split_first() else {
                        return Ok(false);
                    };
                    if !pattern.matches(self, first)? {
                        return Ok(false);
                    }
                    values = after;
                }
                Part::Open(unknown) => {
                    let (piece, after) = values.split_at(rest);
                    let piece = self.sequence(ty, piece.to_vec());
                    unknown.bind(self, piece);
                    values = after;
                }
            }
        }
        Ok(true)
    }
}

impl Pattern {
    pub(super) fn matches(&self, cx: &mut Cx<'_>, value: &V) -> R<bool> {
        match self {
            Pattern::Bind(unknown) => {
                unknown.bind(cx, value.clone());
                Ok(true)
            }
            Pattern::Parts(ty, parts) => {
                let (values, known) = cx.pieces(value, *ty, parts)?;
                cx.fit(*ty, parts, &values, &known)
            }
            Pattern::Check(expected) => {
                let expected = expected(cx)?;
                cx.equal(&expected, value)
            }
            Pattern::Linear(unknown, factor, rest) => {
                let rest = rest.value(cx)?;
                let (quotient, over) = quotient(value, &rest, *factor);
                unknown.bind(cx, quotient);
                Ok(!over)
            }
            Pattern::Pair(ty, left, right) => {
                let (a, b) = cx.reps().split(*ty, value);
                Ok(left.matches(cx, &a)? && right.matches(cx, &b)?)
            }
            Pattern::Record(ty, fields) => {
                let values = cx.reps().record_fields(*ty, value);
                for (field, value) in fields.iter().zip(&values) {
                    if !field.matches(cx, value)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
        }
    }
}

/// `(value - rest) / factor`, and whether something is left over.
fn quotient(value: &V, rest: &V, factor: i64) -> (V, bool) {
    if let (V::Int(value), V::Int(rest)) = (value, rest)
        && let Some(difference) = value.checked_sub(*rest)
        && factor != -1
    {
        return (V::Int(difference / factor), difference % factor != 0);
    }
    let difference = value.to_big() - rest.to_big();
    let over = &difference % factor != num_bigint::BigInt::from(0);
    (V::big(difference / factor), over)
}
