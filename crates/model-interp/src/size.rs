//! How large a set is: exactly, roughly, or whether it is finite at all.

use lang_math::Op;
use model::{Int, Kind, Target, Value};
use num_traits::ToPrimitive as _;

use crate::Interp;
use crate::expand::Arrow;
use crate::number;
use crate::set::{Closure, Form, Rule, V};
use crate::stop::{Run, Stop};
use crate::total::conjuncts;

impl Interp<'_> {
    /// An upper bound of the number of elements, roughly; infinity when nothing better is known.
    pub(crate) fn hint(&self, set: &V) -> f64 {
        let rule = match set {
            V::Plain(Value::Set(elements)) => return elements.len() as f64,
            V::Rule(rule) => rule,
            _ => return 1.0,
        };
        let all = f64::INFINITY;
        match &**rule {
            Rule::Interval(low, high) => {
                let span = number::subtract(high, low).to_big().to_f64();
                span.map_or(all, |span| span + 1.0)
            }
            // Plain data is the better choice where both are to be had.
            Rule::Listed(elements) => elements.len() as f64 + 0.5,
            Rule::Free(free) if self.free_is_finite(*free, &mut Vec::new()) => 1e6,
            Rule::Struct(fields) => fields
                .iter()
                .map(|(_, set)| self.hint(set))
                .fold(1.0, times),
            Rule::Short(_, of, length) => {
                let of = self.hint(of);
                (0..=*length).map(|n| of.powf(n as f64)).sum()
            }
            Rule::Made(op, operands) => {
                let hint = |i: usize| operands.get(i).map_or(0.0, |operand| self.hint(operand));
                match op {
                    Op::PowerSet | Op::PowerSet1 | Op::FiniteSubsets | Op::FiniteSubsets1 => {
                        hint(0).exp2()
                    }
                    // An infinite right side is a function nearly always: one image for each point.
                    Op::Composition if hint(1) == all => hint(0),
                    Op::DomainRestriction => hint(0).min(hint(1)),
                    Op::Cartesian
                    | Op::Prj1
                    | Op::Prj2
                    | Op::ParallelProduct
                    | Op::DirectProduct
                    | Op::Composition => times(hint(0), hint(1)),
                    Op::Union | Op::Overwrite => hint(0) + hint(1),
                    Op::Intersection => hint(0).min(hint(1)),
                    Op::SetMinus
                    | Op::Identity
                    | Op::Inverse
                    | Op::Domain
                    | Op::Range
                    | Op::RangeRestriction
                    | Op::RangeSubtraction
                    | Op::Image => hint(0),
                    Op::DomainSubtraction => hint(1),
                    Op::Closure1 => times(hint(0), hint(0)),
                    Op::Sequences | Op::Sequences1 => {
                        if hint(0) == 0.0 {
                            1.0
                        } else {
                            all
                        }
                    }
                    Op::InjectiveSequences | Op::InjectiveSequences1 | Op::Permutations => {
                        3.0 * factorial(hint(0))
                    }
                    _ => match Arrow::of(*op) {
                        Some(arrow) if arrow.functional => {
                            let images = if arrow.total { hint(1) } else { hint(1) + 1.0 };
                            if hint(0) == 0.0 {
                                1.0
                            } else {
                                images.powf(hint(0))
                            }
                        }
                        Some(_) => times(hint(0), hint(1)).exp2(),
                        None => all,
                    },
                }
            }
            _ => all,
        }
    }

    /// Whether a set is finite, when that can be told.
    pub(crate) fn is_finite(&mut self, set: &V) -> Run<Option<bool>> {
        let V::Rule(rule) = set else {
            return Ok(Some(true));
        };
        Ok(match &**rule {
            Rule::Interval(..) | Rule::Listed(_) => Some(true),
            Rule::Integers | Rule::From(_) | Rule::Strings | Rule::Reals | Rule::Shift(_) => {
                Some(false)
            }
            Rule::Free(free) | Rule::Constructor(free, _) => {
                if self.free_is_finite(*free, &mut Vec::new()) {
                    Some(true)
                } else if matches!(**rule, Rule::Free(_)) {
                    Some(false)
                } else {
                    None
                }
            }
            Rule::Short(_, of, _) => self.is_finite(of)?,
            Rule::Struct(fields) => {
                let sets: Vec<V> = fields.iter().map(|(_, set)| set.clone()).collect();
                self.product_is_finite(&sets)?
            }
            Rule::Closure(closure) => self.closure_is_finite(closure)?,
            Rule::Made(op, operands) => self.made_is_finite(*op, operands)?,
        })
    }

    fn made_is_finite(&mut self, op: Op, operands: &[V]) -> Run<Option<bool>> {
        let mut finite = Vec::new();
        for operand in operands {
            finite.push(self.is_finite(operand)?);
        }
        let all = finite.iter().all(|finite| *finite == Some(true));
        Ok(match op {
            Op::PowerSet
            | Op::PowerSet1
            | Op::FiniteSubsets
            | Op::FiniteSubsets1
            | Op::InjectiveSequences
            | Op::InjectiveSequences1
            | Op::Permutations
            | Op::Identity
            | Op::Inverse => finite[0],
            Op::Sequences | Op::Sequences1 => self.is_empty(&operands[0])?,
            Op::Cartesian | Op::Prj1 | Op::Prj2 => self.product_is_finite(operands)?,
            Op::Union => match (finite[0], finite[1]) {
                (Some(true), Some(true)) => Some(true),
                (Some(false), _) | (_, Some(false)) => Some(false),
                _ => None,
            },
            Op::Intersection => finite.contains(&Some(true)).then_some(true),
            Op::SetMinus => match (finite[0], finite[1]) {
                (Some(true), _) => Some(true),
                (Some(false), Some(true)) => Some(false),
                _ => None,
            },
            Op::RangeRestriction | Op::RangeSubtraction => finite[0].filter(|finite| *finite),
            Op::DomainSubtraction => finite[1].filter(|finite| *finite),
            // A point of a relation may have infinitely many images.
            Op::DomainRestriction | Op::Composition
                if finite[0] == Some(true) && self.is_function_by_form(&operands[1]) =>
            {
                Some(true)
            }
            Op::DomainRestriction => finite[1].filter(|finite| *finite),
            Op::Trees | Op::BinaryTrees => Some(self.is_empty(&operands[0])? == Some(true)),
            _ if Arrow::of(op).is_some() => {
                let trivial = self.is_empty(&operands[0])? == Some(true)
                    || self.is_empty(&operands[1])? == Some(true);
                if all || trivial {
                    Some(true)
                } else if Arrow::of(op).is_some_and(|arrow| arrow.total || arrow.surjective) {
                    (finite[0] == Some(true)
                        && finite[1] == Some(false)
                        && Arrow::of(op).is_some_and(|arrow| !arrow.surjective))
                    .then_some(false)
                } else if finite.contains(&Some(false)) {
                    Some(false)
                } else {
                    None
                }
            }
            _ => all.then_some(true),
        })
    }

    /// A product is finite when all factors are, or one is empty.
    fn product_is_finite(&mut self, sets: &[V]) -> Run<Option<bool>> {
        let mut finite = Some(true);
        for set in sets {
            if self.is_empty(set)? == Some(true) {
                return Ok(Some(true));
            }
        }
        for set in sets {
            finite = match (self.is_finite(set)?, finite) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (None, _) | (_, None) => None,
                (Some(true), Some(true)) => Some(true),
            };
        }
        Ok(finite)
    }

    /// Whether one of these sets is infinite and another one empty: nothing can be made of both, and neither needs listing.
    pub(crate) fn is_hollow(&mut self, sets: &[V]) -> Run<bool> {
        let (mut endless, mut empty) = (false, false);
        for set in sets {
            endless |= self.is_finite(set)? != Some(true);
            empty |= self.is_empty(set)? == Some(true);
        }
        Ok(endless && empty)
    }

    /// Whether the empty relation is in a space between two sets one of which is empty.
    pub(crate) fn has_empty_relation(&mut self, arrow: Arrow, sets: &[V]) -> Run<bool> {
        Ok((!arrow.total || self.is_empty(&sets[0])? == Some(true))
            && (!arrow.surjective || self.is_empty(&sets[1])? == Some(true)))
    }

    /// Finite or not for comprehensions that only say in which sets their names are.
    fn closure_is_finite(&mut self, closure: &Closure) -> Run<Option<bool>> {
        match self.simple_sets(closure)? {
            Some(sets) => {
                let finite = self.product_is_finite(&sets)?;
                // Infinitely many names may have finitely many values.
                Ok(finite.filter(|finite| *finite || closure.form != Form::Image))
            }
            None => Ok(None),
        }
    }

    /// The sets of `{x,y | x:S & y:T}`, one for each name, if the predicate says no more than that.
    pub(crate) fn simple_sets(&mut self, closure: &Closure) -> Run<Option<Vec<V>>> {
        let unknown: Vec<Target> = closure
            .names
            .iter()
            .map(|name| Target::Local(*name))
            .collect();
        let model = self.model;
        let mut sets: Vec<Option<V>> = vec![None; unknown.len()];
        for conjunct in conjuncts(model, closure.predicate) {
            let Kind::Op(Op::Member, operands) = &model.exprs[conjunct].kind else {
                return Ok(None);
            };
            let Kind::Local(local) = model.exprs[operands[0]].kind else {
                return Ok(None);
            };
            let place = closure.names.iter().position(|name| *name == local);
            match place {
                Some(i) if sets[i].is_none() && self.is_known(operands[1], &unknown) => {
                    sets[i] = Some(self.value(operands[1], &closure.env)?);
                }
                _ => return Ok(None),
            }
        }
        Ok(sets.into_iter().collect())
    }

    /// Whether a set is empty, when that can be told without listing it.
    pub(crate) fn is_empty(&mut self, set: &V) -> Run<Option<bool>> {
        let V::Rule(rule) = set else {
            return Ok(Some(set.is_empty_list()));
        };
        Ok(match &**rule {
            Rule::Made(op, operands) => match op {
                Op::PowerSet
                | Op::FiniteSubsets
                | Op::Sequences
                | Op::InjectiveSequences
                | Op::Permutations
                | Op::PartialFunctions
                | Op::Relations
                | Op::PartialInjections => Some(false),
                Op::PowerSet1
                | Op::FiniteSubsets1
                | Op::Sequences1
                | Op::InjectiveSequences1
                | Op::Identity
                | Op::Inverse
                | Op::Domain
                | Op::Range
                | Op::Closure1 => self.is_empty(&operands[0])?,
                // Without a value for some argument there is no total one.
                Op::TotalFunctions | Op::TotalRelations => {
                    match (self.is_empty(&operands[0])?, self.is_empty(&operands[1])?) {
                        (Some(true), _) | (_, Some(false)) => Some(false),
                        (Some(false), Some(true)) => Some(true),
                        _ => None,
                    }
                }
                Op::Cartesian | Op::Prj1 | Op::Prj2 => {
                    match (self.is_empty(&operands[0])?, self.is_empty(&operands[1])?) {
                        (Some(true), _) | (_, Some(true)) => Some(true),
                        (Some(false), Some(false)) => Some(false),
                        _ => None,
                    }
                }
                Op::Union | Op::Overwrite => {
                    match (self.is_empty(&operands[0])?, self.is_empty(&operands[1])?) {
                        (Some(false), _) | (_, Some(false)) => Some(false),
                        (Some(true), Some(true)) => Some(true),
                        _ => None,
                    }
                }
                _ => None,
            },
            Rule::Struct(fields) => {
                let mut empty = Some(false);
                for (_, set) in fields {
                    match self.is_empty(set)? {
                        Some(true) => return Ok(Some(true)),
                        Some(false) => {}
                        None => empty = None,
                    }
                }
                empty
            }
            Rule::Short(op, of, _) => match op {
                Op::Sequences | Op::InjectiveSequences => Some(false),
                _ => self.is_empty(of)?,
            },
            Rule::Closure(closure) => match self.simple_sets(closure)? {
                Some(sets) => {
                    let mut empty = Some(false);
                    for set in sets {
                        match self.is_empty(&set)? {
                            Some(true) => return Ok(Some(true)),
                            Some(false) => {}
                            None => empty = None,
                        }
                    }
                    empty
                }
                None => None,
            },
            _ => Some(false),
        })
    }

    /// The number of elements; undefined for an infinite set.
    pub(crate) fn card(&mut self, set: &V) -> Run<Int> {
        if self.is_finite(set)? == Some(false) {
            return Err(Stop::undefined("card of an infinite set"));
        }
        if let V::Rule(rule) = set {
            match &**rule {
                // What has an empty part is listed: an infinite part has no number.
                Rule::Struct(_) if self.is_empty(set)? == Some(true) => return Ok(Int::Small(0)),
                Rule::Made(op, operands)
                    if (*op == Op::Cartesian || Arrow::of(*op).is_some())
                        && self.is_hollow(operands)? => {}
                Rule::Interval(low, high) => {
                    return Ok(number::add(&number::subtract(high, low), &Int::Small(1)));
                }
                Rule::Struct(fields) => {
                    let mut product = Int::Small(1);
                    for (_, set) in fields {
                        product = number::multiply(&product, &self.card(set)?);
                    }
                    return Ok(product);
                }
                Rule::Made(op, operands) => match op {
                    Op::PowerSet | Op::FiniteSubsets => {
                        return number::power(&Int::Small(2), &self.card(&operands[0])?);
                    }
                    Op::PowerSet1 | Op::FiniteSubsets1 => {
                        let all = number::power(&Int::Small(2), &self.card(&operands[0])?)?;
                        return Ok(number::subtract(&all, &Int::Small(1)));
                    }
                    Op::Cartesian | Op::Prj1 | Op::Prj2 => {
                        let left = self.card(&operands[0])?;
                        return Ok(number::multiply(&left, &self.card(&operands[1])?));
                    }
                    Op::TotalFunctions => {
                        let points = self.card(&operands[0])?;
                        return number::power(&self.card(&operands[1])?, &points);
                    }
                    Op::PartialFunctions => {
                        let points = self.card(&operands[0])?;
                        let images = number::add(&self.card(&operands[1])?, &Int::Small(1));
                        return number::power(&images, &points);
                    }
                    Op::Relations => {
                        let left = self.card(&operands[0])?;
                        let pairs = number::multiply(&left, &self.card(&operands[1])?);
                        return number::power(&Int::Small(2), &pairs);
                    }
                    Op::Identity | Op::Inverse => return self.card(&operands[0]),
                    _ => {}
                },
                _ => {}
            }
        }
        let mut count = 0i64;
        self.for_each(set, &mut |_, _| {
            count += 1;
            Ok(crate::Flow::Continue)
        })?;
        Ok(Int::Small(count))
    }
}

/// A product in which nothing times infinity is nothing.
fn times(a: f64, b: f64) -> f64 {
    if a == 0.0 || b == 0.0 { 0.0 } else { a * b }
}

fn factorial(n: f64) -> f64 {
    if n > 170.0 {
        f64::INFINITY
    } else {
        (1..=n as u32).map(f64::from).product()
    }
}
