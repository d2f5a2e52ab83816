//! Claims about slips: each is told once, with what was probably meant, and hides no other.

use super::errors;

/// A machine with this INVARIANT.
fn invariant(predicate: &str) -> Vec<String> {
    errors(&format!(
        "MACHINE M VARIABLES x\nINVARIANT\n{predicate}\nINITIALISATION x := 0 END"
    ))
}

/// A machine with these operations.
fn operations(text: &str) -> Vec<String> {
    errors(&format!("MACHINE M OPERATIONS\n{text}\nEND"))
}

#[test]
fn operators_that_look_alike() {
    assert_eq!(
        invariant("x == 3"),
        [
            "3:3 B0117 found \"==\", expected an operator; \"==\" introduces a definition; equality is \"=\", an assignment \":=\""
        ]
    );
    assert_eq!(
        invariant("x := 3"),
        [
            "3:3 B0115 found \":=\", expected an operator or the end of the predicate; a comparison is written \"=\"; \":=\" assigns, in a substitution"
        ]
    );
    assert_eq!(
        invariant("x = 1 && x = 2"),
        ["3:7 B0132 found \"&\" twice; one \"&\" is enough"]
    );
    assert_eq!(
        invariant("x != 1 & x ="),
        [
            "3:3 B0101 found \"!=\", expected an operator; \"is not equal to\" is written \"/=\"",
            "4:1 B0113 found the reserved word \"INITIALISATION\", expected an expression or a predicate"
        ]
    );
    assert_eq!(
        invariant("x = 1 || x = 2"),
        [
            "3:7 B0101 found \"||\", expected an operator or the end of the predicate; a disjunction is written \"or\"; \"||\" joins substitutions"
        ]
    );
    assert_eq!(
        invariant("x : {y : NAT | y > 1}"),
        [
            "3:6 B0121 expected a name before \"|\"; the range of a name is part of the predicate: {y | y : NAT & …}"
        ]
    );
    assert_eq!(
        invariant("x : NAT\nx > 1\n#y.(y = x)"),
        [
            "4:1 B0101 found \"x\", expected \"&\" or the end of the predicate; join the predicates of two lines by \"&\"",
            "5:1 B0101 found \"#\", expected \"&\" or the end of the predicate; join the predicates of two lines by \"&\""
        ]
    );
    assert_eq!(
        invariant("0 <= x <= 3"),
        ["3:8 B0108 \"<=\" cannot follow a comparison; write a <= b & b <= c"]
    );
    assert_eq!(
        invariant("x = 1 and x = 2"),
        [
            "3:7 B0101 found \"and\", expected an operator or the end of the predicate; \"and\" is written \"&\""
        ]
    );
    assert_eq!(
        operations("o = x = 1"),
        ["2:7 B0116 found \"=\", expected \":=\"; an assignment is written \":=\""]
    );
    assert_eq!(
        operations("o = x : 1..2"),
        [
            "2:9 B0101 found \"1\", expected \"(\"; x : (P) chooses x such that P; x :: S chooses an element of S; x := E assigns"
        ]
    );
}

#[test]
fn sorts_that_are_confused() {
    assert_eq!(
        invariant("TRUE & x = 1"),
        [
            "3:1 B0107 expected a predicate, found an expression; TRUE is a value; the predicate that always holds is btrue, or 1=1"
        ]
    );
    assert_eq!(
        operations("o = b := (x = 1)"),
        [
            "2:11 B0107 expected an expression, found a predicate; bool(P) is the value of a predicate"
        ]
    );
    assert_eq!(
        invariant("x = {y : NAT}"),
        [
            "3:6 B0107 expected an expression, found a predicate; a set comprehension names its variables first: {x | x : S}"
        ]
    );
    assert_eq!(
        invariant("ready & x = 1"),
        [
            "3:1 B0107 expected a predicate, but \"ready\" is none; compare it, as in ready = TRUE, or define \"ready\" in DEFINITIONS"
        ]
    );
}

#[test]
fn parentheses_that_are_missing() {
    assert_eq!(
        invariant("not x = 3"),
        ["3:1 B0110 found \"x\" after \"not\", expected \"(\"; write not(P)"]
    );
    assert_eq!(
        invariant("!y.y : NAT => y = 3"),
        ["3:4 B0101 found \"y\", expected \"(\"; put the body in parentheses: .(P)"]
    );
    assert_eq!(invariant("(x = 3"), ["3:1 B0111 \"(\" is never closed"]);
    assert_eq!(
        invariant("x = 3)"),
        ["3:6 B0122 found \")\", expected an operator or the end of the predicate"]
    );
    assert_eq!(
        invariant("r ; s = r"),
        [
            "3:3 B0101 found \";\", expected a clause or END; predicates are joined by \"&\"; relations are composed in parentheses: (r ; s)"
        ]
    );
}

#[test]
fn words_that_are_reserved_or_misspelt() {
    assert_eq!(
        errors("MACHINE M VARIABLES floor INVARIANT floor > 0 INITIALISATION floor := 0 END"),
        [
            "1:21 B0113 found the reserved word \"floor\", expected a name; to use it as a name, write `floor` in back quotes"
        ]
    );
    assert_eq!(
        errors("MACHINE M VARIABLES x; y\nINVARIANT x = y INITIALISATION x, y := 0, 0 END"),
        ["1:22 B0101 found \";\", expected \",\" or a clause; names are separated by \",\""]
    );
    assert_eq!(
        operations("o = last := 1"),
        [
            "2:5 B0113 found the reserved word \"last\", expected a variable; to use it as a name, write `last` in back quotes"
        ]
    );
    assert_eq!(
        operations("o = IF x = 1 THEN skip ELSEIF x = 2 THEN skip END"),
        ["2:24 B0101 found \"ELSEIF\", expected \";\", \"||\" or END; did you mean ELSIF?"]
    );
    assert_eq!(
        errors("MACHINE M VARIABLES x\nINVARIENT x > 0\nINITIALISATION x := 0 END"),
        ["2:1 B0124 found \"INVARIENT\", expected a clause; did you mean INVARIANT?"]
    );
    assert_eq!(
        operations("o = IF x = 1 THN x := 1 ELSE skip END"),
        ["2:14 B0101 found \"THN\", expected THEN; did you mean THEN?"]
    );
    assert_eq!(
        operations("o = if x = 1 THEN skip END"),
        ["2:5 B0101 found \"if\", expected IF; keywords are written in capitals"]
    );
    assert_eq!(
        errors("MACHIN M END"),
        [
            "1:1 B0129 found \"MACHIN\", expected MACHINE, REFINEMENT, IMPLEMENTATION, MODEL, SYSTEM or DEFINITIONS; did you mean MACHINE?"
        ]
    );
}

#[test]
fn blocks_that_are_not_closed() {
    assert_eq!(
        operations("o = PRE x = 1 THEN x := 1;\np = BEGIN skip END"),
        ["2:26 B0112 found \";\", expected END of PRE; close this PRE with END"]
    );
    assert_eq!(
        operations("o = BEGIN x := 1\nOPERATIONS p = skip"),
        [
            "3:1 B0112 found \"OPERATIONS\", expected END of BEGIN; close this BEGIN with END",
            "3:1 B0125 a second OPERATIONS clause; join the two"
        ]
    );
    assert_eq!(
        errors("MACHINE M SETS S"),
        ["1:17 B0112 found the end of the text, expected END of the component"]
    );
    assert_eq!(
        operations("o = CASE x OF EITHER 1 THEN skip END ; p = skip"),
        ["2:38 B0101 found \";\", expected a second END; CASE has two: CASE E OF EITHER … END END"]
    );
    assert_eq!(
        errors("MACHINE M END END"),
        [
            "1:15 B0130 found \"END\" after the END of the component; one file holds one component; is there an END too many?"
        ]
    );
}

#[test]
fn separators_that_are_missing_or_too_many() {
    assert_eq!(
        operations("o = BEGIN skip END\np = BEGIN skip END"),
        [
            "2:16 B0118 expected \";\" between this operation and the next; operations are separated by \";\""
        ]
    );
    assert_eq!(
        operations("o = skip;"),
        [
            "2:9 B0119 nothing follows this \";\" before \"END\"; \";\" separates; remove it after the last one"
        ]
    );
    assert_eq!(
        operations("o = BEGIN x := 1; END"),
        [
            "2:17 B0119 nothing follows this \";\" before \"END\"; \";\" separates; remove it after the last one"
        ]
    );
    assert_eq!(
        operations("o = x := 1 ; y := 2"),
        [
            "2:16 B0115 found \":=\", expected \"=\"; \";\" ends an operation; put a sequence between BEGIN and END, or join with \"||\""
        ]
    );
    assert_eq!(
        operations("o = BEGIN x := 1 y := 2 END"),
        [
            "2:18 B0101 found \"y\", expected \";\", \"||\" or END; statements are separated by \";\" (one after the other) or \"||\" (at once)"
        ]
    );
    assert_eq!(
        operations("o = BEGIN END"),
        [
            "2:11 B0114 found \"END\", expected a substitution; write skip before END if nothing is to happen"
        ]
    );
    assert_eq!(
        errors("MACHINE M DEFINITIONS a == 1 b == 2 END"),
        [
            "1:28 B0118 expected \";\" between this definition and the next; definitions are separated by \";\""
        ]
    );
}

#[test]
fn clauses_that_do_not_go_together() {
    assert_eq!(
        errors("MACHINE M VARIABLES x END"),
        [
            "1:11 B0127 variables need the clause INVARIANT; add INVARIANT",
            "1:11 B0127 variables need the clause INITIALISATION; add INITIALISATION"
        ]
    );
    assert_eq!(
        errors("MACHINE M(n) END"),
        ["1:11 B0127 a parameter that is no set needs the clause CONSTRAINTS; add CONSTRAINTS"]
    );
    assert_eq!(
        errors("MACHINE M SETS S SETS T END"),
        ["1:18 B0125 a second SETS clause; join the two"]
    );
    assert_eq!(
        errors("MACHINE M IMPORTS N END"),
        ["1:11 B0126 IMPORTS cannot stand in MACHINE"]
    );
    assert_eq!(
        errors("REFINEMENT M END"),
        ["1:1 B0127 REFINEMENT needs the clause REFINES; add REFINES"]
    );
    assert_eq!(
        errors("MACHINE M DEFINITIONS a == 1; a == 2 END"),
        ["1:31 B0128 \"a\" is defined twice"]
    );
    assert_eq!(
        errors("MACHINE a.b END"),
        ["1:9 B0131 a name that is introduced here cannot have a dot"]
    );
    assert_eq!(
        errors("  "),
        [
            "1:3 B0138 the file is empty, expected MACHINE, REFINEMENT, IMPLEMENTATION, MODEL, SYSTEM or DEFINITIONS"
        ]
    );
}

#[test]
fn independent_errors_are_all_told_and_none_echoes() {
    let found = errors(
        "MACHINE M
SETS S = {a,, b}; T = {c}
DEFINITIONS good == 1; bad == (1 + ; fine == 2
VARIABLES x
INVARIANT x : NAT & (x = ) & x > 0 & x + & x < 9
INITIALISATION x = 0
OPERATIONS
  first_op = PRE x > > 1 THEN x := 1 || x = 2 END;
  second = BEGIN x := ; skip END;
  third(p) = SELECT p = 1 THEN IF x = 1 THEN x := (2 END WHEN p = 2 THEN x := 3 END
END",
    );
    let places: Vec<&str> = found
        .iter()
        .map(|text| &text[..text.find(" B").unwrap_or(0)])
        .collect();
    assert_eq!(
        places,
        [
            "2:13", "3:36", "5:26", "5:42", "6:18", "8:20", "8:43", "9:23", "10:51"
        ],
        "{found:#?}"
    );
}
