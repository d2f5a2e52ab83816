//! Processes of a distributed run as threads, each with a system of its own, connected over loopback as processes are.

use std::sync::Arc;

use pins::System;
use reduce::por::Reduction;
use search::distributed::{self, Config, Outcome, Secret, Team, Waiting};
use search::explicit::{self, FindingKind, Monitor, Refused};

/// What a process works on: its system, and which steps it takes.
#[derive(Clone, Copy)]
pub struct Task<'t> {
    pub system: &'t dyn System,
    pub reduction: Option<&'t Reduction<'t>>,
}

impl<'t> Task<'t> {
    /// The steps of a system, or those that a reduction takes.
    pub fn new(system: &'t dyn System, reduction: Option<&'t Reduction<'t>>) -> Task<'t> {
        Task { system, reduction }
    }
}

/// Explores with one process for each task, each told what `told` says for its number; what the first one says.
pub fn together(
    tasks: &[Task<'_>],
    told: impl Fn(usize, &Arc<Team>) -> (Config, Box<dyn Monitor>) + Sync,
) -> Result<Outcome, Refused> {
    let secret = Secret::new("a secret of this test");
    let waiting: Vec<Waiting> = tasks[1..]
        .iter()
        .map(|_| Waiting::listen("127.0.0.1:0").expect("loopback has a free port"))
        .collect();
    let addresses: Vec<String> = waiting.iter().map(|w| w.address().to_string()).collect();
    let work = |at: usize, team: Team| {
        let team = Arc::new(team);
        let (config, monitor) = told(at, &team);
        let Task { system, reduction } = tasks[at];
        distributed::explore(system, &config, reduction, &team, &*monitor)
    };
    std::thread::scope(|scope| {
        for (at, waiting) in waiting.iter().enumerate() {
            let (secret, work) = (&secret, &work);
            scope.spawn(move || {
                let team = waiting.join(secret, &|| false);
                let team = team
                    .expect("the team comes together")
                    .expect("nobody stops");
                assert!(matches!(work(at + 1, team), Ok(None) | Err(_)));
            });
        }
        let team = Team::lead(&addresses, &secret, distributed::PATIENCE, |_| false)?;
        let outcome = work(0, team)?;
        Ok(outcome.expect("the first process gets the outcome"))
    })
}

/// A run as `search` says, not saved.
pub fn config(search: &explicit::Config) -> Config {
    Config {
        search: search.clone(),
        threads: 1,
        memory_each: None,
        saves: None,
        resume: None,
    }
}

/// What must not depend on the number of processes.
pub fn essence(outcome: &explicit::Outcome) -> impl PartialEq + std::fmt::Debug + use<> {
    let statistics = &outcome.statistics;
    let findings = outcome.findings.iter();
    let mut findings: Vec<(u32, FindingKind, usize)> = findings
        .map(|finding| (finding.depth, finding.kind, finding.path.len()))
        .collect();
    findings.sort_unstable();
    (
        (statistics.states, statistics.transitions, statistics.setups),
        (statistics.start_edges, statistics.next_state_calls),
        (statistics.depth, statistics.frontier),
        statistics.group_transitions.clone(),
        statistics.slot_values.clone(),
        findings,
        (outcome.is_complete, outcome.open.clone()),
    )
}
