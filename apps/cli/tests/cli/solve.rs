//! `burnside solve`: solutions as lines, exit codes, JSON.

use crate::support::{Folder, Run};

fn burnside(args: &[&str]) -> Run {
    Folder::new("solve").run(args)
}

#[test]
fn a_solution_is_a_predicate_on_a_line() {
    let run = burnside(&[
        "solve",
        "x : 1..100 & y : 1..100 & x*x + y*y = 625 & x < y",
        "--all",
    ]);
    let mut lines: Vec<&str> = run.out.lines().collect();
    lines.sort_unstable();
    assert_eq!(lines, ["x = 15 & y = 20", "x = 7 & y = 24"]);
    assert_eq!(run.exit, 0);
}

#[test]
fn no_solution_is_exit_10() {
    let run = burnside(&["solve", "x : 1..3 & x > 5"]);
    assert_eq!((run.exit, run.out.as_str()), (10, ""));
}

/// A part of its own that is not known was forgotten when it left nothing to try: "no solution".
#[test]
fn what_is_not_known_is_no_answer_wherever_it_stands() {
    let unknown = "not(!y.(y : (%x.(x:NATURAL|x))~[NATURAL] => y = 0))";
    for predicate in [
        format!("c : 1..2 & {unknown}"),
        format!("c = 1 & {unknown}"),
    ] {
        let run = burnside(&["solve", &predicate]);
        assert_eq!((run.exit, run.out.as_str()), (20, ""), "{}", run.err);
    }
}

#[test]
fn the_back_ends_find_the_same() {
    for solver in ["auto", "propagate", "sat"] {
        let predicate = "q : 1..6 >->> 1..6 & !(i,j).(i:1..6 & j:1..6 & i<j => \
                         q(i)-q(j) /= j-i & q(j)-q(i) /= j-i)";
        let run = burnside(&["solve", predicate, "--all", "--solver", solver]);
        assert_eq!(run.out.lines().count(), 4, "{solver}");
    }
}

#[test]
fn json_is_one_object() {
    let run = burnside(&["solve", "x : 1..3 & y = x + 1", "--max", "2", "--json"]);
    let value: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
    assert_eq!(value["solutions"][0]["y"], "2");
    assert_eq!(value["found"], 2);
    assert_eq!(value["is_complete"], false);
}

#[test]
fn what_is_wrong_with_the_predicate_is_said() {
    assert_eq!(burnside(&["solve", "x : 1..3 &"]).exit, 150);
    assert_eq!(burnside(&["solve", "x : 1..3 & x = TRUE"]).exit, 151);
}
