//! Fairness of processes and of their steps on representatives: verdicts are those of the unreduced program.
//!
//! `BURNSIDE_RANDOM` says how many formulas there are.

use base::Random;
use serde_json::Value;

use super::programs::processes;
use crate::support::{Folder, Run};

/// A formula about what random programs share, and what is assumed of paths.
fn formula(random: &mut Random) -> (String, &'static str) {
    const ATOMS: [&str; 7] = [
        "{count == 0}",
        "{count == 1}",
        "{turn == 9}",
        "{flag[0] || flag[1]}",
        "{count > 0 && turn != 9}",
        "{level[0] + level[1] == 2}",
        "{flag[1] && count == 1}",
    ];
    let (a, b) = (random.pick(&ATOMS), random.pick(&ATOMS));
    let body = match random.below(7) {
        0 => format!("G F {a}"),
        1 => format!("F G {a}"),
        2 => format!("F {a}"),
        3 => format!("G ({a} => F {b})"),
        4 => format!("(G F {a}) => (G F {b})"),
        5 => format!("{a} U {b}"),
        _ => format!("G ({a} => X {b})"),
    };
    let premise = random.pick(&["", "WEF => ", "SEF => "]);
    let fair = match premise {
        "" => random.pick(&["weak", "strong"]),
        _ => random.pick(&["none", "none", "weak", "strong"]),
    };
    (format!("{premise}({body})"), fair)
}

fn check(folder: &Folder, file: &str, formula: &str, (symmetry, fair): (&str, &str)) -> Run {
    let alone = ["--no-invariant", "--no-deadlock", "--no-assertions"];
    let asked = [
        "--ltl",
        formula,
        "--symmetry",
        symmetry,
        "--fair",
        fair,
        "--por",
        "off",
    ];
    folder.run(&[&["check", "--json", file], &alone[..], &asked[..]].concat())
}

#[test]
fn random_programs_have_the_fair_cycles_of_plain_runs() {
    let folder = Folder::new("check-followed");
    let count = std::env::var("BURNSIDE_RANDOM").ok();
    let count: u64 = count.and_then(|count| count.parse().ok()).unwrap_or(40);
    let (mut violated, mut fewer, mut unwound) = (0, 0, 0);
    for seed in 0..count {
        folder.file("random.pml", processes(seed));
        let (formula, fair) = formula(&mut Random::new(seed + 7));
        let place = format!("seed {seed}: {formula} --fair {fair}");
        let [plain, exact] = ["off", "exact"].map(|symmetry| {
            let run = check(&folder, "random.pml", &formula, (symmetry, fair));
            assert!(
                [0, 12, 13].contains(&run.exit),
                "{place} {symmetry}: {}{}",
                run.out,
                run.err
            );
            run.json()[0].clone()
        });
        assert_eq!(plain["verdict"], exact["verdict"], "{place}");
        violated += u64::from(plain["verdict"] == "violated");
        let [all, few] = [&plain, &exact].map(states);
        fewer += u64::from(few < all);
        unwound += u64::from(is_unwound(&exact));
    }
    println!("{violated} violated, {unwound} of them by a cycle that was unwound");
    assert!(
        violated > count / 10 && violated < count,
        "{violated} of {count}"
    );
    assert!(fewer > count / 10, "{fewer} of {count}");
    assert!(unwound > count / 20, "{unwound} of {count}");
}

/// Whether a fair cycle of representatives was turned into one of the unreduced program.
pub(super) fn is_unwound(report: &Value) -> bool {
    let because = &report["reductions"]["symmetry"]["because"];
    because
        .as_str()
        .is_some_and(|because| because.contains("unwound"))
}

fn states(report: &Value) -> u64 {
    report["statistics"]["states"].as_u64().expect("a number")
}

/// Two who take turns by an array of places: each of them moves again and again only if both are fairly treated.
const TURNS: &str = "\
byte inside; bit wants[3]; byte served;
active [3] proctype user() {
    do
    :: wants[_pid] = 1;
       atomic { inside == 0 -> inside = 1 };
       served = 1 - served;
       inside = 0; wants[_pid] = 0
    od
}
";

#[test]
fn who_never_moves_is_found_on_representatives() {
    let folder = Folder::new("check-followed-turns");
    folder.file("turns.pml", TURNS);
    for (formula, fair, verdict) in [
        ("G F {served == 1}", "weak", "holds"),
        ("G F {inside == 0}", "weak", "holds"),
        ("F G {inside == 0}", "weak", "violated"),
        ("G F {wants[0] == 0}", "weak", "violated"),
        ("G F {wants[0] == 0}", "strong", "holds"),
        ("SEF => (G F {wants[0] == 0})", "none", "holds"),
        ("WEF => (G F {wants[0] == 0})", "none", "violated"),
        (
            "G F {wants[0] && wants[1] && wants[2]}",
            "strong",
            "violated",
        ),
    ] {
        for symmetry in ["off", "exact", "auto"] {
            let run = check(&folder, "turns.pml", formula, (symmetry, fair));
            let report = run.json()[0].clone();
            assert_eq!(report["verdict"], verdict, "{formula} {fair} {symmetry}");
        }
    }
    // Few states are enough to find the cycle, and its path is made of them: of the program there are many more.
    let limits = ["--ltl", "F G {served == 0}", "--fair", "weak"];
    let alone = ["--no-invariant", "--no-deadlock", "--no-assertions"];
    let limits = [&limits[..], &["--symmetry", "exact", "--max-states", "50"]].concat();
    let run = folder.run(&[&["check", "--json", "turns.pml"], &alone[..], &limits].concat());
    assert_eq!(run.exit, 13, "{}{}", run.out, run.err);
    let report = run.json()[0].clone();
    let why = report["findings"][0]["why"].to_string();
    assert!(why.contains("the path is fair"), "{why}");
    assert!(is_unwound(&report), "{report}");
    let [plain, exact] = ["off", "exact"].map(|symmetry| {
        let run = check(
            &folder,
            "turns.pml",
            "G F {served == 1}",
            (symmetry, "weak"),
        );
        states(&run.json()[0])
    });
    assert!(exact < plain, "{exact} of {plain}");
}
