//! Formulas on machines that are symmetric but for places that name elements: verdicts of `adaptive` are those of plain runs.
//!
//! `BURNSIDE_RANDOM` says how many formulas there are.

use base::Random;
use serde_json::Value;

use super::perturbed::machine;
use crate::support::Folder;

/// A formula about the random machines; some name an element, and some what may happen.
struct Writer {
    random: Random,
}

impl Writer {
    fn atom(&mut self) -> String {
        const STATES: [&str; 9] = [
            "{chosen = {}}",
            "{count = 1}",
            "{holder /= {}}",
            "{inside : ran(at)}",
            "{card(at~[{trying}]) > 1}",
            "{at = Proc * {away}}",
            "{holder <: chosen}",
            "{at(p1) = away}",
            "{p3 : chosen}",
        ];
        match self.random.below(8) {
            0 => format!("[{}]", self.operation()),
            1 => format!("e({})", self.operation()),
            2 => format!("[{}(p3)]", self.operation()),
            3 => "deadlock".to_owned(),
            _ => self.random.pick(&STATES).to_owned(),
        }
    }

    fn operation(&mut self) -> &'static str {
        self.random.pick(&["op0", "op1", "op2"])
    }

    fn formula(&mut self, depth: usize) -> String {
        if depth == 0 {
            return self.atom();
        }
        let inner = |writer: &mut Writer| writer.formula(depth - 1);
        match self.random.below(9) {
            0 => format!("not ({})", inner(self)),
            at @ 1..4 => format!("{} ({})", ["G", "F", "X"][at - 1], inner(self)),
            4 => format!("G F ({})", inner(self)),
            _ => {
                let (a, b) = (inner(self), inner(self));
                let operator = self.random.pick(&["&", "or", "=>", "U", "R", "W"]);
                format!("(({a}) {operator} ({b}))")
            }
        }
    }

    fn whole(&mut self) -> String {
        let depth = 1 + self.random.below(3);
        let body = self.formula(depth);
        let premise = self
            .random
            .pick(&["", "", "", "", "SEF => ", "WF(op0) => "]);
        match self.random.below(3) {
            // A formula that holds whatever happens is decided in the first stage.
            0 => format!("{premise}(({body}) or not ({body}))"),
            _ => format!("{premise}({body})"),
        }
    }
}

fn check(folder: &Folder, formula: &str, symmetry: &str) -> Value {
    let alone = ["--no-invariant", "--no-deadlock", "--no-assertions"];
    let asked = ["--ltl", formula, "--symmetry", symmetry];
    let run = folder.run(&[&["check", "--json", "Random.mch"], &alone[..], &asked[..]].concat());
    let is_known = [0, 13].contains(&run.exit);
    assert!(is_known, "{formula} {symmetry}: {}{}", run.out, run.err);
    run.json()[0].clone()
}

/// Whether partitions decided.
fn is_partial(report: &Value) -> bool {
    let because = &report["reductions"]["symmetry"]["because"];
    because
        .as_str()
        .is_some_and(|b| b.starts_with("states with"))
}

#[test]
fn formulas_on_perturbed_machines_have_the_verdicts_of_plain_runs() {
    let folder = Folder::new("check-partial");
    let count = std::env::var("BURNSIDE_RANDOM").ok();
    let count: u64 = count.and_then(|count| count.parse().ok()).unwrap_or(40);
    let (mut violated, mut decided, mut fewer) = (0, 0, 0);
    for seed in 0..count {
        // The last numbers of a seed in `perturbed` are about machines, so others are drawn here.
        folder.file("Random.mch", machine(seed, true));
        let mut writer = Writer {
            random: Random::new(seed + 1_000_000),
        };
        let formula = writer.whole();
        let plain = check(&folder, &formula, "off");
        let adaptive = check(&folder, &formula, "adaptive");
        let place = format!("seed {seed}: {formula}");
        assert_eq!(plain["verdict"], adaptive["verdict"], "{place}");
        violated += u64::from(plain["verdict"] == "violated");
        if is_partial(&adaptive) {
            decided += 1;
            let states = |report: &Value| report["statistics"]["states"].as_u64();
            fewer += u64::from(states(&adaptive) < states(&plain));
        }
    }
    println!(
        "{violated} violated, {decided} decided on partitions, {fewer} of them with fewer states"
    );
    assert!(violated > count / 10 && violated < count);
    assert!(decided > count / 10 && fewer > count / 20);
}

/// One or several processes have privileges, and formulas speak of nobody.
const HURRY: &str = "\
MACHINE Hurry
SETS Proc = {p1, p2, p3, p4, p5, p6}; Place = {away, trying, inside}
VARIABLES at, urgent
INVARIANT at : Proc --> Place & urgent : BOOL
INITIALISATION at := Proc * {away} || urgent := FALSE
OPERATIONS
  Try(p) = SELECT p : Proc & at(p) = away THEN at(p) := trying END;
  Enter(p) = SELECT p : Proc & at(p) = trying & inside /: ran(at) THEN at(p) := inside END;
  Leave(p) = SELECT p : Proc & at(p) = inside THEN at(p) := away || urgent := FALSE END;
  First = SELECT at(p1) = trying & inside : ran(at) THEN urgent := TRUE END;
  Second = SELECT at(p2) = trying & at(p1) = away & inside : ran(at) THEN urgent := TRUE END;
  Third = SELECT at(p3) = trying & at[{p1, p2}] = {away} & inside : ran(at) THEN urgent := TRUE END
END
";

#[test]
fn what_partitions_decide_needs_fewer_states_than_names() {
    let folder = Folder::new("check-partial-hurry");
    folder.file("Random.mch", HURRY);
    let states = |report: &Value| report["statistics"]["states"].as_u64().expect("a number");
    for (formula, verdict, has_partitions) in [
        ("G ({urgent = TRUE} => {inside : ran(at)})", "holds", true),
        (
            "G ({urgent = TRUE} => ({urgent = TRUE} W [Leave]))",
            "holds",
            true,
        ),
        ("(G F [Leave]) => (G F {urgent = FALSE})", "holds", true),
        ("G F {urgent = FALSE}", "violated", false),
        // The formula holds its element fixed, and the event names no other one.
        ("G (e(First) => {at(p1) = trying})", "holds", true),
        ("G (e(Second) => {at(p2) = trying})", "holds", false),
        ("SEF => (G F {urgent = FALSE})", "holds", false),
    ] {
        let [plain, exact, adaptive] =
            ["off", "exact", "adaptive"].map(|symmetry| check(&folder, formula, symmetry));
        for report in [&plain, &exact, &adaptive] {
            assert_eq!(report["verdict"], verdict, "{formula}");
        }
        assert_eq!(is_partial(&adaptive), has_partitions, "{formula}");
        if has_partitions {
            println!(
                "{formula}: {} {} {}",
                states(&plain),
                states(&exact),
                states(&adaptive)
            );
            assert!(states(&adaptive) < states(&exact) && states(&exact) < states(&plain));
        }
    }
}

/// Processes that are alike but for priorities: some go first, all of one class alike, or each before the next.
fn arbiter(priority: &str) -> String {
    format!(
        "MACHINE Arbiter\n\
         SETS Proc = {{p1, p2, p3, p4, p5, p6}}; Place = {{away, trying, inside}}\n\
         VARIABLES at\n\
         INVARIANT at : Proc --> Place\n\
         INITIALISATION at := Proc * {{away}}\n\
         OPERATIONS\n\
         \x20 Try(p) = SELECT p : Proc & at(p) = away THEN at(p) := trying END;\n\
         \x20 Enter(p) = SELECT p : Proc & at(p) = trying & inside /: ran(at) & {priority} THEN at(p) := inside END;\n\
         \x20 Leave(p) = SELECT p : Proc & at(p) = inside THEN at(p) := away END\n\
         END\n"
    )
}

/// Guarded annotated quotients: who may take a step is asked where it is taken. Fairness of an event that treats all alike does not keep
/// partitions from deciding; fairness of instances is decided with names fixed, and the report says so.
#[test]
fn processes_alike_but_for_priorities_have_the_verdicts_of_plain_runs() {
    let folder = Folder::new("check-partial-arbiter");
    let states = |report: &Value| report["statistics"]["states"].as_u64().expect("a number");
    let classes = "(p : {p1, p2} or trying /: at[{p1, p2}])";
    let order = "!q.(q : at~[{trying}] => {p1 |-> 6, p2 |-> 5, p3 |-> 4, p4 |-> 3, p5 |-> 2, p6 |-> 1}(q) \
                 <= {p1 |-> 6, p2 |-> 5, p3 |-> 4, p4 |-> 3, p5 |-> 2, p6 |-> 1}(p))";
    for (priority, is_ordered) in [(classes, false), (order, true)] {
        folder.file("Random.mch", arbiter(priority));
        for (formula, verdict, has_partitions) in [
            (
                "G (([Enter] & {card(at~[{inside}]) = 0}) => X {inside : ran(at)})",
                "holds",
                true,
            ),
            (
                "WF(Leave) => G ({inside : ran(at)} => F {inside /: ran(at)})",
                "holds",
                true,
            ),
            ("G F {inside : ran(at)}", "holds", true),
            (
                "G ({inside : ran(at)} => X {inside : ran(at)})",
                "violated",
                false,
            ),
            (
                "SEF => G ({at(p1) = trying} => F {at(p1) = inside})",
                "holds",
                false,
            ),
            (
                "SEF => G ({at(p6) = trying} => F {at(p6) = inside})",
                "violated",
                false,
            ),
        ] {
            let [plain, exact, adaptive] =
                ["off", "exact", "adaptive"].map(|symmetry| check(&folder, formula, symmetry));
            for report in [&plain, &exact, &adaptive] {
                assert_eq!(report["verdict"], verdict, "{formula}");
            }
            assert_eq!(is_partial(&adaptive), has_partitions, "{formula}");
            println!(
                "{formula}: {} {} {}",
                states(&plain),
                states(&exact),
                states(&adaptive)
            );
            if has_partitions {
                // Where each goes before the next one, names that are fixed leave nothing to exchange.
                assert!(states(&adaptive) < states(&exact), "{formula}");
                assert_eq!(states(&exact) == states(&plain), is_ordered, "{formula}");
            }
        }
    }
}
