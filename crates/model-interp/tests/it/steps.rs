//! Set-ups, initial states, steps, their replay, and explanations.

use model::{Value, VarId};

use super::Machine;
use model_interp::{Interp, State, StopKind, Transition, Wd};

fn machine(body: &str) -> Machine {
    Machine::new(&format!(
        "MACHINE M SETS D = {{d1,d2,d3}} VARIABLES x, s INVARIANT x:INTEGER & s<:D
         INITIALISATION x := 0 || s := {{}} OPERATIONS {body} END"
    ))
}

/// The transitions of the first action as `args results x s`.
fn shown(machine: &Machine, transitions: &[Transition]) -> Vec<String> {
    let text = |values: &[Value]| {
        let shown: Vec<String> = values.iter().map(|v| v.show(&machine.model.tys)).collect();
        shown.join(" ")
    };
    let state = |state: &State| {
        let values: Vec<Value> = state.values().iter().flatten().cloned().collect();
        text(&values)
    };
    let line = |t: &Transition| {
        let results: Vec<Value> = t.results.iter().flatten().cloned().collect();
        format!(
            "{}/{}/{}",
            text(&t.arguments),
            text(&results),
            state(&t.target)
        )
    };
    transitions.iter().map(line).collect()
}

/// What the first action does in the first state; every transition must be replayable.
fn steps(body: &str, wd: Wd) -> Result<Vec<String>, StopKind> {
    let machine = machine(body);
    let start = machine.start();
    let mut interp = machine.interp(wd);
    let found = interp.successors(0, &start).map_err(|stop| stop.kind)?;
    for t in &found {
        let replayed = interp.check_step_with(0, &t.arguments, &t.results, &start, &t.target);
        assert!(replayed.is_ok(), "{body}: {replayed:?}");
    }
    Ok(shown(&machine, &found))
}

#[test]
fn statements_have_the_outcomes_of_their_definition() {
    for (body, expected) in [
        ("op = x := x+1", &["//1 {}"][..]),
        (
            "op(p) = PRE p:1..2 THEN x := p END",
            &["1//1 {}", "2//2 {}"],
        ),
        ("r <-- op = r,x := x,5", &["/0/5 {}"]),
        ("r <-- op = IF x=1 THEN r := 1 END", &["//0 {}"]),
        ("op = x :: {4,7}", &["//4 {}", "//7 {}"]),
        ("op = x : (x > x$0 & x < 3)", &["//1 {}", "//2 {}"]),
        (
            "op = ANY a,b WHERE a:1..2 & b=a*2 THEN x := b END",
            &["//2 {}", "//4 {}"],
        ),
        ("op = ANY a WHERE a:1..0 THEN x := a END", &[]),
        ("op = BEGIN x := 1; x := x+1 END", &["//2 {}"]),
        ("op = BEGIN x := 1 || s := {d1} END", &["//1 {d1}"]),
        (
            "op = CHOICE x := 1 OR x := 2 OR x := 1 END",
            &["//1 {}", "//2 {}"],
        ),
        (
            "op = SELECT x=0 THEN x := 1 WHEN x<5 THEN x := 2 ELSE x := 3 END",
            &["//1 {}", "//2 {}"],
        ),
        ("op = SELECT x=1 THEN x := 1 ELSE x := 3 END", &["//3 {}"]),
        ("op = SELECT x=1 THEN x := 1 END", &[]),
        (
            "op = IF x=1 THEN x := 1 ELSIF x=0 THEN x := 2 END",
            &["//2 {}"],
        ),
        ("op = IF x=1 THEN x := 1 END", &["//0 {}"]),
        (
            "op = CASE x OF EITHER 0 THEN x := 9 OR 1 THEN x := 8 END END",
            &["//9 {}"],
        ),
        ("op = LET k BE k=x+2 IN x := k END", &["//2 {}"]),
        ("op = VAR t IN t := 4; x := t END", &["//4 {}"]),
        ("op = ASSERT x=0 THEN x := 1 END", &["//1 {}"]),
        (
            "op = WHILE x<3 DO x := x+1 INVARIANT x<=3 VARIANT 3-x END",
            &["//3 {}"],
        ),
        (
            "op = WHILE x<3 DO CHOICE x := x+1 OR x := x+2 END INVARIANT x<=4 VARIANT 4-x END",
            &["//3 {}", "//4 {}"],
        ),
    ] {
        let expected: Vec<String> = expected.iter().map(|line| (*line).to_owned()).collect();
        assert_eq!(steps(body, Wd::Default), Ok(expected), "{body}");
    }
}

#[test]
fn conditions_that_must_hold_are_faults_when_they_do_not() {
    for (body, kind) in [
        ("op = ASSERT x=1 THEN skip END", StopKind::Violated),
        (
            "op = WHILE x<3 DO skip INVARIANT x=0 VARIANT 3-x END",
            StopKind::Violated,
        ),
        (
            "op = WHILE x<3 DO x := x+1 INVARIANT x=0 VARIANT 3-x END",
            StopKind::Violated,
        ),
        (
            "op = WHILE x<3 DO x := x+1 INVARIANT x<9 VARIANT -x END",
            StopKind::Violated,
        ),
        ("op = VAR t IN x := t END", StopKind::Undefined),
        ("op = x := 1/x", StopKind::Undefined),
        ("op = IF 1/x=1 THEN skip END", StopKind::Undefined),
        ("op = x := max(INT-INT)", StopKind::Undefined),
    ] {
        assert_eq!(steps(body, Wd::Default), Err(kind), "{body}");
        assert_eq!(steps(body, Wd::Strict), Err(kind), "{body}");
        assert_eq!(steps(body, Wd::Lenient), Ok(Vec::new()), "{body}");
    }
}

#[test]
fn an_undefined_guard_is_false_noted_or_a_fault() {
    let guards = [
        "op = SELECT 1/x=1 THEN skip END",
        "op(p) = PRE p:0..0 & 1/p=1 THEN skip END",
        "op = ANY a WHERE a:0..0 & 1/a=1 THEN x := a END",
        "op = x : (x:0..0 & 1/x=1)",
        "op = SELECT x=1 THEN skip WHEN 1/x=1 THEN skip ELSE x := 1 END",
    ];
    for body in guards {
        let machine = machine(body);
        let start = machine.start();
        let mut interp = machine.interp(Wd::Default);
        assert_eq!(
            interp.successors(0, &start).map(|found| found.len()),
            Ok(0),
            "{body}"
        );
        assert_eq!(interp.notes().undefined_guards, 1, "{body}");
        assert_eq!(steps(body, Wd::Strict), Err(StopKind::Undefined), "{body}");
    }
    // The other branches stay.
    let body = "op = CHOICE SELECT 1/x=1 THEN x := 1 END OR x := 2 END";
    assert_eq!(steps(body, Wd::Default), Ok(vec!["//2 {}".to_owned()]));
}

#[test]
fn lenient_drops_only_the_branch_with_the_fault() {
    let body = "op = CHOICE x := 1/x OR x := 2 END";
    assert_eq!(steps(body, Wd::Lenient), Ok(vec!["//2 {}".to_owned()]));
    let body = "op = ANY a WHERE a:0..2 THEN x := 6/a END";
    let expected = vec!["//3 {}".to_owned(), "//6 {}".to_owned()];
    assert_eq!(steps(body, Wd::Lenient), Ok(expected));
}

#[test]
fn unbounded_parameters_are_cut_as_documented() {
    // MAXINT is 3 and MININT is -1.
    for (body, expected) in [
        ("op(p) = PRE p:INTEGER THEN skip END", 5),
        ("op(p) = PRE p:NATURAL THEN skip END", 4),
        ("op(p) = PRE p>7 THEN skip END", 1),
        ("op(p) = PRE p<2 THEN skip END", 3),
        ("op(p) = PRE p < -7 THEN skip END", 1),
    ] {
        let machine = machine(body);
        let start = machine.start();
        let mut interp = machine.interp(Wd::Default);
        let found = interp.successors(0, &start).map(|found| found.len());
        assert_eq!(found, Ok(expected), "{body}");
        assert_eq!(interp.notes().cuts.len(), 1, "{body}");
    }
}

#[test]
fn a_replay_refuses_what_the_model_does_not_do() {
    let machine = machine("r <-- op(p) = PRE p:1..5 THEN r := p || x :: {p,p+1} END");
    let start = machine.start();
    let mut interp = machine.interp(Wd::Default);
    let int = |n| Value::int(n);
    let with = |n: i64| {
        let mut state = start.clone();
        state.set(VarId::new(0), int(n));
        state
    };
    let mut step = |p, r, x| interp.check_step(0, &[int(p)], &[int(r)], &start, &with(x));
    assert!(step(2, 2, 3).is_ok());
    assert!(step(2, 2, 4).is_err(), "x is 2 or 3");
    assert!(step(2, 3, 3).is_err(), "the result is the argument");
    assert!(step(9, 9, 9).is_err(), "the guard is false");
}

#[test]
fn a_replay_does_not_enumerate_what_it_knows() {
    let machine = machine("op(p) = PRE p:1..10**12 THEN x :: 0..10**12 END");
    let start = machine.start();
    let mut target = start.clone();
    target.set(VarId::new(0), Value::int(999_999_999_999));
    let mut interp = machine.interp(Wd::Default);
    let argument = [Value::int(500_000_000_000)];
    assert!(
        interp
            .check_step(0, &argument, &[], &start, &target)
            .is_ok()
    );
}

#[test]
fn constants_are_found_in_any_order_of_the_properties() {
    let machine = Machine::new(
        "MACHINE M CONSTANTS a, b, f, g
         PROPERTIES a = f(b) & b = g(1) & g : 1..2-->1..2 & f = {1|->7,2|->8} & a /= 7
         VARIABLES x INVARIANT x=a INITIALISATION x := a END",
    );
    let mut interp = machine.interp(Wd::Default);
    let setups = interp.setups(100).unwrap_or_default();
    assert_eq!(setups.len(), 2, "g(1) is 2, g(2) is 1 or 2");
    for setup in &setups {
        assert_eq!(interp.check_setup(setup), Ok(()));
        let initial = interp.initial(setup, 9).unwrap_or_default();
        assert_eq!(initial.len(), 1);
        assert!(interp.check_initial(setup, &initial[0]).is_ok());
        let mut wrong = initial[0].clone();
        wrong.set(VarId::new(4), Value::int(0));
        assert!(interp.check_initial(setup, &wrong).is_err());
    }
    let mut wrong = setups[0].clone();
    wrong.set(VarId::new(0), Value::int(7));
    assert!(interp.check_setup(&wrong).is_err());
}

#[test]
fn infinite_constants_stay_in_the_state() {
    let machine = Machine::new(
        "MACHINE M ABSTRACT_CONSTANTS f PROPERTIES f = %u.(u:INTEGER|u+1)
         VARIABLES x INVARIANT x:INTEGER INITIALISATION x := f(1) OPERATIONS op = x := f(x) END",
    );
    let start = machine.start();
    assert!(start.is_symbolic(VarId::new(0)));
    let mut interp = machine.interp(Wd::Default);
    let found = interp.successors(0, &start).unwrap_or_default();
    assert_eq!(found[0].target[VarId::new(1)], Some(Value::int(3)));
    // A state rebuilt from plain values adopts them.
    let mut rebuilt = State::new(start.values().to_vec());
    rebuilt.adopt_symbolic(&start);
    assert!(interp.successors(0, &rebuilt).is_ok());
}

#[test]
fn what_a_step_makes_has_the_rules_of_its_infinite_sets() {
    let machine = Machine::new(
        "MACHINE M VARIABLES f, x INVARIANT x:INTEGER & f : INTEGER <-> INTEGER
         INITIALISATION f := %u.(u:INTEGER|u+1) || x := 0
         OPERATIONS op = BEGIN f := %u.(u:INTEGER|u+x+2) || x := f(5) END END",
    );
    let start = machine.start();
    let mut interp = machine.interp(Wd::Default);
    let after = State::new(vec![None, Some(Value::int(6))]);
    let made = interp.check_step(0, &[], &[], &start, &after);
    let made = made.expect("the step leads there");
    let found = interp.successors(0, &made).unwrap_or_default();
    assert_eq!(found[0].target[VarId::new(1)], Some(Value::int(7)));
}

#[test]
fn an_explanation_is_the_smallest_false_part_with_its_values() {
    let mut machine = machine("op = skip");
    let start = machine.start();
    let predicate = machine.formula("x:0..9 & !u.(u:1..3 => u<=x+2 or u=9)");
    let mut interp = Interp::new(&machine.model, crate::Options::default());
    let found = interp.explain(predicate, &start);
    assert_eq!(found.len(), 2, "both sides of the disjunction");
    assert_eq!(found[0].bindings[0].1, "3");
    let values: Vec<&str> = found[0]
        .terms
        .iter()
        .map(|term| term.value.as_str())
        .collect();
    assert_eq!(values, ["3", "2", "0"], "u, x+2, x");
    let predicate = machine.formula("{d1,d3} <: s \\/ {d1}");
    let mut interp = Interp::new(&machine.model, crate::Options::default());
    let found = interp.explain(predicate, &start);
    assert_eq!(
        found[0].witness.as_deref(),
        Some("d3 is not in the right set")
    );
    let predicate = machine.formula("1/x=1");
    let mut interp = Interp::new(&machine.model, crate::Options::default());
    let found = interp.explain(predicate, &start);
    let undefined = found[0].undefined.as_ref();
    assert_eq!(
        undefined.map(|stop| stop.reason.as_str()),
        Some("division by zero")
    );
}
