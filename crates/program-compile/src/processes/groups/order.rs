//! Which groups commute, and which wait for their own process only.

use pins::{Group, GroupId, SlotSet};
use program::Then;

use super::super::acts::Queue;
use super::{Grouping, Groups, Start, both, needs_timeout};

impl Grouping<'_> {
    /// Groups that happen only when nothing else does, with all that does not ask: they never happen in one state.
    pub(super) fn waiting(&self, groups: &Groups) -> Vec<(GroupId, GroupId)> {
        let starts = || groups.starts.iter().enumerate();
        let is_last = |start: &Start| {
            let edge = &self.program.proctypes[start.proctype].graph.edges[start.edge];
            match edge.act {
                program::Act::Guard(condition) => needs_timeout(self.program, condition),
                _ => false,
            }
        };
        let others = || starts().filter(|(_, start)| !start.asks_timeout);
        let mut pairs = Vec::new();
        for (last, _) in starts().filter(|(_, start)| is_last(start)) {
            pairs.extend(others().flat_map(|(other, _)| both(last, other)));
        }
        pairs
    }

    /// Sends and receives that meet in a queue only: at its two ends, if both can happen.
    pub(super) fn commuting(&self, groups: &[Group]) -> Vec<(GroupId, GroupId)> {
        let mut kinds = self.program.proctypes.iter().map(|(_, kind)| kind);
        let has_conditions = self.program.semantics.has_priorities
            || kinds.any(|kind| kind.provided.is_some() || kind.is_deterministic);
        if has_conditions {
            return Vec::new();
        }
        let (mut puts, mut takes) = (Vec::new(), Vec::new());
        for place in &self.places {
            // Whoever may be kept from acting by an escape looks at more than its queue.
            let [edges] = &place.levels[..] else {
                continue;
            };
            let edges = edges.iter().map(|(_, made)| made);
            for made in edges.filter(|made| made.edge.then == Then::Anybody) {
                match &made.queue {
                    Some(queue) if queue.puts => puts.push((made.edge.group as usize, queue)),
                    Some(queue) => takes.push((made.edge.group as usize, queue)),
                    None => {}
                }
            }
        }
        let mut commuting = Vec::new();
        for (put, back) in &puts {
            for (take, front) in &takes {
                if self.meet_in_queues((&groups[*put], back), (&groups[*take], front)) {
                    commuting.extend(both(*put, *take));
                }
            }
        }
        commuting
    }

    /// Whether two groups have nothing in common but the queues that one puts into and the other takes from.
    pub(super) fn meet_in_queues(
        &self,
        (a, back): (&Group, &Queue),
        (b, front): (&Group, &Queue),
    ) -> bool {
        let common = back.channels.iter().filter(|n| front.channels.contains(n));
        let mut queues = SlotSet::new();
        for number in common {
            let channel = &self.layout.channels[*number];
            let messages = channel.messages..channel.messages + channel.size;
            let slots = messages.chain(channel.length);
            slots.for_each(|slot| queues.insert(slot));
        }
        let meet = |slot: &usize| {
            let writes = (a.may_write.contains(*slot), b.may_write.contains(*slot));
            writes.0 && (writes.1 || b.reads.contains(*slot)) || writes.1 && a.reads.contains(*slot)
        };
        let mut met = (0..self.layout.slots).filter(meet);
        !back.beside.intersects(&queues)
            && !front.beside.intersects(&queues)
            && met.all(|slot| queues.contains(slot))
    }
}
