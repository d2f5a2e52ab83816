//! Channels: code for sends, receives and questions; `buffers` is what an engine does for them.

mod buffers;

use base::Span;
use pins::SlotSet;
use program::{ChannelId, ChannelQuestion, Direction, ExprId, Pattern, Reason, Take};

use buffers::wrong_fields;

use super::access::Access;
use super::code::{Code, Cut, Order, Test, computed};
use super::expressions::Maker;
use super::layout::{Home, cut};
use super::places::Word;
use super::promises::Promised;
use super::system::Unsupported;

/// Code for a channel.
pub(super) struct Which {
    reference: Code,
    /// Which it always is.
    known: Option<Channel>,
    /// What others may have promised about it.
    promises: Box<[Promised]>,
    span: Span,
}

/// A channel that exists.
#[derive(Clone, Copy, Debug)]
pub(super) struct Channel {
    pub number: usize,
    pub kind: usize,
    pub capacity: usize,
    /// The slot of its length; without a buffer it has none.
    length: usize,
}

/// Code for a send.
pub(super) struct Send {
    pub channel: Which,
    pub values: Vec<Code>,
    pub is_sorted: bool,
    pub span: Span,
}

/// Code for a receive.
pub(super) struct Receive {
    pub channel: Which,
    pub fields: usize,
    pub conditions: Vec<(usize, Code)>,
    pub stores: Vec<(usize, Word, Cut)>,
    pub take: Take,
    pub span: Span,
}

impl Which {
    /// The slot of its length and its capacity, where they are known and nothing else is asked of whoever uses it.
    fn length(&self) -> Option<(usize, i32)> {
        let known = self.known.filter(|channel| channel.capacity > 0)?;
        let is_free = self.promises.is_empty();
        is_free.then_some((known.length, known.capacity as i32))
    }
}

impl Send {
    /// That the channel is not full, which matters unless it loses messages.
    pub fn needed(&self) -> Option<Test> {
        let (slot, with) = self.channel.length()?;
        let order = Order::Less;
        Some(Test { slot, order, with })
    }
}

impl Receive {
    /// That there is a message.
    pub fn needed(&self) -> Option<Test> {
        let ((slot, _), order) = (self.channel.length()?, Order::Greater);
        Some(Test {
            slot,
            order,
            with: 0,
        })
    }
}

/// What it takes to know whether an edge is possible, what it changes, and which channels it may use.
pub(super) struct Uses {
    pub enabling: Access,
    pub effect: Access,
    pub channels: Vec<usize>,
    /// What is looked at besides the channel itself.
    pub beside: SlotSet,
    /// The same of a handshake, which has nothing to do with queues.
    pub direct: Direct,
}

/// What it takes to know whether a half of a handshake is possible, and what it changes.
#[derive(Clone, Debug, Default)]
pub(super) struct Direct {
    pub enabling: Access,
    pub effect: Access,
}

impl Maker<'_> {
    /// Code for a channel, and which it can be.
    pub fn channel(
        &mut self,
        id: ExprId,
        ends: &[Direction],
    ) -> Result<(Which, Vec<usize>), Unsupported> {
        let span = self.program.exprs[id].span;
        let reference = self.int(id)?;
        let count = self.layout.channels.len();
        let numbers = |values: &[i32]| {
            let numbers = values.iter().filter_map(|v| usize::try_from(v - 1).ok());
            numbers.filter(|number| *number < count).collect::<Vec<_>>()
        };
        let mut possible = match reference {
            Code::Constant(value) => {
                let known = numbers(&[value]);
                let exists = |n: &usize| self.layout.channels[*n].header.is_none();
                self.access.may_fault |= !known.iter().any(exists);
                known
            }
            _ => {
                self.access.may_fault = true;
                match self.fixed_values(id) {
                    Some(values) => numbers(&values),
                    None => (0..count).collect(),
                }
            }
        };
        for number in &possible {
            if let Some(header) = self.layout.channels[*number].header {
                self.access.read(header, 1);
            }
        }
        let promises = self.promises(&reference, &possible, ends)?;
        if reference.constant().is_none() {
            possible.retain(|number| !promises.iter().any(|p| p.always_forbids(*number)));
        }
        let known = match (&reference, &possible[..]) {
            (Code::Constant(_), [number]) => {
                let queue = &self.layout.channels[*number];
                let exists = queue.header.is_none();
                exists.then(|| self.layout.one(*number, queue.kinds[0].index()))
            }
            _ => None,
        };
        let which = Which {
            reference,
            known,
            promises,
            span,
        };
        Ok((which, possible))
    }

    /// The values of a fixed array that an expression chooses from.
    fn fixed_values(&self, id: ExprId) -> Option<Vec<i32>> {
        let (program::Kind::Read(place) | program::Kind::Copy(place)) = self.program.exprs[id].kind
        else {
            return None;
        };
        match self.program.places[place].root {
            program::Root::Global(variable) => match self.layout.global(variable) {
                Home::Fixed(values) => Some(values.clone()),
                Home::Words(_) => None,
            },
            _ => None,
        }
    }

    fn read_lengths(&mut self, channels: &[usize]) {
        for number in channels {
            if let Some(slot) = self.layout.channels[*number].length {
                self.access.read(slot, 1);
            }
        }
    }

    fn read_messages(&mut self, channels: &[usize]) {
        for number in channels {
            let channel = &self.layout.channels[*number];
            self.access.read(channel.messages, channel.size);
        }
    }

    fn write_channels(&mut self, channels: &[usize]) {
        for number in channels {
            let channel = &self.layout.channels[*number];
            self.access.write(channel.messages, channel.size);
            if let Some(slot) = channel.length {
                self.access.write(slot, 1);
            }
        }
    }

    /// Whether all channels have so many fields.
    fn all_have(&self, channels: &[usize], fields: usize) -> bool {
        let kinds = channels
            .iter()
            .flat_map(|n| &self.layout.channels[*n].kinds);
        let mut counts = kinds.map(|kind| self.program.channels[*kind].fields.len());
        counts.all(|count| count == fields)
    }

    /// Code for a send.
    pub fn send(
        &mut self,
        channel: ExprId,
        values: &[ExprId],
        is_sorted: bool,
        span: Span,
    ) -> Result<(Send, Uses), Unsupported> {
        let (channel, channels) = self.channel(channel, &[Direction::Send])?;
        let mut direct = Direct {
            enabling: self.access.clone(),
            effect: Access::default(),
        };
        self.read_lengths(&channels);
        let enabling = self.take_access();
        let mut codes = Vec::new();
        for value in values {
            codes.push(self.int(*value)?);
        }
        let beside = self.access.clone().whole().reads;
        self.access.may_fault |= !self.all_have(&channels, values.len());
        direct.effect = self.access.clone();
        if is_sorted {
            self.read_messages(&channels);
        }
        self.write_channels(&channels);
        self.observed();
        let send = Send {
            channel,
            values: codes,
            is_sorted,
            span,
        };
        let effect = self.take_access();
        Ok((
            send,
            Uses {
                enabling,
                effect,
                channels,
                beside,
                direct,
            },
        ))
    }

    /// Code for a receive.
    pub fn receive(
        &mut self,
        channel: ExprId,
        patterns: &[Pattern],
        take: Take,
        span: Span,
    ) -> Result<(Receive, Uses), Unsupported> {
        let (channel, channels) = self.channel(channel, &[Direction::Receive])?;
        let conditions = self.conditions(patterns)?;
        let mut beside = self.access.clone().whole().reads;
        let mut direct = Direct {
            enabling: self.access.clone(),
            effect: Access::default(),
        };
        self.read_lengths(&channels);
        if !conditions.is_empty() {
            self.read_messages(&channels);
        }
        let is_copy_of_rendezvous = take.is_copy && {
            let mut kinds = channels
                .iter()
                .flat_map(|n| &self.layout.channels[*n].kinds);
            kinds.any(|kind| self.layout.kinds[kind.index()].capacity == 0)
        };
        self.access.may_fault |= is_copy_of_rendezvous || !self.all_have(&channels, patterns.len());
        direct.enabling.may_fault = self.access.may_fault;
        let enabling = self.take_access();
        let mut stores = Vec::new();
        for (field, pattern) in patterns.iter().enumerate() {
            if let Pattern::Store(place) = pattern {
                let word = self.word(*place)?;
                self.writes(&word);
                let cut = cut(self.program, self.program.places[*place].ty);
                stores.push((field, word, cut));
            }
        }
        beside.union_with(&self.access.clone().whole().reads);
        direct.effect = self.access.clone();
        self.read_messages(&channels);
        if !take.is_copy {
            self.write_channels(&channels);
            self.observed();
        }
        let receive = Receive {
            channel,
            fields: patterns.len(),
            conditions,
            stores,
            take,
            span,
        };
        let effect = self.take_access();
        Ok((
            receive,
            Uses {
                enabling,
                effect,
                channels,
                beside,
                direct,
            },
        ))
    }

    /// Code for a question about a length.
    pub fn ask(&mut self, question: ChannelQuestion, channel: ExprId) -> Result<Code, Unsupported> {
        let (channel, channels) = self.channel(channel, question.ends())?;
        self.read_lengths(&channels);
        if let Some((slot, capacity)) = channel.length() {
            return Ok(match question {
                ChannelQuestion::Length => Code::Slot(slot),
                ChannelQuestion::IsEmpty => Code::Compared(slot, Order::Equal, 0),
                ChannelQuestion::IsFull => Code::Compared(slot, Order::AtLeast, capacity),
                ChannelQuestion::IsNotEmpty => Code::Compared(slot, Order::Greater, 0),
                ChannelQuestion::IsNotFull => Code::Compared(slot, Order::Less, capacity),
            });
        }
        Ok(computed(move |engine| {
            let channel = engine.channel(&channel)?;
            let (length, capacity) = (engine.length(channel), channel.capacity);
            let is_full = length >= capacity && capacity > 0;
            Ok(match question {
                ChannelQuestion::Length => length as i32,
                ChannelQuestion::IsEmpty => i32::from(length == 0),
                ChannelQuestion::IsFull => i32::from(is_full),
                ChannelQuestion::IsNotEmpty => i32::from(length > 0),
                ChannelQuestion::IsNotFull => i32::from(!is_full),
            })
        }))
    }

    /// Code for a poll.
    pub fn poll(
        &mut self,
        channel: ExprId,
        is_any: bool,
        patterns: &[Pattern],
        span: Span,
    ) -> Result<Code, Unsupported> {
        let (channel, channels) = self.channel(channel, Direction::BOTH)?;
        self.read_lengths(&channels);
        self.read_messages(&channels);
        self.access.may_fault = true;
        let conditions = self.conditions(patterns)?;
        let receive = Receive {
            channel,
            fields: patterns.len(),
            conditions,
            stores: Vec::new(),
            take: Take {
                is_any,
                is_copy: true,
            },
            span,
        };
        Ok(computed(move |engine| {
            let channel = engine.channel(&receive.channel)?;
            if channel.capacity == 0 {
                return engine.trap(Reason::PollRendezvous, span);
            }
            // A poll may ask for the first fields only.
            let expected = engine.tables.layout.kinds[channel.kind].fields.len();
            if expected < receive.fields && engine.length(channel) > 0 {
                return engine.trap(wrong_fields(expected, receive.fields), span);
            }
            let found = engine.matching(&receive, channel)?;
            Ok(i32::from(found.is_some()))
        }))
    }

    /// Code for a new channel.
    pub fn new_channel(&mut self, kind: ChannelId, span: Span) -> Code {
        if let Some(created) = &mut self.created {
            *created += 1;
            return Code::Constant(*created as i32);
        }
        self.access.has_effect = true;
        self.access.may_fault = true;
        self.ask_living();
        for channel in &self.layout.channels {
            if let Some(header) = channel.header {
                self.access.read(header, 1);
                if channel.kinds.contains(&kind) {
                    self.access.write(header, 1);
                }
            }
        }
        computed(move |engine| engine.new_channel(kind, span))
    }
}
