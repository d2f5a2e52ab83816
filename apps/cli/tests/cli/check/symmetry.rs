//! `--symmetry`: every method with every search, store and number of threads, across a checkpoint, and what is told.

use serde_json::Value;

use crate::support::Folder;

/// Requests in sets, a constant that relates two deferred sets, and a record: markers are imprecise.
const DESK: &str = "\
MACHINE Desk
SETS CLERK; JOB
CONSTANTS knows
PROPERTIES knows : CLERK <-> JOB & dom(knows) = CLERK
VARIABLES queue, does, done
INVARIANT queue <: JOB & does : CLERK +-> JOB & done : struct(by : CLERK, ok : BOOL)
INITIALISATION queue := {} || does := {} || done :: ran(%c.(c : CLERK | rec(by : c, ok : FALSE)))
OPERATIONS
  submit(j) = SELECT j : JOB & j /: queue THEN queue := queue \\/ {j} END;
  start(c, j) = SELECT c : CLERK & c /: dom(does) & j : queue & c |-> j : knows THEN
    does(c) := j || queue := queue - {j} END;
  finish(c) = SELECT c : dom(does) THEN does := {c} <<| does || done := rec(by : c, ok : TRUE) END
END
";

/// Only sets of elements: markers are precise.
const DOOR: &str = "\
MACHINE Door
SETS GUEST
VARIABLES in, seen
INVARIANT in <: GUEST & seen <: GUEST & in <: seen
INITIALISATION in := {} || seen := {}
OPERATIONS
  enter(g) = SELECT g : GUEST & g /: in THEN in := in \\/ {g} || seen := seen \\/ {g} END;
  leave(g) = SELECT g : in THEN in := in - {g} END
END
";

const EXACT: [&str; 3] = ["flood", "canonical", "exact"];

fn report(folder: &Folder, file: &str, options: &[&str]) -> Value {
    let run = folder.run(&[&["check", "--json", file], options].concat());
    run.json()[0].clone()
}

fn counts(report: &Value) -> [&Value; 3] {
    ["states", "setups", "transitions"].map(|key| &report["statistics"][key])
}

#[test]
fn exact_methods_count_the_same_with_every_search_store_and_number_of_threads() {
    let folder = Folder::new("check-symmetry-matrix");
    folder.file("Desk.mch", DESK);
    folder.file("Door.mch", DOOR);
    for (file, size) in [("Desk.mch", "JOB=3"), ("Door.mch", "GUEST=6")] {
        let plain = report(&folder, file, &["--card", size, "--symmetry", "off"]);
        let known = report(&folder, file, &["--card", size, "--symmetry", "exact"]);
        let told = &known["reductions"]["symmetry"];
        assert_eq!(told["states"], plain["statistics"]["states"], "{file}");
        for method in EXACT {
            for search in ["bfs", "dfs", "mixed"] {
                for (store, threads) in [
                    ("tree", "1"),
                    ("tree", "2"),
                    ("plain", "2"),
                    ("fingerprint", "1"),
                ] {
                    let how = ["--symmetry", method, "--search", search];
                    let how = [&how[..], &["--store", store, "--threads", threads]].concat();
                    let other = report(&folder, file, &[&["--card", size], &how[..]].concat());
                    assert_eq!(counts(&other), counts(&known), "{file} {how:?}");
                    if store != "fingerprint" {
                        assert_eq!(other["verdict"], plain["verdict"], "{file} {how:?}");
                        let told = &other["reductions"]["symmetry"]["states"];
                        assert_eq!(*told, plain["statistics"]["states"], "{file} {how:?}");
                    }
                }
            }
        }
    }
}

#[test]
fn markers_give_one_answer_whatever_is_asked_for() {
    let folder = Folder::new("check-symmetry-markers");
    folder.file("Desk.mch", DESK);
    folder.file("Door.mch", DOOR);
    for (file, size) in [("Desk.mch", "JOB=3"), ("Door.mch", "GUEST=6")] {
        let exact = report(&folder, file, &["--card", size, "--symmetry", "exact"]);
        let markers = ["--card", size, "--symmetry", "markers"];
        let known = report(&folder, file, &markers);
        let is_precise = known["reductions"]["symmetry"]["precise"] == true;
        assert_eq!(is_precise, file == "Door.mch");
        if is_precise {
            assert_eq!(counts(&known), counts(&exact));
            assert_eq!(known["verdict"], "holds");
        } else {
            assert!(
                known["statistics"]["states"].as_u64() <= exact["statistics"]["states"].as_u64()
            );
            assert_eq!(known["verdict"], "open");
        }
        for way in [
            &["--threads", "2"][..],
            &["--search", "dfs"],
            &["--store", "plain", "--search", "mixed"],
        ] {
            let other = report(&folder, file, &[&markers[..], way].concat());
            assert_eq!(counts(&other), counts(&known), "{file} {way:?}");
        }
    }
}

#[test]
fn a_reduced_run_can_be_resumed() {
    let folder = Folder::new("check-symmetry-resume");
    folder.file("Desk.mch", DESK);
    for method in ["flood", "canonical", "exact", "markers", "static"] {
        let options = ["--card", "JOB=3", "--symmetry", method];
        let whole = report(&folder, "Desk.mch", &options);
        let limits = ["--max-states", "500", "--checkpoint", "desk.save"];
        let first = report(&folder, "Desk.mch", &[&options[..], &limits].concat());
        assert_eq!(first["verdict"], "open", "{method}");
        let resume = ["--resume", "desk.save"];
        let second = report(&folder, "Desk.mch", &[&options[..], &resume].concat());
        assert_eq!(counts(&second), counts(&whole), "{method}");
        assert_eq!(second["verdict"], whole["verdict"], "{method}");
        let sums = ["states", "setups"].map(|key| &second["reductions"]["symmetry"][key]);
        let known = ["states", "setups"].map(|key| &whole["reductions"]["symmetry"][key]);
        assert_eq!(sums, known, "{method}");
    }
}

#[test]
fn a_run_that_was_ended_says_how_many_states_it_stands_for_at_least() {
    let folder = Folder::new("check-symmetry-at-least");
    folder.file("Door.mch", DOOR);
    let options = [
        "--card",
        "GUEST=9",
        "--symmetry",
        "exact",
        "--max-states",
        "20",
    ];
    let report = report(&folder, "Door.mch", &options);
    let told = &report["reductions"]["symmetry"];
    assert_eq!(told.get("states"), None);
    assert!(told["states_at_least"].as_u64() > Some(20), "{told}");
    let text = folder.run(&[&["check", "Door.mch"], &options[..]].concat());
    assert!(text.out.contains("standing for at least"), "{}", text.out);
}

#[test]
fn auto_says_why_it_does_not_reduce() {
    let folder = Folder::new("check-symmetry-auto");
    folder.file(
        "Count.mch",
        "MACHINE Count SETS S VARIABLES n INVARIANT n : 0..9 INITIALISATION n := 0
         OPERATIONS inc = SELECT n < 9 THEN n := n + 1 END; reset = SELECT n = 9 THEN n := 0 END END",
    );
    let report = report(&folder, "Count.mch", &[]);
    let told = &report["reductions"]["symmetry"];
    assert_eq!(told["method"], "off");
    let because = told["because"].as_str().unwrap_or_default();
    assert!(because.starts_with("it would not pay"), "{because}");
    assert_eq!(told.get("states"), None);
}

#[test]
fn a_goal_that_names_an_element_fixes_it_and_that_is_said() {
    let folder = Folder::new("check-symmetry-goal");
    folder.file(
        "Flags.mch",
        "MACHINE Flags SETS S = {a, b, c, d} VARIABLES up INVARIANT up <: S INITIALISATION up := {}
         OPERATIONS raise(s) = SELECT s : S & s /: up THEN up := up \\/ {s} END END",
    );
    let without = ["--symmetry", "exact", "--no-deadlock"];
    let all = report(&folder, "Flags.mch", &without);
    assert_eq!(all["statistics"]["states"], 5);
    let goal = [&without[..], &["--goal", "b : up & card(up) = 3"]].concat();
    let fixed = report(&folder, "Flags.mch", &goal);
    assert_eq!(fixed["goal"]["reached"], true, "{fixed}");
    assert_eq!(
        fixed["reductions"]["symmetry"]["sorts"],
        serde_json::json!({"S": 3})
    );
    let warnings = fixed["warnings"].to_string();
    assert!(
        warnings.contains("the goal tells elements apart"),
        "{warnings}"
    );
    assert!(warnings.contains("3 of 4 interchangeable"), "{warnings}");
    assert!(warnings.contains("b is named in the goal"), "{warnings}");
}

#[test]
fn a_partition_into_elements_tells_none_of_them_apart() {
    let folder = Folder::new("check-symmetry-partition");
    folder.file(
        "Parts.mch",
        "MACHINE Parts SETS S CONSTANTS a, b, c PROPERTIES card(S) = 3 & @partition(S, {a}, {b}, {c})
         VARIABLES x INVARIANT x <: S INITIALISATION x := {}
         OPERATIONS add(s) = SELECT s : S & s /: x THEN x := x \\/ {s} END END",
    );
    let report = report(
        &folder,
        "Parts.mch",
        &["--symmetry", "exact", "--no-deadlock"],
    );
    assert_eq!(report["statistics"]["states"], 4, "{report}");
    assert_eq!(report["reductions"]["symmetry"]["states"], 8);
}

/// Figure 10 of the survey: one operation names the writer.
const READERS: &str = "\
MACHINE Readers
SETS Proc = {r1, r2, w}; Place = {away, trying, critical}
VARIABLES at
INVARIANT at : Proc --> Place & card(at~[{critical}]) < LIMIT
INITIALISATION at := Proc * {away}
OPERATIONS
  try(p) = SELECT p : Proc & at(p) = away THEN at(p) := trying END;
  enter(p) = SELECT p : Proc & at(p) = trying & critical /: ran(at) THEN at(p) := critical END;
  share(p) = SELECT p : Proc - {w} & at(p) = trying & at(w) /= critical THEN at(p) := critical END;
  leave(p) = SELECT p : Proc & at(p) = critical THEN at(p) := away END
END
";

#[test]
fn columns_in_diagrams_stand_for_all_states() {
    let folder = Folder::new("check-symmetry-columns");
    folder.file("Desk.mch", DESK);
    folder.file("Door.mch", DOOR);
    for name in [
        "SeatRing",
        "Directory",
        "Coherence",
        "Peterson",
        "TokenRing",
    ] {
        let path = format!("{}/../../examples/b/{name}.mch", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).expect("the example is there");
        folder.file(&format!("{name}.mch"), text);
    }
    for (file, size, is_precise) in [
        ("Desk.mch", "JOB=3", false),
        ("Door.mch", "GUEST=6", true),
        ("SeatRing.mch", "Proc=4", true),
        ("Directory.mch", "Cache=3", true),
        ("Coherence.mch", "Cache=4", true),
        ("Peterson.mch", "Proc=3", true),
        ("TokenRing.mch", "Proc=4", false),
    ] {
        let plain = report(&folder, file, &["--card", size, "--symmetry", "off"]);
        let exact = report(&folder, file, &["--card", size, "--symmetry", "exact"]);
        let all = &plain["statistics"]["states"];
        for method in ["dynamic", "multiple"] {
            for order in ["bfs", "chaining"] {
                let how = ["--card", size, "--symmetry", method, "--order", order];
                let found = report(&folder, file, &how);
                assert_eq!(found["verdict"], plain["verdict"], "{file} {how:?}");
                let states = found["statistics"]["states"].as_u64();
                let least = exact["statistics"]["states"].as_u64();
                assert!(least <= states && states <= all.as_u64(), "{file} {how:?}");
                if is_precise && method == "dynamic" {
                    let told = &found["reductions"]["symmetry"];
                    assert_eq!(&told["states"], all, "{file} {how:?}");
                    assert_eq!(states, least, "{file} {how:?}");
                }
            }
        }
    }
}

#[test]
fn counters_have_the_orbits_of_exact_and_stand_for_all_states() {
    let folder = Folder::new("check-symmetry-counters");
    folder.file("Door.mch", DOOR);
    for name in ["Mutex", "Allocator"] {
        let path = format!("{}/../../examples/b/{name}.mch", env!("CARGO_MANIFEST_DIR"));
        let text = std::fs::read_to_string(path).expect("the example is there");
        folder.file(&format!("{name}.mch"), text);
    }
    for (file, size) in [
        ("Door.mch", "GUEST=6"),
        ("Mutex.mch", "Proc=5"),
        ("Allocator.mch", "Client=5"),
    ] {
        let plain = report(&folder, file, &["--card", size, "--symmetry", "off"]);
        let exact = report(&folder, file, &["--card", size, "--symmetry", "exact"]);
        for engine in ["explicit", "symbolic"] {
            let how = ["--card", size, "--symmetry", "counters", "--engine", engine];
            let found = report(&folder, file, &how);
            assert_eq!(found["verdict"], "holds", "{file} {engine}");
            let states = &found["statistics"]["states"];
            assert_eq!(states, &exact["statistics"]["states"], "{file} {engine}");
            let told = &found["reductions"]["symmetry"];
            assert_eq!(
                told["states"], plain["statistics"]["states"],
                "{file} {engine}"
            );
        }
    }
    let how = ["--card", "Proc=200", "--symmetry", "counters"];
    let many = report(&folder, "Mutex.mch", &how);
    assert_eq!(many["verdict"], "holds");
    assert_eq!(many["statistics"]["states"], 401);
}

#[test]
fn what_keeps_elements_from_being_counted_is_named() {
    let folder = Folder::new("check-symmetry-not-counted");
    let text = "MACHINE Chain\nSETS S\nVARIABLES next\nINVARIANT next : S +-> S\nINITIALISATION next := {}\n\
                OPERATIONS tie(a, b) = SELECT a : S & b : S THEN next(a) := b END\nEND\n";
    folder.file("Chain.mch", text);
    let run = folder.run(&["check", "Chain.mch", "--symmetry", "counters"]);
    assert_eq!(run.exit, 2, "{}{}", run.out, run.err);
    assert!(run.err.contains("next"), "{}", run.err);
    assert!(run.err.contains("Chain.mch:3:11"), "{}", run.err);
}

#[test]
fn events_that_name_elements_leave_some_symmetry() {
    let folder = Folder::new("check-symmetry-adaptive");
    folder.file("Readers.mch", READERS.replace("LIMIT", "3"));
    for (method, states) in [("off", 22), ("exact", 15), ("adaptive", 9)] {
        let found = report(
            &folder,
            "Readers.mch",
            &["--por", "off", "--symmetry", method],
        );
        assert_eq!(found["verdict"], "holds", "{method}");
        assert_eq!(found["statistics"]["states"], states, "{method}");
    }
}

#[test]
fn findings_under_columns_and_partitions_have_real_paths() {
    let folder = Folder::new("check-symmetry-findings");
    folder.file("Readers.mch", READERS.replace("LIMIT", "2"));
    folder.file("Full.mch", DOOR.replace("in <: seen", "card(seen) < 2"));
    for (file, method) in [
        ("Readers.mch", "adaptive"),
        ("Full.mch", "dynamic"),
        ("Full.mch", "counters"),
    ] {
        let plain = report(&folder, file, &["--por", "off", "--symmetry", "off"]);
        let found = report(&folder, file, &["--symmetry", method]);
        assert_eq!(found["verdict"], "violated", "{file}");
        let steps = |report: &Value| report["findings"][0]["trace"].as_array().map(Vec::len);
        assert_eq!(steps(&found), steps(&plain), "{file}");
    }
}

#[test]
fn fairness_of_instances_is_followed_along_permutations() {
    let folder = Folder::new("check-symmetry-fairness");
    folder.file("Door.mch", DOOR);
    for formula in [
        "WEF => G F [enter]",
        "SEF => G F [enter]",
        "WEF => F {seen = GUEST}",
        "SEF => F {seen = GUEST}",
        "SEF => F G {seen = GUEST}",
        "WEF => G F {in = GUEST}",
    ] {
        let alone = ["--no-invariant", "--no-deadlock", "--ltl", formula];
        let plain = report(
            &folder,
            "Door.mch",
            &[&alone[..], &["--symmetry", "off"]].concat(),
        );
        let exact = report(
            &folder,
            "Door.mch",
            &[&alone[..], &["--symmetry", "exact"]].concat(),
        );
        assert_eq!(plain["verdict"], exact["verdict"], "{formula}");
    }
}

#[test]
fn symmetry_and_partial_order_go_together() {
    let folder = Folder::new("check-symmetry-por");
    folder.file("Desk.mch", DESK);
    folder.file("Door.mch", DOOR);
    folder.file("Bad.mch", DOOR.replace("in <: seen", "in /= GUEST"));
    for file in ["Desk.mch", "Door.mch", "Bad.mch"] {
        let exact = report(&folder, file, &["--symmetry", "exact", "--por", "off"]);
        for por in ["ample", "stubborn", "deletion"] {
            let both = report(&folder, file, &["--symmetry", "exact", "--por", por]);
            assert_eq!(both["verdict"], exact["verdict"], "{file} {por}");
            let states = |report: &Value| report["statistics"]["states"].as_u64();
            if exact["verdict"] == "holds" {
                assert!(states(&both) <= states(&exact), "{file} {por}");
            }
        }
    }
}
