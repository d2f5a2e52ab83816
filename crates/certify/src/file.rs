//! The file of a certificate: what is claimed of which model, the values of each component, and the states as numbers of
//! values, sorted.
//!
//! Format: a line that names it, a line of JSON ([`Header`]), for each component its values in the canonical notation, the
//! states or the nodes of a diagram of them (children first), and a hash of everything before. Numbers are written in groups of seven bits. Of a state only what differs from
//! the one before is written.
//! Invariant: a file is read within a small multiple of its size, whatever is in it; states are unfolded only after the
//! header was found to fit the model.

use serde::{Deserialize, Serialize};

use crate::Rejected;

/// The first line of a file.
pub const MAGIC: &[u8] = b"burnside certificate 3\n";
/// The length of the hash at the end.
const HASH: usize = 32;

/// What undefined formulas mean.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Definedness {
    /// An undefined guard is false, anything else is a fault.
    #[default]
    Default,
    /// Everything undefined is a fault.
    Strict,
}

/// What is claimed of every state.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claim {
    /// These labels hold.
    pub labels: Vec<u32>,
    /// These hold in every set-up.
    pub setup_labels: Vec<u32>,
    /// There is a step.
    pub deadlock: bool,
    /// Such a step leads to another state.
    #[serde(default)]
    pub stuttering: bool,
    /// Unless one of these labels holds.
    #[serde(default)]
    pub ends: Vec<u32>,
    /// Only of what is reached from initial states within the bounds of what is unbounded.
    #[serde(default)]
    pub within_bounds: bool,
}

/// What a certificate is about.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Header {
    /// The hash of the model in its normal form: [`fingerprint`].
    pub model: String,
    /// Its name.
    pub name: String,
    /// What undefined formulas mean.
    pub wd: Definedness,
    /// What is claimed.
    pub claim: Claim,
    /// For each set of elements the class of each of them, when the set holds one state of each orbit.
    pub symmetry: Option<Vec<Vec<u32>>>,
    /// The number of components.
    pub components: usize,
    /// The number of states.
    pub states: u64,
    /// How the states are written, unless one by one.
    pub diagram: Option<Levels>,
    /// Temporal formulas with what proves them.
    #[serde(default)]
    pub formulas: Vec<Claimed>,
}

/// A temporal formula that a certificate claims.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Claimed {
    /// `ltl` or `ctl`.
    pub logic: String,
    /// As it is written.
    pub text: String,
    /// What proves it; JSON, read by who checks it.
    pub evidence: String,
}

/// A set of states as a diagram.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Levels {
    /// The component of each level.
    pub order: Vec<usize>,
    /// The number of nodes.
    pub nodes: u64,
}

/// The hash of a model in its normal form.
pub fn fingerprint(text: &str) -> String {
    blake3::hash(text.as_bytes()).to_hex().to_string()
}

/// A certificate as it was read; nothing of it is believed.
#[derive(Debug)]
pub struct Certificate {
    /// What it is about.
    pub header: Header,
    /// For each component the texts of its values.
    pub values: Vec<Vec<String>>,
    /// The states as they are written.
    states: Vec<u8>,
    /// The hash of the file.
    pub hash: [u8; HASH],
}

/// The states of a certificate, ascending.
#[derive(Debug)]
pub(crate) struct Members {
    /// The numbers of the values of all states, one after the other.
    words: Vec<u32>,
    width: usize,
    count: usize,
}

impl Certificate {
    /// Reads a file.
    pub fn read(bytes: &[u8]) -> Result<Certificate, Rejected> {
        let damaged = Rejected::Damaged;
        let split = bytes.len().checked_sub(HASH);
        let (body, hash) = bytes.split_at(split.ok_or(damaged("it is too short"))?);
        if blake3::hash(body).as_bytes() != hash {
            return Err(damaged("its hash is another one"));
        }
        let rest = body.strip_prefix(MAGIC);
        let rest = rest.ok_or(damaged("it begins differently"))?;
        let end = rest.iter().position(|byte| *byte == b'\n');
        let (line, rest) = rest.split_at(end.ok_or(damaged("it has no header"))?);
        let header: Header =
            serde_json::from_slice(line).map_err(|_| damaged("its header cannot be read"))?;
        let mut reader = Reader { rest: &rest[1..] };
        let mut values = Vec::new();
        for _ in 0..header.components {
            values.push(reader.values()?);
        }
        Ok(Certificate {
            header,
            values,
            states: reader.rest.to_vec(),
            hash: *blake3::hash(body).as_bytes(),
        })
    }

    /// Reads the states.
    pub fn states(&self) -> Reader<'_> {
        Reader { rest: &self.states }
    }

    /// The states: as many as the header says, ascending, of values that there are.
    pub(crate) fn members(&self) -> Result<Members, Rejected> {
        let (width, count) = (self.header.components, self.header.states);
        let mut reader = self.states();
        // A state takes a byte at least, so that the file bounds how many there can be.
        if count > reader.left() || u32::try_from(count).is_err() {
            return Err(Rejected::Damaged("it has fewer states than it says"));
        }
        let mut words = Vec::new();
        let mut state = vec![0; width];
        for at in 0..count {
            let before = state.clone();
            reader.state(&self.values, at == 0, &mut state)?;
            if at > 0 && before >= state {
                return Err(Rejected::Damaged("its states are not in order"));
            }
            words.extend_from_slice(&state);
        }
        reader.end()?;
        Ok(Members {
            words,
            width,
            count: count as usize,
        })
    }
}

impl Members {
    /// The numbers of the values of a state.
    pub(crate) fn state(&self, at: usize) -> &[u32] {
        &self.words[at * self.width..(at + 1) * self.width]
    }

    /// The number of a state, if it is among them.
    pub(crate) fn find(&self, state: &[u32]) -> Option<u32> {
        let (mut low, mut high) = (0, self.count);
        while low < high {
            let middle = low.midpoint(high);
            match self.state(middle).cmp(state) {
                std::cmp::Ordering::Equal => return Some(middle as u32),
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }
}

/// Reads numbers and texts.
pub struct Reader<'a> {
    rest: &'a [u8],
}

impl Reader<'_> {
    /// How many bytes are left: there are no more numbers than that.
    pub fn left(&self) -> u64 {
        self.rest.len() as u64
    }

    /// Nothing is left.
    pub fn end(&self) -> Result<(), Rejected> {
        match self.rest.is_empty() {
            true => Ok(()),
            false => Err(Rejected::Damaged("something follows the states")),
        }
    }

    /// The next number.
    pub fn number(&mut self) -> Result<u64, Rejected> {
        let mut value = 0u64;
        for (at, byte) in self.rest.iter().take(9).enumerate() {
            value |= u64::from(byte & 0x7f) << (7 * at);
            if byte & 0x80 == 0 {
                self.rest = &self.rest[at + 1..];
                return Ok(value);
            }
        }
        Err(Rejected::Damaged("a number has no end"))
    }

    /// The values of a component: texts, all different.
    fn values(&mut self) -> Result<Vec<String>, Rejected> {
        let count = self.number()?;
        let mut values = Vec::new();
        for _ in 0..count {
            let length = self.number()? as usize;
            let bytes = self.rest.split_at_checked(length);
            let (text, rest) = bytes.ok_or(Rejected::Damaged("a value has no end"))?;
            let text = std::str::from_utf8(text);
            values.push(
                text.map_err(|_| Rejected::Damaged("a value is no text"))?
                    .to_owned(),
            );
            self.rest = rest;
        }
        Ok(values)
    }

    /// What differs from the state before, which `state` holds.
    fn state(
        &mut self,
        values: &[Vec<String>],
        is_first: bool,
        state: &mut [u32],
    ) -> Result<(), Rejected> {
        let same = self.number()?;
        if same > state.len() as u64 || is_first && same > 0 {
            return Err(Rejected::Damaged("a state is longer than the others"));
        }
        let same = same as usize;
        for (word, values) in state[same..].iter_mut().zip(&values[same..]) {
            let number = self.number()?;
            if number >= values.len() as u64 {
                return Err(Rejected::Damaged("a value has no text"));
            }
            *word = number as u32;
        }
        Ok(())
    }
}
