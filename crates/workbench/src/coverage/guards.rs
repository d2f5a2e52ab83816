//! Questions about the conjuncts of a guard, as predicates of the model that quantify over the parameters.

use lang_math::{Binder, Op};
use model::{Expr, ExprId, Kind, LocalId, Model};
use model_interp::{Interp, State};

use super::ConjunctCoverage;
use crate::runnable::Runnable;

/// What is asked about a conjunct in every state.
pub(super) struct Question {
    conjunct: ExprId,
    /// It holds, together with those before it.
    is_true: ExprId,
    /// Those before it hold, and it does not.
    is_false: ExprId,
    /// All others hold, and it does not.
    decides: ExprId,
    typing: bool,
}

/// In how many states the answers were yes.
#[derive(Clone, Copy, Default)]
pub(super) struct Seen {
    is_true: u64,
    is_false: u64,
    decides: u64,
}

impl Seen {
    pub(super) fn look(&mut self, question: &Question, interp: &mut Interp<'_>, state: &State) {
        let mut yes = |predicate| u64::from(interp.holds(predicate, state) == Ok(true));
        self.is_true += yes(question.is_true);
        self.is_false += yes(question.is_false);
        self.decides += yes(question.decides);
    }

    pub(super) fn conjunct(self, question: &Question, model: &Model) -> ConjunctCoverage {
        ConjunctCoverage {
            text: model::text::formula(model, question.conjunct),
            seen_true: self.is_true,
            seen_false: self.is_false,
            decides: self.decides,
            typing: question.typing,
        }
    }
}

/// The questions about every action of a model.
pub(super) fn questions(runnable: &mut Runnable) -> Vec<Vec<Question>> {
    let model = runnable.model_mut();
    let actions: Vec<(Vec<LocalId>, Vec<ExprId>)> = model
        .actions
        .iter()
        .map(|action| {
            let guard = action.guard.iter().flat_map(|one| conjuncts(model, *one));
            (action.parameters.clone(), guard.collect())
        })
        .collect();
    let of_action = |model: &mut Model, parameters: &[LocalId], guard: &[ExprId]| {
        let mut questions = Vec::new();
        for (at, conjunct) in guard.iter().enumerate() {
            let negated = push(
                model,
                Kind::Op(Op::Not, [*conjunct].into_iter().collect()),
                *conjunct,
            );
            let before = guard[..at].iter().copied();
            let others = before.clone().chain(guard[at + 1..].iter().copied());
            let is_true: Vec<ExprId> = before.clone().chain([*conjunct]).collect();
            let is_false: Vec<ExprId> = before.chain([negated]).collect();
            let decides: Vec<ExprId> = others.chain([negated]).collect();
            questions.push(Question {
                conjunct: *conjunct,
                is_true: exists(model, parameters, &is_true),
                is_false: exists(model, parameters, &is_false),
                decides: exists(model, parameters, &decides),
                typing: is_typing(model, *conjunct, parameters),
            });
        }
        questions
    };
    let actions = actions.iter();
    actions
        .map(|(parameters, guard)| of_action(model, parameters, guard))
        .collect()
}

fn push(model: &mut Model, kind: Kind, like: ExprId) -> ExprId {
    let span = model.exprs[like].span;
    model.exprs.push(Expr {
        kind,
        ty: None,
        span,
    })
}

fn exists(model: &mut Model, parameters: &[LocalId], conjuncts: &[ExprId]) -> ExprId {
    let mut all = conjuncts[0];
    for conjunct in &conjuncts[1..] {
        all = push(
            model,
            Kind::Op(Op::And, [all, *conjunct].into_iter().collect()),
            *conjunct,
        );
    }
    if parameters.is_empty() {
        return all;
    }
    let kind = Kind::Bind {
        binder: Binder::Exists,
        names: parameters.to_vec(),
        predicate: all,
        value: None,
        symbolic: false,
    };
    push(model, kind, conjuncts[0])
}

fn conjuncts(model: &Model, id: ExprId) -> Vec<ExprId> {
    match &model.exprs[id].kind {
        Kind::Op(Op::And, parts) => parts
            .iter()
            .flat_map(|part| conjuncts(model, *part))
            .collect(),
        _ => vec![id],
    }
}

/// Whether a conjunct says of a parameter only that it is in a set that no variable changes.
fn is_typing(model: &Model, conjunct: ExprId, parameters: &[LocalId]) -> bool {
    let Kind::Op(Op::Member, sides) = &model.exprs[conjunct].kind else {
        return false;
    };
    let is_parameter =
        matches!(&model.exprs[sides[0]].kind, Kind::Local(local) if parameters.contains(local));
    let mut changes = false;
    model.walk(sides[1], &mut |expr| match &expr.kind {
        Kind::Var(id) => changes |= !model.variables[*id].is_constant,
        Kind::Local(local) => changes |= parameters.contains(local),
        _ => {}
    });
    is_parameter && !changes
}
