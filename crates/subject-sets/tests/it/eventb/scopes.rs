//! What axioms say about the sizes of carrier sets.

use super::*;

/// What the report says of a carrier set.
fn scope_of(check: &Check, set: &str) -> String {
    let start = format!("card({set}) = ");
    let scopes = &check.report.scopes;
    let found = scopes.iter().find_map(|line| line.strip_prefix(&start));
    found.unwrap_or_default().to_owned()
}

#[test]
fn functions_between_sets_say_how_large_they_are() {
    let record = "context rec sets S NODE constants make left right axioms
        @a make ∈ NODE × BOOL ⤖ S
        @b left ∈ S → NODE
        @c right ∈ S → BOOL
        @d ∀n,b·n ∈ NODE ∧ b ∈ BOOL ⇒ left(make(n ↦ b)) = n ∧ right(make(n ↦ b)) = b
        end";
    let options = Options {
        symmetry: Symmetry::Static,
        ..Options::default()
    };
    let check = text("record", record, &options);
    assert_eq!(scope_of(&check, "NODE"), "2 (default)");
    assert_eq!(scope_of(&check, "S"), "4 (from PROPERTIES)");
    // The bijection is straightened, and it decides the rest.
    assert_eq!(sizes(&check.report).2, 1);
    for (axiom, size) in [
        ("f ∈ S ⤖ −1‥2", "4 (from PROPERTIES)"),
        ("f ∈ S ⤖ ℙ(BOOL)", "4 (from PROPERTIES)"),
        ("f ∈ S ↠ 1‥5", "5 (from PROPERTIES)"),
        ("f ∈ 1‥3 ↣ S", "3 (from PROPERTIES)"),
        ("f ∈ S ↣ {1}", "2 (default)"),
        (
            "f ∈ BOOL → S ∧ card(S) ≥ 3 + card(BOOL)",
            "5 (from PROPERTIES)",
        ),
    ] {
        let context = format!("context c sets S constants f axioms @a {axiom} end");
        let check = text("function", &context, &whole());
        assert_eq!(scope_of(&check, "S"), size, "{axiom}");
    }
}

#[test]
fn a_set_with_a_bijection_to_an_infinite_one_is_that_one() {
    let points = "context c sets Point Line constants at line x y p axioms
        @a at ∈ Point ⤖ ℤ × ℤ
        @b line ∈ Point × Point ⤖ Line
        @c x = prj1 ∘ at
        @d y = prj2 ∘ at
        @e p = at∼(7 ↦ 44)
        theorem @t x(p) = 7 ∧ y(p) = 44 ∧ line∼(line(p ↦ p)) = p ↦ p
        end";
    let check = text("points", points, &whole());
    assert_eq!(sizes(&check.report), (1, 0, 1));
    assert_eq!(check.report.verdict, workbench::report::Verdict::Holds);
    let scopes = check.report.scopes.join("\n");
    assert!(
        scopes.contains("Point = INTEGER*INTEGER (a bijection)"),
        "{scopes}"
    );
    // A set that depends on itself has no such value, nor one with a bijection to part of a type.
    for axiom in ["f ∈ S ⤖ S × ℤ", "f ∈ S ⤖ ℕ"] {
        let context = format!("context c sets S constants f axioms @a {axiom} end");
        let check = text("itself", &context, &whole());
        assert_eq!(scope_of(&check, "S"), "2 (default)", "{axiom}");
    }
}

#[test]
fn static_symmetry_leaves_elements_with_names_alone() {
    let context = "context c sets S constants a b x y axioms @a partition(S, {a}, {b})
        @b x ∈ S @c y ∈ S end";
    let options = Options {
        symmetry: Symmetry::Static,
        ..Options::default()
    };
    let check = text("named", context, &options);
    assert_eq!(sizes(&check.report).2, 4);
}

#[test]
fn parts_of_a_partition_say_how_large_the_set_is() {
    for (axioms, size, setups) in [
        ("@a partition(S, {a}, {b}, P) @b P ≠ ∅", 3, 6),
        ("@a partition(S, {a}, {b}, P) @b card(P) = 2", 4, 12),
        // Every element has a name, and what they say of P decides it.
        ("@a partition(S, P, {c}) @b partition(P, {a}, {b})", 3, 1),
    ] {
        let context = format!("context c sets S constants a b c P axioms {axioms} end");
        let context = match axioms.contains("{c}") {
            true => context,
            false => context.replace("a b c P", "a b P"),
        };
        let check = text("parts", &context, &whole());
        assert_eq!(scope_of(&check, "S"), format!("{size} (from PROPERTIES)"));
        assert_eq!(sizes(&check.report).2, setups, "{axioms}");
    }
}
