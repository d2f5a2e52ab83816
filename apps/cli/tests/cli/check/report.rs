//! What a check answers: one verdict, one exit code, one JSON object.

use serde_json::Value;

use super::{LIFT, machine};
use crate::support::{Folder, Run};

fn verdict(run: &Run) -> &str {
    run.out.lines().last().unwrap_or_default()
}

#[test]
fn a_correct_machine_holds() {
    let folder = Folder::new("check-holds");
    folder.file("Lift.mch", LIFT);
    let run = folder.run(&["check", "Lift.mch"]);
    assert_eq!((run.exit, run.err.as_str()), (0, ""), "{}", run.out);
    assert_eq!(verdict(&run), "verdict: holds");
    assert!(
        run.out.contains("Lift: 10 states, 18 transitions, depth 9"),
        "{}",
        run.out
    );
    let quiet = folder.run(&["check", "--quiet", "Lift.mch"]);
    assert_eq!((quiet.exit, quiet.out.as_str()), (0, "verdict: holds\n"));
}

#[test]
fn every_outcome_has_its_exit_code() {
    let folder = Folder::new("check-exits");
    let up = "up = SELECT n < 3 THEN n := n + 1 END";
    let turn = "turn = n := (n + 1) mod 3";
    for (name, text, exit, word) in [
        ("holds", machine("n : 0..2", turn), 0, "holds"),
        (
            "setup",
            "MACHINE setup CONSTANTS c PROPERTIES c : 1..2 & c > 2 END".to_owned(),
            10,
            "violated (no set-up)",
        ),
        (
            "deadlock",
            machine("n : 0..3", up),
            11,
            "violated (deadlock)",
        ),
        (
            "invariant",
            machine("n : 0..2", up),
            12,
            "violated (invariant)",
        ),
        (
            "open",
            machine("n : INTEGER", "set(v) = PRE v : INTEGER THEN n := v END"),
            20,
            "open (",
        ),
        (
            "fault",
            machine("n : INTEGER", "divide = n := 1 / n"),
            75,
            "violated (fault)",
        ),
        (
            "syntax",
            "MACHINE syntax INVARIANT".to_owned(),
            150,
            "error",
        ),
        ("typing", machine("n : BOOL", turn), 151, "error"),
    ] {
        let file = format!("{name}.mch");
        folder.file(
            &file,
            text.replace("MACHINE Small", &format!("MACHINE {name}")),
        );
        let run = folder.run(&["check", &file]);
        assert_eq!(run.exit, exit, "{name}: {}{}", run.out, run.err);
        assert!(
            verdict(&run).starts_with(&format!("verdict: {word}")),
            "{name}: {}",
            run.out
        );
        let json = folder.run(&["check", "--json", &file]);
        assert_eq!((json.exit, json.err.as_str()), (exit, ""), "{name}");
        let objects = json.json();
        assert_eq!(objects.len(), 1, "{name}: one object on one line");
        let word = word.split(' ').next().unwrap_or_default();
        assert_eq!(objects[0]["verdict"], word, "{name}");
    }
    let run = folder.run(&["check", "--json", "missing.mch"]);
    assert_eq!((run.exit, &run.json()[0]["verdict"]), (2, &"error".into()));
    folder.file("m.tla", "---- MODULE m ----\n");
    let run = folder.run(&["check", "--json", "m.tla"]);
    assert_eq!(
        (run.exit, &run.json()[0]["verdict"]),
        (152, &"error".into())
    );
}

#[test]
fn the_report_has_the_fields_of_schema_1() {
    let folder = Folder::new("check-schema");
    folder.file(
        "Sched.mch",
        "MACHINE Sched SETS PID CONSTANTS limit PROPERTIES limit = 1\n\
         VARIABLES active INVARIANT active <: PID & /*@label few*/ card(active) <= limit\n\
         INITIALISATION active := {}\n\
         OPERATIONS r <-- new(pp) = SELECT pp : PID - active THEN active := active \\/ {pp} || r := card(active) END;\n\
         free = SELECT active /= {} THEN active := {} END\nEND\n",
    );
    let run = folder.run(&["check", "--json", "Sched.mch", "--card", "PID=3"]);
    assert_eq!(run.exit, 12, "{}", run.out);
    let report = &run.json()[0];
    assert_eq!(report["tool"], "burnside");
    assert_eq!(report["schema"], 1);
    assert_eq!(report["version"], env!("CARGO_PKG_VERSION"));
    assert_eq!(
        report["model"],
        serde_json::json!({"file":"Sched.mch","language":"b","name":"Sched"})
    );
    assert_eq!(report["verdict"], "violated");
    for list in [
        "open_because",
        "not_checked",
        "warnings",
        "hints",
        "uncovered",
    ] {
        assert!(report[list].is_array(), "{list}");
    }
    let symmetry = &report["reductions"]["symmetry"];
    assert_eq!(symmetry["method"], "exact");
    assert_eq!(symmetry["sorts"], serde_json::json!({"PID": 3}));
    assert_eq!(symmetry["precise"], true);
    assert!(symmetry["because"].is_string());
    assert_eq!(report["reductions"]["por"]["method"], "off");
    let statistics = &report["statistics"];
    for number in [
        "states",
        "setups",
        "nodes",
        "transitions",
        "edges",
        "undefined_guards",
        "next_state_calls",
        "wall_s",
        "peak_memory_bytes",
    ] {
        assert!(statistics[number].is_number(), "{number}: {statistics}");
    }
    let count = |name: &str| statistics[name].as_u64().unwrap_or(0);
    assert_eq!(count("nodes"), count("states") + count("setups") + 1);
    let finding = &report["findings"][0];
    assert_eq!(finding["kind"], "invariant");
    assert_eq!(finding["name"], "few");
    assert_eq!(finding["loop_start"], Value::Null);
    assert!(finding["message"].is_string());
    let path = &finding["path"];
    assert_eq!(
        path[0],
        serde_json::json!({"event":"SETUP_CONSTANTS","args":{},"results":{},"state":{"limit":"1"}})
    );
    assert_eq!(
        path[1],
        serde_json::json!({"event":"INITIALISATION","args":{},"results":{},"state":{"active":"{}"}})
    );
    assert_eq!(
        path[2],
        serde_json::json!({"event":"new","args":{"pp":"PID1"},"results":{"r":"0"},"state":{"active":"{PID1}"}})
    );
    assert_eq!(path.as_array().map(Vec::len), Some(4));
}

#[test]
fn errors_are_one_object_with_diagnostics() {
    let folder = Folder::new("check-error-json");
    folder.file("Broken.mch", machine("n : BOOL", "keep = skip"));
    let run = folder.run(&["check", "--json", "Broken.mch"]);
    let report = &run.json()[0];
    assert_eq!(report["verdict"], "error");
    let diagnostic = &report["diagnostics"][0];
    assert!(diagnostic["code"].is_string(), "{diagnostic}");
    assert!(diagnostic["line"].is_u64(), "{diagnostic}");
    assert_eq!(report["findings"], serde_json::json!([]));
}

#[test]
fn an_unsatisfiable_set_up_carries_statistics() {
    let folder = Folder::new("check-setup-json");
    folder.file(
        "No.mch",
        "MACHINE No CONSTANTS c PROPERTIES c : 1..2 & c > 2 END",
    );
    let run = folder.run(&["check", "--json", "No.mch"]);
    let report = &run.json()[0];
    assert_eq!(run.exit, 10);
    assert_eq!(report["findings"][0]["kind"], "setup");
    for number in ["states", "setups", "edges"] {
        assert_eq!(report["statistics"][number], 0, "{number}");
    }
}

#[test]
fn the_text_shows_the_path_and_the_false_part() {
    let folder = Folder::new("check-text");
    folder.file(
        "Small.mch",
        machine("n : NATURAL & n < 2", "up = n := n + 1"),
    );
    let run = folder.run(&["check", "--quiet", "Small.mch"]);
    assert_eq!(run.exit, 12);
    for part in [
        "n < 2",
        "1  INITIALISATION\n       n = 0\n",
        "2  up\n       n = 1\n",
        "3  up\n       n = 2\n",
        "n = 2",
    ] {
        assert!(
            run.out.contains(part),
            "{part:?} is missing in\n{}",
            run.out
        );
    }
}

#[test]
fn one_thread_answers_the_same_twice() {
    let folder = Folder::new("check-deterministic");
    folder.file("Lift.mch", LIFT.replace("0..9", "0..7"));
    let report = || {
        let run = folder.run(&["check", "--json", "Lift.mch", "--all-findings", "3"]);
        let mut report = run.json().remove(0);
        for key in ["wall_s", "peak_memory_bytes"] {
            report["statistics"][key] = Value::Null;
        }
        report.to_string()
    };
    assert_eq!(report(), report());
}

#[test]
fn several_findings_are_reported_when_asked_for() {
    let folder = Folder::new("check-all-findings");
    folder.file(
        "Small.mch",
        machine("n : 0..1 & n /= 4", "up = SELECT n < 4 THEN n := n + 1 END"),
    );
    let kinds = |run: &Run| -> Vec<String> {
        let report = run.json().remove(0);
        let findings = report["findings"].as_array().cloned().unwrap_or_default();
        findings
            .iter()
            .map(|finding| finding["kind"].as_str().unwrap_or_default().to_owned())
            .collect()
    };
    let run = folder.run(&["check", "--json", "Small.mch"]);
    assert_eq!((run.exit, kinds(&run)), (12, vec!["invariant".to_owned()]));
    let run = folder.run(&["check", "--json", "Small.mch", "--all-findings", "10"]);
    let all = kinds(&run);
    assert_eq!(run.exit, 12);
    assert_eq!(all.iter().filter(|kind| *kind == "invariant").count(), 4);
    assert_eq!(all.iter().filter(|kind| *kind == "deadlock").count(), 1);
}

#[test]
fn a_goal_is_reached_or_not_and_may_be_an_error() {
    let folder = Folder::new("check-goal");
    folder.file("Lift.mch", LIFT);
    let run = folder.run(&["check", "--json", "Lift.mch", "--goal", "level = 3"]);
    let report = &run.json()[0];
    assert_eq!((run.exit, &report["verdict"]), (0, &"holds".into()));
    assert_eq!(report["goal"]["reached"], true);
    assert_eq!(report["goal"]["path"].as_array().map(Vec::len), Some(4));
    let run = folder.run(&["check", "--json", "Lift.mch", "--goal", "level = 33"]);
    assert_eq!(run.exit, 0);
    assert_eq!(run.json()[0]["goal"]["reached"], false);
    let limited = ["--goal", "level = 9", "--max-states", "3"];
    let run = folder.run(&[&["check", "--json", "Lift.mch"], &limited[..]].concat());
    assert_eq!(run.exit, 20);
    assert_eq!(run.json()[0]["goal"]["reached"], Value::Null);
    let error = ["--goal", "level = 3", "--goal-is-error"];
    let run = folder.run(&[&["check", "--json", "Lift.mch"], &error[..]].concat());
    assert_eq!(run.exit, 12);
    assert_eq!(run.json()[0]["findings"][0]["kind"], "goal");
    for (goal, exit) in [("level +", 150), ("level", 151), ("roof = 3", 151)] {
        let run = folder.run(&["check", "Lift.mch", "--goal", goal]);
        assert_eq!(run.exit, exit, "{goal}: {}{}", run.out, run.err);
    }
}

#[test]
fn a_machine_without_operations_has_no_deadlock_and_the_report_says_so() {
    let folder = Folder::new("check-no-operations");
    folder.file(
        "Still.mch",
        "MACHINE Still VARIABLES x INVARIANT x : 1..2 INITIALISATION x :: 1..2 END",
    );
    let run = folder.run(&["check", "--json", "Still.mch"]);
    assert_eq!(run.exit, 0);
    let not_checked = run.json()[0]["not_checked"].to_string();
    assert!(not_checked.contains("deadlock"), "{not_checked}");
}

#[test]
fn undefined_guards_are_counted_and_told() {
    let folder = Folder::new("check-undefined");
    folder.file(
        "Small.mch",
        machine(
            "n : 0..1",
            "a = SELECT 1 / n = 1 THEN n := 0 END; b = n := 1",
        ),
    );
    let run = folder.run(&["check", "--json", "Small.mch"]);
    let report = &run.json()[0];
    assert_eq!((run.exit, &report["verdict"]), (0, &"holds".into()));
    assert_eq!(report["statistics"]["undefined_guards"], 1);
    let warning = report["warnings"].to_string();
    assert!(warning.contains("Small.mch:2:"), "{warning}");
    let run = folder.run(&["check", "--json", "Small.mch", "--wd", "strict"]);
    assert_eq!(run.exit, 75);
    assert_eq!(run.json()[0]["findings"][0]["kind"], "fault");
}

#[test]
fn a_path_is_saved_in_the_format_of_its_extension() {
    let folder = Folder::new("check-trace");
    folder.file("Small.mch", machine("n < 2", "up = n := n + 1"));
    for file in ["t.json", "t.itf.json", "t.md", "t.prob2trace"] {
        let run = folder.run(&["check", "--quiet", "Small.mch", "--trace-out", file]);
        assert_eq!(run.exit, 12, "{}", run.err);
        let text = std::fs::read_to_string(folder.path(file)).unwrap_or_default();
        assert!(text.contains("up"), "{file}: {text}");
    }
    let text = std::fs::read_to_string(folder.path("t.prob2trace")).unwrap_or_default();
    let trace: Value = serde_json::from_str(&text).unwrap_or_default();
    assert_eq!(trace["transitionList"][0]["name"], "$initialise_machine");
    assert_eq!(trace["transitionList"][2]["destState"]["n"], "2");
    assert_eq!(trace["metadata"]["formatVersion"], 6);
    let text = std::fs::read_to_string(folder.path("t.itf.json")).unwrap_or_default();
    let trace: Value = serde_json::from_str(&text).unwrap_or_default();
    assert_eq!(trace["vars"][0], "n");
    assert_eq!(trace["states"][2]["n"]["#bigint"], "2");
    let run = folder.run(&["check", "Small.mch", "--trace-out", "no/such/t.json"]);
    assert_eq!(run.exit, 2, "{}", run.err);
}

#[test]
fn scripts_find_the_lines_of_prob() {
    let folder = Folder::new("check-prob");
    folder
        .file("Lift.mch", LIFT)
        .file("Small.mch", machine("n < 2", "up = n := n + 1"));
    let run = folder.run(&["check", "--style", "prob", "Lift.mch"]);
    for line in [
        "ALL OPERATIONS COVERED",
        "% Model checking finished, all open states visited",
        "States analysed: 10",
        "Transitions fired: 19",
        "No counter example found. ALL states visited.",
    ] {
        assert!(run.out.contains(line), "{line}: {}", run.out);
    }
    let run = folder.run(&["check", "--style", "prob", "Small.mch"]);
    for line in [
        "*** COUNTER EXAMPLE FOUND ***\n\ninvariant_violation\n*** TRACE (length=3):",
        " 1: INITIALISATION(n=0)\n",
        " 2: up(n=1)\n",
        "Found \"invariant_violation\" error in state id",
        "! *** error occurred ***\n! invariant_violation\n! Total Errors: 1, Warnings:",
    ] {
        assert!(run.out.contains(line), "{line}: {}", run.out);
    }
    let run = folder.run(&["check", "--style", "prob", "Lift.mch", "--max-states", "2"]);
    assert_eq!(run.exit, 20);
    assert!(run.out.contains("model_check_incomplete"), "{}", run.out);
    assert!(!run.out.contains("ALL states visited"), "{}", run.out);
}

#[test]
fn long_paths_are_folded_and_equal_findings_told_once() {
    let folder = Folder::new("check-folded");
    let long = "MACHINE long VARIABLES n INVARIANT n < 100 INITIALISATION n := 0 OPERATIONS inc = n := n + 1 END\n";
    folder.file("long.mch", long);
    let run = folder.run(&["check", "long.mch"]);
    assert!(run.out.contains("… 51 steps are left out"), "{}", run.out);
    assert!(run.out.lines().count() < 120, "{}", run.out);
    let many = "MACHINE many VARIABLES n INVARIANT n : 0..2 INITIALISATION n := 0 OPERATIONS set(x) = PRE x : 0..5 THEN n := x END END\n";
    folder.file("many.mch", many);
    let run = folder.run(&["check", "many.mch", "--all-findings", "9"]);
    assert_eq!(
        run.out.matches("invariant is false").count(),
        1,
        "{}",
        run.out
    );
    assert!(
        run.out.contains("the same at the end of 2 other paths"),
        "{}",
        run.out
    );
}

/// One evaluator sees that 0 has no value; the other one meets numbers for which the rule has none.
#[test]
fn what_one_evaluator_overlooks_is_told_as_a_doubt() {
    let folder = Folder::new("check-partial-rule");
    folder.file(
        "Rule.mch",
        "MACHINE Rule VARIABLES v
INVARIANT v : INTEGER & %x.(x : NATURAL1 | (-2 * x) mod 3) : NATURAL >-> {8}
INITIALISATION v := 3 OPERATIONS go = v := 4 END",
    );
    let run = folder.run(&["check", "Rule.mch"]);
    assert_eq!(run.exit, 12, "{}{}", run.out, run.err);
    let told = format!("{}{}", run.out, run.err);
    assert!(told.contains("did not confirm this finding"), "{told}");
}

#[test]
fn definitions_that_would_cut_a_search_are_told_as_ignored() {
    let folder = Folder::new("ignored-definitions");
    let text = "MACHINE Waiting DEFINITIONS SCOPE == n <= 3; MAX_OPERATIONS_more == 1
        VARIABLES n INVARIANT n : 0..4 INITIALISATION n := 0
        OPERATIONS more(k) = SELECT k : 1..2 THEN n := n + k END END";
    folder.file("Waiting.mch", text);
    let run = folder.run(&["check", "Waiting.mch"]);
    assert_eq!(run.exit, 12, "{}{}", run.out, run.err);
    for wanted in [
        "warning: SCOPE is ignored: states that do not satisfy it are explored, too",
        "warning: MAX_OPERATIONS_more is ignored: everything is explored",
    ] {
        assert!(run.out.contains(wanted), "{wanted}: {}", run.out);
    }
}
