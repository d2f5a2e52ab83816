//! Sets and functions in parts: random machines have the states, steps and findings that they have as a whole.
//!
//! The machines put sets together from others in every way that rewriting takes apart: in guards, invariants and
//! assignments, alone, one after the other and under conditions. Nothing in them can be undefined.
//! `BURNSIDE_CASES` sets how many are tried.

use std::path::{Path, PathBuf};

use workbench::choice::{Engine, Por, Split, SymbolicOrder, Symmetry};
use workbench::plan::Options;

use crate::check;

/// Numbers that look random: an xorshift.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % bound
    }

    fn one<'t>(&mut self, of: &[&'t str]) -> &'t str {
        of[self.below(of.len())]
    }

    /// A set of left elements; `p` is a name that may stand for one.
    fn set(&mut self, depth: usize, p: &str) -> String {
        if depth == 0 || self.below(4) == 0 {
            return match self.below(9) {
                0 => format!("{{{p}}}"),
                1 => "{s1, s3}".to_owned(),
                2 => "dom(f)".to_owned(),
                3 => format!("f~[{{{}}}]", self.one(&["t1", "t2"])),
                4 => self.one(&["S", "{}"]).to_owned(),
                _ => self.one(&["a", "b"]).to_owned(),
            };
        }
        let op = self.one(&["\\/", "/\\", "-"]);
        let (left, right) = (self.set(depth - 1, p), self.set(depth - 1, p));
        format!("({left} {op} {right})")
    }

    fn predicate(&mut self, depth: usize, p: &str) -> String {
        let (left, right) = (self.set(depth, p), self.set(depth, p));
        match self.below(8) {
            0 => format!("{p} : {left}"),
            1 => format!("{p} /: {left}"),
            2 => format!("{left} <: {right}"),
            3 => format!("{left} = {right}"),
            4 => format!("{left} /\\ {right} = {{}}"),
            5 => format!("{left} /= {right}"),
            6 => format!("ran(f) {} {{t1}}", self.one(&["=", "<:"])),
            _ => format!("({p} : {left} or {p} : {right})"),
        }
    }

    fn assignment(&mut self, p: &str) -> String {
        let (set, image) = (self.set(2, p), self.one(&["t1", "t2"]));
        match self.below(8) {
            0 => format!("a := a \\/ {set}"),
            1 => format!("a := (a - {set}) \\/ {}", self.set(1, p)),
            2 => format!("b := {set}"),
            3 => format!("a, b := b - {set}, a"),
            4 => format!("f := {set} <<| f"),
            5 => format!("f := ({{{p}}} <<| f) \\/ {{{p} |-> {image}}}"),
            6 => format!("f := {set} <<| (f <+ {{{p} |-> {image}}})"),
            _ => format!("f := f - {{{p} |-> {image}}}"),
        }
    }

    fn statement(&mut self, p: &str) -> String {
        match self.below(4) {
            0 => format!("{}; {}", self.assignment(p), self.assignment(p)),
            1 => {
                let condition = self.predicate(1, p);
                let (yes, no) = (self.assignment(p), self.assignment(p));
                format!("IF {condition} THEN {yes} ELSE {no} END")
            }
            _ => self.assignment(p),
        }
    }

    fn machine(&mut self) -> String {
        let mut operations = Vec::new();
        for number in 0..3 {
            let (guard, body) = (self.predicate(2, "x"), self.statement("x"));
            operations.push(format!(
                "  move{number}(x) = SELECT x : S & {guard} THEN {body} END"
            ));
        }
        let (guard, body) = (self.predicate(2, "s2"), self.statement("s2"));
        operations.push(format!("  turn = SELECT {guard} THEN {body} END"));
        let invariant = self.predicate(2, "s1");
        format!(
            "MACHINE parts\nSETS S = {{s1, s2, s3}}; T = {{t1, t2}}\nVARIABLES a, b, f\nINVARIANT\n  a <: S & b <: S & f : S <-> T &\n  \
             ({invariant} or a = S)\nINITIALISATION a, b, f := {{s1}}, {{}}, {{s2 |-> t1}}\nOPERATIONS\n{}\nEND\n",
            operations.join(";\n")
        )
    }
}

/// Verdict, and states, transitions, or the length of the first path.
fn answers(path: &Path, options: &Options) -> (String, [Option<u64>; 3]) {
    let checked = check(path, options);
    assert_eq!(checked.bug, None, "{}", path.display());
    let report = serde_json::to_value(&checked.report).expect("a report");
    let length = report["findings"][0]["path"].as_array().map(Vec::len);
    let count = |key: &str| report["statistics"][key].as_u64();
    let verdict = report["verdict"].to_string();
    match length {
        Some(length) => (verdict, [None, None, Some(length as u64)]),
        None => (verdict, [count("states"), count("transitions"), None]),
    }
}

#[test]
fn random_machines_in_parts_are_the_machines() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR"));
    let path = folder.join(format!("parts-{}.mch", std::process::id()));
    let cases = std::env::var("BURNSIDE_CASES").ok();
    let cases: u64 = cases.and_then(|cases| cases.parse().ok()).unwrap_or(60);
    let mut violated = 0;
    for seed in 1..=cases {
        let text = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15)).machine();
        std::fs::write(&path, &text).expect("a file");
        for checks in [true, false] {
            let single = Options {
                invariant: checks,
                deadlock: checks,
                symmetry: Symmetry::Off,
                por: Por::Off,
                engine: Engine::Explicit,
                ..Options::default()
            };
            let expected = answers(&path, &single);
            violated += u64::from(expected.1[2].is_some());
            for order in [SymbolicOrder::Bfs, SymbolicOrder::Saturation] {
                if checks && order != SymbolicOrder::Bfs {
                    continue;
                }
                let sets = Options {
                    engine: Engine::Symbolic,
                    order: Some(order),
                    split: Some(Split::On),
                    count_transitions: true,
                    ..single.clone()
                };
                let found = answers(&path, &sets);
                assert_eq!(found, expected, "seed {seed}, {order:?}:\n{text}");
            }
        }
    }
    std::fs::remove_file(&path).expect("it was there");
    assert!(
        (cases / 6..cases).contains(&violated),
        "{violated} of {cases} are violated"
    );
}
