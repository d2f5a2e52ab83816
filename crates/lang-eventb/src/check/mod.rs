//! Resolves names, checks the structure and infers types, component by component.
//!
//! Contexts come before what extends them, contexts before machines that see them, machines before what refines
//! them. A component has its own scope: its names, those of the contexts it reaches and, for invariants and
//! witnesses, those of the machines it refines. A variable that is declared again is the same declaration.
//! Invariant: after a check without errors every node of a formula has a ground type or is a predicate, and every
//! name has a declaration.

mod components;
mod datatypes;
mod infer;
mod structure;

use base::{Arena, Diagnostic, Diagnostics, Id, Name, Sources, Span};
use lang_math::query::Typing;
use lang_math::{Binding, ExprId, Place, Query, TypeId, Types};
use rustc_hash::FxHashMap;

pub use datatypes::{Extension, PICKS, extension};

use crate::codes;
use crate::math::parse;
use crate::syntax::Project;
use crate::theory;

/// Names a declaration.
pub type DeclId = Id<Decl>;

/// Something that has a name and a type.
#[derive(Clone, Debug)]
pub struct Decl {
    /// The name.
    pub name: Name,
    /// What it is.
    pub kind: DeclKind,
    /// Its type.
    pub ty: TypeId,
    /// Where it is declared.
    pub span: Span,
}

/// What a declaration is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DeclKind {
    /// A carrier set.
    Set,
    /// A constant.
    Constant,
    /// A variable.
    Variable,
    /// A variable after an event, `x'`.
    After(DeclId),
    /// A parameter of an event.
    Parameter,
    /// A name bound in a formula.
    Bound,
    /// All values of the type that a type parameter of a theory stands for.
    Type,
}

/// What is known about all components.
#[derive(Debug, Default)]
pub struct World {
    /// All types.
    pub types: Types,
    /// All declarations.
    pub decls: Arena<Decl>,
    /// The type of each expression, by node; `None` for predicates.
    pub types_of: Vec<Option<TypeId>>,
    /// What each name means, by node.
    pub meanings: Vec<Option<DeclId>>,
    /// The declarations of the names that a node binds.
    pub binders: FxHashMap<ExprId, Vec<DeclId>>,
    /// What is known about each context.
    pub contexts: Vec<ContextInfo>,
    /// What is known about each machine.
    pub machines: Vec<MachineInfo>,
    /// What `x'` means.
    after: FxHashMap<DeclId, DeclId>,
    /// What the type parameters of uses of definitions stand for.
    type_sets: FxHashMap<Name, DeclId>,
    /// Whether some part of the project could not be read.
    is_incomplete: bool,
}

/// What is known about a context.
#[derive(Clone, Debug, Default)]
pub struct ContextInfo {
    /// All contexts that it extends, directly or not, before what extends them; itself last.
    pub closure: Vec<usize>,
    /// Its sets.
    pub sets: Vec<DeclId>,
    /// Its constants.
    pub constants: Vec<DeclId>,
}

/// What is known about a machine.
#[derive(Clone, Debug, Default)]
pub struct MachineInfo {
    /// All contexts that it sees, directly or not, before what extends them.
    pub contexts: Vec<usize>,
    /// The machine it refines.
    pub refines: Option<usize>,
    /// Its variables.
    pub variables: Vec<DeclId>,
    /// Its events.
    pub events: Vec<EventInfo>,
}

/// What is known about an event.
#[derive(Clone, Debug, Default)]
pub struct EventInfo {
    /// The refined events, by their position in the refined machine.
    pub refines: Vec<usize>,
    /// Its parameters, those of the extended event first.
    pub parameters: Vec<DeclId>,
    /// The variables that each action changes.
    pub targets: Vec<Vec<DeclId>>,
}

/// A project, everything that is known about it, and everything that was found wrong with it.
#[derive(Debug, Default)]
pub struct Checked {
    /// The components.
    pub project: Project,
    /// What is known about them.
    pub world: World,
    /// The component that is meant when none is named.
    pub main: Option<Component>,
    /// What was found.
    pub diagnostics: Diagnostics,
}

/// A context or a machine, by its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Component {
    /// A context.
    Context(usize),
    /// A machine.
    Machine(usize),
}

/// A formula from outside.
#[derive(Clone, Debug)]
pub struct TypedFormula {
    /// The formula, in the project's forest.
    pub root: ExprId,
    /// Whether it is a predicate.
    pub is_predicate: bool,
    /// The declarations of its own names.
    pub names: Vec<DeclId>,
}

/// A formula from outside, read into the project's forest.
struct Outside {
    root: ExprId,
    component: Component,
    /// Its own names, outermost first.
    names: Vec<(Binding, Typing<ExprId, TypeId>)>,
    /// The type that it must have.
    expected: Option<TypeId>,
    /// Whether `x$0` is visible.
    sees_before: bool,
}

/// Checks all components of a project.
pub fn check(mut project: Project, mut diagnostics: Diagnostics) -> Checked {
    let mut world = World::default();
    theory::expand(&mut project, &mut diagnostics);
    world.is_incomplete = diagnostics.has_errors();
    let order = structure::resolve(&mut project, &mut world, &mut diagnostics);
    components::check(&project, &mut world, &order, &mut diagnostics);
    let main = main(&project, &world);
    diagnostics.sort();
    Checked {
        project,
        world,
        main,
        diagnostics,
    }
}

/// The machine that none refines, the first of them; else the context that none extends.
fn main(project: &Project, world: &World) -> Option<Component> {
    let refined = |index: usize| {
        world
            .machines
            .iter()
            .any(|machine| machine.refines == Some(index))
    };
    let machine = (0..project.machines.len()).find(|index| !refined(*index));
    let extended = |index: usize| {
        let mut others = world.contexts.iter().enumerate();
        others.any(|(other, info)| other != index && info.closure.contains(&index))
    };
    let context = (0..project.contexts.len()).find(|index| !extended(*index));
    machine
        .map(Component::Machine)
        .or(context.map(Component::Context))
}

impl Checked {
    /// The component of this name: a machine before a context.
    pub fn component(&self, name: &str) -> Option<Component> {
        let name = Name::new(name);
        let machine = self.project.machine(name).map(Component::Machine);
        machine.or_else(|| self.project.context(name).map(Component::Context))
    }

    /// The machines from the one given to the most abstract one.
    pub fn chain(&self, machine: usize) -> Vec<usize> {
        let mut chain = vec![machine];
        let mut at = machine;
        while let Some(abstraction) = self.world.machines[at].refines {
            chain.push(abstraction);
            at = abstraction;
        }
        chain
    }

    /// What is inside, one line for each component: contexts, then machines; the main one is marked.
    pub fn contents(&self) -> Vec<String> {
        let marked = |component: Component| match self.main == Some(component) {
            true => " (main)",
            false => "",
        };
        let mut lines = Vec::new();
        for (index, context) in self.project.contexts.iter().enumerate() {
            if context.name.as_str() != theory::FUNCTIONS {
                let main = marked(Component::Context(index));
                lines.push(format!("context {}{main}", context.name));
            }
        }
        for (index, machine) in self.project.machines.iter().enumerate() {
            let refines = machine
                .refines
                .map(|refined| format!(" refines {}", refined.name));
            let main = marked(Component::Machine(index));
            let refines = refines.unwrap_or_default();
            lines.push(format!("machine {}{refines}{main}", machine.name));
        }
        lines
    }

    /// The name of a component.
    pub fn name(&self, component: Component) -> Name {
        match component {
            Component::Context(index) => self.project.contexts[index].name,
            Component::Machine(index) => self.project.machines[index].name,
        }
    }

    /// The type of an expression in the notation of Event-B.
    pub fn show_type(&self, id: ExprId) -> Option<String> {
        let ty = self.world.types_of[id.index()]?;
        Some(crate::print::types(&self.world.types, ty))
    }

    /// Parses, resolves and types a formula in the context of a component; `None` when it cannot be read.
    pub fn type_text(
        &mut self,
        text: &str,
        component: Component,
        sources: &mut Sources,
        diagnostics: &mut Diagnostics,
    ) -> Option<TypedFormula> {
        let file = sources.add("<expression>", text.to_owned());
        let query = Query::plain(Place::whole(file, text));
        self.type_query(&query, component, diagnostics)
    }

    /// Parses, resolves and types a formula where it stands, with names of its own, in the context of a component; `None`
    /// when it cannot be read.
    pub fn type_query(
        &mut self,
        query: &Query<'_, TypeId>,
        component: Component,
        diagnostics: &mut Diagnostics,
    ) -> Option<TypedFormula> {
        let exprs = &mut self.project.exprs;
        let root = parse::formula(query.place, exprs, diagnostics);
        let mut names = Vec::new();
        for name in &query.names {
            let binding = Binding {
                name: name.name,
                span: name.span,
            };
            let typing = name.typing;
            let typing = typing.read(|place| parse::formula(place, exprs, diagnostics));
            names.push((binding, typing));
        }
        if diagnostics.has_errors() {
            return None;
        }
        let outside = Outside {
            root,
            component,
            names,
            expected: query.expected,
            sees_before: query.is_before_after,
        };
        let project = &self.project;
        Some(components::outside(
            project,
            &mut self.world,
            &outside,
            diagnostics,
        ))
    }

    /// Whether a name means something in formulas from outside, in the context of a component.
    pub fn is_known(&self, name: Name, component: Component) -> bool {
        components::knows(&self.project, &self.world, component, name)
    }
}

impl World {
    fn declare(&mut self, name: Name, kind: DeclKind, ty: TypeId, span: Span) -> DeclId {
        self.decls.push(Decl {
            name,
            kind,
            ty,
            span,
        })
    }

    /// The declaration of `x'`, if some formula mentions it.
    pub fn primed(&self, variable: DeclId) -> Option<DeclId> {
        self.after.get(&variable).copied()
    }

    /// The declaration of `x'`.
    fn after(&mut self, variable: DeclId) -> DeclId {
        if let Some(known) = self.after.get(&variable) {
            return *known;
        }
        let declared = self.decls[variable].clone();
        let name = Name::new(&format!("{}'", declared.name));
        let after = self.declare(name, DeclKind::After(variable), declared.ty, declared.span);
        self.after.insert(variable, after);
        after
    }
}

/// A name that something else has already.
fn duplicate(name: Name, span: Span, known: Span) -> Diagnostic {
    let message = format!("`{name}` is declared twice");
    Diagnostic::error(&codes::DUPLICATE, span, message).also(known, "declared here before")
}
