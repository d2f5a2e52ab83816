//! Who was lost, and how the others learn it.
//!
//! A process that has lost another one hangs up, whereupon everybody else loses it too. Before it does, it says whom it lost, so that
//! the answer names the process that is gone and not the one that noticed first.

use std::fmt;
use std::sync::atomic::AtomicBool;
use std::sync::atomic::Ordering::Relaxed;
use std::sync::{Mutex, PoisonError};

/// The most letters of a reason that are believed.
const REASON: usize = 200;

/// Who was lost, and why; shared by all connections of a process.
#[derive(Debug)]
pub struct Loss {
    me: usize,
    processes: usize,
    is_lost: AtomicBool,
    first: Mutex<Option<(usize, String)>>,
}

impl Loss {
    /// Nobody was lost yet by process `me` of so many.
    pub fn new(me: usize, processes: usize) -> Loss {
        Loss {
            me,
            processes,
            is_lost: AtomicBool::new(false),
            first: Mutex::default(),
        }
    }

    /// Whether that is one of the other processes.
    pub fn is_other(&self, process: usize) -> bool {
        process < self.processes && process != self.me
    }

    /// Whether somebody is lost.
    pub fn is_lost(&self) -> bool {
        self.is_lost.load(Relaxed)
    }

    /// The first process that was lost, and why.
    pub fn first(&self) -> Option<(usize, String)> {
        let first = self.first.lock().unwrap_or_else(PoisonError::into_inner);
        first.clone()
    }

    /// A process is lost.
    pub fn report(&self, process: usize, why: String) {
        let mut first = self.first.lock().unwrap_or_else(PoisonError::into_inner);
        first.get_or_insert((process, why));
        self.is_lost.store(true, Relaxed);
    }
}

/// What a process says before it hangs up: whom it lost, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parting {
    /// Whom.
    pub process: usize,
    /// Why.
    pub why: String,
}

impl Parting {
    /// Its bytes.
    pub fn write(&self) -> Vec<u8> {
        let mut bytes = (self.process as u32).to_le_bytes().to_vec();
        bytes.extend_from_slice(self.why.as_bytes());
        bytes
    }

    /// From any bytes; `None` when they name nobody.
    pub fn read(bytes: &[u8]) -> Option<Parting> {
        let (process, why) = bytes.split_first_chunk()?;
        let why = String::from_utf8_lossy(why);
        let letters = why.chars().filter(|letter| !letter.is_control());
        Some(Parting {
            process: u32::from_le_bytes(*process) as usize,
            why: letters.take(REASON).collect(),
        })
    }
}

impl fmt::Display for Parting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "it lost process {}: {}", self.process, self.why)
    }
}

impl std::error::Error for Parting {}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_parting_is_read_as_it_was_written_and_any_bytes_are_harmless() {
        let parting = Parting {
            process: 7,
            why: "it hung up".to_string(),
        };
        let bytes = parting.write();
        assert_eq!(Parting::read(&bytes), Some(parting));
        for len in 0..4 {
            assert_eq!(Parting::read(&bytes[..len]), None);
        }
        let odd = Parting::read(&[9, 0, 0, 0, 0xff, b'\n', b'a']).map(|parting| parting.why);
        assert_eq!(odd.as_deref(), Some("\u{fffd}a"));
    }
}
