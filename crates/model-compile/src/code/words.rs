//! Coded types: elements, booleans, pairs and records of them, and their sets.

use lang_math::{Binder, Op};
use model::{ExprId, Kind};

use super::{Compiler, Mask as _, f, fixed};
use crate::cx::F;
use crate::rep::Rep;
use crate::trap::Cause;
use crate::value::V;

impl Compiler<'_> {
    /// The code of a literal of a coded type.
    pub(crate) fn literal_word(&self, expr: ExprId) -> Option<u64> {
        match &self.model.exprs[expr].kind {
            Kind::Element(_, index) => Some(u64::from(*index)),
            Kind::Op(Op::True, _) => Some(1),
            Kind::Op(Op::False, _) => Some(0),
            Kind::Op(Op::EmptySet, _) if self.rep(expr) == Rep::Word => Some(0),
            Kind::Op(Op::Booleans, _) => Some(3),
            Kind::Carrier(_) if self.rep(expr) == Rep::Word => {
                Some(u64::ones(self.program.reps[self.ty(expr)].bits))
            }
            Kind::Op(Op::Maplet, args) if self.rep(expr) == Rep::Word => {
                let right = self.program.reps[self.ty(expr)].right;
                Some(self.literal_word(args[0])? * right + self.literal_word(args[1])?)
            }
            _ => None,
        }
    }

    /// The code of an expression of a coded type.
    pub(crate) fn word(&self, expr: ExprId) -> F<u64> {
        let code = self.level(|| self.word_of(expr));
        self.recalled_word(expr, code)
    }

    fn word_of(&self, expr: ExprId) -> F<u64> {
        let place = expr.index() as u32;
        if let Some(code) = self.literal_word(expr) {
            return fixed(code);
        }
        let ty = self.ty(expr);
        match &self.model.exprs[expr].kind {
            Kind::Var(var) => {
                let slot = var.index();
                if self.program.reps[ty].is_direct() {
                    return f(move |cx| Ok(u64::from(cx.state[slot])));
                }
                f(move |cx| Ok(cx.with_numbered(slot, V::word)))
            }
            Kind::Local(local) => {
                let index = local.index();
                if self.assigned.contains(local) {
                    return f(move |cx| match &cx.frame[index] {
                        V::Word(word) => Ok(*word),
                        _ => Err(Cause::Unassigned.trap().at(place)),
                    });
                }
                f(move |cx| Ok(cx.frame[index].word()))
            }
            Kind::Op(Op::ToBool, args) => {
                let predicate = self.predicate(args[0]);
                f(move |cx| Ok(u64::from(predicate(cx)?)))
            }
            Kind::Op(Op::Maplet, args) => {
                let width = self.program.reps[ty].right;
                let (left, right) = (self.word(args[0]), self.word(args[1]));
                f(move |cx| {
                    let left = left(cx)?;
                    Ok(left * width + right(cx)?)
                })
            }
            Kind::Op(op @ (Op::Component1 | Op::Component2), args)
                if self.rep(args[0]) == Rep::Word =>
            {
                let width = self.program.reps[self.ty(args[0])].right.max(1);
                let pair = self.word(args[0]);
                if *op == Op::Component1 {
                    f(move |cx| Ok(pair(cx)? / width))
                } else {
                    f(move |cx| Ok(pair(cx)? % width))
                }
            }
            Kind::Op(Op::OfType, args) => self.word(args[0]),
            Kind::Op(op, args) => {
                let fast = if self.all_words(args) {
                    self.mask_op::<u64>(expr, *op, args)
                } else {
                    self.mask_op::<u128>(expr, *op, args).map(narrow)
                };
                fast.unwrap_or_else(|| self.word_of_value(expr))
            }
            Kind::Apply(function, argument) => {
                let fast = match self.rep(*function) {
                    Rep::Word => self.apply_op::<u64>(*function, *argument, place),
                    Rep::Wide => self.apply_op::<u128>(*function, *argument, place),
                    _ => None,
                };
                fast.unwrap_or_else(|| {
                    self.word_image(*function, *argument, self.word_of_value(expr))
                })
            }
            Kind::Field(record, name) if self.rep(*record) == Rep::Tree => {
                let at = self.program.reps.field_index(self.ty(*record), *name);
                self.word_field(*record, at, self.word_of_value(expr))
            }
            Kind::If(condition, yes, no) => {
                let condition = self.predicate(*condition);
                let (yes, no) = (self.word(*yes), self.word(*no));
                f(move |cx| if condition(cx)? { yes(cx) } else { no(cx) })
            }
            Kind::Let(local, value, body) => {
                let local = local.index();
                let (value, body) = (self.value(*value), self.word(*body));
                f(move |cx| {
                    cx.frame[local] = value(cx)?;
                    body(cx)
                })
            }
            Kind::Bind { binder, .. } => self
                .mask_binder::<u64>(expr, *binder)
                .unwrap_or_else(|| self.word_of_value(expr)),
            _ => self.word_of_value(expr),
        }
    }

    fn word_of_value(&self, expr: ExprId) -> F<u64> {
        let value = self.general(expr);
        let ty = self.ty(expr);
        f(move |cx| match value(cx)? {
            V::Word(word) => Ok(word),
            V::Sym(set) => Ok(cx.settle(ty, V::Sym(set))?.word()),
            _ => Ok(0),
        })
    }

    /// The code of a set over 65 to 128 codes.
    pub(crate) fn wide(&self, expr: ExprId) -> F<u128> {
        let code = self.level(|| self.wide_of(expr));
        self.recalled_wide(expr, code)
    }

    fn wide_of(&self, expr: ExprId) -> F<u128> {
        let place = expr.index() as u32;
        match &self.model.exprs[expr].kind {
            Kind::Carrier(_) => fixed(u128::ones(self.program.reps[self.ty(expr)].bits)),
            Kind::Var(var) => {
                let slot = var.index();
                f(move |cx| Ok(cx.with_numbered(slot, V::wide)))
            }
            Kind::Local(local) => {
                let index = local.index();
                if self.assigned.contains(local) {
                    return f(move |cx| match &cx.frame[index] {
                        V::None => Err(Cause::Unassigned.trap().at(place)),
                        value => Ok(value.wide()),
                    });
                }
                f(move |cx| Ok(cx.frame[index].wide()))
            }
            Kind::Op(Op::OfType, args) => self.wide(args[0]),
            Kind::Op(op, args) => self
                .mask_op::<u128>(expr, *op, args)
                .unwrap_or_else(|| self.wide_of_value(expr)),
            Kind::If(condition, yes, no) => {
                let condition = self.predicate(*condition);
                let (yes, no) = (self.wide(*yes), self.wide(*no));
                f(move |cx| if condition(cx)? { yes(cx) } else { no(cx) })
            }
            Kind::Let(local, value, body) => {
                let local = local.index();
                let (value, body) = (self.value(*value), self.wide(*body));
                f(move |cx| {
                    cx.frame[local] = value(cx)?;
                    body(cx)
                })
            }
            Kind::Bind { binder, .. } => self
                .mask_binder::<u128>(expr, *binder)
                .unwrap_or_else(|| self.wide_of_value(expr)),
            _ => self.wide_of_value(expr),
        }
    }

    fn wide_of_value(&self, expr: ExprId) -> F<u128> {
        let value = self.general(expr);
        let ty = self.ty(expr);
        f(move |cx| match value(cx)? {
            V::Sym(set) => Ok(cx.settle(ty, V::Sym(set))?.wide()),
            value => Ok(value.wide()),
        })
    }

    /// Comprehensions and unions that collect bits.
    fn mask_binder<M: super::Mask>(&self, expr: ExprId, binder: Binder) -> Option<F<M>> {
        let Kind::Bind {
            names,
            predicate,
            value,
            ..
        } = &self.model.exprs[expr].kind
        else {
            return None;
        };
        let ty = self.ty(expr);
        let plan = self.binder_plan(expr, names, *predicate);
        match (binder, value) {
            (Binder::Comprehension, _) => {
                let names = names.clone();
                let tuple = self.program.reps.element(ty);
                Some(f(move |cx| {
                    let mut mask = M::ZERO;
                    plan.run(cx, &mut |cx| {
                        let code = match names.as_slice() {
                            [name] => cx.frame[name.index()].word(),
                            names => cx.tuple(names, tuple).word(),
                        };
                        mask = mask | M::bit(code);
                        Ok(())
                    })?;
                    Ok(mask)
                }))
            }
            (Binder::Image, Some(value)) => {
                let value = self.word(*value);
                Some(f(move |cx| {
                    let mut mask = M::ZERO;
                    plan.run(cx, &mut |cx| {
                        mask = mask | M::bit(value(cx)?);
                        Ok(())
                    })?;
                    Ok(mask)
                }))
            }
            (Binder::Lambda, Some(value)) => {
                let names = names.clone();
                let (tuple, result) = self.program.reps.sides(ty);
                let width = self.program.reps[result].size as u64;
                let value = self.word(*value);
                Some(f(move |cx| {
                    let mut mask = M::ZERO;
                    plan.run(cx, &mut |cx| {
                        let argument = match names.as_slice() {
                            [name] => cx.frame[name.index()].word(),
                            names => cx.tuple(names, tuple).word(),
                        };
                        mask = mask | M::bit(argument * width + value(cx)?);
                        Ok(())
                    })?;
                    Ok(mask)
                }))
            }
            (Binder::Union, Some(value)) => {
                let value = M::code(self, *value);
                Some(f(move |cx| {
                    let mut mask = M::ZERO;
                    plan.run(cx, &mut |cx| {
                        mask = mask | value(cx)?;
                        Ok(())
                    })?;
                    Ok(mask)
                }))
            }
            _ => None,
        }
    }
}

/// The low word of a wide mask whose high word is empty.
fn narrow(wide: F<u128>) -> F<u64> {
    f(move |cx| Ok(wide(cx)? as u64))
}
