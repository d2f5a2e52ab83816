//! Reading what was printed gives the same formula, and no text makes the parser panic. Random, with fixed seeds.

use base::{Random, Sources};
use lang_formula::{Formula, Place, ctl, ltl, print};

fn place() -> Place {
    let file = Sources::new().add("<formula>", String::new());
    Place { file, start: 0 }
}

/// A text with random brackets; `true` for CTL.
fn formula(random: &mut Random, depth: usize, is_ctl: bool) -> String {
    let atoms: &[&str] = match is_ctl {
        false => &[
            "true",
            "{x>0}",
            "[a]",
            "[a(1,_)]",
            "e(b)",
            "deadlock",
            "sink",
            "goal",
            "deadlock(a,b(1))",
            "controller(a,b)",
            "changed({x})",
            "BA({x>x$0})",
            "Av(a)",
        ],
        true => &["false", "{x={1,{2}}}", "[a]", "e(b(_))", "deadlock", "sink"],
    };
    if depth == 0 || random.below(6) == 0 {
        return random.pick(atoms).to_owned();
    }
    let part = |random: &mut Random| {
        let inner = formula(random, depth - 1, is_ctl);
        match random.below(3) {
            0 => inner,
            _ => format!("({inner})"),
        }
    };
    let (a, b) = (part(random), part(random));
    match (is_ctl, random.below(4)) {
        (false, 0) => format!(
            "{} {a}",
            random.pick(&["not", "G", "F", "X", "H", "O", "Y"])
        ),
        (false, 1) => format!("#v.({{v:S}} & {a})"),
        (false, _) => {
            let operators = ["<=>", "=>", "&", "or", "U", "W", "R", "S", "T"];
            format!("{a} {} {b}", random.pick(&operators))
        }
        (true, 0) => format!("E {a} U {b}"),
        (true, 1) => format!(
            "{} {a}",
            random.pick(&["not", "EX", "AG", "EF", "AF", "EX [a(1)]"])
        ),
        (true, _) => format!("{a} {} {b}", random.pick(&["=>", "&", "or"])),
    }
}

#[test]
fn reading_what_was_printed_gives_the_same_formula() {
    let mut kept = 0;
    for seed in 1..=4_000_u64 {
        let mut random = Random::new(seed);
        let is_ctl = seed % 3 == 0;
        let mut text = formula(&mut random, 5, is_ctl);
        if !is_ctl && random.below(5) == 0 {
            let premise = random.pick(&["WF(a)", "SF(a) & WEF", "(WF(a) or SF(b(1))) & SEF"]);
            text = format!("{premise} => ({text})");
        }
        let read = |text: &str| -> Option<Formula> {
            match is_ctl {
                true => ctl(text, place()).formula,
                false => ltl(text, place()).formula,
            }
        };
        // `a <=> b <=> c` and `E a U b U c` are refused.
        let Some(first) = read(&text) else { continue };
        kept += 1;
        let printed = print(&first);
        let second = read(&printed).unwrap_or_else(|| panic!("seed {seed}: {text}: {printed}"));
        assert!(first.same(&second), "seed {seed}: {text}: {printed}");
        assert_eq!(print(&second), printed, "seed {seed}");
    }
    assert!(kept > 2_000, "{kept}");
}

#[test]
fn no_text_makes_the_parser_panic() {
    let pieces = [
        "G",
        "F",
        "X",
        "E",
        "A",
        "U",
        "{",
        "}",
        "(",
        ")",
        "[",
        "]",
        "\"",
        "#x.",
        "!",
        "#",
        ".",
        ",",
        "_",
        "not",
        "&",
        "=>",
        "<=>",
        "WF(",
        "WEF",
        "e(",
        "deadlock",
        "changed({",
        "ö",
        "\u{0}",
        "\n",
        "x",
        "1",
        "↦",
        "|",
        "'",
    ];
    for seed in 1..=20_000_u64 {
        let mut random = Random::new(seed ^ 0xd134_2543_de82_ef95);
        let count = random.below(24);
        let text: String = (0..count).map(|_| random.pick(&pieces)).collect();
        for parsed in [ltl(&text, place()), ctl(&text, place())] {
            assert_eq!(
                parsed.formula.is_none(),
                parsed.diagnostics.has_errors(),
                "seed {seed}: {text}"
            );
        }
        lang_formula::sections(&text);
    }
}
