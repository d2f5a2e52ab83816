//! Finds bound names that hide a global name.
//!
//! Only what the place could otherwise see is hidden: a quantifier in PROPERTIES hides no variable. Binders
//! that come from a definition are not reported: a definition cannot know the names of its users.

use base::Diagnostic;
use lang_math::{Binding, ExprId, ExprKind};

use super::{Model, walk};
use crate::check::{DeclKind, Region};
use crate::codes::hints as codes;
use crate::syntax::{ClauseBody, SubstId, SubstKind};

impl Model<'_> {
    /// Warns of bound names that hide global ones.
    pub(super) fn shadowing(&mut self) {
        let mut found = Vec::new();
        for clause in &self.machine.component.clauses {
            match &clause.body {
                ClauseBody::Constraints(id) => {
                    self.binders(Region::Constraints, vec![*id], Vec::new(), &mut found);
                }
                ClauseBody::Properties(id) => {
                    self.binders(Region::Properties, vec![*id], Vec::new(), &mut found);
                }
                ClauseBody::Values(values) => {
                    let roots = values.iter().map(|value| value.value).collect();
                    self.binders(Region::Values, roots, Vec::new(), &mut found);
                }
                ClauseBody::Invariant(id) => {
                    self.binders(Region::Invariant, vec![*id], Vec::new(), &mut found);
                }
                ClauseBody::Assertions(list) => {
                    self.binders(Region::Assertions, list.clone(), Vec::new(), &mut found);
                }
                ClauseBody::Variant(id) => {
                    self.binders(Region::Assertions, vec![*id], Vec::new(), &mut found);
                }
                ClauseBody::Initialisation(body) => {
                    self.binders(Region::Initialisation, Vec::new(), vec![*body], &mut found);
                }
                ClauseBody::Operations(list) | ClauseBody::LocalOperations(list) => {
                    for operation in list {
                        self.hides(
                            Region::Operations,
                            "parameter",
                            &operation.parameters,
                            &mut found,
                        );
                        self.hides(Region::Operations, "result", &operation.results, &mut found);
                        let body = vec![operation.body];
                        self.binders(Region::Operations, Vec::new(), body, &mut found);
                    }
                }
                _ => {}
            }
        }
        self.found.extend(found);
    }

    fn binders(
        &self,
        region: Region,
        formulas: Vec<ExprId>,
        substs: Vec<SubstId>,
        found: &mut Vec<Diagnostic>,
    ) {
        let tree = self.tree();
        let origins = &self.machine.origins;
        let mut of_substs = Vec::new();
        walk(
            tree,
            formulas,
            substs,
            |id| {
                if let ExprKind::Bind { names, .. } | ExprKind::Let { names, .. } =
                    tree.exprs.kind(id)
                    && origins.uses_of(id).next().is_none()
                {
                    self.hides(region, "bound name", names, found);
                }
            },
            |id| {
                if let SubstKind::Any { names, .. }
                | SubstKind::Let { names, .. }
                | SubstKind::Var { names, .. } = &tree.substs[id].kind
                    && origins.uses_of_subst(id).next().is_none()
                {
                    of_substs.push(names);
                }
            },
        );
        for names in of_substs {
            self.hides(region, "local name", names, found);
        }
    }

    fn hides(&self, region: Region, role: &str, names: &[Binding], found: &mut Vec<Diagnostic>) {
        for binding in names {
            let Some(global) = self.machine.scope.globals.get(&binding.name) else {
                continue;
            };
            let declared = &self.world.decls[global.decl];
            if !region.sees(declared.kind, global.via) {
                continue;
            }
            let kind = match declared.kind {
                DeclKind::DeferredSet | DeclKind::EnumeratedSet | DeclKind::FreeType => "set",
                DeclKind::Element => "element",
                DeclKind::Constructor => "constructor",
                DeclKind::Constant(_) => "constant",
                DeclKind::Variable(_) => "variable",
                _ => "parameter",
            };
            let name = binding.name;
            found.push(
                Diagnostic::warning(
                    &codes::SHADOWED,
                    binding.span,
                    format!("{role} `{name}` hides the {kind} of the same name"),
                )
                .also(declared.span, format!("this {kind} cannot be used there"))
                .help(format!("rename the inner `{name}`")),
            );
        }
    }
}
