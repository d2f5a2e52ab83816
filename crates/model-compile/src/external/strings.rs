//! Texts: taking them apart, putting them together, conversions.

use model::{Ty, TyId, Tys};
use num_bigint::BigInt;
use num_traits::{Num as _, Signed as _, ToPrimitive as _};

use crate::cx::{Cx, R};
use crate::ops::{OpTy, real};
use crate::trap::{Cause, Trap};
use crate::value::V;

fn undefined() -> Trap {
    Cause::Argument.trap()
}

pub(super) fn call(cx: &mut Cx<'_>, name: &str, ty: &OpTy, args: &[V], tys: &Tys) -> Option<R<V>> {
    let text = args.first().map_or("", V::text);
    let flag = |holds: bool| Ok(V::bool(holds));
    Some(match (name.trim_start_matches("GET_"), args) {
        ("STRING_LENGTH", [_]) => Ok(V::Int(text.chars().count() as i64)),
        ("STRING_APPEND", [_, b]) => Ok(V::str(&format!("{text}{}", b.text()))),
        ("STRING_CONC", [list]) => texts(cx, ty.args[0], list).map(|list| V::str(&list.concat())),
        ("STRING_REV", [_]) => Ok(V::str(&text.chars().rev().collect::<String>())),
        ("STRING_SPLIT", [_, separator]) => {
            let pieces = split(text, separator.text());
            Ok(sequence(cx, ty.result, pieces))
        }
        ("STRING_JOIN", [list, separator]) => {
            texts(cx, ty.args[0], list).map(|list| V::str(&list.join(separator.text())))
        }
        ("STRING_CHARS", [_]) => {
            let chars = text.chars().map(String::from).collect();
            Ok(sequence(cx, ty.result, chars))
        }
        ("STRING_CODES", [_]) => {
            let codes = text
                .chars()
                .map(|c| V::Int(i64::from(u32::from(c))))
                .collect();
            Ok(cx.sequence(ty.result, codes))
        }
        ("CODES_TO_STRING", [codes]) => cx.items(ty.args[0], codes).and_then(|codes| {
            codes
                .iter()
                .map(|code| {
                    code.small()
                        .and_then(|code| u32::try_from(code).ok())
                        .and_then(char::from_u32)
                        .ok_or_else(undefined)
                })
                .collect::<R<String>>()
                .map(|text| V::str(&text))
        }),
        ("STRING_TO_UPPER", [_]) => Ok(V::str(&plain(text).to_uppercase())),
        ("STRING_TO_LOWER", [_]) => Ok(V::str(&plain(text).to_lowercase())),
        ("STRING_PADLEFT", [_, width, fill]) => {
            let length = text.chars().count();
            match width.small().and_then(|w| usize::try_from(w).ok()) {
                Some(width) if width <= length => Ok(V::str(text)),
                Some(width) if width < 1 << 20 && fill.text().chars().count() == 1 => Ok(V::str(
                    &format!("{}{text}", fill.text().repeat(width - length)),
                )),
                _ => Err(undefined()),
            }
        }
        ("STRING_REPLACE", [_, old, new]) => {
            if old.text().is_empty() {
                Ok(V::str(text))
            } else {
                Ok(V::str(&text.replace(old.text(), new.text())))
            }
        }
        ("SUB_STRING", [_, position, length]) => match (position.small(), length.small()) {
            (Some(position), Some(length)) if position >= 1 && length >= 0 => Ok(V::str(
                &text
                    .chars()
                    .skip(position as usize - 1)
                    .take(length as usize)
                    .collect::<String>(),
            )),
            _ => Err(undefined()),
        },
        ("STRING_CONTAINS_STRING", [_, part]) => flag(text.contains(part.text())),
        ("STRING_EQUAL_CASE_INSENSITIVE", [_, other]) => {
            flag(plain(text).to_lowercase() == plain(other.text()).to_lowercase())
        }
        ("STRING_IS_INT", [_]) => flag(integer(text).is_some()),
        ("STRING_IS_NUMBER", [_]) => flag(integer(text).is_some() || is_decimal(text)),
        ("STRING_IS_DECIMAL", [_]) => flag(is_decimal(text)),
        ("STRING_IS_ALPHANUMERIC", [_]) => {
            flag(!text.is_empty() && text.chars().all(|c| c.is_ascii_alphanumeric()))
        }
        ("STRING_TO_INT", [_]) => integer(text).map(V::big).ok_or_else(undefined),
        ("INT_TO_STRING", [number]) => Ok(V::str(&number.to_big().to_string())),
        ("DEC_STRING_TO_INT", [_, precision]) => decimal(text, precision),
        ("INT_TO_DEC_STRING", [number, precision]) => fraction(number, precision),
        ("INT_TO_HEX_STRING", [number]) => Ok(V::str(&number.to_big().to_str_radix(16))),
        ("STRING_TO_REAL", [_]) => text.trim().parse().map(real).map_err(|_| undefined()),
        ("REAL_TO_DEC_STRING", [number, precision]) => {
            match precision.small().filter(|p| (0..400).contains(p)) {
                Some(p) => Ok(V::str(&format!("{:.*}", p as usize, number.real()))),
                None => Err(undefined()),
            }
        }
        ("TO_STRING", [value]) => show(cx, tys, ty.args[0], value).map(|text| V::str(&text)),
        ("FORMAT_TO_STRING", [_, values]) => format_values(cx, tys, text, ty.args[1], values),
        ("STRING_TO_ENUM", [_]) => element(tys, ty.result, text),
        ("TYPED_STRING_TO_ENUM", [_, name]) => element(tys, ty.result, name.text()),
        _ => return None,
    })
}

fn sequence(cx: &Cx<'_>, ty: TyId, texts: Vec<String>) -> V {
    cx.sequence(ty, texts.iter().map(|text| V::str(text)).collect())
}

fn texts(cx: &mut Cx<'_>, ty: TyId, list: &V) -> R<Vec<String>> {
    Ok(cx
        .items(ty, list)?
        .iter()
        .map(|item| item.text().to_owned())
        .collect())
}

fn split(text: &str, separator: &str) -> Vec<String> {
    if separator.is_empty() {
        return text.chars().map(String::from).collect();
    }
    text.split(separator).map(str::to_owned).collect()
}

/// Letters without accents, as far as Latin letters go.
fn plain(text: &str) -> String {
    text.chars()
        .map(|c| match c {
            'à'..='å' => 'a',
            'ç' => 'c',
            'è'..='ë' => 'e',
            'ì'..='ï' => 'i',
            'ñ' => 'n',
            'ò'..='ö' => 'o',
            'ù'..='ü' => 'u',
            'ý' | 'ÿ' => 'y',
            'À'..='Å' => 'A',
            'Ç' => 'C',
            'È'..='Ë' => 'E',
            'Ì'..='Ï' => 'I',
            'Ñ' => 'N',
            'Ò'..='Ö' => 'O',
            'Ù'..='Ü' => 'U',
            'Ý' => 'Y',
            c => c,
        })
        .collect()
}

fn integer(text: &str) -> Option<BigInt> {
    let digits = text.strip_prefix('-').unwrap_or(text);
    if digits.is_empty() || !digits.bytes().all(|b| b.is_ascii_digit()) {
        return None;
    }
    BigInt::from_str_radix(text, 10).ok()
}

fn is_decimal(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    let number = |part: &str| !part.is_empty() && part.bytes().all(|b| b.is_ascii_digit());
    digits
        .split_once('.')
        .is_some_and(|(whole, rest)| number(whole) && number(rest))
}

/// `text * 10^precision`, rounded.
fn decimal(text: &str, precision: &V) -> R<V> {
    let (whole, rest) = text.split_once('.').unwrap_or((text, ""));
    let digits = format!("{whole}{rest}");
    let number = integer(&digits).ok_or_else(undefined)?;
    let power = precision
        .small()
        .filter(|p| p.abs() < 10_000)
        .ok_or_else(undefined)?
        - rest.len() as i64;
    let scale = BigInt::from(10).pow(power.unsigned_abs().to_u32().unwrap_or(0));
    if power >= 0 {
        return Ok(V::big(number * scale));
    }
    // Half away from zero.
    let half = &scale / 2;
    let rounded = if number.is_negative() {
        (number - half) / scale
    } else {
        (number + half) / scale
    };
    Ok(V::big(rounded))
}

/// `number / 10^precision` with that many digits after the dot.
fn fraction(number: &V, precision: &V) -> R<V> {
    let number = number.to_big();
    let precision = precision
        .small()
        .filter(|p| p.abs() < 10_000)
        .ok_or_else(undefined)?;
    if precision <= 0 {
        let scale = BigInt::from(10).pow(precision.unsigned_abs() as u32);
        return Ok(V::str(&(number * scale).to_string()));
    }
    let sign = if number.is_negative() { "-" } else { "" };
    let width = precision as usize + 1;
    let digits = format!("{:0>width$}", number.abs().to_string());
    let (whole, rest) = digits.split_at(digits.len() - precision as usize);
    Ok(V::str(&format!("{sign}{whole}.{rest}")))
}

fn show(cx: &mut Cx<'_>, tys: &Tys, ty: TyId, value: &V) -> R<String> {
    if let V::Str(text) = value {
        return Ok(text.to_string());
    }
    let value = cx.canonical(value.clone())?;
    cx.reps()
        .to_value(ty, &value)
        .map(|value| value.show(tys))
        .ok_or_else(|| Cause::Infinite.trap())
}

fn format_values(cx: &mut Cx<'_>, tys: &Tys, format: &str, ty: TyId, values: &V) -> R<V> {
    let item = cx.reps().sides(ty).1;
    let mut values = cx.items(ty, values)?.into_iter();
    let mut text = String::new();
    let mut pieces = format.split("~w");
    text.push_str(pieces.next().unwrap_or(""));
    for piece in pieces {
        if let Some(value) = values.next() {
            text.push_str(&show(cx, tys, item, &value)?);
        }
        text.push_str(piece);
    }
    Ok(V::str(&text.replace("~n", "\n")))
}

fn element(tys: &Tys, ty: TyId, name: &str) -> R<V> {
    let Ty::Sort(sort) = &tys[ty] else {
        return Err(undefined());
    };
    tys.sorts[*sort]
        .elements
        .iter()
        .position(|element| element.as_str() == name)
        .map(|index| V::Word(index as u64))
        .ok_or_else(undefined)
}
