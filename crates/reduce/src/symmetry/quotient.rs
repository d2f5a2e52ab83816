//! The reduced system: every vector is replaced by the representative that a [`Chooser`] names.
//!
//! Paper: [Leuschel, Massart 2010], definition 5: a step of the quotient is a step of the representative, with its
//! label, to the representative of the target.
//! Keeps laws 1, 2, 5 and 7 of a system. Writes are declared for all slots, and constants change with the
//! permutation of the others: law 6 holds up to permutation.
//! Invariant: the answer to a question does not depend on what is remembered (flooding and imprecise markers:
//! on what was asked before; they say so).

mod reduced;
mod repeats;

use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use canon::Exchanges;
use pins::symmetry::classes;
use pins::{Fault, Permute, Shape, SlotSet, System, Worker};

use super::acting::{self, Acting, Ends, Kept, Keyed, Stages, Strategy};
use super::canonical::Canonical;
use super::exact::{Depth, Formed, Former, Part};
use super::flood::{Flooded, Flooding};
use super::markers::{Marked, Marking};
use super::ordered::Sorted;
use reduced::Reduced;

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
        Box::new(Reduced::new(self))
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
