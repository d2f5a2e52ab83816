//! Certificates that were changed with knowledge of their form, hash included: none is accepted that proves nothing, and none
//! at all where the claim is false.
//!
//! `CERTIFICATE_MUTATIONS=10000` tries so many; a sample otherwise.

use std::path::Path;

use base::Random;
use certify::{Certificate, Claim, Definedness, Header};
use evidence::Writer;
use workbench::choice::Symmetry;
use workbench::plan::Options;
use workbench::report::Verdict;

use crate::certificates::{certified, oracle_machines, scratch};
use crate::check;

/// So many changes are tried of each certificate.
const EACH: usize = 12;

/// A certificate of single states, taken apart.
#[derive(Clone)]
struct Open {
    header: Header,
    values: Vec<Vec<String>>,
    states: Vec<Vec<u32>>,
}

impl Open {
    /// Takes a certificate apart, by what its documentation says of the form.
    fn new(bytes: &[u8]) -> Open {
        let header = Certificate::read(bytes).expect("a certificate").header;
        let lines = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n');
        let (end, _) = lines.take(2).last().expect("two lines");
        let mut rest = &bytes[end + 1..bytes.len() - 32];
        let mut values = Vec::new();
        for _ in 0..header.components {
            let count = number(&mut rest);
            let text = |_| {
                let length = number(&mut rest);
                let (text, after) = rest.split_at(length);
                rest = after;
                String::from_utf8(text.to_vec()).expect("a text")
            };
            values.push((0..count).map(text).collect());
        }
        let mut states: Vec<Vec<u32>> = Vec::new();
        for _ in 0..header.states {
            let same = number(&mut rest);
            let mut state = states
                .last()
                .map_or(Vec::new(), |last| last[..same].to_vec());
            while state.len() < header.components {
                state.push(number(&mut rest) as u32);
            }
            states.push(state);
        }
        Open {
            header,
            values,
            states,
        }
    }

    fn bytes(&self) -> Vec<u8> {
        let mut writer = Writer::new(self.values.len());
        for (component, texts) in self.values.iter().enumerate() {
            for text in texts {
                writer.number(component, text.clone());
            }
        }
        self.states.iter().for_each(|state| writer.add(state));
        writer.finish(&self.header)
    }

    /// Changes something; whether the set proves the claim still may be, as far as is known without looking.
    fn change(&mut self, random: &mut Random) -> Change {
        let at = random.below(self.states.len());
        let component = random.below(self.values.len());
        let value = random.below(self.values[component].len()) as u32;
        match random.below(7) {
            0 => {
                self.states.remove(at);
                Change::Fewer
            }
            1 => {
                let mut state = self.states[at].clone();
                state[component] = value;
                match self.states.contains(&state) {
                    true => Change::Nothing,
                    false => {
                        self.states.push(state);
                        Change::More
                    }
                }
            }
            2 => {
                let mut state = self.states[at].clone();
                state[component] = value;
                if self.states.contains(&state) {
                    return Change::Nothing;
                }
                self.states[at] = state;
                Change::Fewer
            }
            3 => {
                self.header.model = certify::fingerprint(&self.header.model);
                Change::Wrong
            }
            4 if !self.header.claim.deadlock => {
                self.header.claim.deadlock = true;
                Change::Deadlock
            }
            5 => {
                self.header.claim.labels.push(1 << 20);
                Change::Wrong
            }
            6 if self.values[component].len() > 1 => {
                let last = self.values[component].len() - 1;
                if last == value as usize {
                    return Change::Nothing;
                }
                self.values[component].swap(last, value as usize);
                Change::Other
            }
            _ => {
                self.header.wd = Definedness::Strict;
                Change::More
            }
        }
    }
}

/// What became of a certificate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Change {
    Nothing,
    /// A state that can be reached is missing.
    Fewer,
    /// What it says may be true still.
    More,
    /// It says nothing of the model.
    Wrong,
    /// It claims that there is no deadlock, too.
    Deadlock,
    /// The states are others, unless the values play the same part.
    Other,
}

fn number(rest: &mut &[u8]) -> usize {
    let (mut value, mut at) = (0, 0);
    loop {
        let byte = rest[at];
        value |= usize::from(byte & 0x7f) << (7 * at);
        at += 1;
        if byte & 0x80 == 0 {
            *rest = &rest[at..];
            return value;
        }
    }
}

/// The certificate of a machine with few states, if it holds without what the claim leaves out.
fn certificate(model: &Path, file: &Path, change: impl Fn(&mut Options)) -> Option<Open> {
    std::fs::remove_file(file).ok();
    let mut options = Options {
        certificate: Some(file.to_owned()),
        max_states: Some(300),
        ..Options::default()
    };
    change(&mut options);
    let holds = check(model, &options).report.verdict == Verdict::Holds;
    let bytes = std::fs::read(file).ok().filter(|_| holds)?;
    let open = Open::new(&bytes);
    assert_eq!(open.bytes(), bytes, "{}", model.display());
    Some(open).filter(|open| !open.values.is_empty())
}

pub(crate) fn wanted() -> usize {
    let given = std::env::var("CERTIFICATE_MUTATIONS").ok();
    given.and_then(|given| given.parse().ok()).unwrap_or(300)
}

#[test]
fn no_changed_certificate_is_accepted_that_proves_nothing() {
    let machines = oracle_machines();
    let folder = scratch("mutations");
    let file = folder.join("changed.proof");
    let mut random = Random::new(29);
    let (mut tried, mut rejected) = (0, 0);
    let rounds = std::iter::repeat_n(&machines, 90).flatten();
    for model in rounds.step_by(7) {
        if tried >= wanted() {
            break;
        }
        let symmetry = random.pick(&[
            Symmetry::Off,
            Symmetry::Off,
            Symmetry::Exact,
            Symmetry::Canonical,
            Symmetry::Flood,
        ]);
        let set = |options: &mut Options| options.symmetry = symmetry;
        let Some(open) = certificate(model, &file, set) else {
            continue;
        };
        let whole = |options: &mut Options| {
            set(options);
            options.certificate = None;
        };
        for _ in 0..EACH {
            let mut changed = open.clone();
            let change = changed.change(&mut random);
            if change == Change::Nothing {
                continue;
            }
            tried += 1;
            std::fs::write(&file, changed.bytes()).expect("a scratch file");
            let answer = certified(model, &file);
            rejected += usize::from(!answer.accepted);
            let must_fail = match change {
                Change::Fewer => symmetry == Symmetry::Off,
                Change::Wrong => true,
                Change::Deadlock => {
                    let mut options = Options {
                        deadlock: true,
                        ..Options::default()
                    };
                    whole(&mut options);
                    check(model, &options).report.verdict != Verdict::Holds
                }
                Change::Nothing | Change::More | Change::Other => false,
            };
            let name = model.display();
            assert!(!(must_fail && answer.accepted), "{name}: {change:?}");
        }
    }
    println!("{tried} changed certificates, {rejected} rejected");
    assert!(
        machines.is_empty() || tried > 100,
        "only {tried} were tried"
    );
    std::fs::remove_dir_all(&folder).ok();
}

#[test]
fn nothing_proves_a_claim_that_is_false() {
    let machines = oracle_machines();
    let folder = scratch("forged");
    let file = folder.join("forged.proof");
    let mut tried = 0;
    for model in machines.iter().step_by(3) {
        let violated = check(model, &Options::default()).report.verdict == Verdict::Violated;
        let unclaimed = |options: &mut Options| {
            options.invariant = false;
            options.deadlock = false;
            options.symmetry = Symmetry::Off;
        };
        let Some(mut open) = certificate(model, &file, unclaimed).filter(|_| violated) else {
            continue;
        };
        // Every state, and more and more of the claim that the run did not make; all of it is false.
        let mut last = None;
        for label in 0..64 {
            open.header.claim = Claim {
                labels: (0..label).collect(),
                deadlock: true,
                ..Claim::default()
            };
            std::fs::write(&file, open.bytes()).expect("a scratch file");
            let answer = certified(model, &file);
            let because = answer.because.unwrap_or_default();
            if because.contains("a label that there is not") {
                break;
            }
            last = Some(answer.accepted);
            tried += 1;
        }
        assert_eq!(last, Some(false), "{}", model.display());
    }
    println!("{tried} forged claims");
    assert!(machines.is_empty() || tried > 10, "only {tried} were tried");
    std::fs::remove_dir_all(&folder).ok();
}
