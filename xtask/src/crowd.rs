//! Many clients do random things to one server of pages: it neither falls nor grows.
//!
//! The memory of the server and of all sessions that it started is compared: before, after, and some seconds later. Walks that clients leave
//! behind are ended as a page that is closed ends them. What a first round of everything needs is no leak (threads, code that is read in,
//! results that are kept), so a smaller crowd comes before. Loopback only, bounded in clients and time.

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use base::Random;
use serde_json::{Value, json};

use crate::client::Pages;

/// A lift that breaks its invariant.
const LIFT: &str = "MACHINE Lift\nVARIABLES at\nINVARIANT at : 0..4\nINITIALISATION at := 0\nOPERATIONS\n  up = PRE at < 9 THEN at := at + 1 END;\n  down = SELECT at > 0 THEN at := at - 1 END\nEND\n";
/// Counters without an end.
const ENDLESS: &str = "MACHINE Endless\nVARIABLES a, b\nINVARIANT a : INTEGER & b : INTEGER\nINITIALISATION a := 0 || b := 0\nOPERATIONS\n  aa = BEGIN a := a + 1 END;\n  bb = BEGIN b := b + 1 END\nEND\n";
/// Two processes.
const PROCESSES: &str =
    "byte n;\nactive [2] proctype P() { do :: n < 5 -> n++ :: n > 0 -> n-- od }\n";

/// How long the crowd comes that warms the server up.
const WARM_UP: Duration = Duration::from_secs(5);
/// What a server that rests has given back by then.
const LATER: Duration = Duration::from_secs(5);

/// What happened.
#[derive(Debug, Default)]
pub struct Outcome {
    /// How many requests had each status.
    pub statuses: BTreeMap<u16, u64>,
    /// Requests without an answer.
    pub unanswered: u64,
    /// Jobs or walks that somebody without the token was told of.
    pub leaked: u64,
    /// Sessions that ended while they were asked.
    pub fell: u64,
    /// What the server said on standard error: its bugs.
    pub said: String,
    /// When the server began.
    pub begun: Memory,
    /// After the crowd that warms up.
    pub before: Memory,
    /// When the crowd had left and nothing ran any more.
    pub after: Memory,
    /// Some seconds later.
    pub later: Memory,
    /// The most that the server and its sessions needed together.
    pub peak: u64,
    /// Whether the server still answers.
    pub is_alive: bool,
}

/// Resident bytes.
#[derive(Clone, Copy, Debug, Default)]
pub struct Memory {
    /// Of the server.
    pub server: u64,
    /// Of its sessions.
    pub sessions: u64,
}

impl Memory {
    fn all(self) -> u64 {
        self.server + self.sessions
    }

    fn text(self) -> String {
        let megabytes = |bytes: u64| bytes as f64 / 1e6;
        match self.sessions {
            0 => format!("{:.1} MB", megabytes(self.server)),
            sessions => format!(
                "{:.1} MB and {:.1} MB of sessions",
                megabytes(self.server),
                megabytes(sessions)
            ),
        }
    }
}

impl Outcome {
    /// Whether nothing fell, leaked or grew by more than a tenth.
    pub fn is_good(&self) -> bool {
        let is_answered = !self.statuses.contains_key(&500) && self.unanswered == 0;
        let is_whole = self.is_alive && self.fell == 0 && self.said.is_empty();
        let grew = |memory: Memory| memory.all() * 10 > self.before.all() * 11;
        is_answered && is_whole && self.leaked == 0 && !grew(self.after) && !grew(self.later)
    }

    /// All of it in words.
    pub fn text(&self) -> String {
        let statuses: Vec<String> = self
            .statuses
            .iter()
            .map(|(status, count)| format!("{status}: {count}"))
            .collect();
        let grown = self.later.all() as f64 / self.before.all().max(1) as f64 - 1.0;
        let mut text = format!(
            "requests by status: {}; without an answer: {}\ntold to strangers: {}; sessions that fell: {}\n\
             memory: {} at the beginning, {} warm, {} after the crowd, {} later ({:+.1} %); with sessions at most {:.0} MB\nthe server {}\n",
            statuses.join(", "),
            self.unanswered,
            self.leaked,
            self.fell,
            self.begun.text(),
            self.before.text(),
            self.after.text(),
            self.later.text(),
            grown * 100.0,
            self.peak as f64 / 1e6,
            if self.is_alive { "answers" } else { "is gone" },
        );
        text.push_str(&self.said);
        text
    }
}

/// Lets so many clients do random things for so long.
pub fn run(binary: &Path, clients: usize, time: Duration) -> io::Result<Outcome> {
    let folder = std::env::temp_dir().join(format!("burnside-crowd-{}", std::process::id()));
    fs::create_dir_all(&folder)?;
    for (name, text) in [
        ("Lift.mch", LIFT),
        ("Endless.mch", ENDLESS),
        ("two.pml", PROCESSES),
    ] {
        fs::write(folder.join(name), text)?;
    }
    let outcome = crowd(binary, &folder, clients, time);
    let _ = fs::remove_dir_all(&folder);
    outcome
}

fn crowd(binary: &Path, folder: &Path, clients: usize, time: Duration) -> io::Result<Outcome> {
    let mut pages = Pages::start(binary, folder)?;
    let process = pages.process();
    pages.ask("GET", "files", &Value::Null)?;
    let begun = memory(process);
    let warmed = Mutex::new(Outcome::default());
    visit_all(&pages, clients, WARM_UP, &warmed);
    let before = settled(process);
    let outcome = Mutex::new(Outcome::default());
    let over = AtomicBool::new(false);
    let peak = std::thread::scope(|scope| {
        let watcher = scope.spawn(|| {
            let mut peak = 0;
            while !over.load(Ordering::Relaxed) {
                peak = peak.max(memory(process).all());
                std::thread::sleep(Duration::from_millis(200));
            }
            peak
        });
        visit_all(&pages, clients, time, &outcome);
        over.store(true, Ordering::Relaxed);
        watcher.join().unwrap_or(0)
    });
    let after = settled(process);
    std::thread::sleep(LATER);
    let mut outcome = outcome.into_inner().unwrap_or_default();
    outcome.begun = begun;
    outcome.before = before;
    outcome.after = after;
    outcome.later = memory(process);
    outcome.peak = peak;
    let answers = pages.ask("GET", "files", &Value::Null);
    outcome.is_alive = pages.is_alive() && answers.is_ok_and(|(status, _)| status == 200);
    outcome.said = pages.end();
    Ok(outcome)
}

fn visit_all(pages: &Pages, clients: usize, time: Duration, outcome: &Mutex<Outcome>) {
    let end = Instant::now() + time;
    std::thread::scope(|scope| {
        for client in 0..clients {
            scope.spawn(move || visit(pages, client as u64 + 1, end, outcome));
        }
    });
}

/// One client; every tenth has not the token.
fn visit(pages: &Pages, seed: u64, end: Instant, outcome: &Mutex<Outcome>) {
    let mut random = Random::new(seed);
    let is_stranger = seed.is_multiple_of(10);
    let mut walks: Vec<Value> = Vec::new();
    let mut jobs: Vec<Value> = Vec::new();
    while Instant::now() < end {
        let (method, path, body) = match is_stranger {
            true => strange(&mut random),
            false => request(&mut random, &walks, &jobs),
        };
        let answer = match is_stranger {
            true => pages.ask_as("0123456789abcdef0123456789abcdef", method, &path, &body),
            false => pages.ask(method, &path, &body),
        };
        let Ok(mut outcome) = outcome.lock() else {
            return;
        };
        match answer {
            Ok((status, told)) => {
                *outcome.statuses.entry(status).or_default() += 1;
                let error = told["error"].as_str().unwrap_or_default();
                outcome.fell += u64::from(error.contains("ended unexpectedly"));
                let is_told = told.get("error").is_none();
                outcome.leaked += u64::from(is_stranger && (status == 200 || is_told));
                walks.extend(told.get("walk").cloned());
                jobs.extend(told.get("job").filter(|_| method == "POST").cloned());
            }
            Err(_) => outcome.unanswered += 1,
        }
        drop(outcome);
        std::thread::sleep(Duration::from_millis(random.below(60) as u64));
    }
    for walk in walks {
        let _ = pages.ask("DELETE", &format!("walks/{walk}"), &Value::Null);
    }
    for job in jobs {
        let _ = pages.ask("DELETE", &format!("jobs/{job}"), &Value::Null);
    }
}

type Asked = (&'static str, String, Value);

fn request(random: &mut Random, walks: &[Value], jobs: &[Value]) -> Asked {
    let file = random.pick(&["Lift.mch", "Endless.mch", "two.pml"]);
    let ask = |request: Value| ("POST", "ask".to_owned(), json!({ "request": request }));
    let one_of = |random: &mut Random, known: &[Value]| match known.is_empty() {
        true => json!(1),
        false => known[random.below(known.len())].clone(),
    };
    match random.below(13) {
        0 => ("GET", "files".to_owned(), Value::Null),
        1 => ("GET", format!("file?path={file}"), Value::Null),
        2 => ask(json!({ "do": "lint", "file": file })),
        3 => ask(json!({ "do": "eval", "formulas": ["1/0", "{x|x : 1..9}", "nonsense ("] })),
        4 => ask(json!({ "do": "graph", "file": "Lift.mch", "what": "enabling", "to": "svg" })),
        5 => (
            "POST",
            "walks".to_owned(),
            json!({ "request": { "do": "open", "file": file } }),
        ),
        6 => (
            "POST",
            "walks".to_owned(),
            json!({ "request": { "do": "explore", "file": file, "max_states": 500 } }),
        ),
        7 | 8 => {
            let walk = one_of(random, walks);
            let command = random.pick(&["random 3", "undo", "1", "invariant", "branches", "bad"]);
            let request = json!({ "do": "obey", "commands": [command] });
            (
                "POST",
                format!("walks/{walk}"),
                json!({ "request": request }),
            )
        }
        9 => {
            let walk = one_of(random, walks);
            (
                "POST",
                format!("walks/{walk}"),
                json!({ "request": { "do": "grow" } }),
            )
        }
        10 => {
            let check = json!({ "max_time": 2, "max_states": 20000 });
            let request = json!({ "do": "check", "file": file, "check": check, "page": true });
            (
                "POST",
                "jobs".to_owned(),
                json!({ "title": file, "request": request }),
            )
        }
        11 => {
            let job = one_of(random, jobs);
            let method = if random.flip() { "GET" } else { "DELETE" };
            (method, format!("jobs/{job}"), Value::Null)
        }
        _ => {
            let walk = one_of(random, walks);
            ("DELETE", format!("walks/{walk}"), Value::Null)
        }
    }
}

/// What somebody without the token tries.
fn strange(random: &mut Random) -> Asked {
    let paths = ["files", "jobs", "jobs/1", "walks/1", "file?path=Lift.mch"];
    let path = random.pick(&paths).to_owned();
    let method = random.pick(&["GET", "POST", "DELETE"]);
    (
        method,
        path,
        json!({ "request": { "do": "obey", "commands": ["state"] } }),
    )
}

/// The memory of the server and of its sessions once nothing runs any more.
fn settled(process: u32) -> Memory {
    let begun = Instant::now();
    loop {
        std::thread::sleep(Duration::from_secs(1));
        let memory = memory(process);
        if memory.sessions == 0 || begun.elapsed() > Duration::from_secs(20) {
            return memory;
        }
    }
}

/// The memory of a process and of its children.
fn memory(process: u32) -> Memory {
    let mut sessions = 0;
    for entry in fs::read_dir("/proc").into_iter().flatten().flatten() {
        let name = entry.file_name();
        let Some(id) = name.to_str().and_then(|name| name.parse::<u32>().ok()) else {
            continue;
        };
        let stat = fs::read_to_string(entry.path().join("stat")).unwrap_or_default();
        // Behind the name in brackets: the state, then the parent.
        let parent = stat.rsplit(')').next().and_then(|rest| {
            let mut words = rest.split_whitespace();
            words.nth(1)?.parse::<u32>().ok()
        });
        if parent == Some(process) {
            sessions += resident(id);
        }
    }
    Memory {
        server: resident(process),
        sessions,
    }
}

fn resident(process: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find(|line| line.starts_with("VmRSS:"));
    let kilobytes = line.and_then(|line| line.split_whitespace().nth(1)?.parse::<u64>().ok());
    kilobytes.unwrap_or(0) * 1024
}
