//! Checks sets of states: labels on short vectors, deadlocks by the domains of guards, faults of groups.
//!
//! Technique: a label is asked once for each short vector of the slots it reads; the states in which it is false
//! are those that match a false short vector. A state is dead when it matches no short vector with a step, or none with a
//! step that leads to another state (`stuttering.rs`), and no label says that it ends properly.
//! Invariant: a state in which a label is undefined is no finding when an earlier label is false in it: the
//! invariant is a conjunction, read from left to right.

use std::ops::Range;

use ldd::{Halt, Node, PatternId, Role, Store};
use num_traits::ToPrimitive;
use pins::{Fault, FaultKind, LabelId, Shape, Truth};

use super::run::{Run, Stopped};
use crate::explicit::{Checks, FindingKind, leave_open};
use pins::Event;

/// Something found, before its states have paths.
pub(super) struct Raw {
    pub(super) kind: FindingKind,
    pub(super) label: Option<LabelId>,
    pub(super) event: Option<Event>,
    pub(super) fault: Option<Fault>,
    /// The states it is about; empty when there are none yet.
    pub(super) states: Node,
    /// The set-up, when there is no state.
    pub(super) setup: Option<usize>,
    /// Steps from an initial state to the states, if that is known.
    pub(super) depth: Option<u32>,
}

/// The labels of a run: those that make findings in the order of reports, then covers, then proper ends.
pub(super) struct Labels {
    list: Vec<Label>,
    ends: Range<usize>,
}

struct Label {
    id: LabelId,
    /// What it is a finding of; proper ends and covers are none.
    kind: Option<FindingKind>,
    /// The slots it reads, in the order of levels.
    slots: Vec<usize>,
    pattern: PatternId,
    asked: Node,
    /// Short vectors with the truth that is looked for.
    found: Node,
    /// Short vectors without truth, and why.
    undefined: Node,
    faults: Vec<(Vec<u32>, Fault)>,
    /// Answers that are not in the diagrams yet.
    pending: [Vec<Vec<u32>>; 3],
}

impl Labels {
    /// The labels that `checks` names.
    pub(super) fn new(
        checks: &Checks,
        shape: &Shape,
        order: &[usize],
        store: &mut Store<'_>,
    ) -> Labels {
        let kinds = [
            (FindingKind::Invariant, checks.invariants.as_slice()),
            (FindingKind::Assertion, checks.assertions.as_slice()),
            (FindingKind::Goal, checks.goal.as_slice()),
        ];
        let mut list = Vec::new();
        for (kind, labels) in kinds {
            list.extend(
                labels
                    .iter()
                    .map(|id| label(*id, Some(kind), shape, order, store)),
            );
        }
        let covers = checks.covers.iter();
        list.extend(covers.map(|id| label(*id, None, shape, order, store)));
        let first_end = list.len();
        let ends = checks.ends.iter();
        list.extend(ends.map(|id| label(*id, None, shape, order, store)));
        let ends = first_end..list.len();
        Labels { list, ends }
    }

    /// The position of a label that is looked for; it is added if it is not there.
    pub(super) fn add(
        &mut self,
        id: LabelId,
        shape: &Shape,
        order: &[usize],
        store: &mut Store<'_>,
    ) -> usize {
        self.list
            .push(label(id, Some(FindingKind::Goal), shape, order, store));
        self.list.len() - 1
    }

    /// The pattern of a label, the short vectors with the truth that is looked for, and those without truth.
    pub(super) fn known(&self, at: usize) -> (PatternId, Node, Node) {
        let label = &self.list[at];
        (label.pattern, label.found, label.undefined)
    }

    /// Why a label has no truth in a state.
    pub(super) fn fault(&self, at: usize, state: &[u32]) -> Option<Fault> {
        let label = &self.list[at];
        let short: Vec<u32> = label.slots.iter().map(|slot| state[*slot]).collect();
        let fault = label.faults.iter().find(|(vector, _)| *vector == short);
        fault.map(|(_, fault)| fault.clone())
    }

    /// What must survive a collection.
    pub(super) fn roots(&self, roots: &mut Vec<Node>) {
        for label in &self.list {
            roots.extend([label.asked, label.found, label.undefined]);
        }
    }
}

fn label(
    id: LabelId,
    kind: Option<FindingKind>,
    shape: &Shape,
    order: &[usize],
    store: &mut Store<'_>,
) -> Label {
    let reads = &shape.labels[id.index()].reads;
    let roles = order.iter().map(|slot| match reads.contains(*slot) {
        true => Role::Read,
        false => Role::Skip,
    });
    let roles: Vec<Role> = roles.collect();
    let slots = order.iter().copied().filter(|slot| reads.contains(*slot));
    Label {
        id,
        kind,
        slots: slots.collect(),
        pattern: store.pattern(&roles),
        asked: Node::EMPTY,
        found: Node::EMPTY,
        undefined: Node::EMPTY,
        faults: Vec::new(),
        pending: Default::default(),
    }
}

impl Label {
    /// The truth that is looked for.
    fn wanted(&self) -> bool {
        matches!(self.kind, None | Some(FindingKind::Goal))
    }
}

impl Run<'_> {
    /// Whether enough was found to end the run.
    pub(super) fn has_enough(&self) -> bool {
        if self.config.finds_all {
            return false;
        }
        let wanted = self.wanted();
        let states = |raw: &Raw| match raw.states.is_empty() {
            true => 1,
            false => self.store.count(raw.states).to_usize().unwrap_or(wanted),
        };
        let mut found = 0;
        self.book.raws.iter().any(|raw| {
            found += states(raw).min(wanted);
            found >= wanted
        })
    }

    /// Checks all labels on new states.
    pub(super) fn check_labels(&mut self, set: Node, depth: Option<u32>) -> Result<(), Stopped> {
        let mut falsified = Node::EMPTY;
        for at in 0..self.labels.list.len() {
            if self.labels.ends.contains(&at) {
                continue;
            }
            // The system notes a cover that is true; only one that has no truth is a finding.
            self.learn_label(at, set, &[falsified])?;
            let label = &self.labels.list[at];
            let (id, pattern, found) = (label.id, label.pattern, label.found);
            if let Some(kind) = label.kind
                && !found.is_empty()
            {
                let states = self.attempt(&[set, falsified], |run| {
                    run.store.matching(set, found, pattern)
                })?;
                self.note(kind, (Some(id), None), None, states, depth);
                if kind != FindingKind::Goal {
                    falsified = self.attempt(&[set, falsified, states], |run| {
                        run.store.union(falsified, states)
                    })?;
                }
            }
            if self.labels.list[at].undefined.is_empty() {
                continue;
            }
            let undefined = self.labels.list[at].undefined;
            let states = self.attempt(&[set, falsified], |run| {
                let states = run.store.matching(set, undefined, pattern)?;
                run.store.minus(states, falsified)
            })?;
            if let Some(first) = self.store.first(states) {
                let fault = self.labels.fault(at, &self.to_slots(&first));
                self.note(FindingKind::Fault, (Some(id), None), fault, states, depth);
            }
        }
        Ok(())
    }

    /// Writes down that something is so in some states.
    fn note(
        &mut self,
        kind: FindingKind,
        (label, event): (Option<LabelId>, Option<Event>),
        fault: Option<Fault>,
        states: Node,
        depth: Option<u32>,
    ) {
        if states.is_empty() {
            return;
        }
        self.book.raws.push(Raw {
            kind,
            label,
            event,
            fault,
            states,
            setup: None,
            depth,
        });
    }

    /// Asks a label about the short vectors of a set that it was not asked about yet.
    pub(super) fn learn_label(
        &mut self,
        at: usize,
        set: Node,
        more: &[Node],
    ) -> Result<(), Stopped> {
        let label = &self.labels.list[at];
        let (pattern, asked) = (label.pattern, label.asked);
        let mut keep = more.to_vec();
        keep.push(set);
        let fresh = self.attempt(&keep, |run| {
            let short = run.store.project(set, pattern)?;
            run.store.minus(short, asked)
        })?;
        if fresh.is_empty() {
            return Ok(());
        }
        let mut vector = vec![0; self.order.len()];
        let label = &mut self.labels.list[at];
        let (book, mut halted, mut calls) = (&mut self.book, Ok(()), 0u64);
        let store = &self.store;
        let mut state = self.learner.state();
        store.for_each(fresh, &mut |short| {
            calls += 1;
            if calls.is_multiple_of(64) {
                halted = store.poll();
            }
            if halted.is_err() {
                return false;
            }
            for (slot, value) in label.slots.iter().zip(short) {
                vector[*slot] = *value;
            }
            let truth = state.worker.label(&vector, label.id);
            if matches!(&truth, Truth::Unknown(fault) if fault.kind == FaultKind::Halted) {
                halted = store.stop();
                return false;
            }
            label.pending[0].push(short.to_vec());
            match truth {
                Truth::True if !label.wanted() => {}
                Truth::False if label.wanted() => {}
                Truth::True | Truth::False => label.pending[1].push(short.to_vec()),
                Truth::Unknown(fault) => leave_open(&mut book.budget, fault),
                Truth::Undefined(fault) => {
                    label.pending[2].push(short.to_vec());
                    label.faults.push((short.to_vec(), fault));
                }
            }
            true
        });
        drop(state);
        book.label_calls += calls;
        let pending = std::mem::take(&mut label.pending);
        let known = [label.asked, label.found, label.undefined];
        let add = |run: &Run<'_>, at: usize| -> Result<Node, Halt> {
            let more = run.store.from_vectors(&mut pending[at].clone())?;
            run.store.union(known[at], more)
        };
        let [asked, found, undefined] =
            self.attempt(&keep, |run| Ok([add(run, 0)?, add(run, 1)?, add(run, 2)?]))?;
        let label = &mut self.labels.list[at];
        (label.asked, label.found, label.undefined) = (asked, found, undefined);
        halted.map_err(|_| Stopped)
    }

    /// States of `set` that have no step, or none that leads away, and do not end properly; every group was asked about
    /// all of them.
    pub(super) fn check_deadlocks(&mut self, set: Node, depth: Option<u32>) -> Result<(), Stopped> {
        if !self.config.checks.deadlock {
            return Ok(());
        }
        let stuttering = self.config.checks.stuttering;
        let mut dead = set;
        for at in 0..self.learner.groups.len() {
            if dead.is_empty() {
                return Ok(());
            }
            let known = self.learner.state().learned[at].known;
            let alive = match stuttering {
                true => known.moving,
                false => known.enabled,
            };
            dead = self.attempt(&[set, dead], |run| {
                let pattern = run.learner.groups[at].reads_whole;
                let store = &run.store;
                let alive = store.matching(dead, alive, pattern)?;
                let dead = store.minus(dead, alive)?;
                let faulty = store.matching(dead, known.faulty, pattern)?;
                store.minus(dead, faulty)
            })?;
        }
        if stuttering {
            dead = self.stuttering(dead, set)?;
        }
        for at in self.labels.ends.clone() {
            self.learn_label(at, dead, &[set])?;
            let (pattern, proper, _) = self.labels.known(at);
            dead = self.attempt(&[set, dead], |run| {
                let proper = run.store.matching(dead, proper, pattern)?;
                run.store.minus(dead, proper)
            })?;
        }
        self.note(FindingKind::Deadlock, (None, None), None, dead, depth);
        Ok(())
    }

    /// States of `set` in which a group faults, as far as that was not told before.
    pub(super) fn check_faults(&mut self, set: Node, depth: Option<u32>) -> Result<(), Stopped> {
        for at in 0..self.learner.groups.len() {
            let faults = self.learner.state().learned[at].faults.clone();
            for (short, fault) in faults.into_iter().skip(self.book.told_faults[at]) {
                if self.book.raws.len() >= self.wanted().saturating_mul(4) {
                    // More than will be reported at any depth.
                    break;
                }
                let pattern = self.learner.groups[at].reads_whole;
                let states = self.attempt(&[set], |run| {
                    let short = run.store.single(&short)?;
                    run.store.matching(set, short, pattern)
                })?;
                let event = Event::Group(self.learner.groups[at].id);
                let kind = match fault.kind {
                    FaultKind::Assertion | FaultKind::Observed => FindingKind::Assertion,
                    _ => FindingKind::Fault,
                };
                self.note(kind, (None, Some(event)), Some(fault), states, depth);
                self.book.told_faults[at] += 1;
            }
        }
        Ok(())
    }
}
