//! Every set of states of small systems as a diagram: it is accepted exactly when the same states one by one are, and when it
//! is closed, holds the initial state and satisfies the claim. Changed files prove nothing that is false.

use std::sync::atomic::AtomicBool;

use certify::{
    Accepted, Certificate, Claim, Definedness, Emit, Evaluator, Header, Levels, Manner, Part,
    Rejected, Semantics, Told, certify, fingerprint,
};

use evidence::Writer;

use crate::{Numbers, changed};

/// A state has so many components with two values each.
const COMPONENTS: usize = 3;
const STATES: usize = 1 << COMPONENTS;

/// A system of actions that mention some components: for each short vector, as a number, the short vectors that follow.
struct System {
    initial: usize,
    actions: Vec<(Vec<usize>, Vec<Vec<usize>>)>,
    /// What the label mentions, and the short vectors for which it holds.
    label: (Vec<usize>, Vec<bool>),
}

/// The short vector of a state, as a number.
fn short(state: &[bool], mentions: &[usize]) -> usize {
    let bits = mentions.iter().enumerate();
    bits.map(|(at, component)| usize::from(state[*component]) << at)
        .sum()
}

fn bits(number: usize) -> Vec<bool> {
    (0..COMPONENTS).map(|at| number >> at & 1 == 1).collect()
}

impl System {
    fn random(numbers: &mut Numbers) -> System {
        let some = |numbers: &mut Numbers| -> Vec<usize> {
            let chosen = numbers.next(STATES);
            (0..COMPONENTS).filter(|at| chosen >> at & 1 == 1).collect()
        };
        let actions = (0..3).map(|_| {
            let mentions = some(numbers);
            let count = 1usize << mentions.len();
            let targets = (0..count).map(|_| {
                let follow = numbers.next(1 << count) & numbers.next(1 << count);
                (0..count).filter(|at| follow >> at & 1 == 1).collect()
            });
            let targets = targets.collect();
            (mentions, targets)
        });
        let actions = actions.collect();
        let mentions = some(numbers);
        let holds = (0..1 << mentions.len()).map(|_| numbers.next(5) > 0);
        let holds = holds.collect();
        System {
            initial: numbers.next(STATES),
            actions,
            label: (mentions, holds),
        }
    }

    fn targets(&self, action: usize, state: &[bool]) -> Vec<Vec<bool>> {
        let (mentions, targets) = &self.actions[action];
        let targets = targets[short(state, mentions)].iter();
        let of = |target: &usize| {
            let mut next = state.to_vec();
            for (at, component) in mentions.iter().enumerate() {
                next[*component] = target >> at & 1 == 1;
            }
            next
        };
        targets.map(of).collect()
    }

    fn is_good(&self, state: &[bool]) -> bool {
        self.label.1[short(state, &self.label.0)]
    }

    /// Whether a set of states, as a number, shows that the label holds everywhere.
    fn proves(&self, set: usize, deadlock: bool) -> bool {
        let has = |state: &[bool]| set >> short(state, &[0, 1, 2]) & 1 == 1;
        let members = (0..STATES).map(bits).filter(|state| has(state));
        let mut is_proof = has(&bits(self.initial));
        for state in members {
            let steps: Vec<Vec<bool>> = (0..self.actions.len())
                .flat_map(|action| self.targets(action, &state))
                .collect();
            is_proof &= self.is_good(&state) && steps.iter().all(|next| has(next));
            is_proof &= !deadlock || !steps.is_empty();
        }
        is_proof
    }
}

impl System {
    fn text(&self) -> String {
        format!("{} {:?} {:?}", self.initial, self.actions, self.label)
    }
}

impl Semantics for System {
    type Value = bool;

    fn fits(&self, components: usize) -> bool {
        components == COMPONENTS
    }

    fn labels(&self) -> usize {
        1
    }

    fn actions(&self) -> usize {
        self.actions.len()
    }

    fn mentions(&self, part: Part) -> Vec<usize> {
        match part {
            Part::Action(action) => self.actions[action].0.clone(),
            Part::Label(_) => self.label.0.clone(),
        }
    }

    fn read(&self, _component: usize, text: &str) -> Option<bool> {
        text.parse().ok()
    }

    fn classes(&self) -> Vec<Vec<u32>> {
        Vec::new()
    }

    fn permute(&self, _component: usize, value: &bool, _permutation: &[Vec<u32>]) -> bool {
        *value
    }

    fn evaluator(&self, _wd: Definedness) -> Box<dyn Evaluator<bool> + '_> {
        Box::new(Walker(self))
    }
}

struct Walker<'s>(&'s System);

impl Evaluator<bool> for Walker<'_> {
    fn starts(
        &mut self,
        _setup_labels: &[u32],
        emit: &mut dyn FnMut(&[bool]) -> Result<(), Rejected>,
    ) -> Result<Vec<String>, Rejected> {
        emit(&bits(self.0.initial)).map(|()| Vec::new())
    }

    fn steps(
        &mut self,
        action: usize,
        state: &[bool],
        emit: Emit<'_, bool>,
    ) -> Result<(), Rejected> {
        let targets = self.0.targets(action, state);
        targets
            .iter()
            .try_for_each(|target| emit(target, Told::default()))
    }

    fn holds(&mut self, _label: u32, state: &[bool]) -> Result<bool, Rejected> {
        Ok(self.0.is_good(state))
    }
}

fn header(system: &System, deadlock: bool) -> Header {
    Header {
        model: fingerprint(&system.text()),
        name: "small".to_owned(),
        wd: Definedness::Default,
        claim: Claim {
            labels: vec![0],
            setup_labels: Vec::new(),
            deadlock,
            ..Claim::default()
        },
        symmetry: None,
        components: 0,
        states: 0,
        diagram: None,
        formulas: Vec::new(),
    }
}

fn members(set: usize) -> Vec<Vec<bool>> {
    let states = (0..STATES).filter(|at| set >> at & 1 == 1);
    states.map(bits).collect()
}

fn writer() -> Writer {
    let mut writer = Writer::new(COMPONENTS);
    for component in 0..COMPONENTS {
        writer.number(component, "false".to_owned());
        writer.number(component, "true".to_owned());
    }
    writer
}

/// A set of states, one by one.
fn listed(system: &System, set: usize, deadlock: bool) -> Vec<u8> {
    let mut writer = writer();
    for state in members(set) {
        let numbers: Vec<u32> = state.into_iter().map(u32::from).collect();
        writer.add(&numbers);
    }
    writer.finish(&header(system, deadlock))
}

/// A set of states as a diagram with an order of levels.
fn drawn(system: &System, set: usize, deadlock: bool, order: &[usize]) -> Vec<u8> {
    fn node(
        writer: &mut Writer,
        states: &[Vec<bool>],
        order: &[usize],
        known: &mut Vec<(Vec<(u32, u32)>, u32)>,
    ) -> u32 {
        let Some((component, rest)) = order.split_first() else {
            return 0;
        };
        let mut edges = Vec::new();
        for value in [false, true] {
            let states = states.iter().filter(|state| state[*component] == value);
            let states: Vec<Vec<bool>> = states.cloned().collect();
            if !states.is_empty() {
                edges.push((u32::from(value), node(writer, &states, rest, known)));
            }
        }
        if let Some((_, number)) = known.iter().find(|(other, _)| *other == edges) {
            return *number;
        }
        let number = writer.add_node(&edges);
        known.push((edges, number));
        number
    }
    let mut writer = writer();
    let states = members(set);
    node(&mut writer, &states, order, &mut Vec::new());
    writer.finish(&Header {
        states: states.len() as u64,
        diagram: Some(Levels {
            order: order.to_vec(),
            nodes: 0,
        }),
        ..header(system, deadlock)
    })
}

fn check(system: &System, bytes: &[u8]) -> Result<Accepted, Rejected> {
    let manner = Manner {
        threads: 1,
        from: 0,
        stop: &AtomicBool::new(false),
        progress: &|_| {},
        guide: &|| None,
    };
    let certificate = Certificate::read(bytes)?;
    let given = (&*system.text(), &certificate);
    match certificate.header.diagram {
        Some(_) => certify_diagrams::certify(system, given, &manner),
        None => certify(system, given, &manner),
    }
}

const ORDERS: [[usize; COMPONENTS]; 3] = [[0, 1, 2], [2, 0, 1], [1, 2, 0]];

#[test]
fn exactly_the_closed_diagrams_are_accepted() {
    let mut numbers = Numbers(17);
    let mut accepted = 0;
    for _ in 0..60 {
        let system = System::random(&mut numbers);
        for set in 1..1 << STATES {
            let deadlock = numbers.next(2) == 0;
            let expected = system.proves(set, deadlock);
            let order = ORDERS[numbers.next(ORDERS.len())];
            let answers = [
                check(&system, &listed(&system, set, deadlock)),
                check(&system, &drawn(&system, set, deadlock, &order)),
            ];
            for answer in answers {
                let text = system.text();
                assert_eq!(answer.is_ok(), expected, "{text} {set:b}: {answer:?}");
            }
            accepted += usize::from(expected);
        }
    }
    assert!(accepted > 100, "only {accepted} sets were closed");
}

#[test]
fn no_changed_file_proves_what_is_false() {
    let mut numbers = Numbers(19);
    let mut tried = 0;
    while tried < 10_000 {
        let system = System::random(&mut numbers);
        // Everything that can be reached, where something is wrong.
        let mut reached = 1 << system.initial;
        for _ in 0..STATES {
            for state in members(reached) {
                for action in 0..system.actions.len() {
                    for target in system.targets(action, &state) {
                        reached |= 1 << short(&target, &[0, 1, 2]);
                    }
                }
            }
        }
        if system.proves(reached, false) {
            continue;
        }
        let order = ORDERS[numbers.next(ORDERS.len())];
        let bytes = match numbers.next(4) {
            0 => listed(&system, reached, false),
            _ => drawn(&system, reached, false, &order),
        };
        for _ in 0..50 {
            tried += 1;
            if let Ok(accepted) = check(&system, &changed(&bytes, &mut numbers)) {
                // A certificate may claim less.
                assert!(accepted.claim.labels.is_empty(), "{accepted:?}");
            }
        }
    }
}
