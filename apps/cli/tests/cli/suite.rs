//! `tests`: short paths that cover operations and guards, in our form and in ProB's.

use crate::support::Folder;

const GATE: &str = "\
MACHINE Gate
VARIABLES n
INVARIANT n : 0..4
INITIALISATION n := 0
OPERATIONS
  up(k) = SELECT k : 1..2 & n + k <= 4 THEN n := n + k END;
  reset = SELECT n = 4 THEN n := 0 END;
  stuck = SELECT n > 4 THEN n := 0 END
END
";

#[test]
fn every_operation_that_can_happen_is_covered_by_a_short_path() {
    let folder = Folder::new("tests-operations");
    folder.file("Gate.mch", GATE);
    let run = folder.run(&["tests", "Gate.mch", "--json"]);
    assert_eq!(run.exit, 0, "{}", run.err);
    let suite = &run.json()[0];
    let cases = suite["cases"].as_array().expect("a list of cases");
    // The path to a reset covers what a path of its own would.
    assert_eq!(cases.len(), 1, "{suite}");
    assert_eq!(cases[0]["covers"], serde_json::json!(["up", "reset"]));
    assert_eq!(suite["uncovered"], serde_json::json!(["stuck"]));
    let events = |case: &serde_json::Value| -> Vec<String> {
        let steps = case["path"].as_array().expect("a path");
        let events = steps.iter().map(|step| step["event"].to_string());
        events.map(|event| event.replace('"', "")).collect()
    };
    assert_eq!(events(&cases[0]), ["INITIALISATION", "up", "up", "reset"]);
    let run = folder.run(&[
        "tests", "Gate.mch", "--only", "up", "--end", "n = 0", "--json",
    ]);
    let case = &run.json()[0]["cases"][0];
    assert_eq!(events(case), ["INITIALISATION", "up", "up", "reset"]);
    let run = folder.run(&["tests", "Gate.mch", "--max-states", "1"]);
    assert_eq!(run.exit, 20, "{}", run.out);
    assert!(run.out.contains("not covered: reset"), "{}", run.out);
}

#[test]
fn guards_are_covered_where_a_conjunct_alone_is_false() {
    let folder = Folder::new("tests-guards");
    folder.file("Gate.mch", GATE);
    let run = folder.run(&["tests", "Gate.mch", "--cover", "guards"]);
    assert_eq!(run.exit, 0, "{}", run.err);
    for covered in [
        "up: n + k <= 4 alone is false",
        "reset: n = 4 alone is false",
    ] {
        assert!(run.out.contains(covered), "{covered}: {}", run.out);
    }
    assert!(run.out.contains("cannot be covered: stuck"), "{}", run.out);
}

#[test]
fn the_command_lines_of_prob_find_tests_and_ask_by_constraints() {
    let folder = Folder::new("tests-prob");
    folder.file("Gate.mch", GATE);
    for options in [
        &["-mcm_tests", "5", "100", "n=0", "out.xml"][..],
        &["-cbc_tests", "5", "n=0", "out.xml", "-cbc_cover", "up"],
    ] {
        let run = folder.run(&[&["probcli", "Gate.mch"], options].concat());
        assert_eq!(run.exit, 0, "{options:?}: {}{}", run.out, run.err);
        let xml = std::fs::read_to_string(folder.path("out.xml")).expect("a file");
        assert!(xml.contains("<step id=\"1\" name=\"up\">"), "{xml}");
    }
    let run = folder.run(&["probcli", "Gate.mch", "-cbc_deadlock"]);
    assert_eq!(run.exit, 0, "{}{}", run.out, run.err);
    assert!(run.out.contains("No DEADLOCK state found"), "{}", run.out);
    let run = folder.run(&["probcli", "Gate.mch", "-cbc_assertions"]);
    assert!(run.out.contains("No ASSERTION to check"), "{}", run.out);
    let run = folder.run(&["probcli", "Gate.mch", "-cbc", "all"]);
    assert_eq!(run.exit, 0, "{}{}", run.out, run.err);
    let run = folder.run(&["probcli", "Gate.mch", "-cbc_sequence", "up;up;reset"]);
    assert_eq!(run.exit, 0, "{}{}", run.out, run.err);
}

#[test]
fn constraints_find_a_path_for_each_operation() {
    let folder = Folder::new("tests-cbc");
    folder.file("Gate.mch", GATE);
    let run = folder.run(&["cbc", "Gate.mch", "--tests", "3", "--json"]);
    assert_eq!(run.exit, 12, "{}", run.err);
    let verdicts: Vec<String> = run.json()[0]["answers"]
        .as_array()
        .expect("answers")
        .iter()
        .map(|answer| answer["verdict"].to_string())
        .collect();
    assert_eq!(verdicts, ["\"holds\"", "\"holds\"", "\"violated\""]);
}
