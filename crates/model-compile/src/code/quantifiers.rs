//! Quantifiers as `bool` closures: an enumeration that ends with the first example or counterexample.
//!
//! Invariant: one ends early only where nothing that follows can be undefined.

use lang_math::{Binder, Op};
use model::{ExprId, Kind, LocalId};

use super::invariant::keeping;
use super::{Compiler, f};
use crate::cx::{F, R};
use crate::guarded::Guarded;
use crate::pointwise::undecided;
use crate::trap::Trap;

impl Compiler<'_> {
    pub(super) fn exists(
        &self,
        expr: ExprId,
        names: &[model::LocalId],
        predicate: ExprId,
    ) -> F<bool> {
        let kept = self.keep(names, &[predicate]);
        let plan = self.binder_plan(expr, names, predicate);
        let kept = self.kept(kept);
        let (total, unbounded) = (plan.total, plan.unbounded);
        let code = f(move |cx| {
            let mut found = false;
            let unsure = plan
                .run_pruning(cx, &mut |cx| {
                    found = true;
                    if total || cx.pruning {
                        Err(Trap::Stop)
                    } else {
                        Ok(())
                    }
                })
                .or_else(|trap| stopped(trap, found))?;
            if unsure && !found {
                return Err(undecided());
            }
            Ok(found)
        });
        let code = keeping(kept, code);
        match unbounded {
            true => self.deciding(expr, self.looking_near(names, predicate, true, code)),
            false => code,
        }
    }

    pub(super) fn forall(
        &self,
        expr: ExprId,
        names: &[model::LocalId],
        predicate: ExprId,
    ) -> F<bool> {
        let said = self.implied(predicate);
        let merged = self.merged(names, &said);
        let merged =
            merged.filter(|(names, said)| !self.plan_of(expr, names, &said.conjuncts).unbounded);
        let (all, said) = merged.unwrap_or((names.to_vec(), said));
        let (names, Said { conjuncts, body }) = (&all[..], said);
        let kept = self.keep(names, &[predicate]);
        let plan = self.plan_of(expr, names, &conjuncts);
        let has_value = self.has_value_after(body, &conjuncts);
        if plan.unbounded && (has_value || self.body_bounds(expr, names, &conjuncts, body)) {
            // Where it is false, the body may bound the names.
            let refuting = self.refuting(expr, names, &conjuncts, body);
            let refuting = keeping(self.kept(kept), refuting);
            let near = self.looking_near(names, predicate, false, refuting);
            return self.deciding(expr, near);
        }
        let total = plan.total && has_value;
        let unbounded = plan.unbounded;
        let body = self.predicate(body);
        let kept = self.kept(kept);
        let code = f(move |cx| {
            let mut holds = true;
            let unsure = plan
                .run_pruning(cx, &mut |cx| {
                    match body(cx) {
                        Ok(true) => return Ok(()),
                        Ok(false) => holds = false,
                        Err(trap) if cx.pruning && trap.is_undefined() => {
                            cx.unsure = true;
                            return Ok(());
                        }
                        Err(trap) if trap.is_unknown() => {
                            cx.doubt(trap);
                            return Ok(());
                        }
                        Err(trap) => return Err(trap),
                    }
                    if total || cx.pruning {
                        Err(Trap::Stop)
                    } else {
                        Ok(())
                    }
                })
                .or_else(|trap| stopped(trap, !holds))?;
            if unsure && holds {
                return Err(undecided());
            }
            Ok(holds)
        });
        let code = keeping(kept, code);
        match unbounded {
            true => self.deciding(expr, self.looking_near(names, predicate, false, code)),
            false => code,
        }
    }
}

/// A body of a universal quantifier: where all conjuncts are true, the rest is.
struct Said {
    conjuncts: Vec<ExprId>,
    body: ExprId,
}

impl Compiler<'_> {
    /// What a predicate says as an implication.
    fn implied(&self, predicate: ExprId) -> Said {
        let mut said = Said {
            conjuncts: Vec::new(),
            body: predicate,
        };
        while let Kind::Op(Op::Implies, sides) = &self.model.exprs[said.body].kind {
            said.conjuncts.extend(self.chain(Op::And, sides[0]));
            said.body = sides[1];
        }
        said
    }

    /// `!p.(A => !q.(B => C))` as `!(p,q).(A & B => C)`, where nothing in `A` is about some of the names `p`: all values of their
    /// types would be tried, whatever `B` says of them. `None` elsewhere: what does not depend on `q` is then looked at once for each `p`.
    fn merged(&self, names: &[LocalId], said: &Said) -> Option<(Vec<LocalId>, Said)> {
        let is_bound = |name: &LocalId| {
            let mut facts = said.conjuncts.iter().map(|part| self.facts.of(*part));
            facts.any(|fact| fact.locals.contains(name))
        };
        if names.iter().all(is_bound) {
            return None;
        }
        let Kind::Bind {
            binder: Binder::Forall,
            names: inner,
            predicate,
            ..
        } = &self.model.exprs[said.body].kind
        else {
            return None;
        };
        let names = [names, inner].concat();
        let mut more = self.implied(*predicate);
        more.conjuncts.splice(0..0, said.conjuncts.iter().copied());
        Some(match self.merged(&names, &more) {
            Some(all) => all,
            None => (names, more),
        })
    }

    /// Whether a formula has a value wherever these are true.
    fn has_value_after(&self, formula: ExprId, conjuncts: &[ExprId]) -> bool {
        let mut known = Guarded::new(self);
        for conjunct in conjuncts {
            known.assume(*conjunct, false);
        }
        known.has_value(formula)
    }

    /// Whether the names have bounds where a body is false, by parts of it that always have a value and stand before all
    /// others: elsewhere the body is true, whatever comes after them.
    fn body_bounds(
        &self,
        expr: ExprId,
        names: &[model::LocalId],
        conjuncts: &[ExprId],
        body: ExprId,
    ) -> bool {
        let is_total = |conjunct: &ExprId| self.facts.of(*conjunct).total;
        if !conjuncts.iter().all(is_total) {
            return false;
        }
        let mut signed: Vec<(ExprId, bool)> = conjuncts.iter().map(|c| (*c, false)).collect();
        let before = signed.len();
        let refuted = self.split_signed(&[(body, true)]);
        signed.extend(refuted.into_iter().take_while(|(part, _)| is_total(part)));
        signed.len() > before && !self.plan_of_signed(expr, names, &signed).unbounded
    }

    /// A universal quantifier by a search for a counterexample; the body has a value for all that the conjuncts leave.
    fn refuting(
        &self,
        expr: ExprId,
        names: &[model::LocalId],
        conjuncts: &[ExprId],
        body: ExprId,
    ) -> F<bool> {
        let mut signed: Vec<(ExprId, bool)> = conjuncts
            .iter()
            .map(|conjunct| (*conjunct, false))
            .collect();
        signed.push((body, true));
        let plan = self.plan_of_signed(expr, names, &signed);
        let total = plan.total;
        f(move |cx| {
            let mut holds = true;
            let unsure = plan
                .run_pruning(cx, &mut |cx| {
                    holds = false;
                    if total || cx.pruning {
                        Err(Trap::Stop)
                    } else {
                        Ok(())
                    }
                })
                .or_else(|trap| stopped(trap, !holds))?;
            if unsure && holds {
                return Err(undecided());
            }
            Ok(holds)
        })
    }
}

/// A search that was ended on purpose, or that has its answer whatever it did not look at, is a success.
fn stopped(trap: Trap, is_decided: bool) -> R<bool> {
    match trap {
        Trap::Stop => Ok(false),
        trap if is_decided && trap.is_unknown() => Ok(false),
        trap => Err(trap),
    }
}
