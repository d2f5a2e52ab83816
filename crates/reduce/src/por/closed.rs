//! A smaller system for formulas about paths: on every cycle of it some state is expanded in full.
//!
//! Paper: [Clarke, Grumberg, Minea, Peled 1999], condition C3. A depth-first search decides before the check which states
//! are expanded in full: those with a chosen step back to a state on the stack. Every cycle has such a step.
//! Preserves: LTL without next and yesterday over atoms about states that only visible groups change.
//! Invariant: the steps of a state depend on the state alone, so any engine may explore the system in any order.

use pins::{Fault, FaultKind, Flow, GroupId, Step, System, Worker};
use rustc_hash::{FxHashMap, FxHashSet};

use super::reduction::{Reduction, Selector};
use super::sets::GroupSet;

/// A system with fewer steps.
pub struct Closed<'s> {
    system: &'s dyn System,
    reduction: &'s Reduction<'s>,
    /// States that are expanded in full although fewer steps were chosen.
    full: FxHashSet<Box<[u32]>>,
}

impl<'s> Closed<'s> {
    /// Reduces a system; `go_on` hears how many states were found, and `None` is the answer when it says no.
    pub fn new(
        system: &'s dyn System,
        reduction: &'s Reduction<'s>,
        go_on: &mut dyn FnMut(u64) -> bool,
    ) -> Option<Closed<'s>> {
        let mut search = Search {
            steps: Steps::new(system, reduction),
            numbers: FxHashMap::default(),
            on_stack: Vec::new(),
            full: FxHashSet::default(),
        };
        let mut starts: Vec<Vec<u32>> = Vec::new();
        let mut setups: Vec<Vec<u32>> = Vec::new();
        // Faults are told by the search that follows.
        let _ = search.steps.worker.setups(&mut |setup| {
            setups.push(setup.to_vec());
            Flow::Continue
        });
        for setup in setups {
            let _ = search.steps.worker.initial(&setup, &mut |state| {
                starts.push(state.to_vec());
                Flow::Continue
            });
        }
        for start in starts {
            search.from(start, go_on)?;
        }
        let full = search.full;
        Some(Closed {
            system,
            reduction,
            full,
        })
    }
}

/// The depth-first search.
struct Search<'s> {
    steps: Steps<'s>,
    numbers: FxHashMap<Box<[u32]>, u32>,
    on_stack: Vec<bool>,
    full: FxHashSet<Box<[u32]>>,
}

impl Search<'_> {
    fn from(&mut self, start: Vec<u32>, go_on: &mut dyn FnMut(u64) -> bool) -> Option<()> {
        let mut stack: Vec<(u32, Vec<Vec<u32>>)> = Vec::new();
        if let Some(frame) = self.enter(start) {
            stack.push(frame);
        }
        while let Some((number, pending)) = stack.last_mut() {
            let Some(next) = pending.pop() else {
                self.on_stack[*number as usize] = false;
                stack.pop();
                continue;
            };
            if let Some(frame) = self.enter(next) {
                if !go_on(self.numbers.len() as u64) {
                    return None;
                }
                stack.push(frame);
            }
        }
        Some(())
    }

    /// A state on the stack with the states it leads to; `None` when it is known.
    fn enter(&mut self, state: Vec<u32>) -> Option<(u32, Vec<Vec<u32>>)> {
        let state = state.into_boxed_slice();
        if self.numbers.contains_key(&state) {
            return None;
        }
        let number = self.numbers.len() as u32;
        self.numbers.insert(state.clone(), number);
        self.on_stack.push(true);
        self.steps.ask(&state, &mut |_, _| {});
        let chosen = self.steps.choose(&state);
        let targets = |steps: &Steps<'_>, chosen: Option<&GroupSet>| -> Vec<Vec<u32>> {
            let kept = steps.all.iter();
            kept.filter(|(group, ..)| chosen.is_none_or(|c| c.contains(group.index())))
                .map(|(_, _, target)| target.clone())
                .collect()
        };
        let mut next = targets(&self.steps, chosen.as_ref());
        let closes = |target: &Vec<u32>| {
            let known = self.numbers.get(target.as_slice());
            known.is_some_and(|number| self.on_stack[*number as usize])
        };
        if chosen.is_some() && next.iter().any(closes) {
            self.full.insert(state);
            next = targets(&self.steps, None);
        }
        next.reverse();
        Some((number, next))
    }
}

/// Asks for the steps of a state and chooses among them.
struct Steps<'s> {
    worker: Box<dyn Worker + 's>,
    selector: Selector<'s>,
    all: Vec<(GroupId, Vec<u32>, Vec<u32>)>,
}

impl<'s> Steps<'s> {
    fn new(system: &'s dyn System, reduction: &'s Reduction<'s>) -> Steps<'s> {
        Steps {
            worker: system.worker(),
            selector: reduction.selector(),
            all: Vec::new(),
        }
    }

    fn ask(&mut self, state: &[u32], fault: &mut dyn FnMut(GroupId, Fault)) {
        let (all, selector) = (&mut self.all, &mut self.selector);
        all.clear();
        selector.begin();
        let mut faulty = Vec::new();
        self.worker.all_successors(
            state,
            &mut |group, step| {
                all.push((group, step.label.to_vec(), step.target.to_vec()));
                Flow::Continue
            },
            &mut |group, found| {
                faulty.push(group);
                fault(group, found);
            },
        );
        for (group, _, target) in all.iter() {
            selector.happens(group.index(), state, target);
        }
        for group in faulty {
            selector.faults(group.index());
        }
    }

    /// The groups that are explored; `None` for all.
    fn choose(&mut self, state: &[u32]) -> Option<GroupSet> {
        let chosen = self.selector.choose(state, &mut *self.worker);
        let chosen = chosen.cloned();
        if let Some(chosen) = &chosen {
            let kept = self.all.iter();
            let kept = kept.filter(|(group, ..)| chosen.contains(group.index()));
            let kept = kept.count();
            self.selector.explored(kept, self.all.len());
        }
        chosen
    }
}

impl System for Closed<'_> {
    pins::forward_system!(self.system: shape, values);

    fn worker(&self) -> Box<dyn Worker + '_> {
        Box::new(Fewer {
            closed: self,
            steps: Steps::new(self.system, self.reduction),
        })
    }

    fn bytes(&self) -> u64 {
        let slots = self.system.shape().slots.len() as u64;
        self.system.bytes() + self.full.len() as u64 * (slots * 4 + 24)
    }
}

struct Fewer<'s> {
    closed: &'s Closed<'s>,
    steps: Steps<'s>,
}

impl Worker for Fewer<'_> {
    pins::forward!(self.steps.worker: setups, initial, label, take_notes, heed);

    fn successors(
        &mut self,
        state: &[u32],
        group: GroupId,
        emit: &mut dyn FnMut(Step<'_>) -> Flow,
    ) -> Result<(), Fault> {
        let mut found = None;
        self.all_successors(
            state,
            &mut |other, step| match other == group {
                true => emit(step),
                false => Flow::Continue,
            },
            &mut |other, fault| {
                if other == group || fault.kind == FaultKind::Halted {
                    found.get_or_insert(fault);
                }
            },
        );
        found.map_or(Ok(()), Err)
    }

    fn all_successors(
        &mut self,
        state: &[u32],
        emit: &mut dyn FnMut(GroupId, Step<'_>) -> Flow,
        fault: &mut dyn FnMut(GroupId, Fault),
    ) {
        self.steps.ask(state, fault);
        let chosen = match self.closed.full.contains(state) {
            true => None,
            false => self.steps.choose(state),
        };
        for (group, label, target) in &self.steps.all {
            if chosen.as_ref().is_some_and(|c| !c.contains(group.index())) {
                continue;
            }
            if emit(*group, Step { label, target }) == Flow::Stop {
                return;
            }
        }
    }
}
