//! Formulas from outside, lowered into a finished model.
//!
//! A formula sees the state's variables, the constants and definitions of the specification, and the elements of given
//! sets by the names that reports give them. About a step it is written as an operation is: `x` before, `x'` after.

use base::{Diagnostic, Diagnostics, Name, Span};
use lang_math::{Query, TypeId};
use lang_z::{Checked, codes};
use model::{Formula, Kind, LocalId, Model, SortOrigin, Ty, TyId, Tys, VarId};

use super::{Env, Lower, Machine};

/// The variables and elements that a formula may name, with their types.
pub fn scope(checked: &mut Checked, machine: &Machine, model: &Model) -> Vec<(Name, TypeId)> {
    let mut scope = Vec::new();
    for (_, sort) in model.tys.sorts.iter() {
        if sort.origin == SortOrigin::Deferred {
            let given = checked.types.given(sort.name);
            let unknown = sort
                .elements
                .iter()
                .filter(|name| checked.global(**name).is_none());
            scope.extend(unknown.map(|name| (*name, given)));
        }
    }
    scope.extend(machine.scope(checked));
    scope
}

/// Reads, checks and lowers a formula with names of its own, where it stands.
pub fn question(
    checked: &mut Checked,
    machine: &Machine,
    model: &mut Model,
    query: &Query<'_, TyId>,
) -> Result<Formula, Diagnostics> {
    let mut diagnostics = Diagnostics::new();
    let mut scope = scope(checked, machine, model);
    if query.is_before_after {
        let primed: Vec<(Name, TypeId)> = machine
            .scope(checked)
            .into_iter()
            .map(|(name, ty)| (Name::new(&format!("{name}'")), ty))
            .collect();
        scope.extend(primed);
    }
    let Some(typed_query) = query.with_types(|ty| checker_type(checked, &model.tys, ty)) else {
        let message = "a formula about values of this type cannot be run";
        diagnostics.push(Diagnostic::error(
            &codes::UNSUPPORTED,
            query.place.span(),
            message,
        ));
        return Err(diagnostics);
    };
    let typed = lang_z::type_query(checked, &typed_query, &scope, &mut diagnostics);
    let Some(typed) = typed else {
        return Err(diagnostics);
    };
    let mut lower = Lower::new(checked);
    std::mem::swap(&mut lower.model, model);
    lower.adopt();
    let formula = lower.outside(&typed, query);
    std::mem::swap(&mut lower.model, model);
    match formula {
        Some(formula) if !lower.diagnostics.has_errors() => Ok(formula),
        _ => Err(lower.diagnostics),
    }
}

impl Lower<'_> {
    fn outside(&mut self, typed: &lang_z::Typed, query: &Query<'_, TyId>) -> Option<Formula> {
        let span = query.place.span();
        let (mut names, before) = match query.is_before_after {
            true => self.before_and_after(span),
            false => (Vec::new(), Vec::new()),
        };
        let mut env = Env::default();
        for (name, ty) in &typed.names {
            let ty = self.ty(*ty)?;
            let local = self.local(*name, ty, span);
            let value = self.local_expr(local);
            env.insert(*name, value);
            names.push(local);
        }
        self.scopes.push(env);
        let expr = match typed.is_predicate {
            true => self.predicate(typed.root),
            false => self.expr(typed.root),
        };
        Some(Formula {
            expr: expr?,
            is_predicate: typed.is_predicate,
            names,
            before,
        })
    }

    /// Plain names stand for values before the step, primed ones for the state after it.
    fn before_and_after(&mut self, span: Span) -> (Vec<LocalId>, Vec<VarId>) {
        let variables: Vec<(VarId, Name, TyId)> = self
            .model
            .variables
            .iter()
            .filter(|(_, variable)| !variable.is_constant)
            .map(|(id, variable)| (id, variable.name, variable.ty))
            .collect();
        let mut env = Env::default();
        let (mut names, mut before) = (Vec::new(), Vec::new());
        for (id, name, ty) in variables {
            let after = self.push(Kind::Var(id), Some(ty), span);
            env.insert(Name::new(&format!("{name}'")), after);
            let local = self.local(name, ty, span);
            let value = self.local_expr(local);
            env.insert(name, value);
            names.push(local);
            before.push(id);
        }
        self.scopes.push(env);
        (names, before)
    }
}

/// The type of the checker for a type of the model.
fn checker_type(checked: &mut Checked, tys: &Tys, ty: TyId) -> Option<TypeId> {
    let mut below = |ty: TyId| base::deep::recurse(|| checker_type(checked, tys, ty));
    Some(match &tys[ty] {
        Ty::Int => checked.types.int(),
        Ty::Sort(sort) => checked.types.given(tys.sorts[*sort].name),
        Ty::Free(free) => checked.types.given(tys.free[*free].name),
        Ty::Pow(element) => {
            let element = below(*element)?;
            checked.types.pow(element)
        }
        Ty::Prod(left, right) => {
            let (left, right) = (below(*left)?, below(*right)?);
            checked.types.prod(left, right)
        }
        Ty::Record(fields) => {
            let mut all = Vec::with_capacity(fields.len());
            for (name, ty) in fields {
                all.push((*name, below(*ty)?));
            }
            checked.types.record(all)
        }
        Ty::Bool | Ty::Real | Ty::Str => return None,
    })
}
