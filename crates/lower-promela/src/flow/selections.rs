//! `if` and `do`: options, with the steps taken out that SPIN takes out.

use base::Span;
use lang_promela::syntax::{Choice, ExprKind, StmtKind};

use super::{ElementId, Flow, Kind, Node, Sequence, SequenceId};

impl Flow<'_> {
    pub(super) fn options(&mut self, choices: &[Choice]) -> Vec<SequenceId> {
        let mut subs = Vec::with_capacity(choices.len());
        for choice in choices {
            subs.push(base::deep::recurse(|| self.inner(&choice.body)));
        }
        if self.kind != Kind::Claim {
            subs.iter().for_each(|sub| self.prune(*sub));
        }
        subs
    }

    /// Takes out steps without effect that follow others: SPIN does, whatever it is told about optimisation.
    fn prune(&mut self, id: SequenceId) {
        let Sequence { first, last, .. } = self.sequences[id];
        let mut idle = 0;
        let mut before: Option<ElementId> = None;
        let mut at = first;
        while let Some(element) = at {
            let next = self.elements[element].next;
            let (skips, prints) = self.is_idle(element);
            idle = if skips && self.elements[element].labels.is_empty() {
                idle + 1
            } else {
                0
            };
            let removed = idle > 1 && !prints && Some(element) != first && Some(element) != last;
            match before {
                Some(before) if removed => self.elements[before].next = next,
                _ => before = Some(element),
            }
            at = next;
        }
    }

    /// Whether a step changes nothing, and whether it prints.
    fn is_idle(&self, id: ElementId) -> (bool, bool) {
        match self.elements[id].node {
            Node::Skip => (true, false),
            Node::Statement(statement) => match &self.syntax.stmts[statement].kind {
                StmtKind::Print { .. } | StmtKind::PrintMtype(_) => (true, true),
                StmtKind::Expression(value) => (
                    matches!(self.syntax.exprs[*value].kind, ExprKind::Constant(1, _)),
                    false,
                ),
                _ => (false, false),
            },
            _ => (false, false),
        }
    }

    /// Whether a statement is the constant 0 without escapes: SPIN leaves such options out.
    pub(crate) fn is_never(&self, id: ElementId) -> bool {
        let Node::Statement(statement) = self.elements[id].node else {
            return false;
        };
        let StmtKind::Expression(value) = self.syntax.stmts[statement].kind else {
            return false;
        };
        self.elements[id].escapes.is_empty()
            && matches!(self.syntax.exprs[value].kind, ExprKind::Constant(0, _))
    }

    /// `if` or `do` with its options; `else` goes last.
    pub(super) fn selection(
        &mut self,
        node: Node,
        mut subs: Vec<SequenceId>,
        number: Option<usize>,
        span: Span,
    ) -> ElementId {
        let is_else = |flow: &Self, sub: &SequenceId| {
            flow.sequences[*sub]
                .first
                .is_some_and(|first| matches!(flow.elements[first].node, Node::Else))
        };
        if let Some(at) = subs.iter().position(|sub| is_else(self, sub)) {
            let otherwise = subs.remove(at);
            subs.push(otherwise);
        }
        let head = self.element(node, span);
        let meet = self.element(Node::Dot, span);
        for sub in &subs {
            self.append(meet, *sub);
        }
        self.elements[head].sub = subs;
        if let Some(number) = number {
            self.append(meet, self.current);
            let behind = self.element(Node::Break, span);
            self.ends[number] = Some(behind);
            self.append(head, self.current);
            self.append(behind, self.current);
        } else {
            self.append(head, self.current);
            self.append(meet, self.current);
        }
        head
    }
}
