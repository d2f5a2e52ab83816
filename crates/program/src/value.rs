//! Values as plain data: what the reference evaluator computes with and what people are shown.

/// A value.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Value {
    /// Nothing was assigned, or the value was taken away.
    Undefined,
    /// A simple value: a number, 0 or 1, a pid, a channel, the code of an element.
    Int(i64),
    /// The elements of an array in the order of its index, or the fields of a record.
    Parts(Vec<Value>),
    /// The places of a multiset, as many as its capacity. Between steps the elements come first, ascending, and free
    /// places last; within a step an element keeps its place.
    Bag(Vec<Option<Value>>),
}
