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
        pending.extend(part.parts().into_iter().rev());
    }
    None
}

/// The formula as text; atoms by their number.
pub(super) fn show(formula: &Ctl, atom: &dyn Fn(u32) -> String) -> String {
    let below = |part: &Ctl| base::deep::recurse(|| operand(part, atom));
    let joined = |all: &[Ctl], sign: &str| {
        let all: Vec<String> = all.iter().map(below).collect();
        all.join(sign)
    };
    match formula {
        Ctl::True => "true".to_owned(),
        Ctl::False => "false".to_owned(),
        Ctl::Atom(number) => atom(*number),
        Ctl::Not(inner) => match all_paths(inner) {
            Some((word, part)) => format!("{word} {}", below(part)),
            None => format!("not {}", below(inner)),
        },
        Ctl::And(all) => joined(all, " & "),
        Ctl::Or(all) => match &all[..] {
            [Ctl::Not(premise), rest] => format!("{} => {}", below(premise), below(rest)),
            all => joined(all, " or "),
        },
        Ctl::ExistsNext(None, a) => format!("EX {}", below(a)),
        Ctl::ExistsNext(Some(step), a) => format!("EX {} {}", atom(*step), below(a)),
        Ctl::ExistsUntil(a, b) if **a == Ctl::True => format!("EF {}", below(b)),
        Ctl::ExistsUntil(a, b) => format!("E {} U {}", below(a), below(b)),
        Ctl::ExistsGlobally(a) => format!("EG {}", below(a)),
    }
}

/// `AG a` for `not EF not a`, and its like.
fn all_paths(negated: &Ctl) -> Option<(&'static str, &Ctl)> {
    let (word, inner) = match negated {
        Ctl::ExistsUntil(a, b) if **a == Ctl::True => ("AG", b),
        Ctl::ExistsGlobally(a) => ("AF", a),
        Ctl::ExistsNext(None, a) => ("AX", a),
        _ => return None,
    };
    match &**inner {
        Ctl::Not(part) => Some((word, part)),
        _ => None,
    }
}

fn operand(formula: &Ctl, atom: &dyn Fn(u32) -> String) -> String {
    let text = show(formula, atom);
    match formula {
        Ctl::And(_) | Ctl::Or(_) => format!("({text})"),
        Ctl::ExistsUntil(a, _) if **a != Ctl::True => format!("({text})"),
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
        Ctl::And(all) => {
            let all: Option<Vec<bool>> = all.iter().map(below).collect();
            all.map(|all| all.into_iter().all(|part| part))
        }
        Ctl::Or(all) => {
            let all: Option<Vec<bool>> = all.iter().map(below).collect();
            all.map(|all| all.into_iter().any(|part| part))
        }
        Ctl::ExistsNext(..) | Ctl::ExistsUntil(..) | Ctl::ExistsGlobally(_) => None,
    }
}
