//! Chooses unknown functions point by point, dropping a partial choice as soon as a conjunct is false on it.

use crate::cx::{Cx, R};
use crate::plan::{Pointwise, Rule, Unknown};
use crate::symbolic::Space;
use crate::trap::{Cause, Trap};
use crate::value::V;

/// So many points are asked whether their value follows from others.
const FOLLOWED: usize = 256;

struct Search<'a, 'k> {
    plan: &'a Pointwise,
    space: Space,
    unknown: Unknown,
    place: u32,
    /// The points, those with a fixed value first.
    points: Vec<(V, Option<V>)>,
    range: V,
    /// The elements of the range, once they were needed.
    values: Option<Vec<V>>,
    pairs: Vec<V>,
    used: Vec<V>,
    given: &'k mut dyn FnMut(&mut Cx<'_>, V) -> R<()>,
}

impl Pointwise {
    /// Gives every function of the space that no test refutes to `given`.
    pub(crate) fn run(
        &self,
        cx: &mut Cx<'_>,
        unknown: Unknown,
        place: u32,
        given: &mut dyn FnMut(&mut Cx<'_>, V) -> R<()>,
    ) -> R<()> {
        let Some(otherwise) = &self.otherwise else {
            return self.search(cx, unknown, place, given);
        };
        let mut is_empty = true;
        self.search(cx, unknown, place, &mut |cx, value| {
            is_empty = false;
            given(cx, value)
        })?;
        if is_empty {
            return otherwise.search(cx, unknown, place, given);
        }
        Ok(())
    }

    fn search(
        &self,
        cx: &mut Cx<'_>,
        unknown: Unknown,
        place: u32,
        given: &mut dyn FnMut(&mut Cx<'_>, V) -> R<()>,
    ) -> R<()> {
        let from = (self.from)(cx)?;
        let range = (self.to)(cx)?;
        let (from, from_is_cut) = cx.is_cut_by(|cx| cx.collect(&from, place))?;
        let space = Space::of(self.op);
        let to_is_cut = space.surjective && cx.is_cut_by(|cx| cx.collect(&range, place))?.1;
        if space.needs_whole(from_is_cut, to_is_cut) {
            return Ok(());
        }
        if !space.functional {
            let to = cx.collect(&range, place)?;
            return cx.each_relation(self.op, self.ty, &from, &to, given);
        }
        let mut points = Vec::with_capacity(from.len());
        for point in from {
            let value = fixed(&self.rules, cx, &point);
            points.push((point, value));
        }
        points.sort_by_key(|(_, value)| value.is_none());
        let mut search = Search {
            plan: self,
            space,
            unknown,
            place,
            points,
            range,
            values: None,
            pairs: Vec::new(),
            used: Vec::new(),
            given,
        };
        search.choose(cx, 0, 0)
    }
}

/// The value that a rule gives a point.
fn fixed(rules: &[Rule], cx: &mut Cx<'_>, point: &V) -> Option<V> {
    rules.iter().find_map(|rule| match rule {
        Rule::Point(argument, value) => {
            let argument = argument(cx).ok()?;
            if cx.equal(&argument, point).ok()? {
                value(cx).ok()
            } else {
                None
            }
        }
        Rule::Each(name, condition, value) => {
            cx.bind(*name, point.clone());
            if condition(cx).ok()? {
                value(cx).ok()
            } else {
                None
            }
        }
    })
}

impl Search<'_, '_> {
    /// Chooses the value of the `i`th point; the bits of `settled` are tests that hold already.
    fn choose(&mut self, cx: &mut Cx<'_>, i: usize, settled: u64) -> R<()> {
        cx.spend()?;
        let reps = cx.reps();
        if i == self.points.len() {
            if self.space.surjective {
                let mut images = self.used.clone();
                images.sort_unstable();
                images.dedup();
                let size = images.len();
                if cx.collect(&self.range, self.place)?.len() != size {
                    return Ok(());
                }
            }
            let function = reps.set(self.plan.ty, self.pairs.clone());
            return (self.given)(cx, function);
        }
        let own = self.follow(cx, i);
        let (point, fixed) = self.points[i].clone();
        let fixed = fixed.or(own);
        let is_in = self.space.total || self.plan.required && fixed.is_some();
        if !is_in {
            base::deep::recurse(|| self.choose(cx, i + 1, settled))?;
        }
        if let Some(value) = fixed {
            // What follows from a rule satisfies that rule: the others wait for the next free choice.
            if cx.member(&value, &self.range)? {
                self.take(cx, i, &point, (value, false), settled)?;
            }
            return Ok(());
        }
        if let Some(values) = self.among(cx, &point)? {
            for value in values {
                if cx.member(&value, &self.range)? {
                    self.take(cx, i, &point, (value, true), settled)?;
                }
            }
            return Ok(());
        }
        if self.values.is_none() {
            self.values = Some(cx.collect(&self.range, self.place)?);
        }
        let size = self.values.as_ref().map_or(0, Vec::len);
        for j in 0..size {
            let Some(value) = self.values.as_ref().map(|values| values[j].clone()) else {
                break;
            };
            self.take(cx, i, &point, (value, true), settled)?;
        }
        Ok(())
    }

    /// The values that a rule leaves for a point; `None` where none says so, or they have no end.
    fn among(&mut self, cx: &mut Cx<'_>, point: &V) -> R<Option<Vec<V>>> {
        let Some(set) = fixed(&self.plan.among, cx, point) else {
            return Ok(None);
        };
        if cx.is_infinite(&set)? {
            return Ok(None);
        }
        cx.collect(&set, self.place).map(Some)
    }

    /// Brings a point to the front whose value follows from those chosen so far, and gives that value.
    fn follow(&mut self, cx: &mut Cx<'_>, i: usize) -> Option<V> {
        if self.plan.own.is_empty() || self.points[i].1.is_some() {
            return None;
        }
        let part = cx.reps().set(self.plan.ty, self.pairs.clone());
        self.unknown.bind(cx, part);
        for j in i..self.points.len().min(i + FOLLOWED) {
            if let Some(value) = fixed(&self.plan.own, cx, &self.points[j].0) {
                self.points.swap(i, j);
                return Some(value);
            }
        }
        None
    }

    /// Takes a value for a point, tested if it was chosen.
    fn take(
        &mut self,
        cx: &mut Cx<'_>,
        i: usize,
        point: &V,
        (value, is_chosen): (V, bool),
        settled: u64,
    ) -> R<()> {
        if self.space.injective && self.used.contains(&value) {
            return Ok(());
        }
        if is_chosen {
            cx.spend()?;
        }
        let reps = cx.reps();
        let pair = reps.element(self.plan.ty);
        self.pairs
            .push(reps.join(pair, point.clone(), value.clone()));
        self.used.push(value);
        let tested = if is_chosen {
            self.refuted(cx, settled)
        } else {
            Some(settled)
        };
        let result = match tested {
            None => Ok(()),
            Some(settled) => base::deep::recurse(|| self.choose(cx, i + 1, settled)),
        };
        self.pairs.pop();
        self.used.pop();
        result
    }

    /// `None` when a test is false on the choices so far; else the tests that hold for every completion.
    fn refuted(&self, cx: &mut Cx<'_>, mut settled: u64) -> Option<u64> {
        let part = cx.reps().set(self.plan.ty, self.pairs.clone());
        self.unknown.bind(cx, part);
        for (j, test) in self.plan.tests.iter().enumerate() {
            let bit = 1u64.checked_shl(j as u32).unwrap_or(0);
            if settled & bit != 0 {
                continue;
            }
            match cx.prune(|cx| test(cx)) {
                Ok(false) => return None,
                Ok(true) => settled |= bit,
                Err(_) => {}
            }
        }
        Some(settled)
    }
}

impl Cx<'_> {
    /// Evaluates a test on a part of a function: quantifiers and conjunctions go on after an undefined part
    /// to look for one that is false.
    fn prune(&mut self, test: impl FnOnce(&mut Cx<'_>) -> R<bool>) -> R<bool> {
        let before = std::mem::replace(&mut self.pruning, true);
        let result = test(self);
        self.pruning = before;
        result
    }
}

/// A trap that only says that something was not decided.
pub(crate) fn undecided() -> Trap {
    Cause::OutsideDomain.trap()
}
