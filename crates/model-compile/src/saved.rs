//! Writes the table of numbered values down and reads it back, so that a checkpoint means the same in another process.
//!
//! Sets that are kept as rules hold code and cannot be written. They stand in constants as a rule, and the search
//! for constants gives them the same numbers again: it comes first in every run, by one worker.
//! Invariant: after [`restore`] every number means what it meant when it was saved, or there is an error.

use std::sync::Arc;

use num_bigint::BigInt;

use crate::table::Table;
use crate::value::{Real, Row, V};

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
    base::deep::recurse(|| put_value(out, value))
}

/// What [`write`] wrote; `None` for any other bytes.
pub(crate) fn read(mut bytes: &[u8]) -> Option<V> {
    let value = base::deep::recurse(|| get_value(&mut bytes))?;
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
    if !base::deep::recurse(|| put_value(out, value)) {
        out.truncate(start);
        out.push(RULE);
    }
}

const RULE: u8 = 255;

/// Writes a value; `false` when it is or holds a rule.
fn put_value(out: &mut Vec<u8>, value: &V) -> bool {
    let mut all = |tag: u8, parts: &[V]| {
        out.push(tag);
        put_word(out, parts.len() as u64);
        let mut parts = parts.iter();
        parts.all(|part| base::deep::recurse(|| put_value(out, part)))
    };
    match value {
        V::None => out.push(0),
        V::Word(word) => {
            out.push(1);
            put_word(out, *word);
        }
        V::Int(value) => {
            out.push(2);
            put_word(out, *value as u64);
        }
        V::Wide([low, high]) => {
            out.push(3);
            put_word(out, *low);
            put_word(out, *high);
        }
        V::Big(value) => {
            out.push(4);
            put_bytes(out, &value.to_signed_bytes_le());
        }
        V::Real(Real(value)) => {
            out.push(5);
            put_word(out, value.to_bits());
        }
        V::Str(text) => {
            out.push(6);
            put_bytes(out, text.as_bytes());
        }
        V::Duo(..) | V::Pair(_) => {
            return all(7, &[value.with_left(V::clone), value.with_right(V::clone)]);
        }
        V::Set(elements) => return all(8, elements),
        V::Row(shape, bits) => {
            let row = Row::from_parts(*shape, *bits);
            let Some(width) = row.record_width() else {
                return all(8, &row.elements().collect::<Vec<V>>());
            };
            out.push(11);
            put_word(out, u64::from(width));
            put_word(out, bits[0]);
            put_word(out, bits[1]);
        }
        V::Rec(fields) => return all(9, fields),
        V::Free(constructor, argument) => {
            let argument: Vec<V> = argument.iter().map(|value| (**value).clone()).collect();
            let number = V::Word(u64::from(*constructor));
            return all(10, &[&[number][..], &argument].concat());
        }
        V::Sym(_) => return false,
    }
    true
}

fn put_word(out: &mut Vec<u8>, word: u64) {
    out.extend_from_slice(&word.to_le_bytes());
}

fn put_bytes(out: &mut Vec<u8>, bytes: &[u8]) {
    put_word(out, bytes.len() as u64);
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
    Some(match tag {
        0 => V::None,
        1 => V::Word(get_word(input)?),
        2 => V::Int(get_word(input)? as i64),
        3 => V::Wide([get_word(input)?, get_word(input)?]),
        4 => V::Big(Arc::new(BigInt::from_signed_bytes_le(get_bytes(input)?))),
        5 => V::Real(Real(f64::from_bits(get_word(input)?))),
        6 => V::Str(std::str::from_utf8(get_bytes(input)?).ok()?.into()),
        11 => {
            let width = u8::try_from(get_word(input)?).ok()?;
            Row::record(width, [get_word(input)?, get_word(input)?])?.value()
        }
        7..=10 => {
            let count = get_word(input)?;
            let mut parts = Vec::new();
            for _ in 0..count {
                parts.push(base::deep::recurse(|| get_value(input))?);
            }
            match (tag, parts.as_slice()) {
                (7, [left, right]) => V::pair(left.clone(), right.clone()),
                (8, _) => V::listed(parts),
                (9, _) => V::Rec(parts.into()),
                (10, [V::Word(number)]) => V::Free(u32::try_from(*number).ok()?, None),
                (10, [V::Word(number), argument]) => {
                    let argument = Arc::new(argument.clone());
                    V::Free(u32::try_from(*number).ok()?, Some(argument))
                }
                _ => return None,
            }
        }
        _ => return None,
    })
}

fn get_word(input: &mut &[u8]) -> Option<u64> {
    let (word, rest) = input.split_first_chunk()?;
    *input = rest;
    Some(u64::from_le_bytes(*word))
}

fn get_bytes<'i>(input: &mut &'i [u8]) -> Option<&'i [u8]> {
    let len = usize::try_from(get_word(input)?).ok()?;
    let (bytes, rest) = input.split_at_checked(len)?;
    *input = rest;
    Some(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

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
