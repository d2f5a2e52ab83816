//! States as plain values and back.

use program::{Program, State, Ty, TyId, Value};

use super::layout::Layout;

/// The state that words stand for.
pub(crate) fn state(program: &Program, layout: &Layout, words: &[u32]) -> State {
    let globals = program.variables.iter().map(|(id, variable)| {
        let start = layout.variables[id.index()] as usize;
        value(program, layout, variable.ty, &words[start..])
    });
    State {
        globals: globals.collect(),
        processes: Vec::new(),
        channels: Vec::new(),
        last: 0,
        observer: None,
    }
}

/// The value that words stand for.
pub(crate) fn value(program: &Program, layout: &Layout, ty: TyId, words: &[u32]) -> Value {
    match program.types.get(ty) {
        Ty::Array { index, element } => {
            let stride = layout.ty(*element).words as usize;
            let count = layout.ty(*index).count() as usize;
            let part = |at: usize| value(program, layout, *element, &words[at * stride..]);
            Value::Parts((0..count).map(part).collect())
        }
        Ty::Record(record) => {
            let mut at = 0;
            let mut parts = Vec::new();
            for (_, field) in &program.types.records[*record].fields {
                parts.push(value(program, layout, *field, &words[at..]));
                at += layout.ty(*field).words as usize;
            }
            Value::Parts(parts)
        }
        Ty::Multiset { capacity, element } => {
            let stride = layout.ty(*element).words as usize + 1;
            let place = |at: usize| {
                let taken = words[at * stride] != 0;
                taken.then(|| value(program, layout, *element, &words[at * stride + 1..]))
            };
            Value::Bag((0..*capacity as usize).map(place).collect())
        }
        _ => match words[0] {
            0 => Value::Undefined,
            word => Value::Int(i64::from(word) + layout.ty(ty).bias),
        },
    }
}

/// The words of a state; `None` when a value does not fit its type.
pub(crate) fn words(program: &Program, layout: &Layout, state: &State) -> Option<Vec<u32>> {
    let mut words = Vec::with_capacity(layout.words as usize);
    for ((_, variable), value) in program.variables.iter().zip(&state.globals) {
        encode(program, layout, variable.ty, value, &mut words)?;
    }
    (words.len() == layout.words as usize).then_some(words)
}

fn encode(
    program: &Program,
    layout: &Layout,
    ty: TyId,
    value: &Value,
    words: &mut Vec<u32>,
) -> Option<()> {
    match (program.types.get(ty), value) {
        (Ty::Array { element, .. }, Value::Parts(parts)) => parts
            .iter()
            .try_for_each(|part| encode(program, layout, *element, part, words)),
        (Ty::Record(record), Value::Parts(parts)) => {
            let fields = program.types.records[*record].fields.iter().zip(parts);
            fields
                .into_iter()
                .try_for_each(|((_, ty), part)| encode(program, layout, *ty, part, words))
        }
        (Ty::Multiset { element, .. }, Value::Bag(places)) => places.iter().try_for_each(|place| {
            words.push(u32::from(place.is_some()));
            match place {
                Some(value) => encode(program, layout, *element, value, words),
                None => {
                    words.resize(words.len() + layout.ty(*element).words as usize, 0);
                    Some(())
                }
            }
        }),
        (_, Value::Undefined) => {
            words.push(0);
            Some(())
        }
        (_, Value::Int(value)) => {
            words.push(layout.ty(ty).encode(*value)?);
            Some(())
        }
        _ => None,
    }
}
