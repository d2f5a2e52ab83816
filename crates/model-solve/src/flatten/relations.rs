//! Operators of relations on relations that are not known.

use lang_math::{Binder, Op};
use model::{ExprId, Kind, LocalId, Value};

use super::equality::split;
use super::{Flatten, Giveup, Res};
use crate::flat::Lit;
use crate::sym::{Sym, parts};

impl Flatten<'_> {
    pub(super) fn relation_operator(&mut self, expr: ExprId, op: Op, args: &[ExprId]) -> Res<Sym> {
        use Op::*;
        match (op, args) {
            (Domain, [a]) => {
                let relation = self.eval(*a)?;
                if let Sym::Function(entries) = &relation {
                    let found = entries
                        .iter()
                        .map(|(argument, lit, _)| (argument.clone(), *lit))
                        .collect();
                    return Ok(Sym::set(found));
                }
                let mut found = Vec::new();
                for (lit, pair) in self.members(&relation)? {
                    found.push((lit, split(&pair).ok_or(Giveup::Unknown(expr))?.0));
                }
                Ok(self.bag(found))
            }
            (Range, [a]) => {
                let relation = self.eval(*a)?;
                let mut found = Vec::new();
                for (lit, pair) in self.members(&relation)? {
                    found.push((lit, split(&pair).ok_or(Giveup::Unknown(expr))?.1));
                }
                Ok(self.bag(found))
            }
            (Inverse, [a]) => {
                let relation = self.eval(*a)?;
                let mut found = Vec::new();
                for (lit, pair) in self.members(&relation)? {
                    let (left, right) = split(&pair).ok_or(Giveup::Unknown(expr))?;
                    found.push((lit, Sym::pair(right, left)));
                }
                Ok(self.bag(found))
            }
            (Image, [a, b]) => {
                let relation = self.eval(*a)?;
                let mut found = Vec::new();
                for (lit, pair) in self.members(&relation)? {
                    if lit == Lit::False {
                        continue;
                    }
                    let (left, right) = split(&pair).ok_or(Giveup::Unknown(expr))?;
                    let inside = self.member_of(&left, *b)?;
                    found.push((self.problem.and([lit, inside]), right));
                }
                Ok(self.bag(found))
            }
            (DomainRestriction | DomainSubtraction, [set, relation])
            | (RangeRestriction | RangeSubtraction, [relation, set]) => {
                let relation = self.eval(*relation)?;
                let keeps = matches!(op, DomainRestriction | RangeRestriction);
                let left = matches!(op, DomainRestriction | DomainSubtraction);
                if let Sym::Function(entries) = &relation {
                    let mut kept = Vec::new();
                    for (argument, lit, value) in entries.iter() {
                        let side = if left {
                            Sym::Known(argument.clone())
                        } else {
                            value.clone()
                        };
                        let inside = self.member_of(&side, *set)?;
                        let wanted = if keeps { inside } else { !inside };
                        let lit = self.problem.and([*lit, wanted]);
                        kept.push((argument.clone(), lit, value.clone()));
                    }
                    return Ok(self.function(kept));
                }
                let mut kept = Vec::new();
                for (lit, pair) in self.members(&relation)? {
                    let (a, b) = split(&pair).ok_or(Giveup::Unknown(expr))?;
                    let inside = self.member_of(if left { &a } else { &b }, *set)?;
                    let wanted = if keeps { inside } else { !inside };
                    kept.push((self.problem.and([lit, wanted]), pair));
                }
                Ok(self.bag(kept))
            }
            (Composition | SymbolicComposition, [a, b]) | (Ring, [b, a]) => {
                let first = self.eval(*a)?;
                if let (Sym::Function(entries), Some(rule)) = (&first, self.lambda(*b)) {
                    match self.compose_rule(expr, entries, rule) {
                        Err(_) if !self.is_spent() => {}
                        composed => return composed,
                    }
                }
                let second = self.eval(*b)?;
                self.compose(expr, &first, &second)
            }
            (Overwrite, [a, b]) => {
                let old = self.eval(*a)?;
                let new = self.eval(*b)?;
                let covered = self.domain_of(expr, &new)?;
                let mut all = self.members(&new)?;
                for (lit, pair) in self.members(&old)? {
                    let (left, _) = split(&pair).ok_or(Giveup::Unknown(expr))?;
                    let inside = self.member_in(&left, &covered)?;
                    all.push((self.problem.and([lit, !inside]), pair));
                }
                Ok(self.bag(all))
            }
            (Identity, [a]) => {
                let set = self.eval(*a)?;
                let mut pairs = Vec::new();
                for (lit, member) in self.members(&set)? {
                    pairs.push((lit, Sym::pair(member.clone(), member)));
                }
                Ok(self.bag(pairs))
            }
            (Closure1, [a]) => {
                let relation = self.eval(*a)?;
                self.closure(expr, &relation)
            }
            (DirectProduct, [a, b]) => {
                let first = self.eval(*a)?;
                let second = self.eval(*b)?;
                let first = self.members(&first)?;
                let second = self.members(&second)?;
                self.tick(first.len() * second.len())?;
                let mut found = Vec::new();
                for (p, x) in &first {
                    let (a, b) = split(x).ok_or(Giveup::Unknown(expr))?;
                    for (q, y) in &second {
                        let (c, d) = split(y).ok_or(Giveup::Unknown(expr))?;
                        let same = self.equal(&a, &c)?;
                        let lit = self.problem.and([*p, *q, same]);
                        if lit != Lit::False {
                            found.push((lit, Sym::pair(a.clone(), Sym::pair(b.clone(), d))));
                        }
                    }
                }
                Ok(self.bag(found))
            }
            _ => Err(Giveup::Unknown(expr)),
        }
    }

    pub(super) fn domain_of(&mut self, expr: ExprId, relation: &Sym) -> Res<Sym> {
        let mut found = Vec::new();
        for (lit, pair) in self.members(relation)? {
            found.push((lit, split(&pair).ok_or(Giveup::Unknown(expr))?.0));
        }
        Ok(self.bag(found))
    }

    fn compose(&mut self, expr: ExprId, first: &Sym, second: &Sym) -> Res<Sym> {
        let first = self.members(first)?;
        let second = self.members(second)?;
        self.tick(first.len() * second.len() / 16)?;
        let mut found = Vec::new();
        for (p, x) in &first {
            let (a, b) = split(x).ok_or(Giveup::Unknown(expr))?;
            for (q, y) in &second {
                let (c, d) = split(y).ok_or(Giveup::Unknown(expr))?;
                let same = self.equal(&b, &c)?;
                let lit = self.problem.and([*p, *q, same]);
                if lit != Lit::False {
                    found.push((lit, Sym::pair(a.clone(), d)));
                }
            }
        }
        Ok(self.bag(found))
    }

    /// Transitive closure by squaring: paths of length up to 1, 2, 4, …
    fn closure(&mut self, expr: ExprId, relation: &Sym) -> Res<Sym> {
        let mut reach = self.as_set(relation)?.to_vec();
        let mut nodes: Vec<Value> = Vec::new();
        for (pair, _) in &reach {
            let (a, b) = parts(pair).ok_or(Giveup::Unknown(expr))?;
            nodes.extend([a.clone(), b.clone()]);
        }
        nodes.sort();
        nodes.dedup();
        if nodes.len() > 24 {
            return Err(Giveup::TooLarge);
        }
        let mut length = 1;
        while length < nodes.len() {
            let step = Sym::set(reach.clone());
            let further = self.compose(expr, &step, &step)?;
            let mut all = reach.clone();
            all.extend(self.as_set(&further)?.iter().cloned());
            reach = self.merged(all);
            length *= 2;
        }
        Ok(Sym::set(reach))
    }
}

impl<'a> Flatten<'a> {
    /// The names, condition and value of a lambda.
    fn lambda(&self, expr: ExprId) -> Option<(&'a [LocalId], ExprId, ExprId)> {
        match self.kind(expr) {
            Kind::Bind {
                binder: Binder::Lambda,
                names,
                predicate,
                value: Some(value),
                ..
            } => Some((names, *predicate, *value)),
            _ => None,
        }
    }
}
