//! Runs that are stopped: by a signal, by a limit, by force; and runs that go on from where they were.

use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use super::{ENDLESS, LARGE, LARGE_STATES, LIFT};
use crate::support::Folder;

/// Nothing here takes longer, even on a busy machine.
const PATIENCE: Duration = Duration::from_secs(120);

fn wait_until(what: &str, mut happened: impl FnMut() -> bool) {
    let start = Instant::now();
    while !happened() {
        assert!(start.elapsed() < PATIENCE, "{what} did not happen");
        std::thread::sleep(Duration::from_millis(10));
    }
}

fn signal(child: &Child, name: &str) {
    let status = Command::new("kill")
        .args([name, &child.id().to_string()])
        .status()
        .expect("kill can be run");
    assert!(status.success(), "kill {name}");
}

fn is_nonempty(path: &Path) -> bool {
    std::fs::metadata(path).is_ok_and(|data| data.len() > 0)
}

/// The child's answer and exit code.
fn finish(child: Child) -> (i32, Value) {
    let output = child.wait_with_output().expect("the program ends");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let report = serde_json::from_str(&text).unwrap_or_else(|_| panic!("one JSON object: {text}"));
    (output.status.code().unwrap_or(-1), report)
}

#[test]
fn an_interrupt_ends_the_run_with_what_was_found() {
    let folder = Folder::new("check-interrupt");
    folder.file("Endless.mch", ENDLESS);
    let progress = std::fs::File::create(folder.path("progress")).expect("a file");
    let child = folder
        .command(&[
            "check",
            "--json",
            "Endless.mch",
            "--progress",
            "always",
            "--max-time",
            "120",
        ])
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(progress)
        .spawn()
        .expect("the program runs");
    wait_until("progress", || is_nonempty(&folder.path("progress")));
    signal(&child, "-INT");
    let (exit, report) = finish(child);
    assert_eq!((exit, &report["verdict"]), (20, &"open".into()));
    let reasons = report["open_because"].to_string();
    assert!(reasons.contains("interrupted"), "{reasons}");
    assert!(report["statistics"]["states"].as_u64() > Some(0));
}

#[test]
fn a_run_within_its_memory_ends_open_not_killed() {
    let folder = Folder::new("check-memory");
    folder.file("Endless.mch", ENDLESS);
    let run = folder.run(&["check", "--json", "Endless.mch", "--max-memory", "40M"]);
    let report = &run.json()[0];
    assert_eq!(
        (run.exit, &report["verdict"]),
        (20, &"open".into()),
        "{}",
        run.err
    );
    let reasons = report["open_because"].to_string();
    assert!(reasons.contains("memory"), "{reasons}");
    assert!(
        report["statistics"]["states"].as_u64() > Some(100),
        "{reasons}"
    );
    let peak = report["statistics"]["peak_memory_bytes"].as_u64();
    assert!(peak < Some(120_000_000), "{peak:?}");
}

/// The constants have no solution, and finding that out takes for ever.
const STUCK: &str = "\
MACHINE Stuck
CONSTANTS f
PROPERTIES f : 1..15 --> 1..15 & SIGMA(x).(x : 1..15 | f(x) * (f(x) + x) mod 7) = 1000
END
";

#[test]
fn a_limit_on_time_is_kept_inside_one_evaluation() {
    let folder = Folder::new("check-stuck");
    folder.file("Stuck.mch", STUCK);
    let run = folder.run(&["check", "--json", "Stuck.mch", "--max-time", "0.5"]);
    let report = &run.json()[0];
    assert_eq!((run.exit, &report["verdict"]), (20, &"open".into()));
    let reasons = report["open_because"].to_string();
    assert!(reasons.contains("time"), "{reasons}");
    assert!(run.time < Duration::from_secs(30), "{:?}", run.time);
}

#[test]
fn a_run_that_was_killed_goes_on_to_the_same_counts() {
    let folder = Folder::new("check-resume");
    folder.file("Large.mch", LARGE);
    let save = folder.path("large.save");
    let mut child = folder
        .command(&[
            "check",
            "--json",
            "Large.mch",
            "--checkpoint",
            "large.save",
            "--every",
            "0.1",
        ])
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("the program runs");
    wait_until("a checkpoint", || is_nonempty(&save));
    signal(&child, "-KILL");
    child.wait().expect("the program was killed");
    let run = folder.run(&["check", "--json", "Large.mch", "--resume", "large.save"]);
    let report = &run.json()[0];
    assert_eq!(
        (run.exit, &report["verdict"]),
        (0, &"holds".into()),
        "{}",
        run.out
    );
    let statistics = &report["statistics"];
    assert_eq!(statistics["states"], LARGE_STATES);
    assert_eq!(statistics["transitions"], 4 * LARGE_STATES);
    assert_eq!(statistics["edges"], 4 * LARGE_STATES + 1);
}

#[test]
fn a_checkpoint_of_another_model_is_refused() {
    let folder = Folder::new("check-foreign");
    folder
        .file("Endless.mch", ENDLESS)
        .file("Lift.mch", LIFT)
        .file("rubbish.save", "rubbish");
    let options = [
        "--checkpoint",
        "endless.save",
        "--every",
        "0",
        "--max-states",
        "2000",
    ];
    let run = folder.run(&[&["check", "Endless.mch"], &options[..]].concat());
    assert_eq!(run.exit, 20, "{}", run.err);
    assert!(is_nonempty(&folder.path("endless.save")));
    for file in ["endless.save", "rubbish.save"] {
        let run = folder.run(&["check", "--json", "Lift.mch", "--resume", file]);
        assert_eq!(
            (run.exit, &run.json()[0]["verdict"]),
            (2, &"error".into()),
            "{file}"
        );
        assert_eq!(run.json()[0]["diagnostics"][0]["code"], "W0105");
    }
}
