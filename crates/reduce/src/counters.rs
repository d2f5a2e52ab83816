//! Counters in the place of columns: how many elements are in each local state, instead of which.
//!
//! Papers: [Emerson, Trefler 1999] generic representatives; [Basler, Mazzucchi, Wahl, Kroening 2009] BOOM. Where elements of a sort
//! have only local state, an orbit is a multiset of *columns*, and that is a vector of counters, one for each local state
//! that was met.
//! Differs: a slot that columns share may hold elements: "x is this element" is a part of its local state, so an element that is
//! held is counted apart from the others. Steps are those of a state that the counters stand for; of elements in one local
//! state only the first ones move.
//! Preserves: deadlocks, faults and the truth of labels, as any choice of representatives does.
//! Invariant: a vector of counters stands for one state up to permutation, whatever is known of what slots hold.
//! Invariant: local states are numbered as they are met. When there is no room for one more, the answer is a fault, and
//! [`Counters::is_outgrown`]: whoever explores begins again with more room.

mod codes;
mod columns;
mod counting;
mod unfold;

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

use base::Name;
use pins::{Shape, Slot, SlotSet, System, Worker};

use crate::symmetry::{Neighbours, Pairs};

use self::codes::Codes;
use self::columns::{Columns, Family};
pub use self::columns::{Hindrance, Why};
use self::counting::Counting;

/// A system whose states are counters.
pub struct Counters<'a> {
    system: &'a dyn System,
    neighbours: Neighbours<'a>,
    families: Vec<Family>,
    /// Slots of the system that are kept as they are, ascending.
    kept: Vec<usize>,
    /// For each group the columns that it may write, by family and number.
    writes: Vec<Vec<(usize, usize)>>,
    shape: Shape,
    /// Counters that there is room for.
    room: usize,
    codes: Mutex<Arc<Codes>>,
    is_outgrown: AtomicBool,
    /// Whether a value was met that does not say where its elements stand: several vectors may stand for one orbit.
    finds_several: AtomicBool,
    hindered: Vec<Hindrance>,
    /// Slots with words that may hide elements.
    hiding: Vec<usize>,
    /// The first of them where one did.
    hidden: OnceLock<usize>,
    /// The states that vectors stand for whose steps were asked for; `None` when they are too many for the type.
    stands_for: Mutex<Option<u128>>,
}

/// So many counters at first.
pub const FIRST_ROOM: usize = 16;
/// More local states mean that elements are not alike: counters are more than columns then.
pub const MOST_ROOM: usize = 4096;

impl<'a> Counters<'a> {
    /// The system in counters, with room for so many local states.
    ///
    /// # Errors
    /// What keeps elements from being counted; nothing when there are none.
    pub fn new(system: &'a dyn System, room: usize) -> Result<Counters<'a>, Vec<Hindrance>> {
        let neighbours = Neighbours::new(system, Pairs::Neighbours).ok_or_else(Vec::new)?;
        let Columns { families, hindered } = Columns::new(system, &neighbours);
        if families.is_empty() {
            return Err(hindered);
        }
        let slots = system.shape().slots.len();
        let mut column_of = vec![None; slots];
        for (family, known) in families.iter().enumerate() {
            for (at, column) in known.columns.iter().enumerate() {
                column
                    .iter()
                    .for_each(|slot| column_of[*slot] = Some((family, at)));
            }
        }
        let kept: Vec<usize> = (0..slots).filter(|at| column_of[*at].is_none()).collect();
        let writes = system.shape().groups.iter().map(|group| {
            let written = group.may_write.iter().filter_map(|slot| column_of[slot]);
            let mut written: Vec<(usize, usize)> = written.collect();
            written.sort_unstable();
            written.dedup();
            written
        });
        let hiding = neighbours.hiding();
        Ok(Counters {
            writes: writes.collect(),
            shape: shape(system.shape(), &kept, room),
            system,
            neighbours,
            families,
            kept,
            room,
            codes: Mutex::default(),
            is_outgrown: AtomicBool::new(false),
            finds_several: AtomicBool::new(false),
            hindered,
            hiding,
            hidden: OnceLock::new(),
            stands_for: Mutex::new(Some(0)),
        })
    }

    /// Whether a local state was met for which there was no room.
    pub fn is_outgrown(&self) -> bool {
        self.is_outgrown.load(Relaxed)
    }

    /// Whether some orbit may have more than one vector.
    pub fn finds_several(&self) -> bool {
        self.finds_several.load(Relaxed)
    }

    /// A slot with a word that may hide elements, if one was met. Its state cannot be laid out anew, so there the run is open.
    pub fn hidden(&self) -> Option<usize> {
        self.hidden.get().copied()
    }

    /// What keeps other elements from being counted.
    pub fn hindered(&self) -> &[Hindrance] {
        &self.hindered
    }

    /// How many local states were met.
    pub fn local_states(&self) -> usize {
        self.codes().len()
    }

    /// How many elements are counted.
    pub fn elements(&self) -> usize {
        self.families
            .iter()
            .map(|family| family.columns.len())
            .sum()
    }

    /// The states that the vectors stand for whose steps were asked for.
    pub fn stands_for(&self) -> Option<u128> {
        *self
            .stands_for
            .lock()
            .unwrap_or_else(PoisonError::into_inner)
    }

    fn codes(&self) -> MutexGuard<'_, Arc<Codes>> {
        self.codes.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn counting(&self) -> Counting<'_> {
        Counting::new(self)
    }
}

impl System for Counters<'_> {
    pins::forward_system!(self.system: bytes);

    fn shape(&self) -> &Shape {
        &self.shape
    }

    fn worker(&self) -> Box<dyn Worker + '_> {
        Box::new(self.counting())
    }
}

/// The picture of the system in counters: any step may read and change any counter.
fn shape(inner: &Shape, kept: &[usize], room: usize) -> Shape {
    let mut slots: Vec<Slot> = kept.iter().map(|slot| inner.slots[*slot].clone()).collect();
    slots.extend((0..room).map(|_| Slot {
        name: Name::new("count"),
        is_constant: false,
    }));
    let mut all = SlotSet::new();
    (0..slots.len()).for_each(|slot| all.insert(slot));
    let mut groups = inner.groups.clone();
    for group in &mut groups {
        group.reads = all.clone();
        group.may_write = all.clone();
        group.must_write = SlotSet::new();
    }
    let mut labels = inner.labels.clone();
    for label in &mut labels {
        label.reads = all.clone();
    }
    Shape {
        slots,
        groups,
        labels,
        always_true: inner.always_true.clone(),
        is_told_by_group: inner.is_told_by_group,
        has_setup: inner.has_setup,
        faults_stay: inner.faults_stay,
        ..Shape::default()
    }
}
