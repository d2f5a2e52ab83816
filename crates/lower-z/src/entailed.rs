//! Leaves out that values after an operation are in their declared sets, where the way they are made shows it.
//!
//! `table' = table ⊕ {u ↦ μ e : Entry | …}` is in `USER ⇸ Entry` when `table` is, which every state says. Such a membership
//! looks at the whole table in every step; most operations change one entry of it.
//! Invariant: a rule that is not listed proves nothing, so what is left out follows from what stays.

use base::deep;
use lang_math::Op;
use model::{ExprId, Kind};

use super::Lower;
use super::redundant::{Known, key};

/// What holds without being asked.
pub(super) struct Grounds<'k> {
    /// What every state satisfies.
    pub always: &'k Known,
    /// What the operation asks of the values before.
    pub said: &'k Known,
}

impl Lower<'_> {
    /// Whether a conjunct `x' ∈ S` follows from an equation for `x'` among others.
    pub(super) fn is_entailed(
        &mut self,
        conjunct: ExprId,
        others: &[ExprId],
        grounds: &Grounds<'_>,
    ) -> bool {
        let Kind::Op(Op::Member, args) = &self.model.exprs[conjunct].kind else {
            return false;
        };
        let (element, set) = (args[0], args[1]);
        let Kind::Local(local) = self.model.exprs[element].kind else {
            return false;
        };
        let is_local = |lower: &Self, expr: ExprId| matches!(lower.model.exprs[expr].kind, Kind::Local(known) if known == local);
        for other in others {
            let Kind::Op(Op::Equal, sides) = &self.model.exprs[*other].kind else {
                continue;
            };
            for (name, value) in [(sides[0], sides[1]), (sides[1], sides[0])] {
                if is_local(self, name)
                    && !self.mentions(value, &[local])
                    && self.is_in(value, set, grounds)
                {
                    return true;
                }
            }
        }
        false
    }

    /// Whether a value, if there is one, is certainly in a set.
    fn is_in(&mut self, value: ExprId, set: ExprId, grounds: &Grounds<'_>) -> bool {
        deep::recurse(|| self.is_in_here(value, set, grounds))
    }

    fn is_in_here(&mut self, value: ExprId, set: ExprId, grounds: &Grounds<'_>) -> bool {
        if self.model.is_whole(set) || self.is_said(value, set, grounds) {
            return true;
        }
        match self.model.exprs[value].kind.clone() {
            Kind::If(_, yes, no) => {
                return self.is_in(yes, set, grounds) && self.is_in(no, set, grounds);
            }
            Kind::Let(_, _, body) => return self.is_in(body, set, grounds),
            Kind::Apply(function, _) => return self.is_image_in(function, set, grounds),
            _ => {}
        }
        let Kind::Op(space, of) = self.model.exprs[set].kind.clone() else {
            return false;
        };
        let Kind::Op(op, args) = self.model.exprs[value].kind.clone() else {
            return false;
        };
        match space {
            Op::PartialFunctions => self.is_function(op, &args, set, (of[0], of[1]), grounds),
            Op::TotalFunctions => {
                op == Op::Overwrite
                    && self.is_in(args[0], set, grounds)
                    && self.is_one_point(args[1], (of[0], of[1]), grounds)
            }
            Op::PowerSet | Op::FiniteSubsets => match op {
                Op::EmptySet => true,
                Op::Union => args.iter().all(|arg| self.is_in(*arg, set, grounds)),
                Op::Intersection => args.iter().any(|arg| self.is_in(*arg, set, grounds)),
                Op::SetMinus => self.is_in(args[0], set, grounds),
                Op::SetExtension => args.iter().all(|arg| self.is_in(*arg, of[0], grounds)),
                _ => false,
            },
            Op::Sequences => match op {
                Op::EmptySequence => true,
                Op::Concat => args.iter().all(|arg| self.is_in(*arg, set, grounds)),
                Op::Tail | Op::Front | Op::Reverse => self.is_in(args[0], set, grounds),
                Op::SequenceExtension => args.iter().all(|arg| self.is_in(*arg, of[0], grounds)),
                Op::DomainRestriction => {
                    self.is_beginning(args[0]) && self.is_in(args[1], set, grounds)
                }
                _ => false,
            },
            _ => false,
        }
    }

    /// Whether a set is the numbers from 1 to some other.
    fn is_beginning(&self, set: ExprId) -> bool {
        match &self.model.exprs[set].kind {
            Kind::Op(Op::Interval, bounds) => {
                matches!(&self.model.exprs[bounds[0]].kind, Kind::Int(one) if *one == 1.into())
            }
            _ => false,
        }
    }

    /// Whether somebody says that a value is in a set.
    fn is_said(&mut self, value: ExprId, set: ExprId, grounds: &Grounds<'_>) -> bool {
        if let Some(sets) = self.members.get(&value)
            && sets.contains(&key(&self.model, set))
        {
            return true;
        }
        let span = self.model.exprs[value].span;
        let member = self.test(Op::Member, smallvec::smallvec![value, set], span);
        grounds.always.has(&self.model, member) || grounds.said.has(&self.model, member)
    }

    /// Whether a partial function is made of others, so that it is one.
    fn is_function(
        &mut self,
        op: Op,
        args: &[ExprId],
        set: ExprId,
        sides: (ExprId, ExprId),
        grounds: &Grounds<'_>,
    ) -> bool {
        match op {
            Op::EmptySet => true,
            Op::DomainSubtraction | Op::DomainRestriction => self.is_in(args[1], set, grounds),
            Op::RangeSubtraction | Op::RangeRestriction | Op::SetMinus => {
                self.is_in(args[0], set, grounds)
            }
            Op::Overwrite => args.iter().all(|arg| self.is_in(*arg, set, grounds)),
            Op::SetExtension => self.is_pair_in(args, sides, grounds),
            Op::Union => {
                let [function, more] = args else {
                    return false;
                };
                self.is_in(*function, set, grounds)
                    && self.is_one_point(*more, sides, grounds)
                    && self.is_new(*more, *function, grounds)
            }
            _ => false,
        }
    }

    /// Whether the operation asks that a function has no value yet where one point has one.
    fn is_new(&mut self, point: ExprId, function: ExprId, grounds: &Grounds<'_>) -> bool {
        let Kind::Op(Op::SetExtension, pairs) = self.model.exprs[point].kind.clone() else {
            return false;
        };
        let Kind::Op(Op::Maplet, sides) = self.model.exprs[pairs[0]].kind.clone() else {
            return false;
        };
        let span = self.model.exprs[function].span;
        let domain = Kind::Op(Op::Domain, smallvec::smallvec![function]);
        let domain = self.push(domain, None, span);
        let absent = self.test(Op::NotMember, smallvec::smallvec![sides[0], domain], span);
        grounds.said.has(&self.model, absent)
    }

    fn is_one_point(
        &mut self,
        function: ExprId,
        sides: (ExprId, ExprId),
        grounds: &Grounds<'_>,
    ) -> bool {
        match self.model.exprs[function].kind.clone() {
            Kind::Op(Op::SetExtension, args) => self.is_pair_in(&args, sides, grounds),
            _ => false,
        }
    }

    /// Whether a list is one pair of elements of two sets.
    fn is_pair_in(
        &mut self,
        args: &[ExprId],
        (from, to): (ExprId, ExprId),
        grounds: &Grounds<'_>,
    ) -> bool {
        let [pair] = args else {
            return false;
        };
        match self.model.exprs[*pair].kind.clone() {
            Kind::Op(Op::Maplet, sides) => {
                self.is_in(sides[0], from, grounds) && self.is_in(sides[1], to, grounds)
            }
            _ => false,
        }
    }

    /// Whether all values of a function that every state has are in a set.
    fn is_image_in(&mut self, function: ExprId, set: ExprId, grounds: &Grounds<'_>) -> bool {
        let Kind::Var(var) = self.model.exprs[function].kind else {
            return false;
        };
        self.ranges
            .get(&var)
            .is_some_and(|range| *range == key(&self.model, set))
            && grounds.always.is_some()
    }
}
