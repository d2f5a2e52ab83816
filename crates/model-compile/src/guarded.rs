//! Whether a formula has a value wherever what stands before it is true: `g(x) /= x` after `g : S --> T & x : S`.
//!
//! Technique: assumptions are collected along the text, as the definedness of B goes (left to right); that a number lies in
//! an interval is proved by adding up inequalities (Fourier and Motzkin's elimination, a few steps deep).
//! Invariant: "yes" is a proof, "no" says nothing. What is proved may end a quantifier at its first witness; it never
//! moves a formula before its assumptions.

use lang_math::{Binder, Op};
use model::{ExprId, Kind, LocalId};
use num_traits::ToPrimitive as _;

use crate::code::Compiler;

/// So many combinations of inequalities are tried for one proof.
const TRIES: u32 = 200;
/// So many inequalities are added up.
const DEPTH: u32 = 4;
/// Larger numbers end a proof.
const LARGEST: i128 = 1 << 60;

/// What is known to be true.
pub(crate) struct Guarded<'c, 'm> {
    compiler: &'c Compiler<'m>,
    /// Elements and the sets that they are in.
    members: Vec<(ExprId, ExprId)>,
    /// Sums that are not negative.
    sums: Vec<Sum>,
}

/// Multiples of expressions, and a number.
#[derive(Clone, Default)]
struct Sum {
    terms: Vec<(ExprId, i128)>,
    constant: i128,
}

impl<'c, 'm> Guarded<'c, 'm> {
    pub(crate) fn new(compiler: &'c Compiler<'m>) -> Guarded<'c, 'm> {
        Guarded {
            compiler,
            members: Vec::new(),
            sums: Vec::new(),
        }
    }

    fn kind(&self, expr: ExprId) -> &'c Kind
    where
        'm: 'c,
    {
        &self.compiler.model.exprs[expr].kind
    }

    /// Takes a predicate, or its negation, for true from now on.
    pub(crate) fn assume(&mut self, predicate: ExprId, negated: bool) {
        let Kind::Op(op, args) = self.kind(predicate) else {
            return;
        };
        match (op, args.as_slice(), negated) {
            (Op::And, args, false) | (Op::Or, args, true) => {
                for part in args {
                    base::deep::recurse(|| self.assume(*part, negated));
                }
            }
            (Op::Not, [of], _) => base::deep::recurse(|| self.assume(*of, !negated)),
            (Op::Member, [element, set], false) | (Op::NotMember, [element, set], true) => {
                self.assume_member(*element, *set);
            }
            (Op::Equal, [a, b], false) if self.is_number(*a) => {
                self.assume_order(*a, *b, 0);
                self.assume_order(*b, *a, 0);
            }
            (Op::Less, [a, b], false)
            | (Op::GreaterEqual, [a, b], true)
            | (Op::Greater, [b, a], false)
            | (Op::LessEqual, [b, a], true) => self.assume_order(*a, *b, 1),
            (Op::LessEqual, [a, b], false)
            | (Op::Greater, [a, b], true)
            | (Op::GreaterEqual, [b, a], false)
            | (Op::Less, [b, a], true) => self.assume_order(*a, *b, 0),
            _ => {}
        }
    }

    fn is_number(&self, expr: ExprId) -> bool {
        let ty = self.compiler.model.exprs[expr].ty;
        ty.is_some_and(|ty| matches!(self.compiler.model.tys[ty], model::Ty::Int))
    }

    /// `low + by <= high`.
    fn assume_order(&mut self, low: ExprId, high: ExprId, by: i128) {
        if self.is_number(low)
            && let Some(sum) = self.difference(high, low, -by)
        {
            self.sums.push(sum);
        }
    }

    fn assume_member(&mut self, element: ExprId, set: ExprId) {
        self.members.push((element, set));
        match (self.kind(element), self.kind(set)) {
            (Kind::Op(Op::Maplet, pair), Kind::Op(Op::Cartesian, sides)) => {
                for (part, side) in pair.iter().zip(sides) {
                    base::deep::recurse(|| self.assume_member(*part, *side));
                }
            }
            (_, Kind::Op(Op::Interval, ends)) => {
                self.assume_order(ends[0], element, 0);
                self.assume_order(element, ends[1], 0);
            }
            (_, Kind::Op(op @ (Op::Naturals | Op::Nat | Op::Naturals1 | Op::Nat1), _)) => {
                let least = i128::from(matches!(op, Op::Naturals1 | Op::Nat1));
                if let Some(mut sum) = self.sum(element) {
                    sum.constant -= least;
                    self.sums.push(sum);
                }
            }
            _ => {}
        }
    }

    /// Runs with further assumptions that are forgotten afterwards.
    fn within<T>(&mut self, body: impl FnOnce(&mut Self) -> T) -> T {
        let (members, sums) = (self.members.len(), self.sums.len());
        let result = body(self);
        self.members.truncate(members);
        self.sums.truncate(sums);
        result
    }

    /// Whether an expression or predicate surely has a value.
    pub(crate) fn has_value(&mut self, expr: ExprId) -> bool {
        self.compiler.facts.of(expr).total || base::deep::recurse(|| self.has_value_here(expr))
    }

    fn has_value_here(&mut self, expr: ExprId) -> bool {
        let kind = self.kind(expr);
        match kind {
            Kind::Op(Op::And, args) => self.within(|here| here.in_turn(args, false)),
            Kind::Op(Op::Or, args) => self.within(|here| here.in_turn(args, true)),
            Kind::Op(Op::Implies, args) => self.within(|here| here.in_turn(args, false)),
            Kind::Op(Op::Modulo, args) => {
                self.all_have_values(args)
                    && self.is_at_least(args[0], 0)
                    && self.is_at_least(args[1], 1)
            }
            Kind::Op(Op::Divide, args) => {
                self.all_have_values(args) && self.is_at_least(args[1], 1)
            }
            Kind::Op(_, args) => {
                self.compiler.facts.is_total_node(kind) && self.all_have_values(args)
            }
            Kind::Apply(function, argument) => {
                self.all_have_values(&[*function, *argument])
                    && (self.compiler.facts.is_total_node(kind)
                        || self.is_in_domain(*function, *argument))
            }
            Kind::Bind {
                binder,
                names,
                predicate,
                value,
                ..
            } => {
                *binder != Binder::Inter
                    && !self.mentions(names)
                    && self.has_value(*predicate)
                    && value.is_none_or(|value| {
                        self.within(|here| {
                            here.assume(*predicate, false);
                            here.has_value(value)
                        })
                    })
            }
            Kind::If(condition, yes, no) => {
                self.has_value(*condition)
                    && [(*yes, false), (*no, true)].into_iter().all(|(part, no)| {
                        self.within(|here| {
                            here.assume(*condition, no);
                            here.has_value(part)
                        })
                    })
            }
            Kind::Field(record, _) => self.has_value(*record),
            Kind::Record(fields) => fields.iter().all(|(_, field)| self.has_value(*field)),
            _ => false,
        }
    }

    /// Whether something was assumed about these names.
    fn mentions(&self, names: &[LocalId]) -> bool {
        let terms = self.sums.iter().flat_map(|sum| &sum.terms);
        let members = self
            .members
            .iter()
            .flat_map(|(element, set)| [element, set]);
        let mut known = terms.map(|(term, _)| term).chain(members);
        known.any(|expr| {
            let fact = self.compiler.facts.of(*expr);
            names.iter().any(|name| fact.locals.contains(name))
        })
    }

    fn all_have_values(&mut self, args: &[ExprId]) -> bool {
        args.iter().all(|arg| self.has_value(*arg))
    }

    /// Whether each part has a value where those before it are true, or false if they are `refuted`.
    fn in_turn(&mut self, parts: &[ExprId], refuted: bool) -> bool {
        parts.iter().all(|part| {
            let has_value = self.has_value(*part);
            self.assume(*part, refuted);
            has_value
        })
    }

    /// Whether a function is known to have a value for an argument.
    fn is_in_domain(&self, function: ExprId, argument: ExprId) -> bool {
        self.members.iter().any(|(member, space)| {
            let space = self.compiler.defined_as(*space);
            let Kind::Op(
                Op::TotalFunctions
                | Op::TotalInjections
                | Op::TotalSurjections
                | Op::TotalBijections,
                sides,
            ) = self.kind(space)
            else {
                return false;
            };
            self.compiler.same(*member, function) && self.is_member(argument, sides[0])
        })
    }

    fn is_member(&self, element: ExprId, set: ExprId) -> bool {
        match (self.kind(element), self.kind(set)) {
            (_, Kind::Carrier(_) | Kind::FreeSet(_))
            | (_, Kind::Op(Op::Integers | Op::Booleans | Op::Strings | Op::Reals, _)) => true,
            (Kind::Op(Op::Maplet, pair), Kind::Op(Op::Cartesian, sides)) => {
                self.is_member(pair[0], sides[0]) && self.is_member(pair[1], sides[1])
            }
            (_, Kind::Op(Op::Interval, ends)) => {
                self.is_ordered(ends[0], element) && self.is_ordered(element, ends[1])
            }
            (_, Kind::Op(Op::Naturals, _)) => self.is_at_least(element, 0),
            (_, Kind::Op(Op::Naturals1, _)) => self.is_at_least(element, 1),
            _ => {
                let same = |a: ExprId, b: ExprId| self.compiler.same(a, b);
                self.members
                    .iter()
                    .any(|(known, of)| same(*known, element) && same(*of, set))
            }
        }
    }

    fn is_at_least(&self, number: ExprId, least: i128) -> bool {
        self.is_number(number)
            && self.sum(number).is_some_and(|mut sum| {
                sum.constant -= least;
                self.is_never_negative(&sum, DEPTH, &mut TRIES.clone())
            })
    }

    fn is_ordered(&self, low: ExprId, high: ExprId) -> bool {
        let difference = self.difference(high, low, 0);
        difference.is_some_and(|sum| self.is_never_negative(&sum, DEPTH, &mut TRIES.clone()))
    }

    /// Whether a sum is a sum of known ones and something that is not negative.
    fn is_never_negative(&self, sum: &Sum, depth: u32, tries: &mut u32) -> bool {
        let Some((term, factor)) = sum.terms.first().copied() else {
            return sum.constant >= 0;
        };
        if depth == 0 {
            return false;
        }
        self.sums.iter().any(|known| {
            let Some(other) = known.factor(self.compiler, term) else {
                return false;
            };
            if (other > 0) != (factor > 0) || *tries == 0 {
                return false;
            }
            *tries -= 1;
            let rest = sum.combined(self.compiler, other.abs(), known, -factor.abs());
            rest.is_some_and(|rest| self.is_never_negative(&rest, depth - 1, tries))
        })
    }

    /// `a - b + by`
    fn difference(&self, a: ExprId, b: ExprId, by: i128) -> Option<Sum> {
        let mut sum = self.sum(a)?.combined(self.compiler, 1, &self.sum(b)?, -1)?;
        sum.constant += by;
        Some(sum)
    }

    fn sum(&self, expr: ExprId) -> Option<Sum> {
        let parts = |args: &[ExprId]| Some((self.sum(args[0])?, self.sum(args[1])?));
        base::deep::recurse(|| match self.kind(expr) {
            Kind::Int(value) => Some(Sum {
                constant: value.to_i64()?.into(),
                ..Sum::default()
            }),
            Kind::Op(op @ (Op::Add | Op::Minus), args) => {
                let (a, b) = parts(args)?;
                a.combined(self.compiler, 1, &b, if *op == Op::Add { 1 } else { -1 })
            }
            Kind::Op(Op::Negate, args) => {
                Sum::default().combined(self.compiler, 1, &self.sum(args[0])?, -1)
            }
            Kind::Op(Op::Times, args) => {
                let (a, b) = parts(args)?;
                let (number, sum) = match (a.terms.is_empty(), b.terms.is_empty()) {
                    (true, _) => (a.constant, b),
                    (_, true) => (b.constant, a),
                    _ => return Some(Sum::of(expr)),
                };
                Sum::default().combined(self.compiler, 1, &sum, number)
            }
            _ => Some(Sum::of(expr)),
        })
    }
}

impl Sum {
    fn of(expr: ExprId) -> Sum {
        Sum {
            terms: vec![(expr, 1)],
            constant: 0,
        }
    }

    fn factor(&self, compiler: &Compiler<'_>, term: ExprId) -> Option<i128> {
        let found = self.terms.iter().find(|(of, _)| compiler.same(*of, term));
        found.map(|(_, factor)| *factor)
    }

    /// `by * self + times * other`; nothing when numbers get large.
    fn combined(&self, compiler: &Compiler<'_>, by: i128, other: &Sum, times: i128) -> Option<Sum> {
        let small = |a: i128, b: i128| a.checked_mul(b).filter(|product| product.abs() < LARGEST);
        let mut sum = Sum {
            terms: Vec::new(),
            constant: small(self.constant, by)? + small(other.constant, times)?,
        };
        for (term, factor) in &self.terms {
            sum.terms.push((*term, small(*factor, by)?));
        }
        for (term, factor) in &other.terms {
            let factor = small(*factor, times)?;
            let known = sum
                .terms
                .iter_mut()
                .find(|(of, _)| compiler.same(*of, *term));
            match known {
                Some((_, sum)) => *sum += factor,
                None => sum.terms.push((*term, factor)),
            }
        }
        sum.terms.retain(|(_, factor)| *factor != 0);
        Some(sum)
    }
}
