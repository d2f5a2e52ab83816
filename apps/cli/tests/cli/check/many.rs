//! Several processes check what one checks.

use super::LIFT;
use crate::support::Folder;

#[test]
fn processes_started_here_count_what_one_counts() {
    let folder = Folder::new("check-many");
    folder.file("Lift.mch", LIFT);
    let counts = |options: &[&str]| {
        let run = folder.run(&[&["check", "--json", "Lift.mch"], options].concat());
        let report = run.json()[0].clone();
        let statistics = &report["statistics"];
        (
            run.exit,
            report["verdict"].clone(),
            statistics["states"].clone(),
            statistics["transitions"].clone(),
        )
    };
    let alone = counts(&["--symmetry", "off"]);
    for processes in ["1", "2", "3"] {
        let many = ["--engine", "distributed", "--processes", processes];
        assert_eq!(counts(&[&["--symmetry", "off"], &many[..]].concat()), alone);
    }
}

#[test]
fn what_many_processes_cannot_do_is_refused() {
    let folder = Folder::new("check-many-refused");
    folder.file("Lift.mch", LIFT);
    for option in [
        &["--search", "dfs"][..],
        &["--store", "bitstate"],
        &["--symmetry", "flood"],
        &["--evaluator", "reference"],
        &["--ltl", "F {1=2}"],
        &["--ctl", "EF {1=1}"],
    ] {
        let many = [
            "check",
            "Lift.mch",
            "--engine",
            "distributed",
            "--processes",
            "1",
        ];
        let run = folder.run(&[&many, option].concat());
        assert_eq!(run.exit, 2, "{option:?}: {}{}", run.out, run.err);
        assert!(run.err.contains("distributed engine"), "{}", run.err);
    }
    let run = folder.run(&["check", "Lift.mch", "--processes", "2"]);
    assert_eq!(run.exit, 2, "{}", run.err);
}

/// A program that creates more processes than its first steps show, and one of which goes wrong.
const GROWING: &str = "\
byte alive;
proctype child(byte left)
{
	alive++;
	if
	:: left > 0 -> run child(left - 1)
	:: else -> assert(alive != WRONG)
	fi
}
active proctype first() { run child(LENGTH) }
";

#[test]
fn programs_that_outgrow_their_room_begin_again() {
    let folder = Folder::new("check-many-room");
    folder.file("Growing.pml", GROWING);
    for (wrong, length) in [("99", "2"), ("99", "12"), ("13", "12")] {
        let counts = |options: &[&str]| {
            let wrong = format!("WRONG={wrong}");
            let length = format!("LENGTH={length}");
            let common = [
                "check",
                "--json",
                "Growing.pml",
                "-D",
                &wrong,
                "-D",
                &length,
            ];
            let run = folder.run(&[&common[..], options].concat());
            let report = run.json()[0].clone();
            let states = match run.exit {
                0 => report["statistics"]["states"].clone(),
                _ => report["findings"][0]["kind"].clone(),
            };
            (run.exit, report["verdict"].clone(), states)
        };
        let plain = ["--symmetry", "off", "--por", "off"];
        let alone = counts(&[&plain[..], &["--engine", "explicit"]].concat());
        for processes in ["1", "3"] {
            let many = ["--engine", "distributed", "--processes", processes];
            assert_eq!(
                counts(&[&plain[..], &many].concat()),
                alone,
                "{length} {wrong}"
            );
        }
    }
}

#[test]
fn a_goal_beyond_the_first_finding_is_looked_for_by_all() {
    let folder = Folder::new("check-many-goal");
    folder.file("Lift.mch", LIFT.replace("level : 0..9", "level : 0..5"));
    let answer = |options: &[&str]| {
        let common = ["check", "--json", "Lift.mch", "--goal", "level = 8"];
        let run = folder.run(&[&common[..], options].concat());
        let report = run.json()[0].clone();
        let reached = report["goal"]["reached"].clone();
        assert_eq!(reached, true, "{}{}", run.out, run.err);
        (run.exit, report["verdict"].clone())
    };
    let many = ["--engine", "distributed", "--processes", "2"];
    assert_eq!(answer(&many), answer(&["--engine", "explicit"]));
}

#[test]
fn safety_formulas_are_checked_by_all() {
    let folder = Folder::new("check-many-formulas");
    folder.file("Lift.mch", LIFT);
    let answer = |formula: &[&str], options: &[&str]| {
        let run = folder.run(&[&["check", "--json", "Lift.mch"], formula, options].concat());
        (run.exit, run.json()[0]["verdict"].clone())
    };
    let many = ["--engine", "distributed", "--processes", "2"];
    for formula in [
        "G {level < 10}",
        "G {level < 4}",
        "G ({level = 3} => X {level < 4})",
    ] {
        let formula = ["--ltl", formula];
        assert_eq!(
            answer(&formula, &many),
            answer(&formula, &[]),
            "{formula:?}"
        );
    }
}

/// A counter that may get stuck between two values, and what is claimed of it.
const CLAIMING: &str = "\
var level: 0..9;
startstate begin level := 0; end;
rule \"up\" level < 9 ==> begin level := level + 1; end;
rule \"down\" level > LOW ==> begin level := level - 1; end;
liveness \"home\" level = 0;
";

#[test]
fn what_a_model_claims_over_time_is_tried_by_the_first() {
    let folder = Folder::new("check-many-claims");
    for (low, exit) in [("0", 0), ("5", 13)] {
        folder.file("Claiming.m", CLAIMING.replace("LOW", low));
        let answer = |options: &[&str]| {
            let run = folder.run(&[&["check", "--json", "Claiming.m"], options].concat());
            let report = run.json()[0].clone();
            assert_eq!(run.exit, exit, "{}{}", run.out, run.err);
            assert_eq!(report["not_checked"].to_string(), "[]", "{options:?}");
            (report["verdict"].clone(), report["formulas"].clone())
        };
        let many = ["--engine", "distributed", "--processes", "2"];
        assert_eq!(answer(&many), answer(&["--engine", "explicit"]));
    }
    // What is asked besides leaves it out, and says so.
    let options = ["--engine", "distributed", "--ltl", "G {level < 10}"];
    let run = folder.run(&[&["check", "--json", "Claiming.m"], &options[..]].concat());
    let left = run.json()[0]["not_checked"].to_string();
    assert!(left.contains("home"), "{left}");
}

/// Persons enter and leave a room that has a guard.
const ROOM: &str = "\
MACHINE Room
SETS PERSON
VARIABLES inside, guard
INVARIANT inside <: PERSON & guard <: PERSON & card(guard) <= 1
INITIALISATION inside, guard := {}, {}
OPERATIONS
  enter(p) = SELECT p : PERSON - inside THEN inside := inside \\/ {p} END;
  leave(p) = SELECT p : inside - guard THEN inside := inside - {p} END;
  watch(p) = SELECT p : inside & guard = {} THEN guard := {p} END
END
";

#[test]
fn all_say_together_what_representatives_stand_for() {
    let folder = Folder::new("check-many-orbits");
    folder.file("Room.mch", ROOM);
    let told = |options: &[&str]| {
        let common = ["check", "--json", "Room.mch", "--card", "PERSON=5"];
        let exact = ["--symmetry", "exact"];
        let run = folder.run(&[&common[..], &exact, options].concat());
        let report = run.json()[0].clone();
        let states = report["statistics"]["states"].clone();
        assert!(states.as_u64() < Some(30), "{}{}", run.out, run.err);
        (states, report["reductions"]["symmetry"]["states"].clone())
    };
    let alone = told(&["--por", "off", "--engine", "explicit"]);
    assert!(alone.1.as_u64() > Some(30), "{alone:?}");
    for por in ["off", "ample"] {
        for processes in ["1", "2", "3"] {
            let many = ["--engine", "distributed", "--processes", processes];
            let many = told(&[&["--por", por][..], &many].concat());
            match por {
                "off" => assert_eq!(many, alone, "{processes} processes"),
                _ => assert!(many.1.as_u64() <= alone.1.as_u64(), "{many:?}"),
            }
        }
    }
}
