//! `burnside worker`: waits until another process wants help with a check, and gives it.
//!
//! Invariant: what comes from the network is a job of somebody with the secret, and even so it is only read, never trusted: files
//! go below a folder of their own, and a command line that is no check is refused.

use std::io::BufRead;
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use base::Severity;
use clap::Parser;
use workbench::check::{Hooks, check};
use workbench::{Secret, Team, Waiting};

use crate::args::check::{CheckArgs, Many};
use crate::args::worker::WorkerArgs;
use crate::args::{Args, Command};
use crate::console::Console;
use crate::interrupt;
use crate::team::{self, Job};

/// The exit code of wrong usage.
const USAGE: u8 = 2;
/// How long the first process may take to say what to do.
const PATIENCE: Duration = Duration::from_secs(60);

/// What a worker gives.
#[derive(Clone, Copy)]
struct Terms {
    /// Whether it ends after one check.
    once: bool,
    /// Whether it ends when nobody holds its standard input any more.
    tied: bool,
    /// The most memory for the states of one.
    max_memory: Option<u64>,
}

/// Waits for checks.
pub(crate) fn run(args: &WorkerArgs, console: &mut Console) -> u8 {
    let secret = match &args.secret {
        Some(path) => std::fs::read_to_string(path)
            .map_err(|error| format!("cannot read \"{}\": {error}", path.display())),
        None => {
            let mut line = String::new();
            let read = std::io::stdin().lock().read_line(&mut line);
            read.map(|_| line).map_err(|error| error.to_string())
        }
    };
    let terms = Terms {
        once: args.once,
        tied: args.tied,
        max_memory: args.max_memory,
    };
    let answer =
        secret.and_then(|secret| serve(&args.listen, &Secret::new(&secret), terms, console));
    told(answer, console)
}

/// Takes part in one check, as the process of a list of hosts.
pub(crate) fn join(many: &Many, console: &mut Console) -> u8 {
    let answer = team::hosts(many).and_then(|hosts| {
        let secret = team::secret(many)?;
        let terms = Terms {
            once: true,
            tied: false,
            max_memory: None,
        };
        serve(&hosts[many.me], &secret, terms, console)
    });
    told(answer, console)
}

fn told(answer: Result<(), String>, console: &mut Console) -> u8 {
    match answer {
        Ok(()) => 0,
        Err(why) => {
            console.say(&why);
            USAGE
        }
    }
}

fn serve(
    address: &str,
    secret: &Secret,
    terms: Terms,
    console: &mut Console,
) -> Result<(), String> {
    let stop = interrupt::install();
    let is_left = Arc::new(AtomicBool::new(false));
    if terms.tied {
        let is_left = is_left.clone();
        std::thread::spawn(move || {
            // Whether it ends or cannot be read: nobody is there.
            let _ = std::io::copy(&mut std::io::stdin().lock(), &mut std::io::sink());
            is_left.store(true, Ordering::SeqCst);
        });
    }
    let should_stop = || stop.load(Ordering::SeqCst) || is_left.load(Ordering::SeqCst);
    let waiting = Waiting::listen(address).map_err(|refused| refused.to_string())?;
    console.line(&format!("listening on {}", waiting.address()));
    loop {
        match waiting.join(secret, &should_stop) {
            Ok(None) => return Ok(()),
            Ok(Some(team)) => {
                if let Err(why) = help(team, terms) {
                    console.say(&why);
                }
            }
            Err(refused) => console.say(&refused.to_string()),
        }
        if terms.once || should_stop() {
            return Ok(());
        }
    }
}

/// Does a part of what the first process of the team is checking.
fn help(team: Team, terms: Terms) -> Result<(), String> {
    let job = team.receive(0, PATIENCE).map_err(|why| why.to_string())?;
    let folder = std::env::temp_dir().join(format!("burnside-worker-{}", std::process::id()));
    let unpacked = unpack(&job, &folder);
    let answer = unpacked.and_then(|args| {
        let mut options = args.options();
        options.team = Some(Arc::new(team));
        options.memory_each = terms.max_memory;
        let hooks = Hooks {
            stop: interrupt::install(),
            progress: &|_| {},
        };
        let checked = check(&args.model.bench(), &args.file, &options, &hooks);
        let mut problems = checked.lint.diagnostics.iter();
        match problems.find(|problem| problem.severity == Severity::Error) {
            Some(problem) => Err(problem.message.clone()),
            None => Ok(()),
        }
    });
    // That it cannot be removed changes nothing.
    let _ = std::fs::remove_dir_all(&folder);
    answer
}

/// Puts the files of a job into a folder; the command line that goes with them.
fn unpack(bytes: &[u8], folder: &Path) -> Result<CheckArgs, String> {
    let damaged = || "the job is damaged".to_owned();
    let (len, rest) = bytes.split_first_chunk().ok_or_else(damaged)?;
    let len = u32::from_le_bytes(*len) as usize;
    let (head, mut rest) = rest.split_at_checked(len).ok_or_else(damaged)?;
    let job: Job = serde_json::from_slice(head).map_err(|_| damaged())?;
    for (path, len) in &job.files {
        let (text, more) = rest.split_at_checked(*len).ok_or_else(damaged)?;
        rest = more;
        let path = inside(folder, path)?;
        let told = |error: std::io::Error| format!("cannot write \"{}\": {error}", path.display());
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent).map_err(told)?;
        }
        std::fs::write(&path, text).map_err(told)?;
    }
    let words = ["burnside".to_owned()].into_iter().chain(job.arguments);
    match Args::try_parse_from(words).map(|args| args.command) {
        Ok(Some(Command::Check(args))) => {
            let formulas = job.formulas.map(|file| inside(folder, &file));
            Ok(args.for_helper(inside(folder, &job.main)?, formulas.transpose()?))
        }
        _ => Err("the job is no check".to_owned()),
    }
}

/// A path below a folder, whatever it says.
fn inside(folder: &Path, path: &Path) -> Result<PathBuf, String> {
    let is_plain = |part: Component<'_>| matches!(part, Component::Normal(_));
    match path.components().all(is_plain) {
        true => Ok(folder.join(path)),
        false => Err("a file of the job would not be in its folder".to_owned()),
    }
}
