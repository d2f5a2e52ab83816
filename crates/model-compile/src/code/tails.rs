//! Where a formula about one integer says nothing new any more: beyond some number its truth repeats.
//!
//! Technique: terms built from the name, known numbers, `+ - *`, powers, `/` and `mod` by known numbers are, far enough from
//! zero, polynomials plus something periodic. Beyond the roots of its polynomial (Cauchy's bound) a comparison of such terms
//! has one truth, or, where the polynomial is constant, a periodic one. So a quantifier over all integers is decided by
//! those up to the bound and one period behind it on either side: it is true of all or of none of the others alike.
//! Paper: Cooper, Theorem proving in arithmetic without multiplication (1972), for the periods; one name only.
//! Invariant: the truth is asked of the formula's own code; what is derived here is only how far to look.

use lang_math::{Binder, Op};
use model::{ExprId, Kind, LocalId};
use num_traits::ToPrimitive as _;

use super::Compiler;
use crate::cx::{Cx, F};
use crate::rep::Rep;
use crate::value::{Row, V};

/// Powers of the name above this are not looked at.
const MAX_DEGREE: usize = 8;

/// A term about the name.
enum Term {
    Name,
    Known(F<V>),
    Negate(Box<Term>),
    Add(Box<Term>, Box<Term>),
    Minus(Box<Term>, Box<Term>),
    Times(Box<Term>, Box<Term>),
    Quotient(Box<Term>, F<V>),
    Rest(Box<Term>, F<V>),
}

/// A part of the formula whose truth depends on the name.
enum Atom {
    /// Two terms are compared.
    Compare(Term, Term),
    /// A tuple of terms and known values is in a known set.
    Member(Vec<Term>, F<V>),
}

/// How a formula depends on the name.
pub(super) struct Tails(Vec<Atom>);

/// Beyond `turn` on either side the truth repeats after `period` numbers.
pub(super) struct Reach {
    pub turn: i64,
    pub period: i64,
}

/// `(numerator(x) + w(x)) / denominator` for `|x| > turn`, where `w` is periodic and `|w| <= wobble`.
#[derive(Clone)]
struct Quasi {
    /// By powers of the name, without leading zeros.
    numerator: Vec<i128>,
    denominator: i128,
    wobble: i128,
    period: i128,
    turn: i128,
}

/// What is read: the name, and names that stand for terms about it.
struct Reading<'c, 'm> {
    compiler: &'c Compiler<'m>,
    name: LocalId,
    stands: Vec<(LocalId, ExprId)>,
}

impl Compiler<'_> {
    /// How a formula depends on an integer; `None` when it does so in another way than by comparisons of such terms.
    pub(super) fn tails(&self, name: LocalId, formula: ExprId) -> Option<Tails> {
        let mut reading = Reading {
            compiler: self,
            name,
            stands: Vec::new(),
        };
        let mut atoms = Vec::new();
        reading.formula(formula, &mut atoms)?;
        Some(Tails(atoms))
    }
}

impl Reading<'_, '_> {
    fn is_known(&self, expr: ExprId) -> bool {
        let locals = &self.compiler.facts.of(expr).locals;
        let stands = || self.stands.iter().map(|(stand, _)| *stand);
        !std::iter::once(self.name)
            .chain(stands())
            .any(|name| locals.contains(&name))
    }

    fn known(&self, expr: ExprId) -> F<V> {
        let code = self.compiler.without_kept(|| self.compiler.int(expr));
        super::f(move |cx| code.value(cx))
    }

    fn formula(&mut self, formula: ExprId, atoms: &mut Vec<Atom>) -> Option<()> {
        if self.is_known(formula) {
            return Some(());
        }
        let model = self.compiler.model;
        let Kind::Op(op, sides) = &model.exprs[formula].kind else {
            return None;
        };
        match op {
            Op::And | Op::Or | Op::Not | Op::Implies | Op::Equivalent => {
                for side in sides {
                    base::deep::recurse(|| self.formula(*side, atoms))?;
                }
                Some(())
            }
            Op::Less | Op::LessEqual | Op::Greater | Op::GreaterEqual => {
                self.compared(sides[0], sides[1], atoms)
            }
            Op::Equal | Op::NotEqual if self.compiler.rep(sides[0]) == Rep::Int => {
                self.compared(sides[0], sides[1], atoms)
            }
            Op::Member | Op::NotMember => self.member(sides[0], sides[1], atoms),
            _ => None,
        }
    }

    fn compared(&self, a: ExprId, b: ExprId, atoms: &mut Vec<Atom>) -> Option<()> {
        if self.compiler.rep(a) != Rep::Int {
            return None;
        }
        atoms.push(Atom::Compare(self.term(a)?, self.term(b)?));
        Some(())
    }

    fn member(&mut self, element: ExprId, set: ExprId, atoms: &mut Vec<Atom>) -> Option<()> {
        let model = self.compiler.model;
        match &model.exprs[set].kind {
            Kind::Op(
                Op::Integers | Op::Naturals | Op::Naturals1 | Op::Nat | Op::Nat1 | Op::Int,
                _,
            ) => {
                let limits = [
                    0,
                    1,
                    self.compiler.program.min_int,
                    self.compiler.program.max_int,
                ];
                for limit in limits {
                    let limit = Term::Known(super::fixed(V::Int(limit)));
                    atoms.push(Atom::Compare(self.term(element)?, limit));
                }
                Some(())
            }
            Kind::Op(Op::Interval, ends) => {
                self.compared(element, ends[0], atoms)?;
                self.compared(element, ends[1], atoms)
            }
            Kind::Op(Op::Union | Op::Intersection | Op::SetMinus, sides) => {
                self.member(element, sides[0], atoms)?;
                self.member(element, sides[1], atoms)
            }
            Kind::Bind {
                binder: Binder::Comprehension,
                names,
                predicate,
                value: None,
                ..
            } => {
                let [stand] = names.as_slice() else {
                    return None;
                };
                if self.compiler.rep(element) != Rep::Int {
                    return None;
                }
                self.stands.push((*stand, element));
                let read = self.formula(*predicate, atoms);
                self.stands.pop();
                read
            }
            _ if self.is_known(set) => {
                let mut terms = Vec::new();
                self.components(element, &mut terms)?;
                let set = self.compiler.without_kept(|| self.compiler.value(set));
                atoms.push(Atom::Member(terms, set));
                Some(())
            }
            _ => None,
        }
    }

    /// The integers of a tuple; what else it has must be known.
    fn components(&self, tuple: ExprId, terms: &mut Vec<Term>) -> Option<()> {
        let model = self.compiler.model;
        match &model.exprs[tuple].kind {
            Kind::Op(Op::Maplet, sides) => {
                self.components(sides[0], terms)?;
                self.components(sides[1], terms)
            }
            _ if self.is_known(tuple) => Some(()),
            _ if self.compiler.rep(tuple) == Rep::Int => {
                terms.push(self.term(tuple)?);
                Some(())
            }
            _ => None,
        }
    }

    fn term(&self, term: ExprId) -> Option<Term> {
        if self.is_known(term) {
            return Some(Term::Known(self.known(term)));
        }
        let model = self.compiler.model;
        let part = |side: ExprId| base::deep::recurse(|| self.term(side)).map(Box::new);
        match &model.exprs[term].kind {
            Kind::Local(local) if *local == self.name => Some(Term::Name),
            Kind::Local(local) => {
                let stands = self.stands.iter().find(|(stand, _)| stand == local);
                self.term(stands?.1)
            }
            Kind::Op(Op::Negate, sides) => Some(Term::Negate(part(sides[0])?)),
            Kind::Op(Op::Add, sides) => Some(Term::Add(part(sides[0])?, part(sides[1])?)),
            Kind::Op(Op::Minus, sides) => Some(Term::Minus(part(sides[0])?, part(sides[1])?)),
            Kind::Op(Op::Times, sides) => Some(Term::Times(part(sides[0])?, part(sides[1])?)),
            Kind::Op(Op::Power, sides) => {
                let Kind::Int(exponent) = &model.exprs[sides[1]].kind else {
                    return None;
                };
                let exponent = exponent
                    .to_usize()
                    .filter(|e| (1..=MAX_DEGREE).contains(e))?;
                let mut power = self.term(sides[0])?;
                for _ in 1..exponent {
                    power = Term::Times(Box::new(power), part(sides[0])?);
                }
                Some(power)
            }
            Kind::Op(Op::Divide, sides) if self.is_known(sides[1]) => {
                Some(Term::Quotient(part(sides[0])?, self.known(sides[1])))
            }
            Kind::Op(Op::Modulo, sides) if self.is_known(sides[1]) => {
                Some(Term::Rest(part(sides[0])?, self.known(sides[1])))
            }
            _ => None,
        }
    }
}

impl Tails {
    /// How far to look with the values of now; `None` when known parts have none, or it is too far.
    pub(super) fn reach(&self, cx: &mut Cx<'_>) -> Option<Reach> {
        let (mut turn, mut period) = (0, 1);
        for atom in &self.0 {
            let (beyond, repeats) = atom.reach(cx)?;
            turn = beyond.max(turn);
            period = lcm(period, repeats)?;
        }
        Some(Reach {
            turn: turn.try_into().ok()?,
            period: period.try_into().ok()?,
        })
    }
}

impl Atom {
    fn reach(&self, cx: &mut Cx<'_>) -> Option<(i128, i128)> {
        match self {
            Atom::Compare(a, b) => a.read(cx)?.minus(&b.read(cx)?)?.settled(),
            Atom::Member(terms, set) => {
                let mut ends = [0, 0];
                widen(&set(cx).ok()?, &mut ends)?;
                let (mut turn, mut period) = (0, 1);
                for term in terms {
                    let term = term.read(cx)?;
                    for end in ends {
                        let (beyond, repeats) = term.minus(&Quasi::known(end.into()))?.settled()?;
                        turn = beyond.max(turn);
                        period = lcm(period, repeats)?;
                    }
                }
                Some((turn, period))
            }
        }
    }
}

impl Term {
    fn read(&self, cx: &mut Cx<'_>) -> Option<Quasi> {
        let known = |code: &F<V>, cx: &mut Cx<'_>| code(cx).ok()?.small().map(i128::from);
        match self {
            Term::Name => Some(Quasi {
                numerator: vec![0, 1],
                ..Quasi::known(0)
            }),
            Term::Known(code) => known(code, cx).map(Quasi::known),
            Term::Negate(a) => Quasi::known(0).minus(&a.read(cx)?),
            Term::Add(a, b) => {
                let b = Quasi::known(0).minus(&b.read(cx)?)?;
                a.read(cx)?.minus(&b)
            }
            Term::Minus(a, b) => a.read(cx)?.minus(&b.read(cx)?),
            Term::Times(a, b) => a.read(cx)?.times(&b.read(cx)?),
            Term::Quotient(a, by) => {
                let by = known(by, cx)?;
                a.read(cx)?.quotient(by)
            }
            Term::Rest(a, by) => {
                let by = known(by, cx)?;
                a.read(cx)?.rest(by)
            }
        }
    }
}

impl Quasi {
    fn known(value: i128) -> Quasi {
        Quasi {
            numerator: if value == 0 { Vec::new() } else { vec![value] },
            denominator: 1,
            wobble: 0,
            period: 1,
            turn: 0,
        }
    }

    /// Whether the polynomial is a constant: only what is periodic changes.
    fn is_flat(&self) -> bool {
        self.numerator.len() <= 1
    }

    fn minus(&self, other: &Quasi) -> Option<Quasi> {
        let degree = self.numerator.len().max(other.numerator.len());
        let at = |list: &[i128], power: usize| list.get(power).copied().unwrap_or(0);
        let mut numerator = Vec::with_capacity(degree);
        for power in 0..degree {
            let own = at(&self.numerator, power).checked_mul(other.denominator)?;
            let others = at(&other.numerator, power).checked_mul(self.denominator)?;
            numerator.push(own.checked_sub(others)?);
        }
        let wobble = self.wobble.checked_mul(other.denominator.abs())?;
        let others = other.wobble.checked_mul(self.denominator.abs())?;
        Some(Quasi {
            numerator: trimmed(numerator),
            denominator: self.denominator.checked_mul(other.denominator)?,
            wobble: wobble.checked_add(others)?,
            period: lcm(self.period, other.period)?,
            turn: self.turn.max(other.turn),
        })
    }

    fn times(&self, other: &Quasi) -> Option<Quasi> {
        // What is periodic may be multiplied by a number only.
        let is_number = |quasi: &Quasi| quasi.is_flat() && quasi.wobble == 0;
        if self.wobble + other.wobble > 0 && !is_number(self) && !is_number(other) {
            return None;
        }
        let degree = self.numerator.len() + other.numerator.len();
        if degree > MAX_DEGREE + 2 {
            return None;
        }
        let mut numerator = vec![0_i128; degree];
        for (i, own) in self.numerator.iter().enumerate() {
            for (j, others) in other.numerator.iter().enumerate() {
                let product = own.checked_mul(*others)?;
                numerator[i + j] = numerator[i + j].checked_add(product)?;
            }
        }
        let most = |quasi: &Quasi| quasi.numerator.first().map_or(0, |first| first.abs());
        let wobble = self.wobble.checked_mul(most(other))?;
        let others = other.wobble.checked_mul(most(self))?;
        Some(Quasi {
            numerator: trimmed(numerator),
            denominator: self.denominator.checked_mul(other.denominator)?,
            wobble: wobble.checked_add(others)?,
            period: lcm(self.period, other.period)?,
            turn: self.turn.max(other.turn),
        })
    }

    /// The period of the term modulo a number: `N(x + P) - N(x)` is a multiple of `P`.
    fn period_modulo(&self, by: i128) -> Option<i128> {
        let period = self.period.checked_mul(self.denominator.abs())?;
        period.checked_mul(by.abs())
    }

    fn quotient(&self, by: i128) -> Option<Quasi> {
        if by == 0 {
            return None;
        }
        let (turn, _) = self.settled()?;
        let rest = self.denominator.abs().checked_mul(by.abs())?;
        Some(Quasi {
            numerator: self.numerator.clone(),
            denominator: self.denominator.checked_mul(by)?,
            wobble: self.wobble.checked_add(rest)?,
            period: self.period_modulo(by)?,
            turn,
        })
    }

    fn rest(&self, by: i128) -> Option<Quasi> {
        if by <= 0 {
            return None;
        }
        let (turn, _) = self.settled()?;
        Some(Quasi {
            numerator: Vec::new(),
            denominator: 1,
            wobble: by,
            period: self.period_modulo(by)?,
            turn,
        })
    }

    /// Beyond which number the sign no longer changes, or repeats, and after how many.
    fn settled(&self) -> Option<(i128, i128)> {
        let Some((last, others)) = self
            .numerator
            .split_last()
            .filter(|(_, rest)| !rest.is_empty())
        else {
            return Some((self.turn, self.period));
        };
        let most = others.iter().map(|one| one.abs()).max().unwrap_or(0);
        let roots = most.checked_add(self.wobble)? / last.abs() + 2;
        Some((self.turn.max(roots), 1))
    }
}

/// Makes room between two ends for all integers in a finite value.
fn widen(value: &V, ends: &mut [i64; 2]) -> Option<()> {
    match value {
        V::Int(number) => *ends = [ends[0].min(*number), ends[1].max(*number)],
        // A code is taken for a number, which only makes the room larger.
        V::Duo(_, parts) => {
            *ends = [
                ends[0].min(parts[0]).min(parts[1]),
                ends[1].max(parts[0]).max(parts[1]),
            ];
        }
        V::Trio(_, parts) => {
            for part in parts.map(i64::from) {
                *ends = [ends[0].min(part), ends[1].max(part)];
            }
        }
        V::Row(shape, bits) => Row::from_parts(*shape, *bits).each_number(|number| {
            *ends = [ends[0].min(number), ends[1].max(number)];
        }),
        V::Pair(pair) => {
            widen(&pair.0, ends)?;
            widen(&pair.1, ends)?;
        }
        V::Set(parts) | V::Rec(parts) => {
            for part in parts.iter() {
                widen(part, ends)?;
            }
        }
        V::Free(_, Some(argument)) => widen(argument, ends)?,
        V::Word(_) | V::Wide(_) | V::Str(_) | V::Real(_) | V::Free(_, None) => {}
        V::None | V::Big(_) | V::Sym(_) => return None,
    }
    Some(())
}

fn trimmed(mut numerator: Vec<i128>) -> Vec<i128> {
    while numerator.last() == Some(&0) {
        numerator.pop();
    }
    numerator
}

fn lcm(a: i128, b: i128) -> Option<i128> {
    let (mut one, mut other) = (a, b);
    while other != 0 {
        (one, other) = (other, one % other);
    }
    (a / one).checked_mul(b)
}
