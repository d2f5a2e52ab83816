//! Names of Event-B: components, events and labels from the tree, the rest from the checker.

use std::collections::BTreeMap;

use base::{Id, Name, Span};
use lang_eventb::check::{Checked, DeclId, DeclKind};
use lang_eventb::syntax::{Labelled, Machine};
use lang_eventb::text::KEYWORDS;
use lang_math::ExprId;
use subject::editor::{DefinitionKind, Lexicon, Names};

use super::{plain, with_operators};

/// The words of Event-B as text.
pub(crate) fn lexicon() -> Lexicon {
    with_operators(Lexicon {
        keywords: KEYWORDS.iter().copied().chain(["skip"]).collect(),
        line_comments: &["//"],
        block_comments: &[("/*", "*/")],
        in_names: "'",
        blocks: &[("machine", "end"), ("context", "end"), ("event", "end")],
        ..Lexicon::default()
    })
}

/// What the components declare and use.
pub(super) fn names(checked: &Checked) -> Names {
    let mut names = Names::default();
    let (project, world) = (&checked.project, &checked.world);
    let mut scopes: BTreeMap<DeclId, Span> = BTreeMap::new();
    for context in &project.contexts {
        let mut own = plain(context.name, DefinitionKind::Component, context.span);
        own.whole = context.whole;
        names.definitions.push(own);
        properties(&context.axioms, &mut names);
    }
    let mut of_event: BTreeMap<(Name, Name), usize> = BTreeMap::new();
    for (machine, info) in project.machines.iter().zip(&world.machines) {
        let mut own = plain(machine.name, DefinitionKind::Component, machine.span);
        own.whole = machine.whole;
        names.definitions.push(own);
        properties(&machine.invariants, &mut names);
        for (event, known) in machine.events.iter().zip(&info.events) {
            let mut own = plain(event.name, DefinitionKind::Event, event.span);
            own.whole = event.whole;
            scopes.extend(known.parameters.iter().map(|decl| (*decl, own.whole)));
            of_event.insert((machine.name, event.name), names.definitions.len());
            names.definitions.push(own);
        }
    }
    names.uses.extend(refined(&project.machines, &of_event));
    for (expr, decls) in &world.binders {
        scopes.extend(decls.iter().map(|decl| (*decl, project.exprs.span(*expr))));
    }
    let mut of_decl: BTreeMap<DeclId, usize> = BTreeMap::new();
    for (id, decl) in world.decls.iter() {
        let kind = match decl.kind {
            DeclKind::Set => DefinitionKind::Set,
            DeclKind::Constant => DefinitionKind::Constant,
            DeclKind::Variable => DefinitionKind::Variable,
            DeclKind::Parameter => DefinitionKind::Parameter,
            DeclKind::Bound => DefinitionKind::Local,
            DeclKind::After(_) | DeclKind::Type => continue,
        };
        let mut own = plain(decl.name, kind, decl.span);
        own.scope = scopes.get(&id).copied();
        own.type_text = Some(world.types.show(decl.ty));
        own.is_typed = decl.kind == DeclKind::Set;
        of_decl.insert(id, names.definitions.len());
        names.definitions.push(own);
    }
    for (at, meaning) in world.meanings.iter().enumerate() {
        let Some(mut decl) = *meaning else { continue };
        if let DeclKind::After(before) = world.decls[decl].kind {
            decl = before;
        }
        if let Some(definition) = of_decl.get(&decl) {
            let id: ExprId = Id::new(at);
            names.uses.push((project.exprs.span(id), *definition));
        }
    }
    names
}

/// Where events name those of the refined machine.
fn refined(machines: &[Machine], of_event: &BTreeMap<(Name, Name), usize>) -> Vec<(Span, usize)> {
    let mut uses = Vec::new();
    for machine in machines {
        let Some(abstraction) = machine.refines else {
            continue;
        };
        let references = machine.events.iter().flat_map(|event| &event.refines);
        uses.extend(references.filter_map(|reference| {
            let definition = of_event.get(&(abstraction.name, reference.name))?;
            Some((reference.span, *definition))
        }));
    }
    uses
}

fn properties(all: &[Labelled], names: &mut Names) {
    for one in all.iter().filter(|one| !one.label.as_str().is_empty()) {
        let mut own = plain(one.label, DefinitionKind::Property, one.label_span);
        own.whole = one.label_span.to(one.span);
        names.definitions.push(own);
    }
}
