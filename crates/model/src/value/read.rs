//! Reads values back from the canonical notation, so that saved paths can be followed again.
//!
//! The type decides: `red` is an element for one and nothing for another. Blanks between parts are skipped, `∅`,
//! `↦`, `[a,b]` and a free order of elements are read too, because other tools write them.
//! Invariant: `read(show(v)) = v` for every value of every type.

use std::str::FromStr as _;
use std::sync::Arc;

use num_bigint::BigInt;

use super::{Int, Value};
use crate::ty::{Ty, TyId, Tys};

impl Value {
    /// The value of a type that a text stands for; `None` when it is not in the canonical notation.
    pub fn read(tys: &Tys, ty: TyId, text: &str) -> Option<Value> {
        let mut reader = Reader { tys, rest: text };
        let value = base::deep::recurse(|| reader.value(ty))?;
        reader.skip();
        reader.rest.is_empty().then_some(value)
    }
}

struct Reader<'a> {
    tys: &'a Tys,
    rest: &'a str,
}

impl Reader<'_> {
    fn skip(&mut self) {
        self.rest = self.rest.trim_start();
    }

    fn take(&mut self, token: &str) -> bool {
        self.skip();
        match self.rest.strip_prefix(token) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => false,
        }
    }

    fn word(&mut self, belongs: impl Fn(char) -> bool) -> &str {
        self.skip();
        let end = self.rest.find(|c| !belongs(c)).unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest;
        word
    }

    fn name(&mut self) -> &str {
        self.word(|c| c.is_alphanumeric() || "_$.'".contains(c))
    }

    fn value(&mut self, ty: TyId) -> Option<Value> {
        base::deep::recurse(|| self.value_of(ty))
    }

    // Long: one arm for each kind of value.
    fn value_of(&mut self, ty: TyId) -> Option<Value> {
        match &self.tys[ty] {
            Ty::Bool => match self.name() {
                "TRUE" => Some(Value::Bool(true)),
                "FALSE" => Some(Value::Bool(false)),
                _ => None,
            },
            Ty::Int => {
                let digits = self.word(|c| c.is_ascii_digit() || c == '-');
                BigInt::from_str(digits)
                    .ok()
                    .map(|value| Value::Int(Int::new(value)))
            }
            Ty::Real => {
                let digits = self.word(|c| c.is_ascii_alphanumeric() || "-+.".contains(c));
                digits.parse().ok().map(Value::Real)
            }
            Ty::Str => self.string(),
            Ty::Sort(sort) => {
                let tys = self.tys;
                let name = self.name();
                let mut elements = tys.sorts[*sort].elements.iter();
                let position = elements.position(|element| element.as_str() == name)?;
                Some(Value::Element(*sort, u32::try_from(position).ok()?))
            }
            Ty::Pow(element) => self.set(*element),
            Ty::Prod(left, right) => {
                let inside = self.take("(");
                let left = self.value(*left)?;
                if !(self.take("|->") || self.take("↦") || self.take(",")) {
                    return None;
                }
                let right = self.value(*right)?;
                (!inside || self.take(")")).then(|| Value::pair(left, right))
            }
            Ty::Record(fields) => {
                if !self.take("rec(") {
                    return None;
                }
                let mut values = vec![None; fields.len()];
                loop {
                    let name = self.name();
                    let at = fields
                        .iter()
                        .position(|(field, _)| field.as_str() == name)?;
                    if !self.take(":") {
                        return None;
                    }
                    values[at] = Some((fields[at].0, self.value(fields[at].1)?));
                    if !self.take(",") {
                        break;
                    }
                }
                let values: Option<Vec<_>> = values.into_iter().collect();
                let closed = self.take(")");
                values
                    .filter(|_| closed)
                    .map(|values| Value::Record(values.into()))
            }
            Ty::Free(free) => {
                let tys = self.tys;
                let name = self.name();
                let constructors = &tys.free[*free].constructors;
                let at = constructors
                    .iter()
                    .position(|(constructor, _)| constructor.as_str() == name)?;
                let argument = match constructors[at].1 {
                    None => None,
                    Some(ty) => {
                        if !self.take("(") {
                            return None;
                        }
                        let argument = self.value(ty)?;
                        if !self.take(")") {
                            return None;
                        }
                        Some(Arc::new(argument))
                    }
                };
                Some(Value::Free(*free, u32::try_from(at).ok()?, argument))
            }
        }
    }

    fn set(&mut self, element: TyId) -> Option<Value> {
        if self.take("∅") {
            return Some(Value::set(Vec::new()));
        }
        if self.take("[") {
            return self.sequence(element);
        }
        if !self.take("{") {
            return None;
        }
        let mut elements = Vec::new();
        if self.take("}") {
            return Some(Value::set(elements));
        }
        loop {
            elements.push(self.value(element)?);
            if !self.take(",") {
                break;
            }
        }
        self.take("}").then(|| Value::set(elements))
    }

    /// The rest of `[a,b]`, which is `{1|->a,2|->b}`.
    fn sequence(&mut self, element: TyId) -> Option<Value> {
        let Ty::Prod(_, ty) = self.tys[element] else {
            return None;
        };
        let mut elements = Vec::new();
        if self.take("]") {
            return Some(Value::set(elements));
        }
        loop {
            let number = i64::try_from(elements.len() + 1).ok()?;
            elements.push(Value::pair(Value::int(number), self.value(ty)?));
            if !self.take(",") {
                break;
            }
        }
        self.take("]").then(|| Value::set(elements))
    }

    fn string(&mut self) -> Option<Value> {
        if !self.take("\"") {
            return None;
        }
        let mut text = String::new();
        let mut chars = self.rest.char_indices();
        while let Some((at, c)) = chars.next() {
            match c {
                '"' => {
                    self.rest = &self.rest[at + 1..];
                    return Some(Value::Str(text.into()));
                }
                '\\' => text.push(match chars.next()?.1 {
                    'n' => '\n',
                    't' => '\t',
                    'r' => '\r',
                    c => c,
                }),
                c => text.push(c),
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_shown_is_read_back() {
        let mut tys = Tys::default();
        let int = tys.intern(Ty::Int);
        let str = tys.intern(Ty::Str);
        let pair = tys.intern(Ty::Prod(int, str));
        let set = tys.intern(Ty::Pow(pair));
        let value = Value::set(vec![
            Value::pair(Value::int(-3), Value::Str("a\"b\\c\n|->".into())),
            Value::pair(Value::int(2), Value::Str("".into())),
        ]);
        let text = value.show(&tys);
        assert_eq!(Value::read(&tys, set, &text), Some(value));
        assert_eq!(Value::read(&tys, set, "{ 1"), None);
        assert_eq!(Value::read(&tys, int, "1 2"), None);
    }

    #[test]
    fn other_spellings_are_read_too() {
        let mut tys = Tys::default();
        let int = tys.intern(Ty::Int);
        let pair = tys.intern(Ty::Prod(int, int));
        let set = tys.intern(Ty::Pow(pair));
        let expected = Value::read(&tys, set, "{(1|->5),(2|->6)}");
        assert!(expected.is_some());
        for text in ["[5,6]", "{2↦6, 1↦5}", "{(1,5),(2,6)}"] {
            assert_eq!(Value::read(&tys, set, text), expected, "{text}");
        }
        assert_eq!(Value::read(&tys, set, "∅"), Some(Value::set(Vec::new())));
    }
}
