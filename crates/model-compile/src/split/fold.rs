//! The values of expressions that depend on nothing but literals, fixed parameters and known constants.
//!
//! Invariant: `None` means "not known here", never "undefined": such an expression stays as it is.

use lang_math::Op;
use model::{ExprId, Int, Kind, LocalId, Model, Ty, TyId, Value, VarId};
use num_traits::ToPrimitive as _;
use rustc_hash::FxHashMap;

/// What is fixed.
#[derive(Default)]
pub(super) struct Known<'k> {
    /// Values of constants, when there is one set-up only.
    pub(super) constants: &'k [Option<Value>],
    /// Values of parameters of the instance at hand.
    pub(super) locals: FxHashMap<LocalId, Value>,
}

/// Sets larger than this are not listed.
const MOST: i64 = 4096;

impl Known<'_> {
    /// The value of an expression.
    pub(super) fn value(&self, model: &Model, id: ExprId) -> Option<Value> {
        base::deep::recurse(|| self.find(model, id))
    }

    fn int(&self, model: &Model, id: ExprId) -> Option<i64> {
        match self.value(model, id)? {
            Value::Int(Int::Small(value)) => Some(value),
            _ => None,
        }
    }

    fn constant(&self, var: VarId) -> Option<Value> {
        self.constants.get(var.index())?.clone()
    }

    fn find(&self, model: &Model, id: ExprId) -> Option<Value> {
        let small = |value: Option<i64>| value.map(Value::int);
        match &model.exprs[id].kind {
            Kind::Int(value) => small(value.to_i64()),
            Kind::Element(sort, at) => Some(Value::Element(*sort, *at)),
            Kind::Local(local) => self.locals.get(local).cloned(),
            Kind::Var(var) => self.constant(*var),
            Kind::Carrier(sort) => {
                let size = model.tys.sorts[*sort].elements.len() as u32;
                let all = (0..size).map(|at| Value::Element(*sort, at));
                Some(Value::set(all.collect()))
            }
            Kind::Apply(function, argument) => {
                let (function, argument) =
                    (self.value(model, *function)?, self.value(model, *argument)?);
                let Value::Set(pairs) = function else {
                    return None;
                };
                let mut images = pairs.iter().filter_map(|pair| match pair {
                    Value::Pair(pair) if pair.0 == argument => Some(pair.1.clone()),
                    _ => None,
                });
                // Outside the domain, or several images: a fault that must stay one.
                let image = images.next()?;
                images.next().is_none().then_some(image)
            }
            Kind::Op(op, args) => self.operator(model, *op, args),
            _ => None,
        }
    }

    fn operator(&self, model: &Model, op: Op, args: &[ExprId]) -> Option<Value> {
        let int = |at: usize| self.int(model, args[at]);
        let value = |at: usize| self.value(model, args[at]);
        let number = |value: Option<i64>| value.map(Value::int);
        match op {
            Op::True => Some(Value::Bool(true)),
            Op::False => Some(Value::Bool(false)),
            Op::Booleans => Some(Value::set(vec![Value::Bool(false), Value::Bool(true)])),
            Op::MaxInt => Some(Value::int(model.max_int)),
            Op::MinInt => Some(Value::int(model.min_int)),
            Op::Add => number(int(0)?.checked_add(int(1)?)),
            Op::Minus => number(int(0)?.checked_sub(int(1)?)),
            Op::Times => number(int(0)?.checked_mul(int(1)?)),
            Op::Negate => number(int(0)?.checked_neg()),
            Op::Modulo => {
                let (a, b) = (int(0)?, int(1)?);
                (a >= 0 && b > 0).then(|| Value::int(a % b))
            }
            Op::Maplet => Some(Value::pair(value(0)?, value(1)?)),
            Op::EmptySet => Some(Value::set(Vec::new())),
            Op::SetExtension => {
                let elements = args.iter().map(|arg| self.value(model, *arg));
                Some(Value::set(elements.collect::<Option<_>>()?))
            }
            Op::Interval => {
                let (low, high) = (int(0)?, int(1)?);
                let is_short = high.checked_sub(low)? < MOST;
                is_short.then(|| Value::set((low..=high).map(Value::int).collect()))
            }
            Op::Union | Op::SetMinus | Op::Intersection => {
                let (Value::Set(a), Value::Set(b)) = (value(0)?, value(1)?) else {
                    return None;
                };
                let mut elements: Vec<Value> = a.to_vec();
                match op {
                    Op::Union => elements.extend(b.iter().cloned()),
                    Op::SetMinus => elements.retain(|element| !b.contains(element)),
                    _ => elements.retain(|element| b.contains(element)),
                }
                Some(Value::set(elements))
            }
            _ => None,
        }
    }
}

/// All values of a small type of single things, in order.
pub(super) fn all_values(model: &Model, ty: TyId) -> Option<Vec<Value>> {
    match &model.tys[ty] {
        Ty::Bool => Some(vec![Value::Bool(false), Value::Bool(true)]),
        Ty::Sort(sort) => {
            let size = model.tys.sorts[*sort].elements.len() as u32;
            Some((0..size).map(|at| Value::Element(*sort, at)).collect())
        }
        _ => None,
    }
}
