//! Formulas from outside, lowered into a finished model.

use base::{Diagnostic, Diagnostics, deep};
use lang_eventb::check::{Checked, Component, TypedFormula};
use lang_math::expr::for_each_child;
use lang_math::{ExprKind, Query, Type, TypeId};
use model::codes::UNSUPPORTED;
use model::ty::{Ty, TyId};
use model::{Formula, FreeId, Local, LocalId, Model, VarId};

use super::{Levels, Lower, Ref};

/// Parses, checks and lowers a formula with names of its own, where it stands.
pub fn question(
    checked: &mut Checked,
    component: Component,
    model: &mut Model,
    query: &Query<'_, TyId>,
) -> Result<Formula, Diagnostics> {
    let mut diagnostics = Diagnostics::new();
    let Some(typed_query) = query.with_types(|ty| checker_type(checked, component, model, ty))
    else {
        let what = "a formula about values of this type cannot be run";
        diagnostics.push(Diagnostic::error(&UNSUPPORTED, query.place.span(), what));
        return Err(diagnostics);
    };
    let typed = checked.type_query(&typed_query, component, &mut diagnostics);
    let Some(typed) = typed.filter(|_| !diagnostics.has_errors()) else {
        return Err(diagnostics);
    };
    let mut lower = adopted(checked, component, model);
    let lowered = lower.outside(&typed, query.is_before_after);
    std::mem::swap(&mut lower.model, model);
    match lowered {
        Some(formula) if !lower.diagnostics.has_errors() => Ok(formula),
        _ => Err(lower.diagnostics),
    }
}

/// Somebody who lowers into a finished model, which is given back by exchanging it again.
fn adopted<'a>(checked: &'a Checked, component: Component, model: &mut Model) -> Lower<'a> {
    let levels = Levels {
        component,
        concrete_only: false,
        findings: false,
        variants: false,
        theorems: false,
    };
    let mut lower = Lower::new(checked, levels);
    std::mem::swap(&mut lower.model, model);
    lower.adopt();
    lower
}

impl Lower<'_> {
    fn outside(&mut self, typed: &TypedFormula, is_before_after: bool) -> Option<Formula> {
        let (mut names, before) = match is_before_after {
            true => self.marked(typed)?,
            false => (Vec::new(), Vec::new()),
        };
        names.extend(self.fresh_locals(&typed.names)?);
        Some(Formula {
            expr: self.expr(typed.root)?,
            is_predicate: typed.is_predicate,
            names,
            before,
        })
    }

    /// Gives the variables that are marked with `$0` locals of their own, in the order of the text.
    fn marked(&mut self, typed: &TypedFormula) -> Option<(Vec<LocalId>, Vec<VarId>)> {
        let exprs = &self.checked.project.exprs;
        let mut marked = Vec::new();
        let mut pending = vec![typed.root];
        while let Some(id) = pending.pop() {
            if let ExprKind::Before(name) = exprs.kind(id) {
                marked.push((exprs.span(id), *name, self.world.meanings[id.index()]?));
            }
            for_each_child(exprs.kind(id), |child| pending.push(child));
        }
        marked.sort_by_key(|(span, ..)| (span.file, span.start));
        let (mut names, mut before) = (Vec::new(), Vec::new());
        for (span, name, decl) in marked {
            if self.before.contains_key(&decl) {
                continue;
            }
            let Some(Ref::Var(variable)) = self.refs.get(&decl).copied() else {
                self.unsupported(span, format!("`{name}$0`, which is no variable,"));
                return None;
            };
            let ty = self.model.variables[variable].ty;
            let local = self.model.locals.push(Local { name, ty, span });
            self.before.insert(decl, local);
            names.push(local);
            before.push(variable);
        }
        Some((names, before))
    }

    /// The type of the checker that is this data type of the model: some declaration has it, since the model does.
    fn data_type(&mut self, free: FreeId) -> Option<TypeId> {
        let mut pending: Vec<TypeId> = self.world.decls.iter().map(|(_, decl)| decl.ty).collect();
        let mut seen = rustc_hash::FxHashSet::default();
        while let Some(ty) = pending.pop() {
            if !seen.insert(self.world.types.resolve(ty)) {
                continue;
            }
            match self.world.types.get(ty).clone() {
                Type::Pow(element) => pending.push(element),
                Type::Prod(left, right) => pending.extend([left, right]),
                Type::Given(_) | Type::Record(_) => {
                    let found = self.ty(ty);
                    if found.is_some_and(|found| self.model.tys[found] == Ty::Free(free)) {
                        return Some(ty);
                    }
                    if let Type::Record(fields) = self.world.types.get(ty) {
                        pending.extend(fields.iter().map(|(_, ty)| *ty));
                    }
                }
                _ => {}
            }
        }
        None
    }
}

/// The type of the checker for a type of the model.
fn checker_type(
    checked: &mut Checked,
    component: Component,
    model: &mut Model,
    ty: TyId,
) -> Option<TypeId> {
    let here = model.tys[ty].clone();
    let mut below = |ty: TyId| deep::recurse(|| checker_type(checked, component, model, ty));
    Some(match here {
        Ty::Bool => checked.world.types.bool(),
        Ty::Int => checked.world.types.int(),
        Ty::Sort(sort) => checked.world.types.given(model.tys.sorts[sort].name),
        Ty::Free(free) => {
            let mut lower = adopted(checked, component, model);
            let found = lower.data_type(free);
            std::mem::swap(&mut lower.model, model);
            found?
        }
        Ty::Pow(element) => {
            let element = below(element)?;
            checked.world.types.pow(element)
        }
        Ty::Prod(left, right) => {
            let (left, right) = (below(left)?, below(right)?);
            checked.world.types.prod(left, right)
        }
        Ty::Real | Ty::Str | Ty::Record(_) => return None,
    })
}
