//! Code for edges, with what each looks at and changes by itself.

use pins::{Counts, SlotSet};
use program::{Edge as Text, Graph};

use super::access::Access;
use super::channels::Direct;
use super::code::Code;
use super::expressions::Maker;
use super::layout::control;
use super::places::Word;
use super::system::Unsupported;
use super::tables::{Act, Edge};

/// An edge as code, with what it touches.
pub(super) struct Made {
    pub edge: Edge,
    /// What decides whether it is possible, apart from others.
    pub enabling: Access,
    /// What it does beyond that.
    pub effect: Access,
    /// The same of a handshake.
    pub direct: Direct,
    /// The channels it may offer messages on.
    pub offers: Vec<usize>,
    /// Whether all channels it may use are such.
    pub always_offers: bool,
    /// The channels it may take offered messages from.
    pub takes: Vec<usize>,
    /// The slot and word it compares, when its condition says no more.
    pub equals: Option<(usize, u32)>,
    /// What it counts, if that is all it does.
    pub counts: Option<Counts>,
    /// What it does to queues, if that is all that tells others of it.
    pub queue: Option<Queue>,
}

/// An edge that puts a message at the end of a queue, or takes one out of it.
pub(super) struct Queue {
    /// Whether it puts one in.
    pub puts: bool,
    /// The channels it may use.
    pub channels: Vec<usize>,
    /// What it looks at besides.
    pub beside: SlotSet,
}

impl Maker<'_> {
    /// Code for an edge.
    // Long: one arm for each kind of act.
    pub fn edge(&mut self, graph: &Graph, text: &Text) -> Result<Made, Unsupported> {
        let (pid, proctype) = self.me.expect("edges belong to a process");
        let mut made = Made {
            edge: Edge {
                group: 0,
                pairs: Box::default(),
                needed: None,
                act: Act::Else,
                to: control(proctype, text.to.index()),
                then: text.then,
                span: text.span,
            },
            enabling: Access::default(),
            effect: Access::default(),
            direct: Direct::default(),
            offers: Vec::new(),
            always_offers: false,
            takes: Vec::new(),
            equals: None,
            counts: None,
            queue: None,
        };
        debug_assert!(text.to.index() < graph.locations.len());
        made.edge.act = match &text.act {
            program::Act::Guard(condition) => {
                made.equals = self.equality(*condition);
                let code = self.int(*condition)?;
                made.enabling = self.take_access();
                if made.enabling.has_effect {
                    Act::Creating(code.into_int())
                } else {
                    Act::Guard(code)
                }
            }
            program::Act::Do(stmt) => {
                made.counts = self.counted(*stmt);
                let action = self.action(*stmt)?;
                made.effect = self.take_access();
                Act::Do(action)
            }
            program::Act::Send {
                channel,
                values,
                is_sorted,
            } => {
                let (send, uses) = self.send(*channel, values, *is_sorted, text.span)?;
                (made.enabling, made.effect) = (uses.enabling, uses.effect);
                made.direct = uses.direct;
                made.offers = self.without_buffer(&uses.channels);
                made.always_offers = uses.channels.iter().all(|n| {
                    let mut kinds = self.layout.channels[*n].kinds.iter();
                    kinds.all(|kind| self.layout.kinds[kind.index()].capacity == 0)
                });
                // A full channel that loses messages, and one that sorts them, show who came first.
                if made.offers.is_empty() && !is_sorted && !self.program.semantics.is_lossy {
                    made.queue = Some(Queue {
                        puts: true,
                        channels: uses.channels,
                        beside: uses.beside,
                    });
                }
                Act::Send(send)
            }
            program::Act::Receive {
                channel,
                patterns,
                take,
            } => {
                let (receive, uses) = self.receive(*channel, patterns, *take, text.span)?;
                (made.enabling, made.effect) = (uses.enabling, uses.effect);
                made.direct = uses.direct;
                made.takes = self.without_buffer(&uses.channels);
                if made.takes.is_empty() {
                    made.queue = Some(Queue {
                        puts: false,
                        channels: uses.channels,
                        beside: uses.beside,
                    });
                }
                Act::Receive(receive)
            }
            program::Act::Else => Act::Else,
            program::Act::End => {
                (made.enabling, made.effect) = self.death(pid);
                let next = self.layout.processes.get(pid + 1);
                made.equals = next.map(|next| (next.control, 0));
                Act::End
            }
            program::Act::Observe(_) => {
                return Err(Unsupported::new("an event outside a trace", text.span));
            }
        };
        made.edge.needed = match &made.edge.act {
            Act::Guard(condition) => condition.needed(),
            Act::Send(send) if !self.program.semantics.is_lossy => send.needed(),
            Act::Receive(receive) => receive.needed(),
            _ => None,
        };
        Ok(made)
    }

    /// The slot and word that a condition compares, when it says no more than that they are equal.
    fn equality(&mut self, condition: program::ExprId) -> Option<(usize, u32)> {
        let program::Kind::Binary(program::Binary::Equal, a, b) =
            self.program.exprs[condition].kind
        else {
            return None;
        };
        let sides = (self.int(a).ok()?, self.int(b).ok()?);
        self.take_access();
        match sides {
            (Code::Slot(slot), Code::Constant(word)) | (Code::Constant(word), Code::Slot(slot))
                if slot < self.layout.slots =>
            {
                Some((slot, word as u32))
            }
            _ => None,
        }
    }

    /// The slot of an own variable that a statement only counts in.
    fn counted(&mut self, stmt: program::StmtId) -> Option<Counts> {
        let program = self.program;
        let program::StmtKind::Assign(place, value) = program.stmts[stmt].kind else {
            return None;
        };
        let program::Kind::Binary(op, old, by) = program.exprs[value].kind else {
            return None;
        };
        let program::Kind::Read(read) = program.exprs[old].kind else {
            return None;
        };
        let program::Kind::Constant(by) = program.exprs[by].kind else {
            return None;
        };
        let is_up = match op {
            program::Binary::Add => by > 0,
            program::Binary::Subtract => by < 0,
            _ => return None,
        };
        let is_own = |place: program::PlaceId| {
            let place = &program.places[place];
            matches!(place.root, program::Root::Process(_)) && place.path.is_empty()
        };
        if by == 0 || !is_own(place) || !is_own(read) {
            return None;
        }
        let words = (self.word(place), self.word(read));
        self.take_access();
        match words {
            (Ok(Word::Known(slot)), Ok(Word::Known(same))) if slot == same => {
                Some(Counts { slot, is_up })
            }
            _ => None,
        }
    }

    pub(super) fn without_buffer(&self, channels: &[usize]) -> Vec<usize> {
        let has_none = |number: &usize| {
            let mut kinds = self.layout.channels[*number].kinds.iter();
            kinds.any(|kind| self.layout.kinds[kind.index()].capacity == 0)
        };
        channels.iter().copied().filter(has_none).collect()
    }

    /// What the death of a process asks and changes.
    fn death(&self, pid: usize) -> (Access, Access) {
        let (mut enabling, mut effect) = (Access::default(), Access::default());
        if let Some(next) = self.layout.processes.get(pid + 1) {
            enabling.read(next.control, 1);
        }
        let region = &self.layout.processes[pid];
        effect.write(region.variables, region.size);
        if let Some(priority) = region.priority {
            effect.write(priority, 1);
        }
        for channel in &self.layout.channels {
            if let Some(header) = channel.header {
                effect.read(header, 1);
                effect.write(header, 1);
                effect.write(channel.messages, channel.size);
                if let Some(length) = channel.length {
                    effect.write(length, 1);
                }
            }
        }
        (enabling, effect)
    }
}
