//! What the parser reads, and that printing it and reading it again changes nothing.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use base::Sources;

use super::Parsed;
use crate::preprocess;
use crate::print;

pub(crate) fn read(text: &str) -> Parsed {
    let files: BTreeMap<PathBuf, String> = [(PathBuf::from("m.pml"), text.to_owned())].into();
    let mut sources = Sources::new();
    let read = preprocess::run(
        Path::new("m.pml"),
        &Default::default(),
        &files,
        &mut sources,
    );
    super::program(read.expect("there is a text"))
}

fn errors(text: &str) -> Vec<&'static str> {
    read(text)
        .diagnostics
        .iter()
        .map(|found| found.code.id)
        .collect()
}

fn round_trip(text: &str) {
    let first = read(text);
    assert!(
        !first.diagnostics.has_errors(),
        "{text}: {:?}",
        first.diagnostics
    );
    let printed = print::program(&first.program);
    let second = read(&printed);
    assert!(
        !second.diagnostics.has_errors(),
        "{printed}: {:?}",
        second.diagnostics
    );
    assert_eq!(printed, print::program(&second.program));
    assert_eq!(
        first.program.stmts.len(),
        second.program.stmts.len(),
        "{printed}"
    );
    assert_eq!(
        first.program.exprs.len(),
        second.program.exprs.len(),
        "{printed}"
    );
}

#[test]
fn printing_and_reading_again_changes_nothing() {
    round_trip(
        "mtype = { a, b }; mtype:s = { c }\n typedef T { byte x = 1; int y[3]\n bool z }\n T t; unsigned u : 5 = 2;\n\
         hidden byte h; chan q = [2] of { mtype, byte, T }; byte arr[3] = { 1, 2, 3 };\n\
         active [2] proctype P() priority 3 provided (h > 0) { byte i, j = 4; L: i = (i + 1) * 2 - -j;\n\
         if :: i == 1 && !(j < 2) -> i++ :: else fi; do :: q!a,1,t :: q?eval(i),_,t; break od\n\
         for (i : 1 .. 3) { skip } for (i in arr) { j-- } select (i : 0 .. 3); select (j : i .. 3)\n\
         { x: i = 2; goto x } unless { timeout -> i = (j -> 1 : 2) }; atomic { q??<a,1,t> }; d_step { i = 1 }\n\
         assert(q?[a,1,t] || nempty(q)); printf(\"%d\\n\", i); run Q(1, 'x') priority 2 }\n\
         proctype Q(byte k; byte l) { P[0]@L; P:i == 1 }\n\
         ltl f { [] (u > 1 -> <> (u == 0 U u == 2)) && (X true) V !false }\n never { do :: np_ od }\n trace { q!a }",
    );
}

#[test]
fn inlines_become_blocks() {
    round_trip(
        "byte x; inline f(a, b) { byte t\n t = a; b = t }\n inline g(a) { select(x : 1 .. 2); return a + 1 }\n\
         init { f(x + 1, x); x = g(3) }",
    );
    assert_eq!(errors("inline f(a) { f(a) }\ninit { f(1) }"), ["P0212"]);
    assert_eq!(errors("inline f(a) { skip }\ninit { f(1, 2) }"), ["P0211"]);
}

#[test]
fn a_line_end_separates_statements() {
    let program = read("init { byte x\n x = 1\n -x\n }").program;
    assert_eq!(program.stmts.len(), 3);
}

#[test]
fn independent_errors_are_all_found() {
    let text = "byte x y;\ninit { x += 1; x = ; if :: x fi }\nproctype P() { do :: skip }\nactive proctype Q { skip }";
    assert_eq!(errors(text), ["P0201", "P0208", "P0201", "P0205", "P0201"]);
}

#[test]
fn embedded_c_is_refused_by_name() {
    assert_eq!(
        errors("c_decl { int x; }\ninit { c_code { x = '$'; }; c_expr { x } }"),
        ["P0216"; 3]
    );
}

#[test]
fn deep_nesting_is_a_diagnostic() {
    let nested = format!(
        "init {{ {} 1 {} }}",
        "(".repeat(100_000),
        ")".repeat(100_000)
    );
    assert_eq!(errors(&nested), ["P0217"]);
    let blocks = format!("init {{ {} skip", "{ ".repeat(100_000));
    assert_eq!(errors(&blocks), ["P0217"]);
    let chain = format!("init {{ 1 {} }}", "+ 1 ".repeat(60_000));
    assert_eq!(errors(&chain), ["P0217"]);
}
