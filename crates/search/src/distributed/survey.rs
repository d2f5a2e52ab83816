//! A sample of the states and steps of a system, which is meant to look like its whole state space.
//!
//! Technique: a few states of each level are chosen at random and expanded; the next level are those of their successors that were
//! not met before. Whoever walks at random instead stays where steps lead back, and meets states that have few steps:
//! in a balancer of requests 2.2 on average, where all states have 4.7. States that were met are left out here, so the sample is driven to
//! where there are many states, which is where most of them are. What comes first is still close to the beginning: the later half counts.
//! Invariant: the sample depends on counts and never on the clock, unless the run is to end.

use std::collections::hash_map::Entry;

use pins::{Flow, Worker};
use rustc_hash::FxHashMap;

use crate::explicit::limits::Stop;
use crate::explicit::run::Run;

/// States of a level that are expanded.
const BREADTH: usize = 128;
/// Levels.
const LENGTH: usize = 128;
/// Fewer states far from the beginning say little.
const FEW: usize = 256;
/// The most states that are kept in mind, and words of them.
const MOST_STATES: usize = 1 << 18;
const MOST_WORDS: usize = 1 << 22;
/// The most states and steps that are counted.
const MOST_COUNTED: usize = 1 << 12;
const MOST_STEPS: usize = 1 << 14;

/// Some states of a system, and steps between them.
pub struct Sample {
    /// The slots of a state.
    pub slots: usize,
    words: Vec<u32>,
    /// For each state the level in which it was met first; it may lie in an earlier one.
    pub levels: Vec<u32>,
    /// Steps from a state to another one.
    pub steps: Vec<(u32, u32)>,
    /// The states among which cells have to be spread.
    pub group: Vec<u32>,
}

impl Sample {
    /// How many states there are.
    pub fn len(&self) -> usize {
        self.levels.len()
    }

    /// A state.
    pub fn state(&self, number: u32) -> &[u32] {
        &self.words[number as usize * self.slots..][..self.slots]
    }

    /// What all states hold in a slot.
    pub fn column(&self, slot: usize) -> impl Iterator<Item = u32> {
        self.words.iter().skip(slot).step_by(self.slots).copied()
    }
}

/// Takes a sample from the initial states of `origin`, of which more may be expanded as long as `run` goes on.
pub fn survey(run: &Run<'_>, origin: &Run<'_>) -> Sample {
    let slots = run.shape.slots.len();
    let mut survey = Survey {
        slots,
        most: (MOST_WORDS / slots.max(1)).min(MOST_STATES),
        words: Vec::new(),
        levels: Vec::new(),
        numbers: FxHashMap::default(),
        random: 0x9e37_79b9_7f4a_7c15,
    };
    let mut session = origin.store.session();
    let mut state = vec![0; slots];
    for number in 0..origin.store.len().min(survey.most) as u32 {
        session.load(number, &mut state);
        survey.number(&state, 0);
    }
    let mut worker = run.system.worker();
    worker.heed(run.signal.halt.clone());
    let levels = survey.draw(&mut *worker, &|| {
        !run.monitor.should_stop() && run.signal.get() == Stop::No
    });
    survey.sample(levels)
}

/// A sample that is being taken.
struct Survey {
    slots: usize,
    /// The most states.
    most: usize,
    words: Vec<u32>,
    levels: Vec<u32>,
    numbers: FxHashMap<Box<[u32]>, u32>,
    random: u64,
}

/// States of a level that were expanded, and their steps.
#[derive(Default)]
struct Expanded {
    states: Vec<u32>,
    steps: Vec<(u32, u32)>,
}

impl Survey {
    /// The number of a state, met in this level.
    fn number(&mut self, state: &[u32], level: u32) -> u32 {
        let next = self.numbers.len() as u32;
        match self.numbers.entry(state.into()) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(place) => {
                place.insert(next);
                self.levels.push(level);
                self.words.extend_from_slice(state);
                next
            }
        }
    }

    /// Adds the steps of a state.
    fn expand(&mut self, worker: &mut dyn Worker, number: u32, steps: &mut Vec<(u32, u32)>) {
        let from = number as usize;
        let state = self.words[from * self.slots..][..self.slots].to_vec();
        let level = self.levels[from] + 1;
        let mut emit = |_, step: pins::Step<'_>| {
            if self.levels.len() >= self.most {
                return Flow::Stop;
            }
            let target = self.number(step.target, level);
            if target != number {
                steps.push((number, target));
            }
            Flow::Continue
        };
        // A step that faults is none; the search itself will tell.
        worker.all_successors(&state, &mut emit, &mut |_, _| {});
    }

    /// Expands level after level, as far as that leads to states that were not met; the later half, or all if these are all states.
    fn draw(&mut self, worker: &mut dyn Worker, go_on: &dyn Fn() -> bool) -> Vec<Expanded> {
        let mut levels: Vec<Expanded> = Vec::new();
        let mut fresh = 0..self.levels.len() as u32;
        let mut is_whole = true;
        while levels.len() < LENGTH && !fresh.is_empty() {
            let all = fresh.len();
            let mut level = Expanded {
                states: self.some(fresh.collect()),
                ..Expanded::default()
            };
            is_whole &= level.states.len() == all;
            let before = self.levels.len() as u32;
            for number in &level.states {
                if !go_on() {
                    break;
                }
                self.expand(worker, *number, &mut level.steps);
            }
            fresh = before..self.levels.len() as u32;
            // Where hardly anything is new most states were met: there is no more to be learnt.
            let is_known = !is_whole && fresh.len() < level.states.len() / 2;
            levels.push(level);
            if is_known || self.levels.len() >= self.most || !go_on() {
                break;
            }
        }
        let is_whole = is_whole && fresh.is_empty();
        let half = levels.len() / 2;
        let later: usize = levels[half..].iter().map(|level| level.states.len()).sum();
        match is_whole || later < FEW {
            true => levels,
            false => levels.split_off(half),
        }
    }

    /// Some states of a level, at random.
    fn some(&mut self, mut states: Vec<u32>) -> Vec<u32> {
        let wanted = states.len().min(BREADTH);
        for at in 0..wanted {
            let other = at + self.below(states.len() - at);
            states.swap(at, other);
        }
        states.truncate(wanted);
        states
    }

    /// A random number below another one.
    fn below(&mut self, most: usize) -> usize {
        self.random = (self.random)
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        ((self.random >> 33) as usize * most) >> 31
    }

    /// What counts of these levels, with no other states than those that are asked for.
    fn sample(&self, levels: Vec<Expanded>) -> Sample {
        let (group, steps): (Vec<_>, Vec<_>) = levels
            .into_iter()
            .map(|level| (level.states, level.steps))
            .unzip();
        let mut group = thin(group.concat(), MOST_COUNTED);
        let mut steps = thin(steps.concat(), MOST_STEPS);
        let mut sample = Sample {
            slots: self.slots,
            words: Vec::new(),
            levels: Vec::new(),
            steps: Vec::new(),
            group: Vec::new(),
        };
        let mut numbers: FxHashMap<u32, u32> = FxHashMap::default();
        let mut renumber = |number: &mut u32| {
            let next = numbers.len() as u32;
            let old = std::mem::replace(number, next) as usize;
            match numbers.entry(old as u32) {
                Entry::Occupied(known) => *number = *known.get(),
                Entry::Vacant(place) => {
                    place.insert(next);
                    sample.levels.push(self.levels[old]);
                    let words = &self.words[old * self.slots..][..self.slots];
                    sample.words.extend_from_slice(words);
                }
            }
        };
        group.iter_mut().for_each(&mut renumber);
        for (from, to) in &mut steps {
            renumber(from);
            renumber(to);
        }
        Sample {
            group,
            steps,
            ..sample
        }
    }
}

/// Some of a list, when it is long.
fn thin<T: Copy>(list: Vec<T>, most: usize) -> Vec<T> {
    let stride = list.len().div_ceil(most).max(1);
    list.into_iter().step_by(stride).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::explicit::run::Book;
    use crate::explicit::{Config, Quiet, start};
    use pins::System;
    use pins::toy::counters;

    fn sample(system: &dyn System) -> Sample {
        let config = Config::default();
        let run = |system| Run::new(system, &config, &Quiet, None).expect("it can be explored");
        let (run, origin) = (run(system), run(system));
        start::start(&origin, &mut Book::default());
        survey(&run, &origin)
    }

    #[test]
    fn all_of_a_small_system_is_seen() {
        let sample = sample(&counters(2, 10));
        assert_eq!((sample.len(), sample.group.len()), (100, 100));
        assert_eq!(sample.steps.len(), 2 * 9 * 10 + 1);
        for number in 0..100 {
            let state = sample.state(number);
            assert_eq!(sample.levels[number as usize], state[0] + state[1]);
        }
    }

    #[test]
    fn of_a_large_system_the_later_half_counts() {
        let once = sample(&counters(8, 1000));
        assert!(once.group.len() > MOST_COUNTED / 2 && once.group.len() <= MOST_COUNTED);
        assert!(once.steps.len() > MOST_STEPS / 2 && once.steps.len() <= MOST_STEPS);
        let near = (once.group.iter()).filter(|number| once.levels[**number as usize] < 60);
        assert_eq!(near.count(), 0);
        for (from, to) in &once.steps {
            let pairs = once.state(*from).iter().zip(once.state(*to));
            assert_eq!(pairs.filter(|(a, b)| a != b).count(), 1);
        }
        let again = sample(&counters(8, 1000));
        assert_eq!((once.steps, once.group), (again.steps, again.group));
    }

    #[test]
    fn what_is_met_again_ends_it() {
        // 1,000 states, of which a level has up to 75; 27,000 states, of which most are met soon.
        for (values, most) in [(10, 1_000), (30, 27_000)] {
            let sample = sample(&counters(3, values));
            assert!(
                sample.len() <= most && sample.group.len() >= FEW,
                "{values}"
            );
        }
    }

    #[test]
    fn long_states_take_no_more_memory() {
        let sample = sample(&counters(2_000, 9));
        assert!(sample.len() <= MOST_WORDS / 2_000);
        assert!(!sample.group.is_empty());
    }
}
