//! Sequences without a state in between: a process that goes on alone (`atomic`, behind a handshake), or by its first possible edges
//! (`d_step`), until others may move.
//!
//! Technique: depth first, with a copy of the words where there is more than one way; straight pieces need none.
//! Invariant: a sequence that comes back to where it was is a fault, never an endless loop.

use pins::Halt;
use program::{Reason, SEQUENCE_LIMIT, Then};

use super::super::tables::Act;
use super::{Engine, Out, Outcome, Saved, Trap};

impl Engine<'_> {
    /// Keeps a copy of the words; the position on the stack.
    pub fn save(&mut self, who: Option<usize>) -> usize {
        let depth = self.depth;
        if self.saved.len() == depth {
            self.saved.push(Saved::default());
        }
        let saved = &mut self.saved[depth];
        saved.words.clear();
        saved.words.extend_from_slice(&self.words);
        saved.who = who;
        saved.control = who.map_or(0, |pid| {
            self.words[self.tables.layout.processes[pid].control]
        });
        self.depth += 1;
        depth
    }

    /// Forgets the last copy.
    pub fn forget(&mut self) {
        self.depth -= 1;
    }

    /// A process that goes on alone while it can.
    pub(super) fn sequence(&mut self, pid: usize, out: &mut Out<'_>) {
        if self.halt.as_ref().is_some_and(Halt::is_set) {
            self.found = Some(Halt::fault());
            self.is_stopped = true;
            return;
        }
        let (length, straight) = (self.label.len(), self.straight);
        let timeout = self.timeout.replace(false);
        if self.straight_on(pid, out) {
            self.branch(pid, out);
        }
        self.timeout = timeout;
        self.label.truncate(length);
        self.straight = straight;
    }

    /// Goes on where there is one way and no way back, so that nothing has to be kept; whether the sequence is not over.
    pub(super) fn straight_on(&mut self, pid: usize, out: &mut Out<'_>) -> bool {
        while let Some(location) = self.location(pid)
            && location.is_straight
            && !self.tables.has_conditions
            && self.only.is_none()
            && self.depth + self.straight < SEQUENCE_LIMIT
        {
            let edge = &location.levels[0][0];
            if matches!(edge.act, Act::Creating(_)) {
                return true;
            }
            let outcome = self.act(pid, edge, false);
            if !matches!(outcome, Ok(Outcome::Impossible)) {
                self.label.push(edge.group);
            }
            match outcome {
                Ok(Outcome::Impossible) => self.emit(out),
                Ok(Outcome::Done) => {
                    self.arrive(pid, edge);
                    self.straight += 1;
                    match edge.then {
                        Then::Same => continue,
                        Then::Anybody => self.emit(out),
                        Then::First => self.d_step(pid, out),
                    }
                }
                Ok(Outcome::Offer(channel)) => {
                    self.straight += 1;
                    if !self.hand_over(pid, edge, channel, out) {
                        self.label.pop();
                        self.emit(out);
                    }
                }
                Err(Trap) => self.note_trap(),
            }
            return false;
        }
        true
    }

    /// Goes on by every way from here.
    pub(super) fn branch(&mut self, pid: usize, out: &mut Out<'_>) {
        let depth = self.save(Some(pid));
        let (before, here) = self.saved.split_at(depth);
        let was_here = |saved: &Saved| {
            saved.control == here[0].control
                && saved.who == Some(pid)
                && saved.words == here[0].words
        };
        if depth + self.straight >= SEQUENCE_LIMIT || before.iter().any(was_here) {
            self.forget();
            if let Some(span) = self.span {
                self.note(&Reason::EndlessSequence, span);
            }
            return;
        }
        let is_possible = self.process(pid, false, out);
        self.forget();
        if !is_possible {
            self.emit(out);
        }
    }

    /// A process that goes on alone by its first possible edge.
    pub(super) fn d_step(&mut self, pid: usize, out: &mut Out<'_>) {
        let length = self.label.len();
        let mut rounds = 0;
        let then = loop {
            rounds += 1;
            let is_too_long = rounds >= self.tables.loop_limit;
            match self.first(pid) {
                Ok(Some(_)) if is_too_long => {
                    self.note_here(&Reason::EndlessLoop);
                    break None;
                }
                Ok(Some(Then::First)) => {}
                Ok(Some(then)) => break Some(then),
                Ok(None) => {
                    self.note_here(&Reason::Blocked);
                    break None;
                }
                Err(Trap) => {
                    self.note_trap();
                    break None;
                }
            }
        };
        if let Some(then) = then {
            self.go_on(pid, then, out);
        }
        self.label.truncate(length);
    }

    /// Takes the first possible edge of a process; who goes on.
    pub(super) fn first(&mut self, pid: usize) -> Result<Option<Then>, Trap> {
        let Some(location) = self.location(pid) else {
            return Ok(None);
        };
        for edge in location.levels.iter().flatten() {
            let creates = matches!(edge.act, Act::Creating(_));
            if creates {
                self.save(None);
            }
            let outcome = self.act(pid, edge, false)?;
            if creates {
                if outcome == Outcome::Impossible {
                    self.undo(edge, false);
                }
                self.forget();
            }
            if outcome == Outcome::Done {
                self.arrive(pid, edge);
                self.label.push(edge.group);
                return Ok(Some(edge.then));
            }
        }
        Ok(None)
    }
}
