//! Names of classical B: the checker's declarations and meanings, and definitions, which it expands.

use std::collections::BTreeMap;

use base::{Id, Name, Span};
use lang_b::check::{Checked, DeclId, DeclKind};
use lang_b::load::UnitId;
use lang_b::preferences::{Setting, setting};
use lang_b::syntax::{ClauseBody, Component, Definition as Entry, Operation, Tree};
use lang_math::ExprId;
use subject::editor::{Definition, DefinitionKind, Lexicon, Names};

use super::{plain, with_operators};

/// The words of classical B.
pub(crate) fn lexicon() -> Lexicon {
    with_operators(Lexicon {
        keywords: lang_b::lex::words(),
        line_comments: &["//"],
        block_comments: &[("/*", "*/")],
        in_names: "",
        blocks: BLOCKS,
        ..Lexicon::default()
    })
}

const BLOCKS: &[(&str, &str)] = &[
    ("MACHINE", "END"),
    ("MODEL", "END"),
    ("SYSTEM", "END"),
    ("REFINEMENT", "END"),
    ("IMPLEMENTATION", "END"),
    ("BEGIN", "END"),
    ("PRE", "END"),
    ("SELECT", "END"),
    ("ANY", "END"),
    ("LET", "END"),
    ("IF", "END"),
    ("CASE", "END"),
    ("EITHER", "END"),
    ("CHOICE", "END"),
    ("VAR", "END"),
    ("WHILE", "END"),
    ("ASSERT", "END"),
];

/// What a file and those that it refers to declare and use.
pub(super) fn names(checked: &Checked) -> Names {
    let mut index = Index::default();
    for (unit, loaded) in checked.project.units.iter() {
        index.component(&loaded.component);
        index.declarations(checked, unit);
    }
    for (_, file) in checked.project.definition_files.iter() {
        index.macros(&file.component);
    }
    for (unit, _) in checked.project.units.iter() {
        index.meanings(checked, unit);
    }
    index.names
}

#[derive(Default)]
struct Index {
    names: Names,
    of_decl: BTreeMap<DeclId, usize>,
    at: BTreeMap<(Span, Name), usize>,
}

impl Index {
    fn push(&mut self, definition: Definition) -> usize {
        let at = self.names.definitions.len();
        self.at.insert((definition.span, definition.name), at);
        self.names.definitions.push(definition);
        at
    }

    /// The component itself, its operations and definitions.
    fn component(&mut self, component: &Component) {
        if !component.name.as_str().is_empty() {
            let mut own = plain(
                component.name,
                DefinitionKind::Component,
                component.name_span,
            );
            own.whole = component.span;
            self.push(own);
        }
        for operation in operations(component) {
            let mut own = plain(operation.name, DefinitionKind::Event, operation.span);
            own.whole = extent(operation, &component.tree);
            self.push(own);
        }
        self.macros(component);
    }

    fn macros(&mut self, component: &Component) {
        let clauses = component.clauses.iter();
        let entries = clauses.filter_map(|clause| match &clause.body {
            ClauseBody::Definitions(entries) => Some(entries),
            _ => None,
        });
        for entry in entries.flatten() {
            let Entry::Macro(written) = entry else {
                continue;
            };
            let kind = match setting(written.name.as_str()) {
                Some(Setting::AssertLtl(_)) => DefinitionKind::Linear,
                Some(Setting::AssertCtl(_)) => DefinitionKind::Branching,
                _ => DefinitionKind::Macro,
            };
            let mut own = plain(written.name, kind, written.span);
            own.whole = written.whole;
            let scope = own.whole;
            self.push(own);
            for parameter in &written.parameters {
                let mut own = plain(parameter.name, DefinitionKind::Parameter, parameter.span);
                own.scope = Some(scope);
                self.push(own);
            }
        }
    }

    /// What the checker declared for a unit, with types.
    fn declarations(&mut self, checked: &Checked, unit: UnitId) {
        let world = &checked.world;
        let Some(machine) = world.machines.get(unit.index()) else {
            return;
        };
        let mut scopes: BTreeMap<DeclId, Span> = BTreeMap::new();
        let tree = &machine.component.tree;
        for (expr, decls) in &machine.binders {
            scopes.extend(decls.iter().map(|decl| (*decl, tree.exprs.span(*expr))));
        }
        for (subst, decls) in &machine.subst_binders {
            scopes.extend(decls.iter().map(|decl| (*decl, tree.substs[*subst].span)));
        }
        for (typed, written) in machine
            .operations
            .iter()
            .zip(operations(&machine.component))
        {
            let whole = extent(written, tree);
            let both = typed.inputs.iter().chain(&typed.outputs);
            scopes.extend(both.map(|decl| (*decl, whole)));
        }
        for (id, decl) in world.decls.iter() {
            if decl.unit != unit || decl.instance_of.is_some() {
                continue;
            }
            let mut own = plain(decl.name, kind(decl.kind), decl.span);
            own.scope = scopes.get(&id).copied();
            own.type_text = Some(world.types.show(decl.ty));
            own.is_typed = matches!(
                decl.kind,
                DeclKind::DeferredSet
                    | DeclKind::EnumeratedSet
                    | DeclKind::Element
                    | DeclKind::SetParameter
            );
            // A name of a definition's body is declared once for each use of the definition.
            let at = match self.at.get(&(decl.span, decl.name)) {
                Some(at) => *at,
                None => self.push(own),
            };
            self.of_decl.insert(id, at);
        }
    }

    /// What names in formulas stand for.
    fn meanings(&mut self, checked: &Checked, unit: UnitId) {
        let Some(machine) = checked.world.machines.get(unit.index()) else {
            return;
        };
        for (at, meaning) in machine.meanings.iter().enumerate() {
            let Some(mut decl) = *meaning else { continue };
            while let Some(original) = checked.world.decls[decl].instance_of {
                decl = original;
            }
            if let Some(definition) = self.of_decl.get(&decl) {
                let id: ExprId = Id::new(at);
                let span = machine.component.tree.exprs.span(id);
                self.names.uses.push((span, *definition));
            }
        }
    }
}

fn operations(component: &Component) -> impl Iterator<Item = &Operation> {
    let clauses = component.clauses.iter();
    let lists = clauses.filter_map(|clause| match &clause.body {
        ClauseBody::Operations(all) | ClauseBody::LocalOperations(all) => Some(all),
        _ => None,
    });
    lists.flatten()
}

/// From the results of an operation to the end of its body.
fn extent(operation: &Operation, tree: &Tree) -> Span {
    let header = operation.results.iter().chain(&operation.parameters);
    let header = header.fold(operation.span, |span, one| span.to(one.span));
    header.to(tree.substs[operation.body].span)
}

fn kind(kind: DeclKind) -> DefinitionKind {
    match kind {
        DeclKind::SetParameter
        | DeclKind::DeferredSet
        | DeclKind::EnumeratedSet
        | DeclKind::FreeType => DefinitionKind::Set,
        DeclKind::Element | DeclKind::Constructor => DefinitionKind::Element,
        DeclKind::Parameter | DeclKind::Constant(_) => DefinitionKind::Constant,
        DeclKind::Variable(_) => DefinitionKind::Variable,
        DeclKind::Input | DeclKind::Output => DefinitionKind::Parameter,
        DeclKind::Local | DeclKind::Bound => DefinitionKind::Local,
    }
}
