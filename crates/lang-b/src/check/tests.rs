//! What holds for every checked model, and how messages count.

use std::path::Path;

use base::{Severity, Sources};

use super::{Checked, check_text};
use crate::codes::given;
use base::counted;

fn check(text: &str) -> Checked {
    check_text(Path::new("M.mch"), text.to_owned(), &mut Sources::new())
}

fn errors(text: &str) -> Vec<&'static str> {
    let checked = check(text);
    let errors = checked
        .diagnostics
        .iter()
        .filter(|found| found.severity == Severity::Error);
    errors.map(|found| found.code.id).collect()
}

#[test]
fn after_a_check_without_errors_every_expression_has_a_ground_type() {
    let checked = check(
        "MACHINE M SETS S = {a, b}; T CONSTANTS f, g PROPERTIES f : S --> POW(T) & g = {} & g <: NAT * BOOL
         VARIABLES x, y INVARIANT x : S & y : seq(f(x))
         INITIALISATION x := a || y := []
         OPERATIONS r <-- op(p) = PRE p : T & p : f(x) THEN r := size(y) || y := y <- p END
         END",
    );
    assert!(
        !checked.diagnostics.has_errors(),
        "{:?}",
        checked.diagnostics
    );
    for ty in checked.world.machines[0].types.iter().flatten() {
        assert!(
            checked.world.types.is_ground(*ty),
            "{}",
            checked.world.types.show(*ty)
        );
    }
}

#[test]
fn one_mistake_gives_one_message() {
    for (text, code) in [
        // The constant stays without a type because of the mistake.
        ("MACHINE M CONSTANTS c PROPERTIES c = 1 + TRUE END", "B0501"),
        ("MACHINE M CONSTANTS c PROPERTIES c = unknown END", "B0401"),
        ("MACHINE M CONSTANTS c PROPERTIES c : c END", "B0504"),
        (
            "MACHINE M CONSTANTS c PROPERTIES c = v VARIABLES v INVARIANT v : NAT INITIALISATION v := 0 END",
            "B0402",
        ),
        (
            "MACHINE M DEFINITIONS d == d + 1 CONSTANTS c PROPERTIES c = d END",
            "B0302",
        ),
        (
            "MACHINE M SETS S = {a, b} CONSTANTS a PROPERTIES a = 1 & a : BOOL END",
            "B0403",
        ),
        (
            "MACHINE M SEES Nowhere CONSTANTS c PROPERTIES c : THING END",
            "B0210",
        ),
        (
            "MACHINE M CONSTANTS c PROPERTIES c = bool(#(x, y).(x * y = y * x)) END",
            "B0503",
        ),
    ] {
        assert_eq!(errors(text), [code], "{text}");
    }
}

#[test]
fn independent_mistakes_are_all_reported() {
    let text = "MACHINE M CONSTANTS c, d PROPERTIES c = 1 + TRUE & d = {1, TRUE} & e = 1 END";
    assert_eq!(errors(text), ["B0501", "B0501", "B0401"]);
}

#[test]
fn counts_read_as_english() {
    assert_eq!(counted(0, "result"), "no results");
    assert_eq!(counted(1, "result"), "1 result");
    assert_eq!(counted(2, "result"), "2 results");
    assert_eq!(given(0), "none is given");
    assert_eq!(given(1), "1 is given");
    assert_eq!(given(3), "3 are given");
}
