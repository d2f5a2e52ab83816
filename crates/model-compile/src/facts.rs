//! What can be said of an expression without evaluating it: what it reads, what it binds, whether it always
//! has a value.
//!
//! Invariant: `total` is only claimed when no operator inside can fault for any values of its operands; it
//! decides what may be reordered and which quantifiers may stop early.

use std::cell::RefCell;
use std::rc::Rc;

use lang_math::{Binder, Op};
use model::expr::Part;
use model::{ExprId, Kind, LocalId, Model, Stmt, StmtId, Target, Ty, VarId};
use num_traits::{Signed as _, Zero as _};
use rustc_hash::FxHashMap;

/// Facts about one expression.
#[derive(Clone, Debug, Default)]
pub(crate) struct Fact {
    /// Free locals, sorted.
    pub locals: Vec<LocalId>,
    /// Constants and variables read, sorted.
    pub vars: Vec<VarId>,
    /// Locals bound inside.
    pub inner: Vec<LocalId>,
    /// Whether it has a value whatever its operands are.
    pub total: bool,
    /// Whether it depends on nothing but its operands.
    pub pure: bool,
}

/// Facts about the expressions of a model, found on demand.
pub(crate) struct Facts<'m> {
    model: &'m Model,
    known: RefCell<FxHashMap<ExprId, Rc<Fact>>>,
}

impl<'m> Facts<'m> {
    pub(crate) fn new(model: &'m Model) -> Facts<'m> {
        Facts {
            model,
            known: RefCell::default(),
        }
    }

    pub(crate) fn of(&self, expr: ExprId) -> Rc<Fact> {
        if let Some(fact) = self.known.borrow().get(&expr) {
            return fact.clone();
        }
        let fact = Rc::new(base::deep::recurse(|| self.find(expr)));
        self.known.borrow_mut().insert(expr, fact.clone());
        fact
    }

    fn find(&self, expr: ExprId) -> Fact {
        let mut fact = Fact {
            total: true,
            pure: true,
            ..Fact::default()
        };
        match &self.model.exprs[expr].kind {
            Kind::Var(var) => fact.vars.push(*var),
            Kind::Local(local) => fact.locals.push(*local),
            Kind::Op(_, args) => {
                for arg in args {
                    self.add(&mut fact, *arg);
                }
            }
            Kind::Apply(function, argument) => {
                self.add(&mut fact, *function);
                self.add(&mut fact, *argument);
            }
            Kind::External(name, args) => {
                for arg in args {
                    self.add(&mut fact, *arg);
                }
                fact.pure &= crate::external::is_pure(*name);
            }
            Kind::Bind {
                names,
                predicate,
                value,
                ..
            } => {
                self.add(&mut fact, *predicate);
                if let Some(value) = value {
                    self.add(&mut fact, *value);
                }
                fact.locals.retain(|local| !names.contains(local));
                merge(&mut fact.inner, names);
            }
            Kind::Record(fields) | Kind::Struct(fields) => {
                for (_, field) in fields {
                    self.add(&mut fact, *field);
                }
            }
            Kind::Field(record, _) => self.add(&mut fact, *record),
            Kind::If(condition, yes, no) => {
                for part in [condition, yes, no] {
                    self.add(&mut fact, *part);
                }
            }
            Kind::Let(local, value, body) => {
                self.add(&mut fact, *body);
                fact.locals.retain(|free| free != local);
                merge(&mut fact.inner, &[*local]);
                self.add(&mut fact, *value);
            }
            Kind::Template(parts) => {
                for part in parts {
                    if let Part::Value(value) = part {
                        self.add(&mut fact, *value);
                    }
                }
            }
            Kind::Int(_)
            | Kind::Real(_)
            | Kind::Str(_)
            | Kind::Element(..)
            | Kind::Carrier(_)
            | Kind::FreeSet(_)
            | Kind::Constructor(..) => {}
        }
        fact.total &= self.is_total_node(&self.model.exprs[expr].kind);
        fact
    }

    /// Whether an operator has a value whenever its operands have.
    pub(crate) fn is_total_node(&self, kind: &Kind) -> bool {
        match kind {
            Kind::Op(op, args) => self.total_op(*op, args),
            Kind::Apply(function, _) => matches!(
                self.model.exprs[*function].kind,
                Kind::Op(Op::Successor | Op::Predecessor, _) | Kind::Constructor(..)
            ),
            Kind::External(..) => false,
            Kind::Bind { binder, .. } => *binder != Binder::Inter,
            _ => true,
        }
    }

    fn add(&self, fact: &mut Fact, part: ExprId) {
        let part = self.of(part);
        merge(&mut fact.locals, &part.locals);
        merge(&mut fact.vars, &part.vars);
        merge(&mut fact.inner, &part.inner);
        fact.total &= part.total;
        fact.pure &= part.pure;
    }

    fn total_op(&self, op: Op, args: &[ExprId]) -> bool {
        use Op::*;
        let literal = |i: usize| match args.get(i).map(|arg| &self.model.exprs[*arg].kind) {
            Some(Kind::Int(value)) => Some(value),
            _ => None,
        };
        match op {
            Divide => literal(1).is_some_and(|value| !value.is_zero()),
            Power => literal(1).is_some_and(|value| !value.is_negative()),
            Modulo | Max | Min | GeneralIntersection | Iterate | First | Last | Front | Tail
            | TakeFirst | DropFirst => false,
            Size | Reverse | Flatten | Concat | InsertFront | InsertTail => {
                args.iter().all(|arg| self.is_sequence(*arg))
            }
            Card => args.iter().all(|arg| !self.endless_constant(*arg)),
            Trees | BinaryTrees => true,
            TreeNode | TreeTop | TreeSons | TreePrefix | TreePostfix | TreeSize | TreeMirror
            | TreeRank | TreeFather | TreeSon | Subtree | TreeArity | BinaryLeaf | BinaryNode
            | BinaryLeft | BinaryRight | TreeInfix => false,
            _ => true,
        }
    }

    /// Whether the expression is a string, no sequence at all (an inserted element), or one by its form.
    fn is_sequence(&self, expr: ExprId) -> bool {
        let node = &self.model.exprs[expr];
        if let Some(ty) = node.ty {
            let relation = match &self.model.tys[ty] {
                Ty::Pow(element) => matches!(&self.model.tys[*element], Ty::Prod(left, _)
                    if matches!(self.model.tys[*left], Ty::Int)),
                _ => false,
            };
            if !relation {
                return true;
            }
        }
        matches!(
            &node.kind,
            Kind::Op(
                Op::SequenceExtension
                    | Op::EmptySequence
                    | Op::InsertFront
                    | Op::InsertTail
                    | Op::Concat
                    | Op::Reverse
                    | Op::Front
                    | Op::Tail
                    | Op::TakeFirst
                    | Op::DropFirst,
                _
            )
        )
    }

    fn endless_constant(&self, expr: ExprId) -> bool {
        matches!(
            &self.model.exprs[expr].kind,
            Kind::Op(
                Op::Integers | Op::Naturals | Op::Naturals1 | Op::Strings | Op::Reals,
                _
            )
        )
    }

    /// What a statement reads and writes.
    pub(crate) fn statement(&self, stmt: StmtId) -> Effects {
        let mut effects = Effects {
            pure: true,
            deterministic: true,
            ..Effects::default()
        };
        self.effects(stmt, &mut effects);
        effects
    }

    fn reads(&self, expr: ExprId, effects: &mut Effects) {
        let fact = self.of(expr);
        merge(&mut effects.reads, &fact.vars);
        effects.pure &= fact.pure;
    }

    fn effects(&self, stmt: StmtId, effects: &mut Effects) {
        base::deep::recurse(|| self.effects_of(stmt, effects));
    }

    fn effects_of(&self, stmt: StmtId, effects: &mut Effects) {
        match &self.model.stmts[stmt] {
            Stmt::Skip => {}
            Stmt::Assign(pairs) => {
                for (target, value) in pairs {
                    self.reads(*value, effects);
                    if let Target::Var(var) = target {
                        merge(&mut effects.may_write, &[*var]);
                        merge(&mut effects.must_write, &[*var]);
                    }
                }
            }
            Stmt::Any {
                predicate, body, ..
            } => {
                effects.deterministic = false;
                self.reads(*predicate, effects);
                self.effects(*body, effects);
            }
            Stmt::Let(_, value, body) => {
                self.reads(*value, effects);
                self.effects(*body, effects);
            }
            Stmt::Var(_, body) => self.effects(*body, effects),
            Stmt::Select(branches, otherwise) => {
                let mut parts: Vec<StmtId> = Vec::new();
                for (guard, body) in branches {
                    self.reads(*guard, effects);
                    parts.push(*body);
                }
                parts.extend(otherwise);
                effects.deterministic &= branches.len() < 2;
                self.branches(&parts, effects);
            }
            Stmt::If(branches, otherwise) => {
                let mut parts: Vec<StmtId> = Vec::new();
                for (guard, body) in branches {
                    self.reads(*guard, effects);
                    parts.push(*body);
                }
                parts.push(*otherwise);
                self.branches(&parts, effects);
            }
            Stmt::Choice(parts) => {
                effects.deterministic = false;
                self.branches(parts, effects);
            }
            // What a later part reads after an earlier one wrote it counts as read: an over-approximation.
            Stmt::Sequence(parts) | Stmt::Parallel(parts) => {
                for part in parts {
                    self.effects(*part, effects);
                }
            }
            Stmt::Assert(condition, _, body) => {
                self.reads(*condition, effects);
                self.effects(*body, effects);
            }
            Stmt::Simulate(step) => {
                self.effects(step.body, effects);
                for (condition, _) in &step.conditions {
                    self.reads(*condition, effects);
                }
                self.effects(step.then, effects);
            }
            Stmt::While {
                condition,
                body,
                invariant,
                variant,
                ..
            } => {
                for part in [condition, invariant, variant] {
                    self.reads(*part, effects);
                }
                let must = effects.must_write.clone();
                self.effects(*body, effects);
                effects.must_write = must;
            }
            Stmt::External(_, args) => {
                for arg in args {
                    self.reads(*arg, effects);
                }
            }
        }
    }

    fn branches(&self, parts: &[StmtId], effects: &mut Effects) {
        let before = effects.must_write.clone();
        let mut common: Option<Vec<VarId>> = None;
        for part in parts {
            effects.must_write.clear();
            self.effects(*part, effects);
            let written = std::mem::take(&mut effects.must_write);
            common = Some(match common {
                None => written,
                Some(common) => common
                    .into_iter()
                    .filter(|var| written.contains(var))
                    .collect(),
            });
        }
        effects.must_write = before;
        merge(&mut effects.must_write, &common.unwrap_or_default());
    }
}

/// What a statement reads and writes.
#[derive(Clone, Debug, Default)]
pub(crate) struct Effects {
    pub reads: Vec<VarId>,
    pub may_write: Vec<VarId>,
    pub must_write: Vec<VarId>,
    pub pure: bool,
    pub deterministic: bool,
}

/// Adds sorted `more` to sorted `list`.
pub(crate) fn merge<T: Copy + Ord>(list: &mut Vec<T>, more: &[T]) {
    for item in more {
        if let Err(place) = list.binary_search(item) {
            list.insert(place, *item);
        }
    }
}
