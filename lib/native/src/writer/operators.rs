//! The operators of machine code: plain ones, those that may have no value, and comparisons.

/// An operation that always has a value.
#[derive(Clone, Copy, Debug)]
pub enum Plain {
    /// The sum, modulo 2^64.
    Add,
    /// The difference, modulo 2^64.
    Subtract,
    /// The product, modulo 2^64.
    Multiply,
    /// Bit by bit.
    And,
    /// Bit by bit.
    Or,
    /// Bit by bit.
    Xor,
    /// By the last six bits of the second.
    ShiftLeft,
    /// With the sign, by the last six bits of the second.
    ShiftRight,
}

/// An operation that may have no value; then the function asks.
#[derive(Clone, Copy, Debug)]
pub enum Checked {
    /// Asks beyond 64 bits.
    Add,
    /// Asks beyond 64 bits.
    Subtract,
    /// Asks beyond 64 bits.
    Multiply,
    /// Towards zero; asks where the divisor is 0 or −1.
    Divide,
    /// With the sign of the first; asks where the divisor is 0 or −1.
    Remainder,
}

/// How two numbers are compared, with their signs.
#[derive(Clone, Copy, Debug)]
pub enum Order {
    /// `=`
    Equal,
    /// `≠`
    Unequal,
    /// `<`
    Less,
    /// `≤`
    AtMost,
    /// `>`
    Greater,
    /// `≥`
    AtLeast,
}
