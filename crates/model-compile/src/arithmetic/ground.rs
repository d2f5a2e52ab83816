//! A template with the values of now, as a formula of Presburger arithmetic.
//!
//! Every part becomes two formulas: whether it is true, and whether it is defined. Definedness is strict and left to right
//! (`docs/meaning.md`): `P & Q` is defined where `P` is, and `Q` is unless `P` is false; a set is where its predicate is for
//! all values of its names.
//! Invariant: terms are total in the formula: a quotient or remainder of a negative number counts as undefined here, which
//! leaves it to the evaluator.

use lang_math::Op;
use model::LocalId;
use presburger::{Formula, Linear, Name};

use super::numbers::about;
use super::{Among, Bound, Say};
use crate::cx::Cx;
use crate::symbolic::Space;

/// A formula may have so many bound names: more are never decided in time.
const MOST_NAMES: u32 = 400;

/// The truth of a predicate, if it is surely defined and each is decided within so much work; what it took is added.
pub(super) fn truth(cx: &mut Cx<'_>, say: &Say, work: u64, taken: &mut u64) -> Option<bool> {
    let Said { holds, defined } = Ground::from(cx, 0).say(say)?;
    let mut decide = |formula: Formula| {
        let mut left = work;
        let truth = formula.decide(&mut left);
        *taken += work - left;
        truth
    };
    match decide(defined)? {
        true => decide(holds),
        false => None,
    }
}

/// Tells of membership of a tuple in one of some sets, by its position.
type Member<'m, G> = &'m mut dyn FnMut(&mut G, usize, &[Linear]) -> Option<Said>;

/// What is said by a predicate or by membership.
pub(super) struct Said {
    pub(super) holds: Formula,
    pub(super) defined: Formula,
}

impl Said {
    pub(super) fn always(holds: Formula) -> Said {
        Said {
            holds,
            defined: Formula::True,
        }
    }
}

/// The names that are bound, and how many there were.
pub(super) struct Ground<'g, 'c> {
    pub(super) cx: &'g mut Cx<'c>,
    pub(super) scope: Vec<(LocalId, Vec<Name>)>,
    next: Name,
}

pub(super) fn and(a: Formula, b: Formula) -> Formula {
    Formula::and(vec![a, b])
}

pub(super) fn or(a: Formula, b: Formula) -> Formula {
    Formula::or(vec![a, b])
}

pub(super) fn implies(a: &Formula, b: Formula) -> Formula {
    or(a.clone().negated(), b)
}

impl<'g, 'c> Ground<'g, 'c> {
    /// A part in another environment; its names begin with this number.
    pub(super) fn from(cx: &'g mut Cx<'c>, next: Name) -> Ground<'g, 'c> {
        Ground {
            cx,
            scope: Vec::new(),
            next,
        }
    }

    /// The number of the next name.
    pub(super) fn names_from(&self) -> Name {
        self.next
    }

    /// Goes on after the names of a part.
    pub(super) fn go_on_from(&mut self, next: Name) {
        self.next = next;
    }

    pub(super) fn fresh(&mut self, count: usize) -> Option<Vec<Name>> {
        let from = self.next;
        self.next += u32::try_from(count).ok()?;
        (self.next <= MOST_NAMES).then(|| (from..self.next).collect())
    }

    /// Runs a part with names bound to fresh ones.
    fn binding<T>(
        &mut self,
        bound: &[Bound],
        body: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<(Vec<Name>, T)> {
        let before = self.scope.len();
        let mut all = Vec::new();
        for (name, width) in bound {
            let names = self.fresh(*width)?;
            all.extend(&names);
            self.scope.push((*name, names));
        }
        let result = body(self);
        self.scope.truncate(before);
        Some((all, result?))
    }

    fn say(&mut self, say: &Say) -> Option<Said> {
        base::deep::recurse(|| self.say_part(say))
    }

    fn say_part(&mut self, say: &Say) -> Option<Said> {
        Some(match say {
            Say::Known(code) => Said::always(match code(self.cx).ok()? {
                true => Formula::True,
                false => Formula::False,
            }),
            Say::And(parts) => self.chain(parts, true)?,
            Say::Or(parts) => self.chain(parts, false)?,
            Say::Implies(a, b) => {
                let (a, b) = (self.say(a)?, self.say(b)?);
                Said {
                    defined: and(a.defined, implies(&a.holds, b.defined)),
                    holds: implies(&a.holds, b.holds),
                }
            }
            Say::Equivalent(a, b) => {
                let (a, b) = (self.say(a)?, self.say(b)?);
                let forth = implies(&a.holds, b.holds.clone());
                Said {
                    defined: and(a.defined, b.defined),
                    holds: and(forth, implies(&b.holds, a.holds)),
                }
            }
            Say::Not(a) => {
                let a = self.say(a)?;
                Said {
                    holds: a.holds.negated(),
                    ..a
                }
            }
            Say::Compare(op, a, b) => {
                let (a, b) = (self.num(a)?, self.num(b)?);
                let atom = match op {
                    Op::Equal => Formula::equal(&a.term, &b.term)?,
                    Op::Less => Formula::less(&a.term, &b.term)?,
                    _ => Formula::less(&b.term, &a.term)?.negated(),
                };
                about(vec![a, b], Said::always(atom))
            }
            Say::Member(tuple, set) => {
                let values = self.nums(tuple)?;
                let terms: Vec<Linear> = values.iter().map(|value| value.term.clone()).collect();
                let inside = self.member(&terms, set)?;
                about(values, inside)
            }
            Say::Within(a, b, width) => self.within(a, b, *width)?,
            Say::Finite(set, width) => {
                let names = self.fresh(*width)?;
                let end = self.fresh(1)?[0];
                let inside = self.member(&terms(&names), set)?;
                let end_term = Linear::name(end);
                let below = Linear::number(0).minus(&end_term)?;
                let mut near = vec![];
                for name in &names {
                    let name = Linear::name(*name);
                    near.push(Formula::less(&name, &end_term)?);
                    near.push(Formula::less(&below, &name)?);
                }
                let near = implies(&inside.holds, Formula::and(near));
                Said {
                    holds: Formula::exists(&[end], Formula::forall(&names, near)),
                    defined: inside.defined,
                }
            }
            Say::Space(op, sets, widths) => self.space(*op, sets, *widths)?,
            Say::Quantified { all, names, body } => {
                let (names, body) = self.binding(names, |ground| ground.say(body))?;
                let quantify = if *all {
                    Formula::forall
                } else {
                    Formula::exists
                };
                Said {
                    holds: quantify(&names, body.holds),
                    defined: Formula::forall(&names, body.defined),
                }
            }
        })
    }

    /// A chain of conjuncts or alternatives.
    fn chain(&mut self, parts: &[Say], all: bool) -> Option<Said> {
        let (mut holds, mut defined) = (Vec::new(), Vec::new());
        for part in parts {
            let part = self.say(part)?;
            // It need not be defined where what stands before it decides.
            let mut unless: Vec<Formula> = match part.defined {
                Formula::True => Vec::new(),
                _ => holds.clone(),
            };
            if all {
                unless = unless.into_iter().map(Formula::negated).collect();
            }
            unless.push(part.defined);
            defined.push(Formula::or(unless));
            holds.push(part.holds);
        }
        Some(Said {
            holds: if all {
                Formula::and(holds)
            } else {
                Formula::or(holds)
            },
            defined: Formula::and(defined),
        })
    }

    fn within(&mut self, a: &Among, b: &Among, width: usize) -> Option<Said> {
        let names = self.fresh(width)?;
        let (a, b) = (
            self.member(&terms(&names), a)?,
            self.member(&terms(&names), b)?,
        );
        Some(Said {
            holds: Formula::forall(&names, implies(&a.holds, b.holds)),
            defined: and(a.defined, b.defined),
        })
    }

    /// `r : S --> T` and its relatives.
    fn space(&mut self, op: Op, sets: &[Among; 3], [left, right]: [usize; 2]) -> Option<Said> {
        let kind = Space::of(op);
        let (x, y, z) = (self.fresh(left)?, self.fresh(right)?, self.fresh(right)?);
        let w = self.fresh(left)?;
        let pair = |a: &[Name], b: &[Name]| [terms(a), terms(b)].concat();
        let inside = self.member(&pair(&x, &y), &sets[0])?;
        let (from, to) = (
            self.member(&terms(&x), &sets[1])?,
            self.member(&terms(&y), &sets[2])?,
        );
        let defined = Formula::and(vec![inside.defined, from.defined, to.defined]);
        let (inside, from, to) = (inside.holds, from.holds, to.holds);
        let both = [x.as_slice(), &y].concat();
        let ranged = implies(&inside, and(from.clone(), to.clone()));
        let mut parts = vec![Formula::forall(&both, ranged)];
        if kind.functional {
            let other = self.member(&pair(&x, &z), &sets[0])?.holds;
            let same = implies(&and(inside.clone(), other), same(&y, &z)?);
            parts.push(Formula::forall(&[both.as_slice(), &z].concat(), same));
        }
        if kind.injective {
            let other = self.member(&pair(&w, &y), &sets[0])?.holds;
            let same = implies(&and(inside.clone(), other), same(&x, &w)?);
            parts.push(Formula::forall(&[both.as_slice(), &w].concat(), same));
        }
        if kind.total {
            let some = Formula::exists(&y, inside.clone());
            parts.push(Formula::forall(&x, implies(&from, some)));
        }
        if kind.surjective {
            let some = Formula::exists(&x, inside);
            parts.push(Formula::forall(&y, implies(&to, some)));
        }
        Some(Said {
            holds: Formula::and(parts),
            defined,
        })
    }

    /// Whether a tuple is in a set. Whether the set is defined does not depend on the tuple.
    pub(super) fn member(&mut self, tuple: &[Linear], set: &Among) -> Option<Said> {
        base::deep::recurse(|| self.member_of(tuple, set))
    }

    fn member_of(&mut self, tuple: &[Linear], set: &Among) -> Option<Said> {
        Some(match set {
            Among::Known(code) => {
                let set = code(self.cx).ok()?;
                self.in_value(tuple, &set)?
            }
            Among::Listed(tuples) => {
                let mut parts = Vec::new();
                for listed in tuples {
                    let values = self.nums(listed)?;
                    let pairs = values.iter().zip(tuple);
                    let equal = pairs.map(|(value, term)| Formula::equal(&value.term, term));
                    let equal = Formula::and(equal.collect::<Option<_>>()?);
                    parts.push(about(values, Said::always(equal)));
                }
                let (mut holds, mut defined) = (Vec::new(), Vec::new());
                for part in parts {
                    holds.push(part.holds);
                    defined.push(part.defined);
                }
                Said {
                    holds: Formula::or(holds),
                    defined: Formula::and(defined),
                }
            }
            Among::Interval(low, high) => {
                let (low, high) = (self.num(low)?, self.num(high)?);
                let inside = and(
                    Formula::less(&tuple[0], &low.term)?.negated(),
                    Formula::less(&high.term, &tuple[0])?.negated(),
                );
                about(vec![low, high], Said::always(inside))
            }
            Among::Built { names, body, value } => {
                let (names, (body, values)) = self.binding(names, |ground| {
                    let body = ground.say(body)?;
                    let values = match value {
                        Some(value) => Some(ground.nums(value)?),
                        None => None,
                    };
                    Some((body, values))
                })?;
                let (inside, defined) = match values {
                    None => (equals(&terms(&names), tuple)?, Formula::True),
                    Some(values) => {
                        let found: Vec<Linear> = values.iter().map(|v| v.term.clone()).collect();
                        let said = about(values, Said::always(equals(&found, tuple)?));
                        (said.holds, implies(&body.holds, said.defined))
                    }
                };
                Said {
                    holds: Formula::exists(&names, and(inside, body.holds)),
                    defined: Formula::forall(&names, and(body.defined, defined)),
                }
            }
            Among::Gathered {
                union,
                names,
                body,
                set,
            } => {
                let (names, (body, set)) = self.binding(names, |ground| {
                    Some((ground.say(body)?, ground.member(tuple, set)?))
                })?;
                let defined = and(body.defined, implies(&body.holds, set.defined));
                let defined = Formula::forall(&names, defined);
                match union {
                    true => Said {
                        holds: Formula::exists(&names, and(body.holds, set.holds)),
                        defined,
                    },
                    // There is no intersection of no sets.
                    false => Said {
                        defined: and(defined, Formula::exists(&names, body.holds.clone())),
                        holds: Formula::forall(&names, implies(&body.holds, set.holds)),
                    },
                }
            }
            Among::Algebra(op, sides) => {
                let (a, b) = (
                    self.member(tuple, &sides[0])?,
                    self.member(tuple, &sides[1])?,
                );
                Said {
                    holds: combined(*op, a.holds, b.holds),
                    defined: and(a.defined, b.defined),
                }
            }
            Among::Relation(op, sets, widths) => {
                let mut member = |ground: &mut Self, at: usize, tuple: &[Linear]| {
                    ground.member(tuple, &sets[at])
                };
                self.relation(*op, tuple, *widths, &mut member)?
            }
        })
    }

    /// Membership of a tuple in what an operator makes of sets; `member` tells of the sets by their position.
    pub(super) fn relation(
        &mut self,
        op: Op,
        tuple: &[Linear],
        [bound, left]: [usize; 2],
        member: Member<'_, Self>,
    ) -> Option<Said> {
        let new = self.fresh(bound)?;
        let news = terms(&new);
        let (a, b) = tuple.split_at(left);
        let both = |x: Said, y: Said| Said {
            holds: and(x.holds, y.holds),
            defined: and(x.defined, y.defined),
        };
        let some = |said: Said| Said {
            holds: Formula::exists(&new, said.holds),
            ..said
        };
        let not = |said: Said| Said {
            holds: said.holds.negated(),
            ..said
        };
        Some(match op {
            Op::Domain => some(member(self, 0, &[tuple, &news].concat())?),
            Op::Range => some(member(self, 0, &[news.as_slice(), tuple].concat())?),
            Op::Inverse => member(self, 0, &[b, a].concat())?,
            Op::Image => {
                let pair = member(self, 0, &[news.as_slice(), tuple].concat())?;
                some(both(pair, member(self, 1, &news)?))
            }
            Op::Composition => {
                let first = member(self, 0, &[a, &news].concat())?;
                some(both(
                    first,
                    member(self, 1, &[news.as_slice(), b].concat())?,
                ))
            }
            Op::Cartesian => both(member(self, 0, a)?, member(self, 1, b)?),
            Op::DomainRestriction => both(member(self, 0, a)?, member(self, 1, tuple)?),
            Op::DomainSubtraction => both(not(member(self, 0, a)?), member(self, 1, tuple)?),
            Op::RangeRestriction => both(member(self, 0, tuple)?, member(self, 1, b)?),
            Op::RangeSubtraction => both(member(self, 0, tuple)?, not(member(self, 1, b)?)),
            Op::Identity => both(Said::always(equals(a, b)?), member(self, 0, a)?),
            Op::Overwrite => {
                let above = member(self, 1, tuple)?;
                let hidden = some(member(self, 1, &[a, &news].concat())?);
                let below = member(self, 0, tuple)?;
                Said {
                    holds: or(above.holds, and(below.holds, hidden.holds.negated())),
                    defined: and(above.defined, below.defined),
                }
            }
            _ => return None,
        })
    }
}

pub(super) fn terms(names: &[Name]) -> Vec<Linear> {
    names.iter().map(|name| Linear::name(*name)).collect()
}

pub(super) fn same(a: &[Name], b: &[Name]) -> Option<Formula> {
    equals(&terms(a), &terms(b))
}

pub(super) fn equals(a: &[Linear], b: &[Linear]) -> Option<Formula> {
    let parts = a.iter().zip(b).map(|(a, b)| Formula::equal(a, b));
    Some(Formula::and(parts.collect::<Option<_>>()?))
}

/// Union, intersection and difference.
pub(super) fn combined(op: Op, a: Formula, b: Formula) -> Formula {
    match op {
        Op::Union => or(a, b),
        Op::Intersection => and(a, b),
        _ => and(a, b.negated()),
    }
}
