//! What the checker says of small programs.

use base::{Severity, Sources};

use crate::{check, parse};

/// The messages about a program, codes first.
fn told(text: &str) -> Vec<String> {
    let file = Sources::new().add("p.m", text.to_string());
    let parsed = parse::program(file, text);
    let mut diagnostics = parsed.diagnostics;
    if !diagnostics.has_errors() {
        diagnostics.extend(check::program(text, &parsed.tree).diagnostics);
    }
    let shown = diagnostics.iter().map(|d| {
        let mark = if d.severity == Severity::Error {
            ""
        } else {
            "warning "
        };
        format!("{mark}{}: {}", d.code.id, d.message)
    });
    shown.collect()
}

/// A program around one statement, with variables of several types.
fn statement(stmt: &str) -> Vec<String> {
    told(&format!(
        "const N: 3;\ntype Pid: scalarset(N); Col: enum {{Red, Green}}; Rec: record a: 0..N; b: boolean; end;\n\
         var n: 0..N; c: Col; p, q: Pid; r: Rec; f: array [Pid] of 0..N; m: multiset [2] of Rec;\n\
         startstate begin clear n; end;\nrule \"r\" begin {stmt} end;\n"
    ))
}

#[test]
fn a_correct_program_is_silent() {
    let stmt = "for i: Pid do f[i] := n; end; if p = q then r.a := n + 1; end; multisetadd(r, m);";
    assert_eq!(statement(stmt), Vec::<String>::new());
}

#[test]
fn scalarsets_have_no_numbers_and_the_message_says_why() {
    assert_eq!(
        statement("p := 1;"),
        ["M0304: \"p\" is of type Pid, and \"1\" is of type integer"]
    );
    assert_eq!(
        statement("n := p + 1;"),
        ["M0304: \"+\" cannot be used on \"p\" of the scalarset Pid"]
    );
    assert_eq!(
        statement("if p < q then end;"),
        ["M0304: \"<\" cannot be used on \"p\" of the scalarset Pid"]
    );
    assert_eq!(
        statement("n := f[1];"),
        ["M0304: the index is of type Pid, and \"1\" is of type integer"]
    );
}

#[test]
fn loops_that_keep_an_element_are_told() {
    let found = statement("for i: Pid do if f[i] = 0 then p := i; end; end;");
    assert_eq!(
        found,
        [
            "warning M0501: the loop over Pid depends on the order of its elements: the last element stays"
        ]
    );
}

#[test]
fn what_belongs_to_the_last_element_stays() {
    let told = "warning M0501: the loop over Pid depends on the order of its elements: what belongs to the last element stays";
    assert_eq!(statement("for i: Pid do n := f[i]; end;"), [told]);
    // What is collected is the same in any order, and of what is chosen by a condition there may be one only.
    for loops in [
        "for i: Pid do n := (n + f[i]) % 2; end;",
        "for i: Pid do if f[i] = 0 then n := f[i]; end; end;",
        "for i: Pid do n := f[i]; f[i] := n; end;",
        "for i: Pid do f[i] := f[p]; end;",
    ] {
        assert_eq!(statement(loops), Vec::<String>::new(), "{loops}");
    }
}

#[test]
fn loops_go_through_types_of_any_size() {
    let text = "type Wide: 0..4000000000; var x: boolean;\n\
                startstate begin x := exists w: Wide do w = 7 end; for w: Wide do x := false; end; end;";
    assert_eq!(told(text), Vec::<String>::new());
}

#[test]
fn parts_of_choices_and_whole_values_are_chosen() {
    let text = "type Row: record a: 0..3; end; Other: record b: boolean; end; var x: Row; y: Row; z: Other; up: boolean;\n\
                startstate begin clear x; clear y; clear z; up := true; end;\n";
    let rule = |body: &str| told(&format!("{text}rule begin {body} end;"));
    assert_eq!(rule("x := up ? y : x;"), Vec::<String>::new());
    assert_eq!(rule("up := (up ? x : y) = y;"), Vec::<String>::new());
    assert_eq!(
        rule("x := up ? y : z;"),
        ["M0301: the other value is of type Row, and \"z\" is of type Other"]
    );
}

#[test]
fn near_names_are_suggested() {
    let text = "var count: 0..3; startstate begin count := 0; end; rule begin cuont := 1; end;";
    let file = Sources::new().add("p.m", text.to_string());
    let parsed = parse::program(file, text);
    let checked = check::program(text, &parsed.tree);
    let helps: Vec<_> = checked.diagnostics.iter().map(|d| d.help.clone()).collect();
    assert_eq!(helps, [Some("did you mean count?".to_string())]);
}

#[test]
fn one_mistake_is_one_message() {
    assert_eq!(statement("n := c + 1;").len(), 1);
    assert_eq!(statement("n := unknown[3].a + 1;").len(), 1);
    assert_eq!(statement("unknown(1, 2);").len(), 1);
    assert_eq!(statement("r.x := 1;"), ["M0203: Rec has no field \"x\""]);
    assert_eq!(
        statement("n = 1;"),
        ["M0107: \"=\" compares and does not assign"]
    );
}

#[test]
fn huge_types_are_refused_and_not_built() {
    let rows = "var a: array [0..31622] of array [0..31622] of boolean; startstate begin end;";
    assert_eq!(told(rows).len(), 1);
    assert!(told(rows)[0].starts_with("M0404"));
    let wide = "var x: 0..99999999999; startstate begin end;";
    assert!(told(wide)[0].starts_with("M0405"));
    let many =
        "var x: 0..3; startstate begin end; ruleset a: 0..9999; b: 0..9999 do rule begin end; end;";
    assert!(told(many)[0].starts_with("M0406"));
}

#[test]
fn guards_cannot_change_the_state() {
    let text = "var x: 0..3; function f(): boolean; begin x := 1; return true; end; startstate begin x := 0; end;\n\
                rule f() ==> begin end;";
    assert_eq!(told(text), ["M0318: a guard cannot change the state"]);
}

#[test]
fn hostile_texts_get_an_answer() {
    for text in [
        "rule ".repeat(5000),
        "if ".repeat(5000),
        "startstate begin x := ".to_string() + &"(".repeat(100_000),
        "startstate begin x := ".to_string() + &"!".repeat(100_000) + "y; end;",
        "var x: ".to_string() + &"array [0..1] of ".repeat(100_000) + "boolean;",
        "invariant ".to_string() + &"x & ".repeat(60_000) + "x;",
        "startstate begin x".to_string() + &"[0]".repeat(60_000) + " := 1; end;",
        "ruleset x: boolean do ".repeat(10_000),
        "\"".to_string(),
        "/*".to_string(),
        "end end end".to_string(),
        "var end: end; type : ; rule \u{fffd} ==> é := 1".to_string(),
    ] {
        assert!(!told(&text).is_empty(), "{}", &text[..20.min(text.len())]);
    }
    let chain =
        "var x: boolean; startstate begin x := ".to_string() + &"x & ".repeat(40_000) + "x; end;";
    assert_eq!(told(&chain), Vec::<String>::new());
}
