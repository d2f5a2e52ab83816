//! What the conjuncts say of the values of an unknown function, point by point: `f(a) = E`, `!x.(P => f(x) = E)`, sets that
//! the values are in, and of functions whose values are functions also the values of those.
//!
//! Technique: a value that is a function is known when its domain and its value at each place of that are:
//! `size(f(x)) = n & !j.(j : 1..n => f(x)(j) = E)`. `E` may apply `f` to other points, so this is dynamic programming.
//! Invariant: where the conjuncts are true, the value of the function is the one that a rule gives; a rule that cannot be
//! evaluated gives none.

use lang_math::{Binder, Op};
use model::{ExprId, Kind, LocalId};

use super::Planning;
use crate::code::f;
use crate::cx::F;
use crate::plan::{Rule, Unknown};
use crate::trap::Cause;
use crate::value::V;

/// What fixes the values of a function.
pub(super) struct Rules {
    /// Without looking at the function.
    pub plain: Vec<Rule>,
    /// By its values at other points.
    pub own: Vec<Rule>,
    /// Sets that values are in.
    pub among: Vec<Rule>,
    /// Whether the function has a value at every point.
    is_total: bool,
}

impl Rules {
    /// None yet.
    pub(super) fn of(is_total: bool) -> Rules {
        Rules {
            plain: Vec::new(),
            own: Vec::new(),
            among: Vec::new(),
            is_total,
        }
    }

    fn add(&mut self, rule: Rule, plain: bool) {
        if plain {
            self.plain.push(rule);
        } else {
            self.own.push(rule);
        }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.plain.is_empty() && self.own.is_empty() && self.among.is_empty()
    }
}

/// What holds at every point that satisfies the conditions.
struct Scope<'p> {
    unknown: Unknown,
    /// The name of the point.
    name: LocalId,
    conditions: Vec<ExprId>,
    /// All that is said of the point there.
    parts: &'p [ExprId],
}

impl Planning<'_, '_> {
    /// `f~(b) = a`
    pub(super) fn inverse_rule(&self, expr: ExprId, unknown: Unknown, rules: &mut Rules) {
        let Kind::Op(Op::Equal, args) = self.kind(expr) else {
            return;
        };
        for (applied, point) in [(args[0], args[1]), (args[1], args[0])] {
            if let Kind::Apply(function, value) = self.kind(applied)
                && let Kind::Op(Op::Inverse, inner) = self.kind(*function)
                && self.open(inner[0]) == Some(unknown)
                && self.known(*value)
                && self.known(point)
            {
                let compiler = self.compiler;
                let rule = Rule::Point(compiler.value(point), compiler.value(*value));
                rules.add(rule, true);
            }
        }
    }

    /// Rules that give the value at a point: `f(a) = E`, or `!x.(P => f(x) = E)`.
    pub(super) fn rules(&self, expr: ExprId, unknown: Unknown, rules: &mut Rules) {
        match self.kind(expr) {
            Kind::Op(Op::Equal, args) => {
                for (a, b) in [(args[0], args[1]), (args[1], args[0])] {
                    if let Some(point) = self.applied(a, unknown)
                        && self.known(point)
                    {
                        let rule = Rule::Point(self.compiler.value(point), self.compiler.value(b));
                        rules.add(rule, self.known(b));
                    }
                }
            }
            Kind::Bind {
                binder: Binder::Forall,
                names,
                predicate,
                ..
            } => {
                let [name] = names.as_slice() else {
                    return;
                };
                let Kind::Op(Op::Implies, sides) = self.kind(*predicate) else {
                    return;
                };
                let Some(conditions) = self.conditions(sides[0], *name, unknown, rules.is_total)
                else {
                    return;
                };
                let parts = self.compiler.chain(Op::And, sides[1]);
                for part in &parts {
                    match self.kind(*part) {
                        Kind::Op(Op::Implies, case) if self.known(case[0]) => {
                            let inner = self.compiler.chain(Op::And, case[1]);
                            let scope = Scope {
                                unknown,
                                name: *name,
                                conditions: [conditions.as_slice(), &[case[0]]].concat(),
                                parts: &inner,
                            };
                            for part in &inner {
                                self.rule_for(*part, &scope, rules);
                            }
                        }
                        _ => {
                            let scope = Scope {
                                unknown,
                                name: *name,
                                conditions: conditions.clone(),
                                parts: &parts,
                            };
                            self.rule_for(*part, &scope, rules);
                        }
                    }
                }
            }
            _ => {}
        }
    }

    /// Whether a conjunct is about all points of a total function (`!x.(x : dom(f) => P)`), which it only applies otherwise. On a
    /// part of the function it says too little to be settled, but its rules hold.
    pub(super) fn is_over_domain(&self, expr: ExprId, unknown: Unknown, rules: &Rules) -> bool {
        let Kind::Bind {
            binder: Binder::Forall,
            names,
            predicate,
            ..
        } = self.kind(expr)
        else {
            return false;
        };
        match (names.as_slice(), self.kind(*predicate)) {
            ([name], Kind::Op(Op::Implies, sides)) => {
                self.conditions(sides[0], *name, unknown, rules.is_total)
                    .is_some()
                    && self.only_applied(sides[1], unknown)
            }
            _ => false,
        }
    }

    /// What a point satisfies, without that it is in the domain of a total function; nothing when it is not known.
    fn conditions(
        &self,
        condition: ExprId,
        name: LocalId,
        unknown: Unknown,
        is_total: bool,
    ) -> Option<Vec<ExprId>> {
        let mut conditions = self.compiler.chain(Op::And, condition);
        conditions.retain(|part| {
            let is_in_domain = match self.kind(*part) {
                Kind::Op(Op::Member, sides) => {
                    self.is_local(sides[0], name)
                        && matches!(self.kind(sides[1]), Kind::Op(Op::Domain, of)
                            if self.open(of[0]) == Some(unknown))
                }
                _ => false,
            };
            !is_total || !is_in_domain
        });
        conditions
            .iter()
            .all(|part| self.known(*part))
            .then_some(conditions)
    }

    fn is_local(&self, expr: ExprId, name: LocalId) -> bool {
        matches!(self.kind(expr), Kind::Local(local) if *local == name)
    }

    /// Whether an expression is `f(x)` for the point of a scope.
    fn is_at(&self, expr: ExprId, scope: &Scope<'_>) -> bool {
        self.applied(expr, scope.unknown)
            .is_some_and(|point| self.is_local(point, scope.name))
    }

    /// `f(x) = E`, `f(x) : S` or `!j.(j : D => f(x)(j) = E)` for every `x` that satisfies the conditions.
    fn rule_for(&self, part: ExprId, scope: &Scope<'_>, rules: &mut Rules) {
        match self.kind(part) {
            Kind::Op(Op::Equal, args) => {
                for (a, b) in [(args[0], args[1]), (args[1], args[0])] {
                    if self.is_at(a, scope) {
                        let value = self.compiler.value(b);
                        let rule = Rule::Each(scope.name, self.all(&scope.conditions), value);
                        rules.add(rule, self.known(b));
                    }
                }
            }
            Kind::Op(Op::Member, args) if self.is_at(args[0], scope) && self.known(args[1]) => {
                let set = self.compiler.lazy(args[1]);
                let all = self.all(&scope.conditions);
                rules.among.push(Rule::Each(scope.name, all, set));
            }
            Kind::Bind {
                binder: Binder::Forall,
                names,
                predicate,
                ..
            } => {
                if let ([place], Kind::Op(Op::Implies, sides)) =
                    (names.as_slice(), self.kind(*predicate))
                {
                    self.function_rule((*place, sides[0], sides[1]), scope, rules);
                }
            }
            _ => {}
        }
    }

    /// Whether a point satisfies all conditions.
    fn all(&self, conditions: &[ExprId]) -> F<bool> {
        let conditions: Vec<F<bool>> = conditions
            .iter()
            .map(|condition| self.compiler.predicate(*condition))
            .collect();
        f(move |cx| {
            for condition in &conditions {
                if !condition(cx)? {
                    return Ok(false);
                }
            }
            Ok(true)
        })
    }

    /// `j : D => f(x)(j) = E` for every `j`, where something says that `D` is the domain of `f(x)`.
    fn function_rule(
        &self,
        (place, condition, body): (LocalId, ExprId, ExprId),
        scope: &Scope<'_>,
        rules: &mut Rules,
    ) {
        let Kind::Op(Op::Member, sides) = self.kind(condition) else {
            return;
        };
        let places = sides[1];
        let is_fixed = !self.compiler.facts.of(places).locals.contains(&place);
        if !self.is_local(sides[0], place) || !is_fixed || !self.known(places) {
            return;
        }
        let Some(domain) = scope
            .parts
            .iter()
            .find_map(|part| self.domain_at(*part, scope))
        else {
            return;
        };
        let compiler = self.compiler;
        let is_there = |expr: ExprId| match self.kind(expr) {
            Kind::Apply(function, argument) => {
                self.is_at(*function, scope) && self.is_local(*argument, place)
            }
            _ => false,
        };
        for part in compiler.chain(Op::And, body) {
            let Kind::Op(Op::Equal, args) = self.kind(part) else {
                continue;
            };
            for (a, b) in [(args[0], args[1]), (args[1], args[0])] {
                let Kind::Apply(function, _) = self.kind(a) else {
                    continue;
                };
                if !is_there(a) {
                    continue;
                }
                let ty = compiler.ty(*function);
                let (places, value) = (compiler.value(places), compiler.value(b));
                let domain = domain.clone();
                let function = f(move |cx| {
                    let places = places(cx)?;
                    let domain = domain(cx)?;
                    let places = cx.elements(&places)?.into_vec();
                    if cx.elements(&domain)?.into_vec() != places {
                        return Err(Cause::OutsideDomain.trap());
                    }
                    let pair = cx.reps().element(ty);
                    let mut pairs = Vec::with_capacity(places.len());
                    for at in places {
                        cx.bind(place, at.clone());
                        let value = value(cx)?;
                        pairs.push(cx.reps().join(pair, at, value));
                    }
                    Ok(cx.reps().set(ty, pairs))
                });
                let all = self.all(&scope.conditions);
                rules.add(Rule::Each(scope.name, all, function), self.known(b));
            }
        }
    }

    /// The domain of `f(x)`, from `size(f(x)) = n`, `dom(f(x)) = D` or `f(x) : D --> T`.
    fn domain_at(&self, part: ExprId, scope: &Scope<'_>) -> Option<F<V>> {
        let compiler = self.compiler;
        match self.kind(part) {
            Kind::Op(Op::Equal, args) => [(args[0], args[1]), (args[1], args[0])]
                .into_iter()
                .find_map(|(a, b)| {
                    let Kind::Op(op, of) = self.kind(a) else {
                        return None;
                    };
                    if !self.known(b) || !self.is_at(*of.first()?, scope) {
                        return None;
                    }
                    match op {
                        Op::Domain => Some(compiler.value(b)),
                        Op::Size => {
                            let size = compiler.int(b);
                            Some(f(move |cx| match size.value(cx)?.small() {
                                Some(size) if size <= cx.program.max_set as i64 => {
                                    Ok(V::listed((1..=size).map(V::Int).collect()))
                                }
                                _ => Err(Cause::TooLarge.trap()),
                            }))
                        }
                        _ => None,
                    }
                }),
            Kind::Op(Op::Member, args) if self.is_at(args[0], scope) => match self.kind(args[1]) {
                Kind::Op(
                    Op::TotalFunctions
                    | Op::TotalInjections
                    | Op::TotalSurjections
                    | Op::TotalBijections,
                    sides,
                ) if self.known(sides[0]) => Some(compiler.value(sides[0])),
                _ => None,
            },
            _ => None,
        }
    }

    /// `a` of `f(a)`.
    pub(super) fn applied(&self, expr: ExprId, unknown: Unknown) -> Option<ExprId> {
        match self.kind(expr) {
            Kind::Apply(function, argument) if self.open(*function) == Some(unknown) => {
                Some(*argument)
            }
            _ => None,
        }
    }
}
