//! Certificates as users make and check them: of formulas, of processes and of rules.

use crate::support::Folder;

/// A lamp that is switched and breaks at most once.
const LAMP: &str = "\
MACHINE Lamp
SETS STATE = {off, on, broken}
VARIABLES lamp, times
INVARIANT lamp : STATE & times : 0..3
INITIALISATION lamp := off || times := 0
OPERATIONS
  switch = SELECT lamp = off THEN lamp := on || times := (times + 1) mod 4 END;
  release = SELECT lamp = on THEN lamp := off END;
  break = SELECT lamp = on & times = 3 THEN lamp := broken END;
  mend(n) = SELECT lamp = broken & n : 0..1 THEN lamp := off || times := n END
END
";

const MUTEX: &str = "\
type Pid: scalarset(3); Mode: enum {idle, want, crit};
var st: array [Pid] of Mode; turn: Pid; log: multiset [2] of Pid;
ruleset i: Pid do
  rule \"try\" st[i] = idle ==> st[i] := want; end;
  rule \"enter\" st[i] = want & GUARD ==> st[i] := crit; turn := i; end;
  rule \"leave\" st[i] = crit ==> st[i] := idle; undefine turn; end;
  rule \"note\" st[i] = crit & multisetcount(l: log, true) < 2 ==> multisetadd(i, log); end;
end;
startstate for i: Pid do st[i] := idle; end; undefine turn; undefine log; end;
invariant \"mutex\" forall i: Pid do forall j: Pid do st[i] = crit & st[j] = crit -> i = j end end;
";

const PING: &str = "\
mtype = { ping, pong };
chan to = [1] of { mtype }; chan back = [1] of { mtype };
byte served;
active proctype Client() { do :: to!ping; back?pong od }
active proctype Server() { do :: to?ping -> served = (served + 1) % 3; assert(served < LIMIT); back!pong od }
";

/// Checks a model and its certificate; gives what `certify` says.
fn certified(folder: &Folder, model: &str, options: &[&str]) -> (i32, String) {
    let mut line = vec!["check", model, "--certificate", "a.proof"];
    line.extend(options);
    let run = folder.run(&line);
    assert_eq!(run.exit, 0, "{model} {options:?}: {}{}", run.out, run.err);
    assert!(!run.out.contains("not certified"), "{}", run.out);
    let run = folder.run(&["certify", model, "a.proof", "--threads", "2"]);
    (run.exit, run.out)
}

#[test]
fn formulas_that_hold_are_certified_and_changed_ones_are_not() {
    let folder = Folder::new("certified-formulas");
    folder.file("lamp.mch", LAMP);
    folder.file("other.mch", LAMP.replace("times = 3", "times = 2"));
    for (logic, formula, wrong) in [
        (
            "--ltl",
            "G ({lamp = on} => X {lamp /= on})",
            "G {lamp /= on}",
        ),
        ("--ltl", "G F {lamp = off}", "G F {lamp = broken}"),
        (
            "--ltl",
            "G ([mend(1)] => Y [break] or O [break])",
            "G not([mend(1)])",
        ),
        ("--ltl", "SF(break) => G F [mend]", "G F [mend(0)]"),
        (
            "--ltl",
            "G ({times = 1} S {times = 1} or {times /= 1})",
            "F G {times = 1}",
        ),
        ("--ctl", "AG (EF {lamp = broken})", "AF {lamp = broken}"),
        (
            "--ctl",
            "AG ({lamp = on} => AF {lamp = off})",
            "EG {lamp = on}",
        ),
    ] {
        let options = [logic, formula];
        let (exit, out) = certified(&folder, "lamp.mch", &options);
        assert_eq!(exit, 0, "{formula}: {out}");
        assert!(out.contains(formula), "{formula}: {out}");
        let run = folder.run(&["certify", "other.mch", "a.proof"]);
        assert_eq!(run.exit, 1, "{formula}: {}", run.out);
        // The evidence of one formula proves no other that is false.
        let bytes = std::fs::read(folder.path("a.proof")).expect("a certificate");
        let lines: Vec<&[u8]> = bytes.splitn(3, |byte| *byte == b'\n').collect();
        let header = String::from_utf8(lines[1].to_vec()).expect("a header");
        let header = header.replace(
            &format!("\"text\":\"{formula}\""),
            &format!("\"text\":\"{wrong}\""),
        );
        let mut changed = [lines[0], header.as_bytes(), lines[2]].join(&b'\n');
        changed.truncate(changed.len() - 32);
        let hash = blake3::hash(&changed);
        changed.extend(hash.as_bytes());
        folder.file("b.proof", changed);
        let run = folder.run(&["certify", "lamp.mch", "b.proof"]);
        assert_eq!(run.exit, 1, "{wrong}: {}", run.out);
        assert!(run.out.contains("formula 1"), "{wrong}: {}", run.out);
    }
}

#[test]
fn a_formula_that_does_not_hold_has_no_certificate() {
    let folder = Folder::new("uncertified-formulas");
    folder.file("lamp.mch", LAMP);
    let run = folder.run(&[
        "check",
        "lamp.mch",
        "--ltl",
        "G {times < 3}",
        "--certificate",
        "a.proof",
    ]);
    assert_ne!(run.exit, 0);
    assert!(!folder.path("a.proof").exists());
}

#[test]
fn rules_are_certified_with_and_without_representatives() {
    let folder = Folder::new("certified-rules");
    folder.file("good.m", MUTEX.replace("GUARD", "isundefined(turn)"));
    folder.file("bad.m", MUTEX.replace("GUARD", "true"));
    for symmetry in ["off", "exact", "canonical", "flood"] {
        let (exit, out) = certified(&folder, "good.m", &["--symmetry", symmetry]);
        assert_eq!(exit, 0, "{symmetry}: {out}");
        assert!(out.contains("mutex"), "{out}");
        assert_eq!(
            out.contains("each for its orbit"),
            symmetry != "off",
            "{out}"
        );
        assert_eq!(folder.run(&["certify", "bad.m", "a.proof"]).exit, 1);
    }
}

#[test]
fn processes_are_certified() {
    let folder = Folder::new("certified-processes");
    folder.file("good.pml", PING.replace("LIMIT", "3"));
    folder.file("bad.pml", PING.replace("LIMIT", "2"));
    let (exit, out) = certified(&folder, "good.pml", &[]);
    assert_eq!(exit, 0, "{out}");
    let (exit, out) = certified(&folder, "good.pml", &["--ltl", "G F {served == 1}"]);
    assert_eq!(exit, 0, "{out}");
    assert!(out.contains("G F {served == 1}"), "{out}");
    assert_eq!(folder.run(&["certify", "bad.pml", "a.proof"]).exit, 1);
}
