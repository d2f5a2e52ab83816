//! Checks a formula that stands outside the components, in the context of a checked one.

use base::Diagnostics;
use lang_math::query::Typing;
use lang_math::{Binding, ExprId, ExprKind, Exprs, Sort, TypeId};
use rustc_hash::FxHashMap;

use super::World;
use super::machine::{Checker, Preferences};
use super::scope::{DeclId, Region};
use crate::expand::{Definitions, Expander, ExternalKind};
use crate::load::{Project, UnitId};
use crate::syntax::{Component, Tree};

/// A formula with the meaning of its names and the types of its parts.
#[derive(Debug)]
pub struct TypedFormula {
    /// Its tree, definitions replaced.
    pub tree: Tree,
    /// The formula itself.
    pub root: ExprId,
    /// Whether it is a predicate.
    pub is_predicate: bool,
    /// Its type in B notation as it was inferred, with `?` where nothing decides it.
    pub type_text: Option<String>,
    /// The type of each expression; `None` for predicates.
    pub types: Vec<Option<TypeId>>,
    /// The declaration of each name.
    pub meanings: Vec<Option<DeclId>>,
    /// The declarations of each binder's names.
    pub binders: FxHashMap<ExprId, Vec<DeclId>>,
    /// The declarations of the formula's own names.
    pub names: Vec<DeclId>,
}

/// A formula from outside, read.
pub(super) struct Outside {
    pub(super) exprs: Exprs,
    pub(super) root: ExprId,
    /// Its own names, outermost first.
    pub(super) names: Vec<(Binding, Typing<ExprId, TypeId>)>,
    /// The type that it must have.
    pub(super) expected: Option<TypeId>,
}

/// Checks a formula in the context of a checked component.
pub(super) fn check_formula(
    project: &Project,
    main: UnitId,
    world: &mut World,
    outside: Outside,
    diagnostics: &mut Diagnostics,
) -> TypedFormula {
    let definitions = Definitions::collect(project, &project.units[main], &mut Diagnostics::new());
    let Outside {
        exprs,
        root,
        mut names,
        expected,
    } = outside;
    let tree = Tree {
        exprs,
        ..Tree::default()
    };
    let mut expander = Expander::new(&definitions);
    let bindings: Vec<Binding> = names.iter().map(|(binding, _)| *binding).collect();
    for (at, (_, typing)) in names.iter_mut().enumerate() {
        if let Typing::By(predicate) = typing {
            *predicate = expander.formula(&tree, *predicate, &bindings[..=at]);
        }
    }
    let root = expander.formula(&tree, root, &bindings);
    diagnostics.extend(std::mem::take(&mut expander.diagnostics));
    let span = expander.tree.exprs.span(root);
    let component = Component {
        kind: project.units[main].component.kind,
        name: project.units[main].component.name,
        name_span: span,
        parameters: Vec::new(),
        clauses: Vec::new(),
        pragmas: Vec::new(),
        tree: expander.tree,
        span,
    };
    let machine = &world.machines[main.index()];
    let (scope, operations) = (machine.scope.clone(), machine.callable.clone());
    let origins = expander.origins;
    let mut checker = Checker::new(project, main, world, &component, &origins, diagnostics);
    checker.scope = scope;
    checker.operations = operations;
    checker.preferences = Preferences::of(&definitions);
    checker.definition_names = definitions.names().collect();
    checker.region = Region::Query;
    let is_predicate = checker.is_predicate(&component.tree.exprs, root);
    let names = checker.own_names(&names);
    if is_predicate {
        checker.predicate(root);
    } else {
        let found = checker.infer(root);
        if let Some(expected) = expected {
            checker.fit(root, found, expected, None);
        }
    }
    checker.finish_group();
    let type_text = checker.types[root.index()].map(|ty| {
        checker.world.types.default_classes(ty);
        checker.world.types.show(ty)
    });
    checker.open_types();
    let Checker {
        types,
        meanings,
        binders,
        ..
    } = checker;
    TypedFormula {
        tree: component.tree,
        root,
        is_predicate,
        type_text,
        types,
        meanings,
        binders,
        names,
    }
}

impl Checker<'_> {
    fn is_predicate(&self, exprs: &Exprs, root: ExprId) -> bool {
        match exprs.kind(root) {
            ExprKind::External(name, _) => {
                let external = self.origins.externals.get(name);
                external.is_some_and(|external| external.kind == ExternalKind::Predicate)
            }
            _ => exprs.sort(root) == Some(Sort::Predicate),
        }
    }
}
