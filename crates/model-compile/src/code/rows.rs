//! Small functions, sets of integers and records ([`Row`]) read, changed and tested where they lie: no set is built and
//! nothing is allocated on the way.
//!
//! Invariant: where the value at hand is no row, or anything goes wrong, the general code computes all of it again; so values
//! and faults are those of the general code.

use lang_math::Op;
use model::{ExprId, Kind};
use smallvec::SmallVec;

use super::{Compiler, IntCode, f};
use crate::cx::{Cx, F, R};
use crate::rep::Rep;
use crate::symbolic::Space;
use crate::trap::Trap;
use crate::value::{Held, Row, V, field_in_slot, image_in_slot, is_row};

/// Pairs that a function is overwritten with, one after the other; more are merged as sets.
pub(super) const MOST_PAIRS: usize = 4;
/// Fields of a record that are tested without an allocation.
const FEW_FIELDS: usize = 8;

/// A set that elements are tested against.
struct Side {
    /// Its ends, if it is a range of integers.
    ends: Option<(IntCode, IntCode)>,
    value: F<V>,
}

/// The same, evaluated.
enum Ready {
    Between(i64, i64),
    Set(V),
}

impl Side {
    fn ready(&self, cx: &mut Cx<'_>) -> R<Ready> {
        if let Some((low, high)) = &self.ends {
            match ((low.fast)(cx), (high.fast)(cx)) {
                (Ok(low), Ok(high)) => return Ok(Ready::Between(low, high)),
                (Err(Trap::Overflow), _) | (Ok(_), Err(Trap::Overflow)) => {}
                (Err(trap), _) | (_, Err(trap)) => return Err(trap),
            }
        }
        (self.value)(cx).map(Ready::Set)
    }
}

impl Ready {
    #[inline]
    fn has(&self, cx: &mut Cx<'_>, element: &V) -> R<bool> {
        match (self, element) {
            (Ready::Between(low, high), V::Int(value)) => Ok(low <= value && value <= high),
            (Ready::Between(..), _) => Ok(false),
            (Ready::Set(set), element) => cx.member(element, set),
        }
    }

    fn has_size(&self, cx: &mut Cx<'_>, size: usize) -> R<bool> {
        match self {
            Ready::Between(low, high) => {
                Ok(i128::from(*high) - i128::from(*low) + 1 == size as i128)
            }
            Ready::Set(set) => cx.has_size(set, size),
        }
    }
}

impl Compiler<'_> {
    /// What rows of a type hold.
    pub(super) fn held(&self, expr: ExprId) -> Option<Held> {
        self.program.reps[self.ty(expr)].held
    }

    /// The number of an integer or a code.
    pub(super) fn number(&self, expr: ExprId) -> Option<F<i64>> {
        match self.rep(expr) {
            Rep::Int => Some(self.int(expr).fast),
            Rep::Word => {
                let word = self.word(expr);
                Some(f(move |cx| {
                    i64::try_from(word(cx)?).map_err(|_| Trap::Overflow)
                }))
            }
            Rep::Wide | Rep::Tree => None,
        }
    }

    /// `f(x)` of a variable whose images are integers or codes, as a number; `None` where it is none. The code gives `None`
    /// where the general code has to be asked.
    fn image_number(
        &self,
        function: ExprId,
        argument: ExprId,
    ) -> Option<impl Fn(&mut Cx<'_>) -> R<Option<i64>> + Send + Sync + use<>> {
        let Kind::Var(var) = &self.model.exprs[function].kind else {
            return None;
        };
        let Some(held @ Held::Function(_)) = self.held(function) else {
            return None;
        };
        let slot = var.index();
        let argument = self.number(argument)?;
        Some(move |cx: &mut Cx<'_>| {
            let word = cx.state[slot];
            if is_row(word) {
                return Ok(argument(cx).ok().and_then(|x| image_in_slot(word, x)));
            }
            let Some(row) = cx.row(slot, held) else {
                return Ok(None);
            };
            Ok(argument(cx).ok().and_then(|x| row.image(x)))
        })
    }

    /// `f(x)` as an integer.
    pub(super) fn int_image(&self, function: ExprId, argument: ExprId, general: F<V>) -> IntCode {
        let code = IntCode::of_values(general);
        let Some(image) = self.image_number(function, argument) else {
            return code;
        };
        let general = code.fast;
        IntCode {
            fast: f(move |cx| match image(cx)? {
                Some(value) => Ok(value),
                None => general(cx),
            }),
            ..code
        }
    }

    /// `f(x)` as a code.
    pub(super) fn word_image(&self, function: ExprId, argument: ExprId, general: F<u64>) -> F<u64> {
        let Some(image) = self.image_number(function, argument) else {
            return general;
        };
        f(move |cx| match image(cx)? {
            Some(code) => Ok(code as u64),
            None => general(cx),
        })
    }

    /// A field of a variable that is a record, as a number.
    fn field_number(
        &self,
        record: ExprId,
        at: usize,
    ) -> Option<impl Fn(&mut Cx<'_>) -> Option<u64> + Send + Sync + use<>> {
        let Kind::Var(var) = &self.model.exprs[record].kind else {
            return None;
        };
        let held = self.held(record)?;
        let slot = var.index();
        Some(move |cx: &mut Cx<'_>| match cx.state[slot] {
            word if is_row(word) => Some(field_in_slot(word, at)),
            _ => cx.row(slot, held).map(|row| row.field(at)),
        })
    }

    /// A field as an integer.
    pub(super) fn int_field(&self, record: ExprId, at: usize, general: F<V>) -> IntCode {
        let code = IntCode::of_values(general);
        let Some(field) = self.field_number(record, at) else {
            return code;
        };
        let general = code.fast;
        IntCode {
            fast: f(move |cx| match field(cx) {
                Some(value) => Ok(value as i64),
                None => general(cx),
            }),
            ..code
        }
    }

    /// A field as a code.
    pub(super) fn word_field(&self, record: ExprId, at: usize, general: F<u64>) -> F<u64> {
        let Some(field) = self.field_number(record, at) else {
            return general;
        };
        f(move |cx| match field(cx) {
            Some(code) => Ok(code),
            None => general(cx),
        })
    }

    /// A record of integers and codes.
    pub(super) fn record_row(&self, parts: &[ExprId], general: F<V>) -> F<V> {
        let numbers: Option<Vec<F<i64>>> = parts.iter().map(|part| self.number(*part)).collect();
        let Some(numbers) = numbers.filter(|numbers| numbers.len() <= FEW_FIELDS) else {
            return general;
        };
        f(move |cx| {
            let mut fields: SmallVec<[u32; FEW_FIELDS]> = SmallVec::new();
            for number in &numbers {
                match number(cx) {
                    Ok(value) if let Ok(value) = u32::try_from(value) => fields.push(value),
                    Ok(_) | Err(Trap::Overflow) => return general(cx),
                    Err(trap) => return Err(trap),
                }
            }
            match Row::of_numbers(&fields) {
                Some(row) => Ok(row.value()),
                None => general(cx),
            }
        })
    }

    /// `f <+ {x |-> y, …}` of a function in place.
    pub(super) fn row_overwriting(
        &self,
        below: &F<V>,
        pairs: &[ExprId],
        general: F<V>,
        expr: ExprId,
    ) -> F<V> {
        let Some(Held::Function(kinds)) = self.held(expr) else {
            return general;
        };
        let Some(sides) = self.number_pairs(pairs) else {
            return general;
        };
        let below = below.clone();
        f(move |cx| {
            let Some(mut row) = below(cx)?.row() else {
                return general(cx);
            };
            let mut lefts: SmallVec<[i64; MOST_PAIRS]> = SmallVec::new();
            for (left, right) in &sides {
                let (left, right) = match (left(cx), right(cx)) {
                    (Ok(left), Ok(right)) if !lefts.contains(&left) => (left, right),
                    _ => return general(cx),
                };
                lefts.push(left);
                match row.with(kinds, left, right) {
                    Some(changed) => row = changed,
                    None => return general(cx),
                }
            }
            Ok(row.value())
        })
    }

    /// Pairs of integers or codes, as numbers.
    pub(super) fn number_pairs(&self, pairs: &[ExprId]) -> Option<Vec<(F<i64>, F<i64>)>> {
        let sides = |pair: &ExprId| match &self.model.exprs[*pair].kind {
            Kind::Op(Op::Maplet, sides) => Some((self.number(sides[0])?, self.number(sides[1])?)),
            _ => None,
        };
        pairs.iter().map(sides).collect()
    }

    fn side(&self, set: ExprId, is_tested: bool) -> Side {
        let value = match is_tested {
            true => self.tested(set),
            false => self.lazy(set),
        };
        let literals = |low: i64, high: i64| {
            let ends = [low, high].map(IntCode::literal);
            let [low, high] = ends;
            Some((low, high))
        };
        let model = self.model;
        let ends = match &model.exprs[set].kind {
            Kind::Op(Op::Interval, ends) => Some((self.int(ends[0]), self.int(ends[1]))),
            // What is in a row is small: that there are larger integers makes no difference.
            Kind::Op(Op::Naturals, _) => literals(0, i64::MAX),
            Kind::Op(Op::Naturals1, _) => literals(1, i64::MAX),
            Kind::Op(Op::Integers, _) => literals(i64::MIN, i64::MAX),
            Kind::Op(Op::Nat, _) => literals(0, model.max_int),
            Kind::Op(Op::Nat1, _) => literals(1, model.max_int),
            Kind::Op(Op::Int, _) => literals(model.min_int, model.max_int),
            _ => None,
        };
        Side { ends, value }
    }

    /// `x : S` where `x` may be a row and `S` is a space of functions, sequences or records; `general` is asked for
    /// any other `x`.
    pub(super) fn row_membership(
        &self,
        element: &F<V>,
        (set, place): (ExprId, u32),
        general: F<bool>,
    ) -> F<bool> {
        let (element, of) = (element.clone(), self.held_by_elements(set));
        match (&self.model.exprs[set].kind, of) {
            (Kind::Op(arrow, sides), Some(Held::Function(_))) if arrow.is_arrow() => {
                let space = Space::of(*arrow);
                let from = self.side(sides[0], false);
                let to = self.side(sides[1], !space.surjective);
                f(move |cx| {
                    let Some(row) = element(cx)?.row() else {
                        return general(cx);
                    };
                    let (from, to) = (from.ready(cx)?, to.ready(cx)?);
                    let inside = cx.row_in_space(space, row, &from, &to);
                    inside.map_err(|trap| trap.at(place))
                })
            }
            (Kind::Op(Op::Sequences | Op::Sequences1, sides), Some(Held::Function(_))) => {
                let of = self.side(sides[0], false);
                f(move |cx| {
                    let Some(row) = element(cx)?.row() else {
                        return general(cx);
                    };
                    let of = of.ready(cx)?;
                    if row.size().is_none() {
                        return Ok(false);
                    }
                    let inside = cx.images_in(row, &of);
                    inside.map_err(|trap| trap.at(place))
                })
            }
            (Kind::Struct(fields), Some(Held::Record)) => {
                let (reps, ty) = (&self.program.reps, self.element_ty(set));
                let sides: Vec<(Side, Rep)> = fields
                    .iter()
                    .zip(reps.fields(ty))
                    .map(|((_, set), (_, ty))| (self.side(*set, false), reps[*ty].rep))
                    .collect();
                f(move |cx| {
                    let Some(row) = element(cx)?.row() else {
                        return general(cx);
                    };
                    let mut ready: SmallVec<[Ready; FEW_FIELDS]> = SmallVec::new();
                    for (side, _) in &sides {
                        ready.push(side.ready(cx)?);
                    }
                    for (at, (set, (_, rep))) in ready.iter().zip(&sides).enumerate() {
                        let field = match rep {
                            Rep::Int => V::Int(row.field(at) as i64),
                            _ => V::Word(row.field(at)),
                        };
                        if !set.has(cx, &field).map_err(|trap| trap.at(place))? {
                            return Ok(false);
                        }
                    }
                    Ok(true)
                })
            }
            (Kind::Op(Op::PowerSet | Op::FiniteSubsets, sides), Some(Held::Integers)) => {
                self.row_inclusion(&element, sides[0], place, general)
            }
            _ => general,
        }
    }

    /// `x <: S` for sets of integers.
    pub(super) fn row_inclusion(
        &self,
        element: &F<V>,
        of: ExprId,
        place: u32,
        general: F<bool>,
    ) -> F<bool> {
        let (element, of) = (element.clone(), self.side(of, false));
        f(move |cx| {
            let Some((low, bits)) = element(cx)?.row().and_then(|row| row.integer_bits()) else {
                return general(cx);
            };
            match of.ready(cx)? {
                Ready::Between(least, most) => {
                    Ok(least <= low && low + i64::from(bits.ilog2()) <= most)
                }
                Ready::Set(set) => {
                    for element in Row::integers(low, bits).into_iter().flat_map(Row::elements) {
                        if !cx.member(&element, &set).map_err(|trap| trap.at(place))? {
                            return Ok(false);
                        }
                    }
                    Ok(true)
                }
            }
        })
    }

    fn element_ty(&self, set: ExprId) -> model::TyId {
        self.program.reps.element(self.ty(set))
    }

    /// What rows hold that are elements of a set.
    fn held_by_elements(&self, set: ExprId) -> Option<Held> {
        self.program.reps[self.element_ty(set)].held
    }
}

impl Cx<'_> {
    /// The value of a slot, if it is a row of this kind.
    #[inline]
    fn row(&self, slot: usize, held: Held) -> Option<Row> {
        let word = self.state[slot];
        match Row::of_slot(held, word) {
            None if word == crate::cx::OVER => self.over[slot].row(),
            None => self.lying(slot)?.row(),
            row => return row,
        }
        .filter(|row| !row.is_relation())
    }

    fn images_in(&mut self, row: Row, of: &Ready) -> R<bool> {
        let Some(kinds) = row.kinds() else {
            return Ok(false);
        };
        for (_, right) in row.numbers() {
            if !of.has(self, &kinds.component(1, right))? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Whether a relation in place is one of a space.
    fn row_in_space(&mut self, space: Space, row: Row, from: &Ready, to: &Ready) -> R<bool> {
        let Some(kinds) = row
            .pair_kinds()
            .filter(|_| !space.functional || !row.is_relation())
        else {
            return Ok(false);
        };
        let mut images: SmallVec<[i64; 16]> = SmallVec::new();
        let (mut count, mut own, mut before) = (0, 0, None);
        for (left, right) in row.numbers() {
            own += usize::from(before.replace(left) != Some(left));
            let (left, image) = (kinds.component(0, left), kinds.component(1, right));
            if !to.has(self, &image)? || !from.has(self, &left)? {
                return Ok(false);
            }
            count += 1;
            if space.injective || space.surjective {
                images.push(right);
            }
        }
        if space.total && !from.has_size(self, own)? {
            return Ok(false);
        }
        images.sort_unstable();
        images.dedup();
        Ok((!space.injective || images.len() == count)
            && (!space.surjective || to.has_size(self, images.len())?))
    }

    /// The same for sets that were built.
    pub(crate) fn row_in(&mut self, space: Space, row: Row, from: &V, to: &V) -> R<bool> {
        let [from, to] = [from, to].map(|set| Ready::Set(set.clone()));
        self.row_in_space(space, row, &from, &to)
    }
}
