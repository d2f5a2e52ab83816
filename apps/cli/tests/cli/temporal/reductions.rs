//! Other engines and reductions give the formulas the same answers.

use serde_json::Value;

use super::{folder, report, verdict};

#[test]
fn symmetry_is_used_where_atoms_allow_it() {
    let folder = folder("ltl-symmetry");
    for (option, formula, expected) in [
        ("--ltl", "G {card(holder) <= 1}", "holds"),
        ("--ltl", "G ([take] => F [drop])", "violated"),
        ("--ltl", "WF(drop) => G ([take] => F [drop])", "holds"),
        ("--ltl", "G F {PERSON1 : holder}", "violated"),
        ("--ltl", "G ([give] => X e(give))", "holds"),
        ("--ltl", "G ([give] => unchanged({card(holder)}))", "holds"),
        // A step to a symmetric state is a step to another one.
        ("--ltl", "G not sink", "holds"),
        ("--ltl", "F sink", "violated"),
        ("--ctl", "EF sink", "violated"),
        ("--ctl", "AG EF {holder = {}}", "holds"),
        ("--ctl", "AG EF {PERSON2 : holder}", "holds"),
        ("--ctl", "AF {holder = {} & 1 = 2}", "violated"),
    ] {
        assert_eq!(
            verdict(&folder, "Key.mch", option, formula),
            expected,
            "{formula}"
        );
        for method in ["exact", "canonical", "flood", "markers"] {
            let (found, _) = report(&folder, "Key.mch", &[option, formula, "--symmetry", method]);
            assert_eq!(
                found["formulas"][0]["verdict"], expected,
                "{method} {formula}: {found}"
            );
        }
    }
    for (formula, method) in [
        ("G changed({holder})", "exact"),
        ("WEF => F [drop]", "flood"),
        ("G BA({holder = holder$0})", "exact"),
    ] {
        let run = folder.run(&["check", "Key.mch", "--symmetry", method, "--ltl", formula]);
        assert_eq!(run.exit, 2, "{formula}: {}{}", run.out, run.err);
        assert!(run.err.contains("--symmetry"), "{}", run.err);
    }
}

#[test]
fn branching_formulas_have_the_same_answer_on_sets_of_states() {
    let folder = folder("ctl-symbolic");
    for formula in [
        "AG EF deadlock",
        "AG {x < 2}",
        "AF {x = most}",
        "EG not [stop]",
        "AG ([stop] => {x = 2})",
        "EX [step] EX [step] e(stop)",
        "not EF {done = TRUE}",
        "AG (EX true or {done = TRUE})",
    ] {
        let expected = verdict(&folder, "Ring.mch", "--ctl", formula);
        for split in ["on", "off", "auto"] {
            let options = ["--ctl", formula, "--engine", "symbolic", "--split", split];
            let (found, exit) = report(&folder, "Ring.mch", &options);
            assert_eq!(
                found["formulas"][0]["verdict"], expected,
                "{formula}: {found}"
            );
            assert_eq!(exit, if expected == "holds" { 0 } else { 13 });
        }
    }
    let (found, exit) = report(
        &folder,
        "Ring.mch",
        &["--ctl", "AG {2 / x > 0}", "--engine", "symbolic"],
    );
    assert_eq!(exit, 75, "{found}");
    for options in [
        ["--ctl", "AG sink"],
        ["--ctl", "AG e(jump(1))"],
        ["--ltl", "G F [step]"],
    ] {
        let run =
            folder.run(&[&["check", "Ring.mch", "--engine", "symbolic"], &options[..]].concat());
        assert_eq!(run.exit, 2, "{options:?}: {}{}", run.out, run.err);
        assert!(run.err.contains("symbolic engine"), "{}", run.err);
    }
}

#[test]
fn nested_search_has_the_same_answers_and_refuses_strong_fairness() {
    let folder = folder("ltl-nested");
    for formula in [
        "G F {x = 0}",
        "F [stop]",
        "WF(step) => G F ({x = 0} or deadlock)",
        "G ({x = most} => F {x = 0})",
        "F (deadlock or [step])",
    ] {
        let expected = verdict(&folder, "Ring.mch", "--ltl", formula);
        let options = ["--ltl", formula, "--search", "dfs"];
        let (found, _) = report(&folder, "Ring.mch", &options);
        assert_eq!(
            found["formulas"][0]["verdict"], expected,
            "{formula}: {found}"
        );
    }
    for formula in ["SF(stop) => F [stop]", "WEF => F [stop]", "SEF => F [stop]"] {
        let run = folder.run(&["check", "Ring.mch", "--search", "dfs", "--ltl", formula]);
        assert_eq!(run.exit, 2, "{formula}: {}{}", run.out, run.err);
        assert!(run.err.contains("nested"), "{}", run.err);
    }
}

/// Three processes that count by themselves, and a flag that only one of them sets.
const APART: &str = "MACHINE Apart
VARIABLES a, b, c, done
INVARIANT a : 0..5 & b : 0..5 & c : 0..5 & done : BOOL
INITIALISATION a, b, c, done := 0, 0, 0, FALSE
OPERATIONS
  step_a = SELECT a < 5 THEN a := a + 1 END;
  step_b = b := (b + 1) mod 6;
  step_c = SELECT c < 5 THEN c := c + 1 END;
  finish = SELECT c = 5 & done = FALSE THEN done := TRUE END
END
";

#[test]
fn ample_sets_keep_formulas_that_do_not_count_steps() {
    let folder = folder("ltl-por");
    folder.file("Apart.mch", APART);
    for formula in [
        "F {done = TRUE}",
        "G {a <= 5}",
        "G ({done = TRUE} => {c = 5})",
        "G F {b = 0}",
        "{a < 5} U {c = 5}",
        "G ({c = 5} => F {done = TRUE})",
        "G ({done = TRUE} => O {c = 3})",
        "F G {a = 5}",
        "{done = FALSE} W {c = 5}",
        "F [finish]",
        "G ([finish] => O [step_b])",
        "G ([step_a] => {c = 0})",
        "not [finish] U {c = 5}",
        "not [step_c] W [step_b]",
        "G ({b = 1} => e(step_b))",
        "G ({a = 5} => not e(step_a))",
        "F deadlock(step_a,step_b,step_c)",
        "F deadlock",
        "G ({a < 5} => not deadlock)",
        "WF(finish) => F {done = TRUE}",
        "WF(step_b) & SF(finish) => F [finish]",
        "G (changed({c}) => F [finish])",
        "G (unchanged({b}) or {b < 5})",
    ] {
        let expected = verdict(&folder, "Apart.mch", "--ltl", formula);
        let (found, _) = report(&folder, "Apart.mch", &["--ltl", formula, "--por", "ample"]);
        assert_eq!(
            found["formulas"][0]["verdict"], expected,
            "{formula}: {found}"
        );
    }
    let plain = report(&folder, "Apart.mch", &["--ltl", "G {a <= 5}"]).0;
    let fewer = report(
        &folder,
        "Apart.mch",
        &["--ltl", "G {a <= 5}", "--por", "ample"],
    )
    .0;
    let steps = |report: &Value| report["statistics"]["transitions"].as_u64();
    assert!(steps(&fewer) < steps(&plain), "{fewer}");
    for (option, formula) in [
        ("--ltl", "X {a = 1}"),
        ("--ltl", "G [step_a]"),
        ("--ltl", "{a = 0} U [step_a]"),
        ("--ltl", "G F not [step_a]"),
        ("--ltl", "G not sink"),
        ("--ltl", "WEF => F {done = TRUE}"),
        ("--ctl", "AF {done = TRUE}"),
    ] {
        let run = folder.run(&["check", "Apart.mch", "--por", "ample", option, formula]);
        assert_eq!(run.exit, 2, "{formula}: {}{}", run.out, run.err);
        assert!(run.err.contains("--por ample"), "{}", run.err);
    }
}
