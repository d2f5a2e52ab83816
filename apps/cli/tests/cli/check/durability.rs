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

/// The constants have no solution (no three cubes make 5 modulo 9), and finding that out takes for ever.
const STUCK: &str = "\
MACHINE Stuck
CONSTANTS x, y, z
PROPERTIES x : -9000..9000 & y : -9000..9000 & z : -9000..9000
  & x * x * x + y * y * y + z * z * z = 32
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
    assert!(!reasons.contains("middle"), "{reasons}");
    assert!(run.time < Duration::from_secs(30), "{:?}", run.time);
}

/// A step to a state that violates the invariant, and then something that takes for ever.
fn lost_in(invariant: &str, operation: &str) -> String {
    format!(
        "MACHINE Lost VARIABLES x INVARIANT x : 0..9 & x /= 1 & {invariant} INITIALISATION x := 0
         OPERATIONS up = SELECT x < 9 THEN x := x + 1 END; {operation} END"
    )
}

#[test]
fn what_was_found_before_a_long_evaluation_is_told() {
    let never = "!f.(f : 1..15 --> 1..15 => SIGMA(i).(i : 1..15 | f(i) * f(i)) < 9999)";
    let machines = [
        lost_in(&format!("(x < 3 or {never})"), "skip1 = skip"),
        lost_in(
            "0 = 0",
            "lost(f) = SELECT x = 3 & f : 1..15 --> 1..15 & SIGMA(i).(i : 1..15 | f(i)) = 9999
             THEN x := 0 END",
        ),
        lost_in(
            "0 = 0",
            "many(f) = SELECT x = 3 & f : 1..15 --> 1..15 THEN x := 0 END",
        ),
        lost_in(
            "0 = 0",
            "loop = SELECT x = 3 THEN
                 VAR i IN i := 0; WHILE i < 99999999 DO i := i + 1 INVARIANT i >= 0
                 VARIANT 99999999 - i END END END",
        ),
    ];
    let folder = Folder::new("check-lost");
    for evaluator in ["compiled", "reference"] {
        for machine in &machines {
            folder.file("Lost.mch", machine);
            let run = folder.run(&[
                "check",
                "--json",
                "Lost.mch",
                "--all-findings",
                "9",
                "--max-time",
                "1",
                "--evaluator",
                evaluator,
            ]);
            let report = &run.json()[0];
            // The violation comes first; that the rest is not known is said as well.
            assert_eq!((run.exit, &report["verdict"]), (12, &"violated".into()));
            assert_eq!(report["findings"][0]["kind"], "invariant", "{machine}");
            let reasons = report["open_because"].to_string();
            assert!(
                !reasons.contains("middle"),
                "{evaluator} {machine}: {reasons}"
            );
        }
    }
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
fn a_resumed_run_knows_the_values_that_need_more_than_a_slot() {
    let bag = |constants: &str, start: &str| {
        format!(
            "MACHINE Bag {constants} VARIABLES s, t INVARIANT s : POW(INTEGER) & card(s) <= 10 & t : seq(INTEGER)
             INITIALISATION s := {start} || t := []
             OPERATIONS put(x) = SELECT x : 1..9 & x /: s THEN s := s \\/ {{x}} || t := [x] END;
                take(x) = SELECT x : s & x : 1..9 THEN s := s - {{x}} END END"
        )
    };
    let folder = Folder::new("check-values");
    let rule = "CONSTANTS c, f PROPERTIES c : 3..4 & f = %i.(i : INTEGER | i + c)";
    for machine in [bag("", "{}"), bag(rule, "{f(9)}")] {
        folder.file("Bag.mch", &machine);
        let whole = folder.run(&["check", "--json", "Bag.mch"]);
        assert_eq!(whole.exit, 0, "{}", whole.out);
        let first = folder.run(&[
            "check",
            "Bag.mch",
            "--max-states",
            "1000",
            "--checkpoint",
            "bag.save",
        ]);
        assert_eq!(first.exit, 20, "{}", first.out);
        let resumed = folder.run(&["check", "--json", "Bag.mch", "--resume", "bag.save"]);
        for key in ["states", "setups", "transitions", "edges"] {
            assert_eq!(
                resumed.json()[0]["statistics"][key],
                whole.json()[0]["statistics"][key],
                "{key}"
            );
        }
    }
    // An infinite set in a variable cannot be saved, and that is said.
    folder.file(
        "Bag.mch",
        "MACHINE Bag VARIABLES s, x INVARIANT x : 0..9 & s : POW(INTEGER)
         INITIALISATION s := {1} || x := 0
         OPERATIONS grow = SELECT x < 9 THEN x := x + 1 || s := {i | i > x} END END",
    );
    let first = folder.run(&[
        "check",
        "Bag.mch",
        "--no-deadlock",
        "--max-states",
        "5",
        "--checkpoint",
        "bag.save",
    ]);
    assert_eq!(first.exit, 20, "{}", first.out);
    let resumed = folder.run(&[
        "check",
        "--json",
        "Bag.mch",
        "--no-deadlock",
        "--resume",
        "bag.save",
    ]);
    assert_eq!(resumed.exit, 2, "{}", resumed.out);
    assert!(resumed.out.contains("infinite set"), "{}", resumed.out);
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

/// Processes in a ring, each of which goes on when its neighbour is not at work.
fn ring(size: usize) -> String {
    let names: Vec<String> = (0..size).map(|at| format!("p{at}")).collect();
    let invariant: Vec<String> = names.iter().map(|name| format!("{name}:0..3")).collect();
    let begin: Vec<String> = names.iter().map(|name| format!("{name}:=0")).collect();
    let operations = (0..size).map(|at| {
        let next = (at + 1) % size;
        format!(
            "go{at} = SELECT p{at}=0 THEN p{at}:=1 END; take{at} = SELECT p{at}=1 & p{next}/=2 THEN p{at}:=2 END; \
             done{at} = SELECT p{at}=2 THEN p{at}:=3 END"
        )
    });
    format!(
        "MACHINE ring VARIABLES {} INVARIANT {} INITIALISATION {} OPERATIONS {} END",
        names.join(","),
        invariant.join(" & "),
        begin.join(" || "),
        operations.collect::<Vec<_>>().join("; ")
    )
}

#[test]
fn a_choice_of_steps_does_not_depend_on_when_a_run_was_resumed() {
    let folder = Folder::new("check-por-resume");
    folder.file("ring.mch", ring(7));
    let options = ["check", "--json", "ring.mch", "--no-deadlock", "--por"];
    for method in ["stubborn", "deletion", "ample"] {
        let options = [&options[..], &[method]].concat();
        let whole = folder.run(&options).json()[0]["statistics"]["states"].clone();
        for most in ["60", "180"] {
            let cut = ["--max-states", most, "--checkpoint", "ring.save"];
            let first = folder.run(&[&options[..], &cut].concat());
            assert_eq!(first.exit, 20, "{}{}", first.out, first.err);
            let second = folder.run(&[&options[..], &["--resume", "ring.save"]].concat());
            let states = &second.json()[0]["statistics"]["states"];
            assert_eq!(*states, whole, "{method} {most}");
        }
    }
}
