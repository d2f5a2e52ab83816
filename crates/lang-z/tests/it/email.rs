//! The e-mail markup says what the other markups say.

use std::path::{Path, PathBuf};

use base::Sources;
use lang_z::print::{Markup, same, specification};
use lang_z::{Checked, Dialect};

/// Symbols of the Unicode markup with their e-mail spellings.
const SPELLINGS: &[(&str, &str)] = &[
    ("⦁", "@"),
    ("∈", "%e"),
    ("∧", "/\\"),
    ("∨", "\\/"),
    ("⇒", "=>"),
    ("⇔", "<=>"),
    ("¬", "-."),
    ("∀", "%A"),
    ("∃", "%E"),
    ("×", "%x"),
    ("ℙ", "%P"),
    ("𝔽", "%F"),
    ("ℕ", "%N"),
    ("ℤ", "%Z"),
    ("⟨", "%<"),
    ("⟩", "%>"),
    ("⟪", "<<"),
    ("⟫", ">>"),
    ("⦇", "(|"),
    ("⦈", "|)"),
    ("⦉", "<|"),
    ("⦊", "|>"),
    ("⧹", "%\\"),
    ("⨡", "%|\\"),
    ("⨠", "%>>"),
    ("⊢?", "|-?"),
    ("∅", "(/)"),
    ("≠", "/="),
    ("∉", "%/e"),
    ("⊆", "%c_"),
    ("⊂", "%c"),
    ("∪", "%u"),
    ("∩", "%n"),
    ("∖", "\\"),
    ("⊖", "(-)"),
    ("⋃", "%uu"),
    ("⋂", "%nn"),
    ("↔", "<-->"),
    ("↦", "|-->"),
    ("∘", "%o"),
    ("◁", "<:"),
    ("▷", ":>"),
    ("⩤", "<-:"),
    ("⩥", ":->"),
    ("∼", "~"),
    ("⊕", "(+)"),
    ("⇸", "-|->"),
    ("→", "-->"),
    ("⤔", ">-|->"),
    ("↣", ">-->"),
    ("⤀", "-|->>"),
    ("↠", "-->>"),
    ("⤖", ">-->>"),
    ("⇻", "-||->"),
    ("⤕", ">-||->"),
    ("≤", "<="),
    ("≥", ">="),
    ("⁀/", "^/"),
    ("⁀", "^"),
    ("↿", "/|"),
    ("↾", "|\\"),
    // Symbols without a drawing have the names of their LaTeX commands.
    ("≙", "%defs"),
    ("λ", "%lambda"),
    ("μ", "%mu"),
    ("θ", "%theta"),
    ("⟦", "%lbag"),
    ("⟧", "%rbag"),
    ("⨟", "%semi"),
    ("⨾", "%comp"),
    ("⊎", "%uplus"),
    ("⩁", "%uminus"),
    ("♯", "%bcount"),
    ("⊗", "%otimes"),
    ("⋿", "%inbag"),
    ("⊑", "%subbageq"),
    ("𝔸", "%arithmos"),
    ("⋆", "%star"),
    ("⁺", "%plus"),
];

/// Letters and marks that touch their neighbours.
const MARKS: &[(&str, &str)] = &[
    ("Δ", "%Delta "),
    ("Ξ", "%Xi "),
    ("Φ", "%Phi "),
    ("′", "'"),
    ("↘", "\\v"),
    ("↗", "/^"),
    ("↖", "^\\"),
];

/// A text in Unicode markup, in e-mail markup.
fn mailed(unicode: &str) -> String {
    let mut out = String::new();
    let mut end = "";
    for line in unicode.lines() {
        let first = line.chars().next().unwrap_or(' ');
        let rest = line.trim_start_matches(['─', '┌', '╷', '═']).trim();
        let begin = match (first, line.contains('═')) {
            ('─', _) => Some(("%%Z\n".to_owned() + rest, "%%")),
            ('┌', _) => Some((format!("+-- {rest} ---"), "---")),
            ('╷', true) => Some((format!("+== {rest} ==="), "-==")),
            ('╷', false) => Some(("+..".to_owned(), "-..")),
            _ => None,
        };
        let line = match begin {
            Some((begin, close)) => {
                end = close;
                begin
            }
            None if first == '└' => std::mem::take(&mut end).to_owned(),
            None if line == "|" => "|--".to_owned(),
            None if !matches!(end, "" | "%%") => format!("| {line}"),
            None => line.to_owned(),
        };
        let mut line = line;
        for (symbol, spelling) in SPELLINGS {
            line = line.replace(symbol, &format!(" {spelling} "));
        }
        for (mark, spelling) in MARKS {
            line = line.replace(mark, spelling);
        }
        // A subscript of a symbol stands beside it.
        line = line.replace(" \\v1^\\", "_1");
        out.push_str(&line);
        out.push('\n');
    }
    out
}

fn read(path: &Path, text: String, sources: &mut Sources) -> Checked {
    let file = sources.add(path.to_owned(), text);
    lang_z::check_text(file, sources)
}

#[test]
fn specifications_say_the_same_in_latex_unicode_and_e_mail() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let own = ["tests/z/check", "examples/z"].map(|folder| (root.join(folder), 1));
    let mut folders = own.to_vec();
    let shared = root.join("../shared/oracle/z/specs");
    if shared.is_dir() {
        // A fixed third of them keeps the test short.
        folders.push((shared, 3));
    } else {
        println!("skipped in part: there is no folder ../shared");
    }
    let mut wrong = Vec::new();
    let mut read_so_far = 0;
    for (folder, stride) in folders {
        let entries = std::fs::read_dir(&folder).expect("a folder").flatten();
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
        paths.sort();
        for path in paths.into_iter().step_by(stride) {
            let mut sources = Sources::new();
            let checked = lang_z::check_file(&path, &mut sources);
            if checked.dialect == Dialect::Email {
                continue;
            }
            let unicode = specification(&checked, Markup::Unicode);
            let again = read(&path, mailed(&unicode), &mut sources);
            read_so_far += 1;
            if again.dialect != Dialect::Email
                || again.diagnostics.has_errors()
                || !same(&checked, &again)
            {
                let first = again.diagnostics.iter().next();
                let line = first.and_then(|d| d.primary.as_ref()).map(|label| {
                    let text = sources.text(label.span.file);
                    let number = sources.position(label.span.file, label.span.start).line;
                    text.lines()
                        .nth(number as usize - 1)
                        .unwrap_or("")
                        .to_owned()
                });
                let first = first.map(|d| d.message.clone());
                wrong.push(format!("{}: {first:?} in {line:?}", path.display()));
            }
        }
    }
    assert!(read_so_far >= 10, "{read_so_far} were read");
    assert!(
        wrong.is_empty(),
        "{} of {read_so_far}: {wrong:#?}",
        wrong.len()
    );
}

fn messages(text: &str) -> Vec<(&'static str, String)> {
    let mut sources = Sources::new();
    let checked = read(Path::new("letter.zed"), text.to_owned(), &mut sources);
    assert_eq!(checked.dialect, Dialect::Email);
    let found = checked.diagnostics.iter();
    found.map(|d| (d.code.id, d.message.clone())).collect()
}

#[test]
fn what_can_be_read_in_two_ways_is_refused() {
    let found = messages("%%Z\nx == { n : %N | n <=>= 1 }\n%%\n");
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!(found[0].0, "Z0101");
    assert!(found[0].1.contains("`<=>=`"), "{found:?}");
    let found = messages("+-- S ---\n| n : %N\nand so on\n");
    assert_eq!(found[0].0, "Z0107", "{found:?}");
    let found = messages("+-- S ---\n| n : %N\n");
    assert_eq!(found[0].0, "Z0102", "{found:?}");
}

#[test]
fn a_drawing_is_no_box() {
    let mut sources = Sources::new();
    let drawing = "+-----+    +--- a\n| box |--- |\n+-----+    +---\n".to_owned();
    let checked = read(Path::new("letter.zed"), drawing, &mut sources);
    assert_eq!(checked.dialect, Dialect::Fuzz);
    assert!(!checked.diagnostics.has_errors());
}
