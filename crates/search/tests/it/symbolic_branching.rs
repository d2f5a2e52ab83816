//! Branching formulas have the same verdict on sets of states and on the explicit graph, and their evidence is a path.

use crate::common::Random;
use crate::liveness::branching::random_branching;
use pins::toy::{Sparse, Toy, philosophers, sparse};
use pins::{Event, PathStep};
use pins::{Flow, GroupId, LabelId, System, Truth, Worker};
use search::branching::Ctl;
use search::explicit::{Limits, Open, Quiet};
use search::liveness::{
    Atoms, Config, End, Evidence, Letter, Successor, Successors, Verdict, explore,
};
use search::symbolic::{self, SetAtom, check_branching};

/// The same atoms for the explicit engine.
struct Explicit<'a> {
    worker: Box<dyn Worker + 'a>,
    atoms: &'a [SetAtom],
}

impl Atoms for Explicit<'_> {
    fn count(&self) -> u32 {
        self.atoms.len() as u32
    }

    fn is_of_steps(&self, atom: u32) -> bool {
        matches!(self.atoms[atom as usize], SetAtom::Taken(_))
    }

    fn state(&mut self, state: &[u32], successors: &Successors<'_>, letter: &mut Letter<'_>) {
        for (at, atom) in self.atoms.iter().enumerate() {
            let holds = match atom {
                SetAtom::Labels(labels) => labels
                    .iter()
                    .all(|label| self.worker.label(state, *label) == Truth::True),
                SetAtom::Enabled(groups) => successors.iter().any(|s| groups.contains(&s.group)),
                SetAtom::Deadlock => successors.is_empty(),
                SetAtom::Taken(_) => false,
            };
            if holds {
                letter.set(at as u32);
            }
        }
    }

    fn step(&mut self, _: &[u32], step: Successor<'_>, letter: &mut Letter<'_>) {
        for (at, atom) in self.atoms.iter().enumerate() {
            if matches!(atom, SetAtom::Taken(groups) if groups.contains(&step.group)) {
                letter.set(at as u32);
            }
        }
    }
}

fn explicitly(system: &Toy, atoms: &[SetAtom], formulas: &[Ctl]) -> Vec<Verdict> {
    let explicit = Explicit {
        worker: system.worker(),
        atoms,
    };
    let config = Config::default();
    let check = |space: &mut search::liveness::Space<'_>| {
        let verdicts = formulas
            .iter()
            .map(|formula| space.check_branching(formula).verdict);
        verdicts.collect::<Vec<_>>()
    };
    explore(system, Box::new(explicit), &config, &Quiet, check).unwrap()
}

fn is_step(system: &Toy, from: &[u32], step: &PathStep) -> bool {
    let Event::Group(group) = step.event else {
        return false;
    };
    let mut is_there = false;
    let _ = system.worker().successors(from, group, &mut |found| {
        is_there |= found.target == step.state && found.label == step.words;
        Flow::Continue
    });
    is_there
}

fn check_path(system: &Toy, evidence: &Evidence) {
    let path = &evidence.path;
    let first = usize::from(system.shape.has_setup);
    assert_eq!(path[first].event, Event::Initialisation);
    assert!(
        system
            .initial
            .iter()
            .flatten()
            .any(|state| *state == path[first].state)
    );
    for pair in path[first..].windows(2) {
        assert!(is_step(system, &pair[0].state, &pair[1]));
    }
    let last = &path[path.len() - 1].state;
    match evidence.end {
        End::Lasso { start } => {
            let closing = evidence.closing.as_ref().unwrap();
            assert!(is_step(system, last, closing));
            assert_eq!(closing.state, path[start].state);
        }
        End::Deadlock => {
            let mut count = 0;
            system.worker().all_successors(
                last,
                &mut |_, _| {
                    count += 1;
                    Flow::Continue
                },
                &mut |_, _| {},
            );
            assert_eq!(count, 0);
        }
        End::BadPrefix => {}
    }
}

fn groups(numbers: &[usize]) -> Vec<GroupId> {
    numbers.iter().map(|number| GroupId::new(*number)).collect()
}

#[test]
fn verdicts_agree_with_the_explicit_graph_for_random_formulas() {
    let seed = 20_261_118;
    println!("seed {seed}");
    let mut random = Random(seed);
    for graph in 0..60 {
        let system = sparse(Sparse {
            nodes: 40 + random.below(40) as u32,
            groups: 3,
            setups: random.below(3) as u32,
            fault_in: 0,
            violation_in: 5,
            seed: graph,
        });
        let atoms = [
            SetAtom::Labels(vec![LabelId::new(0)]),
            SetAtom::Labels(vec![LabelId::new(2), LabelId::new(1)]),
            SetAtom::Enabled(groups(&[0, 1])),
            SetAtom::Deadlock,
            SetAtom::Taken(groups(&[0, 2])),
        ];
        let formulas: Vec<Ctl> = (0..30)
            .map(|_| {
                let size = 2 + random.below(6);
                random_branching(&mut random, size, (&[0, 1, 2, 3], &[4]))
            })
            .collect();
        let expected = explicitly(&system, &atoms, &formulas);
        let orders = [
            symbolic::Order::Saturation,
            symbolic::Order::Bfs,
            symbolic::Order::Chaining,
        ];
        let config = symbolic::Config {
            order: orders[random.below(3)],
            threads: 1,
            collects_always: graph % 2 == 0,
            ..symbolic::Config::default()
        };
        let (_, outcomes) = check_branching(&system, &config, &formulas, &atoms, &Quiet).unwrap();
        for ((formula, expected), outcome) in formulas.iter().zip(expected).zip(outcomes) {
            match (&expected, &outcome.verdict) {
                (Verdict::Holds(_), Verdict::Holds(evidence)) => {
                    evidence
                        .iter()
                        .for_each(|evidence| check_path(&system, evidence));
                }
                (Verdict::Violated(_), Verdict::Violated(evidence)) => {
                    check_path(&system, evidence);
                }
                other => panic!("graph {graph}: {formula:?}: {other:?}"),
            }
        }
    }
}

#[test]
fn a_witness_has_least_depth() {
    let system = philosophers(6);
    let formulas = [Ctl::ag(Ctl::not(Ctl::Atom(0))), Ctl::ef(Ctl::Atom(0))];
    let config = symbolic::Config {
        threads: 1,
        ..symbolic::Config::default()
    };
    let atoms = [SetAtom::Deadlock];
    let (_, outcomes) = check_branching(&system, &config, &formulas, &atoms, &Quiet).unwrap();
    for outcome in outcomes {
        let (Verdict::Violated(evidence) | Verdict::Holds(Some(evidence))) = outcome.verdict else {
            panic!("{:?}", outcome.verdict);
        };
        // The initialisation, and six forks.
        assert_eq!(evidence.path.len(), 7);
        check_path(&system, &evidence);
    }
}

#[test]
fn faults_and_limits_are_no_verdicts() {
    let faulty = sparse(Sparse {
        nodes: 60,
        groups: 3,
        setups: 0,
        fault_in: 3,
        violation_in: 0,
        seed: 3,
    });
    let formulas = [Ctl::ag(Ctl::True)];
    let mut config = symbolic::Config {
        threads: 1,
        order: symbolic::Order::Bfs,
        ..symbolic::Config::default()
    };
    let (_, outcomes) = check_branching(&faulty, &config, &formulas, &[], &Quiet).unwrap();
    assert!(matches!(outcomes[0].verdict, Verdict::Fault { .. }));
    config.limits = Limits {
        max_states: Some(10),
        ..Limits::default()
    };
    let (_, outcomes) = check_branching(&philosophers(6), &config, &formulas, &[], &Quiet).unwrap();
    assert_eq!(outcomes[0].verdict, Verdict::Open(vec![Open::MaxStates]));
}
