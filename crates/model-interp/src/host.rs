//! Functions, predicates and substitutions of the host (`lang_b::stdlib`).
//!
//! Pure ones are computed here; output ones are true (or give their argument back) and their text is collected
//! in the notes; what looks at the outside world or guesses is unsupported by name.
//! Invariant: no host function has an effect outside the notes.

mod cores;
mod math;
mod print;
mod reals;
mod strings;

use base::Name;
use lang_math::Op;
use model::{Int, Ty, TyId, Value};

use crate::Interp;
use crate::number;
use crate::relation;
use crate::sequence;
use crate::set::V;
use crate::stop::{Run, Stop};

impl Interp<'_> {
    /// The value of a host function; TRUE or FALSE for a predicate; TRUE for a substitution.
    pub(crate) fn host_call(&mut self, name: Name, arguments: Vec<V>, ty: Option<TyId>) -> Run<V> {
        // Arguments that need not be plain data.
        match (name.as_str(), arguments.as_slice()) {
            ("ENUM", [value]) => return Ok(value.clone()),
            ("ENUMERATE" | "DO_NOT_ENUMERATE" | "LINKED_ENUMERATION" | "CHECK_DET", _) => {
                return Ok(V::bool(true));
            }
            ("CHOOSE", [set]) => return self.choose_element(set),
            ("CLOSURE1", [r]) => return self.operate(Op::Closure1, vec![r.clone()], ty),
            _ => {}
        }
        if let Some(core) = self.cores(name.as_str(), &arguments) {
            return core;
        }
        let mut values = Vec::with_capacity(arguments.len());
        for argument in &arguments {
            values.push(self.force(argument)?);
        }
        let known = match self.print(name.as_str(), &values) {
            Some(known) => Some(known),
            None => self.general(name.as_str(), &values, ty),
        };
        let known = known
            .or_else(|| math::call(name.as_str(), &values))
            .or_else(|| strings::call(name.as_str(), &values))
            .or_else(|| reals::call(name.as_str(), &values));
        match known {
            Some(value) => value.map(V::Plain),
            None => Err(Stop::unsupported(format!(
                "the external function {name} is not supported"
            ))),
        }
    }

    /// Always the same element of a set that is not empty: the least.
    fn choose_element(&mut self, set: &V) -> Run<V> {
        match self.elements(set)?.first() {
            Some(least) => Ok(least.clone().into()),
            None => Err(Stop::undefined("CHOOSE of the empty set")),
        }
    }

    /// Functions on values of any type.
    fn general(&mut self, name: &str, values: &[Value], ty: Option<TyId>) -> Option<Run<Value>> {
        let model = self.model;
        Some(match (name, values) {
            ("MU", [Value::Set(set)]) => match &set[..] {
                [only] => Ok(only.clone()),
                _ => Err(Stop::undefined(format!(
                    "MU of a set with {} elements",
                    set.len()
                ))),
            },
            ("SORT", [Value::Set(set)]) => Ok(sequence::from_members(set.iter().cloned())),
            ("SQUASH", [list]) => sequence::squash(list),
            ("REPLACE", [old, new, list]) => replace(old, new, list),
            ("SCCS", [Value::Set(r)]) => Ok(relation::components(r)),
            ("FORCE", [value]) => Ok(value.clone()),
            ("TO_STRING", [value]) => Ok(Value::Str(self.host_text(value).into())),
            ("FORMAT_TO_STRING", [Value::Str(format), values]) => sequence::members(values)
                .map(|values| Value::Str(self.format(format, &values).into())),
            ("STRING_TO_ENUM", [Value::Str(text)]) => match ty.map(|ty| &model.tys[ty]) {
                Some(Ty::Sort(sort)) => self.element_named(*sort, text),
                Some(Ty::Bool) => match &**text {
                    "TRUE" => Ok(Value::Bool(true)),
                    "FALSE" => Ok(Value::Bool(false)),
                    _ => Err(Stop::undefined(format!("there is no element {text}"))),
                },
                _ => Err(Stop::unsupported("STRING_TO_ENUM of this type")),
            },
            ("TYPED_STRING_TO_ENUM", [Value::Set(set), Value::Str(text)]) => {
                let found = set
                    .iter()
                    .find(|element| element.show(&model.tys) == **text);
                found
                    .cloned()
                    .ok_or_else(|| Stop::undefined(format!("there is no element {text}")))
            }
            ("TO_INT", [Value::Element(_, index)]) => Ok(Value::int(i64::from(*index) + 1)),
            ("TO_INT", [Value::Int(value)]) => Ok(Value::Int(value.clone())),
            ("TO_INT", [Value::Bool(value)]) => Ok(Value::int(i64::from(*value))),
            ("INT_TO_ENUM", [Value::Set(set), Value::Int(position)]) => {
                let found = set.iter().find(|element| match element {
                    Value::Element(_, index) => Int::Small(i64::from(*index) + 1) == *position,
                    _ => false,
                });
                found.cloned().ok_or_else(|| {
                    Stop::undefined(format!(
                        "there is no element number {}",
                        number::text(position)
                    ))
                })
            }
            ("LESS", [a, b]) => Ok(Value::Bool(a < b)),
            ("LEQ_SYM", [a, b]) => Ok(Value::Bool(a <= b)),
            ("LEQ_SYM_BREAK", [_, _]) => Ok(Value::Bool(true)),
            ("MAXIMIZE", [Value::Set(set)]) => match set.last() {
                Some(largest) => Ok(largest.clone()),
                None => Err(Stop::undefined("MAXIMIZE of the empty set")),
            },
            ("ASSERT_TRUE", [Value::Bool(truth), Value::Str(text)]) => {
                if *truth {
                    Ok(Value::Bool(true))
                } else {
                    Err(Stop::violated(format!("ASSERT_TRUE: {text}")))
                }
            }
            ("ASSERT_EXPR", [Value::Bool(truth), Value::Str(text), value]) => {
                if *truth {
                    Ok(value.clone())
                } else {
                    Err(Stop::violated(format!("ASSERT_EXPR: {text}")))
                }
            }
            _ => return None,
        })
    }

    fn element_named(&self, sort: model::SortId, text: &str) -> Run<Value> {
        let elements = &self.model.tys.sorts[sort].elements;
        match (0u32..)
            .zip(elements)
            .find(|(_, name)| name.as_str() == text)
        {
            Some((index, _)) => Ok(Value::Element(sort, index)),
            None => Err(Stop::undefined(format!("there is no element {text}"))),
        }
    }

    /// A value as text: a string stands for itself.
    pub(crate) fn host_text(&self, value: &Value) -> String {
        match value {
            Value::Str(text) => text.to_string(),
            value => value.show(&self.model.tys),
        }
    }

    /// A format text with `~w` (and its kin) replaced by values, `~n` by line ends.
    pub(crate) fn format(&self, format: &str, values: &[Value]) -> String {
        let mut out = String::new();
        let mut values = values.iter();
        let mut chars = format.chars().peekable();
        while let Some(c) = chars.next() {
            if c != '~' {
                out.push(c);
                continue;
            }
            let mut count = String::new();
            while let Some(digit) = chars.next_if(char::is_ascii_digit) {
                count.push(digit);
            }
            match chars.next() {
                Some('n') => {
                    let lines = count.parse().unwrap_or(1usize).min(100);
                    out.extend(std::iter::repeat_n('\n', lines));
                }
                Some('w' | 'p' | 'a' | 's' | 'd') => {
                    if let Some(value) = values.next() {
                        out.push_str(&self.host_text(value));
                    }
                }
                Some('i') => {
                    values.next();
                }
                Some('~') => out.push('~'),
                Some(other) => {
                    out.push('~');
                    out.push_str(&count);
                    out.push(other);
                }
                None => out.push('~'),
            }
        }
        out
    }
}

/// A sequence with each occurrence of one sequence replaced by another.
fn replace(old: &Value, new: &Value, list: &Value) -> Run<Value> {
    let (old, new) = (sequence::members(old)?, sequence::members(new)?);
    let list = sequence::members(list)?;
    let mut found = Vec::new();
    let mut at = 0;
    while at < list.len() {
        if !old.is_empty() && list[at..].starts_with(&old) {
            found.extend(new.iter().cloned());
            at += old.len();
        } else {
            found.push(list[at].clone());
            at += 1;
        }
    }
    Ok(sequence::from_members(found))
}
