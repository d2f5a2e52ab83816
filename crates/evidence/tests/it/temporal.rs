//! Random formulas over random graphs: what can be proved is accepted and true of every short path, judged by the definition;
//! what is proved of another formula or graph, or changed, is accepted only where it is true.

use std::sync::atomic::AtomicBool;

use buchi::Word;
use certify::{
    Certificate, Claim, Claimed, Definedness, Emit, Evaluator, Header, Manner, Part, Rejected,
    Semantics, Told, fingerprint,
};
use certify_temporal::{
    Atom, Constraint, Ctl, Cycles, Evidence, Fairness, Formula, Logic, Ltl, certify, explore,
};
use evidence::{Writer, prove, text, with_header};

use crate::Numbers;

const STATES: usize = 5;
/// Two atoms about states, one about steps, and whether such a step is possible.
const ATOMS: [Atom; 4] = [
    Atom::Label(0),
    Atom::Label(1),
    Atom::Step(0),
    Atom::Enabled(0),
];

/// A graph over few states: labels by state, and steps with a mark or without.
struct Small {
    labels: [u8; STATES],
    steps: Vec<(usize, usize, bool)>,
}

impl Small {
    fn random(numbers: &mut Numbers) -> Small {
        let count = numbers.next(8);
        let mut step = || {
            (
                numbers.next(STATES),
                numbers.next(STATES),
                numbers.next(2) == 0,
            )
        };
        let steps = (0..count + 2).map(|_| step()).collect();
        Small {
            labels: std::array::from_fn(|_| numbers.next(4) as u8),
            steps,
        }
    }

    fn from(&self, state: usize) -> impl Iterator<Item = &(usize, usize, bool)> {
        self.steps.iter().filter(move |(from, ..)| *from == state)
    }
}

impl Semantics for Small {
    type Value = usize;

    fn fits(&self, components: usize) -> bool {
        components == 1
    }

    fn labels(&self) -> usize {
        0
    }

    fn actions(&self) -> usize {
        1
    }

    fn mentions(&self, _part: Part) -> Vec<usize> {
        vec![0]
    }

    fn read(&self, _component: usize, text: &str) -> Option<usize> {
        text.parse().ok().filter(|state| *state < STATES)
    }

    fn classes(&self) -> Vec<Vec<u32>> {
        Vec::new()
    }

    fn permute(&self, _component: usize, value: &usize, _permutation: &[Vec<u32>]) -> usize {
        *value
    }

    fn evaluator(&self, _wd: Definedness) -> Box<dyn Evaluator<usize> + '_> {
        Box::new(Walker(self))
    }
}

struct Walker<'a>(&'a Small);

impl Evaluator<usize> for Walker<'_> {
    fn starts(
        &mut self,
        _setup_labels: &[u32],
        emit: &mut dyn FnMut(&[usize]) -> Result<(), Rejected>,
    ) -> Result<Vec<String>, Rejected> {
        emit(&[0]).map(|()| Vec::new())
    }

    fn steps(
        &mut self,
        _action: usize,
        state: &[usize],
        emit: Emit<'_, usize>,
    ) -> Result<(), Rejected> {
        let mut steps = self.0.from(state[0]);
        steps.try_for_each(|(_, to, mark)| {
            let told = Told {
                marks: u64::from(*mark),
                name: Some(mark.to_string().into()),
            };
            emit(&[*to], told)
        })
    }

    fn holds(&mut self, label: u32, state: &[usize]) -> Result<bool, Rejected> {
        Ok(self.0.labels[state[0]] >> label & 1 == 1)
    }
}

/// A certificate of all states, with formulas.
fn file(formulas: Vec<Claimed>) -> Vec<u8> {
    let mut writer = Writer::new(1);
    for at in 0..STATES {
        let number = writer.number(0, at.to_string());
        writer.add(&[number]);
    }
    let header = Header {
        model: fingerprint("small"),
        name: "small".to_owned(),
        wd: Definedness::Default,
        claim: Claim::default(),
        symmetry: None,
        components: 0,
        states: 0,
        diagram: None,
        formulas: Vec::new(),
    };
    let bytes = writer.finish(&header);
    let mut header = Certificate::read(&bytes).expect("a certificate").header;
    header.formulas = formulas;
    with_header(&bytes, &header)
}

fn manner(stop: &AtomicBool) -> Manner<'_, usize> {
    Manner {
        threads: 1,
        from: 0,
        stop,
        progress: &|_| {},
        guide: &|| None,
    }
}

fn accepts(small: &Small, formula: &Formula, evidence: &Evidence) -> bool {
    let claimed = Claimed {
        logic: "ltl".to_owned(),
        text: "any".to_owned(),
        evidence: text(evidence),
    };
    let certificate = Certificate::read(&file(vec![claimed])).expect("a certificate");
    let stop = AtomicBool::new(false);
    let formulas = std::slice::from_ref(formula);
    certify(small, ("small", &certificate), formulas, &manner(&stop)).is_ok()
}

fn proof(small: &Small, formula: &Formula) -> Result<Evidence, String> {
    let certificate = Certificate::read(&file(Vec::new())).expect("a certificate");
    let stop = AtomicBool::new(false);
    let formulas = std::slice::from_ref(formula);
    let explored = explore(small, ("small", &certificate), formulas, &manner(&stop));
    let (_, graph) = explored.expect("all states are a closed set");
    prove(&graph, formula)
}

fn ltl(numbers: &mut Numbers, depth: usize) -> Ltl {
    let deeper = |numbers: &mut Numbers| Box::new(ltl(numbers, depth - 1));
    match numbers.next(if depth == 0 { 1 } else { 10 }) {
        0 => Ltl::Atom(numbers.next(ATOMS.len()) as u32),
        1 => Ltl::True,
        2 => Ltl::Not(deeper(numbers)),
        3 => Ltl::And(vec![*deeper(numbers), *deeper(numbers)]),
        4 => Ltl::Next(deeper(numbers)),
        5 => Ltl::Yesterday(deeper(numbers)),
        6 => Ltl::Since(deeper(numbers), deeper(numbers)),
        7 => Ltl::Not(Box::new(Ltl::Until(Box::new(Ltl::True), deeper(numbers)))),
        _ => Ltl::Until(deeper(numbers), deeper(numbers)),
    }
}

fn fairness(numbers: &mut Numbers) -> Vec<Fairness> {
    let mark = Constraint {
        enabled: 3,
        taken: 2,
    };
    // A constraint that is enabled where a label holds and taken by steps with the mark.
    let label = Constraint {
        enabled: 0,
        taken: 2,
    };
    let one = |weak: &[Constraint], strong: &[Constraint]| Fairness {
        weak: weak.to_vec(),
        strong: strong.to_vec(),
        ..Fairness::default()
    };
    let every = |every_weak: bool, every_strong: bool| Fairness {
        every_weak,
        every_strong,
        ..one(&[], &[label])
    };
    match numbers.next(9) {
        0 => vec![one(&[mark], &[])],
        1 => vec![one(&[], &[mark])],
        2 => vec![one(&[label], &[mark])],
        3 => vec![one(&[mark], &[]), one(&[], &[label])],
        4 => vec![every(true, false)],
        5 => vec![every(false, true)],
        6 => vec![every(true, true), one(&[mark], &[])],
        _ => Vec::new(),
    }
}

/// The same formula for the judge of words.
fn judged(formula: &Ltl) -> buchi::Ltl {
    use buchi::Ltl as Word;
    match formula {
        Ltl::True => Word::True,
        Ltl::Atom(atom) => Word::Atom(*atom),
        Ltl::Not(a) => Word::not(judged(a)),
        Ltl::And(all) => Word::And(all.iter().map(judged).collect()),
        Ltl::Next(a) => Word::next(judged(a)),
        Ltl::Until(a, b) => Word::until(judged(a), judged(b)),
        Ltl::Yesterday(a) => Word::yesterday(judged(a)),
        Ltl::Since(a, b) => Word::since(judged(a), judged(b)),
    }
}

/// Whether some path of at most so many steps, ended or going round a loop, is fair and violates a formula.
fn is_violated(small: &Small, said: &Ltl, premises: &[Fairness], most: usize) -> bool {
    let said = judged(said);
    let letter = |state: usize, mark: Option<bool>| {
        let enabled = |name: bool| small.from(state).any(|(.., mark)| *mark == name);
        u64::from(small.labels[state])
            | u64::from(mark == Some(true)) << 2
            | u64::from(enabled(true)) << 3
            | u64::from(enabled(false)) << 4
    };
    let is_false = |letters: &[u64], loop_start| {
        let letters = letters.iter().map(|letter| vec![*letter]).collect();
        !buchi::holds_on(
            &said,
            &Word {
                letters,
                loop_start,
            },
        )
    };
    let has = |letter: &u64, atom: u32| letter >> atom & 1 == 1;
    let is_fair = |round: &[u64]| {
        let taken = |c: &Constraint| round.iter().any(|letter| has(letter, c.taken));
        let never = |c: &Constraint| !round.iter().any(|letter| has(letter, c.enabled));
        let rests = |c: &Constraint| round.iter().any(|letter| !has(letter, c.enabled));
        // The names of steps: whether they have the mark.
        let names = |weak: bool| {
            [(3, true), (4, false)].iter().all(|(enabled, name)| {
                let is_taken = round.iter().any(|letter| has(letter, 2) == *name);
                let mut is_enabled = round.iter().map(|letter| has(letter, *enabled));
                is_taken
                    || if weak {
                        is_enabled.any(|is| !is)
                    } else {
                        is_enabled.all(|is| !is)
                    }
            })
        };
        let keeps = |premise: &Fairness| {
            premise.weak.iter().all(|c| taken(c) || rests(c))
                && premise.strong.iter().all(|c| taken(c) || never(c))
                && (!premise.every_weak || names(true))
                && (!premise.every_strong || names(false))
        };
        premises.is_empty() || premises.iter().any(keeps)
    };
    let mut todo: Vec<(Vec<usize>, Vec<u64>)> = vec![(vec![0], Vec::new())];
    while let Some((states, letters)) = todo.pop() {
        let at = states[states.len() - 1];
        if small.from(at).next().is_none() {
            let mut letters = letters.clone();
            letters.push(letter(at, None));
            if is_false(&letters, None) {
                return true;
            }
        }
        for start in 0..states.len() - 1 {
            if states[start] == at && is_fair(&letters[start..]) && is_false(&letters, Some(start))
            {
                return true;
            }
        }
        if letters.len() < most {
            for (_, to, mark) in small.from(at) {
                let (mut states, mut letters) = (states.clone(), letters.clone());
                letters.push(letter(at, Some(*mark)));
                states.push(*to);
                todo.push((states, letters));
            }
        }
    }
    false
}

#[test]
fn what_is_proved_of_paths_is_true_and_nothing_else_is_accepted() {
    let mut numbers = Numbers(11);
    let (mut proved, mut refuted, mut foreign, mut others) = (0, 0, 0, 0);
    let mut last: Option<Evidence> = None;
    for _ in 0..1_500 {
        let small = Small::random(&mut numbers);
        let said = ltl(&mut numbers, 3);
        let premises = fairness(&mut numbers);
        let formula = Formula {
            atoms: ATOMS.to_vec(),
            logic: Logic::Linear(said.clone(), premises.clone()),
        };
        let is_wrong = is_violated(&small, &said, &premises, 6);
        let evidence = proof(&small, &formula);
        match &evidence {
            Ok(evidence) => {
                assert!(!is_wrong, "{said:?} {premises:?} {:?}", small.steps);
                assert!(
                    accepts(&small, &formula, evidence),
                    "{said:?} {:?}",
                    small.steps
                );
                proved += 1;
            }
            // A path of more steps may be needed, but nothing else is ever in the way.
            Err(why) => {
                assert!(why.contains("violates"), "{why}");
                refuted += usize::from(is_wrong);
                others += 1;
            }
        }
        // Evidence for something else, and evidence that was changed.
        for _ in 0..4 {
            let mut changed = evidence.clone().ok().or(last.clone());
            let Some(Evidence::Linear(all)) = &mut changed else {
                continue;
            };
            all.iter_mut()
                .for_each(|cycles| change(cycles, &mut numbers));
            if changed.is_some_and(|changed| accepts(&small, &formula, &changed)) {
                assert!(evidence.is_ok(), "{said:?} {premises:?} {:?}", small.steps);
                foreign += 1;
            }
        }
        last = evidence.ok().or(last);
    }
    assert!(
        proved > 300 && refuted > 300,
        "{proved} {refuted} of {others}"
    );
    assert!(foreign > 10, "{foreign}");
}

fn change(cycles: &mut Cycles, numbers: &mut Numbers) {
    let (states, parts) = (cycles.states.len(), cycles.parts.len());
    let nodes = cycles.nodes.len();
    let node = &mut cycles.nodes[numbers.next(nodes)];
    match numbers.next(6) {
        0 if !node.is_empty() => {
            let at = numbers.next(node.len());
            node.remove(at);
        }
        1 if !node.is_empty() => {
            let at = numbers.next(node.len());
            node[at].1 = numbers.next(parts + 1) as u32;
        }
        2 if parts > 0 => {
            let part = &mut cycles.parts[numbers.next(parts)];
            part.condition = numbers.next(6) as u32;
        }
        3 if parts > 1 => {
            let at = 1 + numbers.next(parts - 1);
            cycles.parts[at].parent = Some(numbers.next(at) as u32);
        }
        4 if states > 0 => {
            let state = &mut cycles.states[numbers.next(states)];
            match state.pop() {
                Some(last) if numbers.next(2) == 0 => state.push(last ^ 1),
                _ => {}
            }
        }
        _ => {}
    }
}

fn ctl(numbers: &mut Numbers, depth: usize) -> Ctl {
    let deeper = |numbers: &mut Numbers| Box::new(ctl(numbers, depth - 1));
    match numbers.next(if depth == 0 { 1 } else { 7 }) {
        0 => Ctl::Atom([0, 1, 3][numbers.next(3)]),
        1 => Ctl::Not(deeper(numbers)),
        2 => Ctl::And(vec![*deeper(numbers), *deeper(numbers)]),
        3 => Ctl::Next(None, deeper(numbers)),
        4 => Ctl::Next(Some(2), deeper(numbers)),
        5 => Ctl::Until(deeper(numbers), deeper(numbers)),
        _ => Ctl::Globally(deeper(numbers)),
    }
}

/// In which states a formula holds, by its fixed point.
fn meaning(small: &Small, formula: &Ctl) -> [bool; STATES] {
    let fixed = |start: bool, now: &dyn Fn(usize, &[bool; STATES]) -> bool| {
        let mut truth = [start; STATES];
        for _ in 0..=STATES {
            truth = std::array::from_fn(|state| now(state, &truth));
        }
        truth
    };
    match formula {
        Ctl::True => [true; STATES],
        Ctl::Atom(3) => std::array::from_fn(|state| small.from(state).any(|(.., mark)| *mark)),
        Ctl::Atom(label) => std::array::from_fn(|state| small.labels[state] >> label & 1 == 1),
        Ctl::Not(a) => meaning(small, a).map(|truth| !truth),
        Ctl::And(all) => {
            let all: Vec<_> = all.iter().map(|part| meaning(small, part)).collect();
            std::array::from_fn(|state| all.iter().all(|part| part[state]))
        }
        Ctl::Next(by, a) => {
            let a = meaning(small, a);
            let leads = |(_, to, mark): &(usize, usize, bool)| a[*to] && (by.is_none() || *mark);
            std::array::from_fn(|state| small.from(state).any(leads))
        }
        Ctl::Until(a, b) => {
            let (a, b) = (meaning(small, a), meaning(small, b));
            fixed(false, &|state, truth| {
                b[state] || a[state] && small.from(state).any(|(_, to, _)| truth[*to])
            })
        }
        Ctl::Globally(a) => {
            let a = meaning(small, a);
            fixed(true, &|state, truth| {
                let is_end = small.from(state).next().is_none();
                a[state] && (is_end || small.from(state).any(|(_, to, _)| truth[*to]))
            })
        }
    }
}

#[test]
fn what_is_proved_of_states_is_true_and_nothing_else_is_accepted() {
    let mut numbers = Numbers(12);
    let (mut held, mut changed) = (0, 0);
    for _ in 0..2_000 {
        let small = Small::random(&mut numbers);
        let said = ctl(&mut numbers, 3);
        let holds = meaning(&small, &said)[0];
        let formula = Formula {
            atoms: ATOMS.to_vec(),
            logic: Logic::Branching(said.clone()),
        };
        let evidence = proof(&small, &formula).expect("every answer has numbers");
        let accepted = accepts(&small, &formula, &evidence);
        assert_eq!(accepted, holds, "{said:?} {:?}", small.steps);
        held += usize::from(holds);
        for _ in 0..4 {
            let mut other = evidence.clone();
            let Evidence::Branching(ranks) = &mut other else {
                continue;
            };
            let count = ranks.len();
            if count > 0 {
                ranks[numbers.next(count)][numbers.next(STATES)] = numbers.next(4) as u32;
                let accepted = accepts(&small, &formula, &other);
                assert!(holds || !accepted, "{said:?} {:?}", small.steps);
                changed += 1;
            }
        }
    }
    assert!(held > 500 && changed > 2_000, "{held} {changed}");
}
