//! Resolves names and infers types over a loaded project.
//!
//! Components are checked in the order of their references, each against what the earlier ones export. One
//! component is checked clause by clause in groups that are solved together: parameters with CONSTRAINTS,
//! constants with PROPERTIES, variables with INVARIANT, then the rest (`languages` rules of ProB: a variable
//! that only an operation would type is an error).
//! Invariant: after a check without errors every node of the expanded tree has a ground type or is a
//! predicate, and every name has a declaration.

mod binding;
mod calls;
mod declarations;
mod formula;
mod interface;
mod machine;
mod operations;
mod outside;
mod pending;
mod predicate;
mod report;
mod scope;
mod substitution;
#[cfg(test)]
mod tests;
mod unknown;

use std::path::Path;

use base::{Diagnostics, FileId, Name, Sources};
use lang_math::{Binding, Exprs, Place, Query, Sort, TypeId, Types};

pub use interface::{Export, Signature, SignatureId};
pub use machine::{Machine, TypedOperation};
use outside::Outside;
pub use outside::TypedFormula;
pub(crate) use scope::Region;
pub use scope::{Decl, DeclId, DeclKind, Via};

use crate::expand::Definitions;
use crate::hints;
use crate::load::{self, Project, Unit, UnitId};
use crate::syntax::Component;

/// Types, declarations and signatures of all components of a project.
#[derive(Debug, Default)]
pub struct World {
    /// The types.
    pub types: Types,
    /// The declarations.
    pub decls: base::Arena<Decl>,
    /// The signatures of operations.
    pub signatures: base::Arena<Signature>,
    /// The checked components, by unit.
    pub machines: Vec<Machine>,
}

impl World {
    /// The formal parameters of a checked component, in order.
    pub fn parameters(&self, unit: UnitId) -> Vec<DeclId> {
        let is_parameter = |decl: &DeclId| {
            matches!(
                self.decls[*decl].kind,
                DeclKind::Parameter | DeclKind::SetParameter
            )
        };
        let own = self.machines[unit.index()].own.iter().copied();
        own.filter(is_parameter).collect()
    }
}

/// A file, the files it refers to, and everything that was found wrong with them.
#[derive(Debug)]
pub struct Checked {
    /// What was found.
    pub diagnostics: Diagnostics,
    /// The loaded components.
    pub project: Project,
    /// What is known about them.
    pub world: World,
}

/// What was found about one formula.
#[derive(Debug)]
pub struct CheckedFormula {
    /// What is wrong with it.
    pub diagnostics: Diagnostics,
    /// Whether it is an expression or a predicate, when that is known.
    pub sort: Option<Sort>,
    /// Its type in B notation, for an expression that has one.
    pub type_text: Option<String>,
}

/// Loads a B file with everything it refers to, parses, expands, resolves and types it.
pub fn check_file(path: &Path, sources: &mut Sources) -> Checked {
    let mut diagnostics = Diagnostics::new();
    let project = load::load(path, sources, &mut diagnostics);
    check_project(project, diagnostics, sources)
}

/// Checks a text as if it were a file that refers to nothing on disk but what lies beside `path`.
pub fn check_text(path: &Path, text: String, sources: &mut Sources) -> Checked {
    let mut diagnostics = Diagnostics::new();
    let project = load::load_text(path, text, sources, &mut diagnostics);
    check_project(project, diagnostics, sources)
}

fn check_project(project: Project, mut diagnostics: Diagnostics, sources: &Sources) -> Checked {
    let mut world = World::default();
    for (id, _) in project.units.iter() {
        let machine = machine::check(&project, id, &mut world, &mut diagnostics);
        world.machines.push(machine);
    }
    show_ways(&project, &mut diagnostics);
    if let Some(main) = project.main {
        hints::add(&project, main, &world, sources, &mut diagnostics);
    }
    diagnostics.sort();
    Checked {
        diagnostics,
        project,
        world,
    }
}

/// Adds to what was found in other files how they were reached.
fn show_ways(project: &Project, diagnostics: &mut Diagnostics) {
    const SHOWN: usize = 3;
    let Some(main) = project.main.map(|main| project.units[main].file) else {
        return;
    };
    for diagnostic in diagnostics.iter_mut() {
        if diagnostic
            .secondary
            .iter()
            .any(|label| label.span.file == main)
        {
            continue;
        }
        let mut file = diagnostic.file();
        for _ in 0..SHOWN {
            let Some(at) = file.and_then(|file| project.led_to.get(&file)) else {
                break;
            };
            diagnostic.secondary.push(base::Label {
                span: *at,
                text: "reached through this reference".to_owned(),
            });
            file = Some(at.file);
        }
    }
}

impl Checked {
    /// The main component.
    pub fn unit(&self) -> Option<&Unit> {
        self.project.main.map(|main| &self.project.units[main])
    }

    /// The main file, when it could be read.
    pub fn file(&self) -> Option<FileId> {
        self.unit().map(|unit| unit.file)
    }

    /// The syntax tree of the main file.
    pub fn component(&self) -> Option<&Component> {
        self.unit().map(|unit| &unit.component)
    }

    /// Parses, resolves and types one formula in the context of the main machine.
    pub fn check_formula(&mut self, text: &str, sources: &mut Sources) -> CheckedFormula {
        let (typed, diagnostics) = self.type_formula(text, sources);
        match typed {
            Ok(typed) => CheckedFormula {
                diagnostics,
                sort: Some(if typed.is_predicate {
                    Sort::Predicate
                } else {
                    Sort::Expression
                }),
                type_text: typed.type_text,
            },
            Err(sort) => CheckedFormula {
                diagnostics,
                sort,
                type_text: None,
            },
        }
    }

    /// Like [`Checked::check_formula`], with the typed tree; the sort alone when the text cannot be read.
    pub fn type_formula(
        &mut self,
        text: &str,
        sources: &mut Sources,
    ) -> (Result<TypedFormula, Option<Sort>>, Diagnostics) {
        let file = sources.add("<expression>", text.to_owned());
        self.type_query(&Query::plain(Place::whole(file, text)))
    }

    /// Parses, resolves and types a formula where it stands, with names of its own.
    pub fn type_query(
        &mut self,
        query: &Query<'_, TypeId>,
    ) -> (Result<TypedFormula, Option<Sort>>, Diagnostics) {
        let mut exprs = Exprs::new();
        let (root, mut diagnostics) = crate::parse::formula_at(query.place, &mut exprs);
        let mut names = Vec::new();
        for name in &query.names {
            let binding = Binding {
                name: name.name,
                span: name.span,
            };
            let typing = name.typing.read(|place| {
                let (typing, found) = crate::parse::formula_at(place, &mut exprs);
                diagnostics.extend(found);
                typing
            });
            names.push((binding, typing));
        }
        let Some(main) = self.project.main.filter(|_| !diagnostics.has_errors()) else {
            return (Err(exprs.sort(root)), diagnostics);
        };
        let outside = Outside {
            exprs,
            root,
            names,
            expected: query.expected,
        };
        let world = &mut self.world;
        let typed = outside::check_formula(&self.project, main, world, outside, &mut diagnostics);
        (Ok(typed), diagnostics)
    }

    /// Whether a name means something in formulas from outside.
    pub fn is_known(&self, name: Name) -> bool {
        let Some(main) = self.project.main else {
            return false;
        };
        let unit = &self.project.units[main];
        let definitions = Definitions::collect(&self.project, unit, &mut Diagnostics::new());
        definitions.knows(name)
            || crate::stdlib::external(name.as_str()).is_some()
            || self.world.machines[main.index()].names(name, &self.world, &definitions)
    }
}
