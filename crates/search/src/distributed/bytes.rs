//! Numbers and whole states as bytes that mean the same in every process.
//!
//! Invariant: reading takes any bytes; what was not written here is an error.

use pins::System;

/// Writes a number in as few bytes as it needs.
#[inline]
pub fn put(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

/// Reads a number.
#[inline]
pub fn get(bytes: &mut &[u8]) -> Result<u64, String> {
    if let [byte, rest @ ..] = *bytes
        && byte & 0x80 == 0
    {
        *bytes = rest;
        return Ok(u64::from(*byte));
    }
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let (byte, rest) = bytes.split_first().ok_or_else(damaged)?;
        *bytes = rest;
        number |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Ok(number);
        }
    }
    Err(damaged())
}

#[cold]
pub fn damaged() -> String {
    "a batch of states is damaged".to_string()
}

/// A whole state as bytes that mean the same everywhere.
pub fn write_state(system: &dyn System, vector: &[u32], out: &mut Vec<u8>) -> Result<(), String> {
    let mut value = Vec::new();
    for (slot, word) in vector.iter().enumerate() {
        match system.numbers(slot).and_then(|numbers| numbers.of(*word)) {
            Some(_) => {
                value.clear();
                system.write_value(slot, *word, &mut value)?;
                put(out, (value.len() as u64) << 1 | 1);
                out.extend_from_slice(&value);
            }
            None => put(out, u64::from(*word) << 1),
        }
    }
    Ok(())
}

/// The state that [`write_state`] wrote.
pub fn read_state(system: &dyn System, bytes: &mut &[u8]) -> Result<Vec<u32>, String> {
    let slots = system.shape().slots.len();
    let word = |slot: usize| {
        let head = get(bytes)?;
        if head & 1 == 0 {
            return u32::try_from(head >> 1).map_err(|_| damaged());
        }
        let len = usize::try_from(head >> 1).map_err(|_| damaged())?;
        let (value, rest) = bytes.split_at_checked(len).ok_or_else(damaged)?;
        *bytes = rest;
        system.read_value(slot, value)
    };
    (0..slots).map(word).collect()
}
