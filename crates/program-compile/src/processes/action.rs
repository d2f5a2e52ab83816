//! How the symmetry of a program acts on state vectors: which words of which slots move with a process or a channel.
//!
//! Invariant: a cell is listed only if the group moves its place or what it holds; everything else stays as it is.

use base::Name;
use pins::Action;
use pins::action::{Cell, Family, Field, Life};
use program::{Act, Program, State};
use program_symmetry::{Part, Symmetry, TableId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::layout::{Home, Layout, cells, control};
use super::packing::Packed;

/// Makes the action of a symmetry on the vectors of a layout; `None` when the layout has room for more than the symmetry
/// knows, or a cell would be moved to where none is.
pub(super) fn action(
    program: &Program,
    layout: &Layout,
    packed: Option<&Packed>,
    (symmetry, is_partial): (&Symmetry, bool),
    first: &State,
) -> Option<Action> {
    let processes = first.processes.iter().map(|process| process.proctype);
    let regions = layout.processes.iter().map(|region| &region.kinds[..]);
    let is_known = regions.clone().count() == symmetry.points.processes
        && layout.channels.len() == symmetry.points.channels
        && processes.zip(regions).all(|(kind, kinds)| kinds == [kind])
        && layout.channels.iter().all(|queue| queue.kinds.len() == 1);
    if !is_known || symmetry.group.is_trivial() {
        return None;
    }
    let mut maker = Maker::new(program, layout, packed, symmetry);
    maker.globals();
    maker.processes();
    maker.channels();
    maker.conditions(is_partial);
    maker.lives();
    is_closed(&maker.action).then_some(maker.action)
}

/// Whether permutations lead from cells to cells: an array may be too short for some of the points that index it.
fn is_closed(action: &Action) -> bool {
    let cells = action.cells.iter();
    let known: FxHashSet<_> = cells
        .map(|cell| (cell.family, cell.index.clone()))
        .collect();
    action.generators.iter().all(|images| {
        action.cells.iter().all(|cell| {
            let index = cell.index.iter().map(|point| images[*point as usize]);
            known.contains(&(cell.family, index.collect()))
        })
    })
}

/// Where a part stands: its family, and the points that name its place.
#[derive(Clone)]
struct Place {
    family: String,
    index: Vec<u32>,
}

impl Place {
    fn new(family: String, index: Option<u32>) -> Place {
        Place {
            family,
            index: index.into_iter().collect(),
        }
    }
}

struct Maker<'m> {
    program: &'m Program,
    layout: &'m Layout,
    packed: Option<&'m Packed>,
    symmetry: &'m Symmetry,
    moved: Vec<bool>,
    families: FxHashMap<String, usize>,
    action: Action,
}

impl<'m> Maker<'m> {
    fn new(
        program: &'m Program,
        layout: &'m Layout,
        packed: Option<&'m Packed>,
        symmetry: &'m Symmetry,
    ) -> Maker<'m> {
        let mut moved = vec![false; symmetry.points.count];
        for orbit in symmetry.group.orbits() {
            orbit.iter().for_each(|point| moved[*point as usize] = true);
        }
        let mut names: Vec<Name> = vec![Name::new("-"); symmetry.points.count];
        for (pid, region) in layout.processes.iter().enumerate() {
            let kind = &program.proctypes[region.kinds[0]];
            names[pid] = Name::new(&format!("{}[{pid}]", kind.name));
        }
        for (number, queue) in layout.channels.iter().enumerate() {
            let kind = &program.channels[queue.kinds[0]];
            let name = format!("{}#{}", kind.name, number + 1);
            names[symmetry.points.processes + number] = Name::new(&name);
        }
        let mut maker = Maker {
            program,
            layout,
            packed,
            symmetry,
            moved,
            families: FxHashMap::default(),
            action: Action {
                points: names,
                processes: symmetry.points.processes,
                generators: symmetry.group.generators().to_vec(),
                ..Action::default()
            },
        };
        for table in &symmetry.parts.tables {
            let mut values: Vec<(u32, u32)> = table
                .iter()
                .map(|(value, point)| (*value as u32, *point))
                .collect();
            values.sort_unstable();
            maker.action.tables.push(values);
        }
        maker
    }

    /// The field of a slot.
    fn field(&self, slot: usize) -> Field {
        match self.packed {
            Some(packed) => packed.field(slot),
            None => Field {
                slot,
                shift: 0,
                mask: u32::MAX,
            },
        }
    }

    /// The bits that a word of a slot has in its field.
    fn bits(&self, slot: usize, word: u32) -> u32 {
        match self.packed {
            Some(packed) => packed.bits(slot, word),
            None => word,
        }
    }

    fn is_moved(&self, point: u32) -> bool {
        self.moved[point as usize]
    }

    /// Adds a cell, if anything about it moves.
    fn cell(
        &mut self,
        place: &Place,
        field: Field,
        table: Option<usize>,
        within: Option<(Field, u32)>,
    ) -> Option<usize> {
        let index: Vec<u32> = place.index.clone();
        if table.is_none() && !index.iter().any(|point| self.is_moved(*point)) {
            return None;
        }
        let next = self.families.len();
        let family = *self.families.entry(place.family.clone()).or_insert(next);
        if family == self.action.families.len() {
            self.action.families.push(Family {
                name: place.family.clone(),
                is_control: false,
            });
        }
        self.action.cells.push(Cell {
            field,
            family,
            index,
            table,
            within,
        });
        Some(family)
    }

    fn globals(&mut self) {
        for (id, variable) in self.program.variables.iter() {
            if let Home::Words(first) = self.layout.global(id)
                && *first < self.layout.slots
            {
                let part = &self.symmetry.parts.globals[id.index()];
                // Two variables of one name in different places are different families.
                let place = Place::new(format!("{} {}", variable.name, id.index()), None);
                let mut slot = *first;
                self.part(part, &place, &mut slot);
            }
        }
        if let Some(slot) = self.layout.last {
            let place = Place::new("_last".to_owned(), None);
            let field = self.field(slot);
            self.cell(&place, field, self.symmetry.parts.pid, None);
        }
        if let Some(slot) = self.layout.observer {
            let table = self.locations(self.program.proctypes.len(), slot, |at| at as u32);
            let place = Place::new("trace".to_owned(), None);
            let field = self.field(slot);
            self.cell(&place, field, table, None);
        }
    }

    /// The cells of a part of a variable, from a slot on.
    fn part(&mut self, part: &Part, place: &Place, slot: &mut usize) {
        match part {
            Part::Simple(table) => {
                let field = self.field(*slot);
                self.cell(place, field, *table, None);
                *slot += 1;
            }
            Part::Array(table, length, element) => {
                for at in 0..*length {
                    let mut place = place.clone();
                    match table.and_then(|table| self.point(table, at)) {
                        Some(point) => {
                            place.index.push(point);
                            place.family.push_str("[]");
                        }
                        None => place.family.push_str(&format!("[{at}]")),
                    }
                    self.part(element, &place, slot);
                }
            }
            Part::Record(fields) => {
                for (at, field) in fields.iter().enumerate() {
                    let mut place = place.clone();
                    place.family.push_str(&format!(".{at}"));
                    self.part(field, &place, slot);
                }
            }
        }
    }

    fn point(&self, table: TableId, value: usize) -> Option<u32> {
        let table = &self.symmetry.parts.tables[table];
        let found = table.iter().find(|(own, _)| *own == value as i64);
        found.map(|(_, point)| *point)
    }

    /// A table of the locations of a graph, if some of them move.
    fn locations(
        &mut self,
        graph: usize,
        slot: usize,
        word: impl Fn(usize) -> u32,
    ) -> Option<usize> {
        let points = &self.symmetry.points.locations[graph];
        let mut values: Vec<(u32, u32)> = points
            .iter()
            .enumerate()
            .filter_map(|(at, point)| Some((self.bits(slot, word(at)), (*point)?)))
            .collect();
        if !values.iter().any(|(_, point)| self.is_moved(*point)) {
            return None;
        }
        values.sort_unstable();
        let known = self.action.tables.iter().position(|table| *table == values);
        Some(known.unwrap_or_else(|| {
            self.action.tables.push(values);
            self.action.tables.len() - 1
        }))
    }

    fn processes(&mut self) {
        for (pid, region) in self.layout.processes.iter().enumerate() {
            let kind = region.kinds[0];
            let name = &self.program.proctypes[kind].name;
            let family = |what: &str| format!("{name}[]:{what}");
            let table = self.locations(kind.index(), region.control, |location| {
                control(kind, location)
            });
            let place = Place::new(family("@"), Some(pid as u32));
            let field = self.field(region.control);
            if let Some(family) = self.cell(&place, field, table, None) {
                self.action.families[family].is_control = true;
            }
            if let Some(slot) = region.priority {
                let place = Place::new(family("_priority"), Some(pid as u32));
                let field = self.field(slot);
                self.cell(&place, field, None, None);
            }
            let mut slot = region.variables;
            let graph = &self.program.proctypes[kind].graph;
            for (id, variable) in graph.variables.iter() {
                let part = &self.symmetry.parts.locals[kind.index()][id.index()];
                let place = Place::new(
                    family(&format!("{} {}", variable.name, id.index())),
                    Some(pid as u32),
                );
                let after = slot + cells(self.program, variable.ty);
                self.part(part, &place, &mut slot);
                debug_assert_eq!(slot, after);
            }
        }
    }

    fn channels(&mut self) {
        for (number, queue) in self.layout.channels.iter().enumerate() {
            let kind = queue.kinds[0];
            let declared = &self.program.channels[kind];
            let types: Vec<_> = declared
                .fields
                .iter()
                .map(|ty| self.program.types.get(*ty))
                .collect();
            let family = |what: &str| format!("chan {} {types:?} {what}", declared.capacity);
            let point = (self.symmetry.points.processes + number) as u32;
            let Some(length) = queue.length else {
                continue;
            };
            let length = self.field(length);
            let place = Place::new(family("length"), Some(point));
            self.cell(&place, length, None, None);
            let packing = &self.layout.kinds[kind.index()];
            for position in 0..packing.capacity {
                for (at, field) in packing.fields.iter().enumerate() {
                    let slot = queue.messages + position * packing.words + field.word;
                    let whole = self.field(slot);
                    let own = Field {
                        slot: whole.slot,
                        shift: whole.shift + field.shift,
                        mask: field.mask,
                    };
                    let place = Place::new(family(&format!("{position}.{at}")), Some(point));
                    let table = self.symmetry.parts.fields[kind.index()][at];
                    self.cell(&place, own, table, Some((length, position as u32)));
                }
            }
        }
    }

    /// The processes that may come to the end of their texts.
    fn lives(&mut self) {
        self.action.ends = self.symmetry.ends;
        for pid in &self.symmetry.mortal {
            let region = &self.layout.processes[*pid];
            let kind = region.kinds[0];
            let edges = self.program.proctypes[kind].graph.edges.iter();
            let ends = edges.filter(|(_, edge)| matches!(edge.act, Act::End));
            let last =
                ends.map(|(_, edge)| self.bits(region.control, control(kind, edge.from.index())));
            let own = region.variables..region.variables + region.size;
            let slots = std::iter::once(region.control).chain(own);
            self.action.lives.push(Life {
                point: *pid as u32,
                control: self.field(region.control),
                last: last.collect(),
                fields: slots.map(|slot| self.field(slot)).collect(),
            });
        }
    }

    /// A state can be permuted when all processes live and none creates anything any more.
    /// States are permuted where every process has settled. That the youngest one has not ended says it of all, unless each may
    /// be `asked`.
    fn conditions(&mut self, asked: bool) {
        for region in &self.layout.processes {
            let kind = region.kinds[0];
            let settled = &self.symmetry.settled[kind.index()];
            let is_last = std::ptr::eq(
                region,
                &self.layout.processes[self.layout.processes.len() - 1],
            );
            if !asked && !is_last && settled.iter().all(|is_settled| *is_settled) {
                continue;
            }
            let locations = settled
                .iter()
                .enumerate()
                .filter(|(_, is_settled)| **is_settled);
            let mut values: Vec<u32> = locations
                .map(|(at, _)| self.bits(region.control, control(kind, at)))
                .collect();
            values.sort_unstable();
            let field = self.field(region.control);
            self.action.conditions.push((field, values));
        }
    }
}
