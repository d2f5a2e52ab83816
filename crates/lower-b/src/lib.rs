//! Classical B to the model: structuring flattened, scopes fixed, substitutions normalised.
//!
//! A machine that is included, seen or used is an *instance*: its unit together with the prefix of its
//! names. Instances without a prefix exist once at each level, however often they are reached. A refinement is lowered
//! together with what it refines (`refine.rs`), or alone: then constants, sets and properties of all levels count, and
//! variables and operations of the last.

mod assign;
mod clauses;
mod expr;
mod free;
mod host;
mod instance;
mod question;
mod refine;
mod scopes;
mod stmt;
mod unassigned;

use base::{Diagnostic, Diagnostics, Name, Span};
use lang_b::check::{Checked, DeclId, DeclKind, World};
use lang_b::expand::Definitions;
use lang_b::load::UnitId;
use lang_math::TypeId;
use rustc_hash::{FxHashMap, FxHashSet};

pub use question::{formula, question};

use instance::{InstanceId, Instances};
use model::codes::UNSUPPORTED;
use model::scope::Scopes;
use model::ty::{Ty, TyId, Tys};
use model::{Expr, ExprId, FreeId, Kind, LocalId, Model, SortId, Stmt, VarId, Variable};

/// What a global name stands for.
#[derive(Clone, Copy, Debug)]
enum Ref {
    Var(VarId),
    Element(SortId, u32),
    Carrier(SortId),
    FreeSet(FreeId),
    Constructor(FreeId, u32),
    /// An actual parameter.
    Expr(ExprId),
    /// What a variable was before the step, and becomes in the refined machine.
    Copy(LocalId),
}

/// The declaration that an imported one is an instance of.
fn root(world: &World, mut decl: DeclId) -> DeclId {
    while let Some(origin) = world.decls[decl].instance_of {
        decl = origin;
    }
    decl
}

struct Lower<'a> {
    checked: &'a Checked,
    world: &'a World,
    model: Model,
    diagnostics: Diagnostics,
    sorts: FxHashMap<Name, SortId>,
    frees: FxHashMap<Name, FreeId>,
    /// Constants that became element names, and constants with their state component.
    constants: FxHashMap<DeclId, Ref>,
    instances: Instances,
    /// The locals that stand for bound names, parameters and results at the moment.
    locals: FxHashMap<DeclId, LocalId>,
    /// What `x` means inside `x : (P)`, and `x$0` there and in loop invariants.
    now: FxHashMap<DeclId, Kind>,
    before: FxHashMap<DeclId, Kind>,
    /// Functions that are being defined by `REC_LET`.
    recursive: Vec<host::Recursive>,
    /// Operations being inlined, to refuse recursion.
    inlining: Vec<(InstanceId, usize)>,
    inlined: usize,
    instance: InstanceId,
    /// Whether a refinement runs without what it refines.
    is_alone: bool,
    /// Whether preconditions must be implied by those of the refined machine.
    is_strict: bool,
    /// The variables of each level, the concrete one first.
    level_variables: Vec<FxHashSet<VarId>>,
    /// What the invariant of each level says about the level above it.
    glue: Vec<Vec<refine::Glue>>,
    /// The copies that stand for variables in the refined machine at the moment.
    copies: FxHashMap<VarId, LocalId>,
}

/// Lowers a checked B machine. Errors are constructs that cannot be lowered (class Unsupported).
pub fn lower(checked: &Checked, scopes: &Scopes) -> Result<Model, Diagnostics> {
    lower_at(checked, scopes, Levels::Together)
}

/// Which levels of a refinement run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Levels {
    /// The refinement and all that it refines, with findings about steps that are none of the refined machine.
    /// Preconditions of all levels guard.
    Together,
    /// The same; preconditions that those of the refined machine do not imply are findings too.
    Strict,
    /// The refinement alone.
    Alone,
}

/// Lowers a checked B machine; of a refinement the levels that are wanted.
pub fn lower_at(checked: &Checked, scopes: &Scopes, levels: Levels) -> Result<Model, Diagnostics> {
    let Some(main) = checked.project.main else {
        return Err(checked.diagnostics.clone());
    };
    let unit = &checked.project.units[main];
    // What is wrong with the definitions was reported by the checker.
    let definitions = Definitions::collect(&checked.project, unit, &mut Diagnostics::new());
    let mut lower = Lower::new(checked, main);
    lower.is_alone = levels == Levels::Alone;
    lower.is_strict = levels == Levels::Strict;
    lower.preferences(&definitions, scopes);
    lower.sorts(&definitions, scopes);
    lower.free_types();
    lower.instance = lower.instantiate(main);
    lower.free_domains();
    lower.actual_parameters();
    lower.properties();
    lower.invariants();
    lower.initialisation();
    lower.actions();
    lower.not_checked(&definitions);
    lower.strings();
    if lower.diagnostics.has_errors() {
        Err(lower.diagnostics)
    } else {
        Ok(lower.model)
    }
}

impl<'a> Lower<'a> {
    fn new(checked: &'a Checked, main: UnitId) -> Lower<'a> {
        let component = &checked.project.units[main].component;
        Lower {
            checked,
            world: &checked.world,
            model: Model::empty(component.name, Tys::default()),
            diagnostics: Diagnostics::new(),
            sorts: FxHashMap::default(),
            frees: FxHashMap::default(),
            constants: FxHashMap::default(),
            instances: Instances::default(),
            locals: FxHashMap::default(),
            now: FxHashMap::default(),
            before: FxHashMap::default(),
            recursive: Vec::new(),
            inlining: Vec::new(),
            inlined: 0,
            instance: InstanceId::new(0),
            is_alone: false,
            is_strict: false,
            level_variables: Vec::new(),
            glue: Vec::new(),
            copies: FxHashMap::default(),
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

    fn stmt(&mut self, stmt: Stmt) -> model::StmtId {
        self.model.stmts.push(stmt)
    }

    /// Finds again what `lower` declared, to lower a formula into a finished model.
    fn adopt(&mut self, main: UnitId) {
        for (id, sort) in self.model.tys.sorts.iter() {
            self.sorts.insert(sort.name, id);
        }
        for (id, free) in self.model.tys.free.iter() {
            self.frees.insert(free.name, id);
        }
        let by_name: FxHashMap<Name, VarId> = self
            .model
            .variables
            .iter()
            .map(|(id, variable)| (variable.name, id))
            .collect();
        self.instance = self.instances.adopt(main);
        let machine = &self.world.machines[main.index()];
        let decls: Vec<(Name, DeclId)> = machine.globals().collect();
        for (name, decl) in decls {
            if let Some(found) = self.known(name, decl, &by_name) {
                self.instances.bind(self.instance, decl, found);
            }
        }
    }

    fn known(&self, name: Name, decl: DeclId, variables: &FxHashMap<Name, VarId>) -> Option<Ref> {
        let declared = &self.world.decls[decl];
        match declared.kind {
            DeclKind::Variable(_) | DeclKind::Parameter => {
                variables.get(&name).map(|id| Ref::Var(*id))
            }
            DeclKind::Constant(_) => variables
                .get(&name)
                .map(|id| Ref::Var(*id))
                .or_else(|| self.element(name)),
            _ => self.set_like(decl),
        }
    }

    /// The element of a carrier set with this name.
    fn element(&self, name: Name) -> Option<Ref> {
        self.model.tys.sorts.iter().find_map(|(id, sort)| {
            let position = sort.elements.iter().position(|element| *element == name)?;
            Some(Ref::Element(id, position as u32))
        })
    }

    /// What a set, element, free type or constructor stands for.
    fn set_like(&self, decl: DeclId) -> Option<Ref> {
        let declared = &self.world.decls[root(self.world, decl)];
        match declared.kind {
            DeclKind::DeferredSet | DeclKind::EnumeratedSet | DeclKind::SetParameter => self
                .sorts
                .get(&declared.name)
                .map(|sort| Ref::Carrier(*sort)),
            DeclKind::Element => self.element(declared.name),
            DeclKind::FreeType => self
                .frees
                .get(&declared.name)
                .map(|free| Ref::FreeSet(*free)),
            DeclKind::Constructor => self.model.tys.free.iter().find_map(|(id, free)| {
                let position = free
                    .constructors
                    .iter()
                    .position(|(name, _)| *name == declared.name)?;
                Some(Ref::Constructor(id, position as u32))
            }),
            _ => None,
        }
    }

    /// The type of the model for a type of the checker, in the current instance.
    fn ty(&mut self, ty: TypeId) -> Option<TyId> {
        use lang_math::Type;
        let lowered = match self.world.types.get(ty).clone() {
            Type::Bool => Ty::Bool,
            Type::Int => Ty::Int,
            Type::Real => Ty::Real,
            Type::Str => Ty::Str,
            Type::Given(name) => {
                if let Some(actual) = self.instances.actual_type(self.instance, name) {
                    return Some(actual);
                }
                match (self.sorts.get(&name), self.frees.get(&name)) {
                    (Some(sort), _) => Ty::Sort(*sort),
                    (_, Some(free)) => Ty::Free(*free),
                    _ => return None,
                }
            }
            Type::Pow(element) => Ty::Pow(base::deep::recurse(|| self.ty(element))?),
            Type::Prod(left, right) => {
                let left = base::deep::recurse(|| self.ty(left))?;
                Ty::Prod(left, base::deep::recurse(|| self.ty(right))?)
            }
            Type::Record(fields) => {
                let mut lowered = Vec::new();
                for (name, ty) in fields {
                    lowered.push((name, base::deep::recurse(|| self.ty(ty))?));
                }
                Ty::Record(lowered)
            }
            Type::Var(_) | Type::Error => return None,
        };
        Some(self.model.tys.intern(lowered))
    }

    fn variable(&mut self, name: Name, decl: DeclId, is_constant: bool) -> Option<VarId> {
        let declared = self.world.decls[decl].clone();
        let Some(ty) = self.ty(declared.ty) else {
            self.unsupported(declared.span, format!("the type of `{name}`"));
            return None;
        };
        Some(self.model.variables.push(Variable {
            name,
            ty,
            is_constant,
            span: declared.span,
        }))
    }
}
