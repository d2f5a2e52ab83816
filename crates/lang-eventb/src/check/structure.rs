//! Resolves EXTENDS, SEES and REFINES, finds circles, orders the components and flattens extended events.

use base::{Diagnostic, Diagnostics, Name};
use rustc_hash::FxHashMap;

use super::{ContextInfo, EventInfo, MachineInfo, World};
use crate::codes;
use crate::syntax::{Project, Reference};

/// The order in which components are checked.
#[derive(Debug, Default)]
pub(super) struct Order {
    /// Contexts, extended ones first.
    pub contexts: Vec<usize>,
    /// Machines, refined ones first.
    pub machines: Vec<usize>,
}

/// Fills in what components refer to.
pub(super) fn resolve(
    project: &mut Project,
    world: &mut World,
    diagnostics: &mut Diagnostics,
) -> Order {
    let mut order = Order::default();
    world.contexts = vec![ContextInfo::default(); project.contexts.len()];
    world.machines = vec![MachineInfo::default(); project.machines.len()];
    doubled(project, diagnostics);
    contexts(project, world, &mut order, diagnostics);
    machines(project, world, &mut order, diagnostics);
    for machine in &order.machines {
        events(project, world, *machine, diagnostics);
    }
    order
}

/// Two components of one name.
fn doubled(project: &Project, diagnostics: &mut Diagnostics) {
    let mut known = FxHashMap::default();
    let machines = project.machines.iter().map(|m| (true, m.name, m.span));
    let contexts = project.contexts.iter().map(|c| (false, c.name, c.span));
    for (is_machine, name, span) in machines.chain(contexts) {
        if let Some(before) = known.insert((is_machine, name), span) {
            diagnostics.push(super::duplicate(name, span, before));
        }
    }
}

fn unknown(what: &str, reference: &Reference, among: &[Name]) -> Diagnostic {
    let name = reference.name;
    let message = format!("there is no {what} `{name}`");
    let error = Diagnostic::error(&codes::UNKNOWN_COMPONENT, reference.span, message);
    match base::near::nearest(name.as_str(), among.iter().map(|name| name.as_str())) {
        Some(near) => error.help(format!("did you mean `{near}`?")).fix(near),
        None => error,
    }
}

fn contexts(
    project: &Project,
    world: &mut World,
    order: &mut Order,
    diagnostics: &mut Diagnostics,
) {
    let names: Vec<Name> = project
        .contexts
        .iter()
        .map(|context| context.name)
        .collect();
    let extends: Vec<Vec<usize>> = project
        .contexts
        .iter()
        .map(|context| {
            let mut found = Vec::new();
            for reference in &context.extends {
                match project.context(reference.name) {
                    Some(index) => found.push(index),
                    None => diagnostics.push(unknown("context", reference, &names)),
                }
            }
            found
        })
        .collect();
    // Depth first, without recursion: what is entered and not left again is a circle.
    let mut state = vec![0_u8; project.contexts.len()];
    for start in 0..project.contexts.len() {
        let mut pending = vec![(start, 0)];
        while let Some((index, next)) = pending.pop() {
            if next == 0 {
                if state[index] != 0 {
                    continue;
                }
                state[index] = 1;
            }
            match extends[index].get(next) {
                Some(child) => {
                    pending.push((index, next + 1));
                    if state[*child] == 1 {
                        let context = &project.contexts[index];
                        let message = format!(
                            "context `{}` extends itself through `{}`",
                            names[*child], context.name
                        );
                        let span = context.extends.first().map_or(context.span, |at| at.span);
                        diagnostics.push(Diagnostic::error(&codes::CYCLE, span, message));
                    } else {
                        pending.push((*child, 0));
                    }
                }
                None => {
                    state[index] = 2;
                    order.contexts.push(index);
                    let mut closure = Vec::new();
                    for child in &extends[index] {
                        for reached in &world.contexts[*child].closure {
                            if !closure.contains(reached) {
                                closure.push(*reached);
                            }
                        }
                    }
                    closure.push(index);
                    world.contexts[index].closure = closure;
                }
            }
        }
    }
}

fn machines(
    project: &Project,
    world: &mut World,
    order: &mut Order,
    diagnostics: &mut Diagnostics,
) {
    let names: Vec<Name> = project
        .machines
        .iter()
        .map(|machine| machine.name)
        .collect();
    let contexts: Vec<Name> = project
        .contexts
        .iter()
        .map(|context| context.name)
        .collect();
    for (index, machine) in project.machines.iter().enumerate() {
        if let Some(reference) = &machine.refines {
            match project.machine(reference.name) {
                Some(refined) => world.machines[index].refines = Some(refined),
                None => diagnostics.push(unknown("machine", reference, &names)),
            }
        }
        let mut seen = Vec::new();
        for reference in &machine.sees {
            match project.context(reference.name) {
                Some(context) => {
                    for reached in &world.contexts[context].closure {
                        if !seen.contains(reached) {
                            seen.push(*reached);
                        }
                    }
                }
                None => diagnostics.push(unknown("context", reference, &contexts)),
            }
        }
        world.machines[index].contexts = seen;
    }
    for index in 0..project.machines.len() {
        let mut chain = vec![index];
        let mut at = index;
        while let Some(refined) = world.machines[at].refines {
            if chain.contains(&refined) {
                let machine = &project.machines[at];
                let message = format!(
                    "machine `{}` refines itself",
                    project.machines[refined].name
                );
                let span = machine.refines.map_or(machine.span, |at| at.span);
                diagnostics.push(Diagnostic::error(&codes::CYCLE, span, message));
                world.machines[at].refines = None;
                break;
            }
            chain.push(refined);
            at = refined;
        }
        for machine in chain.into_iter().rev() {
            if !order.machines.contains(&machine) {
                order.machines.push(machine);
            }
        }
    }
    // What an abstraction sees is needed for its own formulas.
    for index in &order.machines {
        if let Some(refined) = world.machines[*index].refines {
            let mut seen = world.machines[refined].contexts.clone();
            for context in world.machines[*index].contexts.clone() {
                if !seen.contains(&context) {
                    seen.push(context);
                }
            }
            world.machines[*index].contexts = seen;
        }
    }
}

/// Resolves the refined events of a machine, and puts what extended events inherit into them.
fn events(project: &mut Project, world: &mut World, index: usize, diagnostics: &mut Diagnostics) {
    let refined = world.machines[index].refines;
    let count = project.machines[index].events.len();
    let mut infos = vec![EventInfo::default(); count];
    let mut known: FxHashMap<Name, base::Span> = FxHashMap::default();
    for (position, info) in infos.iter_mut().enumerate() {
        let event = project.machines[index].events[position].clone();
        if let Some(before) = known.insert(event.name, event.span) {
            diagnostics.push(super::duplicate(event.name, event.span, before));
        }
        let Some(refined) = refined else {
            if event.is_extended {
                extended_nothing(&event, diagnostics);
            }
            continue;
        };
        let abstraction = &project.machines[refined];
        let find = |name: Name| {
            abstraction
                .events
                .iter()
                .position(|candidate| candidate.name == name)
        };
        if event.is_initialisation() {
            info.refines.extend(find(event.name));
        }
        for reference in &event.refines {
            match find(reference.name) {
                Some(found) if !info.refines.contains(&found) => info.refines.push(found),
                Some(_) => {}
                None => {
                    let message = format!(
                        "machine `{}` has no event `{}`",
                        abstraction.name, reference.name
                    );
                    let error = Diagnostic::error(&codes::UNKNOWN_EVENT, reference.span, message);
                    diagnostics.push(error);
                }
            }
        }
        if event.is_extended {
            match info.refines.as_slice() {
                [one] => {
                    let inherited = abstraction.events[*one].clone();
                    let own = &mut project.machines[index].events[position];
                    own.parameters.splice(0..0, inherited.parameters);
                    own.guards.splice(0..0, inherited.guards);
                    own.actions.splice(0..0, inherited.actions);
                }
                _ => extended_nothing(&event, diagnostics),
            }
        }
    }
    world.machines[index].events = infos;
}

fn extended_nothing(event: &crate::syntax::Event, diagnostics: &mut Diagnostics) {
    let message = format!(
        "event `{}` is extended, but refines no single event",
        event.name
    );
    diagnostics.push(Diagnostic::error(&codes::EXTENDED, event.span, message));
}
