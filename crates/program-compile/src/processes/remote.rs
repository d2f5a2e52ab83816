//! Questions about other processes: where one is, what one of its variables holds.

use program::{ExprId, LocationId, PlaceId, ProctypeId, Root};

use super::code::{Code, Int, computed};
use super::engine::{Engine, Trap};
use super::expressions::Maker;
use super::layout::at;
use super::places::Word;
use super::system::Unsupported;

/// Which process is meant.
enum Who {
    /// A number.
    Pid(Code),
    /// The first of its kind.
    First,
}

impl Maker<'_> {
    /// Whether a process is at one of some locations.
    pub fn at(
        &mut self,
        proctype: ProctypeId,
        pid: Option<ExprId>,
        locations: &[LocationId],
    ) -> Result<Code, Unsupported> {
        let mut wanted = vec![false; self.program.proctypes[proctype].graph.locations.len()];
        for location in locations {
            wanted[location.index()] = true;
        }
        let find = self.find(proctype, pid)?;
        Ok(computed(move |engine| {
            let Some(pid) = find(engine)? else {
                return Ok(0);
            };
            let (_, location) = at(engine.control(pid));
            Ok(i32::from(wanted.get(location).copied().unwrap_or(false)))
        }))
    }

    /// The value of a variable of another process, 0 if that does not live.
    pub fn read_remote(&mut self, id: PlaceId) -> Result<Code, Unsupported> {
        let place = self.program.places[id].clone();
        let Root::Remote {
            proctype,
            pid,
            variable,
        } = place.root
        else {
            unreachable!("other places are read elsewhere");
        };
        let find = self.find(proctype, pid)?;
        let mut words: Vec<Option<Word>> = Vec::new();
        for number in 0..self.layout.processes.len() {
            if !self.layout.processes[number].kinds.contains(&proctype) {
                words.push(None);
                continue;
            }
            // Indices belong to who asks: they are made for it, on the variables of the other.
            let local = program::Place {
                root: Root::Process(variable),
                ..place.clone()
            };
            words.push(Some(self.word_of(&local, Some((number, proctype)))?));
        }
        for word in words.iter().flatten() {
            let (first, count) = match word {
                Word::Known(slot) => (*slot, 1),
                Word::Among { first, count, .. } => (*first, *count),
            };
            self.reads(first, count);
        }
        Ok(computed(move |engine| {
            let Some(pid) = find(engine)? else {
                return Ok(0);
            };
            match words.get(pid) {
                Some(Some(Word::Known(slot))) => Ok(engine.words[*slot] as i32),
                Some(Some(Word::Among { first, offset, .. })) => {
                    let at = first + offset.get(engine)?;
                    Ok(engine.words[at] as i32)
                }
                _ => Ok(0),
            }
        }))
    }

    /// Finds the living process that is meant.
    #[allow(clippy::type_complexity)]
    fn find(
        &mut self,
        proctype: ProctypeId,
        pid: Option<ExprId>,
    ) -> Result<
        Box<dyn Fn(&mut Engine<'_>) -> Result<Option<usize>, Trap> + Send + Sync>,
        Unsupported,
    > {
        let who = match pid {
            Some(pid) => Who::Pid(self.int(pid)?),
            None => Who::First,
        };
        let kind = proctype.index();
        let is_of_kind = move |engine: &Engine<'_>, pid: usize| at(engine.control(pid)).0 == kind;
        match who {
            Who::Pid(Code::Constant(pid)) => {
                let region = usize::try_from(pid).ok();
                let region = region.filter(|pid| *pid < self.layout.processes.len());
                if let Some(pid) = region {
                    self.access.read(self.layout.processes[pid].control, 1);
                }
                Ok(Box::new(move |engine| {
                    Ok(region.filter(|pid| is_of_kind(engine, *pid)))
                }))
            }
            Who::Pid(pid) => {
                self.read_controls();
                let pid: Int = pid.into_int();
                let count = self.layout.processes.len();
                Ok(Box::new(move |engine| {
                    let pid = usize::try_from(pid(engine)?).ok();
                    let pid = pid.filter(|pid| *pid < count);
                    Ok(pid.filter(|pid| is_of_kind(engine, *pid)))
                }))
            }
            Who::First => {
                self.read_controls();
                let count = self.layout.processes.len();
                Ok(Box::new(move |engine| {
                    Ok((0..count).find(|pid| is_of_kind(engine, *pid)))
                }))
            }
        }
    }
}
