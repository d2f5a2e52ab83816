//! The ways to enumerate an unknown: equations, memberships, inclusions, patterns of pairs and records, its type.

use lang_math::{Binder, Op};
use model::{ExprId, Kind};

use super::{Candidate, Planning, UNKNOWN_SIZE};
use crate::code::f;
use crate::cx::F;
use crate::plan::{Pattern, Source, Step, Unknown};
use crate::rep::Rep;
use crate::symbolic::{SymKind, sym};
use crate::value::V;

impl Planning<'_, '_> {
    pub(super) fn by_conjunct(&self, i: usize) -> Vec<Candidate> {
        let conjunct = &self.conjuncts[i];
        match self.relation(conjunct) {
            Some((Op::Equal, a, b)) => [(a, b), (b, a)]
                .into_iter()
                .filter_map(|(a, b)| self.by_equation(i, a, b))
                .collect(),
            Some((Op::Member, a, b)) => self.by_membership(i, a, b).into_iter().collect(),
            Some((Op::Subset, a, b)) => self.by_inclusion(i, a, b).into_iter().collect(),
            _ => Vec::new(),
        }
    }

    pub(super) fn candidate(
        &self,
        i: usize,
        step: Step,
        binds: Vec<Unknown>,
        cost: f64,
    ) -> Candidate {
        Candidate {
            step,
            binds,
            covers: vec![i],
            cost,
            space: cost,
            total: self.surely_has_value(i),
            fallback: false,
            unbounded: false,
        }
    }

    /// A candidate that goes through a set which may have no end.
    pub(super) fn through(
        &self,
        i: usize,
        step: Step,
        binds: Vec<Unknown>,
        set: ExprId,
        cost: f64,
    ) -> Candidate {
        let endless = self.compiler.is_endless(set);
        let mut candidate = self.candidate(i, step, binds, cost);
        candidate.fallback = endless;
        candidate.unbounded = endless;
        candidate
    }

    fn by_equation(&self, i: usize, a: ExprId, b: ExprId) -> Option<Candidate> {
        if let Some(unknown) = self.open(a) {
            let value = if self.known(b) {
                self.compiler.value(b)
            } else if self
                .mentioned(b)
                .iter()
                .all(|u| *u == unknown || self.bound.contains(u))
                && matches!(unknown, Unknown::Slot(_))
                && self.is_rule(b, unknown)
            {
                // A recursive function: its own name is read when it is applied.
                self.rule(b)
            } else {
                return None;
            };
            return Some(self.candidate(i, Step::One(unknown, value), vec![unknown], 1.0));
        }
        if !self.known(b) {
            return None;
        }
        if let Kind::Apply(function, argument) = self.kind(a) {
            return self.by_application(i, *function, *argument, b);
        }
        if self.compiler.rep(a) == Rep::Int && self.conjuncts[i].total {
            return self
                .by_linear_equation(i, a, b)
                .or_else(|| self.by_root(i, a, b));
        }
        if let Some(candidate) = self
            .by_split(i, a, b)
            .or_else(|| self.by_extension(i, a, b))
        {
            return Some(candidate);
        }
        let mut binds = Vec::new();
        let pattern = self.pattern(a, &mut binds)?;
        if binds.is_empty() {
            return None;
        }
        let value = self.compiler.value(b);
        let single = f(move |cx| Ok(V::listed(vec![value(cx)?])));
        let step = Step::Match(pattern, Source::Set(single));
        Some(self.candidate(i, step, binds, 1.0))
    }

    /// `f(x) = v` where the undefined is passed over: `x` is one of those to which a rule `f` gives `v`. A listed `f` has
    /// better sources.
    fn by_application(
        &self,
        i: usize,
        function: ExprId,
        argument: ExprId,
        value: ExprId,
    ) -> Option<Candidate> {
        let compiler = self.compiler;
        if !self.manner.relaxed || !self.known(function) || compiler.rep(function) != Rep::Tree {
            return None;
        }
        let mut binds = Vec::new();
        let pattern = self.pattern(argument, &mut binds)?;
        if binds.is_empty() {
            return None;
        }
        let ty = compiler.ty(function);
        let (function, value) = (compiler.lazy(function), compiler.value(value));
        let origins = f(move |cx| {
            let function = function(cx)?;
            let value = value(cx)?;
            Ok(V::listed(cx.arguments_for(ty, &function, &value)?))
        });
        let step = Step::Match(pattern, Source::Set(origins));
        let mut candidate = self.candidate(i, step, binds, UNKNOWN_SIZE);
        // The conjunct is tested all the same: it may be undefined.
        candidate.covers.clear();
        candidate.fallback = true;
        Some(candidate)
    }

    /// Whether an unknown is only applied in a set, and only below comprehensions: then the set can be formed before the
    /// unknown is known. A set that asks for its own elements in another way has no such meaning.
    fn is_rule(&self, set: ExprId, unknown: Unknown) -> bool {
        if !self.mentioned(set).contains(&unknown) {
            return true;
        }
        match self.kind(set) {
            Kind::Bind { binder, .. } => {
                matches!(binder, Binder::Lambda | Binder::Comprehension)
                    && self.is_only_applied(set, unknown)
            }
            Kind::Op(Op::Union | Op::Overwrite, sides) => {
                sides.iter().all(|side| self.is_rule(*side, unknown))
            }
            _ => false,
        }
    }

    fn is_only_applied(&self, expr: ExprId, unknown: Unknown) -> bool {
        let model = self.compiler.model;
        let is_unknown =
            |kind: &Kind| matches!(kind, Kind::Var(var) if Unknown::Slot(var.index()) == unknown);
        let (mut named, mut applied) = (0, 0);
        model.walk(expr, &mut |part| {
            named += usize::from(is_unknown(&part.kind));
            if let Kind::Apply(function, _) = &part.kind {
                applied += usize::from(is_unknown(&model.exprs[*function].kind));
            }
        });
        named == applied
    }

    /// A set made of comprehensions, none of which is listed.
    fn rule(&self, set: ExprId) -> F<V> {
        let compiler = self.compiler;
        match self.kind(set) {
            Kind::Op(op @ (Op::Union | Op::Overwrite), sides) if !self.known(set) => {
                let (op, ty) = (*op, compiler.ty(set));
                let (left, right) = (self.rule(sides[0]), self.rule(sides[1]));
                f(move |cx| {
                    let (left, right) = (left(cx)?, right(cx)?);
                    let kind = if op == Op::Union {
                        SymKind::Union(left, right)
                    } else {
                        SymKind::Override(left, right)
                    };
                    Ok(sym(ty, kind))
                })
            }
            Kind::Bind { .. } if !self.known(set) => compiler.closure(set),
            _ => compiler.value(set),
        }
    }

    /// The only open unknown of an expression, if all others are bound.
    pub(super) fn only_open(&self, expr: ExprId) -> Option<Unknown> {
        let open: Vec<Unknown> = self
            .mentioned(expr)
            .into_iter()
            .filter(|unknown| !self.bound.contains(unknown))
            .collect();
        match open.as_slice() {
            [unknown] => Some(*unknown),
            _ => None,
        }
    }

    /// A pattern of pairs and records with at least one open unknown; everything else in it must be known.
    pub(super) fn pattern(&self, expr: ExprId, binds: &mut Vec<Unknown>) -> Option<Pattern> {
        if let Some(unknown) = self.open(expr)
            && !binds.contains(&unknown)
        {
            binds.push(unknown);
            return Some(Pattern::Bind(unknown));
        }
        if self.compiler.rep(expr) == Rep::Int
            && let Some(pattern) = self.linear_pattern(expr, binds)
        {
            return Some(pattern);
        }
        if let Kind::Op(Op::Maplet, args) = self.kind(expr)
            && !self.known(expr)
        {
            let left = self.pattern(args[0], binds)?;
            let right = self.pattern(args[1], binds)?;
            return Some(Pattern::Pair(
                self.compiler.ty(expr),
                Box::new(left),
                Box::new(right),
            ));
        }
        if let Kind::Record(fields) = self.kind(expr)
            && !self.known(expr)
        {
            let mut patterns = Vec::with_capacity(fields.len());
            for (_, field) in fields {
                patterns.push(self.pattern(*field, binds)?);
            }
            return Some(Pattern::Record(self.compiler.ty(expr), patterns));
        }
        if matches!(
            self.kind(expr),
            Kind::Op(
                Op::Concat | Op::InsertFront | Op::InsertTail | Op::SequenceExtension,
                _
            )
        ) && !self.known(expr)
            && let Some(parts) = self.one_open_part(expr, binds)
        {
            return Some(Pattern::Parts(self.compiler.ty(expr), parts));
        }
        // What an earlier part of the pattern binds may be used here.
        let ready = self
            .mentioned(expr)
            .iter()
            .all(|unknown| self.bound.contains(unknown) || binds.contains(unknown));
        ready.then(|| Pattern::Check(self.compiler.value(expr)))
    }

    /// `c*x + k` with `k` known.
    fn linear_pattern(&self, expr: ExprId, binds: &mut Vec<Unknown>) -> Option<Pattern> {
        let unknown = self.only_open(expr)?;
        let form = self.linear(expr, false)?;
        match form.terms.as_slice() {
            [(found, factor)] if *factor != 0 && !binds.contains(&unknown) && *found == unknown => {
                binds.push(unknown);
                Some(Pattern::Linear(unknown, *factor, form.rest))
            }
            _ => None,
        }
    }

    fn by_membership(&self, i: usize, element: ExprId, set: ExprId) -> Option<Candidate> {
        if !self.known(set) {
            // `e : {x}` is an equation.
            return match self.kind(set) {
                Kind::Op(Op::SetExtension, elements) if elements.len() == 1 => {
                    self.by_equation(i, elements[0], element)
                }
                _ => None,
            };
        }
        let compiler = self.compiler;
        if let Some(unknown) = self.open(element) {
            let interval = matches!(
                self.kind(set),
                Kind::Op(
                    Op::Interval | Op::Int | Op::Nat | Op::Nat1 | Op::Naturals | Op::Naturals1,
                    _
                )
            );
            if interval && let Some(range) = self.by_bounds(unknown) {
                return Some(range);
            }
            if let Some(candidate) = self.by_space(i, unknown, set) {
                return Some(candidate);
            }
            if let Some(candidate) = self.by_length(i, unknown, set) {
                return Some(candidate);
            }
            if let Kind::Op(
                Op::PowerSet | Op::PowerSet1 | Op::FiniteSubsets | Op::FiniteSubsets1,
                of,
            ) = self.kind(set)
                && let Some(candidate) = self.by_size(i, unknown, of[0])
            {
                return Some(candidate);
            }
            let source = match self.common(i, unknown, set) {
                Some(common) => Source::Set(common),
                None => self.source(set),
            };
            let step = Step::Each(unknown, source);
            let mut candidate = self.through(i, step, vec![unknown], set, compiler.guess(set));
            if self.is_space(set) {
                candidate.space = compiler.most(set);
            }
            return Some(candidate);
        }
        if let (
            Kind::Op(Op::SequenceExtension, _),
            Kind::Op(
                Op::Sequences
                | Op::Sequences1
                | Op::InjectiveSequences
                | Op::InjectiveSequences1
                | Op::Permutations,
                of,
            ),
        ) = (self.kind(element), self.kind(set))
        {
            return self.by_extension(i, element, of[0]);
        }
        let is_endless = compiler.is_endless(set);
        let mut binds = Vec::new();
        if let Kind::Op(Op::Maplet, sides) = self.kind(element)
            && self.known(sides[0])
            && !is_endless
        {
            let pattern = self.pattern(sides[1], &mut binds)?;
            if binds.is_empty() {
                return None;
            }
            let source = Source::Image(
                compiler.lazy(set),
                compiler.ty(set),
                compiler.value(sides[0]),
            );
            let step = Step::Match(pattern, source);
            return Some(self.candidate(i, step, binds, 3.0));
        }
        if is_endless && !matches!(self.kind(element), Kind::Op(Op::Maplet, _)) {
            return None;
        }
        let pattern = self.pattern(element, &mut binds)?;
        if binds.is_empty() {
            return None;
        }
        let cost = compiler.guess(set);
        let step = Step::Match(pattern, Source::Set(compiler.lazy(set)));
        let mut candidate = self.through(i, step, binds, set, cost);
        candidate.fallback |= compiler.is_recursive(set);
        Some(candidate)
    }

    /// The elements of a set as candidates.
    fn source(&self, set: ExprId) -> Source {
        let compiler = self.compiler;
        if let Kind::Carrier(sort) = self.kind(set) {
            return Source::Codes(compiler.model.tys.sorts[*sort].elements.len() as u64);
        }
        if let Kind::Op(
            op @ (Op::PowerSet | Op::PowerSet1 | Op::FiniteSubsets | Op::FiniteSubsets1),
            args,
        ) = self.kind(set)
            && compiler.rep(args[0]) == Rep::Word
        {
            let some = matches!(op, Op::PowerSet1 | Op::FiniteSubsets1);
            return Source::Submasks(compiler.word(args[0]), some);
        }
        match compiler.rep(set) {
            Rep::Word => Source::Bits(compiler.word(set)),
            Rep::Wide => Source::Wide(compiler.wide(set)),
            _ => Source::Set(compiler.lazy(set)),
        }
    }

    /// `{x, y} <: S`, `{x} \/ {y} = S` or `[x, y] : perm(S)`: the first open element is one of `S`.
    fn by_extension(&self, i: usize, listed: ExprId, set: ExprId) -> Option<Candidate> {
        if !self.known(set) {
            return None;
        }
        let unknown = self.first_listed(listed)?;
        let step = Step::Each(unknown, self.source(set));
        let cost = self.compiler.guess(set);
        let mut candidate = self.through(i, step, vec![unknown], set, cost);
        candidate.covers.clear();
        Some(candidate)
    }

    /// The first open unknown that is an element of what is listed.
    fn first_listed(&self, listed: ExprId) -> Option<Unknown> {
        match self.kind(listed) {
            Kind::Op(Op::SetExtension | Op::SequenceExtension, elements) => {
                elements.iter().find_map(|element| self.open(*element))
            }
            Kind::Op(Op::Union, sides) => sides.iter().find_map(|side| self.first_listed(*side)),
            _ => None,
        }
    }

    fn by_inclusion(&self, i: usize, subset: ExprId, set: ExprId) -> Option<Candidate> {
        if let Some(candidate) = self.by_extension(i, subset, set) {
            return Some(candidate);
        }
        let unknown = self.open(subset).filter(|_| self.known(set))?;
        let compiler = self.compiler;
        let ty = compiler.ty(set);
        if let Some(candidate) = self.by_size(i, unknown, set) {
            return Some(candidate);
        }
        let cost = compiler.guess(set).min(60.0).exp2();
        let step = if compiler.rep(set) == Rep::Word {
            Step::Each(unknown, Source::Submasks(compiler.word(set), false))
        } else {
            Step::Each(unknown, Source::Subsets(compiler.lazy(set), ty))
        };
        let mut candidate = self.through(i, step, vec![unknown], set, cost);
        candidate.space = compiler.most(set).min(60.0).exp2();
        Some(candidate)
    }

    /// Whether a set is one of subsets or functions: a guess at its size may be wrong by far.
    fn is_space(&self, set: ExprId) -> bool {
        matches!(self.kind(self.compiler.defined_as(set)), Kind::Op(op, _) if op.is_arrow()
        || matches!(
            op,
            Op::PowerSet
                | Op::PowerSet1
                | Op::FiniteSubsets
                | Op::FiniteSubsets1
                | Op::Permutations
                | Op::InjectiveSequences
                | Op::InjectiveSequences1
        ))
    }

    /// All values of the unknown's type: the last resort.
    pub(super) fn by_type(&self, unknown: Unknown) -> Candidate {
        let ty = self.ty_of(unknown);
        let info = &self.compiler.program.reps[ty];
        let mut candidate = Candidate {
            step: Step::Each(unknown, Source::Type(ty)),
            binds: vec![unknown],
            covers: Vec::new(),
            cost: f64::INFINITY,
            space: f64::INFINITY,
            total: true,
            fallback: true,
            unbounded: !info.finite,
        };
        match info.rep {
            Rep::Word => {
                candidate.cost = info.size as f64;
                candidate.space = candidate.cost;
                candidate.fallback = !self.declared.contains(&unknown);
                if let Ok(size) = u64::try_from(info.size) {
                    candidate.step = Step::Each(unknown, Source::Codes(size));
                }
            }
            Rep::Int => {
                if let Some(range) = self.by_bounds(unknown) {
                    return range;
                }
                candidate.step = Step::Each(unknown, Source::Range(Vec::new(), Vec::new()));
                candidate.unbounded = true;
            }
            Rep::Wide | Rep::Tree => {}
        }
        candidate
    }
}
