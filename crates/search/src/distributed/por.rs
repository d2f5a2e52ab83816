//! Partial order reduction without a common stack or queue: the proviso asks the owners.
//!
//! A state may be expanded in part when some chosen step leads to a state of the next level ([`crate::explicit::chosen`]): no
//! state of the levels so far. Whether it does is known to the owner of the target, which is asked and answers in
//! the next round; a state none of whose chosen steps led on is expanded in full in the round after that, before the level
//! ends. What counts is the level of a state, not who found it first: so what is explored is what one process explores.

use std::collections::VecDeque;

use reduce::por::Reduction;
use rustc_hash::FxHashMap;

use super::delivery::Target;
use super::edge::Source;
use super::messages::Kind;
use super::node::{Broken, Node};
use crate::explicit::chosen::{Chosen, Part};
use crate::explicit::run::Run;
use crate::explicit::slots::differences;
use crate::explicit::steps::Steps;

/// One worker's means of choosing, and what it waits for.
pub struct Proviso<'r> {
    chosen: Chosen<'r>,
    asks: bool,
    /// For each worker the states about whose steps it was asked, in order.
    questions: FxHashMap<usize, VecDeque<u32>>,
    waiting: FxHashMap<u32, Waiting>,
    /// States that are to be expanded in full.
    forced: Vec<u32>,
}

/// A state that was expanded in part.
#[derive(Clone, Copy, Debug)]
struct Waiting {
    /// Answers that did not come yet.
    left: u32,
    has_progress: bool,
    /// Steps taken, of so many.
    explored: (u32, u32),
}

impl<'r> Proviso<'r> {
    /// For one worker.
    pub fn new(reduction: &'r Reduction<'r>, run: &Run<'_>) -> Proviso<'r> {
        Proviso {
            chosen: Chosen::new(reduction.selector(), run.shape.groups.len()),
            asks: reduction.needs_proviso() || run.config.checks.must_leave(),
            questions: FxHashMap::default(),
            waiting: FxHashMap::default(),
            forced: Vec::new(),
        }
    }

    /// Whether owners are asked at all.
    pub fn asks(&self) -> bool {
        self.asks
    }

    /// A worker answers its oldest questions.
    pub fn answered(&mut self, from: usize, answers: &[u8]) -> Result<(), String> {
        let questions = self.questions.entry(from).or_default();
        for answer in answers {
            let state = questions.pop_front().ok_or("an answer has no question")?;
            let Some(waiting) = self.waiting.get_mut(&state) else {
                return Err("an answer comes too late".to_string());
            };
            waiting.left -= 1;
            waiting.has_progress |= *answer != 0;
            if waiting.left > 0 {
                continue;
            }
            let (explored, steps) = waiting.explored;
            match waiting.has_progress {
                true => self
                    .chosen
                    .selector
                    .explored(explored as usize, steps as usize),
                false => self.forced.push(state),
            }
            self.waiting.remove(&state);
        }
        Ok(())
    }
}

impl<'r> Node<'r> {
    /// Takes the chosen steps of the loaded state; `false` when it had to be given up.
    pub fn chosen_steps(&mut self, source: (u32, bool), steps: &mut Steps) -> bool {
        let Some(mut proviso) = self.proviso.take() else {
            return false;
        };
        let (worker, chosen) = (&mut *self.worker, &mut proviso.chosen);
        let is_whole = match steps.choose(self.run, worker, &self.state, chosen) {
            None => false,
            Some(false) => self.deliver_part(&mut proviso, source, Part::All, steps),
            Some(true) if !proviso.asks => {
                let is_whole = self.deliver_part(&mut proviso, source, Part::Chosen, steps);
                let taken = steps.emitted.len();
                let chosen = &mut proviso.chosen;
                chosen.selector.explored(taken, chosen.len());
                is_whole
            }
            Some(true) => self.deliver_and_ask(&mut proviso, source, steps),
        };
        self.proviso = Some(proviso);
        is_whole
    }

    /// Delivers the chosen steps, and finds out whether one leads to the next level, as far as that is known here.
    fn deliver_and_ask(
        &mut self,
        proviso: &mut Proviso<'r>,
        source: (u32, bool),
        steps: &mut Steps,
    ) -> bool {
        self.delivery.has_progress = false;
        let mut abroad = Vec::new();
        let mut has_room = true;
        let me = self.me();
        self.each_step(proviso, Part::Chosen, steps, |delivery, target| {
            if target.owner == me {
                has_room &= delivery.keep(parent(source), target, me as u32);
            } else {
                let (vector, changed) = (target.vector.to_vec(), target.changed.to_vec());
                abroad.push((vector, changed, target.owner));
            }
        });
        has_room &= self.delivery.insert();
        let has_progress = self.delivery.has_progress;
        let explored = (steps.emitted.len(), proviso.chosen.len());
        for (vector, changed, owner) in &abroad {
            let target = Target {
                vector,
                changed,
                owner: *owner,
            };
            let source = parent(source);
            if has_progress {
                has_room &= self.delivery.deliver(source, target);
            } else {
                self.delivery.ask(source, target);
                let questions = proviso.questions.entry(*owner).or_default();
                questions.push_back(source.number);
            }
        }
        if has_progress {
            proviso.chosen.selector.explored(explored.0, explored.1);
        } else if abroad.is_empty() {
            proviso.chosen.selector.forced();
            has_room &= self.deliver_part(proviso, source, Part::Others, steps);
        } else {
            let waiting = Waiting {
                left: abroad.len() as u32,
                has_progress: false,
                explored: (explored.0 as u32, explored.1 as u32),
            };
            proviso.waiting.insert(source.0, waiting);
        }
        has_room
    }

    fn deliver_part(
        &mut self,
        proviso: &mut Proviso<'r>,
        source: (u32, bool),
        part: Part,
        steps: &mut Steps,
    ) -> bool {
        let mut has_room = true;
        self.each_step(proviso, part, steps, |delivery, target| {
            has_room &= delivery.deliver(parent(source), target);
        });
        self.delivery.insert() && has_room
    }

    /// Each step of a part that changes something, once.
    fn each_step(
        &mut self,
        proviso: &mut Proviso<'r>,
        part: Part,
        steps: &mut Steps,
        mut each: impl FnMut(&mut super::delivery::Delivery<'r>, Target<'_>),
    ) {
        let (state, changed) = (&self.state, &mut self.changed);
        let cell = self.delivery.routing.cell(state);
        for (group, number, target) in proviso.chosen.steps(part) {
            // One number is one step, whichever of its groups was chosen.
            if proviso.chosen.has_twins() && !steps.is_first(number) {
                continue;
            }
            steps.emitted.push(group);
            if differences(state, target, changed) {
                steps.leads_away = true;
                let target = Target {
                    owner: self.delivery.owner(cell, (state, target), Some(changed)),
                    vector: target,
                    changed,
                };
                each(&mut self.delivery, target);
            }
        }
    }

    /// The two rounds that the proviso needs at the end of a level, or of a part of it.
    pub fn keep_proviso(&mut self) -> Result<(), Broken> {
        for to in 0..self.port.peers() {
            let answers = std::mem::take(&mut self.delivery.answers[to]);
            if !answers.is_empty() {
                self.port.send(to, Kind::Answers.parcel(&answers));
            }
        }
        self.finish_round()?;
        let forced = self.proviso.as_mut().map(|p| std::mem::take(&mut p.forced));
        for state in forced.unwrap_or_default() {
            self.expand_others(state);
            self.after_state()?;
        }
        self.finish_round()
    }

    /// Takes the steps of a state that were not chosen; a stop has to wait for that.
    fn expand_others(&mut self, id: u32) {
        let Some(mut proviso) = self.proviso.take() else {
            return;
        };
        let mut steps = Steps::to_the_end();
        self.delivery.session.load(id, &mut self.state);
        let (worker, chosen) = (&mut *self.worker, &mut proviso.chosen);
        let is_chosen = steps.choose(self.run, worker, &self.state, chosen);
        // It was counted when it was asked for the first time.
        self.worker.give_up();
        proviso.chosen.selector.forced();
        let source = (id, self.is_clean(id));
        let has_room = match is_chosen {
            Some(_) => {
                // Steps that were taken already are not taken again under another group's name.
                self.each_step(&mut proviso, Part::Chosen, &mut steps, |_, _| {});
                steps.emitted.clear();
                self.deliver_part(&mut proviso, source, Part::Others, &mut steps)
            }
            None => false,
        };
        if !has_room {
            self.lose_states();
        }
        self.delivery.tally.count(&steps.emitted);
        self.proviso = Some(proviso);
        self.check_fresh();
    }
}

fn parent((number, is_clean): (u32, bool)) -> Source {
    Source {
        number,
        is_clean,
        asks: false,
    }
}
