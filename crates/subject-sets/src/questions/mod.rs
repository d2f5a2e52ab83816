//! Questions that a person typed, in set theory: parsed, typed and lowered by the model's own language.
//!
//! Invariant: a text is read as itself, where it stands, in a scope with its own names; nothing is put around it.
//! Invariant: places in what was lowered, and in what was found wrong, point into the text.

mod asking;
mod kept;
mod literal;
mod range;
#[cfg(test)]
mod tests;

pub(crate) use asking::asking;
pub(crate) use kept::Kept;
pub(crate) use range::range;

use base::{Diagnostic, Diagnostics, FileId, Name, Sources, Span};
use lang_formula::codes::MISFIT;
use lang_math::query::Typing as Gives;
use lang_math::{Binder, Op, Place, Query, QueryName};
use model::{Expr, ExprId, Formula, Kind, Local, LocalId, Model, Ty, TyId, VarId};
use rustc_hash::FxHashMap;
use smallvec::smallvec;
use subject::{Change, FormulaKind, Question, QuestionId, ScopeName, Typing, Value, Wanted};

use crate::Sets;
use crate::free::free_names;
use crate::value::unwrap;

/// A question that was asked.
#[derive(Clone, Debug)]
pub(crate) struct Asked {
    /// The predicate or expression.
    pub(crate) expr: ExprId,
    /// The names that whoever asks for the answer gives values to.
    pub(crate) names: Vec<LocalId>,
    /// The variables whose values before a step the first names stand for.
    pub(crate) before: Vec<VarId>,
}

/// A text in a file.
#[derive(Clone, Copy)]
struct Located {
    file: FileId,
    start: usize,
    end: usize,
}

impl Located {
    /// Where a text stands; one that stands nowhere becomes a file of its own.
    fn of(text: &str, span: Option<Span>, sources: &mut Sources) -> Located {
        if let Some(span) = span.filter(|span| sources.slice(*span) == text) {
            return Located {
                file: span.file,
                start: span.start as usize,
                end: span.end as usize,
            };
        }
        Located {
            file: sources.add("<expression>", text.to_owned()),
            start: 0,
            end: text.len(),
        }
    }

    fn place(self, sources: &Sources) -> Place<'_> {
        Place {
            file: self.file,
            text: sources.text(self.file),
            start: self.start,
            end: self.end,
        }
    }
}

/// Asks a question.
pub(crate) fn ask(
    sets: &mut Sets,
    question: &Question<'_>,
    sources: &mut Sources,
) -> Result<QuestionId, Diagnostics> {
    let text = Located::of(question.text, question.span, sources);
    let mut typings = Vec::new();
    for name in question.scope {
        typings.push(match &name.typing {
            Typing::By(text, span) => Some(Located::of(text, Some(*span), sources)),
            Typing::Like(_) | Typing::Inferred => None,
        });
    }
    let place = text.place(sources);
    let mut names = Vec::new();
    for (name, typing) in question.scope.iter().zip(&typings) {
        let typing = typing.map(|typing| typing.place(sources));
        names.push(own_name(sets, name, typing, place.span()));
    }
    let expected = match question.wanted {
        Wanted::Equal(holder) => Some(sets.ty(holder)),
        _ => None,
    };
    let query = Query {
        place,
        names,
        expected,
        is_before_after: question.wanted == Wanted::BeforeAfter,
    };
    let formula = lower(sets, &query)?;
    let misfit = |what: &str| {
        let message = format!("{what} is needed here");
        let mut diagnostics = Diagnostics::new();
        diagnostics.push(Diagnostic::error(&MISFIT, place.span(), message));
        Err(diagnostics)
    };
    match (question.wanted, formula.is_predicate) {
        (Wanted::Predicate | Wanted::BeforeAfter, false) => return misfit("a predicate"),
        (Wanted::Expression | Wanted::Equal(_), true) => return misfit("an expression"),
        _ => {}
    }
    let mut asked = Asked {
        expr: formula.expr,
        names: formula.names,
        before: formula.before,
    };
    if let Some(ty) = expected {
        let (compare, name) = compared(sets, Op::Equal, ("argument", ty), asked.expr);
        asked.expr = compare;
        asked.names.insert(0, name);
    }
    Ok(add(sets, asked))
}

/// A name of the scope as the front ends take it.
fn own_name<'t>(
    sets: &Sets,
    name: &ScopeName,
    typing: Option<Place<'t>>,
    text: Span,
) -> QueryName<'t, TyId> {
    let gives = match (&name.typing, typing) {
        (Typing::Like(holder), _) => Gives::Is(sets.ty(*holder)),
        (_, Some(place)) => Gives::By(place),
        (_, None) => Gives::Inferred,
    };
    QueryName {
        name: Name::new(&name.name),
        span: typing.map_or(text, |place| place.span()),
        typing: gives,
    }
}

/// Lowers a formula into the model.
fn lower(sets: &mut Sets, query: &Query<'_, TyId>) -> Result<Formula, Diagnostics> {
    let model = std::sync::Arc::make_mut(&mut sets.model);
    let formula = sets.loaded.get().question(&sets.part, model, query);
    sets.refresh();
    formula
}

/// `name op expr`, for a new name of this type.
pub(crate) fn compared(
    sets: &mut Sets,
    op: Op,
    (name, ty): (&str, TyId),
    expr: ExprId,
) -> (ExprId, LocalId) {
    let model = sets.model_mut();
    let span = model.exprs[expr].span;
    let local = model.locals.push(Local {
        name: Name::new(name),
        ty,
        span,
    });
    let left = model.exprs.push(Expr {
        kind: Kind::Local(local),
        ty: Some(ty),
        span,
    });
    let compare = model.exprs.push(Expr {
        kind: Kind::Op(op, smallvec![left, expr]),
        ty: None,
        span,
    });
    (compare, local)
}

fn add(sets: &mut Sets, asked: Asked) -> QuestionId {
    sets.asked.push(asked);
    QuestionId::new(sets.asked.len() - 1)
}

/// What a question is.
pub(crate) fn kind(sets: &Sets, question: QuestionId) -> FormulaKind {
    match sets.model.exprs[sets.asked(question).expr].ty {
        None => FormulaKind::Predicate,
        Some(_) => FormulaKind::Expression,
    }
}

/// How the value of an expression changes.
pub(crate) fn change(
    sets: &mut Sets,
    expression: QuestionId,
    change: Change,
) -> Result<QuestionId, String> {
    let Asked { expr, names, .. } = sets.asked(expression).clone();
    let Some(ty) = sets.model.exprs[expr].ty else {
        return Err("needs an expression".to_owned());
    };
    let op = match change {
        Change::Unchanged => Op::Equal,
        Change::Changed => Op::NotEqual,
        Change::Increasing => Op::Less,
        Change::Decreasing => Op::Greater,
    };
    let is_order = matches!(op, Op::Less | Op::Greater);
    if is_order && !matches!(sets.model.tys[ty], Ty::Int | Ty::Real) {
        return Err("needs a number".to_owned());
    }
    let (compare, before) = compared(sets, op, ("before", ty), expr);
    let asked = Asked {
        expr: compare,
        names: [vec![before], names].concat(),
        before: Vec::new(),
    };
    Ok(add(sets, asked))
}

/// The question with values for some of its names.
pub(crate) fn bind(
    sets: &mut Sets,
    question: QuestionId,
    from: usize,
    values: &[Value],
) -> Option<QuestionId> {
    if values.is_empty() {
        return Some(question);
    }
    let mut asked = sets.asked(question).clone();
    let bound: Vec<LocalId> = asked.names.drain(from..from + values.len()).collect();
    for (name, value) in bound.iter().zip(values) {
        asked.expr = literal::bind(sets.model_mut(), *name, &unwrap(value), asked.expr)?;
    }
    Some(add(sets, asked))
}

/// Whether an expression is a set by its rule.
pub(crate) fn is_rule(model: &Model, expr: ExprId) -> bool {
    matches!(
        &model.exprs[expr].kind,
        Kind::Bind {
            binder: Binder::Comprehension | Binder::Lambda | Binder::Image,
            ..
        }
    )
}

/// A predicate as the set of the values of its unknowns, for solvers. Without unknowns it is a set with one element, or
/// none.
pub(crate) fn solve_scope(
    sets: &mut Sets,
    predicate: &str,
    unknowns: &[String],
    sources: &mut Sources,
) -> Result<ExprId, Diagnostics> {
    let place = Located::of(predicate, None, sources).place(sources);
    let mut names = free_names(sets.loaded.get(), &sets.part, place);
    names.retain(|known| {
        unknowns
            .iter()
            .any(|unknown| unknown == known.name.as_str())
    });
    let names = names.into_iter().map(|binding| QueryName {
        name: binding.name,
        span: binding.span,
        typing: Gives::Inferred,
    });
    let query = Query {
        names: names.collect(),
        ..Query::plain(place)
    };
    let formula = lower(sets, &query)?;
    if !formula.is_predicate {
        let mut diagnostics = Diagnostics::new();
        let message = "a predicate is needed here";
        diagnostics.push(Diagnostic::error(&MISFIT, place.span(), message));
        return Err(diagnostics);
    }
    let (predicate, locals) = match formula.names.is_empty() {
        true => truth_only(sets, formula.expr),
        false => (formula.expr, formula.names),
    };
    Ok(comprehension(sets, locals, predicate))
}

/// An integer expression over the unknowns of a predicate, in which these locals stand for them.
pub(crate) fn objective(
    sets: &mut Sets,
    expression: &str,
    (unknowns, locals): (&[String], &[LocalId]),
    sources: &mut Sources,
) -> Result<ExprId, Diagnostics> {
    let place = Located::of(expression, None, sources).place(sources);
    let names = unknowns
        .iter()
        .zip(locals)
        .map(|(unknown, local)| QueryName {
            name: Name::new(unknown),
            span: place.span(),
            typing: Gives::Is(sets.model.locals[*local].ty),
        });
    let query = Query {
        names: names.collect(),
        expected: Some(sets.model_mut().tys.intern(Ty::Int)),
        ..Query::plain(place)
    };
    let formula = lower(sets, &query)?;
    if formula.is_predicate {
        let mut diagnostics = Diagnostics::new();
        let message = "an integer expression is needed here";
        diagnostics.push(Diagnostic::error(&MISFIT, place.span(), message));
        return Err(diagnostics);
    }
    let meant = formula.names.iter().copied().zip(locals.iter().copied());
    Ok(renamed(sets.model_mut(), formula.expr, &meant.collect()))
}

/// An expression with other locals in the place of some of its own.
fn renamed(model: &mut Model, id: ExprId, meant: &FxHashMap<LocalId, LocalId>) -> ExprId {
    let mut expr = model.exprs[id].clone();
    expr.kind = match expr.kind {
        Kind::Local(local) => Kind::Local(meant.get(&local).copied().unwrap_or(local)),
        kind => kind.map_children(|child| base::deep::recurse(|| renamed(model, child, meant))),
    };
    model.exprs.push(expr)
}

/// The set of the values of these names that satisfy a predicate.
pub(crate) fn comprehension(sets: &mut Sets, names: Vec<LocalId>, predicate: ExprId) -> ExprId {
    let model = sets.model_mut();
    let span = model.exprs[predicate].span;
    let types = names.iter().map(|local| model.locals[*local].ty);
    let tuple = types
        .collect::<Vec<_>>()
        .into_iter()
        .reduce(|left, right| model.tys.intern(Ty::Prod(left, right)));
    let ty = tuple.map(|tuple| model.tys.intern(Ty::Pow(tuple)));
    let comprehension = model.exprs.push(Expr {
        kind: Kind::Bind {
            binder: Binder::Comprehension,
            names,
            predicate,
            value: None,
            symbolic: false,
        },
        ty,
        span,
    });
    sets.refresh();
    comprehension
}

/// `x = TRUE & predicate`, for a new name x.
fn truth_only(sets: &mut Sets, predicate: ExprId) -> (ExprId, Vec<LocalId>) {
    let model = sets.model_mut();
    let span = model.exprs[predicate].span;
    let ty = model.tys.intern(Ty::Bool);
    let truth = model.exprs.push(Expr {
        kind: Kind::Op(Op::True, smallvec![]),
        ty: Some(ty),
        span,
    });
    let (is_true, name) = compared(sets, Op::Equal, ("x", ty), truth);
    (both(sets.model_mut(), is_true, predicate), vec![name])
}

/// `left & right`
pub(crate) fn both(model: &mut Model, left: ExprId, right: ExprId) -> ExprId {
    let span = model.exprs[left].span;
    model.exprs.push(Expr {
        kind: Kind::Op(Op::And, smallvec![left, right]),
        ty: None,
        span,
    })
}
