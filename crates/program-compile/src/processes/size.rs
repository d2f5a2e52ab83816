//! How many processes and channels a layout has room for, found by trying.
//!
//! A text does not say how many processes a `run` in a loop creates. A short trial explores some states; whatever had no room is
//! added and the trial starts again. A later run that needs still more says so ([`Outgrown`]) and is started again with a
//! larger layout; nothing is cut silently.

use std::collections::BTreeMap;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, OnceLock};

use program::{ChannelId, ExprId, Kind, ProctypeId, Program, StmtId, StmtKind};

/// What there is room for.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Size {
    /// For each process number the kinds of process.
    pub processes: Vec<Vec<ProctypeId>>,
    /// For each channel number the kinds of channel.
    pub channels: Vec<Vec<ChannelId>>,
    /// How many of the channels exist from the start.
    pub fixed_channels: usize,
    /// Whether the trial saw all states.
    pub is_whole: bool,
    /// For each process number and kind its arguments, as far as they were always the same.
    pub arguments: BTreeMap<(usize, ProctypeId), Vec<Option<i32>>>,
}

/// What all systems of one program have room for: found once, and larger after a run that met more.
#[derive(Debug, Default)]
pub struct Room {
    pub(super) size: OnceLock<Size>,
    pub(super) wanted: Wanted,
}

impl Room {
    /// The room that a run wanted, if there was not enough.
    pub fn grown(&self) -> Option<Room> {
        let wanted = self.wanted.all();
        let size = self.size.get().filter(|_| !wanted.is_empty())?;
        Some(Room {
            size: OnceLock::from(size.grown(&wanted)),
            wanted: Wanted::default(),
        })
    }

    /// What a run wanted so far, as bytes that mean the same wherever the program was opened.
    pub fn wanted_bytes(&self) -> Vec<u8> {
        if !self.wanted.is_any() {
            return Vec::new();
        }
        let words = |what: &Outgrown| match *what {
            Outgrown::Process(at, kind) => [0, at, kind.index(), 0],
            Outgrown::Channel(at, kind) => [1, at, kind.index(), 0],
            Outgrown::Argument(at, kind, position) => [2, at, kind.index(), position],
        };
        let wanted = self.wanted.all();
        let words = wanted.iter().flat_map(words);
        words.flat_map(|word| (word as u32).to_le_bytes()).collect()
    }

    /// Takes what a run elsewhere wanted, as [`Room::wanted_bytes`] wrote it; an error says that it is none of this program's.
    pub fn want(&self, program: &Program, bytes: &[u8]) -> Result<(), String> {
        let alien = || "what has no room is nothing of this program's".to_owned();
        let (entries, rest) = bytes.as_chunks::<16>();
        if !rest.is_empty() {
            return Err(alien());
        }
        for entry in entries {
            let (words, _) = entry.as_chunks::<4>();
            let words: Vec<usize> = words
                .iter()
                .map(|word| u32::from_le_bytes(*word) as usize)
                .collect();
            let [code, at, kind, position] = words[..] else {
                return Err(alien());
            };
            let proctype = (kind < program.proctypes.len()).then(|| ProctypeId::new(kind));
            let channel = (kind < program.channels.len()).then(|| ChannelId::new(kind));
            let is_known = |kind: ProctypeId| {
                let size = self.size.get();
                size.and_then(|size| size.arguments.get(&(at, kind)))
                    .is_some_and(|known| position < known.len())
            };
            let what = match code {
                0 => proctype.map(|kind| Outgrown::Process(at, kind)),
                1 => channel.map(|kind| Outgrown::Channel(at, kind)),
                2 => proctype
                    .filter(|kind| is_known(*kind))
                    .map(|kind| Outgrown::Argument(at, kind, position)),
                _ => None,
            };
            let what = what.filter(|_| at < program::MOST_PROCESSES);
            self.wanted.note(what.ok_or_else(alien)?);
        }
        Ok(())
    }
}

/// What had no room.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outgrown {
    /// A process of a kind, by its number.
    Process(usize, ProctypeId),
    /// A channel of a kind, by its number.
    Channel(usize, ChannelId),
    /// Another argument than before for a process of a kind, by its number and the position of the parameter.
    Argument(usize, ProctypeId, usize),
}

/// What had no room so far, for all workers of a system.
#[derive(Debug, Default)]
pub(super) struct Wanted {
    list: Mutex<Vec<Outgrown>>,
    is_any: AtomicBool,
}

impl Wanted {
    /// Remembers that something had no room.
    pub fn note(&self, what: Outgrown) {
        let mut list = self.list();
        if !list.contains(&what) {
            list.push(what);
            self.is_any.store(true, Relaxed);
        }
    }

    /// Whether something had no room; cheap enough for every state.
    #[inline]
    pub fn is_any(&self) -> bool {
        self.is_any.load(Relaxed)
    }

    /// What had no room so far.
    pub fn all(&self) -> Vec<Outgrown> {
        self.list().clone()
    }

    fn list(&self) -> std::sync::MutexGuard<'_, Vec<Outgrown>> {
        self.list
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

impl Size {
    /// Room for what the text shows: processes that exist from the start, channels of the first assignments.
    pub fn first(program: &Program) -> Size {
        let mut channels = Vec::new();
        if let Some(prologue) = program.prologue {
            created(program, prologue, &mut channels);
        }
        Size {
            processes: program.active.iter().map(|a| vec![a.proctype]).collect(),
            fixed_channels: channels.len(),
            channels: channels.into_iter().map(|kind| vec![kind]).collect(),
            is_whole: false,
            arguments: BTreeMap::new(),
        }
    }

    /// Room for more: for what is wanted and half as much again, so that a program that never stops asking is soon at the
    /// limit.
    pub fn grown(&self, wanted: &[Outgrown]) -> Size {
        let mut size = Size {
            is_whole: false,
            ..self.clone()
        };
        let most = program::MOST_PROCESSES - 1;
        for what in wanted {
            match *what {
                Outgrown::Process(at, kind) => {
                    (at..=(at + at / 2).min(most))
                        .for_each(|at| add(&mut size.processes, at, kind));
                }
                Outgrown::Channel(at, kind) => {
                    (at..=(at + at / 2).min(most)).for_each(|at| add(&mut size.channels, at, kind));
                }
                Outgrown::Argument(at, kind, position) => {
                    if let Some(known) = size.arguments.get_mut(&(at, kind)) {
                        known[position] = None;
                    }
                }
            }
        }
        size
    }

    /// Whether there are numbers for more processes and channels than there is room for.
    pub fn has_numbers_left(&self) -> bool {
        self.processes.len().max(self.channels.len()) < program::MOST_PROCESSES
    }

    /// Adds room for a process.
    pub fn add_process(&mut self, pid: usize, kind: ProctypeId) {
        add(&mut self.processes, pid, kind);
    }

    /// Notes the arguments of a process.
    pub fn add_arguments(&mut self, pid: usize, kind: ProctypeId, values: &[i32]) {
        let known = self.arguments.entry((pid, kind));
        let known = known.or_insert_with(|| values.iter().copied().map(Some).collect());
        for (known, value) in known.iter_mut().zip(values) {
            *known = known.filter(|known| known == value);
        }
    }

    /// Adds room for a channel.
    pub fn add_channel(&mut self, number: usize, kind: ChannelId) {
        add(&mut self.channels, number, kind);
    }
}

fn add<T: Ord + Copy>(lists: &mut Vec<Vec<T>>, at: usize, item: T) {
    if lists.len() <= at {
        lists.resize(at + 1, Vec::new());
    }
    if !lists[at].contains(&item) {
        lists[at].push(item);
        lists[at].sort();
    }
}

/// The channels that a statement creates, in order.
fn created(program: &Program, id: StmtId, out: &mut Vec<ChannelId>) {
    match &program.stmts[id].kind {
        StmtKind::Block(body) => body.iter().for_each(|id| created(program, *id, out)),
        StmtKind::Assign(_, value) | StmtKind::Evaluate(value) => {
            if let Some(kind) = new_channel(program, *value) {
                out.push(kind);
            }
        }
        _ => {}
    }
}

/// The kind of channel that an expression creates.
pub(super) fn new_channel(program: &Program, id: ExprId) -> Option<ChannelId> {
    match program.exprs[id].kind {
        Kind::NewChannel(kind) => Some(kind),
        _ => None,
    }
}
