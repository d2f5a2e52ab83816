//! `xs` and `xr`: ends of channels that a process uses alone, where a program is to be held to that.
//!
//! Code for a use of a channel asks only the promises that may be about it: where both sides are known to mean different channels there is
//! nothing to ask. A promise about a known channel by a process that exists from the start and never ends makes every use by
//! somebody else a fault, so a use of a channel that is not known is none of that one: partial order reduction then knows that the
//! two have nothing to do with each other.

use base::Span;
use program::{Act, Direction, Graph, ProctypeId, Promise, Reason};
use rustc_hash::FxHashSet;

use super::channels::Channel;
use super::code::Code;
use super::engine::{Engine, Trap};
use super::expressions::Maker;
use super::layout::at;
use super::system::Unsupported;

/// A promise that a use of a channel may break.
pub(super) struct Promised {
    /// Who has promised: process number and kind.
    pid: usize,
    kind: ProctypeId,
    /// The channel, as code of that process.
    channel: Code,
    /// The end that the use is at and somebody else has promised to be alone at.
    broken: Option<Direction>,
    /// Whether whoever has promised always lives.
    is_lasting: bool,
}

impl Promised {
    /// Whether a use of the channel with a number is always a fault.
    pub fn always_forbids(&self, number: usize) -> bool {
        let channel = self.channel.constant();
        self.broken.is_some() && self.is_lasting && channel == Some(number as i32 + 1)
    }
}

impl Maker<'_> {
    /// The promises that a use of some ends of a channel may break.
    pub(super) fn promises(
        &mut self,
        reference: &Code,
        possible: &[usize],
        ends: &[Direction],
    ) -> Result<Box<[Promised]>, Unsupported> {
        let mut found = Vec::new();
        let (program, layout) = (self.program, self.layout);
        let Some((me, own)) = self.me.filter(|_| program.semantics.tests_promises) else {
            return Ok(found.into());
        };
        let may_hand_over = !self.without_buffer(possible).is_empty();
        for (pid, region) in layout.processes.iter().enumerate() {
            let kinds = region.kinds.iter().copied();
            for kind in kinds.filter(|kind| pid != me || *kind == own) {
                for promise in &program.proctypes[kind].promises {
                    let Promise { direction, channel } = *promise;
                    let broken = Some(direction).filter(|end| pid != me && ends.contains(end));
                    if broken.is_none() && !may_hand_over {
                        continue;
                    }
                    let mut other = Maker::new(program, layout, Some((pid, kind)));
                    let channel = other.int(channel)?;
                    let sides = (reference.constant(), channel.constant());
                    if matches!(sides, (Some(a), Some(b)) if a != b) {
                        continue;
                    }
                    let is_lasting = self.is_lasting(pid, kind);
                    if !is_lasting {
                        self.access.read(region.control, 1);
                    }
                    self.access.add_condition(&other.take_access());
                    self.access.may_fault = true;
                    found.push(Promised {
                        pid,
                        kind,
                        channel,
                        broken,
                        is_lasting,
                    });
                }
            }
        }
        Ok(found.into())
    }

    /// Whether a process exists from the start and never ends.
    fn is_lasting(&self, pid: usize, kind: ProctypeId) -> bool {
        let active = self.program.active.get(pid);
        let is_first = active.is_some_and(|active| active.proctype == kind);
        is_first && !may_end(&self.program.proctypes[kind].graph)
    }
}

/// Whether a graph has a way to the death of its process.
fn may_end(graph: &Graph) -> bool {
    let mut open: Vec<_> = graph.start.into_iter().collect();
    let mut met: FxHashSet<_> = open.iter().copied().collect();
    while let Some(location) = open.pop() {
        for edge in graph.locations[location].levels.iter().flatten() {
            let edge = &graph.edges[*edge];
            if matches!(edge.act, Act::End) {
                return true;
            }
            if met.insert(edge.to) {
                open.push(edge.to);
            }
        }
    }
    false
}

impl Engine<'_> {
    /// Whether nobody has promised something else about a channel that is used.
    pub(super) fn promised(
        &mut self,
        promises: &[Promised],
        used: Channel,
        span: Span,
    ) -> Result<(), Trap> {
        for promise in promises {
            let control = self.control(promise.pid);
            if control == 0 || at(control).0 != promise.kind.index() {
                continue;
            }
            match promise.channel.get(self) {
                Ok(channel) if channel == used.number as i32 + 1 => {}
                Ok(_) => continue,
                // What has no value is no channel.
                Err(Trap) => {
                    self.take_fault();
                    continue;
                }
            }
            if used.capacity == 0 {
                return self.trap(Reason::PromisedRendezvous, span);
            }
            if let Some(direction) = promise.broken {
                return self.trap(Reason::Promised(direction), span);
            }
        }
        Ok(())
    }
}
