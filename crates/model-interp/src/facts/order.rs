//! What comparisons and equations of numbers say about a name.

use lang_math::Op;
use model::{ExprId, Int, Kind, Target, Value};

use super::Facts;
use crate::Interp;
use crate::env::Env;
use crate::number;
use crate::set::V;
use crate::stop::Run;

impl Interp<'_> {
    /// `x < e` and the like, also `x + c < e`.
    pub(super) fn compared(
        &mut self,
        target: Target,
        op: Op,
        [left, right]: [ExprId; 2],
        env: &Env,
        unknown: &[Target],
    ) -> Run<Facts> {
        let (op, pattern, term) = if self.is_known(right, unknown) {
            (op, left, right)
        } else if self.is_known(left, unknown) {
            let turned = match op {
                Op::Less => Op::Greater,
                Op::LessEqual => Op::GreaterEqual,
                Op::Greater => Op::Less,
                _ => Op::LessEqual,
            };
            (turned, right, left)
        } else {
            return Ok(Facts::default());
        };
        let V::Plain(Value::Int(bound)) = self.value(term, env)? else {
            return Ok(Facts::default());
        };
        let one = Int::Small(1);
        let (bound, upper) = match op {
            Op::Less => (number::subtract(&bound, &one), true),
            Op::LessEqual => (bound, true),
            Op::Greater => (number::add(&bound, &one), false),
            _ => (bound, false),
        };
        self.bounded(target, pattern, bound, upper, (env, unknown))
    }

    /// A sum with the name in it has a bound: what bound has the name?
    fn bounded(
        &mut self,
        target: Target,
        pattern: ExprId,
        bound: Int,
        upper: bool,
        (env, unknown): (&Env, &[Target]),
    ) -> Run<Facts> {
        if self.is_name(pattern, target) {
            return Ok(if upper {
                Facts::at_most(bound)
            } else {
                Facts::at_least(bound)
            });
        }
        let model = self.model;
        if let Kind::Op(Op::Size | Op::Card, of) = &model.exprs[pattern].kind
            && upper
            && self.is_name(of[0], target)
        {
            return Ok(Facts::at_most_elements(bound));
        }
        if let Some(facts) = self.bounded_for(target, pattern, &bound, upper, (env, unknown))? {
            return Ok(facts);
        }
        let Kind::Op(op @ (Op::Add | Op::Minus | Op::Negate), sides) = &model.exprs[pattern].kind
        else {
            return Ok(Facts::default());
        };
        if let (Op::Negate, [inner]) = (op, sides.as_slice()) {
            return self.bounded(
                target,
                *inner,
                number::negate(&bound),
                !upper,
                (env, unknown),
            );
        }
        let [left, right] = sides.as_slice() else {
            return Ok(Facts::default());
        };
        let left_known = self.is_known(*left, unknown);
        if !left_known && !self.is_known(*right, unknown) {
            return Ok(Facts::default());
        }
        let known = self.value(if left_known { *left } else { *right }, env)?;
        let known = self.integer(&known)?;
        let inner = if left_known { *right } else { *left };
        let (bound, upper) = match (op, left_known) {
            (Op::Add, _) => (number::subtract(&bound, &known), upper),
            (_, false) => (number::add(&bound, &known), upper),
            // c - x <= b means x >= c - b.
            (_, true) => (number::subtract(&known, &bound), !upper),
        };
        self.bounded(target, inner, bound, upper, (env, unknown))
    }
}

/// The order that holds where this one does not.
pub(super) fn negated(op: Op) -> Op {
    match op {
        Op::Less => Op::GreaterEqual,
        Op::LessEqual => Op::Greater,
        Op::Greater => Op::LessEqual,
        _ => Op::Less,
    }
}
