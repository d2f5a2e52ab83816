//! Arguments of known functions as generators: where an undefined conjunct counts as false, `f(x)` in it says
//! that `x` is in the domain of `f`.
//!
//! Invariant: only applications that are evaluated whenever the conjunct is evaluated count.

use lang_math::Op;
use model::{ExprId, Kind};

use super::{Candidate, Planning, Undefined};
use crate::code::f;
use crate::ops::OpTy;
use crate::plan::{Source, Step};
use crate::trap::Cause;

/// More than what the text bounds, less than what would have to be cut.
const COST: f64 = 1e4;

impl Planning<'_, '_> {
    /// The first application in a conjunct whose argument is open.
    pub(super) fn by_domain(&self, i: usize) -> Option<Candidate> {
        if self.manner.undefined == Undefined::Fault || !self.manner.relaxed {
            return None;
        }
        let (function, argument) = self.applied_strictly(self.conjuncts[i].expr)?;
        let compiler = self.compiler;
        let ty = compiler.ty(function);
        let (left, _) = compiler.program.reps.sides(ty);
        let domain_ty = compiler.program.reps.find(&model::Ty::Pow(left));
        let code = compiler.lazy(function);
        let place = function.index() as u32;
        let domain = f(move |cx| {
            let relation = code(cx)?;
            let Some(result) = domain_ty else {
                return Err(Cause::TooLarge.trap().at(place));
            };
            let types = OpTy {
                args: [ty].into_iter().collect(),
                result,
            };
            cx.op(Op::Domain, &types, &[relation])
        });
        domain_ty?;
        let source = Source::Set(domain);
        let mut binds = Vec::new();
        let step = match self.open(argument) {
            Some(unknown) => {
                binds.push(unknown);
                Step::Each(unknown, source)
            }
            None => Step::Match(self.pattern(argument, &mut binds)?, source),
        };
        if binds.is_empty() {
            return None;
        }
        let mut candidate = self.candidate(i, step, binds, COST);
        candidate.covers.clear();
        candidate.total = false;
        candidate.fallback = true;
        Some(candidate)
    }

    /// The function and argument of an application that is evaluated with the expression, where the function
    /// is known and the argument is not.
    fn applied_strictly(&self, expr: ExprId) -> Option<(ExprId, ExprId)> {
        if self.known(expr) {
            return None;
        }
        base::deep::recurse(|| match self.kind(expr) {
            Kind::Apply(function, argument) if self.known(*function) => self
                .applied_strictly(*argument)
                .or(Some((*function, *argument))),
            Kind::Apply(function, argument) => self
                .applied_strictly(*function)
                .or_else(|| self.applied_strictly(*argument)),
            // The left side is always evaluated, the right one not.
            Kind::Op(Op::And | Op::Or | Op::Implies, args) => self.applied_strictly(args[0]),
            Kind::Op(_, args) => args.iter().find_map(|arg| self.applied_strictly(*arg)),
            Kind::If(condition, ..) => self.applied_strictly(*condition),
            Kind::Let(_, value, _) => self.applied_strictly(*value),
            Kind::Field(record, _) => self.applied_strictly(*record),
            Kind::Record(fields) => fields
                .iter()
                .find_map(|(_, field)| self.applied_strictly(*field)),
            _ => None,
        })
    }
}
