//! Claims about input that nobody writes: always a tree, one diagnostic, at once.

use super::{component, errors, read};

const MANY: usize = 100_000;

#[test]
fn nesting_is_bounded_by_one_diagnostic() {
    for opening in [
        "(",
        "{",
        "[",
        "!x.(",
        "IF 1=1 THEN ",
        "f(",
        "not(",
        "2**",
        "/*@label a*/",
        "rec(a:",
    ] {
        let text = opening.repeat(MANY);
        let (_, _, diagnostics) = read(&text);
        assert_eq!(diagnostics.errors(), 1, "{opening}");
    }
    for opening in [
        "BEGIN ",
        "IF 1=1 THEN ",
        "CHOICE ",
        "CASE 1 OF EITHER 1 THEN ",
    ] {
        let text = format!("MACHINE M OPERATIONS o = {}", opening.repeat(MANY));
        assert_eq!(errors(&text).len(), 1, "{opening}");
    }
    let text = format!("DEFINITIONS d == {}", "(".repeat(MANY));
    assert_eq!(errors(&text).len(), 1);
}

#[test]
fn long_chains_are_bounded_by_one_diagnostic() {
    for part in ["1+", "a&", "x,y:=", "f'a'"] {
        let (_, _, diagnostics) = read(&part.repeat(MANY));
        assert_eq!(diagnostics.errors(), 1, "{part}");
    }
    let (_, _, diagnostics) = read(&format!("f{}", "(1)".repeat(MANY)));
    assert_eq!(diagnostics.errors(), 1);
}

#[test]
fn chains_that_people_generate_are_read() {
    let (_, _, diagnostics) = read(
        &"x=1 & "
            .repeat(20_000)
            .replace("& x=1 & x=1 &", "& x=1 & x=2 &"),
    );
    assert_eq!(diagnostics.errors(), 1, "only the missing last operand");
}

#[test]
fn errors_without_end_are_cut_off() {
    let text = format!("MACHINE M INVARIANT {} END", "x = = 1 & ".repeat(MANY));
    let parsed = component(&text);
    assert_eq!(parsed.diagnostics.errors(), base::Diagnostics::LIMIT);
}

#[test]
fn every_prefix_of_a_machine_has_a_tree() {
    let text =
        "MACHINE M(p) CONSTRAINTS p:NAT SETS S={a,b} DEFINITIONS d(x) == x+1; e == BEGIN x := 1 END
        VARIABLES x INVARIANT x : {y·y:S|y} & !z.(z=1 => #w.(w=z)) INITIALISATION x :: S
        OPERATIONS r <-- o(q) = CASE q OF EITHER 1 THEN skip OR 2 THEN r := ```${q}``` END END;
        l = WHILE x>0 DO x:=x-1 INVARIANT x>0 VARIANT x END END";
    assert_eq!(errors(text), Vec::<String>::new());
    let chars: Vec<char> = text.chars().collect();
    for cut in 0..chars.len() {
        let (head, tail) = chars.split_at(cut);
        component(&head.iter().collect::<String>());
        component(&tail.iter().collect::<String>());
        component(&head.iter().chain(tail.iter().skip(5)).collect::<String>());
    }
}
