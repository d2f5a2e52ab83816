//! Formulas: what is read, what needs parentheses, and that printing and reading are inverse.

use base::{Diagnostics, Sources};
use lang_math::Exprs;

use super::parse::{self, Place};
use crate::print::{self, Style};

fn read(text: &str) -> Result<(Exprs, lang_math::ExprId), &'static str> {
    let mut sources = Sources::new();
    let file = sources.add("test", text.to_owned());
    let mut exprs = Exprs::new();
    let mut diagnostics = Diagnostics::new();
    let id = parse::formula(Place::whole(file, text), &mut exprs, &mut diagnostics);
    match diagnostics.iter().next() {
        None => Ok((exprs, id)),
        Some(error) => Err(error.code.id),
    }
}

fn printed(text: &str, unicode: bool) -> String {
    match read(text) {
        Ok((exprs, id)) => print::formula(&exprs, id, Style { unicode }).text,
        Err(code) => panic!("{text}: {code}"),
    }
}

#[test]
fn formulas_are_printed_as_they_are_meant() {
    for (text, meant) in [
        ("x:S&y:T", "x ∈ S ∧ y ∈ T"),
        ("a|->b|->c", "a ↦ b ↦ c"),
        ("a↦(b↦c)", "a ↦ (b ↦ c)"),
        ("f~(x)", "f∼(x)"),
        ("r[{1}]∪s[{2}]", "r[{1}] ∪ s[{2}]"),
        ("!x.x:NAT=>x>=0", "∀x·x ∈ ℕ ⇒ x ≥ 0"),
        ("{x·x∈ℤ∣x+1}", "{x·x ∈ ℤ ∣ x + 1}"),
        ("{x∣x∈ℤ}", "{x ∣ x ∈ ℤ}"),
        ("{x↦y∣x∈y}", "{x,y·x ∈ y ∣ x ↦ y}"),
        ("λx·x∈ℕ∣x∗2", "λx·x ∈ ℕ ∣ x ∗ 2"),
        ("1‥3", "1‥3"),
        ("−1+2", "(−1) + 2"),
        ("−x∗2", "−x ∗ 2"),
        ("a−(b−c)", "a − (b − c)"),
        ("bool(x=1)", "bool(x = 1)"),
        ("¬x=y", "¬(x = y)"),
        ("A ** B", "A × B"),
        ("A \\ B", "A ∖ B"),
        ("S◁r▷T", "S ◁ r ▷ T"),
        ("p;q;r", "p ; q ; r"),
        ("(∀x·x∈S)∧y=1", "(∀x·x ∈ S) ∧ y = 1"),
        ("partition(S,{a},{b})", "partition(S, {a}, {b})"),
        ("x'=x+1", "x' = x + 1"),
        ("{}", "∅"),
        ("∅⦂ℙ(ℤ)", "∅ ⦂ ℙ(ℤ)"),
        ("prj1(a↦b)", "prj1(a ↦ b)"),
        ("⋃x·x∈S∣f(x)", "⋃x·x ∈ S ∣ f(x)"),
        ("x mod 2 ^ 3", "x mod 2 ^ 3"),
        ("a ≤ b ∧ (c ∨ d=1)", "a ≤ b ∧ (c ∨ d = 1)"),
    ] {
        assert_eq!(printed(text, true), meant, "{text}");
    }
}

#[test]
fn what_is_printed_is_read_back() {
    for text in [
        "(p=1 ⇒ q=1) ⇒ r=1",
        "¬(∃x·x∈S ∧ (x=1 ∨ x=2))",
        "(A ∪ B) ∩ C = A ∪ (B ∩ C)",
        "(λx·x∈S∣x)∼[T]",
        "{x,y·x∈S ∧ y∈T∣x↦y}",
        "{x·x∈S∣(λy·y∈T∣x+y)}",
        "f(a ↦ (b ↦ c)) = (g ∘ h)(x)",
        "((A ⇸ B) ↔ C) × D",
        "−(a+b) − −1",
        "(−1) ^ 2",
        "a ÷ (b ÷ c) mod d",
        "(S ⩤ f) \u{e103} {x ↦ y}",
        "⋂x·x∈S∣x",
        "⊤ ∧ ⊥",
        "finite(S) ⇔ card(S) ≥ 0",
    ] {
        let Ok((exprs, id)) = read(text) else {
            panic!("{text} cannot be read")
        };
        for unicode in [true, false] {
            let again = print::formula(&exprs, id, Style { unicode }).text;
            let Ok((other, other_id)) = read(&again) else {
                panic!("{text} is printed as {again}, which cannot be read")
            };
            assert!(exprs.same(id, &other, other_id), "{text} became {again}");
        }
    }
}

#[test]
fn operators_without_a_priority_need_parentheses() {
    for text in [
        "a=1 ∧ b=1 ∨ c=1",
        "a=1 ⇒ b=1 ⇒ c=1",
        "a=1 ⇔ b=1 ⇒ c=1",
        "A ∪ B ∩ C",
        "A ∖ B ∖ C",
        "A → B → C",
        "a÷b÷c",
        "a^b^c",
        "A ∪ B × C",
        "2 ∗ −x",
    ] {
        assert_eq!(read(text).err(), Some("E0004"), "{text}");
    }
}

#[test]
fn what_is_no_formula_is_a_syntax_error() {
    for text in [
        "", "(", "a +", "a b", "(a,b)", "∀x", "{x∣", "card", "x :: S", "§", "λ1·x",
    ] {
        assert_eq!(read(text).err(), Some("E0003"), "{text}");
    }
    assert_eq!(read(&"(".repeat(10_000)).err(), Some("E0003"));
    assert_eq!(read(&"¬".repeat(10_000)).err(), Some("E0003"));
}

#[test]
fn assignments_are_read() {
    for (text, targets) in [
        ("x ≔ 1", 1),
        ("x,y := 1,2", 2),
        ("f(1) ≔ 2", 1),
        ("x :∈ S", 1),
        ("x,y :∣ x'=y ∧ y'=x", 2),
        ("x :: NAT", 1),
    ] {
        let mut sources = Sources::new();
        let file = sources.add("test", text.to_owned());
        let mut diagnostics = Diagnostics::new();
        let place = Place::whole(file, text);
        let parsed = parse::assignment(place, &mut Exprs::new(), &mut diagnostics);
        assert_eq!(
            parsed.map(|(names, _)| names.len()),
            Some(targets),
            "{text}"
        );
    }
}
