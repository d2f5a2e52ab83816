//! Runs enumerations: nested loops over generators with tests as early as they can be decided.
//!
//! Technique: generate and test with the generators chosen at compile time ([`crate::planner`]), the way a
//! database orders a join.
//! Invariant: a plan gives every solution of its predicate exactly once, unless it says that it was cut.

use std::sync::Arc;

use model::{LocalId, TyId};

use crate::code::IntCode;
use crate::cx::{Cx, F, K, R};
use crate::planner::Undefined;
use crate::solving::WORK_OF_A_CANDIDATE;
use crate::trap::{Cause, Trap};
use crate::value::V;

/// A compiled enumeration.
#[derive(Clone)]
pub(crate) struct Plan {
    pub steps: Arc<[Step]>,
    /// Whether no step can fault.
    pub total: bool,
    /// Whether something without end is enumerated (and cut).
    pub unbounded: bool,
    /// Whether a set that is enumerated may turn out to have no end.
    pub may_be_endless: bool,
    /// A guess at how many candidates are looked at.
    pub cost: f64,
    /// Whether every valuation in the types of the names is a solution.
    pub whole: bool,
    /// What an undefined test is.
    pub undefined: Undefined,
    /// Whether solutions count although others were not looked for ([`crate::planner::Manner`]).
    pub chooses: bool,
    /// Names the place in notes.
    pub place: u32,
}

/// What an enumeration looks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Unknown {
    Local(LocalId),
    /// A constant during the set-up.
    Slot(usize),
}

/// A step.
pub(crate) enum Step {
    Test(F<bool>),
    /// The unknown is this value.
    One(Unknown, F<V>),
    /// The unknown is one of these.
    Each(Unknown, Source),
    /// The unknown has the value of the first case whose condition holds; where none does, it is one of these.
    Cases(Unknown, Vec<(F<bool>, F<V>)>, Source),
    /// The pattern matches one of these.
    Match(Pattern, Source),
    /// The parts, one after the other, are this sequence.
    Split {
        whole: F<V>,
        ty: TyId,
        parts: Vec<Part>,
    },
    /// The solutions of unknowns that nothing connects with the others.
    Apart(Box<crate::apart::Apart>),
    /// The solver finds what is left; nothing follows.
    Search(Box<crate::solving::Search>),
    /// The unknowns have the values of a solution of one of these.
    Solve(Vec<Plan>, Vec<Unknown>),
    /// The step; where what it takes candidates from is undefined, the plan in its place and in that of all that follows:
    /// no candidate of a conjunct that always has a value may get that far.
    Careful(Box<(Step, Plan)>),
}

/// A part of a sequence.
pub(crate) enum Part {
    /// This sequence.
    Known(F<V>),
    /// A sequence of any length.
    Open(Unknown),
    /// One element.
    Element(Pattern),
}

impl Step {
    /// The step that is tried first.
    pub(crate) fn main(&self) -> &Step {
        match self {
            Step::Careful(both) => &both.0,
            step => step,
        }
    }

    /// Whether the solver is asked.
    pub(crate) fn asks_solver(&self) -> bool {
        matches!(self, Step::Search(_))
    }

    /// Whether candidates are dropped while they are built.
    pub(crate) fn is_pruned(&self) -> bool {
        matches!(self.main(), Step::Each(_, Source::Pointwise(search)) if !search.tests.is_empty())
    }
}

/// A bound of an integer.
#[derive(Clone)]
pub(crate) struct Bound {
    pub code: IntCode,
    /// Whether it may be undefined, and then counts as absent: what it comes from is tested again.
    pub optional: bool,
    /// The place of its conjunct in the text, and whether an earlier one may be undefined: then that decides.
    pub order: (u32, bool),
}

/// Where candidates come from.
pub(crate) enum Source {
    /// The bits of a mask.
    Bits(F<u64>),
    Wide(F<u128>),
    /// The submasks of a mask.
    Submasks(F<u64>, bool),
    /// Codes below.
    Codes(u64),
    /// The integers between the greatest lower and the least upper bound.
    Range(Vec<Bound>, Vec<Bound>),
    /// The elements of a set.
    Set(F<V>),
    /// The subsets of a set of this type.
    Subsets(F<V>, TyId),
    /// The subsets of a set with so many elements.
    Chosen {
        of: F<V>,
        ty: TyId,
        size: F<V>,
    },
    /// The values that a relation of this type gives an argument.
    Image(F<V>, TyId, F<V>),
    /// Sequences over a set, no longer than any of the bounds; the type is that of a sequence.
    Short {
        op: lang_math::Op,
        ty: TyId,
        of: F<V>,
        most: Vec<F<V>>,
    },
    /// All values of a type.
    Type(TyId),
    /// Functions, point by point.
    Pointwise(Box<Pointwise>),
}

/// How to choose an unknown function point by point ([`crate::pointwise`]).
pub(crate) struct Pointwise {
    /// Which functions.
    pub op: lang_math::Op,
    /// The type of the function.
    pub ty: TyId,
    pub from: F<V>,
    pub to: F<V>,
    /// What fixes values.
    pub rules: Vec<Rule>,
    /// What fixes a value once the function has values at other points.
    pub own: Vec<Rule>,
    /// Whether a point with a fixed value is in the domain: without it a conjunct would be undefined, which
    /// counts as false.
    pub required: bool,
    /// What can be refuted early.
    pub tests: Vec<F<bool>>,
    /// What to do instead when nothing is left: a conjunct before those used here may be undefined for every candidate.
    pub otherwise: Option<Box<Pointwise>>,
}

impl Pointwise {
    /// Whether rules give values, so that an endless range need not be listed.
    pub(crate) fn is_ruled(&self) -> bool {
        let plain = self.otherwise.as_deref().unwrap_or(self);
        !plain.rules.is_empty() || !plain.own.is_empty()
    }
}

/// What fixes the value at a point.
pub(crate) enum Rule {
    /// At this argument, this value.
    Point(F<V>, F<V>),
    /// At every point that satisfies the condition, this value; both over the local.
    Each(LocalId, F<bool>, F<V>),
}

/// A pattern of a tuple or record.
pub(crate) enum Pattern {
    Bind(Unknown),
    /// A sequence of these parts, of which one at most is open.
    Parts(TyId, Vec<Part>),
    /// The component must have this value.
    Check(F<V>),
    /// The component is `factor` times the unknown, plus something known.
    Linear(Unknown, i64, IntCode),
    Pair(TyId, Box<Pattern>, Box<Pattern>),
    /// A record with these fields, in order.
    Record(TyId, Vec<Pattern>),
}

impl Plan {
    /// Whether the solver is asked.
    pub(crate) fn asks_solver(&self) -> bool {
        self.steps.iter().any(Step::asks_solver)
    }

    /// Whether there is a solution; `None` when that was not decided within so much counted work.
    pub(crate) fn has_solution(&self, cx: &mut Cx<'_>, work: u64) -> Option<bool> {
        cx.decisive = Some(work);
        let mut found = false;
        let mut look = |cx: &mut Cx<'_>| {
            self.run(cx, &mut |_| {
                found = true;
                Err(Trap::Stop)
            })
        };
        // The solver has limits of its own.
        let result = if self.asks_solver() {
            look(cx)
        } else {
            cx.trial(work.div_ceil(WORK_OF_A_CANDIDATE), look)?
        };
        match (found, result) {
            (true, _) => Some(true),
            (false, Ok(())) => Some(false),
            _ => None,
        }
    }

    /// Whether everything is computed: there is one candidate at most.
    pub(crate) fn is_computed(&self) -> bool {
        self.steps
            .iter()
            .all(|step| matches!(step.main(), Step::Test(_) | Step::One(..)))
    }

    /// Gives every solution to `k`, with the unknowns bound.
    pub(crate) fn run(&self, cx: &mut Cx<'_>, k: K<'_>) -> R<()> {
        if cx.skipping {
            cx.skipping = false;
            let result = self.enumerate(cx, k);
            cx.skipping = true;
            return result;
        }
        self.enumerate(cx, k)
    }

    /// The whole enumeration; what it leaves in doubt is its answer.
    fn enumerate(&self, cx: &mut Cx<'_>, k: K<'_>) -> R<()> {
        match cx.enumeration(|cx| self.go_on(cx, 0, k)) {
            Err(trap) if self.chooses && trap.is_unknown() => {
                cx.incomplete(trap);
                Ok(())
            }
            result => result,
        }
    }

    /// Like [`Plan::run`]; while a part of a function is tested, undefined candidates are passed over, and
    /// the result says whether there were any.
    pub(crate) fn run_pruning(&self, cx: &mut Cx<'_>, k: K<'_>) -> R<bool> {
        if !cx.pruning {
            return self.run(cx, k).map(|()| false);
        }
        let skipping = std::mem::replace(&mut cx.skipping, true);
        let unsure = std::mem::replace(&mut cx.unsure, false);
        let result = self.enumerate(cx, k);
        cx.skipping = skipping;
        let found = std::mem::replace(&mut cx.unsure, unsure);
        result.map(|()| found)
    }

    pub(crate) fn go_on(&self, cx: &mut Cx<'_>, mut i: usize, k: K<'_>) -> R<()> {
        cx.spend()?;
        loop {
            let Some(step) = self.steps.get(i) else {
                return k(cx);
            };
            i += 1;
            let (step, otherwise) = match step {
                Step::Careful(both) => (&both.0, Some(&both.1)),
                step => (step, None),
            };
            match step {
                Step::Test(test) => match test(cx) {
                    Ok(true) => {}
                    Ok(false) => return Ok(()),
                    Err(trap) if trap.is_unknown() => return self.unclear(cx, i, trap),
                    Err(trap) => return self.undefined(cx, trap),
                },
                Step::One(unknown, value) => match value(cx) {
                    Ok(value) => unknown.bind(cx, value),
                    Err(trap) => return self.unready(cx, trap, otherwise, k),
                },
                Step::Each(unknown, source) => {
                    return self.each(cx, i, *unknown, source, otherwise, k);
                }
                Step::Cases(unknown, cases, source) => {
                    let Some(value) = value_of(cx, cases)? else {
                        return self.each(cx, i, *unknown, source, otherwise, k);
                    };
                    unknown.bind(cx, value);
                }
                Step::Search(search) => return search.run(cx, self, k),
                // One within another does not occur; the plan finds the same.
                Step::Careful(both) => return both.1.go_on(cx, 0, k),
                Step::Apart(part) => return part.run(cx, &mut |cx| self.go_on(cx, i, k)),
                Step::Solve(plans, unknowns) => return self.solve(cx, i, plans, unknowns, k),
                Step::Split { whole, ty, parts } => {
                    let ready = whole(cx).and_then(|whole| cx.pieces(&whole, *ty, parts));
                    let (values, known) = match ready {
                        Ok(ready) => ready,
                        Err(trap) => return self.unready(cx, trap, otherwise, k),
                    };
                    return self.split(cx, i, *ty, parts, &values, &known, k);
                }
                Step::Match(pattern, source) => {
                    let ready = source.ready(cx);
                    let set = match ready {
                        Ok(set) => set,
                        Err(trap) => return self.unready(cx, trap, otherwise, k),
                    };
                    return cx.each(&set, self.place, &mut |cx, value| match pattern
                        .matches(cx, &value)
                    {
                        Ok(true) => self.go_on(cx, i, k),
                        Ok(false) => Ok(()),
                        Err(trap) => self.undefined(cx, trap),
                    });
                }
            }
        }
    }

    fn solve(
        &self,
        cx: &mut Cx<'_>,
        i: usize,
        plans: &[Plan],
        unknowns: &[Unknown],
        k: K<'_>,
    ) -> R<()> {
        let mut solutions: Vec<Vec<V>> = Vec::new();
        for plan in plans {
            let result = plan.run(cx, &mut |cx| {
                solutions.push(unknowns.iter().map(|unknown| unknown.value(cx)).collect());
                Ok(())
            });
            match result {
                Ok(()) => {}
                Err(trap) if trap.is_unknown() => cx.doubt(trap),
                Err(trap) => return self.undefined(cx, trap),
            }
        }
        solutions.sort_unstable();
        solutions.dedup();
        for solution in solutions {
            for (unknown, value) in unknowns.iter().zip(solution) {
                unknown.bind(cx, value);
            }
            self.go_on(cx, i, k)?;
        }
        Ok(())
    }

    /// Binds the parts of a sequence to its pieces in every possible way; `known` are the pieces that known
    /// parts must be.
    #[expect(
        clippy::too_many_arguments,
        reason = "a recursion over parts and values"
    )]
    fn split(
        &self,
        cx: &mut Cx<'_>,
        i: usize,
        ty: TyId,
        parts: &[Part],
        values: &[V],
        known: &[Vec<V>],
        k: K<'_>,
    ) -> R<()> {
        let Some((first, rest)) = parts.split_first() else {
            return if values.is_empty() {
                self.go_on(cx, i, k)
            } else {
                Ok(())
            };
        };
        match first {
            Part::Known(_) => match known.split_first() {
                Some((piece, known)) => match values.strip_prefix(piece.as_slice()) {
                    Some(values) => self.split(cx, i, ty, rest, values, known, k),
                    None => Ok(()),
                },
                None => Ok(()),
            },
            Part::Element(pattern) => {
                let Some((value, values)) = values.split_first() else {
                    return Ok(());
                };
                match pattern.matches(cx, value) {
                    Ok(true) => self.split(cx, i, ty, rest, values, known, k),
                    Ok(false) => Ok(()),
                    Err(trap) => self.undefined(cx, trap),
                }
            }
            Part::Open(unknown) => {
                let shortest = if rest.is_empty() { values.len() } else { 0 };
                for length in shortest..=values.len() {
                    let (piece, values) = values.split_at(length);
                    let piece = cx.sequence(ty, piece.to_vec());
                    unknown.bind(cx, piece);
                    self.split(cx, i, ty, rest, values, known, k)?;
                }
                Ok(())
            }
        }
    }

    /// A test before step `i` is unknown: the candidate is in doubt, unless the rest says that it is no solution.
    #[cold]
    fn unclear(&self, cx: &mut Cx<'_>, i: usize, trap: Trap) -> R<()> {
        let result =
            cx.quietly(|cx| cx.enumeration(|cx| self.go_on(cx, i, &mut |_| Err(Trap::Stop))));
        match result {
            Ok(()) => Ok(()),
            Err(other) if other != Trap::Stop && other.is_final() => Err(other),
            Err(_) => {
                cx.doubt(trap);
                Ok(())
            }
        }
    }

    pub(crate) fn undefined(&self, cx: &mut Cx<'_>, trap: Trap) -> R<()> {
        if trap.is_unknown() {
            cx.doubt(trap);
            return Ok(());
        }
        if cx.skipping && trap.is_undefined() {
            cx.unsure = true;
            return Ok(());
        }
        match self.undefined {
            Undefined::Guard if trap.is_undefined() => cx.note_undefined(trap),
            Undefined::Dropped if trap.is_undefined() => cx.note_dropped(trap),
            _ => return Err(trap),
        }
        Ok(())
    }

    /// What happens when a step has no candidates to try because they are undefined.
    fn unready(&self, cx: &mut Cx<'_>, trap: Trap, otherwise: Option<&Plan>, k: K<'_>) -> R<()> {
        match otherwise {
            Some(plan) if trap.is_undefined() => plan.go_on(cx, 0, k),
            _ => self.undefined(cx, trap),
        }
    }

    fn each(
        &self,
        cx: &mut Cx<'_>,
        i: usize,
        unknown: Unknown,
        source: &Source,
        otherwise: Option<&Plan>,
        k: K<'_>,
    ) -> R<()> {
        match source {
            Source::Bits(mask) => {
                let mut mask = match mask(cx) {
                    Ok(mask) => mask,
                    Err(trap) => return self.unready(cx, trap, otherwise, k),
                };
                while mask != 0 {
                    let bit = mask.trailing_zeros();
                    mask &= mask - 1;
                    unknown.bind(cx, V::Word(u64::from(bit)));
                    self.go_on(cx, i, k)?;
                }
                Ok(())
            }
            Source::Wide(mask) => {
                let mask = match mask(cx) {
                    Ok(mask) => mask,
                    Err(trap) => return self.unready(cx, trap, otherwise, k),
                };
                for bit in crate::value::bits(mask) {
                    unknown.bind(cx, V::Word(bit));
                    self.go_on(cx, i, k)?;
                }
                Ok(())
            }
            Source::Submasks(mask, some) => {
                let mask = match mask(cx) {
                    Ok(mask) => mask,
                    Err(trap) => return self.unready(cx, trap, otherwise, k),
                };
                let mut sub = 0u64;
                loop {
                    if sub != 0 || !some {
                        unknown.bind(cx, V::Word(sub));
                        self.go_on(cx, i, k)?;
                    }
                    sub = sub.wrapping_sub(mask) & mask;
                    if sub == 0 {
                        return Ok(());
                    }
                }
            }
            Source::Codes(size) => {
                for code in 0..*size {
                    unknown.bind(cx, V::Word(code));
                    self.go_on(cx, i, k)?;
                }
                Ok(())
            }
            Source::Range(lows, highs) if let Some((low, high)) = small_range(cx, lows, highs) => {
                for value in low..=high {
                    unknown.bind(cx, V::Int(value));
                    self.go_on(cx, i, k)?;
                }
                Ok(())
            }
            _ => {
                let mut is_begun = false;
                let mut given = |cx: &mut Cx<'_>, value: V| {
                    is_begun = true;
                    unknown.bind(cx, value);
                    self.go_on(cx, i, k)
                };
                let result = match source {
                    Source::Pointwise(search) => relay(&mut given, |given| {
                        search.run(cx, unknown, self.place, given)
                    }),
                    _ => source.give(cx, self.place, &mut given),
                };
                match result {
                    Ok(()) => Ok(()),
                    Err(Failed::Source(trap)) => {
                        self.unready(cx, trap, otherwise.filter(|_| !is_begun), k)
                    }
                    Err(Failed::Receiver(trap)) => Err(trap),
                }
            }
        }
    }
}

impl Cx<'_> {
    /// The values of a sequence, and of those of its parts that are known.
    fn pieces(&mut self, whole: &V, ty: TyId, parts: &[Part]) -> R<(Vec<V>, Vec<Vec<V>>)> {
        let values = self.items(ty, whole)?;
        let mut known = Vec::new();
        for part in parts {
            if let Part::Known(code) = part {
                let piece = code(self)?;
                known.push(self.items(ty, &piece)?);
            }
        }
        Ok((values, known))
    }

    /// Binds the one open part of a sequence, if there is one; whether the parts fit.
    fn fit(&mut self, ty: TyId, parts: &[Part], values: &[V], known: &[Vec<V>]) -> R<bool> {
        let fixed: usize = known.iter().map(Vec::len).sum::<usize>()
            + parts
                .iter()
                .filter(|part| matches!(part, Part::Element(_)))
                .count();
        let open = parts.iter().any(|part| matches!(part, Part::Open(_)));
        if values.len() < fixed || !open && values.len() > fixed {
            return Ok(false);
        }
        let rest = values.len() - fixed;
        let mut known = known.iter();
        let mut values = values;
        for part in parts {
            match part {
                Part::Known(_) => {
                    let piece = known.next().map(Vec::as_slice).unwrap_or_default();
                    match values.strip_prefix(piece) {
                        Some(after) => values = after,
                        None => return Ok(false),
                    }
                }
                Part::Element(pattern) => {
                    let Some((first, after)) = values.split_first() else {
                        return Ok(false);
                    };
                    if !pattern.matches(self, first)? {
                        return Ok(false);
                    }
                    values = after;
                }
                Part::Open(unknown) => {
                    let (piece, after) = values.split_at(rest);
                    let piece = self.sequence(ty, piece.to_vec());
                    unknown.bind(self, piece);
                    values = after;
                }
            }
        }
        Ok(true)
    }
}

/// Who failed: the source of candidates, or what was done with one.
enum Failed {
    Source(Trap),
    Receiver(Trap),
}

impl Source {
    /// The set of candidates as a value.
    fn ready(&self, cx: &mut Cx<'_>) -> R<V> {
        match self {
            Source::Set(set) => set(cx),
            Source::Image(relation, ty, argument) => {
                let relation = relation(cx)?;
                let argument = argument(cx)?;
                Ok(V::listed(cx.image_of(*ty, &relation, &argument)?))
            }
            Source::Bits(mask) => Ok(V::Word(mask(cx)?)),
            Source::Wide(mask) => Ok(V::of_wide(mask(cx)?)),
            _ => {
                let mut values = Vec::new();
                let result = self.give(cx, crate::doubt::NOWHERE, &mut |_, value| {
                    values.push(value);
                    Ok(())
                });
                match result {
                    Ok(()) => {
                        values.sort_unstable();
                        values.dedup();
                        Ok(V::listed(values))
                    }
                    Err(Failed::Source(trap) | Failed::Receiver(trap)) => Err(trap),
                }
            }
        }
    }

    fn give(
        &self,
        cx: &mut Cx<'_>,
        place: u32,
        given: &mut dyn FnMut(&mut Cx<'_>, V) -> R<()>,
    ) -> Result<(), Failed> {
        match self {
            Source::Range(lows, highs) => {
                let (low, high) = ends(cx, lows, highs).map_err(Failed::Source)?;
                let (min, max) = cx.program.cut;
                let (low, high) = match (low, high) {
                    (Some(low), Some(high)) => (low, high),
                    (Some(low), None) => {
                        let high = V::Int(max.max(low.small().unwrap_or(max)));
                        cx.cut(place, || {
                            format!("integers without an upper bound were cut at {max}")
                        })
                        .map_err(Failed::Source)?;
                        (low, high)
                    }
                    (None, Some(high)) => {
                        let low = V::Int(min.min(high.small().unwrap_or(min)));
                        cx.cut(place, || {
                            format!("integers without a lower bound were cut at {min}")
                        })
                        .map_err(Failed::Source)?;
                        (low, high)
                    }
                    (None, None) => {
                        cx.cut(place, || {
                            format!("integers without bounds were cut to {min}..{max}")
                        })
                        .map_err(Failed::Source)?;
                        (V::Int(min), V::Int(max))
                    }
                };
                if let (V::Int(low), V::Int(high)) = (&low, &high) {
                    for value in *low..=*high {
                        given(cx, V::Int(value)).map_err(Failed::Receiver)?;
                    }
                    return Ok(());
                }
                let (mut next, high) = (low.to_big(), high.to_big());
                while next <= high {
                    given(cx, V::big(next.clone())).map_err(Failed::Receiver)?;
                    next += 1;
                }
                Ok(())
            }
            Source::Subsets(set, ty) => {
                let set = set(cx).map_err(Failed::Source)?;
                let elements = cx.collect(&set, place).map_err(Failed::Source)?;
                relay(given, |given| {
                    cx.each_subset_of(*ty, &elements, false, given)
                })
            }
            Source::Short { op, ty, of, most } => {
                let mut longest: Option<V> = None;
                for bound in most {
                    let bound = bound(cx).map_err(Failed::Source)?;
                    if longest
                        .as_ref()
                        .is_none_or(|known| bound.cmp_number(known).is_lt())
                    {
                        longest = Some(bound);
                    }
                }
                let of = of(cx).map_err(Failed::Source)?;
                let of = cx.collect(&of, place).map_err(Failed::Source)?;
                let Some(longest) = longest.and_then(|most| most.small()) else {
                    return Err(Failed::Source(Cause::TooLarge.trap()));
                };
                let least = i64::from(*op == lang_math::Op::Sequences1);
                let most = if of.is_empty() {
                    longest.min(0)
                } else {
                    longest
                };
                relay(given, |given| cx.each_short(*ty, &of, least..=most, given))
            }
            Source::Chosen { of, ty, size } => {
                let size = size(cx).map_err(Failed::Source)?;
                let of = of(cx).map_err(Failed::Source)?;
                let of = cx.collect(&of, place).map_err(Failed::Source)?;
                match size.small().map(usize::try_from) {
                    Some(Ok(size)) if size <= of.len() => relay(given, |given| {
                        cx.each_chosen(*ty, &of, size, &mut Vec::new(), given)
                    }),
                    _ => Ok(()),
                }
            }
            Source::Type(ty) => relay(given, |given| cx.each_of_type(*ty, place, given)),
            // Runs only where the unknown is at hand, in `Plan::each`.
            Source::Pointwise(_) => Ok(()),
            Source::Codes(size) => {
                for code in 0..*size {
                    given(cx, V::Word(code)).map_err(Failed::Receiver)?;
                }
                Ok(())
            }
            Source::Submasks(mask, some) => {
                let mask = mask(cx).map_err(Failed::Source)?;
                let mut sub = 0u64;
                loop {
                    if sub != 0 || !some {
                        given(cx, V::Word(sub)).map_err(Failed::Receiver)?;
                    }
                    sub = sub.wrapping_sub(mask) & mask;
                    if sub == 0 {
                        return Ok(());
                    }
                }
            }
            Source::Bits(_) | Source::Wide(_) | Source::Set(_) | Source::Image(..) => {
                let set = self.ready(cx).map_err(Failed::Source)?;
                relay(given, |given| cx.each(&set, place, given))
            }
        }
    }
}

/// Runs an enumeration that reports failures of both sides alike, and tells them apart.
fn relay(
    given: &mut dyn FnMut(&mut Cx<'_>, V) -> R<()>,
    run: impl FnOnce(&mut dyn FnMut(&mut Cx<'_>, V) -> R<()>) -> R<()>,
) -> Result<(), Failed> {
    let mut receiver = None;
    let result = run(&mut |cx, value| given(cx, value).inspect_err(|trap| receiver = Some(*trap)));
    match (result, receiver) {
        (Ok(()), _) => Ok(()),
        (Err(_), Some(trap)) => Err(Failed::Receiver(trap)),
        (Err(trap), None) => Err(Failed::Source(trap)),
    }
}

/// The value of the first case whose condition holds; what is undefined in a case is told when the conjunct is tested.
fn value_of(cx: &mut Cx<'_>, cases: &[(F<bool>, F<V>)]) -> R<Option<V>> {
    for (condition, value) in cases {
        let case = condition(cx).and_then(|holds| match holds {
            true => value(cx).map(Some),
            false => Ok(None),
        });
        match case {
            Ok(Some(value)) => return Ok(Some(value)),
            Ok(None) => {}
            Err(trap) if trap.is_undefined() || trap.is_unknown() => return Ok(None),
            Err(trap) => return Err(trap),
        }
    }
    Ok(None)
}

/// The ends of a range with one bound on each side, where both are small; `None` asks for [`ends`].
#[inline]
fn small_range(cx: &mut Cx<'_>, lows: &[Bound], highs: &[Bound]) -> Option<(i64, i64)> {
    let ([low], [high]) = (lows, highs) else {
        return None;
    };
    let low = (low.code.fast)(cx).ok()?;
    Some((low, (high.code.fast)(cx).ok()?))
}

/// The greatest low end and the least high end. What is undefined is no end, and where it comes before others in the
/// text neither are those: the conjunct is tested, and tells of it.
fn ends(cx: &mut Cx<'_>, lows: &[Bound], highs: &[Bound]) -> R<(Option<V>, Option<V>)> {
    let mut undefined = u32::MAX;
    let low = bound(cx, lows, true, &mut undefined)?;
    let high = bound(cx, highs, false, &mut undefined)?;
    let is_late = |bound: &Bound| bound.order.1 && bound.order.0 > undefined;
    if !lows.iter().chain(highs).any(is_late) {
        return Ok((low, high));
    }
    let early = |bounds: &[Bound]| {
        let early = bounds.iter().filter(|bound| !is_late(bound));
        early.cloned().collect::<Vec<Bound>>()
    };
    let (lows, highs) = (early(lows), early(highs));
    let low = bound(cx, &lows, true, &mut undefined)?;
    Ok((low, bound(cx, &highs, false, &mut undefined)?))
}

/// The best of some ends; `undefined` becomes the first place in the text of one that is none.
fn bound(cx: &mut Cx<'_>, bounds: &[Bound], greatest: bool, undefined: &mut u32) -> R<Option<V>> {
    let mut best: Option<V> = None;
    for bound in bounds {
        let value = match bound.code.value(cx) {
            Ok(value) => value,
            Err(trap) if bound.optional && trap.is_undefined() => {
                *undefined = bound.order.0.min(*undefined);
                continue;
            }
            Err(trap) => return Err(trap),
        };
        let better = match &best {
            None => true,
            Some(best) => value.cmp_number(best).is_gt() == greatest,
        };
        if better {
            best = Some(value);
        }
    }
    Ok(best)
}

impl Unknown {
    pub(crate) fn bind(self, cx: &mut Cx<'_>, value: V) {
        match self {
            Unknown::Local(local) => cx.frame[local.index()] = value,
            Unknown::Slot(slot) => {
                cx.set_slot(slot, value);
            }
        }
    }

    pub(crate) fn value(self, cx: &Cx<'_>) -> V {
        match self {
            Unknown::Local(local) => cx.frame[local.index()].clone(),
            Unknown::Slot(slot) => cx.slot(slot),
        }
    }
}

impl Pattern {
    fn matches(&self, cx: &mut Cx<'_>, value: &V) -> R<bool> {
        match self {
            Pattern::Bind(unknown) => {
                unknown.bind(cx, value.clone());
                Ok(true)
            }
            Pattern::Parts(ty, parts) => {
                let (values, known) = cx.pieces(value, *ty, parts)?;
                cx.fit(*ty, parts, &values, &known)
            }
            Pattern::Check(expected) => {
                let expected = expected(cx)?;
                cx.equal(&expected, value)
            }
            Pattern::Linear(unknown, factor, rest) => {
                let rest = rest.value(cx)?;
                let (quotient, over) = quotient(value, &rest, *factor);
                unknown.bind(cx, quotient);
                Ok(!over)
            }
            Pattern::Pair(ty, left, right) => {
                let (a, b) = cx.reps().split(*ty, value);
                Ok(left.matches(cx, &a)? && right.matches(cx, &b)?)
            }
            Pattern::Record(ty, fields) => {
                let values = cx.reps().record_fields(*ty, value);
                for (field, value) in fields.iter().zip(&values) {
                    if !field.matches(cx, value)? {
                        return Ok(false);
                    }
                }
                Ok(true)
            }
        }
    }
}

/// `(value - rest) / factor`, and whether something is left over.
fn quotient(value: &V, rest: &V, factor: i64) -> (V, bool) {
    if let (V::Int(value), V::Int(rest)) = (value, rest)
        && let Some(difference) = value.checked_sub(*rest)
        && factor != -1
    {
        return (V::Int(difference / factor), difference % factor != 0);
    }
    let difference = value.to_big() - rest.to_big();
    let over = &difference % factor != num_bigint::BigInt::from(0);
    (V::big(difference / factor), over)
}
