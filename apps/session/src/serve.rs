//! The side of a session that answers: `burnside session`.
//!
//! One thread reads lines, so that a cancellation is heard while a request is worked on; another looks at the memory of the
//! process.

use std::io::{self, BufRead, Write};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError, mpsc};
use std::time::Duration;

use base::Files;
use serde_json::json;
use workbench::check::Progress;
use workbench::{Halt, Workbench};

use crate::act::{Desk, Ears};
use crate::request::{Reply, Request, Sent};

/// How often the memory is looked at.
const LOOK: Duration = Duration::from_millis(50);
/// How long a session goes on after whoever asked is gone: an answer that is nearly there is still written.
const FAREWELL: Duration = Duration::from_secs(1);
/// The exit code of a session that needed too much memory.
const NO_ROOM: i32 = 3;

/// What is worked on: the number of the request, and how to end it.
type Current = Arc<Mutex<(u64, Halt)>>;

/// Answers requests until there are no more; the process ends when it needs more memory than this.
///
/// # Errors
/// When the folder cannot be opened, or nobody reads the answers.
pub fn serve(bench: &Workbench, folder: &Path, max_memory: Option<u64>) -> io::Result<()> {
    let mut bench = bench.clone();
    bench.files = Files::below(folder)?;
    let folder = folder.canonicalize()?;
    std::env::set_current_dir(&folder)?;
    let mut desk = Desk::new(bench, folder);
    let current: Current = Arc::default();
    let (send, receive) = mpsc::channel();
    let heard = Arc::clone(&current);
    std::thread::spawn(move || listen(&heard, &send));
    if let Some(most) = max_memory {
        let working = Arc::clone(&current);
        std::thread::spawn(move || watch(&working, most));
    }
    let last = AtomicU64::new(0);
    while let Ok((id, request)) = receive.recv() {
        let halt = Halt::default();
        *lock(&current) = (id, halt.clone());
        let ears = Ears {
            halt: &halt,
            progress: &|progress| tell(id, progress, &last),
        };
        match desk.act(&request, &ears) {
            Ok(answer) => write(&Reply::Answer(id, answer))?,
            Err(why) => write(&Reply::Refused(id, why))?,
        }
    }
    Ok(())
}

fn listen(current: &Current, requests: &mpsc::Sender<(u64, Request)>) {
    for line in io::stdin().lock().lines() {
        let Ok(line) = line else { break };
        match serde_json::from_str(&line) {
            Ok(Sent::Ask(id, request)) => {
                if requests.send((id, *request)).is_err() {
                    return;
                }
            }
            Ok(Sent::Cancel(id)) => {
                let current = lock(current);
                if current.0 == id {
                    current.1.set();
                }
            }
            Err(error) => {
                let id = id_of(&line);
                let _ = write(&Reply::Refused(id, format!("not understood: {error}")));
            }
        }
    }
    // Whoever asked is gone, perhaps killed: what is worked on is wanted by nobody, and need not look whether it is halted.
    lock(current).1.set();
    std::thread::sleep(FAREWELL);
    std::process::exit(0);
}

/// The number of a request that is not understood, as far as it has one.
fn id_of(line: &str) -> u64 {
    let sent: serde_json::Value = serde_json::from_str(line).unwrap_or_default();
    sent["ask"][0].as_u64().unwrap_or(0)
}

/// Tells how far a check is, a few times a second.
fn tell(id: u64, progress: &Progress, last: &AtomicU64) {
    let now = progress.elapsed.as_millis() as u64;
    let before = last.load(Ordering::Relaxed);
    if now.abs_diff(before) < 100 && before != 0 {
        return;
    }
    last.store(now.max(1), Ordering::Relaxed);
    let told = json!({
        "states": progress.states,
        "transitions": progress.transitions,
        "queue": progress.queue,
        "depth": progress.depth,
        "memory_bytes": progress.memory_bytes,
        "elapsed_s": progress.elapsed.as_secs_f64(),
    });
    // When nobody reads any more, the answer will find out.
    let _ = write(&Reply::Progress(id, told));
}

/// Ends the process when it needs too much memory: there may be none left to end more gently.
fn watch(current: &Current, most: u64) {
    loop {
        if resident() > most {
            let id = lock(current).0;
            let megabytes = most / 1_000_000;
            let why = format!("the limit on memory ({megabytes} MB) was reached");
            let _ = write(&Reply::Refused(id, why));
            std::process::exit(NO_ROOM);
        }
        std::thread::sleep(LOOK);
    }
}

/// The memory of this process, in bytes; 0 where the system does not tell.
fn resident() -> u64 {
    const PAGE: u64 = 4096;
    let statm = std::fs::read_to_string("/proc/self/statm").unwrap_or_default();
    let pages = statm.split_whitespace().nth(1);
    pages
        .and_then(|pages| pages.parse::<u64>().ok())
        .unwrap_or(0)
        * PAGE
}

/// Writes one line at once.
fn write(reply: &Reply) -> io::Result<()> {
    let mut line = serde_json::to_vec(reply)?;
    line.push(b'\n');
    let mut out = io::stdout().lock();
    out.write_all(&line)?;
    out.flush()
}

fn lock(current: &Current) -> std::sync::MutexGuard<'_, (u64, Halt)> {
    current.lock().unwrap_or_else(PoisonError::into_inner)
}
