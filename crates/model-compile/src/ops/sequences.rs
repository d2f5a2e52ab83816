//! Sequences: functions from 1..n, checked where an operator needs one; and strings where they stand for
//! sequences.

use std::sync::Arc;

use lang_math::Op;
use model::{Ty, TyId};

use super::OpTy;
use crate::cx::{Cx, R};
use crate::symbolic::SymKind;
use crate::trap::Cause;
use crate::value::{Row, V};

impl Cx<'_> {
    /// `seq(S) /\ seq(T) = seq(S /\ T)`; the sequences need not be infinitely many.
    pub(super) fn common_sequences(&mut self, ty: TyId, a: &V, b: &V) -> R<Option<V>> {
        let (V::Sym(a), V::Sym(b)) = (a, b) else {
            return Ok(None);
        };
        let (SymKind::Sequences { op: p, of: x }, SymKind::Sequences { op: q, of: y }) =
            (&a.kind, &b.kind)
        else {
            return Ok(None);
        };
        let op = match (p, q) {
            (Op::Sequences, Op::Sequences | Op::Sequences1) => *q,
            (Op::Sequences1, Op::Sequences | Op::Sequences1) => *p,
            _ => return Ok(None),
        };
        let reps = self.reps();
        let member = reps.parts(reps.element(reps.element(ty))).1;
        let Some(members) = reps.find(&Ty::Pow(member)) else {
            return Ok(None);
        };
        let of = self.algebra(Op::Intersection, members, x, y)?;
        self.sequences(op, ty, &of).map(Some)
    }

    /// The values of a sequence in order.
    pub(crate) fn items(&mut self, ty: TyId, sequence: &V) -> R<Vec<V>> {
        if self.infinity(sequence)? == Some(true) {
            return Err(Cause::NotSequence.trap());
        }
        let reps = self.reps();
        let pair = reps.element(ty);
        let elements = self.elements(sequence)?;
        let mut items = Vec::with_capacity(elements.len());
        for (i, element) in elements.iter().enumerate() {
            let (index, value) = reps.split(pair, element);
            if index != V::Int(i as i64 + 1) {
                return Err(Cause::NotSequence.trap());
            }
            items.push(value);
        }
        Ok(items)
    }

    pub(super) fn sequence_op(&mut self, op: Op, ty: &OpTy, args: &[V]) -> R<V> {
        if op == Op::InsertFront {
            let mut items = vec![args[0].clone()];
            items.extend(self.items(ty.args[1], &args[1])?);
            return Ok(self.sequence(ty.result, items));
        }
        if matches!(self.reps()[ty.args[0]].ty, Ty::Str) {
            return string_op(op, args);
        }
        if let Some(row) = args[0].row()
            && let Some(result) = on_row(op, row, args)
        {
            return Ok(result);
        }
        if let V::Set(pairs) = &args[0]
            && is_numbered(pairs)
            && let Some(result) = on_pairs(op, pairs, args)?
        {
            return Ok(result);
        }
        let mut items = self.items(ty.args[0], &args[0])?;
        match op {
            Op::Size => return Ok(V::Int(items.len() as i64)),
            Op::First => {
                return items
                    .first()
                    .cloned()
                    .ok_or_else(|| Cause::EmptySequence.trap());
            }
            Op::Last => {
                return items
                    .last()
                    .cloned()
                    .ok_or_else(|| Cause::EmptySequence.trap());
            }
            Op::Front | Op::Tail if items.is_empty() => {
                return Err(Cause::EmptySequence.trap());
            }
            Op::Front => {
                items.pop();
            }
            Op::Tail => {
                items.remove(0);
            }
            Op::Reverse => items.reverse(),
            Op::InsertTail => items.push(args[1].clone()),
            Op::Concat => items.extend(self.items(ty.args[1], &args[1])?),
            Op::TakeFirst | Op::DropFirst => {
                let n = args[1]
                    .small()
                    .and_then(|n| usize::try_from(n).ok())
                    .filter(|n| *n <= items.len())
                    .ok_or_else(|| Cause::Cutting.trap())?;
                if op == Op::TakeFirst {
                    items.truncate(n);
                } else {
                    items.drain(..n);
                }
            }
            _ => {
                let (_, inner) = self.reps().sides(ty.args[0]);
                if matches!(self.reps()[inner].ty, Ty::Str) {
                    let text: String = items.iter().map(V::text).collect();
                    return Ok(V::str(&text));
                }
                let mut all = Vec::new();
                for item in &items {
                    all.extend(self.items(inner, item)?);
                }
                items = all;
            }
        }
        Ok(self.sequence(ty.result, items))
    }
}

/// Whether pairs in order are a sequence.
fn is_numbered(pairs: &[V]) -> bool {
    let mut numbered = pairs.iter().zip(1..);
    numbered.all(|(pair, i)| pair.with_left(|left| *left == V::Int(i)))
}

/// Operators that leave the pairs of a sequence as they are, or add some at its end: the pairs are shared.
fn on_pairs(op: Op, pairs: &Arc<[V]>, args: &[V]) -> R<Option<V>> {
    let value = |pair: Option<&V>| match pair {
        Some(pair) => Ok(Some(pair.with_right(V::clone))),
        None => Err(Cause::EmptySequence.trap()),
    };
    Ok(Some(match op {
        Op::Size => V::Int(pairs.len() as i64),
        Op::First => return value(pairs.first()),
        Op::Last => return value(pairs.last()),
        Op::Front => match pairs.split_last() {
            Some((_, front)) => V::listed(front.to_vec()),
            None => return Err(Cause::EmptySequence.trap()),
        },
        Op::InsertTail => {
            let last = V::pair(V::Int(pairs.len() as i64 + 1), args[1].clone());
            V::listed(pairs.iter().cloned().chain([last]).collect())
        }
        Op::Concat => {
            let V::Set(more) = &args[1] else {
                return Ok(None);
            };
            if !is_numbered(more) {
                return Ok(None);
            }
            let shifted = more.iter().zip(pairs.len() as i64 + 1..);
            let shifted = shifted.map(|(pair, i)| V::pair(V::Int(i), pair.with_right(V::clone)));
            V::listed(pairs.iter().cloned().chain(shifted).collect())
        }
        _ => return Ok(None),
    }))
}

/// The same of a sequence in place; `None` where the row is none, or the result is no row.
fn on_row(op: Op, row: Row, args: &[V]) -> Option<V> {
    let (size, kinds) = (row.size()? as i64, row.kinds()?);
    let item = |at: i64| Some(kinds.component(1, row.image(at)?));
    match op {
        Op::Size => Some(V::Int(size)),
        Op::First => item(1),
        Op::Last => item(size),
        Op::Front => Some(V::of_row(row.without_end(kinds, false))),
        Op::Tail => Some(V::of_row(row.without_end(kinds, true))),
        Op::InsertTail => {
            let last = args[1].number()?;
            Some(row.with(kinds, size + 1, last)?.value())
        }
        Op::Concat => {
            let more = args[1].row()?;
            more.size()?;
            let mut pairs = more.numbers();
            let both = pairs.try_fold(row, |row, (at, image)| row.with(kinds, size + at, image));
            Some(both?.value())
        }
        _ => None,
    }
}

fn string_op(op: Op, args: &[V]) -> R<V> {
    let text = args[0].text();
    match op {
        Op::Size => Ok(V::Int(text.chars().count() as i64)),
        Op::Reverse => Ok(V::str(&text.chars().rev().collect::<String>())),
        Op::Concat => Ok(V::str(&format!("{text}{}", args[1].text()))),
        _ => Err(Cause::External.trap()),
    }
}
