//! Questions about types that are answered when more is known.
//!
//! What `*` means, and which record a field belongs to, may depend on types that become known only later. Such
//! questions wait in a list that is asked again until nothing changes; the end of a group of clauses reports
//! those that stay open.

use base::{Diagnostic, Name};
use lang_math::types::VarClass;
use lang_math::{ExprId, Type, TypeId};

use super::machine::Checker;
use super::report::Because;
use crate::codes::typing as codes;

/// A question that more knowledge may answer.
#[derive(Clone, Debug)]
pub(super) enum Pending {
    /// `left * right : result`
    Times {
        at: ExprId,
        left: ExprId,
        right: ExprId,
        result: TypeId,
    },
    /// `record'field : result`
    Field {
        at: ExprId,
        record: ExprId,
        field: Name,
        result: TypeId,
    },
}

impl Checker<'_> {
    /// Answers a question now, or keeps it for later.
    pub(super) fn ask(&mut self, question: Pending) {
        if !self.answer(&question) {
            self.pending.push(question);
        }
    }

    /// Asks all open questions until no more can be answered.
    pub(super) fn settle(&mut self) {
        // Knowledge travels along chains, to the root in `r'a'b'c` and from it in `x*y*z : NAT`: passes in
        // both directions answer either kind at once.
        let mut idle = 0;
        let mut from_root = true;
        while idle < 2 && !self.pending.is_empty() {
            let mut questions = std::mem::take(&mut self.pending);
            let before = questions.len();
            // Later questions are nearer to the root.
            questions.reverse();
            for question in questions {
                self.ask(question);
            }
            idle = if self.pending.len() == before {
                idle + 1
            } else {
                0
            };
            from_root = !from_root;
        }
        if !from_root {
            self.pending.reverse();
        }
    }

    /// Ends a group of clauses: settles questions, reports those that stay open, and checks that every name
    /// bound in the group has a type.
    pub(super) fn finish_group(&mut self) {
        self.settle();
        for question in std::mem::take(&mut self.pending) {
            let (at, result, error) = match question {
                Pending::Times {
                    at,
                    left,
                    right,
                    result,
                } => {
                    let operands = [left, right].map(|operand| self.type_of(operand));
                    let error = self.world.types.error();
                    let reported = operands
                        .iter()
                        .any(|ty| self.world.types.resolve(*ty) == error);
                    // The operands are unknown for the same reason.
                    for ty in operands {
                        self.world.types.close(ty);
                    }
                    if reported {
                        self.world.types.close(result);
                        continue;
                    }
                    (
                        at,
                        result,
                        Diagnostic::error(
                            &codes::AMBIGUOUS,
                            self.span(at),
                            "`*` can be a product of numbers or of sets here",
                        )
                        .help("give one of the operands a type, for instance `x : INTEGER`"),
                    )
                }
                Pending::Field {
                    at, field, result, ..
                } => (
                    at,
                    result,
                    Diagnostic::error(
                        &codes::NO_FIELD,
                        self.span(at),
                        format!("the type of the record with field `{field}` cannot be inferred"),
                    )
                    .help("give the record a type: `r : struct(…)`"),
                ),
            };
            if !self.is_unsure() {
                self.report(at, error);
            }
            self.world.types.close(result);
        }
        for decl in std::mem::take(&mut self.to_ground) {
            let ty = self.world.decls[decl].ty;
            self.world.types.default_classes(ty);
            if !self.world.types.is_ground(ty) {
                self.no_type(decl);
            }
        }
    }

    pub(super) fn answer(&mut self, question: &Pending) -> bool {
        match question {
            Pending::Times {
                at,
                left,
                right,
                result,
            } => self.times(*at, *left, *right, *result),
            Pending::Field {
                at,
                record,
                field,
                result,
            } => self.field(*at, *record, *field, *result),
        }
    }

    /// Decides whether `*` is a product of numbers or of sets, if anything says so.
    pub(super) fn times(
        &mut self,
        at: ExprId,
        left: ExprId,
        right: ExprId,
        result: TypeId,
    ) -> bool {
        let (a, b) = (self.type_of(left), self.type_of(right));
        let types = &self.world.types;
        let kinds = [a, b, result].map(|ty| match types.get(ty) {
            Type::Int | Type::Real => Some(true),
            Type::Pow(_) => Some(false),
            Type::Var(_) => match types.class(ty) {
                Some(VarClass::Number) => Some(true),
                Some(VarClass::Set | VarClass::SequenceOrString) => Some(false),
                _ => None,
            },
            // Neither: taking it for a number gives the error message.
            _ => Some(true),
        });
        let Some(number) = kinds.into_iter().flatten().next() else {
            return false;
        };
        if number {
            let ty = self.world.types.fresh_of(VarClass::Number);
            self.fit(left, a, ty, None);
            let because = Because::Type(self.span(left), a);
            self.fit(right, b, ty, Some(because));
            self.fit(at, result, ty, None);
        } else {
            let s = self.element(left, a, None);
            let t = self.element(right, b, Some(Because::Type(self.span(left), a)));
            let product = self.world.types.relation(s, t);
            self.fit(at, result, product, None);
        }
        true
    }

    /// The type of the elements of a set.
    pub(super) fn element(&mut self, set: ExprId, ty: TypeId, because: Option<Because>) -> TypeId {
        if let Type::Pow(element) = *self.world.types.get(ty) {
            return element;
        }
        let element = self.world.types.fresh();
        let expected = self.world.types.pow(element);
        self.fit(set, ty, expected, because);
        element
    }

    pub(super) fn field(
        &mut self,
        at: ExprId,
        record: ExprId,
        field: Name,
        result: TypeId,
    ) -> bool {
        let record_type = self.type_of(record);
        match self.world.types.get(record_type).clone() {
            Type::Var(_) => false,
            Type::Error => {
                self.world.types.close(result);
                true
            }
            Type::Record(fields) => {
                if let Some((_, ty)) = fields.iter().find(|(name, _)| *name == field) {
                    self.fit(at, result, *ty, None);
                } else {
                    let known: Vec<&str> = fields.iter().map(|(name, _)| name.as_str()).collect();
                    let near = base::near::nearest(field.as_str(), known.iter().copied());
                    let error = Diagnostic::error(
                        &codes::NO_FIELD,
                        self.span(at),
                        format!("the record has no field `{field}`"),
                    )
                    .note(format!("its fields are {}", known.join(", ")));
                    let error = match near {
                        Some(near) => error.help(format!("did you mean `{near}`?")).fix(near),
                        None => error,
                    };
                    self.report(at, error);
                    self.world.types.close(result);
                }
                true
            }
            _ => {
                let error = Diagnostic::error(
                    &codes::NO_FIELD,
                    self.span(record),
                    format!(
                        "type mismatch: expected a record with field `{field}`, found {}",
                        self.world.types.show(record_type)
                    ),
                );
                self.report(record, error);
                self.world.types.close(result);
                true
            }
        }
    }
}
