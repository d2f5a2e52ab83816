//! What a worker does with the parcels of others: states are stored, questions are answered, the rest is kept for whoever waits.
//!
//! Invariant: a message that makes no sense means that its sender is lost: nothing is believed of it.

use super::bytes::{read_state, write_state};
use super::delivery::{NOBODY, Origin};
use super::edge::{Batch, Words};
use super::messages::{Kind, Told, read};
use super::node::{Node, START};
use super::por::Proviso;
use super::port::Parcel;
use crate::explicit::limits::Stop;

/// After so many bytes a worker tells the sender that it looked at them.
const THANKS: u64 = 1 << 20;

impl Node<'_> {
    /// Does what a parcel asks for; whoever sent one that makes no sense is lost.
    pub(super) fn take(&mut self, parcel: Parcel) {
        let from = parcel.from as usize;
        let known = from < self.inlets.len();
        let answer = match Kind::of(&parcel.bytes.0) {
            Some((kind, _)) if known => self.understand(kind, from, parcel),
            _ => Err("a message is of no kind".to_string()),
        };
        if let Err(why) = answer {
            self.port.loss().report(self.port.process(from), why);
        }
    }

    fn understand(&mut self, kind: Kind, from: usize, parcel: Parcel) -> Result<(), String> {
        let body = &parcel.bytes.0[1..];
        match kind {
            Kind::States => {
                let len = parcel.bytes.0.len() as u64;
                self.take_states(from, body)?;
                self.thank(from, len);
            }
            Kind::Taken => {
                let taken = read::<u64>(body)?;
                self.flow[from].1 = taken.min(self.flow[from].0);
            }
            Kind::Signal => {
                let stop = Stop::from_code(read::<u8>(body)?).ok_or("a signal has no meaning")?;
                self.run.signal.raise(stop);
                self.said = self.run.signal.get();
            }
            Kind::Tick => self.ticks[from] = read(body)?,
            Kind::Report => self.reports[from] = Some(read(body)?),
            Kind::Answers => {
                let answers: Vec<u8> = read(body)?;
                if let Some(proviso) = &mut self.proviso {
                    proviso.answered(from, &answers)?;
                }
            }
            Kind::Share => self.shares.push((from, read(body)?)),
            Kind::Ask => {
                let told = self.state_of(read::<u32>(body)?)?;
                self.port.send(from, Kind::Told.parcel(&told));
            }
            Kind::Told => self.told = Some(read(body)?),
            Kind::Over => self.is_over = true,
            Kind::Start => self.take_initial(body)?,
            Kind::Owners => self.delivery.routing.heed(read(body)?)?,
            Kind::Written => self.written[from] = Some(read(body)?),
            Kind::Found => self.found.findings.push(read(body)?),
            Kind::Saved | Kind::Placed | Kind::Seek | Kind::Sought => {
                self.saved.push((kind, parcel));
            }
        }
        Ok(())
    }

    /// Stores the states of a batch.
    fn take_states(&mut self, from: usize, bytes: &[u8]) -> Result<(), String> {
        let answers = self.proviso.as_ref().is_some_and(Proviso::asks);
        let inlet = &mut self.inlets[from];
        let mut batch = Batch::new(bytes, inlet);
        let mut has_room = true;
        loop {
            let words = Words {
                system: &*self.run.system,
                numbers: self.delivery.routing.numbers(),
            };
            let Some(source) = batch.next(inlet, words)? else {
                break;
            };
            let origin = Origin {
                link: (from as u32, source.number),
                is_clean: source.is_clean,
                asker: match source.asks && answers {
                    true => from as u32,
                    false => NOBODY,
                },
            };
            let slots = (&*inlet.moved, &*inlet.changed);
            has_room &= self.delivery.arrive(&inlet.state, slots, origin);
        }
        has_room &= self.delivery.insert();
        if !has_room {
            self.lose_states();
        }
        self.check_fresh();
        Ok(())
    }

    /// Stores initial states with their set-ups.
    fn take_initial(&mut self, mut bytes: &[u8]) -> Result<(), String> {
        while !bytes.is_empty() {
            let setup = super::bytes::get(&mut bytes)?;
            let setup = u32::try_from(setup).map_err(|_| "a set-up has no number")?;
            let state = read_state(&*self.run.system, &mut bytes)?;
            self.place(&state, (START, setup));
        }
        self.check_fresh();
        Ok(())
    }

    fn thank(&mut self, from: usize, bytes: u64) {
        let debt = &mut self.debt[from];
        debt.0 += bytes;
        if debt.0 - debt.1 >= THANKS {
            debt.1 = debt.0;
            let taken = Kind::Taken.parcel(&debt.0);
            self.port.send(from, taken);
        }
    }

    /// A state of this worker, for somebody who asks.
    pub fn state_of(&mut self, number: u32) -> Result<Told, String> {
        if number as usize >= self.run.store.len() {
            return Err("a state that is not there was asked for".to_string());
        }
        let mut vector = vec![0; self.state.len()];
        self.delivery.session.load(number, &mut vector);
        let mut bytes = Vec::new();
        let written = write_state(&*self.run.system, &vector, &mut bytes);
        Ok(Told {
            link: self.run.links.get(number).unwrap_or((START, 0)),
            state: written.map(|()| bytes),
        })
    }
}
