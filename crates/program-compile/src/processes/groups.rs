//! Groups: one for each process number and edge at a location, with what whole sequences of edges read and write; `order` says which
//! commute.

mod order;

use base::Name;
use pins::{Counts, Enabling, Group, GroupId, Guard, Leaves, SlotSet};
use program::{Graph, LocationId, ProctypeId, Program, Then};
use rustc_hash::FxHashSet;

use super::access::Access;
use super::acts::Made;
use super::expressions::Maker;
use super::followed::Followed;
use super::layout::{Layout, cells, control, cut};
use super::pairs::{By, Handing, Pair};
use super::system::Unsupported;
use super::tables::{Act, Body, Location, Parameter};

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
    /// Who takes what it offers, where each taker has a group of its own: process number and control word.
    pub taker: Option<(u32, u32)>,
}

impl Start {
    /// Whether it is the death of its process.
    pub fn is_death(&self, program: &Program) -> bool {
        let edge = &program.proctypes[self.proctype].graph.edges[self.edge];
        matches!(edge.act, program::Act::End)
    }
}

/// A condition in the shape, by what it asks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Condition {
    /// The process is where the group starts.
    Control,
    /// Whoever takes its message is where it can.
    Taker,
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
    pub leaves: Vec<Vec<Leaves>>,
    pub counts: Vec<Vec<Counts>>,
    pub commuting: Vec<(GroupId, GroupId)>,
    /// For each group of an edge the slots that any of its groups may change.
    pub undone: Vec<SlotSet>,
    /// Groups that only their own process makes happen, as long as it is where it is.
    pub held: Vec<GroupId>,
    /// For each group what it touches, if it asks who lives.
    pub asking: Vec<Option<Access>>,
}

/// The edges of a location as they were made.
pub(super) struct Place {
    pub pid: usize,
    pub kind: usize,
    pub location: usize,
    pub levels: Vec<Vec<(program::EdgeId, Made)>>,
}

impl Place {
    /// Whether others can move whoever is there, by handing something over.
    fn may_take(&self) -> bool {
        let mut edges = self.levels.iter().flatten();
        edges.any(|(_, made)| !made.takes.is_empty())
    }

    /// The control word of whoever is there.
    pub fn control(&self) -> u32 {
        control(ProctypeId::new(self.kind), self.location)
    }
}

/// For each location whether whoever is there has one way on, and cannot come back without letting others go on.
fn straight(graph: &Graph) -> Vec<bool> {
    let goes_on = |edge: &program::Edge| match edge.act {
        program::Act::Send { .. } | program::Act::Receive { .. } => true,
        _ => edge.then != Then::Anybody,
    };
    let comes_back = |start: LocationId| {
        let (mut open, mut met) = (vec![start], FxHashSet::default());
        while let Some(location) = open.pop() {
            let edges = graph.locations[location].levels.iter().flatten();
            let edges = edges.map(|edge| &graph.edges[*edge]);
            for edge in edges.filter(|edge| goes_on(edge)) {
                if edge.to == start {
                    return true;
                }
                if met.insert(edge.to) {
                    open.push(edge.to);
                }
            }
        }
        false
    };
    let locations = graph.locations.iter();
    let is_straight = |(id, location): (LocationId, &program::Location)| {
        let has_one_way = matches!(&location.levels[..], [level] if level.len() == 1);
        has_one_way && !comes_back(id)
    };
    locations.map(is_straight).collect()
}

/// Groups that commute, in both orders.
pub(super) fn both(a: usize, b: usize) -> [(GroupId, GroupId); 2] {
    let (a, b) = (GroupId::new(a), GroupId::new(b));
    [(a, b), (b, a)]
}

/// Whether a condition is true only if nothing else can happen.
fn needs_timeout(program: &Program, condition: program::ExprId) -> bool {
    match program.exprs[condition].kind {
        program::Kind::Timeout => true,
        program::Kind::Binary(program::Binary::And, a, b) => {
            needs_timeout(program, a) || needs_timeout(program, b)
        }
        _ => false,
    }
}

/// Makes groups from edges.
pub(super) struct Grouping<'g> {
    pub program: &'g Program,
    pub layout: &'g Layout,
    /// By process number, kind and location.
    pub places: Vec<Place>,
    /// Where the places of a process number and kind start, by both.
    pub index: Vec<Vec<Option<usize>>>,
    /// Edges that may take offered messages: their place, level and position.
    pub taking: Vec<(usize, usize, usize)>,
    /// For each process number and kind, its condition.
    pub provided: Vec<Vec<Access>>,
}

/// The code of all processes and their groups.
#[allow(clippy::type_complexity)]
pub(super) fn bodies(
    program: &Program,
    layout: &Layout,
    handing: Handing,
) -> Result<(Vec<Vec<Option<Body>>>, Groups), Unsupported> {
    let mut grouping = Grouping {
        program,
        layout,
        places: Vec::new(),
        index: Vec::new(),
        taking: Vec::new(),
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
    let groups = grouping.groups(handing);
    let Grouping { places, .. } = grouping;
    let kinds = program.proctypes.iter();
    let straight: Vec<Vec<bool>> = kinds.map(|(_, kind)| straight(&kind.graph)).collect();
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
        body.locations.push(Location {
            is_straight: straight[place.kind][place.location],
            levels,
            receives,
        });
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
        for (id, variable) in graph.variables.iter().take(proctype.parameters) {
            parameters.push(Parameter {
                slot,
                cut: cut(self.program, variable.ty),
                known: self.layout.processes[pid].known(kind, id.index()),
            });
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
    fn groups(&mut self, handing: Handing) -> Groups {
        let mut groups = Groups::default();
        let mut number = 0;
        for place in &mut self.places {
            for (_, made) in place.levels.iter_mut().flatten() {
                made.edge.group = number;
                number += 1;
            }
        }
        for (at, place) in self.places.iter().enumerate() {
            for (level, edges) in place.levels.iter().enumerate() {
                for (position, (_, made)) in edges.iter().enumerate() {
                    if !made.takes.is_empty() {
                        self.taking.push((at, level, position));
                    }
                }
            }
        }
        let further = match handing {
            Handing::Whole => Vec::new(),
            Handing::ByTaker => self.pairs(number),
        };
        for place in &self.places {
            for (level, edges) in place.levels.iter().enumerate() {
                for (position, (_, made)) in edges.iter().enumerate() {
                    self.group(place, (level, position), By::first(made), &mut groups);
                }
            }
        }
        groups.undone = groups.groups.iter().map(|g| g.may_write.clone()).collect();
        for (place, level, position, pair) in further {
            let place = &self.places[place];
            self.group(place, (level, position), By::Only(pair), &mut groups);
            let writes = groups.groups[groups.undone.len()].may_write.clone();
            let first = place.levels[level][position].1.edge.group as usize;
            groups.undone[first].union_with(&writes);
            groups.undone.push(writes);
        }
        groups.commuting = self.commuting(&groups.groups);
        if handing == Handing::ByTaker {
            let passing = self.passing(&groups);
            groups.commuting.extend(passing);
            let living = self.living(&groups);
            groups.commuting.extend(living);
            let waiting = self.waiting(&groups);
            groups.commuting.extend(waiting);
        }
        groups
    }

    fn group(&self, place: &Place, (level, position): (usize, usize), by: By, groups: &mut Groups) {
        let taker = by.taker();
        let (id, made) = &place.levels[level][position];
        let region = &self.layout.processes[place.pid];
        let proctype = region.kinds.iter().find(|kind| kind.index() == place.kind);
        let proctype = *proctype.expect("a place is of a kind that can be there");
        let graph = &self.program.proctypes[proctype].graph;
        let mut enabling = self.rights(place.pid, place.kind);
        enabling.read(region.control, 1);
        for other in self.before(place, (level, position)) {
            enabling.add_condition(&self.possible(place.pid, other, By::Anybody));
        }
        let own = self.possible(place.pid, made, by);
        enabling.add_condition(&own);
        let followed = self.sequence((place.pid, place.kind), made, by);
        groups.counts.push(followed.counted());
        let Followed {
            access: mut total,
            arrivals,
            ..
        } = followed;
        total.add(&enabling);
        let movers = (place.pid, taker.map(|taker| taker.pid as usize));
        groups
            .leaves
            .push(self.leaves(movers, arrivals, total.has_effect));
        self.guards(groups, place, (made, taker), (region.control, &own));
        for access in [&mut enabling, &mut total] {
            if access.asks_timeout || access.asks_all {
                access.read(0, self.layout.slots);
            }
        }
        let asks_living = total
            .living
            .iter()
            .chain(total.filled.iter())
            .next()
            .is_some();
        groups.asking.push(asks_living.then(|| total.clone()));
        let (enabling, total) = (enabling.whole(), total.whole());
        if taker.is_none() && !place.may_take() && enabling.reads.is_within(&region.slots()) {
            groups.held.push(GroupId::new(groups.groups.len()));
        }
        // A word that is written only in some of the ways through a sequence is taken over in the others: no read.
        groups.groups.push(Group {
            // Every group is an event of its own, also where texts are equal.
            name: Name::new(&format!(
                "{}[{}] {} #{}",
                self.program.proctypes[proctype].name,
                place.pid,
                graph.edges[*id].text,
                groups.groups.len()
            )),
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
            taker: by.asked(),
        });
    }

    /// The edges that must not be possible for one of the same place to be.
    pub(super) fn before<'s>(
        &self,
        place: &'s Place,
        (level, position): (usize, usize),
    ) -> impl Iterator<Item = &'s Made> {
        let made = &place.levels[level][position].1;
        let kind = &self.program.proctypes[ProctypeId::new(place.kind)];
        let depends_on_earlier = matches!(made.edge.act, Act::Else) || kind.is_deterministic;
        let earlier = if depends_on_earlier { position } else { 0 };
        let levels = place.levels[..level].iter().flatten();
        let edges = levels.chain(&place.levels[level][..earlier]);
        edges.map(|(_, made)| made)
    }

    fn guards(
        &self,
        groups: &mut Groups,
        place: &Place,
        (made, taker): (&Made, Option<Pair>),
        own: (usize, &Access),
    ) {
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
        if let Some(taker) = taker {
            let slot = self.layout.processes[taker.pid as usize].control;
            let mut reads = SlotSet::new();
            reads.insert(slot);
            groups.guards.push(Guard {
                group,
                reads,
                is_total: true,
                equals: Some((slot, taker.control)),
            });
            groups.conditions.push(Condition::Taker);
        }
        // A process that cannot say whether it may run faults at its first edge, possible or not.
        let asks_others = own.asks_timeout
            || own.asks_all
            || self.program.semantics.has_priorities
            || self.provided[place.pid][place.kind].may_fault;
        let has_condition = !matches!(
            made.edge.act,
            Act::Do(_) | Act::Else | Act::Creating(_) | Act::Guard(super::code::Code::Constant(_))
        );
        if has_condition && !asks_others {
            groups.guards.push(Guard {
                group,
                reads: own.clone().whole().reads,
                is_total: !own.may_fault,
                equals: made.equals,
            });
            groups.conditions.push(Condition::Edge);
        }
    }
}
