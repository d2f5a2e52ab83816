//! Finds formulas that B groups differently from how they look to a mathematician.
//!
//! `&` and `or` share one priority, `<=>` binds tighter than both, `=>` groups to the left, `\/` and `/\`
//! share one priority below `-`. The written tree is searched, so each formula is met once, however often
//! its definition is used.
//! Invariant: parentheses silence every warning; so do line breaks that show the grouping.

use base::Diagnostic;
use lang_math::print::{self, Style};
use lang_math::{ExprId, ExprKind, Exprs, Op};

use super::Model;
use crate::codes::hints as codes;

/// Of a longer formula only the operators are shown.
const SHOWN_BYTES: u32 = 90;

/// A chain of operators of one priority, as in `a & b or c`, with its operands.
struct Chain {
    operands: Vec<ExprId>,
    /// The operator behind each operand but the last, with the node it forms.
    operators: Vec<(Op, ExprId)>,
}

impl Model<'_> {
    /// Warns of operators that group in a surprising way.
    pub(super) fn precedence(&mut self) {
        let exprs = &self.written().tree.exprs;
        let mut inner = vec![false; exprs.len()];
        let mut found = Vec::new();
        // Parents are younger than their children, so a chain is met at its top first.
        for index in (0..exprs.len()).rev() {
            let id = ExprId::new(index);
            let ExprKind::Op(op, args) = exprs.kind(id) else {
                continue;
            };
            let warning = match op {
                Op::And | Op::Or | Op::Union | Op::Intersection if !inner[index] => {
                    let chain = chain(exprs, id, &mut inner);
                    self.mixed(&chain).or_else(|| self.tighter(&chain))
                }
                Op::Implies if is_bare(exprs, args[0], &[Op::Implies]) => {
                    let reading = self.reading(*op, args, 0);
                    Some(self.warning(id, "`=>` groups to the left", reading))
                }
                Op::Implies => self.equivalence_below(id, args),
                _ => None,
            };
            found.extend(warning);
        }
        self.found.extend(found);
    }

    /// `a & b or c`, `A \/ B /\ C`
    fn mixed(&self, chain: &Chain) -> Option<Diagnostic> {
        let mut broken = false;
        for (position, (op, node)) in chain.operators.iter().enumerate() {
            let breaks = self.breaks(chain.operands[position], chain.operands[position + 1]);
            if position > 0 && chain.operators[position - 1].0 != *op {
                // `a & b`, line break, `or c` looks like what it means.
                if !breaks || broken {
                    let (before, left) = chain.operators[position - 1];
                    let args = [left, chain.operands[position + 1]];
                    let reading = self.reading(*op, &args, 0);
                    let text = format!(
                        "`{}` and `{}` have the same priority and group to the left",
                        before.ascii(),
                        op.ascii()
                    );
                    return Some(self.warning(*node, &text, reading));
                }
            }
            broken |= breaks;
        }
        None
    }

    /// `a & b <=> c`, `A \/ B - C`
    fn tighter(&self, chain: &Chain) -> Option<Diagnostic> {
        let exprs = &self.written().tree.exprs;
        for (position, operand) in chain.operands.iter().enumerate() {
            let surprising = match chain.operators.first()?.0 {
                Op::And | Op::Or => is_bare(exprs, *operand, &[Op::Equivalent]),
                // `A - B \/ C` reads from left to right in any case.
                _ => position > 0 && is_bare(exprs, *operand, &[Op::Minus, Op::SetMinus]),
            };
            let neighbour = |left: usize| {
                left < chain.operators.len()
                    && !self.breaks(chain.operands[left], chain.operands[left + 1])
            };
            let before = position > 0 && neighbour(position - 1);
            if !surprising || !(before || neighbour(position)) {
                continue;
            }
            let (op, node) = chain.operators[position.saturating_sub(usize::from(before))];
            let ExprKind::Op(tight, _) = exprs.kind(*operand) else {
                continue;
            };
            let args = if before {
                [chain.operands[position - 1], *operand]
            } else {
                [*operand, chain.operands[position + 1]]
            };
            let reading = self.reading(op, &args, usize::from(before));
            let text = format!("`{}` binds tighter than `{}`", tight.ascii(), op.ascii());
            return Some(self.warning(node, &text, reading));
        }
        None
    }

    /// `a => b <=> c`
    fn equivalence_below(&self, id: ExprId, args: &[ExprId]) -> Option<Diagnostic> {
        let exprs = &self.written().tree.exprs;
        let position = args
            .iter()
            .position(|arg| is_bare(exprs, *arg, &[Op::Equivalent]))?;
        if self.breaks(args[0], args[1]) {
            return None;
        }
        let reading = self.reading(Op::Implies, args, position);
        Some(self.warning(id, "`<=>` binds tighter than `=>`", reading))
    }

    fn warning(&self, at: ExprId, text: &str, reading: String) -> Diagnostic {
        Diagnostic::warning(
            &codes::PRECEDENCE,
            self.written().tree.exprs.span(at),
            text.to_owned(),
        )
        .help(format!(
            "this is read as `{reading}`: add parentheses to make that clear"
        ))
    }

    /// `left op right` with parentheses around the operand at `position`.
    fn reading(&self, op: Op, args: &[ExprId], position: usize) -> String {
        let exprs = &self.written().tree.exprs;
        let show = |id| print::to_string(exprs, id, &Style::default());
        let length = |id| exprs.span(id).end - exprs.span(id).start;
        if args.iter().map(|arg| length(*arg)).sum::<u32>() <= SHOWN_BYTES {
            let mut parts: Vec<String> = args.iter().map(|arg| show(*arg)).collect();
            parts[position] = format!("({})", parts[position]);
            let text = parts.join(&format!(" {} ", op.ascii()));
            if !text.contains('\n') {
                return text;
            }
        }
        let inside = match exprs.kind(args[position]) {
            ExprKind::Op(inside, _) => inside.ascii(),
            _ => op.ascii(),
        };
        let op = op.ascii();
        match position {
            0 => format!("(… {inside} …) {op} …"),
            _ => format!("… {op} (… {inside} …)"),
        }
    }

    /// Whether a line ends between two operands.
    fn breaks(&self, left: ExprId, right: ExprId) -> bool {
        let exprs = &self.written().tree.exprs;
        let (left, right) = (exprs.span(left), exprs.span(right));
        let between = self
            .sources
            .text(left.file)
            .get(left.end as usize..right.start as usize);
        between.is_none_or(|text| text.contains('\n'))
    }
}

/// The chain with `top` as its last operator; the nodes below are marked.
fn chain(exprs: &Exprs, top: ExprId, inner: &mut [bool]) -> Chain {
    let level: &[Op] = match exprs.kind(top) {
        ExprKind::Op(Op::Union | Op::Intersection, _) => &[Op::Union, Op::Intersection],
        _ => &[Op::And, Op::Or],
    };
    let (mut operands, mut operators) = (Vec::new(), Vec::new());
    let mut id = top;
    loop {
        match exprs.kind(id) {
            ExprKind::Op(op, args)
                if level.contains(op) && (id == top || !exprs[id].parenthesised) =>
            {
                inner[id.index()] = true;
                operators.push((*op, id));
                operands.push(args[1]);
                id = args[0];
            }
            _ => break,
        }
    }
    operands.push(id);
    operands.reverse();
    operators.reverse();
    Chain {
        operands,
        operators,
    }
}

/// Whether a node is one of the operators, without parentheses.
fn is_bare(exprs: &Exprs, id: ExprId, ops: &[Op]) -> bool {
    !exprs[id].parenthesised
        && matches!(exprs.kind(id), ExprKind::Op(op, args) if ops.contains(op) && args.len() == 2)
}
