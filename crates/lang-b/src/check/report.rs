//! Says what does not fit, with both types, both origins and the smallest expression at fault.

use base::{Diagnostic, Name, Span};
use lang_math::types::VarClass;
use lang_math::{ExprId, ExprKind, Mismatch, Op, Sort, Type, TypeId};

use super::machine::Checker;
use super::scope::{DeclId, DeclKind, Region};
use crate::codes::typing as codes;
use crate::expand::macros;
use crate::syntax::SubstId;

/// How many uses of definitions a diagnostic shows.
const SHOWN_USES: usize = 3;

/// How much of a type a message shows.
const SHOWN_TYPE: usize = 200;

/// Why a type is expected; put into words only when it does not fit.
#[derive(Clone, Copy)]
pub(super) enum Because {
    /// What stands here has this type.
    Type(Span, TypeId),
    /// An operand that stands before this one.
    Operand(ExprId),
    /// This parameter or result of this operation, declared here, has this type.
    Header(Span, Name, Name, TypeId),
    /// This was declared here.
    Declared(Span, &'static str),
}

impl Checker<'_> {
    /// Reports something about an expression; inside a definition's body the uses are shown as well. A body
    /// that is used often is wrong once.
    pub(super) fn report(&mut self, at: ExprId, mut diagnostic: Diagnostic) {
        let span = diagnostic.primary.as_ref().map(|label| label.span);
        if !self.told.insert((diagnostic.severity, span)) {
            return;
        }
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
    fn explain(&self, because: Because) -> (Span, String) {
        match because {
            Because::Type(place, ty) => (place, self.has_type(ty)),
            Because::Operand(before) => (self.span(before), self.has_type(self.type_of(before))),
            Because::Header(place, formal, operation, ty) => (
                place,
                format!(
                    "`{formal}` of `{operation}` has type {}",
                    self.world.types.show(ty)
                ),
            ),
            Because::Declared(place, what) => (place, what.to_owned()),
        }
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
        let found_text = self.described(found);
        let wanted = self.described(expected);
        if mismatch.infinite {
            let error = Diagnostic::error(
                &codes::INFINITE,
                span,
                "the type of this would contain itself",
            )
            .label(format!("this is {found_text}, and {wanted} is needed"))
            .note("nothing is its own element in B: every set is larger than its elements' type");
            self.report(at, error);
            return;
        }
        let mut error = Diagnostic::error(
            &codes::MISMATCH,
            span,
            format!("type mismatch: expected {wanted}, found {found_text}"),
        )
        .label(self.has_type(found));
        if let Some(because) = because {
            let (place, text) = self.explain(because);
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
        if let Some(help) = self.slip(at, found, expected) {
            error = error.help(help);
        }
        self.report(at, error);
    }

    /// A type as far as it is known and a reader can take it in.
    fn described(&self, ty: TypeId) -> String {
        let mut text = self.described_in_full(ty);
        if let Some((end, _)) = text.char_indices().nth(SHOWN_TYPE) {
            text.truncate(end);
            text.push('…');
        }
        text
    }

    fn described_in_full(&self, ty: TypeId) -> String {
        let types = &self.world.types;
        let text = match types.class(ty) {
            Some(VarClass::Number) => "a number",
            Some(VarClass::NumberOrSet) => "a number or a set",
            Some(VarClass::SequenceOrString) => "a sequence or a STRING",
            Some(VarClass::Set) => "a set",
            Some(_) => "something",
            None => match types.get(ty) {
                Type::Pow(inner) if types.class(*inner).is_some() => "a set",
                Type::Pow(inner) => match types.get(*inner) {
                    Type::Prod(left, right)
                        if types.class(*left).is_some() && types.class(*right).is_some() =>
                    {
                        "a relation"
                    }
                    Type::Prod(left, right)
                        if *types.get(*left) == Type::Int && types.class(*right).is_some() =>
                    {
                        "a sequence"
                    }
                    _ => return types.show(ty),
                },
                _ => return types.show(ty),
            },
        };
        text.to_owned()
    }

    /// "this has type T", "this is a set".
    pub(super) fn has_type(&self, ty: TypeId) -> String {
        let text = self.described(ty);
        if text.starts_with("a ") || text == "something" {
            format!("this is {text}")
        } else {
            format!("this has type {text}")
        }
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
    fn slip(&self, at: ExprId, found: TypeId, expected: TypeId) -> Option<String> {
        let types = &self.world.types;
        if let Some(help) = self.operator_slip(at, found) {
            return Some(help.to_owned());
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

    /// The fix of an operator that was mistaken for another, or that groups unexpectedly.
    fn operator_slip(&self, at: ExprId, found: TypeId) -> Option<&'static str> {
        let exprs = &self.component.tree.exprs;
        let mut around = self.around.iter().rev();
        let inner = *around.next()?;
        let ExprKind::Op(op, args) = exprs.kind(inner) else {
            return None;
        };
        if !args.contains(&at) {
            return None;
        }
        match (op, self.world.types.get(found)) {
            (Op::SetExtension, _) if args.len() == 2 && args[1] == at => {
                return Some("the elements of a set have one type; a pair is written `x|->y`");
            }
            (Op::InsertTail, Type::Int | Type::Real) => {
                return Some("`<-` puts an element behind a sequence; a comparison is `x < -1`");
            }
            (_, Type::Pow(_)) => {}
            _ => return None,
        }
        match op {
            Op::InsertFront => {
                Some("`->` puts an element before a sequence; a total function is `S --> T`")
            }
            Op::InsertTail => {
                Some("`<-` puts an element behind a sequence; relations are `S <-> T`")
            }
            Op::Minus | Op::SetMinus => match exprs.kind(*around.next()?) {
                ExprKind::Op(Op::Interval, bounds)
                    if bounds.contains(&inner) && !exprs[inner].parenthesised =>
                {
                    Some("`-` binds tighter than `..`: write `(a..b) - S`")
                }
                _ => None,
            },
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

    /// Reports a name whose type nothing decides.
    pub(super) fn no_type(&mut self, decl: DeclId) {
        let declared = self.world.decls[decl].clone();
        // What would type it may stand in text that could not be read, or in a file that was not found.
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
        self.world.types.close(declared.ty);
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
        let component = &self.project.units[self.unit].component;
        if let Some(definition) = macros(component).find(|known| known.name == declared.name) {
            error = error
                .also(
                    definition.span,
                    "this definition replaces the name everywhere",
                )
                .help(format!("rename the definition `{}`", declared.name));
        }
        self.diagnostics.push(error);
    }
}
