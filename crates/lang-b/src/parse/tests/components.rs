//! Claims about components, clauses, substitutions and definitions.

use super::{component, errors};
use crate::syntax::{ClauseBody, ComponentKind, Definition, MacroBody, SubstKind};

const NOTHING: Vec<String> = Vec::new();

#[test]
fn every_clause_is_read() {
    let text = "
/*@package a.b*/
MACHINE All(SET, par)
CONSTRAINTS par : NAT
SEES A, i.B
USES C
INCLUDES j.D(1, SET) /*@file \"d/D.mch\"*/
EXTENDS E
PROMOTES j.op, other
SETS S; T = {t1, t2} /*@desc two*/; U = ELEMENTS
FREETYPES L = nil, cons(INTEGER * L)
CONSTANTS c1 /*@desc first*/, c2
ABSTRACT_CONSTANTS c3
PROPERTIES c1 = 1 & c2 = 2 & c3 = 3
VARIABLES v
CONCRETE_VARIABLES w
DEFINITIONS ELEMENTS == {u1, u2}; \"x.def\"; <lib.def>; F(a) == a + 1; G == v := 1; IDS == aa, bb;
INVARIANT v : NAT & w : NAT
ASSERTIONS v >= 0; w >= 0
INITIALISATION v := 0 ; w := 0
LOCAL_OPERATIONS loc = skip
OPERATIONS
  r, s <-- op(a, b) = BEGIN r := a || s := b END /*@desc text*/;
  j.ren = skip
END
";
    assert_eq!(errors(text), NOTHING);
    let parsed = component(text).component;
    assert_eq!(parsed.kind, ComponentKind::Machine);
    assert_eq!(parsed.clauses.len(), 19);
    assert_eq!(parsed.pragmas.len(), 1);
}

#[test]
fn refinements_implementations_and_systems() {
    assert_eq!(
        errors("REFINEMENT R REFINES M VARIABLES x INITIALISATION x := 1 END"),
        NOTHING
    );
    assert_eq!(
        errors("IMPLEMENTATION I REFINES R IMPORTS M VALUES c = 1; d = 2 END"),
        NOTHING
    );
    assert_eq!(
        errors(
            "SYSTEM S VARIABLES x INVARIANT x:NAT VARIANT x INITIALISATION x:=1 EVENTS e ref f = SELECT x>0 THEN x:=x-1 END END"
        ),
        NOTHING
    );
    assert_eq!(
        component("DEFINITIONS a == 1; b == 2;").component.kind,
        ComponentKind::DefinitionFile
    );
}

#[test]
fn every_substitution_is_read() {
    for body in [
        "skip",
        "x := 1",
        "x, y := 1, 2",
        "f(1)(2) := 3",
        "r'a'b := 3",
        "x :: S",
        "x, y :: S*T",
        "x : (x > x$0)",
        "op",
        "op(1, 2)",
        "x <-- op(1)",
        "x, f(1) <-- inst.op",
        "BEGIN x := 1 ; y := 2 || z := 3 END",
        "PRE x=1 THEN skip END",
        "ASSERT x=1 THEN skip END",
        "WITNESS x=1 THEN skip END",
        "CHOICE x:=1 OR x:=2 OR x:=3 END",
        "IF x=1 THEN x:=2 ELSIF x=2 THEN x:=3 ELSE skip END",
        "IF x=1 THEN x:=2 END",
        "SELECT x=1 THEN x:=2 WHEN x=2 THEN x:=3 ELSE skip END",
        "CASE x OF EITHER 1,2 THEN skip OR 3 THEN x:=1 ELSE x:=2 END END",
        "ANY a,b WHERE a>b THEN x:=a END",
        "LET a,b BE a=1 & b=2 IN x:=a END",
        "VAR a,b IN a:=1; b:=2 END",
        "WHILE x>0 DO x:=x-1 INVARIANT x>=0 VARIANT x END",
    ] {
        assert_eq!(
            errors(&format!("MACHINE M OPERATIONS o = {body} END")),
            NOTHING,
            "{body}"
        );
    }
}

#[test]
fn sequence_is_looser_than_parallel() {
    let text = "MACHINE M INITIALISATION a:=1 || b:=2 ; c:=3 END";
    let parsed = component(text).component;
    let ClauseBody::Initialisation(id) = parsed.clauses[0].body else {
        panic!("an initialisation");
    };
    let SubstKind::Sequence(parts) = &parsed.tree.substs[id].kind else {
        panic!("a sequence");
    };
    assert_eq!(parts.len(), 2);
}

#[test]
fn the_body_tells_what_a_definition_is() {
    let text = "DEFINITIONS f == 1+1; p == 1=1; s == x:=1; c == op(1); n == a,b; i == IF 1=1 THEN 2 ELSE 3 END;
                j == IF 1=1 THEN x:=1 ELSE skip END; b == x : (x>0); q == BEGIN x:=1; y:=2 END; m == x:S";
    assert_eq!(errors(text), NOTHING);
    let parsed = component(text).component;
    let ClauseBody::Definitions(definitions) = &parsed.clauses[0].body else {
        panic!("definitions");
    };
    let kinds: Vec<(&str, &str)> = definitions
        .iter()
        .filter_map(|definition| match definition {
            Definition::Macro(m) => Some((
                m.name.as_str(),
                match m.body {
                    MacroBody::Formula(_) => "formula",
                    MacroBody::Names(_) => "names",
                    MacroBody::Substitution(_) => "substitution",
                },
            )),
            Definition::File(_) => None,
        })
        .collect();
    assert_eq!(
        kinds,
        [
            ("f", "formula"),
            ("p", "formula"),
            ("s", "substitution"),
            ("c", "formula"),
            ("n", "names"),
            ("i", "formula"),
            ("j", "substitution"),
            ("b", "substitution"),
            ("q", "substitution"),
            ("m", "formula"),
        ]
    );
}
