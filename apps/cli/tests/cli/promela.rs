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
