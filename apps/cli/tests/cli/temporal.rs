//! Temporal formulas from the command line: answers, counterexamples, refusals.

mod reductions;

use serde_json::Value;

use crate::support::Folder;

/// `x` counts 0, 1, 2, 0, …; `stop` ends everything when it is 2.
const RING: &str = "MACHINE Ring
CONSTANTS most PROPERTIES most = 2
DEFINITIONS
  GOAL == x = 2;
  ASSERT_LTL_back == \"G ({x = most} => not [step] or X {x = 0})\";
  ASSERT_LTL_bad == \"G {x < 2}\";
  ASSERT_CTL == \"AG EF deadlock\"
VARIABLES x, done
INVARIANT x : 0..2 & done : BOOL
INITIALISATION x, done := 0, FALSE
OPERATIONS
  step = SELECT done = FALSE THEN x := (x + 1) mod 3 END;
  jump(n) = SELECT done = FALSE & n : 0..2 & n > x THEN x := n END;
  stop = SELECT done = FALSE & x = 2 THEN done := TRUE END
END
";

/// Three interchangeable people, one of whom may hold the key.
const KEY: &str = "MACHINE Key
SETS PERSON
DEFINITIONS scope_PERSON == 3
VARIABLES holder
INVARIANT holder <: PERSON
INITIALISATION holder := {}
OPERATIONS
  take(p) = SELECT p : PERSON & holder = {} THEN holder := {p} END;
  give(p) = SELECT p : PERSON & holder /= {} & p /: holder THEN holder := {p} END;
  drop = SELECT holder /= {} THEN holder := {} END
END
";

const ALONE: [&str; 3] = ["--no-invariant", "--no-deadlock", "--no-assertions"];

fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.file("Ring.mch", RING);
    folder.file("Key.mch", KEY);
    folder
}

/// The report of a check of formulas alone.
fn report(folder: &Folder, machine: &str, options: &[&str]) -> (Value, i32) {
    let run = folder.run(&[&["check", machine, "--json"], &ALONE[..], options].concat());
    let json = run.json();
    (json[0].clone(), run.exit)
}

fn verdict(folder: &Folder, machine: &str, option: &str, formula: &str) -> String {
    let (report, _) = report(folder, machine, &[option, formula]);
    match report["formulas"][0]["verdict"].as_str() {
        Some(verdict) => verdict.to_owned(),
        None => panic!("{formula}: {report}"),
    }
}

#[test]
fn linear_formulas_hold_or_are_violated() {
    let folder = folder("ltl-verdicts");
    for (formula, expected) in [
        ("G {x : 0..most}", "holds"),
        ("G {x < 2}", "violated"),
        ("F deadlock", "violated"),
        ("WF(stop) => F deadlock", "violated"),
        ("SF(stop) => F deadlock", "holds"),
        ("SEF => F deadlock", "holds"),
        ("WEF => F deadlock", "violated"),
        ("G (X true or deadlock)", "holds"),
        ("G X true", "violated"),
        ("G ([jump(2)] => X {x = 2})", "holds"),
        ("G ([jump(x+1)] => X {x = 2})", "violated"),
        ("G (e(jump(2)) => {x < 2})", "holds"),
        ("G ({x = 1} => O {x = 0})", "holds"),
        ("G ({x = 2} => Y {x = 1})", "violated"),
        ("G ([stop] => X sink)", "holds"),
        ("G ([jump] => increasing({x}))", "holds"),
        ("G ([step] => changed({x}))", "holds"),
        ("G ([stop] => unchanged({x}))", "holds"),
        ("G ([step] => increasing({x}))", "violated"),
        (
            "G ([jump] => before_after({x > x$0 & done = done$0}))",
            "holds",
        ),
        ("G ([step] => BA({x > x$0}))", "violated"),
        ("G (goal => {x = 2})", "holds"),
        ("!n.({n : 0..1} => G ([jump(n)] => X {x = n}))", "holds"),
        ("#n.({n : 0..2} & G {x /= n})", "violated"),
        ("#n.({n : 0..3} & G {x /= n})", "holds"),
        ("G deadlock(stop,jump) or F e(stop)", "holds"),
        ("G controller(step,stop)", "violated"),
        ("G (deterministic(jump,stop) or {x = 9})", "holds"),
        ("{x = 0} W {x = 1}", "violated"),
        ("not {x = 2} U {x = 1} or true", "holds"),
    ] {
        assert_eq!(
            verdict(&folder, "Ring.mch", "--ltl", formula),
            expected,
            "{formula}"
        );
    }
}

#[test]
fn branching_formulas_hold_or_are_violated() {
    let folder = folder("ctl-verdicts");
    for (formula, expected) in [
        ("AG EF deadlock", "holds"),
        ("AF deadlock", "violated"),
        ("EG {done = FALSE}", "holds"),
        ("AG (deadlock => AX false)", "holds"),
        ("AG (deadlock => EX true)", "violated"),
        ("EX [jump(2)] {x = 2}", "holds"),
        ("EX [jump(1)] {x = 2}", "violated"),
        ("E {x < 2} U {x = 2}", "holds"),
        ("AG (deadlock => EG deadlock)", "holds"),
        ("[step] & not [stop]", "holds"),
    ] {
        assert_eq!(
            verdict(&folder, "Ring.mch", "--ctl", formula),
            expected,
            "{formula}"
        );
    }
}

#[test]
fn counterexamples_are_prefixes_loops_and_paths_that_end() {
    let folder = folder("ltl-paths");
    let (found, exit) = report(&folder, "Ring.mch", &["--ltl", "G {x < 2}"]);
    assert_eq!(exit, 13);
    let finding = &found["findings"][0];
    assert_eq!(finding["kind"], "ltl");
    assert_eq!(finding["loop_start"], Value::Null);
    assert_eq!(finding["path"].as_array().map(Vec::len), Some(3));
    assert_eq!(found["formulas"][0]["safety"], true);
    let (found, _) = report(&folder, "Ring.mch", &["--ltl", "G F {x = 1} or F deadlock"]);
    let finding = &found["findings"][0];
    let start = finding["loop_start"].as_u64().expect("a loop") as usize;
    let path = finding["path"].as_array().expect("a path");
    assert!(start < path.len());
    assert_eq!(path[start - 1]["state"], path[path.len() - 1]["state"]);
    let (found, _) = report(
        &folder,
        "Ring.mch",
        &["--ltl", "G F {x = 1} or G F {x = 0}"],
    );
    let finding = &found["findings"][0];
    assert_eq!(finding["loop_start"], Value::Null);
    let path = finding["path"].as_array().expect("a path");
    assert_eq!(path[path.len() - 1]["event"], "stop");
    assert!(!finding["along"].as_array().expect("parts").is_empty());
    assert!(!finding["why"].as_array().expect("reasons").is_empty());
}

#[test]
fn a_loop_is_saved_and_replayed() {
    let folder = folder("ltl-trace");
    for file in ["loop.json", "loop.itf.json", "loop.prob2trace", "loop.md"] {
        let options = [
            &["check", "Ring.mch"],
            &ALONE[..],
            &["--ltl", "F deadlock", "--trace-out", file],
        ];
        let run = folder.run(&options.concat());
        assert_eq!(run.exit, 13, "{}", run.err);
        if file != "loop.md" {
            let replayed = folder.run(&["replay", "Ring.mch", file]);
            assert_eq!(replayed.exit, 0, "{file}: {}{}", replayed.out, replayed.err);
        }
    }
}

#[test]
fn each_formula_has_a_verdict_of_its_own() {
    let folder = folder("ltl-each");
    folder.file(
        "all.ltl",
        "# two formulas\n[small] G\n  {x <= 2}\n[never]\nG not [stop]\n[strange] G {y = 1}\n",
    );
    let (found, exit) = report(
        &folder,
        "Ring.mch",
        &[
            "--ltl-file",
            "all.ltl",
            "--definitions",
            "--ctl",
            "EF {x = 2}",
        ],
    );
    assert_eq!(exit, 13);
    let formulas = found["formulas"].as_array().expect("formulas");
    let verdicts: Vec<(&str, &str)> = formulas
        .iter()
        .map(|f| {
            (
                f["name"].as_str().unwrap_or("-"),
                f["verdict"].as_str().unwrap_or("-"),
            )
        })
        .collect();
    assert_eq!(
        verdicts,
        [
            ("-", "holds"),
            ("small", "holds"),
            ("never", "violated"),
            ("strange", "error"),
            ("ASSERT_LTL_back", "holds"),
            ("ASSERT_LTL_bad", "violated"),
            ("ASSERT_CTL", "holds"),
        ]
    );
    let because = formulas[3]["because"].as_str().expect("a reason");
    assert!(because.starts_with("all.ltl:6:14: "), "{because}");
    let not_checked = found["not_checked"].to_string();
    assert!(!not_checked.contains("ASSERT"), "{not_checked}");
}

#[test]
fn mistakes_have_places_inside_the_formula() {
    let folder = folder("ltl-mistakes");
    for (option, formula, exit, column, message) in [
        ("--ltl", "G {x >", 150, 3, "`{` is not closed"),
        ("--ltl", "G {x > TRUE}", 151, 8, ""),
        ("--ltl", "G {y > 0}", 151, 4, "`y`"),
        ("--ltl", "G {x}", 151, 4, "a predicate is needed here"),
        (
            "--ltl",
            "G e(stpe)",
            151,
            5,
            "the model has no operation `stpe`",
        ),
        ("--ltl", "[jump(1,2)]", 151, 2, "`jump` has 1 parameter"),
        ("--ltl", "[jump(TRUE)]", 151, 7, ""),
        ("--ltl", "G error", 152, 3, "`error` has no meaning here"),
        (
            "--ltl",
            "#n.({n > x} & F {x = n})",
            152,
            6,
            "the range of `n`",
        ),
        ("--ltl", "G increasing({done})", 151, 15, "needs a number"),
        ("--ctl", "AG EX", 150, 6, "a formula is missing here"),
        ("--ctl", "AG changed({x})", 150, 4, "no part of CTL"),
    ] {
        let run = folder.run(&["check", "Ring.mch", "--json", option, formula]);
        let first = &run.json()[0]["diagnostics"][0];
        assert_eq!(run.exit, exit, "{formula}: {first}");
        assert_eq!(first["column"].as_u64(), Some(column), "{formula}: {first}");
        let text = first["message"].as_str().unwrap_or_default();
        assert!(text.contains(message), "{formula}: {text}");
    }
}

#[test]
fn a_formula_that_holds_for_the_wrong_reason_is_warned_of() {
    let folder = folder("ltl-vacuity");
    let (found, _) = report(&folder, "Ring.mch", &["--ltl", "G ({x = 7} => F [stop])"]);
    let warnings = found["formulas"][0]["warnings"].to_string();
    assert!(
        warnings.contains("the premise {x = 7} is never true"),
        "{warnings}"
    );
    let (found, _) = report(&folder, "Ring.mch", &["--ltl", "G ({x <= 2} or {x = 9})"]);
    let warnings = found["formulas"][0]["warnings"].to_string();
    assert!(warnings.contains("{x = 9} is always false"), "{warnings}");
    let (found, _) = report(&folder, "Ring.mch", &["--ltl", "G {x <= 2}"]);
    assert!(found["formulas"][0]["warnings"].is_null(), "{found}");
}

#[test]
fn an_atom_without_a_value_is_a_fault_where_it_matters() {
    let folder = folder("ltl-undefined");
    let (found, exit) = report(&folder, "Ring.mch", &["--ltl", "G {2 / x > 0}"]);
    assert_eq!(exit, 75, "{found}");
    assert_eq!(found["findings"][0]["kind"], "fault");
    assert_eq!(found["findings"][0]["place"], "<--ltl>:1:4");
    let formula = "G ({x /= 0} => {2 / x > 0})";
    assert_eq!(verdict(&folder, "Ring.mch", "--ltl", formula), "holds");
}

/// `break` faults for one of its arguments, and for the other leads on.
const FAULTY: &str = "MACHINE Faulty
VARIABLES x
INVARIANT x : 0..3
INITIALISATION x := 0
OPERATIONS
  step = SELECT x < 2 THEN x := x + 1 END;
  break(n) = SELECT n : 0..1 & x : {2, 3} THEN x := (3 - x) / n + 2 END;
  back = SELECT x = 2 THEN x := 0 END
END
";

#[test]
fn formulas_are_judged_on_the_paths_without_a_fault() {
    let folder = folder("ltl-past-faults");
    folder.file("Faulty.mch", FAULTY);
    let formulas = [
        ("--ltl", "G {x <= 3}", "holds"),
        // The step with the other argument is not forgotten.
        ("--ltl", "G {x < 3}", "violated"),
        ("--ltl", "F {x = 2}", "holds"),
        ("--ltl", "G not deadlock", "holds"),
        ("--ltl", "G ({x = 0} => e(step))", "holds"),
        ("--ltl", "G ({x = 2} => e(break(0)))", "error"),
        ("--ltl", "G ({x = 2} => e(break(1)))", "holds"),
        ("--ltl", "G F {x = 0}", "violated"),
        ("--ctl", "AG EF {x = 3}", "holds"),
        ("--ctl", "AG {x < 3}", "violated"),
    ];
    for (option, formula, expected) in formulas {
        let (found, exit) = report(&folder, "Faulty.mch", &[option, formula]);
        let told = &found["formulas"][0];
        assert_eq!(told["verdict"], expected, "{formula}: {found}");
        let kinds = found["findings"].as_array().into_iter().flatten();
        let is_fault = |finding: &&Value| finding["kind"] == "fault";
        assert_eq!(kinds.filter(is_fault).count(), 1, "{formula}: {found}");
        let warning = told["warnings"][0].as_str().unwrap_or_default();
        // What was decided before a fault can be met needs no warning.
        let is_warned = expected == "holds" && formula != "F {x = 2}";
        assert_eq!(warning.contains("fault"), is_warned, "{formula}: {found}");
        let codes = if expected == "violated" { 13 } else { 75 };
        assert_eq!(exit, codes, "{formula}: {found}");
    }
}

#[test]
fn limits_leave_a_formula_open() {
    let folder = folder("ltl-open");
    let (found, exit) = report(
        &folder,
        "Ring.mch",
        &["--ltl", "G F {x < 9} ", "--max-states", "1"],
    );
    assert_eq!(exit, 20, "{found}");
    assert_eq!(found["formulas"][0]["verdict"], "open");
}

#[test]
fn the_page_shows_every_formula() {
    let folder = folder("ltl-page");
    let run = folder.run(&[
        "check",
        "Ring.mch",
        "--definitions",
        "--report",
        "page.html",
    ]);
    assert_eq!(run.exit, 11, "{}", run.err);
    let page = std::fs::read_to_string(folder.path("page.html")).expect("a page");
    for text in [
        "Temporal formulas",
        "ASSERT_LTL_bad",
        "Where its parts hold",
        "violated",
    ] {
        assert!(page.contains(text), "{text}");
    }
}

#[test]
fn command_lines_of_prob_check_formulas_alone() {
    let folder = folder("ltl-probcli");
    let run = folder.run(&["probcli", "Ring.mch", "-ltlformula", "G {x <= most}"]);
    assert_eq!(run.exit, 0, "{}{}", run.out, run.err);
    assert!(run.out.contains("LTL Formula TRUE."), "{}", run.out);
    let run = folder.run(&["probcli", "Ring.mch", "-ltlassertions"]);
    assert_eq!(run.exit, 13, "{}{}", run.out, run.err);
    assert!(run.out.contains("Formula FALSE."), "{}", run.out);
    folder.file("all.ltl", "[a] G {x <= 2}\n");
    let run = folder.run(&[
        "probcli",
        "Ring.mch",
        "-ltlfile",
        "all.ltl",
        "-ctlformula",
        "EF {x = 1}",
    ]);
    assert_eq!(run.exit, 0, "{}{}", run.out, run.err);
}

#[test]
fn formulas_about_event_b_are_in_its_notation() {
    let root =
        std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/eventb/ferry.eventb");
    let model = root.to_string_lossy().into_owned();
    let folder = folder("ltl-eventb");
    let (found, _) = report(&folder, &model, &["--ltl", "G {1 ∈ ℕ ∧ 1 ↦ 2 ∈ ℤ × ℤ}"]);
    assert_eq!(found["formulas"][0]["verdict"], "holds", "{found}");
    let (found, _) = report(&folder, &model, &["--ltl", "!n.({n : 1‥2} => G {n ≥ 1})"]);
    assert_eq!(found["formulas"][0]["verdict"], "holds", "{found}");
}
