//! Declares the state of the machines that make up a model, and what passes between them.

use base::Name;
use lang_b::check::{DeclId, DeclKind, Machine};
use lang_b::load::UnitId;
use lang_b::syntax::{Link, Visibility};
use lang_math::ExprId as SourceId;
use model::{TyId, VarId};
use rustc_hash::{FxHashMap, FxHashSet};

use super::{Instance, InstanceId, Seat, references};
use crate::expr::Typed;
use crate::{Lower, Ref, root};

impl Lower<'_> {
    /// Declares the state of a machine and of everything it refers to.
    pub(crate) fn instantiate(&mut self, unit: UnitId) -> InstanceId {
        self.instantiate_at(unit, Seat::MAIN, FxHashMap::default())
    }

    fn instantiate_at(
        &mut self,
        unit: UnitId,
        seat: Seat,
        actual_types: FxHashMap<Name, TyId>,
    ) -> InstanceId {
        let Seat { prefix, level, .. } = seat;
        // Of a level that does not run a machine below serves as well.
        let first = if seat.is_left { 0 } else { level };
        for level in first..=level {
            if let Some(known) = self.instances.known.get(&(unit, prefix, level)) {
                return *known;
            }
        }
        let loaded = &self.checked.project.units[unit];
        let machine = &self.world.machines[unit.index()];
        let mut instance = Instance::new(unit, seat);
        instance.actual_types = actual_types;

        // Types of actual parameters are lowered in the context of this machine.
        let outer = self.instance;
        let mut children = Vec::new();
        let mut passed = Vec::new();
        for reference in &loaded.references {
            let inner = match (prefix, reference.written.instance, reference.link) {
                // What a machine sees is shared, whatever its own prefix.
                (_, own, Link::Sees | Link::Uses) => own,
                (None, own, _) => own,
                (Some(outer), Some(own), _) => Some(Name::new(&format!("{outer}.{own}"))),
                (Some(outer), None, _) => Some(outer),
            };
            let written = references(machine).find(|known| known.span == reference.written.span);
            let formals = self.world.parameters(reference.unit);
            let arguments: Vec<SourceId> = written
                .map(|written| written.arguments.clone())
                .unwrap_or_default();
            let types = self.argument_types(&instance, machine, &formals, &arguments);
            // What is seen belongs to no level; what only a level sees that does not run does not run either.
            let is_shared = matches!(reference.link, Link::Sees | Link::Uses) && !seat.is_left;
            let below = Seat {
                prefix: inner,
                level: if is_shared { 0 } else { level },
                is_main: false,
                is_left: seat.is_left,
            };
            let child = base::deep::recurse(|| self.instantiate_at(reference.unit, below, types));
            children.push((reference.link, reference.written.instance, child));
            passed.push((
                child,
                formals.into_iter().zip(arguments).collect::<Vec<_>>(),
            ));
        }
        let refined = loaded.refines.map(|refined| {
            // Only the machine that is run is compared with what it refines.
            let above = Seat {
                level: level + 1,
                is_left: seat.is_left || self.is_alone || !seat.is_main,
                ..seat
            };
            base::deep::recurse(|| self.instantiate_at(refined, above, FxHashMap::default()))
        });
        self.instance = outer;

        instance.children = children;
        instance.refined = refined;
        let id = self.instances.instances.push(instance);
        self.instances.known.insert((unit, prefix, level), id);
        for (child, arguments) in passed {
            let known = &mut self.instances.instances[child].arguments;
            if known.is_empty() {
                known.extend(
                    arguments
                        .into_iter()
                        .map(|(formal, actual)| (formal, actual, id)),
                );
            }
        }
        self.instance = id;
        self.inherited(id, refined);
        self.own_state(id, prefix);
        self.instance = outer;
        id
    }

    /// The types that actual parameters give to the set parameters of a machine.
    fn argument_types(
        &mut self,
        instance: &Instance,
        machine: &Machine,
        formals: &[DeclId],
        arguments: &[SourceId],
    ) -> FxHashMap<Name, TyId> {
        let mut types = FxHashMap::default();
        for (formal, actual) in formals.iter().zip(arguments) {
            let declared = &self.world.decls[*formal];
            if declared.kind == DeclKind::SetParameter
                && let Some(ty) = machine.types[actual.index()]
                && let lang_math::Type::Pow(element) = *self.world.types.get(ty)
            {
                // A parameter passed on from this machine's own parameters.
                let given = match self.world.types.get(element) {
                    lang_math::Type::Given(name) => instance.actual_types.get(name).copied(),
                    _ => None,
                };
                if let Some(ty) = given.or_else(|| self.ty(element)) {
                    types.insert(declared.name, ty);
                }
            }
        }
        types
    }

    /// Names that come from other machines mean there what they mean here.
    fn inherited(&mut self, id: InstanceId, refined: Option<InstanceId>) {
        let machine = &self.world.machines[self.instances.unit(id).index()];
        let children: Vec<(Option<Name>, InstanceId)> = refined
            .map(|refined| (None, refined))
            .into_iter()
            .chain(
                self.instances
                    .children(id)
                    .iter()
                    .map(|(_, prefix, child)| (*prefix, *child)),
            )
            .collect();
        for (prefix, child) in children {
            let exporting = &self.world.machines[self.instances.unit(child).index()];
            for export in &exporting.exports {
                let variable = matches!(self.world.decls[export.decl].kind, DeclKind::Variable(_));
                let name = match prefix {
                    Some(prefix) if variable => Name::new(&format!("{prefix}.{}", export.name)),
                    _ => export.name,
                };
                let Some(found) = self.instances.get(child, export.decl) else {
                    continue;
                };
                // Concrete variables live on in refinements.
                if let (Some(_), Ref::Var(var)) = (refined.filter(|r| *r == child), found)
                    && self.world.decls[export.decl].kind
                        == DeclKind::Variable(Visibility::Concrete)
                {
                    self.belongs(var, self.instances.level(id));
                }
                self.instances.bind(id, export.decl, found);
                if let Some(decl) = machine.global(name)
                    && root(self.world, decl) == root(self.world, export.decl)
                {
                    self.instances.bind(id, decl, found);
                }
            }
            // Parameters of a refined machine are those of its refinement.
            for decl in &exporting.own {
                if let Some(found) = self.instances.get(child, *decl)
                    && matches!(
                        self.world.decls[*decl].kind,
                        DeclKind::Parameter | DeclKind::SetParameter
                    )
                    && machine.global(self.world.decls[*decl].name) == Some(*decl)
                {
                    self.instances.bind(id, *decl, found);
                }
            }
        }
    }

    /// Declares constants and variables of a machine.
    fn own_state(&mut self, id: InstanceId, prefix: Option<Name>) {
        let unit = self.instances.unit(id);
        let (level, is_left) = (self.instances.level(id), self.instances.is_left(id));
        let machine = &self.world.machines[unit.index()];
        for decl in machine.own.clone() {
            let declared = &self.world.decls[decl];
            let (name, kind) = (declared.name, declared.kind);
            let found = match kind {
                DeclKind::Constant(_) => match self.constants.get(&decl).copied() {
                    Some(known) => Some(known),
                    None => {
                        // A constant of an abstract level that this level declares again is the same one.
                        let var = self
                            .named(name, true)
                            .or_else(|| self.variable(name, decl, true))
                            .map(Ref::Var);
                        if let Some(var) = var {
                            self.constants.insert(decl, var);
                        }
                        var
                    }
                },
                DeclKind::Parameter if self.instances.is_main(id) => self
                    .named(name, true)
                    .or_else(|| self.variable(name, decl, true))
                    .map(Ref::Var),
                // Bound when actual parameters are lowered.
                DeclKind::Parameter => None,
                DeclKind::SetParameter if self.instances.actual_type(id, name).is_some() => None,
                DeclKind::Variable(visibility) => {
                    if is_left && visibility == Visibility::Abstract {
                        None
                    } else {
                        let shown = match prefix {
                            Some(prefix) => Name::new(&format!("{prefix}.{name}")),
                            None => name,
                        };
                        let var = self
                            .shared(shown, level)
                            .or_else(|| self.variable(shown, decl, false));
                        if let Some(var) = var
                            && !is_left
                        {
                            self.belongs(var, level);
                        }
                        var.map(Ref::Var)
                    }
                }
                _ => self.set_like(decl),
            };
            if let Some(found) = found {
                self.instances.bind(id, decl, found);
            }
        }
    }

    /// The constant or variable that has this name already: a level of refinement may declare it again.
    fn named(&self, name: Name, is_constant: bool) -> Option<VarId> {
        let mut variables = self.model.variables.iter();
        variables
            .find(|(_, known)| known.is_constant == is_constant && known.name == name)
            .map(|(id, _)| id)
    }

    /// The variable of this name that the same level, or the one above it, has already. One that a level in between did
    /// not keep is another variable, and gets another name.
    fn shared(&mut self, name: Name, level: usize) -> Option<VarId> {
        let known = self.named(name, false)?;
        let is_near = |at: usize| {
            let variables = self.level_variables.get(at);
            variables.is_some_and(|variables| variables.contains(&known))
        };
        if self.is_alone || is_near(level) || is_near(level + 1) {
            return Some(known);
        }
        self.model.variables[known].name = Name::new(&format!("refined.{name}"));
        None
    }

    fn belongs(&mut self, var: VarId, level: usize) {
        if self.level_variables.len() <= level {
            self.level_variables.resize(level + 1, FxHashSet::default());
        }
        self.level_variables[level].insert(var);
    }

    /// Gives formal parameters of included machines their actual values. Those that nobody gives one, of a machine that is
    /// only seen, are constants.
    pub(crate) fn actual_parameters(&mut self) {
        let main = self.instance;
        for id in self.instances.all().collect::<Vec<_>>() {
            if self.instances.is_main(id) || self.instances.has_arguments(id) {
                continue;
            }
            self.instance = id;
            for decl in &self.world.machines[self.instances.unit(id).index()].own {
                let declared = &self.world.decls[*decl];
                if declared.kind == DeclKind::Parameter
                    && let Some(var) = self.variable(declared.name, *decl, true)
                {
                    self.instances.bind(id, *decl, Ref::Var(var));
                }
            }
        }
        // Including machines first: a parameter may be passed on.
        for id in self.instances.all().collect::<Vec<_>>().into_iter().rev() {
            for (formal, actual, includer) in self.instances.instances[id].arguments.clone() {
                self.instance = includer;
                let machine = &self.world.machines[self.instances.unit(includer).index()];
                let view = Typed::of(machine);
                if let Some(expr) = self.expr(&view, actual) {
                    self.instances.bind(id, formal, Ref::Expr(expr));
                }
            }
        }
        self.instance = main;
    }
}
