//! Small random systems whose groups read and write a few slots, as a claim about reductions needs them.

use base::Name;
use pins::{
    Enabling, Fault, FaultKind, Flow, Group, GroupId, Guard, Label, LabelId, LabelKind, Notes,
    Shape, Slot, SlotSet, Step, System, Truth, Worker, group_by_group,
};

/// Values of a slot.
const VALUES: u32 = 3;

struct Random(u64);

impl Random {
    fn below(&mut self, bound: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as u32 % bound
    }
}

/// A group: a guard on one slot, then outcomes that depend on the slots it reads.
struct Rule {
    guard: Option<(usize, u32)>,
    reads: Vec<usize>,
    writes: Vec<usize>,
    outcomes: u32,
    /// One in so many answers is a fault or nothing; 0 for none.
    faults: u32,
    nothing: u32,
    seed: u64,
}

pub struct Universe {
    pub shape: Shape,
    rules: Vec<Rule>,
    pub initial: Vec<u32>,
    pub labels: Vec<(Vec<usize>, u64)>,
}

fn slots(list: &[usize]) -> SlotSet {
    let mut set = SlotSet::new();
    list.iter().for_each(|slot| set.insert(*slot));
    set
}

fn hash(seed: u64, state: &[u32], reads: &[usize], more: u32) -> u32 {
    let mut value = seed ^ u64::from(more).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    for slot in reads {
        value = (value ^ u64::from(state[*slot] + 1)).wrapping_mul(0x2545_f491_4f6c_dd1d);
        value ^= value >> 29;
    }
    (value >> 35) as u32
}

pub fn universe(seed: u64, faults: bool) -> Universe {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    for _ in 0..5 {
        random.below(2);
    }
    let width = 2 + random.below(4) as usize;
    let pick = |random: &mut Random, most: u32| -> Vec<usize> {
        let count = random.below(most + 1);
        let mut list: Vec<usize> = (0..count)
            .map(|_| random.below(width as u32) as usize)
            .collect();
        list.sort_unstable();
        list.dedup();
        list
    };
    let mut rules = Vec::new();
    for _ in 0..2 + random.below(5) {
        let guard = (random.below(3) > 0)
            .then(|| (random.below(width as u32) as usize, random.below(VALUES)));
        let mut reads = pick(&mut random, 2);
        let writes = pick(&mut random, 2);
        if let Some((slot, _)) = guard
            && !reads.contains(&slot)
            && random.below(2) == 0
        {
            reads.push(slot);
        }
        rules.push(Rule {
            guard,
            reads,
            writes,
            outcomes: 1 + random.below(2),
            faults: if faults && random.below(3) == 0 { 6 } else { 0 },
            nothing: random.below(3) * 2,
            seed: u64::from(random.below(u32::MAX)) << 7 | 1,
        });
    }
    let initial = (0..width).map(|_| random.below(VALUES)).collect();
    let labels: Vec<(Vec<usize>, u64)> = (0..1 + random.below(2))
        .map(|_| {
            let mut reads = pick(&mut random, 2);
            if reads.is_empty() {
                reads.push(0);
            }
            (reads, u64::from(random.below(u32::MAX)) << 9 | 1)
        })
        .collect();
    let shape = shape(width, &rules, &labels);
    Universe {
        shape,
        rules,
        initial,
        labels,
    }
}

/// What rules and labels read and write.
fn shape(width: usize, rules: &[Rule], labels: &[(Vec<usize>, u64)]) -> Shape {
    let mut shape = Shape {
        slots: (0..width)
            .map(|slot| Slot {
                name: Name::new(&format!("x{slot}")),
                is_constant: false,
            })
            .collect(),
        ..Shape::default()
    };
    for (at, rule) in rules.iter().enumerate() {
        let mut reads = rule.reads.clone();
        reads.extend(rule.guard.map(|(slot, _)| slot));
        shape.groups.push(Group {
            name: Name::new(&format!("g{at}")),
            reads: slots(&reads),
            may_write: slots(&rule.writes),
            must_write: SlotSet::new(),
            is_pure: true,
        });
        let mut deciding: Vec<usize> = rule.guard.iter().map(|(slot, _)| *slot).collect();
        if rule.nothing > 0 {
            deciding.extend(&rule.reads);
        }
        shape.enabling.push(Enabling {
            reads: slots(&deciding),
            may_fault: rule.faults > 0,
        });
        if let Some((slot, word)) = rule.guard {
            shape.guards.push(Guard {
                group: GroupId::new(at),
                reads: slots(&[slot]),
                is_total: true,
                equals: Some((slot, word)),
            });
        }
    }
    for (at, (reads, _)) in labels.iter().enumerate() {
        shape.labels.push(Label {
            kind: LabelKind::Invariant,
            name: Name::new(&format!("inv{at}")),
            reads: slots(reads),
            span: None,
        });
    }
    shape
}

impl System for Universe {
    fn shape(&self) -> &Shape {
        &self.shape
    }

    fn worker(&self) -> Box<dyn Worker + '_> {
        Box::new(Asked(self))
    }
}

struct Asked<'u>(&'u Universe);

impl Worker for Asked<'_> {
    fn setups(&mut self, emit: &mut dyn FnMut(&[u32]) -> Flow) -> Result<(), Fault> {
        emit(&vec![0; self.0.initial.len()]);
        Ok(())
    }

    fn initial(&mut self, _: &[u32], emit: &mut dyn FnMut(&[u32]) -> Flow) -> Result<(), Fault> {
        emit(&self.0.initial);
        Ok(())
    }

    fn successors(
        &mut self,
        state: &[u32],
        group: GroupId,
        emit: &mut dyn FnMut(Step<'_>) -> Flow,
    ) -> Result<(), Fault> {
        let rule = &self.0.rules[group.index()];
        if rule.guard.is_some_and(|(slot, word)| state[slot] != word) {
            return Ok(());
        }
        let chance = |more| hash(rule.seed, state, &rule.reads, more);
        if rule.nothing > 0 && chance(1).is_multiple_of(rule.nothing) {
            return Ok(());
        }
        if rule.faults > 0 && chance(2).is_multiple_of(rule.faults) {
            return Err(Fault {
                kind: FaultKind::Undefined,
                span: None,
                message: String::new(),
            });
        }
        for outcome in 0..rule.outcomes {
            let mut target = state.to_vec();
            for (at, slot) in rule.writes.iter().enumerate() {
                target[*slot] = chance(10 + outcome * 8 + at as u32) % VALUES;
            }
            if emit(Step {
                label: &[outcome],
                target: &target,
            }) == Flow::Stop
            {
                break;
            }
        }
        Ok(())
    }

    fn all_successors(
        &mut self,
        state: &[u32],
        emit: &mut dyn FnMut(GroupId, Step<'_>) -> Flow,
        fault: &mut dyn FnMut(GroupId, Fault),
    ) {
        let groups = self.0.rules.len();
        group_by_group(
            groups,
            |g, emit| self.successors(state, g, emit),
            emit,
            fault,
        );
    }

    fn guard(&mut self, state: &[u32], guard: usize) -> bool {
        let equals = self.0.shape.guards[guard].equals;
        equals.is_none_or(|(slot, word)| state[slot] == word)
    }

    fn label(&mut self, state: &[u32], label: LabelId) -> Truth {
        let (reads, seed) = &self.0.labels[label.index()];
        match hash(*seed, state, reads, 0) % 4 {
            0 => Truth::False,
            _ => Truth::True,
        }
    }

    fn take_notes(&mut self) -> Notes {
        Notes::default()
    }
}
