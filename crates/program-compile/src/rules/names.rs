//! What each word of a state is called.

use base::Name;
use program::{Program, Ty, TyId, VarId};

/// The names of the words of a variable: `a[P_1].f`, as the text would write them.
pub(crate) fn slots(program: &Program, variable: VarId) -> Vec<Name> {
    let found = &program.variables[variable];
    let mut names = Vec::new();
    parts(program, found.ty, found.name.to_string(), &mut names);
    names
}

fn parts(program: &Program, ty: TyId, name: String, names: &mut Vec<Name>) {
    match program.types.get(ty) {
        Ty::Array { index, element } => {
            for (low, high) in program.types.ranges(*index).unwrap_or_default() {
                for value in low..=high {
                    let shown = shown(program, *index, value);
                    parts(program, *element, format!("{name}[{shown}]"), names);
                }
            }
        }
        Ty::Record(record) => {
            for (field, ty) in &program.types.records[*record].fields {
                parts(program, *ty, format!("{name}.{field}"), names);
            }
        }
        Ty::Multiset { capacity, element } => {
            for place in 0..*capacity {
                names.push(Name::new(&format!("{name}{{{place}}}")));
                parts(program, *element, format!("{name}{{{place}}}"), names);
            }
        }
        _ => names.push(Name::new(&name)),
    }
}

/// A value of a simple type.
fn shown(program: &Program, ty: TyId, value: i64) -> String {
    match program.types.get(ty) {
        Ty::Bool => (value != 0).to_string(),
        Ty::Sort(_) | Ty::Union(_) => program
            .types
            .element(value)
            .map_or(value.to_string(), |name| name.to_string()),
        _ => value.to_string(),
    }
}
