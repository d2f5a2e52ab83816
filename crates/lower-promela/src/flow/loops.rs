//! `for` and `select`: loops that SPIN writes out.
//!
//! Reference: SPIN 6.5.2, flow.c. A `for` over a channel takes each message out and puts it back, with a counter of its own.

use base::Span;
use lang_promela::check::Meaning;
use lang_promela::syntax::{ExprId, ExprKind, Form, Range, StmtId, Type, VarId};

use super::{Bound, Flow, Node, Prepared, Rotate, SequenceId, Target};

impl Flow<'_> {
    pub(super) fn enter_loop(&mut self) -> usize {
        let number = self.ends.len();
        self.loops.push(number);
        self.ends.push(None);
        number
    }

    pub(super) fn for_loop(
        &mut self,
        variable: ExprId,
        range: &Range,
        body: &[StmtId],
        span: Span,
    ) -> Prepared {
        let number = self.enter_loop();
        let channel = match range {
            Range::In(over) => self.is_structure(variable).then_some(*over),
            Range::Between(..) => None,
        };
        let rotate = |step, flow: &mut Self| match channel {
            Some(over) => {
                let counter = flow.counter(over);
                flow.push(Node::Rotate(step, variable, over, counter), span);
            }
            None => unreachable!("only loops over channels rotate"),
        };
        match range {
            Range::Between(from, _) => {
                self.push(Node::Set(variable, *from), span);
            }
            Range::In(_) if channel.is_some() => rotate(Rotate::Start, self),
            Range::In(_) => {
                self.push(Node::SetNumber(variable, 0), span);
            }
        }
        let outer = self.open();
        match range {
            Range::Between(_, to) => {
                self.push(Node::Until(variable, *to, Bound::Within), span);
            }
            Range::In(_) if channel.is_some() => {
                rotate(Rotate::Test, self);
                rotate(Rotate::Take, self);
                rotate(Rotate::Put, self);
            }
            Range::In(over) => {
                let last = self.elements_of(*over) - 1;
                self.push(Node::AtMost(variable, last), span);
            }
        }
        self.blocks += 1;
        let block = std::mem::replace(&mut self.block, self.blocks);
        base::deep::recurse(|| self.statements(body));
        self.block = block;
        match channel {
            Some(_) => rotate(Rotate::Count, self),
            None => {
                self.push(Node::Next(variable), span);
            }
        }
        let main = self.close();
        self.current = outer;
        let leave = self.leave(true, span);
        self.loops.pop();
        Prepared::Do(vec![leave, main], number, span)
    }

    /// The option that leaves a loop.
    fn leave(&mut self, with_else: bool, span: Span) -> SequenceId {
        let outer = self.open();
        if with_else {
            self.push(Node::Else, span);
        }
        let number = self.loops.last().copied().unwrap_or_default();
        self.push(Node::Goto(Target::Loop(number)), span);
        let leave = self.close();
        self.current = outer;
        leave
    }

    pub(super) fn select(
        &mut self,
        variable: ExprId,
        from: ExprId,
        to: ExprId,
        at_once: bool,
        span: Span,
    ) -> Prepared {
        if at_once {
            let value = |id: ExprId| match self.syntax.exprs[id].kind {
                ExprKind::Constant(value, Form::Number) => value,
                _ => 0,
            };
            let subs = (value(from)..=value(to))
                .map(|value| {
                    let outer = self.open();
                    self.push(Node::SetNumber(variable, value), span);
                    let inner = self.close();
                    self.current = outer;
                    inner
                })
                .collect();
            return Prepared::If(subs, span);
        }
        self.push(Node::Set(variable, from), span);
        let number = self.enter_loop();
        let outer = self.open();
        self.push(Node::Until(variable, to, Bound::Below), span);
        self.push(Node::Next(variable), span);
        let main = self.close();
        self.current = outer;
        let leave = self.leave(false, span);
        self.loops.pop();
        Prepared::Do(vec![leave, main], number, span)
    }

    /// Whether the variable of a loop is a structure: then it runs over the messages of a channel.
    fn is_structure(&self, variable: ExprId) -> bool {
        self.root(variable)
            .is_some_and(|var| matches!(self.syntax.vars[var].ty, Type::Named(_)))
    }

    fn root(&self, id: ExprId) -> Option<VarId> {
        match self.facts.meanings.get(&id) {
            Some(Meaning::Variable(var)) => Some(*var),
            _ => None,
        }
    }

    fn elements_of(&self, over: ExprId) -> i32 {
        self.root(over)
            .and_then(|var| self.facts.sizes.get(&var))
            .map_or(1, |size| *size as i32)
    }

    /// The counter of `for` over a channel: loops of one block share it.
    fn counter(&mut self, over: ExprId) -> usize {
        match self
            .counters
            .iter()
            .position(|(block, _)| *block == self.block)
        {
            Some(at) => at,
            None => {
                self.counters.push((self.block, over));
                self.counters.len() - 1
            }
        }
    }
}
