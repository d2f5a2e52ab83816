//! Partial order reduction without a common stack or queue: the proviso asks the owners.
//!
//! A state may be expanded in part when some chosen step leads to a state of the next level ([`crate::explicit::chosen`]): no
//! state of the levels so far. Whether it does is known to the owner of the target, which is asked and answers in
//! the next round; a state none of whose chosen steps led on is expanded in full in the round after that, before the level
//! ends. What counts is the level of a state, not who found it first: so what is explored is what one process explores.

use std::collections::VecDeque;

use pins::{FaultKind, Flow, GroupId};
use reduce::por::Reduction;
use rustc_hash::{FxHashMap, FxHashSet};

use super::delivery::Target;
use super::edge::Source;
use super::messages::Kind;
use super::node::{Broken, Node};
use crate::explicit::chosen::{Chosen, Part};
use crate::explicit::differences;
use crate::explicit::expand::{is_over, twin};
use crate::explicit::limits::Ticker;
use crate::explicit::run::Run;

/// One worker's means of choosing, and what it waits for.
pub struct Proviso<'r> {
    chosen: Chosen<'r>,
    asks: bool,
    /// For each worker the states about whose steps it was asked, in order.
    questions: FxHashMap<usize, VecDeque<u32>>,
    waiting: FxHashMap<u32, Waiting>,
    /// States that are to be expanded in full.
    forced: Vec<u32>,
    /// Steps that may coincide and were taken.
    coinciding: FxHashSet<u32>,
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
            coinciding: FxHashSet::default(),
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
    /// Computes the steps of the loaded state and chooses some; whether that is fewer than all. `None` when the
    /// state had to be given up.
    fn choose(
        &mut self,
        proviso: &mut Proviso<'r>,
        faults: &mut Vec<(GroupId, pins::Fault)>,
        mut ticker: Option<&mut Ticker>,
    ) -> Option<bool> {
        let (run, state, chosen) = (self.run, &self.state, &mut proviso.chosen);
        let mut is_whole = true;
        chosen.begin();
        proviso.coinciding.clear();
        faults.clear();
        let mut emit = |group: GroupId, step: pins::Step<'_>| {
            if ticker.as_mut().is_some_and(|ticker| is_over(run, ticker)) {
                is_whole = false;
                return Flow::Stop;
            }
            let twin = twin(run, group, &step);
            chosen.push(group.index(), (state, step.target), twin);
            Flow::Continue
        };
        let mut is_halted = false;
        self.worker
            .all_successors(state, &mut emit, &mut |group, fault| match fault.kind {
                FaultKind::Halted => is_halted = true,
                _ => faults.push((group, fault)),
            });
        if !is_whole || is_halted {
            return None;
        }
        for (group, _) in faults.iter() {
            chosen.selector.faults(group.index());
        }
        Some(chosen.choose(state, &mut *self.worker))
    }

    /// Takes the chosen steps of the loaded state; `false` when it had to be given up.
    pub fn chosen_steps(
        &mut self,
        source: (u32, bool),
        emitted: &mut Vec<u32>,
        faults: &mut Vec<(GroupId, pins::Fault)>,
        ticker: &mut Ticker,
    ) -> bool {
        let Some(mut proviso) = self.proviso.take() else {
            return false;
        };
        let is_whole = match self.choose(&mut proviso, faults, Some(ticker)) {
            None => false,
            Some(false) => self.deliver_part(&mut proviso, source, Part::All, emitted),
            Some(true) if !proviso.asks => {
                let is_whole = self.deliver_part(&mut proviso, source, Part::Chosen, emitted);
                let steps = proviso.chosen.len();
                proviso.chosen.selector.explored(emitted.len(), steps);
                is_whole
            }
            Some(true) => self.deliver_and_ask(&mut proviso, source, emitted),
        };
        self.proviso = Some(proviso);
        is_whole
    }

    /// Delivers the chosen steps, and finds out whether one leads to the next level, as far as that is known here.
    fn deliver_and_ask(
        &mut self,
        proviso: &mut Proviso<'r>,
        source: (u32, bool),
        emitted: &mut Vec<u32>,
    ) -> bool {
        self.delivery.has_progress = false;
        let mut abroad = Vec::new();
        let mut has_room = true;
        let me = self.me();
        self.each_step(proviso, Part::Chosen, emitted, |delivery, target| {
            if delivery.owner(&target) == me {
                has_room &= delivery.keep(parent(source), target, me as u32);
            } else {
                abroad.push((target.vector.to_vec(), target.changed.to_vec(), target.cell));
            }
        });
        has_room &= self.delivery.insert();
        let has_progress = self.delivery.has_progress;
        let steps = proviso.chosen.len();
        for (vector, changed, cell) in &abroad {
            let target = Target {
                vector,
                changed,
                cell: *cell,
            };
            let source = parent(source);
            if has_progress {
                has_room &= self.delivery.deliver(source, target);
            } else {
                let owner = self.delivery.ask(source, target);
                let questions = proviso.questions.entry(owner).or_default();
                questions.push_back(source.number);
            }
        }
        if has_progress {
            proviso.chosen.selector.explored(emitted.len(), steps);
        } else if abroad.is_empty() {
            proviso.chosen.selector.forced();
            has_room &= self.deliver_part(proviso, source, Part::Others, emitted);
        } else {
            let waiting = Waiting {
                left: abroad.len() as u32,
                has_progress: false,
                explored: (emitted.len() as u32, steps as u32),
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
        emitted: &mut Vec<u32>,
    ) -> bool {
        let mut has_room = true;
        self.each_step(proviso, part, emitted, |delivery, target| {
            has_room &= delivery.deliver(parent(source), target);
        });
        self.delivery.insert() && has_room
    }

    /// Each step of a part that changes something, once.
    fn each_step(
        &mut self,
        proviso: &mut Proviso<'r>,
        part: Part,
        emitted: &mut Vec<u32>,
        mut each: impl FnMut(&mut super::delivery::Delivery<'r>, Target<'_>),
    ) {
        let (state, changed) = (&self.state, &mut self.changed);
        let cell = self.delivery.routing.cell(state);
        for (group, number, target) in proviso.chosen.steps(part) {
            // One number is one step, whichever of its groups was chosen.
            if proviso.chosen.has_twins() && !proviso.coinciding.insert(number) {
                continue;
            }
            emitted.push(group);
            if differences(state, target, changed) {
                self.leads_away = true;
                let routing = &mut self.delivery.routing;
                let target = Target {
                    cell: routing.next_cell(cell, state, target),
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
        let (mut taken, mut emitted, mut faults) = (Vec::new(), Vec::new(), Vec::new());
        self.delivery.session.load(id, &mut self.state);
        let is_chosen = self.choose(&mut proviso, &mut faults, None);
        // It was counted when it was asked for the first time.
        self.worker.give_up();
        proviso.chosen.selector.forced();
        let source = (id, self.is_clean(id));
        let has_room = match is_chosen {
            Some(_) => {
                // Steps that were taken already are not taken again under another group's name.
                self.each_step(&mut proviso, Part::Chosen, &mut taken, |_, _| {});
                self.deliver_part(&mut proviso, source, Part::Others, &mut emitted)
            }
            None => false,
        };
        if !has_room {
            self.lose_states();
        }
        self.delivery.tally.count(&emitted);
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
