//! Measures programs beside the verifiers that SPIN and Rumur generate, in one run on one machine.
//!
//! Runs of both sides alternate and the least CPU time of each counts, since others use the machine too. Compilers are not
//! counted. CMurphi is not run: its figures in the table are scaled by what Rumur takes here and took there. Rumur itself runs
//! only where the table says that this is soon done; its memory is the table's elsewhere.

use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use crate::corpus::time::{Cost, measure_within};
use crate::places;
use crate::table::{Record, read_csv};

/// Verifiers that take longer run once: the noise of a machine is smaller than their time.
const LONG: f64 = 2.0;
/// A verifier of Rumur that took longer there does not run here.
const SOON: f64 = 15.0;

/// What is measured.
pub struct Plan<'p> {
    /// The program.
    pub binary: &'p Path,
    /// Only models whose name contains this.
    pub only: Option<&'p str>,
    /// How often each side runs.
    pub runs: usize,
    /// Further options of `check`.
    pub options: &'p [String],
    /// A run that takes longer is ended and has failed.
    pub limit: Duration,
}

/// A model on both sides.
pub struct Row {
    name: String,
    expected: u64,
    states: Option<u64>,
    ours: Option<Cost>,
    peer: Option<Cost>,
    /// What the peer takes that time is compared with.
    goal: Option<f64>,
    /// What the peer takes that memory is compared with.
    most_bytes: Option<u64>,
}

impl Row {
    /// Whether the run finished with the expected number of states.
    pub fn is_good(&self) -> bool {
        self.states == Some(self.expected)
    }

    /// Whoever waits sees how far it is.
    fn tell(&self) {
        let (ours, peer) = (seconds(&self.ours), seconds(&self.peer));
        eprintln!("{}: {ours} s beside {peer} s", self.name);
    }

    fn ratio(&self) -> Option<f64> {
        Some(self.ours.as_ref()?.cpu.as_secs_f64() / self.goal?)
    }
}

/// The heads of columns.
pub struct Heads {
    peer: &'static str,
    goal: &'static str,
    memory: &'static str,
}

/// The heads of a table beside SPIN.
pub const SPIN: Heads = Heads {
    peer: "pan",
    goal: "goal",
    memory: "pan -DCOLLAPSE",
};

/// The heads of a table beside Rumur.
pub const MURPHI: Heads = Heads {
    peer: "Rumur",
    goal: "CMurphi, scaled",
    memory: "Rumur",
};

/// Both sides on the models of `spin.csv`, in SPIN's two ways of counting.
pub fn spin(plan: &Plan<'_>) -> Result<Vec<Row>, String> {
    let Some((shared, records)) = table("spin.csv", "spin") else {
        return Ok(Vec::new());
    };
    let mut rows = Vec::new();
    for record in records.iter().filter(|record| record["store"] == "plain") {
        let path = shared.join("corpus").join(&record["path"]);
        let is_default = record["counting"] == "spin";
        let name = format!("{} ({})", stem(&path), record["counting"]);
        if plan.only.is_some_and(|only| !name.contains(only)) {
            continue;
        }
        let folder = folder(&name)?;
        let mut generate = Command::new("spin");
        generate.current_dir(&folder);
        if !is_default {
            generate.args(["-o1", "-o2", "-o3"]);
        }
        finish(generate.arg("-a").arg(&path))?;
        for (output, define) in [("pan", None), ("collapse", Some("-DCOLLAPSE"))] {
            // Compilers take most of the time: what they made once is kept.
            if folder.join(output).exists() {
                continue;
            }
            let mut compile = Command::new("gcc");
            compile
                .current_dir(&folder)
                .args(["-O2", "-w", "-o", output]);
            compile.args(["-DSAFETY", "-DNOREDUCE", "-DNOCLAIM"]);
            finish(compile.args(define).arg("pan.c"))?;
        }
        // Whoever looks for end states stops at one, or counts them all; neither is wanted.
        let has_ends = !record["findings"].is_empty();
        let verifier = |program: &str| {
            let mut command = Command::new(folder.join(program));
            let depth = number(record, "depth") + 10;
            command.args(["-c0", "-n", "-w24", &format!("-m{depth}")]);
            command.args(has_ends.then_some("-E"));
            command
        };
        let mut options = vec!["--language", "promela", "--symmetry", "off"];
        options.extend(has_ends.then_some("--no-deadlock"));
        options.extend(is_default.then_some("--spin-counts"));
        let mut row = sides(
            plan,
            (name, record),
            &path,
            &options,
            Some(&|| verifier("pan")),
        );
        row.goal = row.peer.as_ref().map(|peer| peer.cpu.as_secs_f64());
        let mut collapse = verifier("collapse");
        let collapse = measure_within(collapse.stdout(Stdio::null()), plan.limit).ok();
        row.most_bytes = collapse.map(|(cost, _)| cost.peak_bytes);
        row.tell();
        rows.push(row);
    }
    Ok(rows)
}

/// Both sides on the models of `murphi.csv`.
pub fn murphi(plan: &Plan<'_>) -> Result<Vec<Row>, String> {
    let Some((shared, records)) = table("murphi.csv", "rumur") else {
        return Ok(Vec::new());
    };
    let mut rows = Vec::new();
    let (mut scales, mut bases) = (Vec::new(), Vec::new());
    for record in &records {
        let path = shared.join("corpus").join(&record["path"]);
        let symmetry = record["symmetry"].as_str();
        let name = format!("{} ({symmetry})", stem(&path));
        if plan.only.is_some_and(|only| !name.contains(only)) {
            continue;
        }
        let there: Option<f64> = record["rumur_s"].parse().ok();
        let there = there.filter(|seconds| *seconds <= SOON);
        let folder = folder(&name)?;
        if there.is_some() {
            let reduction = if symmetry == "off" {
                "off"
            } else {
                "exhaustive"
            };
            let mut generate = Command::new("rumur");
            generate.args(["--threads", "1", "--deadlock-detection", "off"]);
            generate.args(["--symmetry-reduction", reduction, "-o", "m.c"]);
            finish(generate.arg(&path).current_dir(&folder))?;
            let mut compile = Command::new("gcc");
            compile.current_dir(&folder).args(["-O3", "-std=c11"]);
            compile.args(["-mcx16", "-w", "-o", "m", "m.c"]);
            finish(compile.args(["-lpthread", "-latomic"]))?;
        }
        let options = ["--deadlock", "off", "--symmetry", symmetry];
        let verifier = || Command::new(folder.join("m"));
        let verifier: Option<&dyn Fn() -> Command> = match there {
            Some(_) => Some(&verifier),
            None => None,
        };
        let mut row = sides(plan, (name, record), &path, &options, verifier);
        let here = row.peer.as_ref().map(|peer| peer.cpu.as_secs_f64());
        let scale = here.zip(there).map(|(here, there)| here / there);
        scales.extend(scale);
        let base = record["cmurphi_s"].parse::<f64>().ok();
        row.goal = base.zip(scale).map(|(base, scale)| base * scale);
        bases.push(base);
        if symmetry == "off" {
            let here = row.peer.as_ref().map(|peer| peer.peak_bytes);
            let told = record["rumur_mb"].parse::<u64>().ok();
            row.most_bytes = here.or(told.map(|megabytes| megabytes * 1_000_000));
        }
        row.tell();
        rows.push(row);
    }
    // What Rumur cannot tell about one model is told by the others.
    let usual = median(&mut scales).unwrap_or(1.0);
    for (row, base) in rows.iter_mut().zip(bases) {
        row.goal = row.goal.or(base.map(|base| base * usual));
    }
    Ok(rows)
}

/// Runs both sides in turns; the verifier only if there is one.
fn sides(
    plan: &Plan<'_>,
    (name, record): (String, &Record),
    path: &Path,
    options: &[&str],
    verifier: Option<&dyn Fn() -> Command>,
) -> Row {
    let mut row = Row {
        name,
        expected: number(record, "states"),
        states: None,
        ours: None,
        peer: None,
        goal: None,
        most_bytes: None,
    };
    let mut command = Command::new(plan.binary);
    command
        .arg("check")
        .arg(path)
        .args(options)
        .args(plan.options);
    command.args(["--json", "--progress", "never", "--threads", "1"]);
    command.args(["--engine", "explicit", "--por", "off"]);
    command.stdout(Stdio::piped());
    for _ in 0..plan.runs {
        let is_short = |peer: &Cost| peer.cpu.as_secs_f64() < LONG;
        if let Some(verifier) = verifier
            && row.peer.as_ref().is_none_or(is_short)
        {
            let cost = measure_within(verifier().stdout(Stdio::null()), plan.limit);
            keep_least(&mut row.peer, cost.ok().map(|(cost, _)| cost));
        }
        let Ok((cost, output)) = measure_within(&mut command, plan.limit) else {
            break;
        };
        let report: serde_json::Value = serde_json::from_str(&output).unwrap_or_default();
        row.states = report["statistics"]["states"].as_u64();
        let is_long = cost.cpu.as_secs_f64() > LONG;
        keep_least(&mut row.ours, Some(cost));
        if is_long {
            break;
        }
    }
    row
}

fn seconds(cost: &Option<Cost>) -> String {
    let cost = cost.as_ref();
    cost.map_or(String::new(), |cost| {
        format!("{:.2}", cost.cpu.as_secs_f64())
    })
}

fn keep_least(least: &mut Option<Cost>, cost: Option<Cost>) {
    if let Some(cost) = cost
        && least.as_ref().is_none_or(|least| cost.cpu < least.cpu)
    {
        *least = Some(cost);
    }
}

/// The rows as a Markdown table, and the median of the ratios.
pub fn text(rows: &[Row], heads: &Heads) -> String {
    let Heads { peer, goal, memory } = heads;
    let mut out = format!(
        "| model | states | CPU s | {peer} CPU s | {goal} | ratio | peak MB | {memory} MB |\n|---|---|---|---|---|---|---|---|\n"
    );
    let megabytes = |bytes: u64| format!("{:.0}", bytes as f64 / 1e6);
    for row in rows {
        let states = match row.states {
            Some(states) if states == row.expected => states.to_string(),
            Some(states) => format!("{states} (expected {})", row.expected),
            None => "failed".to_owned(),
        };
        let _ = writeln!(
            out,
            "| {} | {states} | {} | {} | {} | {} | {} | {} |",
            row.name,
            seconds(&row.ours),
            seconds(&row.peer),
            row.goal
                .map(|goal| format!("{goal:.2}"))
                .unwrap_or_default(),
            row.ratio()
                .map(|ratio| format!("{ratio:.2}"))
                .unwrap_or_default(),
            row.ours
                .as_ref()
                .map(|cost| megabytes(cost.peak_bytes))
                .unwrap_or_default(),
            row.most_bytes.map(megabytes).unwrap_or_default(),
        );
    }
    let mut ratios: Vec<f64> = rows.iter().filter_map(Row::ratio).collect();
    if let Some(median) = median(&mut ratios) {
        let most = ratios.last().copied().unwrap_or(median);
        let _ = writeln!(out, "\nMedian ratio {median:.2}, largest {most:.2}.");
    }
    out
}

/// The table of a peer and the folder it lies in; `None`, visibly, where it or the peer is absent.
fn table(name: &str, peer: &str) -> Option<(PathBuf, Vec<Record>)> {
    let shared = places::shared()?;
    let is_there = Command::new(peer)
        .arg("--version")
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .status();
    if is_there.is_err() {
        println!("skipped: {peer} is not installed");
        return None;
    }
    match read_csv(&shared.join("bench").join(name)) {
        Ok(records) => Some((shared, records)),
        Err(error) => {
            println!("skipped: ../shared/bench/{name}: {error}");
            None
        }
    }
}

/// A folder for what a peer generates.
fn folder(name: &str) -> Result<PathBuf, String> {
    let folder = places::root().join("target/peers").join(name);
    match std::fs::create_dir_all(&folder) {
        Ok(()) => Ok(folder),
        Err(error) => Err(format!("cannot make {}: {error}", folder.display())),
    }
}

fn finish(command: &mut Command) -> Result<(), String> {
    let status = command.stdout(Stdio::null()).stderr(Stdio::null()).status();
    match status {
        Ok(status) if status.success() => Ok(()),
        _ => Err(format!("this failed: {command:?}")),
    }
}

pub(super) fn stem(path: &Path) -> String {
    let stem = path.file_stem().unwrap_or_default();
    stem.to_string_lossy().into_owned()
}

pub(super) fn number(record: &Record, column: &str) -> u64 {
    record[column].parse().unwrap_or(0)
}

pub(super) fn median(values: &mut [f64]) -> Option<f64> {
    values.sort_by(f64::total_cmp);
    values.get(values.len() / 2).copied()
}
