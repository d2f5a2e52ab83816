//! Sums some of whose variables have no end.
//!
//! A bound beyond [`WIDE`] is no bound: it says nothing, so nothing follows from it. When all other terms have ends, so
//! gets the one that has none.
//! Invariant: a bound that is found here follows from the problem, not from where variables were cut.

use crate::flat::{Lit, Rel, Var, WIDE};
use crate::store::{Conflict, Store};

/// The least value of a sum, as far as its terms have one.
struct Least {
    sum: i128,
    /// How many terms have none.
    endless: usize,
}

fn end(store: &Store, c: i64, x: Var) -> Option<i128> {
    let bound = if c > 0 { store.lo(x) } else { store.hi(x) };
    (bound.abs() < WIDE).then(|| i128::from(c) * i128::from(bound))
}

fn least(store: &Store, terms: &[(i64, Var)], sign: i64) -> Least {
    let mut least = Least { sum: 0, endless: 0 };
    for (c, x) in terms {
        match end(store, c * sign, *x) {
            Some(value) => least.sum += value,
            None => least.endless += 1,
        }
    }
    least
}

/// `sign * terms <= bound` has no solution.
fn is_impossible(store: &Store, terms: &[(i64, Var)], bound: i64, sign: i64) -> bool {
    let least = least(store, terms, sign);
    least.endless == 0 && least.sum > i128::from(bound) * i128::from(sign)
}

/// `sign * terms <= sign * bound`
fn at_most(store: &mut Store, terms: &[(i64, Var)], bound: i64, sign: i64) -> Result<(), Conflict> {
    let least = least(store, terms, sign);
    for (c, x) in terms {
        let c = c * sign;
        let others = match end(store, c, *x) {
            Some(own) if least.endless == 0 => least.sum - own,
            None if least.endless == 1 => least.sum,
            _ => continue,
        };
        let room = i128::from(bound) * i128::from(sign) - others;
        let far = i128::from(2 * WIDE);
        let c = i128::from(c);
        if c > 0 {
            let most = room.div_euclid(c).clamp(-far, far);
            store.at_most(*x, most as i64)?;
        } else {
            let most = -room.div_euclid(-c);
            store.at_least(*x, most.clamp(-far, far) as i64)?;
        }
    }
    Ok(())
}

/// Half of a comparison of a sum with a number.
pub(super) fn propagate(
    store: &mut Store,
    half: Lit,
    terms: &[(i64, Var)],
    rel: Rel,
    bound: i64,
) -> Result<(), Conflict> {
    let is_impossible = is_impossible(store, terms, bound, 1)
        || rel == Rel::Eq && is_impossible(store, terms, bound, -1);
    if is_impossible {
        return store.set(!half);
    }
    if store.truth(half) == Some(true) {
        at_most(store, terms, bound, 1)?;
        if rel == Rel::Eq {
            at_most(store, terms, bound, -1)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use base::Random;

    use crate::flat::{Con, Lit, Problem, Rel, Var, WIDE};
    use crate::propagate::Engine;

    fn between(random: &mut Random, lo: i64, hi: i64) -> i64 {
        lo + random.below((hi - lo + 1) as usize) as i64
    }

    fn random_problem(random: &mut Random) -> Problem {
        let mut problem = Problem::default();
        problem.wide = true;
        for (lo, hi) in [(-WIDE, WIDE), (0, WIDE), (-2, 2), (0, 3)] {
            problem.var(lo, hi);
        }
        for _ in 0..between(random, 1, 4) {
            let terms = (0..4 as Var).map(|x| (between(random, -2, 2), x));
            let terms: Vec<(i64, Var)> = terms.filter(|(c, _)| *c != 0).collect();
            let rel = [Rel::Le, Rel::Eq, Rel::Ne][between(random, 0, 2) as usize];
            problem.constraints.push(Con::Linear {
                half: Lit::True,
                terms,
                rel,
                bound: between(random, -4, 4),
            });
        }
        let [z, x, y] = [0; 3].map(|_| between(random, 0, 3) as Var);
        problem.constraints.push(Con::Times(z, x, y));
        problem
    }

    fn holds(con: &Con, values: &[i64]) -> bool {
        let at = |x: &Var| values[*x as usize];
        match con {
            Con::Linear {
                terms, rel, bound, ..
            } => {
                let sum: i64 = terms.iter().map(|(c, x)| c * at(x)).sum();
                match rel {
                    Rel::Le => sum <= *bound,
                    Rel::Eq => sum == *bound,
                    Rel::Ne => sum != *bound,
                }
            }
            Con::Times(z, x, y) => at(z) == at(x) * at(y),
            _ => true,
        }
    }

    #[test]
    fn no_solution_is_lost_where_integers_have_no_bounds() {
        let seed = 215;
        let mut random = Random::new(seed);
        for case in 0..800 {
            let problem = random_problem(&mut random);
            let mut engine = Engine::new(&problem);
            let is_possible = engine.propagate(&mut |_, _| true).is_ok();
            if engine.store.is_beyond {
                continue;
            }
            for a in -9..=9 {
                for b in 0..=9 {
                    for c in -2..=2 {
                        for d in 0..=3 {
                            let values = [a, b, c, d];
                            if !problem.constraints.iter().all(|con| holds(con, &values)) {
                                continue;
                            }
                            assert!(is_possible, "case {case} of seed {seed}: {values:?}");
                            for (x, value) in values.iter().enumerate() {
                                let kept = engine.store.contains(x as Var, *value);
                                assert!(kept, "case {case} of seed {seed}: {values:?}");
                            }
                        }
                    }
                }
            }
        }
    }
}
