//! Types and their unification.
//!
//! Robinson's unification over a union-find arena, with an occurs check. Overloading is a *class* on the
//! type variable (a number, a number or a set, a sequence or a STRING) instead of a list of delayed
//! constraints: unifying two variables meets their classes, binding one checks its class. Only `*` needs
//! more, because its three types differ; the checker keeps those aside.
//! Types share parts, so their size as trees can be exponential in what is stored. Every walk here therefore
//! visits a part once: ground parts are remembered, equal parts are merged, and what is shown is cut short.
//! Invariant: a type that was ground once stays ground.
//! Invariant: a bound variable remembers the place that bound it, so an error can show both origins.

mod show;
mod unify;

use std::cell::Cell;

use base::{Arena, Id, Name, Span, deep};
use rustc_hash::{FxHashMap, FxHashSet};

/// Names a type of a [`Types`].
pub type TypeId = Id<Type>;

/// A type; equal types may have different ids.
#[derive(Clone, Debug, PartialEq)]
pub enum Type {
    /// `BOOL`
    Bool,
    /// `INTEGER`
    Int,
    /// `REAL`
    Real,
    /// `STRING`
    Str,
    /// A deferred or enumerated set, a set parameter, or a free type.
    Given(Name),
    /// `POW(t)`
    Pow(TypeId),
    /// `s*t`
    Prod(TypeId, TypeId),
    /// `struct(a:t, …)`, fields sorted by name.
    Record(Vec<(Name, TypeId)>),
    /// A type not known yet.
    Var(Var),
    /// The type of something that was reported already; fits everywhere.
    Error,
}

/// A type variable.
#[derive(Clone, Debug, PartialEq)]
pub struct Var {
    class: VarClass,
    bound: Option<TypeId>,
    origin: Option<Span>,
}

/// What a type variable may become.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum VarClass {
    /// Anything.
    Any,
    /// INTEGER or REAL.
    Number,
    /// INTEGER, REAL or a set.
    NumberOrSet,
    /// A sequence or STRING.
    SequenceOrString,
    /// Any set.
    Set,
}

/// Why two types do not fit: the innermost pair that differs.
#[derive(Clone, Debug)]
pub struct Mismatch {
    /// Part of the first type.
    pub left: TypeId,
    /// Part of the second type.
    pub right: TypeId,
    /// Whether the types differ because one would have to contain itself.
    pub infinite: bool,
}

/// All types of a run.
#[derive(Clone, Debug)]
pub struct Types {
    types: Arena<Type>,
    /// What is known about each type besides its form.
    facts: Vec<Facts>,
}

/// What is known about a type besides its form.
#[derive(Clone, Debug, Default)]
struct Facts {
    /// No variable is left in it.
    ground: Cell<bool>,
    /// It is a variable that some type has a part of: a variable that is not can occur in none.
    inside: Cell<bool>,
    /// It is bound to this type, or was found equal to it.
    forward: Cell<Option<TypeId>>,
}

impl Default for Types {
    fn default() -> Types {
        Types::new()
    }
}

impl Types {
    /// The base types only.
    pub fn new() -> Types {
        let mut types = Types {
            types: Arena::new(),
            facts: Vec::new(),
        };
        for base in [Type::Bool, Type::Int, Type::Real, Type::Str, Type::Error] {
            types.push(base);
        }
        types
    }

    fn push(&mut self, ty: Type) -> TypeId {
        let part = |id: TypeId| {
            let facts = &self.facts[self.resolve(id).index()];
            facts.inside.set(true);
            facts.ground.get()
        };
        let ground = match &ty {
            Type::Var(_) => false,
            Type::Pow(inner) => part(*inner),
            Type::Prod(left, right) => part(*left) & part(*right),
            Type::Record(fields) => fields.iter().fold(true, |all, (_, ty)| all & part(*ty)),
            _ => true,
        };
        self.facts.push(Facts {
            ground: Cell::new(ground),
            inside: Cell::new(false),
            forward: Cell::new(None),
        });
        self.types.push(ty)
    }

    fn known_ground(&self, id: TypeId) -> bool {
        self.facts[self.resolve(id).index()].ground.get()
    }

    /// `BOOL`
    pub fn bool(&self) -> TypeId {
        Id::new(0)
    }
    /// `INTEGER`
    pub fn int(&self) -> TypeId {
        Id::new(1)
    }
    /// `REAL`
    pub fn real(&self) -> TypeId {
        Id::new(2)
    }
    /// `STRING`
    pub fn string(&self) -> TypeId {
        Id::new(3)
    }
    /// The type that fits everywhere.
    pub fn error(&self) -> TypeId {
        Id::new(4)
    }
    /// A given set's type.
    pub fn given(&mut self, name: Name) -> TypeId {
        self.push(Type::Given(name))
    }
    /// `POW(element)`
    pub fn pow(&mut self, element: TypeId) -> TypeId {
        self.push(Type::Pow(element))
    }
    /// `left*right`
    pub fn prod(&mut self, left: TypeId, right: TypeId) -> TypeId {
        self.push(Type::Prod(left, right))
    }
    /// `POW(left*right)`
    pub fn relation(&mut self, left: TypeId, right: TypeId) -> TypeId {
        let pair = self.prod(left, right);
        self.pow(pair)
    }
    /// `POW(INTEGER*element)`
    pub fn sequence(&mut self, element: TypeId) -> TypeId {
        let index = self.int();
        self.relation(index, element)
    }
    /// A record type; fields are put in order.
    pub fn record(&mut self, mut fields: Vec<(Name, TypeId)>) -> TypeId {
        fields.sort_by_key(|(name, _)| *name);
        self.push(Type::Record(fields))
    }
    /// A new variable that may become anything.
    pub fn fresh(&mut self) -> TypeId {
        self.fresh_of(VarClass::Any)
    }
    /// A new variable of a class.
    pub fn fresh_of(&mut self, class: VarClass) -> TypeId {
        self.push(Type::Var(Var {
            class,
            bound: None,
            origin: None,
        }))
    }

    /// The type behind bound variables and merged types.
    pub fn resolve(&self, id: TypeId) -> TypeId {
        let next = |id: TypeId| self.facts[id.index()].forward.get();
        let mut root = id;
        while let Some(to) = next(root) {
            root = to;
        }
        // The next search along this way is a short one.
        let mut passed = id;
        while let Some(to) = next(passed) {
            if to == root {
                break;
            }
            self.facts[passed.index()].forward.set(Some(root));
            passed = to;
        }
        root
    }

    /// The outermost constructor of a type.
    pub fn get(&self, id: TypeId) -> &Type {
        &self.types[self.resolve(id)]
    }

    /// The class of a type that is still a variable.
    pub fn class(&self, id: TypeId) -> Option<VarClass> {
        match self.get(id) {
            Type::Var(var) => Some(var.class),
            _ => None,
        }
    }

    /// Where the first variable on the way to this type was bound.
    pub fn origin(&self, id: TypeId) -> Option<Span> {
        match &self.types[id] {
            Type::Var(var) => var
                .origin
                .or_else(|| var.bound.and_then(|to| self.origin(to))),
            _ => None,
        }
    }

    /// Whether no variable is left in a type.
    pub fn is_ground(&self, id: TypeId) -> bool {
        let id = self.resolve(id);
        let known = &self.facts[id.index()].ground;
        if !known.get() {
            known.set(deep::recurse(|| match &self.types[id] {
                Type::Var(_) => false,
                Type::Pow(inner) => self.is_ground(*inner),
                Type::Prod(left, right) => self.is_ground(*left) && self.is_ground(*right),
                Type::Record(fields) => fields.iter().all(|(_, ty)| self.is_ground(*ty)),
                _ => true,
            }));
        }
        known.get()
    }

    /// Gives every variable left in a type a meaning where its class has a natural one: numbers are
    /// integers, sequence operators work on sequences.
    pub fn default_classes(&mut self, id: TypeId) {
        self.default_below(id, &mut FxHashSet::default());
    }

    fn default_below(&mut self, id: TypeId, seen: &mut FxHashSet<TypeId>) {
        let id = self.resolve(id);
        if self.known_ground(id) || !seen.insert(id) {
            return;
        }
        match self.types[id].clone() {
            Type::Var(var) => {
                let to = match var.class {
                    VarClass::Number => self.int(),
                    VarClass::SequenceOrString => {
                        let element = self.fresh();
                        self.sequence(element)
                    }
                    VarClass::Set => {
                        let element = self.fresh();
                        self.pow(element)
                    }
                    VarClass::Any | VarClass::NumberOrSet => return,
                };
                self.set(id, to, None);
            }
            Type::Pow(inner) => deep::recurse(|| self.default_below(inner, seen)),
            Type::Prod(left, right) => deep::recurse(|| {
                self.default_below(left, seen);
                self.default_below(right, seen);
            }),
            Type::Record(fields) => deep::recurse(|| {
                for (_, ty) in fields {
                    self.default_below(ty, seen);
                }
            }),
            _ => {}
        }
    }

    /// Gives every variable left in a type the type that fits everywhere: it was reported.
    pub fn close(&mut self, id: TypeId) {
        let error = self.error();
        self.fill(id, error);
    }

    /// Gives every variable left in a type some type: nothing depends on which.
    pub fn choose(&mut self, id: TypeId) {
        let bool = self.bool();
        self.fill(id, bool);
    }

    fn fill(&mut self, id: TypeId, with: TypeId) {
        let id = self.resolve(id);
        if self.known_ground(id) {
            return;
        }
        self.facts[id.index()].ground.set(true);
        match self.types[id].clone() {
            Type::Var(_) => self.set(id, with, None),
            Type::Pow(inner) => deep::recurse(|| self.fill(inner, with)),
            Type::Prod(left, right) => deep::recurse(|| {
                self.fill(left, with);
                self.fill(right, with);
            }),
            Type::Record(fields) => deep::recurse(|| {
                for (_, ty) in fields {
                    self.fill(ty, with);
                }
            }),
            _ => {}
        }
    }

    /// A copy of `id` in which given sets are replaced: an included machine's parameters become the
    /// including machine's types.
    pub fn substitute(&mut self, id: TypeId, given: &dyn Fn(Name) -> Option<TypeId>) -> TypeId {
        self.substitute_below(id, given, &mut FxHashMap::default())
    }

    fn substitute_below(
        &mut self,
        id: TypeId,
        given: &dyn Fn(Name) -> Option<TypeId>,
        known: &mut FxHashMap<TypeId, TypeId>,
    ) -> TypeId {
        let id = self.resolve(id);
        if let Some(changed) = known.get(&id) {
            return *changed;
        }
        let mut below =
            |types: &mut Types, id| deep::recurse(|| types.substitute_below(id, given, known));
        let changed = match self.types[id].clone() {
            Type::Given(name) => given(name).unwrap_or(id),
            Type::Pow(inner) => {
                let changed = below(self, inner);
                if changed == self.resolve(inner) {
                    id
                } else {
                    self.pow(changed)
                }
            }
            Type::Prod(left, right) => {
                let (l, r) = (below(self, left), below(self, right));
                if (l, r) == (self.resolve(left), self.resolve(right)) {
                    id
                } else {
                    self.prod(l, r)
                }
            }
            Type::Record(fields) => {
                let changed: Vec<_> = fields
                    .iter()
                    .map(|(name, ty)| (*name, below(self, *ty)))
                    .collect();
                if changed
                    .iter()
                    .zip(&fields)
                    .all(|((_, new), (_, old))| *new == self.resolve(*old))
                {
                    id
                } else {
                    self.record(changed)
                }
            }
            _ => id,
        };
        known.insert(id, changed);
        changed
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use base::{FileId, Span};

    fn here() -> Span {
        Span::new(FileId::new(0), 0, 0)
    }

    #[test]
    fn unification_is_symmetric_on_a_small_universe() {
        // All types of depth two over BOOL, INTEGER and two variables.
        let build = |n: usize, types: &mut Types, vars: [TypeId; 2]| {
            let leaf = |k: usize, types: &Types| match k % 4 {
                0 => types.bool(),
                1 => types.int(),
                2 => vars[0],
                _ => vars[1],
            };
            let (a, b) = (leaf(n, types), leaf(n / 4, types));
            match n / 16 {
                0 => a,
                1 => types.pow(a),
                _ => types.prod(a, b),
            }
        };
        for i in 0..48 {
            for j in 0..48 {
                let outcome = |flip: bool| {
                    let mut types = Types::new();
                    let vars = [types.fresh(), types.fresh()];
                    let (a, b) = (build(i, &mut types, vars), build(j, &mut types, vars));
                    let (a, b) = if flip { (b, a) } else { (a, b) };
                    let result = types.unify(a, b, here());
                    if result.is_ok() {
                        assert_eq!(types.show(a), types.show(b));
                    }
                    result.is_ok()
                };
                assert_eq!(outcome(false), outcome(true), "{i} {j}");
            }
        }
    }

    #[test]
    fn a_type_never_contains_itself() {
        let mut types = Types::new();
        let var = types.fresh();
        let set = types.pow(var);
        assert!(types.unify(var, set, here()).unwrap_err().infinite);
    }

    #[test]
    fn types_of_exponential_size_are_handled_as_what_is_stored() {
        let mut types = Types::new();
        let doubled =
            |types: &mut Types, from: TypeId| (0..60).fold(from, |part, _| types.prod(part, part));
        let (x, y) = (types.fresh(), types.fresh());
        let (a, b) = (doubled(&mut types, x), doubled(&mut types, y));
        types.unify(a, b, here()).unwrap();
        types.default_classes(a);
        assert!(!types.is_ground(a));
        let int = types.int();
        types.unify(x, int, here()).unwrap();
        assert!(types.is_ground(b));
        assert!(types.show(b).len() < 1_000);
        assert_eq!(types.substitute(b, &|_| None), types.resolve(b));
        let z = types.fresh();
        let deeper = doubled(&mut types, z);
        assert!(types.unify(z, deeper, here()).unwrap_err().infinite);
        types.close(deeper);
        assert!(types.is_ground(deeper));
    }

    #[test]
    fn classes_decide_overloading() {
        let mut types = Types::new();
        let difference = types.fresh_of(VarClass::NumberOrSet);
        let number = types.fresh_of(VarClass::Number);
        types.unify(difference, number, here()).unwrap();
        let set = types.fresh();
        let set = types.pow(set);
        assert!(types.unify(difference, set, here()).is_err());
        let real = types.real();
        types.unify(number, real, here()).unwrap();
        assert_eq!(types.show(difference), "REAL");
        let sequence = types.fresh_of(VarClass::SequenceOrString);
        let int = types.int();
        let integers = types.pow(int);
        assert!(types.unify(sequence, integers, here()).is_err());
    }
}
