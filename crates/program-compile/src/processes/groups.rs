//! Groups: one for each process number and edge at a location, with what whole sequences of edges read and write.

use base::Name;
use pins::{Enabling, Group, Guard, SlotSet};
use program::{ProctypeId, Program, Then};
use rustc_hash::FxHashSet;

use super::access::Access;
use super::acts::Made;
use super::expressions::Maker;
use super::layout::{Layout, cells, control, cut};
use super::system::Unsupported;
use super::tables::{Act, Body, Location};

/// What a group is the first part of.
#[derive(Clone, Copy, Debug)]
pub(super) struct Start {
    pub pid: usize,
    pub proctype: ProctypeId,
    pub edge: program::EdgeId,
    pub control: u32,
    pub level: usize,
    pub position: usize,
    /// Whether its answer depends on whether nothing else can happen.
    pub asks_timeout: bool,
    /// Whether it is the first edge of its location, which answers for the process as a whole.
    pub is_first: bool,
}

/// A condition in the shape, by what it asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Condition {
    /// The process is where the group starts.
    Control,
    /// The edge by itself is possible.
    Edge,
}

/// All groups of a program.
#[derive(Default)]
pub(super) struct Groups {
    pub starts: Vec<Start>,
    pub groups: Vec<Group>,
    pub enabling: Vec<Enabling>,
    pub guards: Vec<Guard>,
    pub conditions: Vec<Condition>,
    pub guard_reads: Vec<SlotSet>,
}

/// The edges of a location as they were made.
struct Place {
    pid: usize,
    kind: usize,
    location: usize,
    levels: Vec<Vec<(program::EdgeId, Made)>>,
}

/// Makes groups from edges.
struct Grouping<'g> {
    program: &'g Program,
    layout: &'g Layout,
    /// By process number, kind and location.
    places: Vec<Place>,
    /// Where the places of a process number and kind start, by both.
    index: Vec<Vec<Option<usize>>>,
    /// For each process number and kind, its condition.
    provided: Vec<Vec<Access>>,
}

/// The code of all processes and their groups.
#[allow(clippy::type_complexity)]
pub(super) fn bodies(
    program: &Program,
    layout: &Layout,
) -> Result<(Vec<Vec<Option<Body>>>, Groups), Unsupported> {
    let mut grouping = Grouping {
        program,
        layout,
        places: Vec::new(),
        index: Vec::new(),
        provided: Vec::new(),
    };
    let mut bodies = Vec::new();
    for (pid, region) in layout.processes.iter().enumerate() {
        let mut kinds: Vec<Option<Body>> = program.proctypes.iter().map(|_| None).collect();
        grouping.index.push(vec![None; kinds.len()]);
        grouping.provided.push(vec![Access::default(); kinds.len()]);
        for kind in &region.kinds {
            kinds[kind.index()] = Some(grouping.body(pid, *kind)?);
        }
        bodies.push(kinds);
    }
    let groups = grouping.groups();
    let Grouping { places, .. } = grouping;
    for place in places {
        let levels = place.levels.into_iter();
        let levels: Vec<Vec<_>> = levels
            .map(|level| level.into_iter().map(|(_, made)| made.edge).collect())
            .collect();
        let mut edges = levels.iter().flatten();
        let receives = edges.any(|edge: &super::tables::Edge| matches!(edge.act, Act::Receive(_)));
        let body = bodies[place.pid][place.kind].as_mut();
        let body = body.expect("places belong to bodies that were made");
        debug_assert_eq!(body.locations.len(), place.location);
        body.locations.push(Location { levels, receives });
    }
    Ok((bodies, groups))
}

impl Grouping<'_> {
    /// The body of a kind of process at a number, its locations still to come.
    fn body(&mut self, pid: usize, kind: ProctypeId) -> Result<Body, Unsupported> {
        let proctype = &self.program.proctypes[kind];
        let graph = &proctype.graph;
        let mut maker = Maker::new(self.program, self.layout, Some((pid, kind)));
        let provided = match proctype.provided {
            Some(condition) => Some(maker.int(condition)?.into_int()),
            None => None,
        };
        self.provided[pid][kind.index()] = maker.take_access();
        let prologue = match proctype.prologue {
            Some(prologue) => Some(maker.action(prologue)?),
            None => None,
        };
        maker.take_access();
        self.index[pid][kind.index()] = Some(self.places.len());
        for (id, location) in graph.locations.iter() {
            let mut levels = Vec::new();
            for level in &location.levels {
                let mut edges = Vec::new();
                for edge in level {
                    edges.push((*edge, maker.edge(graph, &graph.edges[*edge])?));
                }
                levels.push(edges);
            }
            self.places.push(Place {
                pid,
                kind: kind.index(),
                location: id.index(),
                levels,
            });
        }
        let mut slot = self.layout.processes[pid].variables;
        let mut parameters = Vec::new();
        for (_, variable) in graph.variables.iter().take(proctype.parameters) {
            parameters.push((slot, cut(self.program, variable.ty)));
            slot += cells(self.program, variable.ty);
        }
        let start = graph
            .start
            .ok_or(Unsupported::new("a process without a start", proctype.span))?;
        Ok(Body {
            parameters,
            prologue,
            start: control(kind, start.index()),
            provided,
            is_deterministic: proctype.is_deterministic,
            locations: Vec::new(),
        })
    }

    /// Numbers all groups and finds out what they read and write.
    fn groups(&mut self) -> Groups {
        let mut groups = Groups::default();
        let mut number = 0;
        for place in &mut self.places {
            for (_, made) in place.levels.iter_mut().flatten() {
                made.edge.group = number;
                number += 1;
            }
        }
        for place in &self.places {
            for (level, edges) in place.levels.iter().enumerate() {
                for position in 0..edges.len() {
                    self.group(place, level, position, &mut groups);
                }
            }
        }
        groups
    }

    fn group(&self, place: &Place, level: usize, position: usize, groups: &mut Groups) {
        let (id, made) = &place.levels[level][position];
        let region = &self.layout.processes[place.pid];
        let proctype = region.kinds.iter().find(|kind| kind.index() == place.kind);
        let proctype = *proctype.expect("a place is of a kind that can be there");
        let graph = &self.program.proctypes[proctype].graph;
        let mut enabling = self.rights(place.pid, place.kind);
        enabling.read(region.control, 1);
        for (_, other) in place.levels[..level].iter().flatten() {
            enabling.add_condition(&self.possible(place.pid, other));
        }
        let depends_on_earlier =
            matches!(made.edge.act, Act::Else) || self.program.proctypes[proctype].is_deterministic;
        if depends_on_earlier {
            for (_, other) in &place.levels[level][..position] {
                enabling.add_condition(&self.possible(place.pid, other));
            }
        }
        let own = self.possible(place.pid, made);
        enabling.add_condition(&own);
        let mut total = self.sequence(place.pid, place.kind, made);
        total.add(&enabling);
        self.guards(groups, place, made, (region.control, &own));
        for access in [&mut enabling, &mut total] {
            if access.asks_timeout || access.asks_all {
                access.read(0, self.layout.slots);
            }
        }
        // A word that is written only in some of the ways through a sequence is taken over in the others: no read.
        groups.groups.push(Group {
            name: Name::new(&format!("{}:{}", place.pid, graph.edges[*id].text)),
            reads: total.reads,
            may_write: total.writes,
            must_write: SlotSet::new(),
            is_pure: true,
        });
        groups.enabling.push(Enabling {
            reads: enabling.reads,
            may_fault: total.may_fault,
        });
        let mut control_only = SlotSet::new();
        control_only.insert(region.control);
        groups.guard_reads.push(control_only);
        groups.starts.push(Start {
            pid: place.pid,
            proctype,
            edge: *id,
            control: control(proctype, place.location),
            level,
            position,
            asks_timeout: enabling.asks_timeout,
            is_first: place.levels[..level].iter().all(Vec::is_empty) && position == 0,
        });
    }

    fn guards(&self, groups: &mut Groups, place: &Place, made: &Made, own: (usize, &Access)) {
        let group = pins::GroupId::new(groups.groups.len());
        let (slot, own) = own;
        let mut reads = SlotSet::new();
        reads.insert(slot);
        let kinds = &self.layout.processes[place.pid].kinds;
        let kind = kinds.iter().find(|kind| kind.index() == place.kind);
        let kind = *kind.expect("a place is of a kind that can be there");
        groups.guards.push(Guard {
            group,
            reads,
            is_total: true,
            equals: Some((slot, control(kind, place.location))),
        });
        groups.conditions.push(Condition::Control);
        let asks_others = own.asks_timeout || own.asks_all || self.program.semantics.has_priorities;
        let has_condition = !matches!(
            made.edge.act,
            Act::Do(_) | Act::Else | Act::Creating(_) | Act::Guard(super::code::Code::Constant(_))
        );
        if has_condition && !asks_others {
            groups.guards.push(Guard {
                group,
                reads: own.reads.clone(),
                is_total: !own.may_fault,
                equals: made.equals,
            });
            groups.conditions.push(Condition::Edge);
        }
    }

    /// What decides whether a process may run at all.
    fn rights(&self, pid: usize, kind: usize) -> Access {
        let mut rights = Access::default();
        rights.add_condition(&self.provided[pid][kind]);
        rights.asks_all |= self.program.semantics.has_priorities;
        rights
    }

    /// What decides whether an edge by itself is possible, with whoever takes what it offers.
    fn possible(&self, pid: usize, made: &Made) -> Access {
        let mut access = Access::default();
        access.add_condition(&made.enabling);
        if !made.offers.is_empty() {
            // The message is computed before anybody is asked.
            access.add_condition(&made.effect);
        }
        for (taker, taking) in self.takers(pid, made) {
            access.read(self.layout.processes[taker.pid].control, 1);
            access.add_condition(&self.rights(taker.pid, taker.kind));
            access.add_condition(&taking.enabling);
        }
        access
    }

    /// The edges of others that may take what an edge offers.
    fn takers<'s>(
        &'s self,
        pid: usize,
        made: &'s Made,
    ) -> impl Iterator<Item = (&'s Place, &'s Made)> {
        let places = if made.offers.is_empty() {
            &[][..]
        } else {
            &self.places[..]
        };
        places
            .iter()
            .filter(move |place| place.pid != pid)
            .flat_map(|place| {
                let edges = place.levels.iter().flatten();
                edges.map(move |(_, taking)| (place, taking))
            })
            .filter(move |(_, taking)| {
                taking
                    .takes
                    .iter()
                    .any(|number| made.offers.contains(number))
            })
    }

    /// What an edge and all that follows it without a state in between read and write.
    fn sequence(&self, pid: usize, kind: usize, made: &Made) -> Access {
        let mut total = Access::default();
        let mut open: Vec<(usize, usize, usize)> = Vec::new();
        self.part(pid, kind, made, &mut total, &mut open);
        let mut seen = FxHashSet::default();
        while let Some((pid, kind, location)) = open.pop() {
            if !seen.insert((pid, kind, location)) {
                // It may go round for ever.
                total.may_fault = true;
                continue;
            }
            total.add_condition(&self.rights(pid, kind));
            let Some(first) = self.index[pid][kind] else {
                continue;
            };
            let place = &self.places[first + location];
            for (_, next) in place.levels.iter().flatten() {
                self.part(pid, kind, next, &mut total, &mut open);
            }
        }
        total
    }

    /// One edge of a sequence, and where it may go on.
    fn part(
        &self,
        pid: usize,
        kind: usize,
        made: &Made,
        total: &mut Access,
        open: &mut Vec<(usize, usize, usize)>,
    ) {
        let arrive = |pid: usize, made: &Made, total: &mut Access| {
            total.add(&made.enabling);
            total.add(&made.effect);
            total.read(self.layout.processes[pid].control, 1);
            total.write(self.layout.processes[pid].control, 1);
            if let Some(last) = self.layout.last {
                total.write(last, 1);
            }
        };
        arrive(pid, made, total);
        total.add_condition(&self.possible(pid, made));
        let mut go_on = |pid: usize, kind: usize, made: &Made, total: &mut Access| {
            if made.edge.then != Then::Anybody {
                // A `d_step` may block.
                total.may_fault |= made.edge.then == Then::First;
                open.push((pid, kind, super::layout::at(made.edge.to).1));
            }
        };
        for (taker, taking) in self.takers(pid, made) {
            arrive(taker.pid, taking, total);
            go_on(taker.pid, taker.kind, taking, total);
        }
        // A sender goes on by itself only if there was a buffer.
        if !made.always_offers || made.offers.is_empty() {
            go_on(pid, kind, made, total);
        }
    }
}
