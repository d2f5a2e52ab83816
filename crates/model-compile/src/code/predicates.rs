//! Predicates as `bool` closures: connectives, equality and the order of numbers.
//!
//! Invariant: a chain of one connective is asked from left to right, and what is undefined is so only where no other part decides.

use lang_math::{Binder, Op};
use model::{ExprId, Kind};

use super::integers::Form;
use super::{Compiler, IntCode, f, fixed};
use crate::cx::{Cx, F, R};
use crate::rep::Rep;
use crate::trap::{Cause, Trap};

impl Compiler<'_> {
    /// The code of a predicate.
    pub(crate) fn predicate(&self, expr: ExprId) -> F<bool> {
        let mut code = self.level(|| self.predicate_of(expr));
        if let Kind::Op(op, sides) = &self.model.exprs[expr].kind
            && op.compares_values()
            && self.compares_rules(sides)
        {
            code = self.deciding(expr, code);
        }
        self.recalled_predicate(expr, code)
    }

    /// The operands of a chain of one associative operator, in order.
    pub(crate) fn chain(&self, op: Op, expr: ExprId) -> Vec<ExprId> {
        let mut parts = Vec::new();
        let mut todo = vec![expr];
        while let Some(next) = todo.pop() {
            match &self.model.exprs[next].kind {
                Kind::Op(found, args) if *found == op => todo.extend(args.iter().rev()),
                _ => parts.push(next),
            }
        }
        parts
    }

    /// Whether two expressions have the same text, as far as they are made of operators and names.
    pub(crate) fn same(&self, a: ExprId, b: ExprId) -> bool {
        base::deep::recurse(
            || match (&self.model.exprs[a].kind, &self.model.exprs[b].kind) {
                (Kind::Int(x), Kind::Int(y)) => x == y,
                (Kind::Str(x), Kind::Str(y)) => x == y,
                (Kind::Element(s, x), Kind::Element(t, y)) => s == t && x == y,
                (Kind::Carrier(x), Kind::Carrier(y)) => x == y,
                (Kind::FreeSet(x), Kind::FreeSet(y)) => x == y,
                (Kind::Constructor(s, x), Kind::Constructor(t, y)) => s == t && x == y,
                (Kind::Var(x), Kind::Var(y)) => x == y,
                (Kind::Local(x), Kind::Local(y)) => x == y,
                (Kind::Op(x, xs), Kind::Op(y, ys)) => {
                    x == y
                        && xs.len() == ys.len()
                        && xs.iter().zip(ys).all(|(x, y)| self.same(*x, *y))
                }
                (Kind::Apply(f, x), Kind::Apply(g, y)) => self.same(*f, *g) && self.same(*x, *y),
                (Kind::Field(x, f), Kind::Field(y, g)) => f == g && self.same(*x, *y),
                _ => false,
            },
        )
    }

    fn predicate_of(&self, expr: ExprId) -> F<bool> {
        use Op::*;
        let place = expr.index() as u32;
        match &self.model.exprs[expr].kind {
            Kind::Op(op, args) => match (*op, args.as_slice()) {
                (Truth, _) => fixed(true),
                (Falsity, _) => fixed(false),
                (And, _) => self.conjunction(&self.chain(And, expr)),
                (Or, _) => {
                    let parts: Vec<F<bool>> = self
                        .chain(Or, expr)
                        .iter()
                        .map(|part| self.predicate(*part))
                        .collect();
                    if let [a, b] = parts.as_slice() {
                        let (a, b) = (a.clone(), b.clone());
                        return f(move |cx| match a(cx) {
                            Ok(true) => Ok(true),
                            Ok(false) => b(cx),
                            Err(trap) => cx.unless_decided(trap, std::slice::from_ref(&b), true),
                        });
                    }
                    f(move |cx| {
                        for (i, part) in parts.iter().enumerate() {
                            match part(cx) {
                                Ok(true) => return Ok(true),
                                Ok(false) => {}
                                Err(trap) => return cx.unless_decided(trap, &parts[i + 1..], true),
                            }
                        }
                        Ok(false)
                    })
                }
                (Implies, [a, b]) => {
                    let (a, b) = (self.predicate(*a), self.predicate(*b));
                    f(move |cx| match a(cx) {
                        Ok(true) => b(cx),
                        Ok(false) => Ok(true),
                        Err(trap) => cx.unless_decided(trap, std::slice::from_ref(&b), true),
                    })
                }
                (Equivalent, [a, b]) => {
                    let (a, b) = (self.predicate(*a), self.predicate(*b));
                    f(move |cx| {
                        let a = a(cx)?;
                        Ok(a == b(cx)?)
                    })
                }
                (Not, [a]) => negate(self.predicate(*a)),
                (Equal, [a, b]) => self.equality(*a, *b),
                (NotEqual, [a, b]) => negate(self.equality(*a, *b)),
                (Member, [a, b]) => self.membership(*a, *b, place),
                (NotMember, [a, b]) => negate(self.membership(*a, *b, place)),
                (Subset, [a, b]) => self.inclusion(*a, *b, false),
                (NotSubset, [a, b]) => negate(self.inclusion(*a, *b, false)),
                (StrictSubset, [a, b]) => self.inclusion(*a, *b, true),
                (NotStrictSubset, [a, b]) => negate(self.inclusion(*a, *b, true)),
                (Less | LessEqual | Greater | GreaterEqual, [a, b]) => self.comparison(*op, *a, *b),
                (Finite, [a]) => {
                    let set = self.lazy(*a);
                    f(move |cx| {
                        let set = set(cx)?;
                        let infinite = cx.is_endless(&set).map_err(|trap| trap.at(place))?;
                        Ok(!infinite)
                    })
                }
                (Partition, args) => self.partition(args),
                _ => f(move |_| Err(Cause::External.trap().at(place))),
            },
            Kind::Bind {
                binder: Binder::Forall,
                names,
                predicate,
                ..
            } => self.forall(expr, names, *predicate),
            Kind::Bind {
                binder: Binder::Exists,
                names,
                predicate,
                ..
            } => self.exists(expr, names, *predicate),
            Kind::If(condition, yes, no) => {
                let condition = self.predicate(*condition);
                let (yes, no) = (self.predicate(*yes), self.predicate(*no));
                f(move |cx| if condition(cx)? { yes(cx) } else { no(cx) })
            }
            Kind::Let(local, value, body) => {
                let local = local.index();
                let (value, body) = (self.value(*value), self.predicate(*body));
                f(move |cx| {
                    cx.frame[local] = value(cx)?;
                    body(cx)
                })
            }
            Kind::External(..) => {
                let value = self.general(expr);
                f(move |cx| Ok(value(cx)?.word() != 0))
            }
            _ => {
                // A boolean expression where a predicate stands.
                let value = self.general(expr);
                f(move |cx| Ok(value(cx)?.word() != 0))
            }
        }
    }

    /// A predicate or its negation.
    pub(crate) fn signed(&self, expr: ExprId, negated: bool) -> F<bool> {
        let predicate = self.predicate(expr);
        if negated {
            negate(predicate)
        } else {
            predicate
        }
    }

    /// Conjuncts one after the other.
    pub(crate) fn conjunction(&self, conjuncts: &[ExprId]) -> F<bool> {
        let parts: Vec<F<bool>> = conjuncts.iter().map(|part| self.predicate(*part)).collect();
        match parts.as_slice() {
            [a] => a.clone(),
            _ => f(move |cx| {
                for (i, part) in parts.iter().enumerate() {
                    match part(cx) {
                        Ok(true) => {}
                        Ok(false) => return Ok(false),
                        Err(trap) if cx.pruning && trap.is_undefined() => {
                            // A later conjunct that is false refutes them all.
                            for later in &parts[i + 1..] {
                                if later(cx) == Ok(false) {
                                    return Ok(false);
                                }
                            }
                            return Err(trap);
                        }
                        Err(trap) => return cx.unless_decided(trap, &parts[i + 1..], false),
                    }
                }
                Ok(true)
            }),
        }
    }

    fn equality(&self, a: ExprId, b: ExprId) -> F<bool> {
        match self.rep(a) {
            Rep::Word => {
                for (literal, other) in [(b, a), (a, b)] {
                    let Some(code) = self.literal_word(literal) else {
                        continue;
                    };
                    if let Kind::Var(var) = &self.model.exprs[other].kind
                        && self.program.reps[self.ty(other)].is_direct()
                    {
                        let slot = var.index();
                        return f(move |cx| Ok(u64::from(cx.state[slot]) == code));
                    }
                    let other = self.word(other);
                    return f(move |cx| Ok(other(cx)? == code));
                }
                let (a, b) = (self.word(a), self.word(b));
                f(move |cx| {
                    let a = a(cx)?;
                    Ok(a == b(cx)?)
                })
            }
            Rep::Wide => {
                let (a, b) = (self.wide(a), self.wide(b));
                f(move |cx| {
                    let a = a(cx)?;
                    Ok(a == b(cx)?)
                })
            }
            Rep::Int => compare(Op::Equal, &self.int(a), &self.int(b)),
            Rep::Tree => {
                let place = a.index() as u32;
                let (a, b) = (self.value(a), self.value(b));
                f(move |cx| {
                    let a = a(cx)?;
                    let b = b(cx)?;
                    cx.equal(&a, &b).map_err(|trap| trap.at(place))
                })
            }
        }
    }

    fn comparison(&self, op: Op, a: ExprId, b: ExprId) -> F<bool> {
        if self.rep(a) == Rep::Int {
            return compare(op, &self.int(a), &self.int(b));
        }
        let (a, b) = (self.value(a), self.value(b));
        f(move |cx| {
            let a = a(cx)?.real();
            let b = b(cx)?.real();
            Ok(match op {
                Op::Less => a < b,
                Op::LessEqual => a <= b,
                Op::Greater => a > b,
                _ => a >= b,
            })
        })
    }
}

fn negate(predicate: F<bool>) -> F<bool> {
    f(move |cx| Ok(!predicate(cx)?))
}

/// The fast test, or the exact one where a word was too small.
pub(super) fn exactly(fast: F<bool>, exact: F<bool>) -> F<bool> {
    f(move |cx| match fast(cx) {
        Err(Trap::Overflow) => exact(cx),
        result => result,
    })
}

/// Compares integers.
pub(crate) fn compare(op: Op, a: &IntCode, b: &IntCode) -> F<bool> {
    let (x, y) = (a.slow.clone(), b.slow.clone());
    let exact = move |cx: &mut Cx<'_>| {
        let x = x(cx)?;
        let y = y(cx)?;
        let order = x.cmp_number(&y);
        Ok(match op {
            Op::Less => order.is_lt(),
            Op::LessEqual => order.is_le(),
            Op::Greater => order.is_gt(),
            Op::GreaterEqual => order.is_ge(),
            _ => order.is_eq(),
        })
    };
    match op {
        Op::Less => with(a, b, exact, |x, y| x < y),
        Op::LessEqual => with(a, b, exact, |x, y| x <= y),
        Op::Greater => with(a, b, exact, |x, y| x > y),
        Op::GreaterEqual => with(a, b, exact, |x, y| x >= y),
        _ => with(a, b, exact, |x, y| x == y),
    }
}

fn with(
    a: &IntCode,
    b: &IntCode,
    exact: impl Fn(&mut Cx<'_>) -> R<bool> + Send + Sync + 'static,
    test: impl Fn(i64, i64) -> bool + Send + Sync + 'static,
) -> F<bool> {
    if let (Form::Slot(slot), Form::Literal(value)) = (a.form, b.form) {
        return f(move |cx| match cx.int(slot) {
            Ok(x) => Ok(test(x, value)),
            Err(Trap::Overflow) => exact(cx),
            Err(trap) => Err(trap),
        });
    }
    let (a, b) = (a.fast.clone(), b.fast.clone());
    f(move |cx| {
        let x = match a(cx) {
            Ok(x) => x,
            Err(Trap::Overflow) => return exact(cx),
            Err(trap) => return Err(trap),
        };
        match b(cx) {
            Ok(y) => Ok(test(x, y)),
            Err(Trap::Overflow) => exact(cx),
            Err(trap) => Err(trap),
        }
    })
}
