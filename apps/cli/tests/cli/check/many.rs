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
        &["--ltl", "G {1=1}"],
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
