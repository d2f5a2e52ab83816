//! Where the values of bound names come from: the smallest set that a conjunct gives.

use lang_math::Op;
use model::{ExprId, Kind, LocalId, Value};

use super::binders::{Expansion, MOST_POWER, Source};
use super::ranges::Range;
use super::{Flatten, Giveup, MOST_ELEMENTS, Res};
use crate::Unknown;
use crate::flat::Lit;
use crate::sym::Sym;
impl Flatten<'_> {
    /// The smallest set of values for one of the names, or for a pattern of them.
    pub(super) fn source(&mut self, left: &[LocalId], expansion: &Expansion<'_>) -> Res<Source> {
        let mut best: Option<(usize, Source)> = None;
        for i in 0..expansion.conjuncts.len() {
            if expansion.preds[i].is_some() {
                continue;
            }
            let Kind::Op(op, args) = self.kind(expansion.conjuncts[i]) else {
                continue;
            };
            let [a, b] = args.as_slice() else {
                continue;
            };
            let (a, b) = (*a, *b);
            match op {
                Op::Equal => {
                    for (name, value) in [(a, b), (b, a)] {
                        if let Some(name) = self.open_name(name, left)
                            && !self.mentions(value, left)
                            && let Ok((value, Lit::True)) = self.with_defs(|this| this.eval(value))
                        {
                            return Ok(Source::One(name, value));
                        }
                    }
                }
                Op::Member if !self.mentions(b, left) => {
                    let name = self.open_name(a, left);
                    let mut names = Vec::new();
                    self.pattern_names(a, left, &mut names);
                    let fresh: rustc_hash::FxHashSet<LocalId> = names.iter().copied().collect();
                    if names.is_empty() || fresh.len() < names.len() {
                        continue;
                    }
                    let Some(values) = self.values_of(b, expansion.distinct)? else {
                        continue;
                    };
                    if best.as_ref().is_none_or(|(size, _)| values.len() < *size) {
                        let size = values.len();
                        let source = match name {
                            Some(name) => Source::Each(name, values),
                            None => Source::Match(a, values),
                        };
                        best = Some((size, source));
                    }
                }
                Op::Subset if !self.mentions(b, left) => {
                    if let Kind::Op(Op::SetExtension, elements) = self.kind(a)
                        && let Some(name) = elements.iter().find_map(|e| self.open_name(*e, left))
                        && let Some(values) = self.values_of(b, expansion.distinct)?
                    {
                        if best.as_ref().is_none_or(|(size, _)| values.len() < *size) {
                            best = Some((values.len(), Source::Each(name, values)));
                        }
                        continue;
                    }
                    let Some(name) = self.open_name(a, left) else {
                        continue;
                    };
                    if let Some(subsets) = self.subsets_of(b)?
                        && best.as_ref().is_none_or(|(size, _)| subsets.len() < *size)
                    {
                        best = Some((subsets.len(), Source::Each(name, subsets)));
                    }
                }
                _ => {}
            }
        }
        for name in left {
            if let Some(Range {
                lo: Some(lo),
                hi: Some(hi),
                is_set: false,
            }) = expansion.ranges.get(&Unknown::Local(*name))
            {
                let size = (hi - lo + 1).max(0) as usize;
                if size <= MOST_ELEMENTS && best.as_ref().is_none_or(|(best, _)| size < *best) {
                    let values = (*lo..=*hi).map(|value| Sym::Known(Value::int(value)));
                    best = Some((size, Source::Each(*name, values.collect())));
                }
            }
        }
        if let Some((_, source)) = best {
            return Ok(source);
        }
        for name in left {
            let ty = self.model.locals[*name].ty;
            if self.model.tys.size(ty, 1 << MOST_POWER).is_some()
                && let Some(values) = self.all_of_type(ty)
            {
                return Ok(Source::Each(
                    *name,
                    values.into_iter().map(Sym::Known).collect(),
                ));
            }
        }
        let name = self.model.locals[left[0]].name;
        Err(Giveup::Endless(name.to_string()))
    }

    /// The possible elements of a set; `None` when they cannot be listed.
    fn values_of(&mut self, set: ExprId, distinct: bool) -> Res<Option<Vec<Sym>>> {
        if self.is_long(set) {
            return Ok(None);
        }
        let evaluated = self.with_defs(|this| this.eval(set));
        let (sym, def) = match evaluated {
            Ok(evaluated) => evaluated,
            Err(Giveup::Unknown(_) | Giveup::Endless(_)) => return Ok(None),
            Err(other) => return Err(other),
        };
        // Where the set is undefined so is the conjunct, for every element: the instances must not be empty.
        if def != Lit::True {
            return Ok(None);
        }
        if let Sym::Known(set) = &sym
            && crate::sym::elements(set).len() > MOST_ELEMENTS
        {
            return Ok(None);
        }
        let members = match &sym {
            Sym::Bag(_) if distinct => self
                .as_set(&sym)?
                .iter()
                .map(|(value, _)| Sym::Known(value.clone()))
                .collect(),
            _ => self
                .members(&sym)?
                .into_iter()
                .filter(|(lit, _)| *lit != Lit::False)
                .map(|(_, member)| member)
                .collect(),
        };
        Ok(Some(members))
    }

    /// Whether a set is too long to be listed, by its form.
    fn is_long(&mut self, set: ExprId) -> bool {
        use Op::*;
        match self.kind(set) {
            Kind::FreeSet(_) | Kind::Struct(_) => true,
            Kind::Op(op, args) => match op {
                Integers | Naturals | Naturals1 | Strings | Reals | Floats | Sequences
                | Sequences1 | InjectiveSequences | InjectiveSequences1 | Permutations
                | Successor | Predecessor | Projection1 | Projection2 => true,
                PowerSet | PowerSet1 | FiniteSubsets | FiniteSubsets1 => {
                    !matches!(self.subsets_of(args[0]), Ok(Some(_)))
                }
                op if op.is_arrow() => true,
                Cartesian | Union | Intersection | SetMinus => {
                    args.iter().any(|arg| self.is_long(*arg))
                }
                _ => false,
            },
            _ => false,
        }
    }

    fn subsets_of(&mut self, set: ExprId) -> Res<Option<Vec<Sym>>> {
        let Some(values) = self.values_of(set, true)? else {
            return Ok(None);
        };
        let known: Option<Vec<Value>> = values.iter().map(|v| v.known().cloned()).collect();
        match known {
            Some(mut known) if known.len() <= MOST_POWER => {
                known.sort();
                let subsets = super::subsets(&known).into_iter().map(Sym::Known);
                Ok(Some(subsets.collect()))
            }
            _ => Ok(None),
        }
    }
}
