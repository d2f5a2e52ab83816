//! How much code something becomes when its loops are unrolled, as an estimate in nodes.

use base::deep;
use program::{Argument, Domain, ExprId, Kind, PlaceId, Selector, StmtId, StmtKind};

use super::Compiler;

/// A quantifier or loop is unrolled when it becomes at most so much code: what fits a cache comfortably.
pub(super) const UNROLLED: u64 = 2_000;

impl Compiler<'_> {
    /// How many values a domain has, if that is known without running.
    pub(super) fn rounds(&self, domain: &Domain) -> Option<u64> {
        match domain {
            Domain::Type(ty) => Some(self.layout.ty(*ty).count()),
            _ => None,
        }
    }

    /// The weight of an expression.
    pub(super) fn weight(&self, id: ExprId) -> u64 {
        deep::recurse(|| {
            let inner = match &self.program.exprs[id].kind {
                Kind::Read(place) | Kind::Copy(place) | Kind::IsUndefined(place) => {
                    self.weight_of_place(*place)
                }
                Kind::Unary(_, a) | Kind::IsMember(a, _) | Kind::Part(a, _) => self.weight(*a),
                Kind::Binary(_, a, b) => self.weight(*a).saturating_add(self.weight(*b)),
                Kind::Choice(a, b, c) => self
                    .weight(*a)
                    .saturating_add(self.weight(*b))
                    .saturating_add(self.weight(*c)),
                Kind::Quantified { domain, body, .. } => self.repeated(domain, self.weight(*body)),
                Kind::Count { body, multiset, .. } => self
                    .weight(*body)
                    .saturating_add(self.weight_of_place(*multiset)),
                Kind::Call(_, arguments) => self.weight_of_arguments(arguments),
                _ => 0,
            };
            inner.saturating_add(1)
        })
    }

    fn repeated(&self, domain: &Domain, body: u64) -> u64 {
        let times = self.rounds(domain).unwrap_or(1);
        let unrolled = body.saturating_mul(times);
        // What is not unrolled is there once.
        if unrolled <= UNROLLED { unrolled } else { body }
    }

    fn weight_of_place(&self, id: PlaceId) -> u64 {
        let path = &self.program.places[id].path;
        let weights = path.iter().map(|selector| match selector {
            Selector::Field(_) => 0,
            Selector::Index(index) | Selector::Element(index) => self.weight(*index),
        });
        weights.fold(1, u64::saturating_add)
    }

    fn weight_of_arguments(&self, arguments: &[Argument]) -> u64 {
        let weights = arguments.iter().map(|argument| match argument {
            Argument::Value(value) => self.weight(*value),
            Argument::Reference(place) => self.weight_of_place(*place),
        });
        weights.fold(1, u64::saturating_add)
    }

    /// The weight of a statement.
    pub(super) fn weight_of_stmt(&self, id: StmtId) -> u64 {
        deep::recurse(|| {
            let all = |list: &[StmtId]| {
                list.iter()
                    .map(|stmt| self.weight_of_stmt(*stmt))
                    .fold(0, u64::saturating_add)
            };
            let inner = match &self.program.stmts[id].kind {
                StmtKind::Block(body) => all(body),
                StmtKind::Assign(place, value) => self
                    .weight_of_place(*place)
                    .saturating_add(self.weight(*value)),
                StmtKind::Evaluate(value) | StmtKind::Assume(value) | StmtKind::Cover(value, _) => {
                    self.weight(*value)
                }
                StmtKind::Assert { condition, .. } => self.weight(*condition),
                StmtKind::If { arms, otherwise } => {
                    let arms = arms.iter().map(|(c, body)| {
                        self.weight(*c).saturating_add(self.weight_of_stmt(*body))
                    });
                    arms.fold(0, u64::saturating_add)
                        .saturating_add(all(otherwise.as_slice()))
                }
                StmtKind::Switch {
                    value,
                    arms,
                    otherwise,
                } => {
                    let arms = arms.iter().map(|arm| {
                        let values = arm.values.iter().map(|value| self.weight(*value));
                        values.fold(self.weight_of_stmt(arm.body), u64::saturating_add)
                    });
                    let inner = arms.fold(self.weight(*value), u64::saturating_add);
                    inner.saturating_add(all(otherwise.as_slice()))
                }
                StmtKind::For { domain, body, .. } => {
                    self.repeated(domain, self.weight_of_stmt(*body))
                }
                StmtKind::While { condition, body } => self
                    .weight(*condition)
                    .saturating_add(self.weight_of_stmt(*body)),
                StmtKind::Alias { place, body, .. } => self
                    .weight_of_place(*place)
                    .saturating_add(self.weight_of_stmt(*body)),
                StmtKind::Call(_, arguments) => self.weight_of_arguments(arguments),
                StmtKind::Return(Some(value)) => self.weight(*value),
                StmtKind::MultisetAdd { value, multiset } => self
                    .weight(*value)
                    .saturating_add(self.weight_of_place(*multiset)),
                _ => 2,
            };
            inner.saturating_add(1)
        })
    }
}
