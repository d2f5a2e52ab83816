//! Lists the elements of sets: one after the other, or all as plain data.
//!
//! Invariant: no element is visited twice. Infinite sets are never listed here: `Stop` of kind `Open`; what a
//! cut leaves of them is made by `limit`.

mod families;

pub(crate) use families::Arrow;

use std::sync::Arc;

use lang_math::Op;
use model::{Int, Ty, TyId, Value};

use crate::number;
use crate::relation;
use crate::search::Cut;
use crate::set::{Form, Rule, V};
use crate::stop::{Run, Stop};
use crate::{Flow, Interp};

/// Finite sets up to this size become plain data when an operator meets them; larger ones stay rules while
/// they can (ProB's limit for keeping sets symbolic is of the same order).
const EAGER: f64 = 20_000.0;

/// The largest set that is listed, counting the elements of its elements: some hundred megabytes.
const MAX_LISTED: usize = 5_000_000;

/// What visits elements.
pub(crate) type Visit<'v, 'm> = dyn FnMut(&mut Interp<'m>, V) -> Run<Flow> + 'v;

impl<'m> Interp<'m> {
    /// The value as plain data.
    pub(crate) fn force(&mut self, value: &V) -> Run<Value> {
        Ok(match value {
            V::Plain(value) => value.clone(),
            V::Pair(pair) => Value::pair(self.force(&pair.0)?, self.force(&pair.1)?),
            V::Record(fields) => {
                let mut forced = Vec::new();
                for (name, value) in fields.iter() {
                    forced.push((*name, self.force(value)?));
                }
                Value::Record(forced.into())
            }
            V::Free(free, constructor, argument) => {
                Value::Free(*free, *constructor, Some(Arc::new(self.force(argument)?)))
            }
            V::Rule(_) => {
                let mut elements = Vec::new();
                let mut weight = 0;
                let budget = usize::try_from(self.options.budget).unwrap_or(MAX_LISTED);
                base::deep::recurse(|| {
                    self.for_each(value, &mut |interp, element| {
                        let element = interp.force(&element)?;
                        weight += match &element {
                            Value::Set(inner) => 1 + inner.len(),
                            _ => 1,
                        };
                        if weight > budget.min(MAX_LISTED) {
                            return Err(Stop::new(
                                crate::StopKind::Budget,
                                "the set has too many elements to list",
                            ));
                        }
                        elements.push(element);
                        Ok(Flow::Continue)
                    })
                })?;
                Value::set(elements)
            }
        })
    }

    /// The elements of a finite set.
    pub(crate) fn elements(&mut self, set: &V) -> Run<Arc<[Value]>> {
        match self.force(set)? {
            Value::Set(elements) => Ok(elements),
            _ => Err(Stop::unsupported("a set was expected")),
        }
    }

    /// The value as plain data where that is cheap; else as it is.
    pub(crate) fn settle(&mut self, value: V) -> Run<V> {
        match &value {
            V::Rule(rule) => match **rule {
                Rule::Closure(_) | Rule::Listed(_) => Ok(value),
                _ if self.hint(&value) <= EAGER && self.is_finite(&value)? == Some(true) => {
                    // An element may still be an infinite set.
                    match self.force(&value) {
                        Err(stop) if stop.kind == crate::StopKind::Open => Ok(value),
                        forced => forced.map(V::Plain),
                    }
                }
                _ => Ok(value),
            },
            _ => Ok(value),
        }
    }

    /// Visits each element of a finite set once.
    // Long: one arm for each kind of set.
    pub(crate) fn for_each(&mut self, set: &V, visit: &mut Visit<'_, 'm>) -> Run<Flow> {
        let rule = match set {
            V::Plain(Value::Set(elements)) => {
                for element in elements.iter() {
                    self.tick()?;
                    if visit(self, element.clone().into())? == Flow::Stop {
                        return Ok(Flow::Stop);
                    }
                }
                return Ok(Flow::Continue);
            }
            V::Rule(rule) => Arc::clone(rule),
            _ => return Err(Stop::unsupported("a set was expected")),
        };
        match &*rule {
            Rule::Integers => Err(Stop::open("INTEGER is infinite")),
            Rule::From(low) => Err(Stop::open(format!(
                "the integers from {} on are infinitely many",
                number::text(low)
            ))),
            Rule::Strings => Err(Stop::open("STRING is infinite")),
            Rule::Reals => Err(Stop::open("REAL is infinite")),
            Rule::Shift(_) => Err(Stop::open("succ and pred are infinite")),
            Rule::Interval(low, high) => {
                let mut at = low.clone();
                while at <= *high {
                    self.tick()?;
                    if visit(self, V::int(at.clone()))? == Flow::Stop {
                        return Ok(Flow::Stop);
                    }
                    at = number::add(&at, &Int::Small(1));
                }
                Ok(Flow::Continue)
            }
            Rule::Listed(elements) => {
                for element in elements {
                    if visit(self, element.clone())? == Flow::Stop {
                        return Ok(Flow::Stop);
                    }
                }
                Ok(Flow::Continue)
            }
            Rule::Free(free) => {
                if self.free_is_finite(*free, &mut Vec::new()) {
                    let values = self.free_values(*free, u32::MAX)?;
                    self.for_each(&V::Plain(Value::set(values)), visit)
                } else {
                    let name = self.model.tys.free[*free].name;
                    Err(Stop::open(format!("{name} is infinite")))
                }
            }
            Rule::Constructor(free, constructor) => {
                let (free, constructor) = (*free, *constructor);
                let ty = self.model.tys.free[free].constructors[constructor as usize].1;
                let arguments = ty.map_or_else(V::empty, |ty| self.type_set(ty));
                self.for_each(&arguments, &mut |interp, argument| {
                    let built = V::free(free, constructor, argument.clone());
                    visit(interp, V::pair(argument, built))
                })
            }
            Rule::Struct(fields) => {
                let sets: Vec<V> = fields.iter().map(|(_, set)| set.clone()).collect();
                if self.is_hollow(&sets)? {
                    return Ok(Flow::Continue);
                }
                self.tuples(&sets, &mut Vec::new(), &mut |interp, values| {
                    let named = fields
                        .iter()
                        .map(|(name, _)| *name)
                        .zip(values.iter().cloned());
                    visit(interp, V::record(named.collect()))
                })
            }
            Rule::Short(op, of, length) => {
                let of = self.elements(of)?;
                self.sequences(*op, &of, *length, &mut Vec::new(), visit)
            }
            Rule::Closure(closure) => {
                if closure.form == Form::Image {
                    let listed = self.closure_elements(closure, Cut::Unknown)?;
                    return self.for_each(&listed, visit);
                }
                self.closure_each(closure, Cut::Unknown, visit)
            }
            Rule::Made(op, operands) => {
                base::deep::recurse(|| self.for_each_made(*op, operands, visit))
            }
        }
    }

    fn for_each_made(&mut self, op: Op, operands: &[V], visit: &mut Visit<'_, 'm>) -> Run<Flow> {
        let pairs = matches!(op, Op::Cartesian | Op::Prj1 | Op::Prj2);
        if (pairs || Arrow::of(op).is_some()) && self.is_hollow(operands)? {
            return match Arrow::of(op) {
                Some(arrow) if self.has_empty_relation(arrow, operands)? => visit(self, V::empty()),
                _ => Ok(Flow::Continue),
            };
        }
        match op {
            Op::PowerSet | Op::PowerSet1 | Op::FiniteSubsets | Op::FiniteSubsets1 => {
                let of = self.elements(&operands[0])?;
                let least = usize::from(matches!(op, Op::PowerSet1 | Op::FiniteSubsets1));
                self.subsets(&of, least, &mut |interp, chosen| {
                    visit(interp, Value::Set(chosen.into()).into())
                })
            }
            Op::Cartesian => {
                let (left, right) = (&operands[0], &operands[1]);
                self.for_each(left, &mut |interp, a| {
                    interp.for_each(right, &mut |interp, b| visit(interp, V::pair(a.clone(), b)))
                })
            }
            Op::Identity => self.for_each(&operands[0], &mut |interp, a| {
                visit(interp, V::pair(a.clone(), a))
            }),
            Op::Prj1 | Op::Prj2 => {
                let (left, right) = (&operands[0], &operands[1]);
                self.for_each(left, &mut |interp, a| {
                    interp.for_each(right, &mut |interp, b| {
                        let part = if op == Op::Prj1 { a.clone() } else { b.clone() };
                        visit(interp, V::pair(V::pair(a.clone(), b), part))
                    })
                })
            }
            Op::Sequences | Op::Sequences1 => {
                let of = self.elements(&operands[0])?;
                if !of.is_empty() {
                    return Err(Stop::open("there are infinitely many sequences"));
                }
                self.sequences(op, &of, 0, &mut Vec::new(), visit)
            }
            Op::InjectiveSequences | Op::InjectiveSequences1 | Op::Permutations => {
                let of = self.elements(&operands[0])?;
                self.sequences(op, &of, of.len(), &mut Vec::new(), visit)
            }
            _ if Arrow::of(op).is_some() => {
                let domain = self.elements(&operands[0])?;
                let range = self.elements(&operands[1])?;
                let Some(arrow) = Arrow::of(op) else {
                    return Ok(Flow::Continue);
                };
                if arrow.functional {
                    self.functions(arrow, &domain, &range, &mut Vec::new(), visit)
                } else {
                    let Value::Set(all) = relation::product(&domain, &range) else {
                        return Ok(Flow::Continue);
                    };
                    self.subsets(&all, 0, &mut |interp, chosen| {
                        let fits = (!arrow.total
                            || relation::domain(&chosen) == Value::Set(domain.clone()))
                            && (!arrow.surjective
                                || relation::range(&chosen) == Value::Set(range.clone()));
                        if fits {
                            visit(interp, Value::Set(chosen.into()).into())
                        } else {
                            Ok(Flow::Continue)
                        }
                    })
                }
            }
            _ => {
                let listed = self.list_made(op, operands)?;
                self.for_each(&listed, visit)
            }
        }
    }

    /// Sets made by operators whose elements are best collected first.
    // Long: one arm for each operator that makes a set.
    fn list_made(&mut self, op: Op, operands: &[V]) -> Run<V> {
        let filter = |interp: &mut Self, from: &V, by: &V, wanted: bool, left: Option<bool>| {
            let mut kept = Vec::new();
            interp.for_each(from, &mut |interp, element| {
                let tested = match left {
                    None => element.clone(),
                    Some(left) => match element.parts() {
                        Some((a, b)) => {
                            if left {
                                a
                            } else {
                                b
                            }
                        }
                        None => return Ok(Flow::Continue),
                    },
                };
                if interp.member(&tested, by)? == wanted {
                    kept.push(element);
                }
                Ok(Flow::Continue)
            })?;
            interp.listed(kept)
        };
        match op {
            Op::Intersection => {
                let (from, by) = match self.is_finite(&operands[0])? {
                    Some(true) => (&operands[0], &operands[1]),
                    _ => (&operands[1], &operands[0]),
                };
                filter(self, from, by, true, None)
            }
            Op::SetMinus => filter(self, &operands[0], &operands[1], false, None),
            Op::DomainRestriction if self.is_finite(&operands[1])? == Some(true) => {
                filter(self, &operands[1], &operands[0], true, Some(true))
            }
            Op::DomainRestriction => {
                let mut found = Vec::new();
                let points = self.elements(&operands[0])?;
                for point in points.iter() {
                    let point = V::Plain(point.clone());
                    let images = self.image_of_point(&operands[1], &point)?;
                    self.for_each(&images, &mut |_, image| {
                        found.push(V::pair(point.clone(), image));
                        Ok(Flow::Continue)
                    })?;
                }
                self.listed(found)
            }
            Op::DomainSubtraction => filter(self, &operands[1], &operands[0], false, Some(true)),
            Op::RangeRestriction => filter(self, &operands[0], &operands[1], true, Some(false)),
            Op::RangeSubtraction => filter(self, &operands[0], &operands[1], false, Some(false)),
            Op::Composition => {
                let mut found = Vec::new();
                let left = self.elements(&operands[0])?;
                for (a, b) in relation::pairs(&left) {
                    let images = self.image_of_point(&operands[1], &b.clone().into())?;
                    self.for_each(&images, &mut |_, image| {
                        found.push(V::pair(a.clone().into(), image));
                        Ok(Flow::Continue)
                    })?;
                }
                self.listed(found)
            }
            _ => {
                let mut sets = Vec::new();
                for operand in operands {
                    sets.push(self.elements(operand)?);
                }
                let listed = match (op, sets.as_slice()) {
                    (Op::Union, [a, b]) => relation::union(a, b),
                    (Op::Overwrite, [a, b]) => relation::overwrite(a, b),
                    (Op::DirectProduct, [a, b]) => relation::direct_product(a, b),
                    (Op::ParallelProduct, [a, b]) => relation::parallel_product(a, b),
                    (Op::Image, [a, b]) => relation::image(a, b),
                    (Op::Inverse, [a]) => relation::inverse(a),
                    (Op::Domain, [a]) => relation::domain(a),
                    (Op::Range, [a]) => relation::range(a),
                    (Op::Closure1, [a]) => relation::closure1(a),
                    (Op::Trees | Op::BinaryTrees, _) => {
                        return Err(Stop::open("there are infinitely many trees"));
                    }
                    _ => {
                        return Err(Stop::unsupported(format!(
                            "the elements of {} cannot be listed",
                            op.ascii()
                        )));
                    }
                };
                Ok(listed.into())
            }
        }
    }

    /// The set of these elements.
    pub(crate) fn listed(&mut self, elements: Vec<V>) -> Run<V> {
        self.spend(elements.len())?;
        if elements
            .iter()
            .all(|element| matches!(element, V::Plain(_)))
        {
            let plain = elements.into_iter().filter_map(|element| match element {
                V::Plain(value) => Some(value),
                _ => None,
            });
            return Ok(Value::set(plain.collect()).into());
        }
        let mut distinct: Vec<V> = Vec::new();
        'next: for element in elements {
            for known in &distinct {
                if self.equal(known, &element)? {
                    continue 'next;
                }
            }
            distinct.push(element);
        }
        Ok(V::rule(Rule::Listed(distinct)))
    }

    /// All values of a type, as a set.
    pub(crate) fn type_set(&self, ty: TyId) -> V {
        let model = self.model;
        match &model.tys[ty] {
            Ty::Bool => Value::set(vec![Value::Bool(false), Value::Bool(true)]).into(),
            Ty::Int => V::rule(Rule::Integers),
            Ty::Real => V::rule(Rule::Reals),
            Ty::Str => V::rule(Rule::Strings),
            Ty::Sort(sort) => self.carrier(*sort),
            Ty::Free(free) => V::rule(Rule::Free(*free)),
            Ty::Pow(of) => V::made(Op::PowerSet, [self.type_set(*of)]),
            Ty::Prod(left, right) => {
                V::made(Op::Cartesian, [self.type_set(*left), self.type_set(*right)])
            }
            Ty::Record(fields) => V::rule(Rule::Struct(
                fields
                    .iter()
                    .map(|(name, ty)| (*name, self.type_set(*ty)))
                    .collect(),
            )),
        }
    }

    /// The elements of a carrier set.
    pub(crate) fn carrier(&self, sort: model::SortId) -> V {
        self.carriers[sort.index()].clone()
    }
}
