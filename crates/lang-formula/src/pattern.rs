//! Takes apart what stands between the brackets of `[…]`, `e(…)`, `WF(…)` and `deadlock(…)`.

use base::{Diagnostic, Span};

use crate::codes;
use crate::syntax::{Argument, Pattern, Text};

/// One operation with its arguments.
pub(crate) fn pattern(inside: &Text) -> Result<Pattern, Box<Diagnostic>> {
    let (name, arguments) = match inside.text.find('(') {
        None => (trimmed(inside, 0, inside.text.len()), Vec::new()),
        Some(open) => {
            let name = trimmed(inside, 0, open);
            let end = inside.text.trim_end();
            let Some(body) = end.strip_suffix(')') else {
                let message = "something stands behind the arguments of the operation";
                return Err(Box::new(Diagnostic::error(
                    &codes::SYNTAX,
                    inside.span,
                    message,
                )));
            };
            let listed = match inside.text[open + 1..body.len()].trim().is_empty() {
                true => Vec::new(),
                false => parts(inside, open + 1, body.len()),
            };
            let arguments = listed
                .into_iter()
                .map(|argument| match argument.text.as_str() {
                    "" => {
                        let message = "an argument is missing; `_` stands for any value";
                        Err(Box::new(Diagnostic::error(
                            &codes::SYNTAX,
                            argument.span,
                            message,
                        )))
                    }
                    "_" => Ok(Argument::Any),
                    _ => Ok(Argument::Is(argument)),
                })
                .collect::<Result<Vec<Argument>, Box<Diagnostic>>>()?;
            (name, arguments)
        }
    };
    if name.text.is_empty() {
        let message = "the name of an operation is missing";
        return Err(Box::new(Diagnostic::error(
            &codes::SYNTAX,
            inside.span,
            message,
        )));
    }
    let is_name = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '\'' | '$');
    if !name.text.chars().all(is_name) {
        let message = format!("`{}` is no name of an operation", name.text);
        return Err(Box::new(Diagnostic::error(
            &codes::SYNTAX,
            name.span,
            message,
        )));
    }
    Ok(Pattern { name, arguments })
}

/// Several operations, separated by commas.
pub(crate) fn patterns(inside: &Text) -> Result<Vec<Pattern>, Box<Diagnostic>> {
    parts(inside, 0, inside.text.len())
        .iter()
        .map(pattern)
        .collect()
}

/// The parts of `start..end` between commas outside of brackets, braces and strings.
fn parts(inside: &Text, start: usize, end: usize) -> Vec<Text> {
    let mut found = Vec::new();
    let mut depth = 0_i64;
    let mut in_string = false;
    let mut from = start;
    let bytes = inside.text.as_bytes();
    for (at, byte) in bytes.iter().enumerate().take(end).skip(start) {
        match byte {
            b'"' => in_string = !in_string,
            _ if in_string => {}
            b'(' | b'[' | b'{' => depth += 1,
            b')' | b']' | b'}' => depth -= 1,
            b',' if depth == 0 => {
                found.push(trimmed(inside, from, at));
                from = at + 1;
            }
            _ => {}
        }
    }
    found.push(trimmed(inside, from, end.max(from)));
    found
}

/// A part of a text without the blanks around it.
fn trimmed(inside: &Text, start: usize, end: usize) -> Text {
    let part = &inside.text[start..end];
    let text = part.trim();
    let skipped = part.len() - part.trim_start().len();
    let from = inside.span.start + (start + skipped) as u32;
    Text {
        text: text.to_owned(),
        span: Span::new(inside.span.file, from, from + text.len() as u32),
    }
}
