//! Lambdas over sets that may be infinite: their images, the arguments that they map into a set, and their values; and
//! the first components of pairs that satisfy a formula.

use std::fmt;

use super::formulas::{Brute, Formula, Random, Set, Term, and};

/// `%x.(x : S | t)`
pub struct Lambda {
    name: usize,
    from: Set,
    term: Term,
}

/// A set that is made by a lambda or from pairs.
pub enum Made {
    /// `f[B]`
    Image(Lambda, Set),
    /// `f~[B]`
    Origin(Lambda, Set),
    /// `dom({x,y | x : S & y : B & P})`; the second set may be about `x`.
    First(usize, Set, Set, Formula),
}

/// `e : S & f(e) = t`, which always has a value.
pub struct Applied {
    function: Lambda,
    argument: Term,
    value: Term,
}

impl Lambda {
    fn random(random: &mut Random, names: usize) -> Lambda {
        Lambda {
            name: names + 1,
            from: Set::random(random, 1, names),
            term: Term::random(random, 2, names + 1),
        }
    }
}

impl Made {
    pub fn random(random: &mut Random, names: usize) -> Made {
        match random.below(3) {
            0 => Made::Image(Lambda::random(random, names), Set::random(random, 1, names)),
            1 => Made::Origin(Lambda::random(random, names), Set::random(random, 1, names)),
            _ => Made::First(
                names + 1,
                Set::random(random, 0, names),
                Set::random(random, 0, names + 1),
                Formula::random(random, 0, names + 2),
            ),
        }
    }

    pub fn member(&self, brute: &Brute, value: i64, names: &mut Vec<i64>) -> Option<bool> {
        match self {
            Made::Image(lambda, of) => brute.some(&lambda.from, names, &mut |brute, names| {
                // The set stands outside of the lambda.
                let argument = names.pop().unwrap_or_default();
                let inside = brute.member(argument, of, names);
                names.push(argument);
                and(inside, || Some(brute.term(&lambda.term, names) == value))
            }),
            Made::Origin(lambda, of) => {
                let inside = brute.member(value, &lambda.from, names);
                let image = brute.with(value, names, |names| brute.term(&lambda.term, names));
                and(inside, || brute.member(image, of, names))
            }
            Made::First(_, first, second, formula) => {
                let inside = brute.member(value, first, names);
                and(inside, || {
                    brute.with(value, names, |names| {
                        brute.some(second, names, &mut |brute, names| {
                            brute.truth(formula, names)
                        })
                    })
                })
            }
        }
    }

    /// Whether all elements are in the range that is looked at.
    pub fn is_within(&self, brute: &Brute, names: &[i64]) -> bool {
        match self {
            Made::Image(..) => false,
            Made::Origin(Lambda { from, .. }, _) | Made::First(_, from, ..) => {
                brute.is_within(from, names)
            }
        }
    }
}

impl Applied {
    pub fn random(random: &mut Random, names: usize) -> Applied {
        Applied {
            function: Lambda::random(random, names),
            argument: Term::random(random, 1, names),
            value: Term::random(random, 1, names),
        }
    }

    pub fn truth(&self, brute: &Brute, names: &mut Vec<i64>) -> Option<bool> {
        let argument = brute.term(&self.argument, names);
        let inside = brute.member(argument, &self.function.from, names);
        let wanted = brute.term(&self.value, names);
        let value = brute.with(argument, names, |names| {
            brute.term(&self.function.term, names)
        });
        and(inside, || Some(value == wanted))
    }
}

impl fmt::Display for Lambda {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Lambda { name, from, term } = self;
        write!(f, "%x{name}.(x{name}:{from}|{term})")
    }
}

impl fmt::Display for Made {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Made::Image(lambda, of) => write!(f, "({lambda})[{of}]"),
            Made::Origin(lambda, of) => write!(f, "({lambda})~[{of}]"),
            Made::First(x, first, second, formula) => {
                let y = x + 1;
                write!(
                    f,
                    "dom({{x{x},x{y}|x{x}:{first} & x{y}:{second} & {formula}}})"
                )
            }
        }
    }
}

impl fmt::Display for Applied {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Applied {
            function,
            argument,
            value,
        } = self;
        write!(
            f,
            "({argument} : {} & ({function})({argument}) = {value})",
            function.from
        )
    }
}
