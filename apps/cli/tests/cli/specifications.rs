//! Z as its users run it: every engine and reduction with the same answer on random specifications, questions about all states of
//! a schema, schemas as boxes.

#[path = "../../../../crates/lower-z/tests/support/random.rs"]
mod random;

use crate::support::Folder;

const POOL: &str = r"
\begin{zed} [ID] \\ STATUS ::= idle | busy \end{zed}
\begin{schema}{Pool}
  used : \finset ID \\ st : STATUS
\where
  \# used \leq 1 \\ st = busy \iff used \neq \emptyset
\end{schema}
\begin{schema}{Init} Pool' \where used' = \emptyset \end{schema}
\begin{schema}{Take} \Delta Pool \\ i? : ID \where i? \notin used \\ used' = used \cup \{i?\} \end{schema}
\begin{schema}{Never} \Delta Pool \where st = busy \\ used = \emptyset \\ used' = used \end{schema}
";

/// The ways in which a specification is checked; the first is the one without any reduction.
const WAYS: &[&str] = &[
    "--engine explicit --symmetry off --por off",
    "--engine explicit --symmetry exact --por off",
    "--engine explicit --symmetry off --por ample",
    "--engine explicit --symmetry off --por stubborn",
    "--engine symbolic",
    "--threads 2",
];

#[test]
fn every_way_has_the_same_verdict_on_random_specifications() {
    let folder = Folder::new("z-random");
    let count = std::env::var("BURNSIDE_RANDOM").ok();
    let count = count.and_then(|count| count.parse().ok()).unwrap_or(6);
    let mut compared = 0;
    for seed in 1000..1000 + count {
        let text = random::specification(seed);
        folder.file("random.tex", &text);
        for asked in ["--no-deadlock", "--no-invariant"] {
            let mut first = None;
            for way in WAYS {
                let options = way.split(' ').chain([asked, "--max-time", "60"]);
                let args: Vec<&str> = ["check", "random.tex"].into_iter().chain(options).collect();
                let run = folder.run(&args);
                assert!(
                    [0, 11, 12, 20].contains(&run.exit),
                    "seed {seed}, {way}: {}{}",
                    run.out,
                    run.err
                );
                // What an enumeration that was cut leaves open decides nothing.
                if run.exit != 20 {
                    compared += 1;
                    let wanted = *first.get_or_insert(run.exit);
                    assert_eq!(run.exit, wanted, "seed {seed}, {way} {asked}\n{text}");
                }
            }
        }
    }
    assert!(compared > count * 6, "{compared} runs were compared");
}

#[test]
fn questions_about_all_states_suppose_the_schema_of_the_state() {
    let folder = Folder::new("z-cbc");
    let stuck = POOL.replace("i? \\notin used", "i? \\notin used \\\\ used = \\emptyset");
    let free = format!(
        "{POOL}\n\\begin{{schema}}{{Drop}} \\Delta Pool \\where st = busy \\\\ used' = \\emptyset \\end{{schema}}\n"
    );
    folder.file("stuck.tex", stuck).file("free.tex", free);
    for (line, exit, found) in [
        ("free.tex -cbc_deadlock", 0, "No DEADLOCK state found"),
        (
            "stuck.tex -cbc_deadlock",
            11,
            "*** DEADLOCK state found ***\n*** STATE = \n( used={ID1} & st=busy )\n*** END DEADLOCKING STATE",
        ),
        ("free.tex -cbc_assertions", 0, "No ASSERTION to check"),
        (
            "free.tex -cbc_sequence Take;Drop;Take",
            0,
            "holds: Take, Drop, Take can happen",
        ),
        (
            "free.tex -cbc_sequence Take;Take",
            12,
            "violated: Take, Take can happen",
        ),
    ] {
        let args: Vec<&str> = ["probcli"].into_iter().chain(line.split(' ')).collect();
        let run = folder.run(&args);
        assert_eq!(run.exit, exit, "{line}: {}{}", run.out, run.err);
        assert!(run.out.contains(found), "{line}: {}", run.out);
    }
}

#[test]
fn analyse_says_what_never_happens_and_which_precondition_is_smaller_than_written() {
    let folder = Folder::new("z-analyse");
    folder.file("pool.tex", POOL);
    let run = folder.run(&["analyse", "pool.tex"]);
    assert_eq!(run.exit, 0, "{}", run.err);
    for found in [
        "operation Never can never happen: no state satisfies its conditions",
        "operation Take happens less often than its conditions say (pre Take is smaller than written): where used = {ID",
    ] {
        assert!(run.out.contains(found), "{}", run.out);
    }
    let whole = POOL.replace("i? \\notin used", "used = \\emptyset");
    folder.file("whole.tex", whole);
    let run = folder.run(&["analyse", "whole.tex"]);
    assert!(!run.out.contains("operation Take"), "{}", run.out);
}

#[test]
fn schemas_are_boxes() {
    let folder = Folder::new("z-boxes");
    folder.file("pool.tex", POOL);
    folder.file("script", "schema Pool\nTake(ID1)\nstate\nschema Pol\n");
    let run = folder.run(&["animate", "pool.tex", "--script", "script"]);
    for found in [
        "  ┌─ Pool ────",
        "  │ used : 𝔽 ID\n  │ st : STATUS\n  ├────────────────\n  │ # used ≤ 1\n",
        "  │* used = {ID1}   was {}\n  │* st   = busy   was idle\n  └────",
        "there is no schema Pol; did you mean Pool?",
    ] {
        assert!(run.out.contains(found), "{}", run.out);
    }
    let run = folder.run(&[
        "check",
        "pool.tex",
        "--no-deadlock",
        "--report",
        "page.html",
    ]);
    assert_eq!(run.exit, 0, "{}{}", run.out, run.err);
    let page = std::fs::read_to_string(folder.path("page.html")).expect("the page is there");
    assert!(
        page.contains(
            "<section class=\"schema\"><h3>Pool</h3>\n<div class=\"declared\">\n<p>used : 𝔽 ID</p>"
        ),
        "{page}"
    );
}

#[test]
fn a_frame_that_is_broken_is_told_and_a_derived_component_is_not() {
    let folder = Folder::new("z-frame");
    folder.file("pool.tex", POOL);
    let derived = folder.run(&["check", "pool.tex"]);
    assert!(!derived.out.contains("says nothing"), "{}", derived.out);
    let free = POOL.replace(r"\\ st = busy \iff used \neq \emptyset", "");
    folder.file("free.tex", free);
    let broken = folder.run(&["check", "free.tex"]);
    let wanted = "operation `Take` says nothing about `st'`";
    assert!(broken.out.contains(wanted), "{}", broken.out);
}

#[test]
fn the_e_mail_markup_is_checked_and_asked_as_the_others_are() {
    let folder = Folder::new("z-email");
    let text = "%%Z\n[ID]\n%%\n+-- Pool ---\n| used : %F ID\n|--\n| # used <= 1\n---\n+-- Init ---\n| Pool'\n|--\n| used' = (/)\n---\n\
                +-- Take ---\n| %Delta Pool\n| i? : ID\n|--\n| used' = used %u {i?}\n---\n";
    folder.file("letter.zed", text);
    let run = folder.run(&[
        "check",
        "letter.zed",
        "--symmetry",
        "off",
        "--ltl",
        "G {# used <= 1}",
    ]);
    assert_eq!(run.exit, 0, "{}{}", run.out, run.err);
    assert!(run.out.contains("3 states"), "{}", run.out);
    let value = folder.run(&["eval", "letter.zed", "%<1, 2%> ^ %<3%>"]);
    assert_eq!(value.out.trim(), "[1,2,3]", "{}", value.err);
    let printed = folder.run(&["print", "letter.zed", "--unicode"]);
    assert!(
        printed.out.contains("used′ = used ∪ { i? }"),
        "{}",
        printed.out
    );
}
