//! Says what does not fit, with both types, both origins and the smallest expression at fault.

use base::{Diagnostic, Name, Span, near};
use lang_math::types::VarClass;
use lang_math::{ExprId, ExprKind, Mismatch, Op, Sort, Type, TypeId};

use super::machine::Checker;
use super::scope::{DeclId, DeclKind, Region, Via};
use crate::codes::{scope as names, typing as codes};
use crate::syntax::{Link, SubstId};

/// How many uses of definitions a diagnostic shows.
const SHOWN_USES: usize = 3;

/// Why a type is expected; put into words only when it does not fit.
#[derive(Clone, Copy)]
pub(super) enum Because {
    /// What stands here has this type.
    Type(Span, TypeId),
    /// An operator with so many operands, and one of them that stands before this one.
    Operand(Op, usize, Option<ExprId>),
    /// This parameter or result of this operation, declared here, has this type.
    Header(Span, Name, Name, TypeId),
    /// This was declared here.
    Declared(Span, &'static str),
}

impl Checker<'_> {
    /// Reports something about an expression; inside a definition's body the uses are shown as well.
    pub(super) fn report(&mut self, at: ExprId, mut diagnostic: Diagnostic) {
        if self.is_reported(&diagnostic) {
            return;
        }
        if let Some((name, place)) = self.origins.argument(at) {
            diagnostic = diagnostic.also(place, format!("used here by definition `{name}`"));
        }
        for used in self.origins.uses_of(at).take(SHOWN_USES) {
            diagnostic = diagnostic.also(
                used.span,
                format!("in this use of definition `{}`", used.name),
            );
        }
        self.diagnostics.push(diagnostic);
    }

    /// Reports something about a substitution.
    pub(super) fn report_subst(&mut self, at: SubstId, mut diagnostic: Diagnostic) {
        if self.is_reported(&diagnostic) {
            return;
        }
        for used in self.origins.uses_of_subst(at).take(SHOWN_USES) {
            diagnostic = diagnostic.also(
                used.span,
                format!("in this use of definition `{}`", used.name),
            );
        }
        self.diagnostics.push(diagnostic);
    }

    /// Whether a syntax error was reported at the same place.
    fn is_reported(&self, diagnostic: &Diagnostic) -> bool {
        diagnostic.primary.as_ref().is_some_and(|primary| {
            self.reported
                .iter()
                .any(|place| place.contains(primary.span))
        })
    }

    /// Whether names may be unknown only because their declarations could not be read.
    pub(super) fn is_incomplete(&self) -> bool {
        self.project.units[self.unit].incomplete
    }

    /// Whether types may be open only because some text could not be read.
    pub(super) fn is_unsure(&self) -> bool {
        let unit = &self.project.units[self.unit];
        self.region != Region::Query && (unit.incomplete || unit.broken)
    }

    /// Makes the type of `at` fit `expected`; `because` is the place and reason of the expectation.
    pub(super) fn fit(
        &mut self,
        at: ExprId,
        found: TypeId,
        expected: TypeId,
        because: Option<Because>,
    ) -> bool {
        let span = self.component.tree.exprs.span(at);
        let fits = self.world.types.unify(found, expected, span);
        if let Err(mismatch) = &fits {
            if self.diagnostics.is_full() {
                self.diagnostics.drop_error();
            } else {
                self.mismatch(at, found, expected, mismatch, because);
            }
            // What is still open in these types is not to be reported once more.
            self.world.types.close(found);
            self.world.types.close(expected);
        }
        fits.is_ok()
    }

    /// The place and the words of a reason.
    fn explain(&self, because: Because) -> Option<(Span, String)> {
        Some(match because {
            Because::Type(place, ty) => (place, self.has_type(ty)),
            Because::Operand(_, _, before) => {
                let before = before?;
                (self.span(before), self.has_type(self.type_of(before)))
            }
            Because::Header(place, formal, operation, ty) => (
                place,
                format!(
                    "`{formal}` of `{operation}` has type {}",
                    self.world.types.show(ty)
                ),
            ),
            Because::Declared(place, what) => (place, what.to_owned()),
        })
    }

    fn mismatch(
        &mut self,
        at: ExprId,
        found: TypeId,
        expected: TypeId,
        mismatch: &Mismatch,
        because: Option<Because>,
    ) {
        let types = &self.world.types;
        let span = self.component.tree.exprs.span(at);
        let found_text = types.show(found);
        let expected_text = types.show(expected);
        if mismatch.infinite {
            let error = Diagnostic::error(
                &codes::INFINITE,
                span,
                format!("the type would contain itself: {found_text} against {expected_text}"),
            );
            self.report(at, error);
            return;
        }
        let wanted = match types.class(expected) {
            Some(VarClass::Number) => "a number".to_owned(),
            Some(VarClass::NumberOrSet) => "a number or a set".to_owned(),
            Some(VarClass::SequenceOrString) => "a sequence or a STRING".to_owned(),
            Some(VarClass::Set) => "a set".to_owned(),
            _ => expected_text,
        };
        let mut error = Diagnostic::error(
            &codes::MISMATCH,
            span,
            format!("type mismatch: expected {wanted}, found {found_text}"),
        )
        .label(format!("this has type {found_text}"));
        if let Some((place, text)) = because.and_then(|because| self.explain(because)) {
            error = error.also(place, text);
        }
        if let Some((name, origin)) = self.origin_of(at)
            && origin != span
        {
            error = error.also(origin, format!("`{name}` got its type here"));
        }
        let (left, right) = (types.show(mismatch.left), types.show(mismatch.right));
        if left != found_text && !left.contains('?') && !right.contains('?') {
            error = error.note(format!("{left} and {right} are different types"));
        }
        if let Some(help) = self.slip(at, found, expected, because) {
            error = error.help(help);
        }
        self.report(at, error);
    }

    /// Where the type of a name was decided.
    fn origin_of(&self, at: ExprId) -> Option<(Name, Span)> {
        let decl = self.meanings.get(at.index()).copied().flatten()?;
        let decl = &self.world.decls[decl];
        self.world
            .types
            .origin(decl.ty)
            .map(|origin| (decl.name, origin))
    }

    /// The fix of a typical slip.
    fn slip(
        &self,
        at: ExprId,
        found: TypeId,
        expected: TypeId,
        because: Option<Because>,
    ) -> Option<String> {
        let types = &self.world.types;
        let is_set = |ty| matches!(types.get(ty), Type::Pow(_));
        if let Some(Because::Operand(op, count, before)) = because {
            let help = match (op, before) {
                (Op::InsertFront, Some(left)) if is_set(found) && is_set(self.type_of(left)) => {
                    "the total functions are written `S --> T`; `->` puts an element before a sequence"
                }
                (Op::InsertTail, None) if matches!(types.get(found), Type::Int | Type::Real) => {
                    "`<-` puts an element after a sequence; a comparison with a negative number is written `x < -1`"
                }
                (Op::SetExtension, Some(_)) if count == 2 => {
                    "the elements of a set have one type; a pair is written `x|->y`"
                }
                _ => "",
            };
            if !help.is_empty() {
                return Some(help.to_owned());
            }
        }
        match (types.get(found), types.get(expected)) {
            (Type::Pow(inner), Type::Pow(wanted))
                if matches!(types.get(*wanted), Type::Prod(..))
                    && !matches!(types.get(*inner), Type::Prod(..) | Type::Var(_))
                    && matches!(
                        self.component.tree.exprs.kind(at),
                        ExprKind::Op(Op::SetExtension, args) if args.len() == 2
                    ) =>
            {
                Some("a pair is written `x|->y`: `{x,y}` is a set of two elements".to_owned())
            }
            (_, Type::Pow(wanted)) if types.show(*wanted) == types.show(found) => {
                Some("put braces around it to make a set of one element: `{…}`".to_owned())
            }
            (Type::Pow(inner), _) if types.show(*inner) == types.show(expected) => {
                Some("this is a set; one element of it is needed".to_owned())
            }
            _ => None,
        }
    }

    /// Reports a formula of the wrong sort.
    pub(super) fn wrong_sort(&mut self, at: ExprId, wanted: Sort) {
        let found = match wanted {
            Sort::Expression => Sort::Predicate,
            Sort::Predicate => Sort::Expression,
        };
        let span = self.component.tree.exprs.span(at);
        let error = Diagnostic::error(
            &codes::WRONG_SORT,
            span,
            format!(
                "{} is needed here, but this is {}",
                wanted.with_article(),
                found.with_article()
            ),
        )
        .help(match wanted {
            Sort::Expression => "`bool(P)` turns a predicate into a value",
            Sort::Predicate => "`E = TRUE` turns a boolean value into a predicate",
        });
        self.report(at, error);
    }

    /// Reports a name that means nothing here.
    pub(super) fn unknown_name(&mut self, at: ExprId, name: Name) {
        if self.is_incomplete() && self.region != Region::Query {
            return;
        }
        if self.diagnostics.is_full() {
            return self.diagnostics.drop_error();
        }
        let span = self.component.tree.exprs.span(at);
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
            error = error.help(format!("did you mean `{near}`?"));
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
                "{} cannot be used in {}: `{name}`",
                kind.with_article(),
                region.name()
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
        if let Some(global) = self.scope.globals.get(&name) {
            let kind = self.world.decls[global.decl].kind.with_article();
            error = error.note(format!("`{name}` is {kind}"));
        } else if let Some(near) = near::nearest(
            name.as_str(),
            self.operations.keys().map(|name| name.as_str()),
        ) {
            error = error.help(format!("did you mean `{near}`?"));
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

    /// Reports a name whose type nothing decides.
    pub(super) fn no_type(&mut self, decl: DeclId) {
        let declared = self.world.decls[decl].clone();
        if self.is_unsure() {
            return self.world.types.close(declared.ty);
        }
        let clause = match declared.kind {
            DeclKind::Constant(_) => "PROPERTIES",
            DeclKind::Variable(_) => "INVARIANT",
            DeclKind::Parameter => "CONSTRAINTS",
            DeclKind::Input => "the precondition",
            DeclKind::Output | DeclKind::Local => "an assignment",
            _ => "the predicate",
        };
        let shown = self.world.types.show(declared.ty);
        let mut error = Diagnostic::error(
            &codes::NO_TYPE,
            declared.span,
            format!("the type of `{}` cannot be inferred", declared.name),
        )
        .help(match declared.kind {
            DeclKind::Output | DeclKind::Local => {
                format!(
                    "`{}` gets its type from what is assigned to it",
                    declared.name
                )
            }
            _ => format!("add a conjunct such as `{} : S` to {clause}", declared.name),
        });
        if shown.len() > 1 {
            error = error.note(format!("what is known: {shown}"));
        }
        self.diagnostics.push(error);
        self.world.types.close(declared.ty);
    }
}
