//! One worker of a run: what it owns, what it hears and what it tells the others.
//!
//! What the others say is heard in `hear`.
//! Invariant: a worker that waits still receives, so nobody waits for ever.

use std::sync::atomic::Ordering::Relaxed;
use std::time::{Duration, Instant};

use pins::{Notes, Worker};
use rustc_hash::FxHashSet;

use super::delivery::{Delivery, NOBODY, Origin};
use super::edge::{Inlet, all_slots};
use super::messages::{Kind, Report, Share, Tick, Told};
use super::por::Proviso;
use super::port::{Parcel, Port};
use super::routing::Owners;
use crate::explicit::config::Progress;
use crate::explicit::found::Found;
use crate::explicit::limits::{Stop, Ticker};
use crate::explicit::run::{Book, Run};

/// The owner of the parent of an initial state: its number is that of the set-up.
pub const START: u32 = u32::MAX;

/// The most bytes that may be on their way to a worker that did not look at them yet.
const WINDOW: u64 = 16 << 20;
/// While a worker waits it looks up so often.
pub const GLANCE: Duration = Duration::from_millis(5);
/// Progress is told five times a second.
const TELL: Duration = Duration::from_millis(200);

/// Some process is lost: nothing that needs all of them can go on.
#[derive(Debug)]
pub struct Broken;

/// The level that is being expanded, of the states of this worker.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Level {
    /// Steps from an initial state.
    pub depth: u32,
    /// The number of its first state that is not expanded.
    pub at: u32,
    /// The first number of the next level.
    pub end: u32,
}

/// One worker.
pub struct Node<'r> {
    pub run: &'r Run<'r>,
    pub port: Port,
    pub worker: Box<dyn Worker + 'r>,
    pub delivery: Delivery<'r>,
    pub proviso: Option<Proviso<'r>>,
    pub level: Level,
    pub found: Found,
    pub notes: Notes,
    /// States of the level, and of the next one, in which some label is not as wanted.
    pub unclean: (FxHashSet<u32>, FxHashSet<u32>),
    pub expanded: u64,
    pub peak: u64,
    /// Why this run makes no sense.
    pub refusal: Option<String>,
    /// The reports of all workers, in the round in which they come.
    pub reports: Vec<Option<Report>>,
    /// What the others found in all, for the first worker.
    pub shares: Vec<(usize, Share)>,
    pub told: Option<Told>,
    /// Whether the workers wrote their parts of a cut, and why not.
    pub written: Vec<Option<Option<String>>>,
    /// Where the first worker found the set-ups, and what it noticed.
    pub origin: Option<(&'r Run<'r>, Book)>,
    /// States below this number come from a saved run: what holds in them is not known.
    pub known_from: u32,
    /// Whether there is something to resume.
    pub has_cut: bool,
    /// The most states of all workers together.
    pub most_states: Option<u64>,
    /// The most bytes of all workers together.
    pub most_bytes: Option<u64>,
    pub is_over: bool,
    /// Parcels of a run that is resumed.
    pub saved: Vec<(Kind, Parcel)>,
    pub ticks: Vec<Tick>,
    pub state: Vec<u32>,
    pub changed: Vec<u64>,
    pub inlets: Vec<Inlet>,
    /// For each worker the bytes sent to it, and how many of them it looked at.
    pub flow: Vec<(u64, u64)>,
    /// For each worker the bytes it sent that were looked at, and how many of them it knows of.
    pub debt: Vec<(u64, u64)>,
    /// The last stop that the others were told.
    pub said: Stop,
    ticker: Ticker,
    told_at: (Instant, u64),
    /// When the last cut was complete, and how long it took.
    pub saved_at: (Instant, Duration),
    /// How often the first worker wants a cut.
    pub saves_every: Option<Duration>,
}

impl<'r> Node<'r> {
    /// A worker that owns nothing yet.
    pub fn new(run: &'r Run<'r>, port: Port) -> Node<'r> {
        let (slots, peers) = (run.shape.slots.len(), port.peers());
        let near: Vec<bool> = (0..peers).map(|worker| port.is_near(worker)).collect();
        let mut worker = run.system.worker();
        worker.heed(run.signal.halt.clone());
        let proviso = run.reduction.map(|reduction| Proviso::new(reduction, run));
        let now = Instant::now();
        Node {
            run,
            worker,
            delivery: Delivery::new(run, port.me(), &near),
            proviso,
            level: Level::default(),
            found: Found::default(),
            notes: Notes::default(),
            unclean: Default::default(),
            expanded: 0,
            peak: 0,
            refusal: None,
            reports: vec![None; peers],
            shares: Vec::new(),
            told: None,
            written: vec![None; peers],
            origin: None,
            known_from: 0,
            has_cut: false,
            most_states: None,
            most_bytes: None,
            is_over: false,
            saved: Vec::new(),
            ticks: vec![Tick::default(); peers],
            state: vec![0; slots],
            changed: vec![0; run.labels.words()],
            inlets: near.iter().map(|near| Inlet::new(slots, *near)).collect(),
            flow: vec![(0, 0); peers],
            debt: vec![(0, 0); peers],
            said: Stop::No,
            ticker: Ticker::new(),
            told_at: (now, 0),
            saved_at: (now, Duration::ZERO),
            saves_every: None,
            port,
        }
    }

    /// The number of this worker.
    pub fn me(&self) -> usize {
        self.port.me()
    }

    /// Sends what is ready, and looks at what has arrived; waits while too much is on its way.
    pub fn poll(&mut self) -> Result<(), Broken> {
        self.send_out();
        self.look_up(Duration::ZERO)?;
        while self.flow.iter().any(|(sent, taken)| sent - taken > WINDOW) {
            self.look_up(GLANCE)?;
        }
        Ok(())
    }

    /// After a state: looks at the clock now and then.
    #[inline]
    pub fn after_state(&mut self) -> Result<(), Broken> {
        if !self.delivery.outbox.is_empty() {
            self.send_out();
        }
        match self.ticker.tick() {
            Some(now) => {
                self.run.look(now);
                self.poll()
            }
            None => Ok(()),
        }
    }

    fn send_out(&mut self) {
        for (to, bytes) in self.delivery.outbox.drain(..) {
            self.flow[to].0 += bytes.len() as u64;
            self.port.send(to, bytes);
        }
    }

    /// Moves parcels and looks at those that arrived.
    pub fn look_up(&mut self, patience: Duration) -> Result<(), Broken> {
        self.port.step(patience);
        while let Some(parcel) = self.port.receive(Kind::is_urgent) {
            self.take(parcel);
        }
        self.tell();
        match self.port.is_broken() {
            true => Err(Broken),
            false => Ok(()),
        }
    }

    /// Ends the round here and waits until it is over for everybody; all that was sent in it has then been looked at.
    pub fn finish_round(&mut self) -> Result<(), Broken> {
        // What waited in between has room.
        self.delivery.insert();
        self.check_fresh();
        self.delivery.flush();
        // The last states and the mark go together.
        self.send_out();
        self.port.end_round();
        self.look_up(Duration::ZERO)?;
        while !self.port.is_round_over() {
            self.look_up(GLANCE)?;
        }
        self.port.begin_round();
        Ok(())
    }

    /// States came for which there is no room.
    pub fn lose_states(&mut self) {
        self.run.no_room();
        self.leave_undecided();
    }

    /// What is stored is no state from which the run could go on, or proves less than it seems to.
    pub fn leave_undecided(&self) {
        self.run.signal.is_undecided.store(true, Relaxed);
    }

    /// Stores a state that follows from none; whether there is room.
    pub fn place(&mut self, state: &[u32], link: (u32, u32)) -> bool {
        let mut all = vec![0; self.changed.len()];
        all_slots(&mut all, state.len());
        let origin = Origin {
            link,
            is_clean: false,
            asker: NOBODY,
        };
        let delivery = &mut self.delivery;
        let has_room = delivery.arrive(state, (&all, &all), origin) && delivery.insert();
        if !has_room {
            self.lose_states();
        }
        has_room
    }

    /// Checks the labels of states that were stored since the last time.
    pub fn check_fresh(&mut self) {
        if self.delivery.fresh.ids.is_empty() {
            return;
        }
        let (run, slots) = (self.run, self.state.len());
        let fresh = std::mem::take(&mut self.delivery.fresh);
        let words = run.labels.words();
        if !run.labels.is_empty() {
            for (at, id) in fresh.ids.iter().enumerate() {
                let state = &fresh.vectors[at * slots..(at + 1) * slots];
                let changed = &fresh.changed[at * words..(at + 1) * words];
                let changed = fresh.clean[at].then_some(changed);
                let (found, routing) = (&mut self.found, &mut self.delivery.routing);
                let below = self.level.depth + 1;
                let calls = run
                    .labels
                    .check(&mut *self.worker, state, changed, |noticed| {
                        if noticed.is_halted() {
                            run.signal.is_undecided.store(true, Relaxed);
                        }
                        let key = routing.key(state);
                        let depth = match run.links.get(*id) {
                            Some((START, _)) => 0,
                            _ => below,
                        };
                        found.notice(noticed, (*id, depth, key));
                    });
                self.delivery.tally.label_calls += calls;
            }
            if !self.found.unclean.is_empty() {
                self.unclean.1.extend(self.found.unclean.drain(..));
            }
        }
        self.delivery.fresh = fresh;
        self.delivery.fresh.clear();
    }

    /// Tells the others about a signal, and the first worker how far this one is; that one looks after limits in sum.
    fn tell(&mut self) {
        let run = self.run;
        if run.monitor.should_stop() {
            run.signal.raise(Stop::Interrupted);
        }
        let stop = run.signal.get();
        if stop != Stop::No && stop != self.said {
            self.said = stop;
            self.port.send_others(&Kind::Signal.parcel(&(stop as u8)));
        }
        if self.told_at.0.elapsed() < TELL {
            return;
        }
        let tick = self.tick();
        self.peak = self.peak.max(tick.bytes);
        if self.me() != 0 {
            self.told_at.0 = Instant::now();
            return self.port.send(0, Kind::Tick.parcel(&tick));
        }
        self.ticks[0] = tick;
        let sum = sum(&self.ticks);
        let passed = self.told_at.0.elapsed().as_secs_f64().max(1e-9);
        run.monitor.progress(&Progress {
            states: sum.states,
            transitions: sum.transitions,
            frontier: sum.states.saturating_sub(sum.expanded),
            depth: self.level.depth,
            rate: sum.states.saturating_sub(self.told_at.1) as f64 / passed,
            bytes: sum.bytes,
            elapsed: run.elapsed(),
        });
        self.told_at = (Instant::now(), sum.states);
        if self.most_states.is_some_and(|most| sum.states >= most) {
            run.signal.raise(Stop::States);
        }
        if self.most_bytes.is_some_and(|most| sum.bytes > most) {
            run.signal.raise(Stop::Memory);
        }
        if let Some(every) = self.saves_every
            // At most half of the time goes to cuts, however often they are wanted.
            && self.saved_at.0.elapsed() >= every.max(self.saved_at.1)
        {
            run.signal.raise(Stop::Pause);
        }
    }

    /// How far this worker is.
    pub fn tick(&mut self) -> Tick {
        let held: u64 = self.inlets.iter().map(Inlet::held).sum();
        let held = held + self.delivery.held();
        self.run.signal.growing.store(held, Relaxed);
        Tick {
            states: self.run.store.len() as u64,
            transitions: self.delivery.tally.transitions,
            expanded: self.expanded,
            bytes: self.run.bytes(0),
        }
    }

    /// The run makes no sense, for this reason.
    pub fn refuse(&mut self, why: String) {
        self.refusal.get_or_insert(why);
    }

    /// For everybody, from the next round on, this decides who owns a state.
    pub fn heed_owners(&mut self, owners: Owners) {
        self.port.send_others(&Kind::Owners.parcel(&owners));
        if let Err(why) = self.delivery.routing.heed(owners) {
            self.refuse(why);
        }
    }

    /// Whether something that was reached is not stored, or not checked.
    pub fn is_undecided(&self) -> bool {
        self.run.signal.is_undecided.load(Relaxed)
    }

    /// The pause is over.
    pub fn go_on(&mut self) {
        self.run.signal.clear(Stop::Pause);
        self.said = self.run.signal.get();
    }
}

/// What all workers have together.
pub fn sum<'t>(ticks: impl IntoIterator<Item = &'t Tick>) -> Tick {
    let mut sum = Tick::default();
    for tick in ticks {
        sum.states += tick.states;
        sum.transitions += tick.transitions;
        sum.expanded += tick.expanded;
        sum.bytes += tick.bytes;
    }
    sum
}
