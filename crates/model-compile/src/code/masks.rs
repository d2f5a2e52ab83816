//! Sets over few codes as bit masks, relations between them as bit matrices.
//!
//! A relation over `a` and `b` codes is `a` rows of `b` bits; domain, image, restriction, composition and
//! application are a few instructions a row. The same code serves one word and two.
//! Invariant: rows lie within the mask: `a * b` is at most the number of bits, and `a`, `b` at most 64.

use std::ops::{BitAnd, BitOr, Not, Shl, Shr};

use lang_math::Op;
use model::{ExprId, Kind, TyId};

use super::{Compiler, f, fixed};
use crate::cx::{F, R};
use crate::rep::Rep;
use crate::trap::Cause;
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

/// The shape of a bit matrix.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Matrix {
    pub rows: u32,
    pub width: u32,
    row: u64,
}

impl Matrix {
    fn row<M: Mask>(self, matrix: M, row: u32) -> u64 {
        (matrix >> (row * self.width)).low() & self.row
    }

    fn place<M: Mask>(self, bits: u64, row: u32) -> M {
        M::of(bits) << (row * self.width)
    }

    pub(crate) fn domain<M: Mask>(self, matrix: M) -> u64 {
        let mut domain = 0;
        for row in 0..self.rows {
            domain |= u64::from(self.row(matrix, row) != 0) << row;
        }
        domain
    }

    fn range<M: Mask>(self, matrix: M) -> u64 {
        let mut range = 0;
        for row in 0..self.rows {
            range |= self.row(matrix, row);
        }
        range
    }

    fn image<M: Mask>(self, matrix: M, mut set: u64) -> u64 {
        let mut image = 0;
        while let Some(row) = set.pop() {
            image |= self.row(matrix, row);
        }
        image
    }

    fn preimage<M: Mask>(self, matrix: M, set: u64) -> u64 {
        let mut preimage = 0;
        for row in 0..self.rows {
            preimage |= u64::from(self.row(matrix, row) & set != 0) << row;
        }
        preimage
    }

    /// The bits of the rows in a set.
    fn rows_of<M: Mask>(self, mut set: u64) -> M {
        let mut mask = M::ZERO;
        while let Some(row) = set.pop() {
            mask = mask | self.place(self.row, row);
        }
        mask
    }

    /// A set repeated in the given rows.
    fn product<M: Mask>(self, mut rows: u64, set: u64) -> M {
        let mut mask = M::ZERO;
        while let Some(row) = rows.pop() {
            mask = mask | self.place(set, row);
        }
        mask
    }

    fn all_rows(self) -> u64 {
        u64::ones(self.rows)
    }

    fn inverse<M: Mask>(self, matrix: M, to: Matrix) -> M {
        let mut inverse = M::ZERO;
        for row in 0..self.rows {
            let mut bits = self.row(matrix, row);
            while let Some(column) = bits.pop() {
                inverse = inverse | to.place(1 << row, column);
            }
        }
        inverse
    }

    fn compose<M: Mask>(self, first: M, second: M, then: Matrix, to: Matrix) -> M {
        let mut result = M::ZERO;
        for row in 0..self.rows {
            let image = then.image(second, self.row(first, row));
            result = result | to.place(image, row);
        }
        result
    }

    /// Warshall's algorithm.
    fn closure<M: Mask>(self, mut matrix: M) -> M {
        for middle in 0..self.rows {
            let through = self.row(matrix, middle);
            for row in 0..self.rows {
                if self.row(matrix, row) >> middle & 1 == 1 {
                    matrix = matrix | self.place(through, row);
                }
            }
        }
        matrix
    }

    fn identity<M: Mask>(self, mut set: u64) -> M {
        let mut mask = M::ZERO;
        while let Some(row) = set.pop() {
            mask = mask | self.place(1 << row, row);
        }
        mask
    }

    /// The value at `row`.
    pub(crate) fn apply<M: Mask>(self, matrix: M, row: u64) -> R<u64> {
        let bits = self.row(matrix, row as u32);
        if bits == 0 {
            return Err(Cause::OutsideDomain.trap());
        }
        if bits & (bits - 1) != 0 {
            return Err(Cause::SeveralImages.trap());
        }
        Ok(u64::from(bits.trailing_zeros()))
    }

    /// Whether a relation is in a space between two sets.
    pub(crate) fn in_space<M: Mask>(
        self,
        space: crate::symbolic::Space,
        matrix: M,
        from: u64,
        to: u64,
    ) -> bool {
        let mut seen = 0u64;
        for row in 0..self.rows {
            let bits = self.row(matrix, row);
            if bits == 0 {
                if space.total && from >> row & 1 == 1 {
                    return false;
                }
                continue;
            }
            if from >> row & 1 == 0
                || bits & !to != 0
                || space.functional && bits & (bits - 1) != 0
                || space.injective && bits & seen != 0
            {
                return false;
            }
            seen |= bits;
        }
        !space.surjective || seen == to
    }
}

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

#[cfg(test)]
mod tests {
    use super::*;

    const M: Matrix = Matrix {
        rows: 3,
        width: 4,
        row: 0b1111,
    };
    const T: Matrix = Matrix {
        rows: 4,
        width: 3,
        row: 0b111,
    };

    fn pairs(list: &[(u64, u64)]) -> u64 {
        list.iter().fold(0, |mask, (l, r)| mask | 1 << (l * 4 + r))
    }

    #[test]
    fn rows_of_a_matrix_are_images() {
        let r = pairs(&[(0, 1), (0, 3), (2, 0)]);
        assert_eq!(M.domain(r), 0b101);
        assert_eq!(M.range(r), 0b1011);
        assert_eq!(M.image(r, 0b001), 0b1010);
        assert_eq!(M.preimage(r, 0b0001), 0b100);
        assert_eq!(M.apply(r, 2), Ok(0));
        assert_eq!(M.apply(r, 1), Err(Cause::OutsideDomain.trap()));
        assert_eq!(M.apply(r, 0), Err(Cause::SeveralImages.trap()));
    }

    #[test]
    fn the_inverse_of_the_inverse_is_the_relation() {
        for r in 0..1u64 << 12 {
            assert_eq!(T.inverse(M.inverse(r, T), M), r);
        }
    }

    #[test]
    fn one_and_two_words_agree() {
        for r in 0..1u64 << 12 {
            let wide = u128::from(r);
            assert_eq!(M.domain(r), M.domain(wide));
            assert_eq!(u128::from(M.inverse(r, T)), M.inverse(wide, T));
            let back = M.inverse(r, T);
            let square = Matrix {
                rows: 3,
                width: 3,
                row: 0b111,
            };
            assert_eq!(
                u128::from(M.compose(r, back, T, square)),
                M.compose(wide, u128::from(back), T, square)
            );
        }
    }
}
