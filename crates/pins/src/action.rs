//! How a group of permutations acts on state vectors, as plain data: for systems whose symmetries move whole slots.
//!
//! Interchangeable processes stand in slots of their own, so permuting a state moves words from slot to slot and changes those
//! that name what is moved. Everything that takes part is a [`Cell`]: some bits of a slot, at a place that points may name
//! (its *family* and *index*), with a value that may name a point (its *table*). A permutation moves the cell at an index
//! to the cell of the same family at the permuted index, and replaces the point that it holds.
//! Laws (tested by [`crate::check_action`]):
//! 1. *Group*: permuting twice is permuting by the product, and the identity changes nothing.
//! 2. *Automorphism*: where all [`Action::conditions`] hold, permuting a state permutes the targets of its steps, keeps the
//!    number of its steps, and changes the truth of no label. Steps by which a process ends ([`Action::lives`]) are left out.
//! 3. *Conditions*: permuting a state keeps what the conditions say.
//! 4. *Ends*: where so many of [`Action::lives`] have ended ([`Action::stage`]), laws 1 to 3 hold for the permutations that
//!    hold these. That a process has ended, instead of being about to, changes no other step and no label.
//! 5. *Steps*: where [`Action::groups`] are known, permuting a state permutes the groups of its steps, too: the first one and
//!    those that are the words of a step. No two generators take groups to different ones by the same permutation of points.
//! 6. *Telling*: where [`Action::told`] is known, laws 2 and 5 are about the steps of a group and the permutations that keep
//!    its colours ([`Action::keeps`]); a permutation takes steps of groups whose colours it keeps to such steps.

use base::Name;

use crate::shape::GroupId;

/// Some bits of a slot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Field {
    /// The slot.
    pub slot: usize,
    /// The position of the lowest bit.
    pub shift: u32,
    /// The bits before they are moved.
    pub mask: u32,
}

impl Field {
    /// The bits in a vector.
    #[inline]
    pub fn get(self, vector: &[u32]) -> u32 {
        vector[self.slot] >> self.shift & self.mask
    }

    /// Puts bits into a vector.
    #[inline]
    pub fn put(self, vector: &mut [u32], bits: u32) {
        let word = &mut vector[self.slot];
        *word = *word & !(self.mask << self.shift) | bits << self.shift;
    }
}

/// A part of a vector that moves, or whose value names a point.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Where it stands.
    pub field: Field,
    /// Cells of one family stand at different indices of one thing.
    pub family: usize,
    /// The points that its place is named by.
    pub index: Vec<u32>,
    /// The table of its values, if they may be points.
    pub table: Option<usize>,
    /// It holds something only while this field is greater than a number.
    pub within: Option<(Field, u32)>,
}

/// What a family of cells is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Family {
    /// Its name for people.
    pub name: String,
    /// Whether it says where processes are.
    pub is_control: bool,
}

/// A process that may come to the end of its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Life {
    /// The process.
    pub point: u32,
    /// Where it is; 0 when it has ended.
    pub control: Field,
    /// Where it is when nothing but its end is left.
    pub last: Vec<u32>,
    /// All that belongs to it; 0 when it has ended.
    pub fields: Vec<Field>,
}

impl Life {
    /// Whether nothing is left but its end.
    #[inline]
    pub fn is_over(&self, vector: &[u32]) -> bool {
        self.last.contains(&self.control.get(vector))
    }

    /// Whether it has ended.
    #[inline]
    pub fn has_ended(&self, vector: &[u32]) -> bool {
        self.control.get(vector) == 0
    }
}

/// A group that acts on the states of a system.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Action {
    /// The points by name.
    pub points: Vec<Name>,
    /// So many of them, the first ones, are processes.
    pub processes: usize,
    /// Permutations of the points that generate the group.
    pub generators: Vec<Vec<u32>>,
    /// For each generator where it takes each group, and each word of a step, which is a group as well; empty where that is not
    /// known.
    pub groups: Vec<Vec<u32>>,
    /// For each group a colour of each point: what its steps tell apart. A group that tells nothing apart has no colours, and
    /// none have any where all steps are permuted.
    pub told: Vec<Vec<u32>>,
    /// All cells that a permutation may change.
    pub cells: Vec<Cell>,
    /// The families.
    pub families: Vec<Family>,
    /// For each table the values that are points, ascending.
    pub tables: Vec<Vec<(u32, u32)>>,
    /// States are permuted only where each of these fields has one of its values (ascending).
    pub conditions: Vec<(Field, Vec<u32>)>,
    /// Processes that may come to the end of their texts.
    pub lives: Vec<Life>,
    /// So many of them, the first ones, end, each only after all before it; the others wait for ever. States where some have
    /// ended are permuted by what holds these.
    pub ends: usize,
    /// Whether the first settled states are permuted to themselves: then orbits hold reachable states only.
    pub keeps_start: bool,
}

impl Action {
    /// Whether a state can be permuted by all permutations.
    #[inline]
    pub fn applies(&self, vector: &[u32]) -> bool {
        self.conditions
            .iter()
            .all(|(field, values)| values.binary_search(&field.get(vector)).is_ok())
    }

    /// Whether a permutation takes each point to one that a group does not tell from it.
    pub fn keeps(&self, group: GroupId, images: &[u32]) -> bool {
        let told = self.told.get(group.index()).map_or(&[][..], Vec::as_slice);
        let mut points = told.iter().zip(images);
        points.all(|(colour, image)| told[*image as usize] == *colour)
    }

    /// How many processes have ended in a state that can be permuted by what holds them.
    #[inline]
    pub fn stage(&self, vector: &[u32]) -> Option<usize> {
        if self.applies(vector) {
            return Some(0);
        }
        let ending = self.lives[..self.ends].iter();
        let ended = ending.take_while(|life| life.has_ended(vector)).count();
        let gone = &self.lives[..ended];
        let mut others = self.conditions.iter();
        let applies = others.all(|(field, values)| {
            gone.iter().any(|life| life.control == *field)
                || values.binary_search(&field.get(vector)).is_ok()
        });
        (ended > 0 && applies).then_some(ended)
    }

    /// Whether a step between two states is the end of a process.
    pub fn is_end(&self, from: &[u32], to: &[u32]) -> bool {
        let mut ending = self.lives[..self.ends].iter();
        ending.any(|life| !life.has_ended(from) && life.has_ended(to))
    }

    /// A state with its points permuted; slow and plain, for tests and single states.
    pub fn permute(&self, vector: &[u32], images: &[u32]) -> Vec<u32> {
        let mut out = vector.to_vec();
        for cell in &self.cells {
            let mut bits = cell.field.get(vector);
            let is_held = cell
                .within
                .is_none_or(|(field, more)| field.get(vector) > more);
            if let Some(table) = cell.table.filter(|_| is_held) {
                let table = &self.tables[table];
                if let Ok(at) = table.binary_search_by_key(&bits, |(value, _)| *value) {
                    let image = images[table[at].1 as usize];
                    let found = table.iter().find(|(_, point)| *point == image);
                    bits = found.map_or(bits, |(value, _)| *value);
                }
            }
            let index: Vec<u32> = cell.index.iter().map(|p| images[*p as usize]).collect();
            let target = self
                .cells
                .iter()
                .find(|other| other.family == cell.family && other.index == index);
            target
                .expect("a family has a cell at every permuted index")
                .field
                .put(&mut out, bits);
        }
        out
    }
}
