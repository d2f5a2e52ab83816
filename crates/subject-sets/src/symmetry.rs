//! What is known of interchangeable elements of carrier sets, as data for those above.

use lang_math::Op;
use model::sorts::{self, SortSymmetry, Split, precision};
use model::{Expr, ExprId, Kind, Model, Ty, TyId};
use reduce::symmetry::Telling;
use smallvec::smallvec;
use subject::symmetry::{Alike, Apart, Breaks, Partial, Precision, Symmetry};

use crate::questions::Asked;

/// What is known when these questions are asked.
pub(crate) fn symmetry(model: &Model, questions: &[&Asked]) -> Symmetry {
    let found = match questions.is_empty() {
        true => sorts::analyse(model, None),
        false => {
            let mut extended = model.clone();
            let mentioned = mentioned(&mut extended, questions);
            sorts::analyse(&extended, mentioned)
        }
    };
    let mut known = Symmetry::none();
    known.sets = found.iter().map(|sort| alike(model, sort)).collect();
    for (id, variable) in model.variables.iter() {
        let precision = match precision(model, &found, variable.ty) {
            sorts::Precision::Plain => Precision::Plain,
            sorts::Precision::Precise => Precision::Precise,
            sorts::Precision::Imprecise(why) => Precision::Imprecise(why),
        };
        if matches!(precision, Precision::Imprecise(_)) {
            known.imprecise.push(id.index());
        }
        known
            .components
            .push((model.tys.show(variable.ty), precision));
    }
    for (at, asked) in questions.iter().enumerate() {
        if is_moved(model, asked, &found) {
            known.moved.push(at);
        }
    }
    known.with(found)
}

/// What is known when events are left out of account, and what each of them tells apart.
pub(crate) fn partial(model: &Model, questions: &[&Asked]) -> Partial {
    let without = |kept: Option<usize>| {
        let mut other = model.clone();
        let actions = std::mem::take(&mut other.actions);
        other.actions = kept
            .and_then(|at| actions.into_iter().nth(at))
            .into_iter()
            .collect();
        other
    };
    let telling = |kept: Option<usize>| -> Telling {
        let found = sorts::analyse(&without(kept), None);
        let told = found.into_iter();
        told.map(|sort| (model.tys.sorts[sort.sort].name, sort.classes))
            .collect()
    };
    Partial {
        known: symmetry(&without(None), questions),
        breaks: Breaks::Elements {
            base: telling(None),
            events: (0..model.actions.len())
                .map(|at| telling(Some(at)))
                .collect(),
        },
    }
}

/// A predicate that mentions whatever the questions do.
fn mentioned(model: &mut Model, questions: &[&Asked]) -> Option<ExprId> {
    let mut whole: Option<ExprId> = None;
    for asked in questions {
        let span = model.exprs[asked.expr].span;
        let predicate = match model.exprs[asked.expr].ty {
            None => asked.expr,
            Some(_) => model.exprs.push(Expr {
                kind: Kind::Op(Op::Equal, smallvec![asked.expr, asked.expr]),
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

fn alike(model: &Model, symmetry: &SortSymmetry) -> Alike {
    let sort = &model.tys.sorts[symmetry.sort];
    let element = |element: &u32| sort.elements[*element as usize].to_string();
    let mut classes: Vec<(u32, Vec<String>)> = Vec::new();
    for (at, class) in symmetry.classes.iter().enumerate() {
        let name = sort.elements[at].to_string();
        match classes.iter_mut().find(|(known, _)| known == class) {
            Some((_, members)) => members.push(name),
            None => classes.push((*class, vec![name])),
        }
    }
    let apart = |split: &Split| Apart {
        elements: split.elements.iter().map(element).collect(),
        what: split.what.clone(),
        span: split.span,
    };
    Alike {
        name: sort.name.to_string(),
        size: sort.elements.len(),
        interchangeable: symmetry.interchangeable(),
        classes: classes.into_iter().map(|(_, members)| members).collect(),
        because: match &symmetry.broken {
            Some(broken) => vec![apart(broken)],
            None => symmetry.splits.iter().map(apart).collect(),
        },
    }
}

/// Whether a question compares elements before a step with elements after it: the next state may have others.
fn is_moved(model: &Model, asked: &Asked, sorts: &[SortSymmetry]) -> bool {
    if let Some(ty) = model.exprs[asked.expr].ty {
        return mentions(model, ty, sorts);
    }
    let mut moves = false;
    model.walk(asked.expr, &mut |expr| {
        if let Kind::Var(_) = expr.kind {
            moves |= expr.ty.is_some_and(|ty| mentions(model, ty, sorts));
        }
    });
    moves
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
