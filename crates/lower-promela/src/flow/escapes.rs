//! `unless`: every element of the main part gets the escape.
//!
//! Reference: SPIN 6.5.2, flow.c. Escapes reach into blocks, choices and other escapes, and the first statement of a d_step.

use base::Span;
use lang_promela::syntax::{StmtId, StmtKind};

use super::{ElementId, Flow, Node, Prepared, Sequence, SequenceId, Side};

impl Flow<'_> {
    pub(super) fn unless(&mut self, main: StmtId, escape: StmtId, span: Span) -> Prepared {
        let syntax = self.syntax;
        let (mut inner, mut labels) = (main, Vec::new());
        while let StmtKind::Labelled(label, below) = syntax.stmts[inner].kind {
            labels.push((inner, label.name));
            inner = below;
        }
        // The label of a loop belongs to the loop, that of a block to all of `unless`.
        let is_loop = matches!(
            syntax.stmts[inner].kind,
            StmtKind::Do(_) | StmtKind::For { .. }
        );
        if labels.is_empty() || is_loop {
            let main = self.side(main);
            let escape = self.side(escape);
            let escape = self.sequence_of(escape);
            let main = self.sequence_of(main);
            return Prepared::Unless(main, escape, span);
        }
        let wrap: fn(SequenceId) -> Node = match &syntax.stmts[inner].kind {
            StmtKind::Atomic(_) => Node::Atomic,
            StmtKind::DStep(_) => Node::DStep,
            _ => Node::Block,
        };
        let main = match self.prepare(inner) {
            Some(Prepared::Plain(
                Node::Atomic(main) | Node::DStep(main) | Node::Block(main),
                _,
            )) => main,
            _ => unreachable!("a label before unless stands on a block"),
        };
        let escape = self.side(escape);
        let escape = self.sequence_of(escape);
        Prepared::LabelledUnless {
            wrap,
            main,
            escape,
            labels,
            span,
        }
    }

    /// One side of `unless`: the sequence of a block, or a statement that still needs one around it.
    fn side(&mut self, id: StmtId) -> Side {
        let (mut inner, mut labels) = (id, Vec::new());
        while let StmtKind::Labelled(label, below) = self.syntax.stmts[inner].kind {
            labels.push((inner, label.name));
            inner = below;
        }
        match &self.syntax.stmts[inner].kind {
            StmtKind::Block { body, .. } => Side::Block(self.braces(body)),
            _ => Side::Statement(self.prepare(inner), labels),
        }
    }

    fn sequence_of(&mut self, side: Side) -> SequenceId {
        match side {
            Side::Block(inner) => inner,
            Side::Statement(prepared, labels) => {
                let outer = self.open();
                if let Some(prepared) = prepared {
                    self.finish(prepared, &labels);
                }
                let inner = self.close();
                self.current = outer;
                inner
            }
        }
    }

    pub(super) fn protected(
        &mut self,
        main: SequenceId,
        escape: SequenceId,
        span: Span,
    ) -> ElementId {
        let head = self.element(Node::Unless, span);
        let meet = self.element(Node::Dot, span);
        self.append(meet, main);
        self.append(meet, escape);
        self.elements[head].sub = vec![main, escape];
        self.attach_all(main, escape);
        self.append(head, self.current);
        self.append(meet, self.current);
        head
    }

    /// Gives every element of a sequence an escape.
    fn attach_all(&mut self, to: SequenceId, escape: SequenceId) {
        let Sequence { first, extent, .. } = self.sequences[to];
        let mut at = first;
        while let Some(element) = at {
            base::deep::recurse(|| self.attach(element, escape));
            at = if Some(element) == extent {
                None
            } else {
                self.elements[element].next
            };
        }
    }

    fn attach(&mut self, to: ElementId, escape: SequenceId) {
        if self.elements[to].escapes.contains(&escape) {
            return;
        }
        for inner in self.elements[to].escapes.clone() {
            self.attach_all(inner, escape);
        }
        self.elements[to].escapes.insert(0, escape);
        match self.elements[to].node {
            Node::Unless => self.attach_all(self.elements[to].sub[0], escape),
            Node::If | Node::Do => {
                for sub in self.elements[to].sub.clone() {
                    self.attach_all(sub, escape);
                }
            }
            Node::DStep(inner) => {
                if let Some(first) = self.sequences[inner].first {
                    self.attach(first, escape);
                }
            }
            Node::Atomic(inner) | Node::Block(inner) => self.attach_all(inner, escape),
            _ => {}
        }
    }
}
