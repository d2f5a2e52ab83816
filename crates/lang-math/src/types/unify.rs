//! Unification: two types become one, or the place where they differ is told.
//!
//! Invariant: a type never contains itself.

use base::{Span, deep};
use rustc_hash::FxHashSet;

use super::{Mismatch, Type, TypeId, Types, Var, VarClass};

impl Types {
    /// Makes two types equal, or says where they differ. `at` is the place that asks for it.
    pub fn unify(&mut self, left: TypeId, right: TypeId, at: Span) -> Result<(), Mismatch> {
        let left = self.resolve(left);
        let right = self.resolve(right);
        if left == right {
            return Ok(());
        }
        let differ = Mismatch {
            left,
            right,
            infinite: false,
        };
        match (&self.types[left], &self.types[right]) {
            // What meets something reported already is not reported again.
            (Type::Error, _) => {
                self.close(right);
                Ok(())
            }
            (_, Type::Error) => {
                self.close(left);
                Ok(())
            }
            (Type::Var(a), Type::Var(b)) => {
                let classes = (a.class, b.class);
                if let (VarClass::SequenceOrString, VarClass::NumberOrSet | VarClass::Set)
                | (VarClass::NumberOrSet | VarClass::Set, VarClass::SequenceOrString) = classes
                {
                    // What is a set and a sequence or a STRING is a sequence.
                    let element = self.fresh();
                    let sequence = self.sequence(element);
                    self.bind(right, sequence, at);
                    self.bind(left, right, at);
                    return Ok(());
                }
                let class = meet(classes.0, classes.1).ok_or(differ)?;
                // The younger one goes: names that occur often do not become long chains.
                let (kept, other) = (left.min(right), left.max(right));
                if let Type::Var(var) = &mut self.types[kept] {
                    var.class = class;
                }
                if self.facts[other.index()].inside.get() {
                    self.facts[kept.index()].inside.set(true);
                }
                self.bind(other, kept, at);
                Ok(())
            }
            (Type::Var(_), _) => self.bind_to(left, right, at),
            (_, Type::Var(_)) => self.bind_to(right, left, at).map_err(|found| Mismatch {
                left: found.right,
                right: found.left,
                ..found
            }),
            (Type::Pow(a), Type::Pow(b)) => {
                let (a, b) = (*a, *b);
                deep::recurse(|| self.unify(a, b, at))?;
                self.merge(left, right);
                Ok(())
            }
            (Type::Prod(a, b), Type::Prod(c, d)) => {
                let (a, b, c, d) = (*a, *b, *c, *d);
                deep::recurse(|| self.unify(a, c, at))?;
                deep::recurse(|| self.unify(b, d, at))?;
                self.merge(left, right);
                Ok(())
            }
            (Type::Record(xs), Type::Record(ys)) => {
                if xs.len() != ys.len() || xs.iter().zip(ys).any(|(x, y)| x.0 != y.0) {
                    return Err(differ);
                }
                let pairs: Vec<_> = xs.iter().zip(ys).map(|(x, y)| (x.1, y.1)).collect();
                for (x, y) in pairs {
                    deep::recurse(|| self.unify(x, y, at))?;
                }
                self.merge(left, right);
                Ok(())
            }
            (a, b) if a == b => Ok(()),
            _ => Err(differ),
        }
    }

    /// Lets one of two equal types stand for both, so that they are never compared again.
    pub(super) fn merge(&mut self, left: TypeId, right: TypeId) {
        if left == right {
            return;
        }
        // The older one stays: what is shared by many is not passed through chains.
        let (kept, other) = (left.min(right), left.max(right));
        self.facts[other.index()].forward.set(Some(kept));
    }

    /// Restricts a variable to a class, or checks that a known type belongs to it.
    pub fn restrict(&mut self, id: TypeId, class: VarClass, at: Span) -> Result<(), Mismatch> {
        let var = self.fresh_of(class);
        self.unify(id, var, at)
    }

    pub(super) fn bind(&mut self, var: TypeId, to: TypeId, at: Span) {
        self.set(var, to, Some(at));
    }

    pub(super) fn set(&mut self, id: TypeId, to: TypeId, at: Option<Span>) {
        self.facts[id.index()].forward.set(Some(to));
        if let Type::Var(var) = &mut self.types[id] {
            var.bound = Some(to);
            var.origin = at;
        }
    }

    pub(super) fn bind_to(&mut self, var: TypeId, to: TypeId, at: Span) -> Result<(), Mismatch> {
        let mismatch = |infinite| Mismatch {
            left: var,
            right: to,
            infinite,
        };
        if self.occurs(var, to) {
            return Err(mismatch(true));
        }
        let Type::Var(Var { class, .. }) = self.types[var] else {
            unreachable!("only variables are bound")
        };
        let fits = match class {
            VarClass::Any => true,
            VarClass::Number => matches!(self.types[to], Type::Int | Type::Real),
            VarClass::NumberOrSet => {
                matches!(self.types[to], Type::Int | Type::Real | Type::Pow(_))
            }
            VarClass::Set => matches!(self.types[to], Type::Pow(_)),
            VarClass::SequenceOrString => match self.types[to] {
                Type::Str => true,
                Type::Pow(_) => {
                    let element = self.fresh();
                    let sequence = self.sequence(element);
                    self.unify(to, sequence, at)?;
                    true
                }
                _ => false,
            },
        };
        if !fits {
            return Err(mismatch(false));
        }
        self.bind(var, to, at);
        Ok(())
    }

    pub(super) fn occurs(&self, var: TypeId, id: TypeId) -> bool {
        let inside = self.facts[var.index()].inside.get();
        if !inside || self.is_ground(id) {
            return self.resolve(id) == var;
        }
        let mut pending = vec![id];
        let mut seen: FxHashSet<TypeId> = FxHashSet::default();
        while let Some(id) = pending.pop() {
            let id = self.resolve(id);
            if id == var {
                return true;
            }
            if self.known_ground(id) || !seen.insert(id) {
                continue;
            }
            match &self.types[id] {
                Type::Pow(inner) => pending.push(*inner),
                Type::Prod(left, right) => pending.extend([*left, *right]),
                Type::Record(fields) => pending.extend(fields.iter().map(|(_, ty)| *ty)),
                _ => {}
            }
        }
        false
    }
}

/// The class of what belongs to both; `None` when nothing does.
pub(super) fn meet(a: VarClass, b: VarClass) -> Option<VarClass> {
    use VarClass::{Any, Number, NumberOrSet, Set};
    match (a, b) {
        (Any, other) | (other, Any) => Some(other),
        (a, b) if a == b => Some(a),
        (Number, NumberOrSet) | (NumberOrSet, Number) => Some(Number),
        (Set, NumberOrSet) | (NumberOrSet, Set) => Some(Set),
        _ => None,
    }
}
