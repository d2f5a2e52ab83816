//! From state vectors to plain values.

use program::{ChannelId, Process, ProctypeId, Program, Queue, State, Ty, TyId, Value};

use super::layout::{Home, at};
use super::tables::Tables;

/// The state that a vector means.
pub(super) fn state(program: &Program, tables: &Tables, vector: &[u32]) -> State {
    let layout = &tables.layout;
    let mut globals = Vec::new();
    for (id, variable) in program.variables.iter() {
        globals.push(match layout.global(id) {
            Home::Fixed(values) => {
                let mut words = values.iter().map(|value| *value as u32);
                value(program, variable.ty, &mut words)
            }
            Home::Words(first) if *first >= layout.slots => {
                let hidden = tables.hidden[first - layout.slots..].iter();
                value(program, variable.ty, &mut hidden.copied())
            }
            Home::Words(first) => {
                value(program, variable.ty, &mut vector[*first..].iter().copied())
            }
        });
    }
    State {
        globals,
        processes: processes(program, tables, vector),
        channels: channels(tables, vector),
        last: layout.last.map_or(0, |slot| i64::from(vector[slot] as i32)),
        observer: layout
            .observer
            .map(|slot| base::Id::new(vector[slot] as usize)),
    }
}

fn value(program: &Program, ty: TyId, words: &mut dyn Iterator<Item = u32>) -> Value {
    match program.types.get(ty) {
        Ty::Array { index, element } => {
            let count = super::layout::length(program, *index);
            Value::Parts(
                (0..count)
                    .map(|_| value(program, *element, words))
                    .collect(),
            )
        }
        Ty::Record(record) => {
            let fields = program.types.records[*record].fields.iter();
            Value::Parts(fields.map(|(_, ty)| value(program, *ty, words)).collect())
        }
        _ => Value::Int(i64::from(words.next().unwrap_or(0) as i32)),
    }
}

fn processes(program: &Program, tables: &Tables, vector: &[u32]) -> Vec<Process> {
    let mut processes = Vec::new();
    for region in &tables.layout.processes {
        if vector[region.control] == 0 {
            break;
        }
        let (kind, location) = at(vector[region.control]);
        let proctype = ProctypeId::new(kind);
        let mut words = vector[region.variables..].iter().copied();
        let variables = program.proctypes[proctype].graph.variables.iter();
        processes.push(Process {
            proctype,
            location: base::Id::new(location),
            variables: variables
                .map(|(_, variable)| value(program, variable.ty, &mut words))
                .collect(),
            priority: region.priority.map_or(1, |slot| vector[slot] as u8),
        });
    }
    processes
}

fn channels(tables: &Tables, vector: &[u32]) -> Vec<Queue> {
    let mut queues = Vec::new();
    for channel in &tables.layout.channels {
        let (kind, above) = match channel.header {
            None => (channel.kinds[0], 0),
            Some(header) => match (vector[header] >> 8).checked_sub(1) {
                Some(kind) => (ChannelId::new(kind as usize), vector[header] & 255),
                None => break,
            },
        };
        let packing = &tables.layout.kinds[kind.index()];
        let length = channel.length.map_or(0, |slot| vector[slot] as usize);
        let messages = (0..length).map(|position| {
            let message = &vector[channel.messages + position * packing.words..];
            let fields = packing.fields.iter();
            fields
                .map(|field| {
                    let word = message[field.word] >> field.shift & field.mask;
                    i64::from(field.cut.apply(word as i32))
                })
                .collect()
        });
        queues.push(Queue {
            kind,
            above: above as usize,
            messages: messages.collect(),
        });
    }
    queues
}
