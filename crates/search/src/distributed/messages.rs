//! What workers say to each other beside states.
//!
//! Invariant: reading takes any bytes; what is no message is an error.

use std::io::{self, Read, Write};

use pins::{Fault, Notes};

use crate::explicit::codec::{Code, code_by_field, damaged};
use crate::explicit::found::Raw;
use crate::explicit::limits::Stop;

/// The first byte of a parcel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Kind {
    /// States ([`super::edge`]).
    States,
    /// How many bytes of states were looked at so far.
    Taken,
    /// Everybody stops, or pauses.
    Signal,
    /// How far a worker is, for the first one.
    Tick,
    /// How far a worker is at the end of a round, for everybody.
    Report,
    /// Whether states were ones of the next level.
    Answers,
    /// What a worker has found in all, for the first one.
    Share,
    /// Which state has this number, and where does it come from?
    Ask,
    /// That state.
    Told,
    /// Nothing more will be asked.
    Over,
    /// Initial states.
    Start,
    /// What of a state counts for its owner.
    Owners,
    /// Whether a part of a cut was written.
    Written,
    /// A finding of a saved run.
    Found,
    /// A state of a saved run ([`super::resume`]).
    Saved,
    /// A state of a saved run got a number.
    Placed,
    /// Where is the parent of a state of a saved run?
    Seek,
    /// There.
    Sought,
}

const KINDS: [Kind; 18] = [
    Kind::States,
    Kind::Taken,
    Kind::Signal,
    Kind::Tick,
    Kind::Report,
    Kind::Answers,
    Kind::Share,
    Kind::Ask,
    Kind::Told,
    Kind::Over,
    Kind::Start,
    Kind::Owners,
    Kind::Written,
    Kind::Found,
    Kind::Saved,
    Kind::Placed,
    Kind::Seek,
    Kind::Sought,
];

impl Kind {
    /// The kind of a parcel, and the rest of it.
    pub fn of(bytes: &[u8]) -> Option<(Kind, &[u8])> {
        let (head, rest) = bytes.split_first()?;
        Some((*KINDS.get(usize::from(*head))?, rest))
    }

    /// A parcel.
    pub fn parcel<T: Code>(self, message: &T) -> Vec<u8> {
        let mut bytes = vec![self as u8];
        message
            .put(&mut bytes)
            .expect("a vector takes what is written to it");
        bytes
    }

    /// Whether it is looked at at once, also when it belongs to a later round.
    pub fn is_urgent(bytes: &[u8]) -> bool {
        let kind = Kind::of(bytes).map(|(kind, _)| kind);
        matches!(kind, Some(Kind::Taken | Kind::Signal | Kind::Tick))
    }
}

/// Reads a whole message.
pub fn read<T: Code>(bytes: &[u8]) -> Result<T, String> {
    let mut input = bytes;
    match T::get(&mut input) {
        Ok(message) if input.is_empty() => Ok(message),
        _ => Err("a message is damaged".to_string()),
    }
}

/// How far a worker is.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tick {
    /// States it owns.
    pub states: u64,
    /// Transitions from them.
    pub transitions: u64,
    /// States it expanded.
    pub expanded: u64,
    /// Bytes it uses.
    pub bytes: u64,
}

/// What everybody must know of a worker at the end of a round.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Report {
    /// How far it is.
    pub tick: Tick,
    /// Why it stopped, as [`Stop`].
    pub stop: u8,
    /// States of the level that it did not expand.
    pub left: u64,
    /// States of the next level.
    pub next: u64,
    /// Findings so far.
    pub findings: u64,
    /// Why it cannot go on at all.
    pub refusal: Option<String>,
}

impl Report {
    /// Why it stopped.
    pub fn stop(&self) -> Stop {
        Stop::from_code(self.stop).unwrap_or(Stop::Interrupted)
    }
}

/// What a worker has found in all.
#[derive(Clone, Debug, Default)]
pub struct Share {
    /// How far it came.
    pub tick: Tick,
    /// Calls for successors and for labels.
    pub calls: (u64, u64),
    /// Transitions of each group.
    pub groups: Vec<u64>,
    /// For each slot hashes of its values.
    pub values: Vec<Vec<u64>>,
    /// What its system noticed.
    pub notes: Notes,
    /// How often a budget did not suffice, and the first time.
    pub budget: (u64, Option<Fault>),
    /// Findings, of states of its own.
    pub findings: Vec<Raw>,
    /// Bytes of its store, and the most it used.
    pub memory: (u64, u64),
    /// What it sent to others.
    pub traffic: Traffic,
    /// Whether it left a label undecided.
    pub is_undecided: bool,
}

/// What a worker sent to the others.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Transitions whose target another worker owns.
    pub crossing: u64,
    /// Of those the ones that were sent.
    pub sent: u64,
    /// Bytes.
    pub bytes: u64,
    /// Interned values: each the first time on its way.
    pub values: u64,
    /// The bytes of those.
    pub value_bytes: u64,
}

code_by_field!(Tick: states, transitions, expanded, bytes);
code_by_field!(Report: tick, stop, left, next, findings, refusal);
code_by_field!(Share: tick, calls, groups, values, notes, budget, findings, memory, traffic, is_undecided);
code_by_field!(Traffic: crossing, sent, bytes, values, value_bytes);

/// A state that was asked for: its vector as bytes, and where it comes from.
pub struct Told {
    /// Owner and number of its parent; the number of the set-up when the owner is [`super::node::START`].
    pub link: (u32, u32),
    /// The state, as [`super::bytes::write_state`] writes it; or why it could not be written.
    pub state: Result<Vec<u8>, String>,
}

impl Code for Told {
    fn put(&self, out: &mut dyn Write) -> io::Result<()> {
        self.link.put(out)?;
        match &self.state {
            Ok(bytes) => (true, bytes.clone()).put(out),
            Err(why) => (false, why.clone()).put(out),
        }
    }

    fn get(input: &mut dyn Read) -> io::Result<Told> {
        let link = Code::get(input)?;
        let (is_state, bytes): (bool, Vec<u8>) = Code::get(input)?;
        let state = match is_state {
            true => Ok(bytes),
            false => Err(String::from_utf8(bytes).map_err(|_| damaged())?),
        };
        Ok(Told { link, state })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_have_their_places() {
        for (at, kind) in KINDS.iter().enumerate() {
            assert_eq!(*kind as usize, at);
        }
    }

    #[test]
    fn any_bytes_are_read_without_a_panic() {
        let report = Report {
            refusal: Some("no".to_string()),
            ..Report::default()
        };
        let bytes = Kind::Report.parcel(&report);
        let (_, body) = Kind::of(&bytes).unwrap();
        assert_eq!(read::<Report>(body), Ok(report));
        for len in 0..body.len() {
            assert!(read::<Report>(&body[..len]).is_err());
        }
        assert!(Kind::of(&[99]).is_none());
    }
}
