//! Formulas that name elements or quantify over them, with fairness of every instance: verdicts on representatives are those
//! of the unreduced model.

use base::Random;
use serde_json::Value;

use super::followed::is_unwound;
use crate::support::Folder;

/// No text of it names a process, so all are interchangeable; a formula may name some.
const GATE: &str = "\
MACHINE Gate
SETS Proc = {p1, p2, p3}; Place = {away, trying, inside}
VARIABLES at, latest
INVARIANT at : Proc --> Place & latest <: Proc
INITIALISATION at := Proc * {away} || latest := {}
OPERATIONS
  try(p) = SELECT p : Proc & at(p) = away THEN at(p) := trying END;
  enter(p) = SELECT p : Proc & at(p) = trying & inside /: ran(at) THEN at(p) := inside || latest := {p} END;
  leave(p) = SELECT p : Proc & at(p) = inside THEN at(p) := away END;
  give(p) = SELECT p : latest & at(p) = away THEN latest := {} END
END
";

/// A random formula.
struct Writer {
    random: Random,
    /// Names that quantifiers outside have bound.
    bound: Vec<&'static str>,
}

impl Writer {
    fn pick<'t>(&mut self, all: &[&'t str]) -> &'t str {
        all[self.random.below(all.len())]
    }

    /// What an atom is about: a bound name most of the time.
    fn element(&mut self) -> &'static str {
        match self.bound.len() {
            count if count > 0 && self.random.below(5) > 0 => {
                let at = self.random.below(count);
                self.bound[at]
            }
            _ => self.pick(&["p1", "p2"]),
        }
    }

    fn atom(&mut self) -> String {
        let place = self.pick(&["away", "trying", "inside"]);
        match self.random.below(7) {
            0 => format!("{{{place} : ran(at)}}"),
            1 => "{latest = {}}".to_owned(),
            2 => format!("{{{} : latest}}", self.element()),
            3 => format!(
                "e({}({}))",
                self.pick(&["enter", "leave", "give"]),
                self.element()
            ),
            4 => format!(
                "[{}({})]",
                self.pick(&["try", "enter", "leave"]),
                self.element()
            ),
            _ => format!("{{at({}) = {place}}}", self.element()),
        }
    }

    fn formula(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.atom();
        }
        match self.random.below(10) {
            0 => format!("not ({})", self.formula(depth - 1)),
            at @ 1..4 => {
                let operator = ["G", "F", "X"][at - 1];
                format!("{operator} ({})", self.formula(depth - 1))
            }
            4 => {
                let operator = self.pick(&["O", "H", "Y"]);
                format!("{operator} ({})", self.formula(depth - 1))
            }
            5..8 => {
                let operator = self.pick(&["&", "or", "=>", "U", "R", "W", "S"]);
                let (a, b) = (self.formula(depth - 1), self.formula(depth - 1));
                format!("(({a}) {operator} ({b}))")
            }
            _ => self.quantified(depth - 1),
        }
    }

    fn quantified(&mut self, depth: usize) -> String {
        let name = ["p", "q", "r"][self.bound.len().min(2)];
        self.bound.push(name);
        let body = self.formula(depth);
        self.bound.pop();
        match self.random.below(3) {
            0 => format!("#{name}.({{{name} : Proc}} & ({body}))"),
            _ => format!("!{name}.({{{name} : Proc}} => ({body}))"),
        }
    }

    fn whole(&mut self) -> String {
        let depth = 1 + self.random.below(3);
        let body = match self.random.below(4) {
            0 => self.formula(depth),
            1 => format!("G ({})", self.quantified(depth)),
            _ => self.quantified(depth),
        };
        let premise = self.pick(&[
            "",
            "",
            "WEF => ",
            "SEF => ",
            "WF(enter(p1)) => ",
            "SF(enter(p2)) => ",
        ]);
        format!("{premise}({body})")
    }
}

fn check(folder: &Folder, formula: &str, symmetry: &str) -> Value {
    let alone = ["--no-invariant", "--no-deadlock", "--no-assertions"];
    let asked = ["--ltl", formula, "--symmetry", symmetry];
    let run = folder.run(&[&["check", "--json", "Gate.mch"], &alone[..], &asked[..]].concat());
    assert!(
        [0, 13].contains(&run.exit),
        "{formula}: {}{}",
        run.out,
        run.err
    );
    run.json()[0].clone()
}

#[test]
fn random_formulas_about_elements_have_the_verdicts_of_plain_runs() {
    let folder = Folder::new("check-quantified");
    folder.file("Gate.mch", GATE);
    let count = std::env::var("BURNSIDE_RANDOM").ok();
    let count: u64 = count.and_then(|count| count.parse().ok()).unwrap_or(30);
    let (mut violated, mut reduced, mut unwound) = (0, 0, 0);
    for seed in 0..count {
        let mut writer = Writer {
            random: Random::new(seed),
            bound: Vec::new(),
        };
        let formula = writer.whole();
        let plain = check(&folder, &formula, "off");
        let exact = check(&folder, &formula, "exact");
        assert_eq!(plain["verdict"], exact["verdict"], "seed {seed}: {formula}");
        violated += u64::from(plain["verdict"] == "violated");
        let sorts = exact["reductions"]["symmetry"]["sorts"].as_object();
        reduced += u64::from(sorts.is_some_and(|sorts| sorts.contains_key("Proc")));
        unwound += u64::from(is_unwound(&exact));
    }
    println!("{violated} violated, {unwound} of them by a cycle that was unwound");
    assert!(
        violated > count / 6 && violated < count,
        "{violated} of {count}"
    );
    assert!(reduced > count / 6, "{reduced} of {count}");
    assert!(unwound >= count / 100, "{unwound} of {count}");
}

/// Fair cycles of representatives are cycles of the model after some rounds: of 16 processes there are 589,824 states, and none of
/// them is looked at but those on the path. What is shown is replayed and judged by the reference evaluator before anybody sees it.
#[test]
fn a_fair_cycle_of_many_processes_is_shown_without_the_states_of_the_model() {
    let folder = Folder::new("check-unwound");
    let names: Vec<String> = (1..=16).map(|at| format!("p{at}")).collect();
    folder.file("Gate.mch", GATE.replace("p1, p2, p3", &names.join(", ")));
    for (formula, verdict) in [
        ("SEF => F G {inside /: ran(at)}", "violated"),
        (
            "WEF => G ({at(p1) = trying} => F {at(p1) = inside})",
            "violated",
        ),
        (
            "SEF => G ({at(p1) = trying} => F {at(p1) = inside})",
            "holds",
        ),
    ] {
        let alone = ["--no-invariant", "--no-deadlock", "--no-assertions"];
        let asked = [
            "--ltl",
            formula,
            "--symmetry",
            "exact",
            "--max-states",
            "2000",
        ];
        let run = folder.run(&[&["check", "--json", "Gate.mch"], &alone[..], &asked].concat());
        let report = run.json()[0].clone();
        assert_eq!(
            report["verdict"], verdict,
            "{formula}: {}{}",
            run.out, run.err
        );
        assert_eq!(is_unwound(&report), verdict == "violated", "{formula}");
    }
}

#[test]
fn quantifiers_that_name_nobody_keep_all_elements_interchangeable() {
    let folder = Folder::new("check-nobody");
    folder.file("Gate.mch", GATE);
    for (formula, verdict, left) in [
        ("G F #p.({p : Proc} & {at(p) = inside})", "holds", 3),
        ("F !p.({p : Proc} => not {at(p) = inside})", "holds", 3),
        (
            "G not (#p.({p : Proc} & F {at(p) = inside}))",
            "violated",
            2,
        ),
        (
            "(#p.({p : Proc} & F {at(p) = inside})) => F {latest /= {}}",
            "holds",
            2,
        ),
    ] {
        for symmetry in ["off", "exact", "auto"] {
            let found = check(&folder, formula, symmetry);
            assert_eq!(found["verdict"], verdict, "{formula} {symmetry}");
        }
        let sorts = &check(&folder, formula, "exact")["reductions"]["symmetry"]["sorts"];
        assert_eq!(sorts["Proc"].as_u64(), Some(left), "{formula}");
    }
}

#[test]
fn one_element_speaks_for_those_that_are_like_it() {
    let folder = Folder::new("check-speakers");
    folder.file("Gate.mch", GATE);
    for (formula, verdict) in [
        (
            "!p.({p : Proc} => G ({at(p) = inside} => {latest = {p}}))",
            "holds",
        ),
        (
            "!p.({p : Proc} => !q.({q : Proc} => G not ({p /= q} & {at(p) = inside} & {at(q) = inside})))",
            "holds",
        ),
        (
            "SEF => !p.({p : Proc} => G ({at(p) = trying} => F {at(p) = inside}))",
            "holds",
        ),
        (
            "WEF => !p.({p : Proc} => G ({at(p) = trying} => F {at(p) = inside}))",
            "violated",
        ),
        (
            "G !p.({p : Proc} => ({at(p) = away} or {at(p) = trying}))",
            "violated",
        ),
    ] {
        for symmetry in ["off", "exact", "auto"] {
            let found = check(&folder, formula, symmetry);
            assert_eq!(found["verdict"], verdict, "{formula} {symmetry}");
        }
        let sorts = &check(&folder, formula, "exact")["reductions"]["symmetry"]["sorts"];
        let left = 3 - formula.matches(" : Proc}").count().max(1);
        let expected = if left > 1 { Some(left as u64) } else { None };
        assert_eq!(sorts["Proc"].as_u64(), expected, "{formula}");
    }
}
