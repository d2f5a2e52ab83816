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
//! Invariant: `relation`, `enabled`, `moving`, `faulty` and `outcomes` are complete for the vectors of `known`.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::sync::{Mutex, MutexGuard, PoisonError};

use ldd::{Alone, Halt, Node, PatternId, Relations, Role, Store};
use pins::{Fault, FaultKind, Flow, GroupId, Notes, Shape, Worker};

use super::groups::{Class, Group, Step};
use super::regroup;
use crate::explicit::leave_open;

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
    /// Short vectors with a step that leads to another state, whatever the slots hold that are not read.
    pub(super) moving: Node,
    /// Short vectors in which the group faults, or could not be evaluated.
    pub(super) faulty: Node,
}

impl Default for Sets {
    fn default() -> Sets {
        Sets {
            asked: Node::EMPTY,
            relation: Node::EMPTY,
            enabled: Node::EMPTY,
            moving: Node::EMPTY,
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
    moving: Vec<Vec<u32>>,
    faulty: Vec<Vec<u32>>,
}

/// Everything that is learned, by whatever thread.
pub(super) struct Learner<'a> {
    pub(super) groups: Vec<Group>,
    /// Groups that are applied together, and have one relation for that; those that begin deepest come first.
    pub(super) classes: Vec<Class>,
    /// The classes that begin at each level.
    by_level: Vec<Vec<usize>>,
    depth: usize,
    counts_outcomes: bool,
    /// Whether it matters that a step leads to another state.
    counts_moves: bool,
    state: Mutex<State<'a>>,
}

/// What changes while learning.
pub(super) struct State<'a> {
    pub(super) worker: Box<dyn Worker + 'a>,
    pub(super) learned: Vec<Learned>,
    /// The relation of each class with several groups: the union of theirs.
    merged: Vec<Node>,
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

/// What has to be learned besides steps.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wanted {
    /// How many steps there are.
    pub(super) outcomes: bool,
    /// Which of them lead to another state.
    pub(super) moves: bool,
    /// Whether groups with equal dependencies are applied together.
    pub(super) merges: bool,
}

/// Two marks, for slots that are not read.
const MARKS: [u32; 2] = [0xffff_fff1, 0xa5c3_9e71];
/// So many questions between two looks at the watcher.
const BATCH: usize = 1024;

impl<'a> Learner<'a> {
    /// Nothing learned; `order` has the slot of each level.
    pub(super) fn new(
        shape: &Shape,
        order: &[usize],
        worker: Box<dyn Worker + 'a>,
        store: &mut Store<'_>,
        wanted: Wanted,
    ) -> Learner<'a> {
        let classes = regroup::classes(shape, wanted.merges).into_iter();
        let classes = classes.map(|members| Class::new(shape, members, order, store));
        let mut classes: Vec<Class> = classes.collect();
        classes.sort_by_key(|class| Reverse(class.first));
        let mut groups: Vec<Option<Group>> = shape.groups.iter().map(|_| None).collect();
        for (number, class) in classes.iter().enumerate() {
            for member in &class.members {
                let id = GroupId::new(*member);
                groups[*member] = Some(Group::new(shape, id, number, class, order, store));
            }
        }
        let groups: Vec<Group> = groups.into_iter().flatten().collect();
        let mut by_level = vec![Vec::new(); order.len()];
        for (at, class) in classes.iter().enumerate() {
            if let Some(list) = by_level.get_mut(class.first) {
                list.push(at);
            }
        }
        Learner {
            by_level,
            depth: order.len(),
            counts_outcomes: wanted.outcomes,
            counts_moves: wanted.moves,
            state: Mutex::new(State {
                worker,
                learned: groups.iter().map(Learned::of).collect(),
                merged: vec![Node::EMPTY; classes.len()],
                calls: 0,
                guard_calls: 0,
                budget: (0, None),
                notes: Notes::default(),
                stops_at_fault: false,
                vector: vec![0; order.len()],
            }),
            groups,
            classes,
        }
    }

    /// What changes. A panic of another thread left nothing half done that matters.
    pub(super) fn state(&self) -> MutexGuard<'_, State<'a>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What must survive a collection.
    pub(super) fn roots(&self, roots: &mut Vec<Node>) {
        let state = self.state();
        roots.extend(&state.merged);
        for learned in &state.learned {
            let Sets {
                asked,
                relation,
                enabled,
                moving,
                faulty,
            } = learned.known;
            roots.extend([asked, relation, enabled, moving, faulty]);
            roots.extend(learned.guards.iter().flatten());
            roots.extend(learned.outcomes.values());
        }
    }

    /// The relation of a class, complete for these short vectors.
    pub(super) fn learn_short(
        &self,
        alone: Alone<'_>,
        class: usize,
        short: Node,
    ) -> Result<Node, Halt> {
        let mut state = self.state();
        for group in &self.classes[class].members {
            self.learn_group(alone, &mut state, *group, short)?;
        }
        Ok(self.relation_of(&state, class))
    }

    /// The relation of a class as far as it was learned.
    fn relation_of(&self, state: &State<'_>, class: usize) -> Node {
        match self.classes[class].members.as_slice() {
            [group] => state.learned[*group].known.relation,
            _ => state.merged[class],
        }
    }

    /// Completes what is known of a group for these short vectors.
    fn learn_group(
        &self,
        alone: Alone<'_>,
        state: &mut State<'_>,
        group: usize,
        short: Node,
    ) -> Result<(), Halt> {
        if !state.learned[group].pending.is_empty() {
            self.settle(alone, state, group)?;
        }
        let fresh = alone.minus(short, state.learned[group].known.asked)?;
        if fresh.is_empty() {
            return Ok(());
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
        Ok(())
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
        let class = self.groups[group].class;
        let mut merged = state.merged[class];
        if self.classes[class].members.len() > 1 {
            merged = add(merged, &mut pending.relation)?;
        }
        sets.relation = add(sets.relation, &mut pending.relation)?;
        sets.faulty = add(sets.faulty, &mut pending.faulty)?;
        sets.moving = add(sets.moving, &mut pending.moving)?;
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
        state.merged[class] = merged;
        learned.outcomes.extend(counted);
        learned.pending = Pending::default();
        Ok(())
    }

    /// Asks a group about one short vector; `false` when the evaluation was halted.
    fn ask(&self, state: &mut State<'_>, at: usize, short: &[u32]) -> bool {
        let group = &self.groups[at];
        let (steps, answer) = state.answer(group, short);
        if matches!(&answer, Err(fault) if fault.kind == FaultKind::Halted) {
            return false;
        }
        let learned = &mut state.learned[at];
        let pending = &mut learned.pending;
        pending.asked.push(short.to_vec());
        if !steps.is_empty() {
            pending.enabled.push((steps.len() as u64, short.to_vec()));
        }
        if self.counts_moves && steps.iter().any(|step| group.moves(short, step)) {
            pending.moving.push(short.to_vec());
        }
        for step in &steps {
            pending.relation.push(group.vector(short, step));
        }
        if let Err(fault) = answer {
            pending.faulty.push(short.to_vec());
            if fault.kind.leaves_open() {
                leave_open(&mut state.budget, fault);
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
    /// The steps of a group for a short vector, and its fault; what a step leaves alone it does not write.
    pub(super) fn answer(
        &mut self,
        group: &Group,
        short: &[u32],
    ) -> (Vec<Step>, Result<(), Fault>) {
        let (mut steps, answer, has_mark) = self.steps(group, short, MARKS[0]);
        if has_mark {
            let (other, _, _) = self.steps(group, short, MARKS[1]);
            for (step, other) in steps.iter_mut().zip(other) {
                let touches = group.touches.iter().zip(&mut step.writes).zip(other.writes);
                for ((touch, write), other) in touches {
                    let marks = (*write == Some(MARKS[0]), other == Some(MARKS[1]));
                    if touch.own == Role::MayWrite && marks == (true, true) {
                        *write = None;
                    }
                }
            }
        }
        (steps, answer)
    }

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
            let writes = group.touches.iter().map(|touch| match touch.own {
                Role::Skip | Role::Read => None,
                Role::Write | Role::ReadWrite => Some(step.target[touch.slot]),
                Role::MayWrite => {
                    has_mark |= step.target[touch.slot] == mark;
                    Some(step.target[touch.slot])
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

impl Relations for Learner<'_> {
    fn depth(&self) -> usize {
        self.depth
    }

    fn groups(&self, level: usize) -> &[usize] {
        &self.by_level[level]
    }

    fn pattern(&self, class: usize) -> PatternId {
        self.classes[class].below
    }

    fn learn(&self, alone: Alone<'_>, class: usize, set: Node) -> Result<Node, Halt> {
        let short = alone.project(set, self.classes[class].reads_below)?;
        self.learn_short(alone, class, short)
    }

    fn relation(&self, class: usize) -> Node {
        self.relation_of(&self.state(), class)
    }
}
