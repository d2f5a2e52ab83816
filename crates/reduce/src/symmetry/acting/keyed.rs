//! Sorting columns by what they hold, bit by bit: the canonical form where nothing of a process names another.
//!
//! Paper: [Bošnački, Donaldson, Leuschel, Massart 2007], definition 4 and proposition 2: without values of processes that name
//! processes, the markers of a state determine its orbit. Differs: a marker is a number that holds every field of a column and
//! a bit for each variable that may name it, so that equal keys are equal columns and the permuted state is written
//! from the sorted keys. Keys of a successor come from those of its source: only words that differ are looked at.
//! Invariant: a key is one to one with what a column holds; nothing is hashed.

use super::super::orbits::multinomial;
use super::strategy::Represent;
use super::{Acting, NONE};
use pins::action::Field;

/// What a column holds.
type Key = u128;

/// Bits of a vector that are bits of a key.
#[derive(Clone, Copy, Debug)]
struct Bits {
    field: Field,
    /// Where they stand in the key.
    shift: u32,
}

/// How the columns of a group are keyed.
#[derive(Clone, Debug)]
pub(in crate::symmetry) struct Keys {
    /// For each orbit of columns the number of its first column, then that of all.
    starts: Vec<usize>,
    /// For each slot the fields of columns in it, with the column.
    by_slot: Vec<Vec<(u32, Bits)>>,
    /// For each column its fields.
    fields: Vec<Vec<Bits>>,
    /// What belongs to no column and may name some: the numbers of spots.
    naming: Vec<u32>,
    /// For each of these, for each point that it may hold, the column and the bit.
    named: Vec<Vec<Option<(u32, u32)>>>,
    /// The same by column: the field, the bit, and the value that names the column.
    names: Vec<Vec<(Field, u32, u32)>>,
}

/// Takes bits of a key.
fn take(used: &mut u32, width: u32) -> Option<u32> {
    let shift = *used;
    *used += width;
    (*used <= Key::BITS).then_some(shift)
}

impl Keys {
    /// The keys of a group; `None` when it is no product of full symmetric groups, a value of a process names another, or
    /// there is too much in a column.
    pub(super) fn new(acting: &Acting<'_>) -> Option<Keys> {
        let orbits = &acting.columns.as_ref()?.orbits;
        let is_plain = |arity: u8, table: u32| arity == 0 || arity == 1 && table == NONE;
        if !acting.spots.iter().all(|s| is_plain(s.arity, s.table)) {
            return None;
        }
        let mut keys = Keys {
            starts: vec![0],
            by_slot: vec![Vec::new(); acting.by_slot.len()],
            fields: Vec::new(),
            naming: Vec::new(),
            named: Vec::new(),
            names: Vec::new(),
        };
        let spots = acting.spots.iter().enumerate();
        let naming = spots.filter(|(_, spot)| spot.arity == 0 && spot.table != NONE);
        keys.naming.extend(naming.map(|(number, _)| number as u32));
        keys.named = vec![vec![None; acting.points()]; keys.naming.len()];
        for orbit in orbits {
            let mut used = 0;
            let first = keys.fields.len();
            keys.fields.resize(first + orbit.len(), Vec::new());
            keys.names.resize(first + orbit.len(), Vec::new());
            keys.starts.push(keys.fields.len());
            keys.add_fields(acting, orbit, first, &mut used)?;
            keys.add_names(acting, orbit, first, &mut used)?;
        }
        Some(keys)
    }

    fn add_fields(
        &mut self,
        acting: &Acting<'_>,
        orbit: &[Vec<u32>],
        first: usize,
        used: &mut u32,
    ) -> Option<()> {
        for places in acting.families.iter().filter(|places| places.arity == 1) {
            for position in 0..orbit[0].len() {
                let spots = orbit.iter();
                let spots = spots.map(|column| places.spots[column[position] as usize]);
                let spots = spots.filter(|spot| *spot != NONE);
                let fields: Vec<Field> = spots.map(|s| acting.spots[s as usize].field).collect();
                let Some(mask) = fields.first().map(|field| field.mask) else {
                    continue;
                };
                let is_alike = fields.iter().all(|field| field.mask == mask);
                if fields.len() != orbit.len() || !is_alike {
                    return None;
                }
                let shift = take(used, mask.count_ones())?;
                for (at, field) in fields.into_iter().enumerate() {
                    let bits = Bits { field, shift };
                    self.fields[first + at].push(bits);
                    self.by_slot[field.slot].push(((first + at) as u32, bits));
                }
            }
        }
        Some(())
    }

    fn add_names(
        &mut self,
        acting: &Acting<'_>,
        orbit: &[Vec<u32>],
        first: usize,
        used: &mut u32,
    ) -> Option<()> {
        for (at, number) in self.naming.iter().enumerate() {
            let spot = &acting.spots[*number as usize];
            let table = &acting.tables[spot.table as usize];
            for position in 0..orbit[0].len() {
                let points = orbit.iter().map(|column| column[position]);
                let is_named = |point: u32| table.point(table.values[point as usize]) == point;
                let named = points.clone().filter(|point| is_named(*point)).count();
                if named == 0 {
                    continue;
                }
                if named != orbit.len() {
                    return None;
                }
                let shift = take(used, 1)?;
                for (column, point) in points.enumerate() {
                    let value = table.values[point as usize];
                    self.named[at][point as usize] = Some(((first + column) as u32, shift));
                    self.names[first + column].push((spot.field, shift, value));
                }
            }
        }
        Some(())
    }

    /// The key of every column of a vector.
    fn all(&self, acting: &Acting<'_>, vector: &[u32], keys: &mut Vec<Key>) {
        keys.clear();
        keys.extend(self.fields.iter().map(|fields| {
            let bits = fields.iter();
            bits.fold(0, |key, bits| {
                key | Key::from(bits.field.get(vector)) << bits.shift
            })
        }));
        for at in 0..self.naming.len() {
            self.toggle(acting, at, vector, keys);
        }
    }

    /// Adds that something names a column, or takes it away.
    #[inline]
    fn toggle(&self, acting: &Acting<'_>, at: usize, vector: &[u32], keys: &mut [Key]) {
        let spot = &acting.spots[self.naming[at] as usize];
        let point = acting.held(spot, vector, spot.field.get(vector));
        if point == NONE {
            return;
        }
        if let Some((column, shift)) = self.named[at][point as usize] {
            keys[column as usize] ^= 1 << shift;
        }
    }

    /// The keys of a vector from those of another one.
    #[inline]
    fn follow(&self, acting: &Acting<'_>, from: &[u32], vector: &[u32], keys: &mut [Key]) {
        for ((before, after), fields) in from.iter().zip(vector).zip(&self.by_slot) {
            let change = before ^ after;
            if change == 0 {
                continue;
            }
            for (column, bits) in fields {
                let change = change >> bits.field.shift & bits.field.mask;
                keys[*column as usize] ^= Key::from(change) << bits.shift;
            }
        }
        for (at, number) in self.naming.iter().enumerate() {
            let spot = &acting.spots[*number as usize];
            let is_within = spot.within.is_some();
            if spot.field.get(from) != spot.field.get(vector) || is_within {
                self.toggle(acting, at, from, keys);
                self.toggle(acting, at, vector, keys);
            }
        }
    }

    /// Writes a column.
    #[inline]
    fn write(&self, place: usize, key: Key, out: &mut [u32]) {
        for bits in &self.fields[place] {
            let held = (key >> bits.shift) as u32 & bits.field.mask;
            bits.field.put(out, held);
        }
        for (field, shift, value) in &self.names[place] {
            if key >> shift & 1 == 1 {
                field.put(out, *value);
            }
        }
    }

    /// Sorts the keys of each orbit of columns.
    #[inline]
    fn sort(&self, keys: &mut [Key]) {
        for orbit in self.starts.windows(2) {
            let keys = &mut keys[orbit[0]..orbit[1]];
            // Few columns, nearly in order: those of a representative are.
            for next in 1..keys.len() {
                let key = keys[next];
                let mut at = next;
                while at > 0 && keys[at - 1] > key {
                    keys[at] = keys[at - 1];
                    at -= 1;
                }
                keys[at] = key;
            }
        }
    }

    /// How many states the orbit of a vector with these keys has.
    fn orbit(&self, sorted: &[Key]) -> Option<u128> {
        let mut size: u128 = 1;
        for orbit in self.starts.windows(2) {
            let cells = sorted[orbit[0]..orbit[1]].chunk_by(|a, b| a == b);
            size = size.checked_mul(multinomial(cells.map(<[Key]>::len))?)?;
        }
        Some(size)
    }
}

/// Sorts columns by their keys.
pub(in crate::symmetry) struct Keyed<'a> {
    acting: &'a Acting<'a>,
    keys: &'a Keys,
    source: Vec<u32>,
    source_keys: Vec<Key>,
    own: Vec<Key>,
    sorted: Vec<Key>,
}

impl<'a> Keyed<'a> {
    pub(in crate::symmetry) fn new(acting: &'a Acting<'a>) -> Option<Keyed<'a>> {
        Some(Keyed {
            acting,
            keys: acting.keys.as_ref()?,
            source: Vec::new(),
            source_keys: Vec::new(),
            own: Vec::new(),
            sorted: Vec::new(),
        })
    }

    /// What follows are successors of a state; of none that is known where it is `None`.
    pub(in crate::symmetry) fn begin(&mut self, source: Option<&[u32]>) {
        self.source.clear();
        if let Some(source) = source {
            self.source.extend_from_slice(source);
            self.keys.all(self.acting, source, &mut self.source_keys);
        }
    }

    /// How many states the orbit of the state begun with has.
    pub(super) fn orbit(&mut self) -> Option<u128> {
        if self.source.is_empty() {
            return Some(1);
        }
        self.sorted.clone_from(&self.source_keys);
        self.keys.sort(&mut self.sorted);
        self.keys.orbit(&self.sorted)
    }

    /// Puts a vector with its columns sorted into `out`.
    pub(super) fn sort(&mut self, vector: &[u32], out: &mut Vec<u32>) {
        self.compare(vector);
        self.write(vector, out);
    }

    /// Sorts the columns of a vector; whether some are moved by that.
    pub(in crate::symmetry) fn compare(&mut self, vector: &[u32]) -> bool {
        let (acting, keys) = (self.acting, self.keys);
        match self.source.len() == vector.len() {
            true => {
                self.own.clone_from(&self.source_keys);
                keys.follow(acting, &self.source, vector, &mut self.own);
            }
            false => keys.all(acting, vector, &mut self.own),
        }
        self.sorted.clone_from(&self.own);
        keys.sort(&mut self.sorted);
        self.sorted != self.own
    }

    /// Puts the vector whose columns were sorted last into `out`.
    pub(in crate::symmetry) fn write(&self, vector: &[u32], out: &mut Vec<u32>) {
        out.clear();
        out.extend_from_slice(vector);
        for (place, (key, own)) in self.sorted.iter().zip(&self.own).enumerate() {
            if key != own {
                self.keys.write(place, *key, out);
            }
        }
    }

    /// How many states the orbit of the vector has whose columns were sorted last.
    pub(in crate::symmetry) fn orbit_of_sorted(&self) -> Option<u128> {
        self.keys.orbit(&self.sorted)
    }

    /// The permutation that it was sorted by, of all points of the action.
    pub(in crate::symmetry) fn all_images(&self) -> Vec<u32> {
        let mut images = permgroup::identity(self.acting.points());
        self.images(&mut images);
        self.acting.widened(&images)
    }

    /// The permutation that the last vector was sorted by.
    pub(super) fn images(&self, images: &mut [u32]) {
        let columns = self.acting.columns.iter().flat_map(|c| &c.orbits);
        for (columns, orbit) in columns.zip(self.keys.starts.windows(2)) {
            let mut order: Vec<usize> = (0..columns.len()).collect();
            order.sort_by_key(|at| self.own[orbit[0] + at]);
            for (to, from) in order.into_iter().enumerate() {
                for (to, from) in columns[to].iter().zip(&columns[from]) {
                    images[*from as usize] = *to;
                }
            }
        }
    }
}

impl Represent for Keyed<'_> {
    fn begin(&mut self, source: Option<&[u32]>) {
        Keyed::begin(self, source);
    }

    fn represent(&mut self, vector: &[u32], out: &mut Vec<u32>) {
        self.sort(vector, out);
    }
}
