//! Carrier sets with their sizes, constants and axioms.

use base::{Diagnostic, Name};
use lang_eventb::check::{DeclId, DeclKind, World};
use lang_math::{ExprId, Exprs, Op, Type};

use super::{Lower, Ref};
use model::codes::BAD_SCOPE;
use model::scope::{DEFAULT_MAX_INT, DEFAULT_MIN_INT, DEFAULT_SET_SIZE, MAX_SET_SIZE, Scopes};
use model::sizes::{Facts, Names};
use model::ty::{Sort, SortOrigin};
use model::{Assertion, Conjunct, Kind, Variable};

/// What names in axioms mean.
struct Named<'w> {
    world: &'w World,
    exprs: &'w Exprs,
}

impl Names<DeclId> for Named<'_> {
    fn exprs(&self) -> &Exprs {
        self.exprs
    }

    fn constant(&self, id: ExprId) -> Option<DeclId> {
        let decl = self.world.meanings[id.index()]?;
        (self.world.decls[decl].kind == DeclKind::Constant).then_some(decl)
    }

    fn carrier(&self, id: ExprId) -> Option<Name> {
        let decl = self.world.meanings[id.index()]?;
        let decl = &self.world.decls[decl];
        (decl.kind == DeclKind::Set).then_some(decl.name)
    }

    fn enumerated(&self, _id: ExprId) -> Option<i64> {
        None
    }
}

impl Lower<'_> {
    fn preference(&mut self, scopes: &Scopes, name: &str) -> Option<i64> {
        scopes.integer_or_told(name, &BAD_SCOPE, &mut self.diagnostics)
    }

    pub(super) fn preferences(&mut self, scopes: &Scopes) {
        let min = self.preference(scopes, "MININT");
        let max = self.preference(scopes, "MAXINT");
        self.model.min_int = min.unwrap_or(DEFAULT_MIN_INT);
        self.model.max_int = max.unwrap_or(DEFAULT_MAX_INT);
        let limits = [
            format!("MININT = {}", self.model.min_int),
            format!("MAXINT = {}", self.model.max_int),
        ];
        self.model.scopes.extend(limits);
    }

    /// Declares the carrier sets; constants that name all elements of a set become its elements.
    pub(super) fn sets(&mut self, scopes: &Scopes) {
        let default = self
            .preference(scopes, "DEFAULT_SETSIZE")
            .and_then(|size| usize::try_from(size).ok())
            .unwrap_or(DEFAULT_SET_SIZE);
        let named = Named {
            world: self.world,
            exprs: &self.checked.project.exprs,
        };
        let mut properties: Vec<(&dyn Names<DeclId>, ExprId)> = Vec::new();
        let mut members = Vec::new();
        for context in self.contexts() {
            for axiom in &self.checked.project.contexts[*context].axioms {
                // What a theorem says follows from the axioms, so it is as good a source.
                properties.push((&named, axiom.formula));
            }
            for decl in &self.world.contexts[*context].constants {
                let declared = &self.world.decls[*decl];
                if let Type::Given(set) = self.world.types.get(declared.ty) {
                    members.push((*set, *decl));
                }
            }
        }
        let limits = (self.model.min_int, self.model.max_int);
        let mut facts = Facts::collect(&properties, members, limits);
        let cards = scopes.cards.iter();
        let fixed = cards.map(|(name, size)| (*name, *size)).collect();
        facts.settle(&fixed, default);
        self.find_copies(|set| scopes.cards.contains_key(&set));
        let mut known = Vec::new();
        let mut copies = Vec::new();
        for context in self.contexts() {
            for decl in &self.world.contexts[*context].sets {
                let name = self.world.decls[*decl].name;
                known.push(name);
                if let Some(element) = self.copies.types.get(&name) {
                    copies.push((*decl, *element));
                    continue;
                }
                self.set(*decl, scopes.cards.get(&name).copied(), default, &facts);
            }
        }
        // What they stand for may have other sets in it.
        for (decl, element) in copies {
            self.copy(decl, element);
        }
        let mut strange: Vec<&Name> = scopes.cards.keys().collect();
        strange.retain(|name| !known.contains(name));
        strange.sort();
        for name in strange {
            let message = format!("--card {name}: the model has no carrier set of this name");
            self.diagnostics
                .push(Diagnostic::global(&BAD_SCOPE, message));
        }
    }

    fn set(&mut self, decl: DeclId, fixed: Option<usize>, default: usize, facts: &Facts<DeclId>) {
        let declared = &self.world.decls[decl];
        let name = declared.name;
        let size = facts.size(name, fixed, default);
        if size.size == 0 || size.size > MAX_SET_SIZE {
            let message = format!("{name} would have {} elements", size.size);
            let error = Diagnostic::error(&BAD_SCOPE, declared.span, message);
            self.diagnostics.push(error);
            return;
        }
        self.model
            .scopes
            .push(format!("card({name}) = {} ({})", size.size, size.because));
        let is_named = size.names.len() == size.size;
        let (elements, origin) = if is_named {
            let names = size.names.iter().map(|decl| self.world.decls[*decl].name);
            (names.collect(), SortOrigin::Named)
        } else {
            let names = (1..=size.size).map(|i| Name::new(&format!("{name}{i}")));
            (names.collect(), SortOrigin::Deferred)
        };
        let sort = self.model.tys.sorts.push(Sort {
            name,
            elements,
            origin,
            span: declared.span,
        });
        self.sorts.insert(name, sort);
        self.refs.insert(decl, Ref::Carrier(sort));
        if is_named {
            for (position, constant) in size.names.iter().enumerate() {
                self.refs
                    .insert(*constant, Ref::Element(sort, position as u32));
            }
        }
    }

    /// Declares the constants that are no elements.
    pub(super) fn constants(&mut self) {
        for context in self.contexts() {
            for decl in &self.world.contexts[*context].constants {
                if !self.refs.contains_key(decl) {
                    self.component(*decl, true);
                }
            }
        }
    }

    /// Declares a constant or variable.
    pub(super) fn component(&mut self, decl: DeclId, is_constant: bool) {
        let declared = &self.world.decls[decl];
        match self.ty(declared.ty) {
            Some(ty) => {
                let var = self.model.variables.push(Variable {
                    name: declared.name,
                    ty,
                    is_constant,
                    span: declared.span,
                });
                self.refs.insert(decl, Ref::Var(var));
            }
            None => self.unsupported(declared.span, format!("the type of `{}`", declared.name)),
        }
    }

    /// Whether a predicate says nothing: that a set of finitely many values is finite.
    fn is_trivial(&self, predicate: model::ExprId) -> bool {
        match &self.model.exprs[predicate].kind {
            Kind::Op(Op::Truth, _) => true,
            Kind::Op(Op::Finite, args) => {
                let ty = self.model.exprs[args[0]].ty;
                ty.is_some_and(|ty| self.model.tys.size(ty, u128::MAX).is_some())
            }
            _ => false,
        }
    }

    pub(super) fn axioms(&mut self) {
        let mut says_something = false;
        for context in self.contexts() {
            for axiom in &self.checked.project.contexts[*context].axioms {
                let label = (!axiom.label.as_str().is_empty()).then_some(axiom.label);
                for part in self.checked.project.exprs.conjuncts(axiom.formula) {
                    let span = self.checked.project.exprs.span(part);
                    let lowered = self.copy_axiom(part, span).or_else(|| self.expr(part));
                    let Some(predicate) = lowered else {
                        continue;
                    };
                    // Where all constants became names of elements there is nothing to set up.
                    says_something |= !axiom.is_theorem
                        && !self.is_trivial(predicate)
                        && !self.model.only_names(predicate);
                    let conjunct = Conjunct {
                        predicate,
                        label,
                        span: self.model.exprs[predicate].span,
                    };
                    if axiom.is_theorem {
                        self.model.assertions.push(Assertion {
                            conjunct,
                            is_static: true,
                        });
                    } else {
                        self.model.properties.push(conjunct);
                    }
                }
            }
        }
        let constants = self
            .model
            .variables
            .iter()
            .any(|(_, variable)| variable.is_constant);
        self.model.has_setup = constants || says_something;
    }
}
