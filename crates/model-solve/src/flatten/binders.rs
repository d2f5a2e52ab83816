//! Quantifiers, comprehensions and sums, expanded over the values that their names may have.
//!
//! Technique: like a join, the names are bound one after the other from the smallest set that a conjunct gives;
//! conjuncts that are false drop a branch as soon as they can be decided.

use lang_math::{Binder, Op};
use model::{ExprId, Kind, LocalId, Ty, Value};

use super::equality::split;
use super::ranges::Range;
use super::{Flatten, Giveup, MOST_ELEMENTS, Pred, Res};
use crate::Unknown;
use crate::flat::{Lin, Lit};
use crate::sym::Sym;

type Body<'b, 'a> = &'b mut dyn FnMut(&mut Flatten<'a>, Pred) -> Res<()>;

/// A set of this many elements is still turned into all its subsets.
const MOST_POWER: usize = 12;

struct Expansion<'e> {
    conjuncts: &'e [ExprId],
    ranges: rustc_hash::FxHashMap<Unknown, Range>,
    /// Whether no instance may come twice.
    distinct: bool,
    preds: Vec<Option<Pred>>,
}

/// Where the values of names come from.
enum Source {
    /// One value for one name.
    One(LocalId, Sym),
    Each(LocalId, Vec<Sym>),
    /// Tuples for a pattern of names.
    Match(ExprId, Vec<Sym>),
}

impl<'a> Flatten<'a> {
    /// The conjuncts of a predicate.
    pub(super) fn conjuncts(&self, predicate: ExprId) -> Vec<ExprId> {
        let mut list = Vec::new();
        let mut todo = vec![predicate];
        while let Some(expr) = todo.pop() {
            match self.kind(expr) {
                Kind::Op(Op::And, parts) => todo.extend(parts.iter().rev()),
                _ => list.push(expr),
            }
        }
        list
    }

    /// Calls `body` with every valuation of the names that may satisfy the conjuncts, and with their truth.
    fn instances(
        &mut self,
        names: &[LocalId],
        conjuncts: &[ExprId],
        distinct: bool,
        body: Body<'_, 'a>,
    ) -> Res<()> {
        let old: Vec<(LocalId, Option<Sym>)> = names
            .iter()
            .map(|name| (*name, self.locals.remove(name)))
            .collect();
        // Names of every type: what mentions one that is not a number has no bounds yet either.
        let bound: Vec<Unknown> = names.iter().map(|name| Unknown::Local(*name)).collect();
        let ranges = self.ranges(&bound, conjuncts);
        let mut expansion = Expansion {
            conjuncts,
            ranges,
            distinct,
            preds: vec![None; conjuncts.len()],
        };
        let result = self.expand(names, &mut expansion, body);
        for (name, old) in old {
            match old {
                Some(old) => self.locals.insert(name, old),
                None => self.locals.remove(&name),
            };
        }
        result
    }

    fn expand(
        &mut self,
        left: &[LocalId],
        expansion: &mut Expansion<'_>,
        body: Body<'_, 'a>,
    ) -> Res<()> {
        self.tick(1)?;
        let saved = expansion.preds.clone();
        for i in 0..expansion.conjuncts.len() {
            if expansion.preds[i].is_some() || self.mentions(expansion.conjuncts[i], left) {
                continue;
            }
            let pred = self.predicate(expansion.conjuncts[i])?;
            if pred.truth == Lit::False && pred.def == Lit::True {
                expansion.preds = saved;
                return Ok(());
            }
            expansion.preds[i] = Some(pred);
        }
        if left.is_empty() {
            let mut all = Pred::total(Lit::True);
            for i in 0..expansion.preds.len() {
                if let Some(pred) = expansion.preds[i] {
                    all = self.both(all, pred);
                }
            }
            expansion.preds = saved;
            return body(self, all);
        }
        let source = self.source(left, expansion)?;
        let result = match source {
            Source::One(name, value) => {
                self.locals.insert(name, value);
                let rest = without(left, &[name]);
                let result = self.expand(&rest, expansion, body);
                self.locals.remove(&name);
                result
            }
            Source::Each(name, values) => {
                let rest = without(left, &[name]);
                let mut result = Ok(());
                for value in values {
                    self.locals.insert(name, value);
                    result = self.expand(&rest, expansion, body);
                    if result.is_err() {
                        break;
                    }
                }
                self.locals.remove(&name);
                result
            }
            Source::Match(pattern, values) => {
                self.expand_pattern(pattern, values, left, expansion, body)
            }
        };
        expansion.preds = saved;
        result
    }

    fn expand_pattern(
        &mut self,
        pattern: ExprId,
        values: Vec<Sym>,
        left: &[LocalId],
        expansion: &mut Expansion<'_>,
        body: Body<'_, 'a>,
    ) -> Res<()> {
        let mut names = Vec::new();
        self.pattern_names(pattern, left, &mut names);
        let rest = without(left, &names);
        let mut result = Ok(());
        for value in values {
            if self.bind_pattern(pattern, &value, left).is_none() {
                result = Err(Giveup::Unknown(pattern));
                break;
            }
            result = self.expand(&rest, expansion, body);
            if result.is_err() {
                break;
            }
        }
        for name in names {
            self.locals.remove(&name);
        }
        result
    }

    fn mentions(&mut self, expr: ExprId, names: &[LocalId]) -> bool {
        let free = self.free(expr);
        names
            .iter()
            .any(|name| free.locals.binary_search(name).is_ok())
    }

    fn open_name(&self, expr: ExprId, left: &[LocalId]) -> Option<LocalId> {
        match self.kind(expr) {
            Kind::Local(name) if left.contains(name) => Some(*name),
            _ => None,
        }
    }

    /// Collects the names of a pattern of pairs; what else it holds is tested by the conjunct itself.
    fn pattern_names(&self, pattern: ExprId, left: &[LocalId], names: &mut Vec<LocalId>) {
        if let Some(name) = self.open_name(pattern, left) {
            names.push(name);
        } else if let Kind::Op(Op::Maplet, sides) = self.kind(pattern) {
            self.pattern_names(sides[0], left, names);
            self.pattern_names(sides[1], left, names);
        }
    }

    fn bind_pattern(&mut self, pattern: ExprId, value: &Sym, left: &[LocalId]) -> Option<()> {
        if let Some(name) = self.open_name(pattern, left) {
            self.locals.insert(name, value.clone());
            return Some(());
        }
        if let Kind::Op(Op::Maplet, sides) = self.kind(pattern) {
            let (a, b) = split(value)?;
            self.bind_pattern(sides[0], &a, left)?;
            self.bind_pattern(sides[1], &b, left)?;
        }
        Some(())
    }

    /// The smallest set of values for one of the names, or for a pattern of them.
    fn source(&mut self, left: &[LocalId], expansion: &Expansion<'_>) -> Res<Source> {
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

    pub(super) fn quantifier(&mut self, expr: ExprId) -> Res<Pred> {
        let Kind::Bind {
            binder,
            names,
            predicate,
            ..
        } = self.kind(expr)
        else {
            return Err(Giveup::Unknown(expr));
        };
        let mut truths = Vec::new();
        let mut defs = Vec::new();
        if *binder == Binder::Exists {
            let conjuncts = self.conjuncts(*predicate);
            self.instances(names, &conjuncts, false, &mut |_, pred| {
                truths.push(pred.truth);
                defs.push(pred.def);
                Ok(())
            })?;
            return Ok(Pred {
                truth: self.problem.or(truths),
                def: self.problem.and(defs),
            });
        }
        let (conjuncts, body) = self.implication(*predicate);
        self.instances(names, &conjuncts, false, &mut |this, pred| {
            let body = match body {
                Some(body) => this.predicate(body)?,
                None => Pred::total(Lit::False),
            };
            truths.push(this.problem.or([!pred.truth, body.truth]));
            let later = this.problem.or([!pred.truth, body.def]);
            defs.push(this.problem.and([pred.def, later]));
            Ok(())
        })?;
        Ok(Pred {
            truth: self.problem.and(truths),
            def: self.problem.and(defs),
        })
    }

    /// The conjuncts before `=>` and what follows it.
    fn implication(&self, predicate: ExprId) -> (Vec<ExprId>, Option<ExprId>) {
        match self.kind(predicate) {
            Kind::Op(Op::Implies, sides) => (self.conjuncts(sides[0]), Some(sides[1])),
            _ => (Vec::new(), Some(predicate)),
        }
    }

    /// When `half` holds, no instance is false; where the whole is defined is given back.
    pub(super) fn require_all(&mut self, expr: ExprId, half: Lit) -> Res<Lit> {
        let Kind::Bind {
            names, predicate, ..
        } = self.kind(expr)
        else {
            return Err(Giveup::Unknown(expr));
        };
        if self.careful {
            let test = self.quantifier(expr)?;
            self.problem.clause([!half, !test.def, test.truth]);
            return Ok(test.def);
        }
        let (conjuncts, body) = self.implication(*predicate);
        // An instance that is undefined makes the whole undefined, even when another one is false: then nothing
        // is required. Only when all are defined without doubt each can be required by itself.
        self.instances(names, &conjuncts, false, &mut |this, pred| {
            let when = this.problem.and([half, pred.truth]);
            let def = match body {
                Some(body) => this.require(body, when)?,
                None => Lit::True,
            };
            let doubt = this.problem.and([pred.truth, !def]);
            if doubt != Lit::False || pred.def != Lit::True {
                return Err(Giveup::Doubtful);
            }
            Ok(())
        })?;
        Ok(Lit::True)
    }

    fn tuple(&self, names: &[LocalId]) -> Option<Sym> {
        let mut tuple = self.locals.get(names.first()?)?.clone();
        for name in &names[1..] {
            tuple = Sym::pair(tuple, self.locals.get(name)?.clone());
        }
        Some(tuple)
    }

    pub(super) fn comprehension(&mut self, expr: ExprId) -> Res<Sym> {
        let Kind::Bind {
            binder,
            names,
            predicate,
            value,
            ..
        } = self.kind(expr)
        else {
            return Err(Giveup::Unknown(expr));
        };
        let conjuncts = self.conjuncts(*predicate);
        let mut members: Vec<(Lit, Sym)> = Vec::new();
        let mut entries: Vec<(Value, Lit, Sym)> = Vec::new();
        let mut defs = Vec::new();
        let distinct = *binder == Binder::Lambda;
        self.instances(names, &conjuncts, distinct, &mut |this, pred| {
            defs.push(pred.def);
            if pred.truth == Lit::False {
                return Ok(());
            }
            let result = match value {
                Some(value) => {
                    let (result, def) = this.with_defs(|this| this.eval(*value))?;
                    defs.push(this.problem.or([!pred.truth, def]));
                    Some(result)
                }
                None => None,
            };
            let tuple = this.tuple(names).ok_or(Giveup::Unknown(expr))?;
            match (binder, result) {
                (Binder::Comprehension, _) => members.push((pred.truth, tuple)),
                (Binder::Image, Some(result)) => members.push((pred.truth, result)),
                (Binder::Image, None) => members.push((pred.truth, tuple)),
                (Binder::Lambda, Some(result)) => match tuple {
                    Sym::Known(argument) => entries.push((argument, pred.truth, result)),
                    argument => members.push((pred.truth, Sym::pair(argument, result))),
                },
                (Binder::Union, Some(result)) => {
                    for (lit, member) in this.members(&result)? {
                        members.push((this.problem.and([pred.truth, lit]), member));
                    }
                }
                _ => return Err(Giveup::Unknown(expr)),
            }
            Ok(())
        })?;
        let def = self.problem.and(defs);
        self.defs.push(def);
        if members.is_empty() && !entries.is_empty() {
            entries.sort_by(|a, b| a.0.cmp(&b.0));
            return Ok(self.function(entries));
        }
        members.extend(
            entries
                .into_iter()
                .map(|(argument, lit, value)| (lit, Sym::pair(Sym::Known(argument), value))),
        );
        Ok(self.bag(members))
    }

    pub(super) fn aggregate(&mut self, expr: ExprId) -> Res<Sym> {
        let Kind::Bind {
            binder,
            names,
            predicate,
            value: Some(value),
            ..
        } = self.kind(expr)
        else {
            return Err(Giveup::Unknown(expr));
        };
        if *binder != Binder::Sum || !matches!(self.model.tys[self.ty(expr)], Ty::Int) {
            return Err(Giveup::Unknown(expr));
        }
        let conjuncts = self.conjuncts(*predicate);
        let mut defs = Vec::new();
        let mut sum = Lin::number(0);
        self.instances(names, &conjuncts, true, &mut |this, pred| {
            defs.push(pred.def);
            if pred.truth == Lit::False {
                return Ok(());
            }
            let (term, def) = this.with_defs(|this| this.eval(*value))?;
            defs.push(this.problem.or([!pred.truth, def]));
            let term = if pred.truth == Lit::True {
                this.lin(&term)?
            } else if let Some(number) = Self::number(&term) {
                let one = this.problem.count(pred.truth);
                Lin::number(0).plus(number, &one).ok_or(Giveup::TooLarge)?
            } else {
                let zero = Sym::Known(Value::int(0));
                let chosen = this.select(vec![(pred.truth, term), (!pred.truth, zero)])?;
                this.lin(&chosen)?
            };
            sum = sum.plus(1, &term).ok_or(Giveup::TooLarge)?;
            Ok(())
        })?;
        let def = self.problem.and(defs);
        self.defs.push(def);
        Ok(Sym::int(sum))
    }
}

fn without(names: &[LocalId], gone: &[LocalId]) -> Vec<LocalId> {
    names
        .iter()
        .filter(|name| !gone.contains(name))
        .copied()
        .collect()
}
