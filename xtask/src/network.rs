//! `cargo xtask network`: a check by two processes in network namespaces of its own, while the network between them is slow, loses
//! packets or breaks.
//!
//! A relay in one namespace makes the way slow; packets are lost while the link is taken down for moments; a link that stays
//! down is a partition. Nothing but the namespaces made here is touched, and they are removed at the end.
//! Invariant: a run ends with the counts of one process, or open and saved and is resumed to them; anything else is a failure.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc;
use std::time::{Duration, Instant};

use serde_json::Value;

/// The addresses of the two ends of the link.
const ENDS: [&str; 2] = ["10.77.31.1", "10.77.31.2"];
/// Where the worker listens.
const WORKER: &str = "10.77.31.2:4100";
/// Where the relay listens.
const RELAY: &str = "10.77.31.2:4101";
/// The exit code of an open verdict.
const OPEN: i32 = 20;

/// What is run.
#[derive(Clone, Debug)]
pub struct Plan {
    /// The program.
    pub binary: PathBuf,
    /// Values of each of three counters: their product is the number of states.
    pub size: u32,
    /// The delay of the slow way, in milliseconds and one direction.
    pub delay: u64,
}

/// Passes bytes on between two addresses, each after a delay; until it is killed.
pub fn relay(listen: &str, to: &str, delay: Duration) -> Result<(), String> {
    let told = |error: std::io::Error| error.to_string();
    let listener = TcpListener::bind(listen).map_err(told)?;
    println!("relay at {listen}");
    for near in listener.incoming() {
        let (near, far) = (near.map_err(told)?, TcpStream::connect(to).map_err(told)?);
        for (from, to) in [(&near, &far), (&far, &near)] {
            let (from, to) = (
                from.try_clone().map_err(told)?,
                to.try_clone().map_err(told)?,
            );
            pass_on(from, to, delay);
        }
    }
    Ok(())
}

fn pass_on(mut from: TcpStream, mut to: TcpStream, delay: Duration) {
    let (send, receive) = mpsc::channel::<(Instant, Vec<u8>)>();
    // A connection that ended ends the thread; the other direction notices by itself.
    let _ = to.set_nodelay(true);
    std::thread::spawn(move || {
        while let Ok((due, bytes)) = receive.recv() {
            std::thread::sleep(due.saturating_duration_since(Instant::now()));
            if to.write_all(&bytes).is_err() {
                return;
            }
        }
        let _ = to.shutdown(std::net::Shutdown::Write);
    });
    std::thread::spawn(move || {
        let mut bytes = vec![0; 1 << 16];
        while let Ok(len @ 1..) = from.read(&mut bytes) {
            let part = (Instant::now() + delay, bytes[..len].to_vec());
            if send.send(part).is_err() {
                return;
            }
        }
    });
}

/// Two namespaces and the link between them.
struct Spaces {
    names: [String; 2],
    links: [String; 2],
}

impl Spaces {
    /// Makes them; an error says why that is not possible here.
    fn new() -> Result<Spaces, String> {
        let id = std::process::id();
        let spaces = Spaces {
            names: [0, 1].map(|end| format!("burnside-{id}-{end}")),
            links: [0, 1].map(|end| format!("bs{id}{end}")),
        };
        let [a, b] = &spaces.links;
        for name in &spaces.names {
            ip(&["netns", "add", name])?;
        }
        ip(&["link", "add", a, "type", "veth", "peer", "name", b])?;
        for (end, address) in ENDS.iter().enumerate() {
            let (name, link) = (&spaces.names[end], &spaces.links[end]);
            ip(&["link", "set", link, "netns", name])?;
            let address = format!("{address}/24");
            ip(&["-n", name, "addr", "add", &address, "dev", link])?;
            for device in [link.as_str(), "lo"] {
                ip(&["-n", name, "link", "set", device, "up"])?;
            }
        }
        Ok(spaces)
    }

    /// A command in one of them.
    fn command(&self, end: usize, program: &Path) -> Command {
        let mut command = Command::new("ip");
        command.args(["netns", "exec", &self.names[end]]);
        command.arg(program);
        command
    }

    /// Takes the link up or down.
    fn link(&self, is_up: bool) -> Result<(), String> {
        let state = if is_up { "up" } else { "down" };
        ip(&["-n", &self.names[0], "link", "set", &self.links[0], state])
    }
}

impl Drop for Spaces {
    fn drop(&mut self) {
        for name in &self.names {
            // What was not made cannot be removed.
            let _ = ip(&["netns", "del", name]);
        }
    }
}

fn ip(arguments: &[&str]) -> Result<(), String> {
    let output = Command::new("ip").args(arguments).output();
    let output = output.map_err(|error| format!("cannot start ip: {error}"))?;
    match output.status.success() {
        true => Ok(()),
        false => Err(String::from_utf8_lossy(&output.stderr).trim().to_owned()),
    }
}

/// A process that is gone when this is.
pub(crate) struct Running(Child, String);

impl Running {
    /// Starts it and waits for its first line.
    pub(crate) fn start(mut command: Command) -> Result<Running, String> {
        let child = command.stdout(Stdio::piped()).spawn();
        let mut child = child.map_err(|error| error.to_string())?;
        let output = child.stdout.take().ok_or("no output")?;
        let mut line = String::new();
        let read = BufReader::new(output).read_line(&mut line);
        let is_empty = line.is_empty();
        let running = Running(child, line.trim().to_owned());
        read.map_err(|error| error.to_string())?;
        match is_empty {
            true => Err("a process ended before it said anything".to_owned()),
            false => Ok(running),
        }
    }

    /// Its first line.
    pub(crate) fn said(&self) -> &str {
        &self.1
    }

    /// Ends it by force.
    pub(crate) fn kill(&mut self) {
        // It may have ended by itself.
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.kill();
    }
}

/// What a run answered.
struct Answer {
    exit: Option<i32>,
    counts: [Value; 3],
    because: String,
    seconds: f64,
}

struct Course<'c> {
    plan: &'c Plan,
    spaces: Spaces,
    folder: PathBuf,
}

impl Course<'_> {
    fn check(&self, options: &[&str]) -> Result<Answer, String> {
        let begun = Instant::now();
        let mut command = self.spaces.command(0, &self.plan.binary);
        command.args(["check", "--json", "--symmetry", "off", "--por", "off"]);
        command.arg(self.folder.join("Counters.mch")).args(options);
        let output = command.output().map_err(|error| error.to_string())?;
        let report: Value = serde_json::from_slice(&output.stdout).map_err(|_| {
            let told = String::from_utf8_lossy(&output.stderr);
            format!("no report: {}", told.trim())
        })?;
        let statistics = &report["statistics"];
        Ok(Answer {
            exit: output.status.code(),
            counts: [
                report["verdict"].clone(),
                statistics["states"].clone(),
                statistics["transitions"].clone(),
            ],
            because: report["open_because"].to_string(),
            seconds: begun.elapsed().as_secs_f64(),
        })
    }

    /// A check together with the worker, reached at an address.
    fn together(&self, address: &str, options: &[&str]) -> Result<Answer, String> {
        let hosts = self.write("hosts", &format!("first\n{address}\n"))?;
        let secret = self.folder.join("secret");
        let (hosts, secret) = (hosts.display().to_string(), secret.display().to_string());
        let many = [
            "--engine",
            "distributed",
            "--hosts",
            &hosts,
            "--secret",
            &secret,
        ];
        self.check(&[&many[..], options].concat())
    }

    fn worker(&self) -> Result<Running, String> {
        let mut command = self.spaces.command(1, &self.plan.binary);
        command.args(["worker", "--listen", WORKER, "--secret"]);
        command.arg(self.folder.join("secret"));
        Running::start(command)
    }

    fn write(&self, name: &str, text: &str) -> Result<PathBuf, String> {
        let path = self.folder.join(name);
        std::fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(path)
    }

    /// Runs while the link is down for moments.
    fn with_losses<T>(&self, run: impl FnOnce() -> T) -> T {
        let is_over = AtomicBool::new(false);
        std::thread::scope(|scope| {
            scope.spawn(|| {
                while !is_over.load(Relaxed) {
                    for (is_up, time) in [(false, 100), (true, 500)] {
                        // A link that could not be switched loses nothing.
                        let _ = self.spaces.link(is_up);
                        std::thread::sleep(Duration::from_millis(time));
                    }
                }
            });
            let answer = run();
            is_over.store(true, Relaxed);
            answer
        })
    }
}

/// Runs all; what was found wrong. `None` when there are no namespaces here, which is said on the way.
pub fn run(plan: &Plan) -> Option<Result<(), String>> {
    let spaces = match Spaces::new() {
        Ok(spaces) => spaces,
        Err(why) => {
            println!("skipped: no network namespaces can be made here: {why}");
            return None;
        }
    };
    let folder = std::env::temp_dir().join(format!("burnside-network-{}", std::process::id()));
    let course = Course {
        plan,
        spaces,
        folder,
    };
    let result = scenarios(&course);
    // That it cannot be removed changes nothing.
    let _ = std::fs::remove_dir_all(&course.folder);
    Some(result)
}

fn scenarios(course: &Course<'_>) -> Result<(), String> {
    std::fs::create_dir_all(&course.folder).map_err(|error| error.to_string())?;
    course.write("secret", "between namespaces\n")?;
    course.write("Counters.mch", &model(course.plan.size))?;
    let alone = course.check(&["--engine", "explicit"])?;
    println!("one process: {:?} in {:.1} s", alone.counts, alone.seconds);
    let same = |what: &str, answer: &Answer| {
        println!("{what}: {:?} in {:.1} s", answer.counts, answer.seconds);
        match answer.counts == alone.counts {
            true => Ok(()),
            false => Err(format!("{what}: {} {}", answer.counts[0], answer.because)),
        }
    };
    let worker = course.worker()?;
    let usual = course.together(WORKER, &[])?;
    same("two processes", &usual)?;
    let own = std::env::current_exe().map_err(|error| error.to_string())?;
    let mut relay = course.spaces.command(1, &own);
    relay.args(["network", "--delay", &course.plan.delay.to_string()]);
    relay.args(["--relay", RELAY, WORKER]);
    let relay = Running::start(relay)?;
    let delayed = format!("{} ms each way", course.plan.delay);
    same(&delayed, &course.together(RELAY, &[])?)?;
    drop(relay);
    let saves = course.folder.join("saves").display().to_string();
    let saving = ["--checkpoint", &saves, "--every", "0.5"];
    let lossy = course.with_losses(|| course.together(WORKER, &saving))?;
    match lossy.exit == Some(OPEN) {
        // Losses may take longer than a process waits; then it must be resumed as after a partition.
        true => println!("losses: open {}", lossy.because),
        false => same("losses", &lossy)?,
    }
    course.spaces.link(true)?;
    drop(worker);
    let worker = course.worker()?;
    let half = Duration::from_secs_f64(usual.seconds / 2.0);
    let broken = std::thread::scope(|scope| {
        scope.spawn(|| {
            std::thread::sleep(half);
            let _ = course.spaces.link(false);
        });
        course.together(WORKER, &saving)
    })?;
    course.spaces.link(true)?;
    println!(
        "partition: {} {} in {:.1} s",
        broken.counts[0], broken.because, broken.seconds
    );
    if broken.exit != Some(OPEN) {
        return same("a partition that came too late", &broken);
    }
    drop(worker);
    let resuming = ["--engine", "distributed", "--processes", "1"];
    let resumed = course.check(&[&resuming[..], &["--resume", &saves]].concat())?;
    same("resumed by one process", &resumed)?;
    let _worker = course.worker()?;
    same(
        "resumed by two",
        &course.together(WORKER, &["--resume", &saves])?,
    )
}

/// Three counters that move freely.
pub(crate) fn model(size: u32) -> String {
    let most = size.saturating_sub(1);
    format!(
        "MACHINE Counters\nVARIABLES x, y, z\nINVARIANT x : 0..{most} & y : 0..{most} & z : 0..{most}\n\
         INITIALISATION x, y, z := 0, 0, 0\nOPERATIONS\n\
         \x20 east = SELECT x < {most} THEN x := x + 1 END;\n\
         \x20 north = SELECT y < {most} THEN y := y + 1 END;\n\
         \x20 rise = SELECT z < {most} THEN z := z + 1 END;\n\
         \x20 home = SELECT x = {most} & y = {most} & z = {most} THEN x, y, z := 0, 0, 0 END\nEND\n"
    )
}
