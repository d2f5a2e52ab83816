//! Why a predicate is false: its smallest false parts and the values of the terms in them.

use base::{Name, Span};
use lang_math::{Binder, Op};
use model::{ExprId, Kind, Target};

use crate::binder::{Universal, locals};
use crate::env::{Env, State};
use crate::search::{Item, Plan};
use crate::set::{Rule, V};
use crate::stop::{Run, Stop};
use crate::total::{children, conjuncts};
use crate::{Flow, Interp};

/// A smallest false (or undefined) part of a predicate.
#[derive(Clone, Debug)]
pub struct Explanation {
    /// The part.
    pub predicate: ExprId,
    /// Where it stands.
    pub span: Span,
    /// Names bound on the way to it, with the values for which it is false.
    pub bindings: Vec<(Name, String)>,
    /// The terms of the part that are not literals, with their values.
    pub terms: Vec<Term>,
    /// An element that shows why an inclusion or an equality of sets is false.
    pub witness: Option<String>,
    /// Why the part has no truth value, if it has none.
    pub undefined: Option<Stop>,
}

/// A term and its value.
#[derive(Clone, Debug)]
pub struct Term {
    /// The term.
    pub expr: ExprId,
    /// Where it stands.
    pub span: Span,
    /// Its value in canonical notation, or why it has none.
    pub value: String,
}

/// How many parts are explained at most: a disjunction has many false branches.
const MAX_PARTS: usize = 8;

/// More steps are not spent on the value of one term.
const SHOWN_STEPS: u64 = 1_000_000;
/// Sets that operators make are not listed when they may have more elements.
const SHOWN_ELEMENTS: f64 = 100_000.0;

impl Interp<'_> {
    /// The smallest false parts of a predicate that is false (or undefined) in a state.
    pub fn explain(&mut self, predicate: ExprId, state: &State) -> Vec<Explanation> {
        self.begin();
        self.parts(predicate, &Env::of(state))
    }

    /// The smallest false parts of a predicate.
    pub(crate) fn parts(&mut self, predicate: ExprId, env: &Env) -> Vec<Explanation> {
        let mut found = Vec::new();
        self.explain_in(predicate, env, &mut Vec::new(), &mut found);
        found.truncate(MAX_PARTS);
        found
    }

    /// A predicate that has names without a value, with the terms that have none.
    pub(crate) fn open_part(&mut self, predicate: ExprId, env: &Env) -> Explanation {
        let mut terms = Vec::new();
        self.terms(predicate, env, &mut terms);
        Explanation {
            predicate,
            span: self.model.exprs[predicate].span,
            bindings: Vec::new(),
            terms,
            witness: None,
            undefined: None,
        }
    }

    fn explain_in(
        &mut self,
        id: ExprId,
        env: &Env,
        bindings: &mut Vec<(Name, String)>,
        found: &mut Vec<Explanation>,
    ) {
        if found.len() >= MAX_PARTS {
            return;
        }
        let model = self.model;
        match &model.exprs[id].kind {
            Kind::Op(Op::And, _) => {
                for conjunct in conjuncts(model, id) {
                    if !matches!(self.test(conjunct, env), Ok(true)) {
                        return self.explain_in(conjunct, env, bindings, found);
                    }
                }
            }
            Kind::Op(Op::Or, branches) => {
                for branch in branches {
                    if !matches!(self.test(*branch, env), Ok(true)) {
                        self.explain_in(*branch, env, bindings, found);
                    }
                }
                return;
            }
            Kind::Op(Op::Implies, sides) if matches!(self.test(sides[0], env), Ok(true)) => {
                return self.explain_in(sides[1], env, bindings, found);
            }
            Kind::If(condition, then, otherwise) => {
                if let Ok(truth) = self.test(*condition, env) {
                    let chosen = if truth { then } else { otherwise };
                    return self.explain_in(*chosen, env, bindings, found);
                }
            }
            Kind::Let(name, value, body) => {
                if let Ok(value) = self.value(*value, env) {
                    bindings.push((model.locals[*name].name, self.show(&value)));
                    let env = env.bind(Target::Local(*name), value);
                    self.explain_in(*body, &env, bindings, found);
                    bindings.pop();
                    return;
                }
            }
            Kind::Bind {
                binder: Binder::Forall,
                names,
                predicate,
                ..
            } => {
                let all = self.universal(names, *predicate);
                if let Ok(Some(inner)) = self.counterexample(&all, env) {
                    let depth = bindings.len();
                    for name in &all.names {
                        if let Some(value) = inner.local(*name) {
                            bindings.push((model.locals[*name].name, self.show(value)));
                        }
                    }
                    self.explain_in(all.body, &inner, bindings, found);
                    bindings.truncate(depth);
                    return;
                }
            }
            _ => {}
        }
        let part = self.part(id, env, bindings);
        found.push(part);
    }

    /// A valuation for which the body of a universal quantifier is false.
    fn counterexample(&mut self, all: &Universal, env: &Env) -> Run<Option<Env>> {
        let items = all.items.iter().copied().map(Item::Holds).collect();
        let mut found = None;
        self.search(
            &locals(&all.names),
            items,
            env,
            Plan::FORMULA,
            &mut |interp, env| {
                if matches!(interp.test(all.body, env), Ok(true)) {
                    return Ok(Flow::Continue);
                }
                found = Some(env.clone());
                Ok(Flow::Stop)
            },
        )?;
        Ok(found)
    }

    fn part(&mut self, id: ExprId, env: &Env, bindings: &[(Name, String)]) -> Explanation {
        let model = self.model;
        let mut terms = Vec::new();
        self.terms(id, env, &mut terms);
        let witness = match &model.exprs[id].kind {
            Kind::Op(op @ (Op::Subset | Op::StrictSubset | Op::Equal), sides) => {
                self.witness(*op, sides[0], sides[1], env)
            }
            _ => None,
        };
        Explanation {
            predicate: id,
            span: model.exprs[id].span,
            bindings: bindings.to_vec(),
            terms,
            witness,
            undefined: self.test(id, env).err(),
        }
    }

    /// The operands of a part and the names in them, each once, literals left out.
    fn terms(&mut self, id: ExprId, env: &Env, found: &mut Vec<Term>) {
        let model = self.model;
        for child in children(&model.exprs[id].kind) {
            let expr = &model.exprs[child];
            let closed = self
                .mentions(child)
                .iter()
                .all(|target| matches!(target, Target::Var(_)) || env.get(*target).is_some());
            if !closed {
                continue;
            }
            let is_constant = self.mentions(child).is_empty();
            if expr.ty.is_some() && !is_constant {
                let same_text =
                    found
                        .iter()
                        .any(|term| match (&model.exprs[term.expr].kind, &expr.kind) {
                            (Kind::Var(a), Kind::Var(b)) => a == b,
                            (Kind::Local(a), Kind::Local(b)) => a == b,
                            _ => false,
                        });
                if !same_text {
                    let value = self.shown(child, env);
                    found.push(Term {
                        expr: child,
                        span: expr.span,
                        value,
                    });
                }
            }
            if !matches!(expr.kind, Kind::Bind { .. }) {
                base::deep::recurse(|| self.terms(child, env, found));
            }
        }
    }

    /// The value of a term, or why it is not shown. What explains a finding must not cost more than finding it.
    fn shown(&mut self, term: ExprId, env: &Env) -> String {
        let budget = self.options.budget;
        self.options.budget = budget.min(self.steps.saturating_add(SHOWN_STEPS));
        let value = self.value(term, env).and_then(|value| {
            let is_space = matches!(&value, V::Rule(rule) if matches!(**rule, Rule::Made(..)));
            match is_space && self.hint(&value) > SHOWN_ELEMENTS {
                true => Err(Stop::open("too large to be shown")),
                false => self.force(&value),
            }
        });
        self.options.budget = budget;
        match value {
            Ok(value) => value.told(&self.model.tys),
            Err(stop) => format!("({})", stop.reason),
        }
    }

    /// An element of the left set that the right one lacks.
    fn witness(&mut self, op: Op, left: ExprId, right: ExprId, env: &Env) -> Option<String> {
        let left = self.value(left, env).ok()?;
        let right = self.value(right, env).ok()?;
        let lacks = |interp: &mut Self, from: &V, of: &V| {
            let mut found = None;
            interp
                .for_each(from, &mut |interp, element| {
                    if !interp.member(&element, of)? {
                        found = Some(interp.show(&element));
                        return Ok(Flow::Stop);
                    }
                    Ok(Flow::Continue)
                })
                .ok()?;
            found
        };
        if let Some(element) = lacks(self, &left, &right) {
            return Some(format!("{element} is not in the right set"));
        }
        if op == Op::Equal {
            return lacks(self, &right, &left)
                .map(|element| format!("{element} is not in the left set"));
        }
        None
    }
}
