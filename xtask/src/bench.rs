//! Measures the checker on whole models, side by side with a peer in one run.
//!
//! Figures are CPU seconds of the whole process, start included; machines are noisy, so compare ratios.
//! Models: those of the TLC4B comparison in the shared corpus, and our own below `benches/models`.

pub mod auto;
pub mod editor;
pub mod peers;
pub mod sizes;

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::corpus::time::{Cost, measure};
use crate::places;

/// The folder of the TLC4B comparison below the corpus.
const TLC_MODELS: &str = "corpus/sets/favu100+b2program/benchmarks/model_checking/TLC";

/// Models of that folder with the number of states that TLC4B reports.
const TLC_STATES: [(&str, u64); 6] = [
    ("Lift_MC_Large", 1_000_001),
    ("CAN_BUS_tlc", 132_598),
    ("LandingGear_R6", 131_328),
    ("nota_v2", 80_718),
    ("Cruise_finite1_deterministic_MC", 1_360),
    ("Train1_Lukas_POR", 24_635),
];

/// A model that was measured.
#[derive(Debug)]
pub struct Row {
    name: String,
    expected: Option<u64>,
    ours: Option<(Statistics, Cost)>,
    peer: Option<Cost>,
}

#[derive(Debug)]
struct Statistics {
    states: u64,
    transitions: u64,
}

impl Row {
    /// Whether the run finished with the expected number of states.
    pub fn is_good(&self) -> bool {
        self.ours.as_ref().is_some_and(|(statistics, _)| {
            self.expected
                .is_none_or(|expected| expected == statistics.states)
        })
    }
}

/// Measures all models whose name contains `only`.
pub fn run(binary: &Path, tlc4b: Option<&Path>, only: Option<&str>) -> Vec<Row> {
    let mut models: Vec<(PathBuf, Option<u64>)> = Vec::new();
    if let Some(shared) = places::shared() {
        for (name, states) in TLC_STATES {
            models.push((
                shared.join(TLC_MODELS).join(format!("{name}.mch")),
                Some(states),
            ));
        }
    }
    for file in places::files_below(&places::root().join("benches/models"), places::B_EXTENSIONS) {
        models.push((file, None));
    }
    let mut rows = Vec::new();
    for (path, expected) in models {
        let name = path
            .file_stem()
            .map(|stem| stem.to_string_lossy().into_owned())
            .unwrap_or_default();
        if only.is_some_and(|only| !name.contains(only)) {
            continue;
        }
        let peer = match (tlc4b, places::shared()) {
            (Some(folder), Some(shared)) if expected.is_some() => {
                let mut command = Command::new("bash");
                command
                    .arg(shared.join("bench/tlc4b.sh"))
                    .arg(folder)
                    .arg(&path)
                    .stdout(Stdio::null());
                measure(&mut command).ok().map(|(cost, _)| cost)
            }
            _ => None,
        };
        rows.push(Row {
            ours: check(binary, &path),
            name,
            expected,
            peer,
        });
    }
    rows
}

fn check(binary: &Path, path: &Path) -> Option<(Statistics, Cost)> {
    let mut command = Command::new(binary);
    command
        .arg("check")
        .arg(path)
        .args([
            "--json",
            "--engine",
            "explicit",
            "--symmetry",
            "off",
            "--por",
            "off",
        ])
        .args(["--progress", "never"])
        .stdout(Stdio::piped());
    let (cost, output) = measure(&mut command).ok()?;
    let report: serde_json::Value = serde_json::from_str(&output).ok()?;
    let number = |key: &str| report["statistics"][key].as_u64();
    Some((
        Statistics {
            states: number("states")?,
            transitions: number("transitions")?,
        },
        cost,
    ))
}

/// The rows as a Markdown table.
pub fn table(rows: &[Row]) -> String {
    let mut out = String::from(
        "| model | states | transitions | CPU s | states/s | peak MB | TLC4B CPU s | ratio |\n|---|---|---|---|---|---|---|---|\n",
    );
    for row in rows {
        let Some((statistics, cost)) = &row.ours else {
            let _ = writeln!(out, "| {} | failed | | | | | | |", row.name);
            continue;
        };
        let cpu = cost.cpu.as_secs_f64().max(0.01);
        let note = match row.expected {
            Some(expected) if expected != statistics.states => format!(" (expected {expected})"),
            _ => String::new(),
        };
        let (peer, ratio) = match &row.peer {
            Some(peer) => {
                let peer = peer.cpu.as_secs_f64();
                (format!("{peer:.2}"), format!("{:.1}", peer / cpu))
            }
            None => (String::new(), String::new()),
        };
        let _ = writeln!(
            out,
            "| {} | {}{note} | {} | {cpu:.2} | {:.0} | {:.0} | {peer} | {ratio} |",
            row.name,
            statistics.states,
            statistics.transitions,
            statistics.states as f64 / cpu,
            cost.peak_bytes as f64 / 1e6,
        );
    }
    out
}

const BEGIN: &str = "<!-- cargo xtask bench -->\n";
const END: &str = "<!-- end of cargo xtask bench -->\n";

/// Replaces the table between the marks of `cargo xtask bench` in a document.
pub fn write(path: &Path, table: &str) -> std::io::Result<()> {
    let text = std::fs::read_to_string(path)?;
    let (Some(begin), Some(end)) = (text.find(BEGIN), text.find(END)) else {
        return Err(std::io::Error::other("the marks of the table are missing"));
    };
    let mut new = text[..begin + BEGIN.len()].to_owned();
    new.push('\n');
    new.push_str(table);
    new.push('\n');
    new.push_str(&text[end..]);
    std::fs::write(path, new)
}
