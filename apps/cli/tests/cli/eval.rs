//! `eval`: one answer line for each formula, by itself or in the first state of a model.

use crate::support::Folder;

const MODEL: &str =
    "MACHINE Lift CONSTANTS highest PROPERTIES highest : 3..9 & highest > 4 & highest < 6
VARIABLES level INVARIANT level : 0..highest INITIALISATION level := highest - 1 END";

#[test]
fn a_formula_is_answered_with_one_line() {
    let folder = Folder::new("eval-one");
    folder.file("Lift.mch", MODEL);
    for (args, answer) in [
        (&["eval", "SIGMA(i).(i:1..10|i*i)"][..], "385"),
        (&["eval", "1/0"], "!undefined division by zero"),
        (&["eval", "Lift.mch", "level+1"], "5"),
        (&["eval", "Lift.mch", "level : 0..highest"], "TRUE"),
        (&["eval", "{1,2} <: INT", "--pref", "MAXINT=1"], "FALSE"),
        (
            &["eval", "--evaluator", "reference", "2**70"],
            "1180591620717411303424",
        ),
        (
            &["eval", "--evaluator", "compiled", "Lift.mch", "2**70+level"],
            "1180591620717411303428",
        ),
    ] {
        let run = folder.run(args);
        assert_eq!(
            (run.exit, run.out.trim_end(), run.err.as_str()),
            (0, answer, ""),
            "{args:?}"
        );
    }
}

#[test]
fn people_read_sequences_and_rules() {
    let folder = Folder::new("eval-people");
    for (formula, answer) in [
        ("[3,1] <- 4", "[3,1,4]"),
        ("{1|->[2],2|->{}}", "[[2],{}]"),
        ("{2|->1}", "{(2|->1)}"),
        ("{x|x>5}", "{x | x > 5}"),
        ("#m.(m:NATURAL & !x.(x:{50} => x<=m))", "TRUE"),
        ("#r.(r:REAL & r>1.5)", "TRUE"),
        ("!m.(m:NATURAL => m*m < 50*m)", "FALSE"),
    ] {
        let run = folder.run(&["eval", formula]);
        assert_eq!((run.exit, run.out.trim_end()), (0, answer), "{formula}");
    }
    let run = folder.run_on(&["eval", "--batch", "-"], "[3,1]\n{x|x>5}\n");
    assert!(
        run.out.starts_with("{(1|->3),(2|->1)}\n!open "),
        "{}",
        run.out
    );
}

#[test]
fn a_variable_without_end_is_judged_by_one_evaluator() {
    let folder = Folder::new("eval-endless");
    let model = "MACHINE M VARIABLES f INVARIANT f : NATURAL --> NATURAL
        INITIALISATION f := %x.(x : NATURAL | x + x) END";
    folder.file("M.mch", model);
    let run = folder.run(&["eval", "M.mch", "100 : ran(f)"]);
    assert_eq!((run.exit, run.out.trim_end()), (0, "TRUE"), "{}", run.err);
}

#[test]
fn a_limit_on_time_ends_one_formula_and_not_the_others() {
    let folder = Folder::new("eval-time");
    let endless = "!f.(f : 1..15 --> 1..15 => SIGMA(i).(i : 1..15 | f(i)) < 9999)";
    let args = ["eval", "--batch", "-", "--max-time", "0.3"];
    let run = folder.run_on(&args, &format!("{endless}\n1+1\n"));
    let lines: Vec<&str> = run.out.lines().collect();
    assert!(lines[0].starts_with("!open"), "{}", run.out);
    assert_eq!(lines[1], "2");
    assert!(run.time.as_secs() < 30, "{:?}", run.time);
}

#[test]
fn texts_in_utf_16_are_read() {
    let folder = Folder::new("eval-utf16");
    let units = MODEL.encode_utf16().flat_map(u16::to_le_bytes);
    let bytes: Vec<u8> = [0xFF, 0xFE].into_iter().chain(units).collect();
    folder.file("Lift.mch", bytes);
    let run = folder.run(&["eval", "Lift.mch", "level"]);
    assert_eq!((run.exit, run.out.trim_end()), (0, "4"), "{}", run.err);
}

#[test]
fn a_batch_gives_an_answer_for_every_line_whatever_it_is() {
    let folder = Folder::new("eval-batch");
    folder.file("Lift.mch", MODEL);
    let input = "level\nlow\n1+\n\n{x|x:NATURAL & x<2}\nNATURAL\nlevel=4";
    let run = folder.run_on(&["eval", "Lift.mch", "--batch", "-"], input);
    let kinds: Vec<&str> = run
        .out
        .lines()
        .map(|line| line.split(' ').next().unwrap_or_default())
        .collect();
    let expected = ["4", "!type", "!syntax", "!syntax", "{0,1}", "!open", "TRUE"];
    assert_eq!(
        (run.exit, kinds.as_slice()),
        (0, &expected[..]),
        "{}",
        run.err
    );
    folder.file("lines.txt", "1+1\n");
    let run = folder.run(&["eval", "--batch", "lines.txt"]);
    assert_eq!((run.exit, run.out.as_str()), (0, "2\n"));
}

#[test]
fn the_prompt_remembers_what_was_asked() {
    let folder = Folder::new("eval-repl");
    let run = folder.run_on(&["eval", "--repl"], "1+1\n\n!!\n!7\n:history\n:quit\n3\n");
    assert_eq!((run.exit, run.out.as_str()), (0, "2\n2\n1  1+1\n2  1+1\n"));
    assert!(run.err.contains("no such line"), "{}", run.err);
}

#[test]
fn what_cannot_be_answered_at_all_says_why() {
    let folder = Folder::new("eval-refused");
    folder.file("Bad.mch", "MACHINE Bad INVARIANT END");
    folder.file(
        "Stuck.mch",
        "MACHINE Stuck CONSTANTS c PROPERTIES c : 1..2 & c > 5 END",
    );
    for (args, exit, part) in [
        (&["eval", "--repl", "a.mch", "1+1"][..], 2, "no FORMULA"),
        (&["eval", "--batch", "none.txt"], 2, "none.txt"),
        (&["eval", "none.mch", "1"], 2, "none.mch"),
        (&["eval", "Bad.mch", "1"], 150, "error"),
        (&["eval", "Stuck.mch", "c"], 0, "no values of the constants"),
        (&["eval", "--card", "S", "1"], 2, "NAME=VALUE"),
    ] {
        let run = folder.run(args);
        assert_eq!(run.exit, exit, "{args:?}: {}", run.err);
        assert!(run.err.contains(part), "{args:?}: {}", run.err);
    }
}
