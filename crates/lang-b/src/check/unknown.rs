//! Reports names that mean nothing where they stand, with what may have been meant.

use base::{Diagnostic, Name, Severity, Span, near};
use lang_math::ExprId;

use super::machine::Checker;
use super::scope::{DeclId, DeclKind, Region, Via};
use crate::codes::scope as names;
use crate::syntax::{Link, SubstId};

impl Checker<'_> {
    /// Reports a name that means nothing here.
    pub(super) fn unknown_name(&mut self, at: ExprId, name: Name) {
        if self.is_incomplete() && self.region != Region::Query {
            return;
        }
        if self.diagnostics.is_full() {
            return self.diagnostics.drop_error();
        }
        let span = self.component.tree.exprs.span(at);
        if self.told.contains(&(Severity::Error, Some(span))) {
            return;
        }
        let mut error =
            Diagnostic::error(&names::UNKNOWN_NAME, span, format!("unknown name `{name}`"));
        if self.operations.contains_key(&name) {
            error = Diagnostic::error(
                &names::OPERATION_AS_VALUE,
                span,
                format!("operation `{name}` is used as a value"),
            )
            .help(format!("call it as a substitution: `r <-- {name}(…)`"));
        } else if let Some(help) = self.elsewhere(name) {
            error = error.help(help);
        } else if let Some(near) = self.near_name(name) {
            error = error.help(format!("did you mean `{near}`?")).fix(near);
        }
        self.report(at, error);
    }

    /// Reports a name that exists but may not be used in the current clause.
    pub(super) fn hidden_name(&mut self, at: ExprId, name: Name, decl: DeclId, via: Via) {
        let span = self.component.tree.exprs.span(at);
        let kind = self.world.decls[decl].kind;
        let region = self.region;
        let mut error = Diagnostic::error(
            &names::NOT_VISIBLE,
            span,
            format!(
                "`{name}` cannot be used in {}: it is {}",
                region.name(),
                kind.with_article()
            ),
        );
        error = self.world.point_at(error, decl, "declared here");
        error = error.help(match (region, kind) {
            (Region::Constraints, _) => {
                "CONSTRAINTS sees the machine's parameters only; move the conjunct to PROPERTIES or INVARIANT"
            }
            (_, DeclKind::Variable(_)) if via == Via::Refined => {
                "operations of a refinement use its own variables; declare the variable here to keep it"
            }
            (_, DeclKind::Variable(_)) => {
                "PROPERTIES sees sets and constants only; move the conjunct to INVARIANT"
            }
            _ => "use the parameter in CONSTRAINTS, INVARIANT or OPERATIONS",
        });
        self.report(at, error);
    }

    /// Which clause would make a name visible that some loaded component declares.
    fn elsewhere(&self, name: Name) -> Option<String> {
        let own = &self.project.units[self.unit].component.name;
        for (id, unit) in self.project.units.iter() {
            let Some(machine) = self.world.machines.get(id.index()) else {
                continue;
            };
            let Some(export) = machine.exports.iter().find(|export| export.name == name) else {
                continue;
            };
            let kind = self.world.decls[export.decl].kind.with_article();
            let machine = unit.component.name;
            // A name that came in under a prefix.
            let prefixed = self.scope.globals.iter().find(|(known, global)| {
                known.as_str().ends_with(&format!(".{name}"))
                    && self.world.decls[global.decl].name == name
            });
            if let Some((known, _)) = prefixed {
                return Some(format!(
                    "machine {machine} was included with a prefix: write `{known}`"
                ));
            }
            return Some(format!(
                "`{name}` is {kind} of machine {machine}: add `{} {machine}` to {own}",
                Link::Sees.keyword(),
            ));
        }
        None
    }

    fn near_name(&self, name: Name) -> Option<&'static str> {
        near::nearest(
            name.as_str(),
            self.scope
                .globals
                .iter()
                .filter(|(_, global)| {
                    self.region
                        .sees(self.world.decls[global.decl].kind, global.via)
                })
                .map(|(name, _)| *name)
                .chain(self.scope.local_names())
                .chain(self.definition_names.iter().copied())
                .map(Name::as_str),
        )
    }

    /// Reports an operation that does not exist.
    pub(super) fn unknown_operation(&mut self, at: SubstId, name: Name, span: Span) {
        if self.is_incomplete() {
            return;
        }
        if self.diagnostics.is_full() {
            return self.diagnostics.drop_error();
        }
        let mut error = Diagnostic::error(
            &names::UNKNOWN_OPERATION,
            span,
            format!("unknown operation `{name}`"),
        );
        let prefixed = self
            .operations
            .keys()
            .filter(|known| known.as_str().ends_with(&format!(".{name}")))
            .min();
        if let Some(prefixed) = prefixed {
            error = error.help(format!(
                "its machine was included with a prefix: write `{prefixed}`"
            ));
        } else if let Some(global) = self.scope.globals.get(&name) {
            let kind = self.world.decls[global.decl].kind.with_article();
            error = error.note(format!("`{name}` is {kind}"));
        } else if let Some(near) = near::nearest(
            name.as_str(),
            self.operations.keys().map(|name| name.as_str()),
        ) {
            error = error.help(format!("did you mean `{near}`?")).fix(near);
        } else if let Some((_, unit)) = self.project.units.iter().find(|(id, _)| {
            self.world.machines.get(id.index()).is_some_and(|machine| {
                machine
                    .operations_offered
                    .iter()
                    .any(|(known, _)| *known == name)
            })
        }) {
            let machine = unit.component.name;
            error = error.help(format!(
                "it is an operation of machine {machine}: add `INCLUDES {machine}`"
            ));
        }
        self.report_subst(at, error);
    }
}
