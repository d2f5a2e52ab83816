//! Rebuilds the way to a finding from parent links, by computing successors again.
//!
//! Invariant: every step of a path is a step that the system gives for the state before it.

use pins::{Flow, Worker};

use super::found::Raw;
use super::run::Run;
use super::steps::twin;
use pins::{Event, PathStep};

/// The path to a finding; empty when no links were kept. States below `initial` are initial.
pub fn path(run: &Run<'_>, raw: &Raw, initial: u32) -> Vec<PathStep> {
    let Some(state) = raw.state else {
        return raw.setup.map_or(Vec::new(), |setup| setup_step(run, setup));
    };
    // From the state back to its set-up.
    let mut chain = Vec::new();
    let mut at = state;
    let setup = loop {
        let Some((parent, step)) = run.links.get(at) else {
            return Vec::new();
        };
        chain.push((at, step));
        if at < initial {
            break parent;
        }
        at = parent;
    };
    chain.reverse();
    match run.config.store.is_exact() {
        true => along(run, setup, chain.iter().map(|(id, _)| load(run, *id))),
        false => by_steps(run, setup, &chain),
    }
}

/// The path from a set-up through these states; empty when some step is not there, which is a bug of the system.
pub(super) fn along(
    run: &Run<'_>,
    setup: u32,
    mut states: impl Iterator<Item = Vec<u32>>,
) -> Vec<PathStep> {
    let Some(first) = states.next() else {
        return Vec::new();
    };
    let wanted = states.map(Wanted::Target);
    walk(run, setup, first, wanted)
}

/// The same where only the numbers of steps are known.
fn by_steps(run: &Run<'_>, setup: u32, chain: &[(u32, u32)]) -> Vec<PathStep> {
    let mut worker = run.system.worker();
    let Some(first) = initial_state(run, &mut *worker, setup, chain[0].1) else {
        return Vec::new();
    };
    let wanted = chain[1..].iter().map(|(_, step)| Wanted::Step(*step));
    walk(run, setup, first, wanted)
}

fn walk(
    run: &Run<'_>,
    setup: u32,
    first: Vec<u32>,
    wanted: impl Iterator<Item = Wanted>,
) -> Vec<PathStep> {
    let mut worker = run.system.worker();
    let mut path = setup_step(run, setup);
    let mut vector = first;
    path.push(PathStep {
        event: Event::Initialisation,
        words: Vec::new(),
        state: vector.clone(),
    });
    for wanted in wanted {
        let Some(next) = follow(run, &mut *worker, &vector, &wanted) else {
            return Vec::new();
        };
        vector.clone_from(&next.state);
        path.push(next);
    }
    path
}

/// Which step of a state is looked for.
pub(crate) enum Wanted {
    /// The first one that leads there.
    Target(Vec<u32>),
    /// The one of this number.
    Step(u32),
}

pub(crate) fn setup_step(run: &Run<'_>, setup: u32) -> Vec<PathStep> {
    if !run.shape.has_setup {
        return Vec::new();
    }
    let mut state = vec![0; run.shape.slots.len()];
    run.setups.session().load(setup, &mut state);
    vec![PathStep {
        event: Event::Setup,
        words: Vec::new(),
        state,
    }]
}

fn load(run: &Run<'_>, id: u32) -> Vec<u32> {
    let mut state = vec![0; run.shape.slots.len()];
    run.store.session().load(id, &mut state);
    state
}

fn initial_state(
    run: &Run<'_>,
    worker: &mut dyn Worker,
    setup: u32,
    step: u32,
) -> Option<Vec<u32>> {
    let mut constants = vec![0; run.shape.slots.len()];
    run.setups.session().load(setup, &mut constants);
    let (mut number, mut found) = (0, None);
    // A fault after the state does not matter here.
    let _ = worker.initial(&constants, &mut |state| {
        if number == step {
            found = Some(state.to_vec());
            return Flow::Stop;
        }
        number += 1;
        Flow::Continue
    });
    found
}

pub(crate) fn follow(
    run: &Run<'_>,
    worker: &mut dyn Worker,
    state: &[u32],
    wanted: &Wanted,
) -> Option<PathStep> {
    let mut found = None;
    let mut number = 0;
    let mut coinciding = rustc_hash::FxHashSet::default();
    worker.all_successors(
        state,
        &mut |group, step| {
            // Steps are numbered as they were when the link was made.
            if let Some(twin) = twin(run, group, &step)
                && !coinciding.insert(twin)
            {
                return Flow::Continue;
            }
            let is_it = match wanted {
                Wanted::Target(target) => target == step.target,
                Wanted::Step(wanted) => *wanted == number,
            };
            number += 1;
            if !is_it {
                return Flow::Continue;
            }
            found = Some(PathStep {
                event: Event::Group(group),
                words: step.label.to_vec(),
                state: step.target.to_vec(),
            });
            Flow::Stop
        },
        &mut |_, _| {},
    );
    found
}
