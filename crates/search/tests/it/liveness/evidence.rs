//! Evidence is short, and limits end a check open.

use super::*;

/// A long chain into a ring, with a short cut: 10,000 states.
fn ring() -> Graph {
    let count = 10_000u32;
    let steps = (0..count).map(|at| {
        let mut steps = vec![(0, if at + 1 < count { at + 1 } else { 5000 })];
        if at == 7000 {
            steps.push((1, 6990));
        }
        steps
    });
    Graph {
        atoms: (0..count).map(|at| u64::from(at == 3)).collect(),
        steps: steps.collect(),
        initial: vec![0],
    }
}

#[test]
fn a_lasso_is_as_short_as_breadth_first_search_makes_it() {
    let graph = ring();
    // p, at state 3, does not recur: any loop shows it.
    let formula = Ltl::globally(Ltl::finally(Ltl::Atom(0)));
    let outcome = graph.explore(|space| {
        space.check(&Property {
            formula: &formula,
            fairness: &[],
        })
    });
    let Verdict::Violated(evidence) = outcome.verdict else {
        panic!("{:?}", outcome.verdict);
    };
    let End::Lasso { start } = evidence.end else {
        panic!("{:?}", evidence.end);
    };
    assert!(!holds_on(&formula, &graph.word(&evidence)));
    let round = evidence.path.len() - start;
    // The ring through its first state has 5,000 steps, and 11 through the states of the short cut.
    let entry = evidence.path[start].state[0];
    let shortest = if (6990..=7000).contains(&entry) {
        11
    } else {
        5000
    };
    assert!(round <= shortest, "{round} steps through {entry}");
}

#[test]
fn a_bad_prefix_is_shortest_and_premises_do_not_change_it() {
    let graph = ring();
    let formula = Ltl::globally(Ltl::not(Ltl::Atom(3)));
    for fairness in [
        vec![],
        vec![Fairness {
            strong_labels: true,
            ..Fairness::default()
        }],
    ] {
        let outcome = graph.explore(|space| {
            space.check(&Property {
                formula: &formula,
                fairness: &fairness,
            })
        });
        assert!(outcome.effort.is_safety);
        let Verdict::Violated(evidence) = outcome.verdict else {
            panic!("{:?}", outcome.verdict);
        };
        // 7,000 steps to the short cut, and the step itself.
        assert_eq!((evidence.end, evidence.path.len()), (End::BadPrefix, 7002));
    }
}

#[test]
fn limits_end_checks_open() {
    let graph = ring();
    let system = graph.system();
    let mut config = Config {
        limits: Limits {
            max_states: Some(100),
            ..Limits::default()
        },
        ..Config::default()
    };
    let formula = Ltl::globally(Ltl::finally(Ltl::Atom(0)));
    let property = Property {
        formula: &formula,
        fairness: &[],
    };
    let first = Ltl::globally(Ltl::not(Ltl::Atom(0)));
    let early = Property {
        formula: &first,
        fairness: &[],
    };
    let (open, violated, branching) = explore(
        &system,
        Box::new(InGraph(&graph)),
        &config,
        &Quiet,
        |space| {
            let open = space.check(&property).verdict;
            // What lies within the limit is found all the same.
            let violated = space.check(&early).verdict;
            (
                open,
                violated,
                space.check_branching(&Ctl::ef(Ctl::Atom(2))).verdict,
            )
        },
    )
    .unwrap();
    assert_eq!(open, Verdict::Open(vec![Open::MaxStates]));
    assert!(matches!(violated, Verdict::Violated(_)), "{violated:?}");
    assert_eq!(branching, Verdict::Open(vec![Open::MaxStates]));
    config.limits.max_depth = Some(3);
    assert!(explore(&system, Box::new(InGraph(&graph)), &config, &Quiet, |_| ()).is_err());
}
