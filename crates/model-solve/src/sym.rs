//! Values that are not known yet: what an expression over unknowns evaluates to.
//!
//! Technique: as in Kodkod (Torlak and Jackson 2007), a set is its possible elements, each with a literal; a
//! function keeps one unknown value for each argument, so that `f(a)` is a variable and not a choice of pairs.
//! Invariant: sets are sorted by element, functions by argument, and what a literal excludes is not listed.

use std::rc::Rc;

use base::Name;
use model::{Int, Value};

use crate::flat::{Lin, Lit, Var};

/// A value that may depend on unknowns.
#[derive(Clone, Debug)]
pub enum Sym {
    /// A value.
    Known(Value),
    /// An integer.
    Int(Lin),
    /// A boolean.
    Bool(Lit),
    /// One of these values, sorted: the variable is the position.
    Choice(Rc<[Value]>, Var),
    /// A pair.
    Pair(Rc<(Sym, Sym)>),
    /// A record.
    Record(Rc<[(Name, Sym)]>),
    /// A set of known elements, each in it when its literal holds.
    Set(Rc<[(Value, Lit)]>),
    /// A function: for each argument, whether it has a value, and which.
    Function(Rc<[(Value, Lit, Sym)]>),
    /// A set of elements that are not known, each in it when its literal holds.
    Bag(Rc<[(Lit, Sym)]>),
}

impl Sym {
    /// A pair.
    pub fn pair(left: Sym, right: Sym) -> Sym {
        match (left, right) {
            (Sym::Known(left), Sym::Known(right)) => Sym::Known(Value::pair(left, right)),
            (left, right) => Sym::Pair(Rc::new((left, right))),
        }
    }

    /// An integer.
    pub fn int(lin: Lin) -> Sym {
        match lin.as_number() {
            Some(number) => Sym::Known(Value::int(number)),
            None => Sym::Int(lin),
        }
    }

    /// A truth value.
    pub fn bool(lit: Lit) -> Sym {
        match lit {
            Lit::True => Sym::Known(Value::Bool(true)),
            Lit::False => Sym::Known(Value::Bool(false)),
            lit => Sym::Bool(lit),
        }
    }

    /// A set of known elements.
    pub fn set(elements: Vec<(Value, Lit)>) -> Sym {
        if elements.iter().all(|(_, lit)| *lit == Lit::True) {
            let elements: Vec<Value> = elements.into_iter().map(|(value, _)| value).collect();
            return Sym::Known(Value::Set(elements.into()));
        }
        Sym::Set(elements.into())
    }

    /// The value, when it is known.
    pub fn known(&self) -> Option<&Value> {
        match self {
            Sym::Known(value) => Some(value),
            _ => None,
        }
    }
}

/// The small integer that a value is.
pub fn small(value: &Value) -> Option<i64> {
    match value {
        Value::Int(Int::Small(number)) if number.abs() <= crate::flat::FAR => Some(*number),
        _ => None,
    }
}

/// The elements of a set value.
pub fn elements(value: &Value) -> &[Value] {
    match value {
        Value::Set(elements) => elements,
        _ => &[],
    }
}

/// The components of a pair value.
pub fn parts(value: &Value) -> Option<(&Value, &Value)> {
    match value {
        Value::Pair(pair) => Some((&pair.0, &pair.1)),
        _ => None,
    }
}
