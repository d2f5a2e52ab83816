//! Sets that are not listed and captured an element: a method that permutes whole states cannot see it, and must not go on.

use crate::support::Folder;

/// Who is marked is remembered by an infinite relation only. Exchanging processes without it would make another one the marked one, whose
/// place is 0: a step that the model does not have.
const HIDING: &str = "\
MACHINE Hiding
SETS Proc
VARIABLES at, is_set, marked
INVARIANT at : Proc --> 0..2 & is_set : BOOL & marked : INTEGER <-> Proc & 2 /: ran(at)
INITIALISATION at := Proc * {0} || is_set := FALSE || marked := {}
OPERATIONS
  mark(p) = SELECT p : Proc & is_set = FALSE THEN
    marked := {x, q | x : INTEGER & q = p} || is_set := TRUE || at(p) := 1 END;
  look(q) = SELECT q : Proc & is_set = TRUE & (1 |-> q) : marked & at(q) = 0 THEN at(q) := 2 END;
  pause = SELECT is_set = TRUE THEN skip END
END
";

/// The same with a set of numbers: which it holds depends on a constant of the element that it captured, and only the lightest one makes it
/// hold 1.
const WEIGHING: &str = "\
MACHINE Weighing
SETS Proc
CONSTANTS weight
PROPERTIES weight : Proc >-> 0..2
VARIABLES at, is_set, heavier
INVARIANT at : Proc --> 0..2 & is_set : BOOL & heavier <: INTEGER & 2 /: ran(at)
INITIALISATION at := Proc * {0} || is_set := FALSE || heavier := {}
OPERATIONS
  mark(p) = SELECT p : Proc & is_set = FALSE THEN
    heavier := {x | x : INTEGER & x * x > weight(p)} || is_set := TRUE || at(p) := 1 END;
  look(q) = SELECT q : Proc & is_set = TRUE & at(q) = 0 & 1 : heavier & weight(q) = 0 THEN at(q) := 2 END;
  pause = SELECT is_set = TRUE THEN skip END
END
";

const METHODS: [(&str, &str); 5] = [
    ("dynamic", "symbolic"),
    ("multiple", "symbolic"),
    ("counters", "explicit"),
    ("counters", "symbolic"),
    ("adaptive", "explicit"),
];

#[test]
fn what_cannot_be_permuted_is_refused_with_its_line() {
    let folder = Folder::new("check-hidden");
    for (name, text) in [("Hiding", HIDING), ("Weighing", WEIGHING)] {
        let file = format!("{name}.mch");
        folder.file(&file, text);
        let card = ["--card", "Proc=3"];
        for method in ["off", "exact", "auto"] {
            let run = folder.run(&[&["check", &file, "--symmetry", method], &card[..]].concat());
            assert_eq!(run.exit, 0, "{name} {method}: {}{}", run.out, run.err);
        }
        for (method, engine) in METHODS {
            let options = ["--symmetry", method, "--engine", engine];
            let run = folder.run(&[&["check", &file], &options[..], &card[..]].concat());
            let place = format!("{name} {method} {engine}: {}{}", run.out, run.err);
            assert_eq!(run.exit, 2, "{place}");
            if (name, method) != ("Weighing", "counters") {
                assert!(run.err.contains("is a set that is not listed"), "{place}");
            }
        }
    }
}

#[test]
fn states_that_stand_for_themselves_are_not_summed_up() {
    let folder = Folder::new("check-hidden-sum");
    folder.file("Hiding.mch", HIDING);
    let options = ["--card", "Proc=3", "--symmetry", "exact"];
    let run = folder.run(&[&["check", "--json", "Hiding.mch"], &options[..]].concat());
    let told = &run.json()[0]["reductions"]["symmetry"];
    assert_eq!(told.get("states"), None, "{told}");
}
