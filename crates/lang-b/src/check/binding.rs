//! Names that formulas and substitutions bind, and the equations of LET.

use base::{Diagnostic, Name, Span};
use lang_math::query::Typing;
use lang_math::{Binding, ExprId, ExprKind, Op, TypeId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::machine::Checker;
use super::scope::{Decl, DeclId, DeclKind};
use crate::codes::scope as names;

impl Checker<'_> {
    /// Declares the names of a binder; [`Checker::release`] ends their life.
    pub(super) fn bind(&mut self, names: &[Binding], kind: DeclKind) -> Vec<DeclId> {
        let mut seen: FxHashMap<Name, (TypeId, Span)> = FxHashMap::default();
        let mut bound = Vec::with_capacity(names.len());
        for binding in names {
            let ty = self.world.types.fresh();
            if let Some((first, place)) = seen.insert(binding.name, (ty, binding.span)) {
                self.world.types.close(first);
                self.diagnostics.push(
                    Diagnostic::error(
                        &names::BOUND_TWICE,
                        binding.span,
                        format!("`{}` is bound twice in one list", binding.name),
                    )
                    .also(place, "first here")
                    .help("rename one of them"),
                );
            }
            let decl = self.world.decls.push(Decl {
                name: binding.name,
                kind,
                ty,
                span: binding.span,
                unit: self.unit,
                instance_of: None,
            });
            self.scope.bind(binding.name, decl);
            self.to_ground.push(decl);
            bound.push(decl);
        }
        bound
    }

    /// Declares the names that a formula from outside has of its own; they live as long as the check.
    pub(super) fn own_names(&mut self, names: &[(Binding, Typing<ExprId, TypeId>)]) -> Vec<DeclId> {
        let mut own = Vec::with_capacity(names.len());
        for (binding, typing) in names {
            let bound = self.bind(&[*binding], DeclKind::Bound);
            match *typing {
                Typing::Is(expected) => {
                    for decl in &bound {
                        self.world.decls[*decl].ty = expected;
                    }
                }
                Typing::By(predicate) => self.predicate(predicate),
                Typing::Inferred => {}
            }
            own.extend(bound);
        }
        own
    }

    /// Ends the life of the names of a binder.
    pub(super) fn release(&mut self, names: &[Binding]) {
        for binding in names {
            self.scope.unbind(binding.name);
        }
    }

    /// Declares the names of a LET expression and checks its equations; the names stay bound.
    pub(super) fn let_equations(
        &mut self,
        id: ExprId,
        names: &[Binding],
        equations: ExprId,
        nested: bool,
    ) {
        let bound = self.bind_equations(names, equations, nested);
        self.binders.insert(id, bound);
    }

    /// Declares the names of a LET and checks its equations. Each name needs one equation with the name
    /// alone on the left; with `earlier`, a value may use the names whose equations stand before it.
    pub(super) fn bind_equations(
        &mut self,
        names: &[Binding],
        equations: ExprId,
        earlier: bool,
    ) -> Vec<DeclId> {
        let bound = self.bind(names, DeclKind::Bound);
        self.predicate(equations);
        let all: FxHashSet<Name> = names.iter().map(|binding| binding.name).collect();
        let mut open = all.clone();
        for conjunct in self.component.tree.exprs.conjuncts(equations) {
            let mut equation = conjunct;
            while let ExprKind::Labelled(_, inner) | ExprKind::Described(inner, _) =
                *self.kind(equation)
            {
                equation = inner;
            }
            let parts = match *self.kind(equation) {
                ExprKind::Op(Op::Equal, ref args) => match *self.kind(args[0]) {
                    ExprKind::Name(name) if open.contains(&name) => Some((name, args[1])),
                    _ => None,
                },
                ExprKind::Error => return bound,
                _ => None,
            };
            let Some((name, value)) = parts else {
                let error = Diagnostic::error(
                    &names::LET_EQUATION,
                    self.span(conjunct),
                    "a LET consists of equations `name = value`, one for each name",
                )
                .help("use ANY to choose a value that satisfies a predicate");
                self.report(conjunct, error);
                for decl in &bound {
                    self.world.types.close(self.world.decls[*decl].ty);
                }
                return bound;
            };
            if !self.preferences.complex_lets {
                let forbidden = if earlier { &open } else { &all };
                if let Some((at, used)) = self.uses_one_of(value, forbidden) {
                    let error = Diagnostic::error(
                        &names::LET_DEPENDS,
                        self.span(at),
                        format!("the value of `{name}` uses `{used}`, a name of the same LET"),
                    )
                    .help("nest two LETs, or set SET_PREF_ALLOW_COMPLEX_LETS == TRUE");
                    self.report(at, error);
                }
            }
            open.remove(&name);
        }
        for (binding, decl) in names.iter().zip(&bound) {
            if open.contains(&binding.name) {
                self.world.types.close(self.world.decls[*decl].ty);
            }
        }
        if let Some(name) = names.iter().find(|binding| open.contains(&binding.name)) {
            self.diagnostics.push(
                Diagnostic::error(
                    &names::LET_EQUATION,
                    name.span,
                    format!("LET gives `{}` no value", name.name),
                )
                .help(format!("add an equation `{} = …`", name.name)),
            );
            for decl in &bound {
                self.world.types.close(self.world.decls[*decl].ty);
            }
        }
        bound
    }

    /// The first free use of one of `forbidden` in a formula.
    pub(super) fn uses_one_of(
        &self,
        id: ExprId,
        forbidden: &FxHashSet<Name>,
    ) -> Option<(ExprId, Name)> {
        let exprs = &self.component.tree.exprs;
        let mut pending = vec![id];
        while let Some(id) = pending.pop() {
            match exprs.kind(id) {
                ExprKind::Name(name) if forbidden.contains(name) => return Some((id, *name)),
                // A binder that hides one of the names makes its inside harmless.
                ExprKind::Bind { names, .. } | ExprKind::Let { names, .. }
                    if names
                        .iter()
                        .any(|binding| forbidden.contains(&binding.name)) => {}
                kind => lang_math::expr::for_each_child(kind, |child| pending.push(child)),
            }
        }
        None
    }
}
