//! Judges formulas on the beginning of a path, whatever follows: three-valued logic.
//!
//! A part is true or false at a position when every continuation makes it so as far as its operators show; otherwise it is
//! unknown. Shares no code with the search for bad prefixes.

use buchi::Ltl;

/// Three-valued truth of a formula along a prefix whose continuation is unknown.
pub(super) fn unknown_end(formula: &Ltl, letters: &[Vec<Option<bool>>]) -> Vec<Option<bool>> {
    let below = |part: &Ltl| base::deep::recurse(|| unknown_end(part, letters));
    let count = letters.len();
    match formula {
        Ltl::True => vec![Some(true); count],
        Ltl::False => vec![Some(false); count],
        Ltl::Atom(atom) => letters.iter().map(|l| l[*atom as usize]).collect(),
        Ltl::Not(a) => below(a).into_iter().map(|a| a.map(|a| !a)).collect(),
        Ltl::And(all) => {
            let parts: Vec<Vec<Option<bool>>> = all.iter().map(below).collect();
            (0..count)
                .map(|i| all_of(parts.iter().map(|part| part[i])))
                .collect()
        }
        Ltl::Or(all) => {
            let parts: Vec<Vec<Option<bool>>> = all.iter().map(below).collect();
            (0..count)
                .map(|i| negated(all_of(parts.iter().map(|part| negated(part[i])))))
                .collect()
        }
        Ltl::Next(a) => {
            let mut values = below(a);
            values.push(None);
            values.remove(0);
            values
        }
        Ltl::Until(a, b) => backwards(&below(a), &below(b), |a, b, later| or(b, and(a, later))),
        Ltl::Release(a, b) => backwards(&below(a), &below(b), |a, b, later| and(b, or(a, later))),
        Ltl::Yesterday(a) => {
            let mut values = below(a);
            values.insert(0, Some(false));
            values.pop();
            values
        }
        Ltl::Since(a, b) => forwards(&below(a), &below(b), Some(false), |a, b, earlier| {
            or(b, and(a, earlier))
        }),
        Ltl::Trigger(a, b) => forwards(&below(a), &below(b), Some(true), |a, b, earlier| {
            and(b, or(a, earlier))
        }),
    }
}

type Truth = Option<bool>;

fn negated(a: Truth) -> Truth {
    a.map(|a| !a)
}

fn all_of(all: impl Iterator<Item = Truth>) -> Truth {
    let mut whole = Some(true);
    for part in all {
        whole = and(whole, part);
    }
    whole
}

fn and(a: Truth, b: Truth) -> Truth {
    match (a, b) {
        (Some(false), _) | (_, Some(false)) => Some(false),
        (Some(true), Some(true)) => Some(true),
        _ => None,
    }
}

fn or(a: Truth, b: Truth) -> Truth {
    negated(and(negated(a), negated(b)))
}

fn backwards(a: &[Truth], b: &[Truth], step: impl Fn(Truth, Truth, Truth) -> Truth) -> Vec<Truth> {
    let mut later = None;
    let mut values: Vec<Truth> = a
        .iter()
        .zip(b)
        .rev()
        .map(|(a, b)| {
            later = step(*a, *b, later);
            later
        })
        .collect();
    values.reverse();
    values
}

fn forwards(
    a: &[Truth],
    b: &[Truth],
    start: Truth,
    step: impl Fn(Truth, Truth, Truth) -> Truth,
) -> Vec<Truth> {
    let mut earlier = start;
    a.iter()
        .zip(b)
        .map(|(a, b)| {
            earlier = step(*a, *b, earlier);
            earlier
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn letters(truths: &[&[bool]]) -> Vec<Vec<Truth>> {
        truths
            .iter()
            .map(|l| l.iter().map(|t| Some(*t)).collect())
            .collect()
    }

    #[test]
    fn a_prefix_refutes_what_no_continuation_repairs() {
        let word = letters(&[&[true], &[false]]);
        let (p, not_p) = (Ltl::Atom(0), Ltl::not(Ltl::Atom(0)));
        let at_start = |formula: &Ltl| unknown_end(formula, &word)[0];
        assert_eq!(at_start(&Ltl::globally(p.clone())), Some(false));
        assert_eq!(at_start(&Ltl::finally(not_p.clone())), Some(true));
        assert_eq!(at_start(&Ltl::finally(Ltl::False)), None);
        assert_eq!(at_start(&Ltl::next(Ltl::next(p.clone()))), None);
        assert_eq!(at_start(&Ltl::until(p.clone(), Ltl::False)), Some(false));
        assert_eq!(unknown_end(&Ltl::once(p.clone()), &word)[1], Some(true));
        assert_eq!(unknown_end(&Ltl::yesterday(not_p), &word)[1], Some(false));
    }
}
