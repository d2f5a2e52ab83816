//! Warns about models that are correct but probably not meant.
//!
//! Each kind of warning has a file: [`variables`], [`definitions`], [`guards`], [`shadowing`],
//! [`precedence`]. They look at the main machine only; a referenced machine gets its warnings when it is
//! linted itself.
//! Invariant: the work is linear in the size of the expanded machine.
//! Invariant: nothing is reported about a model with errors, where names and types may be missing.

mod constants;
mod definitions;
mod guards;
mod precedence;
mod shadowing;
mod variables;

use base::{Diagnostic, Diagnostics, Name, Sources};
use lang_math::expr::for_each_child;
use lang_math::{ExprId, ExprKind};
use rustc_hash::FxHashSet;

use crate::check::{DeclId, Machine, World};
use crate::expand::macros;
use crate::load::{Project, Unit, UnitId};
use crate::syntax::{Component, ComponentKind, Macro, MacroBody, SubstId, SubstKind, Tree};

/// Adds the warnings about one checked component.
pub(crate) fn add(
    project: &Project,
    unit: UnitId,
    world: &World,
    sources: &Sources,
    diagnostics: &mut Diagnostics,
) {
    let loaded = &project.units[unit];
    let Some(machine) = world.machines.get(unit.index()) else {
        return;
    };
    if diagnostics.has_errors() || loaded.component.kind == ComponentKind::DefinitionFile {
        return;
    }
    let mut model = Model {
        project,
        unit: loaded,
        machine,
        world,
        sources,
        found: Vec::new(),
    };
    model.variables();
    model.definitions();
    model.guards();
    model.shadowing();
    model.precedence();
    diagnostics.extend(model.found);
}

/// What the warnings are about, and those found so far.
struct Model<'a> {
    project: &'a Project,
    unit: &'a Unit,
    machine: &'a Machine,
    world: &'a World,
    sources: &'a Sources,
    found: Vec<Diagnostic>,
}

impl<'a> Model<'a> {
    /// The component as written.
    fn written(&self) -> &'a Component {
        &self.unit.component
    }

    /// The expanded tree.
    fn tree(&self) -> &'a Tree {
        &self.machine.component.tree
    }

    /// What a name of the expanded tree means.
    fn meaning(&self, id: ExprId) -> Option<DeclId> {
        self.machine.meanings.get(id.index()).copied().flatten()
    }

    /// The definitions of the component itself.
    fn own_definitions(&self) -> impl Iterator<Item = &'a Macro> + use<'a> {
        macros(self.written())
    }

    /// Every name and every word of a text in the bodies of definitions, whether they are used or not:
    /// settings such as GOAL are read by the tool only, and formulas may stand in texts.
    fn mentioned_by_definitions(&self) -> FxHashSet<Name> {
        let mut mentioned = FxHashSet::default();
        let files = self
            .unit
            .definition_files
            .iter()
            .map(|id| &self.project.definition_files[*id].component);
        for component in files.chain([self.written()]) {
            for definition in macros(component) {
                let (mut formulas, mut substs) = (Vec::new(), Vec::new());
                match &definition.body {
                    MacroBody::Formula(body) => formulas.push(*body),
                    MacroBody::Names(names) => mentioned.extend(names.iter().map(|name| name.name)),
                    MacroBody::Substitution(body) => substs.push(*body),
                }
                walk(
                    &component.tree,
                    formulas,
                    substs,
                    |id| mention(&component.tree, id, &mut mentioned),
                    |_| {},
                );
            }
        }
        mentioned
    }
}

/// Adds the names that one node uses, and the words of a text.
fn mention(tree: &Tree, id: ExprId, mentioned: &mut FxHashSet<Name>) {
    match tree.exprs.kind(id) {
        ExprKind::Name(name) | ExprKind::Before(name) => {
            mentioned.insert(*name);
        }
        ExprKind::Str(text) => {
            let words = text
                .as_str()
                .split(|c: char| !(c.is_alphanumeric() || c == '_'));
            mentioned.extend(words.filter(|word| !word.is_empty()).map(Name::new));
        }
        _ => {}
    }
}

/// Visits every formula and substitution below the given ones.
fn walk(
    tree: &Tree,
    mut formulas: Vec<ExprId>,
    mut substs: Vec<SubstId>,
    mut on_formula: impl FnMut(ExprId),
    mut on_subst: impl FnMut(SubstId),
) {
    while let Some(id) = substs.pop() {
        on_subst(id);
        tree.for_each_below(
            id,
            |formula| formulas.push(formula),
            |below| substs.push(below),
        );
    }
    while let Some(id) = formulas.pop() {
        on_formula(id);
        for_each_child(tree.exprs.kind(id), |child| formulas.push(child));
    }
}

/// The expressions that a substitution assigns: the left sides of assignments and the places of results.
fn targets(kind: &SubstKind) -> &[ExprId] {
    match kind {
        SubstKind::Assign { targets, .. }
        | SubstKind::BecomesElement { targets, .. }
        | SubstKind::BecomesSuch { targets, .. }
        | SubstKind::Call {
            results: targets, ..
        } => targets,
        _ => &[],
    }
}
