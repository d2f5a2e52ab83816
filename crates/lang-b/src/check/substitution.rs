//! Checks substitutions: types, what may be assigned, what may be called.

use base::{Diagnostic, Name, Span, deep};
use lang_math::{ExprId, ExprKind, Type};
use rustc_hash::FxHashMap;

use super::machine::Checker;
use super::report::Because;
use super::scope::{DeclId, DeclKind, Region, Via};
use crate::codes::{given, scope as codes};
use crate::syntax::{Link, SubstId, SubstKind};
use base::counted;

/// The variables that a substitution changes, with a place where it does.
type Written = FxHashMap<DeclId, Span>;

impl<'a> Checker<'a> {
    /// Checks a substitution.
    pub(super) fn substitution(&mut self, id: SubstId) {
        self.written(id);
    }

    /// Checks a substitution and says what it changes.
    fn written(&mut self, id: SubstId) -> Written {
        deep::recurse(|| self.written_here(id))
    }

    // Long: one arm for each kind of substitution.
    fn written_here(&mut self, id: SubstId) -> Written {
        let component = self.component;
        let node = &component.tree.substs[id];
        match &node.kind {
            SubstKind::Error | SubstKind::Skip => Written::default(),
            SubstKind::Assign { targets, values } => self.assigned(id, targets, values),
            SubstKind::BecomesElement { targets, set } => self.becomes_element(id, targets, *set),
            SubstKind::BecomesSuch { targets, predicate } => {
                let written = self.targets(id, targets);
                for target in targets {
                    self.infer(*target);
                }
                self.before += 1;
                self.predicate(*predicate);
                self.before -= 1;
                written
            }
            SubstKind::Call {
                results,
                name,
                name_span,
                arguments,
            } => {
                let written = self.targets(id, results);
                self.call(id, results, *name, *name_span, arguments);
                written
            }
            SubstKind::External(name, arguments) => self.external_call(*name, arguments, node.span),
            SubstKind::Block(body) => self.written(*body),
            SubstKind::Pre(predicate, body) | SubstKind::Witness(predicate, body) => {
                self.predicate(*predicate);
                self.written(*body)
            }
            SubstKind::Assert(predicate, body) => {
                self.annotation(*predicate);
                self.written(*body)
            }
            SubstKind::Choice(parts) | SubstKind::Sequence(parts) => {
                let mut all = Written::default();
                for part in parts {
                    all.extend(self.written(*part));
                }
                all
            }
            SubstKind::Parallel(parts) => self.parallel(id, parts),
            SubstKind::If {
                branches,
                otherwise,
            }
            | SubstKind::Select {
                branches,
                otherwise,
            } => {
                let mut all = Written::default();
                for (condition, body) in branches {
                    self.predicate(*condition);
                    all.extend(self.written(*body));
                }
                if let Some(body) = otherwise {
                    all.extend(self.written(*body));
                }
                all
            }
            SubstKind::Case {
                subject,
                branches,
                otherwise,
            } => self.case(*subject, branches, *otherwise),
            SubstKind::Any {
                names,
                predicate,
                body,
            } => {
                let bound = self.bind(names, DeclKind::Bound);
                self.predicate(*predicate);
                let written = self.written(*body);
                self.release(names);
                self.subst_binders.insert(id, bound);
                written
            }
            SubstKind::Let {
                names,
                equations,
                body,
            } => {
                let bound = self.bind_equations(names, *equations, false);
                let written = self.written(*body);
                self.release(names);
                self.subst_binders.insert(id, bound);
                written
            }
            SubstKind::Var { names, body } => {
                let bound = self.bind(names, DeclKind::Local);
                let mut written = self.written(*body);
                self.release(names);
                written.retain(|decl, _| !bound.contains(decl));
                self.subst_binders.insert(id, bound);
                written
            }
            SubstKind::While {
                condition,
                body,
                invariant,
                variant,
            } => self.while_loop([*condition, *invariant, *variant], *body),
        }
    }

    fn external_call(&mut self, name: Name, arguments: &[ExprId], span: Span) -> Written {
        if let Some((Some(domain), _)) = self.external_argument(name, arguments, span) {
            self.fit_tuple(arguments, domain, None);
        } else {
            for argument in arguments {
                self.infer(*argument);
            }
        }
        Written::default()
    }

    fn while_loop(
        &mut self,
        [condition, invariant, variant]: [ExprId; 3],
        body: SubstId,
    ) -> Written {
        self.predicate(condition);
        self.before += 1;
        self.annotation(invariant);
        self.before -= 1;
        let region = self.annotation_region();
        let found = self.infer(variant);
        self.region = region;
        let expected = self.world.types.int();
        self.fit(variant, found, expected, None);
        self.written(body)
    }

    fn case(
        &mut self,
        subject: ExprId,
        branches: &[(Vec<ExprId>, SubstId)],
        otherwise: Option<SubstId>,
    ) -> Written {
        let expected = self.infer(subject);
        let mut all = Written::default();
        for (labels, body) in branches {
            for label in labels {
                let found = self.infer(*label);
                let because = Because::Type(self.span(subject), expected);
                self.fit(*label, found, expected, Some(because));
            }
            all.extend(self.written(*body));
        }
        if let Some(body) = otherwise {
            all.extend(self.written(body));
        }
        all
    }

    fn parallel(&mut self, id: SubstId, parts: &[SubstId]) -> Written {
        let mut all = Written::default();
        for part in parts {
            for (decl, span) in self.written(*part) {
                if let Some(first) = all.insert(decl, span) {
                    self.assigned_twice(id, decl, first, span);
                }
            }
        }
        all
    }

    fn becomes_element(&mut self, id: SubstId, targets: &[ExprId], set: ExprId) -> Written {
        let written = self.targets(id, targets);
        let mut tuple = None;
        for target in targets {
            let ty = self.infer(*target);
            tuple = Some(match tuple {
                None => ty,
                Some(left) => self.world.types.prod(left, ty),
            });
        }
        let element = tuple.unwrap_or(self.world.types.error());
        let expected = self.world.types.pow(element);
        let found = self.infer(set);
        let because = targets
            .first()
            .map(|target| Because::Type(self.span(*target), element));
        self.fit(set, found, expected, because);
        written
    }

    fn assigned(&mut self, id: SubstId, targets: &[ExprId], values: &[ExprId]) -> Written {
        if targets.len() != values.len() {
            let error = Diagnostic::error(
                &codes::TARGET_COUNT,
                self.component.tree.substs[id].span,
                format!(
                    "{} but {}",
                    counted(targets.len(), "target"),
                    counted(values.len(), "value")
                ),
            )
            .help("give each target one value: `x, y := E, F`");
            self.report_subst(id, error);
        }
        let written = self.targets(id, targets);
        for (target, value) in targets.iter().zip(values) {
            let expected = self.infer(*target);
            let found = self.infer(*value);
            let because = Because::Type(self.span(*target), expected);
            self.fit(*value, found, expected, Some(because));
        }
        for value in values.iter().skip(targets.len()) {
            self.infer(*value);
        }
        written
    }

    /// Switches to the names that loop invariants and ASSERT see; the answer is the region to go back to.
    fn annotation_region(&mut self) -> Region {
        let region = self.region;
        if region != Region::Query {
            self.region = Region::Annotation;
        }
        region
    }

    fn annotation(&mut self, predicate: ExprId) {
        let region = self.annotation_region();
        self.predicate(predicate);
        self.region = region;
    }

    /// Checks that targets can be assigned, all at once.
    fn targets(&mut self, id: SubstId, targets: &[ExprId]) -> Written {
        let mut written = Written::default();
        for target in targets {
            if let Some(decl) = self.target(*target) {
                let span = self.span(*target);
                if let Some(first) = written.insert(decl, span) {
                    self.assigned_twice(id, decl, first, span);
                }
            }
        }
        written
    }

    /// The variable that an assignment to `target` changes.
    fn target(&mut self, target: ExprId) -> Option<DeclId> {
        let mut root = target;
        let name = loop {
            match self.kind(root) {
                ExprKind::Name(name) => break *name,
                ExprKind::Apply(inner, _) | ExprKind::Field(inner, _) => root = *inner,
                ExprKind::Error => return None,
                _ => {
                    let error = Diagnostic::error(
                        &codes::NOT_ASSIGNABLE,
                        self.span(target),
                        "this cannot be assigned",
                    )
                    .help("assign to a variable, a function at a point, or a field of a record");
                    self.report(target, error);
                    return None;
                }
            }
        };
        let (decl, via) = match self.scope.local(name) {
            Some(decl) => (decl, Via::Own),
            None => {
                // Unknown names are reported when the target is typed.
                let global = self.scope.globals.get(&name)?;
                (global.decl, global.via)
            }
        };
        let declared = &self.world.decls[decl];
        let (kind, span) = (declared.kind, declared.span);
        if *self.world.types.get(declared.ty) == Type::Error {
            // Something is wrong with the declaration, and that was reported.
            return None;
        }
        let fits = match kind {
            DeclKind::Output | DeclKind::Local => true,
            // Where the name is typed, abstract variables of a refined machine are reported.
            DeclKind::Variable(_) => matches!(via, Via::Own | Via::Refined),
            _ => false,
        };
        if fits {
            return Some(decl);
        }
        let mut error = Diagnostic::error(
            &codes::NOT_ASSIGNABLE,
            self.span(target),
            format!("`{name}` cannot be assigned: it is {}", kind.with_article()),
        )
        .also(span, "declared here");
        if let (DeclKind::Variable(_), Via::Link(link)) = (kind, via) {
            let machine = self.project.units[self.world.decls[decl].unit]
                .component
                .name;
            error.message = format!("`{name}` cannot be assigned: it belongs to machine {machine}");
            error = error.help(match link {
                Link::Sees | Link::Uses => format!(
                    "{} gives read access only: INCLUDES would allow to call operations of {machine}",
                    link.keyword()
                ),
                _ => format!("call an operation of {machine} that changes it"),
            });
        }
        self.report(target, error);
        None
    }

    fn assigned_twice(&mut self, id: SubstId, decl: DeclId, first: Span, second: Span) {
        if self.preferences.simultaneous_assignments {
            return;
        }
        let name = self.world.decls[decl].name;
        let (first, second) = if first <= second {
            (first, second)
        } else {
            (second, first)
        };
        let error = Diagnostic::error(
            &codes::ASSIGNED_TWICE,
            second,
            format!("`{name}` is assigned twice at once"),
        )
        .also(first, "also assigned here")
        .help(format!(
            "change a function at several points by `{name} := {name} <+ {{…}}`"
        ));
        self.report_subst(id, error);
    }

    fn call(
        &mut self,
        id: SubstId,
        results: &[ExprId],
        name: Name,
        name_span: Span,
        arguments: &[ExprId],
    ) {
        let infer_all = |checker: &mut Self| {
            for part in results.iter().chain(arguments) {
                checker.infer(*part);
            }
        };
        let Some(callable) = self.operations.get(&name).copied() else {
            infer_all(self);
            self.unknown_operation(id, name, name_span);
            return;
        };
        if callable.via == Via::Own && !callable.local && !self.preferences.local_calls {
            let span = self.world.signatures[callable.signature].span;
            let error = Diagnostic::error(
                &codes::LOCAL_CALL,
                name_span,
                format!("operation `{name}` of the same machine is called"),
            )
            .also(span, "declared here")
            .help("declare it under LOCAL_OPERATIONS, or set SET_PREF_ALLOW_LOCAL_OPERATION_CALLS == TRUE");
            self.report_subst(id, error);
        }
        let signature = self.world.signatures[callable.signature].clone();
        if signature.inputs.len() != arguments.len() || signature.outputs.len() != results.len() {
            infer_all(self);
            let what = if signature.inputs.len() != arguments.len() {
                format!(
                    "takes {}, but {}",
                    counted(signature.inputs.len(), "argument"),
                    given(arguments.len())
                )
            } else {
                format!(
                    "has {}, but the call has {}",
                    counted(signature.outputs.len(), "result"),
                    counted(results.len(), "target")
                )
            };
            let error = Diagnostic::error(
                &codes::ARGUMENT_COUNT,
                name_span,
                format!("operation `{name}` {what}"),
            )
            .also(signature.span, "declared here");
            self.report_subst(id, error);
            return;
        }
        for (part, (formal, expected)) in results
            .iter()
            .zip(&signature.outputs)
            .chain(arguments.iter().zip(&signature.inputs))
        {
            let found = self.infer(*part);
            let because = Because::Header(signature.span, *formal, name, *expected);
            self.fit(*part, found, *expected, Some(because));
        }
    }
}
