//! Writes a formula in one spelling, with the brackets that its grouping needs.

use std::fmt::Write as _;

use base::deep;

use crate::syntax::{
    Argument, Atom, Binary, Fairness, Formula, NodeId, NodeKind, Path, Pattern, Quantifier,
};

/// The formula as text: ASCII operators, no needless brackets.
pub fn print(formula: &Formula) -> String {
    let mut out = String::new();
    if let Some(fairness) = formula.fairness {
        formula.write(fairness, 3, &mut out);
        out.push_str(" => ");
    }
    formula.write(formula.root, 1, &mut out);
    out
}

impl Formula {
    /// A part of the formula as text.
    pub fn part(&self, id: NodeId) -> String {
        let mut out = String::new();
        self.write(id, 1, &mut out);
        out
    }

    /// Writes a node where operators of `level` and tighter ones need no brackets.
    fn write(&self, id: NodeId, level: u8, out: &mut String) {
        deep::recurse(|| self.write_here(id, level, out));
    }

    fn write_here(&self, id: NodeId, level: u8, out: &mut String) {
        match self.kind(id) {
            NodeKind::Constant(value) => out.push_str(if *value { "true" } else { "false" }),
            NodeKind::Atom(atom) => write_atom(atom, out),
            NodeKind::Unary(operator, operand) => {
                out.push_str(operator.word());
                out.push(' ');
                self.write(*operand, 5, out);
            }
            NodeKind::Binary(operator, left, right) => {
                let own = operator.level();
                let brackets = own < level;
                if brackets {
                    out.push('(');
                }
                // `<=>` does not group at all.
                let left_level = own + u8::from(*operator == Binary::Iff);
                self.write(*left, left_level, out);
                let _ = write!(out, " {} ", operator.word());
                self.write(*right, own + 1, out);
                if brackets {
                    out.push(')');
                }
            }
            NodeKind::Quantified {
                quantifier,
                name,
                range,
                body,
            } => {
                let (sign, operator) = match quantifier {
                    Quantifier::Exists => ('#', "&"),
                    Quantifier::Forall => ('!', "=>"),
                };
                let (name, range) = (&name.text, range.text.trim());
                let _ = write!(out, "{sign}{name}.({{{range}}} {operator} ");
                self.write(*body, 1, out);
                out.push(')');
            }
            NodeKind::Branching(path, operator, operand) => {
                let path = match path {
                    Path::Some => 'E',
                    Path::All => 'A',
                };
                let _ = write!(out, "{path}{} ", operator.word());
                self.write(*operand, 5, out);
            }
            NodeKind::ExistsStep(pattern, operand) => {
                out.push_str("EX [");
                write_pattern(pattern, out);
                out.push_str("] ");
                self.write(*operand, 5, out);
            }
            NodeKind::ExistsUntil(left, right) => {
                let brackets = level > 4;
                out.push_str(if brackets { "(E " } else { "E " });
                self.write(*left, 5, out);
                out.push_str(" U ");
                self.write(*right, 5, out);
                if brackets {
                    out.push(')');
                }
            }
            NodeKind::Fair(fair) => match fair {
                Fairness::Weak(pattern) => call("WF", std::slice::from_ref(pattern), out),
                Fairness::Strong(pattern) => call("SF", std::slice::from_ref(pattern), out),
                Fairness::EveryWeak => out.push_str("WEF"),
                Fairness::EveryStrong => out.push_str("SEF"),
            },
        }
    }
}

fn write_atom(atom: &Atom, out: &mut String) {
    match atom {
        Atom::Predicate(text) => {
            let _ = write!(out, "{{{}}}", text.text.trim());
        }
        Atom::Enabled(pattern) => call("e", std::slice::from_ref(pattern), out),
        Atom::Available(pattern) => call("Av", std::slice::from_ref(pattern), out),
        Atom::Taken(pattern) => {
            out.push('[');
            write_pattern(pattern, out);
            out.push(']');
        }
        Atom::Deadlock => out.push_str("deadlock"),
        Atom::DeadlockOf(patterns) => call("deadlock", patterns, out),
        Atom::Controller(patterns) => call("controller", patterns, out),
        Atom::Deterministic(patterns) => call("deterministic", patterns, out),
        Atom::Sink => out.push_str("sink"),
        Atom::Goal => out.push_str("goal"),
        Atom::DetOutput => out.push_str("det_output"),
        Atom::Error => out.push_str("error"),
        Atom::Current => out.push_str("current"),
        Atom::Change(change, text) => {
            let _ = write!(out, "{}({{{}}})", change.word(), text.text.trim());
        }
        Atom::BeforeAfter(text) => {
            let _ = write!(out, "before_after({{{}}})", text.text.trim());
        }
    }
}

fn call(word: &str, patterns: &[Pattern], out: &mut String) {
    out.push_str(word);
    out.push('(');
    for (index, pattern) in patterns.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        write_pattern(pattern, out);
    }
    out.push(')');
}

fn write_pattern(pattern: &Pattern, out: &mut String) {
    out.push_str(&pattern.name.text);
    if pattern.arguments.is_empty() {
        return;
    }
    out.push('(');
    for (index, argument) in pattern.arguments.iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        match argument {
            Argument::Any => out.push('_'),
            Argument::Is(text) => out.push_str(text.text.trim()),
        }
    }
    out.push(')');
}
