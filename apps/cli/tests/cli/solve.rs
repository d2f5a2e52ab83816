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
fn the_best_solutions_are_found_and_proven_to_be_the_best() {
    let run = burnside(&[
        "solve",
        "x : 1..10 & y : 1..10 & x+y > 5",
        "--minimise",
        "x*x+y",
    ]);
    assert_eq!((run.exit, run.out.as_str()), (0, "x = 1 & y = 5\n"));
    assert!(
        run.err.contains("the least value of x*x+y is 6"),
        "{}",
        run.err
    );
    let sums = [
        "solve",
        "x : 1..3 & y : 1..3 & x+y > 3",
        "--minimise",
        "x+y",
        "--all",
    ];
    let run = burnside(&sums);
    let mut lines: Vec<&str> = run.out.lines().collect();
    lines.sort_unstable();
    assert_eq!(
        (run.exit, lines),
        (0, vec!["x = 1 & y = 3", "x = 2 & y = 2", "x = 3 & y = 1"])
    );
    // One way to meet every three neighbours with as few as possible.
    let meets = "s <: 1..11 & !i.(i : 2..10 => s /\\ {i-1,i,i+1} /= {})";
    let run = burnside(&["solve", meets, "--minimise", "card(s)", "--all"]);
    assert_eq!((run.exit, run.out.as_str()), (0, "s = {3,6,9}\n"));
}

#[test]
fn what_may_be_better_is_not_called_the_best() {
    let run = burnside(&["solve", "x : NATURAL & x*x mod 7 = 2", "--maximise", "x"]);
    assert_eq!(run.exit, 20, "{}", run.err);
    assert!(run.err.contains("x may be greater than"), "{}", run.err);
    assert_eq!(
        burnside(&["solve", "x : 1..3 & x > 3", "--maximise", "x"]).exit,
        10
    );
    assert_eq!(
        burnside(&["solve", "x : 1..3", "--maximise", "x = 2"]).exit,
        151
    );
}

#[test]
fn the_least_and_the_greatest_are_those_of_all_solutions() {
    let predicate = "x : -4..4 & y : -4..4 & x*y + x > 3";
    for expression in ["x*x - 3*y", "x*y", "y - x"] {
        let aimed = format!("{predicate} & value = {expression}");
        let all = burnside(&["solve", &aimed, "--all"]);
        let values = all.out.lines().map(|line| {
            let value = line.rsplit_once("value = ").expect("it has a value").1;
            value.parse::<i64>().expect("an integer")
        });
        let values: Vec<i64> = values.collect();
        for (option, best) in [
            ("--minimise", values.iter().min()),
            ("--maximise", values.iter().max()),
        ] {
            let run = burnside(&["solve", predicate, option, expression, "--json"]);
            let value: serde_json::Value = serde_json::from_str(&run.out).expect("JSON");
            assert_eq!(
                value["best"]["value"],
                best.expect("a solution").to_string()
            );
            assert_eq!(value["best"]["is_proven"], true);
        }
    }
}

#[test]
fn solutions_are_counted() {
    let run = burnside(&["solve", "p : perm(1..5)", "--count"]);
    assert_eq!((run.exit, run.out.as_str()), (0, "120\n"));
    assert_eq!(
        burnside(&["solve", "x : 1..3 & x > 3", "--count"]).out,
        "0\n"
    );
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
