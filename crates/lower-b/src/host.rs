//! Functions of the host that say nothing but a formula, as that formula.
//!
//! `KODKOD(n, x, y, bool(P))` is `P`, whoever solves it. `f = REC_LET("f", E)` names a function so that `REC("f", x)` in `E`
//! can apply it before it is defined; for a constant the model says that directly: `f = E` with `f(x)`.
//! `ARGC` is 0, since models are not given arguments.
//! What stays a call of the host is judged by the evaluators.

use base::{Name, Span};
use lang_math::{ExprKind, Op};
use model::ty::{Ty, TyId};
use model::{ExprId, Kind};
use smallvec::smallvec;

use super::Lower;
use super::expr::Typed;

/// A recursive function while its definition is lowered.
pub(super) struct Recursive {
    /// The name that REC calls it by.
    name: Name,
    /// The constant, and its type.
    constant: (Kind, TyId),
}

impl Lower<'_> {
    /// A call of the host.
    pub(super) fn host_call(
        &mut self,
        view: &Typed<'_>,
        (name, args): (Name, &[lang_math::ExprId]),
        (ty, span): (Option<TyId>, Span),
    ) -> Option<ExprId> {
        let args: Option<Vec<ExprId>> = args.iter().map(|arg| self.expr(view, *arg)).collect();
        let args = args?;
        let kind = match (name.as_str(), args.as_slice(), ty) {
            ("KODKOD", [.., answer], None) => return Some(self.holds(*answer, span)),
            // To solve is what is done with every predicate.
            ("KODKOD_SOLVE", _, None) => Some(Kind::Op(Op::Truth, smallvec![])),
            // Models are not given arguments.
            ("ARGC", [], Some(_)) => Some(Kind::Int(0.into())),
            ("REC", [called, argument], Some(ty)) => {
                self.recursive_call(*called, *argument, ty, span)
            }
            _ => None,
        };
        let kind = kind.unwrap_or(Kind::External(name, args));
        Some(self.push(kind, ty, span))
    }

    /// `c = REC_LET("f", E)` as `c = E`, where `REC("f", x)` applies `c`; `None` for any other equation.
    pub(super) fn recursive_definition(
        &mut self,
        view: &Typed<'_>,
        (a, b): (lang_math::ExprId, lang_math::ExprId),
        span: Span,
    ) -> Option<ExprId> {
        let ExprKind::External(host, args) = view.exprs.kind(b) else {
            return None;
        };
        let [called, value] = args.as_slice() else {
            return None;
        };
        let (ExprKind::Str(name), ExprKind::Name(_)) =
            (view.exprs.kind(*called), view.exprs.kind(a))
        else {
            return None;
        };
        if host.as_str() != "REC_LET" {
            return None;
        }
        let constant = self.expr(view, a)?;
        let ty = self.model.exprs[constant].ty?;
        let kind = match self.model.exprs[constant].kind {
            Kind::Var(var) if self.model.variables[var].is_constant => Kind::Var(var),
            _ => return None,
        };
        self.recursive.push(Recursive {
            name: *name,
            constant: (kind, ty),
        });
        let value = self.expr(view, *value);
        self.recursive.pop();
        Some(self.push(Kind::Op(Op::Equal, smallvec![constant, value?]), None, span))
    }

    /// The application that `REC("f", x)` is inside the definition of `f`.
    fn recursive_call(
        &mut self,
        called: ExprId,
        argument: ExprId,
        result: TyId,
        span: Span,
    ) -> Option<Kind> {
        let Kind::Str(called) = self.model.exprs[called].kind else {
            return None;
        };
        let known = self
            .recursive
            .iter()
            .rev()
            .find(|known| known.name == called)?;
        let (kind, ty) = known.constant.clone();
        let pair = Ty::Prod(self.model.exprs[argument].ty?, result);
        let pair = self.model.tys.intern(pair);
        if self.model.tys.intern(Ty::Pow(pair)) != ty {
            return None;
        }
        let function = self.push(kind, Some(ty), span);
        Some(Kind::Apply(function, argument))
    }

    /// That a truth value is TRUE.
    fn holds(&mut self, truth: ExprId, span: Span) -> ExprId {
        if let Kind::Op(Op::ToBool, args) = &self.model.exprs[truth].kind {
            return args[0];
        }
        let ty = self.model.exprs[truth].ty;
        let yes = self.push(Kind::Op(Op::True, smallvec![]), ty, span);
        self.push(Kind::Op(Op::Equal, smallvec![truth, yes]), None, span)
    }
}
