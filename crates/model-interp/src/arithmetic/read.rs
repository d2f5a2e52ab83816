//! Predicates and integers as formulas.
//!
//! Invariant: each part says where it is true and where it is defined; `P & Q` is defined where P is and, unless P is false, Q.

use lang_math::{Binder, Op};
use model::{ExprId, Kind, LocalId, Target, Ty, TyId};

use super::formula::{Formula, Name, Sum};
use crate::Interp;
use crate::env::Env;
use crate::expand::Arrow;

/// More names are not decided in time.
const MOST_NAMES: Name = 200;
/// More integers are not in an element.
const MOST_WIDE: usize = 6;

/// What a part says, and where it says anything.
#[derive(Clone, Debug)]
pub(super) struct Said {
    pub holds: Formula,
    pub defined: Formula,
}

impl Said {
    pub(super) fn defined(holds: Formula) -> Said {
        Said {
            holds,
            defined: Formula::Constant(true),
        }
    }

    pub(super) fn not(self) -> Said {
        Said {
            holds: self.holds.not(),
            defined: self.defined,
        }
    }

    pub(super) fn both(self, other: Said) -> Said {
        Said {
            holds: Formula::and(vec![self.holds, other.holds]),
            defined: Formula::and(vec![self.defined, other.defined]),
        }
    }
}

/// Reads predicates, with the integers that bound names stand for.
pub(super) struct Reader<'r, 'm> {
    pub interp: &'r mut Interp<'m>,
    pub scope: Vec<(LocalId, Vec<Sum>)>,
    next: Name,
}

impl<'r, 'm> Reader<'r, 'm> {
    pub(super) fn new(interp: &'r mut Interp<'m>) -> Reader<'r, 'm> {
        Reader {
            interp,
            scope: Vec::new(),
            next: 0,
        }
    }

    pub(super) fn fresh(&mut self, count: usize) -> Option<Vec<Name>> {
        let from = self.next;
        self.next += count as Name;
        (self.next <= MOST_NAMES).then(|| (from..self.next).collect())
    }

    /// Whether an expression mentions no bound name.
    pub(super) fn is_known(&mut self, expr: ExprId) -> bool {
        let bound: Vec<Target> = self
            .scope
            .iter()
            .map(|(name, _)| Target::Local(*name))
            .collect();
        self.interp.is_known(expr, &bound)
    }

    /// How many integers a value of a type is made of, if of nothing else.
    pub(super) fn width(&self, ty: TyId) -> Option<usize> {
        let width = match self.interp.model.tys[ty] {
            Ty::Int => 1,
            Ty::Prod(left, right) => self.width(left)? + self.width(right)?,
            _ => return None,
        };
        (width <= MOST_WIDE).then_some(width)
    }

    pub(super) fn width_of(&self, expr: ExprId) -> Option<usize> {
        self.width(self.interp.model.exprs[expr].ty?)
    }

    /// The same for the elements of a set.
    pub(super) fn element_width(&self, set: ExprId) -> Option<usize> {
        match self.interp.model.tys[self.interp.model.exprs[set].ty?] {
            Ty::Pow(element) => self.width(element),
            _ => None,
        }
    }

    pub(super) fn pair_widths(&self, relation: ExprId) -> Option<(usize, usize)> {
        let tys = &self.interp.model.tys;
        let Ty::Pow(pair) = tys[self.interp.model.exprs[relation].ty?] else {
            return None;
        };
        match tys[pair] {
            Ty::Prod(left, right) => Some((self.width(left)?, self.width(right)?)),
            _ => None,
        }
    }

    /// Runs a part with names that stand for new ones.
    pub(super) fn under<T>(
        &mut self,
        names: &[LocalId],
        part: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<(Vec<Name>, T)> {
        let mut all = Vec::new();
        for name in names {
            let width = self.width(self.interp.model.locals[*name].ty)?;
            all.extend(self.fresh(width)?);
        }
        let sums = all
            .iter()
            .map(|name| Sum::name(*name))
            .collect::<Vec<Sum>>();
        let result = self.standing(names, &sums, part)?;
        Some((all, result))
    }

    /// Runs a part with names that stand for integers.
    pub(super) fn standing<T>(
        &mut self,
        names: &[LocalId],
        sums: &[Sum],
        part: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<T> {
        let before = self.scope.len();
        let mut from = 0;
        for name in names {
            let width = self.width(self.interp.model.locals[*name].ty)?;
            self.scope
                .push((*name, sums.get(from..from + width)?.to_vec()));
            from += width;
        }
        let result = part(self);
        self.scope.truncate(before);
        result
    }

    pub(super) fn predicate(&mut self, predicate: ExprId, env: &Env) -> Option<Said> {
        if let Some(said) = base::deep::recurse(|| self.made(predicate, env)) {
            return Some(said);
        }
        if !self.is_known(predicate) {
            return None;
        }
        let truth = self.interp.test(predicate, env).ok()?;
        Some(Said::defined(Formula::Constant(truth)))
    }

    pub(super) fn made(&mut self, predicate: ExprId, env: &Env) -> Option<Said> {
        let model = self.interp.model;
        match &model.exprs[predicate].kind {
            Kind::Bind {
                binder: binder @ (Binder::Forall | Binder::Exists),
                names,
                predicate,
                ..
            } => {
                let (names, body) =
                    self.under(names, |reader| reader.predicate(*predicate, env))?;
                let defined = Formula::all(names.clone(), body.defined);
                let holds = match binder {
                    Binder::Forall => Formula::all(names, body.holds),
                    _ => Formula::some(names, body.holds),
                };
                Some(Said { holds, defined })
            }
            Kind::Op(op, sides) => self.made_by(*op, sides, env),
            _ => None,
        }
    }

    fn made_by(&mut self, op: Op, sides: &[ExprId], env: &Env) -> Option<Said> {
        match (op, sides) {
            (Op::And | Op::Or, _) => {
                let (mut before, mut defined) = (Vec::new(), Vec::new());
                for side in sides {
                    let said = self.predicate(*side, env)?;
                    // What stands before makes it matter.
                    let matters = match op {
                        Op::And => Formula::and(before.clone()),
                        _ => Formula::Or(before.clone()).not(),
                    };
                    defined.push(matters.implies(said.defined));
                    before.push(said.holds);
                }
                Some(Said {
                    holds: match op {
                        Op::And => Formula::and(before),
                        _ => Formula::Or(before),
                    },
                    defined: Formula::and(defined),
                })
            }
            (Op::Implies, [a, b]) => {
                let (a, b) = (self.predicate(*a, env)?, self.predicate(*b, env)?);
                let matters = a.holds.clone().implies(b.defined);
                Some(Said {
                    defined: Formula::and(vec![a.defined, matters]),
                    holds: a.holds.implies(b.holds),
                })
            }
            (Op::Equivalent, [a, b]) => {
                let (a, b) = (self.predicate(*a, env)?, self.predicate(*b, env)?);
                let forth = a.holds.clone().implies(b.holds.clone());
                Some(Said {
                    holds: Formula::and(vec![forth, b.holds.implies(a.holds)]),
                    defined: Formula::and(vec![a.defined, b.defined]),
                })
            }
            (Op::Not, [a]) => Some(self.predicate(*a, env)?.not()),
            (Op::Less | Op::LessEqual | Op::Greater | Op::GreaterEqual, [a, b]) => {
                let terms = self.terms(*a, env)?.with(self.terms(*b, env)?);
                let [a, b] = terms.sums.as_slice() else {
                    return None;
                };
                let holds = match op {
                    Op::Less => Formula::at_most(b, a)?.not(),
                    Op::LessEqual => Formula::at_most(a, b)?,
                    Op::Greater => Formula::at_most(a, b)?.not(),
                    _ => Formula::at_most(b, a)?,
                };
                Some(terms.say(Said::defined(holds)))
            }
            (Op::Equal, [a, b]) => self.equal(*a, *b, env),
            (Op::NotEqual, [a, b]) => Some(self.equal(*a, *b, env)?.not()),
            (Op::Member, [a, b]) => self.element(*a, *b, env),
            (Op::NotMember, [a, b]) => Some(self.element(*a, *b, env)?.not()),
            (Op::Subset, [a, b]) => self.included(*a, *b, env),
            (Op::NotSubset, [a, b]) => Some(self.included(*a, *b, env)?.not()),
            (Op::StrictSubset | Op::NotStrictSubset, [a, b]) => {
                let back = self.included(*b, *a, env)?.not();
                let strict = self.included(*a, *b, env)?.both(back);
                Some(if op == Op::StrictSubset {
                    strict
                } else {
                    strict.not()
                })
            }
            (Op::Finite, [set]) => self.finite(*set, env),
            _ => None,
        }
    }

    fn equal(&mut self, a: ExprId, b: ExprId, env: &Env) -> Option<Said> {
        if self.element_width(a).is_some() {
            let forth = self.included(a, b, env)?;
            return Some(forth.both(self.included(b, a, env)?));
        }
        let width = self.width_of(a)?;
        let terms = self.terms(a, env)?.with(self.terms(b, env)?);
        let (a, b) = terms.sums.split_at(width);
        let holds = same(a, b)?;
        Some(terms.say(Said::defined(holds)))
    }

    fn included(&mut self, a: ExprId, b: ExprId, env: &Env) -> Option<Said> {
        let names = self.element_width(a).and_then(|width| self.fresh(width))?;
        let (a, b) = (
            self.among(&sums(&names), a, env)?,
            self.among(&sums(&names), b, env)?,
        );
        Some(Said {
            holds: Formula::all(names, a.holds.implies(b.holds)),
            defined: Formula::and(vec![a.defined, b.defined]),
        })
    }

    /// All components of the elements lie between two numbers.
    fn finite(&mut self, set: ExprId, env: &Env) -> Option<Said> {
        let names = self
            .element_width(set)
            .and_then(|width| self.fresh(width))?;
        let [low, high] = self.fresh(2)?[..] else {
            return None;
        };
        let inside = self.among(&sums(&names), set, env)?;
        let mut between = Vec::new();
        for name in &names {
            between.push(Formula::at_most(&Sum::name(low), &Sum::name(*name))?);
            between.push(Formula::at_most(&Sum::name(*name), &Sum::name(high))?);
        }
        let bounded = Formula::all(names, inside.holds.implies(Formula::and(between)));
        Some(Said {
            holds: Formula::some(vec![low, high], bounded),
            defined: inside.defined,
        })
    }

    fn element(&mut self, element: ExprId, set: ExprId, env: &Env) -> Option<Said> {
        if self.width_of(element).is_some() {
            let terms = self.terms(element, env)?;
            let inside = self.among(&terms.sums.clone(), set, env)?;
            return Some(terms.say(inside));
        }
        let model = self.interp.model;
        let Kind::Op(op, sides) = &model.exprs[set].kind else {
            return None;
        };
        match (op, sides.as_slice()) {
            (Op::PowerSet | Op::PowerSet1 | Op::FiniteSubsets | Op::FiniteSubsets1, [of]) => {
                let mut said = self.included(element, *of, env)?;
                if matches!(op, Op::PowerSet1 | Op::FiniteSubsets1) {
                    let names = self
                        .element_width(element)
                        .and_then(|width| self.fresh(width))?;
                    let inside = self.among(&sums(&names), element, env)?;
                    said = said.both(Said {
                        holds: Formula::some(names, inside.holds),
                        defined: inside.defined,
                    });
                }
                if matches!(op, Op::FiniteSubsets | Op::FiniteSubsets1) {
                    said = said.both(self.finite(element, env)?);
                }
                Some(said)
            }
            (op, [from, to]) => self.in_space(Arrow::of(*op)?, element, *from, *to, env),
            _ => None,
        }
    }

    /// `f : S --> T` and the like, by what they say.
    fn in_space(
        &mut self,
        arrow: Arrow,
        f: ExprId,
        from: ExprId,
        to: ExprId,
        env: &Env,
    ) -> Option<Said> {
        let (left, right) = self.pair_widths(f)?;
        let (a, b) = (self.fresh(left)?, self.fresh(right)?);
        let pair = [sums(&a), sums(&b)].concat();
        let ab = [a.as_slice(), &b].concat();
        let inside = self.among(&pair, f, env)?;
        let (source, target) = (
            self.among(&sums(&a), from, env)?,
            self.among(&sums(&b), to, env)?,
        );
        let ends = Formula::and(vec![source.holds.clone(), target.holds.clone()]);
        let mut all = vec![Formula::all(ab.clone(), inside.holds.clone().implies(ends))];
        if arrow.functional {
            let c = self.fresh(right)?;
            let other = self.among(&[sums(&a), sums(&c)].concat(), f, env)?.holds;
            let two = Formula::and(vec![inside.holds.clone(), other]);
            let one = two.implies(same(&sums(&b), &sums(&c))?);
            all.push(Formula::all([ab.as_slice(), &c].concat(), one));
        }
        if arrow.injective {
            let c = self.fresh(left)?;
            let other = self.among(&[sums(&c), sums(&b)].concat(), f, env)?.holds;
            let two = Formula::and(vec![inside.holds.clone(), other]);
            let one = two.implies(same(&sums(&a), &sums(&c))?);
            all.push(Formula::all([ab.as_slice(), &c].concat(), one));
        }
        if arrow.total {
            let image = Formula::some(b.clone(), inside.holds.clone());
            all.push(Formula::all(a.clone(), source.holds.implies(image)));
        }
        if arrow.surjective {
            let origin = Formula::some(a, inside.holds);
            all.push(Formula::all(b, target.holds.implies(origin)));
        }
        Some(Said {
            holds: Formula::and(all),
            defined: Formula::and(vec![inside.defined, source.defined, target.defined]),
        })
    }
}

pub(super) fn sums(names: &[Name]) -> Vec<Sum> {
    names.iter().map(|name| Sum::name(*name)).collect()
}

pub(super) fn same(a: &[Sum], b: &[Sum]) -> Option<Formula> {
    let parts = a.iter().zip(b).map(|(a, b)| Formula::equal(a, b));
    Some(Formula::and(parts.collect::<Option<_>>()?))
}
