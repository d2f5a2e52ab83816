//! Brings the processes of a run together: who connects to whom, and the proof that all have the secret.
//!
//! The first process connects to every other one and tells it who it is and who the others are; process j connects to
//! process k for j < k. So the first process listens nowhere, and the others only where they were told to.
//! Handshake: both ends send version and nonce; each proves with a hash keyed by the secret that it knows both nonces;
//! the keys of the connection follow from them. The accepting end proves itself first.
//! Invariant: a connection that does not prove itself is closed and changes nothing; reading it is bounded in time and bytes.

use std::io::{self, Read, Write};
use std::net::{SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::time::{Duration, Instant};

use super::loss::Parting;
use super::wire::{Keys, Wire};
use crate::explicit::Refused;
use crate::explicit::codec::Code;

/// How long other processes may take to be there.
pub const PATIENCE: Duration = Duration::from_secs(10);
/// How long another process may take to open the model, or to think about what was found.
pub const OPENING: Duration = Duration::from_secs(600);
/// How long one step of a handshake may take.
const STEP: Duration = Duration::from_secs(3);
/// Between two attempts.
const PAUSE: Duration = Duration::from_millis(50);
/// The same while somebody is about to come.
const BRIEFLY: Duration = Duration::from_millis(2);

const MAGIC: &[u8; 16] = b"burnside team 6\n";
/// So many bytes of that are the same in all versions.
const FAMILY: usize = 14;
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// What all processes of a run know and nobody else.
#[derive(Clone)]
pub struct Secret([u8; 32]);

impl Secret {
    /// From a text that people exchange; white space around it does not count.
    pub fn new(text: &str) -> Secret {
        Secret(blake3::derive_key(
            "burnside distributed secret 1",
            text.trim().as_bytes(),
        ))
    }

    /// A text that nobody knows yet.
    pub fn fresh() -> Result<String, Refused> {
        let bytes: [u8; 32] = random()?;
        Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
    }
}

/// The processes of a run, seen from one of them.
pub struct Team {
    /// Which one this is; the first leads.
    pub me: usize,
    /// The connections to the others, by process.
    pub wires: Vec<Option<Wire>>,
    /// What to call the processes.
    pub names: Vec<String>,
}

impl std::fmt::Debug for Team {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "process {} of {:?}", self.me, self.names)
    }
}

/// What the connecting end says after the handshake.
struct Hello {
    run: [u8; 16],
    from: usize,
    to: usize,
    names: Vec<String>,
}

impl Team {
    /// One process alone.
    pub fn alone() -> Team {
        Team {
            me: 0,
            wires: vec![None],
            names: vec!["this process".to_string()],
        }
    }

    /// Leads processes that listen at these addresses; `is_gone` says that one of them, from 0, will never answer.
    pub fn lead(
        addresses: &[String],
        secret: &Secret,
        patience: Duration,
        mut is_gone: impl FnMut(usize) -> bool,
    ) -> Result<Team, Refused> {
        let run = random()?;
        let mut names = vec!["the first process".to_string()];
        names.extend_from_slice(addresses);
        let mut wires = vec![None];
        for (at, address) in addresses.iter().enumerate() {
            let hello = Hello {
                run,
                from: 0,
                to: at + 1,
                names: names.clone(),
            };
            let wire = call(address, secret, &hello, patience, &mut || is_gone(at))?;
            wires.push(Some(wire));
        }
        Ok(Team {
            me: 0,
            wires,
            names,
        })
    }

    /// How many processes there are.
    pub fn processes(&self) -> usize {
        self.wires.len()
    }

    /// Sends a message to a process.
    pub fn send(&self, process: usize, message: &[u8]) -> Result<(), Refused> {
        let wire = self.wires[process].as_ref();
        let sent = wire.map_or(Ok(()), |wire| wire.send(message));
        sent.map_err(|error| self.lost(process, &error))
    }

    /// Waits for a message from a process.
    pub fn receive(&self, process: usize, patience: Duration) -> Result<Vec<u8>, Refused> {
        let wire = self.wires[process].as_ref();
        let received = wire.map_or(Ok(Vec::new()), |wire| wire.receive(patience));
        received.map_err(|error| self.lost(process, &error))
    }

    /// Tells every other process the same.
    pub fn tell(&self, message: &[u8]) -> Result<(), Refused> {
        let mut others = (0..self.processes()).filter(|process| *process != self.me);
        others.try_for_each(|process| self.send(process, message))
    }

    /// What every process says, by its number: all wait for each other.
    pub fn confer(&self, mine: Vec<u8>) -> Result<Vec<Vec<u8>>, Refused> {
        if self.me > 0 {
            self.send(0, &mine)?;
            let all = self.receive(0, OPENING)?;
            let all = Vec::<Vec<u8>>::get(&mut all.as_slice());
            return all.map_err(|error| self.lost(0, &error));
        }
        let mut all = vec![mine];
        for process in 1..self.processes() {
            all.push(self.receive(process, OPENING)?);
        }
        let mut bytes = Vec::new();
        all.put(&mut bytes)
            .expect("a vector takes what is written to it");
        self.tell(&bytes)?;
        Ok(all)
    }

    /// What the first process wants next; `None` when it is gone.
    pub fn hear(&self) -> Option<Vec<u8>> {
        self.receive(0, OPENING).ok()
    }

    /// Ends all connections because a process was lost, and says so to the others.
    pub fn part(&self, process: usize, why: &str) {
        let parting = Parting {
            process,
            why: why.to_string(),
        };
        let others = self.wires.iter().enumerate();
        let others = others.filter(|(other, _)| *other != process);
        others
            .filter_map(|(_, wire)| wire.as_ref())
            .for_each(|wire| wire.part(&parting));
        self.hang_up();
    }

    /// Ends all connections, whoever waits for them.
    pub fn hang_up(&self) {
        self.wires.iter().flatten().for_each(Wire::hang_up);
    }

    fn lost(&self, process: usize, error: &io::Error) -> Refused {
        Refused(format!(
            "process {process} ({}) was lost: {error}",
            self.names[process]
        ))
    }
}

/// A process that waits to be called.
pub struct Waiting {
    listener: TcpListener,
    address: SocketAddr,
}

impl Waiting {
    /// Listens at an address, and nowhere else; port 0 is any free one.
    pub fn listen(address: &str) -> Result<Waiting, Refused> {
        let refuse = |error: io::Error| {
            let hint = match error.kind() {
                io::ErrorKind::AddrInUse => ": another run may be using it",
                _ => "",
            };
            Refused(format!("cannot listen at {address}: {error}{hint}"))
        };
        let listener = TcpListener::bind(address).map_err(refuse)?;
        listener.set_nonblocking(true).map_err(refuse)?;
        let address = listener.local_addr().map_err(refuse)?;
        Ok(Waiting { listener, address })
    }

    /// Where it listens.
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// Waits until a first process calls and all others are there; `None` when `should_stop` said so.
    pub fn join(
        &self,
        secret: &Secret,
        should_stop: &dyn Fn() -> bool,
    ) -> Result<Option<Team>, Refused> {
        let mut early: Vec<(Hello, Wire)> = Vec::new();
        let begun = Instant::now();
        let (hello, first) = loop {
            if should_stop() {
                return Ok(None);
            }
            match self.accept(secret) {
                Some((hello, wire)) if hello.from == 0 => break (hello, wire),
                Some(other) => early.push(other),
                None if begun.elapsed() < PATIENCE => std::thread::sleep(BRIEFLY),
                None => std::thread::sleep(PAUSE),
            }
        };
        let me = hello.to;
        let mut wires: Vec<Option<Wire>> = hello.names.iter().map(|_| None).collect();
        let mut is_over = || should_stop() || first.is_closed();
        for (to, wire) in wires.iter_mut().enumerate().skip(me + 1) {
            let hello = Hello {
                from: me,
                to,
                names: hello.names.clone(),
                ..hello
            };
            let name = &hello.names[to];
            *wire = Some(call(name, secret, &hello, PATIENCE, &mut is_over)?);
        }
        let begun = Instant::now();
        loop {
            for (other, wire) in early.drain(..) {
                let is_ours = other.run == hello.run && other.to == me && other.from < me;
                if is_ours && wires[other.from].is_none() {
                    wires[other.from] = Some(wire);
                }
            }
            let missing = (1..me).find(|process| wires[*process].is_none());
            let Some(missing) = missing else {
                break;
            };
            if is_over() {
                return Err(Refused("the first process is gone".to_string()));
            }
            if begun.elapsed() >= PATIENCE {
                let name = &hello.names[missing];
                return Err(Refused(format!(
                    "process {missing} ({name}) did not connect"
                )));
            }
            match self.accept(secret) {
                Some(other) => early.push(other),
                None => std::thread::sleep(BRIEFLY),
            }
        }
        wires[0] = Some(first);
        Ok(Some(Team {
            me,
            wires,
            names: hello.names,
        }))
    }

    /// The next connection that proves itself, if one waits. One that does not is nobody's business.
    fn accept(&self, secret: &Secret) -> Option<(Hello, Wire)> {
        let (socket, _) = self.listener.accept().ok()?;
        let wire = answer(socket, secret).ok()?;
        let hello = Hello::read(&wire.receive(STEP).ok()?)?;
        Some((hello, wire))
    }
}

/// Connects to a process, which may not be there yet, unless it `is_gone`.
fn call(
    address: &str,
    secret: &Secret,
    hello: &Hello,
    patience: Duration,
    is_gone: &mut dyn FnMut() -> bool,
) -> Result<Wire, Refused> {
    let begun = Instant::now();
    let refuse =
        |why: &dyn std::fmt::Display| Refused(format!("process {} at {address}: {why}", hello.to));
    let mut targets: Vec<SocketAddr> = Vec::new();
    loop {
        let left = patience.saturating_sub(begun.elapsed()).max(PAUSE);
        if targets.is_empty() {
            targets = address
                .to_socket_addrs()
                .map_err(|error| match error.kind() {
                    io::ErrorKind::InvalidInput => refuse(&"an address is HOST:PORT"),
                    _ => refuse(&error),
                })?
                .collect();
        }
        let Some(target) = targets.pop() else {
            return Err(refuse(&"the address names no host"));
        };
        let problem = match TcpStream::connect_timeout(&target, left) {
            Ok(socket) => match ask(socket, secret) {
                Ok(wire) => {
                    wire.send(&hello.write()).map_err(|error| refuse(&error))?;
                    return Ok(wire);
                }
                // Another version or secret does not change by waiting.
                Err(error) if error.kind() == io::ErrorKind::InvalidData => {
                    return Err(refuse(&error));
                }
                Err(error) => error,
            },
            Err(error) => error,
        };
        if is_gone() {
            return Err(refuse(&"it ended before it took part"));
        }
        if begun.elapsed() >= patience {
            return Err(match problem.kind() {
                io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => {
                    refuse(&"nothing comes from there: a worker may be busy with another run")
                }
                _ => refuse(&format_args!("no worker answers there: {problem}")),
            });
        }
        std::thread::sleep(PAUSE);
    }
}

/// The connecting end of a handshake.
fn ask(mut socket: TcpStream, secret: &Secret) -> io::Result<Wire> {
    socket.set_read_timeout(Some(STEP))?;
    socket.set_write_timeout(Some(STEP))?;
    let ours = greeting()?;
    socket.write_all(&ours)?;
    let theirs = hear(&mut socket)?;
    let mut proof = [0; 32];
    socket.read_exact(&mut proof)?;
    if proof != prove(secret, "answers", &ours, &theirs) {
        return Err(invalid("it does not have the same secret"));
    }
    socket.write_all(&prove(secret, "asks", &ours, &theirs))?;
    let [ours, theirs] =
        ["from the caller", "to the caller"].map(|way| prove(secret, way, &ours, &theirs));
    Wire::new(socket, Keys { ours, theirs })
}

/// The accepting end of a handshake.
fn answer(mut socket: TcpStream, secret: &Secret) -> io::Result<Wire> {
    socket.set_nonblocking(false)?;
    socket.set_read_timeout(Some(STEP))?;
    socket.set_write_timeout(Some(STEP))?;
    let ours = greeting()?;
    socket.write_all(&ours)?;
    let theirs = hear(&mut socket)?;
    socket.write_all(&prove(secret, "answers", &theirs, &ours))?;
    let mut proof = [0; 32];
    socket.read_exact(&mut proof)?;
    if proof != prove(secret, "asks", &theirs, &ours) {
        return Err(invalid("it does not have the same secret"));
    }
    let [ours, theirs] =
        ["to the caller", "from the caller"].map(|way| prove(secret, way, &theirs, &ours));
    Wire::new(socket, Keys { ours, theirs })
}

/// Who speaks, which version, and a nonce: of one length, whatever the version.
fn greeting() -> io::Result<[u8; GREETING]> {
    let mut greeting = [0; GREETING];
    let nonce: [u8; 32] = random().map_err(|refused| io::Error::other(refused.0))?;
    greeting[..16].copy_from_slice(MAGIC);
    for (place, byte) in greeting[16..32].iter_mut().zip(VERSION.bytes()) {
        *place = byte;
    }
    greeting[32..].copy_from_slice(&nonce);
    Ok(greeting)
}

const GREETING: usize = 64;

fn hear(socket: &mut TcpStream) -> io::Result<[u8; GREETING]> {
    let mut greeting = [0; GREETING];
    socket.read_exact(&mut greeting)?;
    if &greeting[..16] != MAGIC {
        return Err(invalid(match greeting.starts_with(&MAGIC[..FAMILY]) {
            true => "it runs another version of this program",
            false => "it is no worker of this program",
        }));
    }
    let version = String::from_utf8_lossy(&greeting[16..32]);
    let version = version.trim_end_matches('\0');
    match version == VERSION {
        true => Ok(greeting),
        false => {
            let other: String = version.escape_debug().take(32).collect();
            let why = format!("it runs version {other}, this is {VERSION}");
            Err(invalid(&why))
        }
    }
}

fn prove(secret: &Secret, what: &str, caller: &[u8], called: &[u8]) -> [u8; 32] {
    let mut hasher = blake3::Hasher::new_keyed(&secret.0);
    hasher.update(what.as_bytes()).update(caller).update(called);
    *hasher.finalize().as_bytes()
}

impl Hello {
    fn write(&self) -> Vec<u8> {
        let mut out = self.run.to_vec();
        for number in [self.from, self.to, self.names.len()] {
            out.extend_from_slice(&(number as u32).to_le_bytes());
        }
        for name in &self.names {
            out.extend_from_slice(&(name.len() as u32).to_le_bytes());
            out.extend_from_slice(name.as_bytes());
        }
        out
    }

    /// `None` for what is no greeting, or one that makes no sense.
    fn read(mut bytes: &[u8]) -> Option<Hello> {
        let (run, rest) = bytes.split_first_chunk()?;
        bytes = rest;
        let number = |bytes: &mut &[u8]| -> Option<usize> {
            let (word, rest) = bytes.split_first_chunk()?;
            *bytes = rest;
            Some(u32::from_le_bytes(*word) as usize)
        };
        let (from, to) = (number(&mut bytes)?, number(&mut bytes)?);
        let mut names = Vec::new();
        for _ in 0..number(&mut bytes)? {
            let len = number(&mut bytes)?;
            let (name, rest) = bytes.split_at_checked(len)?;
            bytes = rest;
            names.push(String::from_utf8(name.to_vec()).ok()?);
        }
        let is_sound = from < to && to < names.len();
        is_sound.then_some(Hello {
            run: *run,
            from,
            to,
            names,
        })
    }
}

fn random<const N: usize>() -> Result<[u8; N], Refused> {
    let mut bytes = [0; N];
    match getrandom::fill(&mut bytes) {
        Ok(()) => Ok(bytes),
        Err(error) => Err(Refused(format!("no random numbers: {error}"))),
    }
}

fn invalid(why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, why)
}
