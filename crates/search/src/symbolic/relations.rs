//! Learns the transition relation of each group from questions about short vectors.
//!
//! Paper: [Bendisposto et al. 2016], algorithm 2; [Meijer et al. 2014] for read, write and copy.
//! Technique: a group is asked with a mark in every slot that it does not read. Where a mark comes through in a
//! slot that it may write, the slot was left alone: a second question with another mark tells that from a value
//! that looks like the mark.
//! Where a group's guard, or a part of it, reads fewer slots than the group, it is asked about those first, the
//! shortest first, and the group only where none of them is false.
//! Invariant: a short vector is asked about once (twice if a mark came through); what was answered is kept until
//! it is in the diagrams, also when there was no room for them at first.
//! Invariant: `relation`, `enabled`, `faulty` and `outcomes` are complete for the vectors of `known`.

use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use ldd::{Alone, Halt, Node, PatternId, Relations, Role, Store};
use pins::{Fault, FaultKind, Flow, GroupId, Notes, Shape, SlotSet, Worker};

/// What a group does with the levels of the diagrams.
pub(super) struct Group {
    pub(super) id: GroupId,
    /// The first level it touches.
    pub(super) first: usize,
    /// The slots it touches with their roles, in the order of levels.
    pub(super) touches: Vec<(usize, Role)>,
    /// Its relation and its reads, from the first level of all.
    pub(super) whole: PatternId,
    pub(super) reads_whole: PatternId,
    /// The same from the first level it touches.
    below: PatternId,
    reads_below: PatternId,
    /// What is asked before the group is, shortest first.
    guards: Vec<Guard>,
    /// The levels of short vectors and of slots that need not be written: where two steps may become one.
    pub(super) reads_and_options: PatternId,
}

/// A guard, or a part of one, that reads fewer slots than its group.
struct Guard {
    /// Which guards of the shape; none of them for the whole.
    numbers: Vec<usize>,
    slots: Vec<usize>,
    /// Its slots among those of a short vector.
    pattern: PatternId,
}

/// What is known of a group.
#[derive(Default)]
pub(super) struct Learned {
    /// Short vectors that were asked about.
    pub(super) known: Sets,
    /// For each of its guards, vectors that were asked about, and those in which it is not false.
    guards: Vec<[Node; 2]>,
    /// Short vectors with more than no step by their number of steps; only when they are to be counted.
    pub(super) outcomes: BTreeMap<u64, Node>,
    /// Short vectors with steps that may be one step in some state, and these steps.
    pub(super) coinciding: Vec<(Vec<u32>, Vec<Step>)>,
    /// Short vectors in which the group faults.
    pub(super) faults: Vec<(Vec<u32>, Fault)>,
    pending: Pending,
}

/// Sets that are roots.
#[derive(Clone, Copy)]
pub(super) struct Sets {
    pub(super) asked: Node,
    pub(super) relation: Node,
    pub(super) enabled: Node,
    /// Short vectors in which the group faults, or could not be evaluated.
    pub(super) faulty: Node,
}

impl Default for Sets {
    fn default() -> Sets {
        Sets {
            asked: Node::EMPTY,
            relation: Node::EMPTY,
            enabled: Node::EMPTY,
            faulty: Node::EMPTY,
        }
    }
}

/// Answers that are not in the diagrams yet.
#[derive(Default)]
struct Pending {
    asked: Vec<Vec<u32>>,
    relation: Vec<Vec<u32>>,
    enabled: Vec<(u64, Vec<u32>)>,
    faulty: Vec<Vec<u32>>,
}

/// A step: its label, and for each touched slot what it writes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(super) struct Step {
    pub(super) label: Vec<u32>,
    pub(super) writes: Vec<Option<u32>>,
}

/// Everything that is learned, by whatever thread.
pub(super) struct Learner<'a> {
    pub(super) groups: Vec<Group>,
    by_level: Vec<Vec<usize>>,
    depth: usize,
    counts_outcomes: bool,
    state: Mutex<State<'a>>,
}

/// What changes while learning.
pub(super) struct State<'a> {
    pub(super) worker: Box<dyn Worker + 'a>,
    pub(super) learned: Vec<Learned>,
    /// Questions for successors.
    pub(super) calls: u64,
    /// Questions about guards alone.
    pub(super) guard_calls: u64,
    /// How often a budget of the evaluator did not suffice, and the first time.
    pub(super) budget: (u64, Option<Fault>),
    /// Notes that were taken from the worker on the way.
    pub(super) notes: Notes,
    /// Ends learning as soon as some group faults.
    pub(super) stops_at_fault: bool,
    vector: Vec<u32>,
}

/// Two marks, for slots that are not read.
const MARKS: [u32; 2] = [0xffff_fff1, 0xa5c3_9e71];
/// So many questions between two looks at the watcher.
const BATCH: usize = 64;

impl<'a> Learner<'a> {
    /// Nothing learned; `order` has the slot of each level.
    pub(super) fn new(
        shape: &Shape,
        order: &[usize],
        worker: Box<dyn Worker + 'a>,
        store: &mut Store<'_>,
        counts_outcomes: bool,
    ) -> Learner<'a> {
        let groups: Vec<Group> = (0..shape.groups.len())
            .map(|at| Group::new(shape, GroupId::new(at), order, store))
            .collect();
        let mut by_level = vec![Vec::new(); order.len()];
        for (at, group) in groups.iter().enumerate() {
            if let Some(list) = by_level.get_mut(group.first) {
                list.push(at);
            }
        }
        Learner {
            by_level,
            depth: order.len(),
            counts_outcomes,
            state: Mutex::new(State {
                worker,
                learned: groups.iter().map(Learned::of).collect(),
                calls: 0,
                guard_calls: 0,
                budget: (0, None),
                notes: Notes::default(),
                stops_at_fault: false,
                vector: vec![0; order.len()],
            }),
            groups,
        }
    }

    /// What changes. A panic of another thread left nothing half done that matters.
    pub(super) fn state(&self) -> MutexGuard<'_, State<'a>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What must survive a collection.
    pub(super) fn roots(&self, roots: &mut Vec<Node>) {
        for learned in &self.state().learned {
            let Sets {
                asked,
                relation,
                enabled,
                faulty,
            } = learned.known;
            roots.extend([asked, relation, enabled, faulty]);
            roots.extend(learned.guards.iter().flatten());
            roots.extend(learned.outcomes.values());
        }
    }

    /// The relation of a group, complete for these short vectors.
    pub(super) fn learn_short(
        &self,
        alone: Alone<'_>,
        group: usize,
        short: Node,
    ) -> Result<Node, Halt> {
        let mut state = self.state();
        let state = &mut *state;
        if !state.learned[group].pending.is_empty() {
            self.settle(alone, state, group)?;
        }
        let fresh = alone.minus(short, state.learned[group].known.asked)?;
        if fresh.is_empty() {
            return Ok(state.learned[group].known.relation);
        }
        let mut possible = fresh;
        for guard in 0..self.groups[group].guards.len() {
            if possible.is_empty() {
                break;
            }
            possible = self.possible(alone, state, group, guard, possible)?;
        }
        let mut halted = Ok(());
        let mut asked = 0;
        alone.store().for_each(possible, &mut |vector| {
            asked += 1;
            if asked % BATCH == 0 {
                halted = alone.store().poll();
            }
            if halted.is_ok() && !self.ask(state, group, vector) {
                halted = alone.store().stop();
            }
            let has_fault = !state.learned[group].faults.is_empty();
            if halted.is_ok() && state.stops_at_fault && has_fault {
                halted = alone.store().stop();
            }
            halted.is_ok()
        });
        halted?;
        self.settle(alone, state, group)?;
        // Where the guard is false there is nothing to ask.
        let known = &mut state.learned[group].known;
        known.asked = alone.union(known.asked, fresh)?;
        Ok(known.relation)
    }

    /// The short vectors in which a guard of a group is not false: it is asked about its own slots.
    fn possible(
        &self,
        alone: Alone<'_>,
        state: &mut State<'_>,
        at: usize,
        which: usize,
        short: Node,
    ) -> Result<Node, Halt> {
        let group = &self.groups[at];
        let guard = &group.guards[which];
        let [asked, mut possible] = state.learned[at].guards[which];
        let guards = alone.project(short, guard.pattern)?;
        let fresh = alone.minus(guards, asked)?;
        if !fresh.is_empty() {
            let (mut found, mut halted) = (Vec::new(), Ok(()));
            state.vector.fill(MARKS[0]);
            alone.store().for_each(fresh, &mut |vector| {
                for (slot, value) in guard.slots.iter().zip(vector) {
                    state.vector[*slot] = *value;
                }
                state.guard_calls += 1;
                if state.guard_calls.is_multiple_of(BATCH as u64) {
                    halted = alone.store().poll();
                }
                // What is noted about a guard that is not false will be noted again.
                let earlier = state.worker.take_notes();
                state.notes.merge(earlier);
                let mut parts = guard.numbers.iter();
                let may_happen = match guard.numbers.is_empty() {
                    false => parts.all(|part| state.worker.guard(&state.vector, *part)),
                    true => state.worker.may_happen(&state.vector, group.id),
                };
                let notes = state.worker.take_notes();
                if may_happen {
                    found.push(vector.to_vec());
                } else {
                    state.notes.merge(notes);
                }
                halted.is_ok()
            });
            halted?;
            let more = alone.from_vectors(&mut found)?;
            possible = alone.union(possible, more)?;
            let asked = alone.union(asked, fresh)?;
            state.learned[at].guards[which] = [asked, possible];
        }
        alone.matching(short, possible, guard.pattern)
    }

    /// Puts answers into the diagrams.
    fn settle(&self, alone: Alone<'_>, state: &mut State<'_>, group: usize) -> Result<(), Halt> {
        let learned = &mut state.learned[group];
        let pending = &mut learned.pending;
        let add = |set: Node, vectors: &mut Vec<Vec<u32>>| {
            if vectors.is_empty() {
                return Ok(set);
            }
            let more = alone.from_vectors(vectors)?;
            alone.union(set, more)
        };
        let mut sets = learned.known;
        sets.asked = add(sets.asked, &mut pending.asked)?;
        sets.relation = add(sets.relation, &mut pending.relation)?;
        sets.faulty = add(sets.faulty, &mut pending.faulty)?;
        let mut all: Vec<Vec<u32>> = pending.enabled.iter().map(|(_, v)| v.clone()).collect();
        sets.enabled = add(sets.enabled, &mut all)?;
        let mut outcomes = BTreeMap::new();
        if self.counts_outcomes {
            for (count, vector) in &pending.enabled {
                let list: &mut Vec<Vec<u32>> = outcomes.entry(*count).or_default();
                list.push(vector.clone());
            }
        }
        let mut counted = Vec::new();
        for (count, mut vectors) in outcomes {
            let set = learned.outcomes.get(&count).copied();
            counted.push((count, add(set.unwrap_or(Node::EMPTY), &mut vectors)?));
        }
        // Nothing can fail from here on.
        learned.known = sets;
        learned.outcomes.extend(counted);
        learned.pending = Pending::default();
        Ok(())
    }

    /// Asks a group about one short vector; `false` when the evaluation was halted.
    fn ask(&self, state: &mut State<'_>, at: usize, short: &[u32]) -> bool {
        let group = &self.groups[at];
        let (mut steps, answer, has_mark) = state.steps(group, short, MARKS[0]);
        if has_mark {
            let (other, _, _) = state.steps(group, short, MARKS[1]);
            for (step, other) in steps.iter_mut().zip(other) {
                let touches = group.touches.iter().zip(&mut step.writes).zip(other.writes);
                for (((_, role), write), other) in touches {
                    let marks = (*write == Some(MARKS[0]), other == Some(MARKS[1]));
                    if *role == Role::MayWrite && marks == (true, true) {
                        *write = None;
                    }
                }
            }
        }
        if matches!(&answer, Err(fault) if fault.kind == FaultKind::Halted) {
            return false;
        }
        let learned = &mut state.learned[at];
        let pending = &mut learned.pending;
        pending.asked.push(short.to_vec());
        if !steps.is_empty() {
            pending.enabled.push((steps.len() as u64, short.to_vec()));
        }
        for step in &steps {
            pending.relation.push(group.vector(short, step));
        }
        if let Err(fault) = answer {
            pending.faulty.push(short.to_vec());
            if fault.kind == FaultKind::Budget {
                state.budget.0 += 1;
                state.budget.1.get_or_insert(fault);
            } else {
                learned.faults.push((short.to_vec(), fault));
            }
        }
        if self.counts_outcomes && group.may_coincide(&steps) {
            learned.coinciding.push((short.to_vec(), steps));
        }
        true
    }
}

impl Learned {
    fn of(group: &Group) -> Learned {
        Learned {
            guards: vec![[Node::EMPTY; 2]; group.guards.len()],
            ..Learned::default()
        }
    }
}

impl Pending {
    fn is_empty(&self) -> bool {
        self.asked.is_empty()
    }
}

impl State<'_> {
    /// The steps of a group for a short vector, its fault, and whether a mark came through.
    fn steps(
        &mut self,
        group: &Group,
        short: &[u32],
        mark: u32,
    ) -> (Vec<Step>, Result<(), Fault>, bool) {
        self.vector.fill(mark);
        for (slot, value) in group.read_slots().zip(short) {
            self.vector[slot] = *value;
        }
        self.calls += 1;
        let (mut steps, mut has_mark) = (Vec::new(), false);
        let answer = self.worker.successors(&self.vector, group.id, &mut |step| {
            let writes = group.touches.iter().map(|(slot, role)| match role {
                Role::Skip | Role::Read => None,
                Role::Write | Role::ReadWrite => Some(step.target[*slot]),
                Role::MayWrite => {
                    has_mark |= step.target[*slot] == mark;
                    Some(step.target[*slot])
                }
            });
            steps.push(Step {
                writes: writes.collect(),
                label: step.label.to_vec(),
            });
            Flow::Continue
        });
        (steps, answer, has_mark)
    }
}

impl Group {
    fn new(shape: &Shape, id: GroupId, order: &[usize], store: &mut Store<'_>) -> Group {
        let group = &shape.groups[id.index()];
        let role = |slot: usize| {
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
        };
        let roles: Vec<Role> = order.iter().map(|slot| role(*slot)).collect();
        let reads: Vec<Role> = roles.iter().map(|role| reading(*role)).collect();
        let options: Vec<Role> = roles
            .iter()
            .map(|role| match role {
                Role::MayWrite => Role::Read,
                role => reading(*role),
            })
            .collect();
        let reads_slot = |slot: &usize| reading(role(*slot)) == Role::Read;
        let read_slots: Vec<usize> = order.iter().copied().filter(reads_slot).collect();
        let mut guards: Vec<Guard> = Vec::new();
        let mut add = |number: Option<usize>, reads: &SlotSet| {
            let slots = read_slots.iter().copied();
            let slots: Vec<usize> = slots.filter(|slot| reads.contains(*slot)).collect();
            if !group.is_pure || slots.len() >= read_slots.len() {
                return;
            }
            let known = guards.iter_mut().find(|guard| guard.slots == slots);
            if let (Some(guard), Some(number)) = (known, number) {
                guard.numbers.push(number);
                return;
            }
            let in_guard: Vec<Role> = read_slots
                .iter()
                .map(|slot| match reads.contains(*slot) {
                    true => Role::Read,
                    false => Role::Skip,
                })
                .collect();
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
        let first = roles
            .iter()
            .position(|role| *role != Role::Skip)
            .unwrap_or(0);
        let touches = order.iter().copied().zip(roles.iter().copied());
        Group {
            id,
            first,
            touches: touches.filter(|(_, role)| *role != Role::Skip).collect(),
            whole: store.pattern(&roles),
            reads_whole: store.pattern(&reads),
            below: store.pattern(&roles[first.min(roles.len())..]),
            reads_below: store.pattern(&reads[first.min(reads.len())..]),
            guards,
            reads_and_options: store.pattern(&options),
        }
    }

    /// The slots it reads, in the order of levels.
    pub(super) fn read_slots(&self) -> impl Iterator<Item = usize> {
        let touches = self.touches.iter();
        touches.filter_map(|(slot, role)| (reading(*role) == Role::Read).then_some(*slot))
    }

    /// A step as the relation has it.
    fn vector(&self, short: &[u32], step: &Step) -> Vec<u32> {
        let mut vector = Vec::new();
        let mut short = short.iter().copied();
        for ((_, role), write) in self.touches.iter().zip(&step.writes) {
            match role {
                Role::Skip => {}
                Role::Read => vector.extend(short.next()),
                Role::Write => vector.extend(*write),
                Role::ReadWrite => vector.extend(short.next().into_iter().chain(*write)),
                Role::MayWrite => match write {
                    None => vector.push(0),
                    Some(value) => vector.extend([1, *value]),
                },
            }
        }
        vector
    }

    /// Whether steps that differ may be one step in some state: a slot that one of them leaves alone.
    fn may_coincide(&self, steps: &[Step]) -> bool {
        let leaves = |step: &Step| {
            let touches = self.touches.iter().zip(&step.writes);
            touches
                .filter(|((_, role), _)| *role == Role::MayWrite)
                .any(|(_, w)| w.is_none())
        };
        steps.len() > 1 && steps.iter().any(leaves)
    }
}

/// What a projection to the slots that are read does.
fn reading(role: Role) -> Role {
    match role {
        Role::Read | Role::ReadWrite => Role::Read,
        Role::Skip | Role::Write | Role::MayWrite => Role::Skip,
    }
}

impl Relations for Learner<'_> {
    fn depth(&self) -> usize {
        self.depth
    }

    fn groups(&self, level: usize) -> &[usize] {
        &self.by_level[level]
    }

    fn pattern(&self, group: usize) -> PatternId {
        self.groups[group].below
    }

    fn learn(&self, alone: Alone<'_>, group: usize, set: Node) -> Result<Node, Halt> {
        let short = alone.project(set, self.groups[group].reads_below)?;
        self.learn_short(alone, group, short)
    }

    fn relation(&self, group: usize) -> Node {
        self.state().learned[group].known.relation
    }
}
