//! Finds formulas that hold for a reason their author did not mean: a premise that is never true, an atom that does not
//! matter.
//!
//! Beer, Ben-David, Eisner and Rodeh 2001: a formula holds vacuously in an atom when it holds whatever the atom says. Only
//! atoms that never change are tried, with the opposite constant in their place.

use buchi::Ltl;
use lang_formula::{Binary, NodeKind};

use super::Prepared;
use super::atoms::Atoms;
use super::lower::{Linear, Lowered};
use super::watch::Seen;

/// More atoms are not tried.
const MOST_TRIED: usize = 4;

/// The left side of an implication.
pub(super) struct Premise {
    /// Which formula it belongs to.
    of: usize,
    text: String,
    /// A boolean combination of atoms.
    pub(super) formula: Ltl,
}

/// A formula in which an atom that never changed is replaced by the opposite.
pub(super) struct Doubtful {
    pub(super) changed: Lowered,
    /// The atom.
    pub(super) atom: String,
    pub(super) warning: String,
}

/// The premises of all formulas that say something about one position.
pub(super) fn premises(formulas: &[Prepared]) -> Vec<Premise> {
    let mut found = Vec::new();
    for (of, prepared) in formulas.iter().enumerate() {
        let Ok(Lowered::Ltl(linear)) = &prepared.lowered else {
            continue;
        };
        let formula = &linear.written;
        for (_, node) in formula.nodes.iter() {
            let NodeKind::Binary(Binary::Implies, left, _) = node.kind else {
                continue;
            };
            if let Some(part) = linear.parts.get(&left)
                && is_boolean(part)
            {
                found.push(Premise {
                    of,
                    text: formula.part(left),
                    formula: part.clone(),
                });
            }
        }
    }
    found
}

/// Warnings about premises of a formula that were never true.
pub(super) fn never_true(of: usize, premises: &[Premise], seen: &Seen) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    for (premise, is_seen) in premises.iter().zip(&seen.premises) {
        let warning = format!("the premise {} is never true", premise.text);
        if premise.of == of && !is_seen && !found.contains(&warning) {
            found.push(warning);
        }
    }
    found
}

/// Formulas that would show that an atom does not matter.
pub(super) fn doubtful(lowered: &Lowered, atoms: &Atoms, seen: &Seen) -> Vec<Doubtful> {
    let Lowered::Ltl(linear) = lowered else {
        return Vec::new();
    };
    let mut numbers = Vec::new();
    collect(&linear.formula, &mut numbers);
    let constant = numbers
        .into_iter()
        .filter_map(|number| match seen.atoms.get(number as usize) {
            Some((true, false)) => Some((number, true)),
            Some((false, true)) => Some((number, false)),
            _ => None,
        });
    constant
        .take(MOST_TRIED)
        .map(|(number, truth)| Doubtful {
            changed: Lowered::Ltl(Linear {
                written: linear.written.clone(),
                formula: replaced(&linear.formula, number, !truth),
                fairness: linear.fairness.clone(),
                parts: Default::default(),
                spoken_for: Default::default(),
            }),
            atom: atoms.atoms[number as usize].text.clone(),
            warning: format!(
                "{} is always {truth}, and the formula holds whatever it is",
                atoms.atoms[number as usize].text
            ),
        })
        .collect()
}

fn is_boolean(formula: &Ltl) -> bool {
    match formula {
        Ltl::Atom(_) => true,
        Ltl::Not(_) | Ltl::And(_) | Ltl::Or(_) => formula.parts().into_iter().all(is_boolean),
        _ => false,
    }
}

fn collect(formula: &Ltl, found: &mut Vec<u32>) {
    if let Ltl::Atom(atom) = formula
        && !found.contains(atom)
    {
        found.push(*atom);
    }
    for part in formula.parts() {
        base::deep::recurse(|| collect(part, found));
    }
}

fn replaced(formula: &Ltl, atom: u32, truth: bool) -> Ltl {
    let below = |part: &Ltl| base::deep::recurse(|| replaced(part, atom, truth));
    let boxed = |part: &Ltl| Box::new(below(part));
    match formula {
        Ltl::Atom(number) if *number == atom => match truth {
            true => Ltl::True,
            false => Ltl::False,
        },
        Ltl::True | Ltl::False | Ltl::Atom(_) => formula.clone(),
        Ltl::Not(a) => Ltl::Not(boxed(a)),
        Ltl::And(all) => Ltl::And(all.iter().map(below).collect()),
        Ltl::Or(all) => Ltl::Or(all.iter().map(below).collect()),
        Ltl::Next(a) => Ltl::Next(boxed(a)),
        Ltl::Until(a, b) => Ltl::Until(boxed(a), boxed(b)),
        Ltl::Release(a, b) => Ltl::Release(boxed(a), boxed(b)),
        Ltl::Yesterday(a) => Ltl::Yesterday(boxed(a)),
        Ltl::Since(a, b) => Ltl::Since(boxed(a), boxed(b)),
        Ltl::Trigger(a, b) => Ltl::Trigger(boxed(a), boxed(b)),
    }
}
