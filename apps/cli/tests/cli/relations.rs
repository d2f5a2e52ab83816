//! `analyse --relations`, in every format.

use crate::support::Folder;

const PAIR: &str = "MACHINE Pair VARIABLES x, y INVARIANT x : 0..2 & y : 0..2
INITIALISATION x := 0 || y := 0
OPERATIONS
  up = PRE x < 2 THEN x := x + 1 END;
  right = PRE y < 2 THEN y := y + 1 END;
  down = PRE x = 2 THEN x := 0 END
END";

#[test]
fn relations_are_shown_in_every_format() {
    let folder = Folder::new("analyse-relations");
    folder.file("Pair.mch", PAIR);
    let run = |more: &[&str]| {
        let run = folder.run(&[&["analyse", "Pair.mch", "--relations"], more].concat());
        assert_eq!(run.exit, 0, "{more:?}: {}", run.err);
        run.out
    };
    let text = run(&["--dependence", "syntactic"]);
    assert!(text.contains("syntactic precision"), "{text}");
    assert!(text.contains("  up    -.x\n"), "{text}");
    let csv = run(&["--to", "csv"]);
    let rows: Vec<&str> = csv.lines().collect();
    assert_eq!(rows.len(), 7, "{csv}");
    assert_eq!(
        rows[0],
        "first,second,dependent,can_enable,can_disable,together"
    );
    // x < 2 and x = 2 exclude each other, and going up can make x = 2 true.
    assert!(rows.contains(&"up,down,0,1,0,0"), "{csv}");
    assert!(rows.contains(&"up,right,0,0,0,1"), "{csv}");
    let dot = run(&["--to", "dot"]);
    assert!(
        dot.starts_with("digraph") && dot.contains("e0 -> e2;"),
        "{dot}"
    );
    let json: serde_json::Value = serde_json::from_str(&run(&["--json"])).expect("one object");
    assert_eq!(json["events"], serde_json::json!(["up", "right", "down"]));
    assert_eq!(json["can_enable"], serde_json::json!([[2], [], [0]]));
}

#[test]
fn every_method_agrees_with_the_search_without_reduction() {
    let folder = Folder::new("check-por");
    folder.file("Pair.mch", PAIR);
    for method in ["ample", "stubborn", "deletion"] {
        for more in [
            &[][..],
            &["--no-invariant"],
            &["--threads", "2"],
            &["--search", "dfs"],
        ] {
            let command = &["check", "Pair.mch", "--json", "--por", method];
            let run = folder.run(&[command, more].concat());
            assert_eq!(run.exit, 0, "{method} {more:?}: {}{}", run.out, run.err);
            let report = &run.json()[0];
            assert_eq!(report["reductions"]["por"]["method"], method);
            assert!(report["statistics"]["states"].as_u64() <= Some(9));
        }
    }
}

/// Three wheels that turn by themselves: 117,649 states.
fn wheels(invariant: &str) -> String {
    format!(
        "MACHINE Wheels VARIABLES x, y, z INVARIANT x : 0..48 & y : 0..48 & z : 0..48{invariant}
INITIALISATION x := 0 || y := 0 || z := 0
OPERATIONS
  one = SELECT x < 48 THEN x := x + 1 WHEN x = 48 THEN x := 0 END;
  two = SELECT y < 48 THEN y := y + 1 WHEN y = 48 THEN y := 0 END;
  three = SELECT z < 48 THEN z := z + 1 WHEN z = 48 THEN z := 0 END
END"
    )
}

#[test]
fn a_small_model_is_explored_as_it_is() {
    let folder = Folder::new("por-auto-small");
    folder.file("Pair.mch", PAIR);
    let run = folder.run(&["check", "Pair.mch", "--json"]);
    let report = &run.json()[0];
    let por = &report["reductions"]["por"];
    assert_eq!(por["method"], "off", "{por}");
    assert_eq!(por["because"], "no more than 100,000 states", "{por}");
    assert_eq!(report["statistics"]["states"], 9);
}

#[test]
fn steps_of_a_large_model_are_left_out_where_a_trial_shows_that_it_pays() {
    let folder = Folder::new("por-auto-pays");
    folder.file("Wheels.mch", wheels(""));
    let check = |more: &[&str]| {
        let explicit = ["check", "Wheels.mch", "--json", "--engine", "explicit"];
        let run = folder.run(&[&explicit, more].concat());
        assert_eq!(run.exit, 0, "{more:?}: {}{}", run.out, run.err);
        run.json()[0].clone()
    };
    let whole = check(&["--por", "off", "--no-invariant"]);
    assert_eq!(whole["statistics"]["states"], 117_649);
    for more in [
        &["--no-invariant"][..],
        &["--no-invariant", "--threads", "2"],
        &["--no-invariant", "--search", "dfs"],
    ] {
        let report = check(more);
        let por = &report["reductions"]["por"];
        assert_eq!(por["method"], "stubborn", "{more:?}: {por}");
        let because = por["because"].as_str().expect("a reason");
        assert!(because.starts_with("in a trial of "), "{because}");
        assert!(report["statistics"]["states"].as_u64() < Some(1_000));
    }
    // What would be another question, or another answer, is not reduced.
    for more in [
        &["--max-depth", "1000"][..],
        &["--all-findings", "2"],
        &["--wd", "lenient"],
        &["--search", "dfs", "--threads", "2"],
    ] {
        let report = check(&[&["--no-invariant"], more].concat());
        let por = &report["reductions"]["por"];
        assert_eq!(por["method"], "off", "{more:?}: {por}");
        assert_eq!(report["statistics"]["states"], 117_649, "{more:?}");
    }
}

#[test]
fn a_trial_that_shows_no_reduction_turns_it_off_and_names_the_culprits() {
    let folder = Folder::new("por-auto-off");
    folder.file("Wheels.mch", wheels(" & x + y + z < 150"));
    let run = folder.run(&["check", "Wheels.mch", "--engine", "explicit"]);
    assert_eq!(run.exit, 0, "{}{}", run.out, run.err);
    for wanted in [
        "117,649 states",
        "partial order: off: in a trial of ",
        " only 0 % of the steps were left out; if only deadlocks were looked for, 6",
        "kept in order by: x + y + z < 150 (changed by one, two, three)",
    ] {
        assert!(run.out.contains(wanted), "{wanted}: {}", run.out);
    }
    let broken = wheels(" & x + y + z < 143");
    folder.file("Wheels.mch", &broken);
    let run = folder.run(&["check", "Wheels.mch", "--json"]);
    assert_eq!(run.exit, 12, "{}{}", run.out, run.err);
}

#[test]
fn steps_that_lead_to_the_same_states_are_not_worth_leaving_out() {
    let folder = Folder::new("por-auto-same");
    let text = "MACHINE Stairs VARIABLES x INVARIANT x >= 0 & x <= 101000 INITIALISATION x := 0
        OPERATIONS up = SELECT x < 101000 THEN x := x + 1 END; down = SELECT x > 0 THEN x := x - 1 END END";
    folder.file("Stairs.mch", text);
    let run = folder.run(&["check", "Stairs.mch", "--engine", "explicit"]);
    assert_eq!(run.exit, 0, "{}{}", run.out, run.err);
    for wanted in [
        "101,001 states, 202,000 transitions",
        "partial order: off: in a trial of ",
        " of the steps were left out, but hardly a state",
    ] {
        assert!(run.out.contains(wanted), "{wanted}: {}", run.out);
    }
}
