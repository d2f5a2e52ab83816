//! The command line itself: what is accepted, what is refused, what the exit code says.

use std::io::Read;
use std::process::Stdio;

use crate::support::Folder;

#[test]
fn help_teaches_every_command_by_example_and_lists_exit_codes() {
    let folder = Folder::new("help");
    for (args, example) in [
        (&["--help"][..], "burnside lint lift.mch"),
        (
            &["check", "--help"],
            "burnside check lift.mch --no-deadlock",
        ),
        (&["lint", "--help"], "burnside lint --json"),
        (&["print", "--help"], "burnside print --unicode"),
    ] {
        let run = folder.run(args);
        assert_eq!(run.exit, 0);
        for part in [example, "Exit codes:", "150", "151", "152", "255"] {
            assert!(
                run.out.contains(part),
                "{part:?} is missing in\n{}",
                run.out
            );
        }
    }
}

/// The codes in the texts of a folder: a letter and four digits in quotes.
fn codes_below(folder: &std::path::Path, found: &mut std::collections::BTreeSet<String>) {
    for entry in std::fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        let name = path
            .file_name()
            .unwrap_or_default()
            .to_string_lossy()
            .into_owned();
        if path.is_dir() && name != "tests" {
            codes_below(&path, found);
        } else if name.ends_with(".rs") && name != "tests.rs" {
            let text = std::fs::read_to_string(&path).unwrap_or_default();
            let quoted = text.split('"').filter(|part| {
                let is_digits = part.bytes().skip(1).all(|byte| byte.is_ascii_digit());
                part.len() == 5 && part.starts_with(|c: char| c.is_ascii_uppercase()) && is_digits
            });
            found.extend(quoted.map(str::to_owned));
        }
    }
}

#[test]
fn every_code_that_can_be_printed_is_explained() {
    let crates = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../crates");
    let mut codes = std::collections::BTreeSet::new();
    for entry in std::fs::read_dir(crates).expect("the crates").flatten() {
        codes_below(&entry.path().join("src"), &mut codes);
    }
    assert!(codes.len() > 200, "{} codes", codes.len());
    let folder = Folder::new("explained");
    for code in codes {
        let run = folder.run(&["--explain", &code]);
        assert_eq!(run.exit, 0, "{code}: {}", run.err);
    }
}

#[test]
fn the_version_is_one_line() {
    let run = Folder::new("version").run(&["--version"]);
    assert_eq!((run.exit, run.out.lines().count()), (0, 1));
    assert!(run.out.starts_with("burnside "), "{}", run.out);
}

#[test]
fn wrong_usage_exits_with_2_and_says_what_is_wrong() {
    let folder = Folder::new("wrong");
    for (args, part) in [
        (&[][..], "Usage"),
        (&["chekc", "m.mch"], "'chekc'"),
        (&["check"], "FILE"),
        (&["check", "a.mch", "b.mch"], "'b.mch'"),
        (&["lint"], "FILE"),
        (&["lint", "--jsn", "m.mch"], "'--jsn'"),
        (&["lint", "--unicode", "m.mch"], "'--unicode'"),
        (&["print", "--json", "m.mch"], "'--json'"),
        (&["print", "a.mch", "b.mch"], "'b.mch'"),
        (
            &["lint", "--expressions", "l.txt", "a.mch", "b.mch"],
            "one FILE",
        ),
        (&["--explain", "B0101", "lint", "m.mch"], "lint"),
    ] {
        let run = folder.run(args);
        assert_eq!(run.exit, 2, "{args:?}: {}", run.err);
        assert!(
            run.err.contains(part),
            "{args:?}: {part:?} is missing in\n{}",
            run.err
        );
        assert_eq!(run.out, "", "{args:?}");
    }
}

#[test]
fn an_option_given_twice_takes_the_last_one() {
    let folder = Folder::new("twice");
    folder.file("m.mch", "MACHINE m VARIABLES x INVARIANT x : 0..3 INITIALISATION x := 0 OPERATIONS up = SELECT x < 3 THEN x := x + 1 END END\n");
    let run = folder.run(&[
        "check",
        "m.mch",
        "--json",
        "--quiet",
        "--json",
        "--max-states",
        "1",
        "--max-states",
        "9",
        "--no-deadlock",
        "--no-deadlock",
    ]);
    assert_eq!((run.exit, run.err.as_str()), (0, ""), "{}", run.out);
    assert_eq!(run.json()[0]["statistics"]["states"], 4);
    let lint = folder.run(&["lint", "--json", "--quiet", "m.mch"]);
    assert_eq!((lint.exit, lint.json().len()), (0, 1));
}

#[test]
fn standard_input_is_a_file() {
    let folder = Folder::new("input");
    let machine = "MACHINE m VARIABLES x INVARIANT x : 0..3 INITIALISATION x := 5 END\n";
    let run = folder.run_on(&["check", "--quiet", "--language", "b", "-"], machine);
    assert_eq!(run.exit, 12, "{}{}", run.out, run.err);
    let run = folder.run_on(
        &["lint", "--language", "b", "-"],
        "MACHINE m INVARIANT x = 1 END\n",
    );
    assert_eq!(run.exit, 151, "{}", run.err);
    let run = folder.run_on(&["check", "-"], machine);
    assert_eq!(run.exit, 12, "{}{}", run.out, run.err);
    let run = folder.run_on(&["check", "-"], "what is this?");
    assert_eq!(run.exit, 2);
    assert!(run.err.contains("--language"), "{}", run.err);
    let run = folder.run_on(&["check", "--language", "bee", "-"], machine);
    assert_eq!(run.exit, 2);
    assert!(
        run.err.contains("the languages are b, eventb"),
        "{}",
        run.err
    );
}

#[test]
fn explain_shows_the_long_text() {
    let run = Folder::new("explain").run(&["--explain", "w0003"]);
    assert_eq!((run.exit, run.err.as_str()), (0, ""));
    assert!(run.out.starts_with("W0003: "), "{}", run.out);
    assert!(run.out.contains("exit code 152"), "{}", run.out);
}

#[test]
fn explain_suggests_a_near_code() {
    let folder = Folder::new("near");
    let run = folder.run(&["--explain", "W00O3"]);
    assert_eq!(run.exit, 2);
    assert!(run.err.contains("did you mean \"W0003\"?"), "{}", run.err);
    let run = folder.run(&["--explain", "nonsense"]);
    assert_eq!((run.exit, run.err.lines().count()), (2, 1), "{}", run.err);
}

#[test]
fn a_language_that_is_not_supported_is_named() {
    let folder = Folder::new("unsupported");
    folder.file("m.tla", "---- MODULE m ----\n");
    folder.file("m.rmch", "RULES_MACHINE m END\n");
    let known = [
        ("m.tla", "tla", "TLA+"),
        ("m.rmch", "rules", "the B rules language"),
    ];
    for (file, language, name) in known {
        let run = folder.run(&["lint", file]);
        assert_eq!(run.exit, 152, "{}", run.err);
        assert!(run.is_one_error(), "{}", run.err);
        assert!(
            run.err.contains(&format!("{name} is not supported yet")),
            "{}",
            run.err
        );
        assert!(run.err.contains(file), "{}", run.err);
        assert!(run.err.ends_with("1 error in 1 file\n"), "{}", run.err);

        let json = folder.run(&["lint", "--json", file]);
        assert_eq!((json.exit, json.err.as_str()), (152, ""));
        let object = &json.json()[0];
        assert_eq!(object["file"], file);
        assert_eq!(object["language"], language);
        assert_eq!(object["exit"], 152);
        assert_eq!(object["diagnostics"][0]["code"], "W0003");
        assert_eq!(object["diagnostics"][0]["severity"], "error");
    }
}

#[test]
fn an_unknown_language_is_a_usage_error() {
    let folder = Folder::new("unknown");
    folder.file("notes.txt", "Dear diary\n");
    let run = folder.run(&["lint", "notes.txt"]);
    assert_eq!(run.exit, 2);
    assert!(run.err.contains("notes.txt"), "{}", run.err);
}

#[test]
fn several_files_exit_with_the_smallest_code() {
    let folder = Folder::new("several");
    folder.file("m.rmch", "x").file("m.tla", "x");
    let run = folder.run(&["lint", "m.rmch", "m.tla"]);
    assert_eq!(run.exit, 152);
    assert!(run.err.ends_with("2 errors in 2 files\n"), "{}", run.err);
    let run = folder.run(&["lint", "--json", "m.rmch", "missing.tla"]);
    let exits: Vec<_> = run
        .json()
        .iter()
        .map(|object| object["exit"].clone())
        .collect();
    assert_eq!((exits, run.exit), (vec![152.into(), 2.into()], 2));
}

#[test]
fn quiet_shows_errors_without_a_summary() {
    let folder = Folder::new("quiet");
    folder.file("m.eventb", "x");
    let run = folder.run(&["lint", "--quiet", "m.eventb"]);
    assert!(run.is_one_error(), "{}", run.err);
    assert!(!run.err.contains("in 1 file"), "{}", run.err);
}

#[test]
fn no_colours_reach_a_pipe() {
    let folder = Folder::new("colour");
    folder.file("m.eventb", "x");
    let run = folder.run(&["lint", "m.eventb"]);
    assert!(!run.err.contains('\u{1b}'), "{}", run.err);
}

#[test]
fn a_reader_that_stops_reading_is_no_error() {
    let folder = Folder::new("pipe");
    folder.file("m.tla", "x");
    let mut args = vec!["lint", "--json"];
    args.extend(std::iter::repeat_n("m.tla", 2000));
    let mut child = folder
        .command(&args)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program runs");
    drop(child.stdout.take());
    let mut err = String::new();
    if let Some(mut stderr) = child.stderr.take() {
        stderr
            .read_to_string(&mut err)
            .expect("text on standard error");
    }
    let exit = child.wait().expect("the program ends").code();
    assert_eq!((exit, err.as_str()), (Some(152), ""));
}

#[test]
fn wrong_options_are_an_object_where_json_is_asked_for() {
    let folder = Folder::new("wrong_json");
    let run = folder.run(&["check", "--json", "--foo", "m.mch"]);
    assert_eq!(run.exit, 2);
    let object: serde_json::Value = serde_json::from_str(&run.out).expect("one object");
    assert_eq!(object["verdict"], "error");
    let message = object["diagnostics"][0]["message"].as_str();
    assert!(
        message.is_some_and(|text| text.contains("--foo")),
        "{object}"
    );
}
