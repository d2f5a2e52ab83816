//! Lowers expressions and predicates.

use base::{Name, Span, deep};
use lang_b::check::{DeclId, DeclKind, Machine};
use lang_math::{ExprKind, Exprs, Op, TemplatePart, TypeId};
use rustc_hash::FxHashMap;
use smallvec::smallvec;

use super::{Lower, Ref};
use model::expr::Part;
use model::ty::{Ty, TyId};
use model::{ExprId, Kind, Local, LocalId};

/// A typed tree: of a machine or of a formula from outside.
#[derive(Clone, Copy)]
pub(super) struct Typed<'t> {
    pub exprs: &'t Exprs,
    pub types: &'t [Option<TypeId>],
    pub meanings: &'t [Option<DeclId>],
    pub binders: &'t FxHashMap<lang_math::ExprId, Vec<DeclId>>,
}

impl<'t> Typed<'t> {
    pub fn of(machine: &'t Machine) -> Typed<'t> {
        Typed {
            exprs: &machine.component.tree.exprs,
            types: &machine.types,
            meanings: &machine.meanings,
            binders: &machine.binders,
        }
    }
}

impl Lower<'_> {
    /// Lowers a formula; `None` after a diagnostic.
    pub(super) fn expr(&mut self, view: &Typed<'_>, id: lang_math::ExprId) -> Option<ExprId> {
        deep::recurse(|| self.expr_here(view, id))
    }

    fn exprs(&mut self, view: &Typed<'_>, ids: &[lang_math::ExprId]) -> Option<Vec<ExprId>> {
        ids.iter().map(|id| self.expr(view, *id)).collect()
    }

    // Long: one arm for each kind of formula.
    fn expr_here(&mut self, view: &Typed<'_>, id: lang_math::ExprId) -> Option<ExprId> {
        let span = view.exprs.span(id);
        let ty = match view.types[id.index()] {
            None => None,
            Some(ty) => match self.ty(ty) {
                Some(ty) => Some(ty),
                None => {
                    self.unsupported(span, "an expression of this type");
                    return None;
                }
            },
        };
        let kind = match view.exprs.kind(id) {
            ExprKind::Error => return None,
            ExprKind::Int(value) => Kind::Int(value.clone()),
            ExprKind::Real(text) => match text.as_str().parse() {
                Ok(value) => Kind::Real(value),
                Err(_) => {
                    self.unsupported(span, "this real number");
                    return None;
                }
            },
            ExprKind::Str(text) => Kind::Str(*text),
            ExprKind::Template(parts) => self.template(view, parts, span)?,
            ExprKind::Name(name) => {
                let Some(decl) = view.meanings[id.index()] else {
                    return self.unnamed_element(*name, ty, span);
                };
                if let Some(kind) = self.now.get(&decl) {
                    kind.clone()
                } else {
                    return self.name(*name, decl, ty, span);
                }
            }
            ExprKind::Before(name) => {
                let decl = view.meanings[id.index()]?;
                if let Some(kind) = self.before.get(&decl) {
                    kind.clone()
                } else {
                    return self.name(*name, decl, ty, span);
                }
            }
            ExprKind::Op(op, args) => {
                if let (Op::Equal, [a, b]) = (op, args.as_slice())
                    && let Some(equation) = self.recursive_definition(view, (*a, *b), span)
                {
                    return Some(equation);
                }
                let op = self.resolve(*op, ty);
                Kind::Op(op, self.exprs(view, args)?.into())
            }
            ExprKind::Apply(function, args) => {
                if view.types[function.index()].is_none() {
                    self.unsupported(span, "an operation call inside an expression");
                    return None;
                }
                let function = self.expr(view, *function)?;
                let args = self.exprs(view, args)?;
                Kind::Apply(function, self.tuple(args, span)?)
            }
            ExprKind::External(name, args) => {
                return self.host_call(view, (*name, args), (ty, span));
            }
            ExprKind::Bind {
                binder,
                predicate,
                value,
                symbolic,
                ..
            } => {
                let names =
                    self.fresh_locals(&view.binders.get(&id).cloned().unwrap_or_default())?;
                let predicate = self.expr(view, *predicate)?;
                let value = match value {
                    Some(value) => Some(self.expr(view, *value)?),
                    None => None,
                };
                Kind::Bind {
                    binder: *binder,
                    names,
                    predicate,
                    value,
                    symbolic: *symbolic,
                }
            }
            ExprKind::Record(fields) | ExprKind::Struct(fields) => {
                let mut lowered = Vec::new();
                for field in fields {
                    lowered.push((field.name, self.expr(view, field.value)?));
                }
                lowered.sort_by_key(|(name, _)| *name);
                match view.exprs.kind(id) {
                    ExprKind::Record(_) => Kind::Record(lowered),
                    _ => Kind::Struct(lowered),
                }
            }
            ExprKind::Field(record, name) => Kind::Field(self.expr(view, *record)?, *name),
            ExprKind::If {
                branches,
                otherwise,
            } => {
                let mut result = self.expr(view, *otherwise)?;
                for (condition, branch) in branches.iter().rev() {
                    let condition = self.expr(view, *condition)?;
                    let branch = self.expr(view, *branch)?;
                    result = self.push(Kind::If(condition, branch, result), ty, span);
                }
                return Some(result);
            }
            ExprKind::Let {
                equations, body, ..
            } => {
                let decls = view.binders.get(&id).cloned().unwrap_or_default();
                let values = self.equations(view, &decls, *equations)?;
                let mut result = self.expr(view, *body)?;
                for (local, value) in values.into_iter().rev() {
                    result = self.push(Kind::Let(local, value, result), ty, span);
                }
                return Some(result);
            }
            ExprKind::After {
                targets,
                values,
                predicate,
            } => return self.after(view, (targets, values), *predicate, (ty, span)),
            ExprKind::Labelled(_, inner) | ExprKind::Described(inner, _) => {
                return self.expr(view, *inner);
            }
        };
        Some(self.push(kind, ty, span))
    }

    /// A predicate about the values after an assignment.
    fn after(
        &mut self,
        view: &Typed<'_>,
        (targets, values): (&[lang_math::ExprId], &[lang_math::ExprId]),
        predicate: lang_math::ExprId,
        (ty, span): (Option<TyId>, Span),
    ) -> Option<ExprId> {
        let values = self.exprs(view, values)?;
        let mut changed = Vec::new();
        for (target, value) in targets.iter().zip(values) {
            let (ExprKind::Name(name), Some(decl), Some(ty)) = (
                view.exprs.kind(*target),
                view.meanings[target.index()],
                self.model.exprs[value].ty,
            ) else {
                self.unsupported(span, "a substitution at a point inside a predicate");
                return None;
            };
            changed.push((decl, self.local(*name, ty, span), value));
        }
        let shadowed: Vec<_> = changed
            .iter()
            .map(|(decl, local, _)| (*decl, self.now.insert(*decl, Kind::Local(*local))))
            .collect();
        let result = self.expr(view, predicate);
        for (decl, old) in shadowed {
            self.restore(decl, old);
        }
        let mut result = result?;
        for (_, local, value) in changed.into_iter().rev() {
            result = self.push(Kind::Let(local, value, result), ty, span);
        }
        Some(result)
    }

    fn template(&mut self, view: &Typed<'_>, parts: &[TemplatePart], span: Span) -> Option<Kind> {
        let mut lowered = Vec::new();
        for part in parts {
            lowered.push(match part {
                TemplatePart::Text(text) => Part::Text(*text),
                TemplatePart::Value(_, Some(_)) => {
                    self.unsupported(span, "a format option in a template string");
                    return None;
                }
                TemplatePart::Value(value, None) => Part::Value(self.expr(view, *value)?),
            });
        }
        Some(Kind::Template(lowered))
    }

    /// Takes back what a name meant inside a construct.
    pub(super) fn restore(&mut self, decl: DeclId, old: Option<Kind>) {
        match old {
            Some(kind) => self.now.insert(decl, kind),
            None => self.now.remove(&decl),
        };
    }

    /// `-` and `*` on sets have names of their own.
    fn resolve(&self, op: Op, ty: Option<TyId>) -> Op {
        let is_set = ty.is_some_and(|ty| matches!(self.model.tys[ty], Ty::Pow(_)));
        match op {
            Op::Minus if is_set => Op::SetMinus,
            Op::Times if is_set => Op::Cartesian,
            other => other,
        }
    }

    /// Several arguments as one left-nested pair.
    pub(super) fn tuple(&mut self, args: Vec<ExprId>, span: Span) -> Option<ExprId> {
        let mut args = args.into_iter();
        let first = args.next()?;
        let mut result = first;
        for next in args {
            let (left, right) = (self.model.exprs[result].ty?, self.model.exprs[next].ty?);
            let pair = self.model.tys.intern(Ty::Prod(left, right));
            result = self.push(
                Kind::Op(Op::Maplet, smallvec![result, next]),
                Some(pair),
                span,
            );
        }
        Some(result)
    }

    /// The values of a LET, in the order of its equations, with the locals that hold them.
    pub(super) fn equations(
        &mut self,
        view: &Typed<'_>,
        decls: &[DeclId],
        equations: lang_math::ExprId,
    ) -> Option<Vec<(LocalId, ExprId)>> {
        let locals = self.fresh_locals(decls)?;
        let mut values = Vec::new();
        for mut conjunct in view.exprs.conjuncts(equations) {
            while let ExprKind::Labelled(_, inner) | ExprKind::Described(inner, _) =
                view.exprs.kind(conjunct)
            {
                conjunct = *inner;
            }
            let ExprKind::Op(Op::Equal, args) = view.exprs.kind(conjunct) else {
                return None;
            };
            let decl = view.meanings[args[0].index()]?;
            let position = decls.iter().position(|known| *known == decl)?;
            values.push((locals[position], self.expr(view, args[1])?));
        }
        Some(values)
    }

    pub(super) fn local(&mut self, name: Name, ty: TyId, span: Span) -> LocalId {
        self.model.locals.push(Local { name, ty, span })
    }

    /// New locals for bound names, parameters or results.
    pub(super) fn fresh_locals(&mut self, decls: &[DeclId]) -> Option<Vec<LocalId>> {
        let mut locals = Vec::with_capacity(decls.len());
        for decl in decls {
            let declared = self.world.decls[*decl].clone();
            let Some(ty) = self.ty(declared.ty) else {
                self.unsupported(declared.span, format!("the type of `{}`", declared.name));
                return None;
            };
            let local = self.local(declared.name, ty, declared.span);
            self.locals.insert(*decl, local);
            locals.push(local);
        }
        Some(locals)
    }

    fn name(&mut self, name: Name, decl: DeclId, ty: Option<TyId>, span: Span) -> Option<ExprId> {
        if let Some(local) = self.locals.get(&decl) {
            return Some(self.push(Kind::Local(*local), ty, span));
        }
        match (self.reference(decl), ty) {
            (Some(found), Some(ty)) => Some(self.referred(found, ty, span)),
            _ => {
                let kind = self.world.decls[decl].kind;
                let what = match kind {
                    DeclKind::Variable(_) => format!("abstract variable `{name}` at this level"),
                    _ => format!("`{name}`"),
                };
                self.unsupported(span, what);
                None
            }
        }
    }

    /// The expression for what a global name stands for.
    pub(super) fn referred(&mut self, found: Ref, ty: TyId, span: Span) -> ExprId {
        let kind = match found {
            Ref::Var(var) => Kind::Var(var),
            Ref::Element(sort, index) => Kind::Element(sort, index),
            Ref::Carrier(sort) => Kind::Carrier(sort),
            Ref::FreeSet(free) => return self.free_set(free, ty, span),
            Ref::Constructor(free, index) => return self.constructor(free, index, ty, span),
            Ref::Expr(expr) => return expr,
            Ref::Copy(local) => Kind::Local(local),
        };
        self.push(kind, Some(ty), span)
    }

    /// `T1`, `T2`, … in a formula from outside.
    fn unnamed_element(&mut self, name: Name, ty: Option<TyId>, span: Span) -> Option<ExprId> {
        if let Some(ty) = ty
            && let Ty::Sort(sort) = self.model.tys[ty]
            && let Some(number) = name
                .as_str()
                .strip_prefix(self.model.tys.sorts[sort].name.as_str())
                .and_then(|digits| digits.parse::<u32>().ok())
            && number >= 1
            && (number as usize) <= self.model.tys.sorts[sort].elements.len()
        {
            return Some(self.push(Kind::Element(sort, number - 1), Some(ty), span));
        }
        self.unsupported(span, format!("`{name}`"));
        None
    }
}
