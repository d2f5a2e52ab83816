//! Rebuilds the way to a finding from parent links, by computing successors again.
//!
//! Invariant: every step of a path is a step that the system gives for the state before it.

use pins::{Flow, Worker};

use super::expand::{Raw, twin};
use super::run::Run;
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
    let mut worker = run.system.worker();
    let mut path = setup_step(run, setup);
    let first = if run.config.store.is_exact() {
        Some(load(run, chain[0].0))
    } else {
        initial_state(run, &mut *worker, setup, chain[0].1)
    };
    let Some(mut vector) = first else {
        return Vec::new();
    };
    path.push(PathStep {
        event: Event::Initialisation,
        words: Vec::new(),
        state: vector.clone(),
    });
    for (id, step) in &chain[1..] {
        let wanted = if run.config.store.is_exact() {
            Wanted::Target(load(run, *id))
        } else {
            Wanted::Step(*step)
        };
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
