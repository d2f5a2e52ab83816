//! Temporal checks agree with brute force: verdicts with all short lassos of small graphs, evidence with the evaluator
//! of single words, native fairness with fairness written as a formula.

pub(crate) mod branching;
mod evidence;
mod undefined;

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

/// One of the ways in which a path may be fair.
fn random_fairness(random: &mut Random) -> Fairness {
    let each = GROUPS.map(|(enabled, taken)| Constraint { enabled, taken });
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
    fairness
}

#[test]
fn verdicts_and_fairness_agree_with_formulas_on_random_graphs() {
    let seed = 20_261_116;
    println!("seed {seed}");
    let mut random = Random(seed);
    let mut violated = 0;
    for _ in 0..4000 {
        let states = 2 + random.below(5);
        let graph = Graph::random(&mut random, states);
        let size = 3 + random.below(6);
        let formula = random.formula(size, 4);
        let fairness = random_fairness(&mut random);
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
