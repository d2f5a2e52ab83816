//! Removes quantifiers.

use crate::linear::{Linear, Name, lcm};
use crate::{Formula, divides, positive, zero};

/// Alternatives of conjuncts are multiplied out up to so many, so that equations in them can be solved.
const MULTIPLIED: usize = 24;

/// The same formula without quantifiers.
pub(crate) fn without_quantifiers(formula: Formula, work: &mut u64) -> Option<Formula> {
    Some(match formula {
        Formula::And(parts) => Formula::and(each(parts, work)?),
        Formula::Or(parts) => Formula::or(each(parts, work)?),
        Formula::Exists(name, body) => {
            let body = without_quantifiers(*body, work)?;
            eliminated(name, body, work)?
        }
        Formula::Forall(name, body) => {
            let body = without_quantifiers(body.negated(), work)?;
            eliminated(name, body, work)?.negated()
        }
        atom => atom,
    })
}

fn each(parts: Vec<Formula>, work: &mut u64) -> Option<Vec<Formula>> {
    parts
        .into_iter()
        .map(|part| without_quantifiers(part, work))
        .collect()
}

fn spend(work: &mut u64, amount: u64) -> Option<()> {
    let left = work.checked_sub(amount.max(1));
    *work = left.unwrap_or(0);
    left.map(|_| ())
}

/// Whether the formula, which has no quantifiers, is true for some value of the name.
fn eliminated(name: Name, formula: Formula, work: &mut u64) -> Option<Formula> {
    if !formula.mentions(name) {
        return Some(formula);
    }
    spend(work, formula.size())?;
    let parts = match formula {
        Formula::Or(parts) => {
            let parts = parts.into_iter().map(|part| eliminated(name, part, work));
            return Some(Formula::or(parts.collect::<Option<_>>()?));
        }
        Formula::And(parts) => parts,
        atom => vec![atom],
    };
    let (about, mut others): (Vec<Formula>, Vec<Formula>) =
        parts.into_iter().partition(|part| part.mentions(name));
    let result = match about
        .iter()
        .filter_map(|part| equation(name, part))
        .min_by_key(|f| f.0)
    {
        Some((_, solved)) => solve(name, &solved, &about, work)?,
        None => match multiplied(&about) {
            Some(formula) => eliminated(name, formula, work)?,
            None => tested(name, Formula::and(about), work)?,
        },
    };
    others.push(result);
    Some(Formula::and(others))
}

/// An equation about the name, with the size of its factor.
fn equation(name: Name, formula: &Formula) -> Option<(i128, Linear)> {
    match formula {
        Formula::Zero(t, true) if t.factor(name) != 0 => Some((t.factor(name).abs(), t.clone())),
        _ => None,
    }
}

/// `f*x + t = 0` solved for x in all parts.
fn solve(name: Name, equation: &Linear, parts: &[Formula], work: &mut u64) -> Option<Formula> {
    let factor = equation.factor(name);
    let sign = factor.signum();
    let rest = equation.without(name).times(-sign)?;
    let mut solved = vec![divides(factor.abs(), rest.clone(), true)];
    for part in parts {
        spend(work, part.size())?;
        solved.push(substituted(part, name, &rest, factor.abs())?);
    }
    Some(Formula::and(solved))
}

/// The formula with `value / by` in the place of a name; `by` is positive and divides the value.
fn substituted(formula: &Formula, name: Name, value: &Linear, by: i128) -> Option<Formula> {
    let put = |t: &Linear| t.without(name).combined(by, value, t.factor(name));
    Some(match formula {
        Formula::And(parts) | Formula::Or(parts) => {
            let parts = parts.iter().map(|part| substituted(part, name, value, by));
            let parts = parts.collect::<Option<Vec<Formula>>>()?;
            match formula {
                Formula::And(_) => Formula::and(parts),
                _ => Formula::or(parts),
            }
        }
        _ if !formula.mentions(name) => formula.clone(),
        Formula::Positive(t) => positive(put(t)?),
        Formula::Zero(t, is) => zero(put(t)?, *is),
        Formula::Divides(d, t, is) => divides(d.checked_mul(by)?, put(t)?, *is),
        other => other.clone(),
    })
}

/// A conjunction with alternatives as alternatives of conjunctions, unless these are many.
fn multiplied(parts: &[Formula]) -> Option<Formula> {
    let mut rows: Vec<Vec<Formula>> = vec![Vec::new()];
    let mut is_changed = false;
    for part in parts {
        let Formula::Or(choices) = part else {
            rows.iter_mut().for_each(|row| row.push(part.clone()));
            continue;
        };
        if rows.len() * choices.len() > MULTIPLIED {
            return None;
        }
        is_changed = true;
        let more = |row: &Vec<Formula>| {
            let row = row.clone();
            choices
                .iter()
                .map(move |choice| [row.as_slice(), std::slice::from_ref(choice)].concat())
        };
        rows = rows.iter().flat_map(more).collect();
    }
    is_changed.then(|| Formula::or(rows.into_iter().map(Formula::and).collect()))
}

/// What a formula says of the name: the ends of its parts, from one side, and how it repeats.
#[derive(Default)]
struct Ends {
    lower: Vec<Linear>,
    upper: Vec<Linear>,
}

/// Cooper's test points. The factor of the name is made one first.
fn tested(name: Name, formula: Formula, work: &mut u64) -> Option<Formula> {
    let mut common = 1;
    factors(&formula, name, &mut |factor| {
        common = lcm(common, factor)?;
        Some(())
    })?;
    let formula = Formula::and(vec![
        unit(&formula, name, common)?,
        divides(common, Linear::name(name), true),
    ]);
    let (mut ends, mut period) = (Ends::default(), 1);
    find_ends(&formula, name, &mut ends, &mut period)?;
    for side in [&mut ends.lower, &mut ends.upper] {
        side.sort_unstable();
        side.dedup();
    }
    let downwards = ends.lower.len() <= ends.upper.len();
    let (points, step) = match downwards {
        true => (ends.lower, 1),
        false => (ends.upper, -1),
    };
    let count = u64::try_from(period)
        .ok()?
        .checked_mul(points.len() as u64 + 1)?;
    spend(work, count.checked_mul(formula.size())?)?;
    let far = beyond(&formula, name, downwards);
    let mut choices = Vec::new();
    for turn in 1..=period {
        let shift = Linear::number(step * turn);
        let tests = std::iter::once((&far, shift.clone()));
        let near = points
            .iter()
            .map(|point| Some((&formula, point.plus(&shift)?)));
        for test in tests.map(Some).chain(near) {
            let (formula, value) = test?;
            let choice = substituted(formula, name, &value, 1)?;
            if choice == Formula::True {
                return Some(choice);
            }
            choices.push(choice);
        }
    }
    Some(Formula::or(choices))
}

/// Gives the factors of the name.
fn factors(formula: &Formula, name: Name, give: &mut dyn FnMut(i128) -> Option<()>) -> Option<()> {
    match formula {
        Formula::And(parts) | Formula::Or(parts) => {
            parts.iter().try_for_each(|part| factors(part, name, give))
        }
        Formula::Positive(t) | Formula::Zero(t, _) | Formula::Divides(_, t, _) => {
            match t.factor(name) {
                0 => Some(()),
                factor => give(factor.abs()),
            }
        }
        _ => Some(()),
    }
}

/// The formula with `name` for `common * name`.
fn unit(formula: &Formula, name: Name, common: i128) -> Option<Formula> {
    let scaled = |t: &Linear| {
        let factor = t.factor(name);
        let by = common / factor.abs();
        let one = Linear::name(name).times(factor.signum())?;
        Some((t.without(name).times(by)?.plus(&one)?, by))
    };
    Some(match formula {
        Formula::And(parts) | Formula::Or(parts) => {
            let parts = parts.iter().map(|part| unit(part, name, common));
            let parts = parts.collect::<Option<Vec<Formula>>>()?;
            match formula {
                Formula::And(_) => Formula::and(parts),
                _ => Formula::or(parts),
            }
        }
        _ if !formula.mentions(name) => formula.clone(),
        Formula::Positive(t) => positive(scaled(t)?.0),
        Formula::Zero(t, is) => zero(scaled(t)?.0, *is),
        Formula::Divides(d, t, is) => {
            let (t, by) = scaled(t)?;
            divides(d.checked_mul(by)?, t, *is)
        }
        other => other.clone(),
    })
}

/// Where the truth of parts begins (`lower`: true from the next number on) or ends.
fn find_ends(formula: &Formula, name: Name, ends: &mut Ends, period: &mut i128) -> Option<()> {
    let one = Linear::number(1);
    match formula {
        Formula::And(parts) | Formula::Or(parts) => {
            for part in parts {
                find_ends(part, name, ends, period)?;
            }
        }
        _ if !formula.mentions(name) => {}
        // 0 < x + r: x > -r. 0 < r - x: x < r.
        Formula::Positive(t) => match t.factor(name) > 0 {
            true => ends.lower.push(t.without(name).times(-1)?),
            false => ends.upper.push(t.without(name)),
        },
        Formula::Zero(t, is) => {
            let value = t.without(name).times(-t.factor(name))?;
            match is {
                true => {
                    ends.lower.push(value.minus(&one)?);
                    ends.upper.push(value.plus(&one)?);
                }
                false => {
                    ends.lower.push(value.clone());
                    ends.upper.push(value);
                }
            }
        }
        Formula::Divides(d, ..) => *period = lcm(*period, *d)?,
        _ => {}
    }
    Some(())
}

/// The formula for very small values of the name, or very large ones.
fn beyond(formula: &Formula, name: Name, downwards: bool) -> Formula {
    match formula {
        Formula::And(parts) => Formula::and(
            parts
                .iter()
                .map(|part| beyond(part, name, downwards))
                .collect(),
        ),
        Formula::Or(parts) => Formula::or(
            parts
                .iter()
                .map(|part| beyond(part, name, downwards))
                .collect(),
        ),
        Formula::Positive(t) if t.factor(name) != 0 => match (t.factor(name) > 0) != downwards {
            true => Formula::True,
            false => Formula::False,
        },
        Formula::Zero(t, is) if t.factor(name) != 0 => match is {
            true => Formula::False,
            false => Formula::True,
        },
        other => other.clone(),
    }
}
