//! Shows parts of branching formulas and judges those that say something about one state.

use search::branching::Ctl;

/// The part with this number: the formula is 0, its parts follow, leftmost first, each before its own parts.
pub(super) fn part(formula: &Ctl, number: usize) -> Option<&Ctl> {
    let mut pending = vec![formula];
    let mut at = 0;
    while let Some(part) = pending.pop() {
        if at == number {
            return Some(part);
        }
        at += 1;
        match part {
            Ctl::True | Ctl::False | Ctl::Atom(_) => {}
            Ctl::Not(a) | Ctl::Ex(_, a) | Ctl::Eg(a) => pending.push(a),
            Ctl::And(a, b) | Ctl::Or(a, b) | Ctl::Eu(a, b) => {
                pending.push(b);
                pending.push(a);
            }
        }
    }
    None
}

/// The formula as text; atoms by their number.
pub(super) fn show(formula: &Ctl, atom: &dyn Fn(u32) -> String) -> String {
    let below = |part: &Ctl| base::deep::recurse(|| operand(part, atom));
    match formula {
        Ctl::True => "true".to_owned(),
        Ctl::False => "false".to_owned(),
        Ctl::Atom(number) => atom(*number),
        Ctl::Not(inner) => match &**inner {
            Ctl::Eu(a, b) if **a == Ctl::True => match &**b {
                Ctl::Not(b) => format!("AG {}", below(b)),
                _ => format!("not EF {}", below(b)),
            },
            Ctl::Eg(a) => match &**a {
                Ctl::Not(a) => format!("AF {}", below(a)),
                _ => format!("not EG {}", below(a)),
            },
            Ctl::Ex(None, a) => match &**a {
                Ctl::Not(a) => format!("AX {}", below(a)),
                _ => format!("not EX {}", below(a)),
            },
            inner => format!("not {}", below(inner)),
        },
        Ctl::And(a, b) => format!("{} & {}", below(a), below(b)),
        Ctl::Or(a, b) => match &**a {
            Ctl::Not(a) => format!("{} => {}", below(a), below(b)),
            _ => format!("{} or {}", below(a), below(b)),
        },
        Ctl::Ex(None, a) => format!("EX {}", below(a)),
        Ctl::Ex(Some(step), a) => format!("EX {} {}", atom(*step), below(a)),
        Ctl::Eu(a, b) if **a == Ctl::True => format!("EF {}", below(b)),
        Ctl::Eu(a, b) => format!("E {} U {}", below(a), below(b)),
        Ctl::Eg(a) => format!("EG {}", below(a)),
    }
}

fn operand(formula: &Ctl, atom: &dyn Fn(u32) -> String) -> String {
    let text = show(formula, atom);
    match formula {
        Ctl::And(..) | Ctl::Or(..) | Ctl::Eu(..) if !text.starts_with("EF ") => format!("({text})"),
        _ => text,
    }
}

/// The truth of a boolean combination of atoms; `None` for anything else, or when an atom has none.
pub(super) fn boolean(formula: &Ctl, letter: &[Option<bool>]) -> Option<bool> {
    let below = |part: &Ctl| base::deep::recurse(|| boolean(part, letter));
    match formula {
        Ctl::True => Some(true),
        Ctl::False => Some(false),
        Ctl::Atom(atom) => letter[*atom as usize],
        Ctl::Not(a) => below(a).map(|a| !a),
        Ctl::And(a, b) => Some(below(a)? && below(b)?),
        Ctl::Or(a, b) => Some(below(a)? || below(b)?),
        Ctl::Ex(..) | Ctl::Eu(..) | Ctl::Eg(_) => None,
    }
}
