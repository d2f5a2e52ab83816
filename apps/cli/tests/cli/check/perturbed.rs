//! Random machines that are symmetric, and the same with places that name elements: every method of symmetry has the verdicts and the
//! shortest paths of plain runs, and counts what it says that it counts.
//!
//! `BURNSIDE_RANDOM` says how many machines there are.

use base::Random;
use serde_json::Value;

use crate::support::Folder;

const NAMED: [&str; 2] = ["p1", "p2"];
const PLACES: [&str; 3] = ["away", "trying", "inside"];

/// Writes a machine.
struct Writer {
    random: Random,
    /// How many texts still name an element.
    names: usize,
}

impl Writer {
    /// The element that an operation is about, by its parameter or, where the machine is perturbed, by its name.
    fn element(&mut self) -> &'static str {
        if self.names > 0 && self.random.below(4) == 0 {
            self.names -= 1;
            return self.random.pick(&NAMED);
        }
        "p"
    }

    fn guard(&mut self) -> String {
        let place = self.random.pick(&PLACES);
        let element = self.element();
        match self.random.below(9) {
            0 => format!("{element} : chosen"),
            1 => format!("{element} /: chosen"),
            2 => "count < 2".to_owned(),
            3 => "card(chosen) < 2".to_owned(),
            4 => format!("{place} /: ran(at)"),
            5 => "holder = {}".to_owned(),
            6 => format!("{element} : holder"),
            _ => format!("at({element}) = {place}"),
        }
    }

    fn action(&mut self, variable: usize) -> String {
        let place = self.random.pick(&PLACES);
        let element = self.element();
        match (variable, self.random.below(4)) {
            (0, 0) => format!("at := at <+ chosen * {{{place}}}"),
            (0, _) => format!("at({element}) := {place}"),
            (1, 0) => format!("chosen := chosen - {{{element}}}"),
            (1, 1) => "chosen := {}".to_owned(),
            (1, _) => format!("chosen := chosen \\/ {{{element}}}"),
            (2, 0) => "count := 0".to_owned(),
            (2, _) => "count := (count + 1) mod 3".to_owned(),
            (_, 0) => "holder := {}".to_owned(),
            (_, _) => format!("holder := {{{element}}}"),
        }
    }

    fn operation(&mut self, number: usize) -> String {
        let guards: Vec<String> = (0..1 + self.random.below(2))
            .map(|_| self.guard())
            .collect();
        let first = self.random.below(4);
        let mut actions = vec![self.action(first)];
        if self.random.flip() {
            let other = (first + 1 + self.random.below(3)) % 4;
            actions.push(self.action(other));
        }
        format!(
            "  op{number}(p) = SELECT p : Proc & {} THEN {} END",
            guards.join(" & "),
            actions.join(" || ")
        )
    }

    fn machine(&mut self) -> String {
        let size = 3 + self.random.below(2);
        let elements: Vec<String> = (1..=size).map(|at| format!("p{at}")).collect();
        let unwanted: Vec<String> = (0..2 + self.random.below(2))
            .map(|_| {
                let place = self.random.pick(&PLACES);
                match self.random.below(5) {
                    0 => "chosen = Proc".to_owned(),
                    1 => "count = 2".to_owned(),
                    2 => format!("card(at~[{{{place}}}]) = 2"),
                    3 => "holder <: chosen".to_owned(),
                    _ => format!("{place} : ran(at)"),
                }
            })
            .collect();
        let operations: Vec<String> = (0..3 + self.random.below(3))
            .map(|number| self.operation(number))
            .collect();
        format!(
            "MACHINE Random\n\
             SETS Proc = {{{}}}; Place = {{away, trying, inside}}\n\
             VARIABLES at, chosen, count, holder\n\
             INVARIANT at : Proc --> Place & chosen <: Proc & count : 0..2 & holder <: Proc & not ({})\n\
             INITIALISATION at := Proc * {{away}} || chosen := {{}} || count := 0 || holder := {{}}\n\
             OPERATIONS\n{}\nEND\n",
            elements.join(", "),
            unwanted.join(" & "),
            operations.join(";\n")
        )
    }
}

/// The machines of a seed: symmetric, or with one to three places that name elements.
pub(super) fn machine(seed: u64, is_perturbed: bool) -> String {
    let mut writer = Writer {
        random: Random::new(seed),
        names: if is_perturbed {
            1 + seed as usize % 3
        } else {
            0
        },
    };
    writer.machine()
}

fn machines() -> u64 {
    let count = std::env::var("BURNSIDE_RANDOM").ok();
    count.and_then(|count| count.parse().ok()).unwrap_or(12)
}

/// The report of one method; `None` where it refuses the machine.
fn check(folder: &Folder, seed: u64, options: &[&str]) -> Option<Value> {
    // One kind of finding each, so that the least deep one is determined.
    let only = match seed % 3 {
        0 => "--no-invariant",
        _ => "--no-deadlock",
    };
    let run = folder.run(&[&["check", "--json", "Random.mch", only], options].concat());
    match run.exit {
        2 => None,
        0 | 11 | 12 => Some(run.json()[0].clone()),
        _ => panic!("seed {seed} {options:?}: {}{}", run.out, run.err),
    }
}

const PLAIN: [&str; 6] = ["--engine", "explicit", "--symmetry", "off", "--por", "off"];

fn finding(report: &Value) -> (&Value, &Value, Option<usize>) {
    let first = &report["findings"][0];
    let steps = first["path"].as_array().map(Vec::len);
    (&report["verdict"], &first["kind"], steps)
}

#[test]
fn perturbed_machines_have_the_verdicts_of_plain_runs() {
    let folder = Folder::new("check-perturbed");
    let (mut violated, mut fewer) = (0, 0);
    for seed in 0..machines() {
        folder.file("Random.mch", machine(seed, true));
        let plain = check(&folder, seed, &PLAIN).expect("it is checked");
        for (method, engine) in [
            ("adaptive", "explicit"),
            ("exact", "explicit"),
            ("dynamic", "symbolic"),
            ("multiple", "symbolic"),
            ("counters", "explicit"),
        ] {
            let options = ["--engine", engine, "--symmetry", method];
            let Some(reduced) = check(&folder, seed, &options) else {
                assert_eq!(method, "counters", "seed {seed}");
                continue;
            };
            assert_eq!(finding(&reduced), finding(&plain), "seed {seed} {method}");
            if method == "adaptive" && plain["verdict"] == "holds" {
                let [few, all] = [&reduced, &plain].map(|r| r["statistics"]["states"].as_u64());
                fewer += u64::from(few < all);
            }
        }
        violated += u64::from(plain["verdict"] == "violated");
    }
    let count = machines();
    assert!(violated > 0 && violated < count, "{violated} of {count}");
    assert!(fewer > count / 10, "{fewer} of {count}");
}

#[test]
fn symmetric_machines_are_counted_alike_by_every_method() {
    let folder = Folder::new("check-alike");
    let mut counted = 0;
    for seed in 0..machines() {
        folder.file("Random.mch", machine(seed, false));
        let plain = check(&folder, seed, &PLAIN).expect("it is checked");
        let exact = [
            "--engine",
            "explicit",
            "--symmetry",
            "exact",
            "--por",
            "off",
        ];
        let exact = check(&folder, seed, &exact).expect("it is checked");
        for (method, engine) in [
            ("exact", "explicit"),
            ("adaptive", "explicit"),
            ("dynamic", "symbolic"),
            ("multiple", "symbolic"),
            ("counters", "explicit"),
            ("counters", "symbolic"),
        ] {
            let place = format!("seed {seed} {method} {engine}");
            let options = ["--engine", engine, "--symmetry", method];
            let Some(reduced) = check(&folder, seed, &options) else {
                assert_eq!(method, "counters", "{place}");
                continue;
            };
            let (verdict, kind, steps) = finding(&plain);
            let found = finding(&reduced);
            assert_eq!((found.0, found.1), (verdict, kind), "{place}");
            if (method, engine) != ("counters", "symbolic") {
                assert_eq!(found.2, steps, "{place}");
            }
            let told = &reduced["reductions"]["symmetry"];
            if plain["verdict"] == "holds" && told["precise"] == true && method != "adaptive" {
                let states = |report: &Value| report["statistics"]["states"].clone();
                assert_eq!(states(&reduced), states(&exact), "{place}");
                assert_eq!(told["states"], states(&plain), "{place}");
                counted += 1;
            }
        }
    }
    assert!(counted > machines() / 4, "{counted}");
}

/// Processes beside a clock; when it strikes, and only then, one of them may enter beside others.
fn privileged(strokes: u32, is_privileged: bool) -> String {
    let entering = match is_privileged {
        true => format!(
            ";\n  Hurry = SELECT at(p1) = trying & inside : ran(at) & clock < {strokes} THEN at(p1) := inside END"
        ),
        false => String::new(),
    };
    format!(
        "MACHINE Privileged\n\
         SETS Proc = {{p1, p2, p3, p4, p5, p6}}; Place = {{away, trying, inside}}\n\
         VARIABLES at, clock\n\
         INVARIANT at : Proc --> Place & clock : 0..11 & card(at~[{{inside}}]) <= 2\n\
         INITIALISATION at := Proc * {{away}} || clock := 0\n\
         OPERATIONS\n\
         \x20 Try(p) = SELECT p : Proc & at(p) = away THEN at(p) := trying END;\n\
         \x20 Enter(p) = SELECT p : Proc & at(p) = trying & inside /: ran(at) THEN at(p) := inside END;\n\
         \x20 Leave(p) = SELECT p : Proc & at(p) = inside THEN at(p) := away END;\n\
         \x20 Tick = BEGIN clock := (clock + 1) mod 12 END{entering}\n\
         END\n"
    )
}

#[test]
fn few_asymmetric_steps_leave_most_of_the_symmetry() {
    let folder = Folder::new("check-privileged");
    let run = |options: &[&str]| {
        let all = [&["check", "--json", "Privileged.mch"], options].concat();
        folder.run(&all).json()[0].clone()
    };
    let states = |report: &Value| report["statistics"]["states"].as_u64().expect("a number");
    folder.file("Privileged.mch", privileged(0, false));
    let symmetric = states(&run(&["--symmetry", "exact", "--engine", "explicit"]));
    for (strokes, percent) in [(3, 1.0), (5, 2.0), (12, 5.0)] {
        folder.file("Privileged.mch", privileged(strokes, true));
        let plain = run(&PLAIN);
        let adaptive = run(&["--symmetry", "adaptive"]);
        assert_eq!(plain["verdict"], "holds");
        assert_eq!(adaptive["verdict"], "holds");
        let share = share_of(&plain, "Hurry");
        println!(
            "{strokes}: {share:.2} % asymmetric, {symmetric} {} {}",
            states(&adaptive),
            states(&plain)
        );
        assert!(
            (share - percent).abs() < 0.7,
            "{strokes} strokes: {share} %"
        );
        assert!(symmetric <= states(&adaptive) && states(&adaptive) < states(&plain));
    }
}

/// How many per cent of the transitions are those of an operation.
fn share_of(report: &Value, name: &str) -> f64 {
    let count = |operation: &Value| operation["transitions"].as_u64().unwrap_or(0) as f64;
    let operations = report["operations"].as_array().expect("operations");
    let all: f64 = operations.iter().map(count).sum();
    let own = operations.iter().filter(|o| o["name"] == name).map(count);
    100.0 * own.sum::<f64>() / all
}

/// The series of the survey's figures 10 and 11: processes, writers, all states, abstract states.
#[test]
fn readers_and_writers_have_the_published_counts() {
    let folder = Folder::new("check-readers");
    for (processes, writers, all, few) in [
        (3, 1, 22, 9),
        (4, 1, 62, 15),
        (5, 1, 178, 23),
        (5, 2, 140, 20),
        (6, 2, 388, 31),
        (8, 2, 3172, 62),
    ] {
        let names: Vec<String> = (1..=processes).map(|at| format!("p{at}")).collect();
        let writing = names[..writers].join(", ");
        let text = format!(
            "MACHINE Readers\n\
             SETS Proc = {{{}}}; Place = {{away, trying, critical}}\n\
             VARIABLES at\n\
             INVARIANT at : Proc --> Place\n\
             INITIALISATION at := Proc * {{away}}\n\
             OPERATIONS\n\
             \x20 Try(p) = SELECT p : Proc & at(p) = away THEN at(p) := trying END;\n\
             \x20 Enter(p) = SELECT p : Proc & at(p) = trying & critical /: ran(at) THEN at(p) := critical END;\n\
             \x20 Share(p) = SELECT p : Proc - {{{writing}}} & at(p) = trying & critical /: at[{{{writing}}}] THEN at(p) := critical END;\n\
             \x20 Leave(p) = SELECT p : Proc & at(p) = critical THEN at(p) := away END\n\
             END\n",
            names.join(", ")
        );
        folder.file("Readers.mch", &text);
        for (options, states) in [(&PLAIN[..], all), (&["--symmetry", "adaptive"][..], few)] {
            let run = folder.run(&[&["check", "--json", "Readers.mch"], options].concat());
            let report = run.json()[0].clone();
            assert_eq!(report["verdict"], "holds", "{processes} {writers}");
            let found = report["statistics"]["states"].as_u64();
            assert_eq!(found, Some(states), "{processes} {writers} {options:?}");
        }
    }
}
