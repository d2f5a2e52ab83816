//! Partial order reduction against brute force, on thousands of small random systems: every deadlock is reached, no
//! broken label and no fault is lost, every sequence of truths of a label that some path shows is still shown, and what
//! can happen before a chosen group leaves it alone.

mod universe;

use std::collections::{BTreeSet, HashMap, HashSet};
use std::time::Duration;

use pins::{Flow, LabelId, System, Truth, check_laws};
use reduce::por::{GroupSet, Method, Reduction, Relations, Selector, Visibility};
use search::explicit::{
    Checkpoint, Checks, Config, FindingKind, Order, Quiet, explore, explore_reduced,
};

use universe::{Universe, universe};

type State = Vec<u32>;
type Graph = HashMap<State, Vec<State>>;

/// The steps of a state with their groups, and the groups that fault.
fn steps(universe: &Universe, state: &State) -> (Vec<(usize, State)>, Vec<usize>) {
    let (mut found, mut faults) = (Vec::new(), Vec::new());
    universe.worker().all_successors(
        state,
        &mut |group, step| {
            found.push((group.index(), step.target.to_vec()));
            Flow::Continue
        },
        &mut |group, _| faults.push(group.index()),
    );
    (found, faults)
}

/// What a selector chooses in a state with these steps and faults.
fn chosen(
    universe: &Universe,
    selector: &mut Selector<'_>,
    (state, steps, faults): (&State, &[(usize, State)], &[usize]),
) -> Option<GroupSet> {
    selector.begin();
    for (group, target) in steps {
        selector.happens(*group, state, target);
    }
    faults.iter().for_each(|group| selector.faults(*group));
    let mut worker = universe.worker();
    selector.choose(state, &mut *worker).cloned()
}

/// The graph, breadth-first, of all steps or those that a reduction chooses, with the proviso of levels.
fn graph(universe: &Universe, reduction: Option<&Reduction<'_>>) -> Graph {
    let mut graph = Graph::new();
    let mut known: HashSet<State> = HashSet::from([universe.initial.clone()]);
    let mut level = vec![universe.initial.clone()];
    let mut selector = reduction.map(Reduction::selector);
    while !level.is_empty() {
        let closed = known.clone();
        let mut next = Vec::new();
        for state in level {
            let (all, faults) = steps(universe, &state);
            let mut taken: Vec<State> = all.iter().map(|(_, target)| target.clone()).collect();
            if let Some(selector) = &mut selector
                && let Some(chosen) = chosen(universe, selector, (&state, &all, &faults))
            {
                let steps = all.iter().filter(|(group, _)| chosen.contains(*group));
                let fewer: Vec<State> = steps.map(|(_, target)| target.clone()).collect();
                let is_later = |target: &State| !closed.contains(target);
                if !selector.needs_proviso() || fewer.iter().any(is_later) {
                    taken = fewer;
                }
            }
            for target in &taken {
                if known.insert(target.clone()) {
                    next.push(target.clone());
                }
            }
            graph.insert(state, taken);
        }
        level = next;
    }
    graph
}

fn deadlocks(universe: &Universe, graph: &Graph) -> BTreeSet<State> {
    let is_dead = |state: &&State| {
        let (steps, faults) = steps(universe, state);
        steps.is_empty() && faults.is_empty()
    };
    graph.keys().filter(is_dead).cloned().collect()
}

/// Sequences of truths, without repetition, that paths show; up to a length.
fn projections(universe: &Universe, graph: &Graph, labels: &[LabelId]) -> BTreeSet<Vec<Vec<bool>>> {
    const LENGTH: usize = 4;
    let truths = |state: &State| -> Vec<bool> {
        let mut worker = universe.worker();
        let truth = |label: &LabelId| worker.label(state, *label) == Truth::True;
        labels.iter().map(truth).collect()
    };
    let first = (universe.initial.clone(), vec![truths(&universe.initial)]);
    let mut seen = HashSet::from([first.clone()]);
    let mut todo = vec![first];
    let mut found = BTreeSet::new();
    while let Some((state, sequence)) = todo.pop() {
        found.insert(sequence.clone());
        for target in &graph[&state] {
            let truth = truths(target);
            let mut sequence = sequence.clone();
            if sequence.last() != Some(&truth) {
                sequence.push(truth);
            }
            let next = (target.clone(), sequence);
            if next.1.len() <= LENGTH && seen.insert(next.clone()) {
                todo.push(next);
            }
        }
    }
    found
}

fn checks(labels: &[LabelId]) -> Checks {
    Checks {
        invariants: labels.to_vec(),
        deadlock: true,
        stop_after: usize::MAX,
        ..Checks::default()
    }
}

/// What kinds of findings there are: for invariants also which.
fn kinds(outcome: &search::explicit::Outcome) -> BTreeSet<(FindingKind, Option<usize>)> {
    let findings = outcome.findings.iter();
    findings
        .map(|f| (f.kind, f.label.map(|label| label.index())))
        .collect()
}

const METHODS: [Method; 3] = [Method::Ample, Method::Stubborn, Method::Deletion];

#[test]
fn random_universes_obey_the_laws() {
    for seed in 1..300 {
        check_laws(&universe(seed, true), 60).unwrap();
    }
}

#[test]
fn every_deadlock_is_reached() {
    let (mut full, mut reduced) = (0, [0; 3]);
    for seed in 1..3000 {
        let universe = universe(seed, false);
        let relations = Relations::syntactic(&universe.shape);
        let all = graph(&universe, None);
        full += all.len();
        for (at, method) in METHODS.into_iter().enumerate() {
            let visibility = Visibility::new(&universe.shape, &[]);
            let reduction = Reduction::new(&universe.shape, &relations, visibility, method);
            assert!(!reduction.needs_proviso());
            let fewer = graph(&universe, Some(&reduction));
            reduced[at] += fewer.len();
            assert_eq!(
                deadlocks(&universe, &fewer),
                deadlocks(&universe, &all),
                "seed {seed}, {method:?}"
            );
        }
    }
    assert!(reduced[0] < full * 19 / 20, "{reduced:?} of {full}");
    // Stubborn sets look at guards, so they reduce more.
    assert!(reduced[1] <= reduced[0], "{reduced:?} of {full}");
    assert!(reduced[2] <= reduced[0], "{reduced:?} of {full}");
}

/// What happens to a group in a state: where its steps lead, and whether it faults.
fn outcomes(universe: &Universe, state: &State, group: usize) -> (BTreeSet<State>, bool) {
    let (steps, faults) = steps(universe, state);
    let own = steps.into_iter().filter(|(other, _)| *other == group);
    (
        own.map(|(_, target)| target).collect(),
        faults.contains(&group),
    )
}

/// A group that stays the same in spite of a step of another one: it happens before and after, and both orders lead to
/// the same states.
fn stays(universe: &Universe, group: usize, other: usize, (from, to): (&State, &State)) -> bool {
    let (before, faults_before) = outcomes(universe, from, group);
    let (after, faults_after) = outcomes(universe, to, group);
    if faults_before != faults_after || before.is_empty() != after.is_empty() {
        return false;
    }
    let is_joined = |target: &State| {
        let (others, _) = outcomes(universe, target, other);
        others.iter().any(|end| after.contains(end))
    };
    let is_reached = |end: &State| {
        let mut sources = before.iter();
        sources.any(|source| outcomes(universe, source, other).0.contains(end))
    };
    before.iter().all(is_joined) && after.iter().all(is_reached)
}

#[test]
fn what_can_happen_before_a_chosen_group_leaves_it_alone() {
    let mut choices = [0; 3];
    for seed in 1..1200 {
        let universe = universe(seed, true);
        let relations = Relations::syntactic(&universe.shape);
        let labels: Vec<LabelId> = (0..universe.labels.len()).map(LabelId::new).collect();
        for (at, method) in METHODS.into_iter().enumerate() {
            let labels = if seed % 2 == 0 { &labels[..] } else { &[] };
            let visibility = Visibility::new(&universe.shape, labels);
            let reduction = Reduction::new(&universe.shape, &relations, visibility, method);
            let mut selector = reduction.selector();
            for state in graph(&universe, None).into_keys() {
                let (all, faults) = steps(&universe, &state);
                let Some(set) = chosen(&universe, &mut selector, (&state, &all, &faults)) else {
                    continue;
                };
                choices[at] += 1;
                assert!(!set.is_empty());
                let happens =
                    |group: usize| all.iter().any(|s| s.0 == group) || faults.contains(&group);
                assert!(set.iter().all(happens), "seed {seed}, {method:?}");
                // Everywhere that the others lead to by themselves.
                let mut known = HashSet::from([state.clone()]);
                let mut todo = vec![state];
                while let Some(from) = todo.pop() {
                    for (other, to) in steps(&universe, &from).0 {
                        if set.contains(other) {
                            continue;
                        }
                        for group in set.iter() {
                            let is_same = stays(&universe, group, other, (&from, &to));
                            assert!(is_same, "seed {seed}, {method:?}: g{group} by g{other}");
                        }
                        if known.insert(to.clone()) {
                            todo.push(to);
                        }
                    }
                }
            }
        }
    }
    assert!(choices.iter().all(|count| *count > 100), "{choices:?}");
}

#[test]
fn every_sequence_of_truths_is_shown() {
    for seed in 1..1500 {
        let universe = universe(seed, false);
        let relations = Relations::syntactic(&universe.shape);
        let all = graph(&universe, None);
        let labels: Vec<LabelId> = (0..universe.labels.len()).map(LabelId::new).collect();
        for method in METHODS {
            let visibility = Visibility::new(&universe.shape, &labels);
            let reduction = Reduction::new(&universe.shape, &relations, visibility, method);
            let fewer = graph(&universe, Some(&reduction));
            // Ample sets keep all labels together, stubborn sets each label by itself.
            let each: Vec<&[LabelId]> = match method {
                Method::Ample => vec![&labels],
                Method::Stubborn | Method::Deletion => labels.chunks(1).collect(),
            };
            for labels in each {
                assert_eq!(
                    projections(&universe, &fewer, labels),
                    projections(&universe, &all, labels),
                    "seed {seed}, {method:?}"
                );
            }
        }
    }
}

#[test]
fn the_engine_finds_the_same_kinds_in_every_order() {
    for seed in 1..600 {
        let universe = universe(seed, true);
        let relations = Relations::syntactic(&universe.shape);
        let labels: Vec<LabelId> = (0..universe.labels.len()).map(LabelId::new).collect();
        for labels in [&labels[..], &[]] {
            let config = Config {
                checks: checks(labels),
                ..Config::default()
            };
            let full = explore(&universe, &config, &Quiet).unwrap();
            for method in METHODS {
                for (order, threads) in [
                    (Order::Bfs, 1),
                    (Order::Bfs, 2),
                    (Order::Dfs, 1),
                    (Order::Mixed, 1),
                ] {
                    let visibility = Visibility::new(&universe.shape, labels);
                    let reduction = Reduction::new(&universe.shape, &relations, visibility, method);
                    let config = Config {
                        order,
                        threads,
                        ..config.clone()
                    };
                    let fewer = explore_reduced(&universe, &config, &reduction, &Quiet).unwrap();
                    let what = format!(
                        "seed {seed}, {method:?}, {order:?}, {} labels",
                        labels.len()
                    );
                    assert_eq!(kinds(&fewer), kinds(&full), "{what}");
                    assert!(fewer.statistics.states <= full.statistics.states, "{what}");
                    assert!(fewer.is_complete, "{what}");
                }
            }
        }
    }
}

#[test]
fn counts_do_not_depend_on_threads() {
    for seed in 1..400 {
        let universe = universe(seed, true);
        let relations = Relations::syntactic(&universe.shape);
        for method in METHODS {
            let counts = [1, 3].map(|threads| {
                let visibility = Visibility::new(&universe.shape, &[LabelId::new(0)]);
                let reduction = Reduction::new(&universe.shape, &relations, visibility, method);
                let config = Config {
                    checks: checks(&[LabelId::new(0)]),
                    threads,
                    ..Config::default()
                };
                let outcome = explore_reduced(&universe, &config, &reduction, &Quiet).unwrap();
                let counted = outcome.statistics;
                (counted.states, counted.transitions, counted.depth)
            });
            assert_eq!(counts[0], counts[1], "seed {seed}, {method:?}");
        }
    }
}

#[test]
fn many_processes_explore_what_one_explores() {
    for seed in 1..8 {
        let universe = universe(seed, true);
        let relations = Relations::syntactic(&universe.shape);
        for (method, labels) in METHODS.into_iter().zip([&[LabelId::new(0)][..], &[], &[]]) {
            let reduction = || {
                let visibility = Visibility::new(&universe.shape, labels);
                Reduction::new(&universe.shape, &relations, visibility, method)
            };
            let config = Config {
                checks: checks(labels),
                ..Config::default()
            };
            let alone = explore_reduced(&universe, &config, &reduction(), &Quiet).unwrap();
            let reductions = [reduction(), reduction(), reduction()];
            for processes in 2..=3 {
                let tasks: Vec<crate::teams::Task<'_>> = reductions[..processes]
                    .iter()
                    .map(|reduction| crate::teams::Task::new(&universe, Some(reduction)))
                    .collect();
                let together = crate::teams::together(&tasks, |_, _| {
                    (crate::teams::config(&config), Box::new(Quiet))
                });
                let together = together.unwrap().search;
                assert_eq!(
                    crate::teams::essence(&together),
                    crate::teams::essence(&alone),
                    "seed {seed}, {method:?}, {processes} processes"
                );
            }
        }
    }
}

#[test]
fn counts_do_not_depend_on_where_runs_were_ended_and_resumed() {
    let path = std::env::temp_dir().join(format!("search-por-resume-{}", std::process::id()));
    let mut resumes = 0;
    for seed in 1..60 {
        let universe = universe(seed, true);
        let relations = Relations::syntactic(&universe.shape);
        for (method, order) in METHODS
            .into_iter()
            .flat_map(|method| [Order::Bfs, Order::Dfs, Order::Mixed].map(|order| (method, order)))
        {
            let run = |most: Option<u64>, is_resumed: bool| {
                let visibility = Visibility::new(&universe.shape, &[LabelId::new(0)]);
                let reduction = Reduction::new(&universe.shape, &relations, visibility, method);
                let mut config = Config {
                    checks: checks(&[LabelId::new(0)]),
                    order,
                    checkpoint: Some(Checkpoint {
                        path: path.clone(),
                        every: Duration::from_secs(3600),
                    }),
                    resume: is_resumed.then(|| path.clone()),
                    ..Config::default()
                };
                config.limits.max_states = most;
                let outcome = explore_reduced(&universe, &config, &reduction, &Quiet).unwrap();
                let counted = &outcome.statistics;
                let counts = (counted.states, counted.transitions, counted.depth);
                (counts, kinds(&outcome))
            };
            let expected = run(None, false);
            // Ended at every number of states, at some of them twice.
            for most in 1..expected.0.0 {
                run(Some(most), false);
                if most % 3 == 0 {
                    run(Some(most + 1), true);
                }
                let what = format!("seed {seed}, {method:?}, {order:?}, ended at {most}");
                assert_eq!(run(None, true), expected, "{what}");
                resumes += 1;
            }
        }
    }
    let _ = std::fs::remove_file(&path);
    assert!(resumes > 500, "{resumes} resumes");
}
