//! The side of a session that asks: a process that is started, asked, and ended.
//!
//! Invariant: whatever the process does, an answer comes within the limit and the grace, or the process is gone.
//! Invariant: a process that was started here is gone when its `Child` is.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::request::{Reply, Request, Sent};

/// How long a request that was cancelled may take to give what it has; then the process is ended.
const GRACE: Duration = Duration::from_millis(700);
/// How often it is looked whether somebody cancelled.
const LOOK: Duration = Duration::from_millis(20);
/// So much of what the process said on standard error is kept.
const LAST_WORDS: u64 = 4096;

/// What a session may need.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// How long a request may take.
    pub time: Duration,
    /// How much memory the process may have, in bytes.
    pub memory: u64,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// The session says why.
    Refused(String),
    /// It took too long.
    TimedOut,
    /// It was cancelled.
    Cancelled,
    /// The process ended; what it said last.
    Died(String),
}

impl Failure {
    /// One sentence for people.
    pub fn text(&self) -> String {
        match self {
            Failure::Refused(why) => why.clone(),
            Failure::TimedOut => "the limit on time was reached".to_owned(),
            Failure::Cancelled => "it was cancelled".to_owned(),
            Failure::Died(last) if last.is_empty() => "the session ended unexpectedly".to_owned(),
            Failure::Died(last) => format!("the session ended unexpectedly: {last}"),
        }
    }
}

/// A session.
pub struct Child {
    process: std::process::Child,
    input: ChildStdin,
    replies: Receiver<Reply>,
    last_words: Option<JoinHandle<String>>,
    limits: Limits,
    asked: u64,
    is_over: bool,
}

impl Child {
    /// Starts a session for a folder; `program` is the executable that has the command `session`.
    ///
    /// # Errors
    /// When it cannot be started.
    pub fn start(program: &Path, folder: &Path, limits: Limits) -> io::Result<Child> {
        let memory = limits.memory.to_string();
        let mut command = Command::new(program);
        crate::lean::spare(&mut command);
        let mut process = command
            .args(["session", "--max-memory", &memory])
            .arg(folder)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()?;
        let lost = || io::Error::other("a session without standard streams");
        let input = process.stdin.take().ok_or_else(lost)?;
        let output = process.stdout.take().ok_or_else(lost)?;
        let error = process.stderr.take().ok_or_else(lost)?;
        let (send, replies) = mpsc::channel();
        std::thread::spawn(move || {
            for line in BufReader::new(output).lines().map_while(Result::ok) {
                let Ok(reply) = serde_json::from_str(&line) else {
                    break;
                };
                if send.send(reply).is_err() {
                    break;
                }
            }
        });
        let last_words = std::thread::spawn(move || {
            let mut bytes = Vec::new();
            let _ = error.take(LAST_WORDS).read_to_end(&mut bytes);
            String::from_utf8_lossy(&bytes).trim().to_owned()
        });
        Ok(Child {
            process,
            input,
            replies,
            last_words: Some(last_words),
            limits,
            asked: 0,
            is_over: false,
        })
    }

    /// This program, to start sessions with.
    ///
    /// # Errors
    /// When the system does not tell.
    pub fn program() -> io::Result<PathBuf> {
        std::env::current_exe()
    }

    /// Whether the process is gone and nothing can be asked any more.
    pub fn is_over(&self) -> bool {
        self.is_over
    }

    /// Asks; `progress` hears how far it is, and the request ends soon after `cancel` is set. A check that is cancelled or runs out
    /// of time answers with what it has.
    ///
    /// # Errors
    /// Why there is no answer.
    pub fn ask(
        &mut self,
        request: Request,
        cancel: &AtomicBool,
        progress: &mut dyn FnMut(Value),
    ) -> Result<Value, Failure> {
        if self.is_over {
            return Err(Failure::Died(String::new()));
        }
        self.asked += 1;
        let id = self.asked;
        self.send(&Sent::Ask(id, Box::new(request)))?;
        let begun = Instant::now();
        let mut ended: Option<(Instant, Failure)> = None;
        loop {
            match self.replies.recv_timeout(LOOK) {
                Ok(Reply::Answer(of, answer)) if of == id => return Ok(answer),
                Ok(Reply::Refused(of, why)) if of == id => return Err(Failure::Refused(why)),
                Ok(Reply::Progress(of, told)) if of == id => progress(told),
                // What belongs to a request that was given up.
                Ok(_) => {}
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(self.died()),
            }
            match &ended {
                Some((since, why)) if since.elapsed() > GRACE => {
                    let why = why.clone();
                    self.end();
                    return Err(why);
                }
                Some(_) => {}
                None => {
                    let why = match () {
                        () if cancel.load(Ordering::Relaxed) => Failure::Cancelled,
                        () if begun.elapsed() > self.limits.time => Failure::TimedOut,
                        () => continue,
                    };
                    self.send(&Sent::Cancel(id))?;
                    ended = Some((Instant::now(), why));
                }
            }
        }
    }

    fn send(&mut self, sent: &Sent) -> Result<(), Failure> {
        let mut line = serde_json::to_vec(sent).unwrap_or_default();
        line.push(b'\n');
        let written = self
            .input
            .write_all(&line)
            .and_then(|()| self.input.flush());
        written.map_err(|_| self.died())
    }

    fn died(&mut self) -> Failure {
        self.end();
        let last = self.last_words.take().map(JoinHandle::join);
        Failure::Died(last.and_then(Result::ok).unwrap_or_default())
    }

    /// Ends the process.
    fn end(&mut self) {
        self.is_over = true;
        // It may have ended by itself.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        self.end();
    }
}
