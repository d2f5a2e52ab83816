//! A connection between two processes: frames with a keyed hash, so that only what the peer sent is ever looked at.
//!
//! A frame is its length, 16 bytes of a hash keyed for this connection and direction over its number and its bytes, and the
//! bytes. An empty frame is a pulse: it says that the peer lives. Frames are not encrypted.
//! Before the search a wire carries messages; during it, it is a stream for timely, which panics at whatever is unexpected. So
//! a stream hands out whole timely messages with a sound header only, and when the peer is lost it makes up the clean
//! end that timely expects and says so in [`Loss`]. After the search it carries messages again, and maybe another search.
//! Invariant: no byte is looked at before its frame was authenticated; nothing from the network panics.

use std::io::{self, BufReader, Read, Write};
use std::net::{Shutdown, TcpStream};
use std::sync::atomic::Ordering::Relaxed;
use std::sync::atomic::{AtomicBool, AtomicU64};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use timely::communication::allocator::zero_copy::stream::Stream;
use timely::communication::networking::MessageHeader;

use super::loss::{Loss, Parting};

/// Between two pulses.
const PULSE: Duration = Duration::from_secs(1);
/// A peer that is silent for so long is lost.
const SILENCE: Duration = Duration::from_secs(15);
/// The most bytes of a frame.
const FRAME: usize = 1 << 20;
/// So many bytes are read at once: some frames, mostly.
const READ: usize = 1 << 16;
/// The most bytes of a message before the search: a model with its files.
const MESSAGE: u64 = 1 << 32;
/// The most bytes of one message of timely's.
const TIMELY: usize = 1 << 30;
const TAG: usize = 16;
/// Marks the length of a frame that says whom its sender lost; the hash is over the mark too.
const PARTING: u32 = 1 << 31;
/// How long somebody may take to hear it.
const MOMENT: Duration = Duration::from_millis(200);
const HEADER: usize = 48;

/// The keys of a connection, seen from one end.
pub struct Keys {
    /// For what is sent.
    pub ours: [u8; 32],
    /// For what is received.
    pub theirs: [u8; 32],
}

/// A connection whose other end is known to have the secret.
#[derive(Clone)]
pub struct Wire(Arc<Ends>);

struct Ends {
    outgoing: Mutex<Outgoing>,
    incoming: Mutex<Incoming>,
    /// To end it from outside, whoever reads or writes.
    socket: TcpStream,
    sent: AtomicU64,
}

struct Outgoing {
    socket: TcpStream,
    key: [u8; 32],
    count: u64,
    frame: Vec<u8>,
}

struct Incoming {
    socket: BufReader<TcpStream>,
    key: [u8; 32],
    count: u64,
    heard: Instant,
    /// Authenticated bytes.
    bytes: Vec<u8>,
    /// So many of them were handed out.
    taken: usize,
    /// Up to here they are whole messages.
    whole: usize,
    end: End,
}

/// How far a stream is from its end.
#[derive(Clone, Copy, PartialEq, Eq)]
enum End {
    /// Not there.
    Open,
    /// The peer said that it was done.
    Done,
    /// The peer is lost, and the message that says "done" is to be made up.
    Lost,
}

impl Wire {
    /// A connection with its keys.
    pub fn new(socket: TcpStream, keys: Keys) -> io::Result<Wire> {
        socket.set_nodelay(true)?;
        socket.set_read_timeout(Some(PULSE))?;
        socket.set_write_timeout(Some(SILENCE))?;
        Ok(Wire(Arc::new(Ends {
            outgoing: Mutex::new(Outgoing {
                socket: socket.try_clone()?,
                key: keys.ours,
                count: 0,
                frame: Vec::new(),
            }),
            incoming: Mutex::new(Incoming {
                socket: BufReader::with_capacity(READ, socket.try_clone()?),
                key: keys.theirs,
                count: 0,
                heard: Instant::now(),
                bytes: Vec::new(),
                taken: 0,
                whole: 0,
                end: End::Open,
            }),
            socket,
            sent: AtomicU64::new(0),
        })))
    }

    /// Sends a message.
    pub fn send(&self, message: &[u8]) -> io::Result<()> {
        let mut outgoing = lock(&self.0.outgoing);
        outgoing.put(&(message.len() as u64).to_le_bytes())?;
        let mut frames = message.chunks(FRAME);
        frames.try_for_each(|part| outgoing.put(part))
    }

    /// Waits for a message for at most so long after the last sign of life.
    pub fn receive(&self, patience: Duration) -> io::Result<Vec<u8>> {
        let mut incoming = lock(&self.0.incoming);
        incoming.heard = Instant::now();
        let mut head = [0; 8];
        incoming.exactly(&mut head, patience)?;
        let len = u64::from_le_bytes(head);
        if len > MESSAGE {
            return Err(invalid("the message is too long"));
        }
        let mut message = Vec::new();
        while (message.len() as u64) < len {
            let more = (len - message.len() as u64).min(FRAME as u64) as usize;
            let from = message.len();
            message.resize(from + more, 0);
            incoming.exactly(&mut message[from..], patience)?;
        }
        Ok(message)
    }

    /// Says that this end lives.
    pub fn pulse(&self) -> io::Result<()> {
        lock(&self.0.outgoing).put(&[])
    }

    /// Whether the other end hung up, before anything was received that was not looked at.
    pub fn is_closed(&self) -> bool {
        let socket = &self.0.socket;
        let peeked = socket
            .set_nonblocking(true)
            .and_then(|()| socket.peek(&mut [0]));
        // What cannot be asked any more is not there.
        let is_usable = socket.set_nonblocking(false).is_ok();
        match peeked {
            Ok(bytes) => bytes == 0 || !is_usable,
            Err(error) => !is_timeout(&error) || !is_usable,
        }
    }

    /// Says whom this process lost, before it hangs up; whoever does not listen learns less.
    pub fn part(&self, parting: &Parting) {
        // Whoever writes just now may wait for long.
        if let Ok(mut outgoing) = self.0.outgoing.try_lock() {
            let set = outgoing.socket.set_write_timeout(Some(MOMENT));
            let _ = set.and_then(|()| outgoing.frame(PARTING, &parting.write()));
        }
    }

    /// Ends it, whoever waits for it.
    pub fn hang_up(&self) {
        // It may have ended already.
        let _ = self.0.socket.shutdown(Shutdown::Both);
    }

    /// Bytes sent so far, frames included.
    pub fn sent(&self) -> u64 {
        self.0.sent.load(Relaxed)
    }

    /// The stream to process `peer` for timely; its workers here are `targets`.
    pub fn stream(&self, peer: usize, targets: (usize, usize), loss: Arc<Loss>) -> AuthenticStream {
        lock(&self.0.incoming).end = End::Open;
        AuthenticStream {
            wire: self.clone(),
            peer,
            targets,
            loss,
        }
    }
}

/// Says every second on all wires that this process lives, until it is dropped.
pub struct Heart {
    is_over: Arc<AtomicBool>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Heart {
    /// Begins.
    pub fn new(wires: Vec<(usize, Wire)>, loss: Arc<Loss>) -> Heart {
        let is_over = Arc::new(AtomicBool::new(false));
        let over = is_over.clone();
        let beat = move || {
            while !over.load(Relaxed) {
                for (peer, wire) in &wires {
                    if let Err(error) = wire.pulse() {
                        loss.report(*peer, error.to_string());
                    }
                }
                std::thread::park_timeout(PULSE);
            }
        };
        Heart {
            is_over,
            thread: Some(std::thread::spawn(beat)),
        }
    }
}

impl Drop for Heart {
    fn drop(&mut self) {
        self.is_over.store(true, Relaxed);
        if let Some(thread) = self.thread.take() {
            thread.thread().unpark();
            // It does not panic, and if it did, nothing depends on it.
            let _ = thread.join();
        }
    }
}

/// What timely reads from and writes to.
pub struct AuthenticStream {
    wire: Wire,
    peer: usize,
    targets: (usize, usize),
    loss: Arc<Loss>,
}

impl Write for AuthenticStream {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let len = bytes.len().min(FRAME);
        let written = lock(&self.wire.0.outgoing).put(&bytes[..len]);
        self.wire.0.sent.fetch_add((len + TAG + 4) as u64, Relaxed);
        if let Err(error) = written {
            self.loss.report(self.peer, error.to_string());
        }
        // What goes to a lost process goes nowhere; the search ends as soon as it notices.
        Ok(len)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Read for AuthenticStream {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let mut incoming = lock(&self.wire.0.incoming);
        loop {
            if incoming.taken < incoming.whole {
                return Ok(incoming.hand_out(out));
            }
            match incoming.end {
                End::Done => return Ok(0),
                End::Lost => incoming.make_up_end(),
                End::Open => {
                    let more = incoming.more(SILENCE);
                    let sound = more.and_then(|()| incoming.find_whole(self.targets));
                    if let Err(error) = sound {
                        let (process, why) = self.blamed(error);
                        self.loss.report(process, why);
                        incoming.end = End::Lost;
                    }
                }
            }
        }
    }
}

impl AuthenticStream {
    /// Who is lost when this stream ended so: the peer, or whom it lost itself.
    fn blamed(&self, error: io::Error) -> (usize, String) {
        match error.downcast::<Parting>() {
            Ok(Parting { process, why }) if self.loss.is_other(process) => {
                (process, format!("{why}, as process {} noticed", self.peer))
            }
            Ok(parting) => (self.peer, parting.to_string()),
            Err(error) => (self.peer, error.to_string()),
        }
    }
}

impl Stream for AuthenticStream {
    fn try_clone(&self) -> io::Result<Self> {
        Ok(AuthenticStream {
            wire: self.wire.clone(),
            peer: self.peer,
            targets: self.targets,
            loss: self.loss.clone(),
        })
    }

    fn set_nonblocking(&self, _: bool) -> io::Result<()> {
        Ok(())
    }

    fn shutdown(&self, _: Shutdown) -> io::Result<()> {
        // The search is over, not the connection: others may follow.
        Ok(())
    }
}

impl Outgoing {
    fn put(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.frame(0, bytes)
    }

    fn frame(&mut self, mark: u32, bytes: &[u8]) -> io::Result<()> {
        let tag = tag(&self.key, self.count | u64::from(mark) << 32, bytes);
        self.count += 1;
        self.frame.clear();
        self.frame
            .extend_from_slice(&(bytes.len() as u32 | mark).to_le_bytes());
        self.frame.extend_from_slice(&tag);
        self.frame.extend_from_slice(bytes);
        self.socket.write_all(&self.frame)
    }
}

impl Incoming {
    /// Waits for a frame that is no pulse and adds its bytes.
    fn more(&mut self, patience: Duration) -> io::Result<()> {
        loop {
            let mut head = [0; 4 + TAG];
            self.fill(&mut head, patience)?;
            let [a, b, c, d, ..] = head;
            let len = u32::from_le_bytes([a, b, c, d]);
            let (mark, len) = (len & PARTING, (len & !PARTING) as usize);
            if len > FRAME {
                return Err(invalid("the frame is too long"));
            }
            let from = self.bytes.len();
            self.bytes.resize(from + len, 0);
            let mut bytes = std::mem::take(&mut self.bytes);
            let filled = self.fill(&mut bytes[from..], patience);
            self.bytes = bytes;
            filled?;
            let count = self.count | u64::from(mark) << 32;
            let expected = tag(&self.key, count, &self.bytes[from..]);
            if expected != head[4..] {
                self.bytes.truncate(from);
                return Err(invalid("the frame is not authentic"));
            }
            self.count += 1;
            if mark != 0 {
                let parting = Parting::read(&self.bytes[from..]);
                self.bytes.truncate(from);
                return Err(parting.map_or_else(|| invalid("it left"), io::Error::other));
            }
            if len > 0 {
                return Ok(());
            }
        }
    }

    fn fill(&mut self, out: &mut [u8], patience: Duration) -> io::Result<()> {
        let mut at = 0;
        while at < out.len() {
            match self.socket.read(&mut out[at..]) {
                Ok(0) => return Err(io::Error::new(io::ErrorKind::UnexpectedEof, "it hung up")),
                Ok(read) => {
                    at += read;
                    self.heard = Instant::now();
                }
                Err(error) if is_timeout(&error) => {
                    if self.heard.elapsed() >= patience {
                        let seconds = patience.as_secs();
                        let silent = format!("it was silent for {seconds} seconds");
                        return Err(io::Error::new(io::ErrorKind::TimedOut, silent));
                    }
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Reads from the bytes of frames, wherever these begin and end.
    fn exactly(&mut self, out: &mut [u8], patience: Duration) -> io::Result<()> {
        let mut at = 0;
        while at < out.len() {
            if self.taken == self.bytes.len() {
                self.more(patience)?;
            }
            self.whole = self.bytes.len();
            at += self.hand_out(&mut out[at..]);
        }
        Ok(())
    }

    fn hand_out(&mut self, out: &mut [u8]) -> usize {
        let len = out.len().min(self.whole - self.taken);
        out[..len].copy_from_slice(&self.bytes[self.taken..self.taken + len]);
        self.taken += len;
        if self.taken == self.whole {
            self.bytes.drain(..self.taken);
            (self.taken, self.whole) = (0, 0);
        }
        len
    }

    /// Finds out how far the bytes are whole messages of timely's, and looks at their headers.
    fn find_whole(&mut self, targets: (usize, usize)) -> io::Result<()> {
        while self.bytes.len() - self.whole >= HEADER {
            let mut head = [0u64; 6];
            for (field, bytes) in head
                .iter_mut()
                .zip(self.bytes[self.whole..].as_chunks::<8>().0)
            {
                *field = u64::from_be_bytes(*bytes);
            }
            let [_, _, from, to, len, _] =
                head.map(|field| usize::try_from(field).unwrap_or(usize::MAX));
            if self.end == End::Done || len > TIMELY {
                return Err(invalid("it sent what is no message"));
            }
            if len == 0 {
                self.end = End::Done;
            } else if from < targets.0 || to > targets.1 || from >= to {
                return Err(invalid("it sent a message for nobody here"));
            }
            if self.bytes.len() - self.whole < HEADER + len {
                break;
            }
            self.whole += HEADER + len;
        }
        match self.end == End::Done && self.whole < self.bytes.len() {
            true => Err(invalid("it went on after its end")),
            false => Ok(()),
        }
    }

    /// Forgets a message that will never be whole, and ends the stream as timely expects.
    fn make_up_end(&mut self) {
        self.bytes.clear();
        (self.taken, self.whole) = (0, HEADER);
        self.bytes.resize(HEADER, 0);
        self.end = End::Done;
        debug_assert!(
            MessageHeader::try_read(&self.bytes).is_some_and(|header| header.length == 0)
        );
    }
}

fn tag(key: &[u8; 32], count: u64, bytes: &[u8]) -> [u8; TAG] {
    let mut hasher = blake3::Hasher::new_keyed(key);
    hasher.update(&count.to_le_bytes()).update(bytes);
    let mut tag = [0; TAG];
    tag.copy_from_slice(&hasher.finalize().as_bytes()[..TAG]);
    tag
}

fn is_timeout(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut
    )
}

fn invalid(why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, why)
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
