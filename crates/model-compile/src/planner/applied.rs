//! Unknown functions that an equation gives as a rule (`f = %x.(x : INTEGER | x + y)`) are applied when the plan is made, so
//! that `f(5) = 1005` is an equation for `y`; and membership in a constant that is a comprehension without end
//! (`part = {u,v | u : seq(A) & v : seq(A) & #(x,y).(x ^ u ^ y = v)}`) is what the comprehension says, so that `u|->[a,b] : part`
//! bounds `u`.
//!
//! Technique: beta reduction on a copy of the model. Invariant: the rule has a value for every argument and uses its
//! argument, so what is put in its place is undefined exactly where the application was.

use lang_math::{Binder, Op};
use model::{ExprId, Kind, LocalId, Model};
use rustc_hash::FxHashMap;

use crate::code::Compiler;
use crate::influence::substitute::{Map, Substitute};
use crate::plan::{Plan, Unknown};
use crate::planner::{Manner, Undefined};

/// Formulas do not get larger by this.
const LARGEST: usize = 500;

/// A function and what it is.
struct Rule {
    function: Unknown,
    argument: LocalId,
    value: ExprId,
}

impl Compiler<'_> {
    /// The plan of conjuncts in which rules are applied; nothing when there are none.
    pub(super) fn plan_applied(
        &self,
        unknowns: &[Unknown],
        conjuncts: &[(ExprId, bool)],
        manner: Manner,
    ) -> Option<Plan> {
        if self.is_nested.get() {
            return None;
        }
        let rules: Vec<Rule> = conjuncts
            .iter()
            .filter(|(_, negated)| !negated)
            .flat_map(|(conjunct, _)| self.chain(Op::And, *conjunct))
            .filter_map(|conjunct| self.rule(conjunct, unknowns))
            .collect();
        let mut members: FxHashMap<ExprId, (Map, ExprId)> = FxHashMap::default();
        for (conjunct, _) in conjuncts.iter().filter(|(_, negated)| !negated) {
            for part in self.chain(Op::And, *conjunct) {
                // The names below a condition have one place each: no condition stands here twice.
                if let Some(unfolded) = self.unfolded(part, unknowns)
                    && members.values().all(|(_, known)| *known != unfolded.1)
                {
                    members.insert(part, unfolded);
                }
            }
        }
        if rules.is_empty() && members.is_empty() {
            return None;
        }
        let mut model: Model = (*self.shared()).clone();
        let mut applied = Vec::with_capacity(conjuncts.len());
        for (conjunct, negated) in conjuncts {
            let mut parts = vec![*conjunct];
            if !negated && !members.is_empty() {
                parts = self.chain(Op::And, *conjunct);
            }
            for part in parts {
                let part = match members.get(&part) {
                    Some((map, body)) if !negated => {
                        Substitute::new(&mut model, map.clone()).expr(*body)
                    }
                    _ => part,
                };
                applied.push((apply(&mut model, &rules, part)?, *negated));
            }
        }
        if applied == conjuncts {
            return None;
        }
        let mut inner = Compiler::new(&model, self.program);
        inner.assigned.clone_from(&self.assigned);
        inner.is_nested.set(true);
        inner.is_once.set(self.is_once.get());
        inner.patience.set(self.patience.get());
        // What both keep stands in places of its own.
        inner.memos.set(self.memos.get());
        let plan = inner.plan_signed(unknowns, &[], &applied, manner);
        self.memos.set(inner.memos.get());
        Some(plan)
    }

    /// What `E : c` says where `c` is a comprehension without end: the condition, and what stands for its names. Only where a
    /// part of `E` is known and another one is not: else nothing is gained.
    fn unfolded(&self, conjunct: ExprId, unknowns: &[Unknown]) -> Option<(Map, ExprId)> {
        let kind = |expr: ExprId| &self.model.exprs[expr].kind;
        let Kind::Op(Op::Member, sides) = kind(conjunct) else {
            return None;
        };
        let Kind::Bind {
            names, predicate, ..
        } = kind(self.closed_rule(sides[1])?)
        else {
            return None;
        };
        let mut map = Map::default();
        let (mut rest, mut known, mut open) = (sides[0], 0, 0);
        for (i, name) in names.iter().enumerate().rev() {
            let part = match (i, kind(rest)) {
                (0, _) => rest,
                (_, Kind::Op(Op::Maplet, pair)) => {
                    rest = pair[0];
                    pair[1]
                }
                _ => return None,
            };
            let mut is_open = false;
            self.model.walk(part, &mut |part| {
                is_open |= match part.kind {
                    Kind::Local(local) => unknowns.contains(&Unknown::Local(local)),
                    Kind::Var(var) => unknowns.contains(&Unknown::Slot(var.index())),
                    _ => false,
                };
            });
            *if is_open { &mut open } else { &mut known } += 1;
            map.locals.insert(*name, part);
        }
        let is_gain = known > 0 && open > 0 && self.has_no_end(names, *predicate);
        is_gain.then_some((map, *predicate))
    }

    /// Whether nothing bounds what satisfies a condition.
    fn has_no_end(&self, names: &[LocalId], predicate: ExprId) -> bool {
        // A look at the form is enough for most.
        let conjuncts = self.chain(Op::And, predicate);
        let is_in_a_list = |name: &LocalId| {
            conjuncts.iter().any(|conjunct| {
                matches!(&self.model.exprs[*conjunct].kind, Kind::Op(Op::Member, sides)
                    if matches!(self.model.exprs[sides[0]].kind, Kind::Local(local) if local == *name)
                        && !self.is_endless(sides[1]))
            })
        };
        if names.iter().all(is_in_a_list) {
            return false;
        }
        let alone = Compiler::new(self.model, self.program);
        alone.is_nested.set(true);
        let unknowns: Vec<Unknown> = names.iter().map(|name| Unknown::Local(*name)).collect();
        let manner = Manner {
            undefined: Undefined::Fault,
            chooses: false,
            relaxed: false,
            place: predicate.index() as u32,
        };
        alone.plan(&unknowns, &[predicate], manner).unbounded
    }

    /// `f = %x.(x : INTEGER | E)` for an unknown `f`.
    fn rule(&self, conjunct: ExprId, unknowns: &[Unknown]) -> Option<Rule> {
        let kind = |expr: ExprId| &self.model.exprs[expr].kind;
        let Kind::Op(Op::Equal, sides) = kind(conjunct) else {
            return None;
        };
        let [name, lambda] = sides.as_slice() else {
            return None;
        };
        let function = named(self.model, *name)?;
        let Kind::Bind {
            binder: Binder::Lambda,
            names,
            predicate,
            value: Some(value),
            ..
        } = kind(*lambda)
        else {
            return None;
        };
        let [argument] = *names.as_slice() else {
            return None;
        };
        let is_whole = matches!(kind(*predicate), Kind::Op(Op::Member, args)
            if matches!(kind(args[0]), Kind::Local(local) if *local == argument)
                && matches!(kind(args[1]), Kind::Op(Op::Integers, _)));
        let mut is_plain = true;
        let mut is_used = false;
        self.model.walk(*value, &mut |part| {
            is_used |= matches!(part.kind, Kind::Local(local) if local == argument);
            is_plain &= matches!(
                part.kind,
                Kind::Int(_)
                    | Kind::Var(_)
                    | Kind::Local(_)
                    | Kind::Op(Op::Add | Op::Minus | Op::Times | Op::Negate, _)
            );
        });
        let is_rule = is_whole && is_plain && is_used && unknowns.contains(&function);
        is_rule.then_some(Rule {
            function,
            argument,
            value: *value,
        })
    }
}

fn named(model: &Model, expr: ExprId) -> Option<Unknown> {
    match model.exprs[expr].kind {
        Kind::Local(local) => Some(Unknown::Local(local)),
        Kind::Var(var) => Some(Unknown::Slot(var.index())),
        _ => None,
    }
}

/// An expression with the rules applied, the arguments first; nothing when it gets too large.
fn apply(model: &mut Model, rules: &[Rule], id: ExprId) -> Option<ExprId> {
    let mut expr = model.exprs[id].clone();
    let (mut is_changed, mut fits) = (false, true);
    expr.kind =
        expr.kind.map_children(
            |child| match base::deep::recurse(|| apply(model, rules, child)) {
                Some(new) => {
                    is_changed |= new != child;
                    new
                }
                None => {
                    fits = false;
                    child
                }
            },
        );
    if !fits {
        return None;
    }
    if let Kind::Apply(function, argument) = expr.kind
        && let Some(found) = named(model, function)
        && let Some(rule) = rules.iter().find(|rule| rule.function == found)
    {
        let mut map = Map::default();
        map.locals.insert(rule.argument, argument);
        let new = Substitute::new(model, map).expr(rule.value);
        let mut size = 0;
        model.walk(new, &mut |_| size += 1);
        return (size <= LARGEST).then_some(new);
    }
    Some(match is_changed {
        true => model.exprs.push(expr),
        false => id,
    })
}
