//! Relations between few codes as bit matrices: a relation over `a` and `b` codes is `a` rows of `b` bits; domain, image,
//! restriction, composition and application are a few instructions a row.
//!
//! Invariant: rows lie within the mask: `a * b` is at most the number of bits, and `a`, `b` at most 64.

use super::Mask;
use crate::cx::R;
use crate::trap::Cause;

/// The shape of a bit matrix.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Matrix {
    pub rows: u32,
    pub width: u32,
    pub(super) row: u64,
}

impl Matrix {
    pub(super) fn row<M: Mask>(self, matrix: M, row: u32) -> u64 {
        (matrix >> (row * self.width)).low() & self.row
    }

    pub(super) fn place<M: Mask>(self, bits: u64, row: u32) -> M {
        M::of(bits) << (row * self.width)
    }

    pub(crate) fn domain<M: Mask>(self, matrix: M) -> u64 {
        let mut domain = 0;
        for row in 0..self.rows {
            domain |= u64::from(self.row(matrix, row) != 0) << row;
        }
        domain
    }

    pub(super) fn range<M: Mask>(self, matrix: M) -> u64 {
        let mut range = 0;
        for row in 0..self.rows {
            range |= self.row(matrix, row);
        }
        range
    }

    pub(super) fn image<M: Mask>(self, matrix: M, mut set: u64) -> u64 {
        let mut image = 0;
        while let Some(row) = set.pop() {
            image |= self.row(matrix, row);
        }
        image
    }

    pub(super) fn preimage<M: Mask>(self, matrix: M, set: u64) -> u64 {
        let mut preimage = 0;
        for row in 0..self.rows {
            preimage |= u64::from(self.row(matrix, row) & set != 0) << row;
        }
        preimage
    }

    /// The bits of the rows in a set.
    pub(super) fn rows_of<M: Mask>(self, mut set: u64) -> M {
        let mut mask = M::ZERO;
        while let Some(row) = set.pop() {
            mask = mask | self.place(self.row, row);
        }
        mask
    }

    /// A set repeated in the given rows.
    pub(super) fn product<M: Mask>(self, mut rows: u64, set: u64) -> M {
        let mut mask = M::ZERO;
        while let Some(row) = rows.pop() {
            mask = mask | self.place(set, row);
        }
        mask
    }

    pub(super) fn all_rows(self) -> u64 {
        u64::ones(self.rows)
    }

    pub(super) fn inverse<M: Mask>(self, matrix: M, to: Matrix) -> M {
        let mut inverse = M::ZERO;
        for row in 0..self.rows {
            let mut bits = self.row(matrix, row);
            while let Some(column) = bits.pop() {
                inverse = inverse | to.place(1 << row, column);
            }
        }
        inverse
    }

    pub(super) fn compose<M: Mask>(self, first: M, second: M, then: Matrix, to: Matrix) -> M {
        let mut result = M::ZERO;
        for row in 0..self.rows {
            let image = then.image(second, self.row(first, row));
            result = result | to.place(image, row);
        }
        result
    }

    /// Warshall's algorithm.
    pub(super) fn closure<M: Mask>(self, mut matrix: M) -> M {
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

    pub(super) fn identity<M: Mask>(self, mut set: u64) -> M {
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
