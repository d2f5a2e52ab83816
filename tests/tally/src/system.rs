//! The evaluator that searches: every sum becomes a linear form over cells of the state vector.
//!
//! As a whole, a counter has one slot, and the workers' values are digits of four bits in it: such states can be
//! permuted. In parts, every worker has a slot of its own, and every cast of an event is a group of its own: such states
//! suit decision diagrams and partial order reduction.

use std::any::Any;

use base::Name;
use pins::{
    Enabling, Fault, FaultKind, Flow, Group, GroupId, Guard, LabelId, LabelPart, Notes, Permute,
    Shape, Slot, SlotSet, Sort, System, Truth, View, Worker, group_by_group,
};
use subject::{ComponentId, EventId, Ground, Value};

use crate::linear::{Cell, Compiled, Condition, DIGIT, Linear};
use crate::model::{Atom, Comparison, Event, LARGEST, Model, Predicate, Sum, Whose};
use crate::value::Amount;

/// An event with those who take part.
struct Instance {
    cast: Vec<u32>,
    guard: Vec<Condition>,
    /// The new value of each cell, and the fault of one that is outside its range.
    updates: Vec<(Cell, Linear, Fault)>,
}

/// A compiled model.
pub(crate) struct Net {
    shape: Shape,
    /// The counter of each slot.
    counters: Vec<usize>,
    /// For each counter its cells: one, or one for each worker.
    cells: Vec<Vec<Cell>>,
    /// Whether each counter is one for each worker.
    is_own: Vec<bool>,
    start: Vec<u32>,
    /// For each group its event and instances.
    groups: Vec<(usize, Vec<Instance>)>,
    guards: Vec<Condition>,
    labels: Vec<Compiled>,
    sorts: Option<Vec<Sort>>,
}

impl Net {
    /// Compiles a model with these labels, in parts or as a whole.
    pub(crate) fn new(model: &Model, labels: Vec<(pins::Label, &Predicate)>, parts: bool) -> Net {
        let mut net = Net {
            shape: Shape::default(),
            counters: Vec::new(),
            cells: Vec::new(),
            is_own: model
                .counters
                .iter()
                .map(|counter| counter.is_own)
                .collect(),
            start: Vec::new(),
            groups: Vec::new(),
            guards: Vec::new(),
            labels: Vec::new(),
            sorts: None,
        };
        for (id, counter) in model.counters.iter().enumerate() {
            let count = if counter.is_own { model.workers } else { 1 };
            let slots = if parts { count } else { 1 };
            for worker in 0..slots {
                let name = match slots {
                    1 => counter.name,
                    _ => Name::new(&format!("{}.{}", counter.name, worker + 1)),
                };
                net.shape.slots.push(Slot {
                    name,
                    is_constant: false,
                });
                net.counters.push(id);
                net.start.push(0);
            }
            let first = net.counters.len() - slots;
            let cell = |at: usize| match parts {
                true => Cell {
                    slot: first + at,
                    shift: 0,
                },
                false => Cell {
                    slot: first,
                    shift: 4 * at as u32,
                },
            };
            let cells: Vec<Cell> = (0..count).map(cell).collect();
            cells
                .iter()
                .for_each(|cell| cell.set(&mut net.start, counter.start));
            net.cells.push(cells);
        }
        for (id, event) in model.events.iter().enumerate() {
            let casts = model.casts(event).into_iter();
            let instances: Vec<Instance> = casts
                .map(|cast| net.instance(model, event, &cast))
                .collect();
            match parts {
                true => instances
                    .into_iter()
                    .for_each(|one| net.group(event, id, vec![one], parts)),
                false => net.group(event, id, instances, parts),
            }
        }
        for (mut label, predicate) in labels {
            let compiled = net.compile(predicate);
            label.reads = compiled.reads();
            net.shape.labels.push(label);
            net.labels.push(compiled);
        }
        net
    }

    /// The same with workers that can be exchanged when they are of one class.
    pub(crate) fn permuted(mut self, classes: &[u32]) -> Net {
        let classes = classes.to_vec();
        self.sorts = Some(vec![Sort {
            name: Name::new("workers"),
            first: 0,
            classes,
        }]);
        self
    }

    fn linear(&self, sum: &Sum, cast: &[usize]) -> Linear {
        let mut linear = Linear::default();
        for (sign, atom) in sum {
            match *atom {
                Atom::Number(number) => linear.constant += sign * number,
                Atom::Name(at) => linear.names.push((*sign, at)),
                Atom::Counter(id, whose) => {
                    let cells = &self.cells[id];
                    let cells = match whose {
                        Whose::Shared | Whose::Everybodys => &cells[..],
                        Whose::Mine => &cells[cast[0]..=cast[0]],
                        Whose::Partners => &cells[cast[1]..=cast[1]],
                        Whose::Worker(worker) => &cells[worker..=worker],
                    };
                    linear.cells.extend(cells.iter().map(|cell| (*sign, *cell)));
                }
            }
        }
        linear
    }

    fn condition(&self, one: &Comparison, cast: &[usize]) -> Condition {
        let mut both = one.left.clone();
        both.extend(one.right.iter().map(|(sign, atom)| (-sign, *atom)));
        Condition {
            difference: self.linear(&both, cast),
            relation: one.relation,
        }
    }

    /// A predicate outside events, over this net's states.
    pub(crate) fn compile(&self, predicate: &Predicate) -> Compiled {
        let all = |all: &Vec<Comparison>| all.iter().map(|one| self.condition(one, &[])).collect();
        Compiled(predicate.iter().map(all).collect())
    }

    /// A sum outside events, over this net's states.
    pub(crate) fn compile_sum(&self, sum: &Sum) -> Linear {
        self.linear(sum, &[])
    }

    fn instance(&self, model: &Model, event: &Event, cast: &[usize]) -> Instance {
        let updates = event.updates.iter().map(|update| {
            let target = self.linear(
                &vec![(1, Atom::Counter(update.counter, update.whose))],
                cast,
            );
            let fault = Fault {
                kind: FaultKind::Undefined,
                span: Some(update.span),
                message: format!(
                    "{} would leave 0..{LARGEST}",
                    model.counters[update.counter].name
                ),
            };
            (target.cells[0].1, self.linear(&update.value, cast), fault)
        });
        Instance {
            cast: cast.iter().map(|worker| *worker as u32 + 1).collect(),
            guard: event
                .guard
                .iter()
                .map(|one| self.condition(one, cast))
                .collect(),
            updates: updates.collect(),
        }
    }

    fn group(&mut self, event: &Event, id: usize, instances: Vec<Instance>, parts: bool) {
        let group = GroupId::new(self.groups.len());
        let (mut reads, mut writes, mut enabling) =
            (SlotSet::new(), SlotSet::new(), SlotSet::new());
        for instance in &instances {
            instance
                .guard
                .iter()
                .for_each(|one| one.reads(&mut enabling));
            for (target, value, _) in &instance.updates {
                writes.insert(target.slot);
                value
                    .cells
                    .iter()
                    .for_each(|(_, cell)| reads.insert(cell.slot));
                if !parts {
                    // The digits of the others stay.
                    reads.insert(target.slot);
                }
            }
        }
        reads.union_with(&enabling);
        // Of several instances no condition is one of the group.
        if let [instance] = &instances[..] {
            for condition in &instance.guard {
                let mut reads = SlotSet::new();
                condition.reads(&mut reads);
                self.shape.guards.push(Guard {
                    group,
                    reads,
                    is_total: true,
                    equals: None,
                });
                self.guards.push(condition.clone());
            }
        }
        self.shape.guard_reads.push(enabling.clone());
        self.shape.enabling.push(Enabling {
            reads: enabling,
            may_fault: true,
        });
        self.shape.groups.push(Group {
            name: event.name,
            reads,
            may_write: writes.clone(),
            must_write: writes,
            is_pure: true,
        });
        self.groups.push((id, instances));
    }
}

impl System for Net {
    fn shape(&self) -> &Shape {
        &self.shape
    }

    fn worker(&self) -> Box<dyn Worker + '_> {
        Box::new(Steps {
            net: self,
            target: Vec::new(),
        })
    }

    fn symmetry(&self) -> Option<&dyn Permute> {
        self.sorts.as_ref().map(|_| self as &dyn Permute)
    }
}

struct Steps<'a> {
    net: &'a Net,
    target: Vec<u32>,
}

impl Worker for Steps<'_> {
    fn setups(&mut self, emit: &mut dyn FnMut(&[u32]) -> Flow) -> Result<(), Fault> {
        emit(&vec![0; self.net.start.len()]);
        Ok(())
    }

    fn initial(&mut self, _: &[u32], emit: &mut dyn FnMut(&[u32]) -> Flow) -> Result<(), Fault> {
        emit(&self.net.start);
        Ok(())
    }

    fn successors(
        &mut self,
        state: &[u32],
        group: GroupId,
        emit: &mut dyn FnMut(pins::Step<'_>) -> Flow,
    ) -> Result<(), Fault> {
        // A fault of one cast does not keep the others from acting, so that exchanged workers have exchanged steps.
        let mut met = Ok(());
        for instance in &self.net.groups[group.index()].1 {
            if !instance.guard.iter().all(|one| one.holds(state, &[])) {
                continue;
            }
            self.target.clear();
            self.target.extend_from_slice(state);
            let mut fault = None;
            for (cell, value, outside) in &instance.updates {
                let value = value.value(state, &[]);
                match (0..=LARGEST).contains(&value) {
                    true => cell.set(&mut self.target, value),
                    false => fault = fault.or(Some(outside)),
                }
            }
            match fault {
                Some(fault) => met = met.and(Err(fault.clone())),
                None => {
                    let step = pins::Step {
                        label: &instance.cast,
                        target: &self.target,
                    };
                    if emit(step) == Flow::Stop {
                        return Ok(());
                    }
                }
            }
        }
        met
    }

    fn all_successors(
        &mut self,
        state: &[u32],
        emit: &mut dyn FnMut(GroupId, pins::Step<'_>) -> Flow,
        fault: &mut dyn FnMut(GroupId, Fault),
    ) {
        let groups = self.net.groups.len();
        group_by_group(
            groups,
            |group, emit| self.successors(state, group, emit),
            emit,
            fault,
        );
    }

    fn may_happen(&mut self, state: &[u32], group: GroupId) -> bool {
        let mut instances = self.net.groups[group.index()].1.iter();
        instances.any(|instance| instance.guard.iter().all(|one| one.holds(state, &[])))
    }

    fn guard(&mut self, state: &[u32], guard: usize) -> bool {
        self.net.guards[guard].holds(state, &[])
    }

    fn label(&mut self, state: &[u32], label: LabelId) -> Truth {
        match self.net.labels[label.index()].holds(state, &[]) {
            true => Truth::True,
            false => Truth::False,
        }
    }

    fn take_notes(&mut self) -> Notes {
        Notes::default()
    }

    fn go_past_faults(&mut self) -> bool {
        true
    }
}

impl Permute for Net {
    fn sorts(&self) -> &[Sort] {
        self.sorts.as_deref().unwrap_or_default()
    }

    fn moves(&self, slot: usize) -> bool {
        self.is_own[self.counters[slot]]
    }

    fn permute(&self, slot: usize, word: u32, images: &[u32]) -> u32 {
        let (old, mut new) = ([word], [0]);
        for (worker, cell) in self.cells[self.counters[slot]].iter().enumerate() {
            let value = Cell { slot: 0, ..*cell }.get(&old);
            Cell {
                slot: 0,
                shift: 4 * images[worker],
            }
            .set(&mut new, value);
        }
        new[0]
    }

    fn permute_label(&self, _group: GroupId, label: &[u32], images: &[u32]) -> Vec<u32> {
        label
            .iter()
            .map(|worker| images[*worker as usize - 1] + 1)
            .collect()
    }

    fn label_part(&self, _group: GroupId, _position: usize, word: u32) -> LabelPart {
        LabelPart::Point(word - 1)
    }

    fn view(&self, slot: usize, word: u32, view: &mut dyn View) -> bool {
        let workers = self.cells[self.counters[slot]].len();
        view.set(workers);
        for worker in 0..workers as u32 {
            view.tuple(2);
            view.point(worker);
            view.atom(&[u64::from(word >> (4 * worker) & DIGIT)]);
        }
        true
    }
}

impl Ground for Net {
    fn system(&self) -> &dyn System {
        self
    }

    fn values(&self, state: &[u32]) -> Vec<Option<Value>> {
        let values = self.cells.iter().zip(&self.is_own).map(|(cells, is_own)| {
            Some(Value::new(match is_own {
                true => Amount::Each(cells.iter().map(|cell| cell.get(state)).collect()),
                false => Amount::Number(cells[0].get(state)),
            }))
        });
        values.collect()
    }

    fn constants(&self, _setup: &[u32]) -> Vec<Option<Value>> {
        vec![None; self.cells.len()]
    }

    fn event(&self, group: GroupId) -> EventId {
        EventId::new(self.groups[group.index()].0)
    }

    fn words(&self, _group: GroupId, words: &[u32]) -> (Vec<Option<Value>>, Vec<Option<Value>>) {
        let words = words.iter();
        let workers = words.map(|word| Some(Value::new(Amount::Number(i64::from(*word)))));
        (workers.collect(), Vec::new())
    }

    fn component(&self, slot: usize) -> ComponentId {
        ComponentId::new(self.counters[slot])
    }

    fn as_any(&self) -> &dyn Any {
        self
    }
}
