//! Names of Event-B: components, events and labels from the tree, the rest from the checker.

use std::collections::BTreeMap;

use base::{Id, Span};
use lang_eventb::check::{Checked, DeclId, DeclKind};
use lang_eventb::syntax::{Event, Labelled};
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
        own.whole = context
            .axioms
            .iter()
            .fold(own.whole, |span, one| span.to(one.span));
        names.definitions.push(own);
        properties(&context.axioms, checked, &mut names);
    }
    for (machine, info) in project.machines.iter().zip(&world.machines) {
        let mut own = plain(machine.name, DefinitionKind::Component, machine.span);
        let events = machine.events.iter().map(|event| whole(event, checked));
        own.whole = events.fold(own.whole, Span::to);
        names.definitions.push(own);
        properties(&machine.invariants, checked, &mut names);
        for (event, known) in machine.events.iter().zip(&info.events) {
            let mut own = plain(event.name, DefinitionKind::Event, event.span);
            own.whole = whole(event, checked);
            scopes.extend(known.parameters.iter().map(|decl| (*decl, own.whole)));
            names.definitions.push(own);
        }
    }
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

fn properties(all: &[Labelled], checked: &Checked, names: &mut Names) {
    for one in all {
        let mut own = plain(one.label, DefinitionKind::Property, one.span);
        own.whole = one.span.to(checked.project.exprs.span(one.formula));
        names.definitions.push(own);
    }
}

/// From the name of an event to its last action.
fn whole(event: &Event, checked: &Checked) -> Span {
    let span = event
        .parameters
        .iter()
        .fold(event.span, |span, one| span.to(one.span));
    let guards = event
        .guards
        .iter()
        .map(|guard| checked.project.exprs.span(guard.formula));
    let span = guards.fold(span, Span::to);
    let actions = event.actions.iter().flat_map(|action| {
        let targets = action.targets.iter().map(|target| target.span);
        targets.chain([action.span])
    });
    actions.fold(span, Span::to)
}
