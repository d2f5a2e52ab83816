//! Values of every representation obey the laws of permuting.

use crate::support::load_text;
#[allow(dead_code)]
use model::sorts::analyse;
use model_compile::{Options, compile};
use pins::check_permutations;

/// The states on which the laws were checked.
fn checked(text: &str) -> usize {
    let model = load_text(text).expect("the text is a machine");
    let system = compile(&model, &Options::default()).expect("the machine compiles");
    let system = system.with_symmetry(&model, &analyse(&model, None));
    check_permutations(&system, 40).expect("the laws hold")
}

/// A machine over sets of 3 and 4 elements with one variable of this type, changed to any value of `space`.
fn one(ty: &str, space: &str) -> usize {
    checked(&format!(
        "MACHINE M SETS S; T; C = {{red, green, blue}}
         DEFINITIONS scope_S == 3; scope_T == 4
         VARIABLES v, u INVARIANT v : {ty} & u : S & (u = u or v = v)
         INITIALISATION v :: {space} || u :: S
         OPERATIONS go(w, x) = PRE w : {space} & x : S & w /= v THEN v := w || u := x END;
         r <-- get = BEGIN r := (u, v) END END"
    ))
}

#[test]
fn words() {
    assert!(one("S", "S") > 8);
    assert!(one("POW(S)", "POW(S)") > 20);
    assert!(one("S * T", "S * T") > 20);
    assert!(one("C", "C - {red}") > 5);
    assert!(
        one(
            "struct(a : S, b : BOOL, c : T)",
            "struct(a : S, b : BOOL, c : T)"
        ) > 20
    );
}

#[test]
fn masks_of_pairs_and_of_sets() {
    assert!(one("S <-> T", "{r | r : S >-> T}") > 20);
    assert!(one("S +-> 0..2", "S --> 0..2") > 20);
    assert!(one("0..2 +-> S", "0..2 --> S") > 20);
    assert!(one("POW(POW(S))", "{{}, {{}}, {S}, {{}, S}}") > 10);
    let triples = "ran(%(a, b).(a : S & b : T | {(a, TRUE, b)}))";
    assert!(one("POW(S * BOOL * T)", triples) > 20);
}

#[test]
fn wide_masks_and_trees() {
    let pairs = |value: &str| format!("ran(%(a, b).(a : T & b : T | {value}))");
    assert!(one("POW(T * T * T)", &pairs("{(a, b, a)}")) > 20);
    assert!(one("POW(T * T * T * T)", &pairs("{(a, b, a, b), (b, b, a, a)}")) > 10);
    assert!(one("seq(S)", "{q | q : seq(S) & size(q) < 3}") > 10);
    let splits = "ran(%s.(s <: S | {1 |-> s, 2 |-> S - s}))";
    assert!(one("POW(INTEGER * POW(S))", splits) > 10);
    assert!(
        one(
            "struct(n : INTEGER, s : POW(T))",
            "struct(n : {-1, 7}, s : POW(T))"
        ) > 20
    );
}

#[test]
fn constants_are_permuted_too() {
    let text = "MACHINE M SETS S; T CONSTANTS f, c PROPERTIES f : S >-> T & c : S
        DEFINITIONS scope_S == 2; scope_T == 3
        VARIABLES x INVARIANT x : T & x /= f(c) INITIALISATION x :: T
        OPERATIONS r <-- go = BEGIN x := f(c) || r := f~ END END";
    assert!(checked(text) > 10);
}
