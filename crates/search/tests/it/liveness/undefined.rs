//! Atoms without a value, and steps that fault.

use super::*;

/// Atom 0 has no value in state 1; atom 2 is true there and nowhere else.
struct Partial;

impl Atoms for Partial {
    fn count(&self) -> u32 {
        3
    }

    fn is_of_steps(&self, _: u32) -> bool {
        false
    }

    fn state(&mut self, state: &[u32], _: &Successors<'_>, letter: &mut Letter<'_>) {
        if state[0] == 1 {
            letter.undefined(0, pins::toy::undefined("no value"));
            letter.set(2);
        } else {
            letter.set(0);
        }
    }

    fn step(&mut self, _: &[u32], _: Successor<'_>, _: &mut Letter<'_>) {}
}

#[test]
fn an_atom_without_a_value_is_a_fault_only_where_it_matters() {
    let graph = Graph {
        atoms: vec![0; 2],
        steps: vec![vec![(0, 1)], vec![(0, 0)]],
        initial: vec![0],
    };
    let (p, guard) = (|| Ltl::Atom(0), || Ltl::Atom(2));
    let formulas = [Ltl::globally(p()), Ltl::globally(Ltl::or(guard(), p()))];
    let (p, guard) = (|| Ctl::Atom(0), || Ctl::Atom(2));
    let branching = [Ctl::ag(p()), Ctl::ag(Ctl::or(guard(), p()))];
    let config = Config::default();
    let verdicts = explore(
        &graph.system(),
        Box::new(Partial),
        &config,
        &Quiet,
        |space| {
            let mut verdicts = Vec::new();
            for formula in &formulas {
                let property = Property {
                    formula,
                    fairness: &[],
                };
                verdicts.push(space.check(&property).verdict);
            }
            verdicts.extend(
                branching
                    .iter()
                    .map(|formula| space.check_branching(formula).verdict),
            );
            verdicts
        },
    )
    .unwrap();
    for (at, verdict) in verdicts.iter().enumerate() {
        match verdict {
            Verdict::Fault {
                atom, path, event, ..
            } => {
                assert_eq!((at % 2, *atom, *event), (0, Some(0), None));
                assert_eq!(path.len(), 2);
                assert_eq!(path[1].event, Event::Group(GroupId::new(0)));
            }
            verdict => assert_eq!((at % 2, verdict), (1, &Verdict::Holds(None))),
        }
    }
}

/// A ring 0, 1, 2, 0, … in which group 1 faults in state 1; in state 3, which only the initial state leads to, it is the only
/// group.
struct Faulty {
    toy: Toy,
    is_kind: bool,
}

impl System for Faulty {
    fn shape(&self) -> &pins::Shape {
        self.toy.shape()
    }

    fn worker(&self) -> Box<dyn Worker + '_> {
        Box::new(FaultyWorker(self.toy.worker(), self.is_kind))
    }
}

struct FaultyWorker<'t>(Box<dyn Worker + 't>, bool);

impl Worker for FaultyWorker<'_> {
    fn setups(&mut self, emit: &mut dyn FnMut(&[u32]) -> Flow) -> Result<(), Fault> {
        self.0.setups(emit)
    }

    fn initial(
        &mut self,
        setup: &[u32],
        emit: &mut dyn FnMut(&[u32]) -> Flow,
    ) -> Result<(), Fault> {
        self.0.initial(setup, emit)
    }

    fn successors(
        &mut self,
        state: &[u32],
        group: GroupId,
        emit: &mut dyn FnMut(Step<'_>) -> Flow,
    ) -> Result<(), Fault> {
        self.0.successors(state, group, emit)?;
        match (state[0], group.index()) {
            (1 | 3, 1) => Err(pins::toy::undefined("a step")),
            _ => Ok(()),
        }
    }

    fn all_successors(
        &mut self,
        state: &[u32],
        emit: &mut dyn FnMut(GroupId, Step<'_>) -> Flow,
        fault: &mut dyn FnMut(GroupId, Fault),
    ) {
        for group in [0, 1].map(GroupId::new) {
            if let Err(found) = self.successors(state, group, &mut |step| emit(group, step)) {
                fault(group, found);
            }
        }
    }

    fn label(&mut self, state: &[u32], label: LabelId) -> Truth {
        self.0.label(state, label)
    }

    fn take_notes(&mut self) -> Notes {
        self.0.take_notes()
    }

    fn go_past_faults(&mut self) -> bool {
        self.1
    }
}

#[test]
fn a_step_that_faults_is_no_step_and_no_deadlock() {
    let graph = Graph {
        atoms: vec![1, 1, 5, 1],
        steps: vec![vec![(0, 1), (0, 3)], vec![(0, 2)], vec![(0, 0)], vec![]],
        initial: vec![0],
    };
    let (p, q) = (|| Ltl::Atom(0), || Ltl::Atom(2));
    // Whether each is violated, and whether a fault lies on its way.
    let linear = [
        (Ltl::globally(p()), false, true),
        (Ltl::globally(Ltl::not(q())), true, true),
        // A path that ends in state 3 would refute it.
        (Ltl::globally(Ltl::finally(q())), false, true),
        (p(), false, false),
    ];
    let branching = [
        (Ctl::ag(Ctl::Atom(0)), false, true),
        (Ctl::ef(Ctl::not(Ctl::Atom(0))), true, true),
    ];
    let explore_all = |is_kind: bool| {
        let system = Faulty {
            toy: graph.system(),
            is_kind,
        };
        let config = Config::default();
        let atoms = Box::new(InGraph(&graph));
        explore(&system, atoms, &config, &Quiet, |space| {
            let mut found = Vec::new();
            for (formula, is_violated, meets) in &linear {
                let property = Property {
                    formula,
                    fairness: &[],
                };
                found.push((space.check(&property), *is_violated, *meets));
            }
            for (formula, is_violated, meets) in &branching {
                found.push((space.check_branching(formula), *is_violated, *meets));
            }
            (found, space.passed_fault())
        })
        .unwrap()
    };
    let (found, fault) = explore_all(true);
    for (at, (outcome, is_violated, meets)) in found.into_iter().enumerate() {
        let verdict = &outcome.verdict;
        assert_eq!(
            matches!(verdict, Verdict::Violated(_)),
            is_violated,
            "{at}: {verdict:?}"
        );
        assert_eq!(
            matches!(verdict, Verdict::Holds(_)),
            !is_violated,
            "{at}: {verdict:?}"
        );
        assert_eq!(outcome.effort.faults > 0, meets, "{at}");
    }
    let Some(Verdict::Fault { event, path, .. }) = fault else {
        panic!("{fault:?}");
    };
    assert_eq!(event, Some(Event::Group(GroupId::new(1))));
    assert_eq!(path.len(), 2);
    // A worker that keeps other steps to itself leaves no choice.
    let (found, fault) = explore_all(false);
    let ends = |outcome: &Outcome| matches!(outcome.verdict, Verdict::Fault { .. });
    assert!(found.iter().any(|(outcome, ..)| ends(outcome)));
    assert_eq!(fault, None);
}
