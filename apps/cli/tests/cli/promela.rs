//! Promela as its users meet it: hostile programs end with an answer, and reports speak of statements and processes.

use serde_json::Value;

use crate::support::Folder;

/// Checks a text; exit code and standard output.
fn check(name: &str, text: &str, options: &[&str]) -> (i32, String) {
    let folder = Folder::new(name);
    folder.file("m.pml", text);
    let mut args = vec!["check", "m.pml", "--progress", "never"];
    args.extend(options);
    let run = folder.run(&args);
    (run.exit, run.out)
}

#[test]
fn a_bomb_of_macros_is_a_diagnostic() {
    let mut text = "#define A0 x = x + 1;\n".to_owned();
    for level in 1..40 {
        let below = level - 1;
        text.push_str(&format!("#define A{level} A{below} A{below}\n"));
    }
    text.push_str("byte x; active proctype P() { A39 }");
    assert_eq!(check("macro-bomb", &text, &[]).0, 150);
}

#[test]
fn deep_nesting_is_a_diagnostic() {
    let brackets = format!("{}1{}", "(".repeat(100_000), ")".repeat(100_000));
    let text = format!("byte x; active proctype P() {{ x = {brackets} }}");
    assert_eq!(check("deep-brackets", &text, &[]).0, 150);
    let choices = format!("{}skip{}", "if :: ".repeat(100_000), " fi".repeat(100_000));
    let text = format!("active proctype P() {{ {choices} }}");
    assert_eq!(check("deep-choices", &text, &[]).0, 150);
}

#[test]
fn a_file_that_includes_itself_is_a_diagnostic() {
    let text = "#include \"m.pml\"\nbyte x;";
    assert_eq!(check("own-include", text, &[]).0, 150);
}

#[test]
fn many_lines_end_within_the_limit() {
    let text = format!(
        "byte x; active proctype P() {{ {} skip }}",
        "x = 1;\n".repeat(100_000)
    );
    let (exit, out) = check("many-lines", &text, &["--max-time", "1"]);
    assert!(exit == 0 || exit == 20, "{exit}: {out}");
}

#[test]
fn processes_without_end_are_a_fault() {
    let text = "proctype P() { run P(); (0) } init { run P() }";
    assert_eq!(check("endless-run", text, &[]).0, 75);
}

#[test]
fn reports_speak_of_statements_and_processes() {
    let text = "byte x; active [2] proctype P() { x = x + 1; assert(x < 3) }";
    let (exit, out) = check("words", text, &["--por", "stubborn"]);
    assert_eq!(exit, 0);
    assert!(
        out.contains("checked: deadlock, assertions, definedness"),
        "{out}"
    );
    assert!(out.contains("proctypes: P "), "{out}");
    assert!(out.contains("statements, "), "{out}");
    assert!(out.contains("values: x 3"), "{out}");
    assert!(!out.contains("event"), "{out}");
}

#[test]
fn numbers_of_processes_and_lines_are_numbers() {
    let text = "byte x;\nactive proctype P() {\n  x = 1;\n  assert(x == 0)\n}";
    let (exit, out) = check("numbers", text, &["--json"]);
    assert_eq!(exit, 12);
    let report: Value = serde_json::from_str(&out).expect("a report");
    let step = &report["findings"][0]["path"][1];
    assert_eq!(step["args"]["pid"], 0, "{step}");
    assert_eq!(step["args"]["line"], 3, "{step}");
    assert_eq!(step["args"]["statement"], "x = 1", "{step}");
}

#[test]
fn findings_that_are_alike_are_not_all_told() {
    let text = "byte a, b; active proctype P() { do :: a = a + 1 :: b = b + 1 :: a > 3 -> (0) od }";
    let (exit, out) = check("alike", text, &["--all-findings", "100000", "--json"]);
    assert_eq!(exit, 11);
    let report: Value = serde_json::from_str(&out).expect("a report");
    assert_eq!(report["findings"].as_array().map(Vec::len), Some(100));
    let warnings = report["warnings"].to_string();
    assert!(warnings.contains("left out"), "{warnings}");
}

/// The states of a check by stubborn sets, and its exit code.
fn reduced(name: &str, text: &str) -> (i32, u64) {
    let options = ["--symmetry", "off", "--engine", "explicit", "--json"];
    let options = [&options[..], &["--por", "stubborn"]].concat();
    let (exit, out) = check(name, text, &options);
    let report: Value = serde_json::from_str(&out).expect("a report");
    let states = report["statistics"]["states"].as_u64();
    (exit, states.expect("a number of states"))
}

#[test]
fn processes_at_their_end_die_first_where_numbers_do_not_matter() {
    let text = "proctype P(byte k) { k = k * k } init { run P(1); run P(2); run P(3) }";
    // Each is created, moves and dies; then init does.
    assert_eq!(reduced("no-numbers", text), (0, 11));
    let text = "proctype P() { skip } proctype Q() { assert(_pid < 3) } init { run P(); run P(); run Q() }";
    assert_eq!(reduced("numbers", text).0, 12);
    let text = "proctype P() { skip } init { do :: run P() od }";
    assert_eq!(reduced("numbers-that-end", text).0, 75);
}

#[test]
fn a_loop_that_counts_does_not_come_back() {
    let text = "byte shared[2];
        active [2] proctype P() {
            byte i;
            again: shared[_pid] = 1 - shared[_pid]; i = 0;
            do :: i < 5 -> i++ :: else -> break od;
            assert(shared[1 - _pid] < 2); goto again
        }";
    let (exit, counted) = reduced("counted", text);
    assert_eq!(exit, 0);
    let (_, all) = check("counted-all", text, &["--symmetry", "off", "--json"]);
    let all: Value = serde_json::from_str(&all).expect("a report");
    let all = all["statistics"]["states"].as_u64().expect("a number");
    assert!(counted * 3 < all, "{counted} of {all} states");
}

#[test]
fn what_waits_for_a_timeout_depends_on_nothing() {
    let text = "byte done; active proctype P() { byte i; do :: i < 4 -> i++ :: else -> break od; done++ }
        active proctype Q() { byte j; do :: j < 4 -> j++ :: else -> break od; timeout -> assert(done == 1) }";
    let (exit, states) = reduced("timeout", text);
    assert_eq!(exit, 0);
    assert!(states < 40, "{states} states");
}

#[test]
fn a_promise_that_others_break_is_a_warning() {
    let folder = Folder::new("exclusive");
    let text = "chan c = [1] of { byte };
        active proctype P() { xs c; c!1 }
        active proctype Q() { c!2 }
        active proctype R() { xr c; c?_; c?_ }";
    folder.file("m.pml", text);
    let run = folder.run(&["check", "m.pml", "--progress", "never"]);
    assert_eq!(run.exit, 0);
    assert!(
        run.err.contains("xs c: another proctype sends to it"),
        "{}",
        run.err
    );
    assert!(!run.err.contains("xr c"), "{}", run.err);
}

#[test]
fn broken_promises_are_faults_where_they_are_tested() {
    let folder = Folder::new("broken-promises");
    let text = "chan c = [2] of {byte};
        active [2] proctype P() { xs c; c!1 }
        active proctype R() { xr c; c?_; c?_ }";
    folder.file("m.pml", text);
    let run = |options: &[&str]| folder.run(&[&["check", "m.pml"], options].concat());
    assert_eq!(run(&[]).exit, 0);
    assert_eq!(run(&["--por", "stubborn"]).exit, 0);
    for options in [&["--promises"][..], &["--promises", "--por", "stubborn"]] {
        let broken = run(options);
        assert_eq!(broken.exit, 75, "{}", broken.out);
        assert!(
            broken.out.contains("sends to this channel (xs)"),
            "{}",
            broken.out
        );
    }
    assert_eq!(folder.run(&["spin", "-run", "m.pml"]).exit, 75);
    assert_eq!(folder.run(&["spin", "-run", "-DNOREDUCE", "m.pml"]).exit, 0);
}

#[test]
fn lines_for_users_of_spin_say_what_was_looked_for() {
    let folder = Folder::new("spin-lines");
    let text = "byte x;
        active proctype P() { x = 1; if :: x == 2 -> x = 3 :: else fi; assert(x == 1) }
        active proctype Q() { (x == 1); x = 2 }
        ltl p { <> (x == 2) }";
    folder.file("m.pml", text);
    let lines = |options: &[&str]| {
        let run = folder.run(&[&["spin", "-run"], options, &["m.pml"]].concat());
        run.out
    };
    let claimed = lines(&["-ltl", "p"]);
    for line in [
        "pan: ltl formula p",
        "pan:1: assertion violated (x == 1)",
        "\tnever claim         \t+ (p)",
        "\tassertion violations\t+ (if within scope of claim)",
        "\tinvalid end states\t- (disabled by never claim)",
        "Warning: Search not completed",
    ] {
        assert!(claimed.contains(line), "{line}\n{claimed}");
    }
    let free = lines(&["-noclaim", "-A", "-E"]);
    for line in [
        "\tnever claim         \t- (not selected)",
        "\tassertion violations\t- (disabled by -A flag)",
        "\tinvalid end states\t- (disabled by -E flag)",
        "unreached in proctype P",
    ] {
        assert!(free.contains(line), "{line}\n{free}");
    }
    assert!(!free.contains("not completed"), "{free}");
}

#[test]
fn acceptance_cycles_of_spin_come_with_end_states() {
    let folder = Folder::new("spin-acceptance");
    folder.file("m.pml", "byte x; active proctype P() { x == 1 }");
    let run = folder.run(&["spin", "-run", "-a", "m.pml"]);
    assert_eq!(run.exit, 11);
    assert!(run.out.contains("pan:1: invalid end state"), "{}", run.out);
}

/// A claim is checked with `--never`, among assertions that are switched off.
fn claimed(name: &str, text: &str) -> i32 {
    check(name, text, &["--never", "--no-assertions", "--no-deadlock"]).0
}

#[test]
fn assertions_of_a_claim_are_about_all_runs() {
    let claim = |asserted: &str| {
        format!(
            "byte x; active proctype P() {{ do :: x = 1 - x od }}\n\
             never {{ do :: atomic {{ (x == 1) -> assert({asserted}) }} :: else od }}"
        )
    };
    assert_eq!(claimed("claim-asserts", &claim("x < 2")), 0);
    assert_eq!(claimed("claim-asserts", &claim("x == 0")), 13);
}

#[test]
fn an_accept_label_of_a_process_accepts_beside_a_claim() {
    let text = |label: &str| {
        format!(
            "byte x; active proctype P() {{ {label}: do :: x = 1 - x od }}\n\
             never {{ T0: do :: x < 2 od }}"
        )
    };
    assert_eq!(claimed("claim-accepts", &text("accept")), 13);
    assert_eq!(claimed("claim-accepts", &text("other")), 0);
}

#[test]
fn a_claim_may_have_many_conditions() {
    let waits: String = (0..40).map(|at| format!("x == {at};\n")).collect();
    let text = |last: &str| {
        format!(
            "byte x; active proctype P() {{ do :: atomic {{ x < 50 -> x++ }} :: else -> break od }}\n\
             never {{ {waits} accept: do :: ({last} && !(x == 3 || x == 5)) od }}"
        )
    };
    assert_eq!(claimed("claim-many", &text("x > 38")), 13);
    assert_eq!(claimed("claim-many", &text("x == 45")), 0);
}
