//! Random systems with interchangeable columns: each has slots of its own, and shared slots name columns.

use base::{Name, Random};
use pins::symmetry::Place;
use pins::{
    Fault, Flow, Group, GroupId, Label, LabelId, LabelKind, Notes, Permute, Shape, Slot, SlotSet,
    Sort, Step, System, Truth, View, Worker,
};

/// What a rule wants of a column, and what it does to it.
#[derive(Clone, Copy, Debug)]
struct Rule {
    here: u32,
    bit: Option<u32>,
    holds: Option<bool>,
    is_in: Option<bool>,
    other_at: Option<(u32, bool)>,
    there: u32,
    new_bit: Option<u32>,
    takes: Option<bool>,
    joins: Option<bool>,
    /// The column that it remembers: itself, or the one that is held.
    remembers: Option<bool>,
}

/// What a column remembers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Memory {
    /// No column.
    Nothing,
    /// Itself.
    Own,
    /// Itself or another one.
    Any,
}

/// `columns` columns, each with a place, a bit and what it remembers; beside them who holds a token, and a set
/// of columns.
pub struct Alike {
    columns: usize,
    memory: Memory,
    rules: Vec<Rule>,
    bad: [u32; 2],
    shape: Shape,
    sorts: Vec<Sort>,
    places: Vec<Place>,
}

const PLACES: usize = 3;

impl Alike {
    /// The system of a seed.
    pub fn new(columns: usize, memory: Memory, seed: u64) -> Alike {
        let mut random = Random::new(seed);
        let rules = 3 + random.below(5);
        let maybe = |random: &mut Random| (random.below(3) == 0).then(|| random.flip());
        let rule = |random: &mut Random| Rule {
            here: random.below(PLACES) as u32,
            bit: maybe(random).map(u32::from),
            holds: maybe(random),
            is_in: maybe(random),
            other_at: maybe(random).map(|is| (random.below(PLACES) as u32, is)),
            there: random.below(PLACES) as u32,
            new_bit: maybe(random).map(u32::from),
            takes: maybe(random),
            joins: maybe(random),
            remembers: maybe(random),
        };
        let rules = (0..rules).map(|_| rule(&mut random)).collect();
        let mut all = SlotSet::new();
        let slots = 3 * columns + 2;
        (0..slots).for_each(|slot| all.insert(slot));
        let own = |at: usize| {
            let mut own = SlotSet::new();
            let slots = (0..3).map(|family| family * columns + at);
            slots
                .chain([3 * columns, 3 * columns + 1])
                .for_each(|slot| own.insert(slot));
            own
        };
        let group = |at: usize| Group {
            name: Name::new(&format!("move{at}")),
            reads: all.clone(),
            may_write: own(at),
            must_write: SlotSet::new(),
            is_pure: true,
        };
        let label = |at: usize| Label {
            kind: LabelKind::Invariant,
            name: Name::new(&format!("good{at}")),
            reads: all.clone(),
            span: None,
        };
        let slot = |at: usize| Slot {
            name: Name::new(&format!("x{at}")),
            is_constant: false,
        };
        let place = |slot: usize| match slot / columns {
            family @ 0..3 => Place {
                family,
                index: vec![(slot % columns) as u32],
            },
            _ => Place {
                family: slot,
                index: Vec::new(),
            },
        };
        Alike {
            columns,
            memory,
            rules,
            bad: [random.below(PLACES) as u32, random.below(6) as u32],
            shape: Shape {
                slots: (0..slots).map(slot).collect(),
                groups: (0..columns).map(group).collect(),
                labels: (0..columns).map(label).collect(),
                ..Shape::default()
            },
            sorts: vec![Sort {
                name: Name::new("Column"),
                first: 0,
                classes: vec![0; columns],
            }],
            places: (0..slots).map(place).collect(),
        }
    }

    fn token(&self) -> usize {
        3 * self.columns
    }

    fn steps(&self, state: &[u32], column: usize, emit: &mut dyn FnMut(&[u32], &[u32]) -> Flow) {
        let n = self.columns;
        let (token, set) = (state[self.token()], state[self.token() + 1]);
        let is = |asked: Option<bool>, so: bool| asked.is_none_or(|asked| asked == so);
        for (number, rule) in self.rules.iter().enumerate() {
            let others = (0..n).filter(|other| *other != column);
            let fits = state[column] == rule.here
                && rule.bit.is_none_or(|bit| state[n + column] == bit)
                && is(rule.holds, token == column as u32)
                && is(rule.is_in, set >> column & 1 == 1)
                && rule.other_at.is_none_or(|(place, so)| {
                    others.clone().any(|other| state[other] == place) == so
                });
            if !fits {
                continue;
            }
            let mut target = state.to_vec();
            target[column] = rule.there;
            target[n + column] = rule.new_bit.unwrap_or(target[n + column]);
            match rule.takes {
                Some(true) => target[self.token()] = column as u32,
                Some(false) => target[self.token()] = n as u32,
                None => {}
            }
            match rule.joins {
                Some(true) => target[self.token() + 1] |= 1 << column,
                Some(false) => target[self.token() + 1] &= !(1 << column),
                None => {}
            }
            let remembers = rule.remembers.filter(|_| self.memory != Memory::Nothing);
            if let Some(own) = remembers {
                let other = match self.memory {
                    Memory::Any => token,
                    Memory::Own | Memory::Nothing => column as u32,
                };
                target[2 * n + column] = if own { column as u32 } else { other };
            }
            emit(&[number as u32], &target);
        }
    }
}

impl System for Alike {
    fn shape(&self) -> &Shape {
        &self.shape
    }

    fn worker(&self) -> Box<dyn Worker + '_> {
        Box::new(Answering(self))
    }

    fn symmetry(&self) -> Option<&dyn Permute> {
        Some(self)
    }
}

impl Permute for Alike {
    fn sorts(&self) -> &[Sort] {
        &self.sorts
    }

    fn moves(&self, slot: usize) -> bool {
        match self.memory {
            Memory::Nothing => slot >= self.token(),
            Memory::Own | Memory::Any => slot >= 2 * self.columns,
        }
    }

    fn places(&self) -> &[Place] {
        &self.places
    }

    fn permute(&self, slot: usize, word: u32, permutation: &[u32]) -> u32 {
        if slot > self.token() {
            let held = (0..self.columns).filter(|column| word >> column & 1 == 1);
            return held.fold(0, |set, column| set | 1 << permutation[column]);
        }
        permutation.get(word as usize).copied().unwrap_or(word)
    }

    fn permute_label(&self, _: GroupId, label: &[u32], _: &[u32]) -> Vec<u32> {
        label.to_vec()
    }

    fn view(&self, slot: usize, word: u32, view: &mut dyn View) -> bool {
        if slot > self.token() {
            view.set(word.count_ones() as usize);
            let held = (0..self.columns as u32).filter(|column| word >> column & 1 == 1);
            held.for_each(|column| view.point(column));
        } else if (word as usize) < self.columns && slot >= 2 * self.columns {
            view.point(word);
        } else {
            view.atom(&[u64::from(word)]);
        }
        true
    }
}

struct Answering<'a>(&'a Alike);

impl Worker for Answering<'_> {
    fn setups(&mut self, emit: &mut dyn FnMut(&[u32]) -> Flow) -> Result<(), Fault> {
        emit(&vec![0; self.0.shape.slots.len()]);
        Ok(())
    }

    fn initial(&mut self, _: &[u32], emit: &mut dyn FnMut(&[u32]) -> Flow) -> Result<(), Fault> {
        let n = self.0.columns;
        let mut state = vec![0; self.0.shape.slots.len()];
        state[2 * n..=3 * n].fill(n as u32);
        emit(&state);
        Ok(())
    }

    fn successors(
        &mut self,
        state: &[u32],
        group: GroupId,
        emit: &mut dyn FnMut(Step<'_>) -> Flow,
    ) -> Result<(), Fault> {
        self.0.steps(state, group.index(), &mut |label, target| {
            emit(Step { label, target })
        });
        Ok(())
    }

    fn all_successors(
        &mut self,
        state: &[u32],
        emit: &mut dyn FnMut(GroupId, Step<'_>) -> Flow,
        fault: &mut dyn FnMut(GroupId, Fault),
    ) {
        let groups = self.0.columns;
        pins::group_by_group(
            groups,
            |group, emit| self.successors(state, group, emit),
            emit,
            fault,
        );
    }

    fn label(&mut self, state: &[u32], label: LabelId) -> Truth {
        let (n, column) = (self.0.columns, label.index());
        let [place, kind] = self.0.bad;
        let is_bad = kind < 2
            && state[column] == place
            && state[n + column] == kind
            && state[self.0.token()] == column as u32;
        if is_bad { Truth::False } else { Truth::True }
    }

    fn take_notes(&mut self) -> Notes {
        Notes::default()
    }
}
