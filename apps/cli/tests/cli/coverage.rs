//! `coverage`: what was never true, never false, never decisive, never taken.

use crate::support::Folder;

const GATE: &str = "\
MACHINE Gate
VARIABLES n, idle
INVARIANT n : 0..3 & idle : 0..0
INITIALISATION n := 0 || idle := 0
OPERATIONS
  up(k) = SELECT k : 1..2 & n + k <= 3 & n < 9 THEN
    IF n > 5 THEN n := 0 ELSIF n = 1 THEN n := 3 ELSE n := n + k END
  END;
  reset = SELECT n = 3 THEN n := 0 END;
  stuck = SELECT n > 3 THEN n := 0 END
END
";

#[test]
fn gaps_are_named() {
    let folder = Folder::new("coverage-gaps");
    folder.file("Gate.mch", GATE);
    let run = folder.run(&["coverage", "Gate.mch"]);
    assert_eq!(run.exit, 0, "{}", run.err);
    for gap in [
        "up: n < 9 is never false",
        "stuck never happens",
        "stuck: n > 3 is never true",
        "n > 5 is never true",
        "idle has one value only",
    ] {
        assert!(run.out.contains(gap), "{gap}: {}", run.out);
    }
    for seen in [
        "n + k <= 3 is never",
        "reset: n = 3 is never",
        "n = 1 is never",
        "k : 1..2 is never",
    ] {
        assert!(!run.out.contains(seen), "{seen}: {}", run.out);
    }
}

#[test]
fn a_limit_makes_gaps_preliminary() {
    let folder = Folder::new("coverage-limit");
    folder.file("Gate.mch", GATE);
    let run = folder.run(&["coverage", "Gate.mch", "--max-states", "1", "--json"]);
    assert_eq!(run.exit, 20, "{}", run.err);
    let json = &run.json()[0];
    assert_eq!(json["complete"], false);
    assert_eq!(json["events"][0]["name"], "up");
    let run = folder.run(&["coverage", "Gate.mch", "--max-states", "1"]);
    assert!(run.out.contains("was not seen to happen"), "{}", run.out);
}

#[test]
fn a_level_of_refinement_is_chosen_as_for_check() {
    let folder = Folder::new("coverage-level");
    let ferry = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/eventb/ferry");
    let states = |options: &[&str]| {
        let run = folder.run(&[&["export", ferry, "--to", "csv"], options].concat());
        assert_eq!(run.exit, 0, "{}", run.err);
        run.out
    };
    assert_eq!(states(&["--level", "0"]), states(&["--machine", "M0"]));
    assert_ne!(states(&["--level", "0"]), states(&[]));
    let run = folder.run(&["coverage", ferry, "--machine", "M1", "--concrete-only"]);
    assert_eq!(run.exit, 0, "{}", run.err);
    assert!(run.out.contains("M1"), "{}", run.out);
    let run = folder.run(&["animate", ferry, "--level", "9", "--random", "3"]);
    assert_eq!(run.exit, 2, "{}", run.err);
    assert!(run.err.contains("--level 9"), "{}", run.err);
}

#[test]
fn what_is_not_known_is_not_told_as_never() {
    let folder = Folder::new("coverage-unknown");
    let text = "MACHINE M VARIABLES v INVARIANT v : 0..3 INITIALISATION v := 0\n\
                OPERATIONS go = SELECT !x.(x:NATURAL => (x mod 2)*x >= v) THEN v := 1 END END\n";
    folder.file("M.mch", text);
    let run = folder.run(&["coverage", "M.mch"]);
    assert_eq!(run.exit, 20, "{}", run.err);
    assert!(run.out.contains("not known: go: "), "{}", run.out);
    assert!(run.out.contains("go was not seen to happen"), "{}", run.out);
    let run = folder.run_on(
        &["animate", "M.mch", "--script", "-"],
        "find v = 1\nevents\n",
    );
    assert!(
        run.out.contains("that there is none is not known"),
        "{}",
        run.out
    );
    assert!(run.out.contains("? go: not known: "), "{}", run.out);
}
