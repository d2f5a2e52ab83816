//! Files that are no models: one clear error, the right exit code, soon, and never a crash.

use std::fs::{self, File};
use std::time::Duration;

use crate::support::{Folder, Run};

/// More than a release build needs by far; test builds are slower.
const SOON: Duration = Duration::from_secs(10);

#[track_caller]
fn assert_refused(run: &Run, exit: i32) {
    assert_eq!(run.exit, exit, "{}", run.err);
    assert!(run.is_one_error(), "{}", run.err);
    assert!(run.err.len() < 2000, "{}", run.err);
    assert!(run.time < SOON, "{:?}", run.time);
}

#[test]
fn a_missing_file() {
    let run = Folder::new("missing").run(&["lint", "no_such.mch"]);
    assert_refused(&run, 2);
    assert!(run.err.contains("no_such.mch"), "{}", run.err);
}

#[test]
fn a_missing_file_cannot_be_printed() {
    let run = Folder::new("missing-print").run(&["print", "no_such.mch"]);
    assert_refused(&run, 2);
    assert_eq!(run.out, "");
}

#[test]
fn a_directory() {
    let folder = Folder::new("directory");
    fs::create_dir_all(folder.path("d.mch")).expect("a folder");
    for path in [".", "d.mch"] {
        let run = folder.run(&["lint", path]);
        assert_refused(&run, 2);
        assert!(run.err.contains("folder"), "{}", run.err);
    }
}

#[cfg(unix)]
#[test]
fn an_unreadable_file() {
    use std::os::unix::fs::PermissionsExt;
    let folder = Folder::new("unreadable");
    folder.file("secret.mch", "MACHINE secret END");
    let path = folder.path("secret.mch");
    fs::set_permissions(&path, fs::Permissions::from_mode(0o000)).expect("permissions");
    // The superuser may read everything.
    if File::open(&path).is_err() {
        assert_refused(&folder.run(&["lint", "secret.mch"]), 2);
    }
}

#[test]
fn an_empty_file() {
    let folder = Folder::new("empty");
    folder.file("empty.mch", "").file("blank.mch", "\n \n");
    for file in ["empty.mch", "blank.mch"] {
        assert_refused(&folder.run(&["lint", file]), 150);
    }
}

#[test]
fn a_binary_file() {
    let folder = Folder::new("binary");
    let bytes: Vec<u8> = (0..=255).cycle().take(100_000).collect();
    folder.file("binary.mch", bytes);
    assert_refused(&folder.run(&["lint", "binary.mch"]), 150);
}

#[test]
fn a_file_that_is_not_utf_8() {
    let folder = Folder::new("utf-8");
    folder.file("latin.mch", b"MACHINE latin\nSETS S = {\xe9t\xe9}\nEND\n");
    let run = folder.run(&["lint", "latin.mch"]);
    assert_refused(&run, 150);
    assert!(run.err.contains("UTF-8"), "{}", run.err);
}

#[test]
fn a_file_of_100_megabytes() {
    let folder = Folder::new("huge");
    let file = File::create(folder.path("huge.mch")).expect("a file");
    file.set_len(100 * 1024 * 1024).expect("a sparse file");
    assert_refused(&folder.run(&["lint", "huge.mch"]), 150);
}

#[test]
fn deep_nesting() {
    let folder = Folder::new("deep");
    let depth = 100_000;
    for (name, open, close) in [
        ("parens", "(", ")"),
        ("sets", "{", "}"),
        ("nots", "not(", ")"),
    ] {
        let formula = format!("{}1=1{}", open.repeat(depth), close.repeat(depth));
        let file = format!("{name}.mch");
        folder.file(
            &file,
            format!("MACHINE {name}\nPROPERTIES {formula}\nEND\n"),
        );
        let run = folder.run(&["lint", &file]);
        assert!([150, 152].contains(&run.exit), "{}: {}", run.exit, run.err);
        assert_refused(&run, run.exit);
    }
}

#[test]
fn deep_nesting_that_is_never_closed() {
    let folder = Folder::new("unclosed");
    folder.file(
        "m.mch",
        format!("MACHINE m\nPROPERTIES {}", "(".repeat(100_000)),
    );
    let run = folder.run(&["lint", "m.mch"]);
    assert!([150, 152].contains(&run.exit), "{}: {}", run.exit, run.err);
    assert!(
        run.time < SOON && !run.err.contains("bug in burnside"),
        "{}",
        run.err
    );
}

#[test]
fn an_include_cycle() {
    let folder = Folder::new("cycle");
    folder.file("A.mch", "MACHINE A INCLUDES B END");
    folder.file("B.mch", "MACHINE B INCLUDES A END");
    folder.file("Self.mch", "MACHINE Self INCLUDES Self END");
    for file in ["A.mch", "B.mch", "Self.mch"] {
        let run = folder.run(&["lint", file]);
        assert_refused(&run, 151);
    }
}

#[test]
fn a_definition_file_that_includes_itself() {
    let folder = Folder::new("definition-cycle");
    folder.file("M.mch", "MACHINE M DEFINITIONS \"d.def\" END");
    folder.file("d.def", "DEFINITIONS \"d.def\"; one == 1");
    assert_refused(&folder.run(&["lint", "M.mch"]), 150);
}

#[test]
fn a_missing_machine_is_a_scope_error() {
    let folder = Folder::new("missing-machine");
    folder.file("M.mch", "MACHINE M SEES Other END");
    let run = folder.run(&["lint", "M.mch"]);
    assert_refused(&run, 151);
    assert!(run.err.contains("Other"), "{}", run.err);
}

#[test]
fn very_long_lines_are_not_shown_whole() {
    let folder = Folder::new("long-line");
    let sum = "1 + ".repeat(200_000);
    folder.file("m.mch", format!("MACHINE m PROPERTIES 0 = ({sum}TRUE) END"));
    let run = folder.run(&["lint", "m.mch"]);
    assert!([150, 152].contains(&run.exit), "{}", run.exit);
    assert_refused(&run, run.exit);
}

/// A parameter that is passed is the set that was passed for it.
#[test]
fn a_set_that_is_passed_has_no_size_of_its_own() {
    let folder = Folder::new("passed");
    folder.file(
        "Pool.mch",
        "MACHINE Pool(ITEM) CONSTRAINTS card(ITEM) = 3 VARIABLES v INVARIANT v <: ITEM INITIALISATION v := {} END",
    );
    folder.file("Main.mch", "MACHINE Main SETS PART INCLUDES Pool(PART) END");
    let run = folder.run(&["check", "Main.mch", "--card", "ITEM=3"]);
    assert_eq!(run.exit, 2, "{}", run.err);
    let run = folder.run(&["check", "Main.mch"]);
    assert!(run.out.contains("card(PART) = 3"), "{}", run.out);
    assert!(!run.out.contains("ITEM"), "{}", run.out);
}
