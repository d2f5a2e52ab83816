//! Free types: their constructors, and what these take where that is only a part of a type.
//!
//! `box(1..3)` takes three numbers: the constructor is a function on them, and a free type that is not recursive has
//! the values that its constructors make of them. A recursive one stands as a whole, since no other value of it can be
//! made; what such a constructor takes is not listed ([`model::Tys::is_unlisted`]).

use base::Span;
use lang_b::syntax::ClauseBody;
use lang_math::Op;
use model::ty::{FreeType, Ty, TyId};
use model::{ExprId, FreeId, Kind};
use smallvec::smallvec;

use super::Lower;
use super::expr::Typed;
use super::instance::InstanceId;

impl Lower<'_> {
    /// Declares free types and their constructors.
    pub(super) fn free_types(&mut self) {
        let mut declared = Vec::new();
        for (id, _) in self.checked.project.units.iter() {
            let machine = &self.world.machines[id.index()];
            for clause in &machine.component.clauses {
                let ClauseBody::FreeTypes(types) = &clause.body else {
                    continue;
                };
                for free in types {
                    if let Some(parameter) = free.parameters.first() {
                        self.unsupported(parameter.span, "a free type with parameters");
                        continue;
                    }
                    let free_id = self.model.tys.free.push(FreeType::named(free.name));
                    self.frees.insert(free.name, free_id);
                    declared.push((free_id, free, machine));
                }
            }
        }
        for (free_id, free, machine) in declared {
            let constructors = free
                .constructors
                .iter()
                .map(|constructor| {
                    let argument = constructor.argument.and_then(|_| {
                        let decl = machine.global(constructor.name)?;
                        let ty = self.ty(self.world.decls[decl].ty)?;
                        let Ty::Pow(pair) = self.model.tys[ty] else {
                            return None;
                        };
                        match self.model.tys[pair] {
                            Ty::Prod(argument, _) => Some(argument),
                            _ => None,
                        }
                    });
                    (constructor.name, argument)
                })
                .collect();
            self.model.tys.free[free_id].constructors = constructors;
        }
    }

    /// What constructors take, once constants have their places.
    pub(super) fn free_domains(&mut self) {
        let main = self.instance;
        let instances: Vec<InstanceId> = self.instances.all().collect();
        for instance in instances {
            self.instance = instance;
            let machine = &self.world.machines[self.instances.unit(instance).index()];
            let view = Typed::of(machine);
            for clause in &machine.component.clauses {
                let ClauseBody::FreeTypes(types) = &clause.body else {
                    continue;
                };
                for free in types {
                    let Some(id) = self.frees.get(&free.name).copied() else {
                        continue;
                    };
                    let mut domains = Vec::new();
                    for constructor in &free.constructors {
                        let set = constructor.argument;
                        let set = set.and_then(|argument| self.expr(&view, argument));
                        domains.push(set.filter(|set| !self.model.is_whole(*set)));
                    }
                    self.model.tys.free[id].domains = domains;
                }
            }
        }
        self.instance = main;
    }

    /// A constructor as a function on what it takes, or as a value.
    pub(super) fn constructor(&mut self, free: FreeId, index: u32, ty: TyId, span: Span) -> ExprId {
        let whole = self.push(Kind::Constructor(free, index), Some(ty), span);
        match self.model.tys.free[free].domain(index) {
            Some(set) => {
                let restricted = Kind::Op(Op::DomainRestriction, smallvec![set, whole]);
                self.push(restricted, Some(ty), span)
            }
            None => whole,
        }
    }

    /// The values of a free type.
    pub(super) fn free_set(&mut self, free: FreeId, ty: TyId, span: Span) -> ExprId {
        let whole = Kind::FreeSet(free);
        let has_parts = self.model.tys.free[free]
            .domains
            .iter()
            .any(Option::is_some);
        if !has_parts || self.model.tys.is_recursive(free) {
            return self.push(whole, Some(ty), span);
        }
        let element = self.model.tys.intern(Ty::Free(free));
        let mut all: Option<ExprId> = None;
        for (index, (_, argument)) in (0u32..).zip(self.model.tys.free[free].constructors.clone()) {
            let part = match argument {
                None => {
                    let value = self.push(Kind::Constructor(free, index), Some(element), span);
                    Kind::Op(Op::SetExtension, smallvec![value])
                }
                Some(argument) => {
                    let pair = self.model.tys.intern(Ty::Prod(argument, element));
                    let function = self.model.tys.intern(Ty::Pow(pair));
                    let function = self.constructor(free, index, function, span);
                    Kind::Op(Op::Range, smallvec![function])
                }
            };
            let part = self.push(part, Some(ty), span);
            all = Some(match all {
                None => part,
                Some(left) => {
                    let union = Kind::Op(Op::Union, smallvec![left, part]);
                    self.push(union, Some(ty), span)
                }
            });
        }
        all.unwrap_or_else(|| self.push(whole, Some(ty), span))
    }
}
