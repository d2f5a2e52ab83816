//! Channels: created, asked, sent to and received from.

use base::Span;
use program::{ChannelId, Direction, ExprId, Pattern, Reason, Take, Value};

use crate::run::{Run, Stop, fault};
use crate::store::stored;
use program::Queue;

impl Run<'_> {
    /// Creates a channel; its reference.
    pub fn new_channel(&mut self, kind: ChannelId, span: Span) -> Result<i64, Stop> {
        if self.state.channels.len() >= program::MOST_PROCESSES {
            return fault(Reason::TooManyChannels, span);
        }
        self.state.channels.push(Queue {
            kind,
            above: self.state.processes.len(),
            messages: Vec::new(),
        });
        Ok(self.state.channels.len() as i64)
    }

    /// The position of a channel by its reference.
    pub fn channel(&self, reference: i64, span: Span) -> Result<usize, Stop> {
        match usize::try_from(reference) {
            Ok(0) => fault(Reason::NoChannel, span),
            Ok(number) if number <= self.state.channels.len() => Ok(number - 1),
            _ => fault(Reason::DeadChannel, span),
        }
    }

    /// The position of the channel that an expression means, for somebody who uses some of its ends.
    pub fn used(&mut self, channel: ExprId, ends: &[Direction]) -> Result<usize, Stop> {
        let span = self.program.exprs[channel].span;
        let reference = self.int(channel)?;
        let at = self.channel(reference, span)?;
        if let Some(me) = self.me
            && self.program.semantics.tests_promises
        {
            self.promised(at, ends, me, span)?;
        }
        Ok(at)
    }

    /// Whether nobody else has promised to be alone at some ends of a channel.
    fn promised(&self, at: usize, ends: &[Direction], me: usize, span: Span) -> Result<(), Stop> {
        for (pid, process) in self.state.processes.iter().enumerate() {
            for promise in &self.program.proctypes[process.proctype].promises {
                let mut other = Run {
                    me: Some(pid),
                    ..Run::new(self.program, self.state.clone())
                };
                if other.int(promise.channel) != Ok(at as i64 + 1) {
                    continue;
                }
                if self.capacity(at) == 0 {
                    return fault(Reason::PromisedRendezvous, span);
                }
                if pid != me && ends.contains(&promise.direction) {
                    return fault(Reason::Promised(promise.direction), span);
                }
            }
        }
        Ok(())
    }

    /// How many messages the channel at a position holds at most.
    pub fn capacity(&self, at: usize) -> usize {
        self.program.channels[self.state.channels[at].kind].capacity as usize
    }

    /// The values of a send, as many as the channel has fields.
    pub fn message(&mut self, at: usize, values: &[ExprId], span: Span) -> Result<Vec<i64>, Stop> {
        let mut message = Vec::new();
        for value in values {
            message.push(self.int(*value)?);
        }
        let fields = self.program.channels[self.state.channels[at].kind]
            .fields
            .len();
        if fields != message.len() {
            return fault(wrong_fields(fields, message.len()), span);
        }
        Ok(message)
    }

    /// Puts a message in a channel that has room.
    pub fn enqueue(
        &mut self,
        at: usize,
        message: Vec<i64>,
        is_sorted: bool,
        span: Span,
    ) -> Result<(), Stop> {
        let messages = &self.state.channels[at].messages;
        let position = match is_sorted {
            true => messages.iter().position(|other| *other > message),
            false => None,
        };
        let position = position.unwrap_or(messages.len());
        let message = self.cut_message(at, message, span)?;
        self.state.channels[at]
            .messages
            .insert(position, message.clone());
        self.observe(Direction::Send, at, &message, span)
    }

    /// A message as its channel holds it.
    pub fn cut_message(&self, at: usize, message: Vec<i64>, span: Span) -> Result<Vec<i64>, Stop> {
        let fields = &self.program.channels[self.state.channels[at].kind].fields;
        let message = fields.iter().zip(message);
        message
            .map(|(ty, value)| self.cut(*ty, value, span))
            .collect()
    }

    /// Whether a message could be received now.
    pub fn poll(
        &mut self,
        id: ExprId,
        channel: ExprId,
        is_any: bool,
        patterns: &[Pattern],
    ) -> Result<bool, Stop> {
        let at = self.used(channel, Direction::BOTH)?;
        let span = self.program.exprs[id].span;
        if self.capacity(at) == 0 {
            return fault(Reason::PollRendezvous, span);
        }
        let messages = self.state.channels[at].messages.clone();
        let looked_at = if is_any { messages.len() } else { 1 };
        for message in messages.iter().take(looked_at) {
            // A poll may ask for the first fields only.
            if message.len() < patterns.len() {
                return fault(wrong_fields(message.len(), patterns.len()), span);
            }
            if self.fits(message, patterns)? {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The first message that matches, among all or only the oldest.
    pub fn matching(
        &mut self,
        at: usize,
        is_any: bool,
        patterns: &[Pattern],
        span: Span,
    ) -> Result<Option<usize>, Stop> {
        let messages = self.state.channels[at].messages.clone();
        let looked_at = if is_any { messages.len() } else { 1 };
        for (position, message) in messages.iter().take(looked_at).enumerate() {
            if self.matches(message, patterns, span)? {
                return Ok(Some(position));
            }
        }
        Ok(None)
    }

    /// Whether a message looks as it must.
    pub fn matches(
        &mut self,
        message: &[i64],
        patterns: &[Pattern],
        span: Span,
    ) -> Result<bool, Stop> {
        if message.len() != patterns.len() {
            return fault(wrong_fields(message.len(), patterns.len()), span);
        }
        self.fits(message, patterns)
    }

    /// Whether the fields of a message are what patterns ask for.
    fn fits(&mut self, message: &[i64], patterns: &[Pattern]) -> Result<bool, Stop> {
        for (field, pattern) in message.iter().zip(patterns) {
            if let Pattern::Equal(expected) = pattern
                && self.int(*expected)? != *field
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Receives the message at a position of a channel with a buffer.
    pub fn dequeue(
        &mut self,
        at: usize,
        position: usize,
        patterns: &[Pattern],
        take: Take,
        span: Span,
    ) -> Result<(), Stop> {
        let message = self.state.channels[at].messages[position].clone();
        if !take.is_copy {
            self.state.channels[at].messages.remove(position);
        }
        self.keep(&message, patterns, span)?;
        match take.is_copy {
            true => Ok(()),
            false => self.observe(Direction::Receive, at, &message, span),
        }
    }

    /// Stores the fields of a message where the patterns say.
    pub fn keep(&mut self, message: &[i64], patterns: &[Pattern], span: Span) -> Result<(), Stop> {
        for (field, pattern) in message.iter().zip(patterns) {
            if let Pattern::Store(place) = pattern {
                let target = self.resolve(*place)?;
                let ty = self.program.places[*place].ty;
                let value = stored(self.program, ty, Value::Int(*field));
                crate::exec::or_fault(value.and_then(|value| self.put(&target, value)), span)?;
            }
        }
        Ok(())
    }
}

fn wrong_fields(expected: usize, given: usize) -> Reason {
    Reason::Fields {
        expected: expected as u32,
        given: given as u32,
    }
}
