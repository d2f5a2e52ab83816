//! Random edits in every language: no panic, and no answer that a fresh start on the final texts would not give.
//!
//! `BURNSIDE_EDITS=100000` asks for more of them, `BURNSIDE_SEED` for others. Texts begin again from time to time: what is
//! nearly right is read further than what is no text of the language at all.

use base::Random;
use serde_json::{Value, json};

use super::editor::{Editor, place};
use crate::support::Folder;

/// After so many edits the texts begin again.
const BEGIN_AGAIN: usize = 12;
/// So often the answers are compared with those of a fresh start.
const COMPARE: usize = 400;

/// The id of a language, and files with texts in it that refer to each other.
type Case = (&'static str, &'static [(&'static str, &'static str)]);

const CASES: &[Case] = &[
    (
        "b",
        &[
            ("Door.mch", super::DOOR),
            (
                "House.mch",
                "MACHINE House\nINCLUDES Door\nCONSTANTS kk\nPROPERTIES kk : STATE --> 0..5 & kk(open) = 2\nDEFINITIONS ASSERT_LTL_a == \"G {count < 3}\"\nINVARIANT !xx.(xx : STATE => kk(xx) >= 0) & count < 6\nOPERATIONS\n  go = ANY zz WHERE zz : 1..3 & state = open THEN pull(zz) END;\n  come = push\nEND\n",
            ),
        ],
    ),
    (
        "eventb",
        &[
            (
                "ctx.eventb",
                "context ctx\nsets COLOUR\nconstants red green\naxioms\n  @a1 partition(COLOUR, {red}, {green})\nend\n",
            ),
            (
                "m0.eventb",
                "machine m0 sees ctx\nvariables x light\ninvariants\n  @i x ∈ 0‥9\n  @l light ∈ COLOUR\nevents\n  event INITIALISATION then\n    @a x ≔ 0\n    @b light ≔ red\n  end\n  event inc any y where\n    @g y ∈ 1‥2 ∧ x + y < 9\n  then\n    @a x ≔ x + y\n    @b light :∈ COLOUR ∖ {light}\n  end\nend\n",
            ),
            (
                "m1.eventb",
                "machine m1 refines m0 sees ctx\nvariables x light on\ninvariants\n  @o on ∈ BOOL\nevents\n  event INITIALISATION extends INITIALISATION then\n    @c on ≔ FALSE\n  end\n  event inc extends inc where\n    @h on = TRUE\n  end\n  event power then @p on ≔ bool(on = FALSE) end\nend\n",
            ),
        ],
    ),
    (
        "z",
        &[(
            "club.zed",
            "Narrative.\n\\begin{zed} [PERSON] \\\\ ANSWER ::= yes | no \\langle\\langle \\nat \\rangle\\rangle \\end{zed}\n\\begin{axdef}\n  limit: \\nat\n\\where\n  limit = 2 + 3\n\\end{axdef}\n\\begin{schema}{Club}\n  members: \\power PERSON % who\n\\where\n  \\# members \\leq limit\n\\end{schema}\n\\begin{schema}{Init} Club' \\where members' = \\emptyset \\end{schema}\n\\begin{schema}{Join}\n  \\Delta Club \\\\ p?: PERSON \\\\ r!: ANSWER\n\\where\n  p? \\notin members \\\\\n  members' = members \\cup \\{p?\\} \\land r! = yes\n\\end{schema}\n",
        )],
    ),
    (
        "promela",
        &[(
            "m.pml",
            "#define N 3\n#define done (level == N)\nmtype = { req, ack };\nchan c = [2] of { mtype, byte };\nbyte level;\ntypedef Pair { byte a; bool b };\nPair pp;\ninline bump(x) { x++ }\nltl low { [] (level < 3) }\nactive proctype P() {\n  byte own = 1;\nagain:\n  do\n  :: level < N -> bump(level); c!req(own)\n  :: c?ack(own) -> goto again\n  :: done -> break\n  od;\n  pp.a = 1; /* fine */\n  assert(level < 3)\n}\n",
        )],
    ),
    (
        "murphi",
        &[(
            "m.m",
            "const N: 3;\ntype pid: scalarset(N); st: enum { idle, want, crit };\n  rec: record s: st; n: 0..5; end;\nvar p: array [pid] of rec; turn: pid;\nfunction free(i: pid): boolean;\nbegin\n  return p[i].s = idle;\nend;\nstartstate \"init\" begin\n  for i: pid do p[i].s := idle; p[i].n := 0; turn := i; end;\nend;\nruleset i: pid do\n  alias me: p[i] do\n    rule \"ask\" free(i) ==> begin me.s := want; end; -- asks\n    rule \"enter\" p[i].s = want & turn = i ==> var k: pid; begin k := i; me.s := crit; turn := k; end;\n  end;\nend;\ninvariant \"mutex\" forall i: pid do forall j: pid do i = j | !(p[i].s = crit & p[j].s = crit) end end;\n",
        )],
    ),
];

/// A number that the environment gives.
fn asked(name: &str) -> Option<usize> {
    std::env::var(name).ok()?.parse().ok()
}

#[test]
fn after_random_edits_the_answers_are_those_of_a_fresh_start() {
    let edits = asked("BURNSIDE_EDITS").unwrap_or(60);
    let seed = asked("BURNSIDE_SEED").unwrap_or(7);
    for case in CASES {
        edited(case, edits, seed as u64);
    }
}

/// Edits the texts of one language.
fn edited((language, files): &Case, edits: usize, seed: u64) {
    let folder = Folder::new(&format!("lsp-random-{language}"));
    let mut random = Random::new(seed);
    let pieces = pieces(files);
    let begin: Vec<String> = files.iter().map(|(_, text)| (*text).to_owned()).collect();
    let mut texts = begin.clone();
    let mut editor = Editor::new(&folder);
    for (file, text) in *files {
        editor.open(file, language, text);
    }
    for done in 1..=edits {
        let at = random.below(files.len());
        let file = files[at].0;
        if done % BEGIN_AGAIN == 0 {
            texts[at].clone_from(&begin[at]);
            editor.change(file, ((0, 0), (99_999, 0)), &texts[at]);
        } else {
            let (range, piece) = edit(&texts[at], &pieces, &mut random);
            let places = (position(&texts[at], range.0), position(&texts[at], range.1));
            editor.change(file, places, piece);
            texts[at].replace_range(range.0..range.1, piece);
        }
        question(&mut editor, file, &mut random);
        if done % COMPARE == 0 || done == edits {
            compare(&mut editor, (language, files), &texts, &folder);
        }
    }
}

/// The kept server and a new one say the same of all texts.
fn compare(
    editor: &mut Editor,
    (language, files): (&str, &[(&str, &str)]),
    texts: &[String],
    folder: &Folder,
) {
    let mut fresh = Editor::new(folder);
    for ((file, _), text) in files.iter().zip(texts) {
        fresh.open(file, language, text);
    }
    // Everything is told anew when any text changes.
    editor.change(files[0].0, ((0, 0), (0, 0)), "");
    for (file, _) in files {
        assert_eq!(
            editor.wrong_now(file),
            fresh.wrong_now(file),
            "{file}: {texts:#?}"
        );
    }
    for (file, _) in files {
        let (kept, new) = (editor.everything(file), fresh.everything(file));
        assert_eq!(kept, new, "{file}: {texts:#?}");
    }
}

/// What is typed: words of the texts, and what may begin or end something.
fn pieces(files: &[(&'static str, &'static str)]) -> Vec<&'static str> {
    let words = files.iter().flat_map(|(_, text)| text.split_whitespace());
    let mut pieces: Vec<&str> = words.collect();
    pieces.extend([
        " ", "\n", "(", ")", "}", "{", "𝔹∪", "/*", "*/", "\"", "x", ";", "\\", "'", "", "",
    ]);
    pieces
}

/// A range of a text, and what stands there afterwards.
fn edit<'p>(text: &str, pieces: &[&'p str], random: &mut Random) -> ((usize, usize), &'p str) {
    let ends = text.char_indices().map(|(at, _)| at).chain([text.len()]);
    let ends: Vec<usize> = ends.collect();
    let first = random.below(ends.len());
    let last = (first + random.below(6)).min(ends.len() - 1);
    ((ends[first], ends[last]), random.pick(pieces))
}

/// A line and a character of a place.
fn position(text: &str, at: usize) -> (u32, u32) {
    let before = &text[..at];
    let line = before.matches('\n').count();
    let last = before.rsplit('\n').next().unwrap_or_default();
    (line as u32, last.encode_utf16().count() as u32)
}

/// Asks something, so that the text is read as it is now.
fn question(editor: &mut Editor, file: &str, random: &mut Random) {
    let at = (random.below(16) as u32, random.below(20) as u32);
    match random.below(12) {
        0 => editor.about("hover", file, Some(at)),
        1 => editor.about("definition", file, Some(at)),
        2 => editor.about("completion", file, Some(at)),
        3 => editor.about("documentHighlight", file, Some(at)),
        4 => editor.about("semanticTokens/full", file, None),
        5 => editor.about("formatting", file, None),
        6 => editor.about("foldingRange", file, None),
        7 => editor.about("documentSymbol", file, None),
        8 => editor.about("prepareRename", file, Some(at)),
        9 => editor.about("references", file, Some(at)),
        10 => {
            let uri = editor.uri(file);
            let range = json!({ "start": place((0, 0)), "end": place((99, 0)) });
            let context = json!({ "diagnostics": [] });
            let params =
                json!({ "textDocument": { "uri": uri }, "range": range, "context": context });
            editor.ask("textDocument/codeAction", params)
        }
        // Faster typing than reading.
        _ => Value::Null,
    };
}
