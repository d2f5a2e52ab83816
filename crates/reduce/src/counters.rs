//! Counters in the place of columns: how many elements are in each local state, instead of which.
//!
//! Papers: [Emerson, Trefler 1999] generic representatives; [Basler, Mazzucchi, Wahl, Kroening 2009] BOOM. Where elements of a sort
//! have only local state, an orbit is a multiset of *columns*, and that is a vector of counters, one for each local state
//! that was met.
//! Differs: a slot that columns share may hold elements: "x is this element" is a part of its local state, so an element that is
//! held is counted apart from the others. Steps are those of states that the counters stand for, laid out so that what moves stands
//! first (`fronts.rs`).
//! Preserves: deadlocks, faults and the truth of labels, as any choice of representatives does.
//! Invariant: a vector of counters stands for one state up to permutation, whatever is known of what slots hold.
//! Invariant: a state that cannot be permuted (yet) stands for itself: the place of each column is a part of its local state.
//! Invariant: local states are numbered as they are met. When there is no room for one more, the answer is a fault, and
//! [`Counters::is_outgrown`]: whoever explores begins again with more room.

mod codes;
mod columns;
mod counting;
mod fronts;
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
use self::fronts::Front;

/// A system whose states are counters.
pub struct Counters<'a> {
    system: &'a dyn System,
    neighbours: Neighbours<'a>,
    families: Vec<Family>,
    /// Slots of the system that are kept as they are, ascending.
    kept: Vec<usize>,
    /// For each group what it may write of columns.
    fronts: Vec<Front>,
    shape: Shape,
    /// Counters that there is room for.
    room: usize,
    codes: Mutex<Arc<Codes>>,
    is_outgrown: AtomicBool,
    /// Whether a value was met that does not say where its elements stand: several vectors may stand for one orbit.
    finds_several: AtomicBool,
    hindered: Vec<Hindrance>,
    /// Whether no state stands for itself because elements are not alike in it.
    is_always_permuted: bool,
    /// Slots with words that may hide elements.
    hiding: Vec<usize>,
    /// The first of them where one did.
    hidden: OnceLock<usize>,
    /// The states that vectors stand for whose steps were asked for; `None` when they are too many for the type.
    stands_for: Mutex<Option<u128>>,
}

/// So many counters at first: there are few local states as a rule, and each counter is a level of a diagram.
pub const FIRST_ROOM: usize = 4;
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
        let fronts = system.shape().groups.iter().map(|group| {
            let written = group.may_write.iter().filter_map(|slot| column_of[slot]);
            Front::new(&families, written.collect())
        });
        let fronts: Vec<Front> = fronts.collect();
        let hiding = neighbours.hiding();
        let is_always_permuted = neighbours.is_unconditional();
        let is_asked = |group: &usize| fronts[*group].leads() || !is_always_permuted;
        let asked: Vec<usize> = (0..fronts.len()).filter(is_asked).collect();
        Ok(Counters {
            shape: shape(system.shape(), &kept, room, &asked),
            fronts,
            is_always_permuted,
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

    /// The states that vectors stand for whose steps were asked for; `None` also where some of them may not be reached.
    pub fn stands_for(&self) -> Option<u128> {
        let sum = self.stands_for.lock();
        let sum = *sum.unwrap_or_else(PoisonError::into_inner);
        sum.filter(|_| self.neighbours.keeps_start())
    }

    /// Whether some slot that columns share may hold elements.
    fn has_holders(&self) -> bool {
        let mut families = self.families.iter();
        families.any(|family| !family.holders.is_empty())
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

/// The picture of the system in counters: any step may read and change any counter. Groups that are never asked have nothing to do with
/// them; but all counters are added up when the first group is asked.
fn shape(inner: &Shape, kept: &[usize], room: usize, asked: &[usize]) -> Shape {
    let mut slots: Vec<Slot> = kept.iter().map(|slot| inner.slots[*slot].clone()).collect();
    slots.extend((0..room).map(|_| Slot {
        name: Name::new("count"),
        is_constant: false,
    }));
    let mut all = SlotSet::new();
    (0..slots.len()).for_each(|slot| all.insert(slot));
    let mut groups = inner.groups.clone();
    for (at, group) in groups.iter_mut().enumerate() {
        let is_asked = asked.binary_search(&at).is_ok();
        let touched = |is_touched: bool| match is_touched {
            true => all.clone(),
            false => SlotSet::new(),
        };
        group.reads = touched(is_asked || at == 0);
        group.may_write = touched(is_asked);
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
