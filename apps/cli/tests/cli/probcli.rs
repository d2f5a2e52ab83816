//! `probcli`: command lines of scripts run unchanged; what is not known is refused by name.

use crate::support::Folder;

const SCHEDULER: &str = "\
MACHINE M
SETS PID
VARIABLES active
INVARIANT active <: PID
INITIALISATION active := {}
OPERATIONS
  new(p) = SELECT p : PID - active THEN active := active \\/ {p} END;
  del(p) = SELECT p : active THEN active := active - {p} END
END
";

#[test]
fn the_command_lines_of_scripts_run_unchanged() {
    let folder = Folder::new("probcli-lines");
    folder.file("M.mch", SCHEDULER);
    let done = "No counter example found. ALL states visited.";
    for (line, exit, found) in [
        ("M.mch -model_check", 0, done),
        ("M.mch --model-check -strict", 0, done),
        ("M.mch -mc 100000 -nodead", 0, done),
        (
            "M.mch -mc 100000 -noinv -nodead -p MAX_OPERATIONS 1000 -p MAX_INITIALISATIONS 100",
            0,
            done,
        ),
        (
            "M.mch -model_check -bf -card PID 4 -p SYMMETRY_MODE hash",
            0,
            done,
        ),
        ("M.mch -model_check -df -p por ample_sets -strict", 0, done),
        (
            "M.mch -model_check -goal card(active)=2 -nodead",
            0,
            "goal_found",
        ),
        (
            "M.mch -model_check -goal card(active)=2 -strict",
            12,
            "goal_found",
        ),
        (
            "M.mch -init -eval card(active)",
            0,
            "Expression Value = \n0",
        ),
        ("M.mch -model_check -c", 0, "deadlocked:0"),
        ("M.mch -animate 20", 0, "INITIALISATION"),
        (
            "M.mch -mc 1000000 -nodead -p TIME_OUT 5000 -coverage",
            0,
            "total:5",
        ),
        ("M.mch -spdot out.dot -model_check", 0, done),
        ("M.mch -mc 1", 20, "model_check_incomplete"),
        ("M.mch", 0, ""),
    ] {
        let args: Vec<&str> = ["probcli"].into_iter().chain(line.split(' ')).collect();
        let run = folder.run(&args);
        assert_eq!(run.exit, exit, "{line}: {}{}", run.out, run.err);
        assert!(run.out.contains(found), "{line}: {}", run.out);
    }
    let dot = std::fs::read_to_string(folder.path("out.dot")).unwrap_or_default();
    assert!(dot.starts_with("digraph"), "{dot}");
}

#[test]
fn options_without_effect_leave_a_note_and_others_are_refused_by_name() {
    let folder = Folder::new("probcli-refused");
    folder.file("M.mch", SCHEDULER);
    let run = folder.run(&["probcli", "M.mch", "-mc", "9", "-p", "COMPRESSION", "TRUE"]);
    assert!(
        run.err.contains("-p COMPRESSION has no effect"),
        "{}",
        run.err
    );
    for (line, exit, named) in [
        ("M.mch -cbc_assertions", 152, "-cbc_assertions"),
        ("M.mch -modle_check", 2, "did you mean -model_check?"),
        ("M.mch -p NO_SUCH_PREFERENCE 1", 152, "NO_SUCH_PREFERENCE"),
        ("M.mch -card PID", 2, "-card needs a value"),
        ("M.mch -mc many", 2, "-mc needs a number"),
        ("-model_check", 2, "no FILE"),
        ("M.mch N.mch -model_check", 2, "one FILE is taken"),
    ] {
        let args: Vec<&str> = ["probcli"].into_iter().chain(line.split(' ')).collect();
        let run = folder.run(&args);
        assert_eq!(run.exit, exit, "{line}: {}{}", run.out, run.err);
        assert!(run.err.contains(named), "{line}: {}", run.err);
        assert!(run.out.is_empty(), "{line}: {}", run.out);
    }
}
