//! Broken texts never panic: what people have on their screens while they type is read, checked and printed, or refused.
//! `BURNSIDE_FUZZ=N` tries N texts.

use std::fs;
use std::path::Path;

use base::Sources;
use lang_z::print::{Markup, specification};

/// Numbers that depend on a seed only.
struct Dice(u64);

impl Dice {
    fn below(&mut self, most: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % most.max(1)
    }
}

/// What is put into texts.
const PIECES: &[&str] = &[
    "\\begin{schema}{S}",
    "\\end{schema}",
    "\\begin{zed}",
    "\\end{zed}",
    "\\where",
    "\\\\",
    "\\forall x : S @ ",
    "\\exists_1 S | true @ ",
    "\\theta S'",
    "\\mu x : \\nat | ",
    "\\LET x == 1 @ ",
    "\\IF 1 = 1 \\THEN ",
    "\\ldata \\nat \\rdata",
    "\\lblot a == 1 \\rblot",
    "\\pre S \\semi T \\hide (x) \\project S",
    "S[a/b, c/d]",
    "_1",
    "'",
    "?",
    "!",
    "{",
    "}",
    "(",
    ")",
    "[",
    "]",
    "::=",
    "==",
    "\\defs",
    "%%inop * 7",
    "%%Zword \\foo foo",
    "\\relation (\\_ foo \\_)",
    "┌ S\n",
    "└\n",
    "↘1↖",
    "\u{0}",
    "é",
    "\\power_1",
    "\\upto",
    "1.2.3",
    ".",
];

fn seeds() -> Vec<String> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let folders = ["tests/z/check", "tests/z/syntax", "tests/z/types"];
    let mut seeds = Vec::new();
    for folder in folders {
        let mut paths: Vec<_> = fs::read_dir(root.join(folder))
            .expect("a folder of specifications")
            .flatten()
            .map(|entry| entry.path())
            .collect();
        paths.sort();
        seeds.extend(
            paths
                .iter()
                .filter_map(|path| fs::read_to_string(path).ok()),
        );
    }
    seeds
}

/// The nearest place at or before a number of bytes where a character begins.
fn place(text: &str, mut at: usize) -> usize {
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

fn broken(seeds: &[String], dice: &mut Dice) -> String {
    let mut text = seeds[dice.below(seeds.len())].clone();
    for _ in 0..=dice.below(4) {
        let from = place(&text, dice.below(text.len() + 1));
        match dice.below(4) {
            0 => text.insert_str(from, PIECES[dice.below(PIECES.len())]),
            1 => {
                let to = place(&text, (from + dice.below(40)).min(text.len()));
                text.replace_range(from..to.max(from), "");
            }
            2 => text.truncate(from),
            _ => {
                let other = &seeds[dice.below(seeds.len())];
                let start = place(other, dice.below(other.len() + 1));
                let end = place(other, (start + dice.below(120)).min(other.len()));
                text.insert_str(from, &other[start..end.max(start)]);
            }
        }
    }
    text
}

#[test]
fn broken_texts_never_panic() {
    let count = std::env::var("BURNSIDE_FUZZ").ok();
    let count: u64 = count.and_then(|count| count.parse().ok()).unwrap_or(400);
    let seeds = seeds();
    for number in 1..=count {
        let mut dice = Dice(number.wrapping_mul(0x9E37_79B9_7F4A_7C15) | 1);
        let text = broken(&seeds, &mut dice);
        let attempt = std::panic::catch_unwind(|| {
            let mut sources = Sources::new();
            let file = sources.add(Path::new("broken.tex"), text.clone());
            let checked = lang_z::check_text(file, &mut sources);
            if !checked.diagnostics.has_errors() {
                let _ = specification(&checked, Markup::Latex);
                let _ = specification(&checked, Markup::Unicode);
            }
        });
        assert!(attempt.is_ok(), "text {number} panics:\n{text}");
    }
}
