//! The course of a worker: levels in rounds, and what all workers decide together at the end of each.
//!
//! A level takes a round in which states travel (three with the proviso of [`super::por`]) and one in which every worker
//! tells all others how far it is. All decide by the same reports, so all decide the same: go on, save, or end.
//! Invariant: a level ends when every worker has the marks of all behind their last states: none is on its way.

use super::cut;
use super::messages::{Kind, Report};
use super::node::{Broken, Node, sum};
use super::por::Proviso;
use crate::explicit::Open;
use crate::explicit::limits::Stop;
use crate::explicit::steps::Steps;

/// How the exploration ended, as everybody knows.
#[derive(Clone, Debug, Default)]
pub struct End {
    /// Why, when it was early.
    pub stop: Option<Stop>,
    /// States that were not expanded.
    pub left: u64,
    /// Whether the limit on depth was met.
    pub is_too_deep: bool,
    /// Why nothing can be said.
    pub refusal: Option<String>,
    /// What the user should know.
    pub warnings: Vec<String>,
    /// The last reports.
    pub reports: Vec<Report>,
}

/// Explores until nothing is left, enough is found, or somebody says stop.
pub fn explore(
    node: &mut Node<'_>,
    mut saves: Option<cut::Saves<'_>>,
    is_resumed: bool,
) -> Result<End, Broken> {
    let mut steps = Steps::new();
    let mut end = End::default();
    let (most, deepest) = (node.most_states, node.run.config.limits.max_depth);
    // The first report is about the initial states: they are the level that comes next.
    let mut is_started = is_resumed;
    loop {
        if is_started {
            node.expand_level(&mut steps)?;
        }
        node.finish_round()?;
        if is_started && node.proviso.as_ref().is_some_and(Proviso::asks) {
            node.keep_proviso()?;
        }
        let reports = exchange_reports(node)?;
        let all = sum(reports.iter().map(|report| &report.tick));
        let left: u64 = reports.iter().map(|report| report.left).sum();
        let next: u64 = reports.iter().map(|report| report.next).sum();
        let findings: u64 = reports.iter().map(|report| report.findings).sum();
        end.left = left + next;
        end.refusal = reports.iter().find_map(|report| report.refusal.clone());
        end.stop = stop(&reports).or_else(|| {
            let is_enough = most.is_some_and(|most| all.states >= most) && left + next > 0;
            is_enough.then_some(Stop::States)
        });
        let pauses = reports.iter().any(|report| report.stop() == Stop::Pause);
        end.reports = reports;
        if end.refusal.is_some() {
            return Ok(end);
        }
        let is_last = end.stop.is_some();
        if let (Some(saves), true) = (&mut saves, (pauses || is_last) && end.left > 0) {
            let warning = saves.write(node)?;
            end.warn(warning);
        }
        if is_last {
            return Ok(end);
        }
        node.go_on();
        if left > 0 {
            continue;
        }
        if next == 0 {
            return Ok(end);
        }
        if is_started {
            node.descend(&end.reports);
        } else {
            is_started = true;
            node.begin_level();
            // Whoever dies from now on, there is a cut to go on from.
            if let Some(saves) = &mut saves {
                let warning = saves.write(node)?;
                end.warn(warning);
            }
        }
        if findings >= node.run.wanted() as u64 {
            return Ok(end);
        }
        end.is_too_deep = deepest.is_some_and(|most| node.level.depth >= most);
        if end.is_too_deep {
            return Ok(end);
        }
    }
}

/// The reason for an end that wins: the same for everybody.
fn stop(reports: &[Report]) -> Option<Stop> {
    let stops = reports.iter().map(Report::stop);
    let stops = stops.filter(|stop| *stop != Stop::No && !stop.is_pause());
    stops.min_by_key(|stop| *stop as u8)
}

/// Tells all others how far this worker is, and hears it of them.
fn exchange_reports(node: &mut Node<'_>) -> Result<Vec<Report>, Broken> {
    let report = node.report();
    node.port.send_others(&Kind::Report.parcel(&report));
    let me = node.me();
    node.reports[me] = Some(report);
    node.finish_round()?;
    let reports = node.reports.iter_mut().map(Option::take);
    // The marks say that all have arrived; one that is missing was not sent as it should.
    reports.collect::<Option<Vec<Report>>>().ok_or(Broken)
}

impl Node<'_> {
    /// How far this worker is.
    pub fn report(&mut self) -> Report {
        let tick = self.tick();
        self.peak = self.peak.max(tick.bytes);
        let level = self.level;
        Report {
            next: tick.states.saturating_sub(u64::from(level.end)),
            tick,
            stop: self.run.signal.get() as u8,
            left: u64::from(level.end - level.at),
            findings: (self.found.findings.len()
                + self.origin.as_ref().map_or(0, |o| o.1.findings.len()))
                as u64,
            refusal: self.refusal.clone(),
        }
    }

    /// The next level is the one to expand.
    ///
    /// `next` are the reports about it. By them all workers expect the same number of states, so their stores grow at the same time: while
    /// one grows alone, all others wait for it.
    pub fn descend(&mut self, reports: &[Report]) {
        self.level.depth += 1;
        self.begin_level();
        let most = |of: &dyn Fn(&Report) -> u64| reports.iter().map(of).max().unwrap_or(0);
        // A level is seldom larger than the one before it by more than a quarter.
        let next = most(&|report| report.next);
        let soon = most(&|report| report.tick.states) + next + next / 4;
        // Whoever has much less would take memory that it does not need yet.
        if self.run.store.len() as u64 >= soon / 4 * 3 {
            self.delivery.session.expect(soon as usize);
        }
    }

    /// All states that are not expanded are the level to expand.
    pub fn begin_level(&mut self) {
        self.level.at = self.level.end;
        self.level.end = self.run.store.len() as u32;
        self.delivery.later_from = self.level.end;
        self.unclean.0 = std::mem::take(&mut self.unclean.1);
        let depth = &self.run.signal.depth;
        depth.store(self.level.depth, std::sync::atomic::Ordering::Relaxed);
    }
}

impl End {
    /// A full disk is told once, however often it is met.
    fn warn(&mut self, warning: Option<String>) {
        self.warnings
            .extend(warning.filter(|warning| !self.warnings.contains(warning)));
    }

    /// The reasons that are not in the book.
    pub fn open(&self) -> Option<Open> {
        self.is_too_deep.then_some(Open::MaxDepth)
    }
}
