//! Applications of names that are no functions: operations called in expressions, and externals.

use base::{Diagnostic, Name, Span, counted};
use lang_math::{ExprId, TypeId};

use super::machine::Checker;
use super::scope::{Decl, DeclKind, Region};
use crate::codes::{given, scope as names};
use crate::expand::ExternalKind;

impl Checker<'_> {
    pub(super) fn call_in_expression(&mut self, id: ExprId, name: Name, args: &[ExprId]) -> TypeId {
        let Some(callable) = self.operations.get(&name).copied() else {
            return self.world.types.error();
        };
        let signature = self.world.signatures[callable.signature].clone();
        if signature.inputs.len() != args.len() || signature.outputs.is_empty() {
            for arg in args {
                self.infer(*arg);
            }
            let error = Diagnostic::error(
                &names::ARGUMENT_COUNT,
                self.span(id),
                if signature.outputs.is_empty() {
                    format!("operation `{name}` has no result, so it is no value")
                } else {
                    format!(
                        "operation `{name}` takes {}, but {}",
                        counted(signature.inputs.len(), "argument"),
                        given(args.len())
                    )
                },
            )
            .also(signature.span, "declared here");
            self.report(id, error);
            return self.world.types.error();
        }
        for (arg, (_, expected)) in args.iter().zip(&signature.inputs) {
            let found = self.infer(*arg);
            self.fit(*arg, found, *expected, None);
        }
        let mut outputs = signature.outputs.iter().map(|(_, ty)| *ty);
        let first = outputs.next().unwrap_or(self.world.types.error());
        outputs.fold(first, |left, right| self.world.types.prod(left, right))
    }

    pub(super) fn is_external(&self, name: Name, kind: ExternalKind) -> bool {
        self.origins
            .externals
            .get(&name)
            .is_some_and(|external| external.kind == kind)
    }

    /// Types a call of the host by its declared type; `None` for a predicate or a substitution.
    pub(super) fn external(&mut self, id: ExprId, name: Name, args: &[ExprId]) -> Option<TypeId> {
        let span = self.span(id);
        let Some(argument) = self.external_argument(name, args, span) else {
            for arg in args {
                self.infer(*arg);
            }
            return Some(self.world.types.error());
        };
        let (domain, range) = argument;
        if let Some(domain) = domain {
            self.fit_tuple(args, domain, None);
        }
        range
    }

    /// The types of the arguments (as one tuple) and of the result of a host function.
    pub(super) fn external_argument(
        &mut self,
        name: Name,
        args: &[ExprId],
        span: Span,
    ) -> Option<(Option<TypeId>, Option<TypeId>)> {
        let declared = self.origins.externals.get(&name)?.clone();
        for parameter in &declared.parameters {
            let element = self.world.types.fresh();
            let ty = self.world.types.pow(element);
            let decl = self.world.decls.push(Decl {
                name: *parameter,
                kind: DeclKind::Bound,
                ty,
                span,
                unit: self.unit,
                instance_of: None,
            });
            self.scope.bind(*parameter, decl);
        }
        let region = std::mem::replace(&mut self.region, Region::Query);
        let set = self.infer(declared.set);
        self.region = region;
        self.declared_sets.push(declared.set);
        for parameter in &declared.parameters {
            self.scope.unbind(*parameter);
        }
        let types = &mut self.world.types;
        let element = types.fresh();
        let of_elements = types.pow(element);
        types.unify(set, of_elements, span).ok()?;
        if declared.kind != ExternalKind::Function {
            return Some(((!args.is_empty()).then_some(element), None));
        }
        if args.is_empty() {
            return Some((None, Some(element)));
        }
        let (domain, range) = (types.fresh(), types.fresh());
        let relation = types.relation(domain, range);
        types.unify(element, relation, span).ok()?;
        Some((Some(domain), Some(range)))
    }
}
