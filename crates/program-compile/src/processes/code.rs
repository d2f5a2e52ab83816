//! Code as closures, with the common small forms kept apart so that a comparison of a variable with a number is one call.

use program::{Binary, Reason, Unary};

use super::engine::{Engine, Trap};

/// Computes a number.
pub(super) type Int = Box<dyn Fn(&mut Engine<'_>) -> Result<i32, Trap> + Send + Sync>;
/// Does something.
pub(super) type Action = Box<dyn Fn(&mut Engine<'_>) -> Result<(), Trap> + Send + Sync>;

/// A computation before it is needed as a closure.
pub(super) enum Code {
    /// Always this.
    Constant(i32),
    /// The word of a slot.
    Slot(usize),
    /// Whether the word of a slot is so beside a number.
    Compared(usize, Order, i32),
    /// Whether all are true; those after the first that is not are not computed.
    All(Vec<Code>),
    /// Anything else.
    Computed(Int),
}

impl Code {
    /// A closure for it.
    pub fn into_int(self) -> Int {
        match self {
            Code::Constant(value) => Box::new(move |_| Ok(value)),
            Code::Slot(slot) => Box::new(move |engine| Ok(engine.words[slot] as i32)),
            Code::Computed(int) => int,
            code => Box::new(move |engine| code.get(engine)),
        }
    }

    /// Its value now.
    #[inline]
    pub fn get(&self, engine: &mut Engine<'_>) -> Result<i32, Trap> {
        match self {
            Code::Constant(value) => Ok(*value),
            Code::Slot(slot) => Ok(engine.words[*slot] as i32),
            Code::Compared(slot, order, with) => {
                Ok(i32::from(order.holds(engine.words[*slot] as i32, *with)))
            }
            Code::All(parts) => all(parts, engine),
            Code::Computed(int) => int(engine),
        }
    }

    /// A comparison without which it is 0.
    pub fn needed(&self) -> Option<Test> {
        match self {
            Code::Compared(slot, order, with) => Some(Test {
                slot: *slot,
                order: *order,
                with: *with,
            }),
            Code::All(parts) => parts.first()?.needed(),
            _ => None,
        }
    }

    /// Its value, if that is known.
    pub fn constant(&self) -> Option<i32> {
        match self {
            Code::Constant(value) => Some(*value),
            _ => None,
        }
    }
}

fn all(parts: &[Code], engine: &mut Engine<'_>) -> Result<i32, Trap> {
    for part in parts {
        if part.get(engine)? == 0 {
            return Ok(0);
        }
    }
    Ok(1)
}

/// A comparison of the word of a slot with a number.
#[derive(Clone, Copy, Debug)]
pub(super) struct Test {
    pub slot: usize,
    pub order: Order,
    pub with: i32,
}

impl Test {
    /// Whether it holds.
    #[inline]
    pub fn holds(self, words: &[u32]) -> bool {
        self.order.holds(words[self.slot] as i32, self.with)
    }
}

/// How two numbers are compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Order {
    Equal,
    Unequal,
    Less,
    AtMost,
    Greater,
    AtLeast,
}

impl Order {
    /// Whether the first number is so beside the second.
    #[inline]
    fn holds(self, a: i32, b: i32) -> bool {
        match self {
            Order::Equal => a == b,
            Order::Unequal => a != b,
            Order::Less => a < b,
            Order::AtMost => a <= b,
            Order::Greater => a > b,
            Order::AtLeast => a >= b,
        }
    }

    /// What holds where this does not.
    fn opposite(self) -> Order {
        match self {
            Order::Equal => Order::Unequal,
            Order::Unequal => Order::Equal,
            Order::Less => Order::AtLeast,
            Order::AtMost => Order::Greater,
            Order::Greater => Order::AtMost,
            Order::AtLeast => Order::Less,
        }
    }

    /// What holds of the second number beside the first.
    fn turned(self) -> Order {
        match self {
            Order::Equal | Order::Unequal => self,
            Order::Less => Order::Greater,
            Order::AtMost => Order::AtLeast,
            Order::Greater => Order::Less,
            Order::AtLeast => Order::AtMost,
        }
    }

    /// A comparison of two values.
    fn of(self, a: Code, b: Code) -> Code {
        match (a, b) {
            (Code::Slot(slot), Code::Constant(with)) => Code::Compared(slot, self, with),
            (Code::Constant(with), Code::Slot(slot)) => Code::Compared(slot, self.turned(), with),
            (a, b) => both(a, b, move |a, b| i32::from(self.holds(a, b))),
        }
    }
}

/// A computation by a closure.
pub(super) fn computed(
    compute: impl Fn(&mut Engine<'_>) -> Result<i32, Trap> + Send + Sync + 'static,
) -> Code {
    Code::Computed(Box::new(compute))
}

/// An operation on one value.
pub(super) fn unary(op: Unary, operand: Code) -> Code {
    match op {
        Unary::Minus => map(operand, i32::wrapping_neg),
        Unary::Not => match operand {
            Code::Compared(slot, order, with) => Code::Compared(slot, order.opposite(), with),
            operand => Order::Equal.of(operand, Code::Constant(0)),
        },
        Unary::Complement => map(operand, |value| !value),
    }
}

fn map(operand: Code, f: impl Fn(i32) -> i32 + Send + Sync + 'static) -> Code {
    match operand {
        Code::Constant(value) => Code::Constant(f(value)),
        Code::Slot(slot) => computed(move |engine| Ok(f(engine.words[slot] as i32))),
        operand => computed(move |engine| Ok(f(operand.get(engine)?))),
    }
}

/// An operation on two values; `span` is where a division by zero is reported.
pub(super) fn binary(op: Binary, a: Code, b: Code, span: base::Span) -> Code {
    match op {
        Binary::Add => both(a, b, i32::wrapping_add),
        Binary::Subtract => both(a, b, i32::wrapping_sub),
        Binary::Multiply => both(a, b, i32::wrapping_mul),
        Binary::Divide => divided(a, b, span, i32::wrapping_div),
        Binary::Remainder => divided(a, b, span, i32::wrapping_rem),
        Binary::BitAnd => both(a, b, |a, b| a & b),
        Binary::BitOr => both(a, b, |a, b| a | b),
        Binary::BitXor => both(a, b, |a, b| a ^ b),
        Binary::ShiftLeft => both(a, b, |a, b| a.wrapping_shl(b as u32)),
        Binary::ShiftRight => both(a, b, |a, b| a.wrapping_shr(b as u32)),
        Binary::Equal => Order::Equal.of(a, b),
        Binary::Unequal => Order::Unequal.of(a, b),
        Binary::Less => Order::Less.of(a, b),
        Binary::AtMost => Order::AtMost.of(a, b),
        Binary::Greater => Order::Greater.of(a, b),
        Binary::AtLeast => Order::AtLeast.of(a, b),
        Binary::And | Binary::Or | Binary::Implies => lazy(op, a, b),
    }
}

/// The second operand is computed only if the first does not decide.
fn lazy(op: Binary, a: Code, b: Code) -> Code {
    // What the first operand must be for the second to matter.
    let wanted = op != Binary::Or;
    let otherwise = i32::from(op != Binary::And);
    if let Some(first) = a.constant() {
        return if (first != 0) == wanted {
            map(b, |value| i32::from(value != 0))
        } else {
            Code::Constant(otherwise)
        };
    }
    if op == Binary::And {
        let mut parts = match a {
            Code::All(parts) => parts,
            a => vec![a],
        };
        match b {
            Code::All(more) => parts.extend(more),
            b => parts.push(b),
        }
        return Code::All(parts);
    }
    computed(move |engine| {
        if (a.get(engine)? != 0) != wanted {
            return Ok(otherwise);
        }
        Ok(i32::from(b.get(engine)? != 0))
    })
}

fn both(a: Code, b: Code, f: impl Fn(i32, i32) -> i32 + Send + Sync + 'static) -> Code {
    match (a, b) {
        (Code::Constant(a), Code::Constant(b)) => Code::Constant(f(a, b)),
        (Code::Slot(a), Code::Constant(b)) => {
            computed(move |engine| Ok(f(engine.words[a] as i32, b)))
        }
        (Code::Constant(a), Code::Slot(b)) => {
            computed(move |engine| Ok(f(a, engine.words[b] as i32)))
        }
        (Code::Slot(a), Code::Slot(b)) => {
            computed(move |engine| Ok(f(engine.words[a] as i32, engine.words[b] as i32)))
        }
        (Code::Computed(a), Code::Constant(b)) => computed(move |engine| Ok(f(a(engine)?, b))),
        (a, b) => computed(move |engine| {
            let first = a.get(engine)?;
            Ok(f(first, b.get(engine)?))
        }),
    }
}

fn divided(a: Code, b: Code, span: base::Span, f: fn(i32, i32) -> i32) -> Code {
    match b.constant() {
        Some(divisor) if divisor != 0 => both(a, Code::Constant(divisor), f),
        _ => computed(move |engine| {
            let first = a.get(engine)?;
            match b.get(engine)? {
                0 => engine.trap(Reason::DivisionByZero, span),
                second => Ok(f(first, second)),
            }
        }),
    }
}

/// How a value becomes what a type holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Cut {
    /// As it is.
    Whole,
    /// The bits of a mask.
    Mask(u32),
    /// The lowest bits, the highest of them a sign.
    Signed(u32),
}

impl Cut {
    /// The value as it is held.
    #[inline]
    pub fn apply(self, value: i32) -> i32 {
        match self {
            Cut::Whole => value,
            Cut::Mask(mask) => (value as u32 & mask) as i32,
            Cut::Signed(bits) => (value << (32 - bits)) >> (32 - bits),
        }
    }

    /// A computation followed by the cut.
    pub fn of(self, code: Code) -> Code {
        match self {
            Cut::Whole => code,
            _ => map(code, move |value| self.apply(value)),
        }
    }
}
