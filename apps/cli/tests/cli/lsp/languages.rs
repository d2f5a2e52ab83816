//! What an editor hears in every language: names, outlines, types, and formatting that loses nothing.

use serde_json::json;

use super::editor::{Editor, place};
use crate::support::Folder;

/// A line and a character.
type At = (u32, u32);

/// In each language: file, id and text, a place of a name that is used there, and where it is declared.
const LANGUAGES: &[([&str; 3], At, At)] = &[
    (
        [
            "m.eventb",
            "eventb",
            "machine m\nvariables x\ninvariants\n  @i x ∈ ℕ\nevents\n  event INITIALISATION then\n    @a x ≔ 0\n  end\n  event inc any y where\n    @g y ∈ 1‥2\n  then\n    @a x ≔ x + y\n  end\nend\n",
        ],
        (11, 15),
        (8, 16),
    ),
    (
        [
            "m.zed",
            "z",
            "\\begin{zed} [P] \\end{zed}\n\\begin{schema}{S}\n  in1: \\power P\n\\where\n  in1 \\neq \\emptyset\n\\end{schema}\n\\begin{schema}{Init} S' \\where in1' = \\emptyset \\end{schema}\n",
        ],
        (4, 3),
        (2, 2),
    ),
    (
        [
            "m.pml",
            "promela",
            "byte level;\nactive proctype p() {\n  byte own = 1;\n  level = own + 1;\n  assert(level < 5)\n}\n",
        ],
        (3, 11),
        (2, 7),
    ),
    (
        [
            "m.m",
            "murphi",
            "type pid: scalarset(2);\nvar s: array [pid] of boolean;\nstartstate begin for p: pid do s[p] := false end; end;\nruleset q: pid do rule \"set\" !s[q] ==> begin s[q] := true end; end;\ninvariant \"fine\" forall r: pid do s[r] | !s[r] end;\n",
        ],
        (4, 36),
        (4, 24),
    ),
];

#[test]
fn every_language_has_names_and_an_outline() {
    let folder = Folder::new("lsp-languages");
    let mut editor = Editor::new(&folder);
    for ([file, language, text], used, declared) in LANGUAGES {
        editor.open(file, language, text);
        let wrong = editor.wrong(file);
        let errors = wrong.iter().filter(|one| one["severity"] == 1).count();
        assert_eq!(errors, 0, "{file}: {wrong:?}");
        let found = editor.about("definition", file, Some(*used));
        assert_eq!(found["range"]["start"], place(*declared), "{file}: {found}");
        let outline = editor.about("documentSymbol", file, None);
        assert!(
            outline.as_array().is_some_and(|all| !all.is_empty()),
            "{file}: {outline}"
        );
        let tokens = editor.about("semanticTokens/full", file, None);
        assert!(
            tokens["data"]
                .as_array()
                .is_some_and(|data| data.len() > 20),
            "{file}"
        );
        let text = text.replace(['=', ':', '≔'], " ");
        let end = (text.lines().count() as u32 + 1, 0);
        editor.change(file, ((0, 0), end), &text);
        let wrong = editor.wrong(file);
        assert!(
            wrong.iter().any(|one| one["severity"] == 1),
            "{file} has errors now"
        );
    }
}

/// A text with comments in each language, and what formatting makes of it. What a printer would lose stays: macros of Promela's
/// preprocessor, what stands around the paragraphs of Z, components in other files.
const COMMENTED: &[[&str; 4]] = &[
    [
        "A.mch",
        "b",
        "/* head */ MACHINE A\nDEFINITIONS big == 9 // a limit\nVARIABLES v /* counts */\nINVARIANT v : 0..big\nINITIALISATION v := 0 // begin\nOPERATIONS\n  /* one more */\n  op = SELECT (v < big) THEN v := v + 1 END\nEND",
        "/* head */\nMACHINE A\nDEFINITIONS\n  big == 9 // a limit\nVARIABLES\n  v /* counts */\nINVARIANT\n  v : 0..big\nINITIALISATION\n  v := 0 // begin\nOPERATIONS\n  /* one more */\n  op =\n    SELECT v < big THEN\n      v := v + 1\n    END\nEND\n",
    ],
    [
        "e.eventb",
        "eventb",
        "// head\nmachine e sees c\nvariables x // counts\ninvariants @i x ∈ ℕ\nevents event INITIALISATION then @a x ≔ lim end\nend",
        "// head\nMACHINE e\nSEES c\nVARIABLES\n    x // counts\nINVARIANTS\n    @i x ∈ ℕ\nEVENTS\n    event INITIALISATION\n    then\n        @a x ≔ lim\n    end\nEND\n",
    ],
    [
        "s.zed",
        "z",
        "Some words.  \n\n\n\\begin{schema}{S} x: \\nat \\end{schema}\n\\begin{schema}{Init} S' \\where x' = 0 \\end{schema}",
        "Some words.\n\n\\begin{schema}{S} x: \\nat \\end{schema}\n\\begin{schema}{Init} S' \\where x' = 0 \\end{schema}\n",
    ],
    [
        "p.pml",
        "promela",
        "#define N 3\nbyte x;   \nactive proctype P() { do :: x < N -> x++ :: else -> break od }",
        "#define N 3\nbyte x;\nactive proctype P() { do :: x < N -> x++ :: else -> break od }\n",
    ],
    [
        "r.m",
        "murphi",
        "-- head\nvar x: 0..3; -- counts\nstartstate begin x := 0; end;\nrule \"inc\" x < 3 ==> begin x := x + 1; /* more */ end;",
        "-- head\nvar x: 0..3; -- counts\nstartstate\nbegin\n  x := 0;\nend;\nrule \"inc\" x < 3 ==>\nbegin\n  x := x + 1; /* more */\nend;\n",
    ],
];

#[test]
fn formatting_loses_no_word_and_no_comment() {
    let folder = Folder::new("lsp-format");
    folder.file("c.eventb", "context c constants lim axioms @a lim = 3 end");
    let mut editor = Editor::new(&folder);
    for [file, language, text, expected] in COMMENTED {
        editor.open(file, language, text);
        let formatted = editor.about("formatting", file, None);
        assert_eq!(formatted[0]["newText"], *expected, "{file}: {formatted}");
        // What is formatted stays as it is.
        let end = (text.lines().count() as u32 + 1, 0);
        editor.change(file, ((0, 0), end), expected);
        assert_eq!(editor.about("formatting", file, None), json!([]), "{file}");
    }
}

/// In each language: file, id, text, a place, what hovering over it tells, and where it is declared.
const TOLD: &[([&str; 3], At, &str, At)] = &[
    (
        [
            "k.eventb",
            "eventb",
            "machine k\nvariables x\ninvariants\n  @low x ∈ 0‥9\nevents\n  event INITIALISATION then @a x ≔ 0 end\n  event up when @g x < 9 then @a x ≔ x + 1 end\nend\n",
        ],
        (3, 4),
        "low (property)\n```\n---\n```\nlow x ∈ 0‥9",
        (3, 3),
    ),
    (
        [
            "l.eventb",
            "eventb",
            "machine l refines k\nvariables x\nevents\n  event INITIALISATION extends INITIALISATION end\n  event more extends up end\nend\n",
        ],
        (4, 22),
        "event up when @g x < 9 then @a x ≔ x + 1 end",
        (6, 8),
    ),
    (
        [
            "t.zed",
            "z",
            "\\begin{zed} [P] \\end{zed}\n\\begin{schema}{S}\n  in1: \\power P\n\\end{schema}\n\\begin{schema}{Init} S' \\where in1' = \\emptyset \\end{schema}\n",
        ],
        (4, 32),
        "in1 : ℙ P (field)",
        (2, 2),
    ),
    (
        [
            "u.pml",
            "promela",
            "#define N 3\nbyte x;\ninline bump(y) { y++ }\nltl low { [] (x < N) }\ninit { bump(x) }\n",
        ],
        (3, 18),
        "N 3",
        (0, 8),
    ),
    (
        [
            "v.pml",
            "promela",
            "byte x;\ninline bump(y) { y++ }\nltl low { [] (x < 3) }\ninit { bump(x) }\n",
        ],
        (3, 8),
        "inline bump(y) { y++ }",
        (1, 7),
    ),
    (
        [
            "w.pml",
            "promela",
            "byte x;\nltl low { [] (x < 3) }\ninit { x = 1 }\n",
        ],
        (1, 5),
        "ltl low { [] (x < 3) }",
        (1, 4),
    ),
];

#[test]
fn hovering_tells_types_and_whole_declarations() {
    let folder = Folder::new("lsp-told");
    let mut editor = Editor::new(&folder);
    for ([file, language, text], used, told, declared) in TOLD {
        folder.file(file, text);
        editor.open(file, language, text);
        let hover = editor.about("hover", file, Some(*used));
        let shown = hover["contents"]["value"].as_str().unwrap_or_default();
        assert!(shown.contains(told), "{file}: {shown}");
        let found = editor.about("definition", file, Some(*used));
        assert_eq!(found["range"]["start"], place(*declared), "{file}: {found}");
    }
}

#[test]
fn names_of_murphi_survive_a_mistake() {
    let folder = Folder::new("lsp-mistake");
    let mut editor = Editor::new(&folder);
    let text = "var level: 0..3;\nstartstate begin level := 0; end;\nrule \"up\" level < 3 ==> begin level := ; end;\n";
    editor.open("m.m", "murphi", text);
    let wrong = editor.wrong("m.m");
    assert_eq!(wrong.len(), 1, "one mistake, one message: {wrong:?}");
    let found = editor.about("definition", "m.m", Some((2, 11)));
    assert_eq!(found["range"]["start"], place((0, 4)), "{found}");
}
