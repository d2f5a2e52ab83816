//! The observer of channel events: `trace` and `notrace`.

use base::Name;
use lang_promela::syntax::{ExprId, ExprKind, StmtId, StmtKind, Unit};
use program::{Act, Direction, Event, Observer, Pattern};

use crate::Lowering;
use crate::flow::{Flow, Kind};

impl Lowering<'_> {
    /// The automaton of the first trace; a program has one.
    pub(crate) fn observer(&mut self) {
        let syntax = self.syntax;
        for (index, unit) in syntax.units.iter().enumerate() {
            let Unit::Trace(trace) = unit else {
                continue;
            };
            let mut flow = Flow::new(syntax, self.facts, Kind::Observer);
            flow.body(&trace.body, trace.end);
            self.variables_of(index);
            let graph = self.graph(&mut flow);
            let mut scope: Vec<(Direction, program::ExprId)> = Vec::new();
            let mut seen: Vec<(Direction, String)> = Vec::new();
            for id in syntax.statements(&trace.body) {
                let (direction, channel) = match &syntax.stmts[id].kind {
                    StmtKind::Send { channel, .. } => (Direction::Send, *channel),
                    StmtKind::Receive { channel, .. } => (Direction::Receive, *channel),
                    _ => continue,
                };
                let text = lang_promela::print::expression(syntax, channel);
                if !seen.contains(&(direction, text.clone())) {
                    seen.push((direction, text));
                    scope.push((direction, self.expression(channel)));
                }
            }
            self.out.observer = Some(Observer {
                name: Name::new(if trace.negated { "notrace" } else { "trace" }),
                is_forbidden: trace.negated,
                graph,
                scope,
                span: trace.span,
            });
            return;
        }
    }

    /// An event of a trace.
    pub(crate) fn event(&mut self, id: StmtId) -> Act {
        let syntax = self.syntax;
        let (direction, channel, arguments) = match &syntax.stmts[id].kind {
            StmtKind::Send {
                channel, arguments, ..
            } => (Direction::Send, *channel, arguments),
            StmtKind::Receive {
                channel, arguments, ..
            } => (Direction::Receive, *channel, arguments),
            _ => return Act::Guard(self.truth(syntax.stmts[id].span)),
        };
        let patterns = arguments
            .iter()
            .map(|argument| self.event_pattern(*argument))
            .collect();
        Act::Observe(Event {
            direction,
            channel: self.expression(channel),
            patterns,
        })
    }

    /// A field of an event: a value that must be equal, or anything.
    fn event_pattern(&mut self, id: ExprId) -> Pattern {
        match &self.syntax.exprs[id].kind {
            ExprKind::Variable(_) => Pattern::Any,
            _ => Pattern::Equal(self.expression(id)),
        }
    }
}
