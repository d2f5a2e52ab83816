//! Values as data: what evaluators exchange, reports print and tests compare.
//!
//! Invariant: equal values are equal data: sets are sorted without duplicates, record fields are sorted.
//! Order and notation are the canonical ones of `docs/meaning.md`: sets by size, then element by element.

mod read;

use std::cmp::Ordering;
use std::fmt::Write as _;
use std::sync::Arc;

use base::Name;
use num_bigint::BigInt;
use num_traits::ToPrimitive as _;

use crate::ty::{FreeId, Notation, SortId, Tys};

/// An integer: small where possible.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Int {
    /// Fits a machine word.
    Small(i64),
    /// Does not.
    Big(Arc<BigInt>),
}

impl Int {
    /// The integer, in its only form.
    pub fn new(value: BigInt) -> Int {
        match value.to_i64() {
            Some(small) => Int::Small(small),
            None => Int::Big(Arc::new(value)),
        }
    }

    /// The value as a big integer.
    pub fn to_big(&self) -> BigInt {
        match self {
            Int::Small(value) => BigInt::from(*value),
            Int::Big(value) => (**value).clone(),
        }
    }
}

impl From<i64> for Int {
    fn from(value: i64) -> Int {
        Int::Small(value)
    }
}
impl PartialOrd for Int {
    fn partial_cmp(&self, other: &Int) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}
impl Ord for Int {
    fn cmp(&self, other: &Int) -> Ordering {
        match (self, other) {
            (Int::Small(a), Int::Small(b)) => a.cmp(b),
            _ => self.to_big().cmp(&other.to_big()),
        }
    }
}

/// A value.
#[derive(Clone, Debug)]
pub enum Value {
    /// FALSE or TRUE.
    Bool(bool),
    /// An integer.
    Int(Int),
    /// A real.
    Real(f64),
    /// A string.
    Str(Arc<str>),
    /// An element of a carrier set.
    Element(SortId, u32),
    /// A pair.
    Pair(Arc<(Value, Value)>),
    /// A finite set, sorted without duplicates.
    Set(Arc<[Value]>),
    /// A record, fields sorted by name.
    Record(Arc<[(Name, Value)]>),
    /// A value of a free type: constructor and argument.
    Free(FreeId, u32, Option<Arc<Value>>),
}

impl Value {
    /// An integer.
    pub fn int(value: i64) -> Value {
        Value::Int(Int::Small(value))
    }

    /// A pair.
    pub fn pair(left: Value, right: Value) -> Value {
        Value::Pair(Arc::new((left, right)))
    }

    /// The set of these elements.
    pub fn set(mut elements: Vec<Value>) -> Value {
        elements.sort();
        elements.dedup();
        Value::Set(elements.into())
    }

    /// The value in the canonical notation.
    pub fn show(&self, tys: &Tys) -> String {
        let mut out = String::new();
        self.write(tys, Notation::B, &mut out);
        out
    }

    /// The value in the notation of the model's language.
    pub fn told(&self, tys: &Tys) -> String {
        let mut out = String::new();
        self.write(tys, tys.notation, &mut out);
        out
    }

    // Long: one arm for each kind of value.
    fn write(&self, tys: &Tys, notation: Notation, out: &mut String) {
        match self {
            Value::Bool(value) => out.push_str(if *value { "TRUE" } else { "FALSE" }),
            Value::Int(Int::Small(value)) => {
                let _ = write!(out, "{value}");
            }
            Value::Int(Int::Big(value)) => {
                let _ = write!(out, "{value}");
            }
            Value::Real(value) => {
                let _ = write!(out, "{value:?}");
            }
            Value::Str(text) => {
                out.push('"');
                for c in text.chars() {
                    match c {
                        '"' => out.push_str("\\\""),
                        '\\' => out.push_str("\\\\"),
                        '\n' => out.push_str("\\n"),
                        '\t' => out.push_str("\\t"),
                        '\r' => out.push_str("\\r"),
                        c => out.push(c),
                    }
                }
                out.push('"');
            }
            Value::Element(sort, index) => {
                let sort = &tys.sorts[*sort];
                match sort.elements.get(*index as usize) {
                    Some(name) => out.push_str(name.as_str()),
                    None => {
                        let _ = write!(out, "{}{}", sort.name, index + 1);
                    }
                }
            }
            Value::Pair(pair) => {
                out.push('(');
                pair.0.write(tys, notation, out);
                out.push_str(match notation {
                    Notation::B => "|->",
                    Notation::EventB => " ↦ ",
                });
                pair.1.write(tys, notation, out);
                out.push(')');
            }
            Value::Set(elements) if elements.is_empty() && notation == Notation::EventB => {
                out.push('∅');
            }
            Value::Set(elements) => {
                out.push('{');
                for (i, element) in elements.iter().enumerate() {
                    if i > 0 {
                        out.push(',');
                    }
                    element.write(tys, notation, out);
                }
                out.push('}');
            }
            Value::Record(fields) => {
                out.push_str("rec(");
                for (i, (name, value)) in fields.iter().enumerate() {
                    let comma = if i == 0 { "" } else { "," };
                    let _ = write!(out, "{comma}{name}:");
                    value.write(tys, notation, out);
                }
                out.push(')');
            }
            Value::Free(free, constructor, argument) => {
                out.push_str(
                    tys.free[*free].constructors[*constructor as usize]
                        .0
                        .as_str(),
                );
                if let Some(argument) = argument {
                    out.push('(');
                    argument.write(tys, notation, out);
                    out.push(')');
                }
            }
        }
    }
}

impl PartialEq for Value {
    fn eq(&self, other: &Value) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}
impl Eq for Value {}
impl PartialOrd for Value {
    fn partial_cmp(&self, other: &Value) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Value {
    fn cmp(&self, other: &Value) -> Ordering {
        match (self, other) {
            (Value::Bool(a), Value::Bool(b)) => a.cmp(b),
            (Value::Int(a), Value::Int(b)) => a.cmp(b),
            (Value::Real(a), Value::Real(b)) => a.total_cmp(b),
            (Value::Str(a), Value::Str(b)) => a.cmp(b),
            (Value::Element(s, a), Value::Element(t, b)) => (s, a).cmp(&(t, b)),
            (Value::Pair(a), Value::Pair(b)) => a.0.cmp(&b.0).then_with(|| a.1.cmp(&b.1)),
            (Value::Set(a), Value::Set(b)) => a.len().cmp(&b.len()).then_with(|| a.cmp(b)),
            (Value::Record(a), Value::Record(b)) => a.cmp(b),
            (Value::Free(f, a, x), Value::Free(g, b, y)) => {
                (f, a).cmp(&(g, b)).then_with(|| x.cmp(y))
            }
            // Values of different types never meet; the order of kinds keeps this total.
            _ => self.rank().cmp(&other.rank()),
        }
    }
}

impl Value {
    fn rank(&self) -> u8 {
        match self {
            Value::Bool(_) => 0,
            Value::Int(_) => 1,
            Value::Real(_) => 2,
            Value::Str(_) => 3,
            Value::Element(..) => 4,
            Value::Pair(_) => 5,
            Value::Set(_) => 6,
            Value::Record(_) => 7,
            Value::Free(..) => 8,
        }
    }
}
