//! Random quantifiers over strings, reals, lists of a free type, functions and sequences, with their text and their truth.
//!
//! Their atoms are so simple that finitely many values stand for all: strings and lists that are named and one that is not,
//! reals at and between the numbers that are named, functions by their values at the arguments that are named. Only lengths
//! of sequences and sums of functions into all numbers are looked at up to a bound, which leaves some questions open.

use std::fmt;

use super::formulas::{Brute, Formula, Random, and, not};

/// A quantifier over another sort than integers.
pub struct Other {
    sort: Sort,
    for_all: bool,
    body: Body,
}

#[derive(Clone, Copy, PartialEq)]
enum Sort {
    Text,
    Real,
    List,
    /// `NATURAL --> 0..1`
    Bits,
    /// `NATURAL +-> 0..1`
    Part,
    /// `0..1 --> NATURAL`
    Pair,
    /// `seq(0..1)`
    Row,
}

/// What is said of the bound value.
enum Body {
    /// An atom of the sort; its parts are numbers.
    Atom(u64, i64, i64),
    /// Something about integers alone.
    About(Box<Formula>),
    Not(Box<Body>),
    And(Box<Body>, Box<Body>),
    Or(Box<Body>, Box<Body>),
}

/// A value of a sort that stands for others like it.
#[derive(Clone)]
enum Sample {
    /// The number of a named string; others are alike.
    Text(i64),
    /// In quarters.
    Real(i64),
    /// The numbers of a list from its head on.
    List(Vec<i64>),
    /// Values at 0, 1, …; a negative one where there is none.
    Values(Vec<i64>),
}

/// Arguments of functions that are named.
const ARGUMENTS: usize = 4;

impl Other {
    pub fn random(random: &mut Random, names: usize) -> Other {
        let sorts = [
            Sort::Text,
            Sort::Real,
            Sort::List,
            Sort::Bits,
            Sort::Part,
            Sort::Pair,
            Sort::Row,
        ];
        Other {
            sort: sorts[random.below(sorts.len() as u64) as usize],
            for_all: random.below(2) == 0,
            body: Body::random(random, 2, names),
        }
    }

    pub fn truth(&self, brute: &Brute, names: &mut Vec<i64>) -> Option<bool> {
        // For all of them it holds where for none of them it does not.
        let mut some = self.sort.is_whole().then_some(false);
        for sample in self.sort.samples() {
            let truth = self.body.truth(self.sort, &sample, brute, names);
            let hit = if self.for_all { not(truth) } else { truth };
            match hit {
                Some(true) => return Some(!self.for_all),
                Some(false) => {}
                None => some = None,
            }
        }
        if self.for_all { not(some) } else { some }
    }
}

impl Body {
    fn random(random: &mut Random, depth: u32, names: usize) -> Body {
        let part = |random: &mut Random| Box::new(Body::random(random, depth - 1, names));
        match random.below(if depth == 0 { 5 } else { 10 }) {
            0 => Body::About(Box::new(Formula::random(random, 0, names))),
            1..=4 => Body::Atom(random.below(3), random.from(0, 3), random.from(0, 9)),
            5 | 6 => Body::And(part(random), part(random)),
            7 | 8 => Body::Or(part(random), part(random)),
            _ => Body::Not(part(random)),
        }
    }

    fn truth(
        &self,
        sort: Sort,
        sample: &Sample,
        brute: &Brute,
        names: &mut Vec<i64>,
    ) -> Option<bool> {
        match self {
            Body::Atom(kind, a, b) => Some(sort.atom(*kind, *a, *b, sample)),
            Body::About(formula) => brute.truth(formula, names),
            Body::Not(body) => not(body.truth(sort, sample, brute, names)),
            Body::And(p, q) => {
                let first = p.truth(sort, sample, brute, names);
                and(first, || q.truth(sort, sample, brute, names))
            }
            Body::Or(p, q) => {
                let first = not(p.truth(sort, sample, brute, names));
                not(and(first, || not(q.truth(sort, sample, brute, names))))
            }
        }
    }
}

impl Sort {
    /// Whether the samples stand for all values.
    fn is_whole(self) -> bool {
        !matches!(self, Sort::Pair | Sort::Row)
    }

    fn samples(self) -> Vec<Sample> {
        let tuples = |length: usize, low: i64, high: i64| {
            let mut all = vec![Vec::new()];
            for _ in 0..length {
                all = all
                    .iter()
                    .flat_map(|front: &Vec<i64>| {
                        (low..=high).map(move |last| [front.as_slice(), &[last]].concat())
                    })
                    .collect();
            }
            all.into_iter().map(Sample::Values).collect::<Vec<Sample>>()
        };
        match self {
            Sort::Text => (0..=4).map(Sample::Text).collect(),
            // What is named are halves: between two of them lies an odd number of quarters.
            Sort::Real => (-50..=50).map(Sample::Real).collect(),
            Sort::List => {
                let numbers = || -1..=9;
                let one = numbers().map(|head| vec![head]);
                let two = numbers().flat_map(|head| numbers().map(move |next| vec![head, next]));
                let all = std::iter::once(Vec::new()).chain(one).chain(two);
                all.map(Sample::List).collect()
            }
            Sort::Bits => tuples(ARGUMENTS, 0, 1),
            Sort::Part => tuples(ARGUMENTS, -1, 1),
            Sort::Pair => tuples(2, 0, 25),
            Sort::Row => (0..=6).flat_map(|length| tuples(length, 0, 1)).collect(),
        }
    }

    fn atom(self, kind: u64, a: i64, b: i64, sample: &Sample) -> bool {
        match (self, sample) {
            (_, Sample::Text(text)) => match kind {
                0 => *text == a,
                1 => *text == a || *text == b % 4,
                _ => *text != b % 4,
            },
            (_, Sample::Real(quarters)) => match kind {
                0 => *quarters < 4 * b,
                1 => 2 * quarters > 4 * a,
                _ => *quarters == 4 * b,
            },
            (_, Sample::List(list)) => match kind {
                0 => list.is_empty(),
                1 => *list == [a],
                _ => *list == [a, b],
            },
            (Sort::Bits, Sample::Values(values)) => match kind {
                0 => values[a as usize] == b % 2,
                1 => values[a as usize] < values[(b % 4) as usize],
                _ => values[a as usize] > 0,
            },
            (Sort::Part, Sample::Values(values)) => match kind {
                0 => values[a as usize] >= 0,
                1 => values[a as usize] == b % 2,
                _ => values[(b % 4) as usize] < 0,
            },
            (Sort::Pair, Sample::Values(values)) => match kind {
                0 => values[0] + values[1] == 2 * b,
                1 => values[0] < a,
                _ => values[1] == values[0] + b,
            },
            (_, Sample::Values(values)) => match kind {
                0 => values.len() as i64 == b,
                1 => (values.len() as i64) < a + 4,
                _ => values.contains(&(b % 2)),
            },
        }
    }

    /// The name of what is bound.
    fn name(self) -> &'static str {
        match self {
            Sort::Text => "st",
            Sort::Real => "re",
            Sort::List => "li",
            Sort::Bits | Sort::Part | Sort::Pair => "fu",
            Sort::Row => "sq",
        }
    }

    fn set(self) -> &'static str {
        match self {
            Sort::Text => "STRING",
            Sort::Real => "REAL",
            Sort::List => "List",
            Sort::Bits => "NATURAL --> 0..1",
            Sort::Part => "NATURAL +-> 0..1",
            Sort::Pair => "0..1 --> NATURAL",
            Sort::Row => "seq(0..1)",
        }
    }

    fn text(self, kind: u64, a: i64, b: i64) -> String {
        let (bit, other) = (b % 2, b % 4);
        match (self, kind) {
            (Sort::Text, 0) => format!("st = \"t{a}\""),
            (Sort::Text, 1) => format!("st : {{\"t{a}\",\"t{other}\"}}"),
            (Sort::Text, _) => format!("st /= \"t{other}\""),
            (Sort::Real, 0) => format!("re < {b}.0"),
            (Sort::Real, 1) => format!("re+re > {a}.0"),
            (Sort::Real, _) => format!("re = {b}.0"),
            (Sort::List, 0) => "li = nil".to_owned(),
            (Sort::List, 1) => format!("li = cons({a}|->nil)"),
            (Sort::List, _) => format!("li = cons({a}|->cons({b}|->nil))"),
            (Sort::Bits, 0) => format!("fu({a}) = {bit}"),
            (Sort::Bits, 1) => format!("fu({a}) < fu({other})"),
            (Sort::Bits, _) => format!("fu({a}) > 0"),
            (Sort::Part, 0) => format!("{a} : dom(fu)"),
            (Sort::Part, 1) => format!("({a}|->{bit}) : fu"),
            (Sort::Part, _) => format!("{other} /: dom(fu)"),
            (Sort::Pair, 0) => format!("fu(0)+fu(1) = {}", 2 * b),
            (Sort::Pair, 1) => format!("fu(0) < {a}"),
            (Sort::Pair, _) => format!("fu(1) = fu(0)+{b}"),
            (Sort::Row, 0) => format!("size(sq) = {b}"),
            (Sort::Row, 1) => format!("size(sq) < {}", a + 4),
            (Sort::Row, _) => format!("{bit} : ran(sq)"),
        }
    }
}

impl fmt::Display for Other {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, set) = (self.sort.name(), self.sort.set());
        let body = Shown(&self.body, self.sort);
        match self.for_all {
            true => write!(f, "!{name}.({name} : {set} => {body})"),
            false => write!(f, "#{name}.({name} : {set} & {body})"),
        }
    }
}

struct Shown<'b>(&'b Body, Sort);

impl fmt::Display for Shown<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Shown(body, sort) = self;
        let shown = |body| Shown(body, *sort);
        match body {
            Body::Atom(kind, a, b) => write!(f, "({})", sort.text(*kind, *a, *b)),
            Body::About(formula) => write!(f, "{formula}"),
            Body::Not(p) => write!(f, "not({})", shown(p)),
            Body::And(p, q) => write!(f, "({} & {})", shown(p), shown(q)),
            Body::Or(p, q) => write!(f, "({} or {})", shown(p), shown(q)),
        }
    }
}
