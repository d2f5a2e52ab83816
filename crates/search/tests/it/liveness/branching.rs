//! Branching time against the definition read aloud.

use super::*;

/// The definition read aloud, with paths as long as there are states.
fn by_definition(graph: &Graph, formula: &Ctl, state: u32) -> bool {
    let holds = |part: &Ctl, state: u32| by_definition(graph, part, state);
    let steps = &graph.steps[state as usize];
    match formula {
        Ctl::True => true,
        Ctl::False => false,
        Ctl::Atom(atom) => graph.state_letter(state) >> atom & 1 == 1,
        Ctl::Not(a) => !holds(a, state),
        Ctl::And(all) => all.iter().all(|part| holds(part, state)),
        Ctl::Or(all) => all.iter().any(|part| holds(part, state)),
        Ctl::ExistsNext(by, a) => steps.iter().any(|(group, target)| {
            by.is_none_or(|atom| GROUPS[*group].1 == atom) && holds(a, *target)
        }),
        Ctl::ExistsUntil(a, b) => until(graph, a, b, state, graph.steps.len()),
        Ctl::ExistsGlobally(a) => globally(graph, a, state, graph.steps.len()),
    }
}

fn until(graph: &Graph, a: &Ctl, b: &Ctl, state: u32, left: usize) -> bool {
    by_definition(graph, b, state)
        || (left > 0
            && by_definition(graph, a, state)
            && graph.steps[state as usize]
                .iter()
                .any(|(_, next)| until(graph, a, b, *next, left - 1)))
}

fn globally(graph: &Graph, a: &Ctl, state: u32, left: usize) -> bool {
    let steps = &graph.steps[state as usize];
    by_definition(graph, a, state)
        && (left == 0
            || steps.is_empty()
            || steps
                .iter()
                .any(|(_, next)| globally(graph, a, *next, left - 1)))
}

/// A formula over these atoms of states and these of steps.
pub(crate) fn random_branching(
    random: &mut Random,
    size: usize,
    (atoms, steps): (&[u32], &[u32]),
) -> Ctl {
    if size <= 1 {
        return Ctl::Atom(atoms[random.below(atoms.len())]);
    }
    let part = |random: &mut Random, size| random_branching(random, size, (atoms, steps));
    let unary = [
        Ctl::not,
        Ctl::ex,
        Ctl::eg,
        Ctl::ef,
        Ctl::ax,
        Ctl::af,
        Ctl::ag,
    ];
    let binary = [Ctl::and, Ctl::or, Ctl::eu, Ctl::implies];
    match random.below(9) {
        0..=3 => unary[random.below(unary.len())](part(random, size - 1)),
        4 => Ctl::ex_by(steps[random.below(steps.len())], part(random, size - 1)),
        _ => {
            let make = binary[random.below(binary.len())];
            make(part(random, size / 2), part(random, size / 2))
        }
    }
}

#[test]
fn branching_verdicts_agree_with_the_definition_and_evidence_with_verdicts() {
    let seed = 20_261_117;
    println!("seed {seed}");
    let mut random = Random(seed);
    for _ in 0..3000 {
        let states = 2 + random.below(3);
        let graph = Graph::random(&mut random, states);
        let size = 2 + random.below(4);
        let formula = random_branching(&mut random, size, (&[0, 2, 4, 5], &[1, 3]));
        let about = || format!("{formula:?} on {graph:?}");
        let expected = graph
            .initial
            .iter()
            .all(|state| by_definition(&graph, &formula, *state));
        let outcome = graph.explore(|space| space.check_branching(&formula));
        let evidence = match outcome.verdict {
            Verdict::Holds(evidence) => {
                assert!(expected, "{}", about());
                evidence
            }
            Verdict::Violated(evidence) => {
                assert!(!expected, "{}", about());
                Some(evidence)
            }
            other => panic!("{}: {other:?}", about()),
        };
        let Some(evidence) = evidence else {
            continue;
        };
        graph.word(&evidence);
        for mark in &evidence.marks {
            let state = evidence.path[mark.step].state[0];
            let part = part(&formula, mark.part);
            assert_eq!(
                by_definition(&graph, part, state),
                mark.holds,
                "{}",
                about()
            );
        }
        assert_eq!(evidence.marks[0].part, 0);
    }
}

fn part(formula: &Ctl, number: usize) -> &Ctl {
    let mut left = number;
    if left == 0 {
        return formula;
    }
    left -= 1;
    for direct in formula.parts() {
        if left < direct.size() {
            return part(direct, left);
        }
        left -= direct.size();
    }
    panic!("there is no part {number}")
}
