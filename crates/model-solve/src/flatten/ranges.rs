//! The integers that names may be, from comparisons with what is known; of names of sets of integers, the integers that
//! may be in them.
//!
//! Technique: interval propagation over the names, to a fixed point: `0 < i & i < j & j <= 7` gives both ends of
//! both names. Of alternatives (`P or Q`) those count that leave room for every name: constructive disjunction, and where a
//! name has no bound otherwise, each alternative is followed through all conjuncts.

use lang_math::Op;
use model::{ExprId, Kind, Ty};
use rustc_hash::FxHashMap;

use super::Flatten;
use crate::Unknown;
use crate::flat::{FAR, WIDE};
use crate::sym::Sym;

/// With more conjuncts alternatives are not followed through all of them.
const MANY: usize = 100;

/// Bounds; `None` where there is no end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Range {
    pub lo: Option<i64>,
    pub hi: Option<i64>,
    /// Of the elements of a set, which may have none.
    pub is_set: bool,
}

impl Range {
    fn point(value: i64) -> Range {
        Range {
            lo: Some(value),
            hi: Some(value),
            is_set: false,
        }
    }

    /// Whether there is no value.
    fn is_empty(&self) -> bool {
        !self.is_set && self.is_crossed()
    }

    fn is_crossed(&self) -> bool {
        matches!((self.lo, self.hi), (Some(lo), Some(hi)) if lo > hi)
    }

    /// The least range around both.
    fn hull(self, other: Range) -> Range {
        Range {
            lo: self.lo.zip(other.lo).map(|(a, b)| a.min(b)),
            hi: self.hi.zip(other.hi).map(|(a, b)| a.max(b)),
            is_set: self.is_set,
        }
    }
}

/// The comparison that holds where another does not.
fn opposite(op: Op) -> Option<Op> {
    Some(match op {
        Op::Less => Op::GreaterEqual,
        Op::LessEqual => Op::Greater,
        Op::Greater => Op::LessEqual,
        Op::GreaterEqual => Op::Less,
        Op::NotEqual => Op::Equal,
        Op::NotMember => Op::Member,
        _ => return None,
    })
}

impl Flatten<'_> {
    /// Bounds of the names that are integers, as far as the conjuncts give them.
    pub(crate) fn ranges(
        &mut self,
        names: &[Unknown],
        conjuncts: &[ExprId],
    ) -> FxHashMap<Unknown, Range> {
        let mut ranges: FxHashMap<Unknown, Range> = FxHashMap::default();
        for name in names {
            let ty = match name {
                Unknown::Var(var) => self.model.variables[*var].ty,
                Unknown::Local(local) => self.model.locals[*local].ty,
            };
            let is_set = matches!(self.model.tys[ty], Ty::Pow(_));
            let range = Range {
                is_set,
                ..Range::default()
            };
            ranges.insert(*name, range);
        }
        let outer = std::mem::replace(&mut self.is_doubtful, false);
        self.narrow_all(conjuncts, &mut ranges, 1);
        let is_open = |range: &Range| range.lo.is_none() || range.hi.is_none();
        if ranges.values().any(is_open) && conjuncts.len() <= MANY {
            self.narrow_all(conjuncts, &mut ranges, 2);
        }
        if self.is_doubtful {
            // Bounds that are undefined leave no room only by chance, and whoever believes it never finds out.
            for range in ranges.values_mut().filter(|range| range.is_crossed()) {
                (range.lo, range.hi) = (None, None);
            }
        }
        self.is_doubtful = outer;
        ranges
    }

    /// Passes bounds from conjunct to conjunct until nothing changes; `depth` is how deep alternatives are looked into.
    fn narrow_all(
        &mut self,
        conjuncts: &[ExprId],
        ranges: &mut FxHashMap<Unknown, Range>,
        depth: u32,
    ) {
        // Each round passes bounds one comparison further.
        for _ in 0..=conjuncts.len().min(16) {
            let before = ranges.clone();
            for conjunct in conjuncts {
                self.narrow((*conjunct, false), ranges, (conjuncts, depth));
            }
            if before == *ranges {
                break;
            }
        }
    }

    fn narrow(
        &mut self,
        (predicate, negated): (ExprId, bool),
        ranges: &mut FxHashMap<Unknown, Range>,
        around: (&[ExprId], u32),
    ) {
        let Kind::Op(op, args) = self.kind(predicate) else {
            return;
        };
        match (*op, negated) {
            (Op::Not, _) => {
                let inner = (args[0], !negated);
                base::deep::recurse(|| self.narrow(inner, ranges, around));
            }
            (Op::And, false) | (Op::Or, true) => {
                for part in args.clone() {
                    base::deep::recurse(|| self.narrow((part, negated), ranges, around));
                }
            }
            (Op::Implies, true) => {
                for (part, negated) in [(args[0], false), (args[1], true)] {
                    base::deep::recurse(|| self.narrow((part, negated), ranges, around));
                }
            }
            (Op::Or, false) | (Op::And, true) => {
                let parts: Vec<(ExprId, bool)> = args.iter().map(|part| (*part, negated)).collect();
                self.narrow_by_cases(&parts, ranges, around);
            }
            (Op::Implies, false) => {
                let parts = [(args[0], true), (args[1], false)];
                self.narrow_by_cases(&parts, ranges, around);
            }
            (op, _) => {
                if let [a, b] = *args.as_slice()
                    && let Some(op) = if negated { opposite(op) } else { Some(op) }
                {
                    self.narrow_by(op, a, b, ranges);
                }
            }
        }
    }

    /// One of several alternatives holds: the bounds are those of all that are possible, together.
    fn narrow_by_cases(
        &mut self,
        cases: &[(ExprId, bool)],
        ranges: &mut FxHashMap<Unknown, Range>,
        (conjuncts, depth): (&[ExprId], u32),
    ) {
        if depth == 0 {
            return;
        }
        let mut together: Option<FxHashMap<Unknown, Range>> = None;
        for case in cases {
            let mut inside = ranges.clone();
            let around = (conjuncts, depth - 1);
            base::deep::recurse(|| self.narrow(*case, &mut inside, around));
            if depth > 1 && !inside.values().any(Range::is_empty) {
                self.narrow_all(conjuncts, &mut inside, depth - 1);
            }
            if inside.values().any(Range::is_empty) && !self.is_doubtful {
                continue;
            }
            match &mut together {
                None => together = Some(inside),
                Some(all) => {
                    for (name, range) in all {
                        *range = range.hull(inside[name]);
                    }
                }
            }
        }
        for (name, range) in ranges {
            let Some(together) = &together else {
                // No alternative is possible.
                (range.lo, range.hi) = (Some(1), Some(0));
                continue;
            };
            let found = together[name];
            range.lo = range.lo.max(found.lo);
            range.hi = match (range.hi, found.hi) {
                (Some(a), Some(b)) => Some(a.min(b)),
                (a, b) => a.or(b),
            };
        }
    }

    fn narrow_by(&mut self, op: Op, a: ExprId, b: ExprId, ranges: &mut FxHashMap<Unknown, Range>) {
        match op {
            Op::Less => {
                self.at_most_by(a, b, -1, ranges);
                self.at_least_by(b, a, 1, ranges);
            }
            Op::LessEqual => {
                self.at_most_by(a, b, 0, ranges);
                self.at_least_by(b, a, 0, ranges);
            }
            Op::Greater => {
                self.at_least_by(a, b, 1, ranges);
                self.at_most_by(b, a, -1, ranges);
            }
            Op::GreaterEqual => {
                self.at_least_by(a, b, 0, ranges);
                self.at_most_by(b, a, 0, ranges);
            }
            Op::Equal => {
                self.at_least_by(a, b, 0, ranges);
                self.at_most_by(a, b, 0, ranges);
                self.at_least_by(b, a, 0, ranges);
                self.at_most_by(b, a, 0, ranges);
            }
            Op::Member => match self.kind(b) {
                Kind::Op(
                    Op::PowerSet | Op::PowerSet1 | Op::FiniteSubsets | Op::FiniteSubsets1,
                    of,
                ) => {
                    if self.as_unknown(a).is_some() {
                        self.inside(a, of[0], ranges);
                    }
                }
                _ => self.inside(a, b, ranges),
            },
            Op::Subset | Op::StrictSubset => match self.kind(a) {
                Kind::Op(Op::SetExtension, elements) => {
                    for element in elements {
                        self.inside(*element, b, ranges);
                    }
                }
                _ if self.as_unknown(a).is_some() => self.inside(a, b, ranges),
                _ => {}
            },
            _ => {}
        }
    }

    /// An integer is in a set, or all elements of a set of integers are.
    fn inside(&mut self, a: ExprId, set: ExprId, ranges: &mut FxHashMap<Unknown, Range>) {
        match self.kind(set) {
            Kind::Op(Op::Interval, bounds) => {
                self.at_least_by(a, bounds[0], 0, ranges);
                self.at_most_by(a, bounds[1], 0, ranges);
            }
            Kind::Op(Op::Naturals, _) => self.above(a, Some(0), ranges),
            Kind::Op(Op::Naturals1, _) => self.above(a, Some(1), ranges),
            Kind::Op(set @ (Op::Nat | Op::Nat1 | Op::Int), _) => {
                let low = match set {
                    Op::Nat => 0,
                    Op::Nat1 => 1,
                    _ => self.model.min_int,
                };
                self.above(a, Some(low), ranges);
                self.below(a, Some(self.model.max_int), ranges);
            }
            _ => {}
        }
    }

    /// The set of which an expression is the least (or greatest) element.
    fn set_of(&self, extremum: Op, a: ExprId) -> Option<Unknown> {
        match self.kind(a) {
            Kind::Op(op, args) if *op == extremum => self.as_unknown(args[0]),
            _ => None,
        }
    }

    fn at_least_by(
        &mut self,
        a: ExprId,
        b: ExprId,
        more: i64,
        ranges: &mut FxHashMap<Unknown, Range>,
    ) {
        let bound = self.range_of(b, ranges).lo.map(|lo| lo + more);
        self.above(a, bound, ranges);
    }

    fn at_most_by(
        &mut self,
        a: ExprId,
        b: ExprId,
        more: i64,
        ranges: &mut FxHashMap<Unknown, Range>,
    ) {
        let bound = self.range_of(b, ranges).hi.map(|hi| hi + more);
        self.below(a, bound, ranges);
    }

    /// `a >= bound`, passed on to the name in `a`.
    fn above(&mut self, a: ExprId, bound: Option<i64>, ranges: &mut FxHashMap<Unknown, Range>) {
        let Some(bound) = bound else {
            return;
        };
        if let Some(name) = self.as_unknown(a).or_else(|| self.set_of(Op::Min, a))
            && let Some(range) = ranges.get_mut(&name)
        {
            range.lo = Some(range.lo.map_or(bound, |lo| lo.max(bound)));
            return;
        }
        match self.kind(a) {
            Kind::Op(Op::Add, args) => {
                for (x, y) in [(args[0], args[1]), (args[1], args[0])] {
                    let other = self.range_of(y, ranges).hi;
                    self.above(x, other.map(|hi| bound - hi), ranges);
                }
            }
            Kind::Op(Op::Minus, args) => {
                let right = self.range_of(args[1], ranges).lo;
                let left = self.range_of(args[0], ranges).hi;
                self.above(args[0], right.map(|lo| bound + lo), ranges);
                self.below(args[1], left.map(|hi| hi - bound), ranges);
            }
            _ => {}
        }
    }

    fn below(&mut self, a: ExprId, bound: Option<i64>, ranges: &mut FxHashMap<Unknown, Range>) {
        let Some(bound) = bound else {
            return;
        };
        if let Some(name) = self.as_unknown(a).or_else(|| self.set_of(Op::Max, a))
            && let Some(range) = ranges.get_mut(&name)
        {
            range.hi = Some(range.hi.map_or(bound, |hi| hi.min(bound)));
            return;
        }
        match self.kind(a) {
            Kind::Op(Op::Add, args) => {
                for (x, y) in [(args[0], args[1]), (args[1], args[0])] {
                    let other = self.range_of(y, ranges).lo;
                    self.below(x, other.map(|lo| bound - lo), ranges);
                }
            }
            Kind::Op(Op::Minus, args) => {
                let right = self.range_of(args[1], ranges).hi;
                let left = self.range_of(args[0], ranges).lo;
                self.below(args[0], right.map(|hi| bound + hi), ranges);
                self.above(args[1], left.map(|lo| lo - bound), ranges);
            }
            _ => {}
        }
    }

    /// The name that an expression is.
    pub(crate) fn as_unknown(&self, expr: ExprId) -> Option<Unknown> {
        match self.kind(expr) {
            Kind::Local(local) => Some(Unknown::Local(*local)),
            Kind::Var(var) => Some(Unknown::Var(*var)),
            _ => None,
        }
    }

    fn range_of(&mut self, expr: ExprId, ranges: &FxHashMap<Unknown, Range>) -> Range {
        let extremum = self
            .set_of(Op::Min, expr)
            .or_else(|| self.set_of(Op::Max, expr));
        if let Some(name) = self.as_unknown(expr).or(extremum)
            && let Some(range) = ranges.get(&name)
        {
            return *range;
        }
        let free = self.free(expr);
        let open = ranges.keys().any(|name| match name {
            Unknown::Local(name) => free.locals.binary_search(name).is_ok(),
            Unknown::Var(name) => free.vars.binary_search(name).is_ok(),
        });
        if !open {
            // Conditions of definedness are noted when the conjunct itself is evaluated.
            let Ok(sym) = self.noting(|this| this.eval(expr)) else {
                return Range::default();
            };
            return match Self::number(&sym) {
                Some(number) => Range::point(number),
                None => match &sym {
                    Sym::Int(lin) => {
                        let (lo, hi) = self.problem.bounds(lin);
                        Range {
                            lo: Some(lo).filter(|lo| *lo > -WIDE),
                            hi: Some(hi).filter(|hi| *hi < WIDE),
                            is_set: false,
                        }
                    }
                    _ => Range::default(),
                },
            };
        }
        let Kind::Op(op, args) = self.kind(expr) else {
            return Range::default();
        };
        let [a, b] = args.as_slice() else {
            return Range::default();
        };
        let (a, b) = (self.range_of(*a, ranges), self.range_of(*b, ranges));
        let add = |a: Option<i64>, b: Option<i64>| {
            let sum = a?.checked_add(b?)?;
            (sum.abs() <= FAR).then_some(sum)
        };
        match op {
            Op::Add => Range {
                lo: add(a.lo, b.lo),
                hi: add(a.hi, b.hi),
                is_set: false,
            },
            Op::Minus => Range {
                lo: add(a.lo, b.hi.map(|hi| -hi)),
                hi: add(a.hi, b.lo.map(|lo| -lo)),
                is_set: false,
            },
            _ => Range::default(),
        }
    }
}
