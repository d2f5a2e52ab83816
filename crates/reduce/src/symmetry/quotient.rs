//! The reduced system: every vector is replaced by the representative that a [`Chooser`] names.
//!
//! Paper: [Leuschel, Massart 2010], definition 5: a step of the quotient is a step of the representative, with its
//! label, to the representative of the target.
//! Keeps laws 1, 2, 5 and 7 of a system. Writes are declared for all slots, and constants change with the
//! permutation of the others: law 6 holds up to permutation.
//! Invariant: the answer to a question does not depend on what is remembered (flooding and imprecise markers:
//! on what was asked before; they say so).

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use canon::Exchanges;
use pins::symmetry::classes;
use pins::{Fault, FaultKind, Flow, GroupId, Notes, Permute, Shape, SlotSet, Step, System, Worker};
use rustc_hash::FxHashSet;

use super::acting::{self, Acting, Ends, Kept, Keyed, Stages, Strategy};
use super::alike::{Alike, Answer};
use super::canonical::Canonical;
use super::exact::{Depth, Formed, Former, Part};
use super::flood::{Flooded, Flooding};
use super::markers::{Marked, Marking};
use super::ordered::Sorted;

/// How representatives are chosen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Method {
    /// The first one found; all its permutations are remembered. Exact.
    Flood {
        /// The most bytes that permutations may need.
        budget: u64,
    },
    /// By the markers of the paper.
    Markers {
        /// The slots for whose values they are imprecise; none when equal markers mean symmetric states.
        imprecise: Vec<usize>,
    },
    /// A canonical form, searched for every state. Exact.
    Canonical,
    /// A canonical form, decided by colours where they suffice. Exact.
    Exact,
    /// Sorted by colours: several states of an orbit may remain. Keeps verdicts, not counts.
    Sorted {
        /// Where colours tie, the least of so many permutations.
        limit: u32,
    },
    /// By a strategy for groups that move whole slots.
    Acting(Strategy),
}

/// What a run with a [`Quotient`] was like.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Measure {
    /// The states that the expanded representatives stand for; `None` when that is not known or 2^128 or more.
    pub states: Option<u128>,
    /// The same for set-ups.
    pub setups: Option<u128>,
    /// The sizes of the orbits of the expanded representatives, added up; orbits may hold states that are not reached.
    pub orbits: Option<u128>,
    /// Representatives that were expanded.
    pub expanded: u64,
    /// Vectors that were replaced.
    pub chosen: u64,
    /// Targets whose representative an automorphism of the source showed.
    pub spared: u64,
    /// Among them those that were searched.
    pub searched: u64,
    /// Among them those that hold something that cannot be permuted, and stand for themselves.
    pub opaque: u64,
    /// The time spent on choosing, estimated from a sample, of all threads.
    pub time: Duration,
    /// Vectors that flooding remembers.
    pub flooded: Option<u64>,
}

/// Names representatives; every worker has one of its own.
pub(super) trait Chooser: Send {
    /// The states that follow are successors of this representative; gives the size of its orbit.
    fn begin(&mut self, state: &[u32]) -> Option<u128>;
    /// Whether the state begun with is known to be its own representative.
    fn is_own(&self) -> bool {
        false
    }
    /// The states that follow are initial states of this set-up; gives the size of its orbit.
    fn begin_setup(&mut self, setup: &[u32]) -> Option<u128>;
    /// The representative of a vector.
    fn choose(&mut self, vector: &[u32], part: Part, out: &mut Vec<u32>) -> Result<(), Fault>;
    /// Says what can be exchanged in the representative begun with, if symmetric states always get one
    /// representative.
    fn exchanges(&mut self, _found: &mut Exchanges) {}
    /// Adds what was counted since the last time.
    fn tally(&mut self, tally: &mut Tally);
}

/// What workers count.
#[derive(Clone, Debug)]
pub(super) struct Tally {
    states: Option<u128>,
    setups: Option<u128>,
    expanded: u64,
    chosen: u64,
    spared: u64,
    pub(super) searched: u64,
    pub(super) opaque: u64,
    sampled: Duration,
}

impl Default for Tally {
    fn default() -> Tally {
        Tally {
            states: Some(0),
            setups: Some(0),
            expanded: 0,
            chosen: 0,
            spared: 0,
            searched: 0,
            opaque: 0,
            sampled: Duration::ZERO,
        }
    }
}

/// A system with one state for each orbit.
pub struct Quotient<'a> {
    system: &'a dyn System,
    means: Means<'a>,
    shape: Shape,
    method: Method,
    flooded: Flooded,
    marked: Marked,
    most_setups: u64,
    tally: Mutex<Tally>,
}

/// How states are permuted.
pub(super) enum Means<'a> {
    /// Elements of sorts are exchanged inside words, those of one class with each other.
    Elements(Box<Elements<'a>>),
    /// A group moves whole slots.
    Acting(Box<Stages<'a>>, Kept),
}

/// Elements that are exchanged.
pub(super) struct Elements<'a> {
    pub(super) permute: &'a dyn Permute,
    pub(super) classes: Vec<Vec<u32>>,
    /// The same on bits of slots, where there is such a thing.
    acting: Option<Acting<'a>>,
}

impl Elements<'_> {
    /// What finds the representatives of states.
    pub(super) fn former(&self, shape: &Shape, depth: Depth) -> Former<'_> {
        let acting = self.acting.as_ref().filter(|_| depth == Depth::Decided);
        let keyed = acting.and_then(Keyed::new);
        Former::new(self.permute, shape, &self.classes, depth, keyed)
    }
}

/// The time of one in so many choices is taken.
const SAMPLE: u64 = 64;

impl<'a> Quotient<'a> {
    /// The quotient of `system`; `None` when it has no interchangeable elements.
    pub fn new(system: &'a dyn System, method: Method) -> Option<Quotient<'a>> {
        Quotient::with_ends(system, method, Ends::Shared)
    }

    /// The same for those who look at sequences of steps: steps are permuted and nothing else is done to them.
    pub fn along_paths(system: &'a dyn System, method: Method) -> Option<Quotient<'a>> {
        Quotient::with_ends(system, method, Ends::Held)
    }

    /// The same with processes that may end permuted or not.
    pub fn with_ends(system: &'a dyn System, method: Method, ends: Ends) -> Option<Quotient<'a>> {
        let means = Means::of(system, &method, ends)?;
        let mut shape = system.shape().clone();
        let mut all = SlotSet::new();
        (0..shape.slots.len()).for_each(|slot| all.insert(slot));
        for group in &mut shape.groups {
            group.reads = all.clone();
            group.may_write = all.clone();
            group.must_write = SlotSet::new();
        }
        Some(Quotient {
            system,
            means,
            shape,
            flooded: Flooded::new(match method {
                Method::Flood { budget } => budget,
                _ => 0,
            }),
            method,
            marked: Marked::default(),
            most_setups: u64::MAX,
            tally: Mutex::default(),
        })
    }

    /// The same with only so many set-ups looked at: for a trial.
    pub fn with_most_setups(self, most: u64) -> Quotient<'a> {
        Quotient {
            most_setups: most,
            ..self
        }
    }

    /// What the run was like so far.
    pub fn measure(&self) -> Measure {
        let tally = self.tally();
        // What cannot be permuted stands for itself, and others of its orbit may never be met.
        let is_exact = tally.opaque == 0
            && match (&self.method, &self.means) {
                (Method::Markers { imprecise }, _) => imprecise.is_empty(),
                (Method::Acting(_), _) => false,
                (_, Means::Acting(stages, _)) => stages.whole().action.keeps_start,
                _ => true,
            };
        Measure {
            orbits: tally.states,
            states: tally.states.filter(|_| is_exact),
            setups: tally.setups.filter(|_| is_exact),
            expanded: tally.expanded,
            chosen: tally.chosen,
            spared: tally.spared,
            searched: tally.searched,
            opaque: tally.opaque,
            time: tally.sampled * SAMPLE as u32,
            flooded: matches!(self.method, Method::Flood { .. }).then(|| self.flooded.len()),
        }
    }

    pub(super) fn parts(&self) -> (&'a dyn System, &Means<'a>) {
        (self.system, &self.means)
    }

    pub(super) fn method(&self) -> &Method {
        &self.method
    }

    fn tally(&self) -> MutexGuard<'_, Tally> {
        self.tally.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn chooser(&self) -> Box<dyn Chooser + '_> {
        let shape = self.system.shape();
        let elements = match &self.means {
            Means::Elements(elements) => elements,
            Means::Acting(stages, kept) => return acting::chooser(stages, &self.method, kept),
        };
        let (permute, classes) = (elements.permute, &elements.classes);
        let form = |depth| Box::new(Canonical::new(elements.former(shape, depth)));
        match &self.method {
            Method::Exact | Method::Acting(_) => form(Depth::Decided),
            Method::Canonical => form(Depth::Searched),
            Method::Sorted { limit } => Box::new(Sorted::new(permute, shape, classes, *limit)),
            Method::Markers { imprecise } if imprecise.is_empty() => form(Depth::Colours),
            Method::Markers { imprecise } => Box::new(Marking::new(
                permute,
                shape,
                classes,
                imprecise,
                &self.marked,
            )),
            Method::Flood { .. } => Box::new(Flooding::new(permute, shape, classes, &self.flooded)),
        }
    }
}

impl<'a> Means<'a> {
    /// How a method permutes the states of a system; `None` when it cannot.
    fn of(system: &'a dyn System, method: &Method, ends: Ends) -> Option<Means<'a>> {
        let is_for_elements = !matches!(method, Method::Acting(_));
        let stays = |permute: &&dyn Permute| permute.places().is_empty();
        let symmetry = system.symmetry().filter(|_| is_for_elements);
        if let Some(permute) = symmetry.filter(stays) {
            let classes = classes(permute.sorts());
            let acting = permute.as_action().and_then(|a| Acting::new(a, &[], 0));
            let elements = Elements {
                permute,
                classes,
                acting,
            };
            return (!elements.classes.is_empty()).then(|| Means::Elements(Box::new(elements)));
        }
        let is_for_slots = !matches!(method, Method::Flood { .. } | Method::Markers { .. });
        let action = system.action().filter(|_| is_for_slots)?;
        Some(Means::Acting(
            Box::new(Stages::new(action, ends)?),
            Kept::default(),
        ))
    }

    fn permute(&self) -> Option<&'a dyn Permute> {
        match self {
            Means::Elements(elements) => Some(elements.permute),
            Means::Acting(..) => None,
        }
    }

    /// What knows about processes that end, if some do.
    fn ends(&self) -> Option<&Stages<'a>> {
        match self {
            Means::Elements(..) => None,
            Means::Acting(stages, _) => Some(&**stages).filter(|stages| stages.has_ends()),
        }
    }
}

/// Puts the representative of a vector by `former` into `out`.
pub(super) fn replace(former: &mut Former<'_>, vector: &[u32], part: Part, out: &mut Vec<u32>) {
    match former.form(vector, part) {
        Formed::Moved => former.apply(vector, part, out),
        Formed::Same | Formed::Opaque => {
            out.clear();
            out.extend_from_slice(vector);
        }
    }
}

impl System for Quotient<'_> {
    pins::forward_system!(self.system: values);

    fn shape(&self) -> &Shape {
        &self.shape
    }

    fn worker(&self) -> Box<dyn Worker + '_> {
        Box::new(Reduced {
            quotient: self,
            inner: self.system.worker(),
            choice: Choice {
                chooser: self.chooser(),
                permute: self.means.permute(),
                alike: Alike::default(),
                own: Vec::new(),
                is_own: false,
                target: Vec::new(),
                tally: Tally::default(),
            },
            repeats: Repeats::default(),
            answered: None,
        })
    }

    fn save(&self) -> Vec<u8> {
        let tally = self.tally();
        let mut saved = Vec::new();
        for bytes in [
            self.system.save(),
            sum_bytes(tally.states),
            sum_bytes(tally.setups),
            self.flooded.save(),
            self.marked.save(),
            match &self.means {
                Means::Acting(_, kept) => kept.save(),
                Means::Elements(..) => Vec::new(),
            },
        ] {
            saved.extend((bytes.len() as u64).to_le_bytes());
            saved.extend(bytes);
        }
        saved
    }

    fn restore(&self, saved: &[u8]) -> Result<(), String> {
        let mut rest = saved;
        let mut next = || -> Result<&[u8], String> {
            let short = || "the tables of the reduction are cut short".to_owned();
            let (head, tail) = rest.split_first_chunk::<8>().ok_or_else(short)?;
            let len = u64::from_le_bytes(*head) as usize;
            let part = tail.get(..len).ok_or_else(short)?;
            rest = &tail[len..];
            Ok(part)
        };
        self.system.restore(next()?)?;
        let states = read_sum(next()?);
        let setups = read_sum(next()?);
        let (flooded, marked, kept) = (next()?, next()?, next()?);
        match &self.means {
            Means::Elements(elements) => {
                let (permute, classes) = (elements.permute, &elements.classes);
                self.flooded
                    .restore(flooded, permute, classes, self.system.shape())?;
            }
            Means::Acting(_, own) => own.restore(kept)?,
        }
        self.marked.restore(marked)?;
        let mut tally = self.tally();
        (tally.states, tally.setups) = (states, setups);
        Ok(())
    }

    fn bytes(&self) -> u64 {
        let kept = match &self.means {
            Means::Acting(_, kept) => kept.bytes(),
            Means::Elements(..) => 0,
        };
        self.system.bytes() + self.flooded.bytes() + self.marked.bytes() + kept
    }
}

fn sum_bytes(sum: Option<u128>) -> Vec<u8> {
    sum.map_or(Vec::new(), |sum| sum.to_le_bytes().to_vec())
}

fn read_sum(bytes: &[u8]) -> Option<u128> {
    bytes.try_into().ok().map(u128::from_le_bytes)
}

struct Reduced<'q> {
    quotient: &'q Quotient<'q>,
    inner: Box<dyn Worker + 'q>,
    choice: Choice<'q>,
    repeats: Repeats,
    /// The size of the orbit of the state that was expanded last, if it was counted.
    answered: Option<u128>,
}

struct Choice<'q> {
    chooser: Box<dyn Chooser + 'q>,
    permute: Option<&'q dyn Permute>,
    alike: Alike,
    /// The representative begun with, where that is what it is.
    own: Vec<u32>,
    is_own: bool,
    target: Vec<u32>,
    tally: Tally,
}

impl Choice<'_> {
    /// The steps that follow are those of this representative; gives the size of its orbit.
    fn begin(&mut self, state: &[u32]) -> Option<u128> {
        self.alike.clear();
        let orbit = self.chooser.begin(state);
        self.own.clear();
        self.own.extend_from_slice(state);
        self.is_own = self.chooser.is_own();
        orbit
    }

    /// Puts the representative of the target of a step into `target`.
    fn choose_step(&mut self, group: GroupId, step: &Step<'_>) -> Result<(), Fault> {
        if self.is_own && self.own == step.target {
            self.tally.spared += 1;
            self.target.clear();
            self.target.extend_from_slice(step.target);
            return Ok(());
        }
        let Some(permute) = self.permute else {
            return self.choose(step.target, Part::State);
        };
        let chooser = &mut self.chooser;
        let exchanges = |found: &mut Exchanges| chooser.exchanges(found);
        match self.alike.find(permute, group, step.label, exchanges) {
            Answer::Known(target) => {
                self.tally.spared += 1;
                self.target.clear();
                self.target.extend_from_slice(target);
                Ok(())
            }
            Answer::Unknown => self.choose(step.target, Part::State),
            Answer::Wanted(hash) => {
                self.choose(step.target, Part::State)?;
                self.alike.note(hash, step.label, &self.target);
                Ok(())
            }
        }
    }

    /// Puts the representative into `target`.
    fn choose(&mut self, vector: &[u32], part: Part) -> Result<(), Fault> {
        self.tally.chosen += 1;
        if self.tally.chosen % SAMPLE != 1 {
            return self.chooser.choose(vector, part, &mut self.target);
        }
        let begun = Instant::now();
        let answer = self.chooser.choose(vector, part, &mut self.target);
        self.tally.sampled += begun.elapsed();
        answer
    }
}

impl Worker for Reduced<'_> {
    pins::forward!(self.inner: guard, label, stutters, heed, go_past_faults);

    fn setups(&mut self, emit: &mut dyn FnMut(&[u32]) -> Flow) -> Result<(), Fault> {
        let choice = &mut self.choice;
        let mut left = self.quotient.most_setups;
        let mut problem = None;
        let answer = self
            .inner
            .setups(&mut |setup| match choice.choose(setup, Part::Setup) {
                Ok(()) => {
                    left -= 1;
                    match emit(&choice.target) {
                        Flow::Continue if left > 0 => Flow::Continue,
                        _ => Flow::Stop,
                    }
                }
                Err(fault) => {
                    problem = Some(fault);
                    Flow::Stop
                }
            });
        problem.map_or(answer, Err)
    }

    fn initial(
        &mut self,
        setup: &[u32],
        emit: &mut dyn FnMut(&[u32]) -> Flow,
    ) -> Result<(), Fault> {
        let choice = &mut self.choice;
        let orbit = choice.chooser.begin_setup(setup);
        choice.tally.setups = add(choice.tally.setups, orbit);
        let mut problem = None;
        let answer = self.inner.initial(
            setup,
            &mut |state| match choice.choose(state, Part::State) {
                Ok(()) => emit(&choice.target),
                Err(fault) => {
                    problem = Some(fault);
                    Flow::Stop
                }
            },
        );
        problem.map_or(answer, Err)
    }

    fn successors(
        &mut self,
        state: &[u32],
        group: GroupId,
        emit: &mut dyn FnMut(Step<'_>) -> Flow,
    ) -> Result<(), Fault> {
        let choice = &mut self.choice;
        choice.begin(state);
        let repeats = &mut self.repeats;
        repeats.clear();
        let mut problem = None;
        let answer = self.inner.successors(state, group, &mut |step| {
            if let Err(fault) = choice.choose_step(group, &step) {
                problem = Some(fault);
                return Flow::Stop;
            }
            if repeats.has(group, step.label, &choice.target) {
                return Flow::Continue;
            }
            emit(Step {
                label: step.label,
                target: &choice.target,
            })
        });
        if answer.is_ok() && problem.is_none() {
            let other = self.ends(state, Some(group), &mut |_, step| emit(step));
            problem = other.map(|(_, fault)| fault);
        }
        problem.map_or(answer, Err)
    }

    fn all_successors(
        &mut self,
        state: &[u32],
        emit: &mut dyn FnMut(GroupId, Step<'_>) -> Flow,
        fault: &mut dyn FnMut(GroupId, Fault),
    ) {
        let choice = &mut self.choice;
        let orbit = choice.begin(state);
        let repeats = &mut self.repeats;
        repeats.clear();
        let mut is_whole = true;
        let mut is_halted = false;
        let mut problem = None;
        self.inner.all_successors(
            state,
            &mut |group, step| {
                if let Err(fault) = choice.choose_step(group, &step) {
                    problem = Some((group, fault));
                    return Flow::Stop;
                }
                if repeats.has(group, step.label, &choice.target) {
                    return Flow::Continue;
                }
                let flow = emit(
                    group,
                    Step {
                        label: step.label,
                        target: &choice.target,
                    },
                );
                is_whole &= flow == Flow::Continue;
                flow
            },
            &mut |group, found| {
                is_halted |= found.kind == FaultKind::Halted;
                fault(group, found);
            },
        );
        if let Some((group, found)) = problem {
            fault(group, found);
        } else if is_whole && !is_halted {
            let other = self.ends(state, None, &mut |group, step| {
                let flow = emit(group, step);
                is_whole &= flow == Flow::Continue;
                flow
            });
            if let Some((group, found)) = other {
                fault(group, found);
            }
        }
        let choice = &mut self.choice;
        // A state that was given up midway is asked again.
        self.answered = None;
        if is_whole && !is_halted {
            choice.tally.states = add(choice.tally.states, orbit);
            choice.tally.expanded += 1;
            self.answered = orbit;
        }
    }

    fn give_up(&mut self) {
        if let Some(orbit) = self.answered.take() {
            let tally = &mut self.choice.tally;
            tally.states = tally.states.and_then(|sum| sum.checked_sub(orbit));
            tally.expanded = tally.expanded.saturating_sub(1);
        }
        self.inner.give_up();
    }

    /// What was counted is handed over with the notes: whoever rebuilds a path asks for none and is not counted.
    fn take_notes(&mut self) -> Notes {
        let mut own = std::mem::take(&mut self.choice.tally);
        self.choice.chooser.tally(&mut own);
        let mut tally = self.quotient.tally();
        tally.states = tally
            .states
            .zip(own.states)
            .and_then(|(a, b)| a.checked_add(b));
        tally.setups = tally
            .setups
            .zip(own.setups)
            .and_then(|(a, b)| a.checked_add(b));
        tally.expanded += own.expanded;
        tally.chosen += own.chosen;
        tally.spared += own.spared;
        tally.searched += own.searched;
        tally.opaque += own.opaque;
        tally.sampled += own.sampled;
        self.inner.take_notes()
    }
}

impl Reduced<'_> {
    /// The ends of processes from other states of the orbit.
    fn ends(
        &mut self,
        state: &[u32],
        only: Option<GroupId>,
        emit: &mut dyn FnMut(GroupId, Step<'_>) -> Flow,
    ) -> Option<(GroupId, Fault)> {
        let stages = self.quotient.means.ends()?;
        let (choice, repeats, inner) = (&mut self.choice, &mut self.repeats, &mut self.inner);
        let (mut problem, mut flow) = (None, Flow::Continue);
        stages.each_end(state, &mut |_, _, permuted| {
            if flow == Flow::Stop {
                return;
            }
            inner.all_successors(
                permuted,
                &mut |group, step| {
                    let is_meant = only.is_none_or(|only| only == group);
                    if !is_meant || !stages.is_end(permuted, step.target) {
                        return Flow::Continue;
                    }
                    if let Err(fault) = choice.choose(step.target, Part::State) {
                        problem = Some((group, fault));
                        return Flow::Stop;
                    }
                    if repeats.has(group, step.label, &choice.target) {
                        return Flow::Continue;
                    }
                    let target = &choice.target[..];
                    flow = emit(
                        group,
                        Step {
                            label: step.label,
                            target,
                        },
                    );
                    flow
                },
                &mut |_, _| {},
            );
        });
        problem
    }
}

fn add(sum: Option<u128>, more: Option<u128>) -> Option<u128> {
    sum?.checked_add(more?)
}

/// Finds steps of one group that have become the same: same label, targets in one orbit.
#[derive(Default)]
struct Repeats {
    group: Option<GroupId>,
    labels: Vec<u64>,
    /// Label and target of every step of the group.
    steps: Vec<(usize, usize)>,
    words: Vec<u32>,
    known: FxHashSet<Box<[u32]>>,
}

impl Repeats {
    fn clear(&mut self) {
        self.group = None;
    }

    /// Whether the step was seen before; remembers it.
    fn has(&mut self, group: GroupId, label: &[u32], target: &[u32]) -> bool {
        if self.group != Some(group) {
            self.group = Some(group);
            self.labels.clear();
            self.steps.clear();
            self.words.clear();
            self.known.clear();
        }
        // Steps with different labels are different: as long as no label comes back, nothing is compared.
        let hash = label.iter().fold(label.len() as u64, |hash, word| {
            canon::mix(hash, u64::from(*word))
        });
        let is_new_label = self.known.is_empty() && !self.labels.contains(&hash);
        let start = self.words.len();
        self.words.extend_from_slice(label);
        self.words.extend_from_slice(target);
        self.steps.push((start, self.words.len()));
        if is_new_label && self.labels.len() < MANY {
            self.labels.push(hash);
            return false;
        }
        if self.known.is_empty() {
            let earlier = &self.steps[..self.steps.len() - 1];
            let earlier = earlier
                .iter()
                .map(|(from, to)| Box::from(&self.words[*from..*to]));
            self.known.extend(earlier);
        }
        !self.known.insert(Box::from(&self.words[start..]))
    }
}

/// Labels are compared one by one up to so many.
const MANY: usize = 64;
