//! What an engine does for channels: finds the one that is meant, puts messages in, matches them and takes them out, creates channels
//! and drops them.

use base::Span;
use program::{ChannelId, Direction, Reason};

use super::super::code::Code;
use super::super::engine::{Engine, Outcome, Trap};
use super::super::layout::Layout;
use super::super::places::Word;
use super::super::size::Outgrown;
use super::{Channel, Receive, Send, Which};

impl Layout {
    /// A channel of a kind.
    pub(super) fn one(&self, number: usize, kind: usize) -> Channel {
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

    pub(super) fn referred(&mut self, which: &Which) -> Result<Channel, Trap> {
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
    pub(super) fn field(&self, number: usize, kind: usize, position: usize, field: usize) -> i32 {
        let packing = &self.tables.layout.kinds[kind];
        let messages = self.tables.layout.channels[number].messages;
        let field = &packing.fields[field];
        let word = self.words[messages + position * packing.words + field.word];
        field.cut.apply((word >> field.shift & field.mask) as i32)
    }

    /// Computes the values of a send into `message`.
    pub(super) fn values(&mut self, send: &Send, kind: usize) -> Result<(), Trap> {
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

    pub(super) fn cut_message(&mut self, kind: usize) {
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

    pub(super) fn send_to(&mut self, channel: Channel, send: &Send) -> Result<Outcome, Trap> {
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
    pub(super) fn before_greater(&self, number: usize, kind: usize, length: usize) -> usize {
        let is_greater = |position: &usize| {
            let fields = self.message.iter().enumerate();
            let mut order =
                fields.map(|(at, value)| self.field(number, kind, *position, at).cmp(value));
            order.find(|order| order.is_ne()) == Some(std::cmp::Ordering::Greater)
        };
        (0..length).find(is_greater).unwrap_or(length)
    }

    pub(super) fn insert(&mut self, number: usize, kind: usize, position: usize, length: usize) {
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

    pub(super) fn receive_from(
        &mut self,
        channel: Channel,
        receive: &Receive,
    ) -> Result<Outcome, Trap> {
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

    pub(super) fn remove(&mut self, channel: Channel, position: usize) {
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
    pub(super) fn new_channel(&mut self, kind: ChannelId, span: Span) -> Result<i32, Trap> {
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

pub(super) fn wrong_fields(expected: usize, given: usize) -> Reason {
    Reason::Fields {
        expected: expected as u32,
        given: given as u32,
    }
}
