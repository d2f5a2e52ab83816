//! Expressions as templates: what is about bound integers by its form, everything else as code.

use std::sync::Arc;

use lang_math::{Binder, Op};
use model::{ExprId, Kind, LocalId, Ty, TyId};

use super::{Among, Bound, Num, Say};
use crate::code::Compiler;

/// A set with more components is not looked at.
const MOST_COMPONENTS: usize = 6;

/// Reads expressions under bound names.
pub(super) struct Reading<'c, 'm> {
    pub(super) compiler: &'c Compiler<'m>,
    pub(super) bound: Vec<LocalId>,
}

impl Reading<'_, '_> {
    /// Whether no bound name stands in an expression.
    fn is_known(&self, expr: ExprId) -> bool {
        let locals = &self.compiler.facts.of(expr).locals;
        !self.bound.iter().any(|name| locals.contains(name))
    }

    /// The number of integers in a value of this type, if that is all there is.
    fn width(&self, ty: TyId) -> Option<usize> {
        let tys = &self.compiler.program.tys;
        let width = match tys[ty] {
            Ty::Int => 1,
            Ty::Prod(left, right) => self.width(left)? + self.width(right)?,
            _ => return None,
        };
        (width <= MOST_COMPONENTS).then_some(width)
    }

    fn width_of(&self, expr: ExprId) -> Option<usize> {
        self.width(self.compiler.model.exprs[expr].ty?)
    }

    /// The number of components of the elements of a set.
    pub(super) fn components(&self, set: ExprId) -> Option<usize> {
        let ty = self.compiler.model.exprs[set].ty?;
        match self.compiler.program.tys[ty] {
            Ty::Pow(element) => self.width(element),
            _ => None,
        }
    }

    /// The numbers of components of the two sides of a relation.
    fn sides(&self, relation: ExprId) -> Option<[usize; 2]> {
        let ty = self.compiler.model.exprs[relation].ty?;
        let tys = &self.compiler.program.tys;
        let Ty::Pow(element) = tys[ty] else {
            return None;
        };
        let Ty::Prod(left, right) = tys[element] else {
            return None;
        };
        Some([self.width(left)?, self.width(right)?])
    }

    /// The names with their widths, bound for what `read` reads.
    fn binding<T>(
        &mut self,
        names: &[LocalId],
        read: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<(Vec<Bound>, T)> {
        let widths = names.iter().map(|name| {
            let width = self.width(self.compiler.model.locals[*name].ty)?;
            Some((*name, width))
        });
        let bound = widths.collect::<Option<Vec<Bound>>>()?;
        let before = self.bound.len();
        self.bound.extend(names);
        let result = read(self);
        self.bound.truncate(before);
        Some((bound, result?))
    }

    pub(super) fn say(&mut self, predicate: ExprId) -> Option<Say> {
        base::deep::recurse(|| self.say_structure(predicate)).or_else(|| {
            let known = self.is_known(predicate);
            known.then(|| {
                let compiler = self.compiler;
                Say::Known(compiler.without_kept(|| compiler.predicate(predicate)))
            })
        })
    }

    fn says(&mut self, predicates: &[ExprId]) -> Option<Vec<Say>> {
        predicates
            .iter()
            .map(|predicate| self.say(*predicate))
            .collect()
    }

    pub(super) fn say_structure(&mut self, predicate: ExprId) -> Option<Say> {
        let model = self.compiler.model;
        match &model.exprs[predicate].kind {
            Kind::Op(op, sides) => self.say_op(*op, sides),
            Kind::Bind {
                binder: binder @ (Binder::Forall | Binder::Exists),
                names,
                predicate,
                ..
            } => {
                let (names, body) = self.binding(names, |reading| reading.say(*predicate))?;
                Some(Say::Quantified {
                    all: *binder == Binder::Forall,
                    names,
                    body: Box::new(body),
                })
            }
            _ => None,
        }
    }

    fn say_op(&mut self, op: Op, sides: &[ExprId]) -> Option<Say> {
        let negated = |say: Say| Say::Not(Box::new(say));
        Some(match (op, sides) {
            (Op::Truth, _) => Say::And(Vec::new()),
            (Op::Falsity, _) => Say::Or(Vec::new()),
            (Op::And, _) => Say::And(self.says(sides)?),
            (Op::Or, _) => Say::Or(self.says(sides)?),
            (Op::Not, [a]) => negated(self.say(*a)?),
            (Op::Implies, [a, b]) => Say::Implies(Box::new(self.say(*a)?), Box::new(self.say(*b)?)),
            (Op::Equivalent, [a, b]) => {
                Say::Equivalent(Box::new(self.say(*a)?), Box::new(self.say(*b)?))
            }
            (Op::Less | Op::LessEqual, [a, b]) => Say::Compare(op, self.num(*a)?, self.num(*b)?),
            (Op::Greater, [a, b]) => self.swapped(Op::Less, *a, *b)?,
            (Op::GreaterEqual, [a, b]) => self.swapped(Op::LessEqual, *a, *b)?,
            (Op::Equal, [a, b]) => self.equal(*a, *b)?,
            (Op::NotEqual, [a, b]) => negated(self.equal(*a, *b)?),
            (Op::Member, [a, b]) => self.member(*a, *b)?,
            (Op::NotMember, [a, b]) => negated(self.member(*a, *b)?),
            (Op::Subset, [a, b]) => self.within(*a, *b)?,
            (Op::NotSubset, [a, b]) => negated(self.within(*a, *b)?),
            (Op::StrictSubset, [a, b]) => self.strictly_within(*a, *b)?,
            (Op::NotStrictSubset, [a, b]) => negated(self.strictly_within(*a, *b)?),
            (Op::Finite, [a]) => Say::Finite(self.among(*a)?, self.components(*a)?),
            _ => return None,
        })
    }

    /// Both sides are read in the order of the text.
    fn swapped(&mut self, op: Op, a: ExprId, b: ExprId) -> Option<Say> {
        let (a, b) = (self.num(a)?, self.num(b)?);
        Some(Say::Compare(op, b, a))
    }

    fn equal(&mut self, a: ExprId, b: ExprId) -> Option<Say> {
        if self.components(a).is_some() {
            return Some(Say::And(vec![self.within(a, b)?, self.within(b, a)?]));
        }
        let (a, b) = (self.tuple(a)?, self.tuple(b)?);
        let parts = a.into_iter().zip(b);
        Some(Say::And(
            parts.map(|(a, b)| Say::Compare(Op::Equal, a, b)).collect(),
        ))
    }

    fn within(&mut self, a: ExprId, b: ExprId) -> Option<Say> {
        let width = self.components(a)?;
        Some(Say::Within(self.among(a)?, self.among(b)?, width))
    }

    fn strictly_within(&mut self, a: ExprId, b: ExprId) -> Option<Say> {
        let back = Say::Not(Box::new(self.within(b, a)?));
        Some(Say::And(vec![self.within(a, b)?, back]))
    }

    fn member(&mut self, element: ExprId, set: ExprId) -> Option<Say> {
        if self.width_of(element).is_some() {
            return Some(Say::Member(self.tuple(element)?, self.among(set)?));
        }
        let width = self.components(element)?;
        let Kind::Op(op, sides) = &self.compiler.model.exprs[set].kind else {
            return None;
        };
        let nothing = || Among::Listed(Vec::new());
        Some(match (op, sides.as_slice()) {
            (Op::PowerSet | Op::PowerSet1 | Op::FiniteSubsets | Op::FiniteSubsets1, [of]) => {
                let mut parts = vec![self.within(element, *of)?];
                if matches!(op, Op::PowerSet1 | Op::FiniteSubsets1) {
                    let empty = Say::Within(self.among(element)?, nothing(), width);
                    parts.push(Say::Not(Box::new(empty)));
                }
                if matches!(op, Op::FiniteSubsets | Op::FiniteSubsets1) {
                    parts.push(Say::Finite(self.among(element)?, width));
                }
                Say::And(parts)
            }
            (arrow, [from, to]) if arrow.is_arrow() => {
                let sides = self.sides(element)?;
                let sets = [self.among(element)?, self.among(*from)?, self.among(*to)?];
                Say::Space(*op, Box::new(sets), sides)
            }
            _ => return None,
        })
    }

    fn num(&mut self, expr: ExprId) -> Option<Num> {
        match self.width_of(expr)? {
            1 => self.tuple(expr)?.pop(),
            _ => None,
        }
    }

    /// The integers of a tuple.
    fn tuple(&mut self, expr: ExprId) -> Option<Vec<Num>> {
        let width = self.width_of(expr)?;
        base::deep::recurse(|| self.tuple_structure(expr, width)).or_else(|| {
            if !self.is_known(expr) {
                return None;
            }
            let compiler = self.compiler;
            let code = compiler.without_kept(|| compiler.value(expr));
            Some(match width {
                1 => vec![Num::Known(code)],
                _ => (0..width).map(|at| Num::Part(code.clone(), at)).collect(),
            })
        })
    }

    fn tuple_structure(&mut self, expr: ExprId, width: usize) -> Option<Vec<Num>> {
        let model = self.compiler.model;
        match &model.exprs[expr].kind {
            Kind::Local(name) if self.bound.contains(name) => {
                Some((0..width).map(|at| Num::Name(*name, at)).collect())
            }
            Kind::Apply(function, argument) if width == 1 => {
                let function = Arc::new(self.among(*function)?);
                Some(vec![Num::Applied(function, self.tuple(*argument)?)])
            }
            Kind::Op(Op::Maplet, sides) => {
                let mut tuple = self.tuple(sides[0])?;
                tuple.extend(self.tuple(sides[1])?);
                Some(tuple)
            }
            Kind::Op(op @ (Op::Component1 | Op::Component2), sides) => {
                let mut tuple = self.tuple(sides[0])?;
                Some(match op {
                    Op::Component1 => tuple.drain(..width).collect(),
                    _ => tuple.split_off(tuple.len() - width),
                })
            }
            Kind::Op(Op::Negate, sides) => Some(vec![Num::Negate(Box::new(self.num(sides[0])?))]),
            Kind::Op(op, sides) if sides.len() == 2 => {
                let make = match op {
                    Op::Add => Num::Add,
                    Op::Minus => Num::Minus,
                    Op::Times => Num::Times,
                    Op::Divide => Num::Divide,
                    Op::Modulo => Num::Modulo,
                    _ => return None,
                };
                let (a, b) = (self.num(sides[0])?, self.num(sides[1])?);
                Some(vec![make(Box::new(a), Box::new(b))])
            }
            _ => None,
        }
    }

    pub(super) fn among(&mut self, set: ExprId) -> Option<Among> {
        self.components(set)?;
        base::deep::recurse(|| self.among_structure(set)).or_else(|| {
            let known = self.is_known(set);
            known.then(|| {
                let compiler = self.compiler;
                Among::Known(compiler.without_kept(|| compiler.lazy(set)))
            })
        })
    }

    pub(super) fn among_structure(&mut self, set: ExprId) -> Option<Among> {
        let model = self.compiler.model;
        match &model.exprs[set].kind {
            Kind::Op(op, sides) => self.among_op(set, *op, sides),
            Kind::Bind {
                binder: binder @ (Binder::Comprehension | Binder::Lambda | Binder::Image),
                names,
                predicate,
                value,
                ..
            } => {
                let is_lambda = *binder == Binder::Lambda;
                let (names, (body, mut tail)) = self.binding(names, |reading| {
                    let body = reading.say(*predicate)?;
                    let tail = value.map(|value| reading.tuple(value));
                    Some((body, tail.map_or(Some(None), |tail| tail.map(Some))?))
                })?;
                if is_lambda && let Some(tail) = &mut tail {
                    let parts = names
                        .iter()
                        .flat_map(|(name, width)| (0..*width).map(move |at| Num::Name(*name, at)));
                    *tail = parts.chain(std::mem::take(tail)).collect();
                }
                Some(Among::Built {
                    names,
                    body: Box::new(body),
                    value: tail,
                })
            }
            Kind::Bind {
                binder: binder @ (Binder::Union | Binder::Inter),
                names,
                predicate,
                value: Some(value),
                ..
            } => {
                let (names, (body, set)) = self.binding(names, |reading| {
                    Some((reading.say(*predicate)?, reading.among(*value)?))
                })?;
                Some(Among::Gathered {
                    union: *binder == Binder::Union,
                    names,
                    body: Box::new(body),
                    set: Box::new(set),
                })
            }
            _ => None,
        }
    }

    fn among_op(&mut self, set: ExprId, op: Op, sides: &[ExprId]) -> Option<Among> {
        use Op::*;
        let widths = |reading: &Self| match op {
            Domain => Some([reading.sides(sides[0])?[1], 0]),
            Range | Image => Some([reading.sides(sides[0])?[0], 0]),
            Composition => Some([reading.sides(sides[0])?[1], reading.sides(set)?[0]]),
            Overwrite => {
                let sides = reading.sides(set)?;
                Some([sides[1], sides[0]])
            }
            Inverse | Cartesian | DomainRestriction | DomainSubtraction | RangeRestriction
            | RangeSubtraction | Identity => Some([0, reading.sides(set)?[0]]),
            _ => None,
        };
        match (op, sides) {
            (Interval, [low, high]) => Some(Among::Interval(self.num(*low)?, self.num(*high)?)),
            (SetExtension, _) => {
                let tuples = sides.iter().map(|side| self.tuple(*side));
                Some(Among::Listed(tuples.collect::<Option<_>>()?))
            }
            (Union | Intersection | SetMinus, [a, b]) => {
                let sides = [self.among(*a)?, self.among(*b)?];
                Some(Among::Algebra(op, Box::new(sides)))
            }
            _ => {
                let widths = widths(self)?;
                let sides = sides.iter().map(|side| self.among(*side));
                Some(Among::Relation(op, sides.collect::<Option<_>>()?, widths))
            }
        }
    }
}
