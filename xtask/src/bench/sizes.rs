//! Measures how far each way to deal with symmetric states goes: models that grow until every way has given up.
//!
//! A way gives up when it takes more CPU seconds than it is given, or more memory; it is not tried on larger sizes then. All ways must
//! come to one verdict, and those that say how many states there are to one number of them.

use std::fmt::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use serde_json::Value;

use crate::corpus::time::measure;
use crate::places;

/// A model that grows.
struct Family {
    name: &'static str,
    file: &'static str,
    /// The sets whose sizes grow.
    sets: &'static [&'static str],
    sizes: &'static [u32],
}

const FAMILIES: [Family; 9] = [
    Family {
        name: "scheduler",
        file: "benches/symmetry/Scheduler.mch",
        sets: &["Proc"],
        sizes: &[4, 6, 7, 8, 9, 10, 12, 16, 24, 32, 48],
    },
    Family {
        name: "Peterson",
        file: "examples/b/Peterson.mch",
        sets: &["Proc"],
        sizes: &[3, 4, 5, 6, 7, 8],
    },
    Family {
        name: "philosophers",
        file: "examples/b/Philosophers.mch",
        sets: &["Phil", "Forks"],
        sizes: &[3, 4, 5, 6, 7],
    },
    Family {
        name: "server farm",
        file: "benches/symmetry/ServerFarm.mch",
        sets: &["Server", "User"],
        sizes: &[3, 4, 5, 6, 7, 8, 10, 12, 16, 24],
    },
    Family {
        name: "coherence",
        file: "examples/b/Coherence.mch",
        sets: &["Cache"],
        sizes: &[5, 7, 8, 9, 10, 12, 14, 20, 28],
    },
    Family {
        name: "queued directory",
        file: "examples/b/Directory.mch",
        sets: &["Cache"],
        sizes: &[4, 5, 6, 7, 8, 9, 10, 11, 12, 13],
    },
    Family {
        name: "ring of seats",
        file: "examples/b/SeatRing.mch",
        sets: &["Proc"],
        sizes: &[5, 6, 7, 8, 9, 11, 13, 14, 16, 20, 28, 40, 56],
    },
    Family {
        name: "token ring",
        file: "examples/b/TokenRing.mch",
        sets: &["Proc"],
        sizes: &[5, 6, 7, 8, 9],
    },
    Family {
        name: "ticket lock",
        file: "examples/b/Ticket.mch",
        sets: &["Proc"],
        sizes: &[5, 6, 7, 8, 10, 11, 14, 20, 28, 40],
    },
];

/// The ways, and which of them look at every state.
const WAYS: [(&str, &[&str], bool); 5] = [
    (
        "all, one by one",
        &["--engine", "explicit", "--symmetry", "off", "--por", "off"],
        true,
    ),
    (
        "exact, one by one",
        &[
            "--engine",
            "explicit",
            "--symmetry",
            "exact",
            "--por",
            "off",
        ],
        false,
    ),
    (
        "diagrams",
        &["--engine", "symbolic", "--symmetry", "off"],
        true,
    ),
    (
        "dynamic",
        &["--engine", "symbolic", "--symmetry", "dynamic"],
        false,
    ),
    (
        "multiple",
        &["--engine", "symbolic", "--symmetry", "multiple"],
        false,
    ),
];

/// What one run may take.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// CPU seconds.
    pub seconds: u64,
    /// Bytes of memory, in millions.
    pub megabytes: u64,
}

/// One size of a family with all ways.
#[derive(Debug)]
pub struct Row {
    family: &'static str,
    size: u32,
    /// All states, as those say that know.
    states: Vec<String>,
    verdicts: Vec<String>,
    /// For each way what it came to.
    cells: Vec<Cell>,
}

#[derive(Clone, Debug)]
enum Cell {
    /// It gave up on a smaller size.
    Left,
    /// It gives up.
    GaveUp(&'static str),
    /// States that it had, the nodes of their diagram, CPU seconds.
    Done(String, Option<u64>, f64),
}

impl Row {
    /// Whether all ways agree.
    pub fn is_good(&self) -> bool {
        let is_one = |all: &[String]| all.windows(2).all(|pair| pair[0] == pair[1]);
        is_one(&self.states) && is_one(&self.verdicts)
    }
}

/// Measures the families whose name contains `only`.
pub fn run(binary: &Path, only: Option<&str>, limits: Limits) -> Vec<Row> {
    let mut rows = Vec::new();
    for family in &FAMILIES {
        if only.is_some_and(|only| !family.name.contains(only)) {
            continue;
        }
        let mut is_up = [true; WAYS.len()];
        for size in family.sizes {
            let row = measure_size(binary, (family, *size), &mut is_up, limits);
            eprint!("{}", line(&row));
            rows.push(row);
            if !is_up.contains(&true) {
                break;
            }
        }
    }
    rows
}

fn measure_size(
    binary: &Path,
    (family, size): (&Family, u32),
    is_up: &mut [bool],
    limits: Limits,
) -> Row {
    let mut row = Row {
        family: family.name,
        size,
        states: Vec::new(),
        verdicts: Vec::new(),
        cells: Vec::new(),
    };
    for ((_, options, has_all), is_up) in WAYS.iter().zip(is_up) {
        if !*is_up {
            row.cells.push(Cell::Left);
            continue;
        }
        let found = check(binary, (family, size), options, limits);
        let Ok((report, cpu)) = found else {
            *is_up = false;
            row.cells.push(Cell::GaveUp("time"));
            continue;
        };
        let verdict = report["verdict"].as_str().unwrap_or("none");
        if verdict == "open" {
            *is_up = false;
            row.cells.push(Cell::GaveUp("memory"));
            continue;
        }
        row.verdicts.push(verdict.to_owned());
        let states = shown(&report["statistics"]["states"]);
        let nodes = report["statistics"]["ldd_nodes"].as_u64();
        let stands_for = match has_all {
            true => &report["statistics"]["states"],
            false => &report["reductions"]["symmetry"]["states"],
        };
        if !stands_for.is_null() {
            row.states.push(shown(stands_for));
        }
        row.cells.push(Cell::Done(states, nodes, cpu));
    }
    row
}

/// The report and the CPU seconds of a run; an error when it takes too long.
fn check(
    binary: &Path,
    (family, size): (&Family, u32),
    options: &[&str],
    limits: Limits,
) -> Result<(Value, f64), String> {
    let mut command = Command::new("bash");
    command
        .args(["-c", "ulimit -t $0 && exec \"$@\""])
        .arg(limits.seconds.to_string())
        .arg(binary)
        .arg("check")
        .arg(places::root().join(family.file))
        .args(["--json", "--progress", "never", "--no-deadlock"])
        .args(["--max-memory", &format!("{}M", limits.megabytes)])
        .args(options)
        .stdout(Stdio::piped());
    for set in family.sets {
        command.args(["--card", &format!("{set}={size}")]);
    }
    let (cost, output) = measure(&mut command).map_err(|why| why.to_string())?;
    let report = serde_json::from_str(&output).map_err(|why| why.to_string())?;
    Ok((report, cost.cpu.as_secs_f64()))
}

/// A number of the report, which may be a string.
fn shown(number: &Value) -> String {
    match number {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    }
}

/// The rows as a Markdown table.
pub fn text(rows: &[Row]) -> String {
    let mut out = String::from("| model | N | states |");
    for (name, ..) in WAYS {
        let _ = write!(out, " {name} |");
    }
    out.push_str("\n|---|---|---|");
    out.push_str(&"---|".repeat(WAYS.len()));
    out.push('\n');
    rows.iter().for_each(|row| out.push_str(&line(row)));
    out
}

fn line(row: &Row) -> String {
    let states = match row.states.first() {
        Some(states) if states.len() > 13 => {
            let digits = states.as_bytes();
            let [first, second] = [digits[0] as char, digits[1] as char];
            format!("{first}.{second}e{}", states.len() - 1)
        }
        Some(states) => grouped(states),
        None => String::new(),
    };
    let mut out = format!("| {} | {} | {states} |", row.family, row.size);
    for cell in &row.cells {
        let text = match cell {
            Cell::Left => String::new(),
            Cell::GaveUp(why) => format!("gave up ({why})"),
            Cell::Done(states, nodes, cpu) => {
                let nodes = nodes.map(|nodes| format!(", {} nodes", grouped(&nodes.to_string())));
                format!(
                    "{cpu:.2} ({}{})",
                    grouped(states),
                    nodes.unwrap_or_default()
                )
            }
        };
        let _ = write!(out, " {text} |");
    }
    if !row.is_good() {
        let _ = write!(out, " disagree: {:?} {:?}", row.verdicts, row.states);
    }
    out.push('\n');
    out
}

/// Digits in groups of three, or as a power of ten where they are very many.
fn grouped(digits: &str) -> String {
    let mut out = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}
