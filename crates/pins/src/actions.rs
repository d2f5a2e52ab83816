//! Holds any [`Action`] to its numbered laws, on states that its system really reaches: one line in a test.

use std::collections::{BTreeMap, HashSet, VecDeque};

use crate::action::Action;
use crate::laws::Broken;
use crate::shape::{GroupId, LabelId};
use crate::system::{Flow, System, Truth, Worker};

/// Checks the laws on the first `samples` states in breadth-first order to which the action applies; how many there were.
///
/// # Errors
/// The first law that does not hold.
pub fn check_action(system: &dyn System, samples: usize) -> Result<usize, Broken> {
    check_states(system, samples, &check)
}

/// Checks the law about groups like [`check_action`]; nothing where they are not known.
///
/// # Errors
/// Where it does not hold.
pub fn check_groups(system: &dyn System, samples: usize) -> Result<usize, Broken> {
    match system.action() {
        Some(action) if !action.groups.is_empty() => check_states(system, samples, &check_steps),
        _ => Ok(0),
    }
}

/// Checks a state with so many processes ended.
type Check = dyn Fn(&dyn System, &Action, &mut dyn Worker, (&[u32], usize)) -> Result<(), Broken>;

fn check_states(system: &dyn System, samples: usize, check: &Check) -> Result<usize, Broken> {
    let Some(action) = system.action() else {
        return Ok(0);
    };
    let mut worker = system.worker();
    let mut queue = VecDeque::new();
    let _ = worker.initial(&vec![0; system.shape().slots.len()], &mut |state| {
        queue.push_back(state.to_vec());
        Flow::Continue
    });
    let mut known: HashSet<Vec<u32>> = queue.iter().cloned().collect();
    let mut looked_at = 0;
    while let Some(state) = queue.pop_front() {
        if looked_at == samples {
            break;
        }
        for target in targets(worker.as_mut(), &state).into_keys() {
            if known.insert(target.clone()) {
                queue.push_back(target);
            }
        }
        if let Some(stage) = action.stage(&state) {
            looked_at += 1;
            check(system, action, worker.as_mut(), (&state, stage))?;
        }
    }
    Ok(looked_at)
}

/// The targets of a state's steps, with how many steps lead there.
fn targets(worker: &mut dyn Worker, state: &[u32]) -> BTreeMap<Vec<u32>, usize> {
    targets_by(worker, state, &|_| true)
}

/// The targets of a state's steps of some groups.
fn targets_by(
    worker: &mut dyn Worker,
    state: &[u32],
    is_meant: &dyn Fn(GroupId) -> bool,
) -> BTreeMap<Vec<u32>, usize> {
    let mut found = BTreeMap::new();
    worker.all_successors(
        state,
        &mut |group, step| {
            if is_meant(group) {
                *found.entry(step.target.to_vec()).or_default() += 1;
            }
            Flow::Continue
        },
        &mut |_, _| {},
    );
    found
}

fn check(
    system: &dyn System,
    action: &Action,
    worker: &mut dyn Worker,
    (state, stage): (&[u32], usize),
) -> Result<(), Broken> {
    let broken = |law: u8, message: String| Err(Broken { law, message });
    let identity: Vec<u32> = (0..action.points.len() as u32).collect();
    if action.permute(state, &identity) != state {
        return broken(1, format!("the identity changes {state:?}"));
    }
    let going_on = |worker: &mut dyn Worker, from: &[u32], images: &[u32]| {
        let mut steps = targets_by(worker, from, &|group| action.keeps(group, images));
        steps.retain(|to, _| !action.is_end(from, to));
        steps
    };
    let ended = &action.lives[..stage];
    let holds = |images: &&Vec<u32>| ended.iter().all(|l| images[l.point as usize] == l.point);
    for first in action.generators.iter().filter(holds) {
        let image = action.permute(state, first);
        for second in action.generators.iter().filter(holds) {
            let product: Vec<u32> = first.iter().map(|p| second[*p as usize]).collect();
            if action.permute(&image, second) != action.permute(state, &product) {
                return broken(
                    1,
                    format!("two permutations of {state:?} are not their product"),
                );
            }
        }
        if action.stage(&image) != Some(stage) {
            return broken(3, format!("a permutation of {state:?} cannot be permuted"));
        }
        let steps = going_on(worker, state, first).into_iter();
        let expected: BTreeMap<Vec<u32>, usize> = steps
            .map(|(target, count)| (action.permute(&target, first), count))
            .collect();
        if going_on(worker, &image, first) != expected {
            return broken(
                2,
                format!("the steps of {state:?} are not permuted with it"),
            );
        }
        for label in 0..system.shape().labels.len() {
            let kind = |truth: Truth| match truth {
                Truth::True => 0,
                Truth::False => 1,
                Truth::Undefined(_) => 2,
                Truth::Unknown(_) => 3,
            };
            let truth = kind(worker.label(state, LabelId::new(label)));
            if kind(worker.label(&image, LabelId::new(label))) != truth {
                return broken(2, format!("label {label} changes in {state:?}"));
            }
        }
    }
    Ok(())
}

/// A target with the groups that lead there.
type Named = (Vec<u32>, Vec<u32>);

/// Law 5, where nothing has ended.
fn check_steps(
    _: &dyn System,
    action: &Action,
    worker: &mut dyn Worker,
    (state, stage): (&[u32], usize),
) -> Result<(), Broken> {
    let named = |worker: &mut dyn Worker, from: &[u32]| {
        let mut found: BTreeMap<Named, usize> = BTreeMap::new();
        worker.all_successors(
            from,
            &mut |group, step| {
                let groups = std::iter::once(group.index() as u32).chain(step.label.to_vec());
                if !action.is_end(from, step.target) {
                    let named = (step.target.to_vec(), groups.collect());
                    *found.entry(named).or_default() += 1;
                }
                Flow::Continue
            },
            &mut |_, _| {},
        );
        found
    };
    let steps = named(worker, state);
    let generators = action.generators.iter().zip(&action.groups);
    for (images, moved) in generators.filter(|_| stage == 0) {
        let permuted = steps.iter().map(|((target, groups), count)| {
            let groups = groups.iter().map(|group| moved[*group as usize]).collect();
            ((action.permute(target, images), groups), *count)
        });
        let permuted: BTreeMap<Named, usize> = permuted.collect();
        if named(worker, &action.permute(state, images)) != permuted {
            let message = format!("the groups of the steps of {state:?} are not permuted with it");
            return Err(Broken { law: 5, message });
        }
    }
    Ok(())
}
