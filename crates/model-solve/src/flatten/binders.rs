//! Quantifiers, comprehensions and sums, expanded over the values that their names may have.
//!
//! Technique: like a join, the names are bound one after the other from the smallest set that a conjunct gives (`sources.rs`);
//! conjuncts that are false drop a branch as soon as they can be decided.

use lang_math::{Binder, Op};
use model::{ExprId, Kind, LocalId, Ty, Value};

use super::equality::split;
use super::ranges::Range;
use super::{Flatten, Giveup, Pred, Res};
use crate::Unknown;
use crate::flat::{Lin, Lit};
use crate::sym::Sym;

type Body<'b, 'a> = &'b mut dyn FnMut(&mut Flatten<'a>, Pred) -> Res<()>;

/// A set of this many elements is still turned into all its subsets.
pub(super) const MOST_POWER: usize = 12;

pub(super) struct Expansion<'e> {
    pub(super) conjuncts: &'e [ExprId],
    pub(super) ranges: rustc_hash::FxHashMap<Unknown, Range>,
    /// Whether no instance may come twice.
    pub(super) distinct: bool,
    pub(super) preds: Vec<Option<Pred>>,
}

/// Where the values of names come from.
pub(super) enum Source {
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
        self.restore(old);
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

    pub(super) fn mentions(&mut self, expr: ExprId, names: &[LocalId]) -> bool {
        let free = self.free(expr);
        names
            .iter()
            .any(|name| free.locals.binary_search(name).is_ok())
    }

    pub(super) fn open_name(&self, expr: ExprId, left: &[LocalId]) -> Option<LocalId> {
        match self.kind(expr) {
            Kind::Local(name) if left.contains(name) => Some(*name),
            _ => None,
        }
    }

    /// Collects the names of a pattern of pairs; what else it holds is tested by the conjunct itself.
    pub(super) fn pattern_names(
        &self,
        pattern: ExprId,
        left: &[LocalId],
        names: &mut Vec<LocalId>,
    ) {
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
