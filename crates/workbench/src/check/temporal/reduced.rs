//! Decides whether formulas may be checked on a reduced state space.
//!
//! Symmetry: a permutation of interchangeable elements maps paths to paths and keeps every atom that does not tell the
//! elements apart (Leuschel and Massart 2010, section 5; Clarke, Enders, Filkorn and Jha 1996). An element that an atom
//! names is fixed. What compares a state with the next one, or counts single labels, is not kept: a representative of the
//! next state is another state.
//! Invariant: `auto` never reduces, so it never refuses.

use base::Diagnostic;
use lang_math::Op;
use model::sorts::{SortSymmetry, analyse};
use model::{Expr, ExprId, Kind, Model, Ty, TyId};
use reduce::symmetry::Method;
use smallvec::smallvec;

use super::atoms::{Asks, Atoms};
use super::{Formulas, Prepared};
use crate::check::{Ended, symmetry};
use crate::choice::Symmetry;
use crate::codes;
use crate::plan::Options;
use crate::report::Report;

/// A predicate that mentions whatever the atoms do.
pub(super) fn mentioned(model: &mut Model, atoms: &Atoms) -> Option<ExprId> {
    let mut whole: Option<ExprId> = None;
    for question in &atoms.questions {
        let span = model.exprs[question.expr].span;
        let predicate = match model.exprs[question.expr].ty {
            None => question.expr,
            Some(_) => model.exprs.push(Expr {
                kind: Kind::Op(Op::Equal, smallvec![question.expr, question.expr]),
                ty: None,
                span,
            }),
        };
        whole = Some(match whole {
            None => predicate,
            Some(before) => model.exprs.push(Expr {
                kind: Kind::Op(Op::And, smallvec![before, predicate]),
                ty: None,
                span,
            }),
        });
    }
    whole
}

/// The method and the interchangeable elements; `None` when every state is looked at.
pub(super) fn decide(
    model: &Model,
    options: &Options,
    formulas: &Formulas,
    report: &mut Report,
) -> Result<Option<(Method, Vec<SortSymmetry>)>, Ended> {
    let method = match options.symmetry {
        Symmetry::Off | Symmetry::Auto => return Ok(None),
        Symmetry::Static => {
            return Err(refused(
                "--symmetry static: it drops set-ups that temporal formulas may tell apart",
            ));
        }
        Symmetry::Flood => Method::Flood {
            budget: options.max_memory.unwrap_or(symmetry::FLOOD_BYTES),
        },
        Symmetry::Canonical => Method::Canonical,
        Symmetry::Exact => Method::Exact,
        Symmetry::Markers => Method::Markers {
            imprecise: Vec::new(),
        },
    };
    let sorts = analyse(model, formulas.mentioned);
    if sorts.iter().all(|sort| sort.interchangeable() == 0) {
        report.reductions.symmetry.because =
            Some("the model or its formulas tell all elements apart".to_owned());
        return Ok(None);
    }
    if options.symmetry == Symmetry::Markers {
        let (slots, why) = symmetry::imprecision(model, &sorts);
        if let (false, Some(why)) = (slots.is_empty(), why) {
            return Err(refused(&format!(
                "--symmetry markers: they are imprecise here, so a loop may be none: {why}"
            )));
        }
    }
    for atom in &formulas.atoms.atoms {
        let obstacle = match &atom.asks {
            Asks::Sink => Some("a step to a symmetric state looks like a step to the same one"),
            Asks::BeforeAfter(..) => Some("it compares a state with the next one"),
            Asks::Change(value, _) => {
                let expr = formulas.atoms.questions[*value].expr;
                let ty = model.exprs[expr].ty;
                let moves = ty.is_some_and(|ty| mentions(model, ty, &sorts));
                moves.then_some("it compares elements before a step with elements after it")
            }
            _ => None,
        };
        if let Some(why) = obstacle {
            let option = options.symmetry.word();
            let message = format!("--symmetry {option} does not keep {}: {why}", atom.text);
            return Err(Diagnostic::global(&codes::MISFIT_OPTION, message).into());
        }
    }
    if formulas.formulas.iter().any(Prepared::needs_labels) {
        return Err(refused(
            "--symmetry does not keep WEF and SEF: they are about single instances of operations",
        ));
    }
    Ok(Some((method, sorts)))
}

fn refused(message: &str) -> Ended {
    Diagnostic::global(&codes::MISFIT_OPTION, message).into()
}

/// Whether values of a type are moved when elements are exchanged.
fn mentions(model: &Model, ty: TyId, sorts: &[SortSymmetry]) -> bool {
    match &model.tys[ty] {
        Ty::Bool | Ty::Int | Ty::Real | Ty::Str => false,
        Ty::Sort(sort) => sorts
            .iter()
            .any(|symmetry| symmetry.sort == *sort && symmetry.interchangeable() > 0),
        Ty::Free(_) => true,
        Ty::Pow(element) => mentions(model, *element, sorts),
        Ty::Prod(left, right) => mentions(model, *left, sorts) || mentions(model, *right, sorts),
        Ty::Record(fields) => fields.iter().any(|(_, ty)| mentions(model, *ty, sorts)),
    }
}
