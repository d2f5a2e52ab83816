//! The shape of a system of processes, by slots and by words.

use pins::{Shape, Slot};

use super::super::groups::Groups;
use super::super::layout::Layout;
use super::super::packing::Packed;

/// The shape with the words of the layout as slots.
pub(super) fn shape(layout: &Layout, groups: &Groups) -> Shape {
    let slots = layout.names.iter();
    Shape {
        slots: slots
            .map(|name| Slot {
                name: *name,
                is_constant: false,
            })
            .collect(),
        bits: Vec::new(),
        groups: groups.groups.clone(),
        labels: Vec::new(),
        guard_reads: groups.guard_reads.clone(),
        enabling: groups.enabling.clone(),
        guards: groups.guards.clone(),
        leaves: groups.leaves.clone(),
        absent: Some(0),
        counts: groups.counts.clone(),
        commuting: groups.commuting.clone(),
        held: groups.held.clone(),
        eager: Vec::new(),
        alike: Vec::new(),
        always_true: Vec::new(),
        is_packed: false,
        is_whole: false,
        is_told_by_group: false,
        has_setup: false,
        faults_stay: false,
    }
}

/// The shape with words in the place of slots.
pub(super) fn pack_shape(shape: &mut Shape, packed: &Packed, layout: &Layout) {
    let names = packed.names(&layout.names).into_iter();
    shape.slots = names
        .map(|name| Slot {
            name,
            is_constant: false,
        })
        .collect();
    for group in &mut shape.groups {
        group.may_write = packed.words_of(&group.may_write);
        group.reads = packed.words_of(&group.reads);
        // A word that is written in part keeps the rest.
        group.reads.union_with(&group.may_write);
    }
    let guards = shape.guards.iter_mut();
    guards.for_each(|guard| {
        guard.reads = packed.words_of(&guard.reads);
        guard.equals = None;
    });
    shape.leaves.clear();
    shape.absent = None;
    shape.counts.clear();
    // Guards of packed vectors ask for no words.
    shape.held.clear();
    shape.is_packed = true;
    let reads = shape.guard_reads.iter_mut();
    let reads = reads.chain(
        shape
            .enabling
            .iter_mut()
            .map(|enabling| &mut enabling.reads),
    );
    let reads = reads.chain(shape.labels.iter_mut().map(|label| &mut label.reads));
    reads.for_each(|reads| *reads = packed.words_of(reads));
}
