//! Decides formulas of linear arithmetic over all integers (Presburger arithmetic), with quantifiers in any order.
//!
//! Paper: [Cooper 1972].
//! Quantifiers are removed from the inside out (`eliminate.rs`). Differs: an equation about the name is solved first, and
//! conjunctions and disjunctions keep only the strictest bound of each direction.
//! Invariant: an answer is right; where it would take more work than given, or larger numbers than fit, there is none.

mod eliminate;
mod linear;

use rustc_hash::{FxHashMap, FxHashSet};

use linear::gcd;
pub use linear::{Linear, Name};

/// A formula. It is made by the functions below, which simplify.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Formula {
    /// True.
    True,
    /// False.
    False,
    /// `0 < t`
    Positive(Linear),
    /// `t = 0`, or its negation when false stands beside it.
    Zero(Linear, bool),
    /// The number divides the term, or does not when false stands beside it.
    Divides(i128, Linear, bool),
    /// All of them; there are two or more.
    And(Vec<Formula>),
    /// One of them; there are two or more.
    Or(Vec<Formula>),
    /// For some value of the name.
    Exists(Name, Box<Formula>),
    /// For all values of the name.
    Forall(Name, Box<Formula>),
}

impl Formula {
    /// `a < b`
    pub fn less(a: &Linear, b: &Linear) -> Option<Formula> {
        Some(positive(b.minus(a)?))
    }

    /// `a = b`
    pub fn equal(a: &Linear, b: &Linear) -> Option<Formula> {
        Some(zero(a.minus(b)?, true))
    }

    /// Whether a positive number divides a term.
    pub fn divides(by: i128, term: &Linear) -> Formula {
        divides(by, term.clone(), true)
    }

    /// All of the parts.
    pub fn and(parts: Vec<Formula>) -> Formula {
        joined(parts, true)
    }

    /// Some of the parts.
    pub fn or(parts: Vec<Formula>) -> Formula {
        joined(parts, false)
    }

    /// For some values of the names.
    pub fn exists(names: &[Name], body: Formula) -> Formula {
        let bind = |body: Formula, name: &Name| Formula::Exists(*name, Box::new(body));
        names.iter().rev().fold(body, bind)
    }

    /// For all values of the names.
    pub fn forall(names: &[Name], body: Formula) -> Formula {
        let bind = |body: Formula, name: &Name| Formula::Forall(*name, Box::new(body));
        names.iter().rev().fold(body, bind)
    }

    /// The opposite.
    pub fn negated(self) -> Formula {
        match self {
            Formula::True => Formula::False,
            Formula::False => Formula::True,
            // Not 0 < t: 0 < 1 - t.
            Formula::Positive(t) => positive(Linear {
                terms: t
                    .terms
                    .into_iter()
                    .map(|(name, factor)| (name, -factor))
                    .collect(),
                constant: 1 - t.constant,
            }),
            Formula::Zero(t, is) => Formula::Zero(t, !is),
            Formula::Divides(by, t, is) => Formula::Divides(by, t, !is),
            Formula::And(parts) => joined(parts.into_iter().map(Formula::negated).collect(), false),
            Formula::Or(parts) => joined(parts.into_iter().map(Formula::negated).collect(), true),
            Formula::Exists(name, body) => Formula::Forall(name, Box::new(body.negated())),
            Formula::Forall(name, body) => Formula::Exists(name, Box::new(body.negated())),
        }
    }

    /// Whether a formula in which every name is bound is true; nothing when that takes more than the work left, which is
    /// lessened by what it takes.
    pub fn decide(self, work: &mut u64) -> Option<bool> {
        match eliminate::without_quantifiers(self, work)? {
            Formula::True => Some(true),
            Formula::False => Some(false),
            _ => None,
        }
    }

    /// How many atoms it has.
    pub(crate) fn size(&self) -> u64 {
        match self {
            Formula::And(parts) | Formula::Or(parts) => parts.iter().map(Formula::size).sum(),
            Formula::Exists(_, body) | Formula::Forall(_, body) => body.size(),
            _ => 1,
        }
    }

    pub(crate) fn mentions(&self, name: Name) -> bool {
        match self {
            Formula::True | Formula::False => false,
            Formula::Positive(t) | Formula::Zero(t, _) | Formula::Divides(_, t, _) => {
                t.factor(name) != 0
            }
            Formula::And(parts) | Formula::Or(parts) => {
                parts.iter().any(|part| part.mentions(name))
            }
            Formula::Exists(_, body) | Formula::Forall(_, body) => body.mentions(name),
        }
    }
}

fn truth(is: bool) -> Formula {
    if is { Formula::True } else { Formula::False }
}

/// `0 < t`
pub(crate) fn positive(mut t: Linear) -> Formula {
    let content = t.content();
    if content == 0 {
        return truth(0 < t.constant);
    }
    for term in &mut t.terms {
        term.1 /= content;
    }
    // c*u + k >= 1 where u >= ceil((1 - k) / c).
    t.constant = 1 + (t.constant - 1).div_euclid(content);
    Formula::Positive(t)
}

/// `t = 0`, or not.
pub(crate) fn zero(mut t: Linear, is: bool) -> Formula {
    let content = t.content();
    if content == 0 {
        return truth((t.constant == 0) == is);
    }
    if t.constant % content != 0 {
        return truth(!is);
    }
    let by = if t.terms[0].1 < 0 { -content } else { content };
    for term in &mut t.terms {
        term.1 /= by;
    }
    t.constant /= by;
    Formula::Zero(t, is)
}

/// Whether a positive number divides a term, or not.
pub(crate) fn divides(by: i128, mut t: Linear, is: bool) -> Formula {
    for term in &mut t.terms {
        term.1 = term.1.rem_euclid(by);
    }
    t.terms.retain(|term| term.1 != 0);
    t.constant = t.constant.rem_euclid(by);
    let content = gcd(t.content(), by);
    if t.constant % content != 0 {
        return truth(!is);
    }
    for term in &mut t.terms {
        term.1 /= content;
    }
    t.constant /= content;
    match by / content {
        1 => truth(is),
        by if t.terms.is_empty() => truth((t.constant % by == 0) == is),
        by => Formula::Divides(by, t, is),
    }
}

/// All parts, or some of them: flat, without doubles, with the bound that decides in each direction.
fn joined(parts: Vec<Formula>, all: bool) -> Formula {
    let mut todo = parts;
    todo.reverse();
    let mut kept: Vec<Formula> = Vec::new();
    let mut seen: FxHashSet<Formula> = FxHashSet::default();
    let mut bounds: FxHashMap<Vec<(Name, i128)>, i128> = FxHashMap::default();
    let mut order: Vec<Vec<(Name, i128)>> = Vec::new();
    while let Some(part) = todo.pop() {
        match part {
            Formula::True | Formula::False => {
                if (part == Formula::True) != all {
                    return truth(!all);
                }
            }
            Formula::And(inner) if all => todo.extend(inner.into_iter().rev()),
            Formula::Or(inner) if !all => todo.extend(inner.into_iter().rev()),
            Formula::Positive(t) => match bounds.get_mut(&t.terms) {
                Some(bound) if all => *bound = t.constant.min(*bound),
                Some(bound) => *bound = t.constant.max(*bound),
                None => {
                    order.push(t.terms.clone());
                    bounds.insert(t.terms, t.constant);
                }
            },
            other => {
                if seen.insert(other.clone()) {
                    kept.push(other);
                }
            }
        }
    }
    for terms in &order {
        let opposite: Vec<(Name, i128)> = terms.iter().map(|(name, f)| (*name, -f)).collect();
        if let (Some(low), Some(high)) = (bounds.get(terms), bounds.get(&opposite)) {
            // u > -low together with u < high
            let (least, most) = (1 - low, high - 1);
            if all && least > most || !all && least <= most + 1 {
                return truth(!all);
            }
        }
    }
    kept.extend(order.into_iter().map(|terms| {
        let constant = bounds[&terms];
        Formula::Positive(Linear { terms, constant })
    }));
    match kept.len() {
        0 => truth(all),
        1 => kept.swap_remove(0),
        _ if all => Formula::And(kept),
        _ => Formula::Or(kept),
    }
}
