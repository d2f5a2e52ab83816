//! The worker of the reduced system: asks the unreduced one about representatives and replaces what it answers by representatives.
//!
//! Invariant: a step to several states of one orbit under one label is given once (`repeats.rs`).
//! Invariant: states are counted when all their steps were asked for and taken, and no more than once.

use std::time::Instant;

use canon::Exchanges;
use pins::{Fault, FaultKind, Flow, GroupId, Notes, Permute, Step, Worker};

use super::super::alike::{Alike, Answer};
use super::super::exact::Part;
use super::repeats::Repeats;
use super::{Chooser, Quotient, SAMPLE, Tally};

/// A worker that answers with representatives.
pub(super) struct Reduced<'q> {
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

impl<'q> Reduced<'q> {
    pub(super) fn new(quotient: &'q Quotient<'q>) -> Reduced<'q> {
        Reduced {
            quotient,
            inner: quotient.system.worker(),
            choice: Choice {
                chooser: quotient.chooser(),
                permute: quotient.means.permute(),
                alike: Alike::default(),
                own: Vec::new(),
                is_own: false,
                target: Vec::new(),
                tally: Tally::default(),
            },
            repeats: Repeats::default(),
            answered: None,
        }
    }
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
