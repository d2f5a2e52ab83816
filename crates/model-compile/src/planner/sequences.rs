//! Unknown sequences: the ways to cut a known sequence into parts, and sequences whose length is bounded.
//!
//! Invariant: a conjunct `size(s) = n` is tested again, so a bound on a length need not be exact.

use lang_math::Op;
use model::{ExprId, Kind, Ty};

use super::{Candidate, Planning};
use crate::code::f;
use crate::cx::F;
use crate::ops::OpTy;
use crate::plan::{Part, Source, Step, Unknown};
use crate::value::V;

impl Planning<'_, '_> {
    /// `a ^ [x] ^ b = E` with a known `E`: every way to cut `E` so that the known parts fit.
    pub(super) fn by_split(&self, i: usize, parts: ExprId, whole: ExprId) -> Option<Candidate> {
        let reps = &self.compiler.program.reps;
        // Strings are concatenated too.
        if !self.known(whole) || !matches!(reps[self.compiler.ty(whole)].ty, Ty::Pow(_)) {
            return None;
        }
        let mut binds = Vec::new();
        let mut found = Vec::new();
        self.parts(parts, &mut found, &mut binds)?;
        if binds.is_empty() || found.len() < 2 {
            return None;
        }
        let step = Step::Split {
            whole: self.compiler.value(whole),
            ty: self.compiler.ty(whole),
            parts: found,
        };
        let mut candidate = self.candidate(i, step, binds, 8.0);
        // Whether the parts are sequences is tested.
        candidate.covers.clear();
        Some(candidate)
    }

    /// The parts of a sequence of which one at most is open, so that they fit in one way.
    pub(super) fn one_open_part(
        &self,
        expr: ExprId,
        binds: &mut Vec<Unknown>,
    ) -> Option<Vec<Part>> {
        let reps = &self.compiler.program.reps;
        if !matches!(reps[self.compiler.ty(expr)].ty, Ty::Pow(_)) {
            return None;
        }
        let before = binds.len();
        let mut found = Vec::new();
        let all = self.parts(expr, &mut found, binds);
        let open = found
            .iter()
            .filter(|part| matches!(part, Part::Open(_)))
            .count();
        if all.is_none() || open > 1 {
            binds.truncate(before);
            return None;
        }
        Some(found)
    }

    fn parts(&self, expr: ExprId, found: &mut Vec<Part>, binds: &mut Vec<Unknown>) -> Option<()> {
        if self.known(expr) {
            found.push(Part::Known(self.compiler.value(expr)));
            return Some(());
        }
        if let Some(unknown) = self.open(expr) {
            if binds.contains(&unknown) {
                return None;
            }
            binds.push(unknown);
            found.push(Part::Open(unknown));
            return Some(());
        }
        let Kind::Op(op, args) = self.kind(expr) else {
            return None;
        };
        match (op, args.as_slice()) {
            (Op::Concat, [left, right]) => {
                self.parts(*left, found, binds)?;
                self.parts(*right, found, binds)
            }
            (Op::Flatten, [parts]) => match self.kind(*parts) {
                Kind::Op(Op::SequenceExtension, parts) => parts
                    .iter()
                    .try_for_each(|part| self.parts(*part, found, binds)),
                _ => None,
            },
            (Op::InsertFront, [element, rest]) => {
                found.push(Part::Element(self.pattern(*element, binds)?));
                self.parts(*rest, found, binds)
            }
            (Op::InsertTail, [rest, element]) => {
                self.parts(*rest, found, binds)?;
                found.push(Part::Element(self.pattern(*element, binds)?));
                Some(())
            }
            (Op::SequenceExtension, elements) => {
                for element in elements {
                    found.push(Part::Element(self.pattern(*element, binds)?));
                }
                Some(())
            }
            _ => None,
        }
    }

    /// `s : seq(S)` where another conjunct bounds the length of `s`.
    pub(super) fn by_length(&self, i: usize, unknown: Unknown, set: ExprId) -> Option<Candidate> {
        let Kind::Op(op @ (Op::Sequences | Op::Sequences1), args) = self.kind(set) else {
            return None;
        };
        let most = self.length_bounds(unknown);
        if most.is_empty() {
            return None;
        }
        let of = args[0];
        let cost = self.compiler.guess(of).powf(4.0);
        let source = Source::Short {
            op: *op,
            ty: self.compiler.program.reps.element(self.compiler.ty(set)),
            of: self.compiler.lazy(of),
            most,
        };
        Some(self.through(i, Step::Each(unknown, source), vec![unknown], of, cost))
    }

    /// What two sets of sequences have in common, where an unknown is in both: that may be finite although they are not.
    pub(super) fn common(&self, i: usize, unknown: Unknown, set: ExprId) -> Option<F<V>> {
        let compiler = self.compiler;
        let is_sequences =
            |set: ExprId| matches!(self.kind(set), Kind::Op(Op::Sequences | Op::Sequences1, _));
        if !is_sequences(set) {
            return None;
        }
        let other = self
            .conjuncts
            .iter()
            .enumerate()
            .find_map(|(j, conjunct)| {
                let (Op::Member, element, other) = self.relation(conjunct)? else {
                    return None;
                };
                let is_other = j != i
                    && !conjunct.done
                    && conjunct.total
                    && self.open(element) == Some(unknown)
                    && self.known(other)
                    && is_sequences(other);
                is_other.then_some(other)
            })?;
        let ty = compiler.ty(set);
        let types = OpTy {
            args: [ty, ty].into_iter().collect(),
            result: ty,
        };
        let (left, right) = (compiler.lazy(set), compiler.lazy(other));
        Some(f(move |cx| {
            let both = [left(cx)?, right(cx)?];
            cx.op(Op::Intersection, &types, &both)
        }))
    }

    /// `x <: S` where another conjunct gives the number of elements of `x`.
    pub(super) fn by_size(&self, i: usize, unknown: Unknown, set: ExprId) -> Option<Candidate> {
        let measured = |expr: ExprId| match self.kind(expr) {
            Kind::Op(Op::Card, args) => self.open(args[0]) == Some(unknown),
            _ => false,
        };
        let size = self.conjuncts.iter().find_map(|conjunct| {
            let (Op::Equal, a, b) = self.relation(conjunct)? else {
                return None;
            };
            let size = if measured(a) { b } else { a };
            let other = if size == a { b } else { a };
            (measured(other) && self.known(size) && self.compiler.facts.of(size).total)
                .then_some(size)
        })?;
        let size = self.compiler.int(size);
        let source = Source::Chosen {
            of: self.compiler.lazy(set),
            ty: self.ty_of(unknown),
            size: f(move |cx| size.value(cx)),
        };
        let cost = self.compiler.guess(set).powf(2.0);
        let step = Step::Each(unknown, source);
        let mut candidate = self.through(i, step, vec![unknown], set, cost);
        // `POW1` excludes a set that may have been asked for.
        candidate.covers.clear();
        Some(candidate)
    }

    /// Upper bounds of the length of an unknown sequence.
    fn length_bounds(&self, unknown: Unknown) -> Vec<F<V>> {
        let measured = |expr: ExprId| match self.kind(expr) {
            Kind::Op(Op::Size | Op::Card, args) => self.open(args[0]) == Some(unknown),
            _ => false,
        };
        let mut bounds = Vec::new();
        for conjunct in &self.conjuncts {
            let Some((op, a, b)) = self.relation(conjunct) else {
                continue;
            };
            let (upper, less) = match op {
                Op::Equal if measured(a) => (b, false),
                Op::Equal => (a, false),
                Op::LessEqual if measured(a) => (b, false),
                Op::Less if measured(a) => (b, true),
                Op::GreaterEqual => (a, false),
                Op::Greater => (a, true),
                _ => continue,
            };
            let other = if upper == a { b } else { a };
            if !measured(other) || !self.known(upper) || !self.compiler.facts.of(upper).total {
                continue;
            }
            let bound = self.compiler.int(upper);
            let bound = if less { bound.plus(-1) } else { bound };
            bounds.push(f(move |cx| bound.value(cx)));
        }
        bounds
    }
}
