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
        ("M.mch -init -eval card(active)=0", 0, "Predicate is TRUE"),
        // A truth value is no predicate.
        (
            "M.mch -init -eval bool(active={})",
            0,
            "Expression Value = \nTRUE",
        ),
        ("M.mch -model_check -c", 0, "deadlocked:0"),
        ("M.mch -cbc_assertions", 0, "No ASSERTION to check"),
        ("M.mch -cbc_deadlock", 0, "No DEADLOCK state found"),
        ("M.mch -cbc all", 0, "holds: new keeps the invariant"),
        ("M.mch -animate 20", 0, "INITIALISATION"),
        (
            "M.mch -mc 1000000 -nodead -p TIME_OUT 5000 -coverage",
            0,
            "[STATES (5),deadlocked:0,invariant_violated:0,invariant_not_checked:0,open:0,live:5,total:5,\
             TOTAL_TRANSITIONS,9,COVERED_OPERATIONS (3),INITIALISATION:1,del:4,new:4,UNCOVERED_OPERATIONS (0)]",
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
        ("M.mch -cbc_refinement", 152, "-cbc_refinement"),
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

const POOL: &str = r"
\begin{zed} [ID] \end{zed}
\begin{schema}{Pool} used : \finset ID \end{schema}
\begin{schema}{PoolInit} Pool' \where used' = \emptyset \end{schema}
\begin{schema}{Take} \Delta Pool \\ i? : ID \where i? \notin used \\ used' = used \cup \{i?\} \end{schema}
\begin{schema}{Never} \Delta Pool \where \# used > 2 \\ used' = used \end{schema}
";

#[test]
fn specifications_in_z_have_the_lines_of_its_z_mode() {
    let folder = Folder::new("probcli-z");
    folder.file("pool.tex", POOL).file(
        "none.tex",
        POOL.replace("used' = \\emptyset", "used' \\neq used'"),
    );
    let run = folder.run(&[
        "probcli",
        "pool.tex",
        "-model_check",
        "-p",
        "DEFAULT_SETSIZE",
        "2",
    ]);
    assert_eq!(run.exit, 11, "{}{}", run.out, run.err);
    for line in [
        "! Did not find Init Schema; assuming following schema to define the initialisation: PoolInit",
        "Z operation: Take(i?)\nZ operation: Never\n% given_set(ID)",
        "*** COUNTER EXAMPLE FOUND ***\n\ndeadlock\n*** TRACE (length=3):\n 1: INITIALISATION(used={})\n 2: Take(ID1)\n",
    ] {
        assert!(run.out.contains(line), "{line}: {}", run.out);
    }
    let run = folder.run(&[
        "probcli",
        "pool.tex",
        "-model_check",
        "-nodead",
        "-coverage",
    ]);
    assert_eq!(run.exit, 0, "{}{}", run.out, run.err);
    let covered = "COVERED_OPERATIONS (2),INITIALISATION:1,Take:4,UNCOVERED_OPERATIONS (1),Never]";
    assert!(run.out.contains(covered), "{}", run.out);
    assert!(run.out.contains("deadlocked:1,"), "{}", run.out);
    let run = folder.run(&["probcli", "pool.tex", "-init"]);
    assert_eq!(
        (run.exit, run.out.contains("error")),
        (0, false),
        "{}",
        run.out
    );
    let run = folder.run(&["probcli", "none.tex", "-init"]);
    assert_eq!(run.exit, 10, "{}{}", run.out, run.err);
    assert!(run.out.contains("! INITIALISATION FAILS"), "{}", run.out);
    let run = folder.run(&["probcli", "pool.tex", "-animate", "20"]);
    assert_eq!(run.exit, 11, "{}{}", run.out, run.err);
    let deadlock = "! Deadlock occurred during -animate, at step number:\n! ";
    assert!(run.out.contains(deadlock), "{}", run.out);
    let run = folder.run(&[
        "probcli",
        "pool.tex",
        "-csv",
        "quick_operation_coverage",
        "t.csv",
    ]);
    assert_eq!(run.exit, 0, "{}{}", run.out, run.err);
    let table = std::fs::read_to_string(folder.path("t.csv")).unwrap_or_default();
    assert_eq!(table, "Operation,Transitions\nTake,4\nNever,0\n");
}
