//! Sets over few codes as bit masks, operators on relations between them by [`Matrix`]. The same code serves one word and two.
//!
//! Invariant: operands are widened to the widest of them and of the result, so nothing is shifted out.

use std::ops::{BitAnd, BitOr, Not, Shl, Shr};

use lang_math::Op;
use model::{ExprId, Kind, TyId};

use super::matrix::Matrix;
use super::{Compiler, f, fixed};
use crate::cx::F;
use crate::rep::Rep;
use crate::value::V;

/// One or two words of bits.
pub(crate) trait Mask:
    Copy
    + Eq
    + Send
    + Sync
    + BitAnd<Output = Self>
    + BitOr<Output = Self>
    + Not<Output = Self>
    + Shl<u32, Output = Self>
    + Shr<u32, Output = Self>
    + 'static
{
    const ZERO: Self;
    fn bit(code: u64) -> Self;
    fn test(self, code: u64) -> bool;
    fn low(self) -> u64;
    fn of(word: u64) -> Self;
    fn ones(bits: u32) -> Self;
    fn pop(&mut self) -> Option<u32>;
    /// The mask as a value.
    fn value(self) -> V;
    /// The code of a set expression, widened if need be.
    fn code(compiler: &Compiler<'_>, expr: ExprId) -> F<Self>;
}

macro_rules! mask {
    ($word:ty, $code:expr) => {
        impl Mask for $word {
            const ZERO: Self = 0;
            fn bit(code: u64) -> Self {
                1 << code
            }
            fn test(self, code: u64) -> bool {
                self >> code & 1 == 1
            }
            fn low(self) -> u64 {
                self as u64
            }
            fn of(word: u64) -> Self {
                Self::from(word)
            }
            fn ones(bits: u32) -> Self {
                if bits >= Self::BITS {
                    Self::MAX
                } else {
                    (1 << bits) - 1
                }
            }
            fn pop(&mut self) -> Option<u32> {
                if *self == 0 {
                    return None;
                }
                let bit = self.trailing_zeros();
                *self &= *self - 1;
                Some(bit)
            }
            fn value(self) -> V {
                V::of_wide(self.into())
            }
            fn code(compiler: &Compiler<'_>, expr: ExprId) -> F<Self> {
                $code(compiler, expr)
            }
        }
    };
}

mask!(u64, |compiler: &Compiler<'_>, expr| compiler.word(expr));
mask!(u128, |compiler: &Compiler<'_>, expr| {
    match compiler.rep(expr) {
        Rep::Wide => compiler.wide(expr),
        _ => {
            let word = compiler.word(expr);
            f(move |cx| Ok(u128::from(word(cx)?)))
        }
    }
});

/// Whether a relation operator works on bit matrices, and what it needs.
enum Shape<'a> {
    Plain,
    Relation(&'a [ExprId]),
}

impl Compiler<'_> {
    /// The matrix of a relation type; `None` when it is not one of few enough bits.
    pub(crate) fn matrix(&self, relation: TyId) -> Option<Matrix> {
        let reps = &self.program.reps;
        if !matches!(reps[relation].rep, Rep::Word | Rep::Wide) {
            return None;
        }
        let (left, right) = match &reps[reps.element(relation)].ty {
            model::Ty::Prod(left, right) => (*left, *right),
            _ => return None,
        };
        let (rows, width) = (reps[left].size, reps[right].size);
        if !(1..=64).contains(&rows) || !(1..=64).contains(&width) {
            return None;
        }
        Some(Matrix {
            rows: rows as u32,
            width: width as u32,
            row: u64::ones(width as u32),
        })
    }

    /// Whether all of these are sets of one word.
    pub(crate) fn all_words(&self, exprs: &[ExprId]) -> bool {
        exprs.iter().all(|expr| self.rep(*expr) == Rep::Word)
    }

    fn all_masks(&self, exprs: &[ExprId]) -> bool {
        exprs
            .iter()
            .all(|expr| matches!(self.rep(*expr), Rep::Word | Rep::Wide))
    }

    /// The code of a set operator on masks, when it has one; `M` must hold the result and all operands.
    pub(crate) fn mask_op<M: Mask>(&self, expr: ExprId, op: Op, args: &[ExprId]) -> Option<F<M>> {
        use Op::*;
        let ty = self.ty(expr);
        let shape = match op {
            EmptySet | EmptySequence => return Some(fixed(M::ZERO)),
            Booleans => return Some(fixed(M::of(3))),
            SetExtension => return Some(self.set_extension(args)),
            Union | Intersection | SetMinus | Minus => Shape::Plain,
            Domain | Range | Inverse | Identity | Image | DomainRestriction | DomainSubtraction
            | RangeRestriction | RangeSubtraction | Overwrite | Composition
            | SymbolicComposition | Ring | Cartesian | Closure | Closure1 => Shape::Relation(args),
            _ => return None,
        };
        if !self.all_masks(args) {
            return None;
        }
        match shape {
            Shape::Plain => {
                let (a, b) = (M::code(self, args[0]), M::code(self, args[1]));
                Some(match op {
                    Union => f(move |cx| Ok(a(cx)? | b(cx)?)),
                    Intersection => f(move |cx| Ok(a(cx)? & b(cx)?)),
                    _ => f(move |cx| Ok(a(cx)? & !b(cx)?)),
                })
            }
            Shape::Relation(args) => self.relation_op(ty, op, args),
        }
    }

    fn set_extension<M: Mask>(&self, args: &[ExprId]) -> F<M> {
        if let [element] = args {
            if let Some(code) = self.literal_word(*element) {
                return fixed(M::bit(code));
            }
            let element = self.word(*element);
            return f(move |cx| Ok(M::bit(element(cx)?)));
        }
        let literals: Option<Vec<u64>> = args.iter().map(|arg| self.literal_word(*arg)).collect();
        if let Some(literals) = literals {
            let mask = literals
                .iter()
                .fold(M::ZERO, |mask, code| mask | M::bit(*code));
            return fixed(mask);
        }
        let elements: Vec<F<u64>> = args.iter().map(|arg| self.word(*arg)).collect();
        f(move |cx| {
            let mut mask = M::ZERO;
            for element in &elements {
                mask = mask | M::bit(element(cx)?);
            }
            Ok(mask)
        })
    }

    fn relation_op<M: Mask>(&self, ty: TyId, op: Op, args: &[ExprId]) -> Option<F<M>> {
        use Op::*;
        let of = |i: usize| self.matrix(self.ty(args[i]));
        let code = |i: usize| M::code(self, args[i]);
        Some(match op {
            Domain => {
                let (m, r) = (of(0)?, code(0));
                f(move |cx| Ok(M::of(m.domain(r(cx)?))))
            }
            Range => {
                let (m, r) = (of(0)?, code(0));
                f(move |cx| Ok(M::of(m.range(r(cx)?))))
            }
            Inverse => {
                let (m, to, r) = (of(0)?, self.matrix(ty)?, code(0));
                f(move |cx| Ok(m.inverse(r(cx)?, to)))
            }
            Identity => {
                let (m, set) = (self.matrix(ty)?, code(0));
                f(move |cx| Ok(m.identity(set(cx)?.low())))
            }
            Closure1 => {
                let (m, r) = (of(0)?, code(0));
                f(move |cx| Ok(m.closure(r(cx)?)))
            }
            Closure => {
                let (m, r) = (of(0)?, code(0));
                f(move |cx| Ok(m.closure(r(cx)?) | m.identity(m.all_rows())))
            }
            Image => self.image_op(args)?,
            Cartesian => {
                let (m, a, b) = (self.matrix(ty)?, code(0), code(1));
                f(move |cx| {
                    let a = a(cx)?;
                    let b = b(cx)?;
                    Ok(m.product(a.low(), b.low()))
                })
            }
            DomainRestriction => {
                let (m, set, r) = (of(1)?, code(0), code(1));
                f(move |cx| {
                    let set = set(cx)?;
                    Ok(r(cx)? & m.rows_of(set.low()))
                })
            }
            DomainSubtraction => {
                let (m, set, r) = (of(1)?, code(0), code(1));
                f(move |cx| {
                    let set = set(cx)?;
                    Ok(r(cx)? & !m.rows_of::<M>(set.low()))
                })
            }
            RangeRestriction => {
                let (m, r, set) = (of(0)?, code(0), code(1));
                f(move |cx| {
                    let r = r(cx)?;
                    Ok(r & m.product(m.all_rows(), set(cx)?.low()))
                })
            }
            RangeSubtraction => {
                let (m, r, set) = (of(0)?, code(0), code(1));
                f(move |cx| {
                    let r = r(cx)?;
                    Ok(r & !m.product::<M>(m.all_rows(), set(cx)?.low()))
                })
            }
            Overwrite => self.overwrite_op(args)?,
            Composition | SymbolicComposition => {
                let (m, then, to) = (of(0)?, of(1)?, self.matrix(ty)?);
                let (a, b) = (code(0), code(1));
                f(move |cx| {
                    let a = a(cx)?;
                    Ok(m.compose(a, b(cx)?, then, to))
                })
            }
            Ring => {
                let (m, then, to) = (of(1)?, of(0)?, self.matrix(ty)?);
                let (a, b) = (code(0), code(1));
                f(move |cx| {
                    let a = a(cx)?;
                    Ok(m.compose(b(cx)?, a, then, to))
                })
            }
            _ => return None,
        })
    }

    fn image_op<M: Mask>(&self, args: &[ExprId]) -> Option<F<M>> {
        let relation = &self.model.exprs[args[0]].kind;
        if let Kind::Op(Op::Inverse, inner) = relation
            && let Some(m) = self.matrix(self.ty(inner[0]))
            && matches!(self.rep(args[0]), Rep::Word | Rep::Wide)
            // The inner relation must fit the same mask.
            && (std::mem::size_of::<M>() > 8 || self.rep(inner[0]) == Rep::Word)
        {
            let (r, set) = (M::code(self, inner[0]), M::code(self, args[1]));
            return Some(f(move |cx| {
                let r = r(cx)?;
                Ok(M::of(m.preimage(r, set(cx)?.low())))
            }));
        }
        let m = self.matrix(self.ty(args[0]))?;
        let r = M::code(self, args[0]);
        if let Kind::Op(Op::SetExtension, elements) = &self.model.exprs[args[1]].kind
            && let [element] = elements.as_slice()
        {
            let element = self.word(*element);
            return Some(f(move |cx| {
                let r = r(cx)?;
                Ok(M::of(m.row(r, element(cx)? as u32)))
            }));
        }
        let set = M::code(self, args[1]);
        Some(f(move |cx| {
            let r = r(cx)?;
            Ok(M::of(m.image(r, set(cx)?.low())))
        }))
    }

    fn overwrite_op<M: Mask>(&self, args: &[ExprId]) -> Option<F<M>> {
        let m = self.matrix(self.ty(args[0]))?;
        let below = M::code(self, args[0]);
        if let Kind::Op(Op::SetExtension, pairs) = &self.model.exprs[args[1]].kind
            && let [pair] = pairs.as_slice()
            && let Kind::Op(Op::Maplet, sides) = &self.model.exprs[*pair].kind
        {
            let (left, right) = (self.word(sides[0]), self.word(sides[1]));
            return Some(f(move |cx| {
                let below = below(cx)?;
                let row = left(cx)? as u32;
                let bit = 1 << right(cx)?;
                Ok(below & !m.place::<M>(m.row, row) | m.place(bit, row))
            }));
        }
        let above = M::code(self, args[1]);
        Some(f(move |cx| {
            let below = below(cx)?;
            let above = above(cx)?;
            Ok(below & !m.rows_of::<M>(m.domain(above)) | above)
        }))
    }

    /// `f(x)` where the function is a bit matrix.
    pub(crate) fn apply_op<M: Mask>(
        &self,
        function: ExprId,
        argument: ExprId,
        place: u32,
    ) -> Option<F<u64>> {
        let ty = self.ty(function);
        let m = self.matrix(ty)?;
        let function = M::code(self, function);
        let argument = self.word(argument);
        Some(f(move |cx| {
            let function = function(cx)?;
            let row = argument(cx)?;
            match m.apply(function, row) {
                Ok(value) => Ok(value),
                Err(trap) => Err(cx.blame(trap, place, ty, &function.value(), &V::Word(row))),
            }
        }))
    }
}
