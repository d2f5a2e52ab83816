//! References, applications and relations: names with what stands around them.

use base::Name;

use super::names::operator;
use super::term::{APPLICATION, ARROW, ATOM, LOOSE};
use super::{Markup, Printer};
use crate::ops::{CROSS, Infix, Prefix};
use crate::tree::{Fix, TermId, TermKind};

impl Printer<'_> {
    pub(super) fn reference(&mut self, name: Name, sets: &[TermId]) {
        match (operator(name), sets) {
            (Some((word, Fix::Infix)), [left, right]) => {
                self.term(*left, CROSS);
                self.put(" ");
                self.word(word);
                self.put(" ");
                self.term(*right, CROSS);
            }
            (Some((word, Fix::Prefix)), [set]) => {
                self.word(word);
                self.put(" ");
                self.term(*set, APPLICATION);
            }
            (Some((word, _)), []) if self.ops.prefix(word) == Some(Prefix::Generic) => {
                self.word(word)
            }
            (Some(_), []) => {
                self.put("(");
                self.name(name);
                self.put(")");
            }
            (_, []) => self.word(name),
            _ => {
                self.word(name);
                self.put("[");
                self.list(sets, ", ", LOOSE);
                self.put("]");
            }
        }
    }

    pub(super) fn argument(&mut self, argument: TermId) {
        let bare = matches!(
            self.terms[argument].kind,
            TermKind::Number(_)
                | TermKind::Tuple(_)
                | TermKind::SetOf(_)
                | TermKind::Sequence(_)
                | TermKind::Bag(_)
                | TermKind::Comprehension(..)
        ) || matches!(&self.terms[argument].kind, TermKind::Ref(name, sets) if sets.is_empty() && operator(*name).is_none());
        self.put(match self.markup {
            Markup::Latex => "~",
            Markup::Unicode => " ",
        });
        match bare {
            true => self.term(argument, LOOSE),
            false => {
                self.put("(");
                self.term(argument, LOOSE);
                self.put(")");
            }
        }
    }

    pub(super) fn operator(&mut self, name: Name, fix: Fix, args: &[TermId]) {
        let Some((word, _)) = operator(name) else {
            return;
        };
        match (fix, args) {
            (Fix::Infix, [left, right]) => {
                let level = match self.ops.infix(word) {
                    Some(Infix::Function(level, _)) => level,
                    _ => ATOM,
                };
                self.term(*left, level + 1);
                self.put(" ");
                self.word(word);
                self.put(" ");
                self.term(*right, level + 1);
            }
            (Fix::Prefix, [operand]) => {
                self.word(word);
                self.put(" ");
                self.term(*operand, APPLICATION);
            }
            (Fix::Postfix, [operand]) => {
                self.term(*operand, ATOM);
                self.put(" ");
                self.word(word);
            }
            _ => {}
        }
    }

    pub(super) fn related(&mut self, left: TermId, sign: &str, right: TermId) {
        self.term(left, ARROW);
        self.infix(sign);
        self.term(right, ARROW);
    }

    /// The sign of a relation between two operands.
    fn relation_sign(&mut self, name: Name) {
        match operator(name) {
            Some((word, _)) => self.word(word),
            None => {
                self.put(match self.markup {
                    Markup::Latex => "\\inrel{",
                    Markup::Unicode => "∈∈",
                });
                self.word(name);
                if self.markup == Markup::Latex {
                    self.put("}");
                }
            }
        }
    }

    pub(super) fn relation(&mut self, name: Name, fix: Fix, args: &[TermId]) {
        match (fix, args) {
            // Only LaTeX has a sign for "this name stands between its operands".
            (Fix::Infix, [left, right])
                if operator(name).is_none() && self.markup == Markup::Unicode =>
            {
                self.put("(");
                self.list(&[*left, *right], ", ", LOOSE);
                self.put(") ∈ ");
                self.word(name);
            }
            (Fix::Infix, [left, right]) => {
                self.term(*left, ARROW);
                self.put(" ");
                self.relation_sign(name);
                self.put(" ");
                self.term(*right, ARROW);
            }
            (_, [operand]) => {
                self.relation_sign(name);
                self.put(" ");
                self.term(*operand, ARROW);
            }
            _ => {}
        }
    }

    pub(super) fn chain(&mut self, parts: &[TermId]) {
        let terms = self.terms;
        for (i, part) in parts.iter().enumerate() {
            let (left, right) = match &terms[*part].kind {
                TermKind::Equal(a, b) | TermKind::Member(a, b) => (*a, *b),
                TermKind::Relation(_, _, args) if args.len() == 2 => (args[0], args[1]),
                _ => continue,
            };
            if i == 0 {
                self.term(left, ARROW);
            }
            self.put(" ");
            match &terms[*part].kind {
                TermKind::Equal(..) => self.sign("="),
                TermKind::Member(..) => self.sign("∈"),
                TermKind::Relation(name, ..) => self.relation_sign(name.name),
                _ => {}
            }
            self.put(" ");
            self.term(right, ARROW);
        }
    }
}
