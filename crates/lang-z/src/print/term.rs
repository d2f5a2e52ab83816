//! Terms.

use base::{Name, deep};

use super::names::operator;
use super::{Markup, Printer};
use crate::ops::{CROSS, Infix};
use crate::tree::{Connective, Decl, Fix, Ident, Quantifier, SchemaOp, TermId, TermKind, Text};

/// How tightly a form holds together: what is less tight than its place is bracketed.
pub(super) const LOOSE: u16 = 0;
const IFF: u16 = 1;
const IMPLIES: u16 = 2;
const OR: u16 = 3;
const AND: u16 = 4;
const NOT: u16 = 5;
pub(super) const RELATION: u16 = 6;
pub(super) const ARROW: u16 = 7;
pub(super) const PREFIX: u16 = 900;
pub(super) const APPLICATION: u16 = 950;
pub(super) const ATOM: u16 = 1000;

impl Printer<'_> {
    fn tightness(&self, term: TermId) -> u16 {
        match &self.terms[term].kind {
            TermKind::Connect(connective, ..) => match connective {
                Connective::And => AND,
                Connective::Or => OR,
                Connective::Implies => IMPLIES,
                Connective::Iff => IFF,
            },
            TermKind::Not(_) => NOT,
            TermKind::Equal(..)
            | TermKind::Member(..)
            | TermKind::Relation(..)
            | TermKind::Chain(_) => RELATION,
            TermKind::Cross(_) => CROSS,
            TermKind::Ref(name, sets) => match operator(*name) {
                Some((_, Fix::Infix)) if sets.len() == 2 => ARROW,
                Some((_, Fix::Prefix)) if sets.len() == 1 => PREFIX,
                _ => ATOM,
            },
            TermKind::Operator(name, fix, _) => match (fix, operator(name.name)) {
                (Fix::Infix, Some((word, _))) => match self.ops.infix(word) {
                    Some(Infix::Function(level, _)) => level,
                    _ => 9,
                },
                (Fix::Prefix, _) => PREFIX,
                _ => APPLICATION,
            },
            TermKind::Power(_) => PREFIX,
            TermKind::Apply(..) | TermKind::Image(..) | TermKind::Theta(..) => APPLICATION,
            TermKind::Lambda(..)
            | TermKind::Mu(..)
            | TermKind::Let(..)
            | TermKind::If(..)
            | TermKind::Quantify(..)
            | TermKind::Pre(_)
            | TermKind::Hide(..)
            | TermKind::SchemaOp(..) => LOOSE,
            _ => ATOM,
        }
    }

    /// Writes a term in a place that needs this tightness.
    pub(super) fn term(&mut self, term: TermId, least: u16) {
        deep::recurse(|| {
            if self.tightness(term) < least {
                self.put("(");
                self.bare(term);
                self.put(")");
            } else {
                self.bare(term);
            }
        });
    }

    pub(super) fn list(&mut self, terms: &[TermId], between: &str, least: u16) {
        for (i, term) in terms.iter().enumerate() {
            if i > 0 {
                self.put(between);
            }
            self.term(*term, least);
        }
    }

    /// A sign, declarations and what is said of them.
    fn bound(&mut self, sign: &str, text: &Text, value: Option<TermId>) {
        self.sign(sign);
        self.put(" ");
        self.text(text);
        self.value(value);
    }

    fn prefixed(&mut self, sign: &str, term: TermId, least: u16) {
        self.sign(sign);
        self.put(" ");
        self.term(term, least);
    }

    // Long: one arm for each kind of term.
    fn bare(&mut self, term: TermId) {
        let terms = self.terms;
        match &terms[term].kind {
            TermKind::Error => self.put("?"),
            TermKind::Number(number) => self.put(&number.to_string()),
            TermKind::Ref(name, sets) => self.reference(*name, sets),
            TermKind::Tuple(parts) => {
                self.put("(");
                self.list(parts, ", ", LOOSE);
                self.put(")");
            }
            TermKind::SetOf(items) => self.bracketed("{", items, "}"),
            TermKind::Sequence(items) => self.bracketed("⟨", items, "⟩"),
            TermKind::Bag(items) => self.bracketed("⟦", items, "⟧"),
            TermKind::Comprehension(text, value) => {
                self.sign("{");
                self.put(" ");
                self.text(text);
                self.value(*value);
                self.put(" ");
                self.sign("}");
            }
            TermKind::Lambda(text, value) => self.bound("λ", text, Some(*value)),
            TermKind::Mu(text, value) => self.bound("μ", text, *value),
            TermKind::Let(pairs, body) => {
                self.sign("let");
                self.put(" ");
                self.pairs(pairs, "==", "; ");
                self.value(Some(*body));
            }
            TermKind::If(condition, yes, no) => self.conditional([*condition, *yes, *no]),
            TermKind::Power(set) => self.prefixed("ℙ", *set, APPLICATION),
            TermKind::Cross(sets) => self.cross(sets),
            TermKind::Apply(function, argument) => {
                self.term(*function, APPLICATION);
                self.argument(*argument);
            }
            TermKind::Operator(name, fix, args) => self.operator(name.name, *fix, args),
            TermKind::Image(relation, set) => self.image(*relation, *set),
            TermKind::Iterate(relation, count) => self.iteration(*relation, *count),
            TermKind::Binding(pairs) => {
                self.sign("⦉");
                self.put(" ");
                self.pairs(pairs, "==", ", ");
                self.put(" ");
                self.sign("⦊");
            }
            TermKind::Select(value, name) => {
                self.term(*value, ATOM);
                self.put(".");
                self.name(name.name);
            }
            TermKind::Part(value, index, _) => {
                self.term(*value, ATOM);
                self.put(&format!(".{index}"));
            }
            TermKind::Theta(schema, strokes) => {
                self.prefixed("θ", *schema, ATOM);
                self.stroke(*strokes);
            }
            TermKind::Schema(text) => {
                self.put("[");
                self.text(text);
                self.put("]");
            }
            TermKind::Decorate(schema, stroke) => {
                self.term(*schema, ATOM);
                self.stroke(*stroke);
            }
            TermKind::Rename(schema, pairs) => self.renamed(*schema, pairs),
            TermKind::Hide(schema, names) => self.hidden(*schema, names),
            TermKind::Pre(schema) => self.prefixed("pre", *schema, ATOM),
            TermKind::SchemaOp(op, left, right) => {
                self.term(*left, ATOM);
                self.infix(match op {
                    SchemaOp::Project => "⨡",
                    SchemaOp::Compose => "⨟",
                    SchemaOp::Pipe => "⨠",
                });
                self.term(*right, ATOM);
            }
            TermKind::Not(inner) => self.prefixed("¬", *inner, NOT),
            TermKind::Connect(connective, left, right) => {
                self.connected(*connective, *left, *right)
            }
            TermKind::Quantify(quantifier, text, body) => self.quantified(*quantifier, text, *body),
            TermKind::Equal(left, right) => self.related(*left, "=", *right),
            TermKind::Member(left, right) => self.related(*left, "∈", *right),
            TermKind::Relation(name, fix, args) => self.relation(name.name, *fix, args),
            TermKind::Chain(parts) => self.chain(parts),
            TermKind::True => self.sign("true"),
            TermKind::False => self.sign("false"),
        }
    }

    fn cross(&mut self, sets: &[TermId]) {
        for (i, set) in sets.iter().enumerate() {
            if i > 0 {
                self.infix("×");
            }
            self.term(*set, CROSS + 1);
        }
    }

    fn quantified(&mut self, quantifier: Quantifier, text: &Text, body: TermId) {
        match (quantifier, self.markup) {
            (Quantifier::Forall, _) => self.sign("∀"),
            (Quantifier::Exists, _) => self.sign("∃"),
            (Quantifier::ExistsOne, Markup::Unicode) => self.put("∃↘1↖"),
            (Quantifier::ExistsOne, Markup::Latex) => self.put("\\exists_1"),
        }
        self.put(" ");
        self.text(text);
        self.value(Some(body));
    }

    fn connected(&mut self, connective: Connective, left: TermId, right: TermId) {
        let (sign, level) = match connective {
            Connective::And => ("∧", AND),
            Connective::Or => ("∨", OR),
            Connective::Implies => ("⇒", IMPLIES),
            Connective::Iff => ("⇔", IFF),
        };
        let first = match connective {
            Connective::Implies => level + 1,
            _ => level,
        };
        self.term(left, first);
        self.infix(sign);
        self.term(right, level + 1);
    }

    fn hidden(&mut self, schema: TermId, names: &[Ident]) {
        self.term(schema, ATOM);
        self.infix("⧹");
        self.put("(");
        for (i, name) in names.iter().enumerate() {
            if i > 0 {
                self.put(", ");
            }
            self.name(name.name);
        }
        self.put(")");
    }

    fn renamed(&mut self, schema: TermId, pairs: &[(Ident, Ident)]) {
        self.term(schema, ATOM);
        self.put("[");
        for (i, (new, old)) in pairs.iter().enumerate() {
            if i > 0 {
                self.put(", ");
            }
            self.name(new.name);
            self.put("/");
            self.name(old.name);
        }
        self.put("]");
    }

    fn iteration(&mut self, relation: TermId, count: TermId) {
        self.term(relation, ATOM);
        match self.markup {
            Markup::Unicode => self.put("↗"),
            Markup::Latex => self.put("^{"),
        }
        self.term(count, ARROW);
        match self.markup {
            Markup::Unicode => self.put("↖"),
            Markup::Latex => self.put("}"),
        }
    }

    fn image(&mut self, relation: TermId, set: TermId) {
        self.term(relation, ATOM);
        self.put(" ");
        self.sign("⦇");
        self.put(" ");
        self.term(set, ARROW);
        self.put(" ");
        self.sign("⦈");
    }

    fn conditional(&mut self, [condition, yes, no]: [TermId; 3]) {
        self.sign("if");
        self.put(" ");
        self.term(condition, LOOSE);
        self.infix("then");
        self.term(yes, ARROW);
        self.infix("else");
        self.term(no, ARROW);
    }

    fn bracketed(&mut self, open: &str, items: &[TermId], close: &str) {
        self.sign(open);
        if !items.is_empty() {
            self.put(" ");
            self.list(items, ", ", ARROW);
        }
        self.put(" ");
        self.sign(close);
    }

    fn stroke(&mut self, strokes: Name) {
        if strokes.as_str().is_empty() {
            return;
        }
        match self.markup {
            Markup::Unicode => {
                self.put(" ");
                self.put(&strokes.as_str().replace('\'', "′"));
            }
            Markup::Latex => {
                self.put("~");
                self.put(strokes.as_str());
            }
        }
    }

    fn pairs(&mut self, pairs: &[(Ident, TermId)], sign: &str, between: &str) {
        for (i, (name, value)) in pairs.iter().enumerate() {
            if i > 0 {
                self.put(between);
            }
            self.name(name.name);
            self.infix(sign);
            self.term(*value, ARROW);
        }
    }

    fn value(&mut self, value: Option<TermId>) {
        if let Some(value) = value {
            self.infix("⦁");
            self.term(value, LOOSE);
        }
    }

    /// Declarations with their predicate.
    pub(super) fn text(&mut self, text: &Text) {
        for (i, decl) in text.decls.iter().enumerate() {
            if i > 0 {
                self.put("; ");
            }
            self.decl(decl);
        }
        if let Some(predicate) = text.predicate {
            self.put(" | ");
            self.term(predicate, LOOSE);
        }
    }

    pub(super) fn decl(&mut self, decl: &Decl) {
        match decl {
            Decl::Vars(names, set) => {
                for (i, name) in names.iter().enumerate() {
                    if i > 0 {
                        self.put(", ");
                    }
                    self.name(name.name);
                }
                self.put(" : ");
                self.term(*set, ARROW);
            }
            Decl::Include(schema) => self.term(*schema, ATOM),
            Decl::Define(name, value) => {
                self.name(name.name);
                self.put(" == ");
                self.term(*value, ARROW);
            }
        }
    }
}
