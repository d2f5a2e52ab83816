//! The observer of channel events: it moves with every event in its scope, or says that it cannot.

use base::Span;
use program::{Act, Direction, EdgeId, Event, Fault, Observer, Reason};

use crate::run::{Run, Stop, fault};
use crate::sequences::Failure;

impl Run<'_> {
    /// Shows an event to the observer.
    pub fn observe(
        &mut self,
        direction: Direction,
        at: usize,
        message: &[i64],
        span: Span,
    ) -> Result<(), Stop> {
        let program = self.program;
        let (Some(observer), Some(location)) = (&program.observer, self.state.observer) else {
            return Ok(());
        };
        if !self.is_in_scope(observer, direction, at)? {
            return Ok(());
        }
        let graph = &observer.graph;
        let mut possible: Vec<EdgeId> = Vec::new();
        if graph.end != Some(location) {
            for edge in graph.locations[location].levels.iter().flatten() {
                let act = &graph.edges[*edge].act;
                if self.allows(act, (direction, at), message, !possible.is_empty())? {
                    possible.push(*edge);
                }
            }
        }
        let Some(first) = possible.first() else {
            if observer.is_forbidden {
                // What is forbidden did not happen: from now on nothing is looked at.
                self.state.observer = graph.end;
                return Ok(());
            }
            self.unobserved(span);
            return Ok(());
        };
        let to = graph.edges[*first].to;
        self.state.observer = Some(to);
        if observer.is_forbidden && graph.end == Some(to) {
            self.unobserved(span);
            return Ok(());
        }
        if possible.len() > 1 {
            return fault(Reason::Nondeterminism, graph.edges[possible[1]].span);
        }
        Ok(())
    }

    fn unobserved(&mut self, span: Span) {
        self.failures.push(Failure {
            fault: Fault {
                reason: Reason::Observed,
                span,
            },
            pid: self.me,
        });
    }

    fn is_in_scope(
        &mut self,
        observer: &Observer,
        direction: Direction,
        at: usize,
    ) -> Result<bool, Stop> {
        for (seen, channel) in &observer.scope {
            if *seen == direction && self.int(*channel)? == at as i64 + 1 {
                return Ok(true);
            }
        }
        Ok(false)
    }

    fn allows(
        &mut self,
        act: &Act,
        (direction, at): (Direction, usize),
        message: &[i64],
        is_late: bool,
    ) -> Result<bool, Stop> {
        Ok(match act {
            Act::Observe(Event {
                direction: wanted,
                channel,
                patterns,
            }) => {
                *wanted == direction && self.int(*channel)? == at as i64 + 1 && {
                    let message = &message[..message.len().min(patterns.len())];
                    self.matches(
                        message,
                        &patterns[..message.len()],
                        self.program.exprs[*channel].span,
                    )?
                }
            }
            Act::Guard(condition) => self.is_true(*condition)?,
            Act::Do(_) => true,
            Act::Else => !is_late,
            Act::Send { .. } | Act::Receive { .. } | Act::End => false,
        })
    }
}
