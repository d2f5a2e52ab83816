//! Finds all valuations of names that satisfy a list of conjuncts.
//!
//! Technique: generate and test. Names are bound one after the other, the one with the fewest candidates first;
//! candidates come from conjuncts whose other names are known (`facts.rs`), else from the type. Every conjunct
//! is tested as soon as all its names are known and definedness allows it:
//! - *strict* order (formulas): a conjunct is tested before others only if it and they are total, so a
//!   candidate that makes an earlier conjunct undefined is not hidden by a later one that is false. Candidates
//!   may come from any total conjunct: `{x | f(x)=1 & x:dom(f)}` looks at `dom(f)` only;
//! - *free* order (guards, choices, properties): conjuncts are looked at whenever their names are known; one
//!   that is undefined out of turn waits for its turn.
//!
//! Invariant: each solution is found once. A cut is noted when its candidates are exhausted, not when the
//! search ended earlier with an answer.

use lang_math::Op;
use model::{ExprId, Int, Kind, Target, Ty};

use crate::env::Env;
use crate::facts::Facts;
use crate::set::{Rule, V};
use crate::stop::{Run, Stop, StopKind};
use crate::total::conjuncts;
use crate::{Flow, Interp, number};

/// What a solution satisfies.
#[derive(Clone, Debug)]
pub(crate) enum Item {
    /// A predicate is true.
    Holds(ExprId),
    /// A predicate that always has a value is false.
    Fails(ExprId),
    /// A term has this value.
    Is(ExprId, V),
}

impl Item {
    pub(crate) fn expr(&self) -> ExprId {
        match self {
            Item::Holds(expr) | Item::Fails(expr) | Item::Is(expr, _) => *expr,
        }
    }
}

/// What an undefined conjunct is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Undefined {
    /// A fault.
    Fault,
    /// False, and noted as an undefined guard.
    Guard,
    /// False, and noted as a fault that was dropped.
    Dropped,
}

/// How to search.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plan {
    /// Whether conjuncts may be looked at out of turn.
    pub free: bool,
    /// What an undefined conjunct is.
    pub undefined: Undefined,
    /// What it means that names without bounds were cut.
    pub cut: Cut,
}

/// What becomes of a name that has no bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Cut {
    /// It is not enumerated: a stop.
    Refused,
    /// What was looked at may decide; else the answer is unknown, which is a stop too.
    Unknown,
    /// Solutions that were found count, and the answer is marked as not complete.
    Noted,
}

impl Plan {
    /// Quantifiers and comprehensions.
    pub(crate) const FORMULA: Plan = Plan {
        free: false,
        undefined: Undefined::Fault,
        cut: Cut::Unknown,
    };
    /// Constants.
    pub(crate) const PROPERTIES: Plan = Plan {
        free: true,
        undefined: Undefined::Fault,
        cut: Cut::Noted,
    };
}

/// A conjunct not yet decided.
#[derive(Clone, Debug)]
struct Pending {
    item: Item,
    total: bool,
}

/// What looking at the conjuncts gave.
enum Looked {
    /// One is false: no solution here.
    False,
    /// One is true and gone.
    Progress,
    /// None could be decided.
    Stuck,
}

/// The candidates of a name.
struct Candidates {
    target: Target,
    values: V,
    size: f64,
    /// How it was cut, if it was.
    cut: Option<String>,
}

/// What is called with each solution.
pub(crate) type Emit<'e, 'm> = dyn FnMut(&mut Interp<'m>, &Env) -> Run<Flow> + 'e;

impl<'m> Interp<'m> {
    /// Visits each valuation of `unknown` that satisfies a predicate.
    pub(crate) fn solve(
        &mut self,
        unknown: &[Target],
        predicate: ExprId,
        env: &Env,
        plan: Plan,
        emit: &mut Emit<'_, 'm>,
    ) -> Run<Flow> {
        let items = conjuncts(self.model, predicate);
        self.search(
            unknown,
            items.into_iter().map(Item::Holds).collect(),
            env,
            plan,
            emit,
        )
    }

    /// Visits each valuation of `unknown` that satisfies all items, which are in the order of the text.
    pub(crate) fn search(
        &mut self,
        unknown: &[Target],
        items: Vec<Item>,
        env: &Env,
        plan: Plan,
        emit: &mut Emit<'_, 'm>,
    ) -> Run<Flow> {
        let mut pending = Vec::with_capacity(items.len());
        for item in items {
            let total = self.is_total(item.expr());
            pending.push(Pending { item, total });
        }
        let outer = self.doubt.take();
        let flow = self.explore(unknown, &pending, None, env, plan, emit);
        let doubt = std::mem::replace(&mut self.doubt, outer);
        match (flow?, doubt) {
            (Flow::Continue, Some(stop)) if plan.cut == Cut::Noted => {
                self.incomplete(stop);
                Ok(Flow::Continue)
            }
            (Flow::Continue, Some(stop)) => Err(stop),
            (flow, _) => Ok(flow),
        }
    }

    // Seven arguments: what is left to do and where; a struct of them would be built anew at every level.
    fn explore(
        &mut self,
        unknown: &[Target],
        pending: &[Pending],
        doubt: Option<&Stop>,
        env: &Env,
        plan: Plan,
        emit: &mut Emit<'_, 'm>,
    ) -> Run<Flow> {
        self.spend(pending.len())?;
        let mut pending = pending.to_vec();
        let mut doubt = doubt.cloned();
        loop {
            match self.look(&mut pending, &mut doubt, unknown, env, plan)? {
                Looked::False => return Ok(Flow::Continue),
                Looked::Progress => {}
                Looked::Stuck => break,
            }
        }
        if unknown.is_empty() {
            return match doubt {
                None => emit(self, env),
                Some(stop) => {
                    self.doubts(stop);
                    Ok(Flow::Continue)
                }
            };
        }
        let Some(candidates) = self.choose(unknown, &pending, env, plan)? else {
            return Ok(Flow::Continue);
        };
        let target = candidates.target;
        let rest: Vec<Target> = unknown
            .iter()
            .copied()
            .filter(|name| *name != target)
            .collect();
        let flow = base::deep::recurse(|| {
            self.for_each(&candidates.values, &mut |interp, value| {
                let env = env.bind(target, value);
                interp.explore(&rest, &pending, doubt.as_ref(), &env, plan, emit)
            })
        })?;
        if let (Flow::Continue, Some(text)) = (flow, candidates.cut) {
            let span = match target {
                Target::Local(local) => self.model.locals[local].span,
                Target::Var(variable) => self.model.variables[variable].span,
            };
            self.doubts(Stop::open(text).at(span));
        }
        Ok(flow)
    }

    /// Decides one conjunct, if one can be decided.
    fn look(
        &mut self,
        pending: &mut Vec<Pending>,
        doubt: &mut Option<Stop>,
        unknown: &[Target],
        env: &Env,
        plan: Plan,
    ) -> Run<Looked> {
        for i in 0..pending.len() {
            let total = pending[i].total;
            if self.is_known(pending[i].item.expr(), unknown) && (i == 0 || total || plan.free) {
                let truth = match &pending[i].item {
                    Item::Holds(predicate) => self.test(*predicate, env),
                    Item::Fails(predicate) => self.test(*predicate, env).map(|truth| !truth),
                    Item::Is(term, value) => match self.value(*term, env) {
                        Ok(found) => self.equal(&found, value),
                        Err(stop) => Err(stop),
                    },
                };
                match truth {
                    Ok(true) => {
                        pending.remove(i);
                        return Ok(Looked::Progress);
                    }
                    Ok(false) => return Ok(Looked::False),
                    // Not its turn yet.
                    Err(stop) if stop.is_undefined() && i > 0 => {}
                    // The others may say that there is no solution here.
                    Err(stop) if stop.is_open() => {
                        pending.remove(i);
                        doubt.get_or_insert(stop);
                        return Ok(Looked::Progress);
                    }
                    // Behind what is unknown, the undefined need not be reached.
                    Err(stop) if stop.is_undefined() && doubt.is_some() => {
                        if let Some(doubt) = doubt.take() {
                            self.doubts(doubt);
                        }
                        return Ok(Looked::False);
                    }
                    Err(stop) => {
                        self.taken_for_false(stop, plan)?;
                        return Ok(Looked::False);
                    }
                }
            }
            if !plan.free && !total {
                break;
            }
        }
        Ok(Looked::Stuck)
    }

    /// Notes an undefined conjunct where it counts as false; every other stop goes on.
    fn taken_for_false(&mut self, stop: Stop, plan: Plan) -> Run<()> {
        match plan.undefined {
            Undefined::Guard if stop.is_undefined() => self.notes.undefined_guard(stop),
            Undefined::Dropped if stop.is_undefined() => self.notes.dropped(stop),
            _ => return Err(stop),
        }
        Ok(())
    }

    /// The name with the fewest candidates. `None` when an undefined conjunct counts as false.
    fn choose(
        &mut self,
        unknown: &[Target],
        pending: &[Pending],
        env: &Env,
        plan: Plan,
    ) -> Run<Option<Candidates>> {
        // A total conjunct only narrows the candidates; a partial one must be next.
        let usable: Vec<usize> = (0..pending.len())
            .filter(|i| {
                let is_next = plan.free || *i == 0 || pending[*i].total;
                is_next || self.bounds_a_sequence(pending, *i)
            })
            .collect();
        let strict = std::mem::replace(&mut self.strict, !plan.free);
        let found = self.best(unknown, pending, &usable, env);
        self.strict = strict;
        let found = found?;
        match found {
            Ok(best) if best.cut.is_some() && plan.cut == Cut::Refused => Err(Stop::open(
                best.cut.unwrap_or_else(|| "the set is infinite".to_owned()),
            )),
            Ok(best) => Ok(Some(best)),
            Err(stop) => {
                self.taken_for_false(stop, plan)?;
                Ok(None)
            }
        }
    }

    /// Whether a conjunct bounds the size of a name that an earlier one says is a sequence: then it has a value wherever it is
    /// reached.
    fn bounds_a_sequence(&mut self, pending: &[Pending], at: usize) -> bool {
        let model = self.model;
        let Item::Holds(predicate) = pending[at].item else {
            return false;
        };
        let Kind::Op(Op::Less | Op::LessEqual | Op::Greater | Op::GreaterEqual, sides) =
            &model.exprs[predicate].kind
        else {
            return false;
        };
        let [left, right] = *sides.as_slice() else {
            return false;
        };
        [(left, right), (right, left)]
            .into_iter()
            .any(|(size, bound)| {
                let Kind::Op(Op::Size | Op::Card, of) = &model.exprs[size].kind else {
                    return false;
                };
                let is_sequence = |earlier: &Pending| match earlier.item {
                    Item::Holds(member) => match &model.exprs[member].kind {
                        Kind::Op(Op::Member, sides) => {
                            target_of(&model.exprs[sides[0]].kind).is_some_and(|name| {
                                target_of(&model.exprs[of[0]].kind) == Some(name)
                            }) && matches!(
                                model.exprs[sides[1]].kind,
                                Kind::Op(Op::Sequences | Op::Sequences1, _)
                            )
                        }
                        _ => false,
                    },
                    _ => false,
                };
                self.is_total(bound) && pending[..at].iter().any(is_sequence)
            })
    }

    /// The best candidates by the usable conjuncts; the inner error is an undefined conjunct that would have
    /// had to give them.
    fn best(
        &mut self,
        unknown: &[Target],
        pending: &[Pending],
        usable: &[usize],
        env: &Env,
    ) -> Run<Result<Candidates, Stop>> {
        let mut best: Option<Candidates> = None;
        let mut best_cut: Option<Candidates> = None;
        let mut undefined: Option<Stop> = None;
        for target in unknown {
            let mut facts = Facts::default();
            for i in usable {
                match self.facts(*target, &pending[*i].item, env, unknown) {
                    Ok(more) => facts = facts.meet(more),
                    Err(stop) if stop.is_undefined() => {
                        undefined.get_or_insert(stop);
                    }
                    Err(stop) if stop.kind == StopKind::Budget => return Err(stop),
                    Err(_) => {}
                }
            }
            let found = self.candidates(*target, facts)?;
            if found.cut.is_none() && found.size <= 1.0 {
                return Ok(Ok(found));
            }
            let place = if found.cut.is_some() {
                &mut best_cut
            } else {
                &mut best
            };
            if place.as_ref().is_none_or(|known| found.size < known.size) {
                *place = Some(found);
            }
        }
        Ok(match (best, undefined, best_cut) {
            (Some(best), _, _) => Ok(best),
            (None, Some(stop), _) => Err(stop),
            (None, None, Some(cut)) => Ok(cut),
            (None, None, None) => Err(Stop::unsupported("there is nothing to enumerate")),
        })
    }

    /// The smallest set of candidates that facts and type give for a name.
    fn candidates(&mut self, target: Target, facts: Facts) -> Run<Candidates> {
        let (name, ty) = match target {
            Target::Local(local) => (self.model.locals[local].name, self.model.locals[local].ty),
            Target::Var(variable) => (
                self.model.variables[variable].name,
                self.model.variables[variable].ty,
            ),
        };
        let mut sets = facts.sets;
        if let (Some(low), Some(high)) = (&facts.low, &facts.high) {
            sets.push(V::interval(low.clone(), high.clone()));
        }
        if let Some(length) = &facts.length
            && let Some(short) = short(&sets, length)
        {
            sets.push(short);
        }
        let is_int = self.model.tys[ty] == Ty::Int;
        let mut infinite = Vec::new();
        let mut best: Option<(f64, V)> = None;
        sets.push(self.type_set(ty));
        for set in sets {
            let size = self.hint(&set);
            if size.is_finite() || self.is_finite(&set)? == Some(true) {
                if best.as_ref().is_none_or(|(known, _)| size < *known) {
                    best = Some((size, set));
                }
            } else {
                infinite.push(set);
            }
        }
        if let Some((size, values)) = best {
            return Ok(Candidates {
                target,
                values,
                size,
                cut: None,
            });
        }
        let min = Int::Small(self.model.min_int);
        let max = Int::Small(self.model.max_int);
        let values = if is_int {
            match (facts.low, facts.high) {
                (Some(low), _) => V::interval(low.clone(), max.max(low)),
                (None, Some(high)) => V::interval(min.min(high.clone()), high),
                (None, None) => V::interval(min, max),
            }
        } else {
            let wide = infinite.swap_remove(0);
            self.limit(&wide)?
        };
        let how = match &values {
            V::Rule(rule) => match &**rule {
                Rule::Interval(low, high) => {
                    format!(" to {}..{}", number::text(low), number::text(high))
                }
                _ => String::new(),
            },
            _ => String::new(),
        };
        Ok(Candidates {
            target,
            size: self.hint(&values),
            values,
            cut: Some(format!("the enumeration of {name} was cut{how}")),
        })
    }
}

/// The name that an expression is.
fn target_of(kind: &Kind) -> Option<Target> {
    match kind {
        Kind::Var(variable) => Some(Target::Var(*variable)),
        Kind::Local(local) => Some(Target::Local(*local)),
        _ => None,
    }
}

/// The sequences of one of these sets that are no longer than this.
fn short(sets: &[V], length: &Int) -> Option<V> {
    let length = match length {
        Int::Small(length) => usize::try_from((*length).max(0)).ok()?,
        Int::Big(_) => return None,
    };
    sets.iter().find_map(|set| {
        let V::Rule(rule) = set else {
            return None;
        };
        match &**rule {
            Rule::Made(op @ (Op::Sequences | Op::Sequences1), of) => {
                Some(V::rule(Rule::Short(*op, of[0].clone(), length)))
            }
            _ => None,
        }
    })
}
