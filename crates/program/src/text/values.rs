//! Types and values in one line.

use base::Name;

use crate::{Program, Ty, TyId, Value};

/// A type.
pub fn ty(program: &Program, id: TyId) -> String {
    let types = &program.types;
    let named = |name: Option<Name>, word: &str, index: usize| match name {
        Some(name) => name.to_string(),
        None => format!("{word}#{index}"),
    };
    match types.get(id) {
        Ty::Bool => "bool".to_string(),
        Ty::Int(width) if width.is_signed => format!("i{}", width.bits),
        Ty::Int(width) => format!("u{}", width.bits),
        Ty::Range { low, high } => format!("{low}..{high}"),
        Ty::Number => "number".to_string(),
        Ty::Pid => "pid".to_string(),
        Ty::Channel => "chan".to_string(),
        Ty::Symbol(id) => named(types.symbols[*id].name, "symbols", id.index()),
        Ty::Sort(id) => named(types.sorts[*id].name, "sort", id.index()),
        Ty::Union(sorts) => {
            let sorts = sorts.iter();
            let names: Vec<String> = sorts
                .map(|id| named(types.sorts[*id].name, "sort", id.index()))
                .collect();
            format!("union {{{}}}", names.join(", "))
        }
        Ty::Array { index, element } => {
            format!(
                "array [{}] of {}",
                ty(program, *index),
                ty(program, *element)
            )
        }
        Ty::Record(id) => named(types.records[*id].name, "record", id.index()),
        Ty::Multiset { capacity, element } => {
            format!("multiset [{capacity}] of {}", ty(program, *element))
        }
    }
}

/// A value of a type, by names where the type has names.
pub fn value(program: &Program, id: TyId, value: &Value) -> String {
    let types = &program.types;
    match (types.get(id), value) {
        (_, Value::Undefined) => "undefined".to_string(),
        (Ty::Bool, Value::Int(truth)) => (*truth != 0).to_string(),
        (Ty::Symbol(symbols), Value::Int(code)) => {
            let names = &types.symbols[*symbols].names;
            let name = names.iter().find(|(number, _)| number == code);
            name.map_or_else(|| code.to_string(), |(_, name)| name.to_string())
        }
        (Ty::Sort(_) | Ty::Union(_), Value::Int(code)) => types
            .element(*code)
            .map_or_else(|| code.to_string(), |name| name.to_string()),
        (_, Value::Int(number)) => number.to_string(),
        (Ty::Array { element, .. }, Value::Parts(parts)) => {
            let parts: Vec<String> = parts
                .iter()
                .map(|p| self::value(program, *element, p))
                .collect();
            format!("[{}]", parts.join(", "))
        }
        (Ty::Record(record), Value::Parts(parts)) => {
            let fields = types.records[*record].fields.iter().zip(parts);
            let parts: Vec<String> = fields
                .map(|((name, ty), part)| format!("{name}: {}", self::value(program, *ty, part)))
                .collect();
            format!("{{{}}}", parts.join(", "))
        }
        (Ty::Multiset { element, .. }, Value::Bag(places)) => {
            let held = places.iter().flatten();
            let parts: Vec<String> = held.map(|p| self::value(program, *element, p)).collect();
            format!("{{|{}|}}", parts.join(", "))
        }
        (_, Value::Parts(_) | Value::Bag(_)) => unreachable!("a value fits its type"),
    }
}
