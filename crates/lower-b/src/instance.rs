//! The instances of machines that make up a model, and what names mean in each.

mod declare;

use base::{Arena, Id, Name};
use lang_b::check::{Checked, DeclId, Machine};
use lang_b::load::UnitId;
use lang_b::syntax::{ClauseBody, Link, MachineRef};
use lang_math::ExprId as SourceId;
use rustc_hash::FxHashMap;

use super::{Lower, Ref};
use model::TyId;

/// Names an instance.
pub(super) type InstanceId = Id<Instance>;

/// A machine under a prefix.
#[derive(Debug)]
pub(super) struct Instance {
    unit: UnitId,
    prefix: Option<Name>,
    /// What the names visible in the machine stand for.
    refs: FxHashMap<DeclId, Ref>,
    /// What its set parameters stand for.
    actual_types: FxHashMap<Name, TyId>,
    /// The instances behind its references, with the prefix the machine itself uses.
    children: Vec<(Link, Option<Name>, InstanceId)>,
    /// How many refinements lie between it and the machine that is run.
    level: usize,
    /// Whether it is the machine that is run, or one that it refines.
    is_main: bool,
    /// Whether only its sets and constants count: a level above the ones that run.
    is_left: bool,
    /// What it refines.
    refined: Option<InstanceId>,
    /// Formal parameters with the actual ones, which are formulas of the including instance.
    arguments: Vec<(DeclId, SourceId, InstanceId)>,
}

/// Where a machine takes part.
#[derive(Clone, Copy)]
struct Seat {
    prefix: Option<Name>,
    level: usize,
    /// Whether it is the machine that is run, or one that it refines.
    is_main: bool,
    /// Whether only its sets and constants count.
    is_left: bool,
}

impl Seat {
    /// The machine that is run.
    const MAIN: Seat = Seat {
        prefix: None,
        level: 0,
        is_main: true,
        is_left: false,
    };
}

/// All instances.
#[derive(Debug, Default)]
pub(super) struct Instances {
    instances: Arena<Instance>,
    known: FxHashMap<(UnitId, Option<Name>, usize), InstanceId>,
}

impl Instances {
    /// All instances; those that a machine refers to come before it.
    pub fn all(&self) -> impl Iterator<Item = InstanceId> {
        (0..self.instances.len()).map(InstanceId::new)
    }

    /// The machine of an instance.
    pub fn unit(&self, id: InstanceId) -> UnitId {
        self.instances[id].unit
    }

    /// How many refinements lie between an instance and the machine that is run.
    pub fn level(&self, id: InstanceId) -> usize {
        self.instances[id].level
    }

    /// Whether an instance is the machine that is run, or one that it refines.
    pub fn is_main(&self, id: InstanceId) -> bool {
        self.instances[id].is_main
    }

    /// Whether only the sets and constants of an instance count.
    pub fn is_left(&self, id: InstanceId) -> bool {
        self.instances[id].is_left
    }

    /// Whether a level below has the same machine, whose variables are those of this one.
    pub fn is_below(&self, id: InstanceId) -> bool {
        let Instance {
            unit,
            prefix,
            level,
            ..
        } = &self.instances[id];
        (0..*level).any(|below| self.known.contains_key(&(*unit, *prefix, below)))
    }

    /// A machine and those that it refines.
    pub fn chain(&self, main: InstanceId) -> Vec<InstanceId> {
        std::iter::successors(Some(main), |id| self.instances[*id].refined).collect()
    }

    /// What the machines above see and the machine that is run does not reach.
    pub fn seen_above(&self, main: InstanceId) -> Vec<InstanceId> {
        let above = self.all().filter(|id| self.level(*id) > 0 && *id != main);
        let seen = above.flat_map(|id| self.children(id));
        seen.filter(|(.., child)| self.level(*child) == 0)
            .map(|(.., child)| *child)
            .collect()
    }

    /// Whether a machine was given actual parameters.
    pub fn has_arguments(&self, id: InstanceId) -> bool {
        !self.instances[id].arguments.is_empty()
    }

    /// Whether some machine was given an actual parameter that is no set.
    pub fn has_scalar_arguments(&self, is_scalar: impl Fn(DeclId) -> bool) -> bool {
        let mut given = self.all().flat_map(|id| &self.instances[id].arguments);
        given.any(|(formal, ..)| is_scalar(*formal))
    }

    /// The type that a set parameter stands for.
    pub fn actual_type(&self, id: InstanceId, name: Name) -> Option<TyId> {
        if self.instances.is_empty() {
            return None;
        }
        self.instances[id].actual_types.get(&name).copied()
    }

    /// An instance whose names are found again in a finished model.
    pub fn adopt(&mut self, unit: UnitId) -> InstanceId {
        self.instances.push(Instance::new(unit, Seat::MAIN))
    }

    /// Gives a name a meaning.
    pub fn bind(&mut self, id: InstanceId, decl: DeclId, found: Ref) {
        self.instances[id].refs.insert(decl, found);
    }

    /// What a name means in an instance.
    pub fn get(&self, id: InstanceId, decl: DeclId) -> Option<Ref> {
        self.instances[id].refs.get(&decl).copied()
    }

    /// The instances that a machine refers to.
    pub fn children(&self, id: InstanceId) -> &[(Link, Option<Name>, InstanceId)] {
        &self.instances[id].children
    }

    /// The operations that are transitions: own and promoted ones, and those of seen and used machines.
    pub fn transitions(
        &self,
        main: InstanceId,
        checked: &Checked,
    ) -> Vec<(InstanceId, usize, Name)> {
        let mut found = Vec::new();
        let mut seen = Vec::new();
        self.offered(main, checked, None, &mut found);
        self.seen_operations(main, checked, &mut seen, &mut found);
        found
    }

    /// What a machine offers, under a prefix.
    fn offered(
        &self,
        id: InstanceId,
        checked: &Checked,
        prefix: Option<Name>,
        found: &mut Vec<(InstanceId, usize, Name)>,
    ) {
        let machine = &checked.world.machines[self.unit(id).index()];
        for (name, _) in &machine.operations_offered {
            if let Some((instance, operation)) = self.operation(id, checked, *name) {
                let shown = match prefix {
                    Some(prefix) => Name::new(&format!("{prefix}.{name}")),
                    None => *name,
                };
                if !found
                    .iter()
                    .any(|(i, o, _)| (*i, *o) == (instance, operation))
                {
                    found.push((instance, operation, shown));
                }
            }
        }
    }

    fn seen_operations(
        &self,
        id: InstanceId,
        checked: &Checked,
        seen: &mut Vec<InstanceId>,
        found: &mut Vec<(InstanceId, usize, Name)>,
    ) {
        for (link, prefix, child) in self.children(id) {
            if seen.contains(child) {
                continue;
            }
            seen.push(*child);
            // A machine that is part of the model has an owner, who decides what it offers.
            if matches!(link, Link::Sees | Link::Uses) && !self.is_owned(*child) {
                self.offered(*child, checked, *prefix, found);
            }
            self.seen_operations(*child, checked, seen, found);
        }
    }

    /// Whether some machine includes or imports an instance.
    fn is_owned(&self, id: InstanceId) -> bool {
        self.all().any(|owner| {
            self.children(owner)
                .iter()
                .any(|(link, _, child)| !matches!(link, Link::Sees | Link::Uses) && *child == id)
        })
    }

    /// The operation behind a name used in an instance.
    pub fn operation(
        &self,
        id: InstanceId,
        checked: &Checked,
        name: Name,
    ) -> Option<(InstanceId, usize)> {
        let machine = &checked.world.machines[self.unit(id).index()];
        // An operation implemented under OPERATIONS counts before its specification as a local one.
        let own = machine
            .operations
            .iter()
            .enumerate()
            .filter(|(_, typed)| checked.world.signatures[typed.signature].name == name)
            .min_by_key(|(_, typed)| typed.local);
        if let Some((operation, _)) = own {
            return Some((id, operation));
        }
        for (_, prefix, child) in self.children(id) {
            let inner = match prefix {
                Some(prefix) => match name
                    .as_str()
                    .strip_prefix(prefix.as_str())
                    .and_then(|rest| rest.strip_prefix('.'))
                {
                    Some(rest) => Name::new(rest),
                    None => continue,
                },
                None => name,
            };
            let offers = checked.world.machines[self.unit(*child).index()]
                .operations_offered
                .iter()
                .any(|(known, _)| *known == inner);
            if offers {
                return self.operation(*child, checked, inner);
            }
        }
        None
    }
}

impl Instance {
    fn new(unit: UnitId, seat: Seat) -> Instance {
        Instance {
            unit,
            prefix: seat.prefix,
            refs: FxHashMap::default(),
            actual_types: FxHashMap::default(),
            children: Vec::new(),
            level: seat.level,
            is_main: seat.is_main,
            is_left: seat.is_left,
            refined: None,
            arguments: Vec::new(),
        }
    }
}

/// The references of a machine to others, with definitions replaced.
pub(super) fn references(machine: &Machine) -> impl Iterator<Item = &MachineRef> {
    let clauses = machine.component.clauses.iter();
    let lists = clauses.filter_map(|clause| match &clause.body {
        ClauseBody::References(_, list) => Some(list),
        _ => None,
    });
    lists.flatten()
}

impl Lower<'_> {
    /// What a name means in the current instance.
    pub(super) fn reference(&self, decl: DeclId) -> Option<Ref> {
        match self.instances.get(self.instance, decl)? {
            Ref::Var(var) => Some(match self.copies.get(&var) {
                Some(copy) => Ref::Copy(*copy),
                None => Ref::Var(var),
            }),
            found => Some(found),
        }
    }
}
