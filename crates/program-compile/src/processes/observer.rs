//! The observer of channel events: code for its edges and its moves.

use base::Span;
use program::{Direction, LocationId, Reason};

use super::access::Access;
use super::code::Code;
use super::engine::{Engine, Trap};
use super::expressions::Maker;
use super::system::Unsupported;

/// The observer as code.
pub(super) struct Observing {
    slot: usize,
    is_forbidden: bool,
    end: Option<usize>,
    scope: Vec<(Direction, Code)>,
    locations: Vec<Vec<Seen>>,
    /// What every event makes it look at and change.
    pub access: Access,
    /// Where it starts.
    pub start: usize,
    /// For each location whether a program may end there.
    pub is_end: Vec<bool>,
}

/// An edge of the observer.
struct Seen {
    what: What,
    to: usize,
    span: Span,
}

enum What {
    Event {
        direction: Direction,
        channel: Code,
        conditions: Vec<(usize, Code)>,
    },
    Guard(Code),
    Always,
    Else,
    Never,
}

/// What became of an event.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Seeing {
    /// Nothing wrong.
    Fine,
    /// It is not allowed.
    Wrong,
}

impl Maker<'_> {
    /// Adds what an event makes the observer look at and change.
    pub fn observed(&mut self) {
        if self.program.observer.is_some() {
            let mut maker = Maker::new(self.program, self.layout, None);
            // An observer that cannot be made is reported where it is made.
            if let Ok(Some(observing)) = maker.observing() {
                self.access.add(&observing.access);
            }
        }
    }

    /// The observer as code.
    pub fn observing(&mut self) -> Result<Option<Observing>, Unsupported> {
        let program = self.program;
        let (Some(observer), Some(slot)) = (&program.observer, self.layout.observer) else {
            return Ok(None);
        };
        let mut scope = Vec::new();
        for (direction, channel) in &observer.scope {
            scope.push((*direction, self.int(*channel)?));
        }
        let graph = &observer.graph;
        let index = |location: Option<LocationId>| location.map(LocationId::index);
        let mut locations = Vec::new();
        for (_, location) in graph.locations.iter() {
            let mut edges = Vec::new();
            for id in location.levels.iter().flatten() {
                let edge = &graph.edges[*id];
                let what = match &edge.act {
                    program::Act::Observe(event) => What::Event {
                        direction: event.direction,
                        channel: self.int(event.channel)?,
                        conditions: self.conditions(&event.patterns)?,
                    },
                    program::Act::Guard(condition) => What::Guard(self.int(*condition)?),
                    program::Act::Do(_) => What::Always,
                    program::Act::Else => What::Else,
                    program::Act::Send { .. }
                    | program::Act::Receive { .. }
                    | program::Act::End => What::Never,
                };
                edges.push(Seen {
                    what,
                    to: edge.to.index(),
                    span: edge.span,
                });
            }
            locations.push(edges);
        }
        let mut access = self.take_access();
        access.read(slot, 1);
        access.write(slot, 1);
        access.may_fault = true;
        let end = index(graph.end);
        let ends = graph.locations.iter();
        Ok(Some(Observing {
            slot,
            is_forbidden: observer.is_forbidden,
            end,
            scope,
            locations,
            access,
            start: index(graph.start).unwrap_or(0),
            is_end: ends
                .map(|(id, location)| location.marks.is_end || end == Some(id.index()))
                .collect(),
        }))
    }
}

impl Engine<'_> {
    /// Shows an event with its message in `message` to the observer, and notes what is wrong with it.
    pub fn observe_done(
        &mut self,
        direction: Direction,
        number: usize,
        span: Span,
    ) -> Result<(), Trap> {
        if self.observe(direction, number)? == Seeing::Wrong {
            self.note(&Reason::Observed, span);
        }
        Ok(())
    }

    /// Shows an event with its message in `message` to the observer.
    pub fn observe(&mut self, direction: Direction, number: usize) -> Result<Seeing, Trap> {
        let tables = self.tables;
        let Some(observer) = &tables.observer else {
            return Ok(Seeing::Fine);
        };
        let reference = number as i32 + 1;
        let mut is_seen = false;
        for (seen, channel) in &observer.scope {
            if *seen == direction && channel.get(self)? == reference {
                is_seen = true;
                break;
            }
        }
        if !is_seen {
            return Ok(Seeing::Fine);
        }
        let location = self.words[observer.slot] as usize;
        let mut found: Option<usize> = None;
        let mut second: Option<Span> = None;
        if observer.end != Some(location) {
            for edge in observer.locations.get(location).into_iter().flatten() {
                if self.sees(edge, direction, reference, found.is_some())? {
                    if found.is_some() && second.is_none() {
                        second = Some(edge.span);
                    }
                    found = found.or(Some(edge.to));
                }
            }
        }
        let Some(to) = found else {
            if !observer.is_forbidden {
                return Ok(Seeing::Wrong);
            }
            if let Some(end) = observer.end {
                self.words[observer.slot] = end as u32;
            }
            return Ok(Seeing::Fine);
        };
        self.words[observer.slot] = to as u32;
        if observer.is_forbidden && observer.end == Some(to) {
            return Ok(Seeing::Wrong);
        }
        match second {
            Some(span) => self.trap(Reason::Nondeterminism, span),
            None => Ok(Seeing::Fine),
        }
    }

    fn sees(
        &mut self,
        edge: &Seen,
        direction: Direction,
        reference: i32,
        is_late: bool,
    ) -> Result<bool, Trap> {
        Ok(match &edge.what {
            What::Event {
                direction: wanted,
                channel,
                conditions,
            } => {
                if *wanted != direction || channel.get(self)? != reference {
                    return Ok(false);
                }
                for (field, condition) in conditions {
                    if let Some(value) = self.message.get(*field).copied()
                        && condition.get(self)? != value
                    {
                        return Ok(false);
                    }
                }
                true
            }
            What::Guard(condition) => condition.get(self)? != 0,
            What::Always => true,
            What::Else => !is_late,
            What::Never => false,
        })
    }
}
