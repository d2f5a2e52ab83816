//! What groups do with the levels of the diagrams, and how their steps stand in relations.
//!
//! A class of groups is applied at once (`regroup.rs`), so its groups write their steps in one form: that of the class.
//! Invariant: the groups of a class read the same slots and touch the same slots.

use ldd::{PatternId, Role, Store};
use pins::{GroupId, Shape, SlotSet};

/// Groups that are applied together.
pub(super) struct Class {
    /// The groups, ascending.
    pub(super) members: Vec<usize>,
    /// The first level it touches.
    pub(super) first: usize,
    /// Its relation and its reads, from the first level of all.
    pub(super) whole: PatternId,
    pub(super) reads_whole: PatternId,
    /// The same from the first level it touches.
    pub(super) below: PatternId,
    pub(super) reads_below: PatternId,
    /// The role of each level.
    roles: Vec<Role>,
}

/// A group as the diagrams see it.
pub(super) struct Group {
    pub(super) id: GroupId,
    /// The class it belongs to.
    pub(super) class: usize,
    /// The slots it touches, in the order of levels.
    pub(super) touches: Vec<Touch>,
    /// Its relation and its reads, from the first level of all.
    pub(super) whole: PatternId,
    pub(super) reads_whole: PatternId,
    /// What is asked before the group is, shortest first.
    pub(super) guards: Vec<Guard>,
    /// The levels of short vectors and of slots that need not be written: where two steps may become one.
    pub(super) reads_and_options: PatternId,
}

/// A slot that a group touches.
#[derive(Clone, Copy, Debug)]
pub(super) struct Touch {
    pub(super) slot: usize,
    /// What the group does with it.
    pub(super) own: Role,
    /// What its class does with it: the form of its steps in the relation.
    form: Role,
}

/// A guard, or a part of one, that reads fewer slots than its group.
pub(super) struct Guard {
    /// Which guards of the shape; none of them for the whole.
    pub(super) numbers: Vec<usize>,
    pub(super) slots: Vec<usize>,
    /// Its slots among those of a short vector.
    pub(super) pattern: PatternId,
}

/// A step: its label, and for each touched slot what it writes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Step {
    pub(super) label: Vec<u32>,
    pub(super) writes: Vec<Option<u32>>,
}

impl Class {
    /// The class of these groups; `order` has the slot of each level.
    pub(super) fn new(
        shape: &Shape,
        members: Vec<usize>,
        order: &[usize],
        store: &mut Store<'_>,
    ) -> Class {
        let merged = |slot: &usize| {
            let roles = members.iter().map(|group| role(shape, *group, *slot));
            roles.reduce(merge).unwrap_or(Role::Skip)
        };
        let roles: Vec<Role> = order.iter().map(merged).collect();
        let reads: Vec<Role> = roles.iter().map(|role| reading(*role)).collect();
        let touched = roles.iter().position(|role| *role != Role::Skip);
        let first = touched.unwrap_or(0);
        Class {
            members,
            first,
            whole: store.pattern(&roles),
            reads_whole: store.pattern(&reads),
            below: store.pattern(&roles[first..]),
            reads_below: store.pattern(&reads[first..]),
            roles,
        }
    }
}

impl Group {
    /// A group of a class.
    pub(super) fn new(
        shape: &Shape,
        id: GroupId,
        number: usize,
        class: &Class,
        order: &[usize],
        store: &mut Store<'_>,
    ) -> Group {
        let levels = order.iter().zip(&class.roles);
        let touches: Vec<Touch> = levels
            .filter(|(_, form)| **form != Role::Skip)
            .map(|(slot, form)| Touch {
                slot: *slot,
                own: role(shape, id.index(), *slot),
                form: *form,
            })
            .collect();
        let option = |slot: &usize| match role(shape, id.index(), *slot) {
            Role::MayWrite => Role::Read,
            role => reading(role),
        };
        let options: Vec<Role> = order.iter().map(option).collect();
        Group {
            id,
            class: number,
            guards: guards(shape, id, &touches, store),
            touches,
            whole: class.whole,
            reads_whole: class.reads_whole,
            reads_and_options: store.pattern(&options),
        }
    }

    /// The slots it reads, in the order of levels.
    pub(super) fn read_slots(&self) -> impl Iterator<Item = usize> {
        read_slots(&self.touches)
    }

    /// A step as the relation has it.
    pub(super) fn vector(&self, short: &[u32], step: &Step) -> Vec<u32> {
        let mut vector = Vec::new();
        let mut short = short.iter().copied();
        for (touch, write) in self.touches.iter().zip(&step.writes) {
            match touch.form {
                Role::Skip => {}
                Role::Read => vector.extend(short.next()),
                Role::Write => vector.extend(*write),
                Role::ReadWrite => {
                    let read = short.next();
                    vector.extend(read.into_iter().chain(write.or(read)));
                }
                Role::MayWrite => match write {
                    None => vector.push(0),
                    Some(value) => vector.extend([1, *value]),
                },
            }
        }
        vector
    }

    /// Whether a step leads to another state, whatever the slots hold that are not read.
    pub(super) fn moves(&self, short: &[u32], step: &Step) -> bool {
        let mut short = short.iter();
        let touches = self.touches.iter().zip(&step.writes);
        touches
            .filter(|(touch, _)| reading(touch.form) == Role::Read)
            .any(|(_, write)| {
                let read = short.next();
                write.is_some() && write.as_ref() != read
            })
    }

    /// Whether steps may write into slots that are not read.
    pub(super) fn writes_blindly(&self) -> bool {
        let mut touches = self.touches.iter();
        touches.any(|touch| reading(touch.form) == Role::Skip)
    }

    /// What a step writes into slots that are not read, by slot.
    pub(super) fn blind_writes(&self, step: &Step) -> Vec<(usize, u32)> {
        let touches = self.touches.iter().zip(&step.writes);
        touches
            .filter(|(touch, _)| reading(touch.form) == Role::Skip)
            .filter_map(|(touch, write)| Some((touch.slot, (*write)?)))
            .collect()
    }

    /// Whether steps that differ may be one step in some state: a slot that one of them leaves alone.
    pub(super) fn may_coincide(&self, steps: &[Step]) -> bool {
        let leaves = |step: &Step| {
            let touches = self.touches.iter().zip(&step.writes);
            touches
                .filter(|(touch, _)| touch.own == Role::MayWrite)
                .any(|(_, w)| w.is_none())
        };
        steps.len() > 1 && steps.iter().any(leaves)
    }
}

fn read_slots(touches: &[Touch]) -> impl Iterator<Item = usize> {
    let reads = |touch: &&Touch| reading(touch.form) == Role::Read;
    touches.iter().filter(reads).map(|touch| touch.slot)
}

/// What is asked before a group is: guards that read fewer slots, the shortest first.
fn guards(shape: &Shape, id: GroupId, touches: &[Touch], store: &mut Store<'_>) -> Vec<Guard> {
    let read_slots: Vec<usize> = read_slots(touches).collect();
    let is_pure = shape.groups[id.index()].is_pure;
    let mut guards: Vec<Guard> = Vec::new();
    let mut add = |number: Option<usize>, reads: &SlotSet| {
        let slots = read_slots.iter().copied();
        let slots: Vec<usize> = slots.filter(|slot| reads.contains(*slot)).collect();
        if !is_pure || slots.len() >= read_slots.len() {
            return;
        }
        let known = guards.iter_mut().find(|guard| guard.slots == slots);
        if let (Some(guard), Some(number)) = (known, number) {
            guard.numbers.push(number);
            return;
        }
        let in_guard = read_slots.iter().map(|slot| match reads.contains(*slot) {
            true => Role::Read,
            false => Role::Skip,
        });
        let in_guard: Vec<Role> = in_guard.collect();
        guards.push(Guard {
            numbers: number.into_iter().collect(),
            slots,
            pattern: store.pattern(&in_guard),
        });
    };
    for (number, guard) in shape.guards.iter().enumerate() {
        // One that has no truth value somewhere is told of when the group is asked.
        if guard.group == id && guard.is_total {
            add(Some(number), &guard.reads);
        }
    }
    if let Some(reads) = shape.guard_reads.get(id.index()) {
        add(None, reads);
    }
    // The whole guard is the longest, and the last of those that are equally long.
    guards.sort_by_key(|guard| guard.slots.len());
    guards
}

/// What a group does with a slot.
fn role(shape: &Shape, group: usize, slot: usize) -> Role {
    let group = &shape.groups[group];
    // An impure group may answer otherwise the next time, so it is asked for every state.
    let reads = group.reads.contains(slot) || !group.is_pure;
    let writes = group.may_write.contains(slot);
    match (reads, writes) {
        (true, true) => Role::ReadWrite,
        (true, false) => Role::Read,
        (false, true) if group.must_write.contains(slot) => Role::Write,
        (false, true) => Role::MayWrite,
        (false, false) => Role::Skip,
    }
}

/// What two groups that read the same slots do with one.
fn merge(a: Role, b: Role) -> Role {
    match (a, b) {
        _ if a == b => a,
        (Role::Read | Role::ReadWrite, _) => Role::ReadWrite,
        _ => Role::MayWrite,
    }
}

/// What a projection to the slots that are read does.
fn reading(role: Role) -> Role {
    match role {
        Role::Read | Role::ReadWrite => Role::Read,
        Role::Skip | Role::Write | Role::MayWrite => Role::Skip,
    }
}
