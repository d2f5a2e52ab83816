//! Writes bytes as what differs from bytes that both ends know: values that are met one after the other have much in common.
//!
//! Technique: bytes of equal length are compared place by place, and runs that differ are written with the number of equal
//! bytes before each; of bytes of another length the equal beginning and end are left out.
//! Invariant: reading takes any bytes; what was not written here is an error.

use super::bytes::{damaged, get, put};

/// Fewer equal bytes than this do not end a run.
const WORTH: usize = 3;

/// Writes `new` as it differs from `old`.
pub fn write(old: &[u8], new: &[u8], out: &mut Vec<u8>) {
    put(out, new.len() as u64);
    if old.len() != new.len() {
        let least = old.len().min(new.len());
        let same = |(a, b): &(&u8, &u8)| a == b;
        let head = old.iter().zip(new).take_while(same).count();
        let tail = old.iter().rev().zip(new.iter().rev());
        let tail = tail.take(least - head).take_while(same).count();
        put(out, head as u64);
        put(out, tail as u64);
        out.extend_from_slice(&new[head..new.len() - tail]);
        return;
    }
    let mut at = 0;
    while let Some(equal) = first_difference(&old[at..], &new[at..]) {
        let from = at + equal;
        let until = run_end(old, new, from);
        put(out, equal as u64);
        put(out, (until - from) as u64);
        out.extend_from_slice(&new[from..until]);
        at = until;
    }
    if at < new.len() {
        put(out, (new.len() - at) as u64);
    }
}

fn first_difference(old: &[u8], new: &[u8]) -> Option<usize> {
    old.iter().zip(new).position(|(a, b)| a != b)
}

/// Where a run that differs and begins at `from` ends.
fn run_end(old: &[u8], new: &[u8], from: usize) -> usize {
    let mut until = from + 1;
    loop {
        match first_difference(&old[until..], &new[until..]) {
            Some(equal) if equal < WORTH => until += equal + 1,
            _ => return until,
        }
    }
}

/// Replaces `value` by what was written as a difference from it, which is taken from `bytes`.
pub fn read(value: &mut Vec<u8>, bytes: &mut &[u8]) -> Result<(), String> {
    let number = |bytes: &mut &[u8]| usize::try_from(get(bytes)?).map_err(|_| damaged());
    let len = number(bytes)?;
    if len != value.len() {
        let (head, tail) = (number(bytes)?, number(bytes)?);
        let most = len.min(value.len());
        let kept = head.checked_add(tail).filter(|kept| *kept <= most);
        let middle = len - kept.ok_or_else(damaged)?;
        let (middle, rest) = bytes.split_at_checked(middle).ok_or_else(damaged)?;
        *bytes = rest;
        let end = value.len() - tail;
        value.splice(head..end, middle.iter().copied());
        return Ok(());
    }
    let mut at = 0;
    while at < len {
        let from = number(bytes)?.checked_add(at).filter(|from| *from <= len);
        let from = from.ok_or_else(damaged)?;
        if from == len {
            return Ok(());
        }
        let until = number(bytes)?.checked_add(from).ok_or_else(damaged)?;
        let place = value.get_mut(from..until).ok_or_else(damaged)?;
        if place.is_empty() {
            return Err(damaged());
        }
        let (run, rest) = bytes.split_at_checked(until - from).ok_or_else(damaged)?;
        *bytes = rest;
        place.copy_from_slice(run);
        at = until;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read() {
        let mut random = 1u64;
        let mut draw = |below: usize| {
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            ((random >> 33) as usize * below) >> 31
        };
        let mut old = Vec::new();
        for _ in 0..20_000 {
            let mut new = old.clone();
            match draw(4) {
                0 => new = (0..draw(40)).map(|_| draw(3) as u8).collect(),
                1 => new.truncate(draw(new.len() + 1)),
                _ => {}
            }
            for _ in 0..draw(4) {
                if !new.is_empty() {
                    let at = draw(new.len());
                    new[at] = draw(256) as u8;
                }
            }
            let mut bytes = Vec::new();
            write(&old, &new, &mut bytes);
            bytes.push(99);
            let mut value = old.clone();
            let mut rest = bytes.as_slice();
            assert_eq!(read(&mut value, &mut rest), Ok(()));
            assert_eq!((&value, rest), (&new, &[99][..]), "{old:?}");
            let at = draw(bytes.len());
            bytes[at] = draw(256) as u8;
            // Anything but a panic.
            let _ = read(&mut old.clone(), &mut bytes.as_slice());
            old = new;
        }
    }
}
