//! `export`: every format says how many nodes and edges there are, and a check counts the same.

use std::fmt::Write as _;

use serde_json::Value;

use crate::support::Folder;

const LIBRARY: &str = "\
MACHINE Library
SETS BOOK
CONSTANTS limit
PROPERTIES limit : 1..2
VARIABLES lent, open
INVARIANT lent <: BOOK & card(lent) <= limit & open : BOOL
INITIALISATION lent := {} || open :: BOOL
OPERATIONS
  lend(b) = SELECT b : BOOK - lent & card(lent) < limit & open = TRUE THEN lent := lent \\/ {b} END;
  n <-- count = BEGIN n := card(lent) END;
  close = SELECT open = TRUE THEN open := FALSE END
END
";

fn folder(test: &str) -> Folder {
    let folder = Folder::new(test);
    folder.file("Library.mch", LIBRARY);
    folder
}

fn export(folder: &Folder, args: &[&str]) -> String {
    let all: Vec<&str> = ["export", "Library.mch"]
        .iter()
        .chain(args)
        .copied()
        .collect();
    let run = folder.run(&all);
    assert_eq!(run.exit, 0, "{args:?}: {}", run.err);
    run.out
}

/// Nodes and edges as check counts them.
fn counts(folder: &Folder, symmetry: &str) -> (u64, u64) {
    let run = folder.run(&[
        "check",
        "Library.mch",
        "--symmetry",
        symmetry,
        "--no-deadlock",
        "--json",
    ]);
    let statistics = &run.json()[0]["statistics"];
    let number = |key: &str| statistics[key].as_u64().expect("a count");
    (number("nodes"), number("edges"))
}

#[test]
fn every_format_has_the_counts_of_a_check() {
    let folder = folder("export-counts");
    let (nodes, edges) = counts(&folder, "off");
    let aut = export(&folder, &["--to", "aut"]);
    assert!(
        aut.starts_with(&format!("des (0,{edges},{nodes})\n")),
        "{aut}"
    );
    assert_eq!(aut.lines().count() as u64, edges + 1);
    let dot = export(&folder, &["--to", "dot"]);
    assert_eq!(dot.matches(" -> ").count() as u64, edges);
    assert_eq!(
        dot.lines()
            .filter(|line| line.starts_with("  n")
                && line.contains(" [label=")
                && !line.contains(" -> "))
            .count() as u64,
        nodes
    );
    let json: Value = serde_json::from_str(&export(&folder, &["--to", "json"])).expect("JSON");
    assert_eq!(json["nodes"].as_array().map(Vec::len), Some(nodes as usize));
    assert_eq!(json["edges"].as_array().map(Vec::len), Some(edges as usize));
    assert_eq!(json["complete"], true);
    let csv = export(&folder, &["--to", "csv"]);
    assert!(csv.starts_with("node,role,limit,lent,open\n"), "{csv}");
    assert_eq!(csv.lines().count() as u64, nodes + 1);
    let graphml = export(&folder, &["--to", "graphml"]);
    assert_eq!(graphml.matches("<node ").count() as u64, nodes);
    assert_eq!(graphml.matches("<edge ").count() as u64, edges);
    let svg = export(&folder, &["--to", "svg"]);
    assert_eq!(svg.matches("<g class=\"node ").count() as u64, nodes);
}

#[test]
fn a_reduced_graph_has_one_state_for_each_orbit() {
    let folder = folder("export-reduced");
    let (nodes, edges) = counts(&folder, "exact");
    assert!(nodes < counts(&folder, "off").0);
    let aut = export(&folder, &["--to", "aut", "--reduced"]);
    assert!(
        aut.starts_with(&format!("des (0,{edges},{nodes})\n")),
        "{aut}"
    );
}

#[test]
fn a_graph_that_is_cut_says_so() {
    let folder = folder("export-cut");
    let run = folder.run(&["export", "Library.mch", "--to", "json", "--max-states", "3"]);
    assert_eq!(run.exit, 20, "{}", run.err);
    assert!(run.err.contains("only the first 3 states"), "{}", run.err);
    assert_eq!(run.json()[0]["complete"], false);
    assert_eq!(run.json()[0]["states"], 3);
}

#[test]
fn a_graph_with_a_guard_that_is_unknown_names_it() {
    let folder = Folder::new("export-unknown");
    folder.file(
        "Unknown.mch",
        "MACHINE Unknown VARIABLES v INVARIANT v : 0..9 INITIALISATION v := 0 OPERATIONS
         go = SELECT #m.(m : NATURAL & (m mod 70)*m = 2*33*2*33) THEN v := 7 END END",
    );
    let run = folder.run(&["export", "Unknown.mch", "--to", "json"]);
    assert!(run.err.contains("go is not known"), "{}", run.err);
    assert_eq!(run.json()[0]["complete"], false);
}

#[test]
fn other_graphs_show_classes_events_and_variables() {
    let folder = folder("export-graphs");
    let json: Value = serde_json::from_str(&export(
        &folder,
        &["--to", "json", "--projection", "card(lent)"],
    ))
    .expect("JSON");
    let labels: Vec<&str> = json["nodes"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|n| n["label"].as_str())
        .collect();
    assert_eq!(labels.len(), 4, "{labels:?}");
    assert!(
        labels.iter().any(|label| label.starts_with("2\n")),
        "{labels:?}"
    );
    let csv = export(&folder, &["--to", "csv", "--what", "matrix"]);
    assert!(
        csv.contains("\nlend,r,rw,r\n") || csv.contains("\nlend,r,rW,r\n"),
        "{csv}"
    );
    let csv = export(&folder, &["--to", "csv", "--what", "enabling"]);
    assert!(csv.contains("INITIALISATION,enables"), "{csv}");
    assert!(csv.contains("close,disables"), "{csv}");
    let dot = export(&folder, &["--to", "dot", "--what", "hierarchy"]);
    assert!(dot.contains("label=\"Library\""), "{dot}");
    let run = folder.run(&[
        "export",
        "Library.mch",
        "--to",
        "dot",
        "--projection",
        "lent +",
    ]);
    assert_eq!(run.exit, 2, "{}", run.err);
    let run = folder.run(&[
        "export",
        "Library.mch",
        "--to",
        "dot",
        "--what",
        "projection",
    ]);
    assert_eq!(run.exit, 2, "{}", run.err);
}

#[test]
fn a_space_of_two_hundred_states_is_drawn() {
    let folder = Folder::new("export-drawn");
    let mut machine = String::from("MACHINE Grid VARIABLES x, y INVARIANT x : 0..19 & y : 0..9\n");
    let _ = writeln!(
        machine,
        "INITIALISATION x, y := 0, 0 OPERATIONS right = SELECT x < 19 THEN x := x + 1 END;\n\
         down = SELECT y < 9 THEN y := y + 1 END; back = BEGIN x := 0 END END"
    );
    folder.file("Grid.mch", machine);
    let run = folder.run(&["export", "Grid.mch", "--to", "svg"]);
    assert_eq!(run.exit, 0, "{}", run.err);
    assert_eq!(run.out.matches("<g class=\"node ").count(), 201);
    println!("200 states were drawn in {:?}", run.time);
}

#[test]
fn an_edge_says_what_happens_on_it_alone() {
    // A step that changes nothing stands before an indivisible one of several statements.
    let folder = Folder::new("export-edges");
    folder.file(
        "m.pml",
        "byte x, y;\n\
         active proctype A() { do :: x != 9 od }\n\
         active proctype B() { atomic { x = 1; y = 1 } }\n\
         active proctype C() { y = 5 }\n",
    );
    let run = folder.run(&["export", "m.pml", "--to", "aut"]);
    let from_first = run
        .out
        .lines()
        .filter_map(|line| line.strip_prefix("(1,\""))
        .filter_map(|line| line.split_once('"'));
    let labels: Vec<&str> = from_first.map(|(label, _)| label).collect();
    assert_eq!(
        labels,
        ["A(0,2,x != 9)", "B(1,3,x = 1; y = 1)", "C(2,4,y = 5)"],
        "{}",
        run.out
    );
}
