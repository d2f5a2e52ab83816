//! Random programs with interchangeable processes or scalarsets: every method of symmetry has the verdicts of plain runs, as many
//! representatives as there are orbits, and sums up to all states.
//!
//! `BURNSIDE_RANDOM` says how many programs there are of each language.

use base::Random;
use serde_json::Value;

use crate::support::Folder;

/// A program with processes: places with guarded moves between them.
pub(super) fn processes(seed: u64) -> String {
    const GUARDS: [&str; 9] = [
        "count < 2",
        "count > 0",
        "turn == _pid",
        "turn != _pid",
        "flag[_pid]",
        "!flag[_pid]",
        "level[_pid] == 1",
        "turn == 9",
        "mine == 1",
    ];
    const ACTIONS: [&str; 8] = [
        "count = (count + 1) % 3",
        "count = 0",
        "turn = _pid",
        "turn = 9",
        "flag[_pid] = 1",
        "flag[_pid] = 0",
        "level[_pid] = (level[_pid] + 1) % 3",
        "mine = 1 - mine",
    ];
    let mut random = Random::new(seed);
    let (users, places) = (2 + random.below(2), 2 + random.below(3));
    let mut body = String::new();
    for place in 0..places {
        body += &format!("L{place}:\tif\n");
        for _ in 0..1 + random.below(2) {
            let actions = [random.pick(&ACTIONS), random.pick(&ACTIONS)];
            let actions = actions[..1 + random.below(2)].join("; ");
            let step = format!("{} -> {actions}", random.pick(&GUARDS));
            let step = match random.flip() {
                true => format!("atomic {{ {step} }}"),
                false => step,
            };
            body += &format!("\t:: {step}; goto L{}\n", random.below(places));
        }
        body += "\tfi;\n";
    }
    if random.flip() {
        body += "\tassert(count < 2)\n";
    }
    // Who is first named by `turn` is told apart until somebody moves; created processes are alike from the first settled state on.
    let turn = random.pick(&["0", "9"]);
    let size = users + 1;
    let globals =
        format!("byte count; bit flag[{size}]; byte level[{size}]; byte turn = {turn};\n");
    match random.flip() {
        true => {
            format!("{globals}active [{users}] proctype user() {{\n\tbit mine;\n{body}}}\n")
        }
        false => {
            let run = vec!["run user()"; users].join("; ");
            format!(
                "{globals}proctype user() {{\n\tbit mine;\n{body}}}\ninit {{ atomic {{ {run} }} }}\n"
            )
        }
    }
}

/// A program of rules over a scalarset.
fn rules(seed: u64) -> String {
    const GUARDS: [&str; 8] = [
        "at[p] = away",
        "at[p] = trying",
        "at[p] = within",
        "count < 2",
        "isundefined(holder)",
        "!isundefined(holder) & holder = p",
        "flag[p]",
        "exists q : proc do q != p & at[q] = trying end",
    ];
    const ACTIONS: [&str; 9] = [
        "at[p] := away",
        "at[p] := trying",
        "at[p] := within",
        "count := (count + 1) % 3",
        "holder := p",
        "undefine holder",
        "flag[p] := !flag[p]",
        "for q : proc do flag[q] := false; end",
        "if !isundefined(holder) then peer[p] := holder; end",
    ];
    const INVARIANTS: [&str; 3] = [
        "count < 2",
        "forall p : proc do forall q : proc do p != q -> !(at[p] = within & at[q] = within) end end",
        "true",
    ];
    let mut random = Random::new(seed);
    let size = 2 + random.below(3);
    let rules: Vec<String> = (0..3 + random.below(3))
        .map(|number| {
            let (a, b) = (random.pick(&GUARDS), random.pick(&GUARDS));
            let (c, d) = (random.pick(&ACTIONS), random.pick(&ACTIONS));
            format!("  rule \"r{number}\" {a} & ({b} | {a}) ==> {c}; {d}; end;\n")
        })
        .collect();
    format!(
        "type proc : scalarset({size}); place : enum {{ away, trying, within }};\n\
         var at : array[proc] of place; flag : array[proc] of boolean; peer : array[proc] of proc;\n\
         count : 0..2; holder : proc;\n\
         startstate begin\n\
         \x20 for p : proc do at[p] := away; flag[p] := false; undefine peer[p]; end; undefine holder; count := 0;\n\
         end;\n\
         ruleset p : proc do\n{}end;\n\
         invariant \"kept\" {};\n",
        rules.concat(),
        random.pick(&INVARIANTS)
    )
}

/// The report of one method; `None` where it refuses the program.
fn check(
    folder: &Folder,
    file: &str,
    only: &[&str],
    (method, engine): (&str, &str),
) -> Option<Value> {
    let how = [
        "--engine",
        engine,
        "--symmetry",
        method,
        "--max-states",
        "20000",
    ];
    let por: &[&str] = match engine {
        "explicit" => &["--por", "off"],
        _ => &[],
    };
    let run = folder.run(&[&["check", "--json", file], only, &how, por].concat());
    match run.exit {
        2 => None,
        _ => Some(run.json()[0].clone()),
    }
}

/// Compares all methods on one program; says which counts were compared.
fn compare(folder: &Folder, file: &str, only: &[&str], place: &str) -> Vec<&'static str> {
    let states = |report: &Value| report["statistics"]["states"].clone();
    let found = |report: &Value| {
        let first = &report["findings"][0];
        (report["verdict"].clone(), first["kind"].clone())
    };
    let plain = check(folder, file, only, ("off", "explicit")).expect("it is checked");
    if plain["verdict"] == "open" {
        return Vec::new();
    }
    let exact = check(folder, file, only, ("exact", "explicit")).expect("it is checked");
    let mut counted = Vec::new();
    for (method, engine) in [
        ("exact", "explicit"),
        ("counters", "explicit"),
        ("counters", "symbolic"),
        ("dynamic", "symbolic"),
        ("multiple", "symbolic"),
    ] {
        let place = format!("{place} {method} {engine}");
        let Some(reduced) = check(folder, file, only, (method, engine)) else {
            assert_eq!(method, "counters", "{place}");
            continue;
        };
        assert_eq!(found(&reduced), found(&plain), "{place}");
        if plain["verdict"] != "holds" {
            continue;
        }
        let told = &reduced["reductions"]["symmetry"];
        if !told["states"].is_null() {
            assert_eq!(told["states"], states(&plain), "{place}");
            counted.push(method);
        }
        if told["precise"] == true && method != "multiple" {
            assert_eq!(states(&reduced), states(&exact), "{place}");
        }
    }
    counted
}

/// `only` gives one kind of finding for each seed, so that the least deep one is determined.
fn all_methods_agree(
    name: &str,
    file: &str,
    text: fn(u64) -> String,
    only: fn(u64) -> &'static [&'static str],
) {
    let folder = Folder::new(name);
    let count = std::env::var("BURNSIDE_RANDOM").ok();
    let count: u64 = count.and_then(|count| count.parse().ok()).unwrap_or(12);
    let mut counted = Vec::new();
    for seed in 0..count {
        folder.file(file, text(seed));
        counted.extend(compare(&folder, file, only(seed), &format!("seed {seed}")));
    }
    for method in ["exact", "counters", "dynamic"] {
        let times = counted.iter().filter(|own| **own == method).count() as u64;
        assert!(times > count / 5, "{method}: {times} of {count}");
    }
}

#[test]
fn random_processes_are_counted_alike_by_every_method() {
    all_methods_agree("check-programs", "random.pml", processes, |_| {
        &["--no-deadlock"]
    });
}

#[test]
fn random_rules_are_counted_alike_by_every_method() {
    all_methods_agree("check-rules", "random.m", rules, |seed| match seed % 3 {
        0 => &["--no-invariant"],
        _ => &["--no-deadlock"],
    });
}

/// Nobody comes back to where all are alike and `turn` is nobody's number, so of the orbit of the first state only one state is
/// reached. Counters said that it stood for three.
#[test]
fn orbits_of_a_start_that_tells_processes_apart_are_not_summed_up() {
    let folder = Folder::new("check-programs-start");
    folder.file(
        "once.pml",
        "byte turn = 0;\nactive [3] proctype user() { turn = _pid; do :: turn = 9 od }\n",
    );
    let plain = check(&folder, "once.pml", &[], ("off", "explicit")).expect("it is checked");
    for (method, engine) in [
        ("exact", "explicit"),
        ("counters", "explicit"),
        ("dynamic", "symbolic"),
    ] {
        let reduced = check(&folder, "once.pml", &[], (method, engine)).expect("it is checked");
        assert_eq!(reduced["verdict"], plain["verdict"], "{method}");
        let told = &reduced["reductions"]["symmetry"]["states"];
        assert!(told.is_null(), "{method}: {told}");
    }
}

/// Processes that end stay where they are in sets of states, so here nothing is exchanged; the report said that there was one state for
/// each orbit.
#[test]
fn columns_that_cannot_be_exchanged_are_not_reported_as_sorted() {
    let folder = Folder::new("check-programs-ends");
    folder.file(
        "ends.pml",
        "byte x, y;\nactive [2] proctype user() { byte own = 1; x = x + own; y = x }\n",
    );
    let plain = check(&folder, "ends.pml", &[], ("off", "explicit")).expect("it is checked");
    for (method, is_reduced) in [("exact", true), ("dynamic", false), ("multiple", false)] {
        let engine = if is_reduced { "explicit" } else { "symbolic" };
        let report = check(&folder, "ends.pml", &[], (method, engine)).expect("it is checked");
        assert_eq!(report["verdict"], plain["verdict"], "{method}");
        let told = &report["reductions"]["symmetry"];
        assert_eq!(told["precise"] == true, is_reduced, "{method}: {told}");
        assert_eq!(told["sorts"].is_null(), !is_reduced, "{method}: {told}");
        let states = |report: &Value| report["statistics"]["states"].clone();
        assert_eq!(states(&report) == states(&plain), !is_reduced, "{method}");
    }
}

/// Whether a state stutters was asked of the first rule once more, and the state was counted again.
#[test]
fn states_are_counted_once_when_deadlocks_are_looked_for() {
    let folder = Folder::new("check-programs-stutters");
    folder.file(
        "assumed.m",
        "type pid : scalarset(2);\n\
         var flag : array[pid] of boolean; count : 0..6;\n\
         startstate begin for p : pid do flag[p] := false; end; count := 0; end;\n\
         rule \"count\" count < 6 ==> count := count + 1; end;\n\
         ruleset p : pid do rule \"flip\" count = 0 ==> flag[p] := !flag[p]; end; end;\n\
         assume \"few\" count <= 2;\n",
    );
    for only in [&[][..], &["--no-deadlock"]] {
        let plain = check(&folder, "assumed.m", only, ("off", "explicit")).expect("it is checked");
        assert_eq!(plain["statistics"]["states"], 12);
        for engine in ["explicit", "symbolic"] {
            let report = check(&folder, "assumed.m", only, ("counters", engine));
            let report = report.expect("it is checked");
            assert_eq!(report["verdict"], plain["verdict"], "{engine} {only:?}");
            let told = &report["reductions"]["symmetry"];
            assert_eq!(told["states"], 12, "{engine} {only:?}");
        }
    }
}

/// Fairness of single instances with a method that does not follow them, and partial symmetry of programs, are refused with their
/// reasons.
#[test]
fn what_programs_do_not_have_is_named() {
    let folder = Folder::new("check-programs-refused");
    folder
        .file("random.pml", processes(1))
        .file("random.m", rules(1));
    let alone = ["--no-invariant", "--no-deadlock", "--no-assertions"];
    for (file, options, why) in [
        (
            "random.pml",
            &[
                "--symmetry",
                "canonical",
                "--ltl",
                "SEF => G F {count == 0}",
            ][..],
            "only exact follows them",
        ),
        (
            "random.pml",
            &[
                "--symmetry",
                "canonical",
                "--ltl",
                "G F {count == 0}",
                "--fair",
                "weak",
            ],
            "it is about single processes",
        ),
        (
            "random.m",
            &["--symmetry", "canonical", "--ltl", "SEF => G F {count = 0}"],
            "only exact follows them",
        ),
    ] {
        let formula = options.contains(&"--ltl");
        let alone: &[&str] = if formula { &alone } else { &[] };
        let run = folder.run(&[&["check", file], options, alone].concat());
        assert_eq!(run.exit, 2, "{options:?}: {}{}", run.out, run.err);
        assert!(run.err.contains(why), "{options:?}: {}", run.err);
    }
}

/// `peer` says of elements which other ones they know, in one value: what is counted depends on which element is which. The path to
/// a finding was looked for by counting, was not found, and the run ended as a bug.
#[test]
fn a_finding_whose_path_cannot_be_counted_is_refused_by_name() {
    let folder = Folder::new("check-programs-peer");
    folder.file(
        "peer.m",
        "type proc : scalarset(2); place : enum { away, trying };\n\
         var at : array[proc] of place; flag : array[proc] of boolean; peer : array[proc] of proc;\n\
         count : 0..2; holder : proc;\n\
         startstate begin\n\
         \x20 for p : proc do at[p] := away; flag[p] := false; undefine peer[p]; end; undefine holder; count := 0;\n\
         end;\n\
         ruleset p : proc do\n\
         \x20 rule \"take\" count < 2 ==> holder := p; flag[p] := !flag[p]; end;\n\
         \x20 rule \"try\" count < 2 ==> at[p] := trying; end;\n\
         \x20 rule \"count\" !isundefined(holder) & holder = p ==> peer[p] := holder; count := (count + 1) % 3; end;\n\
         end;\n\
         invariant \"kept\" count < 2;\n",
    );
    let run = |method: &str| {
        let how = [
            "--engine",
            "explicit",
            "--no-deadlock",
            "--symmetry",
            method,
        ];
        folder.run(&[&["check", "peer.m"], &how[..]].concat())
    };
    assert_eq!(run("exact").exit, 12);
    let counters = run("counters");
    let is_told = counters.exit == 2 && counters.err.contains("relate elements to each other");
    assert!(
        is_told || counters.exit == 12,
        "{}{}",
        counters.out,
        counters.err
    );
}
