//! Which parts of a state hold points, and which arrays are indexed by them: what permuting a state needs to know.

use permgroup::Group;

use crate::kinds::{KindId, Kinds, Tree};
use crate::points::Points;

/// Names a table of values with their points.
pub type TableId = usize;

/// A variable, or a part of one.
#[derive(Clone, Debug)]
pub enum Part {
    /// A simple part, with the points that its values are.
    Simple(Option<TableId>),
    /// An array, with the points that its indices are.
    Array(Option<TableId>, usize, Box<Part>),
    /// A record.
    Record(Vec<Part>),
}

/// The variables, messages and locations of a program by what in them moves.
#[derive(Clone, Debug)]
pub struct Parts {
    /// Values with their points; only of kinds that the group moves.
    pub tables: Vec<Vec<(i64, u32)>>,
    /// The variables of the program.
    pub globals: Vec<Part>,
    /// The variables of processes, by proctype.
    pub locals: Vec<Vec<Part>>,
    /// The fields of messages, by channel declaration.
    pub fields: Vec<Vec<Option<TableId>>>,
    /// Process numbers.
    pub pid: Option<TableId>,
}

impl Parts {
    pub(crate) fn new(kinds: &Kinds<'_>, points: &Points, group: &Group) -> Parts {
        let mut moved = vec![false; points.count];
        for orbit in group.orbits() {
            orbit.iter().for_each(|point| moved[*point as usize] = true);
        }
        let mut maker = Maker {
            kinds,
            points,
            moved,
            known: Vec::new(),
            tables: Vec::new(),
        };
        let globals = kinds.globals.iter().map(|tree| maker.part(tree)).collect();
        let locals = kinds.locals.iter();
        let locals = locals.map(|trees| trees.iter().map(|tree| maker.part(tree)).collect());
        let locals = locals.collect();
        let fields = kinds.fields.iter();
        let fields = fields.map(|fields| fields.iter().map(|kind| maker.table(*kind)).collect());
        let fields = fields.collect();
        let pid = maker.table(kinds.pid);
        Parts {
            globals,
            locals,
            fields,
            pid,
            tables: maker.tables,
        }
    }
}

struct Maker<'m, 'p> {
    kinds: &'m Kinds<'p>,
    points: &'m Points,
    moved: Vec<bool>,
    known: Vec<(KindId, Option<TableId>)>,
    tables: Vec<Vec<(i64, u32)>>,
}

impl Maker<'_, '_> {
    fn part(&mut self, tree: &Tree) -> Part {
        match tree {
            Tree::Simple(kind, _) => Part::Simple(self.table(*kind)),
            Tree::Array(index, length, element) => {
                Part::Array(self.table(*index), *length, Box::new(self.part(element)))
            }
            Tree::Record(fields) => {
                Part::Record(fields.iter().map(|tree| self.part(tree)).collect())
            }
        }
    }

    fn table(&mut self, kind: KindId) -> Option<TableId> {
        let mut kind = self.kinds.find(kind);
        if self.kinds.is_channel(kind) {
            // All channels move in one way, whatever their messages are.
            kind = KindId(u32::MAX);
        }
        if let Some((_, table)) = self.known.iter().find(|(own, _)| *own == kind) {
            return *table;
        }
        let points = self.points;
        let values: Vec<(i64, u32)> = match kind {
            KindId(u32::MAX) => (1..=points.channels as i64)
                .map(|number| (number, points.processes as u32 + number as u32 - 1))
                .collect(),
            _ if kind == self.kinds.find(self.kinds.number) => Vec::new(),
            _ if self.kinds.is_pid(kind) => (0..points.processes as u32)
                .map(|pid| (i64::from(pid), pid))
                .collect(),
            _ => {
                let own = points.kinds.iter().find(|(own, _, _)| *own == kind);
                let values = own.map(|(_, values, first)| (values.iter(), *first));
                let values = values.into_iter().flat_map(|(values, first)| {
                    values
                        .enumerate()
                        .map(move |(at, value)| (*value, first + at as u32))
                });
                values.collect()
            }
        };
        let moves = values.iter().any(|(_, point)| self.moved[*point as usize]);
        let table = moves.then(|| {
            self.tables.push(values);
            self.tables.len() - 1
        });
        self.known.push((kind, table));
        table
    }
}
