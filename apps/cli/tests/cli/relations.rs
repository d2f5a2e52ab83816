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
fn both_methods_agree_with_the_search_without_reduction() {
    let folder = Folder::new("check-por");
    folder.file("Pair.mch", PAIR);
    for method in ["ample", "stubborn"] {
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
