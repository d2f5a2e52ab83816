//! Unknowns that no conjunct connects are solved apart and combined lazily.
//!
//! Technique: connected components of the graph whose nodes are unknowns and whose edges are conjuncts. The solutions of
//! a component are found once and kept, so that the product of two components costs no more than both.
//! Invariant: where one component has no solution nothing has: the search ends at once.

use std::sync::Arc;

use model::ExprId;

use crate::code::Compiler;
use crate::cx::{Cx, K, R};
use crate::plan::{Plan, Step, Unknown};
use crate::planner::Manner;
use crate::trap::Trap;
use crate::value::V;

/// The most solutions of a component that are kept; one with more is solved again each time.
const KEPT: usize = 1 << 20;

/// The enumeration of one component.
pub(crate) struct Apart {
    plan: Plan,
    unknowns: Vec<Unknown>,
    /// Its number among the components.
    number: usize,
}

/// The solutions of components that were found completely.
pub(crate) type Kept = Vec<Option<Arc<Vec<Vec<V>>>>>;

impl Apart {
    /// Gives every solution of the component to `k`.
    ///
    /// What comes after it runs inside: hundreds of components need more than one segment of the stack.
    pub(crate) fn run(&self, cx: &mut Cx<'_>, k: K<'_>) -> R<()> {
        base::deep::recurse(|| self.run_here(cx, k))
    }

    fn run_here(&self, cx: &mut Cx<'_>, k: K<'_>) -> R<()> {
        if let Some(Some(kept)) = cx.parts.get(self.number).cloned() {
            for values in kept.iter() {
                cx.spend()?;
                for (unknown, value) in self.unknowns.iter().zip(values) {
                    unknown.bind(cx, value.clone());
                }
                k(cx)?;
            }
            return Ok(());
        }
        let mut found = Some(Vec::new());
        let mut is_empty = true;
        self.plan.run(cx, &mut |cx| {
            is_empty = false;
            match &mut found {
                Some(list) if list.len() < KEPT => {
                    list.push(self.unknowns.iter().map(|u| u.value(cx)).collect());
                }
                _ => found = None,
            }
            k(cx)
        })?;
        if is_empty {
            return Err(Trap::Stop);
        }
        if cx.parts.len() <= self.number {
            cx.parts.resize(self.number + 1, None);
        }
        cx.parts[self.number] = found.map(Arc::new);
        Ok(())
    }
}

impl Compiler<'_> {
    /// The plan of an enumeration that runs once, with its components apart.
    pub(crate) fn plan_apart(
        &self,
        unknowns: &[Unknown],
        conjuncts: &[ExprId],
        manner: Manner,
    ) -> Plan {
        let parts = self.components(unknowns, conjuncts);
        let mut plans: Vec<(Vec<Unknown>, Plan)> = Vec::new();
        for (unknowns, conjuncts) in parts {
            let plan = self.plan_once(&unknowns, &conjuncts, manner);
            plans.push((unknowns, plan));
        }
        if let [(_, plan)] = plans.as_slice() {
            return plan.clone();
        }
        // What is computed comes first: it has one solution.
        plans.sort_by_key(|(_, plan)| !plan.is_computed());
        let place = manner.place;
        let mut all = Plan {
            steps: Arc::new([]),
            total: true,
            unbounded: false,
            may_be_endless: false,
            cost: 1.0,
            whole: false,
            undefined: manner.undefined,
            chooses: manner.chooses,
            place,
        };
        let mut steps = Vec::new();
        for (number, (unknowns, plan)) in plans.into_iter().enumerate() {
            all.total &= plan.total;
            all.unbounded |= plan.unbounded;
            all.may_be_endless |= plan.may_be_endless;
            all.cost *= plan.cost.max(1.0);
            steps.push(Step::Apart(Box::new(Apart {
                plan,
                unknowns,
                number,
            })));
        }
        all.steps = steps.into();
        all
    }

    /// The components, in the order of their first unknowns, each with its conjuncts in the order of the text;
    /// conjuncts without unknowns come first.
    fn components(
        &self,
        unknowns: &[Unknown],
        conjuncts: &[ExprId],
    ) -> Vec<(Vec<Unknown>, Vec<ExprId>)> {
        let mut parent: Vec<usize> = (0..unknowns.len()).collect();
        fn root(parent: &mut [usize], mut i: usize) -> usize {
            while parent[i] != i {
                parent[i] = parent[parent[i]];
                i = parent[i];
            }
            i
        }
        let mut places = Vec::new();
        for conjunct in conjuncts {
            let mentioned = self.mentions(*conjunct, unknowns);
            if let Some((first, others)) = mentioned.split_first() {
                for other in others {
                    let (a, b) = (root(&mut parent, *first), root(&mut parent, *other));
                    parent[a.max(b)] = a.min(b);
                }
            }
            places.push(mentioned.first().copied());
        }
        let mut parts: Vec<(Vec<Unknown>, Vec<ExprId>)> = Vec::new();
        let loose: Vec<ExprId> = conjuncts
            .iter()
            .zip(&places)
            .filter(|(_, place)| place.is_none())
            .map(|(conjunct, _)| *conjunct)
            .collect();
        if !loose.is_empty() || unknowns.is_empty() {
            parts.push((Vec::new(), loose));
        }
        for i in 0..unknowns.len() {
            if root(&mut parent, i) != i {
                continue;
            }
            let members = (0..unknowns.len()).filter(|j| root(&mut parent.clone(), *j) == i);
            let members: Vec<Unknown> = members.map(|j| unknowns[j]).collect();
            let own = conjuncts.iter().zip(&places).filter(|(_, place)| {
                place.is_some_and(|place| root(&mut parent.clone(), place) == i)
            });
            parts.push((members, own.map(|(conjunct, _)| *conjunct).collect()));
        }
        parts
    }

    /// The places of the unknowns that an expression mentions.
    fn mentions(&self, expr: ExprId, unknowns: &[Unknown]) -> Vec<usize> {
        let fact = self.facts.of(expr);
        let mut found = Vec::new();
        for (i, unknown) in unknowns.iter().enumerate() {
            let is_read = match unknown {
                Unknown::Local(local) => fact.locals.binary_search(local).is_ok(),
                Unknown::Slot(slot) => fact.vars.iter().any(|var| {
                    let reads = self.spaces.reads(*var);
                    var.index() == *slot || reads.iter().any(|read| read.index() == *slot)
                }),
            };
            if is_read {
                found.push(i);
            }
        }
        found
    }
}
