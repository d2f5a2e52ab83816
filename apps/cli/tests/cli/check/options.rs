//! Every option is honoured or refused by name.

use super::{ENDLESS, LIFT, machine};
use crate::support::Folder;

#[test]
fn what_does_not_exist_yet_is_refused_by_name() {
    let folder = Folder::new("check-refused");
    folder.file("Lift.mch", LIFT);
    let option = ["--symmetry", "exact", "--evaluator", "reference"];
    let run = folder.run(&[&["check", "Lift.mch"], &option[..]].concat());
    assert_eq!(run.exit, 152, "{}{}", run.out, run.err);
    assert!(
        run.err.contains("--evaluator reference") && run.err.contains("symmetry reduction"),
        "{}",
        run.err
    );
    let json = folder.run(&[&["check", "--json", "Lift.mch"], &option[..]].concat());
    assert_eq!(json.json()[0]["verdict"], "error");
    assert_eq!(json.json()[0]["diagnostics"][0]["code"], "W0101");
}

#[test]
fn partial_order_reduction_says_what_it_cannot_be_combined_with() {
    let folder = Folder::new("check-por-refused");
    folder.file("Lift.mch", LIFT);
    for option in [
        &["--evaluator", "reference"][..],
        &["--search", "dfs", "--threads", "2"],
        &["--engine", "symbolic"],
    ] {
        for method in ["ample", "stubborn"] {
            let command = &["check", "Lift.mch", "--por", method];
            let run = folder.run(&[command, option].concat());
            assert_eq!(run.exit, 2, "{option:?}: {}{}", run.out, run.err);
            assert!(run.err.contains("--por"), "{option:?}: {}", run.err);
        }
    }
}

#[test]
fn what_asks_for_nothing_is_accepted() {
    let folder = Folder::new("check-accepted");
    folder.file("Lift.mch", LIFT);
    let line = "--engine explicit --symmetry off --por off --dependence syntactic --solver auto \
                --reorder none --split auto --count-transitions --no-refinement --concrete-only \
                --machine Lift --threads 2 --search mixed --store plain --progress never";
    let options: Vec<&str> = line.split_whitespace().collect();
    let run = folder.run(&[&["check", "--json", "Lift.mch"], &options[..]].concat());
    assert_eq!(run.exit, 0, "{}{}", run.out, run.err);
    let report = &run.json()[0];
    assert_eq!(report["statistics"]["states"], 10);
    assert_eq!(report["reductions"]["symmetry"].get("because"), None);
}

#[test]
fn the_symbolic_engine_says_what_it_does_not_have() {
    let folder = Folder::new("check-symbolic-refused");
    folder.file("Lift.mch", LIFT);
    for option in [
        &["--symmetry", "exact"][..],
        &["--por", "stubborn"],
        &["--search", "dfs"],
        &["--store", "bitstate"],
        &["--checkpoint", "saved"],
        &["--max-depth", "3", "--order", "chaining"],
    ] {
        let command = &["check", "Lift.mch", "--engine", "symbolic"];
        let run = folder.run(&[command, option].concat());
        assert!(run.exit == 2 || run.exit == 152, "{option:?}: {}", run.out);
        assert!(run.err.contains(option[0]), "{option:?}: {}", run.err);
    }
    let run = folder.run(&[
        "check", "Lift.mch", "--engine", "explicit", "--order", "bfs",
    ]);
    assert_eq!(run.exit, 2, "{}", run.err);
}

#[test]
fn sets_of_states_are_chosen_where_they_come_to_an_end_first() {
    let folder = Folder::new("check-engine-trial");
    let wheels: Vec<String> = (1..=9).map(|n| format!("w{n}")).collect();
    let typed: Vec<String> = wheels.iter().map(|w| format!("{w} : 0..3")).collect();
    let zeros: Vec<String> = wheels.iter().map(|w| format!("{w} := 0")).collect();
    let turns: Vec<String> = wheels
        .iter()
        .map(|w| format!("turn_{w} = BEGIN {w} := ({w} + 1) mod 4 END"))
        .collect();
    let text = format!(
        "MACHINE Wheels VARIABLES {} INVARIANT {} INITIALISATION {} OPERATIONS {} END",
        wheels.join(", "),
        typed.join(" & "),
        zeros.join(" || "),
        turns.join("; ")
    );
    folder.file("Wheels.mch", &text);
    let run = folder.run(&["check", "--json", "Wheels.mch"]);
    assert_eq!(run.exit, 0, "{}{}", run.out, run.err);
    let report = &run.json()[0];
    let engine = &report["choices"][0];
    assert_eq!(engine["chosen"], "symbolic", "{}", report["choices"]);
    assert_eq!(report["statistics"]["states"], 262_144);
    assert_eq!(report["statistics"]["transitions"], 9 * 262_144);
    let run = folder.run(&["check", "--json", "Wheels.mch", "--max-states", "70000"]);
    let report = &run.json()[0];
    assert_eq!(
        report["choices"][0]["chosen"], "explicit",
        "a limit is about single states"
    );
}

#[test]
fn every_order_of_the_symbolic_engine_gives_the_same_counts() {
    let folder = Folder::new("check-symbolic-orders");
    folder.file("Lift.mch", LIFT);
    for order in ["bfs", "chaining", "saturation"] {
        let command = ["check", "--json", "Lift.mch", "--order", order];
        let run = folder.run(&[&command[..], &["--count-transitions"]].concat());
        assert_eq!(run.exit, 0, "{}{}", run.out, run.err);
        let report = &run.json()[0];
        let explicit = folder.run(&["check", "--json", "Lift.mch", "--engine", "explicit"]);
        let explicit = &explicit.json()[0]["statistics"];
        for count in ["states", "nodes", "transitions", "edges"] {
            assert_eq!(
                report["statistics"][count], explicit[count],
                "{order} {count}"
            );
        }
        assert!(report["statistics"]["ldd_nodes"].as_u64() > Some(0));
    }
}

#[test]
fn wrong_values_are_usage_errors() {
    let folder = Folder::new("check-usage");
    folder.file("Lift.mch", LIFT);
    for option in [
        &["--engine", "steam"][..],
        &["--threads", "0"],
        &["--card", "PID"],
        &["--card", "PID=none"],
        &["--pref", "MAXINT"],
        &["--max-memory", "much"],
        &["--max-time", "-1"],
        &["--goal-is-error"],
        &["--every", "1"],
        &["--style", "tlc"],
        &["--trace-out", "t.txt"],
        &["--card", "NOBODY=3"],
        &["--only", "nothing"],
        &["--machine", "Crane"],
        &["--resume", "missing.save"],
    ] {
        let run = folder.run(&[&["check", "Lift.mch"], option].concat());
        assert_eq!(run.exit, 2, "{option:?}: {}{}", run.out, run.err);
    }
}

#[test]
fn counts_do_not_depend_on_store_order_or_threads() {
    let folder = Folder::new("check-matrix");
    folder.file(
        "Matrix.mch",
        "MACHINE Matrix SETS S VARIABLES a, f INVARIANT a <: S & f : S +-> 0..2\n\
         INITIALISATION a := {} || f := {}\n\
         OPERATIONS add(s) = SELECT s : S - a THEN a := a \\/ {s} || f(s) := 0 END;\n\
         inc(s) = SELECT s : a & f(s) < 2 THEN f(s) := f(s) + 1 END;\n\
         drop = ANY s WHERE s : a THEN a := a - {s} || f := {s} <<| f END\nEND\n",
    );
    for store in ["tree", "plain"] {
        for search in ["bfs", "dfs", "mixed"] {
            for threads in ["1", "2"] {
                let options = ["--store", store, "--search", search, "--threads", threads];
                let fixed = [
                    "check",
                    "--json",
                    "Matrix.mch",
                    "--card",
                    "S=3",
                    "--no-deadlock",
                    "--symmetry",
                    "off",
                ];
                let run = folder.run(&[&fixed[..], &options[..]].concat());
                let report = &run.json()[0];
                assert_eq!(run.exit, 0, "{options:?}: {}", run.out);
                let statistics = &report["statistics"];
                assert_eq!(
                    (&statistics["states"], &statistics["transitions"]),
                    (&64.into(), &288.into()),
                    "{options:?}"
                );
            }
        }
    }
}

#[test]
fn lossy_stores_end_open() {
    let folder = Folder::new("check-lossy");
    folder.file("Lift.mch", LIFT);
    for store in ["fingerprint", "bitstate"] {
        let run = folder.run(&["check", "--json", "Lift.mch", "--store", store]);
        let report = &run.json()[0];
        assert_eq!((run.exit, &report["verdict"]), (20, &"open".into()));
        assert!(report["open_because"].to_string().contains(store));
    }
}

#[test]
fn limits_end_open_and_say_which() {
    let folder = Folder::new("check-limits");
    folder.file("Endless.mch", ENDLESS).file("Lift.mch", LIFT);
    for (file, option, word) in [
        ("Endless.mch", ["--max-states", "1000"], "states"),
        ("Endless.mch", ["--max-time", "0.5"], "time"),
        ("Endless.mch", ["--max-depth", "50"], "depth"),
        ("Lift.mch", ["--max-states", "5"], "states"),
        ("Lift.mch", ["--max-depth", "5"], "depth"),
    ] {
        let run = folder.run(&[&["check", "--json", file], &option[..]].concat());
        let report = &run.json()[0];
        assert_eq!(
            (run.exit, &report["verdict"]),
            (20, &"open".into()),
            "{option:?}: {}",
            run.out
        );
        let reasons = report["open_because"].to_string();
        assert!(reasons.contains(word), "{option:?}: {reasons}");
    }
    // A limit that was not reached changes nothing.
    let run = folder.run(&[
        "check",
        "Lift.mch",
        "--max-states",
        "11",
        "--max-depth",
        "10",
    ]);
    assert_eq!(run.exit, 0, "{}", run.out);
}

#[test]
fn set_ups_can_be_limited() {
    let folder = Folder::new("check-max-setups");
    folder.file(
        "Setups.mch",
        "MACHINE Setups CONSTANTS c PROPERTIES c : 1..5 VARIABLES x INVARIANT x = c\n\
         INITIALISATION x := c OPERATIONS keep = skip END\n",
    );
    let run = folder.run(&["check", "--json", "Setups.mch"]);
    assert_eq!(
        (run.exit, &run.json()[0]["statistics"]["setups"]),
        (0, &5.into())
    );
    let run = folder.run(&["check", "--json", "Setups.mch", "--max-setups", "2"]);
    assert_eq!(
        (run.exit, &run.json()[0]["statistics"]["setups"]),
        (20, &2.into())
    );
}

#[test]
fn scopes_come_from_the_command_line_first() {
    let folder = Folder::new("check-scopes");
    folder.file(
        "Scoped.mch",
        "MACHINE Scoped SETS S DEFINITIONS scope_S == 4; SET_PREF_MAXINT == 5\n\
         VARIABLES x, n INVARIANT x : S & n : NAT INITIALISATION x :: S || n := MAXINT\n\
         OPERATIONS keep = skip END\n",
    );
    let states = |options: &[&str]| {
        let run = folder.run(
            &[
                &["check", "--json", "Scoped.mch", "--symmetry", "off"],
                options,
            ]
            .concat(),
        );
        assert_eq!(run.exit, 0, "{}", run.out);
        let report = run.json().remove(0);
        (
            report["statistics"]["states"].as_u64(),
            report["scopes"].to_string(),
        )
    };
    let (count, scopes) = states(&[]);
    assert_eq!(count, Some(4));
    assert!(scopes.contains('S'), "{scopes}");
    assert_eq!(states(&["--card", "S=3", "--pref", "MAXINT=7"]).0, Some(3));
}

#[test]
fn checks_can_be_switched_off_and_picked() {
    let folder = Folder::new("check-switches");
    folder.file(
        "Small.mch",
        machine(
            "/*@label low*/ n < 2 & /*@label odd*/ n /= 3",
            "up = SELECT n < 4 THEN n := n + 1 END",
        ),
    );
    let exit = |options: &[&str]| {
        folder
            .run(&[&["check", "Small.mch"], options].concat())
            .exit
    };
    assert_eq!(exit(&[]), 12);
    assert_eq!(exit(&["--no-invariant"]), 11);
    assert_eq!(exit(&["--no-invariant", "--no-deadlock"]), 0);
    let run = folder.run(&["check", "--json", "Small.mch", "--only", "odd"]);
    assert_eq!(run.json()[0]["findings"][0]["name"], "odd");
    assert_eq!(
        run.json()[0]["findings"][0]["path"]
            .as_array()
            .map(Vec::len),
        Some(4)
    );
}

#[test]
fn unknown_preferences_and_contradicting_bounds_are_refused() {
    let folder = Folder::new("check-preferences");
    folder.file("Lift.mch", LIFT);
    for (options, part) in [
        (&["--pref", "MAXIN=4"][..], "did you mean MAXINT?"),
        (
            &["--pref", "MAXINT=1", "--pref", "MININT=7"],
            "MININT is 7, which is more than MAXINT, 1",
        ),
        (
            &["--pref", "MAXINT=5", "--pref", "MAXINT=6"],
            "--pref MAXINT: it is given as 5 and as 6",
        ),
        (
            &["--card", "S=2", "--card", "S=3"],
            "--card S: it is given as 2 and as 3",
        ),
    ] {
        let run = folder.run(&[&["check", "Lift.mch"], options].concat());
        assert_eq!(run.exit, 2, "{}{}", run.out, run.err);
        assert!(run.err.contains(part), "{}", run.err);
    }
}

#[test]
fn a_folder_with_several_models_is_refused_with_their_names() {
    let folder = Folder::new("check-folder");
    for file in ["many/A.mch", "many/B.mch", "many/notes.txt"] {
        folder.file(file, LIFT);
    }
    let run = folder.run(&["check", "many"]);
    assert_eq!(run.exit, 2, "{}{}", run.out, run.err);
    assert!(run.err.contains("a folder with 2 models"), "{}", run.err);
    assert!(run.err.contains("give one: A.mch, B.mch"), "{}", run.err);
}

#[test]
fn the_language_of_standard_input_is_recognised() {
    let folder = Folder::new("check-standard-input");
    let run = folder.run_on(&["lint", "-"], LIFT);
    assert_eq!(run.exit, 0, "{}{}", run.out, run.err);
    let run = folder.run_on(&["lint", "-"], "what is this?");
    assert_eq!(run.exit, 2, "{}{}", run.out, run.err);
}

/// Counts to six; the invariant ends at two.
const COUNTER: &str = "MACHINE c DEFINITIONS ASSERT_LTL == \"G {n < 5}\" VARIABLES n INVARIANT n : 0..2 INITIALISATION n := 0 \
    OPERATIONS inc = PRE n < 6 THEN n := n + 1 END; zero = n := 0 END\n";

#[test]
fn a_goal_is_answered_beside_a_finding() {
    let folder = Folder::new("check-goal-and-finding");
    folder.file("c.mch", COUNTER);
    for (goal, reached) in [("n = 4", true), ("n = 7", false)] {
        let run = folder.run(&["check", "--json", "c.mch", "--goal", goal]);
        assert_eq!(run.exit, 12, "{}", run.err);
        let report = &run.json()[0];
        assert_eq!(report["findings"][0]["kind"], "invariant");
        assert_eq!(report["goal"]["reached"], reached, "{goal}");
    }
}

#[test]
fn holds_says_how_much_was_not_checked() {
    let folder = Folder::new("check-not-checked");
    folder.file("c.mch", COUNTER);
    let run = folder.run(&[
        "check",
        "--quiet",
        "c.mch",
        "--no-invariant",
        "--no-definitions",
    ]);
    assert_eq!(run.out.trim_end(), "verdict: holds (1 thing not checked)");
}

#[test]
fn formulas_of_the_model_are_tried_unless_they_are_left_out() {
    let folder = Folder::new("check-own-formulas");
    folder.file("c.mch", COUNTER);
    let both = folder.run(&["check", "--json", "c.mch"]);
    assert_eq!(both.exit, 12, "{}", both.err);
    let kinds = |report: &serde_json::Value| -> Vec<String> {
        let found = report["findings"].as_array().into_iter().flatten();
        found.map(|one| one["kind"].to_string()).collect()
    };
    assert_eq!(kinds(&both.json()[0]), ["\"invariant\"", "\"ltl\""]);
    // A count without end is not decided; what else was asked keeps its answer.
    let endless = COUNTER
        .replace("n : 0..2", "n : INTEGER & m : 0..1")
        .replace("VARIABLES n", "VARIABLES n, m")
        .replace("n := 0 OPERATIONS", "n, m := 0, 0 OPERATIONS")
        .replace("G {n < 5}", "G F {n < 5}")
        .replace("END; zero", "END; flip = m := 1 - m; zero");
    folder.file("e.mch", &endless);
    let run = folder.run(&["check", "--json", "e.mch", "--max-states", "3"]);
    assert_eq!(run.exit, 20, "{}", run.out);
    let report = &run.json()[0];
    assert_eq!(report["formulas"][0]["verdict"], "open", "{report}");
    assert_eq!(
        report["not_checked"][0],
        "ltl ASSERT_LTL: not decided within 3 states"
    );
    assert_eq!(
        report["open_because"].as_array().map(Vec::len),
        Some(1),
        "{report}"
    );
    let wrong = endless.replace("G F {n", "G F {nn");
    folder.file("w.mch", wrong);
    let run = folder.run(&["check", "--quiet", "w.mch"]);
    assert_eq!(run.exit, 0, "{}", run.err);
    assert!(
        run.out.ends_with("verdict: holds (1 thing not checked)\n"),
        "{}",
        run.out
    );
}

#[test]
fn bounded_model_checking_finds_paths_and_proofs() {
    let folder = Folder::new("check-bmc");
    folder.file("c.mch", COUNTER);
    let run = folder.run(&["check", "--json", "c.mch", "--engine", "bmc"]);
    assert_eq!(run.exit, 12, "{}{}", run.out, run.err);
    let report = &run.json()[0];
    assert_eq!(
        report["findings"][0]["path"].as_array().map(Vec::len),
        Some(4)
    );
    folder.file("d.mch", COUNTER.replace("n < 6", "n < 2"));
    let run = folder.run(&["check", "d.mch", "--engine", "bmc"]);
    assert_eq!(run.exit, 0, "{}{}", run.out, run.err);
}

#[test]
fn constraints_are_about_all_states_that_satisfy_the_invariant() {
    let folder = Folder::new("cbc");
    folder.file("c.mch", COUNTER);
    let run = folder.run(&["cbc", "c.mch", "--invariant"]);
    assert_eq!(run.exit, 12, "{}{}", run.out, run.err);
    assert!(
        run.out.contains("violated: inc keeps the invariant"),
        "{}",
        run.out
    );
    assert!(
        run.out.contains("holds: zero keeps the invariant"),
        "{}",
        run.out
    );
    let run = folder.run(&["cbc", "c.mch", "--deadlock", "--sequence", "inc; zero; inc"]);
    assert_eq!(run.exit, 0, "{}{}", run.out, run.err);
    let run = folder.run(&["cbc", "c.mch", "--sequence", "inc; dec"]);
    assert_eq!(run.exit, 2, "{}{}", run.out, run.err);
}
