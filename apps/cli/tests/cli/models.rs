//! `lint`, `lint --expressions` and `print` on small machines.

use crate::support::Folder;

const LIFT: &str = "MACHINE Lift
VARIABLES level
INVARIANT level : 0..9
INITIALISATION level := 0
OPERATIONS
  up = SELECT level < 9 THEN level := level + 1 END;
  down = SELECT level > 0 THEN level := level - 1 END
END
";

#[test]
fn a_correct_machine_has_no_errors() {
    let folder = Folder::new("correct");
    folder.file("Lift.mch", LIFT);
    let run = folder.run(&["lint", "Lift.mch"]);
    assert_eq!((run.exit, run.out.as_str()), (0, ""), "{}", run.err);
    assert_eq!(run.err, "no errors in 1 file\n");
    let run = folder.run(&["lint", "--json", "Lift.mch"]);
    assert_eq!(
        run.out,
        "{\"file\":\"Lift.mch\",\"language\":\"b\",\"exit\":0,\"diagnostics\":[]}\n"
    );
}

#[test]
fn the_first_word_is_enough_to_recognise_b() {
    let folder = Folder::new("first-word");
    folder.file("Lift.txt", LIFT);
    let run = folder.run(&["lint", "--json", "Lift.txt"]);
    assert_eq!(
        (run.exit, &run.json()[0]["language"]),
        (0, &"b".into()),
        "{}",
        run.out
    );
}

#[test]
fn errors_have_a_code_and_a_place() {
    let folder = Folder::new("errors");
    folder.file(
        "Syntax.mch",
        LIFT.replace("Lift", "Syntax")
            .replace("level := 0\n", "level := \n"),
    );
    folder.file(
        "Types.mch",
        LIFT.replace("Lift", "Types")
            .replace("level := 0\n", "level := TRUE\n"),
    );
    for (file, exit) in [("Syntax.mch", 150), ("Types.mch", 151)] {
        let run = folder.run(&["lint", "--json", file]);
        assert_eq!(run.exit, exit, "{}", run.out);
        let object = &run.json()[0];
        assert_eq!(object["exit"], exit);
        let diagnostic = &object["diagnostics"][0];
        assert!(diagnostic["code"].is_string(), "{diagnostic}");
        assert_eq!(diagnostic["file"], file);
        for place in ["line", "column", "end_line", "end_column"] {
            assert!(
                diagnostic[place].as_u64().is_some_and(|n| n >= 1),
                "{diagnostic}"
            );
        }
    }
    let run = folder.run(&["lint", "Syntax.mch", "Types.mch"]);
    assert_eq!(run.exit, 150, "{}", run.err);
    assert!(run.err.contains("--> Types.mch:4:"), "{}", run.err);
}

#[test]
fn every_line_is_answered_in_order() {
    let folder = Folder::new("expressions");
    folder.file("Lift.mch", LIFT);
    let lines = "level + 1\nlevel < 3\n\nlevel + TRUE\nlevel + +\r\n{level}";
    let args = ["lint", "--expressions", "-", "Lift.mch"];
    let run = folder.run_on(&args, lines);
    assert_eq!((run.exit, run.err.as_str()), (0, ""));
    let answers = run.json();
    let column = |key: &str| answers.iter().map(|a| a[key].clone()).collect::<Vec<_>>();
    assert_eq!(column("line"), [1, 2, 3, 4, 5, 6]);
    assert_eq!(column("text"), lines.lines().collect::<Vec<_>>());
    assert_eq!(column("exit"), [0, 0, 150, 151, 150, 0]);
    assert_eq!(answers[0]["sort"], "expression");
    assert_eq!(answers[0]["type"], "INTEGER");
    assert_eq!(answers[1]["sort"], "predicate");
    assert_eq!(answers[1]["type"], serde_json::Value::Null);
    assert!(answers[3]["diagnostics"][0]["message"].is_string());

    folder.file("lines.txt", lines);
    let from_file = folder.run(&["lint", "--json", "--expressions", "lines.txt", "Lift.mch"]);
    assert_eq!((from_file.exit, &from_file.out), (0, &run.out));
}

#[test]
fn a_line_that_is_not_text_is_answered_too() {
    let folder = Folder::new("not-text");
    folder
        .file("Lift.mch", LIFT)
        .file("lines.txt", b"\xff\nlevel\n");
    let run = folder.run(&["lint", "--expressions", "lines.txt", "Lift.mch"]);
    let exits: Vec<_> = run.json().iter().map(|a| a["exit"].clone()).collect();
    assert_eq!((run.exit, exits), (0, vec![150.into(), 0.into()]));
}

#[test]
fn no_line_is_answered_without_a_context() {
    let folder = Folder::new("no-context");
    folder.file("Lift.mch", LIFT).file("lines.txt", "1\n");
    folder.file("Broken.mch", "MACHINE Broken INVARIANT");
    let run = folder.run(&["lint", "--expressions", "lines.txt", "Broken.mch"]);
    assert_eq!((run.exit, run.out.as_str()), (150, ""), "{}", run.err);
    let run = folder.run(&["lint", "--expressions", "missing.txt", "Lift.mch"]);
    assert_eq!((run.exit, run.out.as_str()), (2, ""), "{}", run.err);
    assert!(
        run.err.contains("missing.txt") && run.is_one_error(),
        "{}",
        run.err
    );
}

#[test]
fn printing_what_was_printed_changes_nothing() {
    let folder = Folder::new("print");
    folder.file("Lift.mch", LIFT);
    for option in [&[][..], &["--unicode"]] {
        let first = folder.run(&[&["print", "Lift.mch"], option].concat());
        assert_eq!((first.exit, first.err.as_str()), (0, ""));
        assert!(
            first.out.starts_with("MACHINE Lift\n") && first.out.ends_with("END\n"),
            "{}",
            first.out
        );
        folder.file("Lift.mch", &first.out);
        let second = folder.run(&[&["print", "Lift.mch"], option].concat());
        assert_eq!(first.out, second.out);
    }
}

#[test]
fn type_errors_do_not_prevent_printing_but_syntax_errors_do() {
    let folder = Folder::new("print-errors");
    folder.file(
        "Types.mch",
        LIFT.replace("Lift", "Types")
            .replace("level := 0\n", "level := TRUE\n"),
    );
    let run = folder.run(&["print", "Types.mch"]);
    assert_eq!(run.exit, 151, "{}", run.err);
    assert!(
        run.out.contains("level := TRUE") && run.is_one_error(),
        "{}{}",
        run.out,
        run.err
    );
    folder.file("Syntax.mch", "MACHINE Syntax INVARIANT");
    let run = folder.run(&["print", "Syntax.mch"]);
    assert_eq!((run.exit, run.out.as_str()), (150, ""), "{}", run.err);
    assert!(run.err.contains("error["), "{}", run.err);
}
