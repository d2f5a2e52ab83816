//! The elements of sets of sets: tuples, subsets, functions and sequences.

use lang_math::Op;
use model::Value;

use super::Visit;
use crate::set::V;
use crate::stop::Run;
use crate::{Flow, Interp};

impl<'m> Interp<'m> {
    /// All tuples with one element of each set.
    pub(super) fn tuples(
        &mut self,
        sets: &[V],
        chosen: &mut Vec<V>,
        visit: &mut dyn FnMut(&mut Self, &[V]) -> Run<Flow>,
    ) -> Run<Flow> {
        match sets.get(chosen.len()) {
            None => visit(self, chosen),
            Some(set) => self.for_each(set, &mut |interp, element| {
                chosen.push(element);
                let flow = interp.tuples(sets, chosen, visit);
                chosen.pop();
                flow
            }),
        }
    }

    /// All subsets with at least `least` elements, smaller ones first.
    pub(super) fn subsets(
        &mut self,
        of: &[Value],
        least: usize,
        visit: &mut dyn FnMut(&mut Self, Vec<Value>) -> Run<Flow>,
    ) -> Run<Flow> {
        for size in least..=of.len() {
            let mut places: Vec<usize> = (0..size).collect();
            loop {
                self.tick()?;
                let chosen = places.iter().map(|place| of[*place].clone()).collect();
                if visit(self, chosen)? == Flow::Stop {
                    return Ok(Flow::Stop);
                }
                // The next combination in lexicographic order.
                let movable = (0..size).rev().find(|i| places[*i] < of.len() - size + i);
                let Some(i) = movable else {
                    break;
                };
                places[i] += 1;
                for j in i + 1..size {
                    places[j] = places[j - 1] + 1;
                }
            }
        }
        Ok(Flow::Continue)
    }

    /// All functions of a kind, point by point.
    pub(super) fn functions(
        &mut self,
        arrow: Arrow,
        domain: &[Value],
        range: &[Value],
        chosen: &mut Vec<(usize, usize)>,
        visit: &mut Visit<'_, 'm>,
    ) -> Run<Flow> {
        self.tick()?;
        let at = chosen.last().map_or(0, |(point, _)| point + 1);
        self.functions_from(arrow, [domain, range], at, chosen, visit)
    }

    fn functions_from(
        &mut self,
        arrow: Arrow,
        [domain, range]: [&[Value]; 2],
        at: usize,
        chosen: &mut Vec<(usize, usize)>,
        visit: &mut Visit<'_, 'm>,
    ) -> Run<Flow> {
        self.tick()?;
        if at == domain.len() {
            let covered = |i: usize| chosen.iter().any(|(_, image)| *image == i);
            if arrow.surjective && !(0..range.len()).all(covered) {
                return Ok(Flow::Continue);
            }
            let pairs = chosen
                .iter()
                .map(|(point, image)| Value::pair(domain[*point].clone(), range[*image].clone()));
            return visit(self, Value::Set(pairs.collect()).into());
        }
        // One level for every point of a domain, which may be large.
        let mut deeper = |interp: &mut Self, chosen: &mut Vec<(usize, usize)>| {
            base::deep::recurse(|| {
                interp.functions_from(arrow, [domain, range], at + 1, chosen, visit)
            })
        };
        if !arrow.total && deeper(self, chosen)? == Flow::Stop {
            return Ok(Flow::Stop);
        }
        for image in 0..range.len() {
            if arrow.injective && chosen.iter().any(|(_, used)| *used == image) {
                continue;
            }
            chosen.push((at, image));
            let flow = deeper(self, chosen);
            chosen.pop();
            if flow? == Flow::Stop {
                return Ok(Flow::Stop);
            }
        }
        Ok(Flow::Continue)
    }

    /// All sequences of a kind up to a length.
    pub(super) fn sequences(
        &mut self,
        op: Op,
        of: &[Value],
        length: usize,
        chosen: &mut Vec<Value>,
        visit: &mut Visit<'_, 'm>,
    ) -> Run<Flow> {
        self.tick()?;
        let fits = match op {
            Op::Sequences1 | Op::InjectiveSequences1 => !chosen.is_empty(),
            Op::Permutations => chosen.len() == of.len(),
            _ => true,
        };
        if fits {
            let sequence = crate::sequence::from_members(chosen.iter().cloned());
            if visit(self, sequence.into())? == Flow::Stop {
                return Ok(Flow::Stop);
            }
        }
        if chosen.len() == length {
            return Ok(Flow::Continue);
        }
        let injective = !matches!(op, Op::Sequences | Op::Sequences1);
        for member in of {
            if injective && chosen.contains(member) {
                continue;
            }
            chosen.push(member.clone());
            let flow = base::deep::recurse(|| self.sequences(op, of, length, chosen, visit));
            chosen.pop();
            if flow? == Flow::Stop {
                return Ok(Flow::Stop);
            }
        }
        Ok(Flow::Continue)
    }
}

/// What an arrow demands of its relations.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Arrow {
    pub(crate) functional: bool,
    pub(crate) total: bool,
    pub(crate) injective: bool,
    pub(crate) surjective: bool,
}

impl Arrow {
    pub(crate) fn of(op: Op) -> Option<Arrow> {
        let (functional, total, injective, surjective) = match op {
            Op::Relations => (false, false, false, false),
            Op::TotalRelations => (false, true, false, false),
            Op::SurjectiveRelations => (false, false, false, true),
            Op::TotalSurjectiveRelations => (false, true, false, true),
            Op::PartialFunctions => (true, false, false, false),
            Op::TotalFunctions => (true, true, false, false),
            Op::PartialInjections => (true, false, true, false),
            Op::TotalInjections => (true, true, true, false),
            Op::PartialSurjections => (true, false, false, true),
            Op::TotalSurjections => (true, true, false, true),
            Op::PartialBijections => (true, false, true, true),
            Op::TotalBijections => (true, true, true, true),
            _ => return None,
        };
        Some(Arrow {
            functional,
            total,
            injective,
            surjective,
        })
    }
}
