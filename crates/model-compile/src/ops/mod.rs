//! Every operator on values of any representation: the complete, general path.
//!
//! Fast paths for words and masks are chosen at compile time ([`crate::code`]); what has none comes here.
//! Invariant: operands are evaluated already; a result is listed when it is small, symbolic otherwise.

mod counting;
mod numbers;
mod relations;
mod sequences;
mod sets;
mod trees;

pub(crate) use relations::within;

use lang_math::Op;
use model::{Ty, TyId};
use smallvec::SmallVec;

use crate::cx::{Cx, R};
use crate::symbolic::{SymKind, sym};
use crate::trap::Cause;
use crate::value::{Real, V};

/// The types of an operation.
#[derive(Clone, Debug)]
pub(crate) struct OpTy {
    pub args: SmallVec<[TyId; 2]>,
    pub result: TyId,
}

/// Sets up to this size are listed at once; larger products, powers and intervals stay symbolic until
/// somebody needs their elements.
pub(crate) const EAGER: usize = 1 << 16;

impl Cx<'_> {
    /// The value of an operator that forms an expression.
    pub(crate) fn op(&mut self, op: Op, ty: &OpTy, args: &[V]) -> R<V> {
        if args.iter().any(|arg| self.holds_rules(arg)) {
            let args = self.alike(&ty.args, args, false)?;
            return self.op_of(op, ty, &args);
        }
        self.op_of(op, ty, args)
    }

    /// [`Cx::op`], of operands whose equal parts are the same values.
    fn op_of(&mut self, op: Op, ty: &OpTy, args: &[V]) -> R<V> {
        use Op::*;
        let reps = self.reps();
        match (op, args) {
            (Maplet, [a, b]) => Ok(reps.join(ty.result, a.clone(), b.clone())),
            (OfType, [a, _]) => Ok(a.clone()),
            (Component1, [a]) => Ok(reps.left(ty.args[0], a)),
            (Component2, [a]) => Ok(reps.right(ty.args[0], a)),
            (SetExtension, _) => self.collected(ty.result, args.to_vec()),
            (SequenceExtension, _) => Ok(self.sequence(ty.result, args.to_vec())),
            (Add | Minus | Times | Divide | Modulo | Power, [a, b]) => numbers::binary(op, a, b),
            (Negate | Floor | Ceiling | ToReal, [a]) => numbers::unary(op, a),
            (Interval, [a, b]) => Ok(self.interval(ty.result, a, b)),
            (Max | Min, [set]) => self.extremum(op == Max, set),
            (Card, [set]) => self.cardinality(set),
            (Union | Intersection | SetMinus, [a, b]) => self.algebra(op, ty.result, a, b),
            (Cartesian, [a, b]) => self.product(ty.result, a, b),
            (PowerSet | PowerSet1 | FiniteSubsets | FiniteSubsets1, [set]) => {
                self.power(op, ty.result, set)
            }
            (GeneralUnion | GeneralIntersection, [sets]) => {
                self.general(op == GeneralUnion, ty.result, sets)
            }
            (arrow, [a, b]) if arrow.is_arrow() => self.space(op, ty.result, a, b),
            (
                Sequences | Sequences1 | InjectiveSequences | InjectiveSequences1 | Permutations,
                [set],
            ) => self.sequences(op, ty.result, set),
            (Domain, [r]) => self.domain(ty, r),
            (Range, [r]) => self.range(ty, r),
            (Inverse, [r]) => self.inverse(ty, r),
            (Identity, [set]) => self.identity(ty.result, set),
            (Image, [r, set]) => self.image(ty, r, set),
            (
                DomainRestriction | DomainSubtraction | RangeRestriction | RangeSubtraction,
                [a, b],
            ) => self.restrict(op, ty.result, a, b),
            (Overwrite, [a, b]) => self.overwrite(ty.result, a, b),
            (Composition | SymbolicComposition, [a, b]) => {
                self.compose(ty.result, (a, ty.args[0]), (b, ty.args[1]))
            }
            (Ring, [a, b]) => self.compose(ty.result, (b, ty.args[1]), (a, ty.args[0])),
            (DirectProduct, [a, b]) => self.direct_product(ty, a, b),
            (ParallelProduct, [a, b]) => self.parallel_product(ty, a, b),
            (Prj1 | Prj2, [a, b]) => self.projection(op == Prj1, ty.result, a, b),
            (Iterate, [r, n]) => self.iterate(ty.result, r, n),
            (Closure, [r]) => {
                let plain = self.closure1(ty.result, r)?;
                self.reflexive(ty.result, &plain)
            }
            (Closure1, [r]) => self.closure1(ty.result, r),
            (ToFunction, [r]) => self.grouped(ty, r),
            (ToRelation, [r]) => self.ungrouped(ty, r),
            (
                Size | First | Last | Front | Tail | Reverse | Flatten | Concat | InsertFront
                | InsertTail | TakeFirst | DropFirst,
                _,
            ) => self.sequence_op(op, ty, args),
            (
                Trees | BinaryTrees | TreeNode | TreeTop | TreeSons | TreePrefix | TreePostfix
                | TreeSize | TreeMirror | TreeRank | TreeFather | TreeSon | Subtree | TreeArity
                | BinaryLeaf | BinaryNode | BinaryLeft | BinaryRight | TreeInfix,
                _,
            ) => self.tree_op(op, ty, args),
            (op, []) => self
                .constant(op, ty.result)
                .ok_or_else(|| Cause::External.trap()),
            _ => Err(Cause::External.trap()),
        }
    }

    /// The value of an operator without operands.
    pub(crate) fn constant(&self, op: Op, ty: TyId) -> Option<V> {
        let reps = self.reps();
        let program = self.program;
        Some(match op {
            Op::True => V::Word(1),
            Op::False => V::Word(0),
            Op::Booleans => V::Word(3),
            Op::MaxInt => V::Int(program.max_int),
            Op::MinInt => V::Int(program.min_int),
            Op::Integers | Op::Strings | Op::Reals | Op::Floats => sym(ty, SymKind::All),
            Op::Naturals => sym(ty, SymKind::AtLeast(0)),
            Op::Naturals1 => sym(ty, SymKind::AtLeast(1)),
            Op::Int => self.small_interval(ty, program.min_int, program.max_int),
            Op::Nat => self.small_interval(ty, 0, program.max_int),
            Op::Nat1 => self.small_interval(ty, 1, program.max_int),
            Op::EmptySet | Op::EmptySequence => reps.empty(ty),
            Op::Successor => sym(ty, SymKind::Shift(1)),
            Op::Predecessor => sym(ty, SymKind::Shift(-1)),
            Op::Projection1 | Op::Projection2 => {
                let (pair, _) = reps.sides(ty);
                let (left, right) = reps.parts(pair);
                let all = |part: TyId| match reps.find(&Ty::Pow(part)) {
                    Some(set) => self.whole(set),
                    // No set of this type occurs elsewhere: its values are never looked at.
                    None => sym(part, SymKind::All),
                };
                sym(
                    ty,
                    SymKind::Projection {
                        first: op == Op::Projection1,
                        left: all(left),
                        right: all(right),
                    },
                )
            }
            _ => return None,
        })
    }

    /// All values of the element type of a set type.
    pub(crate) fn whole(&self, ty: TyId) -> V {
        let info = &self.reps()[ty];
        match info.rep {
            crate::rep::Rep::Word if info.bits == 64 => V::Word(u64::MAX),
            crate::rep::Rep::Word => V::Word((1 << info.bits) - 1),
            crate::rep::Rep::Wide if info.bits == 128 => V::of_wide(u128::MAX),
            crate::rep::Rep::Wide => V::of_wide((1 << info.bits) - 1),
            _ => {
                let element = &self.reps()[self.reps().element(ty)];
                if element.rep == crate::rep::Rep::Word && element.size <= EAGER as u128 {
                    return self
                        .reps()
                        .set(ty, (0..element.size as u64).map(V::Word).collect());
                }
                sym(ty, SymKind::All)
            }
        }
    }

    pub(crate) fn small_interval(&self, ty: TyId, low: i64, high: i64) -> V {
        if high < low {
            return self.reps().empty(ty);
        }
        if high.abs_diff(low) >= EAGER as u64 {
            return sym(ty, SymKind::Interval(V::Int(low), V::Int(high)));
        }
        self.reps().set(ty, (low..=high).map(V::Int).collect())
    }

    fn interval(&self, ty: TyId, low: &V, high: &V) -> V {
        match (low, high) {
            (V::Int(low), V::Int(high)) => self.small_interval(ty, *low, *high),
            _ if low.cmp_number(high).is_gt() => self.reps().empty(ty),
            _ => {
                let size = high.to_big() - low.to_big();
                if size < num_bigint::BigInt::from(EAGER) {
                    let mut elements = Vec::new();
                    let (mut next, high) = (low.to_big(), high.to_big());
                    while next <= high {
                        elements.push(V::big(next.clone()));
                        next += 1;
                    }
                    return self.reps().set(ty, elements);
                }
                sym(ty, SymKind::Interval(low.clone(), high.clone()))
            }
        }
    }

    /// The value with symbolic sets listed where they are finite: what may enter a state.
    #[inline]
    pub(crate) fn canonical(&mut self, value: V) -> R<V> {
        match &value {
            V::Sym(sym) => self.listed_if_finite(sym.clone(), value),
            _ => Ok(value),
        }
    }

    fn listed_if_finite(&mut self, sym: std::sync::Arc<crate::symbolic::Sym>, value: V) -> R<V> {
        if matches!(sym.kind, SymKind::Closure(..)) || self.is_infinite(&value)? {
            return Ok(value);
        }
        let ty = sym.ty;
        let elements = self.elements(&value)?;
        Ok(self.reps().set(ty, elements.into_vec()))
    }
}

/// A real as a value.
pub(crate) fn real(value: f64) -> V {
    V::Real(Real(value))
}

/// Arithmetic on exact numbers.
pub(crate) fn arithmetic(op: Op, a: &V, b: &V) -> R<V> {
    numbers::binary(op, a, b)
}
