//! Where everything stands in a state vector.
//!
//! Global variables first, one slot for each simple part; then the processes by number: control, priority where that counts,
//! variables; then the channels: kind (where it may differ), length, messages packed into words. What never changes after the
//! start has no slot.
//! Invariant: a process that does not live and a channel that does not exist are 0 in all their slots.

use base::Name;
use pins::SlotSet;
use program::{ChannelId, Proctype, ProctypeId, Program, Ty, TyId, VarId, Variable};

use super::code::Cut;
use super::size::Size;

/// The layout of states.
#[derive(Clone, Debug)]
pub(super) struct Layout {
    /// Slots of a state.
    pub slots: usize,
    /// Words an engine works on: the slots, then hidden variables.
    pub words: usize,
    /// The global variables.
    pub globals: Vec<Home>,
    /// Who made the last step.
    pub last: Option<usize>,
    /// Where the observer is.
    pub observer: Option<usize>,
    /// The processes by number.
    pub processes: Vec<Region>,
    /// The channels by number.
    pub channels: Vec<Queue>,
    /// How channels of a kind hold their messages.
    pub kinds: Vec<Packing>,
    /// For each slot what it holds.
    pub names: Vec<Name>,
}

/// Where a global variable stands.
#[derive(Clone, Debug)]
pub(super) enum Home {
    /// From a word on; beyond the slots if it is hidden.
    Words(usize),
    /// Nowhere: it never changes.
    Fixed(Vec<i32>),
}

/// The slots of a process.
#[derive(Clone, Debug)]
pub(super) struct Region {
    /// The kinds of process that can be here.
    pub kinds: Vec<ProctypeId>,
    /// Kind and location; 0 if nobody lives here.
    pub control: usize,
    /// Its priority, where that counts.
    pub priority: Option<usize>,
    /// The first of its variables.
    pub variables: usize,
    /// How many slots they take at most.
    pub size: usize,
    /// For kinds of process the values of parameters that never change, where they are known.
    pub known: Vec<(ProctypeId, Vec<Option<i32>>)>,
}

impl Region {
    /// All its slots.
    pub fn slots(&self) -> SlotSet {
        let mut slots = SlotSet::new();
        let variables = self.variables..self.variables + self.size;
        let own = variables.chain([self.control]).chain(self.priority);
        own.for_each(|slot| slots.insert(slot));
        slots
    }

    /// The value of a parameter of a kind of process, if it never changes and is known.
    pub fn known(&self, kind: ProctypeId, parameter: usize) -> Option<i32> {
        let (_, values) = self.known.iter().find(|(other, _)| *other == kind)?;
        values.get(parameter).copied().flatten()
    }
}

/// The slots of a channel.
#[derive(Clone, Debug)]
pub(super) struct Queue {
    /// The kinds of channel that can be here.
    pub kinds: Vec<ChannelId>,
    /// The slot of kind and age; none for a channel that exists from the start.
    pub header: Option<usize>,
    /// The slot of its length; none if it cannot hold anything.
    pub length: Option<usize>,
    /// The first word of its messages.
    pub messages: usize,
    /// How many words they take at most.
    pub size: usize,
}

/// How messages of a kind of channel are packed.
#[derive(Clone, Debug)]
pub(super) struct Packing {
    /// How many messages.
    pub capacity: usize,
    /// Words of one message.
    pub words: usize,
    /// Its fields.
    pub fields: Vec<Field>,
}

/// A field of a message.
#[derive(Clone, Copy, Debug)]
pub(super) struct Field {
    /// The word of the message.
    pub word: usize,
    /// The position of its lowest bit.
    pub shift: u32,
    /// Its bits before they are moved.
    pub mask: u32,
    /// What it holds.
    pub cut: Cut,
}

/// The bits of a control word that hold the location.
const LOCATION_BITS: u32 = 20;

/// The control word of a process of a kind at a location.
pub(super) fn control(proctype: ProctypeId, location: usize) -> u32 {
    (proctype.index() as u32 + 1) << LOCATION_BITS | location as u32
}

/// The kind and location that a control word means.
pub(super) fn at(control: u32) -> (usize, usize) {
    let location = control & ((1 << LOCATION_BITS) - 1);
    (
        (control >> LOCATION_BITS).wrapping_sub(1) as usize,
        location as usize,
    )
}

/// A control word with so many bits for the location.
pub(super) fn to_compact(control: u32, bits: u32) -> u32 {
    let location = control & ((1 << LOCATION_BITS) - 1);
    (control >> LOCATION_BITS) << bits | location
}

/// The control word that a compact one means.
pub(super) fn from_compact(compact: u32, bits: u32) -> u32 {
    let location = compact & ((1 << bits) - 1);
    (compact >> bits) << LOCATION_BITS | location
}

impl Layout {
    /// The layout for so many processes and channels; `fixed` are the values of variables that never change.
    pub fn new(program: &Program, size: &Size, fixed: &[Option<Vec<i32>>]) -> Layout {
        let mut layout = Layout {
            slots: 0,
            words: 0,
            globals: Vec::new(),
            last: None,
            observer: None,
            processes: Vec::new(),
            channels: Vec::new(),
            kinds: packings(program),
            names: Vec::new(),
        };
        layout.globals(program, fixed);
        layout.last = program.has_last.then(|| layout.slot("_last"));
        let observer = program.observer.as_ref();
        layout.observer = observer.map(|observer| layout.slot(observer.name.as_str()));
        for (pid, kinds) in size.processes.iter().enumerate() {
            layout.process(program, pid, kinds);
        }
        for (number, kinds) in size.channels.iter().enumerate() {
            layout.channel(program, number, kinds, number < size.fixed_channels);
        }
        layout.slots = layout.names.len();
        layout.words = layout.slots;
        for (id, variable) in program.variables.iter() {
            if variable.is_hidden && fixed.get(id.index()).is_none_or(Option::is_none) {
                layout.globals[id.index()] = Home::Words(layout.words);
                layout.words += cells(program, variable.ty);
            }
        }
        layout
    }

    /// Takes the arguments that processes had for known, where nothing stores to a parameter.
    pub fn keep_arguments(&mut self, program: &Program, size: &Size) {
        for ((pid, kind), values) in &size.arguments {
            let stored = super::fixed::stored(program, *kind);
            let values = values.iter().enumerate();
            let values = values.map(|(at, value)| value.filter(|_| !stored.contains(&at)));
            if let Some(region) = self.processes.get_mut(*pid) {
                region.known.push((*kind, values.collect()));
            }
        }
    }

    fn slot(&mut self, name: &str) -> usize {
        self.names.push(Name::new(name));
        self.names.len() - 1
    }

    fn globals(&mut self, program: &Program, fixed: &[Option<Vec<i32>>]) {
        for (id, variable) in program.variables.iter() {
            let home = match fixed.get(id.index()).cloned().flatten() {
                Some(values) => Home::Fixed(values),
                None if variable.is_hidden => Home::Words(usize::MAX),
                None => {
                    let first = self.names.len();
                    self.cells(program, "", variable);
                    Home::Words(first)
                }
            };
            self.globals.push(home);
        }
    }

    fn cells(&mut self, program: &Program, before: &str, variable: &Variable) {
        let count = cells(program, variable.ty);
        for at in 0..count {
            let name = match count {
                1 => format!("{before}{}", variable.name),
                _ => format!("{before}{}.{at}", variable.name),
            };
            self.slot(&name);
        }
    }

    fn process(&mut self, program: &Program, pid: usize, kinds: &[ProctypeId]) {
        let control = self.slot(&format!("[{pid}]"));
        let has_priority = program.semantics.has_priorities;
        let priority = has_priority.then(|| self.slot(&format!("[{pid}]:_priority")));
        let variables = self.names.len();
        let largest = kinds
            .iter()
            .max_by_key(|kind| variables_size(program, &program.proctypes[**kind]));
        if let Some(largest) = largest {
            let before = format!("{}[{pid}]:", program.proctypes[*largest].name);
            for (_, variable) in program.proctypes[*largest].graph.variables.iter() {
                self.cells(program, &before, variable);
            }
        }
        self.processes.push(Region {
            kinds: kinds.to_vec(),
            control,
            priority,
            variables,
            size: self.names.len() - variables,
            known: Vec::new(),
        });
    }

    fn channel(&mut self, program: &Program, number: usize, kinds: &[ChannelId], is_fixed: bool) {
        let names: Vec<&str> = kinds
            .iter()
            .map(|kind| program.channels[*kind].name.as_str())
            .collect();
        let name = format!("{}#{}", names.join("/"), number + 1);
        let header = (!is_fixed).then(|| self.slot(&name));
        let packing = |kind: &ChannelId| &self.kinds[kind.index()];
        let capacity = kinds.iter().map(|kind| packing(kind).capacity).max();
        let size = kinds
            .iter()
            .map(|kind| packing(kind).capacity * packing(kind).words)
            .max();
        let length = (capacity > Some(0)).then(|| self.slot(&format!("len({name})")));
        let messages = self.names.len();
        for word in 0..size.unwrap_or(0) {
            self.slot(&format!("{name}.{word}"));
        }
        self.channels.push(Queue {
            kinds: kinds.to_vec(),
            header,
            length,
            messages,
            size: size.unwrap_or(0),
        });
    }

    /// The first word of a global variable, unless it never changes.
    pub fn global(&self, variable: VarId) -> &Home {
        &self.globals[variable.index()]
    }
}

/// How many simple parts a type has.
pub(super) fn cells(program: &Program, ty: TyId) -> usize {
    match program.types.get(ty) {
        Ty::Array { index, element } => length(program, *index) * cells(program, *element),
        Ty::Record(record) => {
            let fields = program.types.records[*record].fields.iter();
            fields.map(|(_, ty)| cells(program, *ty)).sum()
        }
        _ => 1,
    }
}

/// How many elements an array has.
pub(super) fn length(program: &Program, index: TyId) -> usize {
    let values = program.types.cardinality(index).unwrap_or(0);
    usize::try_from(values).unwrap_or(0)
}

/// The slots that the variables of a kind of process take.
pub(super) fn variables_size(program: &Program, proctype: &Proctype) -> usize {
    let variables = proctype.graph.variables.iter();
    variables.map(|(_, v)| cells(program, v.ty)).sum()
}

/// How a value becomes what a simple type holds.
pub(super) fn cut(program: &Program, ty: TyId) -> Cut {
    match program.types.get(ty) {
        Ty::Bool => Cut::Mask(1),
        Ty::Int(width) if width.bits == 32 => Cut::Whole,
        Ty::Int(width) if width.is_signed => Cut::Signed(u32::from(width.bits)),
        Ty::Int(width) => Cut::Mask((1 << width.bits) - 1),
        Ty::Pid | Ty::Channel | Ty::Symbol(_) => Cut::Mask(255),
        _ => Cut::Whole,
    }
}

fn packings(program: &Program) -> Vec<Packing> {
    let channels = program.channels.iter();
    let packed = channels.map(|(_, channel)| {
        let (mut word, mut used) = (0, 0);
        let mut fields = Vec::new();
        for ty in &channel.fields {
            let cut = cut(program, *ty);
            let bits = match cut {
                Cut::Whole => 32,
                Cut::Mask(mask) => mask.count_ones(),
                Cut::Signed(bits) => bits,
            };
            if used + bits > 32 {
                (word, used) = (word + 1, 0);
            }
            let mask = if bits == 32 {
                u32::MAX
            } else {
                (1 << bits) - 1
            };
            fields.push(Field {
                word,
                shift: used,
                mask,
                cut,
            });
            used += bits;
        }
        Packing {
            capacity: channel.capacity as usize,
            words: word + 1,
            fields,
        }
    });
    packed.collect()
}
