//! What the shape says beyond reads and writes: words that groups leave, and groups that commute.

use std::collections::{BTreeSet, HashSet, VecDeque};

use pins::{Flow, GroupId, System as _, Worker};
use program_compile::processes::System;

/// Looks at some states; what does not hold, if anything.
pub fn check(system: &System, most: usize) -> Result<(), String> {
    let mut worker = system.worker();
    let mut open = VecDeque::new();
    let mut seen = HashSet::new();
    worker
        .initial(&vec![0; system.shape().slots.len()], &mut |state| {
            open.push_back(state.to_vec());
            Flow::Continue
        })
        .unwrap_or_default();
    while let Some(state) = open.pop_front() {
        if seen.len() >= most || !seen.insert(state.clone()) {
            continue;
        }
        for group in 0..system.shape().groups.len() {
            for target in targets(&mut *worker, &state, group) {
                leaves(system, (group, &state, &target))?;
                held(system, &mut *worker, (group, &state, &target))?;
                open.push_back(target);
            }
        }
        for (a, b) in &system.shape().commuting {
            commute(&mut *worker, &state, (a.index(), b.index()))?;
        }
    }
    Ok(())
}

fn leaves(system: &System, step: (usize, &[u32], &[u32])) -> Result<(), String> {
    let (group, from, to) = step;
    for leaves in system.shape().leaves.get(group).into_iter().flatten() {
        let (before, after) = (from[leaves.slot], to[leaves.slot]);
        let is_told = leaves.words.contains(&after);
        if !is_told && (leaves.is_certain || before != after) {
            return Err(format!("group {group} leaves {after} in {}", leaves.slot));
        }
    }
    Ok(())
}

/// Groups that their first guard holds happen after a step of another process if they did before.
fn held(
    system: &System,
    worker: &mut dyn Worker,
    (group, from, to): (usize, &[u32], &[u32]),
) -> Result<(), String> {
    let shape = system.shape();
    let asks = |group: usize| {
        let guards = shape.guards.iter();
        guards.filter(move |guard| guard.group.index() == group)
    };
    for held in &shape.held {
        let wanted = asks(held.index()).next().and_then(|guard| guard.equals);
        let Some((slot, word)) = wanted else {
            return Err(format!("group {held:?} is held by no word"));
        };
        if from[slot] != word || asks(group).any(|guard| guard.equals == wanted) {
            continue;
        }
        let mut happens = |state: &[u32]| {
            let mut any = false;
            let emit = &mut |_: pins::Step<'_>| {
                any = true;
                Flow::Continue
            };
            worker.successors(state, *held, emit).is_err() || any
        };
        if to[slot] != word || happens(from) != happens(to) {
            return Err(format!("group {held:?} is not held in {from:?}"));
        }
    }
    Ok(())
}

fn commute(worker: &mut dyn Worker, state: &[u32], (a, b): (usize, usize)) -> Result<(), String> {
    let (first, second) = (targets(worker, state, a), targets(worker, state, b));
    if first.is_empty() || second.is_empty() {
        return Ok(());
    }
    let mut follow = |middle: &BTreeSet<Vec<u32>>, group| {
        let all = middle.iter().map(|state| targets(worker, state, group));
        all.collect::<Vec<_>>()
    };
    let (ab, ba) = (follow(&first, b), follow(&second, a));
    let is_kept = !ab.iter().chain(&ba).any(BTreeSet::is_empty);
    let both: [BTreeSet<Vec<u32>>; 2] = [ab, ba].map(|all| all.into_iter().flatten().collect());
    if !is_kept || !both[1].is_subset(&both[0]) {
        return Err(format!("group {b} cannot wait for {a} in {state:?}"));
    }
    Ok(())
}

fn targets(worker: &mut dyn Worker, state: &[u32], group: usize) -> BTreeSet<Vec<u32>> {
    let mut found = BTreeSet::new();
    let emit = &mut |step: pins::Step<'_>| {
        found.insert(step.target.to_vec());
        Flow::Continue
    };
    // What faults leads nowhere.
    let _ = worker.successors(state, GroupId::new(group), emit);
    found
}
