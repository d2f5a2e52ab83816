//! Temporal checks agree with brute force: verdicts with all short lassos of small graphs, evidence with the evaluator
//! of single words, native fairness with fairness written as a formula.

use crate::common::{Random, formulas_up_to};
use buchi::{Ltl, Word, holds_on};
use pins::toy::{Toy, group, toy};
use pins::{Event, PathStep};
use pins::{Fault, Flow, GroupId, LabelId, Notes, Step, System, Truth, Worker};
use search::branching::Ctl;
use search::explicit::{self, Limits, Open, Quiet};
use search::liveness::{
    Atoms, Config, Constraint, End, Evidence, Fairness, Letter, Method, Outcome, Property, Safety,
    Space, Successor, Successors, Verdict, explore,
};

/// A graph: for each state its atoms and its steps, each a group and a target.
#[derive(Clone, Debug)]
struct Graph {
    atoms: Vec<u64>,
    steps: Vec<Vec<(usize, u32)>>,
    initial: Vec<u32>,
}

/// Atom 0 and 2 are of states, 1 says that group 0 steps, 3 that group 1 does; 4 and 5 that they are enabled.
const GROUPS: [(u32, u32); 2] = [(4, 1), (5, 3)];

impl Graph {
    fn system(&self) -> Toy {
        let steps = self.steps.clone();
        let groups = vec![group("a", &[0], &[0]), group("b", &[0], &[0])];
        let mut system = toy(
            1,
            vec![0],
            groups,
            Box::new(move |state, group, _, emit| {
                for (by, target) in &steps[state[0] as usize] {
                    if *by == group && emit(&[], &[*target]) == Flow::Stop {
                        break;
                    }
                }
                Ok(())
            }),
        );
        system.initial = vec![self.initial.iter().map(|state| vec![*state]).collect()];
        system
    }

    fn state_letter(&self, state: u32) -> u64 {
        let mut letter = self.atoms[state as usize];
        for (group, _) in &self.steps[state as usize] {
            letter |= 1 << GROUPS[*group].0;
        }
        letter
    }

    fn letter(&self, state: u32, group: usize) -> u64 {
        self.state_letter(state) | 1 << GROUPS[group].1
    }

    /// All words of paths with at most so many positions: lassos and paths into deadlocks.
    fn words(&self, most: usize) -> Vec<Word> {
        let mut words: Vec<(Vec<u64>, Option<usize>)> = Vec::new();
        let mut todo: Vec<(Vec<u32>, Vec<u64>)> = Vec::new();
        todo.extend(self.initial.iter().map(|state| (vec![*state], Vec::new())));
        while let Some((states, letters)) = todo.pop() {
            let last = states[states.len() - 1];
            let steps = &self.steps[last as usize];
            if steps.is_empty() {
                words.push((
                    [letters.clone(), vec![self.state_letter(last)]].concat(),
                    None,
                ));
            }
            for (group, target) in steps {
                let letters = [letters.clone(), vec![self.letter(last, *group)]].concat();
                for (start, state) in states.iter().enumerate() {
                    if state == target {
                        words.push((letters.clone(), Some(start)));
                    }
                }
                if states.len() < most {
                    todo.push(([states.clone(), vec![*target]].concat(), letters));
                }
            }
        }
        words.sort_unstable();
        words.dedup();
        let word = |(letters, loop_start): (Vec<u64>, Option<usize>)| Word {
            letters: letters.into_iter().map(|letter| vec![letter]).collect(),
            loop_start,
        };
        words.into_iter().map(word).collect()
    }

    /// The word of evidence, after each of its steps was found in the graph.
    fn word(&self, evidence: &Evidence) -> Word {
        let path = &evidence.path;
        assert_eq!(path[0].event, Event::Initialisation);
        assert!(self.initial.contains(&path[0].state[0]));
        let take = |from: u32, step: &PathStep| {
            let Event::Group(group) = step.event else {
                panic!("a later step is an event");
            };
            let taken = (group.index(), step.state[0]);
            assert!(self.steps[from as usize].contains(&taken), "no such step");
            vec![self.letter(from, group.index())]
        };
        let pairs = path.iter().zip(&path[1..]);
        let mut letters: Vec<Vec<u64>> = pairs
            .map(|(from, step)| take(from.state[0], step))
            .collect();
        let last = path[path.len() - 1].state[0];
        let loop_start = match evidence.end {
            End::Lasso { start } => {
                let closing = evidence.closing.as_ref().unwrap();
                assert_eq!(closing.state, path[start].state, "the loop is closed");
                letters.push(take(last, closing));
                Some(start)
            }
            End::Deadlock => {
                assert!(self.steps[last as usize].is_empty());
                letters.push(vec![self.state_letter(last)]);
                None
            }
            End::BadPrefix => {
                letters.push(vec![self.state_letter(last)]);
                None
            }
        };
        Word {
            letters,
            loop_start,
        }
    }

    fn random(random: &mut Random, states: usize) -> Graph {
        let mut steps = vec![Vec::new(); states];
        for from in steps.iter_mut() {
            for _ in 0..[0, 1, 1, 2, 2, 3][random.below(6)] {
                let step = (random.below(2), random.below(states) as u32);
                if !from.contains(&step) {
                    from.push(step);
                }
            }
            // Systems give steps group by group.
            from.sort_unstable_by_key(|(group, _)| *group);
        }
        Graph {
            atoms: (0..states).map(|_| [0, 1, 4, 5][random.below(4)]).collect(),
            steps,
            initial: (0..1 + random.below(2) as u32).collect(),
        }
    }

    fn explore<R>(&self, work: impl FnOnce(&mut Space<'_>) -> R) -> R {
        self.explore_by(Method::Components, work)
    }

    fn explore_by<R>(&self, method: Method, work: impl FnOnce(&mut Space<'_>) -> R) -> R {
        let config = Config {
            labels: true,
            method,
            ..Config::default()
        };
        explore(
            &self.system(),
            Box::new(InGraph(self)),
            &config,
            &Quiet,
            work,
        )
        .unwrap()
    }
}

struct InGraph<'g>(&'g Graph);

impl Atoms for InGraph<'_> {
    fn count(&self) -> u32 {
        6
    }

    fn is_of_steps(&self, atom: u32) -> bool {
        GROUPS.iter().any(|(_, taken)| *taken == atom)
    }

    fn state(&mut self, state: &[u32], successors: &Successors<'_>, letter: &mut Letter<'_>) {
        let own = self.0.atoms[state[0] as usize];
        [0, 2]
            .into_iter()
            .filter(|atom| own >> atom & 1 == 1)
            .for_each(|atom| letter.set(atom));
        for step in successors.iter() {
            letter.set(GROUPS[step.group.index()].0);
        }
    }

    fn step(&mut self, _: &[u32], step: Successor<'_>, letter: &mut Letter<'_>) {
        letter.set(GROUPS[step.group.index()].1);
    }
}

fn implies_fair(fairness: &Fairness) -> Ltl {
    let recurs = |a| Ltl::globally(Ltl::finally(a));
    let weak = |c: &Constraint| {
        let enabled = Ltl::finally(Ltl::globally(Ltl::Atom(c.enabled)));
        Ltl::implies(enabled, recurs(Ltl::Atom(c.taken)))
    };
    let strong =
        |c: &Constraint| Ltl::implies(recurs(Ltl::Atom(c.enabled)), recurs(Ltl::Atom(c.taken)));
    let each = GROUPS.map(|(enabled, taken)| Constraint { enabled, taken });
    let mut all: Vec<Ltl> = fairness.weak.iter().map(weak).collect();
    all.extend(fairness.strong.iter().map(strong));
    if fairness.weak_labels {
        all.extend(each.iter().map(weak));
    }
    if fairness.strong_labels {
        all.extend(each.iter().map(strong));
    }
    Ltl::And(all)
}

/// All graphs of two states in which each pair has no edge or one by either group.
fn small_graphs() -> Vec<Graph> {
    let mut all = Vec::new();
    for code in 0..81usize {
        let kind = |from: usize, to: usize| code / 3usize.pow((2 * from + to) as u32) % 3;
        let step =
            |from: usize, to: usize| (kind(from, to) > 0).then(|| (kind(from, to) - 1, to as u32));
        let steps = |from: usize| {
            let mut steps: Vec<_> = (0..2).filter_map(|to| step(from, to)).collect();
            steps.sort_unstable_by_key(|(group, _)| *group);
            steps
        };
        for atoms in 0..4u64 {
            all.push(Graph {
                atoms: vec![atoms & 1, atoms >> 1],
                steps: vec![steps(0), steps(1)],
                initial: vec![0],
            });
        }
    }
    all
}

#[test]
fn verdicts_agree_with_all_lassos_for_all_small_formulas_on_all_small_graphs() {
    let formulas = formulas_up_to(4);
    for graph in small_graphs() {
        let words = graph.words(4);
        graph.explore(|space| {
            for formula in formulas.iter().flatten() {
                let property = Property {
                    formula,
                    fairness: &[],
                };
                match space.check(&property).verdict {
                    Verdict::Holds(_) => {
                        let bad = words.iter().find(|word| !holds_on(formula, word));
                        assert_eq!(bad, None, "{formula} on {graph:?}");
                    }
                    Verdict::Violated(evidence) => {
                        let word = graph.word(&evidence);
                        assert!(
                            !holds_on(formula, &word),
                            "{formula} on {graph:?}: {word:?}"
                        );
                    }
                    other => panic!("{formula} on {graph:?}: {other:?}"),
                }
            }
        });
    }
}

/// The verdict of a safety formula by a search for bad states.
fn by_bad_states(graph: &Graph, formula: &Ltl) -> Verdict {
    let system = graph.system();
    let answering = || -> Box<dyn Atoms + '_> { Box::new(InGraph(graph)) };
    let safety = Safety::new(&system, formula, &answering).unwrap();
    let config = explicit::Config {
        checks: explicit::Checks {
            invariants: vec![safety.label()],
            ..explicit::Checks::default()
        },
        ..explicit::Config::default()
    };
    let outcome = explicit::explore(&safety, &config, &Quiet).unwrap();
    safety.conclude(outcome).verdict
}

#[test]
fn safety_formulas_are_systems_whose_states_are_never_bad() {
    let mut random = Random(20_261_118);
    let (mut held, mut violated) = (0, 0);
    for _ in 0..4000 {
        let states = 2 + random.below(5);
        let graph = Graph::random(&mut random, states);
        let size = 2 + random.below(6);
        let formula = random.formula(size, 4);
        if !buchi::is_safety(&formula) {
            continue;
        }
        let property = Property {
            formula: &formula,
            fairness: &[],
        };
        let wanted = graph.explore(|space| space.check(&property).verdict);
        match (by_bad_states(&graph, &formula), wanted) {
            (Verdict::Holds(_), Verdict::Holds(_)) => held += 1,
            (Verdict::Violated(found), Verdict::Violated(shortest)) => {
                violated += 1;
                // One evaluator sees one step ahead that nothing can be repaired.
                assert!(found.path.len() <= shortest.path.len() + 1);
                let word = graph.word(&found);
                assert!(!holds_on(&formula, &word), "{formula} on {graph:?}");
            }
            other => panic!("{formula} on {graph:?}: {other:?}"),
        }
    }
    assert!(held > 100 && violated > 100, "{held} {violated}");
}

#[test]
fn verdicts_and_fairness_agree_with_formulas_on_random_graphs() {
    let seed = 20_261_116;
    println!("seed {seed}");
    let mut random = Random(seed);
    let each = GROUPS.map(|(enabled, taken)| Constraint { enabled, taken });
    let mut violated = 0;
    for _ in 0..4000 {
        let states = 2 + random.below(5);
        let graph = Graph::random(&mut random, states);
        let size = 3 + random.below(6);
        let formula = random.formula(size, 4);
        let mut fairness = Fairness::default();
        match random.below(8) {
            0 => {}
            1 => fairness.weak_labels = true,
            2 => fairness.strong_labels = true,
            3 => fairness.weak.push(each[random.below(2)]),
            4 => fairness.strong.push(each[random.below(2)]),
            5 => fairness.strong.extend(each),
            6 => {
                fairness.weak.push(each[0]);
                fairness.strong.push(each[1]);
            }
            _ => {
                fairness.weak_labels = true;
                fairness.strong.push(each[random.below(2)]);
            }
        }
        let premise = implies_fair(&fairness);
        let whole = Ltl::implies(premise.clone(), formula.clone());
        let about = || format!("{formula} under {fairness:?} on {graph:?}");
        let verdicts = graph.explore(|space| {
            let native = space.check(&Property {
                formula: &formula,
                fairness: std::slice::from_ref(&fairness),
            });
            let expanded = space.check(&Property {
                formula: &whole,
                fairness: &[],
            });
            [native.verdict, expanded.verdict]
        });
        if matches!(verdicts[1], Verdict::TooLarge(_)) {
            continue;
        }
        let light = Property {
            formula: &formula,
            fairness: std::slice::from_ref(&fairness),
        };
        let nested = graph
            .explore_by(Method::Nested, |space| space.check(&light))
            .verdict;
        match nested {
            Verdict::Refused(_) => {
                let is_weak = fairness.strong.is_empty() && !fairness.strong_labels;
                assert!(!is_weak || fairness.weak_labels, "{}", about());
            }
            Verdict::Holds(_) => assert!(matches!(verdicts[0], Verdict::Holds(_)), "{}", about()),
            Verdict::Violated(evidence) => {
                let word = graph.word(&evidence);
                assert!(!holds_on(&formula, &word), "{}: {word:?}", about());
                if evidence.end != End::BadPrefix {
                    assert!(holds_on(&premise, &word), "{}: {word:?}", about());
                }
            }
            other => panic!("{}: {other:?}", about()),
        }
        let [native, expanded] = verdicts.map(|verdict| match verdict {
            Verdict::Holds(_) => None,
            Verdict::Violated(evidence) => Some(evidence),
            other => panic!("{}: {other:?}", about()),
        });
        assert_eq!(native.is_some(), expanded.is_some(), "{}", about());
        if let Some(evidence) = native {
            violated += 1;
            let word = graph.word(&evidence);
            assert!(!holds_on(&formula, &word), "{}: {word:?}", about());
            if evidence.end != End::BadPrefix {
                assert!(holds_on(&premise, &word), "{}: {word:?}", about());
            }
        } else {
            let words = graph.words(5);
            let bad = words.iter().find(|word| !holds_on(&whole, word));
            assert_eq!(bad, None, "{}", about());
        }
    }
    assert!(
        violated > 500,
        "{violated} violations are too few to mean much"
    );
}

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

fn random_branching(random: &mut Random, size: usize) -> Ctl {
    if size <= 1 {
        return Ctl::Atom([0, 2, 4, 5][random.below(4)]);
    }
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
        0..=3 => unary[random.below(unary.len())](random_branching(random, size - 1)),
        4 => Ctl::ex_by([1, 3][random.below(2)], random_branching(random, size - 1)),
        _ => {
            let make = binary[random.below(binary.len())];
            make(
                random_branching(random, size / 2),
                random_branching(random, size / 2),
            )
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
        let formula = random_branching(&mut random, size);
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
