//! What `--engine auto` tries beside a search of states one by one, and what it does not.

use crate::support::Folder;

/// Five counters to seven: diagrams find their 32,768 states at once.
const COUNTERS: &str = "\
MACHINE Counters
VARIABLES a, b, c, d, e
INVARIANT a : 0..7 & b : 0..7 & c : 0..7 & d : 0..7 & e : 0..7
INITIALISATION a, b, c, d, e := 0, 0, 0, 0, 0
OPERATIONS
  tick_a = a := (a + 1) mod 8;
  tick_b = b := (b + 1) mod 8;
  tick_c = c := (c + 1) mod 8;
  tick_d = d := (d + 1) mod 8;
  tick_e = e := (e + 1) mod 8
END
";

/// The same states, all of them initial ones.
const CHOSEN: &str = "\
MACHINE Chosen
VARIABLES a, b, c, d, e
INVARIANT a : 0..7 & b : 0..7 & c : 0..7 & d : 0..7 & e : 0..7
INITIALISATION a :: 0..7 || b :: 0..7 || c :: 0..7 || d :: 0..7 || e :: 0..7
OPERATIONS
  tick_a = a := (a + 1) mod 8;
  tick_b = b := (b + 1) mod 8
END
";

/// The lines of a run that name what was counted and how.
fn told(folder: &Folder, file: &str, more: &[&str], exit: i32) -> String {
    let run = folder.run(&[&["check", file], more].concat());
    assert_eq!(run.exit, exit, "{file} {more:?}: {}{}", run.out, run.err);
    run.out
}

#[test]
fn a_model_whose_diagrams_are_small_is_explored_in_sets() {
    let folder = Folder::new("trials-counters");
    folder.file("Counters.mch", COUNTERS);
    let out = told(&folder, "Counters.mch", &[], 0);
    assert!(out.contains("32,768 states, 163,840 transitions"), "{out}");
    assert!(out.contains("engine: symbolic"), "{out}");
}

#[test]
fn initial_states_are_not_looked_for_twice() {
    let folder = Folder::new("trials-initial");
    folder.file("Chosen.mch", CHOSEN);
    let out = told(&folder, "Chosen.mch", &[], 0);
    assert!(out.contains("32,768 states"), "{out}");
    assert!(out.contains("engine: explicit"), "{out}");
}

#[test]
fn an_error_is_told_with_its_shortest_path_whatever_is_tried() {
    let folder = Folder::new("trials-error");
    let bound = "e : 0..7 & a + b + c + d < 20\n";
    folder.file("Broken.mch", COUNTERS.replace("e : 0..7\n", bound));
    let out = told(&folder, "Broken.mch", &[], 12);
    assert!(out.contains("depth 20"), "{out}");
    assert!(out.contains("engine: explicit"), "{out}");
}
