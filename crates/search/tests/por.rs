//! Partial order reduction against brute force, on thousands of small random systems: every deadlock is reached, no
//! broken label and no fault is lost, and every sequence of truths of a label that some path shows is still shown.

use std::collections::{BTreeSet, HashMap, HashSet};

use base::Name;
use pins::{
    Enabling, Fault, FaultKind, Flow, Group, GroupId, Guard, Label, LabelId, LabelKind, Notes,
    Shape, Slot, SlotSet, Step, System, Truth, Worker, check_laws, group_by_group,
};
use reduce::por::{Method, Reduction, Relations, Visibility};
use search::explicit::{Checks, Config, FindingKind, Order, Quiet, explore, explore_reduced};

/// Values of a slot.
const VALUES: u32 = 3;

struct Random(u64);

impl Random {
    fn below(&mut self, bound: u32) -> u32 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 33) as u32 % bound
    }
}

/// A group: a guard on one slot, then outcomes that depend on the slots it reads.
struct Rule {
    guard: Option<(usize, u32)>,
    reads: Vec<usize>,
    writes: Vec<usize>,
    outcomes: u32,
    /// One in so many answers is a fault or nothing; 0 for none.
    faults: u32,
    nothing: u32,
    seed: u64,
}

struct Universe {
    shape: Shape,
    rules: Vec<Rule>,
    initial: Vec<u32>,
    labels: Vec<(Vec<usize>, u64)>,
}

fn slots(list: &[usize]) -> SlotSet {
    let mut set = SlotSet::new();
    list.iter().for_each(|slot| set.insert(*slot));
    set
}

fn hash(seed: u64, state: &[u32], reads: &[usize], more: u32) -> u32 {
    let mut value = seed ^ u64::from(more).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    for slot in reads {
        value = (value ^ u64::from(state[*slot] + 1)).wrapping_mul(0x2545_f491_4f6c_dd1d);
        value ^= value >> 29;
    }
    (value >> 35) as u32
}

fn universe(seed: u64, faults: bool) -> Universe {
    let mut random = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    for _ in 0..5 {
        random.below(2);
    }
    let width = 2 + random.below(4) as usize;
    let pick = |random: &mut Random, most: u32| -> Vec<usize> {
        let count = random.below(most + 1);
        let mut list: Vec<usize> = (0..count)
            .map(|_| random.below(width as u32) as usize)
            .collect();
        list.sort_unstable();
        list.dedup();
        list
    };
    let mut rules = Vec::new();
    for _ in 0..2 + random.below(5) {
        let guard = (random.below(3) > 0)
            .then(|| (random.below(width as u32) as usize, random.below(VALUES)));
        let mut reads = pick(&mut random, 2);
        let writes = pick(&mut random, 2);
        if let Some((slot, _)) = guard
            && !reads.contains(&slot)
            && random.below(2) == 0
        {
            reads.push(slot);
        }
        rules.push(Rule {
            guard,
            reads,
            writes,
            outcomes: 1 + random.below(2),
            faults: if faults && random.below(3) == 0 { 6 } else { 0 },
            nothing: random.below(3) * 2,
            seed: u64::from(random.below(u32::MAX)) << 7 | 1,
        });
    }
    let initial = (0..width).map(|_| random.below(VALUES)).collect();
    let labels: Vec<(Vec<usize>, u64)> = (0..1 + random.below(2))
        .map(|_| {
            let mut reads = pick(&mut random, 2);
            if reads.is_empty() {
                reads.push(0);
            }
            (reads, u64::from(random.below(u32::MAX)) << 9 | 1)
        })
        .collect();
    let mut shape = Shape {
        slots: (0..width)
            .map(|slot| Slot {
                name: Name::new(&format!("x{slot}")),
                is_constant: false,
            })
            .collect(),
        ..Shape::default()
    };
    for (at, rule) in rules.iter().enumerate() {
        let mut reads = rule.reads.clone();
        reads.extend(rule.guard.map(|(slot, _)| slot));
        shape.groups.push(Group {
            name: Name::new(&format!("g{at}")),
            reads: slots(&reads),
            may_write: slots(&rule.writes),
            must_write: SlotSet::new(),
            is_pure: true,
        });
        let mut deciding: Vec<usize> = rule.guard.iter().map(|(slot, _)| *slot).collect();
        if rule.nothing > 0 {
            deciding.extend(&rule.reads);
        }
        shape.enabling.push(Enabling {
            reads: slots(&deciding),
            may_fault: rule.faults > 0,
        });
        if let Some((slot, word)) = rule.guard {
            shape.guards.push(Guard {
                group: GroupId::new(at),
                reads: slots(&[slot]),
                is_total: true,
                equals: Some((slot, word)),
            });
        }
    }
    for (at, (reads, _)) in labels.iter().enumerate() {
        shape.labels.push(Label {
            kind: LabelKind::Invariant,
            name: Name::new(&format!("inv{at}")),
            reads: slots(reads),
            span: None,
        });
    }
    Universe {
        shape,
        rules,
        initial,
        labels,
    }
}

impl System for Universe {
    fn shape(&self) -> &Shape {
        &self.shape
    }

    fn worker(&self) -> Box<dyn Worker + '_> {
        Box::new(Asked(self))
    }
}

struct Asked<'u>(&'u Universe);

impl Worker for Asked<'_> {
    fn setups(&mut self, emit: &mut dyn FnMut(&[u32]) -> Flow) -> Result<(), Fault> {
        emit(&vec![0; self.0.initial.len()]);
        Ok(())
    }

    fn initial(&mut self, _: &[u32], emit: &mut dyn FnMut(&[u32]) -> Flow) -> Result<(), Fault> {
        emit(&self.0.initial);
        Ok(())
    }

    fn successors(
        &mut self,
        state: &[u32],
        group: GroupId,
        emit: &mut dyn FnMut(Step<'_>) -> Flow,
    ) -> Result<(), Fault> {
        let rule = &self.0.rules[group.index()];
        if rule.guard.is_some_and(|(slot, word)| state[slot] != word) {
            return Ok(());
        }
        let chance = |more| hash(rule.seed, state, &rule.reads, more);
        if rule.nothing > 0 && chance(1).is_multiple_of(rule.nothing) {
            return Ok(());
        }
        if rule.faults > 0 && chance(2).is_multiple_of(rule.faults) {
            return Err(Fault {
                kind: FaultKind::Undefined,
                span: None,
                message: String::new(),
            });
        }
        for outcome in 0..rule.outcomes {
            let mut target = state.to_vec();
            for (at, slot) in rule.writes.iter().enumerate() {
                target[*slot] = chance(10 + outcome * 8 + at as u32) % VALUES;
            }
            if emit(Step {
                label: &[outcome],
                target: &target,
            }) == Flow::Stop
            {
                break;
            }
        }
        Ok(())
    }

    fn all_successors(
        &mut self,
        state: &[u32],
        emit: &mut dyn FnMut(GroupId, Step<'_>) -> Flow,
        fault: &mut dyn FnMut(GroupId, Fault),
    ) {
        let groups = self.0.rules.len();
        group_by_group(
            groups,
            |g, emit| self.successors(state, g, emit),
            emit,
            fault,
        );
    }

    fn guard(&mut self, state: &[u32], guard: usize) -> bool {
        let equals = self.0.shape.guards[guard].equals;
        equals.is_none_or(|(slot, word)| state[slot] == word)
    }

    fn label(&mut self, state: &[u32], label: LabelId) -> Truth {
        let (reads, seed) = &self.0.labels[label.index()];
        match hash(*seed, state, reads, 0) % 4 {
            0 => Truth::False,
            _ => Truth::True,
        }
    }

    fn take_notes(&mut self) -> Notes {
        Notes::default()
    }
}

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
            if let Some(selector) = &mut selector {
                selector.begin();
                for (group, target) in &all {
                    selector.happens(*group, *target != state);
                }
                faults
                    .iter()
                    .for_each(|group| selector.happens(*group, false));
                let mut worker = universe.worker();
                let chosen = selector.choose(&state, &mut *worker).cloned();
                if let Some(chosen) = chosen {
                    let steps = all.iter().filter(|(group, _)| chosen.contains(*group));
                    let fewer: Vec<State> = steps.map(|(_, target)| target.clone()).collect();
                    let is_later = |target: &State| !closed.contains(target);
                    if !selector.needs_proviso() || fewer.iter().any(is_later) {
                        taken = fewer;
                    }
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

const METHODS: [Method; 2] = [Method::Ample, Method::Stubborn];

#[test]
fn random_universes_obey_the_laws() {
    for seed in 1..300 {
        check_laws(&universe(seed, true), 60).unwrap();
    }
}

#[test]
fn every_deadlock_is_reached() {
    let (mut full, mut reduced) = (0, [0, 0]);
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
    assert!(reduced[1] <= reduced[0], "{reduced:?} of {full}");
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
                Method::Stubborn => labels.chunks(1).collect(),
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
    for seed in 1..1500 {
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
