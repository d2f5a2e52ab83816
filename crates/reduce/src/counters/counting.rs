//! The worker of counters: lays out a state that counters stand for, asks the system, and counts what comes back.
//!
//! Technique: elements in one local state lie side by side; what a group writes is brought to the front (`fronts.rs`). Where no shared
//! slot can hold an element, only the columns that a group may write are counted again.
//! Invariant: what is laid out for a vector of counters depends on nothing but the vector.

use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;

use pins::{Fault, FaultKind, Flow, GroupId, LabelId, Notes, Step, Truth, Worker, group_by_group};
use rustc_hash::{FxHashMap, FxHashSet};

use super::Counters;
use super::codes::Codes;
use super::fronts::Laid;
use crate::symmetry::Held;

/// A worker over counters.
pub(super) struct Counting<'c> {
    pub(super) inner: Box<dyn Worker + 'c>,
    counter: Counter<'c>,
    laid: Laid,
    /// The same with some columns brought to the front.
    front: Laid,
    steps: FxHashSet<Box<[u32]>>,
    /// The states that vectors stand for, since the last notes.
    sum: Option<u128>,
    /// What the last vector whose steps were all asked for stands for.
    answered: Option<u128>,
}

/// For each column of a family a text of where its element is held.
type Texts = Vec<Vec<u32>>;

/// So many words are remembered with what they say of columns.
const MOST_TEXTS: usize = 1 << 16;

/// Counts columns.
struct Counter<'c> {
    counters: &'c Counters<'c>,
    /// Local states as far as this worker knows them.
    codes: Arc<Codes>,
    local: Vec<u32>,
    out: Vec<u32>,
    /// What words of shared slots say of columns, by family, slot and word: the same few words come back with every step.
    texts: FxHashMap<(u32, u32, u32), Option<Texts>>,
    /// Words, by their slots, that hide no elements.
    plain: FxHashSet<(usize, u32)>,
}

impl<'c> Counting<'c> {
    pub(super) fn new(counters: &'c Counters<'c>) -> Counting<'c> {
        let codes = counters.codes().clone();
        Counting {
            inner: counters.system.worker(),
            counter: Counter {
                counters,
                codes,
                local: Vec::new(),
                out: Vec::new(),
                texts: FxHashMap::default(),
                plain: FxHashSet::default(),
            },
            laid: Laid::default(),
            front: Laid::default(),
            steps: FxHashSet::default(),
            sum: Some(0),
            answered: None,
        }
    }

    /// The counters of a state.
    pub(super) fn count(&mut self, state: &[u32]) -> Result<&[u32], Fault> {
        self.counter.count(state)?;
        Ok(&self.counter.out)
    }

    /// A set-up of the system: columns hold no constants.
    pub(super) fn setup_of(&self, vector: &[u32]) -> Vec<u32> {
        let counters = self.counter.counters;
        let mut setup = vec![0; counters.system.shape().slots.len()];
        for (slot, word) in counters.kept.iter().zip(vector) {
            setup[*slot] = *word;
        }
        setup
    }

    /// Lays out the state that a vector stands for.
    fn lay_out(&mut self, vector: &[u32]) {
        if self.laid.vector == vector {
            return;
        }
        let counters = self.counter.counters;
        if self.counter.codes.len() < counters.codes().len() {
            self.counter.codes = counters.codes().clone();
        }
        let (codes, counts) = (&self.counter.codes, &vector[counters.kept.len()..]);
        let mut state = self.setup_of(vector);
        let laid = &mut self.laid;
        laid.columns.clear();
        for (number, family) in counters.families.iter().enumerate() {
            let mut columns = Vec::with_capacity(family.columns.len());
            let all = codes.in_order().iter();
            for code in all.filter(|code| codes.local(**code)[0] == number as u32) {
                columns.extend((0..counts[*code as usize]).map(|rank| (*code, rank)));
            }
            for (slots, (code, _)) in family.columns.iter().zip(&columns) {
                let local = codes.local(*code);
                let words = &local[local.len() - slots.len()..];
                for (slot, word) in slots.iter().zip(words) {
                    state[*slot] = *word;
                }
            }
            laid.columns.push(columns);
        }
        laid.is_itself = !counters.neighbours.applies(&state);
        laid.state = state;
        laid.vector.clear();
        laid.vector.extend_from_slice(vector);
    }

    /// How many states a vector stands for: the ways to give the elements their local states.
    fn weight(&self) -> Option<u128> {
        let mut ways: u128 = 1;
        if self.laid.is_itself {
            return Some(ways);
        }
        for columns in &self.laid.columns {
            for (at, (_, rank)) in columns.iter().enumerate() {
                // A product of binomial coefficients, which stays whole on the way.
                let (above, below) = (at as u128 + 1, u128::from(*rank) + 1);
                let shared = gcd(ways, below);
                let rest = below / shared;
                ways = (ways / shared).checked_mul(above / rest)?;
            }
        }
        Some(ways)
    }

    /// Asks a group about the state that was laid out, or about the one with columns brought to the front.
    fn ask(
        &mut self,
        group: GroupId,
        is_front: bool,
        emit: &mut dyn FnMut(Step<'_>) -> Flow,
    ) -> Result<Flow, Fault> {
        let laid = match is_front {
            true => &self.front,
            false => &self.laid,
        };
        let (counter, steps) = (&mut self.counter, &mut self.steps);
        let (mut problem, mut flow) = (None, Flow::Continue);
        let answer = self.inner.successors(&laid.state, group, &mut |step| {
            if let Err(fault) = counter.count_step(laid, group, step.target) {
                problem = Some(fault);
                return Flow::Stop;
            }
            let (label, target) = (step.label, &counter.out[..]);
            if steps.insert([label, target].concat().into()) {
                flow = emit(Step { label, target });
            }
            flow
        });
        problem.map_or(answer, Err).map(|()| flow)
    }

    fn add_weight(&mut self) {
        self.answered = self.weight();
        self.sum = self
            .sum
            .zip(self.answered)
            .and_then(|(sum, more)| sum.checked_add(more));
    }
}

fn gcd(mut a: u128, mut b: u128) -> u128 {
    while b != 0 {
        (a, b) = (b, a % b);
    }
    a
}

impl Counter<'_> {
    /// The number of the local state that was put into `local`.
    fn code(&mut self) -> Result<u32, Fault> {
        if let Some(code) = self.codes.number(&self.local) {
            return Ok(code);
        }
        let mut all = self.counters.codes();
        let code = match all.number(&self.local) {
            Some(code) => code,
            None if all.len() < self.counters.room => Arc::make_mut(&mut all).add(&self.local),
            None => {
                self.counters.is_outgrown.store(true, Relaxed);
                let room = self.counters.room;
                return Err(budget(format!(
                    "elements have more than {room} local states"
                )));
            }
        };
        self.codes = all.clone();
        Ok(code)
    }

    /// Puts the words of a column into `local`, behind what is there.
    fn column(&mut self, family: usize, column: usize, state: &[u32]) {
        let slots = &self.counters.families[family].columns[column];
        self.local.extend(slots.iter().map(|slot| state[*slot]));
    }

    /// A fault where a word of a state hides elements that was not in the state before.
    fn reject_hidden(&mut self, state: &[u32], before: &[u32]) -> Result<(), Fault> {
        let counters = self.counters;
        for slot in &counters.hiding {
            let word = (*slot, state[*slot]);
            if before.get(*slot) == Some(&word.1) || self.plain.contains(&word) {
                continue;
            }
            if counters.neighbours.hides(word.0, word.1) {
                let first = counters.hidden.get_or_init(|| *slot);
                return Err(budget(format!("slot {first} may hide elements")));
            }
            self.plain.insert(word);
        }
        Ok(())
    }

    /// Counts the columns of a state.
    fn count(&mut self, state: &[u32]) -> Result<(), Fault> {
        self.reject_hidden(state, &[])?;
        let counters = self.counters;
        let kept = counters.kept.len();
        let mut counts = vec![0; counters.room];
        let mut images: Option<Vec<u32>> = None;
        let is_itself = !counters.neighbours.applies(state);
        for (number, family) in counters.families.iter().enumerate() {
            let mut columns = Vec::with_capacity(family.columns.len());
            let held = match is_itself {
                true => None,
                false => self.held(number, state),
            };
            for column in 0..family.columns.len() {
                self.local.clear();
                self.local.push(number as u32);
                if is_itself {
                    // No text of what is held has this length.
                    self.local.extend([u32::MAX, column as u32]);
                }
                self.local.extend(held.iter().flat_map(|own| &own[column]));
                self.column(number, column, state);
                let code = self.code()?;
                counts[code as usize] += 1;
                columns.push((self.local.clone(), column));
            }
            if held.is_some() {
                columns.sort_unstable();
                let images = images.get_or_insert_with(|| counters.neighbours.identity());
                for (place, (_, column)) in columns.iter().enumerate() {
                    let points = family.points[*column].iter().zip(&family.points[place]);
                    points.for_each(|(from, to)| images[*from as usize] = *to);
                }
            }
        }
        // Words that hold elements name those at the places where columns are laid out.
        let moved = images.map(|images| counters.neighbours.apply(&images, state));
        let state = moved.as_deref().unwrap_or(state);
        self.out.clear();
        self.out
            .extend(counters.kept.iter().map(|slot| state[*slot]));
        self.out.extend(counts);
        debug_assert_eq!(self.out.len(), kept + counters.room);
        Ok(())
    }

    /// For each column where shared slots hold its element; `None` when none holds an element of the family.
    fn held(&mut self, number: usize, state: &[u32]) -> Option<Texts> {
        let family = &self.counters.families[number];
        let mut found: Option<Texts> = None;
        for slot in &family.holders {
            let key = (number as u32, *slot as u32, state[*slot]);
            if self.texts.len() >= MOST_TEXTS && !self.texts.contains_key(&key) {
                self.texts.clear();
            }
            let (counters, texts) = (self.counters, &mut self.texts);
            let own = texts
                .entry(key)
                .or_insert_with(|| texts_of(counters, number, *slot, key.2));
            let Some(own) = own else { continue };
            match &mut found {
                Some(all) => {
                    let both = all.iter_mut().zip(own);
                    both.for_each(|(all, own)| all.extend_from_slice(own));
                }
                None => found = Some(own.clone()),
            }
        }
        found
    }

    /// Counts the columns of a target, which differs from what was laid out in those that the group may write.
    fn count_step(&mut self, laid: &Laid, group: GroupId, target: &[u32]) -> Result<(), Fault> {
        let counters = self.counters;
        let is_itself = laid.is_itself || !counters.neighbours.applies(target);
        if is_itself || counters.has_holders() {
            return self.count(target);
        }
        self.reject_hidden(target, &laid.state)?;
        let kept = counters.kept.len();
        self.out.clear();
        self.out
            .extend(counters.kept.iter().map(|slot| target[*slot]));
        self.out.extend_from_slice(&laid.vector[kept..]);
        for (family, column) in counters.fronts[group.index()].written() {
            self.local.clear();
            self.local.push(*family as u32);
            self.column(*family, *column, target);
            let before = laid.columns[*family][*column].0;
            let code = self.code()?;
            self.out[kept + before as usize] -= 1;
            self.out[kept + code as usize] += 1;
        }
        Ok(())
    }
}

/// What a word of a shared slot says of each column of a family; `None` when it holds none of their elements.
fn texts_of(counters: &Counters<'_>, number: usize, slot: usize, word: u32) -> Option<Texts> {
    let family = &counters.families[number];
    let mut found: Option<Texts> = None;
    let empty = || vec![Vec::new(); family.columns.len()];
    match counters.neighbours.held(slot, word) {
        Held::Nothing => {}
        Held::Points(points) => {
            for (column, own) in family.points.iter().enumerate() {
                for (position, point) in own.iter().enumerate() {
                    for context in Held::contexts(&points, *point) {
                        let text = &mut found.get_or_insert_with(empty)[column];
                        text.extend([slot as u32, position as u32, context.len() as u32]);
                        let halves = |word: &u64| [(*word >> 32) as u32, *word as u32];
                        text.extend(context.iter().flat_map(halves));
                    }
                }
            }
        }
        // What the slot says of elements is not known: each is a case of its own.
        Held::Hidden => {
            counters.finds_several.store(true, Relaxed);
            for (column, text) in found.get_or_insert_with(empty).iter_mut().enumerate() {
                text.extend([slot as u32, u32::MAX, column as u32]);
            }
        }
    }
    found
}

/// What cannot be counted leaves the run open, until whoever explores asks why.
fn budget(message: String) -> Fault {
    Fault {
        kind: FaultKind::Budget,
        span: None,
        message,
    }
}

impl Worker for Counting<'_> {
    pins::forward!(self.inner: heed, go_past_faults);

    fn setups(&mut self, emit: &mut dyn FnMut(&[u32]) -> Flow) -> Result<(), Fault> {
        let counters = self.counter.counters;
        self.inner.setups(&mut |setup| {
            let mut vector: Vec<u32> = counters.kept.iter().map(|slot| setup[*slot]).collect();
            vector.resize(counters.shape.slots.len(), 0);
            emit(&vector)
        })
    }

    fn initial(
        &mut self,
        setup: &[u32],
        emit: &mut dyn FnMut(&[u32]) -> Flow,
    ) -> Result<(), Fault> {
        let setup = self.setup_of(setup);
        let (counter, steps) = (&mut self.counter, &mut self.steps);
        steps.clear();
        let mut problem = None;
        let answer = self.inner.initial(&setup, &mut |state| {
            if let Err(fault) = counter.count(state) {
                problem = Some(fault);
                return Flow::Stop;
            }
            match steps.insert(counter.out[..].into()) {
                true => emit(&counter.out),
                false => Flow::Continue,
            }
        });
        problem.map_or(answer, Err)
    }

    fn successors(
        &mut self,
        state: &[u32],
        group: GroupId,
        emit: &mut dyn FnMut(Step<'_>) -> Flow,
    ) -> Result<(), Fault> {
        let counters = self.counter.counters;
        let front = &counters.fronts[group.index()];
        let is_asked = front.leads() || !counters.is_always_permuted;
        if group.index() == 0 || is_asked {
            self.lay_out(state);
        }
        if group.index() == 0 {
            self.add_weight();
        }
        self.steps.clear();
        if !is_asked {
            return Ok(());
        }
        if self.laid.is_itself || front.is_anywhere() {
            return self.ask(group, false, emit).map(|_| ());
        }
        if !front.leads() {
            return Ok(());
        }
        for chosen in front.choices(&self.laid) {
            self.front.bring(&self.laid, &chosen, counters);
            if self.ask(group, true, emit)? == Flow::Stop {
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
        let groups = self.counter.counters.shape.groups.len();
        self.answered = None;
        if groups == 0 {
            self.lay_out(state);
            self.add_weight();
        }
        let ask =
            |group, emit: &mut dyn FnMut(Step<'_>) -> Flow| self.successors(state, group, emit);
        group_by_group(groups, ask, emit, fault);
    }

    fn label(&mut self, state: &[u32], label: LabelId) -> Truth {
        self.lay_out(state);
        self.inner.label(&self.laid.state, label)
    }

    /// A step that leads to other counters was given before this is asked; one that leads to a permutation was not.
    fn stutters(&mut self, state: &[u32]) -> bool {
        self.lay_out(state);
        let source = &self.laid.state;
        let mut leads_back = true;
        self.inner.all_successors(
            source,
            &mut |_, step| {
                leads_back &= step.target == source;
                match leads_back {
                    true => Flow::Continue,
                    false => Flow::Stop,
                }
            },
            &mut |_, _| {},
        );
        leads_back && self.inner.stutters(source)
    }

    fn give_up(&mut self) {
        if let Some(weight) = self.answered.take() {
            self.sum = self.sum.and_then(|sum| sum.checked_sub(weight));
        }
        self.inner.give_up();
    }

    /// What was counted is handed over with the notes: whoever rebuilds a path asks for none and is not counted.
    fn take_notes(&mut self) -> Notes {
        let own = self.sum.replace(0);
        let counters = self.counter.counters;
        let mut all = counters
            .stands_for
            .lock()
            .unwrap_or_else(std::sync::PoisonError::into_inner);
        *all = all.zip(own).and_then(|(a, b)| a.checked_add(b));
        self.inner.take_notes()
    }
}
