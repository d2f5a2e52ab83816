//! Expands a state by the steps that a partial order reduction chooses, and keeps the proviso of the search order.
//!
//! All steps of a state are computed and kept; then the reduction chooses groups, and only their steps are stored. So
//! every fault and every deadlock of a visited state is seen, and a state that has to be expanded in full after all
//! costs nothing twice.
//! Proviso, when more than deadlocks is looked for: some chosen step leads to a state that is expanded later than this
//! one; otherwise all steps are taken. Breadth-first that is a state of the next level, whoever found it, so the answer
//! does not depend on threads. From a stack it is a state that was not expanded yet. [Bošnački, Leue, Lluch Lafuente
//! 2006]: a step that is left out in a state is then taken in one that is expanded later.
//! Differs from the proviso of recursive depth-first search, which looks for states on the stack: here successors are
//! stored when they are found, and one that waits deeper in the stack is expanded later than its finder's descendants.
//! Invariant: steps are numbered as if all were taken, so links do not depend on the choice.

use reduce::por::{GroupSet, Selector};
use rustc_hash::FxHashMap;

/// One thread's means of choosing.
pub struct Chosen<'r> {
    pub selector: Selector<'r>,
    /// Group and number of each step.
    steps: Vec<(u32, u32)>,
    targets: Vec<u32>,
    /// Numbers of steps that may coincide with those of another group of the same name.
    numbers: FxHashMap<Box<[u32]>, u32>,
    count: u32,
    groups: GroupSet,
    closed: Closed,
}

/// The states that were expanded; only from a stack.
#[derive(Debug, Default)]
struct Closed {
    words: Vec<u64>,
}

/// Looks for a state that is expanded later.
#[derive(Debug)]
pub struct Watch<'c> {
    /// States from this number on are.
    from: u32,
    /// All states that were not closed are, too.
    closed: Option<&'c Closed>,
    /// Whether there was one.
    pub has_progress: bool,
}

/// Which steps to explore.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part {
    /// Those of the chosen groups.
    Chosen,
    /// Those of the others.
    Others,
    /// All.
    All,
}

impl<'r> Chosen<'r> {
    pub fn new(selector: Selector<'r>, groups: usize) -> Chosen<'r> {
        Chosen {
            selector,
            steps: Vec::new(),
            targets: Vec::new(),
            numbers: FxHashMap::default(),
            count: 0,
            groups: GroupSet::new(groups),
            closed: Closed::default(),
        }
    }

    /// Begins a state.
    pub fn begin(&mut self) {
        self.selector.begin();
        self.steps.clear();
        self.targets.clear();
        self.numbers.clear();
        self.count = 0;
    }

    /// A step of the state, and where it leads; `twin` names it when steps of other groups may be the same.
    #[inline]
    pub fn push(
        &mut self,
        group: usize,
        (state, target): (&[u32], &[u32]),
        twin: Option<Box<[u32]>>,
    ) {
        let mut number = self.count;
        if let Some(step) = twin {
            number = *self.numbers.entry(step).or_insert(number);
        }
        if number == self.count {
            self.count += 1;
        }
        self.selector.happens(group, state, target);
        self.steps.push((group as u32, number));
        self.targets.extend_from_slice(target);
    }

    /// Lets the reduction choose. `false` for all steps.
    pub fn choose(&mut self, state: &[u32], worker: &mut dyn pins::Worker) -> bool {
        let Some(groups) = self.selector.choose(state, worker) else {
            return false;
        };
        self.groups.clear();
        self.groups.union_with(groups);
        true
    }

    /// The steps of a part, each once: group, number, target.
    pub fn steps(&self, part: Part) -> impl Iterator<Item = (u32, u32, &[u32])> {
        let slots = self.targets.len() / self.steps.len().max(1);
        let is_in = move |group: u32| match part {
            Part::All => true,
            Part::Chosen => self.groups.contains(group as usize),
            Part::Others => !self.groups.contains(group as usize),
        };
        let steps = self.steps.iter().enumerate();
        steps
            .filter(move |(_, (group, _))| is_in(*group))
            .map(move |(at, (group, number))| {
                (*group, *number, &self.targets[at * slots..(at + 1) * slots])
            })
    }

    /// Whether steps of different groups may be the same.
    pub fn has_twins(&self) -> bool {
        !self.numbers.is_empty()
    }

    /// How many steps there are.
    pub fn len(&self) -> usize {
        self.count as usize
    }

    /// Watches for progress: states from `from` on, or from a stack those that are not closed.
    pub fn watch(&self, from: Option<u32>) -> Watch<'_> {
        Watch {
            from: from.unwrap_or(u32::MAX),
            closed: from.is_none().then_some(&self.closed),
            has_progress: false,
        }
    }

    /// A state from the stack was expanded, or is known to have been.
    pub fn close(&mut self, id: u32) {
        let word = id as usize / 64;
        if self.closed.words.len() <= word {
            self.closed.words.resize(word + 1, 0);
        }
        self.closed.words[word] |= 1 << (id % 64);
    }
}

impl Watch<'_> {
    /// A step leads to a state of this number.
    #[inline]
    pub fn saw(&mut self, id: u32, is_new: bool) {
        let is_open = |closed: &Closed| {
            let word = closed.words.get(id as usize / 64).copied().unwrap_or(0);
            word >> (id % 64) & 1 == 0
        };
        self.has_progress |= is_new || id >= self.from || self.closed.is_some_and(is_open);
    }
}
