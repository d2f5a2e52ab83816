//! What the reference evaluator sees of guards and branches: questions about the conjuncts of a guard, as predicates of
//! the model that quantify over the parameters, and the conditions inside bodies as they are evaluated.

use std::collections::BTreeMap;

use lang_math::{Binder, Op};
use model::{Expr, ExprId, Kind, LocalId, Model, Stmt};
use model_interp::{State, StopKind};
use subject::observe::{Observer, Seen, SeenBranch, SeenConjunct};
use subject::{Judge, Value, Wd};

use crate::Sets;
use crate::judge::Referee;

/// What is asked about a conjunct in every state.
struct Question {
    conjunct: ExprId,
    /// It holds, together with those before it.
    is_true: ExprId,
    /// Those before it hold, and it does not.
    is_false: ExprId,
    /// All others hold, and it does not.
    decides: ExprId,
}

/// Looks at states of a model.
struct Guards<'s> {
    referee: Referee<'s>,
    /// For each action the conjuncts of its guard.
    questions: Vec<Vec<Question>>,
    guards: Vec<Vec<SeenConjunct>>,
    /// For each action whether its guard holds for arguments that no choice of its body fits.
    chokes: Vec<Option<ExprId>>,
    cut: Vec<u64>,
    /// Conjuncts that are unknown somewhere, each once, with the first reason.
    unknown: BTreeMap<(usize, usize), String>,
}

/// Somebody who looks at guards and branches; each question may take so many steps.
pub(crate) fn observer(sets: &mut Sets, wd: Wd, budget: u64) -> Box<dyn Observer + '_> {
    let questions = questions(sets.model_mut());
    let chokes = chokes(sets.model_mut());
    sets.refresh();
    let sets: &Sets = sets;
    let model: &Model = &sets.model;
    let mut referee = Referee::new((model, sets.tys.clone()), &[], &[], wd, budget);
    referee.interp.observe();
    let conjunct = |(question, is_typing): &(Question, bool)| SeenConjunct {
        text: model::text::formula(model, question.conjunct),
        is_typing: *is_typing,
        ..SeenConjunct::default()
    };
    Box::new(Guards {
        guards: questions
            .iter()
            .map(|guard| guard.iter().map(conjunct).collect())
            .collect(),
        questions: questions
            .into_iter()
            .map(|guard| guard.into_iter().map(|(question, _)| question).collect())
            .collect(),
        cut: vec![0; chokes.len()],
        chokes,
        unknown: BTreeMap::new(),
        referee,
    })
}

impl Observer for Guards<'_> {
    fn look_at_start(&mut self, setup: Option<&[Option<Value>]>) {
        let setup = match setup {
            Some(values) => self.referee.at(values),
            None => self.referee.beginning(),
        };
        let _ = self
            .referee
            .interp
            .initial(setup.state::<State>(), usize::MAX);
    }

    fn look_at(&mut self, state: &[Option<Value>]) {
        let state = self.referee.at(state);
        let state = state.state::<State>();
        let interp = &mut self.referee.interp;
        for (action, (questions, guard)) in self.questions.iter().zip(&mut self.guards).enumerate()
        {
            // Runs the body of the action, so that its conditions are seen.
            let _ = interp.transitions(action, state);
            if let Some(choke) = self.chokes[action] {
                self.cut[action] += u64::from(interp.holds(choke, state) == Ok(true));
            }
            for (at, (question, seen)) in questions.iter().zip(guard).enumerate() {
                let mut yes = |predicate| match interp.holds(predicate, state) {
                    Ok(truth) => u64::from(truth),
                    Err(stop) => {
                        if stop.is_open() || stop.kind == StopKind::Budget {
                            self.unknown.entry((action, at)).or_insert(stop.reason);
                        }
                        0
                    }
                };
                seen.seen_true += yes(question.is_true);
                seen.seen_false += yes(question.is_false);
                seen.decides += yes(question.decides);
            }
        }
    }

    fn seen(&self) -> Seen {
        let model = self.referee.model;
        let observed = self.referee.interp.observed().into_iter();
        let branch = |(condition, (seen_true, seen_false)): (ExprId, (u64, u64))| SeenBranch {
            span: model.exprs[condition].span,
            text: model::text::formula(model, condition),
            seen_true,
            seen_false,
        };
        let unknown = |((action, at), why): (&(usize, usize), &String)| {
            let name = &model.actions[*action].name;
            format!("{name}: {}: {why}", self.guards[*action][*at].text)
        };
        Seen {
            guards: self.guards.clone(),
            cut: self.cut.clone(),
            branches: observed.map(branch).collect(),
            unknown: self.unknown.iter().map(unknown).collect(),
            ..Seen::default()
        }
    }
}

/// The questions about every action of a model, and whether a conjunct only types a parameter.
fn questions(model: &mut Model) -> Vec<Vec<(Question, bool)>> {
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
            let question = Question {
                conjunct: *conjunct,
                is_true: exists(model, parameters, &is_true),
                is_false: exists(model, parameters, &is_false),
                decides: exists(model, parameters, &decides),
            };
            questions.push((question, is_typing(model, *conjunct, parameters)));
        }
        questions
    };
    let actions = actions.iter();
    actions
        .map(|(parameters, guard)| of_action(model, parameters, guard))
        .collect()
}

/// For each action that is a choice: its guard holds for some arguments, and no values fit its choice.
fn chokes(model: &mut Model) -> Vec<Option<ExprId>> {
    let mut chokes = Vec::with_capacity(model.actions.len());
    let actions: Vec<_> = model
        .actions
        .iter()
        .map(|action| (action.parameters.clone(), action.guard.clone(), action.body))
        .collect();
    for (parameters, guard, body) in actions {
        let Stmt::Any {
            names, predicate, ..
        } = model.stmts[body].clone()
        else {
            chokes.push(None);
            continue;
        };
        let some = exists(model, &names, &[predicate]);
        let none = push(model, Kind::Op(Op::Not, [some].into_iter().collect()), some);
        let conjuncts: Vec<ExprId> = guard.into_iter().chain([none]).collect();
        chokes.push(Some(exists(model, &parameters, &conjuncts)));
    }
    chokes
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
