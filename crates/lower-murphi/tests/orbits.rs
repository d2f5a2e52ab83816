//! On random programs with scalarsets the sizes of the orbits add up to the number of all states: several scalarsets at once, in
//! unions, in multisets of simple values and of records, in nested arrays and as values.
//!
//! A program is a choice among declarations and rules that keep to what is there. No fault can happen, so every search is complete.

use std::fmt::Write as _;
use std::path::Path;
use std::sync::Arc;

use base::{Name, Sources};
use lang_murphi::{check, parse};
use lower_murphi::{Options, lower};
use pins::System;
use program::Program;
use program_compile::rules::{Form, Options as Running, Rules};
use reduce::symmetry::{Method, Quotient};
use search::explicit::{Config, Limits, Quiet, explore};

/// Programs that are compared.
const PROGRAMS: u64 = 60;

/// Programs with more states say nothing new.
const MOST_STATES: u64 = 20_000;

/// Variables, with what start states do to them.
const VARIABLES: &[(&str, &str, &str)] = &[
    ("v", "P", "undefine v"),
    ("w", "Q", "w := q0"),
    ("a", "array [P] of I", "for i: P do a[i] := 0 end"),
    ("b", "array [P] of Q", "undefine b"),
    ("c", "array [Q] of P", "for i: Q do c[i] := p0 end"),
    ("u", "U", "u := ea"),
    ("d", "array [U] of I", "for i: U do d[i] := 0 end"),
    ("e", "array [Q] of U", "undefine e"),
    ("r", "R", "undefine r"),
    (
        "g",
        "array [P] of array [Q] of boolean",
        "for i: P do for j: Q do g[i][j] := false end end",
    ),
    ("m", "multiset [2] of P", "undefine m"),
    ("n", "multiset [2] of R", "undefine n"),
    ("o", "multiset [3] of U", "undefine o"),
];

/// Rules: the variables they need, and their text inside of a ruleset with p, p2 of P and q of Q.
const RULES: &[(&str, &str)] = &[
    ("v", "rule isundefined(v) ==> v := p end"),
    ("v", "rule v = p ==> undefine v end"),
    ("vc", "rule c[q] != p & v = p ==> c[q] := v end"),
    ("w", "rule w != q ==> w := q end"),
    ("a", "rule a[p] = 0 ==> a[p] := 1 end"),
    ("a", "rule forall i: P do a[i] = 1 end ==> a[p] := 0 end"),
    ("av", "rule v = p2 & p != p2 ==> a[p] := 1 - a[v] end"),
    ("b", "rule b[p] != q ==> b[p] := q end"),
    (
        "b",
        "rule exists i: P do i != p & b[i] = q end ==> undefine b[p] end",
    ),
    ("bg", "rule b[p] = q ==> g[p][b[p]] := !g[p][q] end"),
    ("cw", "rule c[w] = p & p != p2 ==> c[w] := p2 end"),
    ("c", "rule forall i: Q do c[i] = p end ==> c[q] := p2 end"),
    ("u", "rule u = ea ==> u := p end"),
    ("u", "rule ismember(u, P) & u = p ==> u := eb end"),
    ("ud", "rule u = p ==> d[u] := 1 end"),
    (
        "d",
        "rule d[p] = 1 & d[p2] = 1 & p != p2 ==> d[eb] := 1 end",
    ),
    ("d", "rule d[eb] = 0 ==> d[p] := 1 - d[p] end"),
    ("e", "rule e[q] = ea ==> e[q] := p end"),
    ("e", "rule isundefined(e[q]) ==> e[q] := ea end"),
    ("r", "rule isundefined(r.p) ==> r.p := p; r.f := 0 end"),
    ("rv", "rule r.p = p ==> v := r.p; r.f := 1 end"),
    ("g", "rule g[p][q] = false ==> g[p][q] := true end"),
    (
        "gw",
        "rule forall i: P do g[i][q] end ==> for i: P do g[i][w] := false end end",
    ),
    (
        "m",
        "rule multisetcount(i: m, true) < 2 ==> multisetadd(p, m) end",
    ),
    (
        "m",
        "rule multisetcount(i: m, m[i] = p) = 2 ==> multisetremovepred(i: m, m[i] = p) end",
    ),
    (
        "ma",
        "choose i: m do rule a[m[i]] = 0 ==> a[m[i]] := 1; multisetremove(i, m) end end",
    ),
    (
        "nr",
        "rule r.p = p & multisetcount(i: n, true) < 2 ==> multisetadd(r, n) end",
    ),
    (
        "n",
        "rule multisetcount(i: n, true) = 0 ==> var x: R; begin x.p := p; x.f := 1; multisetadd(x, n) end",
    ),
    (
        "nv",
        "choose i: n do rule n[i].f = 1 ==> v := n[i].p; multisetremove(i, n) end end",
    ),
    (
        "o",
        "rule multisetcount(i: o, true) < 2 ==> multisetadd(p, o) end",
    ),
    (
        "o",
        "rule multisetcount(i: o, true) < 3 ==> multisetadd(eb, o) end",
    ),
    (
        "ou",
        "choose i: o do rule u = ea ==> u := o[i]; multisetremove(i, o) end end",
    ),
];

/// Unions: members of P and of the enumeration are in all of them.
const UNIONS: &[&str] = &["P, E", "E, P", "P, Q, E", "P, enum {x1}, E"];

/// Numbers that look random (SplitMix64).
struct Dice(u64);

impl Dice {
    fn below(&mut self, count: usize) -> usize {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = (self.0 ^ self.0 >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ mixed >> 31) % count as u64) as usize
    }
}

/// A program.
fn text(seed: u64) -> String {
    let mut dice = Dice(seed);
    let mut text = format!(
        "type P: scalarset({}); Q: scalarset({}); E: enum {{ea, eb}}; I: 0..1;\n  U: union {{{}}};\n  R: record p: P; f: I end;\n",
        2 + dice.below(2),
        2 + dice.below(2),
        UNIONS[dice.below(UNIONS.len())],
    );
    let mut names = String::new();
    while names.len() < 4 {
        let (name, ty, _) = VARIABLES[dice.below(VARIABLES.len())];
        if !names.contains(name) {
            names.push_str(name);
            let _ = writeln!(text, "var {name}: {ty};");
        }
    }
    let fits = |needed: &str| needed.chars().all(|name| names.contains(name));
    let possible: Vec<&str> = RULES
        .iter()
        .filter(|(needed, _)| fits(needed))
        .map(|(_, rule)| *rule)
        .collect();
    text.push_str("ruleset p: P; p2: P; q: Q do\n");
    for rule in &possible {
        if dice.below(5) > 0 {
            let _ = writeln!(text, "  {rule};");
        }
    }
    text.push_str("end;\nruleset p0: P; q0: Q do startstate begin\n");
    for (name, _, start) in VARIABLES {
        if names.contains(name) {
            let _ = writeln!(text, "  {start};");
        }
    }
    text.push_str("end end;\n");
    text
}

fn program(text: &str) -> Program {
    let file = Sources::new().add(Path::new("random.m"), text.to_owned());
    let parsed = parse::program(file, text);
    let checked = check::program(text, &parsed.tree);
    let is_wrong = parsed.diagnostics.has_errors() || checked.diagnostics.has_errors();
    assert!(!is_wrong, "{:?} in\n{text}", checked.diagnostics);
    lower(
        Name::new("random"),
        &parsed.tree,
        &checked,
        Options::default(),
    )
}

fn states(system: &dyn System) -> u64 {
    let config = Config {
        keep_paths: false,
        limits: Limits {
            max_states: Some(MOST_STATES),
            ..Limits::default()
        },
        ..Config::default()
    };
    let outcome = explore(system, &config, &Quiet).expect("nothing is refused");
    assert!(outcome.findings.is_empty(), "{:?}", outcome.findings);
    outcome.statistics.states
}

#[test]
fn orbit_sizes_add_up_to_all_states() {
    orbit_sizes_add_up(0..PROGRAMS / 2);
}

#[test]
fn orbit_sizes_of_further_programs_add_up_to_all_states() {
    orbit_sizes_add_up(PROGRAMS / 2..PROGRAMS);
}

fn orbit_sizes_add_up(seeds: std::ops::Range<u64>) {
    let programs = seeds.end - seeds.start;
    let (mut compared, mut reduced) = (0, 0);
    for seed in seeds {
        let text = text(seed);
        let program = Arc::new(program(&text));
        let all = states(&Rules::new(program.clone(), Running::default()));
        if all >= MOST_STATES {
            continue;
        }
        let running = Running {
            form: Form::Families,
            ..Running::default()
        };
        let rules = Rules::new(program, running);
        compared += 1;
        for method in [Method::Exact, Method::Canonical] {
            let quotient = Quotient::new(&rules, method.clone()).expect("there are scalarsets");
            let orbits = states(&quotient);
            let measured = quotient.measure().states;
            assert_eq!(
                measured,
                Some(u128::from(all)),
                "seed {seed}, {method:?}: {orbits} orbits of\n{text}"
            );
            reduced += u64::from(orbits < all);
        }
    }
    assert!(
        compared > programs / 2 && reduced > compared / 2,
        "{compared} programs compared, {reduced} searches reduced"
    );
}
