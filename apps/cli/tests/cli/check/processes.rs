//! Interchangeable processes with everything else at once: searches, threads, checkpoints, partial order, temporal formulas, what
//! users say of them, and paths.

use serde_json::Value;

use crate::support::{Folder, Run};

/// Clients with a lock; one step of each is invisible to the others.
const LOCK: &str = "\
byte inside, turn; bit wants[5];
proctype user() {
	byte own;
	do
	:: own = 1; own = 2; own = 0;
	   wants[_pid] = 1;
	   atomic { inside == 0 -> inside++; turn = _pid };
	   assert(inside == 1);
	   atomic { inside--; wants[_pid] = 0 }
	od
}
init { atomic { run user(); run user(); run user(); run user() } }
";

/// Processes that end, and wait for each other before that.
const ENDING: &str = "\
byte ready; bool bad;
proctype user() {
	byte mine;
	if
	:: mine = 1
	:: mine = 2
	fi;
	ready = ready + mine;
	(ready > 4) -> skip
}
init { atomic { run user(); run user(); run user() } }
";

fn run(folder: &Folder, file: &str, options: &[&str]) -> Run {
    folder.run(&[&["check", "--json", file, "--engine", "explicit"], options].concat())
}

fn report(folder: &Folder, file: &str, options: &[&str]) -> Value {
    run(folder, file, options).json()[0].clone()
}

fn states(report: &Value) -> u64 {
    report["statistics"]["states"].as_u64().expect("a number")
}

#[test]
fn counts_do_not_depend_on_strategy_search_store_and_threads() {
    let folder = Folder::new("check-processes-matrix");
    folder.file("lock.pml", LOCK).file("ending.pml", ENDING);
    for file in ["lock.pml", "ending.pml"] {
        let all = ["--no-deadlock", "--por", "off", "--symmetry"];
        let with = |method: &str| report(&folder, file, &[&all[..], &[method]].concat());
        let (plain, base) = (with("off"), with("exact"));
        assert!(states(&base) * 2 < states(&plain), "{file}");
        let told = &base["reductions"]["symmetry"];
        assert_eq!(told["states"], plain["statistics"]["states"], "{file}");
        for method in [
            "exact",
            "canonical",
            "enumerate",
            "segmented",
            "pc-segmented",
        ] {
            for (search, store, threads) in [
                ("bfs", "tree", "2"),
                ("dfs", "plain", "1"),
                ("mixed", "tree", "2"),
            ] {
                let options = ["--search", search, "--store", store, "--threads", threads];
                let options = [&options[..], &all[..], &[method]].concat();
                let found = report(&folder, file, &options);
                assert_eq!(states(&found), states(&base), "{file} {options:?}");
                assert_eq!(found["verdict"], plain["verdict"], "{file} {options:?}");
            }
        }
        for method in ["sorted", "pc-sorted", "local", "exact-markers"] {
            let found = with(method);
            let counted = states(&found);
            assert!(
                counted >= states(&base) && counted <= states(&plain),
                "{method}"
            );
            assert_eq!(found["verdict"], plain["verdict"], "{file} {method}");
        }
        let flat = with("flattened");
        assert_ne!(flat["verdict"], "holds", "{file}");
    }
}

#[test]
fn a_run_of_representatives_can_be_resumed() {
    let folder = Folder::new("check-processes-resume");
    folder.file("lock.pml", LOCK);
    for method in ["exact", "canonical", "local", "exact-markers", "flattened"] {
        let options = ["--symmetry", method, "--por", "off"];
        let whole = report(&folder, "lock.pml", &options);
        let limits = ["--max-states", "40", "--checkpoint", "lock.save"];
        let first = report(&folder, "lock.pml", &[&options[..], &limits].concat());
        assert_eq!(first["verdict"], "open", "{method}");
        let resume = ["--resume", "lock.save"];
        let second = report(&folder, "lock.pml", &[&options[..], &resume].concat());
        assert_eq!(states(&second), states(&whole), "{method}");
        assert_eq!(second["verdict"], whole["verdict"], "{method}");
    }
}

#[test]
fn partial_order_and_symmetry_reduce_one_state_space() {
    let folder = Folder::new("check-processes-por");
    folder.file("lock.pml", LOCK).file("ending.pml", ENDING);
    for file in ["lock.pml", "ending.pml"] {
        let with = |symmetry: &str, por: &str, threads: &str| {
            let options = ["--symmetry", symmetry, "--por", por, "--threads", threads];
            report(&folder, file, &options)
        };
        let plain = with("off", "off", "1");
        for por in ["ample", "stubborn"] {
            let (ordered, symmetric) = (with("off", por, "1"), with("exact", "off", "1"));
            for threads in ["1", "2"] {
                let both = with("exact", por, threads);
                assert_eq!(both["verdict"], plain["verdict"], "{file} {por}");
                if both["verdict"] == "holds" {
                    // Ample sets find nothing here that may wait.
                    let most = states(&ordered).min(states(&symmetric));
                    assert!(states(&both) <= most, "{file} {por}");
                    let is_less = states(&both) < most;
                    assert!(is_less || por == "ample", "{file} {por}");
                }
            }
        }
    }
}

#[test]
fn formulas_and_claims_are_checked_on_representatives_as_far_as_they_allow() {
    let folder = Folder::new("check-processes-ltl");
    let claim = "never { T0: do :: inside > 1 -> break :: else od }\n";
    folder.file("lock.pml", [LOCK, claim].concat());
    for (formula, interchangeable) in [
        ("G {inside <= 1}", 4),
        ("G F {inside == 1}", 4),
        ("G ({wants[2] == 1} => F {wants[2] == 0})", 3),
    ] {
        let with = |method: &str| {
            let options = ["--ltl", formula, "--no-deadlock", "--symmetry", method];
            report(&folder, "lock.pml", &options)
        };
        let (plain, reduced) = (with("off"), with("exact"));
        assert_eq!(reduced["verdict"], plain["verdict"], "{formula}");
        let told = &reduced["reductions"]["symmetry"];
        assert_eq!(told["sorts"]["user"], interchangeable, "{formula}");
        assert!(states(&reduced) < states(&plain), "{formula}");
    }
    let never = |method: &str| report(&folder, "lock.pml", &["--never", "--symmetry", method]);
    assert_eq!(never("exact")["verdict"], never("off")["verdict"]);
    let fair = |method: &str| {
        let options = ["--ltl", "G F {inside == 1}", "--fair", "weak"];
        let options = [&options[..], &["--symmetry", method]].concat();
        report(&folder, "lock.pml", &options)
    };
    let (plain, reduced) = (fair("off"), fair("exact"));
    assert_eq!(reduced["verdict"], plain["verdict"]);
    assert!(states(&reduced) < states(&plain));
    let symbolic = [
        "check",
        "lock.pml",
        "--engine",
        "symbolic",
        "--symmetry",
        "exact",
    ];
    let refused = folder.run(&symbolic);
    assert!(refused.err.contains("--symmetry"), "{}", refused.err);
    assert!(refused.is_one_error());
}

#[test]
fn paths_are_those_of_the_program_also_where_processes_end() {
    let folder = Folder::new("check-processes-paths");
    folder.file("ending.pml", ENDING);
    let violated = ENDING.replace("(ready > 4) -> skip", "assert(ready < 5)");
    folder.file("violated.pml", violated);
    for (file, exit) in [("ending.pml", 2), ("violated.pml", 12)] {
        let plain = run(&folder, file, &["--symmetry", "off", "--por", "off"]);
        for method in ["exact", "canonical", "local"] {
            let reduced = run(&folder, file, &["--symmetry", method, "--por", "off"]);
            // A path is shown only after the reference evaluator has followed it.
            assert_eq!(reduced.exit, plain.exit, "{file} {method}: {}", reduced.err);
            let (mine, theirs) = (&reduced.json()[0], &plain.json()[0]);
            assert_eq!(mine["verdict"], theirs["verdict"]);
        }
        assert_ne!(plain.exit, 0, "{file} {exit}");
    }
}

#[test]
fn what_is_said_of_processes_is_held_against_the_text() {
    let folder = Folder::new("check-processes-scalarset");
    let scan = "\
bit seen[3]; byte i; bool all;
active [3] proctype user() {
	do
	:: seen[_pid] = 1
	:: atomic {
		i = 0; all = true;
		do
		:: i < 3 -> all = all && seen[i]; i++
		:: else -> break
		od;
		if
		:: all -> seen[_pid] = 0
		:: else
		fi;
		i = 0; all = false
	   }
	od
}
";
    let named = "\
bit flag[3];
active [3] proctype user() {
	do
	:: _pid == 1 -> flag[1] = 1 - flag[1]
	:: _pid != 1 -> flag[_pid] = 0
	od
}
";
    folder.file("lock.pml", LOCK).file("scan.pml", scan);
    folder.file("named.pml", named);
    folder.file("open.pml", scan.replace("atomic {", "{"));
    let full = run(&folder, "lock.pml", &["--scalarset", "pid"]);
    assert_eq!(full.json()[0]["verdict"], "holds");
    let refused = folder.run(&["check", "named.pml", "--scalarset", "pid"]);
    assert!(refused.err.contains("error[W0107]"), "{}", refused.err);
    assert!(refused.err.contains("named.pml:4:"), "{}", refused.err);
    let options = ["--symmetry", "exact", "--por", "off"];
    let plain = report(&folder, "scan.pml", &["--symmetry", "off", "--por", "off"]);
    let said = report(
        &folder,
        "scan.pml",
        &[&options[..], &["--scalarset", "i"]].concat(),
    );
    assert_eq!(
        said["reductions"]["symmetry"]["states"],
        plain["statistics"]["states"]
    );
    assert!(states(&said) < states(&plain));
    let refused = folder.run(&[
        "check",
        "open.pml",
        "--symmetry",
        "exact",
        "--scalarset",
        "i",
    ]);
    assert!(refused.err.contains("error[W0107]"), "{}", refused.err);
    let refused = folder.run(&["check", "lock.pml", "--scalarset", "nobody"]);
    assert!(
        refused.err.contains("neither pid nor a variable"),
        "{}",
        refused.err
    );
}
