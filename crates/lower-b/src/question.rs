//! Formulas from outside, lowered into a finished model.

use base::{Diagnostics, Sources};
use lang_b::check::{Checked, DeclId, TypedFormula, World};
use lang_math::expr::for_each_child;
use lang_math::{ExprKind, Place, Query, TypeId};
use model::ty::{Ty, TyId, Tys};
use model::{Formula, Kind, LocalId, Model, VarId};

use super::expr::Typed;
use super::{Lower, Ref};

/// Parses, checks and lowers a formula in the context of a lowered machine, adding it to `model`.
pub fn formula(
    checked: &mut Checked,
    model: &mut Model,
    text: &str,
    sources: &mut Sources,
) -> Result<Formula, Diagnostics> {
    let file = sources.add("<expression>", text.to_owned());
    question(checked, model, &Query::plain(Place::whole(file, text)))
}

/// Parses, checks and lowers a formula with names of its own, where it stands.
pub fn question(
    checked: &mut Checked,
    model: &mut Model,
    query: &Query<'_, TyId>,
) -> Result<Formula, Diagnostics> {
    let typed_query = query.with_types(|ty| Some(checker_type(&mut checked.world, &model.tys, ty)));
    let Some(typed_query) = typed_query else {
        unreachable!("every type of the model has a counterpart");
    };
    let (typed, diagnostics) = checked.type_query(&typed_query);
    let Ok(typed) = typed else {
        return Err(diagnostics);
    };
    let Some(main) = checked.project.main.filter(|_| !diagnostics.has_errors()) else {
        return Err(diagnostics);
    };
    let mut lower = Lower::new(checked, main);
    std::mem::swap(&mut lower.model, model);
    lower.adopt(main);
    let lowered = lower.outside(&typed, query.is_before_after);
    std::mem::swap(&mut lower.model, model);
    match lowered {
        Some(formula) if !lower.diagnostics.has_errors() => Ok(formula),
        _ => Err(lower.diagnostics),
    }
}

impl Lower<'_> {
    fn outside(&mut self, typed: &TypedFormula, is_before_after: bool) -> Option<Formula> {
        let view = Typed {
            exprs: &typed.tree.exprs,
            types: &typed.types,
            meanings: &typed.meanings,
            binders: &typed.binders,
        };
        let (mut names, before) = match is_before_after {
            true => self.marked(&view, typed)?,
            false => (Vec::new(), Vec::new()),
        };
        names.extend(self.fresh_locals(&typed.names)?);
        Some(Formula {
            expr: self.expr(&view, typed.root)?,
            is_predicate: typed.is_predicate,
            names,
            before,
        })
    }

    /// Gives the variables that are marked with `$0` locals of their own, in the order of the text.
    fn marked(
        &mut self,
        view: &Typed<'_>,
        typed: &TypedFormula,
    ) -> Option<(Vec<LocalId>, Vec<VarId>)> {
        let mut marked = Vec::new();
        let mut pending = vec![typed.root];
        while let Some(id) = pending.pop() {
            if let ExprKind::Before(name) = view.exprs.kind(id) {
                marked.push((view.exprs.span(id), *name, view.meanings[id.index()]?));
            }
            for_each_child(view.exprs.kind(id), |child| pending.push(child));
        }
        marked.sort_by_key(|(span, ..)| (span.file, span.start));
        let (mut names, mut before) = (Vec::new(), Vec::new());
        let mut known: Vec<DeclId> = Vec::new();
        for (span, name, decl) in marked {
            if known.contains(&decl) {
                continue;
            }
            let Some(Ref::Var(variable)) = self.reference(decl) else {
                self.unsupported(span, format!("`{name}$0`, which is no variable,"));
                return None;
            };
            let ty = self.model.variables[variable].ty;
            let local = self.local(name, ty, span);
            self.before.insert(decl, Kind::Local(local));
            known.push(decl);
            names.push(local);
            before.push(variable);
        }
        Some((names, before))
    }
}

/// The type of the checker for a type of the model.
fn checker_type(world: &mut World, tys: &Tys, ty: TyId) -> TypeId {
    match &tys[ty] {
        Ty::Bool => world.types.bool(),
        Ty::Int => world.types.int(),
        Ty::Real => world.types.real(),
        Ty::Str => world.types.string(),
        Ty::Sort(sort) => world.types.given(tys.sorts[*sort].name),
        Ty::Free(free) => world.types.given(tys.free[*free].name),
        Ty::Pow(element) => {
            let element = base::deep::recurse(|| checker_type(world, tys, *element));
            world.types.pow(element)
        }
        Ty::Prod(left, right) => {
            let left = base::deep::recurse(|| checker_type(world, tys, *left));
            let right = base::deep::recurse(|| checker_type(world, tys, *right));
            world.types.prod(left, right)
        }
        Ty::Record(fields) => {
            let mut all = Vec::with_capacity(fields.len());
            for (name, ty) in fields {
                all.push((*name, base::deep::recurse(|| checker_type(world, tys, *ty))));
            }
            world.types.record(all)
        }
    }
}
