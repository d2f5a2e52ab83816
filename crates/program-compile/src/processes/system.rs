//! Processes as a [`pins::System`]: `shapes` says what its steps read and write, `worker` answers questions about a state.

mod shapes;
mod terms;
mod worker;

use std::collections::VecDeque;
use std::sync::Arc;

use pins::{Fault, Flow, GroupId, Shape, Step, Worker};
use program::{Kind, Program, State};
use rustc_hash::FxHashSet;

pub use terms::{Asking, Options, Unsupported};

use shapes::{pack_shape, shape};
use terms::Terms;
use worker::Answering;

use super::engine::{Engine, Out, Trap};
use super::expressions::Maker;
use super::fixed::unwritten;
use super::groups::{self, Condition, Start};
use super::labels::{self, Asked, Marks};
use super::layout::{Home, Layout, cells};
use super::packing::{Packed, Packing};
use super::pairs::Handing;
use super::size::{Room, Size};
use super::tables::Tables;
use super::{action, decode, moved, numbers};

/// The processes of a program as a transition system.
pub struct System {
    program: Arc<Program>,
    terms: Terms,
    tables: Tables,
    shape: Shape,
    starts: Vec<Start>,
    conditions: Vec<Condition>,
    asked: Vec<Asked>,
    marks: Marks,
    initial: Result<Vec<u32>, Fault>,
    prologue: super::code::Action,
    has_timeout: bool,
    action: Option<pins::Action>,
}

/// States that are looked at to find out how many processes and channels there are.
const TRIAL: usize = 2_000;

/// Slots of a state beyond which fewer are looked at.
const TRIAL_SLOTS: usize = 64;

/// So many slots are looked at one by one: a whole vector is compared eight slots at once.
const FEW_SLOTS: usize = 10;

impl System {
    /// A system with room for all processes and channels that a short trial meets.
    pub fn new(program: Arc<Program>, options: Options) -> Result<System, Unsupported> {
        System::with_packing(program, options, Packing::Separate)
    }

    /// The same, with state vectors that hold values as `packing` says.
    pub fn with_packing(
        program: Arc<Program>,
        options: Options,
        packing: Packing,
    ) -> Result<System, Unsupported> {
        System::in_room(program, options, packing, Arc::default())
    }

    /// The same, where a trial of the same program need not be made again.
    pub fn in_room(
        program: Arc<Program>,
        options: Options,
        packing: Packing,
        room: Arc<Room>,
    ) -> Result<System, Unsupported> {
        let terms = Terms {
            options,
            packing,
            // Packed vectors are for searches that need no relations between groups.
            handing: match packing {
                Packing::Tight => Handing::Whole,
                Packing::Separate => Handing::ByTaker,
            },
        };
        if room.size.get().is_none() {
            let size = System::needed(&program)?;
            // Another thread that was faster found the same.
            let _ = room.size.set(size);
        }
        System::with(program, terms, room)
    }

    /// The room that a short trial needs.
    fn needed(program: &Arc<Program>) -> Result<Size, Unsupported> {
        let first = Size::first(program);
        let mut size = first.clone();
        let terms = Terms {
            options: Options::default(),
            packing: Packing::Separate,
            handing: Handing::Whole,
        };
        loop {
            let room = Room {
                size: size.into(),
                ..Room::default()
            };
            let system = System::with(program.clone(), terms.clone(), Arc::new(room))?;
            let met = system.try_out(&first);
            match system.tables.room.grown() {
                None => return Ok(met),
                Some(larger) => size = larger.size.into_inner().unwrap_or_default(),
            }
        }
    }

    /// Whether a run met more processes or channels than there is room for; from then on the system gives no step.
    pub fn is_outgrown(&self) -> bool {
        self.tables.room.wanted.is_any()
    }

    /// States can be permuted by a symmetry of the program, found from a settled state; whether they can.
    pub fn permute_by(&mut self, symmetry: &program_symmetry::Symmetry, first: &State) -> bool {
        self.permute((symmetry, None), first)
    }

    /// The same by a symmetry that edges break: for each proctype and edge what it tells apart.
    pub fn permute_in_part(
        &mut self,
        symmetry: &program_symmetry::Symmetry,
        told: &[Vec<Vec<u32>>],
        first: &State,
    ) -> bool {
        self.permute((symmetry, Some(told)), first)
    }

    fn permute(
        &mut self,
        (symmetry, told): (&program_symmetry::Symmetry, Option<&[Vec<Vec<u32>>]>),
        first: &State,
    ) -> bool {
        let packed = self.tables.packed.as_ref();
        let own = (symmetry, told.is_some());
        let action = action::action(&self.program, &self.tables.layout, packed, own, first);
        self.action = action.map(|action| pins::Action {
            keeps_start: self.keeps_start(&action),
            groups: moved::groups(&self.starts, symmetry),
            told: told.map_or_else(Vec::new, |told| {
                moved::told(&self.program, &self.starts, symmetry, told)
            }),
            ..action
        });
        self.action.is_some()
    }

    /// Whether the first states that an action applies to are mapped to such states.
    fn keeps_start(&self, action: &pins::Action) -> bool {
        let Ok(initial) = &self.initial else {
            return false;
        };
        let mut engine = Engine::new(&self.tables);
        let mut seen: FxHashSet<Vec<u32>> = FxHashSet::from_iter([initial.clone()]);
        let mut open = vec![initial.clone()];
        let mut first: FxHashSet<Vec<u32>> = FxHashSet::default();
        while let Some(state) = open.pop() {
            if action.applies(&state) {
                first.insert(state);
                continue;
            }
            if seen.len() > TRIAL {
                return false;
            }
            let mut emit = |_: GroupId, step: Step<'_>| {
                if seen.insert(step.target.to_vec()) {
                    open.push(step.target.to_vec());
                }
                Flow::Continue
            };
            let mut out = Out {
                emit: &mut emit,
                fault: &mut |_, _| {},
            };
            self.all(&mut engine, &state, &mut out);
        }
        let keeps = |images: &Vec<u32>| {
            let mut states = first.iter();
            states.all(|state| first.contains(&action.permute(state, images)))
        };
        action.generators.iter().all(keeps)
    }

    /// A system with more room, when a run met more processes or channels than there was room for.
    pub fn larger(&self) -> Option<Result<System, Unsupported>> {
        let room = Arc::new(self.tables.room.grown()?);
        let (program, terms) = (self.program.clone(), self.terms.clone());
        Some(System::with(program, terms, room))
    }

    /// The state that a vector means.
    pub fn decode(&self, vector: &[u32]) -> State {
        match &self.tables.packed {
            None => decode::state(&self.program, &self.tables, vector),
            Some(packed) => {
                let mut words = vec![0; self.tables.layout.slots];
                packed.unpack(vector, &mut words);
                decode::state(&self.program, &self.tables, &words)
            }
        }
    }

    /// The process number, kind and edge that a group, or a word of a label, is about.
    pub fn part(&self, group: u32) -> (usize, program::ProctypeId, program::EdgeId) {
        let start = &self.starts[group as usize];
        (start.pid, start.proctype, start.edge)
    }

    /// The global variable that a slot of an unpacked vector belongs to: its own, or one of a channel that it always holds.
    pub fn variable_at(&self, slot: usize) -> Option<program::VarId> {
        let layout = &self.tables.layout;
        let mut channels = layout.channels.iter();
        let at = channels.position(|queue| {
            let messages = queue.messages..queue.messages + queue.size;
            queue.length == Some(slot) || messages.contains(&slot)
        });
        let number = at.map(|at| at as i32 + 1);
        let mut variables = self.program.variables.iter();
        let found = variables.find(|(id, variable)| match layout.global(*id) {
            Home::Words(first) => {
                (*first..first + cells(&self.program, variable.ty)).contains(&slot)
            }
            Home::Fixed(values) => {
                let is_channel = holds_channels(&self.program, variable.ty);
                is_channel && number.is_some_and(|number| values.contains(&number))
            }
        });
        found.map(|(id, _)| id)
    }

    /// How many processes there is room for.
    pub fn processes(&self) -> usize {
        self.tables.layout.processes.len()
    }

    /// The control word of a process in a vector.
    fn control(&self, vector: &[u32], pid: usize) -> u32 {
        let slot = self.tables.layout.processes[pid].control;
        match &self.tables.packed {
            None => vector[slot],
            Some(packed) => packed.get(vector, slot),
        }
    }

    fn with(program: Arc<Program>, terms: Terms, room: Arc<Room>) -> Result<System, Unsupported> {
        let size = room.size.get().cloned().unwrap_or_default();
        let fixed = fixed_values(&program, &size)?;
        let mut layout = Layout::new(&program, &size, &fixed);
        if terms.options.keeps_arguments {
            layout.keep_arguments(&program, &size);
        }
        let (bodies, groups) = groups::bodies(&program, &layout, terms.handing)?;
        let observer = Maker::new(&program, &layout, None).observing()?;
        let mut shape = shape(&layout, &groups);
        let labels = &terms.options.labels;
        numbers::add(&mut shape, (&program, &layout, &size), &groups, labels);
        let mut asked = Vec::new();
        for asking in &terms.options.labels {
            let label = (asking.name, asking.kind, asking.span);
            let (code, label) = labels::label(&program, &layout, asking.question, label)?;
            asked.push(code);
            shape.labels.push(label);
        }
        let packed = match terms.packing {
            Packing::Separate => None,
            Packing::Tight => Some(Packed::new(&program, &layout)),
        };
        if let Some(packed) = &packed {
            pack_shape(&mut shape, packed, &layout);
        }
        let kinds = || program.proctypes.iter().map(|(_, kind)| kind);
        let has_priorities = program.semantics.has_priorities;
        let tables = Tables {
            packed,
            bodies,
            touched: groups.undone.iter().map(touched).collect(),
            observer,
            room,
            hidden: vec![0; layout.words - layout.slots],
            has_conditions: has_priorities || kinds().any(|kind| kind.provided.is_some()),
            has_priorities,
            has_deterministic: kinds().any(|kind| kind.is_deterministic),
            is_lossy: program.semantics.is_lossy,
            loop_limit: program.semantics.loop_limit,
            progress: of_locations(&program, |location| location.marks.is_progress),
            numbers: of_locations(&program, |location| location.number),
            layout,
        };
        let has_timeout = program
            .exprs
            .iter()
            .any(|(_, e)| matches!(e.kind, Kind::Timeout));
        let prologue = prologue(&program, &tables.layout)?;
        let mut system = System {
            action: None,
            has_timeout,
            marks: Marks::new(&program),
            initial: Ok(Vec::new()),
            prologue,
            starts: groups.starts,
            conditions: groups.conditions,
            program,
            terms,
            tables,
            shape,
            asked,
        };
        system.start();
        Ok(system)
    }

    /// The initial state, and what hidden variables start with.
    fn start(&mut self) {
        let slots = self.tables.layout.slots;
        let mut engine = Engine::new(&self.tables);
        let result = match self.begin(&mut engine) {
            Ok(()) => Ok(match &self.tables.packed {
                None => engine.words[..slots].to_vec(),
                Some(packed) => packed.pack(&engine.words[..slots]),
            }),
            Err(Trap) => {
                let fault = engine.pins_fault().or_else(|| engine.found.take());
                Err(fault.expect("code that ended has a fault"))
            }
        };
        let hidden = engine.words[slots..].to_vec();
        self.initial = result;
        self.tables.hidden = hidden;
    }

    /// Does what happens before the initial state.
    fn begin(&self, engine: &mut Engine<'_>) -> Result<(), Trap> {
        if let Some(observer) = &self.tables.observer
            && let Some(slot) = self.tables.layout.observer
        {
            engine.words[slot] = observer.start as u32;
        }
        (self.prologue)(engine)?;
        for active in &self.program.active {
            let span = self.program.proctypes[active.proctype].span;
            engine.create(active.proctype, &[], u32::from(active.priority), span)?;
        }
        Ok(())
    }

    /// Looks at some states; the room that they need.
    fn try_out(&self, first: &Size) -> Size {
        let mut engine = Engine::new(&self.tables);
        engine.met = Some(first.clone());
        // Where the start faults there is nothing to look at.
        let _ = self.begin(&mut engine);
        let Ok(initial) = &self.initial else {
            return first.clone();
        };
        let mut seen: FxHashSet<Vec<u32>> = FxHashSet::default();
        let mut open = VecDeque::from([initial.clone()]);
        seen.insert(initial.clone());
        let mut is_whole = true;
        while let Some(state) = open.pop_front() {
            if seen.len() * self.tables.layout.slots.max(TRIAL_SLOTS) >= TRIAL * TRIAL_SLOTS {
                is_whole = false;
                break;
            }
            let mut emit = |_: GroupId, step: Step<'_>| {
                if seen.insert(step.target.to_vec()) {
                    open.push_back(step.target.to_vec());
                }
                Flow::Continue
            };
            let mut out = Out {
                emit: &mut emit,
                fault: &mut |_, _| {},
            };
            self.all(&mut engine, &state, &mut out);
        }
        Size {
            is_whole,
            ..engine.met.take().unwrap_or_default()
        }
    }

    fn all(&self, engine: &mut Engine<'_>, state: &[u32], out: &mut Out<'_>) {
        engine.load(state);
        engine.timeout = Some(false);
        if !engine.everybody(out) && self.has_timeout {
            engine.timeout = Some(true);
            engine.everybody(out);
        }
        engine.settle();
    }
}

/// Whether a variable is a channel or an array of channels.
fn holds_channels(program: &Program, ty: program::TyId) -> bool {
    match program.types.get(ty) {
        program::Ty::Channel => true,
        program::Ty::Array { element, .. } => {
            matches!(program.types.get(*element), program::Ty::Channel)
        }
        _ => false,
    }
}

/// The slots that steps of a group may change, if looking at them one by one is faster than looking at all.
fn touched(writes: &pins::SlotSet) -> Option<Box<[u32]>> {
    let slots = writes.iter().map(|slot| slot as u32);
    let slots: Box<[u32]> = slots.collect();
    (slots.len() <= FEW_SLOTS).then_some(slots)
}

/// The code of the first assignments.
fn prologue(program: &Program, layout: &Layout) -> Result<super::code::Action, Unsupported> {
    let mut maker = Maker::new(program, layout, None);
    maker.created = Some(0);
    maker.fixed_is_set = true;
    match program.prologue {
        Some(prologue) => maker.action(prologue),
        None => Ok(Box::new(|_| Ok(()))),
    }
}

/// For each variable that keeps its first value, that value.
fn fixed_values(program: &Program, size: &Size) -> Result<Vec<Option<Vec<i32>>>, Unsupported> {
    let layout = Layout::new(program, size, &[]);
    let tables = Tables::bare(layout);
    let mut engine = Engine::new(&tables);
    if prologue(program, &tables.layout)?(&mut engine).is_err() {
        // The start faults; nothing is known, and nothing will be asked.
        return Ok(Vec::new());
    }
    let unwritten = unwritten(program);
    let variables = program.variables.iter();
    Ok(variables
        .map(|(id, variable)| match tables.layout.global(id) {
            Home::Words(first) if unwritten[id.index()] => {
                let words = &engine.words[*first..first + cells(program, variable.ty)];
                Some(words.iter().map(|word| *word as i32).collect())
            }
            _ => None,
        })
        .collect())
}

fn of_locations<T>(program: &Program, ask: impl Fn(&program::Location) -> T) -> Vec<Vec<T>> {
    let kinds = program.proctypes.iter();
    kinds
        .map(|(_, kind)| kind.graph.locations.iter().map(|(_, l)| ask(l)).collect())
        .collect()
}

impl pins::System for System {
    fn shape(&self) -> &Shape {
        &self.shape
    }

    fn asked(&self) -> usize {
        self.tables.layout.processes.len()
    }

    fn worker(&self) -> Box<dyn Worker + '_> {
        Box::new(Answering {
            system: self,
            engine: Engine::new(&self.tables),
        })
    }

    fn action(&self) -> Option<&pins::Action> {
        self.action.as_ref()
    }
}
