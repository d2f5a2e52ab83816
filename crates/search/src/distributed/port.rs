//! Where a worker sends and receives parcels, and learns that nothing more can arrive: timely's exchange.
//!
//! The dataflow is an input and an exchange by addressee. Operators must own what they use, and a search borrows its
//! system; so the loop from received states to sent ones is closed outside the dataflow, between two steps of it, and time is
//! counted in rounds: whoever ends its round sends a mark to everybody, behind its last parcel. Whoever has the marks of all has
//! all parcels of the round: one way, where progress tracking takes two. The end of the whole run is told by progress tracking.
//! Invariant: parcels between two workers keep their order.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;
use std::sync::Arc;
use std::time::{Duration, Instant};

use serde::de::{Deserializer, SeqAccess, Visitor};
use serde::{Deserialize, Serialize, Serializer};
use timely::communication::Push;
use timely::communication::allocator::ProcessBuilder;
use timely::communication::allocator::zero_copy::allocator::TcpBuilder;
use timely::communication::allocator::zero_copy::initialize::{
    CommsGuard, initialize_networking_from_sockets,
};
use timely::communication::{Allocator, Hooks};
use timely::dataflow::InputHandleVec;
use timely::dataflow::channels::Message;
use timely::dataflow::channels::pact::DistributorPact;
use timely::dataflow::channels::pushers::exchange::Distributor;
use timely::dataflow::operators::Input;
use timely::dataflow::operators::generic::operator::Operator;
use timely::worker::Worker;

use super::loss::Loss;
use super::team::Team;
use super::wire::Heart;
use crate::explicit::Refused;

/// What travels: bytes from one worker to another.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Parcel {
    /// To whom.
    pub to: u32,
    /// From whom.
    pub from: u32,
    /// What.
    pub bytes: Bytes,
}

/// Bytes that are written and read as a whole, not one by one.
#[derive(Clone, Debug, Default)]
pub struct Bytes(pub Vec<u8>);

impl Serialize for Bytes {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_bytes(&self.0)
    }
}

impl<'d> Deserialize<'d> for Bytes {
    fn deserialize<D: Deserializer<'d>>(deserializer: D) -> Result<Bytes, D::Error> {
        struct Whole;
        impl<'d> Visitor<'d> for Whole {
            type Value = Bytes;

            fn expecting(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str("bytes")
            }

            fn visit_bytes<E>(self, bytes: &[u8]) -> Result<Bytes, E> {
                Ok(Bytes(bytes.to_vec()))
            }

            fn visit_byte_buf<E>(self, bytes: Vec<u8>) -> Result<Bytes, E> {
                Ok(Bytes(bytes))
            }

            fn visit_seq<A: SeqAccess<'d>>(self, mut items: A) -> Result<Bytes, A::Error> {
                let mut bytes = Vec::new();
                while let Some(byte) = items.next_element()? {
                    bytes.push(byte);
                }
                Ok(Bytes(bytes))
            }
        }
        deserializer.deserialize_byte_buf(Whole)
    }
}

/// Brings each parcel to its addressee at once: nobody waits until many have come together, since a parcel is a batch.
struct AtOnce;

impl Distributor<Vec<Parcel>> for AtOnce {
    fn partition<T: Clone, P: Push<Message<T, Vec<Parcel>>>>(
        &mut self,
        parcels: &mut Vec<Parcel>,
        time: &T,
        pushers: &mut [P],
    ) {
        for parcel in parcels.drain(..) {
            let to = parcel.to as usize;
            Message::push_at(&mut vec![parcel], time.clone(), &mut pushers[to]);
        }
    }

    fn flush<T: Clone, P: Push<Message<T, Vec<Parcel>>>>(&mut self, _: &T, _: &mut [P]) {}
}

/// What ends a round: no message is empty.
const MARK: [u8; 0] = [];

/// The means of the workers of one process to reach all others.
pub struct Exchanges {
    builders: Vec<Builder>,
    /// What was noticed about other processes.
    pub loss: Arc<Loss>,
    threads: usize,
    guards: Option<(CommsGuard, Heart)>,
}

impl Exchanges {
    /// For `threads` workers in each process of the team.
    pub fn new(team: &Team, threads: usize) -> Result<Exchanges, Refused> {
        let hooks = Hooks::default();
        let loss = Arc::new(Loss::new(team.me, team.processes()));
        let local = ProcessBuilder::new_typed_vector(threads, hooks.refill.clone(), None);
        if team.processes() == 1 {
            return Ok(Exchanges {
                builders: local.into_iter().map(Builder::Local).collect(),
                loss,
                threads,
                guards: None,
            });
        }
        let targets = (team.me * threads, (team.me + 1) * threads);
        let wires = team.wires.iter().enumerate();
        let streams = wires.clone().map(|(process, wire)| {
            let wire = wire.as_ref()?;
            Some(wire.stream(process, targets, loss.clone()))
        });
        let (builders, guard) =
            initialize_networking_from_sockets(local, streams.collect(), team.me, threads, hooks)
                .map_err(|error| Refused(format!("the connections cannot be used: {error}")))?;
        let wires = wires.filter_map(|(process, wire)| Some((process, wire.clone()?)));
        let heart = Heart::new(wires.collect(), loss.clone());
        Ok(Exchanges {
            builders: builders.into_iter().map(Builder::Remote).collect(),
            loss,
            threads,
            guards: Some((guard, heart)),
        })
    }

    /// What each worker of this process needs to make its port.
    pub fn take(&mut self) -> Vec<PortBuilder> {
        let builders = std::mem::take(&mut self.builders).into_iter();
        let builder = |builder| PortBuilder {
            builder,
            loss: self.loss.clone(),
            threads: self.threads,
        };
        builders.map(builder).collect()
    }

    /// Waits until everything was sent; all ports must be gone.
    pub fn close(mut self) {
        if let Some((guard, heart)) = self.guards.take() {
            drop(guard);
            drop(heart);
        }
    }
}

impl Drop for Exchanges {
    fn drop(&mut self) {
        if let Some((guard, _)) = self.guards.take() {
            // A worker panicked. Timely's threads may wait for it for ever; they end with the process.
            std::mem::forget(guard);
        }
    }
}

enum Builder {
    Local(ProcessBuilder),
    Remote(TcpBuilder),
}

/// A port that was not moved to its thread yet.
pub struct PortBuilder {
    builder: Builder,
    loss: Arc<Loss>,
    threads: usize,
}

/// One worker's end of all exchanges.
pub struct Port {
    worker: Worker,
    input: InputHandleVec<u64, Parcel>,
    inbox: Rc<RefCell<VecDeque<Parcel>>>,
    /// Parcels of the next round, of which the first ones are those of the present one, so many.
    later: VecDeque<Parcel>,
    due: usize,
    round: u64,
    /// For each worker how many rounds it ended.
    ended: Vec<u64>,
    loss: Arc<Loss>,
    threads: usize,
}

impl PortBuilder {
    /// The port, in the thread that will use it.
    pub fn build(self) -> Port {
        let allocator = match self.builder {
            Builder::Local(builder) => Allocator::Process(builder.build()),
            Builder::Remote(builder) => Allocator::Tcp(builder.build()),
        };
        // Without a clock a worker of timely's never sleeps.
        let now = Some(Instant::now());
        let mut worker = Worker::new(timely::WorkerConfig::default(), allocator, now);
        let inbox: Rc<RefCell<VecDeque<Parcel>>> = Rc::default();
        let arriving = inbox.clone();
        let input = worker.dataflow::<u64, _, _>(|scope| {
            let (input, parcels) = scope.new_input::<Vec<Parcel>>();
            let addressee = DistributorPact(|_| AtOnce);
            parcels.sink(addressee, "receive", move |(input, _)| {
                let mut inbox = arriving.borrow_mut();
                input.for_each(|_, parcels| inbox.extend(parcels.drain(..)));
            });
            input
        });
        Port {
            ended: vec![0; worker.peers()],
            worker,
            input,
            inbox,
            later: VecDeque::new(),
            due: 0,
            round: 0,
            loss: self.loss,
            threads: self.threads,
        }
    }
}

impl Port {
    /// The number of this worker.
    pub fn me(&self) -> usize {
        self.worker.index()
    }

    /// The number of workers.
    pub fn peers(&self) -> usize {
        self.worker.peers()
    }

    /// Whether a worker is in this process, and knows the same numbers of values.
    pub fn is_near(&self, worker: usize) -> bool {
        worker / self.threads == self.me() / self.threads
    }

    /// The process of a worker.
    pub fn process(&self, worker: usize) -> usize {
        worker / self.threads
    }

    /// Whether some process is lost: then nothing can be relied on to arrive.
    pub fn is_broken(&self) -> bool {
        self.loss.is_lost()
    }

    /// What is known about lost processes.
    pub fn loss(&self) -> &Arc<Loss> {
        &self.loss
    }

    /// Sends a parcel in the present round.
    pub fn send(&mut self, to: usize, bytes: Vec<u8>) {
        let parcel = Parcel {
            to: to as u32,
            from: self.me() as u32,
            bytes: Bytes(bytes),
        };
        self.input.send_batch(&mut vec![parcel]);
    }

    /// Sends the same to all others.
    pub fn send_others(&mut self, bytes: &[u8]) {
        let me = self.me();
        for to in (0..self.peers()).filter(|to| *to != me) {
            self.send(to, bytes.to_vec());
        }
    }

    /// Moves parcels; waits for at most so long when nothing happens.
    pub fn step(&mut self, patience: Duration) {
        self.worker.step();
        if !patience.is_zero() && self.inbox.borrow().is_empty() {
            self.worker.step_or_park(Some(patience));
            self.worker.step();
        }
    }

    /// The next parcel of the present round. Parcels of the round after it wait, except `urgent` ones.
    pub fn receive(&mut self, urgent: impl Fn(&[u8]) -> bool) -> Option<Parcel> {
        if self.due > 0 {
            self.due -= 1;
            return self.later.pop_front();
        }
        loop {
            let parcel = self.inbox.borrow_mut().pop_front()?;
            let from = parcel.from as usize;
            let Some(ended) = self.ended.get_mut(from) else {
                // Whoever takes it tells that nobody is called so.
                return Some(parcel);
            };
            if parcel.bytes.0 == MARK {
                *ended += 1;
                if *ended > self.round + 2 {
                    let why = "it ended a round that did not begin".to_string();
                    self.loss.report(self.process(from), why);
                }
            } else if *ended <= self.round || urgent(&parcel.bytes.0) {
                return Some(parcel);
            } else {
                self.later.push_back(parcel);
            }
        }
    }

    /// This worker sends nothing more in this round.
    pub fn end_round(&mut self) {
        for to in 0..self.peers() {
            self.send(to, MARK.to_vec());
        }
    }

    /// Whether all workers ended the round: all its parcels were then given out.
    pub fn is_round_over(&self) -> bool {
        self.ended.iter().all(|ended| *ended > self.round)
    }

    /// Begins the next round.
    pub fn begin_round(&mut self) {
        debug_assert!(self.is_round_over() && self.due == 0);
        self.round += 1;
        self.due = self.later.len();
    }

    /// Nothing more will be sent: waits until that is known everywhere.
    pub fn close(mut self) {
        self.input.close();
        while self.worker.has_dataflows() && !self.loss.is_lost() {
            self.worker.step_or_park(Some(Duration::from_millis(20)));
        }
    }
}
