//! Channels: code for sends, receives and questions, and what an engine does for them.

use base::Span;
use pins::SlotSet;
use program::{ChannelId, ChannelQuestion, Direction, ExprId, Pattern, Reason, Take};

use super::access::Access;
use super::code::{Code, Cut, Order, Test, computed};
use super::engine::{Engine, Outcome, Trap};
use super::expressions::Maker;
use super::layout::{Home, Layout, cut};
use super::places::Word;
use super::promises::Promised;
use super::size::Outgrown;
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

impl Layout {
    /// A channel of a kind.
    fn one(&self, number: usize, kind: usize) -> Channel {
        Channel {
            number,
            kind,
            capacity: self.kinds[kind].capacity,
            length: self.channels[number].length.unwrap_or(usize::MAX),
        }
    }
}

impl Engine<'_> {
    /// The channel that code means.
    #[inline]
    pub fn channel(&mut self, which: &Which) -> Result<Channel, Trap> {
        let channel = match which.known {
            Some(channel) => channel,
            None => self.referred(which)?,
        };
        if !which.promises.is_empty() {
            self.promised(&which.promises, channel, which.span)?;
        }
        Ok(channel)
    }

    fn referred(&mut self, which: &Which) -> Result<Channel, Trap> {
        let reference = which.reference.get(self)?;
        let number = reference.wrapping_sub(1) as usize;
        let layout = &self.tables.layout;
        let Some(channel) = layout.channels.get(number) else {
            return match reference {
                0 => self.trap(Reason::NoChannel, which.span),
                _ => self.trap(Reason::DeadChannel, which.span),
            };
        };
        let kind = match channel.header {
            None => Some(channel.kinds[0].index()),
            Some(header) => (self.words[header] >> 8)
                .checked_sub(1)
                .map(|kind| kind as usize),
        };
        match kind {
            Some(kind) => Ok(layout.one(number, kind)),
            None => self.trap(Reason::DeadChannel, which.span),
        }
    }

    /// How many messages a channel holds.
    #[inline]
    pub fn length(&self, channel: Channel) -> usize {
        match channel.capacity {
            0 => 0,
            _ => self.words[channel.length] as usize,
        }
    }

    /// A field of a message.
    fn field(&self, number: usize, kind: usize, position: usize, field: usize) -> i32 {
        let packing = &self.tables.layout.kinds[kind];
        let messages = self.tables.layout.channels[number].messages;
        let field = &packing.fields[field];
        let word = self.words[messages + position * packing.words + field.word];
        field.cut.apply((word >> field.shift & field.mask) as i32)
    }

    /// Computes the values of a send into `message`.
    fn values(&mut self, send: &Send, kind: usize) -> Result<(), Trap> {
        self.message.clear();
        for value in &send.values {
            let value = value.get(self)?;
            self.message.push(value);
        }
        let expected = self.tables.layout.kinds[kind].fields.len();
        if expected != send.values.len() {
            return self.trap(wrong_fields(expected, send.values.len()), send.span);
        }
        Ok(())
    }

    fn cut_message(&mut self, kind: usize) {
        let fields = &self.tables.layout.kinds[kind].fields;
        for (value, field) in self.message.iter_mut().zip(fields) {
            *value = field.cut.apply(*value);
        }
    }

    /// Sends a message, or offers it if the channel has no buffer.
    #[inline]
    pub fn send(&mut self, send: &Send) -> Result<Outcome, Trap> {
        let channel = self.channel(&send.channel)?;
        let is_full = self.length(channel) >= channel.capacity;
        if is_full && channel.capacity > 0 && !self.tables.is_lossy {
            return Ok(Outcome::Impossible);
        }
        self.send_to(channel, send)
    }

    fn send_to(&mut self, channel: Channel, send: &Send) -> Result<Outcome, Trap> {
        let Channel { number, kind, .. } = channel;
        self.values(send, kind)?;
        if channel.capacity == 0 {
            self.cut_message(kind);
            return Ok(Outcome::Offer(number));
        }
        let length = self.length(channel);
        if length >= channel.capacity {
            // Full, and such a channel loses messages.
            return Ok(Outcome::Done);
        }
        let position = match send.is_sorted {
            true => self.before_greater(number, kind, length),
            false => length,
        };
        self.cut_message(kind);
        self.insert(number, kind, position, length);
        self.observe_done(Direction::Send, number, send.span)?;
        Ok(Outcome::Done)
    }

    /// The position of the first message that is greater than the one to be sent.
    fn before_greater(&self, number: usize, kind: usize, length: usize) -> usize {
        let is_greater = |position: &usize| {
            let fields = self.message.iter().enumerate();
            let mut order =
                fields.map(|(at, value)| self.field(number, kind, *position, at).cmp(value));
            order.find(|order| order.is_ne()) == Some(std::cmp::Ordering::Greater)
        };
        (0..length).find(is_greater).unwrap_or(length)
    }

    fn insert(&mut self, number: usize, kind: usize, position: usize, length: usize) {
        let tables = self.tables;
        let packing = &tables.layout.kinds[kind];
        let channel = &tables.layout.channels[number];
        let (from, to) = (
            channel.messages + position * packing.words,
            channel.messages + length * packing.words,
        );
        self.words.copy_within(from..to, from + packing.words);
        self.words[from..from + packing.words].fill(0);
        for (field, value) in packing.fields.iter().zip(&self.message) {
            self.words[from + field.word] |= (*value as u32 & field.mask) << field.shift;
        }
        if let Some(slot) = channel.length {
            self.words[slot] = length as u32 + 1;
        }
    }

    /// The position of the first message that matches.
    pub fn matching(&mut self, receive: &Receive, channel: Channel) -> Result<Option<usize>, Trap> {
        let Channel { number, kind, .. } = channel;
        let length = self.length(channel);
        let looked_at = if receive.take.is_any {
            length
        } else {
            length.min(1)
        };
        for position in 0..looked_at {
            let mut matches = true;
            for (field, condition) in &receive.conditions {
                if condition.get(self)? != self.field(number, kind, position, *field) {
                    matches = false;
                    break;
                }
            }
            if matches {
                return Ok(Some(position));
            }
        }
        Ok(None)
    }

    /// Receives a message from a channel with a buffer.
    #[inline]
    pub fn receive(&mut self, receive: &Receive) -> Result<Outcome, Trap> {
        let channel = self.channel(&receive.channel)?;
        if self.length(channel) == 0 && (channel.capacity > 0 || !receive.take.is_copy) {
            return Ok(Outcome::Impossible);
        }
        self.receive_from(channel, receive)
    }

    fn receive_from(&mut self, channel: Channel, receive: &Receive) -> Result<Outcome, Trap> {
        let Channel { number, kind, .. } = channel;
        if channel.capacity == 0 {
            return self.trap(Reason::PollRendezvous, receive.span);
        }
        let expected = self.tables.layout.kinds[kind].fields.len();
        if expected != receive.fields {
            return self.trap(wrong_fields(expected, receive.fields), receive.span);
        }
        let Some(position) = self.matching(receive, channel)? else {
            return Ok(Outcome::Impossible);
        };
        self.message.clear();
        for field in 0..receive.fields {
            let value = self.field(number, kind, position, field);
            self.message.push(value);
        }
        if !receive.take.is_copy {
            self.remove(channel, position);
        }
        self.keep(receive)?;
        if !receive.take.is_copy {
            self.observe_done(Direction::Receive, number, receive.span)?;
        }
        Ok(Outcome::Done)
    }

    fn remove(&mut self, channel: Channel, position: usize) {
        let tables = self.tables;
        let packing = &tables.layout.kinds[channel.kind];
        let length = self.length(channel);
        let channel = &tables.layout.channels[channel.number];
        let from = channel.messages + position * packing.words;
        let to = channel.messages + length * packing.words;
        self.words.copy_within(from + packing.words..to, from);
        self.words[to - packing.words..to].fill(0);
        if let Some(slot) = channel.length {
            self.words[slot] = length as u32 - 1;
        }
    }

    /// Stores the fields of `message` where a receive says.
    pub fn keep(&mut self, receive: &Receive) -> Result<(), Trap> {
        for (field, word, cut) in &receive.stores {
            let slot = match word {
                Word::Known(slot) => *slot,
                Word::Among { first, offset, .. } => first + offset.get(self)?,
            };
            self.words[slot] = cut.apply(self.message[*field]) as u32;
        }
        Ok(())
    }

    /// Whether a receive may be from this channel: what has to be computed is not.
    #[inline]
    pub fn may_be_from(&self, receive: &Receive, channel: usize) -> bool {
        match receive.channel.reference {
            Code::Constant(reference) => reference == channel as i32 + 1,
            Code::Slot(slot) => self.words[slot] == channel as u32 + 1,
            _ => true,
        }
    }

    /// Whether an offered message, in `message`, is one that a receive takes.
    pub fn accepts(&mut self, receive: &Receive, offered: usize) -> Result<bool, Trap> {
        match receive.channel.reference.get(self) {
            Ok(reference) if reference == offered as i32 + 1 => {}
            Ok(_) => return Ok(false),
            // A channel that has no value is a fault of the receiver's own.
            Err(Trap) => {
                self.take_fault();
                return Ok(false);
            }
        }
        if receive.take.is_copy {
            return self.trap(Reason::PollRendezvous, receive.span);
        }
        if self.message.len() != receive.fields {
            let reason = wrong_fields(self.message.len(), receive.fields);
            return self.trap(reason, receive.span);
        }
        for (field, condition) in &receive.conditions {
            if condition.get(self)? != self.message[*field] {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Creates a channel; its reference.
    fn new_channel(&mut self, kind: ChannelId, span: Span) -> Result<i32, Trap> {
        let channels = &self.tables.layout.channels;
        let is_free = |header: usize| self.words[header] == 0;
        let free = channels.iter().position(|c| c.header.is_some_and(is_free));
        let number = free.unwrap_or(channels.len());
        if number >= program::MOST_PROCESSES {
            return self.trap(Reason::TooManyChannels, span);
        }
        let header = channels.get(number).filter(|c| c.kinds.contains(&kind));
        let Some(header) = header.and_then(|channel| channel.header) else {
            return self.outgrown(Outgrown::Channel(number, kind), span);
        };
        if let Some(met) = &mut self.met {
            met.add_channel(number, kind);
        }
        let above = self.alive() as u32;
        self.words[header] = (kind.index() as u32 + 1) << 8 | above;
        Ok(number as i32 + 1)
    }

    /// Takes away the channels that go with the process that lives at a number.
    pub fn drop_channels(&mut self, pid: usize) {
        let tables = self.tables;
        for channel in &tables.layout.channels {
            let Some(header) = channel.header else {
                continue;
            };
            if self.words[header] & 255 > pid as u32 {
                self.words[header] = 0;
                if let Some(slot) = channel.length {
                    self.words[slot] = 0;
                }
                self.words[channel.messages..channel.messages + channel.size].fill(0);
            }
        }
    }
}

fn wrong_fields(expected: usize, given: usize) -> Reason {
    Reason::Fields {
        expected: expected as u32,
        given: given as u32,
    }
}
