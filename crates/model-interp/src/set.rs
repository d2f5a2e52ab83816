//! Values that need not be finite: what the evaluator computes with.
//!
//! A [`V`] is plain data as soon as all of it is finite and listed; otherwise it is a *rule*: a set known by
//! how to test and apply it. Rules are listed only when somebody asks for their elements.
//! Invariant: [`V::Plain`] is used whenever the whole value is plain data, except that finite rules
//! (intervals, power sets, function spaces) may stay rules.

use std::sync::Arc;

use base::Name;
use lang_math::Op;
use model::{ExprId, FreeId, Int, LocalId, Value};

use crate::env::Env;

/// A value.
#[derive(Clone, Debug)]
pub(crate) enum V {
    /// Listed data.
    Plain(Value),
    /// A pair with a rule in it.
    Pair(Arc<(V, V)>),
    /// A record with a rule in it.
    Record(Arc<[(Name, V)]>),
    /// A value of a free type with a rule in it.
    Free(FreeId, u32, Arc<V>),
    /// A set known by a rule.
    Rule(Arc<Rule>),
}

/// A set known by how to test it.
#[derive(Clone, Debug)]
pub(crate) enum Rule {
    /// INTEGER
    Integers,
    /// All integers from this one on.
    From(Int),
    /// `m..n` with m<=n
    Interval(Int, Int),
    /// STRING
    Strings,
    /// REAL
    Reals,
    /// A free type.
    Free(FreeId),
    /// A constructor as a function.
    Constructor(FreeId, u32),
    /// `succ` (1) or `pred` (-1).
    Shift(i64),
    /// A finite set with a rule in some element.
    Listed(Vec<V>),
    /// An operator on sets; its members follow from those of the operands.
    Made(Op, Vec<V>),
    /// `struct(…)`
    Struct(Vec<(Name, V)>),
    /// The sequences of `seq` and its kin up to a length: what a cut leaves of them.
    Short(Op, V, usize),
    /// A comprehension or lambda.
    Closure(Closure),
}

/// A comprehension with what its free names stood for.
#[derive(Clone, Debug)]
pub(crate) struct Closure {
    /// Which form.
    pub form: Form,
    /// The names it binds.
    pub names: Vec<LocalId>,
    /// What they satisfy.
    pub predicate: ExprId,
    /// The value part.
    pub value: Option<ExprId>,
    /// What the free names stand for.
    pub env: Env,
}

/// The forms of comprehensions.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// `{x,y | P}`
    Tuples,
    /// `%x.(P | E)`
    Lambda,
    /// `{x . P | E}`
    Image,
}

impl From<Value> for V {
    fn from(value: Value) -> V {
        V::Plain(value)
    }
}

impl V {
    pub(crate) fn rule(rule: Rule) -> V {
        V::Rule(Arc::new(rule))
    }

    pub(crate) fn made(op: Op, operands: impl Into<Vec<V>>) -> V {
        V::rule(Rule::Made(op, operands.into()))
    }

    pub(crate) fn bool(value: bool) -> V {
        V::Plain(Value::Bool(value))
    }

    pub(crate) fn int(value: Int) -> V {
        V::Plain(Value::Int(value))
    }

    pub(crate) fn empty() -> V {
        V::Plain(Value::Set(Arc::from([])))
    }

    /// `m..n`
    pub(crate) fn interval(low: Int, high: Int) -> V {
        if low > high {
            V::empty()
        } else {
            V::rule(Rule::Interval(low, high))
        }
    }

    pub(crate) fn pair(left: V, right: V) -> V {
        match (left, right) {
            (V::Plain(left), V::Plain(right)) => V::Plain(Value::pair(left, right)),
            (left, right) => V::Pair(Arc::new((left, right))),
        }
    }

    pub(crate) fn record(fields: Vec<(Name, V)>) -> V {
        if fields.iter().all(|(_, value)| matches!(value, V::Plain(_))) {
            let fields = fields.into_iter().filter_map(|(name, value)| match value {
                V::Plain(value) => Some((name, value)),
                _ => None,
            });
            V::Plain(Value::Record(fields.collect()))
        } else {
            V::Record(fields.into())
        }
    }

    pub(crate) fn free(free: FreeId, constructor: u32, argument: V) -> V {
        match argument {
            V::Plain(value) => V::Plain(Value::Free(free, constructor, Some(Arc::new(value)))),
            argument => V::Free(free, constructor, Arc::new(argument)),
        }
    }

    /// The listed elements, if the set is plain data.
    pub(crate) fn listed(&self) -> Option<&Arc<[Value]>> {
        match self {
            V::Plain(Value::Set(elements)) => Some(elements),
            _ => None,
        }
    }

    pub(crate) fn is_empty_list(&self) -> bool {
        self.listed().is_some_and(|elements| elements.is_empty())
    }

    /// The parts of a pair.
    pub(crate) fn parts(&self) -> Option<(V, V)> {
        match self {
            V::Plain(Value::Pair(pair)) => Some((pair.0.clone().into(), pair.1.clone().into())),
            V::Pair(pair) => Some((pair.0.clone(), pair.1.clone())),
            _ => None,
        }
    }

    /// A field of a record.
    pub(crate) fn field(&self, name: Name) -> Option<V> {
        match self {
            V::Plain(Value::Record(fields)) => fields
                .iter()
                .find(|(known, _)| *known == name)
                .map(|(_, value)| value.clone().into()),
            V::Record(fields) => fields
                .iter()
                .find(|(known, _)| *known == name)
                .map(|(_, value)| value.clone()),
            _ => None,
        }
    }

    /// Constructor and argument of a value of a free type.
    pub(crate) fn built(&self) -> Option<(u32, Option<V>)> {
        match self {
            V::Plain(Value::Free(_, constructor, argument)) => Some((
                *constructor,
                argument
                    .as_ref()
                    .map(|argument| V::Plain((**argument).clone())),
            )),
            V::Free(_, constructor, argument) => Some((*constructor, Some((**argument).clone()))),
            _ => None,
        }
    }
}
