//! The types of operators, written as text in the operator table and read once.
//!
//! `POW(a*b), POW(a) -> POW(b)`: arguments, an arrow, the result. Lower-case letters are type variables of
//! the scheme; `n` stands for a number (INTEGER or REAL), `d` for a number or a set, `q` for a sequence or
//! a STRING. `SEQ(t)` is `POW(INTEGER*t)`, `TREE(t)` is `POW(SEQ(INTEGER)*t)`, `pred` is no type but the
//! predicate sort, and a final `..` on the only argument means any number of arguments.

use std::sync::LazyLock;

use crate::op::Op;
use crate::types::{Type, TypeId, Types, VarClass};

/// The type of an operator.
#[derive(Debug)]
pub struct Scheme {
    /// The types of the arguments; empty for constants.
    pub arguments: Vec<Term>,
    /// Whether the one argument type stands for any number of arguments.
    pub variadic: bool,
    /// The type of the result; `None` for a predicate.
    pub result: Option<Term>,
}

/// A type with variables of the scheme.
#[derive(Debug, PartialEq)]
pub enum Term {
    /// `BOOL`
    Bool,
    /// `INTEGER`
    Int,
    /// `REAL`
    Real,
    /// `STRING`
    Str,
    /// The predicate sort.
    Predicate,
    /// A variable, by its letter.
    Var(u8),
    /// `POW(t)`
    Pow(Box<Term>),
    /// `s*t`
    Prod(Box<Term>, Box<Term>),
}

static SCHEMES: LazyLock<Vec<Scheme>> =
    LazyLock::new(|| Op::ALL.iter().map(|op| parse(op.scheme_text())).collect());

/// The scheme of an operator.
pub fn scheme(op: Op) -> &'static Scheme {
    &SCHEMES[op as usize]
}

/// The fresh variables of one use of a scheme.
#[derive(Default)]
pub struct Instance {
    vars: Vec<(u8, TypeId)>,
}

impl Instance {
    /// Takes the type of an operand where it has the form of `term` and all variables of `term` are new:
    /// they become the parts of the type. The answer says whether that was possible; if not, the type has
    /// to be unified with the instance of `term`. (Most operands need no unification.)
    pub fn take(&mut self, term: &Term, found: TypeId, types: &Types) -> bool {
        let known = self.vars.len();
        let taken = self.take_part(term, found, types);
        if !taken {
            self.vars.truncate(known);
        }
        taken
    }

    fn take_part(&mut self, term: &Term, found: TypeId, types: &Types) -> bool {
        let found = types.resolve(found);
        match (term, types.get(found)) {
            (Term::Var(letter), _) => {
                let new = self.vars.iter().all(|(known, _)| known != letter);
                let any = class_of(*letter) == VarClass::Any;
                if new && any {
                    self.vars.push((*letter, found));
                }
                new && any
            }
            (Term::Bool, Type::Bool)
            | (Term::Int, Type::Int)
            | (Term::Real, Type::Real)
            | (Term::Str, Type::Str) => true,
            (Term::Pow(term), Type::Pow(inner)) => self.take_part(term, *inner, types),
            (Term::Prod(first, second), Type::Prod(left, right)) => {
                self.take_part(first, *left, types) && self.take_part(second, *right, types)
            }
            _ => false,
        }
    }

    /// The type of `term` in this use; `None` for the predicate sort.
    pub fn instantiate(&mut self, term: &Term, types: &mut Types) -> Option<TypeId> {
        Some(match term {
            Term::Predicate => return None,
            Term::Bool => types.bool(),
            Term::Int => types.int(),
            Term::Real => types.real(),
            Term::Str => types.string(),
            Term::Var(letter) => {
                if let Some((_, known)) = self.vars.iter().find(|(known, _)| known == letter) {
                    return Some(*known);
                }
                let fresh = types.fresh_of(class_of(*letter));
                self.vars.push((*letter, fresh));
                fresh
            }
            Term::Pow(inner) => {
                let inner = self.instantiate(inner, types)?;
                types.pow(inner)
            }
            Term::Prod(left, right) => {
                let left = self.instantiate(left, types)?;
                let right = self.instantiate(right, types)?;
                types.prod(left, right)
            }
        })
    }
}

/// What the variable of this letter may become.
fn class_of(letter: u8) -> VarClass {
    match letter {
        b'n' => VarClass::Number,
        b'd' => VarClass::NumberOrSet,
        b'q' => VarClass::SequenceOrString,
        _ => VarClass::Any,
    }
}

fn parse(text: &str) -> Scheme {
    let (arguments, result) = text.split_once("->").expect("a scheme has an arrow");
    let (arguments, variadic) = match arguments.trim().strip_suffix("..") {
        Some(one) => (one, true),
        None => (arguments.trim(), false),
    };
    let mut reader = Reader {
        rest: arguments.as_bytes(),
    };
    let mut terms = Vec::new();
    while !reader.rest.is_empty() {
        terms.push(reader.term());
        reader.skip(b',');
    }
    let result = Reader {
        rest: result.trim().as_bytes(),
    }
    .term();
    Scheme {
        arguments: terms,
        variadic,
        result: (result != Term::Predicate).then_some(result),
    }
}

struct Reader<'a> {
    rest: &'a [u8],
}

impl Reader<'_> {
    fn skip(&mut self, byte: u8) -> bool {
        self.rest = self.rest.trim_ascii_start();
        let found = self.rest.first() == Some(&byte);
        if found {
            self.rest = self.rest[1..].trim_ascii_start();
        }
        found
    }

    fn term(&mut self) -> Term {
        let mut left = self.atom();
        while self.skip(b'*') {
            left = Term::Prod(Box::new(left), Box::new(self.atom()));
        }
        left
    }

    fn inner(&mut self) -> Box<Term> {
        assert!(self.skip(b'('), "a type constructor takes an argument");
        let inner = self.term();
        assert!(self.skip(b')'), "brackets close");
        Box::new(inner)
    }

    fn atom(&mut self) -> Term {
        let sequence = |of| Box::new(Term::Prod(Box::new(Term::Int), of));
        if self.skip(b'(') {
            let inner = self.term();
            assert!(self.skip(b')'), "brackets close");
            return inner;
        }
        let length = self
            .rest
            .iter()
            .take_while(|b| b.is_ascii_alphabetic())
            .count();
        let (word, rest) = self.rest.split_at(length);
        self.rest = rest;
        match word {
            b"BOOL" => Term::Bool,
            b"INTEGER" => Term::Int,
            b"REAL" => Term::Real,
            b"STRING" => Term::Str,
            b"pred" => Term::Predicate,
            b"POW" => Term::Pow(self.inner()),
            b"SEQ" => Term::Pow(sequence(self.inner())),
            b"TREE" => {
                let label = self.inner();
                let branch = Box::new(Term::Pow(sequence(Box::new(Term::Int))));
                Term::Pow(Box::new(Term::Prod(branch, label)))
            }
            [letter] if letter.is_ascii_lowercase() => Term::Var(*letter),
            _ => panic!("unknown word in a type scheme: {:?}", self.rest),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_scheme_of_the_table_can_be_read() {
        for op in Op::ALL {
            let scheme = scheme(*op);
            assert_eq!(
                scheme.result.is_none(),
                op.sort() == crate::Sort::Predicate,
                "{op:?}"
            );
        }
    }
}
