//! Runs enumerations: nested loops over generators with tests as early as they can be decided.
//!
//! Technique: generate and test with the generators chosen at compile time ([`crate::planner`]), the way a
//! database orders a join.
//! Invariant: a plan gives every solution of its predicate exactly once, unless it says that it was cut.

mod pattern;
mod source;

use std::sync::Arc;

use model::{LocalId, TyId};

use crate::code::IntCode;
use crate::cx::{Cx, F, K, R};
use crate::planner::Undefined;
use crate::solving::WORK_OF_A_CANDIDATE;
use crate::trap::Trap;
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
    /// The step, which goes through a set that has a name; where that turns out to be infinite, the plan in its place and in that
    /// of all that follows: what another conjunct leaves may be finite.
    Finite(Box<(Step, Plan)>),
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
            Step::Careful(both) | Step::Finite(both) => &both.0,
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
    /// Sets that the value at a point is in.
    pub among: Vec<Rule>,
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
        !plain.rules.is_empty() || !plain.own.is_empty() || !plain.among.is_empty()
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

    /// Like [`Plan::run`], as a part of the enumeration under way: what it leaves in doubt stays a doubt, and what it gave counts.
    pub(crate) fn stream(&self, cx: &mut Cx<'_>, k: K<'_>) -> R<()> {
        let skipping = std::mem::replace(&mut cx.skipping, false);
        let result = cx.is_cut_by(|cx| self.go_on(cx, 0, k));
        cx.skipping = skipping;
        result.map(|_| ())
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
                Step::Finite(both) => {
                    // What has no value is told by the step itself.
                    if let Step::Each(_, Source::Set(set)) = &both.0
                        && let Ok(set) = set(cx)
                        && matches!(cx.is_infinite(&set), Ok(true))
                    {
                        return both.1.go_on(cx, 0, k);
                    }
                    (&both.0, None)
                }
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
                Step::Careful(both) | Step::Finite(both) => return both.1.go_on(cx, 0, k),
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
