//! Random formulas over integers with their text, and their truth by brute force with three values.

use std::cell::Cell;
use std::fmt;

use super::counts::Count;
use super::lambdas::{Applied, Made};
use super::sorts::Other;

/// A small generator of numbers: xorshift, so that a seed always makes the same formulas.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1)
    }

    pub fn below(&mut self, most: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 20) % most
    }

    pub fn from(&mut self, low: i64, high: i64) -> i64 {
        low + self.below((high - low + 1) as u64) as i64
    }
}

/// An integer; names are numbered from the outermost binder on.
pub enum Term {
    Literal(i64),
    Variable,
    Name(usize),
    Add(Box<Term>, Box<Term>),
    Minus(Box<Term>, Box<Term>),
    Times(i64, Box<Term>),
    Square(Box<Term>),
    /// The square modulo a positive number, which is always defined.
    Modulo(Box<Term>, i64),
}

/// A set of integers.
pub enum Set {
    Naturals,
    Integers,
    From1,
    Interval(i64, i64),
    Listed(Vec<Term>),
    /// `{x | x : S & P}`
    Filtered(usize, Box<Set>, Box<Formula>),
    /// `ran(%x.(x : S | e))`
    Range(usize, Box<Set>, Box<Term>),
    /// `UNION(x).(x : S | {e, f})`
    Gathered(usize, Box<Set>, Vec<Term>),
    /// `{x | #b.(b : Box & b = box(x) & x : S)}`, through a free type.
    Boxed(usize, Box<Set>),
    Union(Box<Set>, Box<Set>),
    Intersection(Box<Set>, Box<Set>),
    Minus(Box<Set>, Box<Set>),
    /// By a lambda, or from pairs.
    Made(Box<Made>),
}

/// A predicate.
pub enum Formula {
    Less(Term, Term),
    Equal(Term, Term),
    Member(Term, Set),
    Subset(Set, Set),
    Same(Set, Set),
    /// `S : FIN(INTEGER)`
    Finite(Set),
    Not(Box<Formula>),
    And(Box<Formula>, Box<Formula>),
    Or(Box<Formula>, Box<Formula>),
    Implies(Box<Formula>, Box<Formula>),
    Exists(usize, Set, Box<Formula>),
    Forall(usize, Set, Box<Formula>),
    /// About a value of another sort.
    Other(Box<Other>),
    /// About a number of a set.
    Count(Box<Count>),
    /// About the value of a lambda.
    Applied(Box<Applied>),
}

impl Term {
    pub fn random(random: &mut Random, depth: u32, names: usize) -> Term {
        if depth == 0 || random.below(3) == 0 {
            return match random.below(4) {
                0 => Term::Literal(random.from(-3, 20)),
                1 => Term::Variable,
                _ if names > 0 => Term::Name(1 + random.below(names as u64) as usize),
                _ => Term::Literal(random.from(0, 9)),
            };
        }
        let part = |random: &mut Random| Box::new(Term::random(random, depth - 1, names));
        match random.below(6) {
            0 | 1 => Term::Add(part(random), part(random)),
            2 => Term::Minus(part(random), part(random)),
            3 => Term::Times(random.from(-3, 5), part(random)),
            4 => Term::Square(part(random)),
            _ => Term::Modulo(part(random), random.from(2, 7)),
        }
    }
}

impl Set {
    pub fn random(random: &mut Random, depth: u32, names: usize) -> Set {
        if depth == 0 || random.below(3) == 0 {
            return match random.below(6) {
                0 | 1 => Set::Naturals,
                2 => Set::Integers,
                3 => Set::From1,
                4 => Set::Interval(random.from(-2, 2), random.from(0, 9)),
                _ => Set::Listed((0..2).map(|_| Term::random(random, 1, names)).collect()),
            };
        }
        let part = |random: &mut Random| Box::new(Set::random(random, depth - 1, names));
        let name = names + 1;
        match random.below(10) {
            8 | 9 => Set::Made(Box::new(Made::random(random, names))),
            7 => Set::Boxed(name, part(random)),
            0 | 1 => {
                let formula = Formula::random(random, depth - 1, name);
                Set::Filtered(name, part(random), Box::new(formula))
            }
            2 => Set::Range(name, part(random), Box::new(Term::random(random, 2, name))),
            3 => {
                let terms = (0..random.from(1, 2)).map(|_| Term::random(random, 1, name));
                let terms = terms.collect();
                Set::Gathered(name, part(random), terms)
            }
            4 => Set::Union(part(random), part(random)),
            5 => Set::Intersection(part(random), part(random)),
            _ => Set::Minus(part(random), part(random)),
        }
    }
}

impl Formula {
    pub fn random(random: &mut Random, depth: u32, names: usize) -> Formula {
        if depth == 0 {
            let (a, b) = (
                Term::random(random, 2, names),
                Term::random(random, 2, names),
            );
            return match random.below(2) {
                0 => Formula::Less(a, b),
                _ => Formula::Equal(a, b),
            };
        }
        let part = |random: &mut Random| Box::new(Formula::random(random, depth - 1, names));
        let bound = |random: &mut Random| Box::new(Formula::random(random, depth - 1, names + 1));
        match random.below(19) {
            18 => Formula::Applied(Box::new(Applied::random(random, names))),
            15 | 16 => Formula::Other(Box::new(Other::random(random, names))),
            17 => Formula::Count(Box::new(Count::random(random, names))),
            14 => Formula::Finite(Set::random(random, depth.min(2), names)),
            0 => Formula::random(random, 0, names),
            1 | 2 => Formula::Member(
                Term::random(random, 2, names),
                Set::random(random, depth.min(2), names),
            ),
            3 => Formula::Subset(Set::random(random, 1, names), Set::random(random, 1, names)),
            4 => Formula::Same(Set::random(random, 1, names), Set::random(random, 1, names)),
            5 => Formula::Not(part(random)),
            6 => Formula::And(part(random), part(random)),
            7 => Formula::Or(part(random), part(random)),
            8 => Formula::Implies(part(random), part(random)),
            9..=11 => Formula::Exists(names + 1, Set::random(random, 1, names), bound(random)),
            _ => Formula::Forall(names + 1, Set::random(random, 1, names), bound(random)),
        }
    }
}

impl fmt::Display for Term {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Term::Literal(value) => write!(f, "({value})"),
            Term::Variable => write!(f, "n"),
            Term::Name(name) => write!(f, "x{name}"),
            Term::Add(a, b) => write!(f, "({a}+{b})"),
            Term::Minus(a, b) => write!(f, "({a}-{b})"),
            Term::Times(factor, a) => write!(f, "(({factor})*{a})"),
            Term::Square(a) => write!(f, "({a}*{a})"),
            Term::Modulo(a, by) => write!(f, "(({a}*{a}) mod {by})"),
        }
    }
}

struct Listing<'l>(&'l [Term]);

impl fmt::Display for Listing<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let terms: Vec<String> = self.0.iter().map(Term::to_string).collect();
        write!(f, "{{{}}}", terms.join(","))
    }
}

impl fmt::Display for Set {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Set::Naturals => write!(f, "NATURAL"),
            Set::Integers => write!(f, "INTEGER"),
            Set::From1 => write!(f, "NATURAL1"),
            Set::Interval(low, high) => write!(f, "(({low})..({high}))"),
            Set::Listed(terms) => write!(f, "{}", Listing(terms)),
            Set::Filtered(x, set, formula) => write!(f, "{{x{x}|x{x}:{set} & {formula}}}"),
            Set::Range(x, set, term) => write!(f, "ran(%x{x}.(x{x}:{set}|{term}))"),
            Set::Gathered(x, set, terms) => {
                write!(f, "UNION(x{x}).(x{x}:{set}|{})", Listing(terms))
            }
            Set::Boxed(x, set) => write!(
                f,
                "{{x{x}|x{x}:INTEGER & #b{x}.(b{x}:Box & b{x}=box(x{x}) & x{x}:{set})}}"
            ),
            Set::Union(a, b) => write!(f, "({a} \\/ {b})"),
            Set::Intersection(a, b) => write!(f, "({a} /\\ {b})"),
            Set::Minus(a, b) => write!(f, "({a} - {b})"),
            Set::Made(made) => write!(f, "{made}"),
        }
    }
}

impl fmt::Display for Formula {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Formula::Less(a, b) => write!(f, "({a} < {b})"),
            Formula::Equal(a, b) => write!(f, "({a} = {b})"),
            Formula::Member(a, set) => write!(f, "({a} : {set})"),
            Formula::Subset(a, b) => write!(f, "({a} <: {b})"),
            Formula::Same(a, b) => write!(f, "({a} = {b})"),
            Formula::Finite(a) => write!(f, "({a} : FIN(INTEGER))"),
            Formula::Not(a) => write!(f, "not({a})"),
            Formula::And(a, b) => write!(f, "({a} & {b})"),
            Formula::Or(a, b) => write!(f, "({a} or {b})"),
            Formula::Implies(a, b) => write!(f, "({a} => {b})"),
            Formula::Exists(x, set, a) => write!(f, "#x{x}.(x{x}:{set} & {a})"),
            Formula::Forall(x, set, a) => write!(f, "!x{x}.(x{x}:{set} => {a})"),
            Formula::Other(other) => write!(f, "{other}"),
            Formula::Count(count) => write!(f, "{count}"),
            Formula::Applied(applied) => write!(f, "{applied}"),
        }
    }
}

/// Truth by looking at the integers of a range; what none of them decides has no answer.
pub struct Brute {
    variable: i64,
    /// How many more candidates are looked at before everything else has no answer.
    fuel: Cell<u32>,
}

/// Ranges within ranges within ranges: some machines would take minutes.
const FUEL: u32 = 1_000_000;

/// Far more than MININT..MAXINT, which is -1..3.
const RANGE: std::ops::RangeInclusive<i64> = -25..=40;

impl Brute {
    pub fn new(variable: i64) -> Brute {
        Brute {
            variable,
            fuel: Cell::new(FUEL),
        }
    }

    /// The integers that are looked at.
    pub fn range() -> std::ops::RangeInclusive<i64> {
        RANGE
    }

    pub fn term(&self, term: &Term, names: &[i64]) -> i64 {
        match term {
            Term::Literal(value) => *value,
            Term::Variable => self.variable,
            Term::Name(name) => names[name - 1],
            Term::Add(a, b) => self.term(a, names) + self.term(b, names),
            Term::Minus(a, b) => self.term(a, names) - self.term(b, names),
            Term::Times(factor, a) => factor * self.term(a, names),
            Term::Square(a) => self.term(a, names).pow(2),
            Term::Modulo(a, by) => self.term(a, names).pow(2) % by,
        }
    }

    /// Whether an integer is in a set.
    pub fn member(&self, value: i64, set: &Set, names: &mut Vec<i64>) -> Option<bool> {
        match set {
            Set::Naturals => Some(value >= 0),
            Set::Integers => Some(true),
            Set::From1 => Some(value >= 1),
            Set::Interval(low, high) => Some(*low <= value && value <= *high),
            Set::Listed(terms) => Some(terms.iter().any(|term| self.term(term, names) == value)),
            Set::Filtered(_, from, formula) => {
                let inside = self.member(value, from, names);
                and(inside, || {
                    self.with(value, names, |names| self.truth(formula, names))
                })
            }
            Set::Range(_, from, term) => self.some(from, names, &mut |brute, names| {
                Some(brute.term(term, names) == value)
            }),
            Set::Gathered(_, from, terms) => self.some(from, names, &mut |brute, names| {
                Some(terms.iter().any(|term| brute.term(term, names) == value))
            }),
            Set::Boxed(_, from) => self.member(value, from, names),
            Set::Union(a, b) => {
                let inside = self.member(value, a, names);
                not(and(not(inside), || not(self.member(value, b, names))))
            }
            Set::Intersection(a, b) => {
                let inside = self.member(value, a, names);
                and(inside, || self.member(value, b, names))
            }
            Set::Minus(a, b) => {
                let inside = self.member(value, a, names);
                and(inside, || not(self.member(value, b, names)))
            }
            Set::Made(made) => made.member(self, value, names),
        }
    }

    pub fn with<T>(
        &self,
        value: i64,
        names: &mut Vec<i64>,
        body: impl FnOnce(&mut Vec<i64>) -> T,
    ) -> T {
        names.push(value);
        let result = body(names);
        names.pop();
        result
    }

    /// Whether all elements are in the range that is looked at.
    pub fn is_within(&self, set: &Set, names: &[i64]) -> bool {
        match set {
            Set::Naturals | Set::Integers | Set::From1 => false,
            Set::Interval(..) => true,
            Set::Listed(terms) => terms
                .iter()
                .all(|term| RANGE.contains(&self.term(term, names))),
            Set::Filtered(_, from, _) => self.is_within(from, names),
            Set::Boxed(_, from) => self.is_within(from, names),
            Set::Range(..) | Set::Gathered(..) => false,
            Set::Union(a, b) => self.is_within(a, names) && self.is_within(b, names),
            Set::Intersection(a, b) => self.is_within(a, names) || self.is_within(b, names),
            Set::Minus(a, _) => self.is_within(a, names),
            Set::Made(made) => made.is_within(self, names),
        }
    }

    /// Whether some element of a set passes a test.
    pub fn some(
        &self,
        set: &Set,
        names: &mut Vec<i64>,
        test: &mut dyn FnMut(&Brute, &mut Vec<i64>) -> Option<bool>,
    ) -> Option<bool> {
        let mut found = self.is_within(set, names).then_some(false);
        for value in RANGE {
            self.fuel.set(self.fuel.get().checked_sub(1)?);
            let inside = self.member(value, set, names);
            let passes = and(inside, || {
                self.with(value, names, |names| test(self, names))
            });
            match passes {
                Some(true) => return Some(true),
                Some(false) => {}
                None => found = None,
            }
        }
        found
    }

    /// Whether every element of a set is in another one.
    fn subset(&self, a: &Set, b: &Set, names: &mut Vec<i64>) -> Option<bool> {
        not(self.some(a, names, &mut |brute, names| {
            let value = names.pop().unwrap_or_default();
            let outside = not(brute.member(value, b, names));
            names.push(value);
            outside
        }))
    }

    /// The truth of a formula, as far as the range decides it.
    pub fn truth(&self, formula: &Formula, names: &mut Vec<i64>) -> Option<bool> {
        match formula {
            Formula::Less(a, b) => Some(self.term(a, names) < self.term(b, names)),
            Formula::Equal(a, b) => Some(self.term(a, names) == self.term(b, names)),
            Formula::Member(a, set) => self.member(self.term(a, names), set, names),
            Formula::Subset(a, b) => self.subset(a, b, names),
            Formula::Same(a, b) => {
                let first = self.subset(a, b, names);
                and(first, || self.subset(b, a, names))
            }
            Formula::Other(other) => other.truth(self, names),
            Formula::Count(count) => count.truth(self, names),
            Formula::Applied(applied) => applied.truth(self, names),
            Formula::Finite(a) => is_finite(a),
            Formula::Not(a) => not(self.truth(a, names)),
            Formula::And(a, b) => {
                let first = self.truth(a, names);
                and(first, || self.truth(b, names))
            }
            Formula::Or(a, b) => {
                let first = not(self.truth(a, names));
                not(and(first, || not(self.truth(b, names))))
            }
            Formula::Implies(a, b) => {
                let first = self.truth(a, names);
                not(and(first, || not(self.truth(b, names))))
            }
            Formula::Exists(_, set, a) => {
                self.some(set, names, &mut |brute, names| brute.truth(a, names))
            }
            Formula::Forall(_, set, a) => {
                not(self.some(set, names, &mut |brute, names| not(brute.truth(a, names))))
            }
        }
    }
}

/// Whether a set is finite, as far as its form says so.
pub fn is_finite(set: &Set) -> Option<bool> {
    match set {
        Set::Naturals | Set::Integers | Set::From1 => Some(false),
        Set::Interval(..) | Set::Listed(_) => Some(true),
        Set::Filtered(_, from, _) | Set::Range(_, from, _) | Set::Gathered(_, from, _) => {
            is_finite(from).filter(|finite| *finite)
        }
        Set::Boxed(_, from) => is_finite(from),
        // A finite set of arguments has finitely many values; more is not told by the form.
        Set::Made(_) => None,
        Set::Union(a, b) => and(is_finite(a), || is_finite(b)),
        Set::Intersection(a, b) => {
            not(and(not(is_finite(a)), || not(is_finite(b)))).filter(|finite| *finite)
        }
        Set::Minus(a, b) => match (is_finite(a), is_finite(b)) {
            (Some(true), _) => Some(true),
            (Some(false), Some(true)) => Some(false),
            _ => None,
        },
    }
}

pub fn not(a: Option<bool>) -> Option<bool> {
    a.map(|a| !a)
}

pub fn and(a: Option<bool>, b: impl FnOnce() -> Option<bool>) -> Option<bool> {
    match a {
        Some(true) => b(),
        Some(false) => Some(false),
        None => match b() {
            Some(false) => Some(false),
            _ => None,
        },
    }
}
