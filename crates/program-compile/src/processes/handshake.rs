//! Handing messages over, and who may run: what involves several processes at once.

use pins::GroupId;
use program::{Direction, Reason};

use super::engine::{Engine, Out, Trap, to_pins, unheard};
use super::layout::at;
use super::observer::Seeing;
use super::tables::{Act, Edge, Location};

impl Engine<'_> {
    /// Hands the message in `message` to each process that can take it; whether there is one.
    pub(super) fn hand_over(
        &mut self,
        sender: usize,
        edge: &Edge,
        channel: usize,
        out: &mut Out<'_>,
    ) -> bool {
        let only = self.only.take();
        // Further parts of a sequence belong to the group that it began with.
        let has_pairs = !edge.pairs.is_empty() && self.label.is_empty() && !self.is_probing;
        if self.tables.observer.is_none() && !self.has_receiver(sender, channel) {
            return false;
        }
        let before = self.between(sender);
        let mut wrong = match self.observe(Direction::Send, channel) {
            Ok(seeing) => seeing == Seeing::Wrong,
            Err(Trap) => {
                self.note_trap();
                return true;
            }
        };
        self.arrive(sender, edge);
        self.save(None);
        let message = std::mem::take(&mut self.message);
        let mut any = false;
        for receiver in 0..self.tables.layout.processes.len() {
            let Some(location) = self.location(receiver) else {
                continue;
            };
            if receiver == sender || !location.receives {
                continue;
            }
            let place = (receiver as u32, self.control(receiver));
            if only.is_some_and(|only| only != place) {
                continue;
            }
            if has_pairs {
                self.pair(edge, place);
            }
            match self.would_take(receiver, location, (channel, &message)) {
                Ok(true) => {}
                Ok(false) => continue,
                Err(Trap) => {
                    self.note_trap();
                    any = true;
                    continue;
                }
            }
            for level in &location.levels {
                let mut is_taken = false;
                for taking in level {
                    if self.take(receiver, taking, (channel, &message), out) {
                        (is_taken, any) = (true, true);
                        if std::mem::take(&mut wrong) {
                            self.note(&Reason::Observed, edge.span);
                        }
                        self.undo(edge, false);
                    }
                    if self.is_stopped || (any && self.is_probing) {
                        self.message = message;
                        self.forget();
                        return true;
                    }
                }
                if is_taken {
                    break;
                }
            }
            // The faults of a taker are those of its group.
            if has_pairs
                && only.is_none()
                && let Some(fault) = self.found.take()
            {
                (out.fault)(GroupId::new(self.group as usize), fault);
            }
        }
        if has_pairs && only.is_none() {
            self.group = edge.group;
        }
        self.message = message;
        self.forget();
        if !any {
            // Nobody is there: the sender has not moved.
            for (slot, word) in before.into_iter().flatten() {
                self.words[slot] = word;
            }
        }
        any
    }

    /// What follows belongs to the group of one taker.
    fn pair(&mut self, edge: &Edge, (pid, control): (u32, u32)) {
        let mut pairs = edge.pairs.iter();
        let pair = pairs.find(|pair| pair.pid == pid && pair.control == control);
        self.group = pair.map_or(edge.group, |pair| pair.group);
    }

    /// Whether somebody else is where something may be received from a channel.
    fn has_receiver(&self, sender: usize, channel: usize) -> bool {
        for receiver in 0..self.tables.layout.processes.len() {
            let Some(location) = self.location(receiver) else {
                continue;
            };
            if receiver == sender || !location.receives {
                continue;
            }
            let mut edges = location.levels.iter().flatten();
            let receives = edges.any(|edge| match &edge.act {
                Act::Receive(receive) => self.may_be_from(receive, channel),
                _ => false,
            });
            if receives {
                return true;
            }
        }
        false
    }

    /// The words that the first half of a handshake may change.
    fn between(&self, sender: usize) -> [Option<(usize, u32)>; 3] {
        let layout = &self.tables.layout;
        let control = Some(layout.processes[sender].control);
        [control, layout.last, layout.observer]
            .map(|slot| slot.map(|slot| (slot, self.words[slot])))
    }

    /// Whether a process has an edge that takes a message, and may take it.
    fn would_take(
        &mut self,
        pid: usize,
        location: &Location,
        (channel, message): (usize, &[i32]),
    ) -> Result<bool, Trap> {
        if !self.tables.has_conditions {
            return Ok(true);
        }
        for edge in location.levels.iter().flatten() {
            if let Act::Receive(receive) = &edge.act {
                self.offer(message);
                if self.accepts(receive, channel).unwrap_or(true) {
                    return self.may_take(pid, channel, message);
                }
            }
        }
        Ok(false)
    }

    /// Lets a process take an offered message by an edge, and follows what comes after; whether that was possible.
    fn take(
        &mut self,
        pid: usize,
        edge: &Edge,
        (channel, message): (usize, &[i32]),
        out: &mut Out<'_>,
    ) -> bool {
        let Act::Receive(receive) = &edge.act else {
            return false;
        };
        self.offer(message);
        let taken = self.accepts(receive, channel).and_then(|accepts| {
            if accepts {
                self.keep(receive)?;
                self.observe_done(Direction::Receive, channel, receive.span)?;
            }
            Ok(accepts)
        });
        match taken {
            Ok(false) => false,
            Ok(true) => {
                self.arrive(pid, edge);
                self.label.push(edge.group);
                self.go_on(pid, edge.then, out);
                self.label.pop();
                true
            }
            Err(Trap) => {
                self.note_trap();
                true
            }
        }
    }

    fn offer(&mut self, message: &[i32]) {
        self.message.clear();
        self.message.extend_from_slice(message);
    }

    /// Among those who could take a message only the most important may.
    fn may_take(&mut self, pid: usize, channel: usize, message: &[i32]) -> Result<bool, Trap> {
        if !self.is_provided(pid)? {
            return Ok(false);
        }
        if !self.tables.has_priorities {
            return Ok(true);
        }
        let mine = self.priority_of(pid as i32);
        for other in 0..self.tables.layout.processes.len() {
            if self.control(other) == 0 {
                break;
            }
            if self.priority_of(other as i32) <= mine || !self.is_provided(other)? {
                continue;
            }
            let Some(location) = self.location(other) else {
                continue;
            };
            for edge in location.levels.iter().flatten() {
                if let Act::Receive(receive) = &edge.act {
                    self.offer(message);
                    // A process that cannot say whether it takes the message counts as one that does.
                    if self.accepts(receive, channel).unwrap_or(true) {
                        return Ok(false);
                    }
                }
            }
        }
        Ok(true)
    }

    /// Whether a process may run: its condition holds and nobody who can run is more important.
    #[inline]
    pub(super) fn may_run(&mut self, pid: usize) -> Result<bool, Trap> {
        if !self.tables.has_conditions {
            return Ok(true);
        }
        if !self.is_provided(pid)? {
            return Ok(false);
        }
        if !self.tables.has_priorities {
            return Ok(true);
        }
        let mine = self.priority_of(pid as i32);
        for other in 0..self.tables.layout.processes.len() {
            if self.control(other) == 0 {
                break;
            }
            if self.priority_of(other as i32) > mine
                && self.is_provided(other)?
                && self.is_enabled_number(other as i32)?
            {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn is_provided(&mut self, pid: usize) -> Result<bool, Trap> {
        let tables = self.tables;
        let (kind, _) = at(self.control(pid));
        let body = tables.bodies[pid].get(kind).and_then(Option::as_ref);
        match body.and_then(|body| body.provided.as_ref()) {
            Some(condition) => Ok(condition(self)? != 0),
            None => Ok(true),
        }
    }

    pub(super) fn is_deterministic(&self, pid: usize) -> bool {
        let (kind, _) = at(self.control(pid));
        let body = self.tables.bodies[pid].get(kind).and_then(Option::as_ref);
        body.is_some_and(|body| body.is_deterministic)
    }

    /// Whether a process has an edge that could be possible; a send without buffer counts whoever is there.
    pub(super) fn is_enabled_number(&mut self, pid: i32) -> Result<bool, Trap> {
        let pid = usize::try_from(pid).ok();
        let pid = pid.filter(|pid| *pid < self.tables.layout.processes.len());
        let Some((pid, location)) = pid.and_then(|pid| Some((pid, self.location(pid)?))) else {
            return Ok(false);
        };
        for edge in location.levels.iter().flatten() {
            let is_possible = match &edge.act {
                Act::Else | Act::Do(_) => true,
                Act::Send(send) => {
                    let channel = self.channel(&send.channel)?;
                    channel.capacity == 0 || self.length(channel) < channel.capacity
                }
                _ => {
                    self.save(None);
                    let is_possible = self.probe(pid, edge, false);
                    self.restore(false);
                    self.forget();
                    is_possible
                }
            };
            if is_possible {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The priority of a process, 0 if it does not live.
    pub(super) fn priority_of(&self, pid: i32) -> i32 {
        let region = usize::try_from(pid).ok();
        let region = region.and_then(|pid| self.tables.layout.processes.get(pid));
        match region {
            Some(region) if self.words[region.control] != 0 => {
                region.priority.map_or(1, |slot| self.words[slot] as i32)
            }
            _ => 0,
        }
    }

    /// Changes the priority of a process that lives.
    pub(super) fn set_priority(&mut self, pid: i32, priority: u32) {
        let region = usize::try_from(pid).ok();
        let region = region.and_then(|pid| self.tables.layout.processes.get(pid));
        if let Some(region) = region
            && self.words[region.control] != 0
            && let Some(slot) = region.priority
        {
            self.words[slot] = priority;
        }
    }

    /// The number of the location of a process, 0 if it does not live.
    pub(super) fn location_number(&self, pid: i32) -> i32 {
        let pid = usize::try_from(pid).ok();
        let pid = pid.filter(|pid| *pid < self.tables.layout.processes.len());
        pid.map_or(0, |pid| {
            let (kind, location) = at(self.control(pid));
            let numbers = self.tables.numbers.get(kind);
            let number = numbers.and_then(|numbers| numbers.get(location));
            number.map_or(0, |number| *number as i32)
        })
    }

    /// Whether some process is at a location marked as progress.
    pub(super) fn has_progress(&self) -> bool {
        let processes = &self.tables.layout.processes;
        let mut living = processes.iter().map(|region| self.words[region.control]);
        living.any(|control| {
            let (kind, location) = at(control);
            let marks = self.tables.progress.get(kind);
            marks.and_then(|marks| marks.get(location)) == Some(&true)
        })
    }

    /// Whether nothing can happen that does not wait for this.
    pub(super) fn is_timeout(&mut self) -> bool {
        match self.timeout {
            Some(timeout) => timeout,
            None => !self.can_anybody(),
        }
    }

    /// Whether somebody can make a step without waiting for a timeout.
    pub(super) fn can_anybody(&mut self) -> bool {
        self.save(None);
        let timeout = self.timeout.replace(false);
        let was = std::mem::replace(&mut self.is_probing, true);
        let mut any = false;
        for pid in 0..self.tables.layout.processes.len() {
            if self.control(pid) == 0 {
                break;
            }
            if unheard(|out| self.process(pid, false, out)) {
                any = true;
                break;
            }
        }
        self.is_probing = was;
        self.timeout = timeout;
        self.restore(false);
        self.forget();
        any
    }

    /// The fault that code ended with, as engines above know it.
    pub(super) fn pins_fault(&mut self) -> Option<pins::Fault> {
        let fault = self.take_fault();
        fault.map(|fault| to_pins(&fault))
    }
}
