//! Types of Z over the types that B has too.
//!
//! A tuple of three or more is a record whose labels are its positions: no component's name begins with a digit, so the
//! unifier of `lang_math` keeps tuples of different lengths, and bindings, apart.
//! A generic parameter is a given set whose name carries its owner after a bar (`X│f`).

use base::Name;
use lang_math::{Type, TypeId, Types};

/// Whether the fields of a record are positions of a tuple.
pub fn is_tuple(fields: &[(Name, TypeId)]) -> bool {
    let first = fields.first();
    first.is_some_and(|(name, _)| name.as_str().starts_with(|c: char| c.is_ascii_digit()))
}

/// The type of tuples with these parts.
pub fn tuple(types: &mut Types, parts: &[TypeId]) -> TypeId {
    match parts {
        [one] => *one,
        [left, right] => types.prod(*left, *right),
        _ => {
            let fields = parts.iter().enumerate();
            types.record(fields.map(|(i, ty)| (label(i), *ty)).collect())
        }
    }
}

/// The label of a position; positions sort like numbers.
fn label(index: usize) -> Name {
    Name::new(&format!("{:03}", index + 1))
}

/// The parts of a type of tuples.
pub fn parts(types: &Types, ty: TypeId) -> Option<Vec<TypeId>> {
    match types.get(ty) {
        Type::Prod(left, right) => Some(vec![*left, *right]),
        Type::Record(fields) if is_tuple(fields) => {
            Some(fields.iter().map(|(_, ty)| *ty).collect())
        }
        _ => None,
    }
}

/// The given set that stands for a parameter of a global.
pub(crate) fn parameter(name: Name, owner: Name) -> Name {
    Name::new(&format!("{name}│{owner}"))
}

/// A type in the notation of Z.
pub fn show(types: &Types, ty: TypeId) -> String {
    let mut out = String::new();
    write(types, ty, 0, &mut out);
    out
}

fn write(types: &Types, ty: TypeId, level: u8, out: &mut String) {
    // A longer type tells nobody anything.
    const ENOUGH: usize = 300;
    if out.len() > ENOUGH {
        if !out.ends_with('…') {
            out.push('…');
        }
        return;
    }
    let bracket = |out: &mut String, needed: bool, c: char| {
        if needed {
            out.push(c);
        }
    };
    match types.get(ty) {
        Type::Int => out.push('ℤ'),
        Type::Given(name) => out.push_str(name.as_str().split('│').next().unwrap_or("")),
        Type::Pow(element) => match types.get(*element) {
            Type::Prod(left, right) => {
                bracket(out, level > 0, '(');
                write(types, *left, 1, out);
                out.push_str(" ↔ ");
                write(types, *right, 1, out);
                bracket(out, level > 0, ')');
            }
            _ => {
                out.push_str("ℙ ");
                write(types, *element, 2, out);
            }
        },
        Type::Prod(left, right) => {
            bracket(out, level > 0, '(');
            write(types, *left, 2, out);
            out.push_str(" × ");
            write(types, *right, 2, out);
            bracket(out, level > 0, ')');
        }
        Type::Record(fields) if is_tuple(fields) => {
            bracket(out, level > 0, '(');
            for (i, (_, ty)) in fields.iter().enumerate() {
                if i > 0 {
                    out.push_str(" × ");
                }
                write(types, *ty, 2, out);
            }
            bracket(out, level > 0, ')');
        }
        Type::Record(fields) => {
            out.push('[');
            for (i, (name, ty)) in fields.iter().enumerate() {
                if i > 0 {
                    out.push_str("; ");
                }
                out.push_str(name.as_str());
                out.push_str(" : ");
                write(types, *ty, 0, out);
            }
            out.push(']');
        }
        Type::Var(_) => out.push('?'),
        Type::Bool | Type::Real | Type::Str | Type::Error => out.push('?'),
    }
}
