//! The best solutions of a predicate: those for which an expression is least or greatest.
//!
//! Technique: after a solution the solver is asked for one that is better by a step, and the step doubles. Where there is
//! none the best lies between, and the solver is asked about the middle. Where the answer is not known the step is one
//! again, and when that is not known either the best so far is all that can be said.
//! Invariant: a best is proven only when the solver says that nothing is better, and nothing was cut.

use base::{Diagnostics, Sources};
use lang_math::Op;
use model::{Expr, ExprId, Int, Kind, LocalId, Model, Ty, Value as Inner};
use num_bigint::BigInt;
use pins::{Fault, Flow, Notes};
use smallvec::smallvec;
use subject::solving::{Aim, Best, Ended, Goal};

use crate::value::wrap;
use crate::{Sets, questions};

/// The values of the unknowns, as they are found.
pub(super) type Take<'a> = &'a mut dyn FnMut(&[Option<Inner>]) -> Flow;

/// Finds the solutions of a comprehension.
pub(super) type Ask<'a> = &'a dyn Fn(&Model, ExprId, Take<'_>) -> (Result<(), Fault>, Notes);

/// What is not known: how a search ended.
type Unknown = (Result<(), Fault>, Notes);

/// The answer to a question about one solution.
enum Answer {
    Solution(Vec<Option<Inner>>, BigInt),
    /// There is none.
    None,
    Unknown(Unknown),
}

/// A search for the best.
struct Search<'s> {
    sets: &'s mut Sets,
    /// The unknowns and what they satisfy, with the value of the expression as the last one.
    names: Vec<LocalId>,
    predicate: ExprId,
    goal: Goal,
    ask: Ask<'s>,
}

/// Gives the best solutions of a comprehension, or the best that were found.
pub(super) fn best(
    sets: &mut Sets,
    (comprehension, unknowns): (ExprId, &[String]),
    aim: &Aim<'_>,
    sources: &mut Sources,
    (ask, give): (Ask<'_>, Take<'_>),
) -> Result<Ended, Diagnostics> {
    let Kind::Bind {
        names, predicate, ..
    } = sets.model.exprs[comprehension].kind.clone()
    else {
        unreachable!("what is solved is a comprehension");
    };
    let objective = questions::objective(sets, aim.expression, (unknowns, &names), sources)?;
    let mut search = Search::new(sets, (names, predicate), objective, aim.goal, ask);
    Ok(search.run(aim.wants_all, give))
}

impl<'s> Search<'s> {
    fn new(
        sets: &'s mut Sets,
        (mut names, predicate): (Vec<LocalId>, ExprId),
        objective: ExprId,
        goal: Goal,
        ask: Ask<'s>,
    ) -> Search<'s> {
        let integer = sets.model_mut().tys.intern(Ty::Int);
        let (is_value, value) = questions::compared(sets, Op::Equal, ("value", integer), objective);
        names.push(value);
        let predicate = questions::both(sets.model_mut(), predicate, is_value);
        Search {
            sets,
            names,
            predicate,
            goal,
            ask,
        }
    }

    fn run(&mut self, wants_all: bool, give: Take<'_>) -> Ended {
        let (mut values, mut best) = match self.one(None) {
            Answer::Solution(values, best) => (values, best),
            Answer::None => return Ended::without((Ok(()), Notes::default())),
            Answer::Unknown(ended) => return Ended::without(ended),
        };
        // Nothing is as good as this, or better.
        let mut out_of_reach: Option<BigInt> = None;
        let mut step = BigInt::from(1);
        let mut is_careful = false;
        let unknown = loop {
            let next = self.better(&best, &BigInt::from(1));
            let limit = match &out_of_reach {
                Some(end) if *end == next => break None,
                _ if is_careful => next.clone(),
                // They are two apart at least.
                Some(end) => (end + &best) >> 1,
                None => self.better(&best, &step),
            };
            match self.one(Some((self.at_least_as_good(), &limit))) {
                Answer::Solution(found, value) => {
                    (values, best) = (found, value);
                    step *= 2;
                }
                Answer::None => out_of_reach = Some(limit),
                Answer::Unknown(ended) if limit == next => break Some(ended),
                Answer::Unknown(_) => is_careful = true,
            }
        };
        let flow = give(&values);
        if let Some(ended) = unknown {
            return self.ended(ended, best, false);
        }
        if !wants_all || flow == Flow::Stop {
            return self.ended((Ok(()), Notes::default()), best, true);
        }
        let others = self.restricted(Some((Op::Equal, &best)));
        let unknowns = self.names.len() - 1;
        let ended = (self.ask)(
            &self.sets.model,
            others,
            &mut |other| match other[..unknowns] == values[..] {
                true => Flow::Continue,
                false => give(&other[..unknowns]),
            },
        );
        self.ended(ended, best, true)
    }

    fn ended(&self, (result, notes): Unknown, best: BigInt, is_proven: bool) -> Ended {
        let value = wrap(&self.sets.tys, Inner::Int(Int::new(best)));
        Ended {
            result,
            notes,
            best: Some(Best { value, is_proven }),
        }
    }

    /// One solution whose value compares like this.
    fn one(&mut self, limit: Option<(Op, &BigInt)>) -> Answer {
        let restricted = self.restricted(limit);
        let mut found = None;
        let ended = (self.ask)(&self.sets.model, restricted, &mut |values| {
            found = Some(values.to_vec());
            Flow::Stop
        });
        match (found, ended) {
            (Some(mut values), _) => match values.pop().flatten() {
                Some(Inner::Int(value)) => Answer::Solution(values, value.to_big()),
                value => unreachable!("the last unknown is an integer, not {value:?}"),
            },
            (None, (Ok(()), notes)) if notes.cuts.is_empty() => Answer::None,
            (None, ended) => Answer::Unknown(ended),
        }
    }

    /// The set of solutions whose value compares like this.
    fn restricted(&mut self, limit: Option<(Op, &BigInt)>) -> ExprId {
        let (names, mut predicate) = (self.names.clone(), self.predicate);
        let value = names[names.len() - 1];
        let model = self.sets.model_mut();
        let span = model.exprs[predicate].span;
        if let Some((op, limit)) = limit {
            let ty = Some(model.tys.intern(Ty::Int));
            let mut push = |kind, ty| model.exprs.push(Expr { kind, ty, span });
            let value = push(Kind::Local(value), ty);
            let limit = push(Kind::Int(limit.clone()), ty);
            let compare = push(Kind::Op(op, smallvec![value, limit]), None);
            predicate = questions::both(model, predicate, compare);
        }
        questions::comprehension(self.sets, names, predicate)
    }

    fn better(&self, best: &BigInt, step: &BigInt) -> BigInt {
        match self.goal {
            Goal::Least => best - step,
            Goal::Greatest => best + step,
        }
    }

    fn at_least_as_good(&self) -> Op {
        match self.goal {
            Goal::Least => Op::LessEqual,
            Goal::Greatest => Op::GreaterEqual,
        }
    }
}
