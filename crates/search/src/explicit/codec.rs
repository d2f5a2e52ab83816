//! Writes the parts of a run as bytes and reads them back, with a check sum over everything.
//!
//! Invariant: reading never trusts a length: a damaged file is an error, not an allocation without end.

use std::io::{self, Read, Write};

use base::{Id, Span};
use pins::{Fault, FaultKind, Notes, Unsolved};

use super::found::{Found, Raw};
use super::outcome::FindingKind;
use super::statistics::{Tally, Values};
use pins::Event;

/// A writer or reader that sums up what passes.
pub struct Summed<T> {
    inner: T,
    sum: u64,
}

impl<T> Summed<T> {
    /// Nothing has passed.
    pub fn new(inner: T) -> Summed<T> {
        Summed {
            inner,
            sum: 0xcbf2_9ce4_8422_2325,
        }
    }

    /// The sum so far.
    pub fn sum(&self) -> u64 {
        self.sum
    }

    /// What is written to or read from.
    pub fn into_inner(self) -> T {
        self.inner
    }

    /// FNV-1a: it must notice damage, not malice.
    fn add(&mut self, bytes: &[u8]) {
        for byte in bytes {
            self.sum = (self.sum ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }
}

impl<T: Write> Write for Summed<T> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let written = self.inner.write(bytes)?;
        self.add(&bytes[..written]);
        Ok(written)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.inner.flush()
    }
}

impl<T: Read> Read for Summed<T> {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        let read = self.inner.read(bytes)?;
        self.add(&bytes[..read]);
        Ok(read)
    }
}

/// Something that can be written and read back.
pub trait Code: Sized {
    /// Writes it.
    fn put(&self, out: &mut dyn Write) -> io::Result<()>;
    /// Reads it.
    fn get(input: &mut dyn Read) -> io::Result<Self>;
}

/// The error for a file that is not what it should be.
pub fn damaged() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, "the file is damaged")
}

impl Code for u8 {
    fn put(&self, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(&[*self])
    }
    fn get(input: &mut dyn Read) -> io::Result<u8> {
        let mut byte = [0];
        input.read_exact(&mut byte)?;
        Ok(byte[0])
    }
}

impl Code for u32 {
    fn put(&self, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(&self.to_le_bytes())
    }
    fn get(input: &mut dyn Read) -> io::Result<u32> {
        let mut bytes = [0; 4];
        input.read_exact(&mut bytes)?;
        Ok(u32::from_le_bytes(bytes))
    }
}

impl Code for u64 {
    fn put(&self, out: &mut dyn Write) -> io::Result<()> {
        out.write_all(&self.to_le_bytes())
    }
    fn get(input: &mut dyn Read) -> io::Result<u64> {
        let mut bytes = [0; 8];
        input.read_exact(&mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    }
}

impl Code for bool {
    fn put(&self, out: &mut dyn Write) -> io::Result<()> {
        u8::from(*self).put(out)
    }
    fn get(input: &mut dyn Read) -> io::Result<bool> {
        match u8::get(input)? {
            0 => Ok(false),
            1 => Ok(true),
            _ => Err(damaged()),
        }
    }
}

impl<T: Code> Code for Vec<T> {
    fn put(&self, out: &mut dyn Write) -> io::Result<()> {
        (self.len() as u64).put(out)?;
        self.iter().try_for_each(|item| item.put(out))
    }
    fn get(input: &mut dyn Read) -> io::Result<Vec<T>> {
        let len = u64::get(input)?;
        let mut items = Vec::with_capacity(len.min(1 << 16) as usize);
        for _ in 0..len {
            items.push(T::get(input)?);
        }
        Ok(items)
    }
}

impl<T: Code> Code for Option<T> {
    fn put(&self, out: &mut dyn Write) -> io::Result<()> {
        self.is_some().put(out)?;
        self.as_ref().map_or(Ok(()), |item| item.put(out))
    }
    fn get(input: &mut dyn Read) -> io::Result<Option<T>> {
        Ok(if bool::get(input)? {
            Some(T::get(input)?)
        } else {
            None
        })
    }
}

impl<A: Code, B: Code> Code for (A, B) {
    fn put(&self, out: &mut dyn Write) -> io::Result<()> {
        self.0.put(out)?;
        self.1.put(out)
    }
    fn get(input: &mut dyn Read) -> io::Result<(A, B)> {
        Ok((A::get(input)?, B::get(input)?))
    }
}

impl Code for String {
    fn put(&self, out: &mut dyn Write) -> io::Result<()> {
        self.clone().into_bytes().put(out)
    }
    fn get(input: &mut dyn Read) -> io::Result<String> {
        String::from_utf8(Vec::get(input)?).map_err(|_| damaged())
    }
}

impl<T> Code for Id<T> {
    fn put(&self, out: &mut dyn Write) -> io::Result<()> {
        (self.index() as u32).put(out)
    }
    fn get(input: &mut dyn Read) -> io::Result<Id<T>> {
        Ok(Id::new(u32::get(input)? as usize))
    }
}

impl Code for Span {
    fn put(&self, out: &mut dyn Write) -> io::Result<()> {
        (self.file, (self.start, self.end)).put(out)
    }
    fn get(input: &mut dyn Read) -> io::Result<Span> {
        let (file, (start, end)) = Code::get(input)?;
        Ok(Span::new(file, start, end))
    }
}

/// Enumerations without data are written as their position in a list, which has all variants: the compiler holds it to that.
macro_rules! code_by_position {
    ($type:ty: $($variant:ident),*) => {
        impl Code for $type {
            fn put(&self, out: &mut dyn Write) -> io::Result<()> {
                match self {
                    $(<$type>::$variant)|* => {}
                }
                let all = [$(<$type>::$variant),*];
                let at = all.iter().position(|variant| variant == self);
                (at.expect("the list has all variants") as u8).put(out)
            }
            fn get(input: &mut dyn Read) -> io::Result<$type> {
                let all = [$(<$type>::$variant),*];
                all.get(u8::get(input)? as usize).copied().ok_or_else(damaged)
            }
        }
    };
}

code_by_position!(FaultKind: Undefined, Violated, Budget, Unsupported, Refinement, Halted, Cut, Assertion, Observed);
code_by_position!(FindingKind: Invariant, Assertion, Fault, Deadlock, Goal, Setup);

/// Structures are written field by field.
macro_rules! code_by_field {
    ($type:ident: $($field:ident),*) => {
        impl Code for $type {
            fn put(&self, out: &mut dyn Write) -> io::Result<()> {
                $(self.$field.put(out)?;)*
                Ok(())
            }
            fn get(input: &mut dyn Read) -> io::Result<$type> {
                Ok($type { $($field: Code::get(input)?),* })
            }
        }
    };
}
pub(crate) use code_by_field;

code_by_field!(Fault: kind, span, message);
code_by_field!(Notes: undefined_guards, first_undefined, dropped_faults, first_dropped, covered, cuts, unsolved);
code_by_field!(Unsolved: left, best);
code_by_field!(Found: findings, budget, unclean);
code_by_field!(Raw: kind, label, event, fault, state, setup, number, depth, key, is_new);
code_by_field!(Tally: transitions, next_state_calls, label_calls, groups, values);

impl Code for Values {
    fn put(&self, out: &mut dyn Write) -> io::Result<()> {
        let mut values: Vec<u32> = self.iter().collect();
        values.sort_unstable();
        values.put(out)
    }
    fn get(input: &mut dyn Read) -> io::Result<Values> {
        let mut values = Values::default();
        Vec::get(input)?
            .into_iter()
            .for_each(|value| values.note(value));
        Ok(values)
    }
}

impl Code for Event {
    fn put(&self, out: &mut dyn Write) -> io::Result<()> {
        match self {
            Event::Setup => 0u8.put(out),
            Event::Initialisation => 1u8.put(out),
            Event::Group(group) => {
                2u8.put(out)?;
                group.put(out)
            }
        }
    }
    fn get(input: &mut dyn Read) -> io::Result<Event> {
        match u8::get(input)? {
            0 => Ok(Event::Setup),
            1 => Ok(Event::Initialisation),
            2 => Ok(Event::Group(Code::get(input)?)),
            _ => Err(damaged()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_back() {
        let fault = Fault {
            kind: FaultKind::Violated,
            span: Some(Span::new(Id::new(3), 5, 9)),
            message: "the assertion does not hold".to_string(),
        };
        let notes = Notes {
            undefined_guards: 7,
            first_undefined: Some(fault),
            cuts: vec![(None, "x is cut".to_string())],
            ..Notes::default()
        };
        let mut bytes = Vec::new();
        notes.put(&mut bytes).unwrap();
        assert_eq!(Notes::get(&mut bytes.as_slice()).unwrap(), notes);
        for len in 0..bytes.len() {
            assert!(Notes::get(&mut &bytes[..len]).is_err());
        }
    }

    #[test]
    fn a_length_is_not_trusted() {
        let bytes = u64::MAX.to_le_bytes();
        assert!(Vec::<u64>::get(&mut bytes.as_slice()).is_err());
    }
}
