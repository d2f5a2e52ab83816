//! Writes the table of numbered values down and reads it back, so that a checkpoint means the same in another process.
//!
//! Sets that are kept as rules hold code and cannot be written. They stand in constants as a rule, and the search
//! for constants gives them the same numbers again: it comes first in every run, by one worker.
//! Invariant: after [`restore`] every number means what it meant when it was saved, or there is an error.

use std::sync::Arc;

use num_bigint::BigInt;

use crate::table::Table;
use crate::value::{Kinds, Real, Row, V};

/// All values in the order of their numbers.
pub(crate) fn save(table: &Table) -> Vec<u8> {
    let mut out = Vec::new();
    for number in 0..table.len() as u32 {
        put(&mut out, &table.value(number));
    }
    out
}

/// Takes back what [`save`] gave; `find_constants` runs the search for constants until the table has so many values.
pub(crate) fn restore(
    table: &Table,
    saved: &[u8],
    find_constants: impl FnOnce(usize),
) -> Result<(), String> {
    let mut input = saved;
    let mut values = Vec::new();
    while !input.is_empty() {
        values.push(get(&mut input).ok_or("its table of values is damaged")?);
    }
    let is_rule = |value: &Saved| matches!(value, Saved::Rule);
    if let Some(last) = values.iter().rposition(is_rule) {
        find_constants(last + 1);
    }
    for (number, value) in values.into_iter().enumerate() {
        let is_known = number < table.len();
        match value {
            Saved::Rule if is_known => {}
            Saved::Rule => {
                return Err("a variable holds an infinite set, which cannot be saved".to_string());
            }
            Saved::Value(value) => {
                if table.number(value) != number as u32 {
                    return Err("its table of values belongs to another run".to_string());
                }
            }
        }
    }
    Ok(())
}

/// Appends one value, as it can be read in another process; `false` when it is or holds a rule.
pub(crate) fn write(value: &V, out: &mut Vec<u8>) -> bool {
    put_value(out, value)
}

/// What [`write`] wrote; `None` for any other bytes.
pub(crate) fn read(mut bytes: &[u8]) -> Option<V> {
    let value = get_value(&mut bytes)?;
    bytes.is_empty().then_some(value)
}

/// A value that was read.
enum Saved {
    Value(V),
    /// A set that is kept as a rule stood here, or in it.
    Rule,
}

fn put(out: &mut Vec<u8>, value: &V) {
    let start = out.len();
    if !put_value(out, value) {
        out.truncate(start);
        out.push(RULE);
    }
}

/// The first byte of a value. From [`SMALL_INT`] on the integer itself, from [`SMALL_WORD`] on the code itself.
const SMALL_INT: u8 = 0x80;
const SMALL_WORD: u8 = 0x40;
const RULE: u8 = 0x3f;
const NONE: u8 = 0;
const WORD: u8 = 1;
const INT: u8 = 2;
const WIDE: u8 = 3;
const BIG: u8 = 4;
const REAL: u8 = 5;
const STR: u8 = 6;
const PAIR: u8 = 7;
const SET: u8 = 8;
const REC: u8 = 9;
const FREE: u8 = 10;
const FREE_OF: u8 = 11;
/// And the three after it: a set of pairs in place of one kind, such as a function between numbers and elements.
const DUOS: u8 = 12;
const LAST_DUOS: u8 = DUOS + 3;
/// A record in place: how many bits each field takes, and the bits of all of them.
const RECORD: u8 = 16;

/// Writes a value; `false` when it is or holds a rule.
fn put_value(out: &mut Vec<u8>, value: &V) -> bool {
    match value {
        V::None => out.push(NONE),
        V::Word(word) => put_code(out, *word),
        V::Int(value) => put_int(out, *value),
        V::Wide(mask) => {
            out.push(WIDE);
            mask.iter()
                .for_each(|word| out.extend_from_slice(&word.to_le_bytes()));
        }
        V::Big(value) => {
            out.push(BIG);
            put_bytes(out, &value.to_signed_bytes_le());
        }
        V::Real(Real(value)) => {
            out.push(REAL);
            out.extend_from_slice(&value.to_bits().to_le_bytes());
        }
        V::Str(text) => {
            out.push(STR);
            put_bytes(out, text.as_bytes());
        }
        V::Duo(..) | V::Trio(..) => {
            out.push(PAIR);
            return value.with_left(|left| put_value(out, left))
                && value.with_right(|right| put_value(out, right));
        }
        V::Pair(pair) => {
            out.push(PAIR);
            return put_part(out, &pair.0) && put_part(out, &pair.1);
        }
        V::Set(elements) => return put_set(out, elements),
        V::Row(shape, bits) => {
            let row = Row::from_parts(*shape, *bits);
            let Some(width) = row.record_width() else {
                return put_set(out, &row.elements().collect::<Vec<V>>());
            };
            out.push(RECORD);
            out.push(width);
            bits.iter().for_each(|word| put_number(out, *word));
        }
        V::Rec(fields) => return put_parts(out, REC, fields),
        V::Free(constructor, None) => {
            out.push(FREE);
            put_number(out, u64::from(*constructor));
        }
        V::Free(constructor, Some(argument)) => {
            out.push(FREE_OF);
            put_number(out, u64::from(*constructor));
            return put_part(out, argument);
        }
        V::Sym(_) => return false,
    }
    true
}

fn put_set(out: &mut Vec<u8>, elements: &[V]) -> bool {
    match common_kinds(elements) {
        Some(kinds) => {
            put_duos(out, kinds, elements);
            true
        }
        None => put_parts(out, SET, elements),
    }
}

fn put_parts(out: &mut Vec<u8>, tag: u8, parts: &[V]) -> bool {
    out.push(tag);
    put_number(out, parts.len() as u64);
    parts.iter().all(|part| put_part(out, part))
}

/// Only what may hold other values needs a look at the stack.
fn put_part(out: &mut Vec<u8>, part: &V) -> bool {
    match part {
        V::Word(_) | V::Int(_) | V::Duo(..) | V::Trio(..) => put_value(out, part),
        _ => base::deep::recurse(|| put_value(out, part)),
    }
}

/// The kinds of the components, when all elements are pairs in place of the same kinds.
fn common_kinds(elements: &[V]) -> Option<Kinds> {
    let Some(V::Duo(kinds, _)) = elements.first() else {
        return None;
    };
    let same = |element: &V| matches!(element, V::Duo(other, _) if other == kinds);
    elements.iter().all(same).then_some(*kinds)
}

fn put_duos(out: &mut Vec<u8>, kinds: Kinds, elements: &[V]) {
    out.push(DUOS + kinds.code());
    put_number(out, elements.len() as u64);
    for element in elements {
        if let V::Duo(_, parts) = element {
            for (at, part) in parts.iter().enumerate() {
                match kinds.is_code(at) {
                    true => put_number(out, *part as u64),
                    false => put_number(out, zigzag(*part)),
                }
            }
        }
    }
}

fn put_code(out: &mut Vec<u8>, word: u64) {
    match u8::try_from(word) {
        Ok(small) if small < SMALL_INT - SMALL_WORD => out.push(SMALL_WORD + small),
        _ => {
            out.push(WORD);
            put_number(out, word);
        }
    }
}

fn put_int(out: &mut Vec<u8>, value: i64) {
    match u8::try_from(value) {
        Ok(small) if small < SMALL_INT => out.push(SMALL_INT + small),
        _ => {
            out.push(INT);
            put_number(out, zigzag(value));
        }
    }
}

/// Small when the integer is, whatever its sign.
fn zigzag(value: i64) -> u64 {
    (value << 1 ^ value >> 63) as u64
}

fn unzigzag(number: u64) -> i64 {
    (number >> 1) as i64 ^ -((number & 1) as i64)
}

/// A number in as few bytes as it needs, seven bits in each.
fn put_number(out: &mut Vec<u8>, mut number: u64) {
    while number >= 0x80 {
        out.push(number as u8 | 0x80);
        number >>= 7;
    }
    out.push(number as u8);
}

fn put_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    put_number(out, bytes.len() as u64);
    out.extend_from_slice(bytes);
}

fn get(input: &mut &[u8]) -> Option<Saved> {
    if input.first() == Some(&RULE) {
        *input = &input[1..];
        return Some(Saved::Rule);
    }
    get_value(input).map(Saved::Value)
}

fn get_value(input: &mut &[u8]) -> Option<V> {
    let (tag, rest) = input.split_first()?;
    *input = rest;
    Some(match *tag {
        small @ SMALL_INT.. => V::Int(i64::from(small - SMALL_INT)),
        small @ SMALL_WORD.. => V::Word(u64::from(small - SMALL_WORD)),
        NONE => V::None,
        WORD => V::Word(get_number(input)?),
        INT => V::Int(unzigzag(get_number(input)?)),
        WIDE => V::Wide([get_word(input)?, get_word(input)?]),
        BIG => V::Big(Arc::new(BigInt::from_signed_bytes_le(get_bytes(input)?))),
        REAL => V::Real(Real(f64::from_bits(get_word(input)?))),
        STR => V::Str(std::str::from_utf8(get_bytes(input)?).ok()?.into()),
        PAIR => V::pair(get_part(input)?, get_part(input)?),
        SET => V::listed(get_parts(input)?),
        REC => V::Rec(get_parts(input)?.into()),
        RECORD => {
            let (width, rest) = input.split_first()?;
            *input = rest;
            Row::record(*width, [get_number(input)?, get_number(input)?])?.value()
        }
        FREE => V::Free(u32::try_from(get_number(input)?).ok()?, None),
        FREE_OF => {
            let constructor = u32::try_from(get_number(input)?).ok()?;
            V::Free(constructor, Some(Arc::new(get_part(input)?)))
        }
        duos @ DUOS..=LAST_DUOS => V::listed(get_duos(Kinds::of_code(duos - DUOS)?, input)?),
        _ => return None,
    })
}

fn get_part(input: &mut &[u8]) -> Option<V> {
    match input.first()? {
        SMALL_WORD.. => get_value(input),
        _ => base::deep::recurse(|| get_value(input)),
    }
}

fn get_parts(input: &mut &[u8]) -> Option<Vec<V>> {
    let count = usize::try_from(get_number(input)?).ok()?;
    // Each takes a byte at least: no more memory is asked for than was sent.
    let mut parts = Vec::with_capacity(count.min(input.len()));
    for _ in 0..count {
        parts.push(get_part(input)?);
    }
    Some(parts)
}

fn get_duos(kinds: Kinds, input: &mut &[u8]) -> Option<Vec<V>> {
    let count = usize::try_from(get_number(input)?).ok()?;
    let mut elements = Vec::with_capacity(count.min(input.len()));
    for _ in 0..count {
        let mut parts = [0; 2];
        for (at, part) in parts.iter_mut().enumerate() {
            let number = get_number(input)?;
            *part = match kinds.is_code(at) {
                true => i64::try_from(number).ok()?,
                false => unzigzag(number),
            };
        }
        elements.push(V::Duo(kinds, parts));
    }
    Some(elements)
}

fn get_number(input: &mut &[u8]) -> Option<u64> {
    let mut number = 0;
    for shift in (0..64).step_by(7) {
        let (byte, rest) = input.split_first()?;
        *input = rest;
        number |= u64::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

fn get_word(input: &mut &[u8]) -> Option<u64> {
    let (word, rest) = input.split_first_chunk()?;
    *input = rest;
    Some(u64::from_le_bytes(*word))
}

fn get_bytes<'i>(input: &mut &'i [u8]) -> Option<&'i [u8]> {
    let len = usize::try_from(get_number(input)?).ok()?;
    let (bytes, rest) = input.split_at_checked(len)?;
    *input = rest;
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn any_bytes_are_read_without_a_panic() {
        let value = V::listed(vec![
            V::pair(V::Int(1), V::Word(2)),
            V::pair(V::Int(3), V::Word(70)),
        ]);
        let mut bytes = Vec::new();
        assert!(write(&value, &mut bytes));
        assert_eq!(read(&bytes), Some(value));
        for len in 0..bytes.len() {
            assert_eq!(read(&bytes[..len]), None);
        }
        let mut random = 7u64;
        for _ in 0..20_000 {
            random = random
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            let words = [random, random.rotate_left(21)].map(u64::to_le_bytes);
            let _ = read(&words.concat()[..(random >> 60) as usize]);
        }
    }

    #[test]
    fn numbers_mean_the_same_in_another_table() {
        let values = [
            V::Word(5),
            V::Int(-7),
            V::Wide([3, 1 << 63]),
            V::Big(Arc::new(BigInt::from(-5).pow(99))),
            V::Real(Real(-0.5)),
            V::str("text"),
            V::pair(V::Int(1), V::Word(2)),
            V::pair(V::Int(1), V::str("")),
            V::listed(vec![V::Int(1), V::Int(2)]),
            V::listed(vec![
                V::pair(V::Int(1), V::Word(2)),
                V::pair(V::Int(4), V::Word(0)),
            ]),
            Row::of_numbers(&[3, 0, 7]).expect("it is small").value(),
            V::Rec(vec![V::Set(vec![V::Word(0)].into()), V::str("")].into()),
            V::Free(1, None),
            V::Free(0, Some(Arc::new(V::Free(1, None)))),
            V::Word(63),
            V::Word(64),
            V::Word(u64::MAX),
            V::Int(127),
            V::Int(128),
            V::Int(i64::MIN),
            V::Int(i64::MAX),
            V::Set(Vec::new().into()),
            V::listed(vec![
                V::pair(V::Int(-1), V::Word(300)),
                V::pair(V::Int(7), V::Word(2)),
            ]),
            V::listed(vec![
                V::pair(V::Word(0), V::Int(-70)),
                V::pair(V::Word(5), V::Int(1 << 40)),
            ]),
            V::Set(
                vec![
                    V::pair(V::Int(1), V::Word(2)),
                    V::pair(V::Int(1), V::str("a")),
                ]
                .into(),
            ),
            V::Rec(vec![V::None, V::Pair(Arc::new((V::str("b"), V::Wide([1, 2]))))].into()),
        ];
        let table = Table::new();
        let numbers: Vec<u32> = values.iter().map(|v| table.number(v.clone())).collect();
        let saved = save(&table);
        let other = Table::new();
        restore(&other, &saved, |_| panic!("there are no rules")).expect("it fits");
        for (number, value) in numbers.iter().zip(&values) {
            assert_eq!(other.value(*number), *value);
        }
        assert!(restore(&Table::new(), &saved[..saved.len() - 1], |_| {}).is_err());
        // Numbers that were given out already must not change.
        let used = Table::new();
        used.number(V::Int(12345));
        assert!(restore(&used, &saved, |_| {}).is_err());
    }
}
