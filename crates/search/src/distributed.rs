//! Explores one state space with many processes, on timely dataflow.
//!
//! Every worker owns the states that a hash of some of their values gives it (`routing`, `locality`), in a store of its own. It expands them
//! level by level; successors that others own travel as differences (`edge`), values once for each edge. Marks
//! behind the last states say when a level is complete (`port`), and reports what all decide by (`rounds`).
//! Differs from distributed search in the field (LTSmin, DiVinE, TLC): parcels are authenticated, a lost process ends a
//! run that can be resumed with any number of processes (`cut`, `resume`), and partial order reduction keeps its
//! proviso by asking owners (`por`). Symmetry is reduced before a state is sent: the system is a quotient, whose
//! representatives do not depend on numbers of values.
//! Invariant: counts and verdicts of a complete run are those of [`crate::explicit`], breadth-first.
//! Invariant: nothing is listened on that was not named, and nothing from the network is believed before it is authentic.

mod bytes;
mod cut;
mod delivery;
mod edge;
mod gather;
mod grow;
mod hear;
mod leaving;
mod likeness;
mod locality;
mod loss;
mod messages;
mod node;
mod por;
mod port;
mod resume;
mod rounds;
mod routing;
mod start;
mod survey;
mod team;
mod wire;

use std::path::PathBuf;
use std::time::Duration;

use pins::System;
use reduce::por::Reduction;

pub use cut::Place;
pub use gather::Part;
pub use messages::Traffic;
pub use team::{OPENING, PATIENCE, Secret, Team, Waiting};

use self::cut::{Manifest, Saves};
use self::gather::{Owned, distinct};
use self::messages::{Kind, Share};
use self::node::{Broken, Node, sum};
use self::port::{Exchanges, PortBuilder};
use self::rounds::End;
use crate::explicit::checkpoint::identity;
use crate::explicit::codec::Code;
use crate::explicit::limits::Stop;
use crate::explicit::links::Links;
use crate::explicit::run::{Book, Run};
use crate::explicit::statistics::{MOST_VALUES, Statistics};
use crate::explicit::watch::watched;
use crate::explicit::{Config as Search, Kept, Monitor, Open, Order, Refused};

/// Everything a distributed run is told.
#[derive(Clone, Debug)]
pub struct Config {
    /// The search. Its limits are those of all workers together, and states are counted a few times a second: a run may
    /// find some more than its limit.
    pub search: Search,
    /// Workers in each process; the same in all of them.
    pub threads: usize,
    /// The most bytes of one worker.
    pub memory_each: Option<u64>,
    /// Where the run is saved.
    pub saves: Option<Place>,
    /// A folder to go on from.
    pub resume: Option<PathBuf>,
}

/// The end of a distributed run.
#[derive(Clone, Debug)]
pub struct Outcome {
    /// What was found by all.
    pub search: crate::explicit::Outcome,
    /// What each worker did.
    pub parts: Vec<Part>,
}

/// Explores `system` together with the other processes of `team`, which do the same. The first one gets the outcome, the
/// others `None`. An error means that nothing was explored.
pub fn explore(
    system: &dyn System,
    config: &Config,
    reduction: Option<&Reduction<'_>>,
    team: &Team,
    monitor: &dyn Monitor,
) -> Result<Option<Outcome>, Refused> {
    refuse_what_is_missing(config)?;
    let threads = config.threads.max(1);
    let search = Search {
        limits: crate::explicit::Limits {
            max_memory: config.memory_each.or(config.search.limits.max_memory),
            ..config.search.limits.clone()
        },
        threads: 1,
        ..config.search.clone()
    };
    agree(system, &search, reduction, threads, team)?;
    let mut exchanges = Exchanges::new(team, threads)?;
    let job = Job {
        system,
        config,
        search: &search,
        reduction,
        monitor,
    };
    let ports = exchanges.take();
    let mut results = std::thread::scope(|scope| {
        let threads: Vec<_> = ports
            .into_iter()
            .map(|port| scope.spawn(|| job.work(port)))
            .collect();
        let join = |thread: std::thread::ScopedJoinHandle<'_, _>| match thread.join() {
            Ok(result) => result,
            Err(panic) => {
                // The others must not wait for this process.
                team.hang_up();
                std::panic::resume_unwind(panic)
            }
        };
        threads.into_iter().map(join).collect::<Vec<_>>()
    });
    let lost = exchanges.loss.first();
    if let Some((process, why)) = &lost {
        team.part(*process, why);
    }
    exchanges.close();
    let first = results.swap_remove(0)?;
    Ok(first.map(|mut outcome| {
        if let Some((process, why)) = lost
            && outcome
                .search
                .open
                .iter()
                .any(|o| matches!(o, Open::Lost(_)))
        {
            let name = &team.names[process];
            let lost = format!("process {process} ({name}) was lost: {why}");
            outcome.search.open = vec![Open::Lost(lost)];
        }
        outcome
    }))
}

fn refuse_what_is_missing(config: &Config) -> Result<(), Refused> {
    let search = &config.search;
    let why = if search.order != Order::Bfs {
        "it searches level by level only"
    } else if !search.store.is_exact() {
        "its workers keep whole states only"
    } else if search.checkpoint.is_some() || search.resume.is_some() {
        "it is saved in a folder, not in a file"
    } else {
        return Ok(());
    };
    Err(Refused(format!(
        "the distributed engine cannot do that: {why}"
    )))
}

/// Finds out whether all processes are about the same search.
fn agree(
    system: &dyn System,
    search: &Search,
    reduction: Option<&Reduction<'_>>,
    threads: usize,
    team: &Team,
) -> Result<(), Refused> {
    if team.processes() == 1 {
        return Ok(());
    }
    let run = Run::new(system, search, &crate::explicit::Quiet, None)?;
    let mut ours = identity(&run);
    let extra = format!("{threads} {}", reduction.is_some());
    ours.push(("number of workers or reduction".to_string(), extra.into()));
    let told = |bytes: &[u8]| Vec::<(String, Vec<u8>)>::get(&mut &*bytes).ok();
    if team.me > 0 {
        let mut bytes = Vec::new();
        ours.put(&mut bytes)
            .expect("a vector takes what is written to it");
        team.send(0, &bytes)?;
        let answer = team.receive(0, OPENING)?;
        return match answer.is_empty() {
            true => Ok(()),
            false => Err(Refused(String::from_utf8_lossy(&answer).into_owned())),
        };
    }
    let mut refusal = None;
    for process in 1..team.processes() {
        let theirs = told(&team.receive(process, OPENING)?).unwrap_or_default();
        let odd = ours.iter().zip(&theirs).find(|(a, b)| a != b);
        let what = match odd {
            Some(((what, _), _)) => what.as_str(),
            None if ours.len() != theirs.len() => "version",
            None => continue,
        };
        refusal.get_or_insert(format!(
            "process {process} ({}) has another {what}",
            team.names[process]
        ));
    }
    let answer = refusal.clone().unwrap_or_default();
    for process in 1..team.processes() {
        team.send(process, answer.as_bytes())?;
    }
    refusal.map_or(Ok(()), |why| Err(Refused(why)))
}

/// What the workers of one process have in common.
struct Job<'j> {
    system: &'j dyn System,
    config: &'j Config,
    search: &'j Search,
    reduction: Option<&'j Reduction<'j>>,
    monitor: &'j dyn Monitor,
}

impl Job<'_> {
    /// One worker, from its port to its share; the first one's is the outcome.
    fn work(&self, port: PortBuilder) -> Result<Option<Outcome>, Refused> {
        let port = port.build();
        let is_first = port.me() == 0;
        // The limit on states is that of all workers.
        let own = Search {
            limits: crate::explicit::Limits {
                max_states: None,
                ..self.search.limits.clone()
            },
            ..self.search.clone()
        };
        let mut run = Run::new(self.system, &own, self.monitor, self.reduction)?;
        run.links = Links::in_any_order(own.keep_paths, false);
        let start = start::config(self.search);
        let origin = Run::new(self.system, &start, self.monitor, None)?;
        let mut manifest = None;
        let mut refusal = None;
        if let (true, Some(folder)) = (is_first, &self.config.resume) {
            match resume::manifest(folder, &identity(&run)) {
                Ok(found) => manifest = Some(found),
                Err(why) => refusal = Some(why),
            }
        }
        if let Some(manifest) = &manifest {
            run.earlier = Duration::from_nanos(manifest.elapsed);
        }
        let mut node = Node::new(&run, port);
        node.refusal = refusal;
        let limits = &self.config.search.limits;
        node.most_states = limits.max_states;
        node.most_bytes = limits.max_memory.filter(|_| is_first);
        let explored = watched(&run, || self.explore(&mut node, &origin, manifest.as_ref()));
        let ended = explored.and_then(|end| self.finish(&mut node, end, &origin));
        match ended {
            Ok(result) => {
                node.port.close();
                result
            }
            Err(Broken) => Ok(is_first.then(|| broken(&mut node))),
        }
    }

    fn explore<'r>(
        &self,
        node: &mut Node<'r>,
        origin: &'r Run<'r>,
        manifest: Option<&Manifest>,
    ) -> Result<End, Broken> {
        let is_first = node.me() == 0;
        let saves = self.config.saves.as_ref();
        let saves = saves.map(|place| Saves::begin(place, node)).transpose()?;
        if is_first {
            node.saves_every = self.config.saves.as_ref().map(|place| place.every);
        }
        if let Some(folder) = &self.config.resume {
            resume::resume(node, folder, manifest)?;
            node.known_from = node.run.store.len() as u32;
            node.has_cut = true;
            if let Some(manifest) = manifest {
                match resume::origin(manifest, origin) {
                    Ok(book) => node.origin = Some((origin, book)),
                    Err(why) => node.refuse(why),
                }
            }
        } else if is_first {
            let book = start::find(node, origin)?;
            node.origin = Some((origin, book));
            let stop = origin.signal.get();
            if stop != Stop::No {
                // Not all initial states are known: nothing that could be resumed.
                node.run.signal.raise(stop);
                node.leave_undecided();
            }
            start::decide_owners(node, origin);
            start::spread(node, origin)?;
        }
        rounds::explore(node, saves, self.config.resume.is_some())
    }

    /// After the search: the first worker puts together what all found, the others help it.
    fn finish(
        &self,
        node: &mut Node<'_>,
        end: End,
        origin: &Run<'_>,
    ) -> Result<Result<Option<Outcome>, Refused>, Broken> {
        if let Some(why) = end.refusal {
            return Ok(Err(Refused(why)));
        }
        if node.me() > 0 {
            node.serve()?;
            return Ok(Ok(None));
        }
        let shares = node.collect()?;
        let outcome = assemble(node, end, shares, origin)?;
        node.port.send_others(&Kind::Over.parcel(&0u8));
        Ok(Ok(Some(outcome)))
    }
}

/// The outcome of all shares.
fn assemble(
    node: &mut Node<'_>,
    end: End,
    shares: Vec<Share>,
    origin: &Run<'_>,
) -> Result<Outcome, Broken> {
    let run = node.run;
    let mut book = node.origin.take().map_or_else(Book::default, |o| o.1);
    let is_exhausted = end.left == 0 && !shares.iter().any(|share| share.is_undecided);
    book.open.extend(end.open());
    book.warnings.extend(end.warnings);
    let parts = shares.iter().enumerate().map(|(worker, share)| Part {
        process: node.port.process(worker),
        states: share.tick.states,
        transitions: share.tick.transitions,
        peak_bytes: share.memory.1,
        traffic: share.traffic.clone(),
    });
    let parts = parts.collect();
    let slot_values = distinct(&shares, run.shape.slots.len(), MOST_VALUES);
    let all = sum(shares.iter().map(|share| &share.tick));
    let mut statistics = Statistics {
        states: all.states,
        setups: match run.shape.has_setup {
            true => origin.setups.len() as u64,
            false => 0,
        },
        transitions: all.transitions,
        start_edges: book.start_edges,
        next_state_calls: book.tally.next_state_calls,
        label_calls: book.tally.label_calls,
        depth: node.level.depth,
        frontier: end.left,
        group_transitions: vec![0; run.shape.groups.len()],
        slot_values,
        wall: run.elapsed(),
        ..Statistics::default()
    };
    let own = std::mem::take(&mut book.findings);
    let mut found: Vec<Owned> = own.into_iter().map(|raw| Owned { owner: 0, raw }).collect();
    for (owner, share) in shares.into_iter().enumerate() {
        statistics.next_state_calls += share.calls.0;
        statistics.label_calls += share.calls.1;
        statistics.store_bytes += share.memory.0;
        statistics.peak_bytes += share.memory.1;
        let groups = statistics.group_transitions.iter_mut();
        groups.zip(&share.groups).for_each(|(sum, own)| *sum += own);
        book.notes.merge(share.notes);
        book.budget.0 += share.budget.0;
        book.budget.1 = book.budget.1.take().or(share.budget.1);
        let raws = share.findings.into_iter();
        found.extend(raws.map(|raw| Owned { owner, raw }));
    }
    book.give_reasons(end.stop.unwrap_or(Stop::No), is_exhausted, true);
    found.sort_by_key(|owned| {
        let raw = &owned.raw;
        (
            raw.depth,
            raw.kind,
            raw.key,
            raw.label.map(|label| label.index()),
        )
    });
    found.truncate(run.wanted());
    let findings = node.evidence(origin, found)?;
    book.warnings.extend(node.refusal.take());
    Ok(Outcome {
        search: crate::explicit::Outcome {
            findings,
            statistics,
            is_complete: book.open.is_empty() && is_exhausted,
            open: book.open,
            notes: book.notes,
            warnings: book.warnings,
            states: Kept::default(),
        },
        parts,
    })
}

/// The outcome when a process was lost: what was known last, and nothing that needs its states.
fn broken(node: &mut Node<'_>) -> Outcome {
    let tick = node.tick();
    node.ticks[0] = tick;
    let all = sum(&node.ticks);
    let notes = std::mem::take(&mut node.notes);
    let mut warnings = Vec::new();
    if node.has_cut {
        warnings.push("the run can be resumed from its last checkpoint".to_string());
    } else if node.saves_every.is_some() {
        warnings.push("nothing was saved before that".to_string());
    }
    if !node.found.findings.is_empty() {
        warnings.push("something was found, but the way to it is lost".to_string());
    }
    Outcome {
        search: crate::explicit::Outcome {
            findings: Vec::new(),
            statistics: Statistics {
                states: all.states,
                transitions: all.transitions,
                depth: node.level.depth,
                frontier: all.states.saturating_sub(all.expanded),
                group_transitions: vec![0; node.run.shape.groups.len()],
                slot_values: vec![Default::default(); node.run.shape.slots.len()],
                wall: node.run.elapsed(),
                peak_bytes: all.bytes,
                ..Statistics::default()
            },
            notes,
            is_complete: false,
            open: vec![Open::Lost("a process was lost".to_string())],
            warnings,
            states: Kept::default(),
        },
        parts: Vec::new(),
    }
}
