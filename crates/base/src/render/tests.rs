//! What people and programs see of a diagnostic, place by place.

use insta::assert_snapshot;

use crate::source::FileId;
use crate::{Class, Code, Diagnostic, Sources, Span};

static CODE: Code = Code {
    id: "B0000",
    class: Class::Type,
    title: "",
    explain: "",
};

const MACHINE: &str = "MACHINE Lift\nVARIABLES floor\nINVARIANT\n  floor : 0..top\nINITIALISATION\n  floor := 0\nEND\n";

fn one(text: &str) -> (Sources, FileId) {
    let mut sources = Sources::new();
    let file = sources.add("lift.mch", text.to_owned());
    (sources, file)
}

/// The span of the first `part` in the text of `file`.
fn find(sources: &Sources, file: FileId, part: &str) -> Span {
    let start = sources.text(file).find(part).unwrap_or(0) as u32;
    Span::new(file, start, start + part.len() as u32)
}

fn text(diagnostic: &Diagnostic, sources: &Sources) -> String {
    super::text(diagnostic, sources, false)
}

fn json(diagnostic: &Diagnostic, sources: &Sources) -> String {
    serde_json::to_string(&super::json(diagnostic, sources)).unwrap_or_default()
}

/// The heading `path:line:column`, without the source below it.
fn heading(diagnostic: &Diagnostic, sources: &Sources) -> String {
    let text = text(diagnostic, sources);
    text.lines().nth(1).unwrap_or_default().trim().to_owned()
}

#[test]
fn a_place_is_marked_and_help_and_notes_follow() {
    let (sources, file) = one(MACHINE);
    let diagnostic = Diagnostic::error(&CODE, find(&sources, file, "top"), "unknown name \"top\"")
        .label("not declared")
        .also(find(&sources, file, "floor"), "declared here")
        .help("did you mean \"floor\"?")
        .note("names of seen machines are visible too");
    assert_snapshot!(text(&diagnostic, &sources), @r#"
    error[B0000]: unknown name "top"
     --> lift.mch:4:14
      |
    2 | VARIABLES floor
      |           ----- declared here
    3 | INVARIANT
    4 |   floor : 0..top
      |              ^^^ not declared
      |
      = help: did you mean "floor"?
      = note: names of seen machines are visible too
    "#);
}

#[test]
fn a_warning_says_so() {
    let (sources, file) = one(MACHINE);
    let diagnostic = Diagnostic::warning(&CODE, find(&sources, file, "floor"), "never read");
    assert_snapshot!(text(&diagnostic, &sources), @r#"
    warning[B0000]: never read
     --> lift.mch:2:11
      |
    2 | VARIABLES floor
      |           ^^^^^
    "#);
}

#[test]
fn a_diagnostic_that_crosses_files_shows_both_places() {
    let (mut sources, file) = one(MACHINE);
    let other = sources.add(
        "limits.def",
        "DEFINITIONS\n  bottom == 0;\n  tip == 9\n".to_owned(),
    );
    let diagnostic = Diagnostic::error(&CODE, find(&sources, file, "top"), "unknown name \"top\"")
        .also(find(&sources, other, "tip"), "this name is similar");
    assert_snapshot!(text(&diagnostic, &sources), @r#"
    error[B0000]: unknown name "top"
     --> lift.mch:4:14
      |
    4 |   floor : 0..top
      |              ^^^
      |
     ::: limits.def:3:3
      |
    3 |   tip == 9
      |   --- this name is similar
    "#);
}

#[test]
fn a_diagnostic_without_a_place_is_one_line() {
    let diagnostic = Diagnostic::global(&CODE, "cannot read \"x.mch\": no such file");
    assert_snapshot!(text(&diagnostic, &Sources::new()), @r#"
    error[B0000]: cannot read "x.mch": no such file
    "#);
}

#[test]
fn a_diagnostic_without_a_place_keeps_its_help() {
    let diagnostic =
        Diagnostic::global(&CODE, "cannot read \"x.mch\"").help("did you mean \"y.mch\"?");
    assert_snapshot!(text(&diagnostic, &Sources::new()), @r#"
    error[B0000]: cannot read "x.mch"
     |
     = help: did you mean "y.mch"?
    "#);
}

#[test]
fn the_end_of_the_file_shows_the_last_text() {
    let (sources, file) = one("MACHINE Lift\nVARIABLES floor\n\n");
    let end = sources.text(file).len() as u32;
    let diagnostic = Diagnostic::error(&CODE, Span::new(file, end, end), "END is missing");
    assert_snapshot!(text(&diagnostic, &sources), @r#"
    error[B0000]: END is missing
     --> lift.mch:4:1
      |
    2 | VARIABLES floor
    3 |
    4 |
      | ^
    "#);
}

#[test]
fn an_empty_file_has_a_place() {
    let (sources, file) = one("");
    let diagnostic = Diagnostic::error(&CODE, Span::new(file, 0, 0), "nothing here");
    assert_snapshot!(text(&diagnostic, &sources), @r#"
    error[B0000]: nothing here
     --> lift.mch:1:1
      |
    1 |
      | ^
    "#);
}

#[test]
fn an_empty_span_points_between_characters() {
    let (sources, file) = one(MACHINE);
    let diagnostic = Diagnostic::error(
        &CODE,
        find(&sources, file, "top").after(),
        "\")\" is missing",
    );
    assert_snapshot!(text(&diagnostic, &sources), @r#"
    error[B0000]: ")" is missing
     --> lift.mch:4:17
      |
    4 |   floor : 0..top
      |                 ^
    "#);
}

#[test]
fn long_spans_are_folded() {
    let body = "  x := x + 1;\n".repeat(50);
    let (sources, file) = one(&format!(
        "MACHINE M\nOPERATIONS op =\nBEGIN\n{body}END\nEND\n"
    ));
    let start = find(&sources, file, "BEGIN").start;
    let end = find(&sources, file, "END\nEND").start + 3;
    let diagnostic =
        Diagnostic::error(&CODE, Span::new(file, start, end), "too long").label("this block");
    assert_snapshot!(text(&diagnostic, &sources), @r#"
    error[B0000]: too long
      --> lift.mch:3:1
       |
     3 | / BEGIN
     4 | |   x := x + 1;
     5 | |   x := x + 1;
     6 | |   x := x + 1;
    ...  |
    53 | |   x := x + 1;
    54 | | END
       | |___^ this block
    "#);
}

#[test]
fn spans_beyond_any_window_show_their_first_line() {
    let body = "  x := x + 1;\n".repeat(5000);
    let (sources, file) = one(&format!("BEGIN here\n{body}END\n"));
    let end = sources.text(file).len() as u32;
    let diagnostic = Diagnostic::error(&CODE, Span::new(file, 6, end), "never closed");
    assert_snapshot!(text(&diagnostic, &sources), @r#"
    error[B0000]: never closed
     --> lift.mch:1:7
      |
    1 | BEGIN here
      |       ^^^^
    "#);
}

#[test]
fn places_far_apart_get_a_snippet_each() {
    let gap = "\n".repeat(5000);
    let (sources, file) = one(&format!("VARIABLES up{gap}INVARIANT up = down"));
    let diagnostic = Diagnostic::error(&CODE, find(&sources, file, "down"), "types differ")
        .also(find(&sources, file, "up"), "declared here");
    assert_snapshot!(text(&diagnostic, &sources), @r#"
    error[B0000]: types differ
        --> lift.mch:5001:16
         |
    5001 | INVARIANT up = down
         |                ^^^^
         |
        ::: lift.mch:1:11
         |
       1 | VARIABLES up
         |           -- declared here
    "#);
}

#[test]
fn very_long_lines_are_cut_and_keep_their_column() {
    let filler = "∀ ".repeat(500_000);
    let (sources, file) = one(&format!("{filler}HERE {filler}"));
    let diagnostic = Diagnostic::error(&CODE, find(&sources, file, "HERE"), "wrong").label("this");
    assert_snapshot!(text(&diagnostic, &sources), @r#"
    error[B0000]: wrong
     --> lift.mch:1:1000001
      |
    1 | ...∀ ∀ ∀ ∀ ∀ ∀ ∀ ∀ ∀ ∀ ∀ ∀ ∀ ∀ ∀ ∀ ∀ ∀ ∀ ∀ HERE ∀ ∀ ∀ ∀ ∀ ∀ ∀ ∀ ∀ ∀ ∀ ∀ ∀ ∀ ∀ ∀ ∀ ∀ ∀ ∀ ∀ ∀ ∀ ∀ ∀ ∀ ∀ ∀ ∀ ∀ ∀ ∀ ∀ ∀ ∀ ∀ ∀ ∀...
      |                                            ^^^^ this
    "#);
}

#[test]
fn a_mark_outside_the_part_shown_of_a_line_is_at_the_cut() {
    let filler = "x ".repeat(5_000);
    let (sources, file) = one(&format!("\nFIRST {filler}HERE {filler}LAST"));
    let diagnostic = Diagnostic::error(&CODE, find(&sources, file, "HERE"), "wrong")
        .also(find(&sources, file, "FIRST"), "first")
        .also(find(&sources, file, "LAST"), "last");
    assert_snapshot!(text(&diagnostic, &sources), @r#"
    error[B0000]: wrong
     --> lift.mch:2:10007
      |
    2 | ...x x x x x x x x x x x x x x x x x x x x HERE x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x x...
      |    - first                                 ^^^^                                                                            - last
    "#);
}

#[test]
fn control_characters_of_the_model_do_not_reach_the_terminal() {
    let (sources, file) = one("MACHINE \u{1b}[31mM\u{0}");
    let diagnostic = Diagnostic::error(&CODE, find(&sources, file, "\u{0}"), "bad \u{1b}[0m")
        .label("\u{7}")
        .help("\u{1b}[1m")
        .note("\u{202e}");
    let text = text(&diagnostic, &sources);
    assert!(
        !text.contains(['\u{1b}', '\u{0}', '\u{7}', '\u{202e}']),
        "{text}"
    );
}

#[test]
fn colours_are_only_used_when_asked_for() {
    let (sources, file) = one(MACHINE);
    let diagnostic = Diagnostic::error(&CODE, find(&sources, file, "top"), "unknown");
    assert!(super::text(&diagnostic, &sources, true).contains('\u{1b}'));
    assert!(!super::text(&diagnostic, &sources, false).contains('\u{1b}'));
}

/// Every span over a text with all kinds of line ends and wide characters, and some outside it.
#[test]
fn every_span_renders_and_both_forms_name_the_same_place() {
    for content in [
        "",
        "\n",
        "a\r\nb\r\n",
        "∀x·(∃y)\n\n\t𝔹 = 1\n ",
        "\r",
        "one\n\n\n\n\ntwo",
    ] {
        let (sources, file) = one(content);
        let size = content.len() as u32 + 3;
        for start in 0..=size {
            for end in 0..=size {
                let diagnostic = Diagnostic::error(&CODE, Span::new(file, start, end), "m");
                let json: serde_json::Value =
                    serde_json::from_str(&json(&diagnostic, &sources)).unwrap_or_default();
                assert_eq!(
                    heading(&diagnostic, &sources),
                    format!("--> lift.mch:{}:{}", json["line"], json["column"]),
                    "{content:?} {start}..{end}"
                );
            }
        }
    }
}

#[test]
fn json_counts_lines_and_characters_from_one() {
    let (mut sources, file) = one("MACHINE M\nINVARIANT ∀x·(x∈S)\nEND\n");
    let other = sources.add("s.def", "S == {}".to_owned());
    let diagnostic = Diagnostic::error(&CODE, find(&sources, file, "x∈S"), "types differ")
        .also(find(&sources, other, "S"), "defined here")
        .help("a")
        .note("b");
    assert_snapshot!(json(&diagnostic, &sources), @r#"
    {"code":"B0000","severity":"error","message":"types differ","help":"a","file":"lift.mch","line":2,"column":15,"end_line":2,"end_column":18,"notes":["b"],"related":[{"file":"s.def","line":1,"column":1,"end_line":1,"end_column":2,"message":"defined here"}]}
    "#);
}

#[test]
fn json_without_a_place_has_nulls() {
    let diagnostic = Diagnostic::global(&CODE, "cannot read");
    assert_snapshot!(json(&diagnostic, &Sources::new()), @r#"
    {"code":"B0000","severity":"error","message":"cannot read","help":null,"file":null,"line":null,"column":null,"end_line":null,"end_column":null,"notes":[],"related":[]}
    "#);
}
