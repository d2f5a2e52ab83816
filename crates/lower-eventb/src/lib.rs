//! Event-B to the model: contexts become constants with properties, events become guarded actions, and all levels
//! of refinement run together.
//!
//! The state holds the variables of the chosen machine and the variables of the machines it refines that it does
//! not keep. The invariants of all levels are invariants, so gluing invariants are checked like any other.
//! `refine.rs` says what a step of the chosen machine owes to the levels above it.

mod contexts;
mod copies;
mod datatypes;
mod events;
mod expr;
mod question;
mod refine;

use base::{Diagnostic, Diagnostics, Name, Span};
use lang_eventb::check::{Checked, Component, DeclId, DeclKind, World};
use lang_math::{Type, TypeId};
use rustc_hash::FxHashMap;

pub use question::question;

use model::codes::UNSUPPORTED;
use model::scope::Scopes;
use model::ty::{Notation, Ty, TyId, Tys};
use model::{Expr, ExprId, FreeId, Kind, LocalId, Model, SortId, Stmt, StmtId, VarId};

/// Which levels run, and what is checked about refinement.
#[derive(Clone, Copy, Debug)]
pub struct Levels {
    /// The machine or context to run.
    pub component: Component,
    /// Whether the machines it refines are left out.
    pub concrete_only: bool,
    /// Whether a step that is none of the refined machine is a finding; else it is only no transition.
    pub findings: bool,
    /// Whether convergent and anticipated events are compared with the variant.
    pub variants: bool,
    /// Whether theorems among guards are checked.
    pub theorems: bool,
}

/// What a global name stands for.
#[derive(Clone, Copy, Debug)]
enum Ref {
    Var(VarId),
    Element(SortId, u32),
    Carrier(SortId),
    /// All values of a type.
    Whole(TyId),
}

struct Lower<'a> {
    checked: &'a Checked,
    world: &'a World,
    levels: Levels,
    model: Model,
    diagnostics: Diagnostics,
    sorts: FxHashMap<Name, SortId>,
    /// Carrier sets that stand for infinite types.
    copies: copies::Copies,
    /// Free types, by data type and types of its parameters.
    frees: FxHashMap<(Name, Vec<TyId>), FreeId>,
    refs: FxHashMap<DeclId, Ref>,
    /// The locals that stand for parameters and bound names at the moment.
    locals: FxHashMap<DeclId, LocalId>,
    /// What variables and parameters stand for instead, at the moment.
    now: FxHashMap<DeclId, ExprId>,
    /// The values of variables after the event that is being lowered.
    after: FxHashMap<DeclId, ExprId>,
    /// The locals that hold the values of variables before a step, in a formula about it.
    before: FxHashMap<DeclId, LocalId>,
}

/// Lowers a machine, with the machines it refines, or a context of a checked project.
pub fn lower(checked: &Checked, levels: Levels, scopes: &Scopes) -> Result<Model, Diagnostics> {
    let mut lower = Lower::new(checked, levels);
    lower.preferences(scopes);
    lower.sets(scopes);
    lower.constants();
    lower.axioms();
    if let Component::Machine(_) = levels.component {
        lower.variables();
        lower.invariants();
        lower.initialisation();
        lower.events();
    }
    if lower.diagnostics.has_errors() {
        Err(lower.diagnostics)
    } else {
        Ok(lower.model)
    }
}

impl<'a> Lower<'a> {
    /// Finds again what `lower` declared.
    fn adopt(&mut self) {
        for (id, sort) in self.model.tys.sorts.iter() {
            self.sorts.insert(sort.name, id);
        }
        let sorts = self.sorts.clone();
        self.find_copies(|set| sorts.contains_key(&set));
        let mut decls: Vec<DeclId> = Vec::new();
        for context in self.contexts() {
            let info = &self.world.contexts[*context];
            decls.extend(info.sets.iter().chain(&info.constants));
        }
        for machine in self.chain() {
            decls.extend(&self.world.machines[machine].variables);
        }
        for decl in decls {
            let name = self.world.decls[decl].name;
            let variable = self
                .model
                .variables
                .iter()
                .find_map(|(id, variable)| (variable.name == name).then_some(id));
            let found = match (self.world.decls[decl].kind, variable) {
                (DeclKind::Set, _) => match self.copies.types.get(&name).copied() {
                    Some(element) => self.ty(element).map(Ref::Whole),
                    None => self.sorts.get(&name).map(|sort| Ref::Carrier(*sort)),
                },
                (_, Some(id)) => Some(Ref::Var(id)),
                (_, None) => self.element(name),
            };
            if let Some(found) = found {
                self.refs.entry(decl).or_insert(found);
            }
        }
    }

    /// The element of a carrier set with this name.
    fn element(&self, name: Name) -> Option<Ref> {
        self.model.tys.sorts.iter().find_map(|(id, sort)| {
            let position = sort.elements.iter().position(|element| *element == name)?;
            Some(Ref::Element(id, position as u32))
        })
    }
}

impl<'a> Lower<'a> {
    fn new(checked: &'a Checked, levels: Levels) -> Lower<'a> {
        Lower {
            checked,
            world: &checked.world,
            levels,
            model: Model::empty(
                checked.name(levels.component),
                Tys::with_notation(Notation::EventB),
            ),
            diagnostics: Diagnostics::new(),
            sorts: FxHashMap::default(),
            copies: copies::Copies::default(),
            frees: FxHashMap::default(),
            refs: FxHashMap::default(),
            locals: FxHashMap::default(),
            now: FxHashMap::default(),
            after: FxHashMap::default(),
            before: FxHashMap::default(),
        }
    }

    /// The machines that run, the chosen one first.
    fn chain(&self) -> Vec<usize> {
        match self.levels.component {
            Component::Context(_) => Vec::new(),
            Component::Machine(machine) if self.levels.concrete_only => vec![machine],
            Component::Machine(machine) => self.checked.chain(machine),
        }
    }

    /// The contexts that count, extended ones first.
    fn contexts(&self) -> &'a [usize] {
        match self.levels.component {
            Component::Context(context) => &self.world.contexts[context].closure,
            Component::Machine(machine) => &self.world.machines[machine].contexts,
        }
    }

    fn unsupported(&mut self, span: Span, what: impl std::fmt::Display) {
        self.diagnostics.push(Diagnostic::error(
            &UNSUPPORTED,
            span,
            format!("{what} cannot be run"),
        ));
    }

    fn push(&mut self, kind: Kind, ty: Option<TyId>, span: Span) -> ExprId {
        self.model.exprs.push(Expr { kind, ty, span })
    }

    fn stmt(&mut self, stmt: Stmt) -> StmtId {
        self.model.stmts.push(stmt)
    }

    /// The type of the model for a type of the checker.
    fn ty(&mut self, ty: TypeId) -> Option<TyId> {
        let lowered = match self.world.types.get(ty).clone() {
            Type::Bool => Ty::Bool,
            Type::Int => Ty::Int,
            Type::Given(name) if self.copies.types.contains_key(&name) => {
                let element = self.copies.types[&name];
                return base::deep::recurse(|| self.ty(element));
            }
            Type::Given(name) if self.sorts.contains_key(&name) => Ty::Sort(self.sorts[&name]),
            Type::Given(_) | Type::Record(_) => return self.free_type(ty),
            Type::Pow(element) => Ty::Pow(base::deep::recurse(|| self.ty(element))?),
            Type::Prod(left, right) => {
                let left = base::deep::recurse(|| self.ty(left))?;
                Ty::Prod(left, base::deep::recurse(|| self.ty(right))?)
            }
            Type::Real | Type::Str | Type::Var(_) | Type::Error => return None,
        };
        Some(self.model.tys.intern(lowered))
    }
}
