//! Checks contexts and machines: declares their names, then types their formulas in order.

use base::{Diagnostic, Diagnostics, Name};
use lang_math::{Binding, Sort, Type, TypeId};
use rustc_hash::FxHashMap;

use super::infer::Typer;
use super::structure::Order;
use super::{Component, DeclId, DeclKind, Outside, TypedFormula, World, duplicate};
use crate::codes;
use crate::syntax::{Change, Event, Project};
use crate::theory::FUNCTIONS;

/// The names of a component.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    /// What is visible everywhere.
    pub names: FxHashMap<Name, DeclId>,
    /// Variables of refined machines that are not kept: visible in invariants and witnesses.
    pub hidden: FxHashMap<Name, DeclId>,
}

/// Checks all components in order.
pub(super) fn check(
    project: &Project,
    world: &mut World,
    order: &Order,
    diagnostics: &mut Diagnostics,
) {
    world.types_of = vec![None; project.exprs.len()];
    world.meanings = vec![None; project.exprs.len()];
    for index in &order.contexts {
        context(project, world, *index, diagnostics);
    }
    for index in &order.machines {
        machine(project, world, *index, diagnostics);
    }
    // Functions for recursive operators get their type from their uses.
    if let Some(functions) = project.context(Name::new(FUNCTIONS)) {
        let functions = world.contexts[functions].constants.clone();
        grounded(world, &functions, diagnostics);
    }
    world.settle();
}

impl World {
    /// Gives what is still open a type: nothing depends on which.
    fn settle(&mut self) {
        for ty in self.types_of.iter().flatten() {
            self.types.default_classes(*ty);
            self.types.choose(*ty);
        }
    }
}

/// The names of some contexts.
fn contexts_scope(world: &World, contexts: &[usize], diagnostics: &mut Diagnostics) -> Scope {
    let mut scope = Scope::default();
    for index in contexts {
        let info = &world.contexts[*index];
        for decl in info.sets.iter().chain(&info.constants) {
            let declared = &world.decls[*decl];
            if let Some(before) = scope.names.insert(declared.name, *decl)
                && before != *decl
            {
                let known = world.decls[before].span;
                diagnostics.push(duplicate(declared.name, declared.span, known));
            }
        }
    }
    scope
}

fn context(project: &Project, world: &mut World, index: usize, diagnostics: &mut Diagnostics) {
    let context = &project.contexts[index];
    let closure = world.contexts[index].closure.clone();
    let mut scope = contexts_scope(world, &closure, diagnostics);
    for binding in &context.sets {
        let element = world.types.given(binding.name);
        let ty = world.types.pow(element);
        let decl = world.declare(binding.name, DeclKind::Set, ty, binding.span);
        world.contexts[index].sets.push(decl);
    }
    for binding in &context.constants {
        let ty = world.types.fresh();
        let decl = world.declare(binding.name, DeclKind::Constant, ty, binding.span);
        world.contexts[index].constants.push(decl);
    }
    let info = &world.contexts[index];
    for decl in info.sets.iter().chain(&info.constants) {
        let declared = &world.decls[*decl];
        if let Some(before) = scope.names.insert(declared.name, *decl) {
            let known = world.decls[before].span;
            diagnostics.push(duplicate(declared.name, declared.span, known));
        }
    }
    let mut typer = Typer::new(project, world, &scope, diagnostics);
    for axiom in &context.axioms {
        typer.predicate(axiom.formula);
    }
    if context.name.as_str() != FUNCTIONS {
        let constants = world.contexts[index].constants.clone();
        grounded(world, &constants, diagnostics);
    }
}

/// Declares a name whose type will be inferred.
fn fresh(world: &mut World, binding: &Binding, kind: DeclKind, own: &mut Vec<DeclId>) -> DeclId {
    let ty = world.types.fresh();
    let decl = world.declare(binding.name, kind, ty, binding.span);
    own.push(decl);
    decl
}

/// Makes a declaration visible by the name it has here.
fn enter(
    world: &World,
    scope: &mut Scope,
    decl: DeclId,
    binding: &Binding,
    diagnostics: &mut Diagnostics,
) {
    if let Some(before) = scope.names.insert(binding.name, decl) {
        let known = world.decls[before].span;
        diagnostics.push(duplicate(binding.name, binding.span, known));
    }
}

/// Reports names whose type nothing decided.
fn grounded(world: &mut World, decls: &[DeclId], diagnostics: &mut Diagnostics) {
    for decl in decls {
        let declared = world.decls[*decl].clone();
        world.types.default_classes(declared.ty);
        if world.types.is_ground(declared.ty) {
            continue;
        }
        world.types.close(declared.ty);
        // What would tell the type may be what could not be read.
        if world.is_incomplete {
            continue;
        }
        let message = format!("the type of `{}` cannot be inferred", declared.name);
        let help = match declared.kind {
            DeclKind::Constant => "add an axiom such as",
            DeclKind::Variable => "add an invariant such as",
            _ => "add a guard such as",
        };
        diagnostics.push(
            Diagnostic::error(&codes::NO_TYPE, declared.span, message)
                .help(format!("{help} `{} ∈ S`", declared.name)),
        );
    }
}

fn machine(project: &Project, world: &mut World, index: usize, diagnostics: &mut Diagnostics) {
    let machine = &project.machines[index];
    let contexts = world.machines[index].contexts.clone();
    let mut scope = contexts_scope(world, &contexts, diagnostics);
    let refined = world.machines[index].refines;
    let mut at = refined;
    while let Some(abstraction) = at {
        for decl in &world.machines[abstraction].variables {
            let name = world.decls[*decl].name;
            scope.hidden.entry(name).or_insert(*decl);
        }
        at = world.machines[abstraction].refines;
    }
    let mut own = Vec::new();
    for binding in &machine.variables {
        let kept = refined.and_then(|refined| {
            let mut variables = world.machines[refined].variables.iter();
            variables.find(|decl| world.decls[**decl].name == binding.name)
        });
        let decl = match kept {
            Some(kept) => *kept,
            None => fresh(world, binding, DeclKind::Variable, &mut own),
        };
        enter(world, &mut scope, decl, binding, diagnostics);
        world.machines[index].variables.push(decl);
    }
    let mut typer = Typer::new(project, world, &scope, diagnostics);
    typer.sees_hidden = true;
    for invariant in &machine.invariants {
        typer.predicate(invariant.formula);
    }
    for variant in &machine.variants {
        typer.infer(variant.formula);
    }
    grounded(world, &own, diagnostics);
    for position in 0..machine.events.len() {
        event(project, world, &scope, (index, position), diagnostics);
    }
}

fn event(
    project: &Project,
    world: &mut World,
    scope: &Scope,
    (machine, position): (usize, usize),
    diagnostics: &mut Diagnostics,
) {
    let event = &project.machines[machine].events[position];
    let info = world.machines[machine].events[position].clone();
    let abstraction = world.machines[machine].refines;
    let mut inside = scope.clone();
    let mut own = Vec::new();
    let mut parameters = Vec::new();
    let inherited: Vec<DeclId> = match (abstraction, info.refines.as_slice(), event.is_extended) {
        (Some(abstraction), [one], true) => {
            world.machines[abstraction].events[*one].parameters.clone()
        }
        _ => Vec::new(),
    };
    for (number, binding) in event.parameters.iter().enumerate() {
        let decl = match inherited.get(number) {
            Some(known) => *known,
            None => fresh(world, binding, DeclKind::Parameter, &mut own),
        };
        enter(world, &mut inside, decl, binding, diagnostics);
        parameters.push(decl);
    }
    let mut typer = Typer::new(project, world, &inside, diagnostics);
    for guard in event.guards.iter().filter(|guard| !guard.is_theorem) {
        typer.predicate(guard.formula);
    }
    grounded(world, &own, diagnostics);
    let targets = actions(project, world, &inside, (machine, event), diagnostics);
    // Witnesses and theorems see the parameters of the refined events as well.
    let mut around = inside.clone();
    if let Some(abstraction) = abstraction {
        for refined in &info.refines {
            for decl in world.machines[abstraction].events[*refined]
                .parameters
                .clone()
            {
                around.names.entry(world.decls[decl].name).or_insert(decl);
            }
        }
    }
    for theorem in event.guards.iter().filter(|guard| guard.is_theorem) {
        let mut typer = Typer::new(project, world, &around, diagnostics);
        typer.sees_hidden = true;
        typer.predicate(theorem.formula);
    }
    for witness in &event.witnesses {
        let label = witness.label.as_str();
        let variable = label.strip_suffix('\'');
        let is_known = match variable {
            Some(name) => around.hidden.contains_key(&Name::new(name)),
            None => around.names.contains_key(&witness.label),
        };
        if !is_known && abstraction.is_some() {
            let message = format!("the witness `{label}` belongs to nothing that disappears");
            diagnostics.push(Diagnostic::error(&codes::WITNESS, witness.span, message));
        }
        let mut typer = Typer::new(project, world, &around, diagnostics);
        typer.sees_hidden = true;
        typer.sees_primes = true;
        typer.predicate(witness.formula);
    }
    let info = &mut world.machines[machine].events[position];
    info.parameters = parameters;
    info.targets = targets;
}

/// Types the actions of an event; gives the variables that each changes.
fn actions(
    project: &Project,
    world: &mut World,
    scope: &Scope,
    (machine, event): (usize, &Event),
    diagnostics: &mut Diagnostics,
) -> Vec<Vec<DeclId>> {
    let variables = world.machines[machine].variables.clone();
    let mut assigned: Vec<DeclId> = Vec::new();
    let mut all = Vec::new();
    for action in &event.actions {
        let mut targets = Vec::new();
        for target in &action.targets {
            let known = scope
                .names
                .get(&target.name)
                .filter(|decl| variables.contains(*decl));
            let Some(decl) = known else {
                let message = format!("`{}` is no variable of this machine", target.name);
                let error = Diagnostic::error(&codes::ASSIGNED_TWICE, target.span, message);
                let known = variables
                    .iter()
                    .map(|decl| world.decls[*decl].name.as_str());
                let near = base::near::nearest(target.name.as_str(), known);
                diagnostics.push(match near {
                    Some(near) => error.help(format!("did you mean `{near}`?")).fix(near),
                    None => error,
                });
                continue;
            };
            if assigned.contains(decl) {
                let message = format!("`{}` is assigned twice", target.name);
                diagnostics.push(Diagnostic::error(
                    &codes::ASSIGNED_TWICE,
                    action.span,
                    message,
                ));
            }
            assigned.push(*decl);
            targets.push(*decl);
        }
        let complete = targets.len() == action.targets.len();
        let mut typer = Typer::new(project, world, scope, diagnostics);
        match &action.change {
            Change::Assign(values) => {
                for (position, value) in values.iter().enumerate() {
                    let found = typer.infer(*value);
                    if let Some(target) = targets.get(position).filter(|_| complete) {
                        typer.assignable(*value, found, *target);
                    }
                }
            }
            Change::Element(set) => {
                let found = typer.infer(*set);
                if complete {
                    typer.element_of(*set, found, &targets);
                }
            }
            Change::Such(predicate) => {
                typer.sees_primes = true;
                typer.predicate(*predicate);
            }
        }
        all.push(targets);
    }
    all
}

/// Types a formula from outside in the scope of a component.
pub(super) fn outside(
    project: &Project,
    world: &mut World,
    outside: &Outside,
    diagnostics: &mut Diagnostics,
) -> TypedFormula {
    world.types_of.resize(project.exprs.len(), None);
    world.meanings.resize(project.exprs.len(), None);
    let scope = outside_scope(world, outside.component);
    let mut typer = Typer::new(project, world, &scope, diagnostics);
    typer.is_query = true;
    typer.sees_before = outside.sees_before;
    let names = typer.own_names(&outside.names);
    let sort = typer.either(outside.root);
    if let (Sort::Expression, Some(expected)) = (sort, outside.expected) {
        typer.expect(outside.root, expected);
    }
    world.settle();
    for name in &names {
        let ty = world.decls[*name].ty;
        world.types.default_classes(ty);
        world.types.choose(ty);
    }
    TypedFormula {
        root: outside.root,
        is_predicate: sort == Sort::Predicate,
        names,
    }
}

/// Whether a formula from outside may use a name.
pub(super) fn knows(project: &Project, world: &World, component: Component, name: Name) -> bool {
    let scope = outside_scope(world, component);
    scope.names.contains_key(&name)
        || project.type_names.contains(&name)
        || scope.element(world, name).is_some()
}

/// The names that formulas from outside may use.
fn outside_scope(world: &World, component: Component) -> Scope {
    let contexts = match component {
        Component::Context(index) => &world.contexts[index].closure,
        Component::Machine(index) => &world.machines[index].contexts,
    };
    // What is wrong with the names was reported when the component was checked.
    let mut scope = contexts_scope(world, contexts, &mut Diagnostics::new());
    let mut at = match component {
        Component::Context(_) => None,
        Component::Machine(index) => Some(index),
    };
    while let Some(machine) = at {
        for decl in &world.machines[machine].variables {
            scope.names.entry(world.decls[*decl].name).or_insert(*decl);
        }
        at = world.machines[machine].refines;
    }
    scope
}

impl Scope {
    /// The type of an element of a carrier set that has no name in the model.
    pub(super) fn element(&self, world: &World, name: Name) -> Option<TypeId> {
        let text = name.as_str();
        let digits = text.len() - text.trim_end_matches(|c: char| c.is_ascii_digit()).len();
        let set = text.get(..text.len() - digits).filter(|_| digits > 0)?;
        let decl = *self.names.get(&Name::new(set))?;
        let declared = &world.decls[decl];
        match (declared.kind, world.types.get(declared.ty)) {
            (DeclKind::Set, Type::Pow(element)) => Some(*element),
            _ => None,
        }
    }
}
