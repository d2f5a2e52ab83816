//! Spellings, priorities, places and refusals of the formula parser.

use base::{Sources, render};
use lang_formula::{Formula, Parsed, Place, ctl, ltl, print};

fn place() -> (Place, Sources) {
    let mut sources = Sources::new();
    let file = sources.add("<formula>", String::new());
    (Place { file, start: 0 }, sources)
}

fn read(text: &str) -> Formula {
    parsed(ltl(text, place().0), text)
}

fn read_ctl(text: &str) -> Formula {
    parsed(ctl(text, place().0), text)
}

fn parsed(parsed: Parsed, text: &str) -> Formula {
    let messages: Vec<String> = parsed
        .diagnostics
        .iter()
        .map(|d| d.message.clone())
        .collect();
    parsed
        .formula
        .unwrap_or_else(|| panic!("{text}: {messages:?}"))
}

fn refused(parsed: Parsed) -> (String, u32) {
    assert!(parsed.formula.is_none());
    let first = parsed.diagnostics.iter().next().expect("a reason");
    let start = first.primary.as_ref().map_or(0, |label| label.span.start);
    (first.message.clone(), start)
}

/// Asserts that two texts are read as the same formula.
fn same(a: &str, b: &str) {
    let (left, right) = (read(a), read(b));
    assert!(
        left.same(&right),
        "{a} is {}, {b} is {}",
        print(&left),
        print(&right)
    );
}

#[test]
fn every_spelling_means_its_operator() {
    for (short, spellings) in [
        ("not {p}", &["¬{p}", "not{p}", "!{p}"][..]),
        ("{p} & {q}", &["{p} && {q}", "{p} and {q}", "{p}∧{q}"]),
        ("{p} or {q}", &["{p} || {q}", "{p}∨{q}", "{p}or{q}"]),
        (
            "{p} => {q}",
            &["{p} -> {q}", "{p} implies {q}", "{p} ⇒ {q}"],
        ),
        (
            "{p} <=> {q}",
            &["{p} <-> {q}", "{p} equivalent {q}", "{p} ⇔ {q}"],
        ),
        ("G {p}", &["globally {p}", "always {p}", "□{p}", "[] {p}"]),
        ("F {p}", &["finally {p}", "eventually {p}", "<>{p}", "⋄{p}"]),
        ("X {p}", &["next {p}", "X{p}"]),
        ("{p} U {q}", &["{p} until {q}", "{p} stronguntil {q}"]),
        ("{p} W {q}", &["{p} weakuntil {q}"]),
        ("{p} R {q}", &["{p} release {q}"]),
        ("H {p}", &["historically {p}"]),
        ("O {p}", &["once {p}"]),
        ("Y {p}", &["yesterday {p}"]),
        ("{p} S {q}", &["{p} since {q}"]),
        ("{p} T {q}", &["{p} trigger {q}"]),
        ("e(a)", &["enabled(a)", "e (a)", "e( a )"]),
        ("Av(a)", &["available(a)"]),
        ("unchanged({x})", &["UNCHANGED({x})", "unchanged( {x} )"]),
        ("before_after({x>x$0})", &["BA({x>x$0})"]),
        (
            "WF(a) => {p}",
            &["wf(a) => {p}", "(WF(a)) => {p}", "(WF(a) => {p})"],
        ),
        ("SF(a) => {p}", &["sf(a) => {p}"]),
        ("G F {p}", &["GF{p}", "G(F({p}))"]),
        ("F deadlock", &["Fdeadlock"]),
        ("[a(1,_)]", &["[ a(1, _) ]"]),
        ("[a]", &["[a()]"]),
    ] {
        for spelling in spellings {
            same(short, spelling);
        }
    }
}

#[test]
fn operators_group_as_documented() {
    same("G {a} & {b}", "(G {a}) & {b}");
    same("not {a} U {b}", "(not {a}) U {b}");
    same("{a} or {b} & {c}", "({a} or {b}) & {c}");
    same("{a} => {b} => {c}", "({a} => {b}) => {c}");
    same("{a} U {b} W {c}", "({a} U {b}) W {c}");
    same("{a} & {b} U {c}", "{a} & ({b} U {c})");
    same("{a} => {b} <=> {c}", "({a} => {b}) <=> {c}");
    same("G {a} U F {b}", "(G {a}) U (F {b})");
    same("WF(a) => {p} => {q}", "WF(a) => ({p} => {q})");
    same(
        "WF(a) & SF(b) or WEF => {p}",
        "((WF(a) & SF(b)) or WEF) => {p}",
    );
    same("WF(a) => {p} <=> {q}", "WF(a) => ({p} <=> {q})");
    let (message, at) = refused(ltl("{a} <=> {b} <=> {c}", place().0));
    assert_eq!((message.as_str(), at), ("`<=>` does not group", 12));
}

#[test]
fn branching_formulas_group_as_documented() {
    let same = |a: &str, b: &str| assert!(read_ctl(a).same(&read_ctl(b)), "{a} and {b}");
    same("AG EF {a} & {b}", "(AG (EF {a})) & {b}");
    same("AGEF{a}", "A G E F {a}");
    same("E {a} U {b} & {c}", "(E {a} U {b}) & {c}");
    same("{a} => {b} => {c}", "({a} => {b}) => {c}");
    same("EX [op(1)] {a} or {b}", "(EX [op(1)] {a}) or {b}");
    assert!(!read_ctl("EX [op] {a}").same(&read_ctl("EX [op]")));
    assert_eq!(print(&read_ctl("EX [op]")), "EX [op]");
    let (message, _) = refused(ctl("G {a}", place().0));
    assert_eq!(message, "`G` stands behind E or A in CTL");
    let (message, _) = refused(ctl("A {a} U {b}", place().0));
    assert_eq!(message, "X, F or G is missing behind A");
}

#[test]
fn texts_of_the_model_end_at_their_own_brackets() {
    let formula = read(r#"{s = "}" & t = {1,{2}}} & [op("a)]",f(x),{1})] & e(p(x|->1))"#);
    assert_eq!(
        print(&formula),
        r#"{s = "}" & t = {1,{2}}} & [op("a)]",f(x),{1})] & e(p(x|->1))"#
    );
}

#[test]
fn errors_have_places_inside_the_formula() {
    for (text, message, at) in [
        ("G {x>0", "`{` is not closed", 2),
        ("G ({p} & )", "a formula is missing here", 9),
        ("G {p})", "`)` closes nothing", 5),
        ("G {p} {q}", "an operator is missing before this", 6),
        ("F foo", "`foo` is no part of LTL", 2),
        ("", "a formula is missing here", 0),
        ("G e", "`e` needs brackets: `e(…)`", 2),
        (
            "[a(1,)]",
            "an argument is missing; `_` stands for any value",
            5,
        ),
        ("G {}", "nothing stands between the braces", 3),
        ("#x.({p} => {q})", "`&` is missing: #x.({P} & f)", 8),
        ("{a} | {b}", "`|` is no part of LTL", 4),
        (
            "F (WF(a) => {p})",
            "fairness stands only left of the outermost =>, and with nothing but fairness",
            3,
        ),
        (
            "WF(a) & {p} => {q}",
            "fairness stands only left of the outermost =>, and with nothing but fairness",
            0,
        ),
    ] {
        assert_eq!(
            refused(ltl(text, place().0)),
            (message.to_owned(), at),
            "{text}"
        );
    }
}

#[test]
fn a_place_in_a_larger_file_is_kept() {
    let mut sources = Sources::new();
    let text = "[first]\n  G {x>0} &\n";
    let file = sources.add("formulas.ltl", text.to_owned());
    let section = &lang_formula::sections(text)[0];
    let parsed = ltl(&section.text, section.place(file));
    let error = parsed.diagnostics.iter().next().expect("an error");
    let json = render::json(error, &sources);
    let json = format!("{json:?}");
    assert!(json.contains("formulas.ltl"), "{json}");
    let start = error.primary.as_ref().map(|label| label.span.start);
    assert_eq!(start, Some(text.len() as u32));
}

#[test]
fn mixed_operators_and_foreign_spellings_are_warned_of() {
    for (text, warnings) in [
        ("{a} or {b} & {c}", 1),
        ("({a} or {b}) & {c}", 0),
        ("{a} & {b} & {c}", 0),
        ("[] {a}", 1),
        ("! {a}", 1),
        ("!x.({x:S} => {a})", 0),
    ] {
        assert_eq!(
            ltl(text, place().0).diagnostics.iter().count(),
            warnings,
            "{text}"
        );
    }
}

#[test]
fn hostile_nesting_is_refused_by_name() {
    let deep = 100_000;
    for text in [
        "(".repeat(deep),
        format!("{}{{p}}{}", "(".repeat(deep), ")".repeat(deep)),
        format!("{}{{p}}", "G ".repeat(deep)),
        format!("{}true", "true & ".repeat(deep)),
        format!("{}{{p}}", "#x.({p} & ".repeat(deep)),
        format!("{}WF(a)", "(".repeat(deep)),
    ] {
        let (message, _) = refused(ltl(&text, place().0));
        assert!(message.contains("nested more than"), "{message}");
    }
    let text = format!("{}{{p}}", "E".repeat(deep));
    assert!(ctl(&text, place().0).formula.is_none());
}
