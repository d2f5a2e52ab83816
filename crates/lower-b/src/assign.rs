//! Assignments: what a change of a point or a field does to the variable behind it.

use base::{Name, Span, deep};
use lang_b::check::DeclId;
use lang_math::{ExprKind, Op};
use model::ty::Ty;
use model::{ExprId, Kind, LocalId, Stmt, Target};
use smallvec::smallvec;

use super::expr::Typed;
use super::{Lower, Ref};

impl Lower<'_> {
    /// What a name means at the moment, as an expression.
    pub(super) fn current(&self, decl: DeclId) -> Option<Kind> {
        if let Some(kind) = self.now.get(&decl) {
            return Some(kind.clone());
        }
        if let Some(local) = self.locals.get(&decl) {
            return Some(Kind::Local(*local));
        }
        match self.reference(decl)? {
            Ref::Var(var) => Some(Kind::Var(var)),
            Ref::Copy(local) => Some(Kind::Local(local)),
            _ => None,
        }
    }

    /// Locals for the new values of targets, and the assignments that store them.
    pub(super) fn new_values(
        &mut self,
        view: &Typed<'_>,
        targets: &[lang_math::ExprId],
    ) -> Option<(Vec<LocalId>, Assignments)> {
        let mut locals = Vec::new();
        let mut assigned = Vec::new();
        for target in targets {
            let span = view.exprs.span(*target);
            let ty = self.ty(view.types[target.index()]?)?;
            let name = match view.exprs.kind(*target) {
                ExprKind::Name(name) => *name,
                _ => Name::new("new"),
            };
            let local = self.local(name, ty, span);
            let value = self.push(Kind::Local(local), Some(ty), span);
            assigned.push(self.update(view, *target, value)?);
            locals.push(local);
        }
        Some((locals, assigned))
    }

    /// What assigning `value` to `target` does to the variable behind it: `f(a) := E` changes f to
    /// `f <+ {a |-> E}`, `r'a := E` changes one field of r.
    pub(super) fn update(
        &mut self,
        view: &Typed<'_>,
        target: lang_math::ExprId,
        value: ExprId,
    ) -> Option<(Target, ExprId)> {
        let span = view.exprs.span(target);
        match view.exprs.kind(target) {
            ExprKind::Name(name) => {
                let decl = view.meanings[target.index()]?;
                let target = match self.locals.get(&decl) {
                    Some(local) => Target::Local(*local),
                    None => match self.reference(decl) {
                        Some(Ref::Var(var)) => Target::Var(var),
                        Some(Ref::Copy(local)) => Target::Local(local),
                        _ => {
                            self.unsupported(span, format!("an assignment to `{name}`"));
                            return None;
                        }
                    },
                };
                Some((target, value))
            }
            ExprKind::Apply(function, args) => {
                let old = self.expr(view, *function)?;
                let ty = self.model.exprs[old].ty?;
                let args = args
                    .iter()
                    .map(|arg| self.expr(view, *arg))
                    .collect::<Option<Vec<_>>>()?;
                let argument = self.tuple(args, span)?;
                let Ty::Pow(pair) = self.model.tys[ty] else {
                    return None;
                };
                let pair = self.push(
                    Kind::Op(Op::Maplet, smallvec![argument, value]),
                    Some(pair),
                    span,
                );
                let one = self.push(Kind::Op(Op::SetExtension, smallvec![pair]), Some(ty), span);
                let new = self.push(Kind::Op(Op::Overwrite, smallvec![old, one]), Some(ty), span);
                deep::recurse(|| self.update(view, *function, new))
            }
            ExprKind::Field(record, name) => {
                let old = self.expr(view, *record)?;
                let ty = self.model.exprs[old].ty?;
                let Ty::Record(fields) = self.model.tys[ty].clone() else {
                    return None;
                };
                let mut changed = Vec::new();
                for (field, field_ty) in fields {
                    let part = if field == *name {
                        value
                    } else {
                        self.push(Kind::Field(old, field), Some(field_ty), span)
                    };
                    changed.push((field, part));
                }
                let new = self.push(Kind::Record(changed), Some(ty), span);
                deep::recurse(|| self.update(view, *record, new))
            }
            _ => {
                self.unsupported(span, "an assignment to this");
                None
            }
        }
    }

    pub(super) fn becomes_element(
        &mut self,
        view: &Typed<'_>,
        targets: &[lang_math::ExprId],
        set: lang_math::ExprId,
        span: Span,
    ) -> Option<Stmt> {
        let (locals, assigned) = self.new_values(view, targets)?;
        let mut values = Vec::new();
        for local in &locals {
            let ty = self.model.locals[*local].ty;
            values.push(self.push(Kind::Local(*local), Some(ty), span));
        }
        let value = self.tuple(values, span)?;
        let set = self.expr(view, set)?;
        let predicate = self.push(Kind::Op(Op::Member, smallvec![value, set]), None, span);
        let body = self.stmt(Stmt::Assign(assigned));
        Some(Stmt::Any {
            names: locals,
            predicate,
            body,
        })
    }

    pub(super) fn becomes_such(
        &mut self,
        view: &Typed<'_>,
        targets: &[lang_math::ExprId],
        predicate: lang_math::ExprId,
        span: Span,
    ) -> Option<Stmt> {
        let (locals, assigned) = self.new_values(view, targets)?;
        let mut shadowed = Vec::new();
        for (target, local) in targets.iter().zip(&locals) {
            let ExprKind::Name(_) = view.exprs.kind(*target) else {
                self.unsupported(span, "`f(x) : (P)`");
                return None;
            };
            let decl = view.meanings[target.index()]?;
            if let Some(old) = self.current(decl) {
                self.before.insert(decl, old);
            }
            shadowed.push((decl, self.now.insert(decl, Kind::Local(*local))));
        }
        let predicate = self.expr(view, predicate);
        for (decl, old) in shadowed {
            self.before.remove(&decl);
            self.restore(decl, old);
        }
        let body = self.stmt(Stmt::Assign(assigned));
        Some(Stmt::Any {
            names: locals,
            predicate: predicate?,
            body,
        })
    }
}

/// Targets with their new values.
type Assignments = Vec<(Target, ExprId)>;
