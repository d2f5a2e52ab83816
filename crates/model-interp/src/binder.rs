//! Quantifiers, comprehensions, lambdas, sums: everything that lets names range over a predicate.
//!
//! Invariant: all are undefined as soon as a candidate that passes the earlier conjuncts is; a quantifier that
//! has found its answer goes on looking unless the rest of its body is total (`docs/meaning.md`).
//! Invariant: a comprehension becomes plain data at once when its predicate bounds its names, so that its
//! definedness is known; otherwise it stays a rule.

use lang_math::{Binder, Op};
use model::{ExprId, Int, Kind, LocalId, Target, Ty};

use crate::apply::tuple;
use crate::env::Env;
use crate::expand::Visit;
use crate::search::{Cut, Item, Plan};
use crate::set::{Closure, Form, Rule, V};
use crate::stop::{Run, Stop};
use crate::total::conjuncts;
use crate::{Flow, Interp, number};

/// A comprehension with more elements than this stays a rule until its elements are asked for.
const EAGER: usize = 100_000;

/// A universal quantifier: where all conditions are true, the body is.
pub(crate) struct Universal {
    pub(crate) names: Vec<LocalId>,
    pub(crate) items: Vec<ExprId>,
    pub(crate) body: ExprId,
}

impl<'m> Interp<'m> {
    /// The value of a binder that forms an expression.
    #[expect(clippy::too_many_arguments, reason = "the parts of `Kind::Bind`")]
    pub(crate) fn bind(
        &mut self,
        id: ExprId,
        binder: Binder,
        names: &[LocalId],
        predicate: ExprId,
        value: Option<ExprId>,
        symbolic: bool,
        env: &Env,
    ) -> Run<V> {
        let form = match binder {
            Binder::Comprehension => Form::Tuples,
            Binder::Lambda => Form::Lambda,
            Binder::Image => Form::Image,
            Binder::Forall | Binder::Exists => {
                return self.quantify(binder, names, predicate, env).map(V::bool);
            }
            Binder::Sum | Binder::Product => {
                return self.accumulate(id, binder, names, predicate, value, env);
            }
            Binder::Union | Binder::Inter => {
                return self.gather(binder, names, predicate, value, env);
            }
        };
        let closure = Closure {
            form,
            names: names.to_vec(),
            predicate,
            value,
            env: env.clone(),
        };
        let defines_itself = match env.own() {
            Some((own, _)) => self.mentions(id).contains(&Target::Var(own)),
            None => false,
        };
        if symbolic || defines_itself {
            return Ok(V::rule(Rule::Closure(closure)));
        }
        match self.closure_elements(&closure, Cut::Refused) {
            Err(stop) if stop.is_open() => Ok(V::rule(Rule::Closure(closure))),
            listed => listed,
        }
    }

    /// The truth of a quantifier.
    pub(crate) fn quantify(
        &mut self,
        binder: Binder,
        names: &[LocalId],
        predicate: ExprId,
        env: &Env,
    ) -> Run<bool> {
        let model = self.model;
        let for_all = binder == Binder::Forall;
        let (all, items, mut body) = match for_all {
            true => {
                let Universal { names, items, body } = self.universal(names, predicate);
                (names, items, Some(body))
            }
            false => (names.to_vec(), conjuncts(model, predicate), None),
        };
        let may_exit = self.is_total(predicate);
        let mut decided = false;
        let unknown = locals(&all);
        let mut items: Vec<Item> = items.into_iter().map(Item::Holds).collect();
        // Where it is false, a body that always has a value says something about the names.
        if let Some(total) = body.take_if(|body| self.is_total(*body)) {
            items.push(Item::Fails(total));
        }
        let searched = self.search(&unknown, items, env, Plan::FORMULA, &mut |interp, env| {
            let hit = match body.map(|body| interp.test(body, env)) {
                Some(Ok(truth)) => !truth,
                Some(Err(stop)) if stop.is_open() => {
                    interp.doubts(stop);
                    false
                }
                Some(Err(stop)) => return Err(stop),
                None => true,
            };
            decided |= hit;
            Ok(if hit && may_exit {
                Flow::Stop
            } else {
                Flow::Continue
            })
        });
        match searched {
            // A hit is one whatever was not looked at.
            Err(stop) if stop.is_open() && decided => {}
            Err(stop) if stop.is_open() => {
                return self
                    .decided_near(names, predicate, !for_all, env)
                    .ok_or(stop);
            }
            searched => {
                searched?;
            }
        }
        Ok(decided != for_all)
    }

    /// A universal quantifier as one implication. A second one that follows belongs to it where nothing was said of some name before:
    /// all values of its type would be tried.
    pub(crate) fn universal(&mut self, names: &[LocalId], predicate: ExprId) -> Universal {
        let model = self.model;
        let mut all = Universal {
            names: names.to_vec(),
            items: Vec::new(),
            body: predicate,
        };
        loop {
            match &model.exprs[all.body].kind {
                Kind::Op(Op::Implies, sides) => {
                    all.items.extend(conjuncts(model, sides[0]));
                    all.body = sides[1];
                }
                Kind::Bind {
                    binder: Binder::Forall,
                    names,
                    predicate,
                    ..
                } if !self.are_mentioned(&all) => {
                    all.names.extend(names);
                    all.body = *predicate;
                }
                _ => return all,
            }
        }
    }

    /// Whether each name is mentioned by some condition.
    fn are_mentioned(&mut self, all: &Universal) -> bool {
        all.names.iter().all(|name| {
            let mut items = all.items.iter();
            items.any(|item| self.mentions(*item).contains(&Target::Local(*name)))
        })
    }

    /// `SIGMA` and `PI`: over valuations, not over distinct values.
    // Seven arguments: the parts of `Kind::Bind`.
    fn accumulate(
        &mut self,
        id: ExprId,
        binder: Binder,
        names: &[LocalId],
        predicate: ExprId,
        value: Option<ExprId>,
        env: &Env,
    ) -> Run<V> {
        let (op, start) = if binder == Binder::Sum {
            (Op::Add, 0)
        } else {
            (Op::Times, 1)
        };
        let is_real = self.model.exprs[id]
            .ty
            .is_some_and(|ty| self.model.tys[ty] == Ty::Real);
        let mut total = if is_real {
            V::Plain(number::real(f64::from(start))?)
        } else {
            V::int(Int::Small(i64::from(start)))
        };
        self.each_value(names, predicate, value, env, &mut |interp, value| {
            total = interp.calculate(op, &[total.clone(), value])?;
            Ok(())
        })?;
        Ok(total)
    }

    /// `UNION` and `INTER`.
    fn gather(
        &mut self,
        binder: Binder,
        names: &[LocalId],
        predicate: ExprId,
        value: Option<ExprId>,
        env: &Env,
    ) -> Run<V> {
        let op = if binder == Binder::Union {
            Op::Union
        } else {
            Op::Intersection
        };
        let mut all: Option<V> = None;
        self.each_value(names, predicate, value, env, &mut |interp, set| {
            let set = interp.settle(set)?;
            all = Some(match all.take() {
                None => set,
                Some(known) => interp.combine(op, known, set)?,
            });
            Ok(())
        })?;
        match all {
            Some(all) => Ok(all),
            None if binder == Binder::Union => Ok(V::empty()),
            None => Err(Stop::undefined("INTER over nothing")),
        }
    }

    /// The value of an expression for each valuation of the names that satisfies the predicate.
    fn each_value(
        &mut self,
        names: &[LocalId],
        predicate: ExprId,
        value: Option<ExprId>,
        env: &Env,
        visit: &mut dyn FnMut(&mut Interp<'m>, V) -> Run<()>,
    ) -> Run<()> {
        self.solve(
            &locals(names),
            predicate,
            env,
            Plan::FORMULA,
            &mut |interp, env| {
                if let Some(value) = value {
                    let value = interp.value(value, env)?;
                    visit(interp, value)?;
                }
                Ok(Flow::Continue)
            },
        )?;
        Ok(())
    }

    /// All elements of a comprehension; `Open` when a name has no bounds.
    pub(crate) fn closure_elements(&mut self, closure: &Closure, cut: Cut) -> Run<V> {
        let mut found = Vec::new();
        self.closure_each(closure, cut, &mut |interp, element| {
            if cut == Cut::Refused && found.len() >= EAGER {
                return Err(Stop::open(format!("more than {EAGER} elements")));
            }
            found.push(interp.settle(element)?);
            Ok(Flow::Continue)
        })?;
        self.listed(found)
    }

    /// Visits the elements of a comprehension; those of `{x . P | E}` once for each valuation.
    pub(crate) fn closure_each(
        &mut self,
        closure: &Closure,
        cut: Cut,
        visit: &mut Visit<'_, 'm>,
    ) -> Run<Flow> {
        let plan = Plan {
            cut,
            ..Plan::FORMULA
        };
        self.enter(|interp| {
            interp.solve(
                &locals(&closure.names),
                closure.predicate,
                &closure.env,
                plan,
                &mut |interp, env| {
                    let names = closure.names.iter().map(|name| env.local(*name).cloned());
                    let Some(names) = tuple(names) else {
                        return Ok(Flow::Continue);
                    };
                    let element = match (closure.form, closure.value) {
                        (Form::Lambda, Some(value)) => {
                            let value = interp.value(value, env)?;
                            let value = interp.settle(value)?;
                            V::pair(names, value)
                        }
                        (Form::Image, Some(value)) => interp.value(value, env)?,
                        _ => names,
                    };
                    visit(interp, element)
                },
            )
        })
    }

    /// Visits the valuations of a comprehension for which further terms have given values.
    pub(crate) fn closure_search(
        &mut self,
        closure: &Closure,
        given: &[(ExprId, V)],
        visit: &mut dyn FnMut(&mut Self, &Env) -> Run<Flow>,
    ) -> Run<Flow> {
        let mut items: Vec<Item> = conjuncts(self.model, closure.predicate)
            .into_iter()
            .map(Item::Holds)
            .collect();
        items.extend(
            given
                .iter()
                .map(|(term, value)| Item::Is(*term, value.clone())),
        );
        self.enter(|interp| {
            interp.search(
                &locals(&closure.names),
                items,
                &closure.env,
                Plan::FORMULA,
                visit,
            )
        })
    }
}

/// Locals as unknowns.
pub(crate) fn locals(names: &[LocalId]) -> Vec<Target> {
    names.iter().map(|name| Target::Local(*name)).collect()
}
