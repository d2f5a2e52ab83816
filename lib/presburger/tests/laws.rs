//! Decisions beside brute force over a range that is large enough for small factors.

use presburger::{Formula, Linear};

struct Random(u64);

impl Random {
    fn below(&mut self, most: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 20) % most
    }

    fn from(&mut self, low: i128, high: i128) -> i128 {
        low + i128::from(self.below((high - low + 1) as u64))
    }
}

/// A formula of our own, for brute force.
#[derive(Debug)]
enum Say {
    Less(Vec<i128>, i128),
    Equal(Vec<i128>, i128),
    Divides(i128, Vec<i128>, i128),
    Not(Box<Say>),
    And(Box<Say>, Box<Say>),
    Or(Box<Say>, Box<Say>),
}

fn random(random_: &mut Random, names: usize, depth: u32) -> Say {
    let terms = |random: &mut Random| (0..names).map(|_| random.from(-2, 2)).collect::<Vec<_>>();
    if depth == 0 || random_.below(4) == 0 {
        let list = terms(random_);
        let constant = random_.from(-5, 5);
        return match random_.below(3) {
            0 => Say::Less(list, constant),
            1 => Say::Equal(list, constant),
            _ => Say::Divides(random_.from(2, 4), list, constant),
        };
    }
    let mut part = || Box::new(random(random_, names, depth - 1));
    let (a, b) = (part(), part());
    match random_.below(5) {
        0 => Say::Not(a),
        1 | 2 => Say::And(a, b),
        _ => Say::Or(a, b),
    }
}

fn sum(terms: &[i128], constant: i128, values: &[i128]) -> i128 {
    terms.iter().zip(values).map(|(f, x)| f * x).sum::<i128>() + constant
}

fn truth(say: &Say, values: &[i128]) -> bool {
    match say {
        Say::Less(terms, c) => 0 < sum(terms, *c, values),
        Say::Equal(terms, c) => sum(terms, *c, values) == 0,
        Say::Divides(d, terms, c) => sum(terms, *c, values) % d == 0,
        Say::Not(a) => !truth(a, values),
        Say::And(a, b) => truth(a, values) && truth(b, values),
        Say::Or(a, b) => truth(a, values) || truth(b, values),
    }
}

fn formula(say: &Say) -> Formula {
    let linear = |terms: &[i128], constant: i128| {
        terms
            .iter()
            .enumerate()
            .fold(Linear::number(constant), |sum, (name, f)| {
                sum.plus(&Linear::name(name as u32).times(*f).unwrap())
                    .unwrap()
            })
    };
    match say {
        Say::Less(terms, c) => Formula::less(&Linear::number(0), &linear(terms, *c)).unwrap(),
        Say::Equal(terms, c) => Formula::equal(&linear(terms, *c), &Linear::number(0)).unwrap(),
        Say::Divides(d, terms, c) => Formula::divides(*d, &linear(terms, *c)),
        Say::Not(a) => formula(a).negated(),
        Say::And(a, b) => Formula::and(vec![formula(a), formula(b)]),
        Say::Or(a, b) => Formula::or(vec![formula(a), formula(b)]),
    }
}

/// The truth of `Q1 x0. … Qn xn. P` with every name in a range.
fn brute(say: &Say, forall: &[bool], values: &mut Vec<i128>, range: i128) -> bool {
    let at = values.len();
    if at == forall.len() {
        return truth(say, values);
    }
    let range_ = -range..=range;
    let mut test = |value| {
        values.push(value);
        let truth = brute(say, forall, values, range);
        values.pop();
        truth
    };
    match forall[at] {
        true => range_.into_iter().all(&mut test),
        false => range_.into_iter().any(&mut test),
    }
}

#[test]
fn what_is_decided_is_what_brute_force_finds_within_its_range() {
    let mut decided = 0;
    for seed in 1..=4000_u64 {
        let mut numbers = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        let say = random(&mut numbers, 2, 3);
        let forall: Vec<bool> = (0..2).map(|_| numbers.below(2) == 0).collect();
        let mut whole = formula(&say);
        for (name, forall) in forall.iter().enumerate().rev() {
            whole = match forall {
                true => Formula::forall(&[name as u32], whole),
                false => Formula::exists(&[name as u32], whole),
            };
        }
        let Some(answer) = whole.decide(&mut 200_000) else {
            continue;
        };
        decided += 1;
        // One kind of quantifier: a witness or counterexample in the range is one. Mixed ones: the inner name ranges over
        // more than the outer one needs.
        let is = match (forall[0], forall[1]) {
            (true, true) | (false, false) => brute(&say, &forall, &mut Vec::new(), 40),
            _ => {
                let outer = -30..=30_i128;
                let inner = |x: i128| {
                    let mut range = -130..=130_i128;
                    match forall[1] {
                        true => range.all(|y| truth(&say, &[x, y])),
                        false => range.any(|y| truth(&say, &[x, y])),
                    }
                };
                match forall[0] {
                    true => outer.into_iter().all(inner),
                    false => outer.into_iter().any(inner),
                }
            }
        };
        assert_eq!(answer, is, "seed {seed}: {forall:?} {say:?}");
    }
    assert!(decided > 3800, "{decided} are decided");
}

#[test]
fn sums_of_two_names_are_all_numbers() {
    let (x, y, r) = (Linear::name(0), Linear::name(1), Linear::name(2));
    let sum = Formula::equal(&r, &x.plus(&y).unwrap()).unwrap();
    let whole = Formula::forall(&[2], Formula::exists(&[0, 1], sum));
    assert_eq!(whole.decide(&mut 1000), Some(true));
}

#[test]
fn work_has_an_end() {
    let (x, y) = (Linear::name(0), Linear::name(1));
    let by = |d: i128| Formula::divides(d, &x.plus(&y.times(3).unwrap()).unwrap());
    let whole = Formula::forall(
        &[0],
        Formula::exists(&[1], Formula::and([7, 11, 13, 17, 19, 23].map(by).to_vec())),
    );
    assert_eq!(whole.decide(&mut 50), None);
}
