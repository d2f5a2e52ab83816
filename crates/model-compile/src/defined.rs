//! Constants that name a set of functions or subsets (`MSG = 1..8 --> BIT`): where an unknown ranges over such a
//! constant, the planner sees the set by its definition, and need not list it.
//!
//! Invariant: what is read in place of the constant counts as mentioned wherever the constant is (`reads`), so no
//! plan evaluates the definition before its constants have values.

use lang_math::{Binder, Op};
use model::{ExprId, Kind, Model, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

use crate::code::Compiler;
use crate::facts::Facts;

/// The definitions of constants.
#[derive(Default)]
pub(crate) struct Definitions {
    known: FxHashMap<VarId, (ExprId, Vec<VarId>)>,
    /// Comprehensions that read no constants.
    closed: FxHashMap<VarId, ExprId>,
    /// Constants that are equal to something they are used in: recursive functions.
    recursive: FxHashSet<VarId>,
}

impl Definitions {
    /// Finds them among the properties.
    pub(crate) fn new(model: &Model, facts: &Facts<'_>) -> Definitions {
        let mut found = Definitions::default();
        let mut todo: Vec<ExprId> = model.properties.iter().rev().map(|p| p.predicate).collect();
        while let Some(expr) = todo.pop() {
            let Kind::Op(op, args) = &model.exprs[expr].kind else {
                continue;
            };
            match (op, args.as_slice()) {
                (Op::And, args) => todo.extend(args.iter().rev()),
                (Op::Equal, [a, b]) => {
                    for (name, set) in [(*a, *b), (*b, *a)] {
                        found.add(model, facts, name, set);
                    }
                }
                _ => {}
            }
        }
        found
    }

    fn add(&mut self, model: &Model, facts: &Facts<'_>, name: ExprId, set: ExprId) {
        let Kind::Var(var) = model.exprs[name].kind else {
            return;
        };
        if facts.of(set).vars.contains(&var) {
            self.recursive.insert(var);
        }
        let fact = facts.of(set);
        if matches!(
            model.exprs[set].kind,
            Kind::Bind {
                binder: Binder::Comprehension,
                ..
            }
        ) && fact.vars.is_empty()
            && fact.pure
        {
            self.closed.entry(var).or_insert(set);
        }
        let Kind::Op(op, args) = &model.exprs[set].kind else {
            return;
        };
        if !op.is_arrow() || self.known.contains_key(&var) {
            return;
        }
        let is_plain = args.iter().all(|arg| {
            let fact = facts.of(*arg);
            fact.total && fact.pure
        });
        let reads = facts.of(set).vars.clone();
        let are_constants = reads.iter().all(|read| model.variables[*read].is_constant);
        if is_plain && are_constants && !reads.contains(&var) {
            self.known.insert(var, (set, reads));
        }
    }

    /// The constants that the definition of a constant reads.
    pub(crate) fn reads(&self, var: VarId) -> &[VarId] {
        self.known.get(&var).map_or(&[], |(_, reads)| reads)
    }
}

impl Compiler<'_> {
    /// Whether a set is a recursive function: a rule that may be undefined where nobody applies it.
    pub(crate) fn is_recursive(&self, set: ExprId) -> bool {
        matches!(self.model.exprs[set].kind, Kind::Var(var) if self.spaces.recursive.contains(&var))
    }

    /// The comprehension that a constant is defined as, where it reads no other constants.
    pub(crate) fn closed_rule(&self, set: ExprId) -> Option<ExprId> {
        match &self.model.exprs[set].kind {
            Kind::Var(var) => self.spaces.closed.get(var).copied(),
            _ => None,
        }
    }

    /// The set that a constant is defined as; any other expression itself.
    pub(crate) fn defined_as(&self, set: ExprId) -> ExprId {
        match &self.model.exprs[set].kind {
            Kind::Var(var) => self.spaces.known.get(var).map_or(set, |(set, _)| *set),
            _ => set,
        }
    }
}
