//! Symmetry that single edges break: what they tell apart is all that they do, and partitions stand for what is reached.

use std::collections::BTreeSet;
use std::sync::Arc;

use base::Random;
use permgroup::Group;
use pins::System as _;
use program_compile::processes::{Options, System};
use program_symmetry::{Partial, find_partial};
use reduce::symmetry::{Adaptive, Deadlocks, Subgroups};

use super::{entries, explore, has_deadlock, program, states};

fn partial(text: &str) -> Partial {
    let program = program(text);
    find_partial(&program, &entries(&program), &[], &[]).expect("there is symmetry")
}

/// The compiled system of a text, permuted by what single edges break.
fn system(text: &str) -> System {
    let program = program(text);
    let entries = entries(&program);
    let found = find_partial(&program, &entries, &[], &[]).expect("there is symmetry");
    let mut system = System::new(Arc::new(program), Options::default()).expect("it has code");
    system.permute_in_part(&found.symmetry, &found.told, &entries.states[0]);
    system
}

/// For each way in which some edge tells processes apart the sizes of its cells, the largest first.
fn cells(found: &Partial) -> BTreeSet<Vec<usize>> {
    let processes = found.symmetry.points.processes;
    let told = found.told.iter().flatten().filter(|told| !told.is_empty());
    told.map(|told| {
        let own = &told[..processes];
        let colours: BTreeSet<&u32> = own.iter().collect();
        let sizes = colours.into_iter();
        let sizes = sizes.map(|colour| own.iter().filter(|other| *other == colour).count());
        let mut sizes: Vec<usize> = sizes.collect();
        sizes.sort_unstable_by(|a, b| b.cmp(a));
        sizes
    })
    .collect()
}

/// The law about what groups tell apart holds, and partitions stand for all states and nothing but them. Gives both numbers.
fn stand_for_what_is_reached(text: &str) -> (u64, u64) {
    let system = system(text);
    pins::check_action(&system, 300).unwrap_or_else(|broken| panic!("{text}\n{broken:?}"));
    let all = states(&system);
    let subgroups = Subgroups::new(&system).expect("there are few partitions");
    for deadlocks in [Deadlocks::Unseen, Deadlocks::End] {
        let adaptive = Adaptive::of_steps(&system, &subgroups, deadlocks).expect("it is ready");
        if deadlocks == Deadlocks::End {
            assert_eq!(has_deadlock(&adaptive), has_deadlock(&system), "{text}");
            continue;
        }
        let known = explore(&adaptive, 1_000_000).expect("there is an end");
        let real = explore(&system, 1_000_000).expect("there is an end");
        let width = known.first().map_or(0, Vec::len) - 1;
        let seen: BTreeSet<Vec<u32>> = known.iter().map(|state| state[..width].to_vec()).collect();
        assert!(seen.is_subset(&real), "a state that is not reached: {text}");
        // Every state that is reached is a permutation of one that was found.
        let action = system.action().expect("processes are permuted");
        let group = Group::new(action.points.len(), action.generators.clone());
        let least = |state: &Vec<u32>| {
            let mut least = state.clone();
            group.each_element(&mut |images| {
                least = least.clone().min(action.permute(state, images));
                true
            });
            least
        };
        let orbits = |states: &BTreeSet<Vec<u32>>| states.iter().map(least).collect();
        let [found, wanted]: [BTreeSet<Vec<u32>>; 2] = [orbits(&seen), orbits(&real)];
        assert_eq!(found, wanted, "{text}");
    }
    let adaptive = Adaptive::of_steps(&system, &subgroups, Deadlocks::Unseen);
    (all, states(&adaptive.expect("it is ready")))
}

#[test]
fn a_process_that_one_edge_names_is_told_apart_by_it_alone() {
    let text = "
        byte inside; bool wants[5];
        active [5] proctype user() {
            do
            :: atomic { inside == 0 -> inside = 1; wants[_pid] = true };
               atomic { inside = 0; wants[_pid] = false }
            :: atomic { _pid == 3 && inside == 1 -> inside = 2 }; inside = 0
            od
        }";
    let found = partial(text);
    assert_eq!(found.symmetry.group.order(), Some(120));
    assert_eq!(cells(&found), BTreeSet::from([vec![4, 1]]));
    let (all, few) = stand_for_what_is_reached(text);
    assert!(few * 2 < all, "{few} of {all}");
}

#[test]
fn an_order_tells_classes_apart_and_else_what_is_before_it() {
    let text = "
        byte count; bool on[4];
        active [4] proctype user() {
            do
            :: _pid < 2 -> on[_pid] = true
            :: else -> on[_pid] = false; count = (count + 1) % 3
            :: on[_pid] -> on[_pid] = false
            od
        }";
    let found = partial(text);
    assert_eq!(found.symmetry.group.order(), Some(24));
    assert_eq!(cells(&found), BTreeSet::from([vec![2, 2]]));
    stand_for_what_is_reached(text);
}

#[test]
fn what_follows_without_a_state_in_between_counts() {
    let text = "
        byte count; bool on[4];
        active [4] proctype user() {
            do
            :: atomic { count < 2 -> on[_pid] = true;
                        if :: _pid == 1 -> count = count + 1 :: _pid != 1 -> skip fi }
            :: atomic { on[_pid] -> on[_pid] = false; count = 0 }
            od
        }";
    let found = partial(text);
    let edges = found.told.iter().flatten().filter(|told| !told.is_empty());
    assert!(edges.count() > 2, "the edge before is told, too");
    stand_for_what_is_reached(text);
}

#[test]
fn who_takes_an_offer_counts() {
    let text = "
        chan c = [0] of { byte }; byte last;
        active [3] proctype giver() { do :: c!_pid od }
        active [2] proctype taker() { byte x;
            do :: c?x -> last = x; x = 0; last = 0
            :: c?2 -> last = 2
            od }";
    let found = partial(text);
    assert_eq!(found.symmetry.group.order(), Some(12));
    stand_for_what_is_reached(text);
}

/// The next process in a ring has a symmetry that colours cannot say: it stays in the structure.
#[test]
fn a_ring_keeps_its_turns() {
    let text = "
        bit token[4];
        active [4] proctype user() {
            do
            :: token[_pid] -> token[_pid] = 0; token[(_pid + 1) % 4] = 1
            :: token[_pid] == 0 && token[(_pid + 1) % 4] == 0 -> token[_pid] = 1
            od
        }";
    let found = partial(text);
    assert_eq!(found.symmetry.group.order(), Some(4));
    assert!(cells(&found).is_empty());
}

/// Who ends first is told apart by that, and a start that is not symmetric is left behind.
#[test]
fn ends_and_starts_tell_apart() {
    let text = "
        byte count; bool on[4];
        proctype user() {
            do
            :: atomic { !on[_pid] -> on[_pid] = true }
            :: atomic { on[_pid] -> on[_pid] = false; count = 0 }
            :: _pid == 2 -> count = 1
            :: break
            od
        }
        init { atomic { on[1] = true; run user(); run user(); run user() } }";
    assert_eq!(partial(text).symmetry.group.order(), Some(6));
    stand_for_what_is_reached(text);
}

/// What keeps colours, and the permutations that differ in where they take colours, against enumeration.
#[test]
fn permutations_keep_colours() {
    let mut random = Random::new(7);
    for round in 0..300 {
        let points = 2 + random.below(5);
        let generators = (0..1 + random.below(2)).map(|_| {
            let mut images: Vec<u32> = (0..points as u32).collect();
            (1..points).for_each(|at| images.swap(at, random.below(at + 1)));
            images
        });
        let generators: Vec<Vec<u32>> = generators.collect();
        let group = Group::new(points, generators);
        let colours: Vec<u32> = (0..points).map(|_| random.below(3) as u32).collect();
        let seen =
            |images: &[u32]| -> Vec<u32> { images.iter().map(|p| colours[*p as usize]).collect() };
        let (mut keeping, mut ways) = (0, BTreeSet::new());
        group.each_element(&mut |images| {
            keeping += u128::from(seen(images) == colours);
            ways.insert(seen(images));
            true
        });
        assert_eq!(
            group.keeping(&colours).order(),
            Some(keeping),
            "round {round}"
        );
        let found = group.recolourings(&colours, 1_000).expect("there are few");
        let found: Vec<Vec<u32>> = found.iter().map(|images| seen(images)).collect();
        assert_eq!(found.len(), ways.len(), "round {round}");
        assert_eq!(
            found.into_iter().collect::<BTreeSet<_>>(),
            ways,
            "round {round}"
        );
    }
}
