//! States of programs as lists of numbers, one for each component: what is left, the global variables, then a process and a
//! channel in turn, as many as there may be; an empty list is one that does not exist.
//!
//! Invariant: a list that is read has the form of its type, so that the evaluator meets nothing that the program cannot hold.

use program::{
    ChannelId, LocationId, Process, ProctypeId, Program, Queue, SortId, SortKind, State, Ty, TyId,
    Value,
};

/// A component.
pub type Words = Vec<i64>;

/// The components of a state.
pub fn components(state: &State) -> Vec<Words> {
    let observer = state.observer.map_or(0, |at| at.index() as i64 + 1);
    let mut found = vec![vec![state.last, observer]];
    for value in &state.globals {
        let mut words = Words::new();
        put(value, &mut words);
        found.push(words);
    }
    for at in 0..state.processes.len().max(state.channels.len()) {
        let mut words = Words::new();
        if let Some(process) = state.processes.get(at) {
            let places = [
                process.proctype.index() as i64,
                process.location.index() as i64,
            ];
            words.extend(places);
            words.push(i64::from(process.priority));
            process
                .variables
                .iter()
                .for_each(|value| put(value, &mut words));
        }
        found.push(std::mem::take(&mut words));
        if let Some(channel) = state.channels.get(at) {
            words.extend([channel.kind.index() as i64, channel.above as i64]);
            for message in &channel.messages {
                words.push(message.len() as i64);
                words.extend(message);
            }
        }
        found.push(words);
    }
    found
}

fn put(value: &Value, words: &mut Words) {
    match value {
        Value::Undefined => words.push(0),
        Value::Int(number) => words.extend([1, *number]),
        Value::Parts(parts) => {
            words.extend([2, parts.len() as i64]);
            parts.iter().for_each(|part| put(part, words));
        }
        Value::Bag(places) => {
            words.extend([3, places.len() as i64]);
            for place in places {
                words.push(i64::from(place.is_some()));
                place.iter().for_each(|part| put(part, words));
            }
        }
    }
}

/// What is left of a list.
struct Rest<'w>(&'w [i64]);

impl Rest<'_> {
    fn next(&mut self) -> Option<i64> {
        let (first, rest) = self.0.split_first()?;
        self.0 = rest;
        Some(*first)
    }

    fn index(&mut self, below: usize) -> Option<usize> {
        let index = usize::try_from(self.next()?).ok();
        index.filter(|index| *index < below)
    }

    /// A value of a type.
    fn value(&mut self, program: &Program, ty: TyId) -> Option<Value> {
        let types = &program.types;
        match (self.next()?, types.get(ty)) {
            (0, _) if types.is_simple(ty) => Some(Value::Undefined),
            (1, _) if types.is_simple(ty) => {
                let number = self.next()?;
                // A type without ranges holds what fits into 64 bits.
                let ranges = types.ranges(ty);
                let is_inside = |(low, high): &(i64, i64)| (*low..=*high).contains(&number);
                let fits = ranges.is_none_or(|ranges| ranges.iter().any(is_inside));
                fits.then_some(Value::Int(number))
            }
            (2, Ty::Array { index, element }) => {
                let count = usize::try_from(types.cardinality(*index)?).ok()?;
                self.parts(count, |rest, _| rest.value(program, *element))
            }
            (2, Ty::Record(record)) => {
                let fields = &types.records[*record].fields;
                self.parts(fields.len(), |rest, at| rest.value(program, fields[at].1))
            }
            (3, Ty::Multiset { capacity, element }) => {
                let count = self.index(*capacity as usize + 1)?;
                let places = (0..count).map(|_| match self.next()? {
                    0 => Some(None),
                    1 => self.value(program, *element).map(Some),
                    _ => None,
                });
                let places: Vec<Option<Value>> = places.collect::<Option<_>>()?;
                (places.len() == *capacity as usize).then_some(Value::Bag(places))
            }
            _ => None,
        }
    }

    /// So many parts.
    fn parts(
        &mut self,
        count: usize,
        mut part: impl FnMut(&mut Self, usize) -> Option<Value>,
    ) -> Option<Value> {
        let is_right = self.next()? == count as i64;
        let parts = (0..count).map(|at| part(self, at));
        is_right
            .then(|| parts.collect::<Option<_>>())?
            .map(Value::Parts)
    }

    fn end<T>(&self, value: T) -> Option<T> {
        self.0.is_empty().then_some(value)
    }
}

fn global(program: &Program, at: usize, words: &[i64]) -> Option<Value> {
    let (_, variable) = program.variables.iter().nth(at)?;
    let mut rest = Rest(words);
    let value = rest.value(program, variable.ty)?;
    rest.end(value)
}

fn process(program: &Program, words: &[i64]) -> Option<Process> {
    let mut rest = Rest(words);
    let proctype = ProctypeId::new(rest.index(program.proctypes.len())?);
    let graph = &program.proctypes[proctype].graph;
    let location = LocationId::new(rest.index(graph.locations.len())?);
    let priority = u8::try_from(rest.next()?).ok()?;
    let variables = graph.variables.iter();
    let variables = variables.map(|(_, variable)| rest.value(program, variable.ty));
    let variables = variables.collect::<Option<_>>()?;
    rest.end(Process {
        proctype,
        location,
        variables,
        priority,
    })
}

fn channel(program: &Program, words: &[i64]) -> Option<Queue> {
    let mut rest = Rest(words);
    let kind = ChannelId::new(rest.index(program.channels.len())?);
    let above = rest.index(1 << 16)?;
    let declared = &program.channels[kind];
    let mut messages = Vec::new();
    while !rest.0.is_empty() {
        let is_right = rest.next()? == declared.fields.len() as i64;
        let message = declared.fields.iter().map(|_| rest.next());
        let message: Vec<i64> = message.collect::<Option<_>>()?;
        messages.push(Some(message).filter(|_| is_right)?);
    }
    Some(Queue {
        kind,
        above,
        messages,
    })
}

/// What is left: who made the last step, and where the observer is.
fn left(program: &Program, words: &[i64]) -> Option<(i64, Option<LocationId>)> {
    let mut rest = Rest(words);
    let last = rest.next()?;
    let locations = program.observer.as_ref();
    let locations = locations.map_or(0, |observer| observer.graph.locations.len());
    let observer = rest.index(locations + 1)?;
    rest.end((last, observer.checked_sub(1).map(LocationId::new)))
}

/// Whether words are a component of a state.
pub(crate) fn is_one(program: &Program, component: usize, words: &[i64]) -> bool {
    let globals = program.variables.len();
    match component.checked_sub(1) {
        None => left(program, words).is_some(),
        Some(at) if at < globals => global(program, at, words).is_some(),
        Some(_) if words.is_empty() => true,
        Some(at) if (at - globals).is_multiple_of(2) => process(program, words).is_some(),
        Some(_) => channel(program, words).is_some(),
    }
}

/// The state of some components; `None` when processes or channels are missing in between.
pub fn state(program: &Program, components: &[Words]) -> Option<State> {
    let count = program.variables.len();
    let (last, observer) = left(program, components.first()?)?;
    let globals = components.get(1..=count)?.iter().enumerate();
    let globals = globals.map(|(at, words)| global(program, at, words));
    let globals = globals.collect::<Option<_>>()?;
    let pairs = &components[1 + count..];
    let living = |first: usize| {
        let all = pairs.iter().skip(first).step_by(2);
        let count = all.clone().take_while(|words| !words.is_empty()).count();
        let is_whole = all.clone().skip(count).all(Vec::is_empty);
        is_whole.then(|| all.take(count))
    };
    let processes: Vec<Process> = living(0)?
        .map(|words| process(program, words))
        .collect::<Option<_>>()?;
    let channels: Vec<Queue> = living(1)?
        .map(|words| channel(program, words))
        .collect::<Option<_>>()?;
    let is_above = |channel: &Queue| channel.above <= processes.len();
    channels.iter().all(is_above).then_some(State {
        globals,
        processes,
        channels,
        last,
        observer,
    })
}

/// A component with elements of scalarsets exchanged; only global variables hold such.
pub(crate) fn permute(
    program: &Program,
    component: usize,
    words: &Words,
    permutation: &[Vec<u32>],
) -> Words {
    let variable = component.checked_sub(1);
    let variable =
        variable.and_then(|at| program.variables.iter().nth(at).map(|known| (at, known)));
    let Some((at, (_, variable))) = variable else {
        return words.clone();
    };
    let mut moved = Words::new();
    match global(program, at, words) {
        Some(value) => put(
            &exchanged(program, variable.ty, &value, permutation),
            &mut moved,
        ),
        None => return words.clone(),
    }
    moved
}

/// The image of an element.
fn image(program: &Program, code: i64, permutation: &[Vec<u32>]) -> i64 {
    let holds = |sort: &program::Sort| {
        sort.kind == SortKind::Scalarset
            && (sort.first..sort.first + sort.elements.len() as i64).contains(&code)
    };
    let mut sorts = program.types.sorts.iter();
    let Some((id, sort)) = sorts.find(|(_, sort)| holds(sort)) else {
        return code;
    };
    let id: SortId = id;
    let images = permutation.get(id.index());
    let image = images.and_then(|images| images.get((code - sort.first) as usize));
    image.map_or(code, |image| sort.first + i64::from(*image))
}

fn exchanged(program: &Program, ty: TyId, value: &Value, permutation: &[Vec<u32>]) -> Value {
    let types = &program.types;
    match (types.get(ty), value) {
        (Ty::Sort(_) | Ty::Union(_), Value::Int(code)) => {
            Value::Int(image(program, *code, permutation))
        }
        (Ty::Array { index, element }, Value::Parts(parts)) => {
            let is_sort = matches!(types.get(*index), Ty::Sort(_) | Ty::Union(_));
            let ranges = types.ranges(*index).unwrap_or_default();
            let codes: Vec<i64> = ranges
                .into_iter()
                .flat_map(|(low, high)| low..=high)
                .collect();
            let mut moved = parts.clone();
            for (at, part) in parts.iter().enumerate() {
                let to = match is_sort {
                    true => {
                        let to = image(program, codes[at], permutation);
                        codes.iter().position(|code| *code == to).unwrap_or(at)
                    }
                    false => at,
                };
                moved[to] = exchanged(program, *element, part, permutation);
            }
            Value::Parts(moved)
        }
        (Ty::Record(record), Value::Parts(parts)) => {
            let fields = types.records[*record].fields.iter().zip(parts);
            let fields = fields.map(|((_, ty), part)| exchanged(program, *ty, part, permutation));
            Value::Parts(fields.collect())
        }
        (Ty::Multiset { element, .. }, Value::Bag(places)) => {
            let moved = places.iter().flatten();
            let moved = moved.map(|part| exchanged(program, *element, part, permutation));
            let mut moved: Vec<Option<Value>> = moved.map(Some).collect();
            moved.sort();
            moved.resize(places.len(), None);
            Value::Bag(moved)
        }
        _ => value.clone(),
    }
}
