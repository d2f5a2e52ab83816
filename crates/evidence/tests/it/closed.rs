//! Every set of states of every small system: it is accepted exactly when it is closed, holds the initial states and
//! satisfies the claim. Every damaged file is rejected.

use std::sync::atomic::AtomicBool;

use certify::{
    Accepted, Certificate, Claim, Definedness, Emit, Evaluator, Guide, Header, Manner, Part,
    Rejected, Semantics, Told, certify, fingerprint,
};

use evidence::Writer;

use crate::{Numbers, changed};

/// So many states has a small system.
const STATES: usize = 4;

/// A graph over few states; the label holds in some of them. Exchanging the two elements of the only set turns the states
/// round.
struct Small {
    initial: usize,
    edges: [u8; STATES],
    good: u8,
}

impl Small {
    fn text(&self) -> String {
        format!("{} {:?} {}", self.initial, self.edges, self.good)
    }
}

impl Semantics for Small {
    type Value = usize;

    fn fits(&self, components: usize) -> bool {
        components == 1
    }

    fn labels(&self) -> usize {
        1
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
        match self.is_symmetric() {
            true => vec![vec![0, 0]],
            false => vec![vec![0, 1]],
        }
    }

    fn permute(&self, _component: usize, value: &usize, permutation: &[Vec<u32>]) -> usize {
        match permutation[0][0] {
            0 => *value,
            _ => STATES - 1 - value,
        }
    }

    fn evaluator(&self, _wd: Definedness) -> Box<dyn Evaluator<usize> + '_> {
        Box::new(Walker(self))
    }
}

impl Small {
    /// Whether turning the states round changes nothing but the initial state.
    fn is_symmetric(&self) -> bool {
        let turned =
            |set: u8| (0..STATES).fold(0, |all, at| all | (set >> at & 1) << (STATES - 1 - at));
        let edges = (0..STATES).all(|at| turned(self.edges[at]) == self.edges[STATES - 1 - at]);
        edges && turned(self.good) == self.good
    }

    /// The states that can be reached, as bits.
    fn reached(&self) -> u8 {
        let mut all = 1 << self.initial;
        loop {
            let next = (0..STATES)
                .filter(|at| all >> at & 1 == 1)
                .fold(all, |next, at| next | self.edges[at]);
            if next == all {
                return all;
            }
            all = next;
        }
    }
}

struct Walker<'a>(&'a Small);

impl Evaluator<usize> for Walker<'_> {
    fn starts(
        &mut self,
        _setup_labels: &[u32],
        emit: &mut dyn FnMut(&[usize]) -> Result<(), Rejected>,
    ) -> Result<Vec<String>, Rejected> {
        emit(&[self.0.initial]).map(|()| Vec::new())
    }

    fn steps(
        &mut self,
        _action: usize,
        state: &[usize],
        emit: Emit<'_, usize>,
    ) -> Result<(), Rejected> {
        let edges = self.0.edges[state[0]];
        (0..STATES)
            .filter(|at| edges >> at & 1 == 1)
            .try_for_each(|at| emit(&[at], Told::default()))
    }

    fn holds(&mut self, _label: u32, state: &[usize]) -> Result<bool, Rejected> {
        Ok(self.0.good >> state[0] & 1 == 1)
    }
}

/// Turns every state round, which is right or wrong.
struct Turn;

impl Guide<usize> for Turn {
    fn permutation(&mut self, _state: &[usize]) -> Option<Vec<Vec<u32>>> {
        Some(vec![vec![1, 0]])
    }
}

fn file(small: &Small, set: u8, deadlock: bool, symmetry: Option<Vec<Vec<u32>>>) -> Vec<u8> {
    let mut writer = Writer::new(1);
    for at in (0..STATES).filter(|at| set >> at & 1 == 1) {
        let number = writer.number(0, at.to_string());
        writer.add(&[number]);
    }
    writer.finish(&Header {
        model: fingerprint(&small.text()),
        name: "small".to_owned(),
        wd: Definedness::Default,
        claim: Claim {
            labels: vec![0],
            setup_labels: Vec::new(),
            deadlock,
            ..Claim::default()
        },
        symmetry,
        components: 0,
        states: 0,
        diagram: None,
        formulas: Vec::new(),
    })
}

fn check(small: &Small, bytes: &[u8]) -> Result<Accepted, Rejected> {
    let manner = Manner {
        threads: 1,
        from: 0,
        stop: &AtomicBool::new(false),
        progress: &|_| {},
        guide: &|| Some(Box::new(Turn)),
    };
    certify(small, (&small.text(), &Certificate::read(bytes)?), &manner)
}

fn random(numbers: &mut Numbers) -> Small {
    Small {
        initial: numbers.next(STATES),
        edges: std::array::from_fn(|_| numbers.next(16) as u8 & numbers.next(16) as u8),
        good: numbers.next(16) as u8 | numbers.next(16) as u8,
    }
}

#[test]
fn exactly_the_closed_sets_are_accepted() {
    let mut numbers = Numbers(7);
    let mut accepted = 0;
    for _ in 0..400 {
        let small = random(&mut numbers);
        for set in 0..16u8 {
            for deadlock in [false, true] {
                let members = || (0..STATES).filter(|at| set >> at & 1 == 1);
                let is_closed = members().all(|at| small.edges[at] & !set == 0);
                let is_good = small.good & set == set;
                let moves = !deadlock || members().all(|at| small.edges[at] != 0);
                let starts = set >> small.initial & 1 == 1;
                let answer = check(&small, &file(&small, set, deadlock, None));
                let expected = is_closed && is_good && moves && starts;
                assert_eq!(
                    answer.is_ok(),
                    expected,
                    "{} {set:b}: {answer:?}",
                    small.text()
                );
                accepted += usize::from(expected);
            }
        }
    }
    assert!(accepted > 100, "only {accepted} sets were closed");
}

#[test]
fn a_set_of_representatives_never_hides_a_bad_state() {
    let mut numbers = Numbers(11);
    let mut accepted = 0;
    for _ in 0..4_000 {
        let mut small = random(&mut numbers);
        if numbers.next(2) == 0 {
            // Made symmetric.
            for at in 0..STATES / 2 {
                let turned =
                    |set: u8| (set & 1) << 3 | (set & 2) << 1 | (set & 4) >> 1 | (set & 8) >> 3;
                small.edges[STATES - 1 - at] = turned(small.edges[at]);
                small.good = small.good & 3 | turned(small.good & 3);
            }
        }
        let set = numbers.next(16) as u8;
        let answer = check(&small, &file(&small, set, false, Some(vec![vec![0, 0]])));
        if answer.is_ok() {
            accepted += 1;
            let reached = small.reached();
            assert_eq!(small.good & reached, reached, "{} {set:b}", small.text());
        }
    }
    assert!(accepted > 50, "only {accepted} sets were accepted");
}

#[test]
fn a_file_of_another_model_or_with_another_byte_is_rejected() {
    let small = Small {
        initial: 0,
        edges: [2, 4, 8, 1],
        good: 15,
    };
    let bytes = file(&small, 15, true, None);
    assert!(check(&small, &bytes).is_ok());
    let other = Small { good: 7, ..small };
    assert_eq!(check(&other, &bytes), Err(Rejected::OtherModel));
    for at in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[at] ^= 1;
        assert!(check(&other, &damaged).is_err());
        assert!(check(&other, &bytes[..at]).is_err());
    }
}

#[test]
fn no_file_makes_the_reader_panic_and_none_proves_what_is_false() {
    // The label is false in the last state, which is reached.
    let small = Small {
        initial: 0,
        edges: [2, 4, 8, 1],
        good: 7,
    };
    let bytes = file(&small, 15, true, None);
    let mut numbers = Numbers(13);
    for _ in 0..10_000 {
        let answer = check(&small, &changed(&bytes, &mut numbers));
        // A certificate may claim less.
        if let Ok(accepted) = answer {
            assert!(accepted.claim.labels.is_empty(), "{accepted:?}");
        }
    }
}
