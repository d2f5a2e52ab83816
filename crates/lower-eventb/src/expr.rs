//! Lowers formulas.

use base::{Name, Span, deep};
use lang_eventb::check::{DeclId, DeclKind};
use lang_math::{Binder, ExprKind, Op};
use smallvec::smallvec;

use super::{Lower, Ref};
use model::ty::{Ty, TyId};
use model::{ExprId, Kind, Local, LocalId};

impl Lower<'_> {
    /// Lowers a formula; `None` after a diagnostic.
    pub(super) fn expr(&mut self, id: lang_math::ExprId) -> Option<ExprId> {
        deep::recurse(|| self.expr_here(id))
    }

    fn exprs(&mut self, ids: &[lang_math::ExprId]) -> Option<Vec<ExprId>> {
        ids.iter().map(|id| self.expr(*id)).collect()
    }

    // Long: one arm for each kind of formula.
    fn expr_here(&mut self, id: lang_math::ExprId) -> Option<ExprId> {
        let exprs = &self.checked.project.exprs;
        let span = exprs.span(id);
        let ty = match self.world.types_of[id.index()] {
            None => None,
            Some(ty) => match self.ty(ty) {
                Some(ty) => Some(ty),
                None => {
                    self.unsupported(span, "an expression of this type");
                    return None;
                }
            },
        };
        if let Some(set) = self.sequences_over(id) {
            let set = self.expr(set)?;
            return Some(self.push(Kind::Op(Op::Sequences, smallvec![set]), ty, span));
        }
        let kind = match exprs.kind(id) {
            ExprKind::Int(value) => Kind::Int(value.clone()),
            ExprKind::Name(name) => return self.name(id, *name, ty, span),
            ExprKind::Before(name) => {
                let before =
                    self.world.meanings[id.index()].and_then(|decl| self.before.get(&decl));
                match before {
                    Some(local) => Kind::Local(*local),
                    None => return self.name(id, *name, ty, span),
                }
            }
            // The type has done its work.
            ExprKind::Op(Op::OfType, args) => return self.expr(args[0]),
            ExprKind::Op(Op::Identity, args) if args.is_empty() => {
                let Ty::Pow(pair) = self.model.tys[ty?] else {
                    return None;
                };
                let Ty::Prod(element, _) = self.model.tys[pair] else {
                    return None;
                };
                Kind::Op(Op::Identity, smallvec![self.carrier(element, span)?])
            }
            ExprKind::Op(Op::Member, args) => {
                let args = self.exprs(args)?;
                if let Some(member) = self.constructed_member(&args, span) {
                    return Some(member);
                }
                Kind::Op(Op::Member, args.into())
            }
            ExprKind::Op(op, args) => Kind::Op(*op, self.exprs(args)?.into()),
            ExprKind::Apply(function, args) => return self.apply(*function, args[0], ty, span),
            ExprKind::Bind {
                binder,
                predicate,
                value,
                symbolic,
                ..
            } => {
                let decls = self.world.binders.get(&id).cloned().unwrap_or_default();
                let names = self.fresh_locals(&decls)?;
                let predicate = self.expr(*predicate)?;
                let value = match value {
                    Some(value) => Some(self.expr(*value)?),
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
            ExprKind::Labelled(_, inner) | ExprKind::Described(inner, _) => {
                return self.expr(*inner);
            }
            ExprKind::External(name, args) => return self.extended(*name, args, ty, span),
            ExprKind::If {
                branches,
                otherwise,
            } => {
                let mut result = self.expr(*otherwise)?;
                for (condition, branch) in branches.iter().rev() {
                    let condition = self.expr(*condition)?;
                    let branch = self.expr(*branch)?;
                    result = self.push(Kind::If(condition, branch, result), ty, span);
                }
                return Some(result);
            }
            _ => return None,
        };
        Some(self.push(kind, ty, span))
    }

    /// `S` of `{n,f · n ∈ ℕ ∧ f ∈ 1‥n → S ∣ f}`: how Event-B writes the sequences over a set.
    fn sequences_over(&self, id: lang_math::ExprId) -> Option<lang_math::ExprId> {
        let exprs = &self.checked.project.exprs;
        let ExprKind::Bind {
            binder: Binder::Image,
            names,
            predicate,
            value: Some(value),
            ..
        } = exprs.kind(id)
        else {
            return None;
        };
        let name = |id: lang_math::ExprId| match exprs.kind(id) {
            ExprKind::Name(name) => Some(*name),
            _ => None,
        };
        let function = name(*value)?;
        let [one, other] = names.as_slice() else {
            return None;
        };
        let length = match (one.name == function, other.name == function) {
            (true, false) => other.name,
            (false, true) => one.name,
            _ => return None,
        };
        let mut found = None;
        let mut natural = false;
        for conjunct in exprs.conjuncts(*predicate) {
            let ExprKind::Op(Op::Member, sides) = exprs.kind(conjunct) else {
                return None;
            };
            let left = name(sides[0])?;
            match exprs.kind(sides[1]) {
                ExprKind::Op(Op::Naturals, _) if left == length => natural = true,
                // What only tells the type.
                ExprKind::Op(Op::Integers, _) if left == length => {}
                ExprKind::Op(Op::PowerSet, of) if left == function && self.is_type(of[0]) => {}
                ExprKind::Op(Op::TotalFunctions, parts) if left == function => {
                    let ExprKind::Op(Op::Interval, ends) = exprs.kind(parts[0]) else {
                        return None;
                    };
                    let first = matches!(exprs.kind(ends[0]), ExprKind::Int(n) if *n == 1.into());
                    if !first || name(ends[1]) != Some(length) || found.is_some() {
                        return None;
                    }
                    found = Some(parts[1]);
                }
                _ => return None,
            }
        }
        let set = found.filter(|_| natural)?;
        let mut pending = vec![set];
        while let Some(id) = pending.pop() {
            if name(id).is_some_and(|name| name == function || name == length) {
                return None;
            }
            lang_math::expr::for_each_child(exprs.kind(id), |child| pending.push(child));
        }
        Some(set)
    }

    /// Whether an expression is the set of all values of a type.
    fn is_type(&self, id: lang_math::ExprId) -> bool {
        match self.checked.project.exprs.kind(id) {
            ExprKind::Op(Op::Integers | Op::Booleans, _) => true,
            ExprKind::Op(Op::PowerSet | Op::Cartesian, args) => {
                args.iter().all(|arg| deep::recurse(|| self.is_type(*arg)))
            }
            ExprKind::Name(_) => self.world.meanings[id.index()].is_some_and(|decl| {
                let kind = self.world.decls[decl].kind;
                matches!(kind, DeclKind::Set | DeclKind::Type)
            }),
            _ => false,
        }
    }

    /// `f(a)`; generic functions and `succ`, `pred` are applied at once.
    fn apply(
        &mut self,
        function: lang_math::ExprId,
        arg: lang_math::ExprId,
        ty: Option<TyId>,
        span: Span,
    ) -> Option<ExprId> {
        let argument = self.expr(arg)?;
        let exprs = &self.checked.project.exprs;
        let mut bare = function;
        while let ExprKind::Op(Op::OfType, args) = exprs.kind(bare) {
            bare = args[0];
        }
        let op = match exprs.kind(bare) {
            ExprKind::Op(op, args) if args.is_empty() => Some(*op),
            _ => None,
        };
        let one = |lower: &mut Self| lower.push(Kind::Int(1.into()), ty, span);
        let kind = match op {
            Some(Op::Identity) => return Some(argument),
            Some(Op::Projection1) => Kind::Op(Op::Component1, smallvec![argument]),
            Some(Op::Projection2) => Kind::Op(Op::Component2, smallvec![argument]),
            Some(Op::Successor) => Kind::Op(Op::Add, smallvec![argument, one(self)]),
            Some(Op::Predecessor) => Kind::Op(Op::Minus, smallvec![argument, one(self)]),
            _ => Kind::Apply(self.expr(function)?, argument),
        };
        Some(self.push(kind, ty, span))
    }

    /// The set of all values of a type.
    pub(super) fn carrier(&mut self, ty: TyId, span: Span) -> Option<ExprId> {
        let set = self.model.tys.intern(Ty::Pow(ty));
        let kind = match self.model.tys[ty].clone() {
            Ty::Bool => Kind::Op(Op::Booleans, smallvec![]),
            Ty::Int => Kind::Op(Op::Integers, smallvec![]),
            Ty::Sort(sort) => Kind::Carrier(sort),
            Ty::Free(free) => Kind::FreeSet(free),
            Ty::Pow(element) => {
                let element = deep::recurse(|| self.carrier(element, span))?;
                Kind::Op(Op::PowerSet, smallvec![element])
            }
            Ty::Prod(left, right) => {
                let left = deep::recurse(|| self.carrier(left, span))?;
                let right = deep::recurse(|| self.carrier(right, span))?;
                Kind::Op(Op::Cartesian, smallvec![left, right])
            }
            Ty::Real | Ty::Str | Ty::Record(_) => return None,
        };
        Some(self.push(kind, Some(set), span))
    }

    /// New locals for parameters or bound names.
    pub(super) fn fresh_locals(&mut self, decls: &[DeclId]) -> Option<Vec<LocalId>> {
        let mut locals = Vec::with_capacity(decls.len());
        for decl in decls {
            let declared = &self.world.decls[*decl];
            let (name, span) = (declared.name, declared.span);
            let Some(ty) = self.ty(declared.ty) else {
                self.unsupported(span, format!("the type of `{name}`"));
                return None;
            };
            let local = self.model.locals.push(Local { name, ty, span });
            self.locals.insert(*decl, local);
            locals.push(local);
        }
        Some(locals)
    }

    fn name(
        &mut self,
        id: lang_math::ExprId,
        name: Name,
        ty: Option<TyId>,
        span: Span,
    ) -> Option<ExprId> {
        let Some(decl) = self.world.meanings[id.index()] else {
            return self.unnamed_element(name, ty, span);
        };
        if let Some(now) = self.now.get(&decl) {
            return Some(*now);
        }
        if let Some(local) = self.locals.get(&decl) {
            return Some(self.push(Kind::Local(*local), ty, span));
        }
        let known = match self.world.decls[decl].kind {
            DeclKind::Type => {
                let Ty::Pow(element) = self.model.tys[ty?] else {
                    return None;
                };
                return self.carrier(element, span);
            }
            DeclKind::After(variable) => match self.after.get(&variable) {
                Some(after) => return Some(*after),
                // What no action changes stays.
                None => self.refs.get(&variable),
            },
            _ => self.refs.get(&decl),
        };
        match known.copied() {
            Some(found) => {
                let kind = match found {
                    Ref::Var(var) => Kind::Var(var),
                    Ref::Element(sort, position) => Kind::Element(sort, position),
                    Ref::Carrier(sort) => Kind::Carrier(sort),
                    Ref::Whole(ty) => return self.carrier(ty, span),
                };
                Some(self.push(kind, ty, span))
            }
            None => {
                self.unsupported(span, format!("`{name}` at this level"));
                None
            }
        }
    }

    /// `S1`, `S2`, … in a formula from outside.
    fn unnamed_element(&mut self, name: Name, ty: Option<TyId>, span: Span) -> Option<ExprId> {
        if let Some(ty) = ty
            && let Ty::Sort(sort) = self.model.tys[ty]
            && let Some(position) = self.model.tys.sorts[sort]
                .elements
                .iter()
                .position(|element| *element == name)
        {
            return Some(self.push(Kind::Element(sort, position as u32), Some(ty), span));
        }
        self.unsupported(span, format!("`{name}`"));
        None
    }
}
