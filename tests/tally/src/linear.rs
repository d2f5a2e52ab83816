//! Sums and conditions as linear forms over cells of the state vector.

use pins::SlotSet;

use crate::model::Relation;

/// Where a value stands in a state.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Cell {
    pub(crate) slot: usize,
    pub(crate) shift: u32,
}

pub(crate) const DIGIT: u32 = 0b1111;

impl Cell {
    pub(crate) fn get(self, state: &[u32]) -> i64 {
        i64::from(state[self.slot] >> self.shift & DIGIT)
    }

    pub(crate) fn set(self, state: &mut [u32], value: i64) {
        let word = &mut state[self.slot];
        *word = *word & !(DIGIT << self.shift) | (value as u32) << self.shift;
    }
}

/// A constant and multiples of cells and of the names of a question.
#[derive(Clone, Debug, Default)]
pub(crate) struct Linear {
    pub(crate) constant: i64,
    pub(crate) cells: Vec<(i64, Cell)>,
    pub(crate) names: Vec<(i64, usize)>,
}

impl Linear {
    /// Its value in a state.
    pub(crate) fn value(&self, state: &[u32], names: &[u32]) -> i64 {
        let cells = self
            .cells
            .iter()
            .map(|(factor, cell)| factor * cell.get(state));
        let names = self
            .names
            .iter()
            .map(|(factor, at)| factor * i64::from(names[*at] as i32));
        self.constant + cells.sum::<i64>() + names.sum::<i64>()
    }
}

/// A linear form that is compared with zero.
#[derive(Clone, Debug)]
pub(crate) struct Condition {
    pub(crate) difference: Linear,
    pub(crate) relation: Relation,
}

impl Condition {
    pub(crate) fn holds(&self, state: &[u32], names: &[u32]) -> bool {
        let order = self.difference.value(state, names).cmp(&0);
        match self.relation {
            Relation::Equal => order.is_eq(),
            Relation::Unequal => order.is_ne(),
            Relation::Less => order.is_lt(),
            Relation::AtMost => order.is_le(),
            Relation::Greater => order.is_gt(),
            Relation::AtLeast => order.is_ge(),
        }
    }

    pub(crate) fn reads(&self, slots: &mut SlotSet) {
        self.difference
            .cells
            .iter()
            .for_each(|(_, cell)| slots.insert(cell.slot));
    }
}

/// A predicate that was compiled.
#[derive(Clone, Debug)]
pub(crate) struct Compiled(pub(crate) Vec<Vec<Condition>>);

impl Compiled {
    /// Its truth in a state.
    pub(crate) fn holds(&self, state: &[u32], names: &[u32]) -> bool {
        self.0
            .iter()
            .any(|all| all.iter().all(|one| one.holds(state, names)))
    }

    pub(crate) fn reads(&self) -> SlotSet {
        let mut slots = SlotSet::new();
        self.0
            .iter()
            .flatten()
            .for_each(|one| one.reads(&mut slots));
        slots
    }
}
