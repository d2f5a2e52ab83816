//! `cargo xtask kills`: one process after the other of a distributed check is killed at a random moment, and nothing may be lost.
//!
//! Each run has two or three processes: the first one checks, the others are workers that stay from run to run, so a worker that waits
//! for what will never come is noticed by the next run. What was saved before the kill is resumed with one, two and three processes.
//! A run that was hit before its search began says who is gone and has explored nothing; a first process that was killed says nothing at all.
//! Invariant: whatever was killed and whenever, a run ends with the counts of one process, open and saved, or with nothing.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

use base::Random;
use serde_json::Value;

use crate::network::{Running, model};

/// The exit code of an open verdict, and of a command that was refused.
const OPEN: i32 = 20;
const REFUSED: i32 = 2;
/// The most processes of a run.
const MOST: usize = 3;

/// What is run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The program.
    pub binary: PathBuf,
    /// Values of each of three counters: their product is the number of states.
    pub size: u32,
    /// How often somebody is killed.
    pub runs: u64,
    /// Whom and when.
    pub seed: u64,
}

/// What became of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum End {
    /// It was over before the kill.
    Finished,
    /// Open, and something was saved.
    Saved,
    /// Open, and nothing had been saved yet.
    Unsaved,
    /// Nothing was explored, because a process was gone before the search began.
    NotBegun,
    /// The first process was killed.
    FirstKilled,
}

impl End {
    fn told(self) -> &'static str {
        match self {
            End::Finished => "ended before the kill",
            End::Saved => "open and saved",
            End::Unsaved => "open, nothing saved yet",
            End::NotBegun => "refused, the search had not begun",
            End::FirstKilled => "the first process itself",
        }
    }
}

/// Verdict, states and transitions.
type Counts = [Value; 3];

struct Course {
    binary: PathBuf,
    folder: PathBuf,
    workers: Vec<Worker>,
}

struct Worker {
    process: Running,
    address: String,
}

/// A folder that is gone when this is.
struct Folder(PathBuf);

impl Drop for Folder {
    fn drop(&mut self) {
        // That it cannot be removed changes nothing.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

/// Runs all; an error says what was lost.
pub fn run(plan: &Plan) -> Result<(), String> {
    let folder = std::env::temp_dir().join(format!("burnside-kills-{}", std::process::id()));
    std::fs::create_dir_all(&folder).map_err(|error| error.to_string())?;
    let folder = Folder(folder);
    let binary = plan.binary.canonicalize();
    let binary = binary.map_err(|error| format!("{}: {error}", plan.binary.display()))?;
    let mut course = Course {
        binary,
        folder: folder.0.clone(),
        workers: Vec::new(),
    };
    course.write("secret", "among processes of one machine\n")?;
    course.write("Counters.mch", &model(plan.size))?;
    let alone = course.finish(course.command(&["--engine", "explicit"]))?;
    let alone = counts(&alone)?;
    for _ in 1..MOST {
        let worker = course.worker()?;
        course.workers.push(worker);
    }
    let whole = course.together(MOST, &["--checkpoint", "whole", "--every", "0.1"])?;
    let begun = Instant::now();
    let whole = course.finish(whole)?;
    let usual = begun.elapsed();
    same("nobody was killed", &counts(&whole)?, &alone)?;
    println!(
        "{:?} in {:.1} s, seed {}",
        alone,
        usual.as_secs_f64(),
        plan.seed
    );
    let mut random = Random::new(plan.seed);
    let mut ends: BTreeMap<End, u64> = BTreeMap::new();
    for number in 0..plan.runs {
        let end = course.kill(&mut random, usual, &alone);
        let end = end.map_err(|why| format!("run {number}: {why}"))?;
        *ends.entry(end).or_default() += 1;
    }
    for (end, count) in ends {
        println!("{count:>4}  {}", end.told());
    }
    Ok(())
}

impl Course {
    fn command(&self, options: &[&str]) -> Command {
        let mut command = Command::new(&self.binary);
        command.current_dir(&self.folder);
        command.args(["check", "--json", "--symmetry", "off", "--por", "off"]);
        command.arg("Counters.mch").args(options);
        command.stdin(Stdio::null());
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command
    }

    /// A check by so many processes.
    fn together(&self, processes: usize, options: &[&str]) -> Result<Command, String> {
        let addresses = self.workers.iter().map(|worker| worker.address.as_str());
        let lines: Vec<&str> = ["first"].into_iter().chain(addresses).collect();
        let name = format!("hosts{processes}");
        self.write(&name, &lines[..processes].join("\n"))?;
        let many = [
            "--engine",
            "distributed",
            "--hosts",
            &name,
            "--secret",
            "secret",
        ];
        Ok(self.command(&[&many[..], options].concat()))
    }

    fn finish(&self, mut command: Command) -> Result<Output, String> {
        command.output().map_err(|error| error.to_string())
    }

    fn worker(&self) -> Result<Worker, String> {
        let mut command = Command::new(&self.binary);
        command.current_dir(&self.folder).stdin(Stdio::null());
        command.stderr(Stdio::null());
        command.args(["worker", "--secret", "secret"]);
        let process = Running::start(command)?;
        let address = process.said().rsplit(' ').next().unwrap_or_default();
        Ok(Worker {
            address: address.to_owned(),
            process,
        })
    }

    fn write(&self, name: &str, text: &str) -> Result<(), String> {
        let path = self.folder.join(name);
        std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))
    }

    /// One run of which some process is killed, and what comes after it.
    fn kill(
        &mut self,
        random: &mut Random,
        usual: Duration,
        alone: &Counts,
    ) -> Result<End, String> {
        let processes = 2 + random.below(MOST - 1);
        // Workers are what is killed mostly; the first process is one of five.
        let victim = match random.below(5) {
            0 => 0,
            _ => 1 + random.below(processes - 1),
        };
        let moment = usual.mul_f64(random.below(1000) as f64 / 1000.0);
        let saves = self.folder.join("saves");
        if saves.exists() {
            std::fs::remove_dir_all(&saves).map_err(|error| error.to_string())?;
        }
        let mut first = self.together(processes, &["--checkpoint", "saves", "--every", "0.1"])?;
        let mut first = first.spawn().map_err(|error| error.to_string())?;
        std::thread::sleep(moment);
        if victim == 0 {
            // It may have ended by itself.
            let _ = first.kill();
        } else {
            self.workers[victim - 1].process.kill();
        }
        let output = first.wait_with_output();
        let output = output.map_err(|error| error.to_string())?;
        if victim > 0 {
            self.workers[victim - 1] = self.worker()?;
        }
        let (end, because) = ended(&output, victim, &saves, alone)?;
        println!(
            "process {victim} of {processes} after {:.2} s: {} {because}",
            moment.as_secs_f64(),
            end.told()
        );
        if saves.join("run").exists() {
            for processes in 1..=MOST {
                let resumed = self.together(processes, &["--resume", "saves"])?;
                let resumed = counts(&self.finish(resumed)?)?;
                same(&format!("resumed by {processes}"), &resumed, alone)?;
            }
        } else {
            let again = self.together(MOST, &[])?;
            same("begun again", &counts(&self.finish(again)?)?, alone)?;
        }
        Ok(end)
    }
}

/// What a run came to, and what it said about that.
fn ended(
    output: &Output,
    victim: usize,
    saves: &Path,
    alone: &Counts,
) -> Result<(End, String), String> {
    let Some(exit) = output.status.code() else {
        return match victim {
            0 => Ok((End::FirstKilled, String::new())),
            _ => Err("the first process died although another one was killed".to_owned()),
        };
    };
    let is_saved = saves.join("run").exists();
    match exit {
        OPEN => {
            let report = report(output)?;
            let because = report["open_because"].to_string();
            let says_so = report["warnings"].to_string().contains("resumed");
            if !because.contains("was lost") || says_so != is_saved {
                return Err(format!("open {because} {}", report["warnings"]));
            }
            match is_saved {
                true => Ok((End::Saved, because)),
                false => Ok((End::Unsaved, because)),
            }
        }
        REFUSED => {
            let told = match report(output) {
                Ok(report) => report["diagnostics"].to_string(),
                Err(_) => String::from_utf8_lossy(&output.stderr).trim().to_owned(),
            };
            // Who it was is part of the answer.
            match told.contains(&format!("process {victim} ")) && victim > 0 {
                true => Ok((End::NotBegun, told)),
                false => Err(format!("refused: {told}")),
            }
        }
        _ => same("ended before the kill", &counts(output)?, alone)
            .map(|()| (End::Finished, String::new())),
    }
}

fn report(output: &Output) -> Result<Value, String> {
    serde_json::from_slice(&output.stdout).map_err(|_| {
        let told = String::from_utf8_lossy(&output.stderr);
        format!("no report: {}", told.trim())
    })
}

fn counts(output: &Output) -> Result<Counts, String> {
    let report = report(output)?;
    let statistics = &report["statistics"];
    let counts = [
        &report["verdict"],
        &statistics["states"],
        &statistics["transitions"],
    ];
    match report["verdict"] == "error" {
        true => Err(report["diagnostics"].to_string()),
        false => Ok(counts.map(Value::clone)),
    }
}

fn same(what: &str, counts: &Counts, alone: &Counts) -> Result<(), String> {
    match counts == alone {
        true => Ok(()),
        false => Err(format!("{what}: {counts:?} instead of {alone:?}")),
    }
}
