//! What a type holds: first values, least values, and what becomes of a value that is stored.

use program::{Arithmetic, Initial, Program, Reason, Ty, TyId, Value};

/// What a variable of a type holds before anything is assigned.
pub(crate) fn first(program: &Program, ty: TyId) -> Value {
    fill(program, ty, &|_| match program.semantics.initial {
        Initial::Zero => Value::Int(0),
        Initial::Undefined => Value::Undefined,
    })
}

/// Undefined in every part.
pub(crate) fn undefined(program: &Program, ty: TyId) -> Value {
    fill(program, ty, &|_| Value::Undefined)
}

/// The least value in every part.
pub(crate) fn least(program: &Program, ty: TyId) -> Value {
    fill(program, ty, &|part| {
        let ranges = program.types.ranges(part).unwrap_or_default();
        Value::Int(ranges.first().map_or(0, |range| range.0))
    })
}

/// How many values an index type has.
pub(crate) fn size(program: &Program, index: TyId) -> usize {
    let size = program.types.cardinality(index).unwrap_or(0);
    usize::try_from(size).unwrap_or(0)
}

fn fill(program: &Program, ty: TyId, simple: &dyn Fn(TyId) -> Value) -> Value {
    match program.types.get(ty) {
        Ty::Array { index, element } => {
            let part = fill(program, *element, simple);
            Value::Parts(vec![part; size(program, *index)])
        }
        Ty::Record(record) => {
            let fields = &program.types.records[*record].fields;
            let parts = fields.iter().map(|(_, ty)| fill(program, *ty, simple));
            Value::Parts(parts.collect())
        }
        Ty::Multiset { capacity, .. } => Value::Bag(vec![None; *capacity as usize]),
        _ => simple(ty),
    }
}

/// What a place of a type holds after a value was stored there.
pub(crate) fn stored(program: &Program, ty: TyId, value: Value) -> Result<Value, Reason> {
    let each = |ty: TyId, parts: Vec<Value>| -> Result<Vec<Value>, Reason> {
        let parts = parts.into_iter().map(|part| stored(program, ty, part));
        parts.collect()
    };
    match (program.types.get(ty), value) {
        (Ty::Array { element, .. }, Value::Parts(parts)) => {
            Ok(Value::Parts(each(*element, parts)?))
        }
        (Ty::Record(record), Value::Parts(parts)) => {
            let fields = &program.types.records[*record].fields;
            let parts = fields.iter().zip(parts);
            let parts = parts.map(|((_, ty), part)| stored(program, *ty, part));
            Ok(Value::Parts(parts.collect::<Result<_, _>>()?))
        }
        (_, Value::Int(value)) => simple(program, ty, value).map(Value::Int),
        (_, value) => Ok(value),
    }
}

/// A simple value in a simple type.
pub(crate) fn simple(program: &Program, ty: TyId, value: i64) -> Result<i64, Reason> {
    let wraps = program.semantics.arithmetic == Arithmetic::Wrapping;
    Ok(match program.types.get(ty) {
        Ty::Bool if wraps => value & 1,
        Ty::Int(width) => {
            let cut = value & ((1 << width.bits) - 1);
            if width.is_signed && cut >> (width.bits - 1) == 1 {
                cut - (1 << width.bits)
            } else {
                cut
            }
        }
        Ty::Pid | Ty::Channel | Ty::Symbol(_) => value & 255,
        Ty::Range { .. } | Ty::Sort(_) | Ty::Union(_) | Ty::Bool => {
            if !holds(program, ty, value) {
                return Err(Reason::OutOfRange(value));
            }
            value
        }
        Ty::Number | Ty::Array { .. } | Ty::Record(_) | Ty::Multiset { .. } => value,
    })
}

/// Whether a value is one of a type.
pub(crate) fn holds(program: &Program, ty: TyId, value: i64) -> bool {
    let ranges = program.types.ranges(ty);
    ranges.is_none_or(|ranges| {
        ranges
            .iter()
            .any(|(low, high)| (*low..=*high).contains(&value))
    })
}

/// The position of a value among those of a type.
pub(crate) fn position(program: &Program, ty: TyId, value: i64) -> Option<usize> {
    let mut before = 0;
    for (low, high) in program.types.ranges(ty)? {
        if (low..=high).contains(&value) {
            return usize::try_from(before + value - low).ok();
        }
        before += high - low + 1;
    }
    None
}

/// Puts the elements of all multisets in order, free places last.
pub(crate) fn settle(value: &mut Value) {
    match value {
        Value::Undefined | Value::Int(_) => {}
        Value::Parts(parts) => parts.iter_mut().for_each(settle),
        Value::Bag(places) => {
            places.iter_mut().flatten().for_each(settle);
            places.sort_by(|a, b| match (a, b) {
                (Some(a), Some(b)) => a.cmp(b),
                (a, b) => b.is_some().cmp(&a.is_some()),
            });
        }
    }
}
