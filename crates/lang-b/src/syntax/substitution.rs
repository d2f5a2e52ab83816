//! Substitutions, the statements of B, and what lies below each.

use base::{Id, Name, Span};
use lang_math::{Binding, ExprId};

use super::Tree;

/// Names a substitution.
pub type SubstId = Id<Subst>;

/// A substitution with its place.
#[derive(Clone, Debug)]
pub struct Subst {
    /// What it is.
    pub kind: SubstKind,
    /// Where it stands.
    pub span: Span,
}

/// What a substitution is.
#[derive(Clone, Debug)]
pub enum SubstKind {
    /// Stands where the text could not be read.
    Error,
    /// `skip`
    Skip,
    /// `x, f(a) := E, F`: targets are names, applications or record fields.
    Assign {
        /// What changes.
        targets: Vec<ExprId>,
        /// The new values.
        values: Vec<ExprId>,
    },
    /// `x :: S`
    BecomesElement {
        /// What changes.
        targets: Vec<ExprId>,
        /// The set of new values.
        set: ExprId,
    },
    /// `x : (P)`
    BecomesSuch {
        /// What changes.
        targets: Vec<ExprId>,
        /// The predicate over new values.
        predicate: ExprId,
    },
    /// `r <-- op(a)`, `op(a)`, or a definition that stands for a substitution.
    Call {
        /// Where results go.
        results: Vec<ExprId>,
        /// The operation, possibly dotted.
        name: Name,
        /// Where its name stands.
        name_span: Span,
        /// Actual parameters.
        arguments: Vec<ExprId>,
    },
    /// A substitution of the host (`PRINT`, …), recognised when definitions are expanded.
    External(Name, Vec<ExprId>),
    /// `BEGIN S END`
    Block(SubstId),
    /// `PRE P THEN S END`
    Pre(ExprId, SubstId),
    /// `ASSERT P THEN S END`
    Assert(ExprId, SubstId),
    /// `WITNESS P THEN S END`
    Witness(ExprId, SubstId),
    /// `CHOICE S OR T END`
    Choice(Vec<SubstId>),
    /// `IF P THEN S ELSIF … ELSE T END`
    If {
        /// Conditions with their substitutions.
        branches: Vec<(ExprId, SubstId)>,
        /// When no condition is true; `skip` if missing.
        otherwise: Option<SubstId>,
    },
    /// `SELECT P THEN S WHEN … ELSE T END`
    Select {
        /// Guards with their substitutions.
        branches: Vec<(ExprId, SubstId)>,
        /// When no guard is true.
        otherwise: Option<SubstId>,
    },
    /// `CASE E OF EITHER a THEN S OR … ELSE T END END`
    Case {
        /// What is compared.
        subject: ExprId,
        /// Labels with their substitutions.
        branches: Vec<(Vec<ExprId>, SubstId)>,
        /// When no label matches.
        otherwise: Option<SubstId>,
    },
    /// `ANY x WHERE P THEN S END`
    Any {
        /// The names it introduces.
        names: Vec<Binding>,
        /// The predicate over them.
        predicate: ExprId,
        /// Where they are visible.
        body: SubstId,
    },
    /// `LET x BE x = E IN S END`
    Let {
        /// The names it introduces.
        names: Vec<Binding>,
        /// The conjunction of equations.
        equations: ExprId,
        /// Where they are visible.
        body: SubstId,
    },
    /// `VAR x IN S END`
    Var {
        /// The local variables.
        names: Vec<Binding>,
        /// Where they are visible.
        body: SubstId,
    },
    /// `WHILE P DO S INVARIANT I VARIANT V END`
    While {
        /// The condition.
        condition: ExprId,
        /// The body.
        body: SubstId,
        /// What holds before and after every turn.
        invariant: ExprId,
        /// What decreases.
        variant: ExprId,
    },
    /// `S ; T`, flat.
    Sequence(Vec<SubstId>),
    /// `S || T`, flat.
    Parallel(Vec<SubstId>),
}

impl Tree {
    /// Adds a substitution.
    pub fn subst(&mut self, kind: SubstKind, span: Span) -> SubstId {
        self.substs.push(Subst { kind, span })
    }

    /// Calls `formula` for each formula and `subst` for each substitution directly below `id`.
    pub fn for_each_below(
        &self,
        id: SubstId,
        mut formula: impl FnMut(ExprId),
        mut subst: impl FnMut(SubstId),
    ) {
        match &self.substs[id].kind {
            SubstKind::Error | SubstKind::Skip => {}
            SubstKind::Assign { targets, values } => {
                targets.iter().chain(values).copied().for_each(formula);
            }
            SubstKind::BecomesElement { targets, set: last }
            | SubstKind::BecomesSuch {
                targets,
                predicate: last,
            } => targets.iter().chain([last]).copied().for_each(formula),
            SubstKind::Call {
                results, arguments, ..
            } => results.iter().chain(arguments).copied().for_each(formula),
            SubstKind::External(_, arguments) => arguments.iter().copied().for_each(formula),
            SubstKind::Block(body) | SubstKind::Var { body, .. } => subst(*body),
            SubstKind::Pre(predicate, body)
            | SubstKind::Assert(predicate, body)
            | SubstKind::Witness(predicate, body)
            | SubstKind::Any {
                predicate, body, ..
            }
            | SubstKind::Let {
                equations: predicate,
                body,
                ..
            } => {
                formula(*predicate);
                subst(*body);
            }
            SubstKind::Choice(parts) | SubstKind::Sequence(parts) | SubstKind::Parallel(parts) => {
                parts.iter().copied().for_each(subst);
            }
            SubstKind::If {
                branches,
                otherwise,
            }
            | SubstKind::Select {
                branches,
                otherwise,
            } => {
                for (condition, body) in branches {
                    formula(*condition);
                    subst(*body);
                }
                otherwise.iter().copied().for_each(subst);
            }
            SubstKind::Case {
                subject,
                branches,
                otherwise,
            } => {
                formula(*subject);
                for (labels, body) in branches {
                    labels.iter().copied().for_each(&mut formula);
                    subst(*body);
                }
                otherwise.iter().copied().for_each(subst);
            }
            SubstKind::While {
                condition,
                body,
                invariant,
                variant,
            } => {
                [condition, invariant, variant]
                    .into_iter()
                    .copied()
                    .for_each(formula);
                subst(*body);
            }
        }
    }
}
