//! Orders the conjuncts of a predicate into generators and tests, at compile time.
//!
//! Technique: greedy join ordering. At every point each unknown that some conjunct can enumerate (an
//! equation, a membership in a set that is known by then, bounds of an integer, a pattern of pairs) is a
//! candidate; the cheapest is taken, then every test that can be decided by then. Enumerating a whole type,
//! or something without end, is the last resort.
//! Invariant: unless the manner is relaxed, a conjunct that may be undefined is evaluated after those before
//! it, and no test moves before it; generators that are total may come first, since they only narrow the
//! candidates.

mod bounds;
mod spaces;

use lang_math::{Binder, Op};
use model::{ExprId, Kind, TyId};
use rustc_hash::FxHashSet;

use crate::code::{Compiler, f};
use crate::plan::{Pattern, Plan, Source, Step, Unknown};
use crate::rep::Rep;
use crate::value::V;

/// How an enumeration treats the undefined.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Manner {
    /// An undefined conjunct counts as false and is noted.
    pub forgiving: bool,
    /// Conjuncts may move before others that may be undefined.
    pub relaxed: bool,
    /// Names the place.
    pub place: u32,
}

struct Conjunct {
    expr: ExprId,
    /// Whether its negation is meant.
    negated: bool,
    /// Which unknowns it mentions.
    unknowns: Vec<Unknown>,
    total: bool,
    done: bool,
}

/// A way to enumerate an unknown.
struct Candidate {
    step: Step,
    binds: Vec<Unknown>,
    /// Conjuncts that hold by construction.
    covers: Vec<usize>,
    cost: f64,
    total: bool,
    /// Whether to use it only when nothing else is left.
    fallback: bool,
    unbounded: bool,
}

/// The cost of what cannot be estimated.
const UNKNOWN_SIZE: f64 = 16.0;
/// The cost of what has no end.
const ENDLESS: f64 = 1e9;

struct Planning<'c, 'm> {
    compiler: &'c Compiler<'m>,
    unknowns: Vec<Unknown>,
    definitions: Vec<(Unknown, ExprId)>,
    bound: FxHashSet<Unknown>,
    /// Unknowns that the text says to range over their whole, coded type.
    declared: FxHashSet<Unknown>,
    conjuncts: Vec<Conjunct>,
    manner: Manner,
    steps: Vec<Step>,
    total: bool,
    unbounded: bool,
}

impl Compiler<'_> {
    /// The enumeration of all valuations of the unknowns that satisfy the conjuncts.
    pub(crate) fn plan(&self, unknowns: &[Unknown], conjuncts: &[ExprId], manner: Manner) -> Plan {
        self.plan_with(unknowns, &[], conjuncts, manner)
    }

    /// Like [`Compiler::plan`], with further unknowns that have definitions.
    pub(crate) fn plan_with(
        &self,
        unknowns: &[Unknown],
        definitions: &[(Unknown, ExprId)],
        conjuncts: &[ExprId],
        manner: Manner,
    ) -> Plan {
        let defined = definitions.iter().map(|(unknown, _)| *unknown);
        let mut planning = Planning {
            compiler: self,
            unknowns: unknowns.iter().copied().chain(defined).collect(),
            definitions: definitions.to_vec(),
            bound: FxHashSet::default(),
            declared: FxHashSet::default(),
            conjuncts: Vec::new(),
            manner,
            steps: Vec::new(),
            total: true,
            unbounded: false,
        };
        for (expr, negated) in planning.flatten(conjuncts) {
            let trivial = !negated && planning.is_trivial(expr);
            if trivial && let Some(unknown) = planning.typed(expr) {
                planning.declared.insert(unknown);
            }
            let fact = self.facts.of(expr);
            let unknowns = planning.mentioned(expr);
            planning.conjuncts.push(Conjunct {
                expr,
                negated,
                unknowns,
                total: fact.total,
                done: trivial && fact.total,
            });
        }
        let whole = planning.conjuncts.iter().all(|conjunct| conjunct.done);
        planning.tests();
        while planning.bound.len() < planning.unknowns.len() {
            let candidate = planning.choose();
            for covered in candidate.covers {
                planning.conjuncts[covered].done = true;
            }
            planning.bound.extend(candidate.binds);
            planning.total &= candidate.total;
            planning.unbounded |= candidate.unbounded;
            planning.steps.push(candidate.step);
            planning.tests();
        }
        Plan {
            steps: planning.steps.into(),
            total: planning.total,
            unbounded: planning.unbounded,
            whole,
            forgiving: manner.forgiving,
            place: manner.place,
        }
    }

    /// Whether a set expression has no end by its form.
    fn is_endless(&self, set: ExprId) -> bool {
        use Op::*;
        match &self.model.exprs[set].kind {
            Kind::FreeSet(_) => true,
            Kind::Op(op, args) => match op {
                Integers | Naturals | Naturals1 | Strings | Reals | Floats | Sequences
                | Sequences1 | Successor | Predecessor | Trees | BinaryTrees => true,
                PowerSet | PowerSet1 | FiniteSubsets | FiniteSubsets1 | Identity
                | InjectiveSequences | InjectiveSequences1 | Permutations => {
                    self.is_endless(args[0])
                }
                Intersection => args.iter().all(|arg| self.is_endless(*arg)),
                SetMinus | Minus => self.is_endless(args[0]),
                Union
                | Cartesian
                | Relations
                | TotalRelations
                | SurjectiveRelations
                | TotalSurjectiveRelations
                | PartialFunctions
                | TotalFunctions
                | PartialInjections
                | TotalInjections
                | PartialSurjections
                | TotalSurjections
                | PartialBijections
                | TotalBijections => args.iter().any(|arg| self.is_endless(*arg)),
                _ => false,
            },
            Kind::Struct(fields) => fields.iter().any(|(_, set)| self.is_endless(*set)),
            Kind::Bind { symbolic, .. } => *symbolic,
            _ => false,
        }
    }

    /// A guess at the number of elements of a set.
    fn guess(&self, set: ExprId) -> f64 {
        let reps = &self.program.reps;
        if self.is_endless(set) {
            return ENDLESS;
        }
        match &self.model.exprs[set].kind {
            Kind::Op(Op::SetExtension | Op::SequenceExtension, args) => args.len() as f64,
            Kind::Op(Op::Interval, args) => {
                match (self.int_literal(args[0]), self.int_literal(args[1])) {
                    (Some(low), Some(high)) => (high - low + 1).max(0) as f64,
                    _ => UNKNOWN_SIZE,
                }
            }
            Kind::Op(Op::Int | Op::Nat | Op::Nat1, _) => {
                (self.model.max_int - self.model.min_int) as f64
            }
            Kind::Op(Op::Cartesian, args) => self.guess(args[0]) * self.guess(args[1]),
            Kind::Op(
                Op::PowerSet | Op::PowerSet1 | Op::FiniteSubsets | Op::FiniteSubsets1,
                args,
            ) => self.guess(args[0]).min(60.0).exp2(),
            Kind::Carrier(sort) => self.model.tys.sorts[*sort].elements.len() as f64,
            Kind::Op(
                Op::TotalFunctions
                | Op::TotalInjections
                | Op::TotalSurjections
                | Op::TotalBijections,
                args,
            ) => self.guess(args[1]).powf(self.guess(args[0]).min(60.0)),
            Kind::Op(
                Op::PartialFunctions
                | Op::PartialInjections
                | Op::PartialSurjections
                | Op::PartialBijections,
                args,
            ) => (1.0 + self.guess(args[1])).powf(self.guess(args[0]).min(60.0)),
            Kind::Op(
                Op::Relations
                | Op::TotalRelations
                | Op::SurjectiveRelations
                | Op::TotalSurjectiveRelations,
                args,
            ) => (self.guess(args[1]) * self.guess(args[0])).min(60.0).exp2(),
            _ => {
                let info = &reps[self.ty(set)];
                if info.bits > 0 {
                    f64::from(info.bits) / 2.0 + 1.0
                } else {
                    UNKNOWN_SIZE
                }
            }
        }
    }

    fn int_literal(&self, expr: ExprId) -> Option<i64> {
        match self.int(expr).form {
            crate::code::Form::Literal(value) => Some(value),
            _ => None,
        }
    }
}

impl Planning<'_, '_> {
    fn kind(&self, expr: ExprId) -> &Kind {
        &self.compiler.model.exprs[expr].kind
    }

    /// Conjuncts with negations pushed inwards as far as they stay conjunctions.
    fn flatten(&self, conjuncts: &[ExprId]) -> Vec<(ExprId, bool)> {
        let mut flat = Vec::new();
        let mut todo: Vec<(ExprId, bool)> =
            conjuncts.iter().rev().map(|expr| (*expr, false)).collect();
        while let Some((expr, negated)) = todo.pop() {
            match (self.kind(expr), negated) {
                (Kind::Op(Op::And, args), false) | (Kind::Op(Op::Or, args), true) => {
                    todo.extend(args.iter().rev().map(|arg| (*arg, negated)));
                }
                (Kind::Op(Op::Not, args), _) => todo.push((args[0], !negated)),
                (Kind::Op(Op::Implies, args), true) => {
                    todo.push((args[1], true));
                    todo.push((args[0], false));
                }
                _ => flat.push((expr, negated)),
            }
        }
        flat
    }

    /// The operator and operands of a conjunct, with its negation taken into the operator.
    fn relation(&self, conjunct: &Conjunct) -> Option<(Op, ExprId, ExprId)> {
        let Kind::Op(op, args) = self.kind(conjunct.expr) else {
            return None;
        };
        let [a, b] = args.as_slice() else {
            return None;
        };
        let op = if conjunct.negated {
            opposite(*op)?
        } else {
            *op
        };
        // Opposites of opposites: `x /: S` is never a generator, its negation is.
        Some((op, *a, *b))
    }

    /// The unknowns that an expression mentions.
    fn mentioned(&self, expr: ExprId) -> Vec<Unknown> {
        let fact = self.compiler.facts.of(expr);
        self.unknowns
            .iter()
            .filter(|unknown| match unknown {
                Unknown::Local(local) => fact.locals.binary_search(local).is_ok(),
                Unknown::Slot(slot) => fact.vars.iter().any(|var| var.index() == *slot),
            })
            .copied()
            .collect()
    }

    fn known(&self, expr: ExprId) -> bool {
        self.mentioned(expr)
            .iter()
            .all(|unknown| self.bound.contains(unknown))
    }

    /// The unknown that an expression is, if it is not bound yet.
    fn open(&self, expr: ExprId) -> Option<Unknown> {
        let unknown = match self.kind(expr) {
            Kind::Local(local) => Unknown::Local(*local),
            Kind::Var(var) => Unknown::Slot(var.index()),
            _ => return None,
        };
        (self.unknowns.contains(&unknown) && !self.bound.contains(&unknown)).then_some(unknown)
    }

    fn ty_of(&self, unknown: Unknown) -> TyId {
        match unknown {
            Unknown::Local(local) => self.compiler.model.locals[local].ty,
            Unknown::Slot(slot) => self.compiler.program.slots[slot],
        }
    }

    /// Whether a conjunct holds by typing.
    fn is_trivial(&self, conjunct: ExprId) -> bool {
        match self.kind(conjunct) {
            Kind::Op(Op::Truth, _) => true,
            Kind::Op(Op::Member, args) => {
                let element = self.open(args[0]).is_some();
                element
                    && matches!(
                        self.kind(args[1]),
                        Kind::Carrier(_)
                            | Kind::Op(
                                Op::Integers | Op::Strings | Op::Reals | Op::Floats | Op::Booleans,
                                _
                            )
                    )
            }
            _ => false,
        }
    }

    /// The unknown of a conjunct that only says its type.
    fn typed(&self, conjunct: ExprId) -> Option<Unknown> {
        match self.kind(conjunct) {
            Kind::Op(Op::Member, args) => self.open(args[0]),
            _ => None,
        }
    }

    /// Adds the tests that can be decided now.
    fn tests(&mut self) {
        let mut partial_waits = false;
        let mut waiting: Vec<usize> = Vec::new();
        for i in 0..self.conjuncts.len() {
            let conjunct = &self.conjuncts[i];
            if conjunct.done {
                continue;
            }
            let ready = conjunct
                .unknowns
                .iter()
                .all(|unknown| self.bound.contains(unknown));
            let allowed = if self.manner.relaxed {
                conjunct.total
                    || !waiting.iter().any(|w| {
                        self.conjuncts[*w]
                            .unknowns
                            .iter()
                            .any(|unknown| conjunct.unknowns.contains(unknown))
                    })
            } else if conjunct.total {
                !partial_waits
            } else {
                waiting.is_empty()
            };
            if ready && allowed {
                let test = self.compiler.signed(conjunct.expr, conjunct.negated);
                self.total &= conjunct.total;
                self.conjuncts[i].done = true;
                self.steps.push(Step::Test(test));
            } else {
                partial_waits |= !conjunct.total;
                waiting.push(i);
            }
        }
    }

    /// Whether a conjunct that may be undefined can generate these unknowns now.
    fn may_generate(&self, i: usize, binds: &[Unknown]) -> bool {
        self.conjuncts[i].total
            || self.manner.relaxed
            || self.conjuncts[..i].iter().all(|earlier| {
                // What mentions the new unknown is tested right after it is bound.
                earlier.done
                    || earlier
                        .unknowns
                        .iter()
                        .any(|unknown| binds.contains(unknown))
                        && earlier
                            .unknowns
                            .iter()
                            .all(|unknown| self.bound.contains(unknown) || binds.contains(unknown))
            })
    }

    fn choose(&self) -> Candidate {
        let mut best: Option<Candidate> = None;
        let mut consider = |candidate: Candidate| {
            let better = best.as_ref().is_none_or(|best| {
                (candidate.fallback, candidate.cost) < (best.fallback, best.cost)
            });
            if better {
                best = Some(candidate);
            }
        };
        for i in 0..self.conjuncts.len() {
            if self.conjuncts[i].done {
                continue;
            }
            for candidate in self.from_conjunct(i) {
                if self.may_generate(i, &candidate.binds) {
                    consider(candidate);
                }
            }
        }
        for (unknown, value) in &self.definitions {
            if !self.bound.contains(unknown) && self.known(*value) {
                consider(Candidate {
                    step: Step::One(*unknown, self.compiler.value(*value)),
                    binds: vec![*unknown],
                    covers: Vec::new(),
                    cost: 0.0,
                    total: self.compiler.facts.of(*value).total,
                    fallback: false,
                    unbounded: false,
                });
            }
        }
        for unknown in &self.unknowns {
            if !self.bound.contains(unknown) {
                consider(self.from_type(*unknown));
            }
        }
        best.unwrap_or_else(|| self.from_type(self.unknowns[0]))
    }

    fn from_conjunct(&self, i: usize) -> Vec<Candidate> {
        let conjunct = &self.conjuncts[i];
        match self.relation(conjunct) {
            Some((Op::Equal, a, b)) => [(a, b), (b, a)]
                .into_iter()
                .filter_map(|(a, b)| self.from_equation(i, a, b))
                .collect(),
            Some((Op::Member, a, b)) => self.from_membership(i, a, b).into_iter().collect(),
            Some((Op::Subset, a, b)) => self.from_inclusion(i, a, b).into_iter().collect(),
            Some((Op::Or, ..)) if !conjunct.negated => {
                self.from_disjunction(i).into_iter().collect()
            }
            Some(_) => Vec::new(),
            None if conjunct.negated => Vec::new(),
            None => match self.kind(conjunct.expr) {
                Kind::Bind {
                    binder: Binder::Exists,
                    ..
                } => self.from_existence(i).into_iter().collect(),
                _ => Vec::new(),
            },
        }
    }

    fn candidate(&self, i: usize, step: Step, binds: Vec<Unknown>, cost: f64) -> Candidate {
        Candidate {
            step,
            binds,
            covers: vec![i],
            cost,
            total: self.conjuncts[i].total,
            fallback: false,
            unbounded: false,
        }
    }

    /// A candidate that goes through a set which may have no end.
    fn through(
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

    fn from_equation(&self, i: usize, a: ExprId, b: ExprId) -> Option<Candidate> {
        if let Some(unknown) = self.open(a) {
            let value = if self.known(b) {
                self.compiler.value(b)
            } else if self
                .mentioned(b)
                .iter()
                .all(|u| *u == unknown || self.bound.contains(u))
                && matches!(unknown, Unknown::Slot(_))
                && matches!(
                    self.kind(b),
                    Kind::Bind {
                        binder: Binder::Lambda | Binder::Comprehension,
                        ..
                    }
                )
            {
                // A recursive function: its own name is read when it is applied.
                self.compiler.closure(b)
            } else {
                return None;
            };
            return Some(self.candidate(i, Step::One(unknown, value), vec![unknown], 1.0));
        }
        if !self.known(b) {
            return None;
        }
        if self.compiler.rep(a) == Rep::Int && self.conjuncts[i].total {
            return self.from_linear_equation(i, a, b);
        }
        let mut binds = Vec::new();
        let pattern = self.pattern(a, &mut binds)?;
        if binds.is_empty() {
            return None;
        }
        let value = self.compiler.value(b);
        let single = f(move |cx| Ok(V::Set([value(cx)?].into())));
        let step = Step::Match(pattern, self.compiler.ty(a), Source::Set(single));
        Some(self.candidate(i, step, binds, 1.0))
    }

    /// The only open unknown of an expression, if all others are bound.
    fn only_open(&self, expr: ExprId) -> Option<Unknown> {
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

    /// A pattern of pairs with at least one open unknown; everything else in it must be known.
    fn pattern(&self, expr: ExprId, binds: &mut Vec<Unknown>) -> Option<Pattern> {
        if let Some(unknown) = self.open(expr)
            && !binds.contains(&unknown)
        {
            binds.push(unknown);
            return Some(Pattern::Bind(unknown));
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
        // What an earlier part of the pattern binds may be used here.
        let ready = self
            .mentioned(expr)
            .iter()
            .all(|unknown| self.bound.contains(unknown) || binds.contains(unknown));
        ready.then(|| Pattern::Check(self.compiler.value(expr)))
    }

    fn from_membership(&self, i: usize, element: ExprId, set: ExprId) -> Option<Candidate> {
        if !self.known(set) {
            return None;
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
            if interval && let Some(range) = self.from_bounds(unknown) {
                return Some(range);
            }
            if let Some(candidate) = self.from_space(i, unknown, set) {
                return Some(candidate);
            }
            let step = Step::Each(unknown, self.source(set));
            return Some(self.through(i, step, vec![unknown], set, compiler.guess(set)));
        }
        let Kind::Op(Op::Maplet, sides) = self.kind(element) else {
            return None;
        };
        let mut binds = Vec::new();
        if self.known(sides[0]) && !compiler.is_endless(set) {
            let pattern = self.pattern(sides[1], &mut binds)?;
            if binds.is_empty() {
                return None;
            }
            let source = Source::Image(
                compiler.lazy(set),
                compiler.ty(set),
                compiler.value(sides[0]),
            );
            let step = Step::Match(pattern, compiler.ty(sides[1]), source);
            return Some(self.candidate(i, step, binds, 3.0));
        }
        let pattern = self.pattern(element, &mut binds)?;
        if binds.is_empty() {
            return None;
        }
        let cost = compiler.guess(set);
        let step = Step::Match(
            pattern,
            compiler.ty(element),
            Source::Set(compiler.lazy(set)),
        );
        Some(self.through(i, step, binds, set, cost))
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

    fn from_inclusion(&self, i: usize, subset: ExprId, set: ExprId) -> Option<Candidate> {
        let unknown = self.open(subset).filter(|_| self.known(set))?;
        let compiler = self.compiler;
        let ty = compiler.ty(set);
        let cost = compiler.guess(set).min(60.0).exp2();
        let step = if compiler.rep(set) == Rep::Word {
            Step::Each(unknown, Source::Submasks(compiler.word(set), false))
        } else {
            Step::Each(unknown, Source::Subsets(compiler.lazy(set), ty))
        };
        Some(self.through(i, step, vec![unknown], set, cost))
    }

    /// `P or Q` where both sides can enumerate the same unknown.
    fn from_disjunction(&self, i: usize) -> Option<Candidate> {
        let conjunct = &self.conjuncts[i];
        if !conjunct.total {
            return None;
        }
        let open: Vec<Unknown> = conjunct
            .unknowns
            .iter()
            .filter(|unknown| !self.bound.contains(unknown))
            .copied()
            .collect();
        let branches = self.compiler.chain(Op::Or, conjunct.expr);
        for unknown in open {
            let sources: Option<Vec<(Source, f64)>> = branches
                .iter()
                .map(|branch| self.branch_source(*branch, unknown))
                .collect();
            if let Some(sources) = sources {
                let cost = sources.iter().map(|(_, cost)| cost + 1.0).sum();
                let sources = sources.into_iter().map(|(source, _)| source).collect();
                let mut candidate = self.candidate(
                    i,
                    Step::Each(unknown, Source::Union(sources)),
                    vec![unknown],
                    cost,
                );
                // Not every candidate satisfies the whole disjunction.
                candidate.covers.clear();
                return Some(candidate);
            }
        }
        None
    }

    fn branch_source(&self, branch: ExprId, unknown: Unknown) -> Option<(Source, f64)> {
        for part in self.compiler.chain(Op::And, branch) {
            let Kind::Op(op, args) = self.kind(part) else {
                continue;
            };
            match op {
                Op::Equal => {
                    for (a, b) in [(args[0], args[1]), (args[1], args[0])] {
                        if self.open(a) == Some(unknown) && self.known(b) {
                            let value = self.compiler.value(b);
                            let single = f(move |cx| Ok(V::Set([value(cx)?].into())));
                            return Some((Source::Set(single), 1.0));
                        }
                    }
                }
                Op::Member
                    if self.open(args[0]) == Some(unknown)
                        && self.known(args[1])
                        && !self.compiler.is_endless(args[1]) =>
                {
                    return Some((self.source(args[1]), self.compiler.guess(args[1])));
                }
                _ => {}
            }
        }
        None
    }

    /// `#y.(P)` enumerates an unknown when `P` does, together with `y`.
    fn from_existence(&self, i: usize) -> Option<Candidate> {
        let conjunct = &self.conjuncts[i];
        let unknown = self.only_open(conjunct.expr)?;
        let Kind::Bind {
            names, predicate, ..
        } = self.kind(conjunct.expr)
        else {
            return None;
        };
        let mut unknowns: Vec<Unknown> = names.iter().map(|name| Unknown::Local(*name)).collect();
        unknowns.push(unknown);
        let conjuncts = self.compiler.chain(Op::And, *predicate);
        let plan = self.compiler.plan(&unknowns, &conjuncts, self.manner);
        if plan.unbounded {
            return None;
        }
        let step = Step::Each(unknown, Source::Inner(plan, unknown));
        let mut candidate = self.candidate(i, step, vec![unknown], 200.0);
        candidate.fallback = !matches!(
            self.compiler.program.reps[self.ty_of(unknown)].rep,
            Rep::Int | Rep::Tree
        );
        Some(candidate)
    }

    /// All values of the unknown's type: the last resort.
    fn from_type(&self, unknown: Unknown) -> Candidate {
        let ty = self.ty_of(unknown);
        let info = &self.compiler.program.reps[ty];
        let mut candidate = Candidate {
            step: Step::Each(unknown, Source::Type(ty)),
            binds: vec![unknown],
            covers: Vec::new(),
            cost: f64::INFINITY,
            total: true,
            fallback: true,
            unbounded: !info.finite,
        };
        match info.rep {
            Rep::Word => {
                candidate.cost = info.size as f64;
                candidate.fallback = !self.declared.contains(&unknown);
                if let Ok(size) = u64::try_from(info.size) {
                    candidate.step = Step::Each(unknown, Source::Codes(size));
                }
            }
            Rep::Int => {
                if let Some(range) = self.from_bounds(unknown) {
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

/// The operator of the negation.
fn opposite(op: Op) -> Option<Op> {
    Some(match op {
        Op::Equal => Op::NotEqual,
        Op::NotEqual => Op::Equal,
        Op::Member => Op::NotMember,
        Op::NotMember => Op::Member,
        Op::Subset => Op::NotSubset,
        Op::NotSubset => Op::Subset,
        Op::Less => Op::GreaterEqual,
        Op::GreaterEqual => Op::Less,
        Op::Greater => Op::LessEqual,
        Op::LessEqual => Op::Greater,
        _ => return None,
    })
}

/// The comparison with its sides exchanged.
fn flip(op: Op) -> Op {
    match op {
        Op::Less => Op::Greater,
        Op::LessEqual => Op::GreaterEqual,
        Op::Greater => Op::Less,
        Op::GreaterEqual => Op::LessEqual,
        other => other,
    }
}
