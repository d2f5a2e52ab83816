//! Decides whether formulas may be checked on a reduced state space.
//!
//! Symmetry: a permutation of interchangeable elements maps paths to paths and keeps every atom that does not tell the
//! elements apart (Leuschel and Massart 2010, section 5; Clarke, Enders, Filkorn and Jha 1996). An element that an atom
//! names is fixed. What compares elements in a state with elements in the next one, or counts single labels, is not kept: a
//! representative of the next state is another state. What is possible is asked of the whole model where that matters (`sink`).
//! Invariant: `auto` reduces only where a trial shows that it pays, and never refuses.

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

/// A reduction that every atom allows.
pub(super) struct Reduced {
    /// How representatives are found.
    pub(super) method: Method,
    /// The interchangeable elements.
    pub(super) sorts: Vec<SortSymmetry>,
    /// Whether a trial decides if it pays.
    pub(super) is_trial: bool,
}

/// Which reduction is used; `None` when every state is looked at.
pub(super) fn decide(
    model: &Model,
    options: &Options,
    formulas: &Formulas,
    report: &mut Report,
) -> Result<Option<Reduced>, Ended> {
    let method = match options.symmetry {
        Symmetry::Off => return Ok(None),
        Symmetry::Static => {
            return Err(refused(
                "--symmetry static: it drops set-ups that temporal formulas may tell apart",
            ));
        }
        Symmetry::Flood => Method::Flood {
            budget: options.max_memory.unwrap_or(symmetry::FLOOD_BYTES),
        },
        Symmetry::Canonical => Method::Canonical,
        Symmetry::Exact | Symmetry::Auto => Method::Exact,
        Symmetry::Markers => Method::Markers {
            imprecise: Vec::new(),
        },
    };
    let is_auto = options.symmetry == Symmetry::Auto;
    let sorts = analyse(model, formulas.mentioned);
    let obstacle = match sorts.iter().all(|sort| sort.interchangeable() == 0) {
        true => {
            let told = "the model or its formulas tell all elements apart".to_owned();
            tell_off(is_auto, told, options, report);
            return Ok(None);
        }
        false => obstacle(model, options, formulas, &sorts),
    };
    match obstacle {
        Some(why) if is_auto => {
            tell_off(is_auto, why, options, report);
            Ok(None)
        }
        Some(why) => Err(refused(&format!(
            "--symmetry {}: {why}",
            options.symmetry.word()
        ))),
        None => {
            if Formulas::are_alone(options) {
                let told = &mut report.reductions.symmetry;
                let alike = sorts.iter().filter(|sort| sort.interchangeable() > 0);
                told.sorts = alike
                    .map(|sort| {
                        let name = model.tys.sorts[sort.sort].name.to_string();
                        (name, sort.interchangeable())
                    })
                    .collect();
                told.precise = Some(true);
            }
            Ok(Some(Reduced {
                method,
                sorts,
                is_trial: is_auto,
            }))
        }
    }
}

/// Says why nothing is reduced.
fn tell_off(is_auto: bool, why: String, options: &Options, report: &mut Report) {
    if Formulas::are_alone(options) {
        let told = &mut report.reductions.symmetry;
        told.because = Some(why);
        if is_auto {
            told.method = "off";
        }
    }
}

const ELEMENTS: &str = "it compares elements before a step with elements after it";

/// What keeps formulas from being checked on representatives.
fn obstacle(
    model: &Model,
    options: &Options,
    formulas: &Formulas,
    sorts: &[SortSymmetry],
) -> Option<String> {
    if options.symmetry == Symmetry::Markers
        && let (_, Some(why)) = symmetry::imprecision(model, sorts)
    {
        return Some(format!(
            "markers are imprecise here, so a loop may be none: {why}"
        ));
    }
    for atom in &formulas.atoms.atoms {
        let obstacle = match &atom.asks {
            Asks::BeforeAfter(question, _) => {
                let mut moves = false;
                model.walk(formulas.atoms.questions[*question].expr, &mut |expr| {
                    if let Kind::Var(_) = expr.kind {
                        moves |= expr.ty.is_some_and(|ty| mentions(model, ty, sorts));
                    }
                });
                moves.then_some(ELEMENTS)
            }
            Asks::Change(value, _) => {
                let expr = formulas.atoms.questions[*value].expr;
                let ty = model.exprs[expr].ty;
                let moves = ty.is_some_and(|ty| mentions(model, ty, sorts));
                moves.then_some(ELEMENTS)
            }
            _ => None,
        };
        if let Some(why) = obstacle {
            return Some(format!("{} is not kept: {why}", atom.text));
        }
    }
    let needs_labels = formulas.formulas.iter().any(Prepared::needs_labels);
    needs_labels.then(|| {
        "WEF and SEF are not kept: they are about single instances of operations".to_owned()
    })
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
