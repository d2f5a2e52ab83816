//! Copies of what several levels have: a level above changes its own, and a condition says that both agree.

use base::Span;
use lang_math::Op;
use model::{ExprId, Kind, LocalId, Obligation, Simulation, Stmt, StmtId, Target, VarId};
use smallvec::smallvec;

use super::{Beside, Step};
use crate::Lower;

impl Lower<'_> {
    /// Lets locals stand for what levels below have as well.
    pub(super) fn enter_level(&mut self, level: usize) {
        let variables: Vec<VarId> = (0..level)
            .flat_map(|below| {
                self.level_variables
                    .get(below)
                    .into_iter()
                    .flatten()
                    .copied()
            })
            .collect();
        for var in variables {
            let variable = self.model.variables[var].clone();
            let local = self.local(variable.name, variable.ty, variable.span);
            self.copies.insert(var, local);
        }
    }

    /// Keeps the copies that are needed, and adds what they and the gluing invariant demand.
    pub(super) fn leave_level(
        &mut self,
        level: usize,
        (mark, first): (usize, usize),
        step: &mut Step,
        conditions: &mut Vec<(ExprId, Obligation)>,
    ) -> Option<()> {
        let mut copies: Vec<(VarId, LocalId)> = self.copies.drain().collect();
        copies.sort_unstable_by_key(|(var, _)| var.index());
        let assigned: Vec<Target> = self.targets_since(mark);
        let mut written = self.written_since(mark);
        for (var, copy) in copies {
            let is_assigned = assigned.contains(&Target::Local(copy));
            let is_changed = step.is_start || step.written.contains(&var) || is_assigned;
            let is_own = self.has_level(level, var);
            if !is_changed || (!is_own && !self.reads_since(first, copy)) {
                self.forget_copy(first, copy, var);
                continue;
            }
            step.copies.push((copy, var));
            written.push(var);
            if is_own {
                let span = self.model.variables[var].span;
                let equal = self.equal(Kind::Local(copy), Kind::Var(var), span)?;
                conditions.push((equal, Obligation::Shared));
            }
        }
        step.written.extend(written);
        for glue in self.glue.get(level - 1).into_iter().flatten() {
            let mut variables = glue.variables.iter();
            if step.is_start || variables.any(|var| step.written.contains(var)) {
                conditions.push((glue.predicate, Obligation::Gluing));
            }
        }
        Some(())
    }

    /// Lets expressions read a variable itself: nobody changes it.
    fn forget_copy(&mut self, first: usize, copy: LocalId, var: VarId) {
        for i in first..self.model.exprs.len() {
            let expr = &mut self.model.exprs[ExprId::new(i)];
            if matches!(expr.kind, Kind::Local(local) if local == copy) {
                expr.kind = Kind::Var(var);
            }
        }
    }

    pub(super) fn equal(&mut self, left: Kind, right: Kind, span: Span) -> Option<ExprId> {
        let ty = |lower: &Self, kind: &Kind| match kind {
            Kind::Var(var) => Some(lower.model.variables[*var].ty),
            Kind::Local(local) => Some(lower.model.locals[*local].ty),
            _ => None,
        };
        let (left_ty, right_ty) = (ty(self, &left), ty(self, &right));
        let left = self.push(left, left_ty, span);
        let right = self.push(right, right_ty, span);
        Some(self.push(Kind::Op(Op::Equal, smallvec![left, right]), None, span))
    }

    /// Simulations of all levels, each inside the one below it.
    pub(super) fn nested(&mut self, simulations: Vec<Beside>) -> Option<StmtId> {
        let mut then = None;
        for beside in simulations.into_iter().rev() {
            let Beside {
                body,
                conditions,
                span,
                begun,
            } = beside;
            let is_idle = matches!(self.model.stmts[body], Stmt::Skip);
            if is_idle && conditions.is_empty() {
                continue;
            }
            let place = self.push(Kind::Op(Op::Truth, smallvec![]), None, span);
            let inner = match then {
                Some(inner) => inner,
                None => self.stmt(Stmt::Skip),
            };
            let simulated = self.stmt(Stmt::Simulate(Simulation {
                body,
                conditions,
                place,
                then: inner,
            }));
            then = Some(match begun {
                Some(begun) => self.stmt(Stmt::Sequence(vec![begun, simulated])),
                None => simulated,
            });
        }
        then
    }

    /// A step with what happens beside it; the copies begin with the values before it.
    pub(super) fn with_copies(
        &mut self,
        body: StmtId,
        beside: Option<StmtId>,
        step: Step,
    ) -> StmtId {
        let Some(beside) = beside else { return body };
        let mut parts = Vec::new();
        if !step.is_start {
            parts.extend(self.begin_copies(&step.copies));
        }
        parts.push(body);
        parts.push(beside);
        let all = self.stmt(Stmt::Sequence(parts));
        let mut locals = step.scratch;
        locals.extend(step.copies.iter().map(|(copy, _)| *copy));
        match locals.is_empty() {
            true => all,
            false => self.stmt(Stmt::Var(locals, all)),
        }
    }

    pub(super) fn begin_copies(&mut self, copies: &[(LocalId, VarId)]) -> Option<StmtId> {
        let mut assigned = Vec::new();
        for (copy, var) in copies {
            let variable = self.model.variables[*var].clone();
            let value = self.push(Kind::Var(*var), Some(variable.ty), variable.span);
            assigned.push((Target::Local(*copy), value));
        }
        (!assigned.is_empty()).then(|| self.stmt(Stmt::Assign(assigned)))
    }

    /// What the statements that were lowered since then assign.
    fn targets_since(&self, mark: usize) -> Vec<Target> {
        let all = (mark..self.model.stmts.len()).map(|i| &self.model.stmts[StmtId::new(i)]);
        let assignments = all.filter_map(|stmt| match stmt {
            Stmt::Assign(pairs) => Some(pairs),
            _ => None,
        });
        assignments.flatten().map(|(target, _)| *target).collect()
    }

    pub(super) fn written_since(&self, mark: usize) -> Vec<VarId> {
        let targets = self.targets_since(mark).into_iter();
        let variables = targets.filter_map(|target| match target {
            Target::Var(var) => Some(var),
            Target::Local(_) => None,
        });
        variables.collect()
    }
}
