//! Where a quantifier stands in a formula: whether it could as well stand outside, and whether it is about one state.
//!
//! Paper: [Emerson, Sistla 1996]: where a formula says something of each element, one element speaks for those that are like it. "For some" below an odd number of
//! negations is "for all" of the whole formula.
//! Invariant: of two operands that must not both be taken outside at once, one is.

use lang_formula::{Atom, Binary, Formula, NodeId, NodeKind, Quantifier, Unary};

/// Whether a part could as well stand at the outside of the formula.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Position {
    /// A quantifier "for all" here is one of the whole formula.
    Conjunct,
    /// A quantifier "for some" here, refuted, is "for all" of the whole formula.
    Refuted,
    /// Neither is.
    Anywhere,
}

impl Position {
    /// The positions of two operands; whether there are quantifiers in the second one decides which is taken outside where only one may be.
    pub(super) fn of_operands(self, operator: Binary, is_second: bool) -> (Position, Position) {
        let either = |first: Position| match is_second {
            true => (Position::Anywhere, self),
            false => (first, Position::Anywhere),
        };
        let (first, second) = ((self, Position::Anywhere), (Position::Anywhere, self));
        match (self, operator) {
            (Position::Anywhere, _) | (_, Binary::Iff) => (Position::Anywhere, Position::Anywhere),
            (Position::Conjunct, Binary::And) | (Position::Refuted, Binary::Or) => (self, self),
            (Position::Conjunct, Binary::Or) | (Position::Refuted, Binary::And) => either(self),
            (Position::Conjunct, Binary::Implies) => either(Position::Refuted),
            (Position::Refuted, Binary::Implies) => (Position::Conjunct, self),
            (Position::Conjunct, Binary::Release | Binary::Trigger) => second,
            (Position::Refuted, Binary::Release | Binary::Trigger) => first,
            (Position::Conjunct, Binary::Until | Binary::WeakUntil | Binary::Since) => first,
            (Position::Refuted, Binary::Until | Binary::WeakUntil | Binary::Since) => second,
        }
    }

    /// The position of an operand.
    pub(super) fn of_operand(self, operator: Unary) -> Position {
        match (self, operator) {
            (Position::Conjunct, Unary::Not) => Position::Refuted,
            (Position::Refuted, Unary::Not) => Position::Conjunct,
            (_, Unary::Next | Unary::Yesterday) => self,
            (Position::Conjunct, Unary::Globally | Unary::Historically)
            | (Position::Refuted, Unary::Finally | Unary::Once) => self,
            _ => Position::Anywhere,
        }
    }

    /// The position of a quantifier and of what it is about.
    pub(super) fn of_quantified(self, quantifier: Quantifier) -> Position {
        match (self, quantifier) {
            (Position::Conjunct, Quantifier::Forall) | (Position::Refuted, Quantifier::Exists) => {
                self
            }
            _ => Position::Anywhere,
        }
    }
}

/// Whether there is a quantifier in a part.
pub(super) fn has_quantifier(formula: &Formula, id: NodeId) -> bool {
    base::deep::recurse(|| match formula.kind(id) {
        NodeKind::Quantified { .. } => true,
        NodeKind::Unary(_, operand) => has_quantifier(formula, *operand),
        NodeKind::Binary(_, left, right) => {
            has_quantifier(formula, *left) || has_quantifier(formula, *right)
        }
        _ => false,
    })
}

/// A part that is about one state as a text of the model's language, as B and Event-B write it.
pub(super) fn proposition(formula: &Formula, id: NodeId) -> Option<String> {
    base::deep::recurse(|| {
        Some(match formula.kind(id) {
            NodeKind::Atom(Atom::Predicate(text)) => format!("({})", text.text.trim()),
            NodeKind::Unary(Unary::Not, operand) => {
                format!("not{}", proposition(formula, *operand)?)
            }
            NodeKind::Binary(operator, left, right) => {
                let sign = match operator {
                    Binary::And => "&",
                    Binary::Or => "or",
                    Binary::Implies => "=>",
                    Binary::Iff => "<=>",
                    _ => return None,
                };
                let left = proposition(formula, *left)?;
                let right = proposition(formula, *right)?;
                format!("({left} {sign} {right})")
            }
            NodeKind::Quantified {
                quantifier,
                name,
                range,
                body,
            } => {
                let body = proposition(formula, *body)?;
                let (name, range) = (name.text.trim(), range.text.trim());
                match quantifier {
                    Quantifier::Exists => format!("(#{name}.(({range}) & {body}))"),
                    Quantifier::Forall => format!("(!{name}.(({range}) => {body}))"),
                }
            }
            _ => return None,
        })
    })
}
