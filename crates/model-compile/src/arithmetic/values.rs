//! Membership in sets that are values already: listed ones, and rules.

use lang_math::Op;
use model::{Ty, TyId};
use presburger::{Formula, Linear};

use super::ground::{Ground, Said, combined, equals};
use crate::symbolic::SymKind;
use crate::value::V;

/// Sets with more elements are not written out.
const LISTED: usize = 64;

/// The integers of a tuple, in order.
pub(super) fn integers(value: &V, found: &mut Vec<i64>) -> Option<()> {
    match value {
        V::Int(number) => found.push(*number),
        V::Duo(..) | V::Trio(..) | V::Pair(_) => {
            let (left, right) = value.components()?;
            integers(&left, found)?;
            integers(&right, found)?;
        }
        _ => return None,
    }
    Some(())
}

impl Ground<'_, '_> {
    /// Whether a tuple is in a set.
    pub(super) fn in_value(&mut self, tuple: &[Linear], set: &V) -> Option<Said> {
        base::deep::recurse(|| self.in_value_of(tuple, set))
    }

    fn in_value_of(&mut self, tuple: &[Linear], set: &V) -> Option<Said> {
        let sym = match set {
            V::Set(elements) => return listed(tuple, elements),
            V::Row(..) if let Some(row) = set.row() => {
                return listed(tuple, &row.elements().collect::<Vec<V>>());
            }
            V::Sym(sym) => sym,
            _ => return None,
        };
        let not_below = |low: i64| {
            let low = Linear::number(low.into());
            Some(Formula::less(&tuple[0], &low)?.negated())
        };
        Some(match &sym.kind {
            SymKind::All => Said::always(Formula::True),
            SymKind::AtLeast(low) => Said::always(not_below(*low)?),
            SymKind::Interval(low, high) => {
                let high = Linear::number(high.small()?.into());
                let inside = vec![
                    not_below(low.small()?)?,
                    Formula::less(&high, &tuple[0])?.negated(),
                ];
                Said::always(Formula::and(inside))
            }
            SymKind::Union(a, b) => self.algebra(Op::Union, tuple, a, b)?,
            SymKind::Inter(a, b) => self.algebra(Op::Intersection, tuple, a, b)?,
            SymKind::Minus(a, b) => self.algebra(Op::SetMinus, tuple, a, b)?,
            SymKind::Shift(by) => {
                let next = tuple[0].plus(&Linear::number((*by).into()))?;
                Said::always(Formula::equal(&tuple[1], &next)?)
            }
            SymKind::Closure(code, env) => {
                let code = code.0.clone();
                let tuples = code.tuples.clone()?;
                let next = self.names_from();
                let mut said = None;
                let answer = self.cx.in_closure_env(&code, env, |cx| {
                    let mut inner = Ground::from(cx, next);
                    said = inner
                        .member(tuple, &tuples)
                        .map(|said| (said, inner.names_from()));
                    Ok(())
                });
                answer.ok()?;
                let (said, next) = said?;
                self.go_on_from(next);
                said
            }
            _ => return self.in_relation(tuple, sym.ty, &sym.kind),
        })
    }

    fn algebra(&mut self, op: Op, tuple: &[Linear], a: &V, b: &V) -> Option<Said> {
        let (a, b) = (self.in_value(tuple, a)?, self.in_value(tuple, b)?);
        Some(Said {
            holds: combined(op, a.holds, b.holds),
            defined: Formula::and(vec![a.defined, b.defined]),
        })
    }

    fn in_relation(&mut self, tuple: &[Linear], ty: TyId, kind: &SymKind) -> Option<Said> {
        let left = || self.sides_of(ty).map(|sides| sides[0]);
        let (op, sets, widths): (Op, Vec<&V>, [usize; 2]) = match kind {
            SymKind::Product(a, b) => (Op::Cartesian, vec![a, b], [0, left()?]),
            SymKind::Inverse(of, _) => (Op::Inverse, vec![of], [0, left()?]),
            SymKind::Identity(of) => (Op::Identity, vec![of], [0, left()?]),
            SymKind::Override(a, b) => {
                let sides = self.sides_of(ty)?;
                (Op::Overwrite, vec![a, b], [sides[1], sides[0]])
            }
            SymKind::Restrict { op, set, relation } => match op {
                Op::DomainRestriction | Op::DomainSubtraction => {
                    (*op, vec![set, relation], [0, left()?])
                }
                _ => (*op, vec![relation, set], [0, left()?]),
            },
            SymKind::Compose(a, first, b, _) => {
                let middle = self.sides_of(*first)?[1];
                (Op::Composition, vec![a, b], [middle, left()?])
            }
            SymKind::Domain(of @ V::Sym(inner)) => {
                (Op::Domain, vec![of], [self.sides_of(inner.ty)?[1], 0])
            }
            SymKind::Range(of @ V::Sym(inner)) => {
                (Op::Range, vec![of], [self.sides_of(inner.ty)?[0], 0])
            }
            _ => return None,
        };
        self.relation(op, tuple, widths, &mut |ground, at, tuple| {
            ground.in_value(tuple, sets[at])
        })
    }

    /// The numbers of integers in the two components of a relation's pairs.
    fn sides_of(&self, relation: TyId) -> Option<[usize; 2]> {
        let tys = &self.cx.program.tys;
        let Ty::Pow(pair) = tys[relation] else {
            return None;
        };
        let Ty::Prod(left, right) = tys[pair] else {
            return None;
        };
        Some([self.width(left)?, self.width(right)?])
    }

    fn width(&self, ty: TyId) -> Option<usize> {
        match self.cx.program.tys[ty] {
            Ty::Int => Some(1),
            Ty::Prod(left, right) => Some(self.width(left)? + self.width(right)?),
            _ => None,
        }
    }
}

fn listed(tuple: &[Linear], elements: &[V]) -> Option<Said> {
    if elements.len() > LISTED {
        return None;
    }
    let mut parts = Vec::new();
    for element in elements {
        let mut numbers = Vec::new();
        integers(element, &mut numbers)?;
        let numbers = numbers
            .into_iter()
            .map(|number| Linear::number(number.into()));
        parts.push(equals(tuple, &numbers.collect::<Vec<Linear>>())?);
    }
    Some(Said::always(Formula::or(parts)))
}
