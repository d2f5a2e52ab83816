//! Measures what linting the whole corpus costs: one process, all files.
//!
//! CPU time is the time of waited-for children in `/proc/self/stat`; peak memory is the high-water mark in
//! the child's `/proc/…/status`, read until it ends. Both are Linux facilities that need no `unsafe`.

use std::fs;
use std::io::{self, Read as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::places;

/// What a run cost.
#[derive(Debug)]
pub struct Cost {
    /// User and system time of the process.
    pub cpu: Duration,
    /// Elapsed time.
    pub wall: Duration,
    /// Peak resident memory.
    pub peak_bytes: u64,
}

/// The limits the project holds itself to, in seconds and bytes.
pub const LIMITS: (f64, u64) = (20.0, 500_000_000);

/// Lints every file of classical B below `folder` with `binary`; the answer has their number.
pub fn lint_all(binary: &Path, folder: &Path) -> io::Result<(usize, Cost)> {
    let files = places::files_below(folder, places::B_EXTENSIONS);
    // Relative paths keep the argument list short.
    let relative = files
        .iter()
        .map(|file| file.strip_prefix(folder).unwrap_or(file));
    let mut command = Command::new(binary);
    command
        .current_dir(folder)
        .arg("lint")
        .args(relative)
        .stdout(Stdio::null());
    let (cost, _) = measure(&mut command)?;
    Ok((files.len(), cost))
}

/// Runs a command to its end; the answer has what it cost and what it printed, if its output is piped.
pub fn measure(command: &mut Command) -> io::Result<(Cost, String)> {
    measure_within(command, Duration::MAX)
}

/// The same; one that takes longer is ended, which is an error.
pub fn measure_within(command: &mut Command, most: Duration) -> io::Result<(Cost, String)> {
    let before = children_cpu()?;
    let start = Instant::now();
    let mut child = command.stdin(Stdio::null()).stderr(Stdio::null()).spawn()?;
    let mut stdout = child.stdout.take();
    let reader = thread::spawn(move || {
        let mut text = String::new();
        if let Some(stdout) = &mut stdout {
            // What is not text is not worth reading.
            let _ = stdout.read_to_string(&mut text);
        }
        text
    });
    let mut peak_bytes = 0;
    while child.try_wait()?.is_none() {
        peak_bytes = peak_of(child.id()).unwrap_or(0).max(peak_bytes);
        if start.elapsed() > most {
            child.kill()?;
            child.wait()?;
            return Err(io::ErrorKind::TimedOut.into());
        }
        thread::sleep(Duration::from_millis(5));
    }
    let cost = Cost {
        cpu: children_cpu()?.saturating_sub(before),
        wall: start.elapsed(),
        peak_bytes,
    };
    Ok((cost, reader.join().unwrap_or_default()))
}

/// The length of a clock tick in `/proc/self/stat`: 100 per second on every Linux of today.
const TICK: Duration = Duration::from_millis(10);

fn children_cpu() -> io::Result<Duration> {
    let stat = fs::read_to_string("/proc/self/stat")?;
    // The second field is a name in parentheses that may hold blanks; count from behind it.
    let fields = stat.rsplit(')').next().unwrap_or("");
    let ticks: u32 = fields
        .split_whitespace()
        .skip(13)
        .take(2)
        .filter_map(|field| field.parse::<u32>().ok())
        .sum();
    Ok(TICK * ticks)
}

fn peak_of(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes * 1024)
}
