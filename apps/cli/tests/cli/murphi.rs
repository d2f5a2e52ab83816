//! Murphi as its users run it: `murphi` with the options of CMurphi's verifiers, start states by name, what changed in cells, every
//! engine and reduction with the same answer.

use crate::support::Folder;

/// Two may be critical at once when `open` is written for the guard.
const MUTEX: &str = "\
const N: 3;
type Pid: scalarset(N); Mode: enum {idle, want, crit};
var st: array [Pid] of Mode; turn: Pid; used: record times: 0..2; end;
ruleset i: Pid do
  rule \"try\" st[i] = idle ==> st[i] := want; end;
  rule \"enter\" st[i] = want & GUARD ==> st[i] := crit; turn := i; end;
  rule \"leave\" st[i] = crit ==> st[i] := idle; undefine turn; used.times := (used.times + 1) % 3; end;
  rule \"never\" used.times > 2 ==> clear used; end;
end;
ruleset first: 0..1 do
  startstate \"begin\"
    for i: Pid do st[i] := idle; end;
    undefine turn; used.times := first;
  end;
end;
invariant \"mutex\" forall i: Pid do forall j: Pid do st[i] = crit & st[j] = crit -> i = j end end;
";

fn folder(test: &str) -> Folder {
    let folder = Folder::new(test);
    folder.file("good.m", MUTEX.replace("GUARD", "isundefined(turn)"));
    folder.file("bad.m", MUTEX.replace("GUARD", "true"));
    folder
}

#[test]
fn the_options_of_verifiers_run_unchanged() {
    let folder = folder("murphi-lines");
    let done = "No error found.";
    let wrong = "Invariant \"mutex\" failed.";
    for (line, exit, found) in [
        ("good.m", 0, done),
        ("good.m -v -ndl -m100 -p4", 0, done),
        ("good.m -vdfs -m 100 -pn -tn", 0, done),
        ("good.m -nosym", 0, "60 states, 144 rules fired"),
        ("good.m -sym1", 0, done),
        ("good.m -sym3 -permlimit 0", 0, done),
        ("good.m -sym4", 0, done),
        ("good.m -loop200 -k50000", 0, done),
        ("good.m -pr", 0, "Fired 0 times\t- Rule \"never\""),
        ("good.m", 0, "Warning: rule \"never\" was never fired."),
        ("good.m -h", 0, "-permlimit<n>"),
        ("good.m -c", 20, "Not finished: the fingerprint store"),
        ("bad.m", 12, wrong),
        ("bad.m -tv", 12, "Startstate begin, first:0 fired."),
        (
            "bad.m -tv",
            12,
            "Rule enter, i:Pid_2 fired.\nst[Pid_2]:crit\nturn:Pid_2\n----------",
        ),
        ("bad.m -tf", 12, "used.times:0\n----------\n\nRule try"),
        ("bad.m -td", 12, "The last state of the trace (in full) is:"),
    ] {
        let args: Vec<&str> = ["murphi"].into_iter().chain(line.split(' ')).collect();
        let run = folder.run(&args);
        assert_eq!(run.exit, exit, "{line}: {}{}", run.out, run.err);
        assert!(run.out.contains(found), "{line}: {}{}", run.out, run.err);
    }
}

#[test]
fn what_verifiers_have_and_this_has_not_is_refused_by_name() {
    let folder = folder("murphi-refused");
    for (line, exit, said) in [
        ("good.m -s", 152, "burnside animate"),
        ("good.m -ta", 152, "burnside export"),
        ("good.m -nomultiset", 152, "multisets have no order"),
        ("good.m -nosymm", 2, "did you mean -nosym?"),
        ("good.m -m", 2, "-m needs a value"),
        ("good.m -m0", 2, "-m needs a number"),
        ("good.m bad.m", 2, "one FILE is taken"),
        ("-tv", 2, "no FILE is given"),
    ] {
        let args: Vec<&str> = ["murphi"].into_iter().chain(line.split(' ')).collect();
        let run = folder.run(&args);
        assert_eq!(
            (run.exit, run.out.as_str()),
            (exit, ""),
            "{line}: {}",
            run.err
        );
        assert!(
            run.err.contains(said) && run.is_one_error(),
            "{line}: {}",
            run.err
        );
    }
}

#[test]
fn a_path_begins_with_its_start_state_and_shows_changed_cells() {
    let folder = folder("murphi-path");
    let run = folder.run(&["check", "bad.m", "--trace-out", "bad.json"]);
    assert_eq!(run.exit, 12, "{}", run.err);
    let path = "  1  begin(first = 0)\n       st = [Pid_1: idle, Pid_2: idle, Pid_3: idle]\n       \
                turn = undefined\n       used = {times: 0}\n  2  try(i = Pid_1)\n       st[Pid_1] = want\n";
    assert!(run.out.contains(path), "{}", run.out);
    assert!(
        run.out.contains("hint: rule never did not happen so far"),
        "{}",
        run.out
    );
    let run = folder.run(&["check", "bad.m", "--json"]);
    let first = &run.json()[0]["findings"][0]["path"][0];
    assert_eq!(
        (&first["event"], &first["args"]["first"]),
        (&"begin".into(), &"0".into())
    );
    let run = folder.run(&["replay", "bad.m", "bad.json"]);
    assert_eq!(run.exit, 0, "{}{}", run.out, run.err);
    assert!(run.out.contains("5 steps, all fit bad"), "{}", run.out);
}

#[test]
fn engines_and_reductions_agree() {
    let folder = folder("murphi-agree");
    let stuck = "\
var x: 0..3; y: boolean;
startstate x := 0; y := false; end;
rule \"up\" x < 3 ==> x := x + 1; end;
rule \"again\" x = 3 ==> x := 3; end;
rule \"blind\" x = 3 ==> y := false; end;
";
    folder.file("stuck.m", stuck);
    folder.file(
        "covered.m",
        format!("{stuck}cover \"top\" x = 3;\ncover \"true\" y;"),
    );
    folder.file(
        "lively.m",
        format!("{stuck}liveness \"top\" x = 3;\nliveness \"low\" x = 0;"),
    );
    for ways in [
        &["--symmetry", "off"][..],
        &["--symmetry", "exact"],
        &["--symmetry", "sorted"],
        &["--symmetry", "sorted", "--permutations", "1"],
        &["--engine", "symbolic"],
        &["--engine", "symbolic", "--order", "chaining"],
        &["--engine", "symbolic", "--order", "bfs"],
        &["--por", "ample"],
        &["--por", "stubborn", "--search", "dfs"],
        &["--threads", "2"],
    ] {
        for (file, more, exit) in [
            ("good.m", &[][..], 0),
            ("bad.m", &[], 12),
            ("stuck.m", &[], 11),
            ("stuck.m", &["--deadlock", "stuck"], 0),
            ("stuck.m", &["--no-deadlock"], 0),
            ("covered.m", &["--no-deadlock"], 12),
            ("lively.m", &["--no-deadlock"], 13),
        ] {
            let run = folder.run(&[&["check", file], more, ways].concat());
            assert_eq!(run.exit, exit, "{file} {ways:?}: {}{}", run.out, run.err);
        }
    }
}

#[test]
fn formulas_are_about_expressions_of_murphi() {
    let folder = folder("murphi-formulas");
    let some = |mode: &str| format!("{{exists i: Pid do st[i] = {mode} end}}");
    let (want, crit) = (some("want"), some("crit"));
    for (option, formula, exit) in [
        ("--ltl", format!("G ({want} => F {crit})"), 0),
        ("--ltl", format!("G F {crit}"), 0),
        ("--ltl", format!("F G {crit}"), 13),
        (
            "--ltl",
            "G ([enter] => X {!isundefined(turn)})".to_owned(),
            0,
        ),
        ("--ctl", format!("AG EF {crit}"), 0),
        ("--ctl", format!("EG {want}"), 13),
    ] {
        let run = folder.run(&["check", "good.m", option, &formula]);
        assert_eq!(run.exit, exit, "{formula}: {}{}", run.out, run.err);
    }
}

#[test]
fn coverage_names_the_rules_that_never_fired() {
    let folder = folder("murphi-coverage");
    let run = folder.run(&["coverage", "good.m"]);
    assert!(
        run.out.contains("never never happens"),
        "{}{}",
        run.out,
        run.err
    );
}

/// A rule that goes wrong has fired, although it leads nowhere, and what lies behind it is unknown.
#[test]
fn a_rule_that_goes_wrong_is_not_said_never_to_fire() {
    let folder = Folder::new("murphi-goes-wrong");
    folder.file(
        "m.m",
        "var x: 0..3; startstate x := 0; end;
         rule \"up\" x < 3 ==> x := x + 1; end;
         rule \"boom\" x = 3 ==> x := x + 1; end;
         rule \"dead\" x = 3 & x = 2 ==> x := 0; end;",
    );
    let run = folder.run(&["check", "m.m"]);
    assert_eq!(run.exit, 75, "{}{}", run.out, run.err);
    assert!(!run.out.contains("never"), "{}", run.out);
    assert!(
        run.out.contains("dead did not happen so far"),
        "{}",
        run.out
    );
    let run = folder.run(&["coverage", "m.m"]);
    let said = |text: &str| assert!(run.out.contains(text), "{text}: {}", run.out);
    said("boom goes wrong in 1 state: nothing follows there");
    said("dead never happens");
    assert!(!run.out.contains("boom never"), "{}", run.out);
    let run = folder.run(&["murphi", "m.m"]);
    assert!(!run.out.contains("never fired"), "{}", run.out);
}

/// Programs that ask for more than there is: each gets a diagnostic, a fault or an open answer, and soon.
#[test]
fn hostile_programs_get_an_answer() {
    let folder = Folder::new("murphi-hostile");
    let begin = "var b: boolean; startstate b := false; end;\n";
    let nested = format!("{}b{}", "(".repeat(20_000), ")".repeat(20_000));
    let branches = format!(
        "{}b := true; {}",
        "if b then ".repeat(5_000),
        "end; ".repeat(5_000)
    );
    for (what, exit, text) in [
        ("a huge range", 152, "type T: 0..1000000000000; var x: T; startstate x := 0; end;\nruleset i: T do rule x != i ==> x := i; end; end;".to_owned()),
        ("a huge quantifier", 20, "type T: 0..1000000000; var x: T; startstate x := 0; end;\nrule x < 9 ==> x := x + 1; end;\ninvariant forall i: T do forall j: T do i + j >= x end end;".to_owned()),
        ("10^9 cells", 152, "var x: array [0..999999999] of boolean; startstate clear x; end;\nrule !x[0] ==> x[0] := true; end;".to_owned()),
        ("10^9 cells, nested", 152, "type T: 0..999; var x: array [T] of array [T] of array [T] of boolean; startstate clear x; end;\nrule !x[0][0][0] ==> x[0][0][0] := true; end;".to_owned()),
        ("10^9 cells in a rule", 152, format!("{begin}rule !b ==> var x: array [0..999] of array [0..999999] of boolean; begin clear x; b := x[0][0]; end;")),
        ("a deep type", 152, format!("var x: {}boolean; startstate clear x; end;\nrule true ==> clear x; end;", "array [boolean] of ".repeat(60))),
        ("a huge multiset", 152, "type S: scalarset(9); var m: multiset [1000000000] of S; startstate undefine m; end;\nruleset i: S do rule true ==> multisetadd(i, m); end; end;".to_owned()),
        ("10^10 instances", 152, "type T: 0..99; var x: T; startstate x := 0; end;\nruleset a: T; c: T; d: T; e: T; f: T do rule x = a & c = d & e = f ==> x := c; end; end;".to_owned()),
        ("10^12 start states", 152, "type T: 0..999999; var x: T; y: T;\nruleset i: T; j: T do startstate x := i; y := j; end; end;\nrule x = 0 ==> x := 1; end;".to_owned()),
        ("an endless loop", 75, format!("{begin}rule !b ==> while true do b := !b; end; end;")),
        ("endless recursion", 75, format!("{begin}function f(x: boolean): boolean; begin return f(!x); end;\nrule !b ==> b := f(b); end;")),
        ("endless recursion of a procedure", 75, format!("{begin}procedure p(var x: boolean); begin p(x); end;\nrule !b ==> p(b); end;")),
        ("a long loop", 20, format!("{begin}rule !b ==> for i: 0..1000000 do for j: 0..1000000 do b := !b; end; end; end;")),
        ("10,000 cells and instances", 20, "type S: scalarset(100); var a: array [S] of array [S] of boolean; startstate clear a; end;\nruleset i: S; j: S do rule !a[i][j] ==> a[i][j] := true; end; end;".to_owned()),
        ("brackets", 150, format!("{begin}rule {nested} ==> b := true; end;")),
        ("branches", 150, format!("{begin}rule true ==> {branches} end;")),
        ("numbers without end", 151, "const N: 9223372036854775807; M: N * N; var x: 0..M; startstate x := 0; end;\nrule x < N ==> x := x + N; end;".to_owned()),
    ] {
        folder.file("hostile.m", text);
        let run = folder.run(&["check", "hostile.m", "--max-time", "1"]);
        assert_eq!(run.exit, exit, "{what}: {}{}", run.out, run.err);
        assert!(run.time.as_secs() < 60, "{what} took {:?}", run.time);
    }
}
