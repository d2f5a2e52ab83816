//! Claims about remembering: the same answers, complete entries, a budget.

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};
use std::time::Duration;

use super::*;
use crate::answer::ask;
use crate::laws::check_laws;
use crate::toy::{Sparse, Toy, counters, group, philosophers, sparse, toy, undefined};

const PLENTY: usize = 1 << 24;

fn graph(seed: u64) -> Toy {
    sparse(Sparse {
        nodes: 80,
        groups: 6,
        setups: 2,
        fault_in: 7,
        violation_in: 0,
        seed,
    })
}

#[test]
fn remembered_answers_are_the_answers() {
    for seed in 0..10 {
        for system in [graph(seed), counters(3, 4), philosophers(4)] {
            for policy in [Policy::Always, Policy::Auto] {
                for budget in [0, 2_000, PLENTY] {
                    let cached = Cached::new(&system, budget, policy);
                    check_laws(&cached, 150).unwrap();
                    let (mut one, mut other) = (cached.worker(), system.worker());
                    for state in states(&system) {
                        for index in 0..system.shape.groups.len() {
                            let id = GroupId::new(index);
                            let expected = ask(&mut *other, &state, id);
                            assert_eq!(ask(&mut *one, &state, id), expected);
                        }
                    }
                }
            }
        }
    }
}

fn states(system: &dyn System) -> Vec<Vec<u32>> {
    let mut worker = system.worker();
    let mut states = Vec::new();
    let mut setups = Vec::new();
    worker
        .setups(&mut |setup| {
            setups.push(setup.to_vec());
            Flow::Continue
        })
        .unwrap();
    for setup in setups {
        let mut keep = |state: &[u32]| {
            states.push(state.to_vec());
            Flow::Continue
        };
        worker.initial(&setup, &mut keep).unwrap();
    }
    let mut at = 0;
    while at < states.len() && at < 200 {
        let state = states[at].clone();
        let mut keep = |_, step: Step<'_>| {
            if !states.iter().any(|known| known == step.target) {
                states.push(step.target.to_vec());
            }
            Flow::Continue
        };
        worker.all_successors(&state, &mut keep, &mut |_, _| {});
        at += 1;
    }
    states
}

/// One group that may write slot 1 (step 1 does, to 1; step 2 does not) and reads slot 0; another that counts.
fn optional_write() -> Toy {
    let mut step = group("step", &[0], &[0, 1]);
    step.must_write = group("", &[], &[0]).must_write;
    let groups = vec![step, group("count", &[1], &[1]), group("noise", &[2], &[2])];
    toy(
        3,
        vec![0, 0, 0],
        groups,
        Box::new(|state, index, _, emit| {
            let [x, y, z] = [state[0], state[1], state[2]];
            match index {
                0 if x < 3 => {
                    emit(&[], &[x + 1, 1, z]);
                    // The law: the same step is not given twice.
                    if y != 1 {
                        emit(&[], &[x + 1, y, z]);
                    }
                }
                1 if y < 3 => {
                    emit(&[], &[x, y + 1, z]);
                }
                2 if z < 3 => {
                    emit(&[], &[x, y, z + 1]);
                }
                _ => {}
            }
            Ok(())
        }),
    )
}

#[test]
fn untouched_slots_stay_what_they_are() {
    let system = optional_write();
    check_laws(&system, 100).unwrap();
    let cached = Cached::new(&system, PLENTY, Policy::Always);
    check_laws(&cached, 100).unwrap();
}

/// Counts how often the system is really asked, and lets a group take time.
fn counted(pause: Duration, is_pure: bool) -> (Toy, &'static AtomicU64) {
    let calls: &'static AtomicU64 = Box::leak(Box::new(AtomicU64::new(0)));
    let mut groups = vec![group("a", &[0], &[0]), group("b", &[1], &[1])];
    groups[0].is_pure = is_pure;
    let system = toy(
        2,
        vec![0, 0],
        groups,
        Box::new(move |state, index, target, emit| {
            calls.fetch_add(1, Relaxed);
            std::thread::sleep(pause);
            target.clear();
            target.extend_from_slice(state);
            target[index] = (target[index] + 1) % 30;
            emit(&[], target);
            if state[index] == 7 {
                Err(undefined("seven"))
            } else {
                Ok(())
            }
        }),
    );
    (system, calls)
}

fn ask_all(system: &dyn System) {
    let mut worker = system.worker();
    for state in states_of_two() {
        worker.all_successors(&state, &mut |_, _| Flow::Continue, &mut |_, _| {});
    }
}

fn states_of_two() -> impl Iterator<Item = [u32; 2]> {
    (0..900).map(|i| [i % 30, i / 30])
}

#[test]
fn a_short_vector_is_asked_once() {
    let (system, calls) = counted(Duration::ZERO, true);
    ask_all(&Cached::new(&system, PLENTY, Policy::Always));
    assert_eq!(calls.load(Relaxed), 60);
}

#[test]
fn impure_groups_are_always_asked() {
    let (system, calls) = counted(Duration::ZERO, false);
    ask_all(&Cached::new(&system, PLENTY, Policy::Always));
    assert_eq!(calls.load(Relaxed), 900 + 30);
}

#[test]
fn expensive_groups_are_remembered_after_a_trial() {
    let (system, calls) = counted(Duration::from_micros(20), true);
    ask_all(&Cached::new(&system, PLENTY, Policy::Auto));
    // 32 states before the trial and 32 for the baseline ask both groups.
    assert!(calls.load(Relaxed) < 300, "{}", calls.load(Relaxed));
}

#[test]
fn a_small_budget_is_kept_to() {
    let (system, calls) = counted(Duration::ZERO, true);
    let cached = Cached::new(&system, 3_000, Policy::Always);
    let mut worker = cached.worker();
    for state in states_of_two() {
        worker.all_successors(&state, &mut |_, _| Flow::Continue, &mut |_, _| {});
    }
    assert!(calls.load(Relaxed) > 60);
}

#[test]
fn an_enumeration_that_is_stopped_leaves_no_partial_entry() {
    let system = optional_write();
    let cached = Cached::new(&system, PLENTY, Policy::Always);
    let mut worker = cached.worker();
    let id = GroupId::new(0);
    worker
        .successors(&[0, 0, 0], id, &mut |_| Flow::Stop)
        .unwrap();
    assert_eq!(ask(&mut *worker, &[0, 0, 0], id).steps.len(), 2);
}
