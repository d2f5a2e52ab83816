//! LibraryStrings: texts taken apart, put together and converted.

use model::{Int, Value};
use num_bigint::BigInt;

use crate::number;
use crate::sequence;
use crate::stop::{Run, Stop};

/// The value of a function on strings, or `None` if the name is not known here.
pub(super) fn call(name: &str, values: &[Value]) -> Option<Run<Value>> {
    use Value::{Int as N, Str as S};
    let text = |text: String| Ok(S(text.into()));
    let truth = |truth: bool| Ok(Value::Bool(truth));
    Some(match (name, values) {
        ("STRING_LENGTH", [S(a)]) => Ok(Value::int(a.chars().count() as i64)),
        ("STRING_APPEND", [S(a), S(b)]) => text(format!("{a}{b}")),
        ("STRING_CONC", [list]) => texts(list).map(|parts| S(parts.concat().into())),
        ("STRING_REV", [S(a)]) => text(a.chars().rev().collect()),
        ("STRING_SPLIT", [S(a), S(separator)]) => {
            Ok(sequence::from_members(if separator.is_empty() {
                a.chars()
                    .map(|c| S(c.to_string().into()))
                    .collect::<Vec<_>>()
            } else {
                a.split(&**separator).map(|part| S(part.into())).collect()
            }))
        }
        ("STRING_JOIN", [list, S(separator)]) => {
            texts(list).map(|parts| S(parts.join(separator).into()))
        }
        ("STRING_CHARS", [S(a)]) => Ok(sequence::from_members(
            a.chars().map(|c| S(c.to_string().into())),
        )),
        ("STRING_CODES", [S(a)]) => Ok(sequence::from_members(
            a.chars().map(|c| Value::int(i64::from(u32::from(c)))),
        )),
        ("CODES_TO_STRING", [list]) => codes(list),
        ("STRING_TO_UPPER", [S(a)]) => text(plain(a).to_uppercase()),
        ("STRING_TO_LOWER", [S(a)]) => text(plain(a).to_lowercase()),
        ("STRING_PADLEFT", [S(a), N(width), S(char)]) => pad_left(a, width, char),
        ("STRING_REPLACE", [S(a), S(old), S(new)]) => text(if old.is_empty() {
            a.to_string()
        } else {
            a.replace(&**old, new)
        }),
        ("SUB_STRING", [S(a), N(from), N(length)]) => sub_string(a, from, length),
        ("STRING_CONTAINS_STRING", [S(a), S(part)]) => truth(a.contains(&**part)),
        ("STRING_EQUAL_CASE_INSENSITIVE" | "GET_STRING_EQUAL_CASE_INSENSITIVE", [S(a), S(b)]) => {
            truth(plain(a).to_lowercase() == plain(b).to_lowercase())
        }
        ("STRING_IS_INT" | "GET_STRING_IS_INT", [S(a)]) => truth(integer(a).is_some()),
        ("STRING_IS_NUMBER" | "GET_STRING_IS_NUMBER", [S(a)]) => {
            truth(integer(a).is_some() || decimal(a).is_some())
        }
        ("STRING_IS_DECIMAL" | "GET_STRING_IS_DECIMAL", [S(a)]) => truth(decimal(a).is_some()),
        ("STRING_IS_ALPHANUMERIC" | "GET_STRING_IS_ALPHANUMERIC", [S(a)]) => {
            truth(!a.is_empty() && a.chars().all(|c| c.is_ascii_alphanumeric()))
        }
        ("STRING_TO_INT", [S(a)]) => match integer(a) {
            Some(value) => Ok(N(Int::new(value))),
            None => Err(Stop::undefined(format!("{a:?} is no integer"))),
        },
        ("INT_TO_STRING", [N(value)]) => text(number::text(value)),
        ("DEC_STRING_TO_INT", [S(a), N(precision)]) => dec_to_int(a, precision),
        ("INT_TO_DEC_STRING", [N(value), N(precision)]) => int_to_dec(value, precision),
        ("INT_TO_HEX_STRING", [N(value)]) => text(value.to_big().to_str_radix(16)),
        ("STRING_TO_REAL", [S(a)]) => match a.trim().parse::<f64>() {
            Ok(value) => number::real(value),
            Err(_) => Err(Stop::undefined(format!("{a:?} is no real number"))),
        },
        ("REAL_TO_DEC_STRING", [Value::Real(value), N(precision)]) => {
            match number::index(precision) {
                Some(digits) if digits <= 1_000 => text(format!("{value:.digits$}")),
                _ => Err(Stop::undefined("a precision out of range")),
            }
        }
        ("STRINGIFY", _) => Err(Stop::unsupported("STRINGIFY is not supported")),
        _ => return None,
    })
}

fn texts(list: &Value) -> Run<Vec<String>> {
    sequence::members(list)?
        .into_iter()
        .map(|member| match member {
            Value::Str(text) => Ok(text.to_string()),
            _ => Err(Stop::unsupported("a string was expected")),
        })
        .collect()
}

fn codes(list: &Value) -> Run<Value> {
    let mut text = String::new();
    for member in sequence::members(list)? {
        let code = match &member {
            Value::Int(Int::Small(code)) => u32::try_from(*code).ok().and_then(char::from_u32),
            _ => None,
        };
        match code {
            Some(c) => text.push(c),
            None => return Err(Stop::undefined("there is no character with this code")),
        }
    }
    Ok(Value::Str(text.into()))
}

/// The text without the accents of Western European letters.
fn plain(text: &str) -> String {
    const WITH: &str = "àáâãäåçèéêëìíîïñòóôõöùúûüýÿÀÁÂÃÄÅÇÈÉÊËÌÍÎÏÑÒÓÔÕÖÙÚÛÜÝ";
    const WITHOUT: &str = "aaaaaaceeeeiiiinooooouuuuyyAAAAAACEEEEIIIINOOOOOUUUUY";
    text.chars()
        .map(|c| match WITH.chars().position(|known| known == c) {
            Some(i) => WITHOUT.chars().nth(i).unwrap_or(c),
            None => c,
        })
        .collect()
}

fn pad_left(text: &str, width: &Int, char: &str) -> Run<Value> {
    let mut chars = char.chars();
    let (Some(fill), None) = (chars.next(), chars.next()) else {
        return Err(Stop::undefined("the padding is not one character"));
    };
    let length = text.chars().count();
    let width = match width {
        Int::Small(width) => usize::try_from(*width).unwrap_or(0),
        Int::Big(_) => return Err(Stop::undefined("a width out of range")),
    };
    if width > 1 << 20 {
        return Err(Stop::undefined("a width out of range"));
    }
    let padding = std::iter::repeat_n(fill, width.saturating_sub(length));
    Ok(Value::Str(
        padding.chain(text.chars()).collect::<String>().into(),
    ))
}

fn sub_string(text: &str, from: &Int, length: &Int) -> Run<Value> {
    let (Int::Small(from), Int::Small(length)) = (from, length) else {
        return Err(Stop::undefined("a position out of range"));
    };
    if *from < 1 {
        return Err(Stop::undefined(format!(
            "there is no position {from} in a text"
        )));
    }
    let from = usize::try_from(*from - 1).unwrap_or(usize::MAX);
    let length = usize::try_from(*length).unwrap_or(0);
    let part: String = text.chars().skip(from).take(length).collect();
    Ok(Value::Str(part.into()))
}

fn integer(text: &str) -> Option<BigInt> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    text.parse().ok()
}

/// Digits before and after the dot of a decimal fraction, with the sign.
fn decimal(text: &str) -> Option<(bool, &str, &str)> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let (before, after) = digits.split_once('.')?;
    let are_digits =
        |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    (are_digits(before) && are_digits(after)).then_some((text.starts_with('-'), before, after))
}

/// Digits times ten to the power of the precision, rounded half away from zero.
fn dec_to_int(text: &str, precision: &Int) -> Run<Value> {
    let text = text.trim();
    let (negative, before, after) = match (decimal(text), integer(text)) {
        (Some(parts), _) => parts,
        (None, Some(_)) => (text.starts_with('-'), text.trim_start_matches('-'), ""),
        (None, None) => return Err(Stop::undefined(format!("{text:?} is no number"))),
    };
    let Int::Small(precision @ -1_000..=1_000) = *precision else {
        return Err(Stop::undefined("a precision out of range"));
    };
    let digits: BigInt = format!("{before}{after}").parse().unwrap_or_default();
    let power = precision - after.len() as i64;
    let ten = BigInt::from(10);
    let magnitude = if power >= 0 {
        digits * ten.pow(u32::try_from(power).unwrap_or(0))
    } else {
        let divisor = ten.pow(u32::try_from(-power).unwrap_or(0));
        (digits * 2 + &divisor) / (divisor * 2)
    };
    let value = if negative { -magnitude } else { magnitude };
    Ok(Value::Int(Int::new(value)))
}

/// An integer with the dot so many digits from the right.
fn int_to_dec(value: &Int, precision: &Int) -> Run<Value> {
    let Int::Small(precision @ -1_000..=1_000) = *precision else {
        return Err(Stop::undefined("a precision out of range"));
    };
    let shown = number::text(value);
    let (sign, digits) = match shown.strip_prefix('-') {
        Some(digits) => ("-", digits.to_owned()),
        None => ("", shown),
    };
    let text = if precision <= 0 {
        let zeros = "0".repeat(usize::try_from(-precision).unwrap_or(0));
        let digits = if digits == "0" {
            digits
        } else {
            digits + &zeros
        };
        format!("{sign}{digits}.0")
    } else {
        let precision = usize::try_from(precision).unwrap_or(0);
        let width = precision + 1;
        let padded = format!("{digits:0>width$}");
        let (before, after) = padded.split_at(padded.len() - precision);
        format!("{sign}{before}.{after}")
    };
    Ok(Value::Str(text.into()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn s(text: &str) -> Value {
        Value::Str(text.into())
    }

    fn of(name: &str, values: &[Value]) -> Option<Value> {
        call(name, values)?.ok()
    }

    #[test]
    fn texts_are_split_and_joined() {
        let parts = sequence::from_members([s("usr"), s("local")]);
        assert_eq!(
            of("STRING_SPLIT", &[s("usr/local"), s("/")]),
            Some(parts.clone())
        );
        assert_eq!(of("STRING_JOIN", &[parts, s("/")]), Some(s("usr/local")));
        let empty = sequence::from_members([s("")]);
        assert_eq!(of("STRING_SPLIT", &[s(""), s(".")]), Some(empty));
    }

    #[test]
    fn parts_of_texts_are_counted_from_one() {
        let sub = |from, length| {
            of(
                "SUB_STRING",
                &[s("abcdefg"), Value::int(from), Value::int(length)],
            )
        };
        assert_eq!(sub(4, 2), Some(s("de")));
        assert_eq!(sub(6, 9), Some(s("fg")));
        assert_eq!(sub(9, 1), Some(s("")));
        assert_eq!(sub(0, 1), None);
    }

    #[test]
    fn decimal_fractions_are_scaled_integers() {
        let dec = |text, precision| of("DEC_STRING_TO_INT", &[s(text), Value::int(precision)]);
        assert_eq!(dec("1025", -1), Some(Value::int(103)));
        assert_eq!(dec("1.25", 1), Some(Value::int(13)));
        assert_eq!(dec("-1.25", 2), Some(Value::int(-125)));
        assert_eq!(dec("x", 2), None);
        let back = |value, precision| {
            of(
                "INT_TO_DEC_STRING",
                &[Value::int(value), Value::int(precision)],
            )
        };
        assert_eq!(back(-10, 3), Some(s("-0.010")));
        assert_eq!(back(1204, 2), Some(s("12.04")));
        assert_eq!(back(5, -2), Some(s("500.0")));
    }

    #[test]
    fn letters_lose_their_accents_with_their_case() {
        assert_eq!(of("STRING_TO_UPPER", &[s("Grün")]), Some(s("GRUN")));
        let same = of("STRING_EQUAL_CASE_INSENSITIVE", &[s("Émile"), s("emile")]);
        assert_eq!(same, Some(Value::Bool(true)));
        assert_eq!(
            of("STRING_PADLEFT", &[s("7"), Value::int(3), s("0")]),
            Some(s("007"))
        );
    }

    #[test]
    fn numbers_are_recognised_as_written() {
        let is = |name, text| of(name, &[s(text)]) == Some(Value::Bool(true));
        assert!(
            is("STRING_IS_INT", "-12") && !is("STRING_IS_INT", "1.0") && !is("STRING_IS_INT", "")
        );
        assert!(is("STRING_IS_DECIMAL", "1.0") && !is("STRING_IS_DECIMAL", "1."));
        assert!(is("STRING_IS_NUMBER", "3") && !is("STRING_IS_ALPHANUMERIC", "a b"));
    }
}
