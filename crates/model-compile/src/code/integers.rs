//! Integers: a machine word while it lasts, exact beyond.
//!
//! Every integer expression has two closures: `fast` computes in 64 bits and gives up with
//! [`Trap::Overflow`]; `slow` computes exactly. Both are built from the operands' own pairs, so giving up
//! costs one more evaluation and never a wrong value.

use lang_math::{Binder, Op};
use model::{ExprId, Kind};
use num_traits::ToPrimitive as _;

use super::{Compiler, f, fixed};
use crate::cx::{Cx, F, R};
use crate::ops::OpTy;
use crate::rep::Rep;
use crate::trap::{Cause, Trap};
use crate::value::V;

/// The code of an integer expression.
#[derive(Clone)]
pub(crate) struct IntCode {
    pub fast: F<i64>,
    pub slow: F<V>,
    pub form: Form,
}

/// Forms that comparisons treat specially.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    Literal(i64),
    Slot(usize),
    Other,
}

impl IntCode {
    /// The integer.
    pub(crate) fn value(&self, cx: &mut Cx<'_>) -> R<V> {
        match (self.fast)(cx) {
            Ok(value) => Ok(V::Int(value)),
            Err(Trap::Overflow) => (self.slow)(cx),
            Err(trap) => Err(trap),
        }
    }

    pub(crate) fn literal(value: i64) -> IntCode {
        IntCode {
            fast: fixed(value),
            slow: fixed(V::Int(value)),
            form: Form::Literal(value),
        }
    }

    /// Code of values, read as integers.
    pub(crate) fn of_values(slow: F<V>) -> IntCode {
        let values = slow.clone();
        IntCode {
            fast: f(move |cx| match values(cx)? {
                V::Int(value) => Ok(value),
                _ => Err(Trap::Overflow),
            }),
            slow,
            form: Form::Other,
        }
    }

    /// A small number of another kind of code.
    pub(crate) fn of_small(fast: F<i64>) -> IntCode {
        let small = fast.clone();
        IntCode {
            fast,
            slow: f(move |cx| Ok(V::Int(small(cx)?))),
            form: Form::Other,
        }
    }

    /// The integer plus a number.
    pub(crate) fn plus(&self, by: i64) -> IntCode {
        arithmetic(Op::Add, self.clone(), IntCode::literal(by), 0)
    }
}

/// Sum, difference, product, quotient, remainder or power.
pub(crate) fn arithmetic(op: Op, a: IntCode, b: IntCode, place: u32) -> IntCode {
    if let (Form::Literal(x), Form::Literal(y)) = (a.form, b.form) {
        let folded = match op {
            Op::Add => x.checked_add(y),
            Op::Minus => x.checked_sub(y),
            Op::Times => x.checked_mul(y),
            _ => None,
        };
        if let Some(value) = folded {
            return IntCode::literal(value);
        }
    }
    let (x, y) = (a.slow.clone(), b.slow.clone());
    let slow = f(move |cx| {
        let x = x(cx)?;
        let y = y(cx)?;
        cx.arithmetic(op, &x, &y).map_err(|trap| trap.at(place))
    });
    let (x, y) = (a.fast.clone(), b.fast.clone());
    let overflow = || Trap::Overflow;
    let fast: F<i64> = match (op, a.form, b.form) {
        (Op::Add, Form::Slot(slot), Form::Literal(c)) => {
            f(move |cx| cx.int(slot)?.checked_add(c).ok_or_else(overflow))
        }
        (Op::Minus, Form::Slot(slot), Form::Literal(c)) => {
            f(move |cx| cx.int(slot)?.checked_sub(c).ok_or_else(overflow))
        }
        (Op::Add, _, _) => f(move |cx| x(cx)?.checked_add(y(cx)?).ok_or_else(overflow)),
        (Op::Minus, _, _) => f(move |cx| x(cx)?.checked_sub(y(cx)?).ok_or_else(overflow)),
        (Op::Times, _, _) => f(move |cx| x(cx)?.checked_mul(y(cx)?).ok_or_else(overflow)),
        (Op::Divide, _, _) => f(move |cx| {
            let (x, y) = (x(cx)?, y(cx)?);
            if y == 0 {
                return Err(Cause::DivisionByZero.trap().at(place));
            }
            x.checked_div(y).ok_or_else(overflow)
        }),
        (Op::FloorDivide | Op::FloorModulo, _, _) => f(move |cx| {
            let (x, y) = (x(cx)?, y(cx)?);
            if y == 0 {
                return Err(Cause::DivisionByZero.trap().at(place));
            }
            let rest = x.checked_rem(y).ok_or_else(overflow)?;
            let down = rest != 0 && (rest < 0) != (y < 0);
            match op {
                Op::FloorDivide => {
                    let quotient = x.checked_div(y).ok_or_else(overflow)?;
                    Ok(quotient - i64::from(down))
                }
                _ => Ok(if down { rest + y } else { rest }),
            }
        }),
        (Op::Modulo, _, _) => f(move |cx| {
            let (x, y) = (x(cx)?, y(cx)?);
            if x < 0 || y <= 0 {
                return Err(Cause::Modulo.trap().at(place));
            }
            Ok(x % y)
        }),
        _ => f(move |cx| {
            let (x, y) = (x(cx)?, y(cx)?);
            if y < 0 {
                return Err(Cause::Exponent.trap().at(place));
            }
            u32::try_from(y)
                .ok()
                .and_then(|y| x.checked_pow(y))
                .ok_or_else(overflow)
        }),
    };
    IntCode {
        fast,
        slow,
        form: Form::Other,
    }
}

impl Cx<'_> {
    fn arithmetic(&mut self, op: Op, a: &V, b: &V) -> R<V> {
        crate::ops::arithmetic(op, a, b)
    }
}

impl Compiler<'_> {
    /// The code of an integer expression.
    pub(crate) fn int(&self, expr: ExprId) -> IntCode {
        let depth = self.depth.get() + 1;
        self.depth.set(depth);
        let code = if depth.is_multiple_of(super::STACK_CHECK) {
            base::deep::recurse(|| self.int_of(expr))
        } else {
            self.int_of(expr)
        };
        self.depth.set(depth - 1);
        let code = self.recalled_int(expr, code);
        if !depth.is_multiple_of(super::STACK_CHECK) {
            return code;
        }
        let IntCode { fast, slow, form } = code;
        IntCode {
            fast: f(move |cx| base::deep::recurse(|| fast(cx))),
            slow: f(move |cx| base::deep::recurse(|| slow(cx))),
            form,
        }
    }

    /// How many elements a set has; `types` are those of `card`.
    fn count(&self, set: ExprId, types: OpTy, place: u32) -> IntCode {
        match (self.rep(set), &self.model.exprs[set].kind) {
            (Rep::Word, _) => {
                let set = self.word(set);
                IntCode::of_small(f(move |cx| Ok(i64::from(set(cx)?.count_ones()))))
            }
            (Rep::Wide, _) => {
                let set = self.wide(set);
                IntCode::of_small(f(move |cx| Ok(i64::from(set(cx)?.count_ones()))))
            }
            // Every pair of one side goes with every pair of the other.
            (_, Kind::Op(Op::ParallelProduct, sides)) => {
                let side = |side: ExprId| {
                    let types = OpTy {
                        args: [self.ty(side)].into_iter().collect(),
                        result: types.result,
                    };
                    self.count(side, types, place)
                };
                arithmetic(Op::Times, side(sides[0]), side(sides[1]), place)
            }
            _ => {
                let set = self.lazy(set);
                IntCode::of_values(f(move |cx| {
                    let set = set(cx)?;
                    cx.op(Op::Card, &types, &[set])
                        .map_err(|trap| trap.at(place))
                }))
            }
        }
    }

    fn int_of(&self, expr: ExprId) -> IntCode {
        let place = expr.index() as u32;
        match &self.model.exprs[expr].kind {
            Kind::Int(value) => match value.to_i64() {
                Some(value) => IntCode::literal(value),
                None => IntCode::of_values(fixed(V::big(value.clone()))),
            },
            Kind::Op(Op::MaxInt, _) => IntCode::literal(self.model.max_int),
            Kind::Op(Op::MinInt, _) => IntCode::literal(self.model.min_int),
            Kind::Var(var) => {
                let slot = var.index();
                IntCode {
                    fast: f(move |cx| cx.int(slot)),
                    slow: f(move |cx| Ok(cx.slot(slot))),
                    form: Form::Slot(slot),
                }
            }
            Kind::Local(local) if !self.assigned.contains(local) => {
                let index = local.index();
                IntCode {
                    fast: f(move |cx| match cx.frame[index] {
                        V::Int(value) => Ok(value),
                        _ => Err(Trap::Overflow),
                    }),
                    slow: f(move |cx| Ok(cx.frame[index].clone())),
                    form: Form::Other,
                }
            }
            Kind::Op(
                op @ (Op::Add
                | Op::Minus
                | Op::Times
                | Op::Divide
                | Op::Modulo
                | Op::FloorDivide
                | Op::FloorModulo
                | Op::Power),
                args,
            ) => arithmetic(*op, self.int(args[0]), self.int(args[1]), place),
            Kind::Op(Op::Negate, args) => {
                arithmetic(Op::Minus, IntCode::literal(0), self.int(args[0]), place)
            }
            Kind::Op(Op::OfType, args) => self.int(args[0]),
            Kind::Op(Op::Card, args) => self.count(args[0], self.op_ty(expr, args), place),
            Kind::If(condition, yes, no) => {
                let condition = self.predicate(*condition);
                let (yes, no) = (self.int(*yes), self.int(*no));
                let (c, y, n) = (condition.clone(), yes.slow.clone(), no.slow.clone());
                let slow = f(move |cx| if c(cx)? { y(cx) } else { n(cx) });
                IntCode {
                    fast: f(move |cx| {
                        if condition(cx)? {
                            (yes.fast)(cx)
                        } else {
                            (no.fast)(cx)
                        }
                    }),
                    slow,
                    form: Form::Other,
                }
            }
            Kind::Let(local, value, body) => {
                let local = local.index();
                let value = self.value(*value);
                let body = self.int(*body);
                let (v, b) = (value.clone(), body.slow.clone());
                let slow = f(move |cx| {
                    cx.frame[local] = v(cx)?;
                    b(cx)
                });
                IntCode {
                    fast: f(move |cx| {
                        cx.frame[local] = value(cx)?;
                        (body.fast)(cx)
                    }),
                    slow,
                    form: Form::Other,
                }
            }
            Kind::Bind {
                binder: Binder::Sum | Binder::Product,
                ..
            } => IntCode::of_values(self.binder(expr)),
            Kind::Apply(function, argument) => {
                self.int_image(*function, *argument, self.general(expr))
            }
            Kind::Field(record, name) => {
                let at = self.program.reps.field_index(self.ty(*record), *name);
                self.int_field(*record, at, self.general(expr))
            }
            _ => IntCode::of_values(self.general(expr)),
        }
    }
}
