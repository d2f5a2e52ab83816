//! What can be said of an action without running it, for partial order reduction: what decides whether it happens,
//! whether it can fault, and which invariants its types make true anyway.
//!
//! Types and PROPERTIES count, the invariant does not: models whose invariant is violated are checked too.
//! Invariant: every answer errs on the side of "it may".

use lang_math::Op;
use model::{ExprId, Kind, LocalId, Model, Stmt, StmtId, Ty, VarId, Why};
use rustc_hash::FxHashSet;

use crate::Wd;
use crate::code::Compiler;
use crate::facts::{Facts, merge};

/// Answers about one model.
pub(crate) struct Certain<'f, 'm> {
    model: &'m Model,
    facts: &'f Facts<'m>,
    wd: Wd,
    /// Locals that have no value until they are assigned.
    assigned: &'f FxHashSet<LocalId>,
    /// Constants that are total functions on their whole type, by PROPERTIES.
    total: FxHashSet<VarId>,
}

impl<'f, 'm> Certain<'f, 'm> {
    pub(crate) fn new(compiler: &'f Compiler<'m>, wd: Wd) -> Certain<'f, 'm> {
        let model = compiler.model;
        let mut certain = Certain {
            model,
            facts: &compiler.facts,
            assigned: &compiler.assigned,
            wd,
            total: FxHashSet::default(),
        };
        let mut todo: Vec<ExprId> = model.properties.iter().map(|p| p.predicate).collect();
        while let Some(next) = todo.pop() {
            match &model.exprs[next].kind {
                Kind::Op(Op::And, args) => todo.extend(args.iter()),
                Kind::Op(Op::Member, args) => {
                    certain.total.extend(certain.total_function(args));
                }
                _ => {}
            }
        }
        certain
    }

    /// `f : S --> T` where S is a whole type.
    fn total_function(&self, args: &[ExprId]) -> Option<VarId> {
        let Kind::Var(var) = self.model.exprs[args[0]].kind else {
            return None;
        };
        let Kind::Op(arrow, sides) = &self.model.exprs[args[1]].kind else {
            return None;
        };
        let is_total = matches!(
            arrow,
            Op::TotalFunctions | Op::TotalInjections | Op::TotalSurjections | Op::TotalBijections
        );
        let is_constant = self.model.variables[var].is_constant;
        (is_total && is_constant && self.is_whole(sides[0])).then_some(var)
    }

    /// Whether a set holds every value of its element type.
    fn is_whole(&self, set: ExprId) -> bool {
        match &self.model.exprs[set].kind {
            Kind::Carrier(_) | Kind::FreeSet(_) => true,
            Kind::Op(op, args) => match op {
                Op::Booleans | Op::Integers | Op::Strings | Op::Reals => true,
                Op::PowerSet | Op::Relations | Op::Cartesian => {
                    args.iter().all(|arg| self.is_whole(*arg))
                }
                // Every set of a finite type is finite.
                Op::FiniteSubsets => self.is_whole(args[0]) && self.is_finite(args[0]),
                _ => false,
            },
            _ => false,
        }
    }

    fn is_finite(&self, set: ExprId) -> bool {
        let tys = &self.model.tys;
        let Some(Ty::Pow(element)) = self.model.exprs[set].ty.map(|ty| &tys[ty]) else {
            return false;
        };
        matches!(tys[*element], Ty::Bool | Ty::Sort(_))
    }

    /// Whether a predicate says no more than the types of what it is about.
    pub(crate) fn is_about_types(&self, predicate: ExprId) -> bool {
        match &self.model.exprs[predicate].kind {
            Kind::Op(Op::Member | Op::Subset, args) => {
                self.is_defined(args[0]) && self.is_whole(args[1])
            }
            Kind::Op(Op::And, args) => args.iter().all(|arg| self.is_about_types(*arg)),
            Kind::Op(Op::Truth, _) => true,
            _ => false,
        }
    }

    /// Whether an expression has a value in every state.
    pub(crate) fn is_defined(&self, expr: ExprId) -> bool {
        let fact = self.facts.of(expr);
        if fact
            .locals
            .iter()
            .any(|local| self.assigned.contains(local))
        {
            return false;
        }
        if fact.total {
            return true;
        }
        let mut is_defined = true;
        self.model.walk(expr, &mut |part| {
            is_defined &= self.facts.is_total_node(&part.kind)
                || matches!(&part.kind, Kind::Apply(function, _)
                    if matches!(&self.model.exprs[*function].kind,
                        Kind::Var(var) if self.total.contains(var)));
        });
        is_defined
    }

    /// Whether a guard or a choice can fault.
    pub(crate) fn guard_may_fault(&self, predicate: ExprId) -> bool {
        self.wd == Wd::Strict && !self.is_defined(predicate)
    }

    /// Whether a value can be a fault that is a finding.
    fn value_may_fault(&self, value: ExprId) -> bool {
        self.wd != Wd::Lenient && !self.is_defined(value)
    }

    /// Whether a statement can have a fault that is a finding.
    pub(crate) fn may_fault(&self, stmt: StmtId) -> bool {
        base::deep::recurse(|| self.may_fault_of(stmt))
    }

    fn may_fault_of(&self, stmt: StmtId) -> bool {
        match &self.model.stmts[stmt] {
            Stmt::Skip => false,
            Stmt::Assign(pairs) => pairs.iter().any(|(_, value)| self.value_may_fault(*value)),
            Stmt::Any {
                predicate, body, ..
            } => self.guard_may_fault(*predicate) || self.may_fault(*body),
            Stmt::Let(_, value, body) => self.value_may_fault(*value) || self.may_fault(*body),
            Stmt::Select(branches, otherwise) => {
                let mut parts = branches.iter();
                parts.any(|(guard, body)| self.guard_may_fault(*guard) || self.may_fault(*body))
                    || otherwise.is_some_and(|body| self.may_fault(body))
            }
            Stmt::If(branches, otherwise) => {
                let mut parts = branches.iter();
                parts.any(|(condition, body)| {
                    self.value_may_fault(*condition) || self.may_fault(*body)
                }) || self.may_fault(*otherwise)
            }
            Stmt::Choice(parts) | Stmt::Sequence(parts) | Stmt::Parallel(parts) => {
                parts.iter().any(|part| self.may_fault(*part))
            }
            // A step that is none of the refined machine is told whatever the user asked for.
            Stmt::Assert(_, Why::Refinement(_), _) | Stmt::Simulate(_) => true,
            Stmt::Var(_, body) | Stmt::While { body, .. } | Stmt::Assert(_, _, body) => {
                self.wd != Wd::Lenient || self.may_fault(*body)
            }
            Stmt::External(..) => self.wd != Wd::Lenient,
        }
    }

    /// The constants and variables that decide whether a statement has an outcome or a fault.
    pub(crate) fn deciding(&self, stmt: StmtId) -> Vec<VarId> {
        let mut vars = Vec::new();
        if !base::deep::recurse(|| self.decide(stmt, &mut vars)) {
            vars = self.facts.statement(stmt).reads;
        }
        vars
    }

    /// Adds what decides; `false` when that is not known.
    fn decide(&self, stmt: StmtId, vars: &mut Vec<VarId>) -> bool {
        let mut guard = |expr: ExprId| merge(vars, &self.facts.of(expr).vars);
        // Without faults an undefined part is no outcome.
        let is_plain = |expr: ExprId| self.wd != Wd::Lenient || self.is_defined(expr);
        match &self.model.stmts[stmt] {
            Stmt::Skip => true,
            Stmt::Assign(pairs) => pairs.iter().all(|(_, value)| is_plain(*value)),
            Stmt::Any {
                predicate, body, ..
            } => {
                guard(*predicate);
                self.decide(*body, vars)
            }
            Stmt::Let(_, value, body) => {
                guard(*value);
                is_plain(*value) && self.decide(*body, vars)
            }
            Stmt::Select(branches, otherwise) => {
                branches.iter().for_each(|(condition, _)| guard(*condition));
                branches.iter().all(|(_, body)| self.decide(*body, vars))
                    && otherwise.is_none_or(|body| self.decide(body, vars))
            }
            Stmt::If(branches, otherwise) => {
                let mut inner = Vec::new();
                let is_known = branches.iter().all(|(condition, body)| {
                    is_plain(*condition) && self.decide(*body, &mut inner)
                }) && self.decide(*otherwise, &mut inner);
                if !inner.is_empty() {
                    branches.iter().for_each(|(condition, _)| guard(*condition));
                    merge(vars, &inner);
                }
                is_known
            }
            Stmt::Choice(parts) | Stmt::Parallel(parts) => {
                parts.iter().all(|part| self.decide(*part, vars))
            }
            Stmt::Sequence(parts) => {
                // A later part may read what an earlier one wrote, so all of it must be unconditional.
                let mut inner = Vec::new();
                parts.iter().all(|part| self.decide(*part, &mut inner)) && inner.is_empty()
            }
            Stmt::Assert(condition, _, body) => {
                self.wd != Wd::Lenient && {
                    let is_known = self.decide(*body, vars);
                    if !vars.is_empty() {
                        merge(vars, &self.facts.of(*condition).vars);
                    }
                    is_known
                }
            }
            Stmt::Var(..) | Stmt::Simulate(_) | Stmt::While { .. } | Stmt::External(..) => false,
        }
    }
}
