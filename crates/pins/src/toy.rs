//! Small systems with known counts, on which wrappers and engines are tested and measured.
//!
//! Invariant: every toy obeys the laws (there is a test), so a broken count is the engine's fault.

use base::Name;

use crate::shape::{Group, GroupId, Label, LabelId, LabelKind, Shape, Slot, SlotSet};
use crate::system::{Fault, FaultKind, Flow, Notes, Step, System, Truth, Worker, group_by_group};

/// Emits one step: the label words, then the target.
pub type EmitStep<'a> = dyn FnMut(&[u32], &[u32]) -> Flow + 'a;

/// The successors of a state for one group; the vector is scratch space for the target.
pub type Successors =
    dyn Fn(&[u32], usize, &mut Vec<u32>, &mut EmitStep<'_>) -> Result<(), Fault> + Sync + Send;

/// The truth of a label.
pub type LabelTruth = dyn Fn(&[u32], usize) -> Truth + Sync + Send;

/// A system made of closures.
pub struct Toy {
    /// The static picture.
    pub shape: Shape,
    /// The set-ups; one vector of zeros when the shape has none.
    pub setups: Vec<Vec<u32>>,
    /// The initial states of each set-up.
    pub initial: Vec<Vec<Vec<u32>>>,
    /// The steps.
    pub successors: Box<Successors>,
    /// The labels.
    pub truth: Box<LabelTruth>,
}

/// A [`Toy`] without set-ups that starts in one state and has no labels.
pub fn toy(
    slots: usize,
    initial: Vec<u32>,
    groups: Vec<Group>,
    successors: Box<Successors>,
) -> Toy {
    let slots = (0..slots).map(|i| Slot {
        name: Name::new(&format!("x{i}")),
        is_constant: false,
    });
    let slots: Vec<Slot> = slots.collect();
    Toy {
        setups: vec![vec![0; slots.len()]],
        initial: vec![vec![initial]],
        shape: Shape {
            slots,
            groups,
            has_setup: false,
            ..Shape::default()
        },
        successors,
        truth: Box::new(|_, _| Truth::True),
    }
}

/// A group by name, slots read and slots written (all of them always).
pub fn group(name: &str, reads: &[usize], writes: &[usize]) -> Group {
    Group {
        name: Name::new(name),
        reads: slot_set(reads),
        may_write: slot_set(writes),
        must_write: slot_set(writes),
        is_pure: true,
    }
}

/// A label by kind, name and slots read.
pub fn label(kind: LabelKind, name: &str, reads: &[usize]) -> Label {
    Label {
        kind,
        name: Name::new(name),
        reads: slot_set(reads),
        span: None,
    }
}

fn slot_set(slots: &[usize]) -> SlotSet {
    let mut set = SlotSet::new();
    for slot in slots {
        set.insert(*slot);
    }
    set
}

/// Independent counters that each run from 0 to `values - 1`: `values ^ slots` states. The last state goes
/// back to the first, so there is no deadlock. Label `i` says that counter `i` stays in its range.
pub fn counters(slots: usize, values: u32) -> Toy {
    let all: Vec<usize> = (0..slots).collect();
    let mut groups: Vec<Group> = all
        .iter()
        .map(|i| group(&format!("count{i}"), &[*i], &[*i]))
        .collect();
    groups.push(group("reset", &all, &all));
    let mut counters = toy(
        slots,
        vec![0; slots],
        groups,
        Box::new(move |state, group, target, emit| {
            if group < slots {
                if state[group] + 1 < values {
                    target.clear();
                    target.extend_from_slice(state);
                    target[group] += 1;
                    emit(&[], target);
                }
            } else if state.iter().all(|value| value + 1 == values) {
                target.clear();
                target.resize(slots, 0);
                emit(&[], target);
            }
            Ok(())
        }),
    );
    counters.shape.labels = all
        .iter()
        .map(|i| label(LabelKind::Invariant, &format!("range{i}"), &[*i]))
        .collect();
    counters.truth = Box::new(move |state, label| truth(state[label] < values));
    counters
}

/// Dining philosophers who take the left fork first: the deadlock is `n` steps away.
/// Slot `i` is philosopher `i` (0 thinks, 1 has the left fork, 2 eats).
pub fn philosophers(n: usize) -> Toy {
    let mut groups = Vec::new();
    for i in 0..n {
        let (left, right) = ((i + n - 1) % n, (i + 1) % n);
        groups.push(group(&format!("left{i}"), &[i, left], &[i]));
        groups.push(group(&format!("right{i}"), &[i, right], &[i]));
        groups.push(group(&format!("down{i}"), &[i], &[i]));
    }
    let mut table = toy(
        n,
        vec![0; n],
        groups,
        Box::new(move |state, group, target, emit| {
            let i = group / 3;
            let (left, right) = ((i + n - 1) % n, (i + 1) % n);
            // Fork i lies between i - 1 and i; it is the left one of i and the right one of i - 1.
            let step = match group % 3 {
                0 => state[i] == 0 && state[left] != 2,
                1 => state[i] == 1 && state[right] == 0,
                _ => state[i] == 2,
            };
            if step {
                target.clear();
                target.extend_from_slice(state);
                target[i] = (state[i] + 1) % 3;
                emit(&[], target);
            }
            Ok(())
        }),
    );
    for i in 0..n {
        let name = format!("neighbours{i}");
        let reads = [i, (i + 1) % n];
        table
            .shape
            .labels
            .push(label(LabelKind::Invariant, &name, &reads));
    }
    table.truth =
        Box::new(move |state, label| truth(!(state[label] == 2 && state[(label + 1) % n] == 2)));
    table
}

/// What a random graph is like.
#[derive(Clone, Copy, Debug)]
pub struct Sparse {
    /// Nodes that could be reached.
    pub nodes: u32,
    /// Groups; each gives up to two steps from a node.
    pub groups: u32,
    /// Set-ups; 0 for a system without.
    pub setups: u32,
    /// One in so many (node, group) faults; 0 for never.
    pub fault_in: u32,
    /// One in so many nodes violates the invariant; 0 for never.
    pub violation_in: u32,
    /// Selects the graph.
    pub seed: u64,
}

/// A random sparse graph: slots are the set-up, a low and a high part of the node, and a slot that some groups
/// overwrite and nothing reads. Some nodes are deadlocks.
/// Label 0 is the invariant on the node, label 1 one on the last slot, label 2 a goal, label 3 on the set-up.
pub fn sparse(graph: Sparse) -> Toy {
    let Sparse { nodes, seed, .. } = graph;
    let random = move |what: u64, node: u32, salt: u64| {
        let mut x =
            seed ^ what.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ u64::from(node) << 20 ^ salt << 52;
        x = (x ^ x >> 31).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ x >> 29).wrapping_mul(0x94d0_49bb_1331_11eb);
        (x ^ x >> 32) as u32
    };
    let node = |state: &[u32]| state[1] | state[2] << 4;
    let groups = (0..graph.groups).map(|g| {
        let mut group = group(&format!("g{g}"), &[0, 1, 2], &[1, 2]);
        if g % 3 == 0 {
            group.may_write.insert(3);
        }
        group
    });
    let start = |setup: u32| {
        let from = random(1, setup, 0) % nodes;
        let more = random(2, setup, 0) % 3;
        (0..more.max(1))
            .map(move |i| (from + i * 7) % nodes)
            .map(move |n| vec![setup, n & 15, n >> 4, 0])
            .collect::<Vec<_>>()
    };
    let mut sparse = toy(
        4,
        vec![],
        groups.collect(),
        Box::new(move |state, group, target, emit| {
            let (from, what) = (node(state), group as u64 + 10);
            let mut last = None;
            for i in 0..random(what, from, 1) % 3 {
                // Nearby nodes are more likely: graphs with many levels.
                let step = random(what, from, 2 + u64::from(i)) % 9 + u64::from(state[0]) as u32;
                let to = (from + step * step) % nodes;
                let writes = group % 3 == 0 && step.is_multiple_of(2);
                if last == Some((to, writes)) {
                    continue;
                }
                last = Some((to, writes));
                target.clear();
                target.extend_from_slice(state);
                (target[1], target[2]) = (to & 15, to >> 4);
                if writes {
                    target[3] = to % 2;
                }
                if emit(&[step, u32::from(writes)], target) == Flow::Stop {
                    return Ok(());
                }
            }
            if graph.fault_in > 0 && random(what, from, 9) % graph.fault_in == 0 {
                return Err(undefined(&format!("group {group} at node {from}")));
            }
            Ok(())
        }),
    );
    let setups = 0..graph.setups.max(1);
    sparse.initial = setups.clone().map(start).collect();
    sparse.setups = setups.map(|setup| vec![setup, 0, 0, 0]).collect();
    sparse.shape.has_setup = graph.setups > 0;
    sparse.shape.slots[0].is_constant = true;
    sparse.shape.labels = vec![
        label(LabelKind::Invariant, "node", &[1, 2]),
        label(LabelKind::Assertion, "last", &[3]),
        label(LabelKind::Goal, "goal", &[1, 2]),
        label(LabelKind::Assertion, "setup", &[0]),
    ];
    sparse.truth = Box::new(move |state, label| match label {
        0 if graph.violation_in > 0 => truth(random(3, node(state), 0) % graph.violation_in != 0),
        1 => truth(state[3] < 2),
        2 => truth(node(state) == nodes - 1),
        3 => truth(state[0] != 5),
        _ => Truth::True,
    });
    sparse
}

fn truth(holds: bool) -> Truth {
    if holds { Truth::True } else { Truth::False }
}

/// A fault for tests.
pub fn undefined(message: &str) -> Fault {
    Fault {
        kind: FaultKind::Undefined,
        span: None,
        message: message.to_string(),
    }
}

impl System for Toy {
    fn shape(&self) -> &Shape {
        &self.shape
    }

    fn worker(&self) -> Box<dyn Worker + '_> {
        Box::new(ToyWorker {
            toy: self,
            target: Vec::new(),
        })
    }
}

struct ToyWorker<'a> {
    toy: &'a Toy,
    target: Vec<u32>,
}

impl Worker for ToyWorker<'_> {
    fn setups(&mut self, emit: &mut dyn FnMut(&[u32]) -> Flow) -> Result<(), Fault> {
        for setup in &self.toy.setups {
            if emit(setup) == Flow::Stop {
                break;
            }
        }
        Ok(())
    }

    fn initial(
        &mut self,
        setup: &[u32],
        emit: &mut dyn FnMut(&[u32]) -> Flow,
    ) -> Result<(), Fault> {
        let at = self.toy.setups.iter().position(|known| known == setup);
        for state in at.map_or(&[][..], |at| &self.toy.initial[at]) {
            if emit(state) == Flow::Stop {
                break;
            }
        }
        Ok(())
    }

    fn successors(
        &mut self,
        state: &[u32],
        group: GroupId,
        emit: &mut dyn FnMut(Step<'_>) -> Flow,
    ) -> Result<(), Fault> {
        let emit = &mut |label: &[u32], target: &[u32]| emit(Step { label, target });
        (self.toy.successors)(state, group.index(), &mut self.target, emit)
    }

    fn all_successors(
        &mut self,
        state: &[u32],
        emit: &mut dyn FnMut(GroupId, Step<'_>) -> Flow,
        fault: &mut dyn FnMut(GroupId, Fault),
    ) {
        let groups = self.toy.shape.groups.len();
        let ask =
            |group, emit: &mut dyn FnMut(Step<'_>) -> Flow| self.successors(state, group, emit);
        group_by_group(groups, ask, emit, fault);
    }

    fn label(&mut self, state: &[u32], label: LabelId) -> Truth {
        (self.toy.truth)(state, label.index())
    }

    fn take_notes(&mut self) -> Notes {
        Notes::default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::laws::check_laws;

    #[test]
    fn toys_obey_the_laws() {
        check_laws(&counters(3, 4), 200).unwrap();
        check_laws(&philosophers(4), 200).unwrap();
        for seed in 0..20 {
            let graph = Sparse {
                nodes: 90,
                groups: 5,
                setups: seed as u32 % 4,
                fault_in: 11,
                violation_in: 9,
                seed,
            };
            check_laws(&sparse(graph), 200).unwrap();
        }
    }
}
