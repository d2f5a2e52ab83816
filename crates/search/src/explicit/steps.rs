//! The steps of one state: asked for, each counted once, and what follows when there are none.
//!
//! Every way of exploring states one by one asks here, whatever it does with a step.
//! Invariant: a state has all its steps or is given up: the caller is told when they are not all.

use std::time::Instant;

use pins::{Event, Fault, FaultKind, Flow, GroupId, Step, Worker};
use rustc_hash::FxHashSet;

use super::chosen::Chosen;
use super::found::{Found, Raw, kind_of};
use super::limits::{Stop, Ticker};
use super::outcome::FindingKind;
use super::run::Run;
use super::statistics::Tally;

/// What asking for steps needs from one state to the next, and the steps of the last one.
pub(crate) struct Steps {
    /// The groups of the steps that were taken.
    pub(crate) emitted: Vec<u32>,
    /// Whether a step leads to another state.
    pub(crate) leads_away: bool,
    pub(crate) faults: Vec<(GroupId, Fault)>,
    /// Steps that several groups of one name may make.
    coinciding: FxHashSet<Box<[u32]>>,
    /// Looks at the clock between steps; none where a state has to be finished in any case.
    ticker: Option<Ticker>,
}

/// What became of a step.
pub(crate) enum Taken {
    /// It leads to the state itself.
    Stays,
    /// It leads to another one.
    Leads,
    /// There was no room for the state it leads to.
    NoRoom,
}

impl Steps {
    /// A state is given up when the run has to end.
    pub(crate) fn new() -> Steps {
        Steps {
            ticker: Some(Ticker::new()),
            ..Steps::to_the_end()
        }
    }

    /// A state is finished although the run has to end.
    pub(crate) fn to_the_end() -> Steps {
        Steps {
            emitted: Vec::new(),
            leads_away: false,
            faults: Vec::new(),
            coinciding: FxHashSet::default(),
            ticker: None,
        }
    }

    /// Begins a state.
    pub(crate) fn begin(&mut self) {
        self.emitted.clear();
        self.leads_away = false;
        self.faults.clear();
        self.coinciding.clear();
    }

    /// Whether a step of this number was not taken before; asked of steps that were chosen.
    pub(crate) fn is_first(&mut self, number: u32) -> bool {
        self.coinciding.insert(Box::new([number]))
    }

    /// Asks for the steps of a state and hands each on with its number, one that several groups make once. `false` when they
    /// were not all.
    #[inline]
    pub(crate) fn each(
        &mut self,
        run: &Run<'_>,
        worker: &mut dyn Worker,
        state: &[u32],
        mut take: impl FnMut(u32, Step<'_>) -> Taken,
    ) -> bool {
        let (emitted, leads_away) = (&mut self.emitted, &mut self.leads_away);
        let (coinciding, ticker) = (&mut self.coinciding, &mut self.ticker);
        ask(
            run,
            worker,
            state,
            (ticker, &mut self.faults),
            |group, step| {
                if let Some(twin) = twin(run, group, &step)
                    && !coinciding.insert(twin)
                {
                    return Flow::Continue;
                }
                let number = emitted.len() as u32;
                emitted.push(group.index() as u32);
                match take(number, step) {
                    Taken::Stays => Flow::Continue,
                    Taken::Leads => {
                        *leads_away = true;
                        Flow::Continue
                    }
                    Taken::NoRoom => Flow::Stop,
                }
            },
        )
    }

    /// Asks for the steps of a state and lets the reduction choose; whether it chose fewer than all. `None` when they were
    /// not all.
    pub(crate) fn choose<'r>(
        &mut self,
        run: &'r Run<'r>,
        worker: &mut dyn Worker,
        state: &[u32],
        chosen: &mut Chosen<'r>,
    ) -> Option<bool> {
        chosen.begin();
        let means = (&mut self.ticker, &mut self.faults);
        let is_whole = ask(run, worker, state, means, |group, step| {
            let twin = twin(run, group, &step);
            chosen.push(group.index(), (state, step.target), twin);
            Flow::Continue
        });
        if !is_whole {
            return None;
        }
        for (group, _) in &self.faults {
            chosen.selector.faults(group.index());
        }
        Some(chosen.choose(state, worker))
    }
}

/// Asks for the steps of a state; `false` when they were not all: `take` had no room, the run has to end, or an evaluation was
/// halted.
#[inline]
fn ask(
    run: &Run<'_>,
    worker: &mut dyn Worker,
    state: &[u32],
    (ticker, faults): (&mut Option<Ticker>, &mut Vec<(GroupId, Fault)>),
    mut take: impl FnMut(GroupId, Step<'_>) -> Flow,
) -> bool {
    let (mut is_whole, mut is_halted) = (true, false);
    let mut emit = |group: GroupId, step: Step<'_>| {
        let is_over = ticker.as_mut().is_some_and(|ticker| is_over(run, ticker));
        let flow = match is_over {
            true => Flow::Stop,
            false => take(group, step),
        };
        is_whole &= flow == Flow::Continue;
        flow
    };
    worker.all_successors(state, &mut emit, &mut |group, fault| match fault.kind {
        FaultKind::Halted => is_halted = true,
        _ => faults.push((group, fault)),
    });
    is_whole && !is_halted
}

/// Counts the steps of a state, and notes that it has none, or what it could not do. `raw` is a finding in the state, at a
/// step.
pub(crate) fn account(
    run: &Run<'_>,
    worker: &mut dyn Worker,
    tally: &mut Tally,
    found: &mut Found,
    (state, steps): (&[u32], &mut Steps),
    raw: impl Fn(u32) -> Raw,
) {
    tally.next_state_calls += run.shape.groups.len() as u64;
    tally.count(&steps.emitted);
    if run.config.checks.deadlock && is_dead(run, worker, state, steps) {
        found.findings.push(Raw {
            kind: FindingKind::Deadlock,
            ..raw(u32::MAX)
        });
    }
    for (group, fault) in steps.faults.drain(..) {
        let raw = raw(group.index() as u32);
        found.fault(Raw {
            kind: kind_of(&fault),
            event: Some(Event::Group(group)),
            fault: Some(fault),
            depth: raw.depth + u32::from(!run.shape.faults_stay),
            ..raw
        });
    }
}

/// Whether a state has no step, as deadlock is understood, and does not end properly.
fn is_dead(run: &Run<'_>, worker: &mut dyn Worker, state: &[u32], steps: &Steps) -> bool {
    let checks = &run.config.checks;
    let leads_nowhere = match checks.stuttering {
        true => !steps.leads_away,
        false => steps.emitted.is_empty(),
    };
    if !leads_nowhere || !steps.faults.is_empty() {
        return false;
    }
    // What was given may be less than there is: images of a state are other states.
    if !steps.emitted.is_empty() && !worker.stutters(state) {
        return false;
    }
    let mut ends = checks.ends.iter();
    !ends.any(|label| worker.label(state, *label) == pins::Truth::True)
}

/// What tells a step from those of other groups of the same name; `None` when no other group has the name.
#[inline]
pub(crate) fn twin(run: &Run<'_>, group: GroupId, step: &pins::Step<'_>) -> Option<Box<[u32]>> {
    let name = run.twins[group.index()]?;
    Some(named(name, step))
}

#[inline(never)]
fn named(name: u32, step: &pins::Step<'_>) -> Box<[u32]> {
    let head = [name, step.label.len() as u32];
    [&head, step.label, step.target].concat().into()
}

/// Whether the run has to end in the middle of a state.
#[inline]
fn is_over(run: &Run<'_>, ticker: &mut Ticker) -> bool {
    ticker.tick().is_some_and(|now| has_to_end(run, now))
}

#[cold]
fn has_to_end(run: &Run<'_>, now: Instant) -> bool {
    run.look(now);
    if run.monitor.should_stop() {
        run.signal.raise(Stop::Interrupted);
    }
    let stop = run.signal.get();
    stop != Stop::No && !stop.is_pause()
}
