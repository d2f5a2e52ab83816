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

/// What a column holds.
type Key = [u64; 2];

/// Where bits stand in a key.
#[derive(Clone, Copy, Debug)]
struct Bits {
    half: u8,
    shift: u8,
}

impl Bits {
    #[inline]
    fn of(self, bits: u32) -> u64 {
        u64::from(bits) << self.shift
    }
}

/// How the columns of a group are keyed.
#[derive(Clone, Debug)]
pub(in crate::symmetry) struct Keys {
    /// For each orbit of columns the number of its first column, then that of all.
    starts: Vec<usize>,
    /// For each spot that belongs to a column: the column and its bits.
    own: Vec<Option<(u32, Bits)>>,
    /// For each column its spots with their bits.
    fields: Vec<Vec<(u32, Bits)>>,
    /// For each point its column.
    columns: Vec<u32>,
    /// For each spot that belongs to none and may name columns: for each point that it may hold the bit.
    naming: Vec<Vec<Option<Bits>>>,
    /// The same by column: spot, bit, and the value that names the column.
    named: Vec<Vec<(u32, Bits, u32)>>,
}

/// The bits of keys that are in use.
#[derive(Default)]
struct Room {
    used: [u32; 2],
}

impl Room {
    fn take(&mut self, width: u32) -> Option<Bits> {
        let half = (0..2).find(|half| self.used[*half] + width <= 64)?;
        let shift = self.used[half] as u8;
        self.used[half] += width;
        Some(Bits {
            half: half as u8,
            shift,
        })
    }
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
            own: vec![None; acting.spots.len()],
            fields: Vec::new(),
            columns: vec![NONE; acting.points()],
            naming: vec![Vec::new(); acting.spots.len()],
            named: Vec::new(),
        };
        for orbit in orbits {
            let mut room = Room::default();
            let first = keys.fields.len();
            keys.fields.resize(first + orbit.len(), Vec::new());
            keys.named.resize(first + orbit.len(), Vec::new());
            keys.starts.push(keys.fields.len());
            for (at, column) in orbit.iter().enumerate() {
                for point in column {
                    keys.columns[*point as usize] = (first + at) as u32;
                }
            }
            keys.add_fields(acting, orbit, first, &mut room)?;
            keys.add_names(acting, orbit, first, &mut room)?;
        }
        Some(keys)
    }

    fn add_fields(
        &mut self,
        acting: &Acting<'_>,
        orbit: &[Vec<u32>],
        first: usize,
        room: &mut Room,
    ) -> Option<()> {
        for places in acting.families.iter().filter(|places| places.arity == 1) {
            for position in 0..orbit[0].len() {
                let spots = orbit.iter();
                let spots = spots.map(|column| places.spots[column[position] as usize]);
                let spots: Vec<u32> = spots.filter(|spot| *spot != NONE).collect();
                if spots.is_empty() {
                    continue;
                }
                let field = |spot: u32| acting.spots[spot as usize].field;
                let mask = field(spots[0]).mask;
                let is_alike = spots.iter().all(|spot| field(*spot).mask == mask);
                if spots.len() != orbit.len() || !is_alike {
                    return None;
                }
                let bits = room.take(mask.count_ones())?;
                for (at, spot) in spots.into_iter().enumerate() {
                    self.own[spot as usize] = Some(((first + at) as u32, bits));
                    self.fields[first + at].push((spot, bits));
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
        room: &mut Room,
    ) -> Option<()> {
        let naming = acting.spots.iter().enumerate();
        for (number, spot) in naming.filter(|(_, s)| s.arity == 0 && s.table != NONE) {
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
                let bit = room.take(1)?;
                for (at, point) in points.enumerate() {
                    let value = table.values[point as usize];
                    self.naming[number].resize(acting.points(), None);
                    self.naming[number][point as usize] = Some(bit);
                    self.named[first + at].push((number as u32, bit, value));
                }
            }
        }
        Some(())
    }

    /// The key of every column of a vector.
    fn all(&self, acting: &Acting<'_>, vector: &[u32], keys: &mut Vec<Key>) {
        keys.clear();
        keys.resize(self.fields.len(), [0; 2]);
        for number in 0..acting.spots.len() {
            self.toggle(acting, number, vector, keys);
        }
    }

    /// Adds what a spot holds, or takes it away.
    #[inline]
    fn toggle(&self, acting: &Acting<'_>, number: usize, vector: &[u32], keys: &mut [Key]) {
        let spot = &acting.spots[number];
        let held = spot.field.get(vector);
        if let Some((column, bits)) = self.own[number] {
            keys[column as usize][usize::from(bits.half)] ^= bits.of(held);
            return;
        }
        let point = acting.held(spot, vector, held);
        if point == NONE {
            return;
        }
        let column = self.columns[point as usize];
        if let Some(Some(bit)) = self.naming[number].get(point as usize) {
            keys[column as usize][usize::from(bit.half)] ^= bit.of(1);
        }
    }

    /// The keys of a vector from those of another one.
    fn follow(&self, acting: &Acting<'_>, from: &[u32], vector: &[u32], keys: &mut [Key]) {
        for (slot, spots) in acting.by_slot.iter().enumerate() {
            if from[slot] == vector[slot] {
                continue;
            }
            for number in spots {
                let own = acting.spots[*number as usize].field.slot;
                // What is met by its length and by its own slot counts once.
                if own != slot && from[own] != vector[own] {
                    continue;
                }
                self.toggle(acting, *number as usize, from, keys);
                self.toggle(acting, *number as usize, vector, keys);
            }
        }
    }
}

/// Sorts columns by their keys.
pub(super) struct Keyed<'a> {
    acting: &'a Acting<'a>,
    keys: &'a Keys,
    source: Vec<u32>,
    source_keys: Vec<Key>,
    own: Vec<Key>,
    /// For each place the column that comes there.
    order: Vec<u32>,
}

impl<'a> Keyed<'a> {
    pub(super) fn new(acting: &'a Acting<'a>) -> Option<Keyed<'a>> {
        Some(Keyed {
            acting,
            keys: acting.keys.as_ref()?,
            source: Vec::new(),
            source_keys: Vec::new(),
            own: Vec::new(),
            order: Vec::new(),
        })
    }

    /// What follows are successors of a state; of none that is known where it is `None`.
    pub(super) fn begin(&mut self, source: Option<&[u32]>) {
        self.source.clear();
        if let Some(source) = source {
            self.source.extend_from_slice(source);
            self.keys.all(self.acting, source, &mut self.source_keys);
        }
    }

    /// Puts a vector with its columns sorted into `out`.
    pub(super) fn sort(&mut self, vector: &[u32], out: &mut Vec<u32>) {
        let (acting, keys) = (self.acting, self.keys);
        match self.source.len() == vector.len() {
            true => {
                self.own.clone_from(&self.source_keys);
                keys.follow(acting, &self.source, vector, &mut self.own);
            }
            false => keys.all(acting, vector, &mut self.own),
        }
        out.clear();
        out.extend_from_slice(vector);
        self.order.clear();
        self.order.extend(0..self.own.len() as u32);
        for orbit in keys.starts.windows(2) {
            // Few columns, nearly in order: those of a representative are.
            for next in orbit[0] + 1..orbit[1] {
                let key = self.own[next];
                let mut at = next;
                while at > orbit[0] && self.own[self.order[at - 1] as usize] > key {
                    self.order[at] = self.order[at - 1];
                    at -= 1;
                }
                self.order[at] = next as u32;
            }
            for place in orbit[0]..orbit[1] {
                let key = self.own[self.order[place] as usize];
                if key != self.own[place] {
                    self.write(place, key, out);
                }
            }
        }
    }

    /// Writes a column.
    #[inline]
    fn write(&self, place: usize, key: Key, out: &mut [u32]) {
        for (spot, bits) in &self.keys.fields[place] {
            let field = self.acting.spots[*spot as usize].field;
            let held = (key[usize::from(bits.half)] >> bits.shift) as u32 & field.mask;
            field.put(out, held);
        }
        for (spot, bit, value) in &self.keys.named[place] {
            if key[usize::from(bit.half)] >> bit.shift & 1 == 1 {
                self.acting.spots[*spot as usize].field.put(out, *value);
            }
        }
    }

    /// The permutation that the last vector was sorted by.
    pub(super) fn images(&self, images: &mut [u32]) {
        let columns = self.acting.columns.iter();
        let columns: Vec<&Vec<u32>> = columns.flat_map(|c| c.orbits.iter().flatten()).collect();
        for (to, from) in self.order.iter().enumerate() {
            for (to, from) in columns[to].iter().zip(columns[*from as usize]) {
                images[*from as usize] = *to;
            }
        }
    }

    /// How many states the orbit of the last vector has.
    pub(super) fn orbit(&self) -> Option<u128> {
        let mut size: u128 = 1;
        for orbit in self.keys.starts.windows(2) {
            let order = &self.order[orbit[0]..orbit[1]];
            let key = |at: &u32| self.own[*at as usize];
            let cells = order.chunk_by(|a, b| key(a) == key(b));
            size = size.checked_mul(multinomial(cells.map(<[u32]>::len))?)?;
        }
        Some(size)
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
